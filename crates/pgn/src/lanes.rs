//! Replays eight games side by side.

use std::slice;

use board::{Board, Color, LANES, LaneBoards, LaneEnds, LaneMoves, LanePositions, LaneSet};

use crate::code::{CodedLine, MoveCode};

/// A game in a lane.
#[derive(Default)]
struct Lane<'m> {
    /// Index of the game among those replayed.
    game: usize,
    /// Number of its moves.
    n_moves: usize,
    /// The moves that have not been played.
    rest: slice::Iter<'m, u16>,
}

/// Replays games and tests every position. `test` returns a bit for each lane whose position is one
/// of those looked for.
///
/// `found` is called for each of these positions with the index of the game and the number of moves
/// before, in the order of the game.
pub fn replay_side_by_side<'m>(
    games: impl IntoIterator<Item = CodedLine<'m>>,
    mut test: impl FnMut(&LanePositions) -> u8,
    mut found: impl FnMut(usize, usize),
) {
    let mut games = games.into_iter().enumerate();
    let mut lanes: [Lane<'m>; LANES] = Default::default();
    let mut at = LanePositions {
        boards: LaneBoards::EMPTY,
        last: LaneEnds::NONE,
        next: LaneEnds::NONE,
        playing: 0,
        starting: 0,
        plies: [0; LANES],
        black_began: 0,
    };
    let mut free = u8::MAX;
    loop {
        at.starting = 0;
        for lane in lanes_of(free) {
            (at.last.from.0[lane], at.last.to.0[lane]) = (0, 0);
            let Some((game, CodedLine { start, codes })) = games.next() else {
                at.boards.put(lane, &Board::EMPTY, Color::White);
                at.playing &= !(1 << lane);
                continue;
            };
            lanes[lane] = Lane { game, n_moves: codes.len(), rest: codes.iter() };
            at.boards.put(lane, &start.board, start.turn);
            at.playing |= 1 << lane;
            at.starting |= 1 << lane;
            at.plies[lane] = 0;
            at.black_began &= !(1 << lane);
            at.black_began |= u8::from(start.turn == Color::Black) << lane;
        }
        if at.playing == 0 {
            return;
        }
        let mut codes = [u64::from(MoveCode::NULL.0); LANES];
        free = 0;
        for (lane, Lane { rest, .. }) in lanes.iter_mut().enumerate() {
            match rest.next() {
                Some(code) => codes[lane] = u64::from(*code),
                None => free |= 1 << lane,
            }
        }
        let moves = moves_of(&codes);
        at.next = moves.ends(!free);
        for lane in lanes_of(test(&at) & at.playing) {
            let Lane { game, n_moves, rest } = &lanes[lane];
            let n_left = rest.len() + usize::from(free >> lane & 1 == 0);
            found(*game, n_moves - n_left);
        }
        free &= at.playing;
        play(&mut at.boards, &moves, &codes);
        at.last = at.next;
        at.plies = at.plies.map(|ply| ply + 1);
    }
}

/// Iterates over the lanes whose bits are set.
#[inline]
fn lanes_of(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// Returns the moves that one piece makes and that change nothing else.
#[inline(always)]
fn moves_of(codes: &[u64; LANES]) -> LaneMoves {
    let mut moves =
        LaneMoves { touched: LaneSet::EMPTY, filled: LaneSet::EMPTY, roles: LaneSet::EMPTY };
    for (lane, code) in codes.iter().enumerate() {
        let (touched, filled, role) = MoveCode::relocation(*code);
        moves.touched.0[lane] = touched;
        moves.filled.0[lane] = filled;
        moves.roles.0[lane] = role;
    }
    moves
}

/// Plays a move in each lane.
#[inline(always)]
fn play(boards: &mut LaneBoards, moves: &LaneMoves, codes: &[u64; LANES]) {
    boards.play(moves);
    for (lane, code) in codes.iter().enumerate() {
        if let Some(mv) = MoveCode(*code as u16).special() {
            boards.play_in(lane, !boards.turn(lane), mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use board::Position;

    use super::*;
    use crate::code::Step;
    use crate::split::Splitter;
    use crate::tags::TagIndex;
    use crate::tree::GameTree;

    /// Returns the codes and the positions of the games of the examples without variations.
    fn games() -> Vec<(Vec<u16>, Vec<Position>)> {
        let files = [
            &include_bytes!("../../../examples/historic.pgn")[..],
            include_bytes!("../../../examples/miniatures.pgn"),
            b"1.e4 d5 2.exd5 c5 3.dxc6 -- 4.cxb7 Nf6 5.bxc8=N g6 6.Nf3 Bg7 7.Be2 O-O 8.O-O *\n\n*",
        ];
        let mut games = Vec::new();
        let split = |file| Splitter::default().split(file, true).collect::<Vec<_>>();
        for raw in files.into_iter().flat_map(split) {
            let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
            index.scan(raw.text);
            tree.parse(index.tags(raw.text));
            let mut codes = Vec::new();
            if tree.is_linear() && tree.write_codes(&mut codes) {
                games.push((codes, tree.positions().to_vec()));
            }
        }
        games
    }

    /// Returns the squares where a move starts and ends, as [`LaneEnds`] has them.
    fn ends_of(code: Option<&u16>) -> (u64, u64) {
        match code.map(|&code| MoveCode(code).step()) {
            Some(Step::Move(mv))
                if mv.is_irregular() || mv.is_null() || mv.promotion().is_some() =>
            {
                (u64::MAX, u64::MAX)
            }
            Some(Step::Move(mv)) => (mv.from().set().0, mv.to().set().0),
            _ => (0, 0),
        }
    }

    fn in_lane((codes, positions): &(Vec<u16>, Vec<Position>)) -> CodedLine<'_> {
        CodedLine { start: positions[0], codes }
    }

    #[test]
    fn games_side_by_side_have_the_positions_that_they_have_alone() {
        let games = games();
        assert!(games.len() > 50, "{} games", games.len());
        for n_games in (0..20).chain([games.len()]) {
            // The game in each lane, and the number of positions seen of it.
            let (mut at, mut n_begun) = ([(0, 0); LANES], 0);
            let test = |at_once: &LanePositions| {
                let LanePositions { boards, last, next, playing, starting, .. } = at_once;
                let mut odd = 0;
                for lane in lanes_of(*playing) {
                    if starting >> lane & 1 != 0 {
                        at[lane] = (n_begun, 0);
                        n_begun += 1;
                    }
                    let (game, ply) = at[lane];
                    let position: &Position = &games[game].1[ply];
                    assert_eq!(boards.board(lane), position.board, "game {game}, ply {ply}");
                    assert_eq!(boards.turn(lane), position.turn);
                    assert_eq!(at_once.plies[lane], ply as i32);
                    let ends = |ends: &LaneEnds| (ends.from.0[lane], ends.to.0[lane]);
                    let codes = &games[game].0;
                    let before = ply.checked_sub(1).and_then(|ply| codes.get(ply));
                    assert_eq!(ends(last), ends_of(before), "game {game}, ply {ply}");
                    assert_eq!(ends(next), ends_of(codes.get(ply)), "game {game}, ply {ply}");
                    at[lane].1 += 1;
                    odd |= (ply as u8 & 1) << lane;
                }
                odd
            };
            let mut found: Vec<Vec<usize>> = vec![Vec::new(); n_games];
            let codes = games[..n_games].iter().map(in_lane);
            replay_side_by_side(codes, test, |game, ply| found[game].push(ply));
            let odd =
                games[..n_games].iter().map(|(codes, _)| (1..=codes.len()).step_by(2).collect());
            assert_eq!(found, odd.collect::<Vec<Vec<usize>>>());
        }
    }
}
