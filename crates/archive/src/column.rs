//! Columns in memory: numbers, lists of numbers, and texts, each distinct text stored once.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::Error;
use crate::ipc::{BlockBytes, Body, ColumnType, Strips, TextBytes};

/// The cells of a column.
pub(crate) trait Column {
    /// Type of the cells.
    fn kind(&self) -> ColumnType;

    /// Number of cells.
    fn len(&self) -> usize;

    /// Removes all cells and keeps the memory.
    fn clear(&mut self);

    /// The number of distinct texts and the texts themselves; `None` unless this is a column of
    /// texts.
    fn dictionary(&self) -> Option<(usize, Body)> {
        None
    }

    /// Writes the cells.
    fn write(&self, body: &mut Body);

    /// Removes the cells and keeps the distinct texts, if there are any.
    fn clear_cells(&mut self) {
        self.clear();
    }

    /// Replaces the distinct texts by those of a file.
    fn read_texts(&mut self, bytes: &TextBytes) -> Result<(), Error> {
        let _ = bytes;
        Ok(())
    }

    /// Appends the cells of a block of rows of a file.
    fn read(&mut self, bytes: &BlockBytes) -> Result<(), Error>;
}

/// Unsigned integers of a fixed size.
pub trait Number: Copy + Default + PartialEq + Debug {
    /// Number of bits.
    const BITS: u8;

    /// Appends numbers to bytes, in little-endian order.
    fn write(numbers: &[Self], bytes: &mut Vec<u8>);

    /// Appends the numbers that are encoded in `bytes`.
    fn read(bytes: &[u8], numbers: &mut Vec<Self>);
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Number for $number {
            const BITS: u8 = <$number>::BITS as u8;

            fn write(numbers: &[$number], bytes: &mut Vec<u8>) {
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }

            fn read(bytes: &[u8], numbers: &mut Vec<$number>) {
                let (chunks, _) = bytes.as_chunks();
                numbers.extend(chunks.iter().map(|chunk| <$number>::from_le_bytes(*chunk)));
            }
        }
    )*};
}

number!(u8, u16, u32, u64);

/// Appends exactly `n` numbers.
fn read_numbers<N: Number>(bytes: &[u8], n: usize, numbers: &mut Vec<N>) -> Result<(), Error> {
    if n.checked_mul(usize::from(N::BITS / 8)) == Some(bytes.len()) {
        N::read(bytes, numbers);
        Ok(())
    } else {
        Err(nonsense())
    }
}

fn nonsense() -> Error {
    Error::Damaged("the cells of a column do not match".to_owned())
}

/// A number in each row.
#[derive(Debug, Default, PartialEq)]
pub struct Numbers<N> {
    cells: Vec<N>,
    /// Whether 0 means "not known", so that other readers see a missing value.
    zero_is_missing: bool,
}

impl<N: Number> Numbers<N> {
    /// Creates a column where 0 means "not known".
    pub(crate) fn with_missing() -> Numbers<N> {
        Numbers { zero_is_missing: true, ..Numbers::default() }
    }

    /// All cells.
    #[must_use]
    pub fn cells(&self) -> &[N] {
        &self.cells
    }

    /// The cell of a row; 0 if the column has not been read.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> N {
        self.cells.get(row).copied().unwrap_or_default()
    }

    pub(crate) fn push(&mut self, cell: N) {
        self.cells.push(cell);
    }

    pub(crate) fn append(&mut self, other: &Numbers<N>, rows: Range<usize>) {
        self.cells.extend_from_slice(&other.cells[rows]);
    }
}

impl<N: Number> Column for Numbers<N> {
    fn kind(&self) -> ColumnType {
        ColumnType::Number(N::BITS)
    }

    fn len(&self) -> usize {
        self.cells.len()
    }

    fn clear(&mut self) {
        self.cells.clear();
    }

    fn write(&self, body: &mut Body) {
        let zero = N::default();
        body.validity(self.cells.len(), |row| !self.zero_is_missing || self.cells[row] != zero);
        body.buffer(|bytes| N::write(&self.cells, bytes));
    }

    fn read(&mut self, bytes: &BlockBytes) -> Result<(), Error> {
        let [_, cells] = bytes.buffers() else {
            return Err(nonsense());
        };
        read_numbers(cells, bytes.n_rows, &mut self.cells)
    }
}

/// A list of numbers in each row.
#[derive(Debug, PartialEq)]
pub struct Lists<N> {
    /// Start index of each list in `items`, and the end of the last one.
    bounds: Vec<u32>,
    items: Vec<N>,
    /// Number of items of each list in the file; empty if all lists have been read.
    lengths: Vec<u32>,
}

impl<N> Default for Lists<N> {
    fn default() -> Lists<N> {
        Lists { bounds: vec![0], items: Vec::new(), lengths: Vec::new() }
    }
}

impl<N: Number> Lists<N> {
    /// The list of a row; empty if the column has not been read.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> &[N] {
        match self.bounds.get(row..) {
            Some([start, end, ..]) => {
                let list = self.items.get(*start as usize..*end as usize);
                list.unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The number of items of a row, even if its list has not been read; `None` if the column has
    /// not been read.
    #[inline]
    #[must_use]
    pub fn length(&self, row: usize) -> Option<usize> {
        if !self.lengths.is_empty() {
            return self.lengths.get(row).map(|length| *length as usize);
        }
        match self.bounds.get(row..) {
            Some([start, end, ..]) => Some(end.wrapping_sub(*start) as usize),
            _ => None,
        }
    }

    pub(crate) fn push(&mut self, list: &[N]) {
        self.items.extend_from_slice(list);
        self.bounds.push(self.items.len() as u32);
    }

    pub(crate) fn append(&mut self, other: &Lists<N>, rows: Range<usize>) {
        let bounds = &other.bounds[rows.start..=rows.end];
        let (first, last) = (bounds[0], bounds[bounds.len() - 1]);
        let shift = self.items.len() as u32;
        self.items.extend_from_slice(&other.items[first as usize..last as usize]);
        let moved = bounds[1..].iter().map(|bound| bound - first + shift);
        self.bounds.extend(moved);
    }

    /// Number of items of all lists together.
    pub(crate) fn n_items(&self) -> usize {
        self.items.len()
    }
}

impl<N: Number> Column for Lists<N> {
    fn kind(&self) -> ColumnType {
        ColumnType::List(N::BITS)
    }

    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    fn clear(&mut self) {
        self.bounds.truncate(1);
        self.items.clear();
        self.lengths.clear();
    }

    fn write(&self, body: &mut Body) {
        body.validity(self.len(), |_| true);
        body.buffer(|bytes| u32::write(&self.bounds, bytes));
        body.validity(self.items.len(), |_| true);
        body.buffer(|bytes| N::write(&self.items, bytes));
    }

    fn read(&mut self, bytes: &BlockBytes) -> Result<(), Error> {
        let [_, bounds, _, items] = bytes.buffers() else {
            return Err(nonsense());
        };
        // The bounds in the file count from the first item of the whole column.
        let mut bound = bounds.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b));
        let first = bound.next().ok_or_else(nonsense)?;
        let (n_rows, n_items) = (self.bounds.len(), self.items.len());
        let n_new = items.len() / usize::from(N::BITS / 8);
        let shift = u32::try_from(n_items).map_err(|_| nonsense())?;
        if bytes.strips == Strips::ALL {
            let bounds = bound.map(|bound| bound.wrapping_sub(first).wrapping_add(shift));
            self.bounds.extend(bounds);
        } else {
            // Lists that were not read become empty.
            let (mut before, mut end) = (first, shift);
            self.bounds.extend(bound.enumerate().map(|(row, bound)| {
                let length = bound.wrapping_sub(std::mem::replace(&mut before, bound));
                self.lengths.push(length);
                end = end.wrapping_add(if bytes.strips.has(row) { length } else { 0 });
                end
            }));
        }
        let new = &self.bounds[n_rows - 1..];
        let fits = new.len() == bytes.n_rows + 1
            && new.is_sorted()
            && new.last().is_some_and(|end| *end as usize == n_items + n_new);
        if !fits {
            self.clear();
            return Err(nonsense());
        }
        read_numbers(items, n_new, &mut self.items)
    }
}

/// Reads the bounds of `n` texts. Returns the end of the last text.
fn read_bounds(bytes: &[u8], n: usize, bounds: &mut Vec<u32>) -> Result<usize, Error> {
    bounds.clear();
    read_numbers(bytes, n.checked_add(1).ok_or_else(nonsense)?, bounds)?;
    if bounds.first() == Some(&0) && bounds.is_sorted() {
        Ok(bounds.last().map_or(0, |end| *end as usize))
    } else {
        Err(nonsense())
    }
}

/// An optional text in each row.
#[derive(Debug)]
pub struct Texts {
    /// Number of each row's text among the distinct texts, or [`NONE`].
    cells: Vec<u32>,
    /// Start offset of each distinct text in `bytes`, and the end of the last one.
    bounds: Vec<u32>,
    bytes: Vec<u8>,
    /// Numbers of the distinct texts, while texts are added.
    known: HashMap<Box<[u8]>, u32, TextState>,
    /// Whether the column usually has fewer than 256 distinct texts. Its numbers then take eight
    /// bits in a file if they fit.
    are_few: bool,
}

/// Hashes texts with XXH3, which is faster than the default for short texts. The seed is random, so
/// that an attacker cannot provoke collisions.
#[derive(Clone, Debug)]
struct TextState(u64);

impl Default for TextState {
    fn default() -> TextState {
        TextState(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for TextState {
    type Hasher = TextHasher;

    fn build_hasher(&self) -> TextHasher {
        TextHasher(self.0)
    }
}

struct TextHasher(u64);

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    /// Mixes in the length, which is hashed before the text.
    fn write_usize(&mut self, length: usize) {
        self.0 ^= length as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Cell of a row without a text.
const NONE: u32 = u32::MAX;

impl Default for Texts {
    fn default() -> Texts {
        Texts {
            cells: Vec::new(),
            bounds: vec![0],
            bytes: Vec::new(),
            known: HashMap::default(),
            are_few: false,
        }
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Texts) -> bool {
        (&self.cells, &self.bounds, &self.bytes) == (&other.cells, &other.bounds, &other.bytes)
    }
}

impl Texts {
    /// Creates a column that usually has fewer than 256 distinct texts.
    pub(crate) fn of_few() -> Texts {
        Texts { are_few: true, ..Texts::default() }
    }

    /// The text of a row, if it has one.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        self.text(self.number(row)?)
    }

    /// Number of the row's text among the distinct texts, if it has one.
    #[inline]
    #[must_use]
    pub fn number(&self, row: usize) -> Option<u32> {
        self.cells.get(row).copied().filter(|&number| number != NONE)
    }

    /// The distinct text with this number.
    #[inline]
    #[must_use]
    pub fn text(&self, number: u32) -> Option<&[u8]> {
        match self.bounds.get(number as usize..) {
            Some([start, end, ..]) => self.bytes.get(*start as usize..*end as usize),
            _ => None,
        }
    }

    /// Number of distinct texts.
    #[must_use]
    pub fn n_texts(&self) -> usize {
        self.bounds.len() - 1
    }

    pub(crate) fn push(&mut self, text: Option<&[u8]>) {
        let number = match text {
            None => NONE,
            Some(text) => self.number_of(text),
        };
        self.cells.push(number);
    }

    fn number_of(&mut self, text: &[u8]) -> u32 {
        // Games of an event are usually consecutive.
        if let Some(&last) = self.cells.last()
            && last != NONE
            && self.text(last) == Some(text)
        {
            return last;
        }
        if let Some(number) = self.known.get(text) {
            return *number;
        }
        let number = self.n_texts() as u32;
        self.bytes.extend_from_slice(text);
        self.bounds.push(self.bytes.len() as u32);
        self.known.insert(text.into(), number);
        number
    }

    /// Sets all cells from `row` on to this text.
    pub(crate) fn fill_from(&mut self, row: usize, text: Option<&[u8]>) {
        let n_cells = self.cells.len();
        self.cells.truncate(row);
        while self.cells.len() < n_cells {
            self.push(text);
        }
    }

    pub(crate) fn append(&mut self, other: &Texts, rows: Range<usize>) {
        let mut numbers = vec![NONE; other.n_texts()];
        for &cell in &other.cells[rows] {
            let number = match other.text(cell) {
                None => NONE,
                Some(text) => {
                    let number = &mut numbers[cell as usize];
                    if *number == NONE {
                        *number = self.number_of(text);
                    }
                    *number
                }
            };
            self.cells.push(number);
        }
    }
}

impl Column for Texts {
    fn kind(&self) -> ColumnType {
        let is_short = self.are_few && self.n_texts() <= 1 << 8;
        ColumnType::Text(if is_short { 8 } else { 16 })
    }

    fn len(&self) -> usize {
        self.cells.len()
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.bounds.clear();
        self.bounds.push(0);
        self.bytes.clear();
        self.known.clear();
    }

    fn dictionary(&self) -> Option<(usize, Body)> {
        let mut body = Body::default();
        body.validity(self.n_texts(), |_| true);
        body.buffer(|bytes| u32::write(&self.bounds, bytes));
        body.buffer(|bytes| bytes.extend_from_slice(&self.bytes));
        Some((self.n_texts(), body))
    }

    /// Writes the numbers in 8 or 16 bits, which suffice: there are no more texts than rows in a
    /// segment.
    fn write(&self, body: &mut Body) {
        body.validity(self.cells.len(), |row| self.cells[row] != NONE);
        let numbers = self.cells.iter().map(|&cell| match cell {
            NONE => 0,
            cell => cell as u16,
        });
        body.buffer(|bytes| match self.kind() {
            ColumnType::Text(8) => bytes.extend(numbers.map(|number| number as u8)),
            _ => bytes.extend(numbers.flat_map(u16::to_le_bytes)),
        });
    }

    fn clear_cells(&mut self) {
        self.cells.clear();
    }

    fn read_texts(&mut self, bytes: &TextBytes) -> Result<(), Error> {
        self.clear();
        let [_, bounds, texts] = &bytes.buffers;
        let end = read_bounds(bounds, bytes.n_texts, &mut self.bounds);
        if end.is_ok_and(|end| end == texts.len()) {
            self.bytes.extend_from_slice(texts);
            return Ok(());
        }
        self.clear();
        Err(nonsense())
    }

    fn read(&mut self, bytes: &BlockBytes) -> Result<(), Error> {
        let [validity, cells] = bytes.buffers() else {
            return Err(nonsense());
        };
        let n_rows = bytes.n_rows;
        let is_short = cells.len() == n_rows;
        let is_whole = (is_short || cells.len() == 2 * n_rows)
            && (validity.is_empty() || validity.len() == n_rows.div_ceil(8));
        if !is_whole {
            return Err(nonsense());
        }
        let start = self.cells.len();
        if is_short {
            self.cells.extend(cells.iter().copied().map(u32::from))
        } else {
            let cells = cells.as_chunks().0.iter();
            let numbers = cells.map(|cell| u32::from(u16::from_le_bytes(*cell)));
            self.cells.extend(numbers);
        }
        let new = &mut self.cells[start..];
        for (cells, bits) in new.chunks_mut(8).zip(validity.iter()) {
            if *bits != u8::MAX {
                let missing = cells.iter_mut().enumerate();
                let missing = missing.filter(|(at, _)| bits >> at & 1 == 0);
                missing.for_each(|(_, cell)| *cell = NONE);
            }
        }
        // Largest number plus one; missing cells count as 0.
        let end = new.iter().map(|cell| cell.wrapping_add(1)).max();
        if end.is_none_or(|end| end as usize <= self.n_texts()) {
            Ok(())
        } else {
            self.clear_cells();
            Err(nonsense())
        }
    }
}
