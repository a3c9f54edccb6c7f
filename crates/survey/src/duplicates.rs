//! Duplicates among games.
//!
//! Two passes over all games find the duplicates, a third one lists them and gives the text of the
//! other games. Between passes, memory holds three numbers per game, and the data needed to compare
//! those games that may be duplicates. If there are many of these, they are compared in lots, with a
//! pass for each.

mod keys;
mod look;
mod same;

use std::io;
use std::sync::Arc;

use serde::Serialize;

use crate::collection::{Collection, Error, Passed, Sum, Watch};
use look::{Comparer, Comparisons, GameComparer, Keyed, Keyer, Lister, Looker};
pub use look::{Listed, Named};

/// Number of games that are compared at once, at some hundred bytes each.
const LOT: usize = 400_000;

/// Rules for duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Whether moves alone decide, whatever the tags say.
    pub moves_only: bool,
    /// Whether the first duplicate is kept instead of the best.
    pub keeps_first: bool,
}

/// Kind of a duplicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DuplicateKind {
    /// Both games have the same moves.
    Equal,
    /// One game has the first moves of the other.
    Near,
}

/// Duplicate of a game that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duplicate {
    /// Number of the game.
    pub number: u64,
    /// Number of the game that is kept.
    pub of: u64,
    /// Extent of the agreement.
    pub kind: DuplicateKind,
}

/// Text of the games that are not duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writing {
    /// Whether nearly equal games are left out, too.
    pub omits_near: bool,
}

/// Game of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GameRef<'a> {
    /// Name of the input.
    pub input: &'a str,
    /// Number of the game in the input.
    pub game: u64,
}

/// Duplicate as written in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DuplicateRow<'a> {
    /// The game.
    #[serde(flatten)]
    pub place: GameRef<'a>,
    /// Player with the white pieces.
    pub white: &'a str,
    /// Player with the black pieces.
    pub black: &'a str,
    /// Date of the game.
    pub date: &'a str,
    /// Result of the game.
    pub result: &'a str,
    /// Extent of the agreement.
    pub kind: DuplicateKind,
    /// Game that is kept.
    pub of: GameRef<'a>,
}

/// Numbers of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Totals {
    /// Number of games.
    pub games: u64,
    /// Number of games that are equal to another one.
    pub equal: u64,
    /// Number of games that are nearly equal to another one.
    pub near: u64,
    /// Number of games with the same moves as another one that are not duplicates.
    pub same_moves: u64,
    /// Number of games that cannot be read.
    pub unreadable: u64,
    /// Number of games of unknown variants.
    pub other_rules: u64,
    /// Number of games whose FEN is not that of a position.
    pub without_start: u64,
    /// Number of games of unknown variants that were read by the rules of chess.
    pub assumed: u64,
}

/// Duplicates of a collection.
#[derive(Debug, Default)]
pub struct Duplicates {
    /// Numbers of games.
    pub totals: Totals,
    /// Number of games that were read, chosen or not.
    n_read: u64,
    duplicates: Vec<Duplicate>,
    /// Inputs, each with the number of games before it.
    origins: Vec<(Arc<str>, u64)>,
}

/// Finds the duplicates. The inputs are read several times.
///
/// # Errors
/// The search was cancelled, a file changed meanwhile, threads are lacking, or `watch` ends it.
pub fn find(
    games: &mut Collection<'_>,
    rules: Rules,
    watch: &mut dyn Watch,
) -> Result<Duplicates, Error> {
    let variants = games.variants.clone();
    let mut keyed = Keyed::default();
    let mut origins: Vec<(Arc<str>, u64)> = Vec::new();
    let keyer = Keyer(rules, &variants);
    let Passed { n_games, n_read, .. } =
        pass(games, &keyer, true, watch, &mut |found, name, before| {
            if !name.is_empty() && !origins.last().is_some_and(|last| Arc::ptr_eq(&last.0, name)) {
                origins.push((name.clone(), before));
            }
            keyed.add(found);
            Ok(())
        })?;
    // Parts of a collection may be in any order.
    origins.sort_by_key(|origin| origin.1);
    let mut found = same::DuplicateSets::default();
    for lot in keys::lots(std::mem::take(&mut keyed.keys), LOT) {
        let mut compared = Comparisons::default();
        pass(games, &Comparer(&lot, &variants), false, watch, &mut |more, _, _| {
            compared.add(more);
            Ok(())
        })?;
        if compared.0.len() != lot.len() {
            return Err(Error::Changed);
        }
        let of_lot = same::duplicates(&compared.0, rules);
        found.duplicates.extend(of_lot.duplicates);
        found.n_same_moves += of_lot.n_same_moves;
    }
    found.duplicates.sort_by_key(|duplicate| duplicate.number);
    let n_of = |kind| found.duplicates.iter().filter(|one| one.kind == kind).count() as u64;
    let totals = Totals {
        games: n_games,
        equal: n_of(DuplicateKind::Equal),
        near: n_of(DuplicateKind::Near),
        same_moves: found.n_same_moves,
        unreadable: keyed.n_skipped,
        other_rules: keyed.n_unknown,
        without_start: keyed.n_without_start,
        assumed: keyed.n_assumed,
    };
    Ok(Duplicates { totals, n_read, duplicates: found.duplicates, origins })
}

/// Receiver of results, with the name of their input and the number of games before it.
type Take<'t, R> = dyn FnMut(R, &Arc<str>, u64) -> io::Result<()> + 't;

/// Evaluates `look` on all games that are chosen.
fn pass<L: GameComparer>(
    games: &mut Collection<'_>,
    look: &L,
    reports: bool,
    watch: &mut dyn Watch,
    take: &mut Take<'_, L::Results>,
) -> Result<Passed, Error> {
    let passed = games.pass(reports, &|| Looker::new(look), watch, &mut |found, chunk| {
        take(found, &chunk.origin.name, chunk.origin.games_before)
    })?;
    if passed.is_cancelled { Err(Error::Cancelled) } else { Ok(passed) }
}

impl Duplicates {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.duplicates.is_empty()
    }

    /// Passes the duplicates to `take`, in the order of the games, and the text of the other games
    /// if `writing` asks for it.
    ///
    /// # Errors
    /// Those of [`find`] and of `take`, and an archive that was damaged meanwhile.
    pub fn list(
        &self,
        games: &mut Collection<'_>,
        writing: Option<Writing>,
        watch: &mut dyn Watch,
        take: &mut dyn FnMut(&Listed) -> io::Result<()>,
    ) -> Result<(), Error> {
        let variants = games.variants.clone();
        let lister = Lister { duplicates: &self.duplicates, variants: &variants, writing };
        let passed = pass(games, &lister, false, watch, &mut |listed, _, _| take(&listed))?;
        if passed.n_read == self.n_read { Ok(()) } else { Err(Error::Changed) }
    }

    /// Returns a duplicate with the places of both games.
    #[must_use]
    pub fn row<'a>(&'a self, named: &'a Named) -> DuplicateRow<'a> {
        let Named { duplicate, players: [white, black], date, result } = named;
        DuplicateRow {
            place: self.place(duplicate.number),
            white,
            black,
            date,
            result: result.as_str(),
            kind: duplicate.kind,
            of: self.place(duplicate.of),
        }
    }

    /// Returns the input of a game and its number there, given its number through all inputs.
    fn place(&self, number: u64) -> GameRef<'_> {
        let behind = self.origins.partition_point(|(_, before)| *before < number);
        let origin = behind.checked_sub(1).and_then(|at| self.origins.get(at));
        let (input, before) = origin.map_or(("", 0), |(name, before)| (&**name, *before));
        GameRef { input, game: number - before }
    }
}
