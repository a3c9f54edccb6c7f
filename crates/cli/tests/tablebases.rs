//! `tablebase` and `dtz`: tables that are missing or damaged, and readers that die.
//!
//! The directory that `SYZYGY` names has real tables of three men, which are compared with
//! python-chess (`PYTHON` names an interpreter); without it, that test prints a message and ends.

mod support;

use support::Place;

const GAME: &str = "[Event \"a\"]\n[FEN \"8/8/8/8/8/2k5/8/K6B w - - 0 1\"]\n\n1.Bg2 Kc4 *\n";

fn new() -> Place {
    let place = Place::empty();
    place.write("g.pgn", GAME);
    place
}

#[cfg(not(feature = "tablebases"))]
#[test]
fn a_program_without_tablebases_names_those_that_have_them() {
    let place = new();
    for tables in [&[][..], &["-tablebases", "."]] {
        let line =
            [&["g.pgn", "-cql", "mate or tablebase == 2", "-o", "o.pgn"][..], tables].concat();
        let ran = place.cql(&line);
        assert_eq!(ran.status, Some(1));
        for said in
            ["error[E0507]", "without tablebases", "1:9", "^^^^^^^^^", "--features tablebases"]
        {
            assert!(ran.out.contains(said), "{said}: {}", ran.out);
        }
        assert!(!place.path("o.pgn").exists());
    }
    place.write("q.cql", "cql() dtz\n");
    let ran = place.cql(&["run", "q.cql", "g.pgn", "--output-dir", "o", "-tablebases", "."]);
    assert!(ran.err.contains("error[E0507]") && ran.err.contains("q.cql:1:7"), "{}", ran.err);
}

/// Doors that read no tablebases refuse the query, and never say that nothing matches.
#[test]
fn no_door_answers_without_tablebases() {
    let place = new();
    place.write("q.cql", "cql() tablebase == 2\n");
    place.write("s.md", "```cql games=g.pgn\ntablebase == 2\n```\n");
    for line in [
        "tree g.pgn --cql tablebase==2",
        "stats g.pgn --cql tablebase==2",
        "dedup g.pgn --cql tablebase==2",
        "doctor g.pgn --cql tablebase==2",
        "like g.pgn 8/8/8/8/8/2k5/8/K6R --cql tablebase==2",
        "prepare g.pgn --opening e4 --cql tablebase==2 -o o.html",
        "explain q.cql g.pgn",
        "bench q.cql g.pgn",
        "book s.md -o o.html",
    ] {
        let ran = place.cql(&line.split(' ').collect::<Vec<_>>());
        assert_ne!(ran.status, Some(0), "{line}: {ran:?}");
        let said = ran.out + &ran.err;
        assert!(said.contains("tables can be read here"), "{line}: {said}");
    }
}

#[cfg(feature = "tablebases")]
mod with_tables {
    use std::fs;
    use std::path::PathBuf;
    use std::process::Command;

    use super::new;
    use super::support::{Place, Ran};

    /// Tables with the same value for all positions: a draw needs only a header and its checksum.
    const DRAWS: [(&str, [u8; 12], u128); 3] = [
        (
            "KBvK.rtbw",
            *b"\x71\xe8\x23\x5d1\0\xee\x663\0\x80\x02",
            0x4b37ef623e69eadb6756777c16034e6f,
        ),
        (
            "KNvK.rtbw",
            *b"\x71\xe8\x23\x5d1\0\xee\x66\x22\0\x80\x02",
            0xb9eccbff19c677158e928b1b641248b7,
        ),
        (
            "KBvK.rtbz",
            *b"\xd7\x66\x0c\xa51\0\x0e\x06\x03\0\x80\0",
            0x338f272b119c02ca67b03a450c375b2e,
        ),
    ];

    fn draw(name: &str) -> Vec<u8> {
        let (_, head, sum) = DRAWS.iter().find(|table| table.0 == name).expect("a table");
        let mut bytes = head.to_vec();
        // The other side to move
        if name.ends_with('w') {
            bytes.extend(*b"\x80\x02");
        }
        bytes.resize(64, 0);
        bytes.extend(sum.to_be_bytes());
        bytes
    }

    fn ask(place: &Place, query: &str) -> Ran {
        place.cql(&["g.pgn", "--count", "-s", "-cql", query, "-tablebases", "tables"])
    }

    /// Returns the number of matching positions.
    fn n_positions(ran: &Ran) -> Option<u32> {
        let counts = ran.out.lines().last()?;
        counts.split_whitespace().last()?.parse().ok()
    }

    #[test]
    fn tables_give_values() {
        let place = new();
        for (name, ..) in DRAWS {
            place.write(&format!("tables/{name}"), draw(name));
        }
        for (query, want) in [("tablebase == 0", 3), ("dtz == 0", 3), ("dtz > 0", 0)] {
            let ran = ask(&place, query);
            assert_eq!((n_positions(&ran), ran.status), (Some(want), Some(0)), "{query} {ran:?}");
            assert!(!ran.err.contains("table"), "{}", ran.err);
        }
        place.write("q.cql", "cql() tablebase == 0\n");
        let ran = place.run("run q.cql g.pgn --output-dir o -tablebases tables");
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(place.read("o/q.pgn").contains("{CQL}"));
    }

    #[test]
    fn a_search_needs_tables() {
        let place = new();
        place.write("tables/KBvK.rtbw", draw("KBvK.rtbw"));
        place.write("empty/readme", "no tables");
        for (options, said) in [
            (&[][..], "--tablebases DIR"),
            (&["-tablebases", "nowhere"], "cannot read the tablebases in nowhere"),
            (&["-tablebases", "g.pgn"], "cannot read the tablebases in g.pgn"),
            (&["-tablebases", "empty"], "there are no tablebases in empty"),
            (&["-tablebases", "tables", "-secure"], "--secure forbids"),
        ] {
            let ran = place
                .cql(&[&["g.pgn", "-cql", "mate or dtz", "-o", "o.pgn"][..], options].concat());
            assert!(ran.out.contains(said) && ran.out.contains("1:9"), "{options:?} {}", ran.out);
            assert_eq!(ran.status, Some(1));
            assert!(!place.path("o.pgn").exists());
        }
    }

    #[test]
    fn positions_without_a_table_are_counted() {
        let place = new();
        place.write("tables/KNvK.rtbw", draw("KNvK.rtbw"));
        let ran = ask(&place, "tablebase or dtz");
        assert_eq!((n_positions(&ran), ran.status), (Some(0), Some(0)), "{ran:?}");
        assert!(
            ran.err.contains("3 positions have no table in tables: KBvK.rtbw\n"),
            "{}",
            ran.err
        );
        place.write("tables/KBvK.rtbw", draw("KBvK.rtbw"));
        let ran = ask(&place, "initial dtz or initial tablebase");
        assert_eq!(n_positions(&ran), Some(1));
        assert!(ran.err.contains("1 position has no table in tables: KBvK.rtbz\n"), "{}", ran.err);
    }

    #[test]
    fn damaged_tables_give_no_value() {
        let place = new();
        let whole = draw("KBvK.rtbw");
        let changed = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            bytes
        };
        for (bytes, said) in [
            (changed(0), "not a Syzygy table of this kind"),
            (changed(11), "wrong checksum"),
            (changed(40), "wrong checksum"),
            (changed(79), "wrong checksum"),
            (whole[..79].to_vec(), "wrong length"),
            (Vec::new(), "wrong length"),
            ([&whole[..64], &whole[..]].concat(), "wrong checksum"),
        ] {
            place.write("tables/KBvK.rtbw", bytes);
            let ran = ask(&place, "tablebase");
            assert_eq!((n_positions(&ran), ran.status), (Some(0), Some(1)), "{said} {ran:?}");
            let expected = format!("the tablebase KBvK.rtbw is damaged ({said})");
            assert_eq!(ran.err.matches(&expected).count(), 1, "{}", ran.err);
        }
        fs::remove_file(place.path("tables/KBvK.rtbw")).expect("a file");
        fs::create_dir(place.path("tables/KBvK.rtbw")).expect("a directory");
        let ran = ask(&place, "tablebase");
        assert!(ran.err.contains("is damaged (not a file)"), "{}", ran.err);
    }

    #[cfg(unix)]
    #[test]
    fn a_reader_that_dies_costs_a_value() {
        let place = new();
        place.write("tables/KBvK.rtbw", draw("KBvK.rtbw"));
        // Kills the reader of the search that asks.
        let script = "#!/bin/sh\nread -r line\n\
                      kill -9 $(ps -o pid=,args= --ppid $PPID | grep serve-tablebases | awk '{print $1}')\n\
                      echo '\"done\"'\n";
        place.write_script("killer", script);
        let query = "{if ply==1 commandpipe(\"killer\")} tablebase == 0";
        let ran = place.cql(&[
            "g.pgn",
            "--count",
            "-s",
            "-cql",
            query,
            "-tablebases",
            "tables",
            "-pipe",
            "killer=./killer",
        ]);
        assert_eq!((n_positions(&ran), ran.status), (Some(2), Some(1)), "{ran:?}");
        assert!(ran.err.contains("ended without an answer (signal: 9"), "{}", ran.err);
    }

    /// Writes games of one position each, and the values of python-chess.
    const ORACLE: &str = "
import random, sys
import chess, chess.syzygy
random.seed(1)
tables = chess.syzygy.open_tablebase(sys.argv[1])
with open('r.pgn', 'w') as games, open('values', 'w') as values:
    for _ in range(2000):
        board = chess.Board(None)
        men = random.sample('QRBNPqrbnp', 1) + ['K', 'k']
        for square, man in zip(random.sample(range(64), 3), men):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = random.random() < 0.5
        if board.is_valid():
            print(f'[FEN \"{board.fen()}\"]\\n\\n*\\n', file=games)
            print(f'{tables.probe_wdl(board)},{tables.probe_dtz(board)}', file=values)
";

    #[test]
    fn python_chess_reads_the_same() {
        let Some(tables) = std::env::var_os("SYZYGY").map(PathBuf::from) else {
            eprintln!("skipped: SYZYGY names no directory with tables of three men");
            return;
        };
        let place = Place::empty();
        let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let mut oracle = Command::new(python);
        let oracle = oracle.current_dir(place.path(".")).args(["-c", ORACLE]).arg(&tables).output();
        if !oracle.as_ref().is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: python3 with chess is not installed: {oracle:?}");
            return;
        }
        let tables = tables.to_str().expect("a name in UTF-8");
        let ran = place.cql(&[
            "r.pgn",
            "-cql",
            "true",
            "-tablebases",
            tables,
            "-o",
            "r.csv",
            "--columns",
            "a,b",
            "--value",
            "a=tablebase",
            "--value",
            "b=dtz",
            "--noheader",
        ]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let (found, expected) = (place.read("r.csv"), place.read("values"));
        let found = found.strip_prefix("a,b\n").unwrap_or(&found);
        assert!(expected.lines().count() > 1000);
        assert_eq!(found, expected);
    }
}
