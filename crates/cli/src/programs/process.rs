//! An external process that exchanges lines with the program.
//!
//! A process can exceed neither its time nor its memory: its output waits in a bounded queue, the
//! input it has not read is counted, and its standard error is passed on up to a limit. It is
//! killed together with the processes it has started.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::CommandLine;
use crate::interrupt;

/// Bytes of the longest line that is accepted as an answer.
const LONGEST_LINE: u64 = 1 << 20;

/// Number of lines that wait to be read. A process that writes more is blocked.
const WAITING_LINES: usize = 16;

/// Number of unread bytes from which a process counts as not reading its input.
const UNREAD: usize = 4 << 20;

/// Bytes of standard error that are passed on.
const COMPLAINTS: u64 = 64 << 10;

/// Time to wait for the last lines of standard error.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Interval between checks whether the run was stopped.
const SLICE: Duration = Duration::from_millis(50);

/// Result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineOutcome {
    Line(String),
    /// The deadline passed without the awaited line.
    Late,
    /// The process does not read its input.
    Deaf,
    /// The process writes a line longer than the limit.
    Endless,
    /// The process has ended or closed its output.
    Gone,
    /// The run was stopped.
    Stopped,
}

/// A process that is killed when dropped. Threads serve its streams, so that the caller is not
/// blocked by a process that does not read or write.
pub(super) struct Process {
    child: Child,
    /// Whether the process has not been killed yet: afterwards its id may belong to another one.
    is_ours: bool,
    says: Sender<String>,
    /// Bytes sent to the process that it has not read.
    unread: Arc<AtomicUsize>,
    hears: Receiver<Option<String>>,
    /// Disconnects when the last line of standard error has been passed on.
    complains: Receiver<()>,
}

impl Process {
    pub(super) fn start(command: &CommandLine) -> io::Result<Process> {
        Process::start_with(command, Stdio::piped())
    }

    /// Starts a process whose standard error is not shown.
    pub(super) fn start_silent(command: &CommandLine) -> io::Result<Process> {
        Process::start_with(command, Stdio::null())
    }

    fn start_with(command: &CommandLine, stderr: Stdio) -> io::Result<Process> {
        let (program, arguments) = match command.0.split_first() {
            Some(parts) => parts,
            None => return Err(io::ErrorKind::InvalidInput.into()),
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // Its own group, so that the processes it starts end with it.
            command.process_group(0);
        }
        let mut child = command.spawn()?;
        let parts = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        interrupt::kill_if_ended(child.id());
        let (says, to_say) = channel();
        let (heard, hears) = sync_channel(WAITING_LINES);
        let (complained, complains) = channel();
        let process =
            Process { child, is_ours: true, says, unread: Arc::default(), hears, complains };
        if let (Some(stdin), Some(stdout), stderr) = parts {
            let unread = Arc::clone(&process.unread);
            let spawn = thread::Builder::new;
            spawn().spawn(move || write_lines(stdin, &to_say, &unread))?;
            spawn().spawn(move || read_lines(stdout, &heard))?;
            spawn().spawn(move || {
                stderr.into_iter().for_each(pass_on);
                drop::<Sender<()>>(complained);
            })?;
        }
        Ok(process)
    }

    /// Sends a line. Write errors show in the answer.
    pub(super) fn say(&self, line: &str) {
        self.unread.fetch_add(line.len() + 1, Ordering::Relaxed);
        let _ = self.says.send(format!("{line}\n"));
    }

    /// Returns the next line. Returns [`LineOutcome::Late`] after `until`, even if lines are waiting.
    pub(super) fn hear(&self, until: Instant) -> LineOutcome {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if interrupt::cancel().is_cancelled() {
                return LineOutcome::Stopped;
            }
            if self.unread.load(Ordering::Relaxed) > UNREAD {
                return LineOutcome::Deaf;
            }
            if left.is_zero() {
                return LineOutcome::Late;
            }
            match self.hears.recv_timeout(left.min(SLICE)) {
                Ok(Some(line)) => return LineOutcome::Line(line),
                Ok(None) => return LineOutcome::Endless,
                Err(RecvTimeoutError::Disconnected) => return LineOutcome::Gone,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Discards the lines that are waiting.
    pub(super) fn forget(&self) {
        // Bounded, since a process that never stops would write more each time.
        let mut lines = self.hears.try_iter().take(WAITING_LINES);
        while let Some(Some(_)) = lines.next() {}
    }

    /// Describes how the process ended, or says that its output is closed if the process goes on.
    pub(super) fn end(&mut self) -> String {
        // A process closes its output shortly before it ends.
        for _ in 0..200 {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.kill();
                    return format!(" ({status})");
                }
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(_) => break,
            }
        }
        " (its output is closed)".to_owned()
    }

    /// Kills the process and those it has started, once.
    fn kill(&mut self) {
        if std::mem::replace(&mut self.is_ours, false) {
            interrupt::forget_process(self.child.id());
            interrupt::kill(self.child.id());
            let _ = self.child.kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
        // Its last lines of standard error may say what was wrong.
        let _ = self.complains.recv_timeout(LAST_WORDS);
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>, unread: &AtomicUsize) {
    for line in lines {
        let written = stdin.write_all(line.as_bytes());
        if written.and_then(|()| stdin.flush()).is_err() {
            break;
        }
        unread.fetch_sub(line.len(), Ordering::Relaxed);
    }
}

fn read_lines(stdout: ChildStdout, heard: &SyncSender<Option<String>>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(line) = read_line(&mut stdout) {
        let is_last = line.is_none();
        if heard.send(line).is_err() || is_last {
            break;
        }
    }
}

/// Passes on the standard error of a process up to a limit.
fn pass_on(stderr: ChildStderr) {
    let mut stderr = BufReader::new(stderr);
    let mut left = COMPLAINTS;
    let mut line = Vec::new();
    while left > 0 {
        line.clear();
        match Read::by_ref(&mut stderr).take(left).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(n) => left -= n as u64,
        }
        tell_line!("{}", String::from_utf8_lossy(&line).trim_end());
    }
    tell_line!("(further messages of this program are not shown)");
    // The rest is read and dropped, so that the process is not blocked.
    let _ = io::copy(&mut stderr, &mut io::sink());
}

/// Reads a line without its end. Returns `None` at the end, and `Some(None)` if the line is too
/// long.
fn read_line(from: &mut impl BufRead) -> Option<Option<String>> {
    let mut line = Vec::new();
    let n = from.take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    if n == 0 {
        return None;
    }
    if n as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        return Some(None);
    }
    while line.last().is_some_and(|byte| b"\r\n".contains(byte)) {
        line.pop();
    }
    Some(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end() {
        let mut text: &[u8] = b"one\r\n\ntwo\nthree";
        let lines = std::iter::from_fn(|| read_line(&mut text));
        let lines: Option<Vec<String>> = lines.collect();
        assert_eq!(lines.expect("no long ones"), ["one", "", "two", "three"]);
        let long = vec![b'x'; LONGEST_LINE as usize + 1];
        assert_eq!(read_line(&mut long.as_slice()), Some(None));
    }

    #[cfg(unix)]
    fn start(script: &str) -> Process {
        let command = CommandLine(vec!["sh".into(), "-c".into(), script.into()]);
        Process::start(&command).expect("a shell")
    }

    #[cfg(unix)]
    fn later() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[cfg(unix)]
    #[test]
    fn nobody_is_waited_for() {
        let cat = start("cat");
        cat.say("a b");
        assert_eq!(cat.hear(later()), LineOutcome::Line("a b".to_owned()));
        assert_eq!(cat.hear(Instant::now()), LineOutcome::Late);
        let mut dead = start("exit 3");
        assert_eq!(dead.hear(later()), LineOutcome::Gone);
        assert!(dead.end().contains('3'));
        // A process that does not read.
        let deaf = start("exec sleep 60");
        deaf.say(&"x".repeat(1 << 20));
        assert_eq!(deaf.hear(Instant::now()), LineOutcome::Late);
        (0..8).for_each(|_| deaf.say(&"x".repeat(1 << 20)));
        assert_eq!(deaf.hear(later()), LineOutcome::Deaf);
        // A process that closes its output and goes on.
        let mut closed = start("exec >&-; sleep 60");
        assert_eq!(closed.hear(later()), LineOutcome::Gone);
        assert!(closed.end().contains("closed"));
    }

    #[cfg(unix)]
    #[test]
    fn who_never_stops_is_not_heard_out() {
        let flood = start("exec yes");
        assert_eq!(flood.hear(later()), LineOutcome::Line("y".to_owned()));
        // Keeping all of its output would use up the memory of the machine.
        flood.forget();
        assert_eq!(flood.hear(Instant::now()), LineOutcome::Late);
        assert_eq!(flood.hear(later()), LineOutcome::Line("y".to_owned()));
        let endless = start("exec tr '\\0' x < /dev/zero");
        assert_eq!(endless.hear(later()), LineOutcome::Endless);
        // Lines on standard error block nothing.
        let loud = start("yes no >&2 & exec cat");
        loud.say("a");
        assert_eq!(loud.hear(later()), LineOutcome::Line("a".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn children_of_a_process_end_with_it() {
        let parent = start("sleep 1000 & echo $!; wait");
        let LineOutcome::Line(child) = parent.hear(later()) else {
            panic!("no number");
        };
        let is_there = || {
            let said = Command::new("kill").args(["-0", &child]).output();
            let state = Command::new("ps").args(["-o", "stat=", "-p", &child]).output();
            let is_dead = state.is_ok_and(|state| state.stdout.starts_with(b"Z"));
            said.expect("kill runs").status.success() && !is_dead
        };
        assert!(is_there());
        drop(parent);
        let gone = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !is_there()
        });
        assert!(gone);
    }
}
