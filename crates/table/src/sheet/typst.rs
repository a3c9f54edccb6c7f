//! A sheet as source for Typst 0.13 or later.

use std::fmt::Write as _;

use super::{MARGIN, Sheet, solution};

/// Returns a text as a string of Typst.
fn string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl Sheet<'_> {
    /// Returns the sheet as source for Typst, to be changed and used in a book.
    #[must_use]
    pub fn typst(&self) -> String {
        let (columns, _) = self.per_page.grid();
        let width = self.per_page.board_width();
        let row = if columns == 2 { 81 } else { 61 };
        let title = string(self.title);
        let mut out = format!(
            "// Made by {}. Change the paper here: \"a4\" or \"us-letter\".\n\
             #set page(paper: \"a4\", margin: {MARGIN}mm)\n\
             #set text(font: \"Liberation Sans\", fallback: true, size: 10pt)\n\
             #let exercise(number, task, hint, board) = block(breakable: false)[\n  \
             #image(bytes(board), format: \"svg\", width: {width}mm)\n  \
             #pad(left: 4mm)[*#number* #task #if hint != \"\" [ \\ #text(8pt, hint)]]\n]\n\
             #let solution(number, moves, source) = block(breakable: false)[\n  \
             *#number* #moves #if source != \"\" [ \\ #text(8pt, source)]\n]\n\n",
            crate::MAKER
        );
        for (page, (first, exercises)) in self.pages().enumerate() {
            if page > 0 {
                out += "#pagebreak()\n";
            }
            let _ = writeln!(
                out,
                "#block(height: 6mm)[#text(13pt, weight: \"bold\", {title})]\n\
                 #grid(columns: (1fr,) * {columns}, rows: {row}mm, align: center,"
            );
            for (number, exercise) in (first..).zip(exercises) {
                let _ = writeln!(
                    out,
                    "  align(left, exercise({number}, {}, {}, {})),",
                    string(&exercise.task),
                    string(&exercise.hint),
                    string(&self.board(exercise).picture())
                );
            }
            out += ")\n";
        }
        out += "\n#pagebreak()\n#text(13pt, weight: \"bold\")[Solutions]\n#columns(2)[\n";
        for (number, exercise) in (1..).zip(self.exercises) {
            let (moves, source) = (string(solution(exercise)), string(&exercise.source));
            let _ = writeln!(out, "#solution({number}, {moves}, {source})");
        }
        out += "]\n";
        out
    }
}
