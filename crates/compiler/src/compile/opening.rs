//! Checks the names of openings in a query.

use openings::Openings;
use syntax::builtin::{Nullary, PositionText};
use syntax::diagnostic::Edit;
use syntax::lint::{place_of_literal, text_of};
use syntax::parse::UNASSIGNED;
use syntax::tree::{Filter, FilterKind, Query, Relation};
use syntax::{Diagnostic, Span};

/// Minimum number of letters of a name without quotes.
const SHORTEST: usize = 4;

/// Number of letters of an unknown name that a message shows.
const SHOWN: usize = 60;

/// Returns an error for each name or code that no opening has, and a warning for each name that is
/// another one of an opening, or only a part of names that are compared with it as a whole. `texts`
/// are the texts of the query, by [`SourceId`](syntax::SourceId).
pub(super) fn unknown_openings(
    query: &Query,
    texts: &[&[u8]],
    openings: &Openings,
) -> Vec<Diagnostic> {
    fn visit(filter: &Filter, found: &mut impl FnMut(&Filter, &[u8], PositionText, bool)) {
        let named = match &filter.kind {
            FilterKind::Contains(text, source) => Some((text, source, false)),
            FilterKind::Relation { op: Relation::Equal | Relation::NotEqual, left, right } => {
                match (&left.kind, &right.kind) {
                    (_, FilterKind::Text(text)) => Some((text, left, true)),
                    (FilterKind::Text(text), _) => Some((text, right, true)),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some((text, source, is_whole)) = named
            && let FilterKind::Nullary(Nullary::PositionText(word)) = source.kind
        {
            found(filter, text, word, is_whole);
        }
        filter.for_each_child(&mut |child| visit(child, found));
    }
    let mut diagnostics = Vec::new();
    let codes = "codes are a capital letter from A to E and two digits";
    let mut check = |filter: &Filter, text: &[u8], word, is_whole| {
        let text = String::from_utf8_lossy(text);
        if is_whole {
            if word == PositionText::Opening && !text.is_empty() && !openings.has_whole_name(&text)
            {
                diagnostics.push(no_whole_name(filter.span, &text, openings));
            }
            return;
        }
        if text.trim().is_empty() {
            let message = "an empty text is part of every name";
            let help = "write a name or a part of one, such as `opening \"Sicilian Defense\"`";
            diagnostics.push(Diagnostic::error("E0207", filter.span, message).with_help(help));
            return;
        }
        let nearest = match word {
            PositionText::Opening
                if let Some(usual) = openings.of_other_name(&text)
                    && openings.has_name(&text) =>
            {
                let message = format!(
                    "\"{text}\" is another name of the {usual}, but a part of other openings' names"
                );
                let help = format!("for the games of that opening, write \"{usual}\"");
                let warning = Diagnostic::warning("W0433", filter.span, message).with_help(help);
                diagnostics.push(match place_of_literal(texts, filter.span, &text) {
                    Some(place) => warning.with_edit(place, format!("\"{usual}\"")),
                    None => warning,
                });
                return;
            }
            PositionText::Opening if !openings.has_name(&text) => {
                openings.nearest(&text).map(|name| the_family(name, openings))
            }
            PositionText::Opening => {
                diagnostics.extend(family_and_others(filter.span, &text, texts, openings));
                return;
            }
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
    query.filters.iter().chain(&query.values).for_each(|filter| visit(filter, &mut check));
    diagnostics
}

/// Returns the warning for the name of a family, such as `French`, that is also a part of the names
/// of other openings, such as `Sicilian Defense: French Variation`. The edit is for names that most
/// openings have that are of the family.
fn family_and_others(
    span: Span,
    text: &str,
    texts: &[&[u8]],
    openings: &Openings,
) -> Option<Diagnostic> {
    let (families, others) = openings.families_called(text);
    if families.is_empty() {
        return several_families(span, text, openings);
    }
    let other = others.first()?;
    let all = families.join(" and the ");
    let message = format!(
        "openings other than the {all} have \"{text}\" in their names, such as \"{other}\""
    );
    let warning = Diagnostic::warning("W0433", span, message);
    let n_of_families: usize = families.iter().map(|family| openings.n_of_family(family)).sum();
    let is_usual = n_of_families > others.len();
    let family = the_family(text, openings);
    Some(match place_of_literal(texts, span, text) {
        Some(place) if family != text => {
            let help = format!("for the games of that opening alone, write \"{family}\"");
            let warning = warning.with_help(help);
            if is_usual { warning.with_edit(place, format!("\"{family}\"")) } else { warning }
        }
        _ => {
            let whole = format!("opening ~~ \"^{text}\"");
            let warning = warning.with_help(format!("names that begin with it: `{whole}`"));
            if is_usual { warning.with_edit(span, whole) } else { warning }
        }
    })
}

/// Words that stand in the names of many openings and are searched on purpose.
const COMMON: [&str; 6] =
    ["Gambit", "Countergambit", "Variation", "Attack", "Defense", "Main Line"];

/// Maximum number of families that a message names.
const MOST_FAMILIES: usize = 4;

/// Returns the warning for a part of names of several families, such as `Berlin`, and for one of
/// another family than its words tell, such as `Closed Sicilian`.
fn several_families(span: Span, text: &str, openings: &Openings) -> Option<Diagnostic> {
    let found = openings.families_with(text);
    let usual = openings.with_words(text);
    let other = usual.filter(|usual| found.iter().all(|(family, ..)| !usual.starts_with(family)));
    let is_certain = found.len() < 2 && other.is_none();
    if is_certain || COMMON.contains(&text) || text.contains(':') {
        return None;
    }
    let names = found.iter().take(MOST_FAMILIES);
    let names: Vec<String> = names.map(|(_, name, n)| format!("\"{name}\" ({n})")).collect();
    let more = if found.len() > MOST_FAMILIES { " …" } else { "" };
    let names = names.join(", ") + more;
    let (message, help) = match (other, &found[..]) {
        (Some(other), _) => (
            format!("\"{text}\" is only a part of such names as {names}"),
            format!("another opening has these words, too: \"{other}\""),
        ),
        (None, [(_, name, _), ..]) => (
            format!("openings of {} families have \"{text}\" in their names: {names}", found.len()),
            format!("a longer part of a name is of one family: `opening \"{name}\"`"),
        ),
        _ => return None,
    };
    Some(Diagnostic::warning("W0433", span, message).with_help(help))
}

/// Returns the whole name of the family that a name is meant as, if other names contain the short
/// one but not the whole: `French Defense` for `French`.
fn the_family<'n>(name: &'n str, openings: &'n Openings) -> &'n str {
    match openings.families_called(name) {
        (families, others)
            if let [family] = families[..]
                && !others.is_empty()
                && openings.families_called(family).1.is_empty() =>
        {
            family
        }
        _ => name,
    }
}

/// Returns the warning for a comparison of whole names with a text that is no whole name.
fn no_whole_name(span: Span, text: &str, openings: &Openings) -> Diagnostic {
    let shown: String = text.chars().take(SHOWN).collect();
    let message = format!("no opening is called exactly \"{shown}\"");
    let warning = Diagnostic::warning("W0402", span, message);
    let part = if openings.has_name(text) { Some(text) } else { openings.nearest(text) };
    let part = part.unwrap_or("…");
    warning
        .with_help(format!("`opening \"{part}\"` finds a part of a name; `==` compares all of it"))
}

/// Maximum number of unknown names that are looked up.
const MOST: usize = 20;

/// Proposes `opening "Sicilian"` for unknown names that are those of openings. Words beside each
/// other are one name, as in `Sicilian Najdorf`.
pub(super) fn propose_openings(
    diagnostics: &mut Vec<Diagnostic>,
    texts: &[&[u8]],
    openings: &Openings,
) {
    let is_unknown = |d: &Diagnostic| d.code == "E0201" && d.help.as_deref() == Some(UNASSIGNED);
    let both = |pair: &[Diagnostic]| {
        let whole = pair[0].span.to(pair[1].span);
        let is_name = || openings.with_words(text_of(texts, whole)).is_some();
        (pair.iter().all(is_unknown) && is_name()).then_some(whole)
    };
    let mut pairs = diagnostics.windows(2).take(MOST).enumerate();
    if let Some((at, whole)) = pairs.find_map(|(at, pair)| Some((at, both(pair)?))) {
        diagnostics.remove(at + 1);
        diagnostics[at].span = whole;
    }
    for diagnostic in diagnostics.iter_mut().filter(|d| is_unknown(d)).take(MOST) {
        let span = diagnostic.span;
        let name = text_of(texts, span);
        if name.len() >= SHORTEST
            && let Some(named) = openings.spelled(name).or_else(|| openings.with_words(name))
        {
            let filter = format!("opening \"{}\"", the_family(named, openings));
            let before = text_of(texts, Span { start: 0, end: span.start, ..span });
            let start = match before.trim_end().strip_suffix("opening") {
                Some(before) => before.len() as u32,
                None => span.start,
            };
            diagnostic.help =
                Some(format!("games of an opening are found by its name: `{filter}`"));
            let span = Span { start, ..span };
            diagnostic.edit = Some(Box::new(Edit { span, text: filter }));
        }
    }
}
