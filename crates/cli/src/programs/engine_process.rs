//! Chess engines that speak UCI.
//!
//! An engine uses one thread and receives `ucinewgame` before each position, so that its answer
//! depends on nothing but the position and the limit.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{EngineAnswer, EngineLimit};

use super::process::{LineOutcome, Process};
use super::store::Store;
use super::{CommandLine, ProgramWarnings};

/// Number of consecutive failures after which an engine is not started again.
pub(super) const MOST_ENDS: u32 = 3;

/// The engine of a worker.
pub(super) struct Engine {
    command: CommandLine,
    options: Arc<[(String, String)]>,
    timeout: Duration,
    troubles: Arc<ProgramWarnings>,
    store: Arc<Store>,
    identity: String,
    process: Option<Process>,
    /// A process started in advance, for the first thread that needs one.
    spare: Arc<Mutex<Option<Process>>>,
    n_ends: u32,
}

/// Reason for a missing answer.
enum NoAnswer {
    Stopped,
    Trouble(&'static str, String),
}

impl Engine {
    /// Starts the engine.
    ///
    /// # Errors
    /// The engine cannot be started or lacks an option.
    pub(super) fn start(
        command: &CommandLine,
        options: &[(String, String)],
        timeout: Duration,
        troubles: Arc<ProgramWarnings>,
    ) -> Result<Engine, String> {
        let (process, name) =
            begin(command, options, Wait::new(timeout)).map_err(|silence| match silence {
                NoAnswer::Stopped => "stopped".to_owned(),
                NoAnswer::Trouble(what, more) => {
                    format!("the engine {} {what}{more}", command.0[0])
                }
            })?;
        let mut identity = name.replace('\t', " ");
        for (option, value) in options {
            identity += &format!("; {option}={value}").replace('\t', " ");
        }
        Ok(Engine {
            command: command.clone(),
            options: options.into(),
            timeout,
            troubles,
            store: Arc::default(),
            identity,
            process: None,
            spare: Arc::new(Mutex::new(Some(process))),
            n_ends: 0,
        })
    }

    /// Returns the same engine for another thread.
    pub(super) fn another(&self) -> Engine {
        Engine {
            command: self.command.clone(),
            options: Arc::clone(&self.options),
            troubles: Arc::clone(&self.troubles),
            store: Arc::clone(&self.store),
            identity: self.identity.clone(),
            process: None,
            spare: Arc::clone(&self.spare),
            ..*self
        }
    }

    /// Returns the name and options of the engine: engines with the same identity give the same
    /// answers.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// Number of answers that were in the store when it was opened.
    pub(super) fn n_known(&self) -> usize {
        self.store.n_known()
    }

    /// Sets the store of answers.
    pub(super) fn keep_in(&mut self, store: Arc<Store>) {
        self.store = store;
    }

    /// Returns the answer of the engine for a position, from the store if it is there; `None` if
    /// the engine does not answer.
    pub(super) fn analyze(&mut self, fen: &str, limit: EngineLimit) -> Option<EngineAnswer> {
        // The move number does not matter, so that equal positions share an answer.
        let fen = match fen.rsplit_once(' ') {
            Some((rest, _)) => format!("{rest} 1"),
            None => fen.to_owned(),
        };
        let question = format!("{limit}\t{fen}");
        if let Some(answer) = self.store.get(&question) {
            return Some(answer);
        }
        if self.n_ends >= MOST_ENDS {
            return None;
        }
        match self.ask(&fen, limit) {
            Ok(answer) => {
                self.n_ends = 0;
                if let Err(error) = self.store.add(question, answer.clone()) {
                    let what = "gave answers that cannot be stored";
                    self.troubles.tell(&self.title(), what, &format!(": {error}"));
                }
                Some(answer)
            }
            Err(NoAnswer::Stopped) => None,
            Err(NoAnswer::Trouble(what, more)) => {
                self.troubles.tell(&self.title(), what, &more);
                self.process = None;
                self.n_ends += 1;
                None
            }
        }
    }

    fn title(&self) -> String {
        format!("the engine {}", self.command.0[0])
    }

    fn ask(&mut self, fen: &str, limit: EngineLimit) -> Result<EngineAnswer, NoAnswer> {
        if self.process.is_none() {
            self.process = crate::terminal::lock(&self.spare).take();
        }
        let time = Wait::new(self.timeout);
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(begin(&self.command, &self.options, time)?.0),
        };
        process.forget();
        process.say("ucinewgame");
        process.say("isready");
        time.wait(process, "readyok", |_| {})?;
        process.say(&format!("position fen {fen}"));
        process.say(&format!("go {limit}"));
        let mut answer = EngineAnswer::default();
        let last = time.wait(process, "bestmove", |line| note_score(line, &mut answer))?;
        let best = last.split_whitespace().nth(1);
        answer.best_move = best.filter(|best| is_move(best)).map(str::to_owned);
        Ok(answer)
    }
}

/// Starts an engine. Returns the process and the name of the engine.
fn begin(
    command: &CommandLine,
    options: &[(String, String)],
    time: Wait,
) -> Result<(Process, String), NoAnswer> {
    const THREADS: &str = "Threads";
    let mut process = Process::start(command)
        .map_err(|error| NoAnswer::Trouble("cannot be started", format!(": {error}")))?;
    process.say("uci");
    let mut name = String::new();
    // Only missing options are tracked: an engine may list any number.
    let mut missing: Vec<&str> = options.iter().map(|option| option.0.as_str()).collect();
    missing.push(THREADS);
    time.wait(&mut process, "uciok", |line| {
        if let Some(text) = line.strip_prefix("id name ") {
            text.trim().clone_into(&mut name);
        }
        if let Some(known) = name_of_option(line) {
            missing.retain(|option| !option.eq_ignore_ascii_case(known));
        }
    })?;
    if missing.last() == Some(&THREADS) {
        missing.pop();
    } else {
        process.say("setoption name Threads value 1");
    }
    if let Some(option) = missing.first() {
        return Err(NoAnswer::Trouble("has no such option", format!(": {option}")));
    }
    for (option, value) in options {
        process.say(&format!("setoption name {option} value {value}"));
    }
    process.say("isready");
    time.wait(&mut process, "readyok", |_| {})?;
    Ok((process, name))
}

/// Returns the name of an option that an engine declares. Its case does not matter.
fn name_of_option(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    let (name, _) = rest.split_once(" type ")?;
    Some(name.trim())
}

/// Time limit for an engine, counted from the creation of this value.
#[derive(Clone, Copy)]
struct Wait {
    until: Instant,
    time: Duration,
}

impl Wait {
    fn new(time: Duration) -> Wait {
        Wait { until: Instant::now() + time, time }
    }

    /// Waits for a line that begins with `word` and returns it. Passes earlier lines to `each`.
    fn wait(
        self,
        process: &mut Process,
        word: &str,
        mut each: impl FnMut(&str),
    ) -> Result<String, NoAnswer> {
        let trouble = |what: &'static str, more: &str| {
            Err(NoAnswer::Trouble(what, format!("{more}; expected '{word}'")))
        };
        loop {
            match process.hear(self.until) {
                LineOutcome::Line(line) if line.split_whitespace().next() == Some(word) => {
                    return Ok(line);
                }
                LineOutcome::Line(line) => each(&line),
                LineOutcome::Stopped => return Err(NoAnswer::Stopped),
                LineOutcome::Late => {
                    let seconds = format!(" within {} s", self.time.as_secs());
                    return trouble("does not answer", &seconds);
                }
                LineOutcome::Deaf => return trouble("does not read its input", ""),
                LineOutcome::Endless => return trouble("sends an endless line", ""),
                LineOutcome::Gone => {
                    return trouble("ended without an answer", &process.end());
                }
            }
        }
    }
}

/// Stores the score of an `info` line. A bound is stored only if there is no score yet.
fn note_score(line: &str, answer: &mut EngineAnswer) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let behind = |word: &str| {
        let place = words.iter().position(|other| *other == word)?;
        words.get(place + 1).copied()
    };
    let is_first = behind("multipv").is_none_or(|number| number == "1");
    if words.first() != Some(&"info") || behind("string").is_some() || !is_first {
        return;
    }
    let is_bound = words.iter().any(|word| matches!(*word, "lowerbound" | "upperbound"));
    let is_known = answer.score.is_some() || answer.mate.is_some();
    if is_bound && is_known {
        return;
    }
    let number = |kind| behind(kind).and_then(|text| text.parse::<i32>().ok());
    match behind("score") {
        Some("cp") => (answer.score, answer.mate) = (number("cp"), None),
        Some("mate") => (answer.score, answer.mate) = (None, number("mate")),
        _ => {}
    }
}

/// Whether this is a move in UCI notation: `e2e4`, `e7e8q`.
fn is_move(text: &str) -> bool {
    let square = |at: usize| {
        let bytes = text.as_bytes().get(at..at + 2);
        bytes.is_some_and(|s| (b'a'..=b'h').contains(&s[0]) && (b'1'..=b'8').contains(&s[1]))
    };
    square(0) && square(2) && (4..=5).contains(&text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_score_counts() {
        let score = |lines: &[&str]| {
            let mut answer = EngineAnswer::default();
            lines.iter().for_each(|line| note_score(line, &mut answer));
            (answer.score, answer.mate)
        };
        let deep = "info depth 9 seldepth 12 multipv 1 score cp -31 nodes 900 pv e7e5";
        assert_eq!(score(&["info depth 1 score cp 20", deep]), (Some(-31), None));
        assert_eq!(score(&[deep, "info depth 10 score mate -2"]), (None, Some(-2)));
        assert_eq!(score(&[deep, "info depth 9 multipv 2 score cp 7"]), (Some(-31), None));
        assert_eq!(score(&[deep, "info score cp 99 lowerbound"]), (Some(-31), None));
        assert_eq!(score(&["info score cp 99 upperbound"]), (Some(99), None));
        assert_eq!(score(&["info string score cp 5", "info score x", "hello"]), (None, None));
    }

    #[test]
    fn options_have_names() {
        for (line, name) in [
            ("option name Clear Hash type button", Some("Clear Hash")),
            ("option name Hash", None),
            ("id name option name Hash type spin", None),
        ] {
            assert_eq!(name_of_option(line), name, "{line}");
        }
    }

    #[test]
    fn moves_are_those_of_uci() {
        for (text, is) in [
            ("e2e4", true),
            ("e7e8q", true),
            ("(none)", false),
            ("0000", false),
            ("e2", false),
            ("e2e4qq", false),
            ("é2e4", false),
        ] {
            assert_eq!(is_move(text), is, "{text}");
        }
    }
}
