//! Writes the query of a passage.

use board::{Board, Color, Piece, Role, Square, SquareSet};

use super::{Stage, Step};

/// A move that is kept.
pub(super) struct At<'s, 't> {
    pub(super) step: &'s Step<'t>,
    /// Number of moves that are left out before it; `None` for the first.
    pub(super) gap: Option<usize>,
}

/// Returns the query: the pieces on their squares, then the moves.
pub(super) fn text<'s, 't: 's>(
    board: &Board,
    men: SquareSet,
    moves: impl Iterator<Item = At<'s, 't>>,
    stage: Stage,
) -> String {
    let mut text = "cql()\nflipcolor {\n".to_owned();
    let men: Vec<String> = in_order(board, men).map(|(piece, sq)| man(piece, sq, stage)).collect();
    if !men.is_empty() {
        text += &format!("  {}\n", men.join(" "));
    }
    text += "  path quiet firstmatch\n";
    for at in moves {
        text += &format!("    {}{}\n", gap(&at, stage), dash(at.step, stage));
    }
    text + "}\n"
}

/// Returns the pieces on some squares: White's, then Black's, from king to pawn.
fn in_order(board: &Board, squares: SquareSet) -> impl Iterator<Item = (Piece, Square)> {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let pieces = Color::ALL
        .into_iter()
        .flat_map(move |color| roles.into_iter().map(move |role| Piece::new(color, role)));
    pieces.flat_map(move |piece| {
        let here = board.pieces(piece.color, piece.role) & squares;
        here.into_iter().map(move |sq| (piece, sq))
    })
}

fn man(piece: Piece, sq: Square, stage: Stage) -> String {
    kind(piece, stage) + &place(sq, stage)
}

/// Returns the designator of a piece.
fn kind(piece: Piece, stage: Stage) -> String {
    let kinds = match piece.role {
        Role::Knight | Role::Bishop if stage == Stage::Kinds => "[NB]",
        Role::Rook | Role::Queen if stage == Stage::Kinds => "[RQ]",
        role => return char::from(Piece::new(piece.color, role).letter()).to_string(),
    };
    match piece.color {
        Color::White => kinds.to_owned(),
        Color::Black => kinds.to_ascii_lowercase(),
    }
}

/// Returns a square, or the squares around it.
fn place(sq: Square, stage: Stage) -> String {
    if stage < Stage::Near {
        return sq.to_string();
    }
    let range = |at: u8, first: u8| {
        let ends = [at.saturating_sub(1), (at + 1).min(7)];
        let [low, high] = ends.map(|end| char::from(first + end));
        format!("{low}-{high}")
    };
    range(sq.file(), b'a') + &range(sq.rank(), b'1')
}

/// Returns the moves that may come before a move.
fn gap(at: &At<'_, '_>, stage: Stage) -> String {
    let Some(n) = at.gap else {
        return String::new();
    };
    let more = match stage {
        Stage::Exact => 0,
        _ if n == 0 && at.step.is_answer => 0,
        Stage::Gaps | Stage::FromAnywhere => 2,
        Stage::Near | Stage::Kinds => 4,
    };
    match (n, more) {
        (0, 0) => String::new(),
        (1, 0) => "-- ".to_owned(),
        (_, 0) => format!("--{{{n}}} "),
        _ => format!("--{{{n},{}}} ", n + more),
    }
}

/// Returns a move, and what holds after it.
fn dash(step: &Step<'_>, stage: Stage) -> String {
    let Step { before, mv, .. } = *step;
    let mover = kind(Piece::new(before.turn, mv.role()), stage);
    let is_loose = stage >= Stage::Near;
    let mut text = if mv.is_null() {
        "-- nullmove".to_owned()
    } else if mv.is_castle() {
        let side = match mv.to().file() {
            _ if stage == Stage::Kinds => "castle",
            6 => "o-o",
            _ => "o-o-o",
        };
        format!("{mover}-- {side}")
    } else {
        let target = match step.victim {
            Some((piece, _)) if is_loose => format!("[x]{}", kind(piece, stage)),
            Some((piece, sq)) => format!("[x]{}{sq}", kind(piece, stage)),
            // The promotion names the rank.
            None if is_loose && mv.promotion().is_some() => "--".to_owned(),
            None => format!("--{}", place(mv.to(), stage)),
        };
        let promotion = mv.promotion().map(|role| kind(Piece::new(Color::White, role), stage));
        let promotion = promotion.map_or_else(String::new, |kind| format!("={kind}"));
        let en_passant = if mv.is_en_passant() && !is_loose { " enpassant" } else { "" };
        format!("{mover}{target}{promotion}{en_passant}")
    };
    if step.is_mate {
        text += " mate";
    } else if step.checked.is_some() {
        text += " check";
    }
    text
}
