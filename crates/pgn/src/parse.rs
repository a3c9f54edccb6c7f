//! From move text to the tree.
//!
//! The loop has a short way for what nearly all tokens are (a move number, `Nf3`, `exd5`, with or
//! without check) and an exact one for everything, with the peculiarities of the reference
//! implementation. The short way only ever accepts what the exact one would read the same; when
//! in doubt it steps aside.

use board::{
    Move, Position, Role, Square, castling, null_move, resolve_coordinate, resolve_pawn,
    resolve_pawn_files, resolve_piece,
};
use memchr::memchr;

use crate::bytes::{each, is_blank, is_space};
use crate::comment::Comment;
use crate::tags::{GameResult, Tags};
use crate::tree::{GameTree, Link, Node, POSITION_LIMIT, Stop, Variation};

impl GameTree {
    /// Reads the moves of a game into this tree, replacing what it held.
    ///
    /// The tags are those of the game's [clean text](crate::split::RawGame::clean_text).
    pub fn parse(&mut self, tags: Tags<'_>) {
        self.reset(tags.fen());
        if !tags.preface().iter().all(|&b| is_blank(b)) {
            self.nodes[0].comment = Comment::Preface {
                len: tags.preface().len() as u32,
            };
        }
        let mut parser = Parser {
            text: tags.text(),
            at: tags.moves_start(),
            point: 0,
            in_line: false,
            open: Vec::new(),
            tree: self,
        };
        let (stop, result) = match parser.run() {
            Err(End::Result(result)) => (Stop::Result, result),
            Err(End::Stop(stop)) => (stop, tags.result()),
            Ok(()) => (Stop::End, tags.result()),
        };
        self.stop = stop;
        self.result = result;
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    tree: &'a mut GameTree,
    /// The node reached.
    point: u32,
    /// Whether the current line has a move.
    in_line: bool,
    /// The moves to which variations are open, outermost first.
    open: Vec<u32>,
}

/// How reading ends before the text does.
enum End {
    Result(GameResult),
    Stop(Stop),
}

/// A written move that was understood but may not be possible.
struct Written<'a> {
    /// Where it begins.
    start: usize,
    mv: Option<Move>,
    /// What an error message shows of it.
    shown: &'a [u8],
    promotion: Option<Role>,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), End> {
        loop {
            if self.tree.illegal_at.is_none() {
                self.read_ordinary();
            }
            match self.text.get(self.at) {
                Some(&byte) => self.token(byte)?,
                None => return Ok(()),
            }
        }
    }

    /// Reads on as long as the tokens are ordinary ones: move numbers, moves of the common forms,
    /// signs of check, comments. Stops at the first token that needs a closer look.
    fn read_ordinary(&mut self) {
        while self.tree.nodes.len() < POSITION_LIMIT {
            let Some(word) = self.peek() else { return };
            let byte = word as u8;
            let kind = KINDS[usize::from(byte)];
            if kind >= PAWN {
                let len = match self.ordinary_move(word, kind) {
                    Some((mv, len)) => {
                        self.push(mv);
                        len
                    }
                    None => return,
                };
                self.at += len as usize;
            } else if kind == DIGIT {
                let digits = leading_digits(word);
                let behind = (word >> (8 * digits & 63)) as u8;
                // One byte in seven at most are digits of move numbers: eight digits are none.
                if behind != b'.' && behind != b' ' {
                    return;
                }
                self.at += digits as usize + 1;
            } else if kind == SPACE {
                self.at += 1;
            } else if kind == SIGN && KINDS[usize::from((word >> 8) as u8)] == SPACE {
                self.at += 2;
            } else if byte != b'{' || self.comment().is_err() {
                return;
            }
        }
    }

    /// The next eight bytes.
    #[inline(always)]
    fn peek(&self) -> Option<u64> {
        let bytes = self.text.get(self.at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Reads a move in one of the common forms from the next eight bytes; with it the length to
    /// go on by, which includes white space behind the move.
    #[inline(always)]
    fn ordinary_move(&self, word: u64, kind: u8) -> Option<(Move, u32)> {
        let len = length_of_word(word);
        let byte = |i: u32| (word >> (8 * i & 63)) as u8;
        let behind = byte(len);
        let file = byte(len.wrapping_sub(2)).wrapping_sub(b'a');
        let rank = byte(len.wrapping_sub(1)).wrapping_sub(b'1');
        if !(2..8).contains(&len) || file | rank > 7 || ENDS_MOVE >> behind & 1 == 0 {
            return None;
        }
        let to = Square::from_coords(file, rank);
        let mv = if kind == PAWN {
            if len != 2 && !(len == 4 && byte(1) == b'x') {
                return None;
            }
            resolve_pawn(self.pos(), Some(byte(0) - b'a'), None, to, None)
        } else {
            let (mut from_file, mut from_rank) = (None, None);
            if len != 3 {
                // `Nxd2`, `Nbd2`, `N1d2`, `Nbxd2`, `N1xd2`
                let hint = byte(1);
                if len > 5 || len < 3 || len == 5 && byte(2) != b'x' {
                    return None;
                }
                match hint {
                    b'x' if len == 4 => {}
                    b'a'..=b'h' => from_file = Some(hint - b'a'),
                    b'1'..=b'8' => from_rank = Some(hint - b'1'),
                    _ => return None,
                }
            }
            let role = Role::ALL[usize::from(kind - PAWN)];
            resolve_piece(self.pos(), role, to, from_file, from_rank)
        };
        Some((mv?, len + u32::from(behind <= b' ')))
    }

    /// Reads any token, exactly.
    fn token(&mut self, byte: u8) -> Result<(), End> {
        match byte {
            b' ' | b'\n' | b'.' => self.at += 1,
            b'a'..=b'h' => return self.pawn_token(self.at),
            b'0'..=b'9' => return self.digit_word(),
            b'B' | b'K' | b'N' | b'Q' | b'R' => return self.piece_token(byte),
            b'{' => return self.comment(),
            b'+' | b'#' => self.sign(),
            _ => return self.other_token(byte),
        }
        Ok(())
    }

    /// The position reached.
    #[inline(always)]
    fn pos(&self) -> &Position {
        &self.tree.positions[self.point as usize]
    }

    /// Plays a legal move.
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        let node = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Node::new(mv));
        let next = self.pos().play(mv);
        self.tree.positions.push(next);
        if !self.tree.links.is_empty() {
            self.link(node);
        }
        self.point = node;
        self.in_line = true;
    }

    fn link(&mut self, node: u32) {
        self.tree.links.push(Link {
            parent: self.point,
            ..Link::default()
        });
        if self.in_line || self.open.is_empty() {
            self.tree.links[self.point as usize].next = node;
        } else if let Some(variation) = self.tree.variations.last_mut() {
            // A line without moves is the variation opened last.
            variation.first = node;
        }
    }

    /// Plays a move as written, or notes that it is illegal.
    fn play(&mut self, written: Written<'_>) -> Result<(), End> {
        if self.tree.illegal_at.is_some() {
            return Ok(());
        }
        if let Some(mv) = written.mv {
            if self.tree.nodes.len() >= POSITION_LIMIT {
                return Err(End::Stop(Stop::TooLong));
            }
            self.push(mv);
            return Ok(());
        }
        self.tree.illegal_at = Some(written.start);
        let error = &mut self.tree.error;
        error.extend_from_slice(b"Error reading move: ");
        error.extend_from_slice(written.shown);
        if let Some(role) = written.promotion {
            error.extend_from_slice(&[b'=', role.letter()]);
        }
        self.set_comment(Comment::Error);
        Ok(())
    }

    fn set_comment(&mut self, comment: Comment) {
        match self.tree.variations.last_mut() {
            Some(variation) if !self.in_line && !self.open.is_empty() => {
                variation.comment = comment;
            }
            _ => self.tree.nodes[self.point as usize].comment = comment,
        }
    }

    /// Annotates the last move of the line.
    fn add_nag(&mut self, nag: u8) {
        if nag != 0 && self.in_line && self.tree.illegal_at.is_none() {
            self.tree.nodes[self.point as usize].add_nag(nag);
        }
    }

    #[inline]
    fn comment(&mut self) -> Result<(), End> {
        let start = self.at + 1;
        let len = memchr(b'}', &self.text[start..]).ok_or(End::Stop(Stop::OpenComment))?;
        self.set_comment(Comment::Text {
            start: start as u32,
            len: len as u32,
        });
        self.at = start + len + 1;
        Ok(())
    }

    fn open_variation(&mut self) -> Result<(), End> {
        if !self.in_line {
            return Err(End::Stop(Stop::EarlyVariation));
        }
        self.at += 1;
        if self.tree.links.is_empty() {
            self.tree.make_links();
        }
        let replaced = self.point;
        self.tree.add_variation(replaced);
        self.open.push(replaced);
        self.point = self.tree.links[replaced as usize].parent;
        self.in_line = false;
        Ok(())
    }

    fn close_variation(&mut self) {
        self.at += 1;
        if let Some(replaced) = self.open.pop() {
            self.point = replaced;
            self.in_line = true;
        }
    }

    /// The bytes from here up to white space or one of the given.
    fn word(&mut self, ends: &[u8]) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|b| is_space(*b) || ends.contains(b));
        let word = &rest[..len.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn digit_word(&mut self) -> Result<(), End> {
        let start = self.at;
        let word = self.word(b".)");
        if word.iter().all(u8::is_ascii_digit) {
            return Ok(());
        }
        if let Some(result) = result_word(word) {
            return Err(End::Result(result));
        }
        let is_long = word.starts_with(b"0-0-0") || word.starts_with(b"000");
        if is_long || word.starts_with(b"0-0") || word.starts_with(b"00") {
            return self.castle(start, word, !is_long);
        }
        Ok(())
    }

    fn castle(&mut self, start: usize, shown: &[u8], king_side: bool) -> Result<(), End> {
        self.play(Written {
            start,
            mv: castling(self.pos(), king_side),
            shown,
            promotion: None,
        })
    }

    /// A check or mate sign, or an annotation that begins with one.
    #[inline]
    fn sign(&mut self) {
        let next = self.text.get(self.at + 1);
        match next {
            Some(b'+') if self.text[self.at] == b'+' => self.at += 2,
            None | Some(b'!' | b'?' | b'$' | b')') => self.at += 1,
            Some(&byte) if is_space(byte) => self.at += 2,
            Some(_) => {
                let nag = match self.word(b".)") {
                    b"+=" | b"+/=" => 14,
                    b"+/-" => 16,
                    b"+-" => 18,
                    _ => 0,
                };
                self.add_nag(nag);
            }
        }
    }

    /// Everything that is rare.
    fn other_token(&mut self, byte: u8) -> Result<(), End> {
        match byte {
            _ if is_space(byte) => self.at += 1,
            b'O' | b'o' => return self.castle_token(),
            b'P' => return self.pawn_token(self.at + 1),
            b'(' => return self.open_variation(),
            b')' => self.close_variation(),
            b'}' => self.at += 1,
            b'[' => return Err(End::Stop(Stop::Bracket)),
            b';' | b'%' => {
                let rest = &self.text[self.at..];
                self.at += memchr(b'\n', rest).unwrap_or(rest.len());
            }
            b'!' | b'?' => self.marks(),
            b'$' => {
                let word = self.word(b".)");
                let digits = word[1..].iter().take_while(|b| b.is_ascii_digit());
                let nag = digits.fold(0_u8, |n, b| n.wrapping_mul(10).wrapping_add(b - b'0'));
                self.add_nag(nag);
            }
            b'~' => {
                self.at += 1;
                self.add_nag(13);
            }
            _ => return self.symbol_word(),
        }
        Ok(())
    }

    fn symbol_word(&mut self) -> Result<(), End> {
        let start = self.at;
        let nag = match self.word(b".)") {
            b"=" => 10,
            b"=+" | b"=/+" => 15,
            b"-/+" => 17,
            b"-+" => 19,
            b"D" => 201,
            b"*" => return Err(End::Result(GameResult::Unknown)),
            word => {
                if self.is_null_move(start, word) {
                    return self.play(Written {
                        start,
                        mv: Some(null_move(self.pos())),
                        shown: word,
                        promotion: None,
                    });
                }
                // A byte that starts no word must be passed nevertheless.
                self.at = self.at.max(start + 1);
                0
            }
        };
        self.add_nag(nag);
        Ok(())
    }

    /// `--`, `null` or `Z0`; behind the latter two the word may go on with signs.
    fn is_null_move(&mut self, start: usize, word: &[u8]) -> bool {
        let name: &[u8] = match word {
            b"--" => b"--",
            [b'n', b'u', b'l', b'l', rest @ ..] if !starts_with(rest, u8::is_ascii_alphabetic) => {
                b"null"
            }
            [b'Z', b'0', rest @ ..] if !starts_with(rest, u8::is_ascii_alphanumeric) => b"Z0",
            _ => return false,
        };
        self.at = start + name.len();
        true
    }

    /// A run of `!` and `?`, of which two count.
    fn marks(&mut self) {
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|b| !matches!(b, b'!' | b'?'));
        let marks = &rest[..len.unwrap_or(rest.len())];
        self.at += marks.len();
        self.add_nag(match marks {
            b"!" => 1,
            b"?" => 2,
            [b'!', b'!', ..] => 3,
            [b'?', b'?', ..] => 4,
            [b'!', ..] => 5,
            _ => 6,
        });
    }

    /// Castling written with letters.
    #[cold]
    fn castle_token(&mut self) -> Result<(), End> {
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest
            .iter()
            .position(|b| !matches!(b, b'O' | b'o' | b'0' | b'-'));
        let typed = &rest[..len.unwrap_or(rest.len())];
        let count = typed.iter().filter(|b| **b != b'-').count();
        let ends = match rest.get(typed.len()) {
            Some(b'+') => !typed.ends_with(b"-"),
            Some(&byte) => is_space(byte) || matches!(byte, b'#' | b'=' | b'!' | b'?' | b')'),
            None => true,
        };
        if !ends || !(2..=3).contains(&count) {
            self.word(b")");
            return Ok(());
        }
        self.at += typed.len();
        self.castle(start, typed, count == 2)
    }

    /// A piece move in all its forms.
    #[cold]
    fn piece_token(&mut self, letter: u8) -> Result<(), End> {
        let start = self.at;
        let mut kept = Kept::default();
        kept.push(letter);
        let mut at = start + 1;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'1'..=b'8' | b'a'..=b'h' => kept.push(byte),
                b')' | b'+' | b'!' | b'?' | b'#' | b'=' => break,
                _ if is_space(byte) => break,
                // Not consumed: what follows is an annotation, but the move is lost.
                b'-' if matches!(self.text.get(at + 1), Some(b'+' | b'/')) => {
                    self.at = at;
                    return Ok(());
                }
                b'x' | b':' | b'-' => {}
                _ => {
                    self.at = at + 1;
                    return Ok(());
                }
            }
            at += 1;
        }
        self.at = at;
        if at == start + 1 {
            if letter == b'N' {
                self.add_nag(146);
            }
            return Ok(());
        }
        self.play(Written {
            start,
            mv: kept.piece_move(self.pos()),
            shown: kept.bytes(),
            promotion: None,
        })
    }

    /// A pawn or coordinate move in all its forms.
    #[cold]
    fn pawn_token(&mut self, first: usize) -> Result<(), End> {
        let start = self.at;
        let rest = &self.text[start..];
        if matches!(rest, [b'e', b'p' | b'.', ..]) {
            self.at += 1;
            self.word(b".)");
            return Ok(());
        }
        let mut kept = Kept::default();
        let mut promotion = None;
        let mut at = first;
        while let Some(&byte) = self.text.get(at) {
            let next = self.text.get(at + 1).copied().unwrap_or(b' ');
            match byte {
                b'e' if next == b'p' && kept.ends_with_digit() => at += 1,
                b'1'..=b'8' | b'a'..=b'h' => kept.push(byte),
                b')' | b'+' | b'!' | b'?' | b'#' => break,
                _ if is_space(byte) => break,
                b'=' => {
                    promotion = promotion_role(next);
                    if promotion.is_some() {
                        at += 2;
                    }
                    break;
                }
                b'Q' | b'R' | b'B' | b'N' => {
                    promotion = promotion_role(byte);
                    at += 1;
                    break;
                }
                b'-' if next == b'+' => break,
                b'-' if next == b'/' && self.text.get(at + 2) == Some(&b'+') => break,
                b'x' | b':' | b'-' => {}
                // The reference dies of `exd6e.p.`; here the move is merely illegal.
                b'.' if kept.ends_with_digit_and_e() => break,
                _ => {
                    self.at = at + 1;
                    return Ok(());
                }
            }
            at += 1;
        }
        self.at = at;
        self.play(Written {
            start,
            mv: kept.pawn_move(self.pos(), promotion),
            shown: kept.bytes(),
            promotion,
        })
    }
}

impl GameTree {
    /// Makes explicit that so far each node follows the one before.
    #[cold]
    fn make_links(&mut self) {
        let count = self.nodes.len() as u32;
        self.links.extend((0..count).map(|node| Link {
            parent: node.saturating_sub(1),
            next: if node + 1 < count { node + 1 } else { 0 },
            ..Link::default()
        }));
    }

    /// Adds an empty variation to the move of a node.
    fn add_variation(&mut self, node: u32) {
        self.variations.push(Variation {
            first: 0,
            next: 0,
            comment: Comment::None,
        });
        let number = self.variations.len() as u32;
        let link = &mut self.links[node as usize];
        let last = std::mem::replace(&mut link.last_variation, number);
        if last == 0 {
            link.first_variation = number;
        } else {
            self.variations[last as usize - 1].next = number;
        }
    }
}

/// What remains of a written move when signs are dropped. Longer ones are no moves, but shown.
#[derive(Default)]
struct Kept {
    text: Vec<u8>,
}

impl Kept {
    fn push(&mut self, byte: u8) {
        self.text.push(byte);
    }

    fn bytes(&self) -> &[u8] {
        &self.text
    }

    fn ends_with_digit(&self) -> bool {
        self.text.last().is_some_and(u8::is_ascii_digit)
    }

    fn ends_with_digit_and_e(&self) -> bool {
        matches!(self.text[..], [.., b'0'..=b'9', b'e'])
    }

    /// Letter, origin file or rank or both, destination.
    fn piece_move(&self, pos: &Position) -> Option<Move> {
        let [letter, origin @ .., file, rank] = &self.text[..] else {
            return None;
        };
        let to = Square::parse(&[*file, *rank])?;
        let (from_file, from_rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank] => (None, Some(rank - b'1')),
            [file, rank] => {
                let from = Square::parse(&[file, rank])?;
                (Some(from.file()), Some(from.rank()))
            }
            _ => return None,
        };
        let role = match letter {
            b'K' => Role::King,
            letter => promotion_role(*letter)?,
        };
        resolve_piece(pos, role, to, from_file, from_rank)
    }

    /// `e4`, `ed`, `ed5` or `e2e4`.
    fn pawn_move(&self, pos: &Position, promotion: Option<Role>) -> Option<Move> {
        let file_of = |byte: u8| matches!(byte, b'a'..=b'h').then(|| byte - b'a');
        match self.text[..] {
            [from, to @ b'a'..=b'h'] => {
                resolve_pawn_files(pos, file_of(from)?, to - b'a', promotion)
            }
            [file, rank] => {
                let to = Square::parse(&[file, rank])?;
                resolve_pawn(pos, Some(to.file()), None, to, promotion)
            }
            [from, file, rank] => {
                let to = Square::parse(&[file, rank])?;
                resolve_pawn(pos, Some(file_of(from)?), None, to, promotion)
            }
            [from_file, from_rank, file, rank] => {
                let from = Square::parse(&[from_file, from_rank])?;
                resolve_coordinate(pos, from, Square::parse(&[file, rank])?, promotion)
            }
            _ => None,
        }
    }
}

fn promotion_role(letter: u8) -> Option<Role> {
    match letter {
        b'Q' => Some(Role::Queen),
        b'R' => Some(Role::Rook),
        b'B' => Some(Role::Bishop),
        b'N' => Some(Role::Knight),
        _ => None,
    }
}

// Kinds of bytes that may begin an ordinary token; the roles of pieces follow that of the pawn.
const SPACE: u8 = 1;
const SIGN: u8 = 2;
const DIGIT: u8 = 3;
const PAWN: u8 = 4;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b' ' | b'\t'..=b'\r' | b'.' => SPACE,
            b'+' | b'#' => SIGN,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'h' => PAWN,
            b'N' => PAWN + Role::Knight as u8,
            b'B' => PAWN + Role::Bishop as u8,
            b'R' => PAWN + Role::Rook as u8,
            b'Q' => PAWN + Role::Queen as u8,
            b'K' => PAWN + Role::King as u8,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Bytes below `,` that end a move on the short way: ASCII white space and `!#)+`, as bits.
const ENDS_MOVE: u64 = 0x1F << b'\t' | 1 << b' ' | 1 << b'!' | 1 << b'#' | 1 << b')' | 1 << b'+';

/// How many of eight bytes come before the first below `,`, as white space and most signs are.
#[inline(always)]
fn length_of_word(word: u64) -> u32 {
    let below = word.wrapping_sub(each(b',')) & !word & each(0x80);
    below.trailing_zeros() / 8
}

/// How many of eight bytes come before the first that is no digit.
#[inline(always)]
fn leading_digits(word: u64) -> u32 {
    let flipped = word ^ each(b'0');
    let others = ((flipped & each(0x7F)) + each(0x80 - 10) | flipped) & each(0x80);
    others.trailing_zeros() / 8
}

fn result_word(word: &[u8]) -> Option<GameResult> {
    Some(match word {
        b"1-0" | b"1:0" => GameResult::WhiteWins,
        b"0-1" | b"0:1" => GameResult::BlackWins,
        b"1/2-1/2" | b"1/2" | b"1/2:1/2" => GameResult::Draw,
        _ => return None,
    })
}

fn starts_with(text: &[u8], class: impl Fn(&u8) -> bool) -> bool {
    text.first().is_some_and(class)
}
