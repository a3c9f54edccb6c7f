//! Which comments stay, and in what order.

mod support;

use support::{game, game_from, run};

/// The comments of the position `id` of the first game, joined with blanks; the marker and the
/// first comment of the game are not among them.
fn comments(header: &str, body: &str, pgn: &str, id: u32) -> String {
    let games = run(&format!("matchstring \"\" {header}"), body, pgn);
    let positions = &games.first().expect(body).row.positions;
    let position = positions.iter().find(|position| position.id == id);
    let texts = &position.expect(body).comments;
    String::from_utf8_lossy(&texts.join(&b' ')).into_owned()
}

#[test]
fn an_or_that_fails_drops_what_it_has_made() {
    let pgn = game("1.e4");
    for (body, kept) in [
        ("(R&{comment(\"a\") []} or comment(\"z\"))", "a z"),
        ("(R&{comment(\"a\") []} or false or comment(\"z\"))", "z"),
        ("((R&{comment(\"a\") []} or false) or comment(\"z\"))", "z"),
        (
            "(R&{comment(\"a\") []} or (false or comment(\"z\")))",
            "a z",
        ),
    ] {
        assert_eq!(
            comments("", &format!("initial {body}"), &pgn, 0),
            kept,
            "{body}"
        );
    }
}

#[test]
fn a_sort_without_a_value_drops_what_its_argument_has_made() {
    let body = "initial ((sort \"s\" {comment(\"a\") 1}/0) or comment(\"z\"))";
    assert_eq!(comments("", body, &game("1.e4"), 0), "z");
}

#[test]
fn an_image_without_a_value_keeps_what_it_keeps_by_itself() {
    let pgn = game_from("7k/8/8/8/8/8/8/K7 w - - 0 1", "");
    let body = "comment(\"v=\" flipcolor file {comment(\"c\" currenttransform) Ka-d1-8})";
    assert_eq!(
        comments("", body, &pgn, 0),
        "c<> c<invertcolor reflect_h> v=1"
    );
    // but not where no image has one
    let body = "((0<flipcolor file {comment(\"c\") Kb2}) or comment(\"z\"))";
    assert_eq!(comments("", body, &pgn, 0), "z");
}

#[test]
fn a_best_end_that_is_reached_twice_is_an_alternative() {
    let pgn = game("1.e4 e5 2.Nf3 Nc6");
    let games = run("", "initial path keepallbest --* btm --*", &pgn);
    let text = String::from_utf8_lossy(&games[0].pgn).replace('\n', " ");
    assert!(
        text.contains("starts at move 1(wtm) alternative}"),
        "{text}"
    );
}

#[test]
fn behind_a_counted_move_a_path_is_not_at_its_end() {
    let pgn = game("1.e4 (1.d4) 1...e5");
    let alternatives = |path: &str| {
        let body = format!("initial path firstmatch keepallbest {path}");
        let games = run("variations", &body, &pgn);
        let text = String::from_utf8_lossy(&games[0].pgn).into_owned();
        text.matches("alternative").count()
    };
    for path in ["--", "(--)", "--?"] {
        assert_eq!(alternatives(path), 1, "{path}");
    }
    for path in [
        "--{1}",
        "--{0,1}",
        "--{,1}",
        "--{1,2}",
        "-- --{0}",
        "(-- --{0})",
    ] {
        assert_eq!(alternatives(path), 0, "{path}");
    }
}
