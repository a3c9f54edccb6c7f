//! Other programs read repaired games: python-chess finds the same games with the same last
//! positions in every damaged file of the tests, in the historic games, and in these after random
//! damage.
//!
//! Without python3 and python-chess (`pip install chess`) the test reports that and ends. `PYTHON`
//! names another interpreter.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pgn::doctor::repair;
use pgn::{GameTree, Splitter, TagIndex, Variant};

/// Prints, for each game of each file, the last position of its main line and its errors.
const READER: &str = "
import logging, sys
import chess.pgn
logging.getLogger('chess.pgn').setLevel(logging.CRITICAL)
for name in sys.argv[1:]:
    print('file', name)
    with open(name, encoding='utf-8', errors='replace', newline='') as file:
        while game := chess.pgn.read_game(file):
            try:
                board = game.end().board()
            except ValueError:
                print('other rules')
                continue
            print(board.board_fen(), 'w' if board.turn else 'b', game.errors or '')
";

/// Returns the last position of the main line of each game as the reader above prints it; `None`
/// for a game of a variant.
fn last_positions(text: &[u8]) -> Vec<Option<String>> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let mut splitter = Splitter::default();
    let games = splitter.split(text, true);
    let positions = games.map(|raw| {
        let clean = raw.clean_text(&mut buffer);
        index.scan(clean);
        let tags = index.tags(clean);
        tree.parse(tags);
        let last = std::iter::successors(Some(0), |&node| tree.next(node)).last();
        let fen = tree.fen(last.unwrap_or(0));
        let mut fields = fen.split(' ');
        let board = fields.next().unwrap_or_default();
        let turn = fields.next().unwrap_or_default();
        (tags.variant() == Variant::Standard).then(|| format!("{board} {turn} "))
    });
    positions.collect()
}

/// A small deterministic generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// Damages games in typical ways: words are lost, added, glued and moved. The moves keep their
/// spelling, since a search reads some spellings that other programs do not.
fn damaged(text: &str, random: &mut Random) -> String {
    const WORDS: [&str; 16] = [
        "{", "}", "(", ")", "1-0", "*", "[", "]", "\n", "Sf6", "½-½", "‼", "word", "$", "\n\n", "%",
    ];
    let mut words: Vec<&str> = text.split(' ').collect();
    for _ in 0..=random.below(4) {
        let at = 1 + random.below(words.len() - 1);
        match random.below(3) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, WORDS[random.below(WORDS.len())]),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
    }
    words.join(" ")
}

fn files_of(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let entries = fs::read_dir(directory).expect("the directory is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "pgn")).collect();
    files.sort();
    files
}

#[test]
fn python_chess_reads_repaired_games() {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let has_chess = Command::new(&python).args(["-c", "import chess.pgn"]).output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with chess is not installed");
        return;
    }
    let mut texts: Vec<(String, Vec<u8>)> = Vec::new();
    let mut files = files_of("tests/torture");
    files.extend(files_of("../../examples"));
    for path in files {
        texts.push((path.display().to_string(), fs::read(&path).expect("read")));
    }
    let start = "[Event \"a\"]\n";
    for (tags, moves) in [
        ("[FEN \"4k3/8/8/8/44/8/8/4K3 w - - 0 1\"]\n", "1. Ke2 Ke7 *"),
        ("[FEN \"4k38888884K3 w - - 3 7\"]\n", "7. Ke2 Ke7 *"),
        ("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w\"]\n", "1. O-O O-O-O *"),
        ("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R wkqKQ - 0 1\"]\n", "1. O-O O-O-O *"),
        (" ; Nf3\n[White \"W\"]\n", "1. e4 e5 00002. Nf3 *"),
        (" % d4\n\t; d5\n\n", "1. e4 e5 *"),
    ] {
        let text = format!("{start}{tags}[Result \"*\"]\n\n{moves}");
        texts.push((tags.to_owned(), text.into_bytes()));
    }
    let historic = fs::read_to_string(files_of("../../examples")[0].clone()).expect("read");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for run in 0..600 {
        let name = format!("damaged {run}");
        let length = 4_000.min(historic.len());
        texts.push((name, damaged(&historic[..length], &mut random).into_bytes()));
    }
    let directory = std::env::temp_dir().join(format!("repaired-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("made");
    let mut command = Command::new(&python);
    command.args(["-c", READER]);
    let mut expected = Vec::new();
    for (number, (name, text)) in texts.iter().enumerate() {
        let repaired = repair(text);
        if !repaired.is_sound {
            continue;
        }
        let path = directory.join(format!("{number}.pgn"));
        fs::write(&path, &repaired.text).expect("written");
        command.arg(&path);
        expected.push((name, text, repaired.text.clone(), last_positions(&repaired.text)));
    }
    let output = command.output().expect("python runs");
    fs::remove_dir_all(&directory).expect("removed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let files: Vec<&str> = printed.split("file ").skip(1).collect();
    assert_eq!(files.len(), expected.len());
    assert!(files.len() > 300, "{}", files.len());
    let mut wrong = Vec::new();
    for (file, (name, text, repaired, positions)) in files.iter().zip(&expected) {
        let read: Vec<&str> = file.lines().skip(1).collect();
        let agrees = read.len() == positions.len()
            && positions
                .iter()
                .zip(&read)
                .all(|(own, other)| own.as_ref().is_none_or(|own| own == other));
        if !agrees {
            wrong.push(format!(
                "{name}: {read:?}, and not {positions:?}\n{}\n->\n{}",
                String::from_utf8_lossy(text),
                String::from_utf8_lossy(repaired)
            ));
        }
    }
    let shown: Vec<&String> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} of {}: {shown:#?}", wrong.len(), files.len());
}
