//! Reports the moves of a game that are not read.

use flow::{FaultKind, Output, Results};
use pgn::doctor::{Examiner, Loss};
use pgn::{GameTree, TextTags};

/// Message if moves are lost but the examiner finds no error.
const UNEXPLAINED: &str = "the moves cannot be read to the end";

/// Reports the first unread move of a game with the number of unread moves, or else the first
/// unread word among the moves. `tree` must have been parsed from `tags`; the game has this number
/// and begins at this offset of its source.
#[cold]
pub fn report_lost_moves<R: Results>(
    examiner: &mut Examiner,
    tree: &GameTree,
    tags: TextTags<'_>,
    (number, offset): (u64, u64),
    out: &mut Output<R>,
) {
    let text = tags.text();
    let n_moves = tree.n_lost_moves(text);
    // Only the examiner can tell whether words that are no moves are lost in addition.
    let of_moves =
        |what: &str| (n_moves > 0).then(|| Loss { at: 0, what: what.to_owned(), n_moves });
    let loss = match of_moves("").filter(|_| out.is_told_enough()) {
        None => examiner.loss(tree, tags).or_else(|| of_moves(UNEXPLAINED)),
        enough => enough,
    };
    let Some(Loss { mut at, mut what, n_moves }) = loss else {
        return;
    };
    if n_moves == 0 && tree.is_of_result(tags, at) {
        return;
    }
    let word = tree.word_before_illegal_move(text);
    if let Some(word) = word.filter(|word| word.end <= at) {
        let shown: String = pgn::decode(&text[word.clone()]).chars().take(40).collect();
        what = format!("`{shown}` is neither a move nor an annotation; after it, {what}");
        at = word.start;
    }
    let n_games = tree.n_games_among_moves(tags);
    match n_games {
        0 => {}
        1 => what += "; a game that begins there is not read",
        n => what += &format!("; {n} games that begin there are not read"),
    }
    if let Some(bracket) = tree.bracket_at() {
        out.unsay(number, offset + bracket as u64);
    }
    let (kind, message) = match n_moves {
        _ if n_games > 0 => (FaultKind::Swallowed(n_games as u32), what),
        0 => (FaultKind::Repaired, what),
        1 => (FaultKind::Cut, format!("{what}; 1 move is not read")),
        n => (FaultKind::Cut, format!("{what}; {n} moves are not read")),
    };
    out.fault_at(number, offset + at as u64, kind, message);
}
