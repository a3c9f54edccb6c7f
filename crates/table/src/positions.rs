//! Writes positions as lines: EPD and FEN.

use std::fmt::Write as _;

use engine::{GameRow, PositionRow, RowWriter};
use pgn::decode;

/// Line of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionLine {
    /// The position with the game it occurs in, as Extended Position Description.
    Epd,
    /// The position alone.
    Fen,
}

/// Number of comments that the standard has names for (`c0` and so on).
const EPD_COMMENTS: usize = 9;

impl RowWriter for PositionLine {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        for position in &row.positions {
            let line = match self {
                PositionLine::Epd => epd(row, position),
                PositionLine::Fen => format!("{}\n", position.fen),
            };
            out.extend_from_slice(line.as_bytes());
        }
    }
}

fn epd(game: &GameRow, position: &PositionRow) -> String {
    // In three-check, the remaining checks come before the clocks.
    let fields = position.fen.split(' ');
    let mut fields = fields.filter(|field| !field.contains('+'));
    let board: Vec<&str> = fields.by_ref().take(4).collect();
    let mut line = board.join(" ");
    for (name, value) in ["hmvc", "fmvn"].iter().zip(fields) {
        let _ = write!(line, " {name} {value};");
    }
    let id = format!("{} game {} ply {}", game.input, game.number, position.ply);
    operation("id", id.trim_start(), &mut line);
    if let Some(next) = &position.next_move {
        let _ = write!(line, " sm {};", next.san);
    }
    let tag = |name: &str| game.tag(name.as_bytes()).map_or("?".into(), decode);
    let game_line =
        format!("{} - {}, {} {}", tag("White"), tag("Black"), tag("Event"), tag("Date"));
    operation("c0", &game_line, &mut line);
    for (i, comment) in position.comments.iter().take(EPD_COMMENTS).enumerate() {
        operation(&format!("c{}", i + 1), &decode(comment), &mut line);
    }
    line.push('\n');
    line
}

/// Appends an operation with a string, which cannot hold quotes or line ends.
fn operation(name: &str, text: &str, line: &mut String) {
    let text: String = text
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    let _ = write!(line, " {name} \"{text}\";");
}
