//! Lists of positions: FEN, or EPD with operations, one per line. A position becomes a game without
//! moves, and each operation becomes a tag of that game.
//!
//! Lists are written in many ways. A position may be followed by a semicolon and text that is not
//! EPD: the counts of a perft suite (`;D1 20 ;D2 400`), which become tags like operations, or a
//! remark.

use board::Start;
use flow::LineFormat;

use super::line_error::LineError;
use super::mark::without_mark;
use super::tag::push_tag;

/// One FEN or EPD per line. Empty lines and lines that begin with `#`, `%` or `;` are not games.
pub(super) struct Positions;

/// Whether a line is a position; `None` if it is empty or a remark.
pub(super) fn is_position(line: &[u8]) -> Option<bool> {
    let line = line.trim_ascii();
    if matches!(line.first(), None | Some(b'#' | b'%' | b';')) {
        return None;
    }
    let mut fields = line.split(|b| b.is_ascii_whitespace() || *b == b';');
    let mut fields = fields.by_ref().filter(|field| !field.is_empty());
    let board = fields.next().unwrap_or_default();
    let is_board = board.iter().filter(|&&byte| byte == b'/').count() == 7
        && board.iter().all(|byte| b"pnbrqkPNBRQK12345678/".contains(byte));
    Some(is_board && matches!(fields.next(), Some(b"w" | b"b")))
}

impl LineFormat for Positions {
    fn is_game(&self, line: &[u8], _: bool) -> bool {
        is_position(without_mark(line)).is_some()
    }

    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), flow::LineError> {
        let (position, rest) = position_of(without_mark(line).trim_ascii());
        let operations = operations(rest)?;
        let value = |name: &[u8]| {
            let found = operations.iter().find(|operation| operation.0 == name);
            found.map(|operation| operation.1.as_slice())
        };
        let clock = |name: &[u8], default| value(name).unwrap_or(default);
        let mut fen = position.join(&b' ');
        if position.len() == 4 {
            // EPD stores the clocks as operations.
            for number in [clock(b"hmvc", b"0"), clock(b"fmvn", b"1")] {
                fen.push(b' ');
                fen.extend_from_slice(number);
            }
        }
        // Checks the FEN in the way in which the tag will be read.
        Start::parse(&fen, false).map_err(LineError::NotAPosition)?;
        push_tag(pgn, "Event", value(b"id").unwrap_or(b"?"));
        for (name, text) in [("Site", "?"), ("Date", "????.??.??"), ("Round", "?")] {
            push_tag(pgn, name, text.as_bytes());
        }
        for (name, text) in [("White", "?"), ("Black", "?"), ("Result", "*"), ("SetUp", "1")] {
            push_tag(pgn, name, text.as_bytes());
        }
        push_tag(pgn, "FEN", &fen);
        for (name, value) in &operations {
            push_tag(pgn, &String::from_utf8_lossy(name), value);
        }
        pgn.extend_from_slice(b"\n*\n");
        Ok(())
    }
}

/// Returns the fields of the position, four to six if it is complete, and the rest of the line.
fn position_of(line: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut fields = Vec::new();
    let mut rest = line;
    while fields.len() < 6 && !rest.is_empty() {
        let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b';');
        let (field, behind) = rest.split_at(end.unwrap_or(rest.len()));
        // A FEN continues with clocks, which are numbers; EPD continues with the name of an
        // operation.
        let is_behind = match fields.len() {
            0 | 1 => false,
            2 | 3 => is_operation(field) && !is_like_castling(field),
            _ => !field.iter().all(u8::is_ascii_digit),
        };
        if field.is_empty() || is_behind {
            break;
        }
        fields.push(field);
        rest = behind.trim_ascii_start();
    }
    (fields, rest)
}

/// Name and value of an operation.
type Operation = (Vec<u8>, Vec<u8>);

/// Operations of the standard, without their numbers.
const OPERATIONS: [&[u8]; 29] = [
    b"acd",
    b"acn",
    b"acs",
    b"am",
    b"bm",
    b"ce",
    b"dm",
    b"draw_accept",
    b"draw_claim",
    b"draw_offer",
    b"draw_reject",
    b"eco",
    b"fmvn",
    b"hmvc",
    b"id",
    b"nic",
    b"noop",
    b"pm",
    b"pv",
    b"rc",
    b"resign",
    b"sv",
    b"tcgs",
    b"tcri",
    b"tcsi",
    b"c",
    b"v",
    b"D",
    b"d",
];

/// Whether this is the name of an EPD operation, or of a count of a perft suite (`D1`).
fn is_operation(name: &[u8]) -> bool {
    let is_letter = |byte: &u8| !byte.is_ascii_digit();
    let end = name.iter().rposition(is_letter).map_or(0, |last| last + 1);
    let (word, number) = name.split_at(end);
    OPERATIONS.contains(&word) && number.is_empty() == (word.len() > 1)
}

/// Whether this may be a castling field with files, as in Chess960.
fn is_like_castling(field: &[u8]) -> bool {
    field.len() <= 4 && field.iter().all(|byte| matches!(byte, b'a'..=b'h'))
}

/// Parses the text after a position and a semicolon: operations, or a remark, which is kept as the
/// operation `c0`.
fn operations_behind_semicolon(rest: &[u8]) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut remark: Vec<u8> = Vec::new();
    for part in rest.split(|&byte| byte == b';').map(<[u8]>::trim_ascii) {
        let end = part.iter().position(u8::is_ascii_whitespace);
        let (name, value) = part.split_at(end.unwrap_or(part.len()));
        if is_operation(name) {
            operations.push((name.to_vec(), unquoted(value.trim_ascii())));
        } else if !part.is_empty() {
            if !remark.is_empty() {
                remark.extend_from_slice(b"; ");
            }
            remark.extend_from_slice(part);
        }
    }
    if !remark.is_empty() {
        operations.push((b"c0".to_vec(), remark));
    }
    operations
}

/// Returns a value without its surrounding quotes.
fn unquoted(value: &[u8]) -> Vec<u8> {
    let inner = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
    inner.unwrap_or(value).to_vec()
}

/// Parses EPD operations: `NAME VALUE;`, where values may be quoted.
fn operations(mut rest: &[u8]) -> Result<Vec<Operation>, LineError> {
    if rest.starts_with(b";") {
        return Ok(operations_behind_semicolon(rest));
    }
    let mut operations = Vec::new();
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return Ok(operations);
        }
        if let Some(behind) = rest.strip_prefix(b";") {
            rest = behind;
            continue;
        }
        let end = rest
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || *byte == b';')
            .unwrap_or(rest.len());
        let name = &rest[..end];
        let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if !is_name {
            return Err(LineError::NotAnOperation(String::from_utf8_lossy(name).into_owned()));
        }
        let mut value = Vec::new();
        let mut is_quoted = false;
        let mut at = end;
        while let Some(&byte) = rest.get(at) {
            at += 1;
            match byte {
                b'\\' if is_quoted && matches!(rest.get(at), Some(b'"' | b'\\')) => {
                    value.push(rest[at]);
                    at += 1;
                }
                b'"' => is_quoted = !is_quoted,
                b';' if !is_quoted => break,
                _ => value.push(byte),
            }
        }
        if is_quoted {
            return Err(LineError::OpenQuote(String::from_utf8_lossy(name).into_owned()));
        }
        operations.push((name.to_vec(), value.trim_ascii().to_vec()));
        rest = &rest[at..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn check(line: &str, expected: Result<&[&str], &str>) {
        let mut pgn = Vec::new();
        let outcome = Positions.write_pgn(line.as_bytes(), &mut pgn);
        let pgn = String::from_utf8(pgn).expect("text");
        match (outcome, expected) {
            (Ok(()), Ok(lines)) => {
                let mut rest = pgn.as_str();
                for line in lines {
                    let found = rest.split_once(&format!("{line}\n"));
                    rest = found.unwrap_or_else(|| panic!("{line} in {pgn}")).1;
                }
                assert!(pgn.ends_with("]\n\n*\n"), "{pgn}");
            }
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (outcome, _) => panic!("{line}: {outcome:?}"),
        }
    }

    #[test]
    fn positions_become_games() {
        let fen = |clocks: &str| format!("[FEN \"{START} {clocks}\"]");
        check(START, Ok(&["[Event \"?\"]", "[SetUp \"1\"]", &fen("0 1")]));
        check(&format!("{START} 3 17"), Ok(&[&fen("3 17")]));
        check(&format!("\u{feff} {START} 3 17 "), Ok(&[&fen("3 17")]));
        check("8/8/8/8/8/8/8/K1k5 w", Ok(&["[FEN \"8/8/8/8/8/8/8/K1k5 w\"]"]));
        let epd = format!("{START} bm Nf3 e4; id \"WAC; 001\"; hmvc 5; fmvn 9; acd;");
        let tags = [
            "[Event \"WAC; 001\"]",
            &fen("5 9"),
            "[bm \"Nf3 e4\"]",
            "[id \"WAC; 001\"]",
            "[hmvc \"5\"]",
            "[acd \"\"]",
        ];
        check(&epd, Ok(&tags));
        check(&format!("{START} 0 1 am Qh5"), Ok(&[&fen("0 1"), "[am \"Qh5\"]"]));
        check(&format!("{START} c0 \"a \\ b\";"), Ok(&["[c0 \"a \\\\ b\"]"]));
        check(
            &format!("{START} id \"the \\\"long\\\" one \\\\\"; bm e4;"),
            Ok(&["[Event \"the \\\"long\\\" one \\\\\"]", "[bm \"e4\"]"]),
        );
        // Castling rights may name the files of rooks, as in Chess960.
        check("r1k4r/8/8/8/8/8/8/R1K4R w HAha - 0 1", Ok(&[]));
    }

    #[test]
    fn what_follows_a_semicolon_is_kept() {
        let fen = &format!("[FEN \"{START} 0 1\"]");
        for counts in [";D1 20 ;D2 400", " ;D1 20;D2 400;", "; D1 20 ; D2 400"] {
            for clocks in ["", " 0 1"] {
                let line = format!("{START}{clocks}{counts}");
                check(&line, Ok(&[fen, "[D1 \"20\"]", "[D2 \"400\"]"]));
            }
        }
        check(&format!("{START} 0 1;"), Ok(&[fen]));
        check(&format!("{START};"), Ok(&[fen]));
        check(&format!("{START} bm e4;; id \"a\";"), Ok(&["[Event \"a\"]", "[bm \"e4\"]"]));
        check(
            &format!("{START} 0 1 ; White is to move; and wins"),
            Ok(&[fen, "[c0 \"White is to move; and wins\"]"]),
        );
        check("8/8/8/8/8/8/8/K1k5 w ;D1 3", Ok(&["[FEN \"8/8/8/8/8/8/8/K1k5 w\"]", "[D1 \"3\"]"]));
        check("8/8/8/8/8/8/8/K1k5 w bm Kb2;", Ok(&["[bm \"Kb2\"]"]));
    }

    #[test]
    fn faults_are_named() {
        check("hello world", Err("not a position"));
        check("8/8/8/8/8/8/8/K1k6 w - -", Err("not a position"));
        check("8/8/8/8/8/8/8/K1k5 x - -", Err("not a position"));
        check("8/5P2/8/2r5/8/8/8/8 w - - bm f8=B;", Err("exactly one king"));
        check("8/8/8/8/8/8/8/K1kk4 w - -", Err("exactly one king"));
        let many = "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w - -";
        check(many, Err("more than 16 pieces"));
        check("K1k5/8/8/8/8/8/8/8/8 w - -", Err("not a position"));
        check(&format!("{START} bm Nf3; !"), Err("'!' is not an operation"));
        check(&format!("{START} id \"open"), Err("no closing quote"));
    }

    #[test]
    fn remarks_and_empty_lines_are_no_games() {
        let check = |line: &str, expected: bool| {
            assert_eq!(Positions.is_game(line.as_bytes(), false), expected, "{line}");
        };
        check("", false);
        check("  ", false);
        check("# 8/8/8/8/8/8/8/K1k5 w", false);
        check("% a heading", false);
        check("; a remark", false);
        check("\u{feff}", false);
        check("nonsense", true);
        check(START, true);
    }
}
