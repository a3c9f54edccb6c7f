//! Draws a board as a picture.

mod framed;

use std::fmt::Write as _;

use board::{Board, Color, Square};

use crate::html::{BOARD_STYLE, PIECES, escaped};

pub use framed::FramedBoard;
pub(crate) use framed::VIEW;

/// Returns a self-contained picture of a board (SVG), with the pieces of reports. `marks` are
/// colored; `flip` shows the board from the side of Black.
pub fn diagram(board: &Board, marks: &[Square], flip: bool) -> String {
    let uses = uses(board, marks, flip);
    let is_used = |id: &str| uses.contains(&format!("\"#{id}\""));
    let defined: String = PIECES
        .lines()
        .filter(|line| {
            let id = line.strip_prefix("<symbol id=\"");
            let id = id.and_then(|rest| rest.split('"').next());
            id.is_some_and(is_used)
        })
        .fold(String::new(), |all, line| all + line + "\n");
    let style = BOARD_STYLE.trim_end().replace('\n', "");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 320\" width=\"320\" \
         height=\"320\" role=\"img\" aria-label=\"chess board\">\n<style>{style}</style>\n\
         <defs>\n{defined}</defs>\n{uses}\n</svg>\n"
    )
}

/// Returns a picture of a board for a page with [its start](crate::page_start). `label` describes it
/// to those who cannot see it.
pub fn board_on_page(board: &Board, marks: &[Square], flip: bool, label: &str) -> String {
    format!(
        "<svg class=\"board\" viewBox=\"0 0 320 320\" role=\"img\" aria-label=\"{}\">{}</svg>",
        escaped(label),
        uses(board, marks, flip)
    )
}

/// Returns references to the shapes of a board.
fn uses(board: &Board, marks: &[Square], flip: bool) -> String {
    let place = |square: Square| {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        if flip { ((7 - file) * 40, rank * 40) } else { (file * 40, (7 - rank) * 40) }
    };
    let mut uses = String::from("<use href=\"#board\"/>");
    for (x, y) in marks.iter().copied().map(place) {
        let _ =
            write!(uses, "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\"/>");
    }
    let names = if flip { "names-b" } else { "names-w" };
    let _ = write!(uses, "<use href=\"#{names}\"/>");
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
        let _ = write!(uses, "\n<use href=\"#{shape}\" class=\"{class}\" x=\"{x}\" y=\"{y}\"/>");
    }
    uses
}

#[cfg(test)]
mod tests {
    use board::parse_board;

    use super::*;

    #[test]
    fn pieces_and_marks_stand_on_their_squares() {
        let board = parse_board(b"7k/8/8/8/8/8/8/R7").expect("a board");
        let check = |flip: bool, parts: &[&str]| {
            let picture = diagram(&board, &[Square::ALL[0]], flip);
            for part in parts {
                assert!(picture.contains(part), "{part} in {picture}");
            }
            // only pieces on the board are defined
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
