//! Cuts chunks: finds where a chunk probably begins and splits it into games.

use std::io;
use std::sync::Arc;

use memchr::memchr;
use pgn::{RawGame, Splitter};

use super::Input;
use super::buffer::Buffer;
use super::feed::{AfterBytes, Portion, PortionBytes};
use super::source::{GameStart, LineFormat, OpenSource, SourceFormat};

/// Number of bytes searched for a likely boundary. If there is none, the cut is made anyway and
/// corrected when the chunks are joined.
const LOOKAHEAD: usize = 128 << 10;

/// Number of bytes of the first extra read; it doubles each time.
const STEP: usize = 4 << 10;

/// Largest size in bytes of a line that is a game; equals the limit of other games.
pub(super) const LONGEST_LINE: usize = pgn::GAME_LIMIT;

/// Number of bytes after a boundary that are needed to recognize it.
pub(super) const CONTEXT: usize = 16;

/// Consecutive bytes of a source, split into games.
pub(super) struct Chunk<'a> {
    source: Arc<OpenSource<'a>>,
    /// Offset of the chunk in its source.
    start: u64,
    /// Place of the first game, if this is the first chunk of a piece.
    place: Option<GameStart>,
    buffer: Buffer,
    /// Index in the buffer at which the chunk begins.
    begin: usize,
    /// State of the source after the chunk.
    follows: AfterBytes,
    /// End of the piece, if this is its last chunk and the source continues.
    limit: Option<RangeEnd<'a>>,
    /// Games without their texts, and the lengths of the texts.
    games: Vec<(RawGame<'static>, usize)>,
    /// Line of the first byte, as the splitter counts.
    first_line: u64,
    /// State of the splitter after the last complete game.
    end: Splitter,
}

/// End of a piece in a source that continues.
struct RangeEnd<'a> {
    /// All games of the piece begin before this offset.
    offset: u64,
    /// Input that contains the rest of the last game.
    input: Arc<dyn Input + 'a>,
    /// Offset of the first game after the piece, once it has been found.
    next: Option<u64>,
}

impl<'a> Chunk<'a> {
    /// Creates a chunk from the bytes of `buffer` from `begin` on, at the position of `splitter`.
    /// If that position is a guess, so are the games.
    fn new(
        source: Arc<OpenSource<'a>>,
        splitter: Splitter,
        buffer: Buffer,
        begin: usize,
        follows: AfterBytes,
    ) -> Chunk<'a> {
        Chunk {
            source,
            start: splitter.offset(),
            place: None,
            buffer,
            begin,
            follows,
            limit: None,
            games: Vec::new(),
            first_line: splitter.line(),
            end: splitter,
        }
    }

    /// Finds the games. At the end of a piece, reads on until its last game is complete.
    fn split(mut self) -> Chunk<'a> {
        let start = self.end.clone();
        let mut step = STEP;
        loop {
            self.find_games();
            if self.is_whole() {
                return self;
            }
            let Some(limit) = &self.limit else {
                return self;
            };
            let place = self.start + (self.buffer.len() - self.begin) as u64;
            match self.buffer.read(&*limit.input, place, step) {
                Ok(n) if n < step => self.follows = AfterBytes::Last,
                Ok(_) => {}
                Err(error) => self.follows = AfterBytes::Failed(error.into()),
            }
            step *= 2;
            self.games.clear();
            self.end = start.clone();
        }
    }

    fn find_games(&mut self) {
        let bytes = &self.buffer.as_slice()[self.begin..];
        let is_last = matches!(self.follows, AfterBytes::Last);
        let limit = self.limit.as_ref().map_or(u64::MAX, |limit| limit.offset);
        let next = match &self.source.format {
            SourceFormat::Pgn => {
                let mut games = self.end.split(bytes, is_last);
                loop {
                    match games.next() {
                        Some(game) if game.offset >= limit => break Some(game.offset),
                        Some(game) => self.games.push((game.with_text(&[]), game.text.len())),
                        None => break None,
                    }
                }
            }
            SourceFormat::Lines(format) => {
                let bytes = LineIter { bytes, is_last, limit };
                split_lines(&**format, &mut self.end, &bytes, &mut self.games);
                None
            }
        };
        if let Some(limit) = &mut self.limit {
            limit.next = next;
        }
        if matches!(self.follows, AfterBytes::Failed(_)) {
            self.find_games_after_open_brace(limit);
        }
    }

    /// Finds the games in the rest of a source that fails. After an open brace, the splitter takes all
    /// games for a part of the comment until it knows that no more bytes come. The last game is left
    /// out: its end is not known.
    fn find_games_after_open_brace(&mut self, limit: u64) {
        if !matches!(self.source.format, SourceFormat::Pgn) {
            return;
        }
        let mut end = self.end.clone();
        let games = end.split(self.rest(), true).take_while(|game| game.offset < limit);
        let mut games: Vec<_> = games.map(|game| (game.with_text(&[]), game.text.len())).collect();
        games.pop();
        if !games.is_empty() {
            self.games.append(&mut games);
            self.end = end;
        }
    }

    /// Whether all games of the piece that can be read have been found.
    fn is_whole(&self) -> bool {
        let Some(limit) = &self.limit else {
            return true;
        };
        let left = limit.offset.saturating_sub(self.end.offset());
        let blank = self.rest().iter().take_while(|byte| byte.is_ascii_whitespace());
        limit.next.is_some()
            || !matches!(self.follows, AfterBytes::Open)
            || left == 0
            || self.end.is_between_games() && blank.count() as u64 >= left
    }

    /// Makes a chunk of a portion, reading its bytes if necessary: from the first likely boundary
    /// in the portion to the first one after it.
    pub(super) fn of_portion(portion: Portion<'a>, lookahead: usize) -> Chunk<'a> {
        let source = portion.source;
        match portion.bytes {
            PortionBytes::Read { start, place, buffer, end } => {
                let mut chunk = Chunk::new(source, splitter_at(start), buffer, 0, end);
                chunk.place = place;
                chunk.split()
            }
            PortionBytes::Range { input, from, to, place, end: piece_end, mut buffer } => {
                buffer.clear();
                let cutter = PortionReader {
                    input: &*input,
                    format: &source.format,
                    from,
                    is_certain: place.is_some(),
                    piece_end,
                    lookahead,
                };
                let (start, begin, follows) = match cutter.read(to, &mut buffer) {
                    Ok((start, end)) => {
                        buffer.truncate((end - from) as usize);
                        let follows =
                            if to == input.size() { AfterBytes::Last } else { AfterBytes::Open };
                        (start, (start - from) as usize, follows)
                    }
                    Err(error) => {
                        // Bytes before the error are still useful if a game is known to begin at
                        // `from`.
                        let end = AfterBytes::Failed(error.into());
                        let start = cutter.start(&mut buffer).unwrap_or(from);
                        (start, ((start - from) as usize).min(buffer.len()), end)
                    }
                };
                let mut chunk = Chunk::new(source, splitter_at(start), buffer, begin, follows);
                chunk.place = place;
                let goes_on = to == piece_end && matches!(chunk.follows, AfterBytes::Open);
                chunk.limit = goes_on.then_some(RangeEnd { offset: to, input, next: None });
                chunk.split()
            }
        }
    }

    /// Splits the chunk again as the continuation of `before`, together with the bytes that were
    /// left over there.
    pub(super) fn join(self, before: Splitter, left_over: &[u8]) -> Chunk<'a> {
        let mut joined = Buffer::default();
        joined.extend(left_over);
        joined.extend(self.bytes());
        let mut chunk = Chunk::new(self.source, before, joined, 0, self.follows);
        chunk.limit = self.limit;
        chunk.split()
    }

    pub(super) fn source(&self) -> &Arc<OpenSource<'a>> {
        &self.source
    }

    /// State of the source after the chunk.
    pub(super) fn follows(&self) -> &AfterBytes {
        &self.follows
    }

    /// Offset of the chunk in its source.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Place of the first game, if this is the first chunk of a piece.
    pub(super) fn place(&self) -> Option<GameStart> {
        self.place
    }

    /// Number of bytes of the games and of the text between them.
    pub(super) fn n_bytes(&self) -> u64 {
        let next = self.limit.as_ref().and_then(|limit| limit.next);
        next.unwrap_or(self.end.offset()) - self.start
    }

    /// State of the splitter after the last complete game.
    pub(super) fn end(&self) -> &Splitter {
        &self.end
    }

    pub(super) fn n_games(&self) -> usize {
        self.games.len()
    }

    /// Number of line ends before [`Chunk::end`].
    pub(super) fn n_lines(&self) -> u64 {
        self.end.line() - self.first_line
    }

    /// Line before the first one, as the splitter counts.
    pub(super) fn line_before(&self) -> u64 {
        self.first_line - 1
    }

    pub(super) fn games(&self) -> impl Iterator<Item = RawGame<'_>> {
        self.games.iter().map(|(game, length)| {
            let start = (game.offset - self.start) as usize;
            game.with_text(&self.bytes()[start..start + length])
        })
    }

    /// Bytes after the last complete game.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes()[(self.end.offset() - self.start) as usize..]
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer.as_slice()[self.begin..]
    }

    /// Returns the memory for another chunk.
    pub(super) fn into_buffer(self) -> Buffer {
        self.buffer
    }
}

/// Returns the splitter of a chunk that begins at `start`.
fn splitter_at(start: u64) -> Splitter {
    match start {
        0 => Splitter::default(),
        _ => Splitter::starting_at(start, 1),
    }
}

/// Bytes that consist of lines.
struct LineIter<'b> {
    bytes: &'b [u8],
    /// Whether the source ends after them.
    is_last: bool,
    /// Only lines that begin before this offset of the source are wanted.
    limit: u64,
}

/// Finds the lines that are games, and advances `end` past the last complete line.
fn split_lines(
    format: &dyn LineFormat,
    end: &mut Splitter,
    lines: &LineIter<'_>,
    games: &mut Vec<(RawGame<'static>, usize)>,
) {
    let LineIter { bytes, is_last, limit } = *lines;
    let start = end.offset();
    let (mut at, mut line) = (0, end.line());
    while at < bytes.len() && start + (at as u64) < limit {
        let most = bytes.len().min(at + LONGEST_LINE);
        let (length, next) = match memchr(b'\n', &bytes[at..most]) {
            Some(length) => (length, at + length + 1),
            // The rest counts as another line, so that no long line has to be in memory as a whole.
            None if most == at + LONGEST_LINE => (LONGEST_LINE, most),
            None if is_last => (bytes.len() - at, bytes.len()),
            None => break,
        };
        let text = &bytes[at..at + length];
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if format.is_game(text, start + at as u64 == 0) {
            let mut game = RawGame::of(&[]);
            game.offset = start + at as u64;
            games.push((game, text.len()));
        }
        line += u64::from(next > at + length);
        at = next;
    }
    *end = Splitter::starting_at(start + at as u64, line);
}

/// Reads a portion of an input from offset `from` on.
struct PortionReader<'i> {
    input: &'i dyn Input,
    format: &'i SourceFormat<'i>,
    from: u64,
    /// Whether a game certainly begins at `from`.
    is_certain: bool,
    /// End offset of the piece; later bytes do not count.
    piece_end: u64,
    lookahead: usize,
}

impl PortionReader<'_> {
    /// Reads the portion whose nominal end is `to`. Returns the offsets of its real start and end.
    fn read(&self, to: u64, buffer: &mut Buffer) -> io::Result<(u64, u64)> {
        let n = (to - self.from) as usize;
        if buffer.read(self.input, self.from, n)? < n {
            return Err(changed());
        }
        let start = self.start(buffer)?;
        let end = if to == self.piece_end { to } else { self.boundary(to, buffer)? };
        Ok((start, end))
    }

    /// Returns the offset of the first game.
    fn start(&self, buffer: &mut Buffer) -> io::Result<u64> {
        if self.is_certain { Ok(self.from) } else { self.boundary(self.from, buffer) }
    }

    /// Returns the offset of the first likely boundary after `nominal`. It depends only on the
    /// bytes from `nominal` on, so the chunks on both sides agree. A later `nominal` never gives an
    /// earlier offset. `buffer` holds the bytes from `from` on, and more are read when needed.
    fn boundary(&self, nominal: u64, buffer: &mut Buffer) -> io::Result<u64> {
        let begin = (nominal - self.from) as usize;
        let lookahead = self.lookahead.min(LOOKAHEAD) as u64;
        let left = self.piece_end - nominal;
        let lookahead = left.min(lookahead) as usize;
        let most = left.min((lookahead + CONTEXT) as u64) as usize;
        let mut step = STEP;
        loop {
            let bytes = &buffer.as_slice()[begin..];
            let seen = bytes.len().min(most);
            // Starts at the second byte, because the chunk on the other side does not know the byte
            // before the first.
            let found = match self.format {
                SourceFormat::Pgn => pgn::likely_boundary(&bytes[..seen], 1),
                SourceFormat::Lines(_) => memchr(b'\n', &bytes[..seen]).map(|newline| newline + 1),
            };
            if let Some(place) = found {
                return Ok(nominal + place.min(lookahead) as u64);
            }
            if seen == most {
                return Ok(nominal + lookahead as u64);
            }
            let wanted = (most - seen).min(step);
            if buffer.read(self.input, nominal + seen as u64, wanted)? < wanted {
                return Err(changed());
            }
            step *= 2;
        }
    }
}

fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")
}
