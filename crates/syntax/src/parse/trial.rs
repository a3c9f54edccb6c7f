//! Tries the proposed edits, and removes those that do not improve the text.

use std::sync::Arc;

use super::attempt::{Attempt, attempt};
use super::error::code;
use super::mend::UNASSIGNED;
use super::parsed::{ParseOptions, Parsed};
use crate::diagnostic::{Diagnostic, Edit, Severity};
use crate::lex::delimiters;
use crate::span::Span;

/// Maximum number of edits that are tried.
const MOST: usize = 20;

/// Maximum number of bytes that are parsed for this; edits that are not tried are removed.
const MOST_WORK: usize = 1_000_000;

/// Removes the edits of errors after which there are as many errors as before. Since a name is
/// reported only once, and one that is unknown may hide another, an edit also helps if the next of them
/// is reported instead.
pub(super) fn keep_what_helps(
    first: &mut Attempt,
    texts: &[&[u8]],
    n_in_front: usize,
    options: &ParseOptions,
) {
    let mut n_left = MOST.min(MOST_WORK / (first.work + 1));
    join(&mut first.parsed.diagnostics, texts);
    let n_errors = errors(&first.parsed.diagnostics).count();
    let told: Vec<String> = errors(&first.parsed.diagnostics).map(|d| d.message.clone()).collect();
    let mut mended = None;
    let mut others = Vec::new();
    let mut whole = None;
    for diagnostic in &mut first.parsed.diagnostics {
        let Some(edit) = &diagnostic.edit else {
            continue;
        };
        if diagnostic.severity != Severity::Error {
            continue;
        }
        let after = match n_left {
            0 => None,
            _ => with(edit, texts, n_in_front, options),
        };
        n_left = n_left.saturating_sub(1);
        // A bracket too many makes errors of the text after it: they are not shown.
        if let Some(after) = after.as_ref().filter(|_| n_errors == 1)
            && !after.is_ok()
            && diagnostic.code != delimiters::CODE
        {
            let is_name = diagnostic.code == code::UNKNOWN_NAME;
            let found = others_after(edit, after, texts, n_in_front, options);
            let is_known = |others: &Vec<Diagnostic>| others.iter().all(|d| d.edit.is_some());
            others = found.filter(|others| is_name || is_known(others)).unwrap_or_default();
            if !others.is_empty() {
                break;
            }
        }
        let after = after.filter(|after| {
            let n_after = errors(&after.diagnostics).count();
            n_after < n_errors
                || n_after == n_errors && goes_on(diagnostic, edit, &after.diagnostics, &told)
        });
        match after {
            Some(after) if n_errors == 1 => mended = Some(Arc::new(after)),
            Some(after) if after.is_ok() => whole = Some((**edit).clone()),
            Some(_) => {}
            None => take_back(diagnostic),
        }
    }
    // An error within the edit of another one is not told as well: `white = 'Carlsen'`.
    let is_other = |d: &Diagnostic, edit: &Edit| d.edit.as_deref().is_none_or(|own| own != edit);
    if let Some(edit) = whole
        && errors(&first.parsed.diagnostics)
            .all(|d| !is_other(d, &edit) || contains(edit.span, d.span))
    {
        let diagnostics = &mut first.parsed.diagnostics;
        diagnostics.retain(|d| d.severity != Severity::Error || !is_other(d, &edit));
    }
    first.parsed.mended = mended;
    first.parsed.diagnostics.append(&mut others);
    if n_errors > 1 && n_left > 0 {
        keep_what_is_whole(&mut first.parsed.diagnostics, texts, n_in_front, options);
    }
}

/// Codes of texts in other quotes, and of dates without any.
const TEXTS: [&str; 2] = ["E0004", "E0018"];

/// Joins the edits of texts in other quotes to those that stand around or before them, so that one edit does
/// both: `player = 'Tal'`.
fn join(diagnostics: &mut [Diagnostic], texts: &[&[u8]]) {
    let of_texts = errors(diagnostics).filter(|d| TEXTS.contains(&d.code));
    let of_texts: Vec<Edit> = of_texts.filter_map(|d| d.edit.as_deref().cloned()).collect();
    let is_other = |d: &&mut Diagnostic| {
        d.severity == Severity::Error && !TEXTS.contains(&d.code) && d.edit.is_some()
    };
    for Diagnostic { edit, help, .. } in diagnostics.iter_mut().filter(is_other) {
        let Some(edit) = edit else {
            continue;
        };
        for inner in of_texts.iter().filter(|inner| inner.span.source == edit.span.source) {
            let source = texts.get(usize::from(inner.span.source.0));
            let text = |from: u32, to: u32| {
                let text = source?.get(from as usize..to as usize)?;
                std::str::from_utf8(text).ok()
            };
            let Some(written) = text(inner.span.start, inner.span.end) else {
                continue;
            };
            let mended = |text: &str| {
                if text.contains(&inner.text) {
                    text.to_owned()
                } else {
                    text.replace(written, &inner.text)
                }
            };
            if contains(edit.span, inner.span) {
                edit.text = mended(&edit.text);
            } else if let Some(gap) = text(edit.span.end, inner.span.start)
                && gap.bytes().all(|byte| byte == b' ')
            {
                edit.text += &format!("{gap}{}", inner.text);
                edit.span.end = inner.span.end;
            } else {
                continue;
            }
            *help = help.as_deref().map(mended);
        }
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

/// Maximum number of errors that are found one after the other.
const MOST_OTHERS: usize = 5;

/// Returns the errors that show after the edit of the only error, if each has an edit and the last
/// of them leaves none, as in `WhiteElo >= 2500 and BlackElo >= 2500`. An unknown name without an
/// edit may be the last of them: `maet and zork`.
fn others_after(
    edit: &Edit,
    after: &Parsed,
    texts: &[&[u8]],
    n_in_front: usize,
    options: &ParseOptions,
) -> Option<Vec<Diagnostic>> {
    let source = edit.span.source;
    let place = usize::from(source.0);
    let mut text = edited(edit, texts.get(place)?)?;
    let mut edit = edit.clone();
    let mut found = after.diagnostics.clone();
    let (mut others, mut n_removed, mut n_added) = (Vec::new(), 0, 0);
    while others.len() < MOST_OTHERS {
        n_removed += edit.span.end - edit.span.start;
        n_added += edit.text.len() as u32;
        let end = edit.span.start + edit.text.len() as u32;
        let mut all: Vec<&Diagnostic> = errors(&found).collect();
        let Some(next) = all.pop() else {
            return Some(others);
        };
        let mut other = next.clone();
        let is_behind = |span: Span| span.source == source && span.start >= end;
        if !all.is_empty() || !is_behind(other.span) {
            return None;
        }
        // The place in the text before all edits.
        let before = |at: u32| at.checked_add(n_removed)?.checked_sub(n_added);
        let moved =
            |span: Span| Some(Span { start: before(span.start)?, end: before(span.end)?, ..span });
        other.notes.clear();
        other.span = moved(other.span)?;
        let Some(next_edit) = &next.edit else {
            let is_name = other.code == code::UNKNOWN_NAME;
            others.push(other);
            return is_name.then_some(others);
        };
        edit = (**next_edit).clone();
        if !is_behind(edit.span) {
            return None;
        }
        other.edit = Some(Box::new(Edit { span: moved(edit.span)?, text: edit.text.clone() }));
        others.push(other);
        text = edited(&edit, &text)?;
        found = with_text(&text, place, texts, n_in_front, options)?.diagnostics;
    }
    None
}

/// Removes edits of words of others, unless the query has no errors after all edits: `white castled long and black castled short`
/// is more than its castling.
fn keep_what_is_whole(
    diagnostics: &mut [Diagnostic],
    texts: &[&[u8]],
    n_in_front: usize,
    options: &ParseOptions,
) {
    let is_word = |d: &Diagnostic| {
        let is_guess = d.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
        d.code == code::UNKNOWN_NAME && d.edit.is_some() && !is_guess
    };
    if !diagnostics.iter().any(is_word) {
        return;
    }
    let mut edits: Vec<&Edit> = errors(diagnostics).filter_map(|d| d.edit.as_deref()).collect();
    edits.sort_by_cached_key(|edit| edit.span.beginning());
    let mut mended: Vec<Vec<u8>> = texts.iter().map(|text| text.to_vec()).collect();
    for edit in edits.iter().rev() {
        let text = mended.get_mut(usize::from(edit.span.source.0));
        if let Some(text) = text
            && let Some(after) = edited(edit, text)
        {
            *text = after;
        }
    }
    let mended: Vec<&[u8]> = mended.iter().map(Vec::as_slice).collect();
    let after = attempt(&mended, n_in_front, options).parsed.diagnostics;
    // A name is reported once, and then its next use.
    let is_answered = |error: &Diagnostic| {
        let is_next = |d: &Diagnostic| (d.code, &d.message) == (error.code, &error.message);
        errors(diagnostics).any(|d| is_next(d) && d.edit.is_some())
    };
    if !errors(&after).all(is_answered) {
        diagnostics.iter_mut().filter(|d| is_word(d)).for_each(|d| d.edit = None);
    }
}

/// Returns a text after an edit.
fn edited(edit: &Edit, text: &[u8]) -> Option<Vec<u8>> {
    let before = text.get(..edit.span.start as usize)?;
    let after = text.get(edit.span.end as usize..)?;
    Some([before, edit.text.as_bytes(), after].concat())
}

fn errors(diagnostics: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
    diagnostics.iter().filter(is_error)
}

/// Parses the texts after an edit.
fn with(edit: &Edit, texts: &[&[u8]], n_in_front: usize, options: &ParseOptions) -> Option<Parsed> {
    let place = usize::from(edit.span.source.0);
    let mended = edited(edit, texts.get(place)?)?;
    with_text(&mended, place, texts, n_in_front, options)
}

/// Parses the texts with another one in a place.
fn with_text(
    text: &[u8],
    place: usize,
    texts: &[&[u8]],
    n_in_front: usize,
    options: &ParseOptions,
) -> Option<Parsed> {
    let mut texts = texts.to_vec();
    *texts.get_mut(place)? = text;
    Some(attempt(&texts, n_in_front, options).parsed)
}

/// Whether the same error, or one of its kind that was not told, is reported at a location after the
/// edit.
fn goes_on(diagnostic: &Diagnostic, edit: &Edit, after: &[Diagnostic], told: &[String]) -> bool {
    let end = edit.span.start as usize + edit.text.len();
    errors(after).any(|d| {
        let is_hidden = !told.contains(&d.message);
        d.code == diagnostic.code
            && (d.message == diagnostic.message || is_hidden)
            && d.span.source == edit.span.source
            && d.span.start as usize >= end
    })
}

/// Removes the edit of an error, and the help that describes it.
pub fn take_back(diagnostic: &mut Diagnostic) {
    diagnostic.edit = None;
    let is_guess = |help: &str| help.starts_with("did you mean");
    if diagnostic.help.as_deref().is_some_and(is_guess) {
        let is_name = diagnostic.code == code::UNKNOWN_NAME;
        diagnostic.help = is_name.then(|| UNASSIGNED.to_owned());
    }
}
