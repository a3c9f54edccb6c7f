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

/// Answers by question.
#[derive(Default)]
pub(super) struct Store {
    known: Mutex<HashMap<String, EngineAnswer>>,
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

    pub(super) fn get(&self, question: &str) -> Option<EngineAnswer> {
        crate::terminal::lock(&self.known).get(question).cloned()
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&self, question: String, answer: EngineAnswer) -> Result<(), String> {
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

/// Formats an answer as `SCORE MATE MOVE`, separated by tabs, with `-` for missing values.
fn written(answer: &EngineAnswer) -> String {
    let number = |number: Option<i32>| number.map_or("-".to_owned(), |n| n.to_string());
    let best = answer.best_move.as_deref().unwrap_or("-");
    format!("{}\t{}\t{best}", number(answer.score), number(answer.mate))
}

/// Parses the question and the answer of a line, without its engine.
fn read(line: &str) -> Option<(String, EngineAnswer)> {
    let line = line.strip_suffix('\n')?;
    let mut fields = line.rsplitn(4, '\t');
    let (best, mate, score) = (fields.next()?, fields.next()?, fields.next()?);
    let question = fields.next()?.to_owned();
    let number = |text: &str| match text {
        "-" => Some(None),
        text => text.parse().ok().map(Some),
    };
    let answer = EngineAnswer {
        score: number(score)?,
        mate: number(mate)?,
        best_move: Some(best).filter(|best| *best != "-").map(str::to_owned),
    };
    Some((question, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(score: i32) -> EngineAnswer {
        EngineAnswer { score: Some(score), mate: None, best_move: Some("e2e4".to_owned()) }
    }

    #[test]
    fn answers_are_there_again() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("store");
        let store = Store::open(&path, "Fish 1").expect("a store");
        store.add("depth 1\tfen".to_owned(), answer(-3)).expect("written");
        store.add("depth 2\tfen".to_owned(), EngineAnswer::default()).expect("written");
        let again = Store::open(&path, "Fish 1").expect("a store");
        assert_eq!(again.get("depth 1\tfen"), Some(answer(-3)));
        assert_eq!(again.get("depth 2\tfen"), Some(EngineAnswer::default()));
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
