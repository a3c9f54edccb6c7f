//! Replays eight games side by side.

use std::slice;

use board::{Board, Color, LANES, LaneBoards, LaneMoves, LaneSet};

use crate::code::{CodedLine, MoveCode};

/// A game in a lane.
#[derive(Default)]
struct Lane<'m> {
    /// Index of the game among those replayed.
    game: usize,
    /// The moves that have not been played.
    rest: slice::Iter<'m, u16>,
    /// Number of positions found.
    n_found: u32,
}

/// Replays games and tests every position. `test` returns a bit for each lane with a position to be
/// counted. Its arguments are the positions, the lanes that have a game, and those that are at its
/// start.
///
/// `end` is called once for each game, in no order, with its index and the number of counted
/// positions. If `is_one_enough`, a game ends with the first of them.
pub fn replay_side_by_side<'m>(
    games: impl IntoIterator<Item = CodedLine<'m>>,
    is_one_enough: bool,
    mut test: impl FnMut(&LaneBoards, u8, u8) -> u8,
    mut end: impl FnMut(usize, u32),
) {
    let mut games = games.into_iter().enumerate();
    let mut lanes: [Lane<'m>; LANES] = Default::default();
    let mut boards = LaneBoards::EMPTY;
    let (mut playing, mut free) = (0, u8::MAX);
    loop {
        let mut starting = 0;
        for lane in lanes_of(free) {
            let Some((game, CodedLine { start, codes })) = games.next() else {
                boards.put(lane, &Board::EMPTY, Color::White);
                playing &= !(1 << lane);
                continue;
            };
            lanes[lane] = Lane { game, rest: codes.iter(), n_found: 0 };
            boards.put(lane, &start.board, start.turn);
            playing |= 1 << lane;
            starting |= 1 << lane;
        }
        if playing == 0 {
            return;
        }
        let found = test(&boards, playing, starting) & playing;
        for lane in lanes_of(found) {
            lanes[lane].n_found += 1;
        }
        let mut codes = [u64::from(MoveCode::NULL.0); LANES];
        free = 0;
        for (lane, Lane { rest, .. }) in lanes.iter_mut().enumerate() {
            match rest.next() {
                Some(code) => codes[lane] = u64::from(*code),
                None => free |= 1 << lane,
            }
        }
        free &= playing;
        if is_one_enough {
            free |= found;
        }
        play(&mut boards, &codes);
        for lane in lanes_of(free) {
            end(lanes[lane].game, lanes[lane].n_found);
            lanes[lane].rest = [].iter();
        }
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

/// Plays a move in each lane.
#[inline(always)]
fn play(boards: &mut LaneBoards, codes: &[u64; LANES]) {
    let mut moves =
        LaneMoves { touched: LaneSet::EMPTY, filled: LaneSet::EMPTY, roles: LaneSet::EMPTY };
    for (lane, code) in codes.iter().enumerate() {
        let (touched, filled, role) = MoveCode::relocation(*code);
        moves.touched.0[lane] = touched;
        moves.filled.0[lane] = filled;
        moves.roles.0[lane] = role;
    }
    boards.play(&moves);
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
            let test = |boards: &LaneBoards, playing: u8, starting: u8| {
                let mut odd = 0;
                for lane in lanes_of(playing) {
                    if starting >> lane & 1 != 0 {
                        at[lane] = (n_begun, 0);
                        n_begun += 1;
                    }
                    let (game, ply) = at[lane];
                    let position: &Position = &games[game].1[ply];
                    assert_eq!(boards.board(lane), position.board, "game {game}, ply {ply}");
                    assert_eq!(boards.turn(lane), position.turn);
                    at[lane].1 += 1;
                    odd |= (ply as u8 & 1) << lane;
                }
                odd
            };
            let mut ended = vec![None; n_games];
            let end = |game: usize, n: u32| assert_eq!(ended[game].replace(n), None);
            let codes = games[..n_games].iter().map(in_lane);
            replay_side_by_side(codes, false, test, end);
            let n_odd =
                games[..n_games].iter().map(|(codes, _)| Some((codes.len() as u32).div_ceil(2)));
            assert_eq!(ended, n_odd.collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_game_ends_with_the_first_position_found() {
        let games = games();
        let mut ended = vec![None; games.len()];
        let mut n_seen = 0;
        let test = |_: &LaneBoards, playing: u8, starting: u8| {
            n_seen += playing.count_ones();
            !starting
        };
        let codes = games.iter().map(in_lane);
        replay_side_by_side(codes, true, test, |game, n| assert_eq!(ended[game].replace(n), None));
        let has_moves = games.iter().map(|(codes, _)| Some(u32::from(!codes.is_empty())));
        assert_eq!(ended, has_moves.collect::<Vec<_>>());
        let n_expected: usize = games.iter().map(|(codes, _)| codes.len().min(1) + 1).sum();
        assert_eq!(n_seen as usize, n_expected);
    }
}
