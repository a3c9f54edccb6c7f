//! Sheets of exercises for print: diagrams with their numbers, and the solutions on pages of their
//! own.
//!
//! A page is as large as the part of a sheet that is free on A4 as well as on letter paper.

mod html;
mod pages;
mod typst;

use board::{Board, Color};

use crate::diagram::FramedBoard;

/// A diagram of a sheet.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// Task, such as `White mates in 2`.
    pub task: String,
    /// A hint below the task; empty for none.
    pub hint: String,
    /// The moves of the solution; empty if they are not known.
    pub solution: String,
    /// Players, event and year; empty if they are not known.
    pub source: String,
}

/// Number of diagrams on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PerPage {
    /// Two columns of three.
    #[default]
    Six,
    /// Three columns of four.
    Twelve,
}

impl PerPage {
    /// Number of columns and rows.
    fn grid(self) -> (usize, usize) {
        match self {
            PerPage::Six => (2, 3),
            PerPage::Twelve => (3, 4),
        }
    }

    fn n(self) -> usize {
        let (columns, rows) = self.grid();
        columns * rows
    }

    /// Width of a diagram, in millimeters.
    fn board_width(self) -> u32 {
        match self {
            PerPage::Six => 71,
            PerPage::Twelve => 51,
        }
    }
}

/// A sheet of exercises.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'a> {
    /// Title of the sheet.
    pub title: &'a str,
    /// The diagrams, in the order of their numbers.
    pub exercises: &'a [Exercise],
    /// Number of diagrams on a page.
    pub per_page: PerPage,
    /// Whether boards are seen from the side to move.
    pub flip: bool,
}

/// Width and height of a page without its margins, in millimeters.
const PAGE: (u32, u32) = (186, 254);

/// Margin of a page, in millimeters.
const MARGIN: u32 = 12;

impl<'a> Sheet<'a> {
    /// Returns the pages: the number of the first diagram of each, and its diagrams.
    fn pages(&self) -> impl Iterator<Item = (usize, &'a [Exercise])> {
        let n = self.per_page.n();
        self.exercises.chunks(n).enumerate().map(move |(page, some)| (page * n + 1, some))
    }

    fn board(&self, exercise: &'a Exercise) -> FramedBoard<'a> {
        FramedBoard {
            board: &exercise.board,
            turn: Some(exercise.turn),
            flip: self.flip && exercise.turn == Color::Black,
            marks: &[],
        }
    }

    /// Returns the diagrams, one picture for each exercise.
    #[must_use]
    pub fn diagrams(&self) -> Vec<String> {
        self.exercises.iter().map(|exercise| self.board(exercise).picture()).collect()
    }
}

/// Returns what a sheet says where a solution is missing.
fn solution(exercise: &Exercise) -> &str {
    if exercise.solution.is_empty() { "no solution is known" } else { &exercise.solution }
}

#[cfg(test)]
mod tests;
