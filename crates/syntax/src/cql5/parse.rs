//! Builds the tree of CQL 5 from tokens.
//!
//! After a syntax error, parsing resumes after the list that contains it, or outside of brackets
//! with the next line. An error of meaning (an operand that is not a set, a descending range) is
//! reported, and parsing continues.

mod board;
mod header;
mod moves;
mod relation;
mod variables;

use std::collections::{HashMap, HashSet};

use super::Parsed;
use super::lex::{Lexed, Token, TokenKind};
use super::tree::{Child, Filter, FilterKind, Query, Range};
use super::word::Word;
use crate::builtin::{Nullary, Predicate, Turn};
use crate::diagnostic::Diagnostic;
use crate::parse::nearest;
use crate::span::{SourceId, Span};
use crate::tree::{Color, DirectionName, SortId, TransformFamily};
use variables::Scope;

/// Codes of the errors; the lexer reports E0601 to E0603.
mod code {
    pub(super) const SYNTAX: &str = "E0604";
    pub(super) const RANGE: &str = "E0605";
    pub(super) const KIND: &str = "E0606";
    pub(super) const VARIABLE: &str = "E0607";
    pub(super) const HEADER: &str = "E0608";
    pub(super) const MOVE: &str = "E0609";
    pub(super) const RELATION: &str = "E0610";
    pub(super) const SEQUENCE: &str = "E0611";
    pub(super) const DEPTH: &str = "E0612";
    pub(super) const OLDER_SPELLING: &str = "W0420";
}

/// Maximum number of errors that are kept.
const MAX_ERRORS: usize = 100;

/// Maximum number of images of a filter within nested transforms.
const MAX_IMAGES: u32 = 100_000;

/// An error that has been reported.
struct Failed;

type Res<T> = Result<T, Failed>;

/// Parses the tokens of a text.
pub(super) fn parse(source: SourceId, text: &[u8], lexed: Lexed, max_depth: u32) -> Parsed {
    let mut depths = Vec::with_capacity(lexed.tokens.len());
    let mut depth = 0i64;
    for token in &lexed.tokens {
        match token.kind {
            TokenKind::CloseParen | TokenKind::CloseBrace => depth -= 1,
            _ => {}
        }
        depths.push(depth);
        match token.kind {
            TokenKind::OpenParen | TokenKind::OpenBrace => depth += 1,
            _ => {}
        }
    }
    let mut parser = Parser {
        source,
        text,
        tokens: lexed.tokens,
        depths,
        at: 0,
        nesting: 0,
        max_depth,
        query: Query::default(),
        scopes: Vec::new(),
        n_unnamed_sorts: 0,
        sorts: HashMap::new(),
        n_images: 1,
        seen: HashSet::new(),
        diagnostics: lexed.diagnostics,
    };
    parser.diagnostics.truncate(MAX_ERRORS);
    if parser.query().is_err() && parser.diagnostics.is_empty() {
        let span = parser.here();
        parser.error(code::SYNTAX, span, "this is not a query");
    }
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_cached_key(|d| d.span);
    Parsed { query: parser.query, diagnostics }
}

struct Parser<'t> {
    source: SourceId,
    text: &'t [u8],
    tokens: Vec<Token>,
    /// For each token, the number of open brackets around it; a bracket is outside of itself.
    depths: Vec<i64>,
    /// Index of the next token.
    at: usize,
    nesting: u32,
    max_depth: u32,
    query: Query,
    /// The loops around the current token, outermost first.
    scopes: Vec<Scope>,
    n_unnamed_sorts: u32,
    /// Sort fields by name.
    sorts: HashMap<Vec<u8>, SortId>,
    /// Number of images that the transforms around the current token create.
    n_images: u32,
    seen: HashSet<(&'static str, Span)>,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    // ---- tokens

    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn word(&self) -> Option<Word> {
        self.word_at(self.at)
    }

    fn word_at(&self, at: usize) -> Option<Word> {
        match self.tokens.get(at)?.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is(&self, kind: &TokenKind) -> bool {
        self.peek() == Some(kind)
    }

    fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.is(kind);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: Word) -> bool {
        self.take(&TokenKind::Word(word))
    }

    /// Returns the span of the next token, or of the end of the text.
    fn here(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(token) => token.span,
            None => Span::new(self.source, self.text.len(), self.text.len()),
        }
    }

    /// Returns the span from the token `start` to the last one that was read.
    fn since(&self, start: usize) -> Span {
        let first = self.tokens.get(start).map_or(self.here(), |t| t.span);
        match self.at.checked_sub(1).filter(|&last| last >= start) {
            Some(last) => first.to(self.tokens[last].span),
            None => first,
        }
    }

    fn text_of(&self, span: Span) -> String {
        let bytes = &self.text[span.start as usize..span.end as usize];
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Describes the next token for messages.
    fn found(&self) -> String {
        match self.tokens.get(self.at) {
            Some(token) => format!("`{}`", self.text_of(token.span)),
            None => "the end of the query".to_owned(),
        }
    }

    // ---- errors

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() >= MAX_ERRORS {
            // further errors would not be kept
            self.at = self.tokens.len();
        } else if self.seen.insert((diagnostic.code, diagnostic.span)) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn complain(&mut self, what: &str) -> Failed {
        // the lexer has reported faulty words
        if self.peek() != Some(&TokenKind::Faulty) {
            let message = format!("expected {what}, found {}", self.found());
            let mut diagnostic = Diagnostic::error(code::SYNTAX, self.here(), message);
            if let Some(TokenKind::Name(name)) = self.peek() {
                // only words that the message names
                let words = Word::ALL.iter().map(|word| word.text());
                let named = words.filter(|word| what.contains(&format!("`{word}`")));
                if let Some(near) = nearest(name, named) {
                    diagnostic = self.with_word(diagnostic, near);
                }
            }
            self.report(diagnostic);
        }
        Failed
    }

    fn expected<T>(&mut self, what: &str) -> Res<T> {
        Err(self.complain(what))
    }

    fn expect(&mut self, kind: &TokenKind, what: &str) -> Res<()> {
        if self.take(kind) { Ok(()) } else { self.expected(what) }
    }

    /// Resumes after a syntax error in a list at this depth of brackets, whose broken item began at
    /// the token `start`.
    fn recover(&mut self, start: usize, depth: i64) {
        self.at = self.at.max(start + 1);
        while self.at < self.tokens.len() {
            let here = self.depths[self.at];
            if here < depth || depth == 0 && here == 0 && self.begins_line(self.at) {
                return;
            }
            self.at += 1;
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let end = self.tokens[at - 1].span.end as usize;
        let start = self.tokens[at].span.start as usize;
        self.text[end..start].contains(&b'\n')
    }

    // ---- ranges and strings

    fn integer(&mut self) -> Option<i32> {
        match self.peek() {
            Some(&TokenKind::Integer(number)) => {
                self.at += 1;
                Some(number)
            }
            _ => None,
        }
    }

    /// Reads one or two integers as a range.
    fn range(&mut self) -> Option<Range> {
        let start = self.at;
        let min = self.integer()?;
        let max = self.integer().unwrap_or(min);
        if max < min {
            let (span, message) = (self.since(start), format!("the range {min} {max} descends"));
            let diagnostic = Diagnostic::error(code::RANGE, span, message)
                .with_help(format!("write `{max} {min}`"))
                .with_edit(span, format!("{max} {min}"));
            self.report(diagnostic);
            return Some(Range { min: max, max: min });
        }
        Some(Range { min, max })
    }

    /// Reads the range that `what` requires.
    fn required_range(&mut self, what: &str) -> Range {
        match self.range() {
            Some(range) => range,
            None => {
                let message = format!("{what} needs a range, found {}", self.found());
                let diagnostic = Diagnostic::error(code::RANGE, self.here(), message);
                let help = "a range is one number, or the least and the greatest: `3` or `3 5`";
                self.report(diagnostic.with_help(help));
                Range { min: 0, max: 0 }
            }
        }
    }

    fn string(&mut self) -> Option<Vec<u8>> {
        match self.tokens.get(self.at).map(|token| &token.kind) {
            Some(TokenKind::String(text)) => {
                let text = text.clone();
                self.at += 1;
                Some(text)
            }
            _ => None,
        }
    }

    fn required_string(&mut self) -> Res<Vec<u8>> {
        match self.string() {
            Some(text) => Ok(text),
            None => self.expected("a string"),
        }
    }

    fn color(&mut self) -> Option<Color> {
        let color = match self.word()? {
            Word::White => Color::White,
            Word::Black => Color::Black,
            _ => return None,
        };
        self.at += 1;
        Some(color)
    }

    // ---- filters

    /// Whether `{ 2 }` or `{ 2 3 }` follows, which is always a repetition, never a group of
    /// filters.
    fn is_repetition(&self) -> bool {
        let kind = |i: usize| self.tokens.get(self.at + i).map(|token| &token.kind);
        let integer = |i| matches!(kind(i), Some(TokenKind::Integer(_)));
        kind(0) == Some(&TokenKind::OpenBrace)
            && integer(1)
            && (kind(2) == Some(&TokenKind::CloseBrace)
                || integer(2) && kind(3) == Some(&TokenKind::CloseBrace))
    }

    /// Whether no filter can begin here, so that a list of filters ends.
    fn at_end_of_list(&self) -> bool {
        use TokenKind as T;
        match self.peek() {
            None | Some(T::CloseParen | T::CloseBrace | T::OpenParen) => true,
            Some(T::Star | T::Plus | T::Question) => true,
            Some(T::OpenBrace) => self.is_repetition(),
            Some(&T::Word(word)) => relation::echo_family(word).is_some(),
            _ => false,
        }
    }

    /// Reads filters up to the end of the list.
    fn filters(&mut self) -> Vec<Filter> {
        self.filters_until(Self::at_end_of_list)
    }

    /// Reads filters until `is_end` returns `true`.
    fn filters_until(&mut self, is_end: fn(&Self) -> bool) -> Vec<Filter> {
        let depth = self.depths.get(self.at).copied().unwrap_or(0);
        let mut filters = Vec::new();
        while !is_end(self) {
            let start = self.at;
            match self.filter() {
                Ok(filter) => filters.push(filter),
                Err(Failed) => self.recover(start, depth),
            }
        }
        filters
    }

    /// Increases the nesting depth; fails if it is too deep.
    fn descend(&mut self) -> Res<()> {
        self.nesting += 1;
        if self.nesting <= self.max_depth {
            return Ok(());
        }
        let span = self.here();
        self.error(code::DEPTH, span, "filters are nested too deeply here");
        self.at = self.tokens.len();
        Err(Failed)
    }

    /// Reads a filter with the whole chain of `or` and `on` after it.
    fn filter(&mut self) -> Res<Filter> {
        let start = self.at;
        let nesting = self.nesting;
        let result = self.chain();
        self.nesting = nesting;
        result.map(|mut filter| {
            filter.span = self.since(start);
            filter
        })
    }

    fn chain(&mut self) -> Res<Filter> {
        self.descend()?;
        let mut last = self.primary()?;
        let mut before: Vec<(Filter, Word)> = Vec::new();
        while let Some(operator @ (Word::Or | Word::On)) = self.word() {
            if before.last().is_some_and(|(_, other)| *other != operator) {
                self.descend()?;
            }
            self.at += 1;
            before.push((last, operator));
            last = self.primary()?;
        }
        // right-associative: `A on B or C` is A on (B or C)
        while let Some((left, operator)) = before.pop() {
            last = self.join(operator, left, last);
        }
        Ok(last)
    }

    fn join(&mut self, operator: Word, left: Filter, right: Filter) -> Filter {
        let span = left.span.to(right.span);
        if operator == Word::On {
            self.require_set(&left, "the left side of `on`");
            self.require_set(&right, "the right side of `on`");
            for side in [&left, &right] {
                self.warn_of_any_square(side);
            }
        }
        let same = matches!(
            (&right.kind, operator),
            (FilterKind::Or(_), Word::Or) | (FilterKind::On(_), Word::On)
        );
        let items = match right.kind {
            FilterKind::Or(mut items) | FilterKind::On(mut items) if same => {
                items.insert(0, left);
                items
            }
            kind => vec![left, Filter { kind, span: right.span }],
        };
        let kind = match operator {
            Word::On => FilterKind::On(items),
            _ => FilterKind::Or(items),
        };
        Filter { kind, span }
    }

    /// Warns of `P on .`, in which CQL 5.1 read an empty square.
    fn warn_of_any_square(&mut self, side: &Filter) {
        if let FilterKind::All = side.kind
            && self.text_of(side.span) == "."
        {
            let message = "`.` is any square since CQL 5.2, so this changes nothing";
            let warning = Diagnostic::warning(code::OLDER_SPELLING, side.span, message)
                .with_help("an empty square is `_`")
                .with_edit(side.span, "_");
            self.report(warning);
        }
    }

    fn require_set(&mut self, filter: &Filter, what: &str) {
        if !filter.is_set() {
            let text = self.text_of(filter.span);
            let shown: String = text.chars().take(40).collect();
            let message = format!("{what} must be a set of squares, which `{shown}` is not");
            self.error(code::KIND, filter.span, message);
        }
    }

    /// Reads a filter that must be a set of squares.
    fn set(&mut self, what: &str) -> Res<Filter> {
        let filter = self.filter()?;
        self.require_set(&filter, what);
        Ok(filter)
    }

    fn child_set(&mut self, what: &str) -> Res<Child> {
        self.set(what).map(Box::new)
    }

    /// Reads `(S T)`.
    fn two_sets(&mut self, what: &str) -> Res<(Child, Child)> {
        self.expect(&TokenKind::OpenParen, &format!("`(` after {what}"))?;
        let operand = format!("an operand of {what}");
        let first = self.child_set(&operand)?;
        let second = self.child_set(&operand)?;
        self.expect(&TokenKind::CloseParen, &format!("`)` after the two sets of {what}"))?;
        Ok((first, second))
    }

    fn primary(&mut self) -> Res<Filter> {
        let start = self.at;
        let kind = self.primary_kind()?;
        let span = self.since(start);
        Ok(Filter { kind, span })
    }

    fn primary_kind(&mut self) -> Res<FilterKind> {
        match self.peek().cloned() {
            Some(TokenKind::OpenBrace) => self.block(),
            Some(TokenKind::Designator(designator)) => {
                self.at += 1;
                Ok(self.designator(designator))
            }
            Some(TokenKind::Name(name)) => match DirectionName::from_word(&name) {
                Some(direction) => self.direction(&name, direction),
                None => self.unknown_name(&name),
            },
            Some(TokenKind::Word(word)) => self.word_filter(word),
            Some(TokenKind::Integer(_)) => self.expected(
                "a filter (a range stands after the word that it belongs to, such as `power 3 5 A`)",
            ),
            _ => self.expected("a filter"),
        }
    }

    fn block(&mut self) -> Res<FilterKind> {
        let start = self.at;
        self.at += 1;
        let n_faults = self.diagnostics.len();
        let mut filters = self.filters();
        self.expect(&TokenKind::CloseBrace, "`}` or a filter")?;
        if filters.is_empty() && self.diagnostics.len() == n_faults {
            let span = self.since(start);
            self.error(code::SYNTAX, span, "these braces hold no filter");
        }
        Ok(match filters.len() {
            // the kind of the only filter, which may be a set or countable
            1 => filters.remove(0).kind,
            _ => FilterKind::Block(filters),
        })
    }

    fn unknown_name<T>(&mut self, name: &str) -> Res<T> {
        let words = Word::ALL.iter().map(|word| word.text());
        let names = words.chain(DirectionName::ALL.iter().map(|name| name.word()));
        let mut diagnostic =
            Diagnostic::error("E0601", self.here(), format!("`{name}` is no filter of CQL 5"));
        if name.starts_with('.') && name.len() > 1 {
            let text = format!("_{}", &name[1..]);
            diagnostic = diagnostic
                .with_help(format!("the empty square is `_` since CQL 5.2: `{text}`"))
                .with_edit(self.here(), text);
        } else if let Some(near) = nearest(name, names) {
            diagnostic = self.with_word(diagnostic, near);
        } else if crate::builtin::Keyword::from_text(name).is_some() {
            diagnostic.help = Some(format!(
                "`{name}` is a word of CQL 6: `-dialect cql6` reads the query as CQL 6"
            ));
        }
        self.report(diagnostic);
        Err(Failed)
    }

    /// Proposes a word in place of the next token.
    fn with_word(&self, diagnostic: Diagnostic, word: &str) -> Diagnostic {
        diagnostic.with_help(format!("did you mean `{word}`?")).with_edit(self.here(), word)
    }

    fn word_filter(&mut self, word: Word) -> Res<FilterKind> {
        use FilterKind as K;
        use Nullary::{Predicate as P, Turn as T};
        let predicate = |parser: &mut Self, predicate| {
            parser.at += 1;
            Ok(K::Nullary(predicate))
        };
        match word {
            Word::Dot | Word::Any => {
                self.at += 1;
                Ok(K::All)
            }
            Word::LightSquares | Word::DarkSquares => {
                self.at += 1;
                Ok(K::SquareColor { light: word == Word::LightSquares })
            }
            Word::Check => predicate(self, P(Predicate::Check)),
            Word::Mate => predicate(self, P(Predicate::Mate)),
            Word::Stalemate => predicate(self, P(Predicate::Stalemate)),
            Word::Wtm => predicate(self, T(Turn::Wtm)),
            Word::Btm => predicate(self, T(Turn::Btm)),
            Word::Initial => predicate(self, P(Predicate::Initial)),
            Word::Terminal => predicate(self, P(Predicate::Terminal)),
            Word::Mainline => predicate(self, P(Predicate::Mainline)),
            Word::Variation => predicate(self, P(Predicate::Variation)),
            Word::BeginVariation => predicate(self, P(Predicate::Secondary)),
            Word::Not => {
                self.at += 1;
                Ok(K::Not(Box::new(self.filter()?)))
            }
            Word::Attack | Word::Attacks => self.attack(),
            Word::Between => {
                self.at += 1;
                let (a, b) = self.two_sets("`between`")?;
                Ok(K::Between(a, b))
            }
            Word::Ray => self.ray(),
            Word::CountSquares | Word::Power | Word::PowerDifference | Word::MoveNumber => {
                self.counted(word)
            }
            Word::Year
            | Word::Elo
            | Word::Player
            | Word::Site
            | Word::Event
            | Word::Result
            | Word::HasComment => self.game_filter(word),
            Word::Square | Word::Piece => self.square_loop(word),
            Word::Origin => self.origin(),
            Word::Move => self.move_filter(),
            Word::Next | Word::Next2 | Word::Previous | Word::Previous2 => self.elsewhere(word),
            Word::Relation => self.relation(),
            Word::Sort => self.sort(),
            Word::Comment => self.comment(),
            Word::Silent => self.silent(),
            _ => match TransformFamily::from_word(word.text()) {
                Some(family) => self.transform(family),
                None => self.misplaced(word),
            },
        }
    }

    /// Reads `flip [r] F` or another transform.
    fn transform(&mut self, family: TransformFamily) -> Res<FilterKind> {
        let span = self.here();
        self.at += 1;
        let range = self.range();
        let around = self.n_images;
        // flips contain the identity twice
        let n_images = family.size() + u32::from(family == TransformFamily::Flip);
        self.n_images = around.saturating_mul(n_images);
        if self.n_images > MAX_IMAGES {
            let message = "transforms in transforms: there are too many images";
            self.error(code::DEPTH, span, message);
        }
        let body = self.filter();
        self.n_images = around;
        Ok(FilterKind::Transform { family, range, body: Box::new(body?) })
    }

    fn misplaced<T>(&mut self, word: Word) -> Res<T> {
        let belongs = match word {
            Word::Variations
            | Word::Input
            | Word::Output
            | Word::Pgn
            | Word::MatchCount
            | Word::GameNumber => " (it belongs into `cql( … )`)",
            Word::ToMove
            | Word::SourceSquares
            | Word::TargetSquares
            | Word::Match
            | Word::Mismatch
            | Word::Ancestor
            | Word::Descendant
            | Word::LcaMax
            | Word::LcaSum
            | Word::LcaSource
            | Word::LcaTarget
            | Word::LcaSubstring => " (it belongs into the parentheses of a `relation`)",
            Word::From
            | Word::To
            | Word::Promote
            | Word::Null
            | Word::Primary
            | Word::Secondary
            | Word::EnPassant
            | Word::EnPassantSquare => " (it belongs to `move`, once in each)",
            _ => "",
        };
        self.expected(&format!("a filter{belongs}"))
    }

    /// Reads `sort [min|max] ["name"] F`.
    fn sort(&mut self) -> Res<FilterKind> {
        self.at += 1;
        let field = self.sort_field()?;
        let body = self.filter()?;
        if !body.is_countable() {
            let message = "`sort` needs a filter that counts something, most of them with a range";
            self.error(code::KIND, body.span, message);
        }
        Ok(FilterKind::Sort { field, body: Box::new(body) })
    }

    /// Reads `[min|max] ["name"]`.
    fn sort_field(&mut self) -> Res<SortId> {
        let start = self.at.saturating_sub(1);
        let ascending = match self.word() {
            Some(word @ (Word::Min | Word::Max)) => {
                self.at += 1;
                word == Word::Min
            }
            _ => false,
        };
        let name = match self.string() {
            Some(name) => name,
            None => {
                self.n_unnamed_sorts += 1;
                format!("CQL ID-{}", self.n_unnamed_sorts).into_bytes()
            }
        };
        let sorts = &mut self.query.sorts;
        let next = SortId(sorts.len() as u32);
        let id = *self.sorts.entry(name.clone()).or_insert(next);
        if id != next {
            if sorts[id.0 as usize].ascending != ascending {
                let name = String::from_utf8_lossy(&name).into_owned();
                let message = format!("the games are sorted by {name:?} both ways, min and max");
                self.error(code::SEQUENCE, self.since(start), message);
            }
            return Ok(id);
        }
        sorts.push(super::tree::SortField { name, ascending });
        Ok(id)
    }

    /// Reads `comment "s"` or `comment S`.
    fn comment(&mut self) -> Res<FilterKind> {
        self.at += 1;
        match self.string() {
            Some(text) => Ok(FilterKind::Comment(text)),
            None if self.peek() == Some(&TokenKind::OpenParen) => {
                self.expected("a string or a set of squares")
            }
            None => Ok(FilterKind::CommentSet(self.child_set("what is printed")?)),
        }
    }

    /// Reads `silent F`.
    fn silent(&mut self) -> Res<FilterKind> {
        self.at += 1;
        let mut filter = self.filter()?;
        match &mut filter.kind {
            FilterKind::Sequence(sequence) => {
                sequence.silent = true;
                // `nestban` has no effect together with `silent` in CQL 5.
                sequence.nestban = false;
            }
            FilterKind::Search(search) => search.silent = true,
            FilterKind::Relation(relation) => relation.silent = true,
            _ => {
                let message = "`silent` stands before `relation`, `next` or `previous` only";
                self.error(code::KIND, filter.span, message);
            }
        }
        Ok(filter.kind)
    }
}

#[cfg(test)]
mod tests;
