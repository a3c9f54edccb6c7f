//! Proposes what lists mean that are written as in other languages: `{Q,R}`, `P[e4 d4]`, `f(Q, R)`.

use std::ops::Range;

use super::route::one_on_each;
use crate::builtin::Keyword;
use crate::lex::designator::Scanner;
use crate::lex::in_thousands;
use crate::parse::mend::{Mend, Proposal, is_designator, is_square};
use crate::parse::parser::{Last, Parser};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::Type;

/// The texts that a list of pieces or squares consists of.
enum Items {
    /// `Q`, `R`
    Pieces(String),
    /// `e4`, `d4`, and the pieces before the first of them
    Squares { pieces: String, squares: String },
}

impl Items {
    /// Reads the items of a list, without what only other designators can mean.
    fn read<'t>(items: impl IntoIterator<Item = &'t str>) -> Option<Items> {
        let mut found: Option<Items> = None;
        for item in items {
            let mut scanner = Scanner::new(item.as_bytes());
            let parts = scanner.designator(0).filter(|_| scanner.fault.is_none())?;
            if parts.pieces.end.max(parts.squares.end) != item.len() {
                return None;
            }
            let part =
                |range: Range<usize>| item.get(range).map(|text| text.trim_matches(['[', ']']));
            let (pieces, squares) = (part(parts.pieces.clone())?, part(parts.squares)?);
            found = Some(match found {
                None if squares.is_empty() => Items::Pieces(pieces.to_owned()),
                // The brackets around several pieces stay.
                None => Items::Squares {
                    pieces: item.get(parts.pieces)?.to_owned(),
                    squares: squares.to_owned(),
                },
                Some(Items::Pieces(before)) if squares.is_empty() => {
                    // Letters and signs cannot be mixed.
                    if before.is_ascii() != pieces.is_ascii() {
                        return None;
                    }
                    Items::Pieces(before + pieces)
                }
                Some(Items::Squares { pieces: first, squares: before }) if pieces.is_empty() => {
                    Items::Squares { pieces: first, squares: before + "," + squares }
                }
                Some(_) => return None,
            });
        }
        found
    }

    /// Returns the designator with all items.
    fn designator(&self) -> String {
        match self {
            Items::Pieces(pieces) => format!("[{pieces}]"),
            Items::Squares { pieces, squares } => format!("{pieces}[{squares}]"),
        }
    }
}

impl Parser<'_> {
    /// Returns a proposal for the comma at `at`.
    pub(in crate::parse) fn mend_of_comma(&self, at: usize) -> Mend {
        if let Some(mend) = self.mend_of_mate(at) {
            return mend;
        }
        // as in `eval < 1,5`
        if at > 0 && self.is_integer_at(at - 1) && self.joins_digits(at) {
            let help = "numbers have no fraction; `eval` is in hundredths of a pawn";
            return self.mend_of_commas(at).unwrap_or_else(|| Mend::advice(help));
        }
        let is_comma = |at: usize| self.symbol_at(at) == Some(Symbol::Comma);
        let (mut first, mut last) = (at, at);
        while is_comma(first) && first > 0 && self.is_designator_at(first - 1) {
            first -= if first > 1 && is_comma(first - 2) { 2 } else { 1 };
        }
        while is_comma(last) && self.is_designator_at(last + 1) {
            last += if is_comma(last + 2) { 2 } else { 1 };
        }
        if is_comma(first) || is_comma(last) || self.is_argument(first) {
            let before = at.checked_sub(1).filter(|_| !self.is_argument(first));
            // as in `not check, mate`
            if before.and_then(|at| self.word_before(at)) == Some(Keyword::Not)
                && self.keyword_at(at + 1) != Some(Keyword::Not)
            {
                let [left, right] = [at - 1, at + 1].map(|at| self.whole_text_at(at));
                return Mend::advice(format!(
                    "`not` takes one filter: `not {left} not {right}` is neither, `not {{{left} \
                     {right}}}` not both"
                ));
            }
            let blank = if self.space_at(at + 1) { "" } else { " " };
            let help = "separate filters by blanks, not commas";
            // as in `elo white, elo black >= 2500`, where the first is no condition
            let is_value =
                |last: &Last| last.end == at && matches!(last.ty, Type::Numeric | Type::String);
            if self.last.as_ref().is_some_and(is_value) {
                return Mend::advice(
                    "each value has a comparison of its own: `elo white >= 2500 elo black >= 2500`",
                );
            }
            return Mend::edit(help, self.span_at(at), blank);
        }
        let close = first.checked_sub(1).and_then(|open| self.stream.partner(open));
        let is_whole = close == Some(last + 1);
        let items = (first..=last).step_by(2);
        let items: Vec<String> = items.map(|at| self.whole_text_at(at)).collect();
        let each = items.join(" ");
        match Items::read(items.iter().map(String::as_str)) {
            Some(Items::Squares { pieces, squares })
                if !is_whole && self.are_conditions(first, last) && are_several(&pieces) =>
            {
                let squares: Vec<&str> = squares.split(',').collect();
                let (help, each) = one_on_each(&pieces, &squares);
                Mend::edit(help, self.tokens(first, last), self.as_one(first, last, each))
            }
            Some(list @ Items::Squares { .. }) => {
                let text = list.designator();
                // as in `K{g1,h1}`
                let (first, last) = if is_whole { (first - 1, last + 1) } else { (first, last) };
                let help = format!("several squares are a list in brackets: `{text}`");
                Mend::edit(help, self.tokens(first, last), text)
            }
            Some(list) if is_whole => {
                let text = list.designator();
                let help = format!("`{text}` is the set of these; `{each}` asks for each of them");
                Mend::edit(help, self.tokens(first - 1, last + 1), text)
            }
            list => {
                let any = list.map_or(items.join(" | "), |list| list.designator());
                Mend::advice(format!("`{each}` asks for each of these, `{any}` for any of them"))
            }
        }
    }

    /// Whether the token is a comma directly before digits.
    fn joins_digits(&self, at: usize) -> bool {
        self.symbol_at(at) == Some(Symbol::Comma)
            && self.is_glued_at(at)
            && self.is_integer_at(at + 1)
    }

    /// Returns a proposal for a number with commas between its thousands, the first of them at `at`.
    fn mend_of_commas(&self, at: usize) -> Option<Mend> {
        let first = at.checked_sub(1)?;
        let mut last = first;
        while self.joins_digits(last + 1) {
            last += 2;
        }
        let whole = self.tokens(first, last);
        let text = self.whole_text_of(whole);
        let mut groups = text.split(',');
        let number = in_thousands(groups.next()?, groups)?;
        let help = format!("a number has no sign between its digits: `{number}`");
        Some(Mend::edit(help, whole, number))
    }

    /// Whether the tokens from `first` to `last` are no operands.
    fn are_conditions(&self, first: usize, last: usize) -> bool {
        let is_bracket = |at: usize| match self.symbol_at(at) {
            Some(sign) => matches!(
                sign,
                Symbol::OpenBrace | Symbol::CloseBrace | Symbol::OpenParen | Symbol::CloseParen
            ),
            None => !matches!(
                self.keyword_at(at),
                Some(Keyword::In | Keyword::Attacks | Keyword::Attackedby)
            ),
        };
        first.checked_sub(1).is_none_or(is_bracket) && is_bracket(last + 1)
    }

    /// Whether the token `at` is between the parentheses of a function or a word.
    fn is_argument(&self, mut at: usize) -> bool {
        while let Some(before) = at.checked_sub(1) {
            at = match self.stream.partner(before) {
                Some(open) if open < before => open,
                Some(_) => {
                    let word = before.checked_sub(1).and_then(|word| self.kind_at(word));
                    let is_word = match word {
                        Some(TokenKind::Keyword(keyword)) => !JOINTS.contains(keyword),
                        word => matches!(word, Some(TokenKind::Name(_))),
                    };
                    return is_word && self.symbol_at(before) == Some(Symbol::OpenParen);
                }
                None => before,
            };
        }
        false
    }

    /// Returns a proposal for the bracket at `at`, which indexes nothing.
    pub(in crate::parse) fn mend_of_bracket(&self, at: usize) -> Option<Mend> {
        if let Some((mend, _)) = self.mend_of_half_squares(at) {
            return Some(mend);
        }
        let whole = self.tokens(at, self.stream.partner(at)?);
        let text = self.whole_text_of(whole);
        let Some(text) = in_brackets("", &text) else {
            let inside = text.strip_prefix('[')?.strip_suffix(']')?;
            // `Q [X] r` is a capture.
            let is_capture = inside.trim().eq_ignore_ascii_case("x");
            let is_filter = !is_capture && (at == 0 || self.space_at(at)) && self.may_start(at + 1);
            let help = "conditions stand between braces, or without any brackets";
            return is_filter.then(|| Mend::edit(help, whole, format!("{{{inside}}}")));
        };
        let help = format!("pieces or squares in brackets touch each other: `{text}`");
        Some(Mend::edit(help, whole, text))
    }

    /// Returns a proposal for pieces on files without ranks or the reverse, as in `Pa-d`, `[Pp]a`
    /// and `K3`, and the last of their tokens.
    pub(super) fn mend_of_half_squares(&self, at: usize) -> Option<Proposal> {
        let (pieces, first, last) = match self.symbol_at(at) {
            Some(Symbol::OpenBracket) => {
                let close = self.stream.partner(at).filter(|&close| !self.space_at(close + 1))?;
                (self.whole_text(at, close), self.whole_text_at(close + 1), close + 1)
            }
            _ => {
                let (piece, line) = self.name_at(at)?.split_at_checked(1)?;
                (piece.to_owned(), line.to_owned(), at)
            }
        };
        // `Aa` are the pieces of both sides.
        if pieces == "A" && first == "a" {
            return self.propose("several pieces are a set in brackets: `[Aa]`", at, at, "[Aa]");
        }
        let is_file = matches!(first.as_bytes(), [b'a'..=b'h']);
        let is_line = |line: &str| match line.as_bytes() {
            [b'a'..=b'h'] => is_file,
            [b'1'..=b'8'] => !is_file,
            _ => false,
        };
        if !is_line(&first) || !is_designator(&pieces) {
            return None;
        }
        let (mut lines, mut last) = (first, last);
        let end = self.whole_text_at(last + 2);
        let is_range =
            self.symbol_at(last + 1) == Some(Symbol::Minus) && self.is_glued_at(last + 1);
        if is_range && is_line(&end) {
            lines = format!("{lines}-{end}");
            last += 2;
        }
        let (what, text) = if is_file {
            ("files need ranks", format!("{pieces}{lines}1-8"))
        } else {
            ("ranks need files", format!("{pieces}a-h{lines}"))
        };
        self.propose(format!("{what}: `{text}`"), at, last, text)
    }

    /// Returns a proposal for a name of pieces directly before a bracket: `P[e4-e5]`.
    pub(in crate::parse) fn mend_of_touched(&self, name: &str, span: Span) -> Mend {
        let text = self.texts.get(usize::from(span.source.0));
        let after = text.and_then(|text| text.get(span.end as usize..)).unwrap_or_default();
        let length = after.iter().take(FAR).position(|&byte| byte == b']').map_or(0, |at| at + 1);
        let list = std::str::from_utf8(&after[..length]).unwrap_or_default();
        let mut whole = span;
        whole.end += list.len() as u32;
        let inside = list.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
        if let Some((from, to)) = inside.and_then(|list| list.split_once('-'))
            && let Some(ranges) = ranges(from, to)
        {
            let text = format!("{name}{ranges}");
            let help =
                format!("files and ranks have a range each: `{text}`; a move is `{name}e2--e4`");
            return Mend::edit(help, whole, text);
        }
        if let Some(text) = in_brackets(name, list) {
            let help = if text.ends_with("[x]") {
                format!("a capture is written with a small x: `{text}`")
            } else {
                format!("squares in brackets have commas and no blanks: `{text}`")
            };
            return Mend::edit(help, whole, text);
        }
        Mend::advice(format!(
            "a piece designator must not touch `[` or `]`: write `{{{name}}}` or a blank"
        ))
    }
}

/// Returns the ranges of files and of ranks between two squares: `a-c2` for `a2` and `c2`.
pub(super) fn ranges(from: &str, to: &str) -> Option<String> {
    let is_range = is_square(from) && is_square(to);
    let range = |at: usize| {
        let (from, to) = (&from[at..=at], &to[at..=at]);
        if from == to { from.to_owned() } else { format!("{from}-{to}") }
    };
    is_range.then(|| range(0) + &range(1))
}

/// Whether a side mostly has several of these pieces, so that two squares mean one on each.
fn are_several(pieces: &str) -> bool {
    !matches!(pieces, "" | "K" | "k" | "Q" | "q")
}

/// Maximum length of a list in brackets, in bytes.
const FAR: usize = 40;

/// Words before the parentheses around one filter.
const JOINTS: &[Keyword] = &[
    Keyword::And,
    Keyword::Or,
    Keyword::Not,
    Keyword::In,
    Keyword::If,
    Keyword::Then,
    Keyword::Else,
    Keyword::While,
    Keyword::Attacks,
    Keyword::Attackedby,
];

/// Returns the squares of a word such as `e3g3`, and every other word as it is.
fn squares_apart(word: &str) -> Vec<&str> {
    let squares = (0..word.len()).step_by(2).map(|at| word.get(at..at + 2));
    let squares = squares.collect::<Option<Vec<_>>>();
    squares.filter(|all| all.iter().copied().all(is_square)).unwrap_or(vec![word])
}

/// Returns the designator or the sign of a capture that pieces and a text in brackets mean.
fn in_brackets(pieces: &str, list: &str) -> Option<String> {
    let inside = list.strip_prefix('[')?.strip_suffix(']')?;
    if !pieces.is_empty() && inside.trim().eq_ignore_ascii_case("x") {
        return Some(format!("{pieces}[x]"));
    }
    let items = inside.split([',', ' ']).filter(|item| !item.is_empty());
    let items: Vec<&str> = items.flat_map(squares_apart).collect();
    if items.is_empty() {
        return None;
    }
    match Items::read(items)? {
        Items::Squares { pieces: own, squares } if own.is_empty() => {
            Some(format!("{pieces}[{squares}]"))
        }
        list @ Items::Pieces(_) if pieces.is_empty() => Some(list.designator()),
        _ => None,
    }
}
