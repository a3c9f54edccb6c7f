//! What `readfile` and `writefile` do.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;

use engine::FileAccess;

/// The files of the current directory, and wherever else a query says.
#[derive(Default)]
pub(crate) struct Files {
    /// Files that have been written to in this run.
    open: HashMap<String, File>,
}

impl FileAccess for Files {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        fs::read(name).map_err(|error| format!("cannot read {name}: {error}"))
    }

    fn append(&mut self, name: &str, text: &[u8]) -> Result<(), String> {
        let failed = |error| format!("cannot write {name}: {error}");
        if !self.open.contains_key(name) {
            let file = File::create(name).map_err(failed)?;
            self.open.insert(name.to_owned(), file);
        }
        match self.open.get_mut(name) {
            // Not buffered: the query may read what it wrote.
            Some(file) => file.write_all(text).map_err(failed),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_write_of_a_run_truncates() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("out.cqo");
        let name = path.to_str().expect("a name");
        fs::write(&path, "old").expect("written");
        let mut files = Files::default();
        assert_eq!(files.read(name).as_deref(), Ok(&b"old"[..]));
        files.append(name, b"one ").expect("written");
        files.append(name, b"two").expect("written");
        assert_eq!(files.read(name).as_deref(), Ok(&b"one two"[..]));
        Files::default().append(name, b"three").expect("written");
        assert_eq!(fs::read(&path).expect("read"), b"three");
    }

    #[test]
    fn failures_name_the_file() {
        let mut files = Files::default();
        assert!(
            files
                .read("no/such.cql")
                .unwrap_err()
                .contains("no/such.cql")
        );
        assert!(
            files
                .append("no/such.cqo", b"")
                .unwrap_err()
                .contains("no/such.cqo")
        );
    }
}
