//! `cql diagram FEN`: a picture of a board.

use std::fmt::Write as _;

use board::{Board, Color, Square, parse_board};
use table::{BOARD_STYLE, PIECES};

use super::text;
use crate::failure::Failure;

/// Draw a board as a picture (SVG)
///
/// The picture goes to standard output, holds everything it needs, and has the pieces of the
/// reports.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The position; of a FEN only the placement of the pieces counts
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,
    /// Squares to color, such as e4,d5
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', value_parser = square)]
    mark: Vec<Square>,
    /// Seen by Black
    #[arg(long)]
    flip: bool,
}

fn square(name: &str) -> Result<Square, String> {
    let square = Square::parse(name.as_bytes());
    square.ok_or_else(|| "squares are called a1 to h8".to_owned())
}

/// Draws the board.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    // A FEN that the shell has split is still one.
    let fen = arguments.fen.join(" ");
    let placement = fen.split_whitespace().next().unwrap_or_default();
    let board = parse_board(placement.as_bytes())
        .map_err(|error| Failure::Message(format!("'{fen}' is not a FEN: {error}")))?;
    text::print(picture(&board, &arguments.mark, arguments.flip).as_bytes())
}

fn picture(board: &Board, marks: &[Square], flip: bool) -> String {
    let place = |square: Square| {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        match flip {
            true => ((7 - file) * 40, rank * 40),
            false => (file * 40, (7 - rank) * 40),
        }
    };
    let mut uses = String::from("<use href=\"#board\"/>");
    for (x, y) in marks.iter().copied().map(place) {
        let _ = write!(
            uses,
            "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\"/>"
        );
    }
    let names = if flip { "names-b" } else { "names-w" };
    let _ = write!(uses, "<use href=\"#{names}\"/>");
    let mut shapes = vec!["board".to_owned(), names.to_owned()];
    for square in Square::ALL {
        let Some(piece) = board.piece_at(square) else {
            continue;
        };
        let (x, y) = place(square);
        let shape = char::from(piece.letter()).to_ascii_lowercase();
        let class = match piece.color {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let _ = write!(
            uses,
            "\n<use href=\"#{shape}\" class=\"{class}\" x=\"{x}\" y=\"{y}\"/>"
        );
        shapes.push(shape.to_string());
    }
    let defined: String = PIECES
        .lines()
        .filter(|line| {
            let id = line.strip_prefix("<symbol id=\"");
            let id = id.and_then(|rest| rest.split('"').next());
            id.is_some_and(|id| shapes.iter().any(|shape| shape == id))
        })
        .fold(String::new(), |all, line| all + line + "\n");
    let style = BOARD_STYLE.trim_end().replace('\n', "");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 320\" width=\"320\" \
         height=\"320\" role=\"img\" aria-label=\"chess board\">\n<style>{style}</style>\n\
         <defs>\n{defined}</defs>\n{uses}\n</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_marks_stand_on_their_squares() {
        let board = parse_board(b"7k/8/8/8/8/8/8/R7").expect("a board");
        let check = |flip: bool, parts: &[&str]| {
            let picture = picture(&board, &[Square::ALL[0]], flip);
            for part in parts {
                assert!(picture.contains(part), "{part} in {picture}");
            }
            // only what is on the board is defined
            assert!(picture.contains("id=\"r\"") && !picture.contains("id=\"q\""));
        };
        let white = [
            "class=\"mark\" x=\"0\" y=\"280\"",
            "#r\" class=\"w\" x=\"0\" y=\"280\"",
            "#k\" class=\"b\" x=\"280\" y=\"0\"",
            "#names-w",
        ];
        check(false, &white);
        let black = [
            "class=\"mark\" x=\"280\" y=\"0\"",
            "#r\" class=\"w\" x=\"280\" y=\"0\"",
            "#k\" class=\"b\" x=\"0\" y=\"280\"",
            "#names-b",
        ];
        check(true, &black);
    }
}
