//! Opening books of Polyglot: the moves of the games from a position on, by the key of each
//! position, so that orders of moves that lead to one position are counted together.

use std::collections::HashMap;

use archive::{Columns, Coverage, Rows};
use babson::ArchiveReadError;
use board::{Move, Role, polyglot_key};
use flow::{Output, Results, Worker};
use pgn::{GameResult, MoveCode, RawGame, Step, VariantNames};
use table::Points;

use super::count::TreeCounter;
use super::reader::GameReader;
use super::rows::main_line;
use super::{Omitted, Tally};
use crate::collection::{Collection, Error, RowWorker, Sum, Watch};
use crate::target::Target;

/// Size of an entry in bytes.
const ENTRY: usize = 16;

/// Counts the moves of main lines for an opening book, up to `depth` half-moves after the
/// position.
///
/// # Errors
/// Those of [`count`](super::count).
pub fn book(
    games: &mut Collection<'_>,
    target: &Target,
    depth: usize,
    watch: &mut dyn Watch,
) -> Result<Book, Error> {
    let variants = games.variants.clone();
    let mut book = Book::default();
    let make = || BookCounter::new(target, depth, &variants);
    let passed = games.pass(true, &make, watch, &mut |counts, _| {
        book.0.add(counts);
        Ok(())
    })?;
    if passed.is_cancelled { Err(Error::Cancelled) } else { Ok(book) }
}

/// Moves for an opening book.
#[derive(Debug, Default)]
pub struct Book(Tally<Moves>);

/// Counts of moves, by the key of the position and the move as the format writes it.
#[derive(Debug, Default)]
struct Moves(HashMap<(u64, u16), Played>);

/// Games with a move.
#[derive(Debug, Default, Clone, Copy)]
struct Played {
    games: u64,
    /// Half-points of the player who moves.
    half_points: u64,
}

impl Results for Moves {}

impl Sum for Moves {
    fn add(&mut self, other: Moves) {
        for (key, played) in other.0 {
            let sum = self.0.entry(key).or_default();
            sum.games += played.games;
            sum.half_points += played.half_points;
        }
    }
}

impl Book {
    /// Games that are not counted.
    #[must_use]
    pub fn omitted(&self) -> Omitted {
        self.0.omitted
    }

    /// Returns the book in the format of Polyglot, and the number of its moves. It has the moves of
    /// at least `min_games` games that scored at all; the weight of a move is the number of its
    /// half-points, scaled down in positions where it has no room.
    #[must_use]
    pub fn to_bytes(&self, min_games: u64) -> (Vec<u8>, u64) {
        let moves = self.0.counts.0.iter();
        let wanted =
            moves.filter(|(_, played)| played.games >= min_games && played.half_points > 0);
        let mut entries: Vec<(u64, u64, u16)> =
            wanted.map(|(&(key, mv), played)| (key, played.half_points, mv)).collect();
        // The best moves of a position come first.
        entries.sort_unstable_by_key(|&(key, weight, mv)| (key, std::cmp::Reverse(weight), mv));
        let mut bytes = Vec::with_capacity(entries.len() * ENTRY);
        for position in entries.chunk_by(|a, b| a.0 == b.0) {
            let most = position.iter().map(|entry| entry.1).max().unwrap_or(1);
            for &(key, half_points, mv) in position {
                let weight = if most > u64::from(u16::MAX) {
                    (half_points * u64::from(u16::MAX) / most).max(1)
                } else {
                    half_points
                };
                bytes.extend(key.to_be_bytes());
                bytes.extend(mv.to_be_bytes());
                bytes.extend((weight as u16).to_be_bytes());
                bytes.extend([0; 4]);
            }
        }
        (bytes, entries.len() as u64)
    }
}

/// Returns a move as the format writes it: squares and promotion; castling goes from the king to
/// the rook.
fn written(mv: Move) -> u16 {
    let to = mv.rook_from_to().map_or(mv.to(), |(rook, _)| rook);
    let promotion = match mv.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    u16::from(to.as_u8()) | u16::from(mv.from().as_u8()) << 6 | promotion << 12
}

/// Counts the games of a thread.
struct BookCounter<'t> {
    target: &'t Target,
    depth: usize,
    reader: GameReader<'t>,
    mainline: Vec<u16>,
    /// Counts of rows.
    moves: Moves,
}

impl<'t> BookCounter<'t> {
    fn new(target: &'t Target, depth: usize, variants: &'t VariantNames) -> BookCounter<'t> {
        BookCounter {
            target,
            depth,
            reader: GameReader::new(variants),
            mainline: Vec::new(),
            moves: Moves::default(),
        }
    }
}

/// Counts the moves of a game after the position.
fn add(counts: &mut Moves, target: &Target, result: GameResult, moves: impl Iterator<Item = Move>) {
    let mut position = target.position;
    for mv in moves.take_while(|mv| !mv.is_null()) {
        let points = Points::of(result, position.turn);
        let played = counts.0.entry((polyglot_key(&position), written(mv))).or_default();
        played.games += 1;
        played.half_points += points.map_or(0, |points| points as u64);
        position.play_mut(mv);
    }
}

impl Worker for BookCounter<'_> {
    type Results = Tally<Moves>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Tally<Moves>>) {
        let Some((_, tree)) = self.reader.read(raw, number, out) else {
            return;
        };
        if let Some(&node) = self.target.nodes(tree, false).first() {
            let line = std::iter::successors(tree.next(node), |&node| tree.next(node));
            let moves = line.take(self.depth).map_while(|node| tree.move_to(node));
            add(&mut out.results.counts, self.target, tree.result(), moves);
        }
    }
}

impl RowWorker for BookCounter<'_> {
    fn columns() -> Columns {
        <TreeCounter<'_> as RowWorker>::columns()
    }

    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        _: u64,
        out: &mut Output<Tally<Moves>>,
    ) -> Result<bool, ArchiveReadError> {
        let game = rows.game(row);
        match game.class() {
            Coverage::Plain | Coverage::Annotated => {}
            Coverage::Text => return Ok(false),
            Coverage::Skipped => {
                out.results.omitted.skipped += 1;
                return Ok(true);
            }
        }
        let (start, codes) = main_line(game, &mut self.mainline);
        if let Some(at) = self.target.find(start.as_ref(), codes) {
            let moves = codes[at..].iter().take(self.depth).map_while(|&code| {
                match MoveCode(code).step() {
                    Step::Move(mv) => Some(mv),
                    Step::Open | Step::Close => None,
                }
            });
            add(&mut self.moves, self.target, game.result(), moves);
        }
        Ok(true)
    }

    fn finish(self) -> Tally<Moves> {
        Tally { counts: self.moves, ..Tally::default() }
    }
}

#[cfg(test)]
mod tests {
    use board::Square;

    use super::*;

    fn book(moves: &[(u64, u16, u64, u64)]) -> Book {
        let moves = moves
            .iter()
            .map(|&(key, mv, games, half_points)| ((key, mv), Played { games, half_points }));
        Book(Tally { counts: Moves(moves.collect()), ..Tally::default() })
    }

    #[test]
    fn entries_are_in_the_order_of_the_format() {
        let book = book(&[(2, 5, 9, 4), (1, 7, 3, 1), (2, 6, 9, 8), (2, 8, 9, 0), (2, 9, 1, 2)]);
        let (bytes, n) = book.to_bytes(2);
        let entries: Vec<&[u8]> = bytes.chunks(ENTRY).collect();
        assert_eq!(n, 3);
        assert_eq!(entries[0], [0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 1, 0, 0, 0, 0]);
        let of_second: Vec<(u8, u8)> = entries[1..].iter().map(|one| (one[9], one[11])).collect();
        assert_eq!(of_second, [(6, 8), (5, 4)]);
    }

    #[test]
    fn great_weights_are_scaled() {
        let (bytes, _) = book(&[(1, 1, 1, 200_000), (1, 2, 1, 100_000), (1, 3, 1, 1)]).to_bytes(1);
        let weights: Vec<u16> =
            bytes.chunks(ENTRY).map(|one| u16::from_be_bytes([one[10], one[11]])).collect();
        assert_eq!(weights, [65_535, 32_767, 1]);
    }

    #[test]
    fn moves_are_written_as_the_format_says() {
        let square = |name: &str| Square::parse(name.as_bytes()).expect("a square");
        let position = |fen: &str| board::parse_fen(fen.as_bytes()).expect("a position");
        let check = |fen: &str, mv: &str, expected: u16| {
            let position = position(fen);
            let found = position.move_of_uci(mv).expect("a move");
            assert_eq!(written(found), expected, "{mv}");
        };
        let of = |from: &str, to: &str, promotion: u16| {
            u16::from(square(to).as_u8()) | u16::from(square(from).as_u8()) << 6 | promotion << 12
        };
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", of("e1", "h1", 0));
        check("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "a7a8q", of("a7", "a8", 4));
        check("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "a7a8n", of("a7", "a8", 1));
        check("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "h1h2", of("h1", "h2", 0));
    }
}
