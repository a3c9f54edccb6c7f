//! Tables whose rows are written without parentheses.

/// Returns a slice of tuples: a row for each, with commas between the cells and a semicolon after
/// the last one.
#[macro_export]
macro_rules! rows {
    ($($($cell:expr),+;)*) => {
        &[$(($($cell),+)),*]
    };
}
