//! Crazyhouse: captured pieces go to the hand of the capturing side, which may drop them on empty
//! squares instead of a move. A captured piece that was promoted becomes a pawn again.

use super::situation::Situation;
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::set::SquareSet;

/// Roles that can be in hand, in the order of [`hands`](super::kind::Extra::hands).
pub(super) const IN_HAND: [Role; 5] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Applies a move to the hands. A pawn that is dropped has not moved, and the clock runs on.
pub(super) fn pass_on(before: &Situation, mv: Move, next: &mut Situation) {
    let (board, us) = (&before.position.board, before.position.turn.index());
    let extra = &mut next.extra;
    if mv.is_drop() {
        next.position.halfmove_clock = before.position.halfmove_clock.wrapping_add(1);
        if let Some(n) = extra.hands[us].get_mut(mv.role().index()) {
            *n = n.saturating_sub(1);
        }
        return;
    }
    if mv.is_null() {
        return;
    }
    if let Some(captured) = mv.captured_square(board) {
        let role = if before.extra.promoted.contains(captured) {
            Some(Role::Pawn)
        } else {
            board.role_at(captured)
        };
        if let Some(n) = role.and_then(|role| extra.hands[us].get_mut(role.index())) {
            *n = n.saturating_add(1);
        }
        extra.promoted.remove(captured);
    }
    let was_promoted = before.extra.promoted.contains(mv.from());
    extra.promoted.remove(mv.from());
    if was_promoted || mv.promotion().is_some() {
        extra.promoted.insert(mv.to());
    }
}

pub(super) fn moves(situation: &Situation, out: &mut MoveList) {
    let pos = &situation.position;
    situation.moves_of_chess(out);
    if situation.extra.hands[pos.turn.index()] == [0; 5] {
        return;
    }
    let mut squares = !pos.board.occupied();
    if pos.is_check() {
        // A square on which one piece answers the check serves for every piece.
        let answers = |&sq: &_| pos.is_safe(Move::drop(Role::Knight, sq));
        squares = squares.into_iter().filter(answers).collect();
    }
    push_drops(situation, squares, out);
}

pub(super) fn pseudolegal(situation: &Situation, out: &mut MoveList) {
    situation.pseudolegal_moves_of_chess(out);
    push_drops(situation, !situation.position.board.occupied(), out);
}

fn push_drops(situation: &Situation, squares: SquareSet, out: &mut MoveList) {
    let hand = situation.extra.hands[situation.position.turn.index()];
    for (role, n) in IN_HAND.into_iter().zip(hand) {
        let targets = match role {
            _ if n == 0 => SquareSet::EMPTY,
            Role::Pawn => squares - SquareSet::rank(0) - SquareSet::rank(7),
            _ => squares,
        };
        out.extend(targets.into_iter().map(|to| Move::drop(role, to)));
    }
}
