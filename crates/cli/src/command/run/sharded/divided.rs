//! Games in shards: those of a manifest, or games as they are, cut by each job for itself.

use std::ops::Range;
use std::path::{Path, PathBuf};

use archived::{Piece, Pieces, Stretch, Walk};
use shards::{Fraction, MOST_TEXT, Manifest};

use super::super::Arguments;
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::progress::{self, Done, Live};
use crate::search::several::ShardOfGames;
use input::Part;

/// Games in shards.
pub(super) enum Divided {
    /// Files that `cql split` has made, and where they are.
    Manifest(Manifest, PathBuf),
    /// Pieces of the games as they are.
    Pieces(Pieces),
}

impl Default for Divided {
    fn default() -> Divided {
        Divided::Pieces(Pieces::default())
    }
}

impl Divided {
    pub(super) fn by_manifest(manifest: &Path) -> Result<Divided, Failure> {
        let (manifest, folder) =
            Manifest::read(manifest, interrupt::cancel()).map_err(Failure::from)?;
        Ok(Divided::Manifest(manifest, folder))
    }

    /// What tells the shards from any others.
    pub(super) fn id(&self) -> &str {
        match self {
            Divided::Manifest(manifest, _) => manifest.id(),
            Divided::Pieces(cut) => &cut.id,
        }
    }

    /// How many shards there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Divided::Manifest(manifest, _) => manifest.shards.len(),
            Divided::Pieces(cut) => cut.pieces.len(),
        }
    }

    /// Looks whether a shard is still what it was.
    pub(super) fn check(&self, place: usize) -> Result<(), Failure> {
        match self {
            Divided::Manifest(manifest, folder) => {
                manifest.check(folder, place).map_err(Failure::from)
            }
            Divided::Pieces(cut) => match cut.pieces.get(place).map(|cut| &cut.piece) {
                Some(Piece::Text(part)) => {
                    let checked = part.check(interrupt::cancel());
                    checked
                        .map_err(|error| Failure::Message(format!("shard {}: {error}", place + 1)))
                }
                // Whoever opens it does.
                Some(Piece::Archive(_)) | None => Ok(()),
            },
        }
    }

    /// A shard, which has no tag yet.
    pub(super) fn shard(&self, place: usize) -> ShardOfGames {
        let shard = match self {
            Divided::Manifest(manifest, folder) => manifest.shards.get(place).map(|shard| {
                let part = Part {
                    path: remote::join(folder, &shard.name),
                    name: manifest.source(shard).to_owned(),
                    start: shard.start(),
                    end: None,
                    games_before: shard.games_before_source(),
                    bytes: shard.bytes,
                };
                ShardOfGames {
                    piece: Piece::Text(part),
                    n_games: shard.games,
                    last_game_number: manifest.last_game_number,
                    ..ShardOfGames::default()
                }
            }),
            Divided::Pieces(cut) => cut.pieces.get(place).map(|piece| ShardOfGames {
                piece: piece.piece.clone(),
                n_games: piece.n_games,
                last_game_number: cut.last_game_number.unwrap_or_default(),
                ..ShardOfGames::default()
            }),
        };
        shard.unwrap_or_default()
    }
}

/// Cuts games as they are, and says which of the shards are those of a part. It reads them all, but
/// those that have archives.
pub(super) fn cut(
    arguments: &Arguments,
    fraction: Fraction,
    names: &[PathBuf],
    needs_last_game_number: bool,
) -> Result<(Divided, Range<usize>), Failure> {
    let how = arguments.reading.how()?;
    let found = games::find_all_with_archives(names, how)?;
    let inputs = &found.inputs;
    let only_named = arguments.no_index || how.is_said();
    let stretches = match needs_last_game_number {
        // Only the text says what that is.
        true => vec![Stretch::Text(0..inputs.paths().count())],
        false => games::stretches(&found, only_named),
    };
    let walk = Walk {
        inputs,
        stretches: &stretches,
    };
    // A part that takes long is several shards, so that it need not be begun anew.
    let n_each = inputs.size().unwrap_or(0) / fraction.of() / MOST_TEXT + 1;
    let (_, kind) = progress::kind(progress::Wanted {
        dots: None,
        live: arguments.outputs.progress,
        results_on_stdout: true,
    });
    let mut live = Live::new(kind, inputs.size());
    let meter = inputs.meter();
    let done = || Done {
        bytes: meter.read(),
        ..Done::default()
    };
    let mut go_on = || {
        live.draw(done());
        !interrupt::cancel().is_cancelled()
    };
    let n = fraction.of().saturating_mul(n_each);
    let cut = walk.cut(n, false, &mut go_on).map_err(Failure::from)?;
    live.finish(done());
    if cut.pieces.is_empty() {
        let name = inputs.name();
        return Err(Failure::Message(format!("there are no games in {name}")));
    }
    let wanted = fraction.range(usize::try_from(n).unwrap_or(usize::MAX));
    let place = |bound: usize| {
        let bound = bound as u64;
        cut.pieces.partition_point(|piece| piece.nth < bound)
    };
    let places = place(wanted.start)..place(wanted.end);
    Ok((Divided::Pieces(cut), places))
}
