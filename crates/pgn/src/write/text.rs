//! Breaks words into lines within the limit of the output buffer.

use board::San;
use memchr::memrchr2;

use super::LINE_WIDTH;

/// Breaks lines before words that would exceed the width, within the limit of the buffer.
pub(super) struct TextWriter<'a> {
    out: &'a mut Vec<u8>,
    /// Length of `out` that the text must stay below.
    limit: usize,
    /// First column that no text reaches.
    line: usize,
    column: usize,
    /// Whether letters beyond ASCII keep their bytes.
    keeps_letters: bool,
}

/// Up to eight ASCII letters, padded with zeros.
#[derive(Clone, Copy, Default)]
pub(super) struct ShortWord {
    bytes: [u8; 8],
    len: usize,
}

impl ShortWord {
    /// Returns the number of a move by White.
    #[inline]
    pub(super) fn move_number(number: u16) -> ShortWord {
        match MOVE_NUMBERS.get(usize::from(number)) {
            Some(word) => *word,
            None => ShortWord::number(number, 1),
        }
    }

    /// Returns a number of at most five digits with dots after it.
    #[inline]
    pub(super) const fn number(number: u16, n_dots: usize) -> ShortWord {
        let (mut word, mut len, mut rest) = (0x2E_2E2E, n_dots, number as u64);
        word &= (1 << (8 * n_dots)) - 1;
        loop {
            word = (word << 8) | (b'0' as u64 + rest % 10);
            len += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        ShortWord { bytes: word.to_le_bytes(), len }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The numbers of the moves of nearly all games.
static MOVE_NUMBERS: [ShortWord; 128] = {
    let mut words = [ShortWord::number(0, 1); 128];
    let mut number = 1;
    while number < words.len() {
        words[number] = ShortWord::number(number as u16, 1);
        number += 1;
    }
    words
};

impl From<San> for ShortWord {
    #[inline]
    fn from(san: San) -> ShortWord {
        ShortWord { bytes: san.padded(), len: san.as_bytes().len() }
    }
}

/// Two short words and a blank, combined in registers.
pub(super) struct Phrase {
    letters: u128,
    len: usize,
}

impl Phrase {
    /// Joins two words and a blank. The second word has at most seven letters.
    #[inline]
    pub(super) fn new(first: ShortWord, second: ShortWord) -> Phrase {
        let letters = |word: ShortWord| u64::from_le_bytes(word.bytes);
        let behind = letters(second) | u64::from(b' ') << ((8 * second.len) & 63);
        Phrase {
            letters: u128::from(letters(first)) | u128::from(behind) << ((8 * first.len) & 127),
            len: first.len + second.len + 1,
        }
    }

    /// Makes a comment and the blank after it, if that is short and remains in one line.
    pub(super) fn of_comment(text: &[u8]) -> Option<Phrase> {
        let (mut letters, end) = ([b'{'; 16], text.len() + 1);
        letters.get_mut(1..end)?.copy_from_slice(text);
        letters.get_mut(end..end + 2)?.copy_from_slice(b"} ");
        is_one_line(text).then(|| Phrase { letters: u128::from_le_bytes(letters), len: end + 2 })
    }

    /// Removes the phrase from the start of a text. `None` if the text does not begin with it.
    pub(super) fn strip_from<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        match text.first_chunk() {
            // Sixteen bytes are compared at once; the shift removes those after the letters.
            Some(&bytes) => {
                let differences = u128::from_le_bytes(bytes) ^ self.letters;
                let is_same = differences << ((128 - 8 * self.len) & 127) == 0;
                is_same.then(|| &text[self.len..])
            }
            None => text.strip_prefix(&self.letters.to_le_bytes()[..self.len]),
        }
    }
}

impl<'a> TextWriter<'a> {
    /// Creates a writer that appends fewer bytes than `limit`.
    pub(super) fn new(out: &'a mut Vec<u8>, limit: usize, width: usize) -> TextWriter<'a> {
        TextWriter {
            limit: out.len().saturating_add(limit),
            line: width.saturating_add(1),
            column: 0,
            keeps_letters: false,
            out,
        }
    }

    /// Sets whether letters beyond ASCII keep their bytes.
    pub(super) fn keeping_letters(mut self, keeps_letters: bool) -> TextWriter<'a> {
        self.keeps_letters = keeps_letters;
        self
    }

    fn fits(&self, length: usize) -> bool {
        self.out.len() + length < self.limit
    }

    /// Breaks the line. If the buffer is full, the line continues.
    pub(super) fn newline(&mut self) {
        if self.fits(0) {
            self.out.push(b'\n');
            self.column = 0;
        }
    }

    /// Writes bytes at the current column, if they fit. A byte 0xC3 and the one after it become one
    /// of Latin-1, unless letters keep their bytes.
    pub(super) fn raw(&mut self, mut bytes: &[u8]) -> bool {
        if !self.fits(bytes.len()) {
            return false;
        }
        let before = self.out.len();
        if self.keeps_letters || bytes.is_ascii() {
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

    /// Writes a word, on the next line if it would be too long for this one. Returns `false` if it
    /// does not fit into the buffer.
    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        // In lines of the usual width the reference leaves an empty line before a word that is longer.
        // Other programs would end a game at such a line before a move.
        let may_break = self.column > 0 || self.line == LINE_WIDTH + 1;
        if may_break && self.column + word.len() >= self.line {
            self.newline();
        }
        self.raw(word)
    }

    /// Writes the words of a phrase at once if neither the line nor the buffer ends within it.
    /// Otherwise writes nothing and returns `false`.
    #[inline]
    pub(super) fn at_once(&mut self, phrase: &Phrase) -> bool {
        let fits = self.column + phrase.len < self.line && self.fits(phrase.len);
        if fits {
            // Appending a constant number of bytes takes no call.
            let end = self.out.len() + phrase.len;
            self.out.extend_from_slice(&phrase.letters.to_le_bytes());
            self.out.truncate(end);
            self.column += phrase.len;
        }
        fits
    }

    /// Writes phrases as [`TextWriter::at_once`] does, and splits phrases that do not fit into a
    /// line: the line then ends with a blank or a number. Writes nothing and returns `false` if
    /// lines are short or the buffer may end.
    pub(super) fn phrases(&mut self, mut phrases: &[u8]) -> bool {
        // Two words of a phrase take at most thirteen columns.
        const SHORT: usize = 48;
        if self.line < SHORT || !self.fits(phrases.len() + phrases.len() / (SHORT / 2) + 2) {
            return false;
        }
        loop {
            // A blank may be in the last column but one.
            let room = self.line.saturating_sub(self.column + 1);
            if phrases.len() <= room {
                self.out.extend_from_slice(phrases);
                self.column += phrases.len();
                return true;
            }
            let (end, next) = match phrases[room] {
                b' ' => (room, room + 1),
                _ => match memrchr2(b' ', b'.', &phrases[..room]) {
                    Some(last) => (last + 1, last + 1),
                    // No move is that long.
                    None if self.column == 0 => (phrases.len(), phrases.len()),
                    None => (0, 0),
                },
            };
            self.out.extend_from_slice(&phrases[..end]);
            self.out.push(b'\n');
            self.column = 0;
            phrases = &phrases[next..];
        }
    }

    pub(super) fn space(&mut self) {
        if !self.fits(1) {
            return;
        }
        if self.column + 1 >= self.line {
            self.newline();
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
    }

    pub(super) fn char(&mut self, byte: u8) {
        self.word(&[byte]);
    }

    /// Writes words with the text between them, up to the first word that does not fit.
    pub(super) fn string(&mut self, text: &[u8]) {
        let mut rest = text;
        let fits = self.column + text.len() < self.line && self.fits(text.len());
        if fits && is_one_line(text) {
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
        let length = text.len() + 3;
        if self.column + length < self.line && self.fits(length) && is_one_line(text) {
            self.out.push(b'{');
            self.out.extend_from_slice(text);
            self.out.extend_from_slice(b"} ");
            self.column += length;
            return;
        }
        self.char(b'{');
        self.string(text);
        self.char(b'}');
        self.space();
    }

    pub(super) fn tag(&mut self, name: &[u8], value: &[u8]) {
        if self.fits(name.len() + value.len() + 5) && name.is_ascii() && value.is_ascii() {
            self.out.push(b'[');
            self.out.extend_from_slice(name);
            self.out.extend_from_slice(b" \"");
            self.out.extend_from_slice(value);
            self.out.extend_from_slice(b"\"]\n");
            self.column = 0;
            return;
        }
        for part in [b"[", name, b" \"", value, b"\"]"] {
            self.raw(part);
        }
        self.newline();
    }
}

/// Whether a text is written unchanged if there is room for it in a line.
fn is_one_line(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte.is_ascii() && byte != b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: usize = 80;

    /// Checks the output of a sequence of writes.
    #[track_caller]
    fn check_text(write: impl FnOnce(&mut TextWriter<'_>), want: &[u8]) {
        check_within(1000, write, want);
    }

    /// Checks the output of a sequence of writes with room for fewer bytes than `limit`.
    #[track_caller]
    fn check_within(limit: usize, write: impl FnOnce(&mut TextWriter<'_>), want: &[u8]) {
        let mut out = Vec::new();
        write(&mut TextWriter::new(&mut out, limit, LINE - 1));
        let shown = (String::from_utf8_lossy(&out), String::from_utf8_lossy(want));
        assert_eq!(out, want, "{shown:?}");
    }

    #[test]
    fn short_words() {
        for (number, n_dots, want) in
            [(0, 1, "0."), (7, 0, "7"), (10, 3, "10..."), (120, 1, "120."), (65_535, 3, "65535...")]
        {
            let word = ShortWord::number(number, n_dots);
            assert_eq!(word.as_bytes(), want.as_bytes());
        }
        for number in [0, 1, 9, 10, 127, 128, 65_535] {
            let word = ShortWord::move_number(number);
            assert_eq!(word.as_bytes(), format!("{number}.").as_bytes());
        }
    }

    /// Phrases written at once equal those written word by word, wherever lines and buffer end.
    #[test]
    fn at_once_or_not_at_all() {
        let words = [ShortWord::number(65_535, 3), ShortWord::number(1234, 0)];
        for before in 0..=80 {
            for limit in 0..100 {
                let (mut whole, mut parts) = (Vec::new(), Vec::new());
                let mut out = TextWriter::new(&mut whole, limit, LINE - 1);
                out.raw(&vec![b'x'; before]);
                let is_written = out.at_once(&Phrase::new(words[0], words[1]));
                let mut out = TextWriter::new(&mut parts, limit, LINE - 1);
                out.raw(&vec![b'x'; before]);
                if is_written {
                    words.iter().for_each(|word| _ = out.word(word.as_bytes()));
                    out.space();
                }
                assert_eq!(whole, parts, "{before} {limit}");
                assert_eq!(
                    is_written,
                    before + 13 < LINE && before + 13 < limit || {
                        // The text before the phrase does not fit.
                        limit <= before && 13 < limit
                    }
                );
            }
        }
    }

    /// Brief comments written at once are those that are written otherwise.
    #[test]
    fn brief_comments() {
        for (before, length) in (0..=80).flat_map(|before| (0..=20).map(move |n| (before, n))) {
            let (mut whole, mut parts, text) = (Vec::new(), Vec::new(), vec![b'y'; length]);
            let phrase = Phrase::of_comment(&text);
            let mut out = TextWriter::new(&mut whole, 1000, LINE - 1);
            out.raw(&vec![b'x'; before]);
            let is_written = phrase.is_some_and(|phrase| out.at_once(&phrase));
            assert_eq!(is_written, length <= 13 && before + length + 3 < LINE);
            let mut out = TextWriter::new(&mut parts, 1000, LINE - 1);
            out.raw(&vec![b'x'; before]);
            out.comment(&text);
            assert!(!is_written || whole == parts, "{before} {length}");
        }
        for text in ["a\nb", "\u{e9}"] {
            assert!(Phrase::of_comment(text.as_bytes()).is_none(), "{text:?}");
        }
    }

    /// Phrases written together are in the same places as those written one by one, wherever the
    /// first begins and the buffer ends.
    #[test]
    fn phrases_break_as_words_do() {
        let words: [&[u8]; 7] = [b"9.", b"Qa1xb2+", b"e4", b"10.", b"exd8=Q#", b"11.", b"O-O-O"];
        let text: Vec<u8> = b"9.Qa1xb2+ e4 10.exd8=Q# 11.O-O-O ".repeat(9);
        for (before, width) in
            (0..=90).flat_map(|before| [(before, 47), (before, 79), (before, 90)])
        {
            for limit in [100, 300, 400, 450, 1000] {
                let (mut whole, mut parts) = (Vec::new(), Vec::new());
                let mut out = TextWriter::new(&mut whole, limit, width);
                out.raw(&vec![b'x'; before]);
                let is_written = out.phrases(&text);
                let column = out.column;
                let mut out = TextWriter::new(&mut parts, limit, width);
                out.raw(&vec![b'x'; before]);
                if is_written {
                    for word in words.iter().cycle().take(9 * words.len()) {
                        out.word(word);
                        if !word.ends_with(b".") {
                            out.space();
                        }
                    }
                }
                assert_eq!(out.column, column);
                assert_eq!(whole, parts, "{before} {width} {limit}");
                assert!(is_written || limit < 450);
            }
        }
        let mut out = Vec::new();
        assert!(!TextWriter::new(&mut out, 1000, 46).phrases(b"1.e4 "), "words may be longer");
    }

    #[test]
    fn lines_break() {
        let x = |length: usize| vec![b'x'; length];
        let join = |parts: &[&[u8]]| parts.concat();
        // A word may reach column 79, and so may a blank.
        check_text(
            |out| out.string(&join(&[&x(39), b" ", &x(39)])),
            &join(&[&x(39), b" ", &x(39)]),
        );
        check_text(
            |out| out.string(&join(&[&x(39), b" ", &x(40)])),
            &join(&[&x(39), b" \n", &x(40)]),
        );
        check_text(|out| out.string(&join(&[&x(79), b" ", b"y"])), &join(&[&x(79), b"\ny"]));
        check_text(|out| out.string(&join(&[&x(78), b" ", b"y"])), &join(&[&x(78), b" \ny"]));
        // Longer words always follow a line break.
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
        // Each letter takes one column, but counts as two bytes in the test for room.
        let word = "\u{e9}".repeat(39);
        let text = [word.as_bytes(), b" ", &[b'x'; 39]].concat();
        check_text(|out| out.string(&text), &[&[0xE9; 39][..], b" ", &[b'x'; 39]].concat());
        let text = [&[b'x'; 10][..], b" ", "\u{e9}".repeat(35).as_bytes()].concat();
        check_text(|out| out.string(&text), &[&[b'x'; 10][..], b" \n", &[0xE9; 35]].concat());
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let x = |length: usize| vec![b'x'; length];
        // A text ends at its first word that does not fit; later texts are tried again.
        check_within(10, |out| out.comment(b"abc defghijkl m"), b"{abc } ");
        check_within(
            10,
            |out| {
                out.string(b"abcdefghijkl");
                out.string(b"mn op qr st");
            },
            b"mn op qr ",
        );
        // The break before a word remains even if the word does not fit, …
        check_within(
            80,
            |out| {
                out.string(&x(71));
                out.word(&x(20));
                out.word(b"y");
            },
            &[&x(71)[..], b"\ny"].concat(),
        );
        // … but a blank that does not fit makes no break either.
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
