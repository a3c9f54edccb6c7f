//! Finds what the program can do by words: themes, recipes of the cookbook, queries for terms of
//! chess, words of the language, and sections of the manual.
//!
//! A search finds the ideas that have all its words, in any of their forms; if there are none, those
//! that have the rarest words. Names count more than titles, and titles more than texts.

mod wishes;

use std::collections::HashMap;
use std::sync::LazyLock;

use syntax::library::LIBRARIES;
use syntax::parse::{
    Answer, is_slip, nearest, number_in_words, plain_title, terms, words_for_theme,
};

use crate::cookbook::{Recipe, recipes};
use crate::manual::{self, ManualBlock, Section, plain};
use crate::sample::parse_sample;
use crate::words::words;
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
            IdeaKind::Query | IdeaKind::Word => {
                let is_query = parse_sample(&self.title).diagnostics.is_empty();
                is_query.then(|| self.title.clone())
            }
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
        self.names.contains(&asked.joined)
    }

    /// Whether the idea is a theme whose name begins with several of these words: `killboxmate`.
    fn begins_with(&self, asked: &Asked) -> bool {
        let is_theme = matches!(self.kind, IdeaKind::Theme(_));
        is_theme && asked.stems.len() > 1 && self.title.starts_with(&asked.joined)
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

    /// Returns the weight of one of several words for the idea: 0 if it does not have it. A word
    /// such as *not* must stand beside the same word as there.
    fn weight_at(&self, stems: &[String], at: usize) -> usize {
        let stem = &stems[at];
        let beside = [at.checked_sub(1).and_then(|at| stems.get(at)), stems.get(at + 1)];
        let is_alone = self.stems[0].len() == 1 || beside == [None, None];
        let is_beside = |own: &Vec<String>| {
            own.windows(2).any(|pair| {
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
pub struct Index(Vec<Idea>);

impl Index {
    /// Returns the recipes and themes alone.
    pub fn of_queries() -> Index {
        let mut ideas: Vec<Idea> = recipes().map(of_recipe).collect();
        for library in &LIBRARIES {
            ideas.extend(library.functions().map(|(name, says)| {
                let command = search(&of_theme(library.name, name));
                let says = says.trim_end_matches('.');
                let idea = Idea::new(IdeaKind::Theme(library.name), name, says, "", command);
                idea.named(std::iter::once(name).chain(words_for_theme(name)))
            }));
        }
        Index(ideas)
    }

    /// Returns the ideas of the language and its book; `pages` are further pages of the manual.
    pub fn new(pages: &[(&'static str, &'static str)]) -> Index {
        let Index(mut ideas) = Index::of_queries();
        ideas.extend(terms().filter_map(|(names, answer)| match answer {
            Answer::Advice(help, Some(cql)) => {
                // The sentence of a word of the language says more than "mate is mate".
                let word = words().iter().find(|word| word.keyword.text() == cql);
                let line = word.map_or_else(|| help.replace('`', ""), |word| word.sentence.clone());
                let idea = Idea::new(IdeaKind::Query, cql, &line, "", search(cql));
                Some(idea.named(names.split(' ')))
            }
            _ => None,
        }));
        ideas.extend(WISHES.iter().map(|&(cql, line, phrases)| {
            let mut idea = Idea::new(IdeaKind::Query, cql, line, "", search(cql));
            idea.also(phrases);
            idea
        }));
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

    /// Writes the number in a question in place of that of queries with one: `elo >= 2700` for
    /// `rated over 2700`.
    pub fn fill(&mut self, question: &str) {
        let number = |text: &str| {
            let mut numbers: Vec<&str> = parts(text).filter(|part| is_number(part)).collect();
            numbers.dedup();
            match numbers[..] {
                [one] => Some(one.to_owned()),
                _ => None,
            }
        };
        let Some(asked) = number(question) else {
            return;
        };
        let n = asked.parse().unwrap_or(0);
        let says_moves = parts(question).any(|word| word.starts_with("move"));
        let is_meant = |title: &str| {
            title.contains("elo ") && (1000..=3500).contains(&n)
                || title.contains("year ") && (1400..=2100).contains(&n)
                || title.contains("movenumber ") && says_moves && n <= 300
        };
        for idea in self.0.iter_mut().filter(|idea| idea.kind == IdeaKind::Query) {
            let own = number(&idea.title).filter(|own| *own != asked);
            let Some(own) = own.filter(|_| is_meant(&idea.title)) else {
                continue;
            };
            for text in [&mut idea.title, &mut idea.line, &mut idea.command] {
                *text = text.replace(&own, &asked);
            }
            for stem in idea.stems.iter_mut().flatten().filter(|stem| **stem == own) {
                stem.clone_from(&asked);
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
        let titles: Vec<String> = self.0.iter().map(|idea| idea.title.to_lowercase()).collect();
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

    /// Whether an idea has exactly these words as a name.
    pub fn is_named(&self, words: &str) -> bool {
        let joined = joined(words);
        self.0.iter().any(|idea| idea.names.contains(&joined))
    }

    /// Whether a recipe or a theme has all these words in its title.
    pub fn is_titled(&self, words: &str) -> bool {
        let asked = Asked::new(words);
        let has_all = |idea: &Idea| asked.stems.iter().all(|stem| idea.stems[0].contains(stem));
        let mut queries = self.0.iter().filter(|idea| idea.kind.rank() < IdeaKind::Query.rank());
        !asked.stems.is_empty() && queries.any(has_all)
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
    /// answer the words in part, with the words that they lack.
    pub fn find_in_part<'w>(&self, words: &'w str) -> (Vec<&Idea>, Vec<&'w str>) {
        let whole = self.find_whole(words);
        if !whole.is_empty() {
            return (whole, Vec::new());
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
            let found = IdeaMatch { idea, weights, whole };
            let has_some = found.has().any(|has| has);
            has_some.then_some(found)
        });
        found.collect()
    }
}

/// Returns the ideas by their weights, the greatest first, and by their kinds.
fn in_order(mut found: Vec<IdeaMatch<'_>>) -> Vec<&Idea> {
    found.sort_by_key(|one| (std::cmp::Reverse(one.weight()), one.idea.kind.rank()));
    found.into_iter().map(|one| one.idea).collect()
}

/// Returns how much a word says that `n` of `total` ideas have: ten times its logarithm.
fn rarity(n: usize, total: usize) -> usize {
    let share = total as f64 / n.max(1) as f64;
    (10.0 * share.log2()) as usize + 1
}

/// Names of pieces, and their letters.
const PIECES: [(&str, &str); 6] =
    [("king", "K"), ("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N"), ("pawn", "P")];

/// Returns the query for the pieces of both sides in words, as in `rook and two pawns against rook`.
pub fn material(words: &str) -> Option<String> {
    let mut sides = [const { String::new() }; 2];
    let (mut at, mut n, mut has_pawn) = (0, None, false);
    for word in plain_letters(words).split(|c: char| !c.is_alphanumeric()) {
        match word {
            "" | "a" | "an" | "the" | "and" | "endgame" | "endgames" | "ending" | "endings" => {}
            "against" | "versus" | "vs" | "v" if at == 0 && n.is_none() => at = 1,
            _ => {
                let number = number_in_words(word).or_else(|| word.parse().ok());
                if let Some(number @ 1..=8) = number.filter(|_| n.is_none()) {
                    n = Some(number);
                    continue;
                }
                let one = word.strip_suffix('s').unwrap_or(word);
                let (_, letter) = PIECES.iter().find(|(name, _)| *name == one)?;
                let n = n.take();
                if (one == word) != (n.unwrap_or(1) == 1) {
                    return None;
                }
                has_pawn |= *letter == "P";
                sides[at] += &letter.repeat(n.unwrap_or(1));
            }
        }
    }
    let has_all = n.is_none() && sides.iter().all(|men| !men.is_empty());
    // A side with its king alone is written so, and then the king of the other one, too.
    let are_whole = has_pawn || sides.iter().any(|men| men.contains('K'));
    let king = if are_whole { "K" } else { "" };
    let [white, black] = sides.map(|men| format!("{king}{}", men.replacen('K', "", 1)));
    let men = has_all.then(|| syntax::parse::sides(&format!("{white} v {black}")))?;
    men.map(|men| format!("material \"{men}\""))
}

/// Returns the query that several words mean, if one correction of the parser replaces all of them:
/// `[Pp] == 3` for `exactly three pawns`.
pub fn mended(words: &str) -> Option<String> {
    let sample = parse_sample(words);
    let [diagnostic] = sample.diagnostics.as_slice() else {
        return None;
    };
    let edit = diagnostic.edit.as_ref()?;
    let n_bytes = (edit.span.end - edit.span.start) as usize;
    let is_whole = words.contains(' ') && n_bytes == words.len();
    (is_whole && parse_sample(&edit.text).diagnostics.is_empty()).then(|| edit.text.clone())
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
    format!("cql games.pgn -cql '{query}'")
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
    "with", "all", "any", "as", "be", "have", "has", "his", "her", "its", "or", "than", "then",
    "there", "this", "was", "were",
];

/// Stems of words that do not say on their own what is meant.
const GENERAL: &[&str] = &[
    "best", "first", "most", "often", "chess", "find", "game", "get", "leav", "move", "play",
    "player", "position", "query", "result", "up",
];

/// Stems of words that change what all others mean: an idea has them only if it is about them.
const DECISIVE: &[&str] =
    &["not", "both", "whit", "black", "two", "thre", "four", "five", "six", "seven", "eight"];

/// Stems of words that change what the word beside them means.
const BINDING: &[&str] = &["not", "both"];

/// Whether a stem changes what all other words mean.
fn decides(stem: &str) -> bool {
    DECISIVE.contains(&stem) || is_number(stem)
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
    fn words_that_mean_a_query_are_mended() {
        let check = |words: &str, expected: Option<&str>| {
            assert_eq!(mended(words).as_deref(), expected, "{words}");
        };
        check("exactly three pawns", Some("[Pp] == 3"));
        check("bishop on h6", Some("[Bb]h6"));
        check("QQ v QRR", Some("material \"QQ:QRR\""));
        check("smothered mate", None);
        check("checkmate", None);
        check("nosuchword on h6", None);
    }

    #[test]
    fn pieces_of_both_sides_are_a_material() {
        for (words, expected) in [
            ("two queens against queen and two rooks", Some("QQ:QRR")),
            ("two rooks versus a queen", Some("RR:Q")),
            ("queen and rook v two rooks", Some("QR:RR")),
            ("bishop and knight against king", Some("KBNK")),
            ("rook against pawn", Some("KRKP")),
            ("Two knights vs pawn endgame", Some("KNNKP")),
            ("king and pawn against king", Some("KPK")),
            ("good bishop against bad bishop", None),
            ("bishops against knights", None),
            ("rook and four pawns against rook and three", None),
            ("two rooks", None),
            ("against", None),
            ("", None),
        ] {
            let expected = expected.map(|men| format!("material \"{men}\""));
            assert_eq!(material(words), expected, "{words}");
        }
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
        assert_eq!(first("games over 80 moves").expect("a query").0, "terminal movenumber > 80");
        assert_eq!(first("before 1850").expect("a query").0, "year < 1850");
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
