//! Writes exercises: as games, as positions with their best move, as rows of the table of Lichess,
//! and as cards for Anki.

use std::fmt::Write as _;

use board::{Color, parse_fen};

use super::{Proof, Puzzle};

/// First line of a table of puzzles as Lichess publishes it.
pub const LICHESS_HEAD: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,\
                                Themes,GameUrl,OpeningTags\n";

/// First lines of a file of cards, which Anki reads as instructions.
pub const ANKI_HEAD: &str = "#separator:Comma\n#html:true\n#columns:Front,Back,Tags\n\
                             #tags column:3\n";

/// Rating of an exercise without points, and points of a rating for each of them.
const RATING: [u32; 2] = [1000, 120];

/// Deviation of a rating that nobody has tried.
const DEVIATION: u32 = 500;

/// Number of characters of a line of moves.
const WIDTH: usize = 80;

/// Returns moves in standard notation with their numbers, beginning in a position.
#[must_use]
pub fn movetext(fen: &str, sans: &[&str]) -> String {
    let start = parse_fen(fen.as_bytes()).ok();
    let mut number = start.as_ref().map_or(1, |start| u32::from(start.fullmove_number));
    let mut turn = start.map_or(Color::White, |start| start.turn);
    let mut words = Vec::new();
    for (at, san) in sans.iter().enumerate() {
        match turn {
            Color::White => words.push(format!("{number}.{san}")),
            Color::Black if at == 0 => words.push(format!("{number}...{san}")),
            Color::Black => words.push((*san).to_owned()),
        }
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
    words.join(" ")
}

impl Puzzle {
    fn sans(&self) -> Vec<&str> {
        self.solution.iter().map(|mv| mv.san.as_str()).collect()
    }

    /// Returns the solution with the numbers of its moves, and other mates in place of the last one.
    #[must_use]
    pub fn solution_text(&self) -> String {
        let mut text = movetext(&self.fen, &self.sans());
        if !self.others.is_empty() {
            let _ = write!(text, " (or {})", self.others.join(", "));
        }
        text
    }

    /// Returns what is to be done: `White to move`, or `White mates in 2`.
    #[must_use]
    pub fn task(&self) -> String {
        let side = if self.is_black_to_move() { "Black" } else { "White" };
        match self.proof {
            Proof::Mate(n) => format!("{side} mates in {n}"),
            Proof::Engine(..) | Proof::Evaluations(..) => format!("{side} to move"),
        }
    }

    fn is_black_to_move(&self) -> bool {
        self.fen.split(' ').nth(1) == Some("b")
    }

    /// Returns the themes, before them those of Lichess about mates.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        let mate = match self.proof {
            Proof::Mate(n) => vec!["mate".to_owned(), format!("mateIn{n}")],
            Proof::Engine(..) | Proof::Evaluations(..) => Vec::new(),
        };
        mate.into_iter().chain(self.themes.iter().cloned()).collect()
    }

    fn source(&self) -> String {
        let number = self.game.number;
        format!("game {number}, ply {} of {}", self.game.ply, self.game.input)
    }
}

/// Returns an exercise as a game: its position, the tags of its source, the solution as main line,
/// and other mates in place of the last move as variations.
#[must_use]
pub fn pgn(puzzle: &Puzzle) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    let known = |name: &str| puzzle.game.tags.iter().find(|tag| tag.0 == name).map(|tag| &*tag.1);
    for (name, missing) in [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
    ] {
        tag(name, known(name).unwrap_or(missing));
    }
    tag("Result", "*");
    for name in ["WhiteElo", "BlackElo", "ECO", "Opening"] {
        if let Some(value) = known(name) {
            tag(name, value);
        }
    }
    tag("SetUp", "1");
    tag("FEN", &puzzle.fen);
    tag("PuzzleId", &puzzle.id);
    tag("Task", &puzzle.task());
    tag("Proof", &puzzle.proof.to_string());
    tag("Difficulty", &format!("{} ({})", puzzle.difficulty.points(), puzzle.difficulty.level()));
    let labels = puzzle.labels();
    if !labels.is_empty() {
        tag("Themes", &labels.join(" "));
    }
    tag("Source", &puzzle.source());
    let mut moves = movetext(&puzzle.fen, &puzzle.sans());
    if let Some(number) = last_number(puzzle) {
        for other in &puzzle.others {
            let _ = write!(moves, " ({number}{other})");
        }
    }
    moves.push_str(" *");
    out.push('\n');
    wrap(&moves, &mut out);
    out.push('\n');
    out
}

/// Returns the number of the last move with its dots.
fn last_number(puzzle: &Puzzle) -> Option<String> {
    let start = parse_fen(puzzle.fen.as_bytes()).ok()?;
    let number = u32::from(start.fullmove_number) + puzzle.solution.len() as u32 / 2;
    let dots = if start.turn == Color::Black { "..." } else { "." };
    Some(format!("{number}{dots}"))
}

fn wrap(text: &str, out: &mut String) {
    let mut width = 0;
    for word in text.split(' ') {
        if width > 0 && width + 1 + word.len() > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += word.len();
    }
    out.push('\n');
}

/// Returns an exercise as a line of EPD, with its best move (`bm`), the number of moves to mate
/// (`dm`), the solution (`pv`), its name, its source (`c0`), its themes (`c1`) and its difficulty
/// (`c2`).
#[must_use]
pub fn epd(puzzle: &Puzzle) -> String {
    let mut fields = puzzle.fen.split(' ');
    let board: Vec<&str> = fields.by_ref().take(4).collect();
    let mut line = board.join(" ");
    for (name, value) in ["hmvc", "fmvn"].iter().zip(fields) {
        let _ = write!(line, " {name} {value};");
    }
    let sans = puzzle.sans();
    let _ = write!(line, " bm {};", sans.first().unwrap_or(&""));
    if let Proof::Mate(n) = puzzle.proof {
        let _ = write!(line, " dm {n};");
    }
    let _ = write!(line, " pv {};", sans.join(" "));
    let mut text = |name: &str, value: &str| {
        let replaced = value.chars().map(|c| match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        });
        let value: String = replaced.collect();
        let _ = write!(line, " {name} \"{value}\";");
    };
    text("id", &puzzle.id);
    let title = puzzle.game.title();
    let title = if title.is_empty() { puzzle.source() } else { title };
    text("c0", &title);
    text("c1", &puzzle.labels().join(" "));
    text("c2", &format!("{} {}", puzzle.difficulty.points(), puzzle.difficulty.level()));
    line.push('\n');
    line
}

/// Returns an exercise as a row of the table of Lichess, in which the first move is that of the
/// other side; `None` if the exercise is the start of a game, since there is no such move.
///
/// The rating is computed from the points of difficulty, with the greatest deviation.
#[must_use]
pub fn lichess(puzzle: &Puzzle) -> Option<String> {
    let before = puzzle.before.as_ref()?;
    let moves = puzzle.solution.iter().map(|mv| mv.uci.as_str());
    let moves: Vec<&str> = std::iter::once(before.mv.uci.as_str()).chain(moves).collect();
    let [least, step] = RATING;
    let rating = least + step * u32::from(puzzle.difficulty.points());
    let is_address = |site: &&str| site.starts_with("https://") || site.starts_with("http://");
    let address = puzzle.game.tag("Site").filter(is_address).unwrap_or_default();
    let opening = puzzle.game.tag("Opening").unwrap_or_default();
    let opening: Vec<&str> =
        opening.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let fields = [
        puzzle.id.clone(),
        before.fen.clone(),
        moves.join(" "),
        rating.to_string(),
        DEVIATION.to_string(),
        "0".to_owned(),
        "0".to_owned(),
        puzzle.labels().join(" "),
        address.to_owned(),
        opening.join("_"),
    ];
    Some(row(&fields))
}

/// Returns an exercise as a card for Anki: a picture of the position and the task, the solution
/// with its source, and the themes and the difficulty as labels.
#[must_use]
pub fn anki(puzzle: &Puzzle, picture: &str) -> String {
    let picture = picture.replace(['\n', '\r'], " ");
    let front = format!("{picture}<br>{}", escaped(&puzzle.task()));
    let mut back = format!("<b>{}</b>", escaped(&puzzle.solution_text()));
    let title = puzzle.game.title();
    if !title.is_empty() {
        let _ = write!(back, "<br>{}", escaped(&title));
    }
    let mut labels = puzzle.labels();
    labels.push(puzzle.difficulty.level().replace(' ', "-"));
    row(&[front, back, labels.join(" ")])
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a row of a table with commas.
fn row(fields: &[String]) -> String {
    let quoted = |field: &String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    let fields: Vec<String> = fields.iter().map(quoted).collect();
    fields.join(",") + "\n"
}
