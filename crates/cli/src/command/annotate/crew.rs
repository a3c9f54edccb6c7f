//! Threads that ask an engine about positions, and the games that wait for the answers.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use engine::EngineLimit;
use pgn::EvalPlace;
use pgn::command::Evaluation;

use super::of_white;
use super::questions::{AskedGame, Question};
use crate::failure::{Failure, context};
use crate::programs::{EngineOfWorker, SharedEngine};
use crate::terminal::lock;

/// Number of questions for each thread that may wait.
const WAITING: usize = 64;

/// Longest time without a look at the signals.
const SLICE: Duration = Duration::from_millis(50);

/// Asks an engine in several threads, and passes the games on in their order.
pub(super) struct Crew {
    questions: Sender<Job>,
    answers: Receiver<Answer>,
    games: VecDeque<Waiting>,
    /// Number of the first game of `games`, counted from 0.
    first: usize,
    n_waiting: usize,
    most_waiting: usize,
}

/// A question about a position: indexes of its game and of its position there.
struct Job {
    at: (usize, usize),
    question: Question,
}

/// Answer to a question: its value, if the engine gave an answer.
struct Answer {
    at: (usize, usize),
    value: Result<Option<Evaluation>, Question>,
}

/// A game that waits for answers.
struct Waiting {
    number: u64,
    input: Arc<str>,
    finished: Finished,
    n_missing: usize,
}

/// A game with the values of its positions.
pub(super) struct Finished {
    /// Text to be written before it.
    pub(super) before: Vec<u8>,
    pub(super) text: Vec<u8>,
    /// Text to be written after it.
    pub(super) after: &'static [u8],
    pub(super) values: Vec<(EvalPlace, Option<Evaluation>)>,
    /// Number of bytes that were read with the game.
    pub(super) n_bytes_read: u64,
}

/// A position for which the engine has no answer.
pub(super) struct Unanswered {
    pub(super) game: u64,
    pub(super) input: Arc<str>,
    pub(super) fen: String,
}

/// Calls `work` with a crew. Its threads end with it.
pub(super) fn with_crew<R>(
    shared: &SharedEngine,
    n_threads: usize,
    limit: EngineLimit,
    work: impl FnOnce(Crew) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let (questions, asked) = channel();
    let (answer, answers) = channel();
    let asked = Mutex::new(asked);
    thread::scope(|scope| {
        for _ in 0..n_threads.max(1) {
            let (engine, answer, asked) = (shared.of_worker(), answer.clone(), &asked);
            thread::Builder::new()
                .spawn_scoped(scope, move || answer_all(engine, asked, &answer, limit))
                .map_err(|error| context("cannot start a thread", &error))?;
        }
        drop(answer);
        work(Crew {
            questions,
            answers,
            games: VecDeque::new(),
            first: 0,
            n_waiting: 0,
            most_waiting: WAITING * n_threads.max(1),
        })
    })
}

/// Answers questions until there are no more, or nobody waits for an answer.
fn answer_all(
    mut engine: EngineOfWorker,
    asked: &Mutex<Receiver<Job>>,
    answers: &Sender<Answer>,
    limit: EngineLimit,
) {
    loop {
        let next = lock(asked).recv();
        let Ok(Job { at, question }) = next else {
            return;
        };
        // Without an answer, the crew would wait forever.
        let asked = catch_unwind(AssertUnwindSafe(|| engine.analyze(&question.fen, limit)));
        let value = match asked.ok().flatten() {
            Some(answer) => Ok(of_white(&answer, question.is_white)),
            None => Err(question),
        };
        if answers.send(Answer { at, value }).is_err() {
            return;
        }
    }
}

impl Crew {
    /// Adds a game, and the text before it. `n_bytes_read` is the number of bytes that were read
    /// with it.
    pub(super) fn add(
        &mut self,
        game: AskedGame,
        before: Vec<u8>,
        input: &Arc<str>,
        n_bytes_read: u64,
    ) {
        let index = self.first + self.games.len();
        let mut values = Vec::with_capacity(game.questions.len());
        for (slot, (place, question)) in game.questions.into_iter().enumerate() {
            values.push((place, None));
            // The threads end only after the crew.
            let _ = self.questions.send(Job { at: (index, slot), question });
        }
        self.n_waiting += values.len();
        self.games.push_back(Waiting {
            number: game.number,
            input: Arc::clone(input),
            n_missing: values.len(),
            finished: Finished { before, text: game.text, after: game.after, values, n_bytes_read },
        });
    }

    /// Whether no further game should be added yet.
    pub(super) fn is_busy(&self) -> bool {
        self.n_waiting > self.most_waiting
    }

    /// Whether all games are finished and have been passed on.
    pub(super) fn is_idle(&self) -> bool {
        self.games.is_empty()
    }

    /// Waits for an answer, but not for long.
    ///
    /// # Errors
    /// The engine has no answer.
    pub(super) fn hear(&mut self) -> Result<(), Unanswered> {
        if self.n_waiting == 0 {
            return Ok(());
        }
        let Answer { at: (index, slot), value } = match self.answers.recv_timeout(SLICE) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            // The threads are gone: there will be no answer.
            Err(RecvTimeoutError::Disconnected) => return Err(self.lost()),
        };
        self.n_waiting -= 1;
        let Some(game) = self.games.get_mut(index - self.first) else {
            return Ok(());
        };
        match value {
            Ok(value) => {
                game.n_missing -= 1;
                game.finished.values[slot].1 = value;
                Ok(())
            }
            Err(Question { fen, .. }) => {
                Err(Unanswered { game: game.number, input: Arc::clone(&game.input), fen })
            }
        }
    }

    /// Describes the first game that waits, whose answers were lost.
    fn lost(&self) -> Unanswered {
        let first = self.games.front();
        Unanswered {
            game: first.map_or(0, |game| game.number),
            input: first.map_or_else(|| "".into(), |game| Arc::clone(&game.input)),
            fen: "of its start".to_owned(),
        }
    }

    /// Returns the next game in order if it is finished.
    pub(super) fn next_finished(&mut self) -> Option<Finished> {
        if self.games.front()?.n_missing > 0 {
            return None;
        }
        self.first += 1;
        self.games.pop_front().map(|game| game.finished)
    }
}
