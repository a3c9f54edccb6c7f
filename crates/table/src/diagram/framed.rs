//! Draws boards for print: with a frame, coordinates beside the board, and a mark for the side to
//! move. Nothing in the drawing refers to a style or to another element, so that every program that
//! reads SVG shows it.

use std::fmt::Write as _;

use board::{Board, Color, Piece, Square};

use crate::html::PIECES;

/// Part of a drawing that is seen: its left edge, upper edge, width and height. The board is 320
/// wide.
pub(crate) const VIEW: [i32; 4] = [-20, -3, 360, 342];

/// Board with what is shown of a position.
#[derive(Debug, Clone, Copy)]
pub struct FramedBoard<'a> {
    /// The pieces.
    pub board: &'a Board,
    /// The side to move, which gets a mark beside the board; `None` for no mark.
    pub turn: Option<Color>,
    /// Whether the board is seen from Black's side.
    pub flip: bool,
    /// Colored squares.
    pub marks: &'a [Square],
}

impl FramedBoard<'_> {
    /// Returns the drawing as a picture of its own.
    #[must_use]
    pub fn picture(&self) -> String {
        let [left, top, width, height] = VIEW;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"chess board\">\n{}\n\
             </svg>\n",
            self.elements()
        )
    }

    /// Returns the elements of the drawing.
    pub(crate) fn elements(&self) -> String {
        let mut out = self.frame("#fff", "#c8c8c8");
        for square in Square::ALL {
            if let Some(piece) = self.board.piece_at(square) {
                let (x, y) = self.place(square);
                let _ = write!(out, "\n<g transform=\"translate({x} {y})\"{}</g>", shape(piece));
            }
        }
        out
    }

    /// Returns the elements of the drawing; the pieces refer to the symbols of the page.
    pub(crate) fn elements_of_page(&self) -> String {
        let mut out = self.frame("#fff", "#c8c8c8");
        for square in Square::ALL {
            let Some(piece) = self.board.piece_at(square) else {
                continue;
            };
            let (x, y) = self.place(square);
            let letter = char::from(piece.letter()).to_ascii_lowercase();
            let class = if piece.color == Color::White { 'w' } else { 'b' };
            let _ = write!(out, "<use href=\"#{letter}\" class=\"{class}\" x=\"{x}\" y=\"{y}\"/>");
        }
        out
    }

    /// Returns the upper left corner of a square.
    fn place(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        if self.flip { ((7 - file) * 40, rank * 40) } else { (file * 40, (7 - rank) * 40) }
    }

    /// Returns everything but the pieces.
    fn frame(&self, light: &str, dark: &str) -> String {
        let mut out = format!("<rect width=\"320\" height=\"320\" fill=\"{light}\"/>");
        let mut path = String::new();
        for square in Square::ALL.into_iter().filter(|square| !square.is_light()) {
            let (x, y) = self.place(square);
            let _ = write!(path, "M{x} {y}h40v40h-40z");
        }
        let _ = write!(out, "<path fill=\"{dark}\" d=\"{path}\"/>");
        for square in self.marks {
            let (x, y) = self.place(*square);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\" fill=\"#f5d44c\" \
                 fill-opacity=\".55\"/>"
            );
        }
        out += "<rect width=\"320\" height=\"320\" fill=\"none\" stroke=\"#000\" \
                stroke-width=\"1.5\"/>";
        out += "<g font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" \
                fill=\"#000\">";
        for at in 0..8_u8 {
            let shown = if self.flip { 7 - at } else { at };
            let (file, rank) = (char::from(b'a' + shown), char::from(b'8' - shown));
            let (x, y) = (20 + 40 * u32::from(at), 25 + 40 * u32::from(at));
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"335\">{file}</text><text x=\"-11\" y=\"{y}\">{rank}</text>"
            );
        }
        out += "</g>";
        if let Some(turn) = self.turn {
            let is_below = (turn == Color::White) != self.flip;
            let y = if is_below { 306 } else { 2 };
            let fill = if turn == Color::White { "#fff" } else { "#000" };
            let _ = write!(
                out,
                "<rect x=\"325\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{fill}\" \
                 stroke=\"#000\" stroke-width=\"1.5\"/>"
            );
        }
        out
    }
}

/// Returns the attributes and the shapes of a piece, with their colors in place of classes.
fn shape(piece: Piece) -> String {
    let letter = char::from(piece.letter()).to_ascii_lowercase();
    let start = format!("<symbol id=\"{letter}\"");
    let line = PIECES.lines().find(|line| line.starts_with(&start)).unwrap_or_default();
    let inner = line.split_once('>').map_or("", |parts| parts.1);
    let inner = inner.trim_end_matches("</symbol>");
    let (fill, stroke, detail) = match piece.color {
        Color::White => ("#fff", "#1d1f22", "#1d1f22"),
        Color::Black => ("#2b2e33", "#0d0e10", "#e9e6df"),
    };
    let line = format!("fill=\"none\" stroke=\"{detail}\" stroke-width=\"1.3\"");
    let ink = format!("fill=\"{detail}\" stroke=\"none\"");
    let inner = inner.replace("class=\"line\"", &line).replace("class=\"ink\"", &ink);
    format!(
        " fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">{inner}"
    )
}

#[cfg(test)]
mod tests {
    use board::parse_board;

    use super::*;

    #[test]
    fn a_framed_board_stands_alone() {
        let board = parse_board(b"7k/8/8/8/8/8/8/R7").expect("a board");
        let check = |flip: bool, turn: Color, parts: &[&str]| {
            let framed = FramedBoard { board: &board, turn: Some(turn), flip, marks: &[] };
            let picture = framed.picture();
            for part in parts {
                assert!(picture.contains(part), "{part} in {picture}");
            }
            for absent in ["class=", "href", "id=", "var(", "<style"] {
                assert!(!picture.contains(absent), "{absent} in {picture}");
            }
        };
        let first = "<text x=\"20\" y=\"335\">";
        let white = [&*format!("{first}a</text>"), "translate(0 280)", "y=\"306\" width=\"12\""];
        check(false, Color::White, &white);
        check(true, Color::Black, &[&format!("{first}h</text>"), "translate(280 0)", "y=\"306\""]);
        check(false, Color::Black, &["y=\"2\" width=\"12\" height=\"12\" fill=\"#000\""]);
    }
}
