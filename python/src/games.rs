//! Matching games as Python objects.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};

use engine::{Color, MatchedGame, PositionRow, RowValue};
use flow::Cancel;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use table::Table;

use crate::query::Query;
use crate::source::Source;
use crate::task::{QueryTask, Report, SearchTask, Stop};
use crate::wait::{Running, Watch};

/// Number of games that may wait to be taken.
const WAITING: usize = 64;

/// A position that matches. It can be pickled.
#[pyclass(frozen, get_all, eq, hash, module = "babson")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// Index of the position in the searched part of the game.
    id: u32,
    /// Number of moves since the start of the game.
    ply: u32,
    /// Number of the next full move.
    move_number: u32,
    /// The side to move: "white" or "black".
    side: String,
    /// The move that led here, in standard notation; None at the start.
    san: Option<String>,
    /// The move that led here, in UCI notation; None at the start.
    uci: Option<String>,
    /// The position as FEN.
    fen: String,
    /// Comments that the query adds at this position.
    comments: Vec<String>,
}

#[pymethods]
impl Position {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "it is made by pickle")]
    fn new(
        id: u32,
        ply: u32,
        move_number: u32,
        side: String,
        san: Option<String>,
        uci: Option<String>,
        fen: String,
        comments: Vec<String>,
    ) -> Position {
        Position { id, ply, move_number, side, san, uci, fen, comments }
    }

    /// For pickle.
    #[expect(clippy::type_complexity, reason = "the fields in their order")]
    fn __getnewargs__(
        &self,
    ) -> (u32, u32, u32, String, Option<String>, Option<String>, String, Vec<String>) {
        (
            self.id,
            self.ply,
            self.move_number,
            self.side.clone(),
            self.san.clone(),
            self.uci.clone(),
            self.fen.clone(),
            self.comments.clone(),
        )
    }

    fn __repr__(&self) -> String {
        format!("<Position ply={} fen={:?}>", self.ply, self.fen)
    }
}

/// A game that matches.
#[pyclass(frozen, module = "babson", subclass, dict)]
pub(crate) struct Game {
    game: MatchedGame,
    values: Vec<String>,
}

#[pymethods]
impl Game {
    /// Name of the input that contains the game.
    #[getter]
    fn input(&self) -> String {
        self.game.row.input.to_string()
    }

    /// Number of the game, counted through all inputs from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.game.row.number
    }

    /// Number of the game in its input, from 1.
    #[getter]
    fn number_in_input(&self) -> u64 {
        self.game.row.number_in_input
    }

    /// Result: "1-0", "0-1", "1/2-1/2" or "*".
    #[getter]
    fn result(&self) -> String {
        self.game.row.result.to_string()
    }

    /// Names and values of the tags, in order.
    #[getter]
    fn tag_pairs(&self) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| pgn::decode(bytes).into_owned();
        let tags = self.game.row.tags.iter();
        tags.map(|(name, value)| (text(name), text(value))).collect()
    }

    /// The game as PGN, with the comments of the query.
    #[getter]
    fn pgn(&self) -> String {
        pgn::decode(&self.game.pgn).into_owned()
    }

    /// The matching positions.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.game.row.positions.iter().map(position).collect()
    }

    /// Names and values of the expressions given to `compile`, at the position that stands for the
    /// game, or at the one with this index in `positions`.
    #[pyo3(signature = (position=None))]
    fn value_pairs(
        &self,
        py: Python<'_>,
        position: Option<usize>,
    ) -> PyResult<Vec<(String, Option<Py<PyAny>>)>> {
        let row = &self.game.row;
        let values = match position {
            None => &row.values,
            Some(index) => match row.positions.get(index) {
                Some(position) => &position.values,
                None => return Err(pyo3::exceptions::PyIndexError::new_err("no such position")),
            },
        };
        let pairs = self.values.iter().zip(values);
        pairs.map(|(name, value)| Ok((name.clone(), value_of(py, value)?))).collect()
    }
}

fn value_of(py: Python<'_>, value: &RowValue) -> PyResult<Option<Py<PyAny>>> {
    Ok(Some(match value {
        RowValue::None => return Ok(None),
        RowValue::Boolean(value) => value.into_py_any(py)?,
        RowValue::Number(value) => value.into_py_any(py)?,
        RowValue::Text(text) => pgn::decode(text).into_owned().into_py_any(py)?,
        RowValue::Squares(squares) => {
            let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            names.into_py_any(py)?
        }
        RowValue::Position(id) => id.into_py_any(py)?,
    }))
}

fn position(row: &PositionRow) -> Position {
    let side = match row.side {
        Color::White => "white",
        Color::Black => "black",
    };
    let comments = row.comments.iter();
    Position {
        id: row.id,
        ply: row.ply,
        move_number: row.move_number,
        side: side.to_owned(),
        san: row.last_move.as_ref().map(|played| played.san.clone()),
        uci: row.last_move.as_ref().map(|played| played.uci.clone()),
        fen: row.fen.clone(),
        comments: comments.map(|text| pgn::decode(text).into_owned()).collect(),
    }
}

/// Iterator over the matching games.
#[pyclass(name = "Games", frozen, module = "babson")]
pub(crate) struct MatchingGames {
    running: Mutex<Running<SearchMessage>>,
    values: Vec<String>,
    report: Mutex<Option<Report>>,
}

enum SearchMessage {
    Game(Box<MatchedGame>),
    End(Box<Report>, Result<(), Stop>),
}

#[pymethods]
impl MatchingGames {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let next = py.detach(|| {
            let running = self.running.lock();
            let mut running =
                running.map_err(|_| PyRuntimeError::new_err("the search has failed"))?;
            running.next(true)
        })?;
        match next {
            Some(SearchMessage::Game(game)) => {
                Ok(Some(Game { game: *game, values: self.values.clone() }))
            }
            Some(SearchMessage::End(report, result)) => {
                if let Ok(mut ours) = self.report.lock() {
                    *ours = Some(*report);
                }
                result?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Ends the search.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            if let Ok(mut running) = self.running.lock() {
                running.close();
            }
        });
    }

    /// Report of the search; None until the search has ended.
    #[getter]
    fn report(&self) -> Option<Report> {
        self.report.lock().ok().and_then(|report| report.clone())
    }
}

/// Starts a search for games.
#[pyfunction]
#[pyo3(signature = (query, source, threads, limit, progress))]
pub(crate) fn games(
    query: &Query,
    source: &Source,
    threads: usize,
    limit: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<MatchingGames> {
    let task =
        QueryTask { program: query.program.clone(), table: Table::default(), threads, limit };
    let values = query.program.values().into_iter();
    let values = values.map(|(name, _)| name.to_owned()).collect();
    let cancel = Cancel::default();
    let games = source.games_for(&query.program, None, &cancel)?;
    let watch = Watch::new(progress);
    let counters = watch.counters();
    let (sender, receiver) = sync_channel(WAITING);
    let ours = cancel.clone();
    let search = move || {
        let search = SearchTask { games, cancel: &ours, counters: &counters };
        send_games(&task, search, &sender);
    };
    Ok(MatchingGames {
        running: Mutex::new(Running::start(cancel, receiver, watch, search)?),
        values,
        report: Mutex::default(),
    })
}

/// Searches, and sends games until the receiver is dropped.
fn send_games(task: &QueryTask, search: SearchTask<'_>, sender: &SyncSender<SearchMessage>) {
    let mut send = |game: MatchedGame| {
        let sent = sender.send(SearchMessage::Game(Box::new(game)));
        sent.map_err(|_| io::Error::other("the receiver is gone"))
    };
    let (report, result) = task.games(search, &mut send);
    // A send error only means that the receiver has been dropped.
    let _ = sender.send(SearchMessage::End(Box::new(report), result));
}
