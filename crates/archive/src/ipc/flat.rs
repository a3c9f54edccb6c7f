//! Reads and writes the few flatbuffers of an Arrow file: tables of numbers, texts, tables and
//! vectors.
//!
//! A table is written as a list of values, one for each field of its definition. Bytes being read
//! may be damaged: every offset is checked, and a value that cannot be reached counts as missing.

/// Value of a field.
pub(super) enum Value<'a> {
    /// The default, which is not stored.
    Nothing,
    Bool(bool),
    /// Tag of the union member that follows.
    Byte(u8),
    Short(i16),
    Int(i32),
    Long(i64),
    Text(&'a str),
    Table(Vec<Value<'a>>),
    Tables(Vec<Vec<Value<'a>>>),
    /// Structures, each of this number of 64-bit integers.
    Structures(usize, Vec<i64>),
}

impl Value<'_> {
    /// Number of bytes in the table itself.
    fn size(&self) -> usize {
        match self {
            Value::Nothing => 0,
            Value::Bool(_) | Value::Byte(_) => 1,
            Value::Short(_) => 2,
            Value::Long(_) => 8,
            Value::Int(_)
            | Value::Text(_)
            | Value::Table(_)
            | Value::Tables(_)
            | Value::Structures(..) => 4,
        }
    }
}

/// Returns a buffer whose root is a table of these values. Its length is a multiple of 8.
pub(super) fn write(root: &[Value<'_>]) -> Vec<u8> {
    let mut writer = FlatWriter { bytes: vec![0; 4] };
    let table = writer.table(root);
    writer.point(0, table);
    writer.align(8, 0);
    writer.bytes
}

/// Writes each pointer before its target, since all pointers lead forward.
struct FlatWriter {
    bytes: Vec<u8>,
}

impl FlatWriter {
    /// Appends zeros until the length is `more` bytes above a multiple of `to`.
    fn align(&mut self, to: usize, more: usize) {
        while self.bytes.len() % to != more {
            self.bytes.push(0);
        }
    }

    fn length(&mut self, n: usize) {
        self.bytes.extend_from_slice(&(n as u32).to_le_bytes());
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Writes at `from` a pointer to `to`, a later offset.
    fn point(&mut self, from: usize, to: usize) {
        self.put(from, &((to - from) as u32).to_le_bytes());
    }

    /// Writes a table and everything it contains. Returns the offset of the table.
    fn table(&mut self, values: &[Value<'_>]) -> usize {
        // Larger values come first, after the four bytes of the table's own header, so that all are
        // aligned.
        let mut places = vec![0_usize; values.len()];
        let mut size = 4;
        for width in [8, 4, 2, 1] {
            let such = values.iter().zip(&mut places);
            for (_, place) in such.filter(|(value, _)| value.size() == width) {
                *place = size;
                size += width;
            }
        }
        let index_size = 4 + 2 * values.len();
        self.align(2, 0);
        while (self.bytes.len() + index_size) % 8 != 4 {
            self.bytes.extend([0, 0]);
        }
        for number in [index_size, size].iter().chain(&places) {
            self.bytes.extend((*number as u16).to_le_bytes());
        }
        let table = self.bytes.len();
        self.length(index_size);
        self.bytes.resize(table + size, 0);
        for (value, place) in values.iter().zip(places) {
            self.value(value, table + place);
        }
        table
    }

    /// Writes the value of a field at an offset.
    fn value(&mut self, value: &Value<'_>, at: usize) {
        match value {
            Value::Nothing => {}
            Value::Bool(truth) => self.put(at, &[u8::from(*truth)]),
            Value::Byte(byte) => self.put(at, &[*byte]),
            Value::Short(number) => self.put(at, &number.to_le_bytes()),
            Value::Int(number) => self.put(at, &number.to_le_bytes()),
            Value::Long(number) => self.put(at, &number.to_le_bytes()),
            Value::Text(text) => {
                self.align(4, 0);
                self.point(at, self.bytes.len());
                self.length(text.len());
                self.bytes.extend_from_slice(text.as_bytes());
                self.bytes.push(0);
            }
            Value::Table(values) => {
                let table = self.table(values);
                self.point(at, table);
            }
            Value::Tables(tables) => {
                self.align(4, 0);
                self.point(at, self.bytes.len());
                self.length(tables.len());
                let first = self.bytes.len();
                self.bytes.resize(first + 4 * tables.len(), 0);
                for (i, values) in tables.iter().enumerate() {
                    let table = self.table(values);
                    self.point(first + 4 * i, table);
                }
            }
            Value::Structures(width, numbers) => {
                self.align(8, 4);
                self.point(at, self.bytes.len());
                self.length(numbers.len() / width);
                for number in numbers {
                    self.bytes.extend(number.to_le_bytes());
                }
            }
        }
    }
}

/// A table in bytes that may be damaged.
#[derive(Clone, Copy)]
pub(super) struct FlatTable<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset and size in bytes of the table that locates the fields.
    index: usize,
    index_size: usize,
}

impl<'a> FlatTable<'a> {
    /// Returns the root table of a buffer.
    pub(super) fn root(bytes: &'a [u8]) -> Option<FlatTable<'a>> {
        FlatTable::pointed_to(bytes, 0)
    }

    fn pointed_to(bytes: &'a [u8], from: usize) -> Option<FlatTable<'a>> {
        let at = target(bytes, from)?;
        let back = i64::from(i32::from_le_bytes(take(bytes, at)?));
        let index = usize::try_from(i64::try_from(at).ok()? - back).ok()?;
        let index_size = usize::from(u16::from_le_bytes(take(bytes, index)?));
        Some(FlatTable { bytes, at, index, index_size })
    }

    /// Returns the offset of a field, if it is present.
    fn field(self, number: usize) -> Option<usize> {
        let slot = 4 + 2 * number;
        if slot + 2 > self.index_size {
            return None;
        }
        match u16::from_le_bytes(take(self.bytes, self.index.checked_add(slot)?)?) {
            0 => None,
            place => self.at.checked_add(place.into()),
        }
    }

    pub(super) fn byte(self, field: usize) -> Option<u8> {
        let [byte] = take(self.bytes, self.field(field)?)?;
        Some(byte)
    }

    pub(super) fn int(self, field: usize) -> Option<i32> {
        take(self.bytes, self.field(field)?).map(i32::from_le_bytes)
    }

    pub(super) fn long(self, field: usize) -> Option<i64> {
        take(self.bytes, self.field(field)?).map(i64::from_le_bytes)
    }

    pub(super) fn text(self, field: usize) -> Option<&'a str> {
        let (start, length) = self.vector(field)?;
        let bytes = self.bytes.get(start..start.checked_add(length)?)?;
        str::from_utf8(bytes).ok()
    }

    pub(super) fn table(self, field: usize) -> Option<FlatTable<'a>> {
        FlatTable::pointed_to(self.bytes, self.field(field)?)
    }

    /// Returns all tables of a vector, or `None` if one of them is damaged.
    pub(super) fn tables(self, field: usize) -> Option<Vec<FlatTable<'a>>> {
        let (start, length) = self.vector(field)?;
        let end = start.checked_add(length.checked_mul(4)?)?;
        self.bytes.get(start..end)?;
        let places = (start..end).step_by(4);
        places.map(|at| FlatTable::pointed_to(self.bytes, at)).collect()
    }

    /// Returns a vector of structures of `N` 64-bit integers.
    pub(super) fn structures<const N: usize>(self, field: usize) -> Option<Vec<[i64; N]>> {
        let (start, length) = self.vector(field)?;
        let end = start.checked_add(length.checked_mul(8 * N)?)?;
        let (numbers, _) = self.bytes.get(start..end)?.as_chunks();
        let numbers: Vec<i64> = numbers.iter().map(|n| i64::from_le_bytes(*n)).collect();
        Some(numbers.as_chunks().0.to_vec())
    }

    /// Returns the offset of a vector's elements and their number.
    fn vector(self, field: usize) -> Option<(usize, usize)> {
        let at = target(self.bytes, self.field(field)?)?;
        let length = u32::from_le_bytes(take(self.bytes, at)?);
        Some((at + 4, length as usize))
    }
}

/// Returns the offset that the pointer at `from` leads to.
fn target(bytes: &[u8], from: usize) -> Option<usize> {
    let by = u32::from_le_bytes(take(bytes, from)?);
    from.checked_add(by as usize)
}

fn take<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn example() -> Vec<u8> {
        write(&[
            Value::Short(4),
            Value::Text("naïve"),
            Value::Nothing,
            Value::Long(-7),
            Value::Bool(true),
            Value::Tables(vec![
                vec![Value::Int(16), Value::Byte(3)],
                vec![Value::Nothing, Value::Table(vec![Value::Text("")])],
                Vec::new(),
            ]),
            Value::Structures(2, vec![1, 2, 3, 4]),
        ])
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = example();
        assert_eq!(bytes.len() % 8, 0);
        let root = FlatTable::root(&bytes).expect("a table");
        assert_eq!(root.text(1), Some("naïve"));
        assert_eq!(root.long(2), None);
        assert_eq!(root.long(3), Some(-7));
        assert_eq!(root.byte(4), Some(1));
        assert_eq!(root.structures(6), Some(vec![[1, 2], [3, 4]]));
        assert_eq!(root.long(7), None);
        let [first, second, third] = root.tables(5).expect("tables")[..] else {
            panic!("three tables");
        };
        assert_eq!((first.int(0), first.byte(1)), (Some(16), Some(3)));
        let inner = second.table(1).expect("a table");
        assert_eq!((second.int(0), inner.text(0)), (None, Some("")));
        assert_eq!(third.int(0), None);
        // Other readers require aligned numbers.
        let place = |table: FlatTable<'_>, field| table.field(field).expect("a field");
        assert_eq!(place(root, 3) % 8, 0);
        assert_eq!(place(first, 0) % 4, 0);
    }

    /// Reads every field that may exist.
    fn read_all(table: FlatTable<'_>, depth: usize) {
        for field in 0..9 {
            let _ = (table.byte(field), table.int(field), table.long(field));
            let _ = (table.text(field), table.structures::<3>(field));
            if depth > 0 {
                let tables = table.tables(field).unwrap_or_default();
                for table in table.table(field).into_iter().chain(tables.into_iter().take(9)) {
                    read_all(table, depth - 1);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn damage_does_no_harm(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..9), cut: usize) {
            let mut bytes = example();
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            bytes.truncate(cut % (bytes.len() + 1));
            if let Some(root) = FlatTable::root(&bytes) {
                read_all(root, 2);
            }
        }
    }
}
