//! Games read from columns equal those that were written.

use std::fs;
use std::path::{Path, PathBuf};

use archive::{Coverage, Encoder, Flags, Rows};
use board::{Color, MoveList, Position, san};
use pgn::doctor::Examiner;
use pgn::summary::{Kinds, Summary, SummaryTag};
use pgn::{GameTree, RawGame, Splitter, Summarizer, TagIndex, Tags};
use proptest::prelude::*;

/// Shows a tree without its comments and glyphs.
fn shown(tree: &GameTree) -> String {
    let node = |node: usize| {
        let starts = tree.variations(node).map(|v| tree.variation_start(v));
        format!(
            "{node} < {} > {:?}: {:?} {} {:?}",
            tree.parent(node),
            tree.next(node),
            tree.move_to(node),
            tree.fen(node),
            starts.collect::<Vec<_>>(),
        )
    };
    let nodes: Vec<String> = (0..tree.len()).map(node).collect();
    format!("{} {} {}", tree.result(), tree.has_fen(), nodes.join("\n"))
}

fn tag<'a>(tags: Tags<'a>, name: &str) -> Option<&'a [u8]> {
    tags.raw(name.as_bytes())
}

/// Shows the tags in a summary.
fn tags_of(summary: &impl Summary) -> String {
    let texts = [
        SummaryTag::Event,
        SummaryTag::Site,
        SummaryTag::White,
        SummaryTag::Black,
        SummaryTag::Eco,
    ]
    .map(|tag| summary.text(tag));
    format!("{texts:?} {:?} {:?}", summary.date(), summary.ratings())
}

/// Shows everything else in a summary.
fn moves_of(summary: &impl Summary) -> String {
    // Archives do not have the kinds about few moves of games with variations.
    let unknown = if summary.has_variations() { u16::MAX << Kinds::FEW } else { 0 };
    let happenings = [false, true].map(|variations| {
        let kinds = Kinds(summary.kinds(variations).0 | unknown & ((1 << Kinds::BITS) - 1));
        let plies = summary.plies(variations);
        (kinds, plies, (0..12).map(|piece| summary.squares(piece, variations)).collect::<Vec<_>>())
    });
    format!(
        "{:?} {:?} {happenings:?} {:?} {:?}",
        summary.result(),
        [summary.has_fen(), summary.has_variations(), summary.has_annotations()],
        (summary.start(), summary.material()),
        summary.moves(),
    )
}

/// Compares a row with the game that it was encoded from.
fn check(raw: &RawGame<'_>, rows: &Rows, row: usize) {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    let with_moves = index.tags(text);
    tree.parse(with_moves);
    let tags = *with_moves;
    let game = rows.game(row);
    assert_eq!(rows.offset.get(row), raw.offset);
    assert_eq!(rows.length.get(row) as usize, raw.text.len());
    assert_eq!(rows.white_elo.get(row), tags.rating(Color::White).value);
    for (texts, name) in [
        (&rows.event, "Event"),
        (&rows.date, "Date"),
        (&rows.round, "Round"),
        (&rows.white, "White"),
        (&rows.black, "Black"),
        (&rows.eco, "ECO"),
        (&rows.fen, "FEN"),
    ] {
        let value = tag(tags, name).map(pgn::decode);
        let value = value.as_deref().map(str::as_bytes);
        assert_eq!(texts.get(row), value, "{name}");
    }
    if game.flags().has(Flags::SOUND) {
        assert!(game.class() == Coverage::Plain && game.has_all_tags());
        assert_eq!(Examiner::default().examine(raw), []);
    }
    if let Some(all) = game.all_tags() {
        let all: Vec<(&[u8], &[u8])> = all.iter().map(|(n, v)| (n.as_bytes(), &v[..])).collect();
        assert_eq!(all, tags.iter().collect::<Vec<_>>());
    }
    if game.class() > Coverage::Annotated {
        assert!(game.summary().is_none() && game.moves().is_empty());
        return;
    }
    // Only comments and glyphs may be missing.
    assert!(raw.faults.is_empty() && !tree.may_lack_moves());
    assert!(game.class() == Coverage::Annotated || !tree.has_annotations() && tree.is_linear());
    let mut again = GameTree::default();
    game.fill(&mut again).expect("moves");
    assert_eq!(shown(&again), shown(&tree));
    let (mut summarizer, found) = (Summarizer::default(), game.summary().expect("a summary"));
    let expected = summarizer.summarize(&tree, tags).expect("a summary");
    assert_eq!(moves_of(&found), moves_of(&expected));
    match found.text(SummaryTag::Event) {
        Some(_) => assert_eq!(tags_of(&found), tags_of(&expected)),
        None => assert!(tags.iter().any(|(_, value)| str::from_utf8(value).is_err())),
    }
}

/// Archives the games of a text. Returns the number of games in each class.
fn check_all(text: &[u8]) -> [usize; 3] {
    let (mut encoder, mut rows) = (Encoder::default(), Rows::default());
    let mut classes = [0; 3];
    let games: Vec<RawGame<'_>> = Splitter::default().split(text, true).collect();
    for raw in games.iter().filter(|raw| !raw.is_skipped()) {
        encoder.encode(raw, &mut rows);
    }
    for (row, raw) in games.iter().filter(|raw| !raw.is_skipped()).enumerate() {
        check(raw, &rows, row);
        classes[rows.game(row).class() as usize] += 1;
    }
    classes
}

/// All game files of the repository.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for folder in ["examples", "conformance", "crates/pgn/tests", "crates/engine/tests"] {
        folders.push(root.join(folder));
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension() {
                Some(extension) if extension == "pgn" => files.push(path),
                _ if path.is_dir() => folders.push(path),
                _ => {}
            }
        }
    }
    files
}

#[test]
fn every_game_of_the_repository() {
    let mut sums = [0; 3];
    for file in files() {
        let classes = check_all(&fs::read(&file).expect("a file"));
        sums.iter_mut().zip(classes).for_each(|(sum, n)| *sum += n);
    }
    let [plain, annotated, text] = sums;
    assert!(plain > 100 && annotated > 300 && text > 50, "{sums:?}");
}

#[test]
fn what_is_in_the_columns() {
    let check = |game: &str, class: Coverage, all_tags: bool| {
        let (mut encoder, mut rows) = (Encoder::default(), Rows::default());
        encoder.encode(&RawGame::of(game.as_bytes()), &mut rows);
        let found = rows.game(0);
        assert_eq!((found.class(), found.all_tags().is_some()), (class, all_tags), "{game}");
    };
    check("[Result \"*\"]\n\n1.e4 *", Coverage::Plain, true);
    check("[Result \"1-0\"]\n\n1.e4 *", Coverage::Plain, false);
    check("[White \"A\"]\n[Event \"B\"]\n[Result \"*\"]\n\n1.e4 *", Coverage::Plain, false);
    check("[Result \"*\"]\n[WhiteElo \"\"]\n\n1.e4 *", Coverage::Plain, true);
    check("[Result \"*\"]\n[WhiteElo \"02500\"]\n\n1.e4 *", Coverage::Plain, false);
    check("[White \"A (2500)\"]\n[Result \"*\"]\n\n1.e4 *", Coverage::Plain, false);
    check("[Result \"*\"]\n[PlyCount \"1\"]\n\n1.e4 *", Coverage::Plain, false);
    check("[Result \"*\"]\n\n1.e4! *", Coverage::Annotated, true);
    check("[Result \"*\"]\n\n1.e4 {x} *", Coverage::Annotated, true);
    check("x\n[Result \"*\"]\n\n1.e4 *", Coverage::Annotated, true);
    check("[Result \"*\"]\n\n1.e4 ( ) *", Coverage::Annotated, true);
    check("[Result \"*\"]\n\n1.e4 e6 2.e6 *", Coverage::Text, true);
    check("[Result \"*\"]\n[Variant \"Chess960\"]\n\n1.e4 *", Coverage::Text, false);
    check("[Result \"*\"]\n[Variant \"Atomic\"]\n\n1.e4 *", Coverage::Text, false);
    check("[Variant \"Standard\"]\n\n1.e4 *", Coverage::Plain, false);
    check(
        "[Result \"*\"]\n[FEN \"k7/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.Ka2 *",
        Coverage::Plain,
        true,
    );
    check(
        // A malformed FEN is reported, so the columns are not enough.
        "[Result \"*\"]\n[FEN \"nonsense\"]\n\n1.e4 *",
        Coverage::Text,
        true,
    );
    check("[FEN \"k7/8/8/8/8/8/8/K7 w - - 0 1\"]\n[FEN \"x\"]\n\n1.Ka2 *", Coverage::Text, false);
}

/// Writes moves chosen by numbers, including variations.
fn line(
    mut position: Position,
    choices: &mut impl Iterator<Item = u8>,
    depth: u8,
    text: &mut String,
) {
    let mut moves = MoveList::new();
    while let Some(choice) = choices.next() {
        moves.clear();
        position.legal_moves(&mut moves);
        if moves.is_empty() || choice < 4 {
            return;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        let before = position;
        *text += &format!("{} ", san(&position, mv));
        position.play_mut(mv);
        if choice % 8 == 0 && depth < 3 {
            *text += "( ";
            line(before, choices, depth + 1, text);
            *text += ") ";
        }
        if choice % 32 == 1 {
            *text += "$3 {x} ";
        }
    }
}

proptest! {
    #[test]
    fn random_games(
        choices in prop::collection::vec(any::<u8>(), 0..400),
        tags in prop::collection::vec(("White|Black|Event|WhiteElo|BlackElo|Result|ECO|Date|X", "[ -~é]{0,9}"), 0..6),
        result in prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*", ""]),
    ) {
        let tags: Vec<String> = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        let mut text = tags.concat() + "\n";
        line(Position::START, &mut choices.into_iter(), 0, &mut text);
        check_all((text + result).as_bytes());
    }

    #[test]
    fn random_bytes(text in "(\\[(White|FEN|Result) \"[^\"]{0,4}\"\\]\n){0,2}[1.e4 d5xNf36()O\\-{}*\n]{0,60}") {
        check_all(text.as_bytes());
    }
}
