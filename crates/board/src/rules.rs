//! Variants of chess: other moves and other ends on the same board.
//!
//! A [`Position`] knows the normal game alone, because it is copied for every move of every game.
//! The [`Rules`] belong to a whole game, and the little that some variants need beside a position
//! (pieces in hand, checks still to be given) is stored in an [`Extra`]. The three together are a
//! [`Situation`], which answers for a variant what a position answers for the normal game. Games of
//! variants are few, so here moves are listed and tried rather than masked.
//!
//! Each variant has a file for its own rules; [`men`] has the moves that several variants share.

use std::fmt;

use crate::moves::{Move, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::setup::CastlingSetup;
use crate::square::Square;

mod antichess;
mod atomic;
mod crazyhouse;
mod fen;
mod horde;
mod king_of_the_hill;
mod losers;
mod men;
mod racing_kings;
mod san;
mod three_check;

/// The rules that a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Rules {
    /// The normal game, and Chess960.
    #[default]
    Chess,
    /// The side that has no pieces left or cannot move wins; captures are compulsory, kings are
    /// ordinary pieces.
    Giveaway,
    /// Captures explode; a side without its king has lost.
    Atomic,
    /// Captured pieces change sides and are dropped.
    Crazyhouse,
    /// White has pawns only, and loses with the last piece.
    Horde,
    /// A king in the center wins.
    KingOfTheHill,
    /// The side that has only its king left, or is mated or stalemated, wins; captures are
    /// compulsory.
    Losers,
    /// The first king on the last rank wins; there are no checks.
    RacingKings,
    /// As giveaway, but if a side cannot move, the side with fewer pieces wins.
    Suicide,
    /// The third check wins.
    ThreeCheck,
    /// The fifth check wins.
    FiveCheck,
}

impl Rules {
    /// All rules, those of the normal game first.
    pub const ALL: [Rules; 11] = [
        Rules::Chess,
        Rules::Giveaway,
        Rules::Atomic,
        Rules::Crazyhouse,
        Rules::Horde,
        Rules::KingOfTheHill,
        Rules::Losers,
        Rules::RacingKings,
        Rules::Suicide,
        Rules::ThreeCheck,
        Rules::FiveCheck,
    ];

    /// Whether these are the rules of the normal game.
    #[inline]
    #[must_use]
    pub const fn are_of_chess(self) -> bool {
        matches!(self, Rules::Chess)
    }

    /// Whether pieces move, and kings are in check, as in the normal game.
    #[must_use]
    pub const fn move_as_chess(self) -> bool {
        matches!(self, Rules::Chess | Rules::KingOfTheHill | Rules::ThreeCheck | Rules::FiveCheck)
    }

    /// Whether board, turn, rights and clocks do not describe a position completely: it has an
    /// [`Extra`].
    #[must_use]
    pub const fn have_extra(self) -> bool {
        matches!(self, Rules::Crazyhouse) || self.count_checks()
    }

    /// Whether a number of checks wins.
    #[must_use]
    pub const fn count_checks(self) -> bool {
        matches!(self, Rules::ThreeCheck | Rules::FiveCheck)
    }

    /// Whether pieces from the hand are put on the board.
    #[must_use]
    pub const fn have_drops(self) -> bool {
        matches!(self, Rules::Crazyhouse)
    }

    /// Whether kings are ordinary pieces: there is no check, and pawns become kings.
    #[must_use]
    pub const fn have_ordinary_kings(self) -> bool {
        matches!(self, Rules::Giveaway | Rules::Suicide)
    }

    /// Whether there is castling.
    #[must_use]
    pub const fn have_castling(self) -> bool {
        !matches!(self, Rules::Giveaway | Rules::Suicide | Rules::RacingKings)
    }
}

/// Writes the usual name.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rules::Chess => "Standard",
            Rules::Giveaway => "Giveaway",
            Rules::Atomic => "Atomic",
            Rules::Crazyhouse => "Crazyhouse",
            Rules::Horde => "Horde",
            Rules::KingOfTheHill => "King of the Hill",
            Rules::Losers => "Losers",
            Rules::RacingKings => "Racing Kings",
            Rules::Suicide => "Suicide",
            Rules::ThreeCheck => "Three-Check",
            Rules::FiveCheck => "Five-Check",
        })
    }
}

/// State that positions of some variants have besides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extra {
    /// Pieces in hand, by color, then from pawns to queens.
    pub hands: [[u8; 5]; 2],
    /// Pieces that were pawns, and are pawns again when they are captured.
    pub promoted: SquareSet,
    /// Number of checks that each color still has to give.
    pub checks_left: [u8; 2],
}

impl Extra {
    /// Nothing in hand, no check given, three checks left; five-check starts with more.
    pub const START: Extra = Extra::start(Rules::ThreeCheck);

    /// The state of the first position of a game.
    #[must_use]
    pub const fn start(rules: Rules) -> Extra {
        Extra {
            hands: [[0; 5]; 2],
            promoted: SquareSet::EMPTY,
            checks_left: [three_check::checks_that_win(rules); 2],
        }
    }
}

impl Extra {
    /// A number that is mixed into the key of the position; zero for [`Extra::START`].
    #[must_use]
    pub fn key(&self) -> u64 {
        if *self == Extra::START {
            return 0;
        }
        let numbers = self.hands.iter().flatten().chain(&self.checks_left);
        numbers.fold(self.promoted.0 ^ 0xCBF2_9CE4_8422_2325, |key, &n| {
            // Steps of the hash FNV-1a.
            (key ^ u64::from(n)).wrapping_mul(0x0100_0000_01B3)
        })
    }
}

impl Default for Extra {
    fn default() -> Extra {
        Extra::START
    }
}

/// End of a game by a rule that the normal game does not have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// A color has won.
    Win(Color),
    /// The game is drawn.
    Draw,
}

/// A position together with the rules of its game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Situation {
    /// Rules of the game.
    pub rules: Rules,
    /// Board, turn, rights and clocks.
    pub position: Position,
    /// Squares from which castling starts, if not those of the normal game: only those that can
    /// still castle. The position then has no rights of its own.
    pub setup: Option<CastlingSetup>,
    /// State that the variant needs besides.
    pub extra: Extra,
}

impl Situation {
    /// The start of a game.
    #[must_use]
    pub fn start(rules: Rules) -> Situation {
        let mut position = match rules {
            Rules::Horde => horde::start(),
            Rules::RacingKings => racing_kings::start(),
            _ => Position::START,
        };
        if !rules.have_castling() {
            position.castling = crate::CastlingRights::NONE;
        }
        Situation { rules, position, setup: None, extra: Extra::start(rules) }
    }

    /// The position after a move, which is not checked, as in [`Position::play`].
    #[must_use]
    pub fn play(&self, mv: Move) -> Situation {
        let mut next = Situation { position: self.position.play(mv), ..*self };
        match self.rules {
            Rules::Atomic => atomic::explode(&self.position, mv, &mut next.position),
            Rules::Crazyhouse => crazyhouse::pass_on(self, mv, &mut next),
            Rules::ThreeCheck | Rules::FiveCheck => three_check::count(&mut next),
            _ => {}
        }
        if let Some(setup) = &self.setup {
            let rights = setup.after(setup.rights(), mv);
            next.setup = Some(setup.left(rights, &next.position.board));
        }
        next
    }

    /// Replaces the list by all legal moves; there are none after the end of a game.
    pub fn legal_moves(&self, out: &mut MoveList) {
        match self.goal() {
            Some(_) => out.clear(),
            None => self.moves(out),
        }
    }

    /// As [`Situation::legal_moves`], even after the end of a game.
    pub fn moves(&self, out: &mut MoveList) {
        let pos = &self.position;
        match self.rules {
            Rules::Chess | Rules::KingOfTheHill | Rules::ThreeCheck | Rules::FiveCheck => {
                self.moves_of_chess(out);
            }
            Rules::Giveaway | Rules::Suicide => antichess::moves(pos, out),
            Rules::Atomic => atomic::moves(self, out),
            Rules::Crazyhouse => crazyhouse::moves(self, out),
            Rules::Horde => horde::moves(self, out),
            Rules::Losers => losers::moves(self, out),
            Rules::RacingKings => racing_kings::moves(pos, out),
        }
    }

    /// The moves of the normal game, with castling from the squares of this game.
    fn moves_of_chess(&self, out: &mut MoveList) {
        self.position.legal_moves(out);
        self.push_castling(out);
    }

    /// As [`Situation::moves_of_chess`], whether the king is safe or not.
    fn pseudolegal_moves_of_chess(&self, out: &mut MoveList) {
        self.position.pseudolegal_moves(out);
        self.push_castling(out);
    }

    fn push_castling(&self, out: &mut MoveList) {
        if let Some(setup) = &self.setup {
            let sides = [true, false].into_iter();
            out.extend(sides.filter_map(|side| setup.castling(&self.position, side)));
        }
    }

    /// Replaces the list by all moves that follow the rules of moving; safety of kings and
    /// compulsory captures are not checked.
    pub fn pseudolegal_moves(&self, out: &mut MoveList) {
        match self.rules {
            Rules::Giveaway | Rules::Suicide => antichess::pseudolegal(&self.position, out),
            Rules::Atomic => atomic::pseudolegal(self, out),
            Rules::Crazyhouse => crazyhouse::pseudolegal(self, out),
            Rules::Horde => horde::pseudolegal(self, out),
            Rules::Chess
            | Rules::KingOfTheHill
            | Rules::Losers
            | Rules::RacingKings
            | Rules::ThreeCheck
            | Rules::FiveCheck => self.pseudolegal_moves_of_chess(out),
        }
    }

    /// Whether a move is among the legal moves.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    /// Whether a king of the side to move is attacked, in a game where that matters.
    #[must_use]
    pub fn is_check(&self) -> bool {
        match self.rules {
            Rules::Giveaway | Rules::Suicide => false,
            Rules::Atomic => atomic::is_attacked(&self.position, self.position.turn),
            _ => self.position.is_check(),
        }
    }

    /// Whether the side to move is in check and has no move.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.is_check() && !self.has_move()
    }

    /// Whether the side to move is not in check and has no move, though nothing else has ended the
    /// game.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.goal().is_none() && !self.has_move()
    }

    fn has_move(&self) -> bool {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        !moves.is_empty()
    }

    /// Returns the end of the game, if it has ended by a rule that the normal game does not have.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let goal = self.goal();
        let without_moves = || match self.rules {
            Rules::Giveaway | Rules::Losers => Ending::Win(self.position.turn),
            _ => antichess::fewer_men(&self.position),
        };
        let counts = matches!(self.rules, Rules::Giveaway | Rules::Losers | Rules::Suicide);
        match goal {
            None if counts && !self.has_move() => Some(without_moves()),
            _ => goal,
        }
    }

    /// Returns the end of the game, unless it has ended because a side cannot move.
    fn goal(&self) -> Option<Ending> {
        let pos = &self.position;
        match self.rules {
            Rules::Chess => None,
            Rules::Giveaway | Rules::Suicide => antichess::goal(pos),
            Rules::Atomic => atomic::goal(pos),
            Rules::Crazyhouse => None,
            Rules::Horde => horde::goal(pos),
            Rules::KingOfTheHill => king_of_the_hill::goal(pos),
            Rules::Losers => losers::goal(pos),
            Rules::RacingKings => racing_kings::goal(pos),
            Rules::ThreeCheck | Rules::FiveCheck => three_check::goal(&self.extra),
        }
    }

    /// Finds the only move that fits: the squares that it may come from, the one it goes to, what a
    /// pawn becomes. Moves after the end of a game are found as well. Castling is found only in
    /// games that castle from the normal squares.
    #[must_use]
    pub fn find(
        &self,
        role: Role,
        origins: SquareSet,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Move> {
        self.only(|mv| {
            mv.role() == role
                && origins.contains(mv.from())
                && mv.to() == to
                && mv.promotion() == promotion
                && !mv.is_drop()
                && (self.setup.is_none() || !mv.is_castle())
        })
    }

    /// Finds castling to a side, if it is possible.
    #[must_use]
    pub fn find_castling(&self, king_side: bool) -> Option<Move> {
        self.only(|mv| mv.is_castle() && (mv.to().file() == 6) == king_side)
    }

    /// Finds the drop of a piece, if it is in hand and may be put there.
    #[must_use]
    pub fn find_drop(&self, role: Role, to: Square) -> Option<Move> {
        self.only(|mv| mv == Move::drop(role, to))
    }

    fn only(&self, is_it: impl Fn(Move) -> bool) -> Option<Move> {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        let mut fitting = moves.into_iter().filter(|&mv| is_it(mv));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

/// Keeps only captures, if there are any.
fn keep_captures(pos: &Position, moves: &mut MoveList) {
    let captures = |mv: &Move| mv.captured_square(&pos.board).is_some();
    if moves.iter().any(captures) {
        moves.retain(captures);
    }
}

/// A win of the color for which the condition is true; a draw if it is true for both.
fn winner(is_true: impl Fn(Color) -> bool) -> Option<Ending> {
    match Color::ALL.map(is_true) {
        [false, false] => None,
        [true, false] => Some(Ending::Win(Color::White)),
        [false, true] => Some(Ending::Win(Color::Black)),
        [true, true] => Some(Ending::Draw),
    }
}
