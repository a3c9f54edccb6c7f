//! Tags that are not read as they stand.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{Edit, FindingKind, Findings, fen_error};
use crate::bytes::is_blank;
use crate::encoding::{decode, shown};
use crate::tags::TextTags;
use crate::values::GameResult;
use crate::variant::Variant;

/// Longest value of a tag that is read.
const VALUE_LIMIT: usize = 252;

/// A line of the tag section.
struct Line {
    range: Range<usize>,
    /// Behind its newline.
    next: usize,
}

impl Line {
    fn removed(&self) -> Edit {
        Edit::remove(self.range.start..self.next)
    }
}

pub(super) fn examine(tags: TextTags<'_>, variant: Variant, findings: &mut Findings) {
    let text = tags.text();
    let (start, end) = (tags.preface().len(), tags.moves_start());
    if text.get(start) != Some(&b'[') && !text[start..end].contains(&b'[') {
        let result = GameResult::default();
        let names = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        let section: String = names
            .iter()
            .map(|&name| {
                let value = match name {
                    "Date" => "????.??.??",
                    "Result" => result.as_str(),
                    _ => "?",
                };
                format!("[{name} \"{value}\"]\n")
            })
            .collect();
        let edit = Edit::insert(0, section + "\n");
        findings.add(FindingKind::MissingTags, 0, "there are no tags", [edit]);
        return;
    }
    let lines = lines_of(text, start..end);
    let is_tag = |line: &Line| first_byte(&text[line.range.clone()]) == Some(b'[');
    let last_tag = lines.iter().rposition(is_tag).unwrap_or(0);
    let read = |line: &Line| {
        let content = &text[line.range.clone()];
        crate::tags::read_tag(&content[leading_blanks(content)..])
    };
    let names: HashSet<&[u8]> = lines
        .iter()
        .filter(|line| is_tag(line))
        .filter_map(|line| Some(read(line)?.0))
        .collect();
    let mut seen: Vec<(&[u8], &Line)> = Vec::new();
    for (i, line) in lines.iter().enumerate().take(last_tag + 1) {
        let content = &text[line.range.clone()];
        if content.iter().all(|&b| is_blank(b)) {
            let what = "a blank line between tags";
            findings.add(
                FindingKind::BlankLineInTags,
                line.range.start,
                what,
                [line.removed()],
            );
        } else if is_tag(line) {
            examine_line(content, line, i == last_tag, &names, findings);
            if let Some(tag) = read(line) {
                seen.push((tag.0, line));
                if tag.0 == b"FEN"
                    && let Some(error) = fen_error(variant, tag.1)
                {
                    let at = line.range.start;
                    findings.add(FindingKind::BadFen, at, error, [line.removed()]);
                }
            }
        }
    }
    examine_duplicates(text, &seen, findings);
    let Some(last) = lines.get(last_tag) else {
        return;
    };
    let behind = &text[last.next.min(text.len())..];
    let next_line = &behind[..behind
        .iter()
        .position(|b| *b == b'\n')
        .unwrap_or(behind.len())];
    if !behind.is_empty() && !next_line.iter().all(|&b| is_blank(b)) {
        let what = "the moves begin on the line behind the tags";
        let edit = Edit::insert(last.next, "\n");
        findings.add(FindingKind::NoBlankLine, last.next, what, [edit]);
    }
}

/// The Result tag beside the result that is read.
pub(super) fn examine_result(tags: TextTags<'_>, result: GameResult, findings: &mut Findings) {
    let Some(value) = tags.raw(b"Result") else {
        return;
    };
    if value == result.as_str().as_bytes() {
        return;
    }
    let text = tags.text();
    let at = value.as_ptr() as usize - text.as_ptr() as usize;
    let value_shown = decode(value);
    let what = format!("the Result tag says `{value_shown}`, the result is `{result}`");
    let edit = Edit::replace(at..at + value.len(), result.as_str());
    findings.add(FindingKind::ResultTag, at, what, [edit]);
}

fn lines_of(text: &[u8], range: Range<usize>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = range.start;
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
        });
        at = next;
    }
    lines
}

fn leading_blanks(line: &[u8]) -> usize {
    line.iter()
        .position(|&b| !is_blank(b) && b != b'.')
        .unwrap_or(line.len())
}

fn first_byte(line: &[u8]) -> Option<u8> {
    line.get(leading_blanks(line)).copied()
}

/// A line that begins with `[`. `names` are those of the tags that are read.
fn examine_line(
    content: &[u8],
    line: &Line,
    is_last: bool,
    names: &HashSet<&[u8]>,
    findings: &mut Findings,
) {
    let start = line.range.start + leading_blanks(content);
    let tag = content[leading_blanks(content)..].trim_ascii_end();
    let range = start..start + tag.len();
    let show = || shown(tag, 60);
    let is_read = crate::tags::read_tag(tag).is_some();
    // A tag that is not read must not take the place of one that is.
    let inside = |tag: &[u8]| -> Option<(Vec<u8>, Vec<u8>)> {
        name_and_value(tag).filter(|(name, _)| is_read || !names.contains(name.as_slice()))
    };
    if !tag.contains(&b']') {
        let edit = match inside(tag) {
            Some((name, value)) => Edit::replace(range, written(&name, &value)),
            None => line.removed(),
        };
        let what = format!("`{}` has no `]`", show());
        findings.add(FindingKind::UnclosedTag, start, what, [edit]);
        return;
    }
    // `[A "x"][B "y"]` and `[A "x"] text`
    if let Some(end) = end_of_tag(tag)
        && end < tag.len()
    {
        let rest = start + end;
        let blanks = tag[end..].iter().take_while(|b| is_blank(**b)).count();
        let (what, edit) = if tag[end + blanks..].starts_with(b"[") {
            let what = format!("two tags on one line: `{}`", show());
            (what, Edit::replace(rest..rest + blanks, "\n"))
        } else if is_last {
            let what = format!("text behind the tag: `{}`", show());
            (what, Edit::replace(rest..rest + blanks, "\n\n"))
        } else {
            let what = format!("text behind the tag: `{}`", show());
            (what, Edit::remove(rest..range.end))
        };
        findings.add(FindingKind::BrokenTag, start, what, [edit]);
        return;
    }
    if is_read && tag.ends_with(b"\"]") {
        return;
    }
    match inside(tag) {
        Some((name, value)) if value.len() > VALUE_LIMIT && name.len() < VALUE_LIMIT => {
            let what = format!("a value of {} bytes, {VALUE_LIMIT} are read", value.len());
            let edit = Edit::replace(range, written(&name, &value));
            findings.add(FindingKind::LongTag, start, what, [edit]);
        }
        found => {
            let edit = match found {
                Some((name, value)) if name.len() < VALUE_LIMIT => {
                    Edit::replace(range, written(&name, &value))
                }
                _ => line.removed(),
            };
            let what = format!("`{}` is no tag; one is `[Name \"value\"]`", show());
            findings.add(FindingKind::BrokenTag, start, what, [edit]);
        }
    }
}

/// Behind the `"]` that ends the first tag of a line.
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

/// The name of a broken tag and the rest as its value.
fn name_and_value(tag: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let tag = tag.strip_prefix(b"[")?.trim_ascii();
    let tag = match tag.iter().rposition(|b| *b == b']') {
        Some(end) => &tag[..end],
        None => tag,
    };
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let length = tag.iter().take_while(|b| is_name(b)).count();
    let (name, value) = tag.split_at(length);
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let value = value.strip_suffix(b"\"").unwrap_or(value);
    (!name.is_empty()).then(|| (name.to_vec(), value.to_vec()))
}

fn written(name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut cut = value.len().min(VALUE_LIMIT);
    // Not within a character of UTF-8.
    while cut < value.len() && value[cut] & 0xC0 == 0x80 {
        cut -= 1;
    }
    [b"[", name, b" \"", &value[..cut], b"\"]"].concat()
}

fn examine_duplicates(text: &[u8], seen: &[(&[u8], &Line)], findings: &mut Findings) {
    let mut last: HashMap<&[u8], &Line> = HashMap::new();
    for &(name, line) in seen {
        let Some(before) = last.insert(name, line) else {
            continue;
        };
        if findings.is_full() {
            break;
        }
        let is_rating = crate::tags::rating_kind(name).is_some();
        let other = if is_rating { line } else { before };
        let name = decode(name);
        let number = text[..before.range.start].iter().filter(|b| **b == b'\n');
        let what = format!(
            "a second {name} tag, after the one on line {} of the game",
            number.count() + 1
        );
        findings.add(
            FindingKind::DuplicateTag,
            line.range.start,
            what,
            [other.removed()],
        );
    }
}
