//! Lexing a changed text incrementally gives the same result as lexing it from the start.

use std::fs;
use std::path::Path;

use syntax::{SourceId, lex, relex};

/// Text to insert: everything that begins, ends or hides something, or depends on following text.
const PIECES: [&str; 66] = [
    "\"",
    "\"",
    "/*",
    "*/",
    "//",
    "///",
    "; x",
    "\n",
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "\t",
    "♔",
    "♖♘",
    "――",
    "―",
    "—",
    "−",
    "!",
    "'",
    "“",
    "”",
    "«",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[Aa]",
    "◭",
    "[a1,b2",
    ",",
    "a1-",
    "h8",
    "{2,",
    "5}",
    "\\",
    "\\n",
    "\\-1",
    "\\{name}",
    "1-0",
    "1/2-1/2",
    "o-o-o",
    "-o",
    "input",
    "input ",
    "output\n",
    "game.pgn",
    "mate",
    "x",
    "->",
    "<=",
    "99999999999",
    "2",
    "2\n— 2",
    "\n—",
    "\u{a0}",
    "\u{fe0f}",
    "\u{feff}",
    "½",
    "@",
    "$",
    "/",
    "*",
];

/// A reproducible generator of pseudorandom numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.below(PIECES.len())]
    }
}

/// Changes a text repeatedly. Some changes are undone, others remove a part.
fn check_changes(start: &[u8], n_changes: usize, chance: &mut Chance) {
    let mut text = start.to_vec();
    let mut lexed = lex(SourceId(0), &text);
    let mut undo = None;
    for _ in 0..n_changes {
        let (range, new) = match undo.take().filter(|_| chance.below(3) == 0) {
            Some(change) => change,
            None => {
                let from = chance.below(text.len() + 1);
                let longest = [0, 0, 1, 3, 30][chance.below(5)];
                let end = (from + chance.below(longest + 1)).min(text.len());
                let n = chance.below(3);
                let new: String = (0..n).map(|_| chance.piece()).collect();
                (from..end, new.into_bytes())
            }
        };
        let before = text[range.clone()].to_vec();
        let new_end = range.start + new.len();
        text.splice(range.clone(), new);
        undo = Some((range.start..new_end, before));
        lexed = relex(SourceId(0), &text, lexed, range, new_end);
        let expected = lex(SourceId(0), &text);
        assert_eq!(lexed, expected, "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn examples_change() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cql"))
        .collect();
    paths.sort();
    assert!(paths.len() > 5);
    let mut chance = Chance(1);
    for path in paths {
        let text = fs::read(path).expect("a query");
        // Short runs start again from the query: after many changes, a text is nothing but errors.
        check_changes(&text, 60, &mut chance);
        for _ in 0..40 {
            check_changes(&text, 5, &mut chance);
        }
    }
}

#[test]
fn made_up_texts_change() {
    let mut chance = Chance(2);
    for _ in 0..1500 {
        let n_lines = 1 + chance.below(12);
        let mut text = String::new();
        for _ in 0..n_lines {
            let n_words = chance.below(5);
            for _ in 0..n_words {
                text += chance.piece();
                text += [" ", ""][chance.below(2)];
            }
            text += ["\n", "\r\n", "\n\n", " \n"][chance.below(4)];
        }
        check_changes(text.as_bytes(), 12, &mut chance);
    }
}

#[test]
fn large_texts_change() {
    let mut chance = Chance(3);
    let lines = [
        "x = power A - power a // ♔ \"\n",
        "/* two\nlines */ R → k\r\n",
        "/// \"a\" // b\n/// x\n\n",
        "move from R capture a (\"text\" \\n)\n",
    ];
    let mut text = String::from("cql()\n");
    while text.len() < 20_000 {
        text += lines[chance.below(lines.len())];
    }
    check_changes(text.as_bytes(), 300, &mut chance);
}

/// The number of errors stays near the maximum that is kept.
#[test]
fn faults_come_and_go() {
    let mut chance = Chance(4);
    for n_faults in 90..110 {
        let text = "mate\n@\n".repeat(n_faults);
        check_changes(text.as_bytes(), 40, &mut chance);
    }
}
