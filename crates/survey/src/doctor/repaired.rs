//! Writes the repaired games.

use std::io::Write;

use super::DoctorError;
use super::visit::Window;

/// The new text: that of the old files in order, except for the parts that are replaced.
pub(super) struct Repaired<'o> {
    out: &'o mut dyn Write,
    /// Offset in the old file of the first byte that is not yet in the new one.
    copied: u64,
    /// Whether the text written last needs white space before the next result or tag.
    needs_space: bool,
    is_empty: bool,
}

impl<'o> Repaired<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Repaired<'o> {
        Repaired { out, copied: 0, needs_space: false, is_empty: true }
    }

    /// Begins the text of another input file.
    pub(super) fn begin(&mut self) -> Result<(), DoctorError> {
        self.copied = 0;
        if self.is_empty { Ok(()) } else { self.write(b"\n\n") }
    }

    /// Copies the text before an offset that is not yet in the new file.
    pub(super) fn copy_to(&mut self, window: &Window, end: u64) -> Result<(), DoctorError> {
        if self.copied == 0 && !self.is_empty && window.get(0, 3) == b"\xef\xbb\xbf" {
            // A byte order mark has a meaning only at the start of a file.
            self.copied = 3;
        }
        if self.copied < end {
            let bytes = window.get(self.copied, end);
            self.copied = end;
            self.write(bytes)?;
        }
        Ok(())
    }

    /// Writes a text in place of the old one up to `end`.
    pub(super) fn replace(&mut self, text: &[u8], end: u64) -> Result<(), DoctorError> {
        self.write(text)?;
        self.needs_space = !text.ends_with(b"\n");
        self.copied = end;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DoctorError> {
        let Some(first) = bytes.first() else {
            return Ok(());
        };
        let separator: &[u8] =
            if self.needs_space && !first.is_ascii_whitespace() { b"\n" } else { b"" };
        self.needs_space = false;
        self.is_empty = false;
        let written = self.out.write_all(separator).and_then(|()| self.out.write_all(bytes));
        written.map_err(DoctorError::Unwritable)
    }
}
