//! Evaluates games in a pass: from their text, or from the columns of an archive if these are
//! sufficient.

use archive::{Columns, Coverage, Flags, Rows, StoredGame};
use babson::ArchiveReadError;
use board::Color;
use flow::{Output, Results, Worker};
use pgn::{
    GameResult, GameTree, RawGame, RulesRead, TagIndex, TagTable, Tags, TextTags, VariantNames,
    decode_value,
};

use super::keys::Keys;
use super::same::{self, Compared, MainlineKey, SHORT};
use super::{Duplicate, DuplicateKind, Rules, Writing};
use crate::collection::{RowWorker, Sum};

/// Evaluation of games in a pass.
pub(super) trait GameComparer: Sync {
    type Results: Sum;

    /// Whether results are passed on before it is known that an archive is intact.
    const IS_STREAM: bool = false;

    /// Evaluates a game from its text.
    fn read(
        &self,
        reader: &mut GameReader,
        raw: &RawGame<'_>,
        number: u64,
        found: &mut Self::Results,
    );

    /// Evaluates a game from the columns of an archive. Returns `false` if they are not sufficient.
    fn know(
        &self,
        reader: &mut GameReader,
        game: StoredGame<'_>,
        number: u64,
        found: &mut Self::Results,
    ) -> bool;
}

/// Reason why a game is not compared with others.
enum Incomparable {
    /// Its variant is unknown.
    Variant,
    /// Its FEN is not that of a position.
    Start,
}

/// Reads games, reusing its memory from game to game.
#[derive(Default)]
pub(super) struct GameReader {
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    table: TagTable,
}

impl GameReader {
    /// Returns the tags and the moves of a game, and whether its rules are assumed.
    ///
    /// # Errors
    /// Its variant is unknown, or its start is not a position.
    fn read<'r>(
        &'r mut self,
        raw: &'r RawGame<'_>,
        variants: &VariantNames,
    ) -> Result<(TextTags<'r>, &'r GameTree, bool), Incomparable> {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let tags = self.index.tags(text);
        let variant = variants.variant_of(tags);
        self.tree.parse_as(tags, variant);
        let rules = self.tree.rules_read(tags, variant);
        if rules.variant().is_none() {
            return Err(Incomparable::Variant);
        }
        if self.tree.impossible_start(tags).is_some() {
            return Err(Incomparable::Start);
        }
        Ok((tags, &self.tree, rules == RulesRead::Assumed))
    }

    /// Returns the tags of an archived game. The result is that at the end of the movetext.
    fn tags(&mut self, game: StoredGame<'_>) -> Tags<'_> {
        self.table.clear();
        game.visit_tags(|name, value| self.table.push(name.as_bytes(), value));
        self.table.tags()
    }
}

/// Evaluates the games of a thread.
pub(super) struct Looker<'l, L>(&'l L, GameReader);

impl<'l, L> Looker<'l, L> {
    pub(super) fn new(look: &'l L) -> Looker<'l, L> {
        Looker(look, GameReader::default())
    }
}

impl<L: GameComparer> Worker for Looker<'_, L> {
    type Results = L::Results;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<L::Results>) {
        self.0.read(&mut self.1, raw, number, &mut out.results);
    }
}

impl<L: GameComparer> RowWorker for Looker<'_, L> {
    const IS_STREAM: bool = L::IS_STREAM;

    fn columns() -> Columns {
        let others = Columns::of(|name| matches!(name, "source" | "checksum"));
        Columns::all_but(Columns::of_summaries().with(others))
    }

    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        number: u64,
        out: &mut Output<L::Results>,
    ) -> Result<bool, ArchiveReadError> {
        let game = rows.game(row);
        Ok(game.class() <= Coverage::Annotated
            && game.flags().has(Flags::EXACT_TEXTS)
            && self.0.know(&mut self.1, game, number, &mut out.results))
    }
}

#[derive(Default)]
pub(super) struct Keyed {
    pub(super) keys: Vec<Keys>,
    /// Number of games of unknown variants.
    pub(super) n_unknown: u64,
    /// Number of games whose FEN is not that of a position.
    pub(super) n_without_start: u64,
    /// Number of games of unknown variants that are read by the rules of chess.
    pub(super) n_assumed: u64,
    /// Number of games that cannot be read.
    pub(super) n_skipped: u64,
}

impl Results for Keyed {}

impl Sum for Keyed {
    fn add(&mut self, mut other: Keyed) {
        self.keys.append(&mut other.keys);
        self.n_unknown += other.n_unknown;
        self.n_without_start += other.n_without_start;
        self.n_assumed += other.n_assumed;
        self.n_skipped += other.n_skipped;
    }

    fn add_skipped(&mut self, n: u64) {
        self.n_skipped += n;
    }
}

/// Computes the keys of each game.
pub(super) struct Keyer<'n>(pub(super) Rules, pub(super) &'n VariantNames);

impl GameComparer for Keyer<'_> {
    type Results = Keyed;

    fn read(&self, reader: &mut GameReader, raw: &RawGame<'_>, number: u64, found: &mut Keyed) {
        match reader.read(raw, self.1) {
            Ok((tags, tree, is_assumed)) => {
                found.n_assumed += u64::from(is_assumed);
                let keys = same::keys(number, *tags, &MainlineKey::of_tree(tree), self.0);
                found.keys.push(keys);
            }
            Err(Incomparable::Variant) => found.n_unknown += 1,
            Err(Incomparable::Start) => found.n_without_start += 1,
        }
    }

    fn know(
        &self,
        reader: &mut GameReader,
        game: StoredGame<'_>,
        number: u64,
        found: &mut Keyed,
    ) -> bool {
        let Some(line) = MainlineKey::of_columns(game, &mut reader.tree) else {
            return false;
        };
        // The tags of short games, among them Result, are part of the keys.
        let is_known = game.has_all_tags() || line.moves.len() >= SHORT;
        if is_known {
            let keys = same::keys(number, reader.tags(game), &line, self.0);
            found.keys.push(keys);
        }
        is_known
    }
}

#[derive(Default)]
pub(super) struct Comparisons(pub(super) Vec<Compared>);

impl Results for Comparisons {}

impl Sum for Comparisons {
    fn add(&mut self, mut other: Comparisons) {
        self.0.append(&mut other.0);
    }
}

/// Reads the games with these numbers, which may be duplicates.
pub(super) struct Comparer<'n>(pub(super) &'n [u64], pub(super) &'n VariantNames);

impl GameComparer for Comparer<'_> {
    type Results = Comparisons;

    fn read(
        &self,
        reader: &mut GameReader,
        raw: &RawGame<'_>,
        number: u64,
        found: &mut Comparisons,
    ) {
        if self.0.binary_search(&number).is_ok()
            && let Ok((tags, tree, _)) = reader.read(raw, self.1)
        {
            let line = MainlineKey::of_tree(tree);
            let nodes = 0..tree.len();
            let notes =
                nodes.map(|node| usize::from(tree.has_comment(node)) + tree.nags(node).len());
            let n_notes = notes.sum::<usize>() + (tree.len() - 1 - line.moves.len());
            let compared = Compared::new(number, *tags, line, n_notes, tree.result());
            found.0.push(compared);
        }
    }

    fn know(
        &self,
        reader: &mut GameReader,
        game: StoredGame<'_>,
        number: u64,
        found: &mut Comparisons,
    ) -> bool {
        if self.0.binary_search(&number).is_err() {
            return true;
        }
        if game.class() != Coverage::Plain || !game.has_all_tags() {
            return false;
        }
        let Some(line) = MainlineKey::of_columns(game, &mut reader.tree) else {
            return false;
        };
        let compared = Compared::new(number, reader.tags(game), line, 0, game.result());
        found.0.push(compared);
        true
    }
}

/// Lists the duplicates and the text of the other games.
#[derive(Clone, Copy)]
pub(super) struct Lister<'d> {
    pub(super) duplicates: &'d [Duplicate],
    pub(super) variants: &'d VariantNames,
    pub(super) writing: Option<Writing>,
}

/// Duplicates among the games of a chunk, and the text of its other games.
#[derive(Debug, Default)]
pub struct Listed {
    /// Duplicates, in the order of the games.
    pub rows: Vec<Named>,
    /// Text of the games that are kept, if it is wanted.
    pub text: Vec<u8>,
    /// Number of games in the text.
    pub n_written: u64,
}

/// Duplicate with the tags that identify it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The duplicate.
    pub duplicate: Duplicate,
    /// White and Black.
    pub players: [String; 2],
    /// Date of the game.
    pub date: String,
    /// Result of the game.
    pub result: GameResult,
}

impl Results for Listed {}

impl Sum for Listed {
    fn add(&mut self, mut other: Listed) {
        self.rows.append(&mut other.rows);
        self.rows.sort_by_key(|named| named.duplicate.number);
        self.text.append(&mut other.text);
        self.n_written += other.n_written;
    }
}

impl Named {
    fn new(duplicate: Duplicate, tags: Tags<'_>, result: GameResult) -> Named {
        Named {
            duplicate,
            players: Color::ALL.map(|color| decode_value(&tags.player(color)).into_owned()),
            date: tags.date().to_string(),
            result,
        }
    }
}

impl Lister<'_> {
    fn duplicate(&self, number: u64) -> Option<Duplicate> {
        let duplicates = self.duplicates;
        let found = duplicates.binary_search_by_key(&number, |duplicate| duplicate.number);
        found.ok().map(|at| duplicates[at])
    }
}

impl GameComparer for Lister<'_> {
    type Results = Listed;

    const IS_STREAM: bool = true;

    fn read(&self, reader: &mut GameReader, raw: &RawGame<'_>, number: u64, listed: &mut Listed) {
        let duplicate = self.duplicate(number);
        if let Some(duplicate) = duplicate
            && let Ok((tags, tree, _)) = reader.read(raw, self.variants)
        {
            let named = Named::new(duplicate, *tags, tree.result());
            listed.rows.push(named);
        }
        let is_kept = |Writing { omits_near }| {
            duplicate.is_none_or(|duplicate| duplicate.kind == DuplicateKind::Near && !omits_near)
        };
        if self.writing.is_some_and(is_kept) {
            listed.text.extend_from_slice(raw.text);
            listed.text.extend_from_slice(b"\n\n");
            listed.n_written += 1;
        }
    }

    fn know(
        &self,
        reader: &mut GameReader,
        game: StoredGame<'_>,
        number: u64,
        listed: &mut Listed,
    ) -> bool {
        if self.writing.is_some() {
            return false;
        }
        if let Some(duplicate) = self.duplicate(number) {
            let named = Named::new(duplicate, reader.tags(game), game.result());
            listed.rows.push(named);
        }
        true
    }
}
