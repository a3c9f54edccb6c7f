//! Side effects of filters, and the state on which their values depend.
//!
//! An evaluation may be left out, repeated or moved unnoticed only if it has no effect and depends
//! on nothing that changes in between. [`Analysis`] determines that for every node of a program, on
//! the safe side: it may report an effect that never happens.

mod nodes;

use std::ops::{BitOr, BitOrAssign};

use syntax::tree::{CommentLevel, VariableId, VariableKind};

use crate::program::*;

/// A set of yes-or-no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags(u16);

impl Flags {
    /// Makes comments, which the enclosing filter may drop again.
    pub(crate) const COMMENTS: Flags = Flags(1 << 0);
    /// Has effects that cannot be dropped: entries, sort values, messages, tags, files, bans.
    pub(crate) const ACTS: Flags = Flags(1 << 1);
    /// Depends on state other than variables that an effect may change: dictionaries, groups of the
    /// last regular expression, the last path that matched, bans.
    pub(crate) const STATE: Flags = Flags(1 << 2);
    /// Depends on the start of the enclosing path, or on the number of its moves.
    pub(crate) const PROGRESS: Flags = Flags(1 << 3);
    /// Depends on what the enclosing path has found so far.
    pub(crate) const BEST: Flags = Flags(1 << 4);
    /// Depends on the operands of the enclosing dash.
    pub(crate) const SCOPED: Flags = Flags(1 << 5);
    /// Contains a `move` filter, to which a `line` may show only one child.
    pub(crate) const LINEARIZED: Flags = Flags(1 << 6);
    /// May find that a variable it reads is not bound, which is an evaluation error.
    pub(crate) const UNBOUND: Flags = Flags(1 << 8);
    /// May find that the variable of a loop is bound already, which is an evaluation error.
    pub(crate) const REBOUND: Flags = Flags(1 << 9);
    /// May end the game with an evaluation error.
    pub(crate) const FAULTS: Flags = Flags(1 << 7 | 1 << 8 | 1 << 9);
    /// May end the game with an evaluation error even if all variables are bound.
    pub(crate) const OTHER_FAULTS: Flags = Flags(1 << 7 | 1 << 9);
    /// May end the game with an evaluation error that does not come from a variable.
    pub(crate) const HARD_FAULTS: Flags = Flags(1 << 7);

    /// No flags.
    pub(crate) const NONE: Flags = Flags(0);

    /// Whether one of `others` is in the set.
    pub(crate) const fn has(self, others: Flags) -> bool {
        self.0 & others.0 != 0
    }

    const fn with(self, others: Flags) -> Flags {
        Flags(self.0 | others.0)
    }

    const fn without(self, others: Flags) -> Flags {
        Flags(self.0 & !others.0)
    }

    const fn when(self, condition: bool) -> Flags {
        if condition { self } else { Flags::NONE }
    }
}

impl BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        *self = *self | other;
    }
}

/// Effects of evaluating a node, and the variables it depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Kinds of effects and dependencies.
    pub(crate) flags: Flags,
    /// Variables of the context that the node reads, in ascending order.
    pub(crate) reads: Vec<u32>,
    /// Variables of the context that the node changes, in ascending order.
    pub(crate) writes: Vec<u32>,
    /// Variables of the loops over squares inside the node, in ascending order.
    pub(crate) loops: Vec<u32>,
}

impl Effects {
    /// Whether the node has no effect except comments.
    pub(crate) fn is_pure(&self) -> bool {
        self.writes.is_empty() && !self.flags.has(Flags::ACTS)
    }

    /// Whether the node has the same value whenever it is evaluated at the same position of a game.
    pub(crate) fn is_fixed(&self) -> bool {
        let changing = Flags::STATE | Flags::PROGRESS | Flags::BEST | Flags::LINEARIZED;
        self.reads.is_empty() && !self.flags.has(changing)
    }

    /// The variables whose values, with the position of the game, determine the value; `None` if
    /// something else does as well, or if one of them is a text, which may take much memory.
    pub(crate) fn key(&self, program: &Program) -> Option<Box<[VariableId]>> {
        let changing = Flags::STATE | Flags::PROGRESS | Flags::BEST | Flags::LINEARIZED;
        let is_text = |v: &VariableId| program.variables[v.0 as usize].kind == VariableKind::String;
        let variables: Box<[VariableId]> = self.reads.iter().map(|&v| VariableId(v)).collect();
        (!self.flags.has(changing) && !variables.iter().any(is_text)).then_some(variables)
    }

    fn add(&mut self, other: &Effects) {
        self.flags |= other.flags;
        merge(&mut self.reads, &other.reads);
        merge(&mut self.writes, &other.writes);
        merge(&mut self.loops, &other.loops);
    }

    fn flag(&mut self, flags: Flags) {
        self.flags |= flags;
    }

    fn reads(&mut self, variable: VariableId) {
        merge(&mut self.reads, &[variable.0]);
    }

    fn writes(&mut self, variable: VariableId) {
        merge(&mut self.writes, &[variable.0]);
    }

    /// Removes a variable that is bound on entry, so that only the inside sees it.
    fn binds(&mut self, variable: VariableId) {
        self.reads.retain(|&v| v != variable.0);
        self.writes.retain(|&v| v != variable.0);
    }

    fn loops_over(&mut self, variable: VariableId) {
        self.binds(variable);
        merge(&mut self.loops, &[variable.0]);
    }

    fn without(mut self, flags: Flags) -> Effects {
        self.flags = self.flags.without(flags);
        self
    }
}

fn merge(to: &mut Vec<u32>, from: &[u32]) {
    for &variable in from {
        if let Err(place) = to.binary_search(&variable) {
            to.insert(place, variable);
        }
    }
}

/// The analysis of a program; every node is analyzed once.
pub(crate) struct Analysis<'p> {
    program: &'p Program,
    bools: Vec<Option<Effects>>,
    sets: Vec<Option<Effects>>,
    nums: Vec<Option<Effects>>,
    texts: Vec<Option<Effects>>,
    positions: Vec<Option<Effects>>,
    dashes: Vec<Option<Effects>>,
    paths: Vec<Option<Effects>>,
    /// Whether a filter reads the last path that has matched.
    status_is_read: bool,
    /// Whether a filter reads groups of the last regular expression.
    groups_are_read: bool,
}

macro_rules! lookups {
    ($($function:ident $arena:ident $id:ident $compute:ident,)*) => {
        $(
            #[doc = concat!("The effects of a node of the arena `", stringify!($arena), "`.")]
            pub(crate) fn $function(&mut self, id: $id) -> Effects {
                let index = id.0 as usize;
                if let Some(effects) = &self.$arena[index] {
                    return effects.clone();
                }
                let program = self.program;
                let effects = self.$compute(&program.$arena[index]);
                self.$arena[index] = Some(effects.clone());
                effects
            }
        )*
    };
}

impl<'p> Analysis<'p> {
    /// Starts the analysis of a program.
    pub(crate) fn new(program: &'p Program) -> Analysis<'p> {
        let status_is_read = program.nums.iter().any(|filter| {
            matches!(
                filter,
                NumFilter::PathCount { inside: false }
                    | NumFilter::PathCountUnfocused { inside: false }
            )
        }) || program.positions.iter().any(|filter| {
            matches!(
                filter,
                PosFilter::PathStart { inside: false }
                    | PosFilter::PathLastPosition { inside: false }
            )
        });
        let groups_are_read = (program.nums.iter())
            .any(|filter| matches!(filter, NumFilter::GroupIndex(..)))
            || (program.texts.iter()).any(|filter| matches!(filter, TextFilter::Group(..)));
        Analysis {
            program,
            bools: vec![None; program.bools.len()],
            sets: vec![None; program.sets.len()],
            nums: vec![None; program.nums.len()],
            texts: vec![None; program.texts.len()],
            positions: vec![None; program.positions.len()],
            dashes: vec![None; program.dashes.len()],
            paths: vec![None; program.paths.len()],
            status_is_read,
            groups_are_read,
        }
    }

    /// Starts the analysis of a program as if some of its sets were empty.
    pub(crate) fn without(program: &'p Program, sets: &[SetId]) -> Analysis<'p> {
        let mut analysis = Analysis::new(program);
        sets.iter().for_each(|set| analysis.sets[set.0 as usize] = Some(Effects::default()));
        analysis
    }

    /// Starts the analysis of a program as if some of its conditions were constant.
    pub(crate) fn without_bools(program: &'p Program, bools: &[BoolId]) -> Analysis<'p> {
        let mut analysis = Analysis::new(program);
        bools.iter().for_each(|id| analysis.bools[id.0 as usize] = Some(Effects::default()));
        analysis
    }

    /// The variables that the query or one of the values of a table reads.
    pub(crate) fn reads_of_all(&mut self) -> Vec<u32> {
        let mut reads = self.bool(self.program.root).reads;
        for value in &self.program.values {
            reads.extend(self.value(value.value).reads);
        }
        reads
    }

    /// The program that is analyzed.
    pub(crate) fn program(&self) -> &'p Program {
        self.program
    }

    lookups! {
        bool bools BoolId bool_filter,
        set sets SetId set_filter,
        num nums NumId num_filter,
        text texts TextId text_filter,
        pos positions PosId pos_filter,
        dash dashes DashId dash_filter,
        path paths PathId path_filter,
    }

    /// Effects of matching the constituents and the `max` of a path, as the path itself sees them.
    pub(crate) fn inside_path(&mut self, path: &Path) -> Effects {
        let mut effects = self.pattern(&path.automaton);
        if let Some(max) = path.max {
            effects.add(&self.num(max));
        }
        effects.without(Flags::SCOPED | Flags::LINEARIZED)
    }

    /// Effects of matching the constituents of a line, as the line itself sees them.
    pub(crate) fn inside_line(&mut self, line: &LineFilter) -> Effects {
        self.pattern(&line.automaton).without(Flags::SCOPED | Flags::LINEARIZED)
    }

    /// Flags of a comment that the query asks for.
    fn commenting(&self) -> Flags {
        let settings = &self.program.settings;
        match settings.level {
            CommentLevel::Silent => Flags::NONE,
            _ if settings.writing.always_comment => Flags::ACTS,
            _ => Flags::COMMENTS,
        }
    }

    /// Flags of a comment that a filter makes without being asked.
    fn annotating(&self, quiet: bool) -> Flags {
        let normal = self.program.settings.level == CommentLevel::Normal;
        self.commenting().when(normal && !quiet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{CompileOptions, compile};
    use syntax::parse::Source;

    /// The effects of the outer path of a query, and those of its inside.
    fn effects(header: &str, body: &str) -> (Effects, Effects) {
        let text = format!("cql({header}) {body}");
        let source = Source { name: "test.cql", text: text.as_bytes() };
        let compiled = compile(&source, &[], &CompileOptions::default());
        let Some(program) = compiled.program else {
            panic!("{text}: {:?}", compiled.diagnostics);
        };
        let mut analysis = Analysis::new(&program);
        let last = program.paths.len() - 1;
        let inside = analysis.inside_path(&program.paths[last]);
        (analysis.path(PathId(last as u32)), inside)
    }

    #[test]
    fn the_inside_of_paths() {
        use Flags as F;
        let all = F::COMMENTS | F::ACTS | F::STATE | F::PROGRESS | F::BEST;
        let check = |body: &str, want: Flags, reads: usize, writes: usize| {
            let (_, inside) = effects("quiet", body);
            let got = Flags(inside.flags.0 & all.0);
            assert_eq!(got, want, "{body}");
            let counts = (inside.reads.len(), inside.writes.len());
            assert_eq!(counts, (reads, writes), "{body}");
            let pure = !want.has(F::ACTS) && writes == 0;
            assert_eq!(inside.is_pure(), pure, "{body}");
            let fixed = reads == 0 && !want.has(F::STATE | F::PROGRESS | F::BEST);
            assert_eq!(inside.is_fixed(), fixed, "{body}");
        };
        check("path K-- check {#(A->k) > 1}", F::NONE, 0, 0);
        check("path -- comment(\"x\" pathcount)", F::COMMENTS, 0, 0);
        check("path -- {pathcount > 1}", F::PROGRESS, 0, 0);
        check("path -- {pathstart:check}", F::PROGRESS, 0, 0);
        check("path -- {pathlastposition:check or true}", F::BEST, 0, 0);
        check("path max pathcount --", F::PROGRESS, 0, 0);
        check("x=1 path -- {x>ply}", F::NONE, 1, 0);
        check("x=1 path -- {x+=1}", F::NONE, 1, 1);
        check("path -- {y=1}", F::NONE, 0, 1);
        check("path -- {message(\"x\") wtm}", F::ACTS, 0, 0);
        check("path -- {wtm sort \"s\" ply}", F::ACTS, 0, 0);
        // only what is inside sees a loop variable or an argument
        check("path -- {square x in K {x attacks k}}", F::NONE, 0, 0);
        check("function Hits(X){X attacks k} path -- {Hits(Q)}", F::NONE, 0, 0);
        // an inner path keeps its progress to itself
        check("path -- {path -- {pathcount>0} --}", F::NONE, 0, 0);
        check("path -- {path nestban -- --}", F::ACTS | F::STATE, 0, 0);
        // but other filters can ask whether it has matched
        check("path -- {path -- --}\n\npathcount>1", F::ACTS, 0, 0);
    }

    #[test]
    fn paths_annotate_according_to_the_level() {
        for (header, body, comments, acts) in [
            ("", "path --", true, false),
            ("", "path quiet --", false, false),
            ("quiet", "path --", false, false),
            ("quiet", "path title \"t\" --", true, false),
            ("silent", "path title \"t\" -- comment(\"x\")", false, false),
            ("", "path quiet -- {find check}", true, false),
            ("", "path quiet -- {find quiet check}", false, false),
        ] {
            let (outside, _) = effects(header, body);
            let got = (outside.flags.has(Flags::COMMENTS), outside.flags.has(Flags::ACTS));
            assert_eq!(got, (comments, acts), "cql({header}) {body}");
        }
    }
}
