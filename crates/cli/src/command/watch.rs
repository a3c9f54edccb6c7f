//! `cql watch SOURCE QUERY…`: shows matches in games that are being played.

mod games;
mod source;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use babson::{Query, SearchError};
use engine::{CompileOptions, GameRow, Program, RowWriter, TooManySteps};
use pgn::decode;
use table::{OutputFormat, Per, Table, TableOptions};

use super::check::DialectArgument;
use super::{library, text};
use crate::args::LimitsArgument;
use crate::closed::Stdout;
use crate::failure::{Failure, context};
use crate::files::read_games;
use crate::interrupt;
use crate::output::{known, last_move, players};
use crate::programs::{ExternalPrograms, ProgramArgs};
use crate::report::{GameFaults, ReportStyle, SourceText};
use crate::search::several::NamedQuery;
use crate::terminal;
use crate::visible::{visible_name, visible_text};
use games::{LiveGames, News};
use source::{ADDRESS_SECONDS, Event, Source};

/// Time without new bytes after which a source pauses: its last game is then read as it is.
const PAUSE: Duration = Duration::from_millis(500);

/// Shortest time between two messages that a source begins anew. Some programs write the whole file
/// with every move.
const SELDOM: Duration = Duration::from_secs(60);

/// Number of bytes by which a source is recognized as text.
const HEAD: usize = 4096;

/// Show matches in games as they are played (live broadcast)
///
/// For example: cql watch live.pgn 'mate' themes:fork
///
/// Each match is shown within a second of the move, as a line with the name of its query. A game
/// that comes again with more moves is the same game, and only its new matching positions are
/// shown. The watch ends with a pipe, with Ctrl-C, or as --until-end says.
#[derive(clap::Args)]
pub(super) struct WatchArgs {
    /// Games that are being written: a file, a pipe, - for standard input, or an address
    ///
    /// The games are PGN. A file may grow, or be written anew with every move.
    #[arg(value_name = "SOURCE", value_hint = clap::ValueHint::AnyPath)]
    source: PathBuf,
    /// Queries: files, themes such as themes:fork, or their texts
    ///
    /// A query is named by its file or theme, and otherwise by its text.
    #[arg(required = true, value_name = "QUERY", value_hint = clap::ValueHint::FilePath)]
    queries: Vec<String>,
    /// Show only matches after the start
    #[arg(long)]
    new: bool,
    /// End when every game has a result
    #[arg(long)]
    until_end: bool,
    /// Set how to show matches
    ///
    /// In ndjson, each match is an object on a line of its own.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: MatchFormat,
    /// Read an address every N seconds
    #[arg(long, value_name = "N", default_value_t = ADDRESS_SECONDS,
        value_parser = clap::value_parser!(u64).range(ADDRESS_SECONDS..=86_400))]
    every: u64,
    #[command(flatten)]
    limits: LimitsArgument,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    dialect: DialectArgument,
    #[command(flatten)]
    look: ReportStyle,
}

/// Form of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MatchFormat {
    /// A line to read
    Text,
    /// An object of JSON
    #[value(alias = "jsonl")]
    Ndjson,
}

/// A standing query.
struct Standing {
    name: String,
    program: Arc<Program>,
    /// Writers of a position and of a game as JSON.
    writers: Option<[Box<dyn RowWriter>; 2]>,
    n_matches: u64,
}

/// Watches the source until it ends.
pub(super) fn run(arguments: &WatchArgs) -> Result<(), Failure> {
    interrupt::listen();
    terminal::keep_stdout_for_results()?;
    let standing = standing(arguments)?;
    let name = if arguments.source == Path::new("-") {
        "standard input".to_owned()
    } else {
        remote::shown(&arguments.source)
    };
    let programs = standing.iter().map(|query| &*query.program);
    let programs = ExternalPrograms::for_queries(&arguments.programs, false, programs)?;
    let nothing = Table::nothing();
    let queries = standing.iter().map(|query| {
        let query = Query::new(query.program.clone()).with_rows().with_table(&nothing);
        match programs.clone() {
            Some(programs) => query.with_programs(move || programs.of_worker()),
            None => query,
        }
    });
    let queries = queries.collect();
    let mut watch = Watch {
        games: LiveGames::new(name.as_str().into(), queries),
        faults: GameFaults::new(&name),
        name,
        standing,
        given_up: HashSet::new(),
        is_silent: arguments.new,
        n_restarts: 0,
        restart: None,
    };
    let interval = Duration::from_secs(arguments.every);
    let mut source = Source::open(&arguments.source, interval)?;
    let end = watch.follow(&mut source, arguments.until_end);
    tell!("{}", watch.summary());
    match end {
        // Ctrl-C is the usual end.
        Err(Failure::Interrupted) if interrupt::name() == "interrupted" => {}
        other => other?,
    }
    if watch.faults.leaves_out() { Err(Failure::Reported) } else { Ok(()) }
}

/// Compiles the queries.
fn standing(arguments: &WatchArgs) -> Result<Vec<Standing>, Failure> {
    let options = CompileOptions {
        dialect: arguments.dialect.get(),
        limits: arguments.limits.get()?.query,
        ..CompileOptions::default()
    };
    let mut all: Vec<Standing> = Vec::new();
    for word in &arguments.queries {
        for NamedQuery { name, source } in named(word)? {
            let program = text::compile(&[source], &options, arguments.look)?;
            if all.iter().any(|other| other.name == name) {
                let message = format!("two queries have the name '{}'", visible_name(&name));
                return Err(Failure::Message(message));
            }
            let refuse = |why: &str| {
                Failure::Message(format!("{}: {why}, so it cannot be watched", visible_name(&name)))
            };
            if let Some(reason) = program.sequential_reason() {
                return Err(refuse(reason));
            }
            if program.needs_last_game_number() {
                return Err(refuse("the query uses lastgamenumber, and more games may come"));
            }
            if let Some(file) = program.required_file() {
                program.provide_file(&read_games(&file).map_err(Failure::Message)?);
            }
            let table = |per| {
                let options =
                    TableOptions { format: OutputFormat::Jsonl, per, ..TableOptions::default() };
                let table = Table::of_query(&program, &name, &options);
                table.map_err(|error| Failure::Message(error.to_string()))
            };
            let writers = match arguments.format {
                MatchFormat::Text => None,
                MatchFormat::Ndjson => {
                    let writers =
                        (table(Per::Position)?.row_writer(), table(Per::Game)?.row_writer());
                    writers.0.zip(writers.1).map(|(position, game)| [position, game])
                }
            };
            all.push(Standing { name, program, writers, n_matches: 0 });
        }
    }
    Ok(all)
}

/// Returns the queries that a word means: those of a theme, that in a file, or the word itself.
fn named(word: &str) -> Result<Vec<NamedQuery>, Failure> {
    let path = Path::new(word);
    if let Some(queries) = library::queries(path) {
        return queries.map_err(Failure::Message);
    }
    let file = text::file_of(path);
    if file.exists() || file.extension() == Some(OsStr::new("cql")) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(vec![NamedQuery { name, source: text::read(&file)? }]);
    }
    let source = SourceText::argument("query", word);
    Ok(vec![NamedQuery { name: word.to_owned(), source }])
}

/// A source with what was found in it.
struct Watch {
    name: String,
    games: LiveGames,
    faults: GameFaults,
    standing: Vec<Standing>,
    /// Queries that were reported to take too many steps.
    given_up: HashSet<usize>,
    /// Whether matches are not shown, since they were there before the start.
    is_silent: bool,
    n_restarts: u64,
    /// Time of the last message that the source begins anew.
    restart: Option<Instant>,
}

impl Watch {
    /// Shows matches until the end of the source, of its games, or of the program.
    fn follow(&mut self, source: &mut Source, until_end: bool) -> Result<(), Failure> {
        // Time of the last bytes, as long as they are not settled.
        let mut changed = None;
        let mut is_first = true;
        loop {
            let event = source.next()?;
            if interrupt::is_requested() {
                return Err(Failure::Interrupted);
            }
            match event {
                Event::Bytes(bytes) => {
                    if std::mem::take(&mut is_first) {
                        refuse_other_formats(&bytes)?;
                    }
                    let news = self.games.add(&bytes);
                    self.show(news)?;
                    changed = Some(Instant::now());
                }
                Event::Restart(bytes) => {
                    self.begin_anew(matches!(source, Source::Address(_)));
                    let news = self.games.add(&bytes);
                    self.show(news)?;
                    changed = Some(Instant::now());
                }
                Event::Quiet => {
                    let is_pause = |time: &mut Instant| time.elapsed() >= PAUSE;
                    if changed.take_if(|time| is_pause(time) || self.is_silent).is_some() {
                        let news = self.games.settle();
                        self.show(news)?;
                        self.is_silent = false;
                        if until_end && self.games.are_over() {
                            return Ok(());
                        }
                    }
                }
                Event::End => {
                    let news = self.games.finish();
                    return self.show(news);
                }
            }
        }
    }

    /// Begins with the text anew. Every answer of an address is a new text.
    fn begin_anew(&mut self, is_usual: bool) {
        self.games.restart();
        if is_usual {
            return;
        }
        self.n_restarts += 1;
        if self.restart.is_none_or(|time| time.elapsed() >= SELDOM) {
            self.restart = Some(Instant::now());
            let name = visible_name(&self.name);
            tell_line!("{name} was truncated or replaced; reading it anew");
        }
    }

    /// Shows new matches and issues.
    fn show(&mut self, news: Result<News, SearchError>) -> Result<(), Failure> {
        let news = news.map_err(|error| match error {
            SearchError::Cancelled(_) => Failure::Interrupted,
            error => context(format!("watching {}", visible_name(&self.name)), &error),
        })?;
        let mut lines = Vec::new();
        for (query, row) in news.matches.iter().filter(|_| !self.is_silent) {
            let query = &mut self.standing[*query];
            query.n_matches += row.positions.len().max(1) as u64;
            query.write(row, &mut lines);
        }
        write(&lines)?;
        for query in news.given_up.into_iter().filter(|query| self.given_up.insert(*query)) {
            tell_line!("{}: {TooManySteps}", visible_name(&self.standing[query].name));
        }
        tell!("{}", self.faults.add(&self.name, &news.faults));
        Ok(())
    }

    /// Returns the last lines: the number of games and matches.
    fn summary(&self) -> String {
        let mut text = self.faults.summary();
        if self.n_restarts > 0 {
            let name = visible_name(&self.name);
            let times = if self.n_restarts == 1 { "time" } else { "times" };
            text += &format!("{name}: read anew {} {times}\n", self.n_restarts);
        }
        let of_queries = self
            .standing
            .iter()
            .map(|query| format!("{} {}", visible_name(&query.name), query.n_matches));
        let of_queries: Vec<String> = of_queries.collect();
        let n_games = self.games.n_games();
        let games = if n_games == 1 { "game" } else { "games" };
        text + &format!("matching positions in {n_games} {games}: {}\n", of_queries.join(", "))
    }
}

impl Standing {
    /// Appends the lines for the new matches of a game.
    fn write(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        if let Some([position, game]) = &mut self.writers {
            let writer = if row.positions.is_empty() { game } else { position };
            return writer.game(row, out);
        }
        let mut event = known(row, b"Event");
        let round = known(row, b"Round");
        if !round.is_empty() && round != "-" {
            event += &format!(" ({round})");
        }
        let event = if event.is_empty() { event } else { format!(", {}", event.trim_start()) };
        let mut line = |place: String, comments: &[Vec<u8>]| {
            let mut text = format!("{}: {}{event}: {place}", self.name, players(row));
            for comment in comments {
                text += &format!("  {{{}}}", decode(comment));
            }
            out.extend_from_slice(visible_text(&visible_name(&text)).as_bytes());
            out.push(b'\n');
        };
        for position in &row.positions {
            line(format!("{}  {}", last_move(position), position.fen), &position.comments);
        }
        if row.positions.is_empty() {
            line("the game".to_owned(), &[]);
        }
    }
}

/// Writes lines to standard output.
fn write(lines: &[u8]) -> Result<(), Failure> {
    use io::Write;
    let mut out = Stdout::new();
    match out.write_all(lines).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        written => written.map_err(|error| context("cannot write to standard output", &error)),
    }
}

/// Refuses what is no text, such as a compressed file.
fn refuse_other_formats(bytes: &[u8]) -> Result<(), Failure> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let is_text = |byte: &u8| *byte >= b' ' || b"\t\n\r\x0b\x0c\x1a\x1b".contains(byte);
    if head.iter().all(is_text) {
        return Ok(());
    }
    let message = "the source is not PGN text, which alone can be watched; `cql GAMES` reads \
                   compressed files and other formats";
    Err(Failure::Message(message.to_owned()))
}
