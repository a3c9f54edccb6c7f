//! Numbers.

use board::{Color, Role, SquareSet};
use syntax::tree::Relation;

use super::boolean::arithmetic;
use super::evaluator::Evaluator;
use super::slot::Slot;
use crate::program::*;

impl Evaluator<'_> {
    /// The value of the filter at the current position, if it has one.
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
                let left = self.number(*left)?;
                let right = self.number(*right)?;
                arithmetic(*op, left, right)
            }
            NumFilter::Cardinality(set) => Some(self.set(*set).len() as i32),
            NumFilter::Power(set) => {
                let set = self.set(*set);
                let board = &self.here().board;
                let count = |role| (board.role(role) & set).len() as i32;
                Some(
                    9 * count(Role::Queen)
                        + 5 * count(Role::Rook)
                        + 3 * (count(Role::Bishop) + count(Role::Knight))
                        + count(Role::Pawn),
                )
            }
            NumFilter::Ply => Some(self.positions.ply(self.at) as i32),
            filter => self.rare_number(filter),
        }
    }

    /// The filters that are asked less often, out of the way of the others.
    #[inline(never)]
    fn rare_number(&mut self, filter: &NumFilter) -> Option<i32> {
        match filter {
            NumFilter::Constant(_)
            | NumFilter::Variable(..)
            | NumFilter::Arithmetic(..)
            | NumFilter::Cardinality(_)
            | NumFilter::Power(_)
            | NumFilter::Ply => None,
            NumFilter::Relation(Relation::NotEqual, ..) => None,
            NumFilter::Relation(op, left, right) => self.compare_numbers(*op, *left, *right),
            NumFilter::AttackPairs(men, squares) => {
                let men = self.set(*men);
                let squares = self.set(*squares);
                Some(super::count::attack_pairs(&self.here().board, men, squares))
            }
            NumFilter::RayCount(ray) => {
                let operands: Vec<SquareSet> =
                    ray.operands.iter().map(|&id| self.set(id)).collect();
                Some(super::rays::count_rays(&self.here().board, ray, &operands))
            }
            NumFilter::Type(set) => self.color_type(*set).map(i32::abs),
            NumFilter::ColorType(set) => self.color_type(*set),
            NumFilter::File(set) => Some(i32::from(self.set(*set).single()?.file()) + 1),
            NumFilter::Rank(set) => Some(i32::from(self.set(*set).single()?.rank()) + 1),
            NumFilter::PieceId(set) => {
                let square = self.set(*set).single()?;
                self.piece_id_on(square).map(i32::from)
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
            NumFilter::Abs(operand) => self.number(*operand).map(i32::wrapping_abs),
            NumFilter::Sqrt(operand) => {
                let operand = self.number(*operand)?;
                (operand >= 0).then(|| operand.isqrt())
            }
            NumFilter::Extremum { max, items } => self.extremum(*max, items),
            NumFilter::Int(text) => parse_int(&self.text(*text)?),
            NumFilter::AsciiCode(text) => match self.text(*text)?.as_slice() {
                [byte] => Some(i32::from(*byte)),
                _ => None,
            },
            NumFilter::IndexOf(pattern, text) => {
                let pattern = self.text(*pattern)?;
                let text = self.text(*text)?;
                memchr::memmem::find(&text, &pattern).map(|i| i as i32)
            }
            NumFilter::GroupIndex(group, span) => {
                let range = self.group(*group, *span)?;
                Some(range.start as i32)
            }
            NumFilter::Distance(p, q) => {
                let p = self.position(*p)?;
                let q = self.position(*q)?;
                let ancestor = self.positions.lca(p, q);
                let ply = |id| self.positions.ply(id) as i32;
                Some(ply(p) + ply(q) - 2 * ply(ancestor))
            }
            NumFilter::MoveNumber => Some(self.move_number(self.at)),
            NumFilter::Depth => Some(self.positions.depth(self.at) as i32),
            NumFilter::PositionId => Some(self.at as i32),
            NumFilter::SideToMove => Some(match self.here().turn {
                Color::White => 1,
                Color::Black => -1,
            }),
            NumFilter::Year => self.record.year(),
            NumFilter::Elo(color) => self.record.elo(*color),
            NumFilter::GameNumber => i32::try_from(self.record.number).ok(),
            NumFilter::LastGameNumber => Some(self.state.last_game_number),
            NumFilter::PathCount { inside } => self.path_count(*inside),
            NumFilter::PathCountUnfocused { inside } => {
                let start = self.path_start(*inside)?;
                let count = self.path_count(*inside)?;
                let ply = |id| self.positions.ply(id) as i32;
                Some(ply(self.at) - ply(start) - count)
            }
            NumFilter::HhdbEgDiagram => self.eg_diagram(),
            NumFilter::HhdbAward(award) => self.award(award),
            NumFilter::OrbitCount(images, range) => {
                let mark = self.mark();
                let count = images.iter().filter(|&&id| self.matches(id)).count() as i32;
                let accepted = self.in_range(count, range);
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
            NumFilter::ConsecutiveMoves(consecutive) => self.consecutive_moves(consecutive),
            NumFilter::Flow(flow) => self.flow(flow),
        }
    }

    /// The number of the move about to be played at a position, the game's first being 1.
    pub(super) fn move_number(&self, position: u32) -> i32 {
        let ply = self.positions.ply(position) as i32;
        let white_began = self.positions.position(0).turn == Color::White;
        let white_moves = self.positions.position(position).turn == Color::White;
        match (white_began, white_moves) {
            (false, true) => (ply + 1) / 2 + 1,
            _ => ply / 2 + 1,
        }
    }

    fn color_type(&mut self, set: SetId) -> Option<i32> {
        let square = self.set(set).single()?;
        Some(match self.here().board.piece_at(square) {
            None => 0,
            Some(piece) => {
                let number = piece.role as i32 + 1;
                match piece.color {
                    Color::White => number,
                    Color::Black => -number,
                }
            }
        })
    }

    /// `max`, `min`: failing items are skipped.
    fn extremum(&mut self, max: bool, items: &[NumId]) -> Option<i32> {
        self.best(
            items.len(),
            |e, i| e.number(items[i]),
            |new, best| match max {
                true => new.cmp(best),
                false => best.cmp(new),
            },
        )
    }

    /// The greatest value of the images of a transform, which drops everything if none has one.
    fn orbit_max(&mut self, images: &[NumId]) -> Option<i32> {
        let mark = self.mark();
        let best = self.best(
            images.len(),
            |e, i| e.number(images[i]),
            |new, best| new.cmp(best),
        );
        if best.is_none() {
            self.drop_comments(mark);
        }
        best
    }

    /// The best of `n` values. One that is worse than one before it loses its comments, one that
    /// is better makes all before it lose theirs. What has no value keeps what it has not dropped
    /// by itself.
    pub(super) fn best<T>(
        &mut self,
        n: usize,
        mut value: impl FnMut(&mut Self, usize) -> Option<T>,
        compare: impl Fn(&T, &T) -> std::cmp::Ordering,
    ) -> Option<T> {
        use std::cmp::Ordering;
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

/// Optional minus sign, then decimal digits only; wraps at 32 bits.
fn parse_int(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i32, |value, digit| {
        value.wrapping_mul(10).wrapping_add(i32::from(digit - b'0'))
    });
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

#[cfg(test)]
mod tests {
    use super::parse_int;

    #[test]
    fn int_takes_only_a_minus_sign_and_digits() {
        for (text, want) in [
            ("42", Some(42)),
            ("-7", Some(-7)),
            ("007", Some(7)),
            ("4294967297", Some(1)),
            ("+1", None),
            (" 1", None),
            ("", None),
            ("-", None),
            ("1a", None),
        ] {
            assert_eq!(parse_int(text.as_bytes()), want, "{text}");
        }
    }
}
