//! Parses attacks, rays, directions and filters with counts.

use super::*;

impl Parser<'_> {
    /// Reads `attack [r] (A B)`.
    pub(super) fn attack(&mut self) -> Res<FilterKind> {
        self.at += 1;
        let range = self.range();
        let (from, to) = self.two_sets("`attack`")?;
        Ok(FilterKind::Attack { range, from, to })
    }

    /// Reads `ray [r] [attack | directions] (S S …)`.
    pub(super) fn ray(&mut self) -> Res<FilterKind> {
        self.at += 1;
        let range = self.range();
        let attack = self.take_word(Word::Attack) || self.take_word(Word::Attacks);
        let mut steps: Vec<(i8, i8)> = Vec::new();
        let mut directions: Vec<DirectionName> = Vec::new();
        while !attack && let Some(direction) = self.direction_name() {
            if directions.contains(&direction) {
                let message = "this direction of the ray is there already";
                self.error(code::SYNTAX, self.here(), message);
            }
            self.at += 1;
            directions.push(direction);
            for &step in direction.steps() {
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        if steps.is_empty() {
            steps = DirectionName::AnyDirection.steps().to_vec();
        }
        let open = self.here();
        self.expect(&TokenKind::OpenParen, "`(` and the sets of the ray")?;
        let operands = self.filters();
        for operand in &operands {
            self.require_set(operand, "an operand of `ray`");
        }
        self.expect(&TokenKind::CloseParen, "`)` after the sets of the ray")?;
        if operands.len() < 2 {
            let message = format!("a ray needs two sets or more, not {}", operands.len());
            self.error(code::SYNTAX, open.to(self.since(self.at - 1)), message);
        }
        Ok(FilterKind::Ray { range, attack, steps, operands })
    }

    fn direction_name(&self) -> Option<DirectionName> {
        match self.peek() {
            Some(TokenKind::Name(name)) => DirectionName::from_word(name),
            _ => None,
        }
    }

    /// Reads `up [r] S` or another direction.
    pub(super) fn direction(&mut self, name: &str, direction: DirectionName) -> Res<FilterKind> {
        self.at += 1;
        let start = self.at;
        let range = self.range();
        if let Some(Range { min, max }) = range
            && (min < -7 || max > 7)
        {
            let message = format!("{min} to {max} steps are not within -7 to 7");
            self.error(code::RANGE, self.since(start), message);
        }
        let operand = self.child_set(&format!("the operand of `{name}`"))?;
        Ok(FilterKind::Direction {
            direction,
            range: range.unwrap_or(Range { min: 1, max: 7 }),
            operand,
        })
    }

    /// Reads filters that consist of a range and an operand whose number must be in it.
    pub(super) fn counted(&mut self, word: Word) -> Res<FilterKind> {
        self.at += 1;
        let name = format!("`{}`", word.text());
        let range = self.required_range(&name);
        let operand = format!("the operand of {name}");
        Ok(match word {
            Word::CountSquares => FilterKind::CountSquares(range, self.child_set(&operand)?),
            Word::Power => FilterKind::Power(range, self.child_set(&operand)?),
            Word::PowerDifference => {
                let (a, b) = self.two_sets(&name)?;
                FilterKind::PowerDifference(range, a, b)
            }
            _ => FilterKind::MoveNumber(range),
        })
    }
}
