//! Words in lines: where lines break, and what the output buffer has no room for.

/// Words do not reach beyond this column.
const LINE: usize = 80;

/// Breaks lines before words that would reach column 80, within the limit of the buffer.
pub(super) struct TextWriter<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    limit: usize,
    column: usize,
}

impl<'a> TextWriter<'a> {
    /// Writes behind what is there, fewer bytes than `limit`.
    pub(super) fn new(out: &'a mut Vec<u8>, limit: usize) -> TextWriter<'a> {
        TextWriter {
            start: out.len(),
            limit,
            column: 0,
            out,
        }
    }

    fn fits(&self, length: usize) -> bool {
        self.out.len() - self.start + length < self.limit
    }

    /// Where the buffer is full there is no break, and the line goes on.
    pub(super) fn newline(&mut self) {
        if self.fits(0) {
            self.out.push(b'\n');
            self.column = 0;
        }
    }

    /// Writes bytes where the column is, if they fit. Two bytes from 0xC3 on become one of
    /// Latin-1.
    pub(super) fn raw(&mut self, mut bytes: &[u8]) -> bool {
        if !self.fits(bytes.len()) {
            return false;
        }
        let before = self.out.len();
        if bytes.is_ascii() {
            self.out.extend_from_slice(bytes);
            self.column += bytes.len();
            return true;
        }
        while let Some(lead) = memchr::memchr(0xC3, bytes) {
            self.out.extend_from_slice(&bytes[..lead]);
            match bytes.get(lead + 1) {
                Some(&byte) => self.out.push(byte.wrapping_add(64)),
                None => self.out.push(0xC3),
            }
            bytes = bytes.get(lead + 2..).unwrap_or_default();
        }
        self.out.extend_from_slice(bytes);
        self.column += self.out.len() - before;
        true
    }

    /// Writes a word, on the next line if it would be too long for this one; false if it does not
    /// fit into the buffer.
    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        if self.column + word.len() >= LINE {
            self.newline();
        }
        self.raw(word)
    }

    /// As [`TextWriter::word`] for the first bytes of eight, all ASCII: nearly all words are such.
    #[inline]
    pub(super) fn short_word(&mut self, word: [u8; 8], length: usize) {
        if self.column + length >= LINE {
            self.newline();
        }
        if self.fits(length) {
            // Eight bytes at a time take no call.
            let end = self.out.len() + length;
            self.out.extend_from_slice(&word);
            self.out.truncate(end);
            self.column += length;
        }
    }

    pub(super) fn space(&mut self) {
        if !self.fits(1) {
            return;
        }
        if self.column + 1 >= LINE {
            self.newline();
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
    }

    #[inline]
    pub(super) fn char(&mut self, byte: u8) {
        self.short_word([byte, 0, 0, 0, 0, 0, 0, 0], 1);
    }

    /// Writes words with what stands between them, up to the first that does not fit.
    pub(super) fn string(&mut self, text: &[u8]) {
        let mut rest = text;
        let fits = self.column + text.len() < LINE && self.fits(text.len());
        if fits && text.is_ascii() && !text.contains(&b'\n') {
            self.out.extend_from_slice(text);
            self.column += text.len();
            return;
        }
        while let Some(end) = rest.iter().position(|b| matches!(b, b' ' | b'\n')) {
            if !self.word(&rest[..end]) {
                return;
            }
            if rest[end] == b' ' {
                self.space();
            } else {
                self.newline();
            }
            rest = &rest[end + 1..];
        }
        self.word(rest);
    }

    pub(super) fn comment(&mut self, text: &[u8]) {
        self.char(b'{');
        self.string(text);
        self.char(b'}');
        self.space();
    }

    pub(super) fn tag(&mut self, name: &[u8], value: &[u8]) {
        for part in [b"[", name, b" \"", value, b"\"]"] {
            self.raw(part);
        }
        self.newline();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what a sequence of writes gives.
    #[track_caller]
    fn check_text(write: impl FnOnce(&mut TextWriter<'_>), want: &[u8]) {
        check_within(1000, write, want);
    }

    /// Checks what a sequence of writes gives with room for fewer bytes than `limit`.
    #[track_caller]
    fn check_within(limit: usize, write: impl FnOnce(&mut TextWriter<'_>), want: &[u8]) {
        let mut out = Vec::new();
        write(&mut TextWriter::new(&mut out, limit));
        let shown = (String::from_utf8_lossy(&out), String::from_utf8_lossy(want));
        assert_eq!(out, want, "{shown:?}");
    }

    #[test]
    fn lines_break() {
        let x = |length: usize| vec![b'x'; length];
        let join = |parts: &[&[u8]]| parts.concat();
        // A word may reach column 79, a blank column 79.
        check_text(
            |out| out.string(&join(&[&x(39), b" ", &x(39)])),
            &join(&[&x(39), b" ", &x(39)]),
        );
        check_text(
            |out| out.string(&join(&[&x(39), b" ", &x(40)])),
            &join(&[&x(39), b" \n", &x(40)]),
        );
        check_text(
            |out| out.string(&join(&[&x(79), b" ", b"y"])),
            &join(&[&x(79), b"\ny"]),
        );
        check_text(
            |out| out.string(&join(&[&x(78), b" ", b"y"])),
            &join(&[&x(78), b" \ny"]),
        );
        // Longer words always stand behind a line break.
        check_text(|out| out.string(&x(80)), &join(&[b"\n", &x(80)]));
        check_text(
            |out| out.string(&join(&[b"a ", &x(80), b" b"])),
            &join(&[b"a \n", &x(80), b"\nb"]),
        );
        // Newlines count, blanks are kept, the closing brace of the first comment is not tested.
        check_text(|out| out.string(b"a\n b  c\n"), b"a\n b  c\n");
        check_text(
            |out| {
                out.string(&x(79));
                out.raw(b"}");
                out.char(b'c');
            },
            &join(&[&x(79), b"}\nc"]),
        );
    }

    #[test]
    fn latin_1() {
        check_text(
            |out| out.string("\u{e9}t\u{e9} \u{2656}".as_bytes()),
            b"\xE9t\xE9 \xE2\x99\x96",
        );
        check_text(|out| out.string(b"a\xC3 b"), b"a\xC3 b");
        check_text(|out| out.tag(b"A", b"\xC3\xA9\xE9"), b"[A \"\xE9\xE9\"]\n");
        // One column, but two bytes when it is asked whether the word fits.
        let word = "\u{e9}".repeat(39);
        let text = [word.as_bytes(), b" ", &[b'x'; 39]].concat();
        check_text(
            |out| out.string(&text),
            &[&[0xE9; 39][..], b" ", &[b'x'; 39]].concat(),
        );
        let text = [&[b'x'; 10][..], b" ", "\u{e9}".repeat(35).as_bytes()].concat();
        check_text(
            |out| out.string(&text),
            &[&[b'x'; 10][..], b" \n", &[0xE9; 35]].concat(),
        );
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let x = |length: usize| vec![b'x'; length];
        // A text ends with its first word that does not fit, what follows it is tried again.
        check_within(10, |out| out.comment(b"abc defghijkl m"), b"{abc } ");
        check_within(
            10,
            |out| {
                out.string(b"abcdefghijkl");
                out.string(b"mn op qr st");
            },
            b"mn op qr ",
        );
        // The break before a word stays where the word does not, …
        check_within(
            80,
            |out| {
                out.string(&x(71));
                out.word(&x(20));
                out.word(b"y");
            },
            &[&x(71)[..], b"\ny"].concat(),
        );
        // … but a blank that does not fit is no break either.
        check_within(
            81,
            |out| {
                out.word(&x(79));
                out.space();
                out.space();
            },
            &[&x(79)[..], b"\n"].concat(),
        );
        check_within(
            4,
            |out| {
                out.string(b"abc\n\n");
                assert_eq!(out.column, 0, "behind the break that fits");
                out.raw(b"");
                out.column = 7;
                out.newline();
                assert_eq!(out.column, 7, "behind the one that does not");
            },
            b"abc\n",
        );
    }
}
