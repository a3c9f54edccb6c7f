//! Removes proposed edits whose text is a condition that is always met.

use syntax::diagnostic::Edit;
use syntax::lint::lint;
use syntax::parse::Parsed;
use syntax::{Diagnostic, Severity};

/// Codes of the warnings of conditions that are always met.
const ALWAYS_MET: [&str; 2] = ["W0403", "W0405"];

/// Removes the edit of the only error if its text is always met, such as that of `movenumber` for `movenum`:
/// the help stays. `after` is the tree after the edit, `texts` are the query and the filters before
/// it.
pub(super) fn remove_always_met(diagnostics: &mut [Diagnostic], after: &Parsed, texts: &[&[u8]]) {
    let is_error = |d: &&mut Diagnostic| d.severity == Severity::Error;
    if let Some(error) = diagnostics.iter_mut().find(is_error)
        && error.edit.as_ref().is_some_and(|edit| is_always_met(edit, after, texts))
    {
        error.edit = None;
    }
}

fn is_always_met(edit: &Edit, after: &Parsed, texts: &[&[u8]]) -> bool {
    let place = usize::from(edit.span.source.0);
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    let text = texts.get(place);
    let Some((before, rest)) = text.and_then(|text| Some((text.get(..start)?, text.get(end..)?)))
    else {
        return false;
    };
    let edited = [before, edit.text.as_bytes(), rest].concat();
    let mut texts = texts.to_vec();
    texts[place] = &edited;
    lint(&texts, &[], &after.query, &[], None).iter().any(|warning| {
        ALWAYS_MET.contains(&warning.code)
            && warning.span.source == edit.span.source
            && warning.span.start as usize >= start
            && warning.span.end as usize <= start + edit.text.len()
    })
}
