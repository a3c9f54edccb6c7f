//! Converts text in other encodings to UTF-8, and line ends of CR alone to LF.
//!
//! PGN in UTF-8 and Windows-1252 is read byte by byte, so its bytes are kept. UTF-16, which encodes
//! the same characters in other bytes, and any encoding named by the user are converted while they
//! are read in order. A CR is as long as an LF, so files with such line ends keep random access.

use std::io::{self, Read};
use std::ops::Range;

use encoding_rs::{Decoder, Encoding};
use flow::Input;

use super::content::has_old_line_ends;
use super::error::Error;

/// Encoding of all inputs, as specified by the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding(pub(super) &'static Encoding);

impl TextEncoding {
    /// Returns the encoding with this name, ignoring case. Returns `None` for `auto`, which detects
    /// the encoding from the bytes.
    ///
    /// # Errors
    /// No encoding has this name.
    pub fn from_option(name: &str) -> Result<Option<TextEncoding>, Error> {
        if name.trim().eq_ignore_ascii_case("auto") {
            return Ok(None);
        }
        let found = Encoding::for_label_no_replacement(name.trim().as_bytes());
        let found = found.map(|encoding| Some(TextEncoding(encoding)));
        found.ok_or_else(|| Error::UnknownEncoding(name.to_owned()))
    }
}

/// Number of bytes converted at once.
const BLOCK: usize = 64 << 10;

/// Converts text while it is read. Bytes that are invalid in the encoding become U+FFFD.
pub(super) struct Decoded<R> {
    reader: R,
    decoder: Decoder,
    bytes: Vec<u8>,
    /// Range of the bytes that have not been converted yet.
    left: Range<usize>,
    text: Vec<u8>,
    given: usize,
    is_ended: bool,
}

impl<R: Read> Decoded<R> {
    pub(super) fn new(reader: R, encoding: TextEncoding) -> Decoded<R> {
        Decoded {
            reader,
            decoder: encoding.0.new_decoder_with_bom_removal(),
            bytes: vec![0; BLOCK],
            left: 0..0,
            // At least room for the longest character.
            text: Vec::with_capacity(BLOCK),
            given: 0,
            is_ended: false,
        }
    }

    /// Converts the remaining bytes, or reads more.
    fn advance(&mut self) -> io::Result<()> {
        let mut is_last = false;
        if self.left.is_empty() {
            let n = self.reader.read(&mut self.bytes)?;
            self.left = 0..n;
            is_last = n == 0;
        }
        self.text.resize(BLOCK, 0);
        let bytes = &self.bytes[self.left.clone()];
        let (result, n_read, n_written, _) =
            self.decoder.decode_to_utf8(bytes, &mut self.text, is_last);
        self.text.truncate(n_written);
        self.given = 0;
        self.left.start += n_read;
        self.is_ended = is_last && matches!(result, encoding_rs::CoderResult::InputEmpty);
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.is_ended {
            self.advance()?;
        }
        let n = (self.text.len() - self.given).min(buffer.len());
        buffer[..n].copy_from_slice(&self.text[self.given..self.given + n]);
        self.given += n;
        Ok(n)
    }
}

/// Text whose line ends are converted if they are CR alone.
pub(super) struct LineEnds<T> {
    text: T,
    are_old: bool,
}

impl<T> LineEnds<T> {
    /// Wraps a text with this beginning. Its line ends are only converted if `wanted`.
    pub(super) fn of(text: T, head: &[u8], wanted: bool) -> LineEnds<T> {
        let are_old = wanted && has_old_line_ends(head);
        LineEnds { text, are_old }
    }

    /// Wraps another text that is converted in the same way.
    pub(super) fn with<U>(&self, text: U) -> LineEnds<U> {
        let are_old = self.are_old;
        LineEnds { text, are_old }
    }

    fn mend(&self, bytes: &mut [u8]) {
        if self.are_old {
            let returns = bytes.iter_mut().filter(|byte| **byte == b'\r');
            returns.for_each(|byte| *byte = b'\n');
        }
    }
}

impl<T: Input> Input for LineEnds<T> {
    fn size(&self) -> u64 {
        self.text.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.text.read_at(offset, buffer)?;
        self.mend(&mut buffer[..n]);
        Ok(n)
    }

    fn soon(&self, ranges: &mut dyn Iterator<Item = Range<u64>>) {
        self.text.soon(ranges);
    }
}

impl<T: Read> Read for LineEnds<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.text.read(buffer)?;
        self.mend(&mut buffer[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = 1.min(buffer.len());
            self.0.read(&mut buffer[..n])
        }
    }

    #[test]
    fn text_is_converted_however_it_comes() {
        let check = |name: &str, bytes: &[u8], expected: &str| {
            let encoding = TextEncoding::from_option(name).expect(name).expect(name);
            for text in [
                io::read_to_string(Decoded::new(bytes, encoding)),
                io::read_to_string(Decoded::new(Slow(bytes), encoding)),
            ] {
                assert_eq!(text.expect("UTF-8"), expected, "{name}");
            }
        };
        check("UTF-16LE", b"\xff\xfeM\0\xfc\0\x3d\xd8\x00\xde", "Mü\u{1f600}");
        check("utf-16be", b"\xfe\xff\0M\0\xfc", "Mü");
        check("utf-16le", b"M\0\x3d\xd8", "M\u{fffd}");
        check("windows-1251", b"\xcc\xe8\xf8\xe0", "Миша");
        check("latin1", b"M\xfcller", "Müller");
        let long = "é—x".repeat(100_000);
        let bytes: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let encoding = TextEncoding::from_option("utf-16le").expect("a name").expect("one");
        let text = io::read_to_string(Decoded::new(&*bytes, encoding));
        assert!(text.expect("UTF-8") == long);
    }

    #[test]
    fn encodings_have_names() {
        assert_eq!(TextEncoding::from_option("Auto").expect("no name"), None);
        let error = TextEncoding::from_option("latin-99").expect_err("none").to_string();
        assert!(error.starts_with("unknown encoding 'latin-99': use auto, "), "{error}");
    }

    #[test]
    fn old_line_ends_become_new_ones() {
        let check = |text: &str, wanted: bool, expected: &str| {
            let bytes = text.as_bytes();
            let read = io::read_to_string(LineEnds::of(bytes, bytes, wanted));
            assert_eq!(read.expect("text"), expected, "{text:?}");
            let mut buffer = [0; 3];
            let n = LineEnds::of(bytes, bytes, wanted).read_at(1, &mut buffer);
            let n = n.expect("text");
            assert_eq!(buffer[..n], expected.as_bytes()[1..1 + n], "{text:?}");
        };
        check("a\rb\r\rc", true, "a\nb\n\nc");
        check("a\rb\r\rc", false, "a\rb\r\rc");
        check("a\r\nb\r\n", true, "a\r\nb\r\n");
        check("a\nb\rc", true, "a\nb\rc");
    }
}
