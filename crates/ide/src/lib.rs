//! What editors ask about a query, without input or output.

pub mod manual;
