//! The footer: the columns, and their places.

use std::io;

use super::thrift::{LIST, STRUCT, Thrift};

/// Types in which values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Physical {
    Bool,
    Int32,
    Int64,
    Float,
    Double,
    Text,
}

impl Physical {
    fn of(number: i64) -> Option<Physical> {
        Some(match number {
            0 => Physical::Bool,
            1 => Physical::Int32,
            2 => Physical::Int64,
            4 => Physical::Float,
            5 => Physical::Double,
            6 => Physical::Text,
            // Old dates, and bytes of fixed length.
            _ => return None,
        })
    }

    /// Number of bytes of a plain value; for a text, of its length.
    pub(super) fn size(self) -> usize {
        match self {
            Physical::Bool => 1,
            Physical::Int32 | Physical::Float | Physical::Text => 4,
            Physical::Int64 | Physical::Double => 8,
        }
    }
}

/// Meaning of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Itself,
    /// Days since 1970.
    Date,
    /// Parts of a second since midnight; their number.
    Time(i64),
    /// Parts of a second since 1970; their number.
    Moment(i64),
    /// One that is not read.
    Other,
}

/// Column that holds values.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// Index among the leaves.
    pub(super) index: usize,
    /// Name of the column of the table.
    pub(super) name: String,
    /// Whether the column of the table is the leaf itself.
    pub(super) is_flat: bool,
    pub(super) physical: Physical,
    pub(super) meaning: Meaning,
    /// Levels of a value that is there.
    pub(super) definition: u64,
    pub(super) repetition: u64,
}

/// Place of a column in a row group.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Chunk {
    pub(super) start: u64,
    pub(super) n_bytes: u64,
    pub(super) codec: i64,
}

/// Consecutive rows.
#[derive(Debug, Default)]
pub(super) struct RowGroup {
    pub(super) n_rows: u64,
    /// One for each leaf.
    pub(super) chunks: Vec<Chunk>,
}

/// Node of the schema. Its children follow it.
#[derive(Debug)]
struct Element {
    name: String,
    physical: Option<i64>,
    repetition: i64,
    n_children: i64,
    meaning: Meaning,
}

/// The footer.
#[derive(Debug, Default)]
pub(super) struct Footer {
    /// Leaves whose values can be read.
    pub(super) leaves: Vec<Leaf>,
    /// Names of all columns of the table.
    pub(super) names: Vec<String>,
    pub(super) groups: Vec<RowGroup>,
}

impl Footer {
    pub(super) fn read(footer: &[u8]) -> io::Result<Footer> {
        let mut elements = Vec::new();
        let mut groups = Vec::new();
        let mut thrift = Thrift { from: footer };
        thrift.structure(&mut |thrift, field, kind| {
            match (field, kind) {
                (2, LIST) => thrift.structures(&mut |thrift| {
                    elements.push(element(thrift)?);
                    Ok(())
                })?,
                (4, LIST) => thrift.structures(&mut |thrift| {
                    groups.push(group(thrift)?);
                    Ok(())
                })?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let mut footer = Footer { groups, ..Footer::default() };
        footer.walk(&elements).ok_or_else(|| io::Error::other("the schema is damaged"))?;
        Ok(footer)
    }

    /// Finds the leaves among the elements.
    fn walk(&mut self, elements: &[Element]) -> Option<()> {
        let mut n_leaves = 0;
        // Groups around the current element: children left, and levels.
        let root = elements.first()?;
        let mut around = vec![(root.n_children, 0, 0)];
        for element in &elements[1..] {
            while around.last()?.0 == 0 {
                around.pop();
            }
            let depth = around.len();
            let (n_left, mut definition, mut repetition) = *around.last()?;
            around.last_mut()?.0 = n_left.checked_sub(1).filter(|left| *left >= 0)?;
            definition += u64::from(element.repetition != 0);
            repetition += u64::from(element.repetition == 2);
            if depth == 1 {
                self.names.push(element.name.clone());
            }
            if element.physical.is_none() || element.n_children > 0 {
                around.push((element.n_children, definition, repetition));
                continue;
            }
            if let Some(physical) = element.physical.and_then(Physical::of) {
                self.leaves.push(Leaf {
                    index: n_leaves,
                    name: self.names.last()?.clone(),
                    is_flat: depth == 1 && repetition == 0,
                    physical,
                    meaning: element.meaning,
                    definition,
                    repetition,
                });
            }
            n_leaves += 1;
        }
        self.groups.iter().all(|group| group.chunks.len() == n_leaves).then_some(())
    }
}

fn element(thrift: &mut Thrift<&[u8]>) -> io::Result<Element> {
    let mut element = Element {
        name: String::new(),
        physical: None,
        repetition: 0,
        n_children: 0,
        meaning: Meaning::Itself,
    };
    // The older form of the meaning; the newer one counts if there are both.
    let mut logical = None;
    thrift.structure(&mut |thrift, field, kind| {
        match (field, kind) {
            (1, _) => element.physical = Some(thrift.integer()?),
            (3, _) => element.repetition = thrift.integer()?,
            (4, _) => element.name = thrift.text()?,
            (5, _) => element.n_children = thrift.integer()?,
            (6, _) => {
                element.meaning = match thrift.integer()? {
                    6 => Meaning::Date,
                    7 => Meaning::Time(1000),
                    8 => Meaning::Time(1_000_000),
                    9 => Meaning::Moment(1000),
                    10 => Meaning::Moment(1_000_000),
                    // Decimals, BSON and intervals.
                    5 | 20 | 21 => Meaning::Other,
                    _ => Meaning::Itself,
                }
            }
            (10, STRUCT) => logical = Some(meaning(thrift)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if let Some(meaning) = logical {
        element.meaning = meaning;
    }
    Ok(element)
}

/// Reads the newer form of a meaning: a structure of which one field is set.
fn meaning(thrift: &mut Thrift<&[u8]>) -> io::Result<Meaning> {
    let mut meaning = Meaning::Itself;
    thrift.structure(&mut |thrift, field, kind| {
        match (field, kind) {
            (7 | 8, STRUCT) => {
                let mut parts = 1000;
                thrift.structure(&mut |thrift, inner, kind| {
                    if (inner, kind) != (2, STRUCT) {
                        return Ok(false);
                    }
                    thrift.structure(&mut |_, unit, _| {
                        parts = match unit {
                            1 => 1000,
                            2 => 1_000_000,
                            _ => 1_000_000_000,
                        };
                        Ok(false)
                    })?;
                    Ok(true)
                })?;
                meaning = if field == 7 { Meaning::Time(parts) } else { Meaning::Moment(parts) };
                return Ok(true);
            }
            (6, _) => meaning = Meaning::Date,
            // Decimals, BSON, identifiers and short floats.
            (5 | 13 | 14 | 15, _) => meaning = Meaning::Other,
            _ => {}
        }
        Ok(false)
    })?;
    Ok(meaning)
}

fn group(thrift: &mut Thrift<&[u8]>) -> io::Result<RowGroup> {
    let mut group = RowGroup::default();
    thrift.structure(&mut |thrift, field, kind| {
        match (field, kind) {
            (1, LIST) => thrift.structures(&mut |thrift| {
                group.chunks.push(chunk(thrift)?);
                Ok(())
            })?,
            (3, _) => group.n_rows = u64::try_from(thrift.integer()?).unwrap_or(0),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(group)
}

fn chunk(thrift: &mut Thrift<&[u8]>) -> io::Result<Chunk> {
    let mut chunk = Chunk::default();
    let mut dictionary = 0;
    let positive = |number: i64| u64::try_from(number).unwrap_or(0);
    thrift.structure(&mut |thrift, field, kind| {
        if (field, kind) != (3, STRUCT) {
            return Ok(false);
        }
        thrift.structure(&mut |thrift, field, _| {
            match field {
                4 => chunk.codec = thrift.integer()?,
                7 => chunk.n_bytes = positive(thrift.integer()?),
                9 => chunk.start = positive(thrift.integer()?),
                11 => dictionary = positive(thrift.integer()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(true)
    })?;
    if dictionary > 0 {
        chunk.start = chunk.start.min(dictionary);
    }
    Ok(chunk)
}
