//! The backtracking machine. It counts everything that it does, so that no pattern runs forever,
//! and limits the number of choices that it remembers.

use crate::code::{Code, Loop, Op};

/// A search needed more steps than it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfSteps;

/// Maximum number of choices and old values that are remembered at once: about 100 MB.
const MOST_ENTRIES: usize = 4 << 20;

/// Marks the absence of an offset in the text.
const NOWHERE: usize = usize::MAX;

/// Number of bytes that are compared or skipped in the time of one other step.
const BYTES_PER_STEP: usize = 16;

/// An entry of the backtracking stack, popped when an attempt leads nowhere.
enum Backtrack {
    /// Go on at another instruction.
    Choice { place: usize, at: usize },
    /// A greedy run of bytes can still be shorter.
    Shorter { place: usize, min: usize, at: usize },
    /// A lazy run of bytes can still be longer.
    Longer { place: usize, at: usize, max: usize },
    /// A lazy loop can still have another iteration.
    Iteration { place: usize, at: usize },
    /// A register had another value before.
    Register { index: usize, old: usize },
}

/// A search for one match.
pub(super) struct Machine<'c, 't> {
    code: &'c Code,
    text: &'t [u8],
    /// For each group its start and its end; then for each group the offset at which it was opened;
    /// then for each loop the number of iterations and the offset at which the last one began.
    registers: Vec<usize>,
    entries: Vec<Backtrack>,
    steps: &'t mut u64,
    /// Returns further steps.
    more: &'t mut dyn FnMut() -> u64,
}

impl<'c, 't> Machine<'c, 't> {
    pub(super) fn new(
        code: &'c Code,
        text: &'t [u8],
        steps: &'t mut u64,
        more: &'t mut dyn FnMut() -> u64,
    ) -> Machine<'c, 't> {
        Machine {
            code,
            text,
            registers: vec![NOWHERE; 3 * code.n_groups + 2 * code.loops.len()],
            entries: Vec::new(),
            steps,
            more,
        }
    }

    /// Whether a match begins exactly at byte `at`.
    pub(super) fn matches_at(&mut self, at: usize) -> Result<bool, OutOfSteps> {
        let end = self.run(0, at)?;
        if let Some(end) = end {
            self.registers[0] = at;
            self.registers[1] = end;
        }
        Ok(end.is_some())
    }

    /// Returns the byte range of a group, if it took part.
    pub(super) fn group(&self, number: usize) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.registers[2 * number], self.registers[2 * number + 1]);
        (end != NOWHERE).then_some(start..end)
    }

    pub(super) fn charge(&mut self, n_bytes: usize) -> Result<(), OutOfSteps> {
        let steps = 1 + (n_bytes / BYTES_PER_STEP) as u64;
        while *self.steps < steps {
            *self.steps += Some((self.more)()).filter(|&more| more > 0).ok_or(OutOfSteps)?;
        }
        *self.steps -= steps;
        Ok(())
    }

    fn opened(&self, group: usize) -> usize {
        2 * self.code.n_groups + group
    }

    fn counter(&self, index: usize) -> usize {
        3 * self.code.n_groups + 2 * index
    }

    fn push(&mut self, entry: Backtrack) -> Result<(), OutOfSteps> {
        if self.entries.len() >= MOST_ENTRIES {
            return Err(OutOfSteps);
        }
        self.entries.push(entry);
        Ok(())
    }

    fn set(&mut self, index: usize, value: usize) -> Result<(), OutOfSteps> {
        let old = std::mem::replace(&mut self.registers[index], value);
        if old != value {
            self.push(Backtrack::Register { index, old })?;
        }
        Ok(())
    }

    /// Runs from an instruction to the next `Match` and returns the offset in the text. If there is
    /// none, all registers keep their values.
    fn run(&mut self, mut place: usize, mut at: usize) -> Result<Option<usize>, OutOfSteps> {
        let base = self.entries.len();
        let code = self.code;
        loop {
            self.charge(0)?;
            let goes_on = match &code.ops[place] {
                Op::Match => return Ok(Some(at)),
                Op::Literal(bytes) => {
                    self.charge(bytes.len())?;
                    let fits = self.text[at..].starts_with(bytes);
                    at += if fits { bytes.len() } else { 0 };
                    fits
                }
                Op::Byte(set) => match self.text.get(at) {
                    Some(&byte) if set.contains(byte) => {
                        at += 1;
                        true
                    }
                    _ => false,
                },
                Op::Split { other } => {
                    let place = *other;
                    self.push(Backtrack::Choice { place, at })?;
                    true
                }
                Op::Jump(target) => {
                    place = *target;
                    continue;
                }
                Op::Open(group) => {
                    self.set(self.opened(*group), at)?;
                    true
                }
                Op::Close(group) => {
                    let start = self.registers[self.opened(*group)];
                    self.set(2 * group, start)?;
                    self.set(2 * group + 1, at)?;
                    true
                }
                Op::Run { set, min, max, greedy } => {
                    let rest = &self.text[at..];
                    let most = rest.len().min(*max as usize);
                    let run = rest[..most].iter().take_while(|byte| set.contains(**byte));
                    let most = run.count();
                    self.charge(most)?;
                    let min = *min as usize;
                    let place = place + 1;
                    if most < min {
                        false
                    } else {
                        let (least, most) = (at + min, at + most);
                        at = if *greedy { most } else { least };
                        if least < most {
                            self.push(if *greedy {
                                Backtrack::Shorter { place, min: least, at }
                            } else {
                                Backtrack::Longer { place, at, max: most }
                            })?;
                        }
                        true
                    }
                }
                Op::Enter(index) => {
                    self.set(self.counter(*index), 0)?;
                    true
                }
                Op::Iterate { counter, exit } => {
                    let Loop { min, max, greedy, .. } = code.loops[*counter];
                    let done = self.registers[self.counter(*counter)];
                    if done < min as usize {
                        self.begin_iteration(*counter, at)?;
                        true
                    } else if max != u32::MAX && done >= max as usize {
                        place = *exit;
                        continue;
                    } else if greedy {
                        self.push(Backtrack::Choice { place: *exit, at })?;
                        self.begin_iteration(*counter, at)?;
                        true
                    } else {
                        self.push(Backtrack::Iteration { place, at })?;
                        place = *exit;
                        continue;
                    }
                }
                Op::Again(iterate) => match code.ops[*iterate] {
                    // An iteration beyond the minimum must not be empty.
                    Op::Iterate { counter, .. }
                        if self.registers[self.counter(counter)]
                            > code.loops[counter].min as usize
                            && self.registers[self.counter(counter) + 1] == at =>
                    {
                        false
                    }
                    _ => {
                        place = *iterate;
                        continue;
                    }
                },
                Op::Start => at == 0,
                Op::End => at == self.text.len(),
                Op::WordBoundary(is) => {
                    let is_boundary = self.is_word(at.checked_sub(1)) != self.is_word(Some(at));
                    is_boundary == *is
                }
                Op::Reference(group) => match self.group(*group) {
                    None => true,
                    Some(range) => {
                        self.charge(range.len())?;
                        let n = range.len();
                        let fits = self.text[at..].starts_with(&self.text[range]);
                        at += if fits { n } else { 0 };
                        fits
                    }
                },
                Op::Look { negative, behind } => {
                    let behind = *behind;
                    if self.look(place + 1, at, *negative)? {
                        place = behind;
                        continue;
                    }
                    false
                }
            };
            if goes_on {
                place += 1;
            } else {
                match self.back(base)? {
                    Some(there) => (place, at) = there,
                    None => return Ok(None),
                }
            }
        }
    }

    /// Counts an iteration that begins at `at`, and forgets the groups in the loop.
    fn begin_iteration(&mut self, index: usize, at: usize) -> Result<(), OutOfSteps> {
        let counter = self.counter(index);
        self.set(counter, self.registers[counter].wrapping_add(1))?;
        self.set(counter + 1, at)?;
        let Loop { first_group, last_group, .. } = self.code.loops[index];
        self.charge(last_group - first_group)?;
        for register in 2 * first_group..2 * last_group {
            self.set(register, NOWHERE)?;
        }
        Ok(())
    }

    /// Returns to the last choice above `base`: the instruction and the offset in the text.
    fn back(&mut self, base: usize) -> Result<Option<(usize, usize)>, OutOfSteps> {
        while self.entries.len() > base {
            self.charge(0)?;
            let Some(entry) = self.entries.pop() else {
                break;
            };
            match entry {
                Backtrack::Register { index, old } => self.registers[index] = old,
                Backtrack::Choice { place, at } => return Ok(Some((place, at))),
                Backtrack::Shorter { place, min, at } => {
                    let at = at - 1;
                    if at > min {
                        self.entries.push(Backtrack::Shorter { place, min, at });
                    }
                    return Ok(Some((place, at)));
                }
                Backtrack::Longer { place, at, max } => {
                    let at = at + 1;
                    if at < max {
                        self.entries.push(Backtrack::Longer { place, at, max });
                    }
                    return Ok(Some((place, at)));
                }
                Backtrack::Iteration { place, at } => {
                    if let Op::Iterate { counter, .. } = self.code.ops[place] {
                        self.begin_iteration(counter, at)?;
                    }
                    return Ok(Some((place + 1, at)));
                }
            }
        }
        Ok(None)
    }

    /// Whether a lookahead holds. Its first match is final: no other one is tried later. The groups
    /// of that match are kept unless the lookahead is negative.
    fn look(&mut self, place: usize, at: usize, negative: bool) -> Result<bool, OutOfSteps> {
        let base = self.entries.len();
        let found = self.run(place, at)?.is_some();
        if !found {
            return Ok(negative);
        }
        if negative {
            for entry in self.entries.drain(base..).rev() {
                if let Backtrack::Register { index, old } = entry {
                    self.registers[index] = old;
                }
            }
            return Ok(false);
        }
        let mut kept = base;
        for index in base..self.entries.len() {
            if matches!(self.entries[index], Backtrack::Register { .. }) {
                self.entries.swap(kept, index);
                kept += 1;
            }
        }
        self.entries.truncate(kept);
        Ok(true)
    }

    fn is_word(&self, at: Option<usize>) -> bool {
        let byte = at.and_then(|at| self.text.get(at));
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    }
}
