//! Records the text that the parser skips: words that are neither moves nor annotations, and moves
//! after the end of reading.

use std::ops::Range;

use board::{FenError, counted};
use memchr::memmem;

use super::{End, Parser};
use crate::bytes::{is_blank, is_space, trim_end};
use crate::comment::{COMMENT_LIMIT, clean_length};
use crate::encoding::shown;
use crate::fault::Loss;
use crate::tags::TextTags;
use crate::tree::{GameTree, Stop, TreeBuilder};
use crate::values::GameResult;
use crate::variant::{OtherVariant, RulesRead, Variant};

impl<'a> Parser<'a> {
    /// Creates a parser at the start of a text without tags.
    fn of(text: &'a [u8], tree: &'a mut GameTree) -> Parser<'a> {
        Parser { text, at: 0, build: TreeBuilder::new(tree) }
    }

    /// Notes that the word just read was skipped. A word with the name of a square was meant as a
    /// move.
    #[cold]
    pub(super) fn lose_word(&mut self, start: usize) {
        self.lose_sign();
        let tree = &mut *self.build.tree;
        if tree.illegal_at.is_none() {
            tree.lost.word = Some((start..self.at, tree.len()));
        }
        if has_square(&self.text[start..self.at]) {
            self.lose_move(start);
        }
    }

    /// Notes a skipped word that cannot be a move.
    #[cold]
    pub(super) fn lose_sign(&mut self) {
        self.build.tree.lost.n_words += 1;
    }

    /// Notes the words after a `%` that does not begin its line. A `%` is meant to hide a line only
    /// at its start, but the reference skips the rest of the line after any `%`.
    #[cold]
    pub(super) fn lose_behind_percent(&mut self, start: usize) {
        if self.text[..start].ends_with(b"\n") {
            return;
        }
        self.lose_sign();
        for word in self.text[start + 1..self.at].split(|&b| is_space(b)) {
            if has_square(word) {
                self.lose_move(start);
            }
        }
    }

    /// Notes a skipped glyph.
    #[cold]
    pub(super) fn lose_glyph(&mut self) {
        let at = self.at.saturating_sub(1);
        let glyphs = &mut self.build.tree.lost.glyphs;
        *glyphs = Some(glyphs.map_or((1, at), |(n, first)| (n + 1, first)));
    }

    /// Notes that a comment is cut, if it is longer than the limit.
    #[cold]
    pub(super) fn cut_comment(&mut self, start: usize, len: usize) {
        if clean_length(&self.text[start..start + len]) > COMMENT_LIMIT {
            let comments = &mut self.build.tree.lost.cut_comments;
            *comments = Some(comments.map_or((1, start), |(n, first)| (n + 1, first)));
        }
    }

    /// Whether `0-0`, just read at the end of a game, means that both players have lost, because
    /// castling is not possible.
    #[cold]
    pub(super) fn is_double_loss(&self) -> bool {
        let rest = &self.text[self.at..];
        let is_end = rest.iter().all(|&b| is_space(b)) && !self.build.is_in_variation();
        is_end && self.build.tree.illegal_at.is_none() && self.castling(true).is_none()
    }

    /// Notes that the word just read is meant as the result.
    #[cold]
    pub(super) fn lose_result(&mut self, start: usize) {
        self.build.tree.lost.result = Some(start..self.at);
    }

    /// Notes that a written move is not played.
    #[cold]
    pub(super) fn lose_move(&mut self, start: usize) {
        let lost = &mut self.build.tree.lost;
        lost.n_moves += 1;
        lost.first_move.get_or_insert(start);
    }
}

impl GameTree {
    /// Returns the number of written moves that are not in the tree, including those of variations.
    /// `text` is the text that was parsed.
    #[must_use]
    pub fn n_lost_moves(&self, text: &[u8]) -> u32 {
        let rest = self.lost.rest.and_then(|rest| text.get(rest..));
        self.lost.n_moves + rest.map_or(0, count_moves)
    }
}

impl GameTree {
    /// Whether [`GameTree::other_losses`] may return a loss.
    #[inline]
    #[must_use]
    pub fn may_lack_more(&self) -> bool {
        let lost = &self.lost;
        lost.cut_comments.is_some()
            || lost.glyphs.is_some()
            || lost.fen.is_some()
            || self.has_fen()
            || self.result == GameResult::Unknown
            || self.is_open()
    }

    /// Returns the losses of a game's text, except for its moves and the words among them. `tags`
    /// are those of the text that was parsed.
    #[cold]
    #[must_use]
    pub fn other_losses(&self, tags: TextTags<'_>) -> Vec<Loss> {
        let mut losses = Vec::new();
        let mut lose = |at: usize, what: String| losses.push(Loss { at, what, n_moves: 0 });
        if let Some((range, what)) = self.lost_result(tags) {
            lose(range.start, what);
        }
        if let Some(error) = self.lost.fen.filter(|_| self.has_fen()) {
            lose(0, format!("a FEN tag is no position: {error}; the FEN tag before it counts"));
        } else if let Some(error) = self.lost.fen {
            let what = "the game is read from the normal start, from which its moves are possible";
            lose(0, format!("the FEN tag is no position: {error}; {what}"));
        }
        if let Some(words) = self.has_fen().then(|| words_in_fen(tags)).flatten() {
            lose(0, format!("`{}` in the FEN tag is not read", shown(words, 40)));
        }
        if let Some((n, at)) = self.lost.cut_comments {
            let comments = those_are(n, "comment");
            lose(at, format!("{comments} cut at {COMMENT_LIMIT} bytes"));
        }
        if let Some((n, at)) = self.lost.glyphs {
            let glyphs = those_are(n, "glyph");
            lose(at, format!("{glyphs} not read: no move comes before, or it has seven"));
        }
        // Moves after a result in a variation are reported as lost moves, not here.
        let rest = self.lost.rest.and_then(|rest| tags.text().get(rest..)).unwrap_or_default();
        let is_end = self.illegal_at.is_none() && trim_end(rest).is_empty();
        if self.is_open() && is_end {
            let at = trim_end(tags.text()).len();
            lose(at, "a variation is not closed before the game ends".to_owned());
        }
        losses
    }

    /// Returns the text at the end of a game that is meant as a result and is none, or else reports
    /// such a Result tag with an empty range, each with a description.
    #[cold]
    fn lost_result(&self, tags: TextTags<'_>) -> Option<(Range<usize>, String)> {
        let text = tags.text();
        let at_end = || odd_result(text, tags.moves_start()).filter(|_| self.stop == Stop::End);
        if let Some(range) = self.lost.result.clone().or_else(at_end) {
            let word = shown(&text[range.clone()], 40);
            return Some((range, not_understood(&word, self.result)));
        }
        let value = tags.raw(b"Result").filter(|_| self.result == GameResult::Unknown)?;
        is_meant_as_result(value).then(|| {
            let what = not_understood(&shown(value, 40), self.result);
            (0..0, what)
        })
    }

    /// Whether the skipped word at an offset is the one that [`GameTree::other_losses`] reports as
    /// the result.
    #[must_use]
    pub fn is_of_result(&self, tags: TextTags<'_>, at: usize) -> bool {
        let result = self.lost_result(tags);
        result.is_some_and(|(range, _)| range.contains(&at))
    }

    /// Returns the word that was skipped right before the illegal move that ended the reading of
    /// moves: it may have been meant as a move.
    #[must_use]
    pub fn word_before_illegal_move(&self, text: &[u8]) -> Option<Range<usize>> {
        let illegal = self.illegal_at?;
        // A bare number is skipped, but some programs write a null move as `0000`.
        let before = without_number(text.get(..illegal)?);
        if let Some(start) = before.strip_suffix(b"0000").map(<[u8]>::len)
            && before[..start].last().is_none_or(|&b| is_blank(b))
        {
            return Some(start..start + 4);
        }
        let (range, n_nodes) = self.lost.word.clone()?;
        let is_before = range.end <= illegal && n_nodes == self.len();
        is_before.then_some(range)
    }

    /// Returns the number of games that begin among the moves, if a `[` ended the reading of moves.
    #[must_use]
    pub fn n_games_among_moves(&self, tags: TextTags<'_>) -> usize {
        let moves = self.bracket_at().map(|_| tags.moves());
        moves.map_or(0, |moves| memmem::find_iter(moves, b"[Event ").count())
    }

    /// Returns the rules of a game that was read as one of `variant`. This is where it is decided
    /// which games of unknown variants are read as chess.
    #[must_use]
    pub fn rules_read(&self, tags: TextTags<'_>, variant: Variant) -> RulesRead {
        match variant {
            Variant::Other(OtherVariant::Unknown) if !self.is_of_other_rules(tags) => {
                RulesRead::Assumed
            }
            Variant::Other(other) => RulesRead::Unknown(other),
            known => RulesRead::Named(known),
        }
    }

    /// Whether a game of an unknown variant has other rules than those it was read by: its start or
    /// something in it is not understood.
    fn is_of_other_rules(&self, tags: TextTags<'_>) -> bool {
        let is_nothing_read = self.len() == 1 && self.lost.n_words > 0;
        self.illegal_at.is_some()
            || self.lost.fen.is_some() && !self.has_fen()
            || is_nothing_read
            || self.n_lost_moves(tags.text()) > 0
    }

    /// Returns why the game cannot be read, if its FEN tag is no position. The reference then reads
    /// the game from the normal start, which is accepted here only if all moves are possible from
    /// there.
    #[must_use]
    pub fn impossible_start(&self, tags: TextTags<'_>) -> Option<FenError> {
        let error = self.lost.fen.filter(|_| !self.has_fen())?;
        let is_played = self.len() > 1 && !self.may_lack_moves() && self.rules().are_of_chess();
        (tags.is_set_up() || !is_played).then_some(error)
    }
}

/// Whether a word was meant as a move, since it contains the name of a square.
pub(crate) fn has_square(word: &[u8]) -> bool {
    let mut pairs = word.windows(2);
    pairs.any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
}

/// Returns a text without the move number at its end.
fn without_number(text: &[u8]) -> &[u8] {
    let text = trim_end(text);
    let digits = text.trim_ascii_end();
    let word = digits.iter().rposition(|&b| is_blank(b)).map_or(0, |at| at + 1);
    let number = digits[word..].strip_suffix(b".");
    if number.is_some_and(|number| number.iter().all(|b| b.is_ascii_digit() || *b == b'.')) {
        trim_end(&text[..word])
    } else {
        text
    }
}

/// Whether a field of a FEN names the square of a capture en passant, or none.
pub(crate) fn is_en_passant(field: &[u8]) -> bool {
    field == b"-" || field.len() == 2 && has_square(field)
}

/// Returns the first field of a FEN tag that is no square or number where one is due, or that
/// follows the last of them.
fn words_in_fen(tags: TextTags<'_>) -> Option<&[u8]> {
    // Other variants have additional fields.
    if !matches!(tags.variant(), Variant::Standard | Variant::Chess960) {
        return None;
    }
    let fields = tags.raw(b"FEN")?.split(|b| is_blank(*b)).filter(|field| !field.is_empty());
    let is_known = |&(place, field): &(usize, &[u8])| match place {
        0..3 => true,
        3 => is_en_passant(field),
        _ => place < 6 && field.iter().all(|b| b.is_ascii_digit() || *b == b'-'),
    };
    fields.enumerate().find(|field| !is_known(field)).map(|(_, field)| field)
}

/// Returns the beginning of a sentence: `1 glyph is`, `2 glyphs are`.
fn those_are(n: u32, noun: &str) -> String {
    format!("{} {}", counted(n.into(), noun), if n == 1 { "is" } else { "are" })
}

fn not_understood(word: &str, counts_as: GameResult) -> String {
    format!("`{word}` is not understood as a result; the result counts as {counts_as}")
}

/// Returns the range of the text's last words, if they are meant as a result, in one word or as
/// `1 - 0`.
fn odd_result(text: &[u8], moves: usize) -> Option<Range<usize>> {
    let end = trim_end(text).len();
    let text = &text[..end];
    let mut start = end;
    for n_words in 1..=3 {
        let before = trim_end(&text[..start]);
        let word = before.iter().rposition(|&b| is_blank(b));
        start = word.map_or(0, |blank| blank + 1);
        if start < moves {
            return None;
        }
        // Castling has already been read as a move.
        let is_castling = text[start..] == *b"0-0";
        if n_words != 2 && !is_castling && is_meant_as_result(&text[start..]) {
            return Some(start..end);
        }
    }
    None
}

/// Whether a text gives the points of two players in a spelling that is no result.
fn is_meant_as_result(text: &[u8]) -> bool {
    const POINTS: [&str; 9] = ["0", "1", "½", "1/2", "0.5", "0,5", ".5", "0.0", "1.0"];
    if text.len() > 40 {
        return false;
    }
    let text = crate::decode(text);
    let is_known = ["1-0", "0-1", "1/2-1/2"].contains(&text.trim());
    let is_dash = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−' | ':');
    let sides: Vec<&str> = text.split(is_dash).map(str::trim).collect();
    !is_known
        && (sides.len() == 2 && sides.iter().all(|side| POINTS.contains(side)) || *text == *"½")
}

/// Whether a text contains written moves, possible or not.
#[cold]
pub(crate) fn has_moves(text: &[u8]) -> bool {
    count_moves(text) > 0
}

/// Returns the number of moves written in a text, possible or not.
#[cold]
fn count_moves(text: &[u8]) -> u32 {
    let mut tree = GameTree::default();
    // No move is accepted any more, but all are counted.
    tree.illegal_at = Some(0);
    let mut parser = Parser::of(text, &mut tree);
    while let Some(&byte) = text.get(parser.at) {
        match parser.token(byte) {
            Ok(()) | Err(End::Result(_)) => {}
            Err(End::Stop(Stop::OpenComment)) => break,
            Err(End::Stop(_)) => parser.at += 1,
        }
    }
    tree.lost.n_moves
}

/// Whether a move of a text without tags is read.
pub(crate) fn reads_a_move(text: &[u8]) -> bool {
    let mut tree = GameTree::default();
    let mut parser = Parser::of(text, &mut tree);
    while let Some(&byte) = text.get(parser.at)
        && parser.token(byte).is_ok()
        && parser.build.tree.len() == 1
    {}
    tree.len() > 1
}

/// Whether a text without tags is a game: only comments and numbers come before the first move,
/// which is possible.
#[cold]
pub(crate) fn begins_with_a_move(text: &[u8]) -> bool {
    let mut tree = GameTree::default();
    let mut parser = Parser::of(text, &mut tree);
    while let Some(&byte) = text.get(parser.at) {
        if parser.token(byte).is_err() || parser.build.tree.may_lack_moves() {
            return false;
        }
        if parser.build.tree.len() > 1 {
            return true;
        }
    }
    false
}
