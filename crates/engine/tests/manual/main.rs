//! Chapters of the manuals, statement by statement.

mod classic_relation;
mod contextual_castling;
#[path = "../cql5/mod.rs"]
mod cql5;
mod relation_squares;
mod relational_operators;
mod square_variables;
#[path = "../support/mod.rs"]
mod support;
