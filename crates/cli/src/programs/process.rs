//! A process that is spoken to in lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::CommandLine;
use crate::interrupt;

/// A longer line is no answer.
const LONGEST_LINE: u64 = 1 << 20;

/// How often is asked whether the run was stopped.
const SLICE: Duration = Duration::from_millis(50);

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Line(String),
    /// Nothing in time.
    Late,
    /// The process has ended, or says something that has no end.
    Gone,
    /// The run was stopped.
    Stopped,
}

/// A process, ended with its owner. Two threads stand between it and whoever asks, so that neither
/// one that does not read nor one that does not write is waited for.
pub(super) struct Process {
    child: Child,
    says: Sender<String>,
    hears: Receiver<String>,
}

impl Process {
    pub(super) fn start(command: &CommandLine) -> io::Result<Process> {
        let (program, arguments) = match command.0.split_first() {
            Some(parts) => parts,
            None => return Err(io::ErrorKind::InvalidInput.into()),
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (says, to_say) = channel::<String>();
        let (heard, hears) = channel();
        if let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::Builder::new().spawn(move || {
                for line in to_say {
                    let written = stdin.write_all(line.as_bytes());
                    if written.and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            })?;
            thread::Builder::new().spawn(move || {
                let mut stdout = BufReader::new(stdout);
                while let Some(line) = read_line(&mut stdout) {
                    if heard.send(line).is_err() {
                        break;
                    }
                }
            })?;
        }
        Ok(Process { child, says, hears })
    }

    /// Sends a line. Whether it arrives shows in the answer.
    pub(super) fn say(&self, line: &str) {
        let _ = self.says.send(format!("{line}\n"));
    }

    /// The next line, if there is one before that time.
    pub(super) fn hear(&self, until: Instant) -> Heard {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.hears.recv_timeout(left.min(SLICE)) {
                Ok(line) => return Heard::Line(line),
                // Ctrl-C reaches the process, too.
                _ if interrupt::cancel().is_cancelled() => return Heard::Stopped,
                Err(RecvTimeoutError::Disconnected) => return Heard::Gone,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Heard::Late,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets what was said and not asked for.
    pub(super) fn forget(&self) {
        while self.hears.try_recv().is_ok() {}
    }

    /// How it ended, if it has.
    pub(super) fn end(&mut self) -> String {
        // What it closes, it closes a moment before it ends.
        for _ in 0..200 {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!(" ({status})"),
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(_) => break,
            }
        }
        String::new()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line without its end; nothing at the end, and where it is too long.
fn read_line(from: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let n = from.take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    if n == 0 || n as u64 == LONGEST_LINE {
        return None;
    }
    while line.last().is_some_and(|byte| b"\r\n".contains(byte)) {
        line.pop();
    }
    Some(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end() {
        let mut text: &[u8] = b"one\r\n\ntwo\nthree";
        let lines: Vec<String> = std::iter::from_fn(|| read_line(&mut text)).collect();
        assert_eq!(lines, ["one", "", "two", "three"]);
        let long = vec![b'x'; LONGEST_LINE as usize + 1];
        assert_eq!(read_line(&mut long.as_slice()), None);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_is_waited_for() {
        let start = |script: &str| {
            let command = CommandLine(vec!["sh".into(), "-c".into(), script.into()]);
            Process::start(&command).expect("a shell")
        };
        let later = || Instant::now() + Duration::from_secs(60);
        let cat = start("cat");
        cat.say("a b");
        assert_eq!(cat.hear(later()), Heard::Line("a b".to_owned()));
        assert_eq!(cat.hear(Instant::now()), Heard::Late);
        let mut dead = start("exit 3");
        assert_eq!(dead.hear(later()), Heard::Gone);
        assert!(dead.end().contains('3'));
        // one that does not read
        let deaf = start("exec sleep 60");
        deaf.say(&"x".repeat(1 << 20));
        assert_eq!(deaf.hear(Instant::now()), Heard::Late);
    }
}
