//! Proposes what others mean who write no CQL: SQL, JSON, tags, the notation of games, English words,
//! and the spellings of other programs.
//!
//! Nothing here accepts a text that is no CQL. The parser calls these modules where it has found an
//! error, and they add the edit that turns the text into what it means (`mend`), if it is known. An
//! edit that means something else is worse than none, so what is not understood as a whole gets none.

mod amounts;
mod codes;
mod comparisons;
mod empty_squares;
mod foreign;
mod game_length;
mod grouping;
mod lists;
mod mates;
mod notation;
pub(super) mod operators;
mod players;
pub(super) mod properties;
mod ratings;
mod renamed;
pub(super) mod route;
pub(super) mod sentence;
mod sides;
mod unknown_names;
pub(super) mod unquoted_fen;
pub(super) mod words;

pub use amounts::{SIGNS, SIGNS_OF_VALUES, number_in_words};
pub(crate) use empty_squares::empty_help;
pub use foreign::opposite;
pub use grouping::takes_one_filter;
pub use mates::mate_in;
pub use players::{have_one_name, of_player};
pub(crate) use properties::{filter_of_value, matching};
pub(crate) use route::way;
pub use sentence::body_of;
pub use words::{AGAINST, Answer, PIECES, plain_title, terms};
pub(crate) use words::{is_promotion, men, promoted, synonym};
