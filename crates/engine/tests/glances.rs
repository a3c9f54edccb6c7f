//! Tests that screening games before their evaluation does not change the results.

mod support;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use engine::{GameWorker, QueryResults, QueryWorker};
use flow::{Output, Worker};
use pgn::Splitter;
use support::program;

/// Returns all results for the games of a text, including games without a match.
fn outcome(query: QueryWorker, text: &[u8]) -> String {
    let mut worker = GameWorker::new([query]);
    let mut outcome = String::new();
    for (number, raw) in (1..).zip(Splitter::default().split(text, true)) {
        let mut out: Output<Vec<QueryResults>> = Output::default();
        worker.game(&raw, number, &mut out);
        let found = &out.results[0];
        outcome += &String::from_utf8_lossy(&found.text);
        outcome += &String::from_utf8_lossy(&found.messages);
        let faults = out.faults.iter().map(|fault| &fault.message);
        let faults: Vec<_> = faults.collect();
        writeln!(outcome, "{number}: {} {faults:?}", found.n_positions).expect("memory");
    }
    outcome
}

/// Returns the games of the corpus many times over, enough to decide whether the screen pays.
fn games() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = ["examples/historic.pgn", "conformance/data/own.pgn", "conformance/data/mixed.pgn"];
    let texts = names.map(|name| fs::read(root.join(name)).expect("games"));
    // These games must be read even if they are excluded.
    let odd: &[u8] = b"[Event \"odd\"]\n\n1.e4 e5 2.Ke3 d5 1-0\n\n\
        [Event \"odd\"]\n[Variant \"Atomic\"]\n\n1.e4 e5 1-0\n\n\
        [Event \"odd\"]\n[Variant \"Unheard\"]\n\n1.e4 e5 1-0\n\n\
        [Event \"odd\"]\n\n1.e4 {x} e5 (1...d5 2.exd5 Qxd5) 2.Qh5 $1 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0\n\n\
        [Event \"odd\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1.a8=Q+ Kd7 2.O-O Kc7 1-0\n\n";
    let all = texts.iter().map(Vec::as_slice).chain([odd]);
    let all: Vec<u8> = all.collect::<Vec<_>>().concat();
    all.repeat(4)
}

#[test]
fn asking_games_changes_nothing() {
    let games = games();
    for (head, body) in [
        ("", "Qa8 ka1 Nh8"),
        ("", "#Q>=3"),
        ("", "Qh5 Bc4 mate"),
        ("", "#Q==2 Q attacks k"),
        ("", "pin from B through q to k"),
        ("", "piece $n in N { $n attacks k $n attacks q }"),
        ("", "path (Q-- check k--){4}"),
        ("", "path B--h7 check k[x]Bh7"),
        ("", "flipcolor flip { Kg1 Qh7 kb3 }"),
        ("", "Rf1 Kg1 Ra1 rd8 Qh7"),
        ("variations", "Qf7 mate"),
        ("matchcount 0 100", "Qa8 ka1"),
        ("result 1-0", "Qa8 ka1"),
        ("", "Qa8 message(\"x\") ka1"),
    ] {
        let program = program(head, body);
        let query = || QueryWorker::new(program.clone(), std::sync::Arc::default());
        let everywhere = outcome(query().at_every_position(), &games);
        assert_eq!(outcome(query(), &games), everywhere, "{head} {body}");
    }
}
