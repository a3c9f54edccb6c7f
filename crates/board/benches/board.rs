//! The board's part of a search, on all positions of the games in `examples`.
//!
//! Rates are positions a second (or moves, where moves are made).

use std::hint::black_box;
use std::sync::LazyLock;

use board::{
    Color, Move, MoveList, Position, Role, Square, Symmetry, resolve_pawn, resolve_piece, san,
};
use divan::Bencher;
use divan::counter::ItemsCount;

const PGN: &str = include_str!("../../../examples/historic.pgn");

/// Positions with the move that was made in them.
static PLAYED: LazyLock<Vec<(Position, Move)>> = LazyLock::new(played);

fn main() {
    divan::main();
}

/// Replays the games: the word of a move is the SAN of one legal move.
fn played() -> Vec<(Position, Move)> {
    let (mut played, mut moves) = (Vec::new(), MoveList::new());
    for game in PGN.split("[Event ").skip(1) {
        let (_, text) = game.split_once("\n\n").expect("moves behind the tags");
        let mut pos = Position::START;
        for word in text.split_whitespace() {
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            pos.legal_moves(&mut moves);
            let made = moves.iter().find(|&&mv| bare(san(&pos, mv).as_str()) == bare(word));
            if let Some(&mv) = made {
                played.push((pos, mv));
                pos.play_mut(mv);
            }
        }
    }
    assert_eq!(played.len(), 2_331, "the games are read to their ends");
    played
}

/// A move without the signs of check and mate, which not every game has.
fn bare(word: &str) -> &str {
    word.trim_end_matches(['+', '#'])
}

/// Measures a function of a position, folded over all positions.
fn measure(bencher: Bencher<'_, '_>, run: impl Fn(&(Position, Move)) -> u64 + Sync) {
    let played = &*PLAYED;
    bencher
        .counter(ItemsCount::new(played.len()))
        .bench(|| played.iter().fold(0, |all, item| all ^ run(black_box(item))));
}

#[divan::bench]
fn resolve_san(bencher: Bencher<'_, '_>) {
    // A reader knows this much of a move, without hints of file and rank (which only help).
    measure(bencher, |(pos, mv)| {
        let found = match mv.role() {
            Role::Pawn => resolve_pawn(pos, Some(mv.from().file()), None, mv.to(), mv.promotion()),
            role => resolve_piece(pos, role, mv.to(), None, None),
        };
        u64::from(found.is_some())
    });
}

#[divan::bench]
fn make_move(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, mv)| u64::from(black_box(pos.play(*mv)).halfmove_clock));
}

#[divan::bench]
fn attacked_squares(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, _)| {
        let board = &pos.board;
        (board.attacked_by(Color::White) ^ board.attacked_by(Color::Black)).0
    });
}

#[divan::bench]
fn attackers_of_each_piece(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, _)| {
        let occupied = pos.board.occupied();
        let attackers = |sq: Square| pos.board.attackers_to(sq, occupied).0;
        occupied.into_iter().map(attackers).fold(0, |a, b| a ^ b)
    });
}

#[divan::bench]
fn pins(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, _)| pos.pinned().0);
}

#[divan::bench]
fn is_mate(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, _)| u64::from(pos.is_mate()));
}

#[divan::bench]
fn count_legal(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, _)| u64::from(pos.count_legal()));
}

#[divan::bench]
fn list_legal(bencher: Bencher<'_, '_>) {
    let mut list = MoveList::new();
    let played = &*PLAYED;
    bencher.counter(ItemsCount::new(played.len())).bench_local(|| {
        let mut n_moves = 0;
        for (pos, _) in played {
            pos.legal_moves(&mut list);
            n_moves += list.len();
        }
        n_moves
    });
}

#[divan::bench]
fn turn_the_board(bencher: Bencher<'_, '_>) {
    measure(bencher, |(pos, _)| Symmetry::REFLECT_A1H8.apply_board(&pos.board).occupied().0);
}
