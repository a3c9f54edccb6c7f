//! Answers the requests of the mask: what a text means as an opening, and how names are compared.

use engine::{CodeRange, Openings};
use pgn::summary::player_name;
use serde_json::Value;

use survey::target::Target;

/// Returns the codes, the part of a name, or the condition for the position that a text means, or
/// else why it means nothing.
pub(crate) fn opening(text: &str) -> Value {
    let text = text.trim();
    let openings = Openings::default();
    if let Some(codes) = CodeRange::parse(text) {
        return object! { "code": codes.to_string() };
    }
    let is_name = !text.contains(|c: char| c.is_ascii_digit() || c == '/');
    if is_name && let Some(name) = name_in(&openings, text) {
        return object! { "name": name };
    }
    match Target::parse(text) {
        Ok(target) => object! { "position": target.query() },
        // The other lines mark the place in the text.
        Err(error) if !is_name => {
            object! { "problem": error.to_string().lines().next().unwrap_or_default() }
        }
        Err(_) => {
            let near = openings.nearest(text);
            let near = near.map_or_else(String::new, |near| format!("; the nearest is “{near}”"));
            object! { "problem": format!("no opening is called “{text}”{near}") }
        }
    }
}

/// Returns a part of a name as the filter `opening` finds it: the text itself, or else a part that
/// is spelled like it, or that differs in capital letters alone.
fn name_in(openings: &Openings, text: &str) -> Option<String> {
    let of_other_case = || {
        let wanted = text.to_lowercase();
        openings.rows().iter().find_map(|row| {
            let at = row.name().to_lowercase().find(&wanted)?;
            row.name().get(at..at + wanted.len())
        })
    };
    let name = if openings.has_name(text) {
        Some(text)
    } else {
        let named = openings.spelled(text).or_else(|| openings.with_words(text));
        named.or_else(of_other_case)
    };
    name.map(str::to_owned)
}

/// Returns the names of players, one in each line, as filters see them.
pub(crate) fn players(text: &str) -> Value {
    let seen = text.lines().map(|name| player_name(Some(name.as_bytes())));
    seen.map(|name| String::from_utf8_lossy(&name).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_opening_is_codes_a_name_or_moves() {
        let check = |text: &str, expected: Value| assert_eq!(opening(text), expected, "{text}");
        for (text, code) in
            [("b20-b99", "B20–B99"), ("B99-B20", "B20–B99"), ("b90", "B90"), ("C4", "C40–C49")]
        {
            check(text, json!({ "code": code }));
        }
        for (text, name) in [
            ("Najdorf", "Najdorf"),
            ("sicilian", "Sicilian"),
            ("sicil", "Sicil"),
            ("grunfeld", "Grünfeld"),
            ("spanish", "Ruy Lopez"),
            ("Spanish", "Spanish"),
            ("sicilian najdorf", "Sicilian Defense: Najdorf Variation"),
        ] {
            check(text, json!({ "name": name }));
        }
        let after = |board: &str| json!({ "position": format!("wtm fen \"{board}\"") });
        for text in [
            "1.e4 c5",
            "e4 c5",
            "1. e4 c5",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ] {
            check(text, after("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"));
        }
        check(
            "c4",
            json!({ "position": "btm fen \"rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR\"" }),
        );
        for (text, problem) in [
            ("sicillian", "no opening is called “sicillian”; the nearest is “Sicilian”"),
            ("a\"b", "no opening is called “a\"b”"),
            (
                "1.e4 c4",
                "'c4' is not possible here; possible: a5, a6, b5, b6, c5, c6, d5, d6, e5, e6, f5, f6 and 4 more",
            ),
        ] {
            check(text, json!({ "problem": problem }));
        }
    }

    #[test]
    fn names_are_those_that_filters_see() {
        let names = "Nakamura,Hi\nCarlsen,  M.\n Kasparov, Garry (2812)\nvan Den Berg,C";
        let seen = ["Nakamura, Hi", "Carlsen, M", "Kasparov, Garry", "Van den Berg, C"];
        assert_eq!(players(names), json!(seen));
        assert_eq!(players(""), json!([]));
    }
}
