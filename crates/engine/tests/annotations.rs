//! Values read from annotations of the file: clocks, evaluations, NAGs, colored squares and arrows.

mod support;

use support::{comment, game, ids};

const ANNOTATED: &str = "{before [%csl Ga1]} \
    1.e4! $14 {[%eval 0.25] [%clk 0:05:00]} e5?? {[%clk 0:04:58.7][%emt 0:00:02] [%eval -1.5,20]} \
    2.Qh5 {[%cal Gh5f7,Rf1c4] [%csl Rf7]} (2.Nf3 {[%clk 0:01:00]}) \
    Nc6 {[%clk 0:00:09] [%eval #2]} 3.Bc4 {[%eval #-0]} Nf6 4.Qxf7# {[%clk 0:03:20]}";

/// Compares the values of a filter at the positions of the game where it has one.
#[track_caller]
fn values(filter: &str, want: &[(u32, &str)]) {
    let pgn = game(ANNOTATED);
    let found = ids(filter, &pgn);
    let positions: Vec<u32> = want.iter().map(|(id, _)| *id).collect();
    assert_eq!(found, positions, "{filter}");
    for (id, value) in want {
        let written = comment(&format!("positionid == {id} comment({filter})"), &pgn);
        assert_eq!(written.as_deref(), Some(*value), "{filter} at {id}");
    }
}

#[test]
fn numbers() {
    values("clock", &[(1, "300"), (2, "298"), (4, "9"), (7, "200")]);
    values("elapsed", &[(2, "2")]);
    values("eval", &[(1, "25"), (2, "-150")]);
    values("evalmate", &[(4, "2"), (5, "0")]);
    values("nag", &[(1, "1"), (2, "4")]);
}

/// If colors are exchanged, an evaluation changes its sign.
#[test]
fn evaluations_take_part_in_transforms() {
    let pgn = game(ANNOTATED);
    for (filter, want) in [
        ("flipcolor {eval > 100}", &[2][..]),
        ("flipcolor {eval > 20}", &[1, 2]),
        ("flipcolor {eval < 0 wtm}", &[1, 2]),
        ("reversecolor {eval == 150}", &[2]),
        ("flipcolor {evalmate == -2}", &[4]),
        ("flipvertical {eval > 100}", &[]),
        ("flipcolor flipcolor {eval == 25}", &[1]),
    ] {
        assert_eq!(ids(filter, &pgn), want, "{filter}");
    }
    // Values of the last move, and squares that the file marks, have no color.
    for filter in ["clock == 9", "elapsed == 2", "nag == 4", "coloredsquares == a1"] {
        let images = format!("reversecolor {{{filter}}}");
        let mirrored = filter.replace("a1", "a8");
        assert_eq!(ids(&images, &pgn), ids(&mirrored, &pgn), "{filter}");
    }
}

#[test]
fn squares() {
    values("coloredsquares", &[(0, "a1"), (3, "f7")]);
    values("arrowsfrom", &[(3, "[f1,h5]")]);
    values("arrowsto", &[(3, "[c4,f7]")]);
    values("arrowsto & f7 & coloredsquares", &[(3, "f7")]);
}

#[test]
fn questions_of_more_than_one_move() {
    let pgn = game(ANNOTATED);
    assert_eq!(ids("clock < 60", &pgn), [4]);
    assert_eq!(ids("parent:eval - eval > 100", &pgn), [2]);
    assert_eq!(ids("mate initial or mate parent:parent:clock < 10", &pgn), [0; 0]);
    assert_eq!(ids("mate {find <-- clock < 10}:ply == 4", &pgn), [7]);
}

#[test]
fn the_file_says_nothing_of_what_is_imagined() {
    let pgn = game(ANNOTATED);
    for filter in ["clock", "eval", "nag", "coloredsquares", "arrowsto"] {
        let body = format!("imagine remove a2 : {filter}");
        assert_eq!(ids(&body, &pgn), [0; 0], "{filter}");
    }
}

#[test]
fn pieces_that_were_pawns() {
    let pgn = "[Event \"?\"]\n[FEN \"Q2n4/4P2k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.exd8=N Kg7 2.Qb8 *\n";
    assert_eq!(ids("promotedpieces == d8", pgn), [1, 2, 3]);
    assert_eq!(ids("promotedpieces", pgn), [1, 2, 3]);
    assert_eq!(ids("legal --=R(promotedpieces & R)", pgn), [0]);
    assert_eq!(ids("initial imagine place R on e8 : promotedpieces", pgn), [0; 0]);
}
