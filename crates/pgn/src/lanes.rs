//! Replays eight games side by side.

use board::{LANES, LaneBoards, LaneMoves, LanePositions};

use crate::code::{CodedLine, MoveCode};

/// A game in a lane.
#[derive(Clone, Copy, Default)]
struct Lane<'m> {
    /// Index of the game among those replayed.
    game: usize,
    /// The moves that have not been played.
    rest: &'m [u16],
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
    let mut lanes = [Lane::default(); LANES];
    let mut at = LanePositions::EMPTY;
    let mut free = u8::MAX;
    loop {
        for lane in lanes_of(free) {
            if let Some((game, CodedLine { start, codes })) = games.next() {
                lanes[lane] = Lane { game, rest: codes };
                at.start(lane, &start);
            } else {
                lanes[lane] = Lane::default();
                at.stop(lane);
            }
        }
        // No game ends before the shortest one.
        let n_left = |lane: usize| lanes[lane].rest.len();
        let Some(n_together) = lanes_of(at.playing).map(n_left).min() else {
            return;
        };
        for ply in 0..=n_together {
            let mut codes = [u64::from(MoveCode::CLOSE.0); LANES];
            for (code, lane) in codes.iter_mut().zip(&lanes) {
                if let Some(next) = lane.rest.get(ply) {
                    *code = u64::from(*next);
                }
            }
            at.next = moves_of(&codes);
            for lane in lanes_of(test(&at) & at.playing) {
                found(lanes[lane].game, at.plies[lane] as usize);
            }
            play(&mut at, &codes);
        }
        let ends = |&lane: &usize| lanes[lane].rest.len() == n_together;
        free = lanes_of(at.playing).filter(ends).fold(0, |free, lane| free | 1 << lane);
        for lane in &mut lanes {
            lane.rest = lane.rest.get(n_together + 1..).unwrap_or_default();
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

/// Returns the moves that one piece makes and that change nothing else. [`MoveCode::CLOSE`] stands
/// for no move.
#[inline(always)]
fn moves_of(codes: &[u64; LANES]) -> LaneMoves {
    let mut moves = LaneMoves::NONE;
    for (lane, code) in codes.iter().enumerate() {
        let (touched, filled, role) = MoveCode::relocation(*code);
        moves.touched.0[lane] = touched;
        moves.filled.0[lane] = filled;
        moves.roles.0[lane] = role;
    }
    moves
}

/// Plays the next move in each lane. `codes` are those of the moves.
#[inline(always)]
fn play(at: &mut LanePositions, codes: &[u64; LANES]) {
    at.play();
    let mut are_special = false;
    for code in codes {
        are_special |= MoveCode::is_special(*code);
    }
    if are_special {
        play_specially(&mut at.boards, codes);
    }
}

/// Plays those moves that change more than two squares of the board.
#[cold]
fn play_specially(boards: &mut LaneBoards, codes: &[u64; LANES]) {
    for (lane, code) in codes.iter().enumerate() {
        if let Some(mv) = MoveCode(*code as u16).special() {
            boards.play_in(lane, !boards.turn(lane), mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use board::{LaneEnds, LaneMoves, Position};

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
                    let ends = |moves: &LaneMoves| {
                        let LaneEnds { from, to } = moves.ends();
                        (from.0[lane], to.0[lane])
                    };
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
