use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    like: LikeArgs,
}

fn arguments(options: &str) -> LikeArgs {
    let line = format!("like games.pgn 1:2 {options}");
    Line::try_parse_from(line.split_whitespace()).expect("arguments").like
}

#[test]
fn weights_are_shares_of_all_points() {
    let check = |options: &str, expected: [u32; 4]| {
        let found = arguments(options).weights().ok();
        let found = found.map(|w| [w.pawns, w.pieces, w.kings, w.material]);
        assert_eq!(found, Some(expected), "{options}");
    };
    check("", [6000, 2000, 1000, 1000]);
    check("--pawns 0 --pieces 0 --kings 0 --material 0.5", [0, 0, 0, 10_000]);
    check("--pawns 1 --pieces 1 --kings 1 --material 0", [3333, 3333, 3334, 0]);
    check("--pawns 1e-9 --pieces 0 --kings 0 --material 0", [10_000, 0, 0, 0]);
    let none = arguments("--pawns 0 --pieces 0 --kings 0 --material 0");
    assert!(none.weights().is_err());
}

#[test]
fn images_have_names_and_occur_once() {
    let check = |options: &str, fen: &str, expected: &[&str]| {
        let board = board::parse_board(fen.as_bytes()).expect("a board");
        let images = arguments(options).images(&board);
        let names: Vec<&str> = images.iter().map(|image| &*image.name).collect();
        assert_eq!(names, expected, "{options} {fen}");
    };
    let fen = "8/5k2/8/8/8/2P5/1K6/8";
    check("", fen, &[""]);
    check("--mirror", fen, &["", "mirror"]);
    check("--colors --mirror", fen, &["", "mirror", "colors", "mirror colors"]);
    check("--shift", fen, &["", "left", "right"]);
    check("--shift", "8/5k2/8/8/8/P7/1K6/8", &["", "right"]);
    check("--shift --mirror", fen, &["", "mirror", "left", "mirror left", "right", "mirror right"]);
    // Equal images of a position without a difference between the colors.
    check("--colors", "3qk3/8/8/8/8/8/8/3QK3", &[""]);
}

#[test]
fn the_best_image_is_named() {
    let arguments = arguments("--mirror --colors");
    let board = board::parse_board(b"8/5k2/8/8/8/2P5/1K6/8").expect("a board");
    let images = arguments.images(&board);
    let weights = arguments.weights().expect("weights");
    for image in &images {
        let position = Position::new(image.board, board::Color::White);
        let penalty = if image.name.is_empty() { 0 } else { 500 };
        let pgn = format!("[FEN \"{}\"]\n\n*\n", position.fen());
        let program = arguments.program(&images, weights, None).expect("a program");
        let games: Vec<_> =
            engine::search(&program, pgn.as_bytes()).filter_map(Result::ok).collect();
        let found = found(&games[0].row, &images, weights).expect("a position");
        assert_eq!((&*found.image, found.points), (&*image.name, 10_000 - penalty));
    }
}
