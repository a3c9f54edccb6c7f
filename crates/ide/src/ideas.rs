//! Finds what the program can do by words: themes, recipes of the cookbook, queries for terms of
//! chess, words of the language, and sections of the manual.
//!
//! A search finds the ideas that have all its words, in any of their forms; if there are none, those
//! that have the rarest words. Names count more than titles, and titles more than texts.

mod amounts;
mod codes;
mod compose;
mod events;
mod idea;
mod index;
mod interpret;
mod languages;
mod moves;
mod numbers;
mod pieces;
mod question_words;
mod ranking;
mod remaining;
#[cfg(test)]
mod tests;
mod vocabulary;
mod wishes;

pub use compose::name_of_opening;
pub use idea::{Idea, IdeaKind, of_query, quoted};
pub use index::{Index, beside};
pub use interpret::{meant_by_assignment, mended};
pub use moves::of_notation;
pub use numbers::without_groups;
pub use pieces::{material, of_men};
pub use remaining::is_player;
