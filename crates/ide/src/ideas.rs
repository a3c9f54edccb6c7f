//! Finds what the program can do by words: themes, recipes of the cookbook, queries for terms of
//! chess, words of the language, and sections of the manual.
//!
//! A search finds the ideas that have all its words, in any of their forms; if there are none, those
//! that have the rarest words. Names count more than titles, and titles more than texts.

mod composed;
mod languages;
mod meant;
mod numbers;
mod wishes;

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use syntax::library::LIBRARIES;
use syntax::parse::{Answer, is_slip, nearest, plain_title, terms, words_for_theme};

use crate::cookbook::{Recipe, recipes};
use crate::manual::{self, ManualBlock, Section, plain};
use crate::sample::{is_query, parse_sample};
use crate::words::words;
pub use composed::is_player;
use languages::in_english;
use meant::meant;
pub use meant::{material, meant_by_assignment, mended, of_men, of_move};
use numbers::in_digits;
pub use numbers::without_groups;
use wishes::{IN_VARIATIONS, OF_RECIPES, WISHES};

/// Kind of an idea. Of ideas that answer equally well, those of an earlier kind come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdeaKind {
    /// A recipe of the cookbook.
    Recipe(Recipe),
    /// A function of a library of themes, which has this name.
    Theme(&'static str),
    /// A query for a term of chess.
    Query,
    /// A word of the language.
    Word,
    /// A subcommand of the program.
    Subcommand,
    /// An option of the program.
    Option,
    /// A section of the manual: the title of its page, and its heading.
    Section(&'static str, Option<&'static str>),
}

/// Names of the kinds, by their ranks.
const NAMES: [&str; 7] = ["recipe", "theme", "query", "word", "subcommand", "option", "section"];

impl IdeaKind {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        NAMES[self.rank()]
    }

    fn rank(self) -> usize {
        match self {
            IdeaKind::Recipe(_) => 0,
            IdeaKind::Theme(_) => 1,
            IdeaKind::Query => 2,
            IdeaKind::Word => 3,
            IdeaKind::Subcommand => 4,
            IdeaKind::Option => 5,
            IdeaKind::Section(..) => 6,
        }
    }
}

impl Display for IdeaKind {
    /// Writes the name of the kind, with what a section is part of.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            IdeaKind::Section(page, Some(_)) => write!(f, "section of {}", plain(page)),
            IdeaKind::Section(_, None) => f.write_str("page"),
            kind => f.write_str(kind.name()),
        }
    }
}

/// Something that words can find.
#[derive(Debug, Clone)]
pub struct Idea {
    /// Its kind.
    pub kind: IdeaKind,
    /// Its title.
    pub title: String,
    /// Its purpose, in a sentence.
    pub line: String,
    /// The command that tries or shows it.
    pub command: String,
    /// Names by which it is found: in lower case, without blanks.
    names: Vec<String>,
    /// Stems of the words of the title, of the sentence, and of the text.
    stems: [Vec<String>; 3],
}

impl Idea {
    /// Returns an idea; `text` is searched, too, and not shown.
    pub fn new(kind: IdeaKind, title: &str, line: &str, text: &str, command: String) -> Idea {
        let stems = [stems(title), stems(line), stems(text)];
        let (title, line) = (title.to_owned(), line.to_owned());
        Idea { kind, title, line, command, names: Vec::new(), stems }
    }

    /// Returns a query to try it with; `None` if it is part of queries, or of none.
    pub fn query(&self) -> Option<String> {
        match self.kind {
            IdeaKind::Recipe(recipe) => Some(manual::installed(recipe.query)),
            IdeaKind::Theme(library) => Some(of_theme(library, &self.title)),
            IdeaKind::Query | IdeaKind::Word => is_query(&self.title).then(|| self.title.clone()),
            IdeaKind::Subcommand | IdeaKind::Option | IdeaKind::Section(..) => None,
        }
    }

    /// Returns the title of the page of the book about it, and the heading there.
    pub fn place(&self) -> Option<(&'static str, Option<&'static str>)> {
        match self.kind {
            IdeaKind::Recipe(recipe) => Some((recipe.theme, Some(recipe.title))),
            IdeaKind::Query | IdeaKind::Word => {
                manual::entry(&self.title).map(|entry| (entry.title, entry.section))
            }
            IdeaKind::Section(page, heading) => Some((page, heading)),
            IdeaKind::Theme(_) | IdeaKind::Subcommand | IdeaKind::Option => None,
        }
    }

    fn named(mut self, names: impl IntoIterator<Item = &'static str>) -> Idea {
        self.names.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// Adds other words for the idea: phrases separated by commas, each of which finds it.
    fn also(&mut self, phrases: &str) {
        self.names.extend(phrases.split(',').map(joined));
        self.stems[1].extend(stems(phrases));
    }

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
    fn answers_in_part(&self, words: &str) -> bool {
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
    fn is_named(&self, asked: &Asked) -> bool {
        let one = asked.joined.strip_suffix('s').filter(|one| one.len() >= SHORTEST);
        self.names.iter().any(|name| *name == asked.joined || Some(name.as_str()) == one)
    }

    /// Whether the idea is a theme whose name begins with several of these words: `killboxmate`.
    fn begins_with(&self, asked: &Asked) -> bool {
        let is_theme = matches!(self.kind, IdeaKind::Theme(_));
        is_theme && asked.stems.len() > 1 && self.title.starts_with(&asked.joined)
    }

    /// Whether the title denies what these words say: `White never castled` for `white castles`.
    fn denies(&self, asked: &Asked) -> bool {
        let denied = |pair: &[String]| pair[0] == "not" && asked.stems.contains(&pair[1]);
        self.is_prose(0)
            && !asked.stems.iter().any(|stem| stem == "not")
            && self.stems[0].windows(2).any(denied)
    }

    /// Whether the idea is a query for a player whom these words do not name.
    fn names_another(&self, asked: &Asked) -> bool {
        let is_named = |name: &String| asked.stems.contains(name);
        self.title.starts_with("player") && !Asked::new(&self.title).names.iter().any(is_named)
    }

    /// Whether the title consists of some of these words.
    fn has_title_of(&self, asked: &Asked) -> bool {
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
    fn is_about(&self, stem: &str) -> bool {
        let has = |own: &String| own == stem || stem.len() >= SHORTEST && own.contains(stem);
        self.stems[..2].iter().flatten().any(has)
    }

    /// Returns the weight of one of several words for the idea: 0 if it does not have it. A word
    /// such as *not* must stand beside the same word as there.
    fn weight_at(&self, stems: &[String], at: usize) -> usize {
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
        let is_bound = BINDING.contains(&stem.as_str()) && !is_alone;
        if is_bound && !prose.any(|(_, own)| is_beside(own)) { 0 } else { self.weight(stem) }
    }

    /// Returns the weight of a word for the idea: 0 if it does not have it.
    fn weight(&self, stem: &str) -> usize {
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

/// Weights of words of the title, of the sentence, and of the text.
const WEIGHTS: [usize; 3] = [20, 6, 2];

/// An idea that has some of the words of a question.
struct IdeaMatch<'i> {
    idea: &'i Idea,
    /// Weight of each word of the question in the idea, and rarity of the word.
    weights: Vec<(usize, usize)>,
    /// Weight of the whole title or name.
    whole: usize,
    /// Whether it is an example with a player whom the question does not name.
    names_another: bool,
}

impl IdeaMatch<'_> {
    /// Whether the idea has each of the words.
    fn has(&self) -> impl Iterator<Item = bool> {
        self.weights.iter().map(|(weight, _)| *weight > 0)
    }

    /// Whether the idea has all words.
    fn is_whole(&self) -> bool {
        self.has().all(|has| has)
    }

    /// Returns the weight of all words that the idea has, and of its title.
    fn weight(&self) -> usize {
        self.weights.iter().map(|(weight, _)| weight).sum::<usize>() + self.whole
    }

    /// Returns how rare the words are that the idea has; those of its title count most, and those in
    /// its text alone least.
    fn rarity(&self) -> usize {
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

/// Rarity of a word that about one idea of three hundred has.
const RAREST: usize = 80;

/// Minimum length of a stem, and of the beginning of a word.
const SHORTEST: usize = 4;

/// All ideas.
#[derive(Debug, Clone)]
pub struct Index(Vec<Idea>);

impl Index {
    /// Returns the recipes and themes alone.
    pub fn of_queries() -> Index {
        let mut ideas: Vec<Idea> = recipes().map(of_recipe).collect();
        for library in &LIBRARIES {
            ideas.extend(library.functions().map(|(name, says)| {
                let command = search(&of_theme(library.name, name));
                let says = says.trim_end_matches('.');
                let must_say = library.must_pay(name) && !says.ends_with("pays");
                let says = if must_say { format!("{says}, and it pays") } else { says.to_owned() };
                let idea = Idea::new(IdeaKind::Theme(library.name), name, &says, "", command);
                idea.named(std::iter::once(name).chain(words_for_theme(name)))
            }));
        }
        Index(ideas)
    }

    /// Returns the ideas of the language and its book; `pages` are further pages of the manual.
    pub fn new(pages: &[(&'static str, &'static str)]) -> Index {
        let Index(mut ideas) = Index::of_queries();
        let is_whole = |cql| parse_sample(cql).diagnostics.is_empty();
        ideas.extend(terms().filter_map(|(names, answer)| match answer {
            Answer::Advice(help, Some(cql)) if is_whole(cql) => {
                // The sentence of a word of the language says more than "mate is mate".
                let word = words().iter().find(|word| word.keyword.text() == cql);
                let line = word.map_or_else(|| help.replace('`', ""), |word| word.sentence.clone());
                Some(of_query(cql, &line).named(names.split(' ')))
            }
            _ => None,
        }));
        let mut index = Index(ideas);
        for &(cql, line, phrases) in WISHES {
            // A term may have the same query, as `mate` has.
            if !index.also(&search(cql), phrases) {
                index.add([of_query(cql, line)]);
                index.also(&search(cql), phrases);
            }
        }
        let Index(mut ideas) = index;
        ideas.extend(IN_VARIATIONS.iter().map(|&(cql, line, phrases)| {
            let command = format!("cql games.pgn --variations -cql '{cql}'");
            let mut idea = Idea::new(IdeaKind::Query, cql, line, "", command);
            idea.also(phrases);
            idea
        }));
        ideas.extend(words().iter().map(|word| {
            let text = word.keyword.text();
            Idea::new(IdeaKind::Word, text, &word.sentence, "", format!("cql help {text}"))
        }));
        // Other names of words that need more to be a query.
        let mut index = Index(ideas);
        for (names, answer) in terms() {
            if let Answer::Advice(_, Some(cql)) = answer
                && !is_whole(cql)
            {
                index.also(&format!("cql help {cql}"), &names.replace(' ', ","));
            }
        }
        let Index(mut ideas) = index;
        let sections: Vec<_> = manual::all_sections(pages).collect();
        ideas.extend(sections.iter().map(|&(page, ref section)| {
            let title = plain(section.title.unwrap_or(page));
            let text = section.blocks.iter().find_map(|block| match block {
                ManualBlock::Text(lines) if !lines[0].starts_with('!') => {
                    Some(plain(&lines.join(" ")))
                }
                _ => None,
            });
            let text = text.unwrap_or_default();
            let line = first_sentence(&text).to_owned();
            // A section is found by the title of its page, too, and a page by its headings.
            let others = match section.title {
                Some(_) => page.to_owned(),
                None => headings(&sections, page),
            };
            let text = format!("{text} {}", plain(&others));
            let command = format!("cql help {}", plain_title(&title));
            let kind = IdeaKind::Section(page, section.title);
            Idea::new(kind, &title, &line, &text, command)
        }));
        Index(ideas)
    }

    /// Writes the numbers in a question in place of those of queries with as many limits of the same
    /// kind: `elo >= 2700` for `rated over 2700`.
    pub fn fill(&mut self, question: &str) {
        let Some(asked) = Limits::of_question(question) else {
            return;
        };
        for idea in self.0.iter_mut().filter(|idea| idea.kind == IdeaKind::Query) {
            let Some(own) = asked.of_query(&idea.title) else {
                continue;
            };
            let renumbered = |text: &str| {
                let parts =
                    text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
                let parts = parts.map(|part| {
                    let at = own.iter().position(|own| own.as_bytes() == part);
                    at.map_or(part, |at| asked.numbers[at].as_bytes())
                });
                String::from_utf8_lossy(&parts.collect::<Vec<_>>().concat()).into_owned()
            };
            let texts = [&mut idea.title, &mut idea.line, &mut idea.command].into_iter();
            let stems = idea.stems.iter_mut().flatten();
            for text in texts.chain(&mut idea.names).chain(stems) {
                *text = renumbered(text);
            }
        }
    }

    /// Adds ideas that the language does not know, such as options.
    pub fn add(&mut self, ideas: impl IntoIterator<Item = Idea>) {
        self.0.extend(ideas);
    }

    /// Adds other words for the last idea with this command: phrases separated by commas.
    ///
    /// Returns whether there is such an idea.
    pub fn also(&mut self, command: &str, phrases: &str) -> bool {
        let mut ideas = self.0.iter_mut().rev();
        let named = ideas.find(|idea| idea.command == command);
        named.map(|idea| idea.also(phrases)).is_some()
    }

    /// Returns the words with every one that no idea has replaced by the nearest one that ideas
    /// have; `None` if all are known, or one is near to none.
    pub fn nearest(&self, words: &str) -> Option<String> {
        // The signs of a query cut words: `[Cc]hampion`.
        let in_words = self.0.iter().filter(|idea| idea.kind != IdeaKind::Query);
        let titles: Vec<String> = in_words.map(|idea| idea.title.to_lowercase()).collect();
        let parts = titles.iter().flat_map(|title| title.split(|c: char| !c.is_alphabetic()));
        let mut known: Vec<&str> = parts.filter(|word| word.len() >= SHORTEST).collect();
        known.extend(self.0.iter().flat_map(|idea| &idea.names).map(String::as_str));
        let mut changed = false;
        let mut near = Vec::new();
        for word in words.split_whitespace() {
            let is_known = |stem: &String| {
                self.0.iter().any(|idea| idea.stems.iter().any(|own| own.contains(stem)))
            };
            if stems(word).iter().all(is_known) {
                near.push(word);
            } else {
                near.push(nearest(word, known.iter().copied()).filter(|near| is_slip(word, near))?);
                changed = true;
            }
        }
        changed.then(|| near.join(" "))
    }

    /// Returns a question in German or French in English: `queen sacrifice` for `Damenopfer`. `None` if
    /// ideas have all of its words as they are.
    pub fn in_english(&self, question: &str) -> Option<String> {
        let (english, is_whole) = in_english(question)?;
        let is_known = if is_whole {
            // An idea may have the word by chance, as the beginning of one: `Patt` of `pattern`.
            self.is_named(question) || self.is_titled(question)
        } else {
            !self.find_whole(question).is_empty()
        };
        (!is_known).then_some(english)
    }

    /// Whether an idea has exactly these words as a name.
    pub fn is_named(&self, words: &str) -> bool {
        let asked = Asked::new(words);
        self.0.iter().any(|idea| idea.is_named(&asked))
    }

    /// Whether a recipe or a theme has all these words in its title.
    pub fn is_titled(&self, words: &str) -> bool {
        let asked = Asked::new(words);
        let has_all = |idea: &Idea| asked.stems.iter().all(|stem| idea.stems[0].contains(stem));
        let mut queries = self.0.iter().filter(|idea| idea.kind.rank() < IdeaKind::Query.rank());
        !asked.stems.is_empty() && queries.any(has_all)
    }

    /// Answers a question: returns the ideas that have its words, or answer it in part, the best
    /// first, and the words that they lack. The number of the question is filled in, and a query for
    /// its pieces comes first. A question in German or French is answered in English.
    pub fn answer(&self, question: &str) -> (Vec<Idea>, Vec<String>) {
        let question = &*self.asked(question);
        if let Some(english) = self.in_english(question) {
            return self.answer(&english);
        }
        let filled = parts(question).any(is_number).then(|| {
            let mut filled = self.clone();
            filled.fill(question);
            filled
        });
        let index = filled.as_ref().unwrap_or(self);
        let (found, mut lacking) = index.find_in_part(question);
        let mut found: Vec<Idea> = found.into_iter().cloned().collect();
        let meant = index.meant(question);
        if !meant.is_empty() && !lacking.is_empty() {
            // The queries have all of the words, and the rest only some.
            (found, lacking) = (Vec::new(), Vec::new());
        }
        found.splice(0..0, meant);
        (found, lacking.into_iter().map(str::to_owned).collect())
    }

    /// Returns a question as it is understood: its numbers are digits alone, or `N` where an idea is called
    /// so, as in `top N`, and the words that only
    /// ask are gone, as in `show me all smothered mates`, unless an idea is called so, or it is a
    /// query: `find 2 {check}`.
    pub fn asked(&self, question: &str) -> String {
        let question = &*in_digits(question);
        // as in `1000 games` and `top 50`, but not in `1990 games`
        let counted = with_n(question);
        let is_year = |word: &str| word.parse().is_ok_and(|n: u32| (1400..=2100).contains(&n));
        let may_be_years = counted == "N games" && parts(question).any(is_year);
        if counted != question && !may_be_years && self.is_named(&counted) {
            return counted;
        }
        let asks = |words: &&&str| {
            question.get(..words.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(words))
        };
        match ASKING.iter().find(asks) {
            Some(words) if !self.is_named(question) && !is_query(question) => {
                question[words.len()..].trim_start().to_owned()
            }
            _ => question.to_owned(),
        }
    }

    /// Returns the queries that a question means as a whole, unless an idea is called so: as in `bishop
    /// on h6`.
    pub fn meant(&self, question: &str) -> Vec<Idea> {
        if self.is_named(question) { Vec::new() } else { meant(question) }
    }

    /// Returns the ideas that have all these words, the best first.
    pub fn find_whole(&self, words: &str) -> Vec<&Idea> {
        let mut found = self.answers(&Asked::new(words));
        found.retain(IdeaMatch::is_whole);
        in_order(found)
    }

    /// Returns the ideas that have all these words, the best first; if there is none, those that
    /// have the rarest of several words.
    pub fn find(&self, words: &str) -> Vec<&Idea> {
        let mut found = self.answers(&Asked::new(words));
        let best = found.iter().max_by_key(|one| (one.is_whole(), one.rarity(), one.weight()));
        if let Some(best) = best {
            let has: Vec<bool> = best.has().collect();
            found.retain(|one| one.has().eq(has.iter().copied()));
        }
        in_order(found)
    }

    /// Returns the ideas that have all these words, the best first; if there is none, those that
    /// answer the words in part, with the words that they lack. Words after `without` or `not` leave
    /// ideas out: `check without discovered`.
    pub fn find_in_part<'w>(&self, words: &'w str) -> (Vec<&Idea>, Vec<&'w str>) {
        let whole = self.find_whole(words);
        if !whole.is_empty() {
            return (whole, Vec::new());
        }
        if let Some((wanted, left_out)) = left_out(words) {
            let (mut found, mut lacking) = self.find_in_part(wanted);
            let unwanted: Vec<String> =
                stems(left_out).into_iter().filter(|stem| stem != "not").collect();
            found.retain(|idea| !unwanted.iter().any(|stem| idea.is_about(stem)));
            lacking.push(left_out);
            return (found, lacking);
        }
        let mut found = self.find(words);
        found.retain(|idea| idea.answers_in_part(words));
        if found.is_empty() {
            // Those that lack only one word, which decides: `black castles queenside`.
            let asked = Asked::new(words);
            let is_decisive = |word: &str| stems(word).iter().any(|stem| decides(stem));
            let n_decisive = parts(words).filter(|word| is_decisive(word)).count();
            found = if n_decisive == 1 { in_order(self.answers(&asked)) } else { Vec::new() };
            found.retain(|idea| match idea.lacks(words)[..] {
                [one] => is_decisive(one) && idea.answers_in_part(words),
                _ => false,
            });
            let first = found.first().map(|idea| idea.lacks(words));
            found.retain(|idea| Some(idea.lacks(words)) == first);
        }
        let mut lacking = match found.first() {
            Some(first) => first.lacks(words),
            None => words.split_whitespace().collect(),
        };
        lacking.dedup();
        // A number without the word that compares it would say the opposite: `over 50 moves`.
        let compares = |word: &&str| COMPARING.contains(&plain_letters(word).as_str());
        if lacking.iter().any(compares) && parts(words).any(is_number) {
            return (Vec::new(), words.split_whitespace().collect());
        }
        (found, lacking)
    }

    /// Returns all ideas that have some of the words.
    fn answers(&self, asked: &Asked) -> Vec<IdeaMatch<'_>> {
        let weights = |idea: &Idea| -> Vec<usize> {
            (0..asked.stems.len()).map(|at| idea.weight_at(&asked.stems, at)).collect()
        };
        let all: Vec<(&Idea, Vec<usize>)> =
            self.0.iter().map(|idea| (idea, weights(idea))).collect();
        let rarities: Vec<usize> = (0..asked.stems.len())
            .map(|at| {
                if GENERAL.contains(&asked.stems[at].as_str()) {
                    return 1;
                }
                let n = all.iter().filter(|(_, weights)| weights[at] > 0).count();
                let rarity = rarity(n, all.len());
                let stem = &asked.stems[at];
                let is_common = asked.names.contains(stem) || decides(stem);
                if is_common { rarity.min(RAREST - 1) } else { rarity }
            })
            .collect();
        let found = all.into_iter().filter_map(|(idea, mut weights)| {
            if idea.denies(asked) {
                return None;
            }
            if weights.iter().any(|weight| *weight > 0) {
                // Every query is about games and the board.
                let asides = asked.stems.iter().zip(&mut weights);
                let is_aside = |stem: &str| matches!(stem, "game" | "board");
                asides.filter(|(stem, _)| is_aside(stem)).for_each(|(_, weight)| {
                    *weight = (*weight).max(1);
                });
            }
            let whole = if idea.is_named(asked) {
                weights.fill(WEIGHTS[0]);
                1000
            } else if idea.begins_with(asked) {
                weights.fill(WEIGHTS[0]);
                WEIGHTS[0]
            } else if idea.has_title_of(asked) {
                WEIGHTS[0]
            } else {
                0
            };
            let weights = weights.into_iter().zip(rarities.iter().copied()).collect();
            let names_another = whole == 0 && idea.names_another(asked);
            let found = IdeaMatch { idea, weights, whole, names_another };
            let has_some = found.has().any(|has| has);
            has_some.then_some(found)
        });
        found.collect()
    }
}

/// Returns the ideas by their weights, the greatest first, and by their kinds.
fn in_order(mut found: Vec<IdeaMatch<'_>>) -> Vec<&Idea> {
    found.sort_by_cached_key(|one| {
        (one.names_another, std::cmp::Reverse(one.weight()), one.idea.kind.rank())
    });
    found.into_iter().map(|one| one.idea).collect()
}

/// Returns how much a word says that `n` of `total` ideas have: ten times its logarithm.
fn rarity(n: usize, total: usize) -> usize {
    let share = total as f64 / n.max(1) as f64;
    (10.0 * share.log2()) as usize + 1
}

/// The numbers of a question, and what they can be.
struct Limits<'q> {
    /// The numbers, each once.
    numbers: Vec<&'q str>,
    /// Whether they can be years, ratings, differences of ratings, numbers of moves, and seconds.
    are: [bool; 5],
    /// The sign that its words mean, if they mean one: `before` is less, `over` is more.
    sign: Option<&'static str>,
}

impl<'q> Limits<'q> {
    fn of_question(question: &'q str) -> Option<Limits<'q>> {
        let mut numbers: Vec<&str> = parts(question).filter(|part| is_number(part)).collect();
        numbers.dedup();
        let words: Vec<String> = parts(question).map(plain_letters).collect();
        let says = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
        let begin = |with: &str| words.iter().any(|word| word.starts_with(with));
        let all_in = |range: std::ops::RangeInclusive<u32>| {
            numbers.iter().all(|n| n.parse().is_ok_and(|n| range.contains(&n)))
        };
        let says_rating = begin("elo") || begin("rat");
        let says_when = says(&["in", "after", "before", "since", "from", "between", "until"]);
        // as in `after 2010`, but not in `over 2010`
        let says_year = !says_rating && (says_when || begin("year"));
        let can_be_years = !says_rating && !says(&["over", "above", "under", "below", "least"]);
        let are = [
            (says_year || can_be_years) && all_in(1400..=2100),
            !(says_year && all_in(1400..=2100)) && all_in(1000..=3500),
            all_in(1..=999),
            begin("move") && all_in(0..=9999),
            begin("second") && all_in(0..=9999),
        ];
        let is_less = says(&["before", "under", "below", "less", "fewer", "until"]);
        let is_more = says(&["after", "over", "above", "more", "since", "least"]);
        let sign = match (is_less, is_more) {
            (true, false) => Some("<"),
            (false, true) => Some(">"),
            (false, false) if says(&["on"]) => Some("="),
            _ => None,
        };
        (!numbers.is_empty()).then_some(Limits { numbers, are, sign })
    }

    /// Returns the limits in a query that the numbers of the question can replace.
    fn of_query(&self, query: &str) -> Option<Vec<String>> {
        let words: Vec<&str> = query.split([' ', '{', '}']).collect();
        let is_limit = |pair: &&[&str]| {
            matches!(pair[0], "<" | "<=" | "==" | ">=" | ">")
                && !pair[1].is_empty()
                && is_number(pair[1])
        };
        let mut own: Vec<&str> = words.windows(2).filter(is_limit).map(|pair| pair[1]).collect();
        own.dedup();
        let is = |name: &str| words.iter().any(|word| word.trim_start_matches('(') == name);
        let is_difference = own.iter().all(|own| own.len() < 4);
        let kind = match () {
            () if is("year") => 0,
            () if is("elo") && is_difference => 2,
            () if is("elo") => 1,
            () if is("ply") || is("movenumber") => 3,
            () if is("clock") => 4,
            () => return None,
        };
        let goes =
            |sign: &str| words.windows(2).any(|pair| is_limit(&pair) && pair[0].starts_with(sign));
        let has_other = match self.sign {
            Some(sign) => !goes(sign) && (goes("<") || goes(">") || goes("=")),
            None => false,
        };
        let is_meant = self.are[kind] && own.len() == self.numbers.len() && !has_other;
        is_meant.then(|| own.into_iter().map(str::to_owned).collect())
    }
}

/// Returns the words of a question before the first *without* or *not*, and those from there.
fn left_out(words: &str) -> Option<(&str, &str)> {
    let not = parts(words).find(|word| stem(&plain_letters(word)) == "not")?;
    let at = not.as_ptr() as usize - words.as_ptr() as usize;
    let (wanted, left_out) = words.split_at(at);
    let are_both = !stems(wanted).is_empty() && left_out.len() > not.len();
    are_both.then(|| (wanted.trim_end(), left_out))
}

/// Returns a question with `N` in place of each number.
fn with_n(question: &str) -> String {
    let words = question
        .split(' ')
        .map(|word| if is_number(word) && !word.is_empty() { "N" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the words of a text; hyphens and commas are blanks.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    text.split(move |c: char| !is_part(c)).filter(|part| !part.is_empty())
}

/// Returns the headings of the page with this title.
fn headings(sections: &[(&str, Section<'static>)], title: &str) -> String {
    let sections = sections.iter().filter(|(page, _)| *page == title);
    sections.filter_map(|(_, section)| section.title).collect::<Vec<_>>().join(" ")
}

fn of_recipe(recipe: Recipe) -> Idea {
    let text = plain(&recipe.text.replace('\n', " "));
    let command = format!("cql cookbook {} | cql - games.pgn", plain_title(recipe.title));
    let is_answer = |answer| answer == Answer::Recipe(recipe.title);
    let names = terms().filter(|(_, answer)| is_answer(*answer));
    let names = names.flat_map(|(names, _)| names.split(' '));
    let kind = IdeaKind::Recipe(recipe);
    let mut idea =
        Idea::new(kind, recipe.title, first_sentence(&text), &text, command).named(names);
    let phrases = OF_RECIPES.iter().filter(|(title, _)| *title == recipe.title);
    phrases.for_each(|(_, phrases)| idea.also(phrases));
    idea
}

/// Returns the query for a theme of a library.
fn of_theme(library: &str, name: &str) -> String {
    format!("import \"{library}\" {name}()")
}

/// Returns the command that searches with a short query.
fn search(query: &str) -> String {
    format!("cql games.pgn -cql {}", quoted(query))
}

/// Returns a text in quotes of the shell.
pub fn quoted(text: &str) -> String {
    if text.contains('\'') {
        format!("\"{}\"", text.replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}

/// Returns the idea of a short query.
pub fn of_query(query: &str, line: &str) -> Idea {
    Idea::new(IdeaKind::Query, query, line, "", search(query))
}

fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").or_else(|| text.find(": ")).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':'])
}

/// Words of a search.
struct Asked {
    joined: String,
    stems: Vec<String>,
    /// Stems of the words with a capital letter: names, which examples have by chance.
    names: Vec<String>,
}

impl Asked {
    fn new(words: &str) -> Asked {
        let names = parts(words).filter(|word| word.starts_with(char::is_uppercase));
        let names = names.flat_map(stems).collect();
        Asked { joined: joined(words), stems: stems(words), names }
    }
}

/// Returns the letters and digits of a text, in lower case and without accents.
fn joined(text: &str) -> String {
    plain_letters(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Letters with accents, and the letter without.
const ACCENTS: &[(&str, char)] = &[
    ("áàâäãå", 'a'),
    ("çćč", 'c'),
    ("éèêë", 'e'),
    ("íìîï", 'i'),
    ("ñń", 'n'),
    ("óòôöõøő", 'o'),
    ("śš", 's'),
    ("úùûüű", 'u'),
    ("ý", 'y'),
    ("źžż", 'z'),
];

/// Returns a text in lower case, without accents.
fn plain_letters(text: &str) -> String {
    let plain = |letter: char| {
        let row = ACCENTS.iter().find(|(letters, _)| letters.contains(letter));
        row.map_or(letter, |(_, plain)| *plain)
    };
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.to_lowercase().chars().map(plain).collect()
    }
}

/// Words that say little.
const LITTLE: &[&str] = &[
    "a", "an", "and", "are", "at", "by", "can", "do", "does", "for", "from", "how", "i", "in",
    "is", "it", "me", "my", "of", "on", "that", "the", "to", "what", "when", "where", "which",
    "with", "all", "any", "as", "be", "have", "has", "his", "her", "its", "than", "then", "there",
    "this", "was", "were", "but", "yet", "who", "whose", "did",
];

/// Stems of words that do not say on their own what is meant.
const GENERAL: &[&str] = &[
    "best", "first", "most", "often", "chess", "find", "game", "get", "leav", "move", "play",
    "player", "position", "query", "result", "task", "them", "up",
];

/// Words with which a question begins, and which are no part of what is asked.
const ASKING: &[&str] = &[
    "show me ",
    "show ",
    "find me ",
    "find ",
    "give me ",
    "list ",
    "search for ",
    "look for ",
    "i want ",
    "i need ",
    "how do i find ",
    "how can i find ",
    "how to find ",
    "where are ",
];

/// Stems of words that change what all others mean: an idea has them only if it is about them.
const DECISIVE: &[&str] =
    &["not", "or", "both", "whit", "black", "two", "thre", "four", "five", "six", "seven", "eight"];

/// Stems of words that change what the word beside them means.
const BINDING: &[&str] = &["not", "or", "both", "whit", "black"];

/// Words that compare a number.
const COMPARING: &[&str] = &[
    "above", "after", "before", "below", "fewer", "least", "less", "more", "over", "since",
    "under", "until",
];

/// Whether a stem changes what all other words mean.
fn decides(stem: &str) -> bool {
    DECISIVE.contains(&stem) || is_number(stem) || is_square(stem)
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// Words with the same meaning for a player; the first represents the others.
const SAME: &[&[&str]] = &[
    &["exchange", "trade", "swap"],
    &["endgame", "ending"],
    &["walk", "march"],
    &["color", "colour"],
    &["colored", "coloured"],
    &["sacrifice", "sac"],
    &["draw", "drawn"],
    &["lost", "loss", "lose", "forfeit"],
    &["won", "win"],
    &["two", "2"],
    &["three", "3"],
    &["four", "4"],
    &["mate", "mating", "checkmate", "mated"],
    &["seventh", "7th"],
    &["above", "over", "after"],
    &["below", "under", "before"],
    &["against", "versus", "vs"],
    &["not", "never", "no", "without"],
    &["blunder", "mistake", "error"],
    &["mutual", "reciprocal"],
    &["series", "sequence"],
];

/// Returns the stems of the words of a text, without those that say little.
fn stems(text: &str) -> Vec<String> {
    let mut text = plain_letters(text);
    text.retain(|c| !matches!(c, '\'' | '’'));
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !LITTLE.contains(word));
    let mut stems: Vec<String> = words.map(|word| stem(word).to_owned()).collect();
    stems.dedup();
    stems
}

/// Returns a word without its ending: the same for *sacrifices* and *sacrificed*.
fn stem(word: &str) -> &str {
    /// Stems of words, each with the one that represents it.
    static SAME_STEMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let rows = SAME.iter().rev();
        rows.flat_map(|same| same.iter().map(|one| (cut(one), cut(same[0])))).collect()
    });
    let stem = cut(word);
    SAME_STEMS.get(stem).copied().unwrap_or(stem)
}

/// Cuts the longest ending off a word.
fn cut(word: &str) -> &str {
    let endings = ["ions", "ion", "ing", "ed", "es", "s", "e"];
    let cut = endings.iter().filter_map(|ending| word.strip_suffix(ending));
    cut.filter(|rest| rest.len() >= SHORTEST).min_by_key(|rest| rest.len()).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cookbook::recipe;

    #[test]
    fn the_line_of_a_recipe_is_its_first_sentence() {
        for recipe in recipes() {
            let line = of_recipe(recipe).line;
            let text = plain(&recipe.text.replace('\n', " "));
            let is_sentence = text[line.len()..].starts_with('.');
            assert!(is_sentence, "{}: a list, or cut at a colon: {line}", recipe.title);
            assert!(line.chars().count() <= 110, "{}: {line}", recipe.title);
        }
        let says = |title: &str| recipe(title).map(|recipe| of_recipe(recipe).line);
        let storm = says("pawn storm").unwrap_or_default();
        assert!(storm.contains("With queens") && storm.contains("fourth rank"), "{storm}");
    }

    #[test]
    fn ideas_of_chess_players_are_found() {
        let index = Index::new(&[]);
        let check = |words: &str, expected: &str| {
            let found = index.find(words);
            let first: Vec<&str> = found.iter().take(3).map(|idea| idea.title.as_str()).collect();
            assert_eq!(first.first(), Some(&expected), "{words}: {first:?}");
        };
        check("sacrifice", "Exchange sacrifice");
        check("fork", "Knight fork");
        check("zugzwang", "A zugzwang to look at");
        check("opposite colored bishops", "Opposite-colored bishops");
        check("king walk", "March of the king");
        check("lost on time", "Lost on time");
        check("mate in 2", "Mate in two");
        check("exchange sacrifice", "Exchange sacrifice");
        check("opposite side castling", "Opposite castling");
        check("stalemate", "stalemate");
        check("rook endgame", "rookendgame");
        check("underpromotion", "Underpromotion");
        check("queen trade", "Queens exchanged early");
        check("passed pawn", "passedpawn");
        check("smothered mate", "Smothered mate");
        check("isolated queen's pawn", "Isolated queen's pawn");
        check("Lucena's position", "Lucena's position");
        check("Maroczy bind", "Maróczy bind");
        check("trebuchet", "Mutual zugzwang: the trébuchet");
        assert!(index.find("nosuchtheme").is_empty());
        // The rarest words are kept.
        check("nosuchtheme nosuchidea nosuchword stalemate", "stalemate");
        check("switchback with a rook", "Switchback");
        check("queen to the outpost", "Knight on an outpost");
        assert!(index.find("").is_empty());
    }

    #[test]
    fn ideas_are_tried_and_read_about() {
        let index = Index::new(&[]);
        let check = |words: &str, query: Option<&str>, page: Option<&str>| {
            let idea = index.find(words)[0];
            let tried = idea.query();
            assert_eq!(tried.as_deref().and_then(|query| query.lines().next()), query, "{words}");
            assert_eq!(idea.place().map(|place| place.0), page, "{words}");
        };
        check("knight fork", Some("flipcolor {"), Some("Tactics"));
        check("rook endgame", Some("import \"themes\" rookendgame()"), None);
        check("stalemate", Some("stalemate"), Some("Board and pieces"));
        check("attacks", None, Some("Attacks, rays, directions"));
        let section =
            index.0.iter().find(|idea| matches!(idea.kind, IdeaKind::Section(_, Some(_))));
        let section = section.expect("a section");
        assert_eq!(section.query(), None);
        assert!(section.place().is_some_and(|(_, heading)| heading.is_some()));
        for idea in &index.0 {
            let query = idea.query();
            assert!(query.is_none_or(|query| parse_sample(&query).is_ok()), "{idea:?}");
        }
    }

    #[test]
    fn wishes_in_plain_words_are_found() {
        let index = Index::new(&[]);
        let check = |words: &str, expected: &str| {
            let found = index.find(words);
            let first: Vec<&str> = found.iter().take(3).map(|idea| idea.title.as_str()).collect();
            assert!(first.iter().any(|title| title.contains(expected)), "{words}: {first:?}");
        };
        check("outpost", "square x in N");
        check("knights on outposts", "square x in N");
        check("rook endgames with an extra pawn", "endgame \"rook\"");
        check("extra pawn", "#P == #p + 1");
        check("mate with two knights", "N -> anydirection 0 1 k");
        check("positional draw", "repetition >= 2");
        check("castling as last move", "terminal");
        check("underpromotion with check", "--=[NBR]");
        check("player as white in a year", "player white");
        for (cql, line, phrases) in WISHES.iter().chain(IN_VARIATIONS) {
            assert!(parse_sample(cql).diagnostics.is_empty(), "{cql}");
            assert!(!line.ends_with('.') && !phrases.is_empty(), "{cql}");
        }
        for (title, phrases) in OF_RECIPES {
            for phrase in phrases.split(',') {
                let found = index.find(phrase);
                assert!(found.iter().any(|idea| idea.title == *title), "{phrase}: {title}");
            }
        }
    }

    #[test]
    fn what_is_left_out_is_said() {
        let index = Index::new(&[]);
        for (words, left_out) in [
            ("fianchetto without rook", "without rook"),
            ("rook endgame without passed pawn", "without passed pawn"),
            ("promotion without capture", "without capture"),
            ("white mates without queen", "without queen"),
            ("doubled pawns not isolated", "not isolated"),
        ] {
            let (found, lacking) = index.find_in_part(words);
            assert!(lacking.contains(&left_out), "{words}: {lacking:?}");
            let unwanted = stems(left_out).pop().expect("a word");
            assert!(!found.is_empty() && !found.iter().any(|idea| idea.is_about(&unwanted)));
        }
        for words in ["white castles", "black castles", "promotion"] {
            let found = index.find_whole(words);
            assert!(!found.is_empty() && !found.iter().any(|idea| idea.title.contains("never")));
        }
    }

    #[test]
    fn questions_of_known_parts_are_composed() {
        let index = Index::new(&[]);
        for (question, expected) in [
            ("Carlsen", "initial player \"Carlsen\""),
            ("games of Carlsen", "initial player \"Carlsen\""),
            ("Judit Polgar", "initial player ~~ \"Polgar, J|Judit Polgar\""),
            ("judit polgar", "initial player ~~ \"Polgar, J|Judit Polgar\""),
            ("games of magnus carlsen", "initial player ~~ \"Carlsen, M|Magnus Carlsen\""),
            ("Carlsen draw", "initial player \"Carlsen\" result 1/2-1/2"),
            ("Fischer draws", "initial player \"Fischer\" result 1/2-1/2"),
            ("fischer", "initial player \"Fischer\""),
            ("Karpov", "initial player \"Karpov\""),
            ("Tal", "initial player \"Tal\""),
            ("Kramnik", "initial player \"Kramnik\""),
            ("Anand", "initial player \"Anand\""),
            ("Anand against Kramnik", "initial player \"Anand\" player \"Kramnik\""),
            (
                "Carlsen lost in 2013 with black",
                "initial player black \"Carlsen\" result 1-0 year == 2013",
            ),
            ("games won by Nakamura with white", "initial player white \"Nakamura\" result 1-0"),
            ("games won by Nakamura", "initial flipcolor {player white \"Nakamura\" result 1-0}"),
            ("games of Quuxer", "initial player \"Quuxer\""),
            ("over 50 moves and draw", "terminal (ply + 1) / 2 > 50 result 1/2-1/2"),
            ("castling before move 10", "castle (ply + 1) / 2 < 10"),
            ("castling on move 10", "castle (ply + 1) / 2 == 10"),
            ("checkmate on move 20", "mate (ply + 1) / 2 == 20"),
            ("opposite castling without queens", composed::WITHOUT_QUEENS),
            ("black wins in less than 25 moves", "terminal (ply + 1) / 2 < 25 result 0-1"),
            ("white wins before move 25", "terminal (ply + 1) / 2 < 25 result 1-0"),
            ("queens exchanged before move 10", "[Qq] == 0 (ply + 1) / 2 < 10"),
            ("white over 2700 and black under 2500", "initial elo white >= 2700 elo black < 2500"),
            (
                "white rated below 2000 and black above 2500",
                "initial elo white < 2000 elo black >= 2500",
            ),
            ("year 2013 black wins", "initial year == 2013 result 0-1"),
            ("draws in 2013", "initial year == 2013 result 1/2-1/2"),
            ("draw before 1980", "initial year < 1980 result 1/2-1/2"),
            ("queen endgame black wins", "endgame \"queen\" result 0-1"),
            ("les blancs ont deux dames", "Q >= 2"),
            ("Schwarz hat keine Dame", "q == 0"),
            ("Schäfermatt", "flipcolor {mate currentmove Q[x]f7 Bc4}"),
            ("white checks", "btm check"),
            ("sacrifice on h7", "Greek gift"),
            ("bishop sacrifice on h7", "Greek gift"),
            ("games with no captures", "initial not find {currentmove [x]}"),
            ("not mate", "terminal not mate"),
            ("captures without check", "currentmove [x] not check"),
            ("check without capture", "check not {currentmove [x]}"),
            ("three pieces for a queen", "flipcolor {#Q == #q + 1 #[bn] == #[BN] + 3 #R == #r}"),
            ("two pieces for a rook", "flipcolor {#R == #r + 1 #[bn] == #[BN] + 2 #Q == #q}"),
            (
                "three pawns for a piece",
                "flipcolor {#[BN] == #[bn] + 1 #p == #P + 3 #Q == #q #R == #r}",
            ),
            ("lower rated player wins", "flipcolor {elo white < elo black result 1-0}"),
            ("who beat Carlsen", "initial flipcolor {player white \"Carlsen\" result 0-1}"),
            ("who beat Kasparov with black", "initial player white \"Kasparov\" result 0-1"),
            (
                "Fischer beat Taimanov",
                "initial flipcolor {player white \"Fischer\" player black \"Taimanov\" result 1-0}",
            ),
            (
                "games that Kasparov lost",
                "initial flipcolor {player white \"Kasparov\" result 0-1}",
            ),
            (
                "Which games did Kasparov lose?",
                "initial flipcolor {player white \"Kasparov\" result 0-1}",
            ),
            (
                "Kasparov Topalov 1999",
                "initial year == 1999 player \"Kasparov\" player \"Topalov\"",
            ),
            ("games played in London", "initial {event \"London\" or site \"London\"}"),
            (
                "games in Hastings 1895",
                "initial {event \"Hastings\" or site \"Hastings\"} year == 1895",
            ),
            ("games in London", "initial {event \"London\" or site \"London\"}"),
            ("Jobava with white", "initial player white \"Jobava\""),
            ("Jobava as white in the london", "initial opening \"London\" player white \"Jobava\""),
            ("a knight on d5 before move 20", "[Nn]d5 (ply + 1) / 2 < 20"),
            ("white knight on d5 before move 20", "Nd5 (ply + 1) / 2 < 20"),
            ("draw by 50 moves rule", "halfmoveclock >= 100"),
            ("fifty move rule", "halfmoveclock >= 100"),
            ("50 move rule", "halfmoveclock >= 100"),
            ("50-move rule", "halfmoveclock >= 100"),
            ("draw by the 50 move rule", "halfmoveclock >= 100"),
            ("both players over 2,500", "elo white >= 2500 elo black >= 2500"),
            ("both players over 2.500", "elo white >= 2500 elo black >= 2500"),
            ("both players over 2'500", "elo white >= 2500 elo black >= 2500"),
            ("both players over 2 500", "elo white >= 2500 elo black >= 2500"),
            ("games longer than 1,000 moves", "terminal (ply + 1) / 2 > 1000"),
            ("game ends in mate", "mate"),
            ("Partien über 100 Züge", "terminal (ply + 1) / 2 > 100"),
            ("longest sequence of checks", "Longest series of checks"),
            ("fewer than 8 pieces", "[Aa] < 8"),
            ("K e1", "Ke1"),
            (
                "tournament Zurich 1953",
                "initial {event \"Zurich\" or site \"Zurich\"} year == 1953",
            ),
            (
                "world championship 1972",
                "initial tag \"Event\" ~~ \"[Ww]orld.*[Cc]hampion\" year == 1972",
            ),
            ("most knight moves", "terminal sort \"moves\" {find <-- all {currentmove [Nn]--}}"),
            ("show me all smothered mates", "Smothered mate"),
            ("played under 30 seconds", "clock < 30"),
            ("SELECT * FROM games WHERE white = 'Carlsen'", "player white \"Carlsen\""),
        ] {
            let (found, lacking) = index.answer(question);
            let first = found.first().map(|idea| idea.title.as_str());
            assert_eq!((first, lacking.len()), (Some(expected), 0), "{question}: {lacking:?}");
        }
        for question in
            ["smothered mate of Tal", "white wins with black", "sacrifice before move 10"]
        {
            assert!(index.meant(question).is_empty(), "{question}");
        }
        let of_two_names = &index.meant("Judit Polgar")[0].line;
        assert!(of_two_names.contains("the last name first"), "{of_two_names}");
        let (found, lacking) = index.answer("smothered mate before move 10");
        assert!(found.is_empty() && lacking.contains(&"before".to_owned()), "{lacking:?}");
        let (_, lacking) = index.answer("skewer or fork");
        assert!(lacking.contains(&"or".to_owned()), "{lacking:?}");
    }

    #[test]
    fn what_is_certain_to_fail_is_no_query() {
        for words in ["white to move and mate", "black stalemate"] {
            assert!(parse_sample(words).diagnostics.is_empty(), "{words}");
            assert_eq!(of_query(words, "").query(), None, "{words}");
        }
        assert_eq!(of_query("btm stalemate", "").query().as_deref(), Some("btm stalemate"));
    }

    #[test]
    fn commands_of_queries_have_whole_queries() {
        let Index(ideas) = Index::new(&[]);
        let queries = ideas.iter().filter(|idea| idea.kind == IdeaKind::Query);
        for idea in queries.clone() {
            assert!(parse_sample(&idea.title).diagnostics.is_empty(), "{}", idea.title);
        }
        assert!(queries.count() > 100);
    }

    #[test]
    fn numbers_of_a_question_are_those_of_queries() {
        let first = |words: &str| {
            let mut index = Index::new(&[]);
            index.fill(words);
            index.find_whole(words).first().map(|idea| (idea.title.clone(), idea.line.clone()))
        };
        let (title, line) = first("either player rated 2500").expect("a query");
        assert_eq!(title, "elo >= 2500");
        assert!(line.contains("2500 or more"), "{line}");
        assert_eq!(first("games over 80 moves").expect("a query").0, "terminal (ply + 1) / 2 > 80");
        assert_eq!(first("mate on move 12").expect("a query").0, "mate (ply + 1) / 2 == 12");
        let (title, line) = first("draw before move 33").expect("a query");
        assert_eq!(title, "terminal (ply + 1) / 2 < 33 result 1/2-1/2");
        assert_eq!(line, "a draw of fewer than 33 moves");
        for (words, query) in [
            ("before 1850", "year < 1850"),
            ("in 1972", "year == 1972"),
            ("after 2010", "year > 2010"),
            ("since 2010", "year >= 2010"),
            ("games from 1995", "year == 1995"),
            ("games played from 1995", "year == 1995"),
            ("between 2000 and 2010", "year >= 2000 year <= 2010"),
            ("white elo over 2700", "elo white >= 2700"),
            ("black elo over 2500", "elo black >= 2500"),
            ("elo white under 1900", "elo white < 1900"),
            ("rating below 1900", "elo white < 1900 elo black < 1900"),
            ("elo after 2010", "elo >= 2010"),
            ("rating difference 300", "flipcolor {elo white - elo black >= 300}"),
        ] {
            assert_eq!(first(words).expect("a query").0, query, "{words}");
        }
    }

    #[test]
    fn words_beside_a_word_that_decides_count() {
        let index = Index::new(&[]);
        for (words, without) in [
            ("not isolated pawn", vec!["not"]),
            ("black promotes to a knight with check", vec!["black"]),
            ("kill box", vec![]),
        ] {
            let (found, lacking) = index.find_in_part(words);
            assert_eq!(lacking, without, "{words}");
            assert!(!found.is_empty(), "{words}");
        }
        let idea = index.find("Mate by a pawn")[0];
        assert_eq!(idea.weight("materi"), 0);
        let material = index.0.iter().find(|idea| idea.title == "material").expect("a word");
        assert_eq!(material.weight("mate"), 0);
        assert_ne!(material.weight("material"), 0);
    }

    #[test]
    fn a_rare_word_decides() {
        let pages = [("Files", "# Files\n\nSome have the ending cbv.\n")];
        let index = Index::new(&pages);
        let check = |words: &str| {
            let found = index.find(words);
            assert_eq!(found.first().map(|idea| idea.title.as_str()), Some("Files"), "{words}");
        };
        let found = index.find("open Cbv file");
        assert_ne!(found.first().map(|idea| idea.title.as_str()), Some("Files"));
        check("open cbv file");
        check("convert cbv to pgn");
    }

    #[test]
    fn misspelled_words_have_near_ones() {
        let index = Index::new(&[]);
        let check = |words: &str, expected: Option<&str>| {
            assert_eq!(index.nearest(words).as_deref(), expected, "{words}");
        };
        check("exelsior", Some("excelsior"));
        check("zugswang", Some("zugzwang"));
        check("swichback", Some("switchback"));
        check("underpromtion", Some("underpromotion"));
        check("smotherd mate", Some("smothered mate"));
        check("excelsior", None);
        check("nosuchtheme", None);
        check("leaves theory", None);
    }

    #[test]
    fn an_idea_lacks_words() {
        let index = Index::new(&[]);
        let idea = index.find("smothered mate")[0];
        assert_eq!(idea.lacks("the smothered mates of Tal"), ["Tal"]);
        assert!(idea.answers_in_part("smothered game"));
        assert!(!idea.answers_in_part("playing style"));
        assert!(idea.answers_in_part("smothered mate by Black"));
        assert!(!idea.answers_in_part("smothered rook by Black"));
        assert!(index.is_named("bristol") && !index.is_named("najdorf"));
    }

    #[test]
    fn words_that_decide_are_those_of_the_idea_itself() {
        let line = "a rook takes two pieces";
        let idea = |kind, title| Idea::new(kind, title, line, "not by White", String::new());
        let lacking = |idea: Idea| idea.lacks("not both 3 take two by White").join(" ");
        assert_eq!(lacking(idea(IdeaKind::Query, "R[x][qr] == 3 not o-o")), "not both 3 White");
        assert_eq!(lacking(idea(IdeaKind::Word, "both")), "not 3 White");
        assert_eq!(lacking(idea(IdeaKind::Word, "never")), "both 3 White");
        for word in DECISIVE {
            assert_eq!(stem(word), *word);
        }
    }

    #[test]
    fn other_words_find_an_idea() {
        let mut index = Index::new(&[]);
        assert!(index.also("cql help mate", "game over, lintel"));
        assert!(!index.also("cql help nosuchword", "lintel"));
        for words in ["game over", "lintel"] {
            assert_eq!(index.find(words)[0].title, "mate", "{words}");
        }
        assert!(index.find_whole("lintel nosuchword").is_empty());
        assert_eq!(index.find_whole("lintel over").len(), 1);
    }

    #[test]
    fn forms_of_a_word_have_the_same_stem() {
        for (one, other) in [
            ("sacrifices", "sacrificed"),
            ("castling", "castled"),
            ("exchange", "trades"),
            ("endgames", "ending"),
            ("mate", "mates"),
            ("promotes", "promotion"),
            ("mating", "checkmate"),
        ] {
            assert_eq!(stem(one), stem(other), "{one}");
        }
        assert_ne!(stem("king"), stem("kind"));
    }

    #[test]
    fn every_answer_is_there() {
        let index = Index::new(&[]);
        for (names, answer) in terms() {
            if let Answer::Recipe(title) = answer {
                assert!(recipe(&plain_title(title)).is_some(), "{title}");
                for name in names.split(' ') {
                    let first = index.find(name).first().map(|idea| idea.title.as_str());
                    let same = [Some(title.to_lowercase()), Some(name.to_owned())];
                    assert!(same.contains(&first.map(str::to_lowercase)), "{name}: {first:?}");
                }
            }
        }
    }
}
