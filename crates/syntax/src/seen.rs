//! Forms of names, dates and codes of openings that filters see, however a file writes them.

use crate::lex::DATE_FORM;

/// Kind of comparison of a text with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagComparison {
    /// Search in a filter: `player "Tal"`.
    Any,
    /// Search with `in`: `"son" in player`, which may be the end of a name.
    Inside,
    /// Comparison of the whole value: `==` or `!=`.
    Whole,
    /// Comparison of the order: `<` and others.
    Start,
}

/// Returns a name in the form that filters see: one blank after each comma, and without a dot or
/// rating at its end. `pgn` normalizes names in the same way; `lints.rs` among the tests of
/// `engine` compares the two.
pub(crate) fn seen_name(text: &str, part: TagComparison) -> String {
    let text = match part {
        TagComparison::Whole => text.trim_start_matches(' '),
        _ => text,
    };
    let mut pieces = text.split(',');
    let mut seen = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        seen.push(',');
        let name = piece.trim_start_matches(' ');
        // The text may be a part of the name that ends with the comma.
        if !name.is_empty() {
            seen.push(' ');
            seen.push_str(name);
        } else if !piece.is_empty() {
            seen.push(' ');
        }
    }
    if part == TagComparison::Whole {
        seen.truncate(seen.trim_end_matches([' ', '\t', '.']).len());
        if seen.starts_with("van ") {
            seen.replace_range(..1, "V");
        }
        let particles = ["Van Der ", "Van Den ", "Van De "];
        if particles.iter().any(|particle| seen.starts_with(particle)) {
            seen.replace_range(4..5, "d");
        }
    }
    let rating = seen.strip_suffix(')').and_then(|name| {
        let (before, digits) = name.rsplit_once(" (")?;
        let is_rating = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
        is_rating.then_some(before.len())
    });
    seen.truncate(rating.unwrap_or(seen.len()));
    seen
}

/// Whether an ECO code may be equal to a text, begin with it or contain it, depending on `part`.
pub(crate) fn is_eco(text: &str, part: TagComparison) -> bool {
    let fits = |byte: u8, place: usize| match place {
        0 => (b'A'..=b'E').contains(&byte),
        1 | 2 => byte.is_ascii_digit(),
        3 => byte.is_ascii_lowercase(),
        _ => place == 4 && (b'1'..=b'4').contains(&byte),
    };
    let fits_at = |start: usize| {
        let mut bytes = text.bytes().enumerate();
        bytes.all(|(at, byte)| fits(byte, start + at))
    };
    match part {
        TagComparison::Any | TagComparison::Inside => (0..5).any(fits_at),
        TagComparison::Whole => text.len() > 2 && fits_at(0),
        TagComparison::Start => fits_at(0),
    }
}

/// Returns an ECO code in the form that filters see: a capital letter, two digits, and an optional
/// suffix.
pub(crate) fn seen_eco(text: &str) -> String {
    let trimmed = text.trim();
    let mut code: String = trimmed.to_ascii_uppercase().chars().take(3).collect();
    if is_eco(&code, TagComparison::Whole)
        && is_eco(trimmed.get(..4).unwrap_or_default(), TagComparison::Whole)
    {
        code = trimmed.to_owned();
    }
    if is_eco(&code, TagComparison::Any) { code } else { String::new() }
}

/// Returns the filter for the codes of openings that a text names: one of them, a range (`B90-B99`,
/// `B90 to 99`), or several of both (`B90, B92-B95`). Returns `None` if the text has anything else.
pub(crate) fn filter_of_codes(text: &str) -> Option<String> {
    let text = text.trim();
    // as files have it: `B90/04`
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let variant = text.split_once('/').filter(|(_, variant)| is_number(variant));
    let text = variant.map_or(text, |(code, _)| code);
    let spaced = ["..", "-", "–", "—", "−"].iter();
    let spaced = spaced.fold(text.to_owned(), |text, sign| text.replace(sign, " to "));
    let spaced = spaced.replace([',', ';', '/', '|'], " or ");
    let mut codes: Vec<(String, Option<String>)> = Vec::new();
    let (mut is_between, mut is_last) = (false, false);
    for word in spaced.split_whitespace() {
        match &*word.to_ascii_lowercase() {
            "eco" | "from" => {}
            "between" => is_between = true,
            "and" if is_between => is_last = true,
            "or" | "and" => {}
            "to" | "through" | "until" | "till" => is_last = true,
            _ => match codes.last_mut().filter(|_| is_last) {
                Some((first, last @ None)) => {
                    let letter = if is_number(word) { &first[..1] } else { "" };
                    *last = Some(whole_code(&format!("{letter}{word}"))?);
                    (is_between, is_last) = (false, false);
                }
                _ => codes.push((whole_code(word).filter(|_| !is_last)?, None)),
            },
        }
    }
    let cases = codes.iter().map(|(first, last)| match last {
        Some(last) => (first <= last).then(|| format!("(\"{first}\" <= eco <= \"{last}\")")),
        None => Some(format!("eco \"{first}\"")),
    });
    let cases: Vec<String> = cases.collect::<Option<_>>()?;
    match &cases[..] {
        _ if is_between || is_last => None,
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("{{{}}}", several.join(" or "))),
    }
}

/// Returns a text that is one code of openings in the form that filters see.
fn whole_code(text: &str) -> Option<String> {
    let seen = seen_eco(text);
    (seen.len() == text.len() && is_eco(&seen, TagComparison::Whole)).then_some(seen)
}

/// Titles before a name and words for a player, in small letters.
const TITLES: &str = "gm im fm cm nm wgm wim wfm wcm dr prof professor mr mrs ms miss sir herr frau \
    grandmaster großmeister grossmeister international master world champion weltmeister player \
    spieler";

/// Returns the name of a player without the titles before it: `Magnus Carlsen` for `GM Magnus Carlsen`.
pub(crate) fn without_titles(name: &str) -> &str {
    let mut name = name.trim();
    while let Some((first, rest)) = name.split_once([' ', '\u{a0}'])
        && is_title(first.trim_end_matches('.'))
    {
        name = rest.trim_start();
    }
    name
}

/// Whether a word is a title or a word for a player, in any letters.
pub(crate) fn is_title(word: &str) -> bool {
    let word = word.to_lowercase();
    TITLES.split(' ').any(|title| title == word)
}

/// Returns a date in the form that filters see, or a part of one, from a text that may have another form.
pub(crate) fn date_in_form(text: &str) -> Option<String> {
    if is_date(text, TagComparison::Any) { Some(text.to_owned()) } else { reordered(text) }
}

/// Whether a date may be equal to a text, begin with it or contain it, depending on `part`.
pub(crate) fn is_date(text: &str, part: TagComparison) -> bool {
    let text = text.as_bytes();
    let fits_at = |offset: usize| {
        let Some(form) = DATE_FORM.get(offset..offset + text.len()) else {
            return false;
        };
        let fits = form.iter().zip(text).all(|(form, byte)| match form {
            b'd' => byte.is_ascii_digit() || *byte == b'?',
            _ => byte == form,
        });
        fits && is_at_most(text, offset, 5, *b"12") && is_at_most(text, offset, 8, *b"31")
    };
    match part {
        TagComparison::Any | TagComparison::Inside => (0..DATE_FORM.len()).any(fits_at),
        TagComparison::Whole => text.len() == DATE_FORM.len() && fits_at(0),
        TagComparison::Start => fits_at(0),
    }
}

/// Whether the two digits at `place` of a date are at most `most`. `text` is the part of the date
/// from `offset` on, and may lack the digits.
fn is_at_most(text: &[u8], offset: usize, place: usize, most: [u8; 2]) -> bool {
    let digits = place.checked_sub(offset).and_then(|at| text.get(at..at + 2));
    digits.is_none_or(|digits| digits.contains(&b'?') || digits <= &most[..])
}

/// Returns the date in the form of tags, if it has another one: `30.07.1992`, `1992-7-30`.
pub(crate) fn reordered(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(['.', '-', '/', ' ']).collect();
    let numbers: Option<Vec<u32>> = parts.iter().map(|part| part.parse().ok()).collect();
    let (year, month, day) = match (parts.as_slice(), numbers?.as_slice()) {
        ([year, ..], &[number, month, day]) if year.len() == 4 => (number, month, day),
        // The day is known if it is greater than 12; with dots, it comes first.
        ([.., year], &[day, month, number]) if year.len() == 4 => match (day, month) {
            (13.., _) => (number, month, day),
            (_, 13..) => (number, day, month),
            _ if text.contains('.') => (number, month, day),
            _ => return None,
        },
        _ => return None,
    };
    let date = format!("{year:04}.{month:02}.{day:02}");
    is_date(&date, TagComparison::Whole).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let check = |text: &str, part: TagComparison, expected: bool| {
            assert_eq!(is_date(text, part), expected, "{text} {part:?}");
        };
        check("1992.07.30", TagComparison::Whole, true);
        check("1992.??.??", TagComparison::Whole, true);
        check("1992", TagComparison::Whole, false);
        check("1992", TagComparison::Start, true);
        check("1992", TagComparison::Any, true);
        check(".12.2", TagComparison::Any, true);
        check("12.25", TagComparison::Any, true);
        check("30.07", TagComparison::Any, true);
        check("30.07.1992", TagComparison::Any, false);
        check("1992.30.07", TagComparison::Any, false);
        check("1992-07-30", TagComparison::Start, false);
        check("1992.7.30", TagComparison::Any, false);
        check("July", TagComparison::Any, false);
    }

    #[test]
    fn other_forms_of_dates() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(reordered(text).as_deref(), expected, "{text}");
        };
        check("30.07.1992", Some("1992.07.30"));
        check("3.7.1992", Some("1992.07.03"));
        check("7/30/1992", Some("1992.07.30"));
        check("7/3/1992", None);
        check("1992-7-30", Some("1992.07.30"));
        check("1992.30.07", None);
        check("July 1992", None);
    }
}
