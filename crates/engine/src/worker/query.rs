//! Evaluates one query on one game after another: tests the guard, evaluates, writes.

use std::cell::OnceCell;
use std::sync::Arc;

use flow::{FaultKind, Interruption, Origin, ReadError};
use pgn::{Edits, LostComments, Rating, WriteOptions, Written, write_game};
use syntax::tree::{CommentLevel, Persistence};

use super::GameLog;
use super::columns::ColumnQuery;
use super::current::{CurrentGame, GameData, GameInput};
use super::glance::GamePrefilter;
use super::known::RequestedParts;
use super::rivals::{Hurdle, Rivals};
use super::run::QueryRun;
use crate::GameScreen;
use crate::eval::{EvalError, Evaluator, Slot, SortValue, State, print_persistent, values_of_game};
use crate::files::{BoxedFileAccess, FileAccess};
use crate::found::{Match, SortFloor, SortKey};
use crate::movetext;
use crate::outside::{BoxedPrograms, Programs};
use crate::positions::{Positions, Saved};
use crate::record::{Record, UsualTags};
use crate::row::{self, GameRow, PositionComment, PositionRow, RowValue, RowWriter, SortedValue};
use board::{Color, Rules};
use compiler::limits::Limit;
use compiler::program::Program;

/// Evaluates one program on games. Between games, it keeps persistent variables and memory to be
/// reused.
#[derive(Debug)]
pub struct QueryWorker {
    program: Arc<Program>,
    /// Data of a game needed to evaluate the program.
    wanted: RequestedParts,
    own: WorkerState,
}

/// Parts of a row that not every writer needs.
#[derive(Debug, Clone, Copy, Default)]
struct RowParts {
    positions: bool,
    keys: bool,
    ratings: bool,
    moves: bool,
    movetext: bool,
}

/// State of a worker that is not shared with other workers, except for `run`.
#[derive(Debug)]
struct WorkerState {
    state: State,
    glance: GamePrefilter,
    /// The program, if the columns of an archive answer it.
    columns: Option<ColumnQuery>,
    /// The tags that the writer needs, if games are answered by columns; see
    /// [`WorkerState::short_answer`].
    written_tags: OnceCell<Option<UsualTags>>,
    /// The last row with nothing but usual tags, to reuse its memory.
    row: GameRow,
    edits: Edits,
    run: Arc<QueryRun>,
    /// Writer of matching games; `None` for PGN.
    writer: Option<Box<dyn RowWriter>>,
    /// Whether the games that do not match are written.
    complement: bool,
    /// Whether matching games are kept as rows beside their text.
    keeps_rows: bool,
    /// If only the best games are wanted, the value that the first `sort` must exceed.
    floor: Option<Arc<SortFloor>>,
    rivals: Rivals,
}

impl QueryWorker {
    /// Creates a worker without access to files. The workers of a search share `run`.
    pub fn new(program: Arc<Program>, run: Arc<QueryRun>) -> QueryWorker {
        let own = WorkerState {
            state: State::new(&program, run.cancel()),
            glance: GamePrefilter::by(GameScreen::for_texts(&program)),
            columns: ColumnQuery::of(&program),
            written_tags: OnceCell::new(),
            row: GameRow::default(),
            edits: Edits::default(),
            run,
            writer: None,
            complement: false,
            keeps_rows: false,
            floor: None,
            rivals: Rivals::default(),
        };
        QueryWorker { wanted: RequestedParts::by(&program), program, own }
    }

    /// Sets a writer for a format other than PGN. Rows do not have the marker of matching positions
    /// among their comments.
    pub fn with_writer(mut self, writer: Box<dyn RowWriter>) -> QueryWorker {
        self.own.state.unmarked = true;
        self.own.writer = Some(writer);
        self
    }

    /// Writes the games that do not match instead of those that do, without the effects of the
    /// query. Games that cannot be searched are not written.
    pub fn with_complement(mut self) -> QueryWorker {
        self.own.complement = true;
        self.at_every_position()
    }

    /// Evaluates all positions of every game, without first testing whether the query may match in
    /// a game at all. The results are the same, which tests verify.
    pub fn at_every_position(mut self) -> QueryWorker {
        self.own.glance = GamePrefilter::default();
        self
    }

    /// Keeps each matching game as a row ([`QueryResults::rows`](crate::QueryResults::rows)) beside
    /// its text.
    pub fn with_rows(mut self) -> QueryWorker {
        self.own.keeps_rows = true;
        self
    }

    /// Passes over games in which the number of the first `sort` does not exceed `floor`. Rows of the
    /// others have the position with this number only.
    pub fn with_floor(mut self, floor: Arc<SortFloor>) -> QueryWorker {
        self.own.floor = Some(floor);
        self
    }

    /// Sets the access to files for `readfile` and `writefile`.
    pub fn with_files(mut self, files: Box<dyn FileAccess>) -> QueryWorker {
        self.own.state.files = BoxedFileAccess(files);
        self
    }

    /// Sets the access to external programs for `commandpipe` and `engine`.
    pub fn with_programs(mut self, programs: Box<dyn Programs>) -> QueryWorker {
        self.own.state.programs = BoxedPrograms(programs);
        self
    }

    /// Sets the number of games of the input. The value of `lastgamenumber` is this number, but not
    /// more than that of the last game that the query searches.
    pub fn with_last_game_number(mut self, number: u64) -> QueryWorker {
        let (_, last) = self.program.game_numbers();
        let number = number.min(last.unwrap_or(u64::MAX));
        self.own.state.last_game_number = i32::try_from(number).unwrap_or(i32::MAX);
        self
    }

    /// Returns `NAME: VALUE` for every persistent variable that is to be printed, in order.
    pub fn persistent_report(&self) -> Vec<Vec<u8>> {
        let variables = self.program.variables.iter().zip(&self.own.state.slots);
        variables
            .filter(|(variable, _)| variable.persistent == Some(Persistence::Shown))
            .map(|(variable, slot)| print_persistent(&variable.name, variable.kind, slot))
            .collect()
    }

    /// Whether the query needs the moves of most games.
    pub(super) fn uses_moves(&self) -> bool {
        self.own.short_answer(&self.program).is_none() || !self.program.values.is_empty()
    }

    /// Whether the query searches the game with this number.
    pub(super) fn searches_game(&self, number: u64) -> bool {
        self.program.searches_game(number)
    }

    /// Whether a known number of matching positions is all that is needed of the positions.
    pub(super) fn needs_only_count(&self) -> bool {
        let own = &self.own;
        own.columns.as_ref().is_some_and(|query| query.is_screened() && own.wants_only_counts())
    }

    /// Does all that is to be done for a game, without starting it, if columns answer the query and
    /// its tags decide nothing. Returns `false` if that is impossible.
    pub(super) fn answer_at_once(&mut self, given: GameInput<'_>, notes: &mut GameLog<'_>) -> bool {
        let QueryWorker { program, own, .. } = self;
        let asks_for_tags = program.settings.year.is_some() || Evaluator::asks_for_tags(program);
        !asks_for_tags && !own.run.is_over() && own.answer_by_columns(program, given, notes)
    }

    /// Evaluates a game that has been started, and records the results. The caller must report a
    /// game whose rules are unknown. Fails if a game that was read before is not available.
    pub(super) fn game(
        &mut self,
        game: &mut CurrentGame,
        given: GameInput<'_>,
        notes: &mut GameLog<'_>,
    ) -> Result<(), ReadError> {
        self.own.game(&self.program, self.wanted, game, given, notes)
    }

    /// Resets the state after a panic, which may have left it inconsistent.
    pub(super) fn renew(&mut self) {
        let new = State::new(&self.program, self.own.run.cancel());
        let old = std::mem::replace(&mut self.own.state, new);
        let state = &mut self.own.state;
        state.files = old.files;
        state.programs = old.programs;
        state.unmarked = old.unmarked;
        state.last_game_number = old.last_game_number;
        self.own.edits = Edits::default();
    }
}

impl WorkerState {
    /// Whether the settings select a game with `n` matching positions.
    fn wants(&self, program: &Program, n: usize) -> bool {
        match program.settings.matchcount {
            Some((min, max)) => {
                i64::try_from(n).is_ok_and(|n| (i64::from(min)..=i64::from(max)).contains(&n))
            }
            None => n > 0 || self.state.selected,
        }
    }

    /// Whether a game with `n` matching positions is written.
    fn is_written(&self, program: &Program, n: usize) -> bool {
        self.wants(program, n) != self.complement
    }

    /// Whether the best number of the first `sort` exceeds the floor, if there is one.
    fn exceeds_floor(&self) -> bool {
        let Some(floor) = self.floor.as_ref().map(|floor| floor.get()) else {
            return true;
        };
        match self.state.sorts.first().map(|sort| &sort.best) {
            Some(Some(SortValue::Number(best))) => i64::from(*best) > floor,
            // A game without a number is the last of all.
            _ => floor == i64::MIN,
        }
    }

    /// Whether the moves of a game that was read before show that the number of the first `sort` does
    /// not exceed the floor.
    fn is_too_low_by_codes(&mut self, program: &Program, given: GameInput<'_>) -> bool {
        let (GameData::Known(game), Some(hurdle)) = (given.data, self.hurdle(program)) else {
            return false;
        };
        game.line().is_some_and(|line| !self.rivals.has_one_in(hurdle, line))
    }

    /// Whether the positions of a game show that the number of the first `sort` does not exceed the
    /// floor.
    fn is_too_low(&mut self, program: &Program, given: GameInput<'_>, game: &CurrentGame) -> bool {
        let (GameData::Text(..), Some(hurdle)) = (given.data, self.hurdle(program)) else {
            return false;
        };
        let positions = Positions::new(game.searched(program.settings.variations));
        let line = positions.line().filter(|_| positions.rules().are_of_chess());
        line.is_some_and(|line| !self.rivals.has_one(hurdle, line.iter().copied()))
    }

    /// Returns the ranking of the program with the floor that games must exceed. Returns `None` if the
    /// program ranks no games, or while every game may still be among the best.
    fn hurdle<'p>(&self, program: &'p Program) -> Option<Hurdle<'p>> {
        let floor = self.floor.as_ref().filter(|_| !self.complement)?.get();
        let ranking = program.ranking.as_ref()?;
        (floor > i64::MIN).then_some(Hurdle { program, ranking, floor })
    }

    /// Evaluates a game that has been started, and appends the results. The caller must report a
    /// game whose rules are unknown.
    fn game(
        &mut self,
        program: &Program,
        wanted: RequestedParts,
        game: &mut CurrentGame,
        given: GameInput<'_>,
        notes: &mut GameLog<'_>,
    ) -> Result<(), ReadError> {
        let variations = program.settings.variations;
        if self.run.is_over() {
            return Ok(());
        }
        self.state.start_game(program);
        #[cfg(feature = "fault-injection")]
        assert!(game.tags(given).raw(b"InjectedFault").is_none(), "injected");
        game.read_tags(given, wanted)?;
        let record = game.record(given);
        let positions = Positions::new(game.searched(variations));
        let excluded = !passes_filters_of_tags(program, &record)
            || !Evaluator::passes_tags(program, positions, &record, &mut self.state);
        if let Some(fault) = self.state.fault.take() {
            return self.report(program, &fault, given, notes);
        }
        if !excluded && self.answer_by_columns(program, given, notes)
            || excluded && !self.is_written(program, 0)
            || self.is_too_low_by_codes(program, given)
            || !game.read_moves(given, wanted, &program.settings)?
            || self.is_too_low(program, given, game)
        {
            return Ok(());
        }
        let record = game.record(given);
        let searched = game.searched(variations);
        notes.found.n_positions += searched.len() as u64;
        let saved = Saved::of(program);
        let positions = Positions::new(searched).with_saved(saved.as_ref());
        if !excluded && passes_results(program, &record) {
            // Games that were read before have already been tested with the screen.
            let is_denied = matches!(given.data, GameData::Text(..))
                && self.glance.denies(game.tree(), game.tags(given));
            let (known, candidates) = match given.data {
                GameData::Known(game) => {
                    let query = self.counting_query();
                    let known = query.and_then(|query| query.count(game, variations, notes.part));
                    (known, game.candidates(notes.part))
                }
                GameData::Text(..) => (None, None),
            };
            if let Some((_, n)) = known {
                self.state.count_matches(n);
            } else if !is_denied {
                Evaluator::new(program, positions, &record, &mut self.state).search(candidates);
            }
            if self.state.fault.is_none() {
                self.run.succeed();
            }
        }
        let n_matches = self.state.matched.len();
        let said = &mut notes.found.messages;
        if said.is_empty() {
            // without a copy, since there may be a lot of text
            std::mem::swap(said, &mut self.state.messages);
        } else {
            said.append(&mut self.state.messages);
        }
        if let Some(fault) = self.state.fault.take() {
            self.report(program, &fault, given, notes)?;
        } else if self.is_written(program, n_matches) && self.exceeds_floor() {
            if self.complement {
                self.state.undo();
            }
            game.complete(given, self.wanted_to_write())?;
            let start = notes.found.text.len();
            let lost_comments = if self.writer.is_some() {
                self.write_row(program, game, given, notes);
                LostComments::default()
            } else {
                let written = self.write_pgn(program, game, given, notes);
                game.note_lost_tag(written.lost_tag);
                written.lost_comments
            };
            let counts = (n_matches as u64, self.sort_keys(program));
            let is_added = add_match(program, given, counts, (start, lost_comments), notes);
            if is_added && self.keeps_rows {
                let row = self.row(
                    program,
                    game,
                    given,
                    notes.origin,
                    RowParts { positions: true, ..RowParts::default() },
                );
                notes.found.rows.push(row);
            }
        }
        Ok(())
    }

    /// Returns the program as a query about columns, if nothing but the number of its matching
    /// positions is wanted.
    fn counting_query(&self) -> Option<&ColumnQuery> {
        self.columns.as_ref().filter(|_| self.wants_only_counts())
    }

    /// Returns that query and the tags that the writer needs, if games that have the columns are
    /// answered by them.
    fn short_answer(&self, program: &Program) -> Option<(&ColumnQuery, UsualTags)> {
        // All games share the answer, which takes longer to find than a game to count.
        let tags = *self.written_tags.get_or_init(|| {
            let writer = self.counting_query().and(self.writer.as_ref())?;
            let wants_more = self.complement
                || self.is_written(program, 0)
                || writer.wants_keys()
                || writer.wants_moves()
                || writer.wants_movetext();
            writer.usual_tags().filter(|_| !wants_more)
        });
        self.columns.as_ref().zip(tags)
    }

    /// Whether nothing is wanted of the matching positions but their number.
    fn wants_only_counts(&self) -> bool {
        let writer = self.writer.as_ref();
        let wants_more = self.keeps_rows || self.floor.is_some();
        !wants_more && writer.is_some_and(|writer| !writer.wants_positions())
    }

    /// Does all that is to be done for a game whose tags have been tested, without its moves. Returns
    /// `false` if that is impossible.
    fn answer_by_columns(
        &mut self,
        program: &Program,
        given: GameInput<'_>,
        notes: &mut GameLog<'_>,
    ) -> bool {
        let GameData::Known(game) = given.data else {
            return false;
        };
        let known = self.short_answer(program).and_then(|(query, tags)| {
            let tags = Some(tags).filter(|tags| game.has_exact(*tags))?;
            let counts = query.count(game, program.settings.variations, notes.part)?;
            // Values are looked up in the moves.
            let line = if program.values.is_empty() { None } else { Some(game.line()?) };
            Some((tags, counts, game.result()?, line))
        });
        let Some((tags, (n_positions, n_matching), result, line)) = known else {
            return false;
        };
        notes.found.n_positions += u64::from(n_positions);
        self.run.succeed();
        if self.is_written(program, n_matching as usize)
            && let Some(writer) = &mut self.writer
        {
            let start = notes.found.text.len();
            let n_positions = u64::from(n_matching);
            if !writer.count(n_positions, &mut notes.found.text) {
                let row = &mut self.row;
                (row.number, row.offset) = (given.number, game.offset());
                row.number_in_input = given.number.saturating_sub(notes.origin.games_before);
                (row.result, row.n_positions) = (result, n_positions);
                if !Arc::ptr_eq(&row.input, &notes.origin.name) {
                    row.input.clone_from(&notes.origin.name);
                }
                let mut n_tags = 0;
                game.visit_tags(tags, &mut |name, value| {
                    row::put_tag(&mut row.tags, n_tags, name.as_bytes(), value);
                    n_tags += 1;
                });
                row.tags.truncate(n_tags);
                // A game whose tags are all known has no ratings but those.
                if writer.wants_ratings() {
                    let tags = || row.tags.iter().map(|(name, value)| (&**name, &**value));
                    row.ratings = Color::ALL.map(|color| Rating::of_tags(color, tags()).value);
                }
                if let Some(line) = line {
                    let opening = program.settings.openings.of_line(line);
                    row.values.clear();
                    row.values.extend(values_of_game(program, opening));
                }
                writer.game(row, &mut notes.found.text);
            }
            // A query with sort keys is not answered here.
            let (counts, output) = ((n_positions, Vec::new()), (start, LostComments::default()));
            add_match(program, given, counts, output, notes);
        }
        true
    }

    /// Returns the parts of a game that are needed to write it.
    fn wanted_to_write(&self) -> RequestedParts {
        match &self.writer {
            None => RequestedParts::ALL,
            Some(writer) => RequestedParts {
                text: false,
                annotations: writer.wants_movetext(),
                all_tags: writer.wants_all_tags(),
            },
        }
    }

    /// Reports that the query could not be evaluated on a game. Fails if the run is cancelled: then
    /// the game may have been given up for this reason alone.
    fn report(
        &mut self,
        program: &Program,
        fault: &EvalError,
        given: GameInput<'_>,
        notes: &mut GameLog<'_>,
    ) -> Result<(), ReadError> {
        if self.run.cancel().is_cancelled() {
            return Err(Interruption::Cancelled.into());
        }
        let number = given.number;
        if fault.limit == Some(Limit::Steps) {
            let (first, _) = program.game_numbers();
            self.run.exceed(number - first.min(number));
        }
        let kind = match fault.limit {
            // A greater limit would not help with words that have no meaning in a variant.
            Some(Limit::Rules(_)) | None => {
                self.run.fail();
                FaultKind::Evaluation
            }
            Some(_) => FaultKind::Limit,
        };
        notes.fault(given, kind, fault.located_in(program));
        Ok(())
    }

    /// Returns the last matching game as a row with the wanted parts.
    fn row(
        &mut self,
        program: &Program,
        game: &CurrentGame,
        given: GameInput<'_>,
        origin: &Origin,
        wanted: RowParts,
    ) -> GameRow {
        let number = given.number;
        let searched = game.searched(program.settings.variations);
        let mut comments = Vec::new();
        self.state.for_each_note(program, |note| {
            comments.push(PositionComment {
                id: note.position,
                ply: searched.ply(note.position as usize) as u32,
                text: note.text.to_vec(),
            });
        });
        // a stable sort, so comments at a position stay in order of creation
        comments.sort_by_cached_key(|comment| comment.id);
        // Values of the whole game are kept once.
        let values = &self.state.values;
        let position = |(index, &id): (usize, &u32)| {
            let first = comments.partition_point(|comment| comment.id < id);
            let here = comments[first..].iter().take_while(|c| c.id == id);
            PositionRow {
                comments: here.map(|comment| comment.text.clone()).collect(),
                values: values.get(index).or(values.first()).cloned().unwrap_or_default(),
                key: if wanted.keys { row::key(searched, id) } else { 0 },
                ..row::position(searched, id)
            }
        };
        let only = self.floor.as_ref().and(self.state.sorts.first()).map(|sort| sort.place);
        let matched = self.state.matched.iter().enumerate();
        let matched = matched.filter(|(_, id)| only.is_none_or(|only| only == **id));
        let positions = if wanted.positions { matched.map(position).collect() } else { Vec::new() };
        let moves = if wanted.moves { row::main_line(searched.tree()) } else { Vec::new() };
        let movetext = if wanted.movetext {
            movetext::movetext(searched, game.text(given).text(), &self.state.removed)
        } else {
            Vec::new()
        };
        let sort_values = self.sort_values(program);
        let best = sort_values.first().and_then(|sorted| sorted.at);
        let shown = best.and_then(|id| self.state.matched.iter().position(|other| *other == id));
        let of_matches = &self.state.values;
        let values = match of_matches.get(shown.unwrap_or(0)).or(of_matches.first()) {
            Some(values) => values.clone(),
            None => self.values_at_start(program, game, given),
        };
        GameRow {
            input: origin.name.clone(),
            number,
            number_in_input: number.saturating_sub(origin.games_before),
            offset: given.offset(),
            tags: row::tags(game.tags(given), &self.state.tags, &self.state.removed_tags),
            ratings: if wanted.ratings { row::ratings(game.tags(given)) } else { [0; 2] },
            rules: if wanted.moves || wanted.movetext { game.tree().rules() } else { Rules::Chess },
            result: game.tree().result(),
            n_positions: self.state.matched.len() as u64,
            positions,
            comments,
            sort_values,
            values,
            moves,
            movetext,
        }
    }

    fn values_at_start(
        &mut self,
        program: &Program,
        game: &CurrentGame,
        given: GameInput<'_>,
    ) -> Vec<RowValue> {
        if program.values.is_empty() {
            return Vec::new();
        }
        let record = game.record(given);
        let saved = Saved::of(program);
        let positions = Positions::new(game.searched(program.settings.variations));
        let positions = positions.with_saved(saved.as_ref());
        // Positions kept during the search of the game no longer exist.
        for slot in &mut self.state.slots {
            if matches!(slot, Slot::Position(id) if *id >= positions.len()) {
                *slot = Slot::Unbound;
            }
        }
        Evaluator::new(program, positions, &record, &mut self.state).values_at(0)
    }

    fn write_row(
        &mut self,
        program: &Program,
        game: &CurrentGame,
        given: GameInput<'_>,
        notes: &mut GameLog<'_>,
    ) {
        let Some(writer) = &mut self.writer else {
            return;
        };
        if writer.count(self.state.matched.len() as u64, &mut notes.found.text) {
            return;
        }
        let wanted = RowParts {
            positions: writer.wants_positions(),
            keys: writer.wants_keys(),
            ratings: writer.wants_ratings(),
            moves: writer.wants_moves(),
            movetext: writer.wants_movetext(),
        };
        let row = self.row(program, game, given, notes.origin, wanted);
        if let Some(writer) = &mut self.writer {
            writer.game(&row, &mut notes.found.text);
        }
    }

    fn sort_keys(&self, program: &Program) -> Vec<SortKey> {
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
        if let Some(place) = program.place_of_matchcount() {
            sort_keys.insert(place, SortKey::Number(self.state.matched.len() as i64));
        }
        sort_keys
    }

    /// Returns the sort keys of the current game, with the labels of the `sort` filters.
    fn sort_values(&self, program: &Program) -> Vec<SortedValue> {
        let sorts = self.state.sorts.iter();
        let mut places: Vec<Option<u32>> =
            sorts.map(|sort| sort.best.is_some().then_some(sort.place)).collect();
        if let Some(place) = program.place_of_matchcount() {
            places.insert(place, None);
        }
        let labels = program.sort_labels().into_iter();
        labels
            .zip(self.sort_keys(program).into_iter().zip(places))
            .map(|(label, (value, at))| SortedValue { label, value, at })
            .collect()
    }

    /// Writes the current game as PGN, with the edits of the query.
    fn write_pgn(
        &mut self,
        program: &Program,
        game: &CurrentGame,
        given: GameInput<'_>,
        notes: &mut GameLog<'_>,
    ) -> Written {
        let number = given.number;
        let settings = &program.settings;
        let searched = game.searched(settings.variations);
        let edits = &mut self.edits;
        edits.clear();
        if settings.level != CommentLevel::Silent {
            if !settings.writing.no_header {
                edits.add_comment(0, format!("Game number {number}").as_bytes());
            }
            // Most comments are the marker of matching positions, which need not be compared.
            let mut last: Option<Arc<[u8]>> = None;
            self.state.for_each_note(program, |note| {
                let node = searched.node(note.position as usize);
                match &last {
                    Some(last) if Arc::ptr_eq(last, &note.text) => edits.repeat_comment(node),
                    _ => {
                        edits.add_comment(node, &note.text);
                        last = Some(Arc::clone(&note.text)).filter(|text| !text.is_empty());
                    }
                }
            });
            if !self.complement {
                edits.add_comment(0, &self.state.sort_text(program));
            }
        }
        for &position in &self.state.removed {
            edits.remove_comment(searched.node(position as usize));
        }
        let is_written = |name: &[u8]| !settings.chooses_tags() || settings.writes_tag(name);
        for (name, value) in &self.state.tags {
            if is_written(name) {
                edits.set_tag(name, value);
            }
        }
        for name in &self.state.removed_tags {
            edits.remove_tag(name);
        }
        if settings.chooses_tags() {
            let names = game.tags(given).iter().map(|(name, _)| name);
            names.filter(|name| !is_written(name)).for_each(|name| {
                edits.remove_tag(name);
            });
        }
        let options = WriteOptions {
            output_buffer: settings.output_buffer,
            unique_comments: settings.writing.unique_comments,
            elided: settings.writing.elided,
            all_comments: settings.writing.all_comments,
            line_width: settings.writing.line_width,
            keeps_letters: settings.writing.keeps_letters,
        };
        let written =
            write_game(&mut notes.found.text, game.text(given), game.tree(), edits, &options);
        if written.truncated {
            let most = options.output_buffer;
            let message = format!("the game has more than {most} bytes with its comments");
            notes.fault(given, FaultKind::Truncated, message);
        }
        for _ in 0..written.ignored_comments {
            let notice = format!("\nIgnoring long comment in game: {number}\n");
            notes.found.messages.extend_from_slice(notice.as_bytes());
        }
        written
    }
}

/// Adds a game with its number of matching positions and its sort keys, unless its output is too
/// long. The output begins at `start`.
fn add_match(
    program: &Program,
    given: GameInput<'_>,
    (n_positions, sort_keys): (u64, Vec<SortKey>),
    (start, lost_comments): (usize, LostComments),
    notes: &mut GameLog<'_>,
) -> bool {
    let limits = &program.settings.limits;
    if (notes.found.text.len() - start) as u64 > limits.output {
        notes.found.text.truncate(start);
        notes.fault(given, FaultKind::Limit, limits.message(Limit::Output));
        return false;
    }
    let found = &mut *notes.found;
    found.n_matching_positions += n_positions;
    let (number, text) = (given.number, start..found.text.len());
    found.matches.push(Match { number, text, n_positions, lost_comments, sort_keys });
    true
}

/// Whether the game passes the settings that need only tags.
fn passes_filters_of_tags(program: &Program, record: &Record<'_>) -> bool {
    match program.settings.year {
        Some((min, max)) => record.year().is_some_and(|year| (min..=max).contains(&year)),
        None => true,
    }
}

fn passes_results(program: &Program, record: &Record<'_>) -> bool {
    let results = &program.settings.results;
    results.iter().all(|&r| record.result() == Some(r))
}
