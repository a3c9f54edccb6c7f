//! Dictionaries and their use of memory.

use std::collections::BTreeMap;

use super::slot::{Key, Slot};

/// Number of bytes that an entry takes besides its texts.
const ENTRY_BYTES: usize = 64;

/// The entries of a dictionary, in the order of iteration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    map: BTreeMap<Key, Slot>,
    n_bytes: usize,
}

impl Entries {
    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns the approximate number of bytes that the entries take.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    pub(crate) fn get(&self, key: &Key) -> Option<&Slot> {
        self.map.get(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Key, &Slot)> {
        self.map.iter()
    }

    pub(crate) fn insert(&mut self, key: Key, value: Slot) {
        self.n_bytes += Entries::size(&key, &value);
        let new_key_bytes = key.text_len();
        if let Some(old) = self.map.insert(key, value) {
            self.n_bytes -= ENTRY_BYTES + new_key_bytes + old.text_len();
        }
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(old) = self.map.remove(key) {
            self.n_bytes -= Entries::size(key, &old);
        }
    }

    /// Keeps the entries for which `is_kept` returns `true`.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&Key, &Slot) -> bool) {
        let n_bytes = &mut self.n_bytes;
        self.map.retain(|key, value| {
            let keep = is_kept(key, value);
            *n_bytes -= if keep { 0 } else { Entries::size(key, value) };
            keep
        });
    }

    pub(crate) fn clear(&mut self) {
        self.map.clear();
        self.n_bytes = 0;
    }

    /// Returns the number of bytes that an entry takes.
    pub(crate) fn size(key: &Key, value: &Slot) -> usize {
        ENTRY_BYTES + key.text_len() + value.text_len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_kept_up_to_date() {
        let key = |text: &str| Key::Text(text.into());
        let mut entries = Entries::default();
        entries.insert(key("ab"), Slot::Text(b"cde".to_vec()));
        entries.insert(Key::Number(1), Slot::Number(2));
        assert_eq!((entries.len(), entries.n_bytes()), (2, 2 * ENTRY_BYTES + 5));
        entries.insert(key("ab"), Slot::Text(b"c".to_vec()));
        assert_eq!((entries.len(), entries.n_bytes()), (2, 2 * ENTRY_BYTES + 3));
        entries.remove(&key("ab"));
        entries.remove(&key("x"));
        entries.insert(key("d"), Slot::Number(3));
        entries.retain(|_, value| *value != Slot::Number(3));
        assert_eq!((entries.len(), entries.n_bytes()), (1, ENTRY_BYTES));
        entries.clear();
        assert_eq!((entries.len(), entries.n_bytes()), (0, 0));
    }
}
