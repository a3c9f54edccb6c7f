//! Evaluates a program on one game.
//!
//! Each type of value has its own function. A filter that does not match has no value (`None`); a
//! set never fails, it is empty instead. Faults do not unwind: the first one is recorded, the
//! running filters return whatever they have, and the game is given up at the next loop or at the
//! end of the position.

mod aesthetics;
mod attacks;
mod boards;
mod boolean;
mod echo;
mod entries;
mod evaluator;
mod fault;
mod find;
mod hhdb;
mod identities;
mod imagine;
mod keyed;
mod lanes;
mod later;
mod legal;
mod line;
mod moves;
mod notes;
mod number;
mod output;
mod outside;
mod path;
mod pieces;
mod position;
mod rays;
mod related;
mod relation;
mod repetition;
mod screen;
mod set;
mod similar;
mod slot;
mod sort;
mod sorted;
mod state;
mod text;
mod track;
mod tried;
mod values;
mod variant;
mod ways;
mod whole_game;
mod word;

pub(crate) use evaluator::Evaluator;
pub use fault::EvalError;
pub use lanes::LaneScreen;
pub(crate) use output::print_persistent;
pub(crate) use slot::Slot;
pub(crate) use sorted::SortValue;
pub(crate) use state::State;
pub(crate) use values::values_of_game;
