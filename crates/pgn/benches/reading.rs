//! Measures reading and writing, stage by stage, on many copies of the games in `examples`.
//!
//! Rates are in bytes of PGN per second. `cargo run --release -p babson-pgn --example measure FILE`
//! measures the same stages on another file.

use std::sync::LazyLock;

use board::Color;
use divan::Bencher;
use divan::counter::BytesCount;
use pgn::{
    Edits, GameTree, SearchTree, Splitter, TagIndex, WriteOptions, likely_boundary, write_game,
};

/// A text of 1,000 games.
static PGN: LazyLock<Vec<u8>> =
    LazyLock::new(|| include_bytes!("../../../examples/historic.pgn").repeat(25));

fn main() {
    divan::main();
}

/// Measures a function of the games.
fn measure<R>(bencher: Bencher<'_, '_>, run: impl FnMut(&[u8]) -> R) {
    let (pgn, mut run) = (&*PGN, run);
    bencher.counter(BytesCount::of_slice(pgn)).bench_local(|| run(pgn));
}

#[divan::bench]
fn find_boundaries(bencher: Bencher<'_, '_>) {
    measure(bencher, |pgn| {
        std::iter::successors(likely_boundary(pgn, 0), |at| likely_boundary(pgn, at + 1)).count()
    });
}

#[divan::bench]
fn split(bencher: Bencher<'_, '_>) {
    measure(bencher, |pgn| Splitter::default().split(pgn, true).count());
}

#[divan::bench]
fn split_and_decode_tags(bencher: Bencher<'_, '_>) {
    let mut index = TagIndex::default();
    measure(bencher, |pgn| {
        let mut n_games = 0;
        for game in Splitter::default().split(pgn, true) {
            index.scan(game.text);
            let tags = index.tags(game.text);
            let chosen = tags.player(Color::White).starts_with(b"Mor") && tags.date().year > 1850;
            n_games += usize::from(chosen);
        }
        n_games
    });
}

#[divan::bench]
fn split_and_read_moves(bencher: Bencher<'_, '_>) {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let mut search = SearchTree::default();
    measure(bencher, |pgn| {
        let mut n_positions = 0;
        for game in Splitter::default().split(pgn, true) {
            let text = game.clean_text(&mut buffer);
            index.scan(text);
            tree.parse(index.tags(text));
            search.build(&tree, true);
            n_positions += search.of(&tree).len();
        }
        n_positions
    });
}

#[divan::bench]
fn split_read_and_write(bencher: Bencher<'_, '_>) {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let (mut out, edits, options) = (Vec::new(), Edits::default(), WriteOptions::default());
    measure(bencher, |pgn| {
        let mut n_bytes = 0;
        for game in Splitter::default().split(pgn, true) {
            let text = game.clean_text(&mut buffer);
            index.scan(text);
            tree.parse(index.tags(text));
            out.clear();
            write_game(&mut out, index.tags(text), &tree, &edits, &options);
            n_bytes += out.len();
        }
        n_bytes
    });
}
