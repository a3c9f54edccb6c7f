//! Follows the pawns of a game along its moves, without the other pieces.
//!
//! The pawns change with about every fourth move, and two sets of squares describe them.

use board::{Board, Color, Role, SquareSet};

use crate::code::{MoveCode, Step};

/// The pawns of White and of Black.
type Pawns = [SquareSet; 2];

/// State of a line.
#[derive(Clone, Copy)]
struct LineState {
    pawns: Pawns,
    /// The pawns before the last move.
    before: Pawns,
    turn: Color,
}

/// Whether `test` holds for the pawns of White and of Black of the normal start, or of a position
/// of the game after a move that changes them. Skips variations unless `variations` is set.
pub fn any_pawns(codes: &[u16], variations: bool, mut test: impl FnMut(Pawns) -> bool) -> bool {
    let pawns = Color::ALL.map(|color| Board::START.pieces(color, Role::Pawn));
    if test(pawns) {
        return true;
    }
    let mut now = LineState { pawns, before: pawns, turn: Color::White };
    let mut open: Vec<LineState> = Vec::new();
    let mut rest = codes;
    loop {
        let [white, black] = now.pawns;
        // Most moves neither start nor end at a pawn.
        let is_other =
            |code: u16| code < MoveCode::OPEN.0 && !MoveCode(code).ends().intersects(white | black);
        let n_others = rest.iter().take_while(|&&code| is_other(code)).count();
        if n_others > 0 {
            now.before = now.pawns;
            now.turn = if n_others % 2 == 0 { now.turn } else { !now.turn };
        }
        let Some((&code, after)) = rest[n_others..].split_first() else {
            return false;
        };
        rest = after;
        if code < MoveCode::OPEN.0 {
            now.before = now.pawns;
            now.pawns = MoveCode(code).move_pawns(now.turn, now.pawns);
            now.turn = !now.turn;
            if now.pawns != now.before && test(now.pawns) {
                return true;
            }
        } else if MoveCode(code).step() != Step::Open {
            now = open.pop().unwrap_or(now);
        } else if variations {
            open.push(now);
            now.pawns = now.before;
            now.turn = !now.turn;
        } else {
            rest = after_variation(rest);
        }
    }
}

/// Returns the codes after a variation. `codes` are those after its start.
fn after_variation(codes: &[u16]) -> &[u16] {
    let mut n_open = 1_usize;
    for (at, &code) in codes.iter().enumerate() {
        if code >= MoveCode::CLOSE.0 {
            n_open -= 1;
        } else if code >= MoveCode::OPEN.0 {
            n_open += 1;
        }
        if n_open == 0 {
            return &codes[at + 1..];
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::TagIndex;
    use crate::tree::GameTree;
    use crate::{SearchTree, Searched};

    /// Compares the visited pawns with the positions of a game.
    fn check(moves: &str) {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(moves.as_bytes());
        tree.parse(index.tags(moves.as_bytes()));
        let mut codes = Vec::new();
        assert!(tree.write_codes(&mut codes));
        for variations in [false, true] {
            let mut search = SearchTree::default();
            search.build(&tree, variations);
            let searched: Searched<'_> = search.of(&tree);
            let pawns = |id: usize| {
                let board = &searched.position(id).board;
                Color::ALL.map(|color| board.pieces(color, Role::Pawn))
            };
            let mut want: Vec<Pawns> = (0..searched.len()).map(pawns).collect();
            let mut visited = Vec::new();
            let is_over = any_pawns(&codes, variations, |pawns| {
                visited.push(pawns);
                false
            });
            assert!(!is_over && !visited.is_empty());
            assert!(visited.len() <= want.len(), "{moves}");
            // Positions are visited in the order of the text, and only after a change of the pawns.
            let sort = |all: &mut Vec<Pawns>| {
                all.sort_unstable();
                all.dedup();
            };
            sort(&mut want);
            sort(&mut visited);
            assert_eq!(visited, want, "{moves} {variations}");
            assert!(any_pawns(&codes, variations, |pawns| pawns == want[want.len() - 1]));
        }
    }

    #[test]
    fn pawns_are_those_of_the_positions() {
        check("*");
        check("1.e4 d5 2.exd5 c5 3.dxc6 bxc6 4.Nf3 c5 5.Ne5 c4 6.Nxc4 *");
        check("1.a4 b5 2.axb5 a6 3.bxa6 Nf6 4.a7 Ng8 5.axb8=Q Rxb8 6.O-O *");
        check("1.e4 e5 (1...d5 2.exd5 (2.e5 f5 3.exf6) 2...Qxd5) 2.f4 exf4 (2...d5) 3.-- f3 *");
        check("1.e4 h5 2.e5 d5 3.exd6 h4 4.dxc7 h3 5.cxb8=N hxg2 6.Nxd7 gxh1=Q *");
    }
}
