//! Maps the columns of a table to Parquet: the elements of the schema, and the leaves, the columns
//! in which values are stored.

use super::thrift::Thrift;
use crate::column::CellType;

/// Physical type of values, with its number in the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Physical {
    Bool = 0,
    Int32 = 1,
    Int64 = 2,
    Bytes = 6,
}

/// Number of occurrences of an element within its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repetition {
    Required = 0,
    Optional = 1,
    Repeated = 2,
}

/// Logical type of a value, in the forms for readers before and since 2018.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    converted: i32,
    logical: u8,
}

const TEXT: Meaning = Meaning { converted: 0, logical: 1 };
const MAP: Meaning = Meaning { converted: 1, logical: 2 };
const LIST: Meaning = Meaning { converted: 3, logical: 3 };
const DATE: Meaning = Meaning { converted: 6, logical: 6 };

/// Node of the schema. Its children follow it.
pub(super) struct Element<'n> {
    name: &'n str,
    physical: Option<Physical>,
    repetition: Option<Repetition>,
    n_children: usize,
    meaning: Option<Meaning>,
}

impl<'n> Element<'n> {
    fn group(name: &'n str, repetition: Repetition, n_children: usize) -> Element<'n> {
        Element { name, physical: None, repetition: Some(repetition), n_children, meaning: None }
    }

    fn value(name: &'n str, physical: Physical, repetition: Repetition) -> Element<'n> {
        Element { physical: Some(physical), ..Element::group(name, repetition, 0) }
    }

    fn text(name: &'n str, repetition: Repetition) -> Element<'n> {
        Element::value(name, Physical::Bytes, repetition).meaning(TEXT)
    }

    fn meaning(self, meaning: Meaning) -> Element<'n> {
        Element { meaning: Some(meaning), ..self }
    }

    /// Returns the root of the schema.
    pub(super) fn root(n_columns: usize) -> Element<'n> {
        Element { repetition: None, ..Element::group("rows", Repetition::Required, n_columns) }
    }

    pub(super) fn write(&self, thrift: &mut Thrift) {
        if let Some(physical) = self.physical {
            thrift.int32(1, physical as i32);
        }
        if let Some(repetition) = self.repetition {
            thrift.int32(3, repetition as i32);
        }
        thrift.text(4, self.name);
        if self.n_children > 0 {
            thrift.int32(5, self.n_children as i32);
        }
        if let Some(meaning) = self.meaning {
            thrift.int32(6, meaning.converted);
            thrift.structure(10, |t| t.structure(meaning.logical, |_| {}));
        }
    }
}

/// Returns the elements of a column, in the layout that the format prescribes.
pub(super) fn elements(name: &str, cell_type: CellType) -> Vec<Element<'_>> {
    use Repetition::{Optional, Repeated, Required};
    let physical = leaves(cell_type)[0].physical;
    let value = Element::value(name, physical, Optional);
    let group = Element::group(name, Optional, 1);
    match cell_type {
        CellType::Bool | CellType::Number => vec![value],
        CellType::Text => vec![value.meaning(TEXT)],
        CellType::Date => vec![value.meaning(DATE)],
        CellType::List => vec![
            group.meaning(LIST),
            Element::group("list", Repeated, 1),
            Element::text("element", Required),
        ],
        CellType::Map => vec![
            group.meaning(MAP),
            Element::group("key_value", Repeated, 2),
            Element::text("key", Required),
            Element::text("value", Optional),
        ],
    }
}

/// Column in which values are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// Path of the leaf below the column of the table.
    pub(super) path: &'static [&'static str],
    pub(super) physical: Physical,
    /// Definition level of a value: the number of optional elements of its path.
    pub(super) present: u8,
}

impl Leaf {
    /// Whether a row may have several values.
    pub(super) fn is_repeated(self) -> bool {
        !self.path.is_empty()
    }
}

/// Returns the leaves of a column.
pub(super) fn leaves(cell_type: CellType) -> &'static [Leaf] {
    const fn plain(physical: Physical) -> Leaf {
        Leaf { path: &[], physical, present: 1 }
    }
    const fn text(path: &'static [&'static str], present: u8) -> Leaf {
        Leaf { path, physical: Physical::Bytes, present }
    }
    match cell_type {
        CellType::Bool => const { &[plain(Physical::Bool)] },
        CellType::Number => const { &[plain(Physical::Int64)] },
        CellType::Text => const { &[plain(Physical::Bytes)] },
        CellType::Date => const { &[plain(Physical::Int32)] },
        CellType::List => const { &[text(&["list", "element"], 2)] },
        CellType::Map => {
            const { &[text(&["key_value", "key"], 2), text(&["key_value", "value"], 3)] }
        }
    }
}
