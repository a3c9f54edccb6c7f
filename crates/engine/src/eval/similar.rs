//! `similarposition`.

use super::Evaluator;
use crate::program::Similar;

impl Evaluator<'_> {
    pub(super) fn similar_position(&mut self, _similar: &Similar) -> bool {
        false
    }
}
