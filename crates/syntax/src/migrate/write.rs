//! Writes small parts of CQL 6.2 that both older dialects need.

use crate::designator::{Block, PieceSet, square_names};

/// Requires that the value is in the range.
pub(super) fn in_range(value: &str, min: i32, max: i32) -> String {
    if min == max { format!("{{{value}=={min}}}") } else { format!("{{{min}<={value}<={max}}}") }
}

/// Requires that a number from 0 to `most` is in the range; `None` if it always is.
pub(super) fn counted(value: &str, min: i32, max: i32, most: i32) -> Option<String> {
    Some(match (min <= 0, max >= most) {
        (true, true) => return None,
        (true, false) if max != min => format!("{{{value}<={max}}}"),
        (false, true) => format!("{{{value}>={min}}}"),
        _ => in_range(value, min, max),
    })
}

/// The names in an `echo` that replaces a relation, with conditions that use them.
pub(super) struct EchoNames {
    pub(super) source: String,
    pub(super) target: String,
    /// The compared squares.
    pub(super) compared: String,
}

impl EchoNames {
    /// Returns the names for an echo inside `depth` others. Names of the older dialects do not
    /// conflict with them.
    pub(super) fn at_depth(depth: u32) -> EchoNames {
        let n = match depth {
            0 => String::new(),
            n => (n + 1).to_string(),
        };
        EchoNames {
            source: format!("source{n}"),
            target: format!("target{n}"),
            compared: format!("compared{n}"),
        }
    }

    /// Returns the echo with these parts of its body. It is quiet, since its many comments could
    /// displace the marks after them.
    pub(super) fn echo(&self, parts: &[String]) -> String {
        let body = match parts {
            [] => "true".to_owned(),
            parts => parts.join("\n  "),
        };
        let EchoNames { source, target, .. } = self;
        format!("{{echo quiet ({source} {target}) {{\n  {body}\n}}}}")
    }

    /// Requires that the side to move is equal, or different, in the positions.
    pub(super) fn same_turn(&self, same: bool) -> String {
        let not = if same { "" } else { "not " };
        format!("{{{not}sidetomove=={}:sidetomove}}", self.source)
    }

    /// Returns the squares with equal content in both positions.
    pub(super) fn same_content(&self) -> String {
        format!("({} & {})", self.source, self.target)
    }
}

/// Returns one or two numbers as a range after a word.
pub(super) fn bounds(min: i32, max: i32) -> String {
    if min == max { min.to_string() } else { format!("{min} {max}") }
}

/// Returns a piece designator; `None` if it cannot be written.
pub(crate) fn designator(pieces: PieceSet, squares: u64) -> Option<String> {
    if pieces == PieceSet::NONE || squares == 0 {
        return None;
    }
    let squares = match squares {
        u64::MAX => String::new(),
        _ => board(squares),
    };
    let text = format!("{}{squares}", letters(pieces));
    Some(if text.is_empty() { ".".into() } else { text })
}

fn letters(pieces: PieceSet) -> String {
    if pieces == PieceSet::ANYTHING {
        return String::new();
    }
    let mut rest = pieces.0;
    let mut letters = String::new();
    for letter in *b"AaKQRBNPkqrbnp_" {
        let kind = PieceSet::from_letter(letter).unwrap_or_default();
        if rest & kind.0 == kind.0 {
            rest &= !kind.0;
            letters.push(char::from(letter));
        }
    }
    match letters.len() {
        1 => letters,
        _ => format!("[{letters}]"),
    }
}

fn board(squares: u64) -> String {
    let Some(Block { files, ranks }) = Block::of(squares) else {
        return format!("[{}]", square_names(squares).join(","));
    };
    let file = |file: u32| char::from(b'a' + file as u8).to_string();
    let rank = |rank: u32| (rank + 1).to_string();
    let bounds = |(first, last): (u32, u32), name: &dyn Fn(u32) -> String| {
        if first == last { name(first) } else { format!("{}-{}", name(first), name(last)) }
    };
    bounds(files, &file) + &bounds(ranks, &rank)
}

/// Returns the side that promotes to these pieces, and their types; `None` if both sides would
/// promote to different types.
pub(super) fn promotion(pieces: PieceSet) -> Option<(Option<&'static str>, String)> {
    let white = PieceSet(pieces.0 & PieceSet::WHITE.0);
    let black = PieceSet(pieces.0 & PieceSet::BLACK.0);
    if white == PieceSet::NONE && black == PieceSet::NONE {
        return None;
    }
    if black == PieceSet::NONE {
        Some((Some("wtm"), letters(white)))
    } else if white == PieceSet::NONE {
        Some((Some("btm"), letters(black)))
    } else if white.swap_colors() == black {
        Some((None, letters(pieces)))
    } else {
        None
    }
}

/// Returns a text between quotation marks that every version reads as written; `None` otherwise.
pub(super) fn plain(text: &[u8]) -> Option<&str> {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b" ,-'".contains(b);
    let text = std::str::from_utf8(text).ok()?;
    (!text.is_empty() && text.bytes().all(|b| is_plain(&b))).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designators_are_written_as_short_as_can_be() {
        let white_rook = PieceSet(1 << 3);
        for (pieces, squares, expected) in [
            (PieceSet::ANYTHING, u64::MAX, Some(".")),
            (white_rook, u64::MAX, Some("R")),
            (white_rook, 0xff00, Some("Ra-h2")),
            (white_rook, 1 << 63, Some("Rh8")),
            (PieceSet::ANYTHING, 0x8001, Some("[a1,h2]")),
            (PieceSet(0xfff), 0x303, Some("[Aa]a-b1-2")),
            (PieceSet::NONE, u64::MAX, None),
            (white_rook, 0, None),
        ] {
            let text = designator(pieces, squares);
            assert_eq!(text.as_deref(), expected, "{pieces:?} {squares:x}");
        }
    }

    #[test]
    fn promotions_name_their_side() {
        let sides = |pieces| promotion(PieceSet(pieces)).map(|(side, _)| side);
        assert_eq!(sides(1 << 4), Some(Some("wtm")));
        assert_eq!(sides(1 << 10), Some(Some("btm")));
        assert_eq!(sides(1 << 4 | 1 << 10), Some(None));
        assert_eq!(sides(1 << 4 | 1 << 9), None);
    }
}
