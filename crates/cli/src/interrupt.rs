//! Ctrl-C and requests to terminate.
//!
//! The first one ends the run after the games that are being evaluated. What does not end soon, be
//! it a query, the disk or whoever reads the results, is ended where it is, and at once by a second
//! one. Nothing is left of the files that were being written.

use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use flow::Cancel;

/// What everything that this process runs is cancelled with.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// Processes with groups of their own, which Ctrl-C does not reach.
static TO_KILL: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The signal that was received; none is 0.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// The number of the signal of Ctrl-C.
const INTERRUPT: u8 = 2;

/// How long the run may take to end by itself.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long it may take to say so where somebody else may be writing, …
const TIME_TO_SAY: Duration = Duration::from_millis(80);

/// … and how long until that begins on a machine that has other things to do.
const TIME_TO_BEGIN: Duration = Duration::from_secs(2);

/// What is cancelled when nothing more is wanted.
pub(crate) fn cancel() -> &'static Cancel {
    &CANCEL
}

/// Whether somebody has asked to stop.
pub(crate) fn is_requested() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// The exit status of a run that was stopped: 130 after Ctrl-C, 143 if it was terminated.
pub(crate) fn status() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed)
}

/// What was done to the run.
pub(crate) fn name() -> &'static str {
    match SIGNAL.load(Ordering::Relaxed) {
        INTERRUPT => "interrupted",
        _ => "terminated",
    }
}

fn receive(signal: u8) {
    let is_second = SIGNAL.swap(signal, Ordering::Relaxed) != 0;
    CANCEL.cancel();
    if is_second {
        end();
    }
    let wait = || {
        thread::sleep(PATIENCE);
        // Before it is said what there is, so that this stays true.
        output::abandon();
        let (sender, said) = mpsc::channel();
        let say = move || {
            let _ = sender.send(());
            crate::say_interrupted();
            let _ = sender.send(());
        };
        if thread::Builder::new().spawn(say).is_ok() {
            let _ = said.recv_timeout(TIME_TO_BEGIN);
            let _ = said.recv_timeout(TIME_TO_SAY);
        }
        end();
    };
    // Without it there is still the second signal.
    let _ = thread::Builder::new().spawn(wait);
}

/// Ends the program, whatever it is at.
fn end() -> ! {
    output::abandon();
    let processes = TO_KILL.lock().unwrap_or_else(PoisonError::into_inner);
    processes.iter().copied().for_each(kill);
    process::exit(i32::from(status()));
}

/// Begins to listen, before there are threads. Without it the program can still be ended, only
/// less tidily.
#[cfg(unix)]
pub(crate) fn listen() {
    use nix::sys::signal::{SigSet, Signal};

    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    signals.add(Signal::SIGHUP);
    let mut blocked = signals;
    // A file that becomes too large is an error of writing, and not the end.
    blocked.add(Signal::SIGXFSZ);
    if blocked.thread_block().is_err() {
        return;
    }
    let wait = move || {
        while let Ok(signal) = signals.wait() {
            receive(signal as u8);
        }
    };
    if std::thread::Builder::new().spawn(wait).is_err() {
        let _ = blocked.thread_unblock();
    }
}

/// Begins to listen. Without it the program can still be ended, only less tidily.
#[cfg(not(unix))]
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| receive(INTERRUPT));
}

/// Says that the group of a process must not outlive the program if that is ended at once.
pub(crate) fn kill_if_ended(process: u32) {
    let mut processes = TO_KILL.lock().unwrap_or_else(PoisonError::into_inner);
    processes.push(process);
}

/// Says that somebody else sees to the end of a process.
pub(crate) fn forget_process(process: u32) {
    let mut processes = TO_KILL.lock().unwrap_or_else(PoisonError::into_inner);
    processes.retain(|other| *other != process);
}

/// Ends the group of a process.
#[cfg(unix)]
pub(crate) fn kill(process: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    if let Ok(group) = i32::try_from(process) {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// There are no groups here: whoever started the process ends it.
#[cfg(not(unix))]
pub(crate) fn kill(_: u32) {}
