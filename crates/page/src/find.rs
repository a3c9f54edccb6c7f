//! Finds ideas by words, as `cql help WORDS` does.

use std::sync::OnceLock;

use ide::ideas::{Idea, IdeaKind, Index};
use serde::Deserialize;
use serde_json::Value;

use crate::book;

/// Maximum number of ideas that are sent.
const MOST: usize = 20;

/// Request for ideas.
#[derive(Debug, Clone, Deserialize)]
pub struct Wish {
    /// The words that they have.
    words: String,
}

/// Answers a question: returns the ideas that have its words, the best first, each with its query, if it
/// has one, and its page of the book, and the words that the ideas lack.
pub fn find(wish: &Wish) -> Value {
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index = INDEX.get_or_init(|| Index::new(&[]));
    let (found, lacking) = index.answer(&wish.words);
    object! {
        "ideas": found.iter().take(MOST).map(described).collect::<Value>(),
        "more": found.len().saturating_sub(MOST),
        "without": lacking,
    }
}

fn described(idea: &Idea) -> Value {
    let group = if matches!(idea.kind, IdeaKind::Recipe(_)) { "cookbook" } else { "reference" };
    let place = idea.place().and_then(|(title, heading)| {
        let page = book::named(group, title)?;
        Some(object! { "page": page, "heading": heading })
    });
    object! {
        "kind": idea.kind.name(), "label": idea.kind.to_string(), "title": idea.title,
        "line": idea.line, "query": idea.query(), "place": place,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ideas_have_queries_and_pages() {
        let check = |words: &str, kind: &str, title: &str, page: &str| {
            let told = find(&Wish { words: words.to_owned() });
            let first = &told["ideas"][0];
            assert_eq!(first["kind"], kind, "{told}");
            assert_eq!(first["title"], title, "{told}");
            assert_eq!(first["place"]["page"], page, "{told}");
        };
        check("exchange sacrifice", "recipe", "Exchange sacrifice", "cookbook/tactics.md");
        check("stalemate", "query", "stalemate", "reference/pieces.md");
        let told = find(&Wish { words: "precedence".to_owned() });
        assert_eq!(told["ideas"][0]["label"], "section of Reference", "{told}");
        for (words, title) in [
            ("rook and two pawns against rook", "flipcolor material \"KRPPKR\""),
            ("rated over 2650", "initial elo white > 2650 elo black > 2650"),
        ] {
            let told = find(&Wish { words: words.to_owned() });
            assert_eq!(told["ideas"][0]["title"], title, "{told}");
        }
        let many = find(&Wish { words: "pawn".to_owned() });
        let n = many["ideas"].as_array().map(Vec::len);
        assert!(n == Some(MOST) && many["more"].as_u64() > Some(0), "{many}");
        let none = find(&Wish { words: "nosuchtheme".to_owned() });
        assert_eq!(none, json!({ "ideas": [], "more": 0, "without": ["nosuchtheme"] }));
        let partly = find(&Wish { words: "fianchetto without rook".to_owned() });
        assert_eq!(partly["without"], json!(["without rook"]), "{partly}");
    }
}
