//! Opens an input and returns its sources.

use std::fs::{self, File};
use std::io::{self, Read};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flow::{Bytes, GameSource, Input, ReadError, SourceError, SourceFormat};

use super::content::{self, HEAD, Packing};
use super::converted::AsPgn;
use super::encoded::{Decoded, LineEnds};
use super::error::Error;
use super::file::{CountedInput, head};
use super::json::JsonLines;
use super::list::PendingInput;
use super::mark::is_marked;
use super::stream::Stream;
use super::{
    Meter, Reading, archive, chessbase, compressed, format, parquet, part, scid, sevenzip, tarball,
};

/// Sources, and errors for members of an archive that cannot be opened.
pub(super) type OpenResults =
    Box<dyn Iterator<Item = Result<GameSource<'static>, SourceError>> + Send>;

/// Opens an input, whose sources have this name.
pub(super) fn open(
    name: &str,
    item: &PendingInput,
    reading: &Reading,
    meter: &Meter,
) -> Result<OpenResults, ReadError> {
    match item {
        PendingInput::Missing(_, error) | PendingInput::Unreadable(_, error) => Err(error.clone()),
        PendingInput::Stdin => of_pipe(name, io::stdin(), reading, meter),
        PendingInput::Given(_, reader) => {
            let reader = reader.lock().ok().and_then(|mut reader| reader.take());
            let reader = reader.ok_or(Error::AlreadyRead)?;
            of_pipe(name, reader, reading, meter)
        }
        PendingInput::Kept(_, file) => of_file(name, file.clone(), reading, meter),
        PendingInput::Named(path, _)
        | PendingInput::Found(path, _)
        | PendingInput::Remote(path, _) => of_path(name, path, reading, meter),
        PendingInput::Supplied(_, texts) | PendingInput::Texts(texts) => {
            let texts: Result<Vec<_>, ReadError> =
                texts.iter().map(|text| of_text(text, reading)).collect();
            Ok(Box::new(texts?.into_iter().map(Ok)))
        }
        PendingInput::Part(part) => part::open(part, reading, meter),
    }
}

/// Opens a text given by the caller.
fn of_text(
    (name, text): &(String, Arc<dyn Input>),
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    let head = head(&**text, HEAD)?;
    if let Ok(packing @ (Packing::Encoded(_) | Packing::Json(_))) =
        content::packing(name, &head, &reading.how)
    {
        let reader = Bytes::Anywhere(text.clone()).into_reader();
        return converted(name, reader, packing, reading);
    }
    let format = format_of(name, &head, reading)?;
    let text = CountedInput::new(text.clone(), &Meter::default());
    let text = LineEnds::of(text, &head, !reading.how.keeps_old_line_ends);
    let bytes = Bytes::Anywhere(Arc::new(text));
    Ok(GameSource::new(name.as_str(), bytes, format))
}

/// Opens text that must be converted.
fn converted(
    name: &str,
    reader: impl Read + Send + 'static,
    packing: Packing,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    let stream = match packing {
        Packing::Parquet => return Err(Error::TableInOrder.into()),
        Packing::ChessBase => {
            let mut reader = reader;
            let mut file = tempfile::tempfile()?;
            let size = io::copy(&mut reader, &mut file)?;
            let file = CountedInput::of_file(Arc::new(file), size, &Meter::default());
            return of_archive(name, file, reading);
        }
        Packing::Encoded(encoding) => Stream::new(Decoded::new(reader, encoding), &reading.cancel),
        Packing::Json(n_around) => Stream::new(JsonLines::new(reader, n_around), &reading.cancel),
        _ => return Err(Error::CompressedTwice.into()),
    };
    of_text_stream(name, stream?, reading)
}

pub(super) fn of_path(
    name: &str,
    path: &Path,
    reading: &Reading,
    meter: &Meter,
) -> Result<OpenResults, ReadError> {
    if let Some(opened) = of_address(path, reading) {
        return match opened? {
            remote::RemoteBytes::Anywhere(object) => {
                of_input(name, None, CountedInput::new(object, meter), reading)
            }
            remote::RemoteBytes::InOrder(stream) => of_pipe(name, stream, reading, meter),
        };
    }
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        let file = File::open(path)?;
        let input = CountedInput::of_file(Arc::new(file), metadata.len(), meter);
        of_input(name, Some(path), input, reading)
    } else {
        of_pipe(name, DeferredOpen::new(path), reading, meter)
    }
}

/// Opens a path if it is an address. Returns `None` otherwise.
pub(super) fn of_address(
    path: &Path,
    reading: &Reading,
) -> Option<io::Result<remote::RemoteBytes>> {
    let is_address = reading.how.remote && remote::is_address(path);
    let address = path.to_str().filter(|_| is_address)?;
    Some(remote::open(address, &reading.cancel))
}

/// A file that is opened by the thread that reads it, because opening a named pipe waits for a
/// writer.
pub(super) struct DeferredOpen {
    path: PathBuf,
    file: Option<File>,
}

impl DeferredOpen {
    pub(super) fn new(path: &Path) -> DeferredOpen {
        DeferredOpen { path: path.to_owned(), file: None }
    }
}

impl Read for DeferredOpen {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::open(&self.path)?),
        };
        file.read(buffer)
    }
}

/// Opens a file with random access.
fn of_file(
    name: &str,
    file: Arc<File>,
    reading: &Reading,
    meter: &Meter,
) -> Result<OpenResults, ReadError> {
    let metadata = file.metadata()?;
    of_input(name, None, CountedInput::of_file(file, metadata.len(), meter), reading)
}

/// Opens an input with random access: a file with a path, or other bytes.
fn of_input(
    name: &str,
    path: Option<&Path>,
    input: CountedInput,
    reading: &Reading,
) -> Result<OpenResults, ReadError> {
    let head = input.head(HEAD)?;
    if let Some(path) = path
        && let Some(version) = scid::Version::of(path, &head)
    {
        let games = AsPgn::new(scid::open(path, input, version)?);
        return of_encoded_games(name, games, reading).map(one);
    }
    if let Some(path) = path.filter(|_| chessbase::is_index(&head)) {
        let remarks = reading.remarks.about(name);
        let games = AsPgn::new(chessbase::open(path, input, &remarks)?);
        return of_encoded_games(name, games, reading).map(one);
    }
    let packing = content::packing(name, &head, &reading.how)?;
    match packing {
        Packing::Plain => {
            let format = format_of(name, &head, reading)?;
            let input = LineEnds::of(input, &head, !reading.how.keeps_old_line_ends);
            let bytes = Bytes::Anywhere(Arc::new(input));
            Ok(one(GameSource::new(name, bytes, format)))
        }
        Packing::Zip => archive::open(name, input.reader(), reading),
        Packing::SevenZip => sevenzip::open(name, input.reader(), reading),
        Packing::Parquet => {
            let table = parquet::open(input, reading.how.unpacked)?;
            of_games(name, AsPgn::new(table), reading).map(one)
        }
        Packing::ChessBase => of_archive(name, input, reading).map(one),
        Packing::Tar => {
            let stream = Stream::new(input.reader(), &reading.cancel)?;
            Ok(tarball::open(name, stream, reading))
        }
        Packing::Encoded(_) | Packing::Json(_) => {
            converted(name, input.reader(), packing, reading).map(one)
        }
        packing => unpacked(name, packing, input.reader(), reading),
    }
}

/// Opens an input that can be read only once, in order.
fn of_pipe(
    name: &str,
    pipe: impl Read + Send + 'static,
    reading: &Reading,
    meter: &Meter,
) -> Result<OpenResults, ReadError> {
    let meter = meter.clone();
    let pipe = Metered { pipe, meter };
    let mut stream = Stream::new(pipe, &reading.cancel)?;
    match packing_of(name, &mut stream, reading)? {
        packing
        @ (Packing::Plain | Packing::Encoded(_) | Packing::Json(_) | Packing::ChessBase) => {
            of_contents(name, stream, packing, reading).map(one)
        }
        Packing::Tar => Ok(tarball::open(name, stream, reading)),
        Packing::Parquet => Err(Error::TableInOrder.into()),
        Packing::Zip => Err(Error::ArchiveInPipe("zip").into()),
        Packing::SevenZip => Err(Error::ArchiveInPipe("7z").into()),
        packing => unpacked(name, packing, stream, reading),
    }
}

fn packing_of(name: &str, stream: &mut Stream, reading: &Reading) -> Result<Packing, ReadError> {
    let head = stream.peek(HEAD, content::is_told)?;
    Ok(content::packing(name, head, &reading.how)?)
}

/// A pipe whose bytes are counted as they are read.
struct Metered<R> {
    pipe: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.pipe.read(buffer)?;
        self.meter.add(n as u64);
        Ok(n)
    }
}

fn unpacked(
    name: &str,
    packing: Packing,
    reader: impl Read + Send + 'static,
    reading: &Reading,
) -> Result<OpenResults, ReadError> {
    let mut stream = compressed::unpack(packing, reader, reading)?;
    match packing_of(name, &mut stream, reading)? {
        Packing::Tar => Ok(tarball::open(name, stream, reading)),
        packing => of_contents(name, stream, packing, reading).map(one),
    }
}

/// Opens decompressed data, in order.
pub(super) fn of_stream(
    name: &str,
    mut stream: Stream,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    let packing = packing_of(name, &mut stream, reading)?;
    of_contents(name, stream, packing, reading)
}

/// Opens data in order that must not be compressed.
fn of_contents(
    name: &str,
    stream: Stream,
    packing: Packing,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    match packing {
        Packing::Plain => of_text_stream(name, stream, reading),
        packing => converted(name, stream, packing, reading),
    }
}

/// Opens text that is read in order.
fn of_text_stream(
    name: &str,
    mut stream: Stream,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    let head = stream.peek(HEAD, content::is_told)?;
    let format = format_of(name, head, reading)?;
    let are_old = LineEnds::of((), head, !reading.how.keeps_old_line_ends);
    let bytes = Bytes::InOrder(Box::new(are_old.with(stream)));
    Ok(GameSource::new(name, bytes, format))
}

/// Returns the format of a text with this beginning. Notes that a file which nobody named is an earlier
/// result: its games would be counted again.
fn format_of(name: &str, head: &[u8], reading: &Reading) -> Result<SourceFormat<'static>, Error> {
    if reading.is_found && is_marked(head) {
        let what = "it looks like the result of an earlier search, and its games are searched \
                    again: keep results in another folder";
        reading.remarks.about(name).add(what);
    }
    let format = format::format(head, name, reading.how.format)?;
    if let SourceFormat::Lines(_) = format {
        reading.remarks.note_lines();
    }
    Ok(format)
}

/// Opens games that are converted to PGN.
fn of_games(
    name: &str,
    pgn: impl Read + Send + 'static,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    let bytes = Bytes::InOrder(Box::new(Stream::new(pgn, &reading.cancel)?));
    Ok(GameSource::new(name, bytes, SourceFormat::Pgn))
}

/// Opens games that are converted to PGN, whose texts may be in the encoding that the user
/// specifies.
fn of_encoded_games(
    name: &str,
    pgn: impl Read + Send + 'static,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    match reading.how.encoding {
        Some(encoding) => of_games(name, Decoded::new(pgn, encoding), reading),
        None => of_games(name, pgn, reading),
    }
}

/// Opens an archive of ChessBase.
fn of_archive(
    name: &str,
    file: CountedInput,
    reading: &Reading,
) -> Result<GameSource<'static>, ReadError> {
    let archive = chessbase::archive::Archive::open(file, reading, &reading.remarks.about(name))?;
    of_encoded_games(name, AsPgn::new(archive), reading)
}

/// Returns the error for an input that cannot be opened.
pub(super) fn unreadable(name: &str, error: ReadError) -> OpenResults {
    let name = name.into();
    Box::new(iter::once(Err(SourceError { name, error })))
}

fn one(source: GameSource<'static>) -> OpenResults {
    Box::new(iter::once(Ok(source)))
}
