//! Counts archived games by their columns.

use archive::{Columns, Coverage, Flags, Rows, StoredGame};
use babson::{ArchiveReadError, ArchiveRows};
use board::{Color, Position};
use flow::{Origin, Output};
use pgn::summary::player_name;
use pgn::{Date, MoveCode, decode_value};

use super::Tally;
use super::count::TreeCounter;
use super::node::{ExampleNames, Played, TreeNode};
use crate::collection::RowWorker;

impl RowWorker for TreeCounter<'_> {
    fn columns() -> Columns {
        let wanted = ["white_elo", "black_elo", "date", "white", "black", "result", "fen", "moves"];
        Columns::of(|name| wanted.contains(&name) || ArchiveRows::PLACES.contains(&name))
    }

    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        number: u64,
        out: &mut Output<Tally<TreeNode>>,
    ) -> Result<bool, ArchiveReadError> {
        let (game, counting) = (rows.game(row), self.counting);
        match game.class() {
            Coverage::Plain | Coverage::Annotated => {}
            Coverage::Text => return Ok(false),
            Coverage::Skipped => {
                out.results.omitted.skipped += 1;
                return Ok(true);
            }
        }
        let player = |text| decode_value(&player_name(text)).into_owned();
        let played = || Played {
            result: game.result(),
            ratings: [rows.white_elo.get(row), rows.black_elo.get(row)],
            date: rows.date.get(row).map_or(Date::default(), Date::parse),
            number,
            side: counting.side(|color| match color {
                Color::White => player(rows.white.get(row)),
                Color::Black => player(rows.black.get(row)),
            }),
            looks_for_first: counting.looks_for_first,
        };
        let Origin { name, games_before } = &out.origin;
        let mut names = || ExampleNames {
            input: name.clone(),
            games_before: *games_before,
            white: player(rows.white.get(row)),
            black: player(rows.black.get(row)),
        };
        let root = &mut self.root;
        if counting.variations {
            let tree = &mut self.reader.tree;
            game.fill(tree).map_err(|_| ArchiveReadError::Moves)?;
            let nodes = counting.target.nodes(tree, true);
            counting.add_tree(root, &played(), tree, &nodes, &mut names);
            return Ok(true);
        }
        let (start, moves) = main_line(game, &mut self.mainline);
        if let Some(at) = counting.target.find(start.as_ref(), moves) {
            counting.add_line(root, &played(), &moves[at..], &mut names);
        }
        Ok(true)
    }

    fn finish(self) -> Tally<TreeNode> {
        Tally { counts: self.root, ..Tally::default() }
    }
}

/// Returns the initial position of a game, if it is not the normal one, and the moves of its main
/// line.
pub(super) fn main_line<'m>(
    game: StoredGame<'m>,
    moves: &'m mut Vec<u16>,
) -> (Option<Position>, &'m [u16]) {
    let flags = game.flags();
    let start = flags.has(Flags::FEN).then(|| game.start().position);
    let has_variations = flags.has(Flags::VARIATIONS);
    (start, if has_variations { without_variations(game, moves) } else { game.moves() })
}

/// Returns the moves of a game without its variations.
fn without_variations<'m>(game: StoredGame<'_>, moves: &'m mut Vec<u16>) -> &'m [u16] {
    moves.clear();
    let mut depth = 0_usize;
    for &code in game.moves() {
        match MoveCode(code) {
            MoveCode::OPEN => depth += 1,
            MoveCode::CLOSE => depth = depth.saturating_sub(1),
            _ if depth == 0 => moves.push(code),
            _ => {}
        }
    }
    moves
}
