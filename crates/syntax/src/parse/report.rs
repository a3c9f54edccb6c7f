//! Reports errors, with messages about the next token.

use std::fmt::Display;

use super::error::{ErrorExtent, Failed, MAX_ERRORS, REPEATS_IN_PATH, Res, code, type_name};
use super::mend::Mend;
use super::parser::{Last, LastForm, Parser};
use super::usage::usage;
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::Type;

impl Parser<'_> {
    /// Adds a diagnostic, unless it repeats another one or would be noise.
    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        self.fault = match diagnostic.code {
            code::UNKNOWN_NAME
            | code::BOOK_MOVE
            | code::OPERAND_TYPE
            | code::OPERATOR_TYPE
            | code::VARIABLE_TYPE
            | code::COMPARISON
            | code::LITERAL => ErrorExtent::Operand,
            code::LEFTOVER => ErrorExtent::Operator,
            _ => ErrorExtent::Structure,
        };
        let is_often_noise = matches!(
            diagnostic.code,
            code::EXPECTED_FILTER
                | code::LEFTOVER
                | code::EXPECTED_SYMBOL
                | code::EMPTY
                | code::TOO_MANY
                | code::MOVE
                | code::PATH
                | code::LINE
                | code::CONTEXT
        );
        // An `=` in place of `==` is a mistake of its own, as in `eco = "B90" or eco = "B91"`.
        let is_own = diagnostic.code == code::LEFTOVER
            && diagnostic.edit.is_some()
            && self.symbol() == Some(Symbol::Assign);
        // The `if` before this word has been skipped.
        let is_orphan = diagnostic.code == code::EXPECTED_FILTER
            && matches!(self.keyword(), Some(Keyword::Then | Keyword::Else))
            && !self.diagnostics.is_empty();
        if self.hush_syntax && is_often_noise && !is_own
            || is_orphan
            || self.is_explained(&diagnostic)
            || self.is_beside_lex_fault(diagnostic.span)
        {
            return;
        }
        let is_full = self.diagnostics.len() >= MAX_ERRORS;
        if is_full || !self.seen.insert((diagnostic.code, diagnostic.span)) {
            return;
        }
        for call in self.calls.iter().rev().take(3) {
            diagnostic.notes.push((call.span, format!("in this call of `{}`", call.name)));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether a removed bracket may be the cause of a diagnostic.
    fn is_explained(&self, diagnostic: &Diagnostic) -> bool {
        let mut gaps = self.torn.gaps.iter();
        match diagnostic.code {
            code::UNKNOWN_NAME | code::BOOK_MOVE | code::NO_HEADER | code::HEADER_WORD => false,
            // An operand may begin or end with the bracket, wherever its other end is.
            code::OPERAND_TYPE | code::OPERATOR_TYPE => gaps.any(|gap| {
                self.share_line(Span { end: gap.start, ..*gap }, diagnostic.span)
                    || self.share_line(Span { start: gap.end, ..*gap }, diagnostic.span)
            }),
            code::COMPARISON | code::LITERAL => gaps.any(|gap| {
                let notes = diagnostic.notes.iter().map(|(span, _)| *span);
                let mut places = notes.chain([diagnostic.span]);
                places.any(|place| {
                    gap.source == place.source && gap.start <= place.end && place.start <= gap.end
                })
            }),
            _ => gaps.next().is_some(),
        }
    }

    /// Whether the lexer reported an error on the same line.
    fn is_beside_lex_fault(&self, span: Span) -> bool {
        let mut faults = self.lex_faults.iter();
        faults.any(|fault| self.share_line(*fault, span))
    }

    /// Whether two spans begin on the same line.
    fn share_line(&self, a: Span, b: Span) -> bool {
        let (from, to) = (a.start.min(b.start), a.start.max(b.start));
        let text = self.texts.get(usize::from(a.source.0));
        let between = text.and_then(|text| text.get(from as usize..to as usize));
        a.source == b.source && between.is_some_and(|between| !between.contains(&b'\n'))
    }

    /// Reports an error after the word `word` with the usage of that word, and fails.
    pub(super) fn fail_usage<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: String,
        word: &str,
    ) -> Res<T> {
        Err(self.report_usage(code, span, message, word))
    }

    #[inline(never)]
    pub(super) fn report_usage(
        &mut self,
        code: &'static str,
        span: Span,
        message: String,
        word: &str,
    ) -> Failed {
        let diagnostic = Diagnostic::error(code, span, message);
        self.report(match usage(word) {
            Some(usage) => diagnostic.with_help(usage),
            None => diagnostic,
        });
        Failed
    }

    /// Reports an error and fails.
    pub(super) fn fail<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Res<T> {
        self.report(Diagnostic::error(code, span, message));
        Err(Failed)
    }

    /// Reports an error with a help text and fails.
    pub(super) fn fail_help<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<Mend>,
    ) -> Res<T> {
        self.report(help.into().onto(Diagnostic::error(code, span, message)));
        Err(Failed)
    }

    /// Reports that a symbol or word was expected at the next token, with a help text unless it is
    /// empty, and fails.
    pub(super) fn expected<T>(&mut self, what: impl Display, help: impl Into<Mend>) -> Res<T> {
        self.expected_as(code::EXPECTED_SYMBOL, what, help)
    }

    /// Reports a missing symbol or word with another code, and fails.
    pub(super) fn expected_as<T>(
        &mut self,
        code: &'static str,
        what: impl Display,
        help: impl Into<Mend>,
    ) -> Res<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.fail_help(code, self.here(), message, help)
    }

    /// Returns the text of a span.
    pub(super) fn whole_text_of(&self, span: Span) -> String {
        let text = self.texts.get(usize::from(span.source.0));
        let slice = text.and_then(|t| t.get(span.start as usize..span.end as usize));
        String::from_utf8_lossy(slice.unwrap_or_default()).into_owned()
    }

    /// Returns the text of a span, shortened.
    pub(super) fn text_of(&self, span: Span) -> String {
        let mut text = self.whole_text_of(span);
        if let Some((at, _)) = text.char_indices().nth(40) {
            text.truncate(at);
            text.push('…');
        }
        text
    }

    /// Returns the text of a token.
    pub(super) fn whole_text_at(&self, at: usize) -> String {
        self.whole_text_of(self.span_at(at))
    }

    /// Returns the text from the token `first` to the token `last`.
    pub(super) fn whole_text(&self, first: usize, last: usize) -> String {
        self.whole_text_of(self.tokens(first, last))
    }

    /// Returns the text of a token, shortened.
    pub(super) fn text_at(&self, at: usize) -> String {
        self.text_of(self.span_at(at))
    }

    /// Returns the text of a token in small letters, shortened.
    pub(super) fn lower_at(&self, at: usize) -> String {
        self.text_at(at).to_ascii_lowercase()
    }

    /// Describes the next token for messages.
    pub(super) fn found(&self) -> String {
        match self.kind() {
            None if self.limit < self.stream.tokens.len() => "the end of the path".into(),
            None if !self.calls.is_empty() => "the end of the function".into(),
            None => "the end of the query".into(),
            Some(TokenKind::TripleSlashEnd) => "the end of the `///` line".into(),
            Some(_) => format!("`{}`", self.text_of(self.here())),
        }
    }

    /// Reports that a filter was expected, and fails. The next token cannot begin one.
    pub(super) fn expected_filter<T>(&mut self) -> Res<T> {
        const NEEDS_LEFT: &str = "this operator needs a value on its left, too";
        self.leftover()?;
        let span = self.here();
        let message = format!("expected a filter, found {}", self.found());
        if let Some(mend) = self.mend_of_filter(self.pos) {
            return self.fail_help(code::EXPECTED_FILTER, span, message, mend);
        }
        let help = match self.kind() {
            Some(TokenKind::Symbol(symbol)) => match symbol {
                Symbol::Backslash => Some(
                    "only `\\0` … `\\99`, `\\-0` …, `\\n`, `\\t`, `\\r`, `\\\"` and `\\\\` begin with a backslash",
                ),
                Symbol::LineForward | Symbol::LineBackward => {
                    Some("arrows stand between the parts of a `line` filter: `line --> F --> G`")
                }
                Symbol::Question | Symbol::RepeatAny | Symbol::RepeatSome => {
                    Some("repetitions follow moves and groups of a `path`, or parts of a `line`")
                }
                Symbol::OpenBracket => Some(
                    "only strings and dictionaries are indexed; a designator must not touch the bracket: write `D[{R}]`",
                ),
                Symbol::Plus | Symbol::Star if self.path_top => Some(REPEATS_IN_PATH),
                Symbol::Assign => Some("`==` compares, `NAME = F` assigns to a variable"),
                Symbol::Star => Some(NEEDS_LEFT),
                _ => symbol.is_infix().then_some(NEEDS_LEFT),
            },
            Some(TokenKind::Repetition { min, max }) if min == max => {
                let text = format!(
                    "`{{{min}}}` is a repetition; write `{{ {min} }}` for the number in braces"
                );
                return self.fail_help(code::EXPECTED_FILTER, span, message, text);
            }
            Some(TokenKind::Repetition { .. }) => {
                Some("repetitions follow moves and groups of a `path`, or parts of a `line`")
            }
            Some(TokenKind::Result(_)) => {
                Some("a result stands after `result`; put blanks around the minus sign to subtract")
            }
            Some(TokenKind::Input(_) | TokenKind::Output(_)) => {
                Some("files are named in the header: `cql(input FILE)`")
            }
            Some(TokenKind::TripleSlashEnd) => {
                Some("filters of a `///` line may not go over to the next line")
            }
            Some(TokenKind::Keyword(keyword)) => keyword_help(*keyword),
            _ => None,
        };
        match help {
            Some(help) => self.fail_help(code::EXPECTED_FILTER, span, message, help),
            None => self.fail(code::EXPECTED_FILTER, span, message),
        }
    }

    /// Reports the next token if it is an operator that is not allowed after the type of the
    /// previous filter. Otherwise does nothing.
    pub(super) fn leftover(&mut self) -> Res<()> {
        let Some(last) = self.last.filter(|last| last.end == self.pos) else {
            return Ok(());
        };
        let word = match self.kind() {
            // directly in a path they are not operators
            Some(TokenKind::Symbol(Symbol::Plus | Symbol::Star)) if self.path_top => return Ok(()),
            Some(TokenKind::Symbol(symbol)) => symbol.text(),
            Some(TokenKind::Keyword(
                keyword @ (Keyword::In
                | Keyword::Attacks
                | Keyword::Attack
                | Keyword::Attackedby
                | Keyword::Attacked),
            )) => keyword.text(),
            _ => return Ok(()),
        };
        let Some(wanted) = wanted_on_the_left(word) else {
            return Ok(());
        };
        if word == "+"
            && let Some(right) = self.put_back.as_ref().filter(|b| b.at == self.pos + 1)
        {
            let (left, right) = match right.filter.ty {
                Type::String => ("a number", "a string"),
                _ => ("a string", "a number"),
            };
            let span = self.here();
            let message = format!("`+` joins two numbers or two strings, found {left} and {right}");
            let help = "`str F` makes a string of a value, `int S` a number of a string";
            self.report(
                Diagnostic::error(code::LEFTOVER, span, message)
                    .with_help(help)
                    .with_note(last.span, format!("this is {left}")),
            );
            self.fault = ErrorExtent::Operand;
            return Err(Failed);
        }
        let found = match last.form {
            LastForm::Assignment => "an assignment, which has no value",
            LastForm::Dash if last.ty == Type::Boolean => "a move filter without a value",
            LastForm::Dictionary => "a dictionary",
            LastForm::Lookup if word.ends_with('=') && wanted == "a variable" => "an entry",
            LastForm::Lookup if last.ty == Type::Boolean => {
                "an entry of a dictionary whose values have no type yet"
            }
            LastForm::Designator if wanted == "a variable" => "a piece designator",
            _ => type_name(last.ty),
        };
        let help = leftover_help(word, last);
        let span = self.here();
        let diagnostic = Diagnostic::error(
            code::LEFTOVER,
            span,
            format!("`{word}` needs {wanted} on its left, found {found}"),
        )
        .with_note(last.span, format!("this is {found}"));
        let (mend, after) = match self.mend_after(word, last) {
            Some((mend, after)) => (Some(mend), Some(after)),
            None => {
                let of_bracket = if word == "[" { self.mend_of_bracket(self.pos) } else { None };
                (of_bracket.or_else(|| self.mend_of_leftover(word, last)), None)
            }
        };
        self.report(match (mend, help) {
            (Some(mend), _) => mend.onto(diagnostic),
            (None, Some(help)) => diagnostic.with_help(help),
            (None, None) => diagnostic,
        });
        if let Some(after) = after {
            self.pos = after;
            // The filter after `or` has a mistake of its own: `eco = "B90" or eco = "B91"`.
            let is_joined = matches!(word, "=" | ":") && last.ty == Type::Boolean;
            self.fault = if is_joined { ErrorExtent::Operator } else { ErrorExtent::Operand };
        }
        Err(Failed)
    }

    /// Returns a proposal for the operator `word` at the next token and what follows it, and the token
    /// after both.
    fn mend_after(&self, word: &str, last: Last) -> Option<(Mend, usize)> {
        match (word, last.form) {
            ("=", LastForm::Designator) => self.mend_of_promotion(last),
            ("=", _) if matches!(last.ty, Type::String | Type::Numeric) => {
                self.mend_of_value(self.pos)
            }
            ("=", _) if last.ty == Type::Boolean => self.mend_of_joined_value(self.pos, last),
            ("in", _) if last.ty == Type::Numeric => self.mend_of_numbers(self.pos, last.span),
            ("+", LastForm::Designator) => self.mend_of_sides(self.pos),
            (":", LastForm::Designator) => self.mend_of_colon(last),
            (":", LastForm::Assignment) => self.mend_of_periods(),
            (":", _) if last.ty == Type::Boolean => self.mend_of_joined_value(self.pos, last),
            ("in", _) if self.text_of(last.span) == Keyword::Mate.text() => {
                self.pos.checked_sub(1).and_then(|at| self.mend_of_mate_in(at))
            }
            (":", _) if matches!(last.ty, Type::String | Type::Numeric) => {
                self.mend_of_time().or_else(|| self.mend_of_value(self.pos))
            }
            _ => None,
        }
    }

    /// Reports that a limit is exceeded, and ends parsing.
    pub(super) fn exhaust<T>(&mut self, code: &'static str, message: &str) -> Res<T> {
        if !self.exhausted {
            let help = "use a variable or a simpler filter";
            self.report(Diagnostic::error(code, self.here(), message).with_help(help));
        }
        self.exhausted = true;
        Err(Failed)
    }
}

fn wanted_on_the_left(word: &str) -> Option<&'static str> {
    Some(match word {
        "+" => "a number or a string",
        "*" | "/" | "%" => "a number",
        "|" | "&" | "->" | "<-" | "attacks" | "attack" | "attackedby" | "attacked" => {
            "a set of squares"
        }
        "<" | ">" | "<=" | ">=" | "==" | "!=" => "a set, number, string or position",
        "[<]" | "[<=]" | "[>]" | "[>=]" | ":" => "a position",
        "in" => "a set or a string",
        "~~" | "[" => "a string",
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "|=" | "&=" | "=?" => "a variable",
        _ => return None,
    })
}

fn leftover_help(word: &str, last: Last) -> Option<&'static str> {
    Some(match (word, last.form, last.ty) {
        (_, LastForm::Assignment, _) => {
            "put what is assigned into braces: `x={1<2}`; to compare, write `==`"
        }
        ("=", LastForm::Dash, _) => "the `=` of a promotion must touch the move: `P--=Q`",
        ("=", LastForm::Lookup, _) => "only one index may stand before `=`",
        ("=", LastForm::Designator, _) => {
            "names of piece letters and squares are taken; use a longer one, or `==` to compare"
        }
        ("=", ..) => "`==` compares; only a name, `D[k]` or `v[i]` can be assigned to",
        ("+=" | "-=" | "*=" | "/=" | "%=" | "|=" | "&=", LastForm::Lookup, _) => {
            "write the operation out: `D[k]=D[k]+1`"
        }
        ("+" | "*", LastForm::Path, _) => {
            "a repetition follows a move or a group of the path; group with parentheses: `(F)+`"
        }
        ("+" | "*" | "/" | "%", _, Type::Set) => "`#S` is the number of squares of a set",
        ("+", _, Type::Boolean) => {
            "a repetition follows a move or a group: `(-- check)+`; to add, both sides need values"
        }
        ("&" | "|", _, Type::Boolean) => "conditions are combined by `and`, `or` and `not`",
        ("==" | "!=", _, Type::Boolean) => {
            "conditions are combined by `and`, `or`, `not`; `equal(F G)` compares any two filters"
        }
        ("<-", _, Type::Numeric) => "`<-` is an arrow; write `x< -3` with a blank to compare",
        ("[", LastForm::Dictionary, _) => "write `#(D[k])`",
        ("[", LastForm::Lookup, _) => "a dictionary takes one index",
        (":", ..) => "`P:F` evaluates F at the position P",
        _ => return None,
    })
}

/// Returns the help for a reserved word that does not begin a filter.
fn keyword_help(keyword: Keyword) -> Option<&'static str> {
    Some(match keyword {
        Keyword::Any => "`.` is the set of all squares",
        Keyword::Attack | Keyword::Attacks => {
            "`X->Y` are the squares of X that attack Y, `Y<-X` the attacked squares of Y"
        }
        Keyword::Piecepath => "`piecepath` is a parameter of `path`: `path focus S piecepath …`",
        Keyword::Title => "`title` is a parameter of `path`: `path title \"…\" …`",
        Keyword::Singlecolor => "`singlecolor` is a parameter of `path` and `line`",
        Keyword::Then | Keyword::Else => "`then` and `else` belong to `if`: `if C then F else G`",
        Keyword::Variations | Keyword::Silent | Keyword::Quiet | Keyword::Matchstring => {
            "this is a parameter of the header: `cql(…)`"
        }
        Keyword::Matchcount => "`matchcount` stands in the header: `cql(matchcount 2 5)`",
        Keyword::Capture | Keyword::Captures => {
            "`N[x]q`: a white knight takes a black queen; `[x]q`: anything takes it; `[x]`: any capture"
        }
        Keyword::Promote => {
            "a promotion is `P--=Q` before the move, and `currentmove P--=Q` after it"
        }
        Keyword::Substring => "write `\"text\" in F`",
        Keyword::Count => "`#S` is the number of squares of a set",
        _ => return None,
    })
}
