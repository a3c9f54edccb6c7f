//! Outputs of the program as a process: content, order and refused arguments.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use support::{Place, Ran, root};
use table::OutputFormat;

const GAMES: &str = "\
[Event \"Club\"]\n[White \"Scholar\"]\n[Black \"M\u{fc}ller, \\\"X\\\"\"]\n[Date \"1990.01.02\"]\n[WhiteElo \"2000\"]\n\n\
1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
[White \"Draw\"]\n[Date \"2001.??.??\"]\n\n1.e4 e5 1/2-1/2\n\n\
[White \"Fool\"]\n[Date \"1995.??.??\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES.as_bytes());
        place.write("mate.cql", b"cql(input g.pgn) mate comment(\"end of \" ply)");
        place.write("all.cql", b"cql(input g.pgn) initial");
        place
    }
}

/// Checks the output of a command line on standard output, where nothing else is printed.
fn check(line: &str, expected: &str) {
    let place = Place::new();
    let ran = place.run(line);
    assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
    assert_eq!(ran.out, expected, "{line}");
    assert!(ran.err.contains(" games in "), "{line}: {ran:?}");
}

#[test]
fn positions_as_json_lines() {
    check(
        "--format jsonl -o - --limit 1 mate",
        "{\"input\":\"g.pgn\",\"game\":1,\"game_in_input\":1,\"offset\":0,\
         \"date\":\"1990-01-02\",\"year\":1990,\"white_elo\":2000,\"black_elo\":null,\"result\":\"1-0\",\"tags\":{\"Event\":\"Club\",\
         \"White\":\"Scholar\",\"Black\":\"Müller, \\\"X\\\"\",\"Date\":\"1990.01.02\",\
         \"WhiteElo\":\"2000\"},\"id\":7,\"ply\":7,\"move_number\":4,\"side\":\"black\",\
         \"san\":\"Qxf7#\",\"uci\":\"h5f7\",\"next_san\":null,\"next_uci\":null,\
         \"fen\":\"r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\",\
         \"comments\":[\"end of 7\"]}\n",
    );
    check(
        "--stdout --format jsonl --columns game,x,y,z,s,b --value x=ply --value y=K \
         --value z=player_white --value s=mate --value b=9_==_1 mate",
        "{\"game\":1,\"x\":7,\"y\":[\"e1\"],\"z\":\"Scholar\",\"s\":true,\"b\":null}\n\
         {\"game\":3,\"x\":4,\"y\":[\"e1\"],\"z\":\"Fool\",\"s\":true,\"b\":null}\n",
    );
}

#[test]
fn games_as_json_lines() {
    check(
        "--stdout --format jsonl --per game --value y=year -cql sort_\"n\"_ply --columns \
         game,White,positions,comments,values,sort all",
        "{\"game\":1,\"White\":\"Scholar\",\"positions\":1,\"comments\":[],\"values\":{\"y\":1990},\
         \"sort\":{\"n\":7}}\n\
         {\"game\":3,\"White\":\"Fool\",\"positions\":1,\"comments\":[],\"values\":{\"y\":1995},\
         \"sort\":{\"n\":4}}\n\
         {\"game\":2,\"White\":\"Draw\",\"positions\":1,\"comments\":[],\"values\":{\"y\":2001},\
         \"sort\":{\"n\":2}}\n",
    );
}

/// Games that are written as JSON are read back: both have the same results.
#[test]
fn games_as_json_are_the_same_games() {
    let place = Place::empty();
    let text = "[White \"A \\\"B\\\"\"]\n[Black \"M\u{fc}ller\"]\n[ECO \"C20\"]\n\n{before} 1. e4 $1 $14 \
                {[%eval 0.3] [%clk 0:10:00] good} e5 (1... c5 2. Nf3 (2. c3 {Alapin} d5) 2... d6) \
                2. Nf3 {a ) b} Nc6 1/2-1/2\n\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 3 12\"]\n\n\
                12... Kd7 13. O-O-O+ *\n\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 0-1\n";
    place.write("own.pgn", text);
    let examples = ["historic", "miniatures", "clocks", "positions", "variants"];
    let examples = examples.map(|name| root().join(format!("examples/{name}.pgn")));
    for games in examples.iter().map(PathBuf::as_path).chain([Path::new("own.pgn")]) {
        let games = games.to_str().expect("text");
        let all = ["-cql", "true", "--force", "--quiet", "-variations"];
        let written = |input: &str, output: &str| {
            let arguments = [&["-i", input, "-o", output], &all[..]].concat();
            let ran = place.cql(&arguments);
            // A result has letters such as `ü` in Latin-1, as the reference writes them.
            let is_assumed = ran.err.starts_with("back.pgn: bytes that are not UTF-8");
            assert!(ran.err.is_empty() || is_assumed, "{games}: {}", ran.err);
        };
        written(games, "all.games.jsonl");
        written("all.games.jsonl", "back.pgn");
        written(games, "all.pgn");
        // A game with variations has its white space from another writer.
        let words = |file: &str| -> Vec<String> {
            let text = place.read(file).replace(['{', '}', '(', ')'], " $0 ");
            text.split_whitespace().map(str::to_owned).collect()
        };
        assert_eq!(words("back.pgn"), words("all.pgn"), "{games}");
        written("back.pgn", "again.games.jsonl");
        let (first, again) = (place.read("all.games.jsonl"), place.read("again.games.jsonl"));
        assert_eq!(first.lines().count(), again.lines().count(), "{games}");
    }
    // An earlier result is replaced, and games are exported from an archive.
    let replaced = place.run("-o all.games.jsonl -i own.pgn -cql true");
    assert_eq!(replaced.status, Some(0), "{}", replaced.err);
    assert_eq!(place.run("index own.pgn").status, Some(0));
    let exported = place.run("index own.cqa --export archive.games.jsonl");
    assert_eq!(exported.out, "3 games written to archive.games.jsonl\n", "{}", exported.err);
    assert_eq!(place.read("archive.games.jsonl"), place.read("all.games.jsonl"));
    let chosen = place.run("index own.cqa --export few.games.jsonl -white A");
    assert_eq!(chosen.out, "1 game written to few.games.jsonl\n", "{}", chosen.err);
    let refused = place.run("-o all.games.jsonl --per position -i own.pgn -cql true");
    assert!(refused.out.contains("json-games holds games only"), "{}", refused.out);
}

#[test]
fn each_format_replaces_its_earlier_result() {
    let place = Place::new();
    for format in OutputFormat::ALL {
        let line = format!("--format {} -o out.{} mate", format.name(), format.extension());
        for _ in 0..2 {
            let ran = place.run(&line);
            assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        }
        assert!(!place.read(&format!("out.{}", format.extension())).is_empty(), "{line}");
    }
}

#[test]
fn all_comments_of_a_move_are_in_json_and_in_reports() {
    let place = Place::empty();
    place.write(
        "g.pgn",
        "[Event \"x\"]\n\n{a} {b} 1. e4 {[%clk 0:10:00]} {c} e5 ({d} {e} 1... c5) *\n",
    );
    let ran = place.run("--stdout --format json-games -i g.pgn -cql true");
    for part in [
        "\"comment\":\"a b\"",
        "\"comments\":[\"[%clk 0:10:00] c\",null]",
        "\"clocks\":[600,null]",
        "1. e4 {[%clk 0:10:00]} {c} 1... e5 ( {d} {e} 1... c5 )",
    ] {
        assert!(ran.out.contains(part), "{part}: {ran:?}");
    }
    assert_eq!(place.run("-o r.html -i g.pgn -cql true").status, Some(0));
    let page = place.read("r.html");
    for comment in ["a", "b", "c", "d", "e"] {
        let shown = format!("<span class=\"comment\">{comment}</span>");
        assert!(page.contains(&shown), "{comment}: {page}");
    }
}

#[test]
fn tables() {
    check(
        "--stdout --format csv mate",
        "input,game,game_in_input,event,site,date,year,round,white,black,white_elo,black_elo,result,\
         ply,move_number,side,san,uci,fen,comments\n\
         g.pgn,1,1,Club,,1990-01-02,1990,,Scholar,\"Müller, \"\"X\"\"\",2000,,1-0,7,4,black,Qxf7#,h5f7,\
         r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4,end of 7\n\
         g.pgn,3,3,,,,1995,,Fool,,,,0-1,4,3,white,Qh4#,d8h4,\
         rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3,end of 4\n",
    );
    check(
        "--stdout --format tsv --per game --columns game,white,WhiteElo,positions all",
        "game\twhite\tWhiteElo\tpositions\n1\tScholar\t2000\t1\n2\tDraw\t\t1\n3\tFool\t\t1\n",
    );
}

#[test]
fn columns_have_types_and_one_meaning_in_every_format() {
    let place = Place::new();
    place.write(
        "d.pgn",
        b"[Date \"2001.02.29\"]\n[WhiteElo \"2500?\"]\n[Elo \"x\"]\n\n1.e4 *\n\n\
          [Date \"2004.02.29\"]\n[WhiteElo \" 2500\"]\n[BlackElo \"0\"]\n\n1.e4 *\n",
    );
    let columns = "--columns game,game^in^input,input,date,Date,year,white^elo,black^elo,tag:Elo";
    let ran = place
        .run(&format!("--stdout --format csv --per game {columns} -cql initial -i g.pgn -i d.pgn"));
    assert_eq!(
        ran.out,
        "game,game_in_input,input,date,Date,year,white_elo,black_elo,tag:Elo\n\
         1,1,g.pgn,1990-01-02,1990.01.02,1990,2000,,\n\
         2,2,g.pgn,,2001.??.??,2001,,,\n\
         3,3,g.pgn,,1995.??.??,1995,,,\n\
         4,1,d.pgn,,2001.02.29,2001,,,x\n\
         5,2,d.pgn,2004-02-29,2004.02.29,2004,2500,,\n"
    );
    let ran = place.run(
        "--stdout --format jsonl --columns date,year,white^elo --per game -cql initial -i d.pgn",
    );
    assert_eq!(
        ran.out,
        "{\"date\":null,\"year\":2001,\"white_elo\":null}\n\
         {\"date\":\"2004-02-29\",\"year\":2004,\"white_elo\":2500}\n"
    );
}

#[test]
fn moves_and_keys_of_positions_are_columns() {
    check(
        "--stdout --format jsonl --columns moves,moves^uci,zobrist --limit 1 mate",
        "{\"moves\":[\"e4\",\"e5\",\"Bc4\",\"Nc6\",\"Qh5\",\"Nf6\",\"Qxf7#\"],\
         \"moves_uci\":[\"e2e4\",\"e7e5\",\"f1c4\",\"b8c6\",\"d1h5\",\"g8f6\",\"h5f7\"],\
         \"zobrist\":\"c3116e611017a62f\"}\n",
    );
    check(
        "--stdout --format csv --per game --columns moves -cql player_\"Draw\" all",
        "moves\ne4; e5\n",
    );
    check(
        "--stdout --format csv --count-by zobrist mate",
        "zobrist,games,positions\nc3116e611017a62f,1,1\nffb8dd4296fd8e38,1,1\n",
    );
}

#[test]
fn the_column_of_keys_has_the_keys_of_the_filter() {
    let place = Place::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let line = "--stdout --format csv --columns key,zobrist --value key=zobristkey \
                -variations -cql true";
    let mut keys = BTreeSet::new();
    for file in ["historic.pgn", "variants.pgn", "positions.pgn"] {
        place.write("e.pgn", fs::read(examples.join(file)).expect("games"));
        let ran = place.run(&format!("{line} -i e.pgn"));
        assert_eq!(ran.status, Some(0), "{file}: {}", ran.err);
        for row in ran.out.lines().skip(1) {
            let (of_filter, of_column) = row.split_once(',').expect("two columns");
            assert_eq!(of_column, of_filter, "{file}");
            keys.insert(of_column.to_owned());
        }
    }
    assert!(keys.len() > 2000, "{}", keys.len());
}

#[test]
fn a_sort_label_does_not_stand_for_another_column() {
    check(
        "--stdout --format csv --per game --limit 1 -cql sort_\"year\"_ply all",
        "input,game,game_in_input,event,site,date,year,round,white,black,white_elo,black_elo,result,\
         positions,sort_year\n\
         g.pgn,1,1,Club,,1990-01-02,1990,,Scholar,\"Müller, \"\"X\"\"\",2000,,1-0,1,7\n",
    );
}

#[test]
fn positions_line_by_line() {
    check(
        "--stdout --format fen -cql ply==1 -i g.pgn",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\
         rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1\n",
    );
    check(
        "--stdout --format epd -cql {ply==1_comment(\"a\"_ply)_result_1-0} -i g.pgn",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1; \
         id \"g.pgn game 1 ply 1\"; sm e5; c0 \"Scholar - Müller, 'X', Club 1990.01.02\"; c1 \"a1\";\n",
    );
}

#[test]
fn counts() {
    check("--count mate", "games  positions\n    2          2\n");
    check("--count -cql false mate", "games  positions\n    0          0\n");
    check("--count --format jsonl mate", "{\"games\":2,\"positions\":2}\n");
    check(
        "--count-by result -cql true -i g.pgn",
        "result   games  positions   share  white  draw  black  score      95%  exp   elo  perf  rated\n\
         0-1          1          5   33.3%     0%    0%   100%     0%    0-79%    -     -     -      0\n\
         1-0          1          8   33.3%   100%    0%     0%   100%  21-100%    -  2000     -      0\n\
         1/2-1/2      1          3   33.3%     0%  100%     0%    50%    5-95%    -     -     -      0\n\
         total        3         16  100.0%    33%   33%    33%    50%   13-87%    -  2000     -      0\n",
    );
    check(
        "--count-by year/10*10 --format csv -cql true -i g.pgn",
        "year/10*10,games,positions\n1990,2,13\n2000,1,3\n",
    );
    check(
        "--count-by side --count-by WhiteElo --format jsonl -cql true -i g.pgn",
        "{\"side\":\"black\",\"WhiteElo\":\"2000\",\"games\":1,\"positions\":4}\n\
         {\"side\":\"black\",\"WhiteElo\":null,\"games\":2,\"positions\":3}\n\
         {\"side\":\"white\",\"WhiteElo\":\"2000\",\"games\":1,\"positions\":4}\n\
         {\"side\":\"white\",\"WhiteElo\":null,\"games\":2,\"positions\":5}\n",
    );
}

/// Games of one year with known ratings and results, and one without either.
const RATED: &str = "\
[White \"Adams, M\"]\n[Black \"Short, N\"]\n[Date \"1991.1.1\"]\n[ECO \"B20\"]\n[WhiteElo \"2500\"]\n\
[BlackElo \"2400\"]\n\n1.e4 1-0\n\n\
[White \"Short, N\"]\n[Black \"Adams, M\"]\n[Date \"1992.1.1\"]\n[ECO \"B20\"]\n[WhiteElo \"2400\"]\n\
[BlackElo \"2500\"]\n\n1.e4 1/2-1/2\n\n\
[White \"Short, N\"]\n[Black \"Speelman, J\"]\n[Date \"2001.1.1\"]\n[ECO \"D00\"]\n[WhiteElo \"2400\"]\n\
[BlackElo \"2400\"]\n\n1.d4 0-1\n\n\
[White \"Nobody\"]\n[Date \"2002.1.1\"]\n[ECO \"D00\"]\n\n1.d4 *\n";

/// Checks the counts of [`RATED`] in the initial positions.
#[track_caller]
fn check_rated(line: &str, expected: &str) {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    for threads in [1, 2] {
        let ran = place.run(&format!("r.pgn -cql initial -threads {threads} {line}"));
        assert_eq!((ran.status, &*ran.out), (Some(0), expected), "{line}: {}", ran.err);
    }
}

#[test]
fn counts_have_scores() {
    check_rated(
        "--count-by ECO --scores --format csv",
        "ECO,games,positions,share,white,draws,black,score,score_low,score_high,expected_score,elo,\
         performance,rated\n\
         B20,2,2,0.5000,1,1,0,0.7500,0.1979,0.9733,0.5000,2450,,2\n\
         D00,2,2,0.5000,0,0,1,0.0000,0.0000,0.7935,0.5000,2400,,1\n",
    );
    check_rated(
        "--count-by ECO --score-of adams --format jsonl",
        "{\"ECO\":\"B20\",\"games\":2,\"positions\":2,\"share\":0.5000,\"wins\":1,\"draws\":1,\
         \"losses\":0,\"score\":0.7500,\"score_low\":0.1979,\"score_high\":0.9733,\
         \"expected_score\":0.6401,\"elo\":2500,\"performance\":null,\"rated\":2}\n\
         {\"ECO\":\"D00\",\"games\":2,\"positions\":2,\"share\":0.5000,\"wins\":0,\"draws\":0,\
         \"losses\":0,\"score\":null,\"score_low\":null,\"score_high\":null,\
         \"expected_score\":null,\"elo\":null,\"performance\":null,\"rated\":0}\n",
    );
    check_rated(
        "--count --score-of short",
        "games  positions   share  won  drawn  lost  score    95%  exp   elo  perf  rated\n    \
         4          4  100.0%   0%    33%   67%    17%  2-69%  41%  2400     -      3\n",
    );
    // Games without results have no scores.
    check_rated(
        "--count-by ECO -white Nobody",
        "ECO    games  positions\nD00        1          1\ntotal      1          1\n",
    );
}

/// The figures use the ratings of the filter `elo`, whatever tag has them, by text and by archive.
#[test]
fn figures_have_the_ratings_of_the_filter() {
    let place = Place::empty();
    let ratings = [
        "[White \"Tal, M (2700)\"]",
        "[WhiteElo \"2400?\"]",
        // Of several ratings, the first one counts.
        "[WhiteUSCF \"2200\"]\n[WhiteElo \"2900\"]\n[WhiteElo \"\"]",
    ];
    let games: String = ratings
        .iter()
        .map(|tag| format!("{tag}\n[BlackElo \"2500\"]\n[Result \"1-0\"]\n\n1.e4 1-0\n\n"))
        .collect();
    place.write("r.pgn", games);
    let figures = |line: &str| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.err);
        let last = ran.out.lines().last().unwrap_or_default().to_owned();
        let cells: Vec<&str> = last.split_whitespace().collect();
        let column = |name: &str| {
            let names = ran.out.lines().find(|names| names.contains("perf")).unwrap_or_default();
            let at = names.split_whitespace().position(|other| other == name);
            // The header of a tree names the move, too, and its last column may be empty.
            at.and_then(|at| cells.get(at)).map(|&cell| cell.to_owned())
        };
        ["exp", "elo", "rated"].map(column)
    };
    let expected = ["42%", "2433", "3"].map(|cell| Some(cell.to_owned()));
    assert_eq!(figures("r.pgn -cql initial --count --scores"), expected);
    assert_eq!(
        figures("r.pgn -cql initial --count --scores --score-of Tal")[1].as_deref(),
        Some("2700")
    );
    assert_eq!(figures("tree r.pgn"), expected);
    assert_eq!(place.run("index r.pgn").status, Some(0));
    assert_eq!(figures("r.cqa -cql initial --count --scores"), expected);
    assert_eq!(figures("tree r.cqa"), expected);
}

#[test]
fn options_without_effect_are_said() {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    let check = |line: &str, expected: &str| {
        let ran = place.run(&format!("r.pgn -cql initial {line}"));
        let said = ran.err.split_inclusive('\n').filter(|line| line.contains("no effect"));
        assert_eq!((ran.status, said.collect::<String>().as_str()), (Some(0), expected));
    };
    check(
        "-matchstring x --count",
        "-matchstring has no effect: it is about games as PGN, not as count\n",
    );
    check(
        "-pgnlinewidth 60 -excludetagpattern Site -o r.csv",
        "-pgnlinewidth has no effect: it is about games as PGN, not as csv\n\
         -excludetagpattern has no effect: it is about games as PGN, not as csv\n",
    );
    check("-matchstring x -pgnlinewidth 60 -o o.pgn", "");
    let counted = "has no effect: it is about written games, and games are only counted\n";
    check(
        "-noheader -noheader -elidecomments --count",
        &format!("-noheader {counted}-elidecomments {counted}"),
    );
    check("--count-by Result --noClobber", "--noClobber has no effect: no file is written\n");
    check("--count -quiet --limit 1 -variations", "");
    check("--count-by Site --value n=ply -nosettag", "");
    check(
        "--count --value n=ply -nosettag --maxoutputfiles 3",
        "--value has no effect: --count shows numbers alone\n\
         -nosettag has no effect: --count shows numbers alone\n\
         --maxoutputfiles has no effect: no file is written\n",
    );
    check(
        "--count -variations -mainline -threads 2 -s -m -mainline",
        "-variations has no effect: -mainline comes after it\n\
         -threads has no effect: -m comes after it\n\
         -s has no effect: -m comes after it\n",
    );
    check("-noheader --force -o o.pgn", "");
    check(
        "-parse -o o.csv --columns White -threads 2",
        "-o has no effect: -parse searches no games\n\
         --columns has no effect: -parse searches no games\n",
    );
}

#[test]
fn an_assignment_after_the_filter_that_needs_it_is_said() {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    let said = "-assign n has no effect on -cql before it: write -assign first\n";
    let ran = place.run("r.pgn -cql ply==n -assign n 3 --count");
    assert!(ran.err.contains(said), "{ran:?}");
    for line in ["-assign n 3 -cql ply==n", "-cql ply==3 -assign n 3"] {
        let ran = place.run(&format!("r.pgn {line} --count"));
        assert!(!ran.err.contains("-assign n has"), "{line}: {ran:?}");
    }
    let ran = place.run("r.pgn -assign n 3 -assign n 4 --count");
    assert!(
        ran.err.contains("-assign n is given more than once: the last one counts\n"),
        "{ran:?}"
    );
}

#[test]
fn values_that_others_replace_are_said() {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    let check = |line: &str, expected: &str| {
        let ran = place.run(&format!("{line} --count"));
        let said = ran.err.split_inclusive('\n').filter(|line| line.contains("more than once"));
        assert_eq!(said.collect::<String>(), expected, "{ran:?}");
    };
    check(
        "r.pgn -year 2001 -cql wtm -year=2002 2003 -YEAR 2004",
        "-YEAR is given more than once: the last one counts, 2004\n",
    );
    check(
        "r.pgn -g 1 2 -cql wtm --gamenumber 2",
        "--gamenumber is given more than once: the last one counts, 2\n",
    );
    check("r.pgn -year 2001 -cql wtm -year 2001 -cql check -g 1", "");
    let ran = place.run("tree r.pgn --year 2001 --year 2002");
    let said = "--year is given more than once: the last one counts, 2002\n";
    assert!(ran.err.contains(said), "{ran:?}");
}

#[test]
fn tags_that_no_game_has_are_said() {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    let check = |groups: &str, expected: &str| {
        let ran = place.run(&format!("r.pgn -cql initial {groups}"));
        let said = ran.err.split_inclusive('\n').filter(|line| line.starts_with("none of"));
        assert_eq!((ran.status, said.collect::<String>().as_str()), (Some(0), expected));
    };
    let opening = "none of the games has the tag 'Opening'; the word of the language is written \
                   'opening'\n";
    let round = "none of the games has the tag 'Annotator'\n";
    check("--count-by Opening", opening);
    check("--count-by year --by Opening --format csv", opening);
    check("--count-by Opening --count-by Annotator --top 1", &format!("{opening}{round}"));
    check("--count-by WhiteElo --count-by ECO", "");
    check("--count-by Opening -white Nosuchplayer", "");
}

#[test]
fn two_queries_are_compared() {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    place.write("b.cql", "cql(input nosuch.pgn) player \"Speelman\"");
    let check = |line: &str, expected: &str| {
        for file in ["r.pgn", "r.cqa"] {
            let ran = place.run(&format!("stats {file} {line}"));
            assert_eq!((ran.status, &*ran.out), (Some(0), expected), "{file} {line}: {}", ran.err);
        }
    };
    assert_eq!(place.run("index r.pgn").status, Some(0));
    check(
        "--compare player_\"Adams\" b.cql --matched",
        "     games white  draw black  score      95%   exp   elo  perf rated\n\
         A        2   50%   50%    0%    75%   20-97%   50%  2450     -     2  player \"Adams\"\n\
         B        1    0%    0%  100%     0%    0-79%   50%  2400     -     1  b.cql\n\
         \n\
         A - B: +75.0% (95%: -21.7% to +97.3%)\n\
         no games of A and B are alike\n",
    );
    check(
        "--compare player_\"Short\" eco==\"D00\" --score-of short --year 1991 2001",
        "     games   won drawn  lost  score      95%   exp   elo  perf rated\n\
         A        3    0%   33%   67%    17%    2-69%   41%  2400     -     3  player \"Short\"\n\
         B        1    0%    0%  100%     0%    0-79%   50%  2400     -     1  eco==\"D00\"\n\
         \n\
         A - B: +16.7% (95%: -64.1% to +69.0%)\n\
         1 game is in both: the interval assumes different games\n",
    );
    // Games with equal ratings, whose first matching positions have like move numbers.
    let game = |mv: &str, result: &str| {
        format!("[WhiteElo \"2400\"]\n[BlackElo \"2400\"]\n\n1.{mv} {result}\n\n")
    };
    let games = [("e4", "1-0"), ("e4", "0-1"), ("d4", "1/2-1/2"), ("d4", "0-1")];
    place.write("m.pgn", games.map(|(mv, result)| game(mv, result)).concat());
    let ran = place.run("stats m.pgn --compare Pe4 Pd4 --matched --json");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["difference"], 0.25, "{report}");
    let matched = &report["matched"];
    assert_eq!(matched["difference"], 0.25, "{report}");
    assert_eq!(matched["games"], serde_json::json!([2, 2]), "{report}");
    let ran = place.run("stats m.pgn --compare Pe4 nosuch");
    assert_eq!((ran.status, &*ran.out), (Some(1), ""), "{ran:?}");
}

#[test]
fn groups_come_in_the_order_of_a_column() {
    let groups = |line: &str| {
        let place = Place::empty();
        place.write("r.pgn", RATED);
        let ran = place.run(&format!("r.pgn -cql initial --format csv --count-by year {line}"));
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        let first = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
        ran.out.lines().skip(1).map(first).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(groups(""), "1991 1992 2001 2002");
    assert_eq!(groups("--top 2"), "1991 1992");
    assert_eq!(groups("--order score"), "1991 1992 2001 2002");
    assert_eq!(groups("--order draws --top 1"), "1992");
    assert_eq!(groups("--order black"), "2001 1991 1992 2002");
    assert_eq!(groups("--order year"), "1991 1992 2001 2002");
    assert_eq!(groups("--order expected^score"), "1991 2001 1992 2002");
}

#[test]
fn the_values_of_a_column_become_columns() {
    check_rated(
        "--count-by letter=eco[0:1] --by decade=year/10*10 --format csv",
        "letter,1990,2000,all\nB,2,0,2\nD,0,2,2\n",
    );
    check_rated(
        "--count-by letter=eco[0:1] --by decade=year/10*10 --cell score",
        "letter  1990  2000  all\nB        75%     -  75%\nD          -    0%   0%\ntotal    75%    0%  50%\n",
    );
    check_rated(
        "--count-by result --by White --top 1 --format jsonl",
        "{\"result\":\"*\",\"Adams, M\":0,\"Nobody\":1,\"Short, N\":0,\"all\":1}\n",
    );
    // A game counts once in the row of its players, though in two columns.
    let place = Place::empty();
    place.write("r.pgn", RATED);
    let ran = place.run("r.pgn -cql true --count-by White --by ply --format csv --top 1");
    assert_eq!(ran.out, "White,0,1,all\n\"Short, N\",2,2,2\n", "{ran:?}");
    // Names of other columns are quoted where they are values.
    let game = |white: &str| format!("[Event \"e\"]\n[White \"{white}\"]\n\n1. e4 *\n\n");
    place.write("names.pgn", ["all", "result", "(none)", "x"].map(game).concat());
    let ran = place.run("names.pgn -cql initial --count-by result --by White --format jsonl");
    let expected = "{\"result\":\"*\",\"\\\"(none)\\\"\":1,\"\\\"all\\\"\":1,\
                    \"\\\"result\\\"\":1,\"x\":1,\"all\":4}\n";
    assert_eq!(ran.out, expected, "{ran:?}");
}

#[test]
fn forms_of_counts_that_cannot_be_are_refused() {
    let place = Place::empty();
    place.write("r.pgn", RATED);
    let check = |line: &str, message: &str| {
        let ran = place.run(&format!("r.pgn -cql initial {line}"));
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.out.contains(message) || ran.err.contains(message), "{line}: {ran:?}");
    };
    check("--scores", "--scores and --score-of are for --count and --count-by");
    check("--count --top 3", "--count-by");
    for line in ["r.pgn -cql initial --count", "stats r.pgn --compare wtm btm", "tree r.pgn"] {
        let line: Vec<&str> = line.split(' ').chain(["--score-of", " "]).collect();
        let ran = place.cql(&line);
        assert_ne!(ran.status, Some(0), "{line:?}: {ran:?}");
        let all = format!("{}{}", ran.out, ran.err);
        assert!(all.contains("the name of a player is missing"), "{line:?}: {ran:?}");
    }
    check("--count-by year --cell score", "--by");
    check("--count-by year --order nosuch", "counts have no column 'nosuch'; use year, games");
    check(
        "--count-by year --by result --cell x",
        "counts have no column 'x'; use games, positions",
    );
    check("--count-by year --by ply+", "--by:1:");
}

#[test]
fn variables_of_the_query_are_known_to_expressions() {
    check(
        "--stdout --format csv --columns x -cql {x=ply_mate} --value x=x_*_10 -i g.pgn",
        "x\n70\n40\n",
    );
}

#[test]
fn sorted_games_are_sorted_rows() {
    let sorted = |options: &str, expected: &str| {
        check(
            &format!(
                "--stdout --format csv --columns White {options} -cql sort_\"n\"_ply -i g.pgn \
                      --per game"
            ),
            expected,
        );
    };
    sorted("", "White\nScholar\nFool\nDraw\n");
    sorted("--limit 1", "White\nScholar\n");
    sorted("--limit 2", "White\nScholar\nFool\n");
    sorted("--sample 9", "White\nScholar\nFool\nDraw\n");
}

#[test]
fn a_limit_ends_the_run() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(20_000).as_bytes());
    for threads in ["-threads 1", "-threads 3"] {
        let ran = place
            .run(&format!("{threads} -nooutputstatus --limit 5 -o o.pgn -i many.pgn -cql mate"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.out.contains("\n5 matches of 7 games in "), "{ran:?}");
        assert_eq!(place.read("o.pgn").matches("[White ").count(), 5);
    }
}

#[test]
fn samples_depend_on_the_seed_alone() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(3000).as_bytes());
    let run = |options: &str| {
        let ran = place.run(&format!(
            "--stdout --format csv --per game --columns game --sample 10 {options} -cql mate -i many.pgn"
        ));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.err.contains("6000 matches of 9000 games"), "{ran:?}");
        assert!(ran.err.contains("(10 written)"), "{ran:?}");
        assert_eq!(ran.out.lines().count(), 11, "{ran:?}");
        ran.out
    };
    let one = run("-threads 1");
    let numbers: Vec<u32> = one.lines().skip(1).map(|n| n.parse().expect("a number")).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    assert_eq!(one, run("-threads 4"));
    assert_ne!(one, run("--seed 7"));
}

#[test]
fn other_games_than_those_that_match() {
    check(
        "--stdout --exclude --format jsonl --columns game,positions,comments mate",
        "{\"game\":2,\"positions\":0,\"comments\":[]}\n",
    );
    let place = Place::new();
    place.write("f.pgn", b"[White \"a\"]\n\n1.e4 *\n\n[White \"b\"]\n\n1.c4 {never\n");
    let ran = place.run("--exclude -o o.pgn -i f.pgn -cql ply==1_sort_ply_settag(\"X\"_\"y\")");
    assert!(ran.out.contains("0 matches of 2 games"), "{ran:?}");
    let ran = place.run("--exclude -o o.pgn -i f.pgn -cql ply==9");
    assert!(ran.out.contains("1 matches of 2 games"), "{ran:?}");
    assert!(!place.read("o.pgn").contains("never"));
    // A position that the query saved no longer exists when the game is written.
    let kept = "{imagine_remove_Q_:_{kept=saveposition}_false}";
    let ran = place.run(&format!(
        "--exclude --stdout --format csv --columns game,v --value v=kept:#K -i g.pgn -cql {kept}"
    ));
    assert!(ran.out.starts_with("game,v\n1,\n"), "{ran:?}");
    assert!(!ran.err.contains("defect"), "{ran:?}");
    // If the number of matches is wrong, the changes of the query to the game are dropped.
    let query = "{mate_settag(\"X\"_\"y\")_comment(\"z\")_sort_ply}";
    let ran = place.run(&format!("--exclude -matchcount 2 -o o.pgn -i g.pgn -cql {query}"));
    assert!(ran.out.contains("3 matches of 3 games"), "{ran:?}");
    let written = place.read("o.pgn");
    assert!(written.contains("4.Qxf7# 1-0") && !written.contains("\"y\""), "{written}");
}

#[test]
fn results_do_not_depend_on_threads() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(5000).as_bytes());
    for options in ["--format jsonl", "--format csv --value p=power_A", "--count-by ply"] {
        let run = |threads: u32| {
            let ran =
                place.run(&format!("--stdout {options} -threads {threads} -i many.pgn -cql check"));
            assert_eq!(ran.status, Some(0), "{ran:?}");
            ran.out
        };
        let alone = run(1);
        assert!(alone.lines().count() > 3, "{alone}");
        assert_eq!(alone, run(4), "{options}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_windows_1252() {
    let place = Place::new();
    place.write("l.pgn", b"[White \"M\xfcller\"]\n[Black \"\x84D\xe9j\xc3\xa0\x94\"]\n\n1.e4 *\n");
    let ran = place.run("--stdout --format csv --columns White,Black -i l.pgn -cql initial");
    assert_eq!(ran.out, "White,Black\nMüller,„Déjà”\n");
    // Repaired games and statistics have the same names.
    place.run("doctor l.pgn --repair r.pgn");
    let repaired = fs::read_to_string(place.path("r.pgn")).expect("UTF-8");
    assert!(repaired.contains("\"„Déjà”\""), "{repaired}");
    let stats = place.run("stats l.pgn");
    assert!(stats.out.contains("„Déjà”"), "{stats:?}");
    // PGN is written as the reference writes it.
    place.run("-o o.pgn -i l.pgn -cql initial");
    let bytes = fs::read(place.path("o.pgn")).expect("a result");
    assert!(bytes.windows(6).any(|w| w == b"M\xfcller"), "{bytes:?}");
}

#[test]
fn the_extension_tells_the_format() {
    let place = Place::new();
    let run = |options: &str, file: &str, start: &str| {
        let ran = place.run(&format!("{options} mate"));
        assert_eq!(ran.status, Some(0), "{options}: {ran:?}");
        assert!(ran.out.contains(&format!(" to {file}\n")), "{options}: {ran:?}");
        let written = fs::read(place.path(file)).expect("a result");
        assert!(written.starts_with(start.as_bytes()), "{options}: {written:?}");
    };
    run("-o a.jsonl", "a.jsonl", "{\"input\"");
    run("-o a.csv", "a.csv", "input,game");
    run("-o a.tsv", "a.tsv", "input\tgame");
    run("-o a.epd", "a.epd", "r1bq");
    run("-o a.fen", "a.fen", "r1bq");
    run("-o a.parquet", "a.parquet", "PAR1");
    run("-o a.pgn --format csv", "a.pgn", "input,game");
    run("--format csv", "mate-out.csv", "input,game");
    run("-o a.txt --format count", "a.txt", "games  positions\n");
    run("-o a.csv --count", "a.csv", "games,positions\n");
    place.write("h.cql", b"cql(input g.pgn output h.pgn) mate");
    let ran = place.run("--format fen h");
    assert!(ran.out.contains(" to h.fen\n"), "{ran:?}");
}

#[test]
fn a_table_in_parquet_says_what_it_holds() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(200).as_bytes());
    let ran = place.run(
        "-o o.parquet -i many.pgn -cql sort_\"n\"_ply --value even=ply_==_2 --value last=mate",
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let table = fs::read(place.path("o.parquet")).expect("a result");
    let rest = table.strip_prefix(b"PAR1").expect("the first bytes");
    let rest = rest.strip_suffix(b"PAR1").expect("the last bytes");
    let (rest, length) = rest.split_last_chunk().expect("a length");
    let length = u32::from_le_bytes(*length) as usize;
    let footer = &rest[rest.len() - length..];
    let footer = String::from_utf8_lossy(footer);
    for name in ["rows", "ply", "n", "even", "last", "Babson cql "] {
        assert!(footer.contains(name), "{name}: {footer}");
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let check = |line: &str, what: &str| {
        let place = Place::new();
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!((ran.out + &ran.err).contains(what), "{line}");
        let n_files = fs::read_dir(place.dir()).expect("a directory").count();
        assert_eq!(n_files, 3, "{line}: a file was left");
    };
    check("-o a.xml mate", "-o needs a file name that ends in .pgn");
    for line in ["--count-by year -o c.json mate", "--count -o c.txt mate"] {
        check(line, "-o needs a file name that ends in .jsonl, .csv, .tsv, not");
    }
    check("-o by-{White}.csv mate", "only .pgn files can be named by tags");
    check("-o a.csv --columns game,White,game mate", "the column 'game' is named twice");
    check("--format xml mate", "invalid value 'xml'");
    check("--format", "--format needs a value");
    check("-o a.csv --columns nothing mate", "there is no column 'nothing'; use input, game");
    check("-o a.csv --per game --columns fen mate", "--value p=ply");
    check(
        "-o a.csv --columns Whiteelo mate",
        "there is no column 'Whiteelo'; did you mean 'WhiteElo'? For a tag of exactly this name, \
         write 'tag:Whiteelo'",
    );
    check("-o a.csv --columns Fen mate", "did you mean 'FEN'?");
    check("-o a.csv --columns Ply mate", "did you mean 'ply'?");
    check("--count-by Opning mate", "did you mean 'Opening'?");
    check("-o a.csv --value ply=1 mate", "choose another one, such as 'my_ply'");
    check("-o a.csv --value x mate", "a CQL expression");
    check("-o a.csv --value x=plie mate", "--value x:1:1");
    check("-o a.csv --value x= mate", "need an expression");
    check("--count-by ply+ mate", "--count-by:1:");
    check("--count-by ply+\"a\" mate", "---^ this is a number and a string");
    check("-o no/such.csv mate", "cannot write no/such.csv");
    check("-o g.pgn --format csv mate", "would overwrite the input");
    check("--guipgnstdout --format csv mate", "-guipgnstdout writes PGN");
    check("--stdout -o a.pgn mate", "exclude each other");
}

/// Nobody must read an error of an option as a result. Front ends of the compatible call look
/// for it on standard output.
#[test]
fn faulty_options_are_no_results() {
    let place = Place::new();
    let faulty = [
        "--format nix",
        "--limit 0",
        "-bogus",
        "--threads 0",
        "--top 3",
        "--count-by eco=eco[0]",
        "--limit 3 --sample 3",
    ];
    for options in faulty {
        for target in ["--stdout", "-o -", "-output=-"] {
            for line in [format!("{options} {target}"), format!("{target} {options}")] {
                let ran = place.run(&format!("-i g.pgn -cql mate {line}"));
                assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{line}: {ran:?}");
                assert!(ran.err.starts_with("error: "), "{line}: {ran:?}");
            }
        }
        let ran = place.run(&format!("-i g.pgn -cql mate {options} -o o.pgn"));
        assert!(ran.out.starts_with("error: ") && ran.err.is_empty(), "{options}: {ran:?}");
    }
    let ran = place.run("-i g.pgn -cql mate --count -bogus");
    assert!(ran.out.is_empty() && ran.err.starts_with("error: "), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = Place::new();
    for format in ["pgn", "csv", "parquet", "count"] {
        let ran = place.run(&format!("--format {format} -o /dev/full mate"));
        assert_eq!(ran.status, Some(1), "{format}: {ran:?}");
        let said = ran.out + &ran.err;
        assert!(said.contains("/dev/full") && said.contains("No space left"), "{said}");
    }
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let mut command = place.line("--stdout --format csv mate");
    let ran = Ran::of(&command.stdout(full).output().expect("the program runs"));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("standard output: No space left"), "{ran:?}");
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(50_000).as_bytes());
    let mut child = place
        .line("--stdout --format jsonl -nooutputstatus -i many.pgn -cql true")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let ran = Ran::of(&child.wait_with_output().expect("the program ends"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
}

#[test]
fn progress_for_programs() {
    let place = Place::new();
    let ran = place.run("--progress json --stdout --count -i g.pgn -cql mate");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let last = ran.err.lines().find(|line| line.starts_with('{')).expect("a line");
    assert!(
        last.starts_with("{\"event\":\"done\",\"bytes\":")
            && last.contains("\"games\":3,\"matches\":2,\"faulty\":0"),
        "{last}"
    );
    let ran = place.run("--progress json -o o.pgn -i g.pgn -cql mate");
    assert!(ran.err.starts_with("{\"event\":\"done\""), "{ran:?}");
    assert!(!ran.out.contains("..."), "{ran:?}");
}

#[test]
fn a_file_for_each_value_of_a_tag() {
    let place = Place::new();
    let ran = place.run("-o by-{White}.pgn all");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out.contains("wrote 3 files"), "{ran:?}");
    assert!(place.read("by-Fool.pgn").contains("1.f3 e5"));
    assert!(!place.read("by-Fool.pgn").contains("Scholar"));
    // The files can be replaced by another run, but not with `--noclobber`.
    assert_eq!(place.run("-o by-{White}.pgn all").status, Some(0));
    let ran = place.run("-o by-{White}.pgn --noclobber all");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("--noclobber is given"), "{ran:?}");

    // Tags set by the query, directories, sorted games.
    let line =
        "-i g.pgn -o {Theme}/{Year}/m.pgn -cql settag(\"Theme\"_str(\"../\"_ply/4))_sort_ply_mate";
    let ran = place.run(line);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("--createdirectories creates it"), "{ran:?}");
    let ran = place.run(&format!("{line} --createdirectories"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.read("_1/1990/m.pgn").contains("Qxf7#"));
    assert!(place.read("_1/1995/m.pgn").contains("Qh4#"));
    assert!(!place.path("../1").exists());

    let ran = place.run("-o of-{Whte}-{White}.pgn all");
    let said = "warning: no game has the tag Whte, which names the files\n";
    assert!((ran.out + &ran.err).contains(said));

    let ran = place.run("-o {White}.pgn --maxoutputfiles 2 all");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("the output already has 2 files"), "{ran:?}");
    assert!(!place.path("Fool.pgn").exists() && !place.path("Scholar.pgn").exists());
    // A game must not be written to a file that is read.
    place.write("g2.pgn", GAMES.replace("Scholar", "g2"));
    let ran = place.run("-i g2.pgn -cql initial -o {White}.pgn");
    assert!(ran.out.contains("would overwrite the input"), "{ran:?}");
    assert_eq!(place.read("g2.pgn"), GAMES.replace("Scholar", "g2"));
}

#[test]
fn an_output_that_is_there_is_kept_if_that_is_wanted() {
    let place = Place::new();
    assert_eq!(place.run("-o o.pgn --noclobber all").status, Some(0));
    let ran = place.run("-o o.pgn --noclobber mate");
    assert_eq!(ran.status, Some(1));
    assert!(place.read("o.pgn").contains("Draw"), "{ran:?}");
    let ran = place.run("-o a/b/o.pgn --createdirectories all");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.read("a/b/o.pgn").contains("Draw"));
}

#[test]
fn parts_of_games_are_left_out() {
    let place = Place::new();
    place.write(
        "p.pgn",
        "[Event \"e\"]\n[Annotator \"x\"]\n[WhiteElo \"2000\"]\n\n1.e4 $1 {good} (1.d4) e5 *\n",
    );
    let moves = |options: &str| {
        let ran = place.run(&format!("--stdout -i p.pgn -cql ply==1 -noheader {options}"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.out
    };
    let all = moves("-elidecomments -elidenags -elidevariations -pgnlinewidth 12");
    assert!(all.ends_with("\n\n1.e4 {CQL} \n1...e5 *\n\n\n"), "{all}");
    let some = moves("-elidecomments -noelidecomments -silent");
    assert!(some.contains("1.e4 $1 {good} ( 1.d4 )"), "{some}");
    let none = moves("-excludetagpattern Ann|Elo");
    assert!(!none.contains("Annotator") && !none.contains("Elo"), "{none}");
    let one = moves("-includetagpattern Ann");
    assert!(one.contains("Annotator") && !one.contains("Elo") && one.contains("[Site"));
    let ran = place.run("-i p.pgn -cql check -excludetagpattern (");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("-excludetagpattern: malformed"), "{ran:?}");
}

/// Letters beyond ASCII are written as the reference does, which is said, or with their bytes.
#[test]
fn letters_are_kept_if_asked_for() {
    let place = Place::empty();
    place.write("g.pgn", "[Event \"Köln\"]\n\n1. e4 {Größe} e5 {ř} *\n");
    let ran = place.run("g.pgn -cql ply==1_comment(\"ä\") -o o.pgn");
    let written = std::fs::read(place.path("o.pgn")).expect("an output");
    assert!(written.windows(4).any(|bytes| bytes == b"K\xf6ln"), "{written:?}");
    assert!(place.read("o.pgn").contains("{Gr????e ?? CQL} 1...e5 {ř}"), "{}", place.read("o.pgn"));
    assert!(ran.err.contains("comments with ? in place of letters such as ö: 1"), "{}", ran.err);
    let ran = place.run("g.pgn -cql ply==1_comment(\"ä\") -o o.pgn -keepletters");
    let written = String::from_utf8(std::fs::read(place.path("o.pgn")).expect("an output"));
    let written = written.expect("UTF-8");
    assert!(written.contains("[Event \"Köln\"]"), "{written}");
    assert!(written.contains("{Größe ä CQL} 1...e5 {ř}"), "{written}");
    assert!(!ran.err.contains("in place of letters"), "{}", ran.err);
}
