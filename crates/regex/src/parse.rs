//! Parses patterns into trees: the grammar of ECMAScript without flags, with the classes of POSIX.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::byte_set::ByteSet;

/// Maximum depth of nested groups; parsing and compiling them recurses.
const MAX_DEPTH: usize = 250;

/// An error in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// Offset of the byte at which the error begins.
    pub at: usize,
    /// Description of the error.
    pub message: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl std::error::Error for Malformed {}

type RegexResult<T> = Result<T, Malformed>;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RegexNode {
    /// One byte of a set.
    Byte(ByteSet),
    /// Nodes that follow each other.
    Sequence(Vec<RegexNode>),
    /// The first alternative that leads to a match.
    Alternatives(Vec<RegexNode>),
    /// The group `(…)` with this number, counted from 1.
    Group(usize, Box<RegexNode>),
    Repeat(Box<Repeat>),
    /// `^`
    Start,
    /// `$`
    End,
    /// `\b` if true, `\B` if false.
    WordBoundary(bool),
    /// `\1`
    Reference(usize),
    /// `(?=…)`, or `(?!…)` if negative.
    Look {
        negative: bool,
        body: Box<RegexNode>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) body: RegexNode,
    pub(super) min: u32,
    /// Greatest number of iterations; `u32::MAX` if there is no limit.
    pub(super) max: u32,
    pub(super) greedy: bool,
    /// The groups in the body; each iteration forgets them.
    pub(super) groups: Range<usize>,
}

/// The names of groups and their numbers.
pub type GroupNames = Arc<[(Box<[u8]>, usize)]>;

/// A parsed pattern.
pub(super) struct ParsedPattern {
    pub(super) tree: RegexNode,
    /// Number of groups, the whole match included.
    pub(super) n_groups: usize,
    pub(super) names: GroupNames,
}

/// Parses a pattern.
pub(super) fn parse(pattern: &[u8]) -> RegexResult<ParsedPattern> {
    let mut parser = PatternParser {
        pattern,
        rest: pattern,
        n_groups: 1,
        depth: 0,
        greatest_reference: (0, 0),
        names: Vec::new(),
    };
    let tree = parser.alternatives()?;
    if !parser.rest.is_empty() {
        return fail(parser.at(), "this `)` closes nothing");
    }
    let (reference, at) = parser.greatest_reference;
    if reference >= parser.n_groups {
        return fail(at, "there is no group of this number");
    }
    Ok(ParsedPattern { tree, n_groups: parser.n_groups, names: parser.names.into() })
}

fn fail<T>(at: usize, message: &'static str) -> RegexResult<T> {
    Err(Malformed { at, message })
}

struct PatternParser<'p> {
    pattern: &'p [u8],
    rest: &'p [u8],
    n_groups: usize,
    depth: usize,
    /// The greatest number of a reference, and the offset of that reference.
    greatest_reference: (usize, usize),
    names: Vec<(Box<[u8]>, usize)>,
}

/// A member of a class in brackets, or a byte or class outside of brackets.
enum ClassItem {
    One(u8),
    Class(ByteSet),
    /// A character that does not fit in a byte.
    Nothing,
}

impl PatternParser<'_> {
    /// Offset of the next byte.
    fn at(&self) -> usize {
        self.pattern.len() - self.rest.len()
    }

    fn take(&mut self, text: &[u8]) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn alternatives(&mut self) -> RegexResult<RegexNode> {
        let mut alternatives = vec![self.sequence()?];
        while self.take(b"|") {
            alternatives.push(self.sequence()?);
        }
        match alternatives.len() {
            1 => Ok(alternatives.remove(0)),
            _ => Ok(RegexNode::Alternatives(alternatives)),
        }
    }

    fn sequence(&mut self) -> RegexResult<RegexNode> {
        let mut items = Vec::new();
        while !matches!(self.rest.first(), None | Some(b'|' | b')')) {
            let first_group = self.n_groups;
            let (atom, repeatable) = self.atom()?;
            if !repeatable && matches!(self.rest.first(), Some(b'*' | b'+' | b'?' | b'{')) {
                return fail(self.at(), NOTHING_TO_REPEAT);
            }
            match self.quantifier()? {
                None => items.push(atom),
                Some((min, max)) => items.push(RegexNode::Repeat(Box::new(Repeat {
                    body: atom,
                    min,
                    max,
                    greedy: !self.take(b"?"),
                    groups: first_group..self.n_groups,
                }))),
            }
        }
        Ok(RegexNode::Sequence(items))
    }

    /// Parses an atom or assertion; the flag tells whether it can be repeated.
    fn atom(&mut self) -> RegexResult<(RegexNode, bool)> {
        let start = self.at();
        let Some(first) = self.next() else {
            return Ok((RegexNode::Sequence(Vec::new()), false));
        };
        let node = match first {
            b'^' => return Ok((RegexNode::Start, false)),
            b'$' => return Ok((RegexNode::End, false)),
            b'(' => self.group(start)?,
            b'[' => RegexNode::Byte(self.class(start)?),
            b'.' => RegexNode::Byte(ByteSet::of(b"\n\r").complement()),
            b'*' | b'+' | b'?' | b'{' => return fail(start, NOTHING_TO_REPEAT),
            b'\\' => match self.rest.first() {
                Some(&letter @ (b'b' | b'B')) => {
                    self.next();
                    return Ok((RegexNode::WordBoundary(letter == b'b'), false));
                }
                Some(b'1'..=b'9') => RegexNode::Reference(self.reference(start)),
                // Without named groups `\k` is the letter, as in ECMAScript.
                Some(b'k') if !self.names.is_empty() => {
                    self.next();
                    RegexNode::Reference(self.named_reference(start)?)
                }
                _ => RegexNode::Byte(self.escape(start)?.set()),
            },
            byte => RegexNode::Byte(ByteSet::of(&[byte])),
        };
        Ok((node, true))
    }

    /// Parses the rest of a group after its `(` at offset `start`.
    fn group(&mut self, start: usize) -> RegexResult<RegexNode> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return fail(start, "groups are nested too deeply");
        }
        let node = if self.take(b"?:") {
            self.alternatives()?
        } else if self.rest.starts_with(b"?=") || self.rest.starts_with(b"?!") {
            let negative = self.rest[1] == b'!';
            self.rest = &self.rest[2..];
            let body = Box::new(self.alternatives()?);
            RegexNode::Look { negative, body }
        } else if self.rest.starts_with(b"?") && !self.rest.starts_with(b"?<") {
            return fail(start, "`(?` must be followed by `:`, `=`, `!` or `<name>`");
        } else {
            let number = self.n_groups;
            self.n_groups += 1;
            if self.take(b"?") {
                let name = self.name(start)?;
                if self.names.iter().any(|known| known.0 == name) {
                    return fail(start, "two groups have this name");
                }
                self.names.push((name, number));
            }
            RegexNode::Group(number, Box::new(self.alternatives()?))
        };
        if !self.take(b")") {
            return fail(start, "this `(` is not closed");
        }
        self.depth -= 1;
        Ok(node)
    }

    /// Parses the `<name>` of a group or reference; `start` is the offset of its parenthesis or
    /// backslash.
    fn name(&mut self, start: usize) -> RegexResult<Box<[u8]>> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let text = if self.take(b"<") { self.rest } else { &[] };
        let length = text.iter().take_while(|byte| is_part(byte)).count();
        let starts_well = length > 0 && !text[0].is_ascii_digit();
        if !starts_well || text.get(length) != Some(&b'>') {
            return fail(start, "a group is named by letters and digits: `(?<name>…)`");
        }
        self.rest = &text[length + 1..];
        Ok(text[..length].into())
    }

    /// Parses the rest of a reference after its `\k`; `start` is the offset of the backslash.
    fn named_reference(&mut self, start: usize) -> RegexResult<usize> {
        let name = self.name(start)?;
        let group = self.names.iter().find(|known| known.0 == name);
        group.map_or_else(|| fail(start, "no group before this has the name"), |group| Ok(group.1))
    }

    /// Parses a quantifier and returns its bounds, if one follows.
    fn quantifier(&mut self) -> RegexResult<Option<(u32, u32)>> {
        Ok(Some(match self.rest.first() {
            Some(b'*') => {
                self.next();
                (0, u32::MAX)
            }
            Some(b'+') => {
                self.next();
                (1, u32::MAX)
            }
            Some(b'?') => {
                self.next();
                (0, 1)
            }
            Some(b'{') => {
                let start = self.at();
                self.next();
                if !self.rest.contains(&b'}') {
                    return fail(start, "this `{` is not closed");
                }
                let Some(bounds) = self.bounds() else {
                    return fail(start, "expected `{n}`, `{n,}` or `{n,m}`");
                };
                bounds
            }
            _ => return Ok(None),
        }))
    }

    /// Parses the bounds of a quantifier after its `{`.
    fn bounds(&mut self) -> Option<(u32, u32)> {
        let bound = |number: usize| u32::try_from(number).ok();
        let min = bound(self.number()?)?;
        let max = if self.take(b",") { self.number().map_or(Some(u32::MAX), bound)? } else { min };
        (self.take(b"}") && min <= max).then_some((min, max))
    }

    /// Parses digits, if any follow; a number that is too large becomes the largest `usize`.
    fn number(&mut self) -> Option<usize> {
        let mut value = None;
        while let Some(digit @ b'0'..=b'9') = self.rest.first() {
            let digit = usize::from(digit - b'0');
            let all: usize = value.unwrap_or(0);
            value = Some(all.saturating_mul(10).saturating_add(digit));
            self.next();
        }
        value
    }

    /// Parses the number of a reference after its backslash at offset `start`.
    fn reference(&mut self, start: usize) -> usize {
        let number = self.number().unwrap_or_default();
        if number > self.greatest_reference.0 {
            self.greatest_reference = (number, start);
        }
        number
    }

    /// Parses an escape, a byte or a class, after its backslash at offset `start`.
    fn escape(&mut self, start: usize) -> RegexResult<ClassItem> {
        let Some(byte) = self.next() else {
            return fail(start, "nothing follows the last backslash");
        };
        Ok(match byte {
            b'd' => ClassItem::Class(ByteSet::digits()),
            b'D' => ClassItem::Class(ByteSet::digits().complement()),
            b'w' => ClassItem::Class(ByteSet::word()),
            b'W' => ClassItem::Class(ByteSet::word().complement()),
            b's' => ClassItem::Class(ByteSet::space()),
            b'S' => ClassItem::Class(ByteSet::space().complement()),
            b't' => ClassItem::One(b'\t'),
            b'n' => ClassItem::One(b'\n'),
            b'v' => ClassItem::One(0x0b),
            b'f' => ClassItem::One(0x0c),
            b'r' => ClassItem::One(b'\r'),
            b'0' => ClassItem::One(0),
            b'c' => match self.next() {
                Some(letter) if letter.is_ascii_alphabetic() => ClassItem::One(letter & 0x1f),
                _ => return fail(start, "expected a letter after `\\c`"),
            },
            b'x' => self.hexadecimal(start, 2)?,
            b'u' => self.hexadecimal(start, 4)?,
            byte => ClassItem::One(byte),
        })
    }

    fn hexadecimal(&mut self, start: usize, n_digits: usize) -> RegexResult<ClassItem> {
        let digits = self.rest.get(..n_digits).unwrap_or_default();
        let value = std::str::from_utf8(digits)
            .ok()
            .filter(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|text| u32::from_str_radix(text, 16).ok())
            .ok_or(Malformed {
                at: start,
                message: "expected hexadecimal digits after this escape",
            })?;
        self.rest = &self.rest[n_digits..];
        Ok(u8::try_from(value).map_or(ClassItem::Nothing, ClassItem::One))
    }

    /// Parses a class after its `[` at offset `start`.
    fn class(&mut self, start: usize) -> RegexResult<ByteSet> {
        let negative = self.take(b"^");
        let mut set = ByteSet::default();
        loop {
            if self.take(b"]") {
                return Ok(if negative { set.complement() } else { set });
            }
            self.check_named_class()?;
            let begin = self.at();
            let from = self.class_item(start)?;
            let is_range = self.rest.first() == Some(&b'-')
                && self.rest.get(1).is_some_and(|&next| next != b']');
            if !is_range {
                set.add(from.set());
                continue;
            }
            self.next();
            match (from, self.class_item(start)?) {
                (ClassItem::One(from), ClassItem::One(to)) if from > to => {
                    return fail(begin, "this range is reversed");
                }
                (ClassItem::One(from), ClassItem::One(to)) => set.add_range(from, to),
                (ClassItem::One(from), ClassItem::Nothing) => set.add_range(from, u8::MAX),
                // beside a class, the dash is a character
                (from, to) => {
                    set.add(from.set());
                    set.add(ByteSet::of(b"-"));
                    set.add(to.set());
                }
            }
        }
    }

    /// Reports an unknown class such as `[:alfa:]`, if one follows.
    fn check_named_class(&self) -> RegexResult<()> {
        let &[b'[', kind @ (b':' | b'.' | b'='), ref rest @ ..] = self.rest else {
            return Ok(());
        };
        if !rest.windows(2).any(|pair| pair == [kind, b']']) {
            return fail(self.at(), "this class of characters is not closed");
        }
        if kind == b':' && self.named_class().is_none() {
            return fail(self.at(), "there is no class of characters of this name");
        }
        Ok(())
    }

    fn named_class(&self) -> Option<&'static (&'static [u8], Ranges)> {
        CLASSES.iter().find(|(name, _)| self.rest.starts_with(name))
    }

    /// Parses a byte or a class inside brackets; `open` is the offset of the `[`.
    fn class_item(&mut self, open: usize) -> RegexResult<ClassItem> {
        let start = self.at();
        if let Some((name, ranges)) = self.named_class() {
            self.rest = &self.rest[name.len()..];
            let mut set = ByteSet::default();
            for &(from, to) in *ranges {
                set.add_range(from, to);
            }
            return Ok(ClassItem::Class(set));
        }
        match self.next() {
            None => fail(open, "this `[` is not closed"),
            Some(b'\\') if self.take(b"b") => Ok(ClassItem::One(8)),
            Some(b'\\') => self.escape(start),
            Some(byte) => Ok(ClassItem::One(byte)),
        }
    }
}

const NOTHING_TO_REPEAT: &str = "there is nothing to repeat before this sign";

impl ClassItem {
    fn set(self) -> ByteSet {
        match self {
            ClassItem::One(byte) => ByteSet::of(&[byte]),
            ClassItem::Class(set) => set,
            ClassItem::Nothing => ByteSet::default(),
        }
    }
}

/// The classes of POSIX, which C++ adds to the grammar of ECMAScript, as ranges.
type Ranges = &'static [(u8, u8)];
static CLASSES: [(&[u8], Ranges); 15] = [
    (b"[:alnum:]", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    (b"[:alpha:]", &[(b'A', b'Z'), (b'a', b'z')]),
    (b"[:blank:]", &[(b' ', b' '), (b'\t', b'\t')]),
    (b"[:cntrl:]", &[(0, 0x1f), (0x7f, 0x7f)]),
    (b"[:digit:]", &[(b'0', b'9')]),
    (b"[:graph:]", &[(b'!', b'~')]),
    (b"[:lower:]", &[(b'a', b'z')]),
    (b"[:print:]", &[(b' ', b'~')]),
    (b"[:punct:]", &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')]),
    (b"[:space:]", &[(9, 13), (b' ', b' ')]),
    (b"[:upper:]", &[(b'A', b'Z')]),
    (b"[:xdigit:]", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
    (b"[:d:]", &[(b'0', b'9')]),
    (b"[:s:]", &[(9, 13), (b' ', b' ')]),
    (b"[:w:]", &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_expressions_pass() {
        for text in [
            "",
            "a|b",
            "(h)(e)(z)?",
            "^a$",
            "[A-Z][a-z]*",
            "=(.)",
            "(\\d{4})",
            "a{2,}b{1,3}?",
            "(?:a)(?=b)(?!c)",
            "[]",
            "[^]x]",
            "[a\\]-]",
            "[\\w.-]+",
            "(a)\\1",
            "\\x41\\u0041\\cA",
            "[[:alpha:][:digit:]]",
            "}",
            "]",
            "\\bx\\B",
            "^[^/]*/",
            "a||b",
            "()",
            "[+-=]",
            "\\.",
        ] {
            assert_eq!(parse(text.as_bytes()).map(drop), Ok(()), "{text}");
        }
    }

    #[test]
    fn malformed_expressions_are_refused_where_the_fault_is() {
        for (text, at) in [
            ("(", 0),
            ("a)", 1),
            ("[a", 0),
            ("*a", 0),
            ("a|*", 2),
            ("(+)", 1),
            ("a**", 2),
            ("^*", 1),
            ("{2}", 0),
            ("a{", 1),
            ("a{x}", 1),
            ("a{3,2}", 1),
            ("a\\", 1),
            ("[z-a]", 1),
            ("(?<=a)", 0),
            ("(a)\\2", 3),
            ("[[:alfa:]]", 1),
            ("\\xg0", 0),
            ("\\u12", 0),
            ("\\c1", 0),
            ("a{2,1}", 1),
            ("a{1,99999999999}", 1),
            ("[b-\\x61]", 1),
        ] {
            assert_eq!(parse(text.as_bytes()).map_err(|e| e.at).map(drop), Err(at), "{text}");
        }
    }

    #[test]
    fn groups_are_nested_so_deep_and_no_deeper() {
        let deep = "(".repeat(MAX_DEPTH + 1) + &")".repeat(MAX_DEPTH + 1);
        assert!(parse(deep.as_bytes()).is_err());
        assert!(parse(&deep.as_bytes()[1..deep.len() - 1]).is_ok());
    }

    #[test]
    fn groups_are_counted() {
        for (pattern, n) in [("", 1), ("(a)(?:b)(?=(c))", 3), ("((a)|b)*\\1", 3)] {
            assert_eq!(parse(pattern.as_bytes()).map(|parsed| parsed.n_groups), Ok(n), "{pattern}");
        }
    }
}
