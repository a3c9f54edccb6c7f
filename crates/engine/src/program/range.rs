//! Ranges of numbers.

use syntax::Span;
use syntax::tree::VariableId;

/// A number that may be known only at run time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound {
    Constant(i32),
    Variable {
        id: VariableId,
        negated: bool,
        span: Span,
    },
}

/// A range, both ends included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) min: Bound,
    pub(crate) max: Bound,
}

/// A range that is known when compiling, both ends included.
pub(crate) type Counts = std::ops::RangeInclusive<i32>;
