//! Regular expressions with ECMAScript's meaning over bytes, groups with names among them.
//!
//! An engine of our own, for two reasons: patterns and subjects in any encoding match byte by
//! byte, and a search must end. That of a backtracking engine need not within a lifetime
//! (`(a*)*b`); here every step counts, and there is a bound on them.
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
use parse::Node;

pub use machine::OutOfSteps;
pub use parse::{GroupNames, Malformed};

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub struct Regex(Arc<Code>);

/// By group where it stands, the whole match first; nothing if it took no part.
pub type Groups = Vec<Option<Range<usize>>>;

/// Where the groups of a match stand; empty where nothing has matched.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    /// Shared, since the matches of a loop all have it.
    subject: Arc<[u8]>,
    groups: Groups,
    names: GroupNames,
}

impl Captures {
    /// Those of a match of `regex` in `subject`.
    pub fn new(regex: &Regex, subject: Arc<[u8]>, groups: Groups) -> Captures {
        Captures {
            subject,
            groups,
            names: regex.0.names.clone(),
        }
    }

    /// The string that was searched.
    pub fn subject(&self) -> &[u8] {
        &self.subject
    }

    /// The bytes of group `index` (0: the whole match). The outer `None`: there is no such
    /// group; the inner: it took no part.
    pub fn group(&self, index: usize) -> Option<Option<Range<usize>>> {
        self.groups.get(index).cloned()
    }

    /// The same by the name of the group.
    pub fn named(&self, name: &[u8]) -> Option<Option<Range<usize>>> {
        let (_, index) = self.names.iter().find(|known| *known.0 == *name)?;
        self.group(*index)
    }

    /// The bytes of the whole match.
    pub fn whole(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or(0..0)
    }

    /// Where the search for the next match goes on; behind the end where there can be none.
    pub fn next_start(&self) -> usize {
        let whole = self.whole();
        whole.end + usize::from(whole.is_empty())
    }
}

/// Whether a pattern is well formed; the names of its groups.
///
/// # Errors
/// The first fault.
pub fn check(pattern: &[u8]) -> Result<GroupNames, Malformed> {
    parse::parse(pattern).map(|parsed| parsed.names)
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The first fault of the pattern.
    pub fn new(pattern: &[u8]) -> Result<Regex, Malformed> {
        let parsed = parse::parse(pattern)?;
        let mut code = Code::new(&parsed.tree, parsed.n_groups);
        code.names = parsed.names;
        Ok(Regex(Arc::new(code)))
    }

    /// The expression that matches the empty string.
    pub fn empty() -> Regex {
        Regex(Arc::new(Code::new(&Node::Sequence(Vec::new()), 1)))
    }

    /// Whether it matches anywhere in `subject`. What the search takes comes off `steps`.
    ///
    /// # Errors
    /// There are not enough of them.
    pub fn is_match(&self, subject: &[u8], steps: &mut u64) -> Result<bool, OutOfSteps> {
        Ok(self.find(subject, 0, steps)?.is_some())
    }

    /// Where the groups of the first match at or behind byte `start` stand. What the search takes
    /// comes off `steps`.
    ///
    /// # Errors
    /// There are not enough of them.
    pub fn groups_at(
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

#[cfg(test)]
mod tests;
