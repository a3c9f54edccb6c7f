//! Conditions of a whole game: the match list, marks, variations, sequences, counts, tags.

use super::*;

#[test]
fn keywords_of_the_match_list() {
    let pgn = "[White \"Short, Nigel\"]\n[Black \"Timman, Jan\"]\n[Date \"1991.08.??\"]\n\
               [Result \"1-0\"]\n\n1.e4 e5 1-0\n\n\
               [White \"Anand\"]\n[Black \"SHORT\"]\n[Date \"1994.??.??\"]\n\
               [Result \"1/2-1/2\"]\n\n1.d4 d5 1/2-1/2\n";
    let numbers = |keys: &str| -> Vec<u64> {
        run(&format!("(match {keys} (position))"), pgn).iter().map(|game| game.row.number).collect()
    };
    assert_eq!(numbers(""), [1, 2]);
    assert_eq!(numbers(":year 1991"), [1]);
    assert_eq!(numbers(":year 1992 2000"), [2]);
    assert_eq!(numbers(":result 1/2"), [2]);
    assert_eq!(numbers(":result 1-0"), [1]);
    assert_eq!(numbers(":player short"), [1, 2]);
    assert_eq!(numbers(":player timman"), [1]);
    assert_eq!(numbers(":player \"short, n\""), [1]);
    assert_eq!(numbers(":player short :year 1994 :result 0-1"), [0; 0]);
}

#[test]
fn every_list_must_match_somewhere() {
    // each list at a position of its own, in any order
    let text = "(match (position :markall :mate) (position :markall :initial))";
    assert_eq!(marked(text, &scholars_mate()), [0, 7]);
    let text = "(match (position :markall :stalemate) (position :markall :initial))";
    assert_eq!(n_games(text, &scholars_mate()), 0);
}

#[test]
fn the_first_match_of_each_list_is_marked() {
    let pgn = scholars_mate();
    let text = |word: &str| format!("(match (position :wtm {word}) (position :btm :markall))");
    assert_eq!(marked(&text(""), &pgn), [0, 1, 3, 5, 7]);
    assert_eq!(marked(&text(":markall"), &pgn), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(marked(&text(":noannotate"), &pgn), [1, 3, 5, 7]);
    assert_eq!(n_games("(match (position :mate :noannotate))", &pgn), 1);
    // Marked positions count, in every output.
    let counted = |text: &str| {
        let games = run(text, &pgn);
        let positions = games.iter().flat_map(|game| &game.row.positions);
        positions.map(|position| position.id).collect::<Vec<_>>()
    };
    for word in ["", ":markall", ":noannotate"] {
        assert_eq!(counted(&text(word)), marked(&text(word), &pgn), "{word}");
    }
    assert_eq!(counted("(match (position :wtm :noannotate))"), [0]);
}

#[test]
fn variations_are_looked_at_on_demand() {
    // ids: 0, 1.e4 1, 1...e5 2, 1.d4 3, 1...d5 4
    let pgn = game("1.e4 (1.d4 d5) 1...e5");
    assert_eq!(ids(":btm", &pgn), [1]);
    assert_eq!(ids(":btm :variations", &pgn), [1, 3]);
    assert_eq!(ids(":btm :variationsonly", &pgn), [3]);
    // each list separately
    let text = "(match (position :markall :btm) (position :markall pd5 :variations))";
    assert_eq!(marked(text, &pgn), [1, 4]);
    // in a nested list the word is a condition of its own
    assert_eq!(ids(":variations :and ((position :variationsonly))", &pgn), [3, 4]);
    assert_eq!(ids(":variations :and ((position :variationsonly :not))", &pgn), [0, 1, 2]);
    // next moves are those visible to the list
    let text = "(match (position :markall :movefrom Pd2) (position :variations))";
    assert_eq!(n_games(text, &pgn), 0);
    assert_eq!(ids(":variations :movefrom Pd2", &pgn), [0]);
}

#[test]
fn sequences_follow_the_moves() {
    let pgn = scholars_mate();
    for (items, want) in [
        (":sequence ((position :nocheck) (position :mate))", vec![6]),
        (":sequence ((position :mate))", vec![7]),
        (":sequence ((position :movefrom Q :moveto p) (position :mate))", vec![6]),
        (":sequence ((position :movefrom Q) (position :movefrom n))", vec![4]),
        (":sequence ((position) (position) (position :mate))", vec![5]),
        (":initial :gappedsequence ((position Qh5) (position :mate))", vec![0]),
        (":initial :gappedsequence ((position :mate) (position Qh5))", vec![]),
        // gaps may be empty, elements may not coincide
        (":gappedsequence ((position Qh5) (position :mate)) :movenumber 4", vec![6]),
        (":gappedsequence ((position :mate) (position :mate))", vec![]),
        (":gappedsequence ((position :mate)) :btm", vec![1, 3, 5, 7]),
        (":sequence ((position :sequence ((position) (position :check))) (position Qf7))", vec![6]),
    ] {
        assert_eq!(ids(items, &pgn), want, "{items}");
    }
}

#[test]
fn sequences_enter_variations_on_demand() {
    // ids: 0, 1.e4 1, 1...e5 2, 1...d5 3, 2.exd5 4
    let pgn = game("1.e4 e5 (1...d5 2.exd5)");
    let steps = ":sequence ((position) (position) (position Pd5))";
    let all: Vec<u32> = ids(&format!(":variations {steps}"), &pgn);
    assert_eq!(all, [1]);
    assert_eq!(ids(steps, &pgn), []);
    let text = format!("(match (position :markall {steps}) (position :variations))");
    assert_eq!(n_games(&text, &pgn), 0);
}

#[test]
fn match_counts_are_counted_per_list() {
    let pgn = scholars_mate();
    let n = |lists: &str| n_games(&format!("(match {lists})"), &pgn);
    assert_eq!(n("(position :btm :matchcount 4)"), 1);
    assert_eq!(n("(position :btm :matchcount 5 9)"), 0);
    assert_eq!(n("(position :check :matchcount 1) (position :wtm :matchcount 4 9)"), 1);
    assert_eq!(n("(position :check :matchcount 1) (position :wtm :matchcount 5 9)"), 0);
    // "0 allowed: then the list matches the game although no position is marked"
    assert_eq!(n("(position :stalemate :matchcount 0)"), 1);
    assert_eq!(n("(position :check :matchcount 0)"), 0);
    let text = "(match (position :stalemate :matchcount 0) (position :mate))";
    assert_eq!(marked(text, &pgn), [7]);
}

#[test]
fn tags_name_one_man() {
    // "one rook on all four corners"
    let corners = "(match :forany rook [Rr] (position $rook[a1]) (position $rook[h1]) \
                   (position $rook[h8]) (position $rook[a8]))";
    let tour = "1.Ra8+ Kd7 2.Rh8 Kd6 3.Rh1 Kd5 4.Kd2 Kd4";
    let one = game_from("4k3/8/8/8/8/8/8/R3K3 w", tour);
    assert_eq!(n_games(corners, &one), 1);
    // two rooks that share the corners do not match
    let two = game_from("4k3/8/8/8/8/8/8/R3K2R w", "1.Ra8+ Kd7 2.Rh8 Kd6");
    assert_eq!(n_games(corners, &two), 0);
    // the squares of the tag's designator do not matter
    assert_eq!(n_games(&corners.replace("[Rr] ", "[Rr]d4 "), &one), 1);
    assert_eq!(n_games(&corners.replace("[Rr] ", "[Qq] "), &one), 0);
}

#[test]
fn excelsior() {
    let text = "(match :forany pawn P (position :initial :tagmatch pawn P?2 \
                :gappedsequence ((position :movefrom $pawn :promote U))))";
    let far = game_from("4k3/8/8/8/8/8/P7/4K3 w", "1.a4 Kd7 2.a5 Kd6 3.a6 Kd5 4.a7 Kd4 5.a8=Q");
    assert_eq!(marked(text, &far), [0]);
    let near = game_from("4k3/8/P7/8/8/8/7P/4K3 w", "1.a7 Kd7 2.a8=Q Kd6");
    assert_eq!(n_games(text, &near), 0);
}

#[test]
fn tags_stand_in_any_designator() {
    let pgn = game("1.Nf3 Nc6 2.Ne5 Nxe5");
    let with = |list: &str| marked(&format!("(match :forany m [Nn] (position {list}))"), &pgn);
    assert_eq!(with("$m[g1] :markall"), [0]);
    assert_eq!(with(":movefrom $m :initial"), [0]);
    assert_eq!(with(":moveto $m"), [3]);
    // the first one of each knight: those of Black stand beside their own pawns
    assert_eq!(with("$m :attackcount $m p 1 9"), [0, 3]);
    assert_eq!(with("$m :piececount $m 0"), []);
    // a captured piece matches nothing
    assert_eq!(with(":markall :tagmatch m N :terminal $m :movenumber 3"), [4]);
    assert_eq!(with(":markall :tagmatch m Ne5 $m"), [3]);
    assert_eq!(with(":markall :tagmatch m Nf3 $m[f3,e5]"), [1, 2]);
    // under flipcolor the description is exchanged, the piece stays
    assert_eq!(with("$m :tagmatch m N :markall :btm :flipcolor :movenumber 1 :initial"), [0]);
}

#[test]
fn two_tags_are_two_men() {
    let pgn = game_from("4k3/8/8/8/8/8/8/R3K2R w", "1.Rh8+ Kd7 2.Rhh1 Kd6");
    let text = "(match :forany a R :forany b R (position $a[h1] :attackcount $a $b 0) \
                (position $b[h8]))";
    assert_eq!(n_games(text, &pgn), 0, "only one rook gets to h1 and h8");
    let text = "(match :forany a R :forany b R (position $a[a1]) (position $b[h8]))";
    assert_eq!(n_games(text, &pgn), 1);
    // counts apply to each choice of pieces
    let text = "(match :forany a R (position :movefrom $a :matchcount 2))";
    assert_eq!(n_games(text, &pgn), 1);
    let text = "(match :forany a R (position :movefrom $a :matchcount 1))";
    assert_eq!(n_games(text, &pgn), 0);
}

#[test]
fn a_promoted_man_keeps_his_identity() {
    let pgn = game_from("4k3/P7/8/8/8/8/8/4K3 w", "1.a8=Q+ Kd7 2.Qa1 Kd6");
    // the piece is a queen at some time, and a pawn at another
    for kinds in ["Q", "P", "[QP]"] {
        let text = format!("(match :forany m {kinds} (position $m[a7]) (position $m[a1]))");
        assert_eq!(n_games(&text, &pgn), 1, "{kinds}");
    }
    let text = "(match :forany m R (position $m[a7]))";
    assert_eq!(n_games(text, &pgn), 0);
}
