//! Sources of games: files, shards, bytes, texts, and readers of Python.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use archive::Error;
use babson::{Games, NotFound, Partition};
use engine::Program;
use flow::{Cancel, Input};
use input::{InputFormat, Inputs, Originals, ReadOptions};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::shards::Shard;
use crate::wait::detached;

/// Games to search: files, shards, bytes, texts, or an object with a method `read`.
#[pyclass(frozen, module = "babson")]
pub(crate) struct Source(Arc<SourceKind>);

enum SourceKind {
    Files(Vec<PathBuf>),
    Shards(Vec<Shard>),
    Bytes(Arc<[u8]>),
    /// Texts, each an input of its own whose name is its index.
    Texts(Vec<Arc<dyn Input>>),
    /// Name of a reader, the reader until it has been read, and the file that it reads, if any.
    Reader(String, Mutex<Option<Py<PyAny>>>, Originals),
}

#[pymethods]
impl Source {
    /// Files, directories, patterns and addresses, as on the command line.
    #[staticmethod]
    fn files(paths: Vec<PathBuf>) -> Source {
        Source::of_files(paths)
    }

    /// Shards, in this order.
    #[staticmethod]
    fn shards(shards: Vec<PyRef<'_, Shard>>) -> Source {
        let shards = shards.iter().map(|shard| (**shard).clone());
        Source(Arc::new(SourceKind::Shards(shards.collect())))
    }

    /// The contents of a file, compressed or not.
    #[staticmethod]
    fn bytes(bytes: &[u8]) -> Source {
        Source(Arc::new(SourceKind::Bytes(bytes.into())))
    }

    /// Texts in PGN that are independent of each other. The name of each input is its index, from
    /// 0.
    #[staticmethod]
    fn texts(texts: Vec<String>) -> Source {
        let shared = |text: String| -> Arc<dyn Input> { Arc::new(Text(text)) };
        Source(Arc::new(SourceKind::Texts(texts.into_iter().map(shared).collect())))
    }

    /// An object with a method `read`, which can be read only once.
    #[staticmethod]
    fn reader(py: Python<'_>, object: Py<PyAny>, name: String) -> Source {
        let mut originals = Originals::default();
        let number = object.call_method0(py, "fileno");
        if let Ok(number) = number.and_then(|number| number.extract::<i32>(py)) {
            originals.add(Path::new(&format!("/dev/fd/{number}")));
        }
        Source(Arc::new(SourceKind::Reader(name, Mutex::new(Some(object)), originals)))
    }
}

impl Source {
    pub(crate) fn of_files(paths: Vec<PathBuf>) -> Source {
        Source(Arc::new(SourceKind::Files(paths)))
    }

    /// Returns another handle of the same source.
    pub(crate) fn share(&self) -> Source {
        Source(self.0.clone())
    }

    /// Finds the inputs to read; an archive stands for the files that it was built from.
    pub(crate) fn inputs(&self, cancel: &Cancel) -> PyResult<Inputs> {
        Ok(self.games(cancel)?.inputs)
    }

    /// Whether the games are only a part of a whole that is elsewhere.
    pub(crate) fn is_part(&self) -> bool {
        matches!(*self.0, SourceKind::Shards(_) | SourceKind::Texts(_))
    }

    /// Returns the files that the search reads, which no output may replace.
    pub(crate) fn originals(&self, games: &Games) -> Originals {
        let mut originals = games.inputs.originals();
        if let SourceKind::Reader(_, _, of_reader) = &*self.0 {
            originals.append(of_reader.clone());
        }
        originals
    }

    /// Finds the games to search, including archives.
    pub(crate) fn games(&self, cancel: &Cancel) -> PyResult<Games> {
        self.found(ReadOptions::default(), None, cancel)
    }

    /// Finds the games to search with a program. Skips `output`, an older result, in directories.
    pub(crate) fn games_for(
        &self,
        program: &Program,
        output: Option<&Path>,
        cancel: &Cancel,
    ) -> PyResult<Games> {
        if self.is_part() && program.needs_last_game_number() {
            let message = "`lastgamenumber` is the number of all games, which shards do not have";
            return Err(PyValueError::new_err(message));
        }
        self.found(ReadOptions::default(), output, cancel)
    }

    /// Finds the games like [`games`](Source::games), to be read in a certain way.
    pub(crate) fn found(
        &self,
        how: ReadOptions,
        output: Option<&Path>,
        cancel: &Cancel,
    ) -> PyResult<Games> {
        let how = ReadOptions { remote: true, ..how };
        Ok(match &*self.0 {
            SourceKind::Files(names) => {
                let found = detached(cancel, || Games::find(names, how, output, cancel))?;
                let found = found.map_err(not_found)?;
                if let Some(missing) = found.inputs.missing() {
                    return Err(PyFileNotFoundError::new_err(missing.to_string()));
                }
                found
            }
            SourceKind::Shards(shards) => {
                let pieces = shards.iter().map(|shard| shard.piece(cancel));
                let pieces = pieces.collect::<PyResult<Vec<Partition>>>()?;
                let name = format!("{} shards", pieces.len());
                let games = || Games::of_pieces(&name, pieces, how, cancel);
                detached(cancel, games)?.map_err(not_found)?
            }
            SourceKind::Texts(texts) => {
                let how = ReadOptions { format: Some(InputFormat::Pgn), ..how };
                let named = texts.iter().zip(0u64..);
                let named = named.map(|(text, place)| (place.to_string(), text.clone()));
                Inputs::of_texts("texts", named.collect(), how, cancel).into()
            }
            SourceKind::Bytes(bytes) => {
                let reader = Cursor::new(bytes.clone());
                Inputs::of_reader("bytes", reader, how, cancel).into()
            }
            SourceKind::Reader(name, object, _) => {
                let object = object.lock().ok().and_then(|mut object| object.take());
                let object = object.ok_or_else(|| {
                    let message = format!(
                        "{name} has been read already: open it again, or read it into bytes"
                    );
                    PyRuntimeError::new_err(message)
                })?;
                let reader = PythonReader { object, block: Vec::new(), at: 0 };
                Inputs::of_reader(name, reader, how, cancel).into()
            }
        })
    }
}

fn not_found(why: NotFound) -> PyErr {
    match why {
        NotFound::Cancelled => PyRuntimeError::new_err("cancelled"),
        NotFound::Archive(_, Error::Missing) => PyFileNotFoundError::new_err(why.to_string()),
        NotFound::Archive(..) => PyOSError::new_err(why.to_string()),
    }
}

/// A text as an input that can be read at any offset.
struct Text(String);

impl Input for Text {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.as_bytes().read_at(offset, buffer)
    }
}

/// Number of bytes to request in one read.
const BLOCK: usize = 1 << 20;

/// Reads from a Python object.
struct PythonReader {
    object: Py<PyAny>,
    block: Vec<u8>,
    at: usize,
}

impl PythonReader {
    /// Reads the next block: bytes, or text as UTF-8. The block is empty at the end.
    fn next_block(&self) -> PyResult<Vec<u8>> {
        Python::attach(|py| {
            let object = self.object.bind(py);
            // `read1` returns the bytes that a pipe has so far, without waiting for a full block.
            let method = if object.hasattr("read1")? { "read1" } else { "read" };
            let read = object.call_method1(method, (BLOCK,))?;
            match read.cast::<PyBytes>() {
                Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
                Err(_) => Ok(read.extract::<String>()?.into_bytes()),
            }
        })
    }
}

impl Read for PythonReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.block.len() {
            self.block = self.next_block().map_err(io::Error::other)?;
            self.at = 0;
        }
        let n = (&self.block[self.at..]).read(buffer)?;
        self.at += n;
        Ok(n)
    }
}
