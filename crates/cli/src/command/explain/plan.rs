//! Describes the evaluation plan of a program in words.

use engine::plan::{EchoFacts, PlanSummary, SearchPlan, Visits};

use super::outline::wrapped;

/// Describes the evaluation plan: a heading, and a line for each fact.
pub(super) fn words(plan: &PlanSummary) -> String {
    let mut lines: Vec<(String, usize)> = Vec::new();
    // The images of a transform have equal lines.
    let mut add = |line: String| match lines.last_mut() {
        Some((last, n)) if *last == line => *n += 1,
        _ => lines.push((line, 1)),
    };
    if let Some((first, last)) = plan.game_numbers {
        add(format!("Games before number {first} are skipped; reading ends after number {last}."));
    }
    if plan.before_moves.is_empty() {
        add("The moves of every game are read: no condition on its tags comes first.".into())
    } else {
        add("Before the moves of a game are read, its tags are tested; if one of these does not hold, the game is skipped:".into());
        for condition in &plan.before_moves {
            add(format!("\t{condition}"));
        }
    }
    add(if plan.variations {
        "All positions are visited, those of variations too; the filters are tested in the order of the text, up to the first that does not match.".into()
    } else {
        "The positions of the main line are visited; the filters are tested in the order of the text, up to the first that does not match.".into()
    });
    if !plan.screen.is_empty() {
        add(if plan.screen_is_exact {
            "A quick test of the board decides: a position matches if all of this holds:".into()
        } else {
            "A quick test of the board comes first: the filters are evaluated only if all of \
                 this holds:"
                .into()
        });
        for condition in &plan.screen {
            add(format!("\t{condition}"));
        }
    }
    for find in &plan.finds {
        if find.remembers {
            add("The result of a `find` at one position is reused for the positions between it \
                 and the match."
                .into());
        }
        if !find.screen.is_empty() {
            add("A `find` evaluates its filter only at positions where all of this holds:".into());
            for condition in &find.screen {
                add(format!("\t{condition}"));
            }
        }
    }
    for &n in &plan.tables_of_images {
        add(format!(
            "A transform of pieces on squares: its {n} images are tested with one table lookup of \
             the pieces of a position."
        ));
    }
    for &n in &plan.lists_of_images {
        add(match n {
            1 => "A transform that changes nothing: one image.".into(),
            n => format!("A transform: {n} images, evaluated one after the other."),
        });
    }
    for search in &plan.searches {
        add(of_search(search));
    }
    for echo in &plan.echoes {
        add(of_echo(echo));
    }
    match plan.n_limited_counts {
        0 => {}
        1 => add("A count of legal moves stops as soon as its comparison is decided.".into()),
        n => {
            add(format!("{n} counts of legal moves stop as soon as their comparisons are decided."))
        }
    }
    if plan.n_shared_targets > 0 {
        add("The conditions of `relation` on the other position are tested once for every \
             position."
            .into());
    }
    if let Some((least, most)) = plan.match_count {
        add(format!("A game matches if {least} to {most} of its positions do."));
    }
    for (place, key) in plan.sort_keys.iter().enumerate() {
        add(format!(
            "{} by \"{}\", {} first.",
            match place {
                0 => "Games are sorted",
                _ => "Games with equal values are sorted",
            },
            String::from_utf8_lossy(&key.label),
            if key.ascending { "least" } else { "greatest" },
        ));
    }
    add(match plan.sequential_reason {
        Some(reason) => format!("One thread, because {reason}."),
        None => "The search uses all processors: no game depends on another.".into(),
    });
    let mut out = "Evaluation plan\n".to_owned();
    for (line, n) in lines {
        let times = match n {
            1 => String::new(),
            n => format!(" ({n} times)"),
        };
        // A line that begins with a tab belongs to the line before.
        let (indent, line) = match line.strip_prefix('\t') {
            Some(line) => (4, line),
            None => (2, line.as_str()),
        };
        wrapped(&mut out, "", indent, &format!("- {line}{times}"));
    }
    out
}

fn of_search(search: &SearchPlan) -> String {
    let kind = if search.is_path { "path" } else { "line" };
    let visits = match search.visits {
        Visits::EachTime => "visited depth first",
        Visits::OnceForEachStart => "each visited once for every start and position",
        Visits::OnceForEachGame => "each visited once for every position, for all starts together",
    };
    let first = if search.tries_first_move {
        "; positions without a move of its first kind are skipped"
    } else {
        ""
    };
    let n = search.n_places;
    format!("A {kind} is an automaton of {n} places, {visits}{first}.")
}

fn of_echo(echo: &EchoFacts) -> String {
    let mut parts = Vec::new();
    let conditions = |n: usize| match n {
        1 => "1 condition".to_owned(),
        n => format!("{n} conditions"),
    };
    if echo.n_keys > 0 {
        parts.push(format!(
            "other positions are looked up by {} that must be equal",
            match echo.n_keys {
                1 => "a value".to_owned(),
                n => format!("{n} values"),
            }
        ));
    }
    if echo.n_target_conditions > 0 {
        parts.push(format!(
            "{} on the other position alone tested once per position",
            conditions(echo.n_target_conditions)
        ));
    }
    if echo.n_source_conditions > 0 {
        parts.push(format!(
            "{} on the current position alone tested first",
            conditions(echo.n_source_conditions)
        ));
    }
    if echo.one_direction {
        parts.push("only positions on one side of the current one".to_owned());
    }
    if parts.is_empty() {
        "An echo evaluates its filter for every pair of positions.".to_owned()
    } else {
        format!("An echo does not try every pair of positions: {}.", parts.join("; "))
    }
}
