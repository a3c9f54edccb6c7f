//! `cql stats GAMES… --compare A B`: the scores of the games of two queries, and their difference.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use babson::{GameSet, Query, ScanPlan, Search};
use engine::{CompileOptions, Program};
use serde::Serialize;
use survey::prepare::Figures;
use table::{MatchedDifference, OutcomeWriter, ScoreComparison, difference, rounded};

use super::StatsArgs;
use crate::args::is_query_file;
use crate::command::choosing::Chosen;
use crate::command::counting::Watcher;
use crate::command::text;
use crate::failure::Failure;
use crate::games::tell_unused;
use crate::interrupt;
use crate::report::{ReportStyle, SourceText};
use crate::search::pass::Context;

/// Comparison as written in JSON.
#[derive(Serialize)]
struct ComparisonReport<'q> {
    queries: [QueryReport<'q>; 2],
    /// Number of games of both queries.
    games_of_both: u64,
    difference: Option<f64>,
    difference_low: Option<f64>,
    difference_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<Matched>,
}

/// Games of a query.
#[derive(Serialize)]
struct QueryReport<'q> {
    query: &'q str,
    #[serde(flatten)]
    figures: Figures,
}

/// Difference of games that are alike.
#[derive(Serialize)]
struct Matched {
    difference: f64,
    difference_low: f64,
    difference_high: f64,
    games: [u64; 2],
    classes: u64,
}

/// Searches the games with both queries and prints the comparison.
pub(super) fn run(
    arguments: &StatsArgs,
    queries: &[String],
    plan: &ScanPlan<'_>,
    chosen: Chosen,
) -> Result<(), Failure> {
    let limits = arguments.reading.limits()?.query;
    let programs: Vec<Arc<Program>> =
        queries.iter().map(|query| program(query, limits.clone())).collect::<Result<_, _>>()?;
    let score_of = arguments.score_of.as_ref().map(|name| name.to_lowercase());
    let wanted = programs.into_iter().map(|program| {
        let writer = OutcomeWriter { score_of: score_of.clone() };
        Query::new(program).with_writer(move || Some(Box::new(writer.clone()))).unsorted()
    });
    let search = Search::new(plan, wanted)
        .threads(arguments.reading.threads())
        .choosing(chosen.games)
        .cancel(interrupt::cancel());
    let mut watcher = Watcher::new(plan.inputs, arguments.progress);
    watcher.start();
    let mut comparison = ScoreComparison::default();
    let mut numbers: [Vec<u64>; 2] = Default::default();
    let searched = search.run(&mut tell_unused, &mut |chunk| {
        watcher.see(&chunk.output, &chunk.output.faults);
        for (query, found) in chunk.output.results.iter().enumerate().take(2) {
            for game in &found.matches {
                comparison.add(query, &found.text[game.text.clone()]);
                numbers[query].push(game.number);
            }
        }
        Ok::<_, io::Error>(ControlFlow::Continue(()))
    });
    watcher.stop();
    searched.map_err(|error| Context::reading(plan.inputs).failure(error))?;
    tell!("{}{}", watcher.sources.finish()?, watcher.defects.summary());
    let report = report(arguments, queries, &comparison, numbers);
    if arguments.reading.json {
        text::print(text::json(&report)?.as_bytes())?;
    } else {
        text::show(&table(&report, arguments))?;
    }
    tell!("{}", watcher.sources.summary());
    if watcher.is_complete() && !chosen.has_failed { Ok(()) } else { Err(Failure::Reported) }
}

/// Compiles a query: the name of its file, or filters.
fn program(query: &str, limits: engine::Limits) -> Result<Arc<Program>, Failure> {
    let source = if is_query_file(query.as_ref()) {
        text::read(Path::new(query))?
    } else {
        SourceText::new("--compare", query)
    };
    let none = SourceText::new("query", "cql() true");
    let sources = if is_query_file(query.as_ref()) { vec![source] } else { vec![none, source] };
    let options = CompileOptions { limits, ..CompileOptions::default() };
    text::compile(&sources, &options, ReportStyle::default())
}

fn report<'q>(
    arguments: &StatsArgs,
    queries: &'q [String],
    comparison: &ScoreComparison,
    numbers: [Vec<u64>; 2],
) -> ComparisonReport<'q> {
    let first: GameSet = numbers[0].iter().copied().collect();
    let games_of_both = numbers[1].iter().filter(|&&number| first.has(number)).count() as u64;
    let [a, b] = &comparison.scores;
    let plain = difference(a, b);
    let matched = comparison.matched().filter(|_| arguments.matched);
    ComparisonReport {
        queries: [0, 1].map(|query| QueryReport {
            query: queries.get(query).map_or("", String::as_str),
            figures: Figures::new(numbers[query].len() as u64, &comparison.scores[query]),
        }),
        games_of_both,
        difference: plain.map(|(difference, _)| rounded(difference)),
        difference_low: plain.map(|(_, [low, _])| rounded(low)),
        difference_high: plain.map(|(_, [_, high])| rounded(high)),
        matched: matched.map(|MatchedDifference { difference, interval, games, classes }| {
            Matched {
                difference: rounded(difference),
                difference_low: rounded(interval[0]),
                difference_high: rounded(interval[1]),
                games,
                classes,
            }
        }),
    }
}

/// Formats the comparison as a table.
fn table(report: &ComparisonReport<'_>, arguments: &StatsArgs) -> String {
    let percent = |share: f64| format!("{}%", (100.0 * share).round());
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let results =
        if arguments.score_of.is_some() { "  won drawn  lost" } else { "white  draw black" };
    let mut text = format!("     games {results}  score      95%   exp   elo  perf rated\n");
    for (name, QueryReport { query, figures }) in ["A", "B"].iter().zip(&report.queries) {
        let decided = figures.wins + figures.draws + figures.losses;
        let result = |n: u64| or_none((decided > 0).then(|| percent(n as f64 / decided as f64)));
        let ends = figures.score_low.zip(figures.score_high);
        let interval =
            ends.map(|(low, high)| format!("{}-{}", (100.0 * low).round(), percent(high)));
        text += &format!(
            "{name} {:>8} {:>5} {:>5} {:>5} {:>6} {:>8} {:>5} {:>5} {:>5} {:>5}  {}\n",
            figures.games,
            result(figures.wins),
            result(figures.draws),
            result(figures.losses),
            or_none(figures.score.map(percent)),
            or_none(interval),
            or_none(figures.expected_score.map(percent)),
            or_none(figures.elo.map(|elo| elo.to_string())),
            or_none(figures.performance.map(|performance| performance.to_string())),
            figures.rated,
            query,
        );
    }
    let signed = |share: f64| format!("{:+.1}%", 100.0 * share);
    let both = |difference: f64, low: f64, high: f64| {
        format!("{} (95%: {} to {})", signed(difference), signed(low), signed(high))
    };
    text += &match (report.difference, report.difference_low, report.difference_high) {
        (Some(difference), Some(low), Some(high)) => {
            format!("\nA - B: {}\n", both(difference, low, high))
        }
        _ => "\nA - B: a query has no games with a result\n".to_owned(),
    };
    text += &match &report.matched {
        Some(Matched { difference, difference_low, difference_high, games: [a, b], classes }) => {
            format!(
                "A - B, matched by rating and move: {}, {a} and {b} games in {classes} classes\n",
                both(*difference, *difference_low, *difference_high),
            )
        }
        None if arguments.matched => "no games of A and B are alike\n".to_owned(),
        None => String::new(),
    };
    if report.games_of_both > 0 {
        let n = report.games_of_both;
        let games = if n == 1 { "1 game is" } else { &format!("{n} games are") };
        text += &format!("{games} in both: the interval assumes different games\n");
    }
    text
}
