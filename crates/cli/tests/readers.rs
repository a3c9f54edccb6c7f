//! What is written is read by others: python-chess reads the games that the queries of the cookbook
//! find, with their comments and variations, and sees as many games and moves as are there.
//!
//! Without python3 and its package `chess` (`pip install chess`) the test says so and ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pgn::{GameTree, Splitter, TagIndex};

/// Prints for each file: its name, its games, the moves of all lines, the comments, the errors.
const READER: &str = "
import logging, sys
import chess.pgn
logging.getLogger('chess.pgn').setLevel(logging.CRITICAL)
for name in sys.argv[1:]:
    with open(name, encoding='utf-8', errors='replace') as file:
        games = moves = comments = 0
        errors = []
        while game := chess.pgn.read_game(file):
            games += 1
            errors += game.errors
            stack = [game]
            while stack:
                node = stack.pop()
                comments += bool(node.comment)
                moves += len(node.variations)
                stack += node.variations
        print(name, games, moves, comments, errors)
";

/// Bodies and whole queries of the cookbook.
fn queries() -> Vec<String> {
    let cookbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/cookbook");
    let mut pages: Vec<PathBuf> = fs::read_dir(cookbook)
        .expect("the cookbook")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    let mut queries = Vec::new();
    for page in pages {
        let text = fs::read_to_string(page).expect("a page");
        for block in text.split("\n```cql").skip(1) {
            let (_, body) = block.split_once('\n').expect("a block");
            let body = body.split("\n```").next().unwrap_or_default();
            queries.push(match body.contains("cql(") {
                true => body.to_owned(),
                false => format!("cql() {body}"),
            });
        }
    }
    queries
}

/// Games, moves of all lines, and comments.
fn count(file: &[u8]) -> [usize; 3] {
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    let mut counts = [0; 3];
    for raw in Splitter::default().split(file, true) {
        index.scan(raw.text);
        tree.parse(index.tags(raw.text));
        let comment = |node: usize| tree.comment(raw.text, node).unwrap_or_default();
        let with_comment = (0..tree.len()).filter(|&node| !comment(node).is_empty());
        let found = [1, tree.len() - 1, with_comment.count()];
        counts.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
    }
    counts
}

#[test]
fn python_chess_reads_what_is_written() {
    let has_reader = Command::new("python3")
        .args(["-c", "import chess.pgn"])
        .output();
    if !has_reader.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with the package chess is not installed");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let games = [
        "examples/historic.pgn",
        "examples/miniatures.pgn",
        "examples/positions.pgn",
    ];
    let dir = tempfile::tempdir().expect("a directory");
    let mut written = Vec::new();
    for (number, query) in queries().iter().enumerate() {
        let file = dir.path().join(format!("{number}.cql"));
        fs::write(&file, query).expect("written");
        let out = dir.path().join(format!("{number}.pgn"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command.current_dir(&root).arg("-variations");
        for games in games {
            command.arg("-i").arg(games);
        }
        command.arg("-o").arg(&out).arg(&file);
        let output = command.output().expect("the program runs");
        if output.status.success() {
            written.push(out);
        }
    }
    assert!(written.len() > 80, "only {} queries ran", written.len());
    let reader = Command::new("python3")
        .arg("-c")
        .arg(READER)
        .args(&written)
        .output();
    let output = reader.expect("the reader runs");
    let read = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut sums = [0; 3];
    for (out, line) in written.iter().zip(read.lines()) {
        let counts = count(&fs::read(out).expect("an output"));
        let [games, moves, comments] = counts;
        let expected = format!("{} {games} {moves} {comments} []", out.display());
        assert_eq!(line, expected);
        sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    let [games, moves, comments] = sums;
    assert!(games > 300 && moves > 10_000 && comments > 1000, "{sums:?}");
}
