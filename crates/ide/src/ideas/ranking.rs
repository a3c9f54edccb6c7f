//! Weighs ideas by the words of a question: a word of the name or title counts more than one of the
//! sentence, and that more than one of the text.

use super::idea::{Idea, IdeaKind};
use super::question_words::{Asked, DECISIVE, GENERAL, SHORTEST, decides, parts, stems};

/// Weights of words of the title, of the sentence, and of the text.
pub(super) const WEIGHTS: [usize; 3] = [20, 6, 2];

/// Rarity of a word that about one idea of three hundred has.
pub(super) const RAREST: usize = 80;

impl Idea {
    /// Returns those of the words that the idea does not have.
    pub fn lacks<'w>(&self, words: &'w str) -> Vec<&'w str> {
        let of_words: Vec<Vec<String>> = parts(words).map(stems).collect();
        let all = of_words.concat();
        let mut at = 0;
        let lacks = |(word, stems): (&'w str, &Vec<String>)| {
            let own = at..at + stems.len();
            at = own.end;
            own.into_iter().any(|at| self.weight_at(&all, at) == 0).then_some(word)
        };
        parts(words).zip(&of_words).filter_map(lacks).collect()
    }

    /// Whether the idea answers the words in part: it has one that says what is meant, and does not
    /// lack half of them, one of which decides.
    pub(super) fn answers_in_part(&self, words: &str) -> bool {
        let says = |stem: &String| !GENERAL.contains(&stem.as_str());
        let said = parts(words).filter(|word| stems(word).iter().any(says));
        let lacking = self.lacks(words);
        let (lacked, had): (Vec<&str>, Vec<&str>) = said.partition(|word| lacking.contains(word));
        let is_decisive = |word: &&str| stems(word).iter().any(|stem| decides(stem));
        let is_other =
            lacked.len() >= 2 && lacked.len() >= had.len() && lacked.iter().any(is_decisive);
        !is_other && !had.iter().all(is_decisive)
    }

    /// Whether the idea has exactly these words as a name.
    pub(super) fn is_named(&self, asked: &Asked) -> bool {
        let one = asked.joined.strip_suffix('s').filter(|one| one.len() >= SHORTEST);
        self.names.iter().any(|name| *name == asked.joined || Some(name.as_str()) == one)
    }

    /// Whether the idea is a theme whose name begins with several of these words: `killboxmate`.
    pub(super) fn begins_with(&self, asked: &Asked) -> bool {
        let is_theme = matches!(self.kind, IdeaKind::Theme(_));
        is_theme && asked.stems.len() > 1 && self.title.starts_with(&asked.joined)
    }

    /// Whether the title, or the sentence of a theme, denies what these words say: `White never castled`
    /// for `white castles`.
    pub(super) fn denies(&self, asked: &Asked) -> bool {
        let denied = |pair: &[String]| pair[0] == "not" && asked.stems.contains(&pair[1]);
        // as in `no mate on the back rank`
        let is_theme = matches!(self.kind, IdeaKind::Theme(_));
        let says = self.stems[..if is_theme { 2 } else { 1 }].iter();
        self.is_prose(0)
            && !asked.stems.iter().any(|stem| stem == "not")
            && says.flat_map(|stems| stems.windows(2)).any(denied)
    }

    /// Whether the idea is a query for a player whom these words do not name.
    pub(super) fn names_another(&self, asked: &Asked) -> bool {
        let is_named = |name: &String| asked.stems.contains(name);
        self.title.starts_with("player") && !Asked::new(&self.title).names.iter().any(is_named)
    }

    /// Whether the title consists of some of these words.
    pub(super) fn has_title_of(&self, asked: &Asked) -> bool {
        !self.stems[0].is_empty() && self.stems[0].iter().all(|stem| asked.stems.contains(stem))
    }

    /// Whether a place has words about the whole idea: a long text has any word by chance, and a
    /// query has its own.
    fn is_prose(&self, place: usize) -> bool {
        match place {
            0 => self.kind != IdeaKind::Query,
            _ => place == 1,
        }
    }

    /// Whether the title or the sentence has a word.
    pub(super) fn is_about(&self, stem: &str) -> bool {
        let has = |own: &String| own == stem || stem.len() >= SHORTEST && own.contains(stem);
        self.stems[..2].iter().flatten().any(has)
    }

    /// Returns the weight of one of several words for the idea: 0 if it does not have it. A word
    /// such as *not* must stand beside the same word as there.
    pub(super) fn weight_at(&self, stems: &[String], at: usize) -> usize {
        let stem = &stems[at];
        let (before, next) = (at.checked_sub(1).and_then(|at| stems.get(at)), stems.get(at + 1));
        // *not* belongs to the word after it, if there is one.
        let beside = [before.filter(|_| stem != "not" || next.is_none()), next];
        let is_alone = self.stems[0] == [stem.as_str()] || beside == [None, None];
        let is_beside = |own: &Vec<String>| {
            own.windows(2).any(|pair| {
                if let ("not", Some(next)) = (stem.as_str(), next) {
                    return pair[0] == *stem && pair[1] == *next;
                }
                let other = if pair[0] == *stem { &pair[1] } else { &pair[0] };
                pair.contains(stem) && beside.contains(&Some(other))
            })
        };
        let mut prose = self.stems.iter().enumerate().filter(|(place, _)| self.is_prose(*place));
        let is_bound = DECISIVE.contains(&stem.as_str()) && !is_alone;
        if is_bound && !prose.any(|(_, own)| is_beside(own)) { 0 } else { self.weight(stem) }
    }

    /// Returns the weight of a word for the idea: 0 if it does not have it.
    pub(super) fn weight(&self, stem: &str) -> usize {
        let is_decisive = decides(stem);
        let weight = |(place, own): (usize, &Vec<String>)| {
            let begins_so = |word: &String| word.starts_with(stem) && word != "material";
            let begins = || own.iter().any(begins_so);
            if is_decisive && !self.is_prose(place) {
                0
            } else if own.iter().any(|own| own == stem) {
                WEIGHTS[place]
            } else if place == 0 && stem.len() >= SHORTEST && begins() {
                WEIGHTS[1]
            } else {
                0
            }
        };
        self.stems.iter().enumerate().map(weight).max().unwrap_or(0)
    }
}

/// An idea that has some of the words of a question.
pub(super) struct IdeaMatch<'i> {
    pub(super) idea: &'i Idea,
    /// Weight of each word of the question in the idea, and rarity of the word.
    pub(super) weights: Vec<(usize, usize)>,
    /// Weight of the whole title or name.
    pub(super) whole: usize,
    /// Whether it is an example with a player whom the question does not name.
    pub(super) names_another: bool,
}

impl IdeaMatch<'_> {
    /// Whether the idea has each of the words.
    pub(super) fn has(&self) -> impl Iterator<Item = bool> {
        self.weights.iter().map(|(weight, _)| *weight > 0)
    }

    /// Whether the idea has all words.
    pub(super) fn is_whole(&self) -> bool {
        self.has().all(|has| has)
    }

    /// Whether the name, title or sentence of the idea has each of the words, not its text alone.
    pub(super) fn is_about(&self) -> bool {
        self.weights.iter().all(|(weight, _)| *weight != WEIGHTS[2])
    }

    /// Returns the weight of all words that the idea has, and of its title.
    pub(super) fn weight(&self) -> usize {
        self.weights.iter().map(|(weight, _)| weight).sum::<usize>() + self.whole
    }

    /// Returns how rare the words are that the idea has; those of its title count most, and those in
    /// its text alone least.
    pub(super) fn rarity(&self) -> usize {
        let counted = |(weight, rarity): &(usize, usize)| match *weight {
            0 => 0,
            // A word that hardly any idea has decides, wherever it stands: `open cbv file`.
            _ if *rarity >= RAREST => 4 * rarity,
            weight if weight < WEIGHTS[1] => *rarity,
            weight if weight < WEIGHTS[0] => 2 * rarity,
            _ => 4 * rarity,
        };
        self.weights.iter().map(counted).sum()
    }
}

/// Returns the ideas by their weights, the greatest first, and by their kinds.
pub(super) fn in_order(mut found: Vec<IdeaMatch<'_>>) -> Vec<&Idea> {
    found.sort_by_cached_key(|one| {
        const MOST: usize = (1 << 20) - 1;
        let lightness = (MOST - one.weight().min(MOST)) as u32;
        u32::from(one.names_another) << 31 | lightness << 4 | one.idea.kind.rank() as u32
    });
    found.into_iter().map(|one| one.idea).collect()
}

/// Returns how much a word says that `n` of `total` ideas have: ten times its logarithm.
pub(super) fn rarity(n: usize, total: usize) -> usize {
    let share = total as f64 / n.max(1) as f64;
    (10.0 * share.log2()) as usize + 1
}
