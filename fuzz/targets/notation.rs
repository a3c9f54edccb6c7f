//! Any bytes as a position or a move.

#![no_main]

use board::{MoveList, Position, Start, parse_fen, parse_position, san};
use fuzz::games::{Game, split};
use libfuzzer_sys::fuzz_target;
use pgn::RawGame;

fuzz_target!(|text: &[u8]| {
    let (first, rest) = match text.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, &[][..]),
    };
    let _ = parse_position(first);
    if let Ok(pos) = parse_fen(first) {
        assert_eq!(parse_fen(pos.fen().as_bytes()), Ok(pos), "{}", pos.fen());
    }
    for is_chess960 in [false, true] {
        if let Ok(start) = Start::parse(first, is_chess960) {
            let fen = start.fen();
            // Rook files declare Chess960; the FEN leaves them out where they are not needed.
            let is_chess960 = start.setup.is_some_and(|setup| setup.is_declared());
            let again = Start::parse(fen.as_bytes(), is_chess960).map(|start| start.position);
            assert_eq!(again, Ok(start.position), "{fen}");
        }
    }
    let Ok(start) = Start::parse(first, false) else {
        return;
    };
    if start.setup.is_none() {
        moves_are_read_as_they_are_written(&start.position);
    }
    // The rest as moves from there.
    let mut game = format!("[FEN \"{}\"]\n\n", start.fen()).into_bytes();
    game.extend_from_slice(rest);
    for raw in split(&game).iter().filter(|raw| !raw.is_skipped()) {
        let _ = Game::read(raw).written();
    }
});

fn moves_are_read_as_they_are_written(pos: &Position) {
    let mut moves = MoveList::default();
    pos.legal_moves(&mut moves);
    let mut text = format!("[FEN \"{}\"]\n\n", pos.fen());
    let n = moves.len();
    for index in 0..n {
        // Every move but the first is a variation of it.
        let word = san(pos, moves[index]).to_string();
        text += &match index {
            0 => format!("{word} "),
            _ => format!("( {word} ) "),
        };
    }
    text += "*\n";
    let game = Game::read(&RawGame::of(text.as_bytes()));
    let read: Vec<_> = (1..game.tree.len()).map(|node| game.tree.move_to(node)).collect();
    let expected: Vec<_> = (0..n).map(|index| Some(moves[index])).collect();
    assert_eq!(read, expected, "{text}");
    for index in 0..n {
        assert_eq!(game.tree.positions()[index + 1], pos.play(moves[index]), "{text}");
    }
}
