//! Translates words of people and other programs into PGN.
//!
//! The tables do not guess: a word is translated only if it is listed, and a move counts only if it
//! is legal in its position, which the doctor checks.

use crate::parse::has_square;
use crate::values::GameResult;

/// The piece letters of a language: king, queen, rook, bishop, knight.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Language {
    pub(super) name: &'static str,
    /// Whether a single word is enough to recognize the language, since many games are in it.
    pub(super) is_common: bool,
    letters: [&'static str; 5],
}

const fn language(name: &'static str, letters: [&'static str; 5]) -> Language {
    Language { name, is_common: false, letters }
}

const fn common(name: &'static str, letters: [&'static str; 5]) -> Language {
    Language { is_common: true, ..language(name, letters) }
}

const ENGLISH: [u8; 5] = *b"KQRBN";

/// Languages by the letters of their pieces. If several have the same letters, the one with the
/// most games is listed for all.
pub(super) const LANGUAGES: [Language; 21] = [
    // Also Danish, Norwegian, Swedish, Croatian and Slovene.
    common("German", ["K", "D", "T", "L", "S"]),
    common("French", ["R", "D", "T", "F", "C"]),
    // Also Italian and Catalan.
    common("Spanish", ["R", "D", "T", "A", "C"]),
    language("Portuguese", ["R", "D", "T", "B", "C"]),
    language("Dutch", ["K", "D", "T", "L", "P"]),
    language("Polish", ["K", "H", "W", "G", "S"]),
    // Also Slovak.
    language("Czech", ["K", "D", "V", "S", "J"]),
    language("Hungarian", ["K", "V", "B", "F", "H"]),
    language("Romanian", ["R", "D", "T", "N", "C"]),
    language("Finnish", ["K", "D", "T", "L", "R"]),
    language("Estonian", ["K", "L", "V", "O", "R"]),
    language("Latvian", ["K", "D", "T", "L", "Z"]),
    language("Lithuanian", ["K", "V", "B", "R", "Ž"]),
    language("Icelandic", ["K", "D", "H", "B", "R"]),
    language("Turkish", ["Ş", "V", "K", "F", "A"]),
    language("Indonesian", ["R", "M", "B", "G", "K"]),
    common("Russian", ["Кр", "Ф", "Л", "С", "К"]),
    language("Ukrainian", ["Кр", "Ф", "Т", "С", "К"]),
    language("Serbian", ["К", "Д", "Т", "Л", "С"]),
    language("Bulgarian", ["Ц", "Д", "Т", "О", "К"]),
    language("Greek", ["Ρ", "Β", "Π", "Α", "Ι"]),
];

impl Language {
    /// Returns a written move with English letters; `None` if the word is no move in this language,
    /// even if it is one in another.
    pub(super) fn in_english(&self, word: &[u8]) -> Option<Vec<u8>> {
        let is_castling = matches!(word.first(), Some(b'O' | b'o'));
        // `Schach` is no move.
        if !is_castling && !has_square(word) {
            return None;
        }
        let mut usual = match self.letter(word) {
            _ if is_castling => word.to_vec(),
            Some((letter, length)) if is_behind_piece(word.get(length)) => {
                [&[letter], &word[length..]].concat()
            }
            _ if matches!(word.first(), Some(b'a'..=b'h')) => word.to_vec(),
            _ => return None,
        };
        // `e8=D`, `e8D`, `exd8(D)+`
        let is_last_rank = |&at: &usize| matches!(usual[at], b'1' | b'8');
        if usual[0].is_ascii_lowercase()
            && let Some(rank) = (0..usual.len()).rfind(is_last_rank)
        {
            let signs = usual[rank + 1..].iter();
            let piece = rank + 1 + signs.take_while(|b| matches!(b, b'=' | b'(' | b'/')).count();
            if let Some((letter, length)) = self.letter(&usual[piece..]) {
                usual.splice(piece..piece + length, [letter]);
            }
        }
        Some(usual)
    }

    /// Returns the English letter for the first letter of a word, and the length of that first
    /// letter in bytes.
    fn letter(&self, word: &[u8]) -> Option<(u8, usize)> {
        let letters = self.letters.iter().zip(ENGLISH);
        let found = letters.filter(|(own, _)| word.starts_with(own.as_bytes()));
        let found = found.max_by_key(|(own, _)| own.len());
        found.map(|(own, english)| (english, own.len()))
    }
}

/// Whether a word may be a move with the letters of some language, and not with English ones.
pub(super) fn may_be_foreign(word: &[u8]) -> bool {
    let mut languages = LANGUAGES.iter();
    languages.any(|language| language.in_english(word).is_some_and(|usual| usual != word))
}

/// Whether a byte may follow the piece letter in a move.
fn is_behind_piece(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'a'..=b'h' | b'1'..=b'8' | b'x' | b':' | b'-'))
}

/// Signs after moves, as printed in books, with their NAGs. Signs for one side have two numbers;
/// the table has that of White.
const GLYPHS: [(&str, u8); 42] = [
    ("!", 1),
    ("?", 2),
    ("‼", 3),
    ("!!", 3),
    ("⁇", 4),
    ("??", 4),
    ("⁉", 5),
    ("!?", 5),
    ("⁈", 6),
    ("?!", 6),
    ("□", 7),
    ("▢", 7),
    ("☐", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("+-", 18),
    ("-+", 19),
    ("⊙", 22),
    ("⨀", 22),
    ("○", 26),
    ("◯", 26),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("⯹", 44),
    ("=∞", 44),
    ("⇄", 132),
    ("⇆", 132),
    ("⊕", 138),
    ("⨁", 138),
    ("∆", 140),
    ("△", 140),
    ("Δ", 140),
    ("∇", 141),
    ("⌓", 142),
    ("≤", 143),
    ("⟂", 151),
];

/// Returns the NAG of a sign for Black or for White.
fn glyph(sign: &str, of_black: bool) -> Option<u8> {
    let (_, number) = GLYPHS.iter().find(|row| row.0 == sign)?;
    let has_two = matches!(number, 22 | 26 | 32 | 36 | 40 | 44 | 132 | 138);
    Some(number + u8::from(has_two && of_black))
}

/// Spells a word with the signs of PGN: letters for figurines, ASCII dashes and crosses, and glyphs
/// as NAGs after the move. `None` if the word has none of these signs.
pub(super) fn in_ascii(word: &[u8], of_black: bool) -> Option<(Vec<u8>, String)> {
    if word.is_ascii() {
        return None;
    }
    let mut plain = String::new();
    for character in str::from_utf8(word).ok()?.chars() {
        plain.push(match character {
            '♔' | '♚' => 'K',
            '♕' | '♛' => 'Q',
            '♖' | '♜' => 'R',
            '♗' | '♝' => 'B',
            '♘' | '♞' => 'N',
            // Pawns have no letter, and variation selectors of figurines are invisible.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{feff}' => continue,
            '×' | '✕' | '⨯' => 'x',
            '‐'..='―' | '−' | '﹣' | '－' => '-',
            '†' | '‡' | '＋' => '+',
            '≠' | '＃' => '#',
            // Cyrillic, Greek and wide letters of castling.
            'О' | 'о' | 'Ο' | 'Ｏ' | '０' => 'O',
            // Cyrillic letters of files, and the cross between them.
            'а' => 'a',
            'с' => 'c',
            'е' => 'e',
            'х' => 'x',
            '！' => '!',
            '？' => '?',
            '＝' => '=',
            other => other,
        });
    }
    let tail = plain.find(|c: char| !c.is_ascii());
    let mut end = tail.unwrap_or(plain.len());
    if tail.is_some() || glyph(&plain, of_black).is_some() {
        // The sign `=∞` is a single glyph.
        end = plain[..end].trim_end_matches(['=', '!', '?', '+', '-']).len();
        // A sign of check belongs to the move.
        end += usize::from(end > 0 && plain[end..].starts_with('+'));
    }
    let glyphs = numbers(&plain[end..], of_black)?;
    plain.truncate(end);
    Some((plain.into_bytes(), glyphs))
}

/// Returns consecutive glyphs as NAGs, each with a blank before it.
fn numbers(mut signs: &str, of_black: bool) -> Option<String> {
    let mut all = String::new();
    while !signs.is_empty() {
        let ends = signs.char_indices().map(|(at, c)| at + c.len_utf8());
        let known = ends.filter_map(|end| Some((end, glyph(&signs[..end], of_black)?)));
        let (end, number) = known.max_by_key(|(end, _)| *end)?;
        all += &format!(" ${number}");
        signs = &signs[end..];
    }
    Some(all)
}

/// Whether a word is a spelling of a null move that a search does not read.
pub(super) fn is_null_move(word: &[u8]) -> bool {
    const SPELLINGS: [&str; 12] =
        ["@@@@", "0000", "<>", "pass", "Pass", "PASS", "---", "NULL", "Null", "z0", "––", "−−"];
    SPELLINGS.iter().any(|spelling| spelling.as_bytes() == word)
}

/// Returns the sign of check for a word after a move: `ch` or `mate`, with or without the kind of
/// check.
pub(super) fn check_sign(word: &[u8]) -> Option<&'static str> {
    const KINDS: [&[u8]; 6] = [b"dis", b"disc", b"dbl", b"db", b"double", b"disch"];
    let word = word.to_ascii_lowercase();
    let mut words = word.split(|b| *b == b'.').filter(|part| !part.is_empty());
    let last = words.next_back()?;
    words.all(|kind| KINDS.contains(&kind)).then_some(())?;
    match last {
        b"ch" | b"check" => Some("+"),
        b"mate" | b"ch'mate" | b"checkmate" => Some("#"),
        _ => None,
    }
}

/// Finds a pawn move that is separated from its promotion: `b8= Q`, `b8 =Q`, `b8=(Q)`, `b8 (Q)`.
/// Returns its length in bytes and its usual spelling.
pub(super) fn odd_promotion(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let blanks = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        at + rest.iter().take(4).take_while(|b| b.is_ascii_whitespace()).count()
    };
    let head = match text {
        [b'a'..=b'h', b'1' | b'8', ..] => 2,
        [b'a'..=b'h', b'x' | b':' | b'-', b'a'..=b'h', b'1' | b'8', ..] => 4,
        [b'a'..=b'h', b'2' | b'7', b'a'..=b'h', b'1' | b'8', ..] => 4,
        _ => return None,
    };
    let mut at = blanks(head);
    if matches!(text.get(at), Some(b'=' | b'/')) {
        at = blanks(at + 1);
    }
    let opens = text.get(at) == Some(&b'(');
    if opens {
        at = blanks(at + 1);
    }
    let role = text.get(at)?.to_ascii_uppercase();
    b"QRBN".contains(&role).then_some(())?;
    at += 1;
    if opens {
        at = blanks(at);
        (text.get(at) == Some(&b')')).then_some(())?;
        at += 1;
    }
    // The words `b8 Qh5` are two moves.
    if text.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'x' | b'-' | b'@')) {
        return None;
    }
    let usual = [&text[..head], b"=", &[role]].concat();
    let is_read = text.starts_with(&usual) || at == head + 1;
    (!is_read).then_some((at, usual))
}

/// Meaning of a result in an odd spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OddResult {
    /// A result of PGN.
    Usual(GameResult),
    /// A result that PGN does not have, such as a loss of both players.
    Other,
}

/// Length in bytes of ` 1 / 2 – 1 / 2 .` and a few more.
const LONGEST_RESULT: usize = 24;

/// Reads a result in any spelling except those of PGN: `½-½`, `½`, `0.5 - 0.5`, `1–0`, `1-O`,
/// `1-0.`, `0-0`, `1/2-0`.
pub(super) fn odd_result(word: &[u8]) -> Option<OddResult> {
    const POINTS: [(&str, u8); 8] =
        [("1/2", 1), ("0.5", 1), ("0,5", 1), (".5", 1), ("½", 1), ("1", 2), ("0", 0), ("O", 0)];
    // Longer words are no results.
    if word.len() > 2 * LONGEST_RESULT {
        return None;
    }
    let word = str::from_utf8(word).ok()?;
    let text: String = word.split_whitespace().collect();
    let text = text.trim_end_matches(['.', ',', ';', '!']);
    let points = |text: &str| {
        let text = text.replace(['o', 'О', 'о'], "O");
        POINTS.iter().find(|row| row.0 == text).map(|row| row.1)
    };
    let is_dash = |c: char| matches!(c, '-' | ':' | '‐'..='―' | '−');
    let (white, black) = match text.split_once(is_dash) {
        Some(sides) => sides,
        None if text == "½" => (text, text),
        None => return None,
    };
    let is_castling = !text.contains(|c: char| c.is_numeric());
    match (points(white)?, points(black)?) {
        _ if is_castling || ["1-0", "0-1", "1/2-1/2"].contains(&word) => None,
        (2, 0) => Some(OddResult::Usual(GameResult::WhiteWins)),
        (0, 2) => Some(OddResult::Usual(GameResult::BlackWins)),
        (1, 1) => Some(OddResult::Usual(GameResult::Draw)),
        (2, 2) => None,
        _ => Some(OddResult::Other),
    }
}

/// Returns the result in an odd spelling at the end of a text, with its offset.
pub(super) fn odd_result_at_end(text: &[u8]) -> Option<(usize, OddResult)> {
    let from = text.len().saturating_sub(LONGEST_RESULT);
    // The longest result counts: `0.5-0.5` ends with `5-0.5`.
    (from..text.len()).find_map(|at| {
        let before = text[..at].last();
        let is_start = before.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'}' | b')'));
        let is_word = is_start && !text[at].is_ascii_whitespace();
        let result = is_word.then(|| odd_result(&text[at..]))??;
        Some((at, result))
    })
}

/// Returns the length of the result in an odd spelling at the start of a text; the longest one
/// counts.
pub(super) fn odd_result_at_start(text: &[u8]) -> Option<usize> {
    let ends_word = |at: &usize| {
        let next = text.get(*at);
        next.is_none_or(|b| b.is_ascii_whitespace() || b"(){}".contains(b))
            && !text[at - 1].is_ascii_whitespace()
    };
    let mut lengths = (1..=text.len().min(LONGEST_RESULT)).rev().filter(ends_word);
    lengths.find(|&length| odd_result(&text[..length]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_languages() {
        let check = |name: &str, word: &str, usual: Option<&str>| {
            let language = LANGUAGES.iter().find(|language| language.name == name);
            let found = language.expect("a language").in_english(word.as_bytes());
            let found = found.map(|found| String::from_utf8(found).expect("a text"));
            assert_eq!(found.as_deref(), usual, "{word}");
        };
        check("German", "Sf6", Some("Nf6"));
        check("German", "Sbd7+", Some("Nbd7+"));
        check("German", "e8D+", Some("e8Q+"));
        check("German", "exd8=S", Some("exd8=N"));
        check("German", "Nf3", None);
        check("German", "Sizilianisch", None);
        check("German", "Schach", None);
        check("French", "Re1", Some("Ke1"));
        check("Russian", "Крf1", Some("Kf1"));
        check("Russian", "Кf1", Some("Nf1"));
        check("Dutch", "O-O", Some("O-O"));
    }

    #[test]
    fn signs_of_books() {
        let check = |word: &str, usual: Option<&str>| {
            let found = in_ascii(word.as_bytes(), true);
            let found = found.map(|(mv, glyphs)| String::from_utf8(mv).expect("ASCII") + &glyphs);
            assert_eq!(found.as_deref(), usual, "{word}");
        };
        check("Nf3", None);
        check("♘f3", Some("Nf3"));
        check("♙e4", Some("e4"));
        check("Nf3‼", Some("Nf3 $3"));
        check("♘×e5+⩲", Some("Nxe5+ $14"));
        check("e2–e4", Some("e2-e4"));
        check("0–0–0", Some("0-0-0"));
        check("ехd4", Some("exd4"));
        check("О-О", Some("O-O"));
        check("±", Some(" $16"));
        check("=∞", Some(" $45"));
        check("Nf3⇄", Some("Nf3 $133"));
        check("Naïve", None);
    }

    #[test]
    fn promotions_and_results() {
        let promotion = |text: &str| {
            let (length, usual) = odd_promotion(text.as_bytes())?;
            Some((length, String::from_utf8(usual).expect("ASCII")))
        };
        for text in ["b8= Q Kf6", "b8 =Q", "b8=(Q)", "b8 (Q)+", "b8/q", "b8 = Q"] {
            assert_eq!(promotion(text).expect(text).1, "b8=Q", "{text}");
        }
        assert_eq!(promotion("axb8 =N+"), Some((7, "axb8=N".to_owned())));
        for text in ["b8=Q", "b8Q", "b8 Qh5", "b8 Kf6", "b7 Q", "b8 (Qh5)"] {
            assert_eq!(promotion(text), None, "{text}");
        }
        let check = |text: &str, want| assert_eq!(odd_result(text.as_bytes()), want, "{text}");
        for text in ["½-½", "½", "½-½.", "0.5-0.5", "1/2 - 1/2", "1 /2-1/2", "0,5:0,5", "½–½"]
        {
            check(text, Some(OddResult::Usual(GameResult::Draw)));
        }
        for text in ["1–0", "1-0,", "1 -0", "1-O"] {
            check(text, Some(OddResult::Usual(GameResult::WhiteWins)));
        }
        check("0 - 1", Some(OddResult::Usual(GameResult::BlackWins)));
        for text in ["0-0", "1/2-0", "0-½", "1-½"] {
            check(text, Some(OddResult::Other));
        }
        for text in ["1-0", "0-1", "1/2-1/2", "1-1", "x-0", "e4", "O-O-O", "O-O", "1 1-0"] {
            check(text, None);
        }
        assert_eq!(odd_result_at_end(b"e4 e5 1 - 0").map(|found| found.0), Some(6));
        assert_eq!(odd_result_at_end(b"1. e4 0.5-0.5").map(|found| found.0), Some(6));
        let length = |text: &str| odd_result_at_start(text.as_bytes());
        assert_eq!(length("1 - 0) Nf3"), Some(5));
        assert_eq!(length("0.5-0.5 Nf3"), Some(7));
        assert_eq!(length("1. e4"), None);
        assert_eq!(odd_result_at_end(b"1. e4 a0-0").map(|found| found.0), None);
    }
}
