//! The typed program: what every dialect is lowered to and what the evaluator runs.
//!
//! There is one arena per type of value, so that a filter of one type cannot stand where another
//! is needed. Transforms have been applied (an orbit is a list of its images), function calls are
//! bindings, names are slots, and misuse that the language only punishes when it is reached is a
//! node of its own. Programs are immutable and shared by all threads.

mod boolean;
mod flow;
mod game;
pub(crate) mod id;
mod moves;
mod number;
mod path;
pub(crate) mod pattern;
pub(crate) mod plan;
mod position;
mod relation;
mod set;
mod text;

use std::sync::{Arc, OnceLock};

use ecma_regex::Regex;
use syntax::Span;
use syntax::token::GameResult;
use syntax::tree::{CommentLevel, Dictionary, SortVariable, Variable};

use crate::limits::Limits;
use crate::similar::SimilarIndex;

pub(crate) use boolean::{BoolFilter, Update};
pub(crate) use flow::{Flow, SortFilter};
pub(crate) use game::GameText;
pub(crate) use id::{BoolId, DashId, NumId, PathId, PosId, SetId, TextId, Value};
pub(crate) use moves::{Countable, Dash, LegalDash, MoveFilter, Promotion, Tried};
pub(crate) use number::NumFilter;
pub(crate) use path::{Echo, Find, Line, Path};
pub(crate) use pattern::{Constituent, LineConstituent, Taken};
use plan::{EchoPlan, Finder, Screen};
pub(crate) use position::{Change, Imagine, PosFilter};
pub(crate) use relation::{
    ChosenMan, CountedImages, CountedMen, LaterPosition, Marking, PositionRelation, Region,
    RelationParameter, Similar, Somewhere, SquareComparison, WholeGame,
};
pub(crate) use set::{Pin, Ray, SetFilter, SquareLoop};
pub(crate) use syntax::tree::{Bound, Range};
pub(crate) use text::{Item, Slice, TextFilter};

/// An expression with its name.
#[derive(Debug, Clone)]
pub(crate) struct NamedValue {
    pub(crate) name: String,
    pub(crate) value: Value,
}

/// A compiled query.
#[derive(Debug)]
pub struct Program {
    pub(crate) bools: Vec<BoolFilter>,
    pub(crate) sets: Vec<SetFilter>,
    pub(crate) nums: Vec<NumFilter>,
    pub(crate) texts: Vec<TextFilter>,
    pub(crate) positions: Vec<PosFilter>,
    pub(crate) dashes: Vec<Dash>,
    pub(crate) paths: Vec<Path>,
    pub(crate) places: Places,
    /// What must match at a position.
    pub(crate) root: BoolId,
    /// What is evaluated where the query matches.
    pub(crate) values: Vec<NamedValue>,
    /// What must match at the first position, or no position of the game can match; tested
    /// before a move is read. Every one is the same at all positions and has no side effect.
    pub(crate) guard: Vec<BoolId>,
    /// Conditions without which `root` does not match at a position.
    pub(crate) screen: Screen,
    /// By the number in `Find::finder`.
    pub(crate) finders: Vec<Finder>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) sorts: Vec<SortVariable>,
    /// What echoes can know before they evaluate their bodies.
    pub(crate) echo_plans: Vec<EchoPlan>,
    pub(crate) n_sort_filters: u32,
    pub(crate) n_paths: u32,
    pub(crate) n_trackers: u32,
    pub(crate) uses_files: bool,
    /// Imagined positions may be kept.
    pub(crate) saves_positions: bool,
    pub(crate) settings: Settings,
    /// By `SourceId`.
    pub(crate) sources: Vec<SourceText>,
    /// The file of `similarposition`, and its contents once it is loaded.
    pub(crate) similar_file: Option<(Vec<u8>, Span)>,
    pub(crate) similar: OnceLock<Arc<SimilarIndex>>,
}

/// Where filters stand in the query, for messages about limits: any filter may meet one. Filters
/// that the optimizer adds have no place.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// By [`BoolId`].
    pub(crate) bools: Vec<Span>,
    /// By [`TextId`].
    pub(crate) texts: Vec<Span>,
}

/// A text that was compiled, for messages.
#[derive(Debug, Clone)]
pub(crate) struct SourceText {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
}

/// What the header and the command line say about the run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Searches variations, too.
    pub variations: bool,
    /// How much is written into comments.
    pub level: CommentLevel,
    /// The marker of matching positions; empty: none.
    pub matchstring: Arc<[u8]>,
    /// Only games with a number in the range.
    pub gamenumber: Option<(i32, i32)>,
    /// Required number of matching positions.
    pub matchcount: Option<(i32, i32)>,
    /// Sorts by the number of matching positions as the last key.
    pub sort_matchcount: bool,
    /// The number of matching positions is the first key instead.
    pub matchcount_first: bool,
    /// Required results, all of them.
    pub results: Vec<GameResult>,
    /// A regular expression that one of the players' names must match.
    pub player: Option<Regex>,
    /// Required year of the Date tag.
    pub year: Option<(i32, i32)>,
    /// What may be written into a game.
    pub writing: WritingRules,
    /// Size of the buffer of the text of one game.
    pub output_buffer: usize,
    /// How much the query may take.
    pub limits: Limits,
}

/// What may be written into a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritingRules {
    /// No `Game number N`.
    pub no_header: bool,
    /// `removecomment` does nothing.
    pub no_removecomment: bool,
    /// `settag` does nothing.
    pub no_settag: bool,
    /// Keeps all comments of `sort` arguments, not only those of the best value.
    pub no_sort_comments: bool,
    /// Merges equal texts of one position.
    pub unique_comments: bool,
    /// Comments are kept even if the enclosing filter fails later.
    pub always_comment: bool,
}

impl Default for WritingRules {
    fn default() -> WritingRules {
        WritingRules {
            no_header: false,
            no_removecomment: false,
            no_settag: false,
            no_sort_comments: false,
            unique_comments: true,
            always_comment: false,
        }
    }
}
