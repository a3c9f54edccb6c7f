//! Finds the number by which a query ranks games, if it is a likeness.
//!
//! A search for the games with the greatest numbers may leave out a game before it evaluates it, if
//! the number of the game is too low and no filter beside the ranking has an effect, comments or may
//! fail. Other conditions only make the number of a game lower.

use syntax::tree::{Arithmetic, SortId};

use super::choices::LoopVariables;
use crate::effects::{Analysis, Flags};
use crate::program::plan::Ranking;
use crate::program::*;

/// Notes the ranking of a program that has one.
pub(super) fn find(program: &mut Program) {
    if program.n_sort_filters == 1 && program.sequential_reason().is_none() {
        program.ranking = ranking(program);
    }
}

fn ranking(program: &Program) -> Option<Ranking> {
    let mut found = Ranking::default();
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let root = [program.root];
    let items = match &program.bools[program.root.0 as usize] {
        BoolFilter::All(items) => &**items,
        _ => &root,
    };
    for &item in items {
        let effects = analysis.bool(item);
        if bound.is_silent(&effects) && !effects.flags.has(Flags::COMMENTS) {
            continue;
        }
        let number = match program.bools[item.0 as usize] {
            BoolFilter::HasNumber(number) => number,
            BoolFilter::CompareNumbers(_, number, right) => {
                constant(program, right)?;
                number
            }
            _ => return None,
        };
        let NumFilter::Flow(Flow::Sort(SortId(0), sort)) = &program.nums[number.0 as usize] else {
            return None;
        };
        if sort.ascending || !found.take(program, sort.body, 0) {
            return None;
        }
    }
    (!found.images.is_empty()).then_some(found)
}

fn constant(program: &Program, id: NumId) -> Option<i32> {
    match program.nums[id.0 as usize] {
        NumFilter::Constant(number) => Some(number),
        _ => None,
    }
}

impl Ranking {
    /// Takes the likenesses of which a number is the greatest, less `penalty`. Returns `false` if it
    /// is something else.
    fn take(&mut self, program: &Program, id: NumId, penalty: i32) -> bool {
        match &program.nums[id.0 as usize] {
            NumFilter::Likeness(_) => {
                self.images.push((id, penalty));
                true
            }
            NumFilter::Arithmetic(Arithmetic::Subtract, left, right) => {
                let penalty =
                    constant(program, *right).and_then(|number| penalty.checked_add(number));
                penalty.is_some_and(|penalty| self.take(program, *left, penalty))
            }
            NumFilter::Extremum { max: true, items } => {
                items.iter().all(|item| self.take(program, *item, penalty))
            }
            // The value of a comparison that holds is its left side.
            NumFilter::Relation(_, left, right) => {
                constant(program, *right).is_some() && self.take(program, *left, penalty)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::compiled;

    #[test]
    fn likenesses_rank_games_if_nothing_else_is_missed() {
        let own = "likeness(\"4k3/8/8/8/8/8/8/4K3\")";
        for (query, penalties) in [
            ("sort OWN", &[0][..]),
            ("wtm not (gamenumber==3) sort OWN check", &[0]),
            ("sort (max(OWN OWN-5))", &[0, 5]),
            ("(sort (OWN>=70))", &[0]),
            ("(sort OWN)>=70", &[0]),
            ("sort min \"x\" OWN", &[]),
            ("sort (min(OWN OWN-5))", &[]),
            ("sort (100-OWN)", &[]),
            ("sort ply OWN", &[]),
            ("comment(\"a\") sort OWN", &[]),
            ("message(\"a\") sort OWN", &[]),
            ("x=1 sort OWN", &[]),
            ("x=1 sort (OWN-x)", &[]),
            ("check or (sort OWN)", &[]),
            ("sort OWN sort \"other\" ply", &[]),
            ("persistent x += 1 sort OWN", &[]),
            ("OWN", &[]),
        ] {
            let query = query.replace("OWN", own);
            let ranking = compiled(&query).ranking.clone();
            let found: Vec<i32> = ranking.iter().flat_map(|r| &r.images).map(|i| i.1).collect();
            assert_eq!(found, penalties, "{query}");
        }
    }
}
