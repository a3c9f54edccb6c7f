//! Regular expressions with ECMAScript's meaning over bytes, groups with names among them.
//!
//! The crate has its own engine for two reasons: patterns and subjects in any encoding match byte
//! by byte, and every search ends. A backtracking engine may need longer than a lifetime for a
//! pattern such as `(a*)*b`; this one counts its steps and stops at a limit.
//!
//! ```
//! let regex = ecma_regex::Regex::new(b"(a+)b").expect("a pattern");
//! let mut steps = 1000;
//! assert_eq!(regex.is_match(b"xaab", &mut steps), Ok(true));
//! assert_eq!(ecma_regex::check(b"a)").map_err(|fault| fault.at), Err(1));
//! ```

mod byte_set;
mod code;
mod machine;
mod parse;

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use code::Code;
use machine::Machine;
use parse::RegexNode;

pub use machine::OutOfSteps;
pub use parse::{GroupNames, Malformed};

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub struct Regex(Arc<Code>);

/// Byte range of each group, the whole match first; `None` for a group that took no part.
pub type Groups = Vec<Option<Range<usize>>>;

/// Byte ranges of the groups of a match; empty if nothing has matched.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    /// The subject is shared because all matches of a loop refer to it.
    subject: Arc<[u8]>,
    groups: Groups,
    names: GroupNames,
}

impl Captures {
    /// Makes the captures of a match of `regex` in `subject`.
    pub fn new(regex: &Regex, subject: Arc<[u8]>, groups: Groups) -> Captures {
        Captures { subject, groups, names: regex.0.names.clone() }
    }

    /// The string that was searched.
    pub fn subject(&self) -> &[u8] {
        &self.subject
    }

    /// Returns the byte range of group `index` (0 is the whole match): `None` if there is no such
    /// group, `Some(None)` if the group took no part.
    pub fn group(&self, index: usize) -> Option<Option<Range<usize>>> {
        self.groups.get(index).cloned()
    }

    /// Returns the byte range of the group with this name, as [`Captures::group`] does.
    pub fn named(&self, name: &[u8]) -> Option<Option<Range<usize>>> {
        let (_, index) = self.names.iter().find(|known| *known.0 == *name)?;
        self.group(*index)
    }

    /// Returns the byte range of the whole match; `0..0` if nothing has matched.
    pub fn whole(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or(0..0)
    }

    /// Returns the byte at which the search for the next match starts; it may be one past the end
    /// of the subject, where no match is possible.
    pub fn next_start(&self) -> usize {
        let whole = self.whole();
        whole.end + usize::from(whole.is_empty())
    }
}

/// Checks that a pattern is well formed and returns the names of its groups.
///
/// # Errors
/// Returns the first error in the pattern.
pub fn check(pattern: &[u8]) -> Result<GroupNames, Malformed> {
    parse::parse(pattern).map(|parsed| parsed.names)
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Returns the first error in the pattern.
    pub fn new(pattern: &[u8]) -> Result<Regex, Malformed> {
        let parsed = parse::parse(pattern)?;
        let mut code = Code::new(&parsed.tree, parsed.n_groups);
        code.names = parsed.names;
        Ok(Regex(Arc::new(code)))
    }

    /// Returns the expression that matches the empty string.
    pub fn empty() -> Regex {
        Regex(Arc::new(Code::new(&RegexNode::Sequence(Vec::new()), 1)))
    }

    /// Returns whether the pattern matches anywhere in `subject`. The steps of the search are
    /// subtracted from `steps`.
    ///
    /// # Errors
    /// Returns [`OutOfSteps`] if `steps` does not suffice.
    pub fn is_match(&self, subject: &[u8], steps: &mut u64) -> Result<bool, OutOfSteps> {
        Ok(self.find(subject, 0, steps, &mut || 0)?.is_some())
    }

    /// Returns the groups of the first match that begins at byte `start` or later. The steps of the
    /// search are subtracted from `steps`. If they do not suffice, `more` returns further ones, or 0
    /// to end the search.
    ///
    /// # Errors
    /// Returns [`OutOfSteps`] if there are no further steps.
    pub fn groups_at(
        &self,
        subject: &[u8],
        start: usize,
        steps: &mut u64,
        more: &mut dyn FnMut() -> u64,
    ) -> Result<Option<Groups>, OutOfSteps> {
        let groups = |machine: Machine<'_, '_>| {
            let numbers = 0..self.0.n_groups;
            numbers.map(|number| machine.group(number)).collect()
        };
        Ok(self.find(subject, start, steps, more)?.map(groups))
    }

    /// Returns a machine that has found the first match at byte `start` or later.
    fn find<'s>(
        &'s self,
        subject: &'s [u8],
        start: usize,
        steps: &'s mut u64,
        more: &'s mut dyn FnMut() -> u64,
    ) -> Result<Option<Machine<'s, 's>>, OutOfSteps> {
        let code = &*self.0;
        let mut machine = Machine::new(code, subject, steps, more);
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

#[cfg(test)]
mod tests;
