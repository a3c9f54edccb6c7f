//! Likeness of placements, as points: how much of a given board another one has.
//!
//! The points are those of pawns, pieces, kings and material. Half of the points of the pawns are
//! for their squares, half for their structure, which distinguishes endings. Everything about the
//! given board is computed once.

use crate::attacks::pawn_attacks_of_set;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::set::SquareSet;

/// Greatest number of points of each part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LikenessWeights {
    /// Pawns: half for their squares, half for their structure.
    pub pawns: u32,
    /// Knights, bishops, rooks and queens on their squares.
    pub pieces: u32,
    /// Kings, by distance.
    pub kings: u32,
    /// Numbers of pieces and pawns, by value.
    pub material: u32,
}

/// Measure of the likeness to a board.
#[derive(Debug, Clone)]
pub struct Likeness {
    board: Board,
    weights: LikenessWeights,
    structure: u64,
    /// Squares one rank from a pawn and without such a pawn, by color.
    near_pawns: [SquareSet; 2],
    /// Tenths of the points of a king on each square, by color.
    king_tenths: [[u8; 64]; 2],
    counts: [[u32; 5]; 2],
    n_pieces: u32,
}

/// Points that the boards of a game share from one capture or move of a pawn to the next: those of
/// pawns and material.
#[derive(Debug, Clone, Copy, Default)]
pub struct LikenessRun {
    common: f64,
    n_pieces: u32,
    most: i32,
}

impl LikenessRun {
    /// Number of points that none of the boards exceeds.
    #[inline]
    pub fn most(&self) -> i32 {
        self.most
    }
}

/// The pawns of the last board that was measured, with the share of their points. Pawns stand still
/// in two of three moves.
#[derive(Debug, Clone, Copy)]
pub struct LikenessMemo {
    pawns: [SquareSet; 2],
    share: f64,
}

impl Default for LikenessMemo {
    fn default() -> LikenessMemo {
        // No square has a pawn of both colors.
        LikenessMemo { pawns: [SquareSet::ALL; 2], share: 0.0 }
    }
}

/// Tenths of the points of a king at each distance from the other; none beyond.
const KING_TENTHS: [u8; 4] = [10, 6, 3, 1];

const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Values of pawn, knight, bishop, rook and queen.
const VALUES: [u32; 5] = [1, 3, 3, 5, 9];

/// Tolerance for sums of points: far above the rounding errors of the arithmetic, far below the
/// least difference of two sums.
const ROUNDING: f64 = 1e-9;

impl Likeness {
    /// Creates the measure of the likeness to `board`.
    pub fn new(board: &Board, weights: LikenessWeights) -> Likeness {
        let pawns = pawns(board);
        Likeness {
            board: *board,
            weights,
            structure: structure(pawns),
            near_pawns: pawns.map(|pawns| (pawns.shift_up() | pawns.shift_down()) - pawns),
            king_tenths: Color::ALL.map(|color| king_tenths(board.kings(color))),
            counts: Color::ALL.map(|color| counts(board, color)),
            n_pieces: pieces(board).len(),
        }
    }

    /// Returns the points of a board, rounded down: the sum of all weights only for a board that is
    /// equal in all parts that have a weight. `memo` belongs to this measure.
    pub fn of(&self, board: &Board, memo: &mut LikenessMemo) -> i32 {
        let weights = &self.weights;
        let points = f64::from(weights.pawns) * self.share_of_pawns(board, memo)
            + f64::from(weights.pieces) * self.of_pieces(board, pieces(board).len())
            + f64::from(weights.kings) * self.of_kings(board)
            + f64::from(weights.material) * self.of_material(board).0;
        rounded(points)
    }

    /// Whether a board with these pawns of White and Black may have more than `least` points.
    #[inline]
    pub fn may_exceed(&self, least: i32, pawns: [SquareSet; 2]) -> bool {
        self.of_pawns(pawns, least).is_some()
    }

    /// Returns the points that the boards of a run have in common; `board` is the first of them. If
    /// none of them has more than `least` points, the result may be a run with nothing but that
    /// bound, and [`of_run`](Self::of_run) must not be called with it.
    pub fn run(&self, board: &Board, least: i32) -> LikenessRun {
        let Some(of_pawns) = self.of_pawns(pawns(board), least) else {
            return LikenessRun { most: least, ..LikenessRun::default() };
        };
        let LikenessWeights { pieces, kings, material, .. } = self.weights;
        let (of_material, n_common) = self.of_material(board);
        let n_pieces = self::pieces(board).len();
        let common = of_pawns + f64::from(material) * of_material;
        let of_pieces = f64::from(pieces) * share(2 * n_common, self.n_pieces + n_pieces);
        let most = rounded(common + of_pieces + f64::from(kings));
        LikenessRun { common, n_pieces, most }
    }

    /// Returns the points of a board of a run. [`LikenessRun::most`] must exceed the `least` with
    /// which [`run`](Self::run) was called.
    #[inline]
    pub fn of_run(&self, board: &Board, run: &LikenessRun) -> i32 {
        let weights = &self.weights;
        let of_pieces = f64::from(weights.pieces) * self.of_pieces(board, run.n_pieces);
        rounded(run.common + of_pieces + f64::from(weights.kings) * self.of_kings(board))
    }

    /// Returns the points of these pawns; `None` if no board with them has more than `least` points.
    #[inline]
    fn of_pawns(&self, there: [SquareSet; 2], least: i32) -> Option<f64> {
        let LikenessWeights { pawns, pieces, kings, material } = self.weights;
        let half = f64::from(pawns) / 2.0;
        let others = f64::from(pieces) + f64::from(kings) + f64::from(material);
        // The structure costs more, and the squares suffice for most pawns.
        let squares = half * self.of_squares_of_pawns(there);
        if rounded(squares + half + others) <= least {
            return None;
        }
        let points = squares + half * self.of_structure(there);
        (rounded(points + others) > least).then_some(points)
    }

    #[inline]
    fn share_of_pawns(&self, board: &Board, memo: &mut LikenessMemo) -> f64 {
        let pawns = pawns(board);
        if memo.pawns != pawns {
            let share = (self.of_squares_of_pawns(pawns) + self.of_structure(pawns)) / 2.0;
            *memo = LikenessMemo { pawns, share };
        }
        memo.share
    }

    #[inline]
    fn of_squares_of_pawns(&self, other: [SquareSet; 2]) -> f64 {
        let own = pawns(&self.board);
        let mut halves = 0;
        for color in 0..2 {
            let equal = (own[color] & other[color]).len();
            let near = (self.near_pawns[color] & other[color]).len();
            halves += 2 * equal + near.min(own[color].len() - equal);
        }
        share(halves, own.iter().chain(&other).map(|pawns| pawns.len()).sum())
    }

    #[inline(never)]
    fn of_structure(&self, other: [SquareSet; 2]) -> f64 {
        let structure = structure(other);
        let n_files = self.structure.count_ones() + structure.count_ones();
        share(2 * (self.structure & structure).count_ones(), n_files)
    }

    fn of_pieces(&self, board: &Board, n_pieces: u32) -> f64 {
        let own = &self.board;
        let colors = own.color(Color::White) & board.color(Color::White)
            | own.color(Color::Black) & board.color(Color::Black);
        let same = PIECES.map(|role| own.role(role) & board.role(role));
        let same = (same[0] | same[1] | same[2] | same[3]) & colors;
        share(2 * same.len(), self.n_pieces + n_pieces)
    }

    fn of_kings(&self, board: &Board) -> f64 {
        let of_color = |color: Color| {
            let (own, other) = (self.board.kings(color), board.kings(color));
            let tenths = &self.king_tenths[color.index()];
            let of_square = |sq: crate::Square| u32::from(tenths[sq.index()]);
            match (own.single(), other.single()) {
                (Some(_), Some(sq)) => share(of_square(sq), 10),
                _ => share(other.into_iter().map(of_square).sum(), 10 * own.len().max(other.len())),
            }
        };
        (of_color(Color::White) + of_color(Color::Black)) / 2.0
    }

    /// Returns the share of the material, and the number of pieces that both boards have.
    fn of_material(&self, board: &Board) -> (f64, u32) {
        let (mut least, mut most, mut n_pieces) = (0, 0, 0);
        for color in Color::ALL {
            let there = counts(board, color);
            for (role, value) in VALUES.into_iter().enumerate() {
                let (own, other) = (self.counts[color.index()][role], there[role]);
                least += value * other.min(own);
                most += value * other.max(own);
                if role > 0 {
                    n_pieces += other.min(own);
                }
            }
        }
        (share(least, most), n_pieces)
    }
}

/// Returns points as a whole number, rounded down.
fn rounded(points: f64) -> i32 {
    (points + ROUNDING) as i32
}

/// Returns the share of a part in a whole; 1 if the whole is 0.
fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}

fn pawns(board: &Board) -> [SquareSet; 2] {
    Color::ALL.map(|color| board.pieces(color, Role::Pawn))
}

fn pieces(board: &Board) -> SquareSet {
    board.occupied() - board.role(Role::Pawn) - board.role(Role::King)
}

fn counts(board: &Board, color: Color) -> [u32; 5] {
    std::array::from_fn(|role| board.pieces(color, Role::ALL[role]).len())
}

fn king_tenths(kings: SquareSet) -> [u8; 64] {
    let mut tenths = [0; 64];
    let mut squares = kings;
    for of_distance in KING_TENTHS {
        for sq in squares {
            tenths[sq.index()] = of_distance.max(tenths[sq.index()]);
        }
        let rows = squares | squares.shift_left() | squares.shift_right();
        squares = rows | rows.shift_up() | rows.shift_down();
    }
    tenths
}

/// Returns the files of pawns of White and Black, eight bits each: all, isolated, passed and
/// defended by a pawn.
fn structure([white, black]: [SquareSet; 2]) -> u64 {
    let of_color = |own: SquareSet, other: SquareSet, color: Color| {
        let all = files(own);
        let isolated = all & !(all << 1 | all >> 1);
        // Squares in front of other pawns or beside those.
        let fronts = ahead(other | other.shift_left() | other.shift_right(), !color);
        let passed = files(own - fronts);
        let defended = files(own & pawn_attacks_of_set(color, own));
        all | isolated << 16 | passed << 32 | defended << 48
    };
    of_color(white, black, Color::White) | of_color(black, white, Color::Black) << 8
}

/// Returns the files of some squares as eight bits.
fn files(squares: SquareSet) -> u64 {
    let mut ranks = squares.0;
    for n in [32, 16, 8] {
        ranks |= ranks >> n;
    }
    ranks & 0xff
}

/// Returns all squares in front of some squares, as seen by `color`.
fn ahead(squares: SquareSet, color: Color) -> SquareSet {
    let mut ahead = match color {
        Color::White => squares.shift_up(),
        Color::Black => squares.shift_down(),
    };
    for n in [8, 16, 32] {
        ahead |= SquareSet(match color {
            Color::White => ahead.0 << n,
            Color::Black => ahead.0 >> n,
        });
    }
    ahead
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::symmetry::Symmetry;
    use crate::testing::{any_board, played_position};
    use crate::{parse_board, shift_set};

    /// Weights so great that the smallest difference changes the points.
    const FINE: LikenessWeights =
        LikenessWeights { pawns: 600_000, pieces: 200_000, kings: 100_000, material: 100_000 };

    fn points_of(own: &Board, other: &Board, weights: LikenessWeights) -> i32 {
        Likeness::new(own, weights).of(other, &mut LikenessMemo::default())
    }

    fn board(fen: &str) -> Board {
        parse_board(fen.as_bytes()).expect("a board")
    }

    #[test]
    fn each_part_has_its_points() {
        let part = |name| {
            let all = |part| if part == name { 1000 } else { 0 };
            LikenessWeights {
                pawns: all("pawns"),
                pieces: all("pieces"),
                kings: all("kings"),
                material: all("material"),
            }
        };
        for (own, other, name, points) in [
            // One of two pawns stands, one is a rank off; the structure is equal.
            ("8/8/8/8/8/8/P6P/8", "8/8/8/8/8/7P/P7/8", "pawns", 500 / 4 * 3 + 500),
            // Two ranks off: only the structure is left.
            ("8/8/8/8/8/8/P7/8", "8/8/8/8/P7/8/8/8", "pawns", 500),
            // A pawn is near two others, but counts once.
            ("8/8/8/8/8/8/P7/8", "8/8/8/8/8/P7/8/P7", "pawns", 1000 / 6 + 500),
            // Files, isolated, passed and defended: b and c are all but isolated.
            ("8/8/8/8/8/8/1P6/8", "8/8/8/8/8/2P5/1P6/8", "pawns", 500 * 2 / 3 + 500 * 4 / 8),
            ("4k3/8/8/8/8/8/8/R3K2R", "4k3/8/8/8/8/8/8/R3K1R1", "pieces", 500),
            ("4k3/8/8/8/8/8/8/R3K2R", "4k3/8/8/8/8/8/8/r3K2R", "pieces", 500),
            ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/6K1", "kings", 500 + 150),
            ("4k3/8/8/8/8/8/8/4K3", "7k/8/8/8/4K3/8/8/8", "kings", 50 + 50),
            ("4k3/8/8/8/8/8/8/4K3", "8/8/8/8/8/8/8/4KK2", "kings", 400),
            ("8/8/8/8/8/8/P7/Q7", "8/8/8/8/8/8/P7/RR6", "material", 50),
            ("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8", "material", 1000),
            ("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8", "pawns", 1000),
            ("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/4K3", "kings", 500),
            ("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/4N3", "pieces", 0),
        ] {
            let got = points_of(&board(own), &board(other), part(name));
            assert_eq!(got, points, "{own} {other} {name}");
        }
    }

    #[test]
    fn passed_pawns_are_past_all_enemy_pawns() {
        let passed = |fen| structure(pawns(&board(fen))) >> 32 & 0xffff;
        assert_eq!(passed("8/p7/8/8/8/8/P1P5/8"), 0b100);
        assert_eq!(passed("8/8/P7/1p6/8/8/8/8"), 0b1000000001);
        assert_eq!(passed("8/8/8/1p6/8/P7/8/8"), 0);
    }

    proptest! {
        #[test]
        fn only_equal_boards_have_all_points(a in any_board(), b in played_position()) {
            let b = b.board;
            for (own, other) in [(a, a), (b, b), (a, b), (b, a)] {
                let points = points_of(&own, &other, FINE);
                prop_assert_eq!(points == 1_000_000, own == other);
                prop_assert!((0..=1_000_000).contains(&points));
            }
        }

        #[test]
        fn a_memo_changes_nothing(own in any_board(), a in played_position(), b in any_board()) {
            let measure = Likeness::new(&own, FINE);
            let mut memo = LikenessMemo::default();
            for other in [a.board, a.board, b, own, Board::EMPTY, a.board] {
                prop_assert_eq!(measure.of(&other, &mut memo), points_of(&own, &other, FINE));
            }
        }

        #[test]
        fn a_run_has_the_points_of_its_boards(
            own in played_position(),
            first in played_position(),
            indices in prop::collection::vec((0u8..64, 0u8..64), 0..6),
            weights in [0u32..4, 0..4, 0..4, 0..4],
            least in -1i32..12,
        ) {
            let [pawns, pieces, kings, material] = weights;
            for weights in [FINE, LikenessWeights { pawns, pieces, kings, material }] {
                let measure = Likeness::new(&own.board, weights);
                let mut board = first.board;
                let run = measure.run(&board, least);
                // All boards of a run have the same pawns and pieces, on other squares.
                for index in [(0, 0)].iter().chain(&indices) {
                    let [from, to] = [index.0, index.1].map(crate::Square::new);
                    let is_pawn = board.role_at(from) == Some(Role::Pawn);
                    if !is_pawn && board.piece_at(to).is_none() && let Some(piece) = board.take(from) {
                        board.put(to, piece);
                    }
                    let points = points_of(&own.board, &board, weights);
                    prop_assert!(points <= run.most());
                    prop_assert!(points <= least || measure.may_exceed(least, super::pawns(&board)));
                    if run.most() > least {
                        prop_assert_eq!(measure.of_run(&board, &run), points);
                    }
                }
            }
        }

        #[test]
        fn one_man_more_costs_points(position in played_position(), index in 0u8..64) {
            let mut other = position.board;
            if other.take(crate::Square::new(index)).is_some() {
                prop_assert!(points_of(&position.board, &other, FINE) < 1_000_000);
            }
        }

        #[test]
        fn images_are_as_like_as_their_originals(a in played_position(), b in played_position()) {
            let (a, b) = (a.board, b.board);
            let points = points_of(&a, &b, FINE);
            let upside_down = |board| Symmetry::REFLECT_H.apply_board(&board).swap_colors();
            let mirrored = |board| Symmetry::REFLECT_V.apply_board(&board);
            for image in [&upside_down as &dyn Fn(Board) -> Board, &mirrored] {
                prop_assert_eq!(points_of(&image(a), &image(b), FINE), points);
            }
        }

        #[test]
        fn distances_of_kings_are_steps(board in any_board(), index in 0u8..64) {
            let sq = crate::Square::new(index);
            let mut ring = sq.set();
            let mut steps = 0;
            while steps < 4 && !ring.intersects(board.kings(Color::White)) {
                let mut wider = ring;
                for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                    wider |= shift_set(ring, dx, dy, false);
                }
                ring = wider;
                steps += 1;
            }
            let tenths = KING_TENTHS.get(steps).copied().unwrap_or(0);
            prop_assert_eq!(king_tenths(board.kings(Color::White))[sq.index()], tenths);
        }
    }
}
