//! `cql puzzles`, `cql sheet` and `cql diagram` as processes: files of all formats, themes as
//! `cql run --tag-puzzles` has them, refused arguments.
#![cfg(unix)]

mod support;

use std::fs;

use support::Place;

/// Two mates, one of them twice, and a mistake by the evaluations.
const GAMES: &str = "[Event \"a\"]\n[White \"W\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [Event \"b\"]\n[Result \"0-1\"]\n\n1. f3 e6 2. a3 e5 3. g4 Qh4# 0-1\n\n\
    [Event \"c\"]\n[Result \"0-1\"]\n\n1. g4 e5 2. f3 Qh4# 0-1\n\n\
    [Event \"d\"]\n[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.3]} \
    Qg5 {[%eval 6.5]} 3. Nxg5 {[%eval 6.4]} 1-0\n";

/// An engine that likes Nxg5 alone, and no move in other positions.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
  case $line in
    uci) echo "id name Fake 1"; echo "option name MultiPV type spin default 1 min 1 max 9"; echo uciok ;;
    isready) echo readyok ;;
    position*) fen=${line#position fen } ;;
    go*)
      if [ -f mortal ]; then exit 7; fi
      case $fen in
        */4p1q1/*) best=f3g5; other=-300 ;;
        *) best=a2a3; other=600 ;;
      esac
      echo "info depth 2 multipv 1 score cp 640 pv $best"
      echo "info depth 2 multipv 2 score cp $other pv a2a4"
      echo "bestmove $best" ;;
    quit) exit ;;
  esac
done
"#;

fn new() -> Place {
    let place = Place::empty();
    place.write("g.pgn", GAMES);
    place.write_script("fish", ENGINE);
    place
}

#[test]
fn exercises_are_written_with_their_solutions() {
    let place = new();
    let ran = place.run("puzzles g.pgn -o p.pgn");
    let said = "3 exercises written to p.pgn: 2 with a proved mate, 1 by the evaluations of the games\n\
                23 positions examined, 1 candidate refused:\n       \
                1  the position of an earlier exercise\n";
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), said, ""));
    let pgn = place.read("p.pgn");
    for part in [
        "[Event \"a\"]\n[Site \"?\"]",
        "[Task \"Black mates in 1\"]\n[Proof \"mate in 1\"]\n[Difficulty \"2 (easy)\"]\n",
        "[Source \"game 1, ply 3 of g.pgn\"]\n\n2...Qh4# *\n",
        "[Proof \"evaluation 6.50 after a mistake, 0.30 before\"]",
        "\n\n3.Nxg5 *\n",
    ] {
        assert!(pgn.contains(part), "{part} in {pgn}");
    }
    // A search reads the file, and another run replaces it.
    let found = place.run("p.pgn -cql mate -s");
    assert!(found.out.contains("2 matches of 3 games"), "{found:?}");
    assert_eq!(place.run("puzzles g.pgn -o p.pgn --from-eval --json").status, Some(0));
    assert!(place.read("p.pgn").contains("3.Nxg5") && !place.read("p.pgn").contains("Qh4"));
    let ran = place.run("puzzles g.pgn -o p.epd --limit 1");
    assert!(ran.out.starts_with("1 exercise written to p.epd"), "{ran:?}");
    let epd = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 hmvc 0; fmvn 2; bm Qh4#; \
               dm 1; pv Qh4#; id \"";
    assert!(place.read("p.epd").starts_with(epd), "{}", place.read("p.epd"));
    let ran = place.run("puzzles g.pgn -o p.epd --theme nosuch");
    assert!(ran.err.contains("there is no theme 'nosuch'"), "{ran:?}");
    let ran = place.run("puzzles g.pgn -o p.epd --theme pin");
    assert!(ran.err.contains("did you mean absolutepin or relativepin? `cql help"), "{ran:?}");
    let ran = place.run("puzzles g.pgn -o p.epd --theme Fork,hanging");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = place.run("puzzles g.pgn -o p.epd --theme mateIn1");
    assert!(ran.out.starts_with("2 exercises written to p.epd"), "{ran:?}");
    let ran = place.run("puzzles g.pgn -o p.epd --theme matein2");
    assert!(ran.out.contains("none of the wanted themes"), "{ran:?}");
    let ran = place.run("help puzzles");
    assert!(ran.out.contains("mateIn2") && ran.out.contains("skewer"), "{ran:?}");
    let ran = place.run("puzzles g.pgn -o p.epd --theme fork,skewer");
    assert!(ran.out.contains("none of the wanted themes"), "{ran:?}");
}

#[test]
fn themes_are_those_of_tagged_puzzles() {
    let place = new();
    let games = support::root().join("examples/historic.pgn");
    place.write("h.pgn", fs::read(games).expect("games"));
    let ran = place.run("puzzles h.pgn -o p.csv --limit 8");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = place.run("run --tag-puzzles t.csv --cql ply>0 themes:* p.csv");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let table = place.read("t.csv");
    let mut n_themes = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let theirs: Vec<&str> = fields[fields.len() - 1].split(' ').collect();
        let ours = fields[7].split(' ').filter(|name| !name.starts_with("mate"));
        let ours: Vec<&str> = ours.filter(|name| !name.is_empty()).collect();
        // The other names of themes are left out.
        let others = ["hanging", "decoy", "removal", "trapped", "backrank", "smothered"];
        let more = ["zwischenzug", "anastasia", "arabian", "hook", "boden"];
        let is_other = |name: &&&str| others.contains(name) || more.contains(name);
        let theirs: Vec<&str> =
            theirs.iter().filter(|name| !name.is_empty() && !is_other(name)).copied().collect();
        assert_eq!(ours, theirs, "{line}");
        n_themes += ours.len();
    }
    assert!(n_themes > 8, "{table}");
}

#[test]
fn an_engine_chooses_the_only_good_moves() {
    let place = new();
    let line = "puzzles g.pgn -engine ./fish -depth 2 -o p.pgn --mate 0 -gamenumber 4";
    let ran = place.run(line);
    assert!(ran.out.starts_with("1 exercise written to p.pgn: 1 by the engine\n"), "{ran:?}");
    assert!(place.read("p.pgn").contains("[Proof \"engine 6.40, second best -3.00\"]"));
    place.write("mortal", "");
    let ran = place.run(line);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains("the engine has no answer"), "{ran:?}");
    let check = |line: &str, message: &str| {
        let ran = place.run(line);
        assert!(ran.status != Some(0) && ran.err.contains(message), "{line}: {ran:?}");
    };
    check("puzzles g.pgn -engine ./fish -o p.pgn", "use --depth N");
    check("puzzles g.pgn -depth 3 -o p.pgn", "name one with -engine");
    check("puzzles g.pgn -engine ./none -depth 3 -o p.pgn", "cannot be started");
    check("puzzles g.pgn -o p.txt", "does not tell the format");
    check("puzzles g.pgn -o g.pgn", "g.pgn");
    check("puzzles none.pgn -o p.pgn", "none.pgn");
    check("puzzles g.pgn -o p.pgn --exclude --cql mate", "--exclude");
    check("puzzles g.pgn -o p.pgn --cql mat", "mat");
    check("puzzles g.pgn -o no/p.pgn", "no/p.pgn");
    let line = "puzzles g.pgn -engine ./fish -depth 2 -o s.pgn --enginestore s.pgn";
    check(line, "s.pgn is the store of --enginestore");
    assert_eq!(place.read("g.pgn"), GAMES);
}

#[test]
fn cards_have_pictures_and_tables_need_a_move_before() {
    let place = new();
    let ran = place.run("puzzles g.pgn -o cards.csv --format anki");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let cards = place.read("cards.csv");
    assert!(cards.starts_with("#separator:Comma\n#html:true\n#columns:Front,Back,Tags\n"));
    assert_eq!(cards.lines().count(), 4 + 3);
    assert!(cards.lines().skip(4).all(|line| line.starts_with("\"<svg xmlns=\"\"http")));
    assert_eq!(place.run("puzzles g.pgn -o cards.csv --format anki").status, Some(0));
    let start = "[FEN \"6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1\"]\n\n1. Re8# *\n";
    place.write("start.pgn", start);
    let ran = place.run("puzzles start.pgn -o p.csv");
    let left_out = "1 exercise left out: at the start of a game, there is no move before it";
    assert!(ran.out.contains(left_out), "{ran:?}");
    assert_eq!(place.read("p.csv").lines().count(), 1);
}

#[test]
fn sheets_are_printed_in_all_forms() {
    let place = new();
    assert_eq!(place.run("puzzles g.pgn -o p.pgn").status, Some(0));
    let ran = place.run("sheet p.pgn -o s.html --hints --title Mates");
    assert_eq!((ran.status, &*ran.out), (Some(0), "3 exercises written to s.html\n"), "{ran:?}");
    let html = place.read("s.html");
    for part in ["<title>Mates</title>", "Black mates in 1<br><small>easy", "2...Qh4#"] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(place.run("sheet p.pgn -o s.typ --per-page 12").status, Some(0));
    assert!(place.read("s.typ").contains("#solution(1, \"2...Qh4#\", \"W, a\")"));
    let ran = place.run("sheet p.pgn -o s.svg");
    assert!(ran.out.contains("2 files, s-1.svg and following"), "{ran:?}");
    assert!(place.read("s-2.svg").contains("2...Qh4#"));
    assert_eq!(place.run("sheet p.pgn -o boards/ --limit 2").status, Some(0));
    assert!(
        place.path("boards/board-2.svg").exists() && !place.path("boards/board-3.svg").exists()
    );
    // The matches of a query, with the moves of the game.
    let ran = place.run("sheet g.pgn --cql ply==2 -o m.html --moves 1");
    assert!(ran.out.starts_with("4 exercises written to m.html"), "{ran:?}");
    assert!(place.read("m.html").contains("<b>1</b> 2.g4<br>"));
    let check = |line: &str, message: &str| {
        let ran = place.run(line);
        assert!(ran.status != Some(0) && ran.err.contains(message), "{line}: {ran:?}");
    };
    // A theme holds after its last move; its exercise begins before the first one.
    let fork = "[FEN \"q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1\"]\n\n1... h1=N 2. Nc7+ Kd7 3. Nxa8 *\n";
    place.write("fork.pgn", fork);
    place.write("fork.cql", "cql() import \"themes\" fork()");
    for query in ["--cql theme(\"fork\")", "fork.cql"] {
        let ran = place.run(&format!("sheet fork.pgn {query} -o fork.html --moves 1"));
        assert!(ran.out.ends_with("1 exercise begun before the match\n"), "{query}: {ran:?}");
        assert!(place.read("fork.html").contains("<b>1</b> 2.Nc7+<"), "{query}");
    }
    let ran = place.run("sheet fork.pgn fork.cql -o fork.html --moves 1 --before 0");
    assert_eq!(ran.out, "1 exercise written to fork.html\n");
    assert!(place.read("fork.html").contains("<b>1</b> 2...Kd7<"));
    check("sheet p.pgn -o s.html --before 1", "--before counts from a match");
    check("sheet g.pgn -o s.html", "there is nothing to print");
    check("sheet p.pgn -o s.pdf", "a browser prints the .html as PDF");
    check("sheet p.pgn -o p.pgn", "does not tell the form");
    check("sheet none.pgn -o s.html", "none.pgn");
    place.write("mine.svg", "<svg>mine</svg>");
    check("sheet g.pgn --cql ply==2 --limit 1 -o mine.typ --per-page 7", "7");
    place.write("own.html", "notes");
    check("sheet p.pgn -o own.html", "own.html");
    // Refused before the search, which finds nothing.
    check("sheet g.pgn -o own.html", "own.html");
    assert_eq!(place.read("own.html"), "notes");
    place.write("web.html", "<!DOCTYPE html>\n<title>mine</title>\n");
    check("sheet p.pgn -o web.html", "web.html");
    check("diagram 8/8/8/8/8/8/8/K6k -o p.pgn", "that of a pgn file");
    check("diagram 8/8/8/8/8/8/8/K6k -o mine.svg", "mine.svg");
    check("diagram 8/8/8/8/8/8/8/K6k -o d.png", "not as PNG: name the file d.svg");
    assert_eq!(place.read("mine.svg"), "<svg>mine</svg>");
}

#[test]
fn several_boards_are_drawn_to_files() {
    let place = new();
    let one = "8/8/8/8/8/8/8/K6k w - - 0 1";
    let ran = place.run(&format!("diagram {one}"));
    assert!(ran.out.starts_with("<svg "), "{ran:?}");
    let framed = place.cql(&["diagram", one, "--coordinates"]);
    assert!(framed.out.contains("font-size=\"14\"") && !framed.out.contains("class="));
    let ran = place.run(&format!("diagram {one} 8/8/8/8/8/8/8/k6K"));
    assert!(ran.err.contains("2 positions need files"), "{ran:?}");
    let ran = place.run(&format!("diagram {one} 8/8/8/8/8/8/8/k6K -o d.svg"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.read("d-1.svg") != place.read("d-2.svg"));
    let ran = place.run_on("diagram - -o e.svg", format!("{one}\n\n{one}\n"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(place.read("e-1.svg"), place.read("e-2.svg"));
    let ran = place.run("diagram hello");
    assert!(ran.err.contains("'hello' is not a FEN"), "{ran:?}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Place::empty();
    place.write("games/b.pgn", GAMES);
    place.write("games/a.pgn", b"\x89PNG\r\n\x1a\n");
    std::os::unix::fs::symlink("nothing", place.path("games/c.pgn")).expect("linked");
    let ran = place.run("puzzles games -o o.pgn");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for part in ["games/a.pgn: it is a PNG", "games/c.pgn: No such", "that cannot be read: 2\n"] {
        assert!(ran.err.contains(part), "{part}: {ran:?}");
    }
    assert!(ran.out.contains("3 exercises written to o.pgn"), "{ran:?}");
    // A name of the user is another matter.
    let ran = place.run("puzzles games none.pgn -o p.pgn");
    assert!(ran.err.starts_with("error: cannot read none.pgn"), "{ran:?}");
    assert!(!place.path("p.pgn").exists());
}
