//! Whole files are read and written as by the reference implementation, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use pgn::{Edits, GameTree, SearchTree, Splitter, TagIndex, WriteOptions, write_game};

/// Returns the output for a file of one of the queries in the data directory's README.
fn run(input: &[u8], what: &str) -> Vec<u8> {
    let (mut index, mut tree, mut order) =
        (TagIndex::default(), GameTree::default(), SearchTree::default());
    let (mut buffer, mut out, mut edits) = (Vec::new(), Vec::new(), Edits::default());
    for (number, game) in (1..).zip(Splitter::default().split(input, true)) {
        assert_eq!(game.faults, [], "the reference reads all of these games");
        let text = game.clean_text(&mut buffer);
        index.scan(text);
        let tags = index.tags(text);
        tree.parse(tags);
        order.build(&tree, matches!(what, "ids" | "silent"));
        let searched = order.of(&tree);
        edits.clear();
        if what != "silent" {
            edits.add_comment(0, format!("Game number {number}").as_bytes());
        }
        for id in 0..searched.len() {
            let node = searched.node(id);
            match what {
                "ids" => {
                    edits.add_comment(node, format!("id{id}").as_bytes());
                    edits.add_comment(node, b"CQL");
                }
                "remove" => edits.remove_comment(node),
                _ => {}
            }
        }
        write_game(&mut out, tags, &tree, &edits, &WriteOptions::default());
    }
    out
}

#[test]
fn output_is_the_same_to_the_byte() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut count = 0;
    for entry in fs::read_dir(&data).unwrap() {
        let expected_path: PathBuf = entry.unwrap().path();
        let file_name = expected_path.file_name().unwrap().to_str().unwrap();
        let [name, what, "pgn"] = file_name.split('.').collect::<Vec<_>>()[..] else {
            continue;
        };
        let input = fs::read(data.join(name).with_extension("pgn")).unwrap();
        let (got, want) = (run(&input, what), fs::read(&expected_path).unwrap());
        let shown = String::from_utf8_lossy(&got);
        assert!(got == want, "{file_name}: wrote\n{shown}");
        count += 1;
    }
    assert!(count > 25, "only {count} outputs found");
}
