//! The typed program: the result of lowering any dialect, and the input of the evaluator.
//!
//! There is one arena per type of value, so that a filter of one type cannot be used where another
//! is needed. Transforms have been applied (an orbit is a list of its images), function calls are
//! bindings, names are slots, and misuse that the language punishes only when it is reached is a
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
use openings::Openings;
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
pub use moves::{Countable, Dash, LegalDash, MoveFilter, Promotion, TrialFilter};
pub use number::{NumFilter, TableValue};
pub use path::{Echo, Find, LineFilter, Path};
pub use pattern::{Constituent, LineConstituent, Taken};
use plan::{EchoPlan, FindPlan, GameConditions, PositionScreen, Ranking, Unscreened};
pub use position::{Change, Imagine, PosFilter};
pub use questions::{Cause, Divisibility, ValueType};
pub use relation::{
    Anywhere, ChosenMan, CountedImages, CountedMen, LaterPosition, Marking, PositionRelation,
    Region, RelationParameter, Similar, SquareComparison, WholeGame,
};
pub use set::{Pin, Ray, SetFilter, SquareLoop};
pub use syntax::tree::{Bound, Range};
pub use text::{Pattern, PrintItem, Slice, TextFilter};

/// An expression with its name.
#[derive(Debug, Clone)]
pub struct NamedValue {
    /// Name of the expression.
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
    /// Spans of filters, for messages.
    pub places: Places,
    /// Condition that must match at a position.
    pub root: BoolId,
    /// Expressions that are evaluated where the query matches.
    pub values: Vec<NamedValue>,
    /// Conditions that must match at the first position, or no position of the game can match;
    /// tested before a move is read. Each is the same at all positions and has no side effect.
    pub guard: Vec<BoolId>,
    /// Conditions without which `root` does not match at a position.
    pub screen: PositionScreen,
    /// As `screen`, for several positions at once. Then more conditions pay, and those that only save
    /// the test of others do not.
    pub wide_screen: PositionScreen,
    /// Conditions on a game without which no position of it matches.
    pub game_conditions: GameConditions,
    /// The number by which the query ranks games, if those with a low one need not be evaluated.
    pub ranking: Option<Ranking>,
    /// Parts of the query that `game_conditions` do not test, in evaluation order.
    pub unscreened: Vec<Unscreened>,
    /// Indexed by `Find::finder`.
    pub finders: Vec<FindPlan>,
    /// For each variable, its name and whether it is persistent.
    pub variables: Vec<Variable>,
    /// For each dictionary, its name and whether it is persistent.
    pub dictionaries: Vec<Dictionary>,
    /// The keys by which games are sorted, the most important first, except the number of matches.
    pub sorts: Vec<SortVariable>,
    /// Facts that echoes can test before they evaluate their bodies.
    pub echo_plans: Vec<EchoPlan>,
    /// Number of `sort` filters; the images of one share a key.
    pub n_sort_filters: u32,
    /// Number of paths with an index of their own.
    pub n_paths: u32,
    /// Number of filters that keep state along the game.
    pub n_trackers: u32,
    /// Whether files are read or written.
    pub uses_files: bool,
    /// Span of the first filter that keeps something from game to game or uses a file.
    pub shared: Option<Span>,
    /// Span of the first `sort`.
    pub sorted: Option<Span>,
    /// Whether imagined positions may be kept.
    pub saves_positions: bool,
    /// Settings of the run, from the header and the command line.
    pub settings: Settings,
    /// Indexed by `SourceId`.
    pub sources: Vec<SourceText>,
    /// Name of the file of `similarposition`, and the span of that name in the query.
    pub similar_file: Option<(Vec<u8>, Span)>,
    /// Positions that `similarposition` compares with, once the file is loaded.
    pub similar: OnceLock<Arc<SimilarIndex>>,
}

/// Spans of filters in the query, for messages about limits: any filter may exceed one. Filters
/// that the optimizer adds have no span.
#[derive(Debug, Default)]
pub struct Places {
    /// Indexed by [`BoolId`].
    pub bools: Vec<Span>,
    /// Indexed by [`TextId`].
    pub texts: Vec<Span>,
}

/// A text that was compiled, for messages.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// Name of the text in messages.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
}

/// Settings of the run, from the header and the command line.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether variations are searched.
    pub variations: bool,
    /// Level of the comments that are written.
    pub level: CommentLevel,
    /// Whether the values of `sort` are not wanted.
    pub only_counts: bool,
    /// The marker of matching positions; empty for none.
    pub matchstring: Arc<[u8]>,
    /// Range of the numbers of games that are searched.
    pub gamenumber: Option<(i32, i32)>,
    /// Required number of matching positions.
    pub matchcount: Option<(i32, i32)>,
    /// Whether games are sorted by the number of matching positions, as the last key.
    pub sort_matchcount: bool,
    /// Whether the number of matching positions is the first key instead.
    pub matchcount_first: bool,
    /// Required results, all of them.
    pub results: Vec<GameResult>,
    /// A regular expression that one of the players' names must match.
    pub player: Option<Regex>,
    /// Required year of the Date tag.
    pub year: Option<(i32, i32)>,
    /// Only tags whose names match this are written as PGN, besides `FEN` and the seven that every
    /// game has.
    pub include_tags: Option<Regex>,
    /// Tags whose names match this are not written, even if `include_tags` matches.
    pub exclude_tags: Option<Regex>,
    /// Rules for writing into a game.
    pub writing: WritingRules,
    /// Size of the buffer for the text of one game, in bytes.
    pub output_buffer: usize,
    /// Limits of the query.
    pub limits: Limits,
    /// Additional names of variants.
    pub variants: VariantNames,
    /// Names of openings.
    pub openings: Openings,
}

/// Maximum number of steps for matching the name of a tag.
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

    /// Whether some tags may be left out.
    pub fn chooses_tags(&self) -> bool {
        self.include_tags.is_some() || self.exclude_tags.is_some()
    }
}

/// Rules for writing into a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritingRules {
    /// Whether `Game number N` is left out.
    pub no_header: bool,
    /// Whether `removecomment` does nothing.
    pub no_removecomment: bool,
    /// Whether `settag` does nothing.
    pub no_settag: bool,
    /// Whether all comments of `sort` arguments are kept, not only those of the best value.
    pub no_sort_comments: bool,
    /// Whether equal texts of one position are merged.
    pub unique_comments: bool,
    /// Whether comments are kept even if the enclosing filter fails later.
    pub always_comment: bool,
    /// Parts of a game that are not written as PGN.
    pub elided: Elided,
    /// Whether each of several comments at a position is written, not only the last one.
    pub all_comments: bool,
    /// Length of the lines of a game.
    pub line_width: usize,
    /// Whether letters beyond ASCII are written with their bytes, in place of those that the
    /// reference writes.
    pub keeps_letters: bool,
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
            keeps_letters: false,
        }
    }
}
