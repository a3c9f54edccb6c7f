//! Examines the moves of a game.
//!
//! The parser of a search reads every token, so that the doctor judges each token as a search reads
//! it. Words that it skips or stops at become findings, and reading goes on after them as it will
//! once they are repaired.
//!
//! A word that cannot be read may be meant as a move. The moves after it would then be read for the
//! wrong side. If the next move numbers show that a move is missing, the line ends there; otherwise
//! only the word becomes a comment.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use board::{Color, Move, MoveList, Role, Start};
use memchr::{memchr, memchr2};

use super::bytes::and_more;
use super::caution::Caution;
use super::finding::{Edit, Findings, in_comment, separator};
use super::kind::FindingKind;
use super::words::{self, LANGUAGES, Language, OddResult};
use crate::bytes::{is_blank, is_space, trim_end};
use crate::comment::{COMMENT_LIMIT, clean_length};
use crate::encoding::{decode, shown};
use crate::parse::{End, Parser, bare_castling, has_square, result_word};
use crate::split::tags_in_comment;
use crate::tags::TextTags;
use crate::tree::{CommentOwner, GameTree, Stop, TreeBuilder};
use crate::values::GameResult;

/// Maximum number of moves that a finding proposes for an illegal one.
const CANDIDATES: usize = 8;

/// Number of move numbers that must all be wrong to show that a move is missing: a single one may
/// be damaged.
const NUMBERS: u32 = 3;

/// Length in bytes of `exd8(Q)#!?`.
const PROMOTION: usize = 10;

/// The results that the scanner knows, the longest first.
const RESULTS: [&[u8]; 4] = [b"1/2-1/2", b"1-0", b"0-1", b"*"];

/// Signs within a move.
const SIGNS: &[u8] = b"-:x.";

/// The annotations that the parser reads as words.
const GLYPHS: [&[u8]; 6] = [b"=", b"=+", b"=/+", b"-/+", b"-+", b"D"];

/// End of the moves of a game.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// The result token that ends the game, and its result.
    pub(super) result: Option<(Range<usize>, GameResult)>,
    /// Number of the move that would come after the last one.
    pub(super) due: Option<i64>,
    /// The last word, if it is a result in an odd spelling.
    pub(super) odd: Option<(usize, OddResult)>,
    /// Whether a variation is open at the end.
    pub(super) in_variation: bool,
}

impl GameTree {
    /// Reads a game as [`GameTree::parse`] does, and notes the issues of its moves.
    pub(super) fn examine(
        &mut self,
        tags: TextTags<'_>,
        start: (Start, bool),
        caution: Caution,
        findings: &mut Findings,
    ) -> Ending {
        let mut found = Findings::default();
        let ending = self.examine_in(LetterReading::default(), tags, start, caution, &mut found);
        let ending = match self.foreign(tags, start, &found) {
            None => ending,
            Some(language) => {
                found = Findings::default();
                let reading = LetterReading { language: Some(language), is_trial: false };
                self.examine_in(reading, tags, start, caution, &mut found)
            }
        };
        findings.append(found);
        self.result = match (&ending.result, ending.odd) {
            (&Some((_, result)), _) | (None, Some((_, OddResult::Usual(result)))) => result,
            (None, Some((_, OddResult::Other))) => GameResult::Unknown,
            (None, None) => tags.result(),
        };
        ending
    }

    /// Returns the language in which all moves of a game are possible, if they are not so in
    /// English. `None` if there is no such language, or if two languages read the words in
    /// different ways.
    fn foreign(
        &mut self,
        tags: TextTags<'_>,
        start: (Start, bool),
        found: &Findings,
    ) -> Option<&'static Language> {
        let text = tags.text();
        let first = found.first_unread()?;
        let is_number = |b: &u8| b.is_ascii_digit() || *b == b'.';
        let words = text[first..].split(|b| is_space(*b));
        let mut words = words.map(|word| &word[word.iter().take_while(|b| is_number(b)).count()..]);
        let word = words.find(|word| words::may_be_foreign(word))?;
        let mut best: Option<(Findings, &'static Language)> = None;
        let reads_first = |language: &&Language| language.in_english(word).is_some();
        for language in LANGUAGES.iter().filter(reads_first) {
            let mut found = Findings::default();
            let reading = LetterReading { language: Some(language), is_trial: true };
            self.examine_in(reading, tags, start, Caution::Usual, &mut found);
            let translated = found.of_kind(FindingKind::ForeignMove);
            let letters = translated.filter_map(|finding| text.get(finding.at));
            // A letter that is also an English one proves nothing, and a single word little.
            let n_foreign = letters.filter(|b| !b"KQRBN".contains(b)).count();
            let least = if language.is_common { 1 } else { 2 };
            let mut all = found.0.iter();
            if all.any(|finding| finding.is_unread_move(text)) || n_foreign < least {
                continue;
            }
            if best.as_ref().is_some_and(|(other, _)| !other.is_mended_as(&found)) {
                return None;
            }
            best.get_or_insert((found, language));
        }
        best.map(|best| best.1)
    }

    fn examine_in(
        &mut self,
        reading: LetterReading,
        tags: TextTags<'_>,
        (start, has_fen): (Start, bool),
        caution: Caution,
        findings: &mut Findings,
    ) -> Ending {
        let text = tags.text();
        let moves_start = tags.moves_start();
        let ending = words::odd_result_at_end(trim_end(&text[moves_start..]));
        let odd = ending.map(|(at, result)| (moves_start + at, result));
        // On a line that `%` hides, the word is no result.
        let odd = odd.filter(|&(at, _)| !ends_hidden(&text[moves_start..at]));
        let mut examined = Examined {
            parser: Parser { text, at: moves_start, build: self.build(start, has_fen) },
            end: match odd {
                Some((at, _)) => at,
                None => end_of_moves(text).max(moves_start),
            },
            odd,
            both_may_lose: both_may_lose(tags),
            reading,
            caution,
            variations: Vec::new(),
            comments: HashMap::new(),
            last_comment: None,
            lost_comments: LostComments::default(),
            blank_lines: Vec::new(),
            numbering: 0,
            number: None,
            move_end: None,
            numbers: HashMap::new(),
            findings,
            n_seen: 0,
        };
        examined.run()
    }
}

/// Whether a text ends on a line that a `%` outside of comments hides.
fn ends_hidden(text: &[u8]) -> bool {
    let line = text.rsplit(|b| *b == b'\n').next().unwrap_or_default();
    let mut is_open = false;
    line.iter().any(|byte| {
        is_open = *byte == b'{' || is_open && *byte != b'}';
        *byte == b'%' && !is_open
    })
}

/// Whether the Result tag says that nobody wins, which the moves may express as `0-0`.
fn both_may_lose(tags: TextTags<'_>) -> bool {
    let says = tags.raw(b"Result").and_then(words::odd_result);
    says == Some(OddResult::Other)
}

/// Whether the moves end with `0-0`, and the Result tag shows that this is the result.
pub(super) fn both_lose(tags: TextTags<'_>) -> bool {
    both_may_lose(tags) && trim_end(tags.moves()).ends_with(b"0-0")
}

/// Returns the end of the moves: the start of the result that ends the text, or the end of the
/// text.
pub(super) fn end_of_moves(text: &[u8]) -> usize {
    let text = trim_end(text);
    for result in RESULTS {
        if let Some(before) = text.strip_suffix(result) {
            let is_glued = |b: &u8| *b == b'-' || *b == b'/' || b.is_ascii_alphanumeric();
            if !before.last().is_some_and(is_glued) {
                return before.len();
            }
        }
    }
    text.len()
}

/// Reading of the letters of pieces.
#[derive(Clone, Copy, Default)]
struct LetterReading {
    /// Language of the letters, if it is not English.
    language: Option<&'static Language>,
    /// Whether reading ends where a word is not understood, which decides against the language.
    is_trial: bool,
}

struct Examined<'a, 'f> {
    parser: Parser<'a>,
    /// Offset of the end of the moves.
    end: usize,
    /// The result in an odd spelling that ends the moves.
    odd: Option<(usize, OddResult)>,
    /// Whether a `0-0` at the end is a result even where castling is possible.
    both_may_lose: bool,
    reading: LetterReading,
    caution: Caution,
    /// Offsets of the starts of the open variations.
    variations: Vec<usize>,
    /// For each place with a comment that others are joined to: the offset of its `}`, and the
    /// length of the joined comment.
    comments: HashMap<CommentOwner, (usize, usize)>,
    /// Offset of the `}` of the comment that was read last.
    last_comment: Option<usize>,
    lost_comments: LostComments,
    /// The changes that remove blank lines.
    blank_lines: Vec<Edit>,
    /// Difference between the written move numbers and those of the positions.
    numbering: i64,
    /// Offset of the move number right before, if only blanks follow it.
    number: Option<usize>,
    /// End of the move that was read right before.
    move_end: Option<usize>,
    /// By number of open variations: an offset, and the verdict of the move numbers on words up to
    /// that offset.
    numbers: HashMap<usize, (usize, Numbers)>,
    findings: &'f mut Findings,
    /// Number of findings seen in a trial.
    n_seen: usize,
}

/// Comments that a search does not show, because another one follows for the same move.
#[derive(Default)]
struct LostComments {
    first: Option<usize>,
    count: usize,
    edits: Vec<Edit>,
}

/// Verdict of the move numbers on words that cannot be read.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// No move is missing.
    Fit,
    /// Moves are missing: the numbers are not the expected ones, a move after the words is not
    /// possible, or no move is left to read.
    DoNotFit,
    /// There are moves, but no numbers.
    Nothing,
}

/// Outcome of reading a token.
#[derive(PartialEq)]
enum Token {
    /// The token is a move, or something else that belongs there.
    Good,
    /// The token is a move that is not possible.
    Illegal,
    /// The parser skips the token.
    Lost,
    /// The token is an annotation without a move, or one too many.
    LostGlyph,
}

impl Examined<'_, '_> {
    fn run(&mut self) -> Ending {
        let mut ending = Ending { odd: self.odd, ..Ending::default() };
        self.see_heading();
        while let Some(&byte) = self.parser.text.get(self.parser.at)
            && !self.findings.is_full()
            && !self.is_wrong_language()
        {
            let start = self.parser.at;
            if let Some((at, odd)) = self.odd
                && at == start
                && self.ends_here(start)
            {
                self.see_odd_result(start, odd);
                break;
            }
            if self.see_before_reading(start, byte) {
                continue;
            }
            let n_nodes = self.parser.build.tree.len();
            match self.read(byte) {
                Ok(token) => {
                    let is_read = token == Token::Good;
                    // The parser skips the blank after a sign of check with the sign, but line ends
                    // must be seen.
                    let text = self.parser.text;
                    if is_sign(byte) && text[..self.parser.at].ends_with(b"\n") {
                        self.parser.at -= 1;
                    }
                    self.see(start, byte, token);
                    let is_move = self.parser.build.tree.len() > n_nodes;
                    if is_read && is_move {
                        self.see_spelling(start);
                    }
                    if !is_space(byte) {
                        self.move_end = is_move.then_some(self.parser.at);
                    }
                }
                Err(End::Result(result)) if self.variations.is_empty() || start >= self.end => {
                    ending.result = Some((start..self.parser.at, result));
                    ending.due = Some(i64::from(self.parser.pos().fullmove_number));
                    self.see_result(start);
                    break;
                }
                Err(End::Result(_)) => self.see_result_in_variation(start),
                Err(End::Stop(stop)) => self.see_stop(start, stop),
            }
        }
        ending.odd = self.odd;
        ending.in_variation = !self.variations.is_empty();
        let end = ending.result.as_ref();
        self.close_variations(end.map_or(self.end, |found| found.0.start.min(self.end)));
        self.tell_lost_comments();
        self.tell_blank_lines();
        ending
    }

    /// Whether a word is not understood in the language that is tried.
    fn is_wrong_language(&mut self) -> bool {
        let n_seen = std::mem::replace(&mut self.n_seen, self.findings.0.len());
        let mut new = self.findings.0[n_seen.min(self.findings.0.len())..].iter();
        let text = self.parser.text;
        self.reading.is_trial && new.any(|finding| finding.is_unread_move(text))
    }

    /// Finds words before the number of the first move, such as `at board 3`.
    fn see_heading(&mut self) {
        let text = self.parser.text;
        let first = i64::from(self.parser.pos().fullmove_number);
        let Some(start) = start_of_words(&text[self.parser.at..self.end.max(self.parser.at)])
        else {
            return;
        };
        let start = self.parser.at + start;
        let mut is_word = false;
        let mut at = start;
        while at < self.end {
            let number = if is_word { None } else { number_at(text, at) };
            match (text[at], number) {
                (b'{' | b'(' | b'[' | b';' | b'%', _) => return,
                (_, Some(number)) => {
                    let digits = text[at..].iter().take_while(|b| b.is_ascii_digit());
                    let after = at + digits.count();
                    // The line is looked through only where that may decide: it may be long.
                    let line = || {
                        let rest = &text[after + 1..self.end.max(after + 1)];
                        after..after + 1 + line_length(rest)
                    };
                    if (number == first || number == 1) && self.plays_at_once(line()) {
                        break;
                    }
                }
                _ => {}
            }
            is_word = !is_space(text[at]);
            at += 1;
        }
        if at == start || at >= self.end || self.plays_all(start..at) {
            return;
        }
        let words = start..start + trim_end(&text[start..at]).len();
        let what = format!("`{}` before the first move", self.show(words.clone()));
        self.pass_over(FindingKind::UnreadableWord, words, what);
    }

    /// Adds a single finding for the comments that are not shown: there may be two after every
    /// move.
    fn tell_lost_comments(&mut self) {
        let lost = std::mem::take(&mut self.lost_comments);
        let Some(first) = lost.first else {
            return;
        };
        let what = "a second comment of the same move".to_owned() + &and_more(lost.count);
        self.findings.add(FindingKind::LostComment, first, what, lost.edits);
    }

    /// Adds the finding for the result in an odd spelling that ends the game.
    fn see_odd_result(&mut self, start: usize, odd: OddResult) {
        let text = trim_end(self.parser.text);
        let shown = self.show(start..text.len());
        let (what, usual) = match odd {
            OddResult::Usual(result) => {
                (format!("`{shown}` is no result; `{result}` is"), result.to_string())
            }
            OddResult::Other => (
                format!("PGN has no result `{shown}`; the moves end with `*`"),
                format!("{{{}}} *", decode(&text[start..])),
            ),
        };
        let edit = Edit::replace(start..text.len(), usual);
        self.findings.add(FindingKind::OddResult, start, what, [edit]);
    }

    fn tell_blank_lines(&mut self) {
        let edits = std::mem::take(&mut self.blank_lines);
        let Some(first) = edits.first().map(|edit| edit.range.start) else {
            return;
        };
        let what = "a blank line among the moves".to_owned() + &and_more(edits.len());
        self.findings.add(FindingKind::BlankLineInMoves, first, what, edits);
    }

    /// Whether the result in an odd spelling ends the game here. `0-0` may be castling.
    fn ends_here(&mut self, start: usize) -> bool {
        let text = self.parser.text;
        let is_castling = matches!(text[start..trim_end(text).len()], [b'0', b'-', b'0']);
        if !is_castling || self.both_may_lose || !self.try_text(b"O-O") {
            return true;
        }
        // The castling has been played.
        self.odd = None;
        self.end = text.len();
        self.parser.at = start + b"0-0".len();
        false
    }

    fn close_variations(&mut self, end: usize) {
        if self.variations.is_empty() {
            return;
        }
        let separator = separator(self.parser.text, end).trim_start_matches(' ');
        for at in std::mem::take(&mut self.variations) {
            let edit = Edit::insert(end, format!("{separator}) "));
            let what = "the variation is never closed";
            self.findings.add(FindingKind::UnclosedVariation, at, what, [edit]);
        }
    }

    /// Handles words that the parser would misread or skip in silence. Returns `true` if it has
    /// read the word.
    fn see_before_reading(&mut self, start: usize, byte: u8) -> bool {
        match byte {
            b'a'..=b'h' => self.sees_foreign(start) || self.sees_odd_promotion(start),
            b'0' if self.sees_null_move(start..self.end_of_word(start))
                || self.sees_bare_castling(start..self.end_of_word(start)) =>
            {
                true
            }
            b'0' | b'1' | b'.' | 0xC2 => self.sees_odd_result(start),
            b'A'..=b'Z' | 0x80.. => self.sees_foreign(start),
            _ => false,
        }
    }

    /// Reads a result in an odd spelling that does not end the moves.
    fn sees_odd_result(&mut self, start: usize) -> bool {
        let text = self.parser.text;
        let is_apart = |b: &u8| is_space(*b) || matches!(b, b'(' | b')' | b'}');
        // Most of these words are numbers.
        if matches!(text[start..], [_, b'.', b' ' | b'a'..=b'h' | b'A'..=b'Z' | b'.', ..])
            || !text[..start].last().is_none_or(is_apart)
        {
            return false;
        }
        let rest = &text[start..self.end.max(start)];
        let Some(length) = words::odd_result_at_start(rest) else {
            return false;
        };
        let word = start..start + length;
        let first = rest[..length].split(|b| is_space(*b)).next();
        let ends = first.is_some_and(|word| result_word(word).is_some());
        // `0–0` is castling, even if that is not possible there.
        let is_of_castling = |b: &u8| matches!(b, b'0' | b'-' | 128..);
        let is_castling = rest[0] == b'0' && rest[..length].iter().all(is_of_castling);
        if is_castling || ends && self.variations.is_empty() {
            return false;
        }
        let what = format!("the result `{}` before the end", self.show(word.clone()));
        let kind = if ends { FindingKind::EarlyResult } else { FindingKind::UnreadableWord };
        self.pass_over(kind, word, what);
        true
    }

    /// Reads a move with the letters of another language.
    fn sees_foreign(&mut self, start: usize) -> bool {
        let Some(language) = self.reading.language else {
            return false;
        };
        let word = start..self.end_of_word(start);
        let written = &self.parser.text[word.clone()];
        match language.in_english(written) {
            Some(usual) if usual == written => false,
            Some(usual) => {
                let name = language.name;
                if self.try_text(&usual) {
                    let usual = self.in_pgn(usual);
                    let what = format!(
                        "`{}` is {name}; in PGN it is `{}`",
                        self.show(word.clone()),
                        decode(&usual)
                    );
                    self.found(FindingKind::ForeignMove, word, what, usual);
                } else {
                    let what = format!("`{}` ({name}) is illegal there", self.show(word.clone()));
                    self.end_line(FindingKind::IllegalMove, word, what);
                }
                true
            }
            None if has_square(written) && b"KQRBN".contains(&written[0]) => {
                let name = language.name;
                let what = format!("`{}` is no move in {name}", self.show(word.clone()));
                self.end_line(FindingKind::LostMove, word, what);
                true
            }
            None => false,
        }
    }

    fn sees_odd_promotion(&mut self, start: usize) -> bool {
        let Some((length, usual)) = words::odd_promotion(&self.parser.text[start..]) else {
            return false;
        };
        if !self.try_text(&usual) {
            return false;
        }
        let usual = self.in_pgn(usual);
        self.found_odd_move(start..start + length, usual);
        true
    }

    fn sees_null_move(&mut self, word: Range<usize>) -> bool {
        let written = &self.parser.text[word.clone()];
        if !words::is_null_move(written) || !self.try_text(b"--") {
            return false;
        }
        self.found_odd_move(word, b"--".to_vec());
        true
    }

    fn sees_bare_castling(&mut self, word: Range<usize>) -> bool {
        let Some(usual) = bare_castling(&self.parser.text[word.clone()]) else {
            return false;
        };
        let is_read = self.caution == Caution::Usual && self.try_text(usual);
        if is_read {
            self.found_odd_move(word, usual.to_vec());
        }
        is_read
    }

    /// Reads `ch` or `mate` after a move.
    fn sees_check_sign(&mut self, word: Range<usize>) -> bool {
        let Some(sign) = words::check_sign(&self.parser.text[word.clone()]) else {
            return false;
        };
        let Some(end) = self.last_move_end(word.start) else {
            return false;
        };
        let has_sign = self.parser.text[..end].ends_with(sign.as_bytes());
        let what = format!("`{}` is not read; `{sign}` is", self.show(word.clone()));
        let edit = Edit::replace(end..word.end, if has_sign { "" } else { sign });
        self.parser.at = word.end;
        self.findings.add(FindingKind::OddMove, word.start, what, [edit]);
        true
    }

    /// Returns the end of the move before an offset, if only blanks are between.
    fn last_move_end(&self, at: usize) -> Option<usize> {
        let end = self.move_end?;
        let mut between = self.parser.text.get(end..at)?.iter();
        between.all(|b| is_space(*b)).then_some(end)
    }

    /// Returns the move just played, which was read from this text, as other programs read it.
    fn in_pgn(&self, text: Vec<u8>) -> Vec<u8> {
        let tree = &self.parser.build.tree;
        let bare = without_signs(&text);
        if tree.is_usual(tree.len() - 1, bare) {
            text
        } else {
            [&tree.usual(tree.len() - 1), &text[bare.len()..]].concat()
        }
    }

    fn found_odd_move(&mut self, word: Range<usize>, usual: Vec<u8>) {
        let shown = decode(&usual).into_owned();
        let what = format!("`{}` is not read; `{shown}` is", self.show(word.clone()));
        self.found(FindingKind::OddMove, word, what, usual);
    }

    /// Notes that a word has another usual spelling, and goes on after the word.
    fn found(&mut self, kind: FindingKind, word: Range<usize>, what: String, usual: Vec<u8>) {
        self.parser.at = word.end;
        self.number = None;
        let edit = Edit::replace(word.clone(), usual);
        self.findings.add(kind, word.start, what, [edit]);
    }
}

impl Examined<'_, '_> {
    /// Lets the parser read one token.
    fn read(&mut self, byte: u8) -> Result<Token, End> {
        let n_lost = self.parser.build.tree.lost.n_words;
        let n_nodes = self.parser.build.tree.len();
        let n_glyphs = self.n_lost_glyphs();
        self.parser.token(byte)?;
        if self.parser.build.tree.illegal_at.take().is_some() {
            self.parser.build.tree.error.clear();
            return Ok(Token::Illegal);
        }
        if self.n_lost_glyphs() > n_glyphs {
            return Ok(Token::LostGlyph);
        }
        // The parser may skip a part of a move and yet play it; `see_spelling` reports that.
        let is_good =
            self.parser.build.tree.lost.n_words == n_lost || self.parser.build.tree.len() > n_nodes;
        Ok(if is_good { Token::Good } else { Token::Lost })
    }

    fn n_lost_glyphs(&self) -> u32 {
        self.parser.build.tree.lost.glyphs.map_or(0, |glyphs| glyphs.0)
    }

    fn see(&mut self, start: usize, byte: u8, token: Token) {
        match byte {
            b'%' => self.see_hidden_line(start..self.parser.at),
            _ if token == Token::LostGlyph => {
                let text = self.parser.text;
                let mut end = start + text[start..self.parser.at].trim_ascii_end().len();
                // A search reads the second byte of `à` as a blank: do not cut the letter in two.
                if text.get(end) == Some(&0xA0) && !text[end - 1].is_ascii() {
                    end += 1;
                }
                let word = start..end;
                let what =
                    format!("`{}` has no move, or too many are there", self.show(word.clone()));
                self.pass_over(FindingKind::LostGlyph, word, what);
            }
            _ if token == Token::Illegal => self.illegal(start),
            _ if token == Token::Lost => self.lost(start),
            b'{' => self.see_comment(start),
            b'(' => self.variations.push(start),
            b')' if self.variations.pop().is_none() => {
                let edit = Edit::replace(start..start + 1, " ");
                self.findings.add(
                    FindingKind::StrayParenthesis,
                    start,
                    "`)` closes no variation",
                    [edit],
                );
            }
            b'}' => {
                let edit = Edit::replace(start..start + 1, " ");
                self.findings.add(FindingKind::StrayBrace, start, "`}` closes no comment", [edit]);
            }
            b'0'..=b'9' => return self.see_number(start),
            b'.' => return,
            b'\n' => return self.see_line_end(start),
            _ if is_space(byte) => return,
            _ => {}
        }
        self.number = None;
    }

    /// Notes the spelling of a move that was read, if other programs may not read it.
    fn see_spelling(&mut self, start: usize) {
        let text = self.parser.text;
        let word = start..self.parser.at;
        let tree = &self.parser.build.tree;
        let node = tree.len() - 1;
        let bare = without_signs(&text[word.clone()]);
        if tree.is_usual(node, bare) {
            return;
        }
        let end = start + bare.len();
        let read = start + length_of_move(bare, tree.move_to(node));
        let usual = tree.usual(node);
        let mut what = format!("`{}` is read as `{}`", self.show(start..end), decode(&usual));
        let mut edits = vec![Edit::replace(start..read, usual)];
        let mut kind = FindingKind::LooseMove;
        // A search reads `0-0{…}` as one word.
        if read < end {
            let _ = write!(what, ", `{}` is not read", self.show(read..end));
            edits.push(Edit::insert(read, " "));
            self.parser.at = read;
            // A search skips signs in silence.
            if !text[read..end].iter().all(|b| SIGNS.contains(b)) {
                kind = FindingKind::GluedMove;
            }
        }
        self.findings.add(kind, start, what, edits);
    }

    /// Notes a move number, or a word that looks like one.
    fn see_number(&mut self, start: usize) {
        if let Some(number) = number_at(self.parser.text, start) {
            let expected = i64::from(self.parser.pos().fullmove_number);
            self.numbering = number - expected;
        }
        let digits = &self.parser.text[start..self.parser.at];
        let is_number = digits.iter().all(u8::is_ascii_digit);
        self.number = is_number.then_some(start);
        // Other programs find a null move in `00002.`.
        if is_number && digits.starts_with(b"0000") {
            let zeros = digits.iter().take_while(|b| **b == b'0').count();
            let usual = &digits[zeros.min(digits.len() - 1)..];
            let (shown, usual) = (self.show(start..self.parser.at), usual.to_vec());
            let what = format!("the number `{shown}` is read as `{}`", decode(&usual));
            let edit = Edit::replace(start..self.parser.at, usual);
            self.findings.add(FindingKind::LooseMove, start, what, [edit]);
        }
    }

    /// Notes the blank lines after the end of a line.
    fn see_line_end(&mut self, start: usize) {
        let text = self.parser.text;
        let rest = &text[start + 1..];
        let length = rest.iter().position(|b| !is_blank(*b));
        let between = &rest[..length.unwrap_or(0)];
        if let Some(end) = between.iter().rposition(|b| *b == b'\n') {
            self.blank_lines.push(Edit::remove(start + 1..start + 1 + end + 1));
        }
        self.parser.at = start + 1 + between.len();
    }

    /// Notes text that `%` hides. The scanner sees the braces in it, and other programs see all of
    /// it unless the line begins with the `%`.
    fn see_hidden_line(&mut self, line: Range<usize>) {
        let before = self.parser.text[..line.start].last();
        if before.is_some_and(|byte| *byte != b'\n') {
            let edit = Edit::insert(line.start, "\n");
            let what = "`%` hides the rest of the line";
            self.findings.add(FindingKind::HiddenText, line.start, what, [edit]);
        }
        let braces = line.clone().filter(|&at| matches!(self.parser.text[at], b'{' | b'}'));
        let edits: Vec<Edit> = braces
            .map(|at| Edit::replace(at..at + 1, in_comment(&self.parser.text[at..at + 1])))
            .collect();
        if !edits.is_empty() {
            let what = "a brace on a line that `%` hides";
            self.findings.add(FindingKind::NestedComment, line.start, what, edits);
        }
    }

    fn see_comment(&mut self, start: usize) {
        let close = self.parser.at - 1;
        let inside = &self.parser.text[start + 1..close];
        if inside.len() > COMMENT_LIMIT && clean_length(inside) > COMMENT_LIMIT {
            let what = format!("a comment of {} bytes, {COMMENT_LIMIT} are read", inside.len());
            self.findings.add(FindingKind::LongComment, start, what, []);
        }
        if let Some(at) = tags_in_comment(inside) {
            let tag = &inside[at..at + line_length(&inside[at..])];
            let what = format!("a comment contains the tags of another game: `{}`", shown(tag, 60));
            let before = &self.parser.text[..start + 1 + at];
            let end = trim_end(&before[..end_of_moves(before)]).len().max(start + 1);
            let edits = match self.caution {
                Caution::Usual => vec![Edit::insert(end, "}")],
                _ => vec![],
            };
            self.findings.add(FindingKind::SwallowedGame, start, what, edits);
        }
        self.last_comment = Some(close);
        let place = self.place();
        let length = inside.len() + 1;
        let Some(&(before, length_before)) = self.comments.get(&place) else {
            self.comments.insert(place, (close, length));
            return;
        };
        let lost = &mut self.lost_comments;
        lost.count += 1;
        lost.first.get_or_insert(start);
        let length = length + length_before;
        if length > COMMENT_LIMIT {
            // The joined comments would be too long, and be cut.
            return;
        }
        let between = &self.parser.text[before + 1..start];
        if between.iter().all(|b| is_blank(*b)) {
            lost.edits.push(Edit::replace(before..start + 1, " "));
            self.comments.insert(place, (close, length));
        } else {
            self.comments.insert(place, (before, length));
            let inside = [b" ", inside.trim_ascii()].concat();
            lost.edits.push(Edit::insert(before, inside));
            lost.edits.push(Edit::remove(start..close + 1));
        }
    }

    /// Returns the place that a comment here would belong to.
    fn place(&self) -> CommentOwner {
        let build = &self.parser.build;
        if build.in_line || !build.is_in_variation() {
            CommentOwner::Node(build.point)
        } else {
            CommentOwner::Variation(build.tree.n_variations() as u32)
        }
    }

    /// Notes a result before the end of the text.
    fn see_result(&mut self, start: usize) {
        let after = self.parser.at;
        let end = trim_end(self.parser.text).len();
        if after == end || start >= self.end {
            return;
        }
        let what = format!("text after the result `{}`", self.show(start..after));
        let edits = if self.end < end {
            self.as_comment(start..self.end)
        } else {
            // This result is the only one.
            let mut edits = self.as_comment(after..end);
            edits.push(Edit::remove(start..after));
            let result = self.show(start..after);
            edits.push(Edit::insert(end, format!(" {result}")));
            edits
        };
        self.findings.add(FindingKind::EarlyResult, start, what, edits);
    }

    /// Notes a result within a variation, where a search ends the game.
    fn see_result_in_variation(&mut self, start: usize) {
        let after = self.parser.at;
        let what = format!("the result `{}` in a variation", self.show(start..after));
        let edits = self.as_comment(start..after);
        self.findings.add(FindingKind::EarlyResult, start, what, edits);
        self.number = None;
    }

    fn see_stop(&mut self, start: usize, stop: Stop) {
        let rest = &self.parser.text[start..self.end.max(start)];
        let (kind, what, end) = match stop {
            Stop::Bracket => {
                let close = rest.iter().position(|b| matches!(b, b']' | b'\n'));
                let end = close.map_or(rest.len(), |at| at + usize::from(rest[at] == b']'));
                let end = start + end;
                (FindingKind::BracketInMoves, "`[` among the moves", end)
            }
            Stop::EarlyVariation => {
                let end = (self.end_of_line(start + 1) + 1).min(self.end.max(start + 1));
                let what = "no move before the variation in its line";
                (FindingKind::EarlyVariation, what, end)
            }
            Stop::TooLong => {
                let what = "more than 49,990 positions";
                (FindingKind::TooManyPositions, what, self.end)
            }
            Stop::OpenComment | Stop::Result | Stop::End => {
                self.parser.at = self.parser.text.len();
                return;
            }
        };
        let edits = self.as_comment(start..end);
        self.findings.add(kind, start, what, edits);
        self.parser.at = end.max(start + 1);
    }

    /// Whether an unreadable word right after a comment still belongs to the comment: a `}` without
    /// `{` follows, and no move is read before that.
    fn goes_on_with_comment(&mut self, start: usize) -> bool {
        let text = self.parser.text;
        let before = trim_end(&text[..start]);
        let Some(close) = before.len().checked_sub(1).filter(|at| self.last_comment == Some(*at))
        else {
            return false;
        };
        let rest = &text[start..self.end.max(start)];
        let Some(end) = memchr2(b'{', b'}', rest).filter(|&at| rest[at] == b'}') else {
            return false;
        };
        let end = start + end;
        if self.plays(start..end) || self.plays(self.parser.at..end) {
            return false;
        }
        let words = self.show(start..end + 1);
        let what = format!("the comment goes on after its end, with `{words}`");
        let edit = Edit::replace(close..close + 1, ")");
        self.findings.add(FindingKind::UnreadableWord, start, what, [edit]);
        self.parser.at = end + 1;
        true
    }

    /// Handles a move that the rules forbid.
    fn illegal(&mut self, start: usize) {
        if self.goes_on_with_comment(start) {
            return;
        }
        let word = start..self.end_of_word(start);
        if self.sees_check_sign(word.clone())
            || self.reads_otherwise(word.clone())
            || self.sees_signs(word.clone())
        {
            return;
        }
        let (kind, what) = describe(&self.parser.build, &self.show(word.clone()));
        self.end_line(kind, word, what);
    }

    /// Notes that the line is read only up to a word, and puts the rest into a comment.
    fn end_line(&mut self, kind: FindingKind, word: Range<usize>, what: String) {
        let start = word.start;
        let end = if self.parser.build.is_in_variation() {
            self.end_of_line(start)
        } else {
            self.end.max(word.end)
        };
        let end = start + trim_end(&self.parser.text[start..end]).len();
        let edits = self.as_comment(self.number.unwrap_or(start)..end);
        self.findings.add(kind, start, what, edits);
        self.parser.at = end;
        self.number = None;
    }

    /// Handles a word that the parser skipped.
    fn lost(&mut self, start: usize) {
        let text = self.parser.text;
        let consumed = self.parser.at;
        if self.has_no_break_space(start) || self.has_wide_space(start) {
            return;
        }
        let word = start..self.end_of_word(start);
        let may_be_read = self.caution == Caution::Usual;
        if may_be_read
            && (self.is_glued(start)
                || self.sees_check_sign(word.clone())
                || self.reads_otherwise(word.clone())
                || self.sees_null_move(word.clone())
                || self.sees_signs(word.clone()))
            || self.goes_on_with_comment(start)
        {
            return;
        }
        // The parser reads `1[` and `x(y` as words.
        let read = start + text[start..consumed].trim_ascii_end().len();
        let word = if self.plays(read..word.end) { start..read } else { start..word.end.max(read) };
        let shown = self.show(word.clone());
        let language = self.reading.language.map(|language| format!(" in {}", language.name));
        let language = language.unwrap_or_default();
        let may_be_a_move = bare_castling(&text[word.clone()]).is_some()
            || decode(&text[word.clone()]).chars().any(char::is_alphabetic);
        if may_be_a_move && self.numbers_say(word.end) == Numbers::DoNotFit {
            let what = format!("`{shown}` is no move{language}, and a move is due there");
            if self.caution == Caution::KeepsUnread {
                self.findings.add(FindingKind::LostMove, word.start, what, []);
                self.parser.at = word.end;
                return;
            }
            return self.end_line(FindingKind::LostMove, word, what);
        }
        let what = format!("`{shown}` is neither a move nor an annotation{language}");
        self.pass_over(FindingKind::UnreadableWord, word, what);
    }

    /// Puts a word into a comment, and goes on after it.
    fn pass_over(&mut self, kind: FindingKind, word: Range<usize>, what: String) {
        let mut edits = self.as_comment(word.clone());
        // `{word} 2. Nf3` and not `2. {word} Nf3`, which other programs do not read.
        if let (Some(number), [edit]) = (self.number, &mut edits[..]) {
            let comment = std::mem::take(&mut edit.text);
            edits.insert(0, Edit::insert(number, [comment, b" ".to_vec()].concat()));
        }
        self.findings.add(kind, word.start, what, edits);
        self.parser.at = word.end;
    }

    /// Whether the parser finds a move in a part of the text.
    fn plays(&mut self, part: Range<usize>) -> bool {
        let parser = &mut self.parser;
        let n_nodes = parser.build.tree.len();
        let mut other =
            Parser { text: &parser.text[..part.end], at: part.start, build: parser.build.fork() };
        while let Some(&byte) = other.text.get(other.at)
            && other.build.tree.len() == n_nodes
            && !matches!(byte, b'(' | b')')
            && other.token(byte).is_ok()
        {}
        let plays = other.build.tree.len() > n_nodes;
        parser.build.tree.forget_trial(n_nodes);
        plays
    }

    /// Whether the first word of a part of the text is a move.
    fn plays_at_once(&mut self, part: Range<usize>) -> bool {
        let words = &self.parser.text[part.clone()];
        let blanks = words.iter().take_while(|b| is_space(**b) || **b == b'.');
        let start = part.start + blanks.count();
        let end = self.end_of_word(start.min(part.end)).min(part.end);
        start < end && self.plays(start..end) && self.plays_all(start..end)
    }

    /// Whether the parser reads a part of the text without a loss.
    fn plays_all(&mut self, part: Range<usize>) -> bool {
        let parser = &mut self.parser;
        let n_nodes = parser.build.tree.len();
        let n_lost = parser.build.tree.lost.n_words;
        let mut other =
            Parser { text: &parser.text[..part.end], at: part.start, build: parser.build.fork() };
        let mut is_read = true;
        while let Some(&byte) = other.text.get(other.at)
            && is_read
        {
            is_read = other.token(byte).is_ok()
                && other.build.tree.illegal_at.is_none()
                && other.build.tree.lost.n_words == n_lost;
        }
        parser.build.tree.forget_trial(n_nodes);
        is_read
    }

    /// Compares the move numbers from here on with the positions. They show whether the unreadable
    /// words before stand for moves, which are then missing.
    fn numbers_say(&mut self, from: usize) -> Numbers {
        let depth = self.variations.len();
        if let Some(&(until, said)) = self.numbers.get(&depth)
            && from <= until
        {
            return said;
        }
        let text = self.parser.text;
        let expected = self.numbering;
        let Examined { parser, end, reading, .. } = self;
        let n_nodes = parser.build.tree.len();
        let is_in_variation = parser.build.is_in_variation();
        let mut other = Parser { text, at: from, build: parser.build.fork() };
        let (mut said, mut n_misfits, mut has_variation) = (Numbers::Nothing, 0, false);
        while let Some(&byte) = text.get(other.at)
            && other.at < *end
            && n_misfits < NUMBERS
        {
            match (byte, number_at(text, other.at)) {
                (b'{', _) => match text[other.at..].iter().position(|b| *b == b'}') {
                    Some(length) => other.at += length + 1,
                    None => break,
                },
                (b'(', _) => {
                    other.at = end_of_line(text, other.at + 1, *end) + 1;
                    has_variation = true;
                }
                (b')', _) if is_in_variation => break,
                (b')', _) => other.at += 1,
                (_, Some(number)) => {
                    let digits = text[other.at..].iter().take_while(|b| b.is_ascii_digit());
                    let dots = other.at + digits.count();
                    let is_of_black = text[dots..].starts_with(b"..");
                    let position = other.pos();
                    let ahead = number - i64::from(position.fullmove_number);
                    let is_due = (ahead == expected || ahead == 0)
                        && (!is_of_black || position.turn == Color::Black);
                    if is_due {
                        said = Numbers::Fit;
                        break;
                    }
                    (said, n_misfits) = (Numbers::DoNotFit, n_misfits + 1);
                    other.at = dots;
                }
                _ => {
                    let language = reading.language.filter(|_| !is_space(byte));
                    let in_english = language.and_then(|language| {
                        let word = end_of_word(text, other.at);
                        let written = &text[other.at..word];
                        let usual = language.in_english(written)?;
                        (usual != written).then_some((usual, word))
                    });
                    match in_english {
                        Some((usual, word)) if try_text(&mut other, &usual) => other.at = word,
                        Some(_) => {
                            said = Numbers::DoNotFit;
                            break;
                        }
                        None => match other.token(byte) {
                            Ok(()) if other.build.tree.illegal_at.is_none() => {}
                            Ok(()) => {
                                said = Numbers::DoNotFit;
                                break;
                            }
                            Err(_) => break,
                        },
                    }
                }
            }
        }
        if said == Numbers::Nothing && !has_variation && other.build.tree.len() == n_nodes {
            said = Numbers::DoNotFit;
        }
        self.numbers.insert(depth, (other.at, said));
        parser.build.tree.forget_trial(n_nodes);
        said
    }

    /// Reads a word with signs beyond ASCII: figurines, dashes, glyphs.
    fn sees_signs(&mut self, word: Range<usize>) -> bool {
        let of_black = self.parser.pos().turn == Color::Black;
        let written = &self.parser.text[word.clone()];
        // A glyph comes after the move of the other side.
        let Some((_, after)) = words::in_ascii(written, !of_black) else {
            return false;
        };
        let Some((mv, beside)) = words::in_ascii(written, of_black) else {
            return false;
        };
        let (usual, is_known) = if mv.is_empty() {
            (after.trim_start().as_bytes().to_vec(), true)
        } else {
            let spelled = std::iter::once(mv.clone()).chain(spellings(&mv));
            let found = spelled.into_iter().find(|mv| self.try_text(mv));
            let is_known = found.is_some();
            let found = found.map(|mv| self.in_pgn(mv)).unwrap_or_default();
            let usual = [&found, beside.as_bytes()].concat();
            (usual, is_known)
        };
        if is_known {
            self.found_odd_move(word, usual);
        }
        is_known
    }

    /// Handles a comment, variation, annotation or result that follows a word without a blank.
    fn is_glued(&mut self, start: usize) -> bool {
        let text = self.parser.text;
        let consumed = self.parser.at;
        // `e8(Q)`
        let rest = &text[start..];
        let length = rest.iter().position(|b| is_space(*b)).unwrap_or(rest.len());
        if length <= PROMOTION && rest[..length].contains(&b'(') {
            let word = start..start + length;
            if self.reads_otherwise(word) {
                return true;
            }
        }
        // A comment, variation or annotation follows a move without a blank.
        let opens = |b: &u8| matches!(b, b'{' | b'}' | b'(' | b'$' | b';' | b'[');
        let first = 1 + usize::from(text[start] == b'$');
        let glued = (start + first..consumed).find(|&at| opens(&text[at]));
        // As a remark, the rest of the line would hide moves that a search reads.
        let glued = glued.filter(|&at| !self.hides_moves(at));
        // `$1f`: with a blank, the rest would be read as a move.
        if let (None, Some(at)) = (glued, end_of_nag(text, start, consumed)) {
            let word = at..self.end_of_word(at).max(consumed);
            if !self.plays(word.clone()) {
                let what = format!("`{}` after a glyph", self.show(word.clone()));
                self.pass_over(FindingKind::UnreadableWord, word, what);
                return true;
            }
        }
        let glued = glued.or_else(|| end_of_nag(text, start, consumed));
        if let Some(at) = glued {
            let (sign, word) = (char::from(text[at]), self.show(start..at));
            let what = format!("no blank between `{word}` and `{sign}`");
            let edit = Edit::insert(at, " ");
            let is_glyph =
                GLYPHS.contains(&&text[start..at]) || matches!(text[start], b'$' | b'+' | b'#');
            if self.try_text(&text[start..at]) || is_glyph {
                let (edit, end) = if self.hides_moves(at) {
                    (Edit::replace(at..at + 1, " {;} "), at + 1)
                } else {
                    (edit, at)
                };
                self.findings.add(FindingKind::GluedMove, start, what, [edit]);
                self.parser.at = end;
                return true;
            }
        }
        let word = start..self.end_of_word(start);
        // `Qh4#0-1`
        let signs = text[word.clone()].iter().take_while(|b| is_sign(**b)).count();
        if signs > 0 && RESULTS.contains(&&text[start + signs..word.end]) {
            let what = format!("no blank between sign and result in `{}`", self.show(word));
            let at = start + signs;
            self.findings.add(FindingKind::GluedResult, at, what, [Edit::insert(at, " ")]);
            self.parser.at = at;
            return true;
        }
        // `1e4`
        let digits = text[word.clone()].iter().take_while(|b| b.is_ascii_digit()).count();
        if (1..word.len()).contains(&digits) && self.try_text(&text[start + digits..word.end]) {
            let what = format!("no dot between number and move in `{}`", self.show(word));
            let edit = Edit::insert(start + digits, ".");
            self.findings.add(FindingKind::GluedMove, start, what, [edit]);
            self.parser.at = self.end_of_word(start);
            return true;
        }
        false
    }

    /// Whether the rest of the line, which a search reads, would be a remark after the `;` at an
    /// offset.
    fn hides_moves(&mut self, at: usize) -> bool {
        let text = self.parser.text;
        let end = at + line_length(&text[at..]);
        text[at] == b';' && self.plays(at + 1..end.min(self.end.max(at + 1)))
    }

    /// Whether a word is lost because a no-break space in UTF-8 ends it: its second byte is white
    /// space, its first byte a part of the word.
    fn has_no_break_space(&mut self, start: usize) -> bool {
        let text = self.parser.text;
        let length = text[start..].iter().position(|b| is_space(*b));
        let end = start + length.unwrap_or(0);
        let Some(at) = end.checked_sub(1) else {
            return false;
        };
        if at < start || text[at..].get(..2) != Some(b"\xc2\xa0") {
            return false;
        }
        let what = if at == start {
            "a no-break space".to_owned()
        } else {
            format!("a no-break space after `{}`", self.show(start..at))
        };
        let edit = Edit::replace(at..end + 1, " ");
        self.findings.add(FindingKind::NoBreakSpace, start, what, [edit]);
        if at > start {
            self.try_text(&text[start..at]);
        }
        self.parser.at = end + 1;
        true
    }

    /// Whether a word has white space beyond ASCII.
    fn has_wide_space(&mut self, start: usize) -> bool {
        let word = start..self.end_of_word(start);
        let text = self.parser.text;
        let Ok(written) = str::from_utf8(&text[word.clone()]) else {
            return false;
        };
        let is_wide =
            |c: char| !c.is_ascii() && (c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}'));
        let Some((length, space)) = written.char_indices().find(|(_, c)| is_wide(*c)) else {
            return false;
        };
        let at = start + length;
        let end = at + space.len_utf8();
        let behind = match length {
            0 => String::new(),
            _ => format!(" after `{}`", self.show(start..at)),
        };
        let what = format!("white space U+{:04X}{behind}", u32::from(space));
        let edit = Edit::replace(at..end, " ");
        self.findings.add(FindingKind::NoBreakSpace, start, what, [edit]);
        if at > start {
            self.try_text(&text[start..at]);
        }
        self.parser.at = end;
        true
    }

    /// Reads a word that is a move in another spelling, or a move and a result without a blank.
    /// Returns `false` for other words.
    fn reads_otherwise(&mut self, word: Range<usize>) -> bool {
        let written = &self.parser.text[word.clone()];
        for result in RESULTS {
            if let Some(head) = written.strip_suffix(result)
                && !head.is_empty()
                && self.try_text(head)
            {
                let at = word.end - result.len();
                let what = format!("no blank between move and result in `{}`", self.show(word));
                let edit = Edit::insert(at, " ");
                self.findings.add(FindingKind::GluedResult, at, what, [edit]);
                self.parser.at = at;
                return true;
            }
        }
        for usual in spellings(written) {
            if self.try_text(&usual) {
                let usual = self.in_pgn(usual);
                self.found_odd_move(word, usual);
                return true;
            }
        }
        false
    }

    /// Plays another text in place of the written one, if it is a move.
    fn try_text(&mut self, text: &[u8]) -> bool {
        try_text(&mut self.parser, text)
    }

    /// Returns the changes that put a range into a comment: into the comment of its move, if there
    /// is one.
    fn as_comment(&mut self, range: Range<usize>) -> Vec<Edit> {
        let text = self.parser.text;
        let inside = in_comment(&text[range.clone()]);
        let place = self.place();
        if let Some((end, length)) = self.comments.get_mut(&place)
            && *length + inside.len() < COMMENT_LIMIT
        {
            *length += inside.len() + 1;
            let end = *end;
            let inside = [b" ", &inside[..]].concat();
            return vec![Edit::insert(end, inside), Edit::remove(range)];
        }
        let is_apart = |byte: Option<&u8>| byte.is_none_or(|b| is_space(*b) || b"()".contains(b));
        let blank = |is_apart: bool| if is_apart { "" } else { " " };
        let before = blank(is_apart(text[..range.start].last())).as_bytes();
        let after = blank(is_apart(text.get(range.end))).as_bytes();
        let comment = [before, b"{", &inside, b"}", after].concat();
        vec![Edit::replace(range, comment)]
    }

    /// Returns the end of the line at an offset: the `)` of its variation, or the end of the moves.
    fn end_of_line(&self, start: usize) -> usize {
        end_of_line(self.parser.text, start, self.end)
    }

    fn end_of_word(&self, start: usize) -> usize {
        end_of_word(self.parser.text, start)
    }

    fn show(&self, range: Range<usize>) -> String {
        shown(&self.parser.text[range], 40)
    }
}

fn end_of_word(text: &[u8], start: usize) -> usize {
    let rest = &text[start..];
    let ends = |at: usize| match rest[at] {
        // These bytes end a letter in UTF-8, such as `à`, unless they are a no-break space.
        0xA0 => rest[at - 1].is_ascii(),
        0xC2 => rest.get(at + 1) == Some(&0xA0),
        byte => is_space(byte) || matches!(byte, b'{' | b'(' | b')' | b'}' | b';' | b'['),
    };
    let length = (1..rest.len()).find(|&at| ends(at));
    start + length.unwrap_or(rest.len())
}

/// Plays a text, if it is a move.
fn try_text(parser: &mut Parser<'_>, text: &[u8]) -> bool {
    let Some(&byte) = text.first() else {
        return false;
    };
    let nodes = parser.build.tree.len();
    let mut other = Parser { text, at: 0, build: parser.build.fork() };
    let is_read = other.token(byte).is_ok();
    let (point, in_line, at) = (other.build.point, other.build.in_line, other.at);
    // Signs may remain after the move.
    let mut rest = text[at.min(text.len())..].iter();
    let is_move = is_read
        && parser.build.tree.len() > nodes
        && rest.all(|b| matches!(b, b'+' | b'#' | b'!' | b'?'));
    if is_move {
        (parser.build.point, parser.build.in_line) = (point, in_line);
    }
    let kept = if is_move { nodes + 1 } else { nodes };
    parser.build.tree.forget_trial(kept);
    is_move
}

/// Returns the end of the line at an offset: the `)` of its variation, or `end`.
pub(super) fn end_of_line(text: &[u8], start: usize, end: usize) -> usize {
    let mut depth = 0_u32;
    let mut at = start;
    while at < end {
        match text[at] {
            b'{' => {
                let rest = &text[at..];
                at += rest.iter().position(|b| *b == b'}').unwrap_or(rest.len());
            }
            b'(' => depth += 1,
            b')' if depth == 0 => return at,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    end.max(start)
}

/// Returns the offset of the first word after comments.
fn start_of_words(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|b| is_blank(**b)).count();
        match text.get(at)? {
            b'{' => at += memchr(b'}', &text[at..])? + 1,
            byte => return (!b"()[]};%$!?+#*.".contains(byte)).then_some(at),
        }
    }
}

fn line_length(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

/// Returns the move number at an offset: digits with a dot after them.
pub(super) fn number_at(text: &[u8], at: usize) -> Option<i64> {
    const LONGEST: usize = 4;
    let digits = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let is_number = (1..=LONGEST).contains(&digits) && text.get(at + digits) == Some(&b'.');
    let digits = text[at..at + digits].iter();
    is_number.then(|| digits.fold(0, |n, b| 10 * n + i64::from(b - b'0')))
}

/// Returns a written move without the signs of check and the annotations after it.
pub(super) fn without_signs(word: &[u8]) -> &[u8] {
    let is_sign = |b: &&u8| matches!(b, b'+' | b'#' | b'!' | b'?') || is_space(**b);
    let signs = word.iter().rev().take_while(is_sign).count();
    &word[..word.len() - signs]
}

/// Returns the length of the part of a word that is its move: without text that follows castling
/// without a blank, and without signs after another move, as in `Nf3-:`.
fn length_of_move(word: &[u8], mv: Option<Move>) -> usize {
    let is_castling = mv.is_some_and(Move::is_castle);
    match word.first() {
        Some(b'0' | b'O' | b'o') if is_castling => {
            let end = word.iter().position(|b| !b"0Oo-".contains(b));
            end.unwrap_or(word.len())
        }
        _ => {
            let signs = word.iter().rev().take_while(|b| SIGNS.contains(b));
            let (mv, signs) = word.split_at(word.len() - signs.count());
            // A single `--` is a null move.
            if signs.contains(&b'-') && signs.contains(&b':') { mv.len() } else { word.len() }
        }
    }
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'+' | b'#')
}

/// Returns the end of the digits in a word like `$1x`.
fn end_of_nag(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let digits = text[start + 1..end].iter().take_while(|b| b.is_ascii_digit()).count();
    (text[start] == b'$' && digits > 0 && start + 1 + digits < end).then_some(start + 1 + digits)
}

/// Returns the usual spellings of a word that may be a move in another spelling.
fn spellings(word: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let is_sign = |b: &u8| matches!(b, b'+' | b'#' | b'!' | b'?' | b'.' | b',');
    let bare = word.len() - word.iter().rev().take_while(|b| is_sign(b)).count();
    let (bare, signs) = word.split_at(bare);
    let signs: Vec<u8> = signs.iter().copied().filter(|b| !matches!(b, b'.' | b',')).collect();
    let mut push = |bare: &[u8]| all.push([bare, &signs].concat());
    push(bare);
    // In `exd6e.p.` the last dot counts as a sign.
    for suffix in [b"e.p".as_slice(), b"ep", b"(ep)"] {
        if let Some(head) = bare.strip_suffix(suffix) {
            push(head);
        }
    }
    // `e8=q`, `e8q`, `e8(Q)`, `e8/Q`
    if let [head @ .., last] = bare.strip_suffix(b")").unwrap_or(bare)
        && b"qrbnQRBN".contains(last)
    {
        let head = match head {
            [head @ .., b'=' | b'(' | b'/' | b'-'] => head,
            head => head,
        };
        push(&[head, b"=", &[last.to_ascii_uppercase()]].concat());
    }
    // `nf3`, `KF1`, `E4`; but `Bb4` is no move of a pawn
    if let [first, rest @ ..] = bare {
        let lower = rest.to_ascii_lowercase();
        push(&[&[first.to_ascii_uppercase()], &lower[..]].concat());
        if *first != b'B' || rest.len() == 1 {
            push(&[&[first.to_ascii_lowercase()], &lower[..]].concat());
        }
    }
    all.retain(|other| other != word);
    all
}

/// Returns the kind and description of a move that is not possible, with the moves that may be
/// meant.
fn describe(build: &TreeBuilder<'_>, shown: &str) -> (FindingKind, String) {
    let situation = build.tree.situation(build.node());
    let fen = build.tree.fen(build.node());
    let letters: Vec<u8> = shown.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let role = letters.first().and_then(|&b| Role::from_letter(b)).unwrap_or(Role::Pawn);
    let squares: Vec<board::Square> = letters.windows(2).filter_map(board::Square::parse).collect();
    let mut moves = MoveList::new();
    situation.moves(&mut moves);
    let target = squares.last();
    let is_meant = |mv: &&board::Move| mv.role() == role && Some(&mv.to()) == target;
    let meant: Vec<_> = moves.iter().filter(is_meant).collect();
    let is_ambiguous = meant.len() > 1 && role != Role::Pawn;
    let mut near = meant;
    if near.is_empty() {
        near = moves.iter().filter(|mv| Some(&mv.to()) == target).collect();
    }
    if near.is_empty() {
        near = moves.iter().filter(|mv| mv.role() == role).collect();
    }
    let names: Vec<String> = near.iter().map(|mv| situation.san(**mv).to_string()).collect();
    let possible = match names.len() {
        _ if matches!(letters.first(), Some(b'O' | b'o' | b'0')) => {
            "castling is not possible there".to_owned()
        }
        0 => "no move like it is possible".to_owned(),
        1..=CANDIDATES => format!("possible: {}", names.join(", ")),
        n => format!("{n} other moves are possible"),
    };
    let (kind, why) = if is_ambiguous {
        (FindingKind::AmbiguousMove, "is ambiguous")
    } else {
        (FindingKind::IllegalMove, "is illegal")
    };
    (kind, format!("`{shown}` {why} in {fen}; {possible}"))
}
