//! Kinds of rules, the state that they need beside a position, and the ends of their games.

use std::fmt;

use crate::piece::Color;
use crate::set::SquareSet;

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

    /// Whether a side wins by giving a number of checks.
    #[must_use]
    pub const fn count_checks(self) -> bool {
        matches!(self, Rules::ThreeCheck | Rules::FiveCheck)
    }

    /// Number of checks that win.
    const fn checks_that_win(self) -> u8 {
        match self {
            Rules::FiveCheck => 5,
            _ => 3,
        }
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
            checks_left: [rules.checks_that_win(); 2],
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

/// A win of the color for which the condition is true; a draw if it is true for both.
pub(super) fn winner(is_true: impl Fn(Color) -> bool) -> Option<Ending> {
    match Color::ALL.map(is_true) {
        [false, false] => None,
        [true, false] => Some(Ending::Win(Color::White)),
        [false, true] => Some(Ending::Win(Color::Black)),
        [true, true] => Some(Ending::Draw),
    }
}
