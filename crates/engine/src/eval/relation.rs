//! Evaluates `relation`: compares the current position, the *source*, with another position of the
//! game, the *target*.
//!
//! Every other position of the game becomes the target in turn, and is the current position while
//! the filters for it are evaluated. The parameters then concern both positions: they compare the
//! boards square by square ([`SquareComparison`]), the sides to move, or the ways from the last
//! common ancestor. Two sets, one evaluated at the source and one at the target, determine the
//! squares to be compared.

use board::{Board, Color, Role, SquareSet};
use syntax::tree::{CommentLevel, Measure};

use super::evaluator::Evaluator;
use super::related::Pair;
use compiler::program::{PositionRelation, RelationParameter, SquareComparison};

/// Largest number of pairs recorded per game; the comments on more pairs would be too long.
const MAX_PAIRS: usize = 50_000;

impl Evaluator<'_> {
    /// Whether a position of the game is related to this one.
    pub(super) fn is_related(&mut self, relation: &PositionRelation) -> bool {
        let source = self.at;
        let noting = !relation.quiet && self.level() == CommentLevel::Normal;
        let start = self.mark();
        let mut source_sets = vec![None; relation.parameters.len()];
        let targets = &mut self.state.trackers[relation.index as usize].related.targets;
        let mut known = targets.remove(&relation.target).unwrap_or_default();
        if relation.target_is_fixed {
            known.resize(self.positions.len() as usize, None);
        }
        let n_maps = relation.parameters.iter().map(|parameter| match parameter {
            RelationParameter::Squares(squares) => 4 + 2 * squares.maps.len() as u64,
            _ => 4,
        });
        let n_maps: u64 = n_maps.sum();
        let mut matched = false;
        for target in 0..self.positions.len() {
            if target == source {
                continue;
            }
            if !self.step() {
                break;
            }
            self.charge(n_maps);
            let mark = self.mark();
            if !self.is_target(relation, target, &mut known)
                || !self.parameters_hold(relation, source, target, &mut source_sets)
            {
                self.drop_comments(mark);
                continue;
            }
            matched = true;
            self.fill_sort_fields(relation, source, target);
            if noting {
                self.note_pair(relation, source, target);
            }
            if !noting && !relation.exhaustive {
                break;
            }
        }
        let targets = &mut self.state.trackers[relation.index as usize].related.targets;
        targets.insert(relation.target, known);
        if !matched {
            self.drop_comments(start);
        }
        matched
    }

    /// Whether the filters for the target match there. `known` has the results so far if they do
    /// not depend on the source.
    fn is_target(
        &mut self,
        relation: &PositionRelation,
        target: u32,
        known: &mut [Option<bool>],
    ) -> bool {
        if let Some(Some(result)) = known.get(target as usize) {
            return *result;
        }
        let result = self.at(target, |e| e.matches(relation.target));
        if let Some(answer) = known.get_mut(target as usize) {
            *answer = Some(result);
        }
        result
    }

    fn parameters_hold(
        &mut self,
        relation: &PositionRelation,
        source: u32,
        target: u32,
        source_sets: &mut [Option<SquareSet>],
    ) -> bool {
        let positions = self.positions;
        // the squares with equal content, computed at the first use
        let mut same: Option<SquareSet> = None;
        let parameters = relation.parameters.iter().zip(source_sets);
        for (parameter, source_set) in parameters {
            let holds = match parameter {
                RelationParameter::SameTurn(same) => {
                    *same == (positions.position(source).turn == positions.position(target).turn)
                }
                RelationParameter::Ancestor => positions.is_ancestor(target, source),
                RelationParameter::Descendant => positions.is_ancestor(source, target),
                RelationParameter::Distance { measure, range, .. } => self
                    .measure(*measure, source, target)
                    .is_some_and(|distance| range.0 <= distance && distance <= range.1),
                RelationParameter::Squares(comparison) => {
                    let source_set = match *source_set {
                        Some(set) => set,
                        None => *source_set.insert(self.set(comparison.source)),
                    };
                    let target_set = self.at(target, |e| e.set(comparison.target));
                    let squares = source_set & target_set;
                    let boards = [source, target].map(|id| &positions.position(id).board);
                    if comparison.maps.is_empty() {
                        let same = *same.get_or_insert_with(|| same_content(boards[0], boards[1]));
                        accepts(comparison, squares & same, squares & !same)
                    } else {
                        holds_through_a_map(comparison, boards[0], boards[1], squares)
                    }
                }
            };
            if !holds {
                return false;
            }
        }
        true
    }

    /// Returns the distance of source and target from their last common ancestor, or the length of
    /// the longest common run of moves.
    fn measure(&mut self, measure: Measure, source: u32, target: u32) -> Option<i32> {
        if measure == Measure::Substring {
            let run = self.longest_common_run(source, target);
            return (!run.is_empty()).then_some(run.len() as i32);
        }
        let ancestor = self.positions.lca(source, target);
        let ply = |id| self.positions.ply(id) as i32;
        let to_source = ply(source) - ply(ancestor);
        let to_target = ply(target) - ply(ancestor);
        Some(match measure {
            Measure::Source => to_source,
            Measure::Target => to_target,
            Measure::Max => to_source.max(to_target),
            Measure::Sum | Measure::Substring => to_source + to_target,
        })
    }

    fn fill_sort_fields(&mut self, relation: &PositionRelation, source: u32, target: u32) {
        for parameter in &relation.parameters {
            if let RelationParameter::Distance { measure, sort: Some(sort), .. } = parameter
                && let Some(distance) = self.measure(*measure, source, target)
            {
                self.offer_sort(*sort, distance);
            }
        }
    }

    fn note_pair(&mut self, relation: &PositionRelation, source: u32, target: u32) {
        let related = &self.state.trackers[relation.index as usize].related;
        if related.pairs.len() >= MAX_PAIRS {
            return;
        }
        let mut measures = relation.parameters.iter().filter_map(|p| match p {
            RelationParameter::Distance { measure, .. } => Some(*measure),
            _ => None,
        });
        let measured = measures.clone().next().is_some();
        let run = if measures.any(|measure| measure == Measure::Substring) {
            self.longest_common_run(source, target)
        } else {
            Vec::new()
        };
        let pair = Pair {
            root: self.root,
            source,
            target,
            ancestor: measured.then(|| self.positions.lca(source, target)),
        };
        let related = &mut self.state.trackers[relation.index as usize].related;
        related.pairs.push(pair);
        let longest = related.longest.as_ref().map_or(0, |(_, run)| run.len());
        if run.len() > longest {
            related.longest = Some((pair.root, run));
        }
    }

    /// Returns the longest run of equal moves on the ways from the last common ancestor to two
    /// positions, as pairs of the positions that these moves lead to. Among equally long runs the
    /// first one wins.
    pub(super) fn longest_common_run(&mut self, source: u32, target: u32) -> Vec<(u32, u32)> {
        let ancestor = self.positions.lca(source, target);
        // always so in a game without variations
        if ancestor == source || ancestor == target {
            return Vec::new();
        }
        let sources = self.way(ancestor, source);
        let targets = self.way(ancestor, target);
        let moves = |way: &[u32]| way.iter().map(|&id| self.move_to(id)).collect::<Vec<_>>();
        let (source_moves, target_moves) = (moves(&sources), moves(&targets));
        // lengths[j]: length of the run that begins with the moves i and j
        let mut lengths = vec![0u32; targets.len() + 1];
        let mut best = (0, 0, 0);
        for i in (0..sources.len()).rev() {
            if !self.step() {
                return Vec::new();
            }
            self.charge(targets.len() as u64 / 4);
            let mut best_here = (0, 0);
            for j in 0..targets.len() {
                lengths[j] =
                    if source_moves[i] == target_moves[j] { lengths[j + 1] + 1 } else { 0 };
                if lengths[j] > best_here.0 {
                    best_here = (lengths[j], j);
                }
            }
            if best_here.0 > 0 && best_here.0 >= best.0 {
                best = (best_here.0, i, best_here.1);
            }
        }
        let (length, i, j) = best;
        (0..length as usize).map(|k| (sources[i + k], targets[j + k])).collect()
    }

    /// Returns the positions from just below `ancestor` to `end`.
    fn way(&self, ancestor: u32, end: u32) -> Vec<u32> {
        let mut way: Vec<u32> = std::iter::successors(Some(end), |&id| self.positions.parent(id))
            .take_while(|&id| id != ancestor)
            .collect();
        way.reverse();
        way
    }

    /// Returns origin, destination and piece of the move that led to a position. The piece type
    /// that a pawn promotes to does not count.
    fn move_to(&self, id: u32) -> Option<(board::Square, board::Square, Option<board::Piece>)> {
        let mv = self.positions.mv(id)?;
        let parent = self.positions.parent(id)?;
        let piece = self.positions.position(parent).board.piece_at(mv.from());
        Some((mv.from(), mv.to(), piece))
    }
}

/// Whether the numbers of equal and of different squares are in their ranges.
fn accepts(comparison: &SquareComparison, same: SquareSet, different: SquareSet) -> bool {
    within(comparison.matches, same.len()) && within(comparison.mismatches, different.len())
}

/// Whether the numbers are in their ranges for one of the maps. The content of each square of the
/// source is compared with that of its image in the target; an image off the board is empty. A
/// square that is no image counts as different if it is occupied in the target, and otherwise as
/// equal. The number of equal squares is at most that of the compared ones.
fn holds_through_a_map(
    comparison: &SquareComparison,
    source: &Board,
    target: &Board,
    squares: SquareSet,
) -> bool {
    let occupied = source.occupied() & squares;
    comparison.maps.iter().any(|&map| {
        let back = map.inverse();
        let rest = squares & !map.apply(squares);
        let n_occupied = (rest & target.occupied()).len();
        // the occupied squares alone rule out most maps
        let moved = back.apply(target.occupied()) & squares;
        if ((occupied ^ moved).len() + n_occupied) as i32 > comparison.mismatches.1 {
            return false;
        }
        let different = squares
            & masks(source)
                .into_iter()
                .zip(masks(target))
                .fold(SquareSet::EMPTY, |all, (a, b)| all | a ^ back.apply(b));
        let n_same = (squares & !different).len() + rest.len() - n_occupied;
        let n_same = n_same.min(squares.len());
        within(comparison.matches, n_same)
            && within(comparison.mismatches, different.len() + n_occupied)
    })
}

fn within((min, max): (i32, i32), n: u32) -> bool {
    (min..=max).contains(&(n as i32))
}

/// Returns sets of squares that together describe a board.
fn masks(board: &Board) -> [SquareSet; 7] {
    let [p, n, b, r, q, k] = Role::ALL.map(|role| board.role(role));
    [p, n, b, r, q, k, board.color(Color::White)]
}

/// Returns the squares that have the same content on both boards.
fn same_content(a: &Board, b: &Board) -> SquareSet {
    let different =
        masks(a).into_iter().zip(masks(b)).fold(SquareSet::EMPTY, |all, (a, b)| all | a ^ b);
    !different
}

#[cfg(test)]
mod tests {
    use board::Symmetry;

    use super::*;
    use compiler::board_map::{BoardMap, TransformStep};
    use compiler::program::SetId;

    fn board(text: &str) -> Board {
        board::parse_board(text.as_bytes()).expect("a board")
    }

    fn squares(text: &str) -> SquareSet {
        text.split_whitespace()
            .map(|name| board::Square::parse(name.as_bytes()).expect("a square"))
            .collect()
    }

    /// Returns the numbers of equal and different squares, found by trying all ranges.
    fn counts(source: &str, target: &str, among: SquareSet, maps: &[BoardMap]) -> (i32, i32) {
        let (source, target) = (board(source), board(target));
        for matches in 0..=128 {
            for mismatches in 0..=64 {
                let comparison = SquareComparison {
                    source: SetId(0),
                    target: SetId(0),
                    maps: maps.into(),
                    matches: (matches, matches),
                    mismatches: (mismatches, mismatches),
                };
                let holds = match maps {
                    [] => {
                        let same = same_content(&source, &target);
                        accepts(&comparison, among & same, among & !same)
                    }
                    _ => holds_through_a_map(&comparison, &source, &target, among),
                };
                if holds {
                    return (matches, mismatches);
                }
            }
        }
        panic!("no counts at all");
    }

    #[test]
    fn squares_are_counted_in_place() {
        let (a, b) = ("8/8/8/3k4/8/8/4P3/4K3", "8/8/8/3k4/4p3/8/8/4K3");
        assert_eq!(counts(a, a, SquareSet::ALL, &[]), (64, 0));
        assert_eq!(counts(a, b, SquareSet::ALL, &[]), (62, 2));
        assert_eq!(counts(a, b, squares("e1 e2 e3"), &[]), (2, 1));
        assert_eq!(counts(a, b, SquareSet::EMPTY, &[]), (0, 0));
        // another piece on the same square differs
        let c = "8/8/8/3k4/8/8/4p3/4K3";
        assert_eq!(counts(a, c, SquareSet::ALL, &[]), (63, 1));
    }

    #[test]
    fn squares_are_compared_with_their_images() {
        let mirror = BoardMap::of(TransformStep::Dihedral(Symmetry::REFLECT_V));
        let (a, b) = ("8/8/8/8/8/8/8/KN6", "8/8/8/8/8/8/8/6NK");
        assert_eq!(counts(a, b, SquareSet::ALL, &[mirror]), (64, 0));
        // the images of a1 and b1 are h1 and g1; a1 and b1, empty in the target, add nothing
        assert_eq!(counts(a, b, squares("a1 b1"), &[mirror]), (2, 0));
        assert_eq!(counts(b, a, squares("h1"), &[mirror]), (1, 0));
        // here the rest is occupied
        assert_eq!(counts(a, "8/8/8/8/8/8/8/R6K", squares("a1"), &[mirror]), (1, 1));
    }

    #[test]
    fn images_outside_of_the_board_are_empty() {
        let right = BoardMap::of(TransformStep::Shift(1, 0));
        let (a, b) = ("8/8/8/8/8/8/8/3R3K", "8/8/8/8/8/8/8/4R3");
        // the king's square goes off the board, where every square is empty
        assert_eq!(counts(a, b, SquareSet::ALL, &[right]), (64, 1));
        assert_eq!(counts(a, b, squares("h1"), &[right]), (1, 1));
        let (c, d) = ("8/8/8/8/8/8/8/3R4", "8/8/8/8/8/8/8/4R3");
        assert_eq!(counts(c, d, squares("d1"), &[right]), (1, 0));
    }

    #[test]
    fn one_map_is_enough() {
        let maps = [1, 2].map(|dx| BoardMap::of(TransformStep::Shift(dx, 0)));
        let (a, b) = ("8/8/8/8/8/8/8/3R4", "8/8/8/8/8/8/8/5R2");
        assert_eq!(counts(a, b, squares("d1"), &maps), (1, 0));
        let comparison = SquareComparison {
            source: SetId(0),
            target: SetId(0),
            maps: maps.into(),
            matches: (0, 64),
            mismatches: (0, 0),
        };
        assert!(holds_through_a_map(&comparison, &board(a), &board(b), squares("d1")));
    }
}
