//! Chess engines that speak UCI.
//!
//! An engine uses one thread and receives `ucinewgame` before each position, so that its answer
//! depends on nothing but the position and the limit.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use board::{Position, parse_position};
use engine::{EngineAnswer, EngineQuestion, EngineValue};

use super::process::{LineOutcome, Process};
use super::store::{Lines, Store};
use super::{CommandLine, ProgramWarnings};

/// Number of consecutive failures after which an engine is not started again.
pub(super) const MOST_ENDS: u32 = 3;

/// Time after which the start of an engine is said to take long.
const PATIENCE: Duration = Duration::from_secs(2);

/// Capabilities of an engine that the questions of a run need.
#[derive(Clone, Copy, Default)]
pub(super) struct Needs {
    /// Whether several lines are wanted.
    several: bool,
    /// Whether the moves of lines are wanted.
    pv: bool,
    /// Whether chances are wanted.
    wdl: bool,
}

impl Needs {
    /// Returns what these questions need.
    pub(super) fn of(questions: impl Iterator<Item = EngineQuestion>) -> Needs {
        questions.fold(Needs::default(), |needs, question| Needs {
            several: needs.several || question.n_lines > 1,
            pv: needs.pv || question.value == EngineValue::Pv,
            wdl: needs.wdl || question.value.is_chance(),
        })
    }

    /// Returns the options that an engine must have, and the words of queries that need them.
    fn options(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let several = self
            .several
            .then_some((MULTI_PV, "`multipv` and `line` of a query, exercises and the studio"));
        several.into_iter().chain(self.wdl.then_some((SHOW_WDL, "`wdl` of a query")))
    }
}

/// Longest time without a look whether the lines of an engine are still wanted.
#[cfg(feature = "studio")]
const GLANCE: Duration = Duration::from_millis(50);

/// Longest time that an engine takes to stop after its time, or after the program tells it to.
#[cfg(feature = "studio")]
const STOPPING: Duration = Duration::from_secs(3);

const MULTI_PV: &str = "MultiPV";
const SHOW_WDL: &str = "UCI_ShowWDL";

/// The engine of a worker.
pub(super) struct Engine {
    command: CommandLine,
    options: Arc<[(String, String)]>,
    needs: Needs,
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
        needs: Needs,
        timeout: Duration,
        troubles: Arc<ProgramWarnings>,
    ) -> Result<Engine, String> {
        let begun =
            with_notice(&command.0[0], || begin(command, options, needs, Wait::new(timeout)));
        let (process, name) = begun.map_err(|silence| match silence {
            NoAnswer::Stopped => "stopped".to_owned(),
            NoAnswer::Trouble(what, more) => format!("the engine {} {what}{more}", command.0[0]),
        })?;
        let mut identity = name.replace('\t', " ");
        for (option, value) in options {
            identity += &format!("; {option}={value}").replace('\t', " ");
        }
        Ok(Engine {
            command: command.clone(),
            options: options.into(),
            needs,
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
    /// the engine does not answer, or has no such line.
    pub(super) fn analyze(&mut self, fen: &str, question: EngineQuestion) -> Option<EngineAnswer> {
        let fen = self.askable(fen);
        let EngineQuestion { limit, n_lines, line, value } = question;
        let key = match n_lines {
            1 => format!("{limit}\t{fen}"),
            n => format!("{limit} multipv {n}\t{fen}"),
        };
        let is_enough = |lines: &Lines| match value {
            EngineValue::Pv => lines.have_pv,
            value => lines.have_wdl || !value.is_chance(),
        };
        let line = line as usize - 1;
        if let Some(known) = self.store.get(&key).filter(is_enough) {
            return known.answers.into_iter().nth(line);
        }
        if self.n_ends >= MOST_ENDS {
            return None;
        }
        match self.ask(&fen, question) {
            Ok(lines) => {
                self.n_ends = 0;
                let answer = lines.answers.get(line).cloned();
                if let Err(error) = self.store.add(key, lines) {
                    let what = "gave answers that cannot be stored";
                    self.troubles.tell(&self.title(), what, &format!(": {error}"));
                }
                answer
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

    /// Returns the FEN as the engine is asked about it: with those castling rights alone that the
    /// pieces allow, since engines crash on others, and without the move number, which does not
    /// matter, so that equal positions share an answer.
    fn askable(&self, fen: &str) -> String {
        let Ok(position) = parse_position(fen.as_bytes()) else {
            return fen.to_owned();
        };
        let castling = position.possible_castling();
        if castling != position.castling {
            let what = "is asked without castling rights that the pieces do not allow";
            self.troubles.note(&self.title(), what, &format!(", as in {fen}"));
        }
        Position { castling, fullmove_number: 1, ..position }.fen()
    }

    fn title(&self) -> String {
        format!("the engine {}", self.command.0[0])
    }

    /// Analyzes a position for a while, and passes the lines so far to `tell` with their depth, or
    /// nothing if there is nothing new. Ends soon after `tell` returns `false`.
    ///
    /// # Errors
    /// The engine cannot be started, or ends.
    #[cfg(feature = "studio")]
    pub(super) fn follow(
        &mut self,
        fen: &str,
        n_lines: u32,
        time: Duration,
        tell: &mut ::studio::TellLines<'_>,
    ) -> Result<(), String> {
        match self.watch(&self.askable(fen), n_lines as usize, time, tell) {
            Ok(()) | Err(NoAnswer::Stopped) => Ok(()),
            Err(NoAnswer::Trouble(what, more)) => {
                self.process = None;
                Err(format!("{} {what}{more}", self.title()))
            }
        }
    }

    #[cfg(feature = "studio")]
    fn watch(
        &mut self,
        fen: &str,
        n_lines: usize,
        time: Duration,
        tell: &mut ::studio::TellLines<'_>,
    ) -> Result<(), NoAnswer> {
        let mut wait = Wait::new(time + STOPPING);
        let process = self.ready(n_lines)?;
        process.say(&format!("position fen {fen}"));
        process.say(&format!("go movetime {}", time.as_millis()));
        let mut answers = vec![EngineAnswer::default()];
        let (mut depth, mut is_new, mut is_stopped) = (0, false, false);
        let mut looked = Instant::now();
        loop {
            match process.hear(Instant::now() + GLANCE) {
                LineOutcome::Line(line) if line.split_whitespace().next() == Some("bestmove") => {
                    // After mate and stalemate, the only line of the engine comes just before.
                    if is_new && !is_stopped {
                        tell(Some((depth, &answers)));
                    }
                    return Ok(());
                }
                // Lines without end are no answer.
                LineOutcome::Line(_) if Instant::now() >= wait.until => {
                    return Err(wait.trouble(LineOutcome::Late, process, "bestmove"));
                }
                LineOutcome::Line(line) => {
                    note_line(&line, n_lines, &mut answers);
                    if let Some(deeper) = depth_of(&line) {
                        (depth, is_new) = (deeper, true);
                    }
                    // The last line of a depth completes it, but there may be fewer lines.
                    let is_complete =
                        n_lines == 1 || line.contains(&format!(" multipv {n_lines} "));
                    if !is_complete && looked.elapsed() < GLANCE {
                        continue;
                    }
                }
                LineOutcome::Late if Instant::now() < wait.until => {}
                other => return Err(wait.trouble(other, process, "bestmove")),
            }
            looked = Instant::now();
            let news = std::mem::take(&mut is_new).then_some((depth, answers.as_slice()));
            if !is_stopped && !tell(news) {
                is_stopped = true;
                process.say("stop");
                wait = Wait::new(STOPPING);
            }
        }
    }

    /// Returns the process, which is ready for a position.
    fn ready(&mut self, n_lines: usize) -> Result<&mut Process, NoAnswer> {
        if self.process.is_none() {
            self.process = crate::terminal::lock(&self.spare).take();
        }
        let time = Wait::new(self.timeout);
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(begin(&self.command, &self.options, self.needs, time)?.0),
        };
        process.forget();
        process.say("ucinewgame");
        if self.needs.several {
            process.say(&format!("setoption name {MULTI_PV} value {n_lines}"));
        }
        process.say("isready");
        time.wait(process, "readyok", |_| {})?;
        Ok(process)
    }

    fn ask(&mut self, fen: &str, question: EngineQuestion) -> Result<Lines, NoAnswer> {
        let n_lines = question.n_lines as usize;
        let needs = self.needs;
        let time = Wait::new(self.timeout);
        let process = self.ready(n_lines)?;
        process.say(&format!("position fen {fen}"));
        process.say(&format!("go {}", question.limit));
        let mut answers = vec![EngineAnswer::default()];
        let last = time.wait(process, "bestmove", |line| note_line(line, n_lines, &mut answers))?;
        let best = last.split_whitespace().nth(1);
        answers[0].best_move = best.filter(|best| is_move(best)).map(str::to_owned);
        let Needs { pv: have_pv, wdl: have_wdl, .. } = needs;
        for answer in &mut answers {
            answer.pv.take_if(|_| !have_pv);
            answer.wdl.take_if(|_| !have_wdl);
        }
        Ok(Lines { answers, have_pv, have_wdl })
    }
}

/// Does work for which an engine is waited for, and says so if it takes long.
fn with_notice<T>(engine: &str, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        let notice = thread::Builder::new().spawn_scoped(scope, move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                tell_line!("waiting for the engine {engine} …");
            }
        });
        let result = work();
        drop((done, notice));
        result
    })
}

/// Starts an engine. Returns the process and the name of the engine, or its command if it has no name.
fn begin(
    command: &CommandLine,
    options: &[(String, String)],
    needs: Needs,
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
    let mut lacking: Vec<(&str, &str)> = needs.options().collect();
    time.wait(&mut process, "uciok", |line| {
        if let Some(text) = line.strip_prefix("id name ") {
            text.trim().clone_into(&mut name);
        }
        if let Some(known) = name_of_option(line) {
            missing.retain(|option| !option.eq_ignore_ascii_case(known));
            lacking.retain(|option| !option.0.eq_ignore_ascii_case(known));
        }
    })?;
    if name.is_empty() {
        name = command.0.join(" ");
    }
    if missing.last() == Some(&THREADS) {
        missing.pop();
    } else {
        process.say("setoption name Threads value 1");
    }
    if let Some(option) = missing.first() {
        return Err(NoAnswer::Trouble("has no such option", format!(": {option}")));
    }
    if let Some((option, words)) = lacking.first() {
        let more = format!(" {option}, which {words} need: use another engine");
        return Err(NoAnswer::Trouble("has no option", more));
    }
    if needs.wdl {
        process.say(&format!("setoption name {SHOW_WDL} value true"));
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
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim())
}

/// Returns the depth of an `info` line with a score.
#[cfg(feature = "studio")]
fn depth_of(line: &str) -> Option<u32> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") || !line.contains(" score ") {
        return None;
    }
    words.find(|word| *word == "depth").and_then(|_| words.next())?.parse().ok()
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
        loop {
            match process.hear(self.until) {
                LineOutcome::Line(line) if line.split_whitespace().next() == Some(word) => {
                    return Ok(line);
                }
                LineOutcome::Line(line) => each(&line),
                other => return Err(self.trouble(other, process, word)),
            }
        }
    }

    /// Describes what happened in place of a line that begins with `word`.
    fn trouble(self, outcome: LineOutcome, process: &mut Process, word: &str) -> NoAnswer {
        let (what, more) = match outcome {
            LineOutcome::Stopped => return NoAnswer::Stopped,
            LineOutcome::Line(_) | LineOutcome::Late => {
                ("does not answer", format!(" within {} s", self.time.as_secs()))
            }
            LineOutcome::Deaf => ("does not read its input", String::new()),
            LineOutcome::Endless => ("sends an endless line", String::new()),
            LineOutcome::Gone => ("ended without an answer", process.end()),
        };
        NoAnswer::Trouble(what, format!("{more}; expected '{word}'"))
    }
}

/// Stores the score, the moves and the chances of an `info` line with the answer of its line. A
/// bound is stored only if there is no score yet.
fn note_line(text: &str, n_lines: usize, answers: &mut Vec<EngineAnswer>) {
    // The moves come last, so that no word of theirs is taken for another.
    let (info, pv) = match text.split_once(" pv ") {
        Some((info, pv)) => (info, Some(pv)),
        None => (text, None),
    };
    let words: Vec<&str> = info.split_whitespace().collect();
    let after = |word: &str| {
        let place = words.iter().position(|other| *other == word)?;
        words.get(place + 1..)
    };
    let number = |word: &str| after(word)?.first()?.parse::<i32>().ok();
    let place = match after("multipv") {
        None => Some(0),
        Some(rest) => rest.first().and_then(|n| n.parse::<usize>().ok()?.checked_sub(1)),
    };
    let Some(place) = place.filter(|place| *place < n_lines) else {
        return;
    };
    if words.first() != Some(&"info") || after("string").is_some() {
        return;
    }
    let (score, mate) = match after("score").and_then(<[&str]>::first) {
        Some(&"cp") => (number("cp"), None),
        Some(&"mate") => (None, number("mate")),
        _ => return,
    };
    if answers.len() <= place {
        answers.resize(place + 1, EngineAnswer::default());
    }
    let answer = &mut answers[place];
    let is_bound = words.iter().any(|word| matches!(*word, "lowerbound" | "upperbound"));
    if is_bound && (answer.score.is_some() || answer.mate.is_some()) {
        return;
    }
    (answer.score, answer.mate) = (score, mate);
    answer.wdl = after("wdl").and_then(chances);
    if let Some(pv) = pv {
        let moves: Vec<&str> = pv.split_whitespace().take_while(|mv| is_move(mv)).collect();
        answer.best_move = moves.first().map(|mv| (*mv).to_owned());
        answer.pv = Some(moves.join(" ")).filter(|pv| !pv.is_empty());
    }
}

/// Parses the chances after `wdl`, in thousandths.
fn chances(words: &[&str]) -> Option<[u16; 3]> {
    let mut chances = [0; 3];
    for (at, chance) in chances.iter_mut().enumerate() {
        *chance = words.get(at)?.parse().ok().filter(|chance| *chance <= 1000)?;
    }
    Some(chances)
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
            let mut answers = vec![EngineAnswer::default()];
            lines.iter().for_each(|line| note_line(line, 1, &mut answers));
            (answers[0].score, answers[0].mate)
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
    fn lines_are_kept_apart() {
        let mut answers = vec![EngineAnswer::default()];
        for line in [
            "info depth 1 multipv 2 score cp 3 wdl 10 20 970 nodes 4 pv d2d4 d7d5",
            "info depth 1 multipv 1 score mate 4 pv e2e4 hm e7e5",
            "info depth 1 multipv 3 score cp 1 wdl 10 2000 3 pv a2a3",
            "info depth 1 multipv 4 score cp 1 pv a2a4",
            "info depth 1 multipv 0 score cp 1 pv a2a4",
            "info depth 2 currmove e2e4 currmovenumber 1",
            "info depth 2 multipv 2 score cp 9 lowerbound pv h2h3",
        ] {
            note_line(line, 3, &mut answers);
        }
        let answer = |pv: &str| EngineAnswer {
            best_move: Some(pv[..4].to_owned()),
            pv: Some(pv.to_owned()),
            ..EngineAnswer::default()
        };
        let expected = [
            EngineAnswer { mate: Some(4), ..answer("e2e4") },
            EngineAnswer { score: Some(3), wdl: Some([10, 20, 970]), ..answer("d2d4 d7d5") },
            EngineAnswer { score: Some(1), ..answer("a2a3") },
        ];
        assert_eq!(answers, expected);
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_without_a_name_has_its_command() {
        let script =
            "while read -r line; do test \"$line\" = uci && echo uciok || echo readyok; done";
        let command = CommandLine(vec!["sh".into(), "-c".into(), script.into()]);
        let needs = Needs { several: false, pv: false, wdl: false };
        let long = Duration::from_secs(60);
        let engine = Engine::start(&command, &[], needs, long, Arc::default()).expect("an engine");
        assert_eq!(engine.identity(), format!("sh -c {script}"));
    }

    #[cfg(all(unix, feature = "studio"))]
    #[test]
    fn an_engine_is_followed_until_its_lines_are_not_wanted() {
        let script = r#"while read -r line; do case "$line" in
            uci) echo "id name Slow"; echo "option name MultiPV type spin"; echo uciok ;;
            isready) echo readyok ;;
            position*8/8*) exit 7 ;;
            position*mate*) over=1 ;;
            position*mute*) exec sleep 60 ;;
            position*flood*) while :; do echo "info depth 1 multipv 1 score cp 9 pv e2e4"; done ;;
            go*) test "$over" && echo "info depth 0 score mate 0" && echo "bestmove (none)" && over= && continue
                 echo "info depth 1 multipv 1 score cp 9 pv e2e4"
                 echo "info depth 1 multipv 2 score cp 3 pv d2d4"
                 echo "info depth 2 multipv 1 score cp 8 pv e2e4"
                 echo "info depth 2 multipv 2 score cp 7 pv c2c4" ;;
            stop) echo "bestmove e2e4" ;;
        esac; done"#;
        let command = CommandLine(vec!["sh".into(), "-c".into(), script.into()]);
        let needs = Needs { several: true, pv: true, wdl: false };
        let long = Duration::from_secs(60);
        let engine = Engine::start(&command, &[], needs, long, Arc::default());
        let mut engine = engine.expect("an engine");
        assert_eq!(engine.identity(), "Slow");
        let mut follow = |fen: &str| {
            let (mut depth, mut last) = (0, None);
            let ended = engine.follow(fen, 2, long, &mut |news| {
                if let Some((deeper, answers)) = news {
                    (depth, last) = (deeper, answers.get(1).and_then(|line| line.pv.clone()));
                }
                last.as_deref() != Some("c2c4")
            });
            (ended, depth)
        };
        assert_eq!(follow("a"), (Ok(()), 2));
        let (ended, depth) = follow("8/8");
        let message = ended.expect_err("it has ended");
        assert!(message.contains("ended without an answer") && depth == 0, "{message}");
        // It is started again.
        assert_eq!(follow("b"), (Ok(()), 2));
        // Without a legal move, an engine has one line, and ends at once.
        let mut last = None;
        let ended = engine.follow("mate", 2, long, &mut |news| {
            last = news.map(|(depth, answers)| (depth, answers[0].mate)).or(last);
            true
        });
        assert_eq!((ended, last), (Ok(()), Some((0, Some(0)))));
        // One that writes on is not waited for.
        let ended = engine.follow("flood", 2, long, &mut |_| false);
        let message = ended.expect_err("it does not stop");
        assert!(message.contains("does not answer within 3 s"), "{message}");
        // Nor is one that is silent, or writes on, after its time.
        for fen in ["mute", "flood"] {
            let ended = engine.follow(fen, 2, Duration::ZERO, &mut |_| true);
            let message = ended.expect_err("it does not answer");
            assert!(message.contains("does not answer within 3 s"), "{message}");
        }
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
