//! Removes comments that are not made, and values of `sort` that are not kept.
//!
//! If no comments are made, `comment` only evaluates its items; if these have no effects and cannot
//! fail, it does nothing but match. If only the numbers of matches are wanted, `sort` is replaced by
//! its argument. Conditions are left, which other passes can look through.

use syntax::tree::CommentLevel;

use super::choices::LoopVariables;
use crate::effects::Analysis;
use crate::limits::Limits;
use crate::program::{
    BoolFilter, BoolId, Flow, NumFilter, PosFilter, Program, RelationParameter, SetFilter,
    TextFilter,
};

/// Removes comments and values of `sort` that the settings leave out.
pub(super) fn remove(program: &mut Program) {
    // Texts of comments may be too long for a limit that is set.
    if program.settings.level == CommentLevel::Silent
        && program.settings.limits == Limits::default()
    {
        remove_comments(program);
    }
    if program.settings.only_counts && !program.sorts.is_empty() {
        remove_sorts(program);
    }
}

fn remove_comments(program: &mut Program) {
    let is_comment = |filter: &BoolFilter| matches!(filter, BoolFilter::Comment(_));
    if !program.bools.iter().any(is_comment) {
        return;
    }
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let comments = (0_u32..).zip(&program.bools).filter(|(_, filter)| is_comment(filter));
    let unseen = comments.filter(|(id, _)| bound.is_silent(&analysis.bool(BoolId(*id))));
    let unseen: Vec<u32> = unseen.map(|(id, _)| id).collect();
    for id in unseen {
        program.bools[id as usize] = BoolFilter::Constant(true);
    }
}

/// Replaces each `sort` of an arena by its argument; an argument comes before its `sort`.
macro_rules! replace_sorts {
    ($program:ident: $($arena:ident $filter:ident,)*) => {
        $(for index in 0..$program.$arena.len() {
            if let $filter::Flow(Flow::Sort(_, sort)) = &$program.$arena[index] {
                $program.$arena[index] = $program.$arena[sort.body.0 as usize].clone();
            }
        })*
    };
}

fn remove_sorts(program: &mut Program) {
    replace_sorts! { program:
        sets SetFilter,
        nums NumFilter,
        texts TextFilter,
        positions PosFilter,
    }
    for index in 0..program.bools.len() {
        if let BoolFilter::HasNumber(number) = program.bools[index] {
            match program.nums[number.0 as usize] {
                NumFilter::Relation(relation, left, right) => {
                    program.bools[index] = BoolFilter::CompareNumbers(relation, left, right);
                }
                NumFilter::Path(path) => program.bools[index] = BoolFilter::Path(path),
                _ => {}
            }
        }
    }
    if !has_other_keys(program) {
        program.sorts.clear();
        program.n_sort_filters = 0;
        program.sorted = None;
    }
}

/// Whether filters other than `sort` have keys by which games are sorted.
fn has_other_keys(program: &Program) -> bool {
    let is_key = |parameter: &RelationParameter| {
        matches!(parameter, RelationParameter::Distance { sort: Some(_), .. })
    };
    let in_bools = program.bools.iter().any(|filter| match filter {
        BoolFilter::HhdbAward(award) => award.sort.is_some(),
        BoolFilter::SimilarPosition(similar) => similar.sort.is_some(),
        BoolFilter::Relation(relation) => relation.parameters.iter().any(is_key),
        _ => false,
    });
    let mut nums = program.nums.iter();
    in_bools || nums.any(|n| matches!(n, NumFilter::HhdbAward(award) if award.sort.is_some()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use syntax::parse::Source;

    use crate::limits::Limits;
    use crate::program::{Program, SetFilter};
    use crate::{CompileOptions, compile};

    fn compiled(query: &str, options: &CompileOptions) -> Arc<Program> {
        let source = Source { name: "test.cql", text: query.as_bytes() };
        let compiled = compile(&source, &[], options);
        compiled.program.unwrap_or_else(|| panic!("{query}"))
    }

    #[test]
    fn only_conditions_are_left_of_a_query_that_counts() {
        let counting = CompileOptions { only_counts: true, ..CompileOptions::default() };
        // Whether the test of a position is all of the query.
        let is_exact =
            |query: &str, options: &CompileOptions| compiled(query, options).screen.is_exact;
        for (query, expected) in [
            ("cql() #Q==2 comment(\"two\")", true),
            ("cql() sort \"queens\" #Q>=2", true),
            ("cql() sort \"queens\" #Q>=2 sort \"rooks\" #R>=1 comment(\"a\" #R)", true),
            ("cql() #Q==2 message(\"two\")", false),
            ("cql() x=1 #Q==2 comment(x)", false),
            ("cql() #Q==2 x=1 comment(x)", false),
        ] {
            assert_eq!(is_exact(query, &counting), expected, "{query}");
            assert!(!is_exact(query, &CompileOptions::default()), "{query}");
        }
        // The limits of comments count if they are set.
        let limits = Limits { comments: 1, ..Limits::default() };
        let limited = CompileOptions { limits, ..counting };
        assert!(!is_exact("cql() #Q==2 comment(\"two\")", &limited));
    }

    #[test]
    fn keys_of_games_are_those_that_are_left() {
        let counting = CompileOptions { only_counts: true, ..CompileOptions::default() };
        let n_keys = |query: &str| compiled(query, &counting).sort_labels().len();
        assert_eq!(n_keys("cql() sort \"queens\" #Q>=2"), 0);
        assert_eq!(n_keys("cql() sort \"fen\" fen"), 0);
        assert_eq!(n_keys("cql() sort \"queens\" #Q>=2 hhdb sort award"), 4);
        let program = compiled("cql() square x in Q {sort \"reach\" #(a attacks x)>=2}", &counting);
        let has_condition =
            |set: &SetFilter| matches!(set, SetFilter::Loop(of) if of.condition.is_some());
        assert!(program.sets.iter().any(has_condition));
    }
}
