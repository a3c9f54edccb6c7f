//! Summarizes games, so that queries can exclude a game without replaying it.
//!
//! A query for a mate, a queen on h7 or a rook ending need not search games that never had one. A
//! [`Summary`] answers such questions from a few numbers: the squares that each piece ever stood
//! on, the captures and promotions with their times, and the special moves. A [`Summarizer`] makes
//! a [`GameSummary`] of a parsed game; the columns of an archive contain the same numbers, and
//! answer the same questions.
//!
//! If a summary denies something, it never happens in the game; if it admits several things, they
//! need not happen in the same position. A summary may lack expensive facts, and then denies
//! nothing about them.

mod lookup;
mod pawns;
mod recurrence;
mod replayed;

pub use lookup::{Summary, SummaryTag, player_name};
pub use pawns::any_pawns;
pub use recurrence::{FOLLOWED, recurs};
pub use replayed::TreeSummary;

use std::ops::ControlFlow;

use board::{Board, CastlingRights, Color, Move, Piece, Position, Role, Square, SquareSet};

use crate::tags::Tags;
use crate::tree::{GameTree, TreeStep};
use crate::values::{Date, GameResult};

/// Number of pieces of each of the twelve kinds, by [`Piece::index`].
pub type PieceCounts = [u8; 12];

/// The piece counts at the start of most games.
pub const NORMAL_COUNTS: PieceCounts = [8, 2, 2, 2, 1, 1, 8, 2, 2, 2, 1, 1];

/// A set of squares for each of the twelve pieces, by [`Piece::index`]: a bit for each square.
pub type Reach = [u64; 12];

/// Facts that are known of a game without replaying it, all computed beforehand.
#[derive(Clone, Copy, Debug)]
pub struct GameSummary<'a> {
    /// The values of tags as written. `None` if an archive does not know them, because the text has
    /// bytes that are not UTF-8.
    pub texts: Option<TagTexts<'a>>,
    /// The date of the game.
    pub date: Date,
    /// The ratings of White and Black, 0 if unknown.
    pub ratings: [u16; 2],
    /// Result of the game: the token at the end of the moves, or else the tag.
    pub result: GameResult,
    /// Whether the game begins with a position of its own.
    pub has_fen: bool,
    /// Whether there are variations, even if they are empty.
    pub has_variations: bool,
    /// Whether there are comments or annotation glyphs.
    pub has_annotations: bool,
    /// The pieces at the start, if known.
    pub start: Option<PieceCounts>,
    /// Happenings in the main line.
    pub mainline: Happenings<'a>,
    /// Happenings in the game with its variations.
    pub whole: Happenings<'a>,
    /// Captures and promotions in the order of the moves, see [`any_material`], if known.
    pub material: Option<&'a [u16]>,
    /// The moves as [`MoveCode`](crate::MoveCode)s, if known.
    pub moves: Option<&'a [u16]>,
}

/// Values of tags; `None` for each missing tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names are those of the tags")]
pub struct TagTexts<'a> {
    pub event: Option<&'a [u8]>,
    pub site: Option<&'a [u8]>,
    pub white: Option<&'a [u8]>,
    pub black: Option<&'a [u8]>,
    pub eco: Option<&'a [u8]>,
}

/// Happenings in the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Happenings<'a> {
    /// The things that happen at least once.
    pub kinds: Kinds,
    /// For each piece, the squares that such a piece is on at any time, if known.
    pub reach: Option<&'a Reach>,
    /// Length of the longest line in half-moves, if known.
    pub plies: Option<u16>,
}

/// A set of things that happen in games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kinds(pub u16);

impl Kinds {
    /// A king of the side to move is attacked.
    pub const CHECK: Kinds = Kinds(1);
    /// A king of the side to move is attacked, and there is no legal move.
    pub const MATE: Kinds = Kinds(1 << 1);
    /// There is no legal move, and no king of the side to move is attacked.
    pub const STALEMATE: Kinds = Kinds(1 << 2);
    /// White castles to the king's side.
    pub const WHITE_CASTLES_SHORT: Kinds = Kinds(1 << 3);
    /// White castles to the queen's side.
    pub const WHITE_CASTLES_LONG: Kinds = Kinds(1 << 4);
    /// Black castles to the king's side.
    pub const BLACK_CASTLES_SHORT: Kinds = Kinds(1 << 5);
    /// Black castles to the queen's side.
    pub const BLACK_CASTLES_LONG: Kinds = Kinds(1 << 6);
    /// A pawn is captured en passant.
    pub const EN_PASSANT: Kinds = Kinds(1 << 7);
    /// A side passes the turn.
    pub const NULL_MOVE: Kinds = Kinds(1 << 8);
    /// A piece is captured.
    pub const CAPTURE: Kinds = Kinds(1 << 9);
    /// A pawn is promoted.
    pub const PROMOTION: Kinds = Kinds(1 << 10);
    /// White is to move, is not in check, and has at most one legal move. Like in the kinds below,
    /// castling and captures en passant do not count, and a promotion is one move.
    pub const WHITE_HAS_ONE: Kinds = Kinds(1 << 11);
    /// Black has at most one move in the same way.
    pub const BLACK_HAS_ONE: Kinds = Kinds(1 << 12);
    /// White has at most two moves in the same way.
    pub const WHITE_HAS_TWO: Kinds = Kinds(1 << 13);
    /// Black has at most two moves in the same way.
    pub const BLACK_HAS_TWO: Kinds = Kinds(1 << 14);
    /// Number of bits in use.
    pub const BITS: u32 = 15;
    /// Number of bits in use without the last kinds, which are about few moves.
    pub const FEW: u32 = 11;

    /// Returns the kind of positions in which a side is not in check and has at most `n` moves, if
    /// there is one.
    #[must_use]
    pub const fn of_few_moves(side: Color, n: u32) -> Option<Kinds> {
        match (side, n) {
            (Color::White, 0 | 1) => Some(Kinds::WHITE_HAS_ONE),
            (Color::Black, 0 | 1) => Some(Kinds::BLACK_HAS_ONE),
            (Color::White, 2) => Some(Kinds::WHITE_HAS_TWO),
            (Color::Black, 2) => Some(Kinds::BLACK_HAS_TWO),
            _ => None,
        }
    }

    /// Whether all of the others happen, too.
    #[inline]
    #[must_use]
    pub const fn contains(self, others: Kinds) -> bool {
        self.0 & others.0 == others.0
    }

    fn insert(&mut self, other: Kinds) {
        self.0 |= other.0;
    }

    fn of_castling(mv: Move) -> Kinds {
        match (mv.to().rank() == 0, mv.to().file() == 6) {
            (true, true) => Kinds::WHITE_CASTLES_SHORT,
            (true, false) => Kinds::WHITE_CASTLES_LONG,
            (false, true) => Kinds::BLACK_CASTLES_SHORT,
            (false, false) => Kinds::BLACK_CASTLES_LONG,
        }
    }
}

/// A capture, a promotion or both, or the start or end of a variation, as stored in
/// [`GameSummary::material`].
///
/// The upper byte is the ply of the position after the move, 255 for all plies from there on. In
/// the lower byte, bits 0–2 are the role of a promotion, bits 3–5 the captured role plus one, each
/// 0 for none, and bit 6 is set if Black moves. If bit 7 is set, the event is one of the other
/// constants here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialEvent(pub u16);

impl MaterialEvent {
    /// A variation begins, to a move without an event.
    pub const OPEN: MaterialEvent = MaterialEvent(0x80);
    /// A variation begins, to the move of the event before.
    pub const OPEN_BEFORE: MaterialEvent = MaterialEvent(0x81);
    /// A variation ends.
    pub const CLOSE: MaterialEvent = MaterialEvent(0x82);

    /// Number of different captures and promotions: the lowest seven bits of such an event identify
    /// it.
    pub const N_CHANGES: usize = 1 << 7;

    const BLACK: u16 = 1 << 6;
    const MARK: u16 = 1 << 7;

    /// Returns the event of a move, if it captures or promotes.
    fn of(
        mover: Color,
        captured: Option<Role>,
        promoted: Option<Role>,
        ply: usize,
    ) -> Option<Self> {
        if captured.is_none() && promoted.is_none() {
            return None;
        }
        let captured = captured.map_or(0, |role| role as u16 + 1);
        let promoted = promoted.map_or(0, |role| role as u16);
        let mover = match mover {
            Color::White => 0,
            Color::Black => MaterialEvent::BLACK,
        };
        let ply = ply.min(255) as u16;
        Some(MaterialEvent(promoted | captured << 3 | mover | ply << 8))
    }

    /// Returns the side that moves.
    #[must_use]
    pub fn mover(self) -> Color {
        match self.0 & MaterialEvent::BLACK {
            0 => Color::White,
            _ => Color::Black,
        }
    }

    /// Returns the captured role.
    #[must_use]
    pub fn captured(self) -> Option<Role> {
        let index = usize::from(self.0 >> 3 & 7).checked_sub(1)?;
        Role::ALL.get(index).copied()
    }

    /// Returns the role of the promotion.
    #[must_use]
    pub fn promoted(self) -> Option<Role> {
        let index = usize::from(self.0 & 7);
        Role::ALL.get(index).copied().filter(|_| index > 0)
    }

    /// Returns the ply of the position after the move, 255 for all plies from there on.
    #[must_use]
    pub fn ply(self) -> u16 {
        self.0 >> 8
    }

    /// Applies the move to the counts. Events that occur in no game do no harm.
    fn apply(self, counts: &mut PieceCounts) {
        let mover = self.mover();
        let mut change = |color: Color, role: Role, by: i8| {
            let count = &mut counts[Piece::new(color, role).index()];
            *count = count.saturating_add_signed(by);
        };
        if let Some(role) = self.captured() {
            change(!mover, role, -1);
        }
        if let Some(role) = self.promoted() {
            change(mover, Role::Pawn, -1);
            change(mover, role, 1);
        }
    }
}

/// Whether `test` holds for the pieces of the start, or of the position after an event, and the ply
/// of that position (255 for all plies from there on): between two events nothing changes. Skips
/// variations unless `variations` is set.
pub fn any_material(
    start: PieceCounts,
    events: &[u16],
    variations: bool,
    mut test: impl FnMut(&PieceCounts, u16) -> bool,
) -> bool {
    if test(&start, 0) {
        return true;
    }
    // The current counts, and those before the last event of the line.
    let mut now = (start, start);
    let mut open = Vec::new();
    let mut left_out = 0_usize;
    for &event in events {
        let event = MaterialEvent(event);
        if event.0 & MaterialEvent::MARK == 0 {
            if left_out == 0 {
                now.1 = now.0;
                event.apply(&mut now.0);
                if test(&now.0, event.ply()) {
                    return true;
                }
            }
            continue;
        }
        match event {
            MaterialEvent::CLOSE => {
                if variations {
                    now = open.pop().unwrap_or(now)
                } else {
                    left_out = left_out.saturating_sub(1)
                }
            }
            _ if variations => {
                open.push(now);
                if event == MaterialEvent::OPEN_BEFORE {
                    now.0 = now.1;
                }
            }
            _ => left_out += 1,
        }
    }
    false
}

/// Returns the remaining pieces if all captures of a game happened in one line: no position without
/// promotions has fewer of any kind.
#[must_use]
pub fn least_counts(start: PieceCounts, events: &[u16]) -> PieceCounts {
    let mut counts = start;
    for &event in events {
        let event = MaterialEvent(event);
        if event.0 & MaterialEvent::MARK == 0
            && let Some(role) = event.captured()
        {
            let count = &mut counts[Piece::new(!event.mover(), role).index()];
            *count = count.saturating_sub(1);
        }
    }
    counts
}

/// Computes summaries, with memory that is reused from game to game.
#[derive(Debug, Default)]
pub struct Summarizer {
    moves: Vec<u16>,
    material: Vec<u16>,
    /// Reach in the main line and in the whole game.
    reach: [Reach; 2],
}

impl Summarizer {
    /// Returns the summary of a game. `None` if its moves have no two-byte codes, as in Chess960,
    /// or for other variants.
    pub fn summarize<'a>(&'a mut self, tree: &GameTree, tags: Tags<'a>) -> Option<GameSummary<'a>> {
        self.moves.clear();
        self.material.clear();
        let is_plain = tree.castling_setup().is_none() && tree.rules().are_of_chess();
        if !is_plain || !tree.write_codes(&mut self.moves) {
            return None;
        }
        let (mainline, whole) = if tree.is_linear() {
            let walk = self.walk_line(tree);
            (walk, walk)
        } else {
            (mainline(tree), self.walk_tree(tree))
        };
        self.reach = [mainline, whole].map(|walk| walk.reach.map(|squares| squares.0));
        let happenings = |walk: &Walk, reach| Happenings {
            kinds: walk.kinds,
            reach: Some(reach),
            plies: Some(walk.plies),
        };
        Some(GameSummary {
            texts: Some(TagTexts {
                event: tags.raw(b"Event"),
                site: tags.raw(b"Site"),
                white: tags.raw(b"White"),
                black: tags.raw(b"Black"),
                eco: tags.raw(b"ECO"),
            }),
            date: tags.date(),
            ratings: Color::ALL.map(|color| tags.rating(color).value),
            result: tree.result(),
            has_fen: tree.has_fen(),
            has_variations: !tree.is_linear(),
            has_annotations: tree.has_annotations(),
            start: Some(counts(&tree.positions()[0].board)),
            mainline: happenings(&mainline, &self.reach[0]),
            whole: happenings(&whole, &self.reach[1]),
            material: Some(&self.material),
            moves: Some(&self.moves),
        })
    }

    /// Summarizes a game without variations.
    fn walk_line(&mut self, tree: &GameTree) -> Walk {
        let mut walk = Walk::at_start(tree);
        let positions = tree.positions();
        for (node, pair) in (1..).zip(positions.windows(2)) {
            let [before, after] = pair else {
                continue;
            };
            let Some(mv) = tree.move_to(node) else {
                continue;
            };
            if mv.is_null() && node > 1 {
                walk.see_end(before);
            }
            if let Some(event) = walk.see_move(mv, before, after, node) {
                self.material.push(event.0);
            }
        }
        if let [_, .., last] = positions {
            walk.see_end(last);
            walk.see_ply(positions.len() - 1);
        }
        walk
    }

    /// Summarizes a game with variations, in the order of the text.
    fn walk_tree(&mut self, tree: &GameTree) -> Walk {
        let mut walk = Walk::at_start(tree);
        // The ply of the last move of the line, and whether it has an event; `open` has those of
        // the moves to which variations are open.
        let (mut last, mut open) = ((0_usize, false), Vec::new());
        for step in tree.steps() {
            let event = match step {
                TreeStep::Move(node) => {
                    let ply = last.0 + 1;
                    let event = walk.see(tree, node, ply);
                    last = (ply, event.is_some());
                    event
                }
                TreeStep::Open(_) => {
                    open.push(last);
                    last.0 = last.0.saturating_sub(1);
                    Some(if last.1 { MaterialEvent::OPEN_BEFORE } else { MaterialEvent::OPEN })
                }
                TreeStep::Close => {
                    last = open.pop().unwrap_or(last);
                    Some(MaterialEvent::CLOSE)
                }
            };
            self.material.extend(event.map(|event| event.0));
        }
        walk
    }
}

/// Summarizes the main line of a game with variations.
fn mainline(tree: &GameTree) -> Walk {
    let mut walk = Walk::at_start(tree);
    let line = std::iter::successors(tree.next(0), |&node| tree.next(node));
    for (at, node) in line.enumerate() {
        walk.see(tree, node, at + 1);
    }
    walk
}

/// Least number of moves that are not few.
const MANY_MOVES: u32 = 3;

/// Happenings in the moves summarized so far.
#[derive(Clone, Copy, Default)]
struct Walk {
    kinds: Kinds,
    reach: [SquareSet; 12],
    plies: u16,
}

impl Walk {
    fn at_start(tree: &GameTree) -> Walk {
        let board = &tree.positions()[0].board;
        let mut walk = Walk {
            reach: Piece::ALL.map(|piece| board.pieces(piece.color, piece.role)),
            ..Walk::default()
        };
        walk.see_position(tree, 0);
        walk
    }

    /// Records the move to a node and the position after it, which has this ply.
    fn see(&mut self, tree: &GameTree, node: usize, ply: usize) -> Option<MaterialEvent> {
        let mv = tree.move_to(node)?;
        let positions = tree.positions();
        let (before, after) = (&positions[tree.parent(node)], &positions[node]);
        let event = self.see_move(mv, before, after, ply);
        self.see_ply(ply);
        self.see_continuation(tree, node);
        event
    }

    /// Records the length of a line.
    fn see_ply(&mut self, ply: usize) {
        self.plies = self.plies.max(ply.min(usize::from(u16::MAX)) as u16);
    }

    /// Records a move and the position after it, except for a mate or stalemate.
    #[inline(always)]
    fn see_move(
        &mut self,
        mv: Move,
        before: &Position,
        after: &Position,
        ply: usize,
    ) -> Option<MaterialEvent> {
        let mover = before.turn;
        self.reach_square(mover, mv.placed_role(), mv.to());
        // After the first check, others add nothing.
        if !self.kinds.contains(Kinds::CHECK) && after.is_check() {
            self.kinds.insert(Kinds::CHECK);
        }
        if !after.has_free_moves(MANY_MOVES) {
            self.see_few_moves(after);
        }
        if mv.is_irregular() {
            self.see_special(mv, mover);
        } else if !before.board.occupied().contains(mv.to()) && mv.promotion().is_none() {
            return None;
        }
        let captured = mv.captured_square(&before.board);
        let captured = captured.and_then(|sq| before.board.role_at(sq));
        let promoted = mv.promotion();
        if captured.is_some() {
            self.kinds.insert(Kinds::CAPTURE);
        }
        if promoted.is_some() {
            self.kinds.insert(Kinds::PROMOTION);
        }
        MaterialEvent::of(mover, captured, promoted, ply)
    }

    /// Records the parts of a move beyond a single piece and a capture on its destination.
    #[cold]
    fn see_special(&mut self, mv: Move, mover: Color) {
        if let Some((_, to)) = mv.rook_from_to() {
            self.kinds.insert(Kinds::of_castling(mv));
            self.reach_square(mover, Role::Rook, to);
        }
        if mv.is_null() {
            self.kinds.insert(Kinds::NULL_MOVE);
        }
        if mv.is_en_passant() {
            self.kinds.insert(Kinds::EN_PASSANT);
        }
    }

    #[inline]
    fn reach_square(&mut self, color: Color, role: Role, sq: Square) {
        self.reach[Piece::new(color, role).index()].insert(sq);
    }

    /// Records a position that no move led to.
    fn see_position(&mut self, tree: &GameTree, node: usize) {
        let position = &tree.positions()[node];
        if position.is_check() {
            self.kinds.insert(Kinds::CHECK);
        }
        self.see_few_moves(position);
        self.see_continuation(tree, node);
    }

    /// Records whether a side that is not in check has few moves.
    #[inline(never)]
    fn see_few_moves(&mut self, position: &Position) {
        let least = Kinds::of_few_moves(position.turn, 1);
        if least.is_some_and(|least| self.kinds.contains(least)) || position.is_check() {
            return;
        }
        // Filters derive castling and captures en passant from the score.
        let plain = Position { castling: CastlingRights::NONE, en_passant: None, ..*position };
        // As in `Position::is_forced`, a second caller of the functions that count would keep the
        // compiler from inlining them in searches.
        let mut n_moves = 0;
        let _ = plain.visit_legal(|_, _, targets| {
            n_moves += targets.len();
            if n_moves < MANY_MOVES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        for n in n_moves.max(1)..MANY_MOVES {
            if let Some(kind) = Kinds::of_few_moves(position.turn, n) {
                self.kinds.insert(kind);
            }
        }
    }

    /// Records a mate or stalemate after a node that may end its line.
    fn see_continuation(&mut self, tree: &GameTree, node: usize) {
        // An ordinary move after the node shows that there is a legal one; a null move does not.
        let next = tree.next(node).and_then(|next| tree.move_to(next));
        if next.is_none_or(Move::is_null) {
            self.see_end(&tree.positions()[node]);
        }
    }

    /// Records whether a position has no legal move.
    #[cold]
    fn see_end(&mut self, position: &Position) {
        if !position.has_legal_move() {
            self.kinds.insert(if position.is_check() { Kinds::MATE } else { Kinds::STALEMATE });
        }
    }
}

/// Counts the pieces on a board.
#[must_use]
pub fn counts(board: &Board) -> PieceCounts {
    Piece::ALL.map(|piece| board.pieces(piece.color, piece.role).len() as u8)
}
