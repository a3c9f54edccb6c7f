//! `cql diagram FEN`: draws a board as a picture.

use board::{Square, parse_board};
use table::diagram;

use super::text;
use crate::failure::Failure;

/// Draw a board as a picture (SVG)
///
/// The picture goes to standard output. It needs no other files, and has the same pieces as the
/// reports.
#[derive(clap::Args)]
pub(super) struct DiagramArgs {
    /// Position to draw
    ///
    /// Only the placement of the pieces in the FEN is used.
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,
    /// Color squares, such as e4,d5
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', value_parser = square)]
    mark: Vec<Square>,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
}

fn square(name: &str) -> Result<Square, String> {
    let square = Square::parse(name.as_bytes());
    square.ok_or_else(|| "squares have the names a1 to h8".to_owned())
}

/// Draws the board.
pub(super) fn run(arguments: &DiagramArgs) -> Result<(), Failure> {
    // The shell may have split the FEN.
    let fen = arguments.fen.join(" ");
    let placement = fen.split_whitespace().next().unwrap_or_default();
    let board = parse_board(placement.as_bytes())
        .map_err(|error| Failure::Message(format!("'{fen}' is not a FEN: {error}")))?;
    text::print(diagram(&board, &arguments.mark, arguments.flip).as_bytes())
}
