//! Tests game screens: excluded games have no match, and enough games are excluded.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{
    CompileOptions, GameScreen, GameWorker, Limits, Program, QueryResults, QueryWorker,
    SummaryParts, UnscreenedReason, compile,
};
use flow::{Output, Worker};
use pgn::{GameSummary, GameTree, RawGame, Splitter, Summarizer, TagIndex, Tags, TreeSummary};
use support::program;
use syntax::Source;

/// The parts of a game and its summary.
struct Parts<'a> {
    raw: RawGame<'a>,
    index: TagIndex,
    tree: GameTree,
    summarizer: Summarizer,
}

/// A game with its summary, if it has one.
struct Game<'a> {
    raw: &'a RawGame<'a>,
    tags: Tags<'a>,
    tree: &'a GameTree,
    summary: Option<GameSummary<'a>>,
}

impl Game<'_> {
    /// Whether a screen lets the game pass by the facts known after reading its moves.
    fn is_admitted_when_read(&self, screen: &GameScreen) -> bool {
        screen.may_match(&TreeSummary::new(self.tree, self.tags, Vec::new()))
    }
}

/// Returns the games of a text.
fn parts(text: &[u8]) -> Vec<Parts<'_>> {
    let mut parts = Vec::new();
    for raw in Splitter::default().split(text, true) {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(raw.text);
        tree.parse(index.tags(raw.text));
        let summarizer = Summarizer::default();
        parts.push(Parts { raw, index, tree, summarizer });
    }
    parts
}

fn games<'a>(parts: &'a mut [Parts<'_>]) -> Vec<Game<'a>> {
    let parts = parts.iter_mut();
    parts
        .map(|parts| {
            let tags = parts.index.tags(parts.raw.text);
            let summary = parts.summarizer.summarize(&parts.tree, *tags);
            Game { raw: &parts.raw, tags: *tags, tree: &parts.tree, summary }
        })
        .collect()
}

/// Whether each of the games may match.
fn admitted(program: &Program, games: &[Game<'_>]) -> Vec<bool> {
    let screen = GameScreen::of(program);
    let summaries = games.iter().map(|game| game.summary.as_ref());
    let admitted: Vec<bool> =
        summaries.map(|summary| summary.is_none_or(|summary| screen.may_match(summary))).collect();
    // Screening step by step has the same result.
    let mut left: Vec<usize> = (0..games.len()).collect();
    for step in screen.steps() {
        step.retain(&mut left, |game| games[game].summary);
    }
    let by_steps: Vec<bool> = (0..games.len()).map(|game| left.contains(&game)).collect();
    assert_eq!(by_steps, admitted, "{:?}", program.game_conditions.words());
    admitted
}

/// Returns all results of a game except exceeded limits, since a skipped game cannot exceed any.
fn outcome(worker: &mut GameWorker, raw: &RawGame<'_>) -> String {
    let mut out: Output<Vec<QueryResults>> = Output::default();
    worker.game(raw, 1, &mut out);
    let found = &out.results[0];
    let mut outcome = String::from_utf8_lossy(&found.text).into_owned();
    outcome += &String::from_utf8_lossy(&found.messages);
    for fault in out.faults.iter().filter(|fault| fault.part.is_some()) {
        if fault.kind != flow::FaultKind::Limit {
            outcome += &fault.message;
        }
    }
    outcome
}

/// Checks that excluded games have no results, and returns their number.
fn check(name: &str, program: &Arc<Program>, games: &[Game<'_>]) -> usize {
    let query = QueryWorker::new(program.clone(), Arc::default()).at_every_position();
    let mut worker = GameWorker::new([query]);
    let (admitted, screen) = (admitted(program, games), GameScreen::of(program));
    // With less information, no more games are excluded.
    for (game, is_admitted) in games.iter().zip(&admitted) {
        if game.tree.rules().are_of_chess() && *is_admitted && game.summary.is_some() {
            let asked = program.game_conditions.words();
            assert!(game.is_admitted_when_read(&screen), "{asked:?}");
        }
    }
    let denied = games.iter().zip(admitted).filter(|(_, admitted)| !admitted);
    let denied = denied.map(|(game, _)| {
        let outcome = outcome(&mut worker, game.raw);
        if !outcome.is_empty() {
            let asked = program.game_conditions.words();
            let text = String::from_utf8_lossy(game.raw.text);
            panic!("{name} asks for {asked:#?}, and finds {outcome} in\n{text}");
        }
    });
    denied.count()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the texts of all queries of the corpus, with their paths.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut queries = Vec::new();
    for area in fs::read_dir(root().join("conformance/cases")).expect("the cases") {
        for file in fs::read_dir(area.expect("an area").path()).expect("an area") {
            let path = file.expect("a case").path();
            if path.extension().is_some_and(|end| end == "cql") {
                let text = fs::read(&path).expect("a query");
                queries.push((path.display().to_string(), text));
            }
        }
    }
    queries.sort();
    queries
}

#[test]
fn nothing_comes_of_games_that_are_not_admitted() {
    let data = ["mixed.pgn", "own.pgn"]
        .map(|name| fs::read(root().join("conformance/data").join(name)).expect("games"))
        .concat();
    let mut parts = parts(&data);
    let games = games(&mut parts);
    let (mut n_queries, mut n_denied) = (0, 0);
    for (name, text) in corpus() {
        let source = Source { name: &name, text: &text };
        for variations in [false, true] {
            let options = CompileOptions {
                variations: Some(variations),
                limits: Limits { steps: 200_000, ..Limits::default() },
                ..CompileOptions::default()
            };
            let Some(program) = compile(&source, &[], &options).program else {
                continue;
            };
            if program.sequential_reason().is_some() || program.required_file().is_some() {
                continue;
            }
            n_queries += 1;
            n_denied += check(&name, &program, &games);
        }
    }
    assert!(n_queries > 2000, "{n_queries} queries");
    // Most queries of the corpus require only what every game has.
    let n_games = n_queries * games.len();
    assert!(n_denied > n_games / 5, "{n_denied} of {n_games} games");
}

const GAMES: &str = "\
[Event \"1\"]\n[White \"Fool, A.\"]\n[Date \"1987.06.05\"]\n[Result \"0-1\"]\n
1. f3 e5 2. g4 Qh4# 0-1\n
[Event \"2\"]\n[White \"Scholar\"]\n[WhiteElo \"2000\"]\n[Result \"1-0\"]\n
1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n
[Event \"3\"]\n[White \"Castle\"]\n[Result \"1/2-1/2\"]\n
1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O (4. d4 exd4 5. Bxf7+ Kxf7) Nf6 $1 1/2-1/2\n
[Event \"4\"]\n[FEN \"7k/P7/8/1pP5/8/8/8/K7 w - b6 0 1\"]\n[Result \"*\"]\n
1. cxb6 Kg7 2. a8=N Kf7 *\n";

/// Checks which games, named by their events, a query may match in.
fn check_admitted(header: &str, body: &str, expected: &str) {
    check_program(&program(header, body), expected);
}

fn check_program(program: &Arc<Program>, expected: &str) {
    let text = program.game_conditions.words();
    let mut parts = parts(GAMES.as_bytes());
    let games = games(&mut parts);
    let admitted = admitted(program, &games);
    let numbers = (1..).zip(admitted).filter(|(_, admitted)| *admitted);
    let numbers: String = numbers.map(|(number, _)| number.to_string()).collect();
    assert_eq!(numbers, expected, "{text:?}");
    check("the query", program, &games);
}

#[test]
fn things_that_happen() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    check("false", "");
    check("mate", "12");
    check("check", "12");
    check_admitted("variations", "check", "123");
    check("stalemate", "");
    check("o-o", "3");
    check("castle", "3");
    check("o-o-o", "");
    check("enpassant", "4");
    check("move previous enpassant from .", "4");
    check("nullmove", "");
    check("variation", "3");
    check("originalcomment \"!\"", "3");
    check("originalcomment", "3");
    check("ply >= 8", "3");
    check("ply > 6", "23");
}

#[test]
fn tags() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    check("player white \"Fool\"", "1");
    check("player \"Castle\"", "3");
    check("year >= 1900", "1");
    check("year < 1900", "");
    check("date < \"1990\" ", "1");
    check("not year == 1987", "234");
    check("result 1-0", "2");
    check("result 1-0 or player white \"Castle\"", "23");
    check("elo white > 1999", "2");
    check("event \"4\"", "4");
    check("site \"x\"", "");
    check_admitted("result 0-1", "true", "1");
    let options = CompileOptions { year: Some((1980, 1989)), ..CompileOptions::default() };
    let program = support::compiled("cql() true", &options).program;
    check_program(&program.expect("a correct query"), "1");
}

#[test]
fn men_and_where_they_stand() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    check("Qh5", "2");
    check("[Qq]h4-5", "12");
    check("flipcolor {Qh5}", "12");
    check("flip {qh4 Kd1}", "");
    check("#A < 16", "4");
    check("#Q == 0", "4");
    check("#N > #n", "4");
    check("power A - power a >= 3", "4");
    check("#(P & a-h7) >= 1", "4");
    check("#(Q & a-h7) >= 2", "");
    // never both at the same time
    check("#p == 8 #P == 6", "");
    check("#P == 1 #p == 0", "4");
    check("#p <= 7", "24");
    check("#B == 1", "");
    check_admitted("variations", "#B == 1", "3");
    check_admitted("variations", "#B == 1 #P == 8", "");
}

#[test]
fn pawns() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    // if a game has a FEN tag, its pawns are not known
    check("doubledpawns", "4");
    check_admitted("variations", "doubledpawns", "34");
    check("#connectedpawns < 16", "24");
    check("#connectedpawns == 16", "123");
    check("P & connectedpawns & g4", "14");
    // never both at the same time
    check("#connectedpawns < 16 P & connectedpawns & e2", "4");
    check("find doubledpawns", "4");
    check("doubledpawns or mate", "124");
}

#[test]
fn moves_and_other_positions() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    check("path Q--h5 n-- Q[x]p", "2");
    check("path Q--h5 N--", "");
    check("path Pe4 -- --e5", "23");
    check("path Pe4 --f5", "");
    check("path (--){7}", "23");
    check("path --=N", "4");
    // Castling is no promotion.
    check("currentmove --=N", "4");
    check("--(find quiet mate)", "12");
    check("idealmate", "12");
    check("path B-- check", "2");
    // the moving piece is on its origin before the move and on its destination after it
    check("path N--f3 B--a1", "");
    check("#q==0 path q--h4", "");
    check("path P--a8", "4");
    check("path P[x]pb5", "4");
    check("path (K--a1)? q--h4", "1");
    check("path R--f1", "3");
    check("path focus q --h4", "1");
    check("path B[x]f7 k--f7", "");
    check_admitted("variations", "path B[x]f7 k[x]B", "3");
    check_admitted("variations", "path B[x]f7 n--", "");
    check("initial find mate", "12");
    check("find {Qh5 find {mate Qf7}}", "2");
    check("{find all Qh5} > 2", "2");
    check("find 0 1 Qh5", "1234");
    check("line --> Qh5 --> nf6", "2");
    check("echo (s t) {s [<] t t:mate}", "12");
    check("echo (s t) {s:Qh5 t:#p == 7}", "2");
    check("echo (s t) {s<t t:#A < 15 wtm}", "4");
    check("parent: Qh5", "2");
}

#[test]
fn attacks_and_pins() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    check("Q attacks k", "2");
    check("q attacks K", "1");
    check("R attackedby b", "");
    check("pin from Q through p to k", "2");
    check("pin from q through A to K", "1");
    check("pin from B through n to k", "");
    // Pawns attack forward, from their squares in the lines that are searched.
    check("P attacks p", "");
    check_admitted("variations", "P attacks p", "3");
    check("square x in a { Q attacks x #(A attacks x) >= 2 }", "123");
    check("#(Q attacks [nbrq]) >= 4", "");
    check("piece x in A { x attacks k not x attacks q }", "2");
    // Any piece in between may go away.
    check("R attacks r", "123");
}

#[test]
fn nothing_is_asked_behind_an_effect_under_not_or_of_half_an_alternative() {
    let check = |body: &str, expected: &str| check_admitted("", body, expected);
    check("not mate", "1234");
    check("message(\"x\") mate", "1234");
    check("mate message(\"x\")", "12");
    check("settag(\"A\" \"b\") mate", "1234");
    check("x = 1 mate", "12");
    check("mate or Qh5", "12");
    check("mate or wtm", "1234");
    check_admitted("matchcount 0 5", "mate", "1234");
}

#[test]
fn a_screen_says_what_it_looks_at() {
    let check = |body: &str, expected: SummaryParts| {
        let screen = GameScreen::of(&program("", body));
        assert_eq!(screen.parts(), expected, "{body}");
    };
    let none = SummaryParts::default();
    check("not mate", none);
    check("false", none);
    check("mate", SummaryParts { kinds: true, ..none });
    check("Qh5 or variation", SummaryParts { squares: 1 << 4, notes: true, ..none });
    check("#Q==2", SummaryParts { material: true, ..none });
    check("#(Q & e1-8)==2", SummaryParts { material: true, squares: 1 << 4, ..none });
    check("find path --=Q", SummaryParts { moves: true, kinds: true, ..none });
    check("year==1990 result 1-0", SummaryParts { date: true, result: true, ..none });
    check("elo>2000 site \"x\"", SummaryParts { ratings: true, site: true, ..none });
}

#[test]
fn what_is_not_asked_has_a_reason() {
    let check = |body: &str, expected: &[UnscreenedReason]| {
        let program = program("", body);
        let found: Vec<UnscreenedReason> =
            program.unscreened.iter().map(|part| part.reason).collect();
        assert_eq!(found, expected, "{body}");
    };
    check("mate Qh5 #Q==2", &[]);
    check("wtm not mate", &[UnscreenedReason::Everywhere, UnscreenedReason::Complement]);
    check("mate or wtm", &[UnscreenedReason::Alternatives]);
    let of_effect = [UnscreenedReason::Other, UnscreenedReason::Effect];
    check("settag(\"A\" \"b\") mate", &of_effect);
    check("x = 1 mate", &[]);
    check("countmoves legal -- == 1", &[UnscreenedReason::LegalMoves, UnscreenedReason::Effect]);
    check("persistent x = 1 mate", &[UnscreenedReason::Sequential]);
}

#[test]
fn few_moves_are_known_of_positions_without_check() {
    let text = b"[Event \"1\"]\n[FEN \"7k/8/5K2/8/8/8/8/6R1 b - - 0 1\"]\n\n1... Kh7 *\n\n\
        [Event \"2\"]\n\n1.e4 e5 *\n\n\
        [Event \"3\"]\n[FEN \"7k/8/5K2/8/8/8/8/5R2 b - - 0 1\"]\n\n1... Kh7 *\n";
    let mut parts = parts(text);
    let games = games(&mut parts);
    let check_admitted = |body: &str, expected: [bool; 3]| {
        let program = program("", body);
        assert_eq!(admitted(&program, &games), expected, "{body}");
        check(body, &program, &games);
    };
    check_admitted("not check countmoves legal -- == 1", [true, false, false]);
    check_admitted("not check 1 >= countmoves legal --", [true, false, false]);
    check_admitted("not check countmoves legal -- < 3", [true, false, true]);
    check_admitted("btm not check forced", [true, false, false]);
    check_admitted("not check wtm forced", [false; 3]);
    check_admitted("find {not check forced}", [true, false, false]);
    check_admitted("flipcolor {not check wtm countmoves legal -- == 1}", [true, false, false]);
    // These are not known.
    check_admitted("countmoves legal -- == 1", [true; 3]);
    check_admitted("find {not check} forced", [true; 3]);
    check_admitted("countmoves legal -- == 1 not check", [true; 3]);
    check_admitted("not check countmoves legal -- <= 3", [true; 3]);
    check_admitted("not check countmoves legal -- >= 1", [true; 3]);
    check_admitted("not check countmoves legal P-- == 0", [true; 3]);
    check_admitted("not check countmoves pseudolegal -- == 1", [true; 3]);
    check_admitted("not check not forced", [true; 3]);
    check_admitted("not check message(\"\") forced", [true; 3]);
}

#[test]
fn pieces_that_stand_as_before_are_known() {
    let text = b"[Event \"1\"]\n\n1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 *\n\n\
        [Event \"2\"]\n\n1.Nf3 Nf6 2.Ng1 Ng8 3.e4 Nf6 4.Nf3 *\n\n\
        [Event \"3\"]\n\n1.e4 e5 2.Ke2 Ke7 3.Ke1 Nf6 4.Nf3 Ke8 5.Ng1 Ke7 6.Bc4 Ke8 *\n";
    let mut parts = parts(text);
    let games = games(&mut parts);
    let check_admitted = |body: &str, expected: [bool; 3]| {
        let program = program("", &format!("echo quiet (s t) {{{body}}}"));
        assert_eq!(admitted(&program, &games), expected, "{body}");
        check(body, &program, &games);
    };
    let same = "K==s:K k==s:k P==s:P p==s:p";
    check_admitted(&format!("s<t distance(s t)>=5 {same}"), [true, false, true]);
    check_admitted(&format!("s<t distance(s t)>=8 {same}"), [false, false, true]);
    check_admitted(&format!("s<t distance(s t)>=10 {same}"), [false, false, true]);
    check_admitted(&format!("s<t distance(s t)>=11 {same}"), [false; 3]);
    check_admitted("s<t distance(s t)>=6 K==s:K k==s:k", [true; 3]);
    check_admitted(&format!("s<t t:#A<=15 distance(s t)>=5 {same}"), [false; 3]);
    check_admitted(&format!("s<t t:#N==2 distance(s t)>=5 {same}"), [true, false, true]);
    // These are not known.
    check_admitted(&format!("s>t distance(s t)>=8 {same}"), [true; 3]);
    check_admitted("s<t distance(s t)>=8 N==s:N", [true; 3]);
    check_admitted("s<t distance(s t)>=8 K==s:k", [true; 3]);
}

#[test]
fn moves_are_sooner_denied_by_where_men_stand() {
    let check = |body: &str, expected: bool| {
        let parts = GameScreen::of(&program("", body)).parts();
        assert_eq!((parts.squares != 0, parts.moves), (expected, true), "{body}");
    };
    check("path B--h7 check", true);
    check("path -- check k[x]Bh7", true);
    check("path B-- check", false);
    check("path (B--h7)? check --", false);
}

#[test]
fn conditions_are_counted_where_they_deny() {
    let program = program("", "check #Q==2 Qh5 path --=Q");
    let screen = GameScreen::of(&program);
    let words = program.game_conditions.words();
    assert_eq!(words.len(), 5, "{words:?}");
    assert_eq!(screen.n_conditions(), words.len());
    assert!(words[0].contains("a check"), "{words:?}");
    assert!(words[3].contains("at some time the number of"), "{words:?}");
    let check = |game: &str, expected: Option<usize>| {
        let mut parts = parts(game.as_bytes());
        let summary = games(&mut parts)[0].summary.expect("a summary");
        assert_eq!(screen.denied_by(&summary), expected, "{game}");
        assert_eq!(screen.may_match(&summary), expected.is_none(), "{game}");
    };
    check("[White \"A\"]\n\n1.e4 *", Some(0));
    check("[White \"A\"]\n\n1.e4 d5 2.Bb5+ *", Some(1));
}

#[test]
fn what_is_not_known_is_not_denied() {
    let mut parts = parts(b"[White \"A\"]\n\n1.e4 e5 *");
    let mut games = games(&mut parts);
    let mut check = |body: &str, known: bool| {
        let program = program("", body);
        assert_eq!(admitted(&program, &games), [false], "{body}");
        let summary = games[0].summary.expect("a summary");
        let mut bare = summary;
        (bare.start, bare.material, bare.moves) = (None, None, None);
        for happenings in [&mut bare.mainline, &mut bare.whole] {
            (happenings.reach, happenings.plies) = (None, None);
        }
        games[0].summary = Some(bare);
        assert_eq!(admitted(&program, &games), [!known], "{body}, of which little is known");
        games[0].summary = Some(summary);
    };
    check("mate", true);
    check("Qh5", false);
    check("shift{Qh5 Kh6}", false);
    check("#Q==2", false);
    check("ply > 9", false);
    check("path N--", false);
    check("doubledpawns", false);
}

/// Without promotions, no piece count exceeds that of the start.
#[test]
fn the_start_denies_what_takes_a_promotion() {
    let mut parts = parts(b"[White \"A\"]\n\n1.e4 e5 *");
    let mut games = games(&mut parts);
    let mut check = |body: &str, expected: bool| {
        let program = program("", body);
        let mut summary = games[0].summary.expect("a summary");
        summary.material = None;
        games[0].summary = Some(summary);
        assert_eq!(admitted(&program, &games), [expected], "{body}");
    };
    check("#Q==2", false);
    check("#Q==0", true);
    check("#Q>=1", true);
    check("power A > 39", false);
    check("power A - power a >= 9", true);
    check("power A - power a >= 40", false);
    check("#(Q & e1-8)==2", false);
    check("#_ > 40", true);
}

#[test]
fn texts_that_are_not_known_are_not_denied() {
    let check = |body: &str, known: bool, unknown: bool| {
        let mut parts = parts(b"[White \"A\"]\n[Date \"1990\"]\n\n1.e4 *");
        let mut games = games(&mut parts);
        let program = program("", body);
        assert_eq!(admitted(&program, &games), [known], "{body}");
        for game in &mut games {
            game.summary.iter_mut().for_each(|summary| summary.texts = None);
        }
        assert_eq!(admitted(&program, &games), [unknown], "{body} without texts");
    };
    check("player white \"B\"", false, true);
    check("not player white \"A\"", false, true);
    check("player \"B\"", false, true);
    check("site \"x\"", false, true);
    check("year==1991", false, false);
}
