//! The colors of a text, and how they differ from those that the client knows.
//!
//! Those of a megabyte are a million numbers. A key changes a few of them.

use serde_json::{Value, json};

/// How many numbers a word has.
const WIDTH: usize = 5;

/// What a client has been told.
#[derive(Debug, Default)]
pub(super) struct Colors {
    /// The name of these colors.
    id: u64,
    numbers: Vec<u32>,
}

impl Colors {
    /// Tells them all.
    pub(super) fn tell(&mut self, numbers: Vec<u32>) -> Value {
        self.id += 1;
        let all = json!({ "resultId": self.id.to_string(), "data": numbers });
        self.numbers = numbers;
        all
    }

    /// Tells what is different, to a client that knows those of a name.
    pub(super) fn tell_difference(&mut self, known: &Value, numbers: Vec<u32>) -> Value {
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
        let edits = match (n_deleted, new) {
            (0, []) => json!([]),
            _ => json!([{ "start": start, "deleteCount": n_deleted, "data": new }]),
        };
        self.id += 1;
        self.numbers = numbers;
        json!({ "resultId": self.id.to_string(), "edits": edits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_told_what_it_does_not_know() {
        let word = |n: u32| [n, 0, 1, 0, 0];
        let numbers = |words: &[u32]| words.iter().flat_map(|&n| word(n)).collect::<Vec<u32>>();
        let mut colors = Colors::default();
        let all = colors.tell(numbers(&[1, 2, 3]));
        assert_eq!(all, json!({ "resultId": "1", "data": numbers(&[1, 2, 3]) }));
        let mut check = |new: &[u32], start: usize, n_deleted: usize, data: &[u32]| {
            let known = colors.id.to_string();
            let found = colors.tell_difference(&json!(known), numbers(new));
            let edit = json!({ "start": start, "deleteCount": n_deleted, "data": numbers(data) });
            assert_eq!(found["edits"], json!([edit]), "{new:?}");
        };
        check(&[1, 7, 3], 5, 5, &[7]);
        check(&[1, 7, 7, 3], 10, 0, &[7]);
        check(&[1, 3], 5, 10, &[]);
        check(&[], 0, 10, &[]);
        check(&[4, 5], 0, 0, &[4, 5]);
        let none = colors.tell_difference(&json!("6"), numbers(&[4, 5]));
        assert_eq!(none, json!({ "resultId": "7", "edits": [] }));
        // Whoever knows something else is told everything.
        for other in [json!("6"), Value::Null] {
            let found = colors.tell_difference(&other, numbers(&[4]));
            assert_eq!(found["data"], json!(numbers(&[4])));
        }
    }
}
