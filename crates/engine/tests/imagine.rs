//! Tests positions that never occurred (`imagine`, `reverse`, `saveposition`) and filters that
//! describe positions.

mod support;

use board::{MoveList, Position};
use engine::CompileOptions;
use proptest::prelude::*;
use support::{
    check, comment, compiled, game, game_from, holds_at, ids, is_refused, run, value_at,
};

const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn changes_are_made_from_left_to_right() {
    for (change, filter, want) in [
        ("place N on d5", "N", "d5"),
        ("place wN on d5", "N", "d5"),
        ("place bq on d5|d6", "q", "[d5,d6]"),
        ("place Nd5", "N", "d5"),
        ("place n[a1,b2]", "n", "[a1,b2]"),
        ("remove k", "k", "[]"),
        ("remove A|k", "[Aa]", "[]"),
        ("place N on e8", "[Aa]", "[e1,e8]"),
        ("place N on d5, remove d5", "N", "[]"),
        ("remove d5, place N on d5", "N", "d5"),
        ("place N on d5, place q on d5", "[Nq]", "d5"),
        ("place R on a1 place R on h1 castling \"KQ\"", "legal K--(castle)", "[c1,g1]"),
        // squares are evaluated in the unchanged position
        ("place N on d5, remove N", "N", "d5"),
    ] {
        value_at(BARE, &format!("imagine {change} : {filter}"), want);
    }
}

#[test]
fn the_side_to_move() {
    check("imagine sidetomove black : btm", "1.e4", &[0, 1]);
    check("imagine sidetomove white : btm", "1.e4", &[]);
    check("imagine sidetomove flip : btm", "1.e4", &[0]);
    check("imagine sidetomove flip, sidetomove flip : btm", "1.e4", &[1]);
    // what Black threatens: mate on the next move
    let moves = "1.f3 e5 2.g4 a6";
    check("wtm imagine sidetomove flip : legal --(mate)", moves, &[4]);
    // the side that has made a double step cannot capture that pawn en passant
    let moves = "1.e4 a6 2.e5 d5";
    check("legal [x](enpassant)", moves, &[4]);
    check("imagine sidetomove white : legal [x](enpassant)", moves, &[4]);
    check("imagine sidetomove flip : legal [x](enpassant)", moves, &[]);
}

#[test]
fn rights_and_en_passant() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    value_at(fen, "imagine castling \"K\" : legal K--(castle)", "g1");
    value_at(fen, "imagine castling \"-\" : legal K--(castle)", "[]");
    value_at(fen, "imagine sidetomove black : legal K--(castle)", "[]");
    value_at(fen, "imagine sidetomove black : legal k--(castle)", "[c8,g8]");
    value_at(fen, "imagine remove Ra1 : legal K--(castle)", "g1");
    // a rook placed on the board gives no right, unless declared
    value_at(fen, "imagine remove h1 : imagine place Rh1 : legal K--(castle)", "c1");
    value_at(fen, "imagine place Rh1, castling \"KQ\" : legal K--(castle)", "[c1,g1]");
    // rights need king and rook on their squares
    value_at(BARE, "imagine castling \"KQkq\" : standardfen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    // tried moves then use up the rights
    value_at(
        fen,
        "imagine castling \"KQkq\" : legal h1--(legal all --(legal K--(castle) == c1))",
        "<true>",
    );
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    value_at(fen, "imagine enpassant d6 : legal --(enpassant)", "d6");
    value_at(fen, "imagine enpassant d6, remove d5 : legal --(enpassant)", "[]");
    value_at(fen, "imagine enpassant d6 : imagine enpassant [] : legal --(enpassant)", "[]");
}

#[test]
fn men_keep_their_identity() {
    let moves = "1.e4 e5 2.Nf3";
    check("imagine remove e7 : pieceid e4 == 12", moves, &[1, 2, 3]);
    check("imagine place Q on e4 : isunbound x or pieceid e4 == 12", moves, &[0, 1, 2, 3]);
    check("imagine place Q on e4 : pieceid e4", moves, &[]);
    check("piece x = Pe2 imagine remove e2|e4 : x", moves, &[]);
    check("initial piece x = Pe2 imagine remove d2 : x == e2", moves, &[0]);
    check("initial piece x = Pe2 imagine remove d2 : legal e2--e4(x == e4)", moves, &[0]);
}

#[test]
fn the_place_in_the_game_is_that_of_the_position() {
    for body in [
        "{imagine remove Q : parent} == initialposition",
        "imagine remove Q : {ply == 0 movenumber == 1 positionid == 0 not initial}",
        "imagine remove Q : {terminal not check mainline}",
        "imagine remove Q : legal --(ply == 1 parent:parent:initial)",
        "imagine remove Q : {not from not to not castle}",
        "imagine remove Q : {find <-- all true} == 2",
        "imagine remove Q : not --",
        "imagine sidetomove flip : {movenumber == 1 ply == 0}",
        "imagine remove Q : {distance(initialposition currentposition) == 0}",
    ] {
        check(&format!("initial {body}"), "1.e4 e5", &[0]);
    }
}

#[test]
fn comments_go_to_the_position_of_the_game() {
    let written = |body: &str| comment(body, &game("1.e4"));
    assert_eq!(
        written("btm imagine remove Q : {comment(\"no queen\") not Q}").as_deref(),
        Some("no queen")
    );
    assert_eq!(written("btm imagine remove Q : {comment(\"queen\") Q}"), None);
    assert_eq!(written("initial not imagine remove Q : {comment(\"queen\") Q}"), None);
}

#[test]
fn values_of_every_type() {
    value_at(BARE, "imagine place Q on d1 : #Q", "1");
    value_at(BARE, "{imagine place Q on d1 : power A} + 1", "10");
    value_at(BARE, "imagine place Q on d1 : fen", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    value_at(BARE, "imagine place Q on d1 : Q", "d1");
    holds_at(BARE, "imagine place Q on e2, sidetomove flip : check", true);
    // a position that no longer exists has no value, one of the game has
    holds_at(BARE, "x = imagine place Q on d1 : currentposition", false);
    holds_at(BARE, "x = imagine place Q on d1 : parent x == currentposition", true);
    // a sum does not belong to the filter after the colon
    value_at(BARE, "imagine place Q on d1 : #Q + #Q", "1");
}

#[test]
fn boards_without_kings_say_what_has_a_meaning() {
    for (filter, want) in [
        ("check", false),
        ("mate", false),
        ("stalemate", false),
        ("legal --(check)", false),
        ("legal --", true),
        ("legalposition", false),
        ("reachableposition", false),
        ("K attacks .", false),
    ] {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        holds_at(fen, &format!("imagine remove K|k : {filter}"), want);
    }
    // the side not to move is in check: no move captures the king
    let fen = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1";
    holds_at(fen, "imagine sidetomove white : legal --e8(true)", false);
    holds_at(fen, "imagine sidetomove white : check", false);
    holds_at(fen, "imagine sidetomove white : legalposition", false);
    // stalemate without pieces
    holds_at(fen, "imagine remove ., sidetomove white : stalemate", true);
}

#[test]
fn transforms_reach_into_changes() {
    let body = "flipcolor {imagine place Q on e2, sidetomove black : check}";
    holds_at("4k3/8/8/8/8/8/8/4K3 w - - 0 1", body, true);
    holds_at(
        BARE,
        "reversecolor {imagine place Q on d8, sidetomove white : {qd1 btm not Q}}",
        false,
    );
    value_at(BARE, "reversecolor {imagine place Q on d8 : A}", "[d1,e8]");
    value_at(BARE, "fliphorizontal {imagine place Q on d1 : Q}", "[d1,d8]");
    value_at(BARE, "flipcolor {imagine place Q on d1 : [Qq]}", "[d1,d8]");
    let fen = "r3k3/8/8/8/8/8/8/4K2R w - - 0 1";
    value_at(
        fen,
        "flipcolor {imagine sidetomove white, castling \"K\" : legal [Kk]--(castle)}",
        "g1",
    );
}

#[test]
fn mutations_have_a_name() {
    value_at(
        BARE,
        "imagine place Q on d1, remove e8 : currentmutation",
        "place Q on d1, remove e8",
    );
    value_at(
        BARE,
        "imagine place R on h1, sidetomove black, castling \"K\" : currentmutation",
        "place R on h1, sidetomove black, castling \"K\"",
    );
    value_at(BARE, "imagine place Q on d1 : legal Q--d8(currentmutation)", "place Q on d1; Qd8+");
    holds_at(BARE, "currentmutation", false);
    let back = "k7/8/1K6/8/8/8/8/8 w - - 0 1";
    value_at(back, "reverse b8--(currentmutation)", "reverse Ka8");
}

#[test]
fn saved_positions_stay_until_the_game_ends() {
    check(
        "initial x = imagine remove Q : saveposition not Q or {x:not Q} {x:parent} == currentposition",
        "1.e4",
        &[0],
    );
    // at other positions of the game
    let saved = "{initial x = imagine remove Q : saveposition} or {isbound x x:not Q}";
    check(saved, "1.e4 e5", &[0, 1, 2]);
    // not in the next game
    let two = format!("{}{}", game("1.e4"), game("1.d4"));
    let games = run("", "isbound x or x = imagine remove Q : saveposition", &two);
    assert_eq!(games.len(), 2);
    // saved after tried moves, with all positions on the way
    let behind = "initial legal e2--e4(legal d7--d5(x = saveposition))
        x:{Pe4 pd5 wtm ply == 2} x:parent:{Pe4 btm} x:legal e4--d5(not pd5)
        x:imagine remove P : not P
        x == x not x == currentposition initialposition [<] x ancestor(initialposition x)
        distance(currentposition x) == 2 lca(x currentposition) == currentposition";
    check(behind, "1.d4 d5", &[0]);
    // a position of the game is always kept
    check("x = saveposition x == currentposition", "1.e4", &[0, 1]);
    // other positions are lost
    check("initial imagine remove Q : x = currentposition isbound x", "1.e4", &[]);
    let dictionary =
        "initial local dictionary D imagine remove Q : D[\"a\"] = saveposition D[\"a\"]:not Q";
    check(dictionary, "1.e4", &[0]);
}

#[test]
fn positions_that_cannot_be() {
    let fen = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
    holds_at(fen, "legalposition", true);
    holds_at(fen, "imagine place P on . & a-h2 : legalposition", false);
    holds_at(BARE, "imagine place P on . & a-h1 : legalposition", false);
    check("legalposition reachableposition", "1.e4 e5", &[0, 1, 2]);
    // no white piece is missing, so no black pawn has left its file
    check("imagine place p on e6, remove f7 : reachableposition", "1.Nf3", &[]);
}

#[test]
fn moves_backward() {
    let back = "k7/8/1K6/8/8/8/8/8 w - - 0 1";
    value_at(back, "reverse k--(from)", "b8");
    value_at(back, "reverse --(to)", "a8");
    value_at(back, "countmoves reverse --(not [Aa]a8)", "1");
    // on a8 any piece but a king or a pawn may have been captured
    value_at(back, "countmoves reverse [x](true)", "4");
    value_at(back, "countmoves reverse [x]Q", "1");
    value_at(back, "countmoves reverse --", "5");
    holds_at(back, "reverse --", true);
    holds_at(back, "reverse all --(kb8)", true);
    holds_at(back, "reverse all --(not Q)", false);
    // the squares from which the rook came, also by castling
    let castled = "4k3/8/8/8/8/8/5PPP/5RK1 b - - 0 1";
    value_at(castled, "reverse --(castle currentmutation)", "reverse O-O");
    value_at(castled, "reverse --(castle [KR])", "[e1,h1]");
    value_at(castled, "reverse --(castle fen)", "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1");
    // a promoted pawn, by a step or by a capture
    let queen = "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1";
    value_at(queen, "reverse --=Q(from)", "[a7,b7]");
    value_at(queen, "countmoves reverse P--=Q", "5");
    holds_at(queen, "reverse --=N", false);
    // in the game, the played move is among them
    check("reverse --(initial)", "1.e4", &[]);
    check("reverse Ng1--f3(ply == 0 movenumber == 1 parent:Nf3)", "1.Nf3", &[1]);
    // or any other possible previous move
    check("reverse Pe2--e4", "1.e4 e5 2.a3", &[1, 3]);
    check("not initial reverse --(pieceid g1 == 6 not Nf3)", "1.Nf3", &[1]);
    // two moves back
    check("reverse --(reverse --(Ng1 ng8)) not ng8 not Ng1", "1.Nf3 Nf6", &[2]);
    // no move can have led to an illegal position, but one may have led to the first position of a
    // game
    check("reverse --", "1.e4", &[0, 1]);
    holds_at("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "reverse --", false);
}

#[test]
fn the_spelling_of_others() {
    let mate = "1.f3 e5 2.g4 a6 3.e3";
    check("move legal : mate", mate, &[3]);
    check("move from q legal : mate", mate, &[3]);
    check("{move from q to h4 legal : mate} == d8", mate, &[3]);
    check("{move from q legal to h4 : mate} == d8", mate, &[3]);
    check("{move to h4 legal : mate} == h4", mate, &[3]);
    check("move legal all : btm", "1.e4 e5", &[0, 2]);
    check("{move legal count : check} == 1", mate, &[3, 5]);
    check("{move legal all count : btm} == 20", "1.e4 e5", &[0]);
    check("{move legal all count : wtm} == 20", "1.e4 e5", &[1]);
    check("move legal capture A : true", "1.e4 d5 2.a3", &[3]);
    check("{move capture A legal : true} == e4", "1.e4 d5 2.a3", &[3]);
    check("move legal castle : true", "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5", &[6]);
    check("move legal enpassant : true", "1.e4 a6 2.e5 d5", &[4]);
    check("move legal enpassantsquare d5 : true", "1.e4 a6 2.e5 d5", &[4]);
    holds_at("8/P6k/8/8/8/8/8/K7 w - - 0 1", "move legal promote N : N", true);
    holds_at("8/P6k/8/8/8/8/8/K7 w - - 0 1", "{move legal count promote A : true} == 4", true);
    check("move pseudolegal from N : Nf3", "1.e4", &[0]);
    check("move reverse from P : {ply == 0}", "1.e4", &[1]);
    // zugzwang with mate in one
    let fen = "k7/8/1K6/8/8/8/8/7R b - - 0 1";
    holds_at(fen, "btm move legal all : move legal : mate", true);
    for body in [
        "move : mate",
        "move previous : mate",
        "move legal all",
        "move reverse",
        "move legal null : mate",
        "move legal primary : mate",
        "move reverse legal : mate",
        "move legal all all : mate",
    ] {
        assert!(is_refused(body), "{body}");
    }
}

#[test]
fn the_position_as_text() {
    let moves = "1.e4 a6 2.e5 d5 3.Nf3 b6 4.exd6";
    let texts = |filter: &str| -> Vec<String> {
        let body = format!("comment({filter})");
        let games = run("quiet", &body, &game(moves));
        let positions = games.iter().flat_map(|game| &game.row.positions);
        let first = |comments: &[Vec<u8>]| String::from_utf8_lossy(&comments[0]).into_owned();
        positions.map(|position| first(&position.comments)).collect()
    };
    let fens = texts("standardfen");
    assert_eq!(fens[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(fens[1], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(fens[4], "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    assert_eq!(fens[5], "rnbqkbnr/1pp1pppp/p7/3pP3/8/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 3");
    assert_eq!(texts("halfmoveclock"), ["0", "0", "0", "0", "0", "1", "0"]);
    let keys = texts("zobristkey");
    assert_eq!(keys[0], "463b96181691fc9c");
    assert!(keys.iter().all(|key| key.len() == 16));
    assert_eq!(texts("imagine sidetomove white : standardfen")[0], fens[0]);
}

#[test]
fn new_words_are_names_where_a_query_has_them() {
    check("imagine = 3 reverse = R imagine == 3 #reverse == 2", "1.e4", &[0, 1]);
    check("function standardfen(x) {x} standardfen(K)", "1.e4", &[0, 1]);
    check("square reverse in R {reverse == a1}", "1.e4", &[0, 1]);
    check("piece legalposition in K {legalposition == e1}", "1.e4", &[0, 1]);
    // elsewhere they are words of the language
    check("halfmoveclock == 0", "1.e4 e5 2.Nf3", &[0, 1, 2]);
    check("isunbound zobristkey zobristkey", "1.e4", &[0, 1]);
}

#[test]
fn what_is_refused() {
    for body in [
        "imagine",
        "imagine : mate",
        "imagine remove Q",
        "imagine remove Q, : mate",
        "imagine remove Q mate",
        "imagine put Q on d5 : mate",
        "imagine place Q d5 : mate",
        "imagine place [Qq] on d5 : mate",
        "imagine place A on d5 : mate",
        "imagine place _ on d5 : mate",
        "imagine place Q on check : mate",
        "imagine sidetomove : mate",
        "imagine sidetomove K : mate",
        "imagine castling KQ : mate",
        "imagine castling \"KX\" : mate",
        "imagine enpassant 3 : mate",
        "imagine remove Q :",
        "reverse",
        "reverse all --",
        "countmoves reverse all --(true)",
    ] {
        assert!(is_refused(body), "{body}");
    }
    let said = compiled("cql() imagine put Q on d5 : mate", &CompileOptions::default());
    let help = said.diagnostics[0].help.clone().unwrap_or_default();
    assert!(help.contains("place N on d5"), "{help}");
}

#[test]
fn changes_are_nested_as_deep_as_filters_may_be() {
    for (open, close) in [
        ("imagine sidetomove flip : {true ", "}"),
        ("legal --(imagine remove a1 : {true ", "})"),
        ("reverse --(", ")"),
    ] {
        let nested = |n: usize| format!("{}true{}", open.repeat(n), close.repeat(n));
        let deepest = (1..400).rev().find(|&n| !is_refused(&nested(n)));
        let deepest = deepest.expect("some depth is allowed");
        assert!(deepest > 40, "{open}: {deepest}");
        let fen = game_from("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "");
        let found = ids(&format!("{{initial {}}}", nested(deepest - 2)), &fen);
        assert_eq!(found, [0], "{open}");
    }
}

/// Generates a game of random moves.
fn playout() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u16>(), 1..50).prop_map(|choices| {
        let mut position = Position::START;
        let mut moves = MoveList::new();
        let mut text = String::new();
        for choice in choices {
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else {
                break;
            };
            text += &format!("{} ", board::san(&position, mv));
            position = position.play(mv);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The move that was played can be taken back, and every move taken back can be played.
    #[test]
    fn what_was_played_leads_back(moves in playout()) {
        let pgn = game(&moves);
        let n = ids("true", &pgn).len() as u32;
        let all: Vec<u32> = (1..n).collect();
        let back = "x = currentposition not initial
            parent:{y = currentposition} reverse --(#(y & currentposition) == 64)";
        prop_assert_eq!(ids(back, &pgn), all.clone());
        let forth = "x = currentposition not initial
            reverse all --(legal --(#(x & currentposition) == 64))";
        prop_assert_eq!(ids(forth, &pgn), all.clone());
        let real = ids("not initial legalposition reachableposition", &pgn);
        prop_assert_eq!(real, all);
    }

    /// Changes without an effect change no result.
    #[test]
    fn changes_that_change_nothing(
        moves in playout(),
        change in prop::sample::select(vec![
            "remove []",
            "sidetomove flip, sidetomove flip",
            "remove _",
            "place N on []",
        ]),
        filter in prop::sample::select(vec![
            "check", "mate", "stalemate", "legal --(check)", "legal --(castle) == g1", "fen ~~ \"q\"",
            "countmoves legal -- == 20", "passedpawns", "A attacks k",
        ]),
    ) {
        // except for en passant captures, if the turn changes
        let pgn = game(&moves);
        let plain = ids(&format!("not legal [x](enpassant) {{{filter}}}"), &pgn);
        let body = format!("not legal [x](enpassant) imagine {change} : {{{filter}}}");
        prop_assert_eq!(ids(&body, &pgn), plain);
    }
}
