//! Finds what the program can do by words: themes, recipes of the cookbook, queries for terms of
//! chess, words of the language, and sections of the manual.
//!
//! A search finds the ideas that have all its words, in any of their forms; if there are none, those
//! that have the rarest words. Names count more than titles, and titles more than texts.

mod amounts;
mod asked;
mod codes;
mod composed;
mod events;
mod idea;
mod index;
mod languages;
mod meant;
mod men;
mod moves;
mod numbers;
mod rest;
mod said;
#[cfg(test)]
mod tests;
mod weights;
mod wishes;

pub use composed::name_of_opening;
pub use idea::{Idea, IdeaKind, of_query, quoted};
pub use index::{Index, beside};
pub use meant::{meant_by_assignment, mended};
pub use men::{material, of_men};
pub use moves::of_notation;
pub use numbers::without_groups;
pub use rest::is_player;
