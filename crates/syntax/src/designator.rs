//! Piece designators and the small types in them.

/// A set of the twelve colored piece types and the empty square, one bit each: white `P N B R Q K`
/// are bits 0–5, black `p n b r q k` bits 6–11, the empty square `_` bit 12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PieceSet(pub u16);

impl PieceSet {
    /// The empty set.
    pub const NONE: PieceSet = PieceSet(0);
    /// Every white piece, `A`.
    pub const WHITE: PieceSet = PieceSet(0x003f);
    /// Every black piece, `a`.
    pub const BLACK: PieceSet = PieceSet(0x0fc0);
    /// The empty square, `_`.
    pub const EMPTY_SQUARE: PieceSet = PieceSet(0x1000);
    /// `[Pp]`: the pawns of both sides.
    pub const PAWNS: PieceSet = PieceSet(0x0041);
    /// The white king, `K`.
    pub const WHITE_KING: PieceSet = PieceSet(1 << 5);
    /// The black king, `k`.
    pub const BLACK_KING: PieceSet = PieceSet(1 << 11);
    /// `[Aa_]`: every piece and the empty square.
    pub const ANYTHING: PieceSet = PieceSet(0x1fff);

    /// Returns the pieces that one ASCII letter stands for (`K` … `p`, `A`, `a`, `_`).
    pub const fn from_letter(letter: u8) -> Option<PieceSet> {
        Some(match letter {
            b'P' => PieceSet(1),
            b'N' => PieceSet(1 << 1),
            b'B' => PieceSet(1 << 2),
            b'R' => PieceSet(1 << 3),
            b'Q' => PieceSet(1 << 4),
            b'K' => PieceSet::WHITE_KING,
            b'p' => PieceSet(1 << 6),
            b'n' => PieceSet(1 << 7),
            b'b' => PieceSet(1 << 8),
            b'r' => PieceSet(1 << 9),
            b'q' => PieceSet(1 << 10),
            b'k' => PieceSet::BLACK_KING,
            b'A' => PieceSet::WHITE,
            b'a' => PieceSet::BLACK,
            b'_' => PieceSet::EMPTY_SQUARE,
            _ => return None,
        })
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn union(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }

    /// Whether this set contains all of `other`.
    pub const fn contains(self, other: PieceSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the set with white and black exchanged; the empty square stays.
    #[must_use]
    pub const fn swap_colors(self) -> PieceSet {
        PieceSet((self.0 & 0x3f) << 6 | (self.0 >> 6) & 0x3f | self.0 & 0x1000)
    }

    /// Returns the piece types without color: bit 0 pawn … bit 5 king.
    pub const fn roles(self) -> u8 {
        ((self.0 | self.0 >> 6) & 0x3f) as u8
    }
}

/// A piece designator: pieces, and the squares where they may be (bit 0 = a1, bit 63 = h8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Designator {
    /// The pieces; [`PieceSet::ANYTHING`] if none were written.
    pub pieces: PieceSet,
    /// The squares; all 64 if none were written.
    pub squares: u64,
    /// Whether pieces were written (`R`, `Ra1`), not squares alone (`a1`).
    pub has_pieces: bool,
    /// Whether squares were written (`Ra1`, `a1`), not pieces alone (`R`).
    pub has_squares: bool,
}

impl Designator {
    /// Creates a designator. All pieces, or all squares, count as not written.
    pub fn new(pieces: PieceSet, squares: u64) -> Designator {
        Designator {
            pieces,
            squares,
            has_pieces: pieces != PieceSet::ANYTHING,
            has_squares: squares != u64::MAX,
        }
    }
}

/// All squares on some neighboring files and ranks, each counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    /// The first and the last file.
    pub(crate) files: (u32, u32),
    /// The first and the last rank.
    pub(crate) ranks: (u32, u32),
}

impl Block {
    /// Returns the block with exactly these squares, if there is one.
    pub(crate) fn of(squares: u64) -> Option<Block> {
        if squares == 0 {
            return None;
        }
        let files = squares.to_le_bytes().into_iter().fold(0, |all, rank| all | rank);
        let (left, right) = (files.trailing_zeros(), 7 - files.leading_zeros());
        let (low, high) = (squares.trailing_zeros() / 8, 7 - squares.leading_zeros() / 8);
        let is_full = squares.count_ones() == (right - left + 1) * (high - low + 1);
        is_full.then_some(Block { files: (left, right), ranks: (low, high) })
    }
}

/// Returns the names of squares, from a1 to h8.
pub(crate) fn square_names(squares: u64) -> Vec<String> {
    let all = (0..64u32).filter(|square| squares >> square & 1 == 1);
    all.map(square_name).collect()
}

/// Returns the name of a square, from 0 (a1) to 63 (h8).
pub(crate) fn square_name(square: u32) -> String {
    let letters = [('a', square % 8), ('1', square / 8)];
    letters.iter().filter_map(|&(first, at)| char::from_u32(first as u32 + at)).collect()
}
