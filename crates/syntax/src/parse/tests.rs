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
