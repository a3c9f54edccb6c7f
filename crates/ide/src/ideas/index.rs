//! All ideas, and the ways to find them.

use syntax::library::LIBRARIES;
use syntax::parse::{Answer, is_slip, nearest, plain_title, terms, words_for_theme};

use super::compose::composed_of;
use super::idea::{Idea, IdeaKind, first_sentence, of_query, of_recipe, of_theme, search};
use super::interpret::meant;
use super::languages::in_english;
use super::numbers::in_digits;
use super::question_words::{
    ASKING, Asked, COMPARING, GENERAL, SHORTEST, decides, is_number, left_out, parts,
    plain_letters, stems, with_n, without_games,
};
use super::ranking::{IdeaMatch, RAREST, WEIGHTS, in_order, rarity};
use super::remaining::is_player;
use super::wishes::{IN_VARIATIONS, WISHES};
use crate::cookbook::recipes;
use crate::manual::{self, ManualBlock, Section, plain};
use crate::sample::{is_query, parse_sample};
use crate::words::words;

/// Maximum number of words that describe a section.
const MOST_WORDS: usize = 4;

/// The player of commands.
const EXAMPLE: &str = "Kasparov";

/// All ideas.
#[derive(Debug, Clone)]
pub struct Index(pub(super) Vec<Idea>);

impl Index {
    /// Returns the recipes and themes alone.
    pub fn of_queries() -> Index {
        let mut ideas: Vec<Idea> = recipes().map(of_recipe).collect();
        for library in &LIBRARIES {
            let names_of = |name: &'static str| {
                let names = library.functions().map(|(other, _)| other);
                let others = names.filter(move |other| library.alias_of(other) == Some(name));
                std::iter::once(name).chain(others)
            };
            let themes = library.functions().filter(|(name, _)| library.alias_of(name).is_none());
            ideas.extend(themes.map(|(name, says)| {
                let command = search(&of_theme(name));
                let says = says.trim_end_matches('.');
                let must_say = library.must_pay(name) && !says.ends_with("wins something");
                let wins = if must_say { ", and wins something" } else { "" };
                // A recipe with the same name asks for something else.
                let is_recipe = recipes()
                    .any(|recipe| stems(recipe.title).iter().all(|stem| name.contains(stem)));
                let whose =
                    if is_recipe && library.name == "themes" { " (as Lichess has it)" } else { "" };
                let kind = IdeaKind::Theme(library.name);
                // The phrase that all themes have is shown, but finds none of them.
                let mut idea = Idea::new(kind, name, says, "", command);
                idea.line += &format!("{wins}{whose}");
                let names = names_of(name);
                idea.named(
                    names.flat_map(|name| std::iter::once(name).chain(words_for_theme(name))),
                )
            }));
        }
        Index(ideas)
    }

    /// Returns the ideas of the language and its book; `pages` are further pages of the manual.
    pub fn new(pages: &[(&'static str, &'static str)]) -> Index {
        let mut index = Index::of_queries();
        let is_whole = |cql| parse_sample(cql).diagnostics.is_empty();
        index.add(terms().filter_map(|(names, answer)| match answer {
            Answer::Advice(help, Some(cql)) if is_whole(cql) => {
                // The sentence of a word of the language says more than "mate is mate".
                let word = words().iter().find(|word| word.keyword.text() == cql);
                let line = word.map_or_else(|| help.replace('`', ""), |word| word.sentence.clone());
                Some(of_query(cql, &line).named(names.split(' ')))
            }
            _ => None,
        }));
        for &(cql, line, phrases) in WISHES {
            // A term may have the same query, as `mate` has.
            if !index.also(&search(cql), phrases) {
                index.add([of_query(cql, line)]);
                index.also(&search(cql), phrases);
            }
        }
        index.add(IN_VARIATIONS.iter().map(|&(cql, line, phrases)| {
            let command = format!("cql games.pgn --variations -cql '{cql}'");
            let mut idea = Idea::new(IdeaKind::Query, cql, line, "", command);
            idea.also(phrases);
            idea
        }));
        index.add(words().iter().map(|word| {
            let text = word.keyword.text();
            Idea::new(IdeaKind::Word, text, &word.sentence, "", format!("cql help {text}"))
        }));
        // Other names of words that need more to be a query.
        for (names, answer) in terms() {
            if let Answer::Advice(_, Some(cql)) = answer
                && !is_whole(cql)
            {
                index.also(&format!("cql help {cql}"), &names.replace(' ', ","));
            }
        }
        let sections: Vec<_> = manual::all_sections(pages).collect();
        index.add(sections.iter().map(|&(page, ref section)| {
            let title = plain(section.title.unwrap_or(page));
            let text = text_of(&section.blocks);
            let line = first_sentence(&text).to_owned();
            // A section is found by the title of its page, too, and a page by its headings.
            let others = match section.title {
                Some(_) => page.to_owned(),
                None => headings(&sections, page),
            };
            let searched = format!("{text} {}", plain(&others));
            let command = format!("cql help {}", plain_title(&title));
            let kind = IdeaKind::Section(page, section.title);
            let mut idea = Idea::new(kind, &title, &line, &searched, command);
            idea.text = text;
            if line.is_empty() {
                idea.line = words_of(&section.blocks);
            }
            idea
        }));
        index
    }

    /// Writes the player of a question in place of that of a command: `report on Carlsen`.
    pub fn fill(&mut self, question: &str) {
        let mut players: Vec<String> =
            parts(question).filter(|word| is_player(word)).map(plain_letters).collect();
        players.dedup();
        if let [player] = &players[..] {
            let capital = player[..1].to_uppercase() + &player[1..];
            let renamed = |text: &str| {
                text.replace(EXAMPLE, &capital).replace(&EXAMPLE.to_lowercase(), player)
            };
            let is_command = |idea: &&mut Idea| {
                matches!(idea.kind, IdeaKind::Option | IdeaKind::Subcommand)
                    && idea.command.contains(EXAMPLE)
            };
            self.0.iter_mut().filter(is_command).for_each(|idea| idea.rewrite(renamed));
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
        let filled = parts(question).any(is_player).then(|| {
            let mut filled = self.clone();
            filled.fill(question);
            filled
        });
        let index = filled.as_ref().unwrap_or(self);
        let (found, mut lacking) = index.find_in_part(question);
        let mut found: Vec<Idea> = found.into_iter().cloned().collect();
        let meant = index.meant(question);
        if meant.is_empty()
            && !lacking.is_empty()
            && let Some((queries, left_out)) = index.understood_in_part(question)
        {
            return (queries, left_out.into_iter().map(str::to_owned).collect());
        }
        if !meant.is_empty() && !lacking.is_empty() {
            // The queries have all of the words, and the rest only some.
            (found, lacking) = (Vec::new(), Vec::new());
        }
        if !meant.is_empty() && index.is_only_in_texts(question) {
            found.clear();
        }
        found.retain(|idea| beside(&meant, idea, question));
        found.iter_mut().for_each(|idea| idea.line = idea.line_for(question).to_owned());
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
        let asks = |words: &str| {
            let (begin, rest) = question.split_at_checked(words.len())?;
            begin.eq_ignore_ascii_case(words).then(|| rest.strip_prefix(' '))?
        };
        let rest = ASKING.split(", ").find_map(asks);
        let rest = rest.filter(|_| !self.is_named(question) && !is_query(question));
        let asked = rest.map_or(question, str::trim_start);
        // as in `positions with an IQP`
        let named =
            without_games(asked).filter(|rest| !self.is_named(asked) && self.is_named(rest));
        named.unwrap_or(asked).to_owned()
    }

    /// Returns the queries that a question means as a whole, unless an idea is called so: as in `bishop
    /// on h6`.
    pub fn meant(&self, question: &str) -> Vec<Idea> {
        if self.is_named(question) { Vec::new() } else { meant(question) }
    }

    /// Returns the queries for what is understood of a question, and the words that are not. No idea is
    /// about one of these.
    pub fn understood_in_part<'w>(&self, question: &'w str) -> Option<(Vec<Idea>, Vec<&'w str>)> {
        let (queries, left_out) = composed_of(question)?;
        let is_known = |word: &&str| {
            stems(word).iter().any(|stem| self.0.iter().any(|idea| idea.is_about(stem)))
        };
        let is_partial = !left_out.is_empty() && !left_out.iter().any(is_known);
        is_partial.then_some((queries, left_out))
    }

    /// Returns the ideas that have the rarest of these words, if these say what is meant.
    pub fn find_nearest(&self, words: &str) -> Vec<&Idea> {
        let says = |word: &&str| stems(word).iter().any(|stem| !GENERAL.contains(&&**stem));
        let mut found = self.find(words);
        found.retain(|idea| {
            let lacking = idea.lacks(words);
            parts(words).filter(says).any(|word| !lacking.contains(&word))
        });
        found
    }

    /// Whether some ideas have all these words, but each of them one in its text alone.
    pub fn is_only_in_texts(&self, words: &str) -> bool {
        let found = self.answers(&Asked::new(words));
        let mut whole = found.iter().filter(|one| one.is_whole()).peekable();
        whole.peek().is_some() && whole.all(|one| !one.is_about())
    }

    /// Returns the ideas that have all these words, the best first: those that are about them, if there
    /// are any.
    pub fn find_whole(&self, words: &str) -> Vec<&Idea> {
        let mut found = self.answers(&Asked::new(words));
        found.retain(IdeaMatch::is_whole);
        if found.iter().any(IdeaMatch::is_about) {
            found.retain(IdeaMatch::is_about);
        }
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
                let is_aside = |stem: &str| matches!(stem, "cql" | "game" | "board");
                asides.filter(|(stem, _)| is_aside(stem)).for_each(|(_, weight)| {
                    *weight = (*weight).max(1);
                });
            }
            let is_named = idea.is_named(asked);
            let begins = is_named || idea.begins_with(asked);
            if begins {
                weights.fill(WEIGHTS[0]);
            }
            let whole = match () {
                () if is_named => 1000,
                () if begins || idea.has_title_of(asked) => WEIGHTS[0],
                () => 0,
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

/// Whether an idea is worth showing after the queries that a question means: another query with the
/// numbers of the question compares them otherwise, and one with its color may be for the other.
pub fn beside(meant: &[Idea], idea: &Idea, question: &str) -> bool {
    let has_number = parts(question).any(|part| part.contains(|c: char| c.is_ascii_digit()));
    let asked = stems(question);
    let has_color = |has: &dyn Fn(&str) -> bool| has("whit") || has("black");
    let is_of_color = has_color(&|color| asked.iter().any(|stem| stem == color))
        && has_color(&|color| idea.is_about(color));
    let compares = idea.kind == IdeaKind::Query && (has_number || is_of_color) && !meant.is_empty();
    !compares && meant.iter().all(|one| one.command != idea.command)
}

/// Returns the first text of a section, except pictures, headings and the captions of queries. The items
/// of a list end a sentence before them.
fn text_of(blocks: &[ManualBlock<'_>]) -> String {
    let of = |block: &ManualBlock<'_>| match block {
        ManualBlock::Text(lines) if !lines[0].starts_with(['!', '#']) => {
            Some(plain(&lines.join(" ")))
        }
        _ => None,
    };
    let next = blocks.iter().skip(1).map(Some).chain([None]);
    let found = blocks.iter().zip(next).enumerate().find_map(|(at, (block, next))| {
        let mut text = of(block)?;
        if text.ends_with(':') && matches!(next, Some(ManualBlock::Query(_))) {
            text.truncate(text.rfind(". ")? + 1);
        }
        Some((at, text))
    });
    let Some((at, mut text)) = found else { return String::new() };
    for block in &blocks[at + 1..] {
        match block {
            ManualBlock::Item(lines) if !text.ends_with('.') => {
                text += &format!(" {}", plain(&lines.join(" ")));
            }
            _ => break,
        }
    }
    text
}

/// Returns the words that the first table of a section explains.
fn words_of(blocks: &[ManualBlock<'_>]) -> String {
    let rows = blocks.iter().find_map(|block| match block {
        ManualBlock::Table(rows) => rows.get(1..),
        _ => None,
    });
    let words = rows.unwrap_or_default().iter().filter_map(|row| row.first());
    words.take(MOST_WORDS).map(|word| plain(word)).collect::<Vec<_>>().join(", ")
}

/// Returns the headings of the page with this title.
fn headings(sections: &[(&str, Section<'static>)], title: &str) -> String {
    let sections = sections.iter().filter(|(page, _)| *page == title);
    sections.filter_map(|(_, section)| section.title).collect::<Vec<_>>().join(" ")
}
