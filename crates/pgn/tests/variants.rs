//! Games of variants in the notations of different programs.

use board::{Ending, Rules};
use pgn::{Edits, GameTree, RawGame, Splitter, TagIndex, TextTags, WriteOptions, write_game};

fn with_game<R>(raw: &RawGame<'_>, see: impl FnOnce(TextTags<'_>, &GameTree) -> R) -> R {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let clean = raw.clean_text(&mut buffer);
    index.scan(clean);
    let tags = index.tags(clean);
    tree.parse(tags);
    see(tags, &tree)
}

fn last(tree: &GameTree) -> usize {
    std::iter::successors(Some(0), |&node| tree.next(node)).last().unwrap_or(0)
}

fn written(tags: TextTags<'_>, tree: &GameTree) -> String {
    let mut out = Vec::new();
    write_game(&mut out, tags, tree, &Edits::default(), &WriteOptions::default());
    String::from_utf8(out).expect("ASCII")
}

/// Reads moves from a position. Returns the FEN at the end, or else the start of the illegal move,
/// and the written moves.
fn read(variant: &str, fen: &str, moves: &str) -> (String, String) {
    let fen = match fen {
        "" => String::new(),
        _ => format!("[FEN \"{fen}\"]\n"),
    };
    let text = format!("[Event \"x\"]\n[Variant \"{variant}\"]\n{fen}\n{moves} *\n");
    with_game(&RawGame::of(text.as_bytes()), |tags, tree| {
        let out = written(tags, tree);
        let moves = out.trim_end().rsplit("\n\n").next().unwrap_or_default();
        let moves = moves.replace('\n', " ");
        match tree.illegal_move_at() {
            None => (tree.fen(last(tree)), moves),
            Some(at) => (format!("illegal: {}", &text[at..at + 5]), moves),
        }
    })
}

#[track_caller]
fn check(variant: &str, fen: &str, moves: &str, end: &str, text: &str) {
    let (got, written) = read(variant, fen, moves);
    assert_eq!(got, end, "{variant} {fen} {moves}");
    let text = format!("{} *", text.replace(". ", "."));
    assert_eq!(written, text, "{variant} {fen} {moves}");
}

/// Random games played and written by python-chess, with its FEN at the end.
#[test]
fn games_end_as_those_of_python_chess() {
    let file = include_bytes!("variants/random.pgn");
    let mut n = 0;
    let mut splitter = Splitter::default();
    for raw in splitter.split(file, true) {
        n += 1;
        let again = with_game(&raw, |tags, tree| {
            let end = String::from_utf8_lossy(tags.raw(b"End").expect("a tag")).into_owned();
            assert!(!tree.may_lack_moves(), "{end}");
            assert!(tree.len() > 1 && !tree.rules().are_of_chess());
            assert_eq!(tree.fen(last(tree)), end);
            written(tags, tree)
        });
        // A written game is read as the same game, and written in the same way again.
        with_game(&RawGame::of(again.as_bytes()), |tags, tree| {
            let end = String::from_utf8_lossy(tags.raw(b"End").expect("a tag")).into_owned();
            assert_eq!(tree.fen(last(tree)), end);
            assert_eq!(written(tags, tree), again);
        });
    }
    assert_eq!(n, 16);
}

#[test]
fn drops() {
    let start = "1. e4 d5 2. exd5 Qxd5";
    let moves = [" 3. P@e4", " 3. @e4", " 3.P@e4!?"];
    let fen = "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 1 3";
    for (moves, mark) in moves.into_iter().zip(["", "", " $5"]) {
        let text = format!("{start} 3. P@e4{mark}");
        check("Crazyhouse", "", &(start.to_owned() + moves), fen, &text);
    }
    let hand = "4k3/8/8/8/8/8/8/4K3[QNn] w - - 0 1";
    let end = "4k3/8/5N2/8/8/8/8/4K3[Qn] b - - 1 1";
    check("zh", hand, "1. N@f6+", end, "1. N@f6+");
    let lichess = "4k3/8/8/8/8/8/8/4K3/QNn w - - 0 1";
    check("Crazyhouse", lichess, "1. N@f6", end, "1. N@f6+");
    let mated = "4k3/8/4K3/8/8/8/8/8[Q] w - - 0 1";
    let end = "4k3/4Q3/4K3/8/8/8/8/8[] b - - 1 1";
    check("Crazyhouse", mated, "1. Q@e7", end, "1. Q@e7#");
    // A promoted piece is captured as a pawn.
    let end = "4k3/8/8/8/8/8/8/K7[p] b - - 0 1";
    let fen = "4k3/8/8/8/8/8/1q~6/K7[p] w - - 0 1";
    check(
        "Crazyhouse",
        fen,
        "1. Kxb2",
        &end.replace("K7[p]", "8[Pp]").replace("8/8/8[", "8/1K6/8["),
        "1. Kxb2",
    );
}

#[test]
fn other_moves_than_those_of_chess() {
    // Nxf7 explodes the king beside it.
    let end = "rnbq3r/1pppp1pp/8/p7/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3";
    check("Atomic", "", "1. Nf3 a6 2. Ne5 a5 3. Nxf7#", end, "1. Nf3 a6 2. Ne5 a5 3. Nxf7#");
    let end = "K7/8/8/8/8/8/8/k7 b - - 0 1";
    check("Antichess", "8/P7/8/8/8/8/8/k7 w - - 0 1", "1. a8=K", end, "1. a8=K");
    let fen = "4k3/8/8/8/8/8/7P/7P w - - 0 1";
    check("Horde", fen, "1. h2h4 Kd8", "3k4/8/8/8/7P/8/8/7P w - - 1 2", "1. h4 Kd8");
    let fen = "4k3/8/8/8/8/8/8/7P w - - 0 1";
    check("Horde", fen, "1. h3", "4k3/8/8/8/8/7P/8/8 b - - 0 1", "1. h3");
    let end = "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 3+3 2 2";
    check("3-check", "", "1. Nf3 Nc6", end, "1. Nf3 Nc6");
    let given = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 +2+0";
    let end = "4k2R/8/8/8/8/8/8/4K3 b - - 0+3 1 1";
    check("Three-check", given, "1. Rh8+", end, "1. Rh8#");
}

#[test]
fn castling_of_chess960_in_variants() {
    let fen = "8/k7/8/8/8/8/8/1R3KR1 w GB - 0 1";
    let short = "8/k7/8/8/8/8/8/1R3RK1 b - - 1 1";
    for castling in ["O-O", "Kxg1", "Kg1", "f1g1"] {
        check("Atomic", fen, castling, short, "1. O-O");
        check("Atomic 960", fen, castling, short, "1. O-O");
    }
    let long = "8/k7/8/8/8/8/8/2KR2R1 b - - 1 1";
    for castling in ["O-O-O", "Kxb1", "Kc1", "f1c1"] {
        check("koth", fen, castling, long, "1. O-O-O");
    }
    // A step of the king to its own square is no castling.
    let fen = "8/k7/8/8/8/8/8/1R3K1R w KQ - 0 1";
    let step = "8/k7/8/8/8/8/8/1R4KR b - - 1 1";
    check("Atomic", fen, "Kg1", step, "1. Kg1");
    let castled = "8/k7/8/8/8/8/8/1R3RK1 b - - 1 1";
    check("Atomic", fen, "Kh1", castled, "1. O-O");
    // A king or rook that has moved does not castle.
    let fen = "7r/k6p/8/8/8/8/7P/1R3K1R w KQ - 0 1";
    let (end, _) = read("Atomic", fen, "1. h4 h5 2. Rh3 Ka8 3. Rh1 Ka7 4. O-O");
    assert_eq!(end, "illegal: O-O *");
    let moves = "1. h4 h5 2. Kg1 Ka8 3. Kf1 Ka7 4. O-O-O";
    assert_eq!(read("Atomic", fen, moves).0, "illegal: O-O-O");
}

#[test]
fn moves_that_the_rules_forbid() {
    let illegal = |variant, fen, moves, word: &str| {
        let (end, _) = read(variant, fen, moves);
        assert_eq!(end, format!("illegal: {word}"), "{variant} {moves}");
    };
    // Captures are compulsory, also where chess would allow another move.
    illegal("Antichess", "", "1. e4 d5 2. Nf3", "Nf3 *");
    illegal("Losers", "", "1. e4 d5 2. Nf3", "Nf3 *");
    illegal("Antichess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "1. O-O", "O-O *");
    // No piece is in hand, the square is occupied, or it is on the last rank.
    illegal("Crazyhouse", "", "1. e4 d5 2. N@f3", "N@f3 ");
    illegal("Crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "1. N@e8", "N@e8 ");
    illegal("Crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "1. P@a8", "P@a8 ");
    illegal("Racing Kings", "", "1. Nxe2", "Nxe2 ");
    illegal("Atomic", "8/8/8/8/8/8/1p1k4/K7 w - - 0 1", "1. Kxb2", "Kxb2 ");
}

#[test]
fn drops_are_words_without_meaning_in_chess() {
    let (end, _) = read("Standard", "", "1. e4 d5 2. exd5 Qxd5 3. P@e4 Nf6");
    assert_eq!(end, "illegal: e4 Nf");
}

#[test]
fn variants_end() {
    let ending = |text: &str| {
        with_game(&RawGame::of(text.as_bytes()), |_, tree| {
            (tree.rules(), tree.situation(last(tree)).ending())
        })
    };
    let text = "[Variant \"KOTH\"]\n\n1.e4 a6 2.Ke2 a5 3.Ke3 a4 4.Kd4 *";
    let win = Some(Ending::Win(board::Color::White));
    assert_eq!(ending(text), (Rules::KingOfTheHill, win));
    let text = "[Variant \"Chess\"]\n\n1.e4 a6 2.Ke2 a5 3.Ke3 a4 4.Kd4 *";
    assert_eq!(ending(text), (Rules::Chess, None));
}
