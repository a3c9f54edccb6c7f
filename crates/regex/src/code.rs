//! Compiles trees of patterns to instructions for a backtracking machine.

use crate::byte_set::ByteSet;
use crate::parse::{GroupNames, RegexNode, Repeat};

/// An instruction; its operands of type `usize` are indices of instructions, groups or loops.
#[derive(Debug, Clone)]
pub(super) enum Op {
    /// The literal bytes must come next.
    Literal(Box<[u8]>),
    /// A byte of the set must come next.
    Byte(Box<ByteSet>),
    /// Goes on with the next instruction and, if that leads nowhere, with `other`.
    Split {
        other: usize,
    },
    Jump(usize),
    /// A group begins.
    Open(usize),
    /// A group ends.
    Close(usize),
    /// Takes between `min` and `max` bytes of a set.
    Run {
        set: Box<ByteSet>,
        min: u32,
        max: u32,
        greedy: bool,
    },
    /// Starts a loop: sets its counter to zero.
    Enter(usize),
    /// Begins an iteration of the loop or leaves the loop; the body follows.
    Iterate {
        counter: usize,
        exit: usize,
    },
    /// Ends an iteration of the loop whose [`Op::Iterate`] has this index.
    Again(usize),
    Start,
    End,
    WordBoundary(bool),
    Reference(usize),
    /// A lookahead: searches from the next instruction, then goes on at `behind`.
    Look {
        negative: bool,
        behind: usize,
    },
    /// The end of the pattern, or of a lookahead.
    Match,
}

/// A loop with a body that is longer than a byte.
#[derive(Debug, Clone)]
pub(super) struct Loop {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) greedy: bool,
    pub(super) first_group: usize,
    pub(super) last_group: usize,
}

/// A compiled pattern.
#[derive(Debug, Clone, Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    pub(super) loops: Vec<Loop>,
    pub(super) n_groups: usize,
    pub(super) names: GroupNames,
    /// Whether a match can begin only at the start of the text.
    pub(super) anchored: bool,
    /// Bytes that every match begins with.
    pub(super) prefix: Box<[u8]>,
    /// Set of bytes with which a match can begin, if it is known.
    pub(super) first: Option<Box<ByteSet>>,
}

impl Code {
    pub(super) fn new(tree: &RegexNode, n_groups: usize) -> Code {
        let mut code = Code { n_groups, ..Code::default() };
        code.node(tree);
        code.ops.push(Op::Match);
        code.anchored = matches!(code.ops[0], Op::Start);
        let inner = code.ops.iter().find(|op| !matches!(op, Op::Open(_)));
        match inner {
            Some(Op::Literal(bytes)) => code.prefix = bytes.clone(),
            _ => code.first = first(tree).map(Box::new),
        }
        code
    }

    fn node(&mut self, node: &RegexNode) {
        match node {
            RegexNode::Byte(set) => match (set.single(), self.ops.last_mut()) {
                (Some(byte), _) => self.ops.push(Op::Literal([byte].into())),
                (None, _) => self.ops.push(Op::Byte(Box::new(*set))),
            },
            RegexNode::Sequence(nodes) => self.sequence(nodes),
            RegexNode::Alternatives(nodes) => self.alternatives(nodes),
            RegexNode::Group(number, body) => {
                self.ops.push(Op::Open(*number));
                self.node(body);
                self.ops.push(Op::Close(*number));
            }
            RegexNode::Repeat(repeat) => self.repeat(repeat),
            RegexNode::Start => self.ops.push(Op::Start),
            RegexNode::End => self.ops.push(Op::End),
            RegexNode::WordBoundary(is) => self.ops.push(Op::WordBoundary(*is)),
            RegexNode::Reference(number) => self.ops.push(Op::Reference(*number)),
            RegexNode::Look { negative, body } => {
                let look = self.ops.len();
                self.ops.push(Op::Match);
                self.node(body);
                self.ops.push(Op::Match);
                self.ops[look] = Op::Look { negative: *negative, behind: self.ops.len() };
            }
        }
    }

    /// Compiles nodes in a row; consecutive single bytes become one literal.
    fn sequence(&mut self, nodes: &[RegexNode]) {
        let single = |node: &RegexNode| match node {
            RegexNode::Byte(set) => set.single(),
            _ => None,
        };
        let mut rest = nodes;
        while let [first, tail @ ..] = rest {
            let literal: Vec<u8> = rest.iter().map_while(single).collect();
            if literal.is_empty() {
                self.node(first);
                rest = tail;
            } else {
                rest = &rest[literal.len()..];
                self.ops.push(Op::Literal(literal.into()));
            }
        }
    }

    fn alternatives(&mut self, nodes: &[RegexNode]) {
        let mut jumps = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            if i + 1 == nodes.len() {
                self.node(node);
                break;
            }
            let split = self.ops.len();
            self.ops.push(Op::Match);
            self.node(node);
            jumps.push(self.ops.len());
            self.ops.push(Op::Match);
            self.ops[split] = Op::Split { other: self.ops.len() };
        }
        let end = self.ops.len();
        for jump in jumps {
            self.ops[jump] = Op::Jump(end);
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        if let RegexNode::Byte(set) = &repeat.body {
            self.ops.push(Op::Run {
                set: Box::new(*set),
                min: repeat.min,
                max: repeat.max,
                greedy: repeat.greedy,
            });
            return;
        }
        let counter = self.loops.len();
        self.loops.push(Loop {
            min: repeat.min,
            max: repeat.max,
            greedy: repeat.greedy,
            first_group: repeat.groups.start,
            last_group: repeat.groups.end,
        });
        self.ops.push(Op::Enter(counter));
        let iterate = self.ops.len();
        self.ops.push(Op::Match);
        self.node(&repeat.body);
        self.ops.push(Op::Again(iterate));
        self.ops[iterate] = Op::Iterate { counter, exit: self.ops.len() };
    }
}

/// Returns the bytes that a match of the node can begin with; `None` if the match can be empty, or
/// if nothing is known.
fn first(node: &RegexNode) -> Option<ByteSet> {
    match node {
        RegexNode::Byte(set) => Some(*set),
        RegexNode::Group(_, body) => first(body),
        RegexNode::Sequence(nodes) => {
            let is_assertion = |node: &&RegexNode| {
                matches!(
                    node,
                    RegexNode::WordBoundary(_) | RegexNode::Look { .. } | RegexNode::Start
                )
            };
            nodes.iter().find(|node| !is_assertion(node)).and_then(first)
        }
        RegexNode::Alternatives(nodes) => {
            let mut all = ByteSet::default();
            for node in nodes {
                all.add(first(node)?);
            }
            Some(all)
        }
        RegexNode::Repeat(repeat) if repeat.min > 0 => first(&repeat.body),
        _ => None,
    }
}
