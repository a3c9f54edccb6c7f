//! Properties that hold for any input.

use std::fs;
use std::path::Path;

use board::{Move, MoveList, san};
use pgn::{
    Edits, Fault, GameTree, RawGame, SearchTree, Splitter, TagIndex, TagTable, Tags, TreeStep,
    Verbatim, WriteOptions, write_game,
};
use proptest::prelude::*;

/// Parts of files: well-formed, malformed, and easily cut at the wrong place.
const FRAGMENTS: &[&str] = &[
    "[Event \"x\"]\n",
    "[Site \"y\"]\n",
    "\n",
    "\r\n",
    " ",
    "1.e4 ",
    "e5 ",
    "{comment}",
    "{",
    "}",
    "{a {b} c}",
    ";",
    "; line { \n",
    "1-0\n",
    "0-1",
    "1/2-1/2",
    "*",
    "-",
    "1",
    "/2",
    "[",
    "]",
    "(",
    ")",
    "%",
    "\0",
    "\u{feff}",
    "\u{e9}",
    "O-O ",
    "\n[Event \"z\"]\n",
    "\n\n[Event ",
    "Nf3",
    "1-0\n\n[Event \"n\"]\n\n1.d4 d5 1-0\n\n",
    "$1 ",
    "$",
    "! ",
    "2.Nf3 Nc6 ",
    "(1.d4 d5) ",
    "e8=Q",
    "exd5",
    "--",
    "null ",
    "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n",
    "a8=Q+ ",
    "Kd2 ",
    "\"",
    "Z0",
    "e.p.",
    "0-0-0",
    "+-",
    "=",
    "Rxg20-1",
    "1.",
    "12...",
];

fn file() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        9 => prop::sample::select(FRAGMENTS).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(fragment, 0..60).prop_map(|fragments| fragments.concat())
}

type SplitGame = (Vec<u8>, u64, Vec<Fault>);

fn found(game: RawGame<'_>) -> SplitGame {
    (game.text.to_vec(), game.offset, game.faults)
}

/// Reads a file in slices that end after the given lengths.
fn games_in_slices(file: &[u8], lengths: &[usize]) -> (Vec<SplitGame>, u64) {
    let mut splitter = Splitter::default();
    let mut games = Vec::new();
    let mut ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some((*end).min(file.len()))
    });
    loop {
        let end = ends.next().unwrap_or(file.len());
        let last = end == file.len();
        let slice = &file[splitter.offset() as usize..end];
        games.extend(splitter.split(slice, last).map(found));
        if last {
            return (games, splitter.line());
        }
    }
}

/// Returns all observable contents of a game tree, except for the layout of its text.
fn contents(text: &[u8], tree: &GameTree) -> Vec<String> {
    let show = |node: usize| {
        format!(
            "{node} < {}: {:?} {:?} {:?} {:?} {:?}",
            tree.parent(node),
            tree.move_to(node),
            tree.nags(node),
            tree.comment(text, node),
            tree.positions()[node],
            tree.variations(node)
                .map(|v| (tree.variation_start(v), tree.variation_comment(text, v)))
                .collect::<Vec<_>>(),
        )
    };
    (0..tree.len()).map(show).collect()
}

/// Builds a game from the steps of another, without its comments.
fn rebuild(tree: &GameTree, tags: Tags<'_>, into: &mut GameTree) {
    let (start, has_fen) = tags.start();
    let mut builder = into.build(start, has_fen);
    for step in tree.steps() {
        match step {
            TreeStep::Move(node) => {
                let mv = tree.move_to(node).expect("not the start");
                builder.push(mv).expect("as much room as there was");
                assert_eq!(builder.node(), node, "steps are in the order of the nodes");
                assert_eq!(*builder.position(), tree.positions()[node]);
                tree.nags(node).iter().for_each(|&nag| builder.add_nag(nag));
            }
            TreeStep::Open(_) => builder.open_variation().expect("a move"),
            TreeStep::Close => assert!(builder.close_variation()),
        }
    }
    assert!(!builder.is_in_variation());
    builder.finish(tree.result());
}

/// Returns all observable contents of a game tree, except for its comments.
fn shape(tree: &GameTree) -> (Vec<String>, impl PartialEq + std::fmt::Debug) {
    let show = |node: usize| {
        format!(
            "{node} < {} > {:?}: {:?} {:?} {} {:?}",
            tree.parent(node),
            tree.next(node),
            tree.move_to(node),
            tree.nags(node),
            tree.fen(node),
            tree.variations(node).map(|v| tree.variation_start(v)).collect::<Vec<_>>(),
        )
    };
    let nodes = (0..tree.len()).map(show).collect();
    let facts = (tree.is_linear(), tree.has_fen(), tree.result());
    let steps: Vec<TreeStep> = tree.steps().collect();
    (nodes, (facts, tree.castling_setup().copied(), steps))
}

/// Checks that the steps of each game of a file build an equal game, and returns the number of
/// games.
fn check_rebuilding(file: &[u8]) -> usize {
    let (mut index, mut tree, mut built) =
        (TagIndex::default(), GameTree::default(), GameTree::default());
    let (mut buffer, mut count) = (Vec::new(), 0);
    for game in Splitter::default().split(file, true) {
        let text = game.clean_text(&mut buffer);
        index.scan(text);
        let tags = index.tags(text);
        tree.parse(tags);
        rebuild(&tree, *tags, &mut built);
        assert_eq!(shape(&built), shape(&tree), "{}", pgn::decode(text));
        assert!(!built.may_lack_moves());
        count += 1;
    }
    count
}

/// Checks that the tags of a file have the same values in a table.
fn check_tables(file: &[u8]) {
    let (mut index, mut table, mut buffer) = (TagIndex::default(), TagTable::default(), Vec::new());
    for game in Splitter::default().split(file, true) {
        let text = game.clean_text(&mut buffer);
        index.scan(text);
        let tags = index.tags(text);
        table.clear();
        tags.iter().for_each(|(name, value)| table.push(name, value));
        assert_eq!(said(table.tags()), said(*tags), "{}", pgn::decode(text));
    }
}

/// Returns all values of tags.
fn said(tags: Tags<'_>) -> impl PartialEq + std::fmt::Debug {
    let of_player = |color| {
        let may_contain = tags.player_may_contain(color, b"an");
        (tags.player(color).into_owned(), tags.rating(color), may_contain)
    };
    let values: Vec<_> = tags
        .iter()
        .map(|(name, _)| (name.to_vec(), tags.raw(name), tags.extra_value(name)))
        .map(|(name, raw, extra)| (name, raw.map(<[u8]>::to_vec), extra.map(<[u8]>::to_vec)))
        .collect();
    let extra = tags.extra().into_iter();
    (
        values,
        extra.map(|(name, value)| (name.to_vec(), value.to_vec())).collect::<Vec<_>>(),
        [tags.event(), tags.site(), tags.round()].map(<[u8]>::to_vec),
        (tags.date(), tags.event_date(), tags.eco(), tags.result()),
        (tags.start(), tags.fen(), tags.variant()),
        board::Color::ALL.map(of_player),
    )
}

/// Writes a random game: moves chosen by the numbers, with comments, glyphs and variations.
fn write_random(choices: &[u32]) -> String {
    let mut text = "[Event \"x\"]\n\n".to_owned();
    let mut pos = board::Position::START;
    let mut before = None;
    let mut open: Vec<(board::Position, Option<board::Position>)> = Vec::new();
    let mut moves = MoveList::new();
    for &choice in choices {
        match (choice % 16, before) {
            (0, _) => text += "{some words here} ",
            (1, Some(_)) => text += &format!("${} ", choice / 16 % 255 + 1),
            (2, Some(replaced)) => {
                text += "( ";
                open.push((pos, before));
                (pos, before) = (replaced, None);
            }
            (3, _) => {
                if let Some(outer) = open.pop() {
                    text += ") ";
                    (pos, before) = outer;
                }
            }
            (4, _) if !pos.is_check() => {
                text += "-- ";
                before = Some(pos);
                pos = pos.play(board::null_move(&pos));
            }
            _ => {
                pos.legal_moves(&mut moves);
                let quiet: Vec<Move> = moves.clone();
                if let Some(&mv) = quiet.get(choice as usize / 16 % quiet.len().max(1)) {
                    text += &format!("{} ", san(&pos, mv));
                    before = Some(pos);
                    pos = pos.play(mv);
                }
            }
        }
    }
    text + "1-0"
}

/// Returns the number of cases: few enough for every run, more if the environment says so.
fn cases() -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(512)
}

/// Writes moves chosen among the legal ones, and a result, with line breaks after the words of
/// these numbers.
fn write_bare_moves(tags: &str, choices: &[u32], dot: &str, breaks: &[usize]) -> String {
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan(tags.as_bytes());
    tree.parse(index.tags(tags.as_bytes()));
    let (mut pos, mut legal, mut words) = (tree.positions()[0], MoveList::new(), Vec::new());
    for choice in choices {
        legal.clear();
        pos.legal_moves(&mut legal);
        let Some(&mv) = legal.get(*choice as usize % legal.len().max(1)) else {
            break;
        };
        let san = san(&pos, mv);
        words.push(match pos.turn {
            board::Color::White => format!("{}{dot}{san}", pos.fullmove_number),
            board::Color::Black if words.is_empty() => {
                format!("{}..{dot}{san}", pos.fullmove_number)
            }
            board::Color::Black => san.to_string(),
        });
        pos.play_mut(mv);
    }
    words.push("1/2-1/2".to_owned());
    let (mut text, mut line) = (String::new(), 0);
    for (number, word) in words.iter().enumerate() {
        let is_last = line >= breaks[number % breaks.len()];
        text += word;
        text += match (is_last, number % 3) {
            (false, _) => " ",
            (true, 0) => "\n",
            (true, 1) => "\r\n",
            (true, _) => " \n",
        };
        line = if is_last { 0 } else { line + 1 };
    }
    text
}

/// Returns whether a text has its moves in the form in which they are written, and if so checks
/// that the copied moves equal the composed ones.
fn copies_what_is_written(text: &[u8], edits: &Edits, options: &WriteOptions) -> bool {
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan(text);
    let tags = index.tags(text);
    tree.parse(tags);
    let is_as_written = Verbatim::default().is_as_written(tags, &tree);
    if is_as_written {
        let [mut put_together, mut copied] = [Vec::new(), Vec::new()];
        let written = write_game(&mut put_together, tags, &tree, edits, options);
        tree.note_as_written();
        assert_eq!(write_game(&mut copied, tags, &tree, edits, options), written);
        let shown = [copied, put_together].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(shown[0], shown[1]);
    }
    is_as_written
}

#[test]
fn what_stands_as_it_is_written() {
    let is_as_written = |text: &str| {
        let (edits, options) = (Edits::default(), WriteOptions::default());
        copies_what_is_written(text.as_bytes(), &edits, &options)
    };
    assert!(is_as_written("1.f3 e5 2.g4 Qh4# 0-1"));
    assert!(is_as_written("1. f3 e5\r\n2.\ng4   \n\nQh4+  0-1\n"), "blanks, and mate");
    assert!(is_as_written("[FEN \"4k3/8/8/8/8/8/8/R3K3 b - - 0 9\"]\n9... Ke7 10. O-O-O *"));
    for text in [
        "1.f3 e5 2.g4 Qh4#\n3. *",
        "1.f3 e5 2.g4  Qh4# 0-1",
        "1.f3  e5 2.g4 Qh4# 0-1",
        "1.f3 e5 g4 Qh4# 0-1",
        "1.f3 1...e5 2.g4 Qh4# 0-1",
        "1.f2-f3 e5 2.g4 Qh4# 0-1",
        "1.f3 e5+ 2.g4 Qh4# 0-1",
        "1.f3 e5 2.g4 Qh4#",
        "1.f3 e5 2.g4 Qh4# 0-1 {x}",
        "1.f3 e5 {x} 2.g4 Qh4# 0-1",
        "1.f3 e5 ; x\n2.g4 Qh4# 0-1",
        "1.f3 e5 (1...d5) 2.g4 Qh4# 0-1",
        "1.f3 e5 2.g4 Qh4# 2.g5 0-1",
        "1.d4 d5 2.Ngf3 Nf6 3.c4 *",
    ] {
        assert!(!is_as_written(text), "{text}");
    }
}

/// A number is written again after a text, so that a move of Black is not copied: a text that is
/// added to it, too, was lost in short lines.
#[test]
fn texts_at_moves_of_black_remain() {
    let options = WriteOptions { line_width: 20, ..WriteOptions::default() };
    for nodes in [[1, 2], [3, 4]] {
        let mut edits = Edits::default();
        nodes.into_iter().for_each(|node| edits.add_comment(node, b"a text"));
        assert!(copies_what_is_written(b"1.f3 e5 2.g4 Qh4# 0-1", &edits, &options));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn cutting_does_not_matter(file in file(), lengths in prop::collection::vec(0_usize..30, 0..40)) {
        let whole = games_in_slices(&file, &[file.len()]);
        prop_assert_eq!(games_in_slices(&file, &lengths), whole);
    }

    #[test]
    fn games_lie_in_order(file in file()) {
        let mut end = 0;
        for (text, offset, _) in games_in_slices(&file, &[]).0 {
            prop_assert!(offset as usize >= end);
            end = offset as usize + text.len();
            prop_assert!(file[offset as usize..].starts_with(&text));
        }
    }

    #[test]
    fn tags_are_the_same_however_their_lines_are_found(file in file()) {
        let mut splitter = Splitter::default();
        let (mut buffer, mut known, mut searched) = Default::default();
        for raw in splitter.split(&file, true) {
            let text = raw.clean_text(&mut buffer);
            TagIndex::scan_game(&mut known, &raw, text);
            TagIndex::scan(&mut searched, text);
            let (known, searched) = (known.tags(text), searched.tags(text));
            prop_assert!(known.iter().eq(searched.iter()));
            prop_assert_eq!(known.preface(), searched.preface());
            prop_assert_eq!(known.moves_start(), searched.moves_start());
        }
    }

    #[test]
    fn tags_of_a_table_say_what_those_of_a_text_say(file in file()) {
        check_tables(&file);
    }

    #[test]
    fn starting_at_a_game_finds_the_same(file in file()) {
        let (games, _) = games_in_slices(&file, &[]);
        // The first game treats the text before it in its own way.
        for (i, game) in games.iter().enumerate().skip(1) {
            let mut splitter = Splitter::starting_at(game.1, 1);
            let rest: Vec<_> = splitter.split(&file[game.1 as usize..], true).map(found).collect();
            // Faults before the text, such as NUL bytes, and line numbers depend on the part
            // before.
            let places = |games: &[SplitGame]| -> Vec<_> {
                games.iter().map(|g| (g.0.clone(), g.1)).collect()
            };
            prop_assert_eq!(places(&rest), places(&games[i..]));
        }
    }

    #[test]
    fn nothing_panics(file in file(), variations in any::<bool>(), buffer in 0_usize..400) {
        let (mut index, mut tree, mut order) =
            (TagIndex::default(), GameTree::default(), SearchTree::default());
        let (mut text_buffer, mut out, mut edits) = (Vec::new(), Vec::new(), Edits::default());
        for game in Splitter::default().split(&file, true) {
            let text = game.clean_text(&mut text_buffer);
            prop_assert_eq!(text.len(), game.text.len());
            index.scan(text);
            let tags = index.tags(text);
            tree.parse(tags);
            order.build(&tree, variations);
            let searched = order.of(&tree);
            edits.clear();
            for id in 0..searched.len() {
                prop_assert!(searched.children(id).all(|child| searched.parent(child) == Some(id)));
                edits.add_comment(searched.node(id), b"x");
            }
            let options = WriteOptions { output_buffer: buffer, ..WriteOptions::default() };
            write_game(&mut out, tags, &tree, &edits, &options);
        }
    }

    #[test]
    fn a_game_is_what_its_steps_build(file in file()) {
        check_rebuilding(&file);
    }

    #[test]
    fn moves_that_are_copied_are_those_that_are_written(
        moves in prop::collection::vec(any::<u32>(), 1..150),
        begins_black in any::<bool>(),
        (gap, breaks) in (any::<bool>(), prop::collection::vec(0..40_usize, 1..9)),
        comments in prop::collection::vec((0..150_usize, 0..90_usize), 0..5),
        (line_width, output_buffer) in (prop_oneof![Just(79), 8..120_usize], 0..3000_usize),
        harm in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let tags = if begins_black {
"[FEN \"4k3/p6p/8/2n2n2/8/8/8/R3K2R b KQ - 0 9\"]\n\n"
        } else {
"[White \"A\"]\n\n"
        };
        let moves = write_bare_moves(tags, &moves, if gap { ". " } else { "." }, &breaks);
        let text = [tags, &moves].concat();
        let mut edits = Edits::default();
        for (node, length) in comments {
            edits.add_comment(node, "word ".repeat(length / 5).as_bytes());
        }
        let options = WriteOptions { line_width, output_buffer, ..WriteOptions::default() };
        prop_assert!(copies_what_is_written(text.as_bytes(), &edits, &options));
        if let Some(harm) = harm {
            let mut other = text.clone().into_bytes();
            other.insert(text.len() - moves.len() + harm.index(moves.len()), b'+');
            copies_what_is_written(&other, &edits, &options);
        }
    }

    #[test]
    fn what_is_written_is_read_back(choices in prop::collection::vec(any::<u32>(), 0..120)) {
        let text = write_random(&choices);
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text.as_bytes());
        tree.parse(index.tags(text.as_bytes()));
        // A null move that gives check is written as `--+`, which is no token.
        prop_assume!((1..tree.len()).all(|node| {
            !tree.move_to(node).is_some_and(Move::is_null) || !tree.positions()[node].is_check()
        }));
        prop_assert_eq!(tree.illegal_move_at(), None, "{}", &text);
        let mut out = Vec::new();
        let (edits, options) = (Edits::default(), WriteOptions::default());
        write_game(&mut out, index.tags(text.as_bytes()), &tree, &edits, &options);
        let (mut new_index, mut new_tree) = (TagIndex::default(), GameTree::default());
        new_index.scan(&out);
        new_tree.parse(new_index.tags(&out));
        prop_assert_eq!(contents(&out, &new_tree), contents(text.as_bytes(), &tree), "{}", &text);
        prop_assert_eq!(new_tree.result(), tree.result());
        let mut again = Vec::new();
        write_game(&mut again, new_index.tags(&out), &new_tree, &edits, &options);
        prop_assert_eq!(again, out);
    }
}

#[test]
fn games_of_files_are_what_their_steps_and_tables_say() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for directory in ["tests/data", "../../conformance/data", "../../examples"] {
        for entry in fs::read_dir(here.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "pgn") {
                let file = fs::read(&path).unwrap();
                count += check_rebuilding(&file);
                check_tables(&file);
            }
        }
    }
    assert!(count > 400, "{count}");
}

/// Found by fuzzing: texts from which a game was written that was read as a different one.
#[test]
fn damaged_games_are_written_so_that_they_are_read_back() {
    let texts: [&[u8]; 6] = [
        // Braces before the tags do not nest.
        b"}\x01[\ne4 a",
        b"a { b\n[Event \"x\"]\n\n1. e4 *",
        // A brace is in the word of an illegal castling.
        b"1. 00} *",
        // A comment is in a part that the scanner reads as a tag.
        b"[\n\x98[ c4 {{}",
        // Only the files of the rooks indicate Chess960.
        b"[FEN \"1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\"]\n\n1. O-O O-O-O *",
        b"[FEN \"4k3/8/8/8/8/8/8/qRK5 w B - 0 1\"]\n\n1. O-O-O *",
    ];
    for text in texts {
        for raw in Splitter::default().split(text, true) {
            let written = |raw: &RawGame<'_>| {
                let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
                let (mut buffer, mut out) = (Vec::new(), Vec::new());
                let text = raw.clean_text(&mut buffer);
                index.scan(text);
                tree.parse(index.tags(text));
                let (edits, options) = (Edits::default(), WriteOptions::default());
                write_game(&mut out, index.tags(text), &tree, &edits, &options);
                let moves: Vec<String> = (0..tree.len()).map(|node| tree.fen(node)).collect();
                (out, moves)
            };
            let (out, moves) = written(&raw);
            let shown = String::from_utf8_lossy(&out);
            let again: Vec<RawGame<'_>> = Splitter::default().split(&out, true).collect();
            assert_eq!(again.len(), 1, "{shown}");
            assert_eq!(again[0].faults, [], "{shown}");
            assert_eq!(written(&again[0]).1, moves, "{shown}");
        }
    }
}
