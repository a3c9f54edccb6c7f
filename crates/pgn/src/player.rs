//! Compares names of players.
//!
//! Databases write the same player as `Capablanca, José Raúl`, `Capablanca, J.R.`, `Jose
//! Capablanca` and `CAPABLANCA J`. Therefore case and accents are ignored, `ae`, `oe` and `ue`
//! equal the vowels that they replace, and given names are compared as far as both are written.
//! Other spellings, such as `Kortschnoj` for `Korchnoi`, are recognized by their sound.

use crate::plain_words;

/// Words that belong to the surname after them.
const PARTICLES: [&str; 18] = [
    "al", "ben", "bin", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "el", "la",
    "le", "ten", "van", "von",
];

/// Name of a player, normalized for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Surname; empty for an unknown player.
    pub surname: String,
    given: Vec<String>,
}

impl Player {
    /// Parses the name of a player.
    #[must_use]
    pub fn of_name(name: &str) -> Player {
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
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.surname.is_empty()
    }

    /// Whether both may be the same player in different spellings: the surnames sound alike, and so
    /// do the first letters of the given names. Unknown players are nobody.
    #[must_use]
    pub fn may_be_spelled(&self, other: &Player) -> bool {
        let is_same = |(a, b): (&String, &String)| a.chars().next() == b.chars().next();
        !self.is_unknown()
            && !other.is_unknown()
            && self.given.iter().zip(&other.given).take(1).all(is_same)
            // The sound takes longer than the initials, which differ in most pairs.
            && sound(&self.surname) == sound(&other.surname)
    }

    /// Whether both may be the same player: the surnames are equal, and of each pair of given names
    /// one begins with the other, as initials do. An unknown player may be anyone.
    #[must_use]
    pub fn may_be(&self, other: &Player) -> bool {
        let is_same =
            |(a, b): (&String, &String)| a.starts_with(b.as_str()) || b.starts_with(a.as_str());
        self.is_unknown()
            || other.is_unknown()
            || self.surname == other.surname && self.given.iter().zip(&other.given).all(is_same)
    }
}

/// Consonants that sound alike in the transcriptions of names, and the letter that stands for them.
const ALIKE: [(&str, &str); 18] = [
    ("tsch", "h"),
    ("tch", "h"),
    ("sch", "h"),
    ("kh", "h"),
    ("ch", "h"),
    ("sh", "h"),
    ("cz", "h"),
    ("sz", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("tz", "z"),
    ("ts", "z"),
    ("c", "k"),
    ("q", "k"),
    ("w", "v"),
    ("x", "ks"),
    ("dj", "j"),
];

/// Returns the sound of a normalized name: consonants that are spelled differently are one letter,
/// vowels between them are `a`, and those at the end are left out. Short names keep their vowels.
fn sound(name: &str) -> String {
    const SHORT: usize = 5;
    let is_short = name.chars().count() <= SHORT;
    let mut rest = name;
    let mut sound = String::new();
    while let Some(letter) = rest.chars().next() {
        let alike = ALIKE.iter().find(|(spelled, _)| rest.starts_with(spelled));
        let (spelled, mut heard) = match alike {
            Some((spelled, heard)) => (spelled.len(), (*heard).to_owned()),
            None => (letter.len_utf8(), letter.to_string()),
        };
        let is_vowel = alike.is_none() && "aeiouyj".contains(letter);
        if is_vowel && !is_short {
            "a".clone_into(&mut heard);
        } else if matches!(letter, 'y' | 'j') {
            "i".clone_into(&mut heard);
        }
        if !sound.ends_with(&heard) {
            sound += &heard;
        }
        rest = &rest[spelled..];
    }
    if is_short { sound } else { sound.trim_end_matches('a').to_owned() }
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
        let spelled = |a: &str, b: &str, expected: bool| {
            let (first, second) = (Player::of_name(a), Player::of_name(b));
            assert_eq!(first.may_be_spelled(&second), expected, "{a} | {b}");
        };
        for (a, b) in [
            ("Korchnoi, Viktor", "Kortschnoj, V"),
            ("Korchnoi", "Victor Kortchnoy"),
            ("Alekhine, A", "Aljechin, Alexander"),
            ("Nimzowitsch", "Nimzovich, A"),
            ("Petrosian, T", "Petrosjan, Tigran"),
            ("Bogoljubow, E", "Bogolyubov"),
            ("Tal, M", "Thal, M"),
            ("Chigorin", "Tschigorin"),
            ("Carlsen, Magnus", "Carlsen, M"),
        ] {
            spelled(a, b, true);
        }
        for (a, b) in [
            ("Korchnoi, V", "Kortschnoj, I"),
            ("Tal, M", "Tolle, M"),
            ("Tal", "Tylo"),
            ("Karpov", "Kasparov"),
            ("Short", "Shirt, N"),
            ("Adams", "Adam"),
            ("?", "?"),
        ] {
            spelled(a, b, false);
        }
        for unknown in ["", "?", "NN", "N.N.", "N N"] {
            check(unknown, "Carlsen, M", true);
            assert!(Player::of_name(unknown).is_unknown(), "{unknown}");
        }
    }
}
