//! Finds tests of the targets of tried moves on the bare positions after these moves.
//!
//! `legal --(btm mate Qh7)` makes many positions of which few matter. The conditions of the target
//! on the board and the side to move are its [screen](super::screen), like that of a whole query.
//! Besides, if the target is a conjunction in which no filter before `check`, `mate` or `stalemate`
//! leaves a trace, it fails unnoticed wherever that condition does not hold. So moves that give no
//! check need not even be tried.

use syntax::builtin::Predicate;
use syntax::tree::Unplayed;

use super::choices::LoopVariables;
use crate::effects::{Analysis, Flags};
use crate::program::plan::{BareCondition, KingState, PositionScreen, Test, TrialPrefilter};
use crate::program::{BoolFilter, BoolId, Dash, Program};

/// Notes for each tried dash the tests of its target.
pub(super) fn find(program: &mut Program) {
    if !program.dashes.iter().any(|dash| dash.is_tried) {
        return;
    }
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let glances: Vec<Option<Box<TrialPrefilter>>> = (program.dashes.iter())
        .map(|dash| {
            let target = dash.target.filter(|_| dash.is_tried)?;
            let mut glance = glance_at(program, &mut analysis, &bound, target);
            glance.bare = bare_target(program, dash).filter(BareCondition::tries_moves);
            Some(Box::new(glance))
        })
        .collect();
    for (dash, glance) in program.dashes.iter_mut().zip(glances) {
        dash.glance = glance;
    }
}

fn glance_at<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
    target: BoolId,
) -> TrialPrefilter {
    let mut screen = PositionScreen::of_tried(program, analysis, bound, target);
    let king = king_state(analysis, target);
    let is_exact = screen.is_exact
        || king.is_some_and(|king| {
            let items = match &program.bools[target.0 as usize] {
                BoolFilter::All(items) => items,
                _ => std::slice::from_ref(&target),
            };
            items.iter().all(|&item| {
                state_of(&program.bools[item.0 as usize]) == Some(king)
                    || PositionScreen::of_tried(program, analysis, bound, item).is_exact_in_a_list()
            })
        });
    if matches!(king, Some(KingState::Check | KingState::Mate)) {
        // The state of the king is tested in any case.
        let tests = screen.tests.into_iter().filter(|test| !matches!(test, Test::Check));
        screen.tests = tests.collect();
    }
    TrialPrefilter { screen, king, is_exact, bare: None }
}

/// The state of the king that the target requires before it has an effect.
fn king_state(analysis: &mut Analysis<'_>, target: BoolId) -> Option<KingState> {
    let filter = &analysis.program().bools[target.0 as usize];
    let BoolFilter::All(items) = filter else {
        return state_of(filter);
    };
    for &item in items {
        if let Some(state) = king_state(analysis, item) {
            return Some(state);
        }
        let effects = analysis.bool(item);
        if !effects.is_pure() || effects.flags.has(Flags::COMMENTS | Flags::FAULTS) {
            return None;
        }
    }
    None
}

fn state_of(filter: &BoolFilter) -> Option<KingState> {
    match filter {
        BoolFilter::Predicate(Predicate::Check) => Some(KingState::Check),
        BoolFilter::Predicate(Predicate::Mate) => Some(KingState::Mate),
        BoolFilter::Predicate(Predicate::Stalemate) => Some(KingState::Stalemate),
        _ => None,
    }
}

/// The target of a dash that admits every move, if bare positions decide it.
fn bare_target(program: &Program, dash: &Dash) -> Option<BareCondition> {
    let is_free = dash.left.is_none() && dash.right.is_none() && dash.promotion.is_none();
    bare(program, dash.target.filter(|_| is_free && !dash.capture)?)
}

/// The condition on a bare position that a filter is.
fn bare(program: &Program, filter: BoolId) -> Option<BareCondition> {
    let all = |items: &[BoolId]| -> Option<Vec<BareCondition>> {
        items.iter().map(|item| bare(program, *item)).collect()
    };
    match &program.bools[filter.0 as usize] {
        BoolFilter::All(items) => {
            let mut items: Vec<BareCondition> = all(items)?;
            items.sort_by_cached_key(|item| u32::from(rank(item)));
            Some(BareCondition::All(items.into()))
        }
        BoolFilter::Any(items) => all(items).map(|items| BareCondition::Any(items.into())),
        BoolFilter::Not(item) => Some(BareCondition::Not(Box::new(bare(program, *item)?))),
        BoolFilter::Turn(color) => Some(BareCondition::Turn(*color)),
        BoolFilter::Call(arguments, body) if arguments.is_empty() => bare(program, *body),
        BoolFilter::Tried(tried) if tried.moves == Unplayed::Legal => {
            let target = Box::new(bare_target(program, &program.dashes[tried.dash.0 as usize])?);
            let of = if tried.all { BareCondition::AfterAll } else { BareCondition::AfterOne };
            Some(of(target))
        }
        filter => state_of(filter).map(BareCondition::King),
    }
}

/// The place of a condition among others that must hold, too: those that cost little come first, and
/// a test for moves that nearly always finds some comes last.
fn rank(condition: &BareCondition) -> u8 {
    match condition {
        BareCondition::Turn(_) => 0,
        BareCondition::King(KingState::Check) => 1,
        BareCondition::King(_) => 2,
        BareCondition::Not(item) => match **item {
            BareCondition::King(KingState::Mate | KingState::Stalemate) => 4,
            ref item => rank(item),
        },
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use board::Color;

    use super::super::testing::compiled;
    use crate::program::plan::KingState;

    /// The required state of the king, whether White to move is excluded, and whether the tests
    /// suffice.
    fn glance(target: &str) -> (Option<KingState>, bool, bool) {
        let program = compiled(&format!("legal --({target})"));
        // the dash of an inner target comes before
        let last = program.dashes.last().expect("a dash");
        let glance = last.glance.as_ref().expect("a target");
        let excludes_white = glance.excludes_turn(Color::White);
        (glance.king, excludes_white, glance.is_exact)
    }

    #[test]
    fn bare_positions_decide() {
        let is_bare = |target: &str| {
            let program = compiled(&format!("legal --({target})"));
            program.dashes.last().is_some_and(|dash| {
                dash.glance.as_ref().is_some_and(|glance| glance.bare.is_some())
            })
        };
        for target in [
            "not stalemate legal all --(legal --(mate))",
            "{btm check} or legal --(stalemate)",
            "legal --(not legal all --(wtm or check))",
        ] {
            assert!(is_bare(target), "{target}");
        }
        for target in [
            "mate",
            "legal k--(mate)",
            "legal --=Q(mate)",
            "legal [x]k(mate)",
            "pseudolegal --(mate)",
            "legal --(x=1 mate)",
            "Qh7 legal --(mate)",
            "legal --(mate) comment(\"x\")",
        ] {
            assert!(!is_bare(target), "{target}");
        }
    }

    #[test]
    fn what_is_told_of_targets() {
        use KingState::{Check, Mate, Stalemate};
        for (target, king, excludes_white, is_exact) in [
            ("mate", Some(Mate), false, true),
            ("btm check", Some(Check), true, true),
            ("Qh7 stalemate", Some(Stalemate), false, true),
            ("btm Qh7", None, true, true),
            ("mate from & Q", Some(Mate), false, false),
            // the optimizer may not look past a filter that leaves a trace
            (r#"comment("x") mate"#, None, false, false),
            ("x=1 btm mate", None, false, false),
            ("not check", None, false, true),
            ("check or mate", None, false, false),
            ("btm legal --(mate)", None, true, false),
            ("mate check", Some(Mate), false, true),
            ("initial", None, false, true),
            // the screen counts moves of the game only
            ("ply > 3", None, false, false),
            // the screen of both conditions is not exact, so it leaves `not` out
            ("not not wtm mate", Some(Mate), false, false),
        ] {
            assert_eq!(glance(target), (king, excludes_white, is_exact), "{target}");
        }
    }
}
