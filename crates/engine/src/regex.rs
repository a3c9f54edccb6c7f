//! Regular expressions with ECMAScript's meaning over bytes.
//!
//! An engine of our own, for two reasons: patterns and subjects in any encoding match byte by
//! byte, and a search must end. That of a backtracking engine need not within a lifetime
//! (`(a*)*b`); here every step counts, and there is a bound on them.

mod code;
mod machine;
mod parse;

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use code::Code;
use machine::Machine;

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub struct Regex(Arc<Code>);

/// A search took more steps than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfSteps;

/// By group where it stands, the whole match first; nothing if it took no part.
pub(crate) type Groups = Vec<Option<Range<usize>>>;

/// Where the groups of a match stand; empty where nothing has matched.
#[derive(Debug, Clone, Default)]
pub(crate) struct Captures {
    /// Shared, since the matches of a loop all have it.
    subject: Arc<[u8]>,
    groups: Groups,
}

impl Captures {
    pub(crate) fn new(subject: Arc<[u8]>, groups: Groups) -> Captures {
        Captures { subject, groups }
    }

    /// The string that was searched.
    pub(crate) fn subject(&self) -> &[u8] {
        &self.subject
    }

    /// The bytes of group `index` (0: the whole match). The outer `None`: there is no such
    /// group; the inner: it took no part.
    pub(crate) fn group(&self, index: usize) -> Option<Option<Range<usize>>> {
        self.groups.get(index).cloned()
    }

    /// The bytes of the whole match.
    pub(crate) fn whole(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or(0..0)
    }

    /// Where the search for the next match goes on; behind the end where there can be none.
    pub(crate) fn next_start(&self) -> usize {
        let whole = self.whole();
        whole.end + usize::from(whole.is_empty())
    }
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Says what is malformed.
    pub fn new(pattern: &[u8]) -> Result<Regex, String> {
        let (tree, n_groups) = parse::parse(pattern)?;
        Ok(Regex(Arc::new(Code::new(&tree, n_groups))))
    }

    /// The expression that matches the empty string.
    pub(crate) fn empty() -> Regex {
        Regex(Arc::new(Code::new(&parse::Node::Sequence(Vec::new()), 1)))
    }

    /// Whether it matches anywhere in `subject`. What the search takes comes off `steps`.
    ///
    /// # Errors
    /// There are not enough of them.
    pub fn is_match(&self, subject: &[u8], steps: &mut u64) -> Result<bool, OutOfSteps> {
        Ok(self.find(subject, 0, steps)?.is_some())
    }

    /// Where the groups of the first match at or behind byte `start` stand.
    pub(crate) fn groups_at(
        &self,
        subject: &[u8],
        start: usize,
        steps: &mut u64,
    ) -> Result<Option<Groups>, OutOfSteps> {
        let machine = self.find(subject, start, steps)?;
        let groups = |machine: Machine<'_, '_>| {
            let numbers = 0..self.0.n_groups;
            numbers.map(|number| machine.group(number)).collect()
        };
        Ok(machine.map(groups))
    }

    /// A machine that has found the first match at or behind byte `start`.
    fn find<'s>(
        &'s self,
        subject: &'s [u8],
        start: usize,
        steps: &'s mut u64,
    ) -> Result<Option<Machine<'s, 's>>, OutOfSteps> {
        let code = &*self.0;
        let mut machine = Machine::new(code, subject, steps);
        let mut at = start;
        while at <= subject.len() {
            let rest = &subject[at..];
            let skipped = match &code.first {
                _ if code.anchored => (at == 0).then_some(0),
                _ if !code.prefix.is_empty() => memmem::find(rest, &code.prefix),
                Some(first) => rest.iter().position(|byte| first.contains(*byte)),
                None => Some(0),
            };
            machine.charge(skipped.unwrap_or(rest.len()))?;
            let Some(skipped) = skipped else {
                break;
            };
            at += skipped;
            if machine.matches_at(at)? {
                return Ok(Some(machine));
            }
            at += 1;
        }
        Ok(None)
    }
}

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ByteSet([u64; 4]);

impl ByteSet {
    fn of(bytes: &[u8]) -> ByteSet {
        let mut set = ByteSet::default();
        for &byte in bytes {
            set.add_range(byte, byte);
        }
        set
    }

    fn digits() -> ByteSet {
        let mut set = ByteSet::default();
        set.add_range(b'0', b'9');
        set
    }

    fn word() -> ByteSet {
        let mut set = ByteSet::digits();
        set.add_range(b'A', b'Z');
        set.add_range(b'a', b'z');
        set.add_range(b'_', b'_');
        set
    }

    /// What is white space among the first 256 characters of Unicode.
    fn space() -> ByteSet {
        ByteSet::of(b"\t\n\x0b\x0c\r ")
    }

    #[inline]
    fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn add(&mut self, other: ByteSet) {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine |= other;
        }
    }

    fn add_range(&mut self, from: u8, to: u8) {
        for byte in from..=to {
            self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
    }

    fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|bits| !bits))
    }

    /// Its only byte, if there is just one.
    fn single(&self) -> Option<u8> {
        let n: u32 = self.0.iter().map(|bits| bits.count_ones()).sum();
        (n == 1).then(|| (0..=u8::MAX).find(|&byte| self.contains(byte)))?
    }
}

#[cfg(test)]
mod tests;
