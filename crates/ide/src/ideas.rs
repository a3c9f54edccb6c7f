//! Finds what the program can do by words: themes, recipes of the cookbook, queries for terms of
//! chess, words of the language, and sections of the manual.
//!
//! A search finds the ideas that have all its words, in any of their forms; if there are none, those
//! that have the rarest words. Names count more than titles, and titles more than texts.

mod asked;
mod codes;
mod composed;
mod events;
mod idea;
mod index;
mod languages;
mod limits;
mod meant;
mod men;
mod moves;
mod numbers;
mod said;
#[cfg(test)]
mod tests;
mod weights;
mod wishes;

pub use composed::is_player;
pub use idea::{Idea, IdeaKind, of_query, quoted};
pub use index::Index;
pub use meant::{meant_by_assignment, mended};
pub use men::{material, of_men};
pub use moves::of_notation;
pub use numbers::without_groups;
