//! Finds names, tags, clocks and evaluations that a query asks for and no game has, and proposes
//! similar names.
//!
//! The moves of the games are not read, and each name is counted once. Names that a game has are
//! not reported.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use flow::{Output, Results, RunOptions, Sources, Worker};
use memchr::memmem;
use pgn::{RawGame, TagIndex, Tags, decode};
use syntax::builtin::NumberSource;
use syntax::dialect::{Dialect, dialect_of};
use syntax::lint::{TagText, numbers_of_comments, other_tags, plain_text, texts_of_tags};
use syntax::older::translate;
use syntax::parse::nearest;
use syntax::tree::TextSource;
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
    /// A map for the players, one for the events, and one for the sites.
    counts: [HashMap<Vec<u8>, u64>; 3],
    /// Numbers of the tags that a game has.
    tags: HashSet<usize>,
    /// Beginnings of the comments that a game has.
    notes: HashSet<&'static str>,
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
        let plain = pattern.and_then(plain_text);
        self.names.extend(plain.map(|text| TagText {
            source: TextSource::Players,
            text: text.to_vec(),
            span: Span::default(),
            is_part: true,
            is_lowercase: false,
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
            let near = seen.similar(asked, &text);
            let near: Vec<String> = near.iter().map(|name| format!("\"{name}\"")).collect();
            (!near.is_empty()).then(|| {
                let near = near.join(", ");
                format!("no game that was read has \"{text}\" there; did you mean {near}?")
            })
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
                    *all.entry(name).or_default() += n;
                }
            }
        }
    }

    /// Returns the names that are nearest to a text; none if a name has the text.
    fn similar(&self, asked: &TagText, text: &str) -> Vec<String> {
        let wanted = Wanted::of(text);
        let mut near = Vec::new();
        for (name, n) in &self.counts[place_of(&asked.source)] {
            let name = decode(name);
            let seen = if asked.is_lowercase {
                Cow::Owned(name.to_ascii_lowercase())
            } else {
                Cow::Borrowed(&*name)
            };
            let has_it = if asked.is_part { seen.contains(text) } else { seen == text };
            if has_it {
                return Vec::new();
            }
            if let Some(distance) = wanted.distance(&name) {
                near.push((distance, std::cmp::Reverse(*n), name.into_owned()));
            }
        }
        near.sort_unstable();
        let least = near.first().map(|(distance, ..)| *distance);
        let near = near.into_iter();
        let near = near.take_while(|(distance, ..)| Some(*distance) == least);
        near.take(MOST_PROPOSED).map(|(.., name)| name).collect()
    }
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
    let mut add = |place: usize, name: &[u8]| {
        let counts = &mut seen.counts[place];
        match counts.get_mut(name) {
            _ if !wanted[place] || matches!(name, b"" | b"?") => {}
            Some(n) => *n += 1,
            None => {
                counts.insert(name.to_vec(), 1);
            }
        }
    };
    for color in Color::ALL {
        add(0, &tags.player(color));
    }
    add(1, tags.event());
    add(2, tags.site());
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
        };
        let line = |text: &str| {
            format!("no game that was read has \"{text}\" there; did you mean \"Kasparov, Garry\"?")
        };
        check("mate", Some("Kasparow"), &[&line("Kasparow")]);
        check("mate", Some("^Garry Kasparov$"), &[&line("Garry Kasparov")]);
        check("player white ~~ \"Kasparow\"", None, &[&line("Kasparow")]);
        check("player white ~~ \"Kasparov\"", Some("Kasparov"), &[]);
        check("player white ~~ \"Ka[rs]parow\"", Some("Kas.*row"), &[]);
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
            seen.counts[0].insert(name.into(), n);
        }
        seen.counts[1].insert(b"Tata Steel Masters".to_vec(), 1);
        let check = |query: &str, expected: &[&str]| {
            let source = Source { name: "", text: query.as_bytes() };
            let found = NamesAsked::of(&source, &[]).proposals(&seen);
            let found: Vec<&str> =
                found.iter().filter_map(|l| l.split_once("mean ")).map(|(_, l)| l).collect();
            assert_eq!(found, expected, "{query}");
        };
        check(
            "cql() player \"Carlson\" mate",
            &["\"Carlsen, Magnus\", \"Carlsen, Henrik\", \"Carlsson, Pontus\"?"],
        );
        check("player \"Magnus Carlsen\"", &["\"Carlsen, Magnus\"?"]);
        check("player white \"carlsen, m\"", &["\"Carlsen, Magnus\"?"]);
        check("not {player == \"Karpov\"}", &["\"Karpov, Anatoly\"?"]);
        check("player black \"Muller\"", &["\"M\u{fc}ller, Karsten\"?"]);
        check("player \"Carlsen\" event \"tata\"", &["\"Tata Steel Masters\"?"]);
        let older = "cql(player black \"Muller\") next* mate sort \"n\" year 1 2";
        check(older, &["\"M\u{fc}ller, Karsten\"?"]);
        check("\"karpow\" in lowercase player white", &["\"Karpov, Anatoly\"?"]);
        check("\"carlsen\" in lowercase player", &[]);
        check("player \"Kasparov\"", &[]);
        check("player \"\" site \"Bonn\"", &[]);
    }
}
