//! Evaluates the games of one chunk after the other with a worker.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pgn::RawGame;

use super::cut::LONGEST_LINE;
use super::output::{FaultKind, Origin, Output, Results};
use super::pace::Pace;
use super::source::{LineFormat, SourceFormat};
use super::{RunOptions, Sink, Worker, panic_message};

/// A worker, with a function that replaces it after a panic.
pub(super) struct WorkerSlot<'a, W, F> {
    pub(super) worker: W,
    make_worker: &'a F,
    options: &'a RunOptions,
    /// PGN made from a line.
    pgn: Vec<u8>,
}

impl<'a, W: Worker, F: Fn() -> W> WorkerSlot<'a, W, F> {
    pub(super) fn new(make_worker: &'a F, options: &'a RunOptions) -> Self {
        WorkerSlot { worker: make_worker(), make_worker, options, pgn: Vec::new() }
    }

    /// Evaluates the games of a block. `pass_on` receives results that have waited long enough; the
    /// rest is returned, or `None` if the run is cancelled.
    ///
    /// # Errors
    /// Those of `pass_on`.
    pub(super) fn block<'g>(
        &mut self,
        block: &GameBatch<'_>,
        games: impl Iterator<Item = RawGame<'g>>,
        pass_on: &mut Sink<'_, W::Results>,
    ) -> io::Result<Option<Output<W::Results>>> {
        let options = self.options;
        let mut pace = Pace::new(options.patience);
        let mut out = Output::new(block.first_game);
        out.origin = block.origin.clone();
        out.is_not_utf8 = !block.bytes.is_ascii() && std::str::from_utf8(block.bytes).is_err();
        let mut number = block.first_game;
        let mut lines = LineCursor::of(block);
        for raw in games {
            if options.cancel.is_cancelled() {
                return Ok(None);
            }
            out.n_games += 1;
            let has_faults = !raw.faults.is_empty() || !raw.losses.is_empty();
            if has_faults && options.chooses(number) {
                out.pgn_faults(&raw, number, |line| block.lines + line - block.line_before);
            }
            let wanted = options.wants(number);
            if wanted && raw.is_skipped() {
                self.worker.skipped(&raw, number, &mut out);
            } else if wanted {
                match block.format {
                    SourceFormat::Pgn => self.game(&raw, number, &mut out),
                    SourceFormat::Lines(format) => self.line(&**format, &raw, number, &mut out),
                }
                let of_game = out.faults.iter_mut().rev();
                for fault in of_game.take_while(|fault| fault.number == number) {
                    if fault.line == 0 && !fault.is_of_variant() {
                        fault.line = lines.line_of(fault.offset);
                    }
                }
            }
            number += 1;
            if options.is_over(number) {
                break;
            }
            if pace.is_due() && !options.cancel.is_cancelled() {
                pass_on(out.take_before(number))?;
            }
        }
        // The last game may have been left unfinished.
        Ok((!options.cancel.is_cancelled()).then_some(out))
    }

    /// Evaluates the game of a line.
    fn line(
        &mut self,
        format: &dyn LineFormat,
        line: &RawGame<'_>,
        number: u64,
        out: &mut Output<W::Results>,
    ) {
        if line.text.len() >= LONGEST_LINE {
            let message = format!("the line has more than {LONGEST_LINE} bytes and is left out");
            out.fault(line, number, FaultKind::Skipped, message);
            return;
        }
        let mut pgn = std::mem::take(&mut self.pgn);
        pgn.clear();
        match format.write_pgn(line.text, &mut pgn) {
            Ok(()) => {
                let mut raw = RawGame::of(&pgn);
                raw.offset = line.offset;
                for loss in raw.losses.iter() {
                    out.fault(line, number, FaultKind::Repaired, loss.kind.to_string());
                }
                self.game(&raw, number, out);
            }
            Err(error) => out.fault(line, number, FaultKind::Skipped, error.to_string()),
        }
        self.pgn = pgn;
    }

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<W::Results>) {
        let n_faults = out.faults.len();
        let worker = &mut self.worker;
        let result = catch_unwind(AssertUnwindSafe(|| worker.game(raw, number, out)));
        if let Err(panic) = result {
            out.faults.truncate(n_faults);
            out.results.forget(number);
            out.fault(raw, number, FaultKind::Internal, panic_message(&*panic));
            self.worker = (self.make_worker)();
        }
    }
}

/// Bytes of a source whose games are evaluated together.
pub(super) struct GameBatch<'a> {
    pub(super) bytes: &'a [u8],
    /// Offset of the bytes in the source.
    pub(super) start: u64,
    pub(super) format: &'a SourceFormat<'a>,
    pub(super) origin: &'a Origin,
    /// Number of the first game.
    pub(super) first_game: u64,
    /// Number of line ends before the bytes.
    pub(super) lines: u64,
    /// Line before the bytes, as the splitter counts.
    pub(super) line_before: u64,
}

/// Counts lines, usually at ascending offsets.
struct LineCursor<'a> {
    bytes: &'a [u8],
    start: u64,
    /// Index up to which line ends have been counted, and their number.
    at: usize,
    n: u64,
}

impl<'a> LineCursor<'a> {
    fn of(block: &GameBatch<'a>) -> LineCursor<'a> {
        LineCursor { bytes: block.bytes, start: block.start, at: 0, n: block.lines }
    }

    /// Returns the line of an offset of the source.
    fn line_of(&mut self, offset: u64) -> u64 {
        let to = ((offset - self.start) as usize).min(self.bytes.len());
        let n_ends = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        match self.bytes.get(self.at..to) {
            Some(between) => self.n += n_ends(between),
            None => self.n -= n_ends(&self.bytes[to..self.at]),
        }
        self.at = to;
        self.n + 1
    }
}
