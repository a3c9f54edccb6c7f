//! Variants of chess: other moves, other ends, on the same board.
//!
//! A [`Position`] knows the normal game alone, since it is copied for every move of every game.
//! Which [`Rules`] are played belongs to a whole game, and the little that some variants need
//! beside a position (men in hand, checks that are still to be given) is an [`Extra`] beside it.
//! The three together are a [`Situation`], which answers what a position answers for the normal
//! game. Games of variants are few, so here moves are listed and tried rather than masked.
//!
//! Each variant has a file with what is its own; [`men`] has the moves that several share.

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
    /// Those of the normal game, and of Chess960.
    #[default]
    Chess,
    /// Who has no men left or cannot move wins; captures are compulsory, kings are ordinary men.
    Giveaway,
    /// Captures explode; whose king is gone has lost.
    Atomic,
    /// Captured men change sides and are dropped.
    Crazyhouse,
    /// White has pawns only, and loses with the last man.
    Horde,
    /// A king in the center wins.
    KingOfTheHill,
    /// Who has nothing but the king left, or is mated or stalemated, wins; captures are compulsory.
    Losers,
    /// The first king on the last rank wins; there are no checks.
    RacingKings,
    /// As giveaway, but where a side cannot move, who has fewer men wins.
    Suicide,
    /// The third check wins.
    ThreeCheck,
    /// The fifth check wins.
    FiveCheck,
}

impl Rules {
    /// All of them, those of the normal game first.
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

    /// Whether they are those of the normal game.
    #[inline]
    #[must_use]
    pub const fn are_of_chess(self) -> bool {
        matches!(self, Rules::Chess)
    }

    /// Whether the men move, and kings are in check, as in the normal game.
    #[must_use]
    pub const fn move_as_chess(self) -> bool {
        matches!(
            self,
            Rules::Chess | Rules::KingOfTheHill | Rules::ThreeCheck | Rules::FiveCheck
        )
    }

    /// Whether a position is not known by its board, turn, rights and clocks: it has an [`Extra`].
    #[must_use]
    pub const fn have_extra(self) -> bool {
        matches!(self, Rules::Crazyhouse) || self.count_checks()
    }

    /// Whether a number of checks wins.
    #[must_use]
    pub const fn count_checks(self) -> bool {
        matches!(self, Rules::ThreeCheck | Rules::FiveCheck)
    }

    /// Whether men from the hand are put on the board.
    #[must_use]
    pub const fn have_drops(self) -> bool {
        matches!(self, Rules::Crazyhouse)
    }

    /// Whether kings are men like others: there is no check, and pawns become kings.
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

/// The usual name.
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

/// What a position of some variants has besides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extra {
    /// The men in hand, by color, then pawns to queens.
    pub hands: [[u8; 5]; 2],
    /// Men that were pawns, and are pawns again when they are captured.
    pub promoted: SquareSet,
    /// How many checks each color still has to give.
    pub checks_left: [u8; 2],
}

impl Extra {
    /// Nothing in hand, no check given; in five-check, more of them are left.
    pub const START: Extra = Extra::start(Rules::ThreeCheck);

    /// That of the first position of a game.
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
    /// A number to be mixed into the key of the position; zero for [`Extra::START`].
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

/// How a game ends by a rule that the normal game has not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// A color has won.
    Win(Color),
    /// Nobody has.
    Draw,
}

/// A position of a game with other rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Situation {
    /// What is played.
    pub rules: Rules,
    /// Where the pieces stand.
    pub position: Position,
    /// Where castling begins, if not from the squares of the normal game: only what can still
    /// castle. The position then has no rights of its own.
    pub setup: Option<CastlingSetup>,
    /// What belongs to it besides.
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
        Situation {
            rules,
            position,
            setup: None,
            extra: Extra::start(rules),
        }
    }

    /// The position after a move, which is believed, as by [`Position::play`].
    #[must_use]
    pub fn play(&self, mv: Move) -> Situation {
        let mut next = Situation {
            position: self.position.play(mv),
            ..*self
        };
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

    /// Replaces the list by all legal moves; there are none behind the end of a game.
    pub fn legal_moves(&self, out: &mut MoveList) {
        match self.goal() {
            Some(_) => out.clear(),
            None => self.moves(out),
        }
    }

    /// As [`Situation::legal_moves`], but for those who go on behind the end of a game.
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

    /// The moves of the normal game, with castling from where it begins here.
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

    /// Replaces the list by all moves that follow the rules of moving; whether a king is safe or a
    /// capture compulsory is not asked.
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

    /// How the game has ended, if it has by a rule that the normal game has not.
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

    /// How the game has ended, but for want of moves.
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

    /// Finds the only move that is written so: the squares that it may come from, the one it goes
    /// to, what a pawn becomes. Moves behind the end of a game are found as well, castling only
    /// where the king could not step to the same square.
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

    /// Finds castling that is possible.
    #[must_use]
    pub fn find_castling(&self, king_side: bool) -> Option<Move> {
        self.only(|mv| mv.is_castle() && (mv.to().file() == 6) == king_side)
    }

    /// Finds the drop of a man, if it is in hand and may be put there.
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

/// Keeps nothing but captures, if there are any.
fn keep_captures(pos: &Position, moves: &mut MoveList) {
    let captures = |mv: &Move| mv.captured_square(&pos.board).is_some();
    if moves.iter().any(captures) {
        moves.retain(captures);
    }
}

/// The color that has won where something is true of one of the two.
fn winner(is_true: impl Fn(Color) -> bool) -> Option<Ending> {
    match Color::ALL.map(is_true) {
        [false, false] => None,
        [true, false] => Some(Ending::Win(Color::White)),
        [false, true] => Some(Ending::Win(Color::Black)),
        [true, true] => Some(Ending::Draw),
    }
}
