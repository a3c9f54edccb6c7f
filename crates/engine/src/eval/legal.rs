//! Generates moves for `legal`, `pseudolegal`, and the `move` filter with these words.
//!
//! The rules follow the score. Castling is allowed unless a move since the start ended on the
//! square of the king or of the rook, whatever the FEN says. An en passant capture is allowed only
//! if the current move was a double step of the pawn. Moves are never listed: each piece that can
//! move has a set of targets. A promotion counts as one move.

use std::ops::ControlFlow;

use board::{
    Board, CastlingRights, CastlingSetup, Color, Move, Position, Role, Square, SquareSet, between,
    castling_path_clear,
};
use syntax::tree::LegalTarget;

use super::evaluator::Evaluator;
use crate::positions::Origin;
use compiler::program::*;

/// The moves possible in a position, restricted to those that a filter is about. Castling is
/// [handled separately](Evaluator::castling), because its rights follow from the score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Generated {
    /// The position, without castling rights.
    pub(super) position: Position,
    /// Whether moves that leave the own king attacked are included.
    pub(super) pseudo: bool,
    /// Allowed origins.
    pub(super) left: SquareSet,
    /// Allowed destinations.
    pub(super) right: SquareSet,
    /// If set, only en passant captures, and only of pawns on these squares.
    pub(super) en_passant: Option<SquareSet>,
    /// Whether only castling is included; used for Chess960.
    pub(super) only_castling: bool,
}

impl Generated {
    /// Keeps the moves of the kind `target`.
    pub(super) fn restrict(&mut self, target: LegalTarget) {
        if target == LegalTarget::EnPassant {
            self.en_passant = Some(SquareSet::ALL);
        } else {
            let (kings, destinations) = castling_squares(&self.position.board, target);
            self.left &= kings;
            self.right &= destinations;
        }
    }

    /// Does the same as [`Generated::restrict`] in a game of Chess960, where an ordinary king move
    /// may have the same squares as castling.
    fn restrict_with(&mut self, setup: &CastlingSetup, target: LegalTarget) {
        if target == LegalTarget::EnPassant {
            return self.restrict(target);
        }
        let (kings, destinations) = castling_squares_of(setup, &self.position.board, target);
        self.left &= kings;
        self.right &= destinations;
        self.only_castling = true;
    }

    /// Returns the destinations of all moves.
    pub(super) fn destinations(&self) -> SquareSet {
        let mut result = SquareSet::EMPTY;
        self.visit(|_, targets| result |= targets);
        result
    }

    /// Returns the squares of all pieces that have a move.
    pub(super) fn origins(&self) -> SquareSet {
        let mut result = SquareSet::EMPTY;
        self.visit(|from, _| result.insert(from));
        result
    }

    /// Returns the number of moves. From `limit` on, the number may be too small.
    pub(super) fn count(&self, limit: u32) -> u32 {
        let all = SquareSet::ALL;
        let unrestricted = self.left == all && self.right == all && self.en_passant.is_none();
        if unrestricted && !self.pseudo {
            return self.position.count_legal_pairs_up_to(limit);
        }
        let mut count = 0;
        self.visit(|_, targets| count += targets.len());
        count
    }

    /// Calls `see` with the origin and the destinations of every piece that has a move.
    fn visit(&self, mut see: impl FnMut(Square, SquareSet)) {
        let origins = self.left & self.position.us();
        if origins.is_empty() || self.right.is_empty() || self.only_castling {
            return;
        }
        let passing = self.passing();
        if self.en_passant.is_some() && passing.is_empty() {
            return;
        }
        let restricted = |role: Role, from: Square, targets: SquareSet| {
            let wanted = match self.en_passant {
                None => self.right,
                Some(_) if role == Role::Pawn => self.right & passing,
                Some(_) => SquareSet::EMPTY,
            };
            let targets = targets & wanted;
            if !targets.is_empty() {
                see(from, targets);
            }
            ControlFlow::Continue(())
        };
        let _ = if self.pseudo {
            self.position.visit_pseudolegal_from(origins, restricted)
        } else {
            self.position.visit_legal_from(origins, restricted)
        };
    }

    /// Returns the square where a pawn may capture one of the wanted victims en passant. A pawn
    /// reaches that square by no other move: it is empty, and the victim is in front of it.
    fn passing(&self) -> SquareSet {
        let behind = match self.position.turn {
            Color::White => -1,
            Color::Black => 1,
        };
        let wanted = |passed: &Square| {
            let victim = passed.offset(0, behind);
            self.en_passant.is_some_and(|victims| victim.is_some_and(|sq| victims.contains(sq)))
        };
        (self.position.en_passant.filter(wanted)).map_or(SquareSet::EMPTY, Square::set)
    }

    /// Returns the squares to which the king may castle, if castling is wanted and the right is
    /// there.
    fn castling_targets(&self, rights: impl FnOnce() -> CastlingRights) -> SquareSet {
        let color = self.position.turn;
        let kings = self.left & castling_squares(&self.position.board, LegalTarget::Castle).0;
        if self.en_passant.is_some() || !kings.intersects(self.position.us()) {
            return SquareSet::EMPTY;
        }
        let rights = rights();
        let mut targets = SquareSet::EMPTY;
        for (file, king_side) in [(6, true), (2, false)] {
            if rights.has(color, king_side) && castling_path_clear(&self.position, color, king_side)
            {
                targets.insert(Square::from_coords(file, color.home_rank()));
            }
        }
        targets & self.right
    }
}

/// Returns the kings on their home squares and the squares they reach by castling, for both colors.
pub(super) fn castling_squares(board: &Board, target: LegalTarget) -> (SquareSet, SquareSet) {
    let kings = board.role(Role::King)
        & (Square::E1.set() & board.color(Color::White)
            | Square::E8.set() & board.color(Color::Black));
    let short = Square::G1.set() | Square::G8.set();
    let long = Square::C1.set() | Square::C8.set();
    let destinations = match target {
        LegalTarget::Castle => short | long,
        LegalTarget::ShortCastle => short,
        LegalTarget::LongCastle => long,
        LegalTarget::EnPassant => SquareSet::EMPTY,
    };
    (kings, destinations)
}

/// Does the same as [`castling_squares`] in a game of Chess960.
fn castling_squares_of(
    setup: &CastlingSetup,
    board: &Board,
    target: LegalTarget,
) -> (SquareSet, SquareSet) {
    let kings = Color::ALL.into_iter().filter_map(|color| {
        let king = setup.king(color)?;
        board.kings(color).contains(king).then_some(king)
    });
    (kings.collect(), castling_squares(board, target).1)
}

impl Evaluator<'_> {
    /// Returns the kings on their home squares and the squares they reach by castling.
    pub(super) fn castling_squares_here(&self, target: LegalTarget) -> (SquareSet, SquareSet) {
        let board = &self.here().board;
        match self.positions.castling_setup() {
            None => castling_squares(board, target),
            Some(setup) => castling_squares_of(setup, board, target),
        }
    }

    /// Keeps the moves of the kind `target`.
    pub(super) fn restrict(&self, moves: &mut Generated, target: LegalTarget) {
        match self.positions.castling_setup() {
            None => moves.restrict(target),
            Some(setup) => moves.restrict_with(setup, target),
        }
    }

    /// Returns all moves possible in the current position.
    #[inline]
    pub(super) fn generated(&self, pseudo: bool) -> Generated {
        Generated {
            position: Position { castling: CastlingRights::NONE, ..self.for_moves() },
            pseudo,
            left: SquareSet::ALL,
            right: SquareSet::ALL,
            en_passant: None,
            only_castling: false,
        }
    }

    fn castling(&self, moves: &Generated) -> SquareSet {
        match self.positions.castling_setup() {
            None => moves.castling_targets(|| self.castling_by_score()),
            Some(setup) => self.castling_by_setup(moves, setup),
        }
    }

    /// Returns the squares to which the king may castle in a game of Chess960.
    #[cold]
    fn castling_by_setup(&self, moves: &Generated, setup: &CastlingSetup) -> SquareSet {
        let turn = moves.position.turn;
        let is_meant = setup.king(turn).is_some_and(|king| moves.left.contains(king));
        if moves.en_passant.is_some() || !is_meant {
            return SquareSet::EMPTY;
        }
        let rights = self.rights_of_setup();
        let sides = [true, false].into_iter();
        let castlings = sides
            .filter(|&king_side| rights.has(turn, king_side))
            .filter_map(|king_side| setup.castling(&moves.position, king_side));
        castlings.map(|mv| mv.to()).collect::<SquareSet>() & moves.right
    }

    /// Returns the rights of Chess960 that remain after the moves so far.
    pub(super) fn rights_of_setup(&self) -> CastlingRights {
        let left = self.positions.situation(self.at).setup;
        left.map_or(CastlingRights::NONE, |left| left.rights())
    }

    /// Returns the castling rights that the moves so far leave to the side to move, if no piece is
    /// between king and rook.
    pub(super) fn castling_by_score(&self) -> CastlingRights {
        let occupied = self.here().board.occupied();
        self.rights_by_score(&[self.here().turn], |path| !path.intersects(occupied))
    }

    /// Returns the castling rights that the moves so far leave to both sides.
    pub(super) fn rights_of_both(&self) -> CastlingRights {
        self.rights_by_score(&Color::ALL, |_| true)
    }

    /// Returns the castling rights that the moves so far leave to some sides, where the squares
    /// between king and rook are admitted.
    #[inline]
    fn rights_by_score(
        &self,
        sides: &[Color],
        admits: impl Fn(SquareSet) -> bool,
    ) -> CastlingRights {
        let board = &self.here().board;
        let mut rights = CastlingRights::NONE;
        let mut ended = None;
        for &side in sides {
            let (king, rooks) = match side {
                Color::White => (Square::E1, [(Square::H1, true), (Square::A1, false)]),
                Color::Black => (Square::E8, [(Square::H8, true), (Square::A8, false)]),
            };
            if !board.kings(side).contains(king) {
                continue;
            }
            if !self.positions.are_played() && self.positions.has_rights(self.at) {
                return self.here().castling;
            }
            let own_rooks = board.pieces(side, Role::Rook);
            for (rook, king_side) in rooks {
                if own_rooks.contains(rook) && admits(between(king, rook)) {
                    let ended = *ended.get_or_insert_with(|| self.squares_moved_to());
                    if !ended.intersects(king.set() | rook.set()) {
                        rights.insert(side, king_side);
                    }
                }
            }
        }
        rights
    }

    /// Returns the destinations of all moves so far and the squares changed by `imagine`. A null
    /// move has no destination.
    fn squares_moved_to(&self) -> SquareSet {
        let moves = self.ancestry().filter_map(|id| self.positions.mv(id));
        let moves = moves.filter(|mv| !mv.is_null());
        let mut squares: SquareSet = moves.map(|mv| mv.to()).collect();
        if !self.positions.are_played() {
            for id in self.ancestry() {
                if let Some((Origin::Changes(changed), _)) = self.positions.origin(id) {
                    squares |= changed;
                }
            }
        }
        squares
    }

    #[inline]
    fn legal_dash(&mut self, dash: &LegalDash) -> Generated {
        self.charge(4);
        let left = self.operand(dash.left);
        let right = self.operand(dash.right);
        let mut moves = Generated { left, right, ..self.generated(dash.pseudo) };
        if let Some(target) = dash.target {
            self.restrict(&mut moves, target);
        }
        moves
    }

    /// Evaluates `legal D` and `pseudolegal D`.
    pub(super) fn legal_destinations(&mut self, dash: &LegalDash) -> SquareSet {
        let moves = self.legal_dash(dash);
        self.destinations_of(&moves)
    }

    /// Returns the destinations, castling included.
    pub(super) fn destinations_of(&self, moves: &Generated) -> SquareSet {
        if !self.positions.rules().are_of_chess() {
            return self.moves_wanted(moves).map(|mv| mv.to()).collect();
        }
        moves.destinations() | self.castling(moves)
    }

    /// Returns the origins, castling included.
    pub(super) fn origins_of(&self, moves: &Generated) -> SquareSet {
        if !self.positions.rules().are_of_chess() {
            return self.moves_wanted(moves).map(|mv| mv.from()).collect();
        }
        let king = moves.position.board.kings(moves.position.turn);
        match self.castling(moves) {
            SquareSet::EMPTY => moves.origins(),
            _ => moves.origins() | king,
        }
    }

    /// Evaluates `countmoves legal D`.
    pub(super) fn count_legal(&mut self, dash: &LegalDash) -> i32 {
        let moves = self.legal_dash(dash);
        self.count_of(&moves, dash.limit)
    }

    /// Returns the number of moves, castling included. From `limit` on, the number may be too
    /// small.
    pub(super) fn count_of(&self, moves: &Generated, limit: u32) -> i32 {
        if !self.positions.rules().are_of_chess() {
            // A promotion is one move here.
            let once = |mv: &Move| mv.promotion().is_none_or(|role| role == Role::Queen);
            return self.moves_wanted(moves).filter(once).count() as i32;
        }
        let count = moves.count(limit);
        if count < limit { (count + self.castling(moves).len()) as i32 } else { count as i32 }
    }
}

#[cfg(test)]
mod tests {
    use board::parse_fen;

    use super::*;

    fn squares(text: &str) -> SquareSet {
        text.split_whitespace()
            .map(|name| Square::parse(name.as_bytes()).expect("a square"))
            .collect()
    }

    fn generated(fen: &str) -> Generated {
        Generated {
            position: Position {
                castling: CastlingRights::NONE,
                ..parse_fen(fen.as_bytes()).expect("a FEN")
            },
            pseudo: false,
            left: SquareSet::ALL,
            right: SquareSet::ALL,
            en_passant: None,
            only_castling: false,
        }
    }

    #[test]
    fn masks_respect_operands() {
        let check = |fen: &str, left: &str, right: &str, want: [&str; 3]| {
            for (pseudo, want) in [(false, want[0]), (true, want[1])] {
                let moves = Generated {
                    pseudo,
                    left: squares(left),
                    right: squares(right),
                    ..generated(fen)
                };
                assert_eq!(moves.destinations(), squares(want), "{fen} {pseudo}");
                let is_empty = moves.destinations().is_empty();
                assert_eq!(moves.origins().is_empty(), is_empty, "{fen} {pseudo}");
            }
            let moves = Generated { left: squares(left), right: squares(right), ..generated(fen) };
            assert_eq!(moves.count(u32::MAX).to_string(), want[2], "{fen}");
        };
        // the knight on e2 is pinned, the king has d1, f1 and f2
        let fen = "k3r3/8/8/8/8/8/3PN3/4K3 w - - 0 1";
        check(fen, "e2", "g3 d4 c1 a1", ["", "g3 d4 c1", "0"]);
        check(fen, "e1 d2", "d1 d3 d4 e2", ["d1 d3 d4", "d1 d3 d4", "3"]);
        // two pawns on one square are two moves, four promotions are one
        let fen = "1n5k/P1P5/8/8/8/8/8/K7 w - - 0 1";
        check(fen, "a7 c7", "b8", ["b8", "b8", "2"]);
        check(fen, "a7 c7", "a8 b8 c8", ["a8 b8 c8", "a8 b8 c8", "4"]);
    }

    #[test]
    fn all_moves_are_counted_like_some() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let all = generated(fen);
            let mut sum = 0;
            for from in Square::ALL {
                let left = from.set();
                sum += Generated { left, ..all }.count(u32::MAX);
            }
            assert_eq!(all.count(u32::MAX), sum, "{fen}");
            assert!((2..=sum).contains(&all.count(2)), "{fen}");
        }
    }

    #[test]
    fn targets_keep_castling_or_en_passant() {
        let check = |fen: &str, target: LegalTarget, moves: &str, castling: &str| {
            let mut generated = generated(fen);
            generated.restrict(target);
            let castled = generated.castling_targets(|| CastlingRights::ALL);
            assert_eq!(generated.destinations(), squares(moves), "{fen} {target:?}");
            assert_eq!(castled, squares(castling), "{fen} {target:?}");
        };
        use LegalTarget::{Castle, EnPassant, LongCastle, ShortCastle};
        let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        check(fen, Castle, "", "c1 g1");
        check(fen, ShortCastle, "", "g1");
        check(fen, LongCastle, "", "c1");
        check("4k3/8/8/8/8/8/8/1r2K2R w - - 0 1", Castle, "", "");
        check("4k3/8/8/8/8/5n2/8/R3K2R w - - 0 1", Castle, "", "");
        let fen = "4k3/8/8/3pP3/8/8/8/R3K2R w - d6 0 1";
        check(fen, EnPassant, "d6", "");
        check("4k3/8/8/3pP3/8/8/8/R3K2R w - - 0 1", EnPassant, "", "");
        let victims =
            |victims: &str| Generated { en_passant: Some(squares(victims)), ..generated(fen) };
        assert_eq!(victims("d5 e5").origins(), squares("e5"));
        assert_eq!(victims("d6 e5").count(u32::MAX), 0);
    }
}
