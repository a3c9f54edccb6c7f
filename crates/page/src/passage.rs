//! Makes queries of a passage of a game (query by example).

use board::SquareSet;
use pgn::{GameTree, TagIndex, VariantNames};
use serde::Deserialize;
use serde_json::Value;
use survey::example::{PassageError, examples};

use crate::RequestError;

/// Passage of a game.
#[derive(Debug, Clone, Deserialize)]
pub struct Passage {
    /// Text of the game.
    pgn: String,
    /// Numbers of the first and the last move, such as `18...-20.`.
    range: String,
}

/// Returns the queries of a passage, each looser than the one before.
///
/// # Errors
/// The game has no such passage, or other rules.
pub fn passage(passage: &Passage) -> Result<Value, RequestError> {
    let refuse = |error: &dyn std::fmt::Display| RequestError::Bad(error.to_string());
    let text = passage.pgn.as_bytes();
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan(text);
    let tags = index.tags(text);
    let variant = VariantNames::default().variant_of(tags);
    tree.parse_as(tags, variant);
    if !tree.rules_read(tags, variant).moves_as_chess() {
        return Err(refuse(&PassageError::OtherRules));
    }
    if let Some(error) = tree.impossible_start(tags) {
        return Err(refuse(&error));
    }
    let range = passage.range.parse().map_err(|error: PassageError| refuse(&error))?;
    let made = examples(&tree, range, SquareSet::EMPTY).map_err(|error| refuse(&error))?;
    let made = made.iter().map(|one| {
        object! {
            "leftOut": one.left_out, "stage": one.stage as usize,
            "words": one.stage.description(), "query": one.query,
        }
    });
    Ok(object! { "examples": made.collect::<Value>(), "lacksWords": tree.lacks_words() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn made(range: &str) -> Result<Value, RequestError> {
        let pgn = "[White \"a\"]\n\n1. f3 e5 2. g4 {text} Qh4# 0-1\n".to_owned();
        passage(&Passage { pgn, range: range.to_owned() })
    }

    #[test]
    fn a_passage_becomes_queries() {
        let made = made("2.-2...").expect("queries");
        let all = made["examples"].as_array().expect("queries");
        assert_eq!((&all[0]["leftOut"], &all[0]["stage"]), (&json!(0), &json!(0)));
        let query = all[0]["query"].as_str().expect("a query");
        assert!(query.starts_with("cql()") && query.contains("path"), "{query}");
        assert!(all.len() > 2, "{all:?}");
    }

    #[test]
    fn words_that_are_no_moves_are_told() {
        let passage_of = |moves: &str| {
            let pgn = format!("[White \"a\"]\n\n{moves} *\n");
            passage(&Passage { pgn, range: "1.-1...".to_owned() }).expect("queries")
        };
        assert_eq!(passage_of("1. f3 e5")["lacksWords"], false);
        assert_eq!(passage_of("1. f3 e5 2. matt g4")["lacksWords"], true);
    }

    #[test]
    fn what_is_no_passage_is_refused() {
        for range in ["", "x", "3", "0-99999999999"] {
            assert!(made(range).is_err(), "{range}");
        }
    }
}
