//! Pseudolegal and legal moves, visited as masks or listed.
//!
//! One generator gives, piece by piece, the set of its destinations; lists and, in `count`, the
//! questions that need no list are folds over it. With exactly one king, pins and checks are masks
//! computed once; with no king or several every move is tried, which is slow and happens in
//! compositions only. No move captures a king.

use std::ops::ControlFlow;

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, queen_attacks,
    rook_attacks,
};
use crate::castling::{castling_path_clear, king_squares};
use crate::moves::{Move, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// The roles a pawn may become, in the order in which moves are listed.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

/// Masks that decide the legality of a move if there is exactly one own king.
pub(crate) struct Safety {
    pub(crate) king: Square,
    pub(crate) checkers: SquareSet,
    pub(crate) pinned: SquareSet,
    /// Squares on which a piece other than the king answers a check; all squares without a check.
    pub(crate) answers: SquareSet,
}

impl Safety {
    /// `None` unless the side to move has exactly one king.
    pub(crate) fn new(pos: &Position) -> Option<Safety> {
        let king = pos.board.kings(pos.turn).single()?;
        let checkers = pos.board.attackers_to(king, pos.board.occupied()) & pos.them();
        let answers = match checkers.first() {
            None => SquareSet::ALL,
            Some(_) if checkers.is_several() => SquareSet::EMPTY,
            Some(checker) => between(king, checker) | checker.set(),
        };
        Some(Safety { king, checkers, pinned: pos.pinned_to(king), answers })
    }

    /// Keeps the destinations that leave the king safe, for a piece other than the king.
    #[inline]
    pub(crate) fn filter(&self, from: Square, targets: SquareSet) -> SquareSet {
        let targets = targets & self.answers;
        if self.pinned.contains(from) { targets & line(self.king, from) } else { targets }
    }

    /// Destinations of the king, castling left out.
    pub(crate) fn king_targets(&self, pos: &Position) -> SquareSet {
        let targets = king_attacks(self.king) & pos.enterable();
        if targets.is_empty() {
            return targets;
        }
        // With the king taken off, sliders also attack the squares on its other side. Finding all
        // attacks at once is faster than finding the attackers of each square.
        let occupied = pos.board.occupied() - self.king.set();
        targets - pos.board.attacked_through(!pos.turn, occupied)
    }
}

/// All pawns of a set moved one step.
#[inline(always)]
pub(crate) fn step(color: Color, pawns: SquareSet) -> SquareSet {
    match color {
        Color::White => pawns.shift_up(),
        Color::Black => pawns.shift_down(),
    }
}

impl Position {
    /// Squares a piece of the side to move may enter: all but own pieces and enemy kings.
    #[inline]
    pub(crate) fn enterable(&self) -> SquareSet {
        !(self.us() | self.board.role(Role::King))
    }

    /// The pawns that could capture en passant if only the rules of moving mattered.
    pub(crate) fn en_passant_pawns(&self) -> SquareSet {
        let Some(to) = self.en_passant else {
            return SquareSet::EMPTY;
        };
        let victim = match self.turn {
            Color::White if to.rank() == 5 => to.offset(0, -1),
            Color::Black if to.rank() == 2 => to.offset(0, 1),
            _ => None,
        };
        let passed =
            victim.is_some_and(|sq| self.board.pieces(!self.turn, Role::Pawn).contains(sq));
        if passed && !self.board.occupied().contains(to) {
            pawn_attacks(!self.turn, to) & self.board.pieces(self.turn, Role::Pawn)
        } else {
            SquareSet::EMPTY
        }
    }

    /// The square on which the side to move can legally capture en passant.
    #[must_use]
    pub fn en_passant_capture(&self) -> Option<Square> {
        let to = self.en_passant?;
        let mut pawns = self.en_passant_pawns().into_iter();
        pawns.any(|from| self.is_safe(Move::en_passant(from, to))).then_some(to)
    }

    /// Destinations of a pawn, en passant left out.
    #[inline]
    pub(crate) fn pawn_targets(&self, from: Square) -> SquareSet {
        let empty = !self.board.occupied();
        let pushed = step(self.turn, from.set()) & empty;
        let start = from.rank() == if self.turn == Color::White { 1 } else { 6 };
        let twice = if start { step(self.turn, pushed) & empty } else { SquareSet::EMPTY };
        let victims = self.them() - self.board.role(Role::King);
        pushed | twice | pawn_attacks(self.turn, from) & victims
    }

    /// Destinations of a piece of the side to move by the rules of moving alone, castling and
    /// en passant left out.
    #[inline]
    pub(crate) fn targets(&self, role: Role, from: Square) -> SquareSet {
        let occupied = self.board.occupied();
        let attacks = match role {
            Role::Pawn => return self.pawn_targets(from),
            Role::Knight => knight_attacks(from),
            Role::Bishop => bishop_attacks(from, occupied),
            Role::Rook => rook_attacks(from, occupied),
            Role::Queen => queen_attacks(from, occupied),
            Role::King => king_attacks(from),
        };
        attacks & self.enterable()
    }

    /// Destinations of castling, by the rights of the position and the state of the board.
    pub(crate) fn castling_targets(&self) -> SquareSet {
        let mut targets = SquareSet::EMPTY;
        if self.castling.is_empty() {
            return targets;
        }
        for king_side in [true, false] {
            if self.castling.has(self.turn, king_side)
                && castling_path_clear(self, self.turn, king_side)
            {
                targets.insert(king_squares(self.turn, king_side).1);
            }
        }
        targets
    }

    /// The move of a piece from one square to another, with its kind.
    #[inline]
    pub(crate) fn move_to(&self, role: Role, from: Square, to: Square) -> Move {
        match role {
            Role::Pawn if from.file() != to.file() && !self.board.occupied().contains(to) => {
                Move::en_passant(from, to)
            }
            Role::Pawn if from.as_u8().abs_diff(to.as_u8()) == 16 => Move::double_step(from, to),
            Role::King if !king_attacks(from).contains(to) => {
                Move::castle(self.turn, to.file() == 6)
            }
            _ => Move::normal(role, from, to),
        }
    }

    /// Whether a pseudolegal move leaves no own king attacked.
    #[inline(always)]
    #[must_use]
    pub fn is_safe(&self, mv: Move) -> bool {
        let Some(king) = self.only_king_after(mv) else {
            return self.is_safe_slowly(mv);
        };
        let (from, to) = (mv.from().set(), mv.to().set());
        let occupied = (self.board.occupied() - from) | to;
        !self.board.is_attacked_by(king, self.turn, self.them() - to, occupied)
    }

    /// The position after a pseudolegal move, if that leaves no own king attacked: as
    /// [`Position::is_safe`] and then [`Position::play`], with less to do.
    #[inline(always)]
    #[must_use]
    pub fn play_safely(&self, mv: Move) -> Option<Position> {
        let next = self.play(mv);
        let them = self.them() - mv.to().set();
        let is_safe = match self.only_king_after(mv) {
            Some(king) => {
                let occupied = (self.board.occupied() - mv.from().set()) | mv.to().set();
                !next.board.is_in_reach(king, self.turn, them)
                    || !self.board.is_attacked_closely(king, self.turn, them, occupied)
            }
            None => self.is_safe_slowly(mv),
        };
        is_safe.then_some(next)
    }

    /// Square of the mover's only king after a move of a single piece; `None` if there is not exactly
    /// one king, or if the move is irregular ([`Move::is_irregular`]).
    #[inline(always)]
    fn only_king_after(&self, mv: Move) -> Option<Square> {
        let kings = self.board.kings(self.turn);
        let king = kings.first()?;
        (!(mv.is_irregular() | kings.is_several())).then(|| match mv.role() {
            Role::King => mv.to(),
            _ => king,
        })
    }

    /// As [`Position::is_safe`] for any move and any number of kings, by playing the move.
    #[cold]
    #[inline(never)]
    fn is_safe_slowly(&self, mv: Move) -> bool {
        let next = self.play(mv);
        let (kings, occupied) = (next.board.kings(self.turn), next.board.occupied());
        !kings.into_iter().any(|king| next.board.is_attacked(king, next.turn, occupied))
    }

    /// Calls `visit` with role, origin and destinations of every piece that has a pseudolegal move,
    /// until it breaks. Promotions count as one destination. Castling is a destination of the king
    /// two files away; even here the king must not pass attacked squares.
    #[inline]
    pub fn visit_pseudolegal(
        &self,
        visit: impl FnMut(Role, Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_pseudolegal_from(SquareSet::ALL, visit)
    }

    /// As [`Position::visit_pseudolegal`] for the pieces on some squares.
    pub fn visit_pseudolegal_from(
        &self,
        origins: SquareSet,
        mut visit: impl FnMut(Role, Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let castling = self.castling_targets();
        let castling_king = king_squares(self.turn, true).0;
        let en_passant = self.en_passant_pawns();
        for role in Role::ALL {
            for from in self.board.pieces(self.turn, role) & origins {
                let mut targets = self.targets(role, from);
                if role == Role::King && from == castling_king {
                    targets |= castling;
                }
                if en_passant.contains(from) {
                    targets |= self.en_passant.map_or(SquareSet::EMPTY, Square::set);
                }
                if !targets.is_empty() {
                    visit(role, from, targets)?;
                }
            }
        }
        CONTINUE
    }

    /// As [`Position::visit_pseudolegal`] for the moves that leave no own king attacked.
    #[inline]
    pub fn visit_legal(
        &self,
        visit: impl FnMut(Role, Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_legal_from(SquareSet::ALL, visit)
    }

    /// As [`Position::visit_legal`] for the pieces on some squares.
    pub fn visit_legal_from(
        &self,
        origins: SquareSet,
        mut visit: impl FnMut(Role, Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(safety) = Safety::new(self) else {
            return self.visit_pseudolegal_from(origins, |role, from, targets| {
                let is_safe = |&to: &Square| self.is_safe(self.move_to(role, from, to));
                let safe: SquareSet = targets.into_iter().filter(is_safe).collect();
                if safe.is_empty() { CONTINUE } else { visit(role, from, safe) }
            });
        };
        let mut visit_some = |role, from, targets: SquareSet| {
            if targets.is_empty() { CONTINUE } else { visit(role, from, targets) }
        };
        if !safety.answers.is_empty() {
            let en_passant = self.en_passant_pawns();
            for from in self.board.pieces(self.turn, Role::Pawn) & origins {
                let mut targets = safety.filter(from, self.pawn_targets(from));
                if en_passant.contains(from) {
                    // Two pawns leave the rank at once, and the check may come from the captured
                    // pawn: masks do not decide, so the rare move is tried.
                    targets |= self.en_passant.map_or(SquareSet::EMPTY, |to| {
                        let safe = self.is_safe(Move::en_passant(from, to));
                        if safe { to.set() } else { SquareSet::EMPTY }
                    });
                }
                visit_some(Role::Pawn, from, targets)?;
            }
            let (board, us, occupied) = (&self.board, self.us() & origins, self.board.occupied());
            let enterable = self.enterable();
            for from in board.role(Role::Knight) & us {
                let targets = knight_attacks(from) & enterable;
                visit_some(Role::Knight, from, safety.filter(from, targets))?;
            }
            for from in board.role(Role::Bishop) & us {
                let targets = bishop_attacks(from, occupied) & enterable;
                visit_some(Role::Bishop, from, safety.filter(from, targets))?;
            }
            for from in board.role(Role::Rook) & us {
                let targets = rook_attacks(from, occupied) & enterable;
                visit_some(Role::Rook, from, safety.filter(from, targets))?;
            }
            for from in board.role(Role::Queen) & us {
                let targets = queen_attacks(from, occupied) & enterable;
                visit_some(Role::Queen, from, safety.filter(from, targets))?;
            }
        }
        if !origins.contains(safety.king) {
            return CONTINUE;
        }
        let mut targets = safety.king_targets(self);
        if safety.checkers.is_empty() {
            targets |= self.castling_targets();
        }
        visit_some(Role::King, safety.king, targets)
    }

    /// The moves of a piece to destinations that [`Position::visit_legal`] or a similar function
    /// has found; every promotion is a move of its own.
    #[inline]
    pub fn moves_to(
        &self,
        role: Role,
        from: Square,
        targets: SquareSet,
    ) -> impl Iterator<Item = Move> + '_ {
        let last = match role {
            Role::Pawn => SquareSet::rank(self.turn.promotion_rank()),
            _ => SquareSet::EMPTY,
        };
        let promotions = (targets & last)
            .into_iter()
            .flat_map(move |to| PROMOTIONS.map(|promoted| Move::promoting(from, to, promoted)));
        (targets - last).into_iter().map(move |to| self.move_to(role, from, to)).chain(promotions)
    }

    /// Returns the legal move that is written so in UCI notation.
    #[must_use]
    pub fn move_of_uci(&self, uci: &str) -> Option<Move> {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|mv| mv.to_string() == uci)
    }

    /// Replaces the list by all legal moves.
    pub fn legal_moves(&self, out: &mut MoveList) {
        out.clear();
        let _ = self.visit_legal(|role, from, targets| {
            out.extend(self.moves_to(role, from, targets));
            CONTINUE
        });
    }

    /// Replaces the list by all moves that follow the rules of moving, king safety aside.
    pub fn pseudolegal_moves(&self, out: &mut MoveList) {
        out.clear();
        let _ = self.visit_pseudolegal(|role, from, targets| {
            out.extend(self.moves_to(role, from, targets));
            CONTINUE
        });
    }

    /// Whether a move is among the legal moves (a null move never is).
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        crate::resolve::resolve_coordinate(self, mv.from(), mv.to(), mv.promotion()) == Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{any_position, played_position};
    use crate::{Board, Piece, parse_position};

    #[test]
    fn moves_are_found_by_their_squares() {
        let position = parse_position(b"7k/P7/8/8/8/8/8/R3K3 w Q - 0 1").expect("a position");
        for uci in ["a7a8q", "a7a8n", "e1c1", "a1a6"] {
            assert_eq!(position.move_of_uci(uci).map(|mv| mv.to_string()).as_deref(), Some(uci));
        }
        for uci in ["", "a7a8", "a7a8k", "a1a8", "h8h7", "0000"] {
            assert_eq!(position.move_of_uci(uci), None, "{uci}");
        }
    }

    /// Plays a move with nothing but taking and putting pieces.
    fn slow_board(pos: &Position, mv: Move) -> Board {
        let mut board = pos.board;
        if mv.is_en_passant() {
            board.take(mv.en_passant_victim());
        }
        if let Some((from, to)) = mv.rook_from_to() {
            board.take(from);
            board.put(to, Piece::new(pos.turn, Role::Rook));
        }
        board.take(mv.from());
        board.put(mv.to(), Piece::new(pos.turn, mv.placed_role()));
        board
    }

    /// The definition of legality: after the move no own king is attacked.
    fn is_legal_by_definition(pos: &Position, mv: Move) -> bool {
        let board = slow_board(pos, mv);
        let attacked = |to| {
            let enemies = board.color(!pos.turn).into_iter();
            enemies.map(|from| board.attacks_from(from)).any(|attacks| attacks.contains(to))
        };
        !board.kings(pos.turn).into_iter().any(attacked)
    }

    fn check_position(pos: &Position) -> Result<(), TestCaseError> {
        let fen = pos.fen();
        let (mut pseudolegal, mut legal) = (MoveList::new(), MoveList::new());
        pos.pseudolegal_moves(&mut pseudolegal);
        pos.legal_moves(&mut legal);
        for &mv in &pseudolegal {
            let want = is_legal_by_definition(pos, mv);
            prop_assert_eq!(pos.play_safely(mv), want.then(|| pos.play(mv)), "{} {}", fen, mv);
            prop_assert_eq!(legal.contains(&mv), want, "{} {}", fen, mv);
            prop_assert_eq!(pos.is_legal(mv), want, "{} {}", fen, mv);
        }
        prop_assert!(legal.iter().all(|mv| pseudolegal.contains(mv)), "{}", fen);
        prop_assert_eq!(pos.count_legal() as usize, legal.len(), "{}", fen);
        prop_assert_eq!(pos.has_legal_move(), !legal.is_empty(), "{}", fen);
        prop_assert_eq!(pos.is_check(), !pos.checkers().is_empty(), "{}", fen);
        prop_assert_eq!(pos.is_mate(), pos.is_check() && legal.is_empty(), "{}", fen);
        prop_assert_eq!(pos.is_stalemate(), !pos.is_check() && legal.is_empty(), "{}", fen);
        let en_passant = legal.iter().find(|mv| mv.is_en_passant()).map(|mv| mv.to());
        prop_assert_eq!(pos.en_passant_capture(), en_passant, "{}", fen);
        Ok(())
    }

    fn check_play(pos: &Position, mv: Move) -> Result<(), TestCaseError> {
        let next = pos.play(mv);
        prop_assert_eq!(next.board, slow_board(pos, mv), "{} {}", pos.fen(), mv);
        prop_assert_eq!(next.turn, !pos.turn);
        let passed = pos.en_passant_capture().filter(|_| mv.is_en_passant());
        let captured = mv.captured_square(&pos.board);
        prop_assert!(passed.is_none() || captured.is_some());
        let resets = captured.is_some() || mv.role() == Role::Pawn;
        let clock = if resets { 0 } else { pos.halfmove_clock.wrapping_add(1) };
        prop_assert_eq!(next.halfmove_clock, clock);
        let double = mv.from().as_u8().abs_diff(mv.to().as_u8()) == 16;
        prop_assert_eq!(next.en_passant.is_some(), double && mv.role() == Role::Pawn);
        Ok(())
    }

    proptest! {
        #[test]
        fn legality_is_the_definition(played in played_position(), any in any_position()) {
            check_position(&played)?;
            check_position(&any)?;
        }

        #[test]
        fn moves_play_as_pieces_are_put(played in played_position(), any in any_position()) {
            for pos in [played, any] {
                let mut moves = MoveList::new();
                pos.pseudolegal_moves(&mut moves);
                for &mv in &moves {
                    check_play(&pos, mv)?;
                }
            }
        }

        #[test]
        fn origins_restrict_the_visit(pos in any_position(), origins: u64) {
            let origins = SquareSet(origins);
            let mut all = Vec::new();
            let _ = pos.visit_legal(|role, from, targets| {
                all.push((role, from, targets));
                CONTINUE
            });
            let mut some = Vec::new();
            let _ = pos.visit_legal_from(origins, |role, from, targets| {
                some.push((role, from, targets));
                CONTINUE
            });
            all.retain(|&(_, from, _)| origins.contains(from));
            prop_assert_eq!(some, all);
        }
    }

    #[test]
    fn impossible_boards() {
        let check = |fen: &str, want: &str| {
            let pos = parse_position(fen.as_bytes()).unwrap();
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            let mut got: Vec<String> = moves.iter().map(ToString::to_string).collect();
            got.sort();
            assert_eq!(got.join(" "), want, "{fen}");
        };
        // Without a king nothing is pinned; a king is never captured.
        check(
            "8/8/8/8/8/8/8/rR6 w - - 0 1",
            "b1a1 b1b2 b1b3 b1b4 b1b5 b1b6 b1b7 b1b8 b1c1 b1d1 b1e1 b1f1 b1g1 b1h1",
        );
        check("8/8/8/8/8/k7/1P6/8 w - - 0 1", "b2b3 b2b4");
        // Pawns on the first rank step once; on the last they are stuck.
        check("1P6/8/8/8/8/8/8/2P5 w - - 0 1", "c1c2");
        check("8/8/8/8/8/8/8/2p3p1 b - - 0 1", "");
        check("2p5/8/8/8/8/8/8/8 b - - 0 1", "c8c7");
        // Two kings: both must be safe.
        check("8/8/8/8/7r/8/7P/K6K w - - 0 1", "a1a2 a1b1 a1b2 h1g1 h1g2 h2h3");
        check("7r/8/8/8/K7/8/8/r6K w - - 0 1", "");
        // An en passant field that does not fit the board.
        check("8/8/8/3pP3/8/8/8/8 w - d3 0 1", "e5e6");
        check("8/8/3n4/3pP3/8/8/8/8 w - d6 0 1", "e5d6 e5e6");
        check("8/8/8/3pP3/8/8/8/8 w - d6 0 1", "e5d6 e5e6");
    }

    #[test]
    fn null_moves_change_only_the_turn() {
        let check = |fen: &str| {
            let pos = parse_position(fen.as_bytes()).unwrap();
            let mv = crate::null_move(&pos);
            let want = Position {
                turn: !pos.turn,
                en_passant: None,
                halfmove_clock: pos.halfmove_clock + 1,
                fullmove_number: pos.fullmove_number + pos.turn as u16,
                ..pos
            };
            assert_eq!(pos.play(mv), want, "{fen}");
            assert!(!pos.is_legal(mv));
        };
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq e3 5 9");
        check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9");
        check("8/8/8/8/8/8/8/8 w - - 0 1");
        check("8/8/8/8/8/8/8/p7 b - - 0 1");
    }
}
