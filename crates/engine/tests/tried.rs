//! Tests tried moves: `legal --(T)`, `legal all --(T)`, `countmoves legal --(T)`.

mod support;

use board::{MoveList, Position};
use proptest::prelude::*;
use support::{check, comment, game, game_from, ids, is_refused, run, value_at};

/// Checks whether the position matches and has this text as its comment.
#[track_caller]
fn check_at(fen: &str, body: &str, want: Option<&str>) {
    let written = comment(&format!("initial {body}"), &game_from(fen, ""));
    assert_eq!(written.as_deref(), want, "{body} at {fen}");
}

const FOOLS_MATE: &str = "1.f3 e5 2.g4 a6 3.e3";

#[test]
fn a_legal_move_leads_there() {
    check("legal --(mate)", FOOLS_MATE, &[3]);
    check("legal q--(mate)", FOOLS_MATE, &[3]);
    check("legal --h4(mate)", FOOLS_MATE, &[3]);
    check("legal b--(mate)", FOOLS_MATE, &[]);
    check("legal --a6(mate)", FOOLS_MATE, &[]);
    check("not legal --(check)", FOOLS_MATE, &[0, 1, 2, 4]);
    // played moves do not matter
    check("--(mate)", FOOLS_MATE, &[]);
    check("legal --(btm) or terminal", "1.e4 e5", &[0, 2]);
}

#[test]
fn mate_in_two() {
    let two = "not legal --(mate) legal --(not stalemate legal all --(legal --(mate)))";
    let fen = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
    check_at(fen, &format!("{two} comment(\"two\")"), Some("two"));
    let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    check_at(fen, &format!("{two} comment(\"two\")"), None);
    // python-chess finds the mate only if White may castle.
    let fen = "8/8/8/8/3k4/N7/4Q3/R3K3 w Q - 0 1";
    check_at(fen, &format!("{two} comment(\"two\")"), Some("two"));
    let after = game_from("8/8/8/8/3k4/N7/4Q3/1R2K3 b - - 0 1", "1... Kd5 2. Ra1 Kd4");
    assert!(ids(&format!("wtm {two}"), &after).is_empty(), "the rook has moved");
}

#[test]
fn all_legal_moves_lead_there() {
    let only_check = "7k/8/8/8/8/8/q7/7K w - - 0 1";
    check_at(only_check, "legal all --(legal q--(check)) comment(\"x\")", Some("x"));
    check_at(only_check, "legal all --(to==g1) comment(\"x\")", Some("x"));
    check_at(only_check, "legal all --(to==h2) comment(\"x\")", None);
    // only moves that the dash admits count
    check("legal all K--(false)", "1.e4 e5 2.Ke2", &[0, 1, 3]);
    // without any move, `all` holds
    check("mate legal all --(false)", "1.f3 e5 2.g4 Qh4#", &[4]);
    check("mate legal --(true)", "1.f3 e5 2.g4 Qh4#", &[]);
}

#[test]
fn sets_are_gathered_from_all_moves() {
    let fen = "k7/8/8/8/8/8/1Q6/K7 w - - 0 1";
    value_at(fen, "legal --(check to)", "[a2,g2,a3,b7,b8,h8]");
    value_at("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "legal Q--(check to)", "[h1,b2,h7,b8]");
    value_at("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "legal --(check from)", "b1");
    value_at("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "legal --(mate to)", "[]");
    // the destinations, as without a target
    let moves = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O";
    check("legal --(to) == legal --", moves, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let fen = "k7/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    value_at(fen, "#legal --(to)", "21");
}

#[test]
fn numbers_and_texts_are_those_of_the_first_move() {
    let fen = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
    value_at(fen, "legal K--(ply)", "1");
    value_at(fen, "legal --(str(to))", "c1");
    value_at(fen, "legal --(check str(to))", "h1");
    check_at(fen, "{legal --(mate ply)} > 0 comment(\"x\")", None);
}

#[test]
fn promotions_are_moves_of_their_own() {
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    value_at(fen, "countmoves legal P--(true)", "4");
    value_at(fen, "countmoves legal P--", "1");
    value_at(fen, "countmoves legal --=[RB](true)", "2");
    value_at(fen, "countmoves legal --=.(Q or N)", "2");
    value_at(fen, "countmoves legal --=\"qn\"(true)", "2");
    check_at(fen, "legal --=Q(Qa8) comment(\"x\")", Some("x"));
    check_at(fen, "legal all --=Q(Qa8) comment(\"x\")", Some("x"));
    check_at(fen, "legal all --=.(Qa8) comment(\"x\")", None);
    // a check along the file that the pawn has left
    let fen = "8/3P4/8/8/3k4/8/8/K7 w - - 0 1";
    value_at(fen, "countmoves legal --(check)", "2");
}

#[test]
fn castling_is_a_move_of_king_and_rook() {
    let fen = "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    value_at(fen, "legal R--(castle to)", "[d1,f1]");
    value_at(fen, "legal K--(castle to)", "[c1,g1]");
    value_at(fen, "legal h1--(castle from)", "h1");
    value_at(fen, "countmoves legal e1--(castle true)", "2");
    // the rook gives check on f1
    value_at(fen, "legal K--(check to)", "g1");
    value_at(fen, "countmoves legal --(check o-o)", "1");
    check("legal --(o-o check)", "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5", &[]);
    check("legal --(o-o true)", "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5", &[6]);
    // the right is lost, although the king is back
    let back = "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.Ke2 a6 5.Ke1 a5";
    check("legal --(castle true)", back, &[6]);
    // the right is also lost by tried moves
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let twice = "legal h1--(legal all --(not legal --(o-o true)))";
    check_at(fen, &format!("{twice} comment(\"x\")"), Some("x"));
    let fen_there = "legal Ke1--d1(fen ~~ \"w - \" or fen ~~ \"b - \") comment(\"x\")";
    check_at(fen, fen_there, Some("x"));
}

#[test]
fn chess960() {
    let fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1";
    let pgn = |moves: &str| {
        format!("[Event \"?\"]\n[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
    };
    let kings_side = "legal R--f1(castle true)";
    assert_eq!(ids(kings_side, &pgn("1.Ke1 Rg8 2.h3 Rh8")), [0]);
    assert_eq!(ids("countmoves legal --(castle true) == 2", &pgn("1.h3 h6")), [0, 1, 2]);
    let after = "legal --(o-o legal all --(not legal --(castle true)))";
    assert_eq!(ids(after, &pgn("1.h3")), [0, 1]);
}

#[test]
fn en_passant() {
    let moves = "1.e4 a6 2.e5 d5 3.a3 a5";
    check("legal [x](enpassant)", moves, &[4]);
    check("legal P[x]d5(true)", moves, &[4]);
    check("legal --d6(enpassant enpassantsquare==d5)", moves, &[4]);
    // the pawn of a tried move can be captured en passant
    check("legal d7--d5(legal [x](enpassant))", moves, &[3]);
    check("legal --(legal [x](enpassant)) btm", "1.e4 a6 2.e5 a5", &[3]);
}

#[test]
fn pseudolegal_moves_leave_kings_in_check() {
    let fen = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
    value_at(fen, "countmoves legal N--(true)", "0");
    value_at(fen, "countmoves pseudolegal N--(true)", "6");
    value_at(fen, "countmoves pseudolegal N--(e8 attacks K)", "6");
}

#[test]
fn checks_are_found_however_they_come_about() {
    for (fen, want) in [
        // discovered by a piece, by a pawn, by the king; en passant
        ("4k3/8/8/8/8/8/8/R3N2K w - - 0 1", "1"),
        ("4k3/8/8/8/8/4N3/8/4R2K w - - 0 1", "8"),
        ("4k3/8/8/8/3p4/4P3/8/4R2K w - - 0 1", "1"),
        ("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "6"),
        ("8/8/8/8/k3P2Q/8/8/7K w - - 0 1", "1"),
        ("k7/1P6/8/8/8/8/8/7K w - - 0 1", "5"),
        // the side to be checked is in check already
        ("k7/8/8/8/8/8/8/R6K w - - 0 1", "9"),
    ] {
        let slow = "countmoves legal --(not not check)";
        let fen = game_from(fen, "");
        let values = ["countmoves legal --(check)", slow]
            .map(|filter| comment(&format!("initial comment({filter})"), &fen));
        assert_eq!(values[0], values[1], "{fen}");
        assert_eq!(values[0].as_deref(), Some(want), "{fen}");
    }
}

#[test]
fn the_target_knows_where_it_is() {
    for body in [
        "legal --(parent:initial)",
        "legal --(ply==1 parent:ply==0)",
        "legal --(movenumber==1 btm)",
        "legal --(legal --(ply==2 movenumber==2 parent:parent:initial))",
        "legal --(terminal not initial mainline)",
        "legal --(find <-- initial)",
        "legal --({find <-- all true}==2)",
        "legal --({find all true}==1)",
        "legal --(distance(currentposition initialposition)==1)",
        "legal --(lca(currentposition position 2)==initialposition)",
        "legal --(currentposition [>] initialposition)",
        "legal --(positionid==0)",
        "legal Pe2--(currentmove e2--e4)",
        "legal Pe2--(move previous from e2 to e4)",
        "legal Pe2--e4({line <-- Pe4 <-- Pe2}==2)",
        "legal --(x=currentposition legal --(x:ply==1 x [<] currentposition))",
        "legal e2--(from==e2 parent:(Pe2))",
        "piece x=Pe2 legal e2--(x==e4)",
        "piece x=Pe2 legal --(x==e2 legal --(legal e2--e4(x==e4)))",
        "legal e2--e4(pieceid e4==12)",
        "legal --(currentposition:wtm) or true",
    ] {
        assert_eq!(ids(&format!("initial {body}"), &game("1.e4 e5 2.Nf3")), [0], "{body}");
    }
    for body in [
        "legal --(--)",
        "legal --(child)",
        "legal --(path -- )",
        "legal --(secondary)",
        "legal --(hascomment)",
        "legal --(initial)",
        "legal --(not pe5 find pe5)",
        "legal --(variation)",
    ] {
        let moves = "{c} 1.e4 {c} 1...e5 {c} 2.Nf3 {c}";
        assert!(ids(body, &game(moves)).is_empty(), "{body}");
    }
}

#[test]
fn positions_of_the_game_are_seen_from_there() {
    // a move that would lead to a position that the game reaches later by another way
    let moves = "1.Nf3 Nf6 2.Nc3 Ng8 3.Ng1 Nf6 4.Nf3";
    let body = "legal quiet";
    assert!(is_refused(body));
    let reached = "initial legal --(legal --(echo quiet (s t) {#(s & t)==64 t:wtm s:wtm}))";
    check(reached, moves, &[0]);
    check("legal --(path quiet -- --)", moves, &[]);
    check("initial legal --(position 2:path quiet -- --)", moves, &[0]);
    check("initial legal --(position 1:find Nc3)", moves, &[0]);
}

#[test]
fn comments_go_to_the_position_of_the_game() {
    let written = |body: &str| {
        let games = run("quiet", body, &game(FOOLS_MATE));
        let positions = games.iter().flat_map(|game| &game.row.positions);
        let texts = positions.flat_map(|position| {
            let comments = position.comments.iter();
            comments.map(|text| format!("{}:{}", position.id, String::from_utf8_lossy(text)))
        });
        texts.collect::<Vec<_>>()
    };
    assert_eq!(written("legal --(mate comment(\"by \" from))"), ["3:by d8"]);
    assert_eq!(
        written("ply==3 legal --(comment(\"x\" to) to==h4)"),
        ["3:xh4"],
        "what fails leaves nothing"
    );
    assert_eq!(
        written("ply==3 {countmoves legal q--(comment(to))}==4"),
        ["3:h4", "3:g5", "3:f6", "3:e7"]
    );
    assert_eq!(
        written("ply==2 legal --(legal --(comment(\"mates \" to) mate) comment(to))"),
        ["2:mates h4", "2:g4"],
        "from behind two moves"
    );
}

#[test]
fn nothing_names_a_position_that_is_gone() {
    let once = "initial legal --(x=currentposition x:btm)";
    check(&format!("{once} isunbound x"), "1.e4", &[0]);
    let held = "initial legal --(x=currentposition legal --(y=currentposition isbound y x:btm) isunbound y)";
    check(&format!("{held} isunbound x"), "1.e4", &[0]);
    check("initial legal --(x=parent) isbound x x:initial", "1.e4", &[0]);
    let entries = "local dictionary D local dictionary E
        initial legal --(D[1]=currentposition E[currentposition]=2 #D==1 #E==1)";
    check(&format!("{entries} #D==0 #E==0"), "1.e4", &[0]);
    let function = "function f(X) {X:btm} initial legal --(f(currentposition)) --(wtm) or true";
    check(function, "1.e4", &[0]);
    // a position is not a value of the filter
    assert!(is_refused("x=legal --(currentposition)"));
    check("legal --(currentposition)", "1.e4", &[0, 1]);
}

#[test]
fn what_stays_refused() {
    for body in ["legal --=Q", "legal [x]", "legal all --", "countmoves legal all --(check)"] {
        assert!(is_refused(body), "{body}");
    }
    // as in CQL 6.2 these are the squares
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    value_at(fen, "legal --(castle)", "[c1,g1]");
    value_at(fen, "legal --(o-o)", "g1");
}

#[test]
fn moves_are_tried_as_deep_as_filters_may_be_nested() {
    for (open, inside, close, matches) in [
        ("legal --(", "true", ")", true),
        ("{true legal --({", "true", "})}", true),
        ("legal all --(", "false", ")", false),
        ("legal --(", "{wtm or btm}", ")", true),
        ("legal all --(", "{wtm btm}", ")", false),
    ] {
        let nested = |n: usize| format!("{}{inside}{}", open.repeat(n), close.repeat(n));
        let deepest = (1..400).rev().find(|&n| !is_refused(&nested(n)));
        let deepest = deepest.expect("some depth is allowed");
        assert!(deepest > 60, "{open}: {deepest}");
        let want: &[u32] = if matches { &[0] } else { &[] };
        check(&format!("{{initial {}}}", nested(deepest - 2)), "1.e4", want);
    }
}

/// Generates a game of random moves, and filters for positions after its moves.
fn playout() -> impl Strategy<Value = (String, Vec<&'static str>)> {
    let choices = prop::collection::vec(any::<u16>(), 1..40);
    let filter = prop::sample::select(vec![
        "check",
        "mate",
        "stalemate",
        "castle",
        "o-o-o",
        "enpassant",
        "to & a-h4-5",
        "from & [KQk]",
        "Q attacks k",
        "btm countmoves legal -- > 20",
        "fen ~~ \"KQ\"",
        "passedpawns",
        "currentmove [x]",
        "not check parent:check",
        "piece $p in [Qq] {$p attacks [Kk]}",
        "legal --(check)",
        "#(a attacks A) > 3",
    ]);
    (choices, prop::collection::vec(filter, 1..3)).prop_map(|(choices, filters)| {
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
        (text, filters)
    })
}

/// Generates conditions on the king and the side to move, here and after moves that are tried.
fn bare_condition() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["check", "mate", "stalemate", "wtm", "btm"]);
    let leaf = leaf.prop_map(str::to_owned).boxed();
    let list = |item: BoxedStrategy<String>| {
        prop_oneof![
            item.clone().prop_map(|item| format!("not {{{item}}}")),
            (item.clone(), item.clone()).prop_map(|(a, b)| format!("{{{a} {b}}}")),
            (item.clone(), item.clone()).prop_map(|(a, b)| format!("{{{a} or {b}}}")),
            item,
        ]
        .boxed()
    };
    let tried = move |item: BoxedStrategy<String>, inner: BoxedStrategy<String>| {
        let dash = prop::sample::select(vec!["legal --", "legal all --"]);
        let tried = (dash, list(item)).prop_map(|(dash, item)| format!("{dash}({item})"));
        list(prop_oneof![2 => tried, 1 => inner].boxed())
    };
    let once = tried(leaf.clone(), leaf.clone());
    tried(once, leaf)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Conditions that are decided on bare positions hold where the same filters do.
    #[test]
    fn bare_positions_decide_as_filters_do(
        (moves, _) in playout(),
        start in prop::sample::select(vec![
            "",
            "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1",
            "4k3/1P6/8/2pP4/8/5n2/6PP/5R1K w - c6 0 1",
            "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1",
        ]),
        target in bare_condition(),
        dash in prop::sample::select(vec!["legal --", "legal all --", "countmoves legal --"]),
    ) {
        let pgn = if start.is_empty() { game(&moves) } else { game_from(start, "") };
        // An assignment is a trace that no bare position decides.
        let [bare, slow] = [target.clone(), target.replace("--(", "--(x=1 ")].map(|target| {
            let first = if target.contains("x=1") { "x=1 " } else { "" };
            let is_count = dash.starts_with("countmoves");
            let tried = format!("{dash}({first}{target})");
            let body = if is_count { format!("{{{tried}}} > 1") } else { tried };
            ids(&format!("terminal {body}"), &pgn)
        });
        prop_assert_eq!(bare, slow, "{} {} {}", dash, target, pgn);
    }

    /// If a move of the game leads to a matching position, so does a tried move.
    #[test]
    fn played_moves_are_among_those_tried(
        (moves, filters) in playout(),
        dash in prop::sample::select(vec!["--", "[x]", "P--", "[RNKrnk]--", "--=A", "R--", "--a-h1-5"]),
    ) {
        // `legal --(castle)` alone keeps its meaning of CQL 6.2
        let target = format!("{} true", filters.join(" "));
        let pgn = game(&moves);
        let played = ids(&format!("{dash}({target})"), &pgn);
        let tried = ids(&format!("legal {dash}({target})"), &pgn);
        prop_assert!(played.iter().all(|id| tried.contains(id)), "{target}: {played:?} {tried:?}");
        let pseudo = ids(&format!("pseudolegal {dash}({target})"), &pgn);
        prop_assert!(tried.iter().all(|id| pseudo.contains(id)), "{target}: {tried:?} {pseudo:?}");
        let counted = ids(&format!("{{countmoves legal {dash}({target})}} > 0"), &pgn);
        prop_assert_eq!(&counted, &tried);
        let none = ids(&format!("not legal all {dash}(not {{{target}}})"), &pgn);
        prop_assert_eq!(&none, &tried);
    }

    /// A move that gives check is not skipped if the target requires a check.
    #[test]
    fn no_check_is_passed_over((moves, filters) in playout()) {
        let pgn = game(&moves);
        let target = filters.join(" ");
        for fast in ["check", "mate", "stalemate", "btm", "[Qq]a-h4-8", "[RBQ] >= 4 wtm"] {
            // the prefilter does not see conditions under `not`
            let slow = format!("not not {{{fast}}}");
            let counts = [fast, &slow].map(|first| {
                let body = format!("comment({{countmoves legal --({first} {target})}})");
                let games = run("quiet", &body, &pgn);
                let positions = games.iter().flat_map(|game| &game.row.positions);
                positions.map(|position| position.comments.clone()).collect::<Vec<_>>()
            });
            prop_assert_eq!(&counts[0], &counts[1]);
        }
    }
}
