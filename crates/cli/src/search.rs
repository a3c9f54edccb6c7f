//! A search from its options to its summary.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use engine::run::{ChunkOutput, Input, RunOptions, Summary};
use engine::{CompileOptions, Compiled, GameWorker, Hope, Program};
use syntax::parse::Source;

use crate::args::{Options, Threads, default_output};
use crate::console::{Console, LiveLine, Shown, progress_kind};
use crate::failure::{Failure, context};
use crate::files::Files;
use crate::input::Games;
use crate::interrupt;
use crate::output::{NewFile, Spool, directory, is_same_file};
use crate::report::{GameFaults, Reporter, SourceText};

/// The query of those who give none: every position matches.
const EMPTY_QUERY: &[u8] = b"cql().";

/// Query texts of this size or more are refused; more is not even read.
const LARGEST_QUERY: u64 = 10_000_000;

/// The line that every run begins with.
pub(crate) const BANNER: &str = concat!(
    "CQL version 6.2 (build ",
    env!("CARGO_PKG_VERSION"),
    ") Babson, a Chess Query Language engine"
);

type Stdout = Console<BufWriter<io::Stdout>>;

/// Carries out a search.
pub(crate) fn search(options: &Options) -> Result<(), Failure> {
    let start = Instant::now();
    let mut console = Console::new(BufWriter::new(io::stdout()));
    let result = search_on(options, start, &mut console);
    console.flush();
    result
}

fn search_on(options: &Options, start: Instant, console: &mut Stdout) -> Result<(), Failure> {
    console.line(BANNER);
    let (mut program, files) = compile(options, console)?;
    if options.check_only {
        console.line("no errors in the query");
        return Ok(());
    }
    interrupt::listen();
    let games = match &files.input {
        Some(path) => Games::open(path),
        None => Games::from_stdin(),
    };
    let games =
        games.map_err(|error| context(format!("cannot read {}", files.input_name()), &error))?;
    if let Some(name) = program.required_file() {
        let pgn = std::fs::read(&name)
            .map_err(|error| context(format!("similarposition: cannot read {name}"), &error))?;
        program.provide_file(&pgn);
    }
    let last_game_number = match program.needs_last_game_number() {
        true => last_game_number(&games, &program, &files)?,
        false => 0,
    };
    let mut destination = Destination::new(&files, &program)?;

    let threads = match program.sequential_reason() {
        Some(reason) => {
            console.line(format!("CQL: running single-threaded because {reason}"));
            1
        }
        None => threads(options.threads),
    };
    let mut run_options = RunOptions::new(interrupt::cancel_flag());
    run_options.threads = threads;
    if let Some((first, last)) = program.settings().gamenumber {
        run_options.first_game = u64::try_from(first).unwrap_or(0).max(1);
        run_options.last_game = Some(u64::try_from(last).unwrap_or(0));
    }

    let mut watcher = Watcher::new(options, &files, games.size(), console);
    let hope: Arc<Hope> = Arc::default();
    let make_worker = || {
        GameWorker::new(&program)
            .with_files(Box::<Files>::default())
            .with_last_game_number(last_game_number)
            .with_hope(hope.clone())
    };
    let mut sink = |out: ChunkOutput| {
        watcher.see(&out)?;
        if hope.is_lost() {
            return Err(io::Error::other(Ended::TooManySteps));
        }
        destination.add(out)
    };
    let (summary, workers) = engine::run::run(&games, &run_options, make_worker, &mut sink)
        .map_err(|error| match error.get_ref() {
            Some(inner) if inner.is::<Ended>() => Failure::Message(inner.to_string()),
            _ => context(
                format!(
                    "searching {} to {}",
                    files.input_name(),
                    files.output_name()
                ),
                &error,
            ),
        })?;
    if summary.cancelled {
        return Err(Failure::Interrupted);
    }
    let faults = watcher.finish();
    destination
        .finish(&program.sort_directions(), console)
        .map_err(|error| context(format!("cannot write {}", files.output_name()), &error))?;

    console.fresh_line();
    console.print(b"\n");
    console.line(summary_line(summary, start, threads, &files.output_name()));
    if let Some(worker) = workers.first() {
        for line in worker.persistent_report() {
            console.line(line);
        }
    }
    console.flush();
    eprint!("{}", faults.summary());
    if faults.in_program() {
        if let Some(place) = crate::last_panic() {
            eprintln!("please report this defect of cql: {place}");
        }
        return Err(Failure::Reported);
    }
    match faults.in_query() {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}

/// What `lastgamenumber` yields: the number of games, at most the last that is searched.
fn last_game_number(games: &Games, program: &Program, files: &FileNames) -> Result<u64, Failure> {
    let count = engine::count_games(games)
        .map_err(|error| context(format!("cannot read {}", files.input_name()), &error))?;
    if count == 0 {
        let input = files.input_name();
        return Err(Failure::Message(format!(
            "lastgamenumber: there is no game with a White tag in {input}"
        )));
    }
    let last = program.settings().gamenumber.map(|(_, last)| last);
    Ok(last.map_or(count, |last| count.min(u64::try_from(last).unwrap_or(0))))
}

fn summary_line(summary: Summary, start: Instant, threads: usize, output: &str) -> String {
    format!(
        "{} matches of {} games in {:.2} seconds using {threads} thread{} to {output}",
        summary.n_matches,
        summary.n_games,
        start.elapsed().as_secs_f64(),
        if threads == 1 { "" } else { "s" },
    )
}

fn threads(wanted: Threads) -> usize {
    match wanted {
        Threads::Exactly(n) => n,
        Threads::Default => thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The files of a search.
struct FileNames {
    /// Standard input, if absent.
    input: Option<PathBuf>,
    /// Standard output, if absent.
    output: Option<PathBuf>,
}

impl FileNames {
    fn input_name(&self) -> String {
        name(self.input.as_deref(), "standard input")
    }

    fn output_name(&self) -> String {
        name(self.output.as_deref(), "standard output")
    }
}

fn name(path: Option<&Path>, otherwise: &str) -> String {
    path.map_or_else(|| otherwise.to_owned(), |path| path.display().to_string())
}

/// Reads and compiles the query.
fn compile(options: &Options, console: &mut Stdout) -> Result<(Program, FileNames), Failure> {
    let sources = sources(options)?;
    if sources[0].text.starts_with(b"\xef\xbb\xbf") {
        console.line(format!("{} begins with a byte order mark", sources[0].name));
    }
    let texts: Vec<Source<'_>> = sources
        .iter()
        .map(|source| Source {
            name: &source.name,
            text: &source.text,
        })
        .collect();
    let Compiled {
        program,
        diagnostics,
        header,
    } = engine::compile(&texts[0], &texts[1..], &compile_options(options));
    let reporter = Reporter::new(&sources);
    for diagnostic in &diagnostics {
        console.line(reporter.render(diagnostic));
    }
    let program = program.ok_or(Failure::Reported)?;

    let input = match (&options.input, header.input) {
        _ if options.pgn_from_stdin || options.check_only => None,
        (Some(file), _) => Some(file.clone()),
        (None, Some((file, _))) => Some(file.into()),
        (None, None) => {
            return Err(Failure::Message(
                "no games to search: give a file with -input, or 'input' in the header".to_owned(),
            ));
        }
    };
    let output = match (&options.output, header.output) {
        _ if options.pgn_to_stdout => None,
        (Some(file), in_header) => {
            if in_header.is_some() {
                console.line(format!(
                    "Using command line argument for filename: {}",
                    file.display()
                ));
            }
            Some(file.clone())
        }
        (None, Some((file, _))) => Some(file.into()),
        (None, None) => Some(default_output(options.query.as_deref())),
    };
    Ok((program, FileNames { input, output }))
}

/// The query first, then the filters of the options.
fn sources(options: &Options) -> Result<Vec<SourceText>, Failure> {
    let query = match &options.query {
        None => SourceText {
            name: "(no query file)".to_owned(),
            text: EMPTY_QUERY.to_vec(),
        },
        Some(path) => {
            let mut text = Vec::new();
            File::open(path)
                .and_then(|file| file.take(LARGEST_QUERY).read_to_end(&mut text))
                .map_err(|error| context(format!("cannot read {}", path.display()), &error))?;
            SourceText {
                name: path.display().to_string(),
                text,
            }
        }
    };
    let mut sources = vec![query];
    for filter in &options.preamble {
        sources.push(SourceText {
            name: filter.option.clone(),
            text: filter.text.clone(),
        });
    }
    Ok(sources)
}

fn compile_options(options: &Options) -> CompileOptions {
    CompileOptions {
        variations: options.variations,
        level: options.level,
        matchstring: options.matchstring.clone(),
        gamenumber: options.gamenumber,
        matchcount: options.matchcount,
        transforms: options.transforms.clone(),
        player: options.player.clone(),
        year: options.year,
        no_header: options.no_header,
        no_removecomment: options.no_removecomment,
        no_settag: options.no_settag,
        no_sort_comments: options.no_sort_comments,
        unique_comments: options.unique_comments,
        always_comment: options.always_comment,
        output_buffer: options.output_buffer,
        dialect: options.dialect,
        step_limit: options
            .step_limit
            .unwrap_or(CompileOptions::default().step_limit),
        ..CompileOptions::default()
    }
}

/// Why a run ends before the last game.
#[derive(Debug)]
enum Ended {
    /// A fault in the file, in a strict run.
    Strict,
    /// The query takes too many steps.
    TooManySteps,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Ended::Strict => "a game cannot be read as it stands, and -strict is given",
            Ended::TooManySteps => {
                "the query takes too many steps on each of the first games; it may never end, or \
                 need a greater limit (-steps)"
            }
        })
    }
}

impl std::error::Error for Ended {}

/// Shows the run while it goes on.
struct Watcher<'a> {
    console: &'a mut Stdout,
    shown: Shown,
    live: Option<LiveLine>,
    faults: GameFaults,
    strict: bool,
    gui: bool,
    n_games: u64,
    n_matches: u64,
}

impl<'a> Watcher<'a> {
    fn new(
        options: &Options,
        files: &FileNames,
        size: u64,
        console: &'a mut Stdout,
    ) -> Watcher<'a> {
        let (dots, live) = progress_kind(options.progress);
        console.flush();
        Watcher {
            console,
            shown: Shown {
                progress: dots.then_some(options.line_increment),
                matches: options.show_matches,
            },
            live: live.then(|| LiveLine::new(size)),
            faults: GameFaults::new(Path::new(&files.input_name())),
            strict: options.strict,
            gui: options.gui,
            n_games: 0,
            n_matches: 0,
        }
    }

    fn see(&mut self, out: &ChunkOutput) -> io::Result<()> {
        self.n_games += out.n_games;
        self.n_matches += out.matches.len() as u64;
        let faults = self.faults.add(&out.faults);
        if let Some(live) = &mut self.live {
            if !faults.is_empty() {
                live.clear();
            }
            live.draw(out.end, self.n_games, self.n_matches);
        }
        eprint!("{faults}");
        self.console.games(out, self.shown);
        if self.gui {
            let (games, matches) = (self.n_games, self.n_matches);
            self.console.line(format!(
                "<CqlGuiStatus numbergames={games} numbermatches={matches}>"
            ));
            self.console.flush();
        }
        if self.strict && self.faults.in_file() {
            return Err(io::Error::other(Ended::Strict));
        }
        Ok(())
    }

    fn finish(mut self) -> GameFaults {
        if let Some(live) = &mut self.live {
            live.clear();
        }
        self.faults
    }
}

/// Where the matching games go.
enum Destination {
    /// Into the output file as they come.
    File(NewFile),
    /// Into the output file when they are sorted.
    Sorted(NewFile, Spool),
    /// To standard output when they are counted.
    Stdout(Spool),
}

impl Destination {
    fn new(files: &FileNames, program: &Program) -> Result<Destination, Failure> {
        let Some(output) = &files.output else {
            return Ok(Destination::Stdout(Spool::new(&std::env::temp_dir())));
        };
        if files
            .input
            .as_ref()
            .is_some_and(|input| is_same_file(input, output))
        {
            return Err(Failure::Message(format!(
                "the output would overwrite the input: {}",
                output.display()
            )));
        }
        let file = NewFile::create(output)
            .map_err(|error| context(format!("cannot write {}", output.display()), &error))?;
        interrupt::remove_if_ended(file.temporary_path());
        Ok(if program.sort_directions().is_empty() {
            Destination::File(file)
        } else {
            Destination::Sorted(file, Spool::new(directory(output)))
        })
    }

    fn add(&mut self, out: ChunkOutput) -> io::Result<()> {
        match self {
            Destination::File(file) => file.write_all(&out.text),
            Destination::Sorted(_, spool) | Destination::Stdout(spool) => spool.add(out),
        }
    }

    fn finish(self, ascending: &[bool], console: &mut Stdout) -> io::Result<()> {
        let file = match self {
            Destination::File(file) => file,
            Destination::Sorted(mut file, spool) => {
                spool.write(ascending, &mut file)?;
                file
            }
            Destination::Stdout(spool) => {
                console.line(format!(
                    "<CqlGuiPgn numbergames={} numberbytes={}>",
                    spool.n_games(),
                    spool.n_bytes()
                ));
                spool.write(ascending, console)?;
                console.line("</CqlGuiPgn>");
                return Ok(());
            }
        };
        file.finish()?;
        interrupt::remove_if_ended(None);
        Ok(())
    }
}
