//! Sheets: their pages, and texts that must stay texts.

use board::parse_board;

use super::*;

fn exercises(n: usize) -> Vec<Exercise> {
    let one = Exercise {
        board: parse_board(b"7k/8/8/8/8/8/8/R6K").expect("a board"),
        turn: Color::White,
        task: "White <mates> in \"2\"".to_owned(),
        hint: "#set page() \\".to_owned(),
        solution: "1.Ra8+ Kg7 2.Ra7#".to_owned(),
        source: "A & B".to_owned(),
    };
    vec![one; n]
}

fn sheet(exercises: &[Exercise], per_page: PerPage) -> Sheet<'_> {
    Sheet { title: "A <title>", exercises, per_page, flip: false }
}

#[test]
fn pages_have_as_many_diagrams_as_fit() {
    let check = |n: usize, per_page: PerPage, n_pages: usize| {
        let exercises = exercises(n);
        let html = sheet(&exercises, per_page).html();
        assert_eq!(html.matches("<section class=\"page ").count(), n_pages, "{n}");
        assert_eq!(html.matches("<li value=").count(), n);
        assert!(html.contains(&format!("<b>{n}</b> 1.Ra8+ Kg7 2.Ra7#")));
        let pictures = sheet(&exercises, per_page).pictures();
        let with_boards = pictures.iter().filter(|picture| picture.contains("viewBox=\"-20"));
        assert_eq!(with_boards.count(), n_pages, "{n}");
        assert!(pictures.last().is_some_and(|last| last.contains(">Solutions<")));
        let typst = sheet(&exercises, per_page).typst();
        assert_eq!(typst.matches("#pagebreak()").count(), n_pages, "{n}");
        assert_eq!(typst.matches("  align(left, exercise(").count(), n);
    };
    check(1, PerPage::Six, 1);
    check(6, PerPage::Six, 1);
    check(7, PerPage::Six, 2);
    check(12, PerPage::Twelve, 1);
    check(13, PerPage::Twelve, 2);
}

#[test]
fn texts_stay_texts() {
    let exercises = exercises(1);
    let sheet = sheet(&exercises, PerPage::Six);
    let html = sheet.html();
    assert!(html.contains("White &lt;mates&gt; in &quot;2&quot;") && html.contains("A &amp; B"));
    assert!(html.contains("<title>A &lt;title&gt;</title>") && !html.contains("<script"));
    let typst = sheet.typst();
    assert!(typst.contains("exercise(1, \"White <mates> in \\\"2\\\"\", \"#set page() \\\\\", "));
    assert!(sheet.pictures()[0].contains("White &lt;mates&gt;"));
    let unknown = Exercise { solution: String::new(), ..exercises[0].clone() };
    let unknown = Sheet { exercises: &[unknown], ..sheet };
    assert!(unknown.html().contains("<b>1</b> no solution is known"));
}

#[test]
fn boards_may_be_seen_from_the_side_to_move() {
    let mut exercises = exercises(2);
    exercises[1].turn = Color::Black;
    let flipped = Sheet { flip: true, ..sheet(&exercises, PerPage::Six) };
    let is_flipped = |picture: &String| picture.contains("<text x=\"20\" y=\"335\">h<");
    let seen: Vec<bool> = flipped.diagrams().iter().map(is_flipped).collect();
    assert_eq!(seen, [false, true]);
}

#[test]
fn long_solutions_are_wrapped() {
    let mut exercises = exercises(1);
    exercises[0].solution = "12.Kh1 ".repeat(60).trim_end().to_owned();
    let pictures = sheet(&exercises, PerPage::Six).pictures();
    let last = pictures.last().expect("a page");
    assert!(last.matches("<text").count() > 4, "{last}");
    assert_eq!(last.matches("12.Kh1").count(), 60);
}
