//! Cuts a source between games.
//!
//! A source is read once, by one splitter, so that its games are those of a search. A cut is made
//! only after a game without issues: such a game ends with its result, whatever follows it, and the
//! next game begins there, whatever precedes it. Each part can therefore be read alone. The
//! exception is a skipped game: the reason for skipping it may follow at a distance of up to the
//! size limit of a game, so the next cut is at least twice that limit away from its start.

use std::io::Read;

use flow::{GameSource, GameStart, SourceError, SourceFormat};
use pgn::{GAME_LIMIT, Splitter};
use xxhash_rust::xxh3::Xxh3;

use crate::error::Error;
use crate::manifest::shown;

/// Number of bytes read at a time.
const BLOCK: usize = 1 << 20;

/// Suggested upper bound of the text of a part, in bytes; it is searched in about a minute.
pub const MOST_TEXT: u64 = 256 << 20;

/// Size at which a part ends. The game that reaches one of the two numbers is its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of games.
    pub games: u64,
    /// Size of the text in bytes.
    pub bytes: u64,
}

/// Consecutive games of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRun {
    /// Start of the first game in the source.
    pub start: GameStart,
    /// Start of the text that follows the last game.
    pub end: GameStart,
}

/// Returns whether a part is large enough. The arguments are the start of the part, the number of
/// its games so far, and the offset of the byte after the last of them.
pub type ShardLimit<'a> = dyn Fn(GameStart, u64, u64) -> bool + 'a;

impl Size {
    /// Whether a part from `start` to the offset `end` has reached this size.
    pub(crate) fn is_reached(self, start: GameStart, games: u64, end: u64) -> bool {
        games >= self.games || end - start.offset >= self.bytes
    }
}

impl GameRun {
    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.end.game - self.start.game
    }
}

/// Piece of work that [`cut`] passes to its caller, in the order of the source.
pub(crate) enum Event<'a> {
    /// Text that ends at the end of a game or of the source.
    Text(&'a [u8]),
    /// End of a part: all text since the last `End`, or since the start.
    End(GameRun),
}

/// Result of cutting a PGN source without writing it.
#[derive(Debug)]
pub struct Cut {
    /// Parts of the source, in order.
    pub runs: Vec<GameRun>,
    /// Value of `lastgamenumber` for these games; it is counted by tags, so it may differ from
    /// their number.
    pub last_game_number: u64,
    /// XXH3 checksum of the text (64 bits, hexadecimal); it identifies the text.
    pub checksum: String,
    /// Reason why the source could not be read to its end; the parts cover the text before that.
    pub failure: Option<Error>,
}

/// Cuts a PGN source into parts without writing them. `go_on` receives the number of bytes read so
/// far and returns `false` to stop.
///
/// # Errors
/// The source is not PGN, or `go_on` stopped the work.
pub fn game_runs(
    source: GameSource<'_>,
    is_enough: &ShardLimit<'_>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Cut, Error> {
    let (mut runs, mut last_game_number) = (Vec::new(), 0);
    let mut sum = Xxh3::new();
    // Text of complete games is collected, since a block may have many small parts.
    let mut uncounted = Vec::new();
    let count = |text: &[u8]| flow::count_games(GameSource::pgn("", text).alone());
    let failure = cut(source, is_enough, go_on, &mut |event| {
        match event {
            Event::End(run) => runs.push(run),
            Event::Text(text) => {
                sum.update(text);
                uncounted.extend_from_slice(text);
                if uncounted.len() >= BLOCK {
                    last_game_number += count(&uncounted);
                    uncounted.clear();
                }
            }
        }
        Ok(())
    })?;
    Ok(Cut {
        runs,
        last_game_number: last_game_number + count(&uncounted),
        checksum: shown(sum.digest()),
        failure,
    })
}

/// Cuts a source into parts, leaving out parts without games. Returns the reason if the source
/// cannot be read to its end; the parts cover the text before that.
pub(crate) fn cut(
    source: GameSource<'_>,
    is_enough: &ShardLimit<'_>,
    go_on: &mut dyn FnMut(u64) -> bool,
    take: &mut dyn FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<Option<Error>, Error> {
    let name = source.name.clone();
    if let SourceFormat::Lines(_) = source.format {
        return Err(Error::NotPgn(name.to_string()));
    }
    let mut reader = source.bytes.into_reader();
    let mut cutter = ShardCutter {
        window: Vec::new(),
        base: 0,
        splitter: Splitter::default(),
        start: GameStart::START,
        n_games: 0,
        whole_until: 0,
        is_enough,
    };
    loop {
        let before = cutter.window.len();
        let read = (&mut reader).take(BLOCK as u64).read_to_end(&mut cutter.window);
        if let Err(error) = read {
            cutter.games(false, take)?;
            cutter.end_if_begun(take)?;
            return Ok(Some(Error::Source(SourceError { name, error: error.into() })));
        }
        let is_last = cutter.window.len() - before < BLOCK;
        cutter.games(is_last, take)?;
        if !go_on(cutter.base) {
            return Err(Error::Cancelled);
        }
        if is_last {
            return Ok(None);
        }
    }
}

struct ShardCutter<'a> {
    /// Text that was read and is not yet passed on.
    window: Vec<u8>,
    /// Offset of `window` in the source.
    base: u64,
    splitter: Splitter,
    /// Start of the current part.
    start: GameStart,
    /// Number of games of the source so far.
    n_games: u64,
    /// Offset before which no cut is made.
    whole_until: u64,
    is_enough: &'a ShardLimit<'a>,
}

impl ShardCutter<'_> {
    /// Passes on all complete games.
    fn games(
        &mut self,
        is_last: bool,
        take: &mut dyn FnMut(Event<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while self.is_full_behind_next_games(is_last) {
            self.hand_on(take)?;
            self.end(take)?;
        }
        self.hand_on(take)?;
        if !is_last {
            return Ok(());
        }
        take(Event::Text(&self.window))?;
        self.base += self.window.len() as u64;
        self.window.clear();
        self.end_if_begun(take)
    }

    fn end_if_begun(
        &mut self,
        take: &mut dyn FnMut(Event<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.n_games + 1 > self.start.game { self.end(take) } else { Ok(()) }
    }

    /// Reads on through the window until the part is large enough and may end. Returns whether
    /// there is such a place.
    fn is_full_behind_next_games(&mut self, is_last: bool) -> bool {
        let from = (self.splitter.offset() - self.base) as usize;
        for game in self.splitter.split(&self.window[from..], is_last) {
            self.n_games += 1;
            let end = game.offset + game.text.len() as u64;
            if game.is_skipped() {
                self.whole_until = game.offset + 2 * GAME_LIMIT as u64;
            }
            let may_end = end >= self.whole_until && game.faults.is_empty();
            let behind = &self.window[(end - self.base) as usize..];
            let may_end = may_end && begins_alone(behind, is_last);
            if may_end && (self.is_enough)(self.start, self.n_games + 1 - self.start.game, end) {
                return true;
            }
        }
        false
    }

    /// Passes on the text before the position of the splitter.
    fn hand_on(
        &mut self,
        take: &mut dyn FnMut(Event<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let n = (self.splitter.offset() - self.base) as usize;
        take(Event::Text(&self.window[..n]))?;
        self.window.drain(..n);
        self.base += n as u64;
        Ok(())
    }

    fn end(&mut self, take: &mut dyn FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let end =
            GameStart { offset: self.base, game: self.n_games + 1, line: self.splitter.line() };
        let start = std::mem::replace(&mut self.start, end);
        take(Event::End(GameRun { start, end }))
    }
}

/// Whether the text after a game would be read in the same way at the start of a file, that is,
/// whether it begins with a tag. Other text there may follow a result, and bytes above 127 could be
/// read as a byte order mark.
fn begins_alone(behind: &[u8], is_last: bool) -> bool {
    let mut text = behind.iter().filter(|byte| !byte.is_ascii_whitespace());
    text.next().map_or(is_last, |byte| *byte == b'[')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use flow::{Bytes, Output, Results, RunOptions, SourceRange, Worker};
    use pgn::RawGame;
    use proptest::prelude::*;

    use super::*;

    /// Worker that records number, offset and text of each game.
    struct GameProbe;

    #[derive(Default)]
    struct Seen(Vec<(u64, u64, Vec<u8>)>);

    impl Results for Seen {}

    impl Worker for GameProbe {
        type Results = Seen;

        fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Seen>) {
            out.results.0.push((number, raw.offset, raw.text.to_vec()));
        }
    }

    type Faults = Vec<(u64, u64, u64, String)>;

    fn games(source: GameSource<'_>) -> (Vec<(u64, u64, Vec<u8>)>, Faults) {
        let (mut seen, mut faults) = (Vec::new(), Vec::new());
        let mut sink = |out: Output<Seen>| {
            seen.extend(out.results.0);
            let of_chunk = out.faults.into_iter();
            faults.extend(of_chunk.map(|f| (f.number, f.line, f.offset, f.message)));
            Ok(())
        };
        flow::run(source.alone(), &RunOptions::default(), || GameProbe, &mut sink)
            .expect("in memory");
        (seen, faults)
    }

    /// Reader that yields the bytes and then fails.
    struct Fails<'a>(&'a [u8]);

    impl Read for Fails<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(std::io::Error::other("torn")),
                n => Ok(n),
            }
        }
    }

    #[test]
    fn what_comes_before_damage_is_a_part() {
        let check = |text: &str, games: &[u64]| {
            let bytes = Bytes::InOrder(Box::new(Fails(text.as_bytes())));
            let source = GameSource::new("a", bytes, SourceFormat::Pgn);
            let cut = game_runs(source, &|_, games, _| games == 2, &mut |_| true).expect("PGN");
            let found: Vec<u64> = cut.runs.iter().map(GameRun::games).collect();
            assert_eq!(found, games, "{text}");
            let failure = cut.failure.expect("torn").to_string();
            assert_eq!(failure, "cannot read a: torn");
        };
        let game = "[Event \"x\"]\n\n1. e4 *\n\n";
        check("", &[]);
        check("[Event \"x\"]\n\n1. e", &[]);
        check(game, &[1]);
        check(&format!("{}[Event", game.repeat(5)), &[2, 2, 1]);
    }

    /// The parts of a text, read one by one, are the whole text.
    fn check(text: &[u8], size: Size) {
        let (mut texts, mut runs) = (vec![Vec::new()], Vec::new());
        let source = GameSource::pgn("a", text);
        let is_enough = |start, games, end| size.is_reached(start, games, end);
        cut(source, &is_enough, &mut |_| true, &mut |event| {
            match event {
                Event::Text(part) => texts.last_mut().expect("one").extend_from_slice(part),
                Event::End(run) => {
                    runs.push(run);
                    texts.push(Vec::new());
                }
            }
            Ok(())
        })
        .expect("cut");
        let (mut packed, mut pieces) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        let mut alone = Vec::new();
        let add = |all: &mut (Vec<_>, Faults), part: (Vec<_>, Faults)| {
            all.0.extend(part.0);
            all.1.extend(part.1);
        };
        for (run, text_of_part) in runs.iter().zip(&texts) {
            assert!(run.games() > 0);
            let reader = Bytes::InOrder(Box::new(text_of_part.as_slice()));
            let source =
                GameSource { start: run.start, ..GameSource::new("a", reader, SourceFormat::Pgn) };
            add(&mut packed, games(source));
            let of_part = games(GameSource::pgn("a", &text_of_part[..])).0;
            alone.extend(of_part.into_iter().map(|(_, _, text)| text));
            let piece = SourceRange { start: run.start, end: run.end.offset };
            let bytes = Bytes::Pieces(Arc::new(text), vec![piece]);
            add(&mut pieces, games(GameSource::new("a", bytes, SourceFormat::Pgn)));
        }
        let whole = games(GameSource::pgn("a", text));
        assert_eq!(packed, whole);
        let texts: Vec<&Vec<u8>> = whole.0.iter().map(|game| &game.2).collect();
        assert_eq!(alone.iter().collect::<Vec<_>>(), texts);
        assert_eq!(pieces, whole);
    }

    #[test]
    fn parts_have_the_size_that_is_asked_for() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(10);
        let lengths = |games: u64, bytes: u64| {
            let source = GameSource::pgn("a", text.as_bytes());
            let size = Size { games, bytes };
            let is_enough = |start, games, end| size.is_reached(start, games, end);
            let cut = game_runs(source, &is_enough, &mut |_| true).expect("cut");
            cut.runs.iter().map(GameRun::games).collect::<Vec<u64>>()
        };
        assert_eq!(lengths(4, u64::MAX), [4, 4, 2]);
        assert_eq!(lengths(5, u64::MAX), [5, 5]);
        assert_eq!(lengths(u64::MAX, u64::MAX), [10]);
        assert_eq!(lengths(u64::MAX, 60), [3, 3, 3, 1]);
        assert_eq!(lengths(1, 0), [1; 10]);
        check(b"", Size { games: 1, bytes: 1 });
        check(b"\n\n", Size { games: 1, bytes: 1 });
    }

    #[test]
    fn texts_are_told_apart() {
        let cut = |text: &str| {
            let source = GameSource::pgn("a", text.as_bytes());
            game_runs(source, &|_, games, _| games == 2, &mut |_| true).expect("cut")
        };
        let text = "[White \"a\"]\n\n1. e4 *\n\n".repeat(3) + "1. d4 *\n";
        let whole = cut(&text);
        assert_eq!((whole.runs.len(), whole.last_game_number), (2, 3));
        assert_eq!(whole.checksum, crate::id(text.as_bytes()));
        assert_ne!(whole.checksum, cut(&text.replace("d4", "c4")).checksum);
    }

    const PARTS: &[&str] = &[
        "[Event \"a\"]\n",
        "[White \"b\"]\n",
        "\n",
        "1. e4 e5 ",
        "*",
        "1-0\n\n",
        "{ ",
        "} ",
        "( ",
        ") ",
        "; ",
        "% ",
        "\u{feff}",
        "words ",
        "\r\n",
        "[broken\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn parts_are_the_whole(
            parts in prop::collection::vec(prop::sample::select(PARTS), 0..80),
            games in 1u64..6,
            bytes in prop::sample::select(vec![0, 50, u64::MAX]),
        ) {
            check(parts.concat().as_bytes(), Size { games, bytes });
        }
    }
}
