//! Filters in games of Chess960.

mod support;

use support::{ids, run};

const FEN: &str = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1";

fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n[Variant \"Chess960\"]\n[FEN \"{FEN}\"]\n\n{moves} *\n")
}

#[track_caller]
fn check(body: &str, moves: &str, want: &[u32]) {
    assert_eq!(ids(body, &game(moves)), want, "{body} in {moves}");
}

#[test]
fn castling_that_was_played() {
    let moves = "1.Kxh1 Kg8 2.h3 Rf8 3.h4 Kh8";
    check("castle", moves, &[1]);
    check("o-o", moves, &[1]);
    check("o-o-o", moves, &[]);
    // The rook is on its castling square, and keeps its identity.
    check("R attacks f2 and move previous castle", moves, &[1]);
    check("move castle", moves, &[0]);
    check("move o-o-o", moves, &[]);
    check("currentmove h1--f1", moves, &[1]);
    check("h1--f1", moves, &[0]);
    check("f1--g1", moves, &[0]);
    let pieces = run("", "initial piece x=h1 find {terminal x==f1}", &game(moves));
    assert_eq!(pieces.len(), 1);
}

#[test]
fn castling_that_is_possible() {
    // Possible to the king's side until the king moves; a king move to g1 is not castling.
    let moves = "1.Ke1 Rg8 2.Kf1 Rh8 3.h3";
    check("legal --(o-o)", moves, &[0, 1]);
    check("legal --(o-o-o)", moves, &[0, 1, 3, 5]);
    check("move legal castle", moves, &[0, 1, 3, 5]);
    check("countmoves legal --(castle)==2", moves, &[0, 1]);
    check("countmoves legal -- == 25", moves, &[0, 1]);
}

#[test]
fn castling_in_fens() {
    let moves = "1.Ke1 Rg8 2.Kf1 Rh8";
    check("fen~~\" w KQkq - 0 1$\"", moves, &[0]);
    check("fen~~\" b kq - 0 1$\"", moves, &[1]);
    check("fen~~\" b q - 0 1$\"", moves, &[3]);
    check("fen~~\" w q - 0 1$\"", moves, &[2, 4]);
    let found = run("", "terminal", &game(moves));
    let fen = &found[0].row.positions[0].fen;
    assert!(fen.ends_with(" w q - 4 3"), "{fen}");
}

#[test]
fn castling_of_imagined_positions() {
    let moves = "1.Ke1 Rg8";
    // Without a declaration, the rights are those of the game.
    let check = |body: &str, want: &[u32]| check(&format!("initial {body}"), moves, want);
    check("imagine castling \"K\" : legal --(o-o-o)", &[]);
    check("imagine castling \"K\" : legal --(o-o)", &[0]);
    check("imagine castling \"-\" : legal --(castle)", &[]);
    check("imagine sidetomove flip : countmoves legal --(castle) == 2", &[0]);
    check("imagine castling \"K\" : currentmutation~~\"castling .K.$\"", &[0]);
    // A piece placed on another square than its own counts as moved.
    check("imagine remove h1 : legal --(o-o)", &[]);
    check("imagine place R on h1 : legal --(o-o)", &[]);
    check("imagine place R on h1, castling \"KQ\" : legal --(o-o)", &[0]);
    check("imagine castling \"Q\" : imagine remove h2 : fen~~\" w Q \"", &[0]);
    check("imagine castling \"Q\" : legal h2--(standardfen~~\" b Q \")", &[0]);
}
