//! `cql diagram FEN…`: draws boards as pictures.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use board::{Board, Color, Square, parse_board};
use input::Originals;
use table::{FramedBoard, diagram};

use super::sheet::{numbered, write_all};
use super::text;
use crate::failure::{Failure, context};

/// Draw boards as pictures (SVG)
///
/// For example: cql diagram 8/8/8/8/8/5k2/5q2/5K2 -o board.svg
///
/// The picture goes to standard output. It needs no other files, and has the same pieces as the
/// reports. For several positions, give a file with -o: the pictures are numbered, as in
/// board-1.svg.
#[derive(clap::Args)]
pub(super) struct DiagramArgs {
    /// Positions to draw; - reads them from standard input, one per line
    ///
    /// Only the placement of the pieces in a FEN is used, with --coordinates also the side to move.
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,
    /// Write the pictures to files with this name and numbers, or one to standard output for -
    #[arg(short, long, value_name = "FILE.svg", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace existing files whatever they hold
    #[arg(long, requires = "output")]
    force: bool,
    /// Show coordinates beside the board, and a mark for the side to move, as books do
    #[arg(long)]
    coordinates: bool,
    /// Color squares, such as e4,d5
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', value_parser = square)]
    mark: Vec<Square>,
    /// Show the boards from Black's side
    #[arg(long)]
    flip: bool,
}

/// Most bytes of positions that are read from standard input.
const LARGEST: u64 = 10_000_000;

fn square(name: &str) -> Result<Square, String> {
    let square = Square::parse(name.as_bytes());
    square.ok_or_else(|| "squares have the names a1 to h8".to_owned())
}

/// Draws the boards.
pub(super) fn run(arguments: &DiagramArgs) -> Result<(), Failure> {
    let fens = match arguments.fen.as_slice() {
        [dash] if dash == "-" => lines()?,
        words => positions(words),
    };
    let pictures = fens.iter().map(|fen| arguments.picture(fen)).collect::<Result<Vec<_>, _>>()?;
    let output = arguments.output.as_deref().filter(|file| *file != Path::new("-"));
    if let Some(target) = output {
        refuse_other_pictures(target)?;
    }
    match (output, pictures.as_slice()) {
        (Some(target), [_, ..]) => {
            write_all(&numbered(target, pictures), None, &Originals::default(), arguments.force)
        }
        (None, [picture]) => text::print(picture.as_bytes()),
        (_, []) => Err(Failure::Message("there is no position to draw".to_owned())),
        (None, several) => {
            let n = several.len();
            let message =
                format!("{n} positions need files: name them with -o, as in -o board.svg");
            Err(Failure::Message(message))
        }
    }
}

/// Endings of pictures that are not written.
const OTHER_PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "pdf"];

/// Refuses a name that promises another kind of picture.
fn refuse_other_pictures(target: &Path) -> Result<(), Failure> {
    let ending = target.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let Some(ending) = ending.filter(|ending| OTHER_PICTURES.contains(&ending.as_str())) else {
        return Ok(());
    };
    Err(Failure::Message(format!(
        "boards are drawn as SVG, not as {}: name the file {}; other programs convert it, as in: \
         rsvg-convert board.svg -o board.png",
        ending.to_uppercase(),
        target.with_extension("svg").display()
    )))
}

/// Returns the positions among the words of the command line. The shell may have split them.
fn positions(words: &[String]) -> Vec<String> {
    let mut positions: Vec<String> = Vec::new();
    for word in words.iter().flat_map(|word| word.split_whitespace()) {
        match positions.last_mut() {
            Some(last) if !word.contains('/') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => positions.push(word.to_owned()),
        }
    }
    positions
}

/// Returns the positions on standard input.
fn lines() -> Result<Vec<String>, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text);
    read.map_err(|error| context("cannot read standard input", &error))?;
    if text.len() as u64 > LARGEST {
        let message = format!("standard input has more than {LARGEST} bytes");
        return Err(Failure::Message(message));
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(str::to_owned).collect())
}

impl DiagramArgs {
    fn picture(&self, fen: &str) -> Result<String, Failure> {
        let mut fields = fen.split_whitespace();
        let placement = fields.next().unwrap_or_default();
        let board: Board = parse_board(placement.as_bytes())
            .map_err(|error| Failure::Message(format!("'{fen}' is not a FEN: {error}")))?;
        if !self.coordinates {
            return Ok(diagram(&board, &self.mark, self.flip));
        }
        let turn = match fields.next() {
            Some("w") => Some(Color::White),
            Some("b") => Some(Color::Black),
            _ => None,
        };
        Ok(FramedBoard { board: &board, turn, flip: self.flip, marks: &self.mark }.picture())
    }
}
