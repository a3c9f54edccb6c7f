//! The only way from a query to files.

/// What `readfile` and `writefile` may do; given by the program that runs the query.
pub trait FileAccess: Send {
    /// The contents of a file; of one that has more than `most` bytes, at least one more.
    ///
    /// # Errors
    /// Says why it cannot be read.
    fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String>;

    /// Adds to a file; the first write of a run truncates it.
    ///
    /// # Errors
    /// Says why it cannot be written.
    fn append(&mut self, name: &str, text: &[u8]) -> Result<(), String>;
}

/// Refuses everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl FileAccess for NoFiles {
    fn read(&mut self, _name: &str, _most: u64) -> Result<Vec<u8>, String> {
        Err("files may not be read here".to_owned())
    }

    fn append(&mut self, _name: &str, _text: &[u8]) -> Result<(), String> {
        Err("files may not be written here".to_owned())
    }
}

/// A boxed [`FileAccess`] that refuses everything until another is put in.
pub(crate) struct Files(pub(crate) Box<dyn FileAccess>);

impl Default for Files {
    fn default() -> Files {
        Files(Box::new(NoFiles))
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files")
    }
}
