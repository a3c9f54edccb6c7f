//! Tests `repetition`.

mod support;

use support::{check, comment, game, game_from, ids, is_refused, run};

/// Compares the ids of the positions that occurred before with the expected ones.
fn repeated(pgn: &str, want: &[u32]) {
    assert_eq!(ids("repetition >= 1", pgn), want, "{pgn}");
}

#[test]
fn earlier_positions_of_the_line_are_counted() {
    let knights = "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8";
    check("repetition == 0", knights, &[0, 1, 2, 3]);
    check("repetition == 1", knights, &[4, 5, 6, 7]);
    check("repetition >= 2", knights, &[8]);
    // A capture or a move of a pawn ends what may be repeated.
    check("repetition >= 1", "1.Nf3 Nf6 2.Ng1 Ng8 3.e4 e5 4.Nf3 Nf6 5.Ng1 Ng8", &[4, 10]);
    let count = comment("terminal comment(repetition)", &game(knights));
    assert_eq!(count.as_deref(), Some("2"));
}

#[test]
fn a_variation_sees_the_moves_that_lead_to_it() {
    let pgn = game("1.Nf3 Nf6 (1...Nc6 2.Ng1 Nb8 3.Nf3) 2.Ng1 Ng8");
    let games = run("variations", "repetition == 1", &pgn);
    let found: Vec<u32> = games.iter().flat_map(|g| &g.row.positions).map(|p| p.id).collect();
    assert_eq!(found, [4, 7, 8]);
}

#[test]
fn rights_to_castle_and_to_take_en_passant_count() {
    // From move 3 on, neither side may castle.
    let kings = "1.e4 e5 2.Ke2 Ke7 3.Ke1 Ke8 4.Ke2 Ke7 5.Ke1 Ke8";
    repeated(&game(kings), &[8, 9, 10]);
    // The pawn on e4 may take d3 only at once; one on f4 could not take it at all.
    let moves = "1.d4 Kd8 2.Kd1 Ke8 3.Ke1 Kd8";
    repeated(&game_from("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", moves), &[6]);
    repeated(&game_from("4k3/8/8/8/5p2/8/3P4/4K3 w - - 0 1", moves), &[5, 6]);
    // A capture that would leave the king in check is none.
    let pinned = "8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1";
    repeated(&game_from(pinned, "1.d4 Ka5 2.Kd1 Ka4 3.Ke1 Ka5"), &[5, 6]);
    let rooks = "1.Rc1 Rc8 2.Rb1 Rb8 3.Rc1 Rc8 4.Rb1 Rb8";
    let start = game_from("1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1", rooks);
    repeated(&format!("[Variant \"Chess960\"]\n{start}"), &[6, 7, 8]);
}

#[test]
fn checks_given_and_men_in_hand_count() {
    let checks = game_from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "1.Ra8+ Kd7 2.Ra1 Ke8");
    repeated(&checks, &[4]);
    repeated(&format!("[Variant \"Three-check\"]\n{checks}"), &[]);
    // White's knight is in Black's hand when the board comes back for the first time.
    let drops = game_from(
        "4k3/8/8/8/8/8/8/r5K1[N] w - - 0 1",
        "1.N@b1 Rxb1+ 2.Kh2 Rb8 3.Kg2 Ra8 4.Kg1 Ra1+ 5.Kg2 Ra8 6.Kg1 Ra1+",
    );
    repeated(&format!("[Variant \"Crazyhouse\"]\n{drops}"), &[10, 11, 12]);
}

#[test]
fn a_move_that_is_tried_may_repeat() {
    check("legal --(repetition == 1)", "1.Nf3 Nf6 2.Ng1", &[3]);
    check("imagine sidetomove flip : repetition >= 1", "1.Nf3 Nf6 2.Ng1 Ng8", &[]);
}

#[test]
fn it_is_a_number_and_gives_way_to_names() {
    check("repetition = 3 repetition == 3 initial", "1.e4", &[0]);
    for query in ["repetition + \"a\"", "power repetition", "repetition ~~ \"1\""] {
        assert!(is_refused(query), "{query}");
    }
}
