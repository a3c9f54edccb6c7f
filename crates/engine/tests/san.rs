//! Tests `san`.

mod support;

use support::{check, game, game_from, ids, is_refused, run};

#[test]
fn moves_from_the_start_of_a_game() {
    let moves = "1.e4 c5 2.Nf3 d6 3.d4 cxd4";
    for (text, want) in [
        ("1.e4", &[0][..]),
        ("1.e4 c5 2.Nf3", &[0]),
        ("1. e4! c5 2. ♘f3?! 2...d6", &[0]),
        ("1.e4 … 3.d4", &[0]),
        ("1.e4 ... cxd4", &[0]),
        ("1.e4 … c5", &[0]),
        ("1.d4", &[]),
        ("1.e4 c5 2.Nf3 Nc6", &[]),
        ("1.c5", &[]),
    ] {
        check(&format!("san \"{text}\""), moves, want);
    }
    let pgn = game("1.e4 e5 (1...c5 2.Nf3) 2.Nf3");
    assert_eq!(run("variations", "san \"1.e4 c5 2.Nf3\"", &pgn).len(), 1);
    assert_eq!(run("", "san \"1.e4 c5 2.Nf3\"", &pgn).len(), 0);
}

#[test]
fn a_null_move_is_no_move_of_the_king() {
    let pgn = game("1.e4 -- 2.d4 e5");
    assert_eq!(ids("san \"1.e4 Ke8 2.d4\"", &pgn), []);
    assert_eq!(ids("san \"1.e4 … 2.d4\"", &pgn), [0]);
    // Consecutive gaps count as one.
    let gaps = "… ".repeat(200);
    assert_eq!(ids(&format!("san \"1.e4 {gaps} 2.d4\""), &pgn), [0]);
}

#[test]
fn whole_games_are_their_own_moves() {
    let mut n_moves = 0;
    for name in ["historic", "miniatures"] {
        let file = format!("{}/../../examples/{name}.pgn", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(file).expect("examples");
        let games: Vec<String> = (text.split("\n\n"))
            .filter(|part| part.starts_with("1."))
            .map(|part| {
                let mut words: Vec<&str> = part.split_whitespace().collect();
                words.pop();
                words.join(" ")
            })
            .collect();
        assert!(games.len() >= 15, "{name}");
        for (moves, other) in games.iter().zip(games.iter().cycle().skip(1)) {
            let query = format!("san \"{moves}\"");
            check(&query, moves, &[0]);
            check(&query, other, if moves == other { &[0] } else { &[] });
            check(&format!("path {query}"), moves, &[0]);
            n_moves += moves.split(' ').count();
        }
    }
    assert!(n_moves > 1000, "{n_moves}");
}

#[test]
fn moves_anywhere() {
    let moves = "1.Nf3 d6 2.d4 e6 3.Nbd2 Nf6 4.e4 d5 5.exd5 exd5";
    for (text, want) in [
        ("Nbd2", &[4][..]),
        ("Nd2", &[4]),
        ("N1d2", &[4]),
        ("Nfd2", &[]),
        ("Nbd2 Nf6 e4", &[4]),
        ("4.e4 d5", &[6]),
        ("1...d5 2.exd5", &[7]),
        ("…d5 exd5", &[7]),
        ("d5", &[]),
        ("1...d5", &[7]),
        ("exd5", &[8]),
        ("1...exd5", &[9]),
        ("cxd5", &[]),
        ("… exd5", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("Nf6", &[]),
        ("d4 … d5", &[2]),
        ("d4 … 1.d5", &[]),
    ] {
        check(&format!("path san \"{text}\""), moves, want);
    }
    check("path san \"exd6\"", "1.e4 a6 2.e5 d5 3.exd6", &[4]);
    check("path san \"cxd6\"", "1.e4 a6 2.e5 d5 3.exd6", &[]);
    check("path san \"1...exd3\"", "1.a3 e5 2.a4 e4 3.d4 exd3", &[5]);
}

#[test]
fn checks_mates_castling_and_promotions() {
    let mate = "1.f3 e5 2.g4 Qh4#";
    check("path san \"1...Qh4#\"", mate, &[3]);
    check("path san \"…Qh4+\"", mate, &[3]);
    check("path san \"g4#\"", mate, &[]);
    check("path san \"g4+\"", mate, &[]);
    let castling = game_from("r3k3/8/8/8/8/8/7P/4K2R w Kq - 0 1", "1.O-O O-O-O");
    for text in ["O-O O-O-O", "0-0", "1...O-O-O", "1...0-0-0"] {
        let want = [u32::from(text.starts_with('1'))];
        assert_eq!(ids(&format!("path san \"{text}\""), &castling), want, "{text}");
    }
    for text in ["O-O-O", "Kg1", "Rf1", "1...Rd8"] {
        assert!(ids(&format!("path san \"{text}\""), &castling).is_empty(), "{text}");
    }
    let rook = game_from("4k3/8/8/8/8/8/7P/4K2R w K - 0 1", "1.Rf1");
    assert_eq!(ids("path san \"Rf1\"", &rook), [0]);
    let promotion = game_from("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "1.axb8=Q+");
    for (text, is_found) in
        [("axb8=Q+", true), ("axb8Q", true), ("axb8=N", false), ("axb8", true), ("b8=Q", false)]
    {
        assert_eq!(
            !ids(&format!("path san \"{text}\""), &promotion).is_empty(),
            is_found,
            "{text}"
        );
    }
}

#[test]
fn they_are_parts_of_a_path() {
    let knights = "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8";
    check("path san \"Nf3 Nf6 Ng1 Ng8\"{2}", knights, &[0]);
    check("path -- (san \"1...Nf6 2.Ng1\")", knights, &[0, 4]);
    check("path san \"Nf3\" -- san \"Ng1\"", knights, &[0, 4]);
    check("path san \"Nf3\" btm --", knights, &[0, 4]);
    check("path san \"Nf3\" wtm --", knights, &[]);
    let pgn = game_from("4k3/2b5/8/8/8/8/7P/6K1 b - - 0 1", "1...Bxh2+ 2.Kxh2");
    assert_eq!(ids("flipcolor {path san \"Bxh7+ Kxh7\"}", &pgn), [0]);
}

#[test]
fn what_is_no_move_is_an_error() {
    for query in [
        "san",
        "san Nf3",
        "san \"Nf3\"",
        "san \"1...e5\"",
        "san \"1.e4 1-0\"",
        "path san",
        "path san \"\"",
        "path san \"Sf3\"",
        "path san \"e2e4\"",
        "path san \"1.e4 c5 3.Nf3\"",
        "path san \"1.e4 {good} c5\"",
        "path san \"1.e4 (1.d4) c5\"",
    ] {
        assert!(is_refused(query), "{query}");
    }
    check("san = 2 san == 2 initial", "1.e4", &[0]);
}
