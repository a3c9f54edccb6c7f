//! Writes an opening book of Polyglot.

use std::io::Write;
use std::path::Path;

use input::Inputs;
use survey::Collection;
use survey::target::Target;
use survey::tree::{Omitted, book};

use super::{TreeArgs, tell_omitted};
use crate::command::counting::Watcher;
use crate::command::text;
use crate::failure::{Failure, context};
use crate::output;

/// Number of moves of a book after the position.
const DEPTH: u8 = 20;

/// Counts the games and writes the book. Returns the games that are not counted.
pub(super) fn write(
    arguments: &TreeArgs,
    file: &Path,
    target: &Target,
    games: &mut Collection<'_>,
    watcher: &mut Watcher<'_>,
    inputs: &Inputs,
) -> Result<Omitted, Failure> {
    let cannot =
        |error: std::io::Error| context(format!("cannot write {}", file.display()), &error);
    let mut out = output::create(file, None, &inputs.originals(), arguments.force)?;
    let depth = arguments.depth.unwrap_or(DEPTH).into();
    let counted = book(games, target, depth, watcher).map_err(|error| watcher.failure(&error))?;
    tell!("{}", watcher.sources.finish()?);
    let (bytes, n_moves) = counted.to_bytes(arguments.min_games);
    out.write_all(&bytes).map_err(cannot)?;
    out.finish().map_err(cannot)?;
    let moves = if n_moves == 1 { "move" } else { "moves" };
    text::show(&format!("{n_moves} {moves} written to {}\n", file.display()))?;
    tell_omitted(counted.omitted(), inputs);
    Ok(counted.omitted())
}
