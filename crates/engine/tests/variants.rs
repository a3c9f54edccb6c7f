//! Filters in games of variants.

mod support;

use engine::search;
use flow::FaultKind;
use support::{ids, program, run};

fn game(variant: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[Variant \"{variant}\"]\n\n{moves} *\n")
}

fn game_from(variant: &str, fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
}

#[track_caller]
fn check(body: &str, game: &str, want: &[u32]) {
    assert_eq!(ids(body, game), want, "{body} in {game}");
}

/// Returns the message of the fault.
fn fault(body: &str, game: &str) -> String {
    let program = program("", body);
    match search(&program, game.as_bytes()).next() {
        Some(Err(fault)) => {
            assert_eq!(fault.kind, FaultKind::Evaluation, "it is no matter of a limit");
            fault.message
        }
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn the_name_of_the_variant() {
    let check = |tag: &str, want: &str| {
        let body = format!("variant==\"{want}\" initial");
        assert_eq!(ids(&body, &game(tag, "1.e3")), [0], "{tag}");
    };
    check("Standard", "Standard");
    check("From Position", "Standard");
    check("fischerandom", "Chess960");
    check("Atom", "Atomic");
    check("crazy house", "Crazyhouse");
    check("Antichess", "Giveaway");
    check("Suicide Chess", "Suicide");
    check("losers", "Losers");
    check("KOTH", "King of the Hill");
    check("3-Check", "Three-Check");
    check("House Rules", "Standard");
    check("racingkings", "Racing Kings");
    check("Horde", "Horde");
    assert_eq!(ids("variant==\"Standard\" initial", &support::game("1.e4")), [0]);
}

#[test]
fn explosions() {
    let game = game("Atomic", "1.Nf3 a6 2.Ne5 a5 3.Nxf7#");
    check("variantend", &game, &[5]);
    check("variantloss", &game, &[5]);
    check("variantwin", &game, &[]);
    check("mate", &game, &[]);
    check("stalemate", &game, &[]);
    check("#k==0", &game, &[5]);
    check("countmoves legal --==0", &game, &[5]);
    check("currentmove [x]f7", &game, &[5]);
    // The capture is possible as a tried move, and it would lose the game for Black.
    check("legal --(variantloss)", &game, &[4]);
    check("legal N[x]p(#[Aa]==27)", &game, &[4]);
    // Other pieces explode, but the captured piece is the pawn.
    let found = run("", "initial piece x=f8 find {terminal #x==0}", &game);
    assert_eq!(found.len(), 1);
    let found = run("", "initial piece x=h8 find {terminal x==h8}", &game);
    assert_eq!(found.len(), 1);
}

#[test]
fn kings_beside_each_other_are_not_in_check() {
    let fen = "8/8/8/8/8/4k3/4K3/4r3 w - - 0 1";
    check("check", &game_from("Atomic", fen, "1.Kd3"), &[]);
    check("check", &game_from("Standard", fen, "1.Kd3"), &[0]);
    check("K attacks k", &game_from("Atomic", fen, "1.Kd3"), &[0, 1]);
}

#[test]
fn compulsory_captures_and_kings_without_check() {
    let game = game("Antichess", "1.e4 d5 2.exd5 Qxd5 3.d3 Qxa2");
    check("countmoves legal --==1", &game, &[2, 3, 6]);
    check("legal --==d5", &game, &[2, 3]);
    check("countmoves pseudolegal -- > 19", &game, &[0, 1, 2, 3, 4, 5, 6]);
    let fen = "4k3/8/8/8/8/8/8/4R2K b - - 0 1";
    let checked = game_from("Giveaway", fen, "1...Kd8");
    check("check", &checked, &[]);
    check("check", &game_from("Standard", fen, "1...Kd8"), &[0]);
    // A king may be captured, and pawns may promote to kings.
    check(
        "legal R[x]k(variantloss)",
        &game_from("Giveaway", "4k3/8/8/8/8/8/8/4R2K w - - 0 1", "1.Rxe8"),
        &[],
    );
    check("variantwin", &game_from("Giveaway", "4k3/8/8/8/8/8/8/4R2K w - - 0 1", "1.Rxe8"), &[1]);
    let promotes = game_from("Giveaway", "8/P7/8/8/8/8/8/k7 w - - 0 1", "1.a8=K");
    check("K", &promotes, &[1]);
    // In Antichess a side without moves has won.
    let stuck = game_from("Antichess", "8/8/8/8/p7/P7/8/8 w - - 0 1", "");
    check("variantwin stalemate", &stuck, &[0]);
    let stuck = game_from("Suicide", "8/8/8/8/p7/P7/8/8 w - - 0 1", "");
    check("variantdraw stalemate", &stuck, &[0]);
}

#[test]
fn drops() {
    let game = game("Crazyhouse", "1.e4 d5 2.exd5 Qxd5 3.P@e4 Qxe4+ 4.Be2 P@d3");
    check("currentmove --e4", &game, &[1, 5, 6]);
    // A piece in hand comes from the square on which it is dropped, which is empty.
    check("currentmove _--", &game, &[5, 8]);
    check("currentmove P--", &game, &[1, 3]);
    check("legal _--(true)", &game, &[4, 5, 7]);
    check("legal _--e3", &game, &[4, 5, 7]);
    check("wtm countmoves legal _-- > 0", &game, &[4]);
    check("path _--d3", &game, &[7]);
    check("fen~~\"\\[P\\]\"", &game, &[3]);
    check("legal _--e3(fen~~\"\\[p\\]\")", &game, &[4, 7]);
    let mating = game_from("Crazyhouse", "4k3/8/4K3/8/8/8/8/8[Qp] w - - 0 1", "");
    check("countmoves legal --(mate)==6", &mating, &[0]);
    check("legal Q--(mate)", &mating, &[]);
    check("legal --(mate from==e7 currentmutation==\"Q@e7#\")", &mating, &[0]);
    // A drop could answer the check if there were a piece in hand.
    let fen = "6k1/5ppp/8/8/8/8/8/3RK3";
    let mated = game_from("Crazyhouse", &format!("{fen}[] w - - 0 1"), "1.Rd8#");
    check("mate", &mated, &[1]);
    let parried = game_from("Crazyhouse", &format!("{fen}[n] w - - 0 1"), "1.Rd8+");
    check("check not mate", &parried, &[1]);
    check("puremate", &parried, &[]);
}

#[test]
fn races_hills_and_checks() {
    let hill = game("KOTH", "1.e4 a6 2.Ke2 a5 3.Ke3 a4 4.Kd4");
    check("variantend variantloss btm", &hill, &[7]);
    check("legal K--(variantloss)", &hill, &[6]);
    check("variantend", &hill.replace("KOTH", "Chess"), &[]);
    let checks = game("Three-check", "1.e4 e5 2.Bc4 Nc6 3.Bxf7+ Kxf7 4.Qh5+ Ke7 5.Qxe5+");
    check("variantend", &checks, &[9]);
    check("legal --(variantend)", &checks, &[8]);
    check("check", &checks, &[5, 7, 9]);
    check("mate", &checks, &[]);
    check("fen~~\"1.3 \"", &checks, &[7, 8]);
    // A third check that mates ends the game by both rules.
    let both = game_from("Three-check", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 1+3 0 1", "1.Ra8#");
    check("mate variantend variantloss", &both, &[1]);
    check("mate", &both.replace("1+3", "2+3"), &[1]);
    check("variantend", &both.replace("1+3", "2+3"), &[]);
    let race = game_from("Racing Kings", "8/1K5k/8/8/8/8/8/8 w - - 0 1", "1.Kb8 Kh8");
    check("variantend", &race, &[2]);
    check("variantdraw", &race, &[2]);
    let horde = game_from("Horde", "4k3/8/8/8/8/8/r7/P7 b - - 0 1", "1...Rxa1");
    check("variantend variantloss wtm", &horde, &[1]);
}

#[test]
fn castling_of_chess960() {
    let fen = "8/k7/7p/8/8/8/7P/1R3KR1 w GB - 0 1";
    let game = game_from("Atomic", fen, "1.Kf2 h5 2.Kf1 h4 3.h3");
    check("variant==\"Atomic\" initial", &game, &[0]);
    check("legal --(o-o)", &game, &[0]);
    check("legal --(castle)", &game, &[0]);
    check("fen~~\" KQ \"", &game, &[0]);
    check("standardfen~~\" KQ \"", &game, &[0]);
    let game = game_from("Crazyhouse", fen, "1.O-O h5 2.h3");
    check("castle", &game, &[1]);
    check("o-o", &game, &[1]);
    check("move o-o", &game, &[0]);
    check("currentmove g1--f1", &game, &[1]);
    // The king may also step to the square of the rook; that is not castling.
    let fen = "8/k7/7p/8/8/8/7P/1R3K1R w KQ - 0 1";
    let game = game_from("koth", fen, "1.Kg1 h5");
    check("move castle", &game, &[]);
    check("countmoves legal --(castle)==2", &game, &[0]);
    check("legal K--g1(not castle)", &game, &[0]);
    check("fen~~\" [wb] - \"", &game, &[1, 2]);
    // An explosion removes the right together with the rook.
    let fen = "8/k7/8/8/8/8/r6P/1R2K1R1 b GB - 0 1";
    let game = game_from("Atomic", fen, "1...Rxh2 2.Kf2 Ka8");
    check("fen~~\" Q \"", &game, &[1]);
    check("btm legal --(fen~~\" w Q \")", &game, &[0]);
}

#[test]
fn what_is_not_known_of_a_variant_is_said() {
    let atomic = game("Atomic", "1.Nf3 a6");
    for (body, filter) in [
        ("legalposition", "legalposition"),
        ("reachableposition", "reachableposition"),
        ("reverse --(true)", "reverse"),
    ] {
        let said = fault(body, &atomic);
        assert!(said.contains(&format!("`{filter}` has no meaning")), "{said}");
    }
    // In variants whose pieces move as in chess, these filters are supported.
    let hill = game("KOTH", "1.Nf3 a6");
    check("legalposition reachableposition", &hill, &[0, 1, 2]);
    check("reverse N--(initial or true)", &hill, &[1]);
    // An engine does not know how a variant ends.
    for variant in ["KOTH", "Three-check", "Atomic"] {
        let said = fault("engine (depth 1) > 0", &game(variant, "1.Nf3 a6"));
        assert!(said.contains("`engine` has no meaning"), "{variant}: {said}");
    }
}

#[test]
fn equal_boards_with_other_hands_are_not_equal_positions() {
    let key = |hand: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/4K3[{hand}] w - - 0 1");
        let found = run("quiet", "comment(zobristkey)", &game_from("Crazyhouse", &fen, ""));
        found[0].row.positions[0].comments.clone()
    };
    assert_eq!(key("Q"), key("Q"));
    assert_ne!(key("Q"), key("q"));
}
