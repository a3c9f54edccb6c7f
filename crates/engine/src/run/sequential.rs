//! Everything on the calling thread, in one pass.

use std::io;
use std::sync::atomic::Ordering;

use pgn::Splitter;

use super::buffer::Buffer;
use super::{Block, Evaluator, Input, RunOptions, Sink, Worker};

pub(super) fn run<W: Worker, F: Fn() -> W>(
    input: &dyn Input,
    options: &RunOptions<'_>,
    make_worker: &F,
    sink: &mut Sink<'_>,
) -> io::Result<W> {
    let mut evaluator = Evaluator::new(make_worker, options);
    let size = input.size();
    let mut splitter = Splitter::default();
    let mut number = 1;
    // From where the splitter stands: what the last block left over, and the next one.
    let mut buffer = Buffer::default();
    loop {
        let start = splitter.offset();
        let at = start + buffer.as_slice().len() as u64;
        let wanted = size
            .saturating_sub(at)
            .min(options.chunk_bytes.max(1) as u64) as usize;
        let n = buffer.read(input, at, wanted)?;
        let is_last = n < wanted || at + n as u64 >= size;

        let bytes = buffer.as_slice();
        let lines = splitter.line() - 1;
        let block = Block {
            bytes,
            start,
            first_game: number,
            lines,
            line_before: lines,
        };
        let Some(mut out) = evaluator.block(&block, splitter.split(bytes, is_last)) else {
            break;
        };
        out.end = splitter.offset();
        number += out.n_games;
        sink(out)?;
        if is_last || options.is_over(number) || options.cancel.load(Ordering::Relaxed) {
            break;
        }
        buffer.remove((splitter.offset() - start) as usize);
    }
    Ok(evaluator.worker)
}
