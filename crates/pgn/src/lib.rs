//! Reads and writes PGN: bytes to games and back.
//!
//! A file goes through three stages, each of which does only its own part of the work:
//!
//! 1. [`split`] finds where games begin and end, and their faults, without reading moves.
//! 2. [`tags`] finds the tags of a game; values are decoded on request.
//! 3. [`tree`] holds the moves as a tree with all positions, [`order`] the part of it that is
//!    searched, [`summary`] the facts that are known without replaying the moves.
//!
//! and back through [`write_game`], which writes as the reference implementation (CQL 6.2) does,
//! byte for byte. The crate opens no files and starts no threads: its input is slices of bytes, cut
//! anywhere, and the result never depends on the cuts.
//!
//! ```
//! use pgn::{GameTree, Splitter, TagIndex};
//!
//! let file = b"[White \"Morphy, Paul\"]\n\n1.e4 e5 2.Nf3 {a comment} 1-0\n";
//! let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
//! for game in Splitter::default().split(file, true) {
//!     let text = game.clean_text(&mut buffer);
//!     index.scan(text);
//!     let tags = index.tags(text);
//!     assert_eq!(*tags.player(board::Color::White), *b"Morphy, Paul");
//!     tree.parse(tags);
//!     assert_eq!(tree.len(), 4);
//!     assert_eq!(tree.comment(text, 3).as_deref(), Some(b"a comment".as_slice()));
//! }
//! ```

mod bytes;
mod code;
pub mod command;
mod comment;
pub mod doctor;
mod edits;
mod encoding;
mod evaluated;
mod fault;
mod lanes;
mod names;
pub mod order;
mod parse;
mod plain;
mod player;
pub mod split;
pub mod summary;
pub mod tags;
pub mod tree;
mod values;
mod variant;
pub mod write;

pub use code::{CodedLine, MoveCode, Step};
pub use edits::Edits;
pub use encoding::{decode, decode_value, isolated, unescape};
pub use evaluated::{EvalPlace, MoveEnds, can_have_evaluations, with_evaluations};
pub use fault::{Fault, FaultKind, LossKind};
pub use lanes::replay_side_by_side;
pub use order::{SearchTree, Searched};
pub use plain::plain_words;
pub use player::Player;
pub use split::{GAME_LIMIT, Losses, RawGame, SplitGames, Splitter, likely_boundary};
pub use summary::{GameSummary, Summarizer, TreeSummary};
pub use tags::{FREQUENT_TAGS, TagIndex, TagTable, Tags, TextTags};
pub use tree::{GameTree, Stop, TreeBuilder, TreeStep};
pub use values::{Date, Eco, GameResult, Rating, RatingKind};
pub use variant::{OtherVariant, RulesRead, Variant, VariantNameError, VariantNames};
pub use write::{Elided, LINE_WIDTH, LostComments, Verbatim, WriteOptions, Written, write_game};
