//! A sheet as pictures, one for each page.

use std::fmt::Write as _;

use super::{PAGE, Sheet, solution};
use crate::diagram::VIEW;
use crate::html::escaped;

/// Height of a line of solutions, in millimeters.
const LINE: usize = 5;

/// Number of letters in a line of solutions.
const LETTERS: usize = 95;

/// Height of the title, in millimeters.
const TITLE: usize = 10;

impl Sheet<'_> {
    /// Returns the pages as pictures: first those with diagrams, then those with solutions.
    #[must_use]
    pub fn pictures(&self) -> Vec<String> {
        let diagrams = self.pages().map(|(first, _)| self.page(first));
        diagrams.chain(self.solution_pages()).collect()
    }

    /// Returns the page whose first diagram has this number.
    fn page(&self, first: usize) -> String {
        let (columns, rows) = self.per_page.grid();
        let (width, height) = (PAGE.0 as usize / columns, (PAGE.1 as usize - TITLE) / rows);
        let board = self.per_page.board_width() as usize;
        let [left, top, view_width, view_height] = VIEW;
        let board_height = board as f64 * f64::from(view_height) / f64::from(view_width);
        let mut out = String::new();
        let exercises = self.exercises.iter().skip(first - 1).take(columns * rows);
        for (at, exercise) in exercises.enumerate() {
            let (column, row) = (at % columns, at / columns);
            let (x, y) = (column * width + (width - board) / 2, TITLE + row * height);
            let number = first + at;
            let _ = writeln!(
                out,
                "<svg x=\"{x}\" y=\"{y}\" width=\"{board}\" height=\"{board_height:.2}\" \
                 viewBox=\"{left} {top} {view_width} {view_height}\">{}</svg>",
                self.board(exercise).elements()
            );
            let below = y as f64 + board_height + 4.0;
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{below:.2}\" font-size=\"3.3\"><tspan \
                 font-weight=\"bold\">{number}</tspan> {}</text>",
                x + 3,
                escaped(&exercise.task)
            );
            if !exercise.hint.is_empty() {
                let _ = writeln!(
                    out,
                    "<text x=\"{}\" y=\"{:.2}\" font-size=\"2.8\">{}</text>",
                    x + 3,
                    below + 3.5,
                    escaped(&exercise.hint)
                );
            }
        }
        picture(self.title, &out)
    }

    fn solution_pages(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (number, exercise) in (1..).zip(self.exercises) {
            let source = match exercise.source.as_str() {
                "" => String::new(),
                source => format!(" – {source}"),
            };
            lines.extend(wrapped(&format!("{number}  {}{source}", solution(exercise))));
        }
        let per_page = (PAGE.1 as usize - TITLE) / LINE;
        let page = |lines: &[String]| {
            let mut out = String::new();
            for (at, line) in lines.iter().enumerate() {
                let y = TITLE + (at + 1) * LINE;
                let _ = writeln!(
                    out,
                    "<text x=\"0\" y=\"{y}\" font-size=\"3.3\" xml:space=\"preserve\">{}</text>",
                    escaped(line)
                );
            }
            picture("Solutions", &out)
        };
        lines.chunks(per_page).map(page).collect()
    }
}

/// Returns a text in lines; those after the first one are indented.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > LETTERS {
            lines.push(format!("      {word}"));
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn picture(title: &str, elements: &str) -> String {
    let (width, height) = PAGE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}mm\" height=\"{height}mm\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"0\" y=\"6\" font-size=\"4.8\" font-weight=\"bold\">{}</text>\n{elements}</svg>\n",
        escaped(title)
    )
}
