//! Separates the names after a subcommand into queries and games, and tells positions from them.

use std::path::{Path, PathBuf};

use super::library;
use super::text::{file_of, of_words};
use crate::args::{is_query_file, is_surely_games};
use crate::failure::{Failure, wrong_argument};

/// Queries and games named after a subcommand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QueryAndGameNames {
    pub(super) queries: Vec<PathBuf>,
    pub(super) games: Vec<PathBuf>,
}

/// Separates queries and games; prints an error if either is missing.
pub(super) fn sort(names: &[PathBuf], inputs: &[PathBuf]) -> Result<QueryAndGameNames, Failure> {
    told_apart(names, inputs).map_err(wrong_argument)
}

/// Separates queries and games. Games come after the queries, as in a search. With `-input`, all
/// names are queries.
fn told_apart(names: &[PathBuf], inputs: &[PathBuf]) -> Result<QueryAndGameNames, String> {
    let mut sorted = QueryAndGameNames { queries: Vec::new(), games: inputs.to_vec() };
    for (place, name) in names.iter().enumerate() {
        if !inputs.is_empty() || is_query(name, place == 0) {
            sorted.queries.push(name.clone())
        } else {
            sorted.games.push(name.clone())
        }
    }
    let message = match (sorted.queries.as_slice(), sorted.games.as_slice()) {
        ([], [first, ..]) => format!(
            "no query to run: {} holds games; the name of a query must end in .cql, and a query \
             without a file is an argument itself: 'mate'",
            first.display()
        ),
        (_, []) => "no games to search: list them after the queries or use -input".to_owned(),
        _ => return Ok(sorted),
    };
    Err(message)
}

/// Whether a word begins with the board of a FEN, or with what was meant as one.
pub(super) fn looks_like_fen(word: &str) -> bool {
    let board = word.split_whitespace().next().unwrap_or_default();
    let is_rank = |rank: &&str| {
        !rank.is_empty() && rank.bytes().all(|byte| b"pnbrqkPNBRQK12345678".contains(&byte))
    };
    board.split('/').filter(is_rank).count() >= 6
}

/// Whether a name is that of a query or of a directory of queries. A name that could be either is a
/// query if it comes first.
fn is_query(name: &Path, is_first: bool) -> bool {
    let text = name.as_os_str();
    if is_query_file(text) || library::is_named(name) {
        return true;
    }
    if name.is_dir() {
        return holds_queries(name);
    }
    // as in `run 'mate' 'clock < 10' games.pgn`
    !is_surely_games(text) && (is_first || file_of(name) != name) || of_words(name).is_some()
}

/// Whether a directory itself contains a query.
fn holds_queries(directory: &Path) -> bool {
    let entries = std::fs::read_dir(directory);
    let mut names = entries.into_iter().flatten().flatten();
    names.any(|entry| is_query_file(&entry.file_name()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_stand_behind_queries() {
        let place = tempfile::tempdir().expect("a directory");
        let at = |name: &str| place.path().join(name);
        for name in ["queries", "games"] {
            fs::create_dir(at(name)).expect("a directory");
        }
        for name in ["queries/a.cql", "b.cql", "games/a.pgn", "c"] {
            fs::write(at(name), "").expect("written");
        }
        let check = |names: &[&str], inputs: &[&str], queries: &[&str], games: &[&str]| {
            let paths = |names: &[&str]| -> Vec<PathBuf> {
                let path = |name: &&str| match *name {
                    "-" => PathBuf::from("-"),
                    name => at(name),
                };
                names.iter().map(path).collect()
            };
            let expected = QueryAndGameNames { queries: paths(queries), games: paths(games) };
            let found = sort(&paths(names), &paths(inputs));
            assert_eq!(found, Ok(expected), "{names:?} {inputs:?}");
        };
        check(&["b.cql", "a.pgn"], &[], &["b.cql"], &["a.pgn"]);
        check(&["b", "none", "games"], &[], &["b"], &["none", "games"]);
        check(&["queries", "c"], &[], &["queries"], &["c"]);
        check(&["none", "b", "x.zst"], &[], &["none", "b"], &["x.zst"]);
        check(&["a.pgn", "b.cql"], &[], &["b.cql"], &["a.pgn"]);
        check(&["-", "-"], &[], &["-"], &["-"]);
        check(&["b", "-"], &["c"], &["b", "-"], &["c"]);
    }

    #[test]
    fn both_are_needed() {
        let check = |name: &str, expected: &str| {
            let message = told_apart(&[PathBuf::from(name)], &[]).expect_err(name);
            assert!(message.contains(expected), "{message}");
        };
        check("a.cql", "no games to search");
        check("a.pgn", "no query to run");
    }
}
