//! Checks the names of openings in a query.

use openings::Openings;
use syntax::builtin::{Keyword, Nullary, PositionText};
use syntax::help::{advised, finds, finds_queries};
use syntax::lint::{place_of_literal, text_of};
use syntax::parse::{UNASSIGNED, body_of};
use syntax::tree::{Filter, FilterKind, Query, Relation};
use syntax::{Diagnostic, Severity, SourceId, Span};

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
    type Compared = Option<Relation>;
    fn visit(filter: &Filter, found: &mut impl FnMut(&Filter, &[u8], PositionText, Compared)) {
        let named = match &filter.kind {
            FilterKind::Contains(text, source) => Some((text, source, None)),
            FilterKind::Relation {
                op: op @ (Relation::Equal | Relation::NotEqual),
                left,
                right,
            } => match (&left.kind, &right.kind) {
                (_, FilterKind::Text(text)) => Some((text, left, Some(*op))),
                (FilterKind::Text(text), _) => Some((text, right, Some(*op))),
                _ => None,
            },
            _ => None,
        };
        if let Some((text, source, compared)) = named
            && let FilterKind::Nullary(Nullary::PositionText(word)) = source.kind
        {
            found(filter, text, word, compared);
        }
        filter.for_each_child(&mut |child| visit(child, found));
    }
    let mut diagnostics = Vec::new();
    let codes = "codes are a capital letter from A to E and two digits";
    let mut check = |filter: &Filter, text: &[u8], word, compared: Compared| {
        let text = String::from_utf8_lossy(text);
        if let Some(op) = compared {
            if word == PositionText::OpeningCode && op == Relation::Equal {
                diagnostics.extend(no_whole_code(filter.span, &text, openings));
            } else if word != PositionText::Opening || text.is_empty() {
            } else if !openings.has_whole_name(&text) {
                diagnostics.push(no_whole_name(filter.span, &text, op, openings));
            } else {
                diagnostics.extend(without_its_lines(filter.span, &text, op, openings));
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

/// Other words of names that alone are no opening, in small letters.
const KINDS: [&str; 6] = ["double", "game", "line", "open", "opening", "system"];

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
fn no_whole_name(span: Span, text: &str, op: Relation, openings: &Openings) -> Diagnostic {
    let shown: String = text.chars().take(SHOWN).collect();
    let message = format!("no opening is called exactly \"{shown}\"");
    let part = if openings.has_name(text) { Some(text) } else { openings.nearest(text) };
    if op == Relation::NotEqual {
        let warning = Diagnostic::warning("W0403", span, message);
        let other = format!("not opening \"{}\"", part.unwrap_or("…"));
        let warning = warning.with_help(format!("`!=` compares all of a name: `{other}`"));
        return if part.is_some() { warning.with_edit(span, other) } else { warning };
    }
    let part = part.unwrap_or("…");
    Diagnostic::warning("W0402", span, message)
        .with_help(format!("`opening \"{part}\"` finds a part of a name; `==` compares all of it"))
}

/// Returns the warning for a comparison of whole codes with a text that is no whole code.
fn no_whole_code(span: Span, text: &str, openings: &Openings) -> Option<Diagnostic> {
    if text.is_empty() || openings.with_code(text).next().is_some() {
        return None;
    }
    let part = format!("openingcode \"{text}\"");
    let message = format!("no opening has exactly the code \"{text}\"");
    let warning = Diagnostic::warning("W0402", span, message)
        .with_help(format!("`{part}` finds a part of a code; `==` compares all of it"));
    Some(if openings.has_code(text) { warning.with_edit(span, part) } else { warning })
}

/// Returns the warning for a comparison with the whole name of an opening that others are lines of, as
/// those of the French Defense are.
fn without_its_lines(
    span: Span,
    text: &str,
    op: Relation,
    openings: &Openings,
) -> Option<Diagnostic> {
    let n_lines = openings.n_of_lines(text);
    if n_lines == 0 {
        return None;
    }
    let not = if op == Relation::NotEqual { "not " } else { "" };
    let part = format!("{not}opening \"{text}\"");
    let message =
        format!("the names of {n_lines} lines begin with \"{text}\", and `==` is true of none");
    let help = format!("`{part}` is about all of them, too");
    Some(Diagnostic::warning("W0433", span, message).with_help(help).with_edit(span, part))
}

/// Maximum number of unknown names that are looked up.
const MOST: usize = 20;

/// Proposes `opening "Sicilian"` for unknown names that are those of openings, and the help for those of
/// which it knows queries. Words beside each other are one name, as in `Sicilian Najdorf`, and so are
/// words with signs that queries do not have, as in `King's Indian`.
pub(super) fn propose_openings(
    diagnostics: &mut Vec<Diagnostic>,
    texts: &[&[u8]],
    openings: &Openings,
) {
    let is_unknown = |d: &Diagnostic| d.code == "E0201" && d.help.as_deref() == Some(UNASSIGNED);
    let mut edits = Vec::new();
    let mut unknown = None;
    let mut index = 0;
    while let Some(found) = diagnostics.get(index).filter(|_| index < MOST) {
        if (is_unknown(found) || is_letter(found, texts))
            && let Some((span, name)) = name_around(found.span, texts, openings)
        {
            let error = proposed(span, name, texts, openings);
            diagnostics[index] = error;
            let is_part = |d: &Diagnostic| {
                let (span, own) = (d.span, span);
                span.source == own.source && span.start >= own.start && span.end <= own.end
            };
            edits.push(span);
            let mut at = 0;
            diagnostics.retain(|d| {
                at += 1;
                at == index + 1 || d.severity != Severity::Error || !is_part(d)
            });
        } else if is_unknown(found) {
            unknown.get_or_insert(found.span.source);
            let name = text_of(texts, found.span);
            let is_capital = name.starts_with(char::is_uppercase);
            let is_kind = KINDS.contains(&&*name.to_lowercase());
            let help = if is_capital && !is_kind && openings.has_name(name) {
                Some(format!(
                    "`opening \"{name}\"` finds the openings with this word, `player \"{name}\"` the \
                     games of a player"
                ))
            } else {
                help_on(found.span, texts)
            };
            diagnostics[index].help = help.or_else(|| Some(UNASSIGNED.to_owned()));
        }
        index += 1;
    }
    if edits.is_empty()
        && let Some(source) = unknown
    {
        propose_whole(diagnostics, texts, source);
    }
    // An opening in words of which others are not understood is only advice.
    let is_open = |d: &Diagnostic| d.severity == Severity::Error && d.edit.is_none();
    if diagnostics.iter().any(is_open) {
        let is_opening = |d: &&mut Diagnostic| edits.contains(&d.span);
        diagnostics.iter_mut().filter(is_opening).for_each(|d| d.edit = None);
    }
}

/// Replaces the errors of a text with unknown names by one if the help knows all of its words: `mate before
/// move 20`.
fn propose_whole(diagnostics: &mut Vec<Diagnostic>, texts: &[&[u8]], source: SourceId) {
    let text = texts.get(usize::from(source.0)).and_then(|text| std::str::from_utf8(text).ok());
    let Some((body, span)) = text.map(|text| body_of(text, source)) else {
        return;
    };
    let is_own = |d: &Diagnostic| {
        d.severity == Severity::Error && d.span.source == source && d.code != "E0501"
    };
    let Some(first) = diagnostics.iter().position(is_own) else {
        return;
    };
    let error = match &diagnostics[first] {
        // as in `Carlsen`
        only if only.span == span => Diagnostic::error(only.code, span, only.message.clone()),
        _ => Diagnostic::error("E0115", span, "these words are not a query"),
    };
    let Some(error) = advised(error, body) else {
        return;
    };
    diagnostics.retain(|d| !is_own(d));
    diagnostics.insert(first.min(diagnostics.len()), error);
}

/// Returns the command that finds queries for a name, together with a word beside it if the help knows
/// both: `perpetual check`.
fn help_on(span: Span, texts: &[&[u8]]) -> Option<String> {
    let name = text_of(texts, span);
    let end = texts.get(usize::from(span.source.0)).map_or(0, |text| text.len() as u32);
    let is_end = |c: char| !c.is_alphabetic();
    let is_word = |word: &&str| !word.is_empty();
    let before = text_of(texts, Span { start: 0, end: span.start, ..span });
    let before = before.strip_suffix(' ').and_then(|text| text.rsplit(is_end).next());
    let after = text_of(texts, Span { start: span.end, end, ..span });
    let after = after.strip_prefix(' ').and_then(|text| text.split(is_end).next());
    let both = after.filter(is_word).map(|after| format!("{name} {after}"));
    let other = before.filter(is_word).map(|before| format!("{before} {name}"));
    let mut asked = both.into_iter().chain(other).chain([name.to_owned()]);
    // The texts of options are not among the texts.
    let found = asked.find(|words| !name.is_empty() && finds(words, true) == Some(true))?;
    Some(finds_queries(&found))
}

/// Returns the error for a name that is that of an opening.
fn proposed(span: Span, name: &str, texts: &[&[u8]], openings: &Openings) -> Diagnostic {
    let written = text_of(texts, span);
    let filter = format!("opening \"{}\"", the_family(name, openings));
    let before = text_of(texts, Span { start: 0, end: span.start, ..span });
    let before = before.trim_end();
    let mut words = ["opening", "openingcode", "eco"].iter();
    let word = words.find_map(|word| before.strip_suffix(word));
    let start = word.map_or(span.start, |before| before.len() as u32);
    let is_alone = word.is_none() && written.chars().all(char::is_alphabetic);
    let is_name = is_alone && written.starts_with(char::is_uppercase);
    let of_player = || format!(", those of a player by `player \"{written}\"`");
    let player = if is_name { of_player() } else { String::new() };
    Diagnostic::error("E0201", span, format!("unknown name `{written}`"))
        .with_help(format!("games of an opening are found by its name: `{filter}`{player}"))
        .with_edit(Span { start, ..span }, filter)
}

/// Whether an error is about a letter or an apostrophe that no word of a query has.
fn is_letter(diagnostic: &Diagnostic, texts: &[&[u8]]) -> bool {
    let text = text_of(texts, diagnostic.span);
    let is_of_names = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’');
    matches!(diagnostic.code, "E0003" | "E0004") && text.chars().all(is_of_names)
}

/// Returns the longest name of an opening in the words around an error, and its place.
fn name_around<'o>(
    error: Span,
    texts: &[&[u8]],
    openings: &'o Openings,
) -> Option<(Span, &'o str)> {
    /// Maximum number of words of a name, and of bytes on each side of the error.
    const WORDS: usize = 5;
    const NEAR: u32 = 80;
    let is_of_names = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | ' ');
    let whole = |start, end| text_of(texts, Span { start, end, ..error });
    let starts = (error.start.saturating_sub(NEAR)..=error.start).rev();
    let starts = starts.take_while(|&start| whole(start, error.start).chars().all(is_of_names));
    let mut ends = error.end..=error.end.saturating_add(NEAR);
    let first = starts.filter(|&start| !whole(start, error.end).is_empty()).last()?;
    let has_end = |end: &u32| !whole(error.start, *end).is_empty();
    let is_end = |end: &u32| whole(error.end, *end).chars().all(is_of_names);
    let mut last = error.end;
    while let Some(end) = ends.next().filter(is_end) {
        last = if has_end(&end) { end } else { last };
    }
    let text = whole(first, last);
    let mut words: Vec<Span> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let start = first + (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
        words.push(Span { start, end: start + word.len() as u32, ..error });
    }
    let own = words.iter().position(|word| word.end > error.start)?;
    let is_other = |at: usize, last: usize| {
        let word = text_of(texts, words[at]);
        let ends_name = at == last && word == "opening";
        at != own && Keyword::from_text(word).is_some() && !ends_name
    };
    (1..=WORDS.min(words.len())).rev().find_map(|n| {
        let mut firsts = (own + 1).saturating_sub(n)..=own.min(words.len() - n);
        firsts.find_map(|first| {
            let last = first + n - 1;
            let span = words[first].to(words[last]);
            let name = text_of(texts, span);
            if (first..=last).any(|at| is_other(at, last)) {
                return None;
            }
            let named = openings.spelled(name).or_else(|| openings.with_words(name))?;
            (n > 1 || name.contains('-') || is_of_one(name, named, openings))
                .then_some((span, named))
        })
    })
}

/// Whether a single word is enough for an opening: the first of the name of a family, or one that
/// nearly all names have in common that have it. The names of many have `Exchange`.
fn is_of_one(word: &str, name: &str, openings: &Openings) -> bool {
    /// Minimum number of such names; of fewer, the word is rather that of a player.
    const LEAST: usize = 8;
    let is_kind = |kind: &&str| kind.eq_ignore_ascii_case(word);
    if word.len() < SHORTEST || COMMON.iter().chain(&KINDS).any(is_kind) {
        return false;
    }
    let found = openings.families_with(name);
    let n: usize = found.iter().map(|(.., n)| n).sum();
    let most = found.first().map_or(0, |(.., n)| *n);
    let is_other_name = openings.of_other_name(word).is_some();
    is_other_name
        || !openings.families_called(name).0.is_empty()
        || most >= LEAST && most * 10 >= n * 9
}
