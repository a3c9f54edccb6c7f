//! The colors of a text, and their differences from the colors that the client knows.
//!
//! The colors of a megabyte are a million numbers, and a key changes only a few of them.

use serde_json::Value;

/// Number of numbers for each token.
const WIDTH: usize = 5;

/// The colors sent to a client last.
#[derive(Debug, Default)]
pub(super) struct Colors {
    /// Identifier of these colors (`resultId`).
    id: u64,
    numbers: Vec<u32>,
}

impl Colors {
    /// Returns all colors in JSON, and remembers them.
    pub(super) fn tell(&mut self, numbers: Vec<u32>) -> String {
        self.id += 1;
        self.numbers = numbers;
        let data = list(&self.numbers);
        format!(r#"{{"resultId":"{}","data":{data}}}"#, self.id)
    }

    /// Returns the differences from the colors with the identifier `known`, or all colors if those
    /// are not the last ones sent.
    pub(super) fn tell_difference(&mut self, known: &Value, numbers: Vec<u32>) -> String {
        if known.as_str() != Some(self.id.to_string().as_str()) {
            return self.tell(numbers);
        }
        let n_same = |pairs: &mut dyn Iterator<Item = (&u32, &u32)>| {
            let n = pairs.take_while(|(old, new)| old == new).count();
            n - n % WIDTH
        };
        let old = &self.numbers;
        let start = n_same(&mut old.iter().zip(&numbers));
        let (old_rest, new_rest) = (&old[start..], &numbers[start..]);
        let end = n_same(&mut old_rest.iter().rev().zip(new_rest.iter().rev()));
        let n_deleted = old_rest.len() - end;
        let new = &new_rest[..new_rest.len() - end];
        let edit = match (n_deleted, new) {
            (0, []) => String::new(),
            _ => {
                let data = list(new);
                format!(r#"{{"start":{start},"deleteCount":{n_deleted},"data":{data}}}"#)
            }
        };
        self.id += 1;
        self.numbers = numbers;
        format!(r#"{{"resultId":"{}","edits":[{edit}]}}"#, self.id)
    }
}

/// Formats numbers as JSON. There may be a million of them, most with one or two digits.
fn list(numbers: &[u32]) -> String {
    let mut text = String::with_capacity(2 + 3 * numbers.len());
    text.push('[');
    for (index, &number) in numbers.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        match number {
            0..10 => text.push(char::from(b'0' + number as u8)),
            10..100 => {
                text.push(char::from(b'0' + (number / 10) as u8));
                text.push(char::from(b'0' + (number % 10) as u8));
            }
            _ => text += &number.to_string(),
        }
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Parses an answer.
    fn said(text: &str) -> Value {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn numbers_are_json() {
        let numbers = [0, 9, 10, 99, 100, u32::MAX];
        assert_eq!(said(&list(&numbers)), json!(numbers));
        assert_eq!(list(&[]), "[]");
    }

    #[test]
    fn a_client_is_told_what_it_does_not_know() {
        let word = |n: u32| [n, 0, 1, 0, 0];
        let numbers = |words: &[u32]| words.iter().flat_map(|&n| word(n)).collect::<Vec<u32>>();
        let mut colors = Colors::default();
        let all = said(&colors.tell(numbers(&[1, 2, 3])));
        assert_eq!(all, json!({ "resultId": "1", "data": numbers(&[1, 2, 3]) }));
        let mut check = |new: &[u32], start: usize, n_deleted: usize, data: &[u32]| {
            let known = colors.id.to_string();
            let found = said(&colors.tell_difference(&json!(known), numbers(new)));
            let edit = json!({ "start": start, "deleteCount": n_deleted, "data": numbers(data) });
            assert_eq!(found["edits"], json!([edit]), "{new:?}");
        };
        check(&[1, 7, 3], 5, 5, &[7]);
        check(&[1, 7, 7, 3], 10, 0, &[7]);
        check(&[1, 3], 5, 10, &[]);
        check(&[], 0, 10, &[]);
        check(&[4, 5], 0, 0, &[4, 5]);
        let none = said(&colors.tell_difference(&json!("6"), numbers(&[4, 5])));
        assert_eq!(none, json!({ "resultId": "7", "edits": [] }));
        // A client that knows other colors gets all of them.
        for other in [json!("6"), Value::Null] {
            let found = said(&colors.tell_difference(&other, numbers(&[4])));
            assert_eq!(found["data"], json!(numbers(&[4])));
        }
    }
}
