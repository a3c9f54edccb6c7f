//! Splits a file into games.
//!
//! The scanner comes before the parser, as in the reference implementation: it knows comments, tag
//! lines and results, but no moves, and so has the speed of a byte search. Input that the reference
//! accepts is cut exactly as there, oddities included (a result in parentheses ends the game,
//! braces nest, `%` has no meaning). Input at which the reference dies is repaired or skipped, see
//! [`FaultKind`].
//!
//! The input comes in slices, cut anywhere. A [`Splitter`] keeps an offset in the input, returns
//! the games of the slice that starts there, and stops at the first game whose end is not in the
//! slice; the caller then continues there with more bytes. The result does not depend on the cuts:
//! for example, an unclosed comment is only reported when the input or the maximum size of a game
//! is exhausted.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memchr3, memmem, memrchr};

use crate::bytes::{is_blank, line_end, trim_end, without_marks};
use crate::fault::{Fault, FaultKind, LossKind};
use crate::tags::{begins_plainly, games_behind, loss_in_line, repeated_tag};

mod boundary;
mod marks;
pub(crate) mod raw;
#[cfg(test)]
mod tests;

pub use boundary::likely_boundary;
pub(crate) use raw::TagLines;
pub use raw::{Losses, RawGame};

use marks::{
    ResultMark, as_words, has_blank_line, has_event, is_filler, result_at, stops_in,
    text_between_tags,
};
pub(crate) use marks::{looks_like_tag, tags_in_comment};

/// Maximum length in bytes of the text of a game.
pub const GAME_LIMIT: usize = 999_990;

/// Start of the first tag of a game after a line end.
const EVENT_TAG: &[u8] = b"\n[Event ";

/// Number of bytes of a line that show whether it is a tag.
const TAG_START: usize = 256;

/// Length above which a tag line is examined more closely: few are as long.
const USUAL_LINE: usize = 64;

/// Number of tags that nearly every game has.
const USUAL_TAGS: usize = 7;

/// A place between two games of the input, with the state to continue there.
#[derive(Clone, Debug)]
pub struct Splitter {
    offset: u64,
    line: u64,
    /// Whether only bytes above 127 (a byte order mark) have been read.
    at_start: bool,
    /// Whether no game has been read.
    is_first_game: bool,
    /// Whether a game has been skipped; the text up to the next Event tag is skipped, too.
    lost: bool,
}

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter { at_start: true, is_first_game: true, ..Splitter::starting_at(0, 1) }
    }
}

impl Splitter {
    /// Creates a splitter in the middle of the input, at the known or likely start of a game.
    #[must_use]
    pub fn starting_at(offset: u64, line: u64) -> Splitter {
        Splitter {
            offset,
            line,
            at_start: false,
            is_first_game: false,
            lost: false,
            // The text before the offset is not known: it may be a blank line.
        }
    }

    /// Returns the byte of the input at which the next slice must begin.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the line of that byte, from 1 (or from the line given to [`Splitter::starting_at`]).
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Whether a game begins here in the usual way: no text of an earlier game remains to be
    /// skipped, and this is not the start of the input.
    #[must_use]
    pub fn is_between_games(&self) -> bool {
        !self.is_first_game && !self.lost
    }

    /// Returns the games of a slice that begins at [`Splitter::offset`].
    ///
    /// The iterator ends before a game that the slice may not contain completely, unless the slice
    /// is the `last` one of the input.
    pub fn split<'s, 'a>(&'s mut self, bytes: &'a [u8], last: bool) -> SplitGames<'s, 'a> {
        SplitGames {
            base: self.offset,
            splitter: self,
            bytes,
            last,
            at: 0,
            counted: 0,
            mark: 0,
            nul: None,
            nul_searched: 0,
            open: OpenBraces::default(),
        }
    }
}

impl<'a> RawGame<'a> {
    /// Wraps a text that is known to contain exactly one game.
    #[must_use]
    pub fn of(text: &'a [u8]) -> RawGame<'a> {
        let mut splitter = Splitter::default();
        splitter.split(text, true).next().unwrap_or(RawGame {
            text,
            offset: 0,
            faults: Vec::new(),
            losses: Losses::default(),
            irregular: false,
            tag_lines: TagLines::default(),
        })
    }

    /// Returns a game whose text is all of `text`, if it has no faults. The text of a game is not
    /// always such a game: the text before it may be needed to find its start.
    #[must_use]
    pub fn exactly(text: &'a [u8]) -> Option<RawGame<'a>> {
        let game = Splitter::default().split(text, true).next()?;
        (game.text == text && game.faults.is_empty()).then_some(game)
    }
}

/// Iterator over the games of a slice, see [`Splitter::split`].
///
/// It may be dropped at any time; the splitter then continues after the last game returned.
#[derive(Debug)]
pub struct SplitGames<'s, 'a> {
    splitter: &'s mut Splitter,
    bytes: &'a [u8],
    last: bool,
    base: u64,
    /// Offset of the next game, or of white space before it.
    at: usize,
    /// Offset up to which newlines are counted.
    counted: usize,
    /// Offset of the next `{`, `;` or `[`, or of the place up to which there is none; outdated if
    /// less than `at`.
    mark: usize,
    /// The first NUL byte at or after `at`, if it is before `nul_searched`.
    nul: Option<usize>,
    nul_searched: usize,
    open: OpenBraces,
}

/// Opening braces that are not closed in the text searched so far; many comments may extend to the
/// same end.
#[derive(Debug, Default)]
struct OpenBraces {
    /// Offsets of the braces, in order.
    at: Vec<usize>,
    /// Offset up to which the text has been searched for their ends.
    until: usize,
}

/// Outcome of the scan of a game.
enum Scan {
    /// The text of the game ends at `end`, and the next game begins at `next`.
    Game { end: usize, next: usize },
    /// The game is skipped: its visible part ends at `end`, and the search for the next game begins
    /// at `resume`.
    Skip { end: usize, resume: usize },
    /// The scan needs more bytes.
    Cut,
}

impl<'a> Iterator for SplitGames<'_, 'a> {
    type Item = RawGame<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawGame<'a>> {
        let game = self.advance();
        self.splitter.offset = self.base + self.at as u64;
        game
    }
}

impl<'a> SplitGames<'_, 'a> {
    fn advance(&mut self) -> Option<RawGame<'a>> {
        if self.splitter.lost && !self.find_way() {
            return None;
        }
        self.skip_blanks();
        let start = self.at;
        if self.bytes[start..].iter().all(|&b| is_gap(b)) {
            return None;
        }
        let mut scan = GameScan {
            start,
            window: self.bytes.len().min(start + GAME_LIMIT + 1),
            tags_end: None,
            blank_to: 0,
            line_to: 0,
            notes: Vec::new(),
            irregular: false,
            tag_lines: TagLines::default(),
        };
        match self.scan(&mut scan) {
            Scan::Cut => None,
            Scan::Game { end, next } => {
                self.at = next;
                self.note_nul(&mut scan, next);
                Some(self.game(scan, end))
            }
            Scan::Skip { end, resume } => {
                self.at = resume;
                self.mark = 0;
                self.splitter.lost = true;
                Some(self.game(scan, end))
            }
        }
    }

    fn game(&mut self, scan: GameScan, end: usize) -> RawGame<'a> {
        self.splitter.is_first_game = false;
        let (faults, losses) = if scan.notes.is_empty() {
            (Vec::new(), Losses::default())
        } else {
            self.placed(&scan.notes)
        };
        RawGame {
            text: &self.bytes[scan.start..end],
            offset: self.base + scan.start as u64,
            faults,
            losses,
            irregular: scan.irregular,
            tag_lines: scan.tag_lines,
        }
    }

    /// Returns faults and losses with their places in the input.
    #[cold]
    fn placed(&mut self, notes: &[(Trouble, usize)]) -> (Vec<Fault>, Losses) {
        let (mut faults, mut losses) = (Vec::new(), Vec::new());
        for &(trouble, at) in notes {
            match trouble {
                Trouble::Fault(kind) => faults.push(self.fault(kind, at)),
                Trouble::Loss(kind) => losses.push(self.fault(kind, at)),
            }
        }
        (faults, losses.into())
    }

    fn fault<K>(&mut self, kind: K, at: usize) -> Fault<K> {
        // The faults of a game may be out of order.
        let line = if at >= self.counted {
            self.count_lines(at);
            self.splitter.line
        } else {
            self.splitter.line - newlines(&self.bytes[at..self.counted])
        };
        Fault { kind, offset: self.base + at as u64, line }
    }

    fn count_lines(&mut self, to: usize) {
        self.splitter.line += newlines(&self.bytes[self.counted..to]);
        self.counted = to;
    }

    fn skip_blanks(&mut self) {
        if self.splitter.at_start {
            self.skip_marks();
        }
        let first_line = self.at;
        let bytes = &self.bytes[self.at..];
        let blanks = bytes.iter().position(|&byte| !is_gap(byte));
        self.at += blanks.unwrap_or(bytes.len());
        if self.splitter.is_first_game {
            self.keep_indentation(first_line);
        }
    }

    /// Skips a byte order mark, and letters beyond ASCII if other text follows.
    #[cold]
    fn skip_marks(&mut self) {
        let bytes = &self.bytes[self.at..];
        let marks = bytes.iter().position(|&byte| byte <= 127);
        self.at += marks.unwrap_or(0);
        self.splitter.at_start = marks.is_none() && !self.last;
    }

    /// Moves back to the start of the line, but not before `from`, unless a tag follows: text
    /// before the first game is a comment that keeps its lines.
    #[cold]
    fn keep_indentation(&mut self, from: usize) {
        let line = memrchr(b'\n', &self.bytes[from..self.at]).map_or(from, |end| from + end + 1);
        let is_indentation = match self.bytes.get(self.at) {
            Some(b'[') => false,
            Some(_) => true,
            // text may follow in the next slice
            None => !self.last,
        };
        if is_indentation && self.at - line <= TAG_START {
            self.at = line;
        }
    }

    /// Skips to the next Event tag at the start of a line, after a skipped game.
    #[cold]
    fn find_way(&mut self) -> bool {
        match memmem::find(&self.bytes[self.at..], EVENT_TAG) {
            Some(found) => {
                self.at += found + 1;
                self.forget_nul(self.at);
                self.splitter.lost = false;
                true
            }
            None => {
                // The end of the slice may cut the search string.
                let kept = if self.last { 0 } else { EVENT_TAG.len() - 1 };
                self.at = self.at.max(self.bytes.len().saturating_sub(kept));
                false
            }
        }
    }

    /// Notes a NUL byte in the game just read. One search covers many games, but not the whole
    /// slice, which may be the rest of a large file.
    #[inline]
    fn note_nul(&mut self, scan: &mut GameScan, next: usize) {
        const BLOCK: usize = 1 << 16;
        if self.nul.is_none() && self.nul_searched < next {
            let from = self.nul_searched;
            let to = self.bytes.len().min(next.max(from + BLOCK));
            self.nul = memchr(0, &self.bytes[from..to]).map(|nul| from + nul);
            self.nul_searched = self.nul.map_or(to, |nul| nul + 1);
        }
        if let Some(nul) = self.nul
            && nul < next
        {
            scan.fault(FaultKind::NulByte, nul);
            scan.irregular = true;
            self.forget_nul(next);
        }
    }

    /// Restarts the search for NUL bytes at an offset.
    fn forget_nul(&mut self, from: usize) {
        self.nul = None;
        self.nul_searched = from;
    }

    fn scan(&mut self, scan: &mut GameScan) -> Scan {
        let mut at = scan.start;
        let window = scan.window;
        loop {
            let stop = self.next_stop(at, window);
            if stop == window {
                return self.out_of_bytes(scan, None);
            }
            at = stop + 1;
            match self.bytes[stop] {
                b'{' => match self.comment_end(scan, stop) {
                    Some(end) => {
                        at = end;
                        self.check_comment(scan, stop..end);
                    }
                    None => return self.out_of_bytes(scan, Some(stop)),
                },
                b'[' => match self.bracket(scan, stop) {
                    Bracket::Tag(end) => at = end,
                    Bracket::Other => {}
                    Bracket::NextGame => {
                        scan.fault(FaultKind::MissingResult, stop);
                        let end = scan.start + trim_end(&self.bytes[scan.start..stop]).len();
                        return Scan::Game { end, next: stop };
                    }
                    Bracket::Cut => return self.out_of_bytes(scan, None),
                },
                b';' => match memchr(b'\n', &self.bytes[stop..window]) {
                    Some(newline) => at = stop + newline + 1,
                    None => return self.out_of_bytes(scan, None),
                },
                b'-' | b'*' => {
                    match result_at(&self.bytes[scan.start..window], stop - scan.start) {
                        ResultMark::Nothing => {}
                        ResultMark::Maybe => return self.out_of_bytes(scan, None),
                        ResultMark::Result(length) => {
                            let end = scan.start + length;
                            let may_go_on = end == self.bytes.len() && !self.last;
                            if may_go_on || length > GAME_LIMIT {
                                return self.out_of_bytes(scan, None);
                            }
                            if scan.tags_end.is_none() {
                                scan.fault(FaultKind::MissingTags, scan.start);
                            }
                            return match self.after_result(scan, end) {
                                Some(next) => Scan::Game { end, next },
                                None => self.out_of_bytes(scan, None),
                            };
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the start of the text after a result that ends at `end`. `None` if more bytes are
    /// needed to see whether text is on the line of the result.
    #[inline]
    fn after_result(&self, scan: &mut GameScan, end: usize) -> Option<usize> {
        let behind = &self.bytes[end..];
        let blanks = behind.iter().position(|&b| !is_gap(b));
        let (blanks, text) = behind.split_at(blanks.unwrap_or(behind.len()));
        if blanks.iter().all(|&b| b != b'\n') {
            self.check_line_of_result(scan, blanks.len(), text)?;
        }
        Some(end + blanks.len())
    }

    /// Notes text on the line of a result, unless a bracket begins the next game there. After
    /// `MOST_BLANKS` blanks the line counts as ended. `None` if more bytes are needed.
    #[cold]
    fn check_line_of_result(
        &self,
        scan: &mut GameScan,
        n_blanks: usize,
        text: &[u8],
    ) -> Option<()> {
        const MOST_BLANKS: usize = 256;
        let [first, ..] = text else {
            return (self.last || n_blanks > MOST_BLANKS).then_some(());
        };
        if n_blanks <= MOST_BLANKS && *first != b'[' {
            let at = self.bytes.len() - text.len();
            scan.lose(LossKind::TextOnLineOfResult, at);
        }
        Some(())
    }

    /// Returns the next byte that may matter: one of `{;[`, or a `-` or `*` as in results.
    /// Otherwise returns the end of the window.
    #[inline]
    fn next_stop(&mut self, at: usize, window: usize) -> usize {
        // Starting a vectorized search has a cost, and only a few bytes are between comments.
        if let Some([first, second]) = self.bytes[at..window].first_chunk().map(as_words) {
            let stops = stops_in(first);
            if stops != 0 {
                return at + (stops.trailing_zeros() / 8) as usize;
            }
            let stops = stops_in(second);
            if stops != 0 {
                return at + 8 + (stops.trailing_zeros() / 8) as usize;
            }
        }
        let mark = self.next_mark(at, window);
        memchr2(b'-', b'*', &self.bytes[at..mark]).map_or(mark, |found| at + found)
    }

    /// Returns the next `{`, `;` or `[`, or the end of the window.
    #[inline]
    fn next_mark(&mut self, at: usize, window: usize) -> usize {
        if self.mark < at || self.mark == 0 {
            let found = memchr3(b'{', b';', b'[', &self.bytes[at..window]);
            self.mark = found.map_or(window, |found| at + found);
            note_scanned(self.mark - at);
        }
        self.mark.min(window)
    }

    /// Notes the tags of another game in a comment.
    #[inline]
    fn check_comment(&self, scan: &mut GameScan, comment: Range<usize>) {
        // Comments of programs, as `{[%clk 0:10:00]}`, are shorter than a game.
        const USUAL_COMMENT: usize = 20;
        let text = &self.bytes[comment.clone()];
        if text.len() > USUAL_COMMENT
            && memchr(b'\n', text).is_some()
            && let Some(at) = tags_in_comment(text)
        {
            scan.lose(LossKind::TagsInComment, comment.start + at);
        }
    }

    /// Returns the offset after the comment that opens at `mark`; braces nest.
    #[inline]
    fn comment_end(&mut self, scan: &mut GameScan, mark: usize) -> Option<usize> {
        if mark < self.open.until && self.open.at.binary_search(&mark).is_ok() {
            return self.follow_open_braces(scan, mark);
        }
        let mut depth = 1_u32;
        let mut at = mark + 1;
        loop {
            let brace = memchr2(b'{', b'}', &self.bytes[at..scan.window]);
            note_scanned(brace.unwrap_or(scan.window - at));
            let Some(brace) = brace else {
                return self.follow_open_braces(scan, mark);
            };
            let brace = at + brace;
            at = brace + 1;
            if self.bytes[brace] == b'{' {
                depth += 1;
                scan.irregular = true;
            } else {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
    }

    /// Returns the end of a comment that does not end soon. Braces found in an earlier search are
    /// not searched for again.
    #[cold]
    fn follow_open_braces(&mut self, scan: &mut GameScan, mark: usize) -> Option<usize> {
        scan.irregular = true;
        let open = &mut self.open;
        match open.at.binary_search(&mark) {
            Ok(first) if mark < open.until => {
                open.at.drain(..first);
            }
            _ => {
                open.at = vec![mark];
                open.until = mark + 1;
            }
        }
        let from = open.until;
        let text = self.bytes.get(from..scan.window).unwrap_or_default();
        note_scanned(text.len());
        for brace in memchr2_iter(b'{', b'}', text) {
            let brace = from + brace;
            open.until = brace + 1;
            if self.bytes[brace] == b'{' {
                open.at.push(brace);
                continue;
            }
            open.at.pop();
            if open.at.is_empty() {
                return Some(brace + 1);
            }
        }
        open.until = open.until.max(scan.window);
        None
    }

    /// Classifies a `[` outside of comments.
    #[inline]
    fn bracket(&self, scan: &mut GameScan, mark: usize) -> Bracket {
        if let Some(tags_end) = scan.tags_end
            && scan.has_newline(self.bytes, tags_end, mark)
            && let Some(other) = self.late_bracket(scan, mark, tags_end)
        {
            return other;
        }
        // Read all adjacent tag lines at once.
        let mut at = mark;
        let begins = mark == scan.start;
        if !begins && scan.tags_end.is_none() {
            self.check_preface(scan, mark);
        }
        let mut n_lines = 1;
        loop {
            let Some(newline) = line_end(&self.bytes[at..scan.window]) else {
                if !self.last || scan.is_full() {
                    return Bracket::Cut;
                }
                scan.check_tag_line(&self.bytes[at..scan.window], at);
                scan.check_quotes(&self.bytes[mark..scan.window], mark, n_lines);
                scan.tags_end = Some(scan.window);
                return Bracket::Tag(scan.window);
            };
            let end = at + newline + 1;
            scan.check_tag_line(&self.bytes[at..end - 1], at);
            if begins {
                scan.tag_lines.push(end - 1 - mark);
            }
            if end >= scan.window || self.bytes[end] != b'[' {
                scan.check_quotes(&self.bytes[mark..end], mark, n_lines);
                scan.tags_end = Some(end);
                return Bracket::Tag(end);
            }
            n_lines += 1;
            at = end;
        }
    }

    /// Examines text before the tags: notes a tag after text on its line, which is no tag, and
    /// moves that follow the result of an earlier game.
    #[cold]
    fn check_preface(&self, scan: &mut GameScan, mark: usize) {
        let text = &self.bytes[scan.start..mark];
        let line = text.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        let is_text = !matches!(line.trim_ascii_start(), [] | [b'%', ..]);
        if is_text && looks_like_tag(&self.bytes[mark..scan.window]) {
            let is_mark = without_marks(line).is_empty();
            let kind = if is_mark { LossKind::TagAfterMark } else { LossKind::TagWithinLine };
            scan.lose(kind, mark);
        }
        if self.splitter.is_first_game {
            if crate::parse::begins_with_a_move(text) {
                scan.lose(LossKind::MovesBeforeTags, scan.start);
            }
            return;
        }
        // Text without moves may be a heading, or a remark on the result.
        if !is_filler(text) && crate::parse::has_moves(text) {
            scan.lose(LossKind::TextAfterResult, scan.start);
        }
    }

    /// Classifies a `[` below the tag section, which the reference does not accept. `None` if it
    /// begins a further tag.
    #[cold]
    fn late_bracket(&self, scan: &mut GameScan, mark: usize, tags_end: usize) -> Option<Bracket> {
        let rest = &self.bytes[mark..scan.window.min(mark + TAG_START)];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        if line.len() == rest.len() && rest.len() < TAG_START && !self.last && !scan.is_full() {
            return Some(Bracket::Cut);
        }
        let is_event = line.starts_with(&EVENT_TAG[1..]);
        let starts_line = self.bytes[..mark].ends_with(b"\n");
        if scan.has_no_text(self.bytes, tags_end, mark) {
            let tags = &self.bytes[scan.start..tags_end];
            if is_event && starts_line && has_event(tags) {
                return Some(Bracket::NextGame);
            }
            if has_blank_line(&self.bytes[tags_end..mark]) {
                scan.fault(FaultKind::BlankLineInTags, mark);
            }
            return None;
        }
        if starts_line {
            if is_event {
                return Some(Bracket::NextGame);
            }
            let before = trim_end(&self.bytes[..mark]).len();
            if newlines(&self.bytes[before..mark]) > 1 && looks_like_tag(line) {
                return Some(Bracket::NextGame);
            }
        }
        scan.fault(FaultKind::BracketInMoves, mark);
        Some(Bracket::Other)
    }

    /// Requests more bytes at the end of the window, or decides how the game ends. `comment` is the
    /// offset of an open comment.
    #[cold]
    fn out_of_bytes(&mut self, scan: &mut GameScan, comment: Option<usize>) -> Scan {
        if !scan.is_full() && !self.last {
            return Scan::Cut;
        }
        // The newline after the tags is needed to recognize the start of a line there.
        let end = scan.tags_end.map_or(scan.start, |end| end - 1);
        // A comment in which another game begins was never closed; any other comment is too long.
        let is_unclosed = |at: usize| {
            let text = &self.bytes[at..scan.window];
            !scan.is_full() || memmem::find(text, EVENT_TAG).is_some()
        };
        if let Some(at) = comment.filter(|&at| is_unclosed(at)) {
            scan.fault(FaultKind::UnclosedComment, at);
            return Scan::Skip { end, resume: end };
        }
        if scan.is_full() {
            scan.fault(FaultKind::GameTooLong, scan.start + GAME_LIMIT);
            // No game begins before the last bytes; a tag may be cut there.
            let resume = scan.window - EVENT_TAG.len();
            return Scan::Skip { end, resume };
        }
        let end = scan.start + trim_end(&self.bytes[scan.start..]).len();
        if scan.tags_end.is_some() {
            scan.fault(FaultKind::MissingEnd, end);
            return Scan::Game { end, next: self.bytes.len() };
        }
        if is_filler(&self.bytes[scan.start..end]) {
            self.at = self.bytes.len();
            return Scan::Cut;
        }
        if crate::parse::begins_with_a_move(&self.bytes[scan.start..end]) {
            scan.fault(FaultKind::MissingTags, scan.start);
            scan.fault(FaultKind::MissingEnd, end);
        } else {
            scan.fault(FaultKind::TrailingText, scan.start);
        }
        Scan::Game { end, next: self.bytes.len() }
    }
}

impl Drop for SplitGames<'_, '_> {
    fn drop(&mut self) {
        if self.at < self.counted {
            self.splitter.line -= newlines(&self.bytes[self.at..self.counted]);
        } else {
            self.count_lines(self.at);
        }
    }
}

/// Counts, in tests, the bytes that are examined to find out how a game goes on.
#[inline(always)]
fn note_scanned(_n_bytes: usize) {
    #[cfg(test)]
    tests::SCANNED.set(tests::SCANNED.get() + _n_bytes);
}

/// State of the scan of a game.
struct GameScan {
    start: usize,
    /// Offset before which the game must end; at the end of the input, it may end there.
    window: usize,
    /// Offset after the newline of the last tag line.
    tags_end: Option<usize>,
    /// Offset up to which only blanks and remarks follow the tags.
    blank_to: usize,
    /// Offset up to which no newline follows the tags.
    line_to: usize,
    notes: Vec<(Trouble, usize)>,
    irregular: bool,
    tag_lines: TagLines,
}

impl GameScan {
    /// Whether the window has its maximum size: further bytes decide nothing.
    fn is_full(&self) -> bool {
        self.window > self.start + GAME_LIMIT
    }

    /// Whether a newline is between the tags and `mark`.
    fn has_newline(&mut self, bytes: &[u8], tags_end: usize, mark: usize) -> bool {
        let from = self.line_to.max(tags_end);
        let newline = memchr(b'\n', bytes.get(from..mark).unwrap_or_default());
        self.line_to = newline.map_or(mark.max(from), |newline| from + newline);
        note_scanned(self.line_to - from);
        newline.is_some()
    }

    /// Whether only blanks and remarks are between the tags and `mark`.
    fn has_no_text(&mut self, bytes: &[u8], tags_end: usize, mark: usize) -> bool {
        let from = self.blank_to.max(tags_end);
        let text = text_between_tags(bytes.get(from..mark).unwrap_or_default());
        self.blank_to = text.map_or(mark.max(from), |text| from + text);
        note_scanned(self.blank_to - from);
        text.is_none()
    }

    fn fault(&mut self, kind: FaultKind, at: usize) {
        self.note(Trouble::Fault(kind), at);
    }

    fn lose(&mut self, kind: LossKind, at: usize) {
        self.note(Trouble::Loss(kind), at);
    }

    #[cold]
    fn note(&mut self, trouble: Trouble, at: usize) {
        if self.notes.iter().all(|note| note.0 != trouble) {
            self.notes.push((trouble, at));
        }
    }

    #[inline]
    fn check_tag_line(&mut self, line: &[u8], at: usize) {
        let closed = matches!(line, [.., b'"', b']'] | [.., b'"', b']', b'\r']);
        // `[White Elo "2400"]` is a tag White, `[[White "…"]` none.
        if !closed || !begins_plainly(line) || line.len() > USUAL_LINE {
            self.check_odd_tag_line(line, at);
        }
    }

    #[cold]
    fn check_odd_tag_line(&mut self, line: &[u8], at: usize) {
        if memchr(b']', line).is_none() {
            self.fault(FaultKind::UnclosedTag, at);
        }
        self.lose_in_line(line, at);
    }

    /// Notes the text in a tag line that is not read, and the games that begin there.
    fn lose_in_line(&mut self, line: &[u8], at: usize) {
        let Some(kind) = loss_in_line(line) else {
            return;
        };
        self.lose(kind, at);
        let n_games = if kind == LossKind::TextBehindTag { games_behind(line) } else { 0 };
        if n_games > 0 {
            self.lose(LossKind::GamesBehindTag(n_games), at);
        }
    }

    /// Examines tag lines more closely if they do not have two quotes each, or are fewer than
    /// usual: such a line may be no tag, or contain several.
    #[inline]
    fn check_quotes(&mut self, lines: &[u8], start: usize, n_lines: usize) {
        // Sums of bytes become vector instructions; 128 of them cannot overflow.
        let quotes = |bytes: &[u8]| bytes.iter().map(|&b| u8::from(b == b'"')).sum::<u8>();
        let n_quotes: usize = lines.chunks(128).map(|part| usize::from(quotes(part))).sum();
        if n_lines < USUAL_TAGS || n_quotes != 2 * n_lines {
            self.check_tags(lines, start);
        }
    }

    #[cold]
    fn check_tags(&mut self, lines: &[u8], start: usize) {
        let places = || {
            lines.split_inclusive(|&b| b == b'\n').scan(start, |at, line| {
                let start = *at;
                *at += line.len();
                Some((start, line.strip_suffix(b"\n").unwrap_or(line)))
            })
        };
        for (at, line) in places() {
            self.lose_in_line(line, at);
        }
        if let Some(at) = repeated_tag(places()) {
            self.lose(LossKind::RepeatedTag, at);
        }
    }
}

/// A fault or a loss of a game, in a single list, since most games have neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Fault(FaultKind),
    Loss(LossKind),
}

enum Bracket {
    /// Tag lines end at this offset.
    Tag(usize),
    /// The bracket begins the first tag of the next game.
    NextGame,
    /// The bracket has no meaning.
    Other,
    /// The line is not complete.
    Cut,
}

/// Whether a byte is white space between games. A NUL byte is not: it is reported with the game
/// after it.
pub(crate) fn is_gap(byte: u8) -> bool {
    is_blank(byte) && byte != 0
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}
