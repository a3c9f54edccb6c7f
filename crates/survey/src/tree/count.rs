//! Adds games to the tree, from their text or from the columns of an archive.

use std::sync::Arc;

use board::Color;
use flow::{Origin, Output, Worker};
use pgn::{GameTree, MoveCode, RawGame, Step, VariantNames, decode_value};
use table::side_of;

use super::node::{ExampleNames, Played, Side, TreeNode};
use super::reader::GameReader;
use super::{ScoreOf, Tally};
use crate::target::Target;

/// Settings of a count.
#[derive(Clone, Copy)]
pub(super) struct Counting<'t> {
    pub(super) target: &'t Target,
    /// Number of half-moves that are counted after the position.
    pub(super) depth: usize,
    /// Whether moves of variations count.
    pub(super) variations: bool,
    /// Whether the first game with each move is kept.
    pub(super) looks_for_first: bool,
    /// Player whose score counts; a name is in lower case.
    pub(super) score_of: ScoreOf<'t>,
}

impl Counting<'_> {
    /// Returns the player whose ratings count with a move that is `behind` half-moves after the
    /// position: the player who makes it. For the position itself (0) it is the player to move.
    fn player(&self, behind: usize) -> Color {
        let turn = self.target.position.turn;
        match behind % 2 {
            0 if behind > 0 => !turn,
            _ => turn,
        }
    }

    /// Returns the side whose score counts in a game between these players.
    pub(super) fn side(&self, name: impl Fn(Color) -> String) -> Side {
        match self.score_of {
            ScoreOf::Mover => Side::Mover,
            ScoreOf::First => Side::Of(Some(self.target.position.turn)),
            ScoreOf::Side(color) => Side::Of(Some(color)),
            ScoreOf::Player(wanted) => Side::Of(side_of(wanted, name)),
        }
    }

    /// Counts a game without variations in which these moves follow the position.
    pub(super) fn add_line(
        &self,
        root: &mut TreeNode,
        played: &Played,
        codes: &[u16],
        names: &mut dyn FnMut() -> ExampleNames,
    ) {
        let mut node = root;
        node.add(played, self.player(0), names);
        for behind in 1..=self.depth {
            let Some(&code) = codes.get(behind - 1) else {
                node.ends += 1;
                return;
            };
            let Step::Move(mv) = MoveCode(code).step() else {
                return;
            };
            node = node.child(mv);
            node.add(played, self.player(behind), names);
        }
    }

    /// Counts a game in which the position occurs at these nodes.
    pub(super) fn add_tree(
        &self,
        root: &mut TreeNode,
        played: &Played,
        tree: &GameTree,
        nodes: &[usize],
        names: &mut dyn FnMut() -> ExampleNames,
    ) {
        if !nodes.is_empty() {
            self.add_nodes(root, played, tree, nodes, 0, names);
        }
    }

    fn add_nodes(
        &self,
        node: &mut TreeNode,
        played: &Played,
        tree: &GameTree,
        nodes: &[usize],
        behind: usize,
        names: &mut dyn FnMut() -> ExampleNames,
    ) {
        node.add(played, self.player(behind), names);
        if behind == self.depth {
            return;
        }
        // Each different move counts once, even if the game has it several times.
        let mut next: Vec<(board::Move, Vec<usize>)> = Vec::new();
        for &at in nodes {
            let mainline = tree.next(at);
            let variations = mainline
                .filter(|_| self.variations)
                .into_iter()
                .flat_map(|next| tree.variations(next))
                .filter_map(|variation| tree.variation_start(variation));
            for child in mainline.into_iter().chain(variations) {
                let Some(mv) = tree.move_to(child) else {
                    continue;
                };
                match next.iter_mut().find(|(known, _)| *known == mv) {
                    Some((_, nodes)) => nodes.push(child),
                    None => next.push((mv, vec![child])),
                }
            }
        }
        node.ends += u64::from(next.is_empty());
        for (mv, nodes) in next {
            self.add_nodes(node.child(mv), played, tree, &nodes, behind + 1, names);
        }
    }
}

/// Counts the games of a thread.
pub(super) struct TreeCounter<'t> {
    pub(super) counting: Counting<'t>,
    pub(super) reader: GameReader<'t>,
    pub(super) mainline: Vec<u16>,
    /// Counts of rows.
    pub(super) root: TreeNode,
}

impl<'t> TreeCounter<'t> {
    pub(super) fn new(counting: Counting<'t>, variants: &'t VariantNames) -> TreeCounter<'t> {
        TreeCounter {
            counting,
            reader: GameReader::new(variants),
            mainline: Vec::new(),
            root: TreeNode::default(),
        }
    }
}

impl Worker for TreeCounter<'_> {
    type Results = Tally<TreeNode>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Tally<TreeNode>>) {
        let Some((tags, tree)) = self.reader.read(raw, number, out) else {
            return;
        };
        let counting = &self.counting;
        let nodes = counting.target.nodes(tree, counting.variations);
        let played = Played {
            result: tree.result(),
            ratings: Color::ALL.map(|color| tags.rating(color).value),
            date: tags.date(),
            number,
            side: counting.side(|color| decode_value(&tags.player(color)).into_owned()),
            looks_for_first: counting.looks_for_first,
        };
        let Origin { name, games_before } = &out.origin;
        let mut names = || ExampleNames {
            input: Arc::clone(name),
            games_before: *games_before,
            white: decode_value(&tags.player(Color::White)).into_owned(),
            black: decode_value(&tags.player(Color::Black)).into_owned(),
        };
        counting.add_tree(&mut out.results.counts, &played, tree, &nodes, &mut names);
    }
}
