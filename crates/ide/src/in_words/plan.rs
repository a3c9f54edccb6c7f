//! Describes the evaluation plan of a program in words.

use compiler::plan::{EchoFacts, PlanSummary, SearchPlan, Visits};

use super::outline::wrapped;

/// Describes the evaluation plan in lines of this width: a heading, and a line for each fact.
pub fn words(plan: &PlanSummary, width: usize) -> String {
    let mut lines = Lines::default();
    add_games(plan, &mut lines);
    add_screens(plan, &mut lines);
    add_filters(plan, &mut lines);
    add_results(plan, &mut lines);
    lines.text(width)
}

/// Lines of the description, each with the number of times that it follows itself: the images of a
/// transform have equal lines. A line that begins with a tab belongs to the line before.
#[derive(Default)]
struct Lines(Vec<(String, usize)>);

impl Lines {
    fn add(&mut self, line: impl Into<String>) {
        let line = line.into();
        match self.0.last_mut() {
            Some((last, n)) if *last == line => *n += 1,
            _ => self.0.push((line, 1)),
        }
    }

    fn add_conditions(&mut self, conditions: &[String]) {
        conditions.iter().for_each(|condition| self.add(format!("\t{condition}")));
    }

    fn text(&self, width: usize) -> String {
        let mut out = "Evaluation plan\n".to_owned();
        for (line, n) in &self.0 {
            let times = match n {
                1 => String::new(),
                n => format!(" ({n} times)"),
            };
            let (indent, line) = match line.strip_prefix('\t') {
                Some(line) => (4, line),
                None => (2, line.as_str()),
            };
            wrapped(&mut out, "", indent, width, &format!("- {line}{times}"));
        }
        out
    }
}

/// Adds the games and positions that are read.
fn add_games(plan: &PlanSummary, lines: &mut Lines) {
    if let Some((first, last)) = plan.game_numbers {
        lines.add(format!(
            "Games before number {first} are skipped; reading ends after number {last}."
        ));
    }
    if plan.before_moves.is_empty() {
        lines.add("The moves of every game are read: no condition on its tags comes first.")
    } else {
        lines.add(
            "Before the moves of a game are read, its tags are tested; if one of these does not \
             hold, the game is skipped:",
        );
        lines.add_conditions(&plan.before_moves);
    }
    lines.add(if plan.variations {
        "All positions are visited, those of variations too; the filters are tested in the order \
         of the text, up to the first that does not match."
    } else {
        "The positions of the main line are visited; the filters are tested in the order of the \
         text, up to the first that does not match."
    });
}

/// Adds the quick tests of positions.
fn add_screens(plan: &PlanSummary, lines: &mut Lines) {
    if !plan.screen.is_empty() {
        lines.add(if plan.screen_is_exact {
            "A quick test of the board decides: a position matches if all of this holds:"
        } else {
            "A quick test of the board comes first: the filters are evaluated only if all of this \
             holds:"
        });
        lines.add_conditions(&plan.screen);
    }
    for find in &plan.finds {
        if find.remembers {
            lines.add(
                "The result of a `find` at one position is reused for the positions between it \
                 and the match.",
            );
        }
        if !find.screen.is_empty() {
            lines.add("A `find` evaluates its filter only at positions where all of this holds:");
            lines.add_conditions(&find.screen);
        }
    }
}

/// Adds how filters of several positions are evaluated.
fn add_filters(plan: &PlanSummary, lines: &mut Lines) {
    for &n in &plan.tables_of_images {
        lines.add(format!(
            "A transform of pieces on squares: its {n} forms are tested all at once."
        ));
    }
    for &n in &plan.lists_of_images {
        lines.add(match n {
            1 => "A transform leaves its condition as it is.".to_owned(),
            n => format!(
                "A transform makes {n} forms of its condition, which are tested one after the other."
            ),
        });
    }
    plan.searches.iter().for_each(|search| lines.add(of_search(search)));
    plan.echoes.iter().for_each(|echo| lines.add(of_echo(echo)));
    match plan.n_limited_counts {
        0 => {}
        1 => lines.add("A count of legal moves stops as soon as its comparison is decided."),
        n => lines.add(format!(
            "{n} counts of legal moves stop as soon as their comparisons are decided."
        )),
    }
    if plan.n_shared_targets > 0 {
        lines.add(
            "The conditions of `relation` on the other position are tested once for every \
             position.",
        );
    }
}

/// Adds which games match, their order, and the threads.
fn add_results(plan: &PlanSummary, lines: &mut Lines) {
    if let Some((least, most)) = plan.match_count {
        let range = syntax::explain::range(least, most);
        lines.add(format!("A game matches if {range} of its positions do."));
    }
    for (place, key) in plan.sort_keys.iter().enumerate() {
        let which = if place == 0 { "Games" } else { "Games with equal values" };
        let by = match syntax::explain::label_of_sort(&key.label) {
            Some(label) => format!("by \"{label}\""),
            None => "by the value of `sort`".to_owned(),
        };
        let first = if key.ascending { "least" } else { "greatest" };
        lines.add(format!("{which} are sorted {by}, {first} first."));
    }
    lines.add(match plan.sequential_reason {
        Some(reason) => format!("The search uses only one processor, because {reason}."),
        None => "The search uses all processors: no game depends on another.".to_owned(),
    });
}

fn of_search(search: &SearchPlan) -> String {
    let kind = if search.is_path { "path" } else { "line" };
    let visits = match search.visits {
        Visits::EachTime => "each way to go on is tried up to its end",
        Visits::OnceForEachStart => "no position is tried twice from the same start",
        Visits::OnceForEachGame => "no position of the game is tried twice",
    };
    let first = if search.tries_first_move {
        "; it begins only where a move of its first kind is played"
    } else {
        ""
    };
    format!("A {kind} is followed move by move: {visits}{first}.")
}

fn of_echo(echo: &EchoFacts) -> String {
    let add = |n: usize, says: String| (n > 0).then_some(says);
    let conditions = |n: usize| match n {
        1 => "1 condition".to_owned(),
        n => format!("{n} conditions"),
    };
    let values = match echo.n_keys {
        1 => "a value".to_owned(),
        n => format!("{n} values"),
    };
    let (n_of_other, n_of_here) = (echo.n_target_conditions, echo.n_source_conditions);
    let (of_other, of_here) = (conditions(n_of_other), conditions(n_of_here));
    let parts = [
        add(echo.n_keys, format!("other positions are looked up by {values} that must be equal")),
        add(n_of_other, format!("{of_other} on the other position alone tested once per position")),
        add(n_of_here, format!("{of_here} on the current position alone tested first")),
        echo.one_direction.then(|| "only positions on one side of the current one".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "An echo evaluates its filter for every pair of positions.".to_owned()
    } else {
        format!("An echo does not try every pair of positions: {}.", parts.join("; "))
    }
}
