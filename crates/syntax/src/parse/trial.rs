//! Tries the proposed edits, and removes those that do not improve the text.

use std::sync::Arc;

use super::attempt::{Attempt, attempt};
use super::error::code;
use super::mend::UNASSIGNED;
use super::parsed::{ParseOptions, Parsed};
use crate::diagnostic::{Diagnostic, Edit, Severity};

/// Maximum number of edits that are tried.
const MOST: usize = 20;

/// Maximum number of bytes that are parsed for this; edits that are not tried are removed.
const MOST_WORK: usize = 1_000_000;

/// Removes the edits of errors after which there are as many errors as before. Since a name is
/// reported only once, an edit also helps if the next occurrence of the name is reported instead.
pub(super) fn keep_what_helps(
    first: &mut Attempt,
    texts: &[&[u8]],
    n_in_front: usize,
    options: &ParseOptions,
) {
    let mut n_left = MOST.min(MOST_WORK / (first.work + 1));
    let n_errors = errors(&first.parsed.diagnostics).count();
    let mut mended = None;
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
        let after = after.filter(|after| {
            let n_after = errors(&after.diagnostics).count();
            n_after < n_errors
                || n_after == n_errors && goes_on(diagnostic, edit, &after.diagnostics)
        });
        match after {
            Some(after) if n_errors == 1 => mended = Some(Arc::new(after)),
            Some(_) => {}
            None => take_back(diagnostic),
        }
    }
    first.parsed.mended = mended;
}

fn errors(diagnostics: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
    diagnostics.iter().filter(is_error)
}

/// Parses the texts after an edit.
fn with(edit: &Edit, texts: &[&[u8]], n_in_front: usize, options: &ParseOptions) -> Option<Parsed> {
    let place = usize::from(edit.span.source.0);
    let text = *texts.get(place)?;
    let before = text.get(..edit.span.start as usize)?;
    let after = text.get(edit.span.end as usize..)?;
    let mended = [before, edit.text.as_bytes(), after].concat();
    let mut texts = texts.to_vec();
    *texts.get_mut(place)? = &mended;
    Some(attempt(&texts, n_in_front, options).parsed)
}

/// Whether the same error is reported at a location after the edit.
fn goes_on(diagnostic: &Diagnostic, edit: &Edit, after: &[Diagnostic]) -> bool {
    let end = edit.span.start as usize + edit.text.len();
    errors(after).any(|d| {
        (d.code, &d.message) == (diagnostic.code, &diagnostic.message)
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
