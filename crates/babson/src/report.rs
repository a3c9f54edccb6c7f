//! The report of a search and its progress.

use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use archived::Unused;
use engine::MatchedGames;
use flow::Output;
use input::{Inputs, Meter};

/// Faults that are kept; of others only the number is.
const MOST_FAULTS: usize = 1000;

/// A game or a file with which something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub input: String,
    /// The number of the game, counted through all files from 1; 0 where the file itself is at fault.
    pub game: u64,
    /// The line, from 1; 0 if it is not known.
    pub line: u64,
    /// The reason, in lower case and without a full stop.
    pub message: String,
    /// Whether it was searched all the same.
    pub searched: bool,
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.input)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.game > 0 {
            write!(f, ": game {}", self.game)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The sums and the faults of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Games that were read.
    pub games: u64,
    /// Games that match.
    pub matches: u64,
    /// Positions that match, in those games.
    pub positions: u64,
    /// The first thousand faults, those of games that were searched all the same among them.
    pub faults: Vec<Fault>,
    /// The number of all faults. An archive that the search does not use stands in the list and does
    /// not count: the text of its games is searched.
    pub n_faults: u64,
}

impl Report {
    fn fault(&mut self, fault: Fault) {
        self.n_faults += 1;
        self.tell(fault);
    }

    fn tell(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// Shows how far a search has come. Clones may go to other threads, and outlive the search.
#[derive(Debug, Clone)]
pub struct Watch {
    report: Arc<Mutex<Report>>,
    meter: Meter,
    size: Option<u64>,
}

impl Watch {
    pub(crate) fn new(inputs: &Inputs) -> Watch {
        Watch {
            report: Arc::default(),
            meter: inputs.meter(),
            size: inputs.size(),
        }
    }

    /// The report so far. It is a little ahead of the games that the caller has taken, and complete
    /// when there are no more.
    pub fn report(&self) -> Report {
        self.noted().clone()
    }

    /// The part of the bytes that have been read, from 0 to 1; none if their number is not known.
    pub fn fraction(&self) -> Option<f64> {
        let size = self.size?.max(1);
        Some((self.meter.read() as f64 / size as f64).min(1.0))
    }

    fn noted(&self) -> MutexGuard<'_, Report> {
        // A panic elsewhere leaves no sum half changed.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn note(&self, out: &Output<MatchedGames>) {
        let mut report = self.noted();
        let input = || out.origin.name.to_string();
        report.games += out.n_games;
        report.matches += out.results.0.len() as u64;
        let positions = out.results.0.iter().map(|game| game.row.n_positions);
        report.positions += positions.sum::<u64>();
        for fault in &out.faults {
            report.fault(Fault {
                input: input(),
                game: fault.number,
                line: fault.line,
                message: fault.message.clone(),
                searched: fault.is_searched(),
            });
        }
        if let Some(message) = &out.failure {
            report.fault(Fault {
                input: input(),
                game: 0,
                line: 0,
                message: message.clone(),
                searched: false,
            });
        }
    }

    pub(crate) fn unused(&self, unused: &Unused) {
        self.noted().tell(Fault {
            input: unused.archive.clone(),
            game: 0,
            line: 0,
            message: format!("{}; the text is searched", unused.reason),
            searched: true,
        });
    }
}
