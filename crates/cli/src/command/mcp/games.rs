//! Searches with limited results and time.

use std::io::{self, Cursor};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use babson::{
    End, Games, Query, QueryState, Receiver, ScanPlan, Search, SearchError, Sorter, Summary,
};
use engine::{CompileOptions, Limits, NamesAsked, Program, RowWriter, Source, compile};
use flow::{Cancel, Deadline, GameFault, Output};
use serde_json::{Value, json};
use syntax::library::Theme;
use syntax::parse::theme_set;
use table::{OutputFormat, Table, TableOptions, Totals, counted};

use super::asked::{Asked, ProgressNotifier};
use super::call::{Outcome, ToolArgs};
use super::queries;
use super::shown::{Teller, bounded, line, matching};
use crate::args::Threads;
use crate::search::names::similar_names;
use crate::search::threads;

/// Maximum number of issues reported with their text.
const MOST_FAULTS: usize = 10;

/// Maximum number of groups that the text of a count lists.
const GROUPS_IN_WORDS: usize = 20;

/// Error of a search that was cancelled. An answer about the games until then would look like that of
/// a search whose time is over. A client that has cancelled the search gets no answer.
pub(super) const CUT_SHORT: &str = "the input of the server was closed before the search ended, so \
                                    there is no result: keep it open until the answer has come";

/// Maximum time for reading the names of games that a query may have meant.
const HINT_TIME: Duration = Duration::from_millis(500);

/// Number of bytes in a chunk. It is small, since an incomplete chunk is lost when the time runs
/// out.
pub(super) const CHUNK: usize = 32 << 10;

/// Maximum number of steps per game, far fewer than elsewhere since an assistant waits.
const STEPS: u64 = 10_000_000;

/// Compiles a query, which may not access files, for the games from `from` on. `preamble` are
/// filters before it.
fn program(query: &str, preamble: &[Source<'_>], from: u64) -> Result<Arc<Program>, String> {
    let mut options = CompileOptions {
        limits: Limits { steps: STEPS, ..Limits::default() },
        require_header: false,
        ..CompileOptions::default()
    };
    let mut program = compiled(query, preamble, &options)?;
    let (first, last) = program.game_numbers();
    if from > first {
        let number = |n: u64| i32::try_from(n).unwrap_or(i32::MAX);
        options.gamenumber = Some((number(from), last.map_or(i32::MAX, number)));
        program = compiled(query, preamble, &options)?;
    }
    match program.required_file() {
        Some(name) => Err(format!("the query may not read {name} here")),
        None => Ok(program),
    }
}

/// Compiles a text.
pub(super) fn compiled(
    query: &str,
    preamble: &[Source<'_>],
    options: &CompileOptions,
) -> Result<Arc<Program>, String> {
    let source = Source { name: "the query", text: query.as_bytes() };
    compile(&source, preamble, options).program.ok_or_else(|| {
        let errors = queries::errors(query);
        errors.unwrap_or_else(|| "the query cannot be compiled".to_owned())
    })
}

/// Pass over the games that ends when its time is over.
pub(super) struct TimedPass<'a> {
    asked: &'a Asked<'a>,
    games: &'a Games,
    queries: Vec<Query>,
    cancel: Cancel,
    _deadline: Deadline,
}

/// Totals of a pass.
pub(super) struct Passed {
    pub(super) summary: Summary,
    /// Whether the pass ended because its time was over.
    pub(super) is_late: bool,
}

impl<'a> TimedPass<'a> {
    pub(super) fn new(
        asked: &'a Asked<'a>,
        queries: impl IntoIterator<Item = Query>,
        seconds: u64,
    ) -> Result<TimedPass<'a>, String> {
        let games = asked.games()?;
        let (cancel, deadline) = deadline(asked, seconds)?;
        let queries = queries.into_iter().collect();
        Ok(TimedPass { asked, games, queries, cancel, _deadline: deadline })
    }

    /// Evaluates the queries on the games.
    pub(super) fn run(&self, receiver: &mut Receiver<'_>) -> Result<Passed, String> {
        // An unused archive does not change the results, so it is not reported.
        let mut unused = |_: &_| {};
        let groups = self.games.groups(false, &self.cancel, &mut unused);
        let walk = ScanPlan { inputs: &self.games.inputs, groups: &groups };
        let mut progress = ProgressNotifier::new(self.asked, self.games, &groups);
        let search = Search::new(&walk, self.queries.iter().cloned())
            .chunk_bytes(CHUNK)
            .cancel(&self.cancel);
        let searched = search.run(&mut unused, &mut |chunk| {
            progress.note(&chunk.output);
            receiver(chunk)
        });
        match searched {
            Ok(summary) => Ok(Passed { summary, is_late: false }),
            Err(SearchError::Cancelled(_)) if self.asked.cancel.is_cancelled() => {
                Err(CUT_SHORT.to_owned())
            }
            Err(SearchError::Cancelled(summary)) => Ok(Passed { summary, is_late: true }),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Returns a handle that is cancelled after a time, or when `asked` is cancelled.
pub(super) fn deadline(asked: &Asked<'_>, seconds: u64) -> Result<(Cancel, Deadline), String> {
    let cancel = asked.cancel.child();
    let end = Instant::now() + Duration::from_secs(seconds);
    let deadline = Deadline::new(&cancel, end).map_err(|error| error.to_string())?;
    Ok((cancel, deadline))
}

/// Formats an issue of a game.
fn fault(fault: &GameFault) -> String {
    format!("game {}: {}", fault.number, fault.text())
}

/// Issues of the games that were read.
#[derive(Default)]
pub(super) struct Faults {
    n: u64,
    /// Texts of the first issues, and of inputs that cannot be read.
    told: Vec<String>,
}

impl Faults {
    pub(super) fn note<R>(&mut self, out: &Output<R>) {
        out.faults.iter().for_each(|one| self.tell(fault(one)));
        if let Some(failure) = &out.failure {
            self.tell(format!("{}: {failure}", out.origin.name));
        }
    }

    fn tell(&mut self, message: String) {
        self.n += 1;
        if self.told.len() < MOST_FAULTS {
            self.told.push(message);
        }
    }

    /// Returns the first issue.
    pub(super) fn first(&self) -> Option<&str> {
        self.told.first().map(String::as_str)
    }

    /// Adds the issues to the structured result and to the text.
    pub(super) fn add_to(&self, told: &mut Value, text: &mut String) {
        if let Some(first) = self.first() {
            told["faults"] = json!(self.n);
            told["first_faults"] = json!(self.told);
            *text += &format!("\n{}, the first: {first}", counted(self.n, "fault"));
        }
    }
}

/// Adds the warnings about the query. If it searched all games in vain, these include names of
/// the games that it may have meant.
fn add_warnings(
    pass: &TimedPass<'_>,
    query: &str,
    is_in_vain: bool,
    told: &mut Value,
    text: &mut String,
) {
    let mut lines = queries::warnings(query);
    if is_in_vain {
        let source = Source { name: "query", text: query.as_bytes() };
        let asked = NamesAsked::of(&source, &[]);
        lines.extend(similar_names(
            &asked,
            &pass.games.inputs,
            threads(Threads::Default),
            HINT_TIME,
        ));
    }
    if !lines.is_empty() {
        *text += &format!("\n{}", lines.join("\n"));
        told["warnings"] = json!(lines);
    }
}

/// Returns the first games that match, or the best ones if the query sorts them.
pub(super) fn search(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let program = program(given.text("query"), &[], given.number("from"))?;
    let limit = given.number("limit");
    Teller::new(&program)?;
    let query = Query::new(program.clone())
        .with_writer({
            let program = program.clone();
            move || teller(&program)
        })
        .with_limit(Some(limit));
    let failed = |error: io::Error| error.to_string();
    let mut sorter = Sorter::new(&query, || Ok(Cursor::new(Vec::new()))).map_err(failed)?;
    let pass = TimedPass::new(asked, [query], given.number("seconds"))?;
    let mut texts = Vec::new();
    let mut faults = Faults::default();
    let Passed { summary, is_late } = pass.run(&mut |chunk| {
        let mut out = chunk.output;
        faults.note(&out);
        sorter.add(out.results.pop().unwrap_or_default(), &mut |found| {
            let games = found.matches.iter();
            texts.extend(games.map(|game| found.text[game.text.clone()].to_vec()));
            Ok(())
        })?;
        Ok(ControlFlow::Continue(()))
    })?;
    let sorted = sorter.finish(&mut |text| {
        texts.push(text.to_vec());
        Ok(())
    });
    sorted.map_err(failed)?;
    let games = texts.iter().map(|text| serde_json::from_slice(text));
    let games = games.collect::<Result<Vec<Value>, _>>().map_err(|error| error.to_string())?;
    let searched = summary.last_game;
    let n_matches = summary.queries[0].state.n_matches;
    let mut told = json!({ "games": games, "searched_up_to": searched });
    let n_shown = games.len();
    let order = if program.sort_directions().is_empty() { "first" } else { "best" };
    let mut text = match (summary.end, is_late) {
        (End::Enough, _) => {
            told["ended_by"] = json!("limit");
            told["next"] = json!(searched + 1);
            let next = searched + 1;
            let shown = match n_shown {
                1 => "the first matching game".to_owned(),
                n => format!("the first {n} matching games"),
            };
            format!("{shown}; continue the search with `from` {next}")
        }
        (End::Games, true) => {
            told["ended_by"] = json!("time");
            told["matches_so_far"] = json!(n_matches);
            told["next"] = json!(searched + 1);
            let so_far = matching(n_matches);
            format!("time ran out after game {searched}; {so_far} so far")
        }
        (End::Games, false) => {
            told["total"] = json!(n_matches);
            let all = matching(n_matches);
            if n_shown as u64 != n_matches {
                format!("{all}; the {order} {n_shown}:")
            } else if n_shown == 0 {
                all
            } else {
                format!("{all}:")
            }
        }
    };
    for game in &games {
        text += &format!("\n{}", line(game));
    }
    faults.add_to(&mut told, &mut text);
    let is_in_vain = n_matches == 0 && !is_late;
    add_warnings(&pass, given.text("query"), is_in_vain, &mut told, &mut text);
    Ok(Outcome::Value(told, text))
}

/// Returns the row writer; the program is known to have its columns.
fn teller(program: &Program) -> Option<Box<dyn RowWriter>> {
    let teller = Teller::new(program).ok()?;
    Some(Box::new(teller))
}

/// Counts matching games and positions.
pub(super) fn count(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let program = program(given.text("query"), &[], 1)?;
    let by = given.texts("by");
    let options = TableOptions {
        format: OutputFormat::Jsonl,
        counts: Some(by.clone()),
        ..TableOptions::default()
    };
    let table = Table::new(&program, &options).map_err(|error| error.to_string())?;
    let mut groups = table.begin(Vec::new()).map_err(|error| error.to_string())?;
    let mut faults = Faults::default();
    let query = Query::new(program).with_table(&table);
    let pass = TimedPass::new(asked, [query], given.number("seconds"))?;
    let Passed { summary, is_late } = pass.run(&mut |chunk| {
        let out = chunk.output;
        faults.note(&out);
        out.results.iter().try_for_each(|found| groups.chunk(found))?;
        Ok(ControlFlow::Continue(()))
    })?;
    let QueryState { n_matches, n_positions, .. } = summary.queries[0].state;
    let n_searched = summary.n_games;
    let mut told = json!({
        "games": n_matches, "positions": n_positions, "searched": n_searched,
    });
    let verb = if n_matches == 1 { "matches" } else { "match" };
    let mut text = format!(
        "{n_matches} of {} {verb}, in {}",
        counted(n_searched, "game"),
        counted(n_positions, "position")
    );
    if is_late {
        told["ended_by"] = json!("time");
        text += "; time ran out before the last game";
    }
    if !by.is_empty() {
        let lines = groups.finish(&Totals::default());
        let lines = lines.map_err(|error| error.to_string())?;
        add_groups(&lines, given.number("limit"), &mut told, &mut text);
    }
    faults.add_to(&mut told, &mut text);
    let is_in_vain = n_matches == 0 && !is_late;
    add_warnings(&pass, given.text("query"), is_in_vain, &mut told, &mut text);
    Ok(Outcome::Value(told, text))
}

/// Counts games and positions by theme, in the games that a query selects.
pub(super) fn themes(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let names = given.texts("themes");
    let themes: Vec<Theme> = if names.is_empty() {
        Theme::distinct().collect()
    } else {
        theme_set(&names.join(",")).map_err(|error| error.to_string())?.iter().collect()
    };
    let query_of = |theme: &Theme| {
        let text = format!("theme(\"{}\")", theme.name());
        let theme = Source { name: theme.name(), text: text.as_bytes() };
        let asked = given.text("query");
        let asked = if asked.trim().is_empty() { "true" } else { asked };
        let program = program(asked, &[theme], 1)?;
        Ok(Query::new(program).with_table(&Table::nothing()))
    };
    let queries = themes.iter().map(query_of).collect::<Result<Vec<Query>, String>>()?;
    let mut faults = Faults::default();
    let pass = TimedPass::new(asked, queries, given.number("seconds"))?;
    let Passed { summary, is_late } = pass.run(&mut |chunk| {
        faults.note(&chunk.output);
        Ok(ControlFlow::Continue(()))
    })?;
    let counts = themes.iter().zip(&summary.queries).map(|(theme, query)| {
        let QueryState { n_matches, n_positions, .. } = query.state;
        (theme, n_matches, n_positions)
    });
    let mut counts: Vec<(&Theme, u64, u64)> = counts.collect();
    counts.sort_by_key(|&(_, games, positions)| std::cmp::Reverse((games, positions)));
    let mut text = format!("{} searched", counted(summary.n_games, "game"));
    let mut listed = Vec::new();
    for (theme, games, positions) in counts {
        let (name, claim) = (theme.name(), theme.claim());
        listed.push(json!({
            "theme": name, "games": games, "positions": positions, "meaning": claim,
        }));
        text += &format!("\n{name}: {}", counted(games, "game"));
    }
    let mut told = json!({ "searched": summary.n_games, "themes": listed });
    if is_late {
        told["ended_by"] = json!("time");
        text += "\ntime ran out before the last game";
    }
    faults.add_to(&mut told, &mut text);
    Ok(Outcome::Value(told, text))
}

/// Adds the groups of a count, one per line, to the result, those with the most games first.
fn add_groups(lines: &[u8], limit: u64, told: &mut Value, text: &mut String) {
    let lines = lines.split(|&byte| byte == b'\n');
    let mut groups: Vec<Value> =
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let size = |group: &Value| (group["games"].as_u64(), group["positions"].as_u64());
    groups.sort_by_key(|group| std::cmp::Reverse(size(group)));
    told["total_groups"] = json!(groups.len());
    *text += &format!("; {}", counted(groups.len() as u64, "group"));
    groups.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let groups: Vec<Value> = groups.into_iter().map(bounded).collect();
    for group in groups.iter().take(GROUPS_IN_WORDS) {
        *text += &format!("\n{group}");
    }
    if groups.len() > GROUPS_IN_WORDS {
        *text += "\n…";
    }
    told["groups"] = groups.into();
}
