//! W: texts that run, but surely mean something else.

use super::{Entry, entry_of};

pub(super) const ENTRIES: &[Entry] = &[entry_of(
    "W0701",
    "a counter that nobody counts",
    "always 0",
    "`:sumrange` adds up what `:accumulate` of the same name counts; without it the sum is 0.",
    (
        "(match (position :sumrange w 1))\n",
        "(match (position :accumulate w :sumrange w 1))\n",
    ),
)];
