//! Searches: a bounded number of games, in a bounded time.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use archived::{Games, Screens, Walk};
use engine::{
    CompileOptions, Found, GameRow, GameWorker, Limits, Program, QueryWorker, RowWriter, Severity,
    SortKey, Source, compile,
};
use flow::{Cancel, GameFault, Output, RunOptions, Sink, Summary};
use pgn::decode;
use serde_json::{Map, Value, json};
use table::{Format, Table, TableOptions, Totals};

use super::tools::{Given, Outcome};
use crate::args::Threads;
use crate::search::threads;

/// Positions of a game that are told.
const MOST_POSITIONS: usize = 5;

/// Comments of a game that are told.
const MOST_COMMENTS: usize = 10;

/// Characters of a text from a game.
const LONGEST_TEXT: usize = 200;

/// Faults that are told in words.
const MOST_FAULTS: usize = 10;

/// Time between two looks at whether a pass is still wanted.
const TICK: Duration = Duration::from_millis(20);

/// Bytes of the groups of a count.
const MOST_GROUPS: usize = 50_000;

/// Steps that a query may take in a game: a tenth of what it may elsewhere.
const STEPS: u64 = 10_000_000;

/// The program of a query, which may touch no files.
fn program(query: &str) -> Result<Arc<Program>, String> {
    let source = Source {
        name: "the query",
        text: query.as_bytes(),
    };
    let options = CompileOptions {
        limits: Limits {
            steps: STEPS,
            ..Limits::default()
        },
        require_header: false,
        ..CompileOptions::default()
    };
    let compiled = compile(&source, &[], &options);
    let mut faults = compiled.diagnostics.iter();
    let Some(program) = compiled.program else {
        let fault = faults.find(|fault| fault.severity == Severity::Error);
        let message = fault.map_or("it cannot be compiled", |fault| fault.message.as_str());
        return Err(format!(
            "the query has errors: {message}; `check` tells all"
        ));
    };
    match program.required_file() {
        Some(name) => Err(format!("the query may not read {name} here")),
        None => Ok(program),
    }
}

/// A pass over the games that ends in time.
struct Pass<'a> {
    games: &'a Games,
    program: Arc<Program>,
    options: RunOptions,
    /// While it lives, the time runs.
    _timer: Sender<()>,
}

impl<'a> Pass<'a> {
    /// A pass for the query that is given; `asked` says whether it is still wanted.
    fn new(
        given: &Given<'_>,
        games: Option<&'a Games>,
        asked: &Cancel,
    ) -> Result<Pass<'a>, String> {
        let none = "no games were named: `cql mcp GAMES…` has some";
        let games = games.ok_or(none)?;
        let program = program(given.text("query"))?;
        let (first_game, last_game) = program.game_numbers();
        let cancel = Cancel::default();
        Ok(Pass {
            games,
            options: RunOptions {
                threads: match program.sequential_reason().is_some() {
                    true => 1,
                    false => threads(Threads::Default),
                },
                first_game,
                last_game,
                size: games.inputs.size(),
                ..RunOptions::new(cancel.clone())
            },
            program,
            _timer: timer(cancel, asked.clone(), given.number("seconds")),
        })
    }

    /// Evaluates the query on the games; `writer` makes text of those that match.
    fn run(
        &self,
        writer: &(dyn Fn() -> Option<Box<dyn RowWriter>> + Sync),
        sink: &mut Sink<'_, Vec<Found>>,
    ) -> Result<Summary, String> {
        let last_game_number = match self.program.needs_last_game_number() {
            true => flow::count_games(self.games.inputs.sources()),
            false => 0,
        };
        let worker = || {
            let query = QueryWorker::new(self.program.clone());
            let query = query.with_last_game_number(last_game_number);
            GameWorker::new([match writer() {
                Some(writer) => query.with_writer(writer),
                None => query,
            }])
        };
        // What is found is the same by the text.
        let mut tell = |_: &_| {};
        let stretches = self.games.stretches(false, &self.options.cancel, &mut tell);
        let walk = Walk {
            inputs: &self.games.inputs,
            stretches: &stretches,
        };
        let screens = Screens::of([&*self.program]);
        let run = walk.run(&screens, &self.options, &worker, &mut tell, sink);
        run.map(|(summary, _)| summary)
            .map_err(|error| error.to_string())
    }
}

/// Ends something when its time is over, or when it is not wanted any more, unless the result is
/// dropped before.
fn timer(cancel: Cancel, asked: Cancel, seconds: u64) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let end = Instant::now() + Duration::from_secs(seconds);
        while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if asked.is_cancelled() || Instant::now() >= end {
                return cancel.cancel();
            }
        }
    });
    sender
}

/// What is wrong with the games that were looked at.
#[derive(Default)]
struct Faults {
    n: u64,
    /// The first of them, and what cannot be read at all.
    told: Vec<String>,
}

impl Faults {
    fn note<R>(&mut self, out: &Output<R>) {
        for fault in &out.faults {
            let GameFault {
                number, message, ..
            } = fault;
            self.tell(format!("game {number}: {message}"));
        }
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

    fn add_to(&self, told: &mut Value) {
        if self.n > 0 {
            told["faults"] = json!(self.n);
            told["first_faults"] = json!(self.told);
        }
    }
}

/// The first games that match.
pub(super) fn search(given: &Given<'_>, collection: Option<&Games>, cancel: &Cancel) -> Outcome {
    match found(given, collection, cancel) {
        Ok(found) => Outcome::Value(found),
        Err(message) => Outcome::Refused(message),
    }
}

fn found(given: &Given<'_>, collection: Option<&Games>, cancel: &Cancel) -> Result<Value, String> {
    let mut pass = Pass::new(given, collection, cancel)?;
    pass.options.first_game = pass.options.first_game.max(given.number("from"));
    let limit = usize::try_from(given.number("limit")).unwrap_or(usize::MAX);
    let end = pass.options.cancel.clone();
    let mut games: Vec<Value> = Vec::new();
    // The game behind the last one that was looked at.
    let mut next = 1;
    let mut faults = Faults::default();
    let mut sink = |out: Output<Vec<Found>>| {
        if games.len() >= limit {
            return Ok(());
        }
        next = out.first_game + out.n_games;
        faults.note(&out);
        let found = out.results.into_iter().next().unwrap_or_default();
        for game in found.matches.iter().take(limit - games.len()) {
            games.push(serde_json::from_slice(&found.text[game.text.clone()])?);
        }
        if games.len() >= limit {
            let last = games.last().and_then(|game| game["game"].as_u64());
            next = last.map_or(next, |last| last + 1);
            end.cancel();
        }
        Ok(())
    };
    let summary = pass.run(&|| Some(Box::new(Teller)), &mut sink)?;
    let is_full = games.len() >= limit;
    let mut told = json!({ "games": games, "searched_up_to": next.saturating_sub(1) });
    if summary.cancelled {
        told["ended_by"] = json!(if is_full { "limit" } else { "time" });
        told["next"] = json!(next);
    }
    faults.add_to(&mut told);
    Ok(told)
}

/// Writes what is told of a game.
#[derive(Debug)]
struct Teller;

impl RowWriter for Teller {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        out.extend(told(row).to_string().bytes());
    }
}

/// What is told of a game.
fn told(row: &GameRow) -> Value {
    let mut told = Map::new();
    told.insert("game".to_owned(), json!(row.number));
    told.insert("input".to_owned(), json!(&*row.input));
    for name in [
        "White", "Black", "Event", "Date", "WhiteElo", "BlackElo", "ECO",
    ] {
        let value = row.tag(name.as_bytes()).unwrap_or_default();
        if !matches!(value, b"" | b"?" | b"????.??.??") {
            told.insert(name.to_lowercase(), json!(text(value)));
        }
    }
    told.insert("result".to_owned(), json!(row.result.as_str()));
    told.insert("n_positions".to_owned(), json!(row.n_positions));
    let positions = row.positions.iter().take(MOST_POSITIONS).map(|position| {
        let mut told = json!({ "ply": position.ply, "fen": position.fen });
        if let Some(last) = &position.last_move {
            told["last_move"] = json!(last.san);
        }
        told
    });
    told.insert("positions".to_owned(), positions.collect());
    let comments = row.comments.iter().take(MOST_COMMENTS);
    let comments: Vec<Value> = comments
        .map(|comment| json!({ "ply": comment.ply, "text": text(&comment.text) }))
        .collect();
    if !comments.is_empty() {
        told.insert("comments".to_owned(), comments.into());
    }
    let sorted: Map<String, Value> = row
        .sort_values
        .iter()
        .map(|sorted| {
            let value = match &sorted.value {
                SortKey::None => Value::Null,
                SortKey::Number(number) => json!(number),
                SortKey::Text(value) => json!(text(value)),
            };
            (sorted.label.clone(), value)
        })
        .collect();
    if !sorted.is_empty() {
        told.insert("sort".to_owned(), sorted.into());
    }
    told.into()
}

fn text(bytes: &[u8]) -> String {
    decode(bytes).chars().take(LONGEST_TEXT).collect()
}

/// How many games and positions match.
pub(super) fn count(given: &Given<'_>, collection: Option<&Games>, cancel: &Cancel) -> Outcome {
    match counted(given, collection, cancel) {
        Ok(text) => Outcome::Value(text),
        Err(message) => Outcome::Refused(message),
    }
}

fn counted(
    given: &Given<'_>,
    collection: Option<&Games>,
    cancel: &Cancel,
) -> Result<Value, String> {
    let pass = Pass::new(given, collection, cancel)?;
    let by = given.texts("by");
    let options = TableOptions {
        format: Format::Csv,
        counts: Some(by.clone()),
        ..TableOptions::default()
    };
    let table = Table::new(&pass.program, &options).map_err(|error| error.to_string())?;
    let mut groups = table.begin(Vec::new()).map_err(|error| error.to_string())?;
    let (mut n_matches, mut n_positions) = (0, 0);
    let mut faults = Faults::default();
    let mut sink = |out: Output<Vec<Found>>| {
        faults.note(&out);
        let found = out.results.into_iter().next().unwrap_or_default();
        n_matches += found.matches.len() as u64;
        n_positions += found.n_matching_positions;
        groups.chunk(&found)
    };
    let summary = pass.run(&|| table.row_writer(), &mut sink)?;
    let mut told = json!({
        "games": n_matches, "positions": n_positions, "searched": summary.n_games,
    });
    if summary.cancelled {
        told["ended_by"] = json!("time");
    }
    if !by.is_empty() {
        let groups = groups.finish(&Totals::default());
        let mut groups = groups.map_err(|error| error.to_string())?;
        if groups.len() > MOST_GROUPS {
            let end = groups[..MOST_GROUPS]
                .iter()
                .rposition(|&byte| byte == b'\n');
            groups.truncate(end.map_or(0, |end| end + 1));
            told["groups_left_out"] = json!(true);
        }
        told["groups_as_csv"] = json!(decode(&groups));
    }
    faults.add_to(&mut told);
    Ok(told)
}
