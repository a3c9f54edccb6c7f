//! Checks the names of openings in a query.

use openings::Openings;
use syntax::Diagnostic;
use syntax::builtin::{Nullary, PositionText};
use syntax::diagnostic::Edit;
use syntax::lint::{place_of_literal, text_of};
use syntax::parse::UNASSIGNED;
use syntax::tree::{Filter, FilterKind, Query};

/// Minimum number of letters of a name without quotes.
const SHORTEST: usize = 4;

/// Number of letters of an unknown name that a message shows.
const SHOWN: usize = 60;

/// Returns an error for each name or code that no opening has. `texts` are the texts of the query,
/// by [`SourceId`](syntax::SourceId).
pub(super) fn unknown_openings(
    query: &Query,
    texts: &[&[u8]],
    openings: &Openings,
) -> Vec<Diagnostic> {
    fn visit(filter: &Filter, found: &mut impl FnMut(&Filter, &[u8], PositionText)) {
        if let FilterKind::Contains(text, source) = &filter.kind
            && let FilterKind::Nullary(Nullary::PositionText(word)) = source.kind
        {
            found(filter, text, word);
        }
        filter.for_each_child(&mut |child| visit(child, found));
    }
    let mut diagnostics = Vec::new();
    let codes = "codes are a capital letter from A to E and two digits";
    let mut check = |filter: &Filter, text: &[u8], word| {
        let text = String::from_utf8_lossy(text);
        if text.trim().is_empty() {
            let message = "an empty text is part of every name";
            let help = "write a name or a part of one, such as opening \"Sicilian\"";
            diagnostics.push(Diagnostic::error("E0207", filter.span, message).with_help(help));
            return;
        }
        let nearest = match word {
            PositionText::Opening if !openings.has_name(&text) => openings.nearest(&text),
            PositionText::OpeningCode if !openings.has_code(&text) => None,
            _ => return,
        };
        let what = if word == PositionText::Opening { "a name" } else { "an ECO code" };
        let shown: String = text.chars().take(SHOWN).collect();
        let message = format!("no opening has {what} with \"{shown}\"");
        let error = Diagnostic::error("E0207", filter.span, message);
        let help = "names are those of a table, such as \"Sicilian Defense: Najdorf Variation\"; \
                    `--openings FILE` reads another one";
        diagnostics.push(match nearest {
            Some(name) => {
                let error = error.with_help(format!("did you mean \"{name}\"?"));
                match place_of_literal(texts, filter.span, &text) {
                    Some(place) => error.with_edit(place, format!("\"{name}\"")),
                    None => error,
                }
            }
            None if word == PositionText::OpeningCode => error.with_help(codes),
            None if openings.has_code(&text) => {
                let coded = format!("openingcode \"{text}\"");
                error.with_help(format!("that is a code: `{coded}`")).with_edit(filter.span, coded)
            }
            None => error.with_help(help),
        });
    };
    query.filters.iter().for_each(|filter| visit(filter, &mut check));
    diagnostics
}

/// Maximum number of unknown names that are looked up.
const MOST: usize = 20;

/// Proposes `opening "Sicilian"` for unknown names that are those of openings.
pub(super) fn propose_openings(
    diagnostics: &mut [Diagnostic],
    texts: &[&[u8]],
    openings: &Openings,
) {
    let is_unknown =
        |d: &&mut Diagnostic| d.code == "E0201" && d.help.as_deref() == Some(UNASSIGNED);
    for diagnostic in diagnostics.iter_mut().filter(is_unknown).take(MOST) {
        let span = diagnostic.span;
        let name = text_of(texts, span);
        if name.len() >= SHORTEST
            && let Some(spelled) = openings.spelled(name)
        {
            let filter = format!("opening \"{spelled}\"");
            diagnostic.help =
                Some(format!("games of an opening are found by its name: `{filter}`"));
            diagnostic.edit = Some(Box::new(Edit { span, text: filter }));
        }
    }
}
