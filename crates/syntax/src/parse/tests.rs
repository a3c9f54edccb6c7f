//! Properties of the parser that hold for every text.

pub(super) mod dump;

use proptest::prelude::*;

use super::{ParseOptions, Source, parse};
use dump::parse_body;

/// Parts of queries, so that random texts pass the lexer.
const WORDS: &[&str] = &[
    "R",
    "a1",
    ".",
    "[]",
    "x",
    "y",
    "D",
    "f",
    "1",
    "-3",
    "\"a\"",
    "{3}",
    "--",
    "[x]",
    "-->",
    "<--",
    "->",
    "<-",
    "+",
    "-",
    "*",
    "/",
    "%",
    "|",
    "&",
    "~",
    "#",
    "==",
    "!=",
    "<",
    "[<]",
    "=",
    "+=",
    "=?",
    "|=",
    ":",
    "~~",
    "?",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "\n\n",
    "///",
    ",",
    "path",
    "line",
    "find",
    "echo",
    "not",
    "and",
    "or",
    "in",
    "if",
    "then",
    "else",
    "while",
    "square",
    "piece",
    "all",
    "[element]",
    "[forall]",
    "function",
    "persistent",
    "atomic",
    "local",
    "dictionary",
    "unbind",
    "isbound",
    "sort",
    "min",
    "max",
    "quiet",
    "comment",
    "str",
    "message",
    "event",
    "player",
    "white",
    "tag",
    "hhdb",
    "prize",
    "flip",
    "rotate45",
    "count",
    "up",
    "ray",
    "pin",
    "from",
    "to",
    "power",
    "light",
    "attacks",
    "attackedby",
    "legal",
    "countmoves",
    "currentmove",
    "move",
    "parent",
    "child",
    "position",
    "currentposition",
    "check",
    "ply",
    "int",
    "ascii",
    "fen",
    "result",
    "1-0",
    "\\1",
    "focus",
    "primary",
];

proptest! {
    #[test]
    fn any_text_is_parsed_without_panic(words in prop::collection::vec(0..WORDS.len(), 0..40), glue in any::<u64>()) {
        let mut text = String::new();
        for (at, &word) in words.iter().enumerate() {
            text += WORDS[word];
            if glue >> (at % 64) & 1 == 1 {
                text.push(' ');
            }
        }
        let (text, parsed) = parse_body(&text);
        for diagnostic in &parsed.diagnostics {
            prop_assert!(diagnostic.span.start <= diagnostic.span.end);
            prop_assert!(diagnostic.span.end as usize <= text.len());
        }
    }

    #[test]
    fn any_bytes_are_parsed_without_panic(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = Source { name: "test", text: &text };
        let parsed = parse(&source, &[source], &ParseOptions::default());
        prop_assert!(!parsed.is_ok() || text.starts_with(b"cql"));
    }
}

#[test]
fn edits_have_the_whole_text() {
    let squares = "[a1,a2,a3,a4,a5,a6,a7,a8,b1,b2,b3,b4,b5,b6,b7]";
    let list = squares.replace(',', " ");
    let name = "A".repeat(50);
    for (query, mended) in [
        ("no SET", Some("not SET")),
        ("SET:f7", Some("SET[x]f7")),
        ("K=SQUARES", Some("KSQUARES")),
        ("SET x q", Some("SET[x]q")),
        ("attacks(SET k)", Some("SET attacks k")),
        ("SET-- -> k--", Some("path SET-- k--")),
        ("SET-- == true", Some("SET--")),
        ("currentmove SET", Some("currentmove SET--")),
        ("tag NAME == \"x\"", Some("tag \"NAME\" == \"x\"")),
        ("LIST & R", Some("SQUARES & R")),
        ("SET - Q == 3", Some("#SET - #Q == 3")),
        ("(R|N) - Q == 3", None),
    ] {
        let full = |text: &str| {
            let text = text.replace("SET", "RSQUARES").replace("SQUARES", squares);
            text.replace("LIST", &list).replace("NAME", &name)
        };
        let (mut text, parsed) = parse_body(&full(query));
        let edit = parsed.diagnostics.iter().find_map(|found| found.edit.as_ref());
        let found = edit.map(|edit| {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            text
        });
        let mended = mended.map(|mended| format!("cql() {}", full(mended)));
        assert_eq!(found, mended, "{query}");
    }
}
