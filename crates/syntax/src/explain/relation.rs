//! Explains the relations of CQL 5 and of classic CQL.
//!
//! A translation of a relation, if there is one, describes step by step how the result is computed.
//! The text here describes the relation as written: the compared positions, the squares, the
//! transforms of the board, and the required number of equal squares.

mod classic;
mod cql5;

use super::Sentence;
use crate::dialect::Dialect;
use crate::span::{SourceId, Span};
use crate::tree::Type;

/// Explains the relations of a query in an older dialect, in the order of the text. Some may be
/// missing for a text with errors.
pub fn relations(text: &[u8], dialect: Dialect) -> Vec<Sentence> {
    match dialect {
        Dialect::Cql6 => Vec::new(),
        Dialect::Cql5 => {
            let query = crate::cql5::parse(text, crate::cql5::MAX_DEPTH).query;
            cql5::relations(&query, text)
        }
        Dialect::Classic => {
            let parsed = crate::classic::parse(SourceId(0), text, crate::classic::MAX_DEPTH);
            classic::relations(&parsed.query, text)
        }
    }
}

/// Creates the sentence for a condition.
fn condition(text: impl Into<String>, span: Option<Span>, below: Vec<Sentence>) -> Sentence {
    Sentence { label: String::new(), text: text.into(), ty: Some(Type::Boolean), span, below }
}

/// Quotes a part of the query.
fn quoted(text: &[u8], span: Span) -> String {
    let words = text.get(span.start as usize..span.end as usize);
    let words = String::from_utf8_lossy(words.unwrap_or_default()).into_owned();
    let words: Vec<&str> = words.split_whitespace().collect();
    format!("`{}`", words.join(" "))
}

/// Describes a range: `exactly 2`, `at least 3`, `2 to 5`; `None` if every number up to `most` is
/// allowed.
fn number(min: i32, max: i32, most: i32) -> Option<String> {
    Some(match (min <= 0, max >= most) {
        (true, true) => return None,
        _ if min == max => format!("exactly {min}"),
        (true, false) => format!("at most {max}"),
        (false, true) => format!("at least {min}"),
        (false, false) => format!("{min} to {max}"),
    })
}

/// Returns a claim about the number of squares with a property.
fn so_many(min: i32, max: i32, most: i32, what: &str) -> Option<String> {
    Some(match number(min, max, most)? {
        _ if (min, max) == (0, 0) => format!("none may {what}"),
        number => format!("{number} must {what}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relations of a query as lines, indented by depth.
    fn words(text: &str, dialect: Dialect) -> Vec<String> {
        fn add(sentence: &Sentence, depth: usize, lines: &mut Vec<String>) {
            let label = match sentence.label.as_str() {
                "" => String::new(),
                label => format!("{label}: "),
            };
            lines.push(format!("{}{label}{}", "  ".repeat(depth), sentence.text));
            for below in &sentence.below {
                add(below, depth + 1, lines);
            }
        }
        let mut lines = Vec::new();
        for sentence in relations(text.as_bytes(), dialect) {
            add(&sentence, 0, &mut lines);
        }
        lines
    }

    #[test]
    fn parameters_of_cql_5() {
        let lines = words(
            "cql(variations) mainline relation variation (tomove match) \
             (sourcesquares a targetsquares _ mismatch 1) (mismatch 2 match 3 64)",
            Dialect::Cql5,
        );
        assert_eq!(
            lines,
            [
                "this position (the source) and another one of the game, variations included \
                 (the target), before or after it, belong together:",
                "  at the target: this position is in a variation",
                "  the same side is to move in source and target",
                "  of the squares that are black pieces in the source and empty squares in the \
                 target, exactly 1 must differ",
                "  of all squares, at least 3 must be the same, and exactly 2 must differ",
            ]
        );
    }

    #[test]
    fn the_other_parameters_of_cql_5() {
        for (parameter, expected) in [
            ("(tomove mismatch)", "different sides are to move in source and target"),
            ("(ancestor)", "the target comes before the source on the same line"),
            ("(descendant)", "the target comes after the source on the same line"),
            (
                "(lcasource 1)",
                "from the last position that the ways to both have in common, it is exactly 1 \
                 move to the source",
            ),
            (
                "(lcamax 0 3)",
                "from the last position that the ways to both have in common, it is at most 3 \
                 moves to the farther of the two",
            ),
            (
                "(sort \"far\" lcasum 2 5)",
                "from the last position that the ways to both have in common, it is 2 to 5 moves \
                 to both together; games are sorted by this number (\"far\")",
            ),
            (
                "(lcasubstring 4 1000000)",
                "from the last position that the ways to both have in common, 4 to 1000000 moves \
                 in a row are the same on both ways",
            ),
            (
                "(sourcesquares attack (R k) mismatch 0)",
                "of the squares that are `attack (R k)` in the source, none may differ",
            ),
            (
                "(targetsquares h1-8)",
                "of the squares that are the h-file in the target, any number may differ",
            ),
            (
                "echoflipvertical echoshift (match 64)",
                "of all squares, each compared with where it comes to lie in the target when the \
                 board is shifted in any direction and then mirrored from left to right, exactly \
                 64 must be the same (a square that leaves the board is compared with an empty \
                 one; where none comes to lie, the target must be empty to count as the same)",
            ),
        ] {
            let query = format!("cql() relation {parameter}");
            let lines = words(&query, Dialect::Cql5);
            assert_eq!(lines.get(1).map(|l| l.trim()), Some(expected), "{query}");
        }
    }

    #[test]
    fn relations_are_found_wherever_they_stand() {
        let query = "cql() not relation (mismatch 0) flip {relation (sourcesquares square $x in R \
                     relation A$x (match 64) match 1)}";
        let lines = words(query, Dialect::Cql5);
        let n = lines.iter().filter(|l| l.contains("the main line")).count();
        assert_eq!(n, 3, "{lines:?}");
        assert!(lines.iter().any(|l| l.contains("`A$x` matches")), "{lines:?}");
        let query = "(match (position :or ((position :relation ()) (position :relation ()))))";
        assert_eq!(words(query, Dialect::Classic).len(), 10);
        assert!(words("cql() check", Dialect::Cql6).is_empty());
    }

    #[test]
    fn classic_lists() {
        let lines = words("(match (position :relation ()))", Dialect::Classic);
        assert_eq!(
            lines,
            [
                "this position (the source) and a later one (the target) belong together:",
                "  the same side is to move in source and target",
                "  no square holds different pieces in the two",
                "  no piece of the source is missing in the target",
                "  no piece of the target is new",
            ]
        );
    }

    #[test]
    fn classic_keywords() {
        let lines = words(
            "(match (position Ke6 be7 :shift :flip :relation (:pattern :shift :flip \
             :originalsamecount 0 :originaldifferentcount 1 3 :ignoresidetomove :variations \
             :missingpiececount A 1 100 :newpiececount nf6 0 1)))",
            Dialect::Classic,
        );
        assert_eq!(
            lines,
            [
                "this position (the source) and a later one, in the main line or a variation (the \
                 target), belong together:",
                "  only the squares are compared on which the pieces of the list stand in the source \
                 (`Ke6`, `be7`), as its transforms move them",
                "  as they stand, of these squares 1 to 3 must differ",
                "  as they stand, of these squares none may hold the same piece in both",
                "  for one of the ways to turn or mirror the target (8) and to shift it (225), \
                 leaving it as it is among them:",
                "    no square holds different pieces in the two",
                "    at least 1 piece of the source must be missing in the target, and all who are \
                 must be white pieces",
                "    at most 1 piece of the target must be new, and all who are must be black \
                 knights on f6",
            ]
        );
    }
}
