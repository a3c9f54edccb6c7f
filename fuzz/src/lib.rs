//! Helpers of the targets: trees as text, so that they can be compared, and changes of queries by
//! whole tokens.

pub mod games;
pub mod mutate;
pub mod queries;
