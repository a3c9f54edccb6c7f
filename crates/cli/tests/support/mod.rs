//! Shared parts of the tests that run the program as a process.

#![allow(dead_code, reason = "no test needs all of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory for the files of a test, in which the program runs. Each test creates its initial
/// files in a function `new` of its own.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn empty() -> Place {
        Place(tempfile::tempdir().expect("a directory"))
    }

    pub(crate) fn dir(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a directory");
        }
        fs::write(path, bytes).expect("written");
    }

    /// Creates an executable script.
    ///
    /// Another process writes it. A test in another thread may start a process at any moment, which
    /// inherits the files that are open in this one; until it closes them, Linux does not execute a
    /// file among them ("text file busy").
    #[cfg(unix)]
    pub(crate) fn write_script(&self, name: &str, text: &str) {
        let mut sh = Command::new("sh");
        sh.args(["-c", "cat > \"$0\" && chmod +x \"$0\"", name]).current_dir(self.dir());
        let written = finish(sh, text.as_bytes());
        assert_eq!(written.status, Some(0), "{}", written.err);
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command.args(arguments).current_dir(self.dir());
        command
    }

    pub(crate) fn cql(&self, arguments: &[&str]) -> Ran {
        self.cql_on(arguments, b"")
    }

    /// Runs the program with this standard input.
    pub(crate) fn cql_on(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        finish(self.command(arguments), stdin)
    }

    /// Returns the program with the words of a line as arguments. In a word, `_` represents a blank
    /// and `^` represents `_`.
    pub(crate) fn line(&self, line: &str) -> Command {
        let words = line.split_whitespace();
        let words: Vec<String> =
            words.map(|word| word.replace('_', " ").replace('^', "_")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.command(&words)
    }

    /// Runs the program with the words of a line.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_on(line, "")
    }

    /// Runs the program with the words of a line and this standard input.
    pub(crate) fn run_on(&self, line: &str, stdin: impl AsRef<[u8]>) -> Ran {
        finish(self.line(line), stdin.as_ref())
    }

    /// Runs a line of the shell, in which `cql` is the program.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        let cql = env!("CARGO_BIN_EXE_cql");
        let output = Command::new("sh")
            .args(["-c", &format!("cql() {{ '{cql}' \"$@\"; }}; {line}")])
            .current_dir(self.dir())
            .output()
            .expect("sh runs");
        Ran::of(&output)
    }
}

/// Runs a process to its end.
fn finish(mut command: Command, stdin: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut pipe = child.stdin.take().expect("its input");
    // The program may end without reading everything.
    let _ = pipe.write_all(stdin);
    drop(pipe);
    Ran::of(&child.wait_with_output().expect("the program ends"))
}

/// Result of a process.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Ran {
        Ran {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Returns the names of all files in a directory, sorted, including hidden ones.
pub(crate) fn files_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Returns the path of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Creates a directory with a copy of the examples.
pub(crate) fn workplace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let copy = dir.path().join("examples");
    fs::create_dir(&copy).expect("a directory");
    for entry in fs::read_dir(root().join("examples")).expect("the examples") {
        let entry = entry.expect("an example");
        fs::copy(entry.path(), copy.join(entry.file_name())).expect("copied");
    }
    dir
}

/// Runs the program in a directory, for outputs that are bytes.
pub(crate) fn cql(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the program runs")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
