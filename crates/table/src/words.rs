//! Words for reading.

use std::borrow::Cow;

/// Returns a text of at most `width` characters.
#[must_use]
pub fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.chars().count() > width {
        Cow::Owned(text.chars().take(width.saturating_sub(1)).chain(['…']).collect())
    } else {
        Cow::Borrowed(text)
    }
}
