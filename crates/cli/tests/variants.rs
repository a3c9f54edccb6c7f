//! Games of other variants, searched by the program as a process.

mod support;

use std::fs;
use std::process::Command;

use support::Place;

fn game(variant: &str, moves: &str) -> String {
    format!("[Event \"x\"]\n[Variant \"{variant}\"]\n\n{moves} *\n\n")
}

/// Searches games for all positions. Returns the numbers of the games written, the messages and the
/// status.
fn search(games: &str, arguments: &[&str]) -> (Vec<String>, String, Option<i32>) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("g.pgn"), games).expect("written");
    fs::write(dir.path().join("q.cql"), "cql() ply==1").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .args(["-i", "g.pgn", "-o", "out.pgn", "q.cql"])
        .current_dir(dir.path())
        .output()
        .expect("the program runs");
    let written = fs::read_to_string(dir.path().join("out.pgn")).unwrap_or_default();
    let numbers = written.split("{Game number ").skip(1);
    let numbers = numbers.map(|rest| rest.split('}').next().unwrap_or_default().to_owned());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (numbers.collect(), said, output.status.code())
}

#[test]
fn games_of_other_variants_are_left_out_and_counted() {
    let games = game("Bughouse", "1.e4")
        + &game("Three-check", "1.e4")
        + &game("Xiangqi", "1.e4 d5 2.exd5 P@e4")
        + &game("King of the Hill", "1.e4")
        + &game("bughouse chess", "1.e4")
        + &game("Chess960", "1.e4")
        + &game("Standard", "1.e4");
    for threads in ["1", "2"] {
        let (numbers, said, status) = search(&games, &["-threads", threads]);
        assert_eq!(numbers, ["2", "4", "6", "7"], "{said}");
        assert_eq!(
            said,
            "3 games of variants that cql cannot play were left out: Bughouse 2, Xiangqi 1\n"
        );
        assert_eq!(status, Some(1), "not every game was searched");
    }
    // Games of other variants are no issues of the file.
    let (numbers, _, status) = search(&games, &["-strict"]);
    assert_eq!((numbers.len(), status), (4, Some(1)));
}

#[test]
fn a_variant_of_an_unknown_name_is_read_as_far_as_it_is_the_normal_game() {
    let games = game("House Rules", "1.e4 e5") + &game("Grand Chess", "1.Ce4");
    let games = games + &game("House Rules", "1.e4 e5 2.e6");
    let (numbers, said, status) = search(&games, &[]);
    assert_eq!(numbers, ["1"], "{said}");
    let left_out =
        "2 games of variants that cql cannot play were left out: Grand Chess 1, House Rules 1\n";
    let assumed = "1 game of unknown variants was read by the rules of chess: House Rules 1; \
                   -variantalias NAME=VARIANT gives a name other rules\n";
    assert_eq!(said, format!("{left_out}{assumed}"));
    assert_eq!(status, Some(1));
    // A search of such games alone has searched all of them.
    let (numbers, said, status) = search(&game("House Rules", "1.e4 e5"), &["-strict"]);
    assert_eq!((numbers.len(), &*said, status), (1, assumed, Some(0)));
}

#[test]
fn every_command_reads_a_variant_of_an_unknown_name_alike() {
    let place = Place::empty();
    let games = game("House Rules", "1.e4 e5 2.Nf3") + &game("House Rules", "1.e4 e5 2.Nf3");
    place.write("g.pgn", games + &game("House Rules", "1.Ce4"));
    let assumed = "2 games of unknown variants were read by the rules of chess; --variantalias \
                   NAME=VARIANT gives a name other rules\n";
    let ran = place.run("tree g.pgn");
    assert!(ran.out.starts_with("2 games have the normal start\n"), "{ran:?}");
    let omitted = "1 game is not counted because of other rules\n";
    assert_eq!(ran.err, format!("{assumed}{omitted}"));
    let ran = place.run("dedup g.pgn");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("3 games: "), "{ran:?}");
    assert!(ran.out.contains("1 game not compared: cql cannot play their variant\n"), "{ran:?}");
    assert!(ran.out.ends_with(assumed), "{ran:?}");
    let ran = place.run("stats g.pgn");
    assert!(ran.out.contains("moves not counted                  1  ("), "{ran:?}");
    assert_eq!(ran.status, Some(1));
    let ran = place.run("doctor g.pgn");
    assert!(ran.out.contains("3 games, 1 of them faulty"), "{ran:?}");
    let ran = place.run("example g.pgn 1.-2. --game 1");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = place.run("sheet g.pgn -cql ply==2 -o s.html");
    assert!(ran.err.contains("2 games of unknown variants were read"), "{ran:?}");
}

#[test]
fn games_of_variants_are_searched_by_their_rules() {
    let games = game("Crazyhouse", "1.e4 d5 2.exd5 Qxd5 3.P@e4")
        + &game("Atomic", "1.e4 d5 2.exd5")
        + &game("Antichess", "1.e4 d5 2.exd5 Qxd5 3.Nf3 Qxa2")
        + &game("Antichess", "1.e4 d5 2.Nf3");
    for threads in ["1", "2"] {
        let (numbers, said, status) = search(&games, &["-threads", threads]);
        assert_eq!(numbers, ["1", "2", "3", "4"], "{said}");
        assert!(said.contains("game 4 (byte "), "{said}");
        assert!(said.contains("`Nf3` is illegal in rnbqkbnr/"), "{said}");
        assert_eq!(status, Some(0));
    }
}

#[test]
fn variants_have_other_names_where_the_command_line_says_so() {
    let games = game("House rules", "1.e4 d5 2.exd5 Qxd5 3.P@e4");
    let (numbers, said, status) = search(&games, &[]);
    assert_eq!((numbers.len(), status), (0, Some(1)), "{said}");
    let (numbers, said, status) = search(&games, &["--variantalias", "house-rules=zh"]);
    assert_eq!((numbers.len(), status), (1, Some(0)), "{said}");
    assert_eq!(said, "");
    let games = game("Standard", "1.e4");
    for (alias, expected) in [("a=zh", 0), ("Atomic=zh", 1), ("a=b", 1), ("a", 1)] {
        let (_, _, status) = search(&games, &["-variantalias", alias]);
        assert_eq!(status, Some(expected), "{alias}");
    }
}

#[test]
fn archives_say_the_same_of_variants() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/variants.pgn");
    fs::copy(file, dir.path().join("g.pgn")).expect("copied");
    let cql = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_cql"))
            .args(arguments)
            .current_dir(dir.path())
            .output()
            .expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let query = "variant~~\".*\" mate or variantend comment(variant)";
    let found = || {
        cql(&["-i", "g.pgn", "-cql", query, "-o", "out.pgn", "--force"]);
        fs::read_to_string(dir.path().join("out.pgn")).expect("the result")
    };
    let from_text = found();
    assert_eq!(from_text.matches("{Game number").count(), 10, "{from_text}");
    assert!(from_text.contains("P@f7# {") && from_text.contains("King of the Hill"), "{from_text}");
    cql(&["index", "g.pgn"]);
    assert!(dir.path().join("g.cqa").exists());
    assert_eq!(found(), from_text);
}

/// Runs a subcommand on the games in `g.pgn`. Returns its output and its messages.
fn subcommand(games: &str, arguments: &[&str]) -> (String, String) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("g.pgn"), games).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .current_dir(dir.path())
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn games_are_the_same_only_by_the_same_rules() {
    let moves = "1.e4 d5 2.exd5 Qxd5 3.P@e4 Qd8 4.Nf3 e6";
    let other_drop = "1.e4 d5 2.exd5 Qxd5 3.P@e5 Qd8 4.Nf3 e6";
    let quiet = "1.e4 e5 2.Nf3 Nc6";
    let games = [
        ("zh", moves),
        ("Crazyhouse", moves),
        ("Crazyhouse", other_drop),
        ("Crazyhouse", quiet),
        ("Atomic", quiet),
        ("Standard", quiet),
        ("Atomic Chess", quiet),
        ("Bughouse", quiet),
        ("House rules", quiet),
    ];
    let games: String = (games.iter()).map(|(variant, moves)| game(variant, moves)).collect();
    for (alias, of_last) in [
        // A name that is not known is that of chess, whose rules permit the moves.
        (&[][..], "equal to game 6"),
        (&["--variantalias", "house-rules=zh"], "equal to game 4"),
    ] {
        let (out, err) = subcommand(&games, &[&["dedup", "g.pgn"], alias].concat());
        for (game, of) in [
            ("g.pgn: game 2,", "equal to game 1"),
            ("g.pgn: game 7,", "equal to game 5"),
            ("g.pgn: game 9,", of_last),
        ] {
            let is_it = |line: &str| line.starts_with(game) && line.ends_with(of);
            assert!(out.lines().any(is_it), "{out}{err}");
        }
        assert!(out.contains("9 games: 3 equal to another, 0 nearly equal\n"), "{out}{err}");
        assert!(out.contains("1 game not compared: cql cannot play their variant\n"), "{out}{err}");
    }
}

#[test]
fn subcommands_know_other_names_of_variants() {
    let games = game("My game", "1.e4 e5 2.e6") + &game("My game", "1.d4 d5");
    let alias = ["--variantalias", "my-game=chess"];
    let (out, err) = subcommand(&games, &["tree", "g.pgn"]);
    assert!(!out.contains("e4") && out.contains("d4") && err.contains("1 game is"), "{out}{err}");
    let (out, err) = subcommand(&games, &[&["tree", "g.pgn"][..], &alias].concat());
    assert!(out.contains("e4") && out.contains("d4"), "{out}{err}");
    let (out, _) = subcommand(&games, &["doctor", "g.pgn"]);
    assert!(!out.contains("e6"), "{out}");
    let (out, _) = subcommand(&games, &[&["doctor", "g.pgn"][..], &alias].concat());
    assert!(out.contains("e6"), "{out}");
    for subcommand_of_games in ["tree", "dedup", "doctor", "stats"] {
        let arguments = [subcommand_of_games, "g.pgn", "--variantalias", "Atomic=zh"];
        let (out, err) = subcommand(&games, &arguments);
        let said = out + &err;
        assert!(said.contains("'Atomic' is a name of Atomic"), "{said}");
    }
}

#[test]
fn statistics_count_the_moves_of_all_rules_that_are_known() {
    let drop = "1.e4 d5 2.exd5 Qxd5 3.P@e4 Qd8";
    let games = game("zh", drop)
        + &game("Crazy House", drop)
        + &game("House rules", drop)
        + &game("Bughouse", "1.e4 d5 2.exd5 P@e4")
        + &game("Schach", "1.e4 e5");
    let check = |arguments: &[&str], wanted: &[&str]| {
        let (out, err) = subcommand(&games, &[&["stats", "g.pgn"], arguments].concat());
        for line in wanted {
            let has_line = |text: &str| text.lines().any(|l| l.trim_start().starts_with(line));
            assert!(has_line(&out), "{line} in {out}{err}");
        }
    };
    check(
        &[],
        &[
            "positions                         17",
            "plies                             14  (main lines; 4.7 a game, 6 the longest)",
            "moves not counted                  2  (games of variants that cql cannot play)",
            "2  Crazyhouse",
            "1  House rules",
            "1  Bughouse",
        ],
    );
    check(
        &["--variantalias", "house rules=zh"],
        &[
            "positions                         24",
            "moves not counted                  1",
            "3  Crazyhouse",
        ],
    );
}

#[test]
fn the_fifth_check_wins() {
    let checks = "1.e4 e5 2.Bc4 f6 3.Qh5+ g6 4.Qxg6+ hxg6 5.Bf7+ Kxf7 6.Nf3 Ke8 7.Ng5 d6 8.Nf7 \
                  Kxf7 9.d3 Bg4 10.f3 Bh5 11.g4 Bxg4 12.fxg4 a6 13.O-O b6 14.Rxf6+";
    let games = game("5-check", checks) + &game("Three-check", checks);
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("g.pgn"), games).expect("written");
    let query = "terminal comment(variant \" \" fen)";
    let output = Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(["-i", "g.pgn", "-cql", query, "-o", "o.pgn"])
        .current_dir(dir.path())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let written = fs::read_to_string(dir.path().join("o.pgn")).expect("the result");
    let written = written.replace('\n', " ");
    assert!(written.contains("Five-Check") && written.contains("1+5"), "{written}");
    assert!(written.contains("Three-Check") && written.contains("0+3"), "{written}");
}
