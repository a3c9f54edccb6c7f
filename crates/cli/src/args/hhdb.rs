//! `-hhdb`: filters for the study database of Harold van der Heijden, given as plain words.

use super::{Cursor, Parsed, fault, quote, shown};

/// What to print for `-hhdb help`.
pub(crate) const HELP: &str = include_str!("hhdb.txt");

/// Words that together make one filter.
const AWARD: &[&str] = &[
    "award",
    "prize",
    "hm",
    "commendation",
    "special",
    "max",
    "sort",
];

/// Flags, each a filter of its own; those with other characters than letters, digits and `_`
/// are quoted in a query.
const FLAGS: &[&str] = &[
    "(c)",
    "(m)",
    "(s)",
    "(v)",
    "AN",
    "CR",
    "MC",
    "PH",
    "TE",
    "TT",
    "TW",
    "U1",
    "U2",
    "U3",
    "U4",
    "U5",
    "correction",
    "modification",
    "corrected_solution",
    "version",
    "anticipation",
    "colors_reversed",
    "too_many_composers",
    "posthumous",
    "theoretical_ending",
    "theme_tournament",
    "theme_tourney",
    "twin",
    "dual_at_move_1",
    "dual_after_move_1",
    "white_fails",
    "white_wins_in_draw",
    "unreachable",
    "<cook>",
    "<eg>",
    "<main>",
    "<minor_dual>",
    "<or>",
    "cooked",
    "sound",
    "unsound",
    "dual",
    "egdiagram",
    "mainline",
    "variation",
];

/// Texts that are searched for the argument that follows.
const TEXTS: &[&str] = &[
    "composer",
    "diagram",
    "firstcomment",
    "gbr",
    "search",
    "stipulation",
];

/// Words that may follow `gbr`.
const GBR_PARTS: &[&str] = &["material", "pieces", "pawns", "kings"];

/// Reads keywords as long as there are any, and makes filters of them.
pub(super) fn filters(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let mut text = String::new();
    let mut in_award = false;
    loop {
        if let Some(word) = take(cursor, AWARD) {
            if !in_award {
                begin(&mut text);
            }
            in_award = true;
            text.push(' ');
            text += word;
            continue;
        }
        in_award = false;
        if let Some(word) = take(cursor, FLAGS) {
            begin(&mut text);
            text.push(' ');
            if word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                text += word;
            } else {
                text += &format!("\"{word}\"");
            }
        } else if let Some(word) = take(cursor, TEXTS) {
            begin(&mut text);
            text.push(' ');
            text += word;
            text.push(' ');
            if word == "gbr"
                && let Some(part) = take(cursor, GBR_PARTS)
            {
                text += part;
                text.push(' ');
            }
            let value = cursor.value(&format!("a string after {word}"))?;
            return Ok(quote(&text, cursor.unquoted(value)?));
        } else if text.is_empty() {
            return match cursor.peek() {
                Some(word) => fault(format!(
                    "-hhdb does not know the keyword {}: -hhdb help lists them",
                    shown(word)
                )),
                None => fault("-hhdb needs a keyword: -hhdb help lists them"),
            };
        } else {
            return Ok(text.into_bytes());
        }
    }
}

/// Begins another filter.
fn begin(text: &mut String) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str("hhdb");
}

/// The next argument, if it is one of these keywords, whose case matters.
fn take(cursor: &mut Cursor<'_>, words: &[&'static str]) -> Option<&'static str> {
    let next = cursor.peek()?.to_str()?;
    let word = words.iter().find(|&&word| word == next)?;
    cursor.take();
    Some(word)
}
