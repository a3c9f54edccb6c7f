//! Eight boards side by side, so that one instruction of the processor works on several of them.
//!
//! The loops over the lanes have a fixed length and no branches, which is enough for the compiler to
//! make them vector instructions. Attacks are found by moving whole sets along all lines at once,
//! without looking at single squares.

mod attacks;
mod set;

pub(crate) use set::lanes_where;
pub use set::{LANES, LaneSet};

use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::placement::Placement;
use crate::position::Position;
use crate::set::SquareSet;

/// Eight boards with the side to move on each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneBoards {
    roles: [LaneSet; 6],
    colors: [LaneSet; 2],
    /// All squares of the boards on which Black is to move.
    black_to_move: LaneSet,
}

/// A move of one piece in each lane, without a second change of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneMoves {
    /// The two squares of each move; none in a lane without such a move.
    pub touched: LaneSet,
    /// The square that the piece goes to.
    pub filled: LaneSet,
    /// The index of the role that it has there, in place of a set; any larger number for another
    /// kind of move, and [`LaneMoves::NO_MOVE`] in a lane without one.
    pub roles: LaneSet,
}

/// The squares where the moves of several games start and end: no squares in a lane without a move,
/// and all squares for a move that changes more than these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneEnds {
    /// The square where each move starts.
    pub from: LaneSet,
    /// The square where each move ends.
    pub to: LaneSet,
}

impl LaneMoves {
    /// The number in a lane without a move, in place of a role.
    pub const NO_MOVE: u64 = u64::MAX;

    /// No moves.
    pub const NONE: LaneMoves = LaneMoves {
        touched: LaneSet::EMPTY,
        filled: LaneSet::EMPTY,
        roles: LaneSet([LaneMoves::NO_MOVE; LANES]),
    };

    /// Removes the move of a lane.
    #[inline]
    pub fn remove(&mut self, lane: usize) {
        self.touched.0[lane] = 0;
        self.filled.0[lane] = 0;
        self.roles.0[lane] = LaneMoves::NO_MOVE;
    }

    /// Returns the ends of the moves.
    #[must_use]
    pub fn ends(&self) -> LaneEnds {
        let mut ends = LaneEnds { from: LaneSet::EMPTY, to: LaneSet::EMPTY };
        for lane in 0..LANES {
            let (touched, filled) = (self.touched.0[lane], self.filled.0[lane]);
            let is_there = u64::from(self.roles.0[lane] != LaneMoves::NO_MOVE).wrapping_neg();
            let is_odd = u64::from(touched == 0).wrapping_neg();
            ends.from.0[lane] = (touched ^ filled | is_odd) & is_there;
            ends.to.0[lane] = (filled | is_odd) & is_there;
        }
        ends
    }
}

/// The current positions of several games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanePositions {
    /// The boards.
    pub boards: LaneBoards,
    /// The moves that led here.
    pub last: LaneMoves,
    /// The moves that follow.
    pub next: LaneMoves,
    /// The lanes that have a game.
    pub playing: u8,
    /// The lanes that are at the start of their game.
    pub starting: u8,
    /// Numbers of the moves before.
    pub plies: [i32; LANES],
    /// The lanes in whose game Black moves first.
    pub black_began: u8,
}

impl LanePositions {
    /// No games.
    pub const EMPTY: LanePositions = LanePositions {
        boards: LaneBoards::EMPTY,
        last: LaneMoves::NONE,
        next: LaneMoves::NONE,
        playing: 0,
        starting: 0,
        plies: [0; LANES],
        black_began: 0,
    };

    /// Puts the first position of a game into a lane.
    pub fn start(&mut self, lane: usize, start: &Position) {
        self.boards.put(lane, &start.board, start.turn);
        self.last.remove(lane);
        self.plies[lane] = 0;
        self.playing |= 1 << lane;
        self.starting |= 1 << lane;
        self.black_began &= !(1 << lane);
        self.black_began |= u8::from(start.turn == Color::Black) << lane;
    }

    /// Removes the game of a lane.
    pub fn stop(&mut self, lane: usize) {
        self.boards.put(lane, &Board::EMPTY, Color::White);
        self.last.remove(lane);
        self.playing &= !(1 << lane);
    }

    /// Plays the next move in each lane, but those that change more than two squares of the board.
    #[inline]
    pub fn play(&mut self) {
        self.boards.play(&self.next);
        self.last = self.next;
        self.starting = 0;
        for ply in &mut self.plies {
            *ply += 1;
        }
    }

    /// Returns the numbers of the next moves, as they are written.
    #[must_use]
    pub fn move_numbers(&self) -> [i32; LANES] {
        let mut numbers = self.plies;
        for (lane, number) in numbers.iter_mut().enumerate() {
            *number = (*number + i32::from(self.black_began >> lane & 1)) / 2 + 1;
        }
        numbers
    }
}

impl LaneBoards {
    /// No pieces at all.
    pub const EMPTY: LaneBoards = LaneBoards {
        roles: [LaneSet::EMPTY; 6],
        colors: [LaneSet::EMPTY; 2],
        black_to_move: LaneSet::EMPTY,
    };

    /// Returns the board of a lane.
    #[must_use]
    pub fn board(&self, lane: usize) -> Board {
        let of_lane = |set: LaneSet| SquareSet(set.0[lane]);
        Board { roles: self.roles.map(of_lane), colors: self.colors.map(of_lane) }
    }

    /// Returns the side to move in a lane.
    #[must_use]
    pub fn turn(&self, lane: usize) -> Color {
        if self.black_to_move.0[lane] == 0 { Color::White } else { Color::Black }
    }

    /// Replaces the board of a lane.
    pub fn put(&mut self, lane: usize, board: &Board, turn: Color) {
        for (own, set) in self.roles.iter_mut().zip(board.roles) {
            own.0[lane] = set.0;
        }
        for (own, set) in self.colors.iter_mut().zip(board.colors) {
            own.0[lane] = set.0;
        }
        self.black_to_move.0[lane] = (turn as u64).wrapping_neg();
    }

    /// Plays a move in each lane, and turns the side to move in all of them.
    #[inline]
    pub fn play(&mut self, moves: &LaneMoves) {
        let LaneMoves { touched, filled, roles } = moves;
        for (role, set) in self.roles.iter_mut().enumerate() {
            let role = SquareSet(role as u64);
            let placed = filled.zip(
                *roles,
                |filled, placed| {
                    if placed == role { filled } else { SquareSet::EMPTY }
                },
            );
            *set = (*set - *touched) | placed;
        }
        let black = self.black_to_move;
        let [of_white, of_black] = &mut self.colors;
        *of_white = (*of_white - *touched) | (*filled - black);
        *of_black = (*of_black - *touched) | (*filled & black);
        self.black_to_move = !black;
    }

    /// Plays a move of any kind by a side in one lane, as [`Position::play`] does.
    pub fn play_in(&mut self, lane: usize, side: Color, mv: Move) {
        let next = Position::new(self.board(lane), side).play(mv);
        self.put(lane, &next.board, next.turn);
    }

    /// All squares of the boards on which this color is to move.
    #[inline]
    #[must_use]
    pub fn to_move(&self, color: Color) -> LaneSet {
        match color {
            Color::White => !self.black_to_move,
            Color::Black => self.black_to_move,
        }
    }

    /// Pieces of the side to move.
    #[inline]
    #[must_use]
    pub fn us(&self) -> LaneSet {
        let [white, black] = self.colors;
        (white - self.black_to_move) | (black & self.black_to_move)
    }

    /// Kings of the side to move that are attacked.
    #[must_use]
    pub fn kings_in_check(&self) -> LaneSet {
        let us = self.us();
        self.attacked(us & self.role(Role::King), self.occupied() - us)
    }
}

impl Placement for LaneBoards {
    type Set = LaneSet;

    #[inline]
    fn role(&self, role: Role) -> LaneSet {
        self.roles[role.index()]
    }

    #[inline]
    fn color(&self, color: Color) -> LaneSet {
        self.colors[color.index()]
    }
}

impl Placement for LanePositions {
    type Set = LaneSet;

    #[inline]
    fn role(&self, role: Role) -> LaneSet {
        self.boards.role(role)
    }

    #[inline]
    fn color(&self, color: Color) -> LaneSet {
        self.boards.color(color)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::placement::Squares;
    use crate::square::Square;
    use crate::testing::{any_board, played_position};
    use crate::{attacks_of, between};

    /// Returns eight boards, some of them empty, with a set of squares for each.
    fn boards() -> impl Strategy<Value = Vec<(Board, u64)>> {
        prop::collection::vec((any_board(), any::<u64>()), 0..=LANES)
    }

    fn in_lanes(boards: &[(Board, u64)]) -> (LaneBoards, LaneSet) {
        let (mut lanes, mut sets) = (LaneBoards::EMPTY, LaneSet::EMPTY);
        for (lane, (board, set)) in boards.iter().enumerate() {
            let turn = Color::ALL[(set >> 1 & 1) as usize];
            lanes.put(lane, board, turn);
            sets.0[lane] = *set;
            assert_eq!((lanes.board(lane), lanes.turn(lane)), (*board, turn));
        }
        (lanes, sets)
    }

    /// Returns the parts of all pins on a board, by their definition.
    fn pins(board: &Board, from: SquareSet, through: SquareSet, to: SquareSet) -> [SquareSet; 3] {
        let mut pins = [SquareSet::EMPTY; 3];
        for pinning in from & (board.straight_sliders() | board.diagonal_sliders()) {
            let piece = board.piece_at(pinning).unwrap();
            let lines = attacks_of(piece, pinning, SquareSet::EMPTY);
            for target in to & lines & !board.color(piece.color) {
                let between = between(pinning, target) & board.occupied();
                let Some(pinned) = between.single() else {
                    continue;
                };
                if (through & board.color(!piece.color)).contains(pinned) {
                    let parts = pins.iter_mut().zip([pinning, pinned, target]);
                    parts.for_each(|(part, square)| part.insert(square));
                }
            }
        }
        pins
    }

    proptest! {
        #[test]
        fn attacks_in_lanes_are_those_of_each_board(boards in boards(), more in any::<u64>()) {
            let (lanes, left) = in_lanes(&boards);
            let right = left.zip(left, |set, _| SquareSet(set.0.rotate_left(17) ^ more));
            let (attacked, attackers) = (lanes.attacked(left, right), lanes.attackers(left, right));
            let mut n_attacks = [[0; 64]; LANES];
            lanes.for_each_attack(left, |attacked| {
                for (counts, attacked) in n_attacks.iter_mut().zip(attacked.0) {
                    SquareSet(attacked).into_iter().for_each(|sq| counts[sq.index()] += 1);
                }
            });
            let pins_in_lanes = lanes.pins(left, right, !left);
            for (lane, (board, _)) in boards.iter().enumerate() {
                let [left, right] = [left, right].map(|set| SquareSet(set.0[lane]));
                let from = |men: SquareSet| (men & board.occupied()).into_iter();
                let all = from(right).fold(SquareSet::EMPTY, |all, sq| all | board.attacks_from(sq));
                prop_assert_eq!(SquareSet(attacked.0[lane]), all & left);
                let attacks = |sq: &Square| board.attacks_from(*sq).intersects(right);
                let all: SquareSet = from(left).filter(attacks).collect();
                prop_assert_eq!(SquareSet(attackers.0[lane]), all);
                for to in Square::ALL {
                    let n = (board.attackers_to(to, board.occupied()) & left).len();
                    prop_assert_eq!(n_attacks[lane][to.index()], n);
                }
                let pins = pins(board, left & board.occupied(), right, !left);
                prop_assert_eq!(pins_in_lanes.map(|part| SquareSet(part.0[lane])), pins);
                let position = Position::new(*board, lanes.turn(lane));
                let in_check = lanes.kings_in_check().lanes() >> lane & 1 != 0;
                prop_assert_eq!(in_check, position.is_check());
                prop_assert_eq!(SquareSet(lanes.us().0[lane]), position.us());
                prop_assert_eq!(lanes.occupied().count()[lane], board.occupied().count());
            }
        }

        #[test]
        fn moves_in_lanes_are_those_of_each_board(
            positions in prop::collection::vec(played_position(), 1..=LANES),
            choice in any::<usize>(),
        ) {
            let mut lanes = LaneBoards::EMPTY;
            let mut moves = LaneMoves::NONE;
            let mut want = Vec::new();
            for (lane, position) in positions.iter().enumerate() {
                lanes.put(lane, &position.board, position.turn);
                let mut list = crate::MoveList::new();
                position.legal_moves(&mut list);
                let chosen = list.get(choice % list.len().max(1)).copied();
                let next = chosen.map_or(*position, |mv| position.play(mv));
                want.push((next.board, !position.turn));
                let Some(mv) = chosen.filter(|mv| !mv.is_irregular()) else {
                    continue;
                };
                moves.touched.0[lane] = (mv.from().set() | mv.to().set()).0;
                moves.filled.0[lane] = mv.to().set().0;
                moves.roles.0[lane] = mv.promotion().unwrap_or(mv.role()).index() as u64;
            }
            lanes.play(&moves);
            for (lane, position) in positions.iter().enumerate() {
                let mut list = crate::MoveList::new();
                position.legal_moves(&mut list);
                let chosen = list.get(choice % list.len().max(1)).copied();
                if let Some(mv) = chosen.filter(|mv| mv.is_irregular()) {
                    lanes.play_in(lane, position.turn, mv);
                }
                prop_assert_eq!((lanes.board(lane), lanes.turn(lane)), want[lane]);
            }
        }
    }
}
