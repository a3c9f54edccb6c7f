//! Finds issues in the tag section of a game.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use board::Color;

use super::bytes::and_more;
use super::caution::Caution;
use super::finding::{Edit, Findings, in_comment, separator};
use super::gap::Gap;
use super::kind::FindingKind;
use super::moves::number_at;
use super::words::{OddResult, odd_result};
use crate::bytes::{is_blank, trim, without_marks};
use crate::encoding::{decode, shown};
use crate::tags::{TextTags, has_signs, is_empty_fen, is_known, without_signs};
use crate::values::GameResult;
use crate::variant::Variant;

/// Maximum length in bytes of a tag value that is read.
const VALUE_LIMIT: usize = 252;

/// A line of the tag section.
struct Line {
    range: Range<usize>,
    /// Offset after its newline.
    next: usize,
    /// Line number in the text of the game, from 1.
    number: usize,
}

impl Line {
    fn removed(&self) -> Edit {
        Edit::remove(self.range.start..self.next)
    }
}

/// Notes the issues of the tags of a game and of the white space around them. `gap` is the white
/// space before the game.
pub(super) fn examine(
    tags: TextTags<'_>,
    variant: Variant,
    (gap, caution): (Gap, Caution),
    findings: &mut Findings,
) {
    let text = tags.text();
    let (start, end) = (tags.preface().len(), tags.moves_start());
    if let Some(at) = tag_within_line(tags.preface()) {
        let tag = shown(line_at(text, at), 60);
        let line = text[..at].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let (what, edit) = if without_marks(line).is_empty() {
            (format!("`{tag}` after a byte order mark"), Edit::remove(at - line.len()..at))
        } else {
            (format!("`{tag}` after text"), Edit::insert(at, "\n"))
        };
        findings.add(FindingKind::TextBeforeTags, at, what, [edit]);
        return;
    }
    if text.get(start) != Some(&b'[') && !text[start..end].contains(&b'[') {
        let edit = Edit::insert(0, gap.missing().to_owned() + &default_tags());
        findings.add(FindingKind::MissingTags, 0, "there are no tags", [edit]);
        return;
    }
    if examine_interruption(text, end, caution, findings) {
        return;
    }
    examine_preface(tags, gap, findings);
    examine_remarks(&text[..end], gap, findings);
    let lines = lines_of(text, start..end);
    let is_tag = |line: &Line| first_byte(&text[line.range.clone()]) == Some(b'[');
    let last_tag = lines.iter().rposition(is_tag).unwrap_or(0);
    let read = |line: &Line| {
        let content = &text[line.range.clone()];
        crate::tags::read_tag(&content[leading_blanks(content)..])
    };
    let is_alone = |line: &&Line| {
        let content = &text[line.range.clone()];
        parts(content[leading_blanks(content)..].trim_ascii_end()).len() == 1
    };
    let names: HashSet<&[u8]> = lines
        .iter()
        .filter(|line| is_tag(line))
        .filter(is_alone)
        .filter(|line| !has_odd_name(&text[line.range.clone()]))
        .filter_map(|line| Some(read(line)?.0))
        .collect();
    let comment = FirstComment::of(text, end);
    let mut seen: Vec<(&[u8], &[u8], &Line)> = Vec::new();
    for (i, line) in lines.iter().enumerate().take(last_tag + 1) {
        let content = &text[line.range.clone()];
        if content.iter().all(|&b| is_blank(b)) {
            let what = "a blank line between tags";
            findings.add(FindingKind::BlankLineInTags, line.range.start, what, [line.removed()]);
        } else if is_tag(line) {
            let section = Section { text, names: &names, moves: end, comment: &comment, caution };
            section.examine_line(line, i == last_tag, findings);
            // A name of two words must not replace another tag.
            if let Some((name, value)) = read(line).filter(|_| !has_odd_name(content)) {
                let at = line.range.start;
                if name == b"FEN" && is_empty_fen(value) && !tags.is_set_up() {
                    let edits = [line.removed(), comment.holds(content)];
                    findings.add(FindingKind::EmptyFen, at, "a FEN tag without a position", edits);
                    continue;
                }
                // Of several tags on a line, each is compared once it has a line of its own.
                if is_alone(&line) {
                    seen.push((name, value, line));
                }
                if name == b"FEN"
                    && variant.rules().is_some()
                    && let Some(error) = fen_error(variant, value)
                {
                    findings.add(FindingKind::BadFen, at, error, []);
                } else if name == b"FEN"
                    && let Some(usual) = usual_fen(variant, value)
                {
                    let range = crate::bytes::range_in(text, value);
                    let what = format!("`{}` is read as `{}`", shown(value, 90), decode(&usual));
                    let edits = [Edit::replace(range, usual), comment.holds(content)];
                    findings.add(FindingKind::OddFen, at, what, edits);
                }
                if name == b"FEN"
                    && let Some(what) = standing_check(variant, value)
                {
                    findings.add(FindingKind::StandingCheck, at, what, []);
                }
            }
        }
    }
    examine_duplicates(text, &seen, &comment, findings);
    let Some(last) = lines.get(last_tag) else {
        return;
    };
    if last.next < text.len() {
        examine_end(last.next, &text[..end], &lines[last_tag + 1..], findings);
    }
}

/// Notes lines before the moves that are remarks, but not at their start.
fn examine_remarks(section: &[u8], gap: Gap, findings: &mut Findings) {
    let (mut edits, mut at) = (Vec::new(), 0);
    if gap.is_indented() && matches!(section.first(), Some(b';' | b'%')) {
        edits.push(Edit::insert(0, "\n"));
    }
    for line in section.split_inclusive(|b| *b == b'\n') {
        let blanks = leading_blanks(line);
        if blanks > 0 && matches!(line.get(blanks), Some(b';' | b'%')) {
            edits.push(Edit::remove(at..at + blanks));
        }
        at += line.len();
    }
    if let Some(first) = edits.first() {
        let at = first.range.end;
        let what = "an indented remark before the moves".to_owned() + &and_more(edits.len());
        findings.add(FindingKind::HiddenText, at, what, edits);
    }
}

/// Checks that a blank line separates the tags, which end at `at`, from the moves. Remark lines do
/// not count.
fn examine_end(at: usize, text: &[u8], lines: &[Line], findings: &mut Findings) {
    let is_blank_line = |line: &&Line| {
        let content = text.get(line.range.clone());
        line.next <= text.len() && content.is_some_and(|text| text.iter().all(|&b| is_blank(b)))
    };
    let blank: Vec<&Line> = lines.iter().filter(is_blank_line).collect();
    match blank.split_first() {
        None => {
            let what = "the moves begin on the line after the tags";
            let edit = Edit::insert(at, "\n");
            findings.add(FindingKind::NoBlankLine, at, what, [edit]);
        }
        Some((_, [])) => {}
        Some((_, others)) => {
            let what = "more than one blank line before the moves";
            let edits: Vec<Edit> = others.iter().map(|line| line.removed()).collect();
            findings.add(FindingKind::BlankLineInMoves, at, what, edits);
        }
    }
}

/// Returns the offset of the first tag that follows text on its line. A tag that sets the start of
/// the game remains text: a search does not read it.
fn tag_within_line(preface: &[u8]) -> Option<usize> {
    let (mut depth, mut is_line_start, mut in_remark) = (0_u32, true, false);
    for (at, &byte) in preface.iter().enumerate() {
        match byte {
            b'\n' => in_remark = false,
            _ if in_remark => {}
            b';' | b'%' if is_line_start => in_remark = true,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'[' if depth == 0 && !is_line_start && is_plain_tag(line_at(preface, at)) => {
                return Some(at);
            }
            _ => {}
        }
        is_line_start = byte == b'\n' || is_line_start && is_blank(byte);
    }
    None
}

/// Whether a tag of this name sets the start of the game.
fn is_of_start(name: &[u8]) -> bool {
    matches!(name, b"FEN" | b"SetUp" | b"Variant")
}

/// Whether a line begins with a tag other than those that set the start of the game.
fn is_plain_tag(line: &[u8]) -> bool {
    let tag = end_of_tag(line).and_then(|end| name_and_value(&line[..end]));
    begins_with_tag(line) && tag.is_some_and(|(name, _)| !is_of_start(&name))
}

/// Returns the rest of a line from an offset on.
fn line_at(text: &[u8], at: usize) -> &[u8] {
    let rest = &text[at..];
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    rest[..end].trim_ascii_end()
}

/// Finds words between the tags that end the tag section for a search: a value that continues on
/// the next line, or text before further tags. They are repaired before everything else.
fn examine_interruption(
    text: &[u8],
    end: usize,
    caution: Caution,
    findings: &mut Findings,
) -> bool {
    if let Some((start, close)) = broken_value(text, end) {
        let what =
            format!("the value of `{}` goes on on the next line", shown(line_at(text, start), 60));
        let ends = (start..close).filter(|&at| matches!(text[at], b'\n' | b'\r'));
        // The text may end with the quote.
        let tag = start..text.len().min(close + b"\"]".len());
        let edits = match name_and_value(&text[tag.clone()]) {
            // With another start, other positions would be read.
            Some((name, _)) if caution != Caution::Usual && is_of_start(&name) => {
                let comment = [b"\n{", &in_comment(&text[tag.clone()])[..], b"}\n"].concat();
                vec![Edit::replace(tag, comment)]
            }
            _ => ends.map(|at| Edit::replace(at..at + 1, " ")).collect(),
        };
        findings.add(FindingKind::UnclosedTag, start, what, edits);
        return true;
    }
    let first = memchr::memrchr(b'\n', &text[..end]).map_or(0, |end| end + 1);
    let (mut edits, mut all, mut moves) = (Vec::new(), Vec::new(), first);
    while let Some((next, after)) = next_tags(text, moves) {
        let words = text[moves..next].trim_ascii();
        if words.is_empty() || is_game(words) {
            break;
        }
        edits.push(Edit::remove(moves..next));
        all.push(without_braces(words));
        moves = after;
    }
    let Some(words) = all.first() else {
        return false;
    };
    let what = format!("text between the tags: `{}`", shown(words, 60)) + &and_more(all.len());
    edits.push(FirstComment::of(text, moves).holds(&all.join(&b' ')));
    findings.add(FindingKind::TextBetweenTags, first, what, edits);
    true
}

/// Whether words are moves, which requires a move number: `e4` alone may be text.
fn is_game(words: &[u8]) -> bool {
    let has_number = (0..words.len()).any(|at| number_at(words, at).is_some());
    has_number && crate::parse::begins_with_a_move(words)
}

/// Returns the offset of the next line that is a tag, and the offset after that tag section.
fn next_tags(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let found = memchr::memmem::find(&text[from..], b"\n[")?;
    let next = from + found + 1;
    let mut at = begins_with_tag(&text[next..]).then_some(next)?;
    while at < text.len() && matches!(line_at(text, at).first(), None | Some(b'[' | b';' | b'%')) {
        at += memchr::memchr(b'\n', &text[at..]).map_or(text.len() - at, |end| end + 1);
    }
    Some((next, at))
}

/// Returns the offset of the last tag, and that of the `]` that closes it on one of the next lines.
fn broken_value(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const MOST_LINES: usize = 4;
    let tags = text[..end].trim_ascii_end();
    let start = memchr::memrchr(b'\n', tags).map_or(0, |end| end + 1);
    let tag = &text[start..tags.len()];
    let is_open = begins_with_tag(tag) && end_of_tag(tag).is_none() && !tag.ends_with(b"]");
    let rest = is_open.then(|| &text[tags.len()..])?;
    let close = memchr::memmem::find(rest, b"\"]")? + 1;
    let between = &rest[..close];
    let n_lines = between.iter().filter(|b| **b == b'\n').count();
    let is_value = (1..=MOST_LINES).contains(&n_lines) && !between[..close - 1].contains(&b'"');
    is_value.then_some((start, tags.len() + close))
}

/// Returns the rest of a text after the comments at its start.
pub(super) fn without_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        match memchr::memchr(b'}', text) {
            Some(close) if text[0] == b'{' => text = &text[close + 1..],
            _ => return text,
        }
    }
}

/// Removes the braces of `{a comment}`, which will be within other braces.
fn without_braces(words: &[u8]) -> &[u8] {
    match words {
        [b'{', inside @ .., b'}'] if !inside.contains(&b'}') => inside,
        _ => words,
    }
}

fn default_tags() -> String {
    let names = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    let lines = names.iter().map(|&name| {
        let value = match name {
            "Date" => "????.??.??",
            "Result" => GameResult::default().as_str(),
            _ => "?",
        };
        format!("[{name} \"{value}\"]\n")
    });
    lines.collect::<String>() + "\n"
}

/// Examines the text before the tags. A search shows it as a comment; other programs take it for a
/// game.
fn examine_preface(tags: TextTags<'_>, gap: Gap, findings: &mut Findings) {
    let preface = tags.preface();
    let words = without_marks(preface);
    let mut lines = words.split(|b| *b == b'\n').map(trim);
    let is_remark = |line: &[u8]| matches!(line, [] | [b';' | b'%', ..]);
    if preface.len() == tags.text().len() {
        return;
    }
    if lines.all(is_remark) {
        return gap.then(words).examine(preface.len(), findings);
    }
    let words = words.trim_ascii();
    let what = format!("text before the tags: `{}`", shown(words, 60));
    let edits = vec![
        // The rest may touch the result of the game before.
        Edit::replace(0..preface.len(), gap.missing()),
        FirstComment::of(tags.text(), tags.moves_start()).holds(without_braces(words)),
    ];
    let at = preface.len() - preface.trim_ascii_start().len();
    findings.add(FindingKind::TextBeforeTags, at, what, edits);
}

/// The place of a comment before the first move. If there are several such comments, the next round
/// joins them.
struct FirstComment {
    at: usize,
    before: &'static str,
    after: &'static str,
}

impl FirstComment {
    fn of(text: &[u8], moves_start: usize) -> FirstComment {
        // A line that `%` hides from the parser may open a comment for the scanner.
        let is_hidden = |line: &[u8]| matches!(line.trim_ascii_start(), [b'%', ..]);
        let before = &text[..moves_start];
        if memchr::memchr(b'%', before).is_some()
            && before.split(|b| *b == b'\n').any(is_hidden)
            && let Some(tag) = memchr::memmem::rfind(before, b"\n[")
            && let Some(end) = memchr::memchr(b'\n', &before[tag + 1..])
        {
            return FirstComment { at: tag + 1 + end + 1, before: "\n", after: "\n" };
        }
        // A text may end with a tag.
        let separator = match before.last() {
            None | Some(b'\n') => "",
            Some(_) => separator(text, moves_start),
        };
        FirstComment { at: moves_start, before: separator, after: " " }
    }

    /// Returns the edit that puts words into the comment.
    fn holds(&self, words: &[u8]) -> Edit {
        let [before, after] = [self.before, self.after].map(str::as_bytes);
        Edit::insert(self.at, [before, b"{", &in_comment(words), b"}", after].concat())
    }
}

/// Compares the Result tag with the result that ends the moves at `end`.
pub(super) fn examine_result(
    tags: TextTags<'_>,
    result: GameResult,
    end: usize,
    findings: &mut Findings,
) {
    let Some(value) = tags.raw(b"Result") else {
        return;
    };
    let says = odd_result(value);
    let is_kept = says == Some(OddResult::Other) && result == GameResult::Unknown;
    if value == result.as_str().as_bytes() || is_kept {
        return;
    }
    let text = tags.text();
    let at = value.as_ptr() as usize - text.as_ptr() as usize;
    let value_shown = decode(value);
    let what = format!("the Result tag says `{value_shown}`, the result is `{result}`");
    let mut edits = vec![Edit::replace(at..at + value.len(), result.as_str())];
    let says_nothing = matches!(value.trim_ascii(), b"" | b"*" | b"?");
    if !says_nothing && says != Some(OddResult::Usual(result)) {
        let comment = [b" {[Result \"", &in_comment(value)[..], b"\"]} "].concat();
        edits.push(Edit::insert(end, comment));
    }
    findings.add(FindingKind::ResultTag, at, what, edits);
}

fn lines_of(text: &[u8], range: Range<usize>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = range.start;
    let first = 1 + text[..at].iter().filter(|b| **b == b'\n').count();
    while at < range.end {
        let newline = text[at..].iter().position(|b| *b == b'\n');
        let (end, next) = match newline {
            Some(newline) => (at + newline, at + newline + 1),
            None => (text.len(), text.len()),
        };
        let has_return = text[at..end].ends_with(b"\r");
        lines.push(Line {
            range: at..end - usize::from(has_return),
            next,
            number: first + lines.len(),
        });
        at = next;
    }
    lines
}

fn leading_blanks(line: &[u8]) -> usize {
    line.iter().position(|&b| !is_blank(b) && b != b'.').unwrap_or(line.len())
}

fn first_byte(line: &[u8]) -> Option<u8> {
    line.get(leading_blanks(line)).copied()
}

/// The tags of a game while the doctor examines their lines.
struct Section<'a> {
    text: &'a [u8],
    /// Names of the tags that a search reads.
    names: &'a HashSet<&'a [u8]>,
    /// Offset of the moves.
    moves: usize,
    /// The comment for what is no tag.
    comment: &'a FirstComment,
    caution: Caution,
}

/// A part of a line that begins with a tag.
enum LinePart<'a> {
    /// From `[` to `]`, or to the end of the line.
    Tag(&'a [u8]),
    /// Text after a tag that is no tag.
    Words(&'a [u8]),
}

impl Section<'_> {
    /// Examines a line that begins with `[`.
    fn examine_line(&self, line: &Line, is_last: bool, findings: &mut Findings) {
        let content = &self.text[line.range.clone()];
        let blanks = leading_blanks(content);
        let start = line.range.start + blanks;
        let content = content[blanks..].trim_ascii_end();
        let is_read = crate::tags::read_tag(content).is_some();
        let parts = parts(content);
        if let ([LinePart::Tag(tag)], true) = (&parts[..], has_odd_name(content)) {
            let (what, written, comment) = self.with_usual_name(tag);
            let mut edits = vec![if written.is_empty() {
                line.removed()
            } else {
                Edit::replace(line.range.start..start + content.len(), written)
            }];
            edits[0].respells = !comment;
            if comment {
                edits.push(self.comment.holds(tag));
            }
            findings.add(FindingKind::BrokenTag, start, what, edits);
            return;
        }
        let (kind, what) = match parts[..] {
            [LinePart::Tag(tag)] if !tag.contains(&b']') => {
                let what = format!("`{}` has no `]`", shown(tag, 60));
                (FindingKind::UnclosedTag, what)
            }
            [LinePart::Tag(tag)] if is_read && tag.ends_with(b"\"]") && blanks == 0 => return,
            [LinePart::Tag(tag)] if is_read && tag.ends_with(b"\"]") => {
                let what = format!("`{}` does not begin its line", shown(tag, 60));
                (FindingKind::BrokenTag, what)
            }
            [LinePart::Tag(tag)] => match name_and_value(tag) {
                Some((name, value)) if value.len() > VALUE_LIMIT && name.len() < VALUE_LIMIT => {
                    let what = format!("a value of {} bytes, {VALUE_LIMIT} are read", value.len());
                    (FindingKind::LongTag, what)
                }
                _ => {
                    let what = format!("`{}` is no tag; one is `[Name \"value\"]`", shown(tag, 60));
                    (FindingKind::BrokenTag, what)
                }
            },
            [_, LinePart::Tag(_), ..] => {
                let what = format!("two tags on one line: `{}`", shown(content, 60));
                (FindingKind::BrokenTag, what)
            }
            _ => {
                let what = format!("text after the tag: `{}`", shown(content, 60));
                (FindingKind::BrokenTag, what)
            }
        };
        let (written, comment) = self.in_order(&parts, is_read, is_last);
        let mut edits = vec![if written.is_empty() {
            line.removed()
        } else {
            Edit::replace(line.range.start..start + content.len(), written)
        }];
        if !comment.is_empty() {
            edits.push(self.comment.holds(&comment));
        }
        findings.add(kind, start, what, edits);
    }

    /// Whether a tag that a search does not read may have this name after its repair. It must not
    /// replace another tag.
    fn is_free(&self, name: &[u8]) -> bool {
        let is_kept = self.caution != Caution::Usual && is_of_start(name);
        !self.names.contains(name) && !is_kept
    }

    /// Repairs the name of a tag without replacing another tag. Returns the description of the
    /// issue, the repaired tag, and whether the original becomes a comment.
    fn with_usual_name(&self, tag: &[u8]) -> (String, Vec<u8>, bool) {
        let (name, rest) = name_and_rest(tag);
        let joined: Vec<u8> = name.iter().copied().filter(|b| !is_blank(*b)).collect();
        let joined = without_signs(&joined).unwrap_or(&joined);
        let is_free = |name: &[u8]| is_name(name) && self.is_free(name);
        let words: Vec<&[u8]> = name.split(|b| is_blank(*b)).filter(|w| !w.is_empty()).collect();
        let tag = shown(&[b"[", &words.join(&b' ')[..], b" ", rest].concat(), 60);
        if is_known(joined) && is_free(joined) {
            let what = format!("`{tag}` is no tag; the name is `{}`", decode(joined));
            return (what, [b"[", joined, b" ", rest].concat(), false);
        }
        let what = format!("`{tag}` is no tag; a name is one word of ASCII letters");
        match words.first().filter(|first| is_free(first) && !has_signs(first)) {
            Some(first) => (what, [&b"["[..], first, b" ", rest].concat(), true),
            None => (what, Vec::new(), true),
        }
    }

    /// Whether words after the last tag are moves: if nothing follows them, or if they begin with a
    /// number and the following words do not begin with the first move again.
    fn are_moves(&self, words: &[u8]) -> bool {
        let first_number = |text: &[u8]| number_at(without_comments(text), 0);
        let rest = &self.text[self.moves..];
        match first_number(words) {
            Some(number) => first_number(rest).is_none_or(|next| next > number),
            None => !crate::parse::has_moves(rest),
        }
    }

    /// Returns the parts of a line with each tag on a line of its own, and the words that are no
    /// tags. Words after the last tag may be the moves, as words before the first tag of another
    /// game are.
    fn in_order(&self, parts: &[LinePart<'_>], is_read: bool, is_last: bool) -> (Vec<u8>, Vec<u8>) {
        let (mut written, mut comment) = (Vec::new(), Vec::new());
        for (i, part) in parts.iter().enumerate() {
            let kept = match part {
                LinePart::Words(words) => {
                    let begins_game = |part: &LinePart<'_>| matches!(part, LinePart::Tag(tag) if tag.starts_with(b"[Event \""));
                    let are_moves = || is_last && self.are_moves(words);
                    if parts.get(i + 1).map_or_else(are_moves, begins_game) {
                        let comment = match std::mem::take(&mut comment) {
                            words if words.is_empty() => words,
                            words => [b"{", &in_comment(&words)[..], b"} "].concat(),
                        };
                        let count = |sign| words.iter().filter(|b| **b == sign).count();
                        // On the line of a tag a brace opens no comment.
                        let words = if count(b'{') == count(b'}') {
                            words.to_vec()
                        } else {
                            in_comment(words)
                        };
                        written.extend([b"\n", &comment[..], &words, b"\n\n"].concat());
                        None
                    } else {
                        Some(*words)
                    }
                }
                LinePart::Tag(tag) => {
                    let is_free = |name: &[u8]| is_read && parts.len() == 1 || self.is_free(name);
                    let fits = |name: &[u8]| name.len() < VALUE_LIMIT && is_free(name);
                    // The value that a search reads of a single tag remains.
                    let read = crate::tags::read_tag(tag).filter(|_| is_read && parts.len() == 1);
                    match name_and_value(tag).filter(|(name, _)| fits(name)) {
                        Some((name, value)) => {
                            let kept = read.map_or(&value[..], |tag| tag.1);
                            let escaped = escaped(kept);
                            let is_short = read.is_none() && escaped.len() <= VALUE_LIMIT;
                            let shown = if is_short { &escaped } else { kept };
                            written.extend(self::written(&name, shown));
                            written.push(b'\n');
                            let is_whole = kept == value && value.len() <= VALUE_LIMIT;
                            (!is_whole).then_some(*tag)
                        }
                        None => Some(*tag),
                    }
                }
            };
            if let Some(words) = kept {
                comment.extend([words, b" "].concat());
            }
        }
        // The newline of the line follows.
        written.truncate(written.trim_ascii_end().len());
        (written, comment)
    }
}

/// Returns the text before the value of a tag, and the rest from its first quote on.
fn name_and_rest(tag: &[u8]) -> (&[u8], &[u8]) {
    let open = memchr::memchr(b'"', tag).unwrap_or(tag.len());
    let (name, rest) = tag.split_at(open);
    (trim(name.strip_prefix(b"[").unwrap_or(name)), rest)
}

/// Whether a tag that a search reads has a name that other programs do not read, or words after its
/// name.
fn has_odd_name(line: &[u8]) -> bool {
    let line = &line[leading_blanks(line)..];
    let name = name_and_rest(line).0;
    line.first() == Some(&b'[')
        && crate::tags::read_tag(line).is_some()
        && (!is_name(name) || has_signs(name))
}

/// Whether a word is a tag name that other programs accept.
fn is_name(word: &[u8]) -> bool {
    let is_letter = |b: &u8| b.is_ascii_alphanumeric() || b"_+#=:-".contains(b);
    word.first().is_some_and(u8::is_ascii_alphanumeric) && word.iter().all(is_letter)
}

/// Returns a FEN as other programs read it, if they do not read it as it is written: with its
/// counters as they are read, if only these are odd.
pub(super) fn usual_fen(variant: Variant, value: &[u8]) -> Option<Vec<u8>> {
    // Other variants have additional fields.
    let is_chess = matches!(variant, Variant::Standard | Variant::Chess960);
    let fields: Vec<&[u8]> =
        value.split(|b| is_blank(*b)).filter(|field| !field.is_empty()).collect();
    let is_number = |field: &&[u8]| field.len() <= 5 && field.iter().all(u8::is_ascii_digit);
    let has_usual_board = fields.len() > 2
        && is_usual_board(fields[0])
        && matches!(fields[1], b"w" | b"b")
        && is_usual_castling(fields[2])
        && fields.get(3).is_none_or(|field| crate::parse::is_en_passant(field));
    let has_usual_counters =
        fields.len() <= 4 || fields.len() <= 6 && fields[4..].iter().all(is_number);
    if !is_chess || has_usual_board && has_usual_counters {
        return None;
    }
    let start = variant.parse_fen(value).ok()?;
    let usual = if has_usual_board {
        let (halfmoves, number) = (start.position.halfmove_clock, start.position.fullmove_number);
        let counters = format!(" {halfmoves} {number}");
        [&fields[..4].join(&b' '), counters.as_bytes()].concat()
    } else {
        start.fen().into_bytes()
    };
    let is_same = variant.parse_fen(&usual).is_ok_and(|other| other == start);
    is_same.then_some(usual)
}

/// Whether a field of a FEN has eight ranks of eight squares each, with slashes between them.
fn is_usual_board(field: &[u8]) -> bool {
    let mut n_ranks = 0;
    let all = field.split(|b| *b == b'/').all(|rank| {
        n_ranks += 1;
        let squares = |b: &u8| if b.is_ascii_digit() { u32::from(b - b'0') } else { 1 };
        let are_apart = |pair: &[u8]| !pair.iter().all(u8::is_ascii_digit);
        rank.iter().map(squares).sum::<u32>() == 8 && rank.windows(2).all(are_apart)
    });
    all && n_ranks == 8
}

/// Whether a field of a FEN has castling rights of White and then of Black, at most two of each.
fn is_usual_castling(field: &[u8]) -> bool {
    let white = field.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let black = &field[white..];
    field == b"-" || white <= 2 && black.len() <= 2 && black.iter().all(u8::is_ascii_lowercase)
}

/// Divides a line into its tags and the words between them.
fn parts(line: &[u8]) -> Vec<LinePart<'_>> {
    let mut parts = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        if rest[0] == b'[' {
            let bracket = || Some(rest.iter().rposition(|b| *b == b']')? + 1);
            let end = end_of_tag(rest).or_else(bracket).unwrap_or(rest.len());
            parts.push(LinePart::Tag(&rest[..end]));
            rest = rest[end..].trim_ascii_start();
        } else {
            let tag = (0..rest.len()).find(|&at| begins_with_tag(&rest[at..]));
            let (words, tags) = rest.split_at(tag.unwrap_or(rest.len()));
            parts.push(LinePart::Words(words.trim_ascii_end()));
            rest = tags;
        }
    }
    parts
}

/// Whether a text begins with `[Name "`, where the name is a word of ASCII letters.
pub(super) fn begins_with_tag(text: &[u8]) -> bool {
    text.first() == Some(&b'[') && crate::split::looks_like_tag(text)
}

/// Returns the offset after the `"]` that ends the first tag of a line.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let open = tag.iter().position(|b| *b == b'"')?;
    let mut at = open + 1;
    while at < tag.len() {
        match tag[at] {
            b'\\' => at += 1,
            b'"' => {
                let blanks = tag[at + 1..].iter().take_while(|b| is_blank(**b)).count();
                if tag.get(at + 1 + blanks) == Some(&b']') {
                    return Some(at + 2 + blanks);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the name of a broken tag, and the rest as its value.
fn name_and_value(tag: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let tag = tag.strip_prefix(b"[")?.trim_ascii();
    let tag = match tag.iter().rposition(|b| *b == b']') {
        Some(end) => &tag[..end],
        None => tag,
    };
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let length = tag.iter().take_while(|b| is_name(b)).count();
    let (name, value) = tag.split_at(length);
    // A name cannot begin as in `[Zoë …`.
    let is_name = !name.is_empty() && value.first().is_none_or(u8::is_ascii);
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let value = value.strip_suffix(b"\"").unwrap_or(value);
    is_name.then(|| (name.to_vec(), value.to_vec()))
}

/// Returns a value with a backslash before each quote that has none.
fn escaped(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut is_escaped = false;
    for &byte in value {
        if byte == b'"' && !is_escaped {
            out.push(b'\\');
        }
        is_escaped = byte == b'\\' && !is_escaped;
        out.push(byte);
    }
    out
}

fn written(name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut cut = value.len().min(VALUE_LIMIT);
    // Do not cut within a UTF-8 character.
    while cut < value.len() && value[cut] & 0xC0 == 0x80 {
        cut -= 1;
    }
    [b"[", name, b" \"", &value[..cut], b"\"]"].concat()
}

fn examine_duplicates(
    text: &[u8],
    seen: &[(&[u8], &[u8], &Line)],
    comment: &FirstComment,
    findings: &mut Findings,
) {
    let mut last: HashMap<&[u8], (&[u8], &Line)> = HashMap::new();
    for &(name, value, line) in seen {
        let is_rating = crate::tags::rating_kind(name).is_some();
        let Some((before_value, before)) = last.get(name).copied() else {
            last.insert(name, (value, line));
            continue;
        };
        let (kept, other) =
            if is_rating { ((before_value, before), line) } else { ((value, line), before) };
        last.insert(name, kept);
        let mut edits = vec![other.removed()];
        if value != before_value {
            edits.push(comment.holds(&text[other.range.clone()]));
        }
        let equal = if value == before_value {
            format!(" with the same value `{}`", shown(value, VALUE_LIMIT))
        } else {
            String::new()
        };
        let what = format!(
            "a second {} tag{equal}, after the one on line {} of the game",
            decode(name),
            before.number
        );
        findings.add(FindingKind::DuplicateTag, line.range.start, what, edits);
    }
}

/// Returns what is wrong with a FEN in which the side that is not to move is in check: no move leads there.
pub(super) fn standing_check(variant: Variant, value: &[u8]) -> Option<String> {
    let is_chess = matches!(variant, Variant::Standard | Variant::Chess960);
    let mut position = variant.parse_fen(value).ok().filter(|_| is_chess)?.position;
    position.turn = !position.turn;
    let side = if position.turn == Color::White { "White" } else { "Black" };
    position.is_check().then(|| format!("{side} is in check, and it is not {side}'s turn"))
}

/// Returns the reason why the value of a FEN tag is no position, if it is none.
pub(super) fn fen_error(variant: Variant, value: &[u8]) -> Option<String> {
    let error = variant.parse_fen(value).err()?;
    Some(error.to_string())
}
