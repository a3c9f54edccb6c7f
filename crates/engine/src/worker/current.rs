//! The game being searched; each part of it is read once, when the first query needs it.

use compiler::program::Settings;
use flow::{FaultKind, Output, ReadError, Results};
use pgn::doctor::{Examiner, Loss};
use pgn::{
    GameTree, LossKind, OtherVariant, RawGame, RulesRead, SearchTree, Searched, TagIndex, Tags,
    TextTags, VariantNames,
};

use super::known::RequestedParts;
use super::lost::report_lost_moves;
use crate::record::{KnownGame, Record, RecordTags, TextError};

/// A game as a worker receives it.
#[derive(Clone, Copy)]
pub(crate) struct GameInput<'a> {
    pub(crate) number: u64,
    pub(crate) data: GameData<'a>,
}

/// Text or parts of a game that a worker receives.
#[derive(Clone, Copy)]
pub(crate) enum GameData<'a> {
    /// The game's text as in the input, and the text cleaned for the parser.
    Text(&'a RawGame<'a>, &'a [u8]),
    /// A game that was read before.
    Known(&'a dyn KnownGame),
}

impl<'a> GameInput<'a> {
    /// Returns the byte offset of the game's text in its source.
    pub(super) fn offset(self) -> u64 {
        match self.data {
            GameData::Text(raw, _) => raw.offset,
            GameData::Known(game) => game.offset(),
        }
    }

    /// Returns the game's text for the parser, if it was given or fetched.
    fn text(self, fetched: &'a Fetched) -> &'a [u8] {
        match self.data {
            GameData::Text(_, text) => text,
            GameData::Known(_) => fetched.text(),
        }
    }
}

/// The parts of a game read so far. Its memory is reused for the next game.
#[derive(Debug, Default)]
pub(super) struct CurrentGame {
    /// Index of the tags in the text.
    tags: TagIndex,
    tree: GameTree,
    moves: MovesState,
    /// Numbering of the positions without variations, and with them.
    orders: [Order; 2],
    /// An empty game, used in place of the moves of a game of which only the tags are known.
    unread: (SearchTree, GameTree),
    /// The text of a game that was given without it.
    fetched: Fetched,
    /// Finds errors in moves.
    examiner: Examiner,
    /// Text in a tag line that is not read and therefore missing from the written game.
    lost_tag: Option<(usize, LossKind)>,
    /// Name of the unknown variant of a game that has been read by the rules of chess.
    assumed: Option<String>,
}

#[derive(Debug, Default)]
struct Order {
    search: SearchTree,
    is_built: bool,
}

/// State of the moves.
#[derive(Debug, Default, PartialEq, Eq)]
enum MovesState {
    /// No query has needed the moves.
    #[default]
    Unread,
    /// The moves have been read without comments and NAGs.
    Bare,
    Read,
    /// The moves follow the rules of an unsupported variant, with this name.
    Foreign(String),
    /// The FEN tag is no legal start, for this reason.
    Impossible(String),
}

/// A text that was fetched on demand.
#[derive(Debug, Default)]
struct Fetched {
    /// The text as in the source; empty if it has not been fetched.
    raw: Vec<u8>,
    /// The text cleaned for the parser; empty if that is the same.
    clean: Vec<u8>,
}

impl Fetched {
    fn clear(&mut self) {
        self.raw.clear();
        self.clean.clear();
    }

    fn text(&self) -> &[u8] {
        if self.clean.is_empty() { &self.raw } else { &self.clean }
    }
}

impl CurrentGame {
    /// Starts with the next game.
    pub(super) fn start(&mut self, given: GameInput<'_>) {
        match given.data {
            GameData::Text(raw, text) => self.tags.scan_game(raw, text),
            GameData::Known(_) => self.fetched.clear(),
        }
        self.moves = MovesState::Unread;
        self.lost_tag = None;
        self.assumed = None;
        for order in &mut self.orders {
            order.is_built = false;
        }
    }

    /// Returns the tags of the game, as far as they are available.
    pub(super) fn tags<'a>(&'a self, given: GameInput<'a>) -> Tags<'a> {
        match given.data {
            GameData::Known(game) if self.fetched.raw.is_empty() => game.tags(),
            GameData::Text(..) | GameData::Known(_) => *self.text(given),
        }
    }

    /// Returns the game's text with its tags, as far as they are available.
    pub(super) fn text<'a>(&'a self, given: GameInput<'a>) -> TextTags<'a> {
        self.tags.tags(given.text(&self.fetched))
    }

    /// Returns tags, result and comments of the game, as far as they are available.
    pub(super) fn record<'a>(&'a self, given: GameInput<'a>) -> Record<'a> {
        Record {
            number: given.number,
            tags: match given.data {
                GameData::Known(game) if self.fetched.raw.is_empty() => RecordTags::Kept(game),
                GameData::Text(..) | GameData::Known(_) => RecordTags::Here(*self.text(given)),
            },
            tree: (self.moves != MovesState::Unread).then_some(&self.tree),
            text: given.text(&self.fetched),
            raw_text: match given.data {
                GameData::Text(raw, _) => raw.text,
                GameData::Known(_) => &self.fetched.raw,
            },
        }
    }

    /// Returns the moves, if they have been read.
    pub(super) fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// Reads the moves and numbers the positions. Returns `false` if that is impossible, such as
    /// for a variant whose rules are unknown.
    pub(super) fn read_moves(
        &mut self,
        given: GameInput<'_>,
        wanted: RequestedParts,
        settings: &Settings,
    ) -> Result<bool, ReadError> {
        let variations = settings.variations;
        match given.data {
            GameData::Text(_, text) => {
                if self.moves == MovesState::Unread {
                    self.moves = self.parse(text, &settings.variants);
                }
                if self.moves != MovesState::Read {
                    return Ok(false);
                }
            }
            GameData::Known(game) => self.recall(game, wanted)?,
        }
        let order = &mut self.orders[usize::from(variations)];
        if !order.is_built {
            order.search.build(&self.tree, variations);
            order.is_built = true;
        }
        Ok(true)
    }

    fn parse(&mut self, text: &[u8], names: &VariantNames) -> MovesState {
        let tags = self.tags.tags(text);
        let variant = names.variant_of(tags);
        self.tree.parse_as(tags, variant);
        let name = || pgn::decode(tags.raw(b"Variant").unwrap_or_default()).into_owned();
        match self.tree.rules_read(tags, variant) {
            RulesRead::Named(_) => {}
            RulesRead::Assumed => self.assumed = Some(name()),
            RulesRead::Unknown(OtherVariant::Unknown) => return MovesState::Foreign(name()),
            RulesRead::Unknown(other) => return MovesState::Foreign(other.to_string()),
        }
        match self.tree.impossible_start(tags) {
            Some(error) => MovesState::Impossible(format!(
                "the FEN tag is no position: {error}; it is left out"
            )),
            None => MovesState::Read,
        }
    }

    /// Fetches the text if tags in `wanted` are missing.
    #[inline]
    pub(super) fn read_tags(
        &mut self,
        given: GameInput<'_>,
        wanted: RequestedParts,
    ) -> Result<(), ReadError> {
        match given.data {
            GameData::Known(game) if wanted.all_tags && !game.has_all_tags() => self.fetch(game),
            GameData::Text(..) | GameData::Known(_) => Ok(()),
        }
    }

    /// Reads the parts of the game in `wanted` that are missing.
    pub(super) fn complete(
        &mut self,
        given: GameInput<'_>,
        wanted: RequestedParts,
    ) -> Result<(), ReadError> {
        match given.data {
            GameData::Text(..) => Ok(()),
            GameData::Known(game) => self.recall(game, wanted),
        }
    }

    /// Reads the parts in `wanted` of a game that was read before, if they are missing.
    fn recall(&mut self, game: &dyn KnownGame, wanted: RequestedParts) -> Result<(), ReadError> {
        if wanted.takes_text(game) {
            self.fetch(game)?;
        }
        let annotations = wanted.annotations && game.is_annotated();
        let was_bare = self.moves == MovesState::Bare;
        if annotations && self.moves != MovesState::Read {
            let n_nodes = self.tree.len();
            self.tree.parse(self.tags.tags(self.fetched.text()));
            if was_bare && self.tree.len() != n_nodes {
                return Err(TextError::OtherMoves.into());
            }
            self.moves = MovesState::Read;
        } else if self.moves == MovesState::Unread {
            game.build(&mut self.tree)?;
            self.moves = if game.is_annotated() { MovesState::Bare } else { MovesState::Read };
        }
        Ok(())
    }

    /// Reads the text of a game that was read before, unless it has been fetched already.
    fn fetch(&mut self, game: &dyn KnownGame) -> Result<(), ReadError> {
        let Fetched { raw, clean } = &mut self.fetched;
        if !raw.is_empty() {
            return Ok(());
        }
        game.read_text(raw)?;
        let only = RawGame::exactly(raw).ok_or(TextError::NoGame)?;
        self.tags.scan_game(&only, only.clean_text(clean));
        Ok(())
    }

    /// Records text in a tag line that is missing from the written game.
    pub(super) fn note_lost_tag(&mut self, lost: Option<(usize, LossKind)>) {
        self.lost_tag = self.lost_tag.or(lost);
    }

    /// Reports text in a tag line that is missing from the written game, unless the splitter has
    /// found it.
    #[cold]
    fn report_lost_tag<R: Results>(&self, given: GameInput<'_>, out: &mut Output<R>) {
        if let (GameData::Text(raw, _), Some((at, kind))) = (given.data, self.lost_tag)
            && raw.losses.iter().all(|loss| loss.kind != kind)
        {
            let offset = given.offset() + at as u64;
            out.fault_at(given.number, offset, FaultKind::Repaired, kind.to_string());
        }
    }

    /// Reports parts of the game that could not be read, if a query needed its moves.
    #[inline]
    pub(super) fn report_loss<R: Results>(&mut self, given: GameInput<'_>, out: &mut Output<R>) {
        if self.lost_tag.is_some() {
            self.report_lost_tag(given, out);
        }
        if let Some(name) = self.assumed.take() {
            out.fault_at(given.number, given.offset(), FaultKind::Assumed, name);
        }
        match &self.moves {
            MovesState::Foreign(name) => {
                let name = name.clone();
                out.fault_at(given.number, given.offset(), FaultKind::Variant, name);
            }
            MovesState::Read if self.tree.may_lack_moves() || self.tree.may_lack_more() => {
                let tags = self.tags.tags(given.text(&self.fetched));
                let place = (given.number, given.offset());
                report_lost_moves(&mut self.examiner, &self.tree, tags, place, out);
                self.find_other_losses(given, out);
            }
            MovesState::Impossible(message) => {
                let message = message.clone();
                out.fault_at(given.number, given.offset(), FaultKind::Skipped, message);
            }
            _ => {}
        }
    }

    /// Reports parts other than moves that are not read.
    #[cold]
    fn find_other_losses<R: Results>(&mut self, given: GameInput<'_>, out: &mut Output<R>) {
        // For a game given without its text, everything is known except the text of the result.
        if matches!(given.data, GameData::Known(_)) && self.fetched.raw.is_empty() {
            return;
        }
        let text = given.text(&self.fetched);
        for Loss { at, what, .. } in self.tree.other_losses(self.tags.tags(text)) {
            let offset = given.offset() + at as u64;
            out.fault_at(given.number, offset, FaultKind::Repaired, what);
        }
    }

    /// Returns the searched positions; a single meaningless one before the positions have been
    /// numbered.
    pub(super) fn searched(&self, variations: bool) -> Searched<'_> {
        let order = &self.orders[usize::from(variations)];
        if order.is_built { order.search.of(&self.tree) } else { self.unread.0.of(&self.unread.1) }
    }
}
