//! The Chess Query Language for tree-sitter: words, signs and brackets, as far as colors and folds
//! need them.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_cql::LANGUAGE.into()).expect("a parser of this version");
//! let tree = parser.parse("cql() mate", None).expect("a tree");
//! assert!(!tree.root_node().has_error());
//! ```

use tree_sitter_language::LanguageFn;

mod parser {
    // The generated parser takes nothing, and returns a table that never changes.
    #[allow(unsafe_code)]
    unsafe extern "C" {
        pub(super) fn tree_sitter_cql() -> *const ();
    }
}

/// The language.
// The function is that of a generated parser, as `from_raw` requires.
#[allow(unsafe_code)]
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(parser::tree_sitter_cql) };

/// The colors.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// The folds.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// The types of nodes, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tree_sitter::{Language, Parser, Query};

    use super::*;

    #[test]
    fn queries_have_trees() {
        let mut parser = Parser::new();
        parser.set_language(&LANGUAGE.into()).expect("a parser of this version");
        let mut has_error = |text: &str| {
            let tree = parser.parse(text, None).expect("a tree");
            tree.root_node().has_error()
        };
        assert!(has_error("cql( { \""));
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let mut n = 0;
        for entry in fs::read_dir(examples).expect("the examples") {
            let path = entry.expect("an example").path();
            if path.extension().is_some_and(|extension| extension == "cql") {
                let text = fs::read_to_string(&path).expect("a text");
                assert!(!has_error(&text), "{}", path.display());
                n += 1;
            }
        }
        assert!(n > 3, "{n}");
    }

    #[test]
    fn colors_and_folds_fit_the_language() {
        let language: Language = LANGUAGE.into();
        for (text, capture) in [(HIGHLIGHTS_QUERY, "keyword"), (FOLDS_QUERY, "fold")] {
            let query = Query::new(&language, text).expect("a query");
            assert!(query.capture_names().contains(&capture), "{:?}", query.capture_names());
        }
        assert!(Query::new(&language, "(nothing)").is_err());
        assert!(NODE_TYPES.contains("\"source_file\""));
    }
}
