//! The examples show true output.

mod support;

use std::fs;

use pgn::{GameTree, Splitter, TagIndex};
use support::{cql, root, text, workplace};

#[test]
fn the_historic_games_are_legal_to_the_end() {
    let file = fs::read(root().join("examples/historic.pgn")).expect("the games");
    let (mut index, mut tree, mut n_games) = (TagIndex::default(), GameTree::default(), 0);
    for game in Splitter::default().split(&file, true) {
        n_games += 1;
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        index.scan(game.text);
        tree.parse(index.tags(game.text));
        let moves = text(game.text);
        let moves = moves.split_once("\n\n").expect("moves").1;
        // The last word is the result, and `1.e4` is one word.
        let n_moves = moves.split_whitespace().count() - 1;
        assert_eq!(tree.len() - 1, n_moves, "{}", text(game.text));
    }
    assert_eq!(n_games, 40);
}

#[test]
fn every_example_finds_what_its_list_says() {
    let dir = workplace();
    let list = fs::read_to_string(root().join("examples/README.md")).expect("the list");
    let mut n_queries = 0;
    for line in list.lines().filter(|line| line.starts_with("| `")) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let (query, n) = (columns[1].trim_matches('`'), columns[3]);
        let query = format!("examples/{query}");
        let output = cql(dir.path(), &["-i", "examples/historic.pgn", &query]);
        let shown = text(&output.stdout);
        assert!(output.status.success(), "{query}: {shown}");
        assert!(shown.contains(&format!("\n{n} matches of 40 games in ")), "{query}: {shown}");
        n_queries += 1;
    }
    let n_files = fs::read_dir(root().join("examples"))
        .expect("the examples")
        .filter(|entry| {
            let path = entry.as_ref().expect("an example").path();
            path.extension().is_some_and(|extension| extension == "cql")
        })
        .count();
    assert_eq!(n_queries, n_files, "a query is not in the list");
}
