//! Finds bytes that do not belong into a game.

use super::finding::{Edit, Findings};
use super::kind::FindingKind;
use crate::encoding::character;
use crate::split::is_gap;

pub(super) fn examine(text: &[u8], findings: &mut Findings) {
    examine_controls(text, findings);
    examine_encoding(text, findings);
    examine_line_ends(text, first_of_game(text), findings);
}

/// Returns the offset of the first byte that is examined. White space before a game is not: it
/// belongs to the text of the first game of a file and of no other.
fn first_of_game(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_gap(byte)).unwrap_or(text.len())
}

/// Notes the control bytes.
pub(super) fn examine_controls(text: &[u8], findings: &mut Findings) {
    let first = first_of_game(text);
    let is_control =
        |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 127;
    let mut controls: Vec<usize> = positions(text, is_control);
    controls.retain(|&at| at >= first);
    if let Some(&at) = controls.first() {
        let name = match text[at] {
            0 => "a NUL byte".to_owned(),
            byte => format!("control byte {byte:02X}"),
        };
        let edits = controls.iter().map(|&at| Edit::replace(at..at + 1, " "));
        let what = name + &and_more(controls.len());
        findings.add(FindingKind::ControlByte, at, what, edits.collect::<Vec<_>>());
    }
}

/// Notes the bytes that are not UTF-8.
pub(super) fn examine_encoding(text: &[u8], findings: &mut Findings) {
    if std::str::from_utf8(text).is_ok() {
        return;
    }
    let mut edits = Vec::new();
    let mut at = 0;
    let mut is_latin = true;
    for chunk in text.utf8_chunks() {
        at += chunk.valid().len();
        for &byte in chunk.invalid() {
            is_latin &= byte >= 0xA0;
            edits.push(Edit::replace(at..at + 1, converted(byte).to_string()));
            at += 1;
        }
    }
    let Some(first) = edits.first().map(|edit| edit.range.start) else {
        return;
    };
    let encoding = if is_latin { "Latin-1" } else { "Windows-1252" };
    let byte = text[first];
    let what = format!(
        "byte {byte:02X} is no UTF-8; as {encoding} it is `{}`{}",
        converted(byte),
        and_more(edits.len())
    );
    findings.add(FindingKind::NotUtf8, first, what, edits);
}

fn converted(byte: u8) -> char {
    match byte {
        // The reader treats the no-break space as a blank.
        0xA0 => ' ',
        _ => character(byte),
    }
}

fn examine_line_ends(text: &[u8], first: usize, findings: &mut Findings) {
    let (mut alone, mut pairs, mut newlines) = (Vec::new(), Vec::new(), 0);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(at + 1) == Some(&b'\n') => pairs.push(at),
            b'\r' if at >= first && at + 1 < text.len() => alone.push(at),
            b'\n' => newlines += 1,
            _ => {}
        }
    }
    if let Some(&at) = alone.first() {
        let edits = line_breaks(text, &alone)
            .into_iter()
            .map(|(at, breaks)| Edit::replace(at..at + 1, if breaks { "\n" } else { " " }));
        let what = format!("a line ends with CR alone{}", and_more(alone.len()));
        findings.add(FindingKind::LoneCarriageReturn, at, what, edits.collect::<Vec<_>>());
    } else if !pairs.is_empty() && pairs.len() < newlines {
        let edits = pairs.iter().map(|&at| Edit::remove(at..at + 1));
        let what = format!("{} of {newlines} lines end with CR and LF", pairs.len());
        findings.add(FindingKind::MixedLineEnds, pairs[0], what, edits.collect::<Vec<_>>());
    }
}

/// Pairs each of these CRs with whether it should become a line end. A line end within a tag would
/// break the tag, and one after `;` or `%` would end the remark too early; a search treats both as
/// blanks.
fn line_breaks(text: &[u8], returns: &[usize]) -> Vec<(usize, bool)> {
    let (mut line, mut looked_at, mut hides) = (0, 0, false);
    let mut all = Vec::with_capacity(returns.len());
    for &at in returns {
        for (place, byte) in text[looked_at..at].iter().enumerate() {
            match byte {
                b'\n' => (line, hides) = (looked_at + place + 1, false),
                b';' | b'%' => hides = true,
                _ => {}
            }
        }
        looked_at = at;
        let is_tag = text[line..at].first() == Some(&b'[');
        let ends_tag = text[..at].last() == Some(&b']') || text.get(at + 1) == Some(&b'[');
        let breaks = !hides && (!is_tag || ends_tag);
        if breaks {
            line = at + 1;
        }
        all.push((at, breaks));
    }
    all
}

/// Notes the braces within comments, with the characters that the reader puts in their place.
pub(super) fn examine_braces(text: &[u8], clean: &[u8], findings: &mut Findings) {
    if text == clean {
        return;
    }
    let braces = text.iter().zip(clean).enumerate();
    let braces: Vec<usize> = braces
        .filter(|(_, (byte, clean))| byte != clean && matches!(byte, b'{' | b'}'))
        .map(|(at, _)| at)
        .collect();
    if let Some(&at) = braces.first() {
        let edits = braces.iter().map(|&at| {
            let sign = if text[at] == b'{' { "(" } else { ")" };
            Edit::replace(at..at + 1, sign)
        });
        let what = format!("a brace within a comment{}", and_more(braces.len()));
        findings.add(FindingKind::NestedComment, at, what, edits.collect::<Vec<_>>());
    }
}

fn positions(text: &[u8], is_it: impl Fn(u8) -> bool) -> Vec<usize> {
    let found = text.iter().enumerate().filter(|(_, byte)| is_it(**byte));
    found.map(|(at, _)| at).collect()
}

/// Returns the suffix of a description that stands for several findings of its kind.
pub(super) fn and_more(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        _ => format!(" ({count} times in this game)"),
    }
}
