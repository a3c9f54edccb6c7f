//! Finds the moves that may give check, before any of them is made.
//!
//! Few moves of a position give check: moves to a square from which the piece attacks the king of
//! the other side, and moves of a piece that stands between that king and a slider. Both are masks
//! that cost less than the moves themselves.

use std::ops::ControlFlow;

use crate::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_attacks_of_set, queen_attacks,
    rook_attacks,
};
use crate::castling::king_squares;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// The moves of a position that may give check.
#[derive(Debug, Clone)]
pub struct Checks {
    /// The king of the other side.
    pub(crate) king: Square,
    /// Pieces that pass a quick test for giving check; some of them cannot give check.
    origins: SquareSet,
    /// For each role, the squares from which a piece attacks the king of the other side.
    pub(crate) direct: [SquareSet; 6],
    /// Pieces that stand between the king and a piece that would attack it.
    pub(crate) shields: SquareSet,
    /// Squares of promotions and en passant captures: moves there are treated as checks.
    passing: SquareSet,
}

impl Checks {
    /// Returns `None` if the masks do not decide: the other side does not have exactly one king, or
    /// it is in check.
    #[must_use]
    pub fn new(position: &Position) -> Option<Checks> {
        let (board, us) = (&position.board, position.turn);
        let king = board.kings(!us).single()?;
        let (men, occupied) = (position.us(), board.occupied());
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let (knights, pawns) = (knight_attacks(king), pawn_attacks(!us, king));
        let attackers = diagonal & board.diagonal_sliders()
            | straight & board.straight_sliders()
            | knights & board.role(Role::Knight)
            | pawns & board.role(Role::Pawn)
            | king_attacks(king) & board.role(Role::King);
        if attackers.intersects(men) {
            return None;
        }
        let shields = board.shields(king, men);
        let last = SquareSet::rank(us.promotion_rank());
        let passing = last | position.en_passant.map_or(SquareSet::EMPTY, Square::set);
        let shade =
            if SquareSet::LIGHT.contains(king) { SquareSet::LIGHT } else { SquareSet::DARK };
        let pieces =
            board.role(Role::Knight) | board.straight_sliders() | board.role(Role::Bishop) & shade;
        let pawns_that_reach = pawns_reaching(us, pawns | passing) & board.role(Role::Pawn);
        Some(Checks {
            king,
            origins: shields | pieces | pawns_that_reach,
            direct: [pawns, knights, diagonal, straight, diagonal | straight, king_attacks(king)],
            shields,
            passing,
        })
    }

    /// Whether castling may give check: by the rook, which comes to the d-file or the f-file, or
    /// because the king leaves a line.
    #[must_use]
    pub fn may_come_by_castling(&self, color: Color) -> bool {
        let own_home = king_squares(color, true).0;
        let seen = SquareSet::file(3) | SquareSet::file(5) | SquareSet::rank(color.home_rank());
        seen.contains(self.king) || self.shields.contains(own_home)
    }

    /// Keeps the destinations of a piece that may give check.
    #[inline]
    fn among(&self, role: Role, from: Square, targets: SquareSet) -> SquareSet {
        if self.shields.contains(from) {
            return targets;
        }
        match role {
            Role::Pawn => targets & (self.direct[Role::Pawn.index()] | self.passing),
            role => targets & self.direct[role.index()],
        }
    }
}

/// Squares from which a pawn might reach one of `targets` if nothing stood in its way.
fn pawns_reaching(color: Color, targets: SquareSet) -> SquareSet {
    let back = |set: SquareSet| match color {
        Color::White => set.shift_down(),
        Color::Black => set.shift_up(),
    };
    let behind = back(targets);
    behind | back(behind) | pawn_attacks_of_set(!color, targets)
}

impl Position {
    /// As [`Position::visit_pseudolegal_from`] for the moves that may give check, in the same
    /// order. Castling is among them if it [may give check](Checks::may_come_by_castling) and the
    /// position has a right to it.
    #[inline]
    pub fn visit_checks_from(
        &self,
        checks: &Checks,
        origins: SquareSet,
        mut visit: impl FnMut(Role, Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (board, occupied, enterable) = (&self.board, self.board.occupied(), self.enterable());
        let men = self.us() & origins & checks.origins;
        let mut visit_some = |role, from, targets: SquareSet| {
            let targets = checks.among(role, from, targets);
            if targets.is_empty() { ControlFlow::Continue(()) } else { visit(role, from, targets) }
        };
        let pawns = board.role(Role::Pawn) & men;
        if !pawns.is_empty() {
            let en_passant = self.en_passant_pawns();
            for from in pawns {
                let mut targets = self.pawn_targets(from);
                if en_passant.contains(from) {
                    targets |= self.en_passant.map_or(SquareSet::EMPTY, Square::set);
                }
                visit_some(Role::Pawn, from, targets)?;
            }
        }
        for from in board.role(Role::Knight) & men {
            visit_some(Role::Knight, from, knight_attacks(from) & enterable)?;
        }
        for from in board.role(Role::Bishop) & men {
            let targets = bishop_attacks(from, occupied) & enterable;
            visit_some(Role::Bishop, from, targets)?;
        }
        for from in board.role(Role::Rook) & men {
            let targets = rook_attacks(from, occupied) & enterable;
            visit_some(Role::Rook, from, targets)?;
        }
        for from in board.role(Role::Queen) & men {
            let targets = queen_attacks(from, occupied) & enterable;
            visit_some(Role::Queen, from, targets)?;
        }
        self.visit_checks_of_kings(checks, origins, visit)
    }

    /// Visits king moves that may discover a check, and castling, which brings a rook into play. A
    /// king beside the other king gives check, too, although no legal move leads there.
    fn visit_checks_of_kings(
        &self,
        checks: &Checks,
        origins: SquareSet,
        mut visit: impl FnMut(Role, Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let castling_king = king_squares(self.turn, true).0;
        for from in self.board.kings(self.turn) & origins {
            let steps = king_attacks(from) & self.enterable();
            let mut targets = checks.among(Role::King, from, steps);
            if from == castling_king && checks.may_come_by_castling(self.turn) {
                targets |= self.castling_targets();
            }
            if !targets.is_empty() {
                visit(Role::King, from, targets)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{any_position, played_position, position};
    use crate::{Move, MoveList};

    /// The moves that are visited because they may give check.
    fn visited(pos: &Position, checks: &Checks, origins: SquareSet) -> Vec<Move> {
        let mut moves = Vec::new();
        let _ = pos.visit_checks_from(checks, origins, |role, from, targets| {
            moves.extend(pos.moves_to(role, from, targets));
            ControlFlow::Continue(())
        });
        moves
    }

    /// Every pseudolegal move that gives check is visited, in the order of all moves.
    fn has_all(pos: &Position, origins: SquareSet) {
        let Some(checks) = Checks::new(pos) else {
            return;
        };
        let visited = visited(pos, &checks, origins);
        let mut all = MoveList::new();
        pos.pseudolegal_moves(&mut all);
        let all = all.iter().filter(|mv| origins.contains(mv.from()));
        let gives_check = |mv: &Move| pos.play(*mv).is_check();
        let some = all.clone().filter(|mv| visited.contains(mv));
        assert!(some.eq(&visited), "{pos:?}");
        for mv in all.filter(|mv| gives_check(mv)) {
            assert!(visited.contains(mv), "{mv} {}", pos.fen());
            let by_castling = checks.may_come_by_castling(pos.turn);
            assert!(by_castling || !mv.is_castle(), "{mv} {}", pos.fen());
        }
    }

    #[test]
    fn all_ways_to_give_check() {
        for (fen, want) in [
            ("4k3/8/8/8/8/8/8/R3N2K w - - 0 1", "a1a8"),
            ("8/8/8/8/k3P2Q/8/8/7K w - - 0 1", "e4e5"),
            ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8 a1d1 e1c1"),
            ("8/8/8/8/8/8/8/R3K2k w Q - 0 1", "e1c1 e1d2 e1e2 e1f2"),
            ("8/8/8/1k1pP3/8/8/8/4KB2 w - d6 0 1", ""),
            ("6k1/8/8/3pP3/8/1B6/8/4K3 w - d6 0 1", "b3d5 e5d6"),
        ] {
            let pos = position(fen);
            let checks = Checks::new(&pos);
            let found = checks.map(|checks| visited(&pos, &checks, SquareSet::ALL));
            let found = found.unwrap_or_default().into_iter();
            let found = found.filter(|mv| pos.play(*mv).is_check());
            let mut found: Vec<String> = found.map(|mv| mv.to_string()).collect();
            let mut want: Vec<&str> = want.split_whitespace().collect();
            found.sort();
            want.sort_unstable();
            assert_eq!(found, want, "{fen}");
        }
    }

    proptest! {
        #[test]
        fn no_check_is_left_out(pos in any_position(), origins: u64) {
            has_all(&pos, SquareSet::ALL);
            has_all(&pos, SquareSet(origins));
        }

        #[test]
        fn no_check_of_a_game_is_left_out(pos in played_position()) {
            has_all(&pos, SquareSet::ALL);
        }
    }
}
