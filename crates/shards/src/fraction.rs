//! Selects the shards that one of several jobs searches.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

/// Part of the shards: `3/8` is the third of eight parts of about the same size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    part: u64,
    of: u64,
}

impl Fraction {
    /// All shards.
    pub const ALL: Fraction = Fraction { part: 1, of: 1 };

    /// Returns the number of parts.
    #[must_use]
    pub fn of(self) -> u64 {
        self.of
    }

    /// Returns the indexes of the shards in this part if there are `n_shards` in all.
    #[must_use]
    pub fn range(self, n_shards: usize) -> Range<usize> {
        let bound = |part: u64| {
            let bound = u128::from(part) * n_shards as u128 / u128::from(self.of);
            usize::try_from(bound).unwrap_or(n_shards)
        };
        bound(self.part - 1)..bound(self.part)
    }
}

impl FromStr for Fraction {
    type Err = FractionError;

    fn from_str(text: &str) -> Result<Fraction, FractionError> {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let numbers = text.split_once('/');
        let numbers = numbers.map(|(part, of)| (number(part), number(of)));
        match numbers {
            Some((Some(part), Some(of))) if 1 <= part && part <= of => Ok(Fraction { part, of }),
            Some((Some(0), Some(of))) if of > 0 => Err(FractionError::Zero { of }),
            Some((Some(part), Some(of))) => Err(FractionError::NoPart { part, of }),
            _ => Err(FractionError::Malformed),
        }
    }
}

/// Reason why a text is not a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FractionError {
    /// The part is 0, but parts are counted from 1.
    Zero {
        /// Number of parts.
        of: u64,
    },
    /// There is no such part.
    NoPart {
        /// Number of the part.
        part: u64,
        /// Number of parts.
        of: u64,
    },
    /// The text is not two numbers with a slash.
    Malformed,
}

impl Display for FractionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FractionError::Zero { of } => {
                write!(f, "parts are counted from 1: the first is 1/{of}")
            }
            FractionError::NoPart { part, of } => write!(f, "there is no part {part} of {of}"),
            FractionError::Malformed => {
                f.write_str("expected a part and the number of parts, such as 3/8")
            }
        }
    }
}

impl std::error::Error for FractionError {}

impl Display for Fraction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_are_read() {
        let check = |text: &str, expected: Result<(u64, u64), &str>| match expected {
            Ok((part, of)) => assert_eq!(text.parse(), Ok(Fraction { part, of }), "{text}"),
            Err(what) => {
                let message = text.parse::<Fraction>().expect_err(text).to_string();
                assert!(message.contains(what), "{text}: {message}");
            }
        };
        check("1/1", Ok((1, 1)));
        check(" 3 / 8", Ok((3, 8)));
        check("8/8", Ok((8, 8)));
        check("0/8", Err("the first is 1/8"));
        check("9/8", Err("no part 9 of 8"));
        check("0/0", Err("no part 0 of 0"));
        for text in ["", "3", "3/", "/8", "-1/8", "a/b", "1/2/3", "99999999999999999999/2"] {
            check(text, Err("such as 3/8"));
        }
    }

    proptest! {
        #[test]
        fn parts_are_the_whole(n_shards in 0usize..2000, of in 1u64..3000) {
            let mut next = 0;
            for part in 1..=of {
                let range = Fraction { part, of }.range(n_shards);
                prop_assert_eq!(range.start, next);
                prop_assert!(range.len() as u64 <= n_shards as u64 / of + 1);
                next = range.end;
            }
            prop_assert_eq!(next, n_shards);
        }
    }
}
