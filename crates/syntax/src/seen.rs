//! Forms of names and codes of openings that filters see, however a file writes them.

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

/// Returns the comparison that is meant by a range of ECO codes such as `B90-B99`.
pub(crate) fn between_codes(first: &str, last: &str) -> Option<String> {
    let (first, last) = (seen_eco(first), seen_eco(last));
    let is_whole = |code: &str| is_eco(code, TagComparison::Whole);
    (is_whole(&first) && is_whole(&last)).then(|| format!("\"{first}\" <= eco <= \"{last}\""))
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
