//! Evaluates filters whose value is a position of the game tree.

use board::Move;
use syntax::tree::Relation;

use super::evaluator::Evaluator;
use super::slot::Slot;
use super::ways::Way;
use compiler::facts::holds;
use compiler::program::*;

impl Evaluator<'_> {
    /// Returns the value of the filter at the current position, if it has one.
    pub(super) fn position(&mut self, id: PosId) -> Option<u32> {
        self.charge(1);
        let program = self.program;
        match &program.positions[id.0 as usize] {
            PosFilter::Source(source) => self.position_source(*source),
            PosFilter::PathStart { inside } => self.path_start(*inside),
            PosFilter::PathLastPosition { inside } => self.path_last_position(*inside),
            PosFilter::Variable(variable, span) => match self.slot(*variable) {
                Slot::Position(position) => Some(*position),
                _ => {
                    self.unbound(*variable, *span);
                    None
                }
            },
            PosFilter::Child(index) => {
                let index = usize::try_from(self.number(*index)?).ok()?;
                self.charge(index.min(self.positions.len() as usize) as u64 / 4);
                self.positions.children(self.at).nth(index)
            }
            PosFilter::OfNumber(word, number) => self.position_of_number(*word, *number),
            PosFilter::OfPositions(word, p, q) => self.position_of_positions(*word, *p, *q),
            PosFilter::Relation(op, left, right) => {
                let mark = self.mark();
                let result = self.position(*left).and_then(|left| {
                    let right = self.position(*right)?;
                    let related = match op {
                        Relation::Ancestor => self.positions.is_ancestor(left, right),
                        Relation::AncestorEqual => {
                            left == right || self.positions.is_ancestor(left, right)
                        }
                        // the reference does not accept equality for [>=] either
                        Relation::Descendant | Relation::DescendantEqual => {
                            self.positions.is_ancestor(right, left)
                        }
                        op => holds(*op, &left, &right),
                    };
                    related.then_some(left)
                });
                if result.is_none() {
                    self.drop_comments(mark);
                }
                result
            }
            PosFilter::Find(find) => self.find_position(find),
            PosFilter::Path(path) => self.run_path(*path).map(|best| best.end),
            PosFilter::Line(line) => self.run_line(line).map(|best| best.end),
            PosFilter::Flow(flow) => self.flow(flow),
        }
    }

    /// Returns the move that led to the current position.
    pub(super) fn current_move(&self) -> Option<Move> {
        self.positions.mv_or_reverse(self.at)
    }

    /// Returns the way from the start of the game to the current position.
    pub(super) fn way_here(&mut self) -> Way {
        self.state.ways.to(&self.positions, self.at)
    }

    /// Iterates over the current position, its parent, and so on to the start of the game.
    pub(super) fn ancestry(&self) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(self.at), |&id| self.positions.parent(id))
    }
}
