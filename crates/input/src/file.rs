//! Files and other inputs with random access.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flow::Input;

use super::Meter;

/// A file with the size it had when it was opened. Bytes added later are not read.
struct FileInput {
    file: Arc<File>,
    size: u64,
}

impl Input for FileInput {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let n = buffer.len().min(left);
        let buffer = &mut buffer[..n];
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&*self.file, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, offset);
    }
}

/// An input whose bytes are counted as they are read.
#[derive(Clone)]
pub(super) struct CountedInput {
    input: Arc<dyn Input>,
    meter: Meter,
}

impl CountedInput {
    pub(super) fn new(input: Arc<dyn Input>, meter: &Meter) -> CountedInput {
        CountedInput { input, meter: meter.clone() }
    }

    pub(super) fn of_file(file: Arc<File>, size: u64, meter: &Meter) -> CountedInput {
        CountedInput::new(Arc::new(FileInput { file, size }), meter)
    }

    /// Opens a file that belongs to another one and whose bytes are not counted.
    pub(super) fn uncounted(path: &Path) -> io::Result<CountedInput> {
        let metadata = path.metadata()?;
        // Opening a pipe would wait for a writer.
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        let file = Arc::new(File::open(path)?);
        Ok(CountedInput::of_file(file, metadata.len(), &Meter::default()))
    }

    /// Returns the first bytes, at most `n`. They are not counted, because the games are read from
    /// the same bytes again.
    pub(super) fn head(&self, n: usize) -> io::Result<Vec<u8>> {
        head(&*self.input, n)
    }

    /// Returns a reader of the bytes in order.
    pub(super) fn reader(self) -> FileReader {
        FileReader { size: self.input.size(), input: self, at: 0 }
    }
}

impl Input for CountedInput {
    fn size(&self) -> u64 {
        self.input.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read_at(offset, buffer)?;
        self.meter.add(n as u64);
        Ok(n)
    }

    fn soon(&self, ranges: &mut dyn Iterator<Item = Range<u64>>) {
        self.input.soon(ranges);
    }
}

/// Reads a file in order. Each clone has its own position.
#[derive(Clone)]
pub(super) struct FileReader {
    input: CountedInput,
    /// The number of bytes that are read; those after them are not.
    size: u64,
    at: u64,
}

impl FileReader {
    /// The number of bytes from the start to the end.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Returns a reader of the first bytes alone.
    pub(super) fn first(&self, size: u64) -> FileReader {
        FileReader { input: self.input.clone(), size: size.min(self.size), at: 0 }
    }
}

impl Read for FileReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let n = buffer.len().min(left);
        let n = self.input.read_at(self.at, &mut buffer[..n])?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for FileReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        let before = || io::Error::new(io::ErrorKind::InvalidInput, "before the first byte");
        self.at = place.ok_or_else(before)?;
        Ok(self.at)
    }
}

/// Returns the first bytes of an input, at most `n`.
pub(super) fn head(input: &dyn Input, n: usize) -> io::Result<Vec<u8>> {
    let mut head = vec![0; n.min(usize::try_from(input.size()).unwrap_or(n))];
    let len = input.fill_at(0, &mut head)?;
    head.truncate(len);
    Ok(head)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn opened(text: &[u8]) -> (CountedInput, File) {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(text).expect("written");
        let again = file.try_clone().expect("the same file");
        let input = CountedInput::of_file(Arc::new(file), text.len() as u64, &Meter::default());
        (input, again)
    }

    #[test]
    fn bytes_can_be_read_anywhere() {
        let (input, mut file) = opened(b"0123456789");
        let check = |offset: u64, expected: &[u8]| {
            let mut buffer = [0; 4];
            let n = input.read_at(offset, &mut buffer).expect("read");
            assert_eq!(&buffer[..n], expected, "{offset}");
        };
        check(0, b"0123");
        check(5, b"5678");
        check(8, b"89");
        check(99, b"");
        // Bytes added later are not read.
        file.write_all(b"abcdef").expect("written");
        check(8, b"89");
        check(10, b"");
        assert_eq!(input.head(4).expect("read"), b"0123");
        assert_eq!(input.head(99).expect("read"), b"0123456789");
        file.set_len(3).expect("shorter");
        assert_eq!(input.head(99).expect("read"), b"012");
        assert_eq!(input.meter.read(), 4 + 4 + 2 + 2);
    }

    #[test]
    fn bytes_come_in_order_from_any_place() {
        let (input, _file) = opened(b"0123456789");
        let check = |to: SeekFrom, expected: &[u8]| {
            let mut reader = input.clone().reader();
            let mut rest = Vec::new();
            reader.seek(to).expect("a place");
            reader.read_to_end(&mut rest).expect("read");
            assert_eq!(rest, expected, "{to:?}");
        };
        check(SeekFrom::Start(0), b"0123456789");
        check(SeekFrom::Start(7), b"789");
        check(SeekFrom::End(-2), b"89");
        check(SeekFrom::Current(4), b"456789");
        let mut first = input.clone().reader().first(4);
        let mut rest = Vec::new();
        first.seek(SeekFrom::End(-3)).expect("a place");
        first.read_to_end(&mut rest).expect("read");
        assert_eq!((rest.as_slice(), first.size()), (&b"123"[..], 4));
        assert!(input.clone().reader().seek(SeekFrom::End(-11)).is_err());
    }
}
