//! Static exchange evaluation: the material won by a series of captures on one square.
//!
//! Both sides capture in turn with the cheapest piece that may legally do so, and each stops where
//! going on would lose. A pinned piece does not capture, nor does a king if the square is guarded.
//! En passant is left out, since the captured pawn is on another square.

use std::ops::ControlFlow;

use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// Greatest number of captures in one exchange. A game has at most 32 pieces; longer exchanges on
/// other boards are cut off.
const MAX_CAPTURES: usize = 32;

impl Role {
    /// Value in pawns, as in chess books; 0 for a king.
    #[inline]
    #[must_use]
    pub const fn worth(self) -> i32 {
        match self {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen => 9,
            Role::King => 0,
        }
    }
}

impl Position {
    /// Material that the enemies of the piece on a square win by beginning to capture there,
    /// whichever side is to move; 0 if the capture gains nothing, and `None` if no enemy may
    /// capture the piece.
    #[must_use]
    pub fn exchange(&self, on: Square) -> Option<i32> {
        let man = self.board.piece_at(on).filter(|man| man.role != Role::King)?;
        let mut position = Position { turn: !man.color, ..*self };
        let mut gains = [0; MAX_CAPTURES];
        let mut n = 0;
        let mut standing = man.role.worth();
        while n < MAX_CAPTURES
            && let Some(mv) = position.cheapest_capture(on)
        {
            let placed = mv.placed_role().worth();
            gains[n] = standing + placed - mv.role().worth();
            standing = placed;
            n += 1;
            position = position.play(mv);
        }
        let won = gains[..n].iter().rev().fold(0, |after, gain| (gain - after).max(0));
        (n > 0).then_some(won)
    }

    /// Legal capture on a square by the cheapest piece of the side to move.
    fn cheapest_capture(&self, on: Square) -> Option<Move> {
        let attackers = self.board.attackers_to(on, self.board.occupied()) & self.us();
        if attackers.is_empty() {
            return None;
        }
        let is_last_rank = on.rank() == self.turn.promotion_rank();
        Role::ALL.into_iter().find_map(|role| {
            let men = attackers & self.board.role(role);
            let mut moves = men.into_iter().map(|from| match role {
                Role::Pawn if is_last_rank => Move::promoting(from, on, Role::Queen),
                _ => Move::normal(role, from, on),
            });
            moves.find(|&mv| self.is_safe(mv))
        })
    }

    /// Squares among `squares` whose pieces the enemy would win by an exchange.
    fn hanging(&self, squares: SquareSet) -> SquareSet {
        let men = self.board.occupied() & squares;
        men.into_iter().filter(|&on| self.exchange(on).is_some_and(|won| won > 0)).collect()
    }

    /// Whether the exchanges have stopped: the side to move is not in check, and no capture wins
    /// material.
    #[must_use]
    pub fn is_quiescent(&self) -> bool {
        !self.is_check() && self.hanging(self.them()).is_empty()
    }

    /// Whether the side to move has exactly one legal move.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        // A second caller of the functions that count would keep them from being inlined in the first.
        let mut count = 0;
        let _ = self.visit_legal(|role, _, targets| {
            let last = SquareSet::rank(self.turn.promotion_rank());
            let promotes = role == Role::Pawn && !(targets & last).is_empty();
            count += if promotes { 2 } else { targets.len() };
            if count > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        count == 1
    }
}

#[cfg(test)]
mod tests {
    use crate::{Square, parse_position};

    fn exchange(fen: &str, on: &str) -> Option<i32> {
        let on = Square::parse(on.as_bytes()).expect("a square");
        parse_position(fen.as_bytes()).expect("a FEN").exchange(on)
    }

    #[test]
    fn exchanges_win_what_captures_in_turn_leave() {
        for (fen, on, want) in [
            // no capture; a free rook, whichever side is to move
            ("4k3/8/8/3r4/8/8/8/4K3 w - - 0 1", "d5", None),
            ("4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1", "d5", Some(5)),
            ("4k3/8/8/3r4/8/8/8/3RK3 b - - 0 1", "d5", Some(5)),
            // a guarded pawn is not worth a rook, a guarded rook is worth a knight
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d5", Some(0)),
            ("4k3/8/4p3/3r4/5N2/8/8/3RK3 w - - 0 1", "d5", Some(3)),
            // the piece in front clears the way
            ("3rk3/3r4/8/3p4/8/8/3R4/3QK3 w - - 0 1", "d5", Some(0)),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d5", Some(1)),
            // a pinned guard guards nothing, and a pinned piece takes nothing
            ("4k3/4n3/8/3p4/8/8/4R3/3RK3 w - - 0 1", "d5", Some(1)),
            ("4k3/4r3/8/3p4/8/2P5/4N3/2R1K3 w - - 0 1", "d5", None),
            ("4k3/8/8/8/3p4/8/4N3/4K3 w - - 0 1", "d4", Some(1)),
            ("4k3/4r3/8/8/3p4/8/4N3/4K3 w - - 0 1", "d4", None),
            // a king takes only what is not guarded, and is not taken
            ("8/8/8/8/3k4/3P4/8/4K3 b - - 0 1", "d3", Some(1)),
            ("8/8/8/8/3k4/3P4/4K3/8 b - - 0 1", "d3", None),
            ("8/8/8/8/3k4/3P4/8/4K3 b - - 0 1", "d4", None),
            // a pawn that takes on the last rank becomes a queen
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "b8", Some(11)),
            ("rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "b8", Some(2)),
        ] {
            assert_eq!(exchange(fen, on), want, "{fen} {on}");
        }
    }

    #[test]
    fn boards_without_kings_or_with_many_men_have_exchanges() {
        assert_eq!(exchange("8/8/8/3r4/8/8/8/3R4 w - - 0 1", "d5"), Some(5));
        let full =
            "QqQqQqQq/qQqQqQqQ/QqQqQqQq/qQqQqQqQ/QqQqQqQq/qQqQqQqQ/QqQqQqQq/qQqQqQqQ w - - 0 1";
        assert_eq!(exchange(full, "d4"), Some(0));
    }

    #[test]
    fn a_position_is_quiescent_or_forced() {
        for (fen, quiescent, forced) in [
            ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", true, false),
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", false, false),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", true, false),
            ("7k/8/8/8/8/8/r7/1r5K w - - 0 1", false, false),
            ("k7/8/1Q6/8/8/8/8/6RK b - - 0 1", true, false),
            ("k7/2Q5/8/8/8/8/7P/7K b - - 0 1", true, false),
            ("k7/8/1K6/8/8/8/8/2R5 b - - 0 1", true, true),
            ("8/P7/3b4/8/8/8/5k1p/7K w - - 0 1", true, false),
        ] {
            let position = parse_position(fen.as_bytes()).expect("a FEN");
            assert_eq!(
                (position.is_quiescent(), position.is_forced()),
                (quiescent, forced),
                "{fen}"
            );
        }
    }
}
