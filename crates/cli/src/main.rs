//! The `cql` program.
mod args;
fn main() {}
