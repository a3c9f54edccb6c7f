//! Games of Chess960 in the notations of different programs.

use pgn::{Edits, GameTree, RawGame, TagIndex, WriteOptions, write_game};

const START: &str = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR";

/// Reads moves from a position, with or without a Variant tag. Returns the FEN at the end, or the
/// error.
fn read(variant: &str, fen: &str, moves: &str) -> (String, String) {
    let mut text = String::from("[Event \"x\"]\n");
    if !variant.is_empty() {
        text += &format!("[Variant \"{variant}\"]\n");
    }
    if !fen.is_empty() {
        text += &format!("[FEN \"{fen}\"]\n");
    }
    text += &format!("\n{moves} *\n");
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let game = RawGame::of(text.as_bytes());
    let clean = game.clean_text(&mut buffer);
    index.scan(clean);
    let tags = index.tags(clean);
    tree.parse(tags);
    let mut out = Vec::new();
    let (edits, options) = (Edits::default(), WriteOptions::default());
    write_game(&mut out, tags, &tree, &edits, &options);
    let out = String::from_utf8(out).expect("ASCII").replace('\n', " ");
    let written = out.rsplit("] ").next().unwrap_or_default().trim().to_owned();
    let end = match tree.illegal_move_at() {
        None => tree.fen(tree.len() - 1),
        Some(at) => format!(
            "illegal: {}",
            clean[at..]
                .split(|b| *b == b' ')
                .next()
                .map(String::from_utf8_lossy)
                .unwrap_or_default()
        ),
    };
    (end, written)
}

#[track_caller]
fn check(variant: &str, fen: &str, moves: &str, want: &str) {
    assert_eq!(read(variant, fen, moves).0, want, "{variant} {fen} {moves}");
}

#[test]
fn castling_in_all_spellings() {
    let fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1";
    let short = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b kq - 1 1";
    for castling in ["O-O", "0-0", "o-o", "OO", "Kh1", "Kxh1", "f1h1"] {
        check("Chess960", fen, castling, short);
    }
    let long = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/2KR3R b kq - 1 1";
    for castling in ["O-O-O", "0-0-0", "Kb1", "Kxb1", "f1b1", "Kc1", "f1c1"] {
        check("chess 960", fen, castling, long);
    }
    // A step of the king to its own square is no castling.
    check("Chess960", fen, "Kg1", "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R4KR b kq - 1 1");
}

#[test]
fn castling_is_written_the_usual_way() {
    let fen = format!("{START} w KQkq - 0 1");
    let (end, written) = read("Fischerandom", &fen, "1.Nf3 Nf6 2.Kxh1 Kh8");
    assert_eq!(end, "nrbbqrk1/pppppppp/5n2/8/8/5N2/PPPPPPPP/NRBBQRK1 w - - 4 3");
    assert_eq!(written, "1.Nf3 Nf6 2.O-O O-O *");
}

#[test]
fn rights_follow_the_moves() {
    let fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1";
    let illegal = "illegal: O-O";
    check("Chess960", fen, "Ke1 Ke8 Kf1 Kf8 O-O", illegal);
    check("Chess960", fen, "Rg1 Ke8 Rh1 Kf8 O-O", illegal);
    check(
        "Chess960",
        fen,
        "Rg1 a6 Rh1 a5 O-O-O",
        "1r3k1r/1ppppppp/8/p7/8/8/PPPPPPPP/2KR3R b kq - 1 3",
    );
    // In a variation, later moves of the main line do not count.
    check("Chess960", fen, "h3 h6 Ke1 (O-O O-O) Ke8 Kf1 Kf8 O-O", illegal);
    let pieces = "1r3rk1/ppppppp1/7p/8/8/7P/PPPPPPP1/1R3RK1";
    check("Chess960", fen, "h3 h6 Ke1 (O-O O-O)", &format!("{pieces} w - - 2 3"));
    // A null move leaves all rights.
    check("Chess960", fen, "-- -- O-O", "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b kq - 3 2");
    let no_right = fen.replace("KQkq", "Qkq");
    check("Chess960", &no_right, "O-O", illegal);
}

#[test]
fn fens_without_a_tag() {
    // The files of rooks indicate Chess960.
    let files = "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1";
    check("", files, "O-O", "1r3k1r/8/8/8/8/8/8/1R3RK1 b kq - 1 1");
    // Castling that the normal game does not have is accepted when it is played.
    let letters = "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1";
    check("", letters, "O-O-O", "1r3k1r/8/8/8/8/8/8/2KR3R b KQkq - 1 1");
    // The normal game keeps its own rules: castling needs no right, and the king takes no rook.
    let normal = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1";
    check("", normal, "O-O", "r3k2r/8/8/8/8/8/8/R4RK1 b - - 1 1");
    check("", normal, "Kh1", "illegal: Kh1");
    check("", "", "Kh1", "illegal: Kh1");
}

#[test]
fn the_normal_start_of_chess960() {
    let moves = "e4 e5 Nf3 Nf6 Be2 Be7";
    let (end, written) = read("Chess960", "", &format!("{moves} Kh1"));
    assert_eq!(end, "rnbqk2r/ppppbppp/5n2/4p3/4P3/5N2/PPPPBPPP/RNBQ1RK1 b kq - 5 4");
    assert_eq!(written, "1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.O-O *");
}

// found by fuzzing
#[test]
fn normal_castling_is_one_move_however_it_is_written() {
    // the other rook indicates Chess960
    let head = "[Event \"x\"]\n[FEN \"3rk2r/8/8/8/8/8/8/R3K2R w KQkq - 5 1\"]\n\n";
    for castling in ["O-O", "Kg1", "e1g1", "e1g1B", "e1h1", "Kxh1"] {
        let text = format!("{head}1.{castling} *\n");
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text.as_bytes());
        tree.parse(index.tags(text.as_bytes()));
        let normal = board::Move::castle(board::Color::White, true);
        assert_eq!(tree.move_to(1), Some(normal), "{castling}");
    }
}
