//! Report and progress of a search.

use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use archived::Unused;
use engine::MatchedGames;
use flow::Output;
use input::{Inputs, Meter};

/// Number of faults that are stored; further ones are only counted.
const MOST_FAULTS: usize = 1000;

/// Issue of a game or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Name of the file.
    pub input: String,
    /// Number of the game, counted through all files from 1; 0 for an issue of the file itself.
    pub game: u64,
    /// Line number, from 1; 0 if it is not known.
    pub line: u64,
    /// The reason, in lower case and without a full stop.
    pub message: String,
    /// Whether the game was searched nevertheless.
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

/// Counts and issues of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Number of games read.
    pub games: u64,
    /// Number of matching games.
    pub matches: u64,
    /// Number of matching positions in those games.
    pub positions: u64,
    /// The first thousand issues, including those of games that were searched nevertheless.
    pub faults: Vec<Fault>,
    /// Number of all issues. An archive that the search does not use is listed in `faults` but not
    /// counted here, since the text of its games is searched.
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

/// Progress of a search. Clones may go to other threads and outlive the search.
#[derive(Debug, Clone)]
pub struct Watch {
    report: Arc<Mutex<Report>>,
    meter: Meter,
    size: Option<u64>,
}

impl Watch {
    pub(crate) fn new(inputs: &Inputs) -> Watch {
        Watch { report: Arc::default(), meter: inputs.meter(), size: inputs.size() }
    }

    /// Returns the report so far. It is slightly ahead of the games that the caller has taken, and
    /// complete when there are no more.
    pub fn report(&self) -> Report {
        self.noted().clone()
    }

    /// Returns the fraction of the bytes read so far, from 0 to 1; `None` if their number is not
    /// known.
    pub fn fraction(&self) -> Option<f64> {
        let size = self.size?.max(1);
        Some((self.meter.read() as f64 / size as f64).min(1.0))
    }

    fn noted(&self) -> MutexGuard<'_, Report> {
        // A panic in another thread leaves no counter half changed.
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
            message: format!("{}; searching the text instead", unused.reason),
            searched: true,
        });
    }
}
