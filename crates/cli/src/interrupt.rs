//! Handles Ctrl-C and requests to terminate.
//!
//! The first signal cancels the run, which ends after the games being evaluated. If it does not end
//! in time, because of a slow query, disk or reader of the results, the program exits. A second
//! signal makes it exit immediately. Unfinished output files are removed.

use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use flow::Cancel;

/// Token that cancels everything this process does.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// Ids of processes with their own groups, which Ctrl-C does not reach.
static TO_KILL: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The signal received last; 0 for none.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// Number of the signal that Ctrl-C sends.
const INTERRUPT: u8 = 2;

/// Time for the run to end on its own after a signal.
const PATIENCE: Duration = Duration::from_millis(100);

/// Time to print the message, which waits if another thread is writing.
const TIME_TO_SAY: Duration = Duration::from_millis(80);

/// Time to start the thread that prints the message, on a busy machine.
const TIME_TO_BEGIN: Duration = Duration::from_secs(2);

/// Returns the token that is cancelled by a signal.
pub(crate) fn cancel() -> &'static Cancel {
    &CANCEL
}

/// Whether a signal has been received.
pub(crate) fn is_requested() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// Returns the exit status of a run that was stopped: 130 after Ctrl-C, 143 after SIGTERM.
pub(crate) fn status() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed)
}

/// Returns the word for the signal in messages.
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
        // Before the message says what was written, so that it stays true.
        output::abandon();
        let (sender, said) = mpsc::channel();
        let say = move || {
            let _ = sender.send(());
            crate::terminal::say_interrupted();
            let _ = sender.send(());
        };
        if thread::Builder::new().spawn(say).is_ok() {
            let _ = said.recv_timeout(TIME_TO_BEGIN);
            let _ = said.recv_timeout(TIME_TO_SAY);
        }
        end();
    };
    // If this thread cannot be started, a second signal still ends the program.
    let _ = thread::Builder::new().spawn(wait);
}

/// Ends the program immediately: removes unfinished files and kills child processes.
fn end() -> ! {
    output::abandon();
    let processes = TO_KILL.lock().unwrap_or_else(PoisonError::into_inner);
    processes.iter().copied().for_each(kill);
    process::exit(i32::from(status()));
}

/// Starts to handle signals. It must be called before other threads start, which inherit the
/// blocked signals. If it fails, signals end the program without cleaning up.
#[cfg(unix)]
pub(crate) fn listen() {
    use nix::sys::signal::{SigSet, Signal};

    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    signals.add(Signal::SIGHUP);
    let mut blocked = signals;
    // With SIGXFSZ blocked, exceeding the limit on file sizes is a write error.
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

/// Starts to handle signals. If it fails, signals end the program without cleaning up.
#[cfg(not(unix))]
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| receive(INTERRUPT));
}

/// Registers a process, so that its group is killed if the program ends immediately.
pub(crate) fn kill_if_ended(process: u32) {
    let mut processes = TO_KILL.lock().unwrap_or_else(PoisonError::into_inner);
    processes.push(process);
}

/// Unregisters a process: its owner ends it.
pub(crate) fn forget_process(process: u32) {
    let mut processes = TO_KILL.lock().unwrap_or_else(PoisonError::into_inner);
    processes.retain(|other| *other != process);
}

/// Kills the group of a process.
#[cfg(unix)]
pub(crate) fn kill(process: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    if let Ok(group) = i32::try_from(process) {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Does nothing: there are no process groups here, and the owner of the process ends it.
#[cfg(not(unix))]
pub(crate) fn kill(_: u32) {}
