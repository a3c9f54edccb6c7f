//! The games of a source that is being written, and the matches in them that are new.
//!
//! Complete games are evaluated once. The last game may still get moves, so it is evaluated again
//! whenever bytes arrive, as far as its last word that is certainly complete. When no more bytes
//! arrive for a while, the last word is read as well, but it may be half of a move, so its issues
//! wait until it has ended. A match is new if its position has not matched in that game before,
//! whatever became of the text since.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use babson::{Query, QueryEnd, Scan, Search, SearchError};
use engine::GameRow;
use flow::{Bytes, GameFault, GameSource, GameStart, SourceFormat, Sources};
use pgn::{FaultKind, Splitter, TagIndex};

use crate::interrupt;

/// Number of bytes that are evaluated on one thread.
const FEW: usize = 1 << 20;

/// Tags that identify a game alone.
const IDS: [&[u8]; 3] = [b"GameId", b"GameURL", b"Link"];

/// Tags that identify a game together.
const NAMES: [&[u8]; 6] = [b"Event", b"Site", b"Round", b"White", b"Black", b"Date"];

/// Games of a source in the order of its text.
pub(super) struct LiveGames {
    source: Arc<str>,
    queries: Vec<Query>,
    /// Place of the first game that is not complete.
    splitter: Splitter,
    n_complete: u64,
    /// Text from that game on.
    rest: Vec<u8>,
    /// Games that were seen.
    known: HashSet<u64>,
    /// Games of the current text that have no result.
    open: HashSet<u64>,
    /// Matches that were found: game, query and position.
    found: HashSet<(u64, usize, u64)>,
    /// Issues that were reported.
    reported: HashSet<u64>,
}

/// News after bytes have arrived.
#[derive(Default)]
pub(super) struct News {
    /// New matches: the index of a query, and a game with only the new positions.
    pub(super) matches: Vec<(usize, GameRow)>,
    /// New issues of games.
    pub(super) faults: Vec<GameFault>,
    /// Indices of queries that take too many steps.
    pub(super) given_up: Vec<usize>,
}

impl LiveGames {
    pub(super) fn new(source: Arc<str>, queries: Vec<Query>) -> LiveGames {
        LiveGames {
            source,
            queries,
            splitter: Splitter::default(),
            n_complete: 0,
            rest: Vec::new(),
            known: HashSet::new(),
            open: HashSet::new(),
            found: HashSet::new(),
            reported: HashSet::new(),
        }
    }

    /// Begins with the text anew. Its games remain known.
    pub(super) fn restart(&mut self) {
        self.splitter = Splitter::default();
        self.n_complete = 0;
        self.rest.clear();
        self.open.clear();
    }

    /// Number of different games.
    pub(super) fn n_games(&self) -> usize {
        self.known.len()
    }

    /// Whether there are games, and each of the current text has a result.
    pub(super) fn are_over(&self) -> bool {
        !self.known.is_empty() && self.open.is_empty()
    }

    /// Adds bytes and evaluates what is new. Issues of the last game are not reported, since the
    /// rest of it may be missing.
    ///
    /// # Errors
    /// Those of the search.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<News, SearchError> {
        self.rest.extend_from_slice(bytes);
        self.evaluate(Stage::Growing)
    }

    /// Evaluates the last game as it is, since no bytes have arrived for a while.
    ///
    /// # Errors
    /// Those of the search.
    pub(super) fn settle(&mut self) -> Result<News, SearchError> {
        let mut news = self.evaluate(Stage::Paused)?;
        // Usually the text ends with the end of a line, and then every word has been read.
        if Stage::LastWord.ready(&self.rest) == Stage::Paused.ready(&self.rest) {
            return Ok(news);
        }
        let of_last_word = self.evaluate(Stage::LastWord)?;
        news.matches.extend(of_last_word.matches);
        news.faults.extend(of_last_word.faults);
        news.given_up.extend(of_last_word.given_up);
        Ok(news)
    }

    /// Evaluates the last game at the end of the source.
    ///
    /// # Errors
    /// Those of the search.
    pub(super) fn finish(&mut self) -> Result<News, SearchError> {
        self.evaluate(Stage::Ended)
    }

    fn evaluate(&mut self, stage: Stage) -> Result<News, SearchError> {
        let (mut after, first) = (self.splitter.clone(), self.n_complete + 1);
        let n_games = after.split(&self.rest, false).count() as u64;
        let complete = usize::try_from(after.offset() - self.splitter.offset()).unwrap_or(0);
        let end = complete + stage.ready(&self.rest[complete..]);
        self.note_games(end, first);
        let mut news = News::default();
        let text = Text {
            name: &self.source,
            bytes: &self.rest[..end],
            start: GameStart {
                offset: self.splitter.offset(),
                game: first,
                line: self.splitter.line(),
            },
        };
        let threads = if end <= FEW { 1 } else { 0 };
        let queries = self.queries.iter().cloned();
        let search = Search::new(&text, queries).threads(threads).cancel(interrupt::cancel());
        let (found, reported) = (&mut self.found, &mut self.reported);
        let last = first + n_games;
        let missing_end = FaultKind::MissingEnd.to_string();
        let summary = search.run_each(&mut |_| {}, &mut |chunk| {
            for fault in chunk.output.faults {
                // A game without a result is still being played.
                let goes_on = stage != Stage::Ended && fault.message == missing_end;
                let is_certain = fault.number < last || stage.tells() && !goes_on;
                let id = hash(&(fault.number, fault.part, &fault.message));
                if is_certain && reported.insert(id) {
                    news.faults.push(fault);
                }
            }
            for (query, results) in chunk.output.results.into_iter().enumerate() {
                for mut row in results.rows {
                    let game = game_id(|name| row.tag(name), row.number);
                    if row.positions.is_empty() && found.insert((game, query, 0)) {
                        news.matches.push((query, row));
                        continue;
                    }
                    row.positions.retain(|position| {
                        found.insert((game, query, hash(&(position.ply, &position.fen))))
                    });
                    if !row.positions.is_empty() {
                        news.matches.push((query, row));
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let ends = summary.queries.iter().enumerate();
        let given_up = ends.filter(|(_, query)| query.state.end == Some(QueryEnd::GivenUp));
        news.given_up = given_up.map(|(query, _)| query).collect();
        news.matches.sort_by_key(|(query, row)| (row.number, *query));
        self.splitter = after;
        self.n_complete += n_games;
        self.rest.drain(..complete);
        Ok(news)
    }

    /// Notes which games there are up to a byte, and which of them have a result.
    fn note_games(&mut self, end: usize, first: u64) {
        let mut index = TagIndex::default();
        let mut splitter = self.splitter.clone();
        for (number, game) in (first..).zip(splitter.split(&self.rest[..end], true)) {
            index.scan(game.text);
            let tags = index.tags(game.text);
            let id = game_id(|name| tags.raw(name), number);
            self.known.insert(id);
            let results: [&[u8]; 3] = [b"1-0", b"0-1", b"1/2-1/2"];
            if results.iter().any(|result| game.text.trim_ascii_end().ends_with(result)) {
                self.open.remove(&id);
            } else {
                self.open.insert(id);
            }
        }
    }
}

/// State of a source, which determines how much of the last game can be evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Bytes have arrived, perhaps without the end of the last word.
    Growing,
    /// No bytes have arrived for a while. The words that have ended are read.
    Paused,
    /// As before, and the last word is read, which may not have ended.
    LastWord,
    /// No more bytes will arrive.
    Ended,
}

impl Stage {
    /// Whether issues of the last game are reported.
    fn tells(self) -> bool {
        matches!(self, Stage::Paused | Stage::Ended)
    }

    /// Returns the number of bytes of the last game that can be evaluated: nothing before its tags
    /// are complete, and no comment before it is closed.
    fn ready(self, last: &[u8]) -> usize {
        let mut lines = last.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let has_moves = lines.any(|line| !line.is_empty() && !line.starts_with(b"["));
        let ends = [&b"\n\n"[..], b"\n\r\n"];
        let end = match self {
            Stage::Ended => return last.len(),
            // An empty line ends the tags, too.
            Stage::LastWord if has_moves || ends.iter().any(|end| last.ends_with(end)) => {
                last.len()
            }
            Stage::Growing | Stage::Paused if has_moves => {
                last.iter().rposition(u8::is_ascii_whitespace).map_or(0, |end| end + 1)
            }
            _ => 0,
        };
        open_comment(&last[..end]).unwrap_or(end)
    }
}

/// Returns the offset of a comment that is not closed.
fn open_comment(text: &[u8]) -> Option<usize> {
    let (mut depth, mut open, mut offset) = (0_usize, None, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let is_tag = depth == 0 && line.starts_with(b"[");
        for (place, byte) in line.iter().enumerate().filter(|_| !is_tag) {
            match byte {
                b'{' => {
                    open = open.or(Some(offset + place));
                    depth += 1;
                }
                b'}' => {
                    depth = depth.saturating_sub(1);
                    open = open.filter(|_| depth > 0);
                }
                _ => {}
            }
        }
        offset += line.len();
    }
    open
}

/// Returns what identifies a game: a tag made for that, or the tags about the event and the
/// players. A game without names is identified by its number.
fn game_id<'t>(tag: impl Fn(&[u8]) -> Option<&'t [u8]>, number: u64) -> u64 {
    let known = |name: &[u8]| tag(name).filter(|value| !value.is_empty() && *value != b"?");
    if let Some(id) = IDS.iter().find_map(|name| known(name)) {
        return hash(&id);
    }
    if let Some(site) = known(b"Site").filter(|site| is_game_of_lichess(site)) {
        return hash(&site);
    }
    if known(b"White").is_none() && known(b"Black").is_none() {
        return hash(&number);
    }
    hash(&NAMES.map(known))
}

/// Whether an address is that of a game, such as `https://lichess.org/q7ZvsdUF`, and not of a
/// tournament.
fn is_game_of_lichess(site: &[u8]) -> bool {
    let id = site.strip_prefix(b"https://lichess.org/").unwrap_or_default();
    matches!(id.len(), 8 | 12) && id.iter().all(u8::is_ascii_alphanumeric)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Consecutive games of a source.
struct Text<'t> {
    name: &'t Arc<str>,
    bytes: &'t [u8],
    start: GameStart,
}

impl Scan for Text<'_> {
    fn sources(&self) -> Box<Sources<'_>> {
        let bytes = Bytes::InOrder(Box::new(Cursor::new(self.bytes)));
        let source = GameSource::new(self.name.clone(), bytes, SourceFormat::Pgn);
        GameSource { games_before: Some(0), start: self.start, ..source }.alone()
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use engine::{CompileOptions, Source, compile};

    use super::*;

    const TAGS: &str = "[Event \"Cup\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\n";

    fn games(query: &str) -> LiveGames {
        let text = format!("cql() {query}");
        let source = Source { name: "test.cql", text: text.as_bytes() };
        let compiled = compile(&source, &[], &CompileOptions::default());
        let query = Query::new(compiled.program.expect("a correct query")).with_rows();
        LiveGames::new("live.pgn".into(), vec![query])
    }

    /// Returns the last moves of the new positions, and the number of issues.
    fn told(news: Result<News, SearchError>) -> (String, usize) {
        let news = news.unwrap_or_else(|error| panic!("{error}"));
        let positions = news.matches.iter().flat_map(|(_, row)| &row.positions);
        let last = |position: &engine::PositionRow| {
            position.last_move.as_ref().map_or("start".to_owned(), |last| last.san.clone())
        };
        (positions.map(last).collect::<Vec<_>>().join(" "), news.faults.len())
    }

    #[test]
    fn a_match_is_new_once_however_its_game_is_cut() {
        let moves = "1. f3 e5 2. g4 Qh4# {a comment of several words} 0-1\n\n";
        let text = TAGS.to_owned() + moves;
        for cut in 0..text.len() {
            let mut games = games("check");
            let first = told(games.add(&text.as_bytes()[..cut]));
            let second = told(games.add(&text.as_bytes()[cut..]));
            let third = told(games.settle());
            assert_eq!(first.0 + &second.0 + &third.0, "Qh4#", "{cut}");
            assert_eq!((first.1, second.1, third.1), (0, 0, 0), "{cut}");
            assert_eq!(games.n_games(), 1, "{cut}");
            assert!(games.are_over(), "{cut}");
        }
    }

    #[test]
    fn the_last_word_waits_for_its_end_or_a_pause() {
        let mut games = games("check");
        assert_eq!(told(games.add(format!("{TAGS}1. f3 e5 2. g4 Qh").as_bytes())), ("".into(), 0));
        assert_eq!(told(games.add(b"4#")), ("".into(), 0));
        assert_eq!(told(games.settle()), ("Qh4#".into(), 0));
        assert!(!games.are_over());
        assert_eq!(told(games.add(b" 0-1\n")), ("".into(), 0));
        assert!(games.are_over());
    }

    #[test]
    fn half_of_a_move_is_no_issue() {
        let mut games = games("check");
        for text in [&format!("{TAGS}1. f3 e5 2. g"), "4 Qh", "4# 0-", "1"] {
            assert_eq!(told(games.add(text.as_bytes())).1, 0, "{text}");
            assert_eq!(told(games.settle()).1, 0, "{text}");
        }
        assert!(games.are_over());
        // A word that has ended is what it is.
        games.restart();
        assert_eq!(told(games.add(format!("{TAGS}1. f3 e5 2. g ").as_bytes())).1, 0);
        assert_eq!(told(games.settle()).1, 1);
    }

    #[test]
    fn a_game_is_known_when_its_tags_are_complete() {
        let mut games = games("check");
        let parts = ["[Event \"Cup\"]\n[White \"A\"]\n", "[Black \"B\"]\n\n", "1. e4 1-0\n\n"];
        for (part, n) in parts.into_iter().zip([0, 1, 1]) {
            assert_eq!(told(games.add(part.as_bytes())).1, 0);
            assert_eq!(told(games.settle()).1, 0);
            assert_eq!(games.n_games(), n, "{part}");
        }
        assert!(games.are_over());
    }

    #[test]
    fn moves_before_an_open_comment_are_evaluated() {
        let mut games = games("check");
        let text = TAGS.replace("Cup", "{Cup");
        let moves = format!("{text}1. f3 e5 2. g4 Qh4# {{ [%clk 0:0");
        assert_eq!(told(games.add(moves.as_bytes())), ("Qh4#".into(), 0));
        assert_eq!(told(games.settle()), ("".into(), 0));
        assert_eq!(told(games.finish()), ("".into(), 1));
    }

    #[test]
    fn issues_are_reported_once_when_their_game_is_complete_or_rests() {
        let mut games = games("check");
        let bad = format!("{TAGS}1. e4 e5 2. Qxh8 Nc6 ");
        assert_eq!(told(games.add(bad.as_bytes())).1, 0);
        assert_eq!(told(games.settle()).1, 1);
        assert_eq!(told(games.settle()).1, 0);
        assert_eq!(told(games.add(format!("*\n\n{TAGS}1. d4 ").as_bytes())).1, 0);
        games.restart();
        assert_eq!(told(games.add(format!("{bad}*\n\n{TAGS}").as_bytes())).1, 0);
    }

    #[test]
    fn the_same_game_with_more_moves_is_the_same_game() {
        let check = |tags: [&str; 2], n: usize, expected: &str| {
            let mut games = games("ply > 0 btm");
            let first = format!("{}\n1. e4 e5 *\n\n", tags[0]);
            let again = format!("{}\n1. e4 e5 2. Nf3 *\n\n", tags[1]);
            assert_eq!(told(games.add(first.as_bytes())).0, "e4");
            assert_eq!(told(games.add(again.as_bytes())).0, expected, "{tags:?}");
            assert_eq!(games.n_games(), n, "{tags:?}");
        };
        let named = "[Event \"Cup\"]\n[White \"A\"]\n[Black \"B\"]\n";
        check([named, named], 1, "Nf3");
        check([named, &named.replace('B', "C")], 2, "e4 Nf3");
        check([named, &format!("{named}[Round \"2\"]\n")], 2, "e4 Nf3");
        let id = "[GameId \"x\"]\n";
        check([&format!("{named}{id}"), &format!("[White \"D\"]\n{id}")], 1, "Nf3");
        let site = "[Site \"https://lichess.org/q7ZvsdUF\"]\n";
        check([&format!("{named}{site}"), &format!("[White \"D\"]\n{site}")], 1, "Nf3");
        let event = "[Site \"https://lichess.org/broadcast\"]\n";
        check([&format!("{named}{event}"), &format!("[White \"D\"]\n{event}")], 2, "e4 Nf3");
        check(["[White \"?\"]\n", "[White \"?\"]\n"], 2, "e4 Nf3");
    }

    #[test]
    fn games_keep_their_numbers_and_places() {
        let mut games = games("mate");
        let mate = format!("{TAGS}1. f3 e5 2. g4 Qh4# 0-1\n\n");
        let open = "[White \"C\"]\n\n1. e4 *\n\n";
        let text = format!("{open}{open}{mate}");
        let mut rows = Vec::new();
        for part in text.as_bytes().chunks(7) {
            rows.extend(games.add(part).expect("searched").matches);
        }
        let places: Vec<_> = rows.iter().map(|(_, row)| (row.number, row.offset)).collect();
        assert_eq!(places, [(3, 2 * open.len() as u64)]);
        assert_eq!(rows[0].1.number_in_input, 3);
    }
}
