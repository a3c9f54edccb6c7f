//! Checks the names of openings in a query.

use openings::Openings;
use syntax::Diagnostic;
use syntax::builtin::{Nullary, PositionText};
use syntax::lint::place_of_literal;
use syntax::tree::{Filter, FilterKind, Query};

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
    let mut check = |filter: &Filter, text: &[u8], word| {
        let text = String::from_utf8_lossy(text);
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
            None if word == PositionText::Opening => error.with_help(help),
            None => error.with_help("codes are a capital letter from A to E and two digits"),
        });
    };
    query.filters.iter().for_each(|filter| visit(filter, &mut check));
    diagnostics
}
