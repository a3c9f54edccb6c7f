//! Measures reading and writing of a file: `measure FILE [STAGE [RUNS]]`. The best run counts.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use board::Color;
use pgn::{
    Edits, GameTree, RawGame, Splitter, TagIndex, WriteOptions, likely_boundary, write_game,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let data = std::fs::read(args.next().ok_or("measure FILE [STAGE [RUNS]]")?)?;
    let only = args.next();
    let runs = args.next().map_or(Ok(10), |runs| runs.parse())?;
    let measure = |stage: &str, run: &mut dyn FnMut() -> usize| {
        if only.as_ref().is_some_and(|only| only != stage) {
            return;
        }
        let (mut best, mut count) = (f64::MAX, 0);
        for _ in 0..runs {
            let start = Instant::now();
            count = black_box(run());
            best = best.min(start.elapsed().as_secs_f64());
        }
        let (ms, rate) = (best * 1e3, data.len() as f64 / best / 1e6);
        println!("{stage:10} {ms:9.2} ms {rate:8.0} MB/s  {count:9}");
    };

    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    measure("boundaries", &mut || {
        std::iter::successors(likely_boundary(&data, 0), |at| likely_boundary(&data, at + 1))
            .count()
    });
    measure("split", &mut || Splitter::default().split(&data, true).count());
    measure("tags", &mut || {
        let chosen = |game: &RawGame<'_>| {
            index.scan(game.text);
            let tags = index.tags(game.text);
            tags.player(Color::White).starts_with(b"Kar") && tags.date().year > 1990
        };
        Splitter::default().split(&data, true).filter(chosen).count()
    });
    measure("parse", &mut || {
        let mut plies = 0;
        for game in Splitter::default().split(&data, true) {
            let text = game.clean_text(&mut buffer);
            index.scan(text);
            tree.parse(index.tags(text));
            plies += tree.len() - 1;
        }
        plies
    });
    let (mut out, edits, options) = (Vec::new(), Edits::default(), WriteOptions::default());
    measure("write", &mut || {
        let mut bytes = 0;
        for game in Splitter::default().split(&data, true) {
            let text = game.clean_text(&mut buffer);
            index.scan(text);
            tree.parse(index.tags(text));
            out.clear();
            write_game(&mut out, index.tags(text), &tree, &edits, &options);
            bytes += out.len();
        }
        bytes
    });
    Ok(())
}
