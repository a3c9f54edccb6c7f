//! Patterns as trees: the grammar of ECMAScript without flags, with the classes of POSIX.

use std::ops::Range;

use super::ByteSet;

/// Groups may be nested this deep; reading and compiling them recurses.
const MAX_DEPTH: usize = 250;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// One byte of a set.
    Byte(ByteSet),
    /// One after the other.
    Sequence(Vec<Node>),
    /// The first that leads to a match.
    Alternatives(Vec<Node>),
    /// `(…)` of this number, from 1.
    Group(usize, Box<Node>),
    Repeat(Box<Repeat>),
    /// `^`
    Start,
    /// `$`
    End,
    /// `\b`, or `\B` where it is false.
    WordBoundary(bool),
    /// `\1`
    Reference(usize),
    /// `(?=…)`, or `(?!…)` where it is negative.
    Look {
        negative: bool,
        body: Box<Node>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) body: Node,
    pub(super) min: u32,
    /// `u32::MAX`: any number.
    pub(super) max: u32,
    pub(super) greedy: bool,
    /// The groups in the body: they are forgotten with each iteration.
    pub(super) groups: Range<usize>,
}

/// The tree of a pattern, and how many groups there are, with the whole match as the first.
pub(super) fn parse(pattern: &[u8]) -> Result<(Node, usize), String> {
    let mut parser = Parser {
        rest: pattern,
        n_groups: 1,
        depth: 0,
        greatest_reference: 0,
    };
    let tree = parser.alternatives()?;
    if !parser.rest.is_empty() {
        return Err("a `)` closes nothing".to_owned());
    }
    if parser.greatest_reference >= parser.n_groups {
        let number = parser.greatest_reference;
        return Err(format!("there is no group {number}"));
    }
    Ok((tree, parser.n_groups))
}

struct Parser<'p> {
    rest: &'p [u8],
    n_groups: usize,
    depth: usize,
    greatest_reference: usize,
}

/// What stands in brackets, or a byte or class outside of them.
enum Item {
    One(u8),
    Class(ByteSet),
    /// A character that is no byte.
    Nothing,
}

impl Parser<'_> {
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

    fn alternatives(&mut self) -> Result<Node, String> {
        let mut alternatives = vec![self.sequence()?];
        while self.take(b"|") {
            alternatives.push(self.sequence()?);
        }
        match alternatives.len() {
            1 => Ok(alternatives.remove(0)),
            _ => Ok(Node::Alternatives(alternatives)),
        }
    }

    fn sequence(&mut self) -> Result<Node, String> {
        let mut items = Vec::new();
        while !matches!(self.rest.first(), None | Some(b'|' | b')')) {
            let first_group = self.n_groups;
            let (atom, repeatable) = self.atom()?;
            match self.quantifier()? {
                None => items.push(atom),
                Some(_) if !repeatable => return Err(NOTHING_TO_REPEAT.to_owned()),
                Some((min, max)) => items.push(Node::Repeat(Box::new(Repeat {
                    body: atom,
                    min,
                    max,
                    greedy: !self.take(b"?"),
                    groups: first_group..self.n_groups,
                }))),
            }
        }
        Ok(Node::Sequence(items))
    }

    /// An atom or assertion, and whether it can be repeated.
    fn atom(&mut self) -> Result<(Node, bool), String> {
        let Some(first) = self.next() else {
            return Ok((Node::Sequence(Vec::new()), false));
        };
        let node = match first {
            b'^' => return Ok((Node::Start, false)),
            b'$' => return Ok((Node::End, false)),
            b'(' => self.group()?,
            b'[' => Node::Byte(self.class()?),
            b'.' => Node::Byte(ByteSet::of(b"\n\r").complement()),
            b'*' | b'+' | b'?' | b'{' => return Err(NOTHING_TO_REPEAT.to_owned()),
            b'\\' => match self.rest.first() {
                Some(&letter @ (b'b' | b'B')) => {
                    self.next();
                    return Ok((Node::WordBoundary(letter == b'b'), false));
                }
                Some(b'1'..=b'9') => Node::Reference(self.reference()),
                _ => Node::Byte(self.escape()?.set()),
            },
            byte => Node::Byte(ByteSet::of(&[byte])),
        };
        Ok((node, true))
    }

    fn group(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("groups are nested too deeply".to_owned());
        }
        let node = if self.take(b"?:") {
            self.alternatives()?
        } else if self.rest.starts_with(b"?=") || self.rest.starts_with(b"?!") {
            let negative = self.rest[1] == b'!';
            self.rest = &self.rest[2..];
            let body = Box::new(self.alternatives()?);
            Node::Look { negative, body }
        } else if self.rest.starts_with(b"?") {
            return Err("`(?` must be followed by `:`, `=` or `!`".to_owned());
        } else {
            let number = self.n_groups;
            self.n_groups += 1;
            Node::Group(number, Box::new(self.alternatives()?))
        };
        if !self.take(b")") {
            return Err("a `(` is not closed".to_owned());
        }
        self.depth -= 1;
        Ok(node)
    }

    /// The numbers of a quantifier, if one follows.
    fn quantifier(&mut self) -> Result<Option<(u32, u32)>, String> {
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
                self.next();
                let malformed = || "expected `{n}`, `{n,}` or `{n,m}`".to_owned();
                let min = self.number().ok_or_else(malformed)?;
                let max = match self.take(b",") {
                    false => min,
                    true => self.number().unwrap_or(u32::MAX),
                };
                if !self.take(b"}") || min > max {
                    return Err(malformed());
                }
                (min, max)
            }
            _ => return Ok(None),
        }))
    }

    /// Digits, if some follow; what is too large is as good as the largest number.
    fn number(&mut self) -> Option<u32> {
        let mut value = None;
        while let Some(digit @ b'0'..=b'9') = self.rest.first() {
            let digit = u32::from(digit - b'0');
            let all: u32 = value.unwrap_or(0);
            value = Some(all.saturating_mul(10).saturating_add(digit));
            self.next();
        }
        value
    }

    fn reference(&mut self) -> usize {
        let number = self.number().unwrap_or_default() as usize;
        self.greatest_reference = self.greatest_reference.max(number);
        number
    }

    /// What follows a backslash: a byte or a class.
    fn escape(&mut self) -> Result<Item, String> {
        let Some(byte) = self.next() else {
            return Err("nothing follows the last backslash".to_owned());
        };
        Ok(match byte {
            b'd' => Item::Class(ByteSet::digits()),
            b'D' => Item::Class(ByteSet::digits().complement()),
            b'w' => Item::Class(ByteSet::word()),
            b'W' => Item::Class(ByteSet::word().complement()),
            b's' => Item::Class(ByteSet::space()),
            b'S' => Item::Class(ByteSet::space().complement()),
            b't' => Item::One(b'\t'),
            b'n' => Item::One(b'\n'),
            b'v' => Item::One(0x0b),
            b'f' => Item::One(0x0c),
            b'r' => Item::One(b'\r'),
            b'0' => Item::One(0),
            b'c' => match self.next() {
                Some(letter) if letter.is_ascii_alphabetic() => Item::One(letter & 0x1f),
                _ => return Err("expected a letter behind `\\c`".to_owned()),
            },
            b'x' => self.hexadecimal(2)?,
            b'u' => self.hexadecimal(4)?,
            byte => Item::One(byte),
        })
    }

    fn hexadecimal(&mut self, n_digits: usize) -> Result<Item, String> {
        let digits = self.rest.get(..n_digits).unwrap_or_default();
        let value = std::str::from_utf8(digits)
            .ok()
            .filter(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|text| u32::from_str_radix(text, 16).ok())
            .ok_or("expected hexadecimal digits behind this escape")?;
        self.rest = &self.rest[n_digits..];
        Ok(u8::try_from(value).map_or(Item::Nothing, Item::One))
    }

    /// `[…]`, whose first bracket has been read.
    fn class(&mut self) -> Result<ByteSet, String> {
        let negative = self.take(b"^");
        let mut set = ByteSet::default();
        loop {
            if self.take(b"]") {
                return Ok(match negative {
                    true => set.complement(),
                    false => set,
                });
            }
            let from = self.class_item()?;
            let is_range = self.rest.first() == Some(&b'-')
                && self.rest.get(1).is_some_and(|&next| next != b']');
            if !is_range {
                set.add(from.set());
                continue;
            }
            self.next();
            match (from, self.class_item()?) {
                (Item::One(from), Item::One(to)) if from > to => {
                    return Err("a range is reversed".to_owned());
                }
                (Item::One(from), Item::One(to)) => set.add_range(from, to),
                (Item::One(from), Item::Nothing) => set.add_range(from, u8::MAX),
                // beside a class, the dash is a character
                (from, to) => {
                    set.add(from.set());
                    set.add(ByteSet::of(b"-"));
                    set.add(to.set());
                }
            }
        }
    }

    fn class_item(&mut self) -> Result<Item, String> {
        if self.rest.starts_with(b"[:") {
            let named = CLASSES.iter().find(|(name, _)| self.rest.starts_with(name));
            if let Some((name, ranges)) = named {
                self.rest = &self.rest[name.len()..];
                let mut set = ByteSet::default();
                for &(from, to) in *ranges {
                    set.add_range(from, to);
                }
                return Ok(Item::Class(set));
            }
        }
        match self.next() {
            None => Err("a `[` is not closed".to_owned()),
            Some(b'\\') if self.take(b"b") => Ok(Item::One(8)),
            Some(b'\\') => self.escape(),
            Some(byte) => Ok(Item::One(byte)),
        }
    }
}

const NOTHING_TO_REPEAT: &str = "there is nothing to repeat before a `*`, `+`, `?` or `{`";

impl Item {
    fn set(self) -> ByteSet {
        match self {
            Item::One(byte) => ByteSet::of(&[byte]),
            Item::Class(set) => set,
            Item::Nothing => ByteSet::default(),
        }
    }
}

/// The classes of POSIX, which C++ adds to the grammar of ECMAScript, as ranges.
type Ranges = &'static [(u8, u8)];
const CLASSES: [(&[u8], Ranges); 15] = [
    (b"[:alnum:]", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    (b"[:alpha:]", &[(b'A', b'Z'), (b'a', b'z')]),
    (b"[:blank:]", &[(b' ', b' '), (b'\t', b'\t')]),
    (b"[:cntrl:]", &[(0, 0x1f), (0x7f, 0x7f)]),
    (b"[:digit:]", &[(b'0', b'9')]),
    (b"[:graph:]", &[(b'!', b'~')]),
    (b"[:lower:]", &[(b'a', b'z')]),
    (b"[:print:]", &[(b' ', b'~')]),
    (
        b"[:punct:]",
        &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
    ),
    (b"[:space:]", &[(9, 13), (b' ', b' ')]),
    (b"[:upper:]", &[(b'A', b'Z')]),
    (b"[:xdigit:]", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
    (b"[:d:]", &[(b'0', b'9')]),
    (b"[:s:]", &[(9, 13), (b' ', b' ')]),
    (
        b"[:w:]",
        &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_patterns_are_refused() {
        for pattern in [
            "(", ")", "a)", "[a", "*", "a|*", "a**", "^*", "{2}", "a{", "a{x}", "a{2,1}", "a\\",
            "[z-a]", "(?<n>a)", "(a)\\2", "\\xg0", "\\u12", "\\c1",
        ] {
            assert!(parse(pattern.as_bytes()).is_err(), "{pattern}");
        }
        let deep = "(".repeat(MAX_DEPTH + 1) + &")".repeat(MAX_DEPTH + 1);
        assert!(parse(deep.as_bytes()).is_err());
        assert!(parse(&deep.as_bytes()[1..deep.len() - 1]).is_ok());
    }

    #[test]
    fn groups_are_counted() {
        for (pattern, n) in [("", 1), ("(a)(?:b)(?=(c))", 3), ("((a)|b)*\\1", 3)] {
            assert_eq!(
                parse(pattern.as_bytes()).map(|(_, n)| n),
                Ok(n),
                "{pattern}"
            );
        }
    }
}
