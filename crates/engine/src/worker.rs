//! One game at a time: guard, read, evaluate, write.
//!
//! What belongs to the game ([`current`]) is kept apart from what belongs to the query, so that
//! several queries can share the game ([`several`]).

mod current;
mod several;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use flow::{FaultKind, GameFault, Origin, Output, Worker};
use pgn::{Edits, RawGame, WriteOptions, write_game};
use syntax::tree::CommentLevel;

use crate::eval::{Evaluator, Fault, SortValue, State, print_persistent};
use crate::files::{FileAccess, Files};
use crate::found::{Found, Match, SortKey};
use crate::limits::Limit;
use crate::movetext;
use crate::positions::Positions;
use crate::program::Program;
use crate::record::Record;
use crate::row::{self, GameRow, PositionComment, PositionRow, RowValue, RowWriter, SortedValue};
use current::CurrentGame;
pub use several::QueriesWorker;

/// Evaluates a program on games. One for each thread; what it keeps between games is persistent
/// variables and memory to be used again.
#[derive(Debug)]
pub struct GameWorker<'p> {
    game: CurrentGame,
    query: QueryWorker<'p>,
    buffer: Vec<u8>,
}

/// What a worker knows of its query: everything but the game.
#[derive(Debug)]
struct QueryWorker<'p> {
    program: &'p Program,
    state: State,
    edits: Edits,
    hope: Arc<Hope>,
    /// What makes text of the games that match; PGN where there is none.
    writer: Option<Box<dyn RowWriter>>,
    /// Games are written that do not match.
    complement: bool,
}

/// A game as it stands in the input.
#[derive(Debug, Clone, Copy)]
struct Given<'a> {
    raw: &'a RawGame<'a>,
    /// Without what is only there for other programs.
    text: &'a [u8],
    number: u64,
}

/// Where is noted what comes of a game.
#[derive(Debug)]
struct Notes<'o> {
    found: &'o mut Found,
    faults: &'o mut Vec<GameFault>,
    origin: &'o Origin,
    /// Which of several queries notes it.
    part: Option<usize>,
}

impl Notes<'_> {
    /// Notes a fault of the game, which is shown at its beginning.
    fn fault(&mut self, given: Given<'_>, kind: FaultKind, message: impl Into<String>) {
        self.faults.push(GameFault {
            number: given.number,
            line: 0,
            offset: given.raw.offset,
            kind,
            message: message.into(),
            part: self.part,
        });
    }
}

/// Whether it makes sense to go on: not when the query takes too many steps on each of the first
/// games, for then it will not end on others either, and not when enough was found. Shared by the
/// workers of a run.
///
/// Which games are the first depends on the input alone, so the end of a run does, too.
#[derive(Debug, Default)]
pub struct Hope(AtomicU32);

impl Hope {
    /// So many games decide.
    const N_GAMES: u32 = 10;

    /// All of them.
    const LOST: u32 = (1 << Hope::N_GAMES) - 1;

    /// Enough was found.
    const SATISFIED: u32 = 1 << Hope::N_GAMES;

    /// The query could be evaluated on a game.
    const SUCCEEDED: u32 = 2 << Hope::N_GAMES;

    /// The query failed on a game: what it says cannot be evaluated there.
    const FAILED: u32 = 4 << Hope::N_GAMES;

    /// Whether there is none.
    pub fn is_lost(&self) -> bool {
        self.0.load(Ordering::Relaxed) & Hope::LOST == Hope::LOST
    }

    /// Says that what further games come to is of no interest: they are not evaluated.
    pub fn satisfy(&self) {
        self.0.fetch_or(Hope::SATISFIED, Ordering::Relaxed);
    }

    /// Whether the query failed on all games that it was evaluated on, one or more. Limits do not
    /// count as failures.
    pub fn has_only_failed(&self) -> bool {
        let ended = self.0.load(Ordering::Relaxed) & (Hope::SUCCEEDED | Hope::FAILED);
        ended == Hope::FAILED
    }

    /// Notes how evaluating the query on a game ended.
    fn note(&self, end: u32) {
        // nearly always known, and then nothing is to be shared between processors
        if self.0.load(Ordering::Relaxed) & end == 0 {
            self.0.fetch_or(end, Ordering::Relaxed);
        }
    }

    fn is_over(&self) -> bool {
        self.is_lost() || self.0.load(Ordering::Relaxed) & Hope::SATISFIED != 0
    }

    /// Notes that game `index`, from 0, takes too many steps.
    fn lose(&self, index: u64) {
        if index < u64::from(Hope::N_GAMES) {
            self.0.fetch_or(1 << index, Ordering::Relaxed);
        }
    }
}

impl<'p> GameWorker<'p> {
    /// A worker that may not touch files.
    pub fn new(program: &'p Program) -> GameWorker<'p> {
        GameWorker {
            game: CurrentGame::default(),
            query: QueryWorker {
                program,
                state: State::new(program),
                edits: Edits::default(),
                hope: Arc::default(),
                writer: None,
                complement: false,
            },
            buffer: Vec::new(),
        }
    }

    /// The same with something other than PGN as the text of a game. Rows do not have the marker
    /// of matching positions among the comments.
    pub fn with_writer(mut self, writer: Box<dyn RowWriter>) -> GameWorker<'p> {
        self.query.state.unmarked = true;
        self.query.writer = Some(writer);
        self
    }

    /// The same for the other games: those that do not match are written, without what the query
    /// did to them. Games that cannot be searched are not among them.
    pub fn with_complement(mut self) -> GameWorker<'p> {
        self.query.complement = true;
        self
    }

    /// The same with what the workers of a run have in common.
    pub fn with_hope(mut self, hope: Arc<Hope>) -> GameWorker<'p> {
        self.query.hope = hope;
        self
    }

    /// The same with a way to files for `readfile` and `writefile`.
    pub fn with_files(mut self, files: Box<dyn FileAccess>) -> GameWorker<'p> {
        self.query.state.files = Files(files);
        self
    }

    /// The same with the number of games of the input, for `lastgamenumber`.
    pub fn with_last_game_number(mut self, number: u64) -> GameWorker<'p> {
        self.query.state.last_game_number = i32::try_from(number).unwrap_or(i32::MAX);
        self
    }

    /// `NAME: VALUE` of every persistent variable that is to be printed, in order.
    pub fn persistent_report(&self) -> Vec<Vec<u8>> {
        self.query.persistent_report()
    }

    /// The last game that matched as a row.
    pub(crate) fn row(&mut self, raw: &RawGame<'_>, number: u64, text: &[u8]) -> GameRow {
        let given = Given { raw, text, number };
        self.query.row(&self.game, given, true, false)
    }
}

impl Worker for GameWorker<'_> {
    type Results = Found;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Found>) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = raw.clean_text(&mut buffer);
        self.game.start(raw, text);
        let given = Given { raw, text, number };
        let mut notes = Notes {
            found: &mut out.results,
            faults: &mut out.faults,
            origin: &out.origin,
            part: None,
        };
        self.query.game(&mut self.game, given, &mut notes);
        out.results.end_game(number);
        if let Some(variant) = self.game.foreign_rules() {
            out.fault(raw, number, FaultKind::Variant, variant);
        }
        self.game.report_loss(given, out);
        self.buffer = buffer;
    }
}

impl QueryWorker<'_> {
    /// `NAME: VALUE` of every persistent variable that is to be printed, in order.
    fn persistent_report(&self) -> Vec<Vec<u8>> {
        use syntax::tree::Persistence;
        self.program
            .variables
            .iter()
            .zip(&self.state.slots)
            .filter(|(variable, _)| variable.persistent == Some(Persistence::Shown))
            .map(|(variable, slot)| print_persistent(&variable.name, variable.kind, slot))
            .collect()
    }

    /// Whether the settings want a game with `n` matching positions.
    fn wants(&self, n: usize) -> bool {
        match self.program.settings.matchcount {
            Some((min, max)) => {
                i64::try_from(n).is_ok_and(|n| (i64::from(min)..=i64::from(max)).contains(&n))
            }
            None => n > 0 || self.state.selected,
        }
    }

    /// Whether a game with `n` matching positions is written.
    fn is_written(&self, n: usize) -> bool {
        self.wants(n) != self.complement
    }
    /// Evaluates a game that has been started, and appends what comes of it. A game whose rules
    /// are unknown is left to the caller.
    fn game(&mut self, game: &mut CurrentGame, given: Given<'_>, notes: &mut Notes<'_>) {
        let program = self.program;
        let variations = program.settings.variations;
        let Given { raw, text, number } = given;
        if self.hope.is_over() {
            return;
        }
        self.state.start_game(program);
        #[cfg(feature = "fault-injection")]
        assert!(game.tags(text).raw(b"InjectedFault").is_none(), "injected");
        let record = Record::new(number, game.tags(text), None, raw.text);
        let positions = Positions::new(game.searched(variations));
        let mut evaluator = Evaluator::new(program, positions, &record, &mut self.state);
        let excluded = !passes_filters_of_tags(program, &record)
            || !evaluator.passes_player()
            || !evaluator.guard_holds();
        if let Some(fault) = self.state.fault.take() {
            self.report(&fault, given, notes);
            return;
        }
        if excluded && !self.is_written(0) || !game.read_moves(text, variations) {
            return;
        }
        self.state.is_used = true;
        let record = Record::new(number, game.tags(text), Some(game.tree()), raw.text);
        let searched = game.searched(variations);
        notes.found.n_positions += searched.len() as u64;
        let positions = Positions::new(searched);
        if !excluded && passes_results(program, &record) {
            Evaluator::new(program, positions, &record, &mut self.state).search();
            if self.state.fault.is_none() {
                self.hope.note(Hope::SUCCEEDED);
            }
        }
        let n_matches = self.state.matched.len();
        let said = &mut notes.found.messages;
        if said.is_empty() {
            // without a copy, for it may be much
            std::mem::swap(said, &mut self.state.messages);
        } else {
            said.append(&mut self.state.messages);
        }
        if let Some(fault) = self.state.fault.take() {
            self.report(&fault, given, notes);
        } else if self.is_written(n_matches) {
            if self.complement {
                self.state.undo();
            }
            let start = notes.found.text.len();
            if self.writer.is_some() {
                self.write_row(game, given, notes);
            } else {
                self.write_pgn(game, given, notes);
            }
            let limits = &program.settings.limits;
            if (notes.found.text.len() - start) as u64 > limits.output {
                notes.found.text.truncate(start);
                notes.fault(given, FaultKind::Limit, limits.message(Limit::Output));
                return;
            }
            let n_positions = self.state.matched.len() as u64;
            let found = &mut *notes.found;
            found.n_matching_positions += n_positions;
            found.matches.push(Match {
                number,
                text: start..found.text.len(),
                n_positions,
                sort_keys: self.sort_keys(),
            });
        }
    }

    /// Says that the query could not be evaluated on a game.
    fn report(&mut self, fault: &Fault, given: Given<'_>, notes: &mut Notes<'_>) {
        let number = given.number;
        if fault.limit == Some(Limit::Steps) {
            let (first, _) = self.program.game_numbers();
            self.hope.lose(number - first.min(number));
        }
        let kind = match fault.limit {
            Some(_) => FaultKind::Limit,
            None => {
                self.hope.note(Hope::FAILED);
                FaultKind::Evaluation
            }
        };
        notes.fault(given, kind, self.program.locate(fault));
    }

    /// The last game that matched as a row.
    fn row(
        &mut self,
        game: &CurrentGame,
        given: Given<'_>,
        positions: bool,
        movetext: bool,
    ) -> GameRow {
        let Given { raw, text, number } = given;
        let searched = game.searched(self.program.settings.variations);
        let notes = self.state.all_notes(self.program);
        let mut comments: Vec<PositionComment> = notes
            .into_iter()
            .map(|note| PositionComment {
                id: note.position,
                ply: searched.ply(note.position as usize) as u32,
                text: note.text.to_vec(),
            })
            .collect();
        // stable: in the order in which they were made at each position
        comments.sort_by_key(|comment| comment.id);
        let position = |(index, &id): (usize, &u32)| {
            let first = comments.partition_point(|comment| comment.id < id);
            let here = comments[first..].iter().take_while(|c| c.id == id);
            PositionRow {
                comments: here.map(|comment| comment.text.clone()).collect(),
                values: self.state.values.get(index).cloned().unwrap_or_default(),
                ..row::position(searched, id)
            }
        };
        let matched = self.state.matched.iter().enumerate();
        let positions = match positions {
            true => matched.map(position).collect(),
            false => Vec::new(),
        };
        let movetext = match movetext {
            true => movetext::movetext(searched, text, &self.state.removed),
            false => Vec::new(),
        };
        let values = match self.state.values.first() {
            Some(values) => values.clone(),
            None => self.values_at_start(game, given),
        };
        GameRow {
            // The caller knows where it comes from.
            input: Arc::default(),
            number,
            number_in_input: number,
            offset: raw.offset,
            tags: row::tags(game.tags(text), &self.state.tags),
            result: game.tree().result(),
            n_positions: self.state.matched.len() as u64,
            positions,
            comments,
            sort_values: self.sort_values(),
            values,
            movetext,
        }
    }

    fn values_at_start(&mut self, game: &CurrentGame, given: Given<'_>) -> Vec<RowValue> {
        if self.program.values.is_empty() {
            return Vec::new();
        }
        let Given { raw, text, number } = given;
        let record = Record::new(number, game.tags(text), Some(game.tree()), raw.text);
        let positions = Positions::new(game.searched(self.program.settings.variations));
        Evaluator::new(self.program, positions, &record, &mut self.state).values_at(0)
    }

    fn write_row(&mut self, game: &CurrentGame, given: Given<'_>, notes: &mut Notes<'_>) {
        let Some(mut writer) = self.writer.take() else {
            return;
        };
        let (positions, movetext) = (writer.wants_positions(), writer.wants_movetext());
        let mut row = self.row(game, given, positions, movetext);
        row.input = notes.origin.name.clone();
        row.number_in_input = row.number.saturating_sub(notes.origin.games_before);
        writer.game(&row, &mut notes.found.text);
        self.writer = Some(writer);
    }

    fn sort_keys(&self) -> Vec<SortKey> {
        let mut sort_keys: Vec<SortKey> = self
            .state
            .sorts
            .iter()
            .map(|sort| match &sort.best {
                None => SortKey::None,
                Some(SortValue::Number(value)) => SortKey::Number(i64::from(*value)),
                Some(SortValue::Text(value)) => SortKey::Text(value.clone()),
            })
            .collect();
        if let Some(place) = self.program.place_of_matchcount() {
            sort_keys.insert(place, SortKey::Number(self.state.matched.len() as i64));
        }
        sort_keys
    }

    /// The keys of the current game with the labels of the `sort` filters.
    fn sort_values(&self) -> Vec<SortedValue> {
        let labels = self.program.sort_labels().into_iter();
        labels
            .zip(self.sort_keys())
            .map(|(label, value)| SortedValue { label, value })
            .collect()
    }

    /// Writes the current game with what the query added to it.
    fn write_pgn(&mut self, game: &CurrentGame, given: Given<'_>, notes: &mut Notes<'_>) {
        let Given { text, number, .. } = given;
        let program = self.program;
        let settings = &program.settings;
        let searched = game.searched(settings.variations);
        let edits = &mut self.edits;
        edits.clear();
        if settings.level != CommentLevel::Silent {
            if !settings.writing.no_header {
                edits.add_comment(0, format!("Game number {number}").as_bytes());
            }
            let notes = self.state.all_notes(program);
            for note in notes {
                edits.add_comment(searched.node(note.position as usize), &note.text);
            }
            if !self.complement {
                edits.add_comment(0, &self.state.sort_text(program));
            }
        }
        for &position in &self.state.removed {
            edits.remove_comment(searched.node(position as usize));
        }
        for (name, value) in &self.state.tags {
            edits.set_tag(name, value);
        }
        let options = WriteOptions {
            output_buffer: settings.output_buffer,
            unique_comments: settings.writing.unique_comments,
        };
        let written = write_game(
            &mut notes.found.text,
            game.tags(text),
            game.tree(),
            edits,
            &options,
        );
        if written.truncated {
            let most = options.output_buffer;
            let message = format!("the game has more than {most} bytes with its comments");
            notes.fault(given, FaultKind::Truncated, message);
        }
        for _ in 0..written.ignored_comments {
            let notice = format!("\nIgnoring long comment in game: {number}\n");
            notes.found.messages.extend_from_slice(notice.as_bytes());
        }
    }
}

/// The game filters that need nothing but tags.
fn passes_filters_of_tags(program: &Program, record: &Record<'_>) -> bool {
    match program.settings.year {
        Some((min, max)) => record
            .year()
            .is_some_and(|year| (min..=max).contains(&year)),
        None => true,
    }
}

fn passes_results(program: &Program, record: &Record<'_>) -> bool {
    let results = &program.settings.results;
    results.iter().all(|&r| record.result() == Some(r))
}
