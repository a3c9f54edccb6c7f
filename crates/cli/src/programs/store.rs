//! Stores the answers of engines: in memory for a run, and in a file for later runs.
//!
//! Lines are only appended to the file, so that several runs can share it. A run that is killed
//! damages the last line at most.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;

use engine::EngineAnswer;

/// First line of a file.
const HEAD: &str =
    "# what engines said, kept by cql: engine, question, position, score, mate, best move\n";

/// Answers to a question, one for each line of the engine, the best one first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) answers: Vec<EngineAnswer>,
    /// Whether the moves of the lines are stored, if the engine gave them.
    pub(super) have_pv: bool,
    /// Whether chances are stored, if the engine gave them.
    pub(super) have_wdl: bool,
}

/// Answers by question.
#[derive(Default)]
pub(super) struct Store {
    known: Mutex<HashMap<String, Lines>>,
    file: Option<Mutex<File>>,
    engine: String,
    /// Number of answers that were in the file.
    n_known: usize,
}

impl Store {
    /// Opens a file with the answers of an engine, and creates it if it is missing.
    ///
    /// # Errors
    /// The file cannot be read or written, or is no such store.
    pub(super) fn open(path: &Path, engine: &str) -> Result<Store, String> {
        let name = path.display();
        let failed = |error| format!("cannot use the store {name}: {error}");
        let mut options = File::options();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(format!("the store {name} is not a regular file"));
        }
        let mut head = Vec::new();
        let mut begin = (&file).take(HEAD.len() as u64);
        begin.read_to_end(&mut head).map_err(failed)?;
        if head.is_empty() {
            file.write_all(HEAD.as_bytes()).map_err(failed)?;
        } else if head != HEAD.as_bytes() {
            return Err(format!("{name} is not a store of engine answers"));
        }
        let mut known = HashMap::new();
        file.seek(SeekFrom::Start(HEAD.len() as u64)).map_err(failed)?;
        let mut is_whole = true;
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            is_whole = line.last() == Some(&b'\n');
            let text = String::from_utf8_lossy(&line);
            let text = text.strip_prefix(engine).and_then(|rest| rest.strip_prefix('\t'));
            if is_whole && let Some((question, answer)) = text.and_then(read) {
                known.insert(question, answer);
            }
            line.clear();
        }
        if !is_whole {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Store {
            n_known: known.len(),
            known: Mutex::new(known),
            file: Some(Mutex::new(file)),
            engine: engine.to_owned(),
        })
    }

    /// Number of answers of the engine that were in the file when it was opened.
    pub(super) fn n_known(&self) -> usize {
        self.n_known
    }

    pub(super) fn get(&self, question: &str) -> Option<Lines> {
        crate::terminal::lock(&self.known).get(question).cloned()
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&self, question: String, answer: Lines) -> Result<(), String> {
        let line = format!("{}\t{question}\t{}\n", self.engine, written(&answer));
        crate::terminal::lock(&self.known).insert(question, answer);
        match &self.file {
            Some(file) => {
                let written = crate::terminal::lock(file).write_all(line.as_bytes());
                written.map_err(|error| error.to_string())
            }
            None => Ok(()),
        }
    }
}

/// Formats an answer as `SCORE MATE MOVE`, separated by tabs, with `-` for missing values. If there
/// is more to store, a field follows with [`written_lines`].
fn written(lines: &Lines) -> String {
    let first = lines.answers.first().cloned().unwrap_or_default();
    let EngineAnswer { score, mate, .. } = first;
    let best = first.best_move.as_deref().unwrap_or("-");
    let mut text = format!("{}\t{}\t{best}", number(score), number(mate));
    if lines.have_pv || lines.have_wdl || lines.answers.len() > 1 {
        text.push('\t');
        text += &written_lines(lines);
    }
    text
}

fn number(number: Option<i32>) -> String {
    number.map_or("-".to_owned(), |n| n.to_string())
}

/// Formats all lines as `PV WDL; SCORE MATE WIN/DRAW/LOSS MOVE MOVES…; …`. The first two words say
/// whether moves and chances are stored.
fn written_lines(lines: &Lines) -> String {
    let flag = |is_set: bool, name: &'static str| if is_set { name } else { "-" };
    let mut text = format!("{} {}", flag(lines.have_pv, "pv"), flag(lines.have_wdl, "wdl"));
    for answer in &lines.answers {
        let wdl = answer.wdl.map(|[win, draw, loss]| format!("{win}/{draw}/{loss}"));
        text += &format!(
            "; {} {} {} {} {}",
            number(answer.score),
            number(answer.mate),
            wdl.as_deref().unwrap_or("-"),
            answer.best_move.as_deref().unwrap_or("-"),
            answer.pv.as_deref().unwrap_or("-"),
        );
    }
    text
}

/// Parses the question and the answer of a line, without its engine.
fn read(line: &str) -> Option<(String, Lines)> {
    let mut fields = line.strip_suffix('\n')?.split('\t');
    let question = format!("{}\t{}", fields.next()?, fields.next()?);
    let (score, mate, best) = (fields.next()?, fields.next()?, fields.next()?);
    let lines = match (fields.next(), fields.next()) {
        (None, _) => {
            let answer = EngineAnswer {
                score: parsed(score)?,
                mate: parsed(mate)?,
                best_move: text(best),
                ..EngineAnswer::default()
            };
            Lines { answers: vec![answer], ..Lines::default() }
        }
        (Some(lines), None) => read_lines(lines)?,
        _ => return None,
    };
    Some((question, lines))
}

fn parsed(text: &str) -> Option<Option<i32>> {
    match text {
        "-" => Some(None),
        text => text.parse().ok().map(Some),
    }
}

fn text(text: &str) -> Option<String> {
    Some(text).filter(|text| *text != "-").map(str::to_owned)
}

/// Parses [`written_lines`].
fn read_lines(text_of_lines: &str) -> Option<Lines> {
    let mut parts = text_of_lines.split("; ");
    let (pv, wdl) = parts.next()?.split_once(' ')?;
    let answers = parts.map(|part| {
        let mut words = part.splitn(5, ' ');
        let (score, mate) = (parsed(words.next()?)?, parsed(words.next()?)?);
        let wdl = match words.next()? {
            "-" => None,
            chances => {
                let mut chances = chances.split('/').map(|chance| chance.parse().ok());
                Some([chances.next()??, chances.next()??, chances.next()??])
            }
        };
        let (best_move, pv) = (text(words.next()?), text(words.next()?));
        Some(EngineAnswer { score, mate, best_move, pv, wdl })
    });
    let answers: Option<Vec<EngineAnswer>> = answers.collect();
    Some(Lines { answers: answers?, have_pv: pv == "pv", have_wdl: wdl == "wdl" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(score: i32) -> Lines {
        let answer = EngineAnswer {
            score: Some(score),
            best_move: Some("e2e4".to_owned()),
            ..EngineAnswer::default()
        };
        Lines { answers: vec![answer], ..Lines::default() }
    }

    #[test]
    fn answers_are_there_again() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("store");
        let store = Store::open(&path, "Fish 1").expect("a store");
        let nothing = Lines { answers: vec![EngineAnswer::default()], ..Lines::default() };
        let second = EngineAnswer {
            mate: Some(-2),
            pv: Some("e2e4 e7e5".to_owned()),
            wdl: Some([1, 2, 997]),
            ..answer(0).answers.remove(0)
        };
        let answers = vec![EngineAnswer::default(), second];
        let full = Lines { answers, have_pv: true, have_wdl: true };
        store.add("depth 1\tfen".to_owned(), answer(-3)).expect("written");
        store.add("depth 2\tfen".to_owned(), nothing.clone()).expect("written");
        store.add("depth 3 multipv 2\tfen".to_owned(), full.clone()).expect("written");
        let again = Store::open(&path, "Fish 1").expect("a store");
        assert_eq!(again.get("depth 1\tfen"), Some(answer(-3)));
        assert_eq!(again.get("depth 2\tfen"), Some(nothing));
        assert_eq!(again.get("depth 3 multipv 2\tfen"), Some(full));
        assert_eq!(again.get("depth 3\tfen"), None);
        let other = Store::open(&path, "Fish 10").expect("a store");
        assert_eq!(other.get("depth 1\tfen"), None);
    }

    #[test]
    fn a_line_that_was_cut_off_spoils_no_other() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("store");
        Store::open(&path, "F").expect("a store");
        let cut = format!("{HEAD}F\tdepth 1\tfen\t3\t-\te2");
        std::fs::write(&path, cut).expect("written");
        let store = Store::open(&path, "F").expect("a store");
        assert_eq!(store.get("depth 1\tfen"), None);
        store.add("depth 1\tfen".to_owned(), answer(4)).expect("written");
        let again = Store::open(&path, "F").expect("a store");
        assert_eq!(again.get("depth 1\tfen"), Some(answer(4)));
    }

    #[test]
    fn other_files_are_not_touched() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("notes");
        std::fs::write(&path, "my notes").expect("written");
        assert!(Store::open(&path, "F").is_err());
        assert_eq!(std::fs::read(&path).expect("read"), b"my notes");
        assert!(Store::open(dir.path(), "F").is_err());
    }
}
