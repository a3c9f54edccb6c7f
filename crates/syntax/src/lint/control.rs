//! Warns of `if` used as a condition.

use super::Linter;
use super::place::FilterContext;
use crate::builtin::{Constant, Nullary};
use crate::diagnostic::Diagnostic;
use crate::tree::{Filter, FilterKind};

impl Linter<'_> {
    /// Warns of `if A then B` without `else` and without effects in B: it also matches if A does
    /// not.
    pub(super) fn if_as_condition(&mut self, filter: &Filter, place: FilterContext) {
        let FilterKind::If(test, then, None) = &filter.kind else {
            return;
        };
        // `if A then false` is clear enough.
        let is_constant = matches!(
            then.kind,
            FilterKind::Nullary(Nullary::Constant(Constant::False | Constant::True))
        );
        if !place.asked || is_constant || does_something(then, &mut { MOST }) {
            return;
        }
        let (test, then) = (self.text(test.span), self.text(then.span));
        let help = match test.len() + then.len() {
            0..=40 if !test.contains('\n') && !then.contains('\n') => format!(
                "for both write `{{{test} {then}}}`; if this is meant, `not {{{test}}} or {{{then}}}`"
            ),
            _ => "for both write `{A B}`; if this is meant, `not A or B`".to_owned(),
        };
        let message = "an `if` without `else` also matches where its condition does not";
        let mut span = filter.span;
        span.end = span.start + 2;
        let warning = Diagnostic::warning("W0411", span, message);
        self.warnings.push(warning.with_help(help));
    }
}

/// Maximum number of filters that are searched; larger filters are not reported.
const MOST: usize = 1000;

/// Whether a filter has effects besides matching. At most `n_left` filters are searched.
fn does_something(filter: &Filter, n_left: &mut usize) -> bool {
    use FilterKind as K;
    if *n_left == 0 {
        return true;
    }
    *n_left -= 1;
    let does = match &filter.kind {
        K::HhdbAward(award) => award.sort.is_some(),
        K::Assign { .. }
        | K::AssignPiece(..)
        | K::AssignSlice { .. }
        | K::AssignEntry(..)
        | K::Unbind(_)
        | K::UnbindDictionary(_)
        | K::UnbindEntry(..)
        | K::Assert(_)
        | K::RemoveComment
        | K::Comment(_)
        | K::Message { .. }
        | K::WriteFile(..)
        | K::SetTag(..)
        | K::Sort { .. }
        | K::Match { .. }
        | K::WhileMatch { .. } => true,
        // These comment the positions they find.
        K::Find(find) => !find.quiet,
        K::Echo(echo) => !echo.quiet,
        K::ConsecutiveMoves(consecutive) => !consecutive.quiet,
        K::Path(path) => !path.flags.quiet,
        K::Line(line) => !line.flags.quiet,
        _ => false,
    };
    let mut does = does;
    filter.for_each_child(&mut |child| does = does || does_something(child, n_left));
    does
}
