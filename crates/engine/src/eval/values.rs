//! Evaluates named expressions at a matching position, after the query.

use super::evaluator::Evaluator;
use super::slot::Computed;
use crate::row::RowValue;
use compiler::program::{Program, TextFilter, Value};
use openings::Opening;
use syntax::builtin::PositionText;

/// Returns the values of the named expressions of a program all of whose values are those of the
/// game ([`Program::has_values_of_game`]).
pub(crate) fn values_of_game(
    program: &Program,
    opening: Option<&Opening>,
) -> impl Iterator<Item = RowValue> {
    program.values.iter().map(move |named| {
        let Value::Text(id) = named.value else {
            return RowValue::None;
        };
        let is_code = matches!(
            program.texts[id.0 as usize],
            TextFilter::OfPosition(PositionText::OpeningCode)
        );
        let text = opening.map(|known| if is_code { known.eco() } else { known.name() });
        text.map_or(RowValue::None, |text| RowValue::Text(text.into()))
    })
}

impl Evaluator<'_> {
    /// Returns the values of the named expressions at a position. Variables have the values that
    /// the query left; comments made by the expressions are dropped.
    pub(crate) fn values_at(&mut self, position: u32) -> Vec<RowValue> {
        let program = self.program;
        self.root = position;
        self.go_to(position);
        let mark = self.mark();
        let kept = self.state.kept_notes.len();
        let values = program.values.iter().map(|named| self.row_value(named.value)).collect();
        self.drop_comments(mark);
        self.state.kept_notes.truncate(kept);
        values
    }

    fn row_value(&mut self, value: Value) -> RowValue {
        match self.value(value) {
            None => RowValue::None,
            Some(Computed::Bool(value)) => RowValue::Boolean(value),
            Some(Computed::Num(value)) => RowValue::Number(value.into()),
            Some(Computed::Text(value)) => RowValue::Text(value),
            Some(Computed::Set(value)) => RowValue::Squares(value),
            Some(Computed::Pos(value)) => RowValue::Position(value),
        }
    }
}
