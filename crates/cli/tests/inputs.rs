//! Inputs of a search: several files, directories, pipes, packed files, other formats; and the
//! reports of files that cannot be read.

mod support;

use std::fs;
use std::io::Write;

use support::Place;

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("mate.cql", "cql() mate");
        place
    }

    /// Searches for mates into `o.pgn`; the result is what was written, and what was said on
    /// standard error.
    fn check(&self, line: &str, status: i32, counts: &str) -> (String, String) {
        let ran = self.run(&format!("-o o.pgn {line}"));
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
        assert!(ran.out.contains(counts), "{line}: {ran:?}");
        (self.read("o.pgn"), ran.err)
    }

    /// Must fail without a result.
    fn check_failure(&self, line: &str, expected: &str) {
        let ran = self.run(&format!("-o o.pgn {line}"));
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.out.contains(expected), "{line}: {ran:?}");
        assert!(!self.path("o.pgn").exists(), "{line}");
    }
}

fn mate(white: &str) -> String {
    format!("[White \"{white}\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n")
}

fn draw(white: &str) -> String {
    format!("[White \"{white}\"]\n\n1.e4 e5 1/2-1/2\n\n")
}

fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_ref()).expect("packed");
    packed.finish().expect("packed")
}

#[test]
fn several_files_are_searched_as_one() {
    let place = Place::new();
    place.write("a.pgn", mate("A") + &draw("B"));
    place.write("dir/b.pgn", mate("C"));
    place.write("dir/c.pgn.gz", gzip(draw("D") + &mate("E")));
    let all = mate("A") + &draw("B") + &mate("C") + &draw("D") + &mate("E");
    place.write("all.txt", all);
    let (one, _) = place.check("mate.cql all.txt", 0, "3 matches of 5 games");
    assert!(one.contains("{Game number 5}"), "{one}");
    for line in [
        "mate.cql a.pgn dir/b.pgn dir/c.pgn.gz",
        "mate.cql a.pgn dir",
        "mate a.pgn dir/*",
        "-i a.pgn -i dir mate.cql",
        "-i a.pgn mate.cql dir/?.p*",
        "-threads 3 mate.cql a.pgn dir",
        "-s mate.cql a.pgn dir",
    ] {
        let (found, err) = place.check(line, 0, "3 matches of 5 games");
        assert_eq!((found.as_str(), err.as_str()), (one.as_str(), ""), "{line}");
    }
    let (found, _) = place.check("-g 2 4 mate.cql a.pgn dir", 0, "1 matches of 5 games");
    assert!(found.contains("[White \"C\"]") && found.contains("{Game number 3}"));
    let last = "-i a.pgn -i dir -cql gamenumber==lastgamenumber";
    let (found, _) = place.check(last, 0, "1 matches of 5 games");
    assert!(found.contains("[White \"E\"]"), "{found}");
}

#[test]
fn what_cannot_be_read_costs_nothing_else() {
    let place = Place::new();
    place.write("a.pgn", mate("A"));
    place.write("b.pgn", b"\x89PNG\r\n\x1a\n");
    place.write("c.pgn.gz", &gzip(mate("C") + &draw("x").repeat(20_000))[..500]);
    place.write("d.pgn", mate("D"));
    let line = "mate.cql none.pgn a.pgn b.pgn nothing*.pgn c.pgn.gz d.pgn";
    let (found, err) = place.check(line, 1, "3 matches of ");
    for name in ["A", "C", "D"] {
        assert!(found.contains(&format!("[White \"{name}\"]")), "{found}");
    }
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines.len(), 6, "{err}");
    assert!(lines[0].starts_with("cannot read none.pgn: No such file"), "{err}");
    assert!(lines[1].starts_with("cannot read b.pgn: it is a PNG picture"), "{err}");
    assert!(lines[2].starts_with("cannot read nothing*.pgn: no file name matches"), "{err}");
    assert!(lines[3].starts_with("c.pgn.gz: the gzip data are cut off after"), "{err}");
    assert!(lines[3].ends_with(" games before that"), "{err}");
    assert_eq!(lines[4], "files that cannot be read: 3");
    assert_eq!(lines[5], "files not read to their end: 1");

    fs::remove_file(place.path("o.pgn")).expect("removed");
    place.check_failure(&format!("-strict {line}"), "and -strict is given");
    place.check_failure("mate.cql none.pgn", "error: cannot read none.pgn: No such file");
    place.check_failure("mate.cql b.pgn none.pgn", "none of the inputs can be read");
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("dir/a.pgn", mate("A"));
    place.write("dir/locked/b.pgn", mate("B"));
    place.write("dir/z/c.pgn", mate("C"));
    let locked = place.path("dir/locked");
    let set = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode));
    set(0o000).expect("locked");
    if fs::read_dir(&locked).is_ok() {
        // For this user nothing can be locked.
        set(0o755).expect("unlocked");
        return;
    }
    let (_, err) = place.check("mate.cql dir", 1, "2 matches of 2 games");
    assert!(err.starts_with("cannot read dir/locked: Permission denied"), "{err}");
    set(0o755).expect("unlocked");
}

#[test]
fn files_without_games_are_named() {
    let place = Place::new();
    place.write("a.pgn", mate("A"));
    place.write("empty.pgn", "");
    let (found, err) = place.check("mate.cql empty.pgn", 0, "0 matches of 0 games");
    assert_eq!((found.as_str(), err.as_str()), ("", "empty.pgn: contains no games\n"));
    let (_, err) = place.check("mate.cql empty.pgn a.pgn", 0, "1 matches of 1 games");
    assert_eq!(err, "empty.pgn: contains no games\n");
    // By an archive, too.
    assert_eq!(place.run("index empty.pgn").status, Some(0));
    assert_eq!(place.run("index empty.pgn a.pgn -o both.cqa").status, Some(0));
    for (inputs, n_games) in [("empty.pgn", 0), ("both.cqa", 1)] {
        let summary = format!("{n_games} matches of {n_games} games");
        let (_, err) = place.check(&format!("mate.cql {inputs}"), 0, &summary);
        assert_eq!(err, "empty.pgn: contains no games\n", "{inputs}");
    }
    // A search that ends before it says nothing of it.
    place.write("b.pgn", mate("B"));
    place.run("index a.pgn empty.pgn b.pgn -o three.cqa");
    for inputs in ["a.pgn empty.pgn b.pgn --no-index", "three.cqa"] {
        for (limit, told) in [(1, ""), (2, "empty.pgn: contains no games\n")] {
            let line = format!("mate.cql {inputs} --limit {limit}");
            let (_, err) = place.check(&line, 0, &format!("{limit} matches of {limit} games"));
            assert_eq!(err, told, "{line}");
        }
    }
}

#[test]
fn games_within_others_are_left_out_and_told() {
    let place = Place::new();
    let game = |name: &str, end: &str| {
        format!(
            "[Event \"E\"]{end}[White \"{name}\"]{end}[Result \"*\"]{end}{end}1. e4 *{end}{end}"
        )
    };
    let mixed = game("A", "\n") + &game("B", "\r") + &game("C", "\n");
    let line = game("A", " ") + &game("B", " ") + &game("C", " ");
    for (text, n_read, n_lost) in [(mixed, 2, 1), (line, 1, 2)] {
        place.write("g.pgn", &text);
        let games = if n_lost == 1 { "a game that begins" } else { "2 games that begin" };
        let (_, err) = place.check(
            "-cql initial g.pgn --no-index",
            1,
            &format!("{n_read} matches of {n_read} games"),
        );
        assert!(err.contains(games), "{err}");
        assert_eq!(place.run("index g.pgn -o g.cqa").status, Some(0));
        let (_, of_archive) = place.check("-cql initial g.cqa", 1, &format!("{n_read} matches"));
        assert_eq!(of_archive, err);
        for command in ["tree", "dedup", "stats"] {
            for input in ["g.pgn", "g.cqa"] {
                let ran = place.run(&format!("{command} {input}"));
                assert_eq!(ran.status, Some(1), "{command} {input}: {ran:?}");
            }
        }
    }
}

/// A file that was named by mistake.
#[test]
fn a_search_of_no_readable_game_keeps_an_earlier_result() {
    let place = Place::new();
    place.write("diary.pgn", "Dear diary,\ntoday I played chess.\n");
    for output in ["o.pgn", "o.csv", "o.jsonl", "t.csv"] {
        place.write(output, "earlier");
        let line = match output {
            "t.csv" => format!("run mate.cql diary.pgn -o {output} --force"),
            _ => format!("mate.cql diary.pgn -o {output} --force"),
        };
        let ran = place.run(&line);
        let expected = "none of 1 game could be searched: nothing is written";
        let is_said = ran.out.contains(expected) || ran.err.contains(expected);
        assert!(is_said && ran.status == Some(1), "{line}: {ran:?}");
        assert_eq!(place.read(output), "earlier", "{line}");
    }
}

#[test]
fn faults_name_the_file_and_its_own_lines() {
    let place = Place::new();
    place.write("a.pgn", mate("A"));
    place.write("b.pgn", mate("B") + "[Event \"x\"]\n\n1.e4");
    let (_, err) = place.check("mate.cql a.pgn b.pgn", 0, "2 matches of 3 games");
    let expected = "b.pgn:7: game 3 (byte 53): no result before the end of the input; \
                    the game was kept\n";
    assert!(err.starts_with(expected), "{err}");
}

/// Games that are read in part, each with its report after the game number.
const CUT: [(&str, &str); 13] = [
    ("1.e4 Ke7 2.d4 d5 *", "`Ke7` is illegal in"),
    ("1.Nf3 d5 2.d4 Nf6 3.Nd2 a6 *", "`Nd2` is ambiguous in"),
    ("1.e4{x} e5 *", "no blank between `e4` and `{`; 2 moves are not read"),
    ("1.e4 e5 2.Qg4, Nc6 *", "`Qg4,` is not read; `Qg4` is; 2 moves are not read"),
    (
        "1.h4 g5 2.hxg5 h6 3.gxh6 Nf6 4.h7 Rg8 5.h7h8r *",
        "`h7h8r` is not read; `h7h8=R` is; 1 move is not read",
    ),
    ("1.e4\u{a0}e5 *", "a no-break space after `e4`; 2 moves are not read"),
    ("1e4 e5 *", "no dot between number and move in `1e4`; 2 moves are not read"),
    ("(1.e4) 1.d4 *", "no move before the variation in its line; 2 moves are not read"),
    ("1.e4 [e5] 2.d4 *", "`[` among the moves; 2 moves are not read"),
    ("1.e4 1/2 e5 *", "text after the result `1/2`; 1 move is not read"),
    ("1.e4 well e5 *", "`well` is neither a move nor an annotation; the game was kept"),
    ("1.e4 e5 2.Nf31-0", "no blank between move and result in `Nf31-0`; 1 move is not read"),
    ("1.e4 % e5 2.Nf3\n*", "`%` hides the rest of the line; 2 moves are not read"),
];

fn game(moves: &str) -> String {
    format!("[Event \"x\"]\n\n{moves}\n\n")
}

#[test]
fn moves_that_are_not_read_are_named() {
    let place = Place::new();
    for (moves, said) in CUT {
        place.write("g.pgn", draw("A") + &game(moves));
        let line = "-cql true -i g.pgn";
        let (_, err) = place.check(line, 0, "2 matches of 2 games");
        let start = "g.pgn:7: game 2 (byte ";
        let names = |line: &str| line.starts_with(start) && line.contains(&format!("): {said}"));
        assert!(err.lines().any(names), "{moves}: {err}");
        let doctor = place.run("doctor g.pgn").out;
        let found = said.split("; ").next().unwrap_or_default();
        assert!(doctor.contains(found), "{moves}: {doctor}");
        fs::remove_file(place.path("o.pgn")).expect("there");
        place.check_failure(&format!("-strict {line}"), "and -strict is given");
        let ran = place.run("run mate.cql -i g.pgn --output-dir d");
        assert_eq!(ran.status, Some(0), "{moves}: {ran:?}");
        assert_eq!(ran.err.lines().filter(|line| names(line)).count(), 1, "{moves}: {ran:?}");
        let ran = place.run("run mate.cql -i g.pgn --output-dir d --strict");
        assert_eq!(ran.status, Some(1), "{moves}: {ran:?}");
    }
}

#[test]
fn many_games_that_are_cut_are_counted() {
    let place = Place::new();
    let n = 20_000;
    let cut: String = (0..n).map(|i| game(CUT[i % CUT.len()].0)).collect();
    place.write("g.pgn", &cut);
    let mut said = Vec::new();
    for threads in ["1", "2", "3"] {
        let (_, err) = place.check(
            &format!("-threads {threads} -nooutputstatus -i g.pgn mate"),
            0,
            "of 20000 games",
        );
        assert_eq!(err.lines().count(), 12, "{err}");
        let n_words = (n / CUT.len()) as u64;
        let (all, rest) =
            (format!("{} read in part", n as u64 - n_words), "read as far as possible");
        assert!(err.ends_with(&format!("faulty games: {n_words} {rest}, {all}\n")), "{err}");
        said.push(err);
    }
    assert!(said.iter().all(|err| *err == said[0]), "{said:?}");
}

/// Text in tags that is not read is reported by whatever reads the games, whether the query needs
/// their tags or not.
#[test]
fn tags_that_are_not_read_are_reported() {
    let place = Place::new();
    let tags = |last: &str| {
        let names = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        let tags: String = names.iter().map(|name| format!("[{name} \"*\"]\n")).collect();
        format!("{tags}{last}\n\n1.e4 *\n\n")
    };
    let lost = [
        ("[ECO\"A46\"]", "a tag without a name or a value between quotes is not read"),
        ("[Time Control \"5\"]", "words in a tag outside of its name and value are not read"),
        ("[White\tElo \"5\"]", "words in a tag outside of its name and value are not read"),
        ("[White\u{b}Elo \"5\"]", "words in a tag outside of its name and value are not read"),
        ("[[White \"K\"]", "signs around the name of a tag are read as part of it"),
        ("[White: \"K\"]", "signs around the name of a tag are read as part of it"),
    ];
    for (tag, what) in lost {
        place.write("g.pgn", tags("[ECO \"A46\"]") + &tags(tag));
        let check = |line: &str| {
            let err = place.run(line).err;
            assert_eq!(err.matches(what).count(), 1, "{tag} {line}: {err}");
        };
        check("-cql true -i g.pgn");
        check("-cql false -i g.pgn");
        check("--count -i g.pgn -cql mate");
        check("--stdout --format csv -i g.pgn -cql true");
        assert!(place.run("stats g.pgn").out.contains("faulty games                       1"));
        place.run("index g.pgn");
        check("-cql true -i g.cqa");
    }
}

#[test]
fn comments_that_are_not_written_are_counted() {
    let place = Place::new();
    place.write(
        "g.pgn",
        game("1.e4 {a} {b} ; c\n1...e5 ({d} {e} 1...c5) 1-0") + &game("1.d4 {f} *"),
    );
    let several = "further comments of a move, which -allcomments writes, or comments after `;`";
    let said = |n: u32| format!("comments not written: {n} ({several})\n");
    for (options, err) in [
        ("", said(3)),
        ("-allcomments", said(1)),
        ("-elidecomments", String::new()),
        ("--format csv", String::new()),
    ] {
        let line = format!("{options} -cql true -i g.pgn");
        assert_eq!(place.check(&line, 0, "2 matches of 2 games").1, err, "{line}");
    }
    place.write("h.pgn", "[Event \"a\"]\n; b\n[White \"c\"]\n\n; d\n1.e4 1-0\n");
    assert_eq!(place.check("-cql true -i h.pgn", 0, "1 matches of 1 games").1, said(2));
    let before_summary = |query: &str| {
        let ran = place.run(&format!("run {query} -i g.pgn --output-dir d"));
        let (before, _) = ran.err.split_once("1 query of 2 games in ").expect("a summary");
        before.to_owned()
    };
    assert_eq!(before_summary("mate.cql"), "", "no game matches");
    place.write("all.cql", "cql() true");
    assert_eq!(before_summary("all.cql"), format!("all: {}", said(3)));
}

#[test]
fn a_game_that_is_left_out_shows_in_the_exit_status() {
    let place = Place::new();
    let puzzles = "PuzzleId,FEN,Moves\nx,8/8/8/8/8/8/8/K1k5 w - - 0 1,a1a2\ny,no,a1a2\n";
    for (name, games) in [
        ("comment.pgn", draw("A") + &game("1.e4 {never closed *")),
        ("text.pgn", draw("A") + "and so on"),
        ("variant.pgn", draw("A") + "[Variant \"Bughouse\"]\n\n1.e4 *\n"),
        ("puzzles.csv", puzzles.to_owned()),
    ] {
        place.write(name, games);
        let (_, err) = place.check(&format!("-cql true -i {name}"), 1, "1 matches of 2 games");
        assert!(err.contains("left out"), "{err}");
        let ran = place.run(&format!("run mate.cql -i {name} --output-dir d"));
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(place.path("d/mate.pgn").exists());
        place.write("s.md", format!("---\ngames: {name}\n---\n```cql\ntrue\n```\n"));
        for line in [&format!("bench mate.cql -i {name}"), "book s.md -o s.html --force"] {
            let ran = place.run(line);
            let is_told = ran.err.contains("left out");
            assert!(ran.status == Some(1) && is_told, "{line}: {ran:?}");
        }
    }
    // A query that its tags decide does not look at a game.
    place.check("-cql event_\"y\" -i variant.pgn", 0, "0 matches of 2 games");
}

#[test]
fn games_beyond_the_limits_are_read_or_written_in_part() {
    let place = Place::new();
    place.write("long.pgn", game(&("Nf3 Nf6 Ng1 Ng8 ".repeat(12_500) + "*")));
    let line = "-mainline -silent -cql initial -i long.pgn";
    let (_, err) = place.check(&format!("-outputbuffer 1000000 {line}"), 0, "1 matches of 1");
    let said = "long.pgn:3: game 1 (byte 199969): more than 49,990 positions; 11 moves are not read\n\
                faulty games: 1 read in part\n";
    assert_eq!(err, said);
    let (found, err) = place.check(line, 0, "1 matches of 1 games");
    assert!(found.contains(" game truncated by CQL } * \n\n"), "the end is cut");
    assert!(
        err.contains(
            "the game has more than 105000 bytes with its comments; it was written in part"
        ),
        "{err}"
    );
    assert!(err.ends_with("faulty games: 1 read in part, 1 written in part\n"), "{err}");
    fs::remove_file(place.path("o.pgn")).expect("there");
    // 32,000 moves
    place.write("less.pgn", game(&("Nf3 Nf6 Ng1 Ng8 ".repeat(8_000) + "*")));
    let strict = "a game exceeds the output buffer, and -strict is given";
    place.check_failure("-strict -cql initial -i less.pgn", strict);
    let ran = place.run("run mate.cql -i less.pgn --output-dir d --strict");
    assert_eq!(ran.status, Some(0), "nothing is written: {ran:?}");
}

#[test]
fn who_says_that_it_is_pgn_is_believed() {
    let place = Place::new();
    let games = mate("\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}");
    place.write("g.pgn", &games);
    place.check_failure("-i g.pgn mate", "neither text nor compressed");
    place.check("-input-format pgn -i g.pgn mate", 0, "1 matches of 1 games");
    place.write("p.pgn.gz", gzip(&games));
    place.check("--input-format pgn -i p.pgn.gz mate", 0, "1 matches of 1 games");
    let ran = place.run_on("-input-format pgn -i - -o o.pgn mate", games.as_bytes());
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn moves_alone_are_a_game() {
    let place = Place::new();
    place.write("m.pgn", "1. f3 e5 2. g4 Qh4#\n");
    let (found, err) = place.check("-i m.pgn mate", 0, "1 matches of 1 games");
    assert!(found.contains("2.g4 Qh4# {CQL} *"), "{found}");
    assert!(err.contains("game without tags; the game was kept"), "{err}");
    assert!(err.contains("no result before the end of the input; the game was kept"), "{err}");
}

#[test]
fn pipes_may_be_packed() {
    let place = Place::new();
    let text = mate("A") + &draw("B");
    let zstd = zstd::encode_all(text.as_bytes(), 1).expect("packed");
    for stdin in [text.as_bytes(), &gzip(&text), &zstd] {
        let ran = place.run_on("-o o.pgn mate.cql -", stdin);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{ran:?}");
        assert!(ran.out.contains("1 matches of 2 games"), "{ran:?}");
        let ran = place.run_on("-o o.pgn -i - -cql gamenumber==lastgamenumber", stdin);
        assert!(ran.out.contains("1 matches of 2 games"), "{ran:?}");
    }
    let ran = place.run_on("-o o.pgn -i - mate.cql", b"PK\x03\x04 and so on");
    assert_eq!(ran.status, Some(1));
    let message = "cannot read standard input: a zip archive cannot be read from a pipe";
    assert!(ran.out.contains(message), "{ran:?}");
}

#[test]
fn the_output_is_not_searched() {
    let place = Place::new();
    place.write("a.pgn", mate("A"));
    place.check("mate.cql .", 0, "1 matches of 1 games");
    place.check("mate.cql .", 0, "1 matches of 1 games");
    let ran = place.run("-o o.pgn mate.cql a.pgn o.pgn");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("the output would overwrite the input: o.pgn"), "{ran:?}");
}

#[test]
fn a_file_is_searched_once_whatever_its_names() {
    let place = Place::new();
    place.write("d/a.pgn", mate("A"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".", place.path("d/again")).expect("linked");
        fs::hard_link(place.path("d/a.pgn"), place.path("d/b.pgn")).expect("linked");
    }
    let said = |line: &str| place.check(line, 0, "1 matches of 1 games").1;
    assert_eq!(said("mate.cql d/**/*.pgn"), "");
    assert_eq!(said("mate.cql d d/*"), "");
    assert_eq!(
        said("mate.cql d/a.pgn d/../d/a.pgn d/a.pgn"),
        "d/../d/a.pgn is the same file as d/a.pgn; searching it once\n\
         d/a.pgn is given more than once; searching it once\n"
    );
}

#[test]
fn many_small_files() {
    let place = Place::new();
    for i in 0..3000 {
        place.write(&format!("many/{i:04}.pgn"), draw(&i.to_string()));
    }
    place.write("many/1500.pgn", mate("here"));
    let (found, err) = place.check("-threads 4 mate.cql many", 0, "1 matches of 3000 games");
    assert!(found.contains("{Game number 1501}"), "{found}");
    assert_eq!(err, "");
}

const PUZZLES: &str = "\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760,80,83,72,\
mate mateIn2 middlegame short,https://lichess.org/yyznGmXs/black#34,Italian_Game
bad,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8e1,1,1,1,1,x,y,
00sJ9,r3r1k1/p4ppp/2p2n2/1p6/3P1qb1/2NQR3/PPB2PP1/R1B3K1 w - - 5 18,e3g3 e8e1 g1h2 e1c1 a1c1 f4h6 \
h2g1 h6c1,2671,105,87,325,advantage attraction fork,https://lichess.org/gyFeQsOE#35,French_Defense
";

#[test]
fn puzzles_are_games() {
    let place = Place::new();
    place.write("puzzles", PUZZLES);
    place.write("puzzles.zst", zstd::encode_all(PUZZLES.as_bytes(), 1).expect("packed"));
    for line in ["mate.cql puzzles", "-s mate.cql puzzles.zst"] {
        let (found, err) = place.check(line, 1, "1 matches of 3 games");
        assert!(found.contains("[Event \"Lichess puzzle 00sHx\"]"), "{found}");
        assert!(found.contains("[Rating \"1760\"]"), "{found}");
        assert!(found.contains("19.Qf8# {CQL} *"), "{found}");
        let fault = ":3: game 2 (byte 267): move 1 (e8e1) is not legal";
        assert!(err.contains(fault), "{err}");
        assert!(err.ends_with("faulty games: 1 left out\n"), "{err}");
    }
    let line = "-i puzzles -cql {initial_tag_\"Themes\"~~\"fork\"}";
    let (found, _) = place.check(line, 1, "1 matches of 3 games");
    assert!(found.contains("18.Rg3 Re1+ 19.Kh2 Rxc1"), "{found}");

    fs::remove_file(place.path("o.pgn")).expect("removed");
    place.write("table.csv", "Name,Elo\nx,2800\n");
    let missing = "missing: PuzzleId, FEN, Moves";
    place.check_failure("mate.cql table.csv", missing);
    place.check_failure("--input-format puzzles mate.cql mate.cql.txt", "No such file");
    place.write("table", "Name;Elo\n");
    place.check_failure("--input-format puzzles mate.cql table", missing);
}

/// A later search reads the results in a folder that hold games, and says so; it leaves out others.
#[test]
fn earlier_results_in_a_folder_are_named() {
    let place = Place::new();
    place.write("d/g.pgn", game("1.e4 e5 1-0"));
    let search = |line: &str| place.run(&format!("d -cql true {line}"));
    let marked = "d/m.pgn: it looks like the result of an earlier search";
    assert!(!search("-o d/m.pgn").err.contains(marked));
    // The output itself is not searched.
    assert!(!search("-o d/m.pgn").err.contains(marked));
    let ran = search("-o d/t.csv");
    assert!(ran.err.contains(marked) && ran.out.contains("2 matches of 2 games"), "{ran:?}");
    let ran = place.run("d/m.pgn -cql true -o o.pgn");
    assert!(!ran.err.contains("earlier search"), "{ran:?}");
    assert_eq!(search("-o d/t.parquet --columns white").status, Some(0));
    assert_eq!(search("-o d/t.jsonl --columns white").status, Some(0));
    fs::rename(place.path("d/t.jsonl"), place.path("d/t.ndjson")).expect("renamed");
    let ran = search("-o o.pgn");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for (ending, why) in [("csv", "the first line"), ("ndjson", "it is JSON"), ("parquet", "it is")]
    {
        assert!(ran.err.contains(&format!("d/t.{ending}: left out: {why}")), "{ending}: {ran:?}");
    }
    // A table that is named, and tables without games beside them, are errors.
    assert_eq!(place.run("d/g.pgn d/t.csv -cql true -o o.pgn").status, Some(1));
    place.write("tables/t.csv", "a,b\n1,2\n");
    let ran = place.run("tables -cql true -o o.pgn");
    assert!(ran.out.contains("missing: PuzzleId, FEN, Moves"), "{ran:?}");
}

#[test]
fn positions_are_games() {
    let place = Place::new();
    place.write(
        "test.epd",
        "# two positions\n\
         r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - id \"Scholar\"; ce 0;\n\
         nonsense\n\
         8/8/8/8/8/8/8/K1k5 w - - 0 1\n",
    );
    let (found, err) = place.check("mate.cql test.epd", 1, "1 matches of 3 games");
    assert!(found.contains("[Event \"Scholar\"]"), "{found}");
    assert!(found.contains("[ce \"0\"]"), "{found}");
    assert!(err.starts_with("test.epd:3: game 2 (byte 99): not a position"), "{err}");
    place.write("one", "hello\n");
    let none = "none of 1 game could be searched: nothing is written";
    let (_, err) = place.check("--input-format epd mate.cql one", 1, none);
    assert!(err.starts_with("one:1: game 1 (byte 0): not a position"), "{err}");
    let (_, err) = place.check("--input-format pgn mate.cql test.epd", 1, none);
    assert!(err.contains("text after the last game skipped"), "{err}");
}

#[test]
fn comments_of_lichess_stay() {
    let place = Place::new();
    place.write(
        "a.pgn",
        "[Event \"x\"]\n\n1. f3 { [%eval -0.5] [%clk 0:03:00] } e5 { [%csl Ra1,Gh8][%cal Ge7e5] } \
         2. g4 Qh4# { [%clk 0:02:59] } 0-1\n",
    );
    let (found, _) = place.check("mate.cql a.pgn", 0, "1 matches of 1 games");
    for command in ["[%eval -0.5] [%clk 0:03:00]", "[%csl Ra1,Gh8][%cal Ge7e5]", "[%clk 0:02:59]"] {
        assert!(found.replace('\n', " ").contains(command), "{found}");
    }
}

/// `.ci/object-storage` tests the access to addresses, with a server.
#[test]
fn addresses_are_the_users_alone() {
    let place = Place::new();
    place.write("a.pgn", mate("A"));
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.out.contains(expected), "{line}: {ran:?}");
    };
    for name in ["s3://bucket/a.pgn", "https://a.invalid/a.pgn"] {
        place.write("input.cql", format!("cql(input \"{name}\") mate"));
        check("input.cql", "give an address on the command line");
        place.write("output.cql", format!("cql(output \"{name}\") mate"));
        check("output.cql a.pgn", "give an address on the command line");
    }
    if cfg!(feature = "object-storage") {
        return;
    }
    for line in [
        "mate.cql s3://bucket/a.pgn",
        "mate.cql gs://bucket/",
        "mate.cql a.pgn -o s3://bucket/o.pgn",
        "mate.cql az://bucket/a.cqa",
    ] {
        check(line, "built without access to object storage");
    }
}

/// Searches for all games and returns the output on standard error.
fn told(place: &Place, games: &str, status: i32, counts: &str) -> String {
    // The program would say that it replaces games.
    for name in ["o.pgn", "strict.pgn"] {
        fs::remove_file(place.path(name)).ok();
    }
    let line = format!("-i {games} -cql true -silent");
    let ran = place.run(&format!("{line} -o o.pgn"));
    assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
    assert!(ran.out.contains(counts), "{line}: {ran:?}");
    // A strict search ends at any report.
    let strict = place.run(&format!("{line} -o strict.pgn -strict"));
    let expected = Some(i32::from(!ran.err.is_empty()));
    assert_eq!(strict.status, expected, "{line} -strict: {strict:?}");
    ran.err
}

#[test]
fn a_search_says_what_it_does_not_read() {
    let place = Place::new();
    let tags = "[Event \"Test\"]\n[White \"A\"]\n[Result \"*\"]\n";
    let check = |text: &str, counts: &str, expected: &[&str]| {
        place.write("g.pgn", text);
        let err = told(&place, "g.pgn", 0, counts);
        assert_eq!(err.is_empty(), expected.is_empty(), "{text:.200}: {err}");
        for part in expected {
            assert!(err.contains(part), "{text:.200}: {err}");
        }
        let n_faulty = err.lines().filter(|line| line.starts_with("faulty games")).count();
        assert_eq!(n_faulty, usize::from(!expected.is_empty()), "{err}");
    };
    check(
        "[Event \"Test\"] [White \"A\"] 1. e4 e5 2. Nf3 Nc6 1-0\n",
        "1 matches of 1 games",
        &["g.pgn:1: game 1 (byte 0): what follows a tag in its line is not read"],
    );
    check(
        &format!("{tags}\n1. e4 {{{}}} *\n", "word ".repeat(4000)),
        "1 matches of 1 games",
        &["g.pgn:5: game 1", "1 comment is cut at 16000 bytes"],
    );
    check(
        &format!("[Site \"{}\"]\n{tags}\n1. e4 *\n", "x".repeat(300)),
        "1 matches of 1 games",
        &["g.pgn:1: game 1", "a tag of more than 252 bytes is not read"],
    );
    check(
        &format!("{tags}\n1. e4 *\n\n1... e5 2. Nf3\n\n{tags}\n1. d4 *\n"),
        "2 matches of 2 games",
        &["g.pgn:7: game 2", "text after the result of the game before"],
    );
    check(
        &format!("{tags}\n$10 1. e4 *\n"),
        "1 matches of 1 games",
        &["g.pgn:5: game 1", "1 glyph is not read"],
    );
    let odd = format!("{tags}\n1. e4 e5 0-0\n\n{tags}\n1. e4 *\n");
    check(
        &odd,
        "2 matches of 2 games",
        &["g.pgn:5: game 1", "`0-0` is not understood as a result; the result counts as *"],
    );
    assert!(!told(&place, "g.pgn", 0, "").contains("castling"));
    place.write("g.pgn", format!("{tags}\n1. e4 *{tags}\n1. d4 *{tags}\n1. c4 *\n"));
    let err = told(&place, "g.pgn", 1, "1 matches of 1 games");
    assert!(err.contains("g.pgn:5: game 1"), "{err}");
    assert!(err.contains("2 games that begin there are not read"), "{err}");
    check(
        &format!("{tags}\n1. e4 0000 2. d4 *\n"),
        "1 matches of 1 games",
        &["`0000` is not read; `--` is; 1 move is not read"],
    );
    let remarks = "[Event \"Test\"]\n% a\n[White \"A\"]\n% b\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n";
    check(remarks, "1 matches of 1 games", &[]);
    assert!(place.read("o.pgn").contains("[White \"A\"]"));
}

#[test]
fn games_that_begin_at_no_position_are_left_out() {
    let place = Place::new();
    let game = |fen: &str, tags: &str| {
        format!("[Event \"e\"]\n{tags}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n")
    };
    let fens = [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2RR w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1",
    ];
    for fen in fens {
        let sound = game("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "");
        place.write("g.pgn", game(fen, "") + &sound);
        let err = told(&place, "g.pgn", 1, "1 matches of 2 games");
        let message = "g.pgn:1: game 1 (byte 0): the FEN tag is no position: ";
        assert!(err.contains(message) && err.contains("1 left out"), "{err}");
        place.write("l.epd", format!("{fen}\n4k3/8/8/8/8/8/8/4K3 w - -\n"));
        let err = told(&place, "l.epd", 1, "1 matches of 2 games");
        assert!(err.contains("l.epd:1: game 1 (byte 0): not a position: "), "{err}");
        // The moves say that the tag is wrong, and the reference reads them so.
        let played = format!("[Event \"e\"]\n[FEN \"{fen}\"]\n\n1. e4 e5 1-0\n");
        place.write("g.pgn", played);
        let err = told(&place, "g.pgn", 0, "1 matches of 1 games");
        assert!(err.contains("read from the normal start"), "{err}");
    }
    let seirawan = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1";
    place.write("g.pgn", game(seirawan, "[Variant \"Seirawan\"]\n"));
    let ran = place.run("-i g.pgn -o o.pgn -cql true");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("1 game of variants that cql cannot play was left out: Seirawan 1"));
}

#[test]
fn every_comment_of_a_move_is_read() {
    let place = Place::new();
    place.write(
        "g.pgn",
        "[Event \"e\"]\n\n1. e4 {[%clk 1:29:44]} {[%emt 0:00:16] [%csl Ga1]} 1... e5 \
         {[%eval 0.5] [%clk 0:02:59]} {[%csl Gb1,Gc1]} {King's Pawn} *\n",
    );
    for (query, n) in [
        ("clock==5384 elapsed==16 coloredsquares==a1", 1),
        ("clock==179 eval==50 #coloredsquares==2", 1),
        ("elapsed clock==179", 0),
    ] {
        place.write("q.cql", format!("cql() {query}"));
        let ran = place.run("-i g.pgn -o o.pgn q.cql");
        assert!(ran.out.contains(&format!("{n} matches of 1")), "{query}: {ran:?}");
    }
    let last = place.run("-i g.pgn --stdout -cql initial -silent").out;
    assert!(last.contains("1.e4 {[%emt 0:00:16] [%csl Ga1]} 1...e5 {King's Pawn} *"), "{last}");
    let all = place.run("-i g.pgn --stdout -cql initial -silent -allcomments").out;
    let all = all.replace(" \n", " ");
    let expected = "1.e4 {[%clk 1:29:44]} {[%emt 0:00:16] [%csl Ga1]} 1...e5 {[%eval 0.5] \
                    [%clk 0:02:59]} {[%csl Gb1,Gc1]} {King's Pawn} *";
    assert!(all.contains(expected), "{all}");
}

#[test]
fn text_is_read_in_any_encoding() {
    let place = Place::new();
    let game = |white: &str| format!("[Event \"e\"]\n[White \"{white}\"]\n\n1. e4 e5 *\n");
    let utf16 = |text: &str, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(to).collect()
    };
    let marked = format!("\u{feff}{}", game("Müller, J"));
    place.write(
        "latin1.pgn",
        game("M?ller, J").replace('?', "\u{fc}").chars().map(|c| c as u8).collect::<Vec<u8>>(),
    );
    place.write("utf8.pgn", game("Müller, J"));
    place.write("le.pgn", utf16(&marked, u16::to_le_bytes));
    place.write("be.pgn", utf16(&marked, u16::to_be_bytes));
    place.write("plain.pgn", utf16(&game("Müller, J"), u16::to_le_bytes));
    place.write("le.pgn.gz", gzip(utf16(&marked, u16::to_le_bytes)));
    place.write("q.cql", "cql() player \"Müller\"");
    place.write("r.cql", "cql() player white ~~ \"M.*ller\" player white == \"Müller, J\"");
    let names = ["latin1.pgn", "utf8.pgn", "le.pgn", "be.pgn", "plain.pgn", "le.pgn.gz"];
    for name in names {
        for query in ["q.cql", "r.cql", "-cql true -player Müller"] {
            let ran = place.run(&format!("-i {name} -o o.pgn {query}"));
            assert!(ran.out.contains("1 matches of 1 games"), "{name} {query}: {ran:?}");
            // Only bytes that are not UTF-8 can be read in several ways.
            let assumed = "latin1.pgn: bytes that are not UTF-8 are read as Windows-1252 (Latin-1); \
                           --encoding NAME sets another encoding\n";
            let told = if name == "latin1.pgn" { assumed } else { "" };
            assert_eq!(ran.err, told, "{name} {query}");
        }
        let bytes = fs::read(place.path(name)).expect("written");
        let ran = place.run_on("-i - -o o.pgn q.cql", &bytes);
        assert!(ran.out.contains("1 matches of 1 games"), "{name}: {ran:?}");
    }
    // Text that is not converted keeps its bytes.
    place.run("-i latin1.pgn -o o.pgn q.cql");
    let out = fs::read(place.path("o.pgn")).expect("written");
    assert!(out.windows(7).any(|bytes| bytes == b"M\xfcller,"));
    place.write("koi.pgn", b"[Event \"e\"]\n[White \"\xed\xc9\xdb\xc1\"]\n\n1. e4 *\n");
    place.write("m.cql", "cql() player \"Миша\"");
    let ran = place.run("-i koi.pgn -o o.pgn -encoding KOI8-R m.cql");
    assert!(ran.out.contains("1 matches of 1 games"), "{ran:?}");
    assert!(place.read("o.pgn").contains("[White \"Миша\"]"));
    let ran = place.run("-i koi.pgn -o o.pgn -encoding klingon m.cql");
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.err.contains("unknown encoding 'klingon'") || ran.out.contains("klingon"),
        "{ran:?}"
    );
}

#[test]
fn lines_that_end_with_cr_alone_are_lines() {
    let place = Place::new();
    let games = mate("A") + &draw("B") + &mate("C");
    place.write("lf.pgn", games.replace('\n', "\r"));
    place.write("l.epd", "% old\r4k3/8/8/8/8/8/8/4K3 w - -\r4k3/8/8/8/8/8/8/4K2R w - -\r");
    place.write("bad.pgn", "[Event \"e\"]\r[White \"A\"]\r\r1. e5 *\r");
    let (out, err) = place.check("mate.cql lf.pgn", 0, "2 matches of 3 games");
    assert!(out.contains("[White \"C\"]") && err.is_empty(), "{err}");
    let piped = place.run_on("-i - -o o.pgn mate.cql", games.replace('\n', "\r"));
    assert!(piped.out.contains("2 matches of 3 games"), "{piped:?}");
    told(&place, "l.epd", 0, "2 matches of 2 games");
    let err = told(&place, "bad.pgn", 0, "1 matches of 1 games");
    assert!(err.starts_with("bad.pgn:4: game 1"), "{err}");
}

/// Each file is named once, by each command that reads games.
#[test]
fn an_encoding_that_is_assumed_is_said() {
    let place = Place::new();
    let game = b"[Event \"e\"]\n[White \"M\xfcller\"]\n\n1. e4 e5 *\n\n";
    place.write("l.pgn", game.repeat(3));
    place.write("u.pgn", String::from_utf8_lossy(game).into_owned());
    place.write("q.cql", "cql() check");
    let said = "l.pgn: bytes that are not UTF-8 are read as Windows-1252 (Latin-1); --encoding";
    for line in [
        "-i l.pgn -i u.pgn -o o.pgn q.cql",
        "run q.cql -i l.pgn -i u.pgn --output-dir out --force",
        "stats l.pgn u.pgn",
        "tree l.pgn u.pgn",
        "dedup l.pgn u.pgn",
        "bench q.cql l.pgn u.pgn --runs 2",
    ] {
        let ran = place.run(line);
        assert_eq!(ran.err.matches(said).count(), 1, "{line}: {ran:?}");
        assert!(!ran.err.contains("u.pgn: bytes"), "{line}: {ran:?}");
    }
    let ran = place.run("stats l.pgn --encoding latin1");
    assert!(!ran.err.contains("are read as"), "{ran:?}");
    // An archive knows it, also after games in UTF-8 are added.
    let found = || place.run("--stdout --quiet -i l.pgn -cql true");
    let by_text = found();
    assert_eq!(place.run("index l.pgn u.pgn -o a.cqa").status, Some(0));
    assert_eq!(place.run("--stdout -i a.cqa -cql true").err.matches(said).count(), 1);
    assert_eq!(place.run("index l.pgn").status, Some(0));
    assert_eq!((found().out, found().err), (by_text.out, by_text.err));
    place.write("l.pgn", [&game.repeat(3)[..], String::from_utf8_lossy(game).as_bytes()].concat());
    assert_eq!(place.run("index l.pgn").status, Some(0));
    assert_eq!(found().err.matches(said).count(), 1);
    place.write("l.pgn", String::from_utf8_lossy(game).into_owned());
    assert_eq!(place.run("index l.pgn").status, Some(0));
    assert!(!found().err.contains(said), "{:?}", found());
}

/// The mark of the second file makes its first tag text, as in the reference, but not in silence.
#[test]
fn marks_between_joined_files_are_named() {
    let place = Place::new();
    let game = "\u{feff}[Event \"e\"]\n[White \"a\"]\n\n1. e4 e5 *\n";
    place.write("j.pgn", game.repeat(2));
    place.write("one.pgn", game);
    let ran = place.run("--stdout -i j.pgn -cql true");
    let said = "j.pgn:5: game 2 (byte 42): a tag after a byte order mark, as between joined files, \
                is read as text";
    assert!(ran.err.contains(said), "{ran:?}");
    assert!(ran.out.contains("{???[Event \"e\"] Game number 2 CQL}"), "{ran:?}");
    let ran = place.run("doctor j.pgn --repair r.pgn");
    assert!(ran.out.contains("`[Event \"e\"]` after a byte order mark"), "{ran:?}");
    assert_eq!(place.read("r.pgn"), format!("{game}\n{}", &game[3..]));
    assert_eq!(place.run("doctor r.pgn one.pgn").status, Some(0));
}
