//! Tests `likeness` and `fenset`.

mod support;

use support::{holds_at, is_refused};

const OWN: &str = "r4rk1/pp3ppp/2n1b3/8/8/2N1B3/PP3PPP/R4RK1";

fn check(query: &str, fen: &str, want: bool) {
    let query = query.replace("OWN", OWN);
    for fen in [format!("{fen} w - - 0 1"), format!("{fen} b - - 0 1")] {
        holds_at(&fen, &query, want);
    }
}

/// The images of a board, mirrored and with colors exchanged.
fn images(board: &str) -> [String; 4] {
    let board = board::parse_board(board.as_bytes()).expect("a board");
    let mirrored = board::Symmetry::REFLECT_V.apply_board(&board);
    let other = |board: board::Board| board::Symmetry::REFLECT_H.apply_board(&board).swap_colors();
    [board, mirrored, other(board), other(mirrored)].map(|board| {
        let fen = board::Position::new(board, board::Color::White).fen();
        fen.split(' ').next().unwrap_or_default().to_owned()
    })
}

#[test]
fn equal_positions_have_all_points() {
    check("likeness(\"OWN\")==100", OWN, true);
    check("likeness(\"OWN w - - 0 1\" pawns 7 kings 4)==11", OWN, true);
    let other = "r4rk1/pp3ppp/2n1b3/8/8/2N1B3/PP3PPP/R4R1K";
    // A king one square off costs two points, and some of a tenth is rounded down.
    check("likeness(\"OWN\")==98", other, true);
    check("likeness(\"OWN\" pawns 60 pieces 20 material 10)==90", other, true);
    check("likeness(\"OWN\")>=99", other, false);
    check("sort \"like\" likeness(\"OWN\")>=90", other, true);
    check("max(likeness(\"OWN\") likeness(\"8/8/8/8/8/8/8/8\"))==98", other, true);
}

#[test]
fn transforms_change_the_fen() {
    let [own, mirrored, colors, both] = images("r4rk1/pp3ppp/2n5/4b3/8/2N1B3/PP3PP1/R4RK1");
    for (image, transform) in [
        (&mirrored, "flipvertical"),
        (&colors, "flipcolor"),
        (&both, "flipvertical flipcolor"),
        (&both, "flip flipcolor"),
    ] {
        check(&format!("likeness(\"{own}\")==100"), image, false);
        check(&format!("{transform} likeness(\"{own}\")==100"), image, true);
        check(&format!("{transform} fenset \"{own}\"==."), image, true);
        check(&format!("{transform} notransform likeness(\"{own}\")==100"), image, false);
    }
    // A shift moves all pieces or is left out.
    let [own, shifted] = ["8/8/4k3/8/4P3/4K3/8/8", "8/8/6k1/8/6P1/6K1/8/8"];
    check(&format!("shifthorizontal likeness(\"{own}\")==100"), shifted, true);
    check(&format!("shifthorizontal #fenset \"{own}\">=48"), shifted, true);
    check(&format!("likeness(\"{own}\")<100"), shifted, true);
    let [own, cut] = ["8/8/1k5P/8/1P6/1K6/8/8", "8/8/2k5/8/2P5/2K5/8/8"];
    check(&format!("shifthorizontal likeness(\"{own}\")==100"), cut, false);
}

#[test]
fn squares_with_the_content_of_a_fen() {
    let other = "r4rk1/pp3ppp/2n5/8/8/2N1B3/PP3PPP/R4R1K";
    check("fenset \"OWN\"==~[e6,g1,h1]", other, true);
    check("fenset \"OWN\" & [Kk]==g8", other, true);
    check("#fenset \"8/8/8/8/8/8/8/8\"==64-#[Aa]", other, true);
    // The wildcard `.` stands for anything.
    check(
        "fenset \"......../......../......../......../......../......../......../AAA....a\"==~[b1,c1,h1]",
        other,
        true,
    );
}

#[test]
fn a_query_may_use_the_words_as_names() {
    check("likeness=1 fenset=2 likeness+fenset==3", OWN, true);
    check("function likeness() {true} likeness()", OWN, true);
}

#[test]
fn a_fen_that_is_none_is_an_error() {
    for query in
        ["likeness(\"8/8\")", "likeness(\"\")", "likeness(4)", "fenset \"k\"", "fenset check"]
    {
        assert!(is_refused(query), "{query}");
    }
}
