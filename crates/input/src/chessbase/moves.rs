//! Moves and variations.
//!
//! A move is a byte: which piece of its side goes where. The bytes are hidden by a substitution and
//! by the number of moves before them. Since pieces are counted from the start of the game, moves
//! can only be read by playing them. A line is stored to its end before the variations that branch
//! off it, so the moves become a tree before they are written.

use board::{ByColor, CastlingSetup, Color, Move, Position, Role, Square};

use super::start::square;
use super::tables::{TABLE_0, TABLE_4, TABLE_5, TABLE_10};
use crate::bytes::Bytes;
use crate::numbered::Numbered;

/// Largest number of variations within each other, which the reader of PGN accepts.
const DEEPEST: u16 = 500;

/// Largest number of places at which variations still have to be read.
const MOST_OPEN: usize = 4096;

/// Largest number of moves, which bounds the memory of a game.
const MOST_MOVES: usize = 1 << 20;

/// Number of squares of a color or type that are counted; promoted pieces may be more.
const COUNTED: usize = 10;

/// Pieces that are counted, in the order of [`Pieces::kinds`].
const KINDS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Way in which moves are encoded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoding {
    table: &'static [u8; 256],
    /// Whether the number of moves is subtracted before the substitution.
    is_early: bool,
    /// Whether each move is a pair of squares.
    pub(super) is_pair: bool,
    pub(super) is_chess960: bool,
}

impl Encoding {
    /// Returns the encoding with this number; `None` if it is not known.
    pub(super) fn of(number: u8) -> Option<Encoding> {
        let (table, is_early, is_pair, is_chess960) = match number {
            0 => (TABLE_0, true, false, false),
            4 => (TABLE_4, false, false, false),
            5 => (TABLE_5, false, true, false),
            10 => (TABLE_10, false, false, true),
            _ => return None,
        };
        Some(Encoding { table, is_early, is_pair, is_chess960 })
    }

    /// Returns the byte that a stored one stands for after `n` moves.
    fn read(&self, byte: u8, n: usize) -> u8 {
        let n = n as u8;
        if self.is_early {
            self.table[usize::from(byte.wrapping_sub(n))]
        } else {
            self.table[usize::from(byte)].wrapping_sub(n)
        }
    }
}

/// Squares of pieces of a color and a type.
type Squares = Numbered<COUNTED>;

/// Pieces of a side by their numbers.
#[derive(Clone, Copy, Default)]
struct Pieces {
    kinds: [Squares; 4],
    /// Pawns keep their numbers when others are captured.
    pawns: [Option<Square>; 8],
}

impl Pieces {
    fn squares(&mut self, role: Role) -> Option<&mut Squares> {
        let kind = KINDS.iter().position(|kind| *kind == role)?;
        Some(&mut self.kinds[kind])
    }

    fn pawn(&mut self, square: Square) -> Option<&mut Option<Square>> {
        self.pawns.iter_mut().find(|pawn| **pawn == Some(square))
    }
}

/// A position with the numbers of its pieces.
#[derive(Clone, Copy)]
pub(super) struct NumberedPosition {
    pub(super) position: Position,
    pieces: ByColor<Pieces>,
}

impl NumberedPosition {
    /// Numbers the pieces of the first position along the files.
    pub(super) fn start(position: Position) -> NumberedPosition {
        let mut pieces = ByColor([Pieces::default(); 2]);
        let mut n_pawns = [0; 2];
        for square in (0..64).map(square) {
            let Some(piece) = position.board.piece_at(square) else { continue };
            let of_color = &mut pieces[piece.color];
            if piece.role == Role::Pawn {
                let n = &mut n_pawns[piece.color.index()];
                if let Some(pawn) = of_color.pawns.get_mut(*n) {
                    *pawn = Some(square);
                }
                *n += 1;
            } else if let Some(squares) = of_color.squares(piece.role) {
                squares.push(square);
            }
        }
        NumberedPosition { position, pieces }
    }

    /// Returns the move that a byte stands for.
    pub(super) fn by_code(&self, code: u8, setup: Option<&CastlingSetup>) -> Option<Move> {
        const KING: [(u8, u8); 8] =
            [(0, 1), (1, 1), (1, 0), (1, 7), (0, 7), (7, 7), (7, 0), (7, 1)];
        const KNIGHT: [(u8, u8); 8] =
            [(2, 1), (1, 2), (7, 2), (6, 1), (6, 7), (7, 6), (1, 6), (2, 7)];
        const LINES: [(u8, u8); 4] = [(0, 1), (1, 0), (1, 1), (1, 7)];
        let position = &self.position;
        let pieces = &self.pieces[position.turn];
        // The first code of a piece, its type and its number. Types have the order of `KINDS`.
        let (first, kind, number) = match code {
            0 => return Some(board::null_move(position)),
            1..=8 => {
                let king = position.board.kings(position.turn).first()?;
                return self.step(king, KING[usize::from(code - 1)]);
            }
            9 | 10 => return self.castling(code == 9, setup),
            11..=38 => (11, 0, 0),
            39..=52 => (39, 1, 0),
            53..=66 => (53, 1, 1),
            67..=80 => (67, 2, 0),
            81..=94 => (81, 2, 1),
            95..=102 => (95, 3, 0),
            103..=110 => (103, 3, 1),
            111..=142 => {
                let (pawn, way) = (usize::from((code - 111) / 4), usize::from((code - 111) % 4));
                let way = match position.turn {
                    Color::White => [(0, 1), (0, 2), (1, 1), (7, 1)][way],
                    Color::Black => [(0, 7), (0, 6), (7, 7), (1, 7)][way],
                };
                return self.step(pieces.pawns[pawn]?, way);
            }
            143..=170 => (143, 0, 1),
            171..=198 => (171, 0, 2),
            199..=212 => (199, 1, 2),
            213..=226 => (213, 2, 2),
            227..=234 => (227, 3, 2),
            _ => return None,
        };
        let way = usize::from(code - first);
        let lines = match KINDS[kind] {
            Role::Knight => return self.step(pieces.kinds[kind].get(number)?, KNIGHT[way]),
            Role::Bishop => &LINES[2..],
            _ => &LINES[..],
        };
        let ((files, ranks), n) = (lines[way / 7], way as u8 % 7 + 1);
        self.step(pieces.kinds[kind].get(number)?, (files * n, ranks * n))
    }

    /// Returns the move by so many files and ranks, modulo 8.
    fn step(&self, from: Square, (files, ranks): (u8, u8)) -> Option<Move> {
        let to = Square::from_coords((from.file() + files) & 7, (from.rank() + ranks) & 7);
        self.ordinary(from, to, None)
    }

    fn ordinary(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let found = board::resolve_coordinate(&self.position, from, to, promotion);
        found.filter(|mv| !mv.is_castle())
    }

    /// Returns the move of a pair of squares, of 6 bits each, and 2 bits for a promotion.
    fn by_squares(&self, code: u16, setup: Option<&CastlingSetup>) -> Option<Move> {
        let position = &self.position;
        let (from, to) = (square(code as u8 & 63), square((code >> 6) as u8 & 63));
        let home = position.turn.home_rank();
        let is_of = |role| position.board.pieces(position.turn, role).contains(from);
        if from == to {
            return match (setup, to.file()) {
                // Castling of Chess960 is written as the square that the king reaches.
                (Some(_), file @ (2 | 6)) if to.rank() == home => self.castling(file == 6, setup),
                _ => (code & 0xfff == 0).then(|| board::null_move(position)),
            };
        }
        let is_home = from == Square::from_coords(4, home) && to.rank() == home;
        if setup.is_none() && is_of(Role::King) && is_home && matches!(to.file(), 2 | 6) {
            return self.castling(to.file() == 6, setup);
        }
        let is_promotion = is_of(Role::Pawn) && to.rank() == position.turn.promotion_rank();
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        self.ordinary(from, to, is_promotion.then(|| roles[usize::from(code >> 12 & 3)]))
    }

    /// Castling, even if the start of the game states no right to it: older databases store none.
    fn castling(&self, king_side: bool, setup: Option<&CastlingSetup>) -> Option<Move> {
        match setup {
            Some(setup) => setup.castling(&self.position, king_side),
            None => board::castling(&self.position, king_side),
        }
    }

    pub(super) fn play(&self, mv: Move) -> NumberedPosition {
        let NumberedPosition { position, mut pieces } = *self;
        if !mv.is_null() {
            let (us, board) = (position.turn, &position.board);
            if let Some(captured) = mv.captured_square(board) {
                let theirs = &mut pieces[!us];
                match board.role_at(captured) {
                    Some(Role::Pawn) => {
                        if let Some(pawn) = theirs.pawn(captured) {
                            *pawn = None;
                        }
                    }
                    role => {
                        if let Some(squares) = role.and_then(|role| theirs.squares(role)) {
                            squares.remove(captured);
                        }
                    }
                }
            }
            let ours = &mut pieces[us];
            if mv.role() == Role::Pawn {
                if let Some(pawn) = ours.pawn(mv.from()) {
                    *pawn = mv.promotion().is_none().then(|| mv.to());
                }
                if let Some(squares) = mv.promotion().and_then(|role| ours.squares(role)) {
                    squares.push(mv.to());
                }
            } else if let Some((from, to)) = mv.rook_from_to() {
                ours.kinds[1].replace(from, to);
            } else if let Some(squares) = ours.squares(mv.role()) {
                squares.replace(mv.from(), mv.to());
            }
        }
        NumberedPosition { position: position.play(mv), pieces }
    }
}

/// A move in the tree. The node before the first move has number 0, which also stands for none.
#[derive(Clone, Copy, Default)]
pub(super) struct Node {
    /// Place of the move in the text, after the one before it.
    text: u32,
    /// First move after this one, and the last one of its alternatives.
    pub(super) child: u32,
    last_child: u32,
    /// Next alternative to this move.
    pub(super) next: u32,
    /// Number of the full move.
    pub(super) number: u16,
    pub(super) is_black: bool,
    /// Number of variations around the move.
    depth: u16,
}

/// All moves of a game. Their numbers are in the order in which they are stored.
pub(super) struct Tree {
    nodes: Vec<Node>,
    text: Vec<u8>,
    /// Whether moves are missing after the ones that could be read.
    pub(super) is_damaged: bool,
}

impl Tree {
    /// Reads the moves of a game that starts here.
    pub(super) fn read(
        bytes: Bytes<'_>,
        encoding: Encoding,
        start: Position,
        setup: Option<&CastlingSetup>,
    ) -> Tree {
        let root = Node::default();
        let mut tree = Tree { nodes: vec![root], text: Vec::new(), is_damaged: false };
        let place = NumberedPosition::start(start);
        // A game without moves may have no bytes at all.
        tree.is_damaged = !bytes.0.is_empty()
            && Reader { bytes, encoding, setup, place, node: 0, open: Vec::new() }
                .read(&mut tree)
                .is_none();
        tree
    }

    /// Number of moves.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    pub(super) fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// Returns a move in SAN.
    pub(super) fn san(&self, number: u32) -> &[u8] {
        let start = self.node(number).text as usize;
        let end = self.nodes.get(number as usize + 1).map(|node| node.text as usize);
        &self.text[start..end.unwrap_or(self.text.len())]
    }

    /// Adds a move after a node, and returns its number. There may be too many.
    fn push(&mut self, parent: u32, position: &Position, san: &[u8]) -> Option<u32> {
        let number = u32::try_from(self.nodes.len()).ok().filter(|_| self.len() < MOST_MOVES)?;
        let before = &mut self.nodes[parent as usize];
        let sibling = before.last_child;
        let depth = before.depth + u16::from(sibling > 0);
        if depth > DEEPEST {
            return None;
        }
        before.last_child = number;
        match sibling {
            0 => before.child = number,
            sibling => self.nodes[sibling as usize].next = number,
        }
        self.nodes.push(Node {
            text: self.text.len() as u32,
            number: position.fullmove_number,
            is_black: position.turn == Color::Black,
            depth,
            ..Node::default()
        });
        self.text.extend_from_slice(san);
        Some(number)
    }
}

/// Reads moves, from one line to the next.
struct Reader<'a> {
    bytes: Bytes<'a>,
    encoding: Encoding,
    setup: Option<&'a CastlingSetup>,
    /// The position, and the move that led to it.
    place: NumberedPosition,
    node: u32,
    /// Places before moves whose alternatives follow the line.
    open: Vec<(NumberedPosition, u32)>,
}

impl Reader<'_> {
    /// Reads all moves; `None` if some are damaged.
    fn read(&mut self, tree: &mut Tree) -> Option<()> {
        if self.encoding.is_pair { self.read_pairs(tree) } else { self.read_codes(tree) }
    }

    fn byte(&mut self, tree: &Tree) -> Option<u8> {
        let byte = self.bytes.byte()?;
        Some(self.encoding.read(byte, tree.len()))
    }

    fn pair(&mut self, tree: &Tree) -> Option<u16> {
        Some(u16::from_be_bytes([self.byte(tree)?, self.byte(tree)?]))
    }

    fn read_codes(&mut self, tree: &mut Tree) -> Option<()> {
        let mut branches = false;
        loop {
            let mv = match self.byte(tree)? {
                // A byte without meaning.
                236 => continue,
                254 if !branches => {
                    branches = true;
                    continue;
                }
                255 if !branches => {
                    if !self.end_line() {
                        return Some(());
                    }
                    continue;
                }
                235 => {
                    let squares = self.pair(tree)?;
                    self.place.by_squares(squares, self.setup)?
                }
                code => self.place.by_code(code, self.setup)?,
            };
            self.play(tree, mv, std::mem::take(&mut branches))?;
        }
    }

    fn read_pairs(&mut self, tree: &mut Tree) -> Option<()> {
        loop {
            let code = self.pair(tree)?;
            let mv = self.place.by_squares(code & 0x3fff, self.setup)?;
            self.play(tree, mv, code & 0x8000 != 0)?;
            if code & 0x4000 != 0 && !self.end_line() {
                return Some(());
            }
        }
    }

    /// Goes back to where the next variation begins. Returns whether there is one.
    fn end_line(&mut self) -> bool {
        let Some(open) = self.open.pop() else { return false };
        (self.place, self.node) = open;
        true
    }

    fn play(&mut self, tree: &mut Tree, mv: Move, branches: bool) -> Option<()> {
        let position = &self.place.position;
        let next = self.place.play(mv);
        let san = board::san_reaching(position, mv, &next.position);
        let text = if mv.is_null() { b"--" } else { san.as_bytes() };
        let node = tree.push(self.node, position, text)?;
        if branches {
            if self.open.len() == MOST_OPEN {
                return None;
            }
            self.open.push((self.place, self.node));
        }
        (self.place, self.node) = (next, node);
        Some(())
    }
}
