//! How games are taken through threads, by what programs ask for.

use flow::{Cancel, RunOptions};

use crate::Program;

/// How to run programs on the same games: on so many threads, unless one of them must have the games
/// one after the other; from the first game that one of them searches to the last one. `size` is how
/// many bytes the games have, if that is known.
pub fn run_options<'p>(
    programs: impl IntoIterator<Item = &'p Program>,
    threads: usize,
    size: Option<u64>,
    cancel: Cancel,
) -> RunOptions {
    let programs: Vec<&Program> = programs.into_iter().collect();
    let must_be_alone = |program: &&Program| program.sequential_reason().is_some();
    let numbers = programs.iter().map(|program| program.game_numbers());
    // If every program has a last game.
    let lasts: Option<Vec<u64>> = numbers.clone().map(|(_, last)| last).collect();
    RunOptions {
        threads: match programs.iter().any(must_be_alone) {
            true => 1,
            false => threads,
        },
        first_game: numbers.map(|(first, _)| first).min().unwrap_or(1),
        last_game: lasts.and_then(|lasts| lasts.into_iter().max()),
        size,
        ..RunOptions::new(cancel)
    }
}
