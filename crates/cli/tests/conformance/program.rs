//! Runs the program on a case.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::corpus::Case;

/// Time after which a run is ended.
const LIMIT: Duration = Duration::from_secs(60);

/// Result of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Exit status; `None` if the run was ended.
    pub(crate) status: Option<i32>,
    pub(crate) matches: Vec<u64>,
    pub(crate) pgn: Option<Vec<u8>>,
    /// Everything that the run printed.
    pub(crate) text: String,
}

pub(crate) fn run(case: &Case) -> Outcome {
    let dir = tempfile::tempdir().expect("a directory");
    for file in case.beside() {
        let name = file.file_name().expect("a name");
        fs::copy(&file, dir.path().join(name)).expect("a copy");
    }
    let (out, log) = (dir.path().join("out.pgn"), dir.path().join("log"));
    let file = File::create(&log).expect("a log");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cql"))
        .arg("-showmatches")
        .args([c("-i"), case.games.as_os_str(), c("-o"), out.as_os_str()])
        .args(&case.arguments)
        .arg(&case.query)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("a second handle"))
        .stderr(file)
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("the program can be waited for") {
            Some(status) => break status.code(),
            None if start.elapsed() > LIMIT => {
                child.kill().expect("the program can be ended");
                child.wait().expect("the program ends");
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let text = fs::read(&log).expect("the log");
    let text = String::from_utf8_lossy(&text).into_owned();
    Outcome { status, matches: matches(&text), pgn: fs::read(&out).ok(), text }
}

fn c(text: &str) -> &std::ffi::OsStr {
    std::ffi::OsStr::new(text)
}

/// Parses the numbers in `<1>…<2>`.
fn matches(text: &str) -> Vec<u64> {
    text.split('<').skip(1).filter_map(|part| part.split_once('>')?.0.parse().ok()).collect()
}

#[test]
fn matches_are_found_among_other_text() {
    assert_eq!(matches("a <1>.<22>[3]\n<x> <4 <5>"), [1, 22, 5]);
}
