//! Determines the rules of a game from its Variant tag.
//!
//! The reference implementation (CQL 6.2) ignores the tag and reads every game by the normal rules,
//! up to the first move that they forbid. Here Chess960 has its own rules of castling, other
//! variants have theirs, and games whose moves none of these rules can read are skipped.

use std::fmt;

use board::{FenError, Rules, Situation, Start};

/// The rules of a game, as far as they matter for reading its moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Variant {
    /// The rules of the normal game, from any position; also variants that only differ in how they
    /// end.
    #[default]
    Standard,
    /// The rules of Chess960, single or double.
    Chess960,
    /// The rules of another variant.
    Of(Rules),
    /// Unknown rules, with the usual name of the variant.
    Other(OtherVariant),
}

/// A variant whose moves cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names are their meaning")]
pub enum OtherVariant {
    Bughouse,
    /// A variant with an unknown name.
    Unknown,
}

/// The rules by which a game was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesRead {
    /// Those that its Variant tag names.
    Named(Variant),
    /// Those of chess, which permit all of its moves: the name of its variant is unknown.
    Assumed,
    /// None: its variant cannot be played here, or is unknown and not chess.
    Unknown(OtherVariant),
}

impl RulesRead {
    /// Returns the variant whose rules were used; `None` if the game is left out.
    #[must_use]
    pub const fn variant(self) -> Option<Variant> {
        match self {
            RulesRead::Named(variant) => Some(variant),
            RulesRead::Assumed => Some(Variant::Standard),
            RulesRead::Unknown(_) => None,
        }
    }

    /// Whether the moves are those of the normal game, except for castling.
    #[must_use]
    pub const fn moves_as_chess(self) -> bool {
        match self.variant() {
            Some(variant) => variant.moves_as_chess(),
            None => false,
        }
    }
}

/// Names without blanks and signs, in lower case and without `chess` at the end.
const NAMES: [(&str, Variant); 52] = {
    use OtherVariant::Bughouse;
    use Rules::{
        Atomic, Crazyhouse, FiveCheck, Giveaway, Horde, KingOfTheHill, Losers, RacingKings,
        Suicide, ThreeCheck,
    };
    use Variant::{Chess960, Of, Other, Standard};
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
        // These variants have the normal rules, except that there is no castling.
        ("nocastle", Standard),
        ("nocastling", Standard),
        ("shuffle", Standard),
        ("5check", Of(FiveCheck)),
        ("fivecheck", Of(FiveCheck)),
        ("3check", Of(ThreeCheck)),
        ("threecheck", Of(ThreeCheck)),
        ("hill", Of(KingOfTheHill)),
        ("kingofthehill", Of(KingOfTheHill)),
        ("koth", Of(KingOfTheHill)),
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
        ("anti", Of(Giveaway)),
        ("giveaway", Of(Giveaway)),
        ("losing", Of(Giveaway)),
        ("atom", Of(Atomic)),
        ("atomic", Of(Atomic)),
        ("bughouse", Other(Bughouse)),
        ("bug", Other(Bughouse)),
        ("crazyhouse", Of(Crazyhouse)),
        ("house", Of(Crazyhouse)),
        ("zh", Of(Crazyhouse)),
        ("horde", Of(Horde)),
        ("losers", Of(Losers)),
        ("race", Of(RacingKings)),
        ("racing", Of(RacingKings)),
        ("racingkings", Of(RacingKings)),
        ("rk", Of(RacingKings)),
        ("suicide", Of(Suicide)),
        ("suicidal", Of(Suicide)),
        ("takeall", Of(Giveaway)),
        ("placement", Standard),
    ]
};

impl Variant {
    /// Returns the rules that the value of a Variant tag names. Case, blanks, hyphens, a `chess` at
    /// the end, and a `960` after the name of a variant do not matter.
    #[must_use]
    pub fn parse(value: &[u8]) -> Variant {
        let known = |name: &[u8]| {
            let known = NAMES.iter().find(|known| known.0.as_bytes() == name);
            known.map(|known| known.1)
        };
        let name = plain_name(value);
        // In a variant, the FEN gives the castling setup.
        let of_960 = || match known(&plain_name(name.strip_suffix(b"960")?))? {
            Variant::Standard => Some(Variant::Chess960),
            variant => Some(variant),
        };
        (known(&name).or_else(of_960)).unwrap_or(Variant::Other(OtherVariant::Unknown))
    }

    /// Returns the rules of the moves; `None` if they are not known.
    #[must_use]
    pub const fn rules(self) -> Option<Rules> {
        match self {
            Variant::Standard | Variant::Chess960 => Some(Rules::Chess),
            Variant::Of(rules) => Some(rules),
            Variant::Other(_) => None,
        }
    }

    /// Whether the moves are those of the normal game, except for castling.
    const fn moves_as_chess(self) -> bool {
        match self.rules() {
            Some(rules) => rules.move_as_chess(),
            None => false,
        }
    }

    /// Returns the start of a game without a FEN tag.
    pub(crate) fn start(self) -> Start {
        match self {
            Variant::Of(rules) => Start::of(Situation::start(rules)),
            Variant::Standard | Variant::Chess960 | Variant::Other(_) => {
                Start::normal(self == Variant::Chess960)
            }
        }
    }

    /// Parses the value of a FEN tag.
    pub(crate) fn parse_fen(self, value: &[u8]) -> Result<Start, FenError> {
        match self {
            Variant::Of(rules) => Situation::parse(rules, value).map(Start::of),
            Variant::Standard | Variant::Chess960 | Variant::Other(_) => {
                Start::parse(value, self == Variant::Chess960)
            }
        }
    }
}

/// Returns a name without blanks and signs, in lower case and without `chess` at the end.
fn plain_name(value: &[u8]) -> Vec<u8> {
    let letters = value.iter().filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
    let mut name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    if let Some(short) = name.strip_suffix(b"chess") {
        name.truncate(short.len());
    }
    name
}

/// Reason why a variant is not given a name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VariantNameError {
    /// No variant whose moves can be read has this name.
    Unknown(String),
    /// The name already is one of this variant.
    Known(String, Variant),
}

impl fmt::Display for VariantNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariantNameError::Unknown(name) => write!(f, "no variant is known as '{name}'"),
            VariantNameError::Known(name, variant) => write!(f, "'{name}' is a name of {variant}"),
        }
    }
}

impl std::error::Error for VariantNameError {}

/// Names that a caller gives to variants, in addition to the built-in ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariantNames(Vec<(Vec<u8>, Variant)>);

impl VariantNames {
    /// Adds a name for the variant that another name means, in any spelling.
    ///
    /// # Errors
    /// If the name already has a meaning, or the other one has none.
    pub fn add(&mut self, name: &[u8], other: &[u8]) -> Result<(), VariantNameError> {
        let shown = |name| crate::encoding::decode(name).into_owned();
        let variant = Variant::parse(other);
        if variant.rules().is_none() {
            return Err(VariantNameError::Unknown(shown(other)));
        }
        let known = Variant::parse(name);
        if known != Variant::Other(OtherVariant::Unknown) {
            return Err(VariantNameError::Known(shown(name), known));
        }
        self.0.push((plain_name(name), variant));
        Ok(())
    }

    /// Returns the variant that was added under the value of a Variant tag.
    pub(crate) fn added(&self, value: &[u8]) -> Option<Variant> {
        if self.0.is_empty() {
            return None;
        }
        let name = plain_name(value);
        let added = self.0.iter().rfind(|added| added.0 == name);
        added.map(|added| added.1)
    }
}

/// Displays the usual name.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variant::Standard => f.pad("Standard"),
            Variant::Chess960 => f.pad("Chess960"),
            Variant::Of(rules) => rules.fmt(f),
            Variant::Other(other) => other.fmt(f),
        }
    }
}

impl fmt::Display for OtherVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            OtherVariant::Bughouse => "Bughouse",
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
        use OtherVariant::{Bughouse, Unknown};
        use Rules::{Atomic, Crazyhouse, Giveaway, Horde, KingOfTheHill, RacingKings, ThreeCheck};
        use Variant::{Chess960, Of, Other, Standard};
        check(Standard, &["", "?", "-", "Standard", "chess", "From Position"]);
        check(Standard, &["Classical Chess"]);
        check(
            Of(ThreeCheck),
            &["Three-check", "3-Check", "3 Check", "ThreeCheck", "Three Check Chess"],
        );
        check(Of(KingOfTheHill), &["King of the Hill", "kingOfTheHill", "KOTH"]);
        check(Of(Horde), &["Horde", "Horde Chess"]);
        check(Other(Bughouse), &["Bughouse"]);
        check(Chess960, &["Chess960", "chess 960", "Chess-960", "FISCHERANDOM", "Fischerandom"]);
        check(Chess960, &["Fischer Random", "Fischer Random Chess", "FRC", "Chess9LX"]);
        check(Chess960, &["Double Fischer Random", "Freestyle Chess", "960"]);
        check(Of(Atomic), &["Atomic", "atom", "Atomic Chess"]);
        check(Of(Crazyhouse), &["Crazyhouse", "Crazy House", "ZH"]);
        check(Of(Giveaway), &["Antichess", "Giveaway", "Give away Chess"]);
        check(Of(RacingKings), &["Racing Kings", "racingKings"]);
        check(Of(Atomic), &["Atomic960", "Atomic Chess 960"]);
        check(Of(KingOfTheHill), &["King of the Hill 960"]);
        check(Chess960, &["Standard 960", "Chess 960 Chess"]);
        check(Other(Unknown), &["Xiangqi", "Chess 3000", "Schach"]);
    }

    #[test]
    fn names_are_added_once() {
        let mut names = VariantNames::default();
        assert_eq!(names.add(b"House Rules", b"zh"), Ok(()));
        let mut refused = |name, other| names.add(name, other).expect_err("refused").to_string();
        assert_eq!(refused(b"Atom", b"Horde"), "'Atom' is a name of Atomic");
        assert_eq!(refused(b"x", b"Xiangqi"), "no variant is known as 'Xiangqi'");
        assert_eq!(refused(b"x", b"Bughouse"), "no variant is known as 'Bughouse'");
        let mut index = crate::TagIndex::default();
        let mut variant_of = |tag: &str| {
            let text = format!("[Variant \"{tag}\"]\n\n*");
            index.scan(text.as_bytes());
            names.variant_of(index.tags(text.as_bytes()))
        };
        assert_eq!(variant_of("house-rules"), Variant::Of(Rules::Crazyhouse));
        assert_eq!(variant_of("other rules"), Variant::Other(OtherVariant::Unknown));
        assert_eq!(variant_of("Atomic"), Variant::Of(Rules::Atomic));
    }
}
