//! Attacks of pieces, and the lines between squares.
//!
//! Sliders use hyperbola quintessence: subtracting the slider's bit from the blockers of a line
//! carries up to the first blocker, and the same on the byte-swapped board finds the blocker below.
//! The method needs one 64-byte row of masks per square (4 KiB in all) where magic tables need 800
//! KiB; queries share the first-level cache with many other things. Ranks, which a byte swap does
//! not mirror, are looked up in 512 bytes.
//!
//! Attacks are those of queries: own pieces are attacked like others; pins, turn and legality do
//! not matter.

use crate::piece::{Color, Piece, Role};
use crate::set::SquareSet;
use crate::square::Square;

/// One of the eight directions on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    /// All directions: the four straight ones, then the four diagonal ones.
    pub const ALL: [Direction; 8] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
        Direction::NorthEast,
        Direction::NorthWest,
        Direction::SouthEast,
        Direction::SouthWest,
    ];

    /// Step in files and ranks.
    #[inline]
    #[must_use]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::Up => (0, 1),
            Direction::Down => (0, -1),
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
            Direction::NorthEast => (1, 1),
            Direction::NorthWest => (-1, 1),
            Direction::SouthEast => (1, -1),
            Direction::SouthWest => (-1, -1),
        }
    }

    /// The direction with this step, each part in −1..=1 and not both 0.
    #[must_use]
    pub const fn from_delta(df: i8, dr: i8) -> Option<Direction> {
        Some(match (df, dr) {
            (0, 1) => Direction::Up,
            (0, -1) => Direction::Down,
            (-1, 0) => Direction::Left,
            (1, 0) => Direction::Right,
            (1, 1) => Direction::NorthEast,
            (-1, 1) => Direction::NorthWest,
            (1, -1) => Direction::SouthEast,
            (-1, -1) => Direction::SouthWest,
            _ => return None,
        })
    }

    /// The direction back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::NorthEast => Direction::SouthWest,
            Direction::NorthWest => Direction::SouthEast,
            Direction::SouthEast => Direction::NorthWest,
            Direction::SouthWest => Direction::NorthEast,
        }
    }

    /// Whether the direction is a bishop's.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        let (df, dr) = self.delta();
        df != 0 && dr != 0
    }

    /// Whether square indices grow in this direction.
    const fn is_rising(self) -> bool {
        let (df, dr) = self.delta();
        dr > 0 || dr == 0 && df > 0
    }

    const fn axis(self) -> usize {
        match self {
            Direction::Left | Direction::Right => RANK,
            Direction::Up | Direction::Down => FILE,
            Direction::NorthEast | Direction::SouthWest => DIAGONAL,
            Direction::NorthWest | Direction::SouthEast => ANTIDIAGONAL,
        }
    }
}

// Columns of `MASKS`. `NO_AXIS` is an empty column, so that unrelated squares need no branch.
const NO_AXIS: usize = 0;
const RANK: usize = 1;
const FILE: usize = 2;
const DIAGONAL: usize = 3;
const ANTIDIAGONAL: usize = 4;
const KNIGHT: usize = 5;
const KING: usize = 6;
const PAWNS: usize = 7;

/// For each square, the lines through it (without the square itself) and the attacks of leapers:
/// one cache line.
#[repr(align(64))]
struct Masks([[u64; 8]; 64]);

static MASKS: Masks = {
    const KNIGHT_STEPS: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let mut masks = [[0; 8]; 64];
    let mut i = 0;
    while i < 64 {
        let sq = Square::ALL[i];
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            let (df, dr) = direction.delta();
            if let Some(next) = sq.offset(df, dr) {
                masks[i][KING] |= next.set().0;
            }
            let mut at = sq;
            while let Some(next) = at.offset(df, dr) {
                masks[i][direction.axis()] |= next.set().0;
                at = next;
            }
            let (df, dr) = KNIGHT_STEPS[d];
            if let Some(next) = sq.offset(df, dr) {
                masks[i][KNIGHT] |= next.set().0;
            }
            d += 1;
        }
        // Pawn attacks of both colors in one word: White's are above, Black's below the square.
        masks[i][PAWNS] = masks[i][KING] & (masks[i][DIAGONAL] | masks[i][ANTIDIAGONAL]);
        i += 1;
    }
    Masks(masks)
};

/// For each square and role the squares reached on an empty board; nothing for pawns.
static REACH: Reach = {
    let mut reach = [[0; 8]; 64];
    let mut i = 0;
    while i < 64 {
        let masks = &MASKS.0[i];
        let diagonal = masks[DIAGONAL] | masks[ANTIDIAGONAL];
        let straight = masks[RANK] | masks[FILE];
        reach[i][Role::Knight.index()] = masks[KNIGHT];
        reach[i][Role::Bishop.index()] = diagonal;
        reach[i][Role::Rook.index()] = straight;
        reach[i][Role::Queen.index()] = diagonal | straight;
        reach[i][Role::King.index()] = masks[KING];
        i += 1;
    }
    Reach(reach)
};

#[repr(align(64))]
struct Reach([[u64; 8]; 64]);

/// For each color and square, the squares from which pieces of each role attack a piece of that
/// color there, if nothing stands between. The two entries after the roles are empty, because on a
/// [`Board`] the masks of the colors have these indices.
///
/// [`Board`]: crate::Board
static REACHING: [Reach; 2] = {
    let (mut white, mut black) = (Reach(REACH.0), Reach(REACH.0));
    let mut i = 0;
    while i < 64 {
        let pawns = MASKS.0[i][PAWNS];
        let below = (1 << i) - 1;
        white.0[i][Role::Pawn.index()] = pawns & !below;
        black.0[i][Role::Pawn.index()] = pawns & below;
        i += 1;
    }
    [white, black]
};

/// Returns for each role, by its index, the squares from which pieces of that role attack a piece
/// of a color on a square if nothing stands between; two empty sets follow.
#[inline(always)]
pub(crate) fn reaching(color: Color, sq: Square) -> &'static [u64; 8] {
    &REACHING[color.index()].0[sq.index()]
}

/// Axis on which two squares lie, `NO_AXIS` for unrelated or equal ones.
static AXES: [[u8; 64]; 64] = {
    let mut axes = [[NO_AXIS as u8; 64]; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            let (df, dr) = direction.delta();
            let mut at = Square::ALL[i];
            while let Some(next) = at.offset(df, dr) {
                axes[i][next.index()] = direction.axis() as u8;
                at = next;
            }
            d += 1;
        }
        i += 1;
    }
    axes
};

/// Attacks along a rank by the six inner blockers and the slider's file.
static RANK_ATTACKS: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let blockers = (inner as u8) << 1;
        let mut file = 0;
        while file < 8 {
            let mut attacks = 0u8;
            let mut f = file;
            while f < 7 {
                f += 1;
                attacks |= 1 << f;
                if blockers >> f & 1 != 0 {
                    break;
                }
            }
            let mut f = file;
            while f > 0 {
                f -= 1;
                attacks |= 1 << f;
                if blockers >> f & 1 != 0 {
                    break;
                }
            }
            table[inner][file] = attacks;
            file += 1;
        }
        inner += 1;
    }
    table
};

/// Slider attacks on one line that is not a rank; `mask` is the line without the slider.
#[inline(always)]
fn line_attacks(sq: Square, occupied: SquareSet, mask: u64) -> u64 {
    let blockers = occupied.0 & mask;
    let up = blockers.wrapping_sub(sq.set().0);
    let down = blockers.swap_bytes().wrapping_sub(sq.flip_rank().set().0).swap_bytes();
    (up ^ down) & mask
}

#[inline(always)]
fn rank_attacks(sq: Square, occupied: SquareSet) -> u64 {
    let shift = sq.index() & 56;
    let inner = (occupied.0 >> shift >> 1) & 63;
    u64::from(RANK_ATTACKS[inner as usize][sq.index() & 7]) << shift
}

/// Squares a knight attacks.
#[inline]
#[must_use]
pub fn knight_attacks(sq: Square) -> SquareSet {
    SquareSet(MASKS.0[sq.index()][KNIGHT])
}

/// Squares a king attacks.
#[inline]
#[must_use]
pub fn king_attacks(sq: Square) -> SquareSet {
    SquareSet(MASKS.0[sq.index()][KING])
}

/// Squares a pawn attacks: the one or two diagonal forward squares.
#[inline]
#[must_use]
pub fn pawn_attacks(color: Color, sq: Square) -> SquareSet {
    let both = MASKS.0[sq.index()][PAWNS];
    // Squares above have a higher bit than the pawn; the sign of the shift needs no branch.
    let below = sq.set().0 - 1;
    SquareSet(both & (below ^ (color as u64).wrapping_sub(1)))
}

/// Squares attacked by any pawn of a set.
#[inline]
#[must_use]
pub fn pawn_attacks_of_set(color: Color, pawns: SquareSet) -> SquareSet {
    let sides = pawns.shift_left() | pawns.shift_right();
    match color {
        Color::White => sides.shift_up(),
        Color::Black => sides.shift_down(),
    }
}

/// Squares a bishop attacks, up to and including the first occupied square of each diagonal.
#[inline]
#[must_use]
pub fn bishop_attacks(sq: Square, occupied: SquareSet) -> SquareSet {
    let masks = &MASKS.0[sq.index()];
    SquareSet(
        line_attacks(sq, occupied, masks[DIAGONAL])
            | line_attacks(sq, occupied, masks[ANTIDIAGONAL]),
    )
}

/// Squares a rook attacks, up to and including the first occupied square of each line.
#[inline]
#[must_use]
pub fn rook_attacks(sq: Square, occupied: SquareSet) -> SquareSet {
    let masks = &MASKS.0[sq.index()];
    SquareSet(line_attacks(sq, occupied, masks[FILE]) | rank_attacks(sq, occupied))
}

/// Squares a queen attacks.
#[inline]
#[must_use]
pub fn queen_attacks(sq: Square, occupied: SquareSet) -> SquareSet {
    bishop_attacks(sq, occupied) | rook_attacks(sq, occupied)
}

/// Squares a piece other than a pawn attacks on an empty board; nothing for pawns.
///
/// A square in this set is attacked if also nothing stands [`between`].
#[inline]
#[must_use]
pub fn reach(role: Role, sq: Square) -> SquareSet {
    SquareSet(REACH.0[sq.index()][role.index() & 7])
}

/// Squares a piece attacks from a square, given the occupied squares.
#[inline]
#[must_use]
pub fn attacks_of(piece: Piece, sq: Square, occupied: SquareSet) -> SquareSet {
    match piece.role {
        Role::Pawn => pawn_attacks(piece.color, sq),
        Role::Knight => knight_attacks(sq),
        Role::Bishop => bishop_attacks(sq, occupied),
        Role::Rook => rook_attacks(sq, occupied),
        Role::Queen => queen_attacks(sq, occupied),
        Role::King => king_attacks(sq),
    }
}

/// The line through both squares without `a`; empty if there is none.
#[inline(always)]
fn axis_mask(a: Square, b: Square) -> u64 {
    MASKS.0[a.index()][usize::from(AXES[a.index()][b.index()]) & 7]
}

/// Squares strictly between two squares of a common line; otherwise empty.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> SquareSet {
    // Bits from the lower square (included) to the higher (excluded); `a` is not in the mask.
    let span = (!0u64 << a.index()) ^ (!0u64 << b.index());
    SquareSet(axis_mask(a, b) & span & !b.set().0)
}

/// The whole line through two squares, both included; empty if there is none.
#[inline]
#[must_use]
pub fn line(a: Square, b: Square) -> SquareSet {
    let mask = axis_mask(a, b);
    if mask == 0 { SquareSet::EMPTY } else { SquareSet(mask) | a.set() }
}

/// Whether the two squares lie on a common line (a square and itself do not).
#[inline]
#[must_use]
pub fn is_aligned(a: Square, b: Square) -> bool {
    AXES[a.index()][b.index()] != NO_AXIS as u8
}

/// Squares from `sq` (excluded) to the edge of the board.
#[inline]
#[must_use]
pub fn ray(sq: Square, direction: Direction) -> SquareSet {
    let line = MASKS.0[sq.index()][direction.axis()];
    let below = sq.set().0 - 1;
    SquareSet(line & if direction.is_rising() { !below } else { below })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::set::tests::picture;

    fn walk(sq: Square, direction: Direction, occupied: SquareSet) -> SquareSet {
        let (df, dr) = direction.delta();
        let mut reached = SquareSet::EMPTY;
        let mut at = sq;
        while let Some(next) = at.offset(df, dr) {
            reached.insert(next);
            if occupied.contains(next) {
                break;
            }
            at = next;
        }
        reached
    }

    fn walk_all(sq: Square, occupied: SquareSet, diagonal: bool) -> SquareSet {
        Direction::ALL
            .into_iter()
            .filter(|d| d.is_diagonal() == diagonal)
            .fold(SquareSet::EMPTY, |set, d| set | walk(sq, d, occupied))
    }

    fn sq(name: &str) -> Square {
        Square::parse(name.as_bytes()).unwrap()
    }

    #[test]
    fn queen_picture() {
        let occupied = picture(
            ". . . . . . . .
             . X . . . . . .
             . . . . . X . .
             . . . . . . . .
             X . . X . . X .
             . . . . . . . .
             . . . X . . . .
             . . . . . . X .",
        );
        let want = picture(
            ". . . X . . . .
             X . . X . . . .
             . X . X . X . .
             . . X X X . . .
             X X X . X X X .
             . . X X X . . .
             . X . X . X . .
             X . . . . . X .",
        );
        assert_eq!(queen_attacks(sq("d4"), occupied), want);
    }

    #[test]
    fn leaper_counts() {
        let total = |f: &dyn Fn(Square) -> SquareSet| -> u32 {
            Square::ALL.into_iter().map(|s| f(s).len()).sum()
        };
        assert_eq!(total(&knight_attacks), 336);
        assert_eq!(total(&king_attacks), 420);
        assert_eq!(knight_attacks(sq("a1")), sq("b3").set() | sq("c2").set());
        assert_eq!(king_attacks(sq("h8")).len(), 3);
        for color in Color::ALL {
            for s in Square::ALL {
                let dr = if color == Color::White { 1 } else { -1 };
                let want: SquareSet =
                    [-1, 1].into_iter().filter_map(|df| s.offset(df, dr)).collect();
                assert_eq!(pawn_attacks(color, s), want, "{color:?} {s}");
                assert_eq!(pawn_attacks_of_set(color, s.set()), want);
            }
        }
    }

    #[test]
    fn lines_and_rays_agree_with_steps() {
        for a in Square::ALL {
            let mut seen = SquareSet::EMPTY;
            for d in Direction::ALL {
                let (df, dr) = d.delta();
                assert_eq!(Direction::from_delta(df, dr), Some(d));
                assert_eq!(d.opposite().opposite(), d);
                assert_eq!(ray(a, d), walk(a, d, SquareSet::EMPTY));
                let whole = ray(a, d) | a.set() | ray(a, d.opposite());
                let mut inside = SquareSet::EMPTY;
                let mut at = a;
                while let Some(b) = at.offset(df, dr) {
                    assert_eq!(line(a, b), whole);
                    assert_eq!(between(a, b), inside, "{a} {b}");
                    assert_eq!(between(b, a), inside, "{b} {a}");
                    assert!(is_aligned(a, b));
                    inside.insert(b);
                    seen.insert(b);
                    at = b;
                }
            }
            assert_eq!(seen, reach(Role::Queen, a));
            for b in !seen {
                assert_eq!(line(a, b), SquareSet::EMPTY, "{a} {b}");
                assert_eq!(between(a, b), SquareSet::EMPTY, "{a} {b}");
                assert!(!is_aligned(a, b));
            }
        }
        assert_eq!(Direction::from_delta(0, 0), None);
    }

    proptest! {
        #[test]
        fn sliders_equal_a_walk_along_the_rays(a: u64, b: u64, dense: bool, own: bool) {
            let mut occupied = SquareSet(if dense { a | b } else { a & b });
            for sq in Square::ALL {
                for &role in &Role::ALL[1..] {
                    let attacks = attacks_of(Piece::new(Color::White, role), sq, occupied);
                    let is_open = |to: &Square| !between(sq, *to).intersects(occupied);
                    let open: SquareSet = reach(role, sq).into_iter().filter(is_open).collect();
                    prop_assert_eq!(open, attacks);
                }
                if own {
                    occupied.insert(sq);
                }
                let (straight, diagonal) = (walk_all(sq, occupied, false), walk_all(sq, occupied, true));
                prop_assert_eq!(rook_attacks(sq, occupied), straight);
                prop_assert_eq!(bishop_attacks(sq, occupied), diagonal);
                prop_assert_eq!(queen_attacks(sq, occupied), straight | diagonal);
            }
        }
    }
}
