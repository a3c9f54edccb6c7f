//! Evaluates filters that ask external programs about a position.

use board::{CastlingRights, Color, MoveList, Rules, Situation, Square, SquareSet};
use syntax::Span;
use syntax::builtin::Predicate;
use syntax::tree::{EngineQuestion, EngineValue};

use super::evaluator::Evaluator;
use crate::outside::{EngineAnswer, MOST_TABLE_PIECES, PipeQuestion};
use compiler::program::{PrintItem, TableValue};

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
    /// game are not sent to the engine, since it may do anything with them; nor are those of
    /// variants, which it would judge by the rules of chess.
    fn analysis(&mut self, question: EngineQuestion, span: Span) -> Option<EngineAnswer> {
        if !self.positions.rules().are_of_chess() {
            self.exceed(compiler::limits::Limit::Rules("engine"));
        }
        if !self.step() || !self.predicate(Predicate::LegalPosition) {
            return None;
        }
        let fen = self.standard_fen();
        match self.state.programs.0.analyze(&fen, question) {
            Ok(answer) => {
                let answer = answer?;
                if self.here().turn == Color::White {
                    return Some(answer);
                }
                Some(EngineAnswer {
                    score: answer.score.map(|score| -score),
                    mate: answer.mate.map(|mate| -mate),
                    wdl: answer.wdl.map(|[win, draw, loss]| [loss, draw, win]),
                    ..answer
                })
            }
            Err(message) => {
                self.fault(span, format!("engine: {message}"));
                None
            }
        }
    }

    pub(super) fn engine_number(&mut self, question: EngineQuestion, span: Span) -> Option<i32> {
        let answer = self.analysis(question, span)?;
        let chance = |at: usize| answer.wdl.map(|wdl| i32::from(wdl[at]));
        match question.value {
            EngineValue::Mate => answer.mate,
            EngineValue::Win => chance(0),
            EngineValue::Draw => chance(1),
            EngineValue::Loss => chance(2),
            _ => answer.score,
        }
    }

    /// Evaluates `tablebase` and `dtz`. The pieces are counted before the position is examined: few
    /// positions have a table. Without tablebases, every position is a fault, so that no search
    /// reports that nothing matches.
    pub(super) fn table_value(&mut self, value: TableValue, span: Span) -> Option<i32> {
        if self.state.programs.0.tablebases().is_none() {
            self.fault(span, "tablebase: no tables can be read here".to_owned());
            return None;
        }
        if self.here().board.occupied().len() > MOST_TABLE_PIECES
            || self.positions.rules() != Rules::Chess
            || !self.step()
            || !self.here().is_playable()
            || self.with_rights().castling != CastlingRights::NONE
        {
            return None;
        }
        let fen = self.standard_fen();
        self.state.programs.0.tablebases()?.probe(&fen, value)
    }

    pub(super) fn engine_text(&mut self, question: EngineQuestion, span: Span) -> Option<Vec<u8>> {
        let answer = self.analysis(question, span)?;
        match question.value {
            EngineValue::Pv => {
                Some(self.line_in_san(&answer.pv?).into_bytes()).filter(|line| !line.is_empty())
            }
            _ => answer.best_move.map(String::into_bytes),
        }
    }

    /// Converts moves from here in UCI notation to SAN. The line ends before a move that is not
    /// legal.
    fn line_in_san(&self, moves: &str) -> String {
        let mut there =
            Situation { position: self.with_rights(), ..self.positions.situation(self.at) };
        let mut line = String::new();
        let mut legal = MoveList::new();
        for uci in moves.split_ascii_whitespace() {
            there.moves(&mut legal);
            let Some(&mv) = legal.iter().find(|mv| mv.to_string() == uci) else {
                break;
            };
            if !line.is_empty() {
                line.push(' ');
            }
            line += there.san(mv).as_str();
            there = there.play(mv);
        }
        line
    }

    pub(super) fn engine_squares(&mut self, question: EngineQuestion, span: Span) -> SquareSet {
        let best = self.analysis(question, span).and_then(|answer| answer.best_move);
        let end = best.as_deref().and_then(|best| match question.value {
            EngineValue::To => best.get(2..4),
            _ => best.get(..2),
        });
        let square = end.and_then(|square| Square::parse(square.as_bytes()));
        square.map_or(SquareSet::EMPTY, SquareSet::from)
    }
}
