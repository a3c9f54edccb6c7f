use syntax::tree::Repeat;

use super::build::{TooDeep, of_path};
use super::*;
use crate::program::Constituent;

const ROOM: u32 = 1000;

fn dash(repeat: Option<Repeat>) -> Constituent {
    Constituent::Dash(DashId(0), repeat)
}

fn group(members: Vec<Constituent>, repeat: Repeat) -> Constituent {
    Constituent::Group(members.into(), Some(repeat))
}

fn test() -> Constituent {
    Constituent::Filter(BoolId(0))
}

fn times(min: u32, max: u32) -> Repeat {
    Repeat::Times { min, max }
}

fn automaton(constituents: &[Constituent]) -> Automaton {
    of_path(constituents).expect("a shallow pattern")
}

/// Numbers of moves up to `most` with which the pattern can be completed, in the order in which
/// they are found depth first.
fn lengths(automaton: &Automaton, most: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut tasks = vec![(Automaton::START, 0)];
    let mut n_steps = 0;
    while let Some((state, n_moves)) = tasks.pop() {
        n_steps += 1;
        assert!(n_steps < 1_000_000, "no end");
        match automaton.step(state, ROOM) {
            Instr::Test(_, next) => tasks.push((next, n_moves)),
            Instr::Move(_, next) if n_moves < most => tasks.push((next, n_moves + 1)),
            Instr::Fork(first, second) => tasks.extend([(second, n_moves), (first, n_moves)]),
            Instr::End if !found.contains(&n_moves) => found.push(n_moves),
            _ => {}
        }
    }
    found
}

#[test]
fn repetitions_take_the_moves_they_say() {
    use Repeat::{Optional, Plus, Star};
    let check = |constituents: &[Constituent], want: &[u32]| {
        let found = lengths(&automaton(constituents), 6);
        assert_eq!(found, want, "{constituents:?}");
    };
    check(&[], &[0]);
    check(&[dash(None), dash(None)], &[2]);
    check(&[dash(Some(Optional))], &[0, 1]);
    check(&[dash(Some(Star))], &[0, 1, 2, 3, 4, 5, 6]);
    check(&[dash(Some(Plus))], &[1, 2, 3, 4, 5, 6]);
    check(&[dash(Some(times(2, 4))), dash(None)], &[3, 4, 5]);
    check(&[dash(Some(times(3, 100_000)))], &[3, 4, 5, 6]);
    check(&[dash(Some(times(0, 0)))], &[0]);
    check(&[dash(Some(times(1, 1)))], &[1]);
    check(&[group(vec![dash(None), dash(None)], Star)], &[0, 2, 4, 6]);
    let pair = group(vec![dash(None), dash(None)], times(1, 2));
    check(&[group(vec![pair, dash(None)], times(1, 2))], &[3, 6, 5]);
    let nested = group(vec![dash(Some(Plus))], Plus);
    check(&[nested], &[1, 2, 3, 4, 5, 6]);
    // iterations that take nothing
    check(&[group(vec![test()], Star)], &[0]);
    check(&[group(vec![test()], Plus)], &[0]);
    check(&[group(vec![dash(Some(Optional))], Plus)], &[0, 1, 2, 3, 4, 5, 6]);
    check(&[group(vec![dash(Some(Optional))], times(2, 2))], &[0, 1, 2]);
    let inner = group(vec![dash(Some(Star))], Star);
    check(&[group(vec![inner, test()], Star)], &[0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn numbers_of_iterations_are_merged_where_they_cannot_matter() {
    let automaton = automaton(&[dash(Some(times(2, 50)))]);
    let arrivals = |room: u32| {
        let mut seen = Vec::new();
        let mut state = Automaton::START;
        for _ in 0..20 {
            while let Instr::Fork(_, second) = automaton.step(state, room) {
                state = second;
            }
            let Instr::Move(_, next) = automaton.step(state, room) else {
                break;
            };
            seen.push(automaton.arrival(next));
            state = next;
        }
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    };
    assert_eq!(arrivals(1000), 20);
    assert_eq!(arrivals(10), 3);
}

#[test]
fn tables_are_wanted_where_they_pay() {
    use Repeat::{Optional, Star};
    for (constituents, want) in [
        (vec![dash(None), dash(None)], false),
        (vec![dash(Some(times(4, 4)))], false),
        (vec![dash(Some(Optional)), dash(None)], false),
        (vec![dash(Some(Optional)), dash(Some(Optional))], true),
        (vec![dash(Some(Star))], true),
        (vec![group(vec![dash(Some(Optional))], times(2, 2))], true),
        (vec![dash(Some(times(500, 500)))], true),
    ] {
        assert_eq!(automaton(&constituents).wants_table, want, "{constituents:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut pattern = dash(Some(times(0, 99_999)));
    for _ in 0..2 {
        pattern = group(vec![pattern], times(0, 99_999));
    }
    assert!(of_path(&[pattern.clone()]).is_ok());
    let deeper = group(vec![pattern], times(0, 99_999));
    assert_eq!(of_path(&[deeper]).err(), Some(TooDeep));
}

#[test]
fn a_move_is_required_where_there_is_no_way_around_it() {
    use Repeat::{Optional, Plus, Star};
    let wanted = |repeat| Constituent::Dash(DashId(1), repeat);
    let check = |constituents: &[Constituent], want: bool| {
        let found = automaton(constituents).requires(|dash| dash == DashId(1));
        assert_eq!(found, want, "{constituents:?}");
    };
    check(&[dash(None), test()], false);
    check(&[dash(Some(Star)), wanted(None)], true);
    check(&[wanted(Some(Plus)), dash(None)], true);
    for maybe in [Star, Optional, times(0, 3)] {
        check(&[dash(None), wanted(Some(maybe))], false);
    }
    check(&[wanted(Some(times(2, 3)))], true);
    check(&[group(vec![test(), wanted(None)], times(1, 4))], true);
    check(&[group(vec![test(), wanted(None)], times(0, 4))], false);
    check(&[group(vec![wanted(Some(Star))], Plus), dash(None)], false);
}
