//! Evaluates games in a pass: from their text, or from the columns of an archive if these are
//! sufficient.

use std::ops::Range;

use archive::{Class, Columns, Flags, Game, Rows};
use babson::{Archived, Blocks};
use board::Color;
use flow::{Output, RangeWorker, Results, Worker};
use pgn::{
    GameResult, GameTree, RawGame, TagIndex, TagTable, Tags, TextTags, VariantNames, decode,
};

use super::keys::Keys;
use super::same::{self, Compared, Duplicate, Kind, Line, Rules, SHORT};

/// Evaluation of games in a pass.
pub(super) trait Look: Sync {
    type Found: Results;

    /// Evaluates a game from its text.
    fn read(&self, reader: &mut Reader, raw: &RawGame<'_>, number: u64, found: &mut Self::Found);

    /// Evaluates a game from the columns of an archive. Returns `false` if they are not sufficient.
    fn know(
        &self,
        reader: &mut Reader,
        game: Game<'_>,
        number: u64,
        found: &mut Self::Found,
    ) -> bool;

    /// Adds other results.
    fn add(found: &mut Self::Found, other: Self::Found);
}

/// Reads games, reusing its memory from game to game.
#[derive(Default)]
pub(super) struct Reader {
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    table: TagTable,
}

impl Reader {
    /// Returns the tags and the moves of a game; `None` if its variant is unknown or its start is
    /// not a position.
    fn read<'r>(
        &'r mut self,
        raw: &'r RawGame<'_>,
        variants: &VariantNames,
    ) -> Option<(TextTags<'r>, &'r GameTree)> {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let tags = self.index.tags(text);
        let variant = variants.variant_of(tags);
        variant.rules()?;
        self.tree.parse_as(tags, variant);
        let is_read = self.tree.impossible_start(tags).is_none();
        is_read.then_some((tags, &self.tree))
    }

    /// Returns the tags of an archived game. The result is that at the end of the movetext.
    fn tags(&mut self, game: Game<'_>) -> Tags<'_> {
        self.table.clear();
        game.visit_tags(|name, value| self.table.push(name.as_bytes(), value));
        self.table.tags()
    }
}

/// Evaluates games from their text.
pub(super) struct ByText<'l, L>(&'l L, Reader);

impl<'l, L> ByText<'l, L> {
    pub(super) fn new(look: &'l L) -> ByText<'l, L> {
        ByText(look, Reader::default())
    }
}

impl<L: Look> Worker for ByText<'_, L> {
    type Results = L::Found;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<L::Found>) {
        self.0.read(&mut self.1, raw, number, &mut out.results);
    }
}

/// Evaluates games from the columns of an archive, or from their text if the columns are not
/// sufficient.
pub(super) struct ByColumns<'a, L> {
    look: &'a L,
    reader: Reader,
    blocks: Blocks<'a>,
    wanted: Columns,
    from_text: Vec<usize>,
}

impl<'a, L: Look> ByColumns<'a, L> {
    pub(super) fn new(look: &'a L, archived: &'a Archived<'a>, before: u64) -> ByColumns<'a, L> {
        let others = Columns::of(|name| matches!(name, "source" | "checksum"));
        ByColumns {
            look,
            reader: Reader::default(),
            blocks: Blocks::new(archived, before),
            wanted: Columns::all_but(Columns::of_summaries().with(others)),
            from_text: Vec::new(),
        }
    }

    fn look(&mut self, games: &Range<u64>, out: &mut Output<L::Found>) -> Result<(), String> {
        let chosen = self.blocks.read(games, self.wanted, out)?;
        self.from_text.clear();
        let rows: &Rows = self.blocks.rows();
        for row in chosen.rows.clone() {
            let (game, number) = (rows.game(row), chosen.shift + row as u64);
            let is_known = game.class() <= Class::Annotated
                && game.flags().has(Flags::EXACT_TEXTS)
                && (self.look).know(&mut self.reader, game, number, &mut out.results);
            if !is_known {
                self.from_text.push(row);
            }
        }
        let look = self.look;
        let make = || ByText::new(look);
        self.blocks.read_text(&chosen, &self.from_text, make, |read| {
            out.faults.extend(read.faults);
            L::add(&mut out.results, read.results);
        })
    }
}

impl<L: Look> RangeWorker for ByColumns<'_, L> {
    type Results = L::Found;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<L::Found>) -> Vec<u64> {
        if let Err(reason) = self.look(games, out) {
            out.failure = Some(reason);
        }
        Vec::new()
    }

    fn game(&mut self, _: u64, _: &mut Output<L::Found>) {}
}

#[derive(Default)]
pub(super) struct Keyed {
    pub(super) keys: Vec<Keys>,
    /// Number of games of unknown variants.
    pub(super) n_unknown: u64,
}

impl Results for Keyed {}

/// Computes the keys of each game.
pub(super) struct Keyer<'n>(pub(super) Rules, pub(super) &'n VariantNames);

impl Look for Keyer<'_> {
    type Found = Keyed;

    fn read(&self, reader: &mut Reader, raw: &RawGame<'_>, number: u64, found: &mut Keyed) {
        match reader.read(raw, self.1) {
            Some((tags, tree)) => {
                let keys = same::keys(number, *tags, &Line::of_tree(tree), self.0);
                found.keys.push(keys);
            }
            None => found.n_unknown += 1,
        }
    }

    fn know(&self, reader: &mut Reader, game: Game<'_>, number: u64, found: &mut Keyed) -> bool {
        let Some(line) = Line::of_columns(game, &mut reader.tree) else {
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

    fn add(found: &mut Keyed, mut other: Keyed) {
        found.keys.append(&mut other.keys);
        found.n_unknown += other.n_unknown;
    }
}

#[derive(Default)]
pub(super) struct Comparisons(pub(super) Vec<Compared>);

impl Results for Comparisons {}

/// Reads the games with these numbers, which may be duplicates.
pub(super) struct Comparer<'n>(pub(super) &'n [u64], pub(super) &'n VariantNames);

impl Look for Comparer<'_> {
    type Found = Comparisons;

    fn read(&self, reader: &mut Reader, raw: &RawGame<'_>, number: u64, found: &mut Comparisons) {
        if self.0.binary_search(&number).is_ok()
            && let Some((tags, tree)) = reader.read(raw, self.1)
        {
            let line = Line::of_tree(tree);
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
        reader: &mut Reader,
        game: Game<'_>,
        number: u64,
        found: &mut Comparisons,
    ) -> bool {
        if self.0.binary_search(&number).is_err() {
            return true;
        }
        if game.class() != Class::Plain || !game.has_all_tags() {
            return false;
        }
        let Some(line) = Line::of_columns(game, &mut reader.tree) else {
            return false;
        };
        let compared = Compared::new(number, reader.tags(game), line, 0, game.result());
        found.0.push(compared);
        true
    }

    fn add(found: &mut Comparisons, mut other: Comparisons) {
        found.0.append(&mut other.0);
    }
}

/// Settings of the last pass.
#[derive(Clone, Copy)]
pub(super) struct Lister<'d> {
    pub(super) duplicates: &'d [Duplicate],
    pub(super) variants: &'d VariantNames,
    pub(super) writes: bool,
    pub(super) leaves_out_near: bool,
}

#[derive(Default)]
pub(super) struct Listed {
    pub(super) rows: Vec<Named>,
    pub(super) text: Vec<u8>,
    pub(super) n_written: u64,
}

/// Duplicate with the tags that the list shows.
pub(super) struct Named {
    pub(super) duplicate: Duplicate,
    pub(super) players: [String; 2],
    pub(super) date: String,
    pub(super) result: GameResult,
}

impl Results for Listed {}

impl Named {
    fn new(duplicate: Duplicate, tags: Tags<'_>, result: GameResult) -> Named {
        Named {
            duplicate,
            players: Color::ALL.map(|color| decode(&tags.player(color)).into_owned()),
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

impl Look for Lister<'_> {
    type Found = Listed;

    fn read(&self, reader: &mut Reader, raw: &RawGame<'_>, number: u64, listed: &mut Listed) {
        let duplicate = self.duplicate(number);
        if let Some(duplicate) = duplicate
            && let Some((tags, tree)) = reader.read(raw, self.variants)
        {
            let named = Named::new(duplicate, *tags, tree.result());
            listed.rows.push(named);
        }
        let is_kept =
            duplicate.is_none_or(|duplicate| duplicate.kind == Kind::Near && !self.leaves_out_near);
        if self.writes && is_kept {
            listed.text.extend_from_slice(raw.text);
            listed.text.extend_from_slice(b"\n\n");
            listed.n_written += 1;
        }
    }

    fn know(&self, reader: &mut Reader, game: Game<'_>, number: u64, listed: &mut Listed) -> bool {
        if self.writes {
            return false;
        }
        if let Some(duplicate) = self.duplicate(number) {
            let named = Named::new(duplicate, reader.tags(game), game.result());
            listed.rows.push(named);
        }
        true
    }

    fn add(listed: &mut Listed, mut other: Listed) {
        listed.rows.append(&mut other.rows);
        listed.rows.sort_by_key(|named| named.duplicate.number);
        listed.text.append(&mut other.text);
        listed.n_written += other.n_written;
    }
}
