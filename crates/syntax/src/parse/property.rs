//! Properties of games, the words that others have for them, and the filters that compare them with a
//! value.

use super::material::class_named;
use super::words;
use crate::builtin::Keyword;
use crate::lex::{DRAWN, DRAWS};
use crate::library::Theme;
use crate::seen::{TagComparison, seen_eco, seen_name};

/// Property of the game that a word asks for.
pub(super) enum Property {
    /// A text, with its filter, such as `player white` and `tag "Mode"`.
    Text(String),
    /// A number, with its filter.
    Number(&'static str),
    Date,
    Result,
    Theme,
    /// One of the names that the word has in the language, such as those of endings.
    Class(Keyword),
}

/// Returns the property that a word about the game asks for, in any letters: `player white` for
/// `White`.
pub(super) fn property(word: &str) -> Option<Property> {
    let plain = word.to_ascii_lowercase().replace(['_', ' '], "");
    // as for a word without a value: `elo white` for `WhiteElo`
    let meant = words::synonym(&plain).and_then(|(_, filter)| filter);
    let text = match meant.unwrap_or(&plain) {
        "white" | "whiteplayer" | "playerwhite" | "whitename" => "player white",
        "black" | "blackplayer" | "playerblack" | "blackname" => "player black",
        "player" | "players" | "playername" | "name" => "player",
        "event" | "eventname" | "tournament" | "tournamentname" | "tourney" | "competition" => {
            "event"
        }
        "site" | "sitename" | "city" | "location" | "place" | "venue" => "site",
        "eventdate" => "eventdate",
        "eco" | "ecocode" => "eco",
        "opening" => "opening",
        "comment" | "comments" | "annotation" | "annotations" => Keyword::Originalcomment.text(),
        "date" | "gamedate" => return Some(Property::Date),
        "year" => return Some(Property::Number("year")),
        "elo" => return Some(Property::Number("elo")),
        "elo white" => return Some(Property::Number("elo white")),
        "elo black" => return Some(Property::Number("elo black")),
        "result" | "gameresult" => return Some(Property::Result),
        "theme" | "motif" | "motive" | "tactic" => return Some(Property::Theme),
        _ => match Keyword::from_text(&plain) {
            Some(word @ (Keyword::Endgame | Keyword::Phase | Keyword::Material)) => {
                return Some(Property::Class(word));
            }
            _ => return Some(Property::Text(format!("tag \"{}\"", words::tag(word)?))),
        },
    };
    Some(Property::Text(text.to_owned()))
}

/// Returns the filter for a word about the game, in any letters, that has a value: `player white
/// "Tal"` for `White` and `Tal`.
pub(crate) fn filter_of_value(word: &str, value: &str) -> Option<String> {
    if value.trim().is_empty() || value.contains(['"', '\\', '\n']) {
        return None;
    }
    let is_number = value.bytes().all(|b| b.is_ascii_digit());
    // Signs of a regular expression are not searched in a text.
    let sign = if value.contains(['*', '+', '?', '[', ']']) { " == " } else { " " };
    Some(match property(word)? {
        Property::Text(tag) if tag.starts_with("tag") => format!("{tag} == \"{value}\""),
        Property::Text(filter) => format!("{filter}{sign}\"{}\"", seen_value(&filter, value)),
        Property::Date if !is_number => format!("date{sign}\"{}\"", dated(value)),
        Property::Number(_) if !is_number => return None,
        Property::Date | Property::Number("year") => format!("year == {value}"),
        Property::Number(filter) => format!("{filter} >= {value}"),
        Property::Result if value == "*" => "result \"*\"".to_owned(),
        Property::Result => format!("result {}", result_named(value)?),
        Property::Theme => format!("theme(\"{}\")", Theme::named(&value.to_lowercase())?.name()),
        Property::Class(word) => format!("{} \"{}\"", word.text(), class_named(word, value)?),
    })
}

/// Returns the value of a filter in the form that it sees.
fn seen_value(filter: &str, value: &str) -> String {
    match filter {
        "player" | "player white" | "player black" => seen_name(value, TagComparison::Any),
        "eco" => Some(seen_eco(value)).filter(|code| !code.is_empty()).unwrap_or(value.to_owned()),
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
pub(super) fn like(word: &str, pattern: &str) -> Option<String> {
    let has_signs = |text: &str| text.contains(['%', '_']);
    if !has_signs(pattern) {
        return match property(word)? {
            Property::Number(name) => Some(format!("{name} == {}", number(pattern)?)),
            _ => filter_of_value(word, pattern),
        };
    }
    let filter = match property(word)? {
        Property::Text(filter) => filter,
        Property::Date => "date".to_owned(),
        _ => return None,
    };
    let inner = pattern.strip_prefix('%').and_then(|rest| rest.strip_suffix('%'));
    let is_plain = |c: char| c.is_alphanumeric() || " ,-'".contains(c);
    if let Some(inner) = inner.filter(|inner| inner.chars().all(is_plain))
        && filter != "date"
        && !filter.starts_with("tag")
    {
        return filter_of_value(word, inner);
    }
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
    Some(matching(&filter, &format!("\"{first}{expression}{last}\"")))
}

/// Returns the filter for a text that a regular expression in quotes matches.
pub(crate) fn matching(filter: &str, pattern: &str) -> String {
    // `player` is both names, so that neither begins or ends it.
    if filter == "player" && (pattern.starts_with("\"^") || pattern.ends_with("$\"")) {
        return format!("(player white ~~ {pattern} or player black ~~ {pattern})");
    }
    format!("{filter} ~~ {pattern}")
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

pub(super) fn number(part: &str) -> Option<String> {
    let is_number = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| part.to_owned())
}
