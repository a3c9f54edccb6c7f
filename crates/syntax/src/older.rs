//! Translates the parts of older queries that have a translation, finds warnings there, and splits
//! their texts into tokens.

use crate::diagnostic::{Diagnostic, Edit};
use crate::dialect::Dialect;
use crate::lint::lint;
use crate::migrate::{Translation, migrate};
use crate::parse::{ParseOptions, Source, parse};
use crate::span::Span;
use crate::steps::keep;
use crate::{classic, cql5};

/// Signs of CQL 6 that no older dialect has.
const NEW_SIGNS: [char; 7] = ['=', '<', '>', '#', '&', '|', '~'];

/// Translates a query in an older dialect without errors as far as it has a translation. Returns
/// the translation, and the spans of the conditions that are missing from it.
pub fn translate(text: &[u8], dialect: Dialect) -> Option<(Translation, Vec<Span>)> {
    if let Ok(translation) = migrate(text, dialect) {
        return Some((translation, Vec::new()));
    }
    let (rest, dropped) = keep(text, dialect, |one| migrate(one, dialect).is_ok())?;
    Some((migrate(&rest, dialect).ok()?, dropped))
}

/// Returns the spans of the tokens of a text in an older dialect.
pub fn tokens(text: &[u8], dialect: Dialect) -> Vec<Span> {
    match dialect {
        Dialect::Classic => classic::tokens(text),
        _ => cql5::tokens(text),
    }
}

/// Returns warnings for a query in an older dialect without errors.
pub fn lint_older(text: &[u8], dialect: Dialect) -> Vec<Diagnostic> {
    let Some((translation, dropped)) = translate(text, dialect) else {
        return Vec::new();
    };
    let source = Source { name: "", text: &translation.text };
    let query = parse(&source, &[], &ParseOptions::default()).query;
    let found = lint(&[&translation.text], &[], &query, &[], None).into_iter();
    let found = found.filter_map(|warning| {
        let note = |(span, text): (Span, String)| Some((translation.original(span)?, text));
        let edit = warning.edit.and_then(|edit| original_edit(&edit, text, &translation));
        // older dialects have none of these signs
        let is_new = |help: &String| help.contains("--") || help.contains(NEW_SIGNS);
        Some(Diagnostic {
            span: translation.original(warning.span)?,
            notes: warning.notes.into_iter().filter_map(note).collect(),
            help: warning.help.filter(|help| edit.is_some() || !is_new(help)),
            edit,
            ..warning
        })
    });
    // the translation has other text in these places
    let is_dropped = |span: Span| dropped.iter().any(|dropped| dropped.contains(span));
    found.filter(|warning| !is_dropped(warning.span)).collect()
}

/// Returns an edit as one of the original, if the text around it is the same there.
fn original_edit(edit: &Edit, text: &[u8], translation: &Translation) -> Option<Box<Edit>> {
    let (place, original) = translation.place(edit.span)?;
    let bytes = |span: Span| span.start as usize..span.end as usize;
    let is_same = translation.text.get(bytes(place)) == text.get(bytes(original));
    let start = original.start + (edit.span.start - place.start);
    let span = Span { start, end: start + (edit.span.end - edit.span.start), ..original };
    is_same.then(|| Box::new(Edit { span, text: edit.text.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the warnings: their codes, the texts of their spans and notes, and of the text
    /// after the edit.
    fn check(dialect: Dialect, query: &str, expected: &[&str]) {
        let slice = |span: Span| &query[span.start as usize..span.end as usize];
        let found = lint_older(query.as_bytes(), dialect).into_iter().map(|warning| {
            let mut shown = format!("{}: {}", warning.code, slice(warning.span));
            for (span, _) in &warning.notes {
                shown += &format!(" / {}", slice(*span));
            }
            if let Some(Edit { span, text }) = warning.edit.as_deref() {
                let (before, behind) = (&query[..span.start as usize], &query[span.end as usize..]);
                shown += &format!(" => {before}{text}{behind}");
            }
            shown
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{query}");
    }

    #[test]
    fn warnings_stand_in_the_original() {
        let cql5 = Dialect::Cql5;
        check(cql5, "cql() attack (R k) wtm btm", &["W0402: btm / wtm"]);
        check(cql5, "cql() {attack (Pa8 k) mate}", &["W0407: Pa8"]);
        check(cql5, "cql() next (mate countsquares 0 64 A)", &["W0403: countsquares 0 64 A"]);
        check(
            cql5,
            "cql(player \"Carlsen,M\") any on R",
            &["W0417: player \"Carlsen,M\" => cql(player \"Carlsen, M\") any on R"],
        );
        check(cql5, "cql() relation (mismatch 2) next* mate", &[]);
        let classic = Dialect::Classic;
        check(classic, "(match (position Ra1 :wtm :mate :btm))", &["W0402: :btm / :wtm"]);
        check(classic, "(position :or ((position Pa1) (position :mate)))", &["W0407: Pa1"]);
        check(classic, "(match (position Ra1 kb2 :shift :relation ()))", &[]);
    }

    #[test]
    fn helps_have_no_signs_of_cql_6() {
        let helps = |query: &str| -> Vec<Option<String>> {
            let found = lint_older(query.as_bytes(), Dialect::Cql5).into_iter();
            found.map(|warning| warning.help).collect()
        };
        assert_eq!(helps("cql() Pa1 next* mate"), [None]);
        let either = "filters beside each other must all match; `or` takes either";
        assert_eq!(helps("cql() next* mate wtm btm"), [Some(either.to_owned())]);
    }

    #[test]
    fn conditions_with_a_translation_are_checked() {
        let query = "cql() Pa1 flip 2 3 Ka1 countsquares 0 64 A";
        check(Dialect::Cql5, query, &["W0407: Pa1", "W0403: countsquares 0 64 A"]);
        check(Dialect::Cql5, "cql() wtm sort \"n\" power 1 2 A btm", &["W0402: btm / wtm"]);
        check(Dialect::Cql5, "cql() origin $x", &[]);
        check(Dialect::Classic, "(match (position Pa1 :shiftdiagonal Kb1))", &[]);
        let query = "(match (position Pa1 :attackcount R k 2 3))";
        check(Dialect::Classic, query, &["W0407: Pa1"]);
    }
}
