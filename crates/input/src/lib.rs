//! Resolves the names that a user gives to sources of games.
//!
//! Names become files (`list`), and each file is opened when its turn comes (`open`), one at a
//! time. The contents of a file are detected from its first bytes (`content`), never from its name
//! alone.
//!
//! ```
//! use flow::{Cancel, count_games};
//! use input::{Inputs, ReadOptions};
//!
//! let directory = tempfile::tempdir()?;
//! std::fs::write(directory.path().join("a.pgn"), "[White \"a\"]\n\n1. e4 *\n")?;
//! std::fs::write(directory.path().join("b.fen"), "7k/8/8/8/8/8/8/K7 w - - 0 1\n")?;
//! let names = [directory.path().to_owned()];
//! let inputs = Inputs::find(&names, ReadOptions::default(), [], &Cancel::default());
//! let inputs = inputs.expect("nobody has cancelled it");
//! assert_eq!(inputs.name(), "2 files");
//! assert_eq!(count_games(inputs.sources()), 2);
//! # Ok::<(), std::io::Error>(())
//! ```

mod archive;
mod blocks;
mod bytes;
mod chessbase;
mod compressed;
mod content;
mod converted;
mod decode;
mod encoded;
mod error;
mod file;
mod format;
mod frames;
mod headers;
mod identity;
mod in_order;
mod json;
mod line_error;
mod list;
mod lz4;
mod mark;
mod numbered;
mod open;
mod originals;
mod parquet;
mod part;
mod pattern;
mod positions;
mod puzzles;
mod remarks;
mod scid;
mod sevenzip;
mod stream;
mod tag;
mod tar;
mod tarball;

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use flow::{Cancel, GameSource, Input, ReadError, SourceError, Sources};

pub use encoded::TextEncoding;
pub use error::{Error, ReadAs};
pub use format::{ARCHIVES, COMPRESSED, DATABASES, InputFormat};
pub use identity::{is_hard_link, is_same_file, stdout_is_file};
pub use line_error::LineError;
use list::{Expanded, PendingInput};
pub use mark::is_marked;
use open::DeferredOpen;
pub use originals::Originals;
pub use part::FilePartition;
pub use remarks::Remarks;
use stream::Stream;

/// Inputs of a search, in order.
pub struct Inputs {
    items: Vec<PendingInput>,
    /// Further names of files that had already been named.
    repeated: Vec<(PathBuf, PathBuf)>,
    /// The files as found at the start, whatever happens to them later.
    originals: Originals,
    /// Names of files that are not called by their paths.
    titles: HashMap<PathBuf, String>,
    how: ReadOptions,
    cancel: Cancel,
    /// Name of all inputs together, for messages.
    name: String,
    meter: Meter,
    remarks: Remarks,
    /// Whether one of the files can be opened, once that is known.
    has_games: OnceLock<bool>,
}

/// Options for reading files.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions {
    /// Format of all inputs, if the user specifies it.
    pub format: Option<InputFormat>,
    /// Encoding of their text, if the user specifies it. Otherwise clear UTF-16 is converted, and
    /// the bytes of any other text are kept.
    pub encoding: Option<TextEncoding>,
    /// Whether line ends of CR alone are kept in texts that have no others.
    pub keeps_old_line_ends: bool,
    /// Largest permitted ratio of decompressed to compressed size.
    pub unpacked: u64,
    /// Whether names may be addresses. A program that accepts names from others may not want to
    /// contact servers for them.
    pub remote: bool,
}

impl ReadOptions {
    /// Whether the user specifies a format or encoding. Archives next to the files do not fit then,
    /// because they are built with the detected ones.
    #[must_use]
    pub fn is_said(&self) -> bool {
        self.format.is_some() || self.encoding.is_some()
    }
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            format: None,
            encoding: None,
            keeps_old_line_ends: false,
            unpacked: 200,
            remote: false,
        }
    }
}

/// Name of an input that is no file, or whose size is unknown, so that it cannot be divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndivisibleInput(pub String);

/// Settings with which each input is opened.
#[derive(Clone, Default)]
struct Reading {
    how: ReadOptions,
    cancel: Cancel,
    remarks: Remarks,
    /// Whether the input was found by a pattern or in a directory.
    is_found: bool,
}

/// Number of bytes of the files read so far, as stored on disk.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Adds `n` bytes: read, or known without being read.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Inputs {
    /// Finds the files that names, patterns and directories refer to. `-`, or no name, is standard
    /// input. A file with several names is searched once. `outputs` are skipped in directories,
    /// because they are older results. Returns `None` if `cancel` is cancelled. Later reads also
    /// stop waiting once it is.
    pub fn find<'o>(
        names: &[PathBuf],
        how: ReadOptions,
        outputs: impl IntoIterator<Item = &'o Path>,
        cancel: &Cancel,
    ) -> Option<Inputs> {
        let Expanded { mut items, repeated, mut originals } = match names {
            [] => list::expand(&[PathBuf::from("-")], how.remote, cancel)?,
            _ => list::expand(names, how.remote, cancel)?,
        };
        for output in outputs {
            let n_items = items.len();
            items.retain(|item| match item {
                PendingInput::Found(path, _) => !is_same_file(path, output),
                _ => true,
            });
            let is_output = |(name, _): &(PathBuf, PathBuf)| is_same_file(name, output);
            if items.len() < n_items && !repeated.iter().any(is_output) {
                originals.leave_out(output);
            }
        }
        if items.iter().any(|item| matches!(item, PendingInput::Stdin)) {
            originals.add_stdin();
        }
        let name = match (names, items.as_slice()) {
            ([] | [_], [PendingInput::Stdin]) => "standard input".to_owned(),
            ([name], [_]) => remote::shown(name),
            (_, items) => format!("{} files", items.len()),
        };
        Some(Inputs { repeated, originals, ..Inputs::of_items(items, name, how, cancel) })
    }

    /// Creates inputs from parts of files, in this order. `name` is the name of the whole.
    pub fn of_parts(
        name: &str,
        parts: impl IntoIterator<Item = FilePartition>,
        how: ReadOptions,
        cancel: &Cancel,
    ) -> Inputs {
        let items = parts.into_iter().map(PendingInput::Part).collect();
        Inputs::of_items(items, name.to_owned(), how, cancel)
    }

    /// Creates inputs from texts of the caller, each with its name. No text continues another one.
    pub fn of_texts(
        name: &str,
        texts: Vec<(String, Arc<dyn Input>)>,
        how: ReadOptions,
        cancel: &Cancel,
    ) -> Inputs {
        Inputs::of_items(vec![PendingInput::Texts(texts)], name.to_owned(), how, cancel)
    }

    /// Creates an input from a reader, compressed or not, with a name for messages. It can be read
    /// once.
    pub fn of_reader(
        name: &str,
        reader: impl Read + Send + 'static,
        how: ReadOptions,
        cancel: &Cancel,
    ) -> Inputs {
        let reader: Box<dyn Read + Send> = Box::new(reader);
        let item = PendingInput::Given(name.to_owned(), Mutex::new(Some(reader)));
        Inputs::of_items(vec![item], name.to_owned(), how, cancel)
    }

    fn of_items(
        items: Vec<PendingInput>,
        name: String,
        how: ReadOptions,
        cancel: &Cancel,
    ) -> Inputs {
        Inputs {
            items,
            repeated: Vec::new(),
            originals: Originals::default(),
            titles: HashMap::new(),
            how,
            cancel: cancel.clone(),
            name,
            meter: Meter::default(),
            remarks: Remarks::default(),
            has_games: OnceLock::new(),
        }
    }

    /// Further names of files that the user had already named, each with the name under which the
    /// file is searched.
    pub fn repeated(&self) -> &[(PathBuf, PathBuf)] {
        &self.repeated
    }

    /// Name of all inputs together, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Total size of all files in bytes, or `None` if the size of one is unknown.
    pub fn size(&self) -> Option<u64> {
        let mut sizes = self.items.iter().map(PendingInput::size);
        // The sizes that servers report may overflow.
        sizes.try_fold(0_u64, |sum, size| sum.checked_add(size?))
    }

    /// Returns the meter that shows the progress of reading.
    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }

    /// Returns the remarks about the inputs, which reading adds.
    pub fn remarks(&self) -> Remarks {
        self.remarks.clone()
    }

    /// The files that the user named, without those found in directories.
    pub fn named(&self) -> impl Iterator<Item = &Path> {
        let named = self.items.iter().filter_map(|item| match item {
            PendingInput::Named(path, _) | PendingInput::Remote(path, _) => Some(path.as_path()),
            PendingInput::Part(part) => Some(part.path.as_path()),
            _ => None,
        });
        named.chain(self.repeated.iter().map(|(name, _)| name.as_path()))
    }

    /// Records that the files of an archive are read, too.
    pub fn note_archive(&mut self, folder: &Path) {
        self.originals.add_folder(folder);
    }

    /// Returns the files that are read, which no output may replace.
    #[must_use]
    pub fn originals(&self) -> Originals {
        let mut originals = self.originals.clone();
        for item in &self.items {
            match item {
                PendingInput::Named(path, _) | PendingInput::Found(path, _)
                    if scid::is_named(path) =>
                {
                    scid::companions(path).iter().for_each(|path| originals.add(path));
                }
                PendingInput::Named(path, _) | PendingInput::Found(path, _)
                    if chessbase::is_named(path) =>
                {
                    chessbase::companions(path).for_each(|path| originals.add(&path));
                }
                PendingInput::Part(part) => originals.add(&part.path),
                PendingInput::Remote(path, _) => originals.add(path),
                // The file may exist: then it was added when it was found.
                PendingInput::Supplied(path, _) => originals.add_absent(path),
                _ => {}
            }
        }
        originals
    }

    /// Returns the error of the first name that refers to nothing. Files of a pattern or a directory that
    /// cannot be opened count as files that cannot be read: each is an error between the others.
    pub fn missing(&self) -> Option<SourceError> {
        self.first_error(|item| matches!(item, PendingInput::Missing(..)))
    }

    /// Returns the error of the first input that cannot be opened, whether it was named or found.
    pub fn unreadable(&self) -> Option<SourceError> {
        self.first_error(|_| true)
    }

    fn first_error(&self, is_wanted: impl Fn(&PendingInput) -> bool) -> Option<SourceError> {
        self.items.iter().filter(|item| is_wanted(item)).find_map(|item| match item {
            PendingInput::Missing(_, error) | PendingInput::Unreadable(_, error) => {
                Some(SourceError { name: self.name_of(item).into(), error: error.clone() })
            }
            _ => None,
        })
    }

    /// Whether no name refers to something that can be opened.
    pub fn are_all_missing(&self) -> bool {
        let is_missing = |item: &PendingInput| {
            matches!(item, PendingInput::Missing(..) | PendingInput::Unreadable(..))
        };
        self.items.iter().all(is_missing)
    }

    /// Replaces a file, which may be missing, by its texts, each with its name.
    pub fn supply(&mut self, file: &Path, texts: Vec<(String, Arc<dyn Input>)>) {
        let place = self.paths().position(|path| path == Some(file));
        if let Some(item) = place.and_then(|place| self.items.get_mut(place)) {
            *item = PendingInput::Supplied(file.to_owned(), texts);
        }
    }

    /// Whether the file at one of the [paths](Inputs::paths) was replaced by its texts.
    #[must_use]
    pub fn is_supplied(&self, place: usize) -> bool {
        matches!(self.items.get(place), Some(PendingInput::Supplied(..)))
    }

    /// Sets the name of all inputs together.
    pub fn rename(&mut self, name: &str) {
        self.name = name.to_owned();
    }

    /// Calls a file by another name than its path, in results and in messages. The name has the ending
    /// of the file, which may tell its format.
    pub fn call(&mut self, file: &Path, name: &str) {
        self.titles.insert(file.to_owned(), name.to_owned());
        if let [item] = self.items.as_slice() {
            self.name = self.name_of(item);
        }
    }

    fn name_of(&self, item: &PendingInput) -> String {
        let title = item.path().and_then(|path| self.titles.get(path));
        title.cloned().unwrap_or_else(|| item.name())
    }

    /// Copies inputs that can be read only once, such as a pipe, so that they can be read twice.
    pub fn keep(&mut self) -> io::Result<()> {
        for item in &mut self.items {
            let name = item.name();
            let mut from = match item {
                PendingInput::Stdin => Stream::new(io::stdin(), &self.cancel)?,
                PendingInput::Named(path, None) => {
                    Stream::new(DeferredOpen::new(path), &self.cancel)?
                }
                PendingInput::Given(_, reader) => {
                    let reader = reader.get_mut().ok().and_then(Option::take);
                    Stream::new(reader.unwrap_or(Box::new(io::empty())), &self.cancel)?
                }
                _ => continue,
            };
            let mut copy = tempfile::tempfile()?;
            io::copy(&mut from, &mut copy)?;
            *item = PendingInput::Kept(name, Arc::new(copy));
        }
        Ok(())
    }

    /// Paths and addresses of the inputs, in order; `None` for standard input, for other inputs
    /// that can be read only once, and for parts of files.
    pub fn paths(&self) -> impl Iterator<Item = Option<&Path>> {
        self.items.iter().map(PendingInput::path)
    }

    /// The inputs as files that can be divided, in the order of the [paths](Inputs::paths), each
    /// with its size.
    pub fn files(&self) -> impl Iterator<Item = Result<(&Path, u64), IndivisibleInput>> {
        self.items.iter().map(|item| match item {
            PendingInput::Named(path, Some(size))
            | PendingInput::Found(path, Some(size))
            | PendingInput::Remote(path, Some(size)) => Ok((path.as_path(), *size)),
            _ => Err(IndivisibleInput(item.name())),
        })
    }

    /// Adds other inputs after these.
    pub fn append(&mut self, mut others: Inputs) {
        self.items.append(&mut others.items);
        self.originals.append(others.originals);
        self.titles.extend(others.titles);
    }

    /// Returns the sources. Each is opened when its turn comes.
    pub fn sources(&self) -> Box<Sources<'_>> {
        let sources = self.items.iter().flat_map(move |item| self.open(item, &self.meter));
        #[expect(
            clippy::map_identity,
            reason = "sources that live forever become sources that live as long as this"
        )]
        let sources = sources.map(|source| -> Result<GameSource<'_>, SourceError> { source });
        Box::new(sources)
    }

    /// Returns the sources from one of the [paths](Inputs::paths) on, each with the index of its
    /// path.
    pub fn sources_from(
        &self,
        first: usize,
    ) -> impl Iterator<Item = (usize, Result<GameSource<'static>, SourceError>)> + Send {
        let items = self.items.iter().enumerate().skip(first);
        items.flat_map(move |(place, item)| {
            let sources = self.open(item, &self.meter);
            sources.map(move |source| (place, source))
        })
    }

    /// Opens a source of one of the [paths](Inputs::paths) for random access: that of this number, from
    /// 0. Its bytes are not counted by the [meter](Inputs::meter).
    pub fn unmetered(
        &self,
        place: usize,
        number: usize,
    ) -> Option<Result<GameSource<'static>, SourceError>> {
        self.open(self.items.get(place)?, &Meter::default()).nth(number)
    }

    /// Opens a text that an archive stores of one of these inputs, for random access.
    pub fn stored(
        &self,
        name: &str,
        text: Arc<dyn Input>,
    ) -> Option<Result<GameSource<'static>, SourceError>> {
        let item = PendingInput::Texts(vec![(name.to_owned(), text)]);
        self.open(&item, &Meter::default()).next()
    }

    fn open(&self, item: &PendingInput, meter: &Meter) -> open::OpenResults {
        let name = self.name_of(item);
        match open::open(&name, item, &self.reading(item), meter) {
            Ok(sources) => sources,
            Err(error) if self.leaves_out(item, &error) => {
                self.remarks.about(&name).add(&format!("left out: {error}"));
                Box::new(std::iter::empty())
            }
            Err(error) => open::unreadable(&name, error),
        }
    }

    fn reading(&self, item: &PendingInput) -> Reading {
        let (cancel, remarks) = (self.cancel.clone(), self.remarks.clone());
        let is_found = matches!(item, PendingInput::Found(..));
        Reading { how: self.how, cancel, remarks, is_found }
    }

    /// Whether an input that cannot be opened is only named: a table without games, as a search may have
    /// written it, that was found in a folder beside games.
    fn leaves_out(&self, item: &PendingInput, error: &ReadError) -> bool {
        let is_table = |error: &ReadError| {
            error.cause().downcast_ref().is_some_and(Error::is_of_table_without_games)
        };
        let has_games = |other: &PendingInput| match other {
            PendingInput::Named(_, Some(_)) | PendingInput::Found(..) => {
                let reading = Reading { remarks: Remarks::default(), ..self.reading(other) };
                open::open(&self.name_of(other), other, &reading, &Meter::default()).is_ok()
            }
            _ => false,
        };
        matches!(item, PendingInput::Found(..))
            && self.how.format.is_none()
            && is_table(error)
            && *self.has_games.get_or_init(|| self.items.iter().any(has_games))
    }
}

#[cfg(test)]
mod tests;
