//! A summary of a game agrees with replaying it, for all games of the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use board::{Color, Piece, Role};
use pgn::summary::{Happenings, Kinds, PieceCounts, any_material};
use pgn::{GameSummary, GameTree, MoveCode, Splitter, Step, Summarizer, TagIndex};
use proptest::prelude::*;

/// Calls `check` with every game of a text that has a summary, and returns their number.
fn each_game(text: &[u8], mut check: impl FnMut(&GameTree, &GameSummary<'_>)) -> usize {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let mut summarizer = Summarizer::default();
    let mut n_games = 0;
    for raw in Splitter::default().split(text, true) {
        let text = raw.clean_text(&mut buffer);
        index.scan(text);
        let tags = index.tags(text);
        tree.parse(tags);
        if let Some(summary) = summarizer.summarize(&tree, *tags) {
            n_games += 1;
            check(&tree, &summary);
        }
    }
    n_games
}

/// Returns the nodes of the main line.
fn mainline(tree: &GameTree) -> Vec<usize> {
    std::iter::successors(Some(0), |&node| tree.next(node)).collect()
}

fn ply(tree: &GameTree, node: usize) -> usize {
    let line = std::iter::successors(Some(node), |&node| (node != 0).then(|| tree.parent(node)));
    line.count() - 1
}

fn counts(tree: &GameTree, node: usize) -> PieceCounts {
    let board = tree.positions()[node].board;
    Piece::ALL.map(|piece| board.pieces(piece.color, piece.role).len() as u8)
}

fn check_happenings(tree: &GameTree, nodes: &[usize], found: &Happenings<'_>) {
    let positions = || nodes.iter().map(|&node| &tree.positions()[node]);
    for piece in Piece::ALL {
        let sets = positions().map(|position| position.board.pieces(piece.color, piece.role));
        let reached = sets.reduce(|a, b| a | b).expect("a position");
        let found = found.reach.map(|reach| reach[piece.index()]);
        assert_eq!(found, Some(reached.0), "{piece:?}");
    }
    let longest = nodes.iter().map(|&node| ply(tree, node)).max();
    assert_eq!(found.plies.map(usize::from), longest);
    let moves = || nodes.iter().filter_map(|&node| tree.move_to(node));
    let castles = |color: Color, file: u8| {
        moves().any(|mv| {
            mv.is_castle() && mv.to().rank() == color.home_rank() && mv.to().file() == file
        })
    };
    let captures = |&node: &usize| {
        let before = &tree.positions()[tree.parent(node)].board;
        tree.move_to(node).is_some_and(|mv| mv.captured_square(before).is_some())
    };
    for (kind, is_there) in [
        (Kinds::CHECK, positions().any(|p| p.is_check())),
        (Kinds::MATE, positions().any(|p| p.is_mate())),
        (Kinds::STALEMATE, positions().any(|p| p.is_stalemate())),
        (Kinds::WHITE_CASTLES_SHORT, castles(Color::White, 6)),
        (Kinds::WHITE_CASTLES_LONG, castles(Color::White, 2)),
        (Kinds::BLACK_CASTLES_SHORT, castles(Color::Black, 6)),
        (Kinds::BLACK_CASTLES_LONG, castles(Color::Black, 2)),
        (Kinds::EN_PASSANT, moves().any(board::Move::is_en_passant)),
        (Kinds::NULL_MOVE, moves().any(board::Move::is_null)),
        (Kinds::CAPTURE, nodes.iter().any(captures)),
        (Kinds::PROMOTION, moves().any(|mv| mv.promotion().is_some())),
    ] {
        assert_eq!(found.kinds.contains(kind), is_there, "{kind:?}");
    }
}

/// Checks the combinations of pieces on the board, each with the first ply at which it occurs;
/// plies from 255 on count as 255.
fn check_material(tree: &GameTree, nodes: &[usize], variations: bool, summary: &GameSummary<'_>) {
    let states = |node: &usize| {
        let is_new = *node == 0 || counts(tree, tree.parent(*node)) != counts(tree, *node);
        is_new.then(|| (counts(tree, *node), ply(tree, *node).min(255) as u16))
    };
    let expected: BTreeSet<_> = nodes.iter().filter_map(states).collect();
    let mut found = BTreeSet::new();
    let start = summary.start.expect("the pieces at the start");
    let events = summary.material.expect("events");
    any_material(start, events, variations, |counts, ply| {
        found.insert((*counts, ply));
        false
    });
    assert_eq!(found, expected);
}

fn check(tree: &GameTree, summary: &GameSummary<'_>) {
    let (line, all) = (mainline(tree), (0..tree.len()).collect::<Vec<_>>());
    check_happenings(tree, &line, &summary.mainline);
    check_happenings(tree, &all, &summary.whole);
    check_material(tree, &line, false, summary);
    check_material(tree, &all, true, summary);
    assert_eq!(summary.start, Some(counts(tree, 0)));
    assert_eq!(summary.has_variations, !tree.is_linear());
    // The moves are those of the tree, in its order.
    let moves =
        summary.moves.expect("moves").iter().filter_map(|&code| match MoveCode(code).step() {
            Step::Move(mv) => Some(mv),
            Step::Open | Step::Close => None,
        });
    let expected = (1..tree.len()).filter_map(|node| tree.move_to(node));
    assert!(moves.eq(expected));
}

#[test]
fn summaries_of_all_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut n_games = 0;
    for directory in
        ["examples", "conformance/data", "crates/pgn/tests/data", "crates/pgn/tests/torture"]
    {
        for entry in fs::read_dir(root.join(directory)).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pgn") {
                n_games += each_game(&fs::read(&path).expect("a file"), check);
            }
        }
    }
    assert!(n_games > 500, "{n_games}");
}

#[test]
fn events_in_variations() {
    let text = b"[FEN \"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1.axb8=Q+ (1.a8=R Rxa8 (1...Rd8)) \
        (1.Kd2 Ra8 (1...Rb7 2.a8=N)) Ke7 (1...Kd7) 2.Qb7+ Kd8 *";
    let n_games = each_game(text, |tree, summary| {
        check(tree, summary);
        let mut seen = 0;
        // The visit ends as soon as `visit` returns `true`: at the second rook of White.
        assert!(any_material(
            summary.start.expect("the pieces at the start"),
            summary.material.expect("events"),
            true,
            |counts, _| {
                seen += 1;
                counts[Piece::new(Color::White, Role::Rook).index()] == 1
            }
        ));
        assert_eq!(seen, 3);
    });
    assert_eq!(n_games, 1);
}

#[test]
fn chess960_has_no_summary() {
    let text = b"[Variant \"Chess960\"]\n\n1.e4 e5 *";
    assert_eq!(each_game(text, |_, _| {}), 0);
}

proptest! {
    /// Damaged events have no meaning, and do no harm.
    #[test]
    fn any_events_end(events in prop::collection::vec(any::<u16>(), 0..200), variations: bool) {
        any_material([200; 12], &events, variations, |_, _| false);
        any_material([0; 12], &events, variations, |_, _| false);
    }
}
