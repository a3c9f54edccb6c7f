//! Segments: files with the columns of some ten thousand games, written once.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use flow::Input;

use crate::error::Error;
use crate::ipc::{ColumnBytes, Layout, Writer};
use crate::rows::Rows;

impl Rows {
    /// Writes these games as a segment. The result is the size of the file and the checksum of its
    /// footer, without which it cannot be opened.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<(u64, u64)> {
        let mut writer = Writer::begin(out, self.len(), Rows::schema())?;
        for column in self.columns() {
            writer.column(column.dictionary(), |body| column.write(body))?;
        }
        writer.finish()
    }
}

/// A segment that can be read. Columns are read one by one, as they are needed.
pub struct Segment<I> {
    input: I,
    layout: Layout,
    bytes: ColumnBytes,
}

impl<I: Input> Segment<I> {
    /// Reads where everything is in a segment whose footer has this checksum.
    ///
    /// # Errors
    /// The file cannot be read, or is not the one that was written.
    pub fn open(input: I, footer: u64) -> Result<Segment<I>, Error> {
        let layout = Layout::read(&input, footer)?;
        match layout.has(&Rows::schema()) {
            true => Ok(Segment {
                input,
                layout,
                bytes: ColumnBytes::default(),
            }),
            false => Err(Error::Damaged("it has other columns".to_owned())),
        }
    }

    /// How many games it has.
    #[must_use]
    pub fn n_games(&self) -> usize {
        self.layout.n_rows
    }

    /// How many bytes each column has.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let names = Rows::NAMES.iter().enumerate();
        names.map(|(number, name)| (*name, self.layout.n_bytes(number)))
    }

    /// Reads columns in place of what was read of any segment before; those that are not wanted
    /// become empty.
    ///
    /// # Errors
    /// A column cannot be read, or is not the one that was written.
    pub fn read(&mut self, rows: &mut Rows, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
        rows.clear();
        let columns = rows.columns_mut().into_iter().zip(Rows::NAMES).enumerate();
        for (number, (column, name)) in columns {
            if wanted(name) {
                self.layout
                    .read_column(&self.input, number, &mut self.bytes)?;
                column.read(self.layout.n_rows, &self.bytes)?;
            }
        }
        rows.n_rows = self.layout.n_rows;
        Ok(())
    }

    /// Reads all columns.
    ///
    /// # Errors
    /// As [`Segment::read`].
    pub fn read_all(&mut self, rows: &mut Rows) -> Result<(), Error> {
        self.read(rows, |_| true)
    }
}

/// A file that can be read anywhere.
pub struct SegmentFile {
    file: File,
    size: u64,
}

impl SegmentFile {
    pub(crate) fn open(path: &Path) -> Result<SegmentFile, Error> {
        let open = || {
            let file = File::open(path)?;
            let size = file.metadata()?.len();
            Ok(SegmentFile { file, size })
        };
        open().map_err(|error| Error::of_file(path, &error))
    }
}

impl Input for SegmentFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset);
    }
}

#[cfg(test)]
mod tests {
    use pgn::Splitter;

    use super::*;
    use crate::encode::{Encoder, skip};

    /// Games of all classes.
    const GAMES: &str = "[Event \"a\"]\n[Site \"\"]\n[White \"Ångström\"]\n[WhiteElo \"2500\"]\n\
        [Result \"1-0\"]\n\n1.e4 (1.d4 d5) e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
        [Event \"b\"]\n[FEN \"k7/8/8/8/8/8/p7/7K b - - 0 1\"]\n[ECO \"A00\"]\n\n1...a1=Q+ *\n\n\
        [Event \"c\"]\n[Date \"1999.??.??\"]\n\n1.e4 Ke7 2.e5 *\n";

    fn rows() -> Rows {
        let (mut encoder, mut rows) = (Encoder::default(), Rows::default());
        for raw in Splitter::default().split(GAMES.as_bytes(), true) {
            encoder.encode(&raw, &mut rows);
        }
        skip(1234, &mut rows);
        rows
    }

    fn written(rows: &Rows) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let (size, footer) = rows.write(&mut bytes).expect("written");
        assert_eq!(size, bytes.len() as u64);
        (bytes, footer)
    }

    fn read(bytes: &[u8], footer: u64) -> Result<Rows, Error> {
        let mut rows = Rows::default();
        Segment::open(bytes, footer)?.read_all(&mut rows)?;
        Ok(rows)
    }

    #[test]
    fn what_is_written_is_read() {
        let rows = rows();
        assert_eq!(rows.len(), 4);
        let (bytes, footer) = written(&rows);
        assert_eq!(read(&bytes, footer).as_ref(), Ok(&rows));
        assert!(read(&bytes, footer ^ 1).is_err());
        // No games at all.
        let rows = Rows::default();
        let (bytes, footer) = written(&rows);
        assert_eq!(read(&bytes, footer), Ok(rows));
    }

    #[test]
    fn columns_are_read_alone() {
        let all = rows();
        let (bytes, footer) = written(&all);
        let mut segment = Segment::open(&bytes[..], footer).expect("a segment");
        let sizes: Vec<_> = segment.sizes().filter(|(_, n)| *n == 0).collect();
        assert_eq!(sizes, []);
        let mut rows = Rows::default();
        segment.read_all(&mut rows).expect("read");
        // What was read before is gone.
        let wanted = |name: &str| matches!(name, "white" | "moves");
        segment.read(&mut rows, wanted).expect("read");
        assert_eq!((&rows.white, &rows.moves), (&all.white, &all.moves));
        assert_eq!(
            (rows.len(), rows.event.get(0), rows.flags.get(0)),
            (4, None, 0)
        );
        assert_eq!(rows.reach.get(0), [0; 0]);
    }

    /// Damage is noticed, or was done to bytes without a meaning.
    #[test]
    fn every_byte_may_be_damaged() {
        let rows = rows();
        let (mut bytes, footer) = written(&rows);
        let (mut n_refused, n_bytes) = (0, bytes.len());
        for at in 0..n_bytes {
            for change in [0xff, 1] {
                bytes[at] ^= change;
                match read(&bytes, footer) {
                    Ok(read) => assert!(read == rows, "byte {at}"),
                    Err(_) => n_refused += 1,
                }
                bytes[at] ^= change;
            }
            assert!(read(&bytes[..at], footer).is_err(), "cut at {at}");
        }
        // The rest is what aligns the buffers, and the schema for those who read a stream.
        assert!(n_refused > n_bytes, "{n_refused} of {n_bytes}");
    }
}
