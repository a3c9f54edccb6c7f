//! Which game is played, by the Variant tag.
//!
//! The reference implementation (CQL 6.2) does not look at the tag and reads every game by the
//! normal rules, up to the first move that they forbid. Here Chess960 is played by its own rules of
//! castling, and games whose moves the normal rules would misread are not read at all.

use std::fmt;

/// The rules of a game, as far as they matter for reading its moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Variant {
    /// The rules of the normal game, from any position; also variants that only end otherwise.
    #[default]
    Standard,
    /// The rules of Chess960, single or double.
    Chess960,
    /// Rules that are not known here, by the name that is usual.
    Other(OtherVariant),
}

/// A variant whose moves cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names are their meaning")]
pub enum OtherVariant {
    Antichess,
    Atomic,
    Bughouse,
    Crazyhouse,
    Horde,
    Losers,
    RacingKings,
    Suicide,
    /// A name that is not known here.
    Unknown,
}

/// Names without blanks and signs, in lower case and without `chess` at the end.
const NAMES: [(&str, Variant); 51] = {
    use OtherVariant::{
        Antichess, Atomic, Bughouse, Crazyhouse, Horde, Losers, RacingKings, Suicide,
    };
    use Variant::{Chess960, Other, Standard};
    [
        ("", Standard),
        ("classic", Standard),
        ("classical", Standard),
        ("fromposition", Standard),
        ("normal", Standard),
        ("orthodox", Standard),
        ("regular", Standard),
        ("setup", Standard),
        ("standard", Standard),
        // Castling apart, which is not played in them, the rules are the normal ones.
        ("nocastle", Standard),
        ("nocastling", Standard),
        ("shuffle", Standard),
        // The moves are the normal ones, the game ends earlier.
        ("3check", Standard),
        ("threecheck", Standard),
        ("5check", Standard),
        ("fivecheck", Standard),
        ("kingofthehill", Standard),
        ("koth", Standard),
        ("960", Chess960),
        ("9lx", Chess960),
        ("chess9lx", Chess960),
        ("chess960", Chess960),
        ("dfrc", Chess960),
        ("doublechess960", Chess960),
        ("doublefischerrandom", Chess960),
        ("fischerandom", Chess960),
        ("fischerrandom", Chess960),
        ("fischer", Chess960),
        ("fr", Chess960),
        ("frc", Chess960),
        ("freestyle", Chess960),
        ("anti", Other(Antichess)),
        ("giveaway", Other(Antichess)),
        ("losing", Other(Antichess)),
        ("atom", Other(Atomic)),
        ("atomic", Other(Atomic)),
        ("bughouse", Other(Bughouse)),
        ("bug", Other(Bughouse)),
        ("crazyhouse", Other(Crazyhouse)),
        ("house", Other(Crazyhouse)),
        ("zh", Other(Crazyhouse)),
        ("horde", Other(Horde)),
        ("losers", Other(Losers)),
        ("race", Other(RacingKings)),
        ("racing", Other(RacingKings)),
        ("racingkings", Other(RacingKings)),
        ("rk", Other(RacingKings)),
        ("suicide", Other(Suicide)),
        ("suicidal", Other(Suicide)),
        ("takeall", Other(Antichess)),
        ("placement", Standard),
    ]
};

impl Variant {
    /// The rules that the value of a Variant tag names: case, blanks, hyphens and a `chess` at the
    /// end do not matter.
    #[must_use]
    pub fn parse(value: &[u8]) -> Variant {
        let mut name: Vec<u8> = value
            .iter()
            .filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii())
            .map(u8::to_ascii_lowercase)
            .collect();
        if let Some(short) = name.strip_suffix(b"chess") {
            name.truncate(short.len());
        }
        let known = NAMES.iter().find(|known| known.0.as_bytes() == name);
        known.map_or(Variant::Other(OtherVariant::Unknown), |known| known.1)
    }
}

impl fmt::Display for OtherVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            OtherVariant::Antichess => "Antichess",
            OtherVariant::Atomic => "Atomic",
            OtherVariant::Bughouse => "Bughouse",
            OtherVariant::Crazyhouse => "Crazyhouse",
            OtherVariant::Horde => "Horde",
            OtherVariant::Losers => "Losers",
            OtherVariant::RacingKings => "Racing Kings",
            OtherVariant::Suicide => "Suicide",
            OtherVariant::Unknown => "unknown variant",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |want: Variant, names: &[&str]| {
            for name in names {
                assert_eq!(Variant::parse(name.as_bytes()), want, "{name}");
            }
        };
        use OtherVariant::{Antichess, Atomic, Crazyhouse, RacingKings, Unknown};
        use Variant::{Chess960, Other, Standard};
        check(
            Standard,
            &["", "?", "-", "Standard", "chess", "From Position"],
        );
        check(
            Standard,
            &[
                "Three-check",
                "3-Check",
                "King of the Hill",
                "Classical Chess",
            ],
        );
        check(
            Chess960,
            &[
                "Chess960",
                "chess 960",
                "Chess-960",
                "FISCHERANDOM",
                "Fischerandom",
            ],
        );
        check(
            Chess960,
            &["Fischer Random", "Fischer Random Chess", "FRC", "Chess9LX"],
        );
        check(
            Chess960,
            &["Double Fischer Random", "Freestyle Chess", "960"],
        );
        check(Other(Atomic), &["Atomic", "atom", "Atomic Chess"]);
        check(Other(Crazyhouse), &["Crazyhouse", "Crazy House", "ZH"]);
        check(
            Other(Antichess),
            &["Antichess", "Giveaway", "Give away Chess"],
        );
        check(Other(RacingKings), &["Racing Kings", "racingKings"]);
        check(Other(Unknown), &["Xiangqi", "Chess 3000", "Schach"]);
    }
}
