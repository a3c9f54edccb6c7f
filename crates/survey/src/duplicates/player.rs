//! Compares names of players.
//!
//! Databases write the same player as `Capablanca, José Raúl`, `Capablanca, J.R.`, `Jose
//! Capablanca` and `CAPABLANCA J`. Therefore case and accents are ignored, `ae`, `oe` and `ue`
//! equal the vowels that they replace, and given names are compared as far as both are written.

use pgn::plain_words;

/// Words that belong to the surname after them.
const PARTICLES: [&str; 18] = [
    "al", "ben", "bin", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "el", "la",
    "le", "ten", "van", "von",
];

/// Name of a player, normalized for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Player {
    /// Surname; empty for an unknown player.
    pub(super) surname: String,
    given: Vec<String>,
}

impl Player {
    /// Parses the name of a player.
    pub(super) fn of_name(name: &str) -> Player {
        let (surname, given) = match name.split_once(',') {
            Some((surname, given)) => (plain_words(surname), plain_words(given)),
            None => split_surname(plain_words(name)),
        };
        let surname = surname.concat();
        match (surname.as_str(), given.is_empty()) {
            ("nn", _) | ("n", false) => Player::default(),
            _ => Player { surname, given },
        }
    }

    /// Whether the player is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        self.surname.is_empty()
    }

    /// Whether both may be the same player: the surnames are equal, and of each pair of given names
    /// one begins with the other, as initials do. An unknown player may be anyone.
    pub(super) fn may_be(&self, other: &Player) -> bool {
        let is_same =
            |(a, b): (&String, &String)| a.starts_with(b.as_str()) || b.starts_with(a.as_str());
        self.is_unknown()
            || other.is_unknown()
            || self.surname == other.surname && self.given.iter().zip(&other.given).all(is_same)
    }
}

/// Splits a name without a comma: the surname is its last word, unless that is an initial.
fn split_surname(mut words: Vec<String>) -> (Vec<String>, Vec<String>) {
    let is_initial = |word: &String| word.chars().count() == 1;
    let n_initials = words.iter().rev().take_while(|word| is_initial(word)).count();
    if n_initials > 0 && n_initials < words.len() {
        let given = words.split_off(words.len() - n_initials);
        return (words, given);
    }
    let mut start = words.len().saturating_sub(1);
    while start > 1 && PARTICLES.contains(&words[start - 1].as_str()) {
        start -= 1;
    }
    let surname = words.split_off(start);
    (surname, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_same_player() {
        let check = |a: &str, b: &str, expected: bool| {
            let (first, second) = (Player::of_name(a), Player::of_name(b));
            assert_eq!(first.may_be(&second), expected, "{a} | {b}");
            assert_eq!(second.may_be(&first), expected, "{b} | {a}");
        };
        let capablanca = [
            "Capablanca, José Raúl",
            "Capablanca, J.R.",
            "Capablanca,J",
            "CAPABLANCA",
            "Jose Raul Capablanca",
            "Capablanca J R",
            "Capablanca, Jose\u{301}",
        ];
        for a in capablanca {
            for b in capablanca {
                check(a, b, true);
            }
        }
        check("Capablanca, R", "Capablanca, J", false);
        check("Karpov, Anatoly", "Karpov, Alexander", false);
        check("Karpov, A", "Karpov, Alexander", true);
        check("Müller, Karsten", "Mueller, K", true);
        check("Müller", "Muller", true);
        check("Jan van der Berg", "Van der Berg, J.", true);
        check("O'Kelly de Galway, A", "OKelly de Galway,Alberic", true);
        check("Nakamura", "Carlsen", false);
        for unknown in ["", "?", "NN", "N.N.", "N N"] {
            check(unknown, "Carlsen, M", true);
            assert!(Player::of_name(unknown).is_unknown(), "{unknown}");
        }
    }
}
