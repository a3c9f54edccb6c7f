//! Piece designators: `Ka1`, `[RQ][a1-8]`, `.d4`, `P?2`, `$rook[a1,d4]`.

use super::code;
use super::tree::{Men, TagId};
use crate::designator::PieceSet;

/// The parts of a designator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) men: Men,
    pub(super) squares: u64,
}

/// Reason why a word is not a designator.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DesignatorError {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Text to write in place of the word, if it is plain.
    pub(super) text: Option<String>,
}

fn fault(code: &'static str, message: impl Into<String>) -> DesignatorError {
    DesignatorError { code, message: message.into(), help: None, text: None }
}

impl DesignatorError {
    fn with_help(mut self, help: String) -> DesignatorError {
        self.help = Some(help);
        self
    }

    fn with_text(self, text: String) -> DesignatorError {
        DesignatorError { text: Some(text.clone()), ..self.with_help(format!("write `{text}`")) }
    }
}

/// Reads a designator. `tag` returns the tag with a name.
pub(super) fn read(
    word: &[u8],
    tag: impl Fn(&[u8]) -> Option<TagId>,
) -> Result<Parts, DesignatorError> {
    if let [b'$', rest @ ..] = word {
        return read_tagged(rest, tag);
    }
    let text = String::from_utf8_lossy(word);
    if let Some(squares) = without_pieces(word) {
        let message = format!("`{text}` names squares but no pieces");
        return Err(fault(code::NO_PIECES, message).with_help(format!("write `?{squares}`")));
    }
    let (kinds, rest) = pieces(word)?;
    let squares = match rest {
        [] => u64::MAX,
        [b'[', ..] => square_list(rest)?,
        &[file, rank] => match (file_bits(file), rank_bits(rank)) {
            (Some(files), Some(ranks)) => files & ranks,
            _ => return Err(no_squares(rest)),
        },
        _ => return Err(compound(word, rest)),
    };
    Ok(Parts { men: Men::Kinds(kinds), squares })
}

fn read_tagged(
    rest: &[u8],
    tag: impl Fn(&[u8]) -> Option<TagId>,
) -> Result<Parts, DesignatorError> {
    let bracket = rest.iter().position(|&byte| byte == b'[');
    let (name, squares) = rest.split_at(bracket.unwrap_or(rest.len()));
    let Some(id) = tag(name) else {
        let text = String::from_utf8_lossy(name);
        let declared = (1..name.len()).find(|&n| tag(&name[..n]).is_some());
        return Err(match declared {
            Some(n) => {
                let bracketed = [b"[", &name[n..], b"]"].concat();
                let squares = match square_list(&bracketed) {
                    Ok(_) => String::from_utf8_lossy(&bracketed),
                    Err(_) => "[…]".into(),
                };
                let name = String::from_utf8_lossy(&name[..n]);
                fault(code::BRACKETS, "the squares after a tag must stand in brackets")
                    .with_help(format!("write `${name}{squares}`"))
            }
            None => fault(code::TAG, format!("there is no tag `{text}`"))
                .with_help(format!("declare it in the match list: `:forany {text} A`")),
        });
    };
    Ok(Parts {
        men: Men::Tag(id),
        squares: match squares {
            [] => u64::MAX,
            squares => square_list(squares)?,
        },
    })
}

/// Returns the squares to write after the pieces, if the word consists of squares only.
fn without_pieces(word: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(word);
    match word {
        &[file, rank] => {
            (file_bits(file).is_some() && rank_bits(rank).is_some()).then(|| text.into_owned())
        }
        [b'[', inner @ .., b']'] => {
            (!inner.is_empty() && square_list(word).is_ok()).then(|| text.into_owned())
        }
        [b'a'..=b'h', b'-' | b'1'..=b'8' | b',', ..] => {
            let bracketed = [b"[", word, b"]"].concat();
            square_list(&bracketed).ok()?;
            Some(format!("[{text}]"))
        }
        _ => None,
    }
}

/// Returns the pieces at the start of a word, and the rest.
fn pieces(word: &[u8]) -> Result<(PieceSet, &[u8]), DesignatorError> {
    let unknown = |rest: &[u8]| {
        // The first sign, which may have several bytes.
        let shown = String::from_utf8_lossy(&rest[..rest.len().min(4)]).into_owned();
        let letter = shown.chars().next().unwrap_or('?');
        let mut fault = fault(code::DESIGNATOR, format!("`{letter}` is not a letter for pieces"));
        if letter == '_' {
            fault = fault.with_help("an empty square is `.`".to_owned());
        }
        fault
    };
    if let [b'[', rest @ ..] = word {
        let Some(close) = rest.iter().position(|&byte| byte == b']') else {
            return Err(fault(code::DESIGNATOR, "this bracket is not closed")
                .with_help("a designator contains no blanks".to_owned()));
        };
        let mut kinds = PieceSet::NONE;
        for (place, &letter) in rest[..close].iter().enumerate() {
            let known = letter_kinds(letter);
            kinds = kinds.union(known.ok_or_else(|| unknown(&rest[place..close]))?);
        }
        return Ok((kinds, &rest[close + 1..]));
    }
    match word {
        [] => Err(fault(code::DESIGNATOR, "there is no designator here")),
        [letter, rest @ ..] => Ok((letter_kinds(*letter).ok_or_else(|| unknown(word))?, rest)),
    }
}

/// Returns the piece types that a letter stands for.
fn letter_kinds(letter: u8) -> Option<PieceSet> {
    let both = |a, b| Some(PieceSet::from_letter(a)?.union(PieceSet::from_letter(b)?));
    match letter {
        b'M' => both(b'Q', b'R'),
        b'm' => both(b'q', b'r'),
        b'I' => both(b'B', b'N'),
        b'i' => both(b'b', b'n'),
        b'U' => both(b'A', b'a'),
        b'.' => Some(PieceSet::EMPTY_SQUARE),
        b'?' => Some(PieceSet::ANYTHING),
        b'_' => None,
        _ => PieceSet::from_letter(letter),
    }
}

fn no_squares(text: &[u8]) -> DesignatorError {
    let text = String::from_utf8_lossy(text);
    fault(code::DESIGNATOR, format!("`{text}` does not name squares"))
}

/// Returns the error for squares without brackets.
fn compound(word: &[u8], squares: &[u8]) -> DesignatorError {
    let bracketed = [b"[", squares, b"]"].concat();
    if square_list(&bracketed).is_err() {
        return no_squares(squares);
    }
    let pieces = String::from_utf8_lossy(&word[..word.len() - squares.len()]);
    let bracketed = String::from_utf8_lossy(&bracketed);
    fault(code::BRACKETS, "more than one square must stand in brackets")
        .with_text(format!("{pieces}{bracketed}"))
}

/// `[a1-8,?4]`
fn square_list(text: &[u8]) -> Result<u64, DesignatorError> {
    let [b'[', inner @ .., b']'] = text else {
        let message = if text.contains(&b']') {
            "nothing may stand after the squares"
        } else {
            "this bracket is not closed"
        };
        return Err(fault(code::DESIGNATOR, message)
            .with_help("a designator contains no blanks".to_owned()));
    };
    if inner.is_empty() {
        return Ok(0);
    }
    inner.split(|&byte| byte == b',').try_fold(0, |all, block| {
        let (files, rest) = span(block, file_bits).ok_or_else(|| no_squares(block))?;
        match span(rest, rank_bits) {
            Some((ranks, [])) => Ok(all | files & ranks),
            _ => Err(no_squares(block)),
        }
    })
}

/// Reads a file or rank, or a range of them with a hyphen.
fn span(text: &[u8], bits: impl Fn(u8) -> Option<u64>) -> Option<(u64, &[u8])> {
    match *text {
        [first, b'-', last, ref rest @ ..] => {
            if first == b'?' || last == b'?' || first > last {
                return None;
            }
            let all = (first..=last).try_fold(0, |all, byte| Some(all | bits(byte)?))?;
            Some((all, rest))
        }
        [first, ref rest @ ..] => Some((bits(first)?, rest)),
        [] => None,
    }
}

fn file_bits(byte: u8) -> Option<u64> {
    match byte {
        b'a'..=b'h' => Some(0x0101_0101_0101_0101 << (byte - b'a')),
        b'?' => Some(u64::MAX),
        _ => None,
    }
}

fn rank_bits(byte: u8) -> Option<u64> {
    match byte {
        b'1'..=b'8' => Some(0xff << (8 * (byte - b'1'))),
        b'?' => Some(u64::MAX),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(name: &[u8]) -> Option<TagId> {
        (name == b"rook").then_some(TagId(0))
    }

    fn letters(kinds: PieceSet) -> String {
        "PNBRQKpnbrqk."
            .chars()
            .enumerate()
            .filter(|(i, _)| kinds.0 >> i & 1 == 1)
            .map(|(_, c)| c)
            .collect()
    }

    #[test]
    fn pieces_and_squares_are_read() {
        const A4: u64 = 1 << 24;
        for (text, men, squares) in [
            ("K", "K", u64::MAX),
            ("A", "PNBRQK", u64::MAX),
            ("m", "rq", u64::MAX),
            ("[Ii]", "NBnb", u64::MAX),
            ("Ua4", "PNBRQKpnbrqk", A4),
            (".a4", ".", A4),
            ("?", "PNBRQKpnbrqk.", u64::MAX),
            ("R?1", "R", 0xff),
            ("pa?", "p", 0x0101_0101_0101_0101),
            ("R[a1-8]", "R", 0x0101_0101_0101_0101),
            ("[RQ][a1-2,h?]", "RQ", 0x8080_8080_8080_8181),
            ("n[a-b4]", "n", A4 | A4 << 1),
            ("K[]", "K", 0),
            ("[]a4", "", A4),
            ("ba4", "b", A4),
        ] {
            let parts = read(text.as_bytes(), tag).expect(text);
            let Men::Kinds(kinds) = parts.men else {
                panic!("{text} is not a tag");
            };
            assert_eq!((letters(kinds).as_str(), parts.squares), (men, squares), "{text}");
        }
    }

    #[test]
    fn tags_stand_for_men() {
        for (text, squares) in [("$rook", u64::MAX), ("$rook[a1,b1]", 3)] {
            let men = Men::Tag(TagId(0));
            assert_eq!(read(text.as_bytes(), tag), Ok(Parts { men, squares }), "{text}");
        }
    }

    #[test]
    fn faults_say_what_to_write() {
        for (text, code, help) in [
            ("d4", code::NO_PIECES, "write `?d4`"),
            ("a?", code::NO_PIECES, "write `?a?`"),
            ("??", code::NO_PIECES, "write `???`"),
            ("[a1,b2]", code::NO_PIECES, "write `?[a1,b2]`"),
            ("a1-8", code::NO_PIECES, "write `?[a1-8]`"),
            ("Ra1-8", code::BRACKETS, "write `R[a1-8]`"),
            ("[RQ]a1,b2", code::BRACKETS, "write `[RQ][a1,b2]`"),
            ("$rook.a1", code::BRACKETS, "write `$rook[…]`"),
            ("$rooka1", code::BRACKETS, "write `$rook[a1]`"),
            ("$queen", code::TAG, "declare it in the match list: `:forany queen A`"),
            ("Xa1", code::DESIGNATOR, ""),
            ("_a1", code::DESIGNATOR, "an empty square is `.`"),
            ("Ka9", code::DESIGNATOR, ""),
            ("R[8-1a]", code::DESIGNATOR, ""),
            ("R[h-a1]", code::DESIGNATOR, ""),
            ("R[a1", code::DESIGNATOR, "a designator contains no blanks"),
            ("R[a1]b", code::DESIGNATOR, "a designator contains no blanks"),
            ("[RQ", code::DESIGNATOR, "a designator contains no blanks"),
            ("R[a1,]", code::DESIGNATOR, ""),
            ("mate", code::DESIGNATOR, ""),
        ] {
            let fault = read(text.as_bytes(), tag).expect_err(text);
            assert_eq!(fault.code, code, "{text}");
            assert_eq!(fault.help.unwrap_or_default(), help, "{text}");
        }
    }
}
