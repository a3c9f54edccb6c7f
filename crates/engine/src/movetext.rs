//! Movetext as plain data, in the order of the text and with variations.

use std::borrow::Cow;

use board::Color;
use pgn::{GameTree, Searched, TreeStep};

/// A part of the movetext.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MovetextItem {
    /// The start, which comes first, or a move.
    Move(MovetextMove),
    /// The start of a variation: moves that replace the last move of the enclosing line.
    Open {
        /// The comments before the first move of the variation.
        comments: Vec<Vec<u8>>,
    },
    /// The end of the innermost open variation.
    Close,
}

/// A move with the position after it, or the start of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovetextMove {
    /// The move in standard algebraic notation; `None` at the start.
    pub san: Option<String>,
    /// Number of the move; at the start, number of the next move.
    pub number: u32,
    /// The side that makes the move; at the start, the side to move.
    pub side: Color,
    /// The position in Forsyth-Edwards Notation.
    pub fen: String,
    /// The id of the position; `None` if the query does not search it.
    pub id: Option<u32>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// The comments of the file, in the order of the text, unless the query removes them.
    pub comments: Vec<Vec<u8>>,
}

/// Returns the movetext of a game that was parsed from `text`. `removed` has the ids of the
/// positions whose comments the query removes.
pub(crate) fn movetext(searched: Searched<'_>, text: &[u8], removed: &[u32]) -> Vec<MovetextItem> {
    let tree = searched.tree();
    let mut ids = vec![None; tree.len()];
    for id in 0..searched.len() {
        ids[searched.node(id)] = Some(id as u32);
    }
    let make = |node: usize| MovetextItem::Move(one_move(tree, text, node, ids[node], removed));

    let steps = tree.steps().map(|step| match step {
        TreeStep::Move(node) => make(node),
        TreeStep::Open(variation) => MovetextItem::Open {
            comments: tree
                .earlier_variation_comments(text, variation)
                .chain(tree.variation_comment(text, variation))
                .map(Cow::into_owned)
                .collect(),
        },
        TreeStep::Close => MovetextItem::Close,
    });
    std::iter::once(make(0)).chain(steps).collect()
}

fn one_move(
    tree: &GameTree,
    text: &[u8],
    node: usize,
    id: Option<u32>,
    removed: &[u32],
) -> MovetextMove {
    let before = &tree.positions()[tree.parent(node)];
    let san = tree.san(node).map(|san| san.as_str().to_owned());
    let is_removed = id.is_some_and(|id| removed.contains(&id));
    let mut comments: Vec<Vec<u8>> = Vec::new();
    if !is_removed {
        comments.extend(tree.comments_backward(text, node).map(Cow::into_owned));
        comments.reverse();
    }
    MovetextMove {
        san,
        number: u32::from(before.fullmove_number),
        side: before.turn,
        fen: tree.fen(node),
        id,
        nags: tree.nags(node).to_vec(),
        comments,
    }
}

#[cfg(test)]
mod tests {
    use pgn::{SearchTree, TagIndex};

    use super::*;

    /// Compares the movetext of a game, with the ids of its positions.
    fn check(game: &str, variations: bool, removed: &[u32], expected: &str) {
        let text = game.as_bytes();
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text);
        tree.parse(index.tags(text));
        let mut search = SearchTree::default();
        search.build(&tree, variations);
        let items = movetext(search.of(&tree), text, removed);
        let shown = |texts: &[Vec<u8>]| -> String {
            let texts = texts.iter().map(|text| String::from_utf8_lossy(text));
            texts.map(|text| format!("{{{text}}}")).collect()
        };
        let words: Vec<String> = items
            .iter()
            .map(|item| match item {
                MovetextItem::Move(mv) => {
                    let id = mv.id.map_or("-".to_owned(), |id| id.to_string());
                    let san = mv.san.as_deref().unwrap_or("start");
                    let nags: String = mv.nags.iter().map(|nag| format!("${nag}")).collect();
                    let (number, comment) = (mv.number, shown(&mv.comments));
                    let side = match mv.side {
                        Color::White => "w",
                        Color::Black => "b",
                    };
                    format!("{number}{side}{san}{nags}{comment}#{id}")
                }
                MovetextItem::Open { comments } => format!("({}", shown(comments)),
                MovetextItem::Close => ")".to_owned(),
            })
            .collect();
        assert_eq!(words.join(" "), expected, "{game}");
    }

    #[test]
    fn moves_come_in_the_order_of_the_text() {
        check("1.e4 e5 *", true, &[], "1wstart#0 1we4#1 1be5#2");
        check(
            "{a} 1.e4 $1 {b} e5 ({c} 1...c5 (1...c6) 2.Nf3) () 2.f4 *",
            true,
            &[],
            "1wstart{a}#0 1we4$1{b}#1 1be5#2 ({c} 1bc5#4 ( 1bc6#- ) 2wNf3#5 ) ( ) 2wf4#3",
        );
        check("1.e4 e5 (1...c5) 2.f4 *", false, &[], "1wstart#0 1we4#1 1be5#2 ( 1bc5#- ) 2wf4#3");
        check(
            "{a} {b} 1.e4 {c} {d} e5 ({e} {f} 1...c5) *",
            true,
            &[0],
            "1wstart#0 1we4{c}{d}#1 1be5#2 ({e}{f} 1bc5#3 )",
        );
        check("{a} 1.e4 {b} e5 {c} *", true, &[0, 2], "1wstart#0 1we4{b}#1 1be5#2");
    }

    #[test]
    fn every_move_has_the_position_behind_it() {
        let text = b"[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 9\"]\n\n9...Kd7 10.O-O *";
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text);
        tree.parse(index.tags(text));
        let mut search = SearchTree::default();
        search.build(&tree, true);
        let fens: Vec<String> = movetext(search.of(&tree), text, &[])
            .into_iter()
            .map(|item| match item {
                MovetextItem::Move(mv) => mv.fen,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            fens,
            [
                "4k3/8/8/8/8/8/8/4K2R b K - 0 9",
                "8/3k4/8/8/8/8/8/4K2R w K - 1 10",
                "8/3k4/8/8/8/8/8/5RK1 b - - 2 10"
            ]
        );
    }
}
