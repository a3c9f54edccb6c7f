//! Options of a run that the programs determine.

use flow::{Cancel, RunOptions};

use crate::Program;

/// Returns the options for running programs on the same games. Uses the given number of threads, or
/// one if a program needs the games in order. Covers the games from the first to the last one that
/// any of the programs searches. `size` is the number of bytes of the games, if known.
pub fn run_options<'p>(
    programs: impl IntoIterator<Item = &'p Program>,
    threads: usize,
    size: Option<u64>,
    cancel: Cancel,
) -> RunOptions {
    let programs: Vec<&Program> = programs.into_iter().collect();
    let must_be_alone = |program: &&Program| program.sequential_reason().is_some();
    let numbers = programs.iter().map(|program| program.game_numbers());
    // `None` unless every program has a last game.
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
