//! Finds names, tags, clocks and evaluations that a query asks for and no game has, and proposes
//! similar names.
//!
//! The moves of the games are not read, and each name is counted once. Names that a game has are
//! not reported.

use std::collections::{BTreeMap, HashMap, HashSet};

use board::counted;
use flow::{Output, Results, RunOptions, Sources, Worker};
use memchr::memmem;
use pgn::{Player, RawGame, TagIndex, Tags, decode};
use syntax::builtin::NumberSource;
use syntax::dialect::{Dialect, dialect_of};
use syntax::lint::{TagText, numbers_of_comments, other_tags, plain_text, texts_of_tags};
use syntax::older::translate;
use syntax::parse::nearest;
use syntax::tree::{self, TextSource};
use syntax::{ParseOptions, Source, Span, parse};

use crate::Color;

/// Maximum number of names that are counted; memory must not grow with the file.
const MOST_NAMES: usize = 1 << 18;

/// Maximum number of names that are proposed for one.
const MOST_PROPOSED: usize = 3;

/// The names and tags that a query asks for.
#[derive(Debug, Clone, Default)]
pub struct NamesAsked {
    names: Vec<TagText>,
    /// Names of tags, without those that have filters of their own.
    tags: Vec<Vec<u8>>,
    /// Rows of [`NOTES`] whose filter is in the query.
    notes: Vec<&'static Note>,
}

/// A filter, how comments begin that have its values, and what to do if there is none.
type Note = (NumberSource, &'static str, &'static str);

static NOTES: [Note; 3] = [
    (NumberSource::Clock, "[%clk", "`clock` is the time left as such a comment says"),
    (
        NumberSource::Elapsed,
        "[%emt",
        "from clocks, the time used without increments is `parent:parent:clock - clock`",
    ),
    (NumberSource::Eval, "[%eval", "`cql annotate` writes evaluations"),
];

/// Number of occurrences of each name in games.
#[derive(Debug, Default)]
struct NamesSeen {
    /// A map for the players, one for the events, and one for the sites. A player has a number for
    /// each color; the second number of others is 0.
    counts: [HashMap<Vec<u8>, [u64; 2]>; 3],
    /// Numbers of the tags that a game has.
    tags: HashSet<usize>,
    /// Beginnings of the comments that a game has.
    notes: HashSet<&'static str>,
    /// Whether other games have not been read.
    is_part: bool,
}

/// Reads the names in games.
#[derive(Debug)]
struct NamesWorker {
    /// Whether each of the maps is filled.
    wanted: [bool; 3],
    tags: Vec<Vec<u8>>,
    notes: Vec<&'static Note>,
    index: TagIndex,
    buffer: Vec<u8>,
}

impl NamesAsked {
    /// Collects the names in a query, with or without a header, and in filters before it.
    pub fn of(query: &Source<'_>, preamble: &[Source<'_>]) -> NamesAsked {
        let options = ParseOptions { require_header: false, ..ParseOptions::default() };
        let translated = match dialect_of(query.text) {
            Dialect::Cql6 => None,
            older => translate(query.text, older).map(|(translation, _)| translation.text),
        };
        let query = Source { text: translated.as_deref().unwrap_or(query.text), ..*query };
        let query = parse(&query, preamble, &options).query;
        let mut names = texts_of_tags(&query);
        names.retain(|asked| !asked.text.is_empty());
        let words = numbers_of_comments(&query);
        let notes = NOTES.iter().filter(|(word, ..)| words.contains(word)).collect();
        NamesAsked { names, tags: other_tags(&query), notes }
    }

    /// Adds the regular expression that an option asks of either player, if it is a plain name.
    pub fn add_player(&mut self, pattern: Option<&[u8]>) {
        // A name of a file may end with a dot, `Sicre, JM.`, without which names are compared.
        let plain = pattern.and_then(|pattern| match pattern {
            [name @ .., b'.'] => plain_text(name).map(|_| pattern),
            _ => plain_text(pattern),
        });
        self.names.extend(plain.map(|text| TagText {
            source: TextSource::Players,
            text: text.to_vec(),
            span: Span::default(),
            is_part: true,
            is_lowercase: false,
            is_pattern: true,
        }));
    }

    /// Whether the query asks for nothing of the kind.
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.tags.is_empty() && self.notes.is_empty()
    }

    /// Reads the names in games until `is_over` returns `true` after a chunk. Returns a line for
    /// each name that no game has, with the names that were probably meant, and for each tag and
    /// each kind of comment that no game has. Returns no lines if the games cannot be read, since
    /// the search has reported that.
    pub fn similar(
        &self,
        sources: Box<Sources<'_>>,
        options: RunOptions,
        is_over: impl Fn() -> bool,
    ) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let stop = options.cancel.child();
        let options = RunOptions { cancel: stop.clone(), ..options };
        let mut seen = NamesSeen::default();
        let mut sink = |out: Output<NamesSeen>| {
            seen.add(out.results);
            if is_over() {
                seen.is_part = true;
                stop.cancel();
            }
            Ok(())
        };
        match flow::run(sources, &options, || self.worker(), &mut sink) {
            Ok(_) => self.proposals(&seen),
            Err(_) => Vec::new(),
        }
    }

    /// Creates a worker that reads the names of the kinds that the query requires.
    fn worker(&self) -> NamesWorker {
        let mut wanted = [false; 3];
        for asked in &self.names {
            wanted[place_of(&asked.source)] = true;
        }
        NamesWorker {
            wanted,
            tags: self.tags.clone(),
            notes: self.notes.clone(),
            index: TagIndex::default(),
            buffer: Vec::new(),
        }
    }

    /// Returns a line for each name that no game has, with the names that were probably meant, and
    /// for each tag and each kind of comment that none has.
    fn proposals(&self, seen: &NamesSeen) -> Vec<String> {
        let lines = self.names.iter().filter_map(|asked| {
            let text = String::from_utf8_lossy(&asked.text);
            let near = seen.similar(asked, &text)?;
            let least = if seen.is_part { "at least " } else { "" };
            let told = |(name, n): &(String, u64)| {
                format!("\"{name}\" ({least}{})", counted(*n, "game"))
            };
            let near: Vec<String> = near.iter().map(told).collect();
            let instead = if !near.is_empty() {
                format!("did you mean {}?", near.join(", "))
            } else if place_of(&asked.source) == 0
                && let Some((first, last)) = given_name_first(&text)
            {
                format!(
                    "most files write the last name first, \"{last}, {first}\": `player \"{last}\"` \
                     finds either order"
                )
            } else {
                return None;
            };
            Some(format!("no game that was read has \"{text}\" there; {instead}"))
        });
        let missing = self.tags.iter().enumerate().filter(|(at, _)| !seen.tags.contains(at));
        let missing = missing.map(|(_, tag)| {
            format!("no game that was read has a tag {}", String::from_utf8_lossy(tag))
        });
        let notes = self.notes.iter().filter(|(_, start, _)| !seen.notes.contains(start));
        let notes = notes.map(|(_, start, instead)| {
            format!("no game that was read has a comment `{start} …]`: {instead}")
        });
        let mut lines: Vec<String> = lines.chain(missing).chain(notes).collect();
        lines.dedup();
        lines
    }
}

/// Returns the index of the map for a tag.
fn place_of(source: &TextSource) -> usize {
    match source {
        TextSource::Event => 1,
        TextSource::Site => 2,
        _ => 0,
    }
}

impl NamesSeen {
    /// Adds the names of other games.
    fn add(&mut self, other: NamesSeen) {
        self.tags.extend(other.tags);
        self.notes.extend(other.notes);
        for (all, counts) in self.counts.iter_mut().zip(other.counts) {
            for (name, n) in counts {
                if all.len() < MOST_NAMES || all.contains_key(&name) {
                    let own = all.entry(name).or_default();
                    *own = [own[0] + n[0], own[1] + n[1]];
                }
            }
        }
    }

    /// Returns the texts that find most of the games meant by a text, with the numbers of their
    /// games; `None` if a name has the text.
    fn similar(&self, asked: &TagText, text: &str) -> Option<Vec<(String, u64)>> {
        let has_it = |name: &str| match (asked.is_pattern, asked.is_part) {
            (true, _) => fits_in(text, name),
            (_, true) => name.contains(text),
            _ => name == text,
        };
        let mut names = Vec::new();
        for (name, [n, n_other]) in &self.counts[place_of(&asked.source)] {
            let name = decode(name);
            let is_there =
                if asked.is_lowercase { has_it(&name.to_lowercase()) } else { has_it(&name) };
            if is_there {
                return None;
            }
            let n = match asked.source {
                TextSource::Player(tree::Color::White) => *n,
                TextSource::Player(tree::Color::Black) => *n_other,
                _ => n + n_other,
            };
            names.extend((n > 0).then_some((name, n)));
        }
        let names: Vec<(&str, u64)> = names.iter().map(|(name, n)| (&**name, *n)).collect();
        let is_player = place_of(&asked.source) == 0;
        let same = if is_player { of_same_player(text, &names) } else { Vec::new() };
        let near = if same.is_empty() { of_similar(text, &names, is_player) } else { same };
        Some(forms(&near, &names, is_player && asked.is_part))
    }
}

/// Whether a part of a name is a text, in which a dot is any character.
fn fits_in(text: &str, name: &str) -> bool {
    let (text, name) = (text.chars().collect::<Vec<_>>(), name.chars().collect::<Vec<_>>());
    let is_it = |part: &[char]| part.iter().zip(&text).all(|(a, b)| a == b || *b == '.');
    name.windows(text.len().max(1)).any(is_it)
}

/// Returns the text that finds most games of a player whose name no game has like this, among the
/// names of players and the numbers of their games.
#[must_use]
pub fn spelling_of_player(text: &str, names: &[(&str, u64)]) -> Option<String> {
    forms(&of_same_player(text, names), names, true).into_iter().next().map(|(form, _)| form)
}

/// Returns the names that may be those of a player, by surname and given name, or else by their
/// sound.
fn of_same_player<'n>(text: &str, names: &[(&'n str, u64)]) -> Vec<(&'n str, u64)> {
    let mut readings = vec![Player::of_name(text)];
    // as in `Carlsen Magnus` and `Maxime Vachier Lagrave`
    if let Some((first, rest)) = text.trim().split_once(' ').filter(|_| !text.contains(',')) {
        let orders = [format!("{first}, {rest}"), format!("{rest}, {first}")];
        readings.extend(orders.iter().map(|name| Player::of_name(name)));
    }
    readings.retain(|player| !player.is_unknown());
    let players: Vec<Player> = names.iter().map(|(name, _)| Player::of_name(name)).collect();
    let those = |is_same: fn(&Player, &Player) -> bool| -> Vec<(&'n str, u64)> {
        let all = names.iter().zip(&players).filter(|(_, player)| !player.is_unknown());
        let same = all.filter(|(_, player)| readings.iter().any(|one| is_same(one, player)));
        same.map(|(name, _)| *name).collect()
    };
    let same = those(Player::may_be);
    if same.is_empty() { those(Player::may_be_spelled) } else { same }
}

/// Returns the names that are nearest to a text, or have the last name of a player that it is.
fn of_similar<'n>(text: &str, names: &[(&'n str, u64)], is_player: bool) -> Vec<(&'n str, u64)> {
    let wanted = Wanted::of(text);
    let last = given_name_first(text).filter(|_| is_player).map(|(_, last)| Wanted::of(last));
    let of_last = |name: &str| last.as_ref().filter(|last| last.is_in(name)).map(|_| usize::MAX);
    let distance = |name: &str| wanted.distance(name).or_else(|| of_last(name));
    let near = names.iter().filter_map(|one| Some((distance(one.0)?, *one)));
    let near: Vec<(usize, (&str, u64))> = near.collect();
    let least = near.iter().map(|(distance, _)| *distance).min();
    near.into_iter().filter(|one| Some(one.0) == least).map(|(_, name)| name).collect()
}

/// Returns the names with most games, with the numbers of their games. If a part is searched, names
/// with one surname are what they have in common at their beginning: `Karpov, An` for `Karpov, Ana`
/// and `Karpov, Anatoly`.
fn forms(near: &[(&str, u64)], names: &[(&str, u64)], is_part: bool) -> Vec<(String, u64)> {
    let mut common: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
    for (name, n) in near {
        let surname = name.find(',').filter(|_| is_part);
        let (form, sum) =
            common.entry(surname.map_or(*name, |end| &name[..=end])).or_insert((*name, 0));
        let other = form.char_indices().zip(name.chars()).find(|((_, a), b)| a != b);
        let end = other.map_or(form.len().min(name.len()), |((at, _), _)| at);
        *form = &form[..end];
        *sum += n;
    }
    let in_order = |forms: &mut Vec<(&str, u64)>| {
        forms.sort_by_cached_key(|(form, _)| form.len() as u32);
        forms.sort_by_cached_key(|(_, n)| !u32::try_from(*n).unwrap_or(u32::MAX));
    };
    let mut forms: Vec<(&str, u64)> = common.into_values().collect();
    in_order(&mut forms);
    forms.truncate(MOST_PROPOSED);
    for (form, n) in &mut forms {
        *form = form.trim_end_matches([',', ' ']);
        let has_it = |name: &str| if is_part { name.contains(*form) } else { name == *form };
        *n = names.iter().filter(|(name, _)| has_it(name)).map(|(_, n)| n).sum();
    }
    in_order(&mut forms);
    forms.into_iter().map(|(form, n)| (form.to_owned(), n)).collect()
}

impl Results for NamesSeen {}

/// A text to be found in names.
struct Wanted {
    lower: String,
    words: Vec<String>,
}

impl Wanted {
    fn of(text: &str) -> Wanted {
        let lower = text.to_lowercase();
        let words = words(&lower).map(str::to_owned).collect();
        Wanted { lower, words }
    }

    /// Returns the distance between a name and the text: 0 if the name contains the text apart from
    /// case, 1 if the words have another order or other signs between them, and one more for each
    /// word that differs. `None` if it is another name.
    fn distance(&self, name: &str) -> Option<usize> {
        let lower = name.to_lowercase();
        if lower.contains(&self.lower) {
            return Some(0);
        }
        let own: Vec<&str> = words(&lower).collect();
        let mut distance = 1;
        for word in &self.words {
            if !own.contains(&word.as_str()) {
                nearest(word, own.iter().copied())?;
                distance += 1;
            }
        }
        (!self.words.is_empty()).then_some(distance)
    }

    /// Whether a name has all of the words.
    fn is_in(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        self.words.iter().all(|word| words(&lower).any(|own| own == word))
    }
}

/// Returns the given name and the last name of a text such as `Magnus Carlsen`.
fn given_name_first(text: &str) -> Option<(&str, &str)> {
    let (first, last) = text.trim().rsplit_once(' ')?;
    let is_name = |word: &str| {
        let of_name = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '.');
        word.starts_with(char::is_uppercase) && word.chars().all(of_name)
    };
    (last.chars().count() > 1 && is_name(last) && first.split(' ').all(is_name))
        .then_some((first, last))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

impl Worker for NamesWorker {
    type Results = NamesSeen;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<NamesSeen>) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan(text);
        let tags = self.index.tags(text);
        see(*tags, self.wanted, &mut out.results);
        let has = |(_, tag): &(usize, &Vec<u8>)| tags.iter().any(|(name, _)| name == *tag);
        let seen = self.tags.iter().enumerate().filter(has);
        out.results.tags.extend(seen.map(|(at, _)| at));
        let starts = self.notes.iter().map(|(_, start, _)| *start);
        let has = |start: &&str| memmem::find(text, start.as_bytes()).is_some();
        out.results.notes.extend(starts.filter(has));
    }
}

fn see(tags: Tags<'_>, wanted: [bool; 3], seen: &mut NamesSeen) {
    let mut add = |place: usize, name: &[u8], at: usize| {
        let counts = &mut seen.counts[place];
        match counts.get_mut(name) {
            _ if !wanted[place] || matches!(name, b"" | b"?") => {}
            Some(n) => n[at] += 1,
            None => {
                let mut n = [0; 2];
                n[at] = 1;
                counts.insert(name.to_vec(), n);
            }
        }
    };
    add(0, &tags.player(Color::White), 0);
    add(0, &tags.player(Color::Black), 1);
    add(1, tags.event(), 0);
    add(2, tags.site(), 0);
}

#[cfg(test)]
mod tests {
    use flow::GameSource;

    use super::*;

    #[test]
    fn names_in_regular_expressions_are_read() {
        let check = |query: &str, player: Option<&str>, expected: &[&str]| {
            let source = Source { name: "", text: query.as_bytes() };
            let mut asked = NamesAsked::of(&source, &[]);
            asked.add_player(player.map(str::as_bytes));
            let game = b"[White \"Kasparov, Garry\"]\n\n1. e4 *\n".as_slice();
            let games = GameSource::pgn("games", game).alone();
            let lines = asked.similar(games, RunOptions::default(), || false);
            assert_eq!(lines, expected, "{query} {player:?}");
            let games = GameSource::pgn("games", game).alone();
            let part = asked.similar(games, RunOptions::default(), || true);
            assert!(part.iter().all(|line| line.contains(" (at least 1 game)?")), "{part:?}");
        };
        let line = |text: &str| {
            format!(
                "no game that was read has \"{text}\" there; did you mean \"Kasparov, Garry\" (1 game)?"
            )
        };
        check("mate", Some("Kasparow"), &[&line("Kasparow")]);
        check("mate", Some("^Garry Kasparov$"), &[&line("Garry Kasparov")]);
        check("player white ~~ \"Kasparow\"", None, &[&line("Kasparow")]);
        check("mate", Some("Kasparov, G."), &[]);
        check("mate", Some("Kasparov, Garry K."), &[&line("Kasparov, Garry K.")]);
        check("player \"Kasparov, Garry K.\"", None, &[&line("Kasparov, Garry K.")]);
        check("player white ~~ \"Kasparov\"", Some("Kasparov"), &[]);
        check("player white ~~ \"Ka[rs]parow\"", Some("Kas.*row"), &[]);
    }

    #[test]
    fn the_order_of_names_is_told() {
        let told = |query: &str, game: &str| {
            let source = Source { name: "", text: query.as_bytes() };
            let games = GameSource::pgn("games", game.as_bytes()).alone();
            NamesAsked::of(&source, &[]).similar(games, RunOptions::default(), || false).join("\n")
        };
        let game = "[White \"Tal, Mikhail\"]\n[Event \"Riga Open\"]\n\n1. e4 *\n";
        let order = "\"Carlsen, Magnus\": `player \"Carlsen\"` finds either order";
        let line = told("player white \"Magnus Carlsen\"", game);
        assert!(line.ends_with(order), "{line}");
        let line = told("player \"Misha Tal\"", game);
        assert!(line.ends_with("did you mean \"Tal, Mikhail\" (1 game)?"), "{line}");
        for query in ["player \"Deep Thought 2\"", "player \"Carlsen\"", "event \"Tata Steel\""] {
            assert_eq!(told(query, game), "", "{query}");
        }
    }

    #[test]
    fn comments_that_no_game_has_are_named() {
        let check = |query: &str, game: &[u8], expected: &[&str]| {
            let source = Source { name: "", text: query.as_bytes() };
            let asked = NamesAsked::of(&source, &[]);
            let games = GameSource::pgn("games", game).alone();
            let found = asked.similar(games, RunOptions::default(), || false);
            assert_eq!(found.len(), expected.len(), "{query}: {found:?}");
            for (line, part) in found.iter().zip(expected) {
                assert!(line.contains(part), "{query}: {line}");
            }
        };
        let game = b"1. e4 {[%clk 0:00:30]} e5 *\n";
        check("elapsed > 40 or not eval < -200", game, &["`[%emt …]`", "`cql annotate`"]);
        check("{clock < 30}", game, &[]);
        check("{clock < 30}", b"1. e4 e5 *\n", &["`[%clk …]`"]);
        check("mate", game, &[]);
    }

    #[test]
    fn near_names_are_proposed() {
        let mut seen = NamesSeen::default();
        let names = [
            ("Carlsen, Magnus", 12),
            ("Carlsen, Henrik", 3),
            ("Carlsson, Pontus", 2),
            ("Karpov, Anatoly", 7),
            ("M\u{fc}ller, Karsten", 1),
        ];
        for (name, n) in names {
            seen.counts[0].insert(name.into(), [n, 1]);
        }
        seen.counts[1].insert(b"Tata Steel Masters".to_vec(), [1, 0]);
        let check = |query: &str, expected: &[&str]| {
            let source = Source { name: "", text: query.as_bytes() };
            let found = NamesAsked::of(&source, &[]).proposals(&seen);
            let found: Vec<&str> =
                found.iter().filter_map(|l| l.split_once("mean ")).map(|(_, l)| l).collect();
            assert_eq!(found, expected, "{query}");
        };
        check(
            "cql() player \"Carlson\" mate",
            &["\"Carlsen\" (17 games), \"Carlsson, Pontus\" (3 games)?"],
        );
        check("player \"Magnus Carlsen\"", &["\"Carlsen, Magnus\" (13 games)?"]);
        check("player \"Sven Magnus Carlsen\"", &["\"Carlsen\" (17 games)?"]);
        check("player white \"carlsen, m\"", &["\"Carlsen, Magnus\" (12 games)?"]);
        check("not {player == \"Karpov\"}", &["\"Karpov, Anatoly\" (8 games)?"]);
        check("player black \"Muller\"", &["\"M\u{fc}ller, Karsten\" (1 game)?"]);
        check("player \"Carlsen\" event \"tata\"", &["\"Tata Steel Masters\" (1 game)?"]);
        let older = "cql(player black \"Muller\") next* mate sort \"n\" year 1 2";
        check(older, &["\"M\u{fc}ller, Karsten\" (1 game)?"]);
        check("\"karpow\" in lowercase player white", &["\"Karpov, Anatoly\" (7 games)?"]);
        check("\"carlsen\" in lowercase player", &[]);
        check("player \"Kasparov\"", &[]);
        check("player \"\" site \"Bonn\"", &[]);
    }

    #[test]
    fn an_option_may_have_a_name_as_its_file_has_it() {
        let mut seen = NamesSeen::default();
        seen.counts[0].insert(b"Sicre, JM".to_vec(), [1, 0]);
        let mut asked = NamesAsked::default();
        asked.add_player(Some(b"Sicre, JM."));
        let told =
            "no game that was read has \"Sicre, JM.\" there; did you mean \"Sicre, JM\" (1 game)?";
        assert_eq!(asked.proposals(&seen), [told]);
    }

    #[test]
    fn forms_find_most_games_of_a_player() {
        let names = [
            ("Nakamura, Hi", 100),
            ("Nakamura, H", 40),
            ("Nakamura, Hikaru", 2),
            ("Nakamura, Fumiko", 1),
            ("Karpov, An", 10),
            ("Karpov, Ana", 30),
            ("Karpov, Alexander", 5),
            ("Vachier Lagrave, M", 50),
            ("Vachier Lagarde, Maxime", 1),
            ("Carlsen, M", 123),
            ("Carlhammar, Magnus", 1),
            ("Levon Aronian", 2),
            ("Aronian, L", 60),
        ];
        let mut seen = NamesSeen::default();
        for (name, n) in names {
            seen.counts[0].insert(name.into(), [n, 0]);
        }
        for (query, expected) in [
            ("player \"Hikaru Nakamura\"", "\"Nakamura, H\" (142 games)?"),
            ("player white \"Nakamura, Hikaru X\"", "\"Nakamura, H\" (142 games)?"),
            ("player \"Anatoly Karpov\"", "\"Karpov, An\" (40 games)?"),
            (
                "player == \"Anatoly Karpov\"",
                "\"Karpov, Ana\" (30 games), \"Karpov, An\" (10 games)?",
            ),
            ("player \"Maxime Vachier-Lagrave\"", "\"Vachier Lagrave, M\" (50 games)?"),
            ("player \"Carlsen Magnus\"", "\"Carlsen, M\" (123 games)?"),
            ("player \"Carlsen, Magnus\"", "\"Carlsen, M\" (123 games)?"),
            ("player ~~ \"Carlsen, Magnus\"", "\"Carlsen, M\" (123 games)?"),
            (
                "player \"Aronian, Levon\"",
                "\"Aronian, L\" (60 games), \"Levon Aronian\" (2 games)?",
            ),
            ("player black \"Carlsen, Magnus\"", ""),
        ] {
            let source = Source { name: "", text: query.as_bytes() };
            let found = NamesAsked::of(&source, &[]).proposals(&seen).join("\n");
            let found = found.split_once("mean ").map_or("", |(_, found)| found);
            assert_eq!(found, expected, "{query}");
        }
    }
}
