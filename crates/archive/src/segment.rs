//! Segments: files with the columns of up to 65,536 games, written once.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flow::{Cancel, Input};

use crate::error::Error;
use crate::ipc::{BLOCK_ROWS, BlockBytes, IpcWriter, Layout, Strips, TextBytes};
use crate::rows::{Columns, RowSource, Rows};

impl Rows {
    /// Writes these games as a segment. Returns the size of the file and the checksum of its
    /// footer, which is required to open it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<(u64, u64)> {
        let mut writer = IpcWriter::begin(out, self.len(), self.schema())?;
        for (number, column) in self.columns().into_iter().enumerate() {
            let has_strips = Columns::IN_STRIPS.has(number);
            writer.column(column.dictionary(), has_strips, |body| column.write(body))?;
        }
        writer.finish()
    }
}

/// A segment whose columns and blocks of rows are read individually, when they are needed.
pub struct Segment<I> {
    input: I,
    layout: Layout,
    /// Checksum of the footer, which identifies the segment.
    footer: u64,
    texts: TextBytes,
    bytes: BlockBytes,
}

impl<I: Input> Segment<I> {
    /// Reads the layout of a segment whose footer has this checksum.
    ///
    /// # Errors
    /// The file cannot be read, or differs from what was written.
    pub fn open(input: I, footer: u64) -> Result<Segment<I>, Error> {
        let layout = Layout::read(&input, footer)?;
        if layout.has(&Rows::default().schema()) {
            Ok(Segment {
                input,
                layout,
                footer,
                texts: TextBytes::default(),
                bytes: BlockBytes::default(),
            })
        } else {
            Err(Error::Damaged("it has other columns".to_owned()))
        }
    }

    /// Number of games.
    #[must_use]
    pub fn n_games(&self) -> usize {
        self.layout.n_rows
    }

    /// Number of blocks.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        self.layout.n_blocks()
    }

    /// Names and sizes in bytes of the columns.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let names = Rows::NAMES.iter().enumerate();
        names.map(|(number, name)| (*name, self.layout.n_bytes(number)))
    }

    /// Reads columns of all rows and replaces everything that `rows` held before. Columns that are
    /// not wanted become empty.
    ///
    /// # Errors
    /// A column cannot be read, or differs from what was written.
    pub fn read(&mut self, rows: &mut Rows, wanted: Columns) -> Result<(), Error> {
        rows.clear();
        rows.shown = RowSource::default();
        self.read_columns(rows, wanted, 0..self.layout.n_blocks(), Strips::ALL)?;
        rows.n_rows = self.layout.n_rows;
        Ok(())
    }

    /// Makes `rows` hold the wanted columns of a block. Blocks begin at every
    /// [`BLOCK_ROWS`](crate::BLOCK_ROWS)th row. Columns of the block that are already there, and
    /// distinct texts of this segment, are not read again. Columns that were not requested for
    /// this block are empty.
    ///
    /// # Errors
    /// A column cannot be read, or differs from what was written. The rows are then empty.
    pub fn read_block(
        &mut self,
        rows: &mut Rows,
        block: usize,
        wanted: Columns,
    ) -> Result<(), Error> {
        self.read_strips(rows, block, wanted, Strips::ALL)
    }

    /// Like [`Segment::read_block`], but lists are only needed for the rows of some strips, and may
    /// be empty for others. Their lengths are known of all rows.
    ///
    /// # Errors
    /// As [`Segment::read_block`].
    pub fn read_strips(
        &mut self,
        rows: &mut Rows,
        block: usize,
        wanted: Columns,
        strips: Strips,
    ) -> Result<(), Error> {
        if rows.shown.segment != Some(self.footer) {
            rows.clear();
            rows.shown = RowSource { segment: Some(self.footer), ..RowSource::default() };
        }
        if rows.shown.block != Some(block) {
            rows.clear_cells();
            let start = block.saturating_mul(BLOCK_ROWS).min(self.layout.n_rows);
            rows.n_rows = (self.layout.n_rows - start).min(BLOCK_ROWS);
            rows.shown.block = Some(block);
            rows.shown.strips = Default::default();
        }
        let read = self.read_columns(rows, wanted, block..block + 1, strips);
        if read.is_err() {
            rows.clear();
            rows.shown = RowSource::default();
        }
        read
    }

    /// Reads the missing cells, and the distinct texts if those are missing, too. If there are
    /// several blocks, no cells may be there yet.
    fn read_columns(
        &mut self,
        rows: &mut Rows,
        wanted: Columns,
        blocks: Range<usize>,
        strips: Strips,
    ) -> Result<(), Error> {
        let mut shown = rows.shown;
        let n_rows = rows.n_rows;
        let mut columns = rows.columns_mut();
        // Even without strips, the lengths of lists and the cells of other columns are read.
        let is_missing = |number: &usize| {
            wanted.has(*number)
                && (!shown.strips[*number].contains(strips) || columns[*number].len() < n_rows)
        };
        let missing: Vec<usize> = (0..Rows::NAMES.len()).filter(is_missing).collect();
        let (layout, has_texts) = (&self.layout, shown.texts);
        self.input.soon(
            &mut missing.iter().flat_map(|&number| {
                layout.bytes_of(number, !has_texts.has(number), blocks.clone())
            }),
        );
        for number in missing {
            let column = &mut columns[number];
            if !has_texts.has(number) && layout.read_texts(&self.input, number, &mut self.texts)? {
                column.read_texts(&self.texts)?;
            }
            let of_column = &mut shown.strips[number];
            column.clear_cells();
            let strips = strips.with(*of_column);
            for block in blocks.clone() {
                let (input, bytes) = (&self.input, &mut self.bytes);
                layout.read_strips(input, number, block, strips, bytes)?;
                column.read(bytes)?;
                *of_column = bytes.strips;
            }
        }
        shown.texts = has_texts.with(wanted);
        rows.shown = shown;
        Ok(())
    }

    /// Whether the file equals, byte for byte, what writing these rows gives. Bytes that no search
    /// reads have no checksum, but other programs may read them.
    pub(crate) fn is_of(&self, rows: &Rows) -> bool {
        is_written_by(&self.input, |out| rows.write(out))
    }

    /// Reads all columns.
    ///
    /// # Errors
    /// As [`Segment::read`].
    pub fn read_all(&mut self, rows: &mut Rows) -> Result<(), Error> {
        self.read(rows, Columns::ALL)
    }
}

/// Whether a function that returns the size of what it writes writes exactly these bytes.
pub(crate) fn is_written_by<I: Input>(
    input: &I,
    write: impl FnOnce(&mut dyn Write) -> io::Result<(u64, u64)>,
) -> bool {
    let mut compared = Compared { input, at: 0, buffer: Vec::new() };
    write(&mut compared).is_ok_and(|(size, _)| size == input.size())
}

/// A writer that accepts only the bytes that the file has.
struct Compared<'a, I> {
    input: &'a I,
    at: u64,
    buffer: Vec<u8>,
}

impl<I: Input> Write for Compared<'_, I> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.resize(bytes.len().min(1 << 16), 0);
        let n = self.input.read_at(self.at, &mut self.buffer)?;
        if n > 0 && self.buffer[..n] == bytes[..n] {
            self.at += n as u64;
            Ok(n)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A segment in a file or at an address.
pub struct SegmentFile(SegmentStorage);

enum SegmentStorage {
    File { file: File, size: u64 },
    Remote(Arc<remote::Object>),
}

impl SegmentFile {
    pub(crate) fn open(path: &Path, cancel: &Cancel) -> Result<SegmentFile, Error> {
        let open = || {
            if let Some(address) = path.to_str().filter(|_| remote::is_address(path)) {
                return match remote::open(address, cancel)? {
                    remote::RemoteBytes::Anywhere(object) => {
                        Ok(SegmentFile(SegmentStorage::Remote(object)))
                    }
                    remote::RemoteBytes::InOrder(_) => {
                        let message = "the server does not support reading parts of files";
                        Err(io::Error::new(io::ErrorKind::Unsupported, message))
                    }
                };
            }
            let file = File::open(path)?;
            let size = file.metadata()?.len();
            Ok(SegmentFile(SegmentStorage::File { file, size }))
        };
        open().map_err(|error| Error::of_file(path, error))
    }
}

impl Input for SegmentFile {
    fn size(&self) -> u64 {
        match &self.0 {
            SegmentStorage::File { size, .. } => *size,
            SegmentStorage::Remote(object) => object.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let file = match &self.0 {
            SegmentStorage::File { file, .. } => file,
            SegmentStorage::Remote(object) => return object.read_at(offset, buffer),
        };
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(file, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(file, buffer, offset);
    }

    fn soon(&self, ranges: &mut dyn Iterator<Item = Range<u64>>) {
        if let SegmentStorage::Remote(object) = &self.0 {
            object.soon(ranges);
        }
    }
}

#[cfg(test)]
mod tests {
    use pgn::Splitter;
    use pgn::summary::Summary;

    use super::*;
    use crate::encode::{Encoder, skip};
    use crate::rows::MOVES;

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
        // Columns that were read before are removed.
        let wanted = Columns::of(|name| matches!(name, "white" | "moves"));
        segment.read(&mut rows, wanted).expect("read");
        assert_eq!((&rows.white, &rows.moves), (&all.white, &all.moves));
        assert_eq!((rows.len(), rows.event.get(0), rows.flags.get(0)), (4, None, 0));
        assert_eq!(rows.squares[0].cells(), [0; 0]);
        assert_eq!(rows.variation_squares.get(0), [0; 0]);
    }

    /// Many games, with lists of different lengths and a text that is not in every block.
    fn many_rows(n: usize) -> Rows {
        let few = rows();
        let mut rows = Rows::default();
        for number in 0..n {
            rows.append(&few, number % 4..number % 4 + 1);
        }
        rows
    }

    #[test]
    fn blocks_are_read_alone() {
        let all = many_rows(2 * BLOCK_ROWS + 3);
        let (bytes, footer) = written(&all);
        assert_eq!(read(&bytes, footer).as_ref(), Ok(&all));
        let mut segment = Segment::open(&bytes[..], footer).expect("a segment");
        let mut rows = Rows::default();
        let wanted = Columns::of(|name| {
            matches!(name, "white" | "moves" | "variation_squares" | "white_rooks" | "flags")
        });
        for (block, n_rows) in [(2, 3), (0, BLOCK_ROWS), (1, BLOCK_ROWS)] {
            segment.read_block(&mut rows, block, wanted).expect("read");
            assert_eq!(rows.len(), n_rows);
            for row in 0..n_rows {
                let in_all = block * BLOCK_ROWS + row;
                assert_eq!(rows.moves.get(row), all.moves.get(in_all));
                let squares = |rows: &Rows, row| {
                    let whole = rows.variation_squares.get(row).to_vec();
                    (rows.squares[3].get(row), whole)
                };
                assert_eq!(squares(&rows, row), squares(&all, in_all));
                assert_eq!(rows.squares[2].cells(), [0; 0]);
                assert_eq!(rows.white.get(row), all.white.get(in_all));
                assert_eq!(rows.flags.get(row), all.flags.get(in_all));
                assert_eq!(rows.event.get(row), None);
            }
        }
        // More columns of the same block; facts are unknown until their column is read.
        let knows = |rows: &Rows| {
            let summary = rows.game(0).summary();
            summary.map(|known| (known.moves().is_some(), known.material().is_some()))
        };
        assert_eq!(knows(&rows), Some((true, false)));
        let more = Columns::of(|name| matches!(name, "material" | "event"));
        segment.read_block(&mut rows, 1, more).expect("read");
        assert_eq!(rows.event.get(1), all.event.get(1));
        assert_eq!(knows(&rows), Some((true, true)));
        // The segment has no block 3.
        assert!(segment.read_block(&mut rows, 3, wanted).is_err());
        assert_eq!((rows.len(), rows.moves.get(0)), (0, &[][..]));
        // Another segment has other texts.
        let other = self::rows();
        let (bytes, footer) = written(&other);
        let mut segment = Segment::open(&bytes[..], footer).expect("a segment");
        segment.read_block(&mut rows, 0, wanted).expect("read");
        assert_eq!((rows.len(), &rows.white), (4, &other.white));
    }

    #[test]
    fn moves_of_some_rows_are_read_alone() {
        let all = many_rows(BLOCK_ROWS + 40);
        let (bytes, footer) = written(&all);
        let mut segment = Segment::open(&bytes[..], footer).expect("a segment");
        let mut rows = Rows::default();
        let wanted = Columns::of(|name| matches!(name, "moves" | "flags"));
        let mut check = |block: usize, wanted_rows: &[usize], n_there: usize| {
            let strips = Strips::of(wanted_rows.iter().copied());
            let read = segment.read_strips(&mut rows, block, wanted, strips);
            assert_eq!(read, Ok(()));
            for &row in wanted_rows {
                let moves = all.moves.get(block * BLOCK_ROWS + row);
                assert_eq!(rows.game(row).moves(), moves, "row {row}");
            }
            let is_there = |row: usize| rows.shown.has(MOVES, row);
            let there = (0..rows.len()).filter(|&row| is_there(row));
            assert_eq!(there.count(), n_there, "{wanted_rows:?}");
            for row in 0..rows.len() {
                let of_file = all.moves.get(block * BLOCK_ROWS + row);
                let expected = if is_there(row) { of_file } else { &[] };
                assert_eq!(rows.moves.get(row), expected, "row {row}");
                assert_eq!(rows.moves.length(row), Some(of_file.len()), "row {row}");
                if let Some(known) = rows.game(row).summary() {
                    assert_eq!(known.moves().is_some(), is_there(row));
                }
            }
        };
        check(0, &[5, 37, 1023], 48);
        // Some rows are already there, and others are read in addition.
        check(0, &[37], 48);
        check(0, &[60], 64);
        check(1, &[], 0);
        check(1, &[16, 39], 24);
        check(0, &(0..BLOCK_ROWS).step_by(8).collect::<Vec<_>>(), BLOCK_ROWS);
    }

    /// Damage is only noticed by reads of the damaged block.
    #[test]
    fn blocks_are_damaged_alone() {
        let all = many_rows(2 * BLOCK_ROWS);
        let (mut bytes, footer) = written(&all);
        // The last moves are after all others.
        let moves: Vec<u8> = all.moves.get(0).iter().flat_map(|mv| mv.to_le_bytes()).collect();
        let mut windows = bytes.windows(moves.len());
        let at = windows.rposition(|window| *window == moves).expect("the moves");
        bytes[at] ^= 1;
        let mut segment = Segment::open(&bytes[..], footer).expect("a segment");
        let mut rows = Rows::default();
        let moves = Columns::of(|name| name == "moves");
        assert_eq!(segment.read_block(&mut rows, 0, moves), Ok(()));
        let is_damaged = Err(Error::Damaged("its column moves is damaged".to_owned()));
        assert_eq!(segment.read_block(&mut rows, 1, moves), is_damaged);
        let strip = |row| Strips::of([row]);
        assert_eq!(segment.read_strips(&mut rows, 1, moves, strip(3)), Ok(()));
        let damaged = segment.read_strips(&mut rows, 1, moves, strip(BLOCK_ROWS - 1));
        assert_eq!(damaged, is_damaged);
        let others = Columns::of(|name| name != "moves");
        assert_eq!(segment.read_block(&mut rows, 1, others), Ok(()));
    }

    /// Damage is noticed, or affects only bytes without a meaning.
    #[test]
    fn every_byte_may_be_damaged() {
        let rows = rows();
        let (mut bytes, footer) = written(&rows);
        let (mut n_refused, n_bytes) = (0, bytes.len());
        for at in 0..n_bytes {
            for change in [0xff, 1] {
                bytes[at] ^= change;
                match read(&bytes, footer) {
                    Ok(read) => {
                        assert!(read == rows, "byte {at}");
                        let segment = Segment::open(&bytes[..], footer).expect("it was read");
                        assert!(!segment.is_of(&read), "byte {at}");
                    }
                    Err(_) => n_refused += 1,
                }
                bytes[at] ^= change;
            }
            assert!(read(&bytes[..at], footer).is_err(), "cut at {at}");
        }
        // The accepted changes are in padding of the buffers and in the schema for readers of
        // streams.
        assert!(Segment::open(&bytes[..], footer).is_ok_and(|segment| segment.is_of(&rows)));
        assert!(n_refused > n_bytes, "{n_refused} of {n_bytes}");
    }
}
