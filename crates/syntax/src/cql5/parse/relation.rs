//! Parses `relation` and its parameters.

use super::*;
use crate::cql5::tree::{Parameter, Relation, SquareParameter};
use crate::tree::Measure;

/// Returns the transforms of a word such as `echoflip`.
pub(super) fn echo_family(word: Word) -> Option<TransformFamily> {
    TransformFamily::from_word(word.text().strip_prefix("echo")?)
}

/// A range that contains every count of squares. A comparison in place counts at most 64 squares;
/// one with images that leave the board counts more.
const ANY_NUMBER: Range = Range { min: 0, max: i32::MAX };

impl Parser<'_> {
    /// Reads `relation F… P…`.
    pub(super) fn relation(&mut self) -> Res<FilterKind> {
        self.at += 1;
        let index = self.query.n_trackers;
        self.query.n_trackers += 1;
        let filters = self.filters();
        let mut parameters = Vec::new();
        while self.is(&TokenKind::OpenParen) || self.word().and_then(echo_family).is_some() {
            parameters.push(self.parameter()?);
        }
        if parameters.is_empty() {
            return self.expected("a parameter of `relation` such as `(mismatch 1)`");
        }
        Ok(FilterKind::Relation(Box::new(Relation { index, silent: false, filters, parameters })))
    }

    /// Reads a parameter with the transforms before it.
    fn parameter(&mut self) -> Res<Parameter> {
        let start = self.at;
        let mut echoes = Vec::new();
        while let Some(family) = self.word().and_then(echo_family) {
            self.at += 1;
            echoes.push(family);
        }
        if echoes.len() > 2 {
            let message = "at most two transforms can stand before a parameter";
            self.error(code::RELATION, self.since(start), message);
            return Err(Failed);
        }
        let open = self.at;
        self.expect(&TokenKind::OpenParen, "`(` and a parameter of `relation`")?;
        let mut parameter = self.parameter_inside()?;
        self.expect(&TokenKind::CloseParen, "`)` after the parameter")?;
        match &mut parameter {
            Parameter::Squares(squares) => {
                squares.echoes = echoes;
                squares.span = self.since(start);
            }
            _ if !echoes.is_empty() => {
                let message = "only a comparison of squares can be transformed";
                self.error(code::RELATION, self.since(open), message);
            }
            _ => {}
        }
        Ok(parameter)
    }

    fn parameter_inside(&mut self) -> Res<Parameter> {
        let Some(word) = self.word() else {
            if self.is(&TokenKind::CloseParen) {
                let span = self.since(self.at - 1).to(self.here());
                self.error(code::RELATION, span, "this parameter of `relation` is empty");
                return Err(Failed);
            }
            return self.expected_parameter();
        };
        match word {
            Word::ToMove => {
                self.at += 1;
                let same = match self.word() {
                    Some(Word::Match) => true,
                    Some(Word::Mismatch) => false,
                    _ => return self.expected("`match` or `mismatch` after `tomove`"),
                };
                self.at += 1;
                Ok(Parameter::SameTurn(same))
            }
            Word::Ancestor => {
                self.at += 1;
                Ok(Parameter::Ancestor)
            }
            Word::Descendant => {
                self.at += 1;
                Ok(Parameter::Descendant)
            }
            Word::SourceSquares | Word::TargetSquares | Word::Match | Word::Mismatch => {
                self.squares()
            }
            Word::Sort => {
                self.at += 1;
                let sort = self.sort_field()?;
                match self.word().and_then(measure) {
                    Some(measure) => self.distance(measure, Some(sort)),
                    None => self
                        .expected("`lcamax`, `lcasum`, `lcasource`, `lcatarget` or `lcasubstring`"),
                }
            }
            _ => match measure(word) {
                Some(measure) => self.distance(measure, None),
                None => self.expected_parameter(),
            },
        }
    }

    fn expected_parameter<T>(&mut self) -> Res<T> {
        self.expected(
            "a parameter of `relation`: `sourcesquares`, `targetsquares`, `match`, `mismatch`, \
             `tomove`, `ancestor`, `descendant` or one of `lcamax` and its like",
        )
    }

    fn distance(&mut self, measure: Measure, sort: Option<SortId>) -> Res<Parameter> {
        let start = self.at;
        let name = self.text_of(self.here());
        self.at += 1;
        let range = self.required_range(&format!("`{name}`"));
        if measure == Measure::Substring && range.min < 1 {
            let message = "`lcasubstring` needs a minimum of 1 or more";
            self.error(code::RANGE, self.since(start), message);
        }
        Ok(Parameter::Distance { measure, range, sort, span: self.since(start) })
    }

    /// Reads the parts of a comparison in any order; a repeated part replaces the earlier one.
    fn squares(&mut self) -> Res<Parameter> {
        let mut squares = SquareParameter {
            echoes: Vec::new(),
            source: None,
            target: None,
            matches: ANY_NUMBER,
            mismatches: ANY_NUMBER,
            span: self.here(),
        };
        loop {
            match self.word() {
                Some(Word::SourceSquares) => {
                    self.at += 1;
                    squares.source = Some(self.set("`sourcesquares`")?);
                }
                Some(Word::TargetSquares) => {
                    self.at += 1;
                    squares.target = Some(self.set("`targetsquares`")?);
                }
                Some(Word::Match) => {
                    self.at += 1;
                    squares.matches = self.required_range("`match`");
                }
                Some(Word::Mismatch) => {
                    self.at += 1;
                    squares.mismatches = self.required_range("`mismatch`");
                }
                _ => return Ok(Parameter::Squares(Box::new(squares))),
            }
        }
    }
}

fn measure(word: Word) -> Option<Measure> {
    Some(match word {
        Word::LcaMax => Measure::Max,
        Word::LcaSum => Measure::Sum,
        Word::LcaSource => Measure::Source,
        Word::LcaTarget => Measure::Target,
        Word::LcaSubstring => Measure::Substring,
        _ => return None,
    })
}
