//! Code actions: edits that the user can apply with one key.

use syntax::convert::Characters;
use syntax::diagnostic::Edit;
use syntax::format::{FormatError, format, format_filters};
use syntax::migrate::migrate;
use syntax::{Diagnostic, Dialect, SourceId, Span, convert};

use crate::Document;

/// Purpose of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Fixes an error or a warning.
    QuickFix,
    /// Rewrites the text without changing its meaning.
    Rewrite,
    /// Applies all quick fixes.
    FixAll,
}

/// An offer to change the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Title that describes the change.
    pub title: String,
    /// Purpose of the action.
    pub kind: ActionKind,
    /// The diagnostic that it fixes, as an index into [`Document::diagnostics`].
    pub mends: Option<usize>,
    /// The changes; they do not overlap.
    pub edits: Vec<Edit>,
}

impl Document {
    /// Returns the actions for a range of the text and for the whole text.
    pub fn actions(&self, within: Span) -> Vec<Action> {
        let mut actions = self.fixes(within);
        actions.extend(self.rewrites());
        actions
    }

    /// Returns the quick fixes for diagnostics in a range.
    pub fn fixes(&self, within: Span) -> Vec<Action> {
        let all = self.diagnostics();
        let is_within = |d: &Diagnostic| d.span.start <= within.end && within.start <= d.span.end;
        let found = all.iter().enumerate().filter(|(_, d)| is_within(d));
        let mut actions: Vec<Action> = found
            .filter_map(|(index, diagnostic)| {
                let edit = diagnostic.edit.as_deref()?;
                Some(Action {
                    title: self.title(diagnostic, edit),
                    kind: ActionKind::QuickFix,
                    mends: Some(index),
                    edits: vec![edit.clone()],
                })
            })
            .collect();
        let edits = separate(all.iter().filter_map(|d| d.edit.as_deref()));
        if edits.len() > 1 {
            actions.push(Action {
                title: format!("Make all {} changes that are proposed", edits.len()),
                kind: ActionKind::FixAll,
                mends: None,
                edits,
            });
        }
        actions
    }

    fn title(&self, diagnostic: &Diagnostic, edit: &Edit) -> String {
        let old = self.slice(edit.span);
        match &diagnostic.help {
            Some(help) => help.clone(),
            None if edit.text.is_empty() => format!("remove `{old}`"),
            None if old.is_empty() => format!("insert `{}`", edit.text),
            None => format!("write `{}`", edit.text),
        }
    }

    /// Returns the text in other spellings, or a translation from an older dialect.
    fn rewrites(&self) -> Vec<Action> {
        let text = self.text().as_bytes();
        let spelled = |characters| convert::respelled(text, self.lexed(), characters);
        let offers = match self.dialect() {
            Dialect::Cql6 => vec![
                ("Write in ASCII", spelled(Characters::Ascii)),
                ("Write in Unicode", spelled(Characters::Unicode)),
            ],
            dialect => vec![(
                "Translate into CQL 6.2",
                migrate(text, dialect).ok().map(|found| found.text),
            )],
        };
        let offers = offers.into_iter().filter_map(|(title, new)| {
            let new = String::from_utf8(new?).ok()?;
            let edits = vec![self.change_to(&new)?];
            Some(Action { title: title.to_owned(), kind: ActionKind::Rewrite, mends: None, edits })
        });
        offers.collect()
    }

    /// Returns the edit that formats the text; `None` if it is formatted already.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be formatted.
    pub fn format(&self) -> Result<Option<Edit>, FormatError> {
        let text = self.text().as_bytes();
        let formatted = match self.all_filters() {
            Some(filters) => format_filters(text, self.lexed(), &filters)?,
            // Reports the reason, unless variations are all that is wrong.
            None => format(text)?,
        };
        let formatted = String::from_utf8_lossy(&formatted);
        Ok(self.change_to(&formatted))
    }

    /// Returns the edit that turns the text into another one, without the lines that both begin and
    /// end with.
    fn change_to(&self, new: &str) -> Option<Edit> {
        let old = self.text();
        if old == new {
            return None;
        }
        let n_same = |a: &mut dyn Iterator<Item = &str>, b: &mut dyn Iterator<Item = &str>| {
            let pairs = a.zip(b).take_while(|(a, b)| a == b);
            pairs.map(|(line, _)| line.len()).sum::<usize>()
        };
        let start = n_same(&mut old.split_inclusive('\n'), &mut new.split_inclusive('\n'));
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let end = n_same(
            &mut old_rest.split_inclusive('\n').rev(),
            &mut new_rest.split_inclusive('\n').rev(),
        );
        Some(Edit {
            span: Span::new(SourceId(0), start, old.len() - end),
            text: new_rest[..new_rest.len() - end].to_owned(),
        })
    }
}

/// Returns edits that do not overlap or touch each other; of those that do, the first is kept.
fn separate<'e>(edits: impl Iterator<Item = &'e Edit>) -> Vec<Edit> {
    let mut edits: Vec<&Edit> = edits.filter(|e| e.span.source == SourceId(0)).collect();
    edits.sort_by_cached_key(|edit| edit.span);
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        if kept.last().is_none_or(|last| last.span.end < edit.span.start) {
            kept.push(edit.clone());
        }
    }
    kept
}
