//! Games of an archive: searched by their columns, and by their text only where it takes that.
//!
//! What comes of a search is what comes of the text. So games that have faults, or of which the
//! columns do not know enough, are read from their text as if there were no archive; and there is
//! none where the text is not the one that it was made of.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use archive::{Archive, Class, Flags, Form, Game, Plan, Rows};
use engine::{Found, GameScreen, GameWorker, KnownGame};
use flow::{
    Bytes, FaultKind, Format, GameSource, Input, Origin, Output, Piece, Place, RangeWorker,
    RunOptions, Worker,
};
use input::Inputs;
use pgn::{GameTree, RawGame, TagTable, Tags};

use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::visible::visible_name;

/// How many games are evaluated together.
const RANGE: u64 = 1024;

/// An archive that was named in place of games.
pub(crate) struct Named {
    folder: PathBuf,
    archive: Archive,
}

impl Named {
    /// The archive that is the only input, if it is one.
    pub(crate) fn find(inputs: &[PathBuf]) -> Result<Option<Named>, Failure> {
        let [folder] = inputs else {
            return Ok(None);
        };
        let archive = games::archive(folder)?;
        Ok(archive.map(|archive| Named {
            folder: folder.clone(),
            archive,
        }))
    }

    /// The archive as it can be searched in place of its files, or none, with a line that says why.
    pub(crate) fn opened(self, inputs: &Inputs) -> Option<Archived<'_>> {
        let name = shown(&self.folder);
        let opened = Archived::open(self, inputs);
        if let Err(reason) = &opened {
            tell_line!("{name}: {reason}; the text is searched");
        }
        opened.ok()
    }
}

fn shown(path: &Path) -> String {
    visible_name(&path.display().to_string()).into_owned()
}

/// Something that gave games to an archive.
struct Source<'i> {
    origin: Origin,
    input: Arc<dyn Input + 'i>,
}

/// Games of one source in one segment.
#[derive(Clone)]
struct Part {
    games: Range<u64>,
    segment: usize,
    /// The row of the first of them.
    row: usize,
    source: usize,
}

/// An archive that says what its files say.
pub(crate) struct Archived<'i> {
    archive: Archive,
    sources: Vec<Source<'i>>,
    parts: Vec<Part>,
    /// The segments that were read last.
    rows: Mutex<Vec<(usize, Arc<Rows>)>>,
}

impl<'i> Archived<'i> {
    fn open(named: Named, inputs: &'i Inputs) -> Result<Archived<'i>, String> {
        let Named { folder, archive } = named;
        let files: Option<Vec<PathBuf>> = inputs
            .paths()
            .map(|path| path.map(Path::to_owned))
            .collect();
        let files = files.ok_or("a file is a pipe now")?;
        match archive::plan(&folder, &files, interrupt::cancel()) {
            Ok(Plan::Done(_)) => {}
            Ok(Plan::Build(_)) => return Err("its games have changed".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
        let manifest = archive.manifest();
        let (mut sources, mut games_before) = (Vec::new(), 0);
        let mut opened = inputs.sources_from(0);
        for archived in &manifest.sources {
            let source = opened
                .next()
                .filter(|(file, _)| *file as u64 == archived.file);
            let source = source.and_then(|(_, source)| source.ok());
            let Some(GameSource {
                bytes: Bytes::Anywhere(input),
                format: Format::Pgn,
                ..
            }) = source
            else {
                return Err("its games cannot be read one by one".to_owned());
            };
            if archived.form != Form::Pgn {
                return Err("its games cannot be read one by one".to_owned());
            }
            // As it was called when the archive was made.
            let origin = Origin {
                name: archived.name.as_str().into(),
                games_before,
            };
            games_before += archived.games;
            sources.push(Source { origin, input });
        }
        let parts = parts(&archive);
        Ok(Archived {
            archive,
            sources,
            parts,
            rows: Mutex::default(),
        })
    }

    /// The ranges of games that are evaluated together.
    pub(super) fn ranges(&self) -> Box<flow::Ranges<'_>> {
        Box::new(self.parts.iter().flat_map(|part| {
            let games = part.games.clone();
            let starts = games.clone().step_by(RANGE as usize);
            starts.map(move |start| start..games.end.min(start + RANGE))
        }))
    }

    fn part(&self, number: u64) -> Option<&Part> {
        let behind = self
            .parts
            .partition_point(|part| part.games.start <= number);
        self.parts.get(behind.checked_sub(1)?)
    }

    /// The columns of a segment.
    fn rows(&self, segment: usize) -> Result<Arc<Rows>, String> {
        let mut kept = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rows)) = kept.iter().find(|(number, _)| *number == segment) {
            return Ok(rows.clone());
        }
        let mut rows = Rows::default();
        let read = self.archive.segment(segment);
        read.and_then(|mut segment| segment.read_all(&mut rows))
            .map_err(|error| format!("its archive: {error}"))?;
        let rows = Arc::new(rows);
        // Threads are in no more than two at a time.
        kept.truncate(1);
        kept.insert(0, (segment, rows.clone()));
        Ok(rows)
    }
}

/// Cuts the games of an archive where segments or sources end.
fn parts(archive: &Archive) -> Vec<Part> {
    let manifest = archive.manifest();
    let mut parts = Vec::new();
    let (mut source, mut source_end) = (0, 1 + manifest.sources.first().map_or(0, |s| s.games));
    let mut next = 1;
    for (segment, entry) in manifest.segments.iter().enumerate() {
        let (start, end) = (next, next + entry.games);
        while next < end {
            while source_end <= next && source + 1 < manifest.sources.len() {
                source += 1;
                source_end += manifest.sources[source].games;
            }
            let part_end = end.min(source_end.max(next + 1));
            parts.push(Part {
                games: next..part_end,
                segment,
                row: (next - start) as usize,
                source,
            });
            next = part_end;
        }
    }
    parts
}

/// Evaluates queries on the games of an archive. One for each thread.
pub(super) struct Searcher<'a> {
    archived: &'a Archived<'a>,
    worker: GameWorker,
    /// A game that meets none of them need not be looked at.
    screens: &'a [GameScreen],
    rows: Arc<Rows>,
    part: Option<&'a Part>,
    tags: TagTable,
    lines: Lines,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        archived: &'a Archived<'a>,
        screens: &'a [GameScreen],
        worker: GameWorker,
    ) -> Searcher<'a> {
        Searcher {
            archived,
            worker,
            screens,
            rows: Arc::default(),
            part: None,
            tags: TagTable::default(),
            lines: Lines::default(),
        }
    }

    /// What it evaluates the games with.
    pub(super) fn into_worker(self) -> GameWorker {
        self.worker
    }

    /// Whether a query may match in a game.
    fn may_match(&self, row: usize) -> bool {
        let Some(summary) = self.rows.game(row).summary() else {
            return true;
        };
        self.screens.iter().any(|screen| screen.may_match(&summary))
    }

    fn evaluate(
        &mut self,
        part: &Part,
        number: u64,
        out: &mut Output<Vec<Found>>,
    ) -> Result<(), String> {
        let row = part.row + (number - part.games.start) as usize;
        let rows = self.rows.clone();
        let game = rows.game(row);
        let source = &self.archived.sources[part.source];
        let is_known = game.class() <= Class::Annotated;
        if !is_known {
            return self.read(part, row, number, out);
        }
        let is_exact = game.flags().has(Flags::EXACT_TEXTS);
        let stored = Stored {
            game,
            has_all_tags: put_tags(&rows, row, &mut self.tags),
            tags: &self.tags,
            input: &*source.input,
            offset: rows.offset.get(row),
            length: rows.length.get(row) as usize,
        };
        if is_exact {
            self.worker.known_game(&stored, number, out);
            return Ok(());
        }
        let mut text = Vec::new();
        stored.read_text(&mut text)?;
        let mut raw = RawGame::of(&text);
        raw.offset = stored.offset;
        self.worker.game(&raw, number, out);
        Ok(())
    }

    /// Evaluates a game of whose text there is something to be said.
    fn read(
        &mut self,
        part: &Part,
        row: usize,
        number: u64,
        out: &mut Output<Vec<Found>>,
    ) -> Result<(), String> {
        let Source { origin, input } = &self.archived.sources[part.source];
        let offset = self.rows.offset.get(row);
        let start = match (number == origin.games_before + 1, row.checked_sub(1)) {
            (true, _) => 0,
            // What stands before it may be at fault, too.
            (false, Some(before))
                if number > part.games.start
                    && self.rows.game(before).class() != Class::Skipped =>
            {
                self.rows.offset.get(before) + u64::from(self.rows.length.get(before))
            }
            _ => offset,
        };
        let piece = Piece {
            start: Place {
                offset: start,
                game: number - origin.games_before,
                line: self.lines.line_of(part.source, &**input, start)?,
            },
            end: offset + 1,
        };
        let source = GameSource {
            name: origin.name.clone(),
            bytes: Bytes::Pieces(input.clone(), vec![piece]),
            format: Format::Pgn,
            games_before: Some(origin.games_before),
        };
        let mut caught = Vec::new();
        let mut n_games = 0;
        let mut sink = |mut read: Output<Caught>| {
            n_games += read.n_games;
            out.faults.append(&mut read.faults);
            caught.append(&mut read.results.0);
            if let Some(failure) = read.failure {
                out.failure.get_or_insert(failure);
            }
            Ok(())
        };
        flow::run(
            source.alone(),
            &RunOptions::default(),
            || Catcher,
            &mut sink,
        )
        .map_err(|error| error.to_string())?;
        if n_games != 1 {
            return Err(CHANGED.to_owned());
        }
        for (raw, text) in caught {
            self.worker.game(&raw.with_text(&text), number, out);
        }
        Ok(())
    }
}

const CHANGED: &str = "the file changed while it was searched";

impl RangeWorker for Searcher<'_> {
    type Results = Vec<Found>;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<Vec<Found>>) -> Vec<u64> {
        let archived = self.archived;
        self.part = archived.part(games.start);
        let Some(part) = self.part else {
            return Vec::new();
        };
        out.origin = archived.sources[part.source].origin.clone();
        match archived.rows(part.segment) {
            Ok(rows) => self.rows = rows,
            Err(message) => {
                out.failure = Some(message);
                return Vec::new();
            }
        }
        let row = |number: &u64| part.row + (number - part.games.start) as usize;
        let lengths = games
            .clone()
            .map(|number| self.rows.length.get(row(&number)));
        out.n_bytes = lengths.map(u64::from).sum();
        games
            .clone()
            .filter(|number| self.may_match(row(number)))
            .collect()
    }

    fn game(&mut self, number: u64, out: &mut Output<Vec<Found>>) {
        let Some(part) = self.part else {
            return;
        };
        if let Err(message) = self.evaluate(part, number, out) {
            out.failure.get_or_insert(message);
        }
        let input = &*self.archived.sources[part.source].input;
        let of_game = out.faults.iter_mut().rev();
        for fault in of_game.take_while(|fault| fault.number == number) {
            if fault.line == 0 && fault.kind != FaultKind::Variant {
                match self.lines.line_of(part.source, input, fault.offset) {
                    Ok(line) => fault.line = line,
                    Err(message) => {
                        out.failure.get_or_insert(message);
                    }
                }
            }
        }
    }
}

/// Puts what the columns know of the tags of a game into a table; whether that is all.
fn put_tags(rows: &Rows, row: usize, table: &mut TagTable) -> bool {
    table.clear();
    if let Some(tags) = rows.game(row).all_tags() {
        for (name, value) in tags {
            table.push(name.as_bytes(), &value);
        }
        return true;
    }
    for (name, texts) in [
        ("Event", &rows.event),
        ("Site", &rows.site),
        ("Date", &rows.date),
        ("Round", &rows.round),
        ("White", &rows.white),
        ("Black", &rows.black),
        ("Result", &rows.result),
        ("ECO", &rows.eco),
        ("FEN", &rows.fen),
    ] {
        if let Some(value) = texts.get(row) {
            table.push(name.as_bytes(), value);
        }
    }
    for (name, elos) in [("WhiteElo", &rows.white_elo), ("BlackElo", &rows.black_elo)] {
        if elos.get(row) > 0 {
            table.push(name.as_bytes(), elos.get(row).to_string().as_bytes());
        }
    }
    false
}

/// A game of an archive.
struct Stored<'a> {
    game: Game<'a>,
    tags: &'a TagTable,
    has_all_tags: bool,
    input: &'a dyn Input,
    offset: u64,
    length: usize,
}

impl KnownGame for Stored<'_> {
    fn tags(&self) -> Tags<'_> {
        self.tags.tags()
    }

    fn has_all_tags(&self) -> bool {
        self.has_all_tags
    }

    fn is_annotated(&self) -> bool {
        self.game.flags().has(Flags::ANNOTATIONS)
    }

    fn build(&self, tree: &mut GameTree) -> Result<(), String> {
        let filled = self.game.fill(tree);
        filled.map_err(|_| "its archive is damaged".to_owned())
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    fn read_text(&self, text: &mut Vec<u8>) -> Result<(), String> {
        let start = text.len();
        text.resize(start + self.length, 0);
        read_exactly(self.input, self.offset, &mut text[start..])?;
        match self.game.is_of(&text[start..]) {
            true => Ok(()),
            false => Err(CHANGED.to_owned()),
        }
    }
}

fn read_exactly(input: &dyn Input, offset: u64, bytes: &mut [u8]) -> Result<(), String> {
    let mut at = 0;
    while at < bytes.len() {
        match input.read_at(offset + at as u64, &mut bytes[at..]) {
            Ok(0) => return Err(CHANGED.to_owned()),
            Ok(n) => at += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}

/// Keeps games as they are read.
struct Catcher;

#[derive(Debug, Default)]
struct Caught(Vec<(RawGame<'static>, Vec<u8>)>);

impl flow::Results for Caught {}

impl Worker for Catcher {
    type Results = Caught;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Caught>) {
        out.results.0.push((raw.with_text(&[]), raw.text.to_vec()));
    }
}

/// Counts lines, mostly for one place behind the other.
#[derive(Default)]
struct Lines {
    source: usize,
    /// How far they are counted, and how many there are before that.
    at: u64,
    n: u64,
    buffer: Vec<u8>,
}

impl Lines {
    /// The line of a byte, from 1.
    fn line_of(&mut self, source: usize, input: &dyn Input, offset: u64) -> Result<u64, String> {
        if source != self.source || offset < self.at {
            (self.source, self.at, self.n) = (source, 0, 0);
        }
        while self.at < offset {
            let n = (offset - self.at).min(1 << 20) as usize;
            self.buffer.resize(n, 0);
            read_exactly(input, self.at, &mut self.buffer)?;
            self.n += self.buffer.iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.at += n as u64;
        }
        Ok(self.n + 1)
    }
}
