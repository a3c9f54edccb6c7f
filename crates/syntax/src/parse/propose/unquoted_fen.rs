//! Finds FENs without quotes, whose pieces and signs would be reported one by one.

use crate::designator::PieceSet;
use crate::diagnostic::{Diagnostic, Severity};
use crate::parse::error::code;
use crate::span::{SourceId, Span};

/// Replaces the errors within the first FEN without quotes of each text by one.
pub(in crate::parse) fn report_fens(texts: &[&[u8]], diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.is_empty() {
        return;
    }
    for (source, text) in texts.iter().enumerate() {
        let Some((start, end)) = fen_in(text) else {
            continue;
        };
        let span = Span::new(SourceId(source as u16), start, end);
        let is_inside = |d: &Diagnostic| {
            let place = d.span;
            d.severity == Severity::Error
                && place.source == span.source
                && place.start < span.end
                && place.end > span.start
        };
        let Some(first) = diagnostics.iter().position(is_inside) else {
            continue;
        };
        let fen = String::from_utf8_lossy(&text[start..end]).into_owned();
        let is_after_word = text[..start].trim_ascii_end().ends_with(b"fen");
        let filter = if is_after_word { format!("\"{fen}\"") } else { format!("fen \"{fen}\"") };
        let error = Diagnostic::error(code::LITERAL, span, "a FEN stands in double quotes")
            .with_help("write `fen \"FEN\"`, which is true where the board is like that")
            .with_edit(span, filter);
        diagnostics.retain(|d| !is_inside(d));
        diagnostics.insert(first.min(diagnostics.len()), error);
    }
}

/// Returns the place of the first FEN outside of quotes and comments, with the fields after its
/// board.
fn fen_in(text: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let length = match byte {
            b'"' => 2 + text[at + 1..].iter().take_while(|byte| **byte != b'"').count(),
            b'/' if text[at..].starts_with(b"//") => {
                text[at..].iter().take_while(|byte| **byte != b'\n').count()
            }
            _ => text[at..].iter().take_while(|byte| is_of_board(**byte)).count(),
        };
        let is_board = !matches!(byte, b'"' | b'/') && {
            let ranks: Vec<&[u8]> = text[at..].get(..length)?.split(|b| *b == b'/').collect();
            ranks.len() == 8 && ranks.iter().all(|rank| !rank.is_empty())
        };
        if is_board {
            return Some((at, at + length + fields_after(&text[at + length..])));
        }
        // A letter or sign of no board is skipped alone.
        at += length.max(1);
    }
    None
}

/// Whether the board of a FEN may have this byte.
fn is_of_board(byte: u8) -> bool {
    PieceSet::from_letter(byte).is_some() || b".12345678/".contains(&byte)
}

/// Returns the length of the fields after the board of a FEN: side to move, castling rights,
/// en passant square, and two numbers.
fn fields_after(text: &[u8]) -> usize {
    let fits = [
        |field: &[u8]| matches!(field, b"w" | b"b"),
        |field: &[u8]| field == b"-" || field.iter().all(|byte| b"KQkq".contains(byte)),
        |field: &[u8]| matches!(field, b"-" | [b'a'..=b'h', b'3' | b'6']),
        |field: &[u8]| field.iter().all(u8::is_ascii_digit),
        |field: &[u8]| field.iter().all(u8::is_ascii_digit),
    ];
    let mut length = 0;
    for fits in fits {
        let Some(rest) = text[length..].strip_prefix(b" ") else {
            break;
        };
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let n = rest.iter().take_while(is_part).count();
        if n == 0 || !fits(&rest[..n]) {
            break;
        }
        length += 1 + n;
    }
    length
}

#[cfg(test)]
mod tests {
    use crate::parse::tests::dump::parse_body;

    #[test]
    fn a_fen_without_quotes_is_one_error() {
        const FEN: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR";
        let check = |query: &str, mended: &str| {
            let (mut text, parsed) = parse_body(query);
            let [only] = &parsed.diagnostics[..] else {
                panic!("{query}: {:?}", parsed.diagnostics);
            };
            assert_eq!(only.code, "E0113", "{query}");
            let edit = only.edit.as_ref().expect(query);
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            assert_eq!(text, format!("cql() {mended}"), "{query}");
        };
        check(FEN, &format!("fen \"{FEN}\""));
        check(&format!("fen {FEN} b KQkq - 0 1"), &format!("fen \"{FEN} b KQkq - 0 1\""));
        check(&format!("find {FEN} w mate"), &format!("find fen \"{FEN} w\" mate"));
        check("fen \"1.d4 Nf6\" mate", "san \"1.d4 Nf6\" mate");
        check("fen \"e4 e5 2. Nf3\"", "san \"1.e4 e5 2.Nf3\"");
        check("8/8/8/4k3/8/8/4K3/8 w - - 0 1", "fen \"8/8/8/4k3/8/8/4K3/8 w - - 0 1\"");
    }

    #[test]
    fn other_slashes_are_no_fen() {
        for query in ["// 8/8/8/8/8/8/8/8\nmate", "tag \"X\" ~~ \"8/8/8/8/8/8/8/8\"", "ply / 2 > 3"]
        {
            let (_, parsed) = parse_body(query);
            assert_eq!(parsed.diagnostics, [], "{query}");
        }
    }
}
