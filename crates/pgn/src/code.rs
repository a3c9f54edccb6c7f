//! Stores the moves of a game in two bytes each, so that they can be played again without their
//! text.
//!
//! A code holds origin, destination and kind: enough to make the [`Move`] again without a board. A
//! variation follows the move that it replaces, between two codes of its own, so that a game is one
//! sequence in the order of its text, and a search for moves is a search for numbers.

use board::{Color, LaneMoves, Move, MoveKind, Position, Role, Square, SquareSet, Start};

use crate::tree::{GameTree, Stop, TreeStep};
use crate::values::GameResult;

/// A move in two bytes, or the start or end of a variation.
///
/// Bits 0–5 are the square that the move comes from, 6–11 the one it goes to, 12–15 its kind: 0–5
/// the role that moves (pawn to king), 6 a double step, 7 an en passant capture, 8 castling, 9 a
/// null move, 10–13 a promotion (knight to queen), 14 and 15 the start and the end of a variation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveCode(pub u16);

const TO: u32 = 6;
const KIND: u32 = 12;

const KING: u16 = Role::King as u16;
const DOUBLE_STEP: u16 = 6;
const EN_PASSANT: u16 = 7;
const CASTLE: u16 = 8;
const NULL: u16 = 9;
/// Promotion to a knight; the other roles follow.
const PROMOTION: u16 = 10;
const OPEN: u16 = 14;
const CLOSE: u16 = 15;

/// Meaning of a [`MoveCode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The next move of the line.
    Move(Move),
    /// A variation to the move before begins.
    Open,
    /// The variation ends.
    Close,
}

impl MoveCode {
    /// The start of a variation to the move before it.
    pub const OPEN: MoveCode = MoveCode(OPEN << KIND);

    /// The end of a variation.
    pub const CLOSE: MoveCode = MoveCode(CLOSE << KIND);

    /// Returns the code of a move. `None` for castling of Chess960, which two squares do not
    /// describe completely, and for moves that the normal game does not have.
    #[inline]
    #[must_use]
    pub fn of(mv: Move) -> Option<MoveCode> {
        let kind = match mv.kind() {
            MoveKind::Normal => match mv.promotion() {
                None => mv.role() as u16,
                Some(role) => PROMOTION + (role as u16).wrapping_sub(Role::Knight as u16),
            },
            MoveKind::DoubleStep => DOUBLE_STEP,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Castle => CASTLE,
            MoveKind::Null => NULL,
            MoveKind::Drop => return None,
        };
        let [from, to] = [mv.from(), mv.to()].map(|sq| u16::from(sq.as_u8()));
        let code = MoveCode(from | to << TO | kind << KIND);
        // All other moves are fully described by their code.
        let may_lack_something = kind == CASTLE || kind >= PROMOTION;
        (!may_lack_something || code.step() == Step::Move(mv)).then_some(code)
    }

    /// Returns the meaning of the code. Every number has one.
    #[inline]
    #[must_use]
    pub fn step(self) -> Step {
        match self.0 >> KIND {
            OPEN => Step::Open,
            CLOSE => Step::Close,
            _ => Step::Move(self.mv()),
        }
    }

    /// Returns the move that the code stands for, if it is one.
    #[inline(always)]
    fn mv(self) -> Move {
        let (from, to, kind) = (self.from(), self.to(), self.0 >> KIND);
        // Squares and role alone determine nearly all of them, without a branch.
        let mv = LIKE[usize::from(kind)].between(from, to);
        match kind {
            CASTLE | NULL => rare_move(from, to, kind),
            _ => mv,
        }
    }

    /// Returns the pawns of White and of Black after the move. The code must be a move.
    #[inline]
    pub(crate) fn move_pawns(self, mover: Color, mut pawns: [SquareSet; 2]) -> [SquareSet; 2] {
        let (from, to) = (self.from().set(), self.to().set());
        let [own, other] = match mover {
            Color::White => [0, 1],
            Color::Black => [1, 0],
        };
        pawns[other] -= to;
        match self.0 >> KIND {
            0 | DOUBLE_STEP => pawns[own] = (pawns[own] - from) | to,
            EN_PASSANT => {
                pawns[own] = (pawns[own] - from) | to;
                pawns[other] -= Square::from_coords(self.to().file(), self.from().rank()).set();
            }
            PROMOTION.. => pawns[own] -= from,
            _ => {}
        }
        pawns
    }

    /// Returns the square to which a king moves, if one does. The code must be a move.
    #[inline]
    pub(crate) fn king_to(self) -> Option<Square> {
        matches!(self.0 >> KIND, KING | CASTLE).then(|| self.to())
    }

    /// Returns the squares that a move of one piece touches, as bits, the one of them that it fills,
    /// and the index of the role of the piece. Castling, en passant captures, promotions and null
    /// moves touch none, and have a larger number for a role; [`MoveCode::CLOSE`] has
    /// [`LaneMoves::NO_MOVE`]. No branches, so that the compiler can do this for several codes at
    /// once.
    #[inline(always)]
    pub(crate) const fn relocation(code: u64) -> (u64, u64, u64) {
        let (from, to, kind) = (1 << (code & 63), 1 << (code >> TO & 63), code >> KIND);
        let is_plain = ((kind < EN_PASSANT as u64) as u64).wrapping_neg();
        let touched = (from ^ to) & is_plain;
        let role = if kind == DOUBLE_STEP as u64 { 0 } else { kind };
        let no_move = ((kind == CLOSE as u64) as u64).wrapping_neg() & LaneMoves::NO_MOVE;
        (touched, to & touched, role | no_move)
    }

    /// Whether the code stands for a move of which [`MoveCode::relocation`] is not all. A null move
    /// changes nothing else.
    #[inline(always)]
    pub(crate) const fn is_special(code: u64) -> bool {
        let kind = code >> KIND;
        (kind >= EN_PASSANT as u64) & (kind < OPEN as u64) & (kind != NULL as u64)
    }

    /// Returns the move if [`MoveCode::is_special`] says so.
    #[inline(always)]
    pub(crate) fn special(self) -> Option<Move> {
        MoveCode::is_special(u64::from(self.0)).then(|| self.mv())
    }

    /// Returns the squares where the move starts and ends. The code must be a move.
    #[inline(always)]
    pub(crate) fn ends(self) -> SquareSet {
        self.from().set() | self.to().set()
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::new((self.0 >> TO & 63) as u8)
    }
}

/// A game of chess without variations, as its start and the codes of its moves.
#[derive(Clone, Copy, Debug)]
pub struct CodedLine<'a> {
    /// The first position.
    pub start: Position,
    /// The code of each move.
    pub codes: &'a [u16],
}

impl<'a> CodedLine<'a> {
    /// Iterates over the start and the position after each move.
    #[inline]
    pub fn positions(self) -> impl Iterator<Item = Position> + use<'a> {
        let mut position = self.start;
        let played = self.codes.iter().map(move |&code| {
            position = position.play(MoveCode(code).mv());
            position
        });
        std::iter::once(self.start).chain(played)
    }
}

/// For each kind, a move of that kind between arbitrary squares.
static LIKE: [Move; 16] = {
    let (from, to) = (Square::ALL[0], Square::ALL[1]);
    let mut like = [Move::null(from); 16];
    let mut kind = 0;
    while kind < 6 {
        like[kind] = Move::normal(Role::ALL[kind], from, to);
        kind += 1;
    }
    like[DOUBLE_STEP as usize] = Move::double_step(from, to);
    like[EN_PASSANT as usize] = Move::en_passant(from, to);
    let mut role = 1;
    while role < 5 {
        like[PROMOTION as usize + role - 1] = Move::promoting(from, to, Role::ALL[role]);
        role += 1;
    }
    like
};

/// Returns a castling or null move, which is made of fewer than two squares.
#[cold]
fn rare_move(from: Square, to: Square, kind: u16) -> Move {
    if kind == NULL {
        return Move::null(from);
    }
    let color = match to.rank() {
        0 => Color::White,
        _ => Color::Black,
    };
    Move::castle(color, to.file() == 6)
}

impl GameTree {
    /// Begins another game in this tree, as [`GameTree::build`] does, and plays the moves of codes
    /// with their variations.
    ///
    /// # Errors
    /// If there are more moves than a game can have, or a variation without a move before it.
    pub fn read_codes(
        &mut self,
        start: Start,
        has_fen: bool,
        codes: &[u16],
        result: GameResult,
    ) -> Result<(), Stop> {
        let mut builder = self.build(start, has_fen);
        if codes.iter().all(|&code| code < MoveCode::OPEN.0) {
            builder.push_line(codes.iter().map(|&code| MoveCode(code).mv()))?;
        } else {
            for &code in codes {
                match MoveCode(code).step() {
                    Step::Move(mv) => builder.push(mv)?,
                    Step::Open => builder.open_variation()?,
                    Step::Close => {
                        builder.close_variation();
                    }
                }
            }
        }
        builder.finish(result);
        Ok(())
    }

    /// Appends the codes of all moves, in the order of the text. Returns `false` if a move has
    /// none; then the appended codes are of no use.
    pub fn write_codes(&self, codes: &mut Vec<u16>) -> bool {
        let mut has_all = true;
        let mut code_of = |node| {
            let code = self.move_to(node).and_then(MoveCode::of);
            has_all &= code.is_some();
            code.unwrap_or(MoveCode::CLOSE).0
        };
        if self.is_linear() {
            codes.extend((1..self.len()).map(code_of))
        } else {
            codes.extend(self.steps().map(|step| match step {
                TreeStep::Move(node) => code_of(node),
                TreeStep::Open(_) => MoveCode::OPEN.0,
                TreeStep::Close => MoveCode::CLOSE.0,
            }))
        }
        has_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::RawGame;
    use crate::tags::TagIndex;

    fn codes(text: &str) -> Option<Vec<u16>> {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        let raw = RawGame::of(text.as_bytes());
        index.scan(raw.text);
        tree.parse(index.tags(raw.text));
        let mut codes = Vec::new();
        tree.write_codes(&mut codes).then_some(codes)
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let check = |text: &str| {
            let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
            index.scan(text.as_bytes());
            tree.parse(index.tags(text.as_bytes()));
            let mut codes = Vec::new();
            assert!(tree.write_codes(&mut codes), "{text}");
            // Reading replaces the former contents of the tree.
            let mut read = GameTree::default();
            for codes in [&[MoveCode::of(Move::null(Square::A1)).expect("a code").0], &codes[..]] {
                let is_read = read.read_codes(tree.start(), false, codes, GameResult::Draw);
                assert_eq!(is_read, Ok(()), "{text}");
            }
            assert_eq!(read.positions(), tree.positions(), "{text}");
            if tree.is_linear() {
                let line = CodedLine { start: tree.start().position, codes: &codes };
                assert!(line.positions().eq(tree.positions().iter().copied()), "{text}");
            }
            let steps = |tree: &GameTree| tree.steps().collect::<Vec<_>>();
            assert_eq!(steps(&read), steps(&tree), "{text}");
            let moves =
                |tree: &GameTree| (0..tree.len()).map(|n| tree.move_to(n)).collect::<Vec<_>>();
            assert_eq!(moves(&read), moves(&tree), "{text}");
            assert_eq!(read.result(), GameResult::Draw);
        };
        check("*");
        check("1.e4 d5 2.exd5 c5 3.dxc6 -- 4.cxb7 Nf6 5.bxc8=N g6 6.Nf3 Bg7 7.Be2 O-O 8.O-O *");
        check("1.e4 (1.d4 d5 2.c4) e5 2.Nf3 (2.f4) () *");
        let mut tree = GameTree::default();
        let null = MoveCode::of(Move::null(Square::E1)).expect("a code").0;
        let many = vec![null; crate::tree::POSITION_LIMIT];
        let start = Start::normal(false);
        let read = tree.read_codes(start, false, &many, GameResult::Draw);
        assert_eq!(read, Err(Stop::TooLong));
        let open = [MoveCode::OPEN.0];
        let read = tree.read_codes(start, false, &open, GameResult::Draw);
        assert_eq!(read, Err(Stop::EarlyVariation));
    }

    /// Returns the codes as text.
    fn shown(text: &str) -> String {
        let codes = codes(text).expect("codes");
        let steps = codes.iter().map(|&code| match MoveCode(code).step() {
            Step::Move(mv) => mv.to_string(),
            Step::Open => "(".to_owned(),
            Step::Close => ")".to_owned(),
        });
        steps.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_code_but_those_without_meaning_comes_back() {
        for number in 0..=u16::MAX {
            let code = MoveCode(number);
            let Step::Move(mv) = code.step() else {
                continue;
            };
            // Castling and null moves are made of fewer than two squares.
            let again = MoveCode::of(mv).expect("a code");
            assert_eq!(again.step(), code.step(), "{number}");
            if !mv.is_castle() && !mv.is_null() {
                assert_eq!(again, code);
            }
        }
    }

    #[test]
    fn castling_of_chess960_has_no_code() {
        let square = |name: &str| Square::parse(name.as_bytes()).expect("a square");
        let mv = Move::castle_from(square("f1"), square("h1"));
        assert_eq!(MoveCode::of(mv), None);
        let game = "[Variant \"Chess960\"]\n\n1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.O-O *";
        assert_eq!(codes(game), None);
        let game = "[Variant \"Chess960\"]\n\n1.e4 (1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.O-O) *";
        assert_eq!(codes(game), None);
    }

    #[test]
    fn moves_stand_in_the_order_of_the_text() {
        let check = |game: &str, expected: &str| assert_eq!(shown(game), expected, "{game}");
        check("*", "");
        check("1.e4 e5 2.Nf3 *", "e2e4 e7e5 g1f3");
        check(
            "1.e4 (1.d4 d5 (1...Nf6) 2.c4) (1.c4) e5 ( ) 2.Nf3 *",
            "e2e4 ( d2d4 d7d5 ( g8f6 ) c2c4 ) ( c2c4 ) e7e5 ( ) g1f3",
        );
        // An unclosed variation ends with the text; an unmatched `)` closes nothing.
        check("1.e4 e5) (1...c5 (1...e6 *", "e2e4 e7e5 ( c7c5 ( e7e6 ) )");
        check(
            "[FEN \"4k3/P7/8/8/5p2/8/4P3/4K2R w K - 0 1\"]\n\n1.e4 fxe3 2.O-O -- 3.a8=N *",
            "e2e4 f4e3 e1g1 -- a7a8n",
        );
    }
}
