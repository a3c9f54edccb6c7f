//! The state of the parser, and the functions that read single tokens.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::brackets::Torn;
use super::error::ErrorExtent;
use super::names::{ActiveCall, NamedGroups, Names};
use super::parsed::{MAX_DEPTH, ParseOptions};
use super::stream::Stream;
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};
use crate::tree::{Filter, FilterKind, Query, SortId, Type};

/// A query while it is parsed.
pub(super) struct Parser<'a> {
    pub(super) texts: &'a [&'a [u8]],
    pub(super) stream: Rc<Stream<'a>>,
    /// Index of the next token.
    pub(super) pos: usize,
    /// First token that may not be read: the end of the text or of the innermost `path`.
    pub(super) limit: usize,
    pub(super) query: Query,
    pub(super) names: Names,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) filter_starts: Vec<Span>,
    pub(super) seen: HashSet<(&'static str, Span)>,
    pub(super) variations: bool,

    /// Current nesting of [`Parser::expression`].
    pub(super) depth: u32,
    pub(super) max_depth: u32,
    /// Height of the highest tree built since this was last reset.
    pub(super) tallest: u32,
    /// Whether parsing has ended because of a limit.
    pub(super) exhausted: bool,
    /// Whether syntax errors are suppressed as noise. This is the case after an error in a list,
    /// until parsing has resynchronized.
    pub(super) hush_syntax: bool,
    /// Kind of the last reported error.
    pub(super) fault: ErrorExtent,

    /// Whether tokens are in a `path`, outside of braces and brackets, where `+` and `*` are
    /// repetitions.
    pub(super) path_top: bool,
    /// Whether a variable has been declared atomic, even if the text with the declaration was
    /// parsed again.
    pub(super) may_have_atomic: bool,
    /// Whether tokens are in a `line`.
    pub(super) in_line: bool,
    /// Token at which a direct item of `comment( … )` or a similar list begins.
    pub(super) direct_item: Option<usize>,
    /// Parenthesis of the `replace` whose string is being read. A text directly in it is the
    /// pattern.
    pub(super) replaced: Option<usize>,
    /// Named groups and their uses.
    pub(super) groups: NamedGroups,
    /// A filter that was parsed for an operand that did not accept it.
    pub(super) put_back: Option<PutBack>,
    /// The last complete filter, for messages about the operator after it.
    pub(super) last: Option<Last>,

    /// Spans of removed brackets.
    pub(super) torn: Torn,
    /// Spans of errors of the lexer; further errors on these lines are noise.
    pub(super) lex_faults: Vec<Span>,
    /// Names that are declared as dictionaries anywhere in the texts.
    pub(super) later_dictionaries: HashSet<String>,
    /// Spans of designators with squares and other filters that `rotate45` cannot rotate.
    pub(super) fixed_squares: Vec<Span>,
    pub(super) n_echoes: u32,
    pub(super) n_similar: u32,
    pub(super) n_default_sorts: u32,
    /// Sort variables by label.
    pub(super) sorts: HashMap<Vec<u8>, SortId>,
    /// Number of tokens copied by calls of functions.
    pub(super) n_expanded: usize,
    pub(super) calls: Vec<ActiveCall>,
    /// Names of the library of themes, for `theme`, which does not make them known to the query.
    pub(super) themes: Names,
}

pub(super) struct PutBack {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) height: u32,
    pub(super) filter: Filter,
}

/// Properties of the last complete filter.
#[derive(Clone, Copy)]
pub(super) struct Last {
    pub(super) end: usize,
    pub(super) ty: Type,
    pub(super) span: Span,
    pub(super) form: LastForm,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastForm {
    Other,
    Assignment,
    Dash,
    Designator,
    Dictionary,
    Lookup,
    Path,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        texts: &'a [&'a [u8]],
        options: &ParseOptions,
        diagnostics: Vec<Diagnostic>,
    ) -> Parser<'a> {
        Parser {
            texts,
            stream: Rc::new(Stream::new(Vec::new(), Span::default())),
            pos: 0,
            limit: 0,
            query: Query::default(),
            names: Names::default(),
            diagnostics,
            filter_starts: Vec::new(),
            seen: HashSet::new(),
            variations: options.variations.unwrap_or(false),
            depth: 0,
            max_depth: options.max_depth.min(MAX_DEPTH),
            tallest: 0,
            exhausted: false,
            hush_syntax: false,
            fault: ErrorExtent::Structure,
            path_top: false,
            may_have_atomic: false,
            in_line: false,
            direct_item: None,
            replaced: None,
            groups: NamedGroups::default(),
            put_back: None,
            last: None,
            torn: Torn::default(),
            lex_faults: Vec::new(),
            later_dictionaries: HashSet::new(),
            fixed_squares: Vec::new(),
            n_echoes: 0,
            n_similar: 0,
            n_default_sorts: 0,
            sorts: HashMap::new(),
            n_expanded: 0,
            calls: Vec::new(),
            themes: Names::default(),
        }
    }

    pub(super) fn open_stream(&mut self, stream: Rc<Stream<'a>>) {
        self.pos = 0;
        self.limit = stream.tokens.len();
        self.stream = stream;
        self.put_back = None;
        self.last = None;
        self.direct_item = None;
        self.replaced = None;
    }
}

impl Parser<'_> {
    pub(super) fn kind_at(&self, at: usize) -> Option<&TokenKind> {
        if at >= self.limit {
            return None;
        }
        self.stream.tokens.get(at).map(|token| &token.kind)
    }

    pub(super) fn kind(&self) -> Option<&TokenKind> {
        self.kind_at(self.pos)
    }

    pub(super) fn symbol_at(&self, at: usize) -> Option<Symbol> {
        match self.kind_at(at) {
            Some(&TokenKind::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn symbol(&self) -> Option<Symbol> {
        self.symbol_at(self.pos)
    }

    pub(super) fn keyword_at(&self, at: usize) -> Option<Keyword> {
        match self.kind_at(at) {
            Some(&TokenKind::Keyword(keyword)) => Some(keyword),
            _ => None,
        }
    }

    pub(super) fn keyword(&self) -> Option<Keyword> {
        self.keyword_at(self.pos)
    }

    pub(super) fn name_at(&self, at: usize) -> Option<&str> {
        match self.kind_at(at) {
            Some(TokenKind::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the token if it is a string literal of letters.
    pub(super) fn string_at(&self, at: usize) -> Option<&str> {
        match self.kind_at(at)? {
            TokenKind::String(text) => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    /// Returns the digits of a number.
    pub(super) fn digits_at(&self, at: usize) -> Option<String> {
        match self.kind_at(at)? {
            TokenKind::Integer(_) => Some(self.whole_text_at(at)),
            _ => None,
        }
    }

    /// Whether the token is a name or a word of the language.
    pub(super) fn is_word_at(&self, at: usize) -> bool {
        matches!(self.kind_at(at), Some(TokenKind::Name(_) | TokenKind::Keyword(_)))
    }

    /// Whether the token is a number.
    pub(super) fn is_integer_at(&self, at: usize) -> bool {
        matches!(self.kind_at(at), Some(TokenKind::Integer(_)))
    }

    /// Whether the token is a string literal.
    pub(super) fn is_string_at(&self, at: usize) -> bool {
        matches!(self.kind_at(at), Some(TokenKind::String(_)))
    }

    /// Whether the token is a designator of pieces or squares.
    pub(super) fn is_designator_at(&self, at: usize) -> bool {
        matches!(self.kind_at(at), Some(TokenKind::Designator(_)))
    }

    /// Whether the token is the sign of a move.
    pub(super) fn is_dash_at(&self, at: usize) -> bool {
        matches!(self.symbol_at(at), Some(Symbol::Dash | Symbol::CaptureDash))
    }

    /// Whether the token is *white* or *black*.
    pub(super) fn is_color_at(&self, at: usize) -> bool {
        matches!(self.keyword_at(at), Some(Keyword::White | Keyword::Black))
    }

    /// Returns the token before `at`, if it is this word.
    pub(super) fn just_after(&self, at: usize, word: Keyword) -> Option<usize> {
        at.checked_sub(1).filter(|&before| self.keyword_at(before) == Some(word))
    }

    /// Returns the next token if it is a string literal.
    pub(super) fn literal(&self) -> Option<&[u8]> {
        match self.kind() {
            Some(TokenKind::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Reads the next token, whatever it is. Returns its index.
    pub(super) fn eat(&mut self) -> usize {
        self.pos += 1;
        self.pos - 1
    }

    pub(super) fn eat_symbol(&mut self, symbol: Symbol) -> bool {
        let found = self.symbol() == Some(symbol);
        self.pos += usize::from(found);
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        self.pos += usize::from(found);
        found
    }

    /// Reads the next token if it is a string literal. Returns it with its span.
    pub(super) fn eat_literal(&mut self) -> Option<(Vec<u8>, Span)> {
        let text = self.literal()?.to_vec();
        let span = self.here();
        self.pos += 1;
        Some((text, span))
    }

    /// Returns the span of the next token.
    pub(super) fn here(&self) -> Span {
        self.span_at(self.pos)
    }

    pub(super) fn span_at(&self, at: usize) -> Span {
        match self.stream.tokens.get(at) {
            Some(token) => token.span,
            None => self.stream.end,
        }
    }

    /// Returns the span from the token `first` to the token `last`.
    pub(super) fn tokens(&self, first: usize, last: usize) -> Span {
        self.span_at(first).to(self.span_at(last))
    }

    /// Returns the span from the token `start` to the one before the next.
    pub(super) fn span_from(&self, start: usize) -> Span {
        let first = self.span_at(start);
        if self.pos > start + 1 { first.to(self.span_at(self.pos - 1)) } else { first }
    }

    /// Returns the last of these words between the token `start` and the next one, outside of
    /// brackets; the whole span if there is none.
    pub(super) fn last_word(&self, start: usize, words: &[Keyword]) -> Span {
        let mut found = self.span_from(start);
        let mut at = start;
        while at < self.pos {
            if self.keyword_at(at).is_some_and(|word| words.contains(&word)) {
                found = self.span_at(at);
            }
            at = self.stream.partner(at).filter(|&close| close > at).unwrap_or(at) + 1;
        }
        found
    }

    pub(super) fn make(&self, start: usize, ty: Type, kind: FilterKind) -> Filter {
        Filter { kind, ty, span: self.span_from(start) }
    }

    /// Whether white space precedes the token.
    pub(super) fn space_at(&self, at: usize) -> bool {
        self.stream.tokens.get(at).is_none_or(|t| t.space_before)
    }

    /// Whether there is no white space around the token.
    pub(super) fn is_glued_at(&self, at: usize) -> bool {
        !self.space_at(at) && !self.space_at(at + 1)
    }

    /// Whether a dash at `at` belongs to the token before it.
    pub(super) fn is_tied_left(&self, at: usize) -> bool {
        if at == 0 || self.space_at(at) {
            return false;
        }
        let before = &self.stream.tokens[at - 1];
        match before.kind {
            TokenKind::Symbol(Symbol::Union | Symbol::Intersect | Symbol::Element) => false,
            TokenKind::Symbol(symbol) => !symbol
                .text()
                .ends_with(['(', '{', ':', '+', '-', '*', '/', '>', '<', ',', '~', '=']),
            TokenKind::TripleSlash => false,
            _ => !is_sign(before),
        }
    }

    /// Whether a dash directly before the token `at` belongs to it.
    pub(super) fn is_tied_right(&self, at: usize) -> bool {
        if self.kind_at(at).is_none() || self.space_at(at) {
            return false;
        }
        match self.symbol_at(at) {
            Some(symbol) => !symbol.text().starts_with(['}', ')', '*', '+', '?', ':']),
            None => true,
        }
    }

    /// Whether only white space and comments precede the token on its line.
    pub(super) fn is_first_on_line(&self, at: usize) -> bool {
        if at == 0 {
            return true;
        }
        let (before, here) = (self.span_at(at - 1), self.span_at(at));
        if before.source != here.source || here.start < before.end {
            return true;
        }
        let text = self.texts.get(usize::from(here.source.0));
        text.and_then(|t| t.get(before.end as usize..here.start as usize))
            .is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// Whether a filter can begin with the token.
    pub(super) fn may_start(&self, at: usize) -> bool {
        match self.kind_at(at) {
            None => false,
            Some(TokenKind::Symbol(symbol)) => matches!(
                symbol,
                Symbol::Dash
                    | Symbol::CaptureDash
                    | Symbol::ForAll
                    | Symbol::EmptySet
                    | Symbol::Minus
                    | Symbol::Dot
                    | Symbol::OpenParen
                    | Symbol::OpenBrace
                    | Symbol::Count
                    | Symbol::Complement
            ),
            Some(&TokenKind::Keyword(keyword)) => keyword.begins_filter(),
            Some(
                TokenKind::Repetition { .. }
                | TokenKind::Result(_)
                | TokenKind::TripleSlashEnd
                | TokenKind::Input(_)
                | TokenKind::Output(_),
            ) => false,
            Some(_) => true,
        }
    }
}

/// Whether a token is focus, current position, flip or flipcolor as a sign, which counts as a
/// symbol.
fn is_sign(token: &Token) -> bool {
    let TokenKind::Keyword(keyword) = token.kind else {
        return false;
    };
    matches!(
        keyword,
        Keyword::Focus | Keyword::CurrentPosition | Keyword::Flip | Keyword::Flipcolor
    ) && (token.span.end - token.span.start) as usize != keyword.text().len()
}
