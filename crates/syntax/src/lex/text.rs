//! Lexes strings, file names, and tokens that begin with a backslash.

use super::space::is_space;
use super::{Lexer, abbreviated, shown, word_length};
use crate::diagnostic::Diagnostic;
use crate::token::{Group, TokenKind};

impl Lexer<'_> {
    /// Reads `
    /// `, `\"` and other characters; `\3`, `\-3`, `\{name}`, `\-{name}`.
    pub(super) fn backslash(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if rest.first() != Some(&b'\\') {
            return false;
        }
        let minus = rest.get(1) == Some(&b'-');
        let digits_at = if minus { 2 } else { 1 };
        let n_digits = rest[digits_at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if n_digits > 0 {
            self.group(minus, digits_at, n_digits);
            return true;
        }
        if let Some(name) = name_in_braces(&rest[digits_at..]) {
            let length = digits_at + name.len() + 2;
            let group = Group::Name(shown(name).into());
            self.push(group_token(minus, group), length);
            return true;
        }
        let n_letters = match word_length(&rest[1..]) {
            // a figurine counts as a letter
            0 => rest[1..].iter().take_while(|byte| !byte.is_ascii()).count(),
            n => n,
        };
        let character = match (rest.get(1), n_letters) {
            (Some(byte @ (b'"' | b'\\')), _) => *byte,
            (Some(b'n'), 1) => b'\n',
            (Some(b'r'), 1) => b'\r',
            (Some(b't'), 1) => b'\t',
            // Otherwise it is a lone backslash, which no filter accepts.
            (_, 0) if !minus => return false,
            _ => {
                let length = if minus { 2 } else { 1 + n_letters };
                self.error(
                    "E0009",
                    self.at,
                    self.at + length,
                    format!(
                        "`{}` is unknown; outside of quotes there are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, and groups such as `\\1` and `\\-1`",
                        abbreviated(&rest[..length])
                    ),
                    match rest.get(1) {
                        Some(b'n' | b'r' | b't') => "write a blank after the letter",
                        Some(b'$') => "leave the backslash away: a name begins with `$` itself",
                        Some(b'-') => "write the number of a group after `\\-`",
                        _ => "write text between double quotes, where a backslash is an ordinary character",
                    },
                );
                self.push(TokenKind::String(Vec::new()), length);
                return true;
            }
        };
        self.push(TokenKind::String(vec![character]), 2);
        true
    }

    fn group(&mut self, minus: bool, digits_at: usize, n_digits: usize) {
        let length = digits_at + n_digits;
        let written = &self.text[self.at..self.at + length];
        let digits = &written[digits_at..];
        let number = if n_digits > 2 {
            self.error(
                "E0010",
                self.at,
                self.at + length,
                format!("the group number `{}` has more than two digits", abbreviated(written)),
                "write a blank after the number of the group if another number follows",
            );
            0
        } else {
            digits.iter().fold(0, |number, digit| 10 * number + (digit - b'0'))
        };
        self.push(group_token(minus, Group::Number(number)), length);
    }

    /// Reads `input FILE` or `output FILE`.
    pub(super) fn file_name(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if !matches!(rest.first(), Some(b'i' | b'o')) {
            return false;
        }
        let word = word_length(rest);
        let input = match &rest[..word] {
            b"input" => true,
            b"output" => false,
            _ => return false,
        };
        let blank = rest[word..].iter().take_while(|&&b| is_space(b)).count();
        let name = &rest[word + blank..];
        let (name, length) = if name.first() == Some(&b'"') {
            let line = &name[1..];
            match line.iter().position(|&byte| byte == b'"' || byte == b'\n') {
                Some(length) if line[length] == b'"' => (&line[..length], length + 2),
                // A string without an end, which is reported as such.
                _ => return false,
            }
        } else {
            let length = name
                .iter()
                .take_while(|&&byte| !is_space(byte) && !b"()<>\"".contains(&byte))
                .count();
            (&name[..length], length)
        };
        if length == 0 {
            return false;
        }
        let name = shown(name);
        let kind = if input { TokenKind::Input(name) } else { TokenKind::Output(name) };
        self.push(kind, word + blank + length);
        true
    }

    /// Reads a string from `"` to the next `"` on the line; there are no escapes.
    pub(super) fn string(&mut self) -> bool {
        let start = self.at;
        if self.text[start] != b'"' {
            return false;
        }
        let inside = &self.text[start + 1..];
        let end = inside.iter().position(|&byte| byte == b'"' || byte == b'\n');
        match end {
            Some(length) if inside[length] == b'"' => {
                self.push(TokenKind::String(inside[..length].to_vec()), length + 2);
            }
            _ => {
                let length = end.unwrap_or(inside.len());
                self.report_open_string(start, end.is_some());
                self.push(TokenKind::String(inside[..length].to_vec()), length + 1);
            }
        }
        true
    }

    /// Reports a string without an end. If two quotes are not closed on their lines, the second
    /// counts as the end of a string over several lines, so that only one error is reported.
    fn report_open_string(&mut self, start: usize, has_line_end: bool) {
        self.swallowed = true;
        let quote = self.span(start, start + 1);
        if let Some(first) = self.open_string.take()
            && let Some(error) = self.diagnostics.get_mut(first)
        {
            error.notes.push((
                quote,
                "if this is its end: a string may not go over several lines".to_owned(),
            ));
            return;
        }
        let (code, end) = if has_line_end { ("E0008", "line") } else { ("E0007", "text") };
        self.open_string = Some(self.diagnostics.len());
        let message = format!("this string is not closed before the end of the {end}");
        let error = Diagnostic::error(code, quote, message);
        let line = self.text[start + 1..].split(|&byte| byte == b'\n').next();
        let line = String::from_utf8_lossy(line.unwrap_or_default());
        let curly = line.char_indices().find(|(_, c)| "“”„‟″＂".contains(*c));
        self.report(match curly {
            Some((at, other)) if !line.contains('\u{fffd}') => {
                let at = start + 1 + at;
                let other_end = self.span(at, at + other.len_utf8());
                error
                    .with_help(format!("end it with a straight double quote, not with `{other}`"))
                    .with_edit(other_end, "\"")
            }
            _ => error.with_help(
                "write `\"` at its end; inside a string neither newlines nor `\"` can stand, \
                 put `\\n` or `\\\"` between two strings for these",
            ),
        });
    }
}

/// Returns the token for the text of a group, or for its offset.
fn group_token(index: bool, group: Group) -> TokenKind {
    if index { TokenKind::GroupIndex(group) } else { TokenKind::Group(group) }
}

/// Returns the name of a group without its braces.
fn name_in_braces(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"{")?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = rest.iter().take_while(is_part).count();
    (length > 0 && rest.get(length) == Some(&b'}')).then(|| &rest[..length])
}
