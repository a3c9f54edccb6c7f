//! Writes a game of a report as PGN, for other programs: the tags, the moves, and all comments
//! shown in the report.

use std::fmt::Write as _;

use engine::{Color, GameRow, MovetextItem, MovetextMove};

use pgn::decode;

/// Maximum length of a line in export format.
const LINE: usize = 79;

/// Returns the text of a game, with the end of its last line.
pub(crate) fn pgn_text(row: &GameRow) -> String {
    let mut out = String::new();
    for (name, value) in &row.tags {
        let value = decode(value).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{} \"{value}\"]", decode(name));
    }
    out.push('\n');
    let mut moves = Movetext { out, column: 0, needs_number: true };
    for item in &row.movetext {
        match item {
            MovetextItem::Move(mv) => moves.one_move(row, mv),
            MovetextItem::Open { comments } => {
                moves.word("(");
                moves.comments(comments.iter());
                moves.needs_number = true;
            }
            MovetextItem::Close => {
                moves.word(")");
                moves.needs_number = true;
            }
        }
    }
    moves.word(row.result.as_str());
    moves.out.push('\n');
    moves.out
}

/// Movetext that is being wrapped into lines.
struct Movetext {
    out: String,
    /// Number of characters in the current line.
    column: usize,
    needs_number: bool,
}

impl Movetext {
    fn one_move(&mut self, row: &GameRow, mv: &MovetextMove) {
        if let Some(san) = &mv.san {
            match mv.side {
                Color::White => self.word(&format!("{}.", mv.number)),
                Color::Black if self.needs_number => self.word(&format!("{}...", mv.number)),
                Color::Black => {}
            }
            self.word(san);
            self.needs_number = false;
        }
        for nag in &mv.nags {
            self.word(&format!("${nag}"));
        }
        self.comments(mv.comments.iter().chain(notes(row, mv.id)));
    }

    fn comments<'c>(&mut self, texts: impl Iterator<Item = &'c Vec<u8>>) {
        for text in texts {
            // some readers count braces, others end a comment at the first closing brace
            let text = decode(text).replace('{', "(").replace('}', ")");
            for word in format!("{{{}}}", text.trim()).split_whitespace() {
                self.word(word);
            }
            self.needs_number = true;
        }
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > LINE {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += length;
    }
}

/// Returns the comments of the query at a position.
pub(crate) fn notes(row: &GameRow, id: Option<u32>) -> impl Iterator<Item = &Vec<u8>> {
    let first = match id {
        Some(id) => row.comments.partition_point(|comment| comment.id < id),
        None => row.comments.len(),
    };
    let here = row.comments[first..].iter().take_while(move |comment| Some(comment.id) == id);
    here.map(|comment| &comment.text)
}
