//! Access of queries to files.

/// Reads and writes files for `readfile` and `writefile`; provided by the program that runs the
/// query.
pub trait FileAccess: Send {
    /// Returns the contents of a file; for a file with more than `most` bytes, at least the first
    /// `most` + 1 bytes.
    ///
    /// # Errors
    /// Returns the reason that the file cannot be read.
    fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String>;

    /// Appends to a file. The first write of a run truncates it.
    ///
    /// # Errors
    /// Returns the reason that the file cannot be written.
    fn append(&mut self, name: &str, text: &[u8]) -> Result<(), String>;
}

/// Denies all access to files.
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

/// A boxed [`FileAccess`], [`NoFiles`] by default.
pub(crate) struct BoxedFileAccess(pub(crate) Box<dyn FileAccess>);

impl Default for BoxedFileAccess {
    fn default() -> BoxedFileAccess {
        BoxedFileAccess(Box::new(NoFiles))
    }
}

impl std::fmt::Debug for BoxedFileAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BoxedFileAccess")
    }
}
