use board::{Color, Square, parse_fen};

use super::*;
use crate::{CompileOptions, MatchedGame, Source, compile, search};

fn squares(text: &str) -> SquareSet {
    match text {
        "." => SquareSet::ALL,
        _ => text
            .split_whitespace()
            .map(|name| Square::parse(name.as_bytes()).expect("a square"))
            .collect(),
    }
}

fn sq(name: &str) -> Square {
    Square::parse(name.as_bytes()).expect("a square")
}

#[test]
fn dashes_admit_moves_and_captures() {
    let board = parse_fen(b"r3k2r/8/8/3pP3/8/8/1p6/R3K2R w - - 0 1").expect("a FEN").board;
    let check = |mv: Move, left: &str, right: &str, plain: bool, capture: bool| {
        let operands = (squares(left), squares(right));
        let got = [false, true].map(|capture| is_admissible(mv, &board, capture, operands));
        assert_eq!(got, [plain, capture], "{mv} {left} {right}");
    };
    let short = Move::castle(Color::White, true);
    check(short, ".", ".", true, false);
    check(short, "h1", ".", true, false);
    check(short, "h1", "f1", true, false);
    check(short, "h1", "g1", false, false);
    check(short, "e1", "f1", false, false);
    check(short, "e1 h1", "g1", true, false);
    check(Move::castle(Color::Black, false), "a8", "d8", true, false);
    // a plain dash looks at the destination, a capture dash at the victim
    let passing = Move::en_passant(sq("e5"), sq("d6"));
    check(passing, "e5", "d6", true, false);
    check(passing, "e5", "d5", false, true);
    let take = Move::normal(Role::Rook, sq("a1"), sq("a8"));
    check(take, "a1", "a8", true, true);
    check(take, "h1", "a8", false, false);
    check(Move::normal(Role::Rook, sq("a1"), sq("a7")), ".", ".", true, false);
    let null = Move::null(sq("e1"));
    check(null, "e1", "e1", true, false);
    check(null, "e1", "e2", false, false);
}

#[test]
fn castling_shows_the_part_asked_for() {
    let check = |mv: Move, left: &str, right: &str, from: &str, to: &str| {
        let got = squares_of(mv, (squares(left), squares(right)));
        assert_eq!(got, (squares(from), squares(to)), "{mv} {left} {right}");
    };
    let short = Move::castle(Color::White, true);
    check(short, ".", ".", "e1 h1", "f1 g1");
    check(short, "h1", ".", "h1", "f1");
    check(short, ".", "g1", "e1", "g1");
    check(short, "e1", "f1 g1", "e1", "g1");
    let long = Move::castle(Color::Black, false);
    check(long, ".", ".", "a8 e8", "c8 d8");
    // other moves are shown whatever the operands are
    let step = Move::normal(Role::Rook, sq("h1"), sq("f1"));
    check(step, "a1", "a2", "h1", "f1");
}

#[test]
fn promotion_texts() {
    for (text, role, want) in [
        ("", Some(Role::Queen), true),
        (".", Some(Role::Knight), true),
        ("nb", Some(Role::Knight), true),
        ("NB", Some(Role::Bishop), true),
        ("nb", Some(Role::Queen), false),
        ("..", Some(Role::Queen), false),
        ("xyz", Some(Role::Rook), false),
        ("q", None, false),
        ("", None, false),
    ] {
        assert_eq!(names(text.as_bytes(), role), want, "{text} {role:?}");
    }
}

#[test]
fn victims() {
    assert_eq!(victim_of(Move::en_passant(sq("e4"), sq("d3"))), squares("d4"));
    assert_eq!(victim_of(Move::normal(Role::Pawn, sq("e4"), sq("d3"))), SquareSet::EMPTY);
}

/// The games of `pgn` that match, without the marker of matching positions.
fn matched(query: &str, pgn: &str) -> Vec<MatchedGame> {
    let text = format!("cql(variations matchstring \"\") {query}");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let compiled = compile(&source, &[], &CompileOptions::default());
    let Some(program) = compiled.program else {
        panic!("{query}: {:?}", compiled.diagnostics);
    };
    search(&program, pgn.as_bytes()).map(|game| game.expect("no fault")).collect()
}

/// Compares the ids of the positions where `query` matches.
#[track_caller]
fn check(query: &str, pgn: &str, want: &str) {
    let games = matched(query, pgn);
    let positions = games.iter().flat_map(|game| &game.row.positions);
    let ids: Vec<String> = positions.map(|p| p.id.to_string()).collect();
    assert_eq!(ids.join(" "), want, "{query}");
}

/// Compares the moves of the output.
#[track_caller]
fn check_moves(query: &str, pgn: &str, want: &str) {
    let games = matched(query, pgn);
    let text = String::from_utf8_lossy(&games[0].pgn).into_owned();
    let moves = text.split("\n\n").nth(1).unwrap_or_default();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    assert_eq!(moves.join(" "), want, "{query}");
}

/// Ids: 0 start, 1 e4, 2 e5, 3 Nf3, 4 Bc4, 5 Nf6, 6 c5, 7 d4, 8 d5.
const TREE: &str = "[Event \"?\"]\n\n1.e4 (1.d4 d5) 1...e5 (1...c5) 2.Nf3 (2.Bc4 Nf6) *\n";

/// Ids: 0 start, 1 bxa8=Q+, 2 bxc8=N, 3 b8=R.
const PROMOTIONS: &str = "[Event \"?\"]\n[FEN \"r1b4k/1P6/8/8/8/8/8/6K1 w - - 0 1\"]\n\n\
                          1.bxa8=Q (1.bxc8=N) (1.b8=R) *\n";

/// Ids: 0 start, 1 O-O, 2 null move, 3 O-O-O.
const CASTLING: &str = "[Event \"?\"]\n[FEN \"6k1/8/8/8/8/8/8/R3K2R w - - 0 1\"]\n\n\
                        1.O-O (1.O-O-O) 1...-- *\n";

#[test]
fn dashes_look_at_all_moves_of_the_game() {
    check("--", TREE, "0 1 2 4 7");
    check("--d4", TREE, "0");
    check("--[d4,c5]", TREE, "0 1");
    check("N--", TREE, "2");
    check("n--(wtm)", TREE, "4");
    check("--(secondary)", TREE, "0 1 2");
    check("--(--(to==c4))", TREE, "1");
    check("--to", TREE, "");
    check("currentmove P--(btm)", TREE, "1 7");
    check("currentmove --(secondary)", TREE, "4 6 7");
}

#[test]
fn promotions() {
    check("P--=Q", PROMOTIONS, "0");
    check("--=b", PROMOTIONS, "");
    check("currentmove --=A", PROMOTIONS, "1 2 3");
    check("currentmove --=\"nr\"", PROMOTIONS, "2 3");
    check("s=\"n\" currentmove --=s", PROMOTIONS, "2");
    check("currentmove [x]=.", PROMOTIONS, "1 2");
    check("initial x=countmoves --=A x==3", PROMOTIONS, "0");
}

#[test]
fn values_of_targets() {
    // a number is taken from the first move that has one, a set from the first move
    check("initial x=--(ply) x==1", TREE, "0");
    check("initial x=--(to&d4) x==[]", TREE, "0");
    check("initial --(to&d4)", TREE, "0");
    check("initial x=--d4(to) x==d4", TREE, "0");
    check("initial 7==--d4(positionid)", TREE, "0");
    check("initial x=--(pd5 ply)", TREE, "");
}

#[test]
fn comments_of_matching_targets_stay_where_they_were_made() {
    check_moves(
        "--(comment(\"a\") secondary)",
        TREE,
        "{Game number 1} 1.e4 ( 1.d4 {a} 1...d5 ) 1...e5 ( 1...c5 {a} ) \
         2.Nf3 ( 2.Bc4 {a} 2...Nf6 ) *",
    );
    check_moves(
        "--(comment(\"a\") Pd4)",
        TREE,
        "{Game number 1} 1.e4 ( 1.d4 {a} 1...d5 {a} ) 1...e5 ( 1...c5 ) 2.Nf3 ( 2.Bc4 Nf6 ) *",
    );
    check_moves(
        "countmoves --(comment(\"a\"))==2",
        TREE,
        "{Game number 1} 1.e4 {a} ( 1.d4 {a} 1...d5 ) 1...e5 {a} ( 1...c5 {a} ) \
         2.Nf3 {a} ( 2.Bc4 {a} 2...Nf6 ) *",
    );
}

#[test]
fn counts() {
    check("countmoves -- ==2", TREE, "0 1 2");
    check("{countmoves --}==0", TREE, "3 5 6 8");
    check("{currentmove countmoves P--}==2", TREE, "1 7");
    check("{countmoves legal --}==20", TREE, "0 1 7");
    check("{countmoves legal P--(o-o)}==0 initial", TREE, "0");
}

#[test]
fn castling_rights_follow_the_score() {
    // the FEN gives none, but no piece has moved
    check("legal --(castle)==[c1,g1]", CASTLING, "0");
    check("legal R--", CASTLING, "0 2");
    check("countmoves legal K-- ==7", CASTLING, "0");
    check("{countmoves legal --}=={move legal count}", CASTLING, "0 1 2 3");
    check("{countmoves pseudolegal --}=={countmoves legal --}", CASTLING, "0 2");
    let back_and_forth = "[Event \"?\"]\n[FEN \"6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n\
                          1.Rb1 Kg7 2.Ra1 Kg8 3.Ke2 Kg7 4.Ke1 Kg8 5.Kd1 *\n";
    check("legal --(o-o-o)", back_and_forth, "0");
    check("legal --(o-o)", back_and_forth, "0 2 4");
    check("move legal o-o from K", back_and_forth, "0 2 4");
}

#[test]
fn en_passant_needs_the_double_step() {
    let fen = "[Event \"?\"]\n[FEN \"7k/2p5/8/3pP3/8/8/8/7K w - d6 0 1\"]\n\n\
               1.Kg1 c5 2.Kh1 c4 *\n";
    check("legal --(enpassant)", fen, "");
    let fen = "[Event \"?\"]\n[FEN \"7k/3p4/8/4P3/8/8/8/7K b - - 0 1\"]\n\n1...d5 2.exd6 *\n";
    check("legal --(enpassant)==d6", fen, "1");
    check("e5--(enpassant)", fen, "1");
    check("P[x]d5", fen, "1");
    check("P[x]d6", fen, "");
    check("enpassantsquare==d5", fen, "2");
    check("move legal enpassantsquare d5", fen, "1");
    check("move previous enpassant", fen, "2");
    check("d5==move capture p", fen, "1");
}

#[test]
fn moves_of_older_queries() {
    check("[d2,e2]==move from P", TREE, "0");
    check("[c4,f3]==move to . from A", TREE, "2");
    check("move secondary to c5", TREE, "1");
    check("move primary to c5", TREE, "");
    check("move null", CASTLING, "1");
    check("move previous castle", CASTLING, "1 3");
    check("move promote n", PROMOTIONS, "0");
    check_moves(
        "initial move to . comment(\"x\")",
        TREE,
        "{Game number 1} 1.e4 {x} ( 1.d4 {x} 1...d5 ) 1...e5 ( 1...c5 ) 2.Nf3 ( 2.Bc4 Nf6 ) *",
    );
}
