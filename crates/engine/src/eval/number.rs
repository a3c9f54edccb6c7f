//! Evaluates filters whose value is a number.

use board::SquareSet;
use syntax::tree::Relation;

use super::boolean::arithmetic;
use super::evaluator::Evaluator;
use super::slot::Slot;
use compiler::program::*;

impl Evaluator<'_> {
    /// Returns the value of the filter at the current position, if it has one.
    pub(super) fn number(&mut self, id: NumId) -> Option<i32> {
        let program = self.program;
        match &program.nums[id.0 as usize] {
            NumFilter::Constant(number) => Some(*number),
            NumFilter::Variable(variable, span) => match self.slot(*variable) {
                Slot::Number(number) => Some(*number),
                _ => {
                    self.unbound(*variable, *span);
                    None
                }
            },
            NumFilter::Arithmetic(op, left, right) => {
                self.charge(1);
                let left = self.number(*left)?;
                let right = self.number(*right)?;
                arithmetic(*op, left, right)
            }
            NumFilter::Cardinality(set) => Some(self.set(*set).len() as i32),
            NumFilter::OfSet(word, set) => self.number_of_set(*word, *set),
            NumFilter::Source(source) => self.number_source(*source),
            NumFilter::Likeness(likeness) => {
                self.charge(1);
                let memo = &mut self.state.likeness_memos[id.0 as usize];
                Some(likeness.of(&self.positions.position(self.at).board, memo))
            }
            filter => self.rare_number(filter),
        }
    }

    /// Evaluates the less frequent filters, kept apart so that the frequent ones stay fast.
    #[inline(never)]
    fn rare_number(&mut self, filter: &NumFilter) -> Option<i32> {
        self.charge(1);
        match filter {
            NumFilter::Constant(_)
            | NumFilter::Variable(..)
            | NumFilter::Arithmetic(..)
            | NumFilter::Cardinality(_)
            | NumFilter::OfSet(..)
            | NumFilter::Likeness(_)
            | NumFilter::Source(_) => None,
            NumFilter::Relation(Relation::NotEqual, ..) => None,
            NumFilter::Relation(op, left, right) => self.compare_numbers(*op, *left, *right),
            NumFilter::AttackPairs(men, squares) => {
                let men = self.set(*men);
                let squares = self.set(*squares);
                self.charge(u64::from(men.len()));
                Some(super::attacks::attack_pairs(&self.here().board, men, squares))
            }
            NumFilter::RayCount(ray) => {
                let operands: Vec<SquareSet> =
                    ray.operands.iter().map(|&id| self.set(id)).collect();
                self.charge_rays(ray, &operands);
                Some(super::rays::count_rays(&self.here().board, ray, &operands))
            }
            NumFilter::PieceIdOf(variable, span) => match *self.slot(*variable) {
                Slot::Piece(piece) => Some(i32::from(piece)),
                _ => {
                    self.unbound(*variable, *span);
                    None
                }
            },
            NumFilter::Length(text) => Some(self.text(*text)?.len() as i32),
            NumFilter::DictionarySize(dictionary) => {
                Some(self.state.dictionaries[dictionary.0 as usize].len() as i32)
            }
            NumFilter::OfNumber(word, operand) => self.number_of_number(*word, *operand),
            NumFilter::OfText(word, text) => self.number_of_text(*word, *text),
            NumFilter::OfTexts(word, left, right) => self.number_of_texts(*word, *left, *right),
            NumFilter::OfPositions(word, p, q) => self.number_of_positions(*word, *p, *q),
            NumFilter::Extremum { max, items } => self.extremum(*max, items),
            NumFilter::AsciiCode(text) => match self.text(*text)?.as_slice() {
                [byte] => Some(i32::from(*byte)),
                _ => None,
            },
            NumFilter::GroupIndex(group, span) => {
                let range = self.group(group, *span)?;
                Some(range.start as i32)
            }
            NumFilter::Elo(color) => self.record.elo(*color),
            NumFilter::PathCount { inside } => self.path_count(*inside),
            NumFilter::PathCountUnfocused { inside } => {
                let start = self.path_start(*inside)?;
                let count = self.path_count(*inside)?;
                let ply = |id| self.positions.ply(id) as i32;
                Some(ply(self.at) - ply(start) - count)
            }
            NumFilter::Engine(question, span) => self.engine_number(*question, *span),
            NumFilter::Tablebase(value, span) => self.table_value(*value, *span),
            NumFilter::HhdbEgDiagram => self.eg_diagram(),
            NumFilter::HhdbAward(award) => self.award(award),
            NumFilter::OrbitCount(images, range, span) => {
                let mark = self.mark();
                let count = images.iter().filter(|&&id| self.matches(id)).count() as i32;
                let accepted = self.in_range(count, Some(range), *span);
                if !accepted {
                    self.drop_comments(mark);
                }
                accepted.then_some(count)
            }
            NumFilter::OrbitMax(images) => self.orbit_max(images),
            NumFilter::CountMoves(countable) => self.count_moves(countable),
            NumFilter::CountMove(filter) => self.count_move(filter),
            NumFilter::Path(path) => self.run_path(*path).map(|best| best.value),
            NumFilter::Line(line) => self.run_line(line).map(|best| best.value),
            NumFilter::Find(find) => self.find_count(find),
            NumFilter::Echo(echo) => self.echo_value(echo),
            NumFilter::ConsecutiveMoves(consecutive, span) => {
                self.consecutive_moves(consecutive, *span)
            }
            NumFilter::Flow(flow) => self.flow(flow),
        }
    }

    /// Evaluates `max` and `min`, skipping operands that fail.
    fn extremum(&mut self, max: bool, items: &[NumId]) -> Option<i32> {
        self.best(
            items.len(),
            |e, i| e.number(items[i]),
            |new, best| if max { new.cmp(best) } else { best.cmp(new) },
        )
    }

    /// Returns the greatest value among the images of a transform. If no image has a value, drops
    /// all comments of the images.
    fn orbit_max(&mut self, images: &[NumId]) -> Option<i32> {
        let mark = self.mark();
        let best = self.best(images.len(), |e, i| e.number(images[i]), |new, best| new.cmp(best));
        if best.is_none() {
            self.drop_comments(mark);
        }
        best
    }

    /// Returns the best of `n` values. A value worse than an earlier one loses its comments; a
    /// better one makes all earlier ones lose theirs. An operand without a value keeps the comments
    /// that it did not drop itself.
    pub(super) fn best<T>(
        &mut self,
        n: usize,
        mut value: impl FnMut(&mut Self, usize) -> Option<T>,
        compare: impl Fn(&T, &T) -> std::cmp::Ordering,
    ) -> Option<T> {
        use std::cmp::Ordering;
        self.charge(n as u64);
        let start = self.mark();
        let mut best: Option<T> = None;
        for i in 0..n {
            let mark = self.mark();
            let Some(new) = value(self, i) else {
                continue;
            };
            match best.as_ref().map(|best| compare(&new, best)) {
                None => best = Some(new),
                Some(Ordering::Greater) => {
                    self.drop_comments_between(start, mark);
                    best = Some(new);
                }
                Some(Ordering::Equal) => {}
                Some(Ordering::Less) => self.drop_comments(mark),
            }
        }
        best
    }
}
