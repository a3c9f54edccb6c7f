//! Writes a game as an article.
//!
//! Each move has an attribute `data-d`: the squares that differ from the position before it, with
//! their pieces (`e2.e4P`); at the start of the game they are compared with an empty board.
//! `data-p` is the number of the position before the move if that differs from the position of the
//! preceding move in the text, `data-m` the move with its number if the text has none, and `data-f`
//! the part of the FEN after the board if it differs from [`expected_state`].
//!
//! Board and moves, nearly all of an article, are in `noscript` elements. Without a script they are
//! read as usual. With one, the browser treats them as plain text until the script inserts them for
//! the games in view, so that thousands of games open at once.

use std::fmt::Write as _;

use ::pgn::Variant;
use board::Rules;
use engine::{Color, GameRow, MovetextItem, MovetextMove};
use pgn::{decode, isolated};

use super::pgn::{notes, pgn_text};
use super::{HtmlWriter, escape, escaped};
use crate::column::{Column, sort_cell};

/// Symbols of NAGs; others are shown as numbers.
const GLYPHS: [(u8, &str); 14] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (4, "??"),
    (5, "!?"),
    (6, "?!"),
    (10, "="),
    (13, "∞"),
    (14, "⩲"),
    (15, "⩱"),
    (16, "±"),
    (17, "∓"),
    (18, "+−"),
    (19, "−+"),
];

/// Returns the name of the analysis board of lichess.org for a game; `None` if it has none with the
/// rules of the game.
#[must_use]
pub fn analysis_board(row: &GameRow) -> Option<&'static str> {
    let is_960 = || row.tag(b"Variant").map(Variant::parse) == Some(Variant::Chess960);
    match row.rules {
        Rules::Chess if is_960() => Some("chess960"),
        Rules::Chess => Some("standard"),
        Rules::Giveaway => Some("antichess"),
        Rules::Atomic => Some("atomic"),
        Rules::Crazyhouse => Some("crazyhouse"),
        Rules::Horde => Some("horde"),
        Rules::KingOfTheHill => Some("kingOfTheHill"),
        Rules::RacingKings => Some("racingKings"),
        Rules::ThreeCheck => Some("threeCheck"),
        Rules::Losers | Rules::Suicide | Rules::FiveCheck => None,
    }
}

/// Returns the article of a game in the form of a report.
pub(super) fn article(row: &GameRow, report: &HtmlWriter) -> String {
    let moves = GameMoves::new(row);
    let shown = moves.shown();
    let mut out = format!("<article class=\"game\" id=\"game-{}\"", row.number);
    // The boards of the report have no pieces in hand.
    let board = analysis_board(row).filter(|_| !row.rules.have_drops());
    if board != Some("standard") {
        let _ = write!(out, " data-variant=\"{}\"", board.unwrap_or_default());
    }
    out.push_str(">\n<noscript><figure>");
    moves.diagram(shown, &mut out);
    out.push_str(
        "<button type=\"button\" class=\"play\">Play through</button></figure></noscript>\n<div>\n",
    );
    heading(row, &mut out);
    facts(row, report, &mut out);
    moves.other_boards(report.options.boards, &mut out);
    out.push_str("<noscript><p class=\"moves\">");
    moves.write(row, &mut out);
    out.push_str("</p>\n<details class=\"pgn\"><summary>PGN</summary><pre>");
    escape(&pgn_text(row), &mut out);
    out.push_str("</pre></details></noscript>\n</div>\n</article>\n");
    out
}

fn heading(row: &GameRow, out: &mut String) {
    let tag = |name: &str| {
        let value = row.tag(name.as_bytes()).map(decode).unwrap_or_default();
        let is_known = !matches!(value.trim(), "" | "?" | "-") && !value.starts_with("?");
        is_known.then(|| escaped(&isolated(&value)))
    };
    let player = |side: &str| {
        let name = tag(side).unwrap_or_else(|| "?".to_owned());
        let elo = tag(&format!("{side}Elo")).filter(|elo| elo != "0");
        let elo = elo.map_or(String::new(), |elo| format!(" ({elo})"));
        format!("<bdi>{name}</bdi>{elo}")
    };
    let _ = writeln!(
        out,
        "<h2>{} – {} <span class=\"result\">{}</span></h2>",
        player("White"),
        player("Black"),
        row.result.as_str()
    );
    let mut about: Vec<String> = ["Event", "Site"].iter().filter_map(|name| tag(name)).collect();
    // the unknown end of a date is not shown
    about.extend(tag("Date").map(|date| date.trim_end_matches(".??").to_owned()));
    about.extend(tag("Round").map(|round| format!("round {round}")));
    about.extend(tag("ECO"));
    let mut place = format!("<a href=\"#game-{0}\">game {0}</a>", row.number);
    if !row.input.is_empty() {
        let _ = write!(place, " of <bdi>{}</bdi>", escaped(&row.input));
    }
    about.push(place);
    let _ = writeln!(out, "<p class=\"about\">{}</p>", about.join(" · "));
}

/// Writes the values that the query has for the game as a whole, or the chosen columns. Columns of
/// positions are those of the diagram.
fn facts(row: &GameRow, report: &HtmlWriter, out: &mut String) {
    let mut facts: Vec<(String, String)> = Vec::new();
    if !report.columns.is_empty() {
        let cell = |column: &Column| column.cell(row, row.shown()).to_plain();
        let columns = report.columns.iter().map(|column| (column.name.clone(), cell(column)));
        return write_facts(columns.filter(|(_, value)| !value.is_empty()), out);
    }
    if row.n_positions > 1 {
        facts.push(("matching positions".to_owned(), row.n_positions.to_string()));
    }
    let sorted = row.sort_values.iter();
    facts.extend(sorted.map(|sorted| (sorted.label.clone(), sort_cell(&sorted.value).to_plain())));
    let values = report.values.iter().zip(&row.values);
    facts.extend(values.filter_map(|(name, value)| {
        let text = value.to_text()?;
        Some((name.clone(), decode(&text).into_owned()))
    }));
    write_facts(facts, out);
}

fn write_facts(facts: impl IntoIterator<Item = (String, String)>, out: &mut String) {
    let mut facts = facts.into_iter().peekable();
    if facts.peek().is_none() {
        return;
    }
    out.push_str("<dl>");
    for (name, value) in facts {
        let (name, value) = (escaped(&name), escaped(&value));
        let _ = write!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    out.push_str("</dl>\n");
}

/// Letters of a FEN on the squares, from a1 on.
type Board = [u8; 64];

const EMPTY: Board = [b'.'; 64];

fn board(placement: &str) -> Board {
    let mut board = EMPTY;
    // In Crazyhouse the pieces in hand follow, and a mark comes after each promoted piece.
    let (placement, _) = placement.split_once('[').unwrap_or((placement, ""));
    let ranks = placement.split('/').take(8);
    for (rank, line) in ranks.enumerate() {
        let mut file = 0;
        for byte in line.bytes() {
            match byte {
                b'1'..=b'8' => file += usize::from(byte - b'0'),
                b'~' => {}
                _ => {
                    if let Some(square) = board.get_mut((7 - rank) * 8 + file) {
                        *square = byte;
                    }
                    file += 1;
                }
            }
        }
    }
    board
}

fn square_name(square: usize) -> [char; 2] {
    [char::from(b'a' + (square % 8) as u8), char::from(b'1' + (square / 8) as u8)]
}

/// Returns the squares that differ between two boards.
fn changed<'a>(before: &'a Board, after: &'a Board) -> impl Iterator<Item = usize> + 'a {
    (0..64).filter(|&square| before[square] != after[square])
}

/// Moves of a game with the data that the page needs for each.
struct GameMoves<'a> {
    row: &'a GameRow,
    moves: Vec<PlacedMove<'a>>,
}

struct PlacedMove<'a> {
    mv: &'a MovetextMove,
    board: Board,
    /// Part of the FEN after the board.
    state: &'a str,
    /// Index of the move before it; `None` at the start.
    parent: Option<usize>,
    is_main_line: bool,
}

impl<'a> GameMoves<'a> {
    fn new(row: &'a GameRow) -> GameMoves<'a> {
        let mut moves: Vec<PlacedMove<'a>> = Vec::new();
        // the last move of each open variation
        let mut lines: Vec<Option<usize>> = vec![None];
        for item in &row.movetext {
            match item {
                MovetextItem::Move(mv) => {
                    let is_main_line = lines.len() == 1;
                    let Some(last) = lines.last_mut() else { break };
                    let (placement, state) = mv.fen.split_once(' ').unwrap_or((&mv.fen, ""));
                    moves.push(PlacedMove {
                        mv,
                        board: board(placement),
                        state,
                        parent: *last,
                        is_main_line,
                    });
                    *last = Some(moves.len() - 1);
                }
                MovetextItem::Open { .. } => {
                    let last = lines.last().copied().flatten();
                    lines.push(last.and_then(|last| moves[last].parent));
                }
                MovetextItem::Close => {
                    lines.pop();
                }
            }
        }
        GameMoves { row, moves }
    }

    fn board_before(&self, index: usize) -> &Board {
        let parent = self.moves[index].parent;
        parent.map_or(&EMPTY, |parent| &self.moves[parent].board)
    }

    fn matches(&self, mv: &MovetextMove) -> bool {
        let positions = &self.row.positions;
        mv.id.is_some_and(|id| positions.binary_search_by_key(&id, |position| position.id).is_ok())
    }

    /// Returns the index of the position in the diagram: the match that stands for the game, else the
    /// end of the game.
    fn shown(&self) -> usize {
        let shown = self.row.shown().map(|position| position.id);
        let matched = shown.and_then(|id| self.moves.iter().position(|m| m.mv.id == Some(id)));
        let end = || self.moves.iter().rposition(|m| m.is_main_line);
        matched.or_else(end).unwrap_or(0)
    }

    /// Writes boards of the matches after the first one, so that there are `most` boards in all.
    fn other_boards(&self, most: usize, out: &mut String) {
        let matches = (0..self.moves.len()).filter(|&index| self.matches(self.moves[index].mv));
        let shown = self.shown();
        let others = matches.filter(|&index| index != shown).take(most.saturating_sub(1));
        let mut others = others.peekable();
        if others.peek().is_none() {
            return;
        }
        out.push_str("<noscript><div class=\"boards\">");
        for index in others {
            out.push_str("<figure>");
            self.diagram(index, out);
            out.push_str("</figure>");
        }
        out.push_str("</div></noscript>\n");
    }

    fn diagram(&self, index: usize, out: &mut String) {
        let Some(shown) = self.moves.get(index) else {
            return;
        };
        let mut label = match &shown.mv.san {
            Some(san) => format!("after {}{san}", number(shown.mv)),
            None => "at the start".to_owned(),
        };
        if self.matches(shown.mv) {
            label.push_str(" (match)");
        }
        let label = escaped(&label);
        let _ = write!(
            out,
            "<svg class=\"board\" viewBox=\"0 0 320 320\" role=\"img\" aria-label=\"position {label}\" \
             data-at=\"{index}\"><use href=\"#board\"/>"
        );
        let place = |square: usize| (square % 8 * 40, (7 - square / 8) * 40);
        if index > 0 {
            for square in changed(self.board_before(index), &shown.board) {
                let (x, y) = place(square);
                let _ = write!(
                    out,
                    "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\"/>"
                );
            }
        }
        out.push_str("<use class=\"names\" href=\"#names-w\"/>");
        for square in changed(&EMPTY, &shown.board) {
            let (x, y) = place(square);
            let piece = char::from(shown.board[square]);
            let color = if piece.is_ascii_uppercase() { 'w' } else { 'b' };
            let piece = piece.to_ascii_lowercase();
            let _ = write!(out, "<use href=\"#{piece}\" class=\"{color}\" x=\"{x}\" y=\"{y}\"/>");
        }
        let _ = write!(out, "</svg><figcaption>{label}</figcaption>");
    }

    fn write(&self, row: &GameRow, out: &mut String) {
        let mut index = 0;
        let mut needs_number = true;
        for item in &row.movetext {
            match item {
                MovetextItem::Move(mv) => {
                    self.write_move(index, needs_number, out);
                    index += 1;
                    let comments = mv.comments.iter().map(|text| ("comment", text));
                    let notes = notes(row, mv.id).map(|text| ("note", text));
                    needs_number = mv.san.is_none();
                    for (class, text) in comments.chain(notes) {
                        needs_number |= write_comment(class, text, out);
                    }
                }
                MovetextItem::Open { comments } => {
                    out.push_str("<span class=\"variation\">(");
                    for text in comments {
                        write_comment("comment", text, out);
                    }
                    needs_number = true;
                }
                MovetextItem::Close => {
                    while out.ends_with(' ') {
                        out.pop();
                    }
                    out.push_str(")</span> ");
                    needs_number = true;
                }
            }
        }
        out.push_str(row.result.as_str());
    }

    fn write_move(&self, index: usize, needs_number: bool, out: &mut String) {
        let PlacedMove { mv, board, state, parent, .. } = &self.moves[index];
        let element = if self.matches(mv) { "mark" } else { "b" };
        let _ = write!(out, "<{element} data-d=\"");
        for square in changed(self.board_before(index), board) {
            out.extend(square_name(square));
            out.push(char::from(board[square]));
        }
        out.push('"');
        if let Some(parent) = parent
            && parent + 1 != index
        {
            let _ = write!(out, " data-p=\"{parent}\"");
        }
        let expected = parent.and_then(|parent| expected_state(self.moves[parent].state));
        if expected.as_deref() != Some(*state) {
            let _ = write!(out, " data-f=\"{}\"", escaped(state));
        }
        match &mv.san {
            None => out.push_str(">Start"),
            Some(san) => {
                let number = number(mv);
                let san = escaped(san);
                if needs_number || mv.side == Color::White {
                    let _ = write!(out, ">{number}{san}");
                } else {
                    let _ = write!(out, " data-m=\"{number}{san}\">{san}");
                }
            }
        }
        for nag in &mv.nags {
            match GLYPHS.iter().find(|glyph| glyph.0 == *nag) {
                Some((_, glyph)) => out.push_str(glyph),
                None => {
                    let _ = write!(out, " ${nag}");
                }
            }
        }
        let _ = write!(out, "</{element}> ");
    }
}

/// Returns the part of the FEN after the board that most moves lead to: the other side is to move,
/// castling rights stay, there is no en passant square, and both counters go up. The script has the
/// same rule.
fn expected_state(before: &str) -> Option<String> {
    let mut fields = before.split(' ');
    let (turn, castling, _) = (fields.next()?, fields.next()?, fields.next()?);
    let halfmoves: u32 = fields.next()?.parse().ok()?;
    let number: u32 = fields.next()?.parse().ok()?;
    let (turn, number) = match turn {
        "w" => ("b", number),
        _ => ("w", number.saturating_add(1)),
    };
    let halfmoves = halfmoves.saturating_add(1);
    Some(format!("{turn} {castling} - {halfmoves} {number}"))
}

/// Returns the move number that precedes a move.
fn number(mv: &MovetextMove) -> String {
    match mv.side {
        Color::White => format!("{}.", mv.number),
        Color::Black => format!("{}…", mv.number),
    }
}

/// Writes a comment and returns whether it has any text.
fn write_comment(class: &str, text: &[u8], out: &mut String) -> bool {
    let text = decode(text);
    let text = text.trim();
    if text.is_empty() {
        return false;
    }
    let _ = write!(out, "<span class=\"{class}\">{}</span> ", escaped(text));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_moves_do_to_the_rest_of_a_fen() {
        let check = |before: &str, expected: Option<&str>| {
            assert_eq!(expected_state(before).as_deref(), expected, "{before}");
        };
        check("w KQkq - 0 1", Some("b KQkq - 1 1"));
        check("b - e3 7 20", Some("w - - 8 21"));
        check("b - -", None);
    }

    #[test]
    fn boards_of_placements() {
        let check = |placement: &str, expected: &str| {
            let board = board(placement);
            let text: String = changed(&EMPTY, &board)
                .flat_map(|square| {
                    let [file, rank] = square_name(square);
                    [file, rank, char::from(board[square])]
                })
                .collect();
            assert_eq!(text, expected, "{placement}");
        };
        check("8/8/8/8/8/8/8/8", "");
        check("4k3/8/8/8/8/8/P7/4K2R", "e1Kh1Ra2Pe8k");
        check("r7/8/8/8/8/8/8/7B", "h1Ba8r");
        check("q~1r5/8/8/8/8/8/8/7B[QPpp]", "h1Ba8qc8r");
    }
}
