//! Words for numbers.

/// Returns a number with its noun: `1 game`, `2 games`.
#[must_use]
pub fn counted(n: u64, noun: &str) -> String {
    let end = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_several() {
        let check = |n: u64, expected: &str| assert_eq!(counted(n, "game"), expected);
        check(0, "0 games");
        check(1, "1 game");
        check(2, "2 games");
    }
}
