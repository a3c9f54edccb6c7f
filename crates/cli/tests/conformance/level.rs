//! Measures how far a run agrees with the expected result.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::corpus::{Case, Expected, Text};
use crate::program::Outcome;

/// Degree of agreement: each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The query was accepted, or refused where it must be.
    Parse,
    /// The games that match are the expected ones.
    Games,
    /// The expected comments are at the expected moves.
    Comments,
    /// The output is the same.
    Bytes,
}

impl Level {
    pub(crate) const ALL: [Level; 4] = [Level::Parse, Level::Games, Level::Comments, Level::Bytes];

    pub(crate) fn parse(name: &str) -> Option<Level> {
        let level = Level::ALL.into_iter().find(|&level| Level::name(Some(level)) == name);
        assert!(level.is_some() || name == "-", "no level: {name}");
        level
    }

    pub(crate) fn name(level: Option<Level>) -> &'static str {
        match level {
            None => "-",
            Some(Level::Parse) => "parse",
            Some(Level::Games) => "games",
            Some(Level::Comments) => "comments",
            Some(Level::Bytes) => "bytes",
        }
    }
}

/// Returns the level that a run reaches, or `None` if it does not even reach the first.
pub(crate) fn reached(expected: &Expected, outcome: &Outcome) -> Option<Level> {
    let (matches, text) = match expected {
        Expected::Refused { options } => {
            let refused = outcome.status.is_some_and(|status| status > 0)
                && outcome.pgn.is_none()
                && !outcome.text.trim().is_empty()
                && (*options || names_a_place(&outcome.text));
            return refused.then_some(Level::Bytes);
        }
        Expected::Games { matches, text } => (matches, text),
    };
    if outcome.status != Some(0) {
        return None;
    }
    let mut got = outcome.matches.clone();
    got.sort_unstable();
    if got != *matches {
        return Some(Level::Parse);
    }
    let pgn = outcome.pgn.as_deref().unwrap_or_default();
    Some(match text {
        Text::Pgn(expected) if pgn == expected => Level::Bytes,
        Text::Pgn(expected) if squeeze(pgn) == squeeze(expected) => Level::Comments,
        Text::Sha256(hash) if sha256(pgn) == *hash => Level::Bytes,
        Text::MarksSha256(hash) if sha256(&marks(pgn)) == *hash => Level::Bytes,
        _ => Level::Games,
    })
}

/// Describes the result of a run that falls short.
pub(crate) fn explain(case: &Case, outcome: &Outcome, level: Option<Level>) -> String {
    let mut text = format!("{} reaches {}", case.id(), Level::name(level));
    match (&case.expected, level) {
        (Expected::Games { matches, .. }, Some(Level::Parse)) => {
            let got = &outcome.matches;
            let missing: Vec<_> = matches.iter().filter(|n| !got.contains(n)).collect();
            let wrong: Vec<_> = got.iter().filter(|n| !matches.contains(n)).collect();
            let _ = write!(text, "\n  missing: {missing:?}\n  wrong: {wrong:?}");
        }
        (Expected::Games { text: Text::Pgn(expected), .. }, Some(_)) => {
            let got = outcome.pgn.as_deref().unwrap_or_default();
            let lines = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let (expected, got) = (lines(expected), lines(got));
            let differ = expected.lines().zip(got.lines()).find(|(a, b)| a != b);
            if let Some((expected, got)) = differ {
                let _ = write!(text, "\n  expected: {expected}\n  got:      {got}");
            }
        }
        _ => {
            let _ = write!(text, ", status {:?}\n{}", outcome.status, outcome.text);
        }
    }
    text
}

/// Whether a message contains `line:column` or `line N`.
fn names_a_place(text: &str) -> bool {
    let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let pair = (1..bytes.len())
        .any(|i| bytes[i] == b':' && digit(bytes.get(i - 1)) && digit(bytes.get(i + 1)));
    let word = ["line ", "Line "]
        .iter()
        .any(|word| text.match_indices(word).any(|(i, _)| digit(bytes.get(i + word.len()))));
    pair || word
}

/// Returns the output without white space: equal if and only if games, moves and comments are.
fn squeeze(pgn: &[u8]) -> Vec<u8> {
    pgn.iter().copied().filter(|b| !is_space(*b)).collect()
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0x0b | 0x1c..=0x1f)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns moves and match markers only: no tags, other comments, NAGs, move numbers or white
/// space.
fn marks(pgn: &[u8]) -> Vec<u8> {
    let mut moves = Vec::new();
    for line in pgn.split_inclusive(|&b| b == b'\n') {
        let is_tag = line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"]");
        if !is_tag {
            moves.extend_from_slice(line);
        }
    }
    let mut text = Vec::new();
    let mut rest = moves.as_slice();
    while let Some(&first) = rest.first() {
        let close = rest.iter().position(|&b| b == b'}');
        match (first, close) {
            (b'{', Some(close)) => {
                if has_marker(&rest[..close]) {
                    text.extend_from_slice(b"{M}");
                }
                rest = &rest[close + 1..];
            }
            _ => {
                text.push(first);
                rest = &rest[1..];
            }
        }
    }
    without_numbers(&text)
}

fn has_marker(comment: &[u8]) -> bool {
    comment
        .split(|&b| b.is_ascii() && !b.is_ascii_alphanumeric() && b != b'_')
        .any(|word| word == b"CQL" || word == b"MATCH")
}

fn without_numbers(text: &[u8]) -> Vec<u8> {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&byte) = text.get(i) {
        let rest = &text[i..];
        let n = digits(rest);
        let dots = rest[n..].iter().take_while(|&&b| b == b'.').count();
        if n > 0 && dots > 0 {
            i += n + dots;
        } else if n > 0 {
            out.extend_from_slice(&rest[..n]);
            i += n;
        } else if byte == b'$' && digits(&rest[1..]) > 0 {
            i += 1 + digits(&rest[1..]);
        } else {
            if !is_space(byte) {
                out.push(byte);
            }
            i += 1;
        }
    }
    out
}

#[test]
fn places_in_messages() {
    let check = |text: &str, expected: bool| assert_eq!(names_a_place(text), expected, "{text}");
    check("a.cql:3:12: what", true);
    check("at line 3", true);
    check("Line 12 is wrong", true);
    check("line x, a:3, 3:b", false);
    check("", false);
}

#[test]
fn only_moves_and_markers_remain() {
    let check = |pgn: &str, expected: &str| {
        assert_eq!(String::from_utf8_lossy(&marks(pgn.as_bytes())), expected, "{pgn}");
    };
    check(
        "[Event \"a\"]\n[White \"b\"]\n\n1.e4 {CQL} 1...e5 $12 ( 1...c5 ) 2.Nf3 1-0\n\n\n",
        "e4{M}e5(c5)Nf31-0",
    );
    check("{Game number 3 CQL x}\n1.e4 {a\nb} {CQLx}", "{M}e4");
    check("12.O-O {x MATCH} 0-1", "O-O{M}0-1");
}

#[test]
fn levels_of_a_run() {
    let outcome = |status, matches: &[u64], pgn: Option<&str>, text: &str| Outcome {
        status,
        matches: matches.to_vec(),
        pgn: pgn.map(|pgn| pgn.as_bytes().to_vec()),
        text: text.to_owned(),
    };
    let games = Expected::Games { matches: vec![1, 2], text: Text::Pgn(b"a b\n".to_vec()) };
    let check = |expected: &Expected, outcome: Outcome, level: &str| {
        assert_eq!(Level::name(reached(expected, &outcome)), level, "{outcome:?}");
    };
    check(&games, outcome(Some(0), &[2, 1], Some("a b\n"), ""), "bytes");
    check(&games, outcome(Some(0), &[1, 2], Some("a\nb\n"), ""), "comments");
    check(&games, outcome(Some(0), &[1, 2], Some("a c\n"), ""), "games");
    check(&games, outcome(Some(0), &[1], Some("a b\n"), ""), "parse");
    check(&games, outcome(Some(1), &[1, 2], Some("a b\n"), ""), "-");
    check(&games, outcome(None, &[], None, ""), "-");
    let refused = Expected::Refused { options: false };
    check(&refused, outcome(Some(1), &[], None, "1:2"), "bytes");
    check(&refused, outcome(Some(1), &[], None, "wrong"), "-");
    check(&refused, outcome(Some(1), &[], Some(""), "1:2"), "-");
    check(&refused, outcome(Some(0), &[], None, "1:2"), "-");
    let refused = Expected::Refused { options: true };
    check(&refused, outcome(Some(1), &[], None, "wrong"), "bytes");
}
