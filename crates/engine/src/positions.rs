//! The searched positions of the current game, numbered as by `positionid`, and the positions
//! imagined from them.
//!
//! A position is imagined while an unplayed move is tried, or by changing another position. It
//! exists only as long as it is evaluated, so it needs no permanent memory; filters evaluated there
//! see it with the positions that it was imagined from. Its id is greater than those of the game
//! and is never used again in that game, so a stored id cannot refer to another position.

use std::cell::{Cell, OnceCell};

use board::{CastlingRights, CastlingSetup, Color, Move, Position, Rules, Situation, SquareSet};
use compiler::program::Program;
use pgn::Searched;

/// The searched part of a game tree in pre-order, with ids as the evaluator stores them, and the
/// positions imagined at the moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Positions<'a> {
    searched: Searched<'a>,
    /// The positions by id, if they are contiguous and none is imagined. All methods are plain
    /// arithmetic then.
    line: Option<&'a [Position]>,
    /// The position that was imagined last.
    imagined: Option<&'a Imagined<'a>>,
    /// The imagined positions that are kept, if the program keeps any.
    saved: Option<&'a Saved>,
}

/// Imagined positions that outlast the filters that created them, with all the positions that they
/// were imagined from.
#[derive(Debug)]
pub(crate) struct Saved {
    places: Box<[OnceCell<Imagined<'static>>]>,
    n: Cell<usize>,
}

impl Saved {
    /// Reserves room for the positions that a program keeps, if it keeps any.
    pub(crate) fn of(program: &Program) -> Option<Saved> {
        (program.saves_positions).then(|| Saved::new(program.settings.limits.saved))
    }

    /// Reserves room for `most` positions, at most [`Saved::MOST`].
    fn new(most: u64) -> Saved {
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(Saved::MOST);
        Saved { places: (0..most).map(|_| OnceCell::new()).collect(), n: Cell::new(0) }
    }

    /// Largest number of positions kept, since each one is found by a linear search.
    pub(crate) const MOST: usize = 10_000;

    fn find(&self, id: u32) -> Option<&Imagined<'static>> {
        let mut kept = self.places[..self.n.get()].iter().filter_map(OnceCell::get);
        kept.find(|kept| kept.id == id)
    }

    /// Keeps a position. Returns `false` if there is no room.
    fn keep(&self, imagined: &Imagined<'_>) -> bool {
        let Some(place) = self.places.get(self.n.get()) else {
            return false;
        };
        let _ = place.set(Imagined {
            id: imagined.id,
            position: imagined.position,
            origin: imagined.origin,
            has_rights: imagined.has_rights,
            declares_rights: imagined.declares_rights,
            parent: imagined.parent,
            played: imagined.played,
            ply: imagined.ply,
            depth: imagined.depth,
            outer: None,
        });
        self.n.set(self.n.get() + 1);
        true
    }
}

/// Relation of an imagined position to the position that it was imagined from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// It follows after an unplayed move.
    Move(Move),
    /// It comes before a move that leads to the other position.
    Reverse(Move),
    /// It differs in the content of these squares, in the side to move or in rights.
    Changes(SquareSet),
}

/// A position that is not part of the game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Imagined<'a> {
    id: u32,
    position: Position,
    origin: Origin,
    /// Whether the castling rights are those of the position itself, whatever was moved in the
    /// game.
    has_rights: bool,
    /// Whether the castling rights are among the changes.
    declares_rights: bool,
    /// The position that it was imagined from: one of the game, or imagined.
    parent: u32,
    /// The last position of the game on the way to it.
    played: u32,
    ply: u32,
    depth: u32,
    /// The position that was imagined before it.
    outer: Option<&'a Imagined<'a>>,
}

impl<'a> Imagined<'a> {
    /// Returns the board, the side to move and the rest of the state.
    #[inline]
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the imagined position with this id, if it exists at the moment.
    fn find(&'a self, id: u32) -> Option<&'a Imagined<'a>> {
        let mut this = self;
        // positions imagined before have lower ids
        while this.id > id {
            this = this.outer?;
        }
        (this.id == id).then_some(this)
    }
}

impl<'a> Positions<'a> {
    pub(crate) fn new(searched: Searched<'a>) -> Positions<'a> {
        Positions { searched, line: searched.positions(), imagined: None, saved: None }
    }

    /// Adds the positions that are kept, if there may be any.
    pub(crate) fn with_saved(self, saved: Option<&'a Saved>) -> Positions<'a> {
        match saved {
            None => self,
            Some(_) => Positions { line: None, saved, ..self },
        }
    }

    /// Keeps an imagined position and those that it was imagined from. Returns `false` if there is
    /// no room.
    pub(crate) fn save(&self, id: u32) -> bool {
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(imagined) = self.imagined(id) else {
                break;
            };
            if !self.is_saved(id) && !self.saved.is_some_and(|saved| saved.keep(imagined)) {
                return false;
            }
            next = Some(imagined.parent);
        }
        true
    }

    /// Whether an imagined position is kept until the end of the game.
    pub(crate) fn is_saved(&self, id: u32) -> bool {
        self.saved.is_some_and(|saved| saved.find(id).is_some())
    }

    /// Imagines the position `position` after a move that is tried in the position `parent`.
    #[inline]
    pub(crate) fn imagine(
        &self,
        (id, parent): (u32, u32),
        position: Position,
        mv: Move,
    ) -> Imagined<'a> {
        Imagined {
            id,
            position,
            origin: Origin::Move(mv),
            has_rights: self.has_rights(parent),
            declares_rights: false,
            parent,
            played: self.played(parent),
            ply: self.ply(parent) + 1,
            depth: self.depth(parent),
            outer: self.imagined,
        }
    }

    /// Imagines a position that comes from `parent` in another way than by a move.
    pub(crate) fn imagine_from(
        &self,
        (id, parent): (u32, u32),
        position: Position,
        origin: Origin,
        has_rights: bool,
    ) -> Imagined<'a> {
        let ply = self.ply(parent);
        Imagined {
            id,
            position,
            origin,
            has_rights: has_rights || self.has_rights(parent),
            declares_rights: has_rights && matches!(origin, Origin::Changes(_)),
            parent,
            played: self.played(parent),
            ply: match origin {
                Origin::Move(_) => ply + 1,
                Origin::Reverse(_) => ply.saturating_sub(1),
                Origin::Changes(_) => ply,
            },
            depth: self.depth(parent),
            outer: self.imagined,
        }
    }

    /// Returns how a position was imagined, and from which one; `None` for a position of the game.
    pub(crate) fn origin(&self, id: u32) -> Option<(Origin, u32)> {
        let imagined = self.imagined(id)?;
        Some((imagined.origin, imagined.parent))
    }

    /// Whether the castling rights of a position are those stored in it.
    #[inline]
    pub(crate) fn has_rights(&self, id: u32) -> bool {
        self.imagined(id).is_some_and(|imagined| imagined.has_rights)
    }

    /// Adds an imagined position.
    #[inline]
    pub(crate) fn with<'b>(self, imagined: &'b Imagined<'b>) -> Positions<'b>
    where
        'a: 'b,
    {
        Positions {
            searched: self.searched,
            line: None,
            imagined: Some(imagined),
            saved: self.saved,
        }
    }

    /// Returns the imagined position with this id; `None` for a position of the game.
    #[inline]
    fn imagined(&self, id: u32) -> Option<&'a Imagined<'a>> {
        let found = self.imagined.and_then(|last| last.find(id));
        match (found, self.saved) {
            (None, Some(saved)) if self.is_imagined(id) => {
                saved.find(id).map(|saved| -> &Imagined<'a> { saved })
            }
            _ => found,
        }
    }

    /// Whether the position is not part of the game.
    #[inline]
    pub(crate) fn is_imagined(&self, id: u32) -> bool {
        id >= self.len()
    }

    /// Whether no position is imagined at the moment and none is kept.
    #[inline]
    pub(crate) fn are_played(&self) -> bool {
        self.imagined.is_none() && self.saved.is_none()
    }

    /// Returns the position itself, or the position of the game that it was imagined from.
    #[inline]
    pub(crate) fn played(&self, id: u32) -> u32 {
        self.imagined(id).map_or(id, |imagined| imagined.played)
    }

    /// Returns the number of positions in the game.
    pub(crate) fn len(&self) -> u32 {
        self.searched.len() as u32
    }

    /// Returns the rules of the game.
    #[inline]
    pub(crate) fn rules(&self) -> Rules {
        self.searched.tree().rules()
    }

    /// Whether the side to move is in check by the rules of the game, in the position with this id.
    #[inline]
    pub(crate) fn is_check(&self, id: u32, position: &Position) -> bool {
        match self.rules() {
            Rules::Chess => position.is_check(),
            _ => self.situation(id).is_check(),
        }
    }

    /// Returns a position with the rules of the game.
    #[cold]
    pub(crate) fn situation(&self, id: u32) -> Situation {
        // The state of an imagined position is computed from the game on, since none is stored for
        // it.
        let Some((origin, parent)) = self.origin(id) else {
            return (self.searched.tree()).situation(self.searched.node(id as usize));
        };
        let mut there = self.situation(parent);
        match origin {
            Origin::Move(mv) => there = there.play(mv),
            Origin::Reverse(_) => {
                if there.is_check() {
                    let left = &mut there.extra.checks_left[(!there.position.turn).index()];
                    *left = left.saturating_add(1);
                }
            }
            Origin::Changes(squares) => there.extra.promoted -= squares,
        }
        let position = *self.position(id);
        let declares = self.imagined(id).is_some_and(|imagined| imagined.declares_rights);
        let of_game = self.castling_setup().filter(|_| declares);
        let left = |setup: CastlingSetup| match (of_game, origin) {
            (Some(of_game), _) => of_game.left(position.castling, &position.board),
            (None, Origin::Changes(squares)) => {
                setup.left(setup.rights_without(squares), &position.board)
            }
            (None, _) => setup.left(setup.rights(), &position.board),
        };
        let setup = there.setup.map(left);
        let position = match setup {
            None => position,
            // Declared rights are in the setup now.
            Some(_) => Position { castling: CastlingRights::NONE, ..position },
        };
        Situation { position, setup, ..there }
    }

    /// Returns the castling setup (the start squares of kings and rooks) if the game is Chess960 or
    /// a variant that starts like it.
    #[inline]
    pub(crate) fn castling_setup(&self) -> Option<&'a CastlingSetup> {
        let setup = self.searched.castling_setup();
        setup.filter(|setup| setup.is_declared())
    }

    /// Returns the positions by id if they are contiguous, as in a game without variations.
    #[inline]
    pub(crate) fn line(&self) -> Option<&'a [Position]> {
        self.line
    }

    /// Returns the board, the side to move and the rest of the state.
    #[inline]
    pub(crate) fn position(&self, id: u32) -> &'a Position {
        match self.line {
            Some(line) => &line[id as usize],
            None => match self.imagined(id) {
                Some(imagined) => &imagined.position,
                None => self.searched.position(id as usize),
            },
        }
    }

    /// Returns the move that led to a position; `None` for the first position.
    #[inline]
    pub(crate) fn mv(&self, id: u32) -> Option<Move> {
        if self.line.is_some() {
            return self.searched.tree().move_to(id as usize);
        }
        match self.imagined(id) {
            Some(imagined) => match imagined.origin {
                Origin::Move(mv) => Some(mv),
                Origin::Reverse(_) | Origin::Changes(_) => None,
            },
            None => self.searched.move_to(id as usize),
        }
    }

    /// Returns the move that led to a position, or that was taken back to get there.
    #[inline]
    pub(crate) fn mv_or_reverse(&self, id: u32) -> Option<Move> {
        if self.line.is_none()
            && let Some(imagined) = self.imagined(id)
        {
            return match imagined.origin {
                Origin::Move(mv) | Origin::Reverse(mv) => Some(mv),
                Origin::Changes(_) => None,
            };
        }
        self.mv(id)
    }

    /// Returns the previous position, or the one that the position was imagined from.
    #[inline]
    pub(crate) fn parent(&self, id: u32) -> Option<u32> {
        if self.line.is_some() {
            return id.checked_sub(1);
        }
        if let Some(imagined) = self.imagined(id) {
            return Some(imagined.parent);
        }
        self.searched.parent(id as usize).map(|id| id as u32)
    }

    /// Returns the first continuation.
    #[inline]
    pub(crate) fn first_child(&self, id: u32) -> Option<u32> {
        (id + 1 < self.end(id)).then_some(id + 1)
    }

    /// Iterates over the continuations in order.
    pub(crate) fn children(&self, id: u32) -> impl Iterator<Item = u32> + use<'a> {
        let positions = *self;
        let end = self.end(id);
        std::iter::successors(self.first_child(id), move |&child| {
            let next = positions.end(child);
            (next < end).then_some(next)
        })
    }

    /// Whether one of the moves that follow in the game satisfies `is_it`.
    #[inline]
    pub(crate) fn goes_on_by(&self, id: u32, is_it: impl Fn(Move) -> bool) -> bool {
        let is_it = |child| self.mv(child).is_some_and(&is_it);
        match self.line {
            Some(line) => id as usize + 1 < line.len() && is_it(id + 1),
            None => self.children(id).any(is_it),
        }
    }

    /// Returns the first position of a line, from `from` on, that no move satisfying `is_it`
    /// follows.
    pub(crate) fn first_not_followed_by(&self, from: u32, is_it: impl Fn(Move) -> bool) -> u32 {
        let following = self.searched.tree().moves_from(from as usize + 1);
        let n_followed = following.take_while(|mv| is_it(*mv)).count();
        from + n_followed as u32
    }

    /// Returns the first id after the position and all its descendants. In the game, an imagined
    /// position has no descendants.
    #[inline]
    pub(crate) fn end(&self, id: u32) -> u32 {
        if let Some(line) = self.line {
            return line.len() as u32;
        }
        if self.imagined(id).is_some() {
            return id + 1;
        }
        self.searched.subtree_end(id as usize) as u32
    }

    /// Returns 0 for the first continuation of its parent, and for an imagined position.
    #[inline]
    pub(crate) fn sibling_index(&self, id: u32) -> u32 {
        if self.line.is_some() || self.imagined(id).is_some() {
            return 0;
        }
        self.searched.sibling(id as usize) as u32
    }

    /// Returns the number of moves since the start.
    #[inline]
    pub(crate) fn ply(&self, id: u32) -> u32 {
        if self.line.is_some() {
            return id;
        }
        match self.imagined(id) {
            Some(imagined) => imagined.ply,
            None => self.searched.ply(id as usize) as u32,
        }
    }

    /// Returns the number of the next move, as it is written.
    pub(crate) fn move_number(&self, id: u32) -> i32 {
        let ply = self.ply(id) as i32;
        let white_began = self.position(0).turn == Color::White;
        let white_moves = self.position(id).turn == Color::White;
        match (white_began, white_moves) {
            (false, true) => (ply + 1) / 2 + 1,
            _ => ply / 2 + 1,
        }
    }

    /// Returns the number of moves on the way that are not first continuations.
    #[inline]
    pub(crate) fn depth(&self, id: u32) -> u32 {
        if self.line.is_some() {
            return 0;
        }
        match self.imagined(id) {
            Some(imagined) => imagined.depth,
            None => self.searched.depth(id as usize) as u32,
        }
    }

    /// Returns the node of the game tree; `None` for an imagined position, which is in no file.
    pub(crate) fn node(&self, id: u32) -> Option<usize> {
        (!self.is_imagined(id)).then(|| self.searched.node(id as usize))
    }

    /// Whether `ancestor` comes before `descendant` on the way from the start.
    pub(crate) fn is_ancestor(&self, ancestor: u32, descendant: u32) -> bool {
        if let Some(imagined) = self.imagined(descendant) {
            return ancestor == imagined.parent || self.is_ancestor(ancestor, imagined.parent);
        }
        ancestor < descendant && descendant < self.end(ancestor)
    }

    /// Returns the last position on the ways to both positions.
    pub(crate) fn lca(&self, a: u32, b: u32) -> u32 {
        let (mut low, high) = (a.min(b), a.max(b));
        while low != high && !self.is_ancestor(low, high) {
            low = self.parent(low).unwrap_or(0);
        }
        low
    }
}
