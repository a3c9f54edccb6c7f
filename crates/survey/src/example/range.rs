//! Reads a passage as players write it, and finds it in a game.

use std::ops::Range;
use std::str::FromStr;

use board::Color;
use pgn::GameTree;

use super::PassageError;

/// Number of a move; without a color, both half-moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    number: u32,
    color: Option<Color>,
}

/// Passage by the numbers of its first and last move: `18-24`, `18`, `18...-24.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageRange {
    first: Number,
    last: Number,
}

impl FromStr for PassageRange {
    type Err = PassageError;

    fn from_str(text: &str) -> Result<PassageRange, PassageError> {
        let (first, last) = text.split_once(['-', '–', '—']).unwrap_or((text, text));
        match (Number::parse(first), Number::parse(last)) {
            (Some(first), Some(last)) => Ok(PassageRange { first, last }),
            _ => Err(PassageError::Unknown(text.to_owned())),
        }
    }
}

impl Number {
    fn parse(text: &str) -> Option<Number> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, dots) = text.split_at(end);
        let color = match dots {
            "" => None,
            "." => Some(Color::White),
            ".." | "..." | "…" => Some(Color::Black),
            _ => return None,
        };
        Some(Number { number: number.parse().ok()?, color })
    }

    fn is(self, other: Number) -> bool {
        self.number == other.number && (self.color.is_none() || self.color == other.color)
    }

    /// Returns the number with the dots of its color.
    fn name(self) -> String {
        let dots = match self.color {
            None => "",
            Some(Color::White) => ".",
            Some(Color::Black) => "...",
        };
        format!("{}{dots}", self.number)
    }
}

impl PassageRange {
    /// Returns the passage from its first move to the last one of another: `18 24` is `18-24`.
    #[must_use]
    pub fn through(self, last: PassageRange) -> PassageRange {
        PassageRange { last: last.last, ..self }
    }

    /// Returns the places of the passage among the moves of the main line.
    pub(super) fn in_game(
        self,
        tree: &GameTree,
        line: &[usize],
    ) -> Result<Range<usize>, PassageError> {
        if !tree.rules().move_as_chess() {
            return Err(PassageError::OtherRules);
        }
        let mut number = u32::from(tree.positions()[0].fullmove_number);
        let mut numbers = Vec::with_capacity(line.len());
        for &node in line {
            let color = tree.positions()[tree.parent(node)].turn;
            numbers.push(Number { number, color: Some(color) });
            number += u32::from(color == Color::Black);
        }
        let name = |at: usize| {
            let san = tree.san(*line.get(at)?)?;
            Some(format!("{}{san}", numbers.get(at)?.name()))
        };
        let end = line.len().checked_sub(1);
        let ends = end.and_then(|end| Some([name(0)?, name(end)?]));
        let missing = |wanted: Number| match (&ends, end.and_then(|end| numbers.get(end))) {
            (Some([_, last]), Some(end))
                if tree.illegal_move_at().is_some() && wanted.number >= end.number =>
            {
                PassageError::Illegal { last: last.clone() }
            }
            (Some(moves), _) => {
                PassageError::NoSuchMove { number: wanted.name(), moves: moves.clone() }
            }
            (None, _) => PassageError::NoMoves,
        };
        let first = numbers.iter().position(|&number| self.first.is(number));
        let last = numbers.iter().rposition(|&number| self.last.is(number));
        if self.first.number > self.last.number {
            return Err(PassageError::Empty);
        }
        match (first.ok_or_else(|| missing(self.first))?, last.ok_or_else(|| missing(self.last))?) {
            (first, last) if first > last => Err(PassageError::Empty),
            // Black's half of the last move is illegal.
            (_, last)
                if self.last.color.is_none()
                    && numbers[last].color == Some(Color::White)
                    && tree.illegal_move_at().is_some() =>
            {
                Err(missing(self.last))
            }
            (first, last) => Ok(first..last + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_read_as_players_write_them() {
        let check = |text: &str, expected: Option<[(u32, Option<Color>); 2]>| {
            let range = |[first, last]: [(u32, Option<Color>); 2]| PassageRange {
                first: Number { number: first.0, color: first.1 },
                last: Number { number: last.0, color: last.1 },
            };
            assert_eq!(text.parse().ok(), expected.map(range), "{text}");
        };
        let (white, black) = (Some(Color::White), Some(Color::Black));
        check("18-24", Some([(18, None), (24, None)]));
        check("18", Some([(18, None), (18, None)]));
        check("18.", Some([(18, white), (18, white)]));
        check("18...", Some([(18, black), (18, black)]));
        check("18...-24.", Some([(18, black), (24, white)]));
        check("18… – 24..", Some([(18, black), (24, black)]));
        for text in
            ["", "-", "18-", "-24", "18-24-30", "x", "18....", "18.Nf3", "-1", "99999999999"]
        {
            check(text, None);
        }
    }
}
