//! Properties of games, the words that others have for them, and the filters that compare them with a
//! value.

use super::words;
use crate::builtin::Keyword;
use crate::lex::{DRAWN, DRAWS};
use crate::library::Theme;
use crate::parse::material::class_named;
use crate::seen::{
    TagComparison, date_in_form, filter_of_codes, is_eco, seen_name, without_titles,
};

/// Property of the game that a word asks for.
#[derive(Clone, Copy)]
pub(super) enum Property {
    /// A text, with its filter, such as `player white`.
    Text(&'static str),
    /// A tag without a filter of its own.
    Tag(&'static str),
    /// A number, with its filter.
    Number(&'static str),
    Date,
    Result,
    Theme,
    /// One of the names that the word has in the language, such as those of endings.
    Class(Keyword),
}

/// Words about the game with blanks between, in small letters, and what they ask for.
const PROPERTIES: &[(&str, Property)] = crate::rows! {
    "white whiteplayer playerwhite whitename", Property::Text("player white");
    "black blackplayer playerblack blackname", Property::Text("player black");
    "player players playername name", Property::Text("player");
    "event eventname tournament tournamentname tourney competition", Property::Text("event");
    "site sitename city location place venue", Property::Text("site");
    "eventdate", Property::Text("eventdate");
    "eco ecocode", Property::Text("eco");
    "opening", Property::Text("opening");
    "comment comments annotation annotations", Property::Text("originalcomment");
    "date gamedate", Property::Date;
    "year", Property::Number("year");
    "elo", Property::Number("elo");
    "elowhite", Property::Number("elo white");
    "eloblack", Property::Number("elo black");
    "result gameresult", Property::Result;
    "theme themes motif motifs motive motives tactic tactics", Property::Theme;
    "endgame", Property::Class(Keyword::Endgame);
    "phase", Property::Class(Keyword::Phase);
    "material", Property::Class(Keyword::Material);
};

impl Property {
    /// Whether the property has one value in all positions of a game.
    pub(super) fn is_of_game(self) -> bool {
        !matches!(self, Property::Text("originalcomment") | Property::Theme | Property::Class(_))
    }

    /// Returns the filter whose value is a text that a pattern may describe.
    pub(in crate::parse) fn text(self) -> Option<String> {
        match self {
            Property::Text(filter) => Some(filter.to_owned()),
            Property::Tag(tag) => Some(format!("tag \"{tag}\"")),
            Property::Date => Some("date".to_owned()),
            _ => None,
        }
    }
}

/// Returns the property that a word about the game asks for, in any letters: `player white` for
/// `White`.
pub(super) fn property(word: &str) -> Option<Property> {
    let plain = word.to_ascii_lowercase().replace(['_', ' '], "");
    // as for a word without a value: `elo white` for `WhiteElo`
    let meant = words::synonym(&plain).and_then(|(_, filter)| filter);
    let plain = meant.map_or(plain, |filter| filter.replace(' ', ""));
    let row = PROPERTIES.iter().find(|(words, _)| words::has(words, &plain));
    row.map(|row| row.1).or_else(|| words::tag(word).map(Property::Tag))
}

/// Returns the filter for a word about the game, in any letters, that has a value: `player white
/// "Tal"` for `White` and `Tal`.
pub(crate) fn filter_of_value(word: &str, value: &str) -> Option<String> {
    if value.trim().is_empty() || value.contains(['"', '\\', '\n']) {
        return None;
    }
    let property = property(word)?;
    // as in the tag `[Date "2019.05.??"]`
    let is_date = matches!(property, Property::Date);
    let value = if is_date { value.trim_end_matches(".??") } else { value };
    let is_number = number(value).is_some();
    // Signs of a regular expression are not searched in a text.
    let sign = if value.contains(['*', '+', '?', '[', ']']) { " == " } else { " " };
    Some(match property {
        Property::Tag(tag) => format!("tag \"{tag}\" == \"{value}\""),
        Property::Text("eco") => {
            let part = value.to_ascii_uppercase();
            let of_part = is_eco(&part, TagComparison::Any).then(|| format!("eco \"{part}\""));
            filter_of_codes(value).or(of_part)?
        }
        Property::Text(filter) if value.contains('*') || value.starts_with('^') => {
            matching(filter, &expression_of_signs(value)?)
        }
        Property::Text(filter) => format!("{filter}{sign}\"{}\"", seen_value(filter, value)),
        Property::Date if !is_number => format!("date{sign}\"{}\"", date_in_form(&dated(value))?),
        Property::Number(_) if !is_number => return None,
        Property::Date | Property::Number("year") => format!("year == {value}"),
        Property::Number(filter) => format!("{filter} >= {value}"),
        Property::Result if value == "*" => "result \"*\"".to_owned(),
        Property::Result => format!("result {}", result_named(value)?),
        Property::Theme => format!("theme(\"{}\")", Theme::named(&value.to_lowercase())?.name()),
        Property::Class(word) => format!("{} \"{}\"", word.text(), class_named(word, value)?),
    })
}

/// Returns the filter for a word about the game that has exactly a value, as `year == 1990`.
pub(super) fn equal_to(word: &str, value: &str) -> Option<String> {
    match property(word)? {
        Property::Number(filter) => Some(format!("{filter} == {}", number(value)?)),
        _ => filter_of_value(word, value),
    }
}

/// Returns the value of a filter in the form that it sees.
fn seen_value(filter: &str, value: &str) -> String {
    match filter {
        "player" | "player white" | "player black" => {
            let name = seen_name(without_titles(value), TagComparison::Any);
            if name.contains(", ") { name.trim_end_matches('.').to_owned() } else { name }
        }
        "eventdate" => dated(value),
        _ => value.to_owned(),
    }
}

/// Returns a date as games have it, with dots and two digits for month and day: `2000.01.05` for
/// `2000-1-5`.
pub(super) fn dated(text: &str) -> String {
    let parts = text.split(['.', '-']);
    let parts =
        parts.map(|part| if part.len() == 1 { format!("0{part}") } else { part.to_owned() });
    parts.collect::<Vec<_>>().join(".")
}

/// Returns the number of the month that a word names, in English: 11 for `November` and `Nov`.
pub(in crate::parse) fn month(word: &str) -> Option<usize> {
    const MONTHS: &str = "january february march april may june july august september october november \
        december";
    let word = word.to_ascii_lowercase();
    let is_named = |month: &str| month == word || word.len() == 3 && month.starts_with(&word);
    MONTHS.split(' ').position(is_named).map(|at| at + 1)
}

/// Returns the result that a text means: `1/2-1/2` for `draw` and `0.5-0.5`.
pub(super) fn result_named(text: &str) -> Option<&'static str> {
    match &*text.to_ascii_lowercase() {
        "1-0" | "white" => Some("1-0"),
        "0-1" | "black" => Some("0-1"),
        "draw" | "drawn" | "draws" => Some(DRAWN),
        text if DRAWS.contains(&text) => Some(DRAWN),
        _ => None,
    }
}

/// Returns the number at the end of the game that is the length that a word names.
pub(super) fn length_named(word: &str) -> Option<&'static str> {
    Some(match &*word.to_ascii_lowercase().replace('_', "") {
        "plies" | "plycount" | "halfmoves" | "nplies" | "numplies" => "ply",
        "moves" | "length" | "len" | "gamelength" | "nmoves" | "nummoves" | "numberofmoves"
        | "movecount" | "movescount" => "(ply + 1) / 2",
        _ => return None,
    })
}

/// Returns the filter for a word about the game whose value is like a pattern of SQL.
pub(in crate::parse) fn like(word: &str, pattern: &str) -> Option<String> {
    let has_signs = |text: &str| text.contains(['%', '_']);
    if !has_signs(pattern) {
        return equal_to(word, pattern);
    }
    let property = property(word)?;
    let filter = property.text()?;
    let with_dots = (filter == "date").then(|| pattern.replace('-', "."));
    let pattern = with_dots.as_deref().unwrap_or(pattern);
    let inner = pattern.strip_prefix('%').and_then(|rest| rest.strip_suffix('%'));
    if let Some(inner) = inner.filter(|inner| inner.chars().all(is_plain))
        && matches!(property, Property::Text(_))
    {
        return filter_of_value(word, inner);
    }
    Some(matching(&filter, &expression_of(pattern)?))
}

/// Returns the filter for a word about the game whose value is like a pattern of SQL, whatever the case
/// of letters.
pub(in crate::parse) fn alike(word: &str, pattern: &str) -> Option<String> {
    let filter = property(word)?.text()?;
    let pattern = expression_of(&pattern.to_lowercase())?;
    let of = |filter: &str| format!("(lowercase {filter}) ~~ {pattern}");
    Some(match &*filter {
        "player" => format!("({} or {})", of("player white"), of("player black")),
        filter => of(filter),
    })
}

/// Returns the regular expression, in quotes, for a pattern of SQL.
fn expression_of(pattern: &str) -> Option<String> {
    if pattern.chars().all(|c| matches!(c, '%' | '_')) {
        return None;
    }
    let middle = pattern.trim_matches('%');
    let mut expression = String::new();
    for c in middle.chars() {
        match c {
            '%' => expression.push_str(".*"),
            '_' => expression.push('.'),
            '.' => expression.push_str("\\."),
            _ if is_plain(c) => expression.push(c),
            _ => return None,
        }
    }
    let first = if pattern.starts_with('%') { "" } else { "^" };
    let last = if pattern.ends_with('%') { "" } else { "$" };
    Some(format!("\"{first}{expression}{last}\""))
}

/// Returns the regular expression, in quotes, for a text with `*` for any letters, or one that is a regular
/// expression by its `^`: `Tal*`, `^Tal`.
fn expression_of_signs(text: &str) -> Option<String> {
    let pattern = match text.strip_prefix('^') {
        Some(text) => format!("{}%", text.trim_end_matches(".*")),
        None => text.replace('*', "%"),
    };
    if text.contains(['%', '_']) { None } else { expression_of(&pattern) }
}

/// Whether a character has no meaning of its own in a regular expression.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || " ,-'".contains(c)
}

/// Returns the filter for a text that a regular expression in quotes matches.
pub(crate) fn matching(filter: &str, pattern: &str) -> String {
    // `player` is both names, so that neither begins or ends it.
    if filter == "player" && (pattern.starts_with("\"^") || pattern.ends_with("$\"")) {
        return format!("(player white ~~ {pattern} or player black ~~ {pattern})");
    }
    format!("{filter} ~~ {pattern}")
}

/// Returns the filter for the text that a word has, which a word of other languages compares with
/// another: `player white "Tal"` for `contains "Tal"` after the filter `player white`.
pub(in crate::parse) fn compared(
    how: &str,
    word: &str,
    filter: &str,
    text: &str,
) -> Option<String> {
    if words::is_of_patterns(how) {
        return Some(matching(filter, &format!("\"{text}\"")));
    }
    let is_end = words::is_of_ends(how) && !text.contains(['%', '_']);
    let pattern = if is_end { pattern_of(how, text) } else { None };
    like(word, pattern.as_deref().unwrap_or(text))
}

/// Returns the pattern of SQL for what a word or a method of other languages compares a text with:
/// `Carl%` for `startswith` and `Carl`.
pub(super) fn pattern_of(word: &str, text: &str) -> Option<String> {
    Some(match &*word.to_ascii_lowercase().replace('_', "") {
        "startswith" | "beginswith" | "begins" | "starts" => format!("{text}%"),
        "endswith" | "ends" => format!("%{text}"),
        "contains" | "includes" | "include" => format!("%{text}%"),
        _ => return None,
    })
}

pub(in crate::parse) fn number(part: &str) -> Option<String> {
    let is_number = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| part.to_owned())
}
