//! Answers questions that callers ask about a program.

use std::sync::Arc;

use syntax::Span;
use syntax::builtin::{PositionText, Reads};
use syntax::tree::{EngineQuestion, SortVariable, Type};

use super::plan::UnscreenedReason;
use super::{
    BoolFilter, BoolId, Flow, NumFilter, NumId, PathId, Program, SetFilter, Settings, TextFilter,
    Value,
};
use crate::automaton::PatternNode;
use crate::similar::SimilarIndex;

/// Ways in which the games that a program is evaluated on may be divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Divisibility {
    /// Freely: the results of parts, joined in order, are the results of the whole.
    PerGame,
    /// Freely, but the results of parts must be merged by the sort keys.
    Mergeable(Cause),
    /// Not at all: the games must be evaluated one after the other.
    Sequential(Cause),
}

/// Reason why a program has its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// The reason as a part of a sentence: lower case, no full stop.
    pub what: &'static str,
    /// Span of the reason, if it is one word of the query.
    pub span: Option<Span>,
}

/// Type of a value that is evaluated at matching positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// Whether a filter matches.
    Boolean,
    /// A number.
    Number,
    /// Text, in bytes.
    Text,
    /// A set of squares.
    Squares,
    /// A position.
    Position,
}

impl Program {
    /// Settings of the run, from header and options.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The conditions that must all hold if this one does, in the order in which they are
    /// evaluated.
    pub(crate) fn conjuncts<'a>(&'a self, condition: &'a BoolId) -> &'a [BoolId] {
        match &self.bools[condition.0 as usize] {
            BoolFilter::All(items) => items,
            _ => std::slice::from_ref(condition),
        }
    }

    /// Whether the query looks for a move from the positions that match: it has a `path` or a dash
    /// among its conditions.
    pub fn looks_for_moves(&self) -> bool {
        self.is_about_next_move(self.root)
    }

    fn is_about_next_move(&self, condition: BoolId) -> bool {
        let is_it = |item: &BoolId| self.is_about_next_move(*item);
        match &self.bools[condition.0 as usize] {
            BoolFilter::All(items) => {
                let is_before = |item: &BoolId| {
                    matches!(self.bools[item.0 as usize], BoolFilter::CurrentMove(_))
                };
                items.iter().any(is_it) && !items.iter().any(is_before)
            }
            BoolFilter::Any(items) | BoolFilter::Orbit(items) => items.iter().all(is_it),
            BoolFilter::ConsumeDash(_) => true,
            BoolFilter::Path(path) => self.has_moves(*path),
            BoolFilter::HasNumber(number) | BoolFilter::CompareNumbers(_, number, _) => {
                self.is_of_path(*number)
            }
            _ => false,
        }
    }

    fn is_of_path(&self, number: NumId) -> bool {
        match &self.nums[number.0 as usize] {
            NumFilter::Path(path) => self.has_moves(*path),
            NumFilter::Flow(Flow::Sort(_, sort)) => self.is_of_path(sort.body),
            _ => false,
        }
    }

    fn has_moves(&self, path: PathId) -> bool {
        let nodes = self.paths[path.0 as usize].automaton.nodes();
        nodes.iter().any(|node| matches!(node, PatternNode::Move(_)))
    }

    /// The numbers of the games that are searched: the first one, and the last one if there is a
    /// limit.
    pub fn game_numbers(&self) -> (u64, Option<u64>) {
        let number = |n| u64::try_from(n).unwrap_or(0);
        match self.settings.gamenumber {
            Some((first, last)) => (number(first).max(1), Some(number(last))),
            None => (1, None),
        }
    }

    /// Whether the game of this number is searched.
    pub fn searches_game(&self, number: u64) -> bool {
        let (first, last) = self.game_numbers();
        number >= first && last.is_none_or(|last| number <= last)
    }

    /// Returns how the games may be divided among separate runs.
    pub fn class(&self) -> Divisibility {
        if let Some(what) = self.sequential_reason() {
            let span = self.shared;
            return Divisibility::Sequential(Cause { what, span });
        }
        if self.sort_directions().is_empty() {
            Divisibility::PerGame
        } else {
            Divisibility::Mergeable(Cause { what: "the query sorts the games", span: self.sorted })
        }
    }

    /// Reason why the games must be evaluated one after the other, if they must.
    pub fn sequential_reason(&self) -> Option<&'static str> {
        if self.variables.iter().any(|v| v.persistent.is_some()) {
            return Some("the query has a persistent variable");
        }
        if self.dictionaries.iter().any(|d| !d.local) {
            return Some("the query has a persistent dictionary");
        }
        self.uses_files.then_some("the query reads or writes files")
    }

    /// Reason why games without a match must be evaluated, too, if they must.
    pub fn needs_every_game(&self) -> Option<UnscreenedReason> {
        let wants_none = self.settings.matchcount.is_some_and(|(least, _)| least <= 0);
        match self.sequential_reason() {
            Some(_) => Some(UnscreenedReason::Sequential),
            None => wants_none.then_some(UnscreenedReason::MatchCount),
        }
    }

    /// Names of the external programs that `commandpipe` uses, each once.
    pub fn asked_programs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = (self.texts.iter())
            .filter_map(|filter| match filter {
                TextFilter::CommandPipe(name, ..) => Some(&**name),
                _ => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The questions to an engine.
    pub fn engine_questions(&self) -> impl Iterator<Item = EngineQuestion> {
        let texts = self.texts.iter().filter_map(|filter| match filter {
            TextFilter::Engine(question, _) => Some(*question),
            _ => None,
        });
        let sets = self.sets.iter().filter_map(|filter| match filter {
            SetFilter::Engine(question, _) => Some(*question),
            _ => None,
        });
        let numbers = self.nums.iter().filter_map(|filter| match filter {
            NumFilter::Engine(question, _) => Some(*question),
            _ => None,
        });
        texts.chain(sets).chain(numbers)
    }

    /// Whether an engine is used.
    pub fn asks_engine(&self) -> bool {
        self.engine_questions().next().is_some()
    }

    /// The first word that reads tablebases.
    pub fn tablebase_span(&self) -> Option<Span> {
        let spans = self.nums.iter().filter_map(|filter| match filter {
            NumFilter::Tablebase(_, span) => Some(*span),
            _ => None,
        });
        spans.min()
    }

    /// The name of the PGN file that the query needs before it can run (`similarposition`).
    pub fn required_file(&self) -> Option<String> {
        let (name, _) = self.similar_file.as_ref()?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Stores the contents of the [`required_file`](Program::required_file), once and for all.
    pub fn provide_file(&self, pgn: &[u8]) {
        self.similar.get_or_init(|| Arc::new(SimilarIndex::new(pgn)));
    }

    /// Whether a filter reads the number of games of the input, which the evaluator must then know.
    pub fn needs_last_game_number(&self) -> bool {
        self.nums.iter().any(
            |number| matches!(number, NumFilter::Source(word) if word.row().reads == Reads::Run),
        )
    }

    /// The direction of each sort key, `true` for ascending; empty if games keep their order.
    pub fn sort_directions(&self) -> Vec<bool> {
        self.sort_keys(|sort| sort.ascending, false)
    }

    /// The label of each sort key.
    pub fn sort_labels(&self) -> Vec<String> {
        let label = |sort: &SortVariable| String::from_utf8_lossy(&sort.label).into_owned();
        self.sort_keys(label, "matchcount".to_owned())
    }

    /// The type of each sort key: numbers or text.
    pub fn sort_types(&self) -> Vec<ValueType> {
        let value_type = |sort: &SortVariable| match sort.ty {
            Type::String => ValueType::Text,
            _ => ValueType::Number,
        };
        self.sort_keys(value_type, ValueType::Number)
    }

    /// A property of each sort key, the most important first; `of_matchcount` is the property of
    /// the number of matching positions.
    pub fn sort_keys<T>(&self, of: impl Fn(&SortVariable) -> T, of_matchcount: T) -> Vec<T> {
        let mut keys: Vec<T> = self.sorts.iter().map(of).collect();
        if let Some(place) = self.place_of_matchcount() {
            keys.insert(place, of_matchcount);
        }
        keys
    }

    /// Names and types of the expressions of
    /// [`CompileOptions::values`](crate::CompileOptions::values).
    pub fn values(&self) -> Vec<(&str, ValueType)> {
        let type_of = |value: &Value| match value {
            Value::Bool(_) => ValueType::Boolean,
            Value::Set(_) => ValueType::Squares,
            Value::Num(_) => ValueType::Number,
            Value::Text(_) => ValueType::Text,
            Value::Pos(_) => ValueType::Position,
        };
        self.values.iter().map(|named| (named.name.as_str(), type_of(&named.value))).collect()
    }

    /// Whether the expression with this index has the same value at all positions of a game: the
    /// name or the code of the opening.
    pub fn is_value_of_game(&self, index: usize) -> bool {
        let is_opening = |text: &TextFilter| {
            use PositionText as P;
            matches!(text, TextFilter::OfPosition(P::Opening | P::OpeningCode))
        };
        let value = self.values.get(index).map(|named| &named.value);
        matches!(value, Some(Value::Text(id)) if is_opening(&self.texts[id.0 as usize]))
    }

    /// Whether each of the expressions has the same value at all positions of a game.
    pub fn has_values_of_game(&self) -> bool {
        (0..self.values.len()).all(|index| self.is_value_of_game(index))
    }

    /// Index of the number of matching positions among the sort keys, if it is one.
    pub fn place_of_matchcount(&self) -> Option<usize> {
        let place = if self.settings.matchcount_first { 0 } else { self.sorts.len() };
        self.settings.sort_matchcount.then_some(place)
    }
}
