//! Collects the values of a column until they are written as a page.
//!
//! The values come with their distribution over the rows, as in the Dremel paper of Melnik et al.:
//! for each entry its definition level (how much of its path exists), and in columns of lists its
//! repetition level, which is 0 at the start of a row.

use super::schema::{Leaf, Physical, leaves};
use super::thrift::varint;
use crate::cell::{Cell, read_list_start, read_text_cell, read_words};
use crate::column::CellType;

/// Definition levels within a row: no list, an empty list, an item.
mod level {
    pub(super) const NO_LIST: u8 = 0;
    pub(super) const EMPTY: u8 = 1;
    pub(super) const ITEM: u8 = 2;
}

/// Values of a leaf.
pub(super) struct LeafValues {
    pub(super) leaf: Leaf,
    /// Values one after the other in the encoding of the format, except truth values: one byte
    /// each.
    values: Vec<u8>,
    definitions: Vec<u8>,
    repetitions: Vec<u8>,
}

/// Values of all leaves of a column.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) cell_type: CellType,
    pub(super) leaves: Vec<LeafValues>,
}

impl Column {
    pub(super) fn new(name: &str, cell_type: CellType) -> Column {
        let leaves = leaves(cell_type).iter().map(|&leaf| LeafValues {
            leaf,
            values: Vec::new(),
            definitions: Vec::new(),
            repetitions: Vec::new(),
        });
        Column { name: name.to_owned(), cell_type, leaves: leaves.collect() }
    }

    /// Adds the cell of the next row, as it was stored. Texts are copied from there, since most
    /// cells are texts. Returns `None` if there is no cell.
    pub(super) fn push_stored(&mut self, stored: &mut &[u8]) -> Option<()> {
        if let (CellType::List, [list]) = (self.cell_type, self.leaves.as_mut_slice())
            && let Some(words) = read_words(stored)
        {
            list.push_words(&words);
            return Some(());
        }
        if let (CellType::List, [list]) = (self.cell_type, self.leaves.as_mut_slice())
            && let Some(n) = read_list_start(stored)
        {
            for place in 0..n {
                match read_text_cell(stored) {
                    Some(text) => list.push_item(Some(&text), place > 0),
                    None => list.push_item(Some(&Cell::read(stored)?.to_plain()), place > 0),
                }
            }
            if n == 0 {
                list.entry(level::EMPTY, 0);
            }
            return Some(());
        }
        if let [leaf] = self.leaves.as_mut_slice()
            && leaf.leaf.physical == Physical::Bytes
            && let Some(text) = read_text_cell(stored)
        {
            leaf.push_text(&text);
            leaf.entry(1, 0);
            return Some(());
        }
        self.push(Cell::read(stored)?);
        Some(())
    }

    /// Adds the cell of the next row.
    fn push(&mut self, cell: Cell) {
        match (self.cell_type, cell, self.leaves.as_mut_slice()) {
            (CellType::List, Cell::List(items), [list]) => {
                list.push_items(items.into_iter().map(Some));
            }
            (CellType::List, Cell::Words(words), [list]) => {
                list.push_words(&words);
            }
            (CellType::Map, Cell::Object(fields), [keys, values]) => {
                let (names, cells): (Vec<String>, Vec<Cell>) = fields.into_iter().unzip();
                keys.push_items(names.into_iter().map(|name| Some(Cell::Text(name))));
                let is_there = |cell: &Cell| *cell != Cell::Null;
                values.push_items(cells.into_iter().map(|cell| Some(cell).filter(is_there)));
            }
            (CellType::List | CellType::Map, cell, leaves) => {
                debug_assert_eq!(cell, Cell::Null, "a column has cells of one type");
                leaves.iter_mut().for_each(|leaf| leaf.entry(level::NO_LIST, 0));
            }
            (_, cell, leaves) => {
                if let Some(leaf) = leaves.first_mut() {
                    let is_there = leaf.push_value(cell);
                    leaf.entry(u8::from(is_there), 0);
                }
            }
        }
    }
}

impl LeafValues {
    fn entry(&mut self, definition: u8, repetition: u8) {
        self.definitions.push(definition);
        self.repetitions.push(repetition);
    }

    /// Adds the items of a row; some may have no value.
    fn push_items(&mut self, items: impl Iterator<Item = Option<Cell>>) {
        let mut is_empty = true;
        for item in items {
            self.push_item(item.map(|item| item.to_plain()).as_deref(), !is_empty);
            is_empty = false;
        }
        if is_empty {
            self.entry(level::EMPTY, 0);
        }
    }

    /// Adds words as the items of a row.
    fn push_words(&mut self, words: &str) {
        // A word and a space become four bytes and the word.
        self.values.reserve(3 * words.len() + 4);
        let mut n = 0;
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            self.push_text(word);
            n += 1;
        }
        if n == 0 {
            return self.entry(level::EMPTY, 0);
        }
        let place = self.repetitions.len();
        self.definitions.resize(place + n, self.leaf.present);
        self.repetitions.resize(place + n, 1);
        self.repetitions[place] = 0;
    }

    /// Adds an item of a row, the first one or another one.
    fn push_item(&mut self, item: Option<&str>, is_further: bool) {
        let definition = match item {
            Some(_) => self.leaf.present,
            None => level::ITEM,
        };
        self.entry(definition, u8::from(is_further));
        if let Some(item) = item {
            self.push_text(item);
        }
    }

    /// Adds the value of a cell. Returns whether the cell has one.
    fn push_value(&mut self, cell: Cell) -> bool {
        match (self.leaf.physical, cell) {
            (Physical::Bool, Cell::Bool(value)) => self.values.push(u8::from(value)),
            (Physical::Int64, Cell::Number(value)) => self.values.extend(value.to_le_bytes()),
            // Days since 1970-01-01.
            (Physical::Int32, Cell::Date(date)) => {
                self.values.extend(date.days_since_1970().to_le_bytes());
            }
            (Physical::Bytes, Cell::Text(text)) => self.push_text(&text),
            (_, cell) => {
                debug_assert_eq!(cell, Cell::Null, "a column has cells of one type");
                return false;
            }
        }
        true
    }

    fn push_text(&mut self, text: &str) {
        // A longer text makes a page that is too long to be written.
        self.values.extend((text.len() as u32).to_le_bytes());
        self.values.extend_from_slice(text.as_bytes());
    }

    /// Removes all entries and returns them as a page, with their number.
    pub(super) fn take_page(&mut self) -> (Vec<u8>, usize) {
        let mut page = Vec::new();
        if self.leaf.is_repeated() {
            add_levels(&self.repetitions, 1, &mut page);
        }
        let n_bits = u8::BITS - self.leaf.present.leading_zeros();
        add_levels(&self.definitions, n_bits, &mut page);
        match self.leaf.physical {
            Physical::Bool => add_bits(&self.values, 1, &mut page),
            _ => page.extend_from_slice(&self.values),
        }
        let n_entries = self.definitions.len();
        self.values.clear();
        self.definitions.clear();
        self.repetitions.clear();
        (page, n_entries)
    }
}

/// Adds levels, preceded by their encoded length: a single run if they are all equal, as in most
/// columns, else packed bits.
fn add_levels(levels: &[u8], n_bits: u32, page: &mut Vec<u8>) {
    let mut encoded = Vec::new();
    match levels {
        [first, rest @ ..] if rest.iter().all(|level| level == first) => {
            varint((levels.len() as u64) << 1, &mut encoded);
            encoded.push(*first);
        }
        levels => {
            varint((levels.len().div_ceil(8) as u64) << 1 | 1, &mut encoded);
            add_bits(levels, n_bits, &mut encoded);
        }
    }
    page.extend((encoded.len() as u32).to_le_bytes());
    page.append(&mut encoded);
}

/// Adds the lowest bits of each value, the first value lowest, in whole groups of eight values.
fn add_bits(values: &[u8], n_bits: u32, out: &mut Vec<u8>) {
    for group in values.chunks(8) {
        let values = group.iter().rev();
        let bits = values.fold(0u64, |bits, &value| bits << n_bits | u64::from(value));
        out.extend_from_slice(&bits.to_le_bytes()[..n_bits as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the pages of the leaves of a column with these cells.
    fn check(cell_type: CellType, cells: &[Cell], pages: &[(&[u8], usize)]) {
        let expected: Vec<(Vec<u8>, usize)> =
            pages.iter().map(|&(page, n)| (page.to_vec(), n)).collect();
        let check = |mut column: Column| {
            let leaves = column.leaves.iter_mut();
            let found: Vec<(Vec<u8>, usize)> = leaves.map(LeafValues::take_page).collect();
            assert_eq!(found, expected, "{cells:?}");
        };
        let mut column = Column::new("c", cell_type);
        cells.iter().for_each(|cell| column.push(cell.clone()));
        check(column);
        let (mut column, mut stored) = (Column::new("c", cell_type), Vec::new());
        cells.iter().for_each(|cell| cell.store(&mut stored));
        let mut stored = stored.as_slice();
        while column.push_stored(&mut stored).is_some() {}
        check(column);
    }

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    #[test]
    fn values_and_what_is_missing() {
        // Ten times level 1, as a run; then the bits.
        let bools = [true, false, true, true, false, false, false, true, true, true];
        check(
            CellType::Bool,
            &bools.map(Cell::Bool),
            &[(&[2, 0, 0, 0, 20, 1, 0b1000_1101, 0b11], 10)],
        );
        check(
            CellType::Number,
            &[Cell::Number(-2), Cell::Null, Cell::Number(1)],
            &[(
                &[
                    2, 0, 0, 0, 3, 0b101, //
                    0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, //
                    1, 0, 0, 0, 0, 0, 0, 0,
                ],
                3,
            )],
        );
        check(
            CellType::Text,
            &[text(""), text("é")],
            &[(&[2, 0, 0, 0, 4, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0xc3, 0xa9], 2)],
        );
    }

    #[test]
    fn lists_and_maps() {
        let list = |items: &[&str]| Cell::List(items.iter().map(|&item| text(item)).collect());
        // Repetitions 0 1 0 0, definitions 2 2 1 0.
        let lists: [(&[u8], usize); 1] = [(
            &[
                2,
                0,
                0,
                0,
                3,
                0b0010, //
                3,
                0,
                0,
                0,
                3,
                0b0001_1010,
                0, //
                1,
                0,
                0,
                0,
                b'a',
                1,
                0,
                0,
                0,
                b'b',
            ],
            4,
        )];
        for cells in [
            [list(&["a", "b"]), list(&[]), Cell::Null],
            [Cell::Words("a b".to_owned()), Cell::Words(String::new()), Cell::Null],
        ] {
            check(CellType::List, &cells, &lists);
        }
        let map =
            Cell::Object(vec![("k".to_owned(), Cell::Number(7)), ("l".to_owned(), Cell::Null)]);
        // The missing value has level 2, the other one 3.
        check(
            CellType::Map,
            &[map],
            &[
                (
                    &[
                        2, 0, 0, 0, 3, 0b10, 2, 0, 0, 0, 4, 2, //
                        1, 0, 0, 0, b'k', 1, 0, 0, 0, b'l',
                    ],
                    2,
                ),
                (
                    &[
                        2, 0, 0, 0, 3, 0b10, 3, 0, 0, 0, 3, 0b1011, 0, //
                        1, 0, 0, 0, b'7',
                    ],
                    2,
                ),
            ],
        );
    }
}
