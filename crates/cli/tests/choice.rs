//! Subcommands with options of a search: they count, compare and write the games that a search
//! with these options finds, in text and in archives.

mod support;

use support::{Place, Ran};

/// Two equal games and a third one with the same moves, games with ratings, and one with an issue.
const GAMES: &str = "\
[Event \"a\"]\n[White \"Adams\"]\n[Black \"Baker\"]\n[Date \"1990.1.1\"]\n[Round \"1\"]\n\
[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n[Result \"1-0\"]\n\n1.d4 Nf6 2.c4 e6 3.Nc3 1-0\n\n\
[Event \"a\"]\n[White \"Adams\"]\n[Black \"Baker\"]\n[Date \"1990.1.1\"]\n[Round \"1\"]\n\
[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n[Result \"1-0\"]\n\n1.d4 Nf6 2.c4 e6 3.Nc3 1-0\n\n\
[Event \"b\"]\n[White \"Clark\"]\n[Black \"Adams\"]\n[Date \"2001.2.3\"]\n[WhiteElo \"2400\"]\n\
[BlackElo \"2650\"]\n[Result \"0-1\"]\n\n1.c4 e6 2.d4 Nf6 3.Nf3 Bb4+ 0-1\n\n\
[Event \"c\"]\n[White \"Davis\"]\n[Black \"Evans\"]\n[Date \"2005.2.3\"]\n[Result \"1/2-1/2\"]\n\n\
1.e4 {never closed e5 *\n\n\
[Event \"d\"]\n[White \"Davis\"]\n[Black \"Evans\"]\n[Date \"2010.2.3\"]\n[Result \"1/2-1/2\"]\n\n\
1.e4 e5 2.Ke3 Nf6 1/2-1/2\n\n\
[Event \"e\"]\n[White \"Evans\"]\n[Black \"Clark\"]\n[Date \"2010.2.3\"]\n[Result \"1-0\"]\n\n\
1.f4 e5 2.g4 Qh4# 0-1\n";

/// Choices, with the numbers of the games that they make.
const CHOICES: [(&str, &[u64]); 14] = [
    ("-player Adams", &[1, 2, 3]),
    ("--White Davis", &[5]),
    ("-black=Adams", &[3]),
    ("-year 1990 2001", &[1, 2, 3]),
    ("-year 2010", &[5, 6]),
    ("-elo 2500", &[1, 2]),
    ("-elo 2400 2550", &[]),
    ("-elo 2400 2650", &[1, 2, 3]),
    ("--event e", &[6]),
    ("-result 0-1", &[3, 6]),
    ("--cql mate", &[6]),
    ("mate.cql", &[6]),
    ("mate.cql -player Adams", &[]),
    ("-player Adams --limit 2", &[1, 2]),
];

impl Place {
    /// Creates `g.pgn`, its archive `g.cqa` (of a copy, so that the text is read where it is
    /// named), and `chosen.pgn` with some of its games.
    fn new(chosen: &[u64]) -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place.write("copy.pgn", GAMES);
        place.write("mate.cql", "cql(output x.pgn) mate\n");
        assert_eq!(place.run("index copy.pgn -o g.cqa").status, Some(0));
        let games: Vec<&str> = GAMES.split("\n\n[Event").collect();
        let chosen = chosen.iter().map(|&number| match number {
            1 => games[0].to_owned(),
            number => format!("[Event{}", games[number as usize - 1]),
        });
        place.write("chosen.pgn", chosen.collect::<Vec<_>>().join("\n\n") + "\n\n");
        place
    }
}

/// Returns the output without what names the input.
fn nameless(ran: &Ran) -> String {
    let lines = ran.out.lines().filter(|line| !line.starts_with("bytes "));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    ["chosen.pgn", "copy.pgn", "g.pgn"].iter().fold(text, |text, name| text.replace(name, "GAMES"))
}

/// Checks that a subcommand prints, about the games of each choice, what it prints about a file
/// with only these games.
#[track_caller]
fn check(line: &str, inputs: &[&str]) {
    for (choice, games) in CHOICES {
        let place = Place::new(games);
        let alone = match games {
            // A file without games gets another message.
            [] => None,
            _ => Some(nameless(&place.run(&line.replace("GAMES", "chosen.pgn")))),
        };
        for input in inputs {
            let line = format!("{} {choice}", line.replace("GAMES", input));
            let ran = place.run(&line);
            match &alone {
                Some(alone) => assert_eq!(nameless(&ran), *alone, "{line}: {ran:?}"),
                None => {
                    assert!(ran.err.contains("no matches: no game is chosen"), "{line}: {ran:?}")
                }
            }
        }
    }
}

#[test]
fn trees_are_of_the_chosen_games() {
    check("tree GAMES", &["g.pgn", "g.cqa"]);
    check("tree GAMES --threads 2 d4 Nf6 c4 e6", &["g.pgn", "g.cqa"]);
}

#[test]
fn statistics_are_of_the_chosen_games() {
    check("stats GAMES", &["g.pgn", "g.cqa"]);
}

#[test]
fn duplicates_are_among_the_chosen_games() {
    let place = Place::new(&[]);
    for input in ["g.pgn", "g.cqa"] {
        let ran = place.run(&format!("dedup {input} -player Adams -o one.pgn"));
        assert!(ran.out.contains("\n3 games: 1 equal to another"), "{ran:?}");
        let written = place.read("one.pgn");
        assert_eq!(written.matches("[Event ").count(), 2, "{written}");
        assert!(!written.contains("Davis"), "{written}");
        let ran = place.run(&format!("dedup {input} -player Adams --limit 1"));
        assert!(ran.out.contains("1 game: 0 equal to another"), "{ran:?}");
    }
}

#[test]
fn positions_are_compared_in_the_chosen_games() {
    let fen = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/2N5/PP2PPPP/R1BQKBNR_b_KQkq_-_1_3";
    let place = Place::new(&[]);
    for input in ["g.pgn", "g.cqa"] {
        for (choice, games) in CHOICES {
            let ran = place.run(&format!("like {input} {choice} {fen} --format csv"));
            let mut found: Vec<u64> = Vec::new();
            for line in ran.out.lines().skip(1) {
                let column = ran
                    .out
                    .lines()
                    .next()
                    .and_then(|head| head.split(',').position(|name| name == "game"));
                let number = line.split(',').nth(column.expect("a column of games"));
                found.push(number.and_then(|n| n.parse().ok()).expect("a number"));
            }
            found.sort_unstable();
            assert_eq!(found, games, "{input} {choice}: {ran:?}");
        }
    }
}

#[test]
fn the_doctor_examines_the_chosen_games() {
    let place = Place::new(&[]);
    for input in ["g.pgn", "-"] {
        let check = |choice: &str, status: i32, parts: &[&str]| {
            let ran = place.run_on(&format!("doctor {input} {choice}"), GAMES);
            assert_eq!(ran.status, Some(status), "{choice}: {ran:?}");
            for part in parts {
                assert!(ran.out.contains(part), "{choice}: {ran:?}");
            }
        };
        // Nobody knows whether a game that cannot be read is one of them.
        check("-player Adams", 1, &["3 games, no faults"]);
        check("-gamenumber 5", 1, &["Ke3"]);
        check("mate.cql", 1, &["the Result tag says"]);
    }
    let old = "[White \"A\"]\r\r1. Ke7 *\r\r[White \"B\"]\r\r1. Kd7 Kd5 *\r";
    place.write("old.pgn", old);
    let ran = place.run("doctor old.pgn -white B");
    assert!(ran.out.contains("old.pgn:7:4: game 2") && !ran.out.contains("game 1"), "{ran:?}");
    let ran = place.run("doctor g.pgn -player Adams -o new.pgn");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("--repair writes all games"), "{ran:?}");
}

#[test]
fn tables_hold_the_chosen_games() {
    for (choice, games) in CHOICES {
        let place = Place::new(&[]);
        let ran = place.run(&format!("index --export t.csv g.cqa {choice}"));
        let is_incomplete = ran.err.contains("left out");
        assert_eq!(ran.status, Some(i32::from(is_incomplete)), "{choice}: {ran:?}");
        let table = place.read("t.csv");
        let numbers = table.lines().skip(1).map(|line| line.split(',').nth(1).expect("a number"));
        let numbers: Vec<u64> = numbers.map(|n| n.parse().expect("a number")).collect();
        assert_eq!(numbers, games, "{choice}");
    }
}

#[test]
fn the_games_of_several_archives_are_chosen_by_their_numbers_through_all() {
    let place = Place::new(&[]);
    place.write("h.pgn", "[Event \"x\"]\n[White \"Adams\"]\n\n1.e4 *\n");
    assert_eq!(place.run("index h.pgn").status, Some(0));
    let ran = place.run("index --export t.csv h.cqa g.cqa -player Adams");
    assert_eq!(ran.out, "4 games written to t.csv\n", "{ran:?}");
    let ran = place.run("index --export t.csv h.cqa g.cqa -gamenumber 2 4");
    assert_eq!(ran.out, "3 games written to t.csv\n", "{ran:?}");
    // An archive that has changed cannot be searched.
    place.write("h.pgn", "[Event \"x\"]\n\n1.d4 *\n");
    let ran = place.run("index --export t.csv h.cqa -player Adams");
    assert!(ran.err.contains("unchanged files"), "{ran:?}");
}

#[test]
fn a_choice_that_cannot_be_made_is_refused() {
    let place = Place::new(&[]);
    let check = |line: &str, status: i32, message: &str| {
        let ran = place.run(line);
        assert_eq!((ran.status, &*ran.out), (Some(status), ""), "{line}: {ran:?}");
        assert!(ran.err.contains(message), "{line}: {ran:?}");
    };
    check("stats g.pgn -year old", 2, "--year needs a whole number of at least 1, not 'old'");
    check("tree g.pgn --cql nosuch", 1, "unknown name `nosuch`");
    check("stats mate.cql", 1, "expected games, found the query mate.cql");
    check("stats mate.cql mate.cql g.pgn", 1, "there can be only one query");
    check("index g.pgn -player Adams", 2, "only with --export");
    check("tree g.pgn --limit 0", 2, "--limit");
}

#[test]
fn issues_of_the_query_are_reported() {
    let place = Place::new(&[]);
    let ran = place.run("stats g.pgn --cql writefile(\"x\"_\"y\")");
    assert_eq!((ran.status, &*ran.out), (Some(1), ""), "{ran:?}");
    assert!(ran.err.contains("the query failed on every game"), "{ran:?}");
    // A game that cannot be read cannot be chosen, and is named.
    let ran = place.run("tree g.pgn -year 2005");
    assert!(ran.err.contains("comment never closed, game skipped"), "{ran:?}");
}

#[test]
fn a_pipe_is_read_once_and_chosen_from() {
    let place = Place::new(&[]);
    let ran = place.run_on("tree - -player Adams", GAMES);
    assert!(ran.out.starts_with("3 games have the normal start"), "{ran:?}");
}
