//! Evaluates filters that ask external programs about a position.

use board::{Color, Square, SquareSet};
use syntax::Span;
use syntax::builtin::Predicate;
use syntax::tree::{EngineLimit, EngineQuestion, EngineValue};

use super::evaluator::Evaluator;
use crate::outside::{EngineAnswer, PipeQuestion};
use compiler::program::PrintItem;

impl Evaluator<'_> {
    pub(super) fn command_pipe(
        &mut self,
        name: &str,
        items: &[PrintItem],
        span: Span,
    ) -> Option<Vec<u8>> {
        let items = items.iter().map(std::slice::from_ref);
        let arguments: Vec<Vec<u8>> = items.map(|item| self.print(item)).collect();
        if !self.step() {
            return None;
        }
        let fen = self.standard_fen();
        let question = PipeQuestion {
            game: self.record.number,
            ply: self.positions.ply(self.at),
            fen: &fen,
            arguments: &arguments,
        };
        match self.state.programs.0.ask(name, &question) {
            Ok(answer) => {
                let answer = answer?;
                self.bound_string(answer.len()).then_some(answer)
            }
            Err(message) => {
                self.fault(span, format!("commandpipe: {message}"));
                None
            }
        }
    }

    /// Returns the evaluation by the engine, from White's side. Positions that cannot occur in a
    /// game are not sent to the engine, since it may do anything with them.
    pub(super) fn analysis(&mut self, limit: EngineLimit, span: Span) -> Option<EngineAnswer> {
        if !self.step() || !self.predicate(Predicate::LegalPosition) {
            return None;
        }
        let fen = self.standard_fen();
        match self.state.programs.0.analyze(&fen, limit) {
            Ok(answer) => {
                let answer = answer?;
                let sign = match self.here().turn {
                    Color::White => 1,
                    Color::Black => -1,
                };
                Some(EngineAnswer {
                    score: answer.score.map(|score| sign * score),
                    mate: answer.mate.map(|mate| sign * mate),
                    best_move: answer.best_move,
                })
            }
            Err(message) => {
                self.fault(span, format!("engine: {message}"));
                None
            }
        }
    }

    pub(super) fn engine_number(&mut self, question: EngineQuestion, span: Span) -> Option<i32> {
        let answer = self.analysis(question.limit, span)?;
        match question.value {
            EngineValue::Mate => answer.mate,
            _ => answer.score,
        }
    }

    pub(super) fn engine_squares(&mut self, question: EngineQuestion, span: Span) -> SquareSet {
        let best = self.analysis(question.limit, span);
        let best = best.and_then(|answer| answer.best_move);
        let end = best.as_deref().and_then(|best| match question.value {
            EngineValue::To => best.get(2..4),
            _ => best.get(..2),
        });
        let square = end.and_then(|square| Square::parse(square.as_bytes()));
        square.map_or(SquareSet::EMPTY, SquareSet::from)
    }
}
