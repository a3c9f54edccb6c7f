//! Cases for each rule of the movetext, as input and rewritten output.

use std::borrow::Cow;

use proptest::prelude::*;

use super::{End, Parser};
use crate::edits::Edits;
use crate::split::RawGame;
use crate::tags::TagIndex;
use crate::tree::{GameTree, Stop};
use crate::values::GameResult;
use crate::write::{WriteOptions, write_game};

/// Returns the rewritten movetext of a game on one line, without tags.
fn rewrite(text: &str) -> (String, GameTree) {
    let raw = RawGame::of(text.as_bytes());
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    let tags = index.tags(text);
    tree.parse(tags);
    let mut out = Vec::new();
    write_game(&mut out, tags, &tree, &Edits::default(), &WriteOptions::default());
    let out = String::from_utf8_lossy(&out).into_owned();
    let moves = out.split_once("\n\n").map_or("", |(_, moves)| moves).trim_end();
    let mut joined = moves.replace(" \n", " ");
    // A line break between these signs and a word replaces no blank.
    for (broken, whole) in [(".\n", "."), ("{\n", "{"), ("\n}", "}"), ("\n", " ")] {
        joined = joined.replace(broken, whole);
    }
    (joined, tree)
}

fn game(fen: Option<&str>, moves: &str) -> String {
    let fen = fen.map_or(String::new(), |fen| format!("[FEN \"{fen}\"]\n"));
    format!("[Event \"x\"]\n[Result \"0-1\"]\n{fen}\n{moves}")
}

#[track_caller]
fn check_from(fen: Option<&str>, moves: &str, want: &str) {
    // Once at the end of the text, and once with much text after it, which takes another way
    // through the parser.
    for tail in ["", " {ten more blanks behind:}          "] {
        let text = game(fen, moves);
        let (got, _) = rewrite(&match moves.rsplit_once(' ') {
            Some((_, result @ ("*" | "1-0"))) => {
                let moves = text.strip_suffix(result).unwrap();
                let tail = tail.replace("{ten more blanks behind:}", "");
                format!("{moves}{tail}{result}")
            }
            _ => text,
        });
        assert_eq!(got, want, "{moves:?}");
    }
}

/// Checks moves from the normal start; both sides end with their result.
#[track_caller]
fn check(moves: &str, want: &str) {
    check_from(None, moves, want);
}

const CASTLES: Option<&str> = Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
const PROMOTES: Option<&str> = Some("3n4/P1P1k3/8/8/8/8/p3K1p1/8 w - - 0 1");

#[test]
fn numbers_and_spaces() {
    check("1.e4 e5 2.Nf3 *", "1.e4 e5 2.Nf3 *");
    check("1. e4 e5 2. Nf3 *", "1.e4 e5 2.Nf3 *");
    check("1. e4 1... e5 2 Nf3 *", "1.e4 e5 2.Nf3 *");
    check("e4 e5 77.Nf3 0 00 000 123456789. Nc6 *", "1.e4 e5 2.Nf3 Nc6 *");
    check("1.e4\n\te5\r\n.. 2.Nf3 *", "1.e4 e5 2.Nf3 *");
    // A number without a blank takes the move with it.
    check("1e4 1.e4 e5 *", "1.e4 e5 *");
    check("1.e4 1)e5 *", "1.e4 e5 *");
}

#[test]
fn dots_in_moves_of_pawns() {
    check("1. e4. e5. 2. Nf3 *", "1.e4 e5 2.Nf3 *");
    check("1. e4.! e5.+ 2. Nf3 *", "1.e4 $1 e5 2.Nf3 *");
    check("1. e4 d5 2. exd5... Qx.d5 *", "1.e4 d5 2.exd5 {Error reading move: d5} *");
    check("1. e4...e5 2. Nf3 *", "{Error reading move: e4e5} *");
    let promotes = "1.a8.=Q Kd7 *";
    check_from(PROMOTES, promotes, "1.a8=Q Kd7 *");
}

#[test]
fn a_sign_of_evaluation_takes_the_rest_of_its_word() {
    check(
        "e4 +-x e5 +/-foo Nf3 =/+y Nc6 -+z Bb5 +/=q a6 =+w Ba4 +=v Nf6 -/+/= *",
        "1.e4 $18 e5 $16 2.Nf3 $15 Nc6 $19 3.Bb5 $14 a6 $15 4.Ba4 $14 Nf6 $17 *",
    );
    check("e4+-/+ e5 *", "1.e4 $18 e5 *");
    check("e4 +={not} e5 *", "1.e4 $14 e5 *");
    check("e4 ~$19 e5 ~! Nf3 ~Nc6 *", "1.e4 $13 e5 $13 2.Nf3 $13 *");
}

#[test]
fn a_lone_p_takes_the_next_byte() {
    check("e4 P {c} e5 Nf3 *", "1.e4 e5 2.Nf3 *");
    check("e4 P e5 Nf3 *", "1.e4 {Error reading move:  e5} *");
    check("e4 Pe5 Pf4 *", "1.e4 e5 2.f4 *");
}

#[test]
fn results() {
    check("1.e4 1-0", "1.e4 1-0");
    check("1.e4 *", "1.e4 *");
    for (word, result) in [
        ("1:0", "1-0"),
        ("0:1", "0-1"),
        ("1/2", "1/2-1/2"),
        ("1/2:1/2", "1/2-1/2"),
        ("1/2-1/2)", "1/2-1/2"),
        ("1-0.", "1-0"),
        ("*.", "*"),
        ("0-1)", "0-1"),
    ] {
        check(&format!("1.e4 {word} e5 1-0"), &format!("1.e4 {result}"));
    }
    for word in ["0-1-0", "1-0!", "1/2-1/3", "1-0{}", "*e", "1-0,"] {
        check(&format!("1.e4 {word} e5 *"), "1.e4 e5 *");
    }
    check("1.e4 (1.d4 1-0", "1.e4 ( 1.d4 ) 1-0");
}

#[test]
fn pawn_moves() {
    check("1.e4 d5 2.exd5 c6 3.dc e6 4.cb7 *", "1.e4 d5 2.exd5 c6 3.dxc6 e6 4.cxb7 *");
    check("1.e2e4 d7-d5 2.e4xd5 c7c6 3.d5:c6 *", "1.e4 d5 2.exd5 c6 3.dxc6 *");
    check("1.Pe4 d5 2.Pexd5 *", "1.e4 d5 2.exd5 *");
    check("1.e4 a6 2.e5 d5 3.exd6ep *", "1.e4 a6 2.e5 d5 3.exd6 *");
    check("1.e4 a6 2.e5 d5 3.ed6 e.p. e6 *", "1.e4 a6 2.e5 d5 3.exd6 e6 *");
    check("1.e4 a6 2.e5 d5 3.exd6 ep e6 *", "1.e4 a6 2.e5 d5 3.exd6 e6 *");
    check("1.e-4 e:5 *", "1.e4 e5 *");
    check("1.e4+ e5# 2.d4! d5? 3.f4= f5-+ *", "1.e4 e5 2.d4 $1 d5 $2 3.f4 $10 f5 $19 *");
    check("1.e4-/+ e5 *", "1.e4 $17 e5 *");
    check("1.e4) e5 *", "1.e4 e5 *");
    // The first possible rank counts, from 1 up.
    let two = Some("4k3/8/8/1p6/P7/3p4/4P3/4K3 w - - 0 1");
    check_from(two, "1.ab *", "1.axb5 *");
    check_from(two, "1.ed *", "1.exd3 *");
    // Other bytes are skipped and the word is lost; the wrong side then plays the next move.
    for glued in ["e4{x}", "e4$1", "e4(", "e4/", "e4,", "e4*", "e4;", "e4q", "e49"] {
        let shown = "{Error reading move: e5} *";
        check(&format!("1.{glued}\n e5 *"), shown);
    }
}

#[test]
fn promotions() {
    check_from(
        PROMOTES,
        "1.a8Q (1.a8=N) (1.cxd8=B+) (1.cd8R) (1.cd=N) (1.cdQ) (1.c8R) (1.a7a8=R) (1.c7c8Q) *",
        "1.a8=Q ( 1.a8=N ) ( 1.cxd8=B+ ) ( 1.cxd8=R ) ( 1.cxd8=N ) ( 1.cxd8=Q+ ) ( 1.c8=R ) \
         ( 1.a8=R ) ( 1.c8=Q ) *",
    );
    check_from(PROMOTES, "1.a8=Q g1=N+ 2.Kf2 *", "1.a8=Q g1=N+ 2.Kf2 *");
    check_from(PROMOTES, "1.a8 *", "{Error reading move: a8} *");
    check_from(PROMOTES, "1.a8=K *", "{Error reading move: a8} *");
    check_from(PROMOTES, "1.a8=q *", "{Error reading move: a8} *");
    check_from(PROMOTES, "1.a8=Qx *", "1.a8=Q *");
    check("1.e4=Q *", "{Error reading move: e4=Q} *");
}

#[test]
fn piece_moves() {
    check("1.Nf3 Nc6 2.Ng1-f3 *", "1.Nf3 Nc6 {Error reading move: Ng1f3} *");
    check("1.Ngf3 N8c6 2.N1e5 *", "1.Nf3 Nc6 {Error reading move: N1e5} *");
    check("1.N1f3 Nbc6 2.Nf3:e5 *", "1.Nf3 Nc6 2.Ne5 *");
    check("1.e4 d5 2.Bb5+ c6 3.B:c6 bxc6 *", "1.e4 d5 2.Bb5+ c6 3.Bxc6+ bxc6 *");
    check("1.Nf3+ Nc6# 2.Ne5! Nb8? 3.Nf3) 3...Nc6= *", "1.Nf3 Nc6 2.Ne5 $1 Nb8 $2 3.Nf3 Nc6 $10 *");
    // The move is ambiguous, unless the other knight is pinned.
    let rooks = Some("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    check_from(rooks, "1.Rd1 *", "{Error reading move: Rd1} *");
    check_from(
        rooks,
        "1.Rad1 (1.Rhd1) (1.R1d1) *",
        "1.Rad1 ( 1.Rhd1 ) ( {Error reading move: R1d1} ) *",
    );
    let pinned = Some("4r1k1/8/8/8/8/2N1N3/8/4K3 w - - 0 1");
    check_from(pinned, "1.Nd5 (1.Ncd5) (1.Nc3xd5) *", "1.Nd5 ( 1.Nd5 ) ( 1.Nd5 ) *");
    check_from(pinned, "1.Ned5 *", "{Error reading move: Ned5} *");
    // Kings need no origin and ignore one; castling may be written as a king move if the right is
    // left.
    check_from(
        CASTLES,
        "1.Kg1 (1.Kc1) (1.Kaf2) (1.e1g1) *",
        "1.O-O ( 1.O-O-O ) ( 1.Kf2 ) ( 1.O-O ) *",
    );
    check("1.e4 e5 2.Ke2 Ke7 3.e2e3 *", "1.e4 e5 2.Ke2 Ke7 3.Ke3 *");
    // Words and signs that are lost.
    for glued in ["Nf3{x}", "Nf3$1", "Nf3(", "Nf3.", "Nf9", "Nq"] {
        check(&format!("1.{glued} Nf6 *"), "{Error reading move: Nf6} *");
    }
    check("1.e4 N e5 *", "1.e4 $146 e5 *");
    check("1.e4 B e5 R *", "1.e4 e5 *");
    check("1.Bb5-+ *", "*");
    check("1.e4 e5 2.Bb5-+ *", "1.e4 e5 $19 *");
    // The reference dies of these words.
    for word in ["a", "bad", "Bad", "exd6e.p.", "Nx", "Nf", "K1", "a4a"] {
        let shown = word.replace(['x', '.', 'p'], "");
        check(&format!("1.{word} *"), &format!("{{Error reading move: {shown}}} *"));
    }
}

#[test]
fn castling() {
    for (word, want) in [
        ("O-O", "1.O-O"),
        ("OO", "1.O-O"),
        ("o-o", "1.O-O"),
        ("0-0", "1.O-O"),
        ("0-0+", "1.O-O"),
        ("O-O-O", "1.O-O-O"),
        ("ooo", "1.O-O-O"),
        ("0-0-0", "1.O-O-O"),
        ("O-O-O+!", "1.O-O-O $1"),
        ("0-0-0!", "1.O-O-O"),
        ("O-O=", "1.O-O $10"),
        ("O-0)", "1.O-O"),
        ("00x", "1.O-O"),
        ("000x", "1.O-O-O"),
        ("O-O{x}", ""),
        ("O-O-+", ""),
        ("O-O.", ""),
        ("O", ""),
        ("OOOO", ""),
        ("00", ""),
        ("000", ""),
    ] {
        check_from(CASTLES, &format!("1.{word} *"), format!("{want} *").trim_start());
    }
    // Castling needs no right, but an unattacked way and the rook.
    let no_right = Some("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    check_from(no_right, "1.O-O Kd8 *", "1.O-O Kd8 *");
    check_from(no_right, "1.Kg1 *", "{Error reading move: Kg1} *");
    check_from(CASTLES, "1.O-O-O 0-0-0+ *", "1.O-O-O {Error reading move: 0-0-0+} *");
    check_from(CASTLES, "1.O-O-O O-O-O+ *", "1.O-O-O {Error reading move: O-O-O} *");
    check("1.O-O *", "{Error reading move: O-O} *");
}

#[test]
fn null_moves() {
    check("1.-- null 2.Z0 e5 *", "1.-- -- 2.-- e5 *");
    check("1.e4 null! -- null? *", "1.e4 -- $1 2.-- -- $2 *");
    check("1.e4 --! nullify Z01 Z e5 *", "1.e4 e5 *");
    check("1.e4 f6 2.Qh5+ -- 3.-- g6 *", "1.e4 f6 2.Qh5+ -- 3.--+ g6 *");
}

#[test]
fn glyphs() {
    check(
        "1.e4! e5? 2.d4!! d5?? 3.c4!? c5?! 4.f4!!! f5!!? 5.g4?!? *",
        "1.e4 $1 e5 $2 2.d4 $3 d5 $4 3.c4 $5 c5 $6 4.f4 $3 f5 $3 5.g4 $6 *",
    );
    check(
        "1.e4 = e5 =+ 2.d4 =/+ d5 += 3.c4 +/= c5 +/- 4.f4 +- f5 -+ 5.g4 -/+ g5 ~ 6.b4 D *",
        "1.e4 $10 e5 $15 2.d4 $15 d5 $14 3.c4 $14 c5 $16 4.f4 $18 f5 $19 5.g4 $17 g5 $13 6.b4 $201 *",
    );
    check("1.e4 $1 $0 $256 $ $x $300 $255 $7x $2. *", "1.e4 $1 $44 $255 $7 $2 *");
    check("1.e4 $1 $2 $3 $4 $5 $6 $7 $8 $9 *", "1.e4 $1 $2 $3 $4 $5 $6 $7 *");
    check("$1 1.e4 (! 1.d4) $2 *", "1.e4 $2 ( 1.d4 ) *");
    check("1.e4 + e5 # ++ +! *", "1.e4 e5 $1 *");
    check("1.e4 ==  =x -x +x #x Dx e5 *", "1.e4 e5 *");
    // A glyph takes the start of a comment with it.
    check("1.e4 $1{xx yy} e5 *", "1.e4 $1 e5 *");
}

#[test]
fn comments() {
    check("{a} 1.e4 {b} e5 {c} *", "{a} 1.e4 {b} 1...e5 {c} *");
    check("{a} {b} 1.e4 {c} {d} *", "{b} 1.e4 {d} *");
    check("{} 1.e4 { } e5 *", "{} 1.e4 {} 1...e5 *");
    check("1.e4 { a \n\t b } e5 *", "1.e4 {a b} 1...e5 *");
    check("1.e4 {a {b} c} e5 *", "1.e4 {a _b_ c} 1...e5 *");
    check("1.e4 } e5 *", "1.e4 e5 *");
    check("1.e4 ; Nf3 {x\n e5 % Nf3\n2.d4 *", "1.e4 e5 2.d4 *");
    check("1.e4 {a} (1.d4) {b} e5 *", "1.e4 {b} ( 1.d4 ) 1...e5 *");
    check("1.e4 ({a} {b} 1.d4 {c}) *", "1.e4 ( {b} 1.d4 {c} ) *");
    // The word may show the parser what the line comment hides from the scanner.
    check("1.Nf3; {a\n} Nf6 *", "{Error reading move: Nf6} *");
}

#[test]
fn variations() {
    check("1.e4 (1.d4 d5) e5 *", "1.e4 ( 1.d4 d5 ) 1...e5 *");
    check("1.e4 (1.d4) (1.c4 (1.b4)) 1...e5 *", "1.e4 ( 1.d4 ) ( 1.c4 ( 1.b4 ) ) 1...e5 *");
    check(
        "1.e4 e5 (1...c5 2.Nf3 (2.c3) d6) 2.d4 *",
        "1.e4 e5 ( 1...c5 2.Nf3 ( 2.c3 ) 2...d6 ) 2.d4 *",
    );
    check("1.e4 () e5 *", "1.e4 ( ) 1...e5 *");
    check("1.e4 ) e5 ) *", "1.e4 e5 *");
    check("1.e4 (1.d4 (1.c4 *", "1.e4 ( 1.d4 ( 1.c4 ) ) *");
}

#[test]
fn early_stops() {
    let check_stop = |moves: &str, want: &str, stop: Stop| {
        let (got, tree) = rewrite(&game(None, moves));
        assert_eq!((got.as_str(), tree.stop()), (want, stop), "{moves:?}");
    };
    // The result of the tag remains.
    check_stop("(1.d4) 1.e4 1-0", "0-1", Stop::EarlyVariation);
    check_stop("1.e4 e5 ((1...c5) 1...c6) 1-0", "1.e4 e5 ( ) 0-1", Stop::EarlyVariation);
    check_stop("1.e4\n\n e5 [x] d4 1-0", "1.e4 e5 0-1", Stop::Bracket);
    check_stop("1.e4 e5", "1.e4 e5 0-1", Stop::End);
    check_stop("1.e4 e5 % {\n2.d4 % }\n *", "1.e4 e5 2.d4 *", Stop::Result);
    check_stop("1.e4 e5 Nf3; {x\n1-0", "1.e4 e5 0-1", Stop::OpenComment);
    check_stop("1.e4 1-0", "1.e4 1-0", Stop::Result);
    let long = format!("{}1-0", "-- ".repeat(crate::tree::POSITION_LIMIT));
    let (_, tree) = rewrite(&game(None, &long));
    assert_eq!((tree.len(), tree.stop()), (crate::tree::POSITION_LIMIT, Stop::TooLong));
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(crate::tree::POSITION_LIMIT / 4);
    let (_, tree) = rewrite(&game(None, &format!("{knights} e4 e5 1-0")));
    assert_eq!((tree.len(), tree.stop()), (crate::tree::POSITION_LIMIT, Stop::TooLong));
}

#[test]
fn illegal_moves() {
    check("1.e4 e5 {a} 2.Ke3 Nc6 3.Nf3 *", "1.e4 e5 {Error reading move: Ke3} *");
    check("1.e4 e5 2.Ke3 {b} Nc6 {c} *", "1.e4 e5 {c} *");
    check("1.e4 e5 2.Ke3 $1 Nc6 (2...d6) 3.Nf3 ! *", "1.e4 e5 {Error reading move: Ke3} ( ) *");
    check("1.e4 e5 2.Nf3 (2.Ke3 d6) 2...Nc6 *", "1.e4 e5 2.Nf3 ( {Error reading move: Ke3} ) *");
    check("{a} 1.e5 {b} e4 *", "{b} *");
    check("1.Qxe2++ *", "{Error reading move: Qe2} *");
    let (_, tree) = rewrite("[A \"b\"]\n1.e4 Ke6 *");
    assert_eq!(tree.illegal_move_at(), Some(13));
}

#[test]
fn prefaces() {
    let check = |text: &str, want: &str| assert_eq!(rewrite(text).0, want, "{text:?}");
    check("Text\n[A \"b\"]\n1.e4 *", "{Text} 1.e4 *");
    check("Text\n[A \"b\"]\n{c} 1.e4 *", "{c} 1.e4 *");
    check("x [A \"b\"]\n[B \"c\"]\n1.e4 *", "{x [A \"b\"]} 1.e4 *");
    check("x [y]\n1.e4 *", "{x [y] 1.e4 *} *");
    // Without tags, the moves are no preface.
    check("1.e4 *", "1.e4 *");
}

/// Returns a parser at the start of the moves of a text, with the tree emptied.
fn parser<'a>(text: &'a [u8], tree: &'a mut GameTree) -> Parser<'a> {
    Parser { text, at: 0, build: tree.build(board::Start::normal(false), false) }
}

fn read_exactly(parser: &mut Parser<'_>) -> Result<(), End> {
    while let Some(&byte) = parser.text.get(parser.at) {
        parser.token(byte)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn the_short_way_reads_what_the_exact_one_reads(tokens in prop::collection::vec(token(), 0..30)) {
        let text = tokens.concat();
        let (mut tree, mut exact_tree) = (GameTree::default(), GameTree::default());
        let result = parser(text.as_bytes(), &mut tree).run();
        let exact_result = read_exactly(&mut parser(text.as_bytes(), &mut exact_tree));
        prop_assert_eq!(format!("{result:?}"), format!("{exact_result:?}"));
        prop_assert_eq!(format!("{tree:?}"), format!("{exact_tree:?}"));
    }
}

/// Generates moves of an opening, mostly as usual, with a few bytes changed or glued.
fn token() -> impl Strategy<Value = String> {
    let usual = prop::sample::select(vec![
        "1.",
        "12.",
        "3...",
        "1234567. ",
        "e4 ",
        "e5 ",
        "Nf3 ",
        "Nc6 ",
        "Bb5 ",
        "a6 ",
        "Bxc6 ",
        "dxc6 ",
        "bxc6 ",
        "O-O ",
        "Nbd2 ",
        "N1f3 ",
        "Nfxe5 ",
        "N3xe5 ",
        "Qd4+ ",
        "Qxd4# ",
        "Ke2 ",
        "exd4 ",
        "d4\n",
        "c5\r\n",
        "Nf6\t",
        "cxd4) ",
        "Qh5! ",
        "Qxf7?? ",
        "g6!? ",
        "ed4 ",
        "Ng1f3 ",
        "-- ",
        "0-0 ",
        "(",
        ") ",
        "{a comment} ",
        "$1 ",
        "; rest\n",
        "1-0 ",
        "e8=Q ",
    ]);
    let noise = prop::sample::select(vec![
        "x", "=", "Q", "-", "e", "4", " ", "+", "#", ".", "{", "}", "\u{a0}", "N", "p", "9", ",",
    ]);
    prop_oneof![
        8 => usual.clone().prop_map(str::to_owned),
        1 => (usual, noise.clone(), 0_usize..8).prop_map(|(token, noise, at)| {
            let mut token = token.to_owned();
            token.insert_str(at.min(token.len()), noise);
            token
        }),
        1 => noise.prop_map(str::to_owned),
    ]
}

/// Returns the losses of a game, except for those of its moves.
fn other_losses(text: &str) -> Vec<String> {
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan(text.as_bytes());
    let tags = index.tags(text.as_bytes());
    tree.parse(tags);
    let losses = if tree.may_lack_more() { tree.other_losses(tags) } else { Vec::new() };
    losses.into_iter().map(|loss| loss.what).collect()
}

#[test]
fn what_is_not_read_beside_moves_is_told() {
    let check = |text: &str, expected: &[&str]| {
        let losses = other_losses(text);
        assert_eq!(losses.len(), expected.len(), "{text:.80}: {losses:?}");
        for (loss, part) in losses.iter().zip(expected) {
            assert!(loss.contains(part), "{text:.80}: {loss}");
        }
    };
    let comment = |n: usize| format!("1. e4 {{{}}} *", "x".repeat(n));
    check(&comment(16_000), &[]);
    check(&comment(16_001), &["1 comment is cut at 16000 bytes"]);
    // Blanks that are folded are not lost.
    check(&format!("1. e4 {{a{}b}} *", " ".repeat(16_000)), &[]);
    let fen = |end: &str| format!("[FEN \"4k3/8/8/8/8/8/8/4K2R w K{end}\"]\n\n1. O-O *");
    for end in ["", " -", " - 0 1", " e3 0 1", " - -1 1"] {
        check(&fen(end), &[]);
    }
    check(&fen(" -pass 0 1"), &["`-pass` in the FEN tag is not read"]);
    check(&fen(" - 0 1 id x"), &["`id` in the FEN tag is not read"]);
    check(&fen(" - 0 one"), &["`one` in the FEN tag is not read"]);
    check("$10 1. e4 $5 e5 *", &["1 glyph is not read"]);
    check("1. e4 ($1 1. d4 $2) e5 *", &["1 glyph is not read"]);
    check("1. e4 $1 $2 $3 $4 $5 $6 $7 *", &[]);
    check("1. e4 (1. d4 (1. c4)) *", &[]);
    for open in ["1. e4 (1. d4", "1. e4 (1. d4 (1. c4) 1-0\n", "1. e4 (1. d4 *"] {
        check(open, &["a variation is not closed before the game ends"]);
    }
    check("1. e4 $1 $2 $3 $4 $5 $6 $7 $8 $9 *", &["2 glyphs are not read"]);
    for result in ["0.5-0.5", "½-½", "1\u{2013}0", "1 - 0", "0 - 1", "0-0", "1/2-0", "0-1/2", "½"]
    {
        let what = format!("`{result}` is not understood as a result; the result counts as *");
        let tags = format!("[White \"a\"]\n[Result \"{result}\"]\n\n");
        check(&format!("{tags}1. e4 e5 2. Nf3 Nc6 {result}"), &[&what]);
        check(&format!("{tags}1. e4 e5 {result}\n"), &[&what]);
        check(&format!("{tags}1. e4 e5 *"), &[&what]);
        check(&format!("{tags}1. e4 e5 1-0"), &[]);
    }
    for result in ["1-0", "0-1", "1/2-1/2", "*", "", "?"] {
        check(&format!("[Result \"{result}\"]\n\n1. e4 *"), &[]);
    }
    // If castling is possible, `0-0` is castling.
    check("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0", &[]);
}

#[test]
fn points_that_are_no_result_count_as_none() {
    for result in ["1/2-0", "0-1/2", "1-0.5", "1/2-½", "0-0"] {
        let text = format!("[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 Nc6 {result}");
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text.as_bytes());
        tree.parse(index.tags(text.as_bytes()));
        assert_eq!(tree.result(), GameResult::Unknown, "{result}");
        assert_eq!((tree.len(), tree.illegal_move_at()), (5, None), "{result}");
    }
}

#[test]
fn impossible_starts() {
    let check = |tags: &str, moves: &str, expected: bool| {
        let text = format!("[Event \"e\"]\n{tags}\n\n{moves}");
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text.as_bytes());
        let tags = index.tags(text.as_bytes());
        tree.parse(tags);
        assert_eq!(tree.impossible_start(tags).is_some(), expected, "{text}");
    };
    const FENS: [&str; 6] = [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2RR w - - 0 1",
        "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
        "nonsense",
    ];
    for fen in FENS {
        let fen = format!("[FEN \"{fen}\"]");
        check(&fen, "*", true);
        check(&fen, "1. Ke2 *", true);
        check(&format!("[SetUp \"1\"]\n{fen}"), "1. e4 *", true);
        // As in the reference, the normal start is accepted if all moves are possible from it.
        check(&fen, "1. e4 *", false);
    }
    for fen in ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "P3k3/8/8/8/8/8/8/4K2p b"] {
        check(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]"), "*", false);
    }
    // An empty tag says nothing, unless a position is required.
    for fen in ["", "?", "-", " * "] {
        let fen = format!("[FEN \"{fen}\"]");
        check(&fen, "1. e4 *", false);
        check(&format!("{fen}\n[SetUp \"0\"]"), "*", false);
        check(&format!("{fen}\n[SetUp \"1\"]"), "1. e4 *", true);
    }
}

#[test]
fn a_word_before_an_illegal_move_is_known() {
    for (moves, expected) in [
        ("1. e4 @@@@ 2. d4 d5 *", Some("@@@@")),
        ("1. e4 0000 2. d4 d5 *", Some("0000")),
        ("1. e4 0000 d4 d5 *", Some("0000")),
        ("1. e4 <> 2. d4 d5 *", Some("<>")),
        ("1. e4 pass 2. d4 d5 *", Some("pass")),
        ("1. e4 --- 2. d4 d5 *", Some("---")),
        ("1. e4 junk e5 2. e5 *", None),
        ("1. e4 2. d4 *", None),
    ] {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(moves.as_bytes());
        tree.parse(index.tags(moves.as_bytes()));
        let word = tree.word_before_illegal_move(moves.as_bytes());
        assert_eq!(word.map(|range| &moves[range]), expected, "{moves}");
    }
}

#[test]
fn earlier_comments_are_kept_in_order() {
    let text = "{a} {b} 1. e4 {c} {d} ({e} {f} 1. d4 {g}) {h} e5 {i} *";
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan(text.as_bytes());
    tree.parse(index.tags(text.as_bytes()));
    let joined = |comments: Vec<Cow<'_, [u8]>>| comments.concat();
    let earlier = |node| joined(tree.earlier_comments(text.as_bytes(), node).collect());
    assert_eq!([earlier(0), earlier(1), earlier(2), earlier(3)], [&b"a"[..], b"cd", b"", b""]);
    let backward = joined(tree.comments_backward(text.as_bytes(), 1).collect());
    assert_eq!(backward, b"hdc");
    let of_variation = tree.earlier_variation_comments(text.as_bytes(), 0).collect();
    assert_eq!(joined(of_variation), b"e");
    for (all_comments, expected) in [
        (false, "{b}\n1.e4 {h} ( {f} 1.d4 {g} ) 1...e5 {i} *\n"),
        (true, "{a}\n{b}\n1.e4 {c} {d} {h} ( {e} {f} 1.d4 {g} ) 1...e5 {i} *\n"),
    ] {
        let options = WriteOptions { all_comments, ..WriteOptions::default() };
        let (mut out, edits) = (Vec::new(), Edits::default());
        write_game(&mut out, index.tags(text.as_bytes()), &tree, &edits, &options);
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains(expected), "{out}");
    }
    // A query removes all comments of a position, with and without a text of its own.
    let options = WriteOptions { all_comments: true, ..WriteOptions::default() };
    for (added, expected) in [(None, "1.e4 ( {e}"), (Some(b"new"), "1.e4 { new} ( {e}")] {
        let (mut out, mut edits) = (Vec::new(), Edits::default());
        edits.remove_comment(1);
        added.into_iter().for_each(|added| edits.add_comment(1, added));
        write_game(&mut out, index.tags(text.as_bytes()), &tree, &edits, &options);
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains(expected), "{out}");
    }
}
