//! The moves of a game under the eyes of the doctor.
//!
//! The parser itself reads every token, so that nothing is judged otherwise than it is read. What
//! it passes over or stops at becomes a finding, and reading goes on behind it as it will once the
//! finding is put right.

use std::ops::Range;

use board::{MoveList, Role, Start};

use super::{Edit, FindingKind, Findings, separator};
use crate::bytes::{is_space, trim_end};
use crate::encoding::{decode, shown};
use crate::parse::{End, Parser};
use crate::tags::TextTags;
use crate::tree::{GameTree, Stop, TreeBuilder};
use crate::values::GameResult;

/// Moves that are named where one is illegal.
const CANDIDATES: usize = 8;

/// Bytes of `exd8(Q)#!?`.
const PROMOTION: usize = 10;

/// The results as the scanner knows them, the longest first.
const RESULTS: [&[u8]; 4] = [b"1/2-1/2", b"1-0", b"0-1", b"*"];

impl GameTree {
    /// Reads a game as [`GameTree::parse`] does, and notes what is wrong with its moves. The result
    /// is where the result token stands.
    pub(super) fn examine(
        &mut self,
        tags: TextTags<'_>,
        (start, has_fen): (Start, bool),
        findings: &mut Findings,
    ) -> Option<(Range<usize>, GameResult)> {
        let text = tags.text();
        let mut examined = Examined {
            parser: Parser {
                text,
                at: tags.moves_start(),
                build: self.build(start, has_fen),
            },
            end: end_of_moves(text).max(tags.moves_start()),
            variations: Vec::new(),
            comment: None,
            findings,
        };
        let found = examined.run();
        self.result = match &found {
            Some((_, result)) => *result,
            None => tags.result(),
        };
        found
    }
}

/// Where the moves end: in front of the result that ends the text, or at the end of the text.
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

struct Examined<'a, 'f> {
    parser: Parser<'a>,
    /// Where the moves end.
    end: usize,
    /// Where the open variations begin.
    variations: Vec<usize>,
    /// The `}` of the comment just read.
    comment: Option<usize>,
    findings: &'f mut Findings,
}

/// What the parser made of a token.
#[derive(PartialEq)]
enum Token {
    /// A move, or something else that belongs there.
    Good,
    /// A move that is not possible.
    Illegal,
    /// Nothing.
    Lost,
}

impl Examined<'_, '_> {
    fn run(&mut self) -> Option<(Range<usize>, GameResult)> {
        let mut found = None;
        while let Some(&byte) = self.parser.text.get(self.parser.at)
            && !self.findings.is_full()
        {
            let start = self.parser.at;
            match self.read(byte) {
                Ok(token) => self.see(start, byte, token),
                Err(End::Result(result)) => {
                    found = Some((start..self.parser.at, result));
                    self.see_result(start);
                    break;
                }
                Err(End::Stop(stop)) => self.see_stop(start, stop),
            }
        }
        let end = found
            .as_ref()
            .map_or(self.end, |found| found.0.start.min(self.end));
        for at in std::mem::take(&mut self.variations) {
            let separator = separator(self.parser.text, end).trim_start_matches(' ');
            let edit = Edit::insert(end, format!("{separator}) "));
            let what = "the variation is never closed";
            self.findings
                .add(FindingKind::UnclosedVariation, at, what, [edit]);
        }
        found
    }

    /// Lets the parser read one token.
    fn read(&mut self, byte: u8) -> Result<Token, End> {
        let n_lost = self.parser.build.tree.lost.n_words;
        self.parser.token(byte)?;
        if self.parser.build.tree.illegal_at.take().is_some() {
            self.parser.build.tree.error.clear();
            return Ok(Token::Illegal);
        }
        let is_good = self.parser.build.tree.lost.n_words == n_lost;
        Ok(if is_good { Token::Good } else { Token::Lost })
    }

    fn see(&mut self, start: usize, byte: u8, token: Token) {
        let was_comment = self.comment.take();
        match byte {
            _ if token == Token::Illegal => {
                self.comment = was_comment;
                self.illegal(start);
            }
            _ if token == Token::Lost => {
                self.comment = was_comment;
                self.lost(start);
            }
            b'{' => self.comment = Some(self.parser.at - 1),
            b'(' => self.variations.push(start),
            b')' if self.variations.pop().is_none() => {
                let edit = Edit::remove(start..start + 1);
                self.findings.add(
                    FindingKind::StrayParenthesis,
                    start,
                    "`)` closes no variation",
                    [edit],
                );
            }
            b'}' => {
                let edit = Edit::remove(start..start + 1);
                self.findings.add(
                    FindingKind::StrayBrace,
                    start,
                    "`}` closes no comment",
                    [edit],
                );
            }
            _ if is_space(byte) => self.comment = was_comment,
            _ => {}
        }
    }

    /// A result in front of what ends the text.
    fn see_result(&mut self, start: usize) {
        let behind = self.parser.at;
        let end = trim_end(self.parser.text).len();
        if behind == end || start >= self.end {
            return;
        }
        let what = format!("text behind the result `{}`", self.show(start..behind));
        let edit = match self.end < end {
            true => Edit::remove(start..self.end),
            // It is the only result there is.
            false => Edit::remove(behind..end),
        };
        self.findings
            .add(FindingKind::EarlyResult, start, what, [edit]);
    }

    fn see_stop(&mut self, start: usize, stop: Stop) {
        let rest = &self.parser.text[start..self.end.max(start)];
        let (kind, what, end) = match stop {
            Stop::Bracket => {
                let line = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                let close = rest[..line].iter().position(|b| *b == b']');
                let end = start + close.map_or(line, |close| close + 1);
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

    /// A move that the rules forbid.
    fn illegal(&mut self, start: usize) {
        let word = start..self.end_of_word(start);
        if self.reads_otherwise(word.clone()) {
            return;
        }
        let shown = self.show(word.clone());
        let (kind, what) = describe(&self.parser.build, &shown);
        let end = match self.parser.build.is_in_variation() {
            true => self.end_of_line(start),
            false => self.end.max(word.end),
        };
        let end = start + trim_end(&self.parser.text[start..end]).len();
        let edits = self.as_comment(start..end);
        self.findings.add(kind, start, what, edits);
        self.parser.at = end;
    }

    /// A word that was passed over.
    fn lost(&mut self, start: usize) {
        let text = self.parser.text;
        let consumed = self.parser.at;
        if self.has_no_break_space(start) {
            return;
        }
        // `e8(Q)`
        let rest = &text[start..];
        let length = rest.iter().position(|b| is_space(*b)).unwrap_or(rest.len());
        if length <= PROMOTION && rest[..length].contains(&b'(') {
            let word = start..start + length;
            if self.reads_otherwise(word) {
                return;
            }
        }
        // A comment, variation or annotation behind a move, without a blank.
        let opens = |b: &u8| matches!(b, b'{' | b'(' | b'$' | b';');
        let first = 1 + usize::from(text[start] == b'$');
        let glued = (start + first..consumed).find(|&at| opens(&text[at]));
        let glued = glued.or_else(|| end_of_nag(text, start, consumed));
        if let Some(at) = glued {
            let (sign, word) = (char::from(text[at]), self.show(start..at));
            let what = format!("no blank between `{word}` and `{sign}`");
            let edit = Edit::insert(at, " ");
            if self.try_text(&text[start..at]) || text[start] == b'$' || is_sign(text[start]) {
                self.findings
                    .add(FindingKind::GluedMove, start, what, [edit]);
                self.parser.at = at;
                return;
            }
        }
        let word = start..self.end_of_word(start);
        // `Qh4#0-1`
        let signs = text[word.clone()]
            .iter()
            .take_while(|b| is_sign(**b))
            .count();
        if signs > 0 && RESULTS.contains(&&text[start + signs..word.end]) {
            let what = format!("no blank between sign and result in `{}`", self.show(word));
            let at = start + signs;
            self.findings
                .add(FindingKind::GluedResult, at, what, [Edit::insert(at, " ")]);
            self.parser.at = at;
            return;
        }
        // `1e4`
        let digits = text[word.clone()]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let behind = text[start + digits..word.end].first();
        if digits > 0 && behind.is_some_and(u8::is_ascii_alphabetic) {
            let what = format!("no dot between number and move in `{}`", self.show(word));
            let edit = Edit::insert(start + digits, ".");
            self.findings
                .add(FindingKind::GluedMove, start, what, [edit]);
            self.parser.at = start + digits;
            return;
        }
        if self.reads_otherwise(word.clone()) {
            return;
        }
        let what = format!(
            "`{}` is neither a move nor an annotation",
            self.show(word.clone())
        );
        let edit = Edit::remove(word.clone());
        self.findings
            .add(FindingKind::UnreadableWord, start, what, [edit]);
        self.parser.at = word.end;
    }

    /// Whether a word is lost since a no-break space in UTF-8 ends it: its second byte is white
    /// space, the first one a part of the word.
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
        let what = match at == start {
            true => "a no-break space".to_owned(),
            false => format!("a no-break space behind `{}`", self.show(start..at)),
        };
        let edit = Edit::replace(at..end + 1, " ");
        self.findings
            .add(FindingKind::NoBreakSpace, start, what, [edit]);
        if at > start {
            self.try_text(&text[start..at]);
        }
        self.parser.at = end + 1;
        true
    }

    /// Whether a word is a move in another spelling, or one with a result behind it.
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
                self.findings
                    .add(FindingKind::GluedResult, at, what, [edit]);
                self.parser.at = at;
                return true;
            }
        }
        for usual in spellings(written) {
            if self.try_text(&usual) {
                let shown = decode(&usual).into_owned();
                let what = format!("`{}` is not read; `{shown}` is", self.show(word.clone()));
                let edit = Edit::replace(word.clone(), usual);
                self.findings
                    .add(FindingKind::OddMove, word.start, what, [edit]);
                self.parser.at = word.end;
                return true;
            }
        }
        false
    }

    /// Plays another text in place of the one that is there, if it is a move.
    fn try_text(&mut self, text: &[u8]) -> bool {
        let Some(&byte) = text.first() else {
            return false;
        };
        let parser = &mut self.parser;
        let nodes = parser.build.tree.len();
        let mut other = Parser {
            text,
            at: 0,
            build: parser.build.fork(),
        };
        let is_read = other.token(byte).is_ok();
        let (point, in_line, at) = (other.build.point, other.build.in_line, other.at);
        parser.build.tree.illegal_at = None;
        parser.build.tree.error.clear();
        let is_move = parser.build.tree.len() > nodes;
        if is_move {
            (parser.build.point, parser.build.in_line) = (point, in_line);
        }
        // Signs may be left over.
        let rest = &text[at.min(text.len())..];
        is_read && is_move && rest.iter().all(|b| matches!(b, b'+' | b'#' | b'!' | b'?'))
    }

    /// The changes that put a range into a comment, one with the comment right before it.
    fn as_comment(&mut self, range: Range<usize>) -> Vec<Edit> {
        let brace = |b: &u8| match b {
            b'{' => b'<',
            b'}' => b'>',
            byte => *byte,
        };
        let mut inside: Vec<u8> = self.parser.text[range.clone()].iter().map(brace).collect();
        inside.push(b'}');
        let Some(end) = self.comment.take() else {
            inside.insert(0, b'{');
            return vec![Edit::replace(range, inside)];
        };
        vec![Edit::remove(end..end + 1), Edit::replace(range, inside)]
    }

    /// Where the line of a place ends: at the `)` of its variation, or with the moves.
    fn end_of_line(&self, start: usize) -> usize {
        let mut depth = 0_u32;
        let mut at = start;
        while at < self.end {
            match self.parser.text[at] {
                b'{' => {
                    let rest = &self.parser.text[at..];
                    at += rest.iter().position(|b| *b == b'}').unwrap_or(rest.len());
                }
                b'(' => depth += 1,
                b')' if depth == 0 => return at,
                b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        self.end.max(start)
    }

    fn end_of_word(&self, start: usize) -> usize {
        let rest = &self.parser.text[start..];
        let ends = |b: &u8| is_space(*b) || matches!(b, b'{' | b'(' | b')' | b'}' | b';' | b'[');
        let length = rest
            .iter()
            .skip(1)
            .position(ends)
            .map_or(rest.len(), |n| n + 1);
        start + length
    }

    fn show(&self, range: Range<usize>) -> String {
        shown(&self.parser.text[range], 40)
    }
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'+' | b'#')
}

/// Where the digits of `$1x` end, if that is such a word.
fn end_of_nag(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let digits = text[start + 1..end]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    (text[start] == b'$' && digits > 0 && start + 1 + digits < end).then_some(start + 1 + digits)
}

/// A word as a move is usually spelled, if it may be one in another spelling.
fn spellings(word: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let is_sign = |b: &u8| matches!(b, b'+' | b'#' | b'!' | b'?' | b'.' | b',');
    let bare = word.len() - word.iter().rev().take_while(|b| is_sign(b)).count();
    let (bare, signs) = word.split_at(bare);
    let signs: Vec<u8> = signs
        .iter()
        .copied()
        .filter(|b| !matches!(b, b'.' | b','))
        .collect();
    let mut push = |bare: &[u8]| all.push([bare, &signs].concat());
    push(bare);
    // `exd6e.p.`, its last dot taken for a sign
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

/// Why a move is not possible, with the moves that may be meant.
fn describe(build: &TreeBuilder<'_>, shown: &str) -> (FindingKind, String) {
    let situation = build.tree.situation(build.node());
    let fen = build.tree.fen(build.node());
    let letters: Vec<u8> = shown.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let role = letters
        .first()
        .and_then(|&b| Role::from_letter(b))
        .unwrap_or(Role::Pawn);
    let squares: Vec<board::Square> = letters
        .windows(2)
        .filter_map(board::Square::parse)
        .collect();
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
    let names: Vec<String> = near
        .iter()
        .map(|mv| situation.san(**mv).to_string())
        .collect();
    let possible = match names.len() {
        _ if matches!(letters.first(), Some(b'O' | b'o' | b'0')) => {
            "castling is not possible there".to_owned()
        }
        0 => "no move like it is possible".to_owned(),
        1..=CANDIDATES => format!("possible: {}", names.join(", ")),
        n => format!("{n} other moves are possible"),
    };
    let (kind, why) = match is_ambiguous {
        true => (FindingKind::AmbiguousMove, "is ambiguous"),
        false => (FindingKind::IllegalMove, "is illegal"),
    };
    (kind, format!("`{shown}` {why} in {fen}; {possible}"))
}
