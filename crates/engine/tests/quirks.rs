//! Results of the reference implementation that no rule of the language explains.

mod support;

use support::{comment, game_from, ids};

#[test]
fn images_of_a_transform_share_the_arguments_of_max() {
    let pgn = game_from("8/P6k/8/8/8/8/6K1/8 w - - 0 1", "1.Kf3");
    // the white king stands on the seventh file, the black one on the eighth: the image that
    // matches is the first, but the arguments have been transformed for the second
    let body = "flipcolor {P==1 comment(max(file k 0) \" \" file k)}";
    assert_eq!(comment(body, &pgn).as_deref(), Some("7 8"));
    let body = "P==1 comment(max(file k 0) \" \" file k)";
    assert_eq!(comment(body, &pgn).as_deref(), Some("8 8"));
}

#[test]
fn descendant_or_equal_is_not_equal() {
    let pgn = game_from("8/P6k/8/8/8/8/6K1/8 w - - 0 1", "1.Kf3");
    assert!(ids("currentposition [>=] currentposition", &pgn).is_empty());
    assert_eq!(ids("currentposition [<=] currentposition", &pgn), [0, 1]);
}
