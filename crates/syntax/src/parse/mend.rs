//! A correction of a faulty text, and those that depend on single words or filters.

use super::error::nearest;
use super::parser::Parser;
use super::propose::properties::filter_of_value;
use super::propose::route::seconds;
use crate::builtin::{Nullary, NumberSource, SetToNumber, Unary};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceId, Span};
use crate::token::TokenKind;
use crate::tree::{Arithmetic, Filter, FilterKind, Relation, TextSource, Type};

/// A help text, with the edit that implements it if that is unambiguous.
pub(super) struct Mend {
    help: String,
    edit: Option<(Span, String)>,
}

/// A correction, and the token after those that it is about.
pub(super) type Proposal = (Mend, usize);

impl Mend {
    pub(super) fn advice(help: impl Into<String>) -> Mend {
        Mend { help: help.into(), edit: None }
    }

    pub(super) fn edit(help: impl Into<String>, span: Span, text: impl Into<String>) -> Mend {
        Mend { help: help.into(), edit: Some((span, text.into())) }
    }

    pub(super) fn of_synonym(help: &str, text: Option<&str>, span: Span) -> Mend {
        match text {
            Some(text) => Mend::edit(help, span, text),
            None => Mend::advice(help),
        }
    }

    /// Adds the help to a diagnostic, unless it is empty.
    pub(super) fn onto(self, diagnostic: Diagnostic) -> Diagnostic {
        let diagnostic =
            if self.help.is_empty() { diagnostic } else { diagnostic.with_help(self.help) };
        match self.edit {
            Some((span, text)) => diagnostic.with_edit(span, text),
            None => diagnostic,
        }
    }
}

impl<T: Into<String>> From<T> for Mend {
    fn from(help: T) -> Mend {
        Mend::advice(help)
    }
}

impl Parser<'_> {
    /// Proposes a text in place of the tokens from `first` to `last`.
    pub(super) fn propose(
        &self,
        help: impl Into<String>,
        first: usize,
        last: usize,
        text: impl Into<String>,
    ) -> Option<Proposal> {
        Some((Mend::edit(help, self.tokens(first, last), text), last + 1))
    }
}

/// Returns a proposal for a comparison of different types, such as a number with one in quotes.
pub(super) fn mend_of_comparison(op: Relation, left: &Filter, right: &Filter) -> Option<Mend> {
    if left.ty == Type::Boolean || right.ty == Type::Boolean {
        return None;
    }
    for (here, other) in [(left, right), (right, left)] {
        if let (FilterKind::Nullary(Nullary::ColorNumber(color)), FilterKind::Text(name)) =
            (&here.kind, &other.kind)
            && matches!(op, Relation::Equal | Relation::NotEqual)
            // as in `elapsed white == "1:00"`
            && !name.first().is_some_and(u8::is_ascii_digit)
            && let Some(player) = filter_of_value(color.row().word, &String::from_utf8_lossy(name))
        {
            let not = if op == Relation::NotEqual { "not " } else { "" };
            let help = format!("the player is found by `{player}`");
            return Some(Mend::edit(help, left.span.to(right.span), format!("{not}{player}")));
        }
        let is_date =
            matches!(here.kind, FilterKind::TextSource(TextSource::Date | TextSource::EventDate));
        if is_date && let Some(date) = date(other) {
            let help = format!("dates are texts: `{date}`");
            return Some(Mend::edit(help, other.span, date));
        }
        match (&here.kind, other.ty) {
            (FilterKind::Text(text), Type::Numeric | Type::Set) => {
                let text = std::str::from_utf8(text).ok()?;
                if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
                    let help = "write the number without quotes";
                    return Some(Mend::edit(help, here.span, text));
                }
                if let Some(number) = seconds(text) {
                    let help = format!("times are numbers, in seconds: `{number}`");
                    return Some(Mend::edit(help, here.span, number.to_string()));
                }
                let is_type = matches!(
                    other.kind,
                    FilterKind::Unary(Unary::SetToNumber(SetToNumber::Type), _)
                );
                let is_tablebase = matches!(
                    other.kind,
                    FilterKind::Nullary(Nullary::NumberSource(NumberSource::Tablebase))
                );
                if let Some((number, help)) = outcome(text).filter(|_| is_tablebase) {
                    return Some(Mend::edit(help, here.span, number));
                }
                if is_type && !text.is_empty() {
                    let help = "`type` is a number; `typename S` is the name of a piece, such as \"Knight\"";
                    return Some(Mend::advice(help));
                }
            }
            (FilterKind::TextSource(TextSource::Date), Type::Numeric) => {
                let help = "`date` is a text such as \"1992.07.30\"; `year` is a number";
                let is_year = matches!(other.kind, FilterKind::Number(0..=9999));
                let edit = Mend::edit(help, here.span, "year");
                return Some(if is_year { edit } else { Mend::advice(help) });
            }
            (FilterKind::Number(_), Type::String)
                if !matches!(op, Relation::Equal | Relation::NotEqual) =>
            {
                let help = "`<` and `>` compare texts by their letters: `int S` is the number of a \
                            text, `int (S ~~ \"^[0-9]+\")` that at its beginning";
                return Some(Mend::advice(help));
            }
            (FilterKind::Number(number), Type::String) => {
                let help = "write the text in quotes, or make a number of the other side by `int`";
                return Some(Mend::edit(help, here.span, format!("\"{number}\"")));
            }
            _ => {}
        }
    }
    None
}

/// Returns the number of `tablebase` for the outcome that a word names, with the help.
pub(super) fn outcome(word: &str) -> Option<(&'static str, &'static str)> {
    let number = match &*word.to_ascii_lowercase() {
        "win" | "wins" | "won" => "2",
        "draw" | "drawn" => "0",
        "loss" | "lost" | "loses" | "lose" => "-2",
        _ => return None,
    };
    let help =
        "`tablebase` is a number: 2 for a win of the side to move, 0 for a draw, -2 for a loss";
    Some((number, help))
}

/// Returns the date in quotes that was meant by a subtraction such as `2020-01-31`, or a division.
pub(crate) fn date(filter: &Filter) -> Option<String> {
    fn parts(filter: &Filter) -> Option<(&Filter, &Filter)> {
        match &filter.kind {
            FilterKind::Arithmetic(Arithmetic::Subtract | Arithmetic::Divide, left, right) => {
                Some((left, right))
            }
            _ => None,
        }
    }
    let number = |filter: &Filter, least: i32, most: i32| match filter.kind {
        FilterKind::Number(number) if (least..=most).contains(&number) => Some(number),
        _ => None,
    };
    let (left, last) = parts(filter)?;
    Some(match parts(left) {
        Some((year, month)) => {
            let (month, day) = (number(month, 1, 12)?, number(last, 1, 31)?);
            format!("\"{}.{month:02}.{day:02}\"", number(year, 1000, 9999)?)
        }
        None => format!("\"{}.{:02}\"", number(left, 1000, 9999)?, number(last, 1, 12)?),
    })
}

/// Help for a name that resembles no other name.
pub const UNASSIGNED: &str =
    "this is no word of the language; a variable must be assigned before (further up in the text)";

/// Whether the text is a single piece designator.
pub(super) fn is_designator(text: &str) -> bool {
    let lexed = crate::lex::lex(SourceId::default(), text.as_bytes());
    matches!(lexed.tokens.as_slice(), [only] if matches!(only.kind, TokenKind::Designator(_)))
}

/// Returns a capture in CQL. A piece takes none of its own side, so the color of the second one is
/// changed if it is that of the first: `PxP`.
pub(super) fn capture(left: &str, right: &str) -> String {
    let side = |text: &str| {
        let letter = text.bytes().next().filter(|_| !has_square(text))?;
        letter.is_ascii_alphabetic().then_some(letter.is_ascii_uppercase())
    };
    match (side(left), side(right)) {
        (Some(own), Some(other)) if own == other => {
            let (letter, rest) = right.split_at(1);
            let letter =
                if own { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
            format!("{left}[x]{letter}{rest}")
        }
        _ => format!("{left}[x]{right}"),
    }
}

/// Returns the help for a capture in CQL, with that of the other side if it names its pieces.
pub(super) fn help_for_capture(text: &str) -> String {
    let of_white = text.starts_with(|c: char| c.is_ascii_uppercase());
    let Some((left, right)) = text.split_once("[x]").filter(|_| of_white) else {
        return format!("a capture is written `{text}`");
    };
    let swap = |part: &str| match part.split_at_checked(1) {
        Some((first, rest)) if first != first.to_ascii_lowercase() => {
            first.to_ascii_lowercase() + rest
        }
        // The letters of squares stay.
        Some((first, rest)) if !has_square(part) => first.to_ascii_uppercase() + rest,
        _ => part.to_owned(),
    };
    format!("a capture by White is written `{text}`, by Black `{}[x]{}`", swap(left), swap(right))
}

/// Whether a text is the name of a square.
pub(super) fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Whether a text begins with the name of a square.
fn has_square(text: &str) -> bool {
    text.get(..2).is_some_and(is_square)
}

/// Returns a proposal to replace the word at `span` by the most similar of some words.
pub(super) fn mend_of_word<'c>(
    word: &str,
    span: Span,
    words: impl IntoIterator<Item = &'c str>,
) -> Option<Mend> {
    let near = nearest(word, words)?;
    Some(Mend::edit(format!("did you mean `{near}`?"), span, near))
}
