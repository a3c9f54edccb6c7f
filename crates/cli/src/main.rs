//! The `cql` program.
fn main() {}
