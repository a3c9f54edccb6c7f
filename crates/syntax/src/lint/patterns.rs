//! Warns of regular expressions that see something else than their author: both names of a game as
//! one text, letters in another case, and bytes of letters beyond ASCII.

use std::ops::Range;

use super::Linter;
use super::place::FilterContext;
use crate::builtin::{TextToText, Unary};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceId, Span};
use crate::tree::{Filter, FilterKind, Pattern, TextSource};

/// Advice on letters in either case.
const CASES: &str = "a class holds both forms of a letter: `[Cc]arlsen`; `(lowercase player) ~~ \
                     \"carlsen\"` finds every form";

/// Advice on letters beyond ASCII.
const BEYOND: &str = "`[^ -~]+` stands for letters beyond ASCII";

/// Returns what to write in place of a construct that regular expressions do not have, for the
/// error at byte `at` of a pattern.
pub fn help_for_pattern(pattern: &[u8], at: usize) -> Option<String> {
    let (before, rest) = pattern.split_at_checked(at)?;
    let flags = rest.strip_prefix(b"(?").unwrap_or_default();
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
    if flags.iter().take_while(is_letter).any(|&flag| flag == b'i') {
        return Some(CASES.to_owned());
    }
    if before.ends_with(b"\\p") || before.ends_with(b"\\P") {
        let classes = "`[A-Z]`, `[a-z]` and `\\w` are classes of letters";
        return Some(format!("{classes}; {BEYOND}"));
    }
    letters_as_bytes(pattern).map(|found| found.help)
}

/// Returns the warnings for the regular expression of an option, which each name of a player is
/// compared with.
pub fn lint_player(option: &str, pattern: &[u8]) -> Vec<Diagnostic> {
    let text = [b"\"", pattern, b"\""].concat();
    let span = Span::new(SourceId(0), 0, text.len());
    let texts = [text.as_slice()];
    let mut linter = Linter::new(&texts);
    linter.pattern_of_name(pattern, span);
    linter.letters(pattern, span);
    let warnings = linter.warnings.into_iter().map(|mut warning| {
        warning.message = format!("{option}: {}", warning.message);
        warning.span = Span::OF_OPTION;
        warning.edit = None;
        warning
    });
    warnings.collect()
}

impl Linter<'_> {
    /// Checks the regular expression of `S ~~ "…"`, and the word before that.
    pub(super) fn pattern(&mut self, filter: &Filter, place: FilterContext) {
        match &filter.kind {
            FilterKind::Match { subject, pattern } => {
                let Pattern::Literal(pattern, span) = &**pattern else {
                    return;
                };
                self.letters(pattern, *span);
                if place.asked {
                    self.names_as_one(filter, subject, pattern, *span);
                }
                let is_name =
                    |source| matches!(source, &TextSource::Player(_) | &TextSource::Players);
                if let FilterKind::TextSource(source) = &subject.kind
                    && is_name(source)
                    && place.asked
                {
                    self.pattern_of_name(pattern, *span);
                }
            }
            FilterKind::WhileMatch { pattern, .. } => {
                if let Pattern::Literal(pattern, span) = &**pattern {
                    self.letters(pattern, *span);
                }
            }
            FilterKind::Unary(Unary::TextToText(word), inner) => {
                if let FilterKind::Match { pattern, .. } = &inner.kind
                    && let Pattern::Literal(pattern, span) = &**pattern
                {
                    self.case_of_a_match(filter, *word, pattern, *span);
                }
            }
            _ => {}
        }
    }

    /// Checks a regular expression that names of players are compared with.
    fn pattern_of_name(&mut self, pattern: &[u8], span: Span) {
        let Ok(name) = std::str::from_utf8(pattern) else {
            return;
        };
        self.player(span, name);
        // Files may have `Navara,D`, and so have tables of them.
        let mut seen = Vec::new();
        let mut last: &[u8] = b"";
        for piece in pieces(pattern) {
            if last == b"," && (piece[0].is_ascii_alphabetic() || !piece[0].is_ascii()) {
                seen.push(b' ');
            }
            seen.extend_from_slice(piece);
            last = piece;
        }
        self.seen_otherwise(span, name, &String::from_utf8_lossy(&seen), "names");
    }

    /// Warns of `player ~~ "^Karpov"`, which looks at the name of White alone.
    fn names_as_one(&mut self, filter: &Filter, subject: &Filter, pattern: &[u8], span: Span) {
        let source = match &subject.kind {
            FilterKind::Unary(Unary::TextToText(_), inner) => inner,
            _ => subject,
        };
        if !matches!(source.kind, FilterKind::TextSource(TextSource::Players)) {
            return;
        }
        let Some(anchor) = anchor_at_the_joint(pattern) else {
            return;
        };
        let sees = match anchor {
            b"^" => "the start of White's name, and not of Black's",
            b"$" => "the end of Black's name, and not of White's",
            _ => "no start of Black's name, since an n is before it",
        };
        let anchor = String::from_utf8_lossy(anchor);
        let message = format!("`player` is both names joined by `\\n`, so `{anchor}` sees {sees}");
        let warning = Diagnostic::warning("W0427", span, message);
        let left = self.text(Span { end: span.start, ..filter.span });
        let text = self.text(span);
        let one = |color: &str| format!("{}{text}", left.replacen("player", color, 1));
        let either = format!("({} or {})", one("player white"), one("player black"));
        self.warnings.push(if left.contains("player") && !text.is_empty() {
            warning
                .with_help(format!("ask for each name: `{either}`"))
                .with_edit(filter.span, either)
        } else {
            warning.with_help("ask for each name: `player white` and `player black`")
        });
    }

    /// Warns of `lowercase player ~~ "karpov"`, which looks for small letters in the name itself.
    fn case_of_a_match(&mut self, filter: &Filter, word: TextToText, pattern: &[u8], span: Span) {
        let (name, is_of_word, other): (_, fn(&u8) -> bool, _) = match word {
            TextToText::Lowercase => ("lowercase", u8::is_ascii_lowercase, "small"),
            TextToText::Uppercase => ("uppercase", u8::is_ascii_uppercase, "capital"),
        };
        let mut letters = letters_of(pattern).peekable();
        if letters.peek().is_none() || !letters.all(|letter| is_of_word(&letter)) {
            return;
        }
        let message = format!(
            "`~~` binds tighter than `{name}`, so {other} letters are searched in the text as it is"
        );
        let warning = Diagnostic::warning("W0428", filter.span, message);
        let left = self.text(Span { end: span.start, ..filter.span }).trim_end();
        let subject = left.strip_suffix("~~").map(str::trim_end).filter(|text| {
            let count = |bracket| text.matches(bracket).count();
            count('(') == count(')')
        });
        self.warnings.push(match subject {
            Some(subject) => {
                let end = filter.span.start + subject.len() as u32;
                let text = format!("({subject})");
                warning
                    .with_help(format!("parentheses come first: `{text} ~~ {}`", self.text(span)))
                    .with_edit(Span { end, ..filter.span }, text)
            }
            None => warning.with_help(format!("parentheses come first: `({name} …) ~~ …`")),
        });
    }

    /// Warns of `[äöü]`: each of these letters has two bytes.
    fn letters(&mut self, pattern: &[u8], span: Span) {
        let Some(ByteWise { place, message, help, edit }) = letters_as_bytes(pattern) else {
            return;
        };
        let place = span.within_quotes(pattern.len(), place);
        let warning = Diagnostic::warning("W0429", place.unwrap_or(span), message).with_help(help);
        self.warnings.push(match edit.zip(place) {
            Some((text, place)) => warning.with_edit(place, text),
            None => warning,
        });
    }
}

/// A part of a regular expression that matches single bytes of letters.
struct ByteWise {
    place: Range<usize>,
    message: &'static str,
    help: String,
    edit: Option<String>,
}

/// Returns the first part of a pattern in UTF-8 that matches single bytes of letters beyond ASCII.
fn letters_as_bytes(pattern: &[u8]) -> Option<ByteWise> {
    let text = std::str::from_utf8(pattern).ok()?;
    let pieces = pieces(pattern);
    let is_beyond = |piece: Option<&&[u8]>| piece.is_some_and(|piece| !piece[0].is_ascii());
    let mut at = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let place = at..at + piece.len();
        at = place.end;
        let is_after = index > 0 && is_beyond(pieces.get(index - 1));
        match piece[0] {
            b'[' if !piece.is_ascii() => {
                let edit = text.get(place.clone()).and_then(alternatives);
                let help = match &edit {
                    Some(edit) => format!("letters are alternatives: `{edit}`"),
                    None => format!("letters are alternatives: `(?:ä|ö|ü)`; {BEYOND}"),
                };
                let message = "regular expressions match bytes, and a letter beyond ASCII has \
                               several: this class matches any one of them";
                return Some(ByteWise { place, message, help, edit });
            }
            b'*' | b'+' | b'?' | b'{' if is_after => {
                let letter = text.get(..place.start)?.char_indices().next_back()?;
                let edit = format!("(?:{})", letter.1);
                return Some(ByteWise {
                    place: letter.0..place.start,
                    message: "regular expressions match bytes: what follows this letter repeats \
                              its last byte",
                    help: format!("a group holds the letter together: `{edit}`"),
                    edit: Some(edit),
                });
            }
            b'.' if is_after && is_beyond(pieces.get(index + 1)) => {
                return Some(ByteWise {
                    place,
                    message: "regular expressions match bytes: `.` is no letter beyond ASCII, \
                              which has several",
                    help: BEYOND.to_owned(),
                    edit: None,
                });
            }
            _ => {}
        }
    }
    None
}

/// Returns the letters of a class as alternatives, if it has nothing else: `(?:ä|ö)` for `[äö]`.
fn alternatives(class: &str) -> Option<String> {
    let letters = class.strip_prefix('[')?.strip_suffix(']')?;
    if !letters.chars().all(char::is_alphanumeric) {
        return None;
    }
    let letters: Vec<String> = letters.chars().map(String::from).collect();
    Some(format!("(?:{})", letters.join("|")))
}

/// Returns the first anchor that sees one end of `player`, if the pattern is about one name: it has
/// neither the text between the names nor anything that may span it.
fn anchor_at_the_joint(pattern: &[u8]) -> Option<&[u8]> {
    // After the start of a name, any text may follow.
    let inner = match pattern.first() {
        Some(b'^') => [&b".*$"[..], b".*"].iter().find_map(|end| pattern.strip_suffix(*end)),
        _ => None,
    };
    let pieces = pieces(inner.unwrap_or(pattern));
    let is_any = |pair: &[&[u8]]| pair[0] == b"." && matches!(pair[1], b"*" | b"+" | b"{");
    if pieces.contains(&&b"\\\\"[..]) || pieces.windows(2).any(is_any) {
        return None;
    }
    let is_at_start = |index: usize| match index.checked_sub(1) {
        Some(before) => matches!(pieces[before], b"(" | b"|" | b":"),
        None => true,
    };
    let mut all = pieces.iter().enumerate();
    let found = all.find(|(index, piece)| match **piece {
        b"^" | b"$" => true,
        b"\\b" => is_at_start(*index),
        _ => false,
    });
    found.map(|(_, piece)| *piece)
}

/// Returns the letters of a pattern, those of escapes excepted.
fn letters_of(pattern: &[u8]) -> impl Iterator<Item = u8> {
    let mut is_escape = false;
    pattern.iter().copied().filter(move |&byte| {
        let is_escaped = is_escape;
        is_escape = !is_escaped && byte == b'\\';
        !is_escaped && byte.is_ascii_alphabetic()
    })
}

/// Splits a pattern into escapes, classes, and single bytes.
fn pieces(pattern: &[u8]) -> Vec<&[u8]> {
    let mut rest = pattern;
    let mut pieces = Vec::new();
    while let Some(first) = rest.first() {
        let length = match first {
            b'\\' => 2,
            b'[' => length_of_class(rest),
            _ => 1,
        };
        let (piece, after) = rest.split_at(length.min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Returns the length of a class with its brackets.
fn length_of_class(pattern: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = pattern.get(at) {
        match byte {
            b']' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    pattern.len()
}
