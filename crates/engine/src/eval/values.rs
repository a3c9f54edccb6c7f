//! Evaluates named expressions at a matching position, after the query.

use super::evaluator::Evaluator;
use super::slot::Computed;
use crate::row::RowValue;
use compiler::program::Value;

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
