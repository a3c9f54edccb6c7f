//! Reports about games: preparation, exercises and sheets of them, duplicates, issues.
//!
//! Each answer ends with what the page shows: figures, and files to save, either as text or, if they
//! may be large, at an address to fetch them from. The page shows the text `html`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use babson::{Query, Search, for_each_match};
use engine::{CodeRange, GameRow, RowWriter};
use flow::GameFault;
use input::ReadOptions;
use page::{QueryRequest, Selection};
use pgn::{Date, VariantNames};
use serde::Deserialize;
use serde_json::{Value, json};
use survey::doctor::{DoctorError, LAST_OF_BROKEN, Listener, Remark, examine};
use survey::duplicates::{Rules, Writing, find};
use survey::prepare::{Question, page as prepared_page, prepare, why_none};
use survey::puzzle::{
    Collector, ExerciseFormat, ExerciseStart, FoundWriter, Handouts, LONGEST_MATE, Matched, Puzzle,
    PuzzleFinder, PuzzleOptions, ThemeFinder, exercise_theme, longest_mate,
};
use survey::target::Target;
use table::{Exercise, PerPage, Sheet, counted};

use crate::api_error::{ApiError, read};
use crate::app::App;
use crate::folder::Draft;
use crate::lines::{LineSender, respond};
use crate::pass::{OnDisk, offer, unwritable};
use crate::wanted::WantedGames;
use crate::watcher::{Watcher, note_of};

/// Number of half-moves of the tree of a preparation.
const DEPTH: usize = 16;

/// Greatest number of rows that are sent to the page; further ones are only counted.
const MOST_ROWS: usize = 200;

/// Greatest number of exercises.
const MOST_EXERCISES: u64 = 2000;

/// Bytes of games that are read at once: a few games may be enough.
const CHUNK: usize = 32 << 10;

/// Size of a mistake, and difference between the best move and the second one, in centipawns.
const MARGIN: i32 = 200;

/// Request for a report.
#[derive(Deserialize)]
struct ReportRequest {
    #[serde(flatten)]
    query: QueryRequest,
    #[serde(flatten)]
    selection: Selection,
    report: ReportKind,
}

/// Report with its options.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ReportKind {
    Prepare(Preparation),
    Puzzles(Exercises),
    Sheet(SheetOfGames),
    Duplicates(Deduplication),
    Doctor {
        /// Whether the repaired games are written.
        writes: bool,
    },
}

/// Preparation for a player, an opening, or both.
#[derive(Deserialize)]
struct Preparation {
    player: String,
    is_black: bool,
    /// Name of an opening, moves or a FEN.
    opening: String,
    /// Year from which games are new; 0 for none.
    since: u16,
}

/// Exercises to look for.
#[derive(Deserialize)]
struct Exercises {
    /// Longest mate in moves; 0 for none.
    mate: u8,
    /// Whether only positions after mistakes by the evaluations of the game are taken.
    only_mistakes: bool,
    /// Theme that exercises show; empty for any.
    theme: String,
    limit: u64,
}

/// Sheet with the first match of each game.
#[derive(Deserialize)]
struct SheetOfGames {
    title: String,
    is_dense: bool,
    is_flipped: bool,
    /// Number of moves of the solution.
    moves: u8,
    /// Number of half-moves before a match; `None` for those of its themes.
    #[serde(default)]
    before: Option<u8>,
    limit: u64,
}

#[derive(Deserialize)]
struct Deduplication {
    moves_only: bool,
    /// Whether the games without duplicates are written.
    writes: bool,
}

/// Makes a report, and sends it in one line at the end.
pub(crate) async fn report(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let ReportRequest { query, selection, report } = read(&body)?;
    let wanted = WantedGames::of(&app, &selection)?;
    let on_thread = app.clone();
    respond(&app, move |lines| {
        let mut maker =
            ReportMaker { app: &on_thread, wanted: &wanted, lines, watcher: Watcher::new(lines) };
        let mut end = match report {
            ReportKind::Prepare(options) => maker.prepare(&options),
            ReportKind::Puzzles(options) => maker.puzzles(&query, &options),
            ReportKind::Sheet(options) => maker.sheet(&query, &options),
            ReportKind::Duplicates(options) => maker.duplicates(&options),
            ReportKind::Doctor { writes } => maker.doctor(writes),
        }?;
        end["notes"] = json!(maker.watcher.notes);
        lines.line(&json!({ "end": end })).map_err(told)
    })
}

/// Makes a report.
struct ReportMaker<'a> {
    app: &'a App,
    wanted: &'a WantedGames,
    lines: &'a LineSender,
    watcher: Watcher<'a>,
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl ReportMaker<'_> {
    fn prepare(&mut self, options: &Preparation) -> Result<Value, String> {
        let player = Some(options.player.trim()).filter(|name| !name.is_empty());
        let players: Vec<String> = player.map(str::to_owned).into_iter().collect();
        if players.is_empty() && options.opening.trim().is_empty() {
            return Err("name a player, an opening, or both".to_owned());
        }
        let codes = CodeRange::parse(&options.opening);
        let opening = if codes.is_some() { "" } else { &options.opening };
        let target = Target::parse(opening).map_err(told)?;
        let chosen = codes.as_ref().map(|codes| self.of_codes(codes)).transpose()?;
        let wanted = chosen.as_ref().unwrap_or(self.wanted);
        let found = wanted.find(self.lines)?;
        let mut games = self.watcher.collection(&found, wanted, self.app.threads);
        let question = Question {
            target: &target,
            side: if options.is_black { board::Color::Black } else { board::Color::White },
            players: &players,
            since: (options.since > 0).then_some(Date { year: options.since, month: 0, day: 0 }),
            depth: DEPTH,
            min_games: None,
        };
        let mut report = prepare(&mut games, question, &mut self.watcher).map_err(told)?;
        let codes = codes.map(|codes| codes.to_string());
        if report.figures.games == 0 {
            if players.is_empty() {
                return Err("no game has this position in its main line".to_owned());
            }
            let (elsewhere, watch) = (report.omitted.elsewhere, &mut self.watcher);
            let why = why_none(&players, report.side, elsewhere, &mut games, watch);
            let (why, _) = why.map_err(told)?;
            // Only the games with these codes were looked at.
            return Err(match codes {
                Some(codes) => format!("in games of {codes}, {why}"),
                None => why,
            });
        }
        report.opening = codes.or(report.opening);
        let facts = serde_json::to_string(&report).map_err(told)?;
        let html = prepared_page(&report, None);
        let n_games = report.figures.games;
        Ok(json!({ "games": n_games, "texts": { "html": html, "json": facts } }))
    }

    /// Returns the wanted games whose openings have these codes.
    fn of_codes(&mut self, codes: &CodeRange) -> Result<WantedGames, String> {
        let query = format!("cql() initial {}", codes.filter());
        let query = QueryRequest { query, ..QueryRequest::default() };
        let mut numbers: Vec<u64> = Vec::new();
        self.search(&query, || FoundWriter(|row: &GameRow| row.number), &mut |number| {
            numbers.push(serde_json::from_slice(number).map_err(io::Error::other)?);
            Ok(ControlFlow::Continue(()))
        })?;
        if numbers.is_empty() {
            return Err(format!("no game has an opening of {codes}"));
        }
        Ok(self.wanted.choosing(numbers.into_iter().collect()))
    }

    fn puzzles(&mut self, query: &QueryRequest, options: &Exercises) -> Result<Value, String> {
        let theme = Some(options.theme.trim()).filter(|name| !name.is_empty());
        let theme = theme.map(exercise_theme).transpose().map_err(|error| error.to_string())?;
        let wanted_themes: Vec<String> = theme.into_iter().collect();
        let finding = PuzzleOptions {
            mate: options.mate.max(longest_mate(&wanted_themes)).min(LONGEST_MATE),
            margin: MARGIN,
            only_mistakes: options.only_mistakes,
        };
        let themes = ThemeFinder::new();
        let (query, start) = with_start(query);
        let writer = move || {
            let finder = PuzzleFinder::new(finding, themes.clone(), None);
            let mut finder = finder.starting(start.clone());
            FoundWriter(move |row: &GameRow| finder.find(row))
        };
        let limit = Some(options.limit.clamp(1, MOST_EXERCISES));
        let mut collector = Collector::new(ExerciseFormat::Pgn, wanted_themes, limit);
        let mut puzzles: Vec<Puzzle> = Vec::new();
        self.search(&query, writer, &mut |found| {
            collector.add(found, &mut |puzzle, _| {
                puzzles.push(puzzle.clone());
                Ok(())
            })
        })?;
        let exercises: Vec<Exercise> = puzzles.iter().filter_map(Puzzle::exercise).collect();
        let written = |format: ExerciseFormat| {
            let texts = puzzles.iter().filter_map(|puzzle| format.text(puzzle));
            std::iter::once(format.head().to_owned()).chain(texts).collect::<String>()
        };
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        for (name, format, _) in ExerciseFormat::ALL {
            let extension = if format == ExerciseFormat::Anki { "anki.csv" } else { name };
            texts.insert(extension, written(format));
        }
        texts.insert("html", sheet_of("Exercises", &exercises, false, true));
        Ok(json!({ "counts": collector.finish(), "texts": texts }))
    }

    fn sheet(&mut self, query: &QueryRequest, options: &SheetOfGames) -> Result<Value, String> {
        let moves = options.moves.clamp(1, 20);
        let limit = usize::try_from(options.limit.clamp(1, MOST_EXERCISES)).unwrap_or(1);
        let (mut exercises, mut n_other, mut n_before) = (Vec::new(), 0, 0);
        let mut n_without_variations = 0;
        let (query, start) = with_start(query);
        let matched = Matched { moves, start: start.before(options.before) };
        let writer = move || {
            let matched = matched.clone();
            FoundWriter(move |row: &GameRow| Handouts::new(row, Some(&matched)))
        };
        self.search(&query, writer, &mut |found| {
            let found: Handouts = serde_json::from_slice(found).map_err(io::Error::other)?;
            n_before += u64::from(found.n_before > 0);
            n_without_variations += u64::from(found.n_without_variations > 0);
            let first = found.exercises.into_iter().next();
            match first.and_then(|handout| handout.exercise(false)) {
                Some(exercise) => exercises.push(exercise),
                None => n_other += 1,
            }
            let is_enough = exercises.len() == limit;
            Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        if n_other > 0 {
            let games = counted(n_other, "game");
            self.watcher.notes.push(format!(
                "{games} without a diagram: no match in the main line, or other rules"
            ));
        }
        if n_without_variations > 0 {
            let games = counted(n_without_variations, "game");
            self.watcher.notes.push(format!("{games} with variations that are not printed"));
        }
        let title = options.title.trim();
        let sheet = sheet_of(title, &exercises, options.is_dense, options.is_flipped);
        Ok(json!({
            "games": exercises.len(), "other": n_other, "before": n_before,
            "texts": { "html": sheet },
        }))
    }

    /// Searches, and passes what the writers write for each game to `each`, a `Break` of which ends
    /// the search.
    fn search<W: RowWriter + 'static>(
        &mut self,
        query: &QueryRequest,
        writer: impl Fn() -> W + Send + Sync + 'static,
        each: &mut dyn FnMut(&[u8]) -> io::Result<ControlFlow<()>>,
    ) -> Result<(), String> {
        let games =
            OnDisk { games: self.wanted.find(self.lines)?, cancel: self.lines.cancel.clone() };
        let query = Query::new(query.compile().map_err(told)?)
            .with_writer(move || Some(Box::new(writer())));
        let search = Search::new(&games, [query])
            .threads(self.app.threads)
            .choosing(self.wanted.chosen.clone())
            .chunk_bytes(CHUNK)
            .cancel(&self.lines.cancel);
        let mut n_games = 0;
        let (mut unused, mut left_out) = (Vec::new(), 0_u64);
        let searched = for_each_match(
            &search,
            &mut |one| unused.push(note_of(one)),
            &mut |chunk| {
                let out = &chunk.output;
                n_games += out.n_games;
                self.watcher.games(n_games);
                left_out += out.faults.iter().map(GameFault::n_left_out).sum::<u64>();
                self.watcher.note_failure(out);
                Ok(())
            },
            &mut |game| each(&game.pgn),
        );
        self.watcher.notes.extend(unused);
        if left_out > 0 {
            let games = counted(left_out, "game");
            self.watcher.notes.push(format!("{games} could not be searched"));
        }
        searched.map(|_| ()).map_err(told)
    }

    fn duplicates(&mut self, options: &Deduplication) -> Result<Value, String> {
        let found = self.wanted.find(self.lines)?;
        let mut games = self.watcher.collection(&found, self.wanted, self.app.threads);
        let rules = Rules { moves_only: options.moves_only, keeps_first: false };
        let duplicates = find(&mut games, rules, &mut self.watcher).map_err(told)?;
        let mut out = options.writes.then(|| self.new_file("games.pgn")).transpose()?;
        let mut rows = Vec::new();
        if !duplicates.is_empty() || out.is_some() {
            let writing = out.as_ref().map(|_| Writing { omits_near: false });
            duplicates
                .list(&mut games, writing, &mut self.watcher, &mut |listed| {
                    for named in &listed.rows {
                        if rows.len() < MOST_ROWS {
                            rows.push(json!(duplicates.row(named)));
                        }
                    }
                    out.as_mut().map_or(Ok(()), |(_, file)| file.write_all(&listed.text))
                })
                .map_err(told)?;
        }
        let file = out.map(|out| self.offer(out, "without duplicates.pgn")).transpose()?;
        Ok(json!({ "totals": duplicates.totals, "rows": rows, "file": file }))
    }

    /// Examines whole collections: a search and the doctor divide damaged games differently.
    fn doctor(&mut self, writes: bool) -> Result<Value, String> {
        let how = ReadOptions { keeps_old_line_ends: true, ..ReadOptions::default() };
        let games = self.wanted.find_read(how, self.lines)?;
        let mut out = writes.then(|| self.new_file("games.pgn")).transpose()?;
        let mut heard = Heard { rows: Vec::new(), watcher: &mut self.watcher };
        let file = out.as_mut().map(|(_, file)| file as &mut dyn Write);
        let variants = VariantNames::default();
        let sums = examine(&games.inputs, variants, None, file, &mut heard, &self.lines.cancel);
        let rows = std::mem::take(&mut heard.rows);
        let sums = sums.map_err(|error| match error {
            DoctorError::Unwritable(error) => unwritable(self.app, &error),
            other => told(other),
        })?;
        let file = out.map(|out| self.offer(out, "repaired.pgn")).transpose()?;
        Ok(json!({ "sums": sums, "rows": rows, "file": file }))
    }

    /// Creates a file in the folder of the server.
    fn new_file(&self, name: &str) -> Result<(Draft, BufWriter<File>), String> {
        let (draft, file) =
            Draft::new(&self.app.folder, name).map_err(|error| unwritable(self.app, &error))?;
        Ok((draft, BufWriter::new(file)))
    }

    /// Completes a file and offers it to the browser.
    fn offer(
        &self,
        (draft, mut file): (Draft, BufWriter<File>),
        name: &str,
    ) -> Result<Value, String> {
        let offered = file.flush().and_then(|()| offer(self.app, name, draft));
        offered.map_err(|error| unwritable(self.app, &error))
    }
}

/// Returns the query with the values that tell where its exercises begin.
fn with_start(query: &QueryRequest) -> (QueryRequest, ExerciseStart) {
    let start = ExerciseStart::of(&[&query.query]);
    let mut query = query.clone();
    query.values.extend(start.values());
    (query, start)
}

fn sheet_of(title: &str, exercises: &[Exercise], is_dense: bool, flip: bool) -> String {
    let per_page = if is_dense { PerPage::Twelve } else { PerPage::Six };
    let title = if title.is_empty() { "Exercises" } else { title };
    Sheet { title, exercises, per_page, flip }.html()
}

/// Receives the remarks of the doctor.
struct Heard<'h, 'l> {
    rows: Vec<Value>,
    watcher: &'h mut Watcher<'l>,
}

impl Listener for Heard<'_, '_> {
    fn remark(&mut self, remark: &Remark<'_>) {
        if self.rows.len() < MOST_ROWS {
            self.rows.push(json!(remark));
        }
    }

    fn unread(&mut self, name: &str, message: &str, n_games: u64) {
        let end = match n_games {
            0 => String::new(),
            n => format!(" (after {}; {LAST_OF_BROKEN})", counted(n, "game")),
        };
        self.watcher.notes.push(format!("{name}: {message}{end}"));
    }

    fn empty(&mut self, name: &str) {
        self.watcher.notes.push(format!("{name} contains no games"));
    }

    fn progress(&mut self, so_far: survey::PassProgress) {
        self.watcher.games(so_far.games);
    }
}
