//! The game that is being searched: each part of it is read once, when the first query asks.

use flow::{FaultKind, Output, Results};
use pgn::doctor::{Examiner, Loss};
use pgn::{GameTree, OtherVariant, RawGame, SearchTree, Searched, TagIndex, Tags, Variant};

use super::Given;

/// A game as far as it has been read. Its memory is used again for the next one.
#[derive(Debug, Default)]
pub(super) struct CurrentGame {
    tags: TagIndex,
    tree: GameTree,
    moves: Moves,
    /// The numbering of the positions without variations, and with them.
    orders: [Order; 2],
    /// Stands in for the moves of a game of which only the tags are known.
    unread: (SearchTree, GameTree),
    /// Finds out what is wrong with moves.
    examiner: Examiner,
}

#[derive(Debug, Default)]
struct Order {
    search: SearchTree,
    is_built: bool,
}

/// What is known of the moves.
#[derive(Debug, Default, PartialEq, Eq)]
enum Moves {
    /// Nobody has asked for them.
    #[default]
    Unread,
    Read,
    /// They follow the rules of a variant that is not known here: its name.
    Foreign(String),
}

impl CurrentGame {
    /// Begins with the next game; `text` is its clean text.
    pub(super) fn start(&mut self, raw: &RawGame<'_>, text: &[u8]) {
        self.tags.scan_game(raw, text);
        self.moves = Moves::Unread;
        for order in &mut self.orders {
            order.is_built = false;
        }
    }

    /// The tags; `text` is that of [`CurrentGame::start`].
    pub(super) fn tags<'a>(&'a self, text: &'a [u8]) -> Tags<'a> {
        self.tags.tags(text)
    }

    /// The moves, if they have been read.
    pub(super) fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// Reads the moves and numbers the positions. Whether that could be done: the rules may be
    /// unknown.
    pub(super) fn read_moves(&mut self, text: &[u8], variations: bool) -> bool {
        if self.moves == Moves::Unread {
            self.moves = self.parse(text);
        }
        if self.moves != Moves::Read {
            return false;
        }
        let order = &mut self.orders[usize::from(variations)];
        if !order.is_built {
            order.search.build(&self.tree, variations);
            order.is_built = true;
        }
        true
    }

    fn parse(&mut self, text: &[u8]) -> Moves {
        let tags = self.tags.tags(text);
        let variant = tags.variant();
        if let Variant::Other(other) = variant
            && other != OtherVariant::Unknown
        {
            return Moves::Foreign(other.to_string());
        }
        self.tree.parse(tags);
        // A name that is not known may be one of the normal game: the moves decide.
        if matches!(variant, Variant::Other(_)) && self.tree.illegal_move_at().is_some() {
            let name = tags.raw(b"Variant").unwrap_or_default();
            return Moves::Foreign(pgn::decode(name).into_owned());
        }
        Moves::Read
    }

    /// The name of the variant, if somebody asked for the moves and its rules are unknown.
    pub(super) fn foreign_rules(&self) -> Option<&str> {
        match &self.moves {
            Moves::Foreign(name) => Some(name),
            Moves::Unread | Moves::Read => None,
        }
    }

    /// Notes what of the moves could not be read, if somebody asked for them.
    #[inline]
    pub(super) fn report_loss<R: Results>(&mut self, given: Given<'_>, out: &mut Output<R>) {
        if self.moves == Moves::Read && self.tree.may_lack_moves() {
            self.find_loss(given, out);
        }
    }

    #[cold]
    fn find_loss<R: Results>(&mut self, given: Given<'_>, out: &mut Output<R>) {
        let Given { raw, text, number } = given;
        let loss = match out.is_told_enough() {
            true => {
                let n_moves = self.tree.n_lost_moves(text);
                let is_loss = n_moves > 0 || self.tree.lacks_words();
                is_loss.then_some((n_moves, 0, String::new()))
            }
            false => {
                let loss = self.examiner.loss(&self.tree, self.tags.tags(text));
                loss.map(|Loss { at, what, n_moves }| (n_moves, at, what))
            }
        };
        let Some((n_moves, at, what)) = loss else {
            return;
        };
        if let Some(bracket) = self.tree.bracket_at() {
            out.unsay(number, raw.offset + bracket as u64);
        }
        let (kind, message) = match n_moves {
            0 => (FaultKind::Repaired, what),
            1 => (FaultKind::Cut, format!("{what}; 1 move is not read")),
            n => (FaultKind::Cut, format!("{what}; {n} moves are not read")),
        };
        out.fault_at(number, raw.offset + at as u64, kind, message);
    }

    /// The searched positions: just one, of no meaning, before they have been numbered.
    pub(super) fn searched(&self, variations: bool) -> Searched<'_> {
        let order = &self.orders[usize::from(variations)];
        match order.is_built {
            true => order.search.of(&self.tree),
            false => self.unread.0.of(&self.unread.1),
        }
    }
}
