//! Games in shards: those of a manifest, or games that each job cuts for itself.

use std::ops::Range;
use std::path::{Path, PathBuf};

use babson::{InputGroup, Partition, Partitions, ScanPlan};
use shards::{Fraction, MOST_TEXT, Manifest};

use super::super::RunArgs;
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::progress::{self, Done, Live};
use crate::search::several::ShardOfGames;
use input::FilePartition;

/// Games in shards.
pub(super) enum Divided {
    /// Files made by `cql split`, with their manifest and its folder.
    Manifest(Manifest, PathBuf),
    /// Parts of the games themselves.
    Pieces(Partitions),
}

impl Default for Divided {
    fn default() -> Divided {
        Divided::Pieces(Partitions::default())
    }
}

impl Divided {
    pub(super) fn by_manifest(manifest: &Path) -> Result<Divided, Failure> {
        let (manifest, folder) =
            Manifest::read(manifest, interrupt::cancel()).map_err(Failure::from)?;
        Ok(Divided::Manifest(manifest, folder))
    }

    /// Returns the checksum that identifies the shards.
    pub(super) fn id(&self) -> &str {
        match self {
            Divided::Manifest(manifest, _) => manifest.id(),
            Divided::Pieces(cut) => &cut.id,
        }
    }

    /// Returns the number of shards.
    pub(super) fn len(&self) -> usize {
        match self {
            Divided::Manifest(manifest, _) => manifest.shards.len(),
            Divided::Pieces(cut) => cut.pieces.len(),
        }
    }

    /// Checks that a shard is unchanged.
    pub(super) fn check(&self, place: usize) -> Result<(), Failure> {
        match self {
            Divided::Manifest(manifest, folder) => {
                manifest.check(folder, place).map_err(Failure::from)
            }
            Divided::Pieces(cut) => match cut.pieces.get(place).map(|cut| &cut.piece) {
                Some(Partition::Text(part)) => {
                    let checked = part.check(interrupt::cancel());
                    checked
                        .map_err(|error| Failure::Message(format!("shard {}: {error}", place + 1)))
                }
                // Opening the archive checks it.
                Some(Partition::Archive(_)) | None => Ok(()),
            },
        }
    }

    /// Returns a shard, without its tag.
    pub(super) fn shard(&self, place: usize) -> ShardOfGames {
        let shard = match self {
            Divided::Manifest(manifest, folder) => manifest.shards.get(place).map(|shard| {
                let part = FilePartition {
                    path: remote::join(folder, &shard.name),
                    name: manifest.source(shard).to_owned(),
                    start: shard.start(),
                    end: None,
                    games_before: shard.games_before_source(),
                    bytes: shard.bytes,
                };
                ShardOfGames {
                    piece: Partition::Text(part),
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

/// Cuts games into shards and returns the indexes of the shards of a part. It reads all games
/// except those with archives.
pub(super) fn cut(
    arguments: &RunArgs,
    fraction: Fraction,
    names: &[PathBuf],
    needs_last_game_number: bool,
) -> Result<(Divided, Range<usize>), Failure> {
    let how = arguments.reading.how()?;
    let found = games::find_all_with_archives(names, how)?;
    let inputs = &found.inputs;
    let only_named = arguments.no_index || how.is_said();
    let groups = if needs_last_game_number {
        // Only the text determines `lastgamenumber`.
        vec![InputGroup::Text(0..inputs.paths().count())]
    } else {
        games::groups(&found, only_named)
    };
    let walk = ScanPlan { inputs, groups: &groups };
    // A part that takes long is divided into several shards, so that an interrupted run need not
    // start it again.
    let n_each = inputs.size().unwrap_or(0) / fraction.of() / MOST_TEXT + 1;
    let (_, kind) = progress::kind(progress::ProgressMode {
        dots: None,
        live: arguments.outputs.progress,
        results_on_stdout: true,
    });
    let mut live = Live::new(kind, inputs.size());
    let meter = inputs.meter();
    let done = || Done { bytes: meter.read(), ..Done::default() };
    let mut go_on = || {
        live.draw(done());
        !interrupt::cancel().is_cancelled()
    };
    let n = fraction.of().saturating_mul(n_each);
    let cut = walk.cut(n, false, &mut go_on).map_err(Failure::from)?;
    live.finish(done());
    if cut.pieces.is_empty() {
        let name = inputs.name();
        return Err(Failure::Message(format!("{name} contains no games")));
    }
    let wanted = fraction.range(usize::try_from(n).unwrap_or(usize::MAX));
    let place = |bound: usize| {
        let bound = bound as u64;
        cut.pieces.partition_point(|piece| piece.nth < bound)
    };
    let places = place(wanted.start)..place(wanted.end);
    Ok((Divided::Pieces(cut), places))
}
