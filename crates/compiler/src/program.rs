//! The typed program: what every dialect is lowered to and what the evaluator runs.
//!
//! There is one arena per type of value, so that a filter of one type cannot stand where another
//! is needed. Transforms have been applied (an orbit is a list of its images), function calls are
//! bindings, names are slots, and misuse that the language only punishes when it is reached is a
//! node of its own. Programs are immutable and shared by all threads.

mod boolean;
mod flow;
mod game;
pub mod id;
mod moves;
mod number;
mod path;
pub mod pattern;
pub mod plan;
mod position;
mod questions;
mod relation;
mod set;
mod text;

use std::sync::{Arc, OnceLock};

use ecma_regex::Regex;
use pgn::{Elided, LINE_WIDTH, VariantNames};
use syntax::Span;
use syntax::token::GameResult;
use syntax::tree::{CommentLevel, Dictionary, SortVariable, Variable};

use crate::limits::Limits;
use crate::similar::SimilarIndex;

pub use boolean::{BoolFilter, Update};
pub use flow::{Flow, SortFilter};
pub use game::GameText;
pub use id::{BoolId, DashId, NumId, PathId, PosId, SetId, TextId, Value};
pub use moves::{Countable, Dash, LegalDash, MoveFilter, Promotion, Tried};
pub use number::NumFilter;
pub use path::{Echo, Find, Line, Path};
pub use pattern::{Constituent, LineConstituent, Taken};
use plan::{EchoPlan, Finder, Screen};
pub use position::{Change, Imagine, PosFilter};
pub use questions::{Cause, Class, ValueType};
pub use relation::{
    ChosenMan, CountedImages, CountedMen, LaterPosition, Marking, PositionRelation, Region,
    RelationParameter, Similar, Somewhere, SquareComparison, WholeGame,
};
pub use set::{Pin, Ray, SetFilter, SquareLoop};
pub use syntax::tree::{Bound, Range};
pub use text::{Item, Pattern, Slice, TextFilter};

/// An expression with its name.
#[derive(Debug, Clone)]
pub struct NamedValue {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// A compiled query.
#[derive(Debug)]
pub struct Program {
    /// The filters without a value.
    pub bools: Vec<BoolFilter>,
    /// The sets of squares.
    pub sets: Vec<SetFilter>,
    /// The numbers.
    pub nums: Vec<NumFilter>,
    /// The texts.
    pub texts: Vec<TextFilter>,
    /// The positions.
    pub positions: Vec<PosFilter>,
    /// The dashes, of paths and of filters that look at moves.
    pub dashes: Vec<Dash>,
    /// The paths.
    pub paths: Vec<Path>,
    /// Where filters stand, for messages.
    pub places: Places,
    /// What must match at a position.
    pub root: BoolId,
    /// What is evaluated where the query matches.
    pub values: Vec<NamedValue>,
    /// What must match at the first position, or no position of the game can match; tested
    /// before a move is read. Every one is the same at all positions and has no side effect.
    pub guard: Vec<BoolId>,
    /// Conditions without which `root` does not match at a position.
    pub screen: Screen,
    /// By the number in `Find::finder`.
    pub finders: Vec<Finder>,
    /// By variable: its name and whether it is persistent.
    pub variables: Vec<Variable>,
    /// By dictionary: its name and whether it is persistent.
    pub dictionaries: Vec<Dictionary>,
    /// The keys by which games are sorted, the most important first, but for the number of matches.
    pub sorts: Vec<SortVariable>,
    /// What echoes can know before they evaluate their bodies.
    pub echo_plans: Vec<EchoPlan>,
    /// The number of `sort` filters, whose images share one key.
    pub n_sort_filters: u32,
    /// The number of paths that count by themselves.
    pub n_paths: u32,
    /// The number of filters that keep state along the game.
    pub n_trackers: u32,
    /// Files are read or written.
    pub uses_files: bool,
    /// The first place where something is kept from game to game, or a file is used.
    pub shared: Option<Span>,
    /// The first `sort`.
    pub sorted: Option<Span>,
    /// Imagined positions may be kept.
    pub saves_positions: bool,
    /// What header and command line say about the run.
    pub settings: Settings,
    /// By `SourceId`.
    pub sources: Vec<SourceText>,
    /// The file of `similarposition`, and its contents once it is loaded.
    pub similar_file: Option<(Vec<u8>, Span)>,
    /// What `similarposition` compares with.
    pub similar: OnceLock<Arc<SimilarIndex>>,
}

/// Where filters stand in the query, for messages about limits: any filter may meet one. Filters
/// that the optimizer adds have no place.
#[derive(Debug, Default)]
pub struct Places {
    /// By [`BoolId`].
    pub bools: Vec<Span>,
    /// By [`TextId`].
    pub texts: Vec<Span>,
}

/// A text that was compiled, for messages.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// What messages call it.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
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
    /// Only tags whose names match this are written as PGN, besides the seven that every game has
    /// and `FEN`.
    pub include_tags: Option<Regex>,
    /// Of those, tags whose names match this are not.
    pub exclude_tags: Option<Regex>,
    /// What may be written into a game.
    pub writing: WritingRules,
    /// Size of the buffer of the text of one game.
    pub output_buffer: usize,
    /// How much the query may take.
    pub limits: Limits,
    /// What else variants are called.
    pub variants: VariantNames,
}

/// What the pattern of a name may take.
const STEPS_OF_NAME: u64 = 1_000_000;

impl Settings {
    /// Whether tags of this name are written.
    pub fn writes_tag(&self, name: &[u8]) -> bool {
        let matches = |regex: &Regex| regex.is_match(name, &mut STEPS_OF_NAME.clone()) == Ok(true);
        self.include_tags.as_ref().is_none_or(matches)
            && !self.exclude_tags.as_ref().is_some_and(matches)
    }

    /// Whether there may be games of which no position is evaluated.
    pub(crate) fn chooses_games(&self) -> bool {
        self.gamenumber.is_some()
            || !self.results.is_empty()
            || self.player.is_some()
            || self.year.is_some()
    }

    /// Whether there are tags that are not written.
    pub fn chooses_tags(&self) -> bool {
        self.include_tags.is_some() || self.exclude_tags.is_some()
    }
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
    /// What of a game is not written as PGN.
    pub elided: Elided,
    /// Each of several comments at a place is written, not the last one alone.
    pub all_comments: bool,
    /// The length of its lines.
    pub line_width: usize,
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
            elided: Elided::default(),
            all_comments: false,
            line_width: LINE_WIDTH,
        }
    }
}
