//! Parses the movetext into the tree.
//!
//! The loop has a short way for nearly all tokens (a move number, `Nf3`, `exd5`, with or without
//! check) and an exact one for everything, with the peculiarities of the reference implementation.
//! The short way accepts only tokens that the exact one would read in the same way, and otherwise
//! leaves them to it.

use board::{Move, Position, Role, null_move};
use memchr::memchr;

use crate::bytes::{is_blank, is_space};
use crate::comment::{COMMENT_LIMIT, Comment};
use crate::tags::{Opening, TextTags};
use crate::tree::{GameTree, Stop, TreeBuilder};
use crate::values::GameResult;
use crate::variant::Variant;

mod castling;
mod lost;
mod ordinary;
#[cfg(test)]
mod tests;
mod variant;
mod written;

pub(crate) use lost::{begins_with_a_move, has_moves, has_square, is_en_passant, reads_a_move};
use variant::Drop;
use written::Kept;

impl GameTree {
    /// Reads the moves of a game into this tree, replacing its contents.
    ///
    /// The tags are those of the game's [clean text](crate::split::RawGame::clean_text).
    pub fn parse(&mut self, tags: TextTags<'_>) {
        self.parse_from(tags, tags.opening());
    }

    /// Reads the moves as [`GameTree::parse`] does, in a game of this variant, whatever the tag
    /// says.
    pub fn parse_as(&mut self, tags: TextTags<'_>, variant: Variant) {
        self.parse_from(tags, tags.opening_of(variant));
    }

    /// Reads the moves as [`GameTree::parse_as`] does. Returns the offset after each move and its
    /// signs and glyphs, by node; for the start, the offset of the movetext.
    pub(crate) fn parse_with_ends(&mut self, tags: TextTags<'_>, variant: Variant) -> Vec<usize> {
        let blanks = tags.moves().iter().take_while(|&&byte| is_blank(byte)).count();
        let mut ends = vec![tags.moves_start() + blanks];
        let run = |parser: &mut Parser<'_>| parser.run_noting_ends(&mut ends);
        self.parse_by(tags, tags.opening_of(variant), run);
        ends
    }

    fn parse_from(&mut self, tags: TextTags<'_>, opening: Opening) {
        self.parse_by(tags, opening, |parser| parser.run());
    }

    fn parse_by(
        &mut self,
        tags: TextTags<'_>,
        opening: Opening,
        run: impl FnOnce(&mut Parser<'_>) -> Result<(), End>,
    ) {
        let mut parser = Parser {
            text: tags.text(),
            at: tags.moves_start(),
            build: self.build(opening.start, opening.has_fen),
        };
        parser.build.tree.lost.fen = opening.error;
        if !tags.preface().iter().all(|&b| is_blank(b)) {
            parser.build.set_comment(Comment::Preface { len: tags.preface().len() as u32 });
        }
        let (stop, result) = match run(&mut parser) {
            Err(End::Result(result)) => (Stop::Result, result),
            Err(End::Stop(stop)) => (stop, tags.result()),
            Ok(()) => (Stop::End, tags.result()),
        };
        let end = parser.at;
        self.lost.rest = (end < tags.text().len()).then_some(end);
        self.stop = stop;
        self.result = result;
        self.sort_earlier_comments();
    }
}

/// Reads a text into a tree.
pub(crate) struct Parser<'a> {
    pub(crate) text: &'a [u8],
    /// Offset of the next byte to read.
    pub(crate) at: usize,
    pub(crate) build: TreeBuilder<'a>,
}

/// Reason why reading ends before the text does.
#[derive(Debug)]
pub(crate) enum End {
    Result(GameResult),
    Stop(Stop),
}

/// A written move that was understood, but may not be possible.
struct Written<'a> {
    /// Offset of its first byte.
    start: usize,
    mv: Option<Move>,
    /// Text of the move in an error message.
    shown: &'a [u8],
    promotion: Option<Role>,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), End> {
        let is_chess = self.build.tree.rules.are_of_chess();
        loop {
            if is_chess && self.build.tree.illegal_at.is_none() {
                self.read_ordinary();
            }
            match self.text.get(self.at) {
                Some(&byte) => self.token(byte)?,
                None => return Ok(()),
            }
        }
    }

    /// Reads all tokens exactly, and notes the end of each move with its signs and glyphs.
    fn run_noting_ends(&mut self, ends: &mut Vec<usize>) -> Result<(), End> {
        // Whether the last move of `ends` may still get signs.
        let mut is_open = false;
        while let Some(&byte) = self.text.get(self.at) {
            let (start, n) = (self.at, self.build.tree.len());
            self.token(byte)?;
            let end = start + self.text[start..self.at].trim_ascii_end().len();
            if self.build.tree.len() > n {
                ends.push(end);
                is_open = true;
            } else if !is_space(byte)
                && let Some(last) = ends.last_mut()
            {
                is_open &=
                    (*last == start && !b"{};()".contains(&byte)) || b"+#!?$=~-".contains(&byte);
                if is_open {
                    *last = end;
                }
            }
        }
        Ok(())
    }

    /// Reads any token, exactly.
    pub(crate) fn token(&mut self, byte: u8) -> Result<(), End> {
        if self.build.tree.rules.have_drops()
            && let Some(drop) = Drop::read(&self.text[self.at..])
        {
            return self.drop_token(drop);
        }
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

    /// Returns the position reached.
    #[inline(always)]
    pub(crate) fn pos(&self) -> &Position {
        self.build.position()
    }

    /// Plays a move as written, or notes that it is illegal.
    fn play(&mut self, written: Written<'_>) -> Result<(), End> {
        if self.build.tree.illegal_at.is_some() {
            self.lose_move(written.start);
            return Ok(());
        }
        if let Some(mv) = written.mv {
            return self.build.push(mv).map_err(|stop| {
                self.lose_move(written.start);
                End::Stop(stop)
            });
        }
        self.lose_move(written.start);
        self.build.tree.illegal_at = Some(written.start);
        let error = &mut self.build.tree.error;
        error.extend_from_slice(b"Error reading move: ");
        // A brace would end the comment that holds the message.
        let is_brace = |byte: u8| matches!(byte, b'{' | b'}');
        let shown = written.shown.iter();
        error.extend(shown.map(|&byte| if is_brace(byte) { b'_' } else { byte }));
        if let Some(role) = written.promotion {
            error.extend_from_slice(&[b'=', role.letter()]);
        }
        self.build.set_comment(Comment::Error);
        Ok(())
    }

    /// Annotates the last move of the line.
    fn add_nag(&mut self, nag: u8) {
        if self.build.tree.illegal_at.is_none() && !self.build.try_add_nag(nag) {
            self.lose_glyph();
        }
    }

    #[inline]
    fn comment(&mut self) -> Result<(), End> {
        let start = self.at + 1;
        let len = memchr(b'}', &self.text[start..]).ok_or(End::Stop(Stop::OpenComment))?;
        self.build.set_comment(Comment::Text { start: start as u32, len: len as u32 });
        if len > COMMENT_LIMIT {
            self.cut_comment(start, len);
        }
        self.at = start + len + 1;
        Ok(())
    }

    fn open_variation(&mut self) -> Result<(), End> {
        self.build.open_variation().map_err(End::Stop)?;
        self.at += 1;
        Ok(())
    }

    fn close_variation(&mut self) {
        self.at += 1;
        self.build.close_variation();
    }

    /// Reads the bytes from here up to white space or one of the given bytes.
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
            // The reference skips castling without dashes as it skips numbers.
            if bare_castling(word).is_some() && self.text.get(self.at) != Some(&b'.') {
                self.lose_word(start);
                self.lose_move(start);
            }
            return Ok(());
        }
        if let Some(result) = result_word(word)
            && !matches!(self.text[self.at..], [b'.', b'0'..=b'9', ..])
        {
            return Err(End::Result(result));
        }
        if word == b"0-0" && self.is_double_loss() {
            self.lose_result(start);
            return Ok(());
        }
        let is_long = word.starts_with(b"0-0-0") || word.starts_with(b"000");
        if is_long || word.starts_with(b"0-0") || word.starts_with(b"00") {
            if !word.iter().all(|b| b"0-+#!?".contains(b)) {
                self.lose_sign();
            }
            return self.castle(start, word, !is_long);
        }
        self.lose_word(start);
        Ok(())
    }

    fn castle(&mut self, start: usize, shown: &[u8], king_side: bool) -> Result<(), End> {
        self.play(Written { start, mv: self.castling(king_side), shown, promotion: None })
    }

    /// Reads a check or mate sign, or an annotation that begins with one.
    #[inline]
    fn sign(&mut self) {
        let start = self.at;
        let next = self.text.get(self.at + 1);
        match next {
            Some(b'+') if self.text[self.at] == b'+' => self.at += 2,
            None | Some(b'!' | b'?' | b'$' | b')') => self.at += 1,
            Some(&byte) if is_space(byte) => self.at += 2,
            Some(_) => match self.word(b".)") {
                [_] => {}
                word => match evaluation(word) {
                    Some((nag, len)) => self.add_evaluation(nag, len, start),
                    None => self.lose_sign(),
                },
            },
        }
    }

    /// Reads any rare token.
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
                let start = self.at;
                let rest = &self.text[start..];
                self.at += memchr(b'\n', rest).unwrap_or(rest.len());
                match byte {
                    b'%' => self.lose_behind_percent(start),
                    _ => self.build.tree.lost.n_line_comments += 1,
                }
            }
            b'!' | b'?' => self.marks(),
            b'$' => {
                let number = &self.word(b".)")[1..];
                let digits = number.iter().take_while(|b| b.is_ascii_digit());
                let nag = digits.fold(0_u8, |n, b| n.wrapping_mul(10).wrapping_add(b - b'0'));
                self.add_nag(nag);
                if !number.iter().all(u8::is_ascii_digit) {
                    self.lose_sign();
                }
            }
            b'~' => {
                let start = self.at;
                self.word(b".)");
                self.add_evaluation(13, 1, start);
            }
            _ => return self.symbol_word(),
        }
        Ok(())
    }

    fn symbol_word(&mut self) -> Result<(), End> {
        let start = self.at;
        let nag = match self.word(b".)") {
            b"=" => 10,
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
                if let Some((nag, len)) = evaluation(word) {
                    self.add_evaluation(nag, len, start);
                    return Ok(());
                }
                // A byte that starts no word must be skipped nevertheless.
                self.at = self.at.max(start + 1);
                // The parser reads `e.p.` as two words.
                if word != b"p" || !self.text[..start].ends_with(b"e.") {
                    self.lose_word(start);
                }
                0
            }
        };
        self.add_nag(nag);
        Ok(())
    }

    /// Adds the NAG of the sign at the start of the word just read; the rest is skipped.
    fn add_evaluation(&mut self, nag: u8, len: usize, start: usize) {
        self.add_nag(nag);
        if self.at > start + len {
            self.lose_word(start + len);
        }
    }

    /// Whether a word is `--`, `null` or `Z0`; after the latter two the word may go on with signs.
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

    /// Reads a sequence of `!` and `?`, of which the first two count.
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

    /// Reads castling written with letters.
    #[cold]
    fn castle_token(&mut self) -> Result<(), End> {
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest.iter().position(|b| !matches!(b, b'O' | b'o' | b'0' | b'-'));
        let typed = &rest[..len.unwrap_or(rest.len())];
        let count = typed.iter().filter(|b| **b != b'-').count();
        let ends = match rest.get(typed.len()) {
            Some(b'+') => !typed.ends_with(b"-"),
            Some(&byte) => is_space(byte) || matches!(byte, b'#' | b'=' | b'!' | b'?' | b')'),
            None => true,
        };
        if !ends || !(2..=3).contains(&count) {
            self.word(b")");
            self.lose_sign();
            if count > 1 {
                self.lose_move(start);
            }
            return Ok(());
        }
        self.at += typed.len();
        self.castle(start, typed, count == 2)
    }

    /// Reads a piece move in all its forms.
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
                // The annotation that follows is not consumed, but the move is lost.
                b'-' if matches!(self.text.get(at + 1), Some(b'+' | b'/')) => {
                    self.at = at;
                    self.lose_word(start);
                    return Ok(());
                }
                b'x' | b':' | b'-' => {}
                _ => {
                    self.at = at + 1;
                    self.lose_word(start);
                    return Ok(());
                }
            }
            at += 1;
        }
        self.at = at;
        if at == start + 1 {
            match letter {
                b'N' => self.add_nag(146),
                _ => self.lose_word(start),
            }
            return Ok(());
        }
        self.play(Written {
            start,
            mv: self.piece_move(&kept),
            shown: kept.bytes(),
            promotion: None,
        })
    }

    /// Reads a pawn or coordinate move in all its forms.
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
        // The reference reads white space after a `P` as the beginning of the move.
        if let Some(&space) = self.text.get(first).filter(|byte| is_space(**byte)) {
            kept.push(space);
            at += 1;
        }
        while let Some(&byte) = self.text.get(at) {
            let next = self.text.get(at + 1).copied().unwrap_or(b' ');
            match byte {
                b'e' if next == b'p' && kept.ends_with_digit() => at += 1,
                b'1'..=b'8' | b'a'..=b'h' => kept.push(byte),
                b')' | b'+' | b'!' | b'?' | b'#' => break,
                _ if is_space(byte) => break,
                b'=' => {
                    promotion = self.promotion_role(next);
                    if promotion.is_some() {
                        at += 2;
                    }
                    break;
                }
                b'Q' | b'R' | b'B' | b'N' | b'K' if self.promotion_role(byte).is_some() => {
                    promotion = self.promotion_role(byte);
                    at += 1;
                    break;
                }
                b'-' if next == b'+' => break,
                b'-' if next == b'/' && self.text.get(at + 2) == Some(&b'+') => break,
                // The reference dies of `exd6e.p.`; here the move is only illegal.
                b'.' if kept.ends_with_digit_and_e() => break,
                b'x' | b':' | b'-' | b'.' => {}
                _ => {
                    self.at = at + 1;
                    self.lose_word(start);
                    return Ok(());
                }
            }
            at += 1;
        }
        self.at = at;
        self.play(Written {
            start,
            mv: self.pawn_move(&kept, promotion),
            shown: kept.bytes(),
            promotion,
        })
    }
}

/// The signs of an evaluation and their NAGs; no sign is the start of another.
const EVALUATIONS: [(&[u8], u8); 8] = [
    (b"+=", 14),
    (b"+/=", 14),
    (b"=+", 15),
    (b"=/+", 15),
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+-", 18),
    (b"-+", 19),
];

/// Returns the NAG of the evaluation that a word begins with, and the length of its sign.
fn evaluation(word: &[u8]) -> Option<(u8, usize)> {
    let mut signs = EVALUATIONS.iter();
    signs.find_map(|&(sign, nag)| word.starts_with(sign).then_some((nag, sign.len())))
}

/// Returns the usual spelling of castling that is written with zeros and nothing else.
pub(crate) fn bare_castling(word: &[u8]) -> Option<&'static [u8]> {
    match word {
        b"00" => Some(b"O-O"),
        b"000" => Some(b"O-O-O"),
        _ => None,
    }
}

pub(crate) fn result_word(word: &[u8]) -> Option<GameResult> {
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
