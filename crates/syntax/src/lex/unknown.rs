//! Reports characters that begin no token, with proposals.

use super::Lexer;
use super::space::is_space;
use crate::diagnostic::Diagnostic;
use crate::help::{finds, finds_queries};
use crate::san::{San, Side};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// Reports characters that begin no token. A run of the same character is one error.
    pub(super) fn unknown(&mut self) -> bool {
        let start = self.at;
        let rest = &self.text[start..];
        let Some((character, length)) = decode(rest) else {
            let length = rest
                .iter()
                .take_while(|byte| !byte.is_ascii())
                .scan(0, |skip, _| {
                    *skip += 1;
                    Some(*skip)
                })
                .take_while(|&count| decode(&rest[count - 1..]).is_none())
                .count()
                .max(1);
            self.at += length;
            self.error(
                "E0004",
                start,
                self.at,
                format!("the byte 0x{:02X} is no UTF-8 text", rest[0]),
                "save the query as UTF-8",
            );
            return true;
        };
        if self.fence() || self.foreign_word() || self.sign_of_annotators() {
            return true;
        }
        if is_quote(character) && self.misquoted(length)
            || character == '!' && self.signs_of_annotators()
        {
            return true;
        }
        if rest.starts_with(b"!~") {
            let end = start + if rest.starts_with(b"!~~") { 3 } else { 2 };
            let error =
                Diagnostic::error("E0003", self.span(start, end), "`!~` has no meaning here");
            self.report(error.with_help("`not player ~~ \"…\"` excludes what a pattern finds"));
            self.at = end;
            self.stand_in("~~", start);
            return true;
        }
        let mut n_characters = 1;
        self.at += length;
        while self.text[self.at..].starts_with(&rest[..length]) {
            self.at += length;
            n_characters += 1;
        }
        let point = u32::from(character);
        let (code, message) = if character == '\u{2015}' {
            ("E0005", "found a single `―` (U+2015)".to_owned())
        } else if character.is_ascii_graphic() {
            ("E0003", format!("the character `{character}` has no meaning here"))
        } else if character.is_control() || is_invisible(character) {
            ("E0004", format!("unknown character U+{point:04X}"))
        } else {
            ("E0004", format!("unknown character `{character}` (U+{point:04X})"))
        };
        let span = self.span(start, self.at);
        let mut error = Diagnostic::error(code, span, message);
        let replacement = self.replacement(character, n_characters, start);
        if character == '!' && n_characters == 1 && self.marked_move(start, self.at) {
            return true;
        }
        if character == '!' && replacement.as_deref() == Some("") {
            error = error.with_help("remove the sign of annotators; `nag` finds it in games");
        } else if let Some(help) = help_for(character) {
            error = error.with_help(help);
        } else if let Some(word) = self.word_with_help(start) {
            error = error.with_help(finds_queries(word));
        }
        if let Some(text) = replacement {
            self.stand_in(&text, start);
            error = error.with_edit(span, text);
        }
        self.report(error);
        true
    }

    /// Reports the line that begins or ends a block of code in Markdown: three backquotes.
    fn fence(&mut self) -> bool {
        let start = self.at;
        let begins_line = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b'\n');
        let before = self.text[..start].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        if !self.text[start..].starts_with(b"```") || !begins_line(before) {
            return false;
        }
        let n_bytes =
            self.text[start..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
        let span = self.span(start, start + n_bytes);
        self.report(
            Diagnostic::error("E0003", span, "three backquotes have no meaning here")
                .with_help("remove the line: it frames the query in Markdown, and is no part of it")
                .with_edit(span, ""),
        );
        self.at += n_bytes;
        true
    }

    /// Reports a word of several letters that no word of a query has: `шах`.
    fn foreign_word(&mut self) -> bool {
        let start = self.at;
        let (mut n_letters, mut end) = (0, start);
        while let Some((letter, length)) = decode(&self.text[end..])
            && letter.is_alphabetic()
            && !letter.is_ascii()
        {
            (n_letters, end) = (n_letters + 1, end + length);
        }
        let word = &self.text[start..end];
        let is_ascii_word = |byte: Option<&u8>| byte.is_some_and(|byte| super::is_word(*byte));
        let is_part = is_ascii_word(self.text[..start].last()) || is_ascii_word(self.text.get(end));
        let first = decode(word).map_or(1, |(_, length)| length);
        let is_run = word.chunks(first).all(|letter| letter == &word[..first]);
        if n_letters < 2 || is_part || is_run {
            return false;
        }
        let shown = super::shown(word);
        let span = self.span(start, end);
        let error = Diagnostic::error("E0004", span, format!("unknown word `{shown}`"));
        let known = self.word_with_help(start).map(str::to_owned);
        self.report(
            error.with_help(match known {
                Some(word) => finds_queries(&word),
                None => "the words of queries are English: `cql help WORDS` finds queries for them"
                    .to_owned(),
            }),
        );
        self.at = end;
        true
    }

    /// Reports a sign of annotators that stands alone: `!!`.
    fn sign_of_annotators(&mut self) -> bool {
        let start = self.at;
        let is_sign = |byte: &&u8| matches!(byte, b'!' | b'?');
        let n_signs = self.text[start..].iter().take_while(is_sign).count();
        let number = match &self.text[start..start + n_signs] {
            b"!!" => 3,
            b"!?" => 5,
            _ => return false,
        };
        let before = self.text[..start].last();
        if before.is_some_and(|byte| !is_space(*byte)) {
            return false;
        }
        let sign = super::shown(&self.text[start..start + n_signs]);
        let span = self.span(start, start + n_signs);
        let filter = format!("nag == {number}");
        let help = format!(
            "the first sign of a move is a number: `{filter}`; `originalcomment \"{sign}\"` finds the sign \
             among all"
        );
        let error = Diagnostic::error("E0003", span, format!("`{sign}` has no meaning here"));
        let error = error.with_help(help);
        let before = self.text[..start].trim_ascii_end();
        self.report(match before {
            _ if before.ends_with(b"nag ==") => error.with_edit(span, number.to_string()),
            _ if before.ends_with(b"nag") => error.with_edit(span, format!("== {number}")),
            // as in `glyph !!`
            _ if before.last().is_some_and(|byte| super::is_word(*byte)) => error,
            _ => error.with_edit(span, filter.as_str()),
        });
        self.at += n_signs;
        self.stand_in("nag", start);
        true
    }

    /// Returns the word around a character, such as `Spieß`, if the help knows it. Only the first error
    /// has it.
    fn word_with_help(&self, at: usize) -> Option<&str> {
        const LONGEST: usize = 40;
        let is_part = |byte: &&u8| super::is_word(**byte) || !byte.is_ascii();
        let (before, after) = self.text.split_at(at);
        let first = at - before.iter().rev().take(LONGEST).take_while(is_part).count();
        let end = at + after.iter().take(LONGEST).take_while(is_part).count();
        let word = std::str::from_utf8(&self.text[first..end]).ok()?;
        (self.diagnostics.is_empty() && finds(word, true) == Some(true)).then_some(word)
    }

    /// Reports signs such as `?!` directly after a move, of which the next character is the first
    /// `!`. One sign after a word is reported as any other.
    fn signs_of_annotators(&mut self) -> bool {
        let is_sign = |byte: &&u8| matches!(byte, b'!' | b'?');
        let (before, after) = self.text.split_at(self.at);
        let start = self.at - before.iter().rev().take_while(is_sign).count();
        let end = self.at + after.iter().take_while(is_sign).count();
        let ends_move = |byte: &u8| super::is_word(*byte) || b"+#".contains(byte);
        if end - start < 2 || !before[..start].last().is_some_and(ends_move) {
            return false;
        }
        while self.tokens.last().is_some_and(|token| token.span.start as usize >= start) {
            self.tokens.pop();
        }
        if self.marked_move(start, end) {
            self.at = end;
            return true;
        }
        let span = self.span(start, end);
        let message = format!("`{}` has no meaning here", super::shown(&self.text[start..end]));
        self.report(
            Diagnostic::error("E0003", span, message)
                .with_help("remove the sign of annotators; `nag` finds it in games")
                .with_edit(span, ""),
        );
        self.at = end;
        true
    }

    /// Reports signs of annotators from `start` to `end` after a move that is also a piece on a
    /// square, such as `Nf3!`; without the sign it would ask for a knight there.
    fn marked_move(&mut self, start: usize, end: usize) -> bool {
        let is_blank = |byte: &u8| is_space(*byte);
        let before = &self.text[..start];
        let from = before.iter().rposition(is_blank).map_or(0, |at| at + 1);
        let line = before[..from].split(|&byte| byte == b'\n').next_back().unwrap_or_default();
        let rest = self.text[end..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let read = |word: &[u8]| {
            let word = std::str::from_utf8(word).ok()?.trim_end_matches(['+', '#', '!', '?']);
            San::read(word).filter(|san| san.piece != Some(b'P') || !b"18".contains(&san.to[1]))
        };
        let is_square = self.tokens.iter().rev().take(2).any(|token| {
            token.span.start as usize == from && matches!(token.kind, TokenKind::Designator(_))
        });
        let Some(san) = read(&before[from..])
            .filter(|_| is_square && !before.ends_with(b"+") && !before.ends_with(b"#"))
        else {
            return false;
        };
        let words = |text: &[u8]| {
            text.split(is_blank)
                .filter(|word| !word.is_empty())
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        let (before_it, behind) = (words(line), words(rest));
        let is_beside = |word: Option<&Vec<u8>>| {
            word.is_some_and(|word| word.ends_with(b".") || read(word).is_some())
        };
        let [white, black] = [Side::White, Side::Black].map(|side| san.cql(side));
        let signs = super::shown(&self.text[start..end]);
        let message = format!("`{signs}` has no meaning here");
        let error = Diagnostic::error("E0003", self.span(start, end), message);
        self.report(if is_beside(before_it.last()) || is_beside(behind.first()) {
            error.with_help(
                "remove the sign of annotators; moves that follow each other are `path san \"…\"`",
            )
        } else {
            error
                .with_help(format!(
                    "a move is written `{white}`, by Black `{black}`; `nag` finds signs of annotators"
                ))
                .with_edit(self.span(from, end), white)
        });
        true
    }

    /// Reads a text between other quotation marks on one line as a string.
    fn misquoted(&mut self, length: usize) -> bool {
        let start = self.at;
        let line = self.text[start..].split(|&byte| byte == b'\n').next();
        let line = String::from_utf8_lossy(line.unwrap_or_default());
        let inside = &line[length.min(line.len())..];
        let end = inside.char_indices().find(|&(_, c)| is_quote(c) || c == '"');
        let Some((end, quote)) = end else {
            return false;
        };
        // The apostrophe in `attack's` is followed by another one only by chance.
        if line.starts_with('\'') != (quote == '\'') || line.contains('\u{fffd}') {
            return false;
        }
        let mut inside_quotes = &inside[..end];
        // As in `event like '%Open%'`: a text that is searched may be a part anyway.
        let before = self.text[..start].trim_ascii_end();
        if (before.ends_with(b"like") || before.ends_with(b"LIKE"))
            && let Some(part) = inside.get(1..end.saturating_sub(1))
            && inside_quotes.starts_with('%')
            && inside_quotes.ends_with('%')
        {
            inside_quotes = part;
        }
        let text = format!("\"{inside_quotes}\"");
        let after = start + length + end + quote.len_utf8();
        let span = self.span(start, after);
        let found = &line[..length];
        self.report(
            Diagnostic::error(
                "E0004",
                span,
                format!("found a text between `{found}` and `{quote}`"),
            )
            .with_help("write strings between straight double quotes")
            .with_edit(span, text),
        );
        self.push(TokenKind::String(inside.as_bytes()[..end].to_vec()), after - start);
        true
    }

    /// Returns the text that was probably meant by a run of a character.
    fn replacement(&self, character: char, n_characters: usize, start: usize) -> Option<String> {
        let after = self.text.get(self.at).copied().unwrap_or(b' ');
        match character {
            '!' if n_characters == 1 => {
                let next = self.text[self.at..].iter().find(|b| !is_space(**b));
                let is_value = next.is_some_and(|b| b.is_ascii_digit() || *b == b'"');
                // as in `Qxf7!` and `Qxf7+!`
                let ends_move = |b: &u8| super::is_word(*b) || b"+#".contains(b);
                if self.text[..start].last().is_some_and(ends_move) {
                    return Some(String::new()).filter(|_| !is_value);
                }
                let is_before_filter = next.is_some_and(|b| !b")}]".contains(b));
                Some("not ".to_owned()).filter(|_| !is_value && is_before_filter)
            }
            '\u{2012}'..='\u{2014}' | '─' | '━' => {
                let before = self.text[..start].iter().rev().find(|b| !is_space(**b));
                let next = self.text[self.at..].iter().find(|b| !is_space(**b));
                let is_number = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
                let is_minus = n_characters == 1 && is_number(before) && is_number(next);
                let dash = if is_minus { "-" } else { "--" };
                Some(dash.to_owned()).filter(|_| n_characters <= 2)
            }
            '−' | '﹣' | '－' | '\u{2010}' | '\u{2011}' => Some("-".repeat(n_characters)),
            // The third of three is superfluous.
            '\u{2015}' if self.text[..start].ends_with("―".as_bytes()) => Some(String::new()),
            '\u{2015}' => Some("――".to_owned()),
            '@' | '…' | '½' => None,
            _ if character.is_ascii() => None,
            _ => {
                let help = help_for(character)?;
                if help.starts_with("remove") {
                    return Some(String::new());
                }
                if help.ends_with("blank") {
                    return Some(" ".to_owned());
                }
                let word = help.strip_prefix("write `")?.split('`').next()?;
                let glued =
                    word.ends_with(|c: char| c.is_ascii_alphabetic()) && super::is_word(after);
                let blank = if glued { " " } else { "" };
                Some(format!("{}{blank}", word.repeat(n_characters)))
            }
        }
    }

    /// Adds the tokens of the text that was probably meant.
    fn stand_in(&mut self, text: &str, start: usize) {
        let lexed = super::lex(self.source, text.as_bytes());
        if !lexed.diagnostics.is_empty() {
            self.space_before = true;
            return;
        }
        let end = self.at;
        for (i, token) in lexed.tokens.into_iter().enumerate() {
            self.at = start;
            self.space_before |= i > 0 && token.space_before;
            self.push(token.kind, end - start);
        }
        self.at = end;
        self.space_before |= text.ends_with(' ');
    }
}

/// Whether a character is a quotation mark other than the one in CQL.
fn is_quote(character: char) -> bool {
    matches!(character, '\'' | '`' | '\u{2018}'..='\u{201f}' | '«' | '»' | '″' | '＂' | '‹' | '›')
}

/// Returns a help for a character without meaning.
fn help_for(character: char) -> Option<&'static str> {
    Some(match character {
        '!' => "write the word `not`, or `!=` for \"not equal\"",
        '\'' | '\u{2018}'..='\u{201f}' | '«' | '»' | '″' | '＂' | '‹' | '›' => {
            "write strings between straight double quotes: `\"`"
        }
        '`' => "write strings between double quotes: `\"`",
        '^' => "CQL has no power operator; write the product",
        '@' => "a piece on a square is written without a sign between them: `Re4`",
        '\u{2015}' => "a dash is written with two of these signs, `――`, or in ASCII as `--`",
        '\u{2010}'..='\u{2014}' | '−' | '\u{fe58}' | '﹣' | '－' | '─' | '━' => {
            "write `--` for a move or `-` for minus"
        }
        '\u{fe00}'..='\u{fe0f}' => {
            "remove this invisible character (a variation selector after the sign before it)"
        }
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            "write an ordinary blank"
        }
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{2028}' | '\u{2029}' => {
            "remove this invisible character"
        }
        '∈' | '∋' | 'є' | '€' => "write `∊` (U+220A) or `[element]`",
        '✕' | '✖' | '⨯' | '⨉' | 'х' | '╳' | '⤫' => "write `×` (U+D7) or `[x]`",
        '⇒' | '➔' | '➙' | '➜' | '⟶' | '⇾' | '➝' | '￫' => {
            "write `→` (U+2192) or `->`"
        }
        '⇐' | '⟵' | '⇽' | '￩' => "write `←` (U+2190) or `<-`",
        '⩽' | '≦' | '⇤' => "write `≤` (U+2264) or `<=`",
        '⩾' | '≧' => "write `≥` (U+2265) or `>=`",
        '≟' | '≡' | '＝' => "write `==`",
        '·' | '•' | '⋅' | '●' | '⚫' | '∘' => "write `∙` (U+2219) or `currentposition`",
        '∅' | 'ø' | 'Ø' => "write `[]` for the empty set",
        '∧' | '⋀' => "write `and`, or `&` between sets",
        '∨' | '⋁' => "write `or`, or `|` between sets",
        '¬' => "write `not`, or `~` before a set",
        '⋂' | '⊓' => "write `∩` (U+2229) or `&`",
        '⋃' | '⊔' => "write `∪` (U+222A) or `|`",
        '⊂' | '⊆' => "write `in`",
        '∆' | 'Δ' | '▵' | '⃤' => "write `△` (U+25B3) or `A`",
        '▴' => "write `▲` (U+25B2) or `a`",
        '◻' | '▢' | '⬜' | '☐' | '◽' => "write `□` (U+25A1) or `_`",
        '⊦' | '├' => "write `⊢` (U+22A2) or `path`",
        '⊙' | '◉' | '⦿' | '⊚' => "write `◎` (U+25CE) or `focus`",
        '…' => "write `...` as separate dots, or remove it",
        '½' => "write a drawn result as `1/2-1/2`",
        '＆' => "write `&`",
        '＃' | '♯' => "write `#`",
        '（' => "write `(`",
        '）' => "write `)`",
        '［' => "write `[`",
        '］' => "write `]`",
        '｛' => "write `{`",
        '｝' => "write `}`",
        '，' | '、' => "write `,`",
        '：' => "write `:`",
        '；' => "write `;`",
        _ => return None,
    })
}

/// Returns the character at the start of `text`, and its length in bytes; `None` if it is not valid
/// UTF-8.
pub(super) fn decode(text: &[u8]) -> Option<(char, usize)> {
    let length = match text.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    let character = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    Some((character, length))
}

/// Whether a character is invisible, so that messages show its code.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}'
            | '\u{3000}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e000}'..='\u{f8ff}'
    )
}
