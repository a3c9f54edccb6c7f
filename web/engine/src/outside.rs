//! Functions of the page that the engine calls.

/// Kinds of messages to the page.
#[derive(Clone, Copy)]
pub(crate) enum EventKind {
    /// An answer, or lines of one.
    Answer = 0,
    /// Reason why there is no answer.
    Refusal = 1,
    /// A file that was exported.
    File = 2,
    /// Message of a panic.
    Panic = 3,
}

mod page {
    // The page receives numbers and places only, and cannot break memory safety with them.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        pub(super) safe fn tell(what: u32, from: *const u8, length: usize);
        pub(super) safe fn read(bytes: f64, games: f64, matches: f64);
        pub(super) safe fn may_evaluate(number: f64) -> u32;
        pub(super) safe fn seconds() -> f64;
    }
}

/// Sends bytes to the page, which copies them.
pub(crate) fn tell(what: EventKind, bytes: &[u8]) {
    page::tell(what as u32, bytes.as_ptr(), bytes.len());
}

/// Reports the bytes, games and matches read since the last call.
pub(crate) fn read(n_bytes: u64, n_games: u64, n_matches: u64) {
    page::read(n_bytes as f64, n_games as f64, n_matches as f64);
}

/// Whether a game may be evaluated. The page refuses a game that has caused a panic.
pub(crate) fn may_evaluate(number: u64) -> bool {
    page::may_evaluate(number as f64) != 0
}

/// Returns the time of a clock in seconds.
pub(crate) fn seconds() -> f64 {
    page::seconds()
}
