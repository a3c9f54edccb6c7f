//! Reads and adds up tables separated by commas or tabs, as written for counts and summaries.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use table::field;

/// Table of texts.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct RecordTable {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl RecordTable {
    /// Parses a table; `None` if its rows have different numbers of fields.
    pub(super) fn parse(text: &[u8], separator: u8) -> Option<RecordTable> {
        let mut records = records(text, separator)?.into_iter();
        let names = records.next()?;
        let rows: Vec<Vec<String>> = records.collect();
        let is_even = rows.iter().all(|row| row.len() == names.len());
        is_even.then_some(RecordTable { names, rows })
    }

    pub(super) fn to_text(&self, separator: char) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.names).chain(&self.rows) {
            let fields: Vec<_> = row.iter().map(|cell| field(cell, separator)).collect();
            text += &fields.join(&separator.to_string());
            text.push('\n');
        }
        text
    }

    /// Appends the rows of another table; `None` if its columns differ.
    pub(super) fn plus(mut self, other: RecordTable) -> Option<RecordTable> {
        if self.names != other.names {
            return None;
        }
        self.rows.extend(other.rows);
        Some(self)
    }

    /// Combines the rows of each group, which the first `n_keys` fields identify, and adds up the
    /// other fields. The groups are in ascending order, those without a value last.
    pub(super) fn grouped(self, n_keys: usize) -> Option<RecordTable> {
        let mut groups: BTreeMap<Vec<String>, Vec<i64>> = BTreeMap::new();
        for row in self.rows {
            let (keys, numbers) = row.split_at_checked(n_keys)?;
            let sums = groups.entry(keys.to_vec()).or_insert_with(|| vec![0; numbers.len()]);
            for (sum, text) in sums.iter_mut().zip(numbers) {
                *sum = sum.checked_add(text.parse().ok()?)?;
            }
        }
        // A column is compared as numbers if all its values are numbers.
        let is_number = |key: usize| {
            let mut texts = groups.keys().map(|keys| &keys[key]);
            texts.all(|text| text.is_empty() || text.parse::<i64>().is_ok())
        };
        let are_numbers: Vec<bool> = (0..n_keys).map(is_number).collect();
        let mut groups: Vec<(Vec<String>, Vec<i64>)> = groups.into_iter().collect();
        groups.sort_by(|(a, _), (b, _)| {
            let pairs = a.iter().zip(b).zip(&are_numbers);
            let mut orders = pairs.map(|((a, b), &are_numbers)| compare(a, b, are_numbers));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        let row = |(keys, sums): (Vec<String>, Vec<i64>)| {
            let sums = sums.iter().map(ToString::to_string);
            keys.into_iter().chain(sums).collect()
        };
        Some(RecordTable { names: self.names, rows: groups.into_iter().map(row).collect() })
    }
}

fn compare(a: &str, b: &str, are_numbers: bool) -> Ordering {
    let number = |text: &str| text.parse::<i64>().ok();
    let by_value = if are_numbers { number(a).cmp(&number(b)) } else { a.cmp(b) };
    a.is_empty().cmp(&b.is_empty()).then(by_value)
}

/// Returns the records of a text; `None` if a quote is not closed.
fn records(text: &[u8], separator: u8) -> Option<Vec<Vec<String>>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), Vec::new());
    let take = |cell: &mut Vec<u8>| String::from_utf8_lossy(&std::mem::take(cell)).into_owned();
    let (mut is_quoted, mut bytes) = (false, text.iter().copied().peekable());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if is_quoted && bytes.peek() == Some(&b'"') => {
                bytes.next();
                cell.push(b'"');
            }
            b'"' if is_quoted || cell.is_empty() => is_quoted = !is_quoted,
            b'\n' if !is_quoted => {
                record.push(take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            byte if byte == separator && !is_quoted => record.push(take(&mut cell)),
            byte => cell.push(byte),
        }
    }
    (!is_quoted && cell.is_empty() && record.is_empty()).then_some(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let text = "name,n\n\"a, b\",1\n\"say \"\"x\"\"\",2\n,3\n";
        let table = RecordTable::parse(text.as_bytes(), b',').expect("a table");
        assert_eq!(table.rows[0][0], "a, b");
        assert_eq!(table.rows[1][0], "say \"x\"");
        assert_eq!(table.to_text(','), text);
        for text in ["", "a,b\n1\n", "a\n\"b\n", "a\nb"] {
            assert_eq!(RecordTable::parse(text.as_bytes(), b','), None, "{text}");
        }
    }

    #[test]
    fn groups_are_added_up() {
        let check = |first: &str, second: &str, expected: &str| {
            let read = |text: &str| RecordTable::parse(text.as_bytes(), b',').expect("a table");
            let sum = read(first).plus(read(second)).expect("the same columns");
            let sum = sum.grouped(1).expect("numbers");
            assert_eq!(sum.to_text(','), expected);
        };
        check(
            "year,games\n9,1\n10,2\n,5\n",
            "year,games\n8,4\n10,3\n,1\n",
            "year,games\n8,4\n9,1\n10,5\n,6\n",
        );
        check("eco,games\nA10,1\n9,2\n", "eco,games\nA0,1\n", "eco,games\n9,2\nA0,1\nA10,1\n");
        check("eco,games\n", "eco,games\n", "eco,games\n");
    }
}
