//! Finds the queries for codes of openings: `C42`, `B90-B99`, `B90 to B99`, `ECO B2`.

use openings::{CodeRange, Openings};

use super::idea::{Idea, of_query};
use super::remaining::Rest;

/// Words that may stand beside codes.
const ASIDE: &str = "between code codes eco from games in of opening openings the with";

/// Words and signs between the first code and the last one.
const TO: [&str; 8] = ["-", "–", "..", "and", "through", "till", "to", "until"];

/// Returns the queries for codes of openings: by the tag of the games, and by their moves.
pub(super) fn of_codes(words: &str) -> Vec<Idea> {
    let Some(codes) = codes(words) else {
        return Vec::new();
    };
    let openings = Openings::default();
    let opening = openings.with_code(&codes.to_string()).next();
    let (code, named) = match opening {
        Some(opening) => ("this code", format!(": {}", opening.name())),
        None => ("one of these codes", String::new()),
    };
    let by_tag = format!("the games with {code} in their tag ECO{named}");
    let by_moves = format!("the games whose opening has {code} when they leave the book{named}");
    let query = |word: &str| match opening {
        Some(opening) => format!("{word} \"{}\"", opening.eco()),
        None => range_in(&codes, word),
    };
    vec![of_query(&query("eco"), &by_tag), of_query(&query("openingcode"), &by_moves)]
}

/// Returns the filter for the codes that come next in a question, by the tag of the games: `B90 won by
/// black`, `ECO B90-B99`.
pub(super) fn next_codes(rest: &mut Rest) -> Option<String> {
    let _ = rest.takes_any(&["in eco", "in", "eco"]);
    let codes = code(rest.words.get(rest.at)?)?;
    rest.at += 1;
    let name = codes.to_string();
    let is_one = name.len() == 3;
    Some(if is_one { format!("eco \"{name}\"") } else { range_in(&codes, "eco") })
}

/// Returns the codes that one word names: `B90` or `B90-B99`.
pub(super) fn code(word: &str) -> Option<CodeRange> {
    CodeRange::parse(word).filter(|_| word.len() > 2)
}

/// Returns the filter for codes in the values of a filter.
fn range_in(codes: &CodeRange, filter: &str) -> String {
    codes.filter().replace("openingcode", filter)
}

/// Returns the codes that words name. A letter alone is one only if the words say so: `eco B`.
fn codes(words: &str) -> Option<CodeRange> {
    let words = words.replace("..", " .. ").replace('–', "-");
    let is_aside = |word: &&str| {
        let plain = word.to_ascii_lowercase();
        ASIDE.split(' ').any(|aside| aside == plain)
    };
    let (aside, said): (Vec<&str>, Vec<&str>) = words.split_whitespace().partition(is_aside);
    let text = match said[..] {
        [one] => one.to_owned(),
        [first, to, last] if TO.contains(&to) => format!("{first}-{last}"),
        _ => return None,
    };
    let is_said = aside.iter().any(|word| word.eq_ignore_ascii_case("eco"));
    let is_clear = is_said || text.contains(|c: char| c.is_ascii_digit());
    CodeRange::parse(&text).filter(|_| is_clear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_tags_and_moves() {
        for (words, expected) in [
            ("B90-B99", "\"B90\" <= eco <= \"B99\""),
            ("B90 to B99", "\"B90\" <= eco <= \"B99\""),
            ("B90–B99", "\"B90\" <= eco <= \"B99\""),
            ("B90..B99", "\"B90\" <= eco <= \"B99\""),
            ("b90 - b99", "\"B90\" <= eco <= \"B99\""),
            ("ECO B20-B99", "\"B20\" <= eco <= \"B99\""),
            ("games with eco codes between B20 and B99", "\"B20\" <= eco <= \"B99\""),
            ("C4", "\"C40\" <= eco <= \"C49\""),
            ("eco C", "\"C00\" <= eco <= \"C99\""),
            ("c42", "eco \"C42\""),
        ] {
            let found = of_codes(words);
            let (by_tag, by_moves) = (&found[0].title, &found[1].title);
            assert_eq!(by_tag, expected, "{words}");
            assert_eq!(*by_moves, expected.replace("eco", "openingcode"), "{words}");
        }
        assert!(of_codes("C42")[0].line.ends_with("tag ECO: Petrov's Defense"));
        for words in ["C", "c4", "F10", "B90 B99", "B90 or B91", "B1000", "e4 to e5", ""] {
            assert!(of_codes(words).is_empty(), "{words}");
        }
    }
}
