//! `-hhdb`: filters for the study database of Harold van der Heijden, given as plain words.

use syntax::hhdb::{AWARD_WORDS, GBR_PARTS, flags, texts};

use super::cursor::{Cursor, quote};
use super::fault::{Parsed, fault, shown};

/// Text of `-hhdb help`.
pub(crate) const HELP: &str = include_str!("hhdb.txt");

/// Reads keywords as long as there are any, and converts them to filters.
pub(super) fn filters(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let mut text = String::new();
    let mut in_award = false;
    loop {
        if let Some(word) = take(cursor, AWARD_WORDS.iter().copied()) {
            if !in_award {
                begin(&mut text);
            }
            in_award = true;
            text.push(' ');
            text += word;
            continue;
        }
        in_award = false;
        if let Some(word) = take(cursor, flags()) {
            begin(&mut text);
            text.push(' ');
            if word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                text += word;
            } else {
                text += &format!("\"{word}\"");
            }
        } else if let Some(word) = take(cursor, texts()) {
            begin(&mut text);
            text.push(' ');
            text += word;
            text.push(' ');
            if word == "gbr"
                && let Some(part) = take(cursor, GBR_PARTS.iter().copied())
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

/// Begins a new filter.
fn begin(text: &mut String) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str("hhdb");
}

/// Consumes the next argument if it is one of these keywords, whose case matters.
fn take(
    cursor: &mut Cursor<'_>,
    mut words: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
    let next = cursor.peek()?.to_str()?;
    let word = words.find(|&word| word == next)?;
    cursor.take();
    Some(word)
}
