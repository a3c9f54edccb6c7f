//! Exercises of small games: what is found, what is refused, and how it is written.

use std::fmt::Write as _;

use engine::{EngineAnswer, GameRow, MovetextItem, RowWriter};

use super::*;
use crate::puzzle::find::{Analyst, PuzzleFinder, PuzzleOptions};
use crate::puzzle::handout::theme_in_words;

/// Keeps the last row that a writer receives.
#[derive(Debug)]
struct Keeper(std::sync::Arc<std::sync::Mutex<Option<GameRow>>>);

impl RowWriter for Keeper {
    fn game(&mut self, row: &GameRow, _: &mut Vec<u8>) {
        assert!(matches!(row.movetext.first(), Some(MovetextItem::Move(_))));
        *self.0.lock().expect("a lock") = Some(row.clone());
    }

    fn wants_moves(&self) -> bool {
        true
    }

    fn wants_movetext(&self) -> bool {
        true
    }
}

/// Engine with an answer for each position by the start of its FEN.
#[derive(Debug)]
struct Fake(Vec<(&'static str, &'static [(&'static str, i32)])>);

impl Analyst for Fake {
    fn lines(&mut self, fen: &str) -> Option<Vec<EngineAnswer>> {
        let (_, lines) = self.0.iter().find(|(start, _)| fen.starts_with(start))?;
        let line = |(mv, score): &(&str, i32)| EngineAnswer {
            score: Some(*score),
            best_move: Some((*mv).to_owned()),
            ..EngineAnswer::default()
        };
        Some(lines.iter().map(line).collect())
    }
}

const OPTIONS: PuzzleOptions = PuzzleOptions { mate: 3, margin: 200, only_mistakes: false };

/// Returns the row of the game.
fn row(game: &str, query: &str) -> GameRow {
    row_with(game, query, &ExerciseStart::default())
}

/// Returns the row of the game, with the values of a start.
fn row_with(game: &str, query: &str, start: &ExerciseStart) -> GameRow {
    struct Text<'a>(&'a [u8]);
    impl babson::Scan for Text<'_> {
        fn sources(&self) -> Box<flow::Sources<'_>> {
            flow::GameSource::pgn("g.pgn", self.0).alone()
        }
        fn size(&self) -> Option<u64> {
            None
        }
    }
    let kept = std::sync::Arc::new(std::sync::Mutex::new(None));
    let value = |text: String| engine::NamedExpression {
        name: text.clone(),
        source: text.clone(),
        text: text.into_bytes(),
    };
    let options = engine::CompileOptions {
        values: start.values().map(value).collect(),
        require_header: false,
        ..engine::CompileOptions::default()
    };
    let source = engine::Source { name: "query", text: query.as_bytes() };
    let program = engine::compile(&source, &[], &options).program.expect("a query");
    let keeper = kept.clone();
    let query =
        babson::Query::new(program).with_writer(move || Some(Box::new(Keeper(keeper.clone()))));
    let text = Text(game.as_bytes());
    let search = babson::Search::new(&text, [query]).threads(1);
    let ran = search.run(&mut |_| {}, &mut |_| Ok(std::ops::ControlFlow::Continue(())));
    ran.expect("a search");
    let row = kept.lock().expect("a lock").take();
    row.expect("a match")
}

fn find_as(game: &str, query: &str, options: PuzzleOptions, analyst: Option<Fake>) -> GamePuzzles {
    let analyst = analyst.map(|fake| Box::new(fake) as Box<dyn Analyst>);
    PuzzleFinder::new(options, ThemeFinder::new(), analyst).find(&row(game, query))
}

fn find(game: &str) -> GamePuzzles {
    find_as(game, "true", OPTIONS, None)
}

/// Returns the exercises with their proofs, and the reasons of those that were refused.
fn shown(found: &GamePuzzles) -> String {
    let mut text = String::new();
    for puzzle in &found.puzzles {
        let _ = writeln!(text, "{} [{}]", puzzle.solution_text(), puzzle.proof);
    }
    for (why, n) in &found.refused {
        let _ = writeln!(text, "{n} {why:?}");
    }
    text
}

#[test]
fn mates_are_found_before_they_are_played() {
    // Légal's mate, from the capture of the queen on.
    let legal = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n";
    let found = find(legal);
    assert_eq!(shown(&found), "6.Bxf7+ Ke7 7.Nd5# [mate in 2]\n1 Repeated\n", "{found:?}");
    assert_eq!(found.n_positions, 14);
    let puzzle = &found.puzzles[0];
    assert_eq!(puzzle.before.as_ref().map(|before| &*before.mv.san), Some("Bxd1"));
    assert_eq!((puzzle.game.ply, puzzle.game.number), (10, 1));
    // A query restricts the positions.
    let others = find_as(legal, "btm", OPTIONS, None);
    assert!(others.puzzles.is_empty() && others.n_positions == 7, "{others:?}");
}

#[test]
fn mates_with_several_keys_are_refused() {
    let two = "[FEN \"6k1/5ppp/8/8/8/8/8/RR5K w - - 0 1\"]\n\n1. Ra8# *\n";
    assert_eq!(shown(&find(two)), "1 SeveralKeys\n");
    let forced = "[FEN \"kr6/1p6/8/8/8/8/Kq6/R7 w - - 0 1\"]\n\n1. Kxb2# *\n";
    let short = PuzzleOptions { mate: 2, ..OPTIONS };
    assert_eq!(shown(&find_as(forced, "true", short, None)), "1 Forced\n");
    // The last move may have an alternative, which is named.
    let two_mates = "[FEN \"7k/8/8/1Q3K2/8/8/8/8 w - - 0 1\"]\n\n1. Kg6 *\n";
    let found = find_as(two_mates, "true", short, None);
    assert_eq!(shown(&found), "1.Kg6 Kg8 2.Qb8# (or Qe8#) [mate in 2]\n");
}

#[test]
fn a_mistake_is_punished_by_the_next_move_of_the_game() {
    let game = |moves: &str| format!("[Event \"x\"]\n\n{moves} *\n");
    let text = game(
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.3]} Qg5 {[%eval 6.5]} 3. Nxg5 \
         {[%eval 6.4]} h6 {[%eval 6.6]}",
    );
    let found = find(&text);
    assert_eq!(shown(&found), "3.Nxg5 [evaluation 6.50 after a mistake, 0.30 before]\n");
    assert!(found.puzzles[0].difficulty.plain_capture);
    let missed = text.replace("3. Nxg5 {[%eval 6.4]}", "3. d4 {[%eval 5.0]}");
    assert_eq!(shown(&find(&missed)), "1 Unpunished\n");
    let small = PuzzleOptions { margin: 700, ..OPTIONS };
    assert_eq!(shown(&find_as(&text, "true", small, None)), "");
    // A capture that only takes back.
    let exchange =
        game("1. e4 {[%eval 0.3]} d5 {[%eval 0.3]} 2. exd5 {[%eval -3.0]} Qxd5 {[%eval -3.0]}");
    assert_eq!(shown(&find(&exchange)), "1 TakesBack\n");
    // Without evaluations there is nothing.
    assert_eq!(shown(&find(&game("1. e4 e5 2. Nf3 Qg5 3. Nxg5"))), "");
    // Mates that no mistake led to are left out on request.
    let only = PuzzleOptions { only_mistakes: true, ..OPTIONS };
    let fool = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    assert_eq!(shown(&find_as(fool, "true", only, None)), "");
    assert_eq!(shown(&find(fool)), "2...Qh4# [mate in 1]\n");
}

#[test]
fn an_engine_decides_whether_a_move_is_the_only_one() {
    let game = "[FEN \"4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1\"]\n\n1. Nxd5 *\n";
    let answers = |best: i32, second: i32| -> Vec<(&'static str, &'static [(&'static str, i32)])> {
        let lines: &'static [(&str, i32)] = Box::leak(Box::new([("c3d5", best), ("e1d1", second)]));
        vec![("4k3/8/8/3q4", lines), ("4k3/8/8/3N4", &[("e8d7", -300), ("e8f7", -300)])]
    };
    let check = |best: i32, second: i32, expected: &str| {
        let found = find_as(game, "initial", OPTIONS, Some(Fake(answers(best, second))));
        assert_eq!(shown(&found), expected, "{best} {second}");
    };
    check(300, -500, "1.Nxd5 [engine 3.00, second best -5.00]\n");
    check(300, 150, "1 SeveralGood\n");
    check(-300, -900, "1 Lost\n");
    let mute = find_as(game, "initial", OPTIONS, Some(Fake(Vec::new())));
    assert_eq!(shown(&mute), "1 Unanswered\n");
    let only = "[FEN \"4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1\"]\n[Variant \"Atomic\"]\n\n1. Nxd5 *\n";
    assert_eq!(shown(&find(only)), "1 OtherRules\n");
}

fn puzzle() -> Puzzle {
    let game = "[Event \"A \\\"good\\\" day\"]\n[Site \"https://lichess.org/abc\"]\n\
                [Date \"1901.02.03\"]\n[White \"Bauer, K\"]\n[Black \"?\"]\n\
                [FEN \"5rk1/6pp/7N/8/8/1Q6/7p/7K b - - 0 31\"]\n\n31... Kh8 32. Qg8+ *\n";
    let found = find(game);
    found.puzzles.into_iter().find(|puzzle| puzzle.solution.len() == 3).expect("an exercise")
}

#[test]
fn exercises_are_written_in_all_formats() {
    let puzzle = puzzle();
    let text = pgn(&puzzle);
    assert!(text.starts_with("[Event \"A \\\"good\\\" day\"]\n"), "{text}");
    assert!(text.contains("[Task \"White mates in 2\"]\n[Proof \"mate in 2\"]\n"), "{text}");
    assert!(text.contains("[Themes \"mate mateIn2 "), "{text}");
    assert!(text.ends_with("\n\n32.Qg8+ Rxg8 33.Nf7# *\n\n"), "{text}");
    let line = epd(&puzzle);
    assert!(line.contains(" bm Qg8+; dm 2; pv Qg8+ Rxg8 Nf7#; id \""), "{line}");
    assert!(line.contains("c0 \"Bauer, K, A 'good' day, 1901\";"), "{line}");
    let row = lichess(&puzzle).expect("a move before");
    assert!(row.contains(",g8h8 b3g8 f8g8 h6f7,"), "{row}");
    assert!(row.ends_with(",https://lichess.org/abc,\n"), "{row}");
    assert_eq!(row.matches(',').count(), LICHESS_HEAD.matches(',').count());
    assert_eq!(lichess(&Puzzle { before: None, ..puzzle.clone() }), None);
    let card = anki(&puzzle, "<svg a=\"b\">\n</svg>");
    assert!(card.starts_with("\"<svg a=\"\"b\"\"> </svg><br>White mates in 2\","), "{card}");
    assert!(card.contains("<b>32.Qg8+ Rxg8 33.Nf7#</b><br>Bauer, K, A &quot;good"), "{card}");
    let others = Puzzle { others: vec!["Qf8#".to_owned()], ..puzzle };
    assert!(pgn(&others).ends_with("33.Nf7# (33.Qf8#) *\n\n"));
    assert!(others.solution_text().ends_with("33.Nf7# (or Qf8#)"));
}

#[test]
fn moves_are_numbered_from_the_position() {
    let black = "4k3/8/8/8/8/8/8/4K3 b - - 0 12";
    assert_eq!(movetext(black, &["Kd7", "Kd2", "Kd6"]), "12...Kd7 13.Kd2 Kd6");
    assert_eq!(movetext(&black.replace(" b ", " w "), &["Kd2", "Kd7"]), "12.Kd2 Kd7");
}

/// Returns the exercises of a game as they are printed.
fn handouts(game: &str, query: &str, moves: Option<u8>) -> Vec<[String; 4]> {
    let matched = moves.map(|moves| Matched { moves, ..Matched::default() });
    let handouts = Handouts::new(&row(game, query), matched.as_ref());
    let shown = |one: Handout| [one.task, one.hint, one.solution, one.source];
    handouts.exercises.into_iter().map(shown).collect()
}

#[cfg(feature = "files")]
#[test]
fn an_exercise_without_a_position_is_an_error() {
    let collect = |fen: &str| {
        let puzzles = vec![Puzzle { fen: fen.to_owned(), ..puzzle() }];
        let found =
            serde_json::to_vec(&GamePuzzles { puzzles, ..GamePuzzles::default() }).expect("JSON");
        Collector::new(ExerciseFormat::Epd, Vec::new(), None).add(&found, &mut |_, _| Ok(()))
    };
    assert!(collect(&puzzle().fen).is_ok_and(|next| next.is_continue()));
    assert!(collect("no position").is_err());
}

#[test]
fn exercises_are_read_back() {
    let puzzle = Puzzle { others: vec!["Ng4".to_owned()], ..puzzle() };
    let [task, hint, solution, source] = handouts(&pgn(&puzzle), "initial", None).remove(0);
    assert_eq!(task, "White mates in 2");
    assert!(hint.starts_with("medium: "), "{hint}");
    for theme in syntax::library::Theme::distinct() {
        let words = theme_in_words(theme.name());
        let is_word = theme.name().len() <= 12 || theme.name() == "underpromotion";
        assert!(is_word || words != theme.name(), "{words}");
    }
    assert_eq!(theme_in_words("discoveredAttack"), "discovered attack");
    assert_eq!(theme_in_words("bodenmate"), "Boden's mate");
    assert_eq!(solution, "32.Qg8+ Rxg8 33.Nf7# (or Ng4)");
    assert_eq!(source, "Bauer, K, A \"good\" day, 1901");
    let mut game = puzzle.game;
    for (name, value) in &mut game.tags {
        if name == "Event" {
            *value = "Summer Open 1901".to_owned();
        }
    }
    assert_eq!(game.title(), "Bauer, K, Summer Open 1901");
    for (name, value) in &mut game.tags {
        if name == "White" {
            *value = "\u{202e}טל\u{2069}".to_owned();
        }
    }
    assert!(game.title().starts_with("\u{2068}\u{202e}טל\u{2069}"), "{}", game.title());
    let lichess = "[Event \"Lichess puzzle 1\"]\n[Themes \"mate mateIn2\"]\n\
                   [FEN \"5rk1/6pp/7N/8/8/1Q6/7p/7K b - - 0 31\"]\n\n\
                   31... Kh8 32. Qg8+ Rxg8 33. Nf7# *\n";
    let [task, hint, solution, _] = handouts(lichess, "initial", None).remove(0);
    let expected = ["White mates in 2", "", "32.Qg8+ Rxg8 33.Nf7#"];
    assert_eq!([&*task, &*hint, &*solution], expected);
    let list = "[Event \"?\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1\"]\n[bm \"Re8#\"]\n\
                [dm \"1\"]\n[c0 \"a book\"]\n\n*\n";
    let expected = ["White mates in 1", "", "1.Re8#", "a book"].map(str::to_owned);
    assert_eq!(handouts(list, "initial", None), [expected]);
}

#[test]
fn no_variation_of_a_solution_is_lost() {
    let check = |fen: &str, moves: &str, expected: &str| {
        let game = format!("[FEN \"{fen}\"]\n\n{moves} *\n");
        assert_eq!(handouts(&game, "initial", None)[0][2], expected, "{moves}");
    };
    let grimshaw = "7k/4p1pp/8/2p5/8/2r5/5b2/R6K w - - 0 1";
    check(
        grimshaw,
        "1. Rb1 Re3 (1... Be3 (1... g5 2. Rb8+ Kg7) () 2. Rb8#) (1... Bg3 2. Rb8+) 2. Rb8#",
        "1.Rb1 Re3 (1...Be3 (1...g5 2.Rb8+ Kg7) 2.Rb8#) (1...Bg3 2.Rb8+) 2.Rb8#",
    );
    // Defences are no choice of the side that solves.
    check(grimshaw, "1. Rb1 Re3 (1... Be3) (1... Bg3)", "1.Rb1 Re3 (1...Be3) (1...Bg3)");
    check(grimshaw, "1. Ra8+ (1. Rb1) (1. Rc1)", "1.Ra8# (or Rb1, Rc1)");
    check(grimshaw, "1. Ra8+ (1. Rb1 Re3) (1. Rc1)", "1.Ra8# (1.Rb1 Re3) (1.Rc1)");
    check(grimshaw, "1. Rb1 (1. Rc1) 1... Re3 (1... Be3)", "1.Rb1 (1.Rc1) 1...Re3 (1...Be3)");
    check(&grimshaw.replace(" w ", " b "), "1... Re3 (1... Be3)", "1...Re3 (or Be3)");
    // More than forty half-moves are no solution.
    let long: String = (0..11).map(|_| "Kg1 Kg8 Kh1 Kh8 ").collect();
    let game = format!("[FEN \"{grimshaw}\"]\n\n{long} *\n").replace("2r5/5b2", "8/8");
    let solution = &handouts(&game, "initial", None)[0][2];
    assert!(solution.ends_with("20.Kh1 Kh8 …"), "{solution}");
}

#[test]
fn the_matches_of_a_query_are_exercises_with_the_moves_of_the_game() {
    let game = "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 (1... c5) 2. Nf3 Nc6 *\n";
    let at = |query: &str, moves: u8| handouts(game, query, Some(moves));
    let expected =
        |solution: &str| [["Black to move", "", solution, "a – b"].map(str::to_owned)].to_vec();
    assert_eq!(at("ply == 1", 1), expected("1...e5"));
    assert_eq!(at("ply == 1", 2), expected("1...e5 2.Nf3 Nc6"));
    assert_eq!(at("ply == 4", 2)[0][2], "");
    let row = row(game, "cql(variations) ply == 2");
    let handouts = Handouts::new(&row, Some(&Matched { moves: 1, ..Matched::default() }));
    assert_eq!((handouts.exercises.len(), handouts.n_in_variations), (1, 1));
    assert_eq!(handouts.n_without_variations, 0);
    let before = Matched { moves: 2, start: ExerciseStart::default().before(Some(1)) };
    assert_eq!(Handouts::new(&row, Some(&before)).n_without_variations, 1);
    assert_eq!(Handouts::new(&row, None).n_without_position, 1);
}

#[test]
fn an_exercise_of_a_theme_begins_before_its_first_move() {
    const FORK: &str = "[FEN \"q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1\"]\n\n\
                        1... h1=N 2. Nc7+ Kd7 3. Nxa8 *\n";
    let at = |query: &str, before: Option<u8>| {
        let start = ExerciseStart::of(&[query]).before(before);
        let row = row_with(FORK, query, &start);
        let handouts = Handouts::new(&row, Some(&Matched { moves: 1, start }));
        let solutions = handouts.exercises.iter().map(|one| one.solution.clone());
        (solutions.collect::<Vec<String>>().join(" / "), handouts.n_before)
    };
    let found = |solution: &str, n_before: u64| (solution.to_owned(), n_before);
    for query in ["cql() theme(\"fork\")", "cql() import \"themes\" fork()"] {
        assert_eq!(at(query, None), found("2.Nc7+", 1));
        assert_eq!(at(query, Some(0)), found("2...Kd7", 0));
        assert_eq!(at(query, Some(2)), found("1...h1=N 2.Nc7+", 1));
        // No half-move is before the first one: the same side is to move.
        assert_eq!(at(query, Some(9)), found("2.Nc7+", 1));
    }
    // Of several themes, the one that holds counts.
    assert_eq!(at("cql() theme(\"fork\") or theme(\"windmill\")", None), found("2.Nc7+", 1));
    assert_eq!(at("cql() theme(\"windmill\") or ply == 1", None), found("2.Nc7+", 0));
    // Exercises that are proved begin there, too.
    const MATE: &str = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1\"]\n\n1. Re8# 1-0\n";
    let query = "cql() theme(\"backrankmate\")";
    let start = ExerciseStart::of(&[query]);
    let finder = PuzzleFinder::new(OPTIONS, ThemeFinder::new(), None);
    let found = finder.starting(start.clone()).find(&row_with(MATE, query, &start));
    assert_eq!(shown(&found), "1.Re8# [mate in 1]\n");
}
