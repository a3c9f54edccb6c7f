//! Lists of positions: FEN, or EPD with its operations, one in each line. A position becomes a
//! game without moves, an operation a tag of that game.

use board::parse_position;
use flow::LineFormat;

use super::tag::push_tag;

/// FEN or EPD in each line. Empty lines and those that begin with `#` are none.
pub(super) struct Positions;

/// Whether a line is a position; nothing if it is empty or a remark.
pub(super) fn is_position(line: &[u8]) -> Option<bool> {
    let line = line.trim_ascii();
    if line.is_empty() || line.starts_with(b"#") {
        return None;
    }
    let mut fields = line.split(u8::is_ascii_whitespace);
    let board = fields.next().unwrap_or_default();
    let is_board = board.iter().filter(|&&byte| byte == b'/').count() == 7
        && board
            .iter()
            .all(|byte| b"pnbrqkPNBRQK12345678/".contains(byte));
    Some(is_board && matches!(fields.next(), Some(b"w" | b"b")))
}

impl LineFormat for Positions {
    fn is_game(&self, line: &[u8], _: bool) -> bool {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        is_position(line).is_some()
    }

    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), String> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let (position, rest) = position_of(line.trim_ascii());
        let operations = operations(rest)?;
        let value = |name: &[u8]| {
            let found = operations.iter().find(|operation| operation.0 == name);
            found.map(|operation| operation.1.as_slice())
        };
        let clock = |name: &[u8], default| value(name).unwrap_or(default);
        let mut fen = position.join(&b' ');
        if position.len() == 4 {
            // The clocks of EPD are operations.
            for number in [clock(b"hmvc", b"0"), clock(b"fmvn", b"1")] {
                fen.push(b' ');
                fen.extend_from_slice(number);
            }
        }
        parse_position(&fen).map_err(|error| format!("this is no position: {error}"))?;
        push_tag(pgn, "Event", value(b"id").unwrap_or(b"?"));
        for (name, text) in [("Site", "?"), ("Date", "????.??.??"), ("Round", "?")] {
            push_tag(pgn, name, text.as_bytes());
        }
        for (name, text) in [
            ("White", "?"),
            ("Black", "?"),
            ("Result", "*"),
            ("SetUp", "1"),
        ] {
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

/// The fields of the position, four to six of them if they are all there, and what follows.
fn position_of(line: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut fields = Vec::new();
    let mut rest = line;
    while fields.len() < 6 && !rest.is_empty() {
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let (field, behind) = rest.split_at(end.unwrap_or(rest.len()));
        // The clocks of FEN are numbers; EPD goes on with the name of an operation.
        if fields.len() >= 4 && !field.iter().all(u8::is_ascii_digit) {
            break;
        }
        fields.push(field);
        rest = behind.trim_ascii_start();
    }
    (fields, rest)
}

/// The name and the value of an operation.
type Operation = (Vec<u8>, Vec<u8>);

/// The operations of EPD: `NAME VALUE;`, with values that may be quoted.
fn operations(mut rest: &[u8]) -> Result<Vec<Operation>, String> {
    let mut operations = Vec::new();
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return Ok(operations);
        }
        let end = rest
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || *byte == b';')
            .unwrap_or(rest.len());
        let name = &rest[..end];
        let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if !is_name {
            let name = String::from_utf8_lossy(name);
            return Err(format!(
                "'{name}' is no operation of EPD: expected a name such as bm or id behind the \
                 position"
            ));
        }
        let mut value = Vec::new();
        let mut is_quoted = false;
        let mut at = end;
        while let Some(&byte) = rest.get(at) {
            at += 1;
            match byte {
                b'"' => is_quoted = !is_quoted,
                b';' if !is_quoted => break,
                _ => value.push(byte),
            }
        }
        if is_quoted {
            let name = String::from_utf8_lossy(name);
            return Err(format!("the value of {name} has no closing quote"));
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
            (Err(message), Err(part)) => assert!(message.contains(part), "{message}"),
            (outcome, _) => panic!("{line}: {outcome:?}"),
        }
    }

    #[test]
    fn positions_become_games() {
        let fen = |clocks: &str| format!("[FEN \"{START} {clocks}\"]");
        check(START, Ok(&["[Event \"?\"]", "[SetUp \"1\"]", &fen("0 1")]));
        check(&format!("{START} 3 17"), Ok(&[&fen("3 17")]));
        check(&format!("\u{feff} {START} 3 17 "), Ok(&[&fen("3 17")]));
        check(
            "8/8/8/8/8/8/8/K1k5 w",
            Ok(&["[FEN \"8/8/8/8/8/8/8/K1k5 w\"]"]),
        );
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
        check(
            &format!("{START} 0 1 am Qh5"),
            Ok(&[&fen("0 1"), "[am \"Qh5\"]"]),
        );
        check(
            &format!("{START} c0 \"a \\ b\";"),
            Ok(&["[c0 \"a \\\\ b\"]"]),
        );
    }

    #[test]
    fn faults_are_named() {
        check("hello world", Err("no position"));
        check("8/8/8/8/8/8/8/K1k6 w - -", Err("no position"));
        check("8/8/8/8/8/8/8/K1k5 x - -", Err("no position"));
        check(&format!("{START} bm Nf3; !"), Err("'!' is no operation"));
        check(&format!("{START} id \"open"), Err("no closing quote"));
    }

    #[test]
    fn remarks_and_empty_lines_are_no_games() {
        let check = |line: &str, expected: bool| {
            assert_eq!(
                Positions.is_game(line.as_bytes(), false),
                expected,
                "{line}"
            );
        };
        check("", false);
        check("  ", false);
        check("# 8/8/8/8/8/8/8/K1k5 w", false);
        check("\u{feff}", false);
        check("nonsense", true);
        check(START, true);
    }
}
