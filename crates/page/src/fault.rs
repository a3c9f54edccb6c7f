//! Reports games and files that are not read as they should be.

use std::io;
use std::sync::Arc;

use babson::{NOT_UTF8, UnusedArchive};
use flow::{FaultKind, Output};

use crate::error::NO_LONGER_THERE;
use crate::pass::{Host, tell};

/// Maximum number of issues that are reported with their text.
const MOST_FAULTS: u64 = 100;

/// Reports issues to the page, and counts them.
pub(crate) struct FaultReporter<'a, H> {
    host: &'a H,
    /// Number of issues.
    pub(crate) n_faults: u64,
    /// Number of games that were not searched, and of files that cannot be read to their end.
    pub(crate) n_left_out: u64,
    /// The last file of which an encoding was assumed.
    not_utf8: Option<Arc<str>>,
}

impl<'a, H: Host> FaultReporter<'a, H> {
    pub(crate) fn new(host: &'a H) -> FaultReporter<'a, H> {
        FaultReporter { host, n_faults: 0, n_left_out: 0, not_utf8: None }
    }

    /// Reports the issues of some games.
    pub(crate) fn tell<R>(&mut self, out: &Output<R>) -> io::Result<()> {
        let name = &out.origin.name;
        if out.is_not_utf8 && self.not_utf8.as_ref() != Some(name) {
            self.not_utf8 = Some(name.clone());
            self.n_faults += 1;
            if self.n_faults <= MOST_FAULTS {
                let told = object! { "fault": object! {
                    "input": &**name, "game": 0, "message": NOT_UTF8, "searched": true,
                    "encoding": true,
                } };
                tell(self.host, &told)?;
            }
        }
        for fault in &out.faults {
            self.n_faults += 1;
            self.n_left_out += fault.n_left_out();
            if self.n_faults > MOST_FAULTS {
                continue;
            }
            let message = match fault.kind {
                FaultKind::Internal => format!("a defect of cql: {}", fault.message),
                _ => fault.text().into_owned(),
            };
            let told = object! { "fault": object! {
                "input": &*out.origin.name, "game": fault.number, "line": fault.line,
                "message": message, "searched": fault.is_searched(),
            } };
            tell(self.host, &told)?;
        }
        match &out.failure {
            Some(error) => {
                self.n_faults += 1;
                self.n_left_out += 1;
                let io_error = error.cause().downcast_ref::<io::Error>();
                let is_gone = io_error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound);
                let message = if is_gone { NO_LONGER_THERE.to_owned() } else { error.to_string() };
                let name = &*out.origin.name;
                let told = object! { "fault": object! { "input": name, "message": message } };
                tell(self.host, &told)
            }
            None => Ok(()),
        }
    }

    /// Reports an archive that is not used, as an issue of game 0.
    pub(crate) fn tell_unused(&mut self, unused: &UnusedArchive) -> io::Result<()> {
        self.n_faults += 1;
        let told = object! { "fault": object! {
            "input": unused.archive, "game": 0, "message": unused.message(), "searched": true,
            "mendedByBuild": unused.is_mended_by_build(),
        } };
        tell(self.host, &told)
    }
}
