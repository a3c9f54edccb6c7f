//! `cql index` as a process: archives, their text, refused arguments and messages.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Place, Ran};

const GAMES: &str =
    "[Event \"a\"]\n[Result \"*\"]\n\n1.e4 e5 *\n\n[Event \"b\"]\n\n1.d4 (1.c4) *\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place
    }

    /// Returns the files of an archive without the manifest.
    fn segments(&self, archive: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(archive)).expect("an archive");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.into_string().expect("a name"));
        names.filter(|name| name != "manifest.json").collect()
    }
}

#[track_caller]
fn said(ran: &Ran, status: i32, out: &str, err: &str) {
    let found = (ran.status, &*ran.out, &*ran.err);
    assert_eq!(found, (Some(status), out, err));
}

#[test]
fn a_text_whose_lines_end_with_cr_alone_is_kept() {
    let place = Place::new();
    place.write("g.pgn", "[Event \"a\"]\r\r1. e4 1-0\r\r[Event \"b\"]\r\r1. d4 0-1\r");
    let ran = place.run("index g.pgn --self-contained");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    fs::remove_file(place.path("g.pgn")).expect("there");
    let ran = place.run("-cql true -i g.cqa -o o.pgn");
    assert!(ran.out.contains("2 matches of 2 games"), "{ran:?}");
    assert_eq!(place.run("index --check g.cqa").status, Some(0));
}

/// Every command that reads an archive says that its games are gone, and what to do.
#[test]
fn an_archive_whose_games_are_gone_says_so() {
    let place = Place::new();
    place.write("q.cql", "cql() true\n");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    fs::remove_file(place.path("g.pgn")).expect("there");
    for command in [
        "-cql true -i g.cqa -o o.pgn",
        "-cql true -i g.cqa --count-by year",
        "stats g.cqa",
        "tree g.cqa",
        "dedup g.cqa",
        "doctor g.cqa",
        "run g.cqa q.cql",
    ] {
        let ran = place.run(command);
        let said = ran.out + &ran.err;
        let is_said = said
            .contains("g.pgn: the file is gone, and the archive does not store its text")
            && said.contains("--self-contained");
        assert!(is_said && ran.status == Some(1), "{command}: {said}");
        assert!(!said.contains("the text instead"), "{command}: {said}");
    }
    // The games are named, and an archive has their text.
    let place = Place::new();
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    fs::remove_file(place.path("g.pgn")).expect("there");
    let ran = place.run("-cql true -i g.pgn -o o.pgn");
    let said =
        "g.cqa: it stores the text of games, which a search of the archive by its name reads\n";
    assert!(ran.err.starts_with(said), "{ran:?}");
}

#[test]
fn one_run_at_a_time_makes_an_archive() {
    let place = Place::new();
    assert_eq!(place.run("index g.pgn").status, Some(0));
    let lock = place.path("g.cqa/lock.tmp");
    assert!(!lock.exists());
    // The process that left this file has ended, otherwise the file would be locked.
    fs::write(&lock, "1").expect("written");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    assert!(!lock.exists());
    fs::write(&lock, "").expect("written");
    let held = fs::File::open(&lock).expect("a file");
    held.try_lock().expect("nobody else has it");
    let ran = place.run("index g.pgn");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let said = ran.out + &ran.err;
    assert!(said.contains("g.cqa: another run is building this archive"), "{said}");
    drop(held);
    // A process that another test starts can have the lock with it until it becomes its program.
    let is_free = |_| {
        let is_made = place.run("index g.pgn").status == Some(0);
        if !is_made {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        is_made
    };
    assert!((0..100).any(is_free));
}

#[test]
fn an_archive_is_made_and_made_again() {
    let place = Place::new();
    let ran = place.run("index g.pgn");
    let size = ran.out.split(", ").nth(1).unwrap_or_default().to_owned();
    assert!(size.ends_with("bytes a game\n"), "{ran:?}");
    let size = size.trim_end();
    said(&ran, 0, &format!("g.cqa: 2 games in 1 segment, {size}\n"), "");
    let first = place.segments("g.cqa");
    assert_eq!(first.len(), 1);
    let ran = place.run("index g.pgn");
    let again = format!("g.cqa: 2 games in 1 segment, {size}, up to date\n");
    said(&ran, 0, &again, "");
    // Games are appended to the file.
    place.write("g.pgn", GAMES.to_owned() + "\n[Event \"c\"]\n\n1.c4 *\n");
    let ran = place.run("index g.pgn --threads 2");
    assert!(ran.out.starts_with("g.cqa: 3 games in 1 segment, "), "{ran:?}");
    let ran = place.run("index --check g.cqa");
    assert!(ran.out.ends_with(", no faults\n"), "{ran:?}");
    // The old segment is removed.
    let second = place.segments("g.cqa");
    assert!(second.len() == 1 && first != second, "{first:?} {second:?}");
}

#[test]
fn every_input_of_a_search_can_be_archived() {
    let place = Place::new();
    place.write("d/p.epd", "k7/8/8/8/8/8/8/K7 w - - id \"1\";\n8/k7/8/8/8/8/8/K7 w - -\n");
    place.write("d/e.pgn", "");
    let packed = {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, GAMES.as_bytes()).expect("packed");
        packed.finish().expect("packed")
    };
    place.write("d/z.pgn.gz", packed);
    let ran = place.run("index --json -o all.cqa g.pgn d d/p.epd");
    assert!(ran.out.contains("\"games\":6,\"segments\":1"), "{ran:?}");
    let manifest = place.read("all.cqa/manifest.json");
    for part in [
        "\"name\": \"d/p.epd\",\n      \"file\": 2,\n      \"form\": \"lines\",\n      \"games\": 2",
        "\"form\": \"packed-pgn\"",
        "\"complete\": true",
    ] {
        assert!(manifest.contains(part), "{manifest}");
    }
    let ran = place.run("index --check --json all.cqa");
    assert!(ran.out.contains("\"faults\":[]"), "{ran:?}");
}

#[test]
fn what_cannot_be_archived_is_refused() {
    let check = |line: &str, status: i32, expected: &str| {
        let place = Place::new();
        place.write("letters.cqa/a.txt", "x");
        let ran = place.run(line);
        assert_eq!((ran.status, &*ran.out), (Some(status), ""), "{line}: {ran:?}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
        assert!(!place.path("g.cqa").exists(), "{line}");
    };
    check("index g.pgn g.pgn d", 2, "from several inputs: choose one and add -o games.cqa");
    check("index .", 2, "choose one, as in `cql index . -o games.cqa`");
    check("index d/..", 2, "choose one, as in `cql index d/.. -o games.cqa`");
    check("index -", 2, "not of standard input: write the games to a file first");
    check("index g.pgn -o g.idx", 2, "must end in .cqa: write -o g.cqa");
    check("index - -o g.cqa", 1, "not standard input or a pipe");
    check("index none.pgn", 1, "error: cannot read none.pgn: No such file");
    check("index g.pgn -o letters.cqa", 1, "letters.cqa: it exists and is not an archive");
    check("index g.pgn --selfcontained", 2, "unexpected argument '--selfcontained'");
    check("index g.pgn --exprt parquet", 2, "unexpected argument '--exprt'");
    check("index --check g.pgn", 1, "error: g.pgn: there is no archive");
    let place = Place::new();
    place.write("d/table.csv", "Event,Site\n1,2\n");
    let ran = place.run("index d");
    assert!(ran.err.contains("d/table.csv: "), "{ran:?}");
    assert!(
        ran.err.contains("to leave this file out, list the other files of d in place of it"),
        "{ran:?}"
    );
    place.write("empty.pgn", "");
    said(&place.run("index empty.pgn"), 0, "empty.cqa: 0 games in 0 segments\n", "");
}

#[test]
fn a_source_that_breaks_off_is_no_source() {
    let place = Place::new();
    let mut packed = zstd::encode_all(GAMES.repeat(2000).as_bytes(), 1).expect("packed");
    packed.truncate(packed.len() / 2);
    place.write("z.pgn.zst", packed);
    let ran = place.run("index z.pgn.zst");
    assert_eq!((ran.status, &*ran.out), (Some(1), ""), "{ran:?}");
    assert!(ran.err.starts_with("error: z.pgn.zst: "), "{ran:?}");
    assert!(!place.path("z.cqa/manifest.json").exists());
}

#[test]
fn damage_is_found() {
    let place = Place::new();
    place.run("index g.pgn");
    let name = format!("g.cqa/{}", place.segments("g.cqa")[0]);
    let whole = fs::read(place.path(&name)).expect("a segment");
    place.write(&name, &whole[..whole.len() / 2]);
    let ran = place.run("index --check g.cqa");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains(".arrow: it is damaged: it does not end as it should\n"), "{ran:?}");
    assert!(ran.out.ends_with(", 1 fault\n"), "{ran:?}");
    place.write(&name, whole);
    place.write("g.pgn", "[Event \"other\"]\n\n*\n");
    let ran = place.run("index --check g.cqa");
    assert!(ran.out.contains("g.pgn: the file was replaced\n"), "{ran:?}");
    place.write("g.cqa/manifest.json", "{\"format\": \"babson archive\", \"version\": 7}\n");
    let ran = place.run("index --check g.cqa");
    assert_eq!((ran.status, &*ran.out), (Some(1), ""), "{ran:?}");
    assert!(ran.err.contains("g.cqa: its format version 7 is unknown"), "{ran:?}");
}

#[test]
fn themes_are_kept() {
    let place = Place::new();
    place.write("g.pgn", fs::read(support::root().join("examples/miniatures.pgn")).expect("games"));
    let ran = place.run("index g.pgn --themes=fork,skewer --progress json");
    assert!(ran.out.ends_with(" bytes a game, 2 themes\n"), "{ran:?}");
    assert!(ran.err.contains("\"event\":\"done\""), "{ran:?}");
    let ran = place.run("index --check g.cqa --json");
    assert!(ran.out.contains("\"themes\":2,") && ran.out.contains("\"faults\":[]"), "{ran:?}");
    let ran = place.run("index g.cqa --themes");
    assert!(ran.out.contains(", 75 themes, up to date\n"), "{ran:?}");
    place.write("q.cql", "cql() theme(\"fork\")\n");
    let ran = place.run("explain q.cql g.cqa");
    let line = ran.out.lines().find(|line| line.ends_with("there is the theme fork"));
    let n_games = line.and_then(|line| line.trim_start().split(' ').next()).unwrap_or_default();
    let ran = place.run("q.cql -i g.pgn --no-index --count");
    assert!(
        ran.out.lines().any(|line| line.trim_start().starts_with(&format!("{n_games} "))),
        "{n_games}: {ran:?}"
    );
    let columns: Vec<String> = place.segments("g.cqa");
    let columns = columns.iter().find(|name| name.ends_with(".themes")).expect("themes");
    let whole = fs::read(place.path(&format!("g.cqa/{columns}"))).expect("themes");
    place.write(&format!("g.cqa/{columns}"), &whole[..whole.len() - 1]);
    let ran = place.run("index --check g.cqa");
    let fault = format!("g.cqa: it is damaged: {columns}: it does not end as it should\n");
    assert!(ran.status == Some(1) && ran.out.starts_with(&fault), "{ran:?}");
    let ran = place.run("q.cql -i g.pgn -o o.pgn");
    assert!(ran.err.contains("; searching the text instead"), "{ran:?}");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    assert_eq!(place.run("index --check g.cqa").status, Some(0));
    place.write("g.cqa/themes.json", "{}");
    let ran = place.run("index g.pgn");
    assert!(ran.status == Some(1) && ran.err.contains("remove them with --drop-themes"), "{ran:?}");
    assert_eq!(place.run("index g.pgn --drop-themes").status, Some(0));
    assert_eq!(place.segments("g.cqa").len(), 1);

    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert!(ran.status == Some(2) && ran.err.contains(expected), "{line}: {ran:?}");
    };
    check("index g.pgn --themes=forks", "there is no theme 'forks'; did you mean fork?");
    check("index g.pgn --themes=pin", "did you mean absolutepin or relativepin?");
    check("index g.pgn --themes=sofa", "there is no theme 'sofa'");
    check("index g.pgn --themes=", "there is no theme ''");
    check("index --themes fork,skewer g.pgn", "--themes=fork,skewer");
    check("index --check g.cqa --themes", "cannot be used with");
}

#[test]
fn progress_is_for_programs_too() {
    let place = Place::new();
    let ran = place.run("index g.pgn --progress json");
    assert!(ran.err.starts_with("{\"event\":\"done\",\"bytes\":"), "{ran:?}");
    assert!(ran.err.contains("\"games\":2"), "{ran:?}");
}

#[test]
fn the_games_of_archives_become_a_table() {
    let place = Place::new();
    let faulty = "[White \"A\"]\n[WhiteElo \"2000\"]\n[Date \"1999.12.31\"]\n\n1.e4 Ke3 1-0\n";
    place.write("h.pgn", faulty);
    assert_eq!(place.run("index g.pgn").status, Some(0));
    assert_eq!(place.run("index h.pgn").status, Some(0));
    let ran = place.run("index g.cqa h.cqa --export games.csv");
    said(&ran, 0, "3 games written to games.csv\n", "");
    let expected = "\
input,game,game_in_input,event,site,date,year,round,white,black,white_elo,black_elo,eco,result,fen,\
plies,moves,variations
g.pgn,1,1,a,,,,,,,,,,*,,2,e4; e5,false
g.pgn,2,2,b,,,,,,,,,,*,,1,d4,true
h.pgn,3,1,,,1999-12-31,1999,,A,,2000,,,*,,,,
";
    assert_eq!(place.read("games.csv"), expected);
    let h = place.read("h.pgn");
    place.write("h.pgn", h.clone() + "\n[White \"B\"]\n\n1.e4 *\n");
    let ran = place.run("index h.cqa --export later.csv");
    assert!(ran.err.contains("h.cqa: its games have changed; exporting the games"), "{ran:?}");
    std::fs::remove_file(place.path("h.pgn")).expect("removed");
    let ran = place.run("index h.cqa --export later.csv");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.err.contains("; exporting the games that it has"), "{ran:?}");
    place.write("h.pgn", h);
    // As in the tables of a search, tags have no backslashes before quotes.
    let quoted = r#"[Event "the \"E\""]\n[White "A \\ \"B\""]\n\n1.e4 *\n"#.replace(r"\n", "\n");
    place.write("quoted.pgn", quoted);
    assert_eq!(place.run("index quoted.pgn").status, Some(0));
    assert_eq!(place.run("index quoted.cqa --export quoted.jsonl").status, Some(0));
    let lines = place.read("quoted.jsonl");
    assert!(lines.contains(r#""event":"the \"E\"","#), "{lines}");
    assert!(lines.contains(r#""white":"A \\ \"B\"","#), "{lines}");
    // An earlier table may be replaced.
    let ran = place.run("index g.cqa --export games.csv");
    said(&ran, 0, "2 games written to games.csv\n", "");
    let ran = place.run("index g.cqa --export games.jsonl");
    said(&ran, 0, "2 games written to games.jsonl\n", "");
    let lines = place.read("games.jsonl");
    assert!(lines.contains("\"plies\":2,\"moves\":[\"e4\",\"e5\"],"), "{lines}");
    let check = |line: &str, status: i32, expected: &str| {
        let ran = place.run(line);
        assert_eq!((ran.status, &*ran.out), (Some(status), ""), "{line}: {ran:?}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
    };
    check("index g.cqa --export games.pgn", 2, "must end in one of .jsonl, .csv, .tsv, .parquet");
    check("index g.pgn --export games.csv", 1, "g.pgn: not an archive");
    check("index none.cqa --export games.csv", 1, "none.cqa: not an archive");
    check("index g.cqa --export g.pgn.csv/x.csv", 1, "cannot write g.pgn.csv/x.csv");
    check("index g.cqa --check --export x.csv", 2, "cannot be used with");
}

#[test]
fn an_archive_of_compressed_games_is_of_use_with_their_text() {
    let place = Place::new();
    let pack = |text: &str| {
        place.write("p.pgn.zst", zstd::encode_all(text.as_bytes(), 1).expect("packed"))
    };
    pack(GAMES);
    let names = "--stdout -i p.cqa -cql";
    let ran = place.run("index p.pgn.zst");
    assert!(ran.err.contains("searches read the text of "), "{ran:?}");
    let ran = place.run(&format!("{names} wtm"));
    assert!(ran.err.contains("cannot be read one by one"), "{ran:?}");
    let of_games = "--stdout -i p.pgn.zst -cql wtm";
    let ran = place.run(of_games);
    assert!(
        ran.err.contains("p.cqa: games that are compressed or in UTF-16 cannot be read one by one"),
        "{ran:?}"
    );
    let ran = place.run("index p.pgn.zst --self-contained");
    assert!(!ran.err.contains("searches read"), "{ran:?}");
    for query in ["wtm", "originalcomment_\"x\"", "mate"] {
        let by_text = place.run(&format!("--no-index --stdout -i p.pgn.zst -cql {query}"));
        for names in ["p.cqa", "p.pgn.zst"] {
            let by_archive = place.run(&format!("--stdout -i {names} -cql {query}"));
            assert!(!by_archive.err.contains("searching the text"), "{by_archive:?}");
            let found = (by_archive.status, &by_archive.out);
            assert_eq!(found, (by_text.status, &by_text.out), "{names} {query}");
        }
    }
    // The file is not read: damage that leaves its size and time goes unnoticed.
    let (file, stats) = (place.path("p.pgn.zst"), "stats p.pgn.zst --json");
    let (packed, counted) = (fs::read(&file).expect("a file"), place.run(stats).out);
    let time = fs::metadata(&file).and_then(|data| data.modified()).expect("a time");
    let sound = place.run(of_games).out;
    fs::write(&file, vec![b'x'; packed.len()]).expect("written");
    let damaged = fs::File::options().write(true).open(&file).expect("opened");
    damaged.set_modified(time).expect("set");
    assert_eq!((place.run(of_games).out, place.run(stats).out), (sound.clone(), counted.clone()));
    // If the text in the archive is damaged, that of the file is read.
    fs::write(&file, &packed).expect("written");
    let mended = fs::File::options().write(true).open(&file).expect("opened");
    mended.set_modified(time).expect("set");
    let mut texts = place.segments("p.cqa").into_iter().filter(|name| name.ends_with(".zst"));
    let text = place.path("p.cqa").join(texts.next().expect("a text"));
    let stored = fs::read(&text).expect("a text");
    fs::write(&text, stored.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>()).expect("written");
    let ran = place.run(of_games);
    assert!(ran.out == sound && ran.status == Some(0), "{ran:?}");
    assert!(ran.err.contains("p.cqa: ") && ran.err.contains("; searching the text"), "{ran:?}");
    assert_eq!(place.run(stats).out, counted);
    fs::write(&text, stored).expect("written");
    // A text that has changed is read from the file.
    pack(&format!("{GAMES}\n[Event \"new\"]\n\n1.e4 *\n"));
    for names in ["p.cqa", "p.pgn.zst"] {
        let ran = place.run(&format!("--stdout -i {names} -cql wtm"));
        assert!(ran.out.contains("[Event \"new\"]"), "{ran:?}");
        assert!(ran.err.contains("have changed; searching the text"), "{ran:?}");
    }
    let ran = place.run("-o p.pgn.zst -i p.cqa -cql wtm");
    assert_eq!(ran.status, Some(1), "{ran:?}");
}

#[test]
fn an_archive_of_other_files_is_reported() {
    let place = Place::new();
    for name in ["g.pgn", "h.pgn"] {
        place.write(name, GAMES);
    }
    let search = |names: &str| place.run(&format!("--stdout {names} -cql wtm")).err;
    let said = "g.cqa: it is made of other files (`cql index GAMES` makes it of these); searching \
                the text instead\n";
    place.run("index g.pgn h.pgn -o g.cqa");
    assert!(search("-i g.pgn").contains(said), "{}", search("-i g.pgn"));
    for names in ["-i g.pgn -i h.pgn", "-i g.cqa", "--no-index -i g.pgn"] {
        assert!(!search(names).contains("g.cqa: "), "{names}: {}", search(names));
    }
    // One is enough for the same files.
    place.run("index h.pgn");
    assert!(!search("-i g.cqa").contains(".cqa: "), "{}", search("-i g.cqa"));
}

#[test]
fn with_its_text_an_archive_needs_no_files() {
    let place = Place::new();
    let faulty = "[Event \"c\"]\n\n1.e4 {open *\n\n[Event \"d\"]\n\n1.e4 e5 2.Ke3 {x} *\n";
    place.write("g.pgn", format!("{GAMES}\n{faulty}"));
    place.write("p.epd", "k7/8/8/8/8/8/8/K7 w - - id \"1\";\n");
    let ran = place.run("index g.pgn p.epd -o all.cqa --self-contained");
    assert!(ran.out.ends_with(" of their text\n"), "{ran:?}");
    let before = place.segments("all.cqa").len();
    assert_eq!(before, 3, "a segment and two texts");
    // If the file grows, its text in the archive grows, too.
    place.write("g.pgn", format!("{GAMES}\n{faulty}\n[Event \"e\"]\n\n1.e4 e5 *\n"));
    let ran = place.run("index g.pgn p.epd -o all.cqa");
    assert!(ran.out.ends_with(" of their text\n"), "{ran:?}");
    assert_eq!(place.segments("all.cqa").len(), before);
    let lines = [
        "--stdout -i all.cqa -cql wtm",
        "--stdout -i all.cqa -cql originalcomment_\"x\"",
        "--stdout --format jsonl -i all.cqa -cql e4",
        "tree all.cqa --csv --variations",
        "dedup all.cqa",
        "stats all.cqa",
        "--stdout -i only.cqa -cql wtm",
    ];
    // For an archive of PGN alone, the columns are searched.
    let ran = place.run("index g.pgn -o only.cqa --self-contained");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let shown = |ran: Ran| (ran.status, ran.out.replace(&*place.dir().to_string_lossy(), ""));
    let outs: Vec<_> = lines.iter().map(|line| shown(place.run(line))).collect();
    let text = place.read("g.pgn");
    for name in ["g.pgn", "p.epd"] {
        fs::remove_file(place.path(name)).expect("removed");
    }
    for (line, out) in lines.iter().zip(&outs) {
        assert_eq!(&shown(place.run(line)), out, "{line}");
    }
    let ran = place.run("--stdout -i only.cqa -cql wtm");
    assert!(!ran.err.contains("searching the text instead"), "{ran:?}");
    let ran = place.run("index --check all.cqa only.cqa");
    assert!(ran.out.ends_with(", no faults\n"), "{ran:?}");
    let ran = place.run("index all.cqa");
    assert!(ran.out.ends_with(", up to date\n"), "{ran:?}");
    // The only copy of a text is not replaced.
    place.write("other.pgn", GAMES);
    let ran = place.run("index other.pgn -o all.cqa");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("it has the only copy of the text of "), "{ran:?}");
    // Any program for Zstandard can restore the files.
    let texts = place.segments("all.cqa");
    let of_games = texts.iter().find(|name| name.starts_with("00000-") && name.ends_with(".zst"));
    let name = format!("all.cqa/{}", of_games.expect("a text"));
    let mut packed = fs::read(place.path(&name)).expect("a text");
    assert_eq!(zstd::decode_all(&packed[..]).expect("unpacked"), text.as_bytes());
    packed[20] ^= 1;
    place.write(&name, &packed);
    let ran = place.run("index --check all.cqa");
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.out.contains("the text in it is damaged"), "{ran:?}");
    let ran = place.run("--stdout -i all.cqa -cql wtm");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!((ran.out + &ran.err).contains("the text in it is damaged"));
}

/// After any damage to the only text of its games, a search reports it or finds the same as before.
#[test]
fn damage_to_the_only_text_is_said() {
    let place = Place::new();
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    fs::remove_file(place.path("g.pgn")).expect("removed");
    let search = || place.run("--stdout -i g.cqa -cql originalcomment_\"e\"_or_e4");
    let whole = search();
    assert_eq!(whole.status, Some(0), "{whole:?}");
    for name in place.segments("g.cqa") {
        let name = format!("g.cqa/{name}");
        let bytes = fs::read(place.path(&name)).expect("a file");
        let mut n_said = 0;
        let mut check = |damaged: &[u8], what: &str| {
            place.write(&name, damaged);
            let ran = search();
            match ran.status {
                Some(0) => assert!(ran.out == whole.out, "{name} {what}: {ran:?}"),
                status => {
                    n_said += 1;
                    assert_eq!(status, Some(1), "{name} {what}: {ran:?}");
                    let said = ran.out + &ran.err;
                    assert!(
                        said.contains("damaged")
                            || said.contains("cut off")
                            || said.contains("another size"),
                        "{what}: {said}"
                    );
                }
            }
        };
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 25) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            check(&damaged, &format!("byte {at}"));
        }
        for end in (0..bytes.len()).step_by(1 + bytes.len() / 5) {
            check(&bytes[..end], &format!("cut at {end}"));
        }
        let is_text = name.ends_with(".zst");
        assert!(n_said > 0 || !is_text, "{name}");
        place.write(&name, bytes);
    }
}

/// Returns games of the examples, more than are read at once.
fn many_games(n: usize) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/historic.pgn");
    (fs::read_to_string(path).expect("games") + "\n\n").repeat(n)
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
}

/// With a signal that the program handles and one that it cannot. The moments are pseudo-random and
/// cover the time of a whole update.
#[cfg(unix)]
#[test]
fn an_update_that_is_ended_and_repeated_keeps_the_text() {
    let place = Place::new();
    place.write("g.pgn", many_games(20));
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    copy(&place.path("g.cqa"), &place.path("base.cqa"));
    place.write("g.pgn", many_games(40));
    let begun = std::time::Instant::now();
    assert_eq!(place.run("index g.cqa").status, Some(0));
    let whole = begun.elapsed();
    for (n, signal) in ["KILL", "INT"].iter().cycle().take(24).enumerate() {
        copy(&place.path("base.cqa"), &place.path("g.cqa"));
        let mut child = place.line("index g.cqa");
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        // Each signal gets every twelfth of the time.
        std::thread::sleep(whole.mul_f64((n as f64 * 7.0 % 24.0) / 24.0));
        let _ =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        child.wait().expect("it ends");
        let what = format!("try {n} with {signal}");
        // Without the file, the archive answers with the old games or the new ones.
        fs::rename(place.path("g.pgn"), place.path("away.pgn")).expect("moved");
        let ran = place.run("g.cqa -cql mate -quiet -o m.pgn --force");
        assert_eq!(ran.status, Some(0), "{what}: {ran:?}");
        fs::rename(place.path("away.pgn"), place.path("g.pgn")).expect("moved");
        let ran = place.run("index g.cqa");
        assert_eq!(ran.status, Some(0), "{what}: {ran:?}");
        assert!(ran.out.starts_with("g.cqa: 1600 games in "), "{what}: {ran:?}");
        assert!(ran.out.contains(" of their text"), "{what}: {ran:?}");
        let ran = place.run("index --check g.cqa");
        assert_eq!(ran.status, Some(0), "{what}: {ran:?}");
        assert_eq!(place.segments("g.cqa").len(), 2, "{what}");
    }
}

#[test]
fn text_that_should_be_there_is_missed() {
    let place = Place::new();
    let text = || {
        let mut names = place.segments("g.cqa").into_iter();
        names.find(|name| name.ends_with(".zst")).map(|name| place.path(&format!("g.cqa/{name}")))
    };
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    fs::remove_file(text().expect("a text")).expect("removed");
    let ran = place.run("index --check g.cqa");
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.out.contains("the text of g.pgn: "), "{ran:?}");
    fs::remove_dir_all(place.path("g.cqa")).expect("removed");
    // The text is removed on request, and does not come back.
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    let ran = place.run("index g.cqa --drop-text");
    assert_eq!((ran.status, text()), (Some(0), None), "{ran:?}");
    assert_eq!(place.run("index g.cqa").status, Some(0));
    assert_eq!(text(), None);
    assert_eq!(place.run("index --check g.cqa").status, Some(0));
    // The only copy is not removed.
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    fs::remove_file(place.path("g.pgn")).expect("removed");
    let ran = place.run("index g.cqa --drop-text");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("it keeps the text of"), "{ran:?}");
    assert!(text().is_some());
}

/// If a full disk or an editor cuts a file, its archive has the only whole text.
#[test]
fn the_text_of_a_file_that_was_cut_is_kept() {
    let place = Place::new();
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    let all = || {
        let names = place.segments("g.cqa").into_iter();
        let read = |name: String| fs::read(place.path(&format!("g.cqa/{name}"))).ok();
        names.map(read).collect::<Vec<_>>()
    };
    let before = all();
    let end = GAMES.rfind("[Event").expect("a second game");
    for rest in [&GAMES[..end], &GAMES[..end + 10], ""] {
        place.write("g.pgn", rest);
        for line in ["index g.pgn", "index g.cqa", "index g.pgn --self-contained"] {
            let ran = place.run(line);
            assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
            assert!(ran.err.contains("the only complete text of"), "{ran:?}");
            assert!(all() == before, "{line}");
        }
    }
    // Removing a game is not a cut, and a text that was dropped is not missed.
    place.write("g.pgn", &GAMES[end..]);
    assert_eq!(place.run("index g.pgn").status, Some(0));
    place.write("g.pgn", "");
    assert_eq!(place.run("index g.cqa --drop-text").status, Some(0));
    assert_eq!(place.run("index g.pgn").status, Some(0));
}

/// An unpacked folder may contain links to files of the user, under each name that the program uses
/// or has used.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    let mut names = place.segments("g.cqa");
    names.extend(
        ["manifest.json", "next.json", "lock.tmp", "unfinished.tmp", "unfinished-abcdef.tmp"]
            .map(str::to_owned),
    );
    let longer = GAMES.to_owned() + "\n[Event \"c\"]\n\n1.c4 *\n";
    for name in names {
        for of_archive in [false, true] {
            let _ = fs::remove_dir_all(place.path("k.cqa"));
            place.write("g.pgn", GAMES);
            if of_archive {
                copy(&place.path("g.cqa"), &place.path("k.cqa"))
            } else {
                fs::create_dir(place.path("k.cqa")).expect("a folder")
            }
            let link = place.path(&format!("k.cqa/{name}"));
            let _ = fs::remove_file(&link);
            for times in 0..2 {
                place.write("precious.txt", "precious");
                if !link.is_symlink() && times == 0 {
                    symlink("../precious.txt", &link).expect("a link");
                }
                place.run("index g.pgn -o k.cqa --self-contained");
                assert_eq!(place.read("precious.txt"), "precious", "{name} {of_archive}");
                place.write("g.pgn", &longer);
            }
        }
    }
    // A folder that is no archive, with a link for a lock, is left alone. An archive with one is
    // refused.
    let _ = fs::remove_dir_all(place.path("k.cqa"));
    fs::create_dir(place.path("k.cqa")).expect("a folder");
    symlink("../precious.txt", place.path("k.cqa/lock.tmp")).expect("a link");
    let ran = place.run("index g.pgn -o k.cqa");
    assert!(ran.err.contains("k.cqa: it exists and is not an archive"), "{ran:?}");
    symlink("../precious.txt", place.path("g.cqa/lock.tmp")).expect("a link");
    let ran = place.run("index g.cqa");
    assert!(ran.err.contains("lock.tmp: the lock of the folder needs this name"), "{ran:?}");
    // A link to an archive may be named in its place.
    fs::remove_dir_all(place.path("k.cqa")).expect("removed");
    fs::remove_file(place.path("g.cqa/lock.tmp")).expect("removed");
    symlink("g.cqa", place.path("k.cqa")).expect("a link");
    assert_eq!(place.run("index g.pgn -o k.cqa").status, Some(0));
    assert!(place.path("k.cqa").is_symlink());
}
