//! What the page does when it is called.

/// What the page is told.
#[derive(Clone, Copy)]
pub(crate) enum What {
    /// An answer, or lines of one.
    Answer = 0,
    /// Why there is none.
    Refusal = 1,
    /// A file that was asked for.
    File = 2,
    /// What a panic says.
    Panic = 3,
}

mod page {
    // Numbers and places are all that goes there, so nothing can go wrong here.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        pub(super) safe fn tell(what: u32, from: *const u8, length: usize);
        pub(super) safe fn read(bytes: f64, games: f64, matches: f64);
        pub(super) safe fn may_evaluate(number: f64) -> u32;
        pub(super) safe fn seconds() -> f64;
    }
}

/// Tells the page something, which it copies.
pub(crate) fn tell(what: What, bytes: &[u8]) {
    page::tell(what as u32, bytes.as_ptr(), bytes.len());
}

/// Tells the page that so much more has been read.
pub(crate) fn read(n_bytes: u64, n_games: u64, n_matches: u64) {
    page::read(n_bytes as f64, n_games as f64, n_matches as f64);
}

/// Asks the page whether a game may be evaluated: not if that has ended this program before.
pub(crate) fn may_evaluate(number: u64) -> bool {
    page::may_evaluate(number as f64) != 0
}

/// The seconds of a clock.
pub(crate) fn seconds() -> f64 {
    page::seconds()
}
