//! Tests questions to external programs, and the use of their answers.

mod support;

use std::sync::{Arc, Mutex};

use engine::{
    EngineAnswer, EngineLimit, EngineQuestion, GameWorker, PipeQuestion, Programs, QueryWorker,
    TableValue, TablebaseProbe, search,
};
use flow::{Output, Worker};
use pgn::RawGame;
use support::{game, game_from, is_refused, program};

/// Answers `commandpipe` with its arguments and `engine` with a fixed evaluation, and records the
/// questions.
struct Fake(Arc<Mutex<Vec<String>>>);

impl Programs for Fake {
    fn ask(&mut self, name: &str, question: &PipeQuestion<'_>) -> Result<Option<Vec<u8>>, String> {
        let told: Vec<_> =
            (question.arguments.iter()).map(|argument| String::from_utf8_lossy(argument)).collect();
        let asked = format!("{name} {} {} {}", question.game, question.ply, told.join(","));
        self.0.lock().expect("a list").push(asked);
        match name {
            "none" => Ok(None),
            "missing" => Err("no such program".to_owned()),
            "fen" => Ok(Some(question.fen.as_bytes().to_vec())),
            _ => Ok(Some(question.arguments.concat())),
        }
    }

    fn analyze(
        &mut self,
        fen: &str,
        question: EngineQuestion,
    ) -> Result<Option<EngineAnswer>, String> {
        let EngineQuestion { limit, line, n_lines, .. } = question;
        let lines = if n_lines > 1 { format!(" {line}/{n_lines}") } else { String::new() };
        self.0.lock().expect("a list").push(format!("{limit}{lines} {fen}"));
        let mut answer = EngineAnswer {
            score: Some(30 / line.cast_signed()),
            best_move: Some("e2e4".to_owned()),
            pv: Some("e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 e1e2".to_owned()),
            wdl: Some([500, 300, 200]),
            ..EngineAnswer::default()
        };
        match limit {
            EngineLimit::Depth(100) => return Ok(None),
            EngineLimit::Nodes(_) => (answer.score, answer.mate) = (None, Some(3)),
            _ => {}
        }
        Ok(Some(answer))
    }

    fn tablebases(&mut self) -> Option<&mut dyn TablebaseProbe> {
        Some(self)
    }
}

impl TablebaseProbe for Fake {
    fn probe(&mut self, fen: &str, value: TableValue) -> Option<i32> {
        self.0.lock().expect("a list").push(format!("{value:?} {fen}"));
        let result = if fen.contains(" w ") { 2 } else { -2 };
        match value {
            _ if fen.contains('N') => None,
            TableValue::Wdl => Some(result),
            TableValue::Dtz => Some(result * 7),
        }
    }
}

/// Returns the number of matching positions, the questions, and the faults.
fn ask(body: &str, pgn: &str) -> (u64, Vec<String>, Vec<String>) {
    let asked = Arc::default();
    let query = QueryWorker::new(program("", body), Arc::default());
    let query = query.with_programs(Box::new(Fake(Arc::clone(&asked))));
    let mut out = Output::default();
    GameWorker::new([query]).game(&RawGame::of(pgn.as_bytes()), 1, &mut out);
    let faults = out.faults.into_iter().map(|fault| fault.message).collect();
    let asked = std::mem::take(&mut *asked.lock().expect("a list"));
    let n = out.results.iter().map(|found| found.n_matching_positions);
    (n.sum(), asked, faults)
}

#[test]
fn programs_are_told_the_position_and_more() {
    let pgn = game("1.e4 e5 2.Nf3");
    let (n, asked, faults) = ask("ply>1 int commandpipe(\"echo\" ply 1)==31", &pgn);
    assert_eq!((n, faults.len()), (1, 0));
    assert_eq!(asked, ["echo 1 2 2,1", "echo 1 3 3,1"]);
    let fen = "commandpipe(\"fen\") ~~ \"b KQkq - 1 2$\"";
    assert_eq!(ask(fen, &pgn).0, 1);
    assert_eq!(ask("commandpipe(\"none\")", &pgn).0, 0);
    assert_eq!(ask("commandpipe(\"echo\" R)==\"[a1,h1]\"", &pgn).0, 4);
    let (n, _, faults) = ask("commandpipe(\"missing\") or true", &pgn);
    assert_eq!((n, faults.len()), (0, 1));
    assert!(faults[0].contains("no such program"), "{faults:?}");
}

#[test]
fn engines_speak_for_white() {
    let pgn = game("1.e4");
    for (body, want) in [
        ("engine (depth 3) == 30", 1),
        ("engine (depth 3) == -30", 1),
        ("engine (nodes 10)", 0),
        ("engine mate (nodes 10) == 3 wtm", 1),
        ("engine mate (nodes 10) == -3 btm", 1),
        ("engine mate (depth 3)", 0),
        ("engine (depth 100) or engine from (depth 100)", 0),
        ("engine from (depth 3) & P", 1),
        ("engine to (depth 3) & P", 1),
        ("engine to (depth 3) == e4", 2),
        ("engine bestmove (depth 3) == \"e2e4\"", 2),
        ("sort \"score\" engine (depth 3) > 20", 1),
        ("engine (depth 3 line 2) == 15", 1),
        ("engine (depth 3 multipv 3 line 3) == -10", 1),
        ("engine wdl win (depth 3) == 500 wtm", 1),
        ("engine wdl win (depth 3) == 200 btm", 1),
        ("engine wdl draw (depth 3) == 300", 2),
        ("engine wdl loss (depth 3) == 200 wtm", 1),
        ("flipcolor {wtm engine wdl win (depth 3) == 500}", 2),
        ("flipcolor {wtm engine wdl win (depth 3) == 200}", 0),
        ("engine pv (depth 3) == \"e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4\" wtm", 1),
        ("engine pv (depth 3) btm", 0),
    ] {
        let (n, _, faults) = ask(body, &pgn);
        assert_eq!((n, faults.len()), (want, 0), "{body}");
    }
}

#[test]
fn tablebases_speak_for_the_side_to_move() {
    let pgn = game_from("8/8/8/8/8/2k5/8/K6R w - - 3 9", "1.Rh3+ Kc4");
    for (body, want) in [
        ("tablebase == 2", 2),
        ("tablebase == -2 btm", 1),
        ("tablebase", 3),
        ("dtz == 14 wtm", 2),
        ("dtz < 0", 1),
        ("dtz + halfmoveclock <= 100 wtm", 2),
        ("flipcolor {wtm tablebase == 2}", 2),
        ("flipcolor {btm tablebase == 2}", 2),
        ("flipcolor {btm tablebase == -2}", 1),
        ("rotate90 {tablebase == 2 R == 1}", 2),
        ("sort \"distance\" dtz", 3),
        ("tablebase = 3 tablebase == 3", 3),
    ] {
        let (n, _, faults) = ask(body, &pgn);
        assert_eq!((n, faults.len()), (want, 0), "{body}");
    }
    let (_, asked, _) = ask("initial tablebase", &pgn);
    assert_eq!(asked, ["Wdl 8/8/8/8/8/2k5/8/K6R w - - 3 9"]);
    assert!(is_refused("power dtz"));
    assert!(is_refused("tablebase + \"a\""));
}

#[test]
fn tablebases_are_asked_only_about_what_they_may_have() {
    for (fen, want) in [
        ("4k3/8/8/8/8/8/8/BBBBBK2 w - - 0 1", 1),
        // eight pieces
        ("4k3/8/8/8/8/8/8/BBBBBKB1 w - - 0 1", 0),
        // rights to castle
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 0),
        // positions that tables do not have
        ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", 0),
        // a check that no move can have given
        ("1Q1k4/8/5Q2/8/8/7K/8/8 b - - 0 1", 1),
    ] {
        let (_, asked, faults) = ask("tablebase", &game_from(fen, ""));
        assert_eq!((asked.len(), faults.len()), (want, 0), "{fen}: {asked:?}");
    }
    let rook = game_from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "");
    assert_eq!(ask("imagine remove K : tablebase", &rook).1, Vec::<String>::new());
    let antichess = game_from("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "");
    let (_, asked, _) = ask("tablebase", &format!("[Variant \"Antichess\"]\n{antichess}"));
    assert_eq!(asked, Vec::<String>::new());
    // The capture en passant counts only if it is legal.
    let (_, asked, _) = ask("terminal dtz", &game_from("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "1.a4"));
    assert_eq!(asked, ["Dtz 4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1"]);
}

#[test]
fn nothing_is_asked_that_the_query_does_not_ask() {
    let pgn = game("1.e4 e5");
    assert_eq!(ask("btm engine (depth 3)", &pgn).1.len(), 1);
    assert_eq!(ask("check engine (depth 3)", &pgn).1.len(), 0);
    let without = "initial imagine remove K : engine (depth 3)";
    assert_eq!(ask(without, &pgn), (0, Vec::new(), Vec::new()));
    let (_, asked, _) = ask("initial imagine sidetomove black : engine (depth 3)", &pgn);
    assert_eq!(asked, ["depth 3 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"]);
}

#[test]
fn nobody_is_asked_unless_given() {
    for body in ["commandpipe(\"x\")", "engine (depth 1)", "tablebase", "dtz > 3"] {
        let pgn = game_from("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "1.Kd2");
        let mut games = search(&program("", body), pgn.as_bytes());
        assert!(games.next().expect("a game").is_err(), "{body}");
    }
    // A position that no table has is a fault, too: the answer would be that nothing matches.
    let pgn = game("1.e4");
    let mut games = search(&program("", "tablebase == 2"), pgn.as_bytes());
    assert!(games.next().expect("a game").is_err());
    let asking = program("", "commandpipe(\"b\") commandpipe(\"a\") commandpipe(\"b\")");
    assert_eq!(asking.asked_programs(), ["a", "b"]);
    assert!(!asking.asks_engine());
    assert_eq!(asking.tablebase_span(), None);
    let spans = program("", "mate or dtz > tablebase").tablebase_span().expect("two words");
    assert_eq!(spans.end - spans.start, 3);
    assert!(program("", "engine to (depth 1)").asks_engine());
    assert!(is_refused("commandpipe(3)"));
    assert!(is_refused("engine (time 3)"));
    let asking = program("", "engine pv (depth 1) engine from (depth 2) engine (nodes 3 line 4)");
    let mut lines: Vec<u32> = asking.engine_questions().map(|asked| asked.n_lines).collect();
    lines.sort_unstable();
    assert_eq!(lines, [1, 1, 4]);
}
