//! Builds the tree from tokens.
//!
//! A keyword that cannot be understood is reported and skipped together with its arguments:
//! everything up to the next keyword of the same list.

use super::arguments;
use super::code;
use super::keyword::{self, Flag, ListKind, MatchKey, PositionKey};
use super::lex::{Lexed, Token, TokenKind};
use super::tree::*;
use crate::designator::PieceSet;
use crate::diagnostic::Diagnostic;
use crate::parse::nearest;
use crate::span::{SourceId, Span};

/// Maximum number of errors that are kept.
const MAX_ERRORS: usize = 100;
/// Maximum number of tags (`:forany`).
const MAX_TAGS: usize = 2;

/// An error that has been reported.
pub(super) struct Failed;

/// Result of a parsing function.
pub(super) type Res<T> = Result<T, Failed>;

/// Proposes a word, after `sign`, in place of the one that a diagnostic is about.
fn with_nearest(diagnostic: Diagnostic, word: Option<&str>, sign: &str) -> Diagnostic {
    let Some(word) = word else {
        return diagnostic;
    };
    let (span, text) = (diagnostic.span, format!("{sign}{word}"));
    diagnostic.with_help(format!("did you mean `{text}`?")).with_edit(span, text)
}

/// State of the parser.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    max_depth: u32,
    /// Whether the text ended within a list.
    unclosed: bool,
    end: Span,
    query: Query,
    diagnostics: Vec<Diagnostic>,
}

impl Parser {
    pub(super) fn new(source: SourceId, length: usize, lexed: Lexed, max_depth: u32) -> Parser {
        Parser {
            tokens: lexed.tokens,
            at: 0,
            depth: 0,
            max_depth,
            unclosed: false,
            end: Span::new(source, length, length),
            query: Query::default(),
            diagnostics: lexed.diagnostics,
        }
    }

    pub(super) fn finish(self) -> (Query, Vec<Diagnostic>) {
        (self.query, self.diagnostics)
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Failed {
        self.report(Diagnostic::error(code, span, message))
    }

    /// Reports an error with a help text.
    pub(super) fn error_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Failed {
        self.report(Diagnostic::error(code, span, message).with_help(help))
    }

    pub(super) fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    /// Returns the span of the next token, or of the end of the text.
    pub(super) fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |token| token.span)
    }

    pub(super) fn advance(&mut self) -> Span {
        let span = self.here();
        self.at += 1;
        span
    }

    /// Describes the next token for messages.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            None => "the end of the text".to_owned(),
            Some(TokenKind::Open) => "`(`".to_owned(),
            Some(TokenKind::Close) => "`)`".to_owned(),
            Some(TokenKind::Word(word)) => format!("`{}`", String::from_utf8_lossy(word)),
            Some(TokenKind::Quoted(word)) => format!("`\"{}\"`", String::from_utf8_lossy(word)),
        }
    }

    fn is_open_and(&self, word: &[u8]) -> bool {
        let next = self.tokens.get(self.at + 1).map(|token| &token.kind);
        self.peek() == Some(&TokenKind::Open)
            && matches!(next, Some(TokenKind::Word(w)) if w == word)
    }

    /// Skips to the next keyword of the current list, or to the end of the list or text. In a match
    /// list, a position list also ends the search.
    fn skip_to_keyword(&mut self, start: usize) {
        let mut depth = 0;
        while let Some(kind) = self.peek() {
            let in_match_list = self.depth == 1 && depth == 0 && self.at > start;
            if in_match_list && self.is_open_and(b"position") {
                break;
            }
            match kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => break,
                TokenKind::Close => depth -= 1,
                TokenKind::Word(word) if depth == 0 && word.starts_with(b":") => break,
                TokenKind::Word(_) | TokenKind::Quoted(_) => {}
            }
            self.at += 1;
        }
    }

    /// Returns the next token if it is a keyword, without its colon.
    fn keyword(&self) -> Option<String> {
        match self.peek() {
            Some(TokenKind::Word(word)) => {
                let word = word.strip_prefix(b":")?;
                Some(String::from_utf8_lossy(word).into_owned())
            }
            _ => None,
        }
    }

    /// Reads `(`, items, `)`.
    pub(super) fn list(&mut self, mut item: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        if self.depth >= self.max_depth {
            let span = self.here();
            return Err(self.error(code::TOO_DEEP, span, "lists are nested too deeply here"));
        }
        self.depth += 1;
        let open = self.advance();
        let result = loop {
            match self.peek() {
                Some(TokenKind::Close) => {
                    self.advance();
                    break Ok(());
                }
                None if self.unclosed => break Err(Failed),
                None => {
                    self.unclosed = true;
                    let diagnostic =
                        Diagnostic::error(code::UNBALANCED, self.end, "`)` is missing at the end")
                            .with_note(open, "this list is not closed");
                    break Err(self.report(diagnostic));
                }
                Some(_) => {
                    let start = self.at;
                    if item(self).is_err() {
                        self.skip_to_keyword(start);
                    }
                    if self.at == start {
                        self.advance();
                    }
                }
            }
        };
        self.depth -= 1;
        result
    }

    /// Reads the whole text.
    pub(super) fn file(&mut self) {
        if !self.diagnostics.is_empty() && self.tokens.is_empty() {
            return;
        }
        self.declare_tags();
        let start = self.here();
        if self.is_open_and(b"match") {
            // A list without an end has been reported already.
            let _ = self.match_list();
            if self.query.lists.is_empty() && self.diagnostics.is_empty() {
                let diagnostic = Diagnostic::error(
                    code::NO_POSITION,
                    start.to(self.tokens.get(self.at - 1).map_or(start, |t| t.span)),
                    "this match list has no position list",
                )
                .with_help("`(match (position …))` looks for a position");
                self.report(diagnostic);
            }
        } else if self.is_open_and(b"position") {
            if let Ok(list) = self.position_list() {
                self.query.lists.push(list);
            }
        } else {
            let found = self.found();
            let diagnostic = Diagnostic::error(
                code::NO_MATCH_LIST,
                start,
                format!("found {found}; a classic query begins with `(match`"),
            )
            .with_help("`(match (position …))`");
            let diagnostic = self.with_list(diagnostic);
            self.report(diagnostic);
            return;
        }
        if self.peek().is_some() {
            let found = self.found();
            let code = match self.peek() {
                Some(TokenKind::Close) => code::UNBALANCED,
                _ => code::TRAILING,
            };
            let span = self.here();
            self.error(code, span, format!("found {found} after the list"));
        }
    }

    /// Declares all tags before lists are read, since a tag may be used before its `:forany`.
    fn declare_tags(&mut self) {
        for i in 0..self.tokens.len().saturating_sub(1) {
            let [keyword, name] = &self.tokens[i..i + 2] else {
                continue;
            };
            if keyword.kind != TokenKind::Word(b":forany".to_vec()) {
                continue;
            }
            if let TokenKind::Word(word) = &name.kind
                && self.query.tags.len() < MAX_TAGS
            {
                let tag = Tag {
                    name: String::from_utf8_lossy(word).into_owned(),
                    kinds: PieceSet::NONE,
                    span: name.span,
                };
                self.query.tags.push(tag);
            }
        }
    }

    fn match_list(&mut self) -> Res<()> {
        let mut seen: Vec<(MatchKey, Span)> = Vec::new();
        let mut named = false;
        self.list(|p| {
            if !std::mem::replace(&mut named, true) {
                p.advance();
                return Ok(());
            }
            if p.is_open_and(b"position") {
                let list = p.position_list()?;
                p.query.lists.push(list);
                return Ok(());
            }
            let span = p.here();
            let Some(word) = p.keyword() else {
                let found = p.found();
                let message =
                    format!("found {found}; a match list holds keywords and position lists");
                let diagnostic = p.with_list(Diagnostic::error(code::LIST, span, message));
                return Err(p.report(diagnostic));
            };
            p.advance();
            let Some(key) = keyword::match_key(&word) else {
                return Err(p.unknown_keyword(ListKind::Match, &word, span));
            };
            let before = seen.iter().find(|(other, _)| *other == key);
            if let Some(&(_, first)) = before
                && key != MatchKey::ForAny
            {
                return Err(p.repeated(&word, span, first));
            }
            seen.push((key, span));
            p.match_key(key, &word, span)
        })
    }

    fn match_key(&mut self, key: MatchKey, word: &str, span: Span) -> Res<()> {
        match key {
            MatchKey::Pgn => self.query.pgn = Some(self.file_name(word)?),
            MatchKey::Output => self.query.output = Some(self.file_name(word)?),
            MatchKey::Year => self.query.year = Some(self.range(word)?),
            MatchKey::Result => self.query.result = Some(self.result(word)?),
            MatchKey::GameNumber => self.query.game_number = Some(self.range(word)?),
            MatchKey::Player => {
                let (name, _) = self.word(word, "a name")?;
                self.query.player = Some(name);
            }
            MatchKey::ForAny => {
                let (_, name_span) = self.word(word, "the name of a tag")?;
                let designator = self.designator(word)?;
                let Men::Kinds(kinds) = designator.men else {
                    return Err(self.error(
                        code::TAG,
                        designator.span,
                        "a tag is described by pieces, not by a tag",
                    ));
                };
                match self.query.tags.iter_mut().find(|t| t.span == name_span) {
                    Some(tag) => tag.kinds = kinds,
                    None => {
                        let message = format!("there can be {MAX_TAGS} `:forany` at most");
                        return Err(self.error(code::TAG, span, message));
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn repeated(&mut self, word: &str, span: Span, first: Span) -> Failed {
        let message = format!("`:{word}` may stand only once here");
        let diagnostic =
            Diagnostic::error(code::REPEATED, span, message).with_note(first, "the first one");
        self.report(diagnostic)
    }

    /// Reports a keyword that is unknown or belongs to another kind of list.
    pub(super) fn unknown_keyword(&mut self, place: ListKind, word: &str, span: Span) -> Failed {
        let elsewhere = [ListKind::Match, ListKind::Position, ListKind::Relation]
            .into_iter()
            .find(|other| *other != place && other.knows(word));
        let diagnostic = if let Some(elsewhere) = elsewhere {
            let (here, there) = (place.name(), elsewhere.name());
            let message = format!("`:{word}` belongs in a {there}, not in a {here}");
            Diagnostic::error(code::PLACE, span, message)
        } else if keyword::is_extension(word) {
            let message = format!("`:{word}` is a CQL-S extension and not supported");
            Diagnostic::error(code::EXTENSION, span, message)
                .with_help("classic CQL has no such keyword; CQL 6 has filters for most of them")
        } else {
            let message = format!("`:{word}` is not a keyword of a {}", place.name());
            let diagnostic = Diagnostic::error(code::UNKNOWN_KEYWORD, span, message);
            with_nearest(diagnostic, keyword::nearest(place, word), ":")
        };
        self.report(diagnostic)
    }

    /// Adds the word that a list here seems to begin with.
    fn with_list(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.tokens.get(self.at + 1) {
            Some(Token { kind: TokenKind::Word(word), span })
                if self.peek() == Some(&TokenKind::Open) =>
            {
                let near = nearest(&String::from_utf8_lossy(word), ["match", "position"]);
                with_nearest(Diagnostic { span: *span, ..diagnostic.clone() }, near, "")
            }
            _ => diagnostic,
        }
    }

    /// Reads `(position … )`.
    fn position_list(&mut self) -> Res<List> {
        let start = self.here();
        let mut list = List::default();
        let mut named = false;
        let mut once: Vec<(&'static str, Span)> = Vec::new();
        self.list(|p| {
            if !std::mem::replace(&mut named, true) {
                p.advance();
                return Ok(());
            }
            p.item(&mut list, &mut once)
        })?;
        list.span = start.to(self.tokens[self.at - 1].span);
        Ok(list)
    }

    fn item(&mut self, list: &mut List, once: &mut Vec<(&'static str, Span)>) -> Res<()> {
        let span = self.here();
        let Some(word) = self.keyword() else {
            self.item_without_colon(list)?;
            list.parts.push(span);
            return Ok(());
        };
        self.advance();
        let Some(key) = keyword::position_key(&word) else {
            return Err(self.unknown_keyword(ListKind::Position, &word, span));
        };
        // these may occur only once in a list; all others may be repeated
        let single = match key {
            PositionKey::Sequence { .. } => Some("sequence"),
            PositionKey::Relation => Some("relation"),
            PositionKey::MatchCount => Some("matchcount"),
            PositionKey::TransformMatchCount => Some("pretransformmatchcount"),
            _ => None,
        };
        if let Some(single) = single {
            if let Some(&(_, first)) = once.iter().find(|(other, _)| *other == single) {
                let message = format!("`:{word}` is the second of its kind in this list");
                let diagnostic = Diagnostic::error(code::REPEATED, span, message)
                    .with_note(first, "the first one")
                    .with_help("put them into lists of their own: `:and ((position …) …)`");
                return Err(self.report(diagnostic));
            }
            once.push((single, span));
        }
        // only the match list and a position list are around the keyword
        let is_top_level = self.depth <= 2;
        if let PositionKey::MatchCount | PositionKey::TransformMatchCount = key
            && !is_top_level
        {
            return Err(self.error(
                code::PLACE,
                span,
                format!("`:{word}` counts in the whole game: it belongs in a list of its own"),
            ));
        }
        self.position_key(key, &word, span, list)?;
        let whole = span.to(self.tokens[self.at - 1].span);
        list.spans.resize(list.conditions.len(), whole);
        if key.is_condition() {
            list.parts.push(whole);
        }
        Ok(())
    }

    fn item_without_colon(&mut self, list: &mut List) -> Res<()> {
        let span = self.here();
        match self.peek() {
            Some(TokenKind::Word(word)) => {
                let word = word.clone();
                if word.starts_with(b"!:") {
                    let text = String::from_utf8_lossy(&word).into_owned();
                    let diagnostic = Diagnostic::error(
                        code::EXTENSION,
                        span,
                        format!("`{text}` is a CQL-S extension and not supported"),
                    )
                    .with_help("write a list of its own with `:not`");
                    self.advance();
                    return Err(self.report(diagnostic));
                }
                let designator = self.designator("position")?;
                list.designators.push(designator);
                Ok(())
            }
            Some(TokenKind::Open) if self.is_open_and(b"position") => Err(self.error_help(
                code::LIST,
                span,
                "a position list cannot stand in a position list by itself",
                "write `:and ((position …))` or `:or ((position …))`",
            )),
            _ => {
                let found = self.found();
                let message =
                    format!("found {found}; a position list holds keywords and designators");
                Err(self.error(code::LIST, span, message))
            }
        }
    }

    fn position_key(
        &mut self,
        key: PositionKey,
        word: &str,
        span: Span,
        list: &mut List,
    ) -> Res<()> {
        let conditions = &mut list.conditions;
        match key {
            PositionKey::Predicate(word) => conditions.push(Condition::Predicate(word)),
            PositionKey::Turn(word) => conditions.push(Condition::Turn(word)),
            PositionKey::NoCheck => conditions.push(Condition::NoCheck),
            PositionKey::Flag(flag) => {
                let target = match flag {
                    Flag::EnPassant => &mut list.next_move.en_passant,
                    Flag::NoEnPassant => &mut list.next_move.no_en_passant,
                    Flag::Variations => &mut list.variations,
                    Flag::VariationsOnly => &mut list.variations_only,
                    Flag::MarkAll => &mut list.mark_all,
                    Flag::NoAnnotate => &mut list.no_annotate,
                };
                *target = true;
            }
            PositionKey::Transform(transform) => {
                if !list.transforms.contains(&transform) {
                    list.transforms.push(transform);
                }
            }
            PositionKey::MoveFrom => list.next_move.from.push(self.designator(word)?),
            PositionKey::MoveTo => list.next_move.to.push(self.designator(word)?),
            PositionKey::Promote => list.next_move.promote.push(self.designator(word)?),
            PositionKey::MoveNumber => conditions.push(Condition::MoveNumber(self.range(word)?)),
            PositionKey::PieceCount => {
                let designator = self.designator(word)?;
                conditions.push(Condition::PieceCount(designator, self.range(word)?));
            }
            PositionKey::AttackCount => {
                let (from, to) = (self.designator(word)?, self.designator(word)?);
                conditions.push(Condition::AttackCount(from, to, self.range(word)?));
            }
            PositionKey::Power => {
                let designator = self.designator(word)?;
                conditions.push(Condition::Power(designator, self.range(word)?));
            }
            PositionKey::PowerDifference => {
                let designator = self.designator(word)?;
                conditions.push(Condition::PowerDifference(designator, self.range(word)?));
            }
            PositionKey::Ray(kind) => conditions.push(Condition::Ray(self.ray(kind, word)?)),
            PositionKey::Elo => conditions.push(Condition::Elo(self.range(word)?)),
            PositionKey::WhiteElo => conditions.push(Condition::WhiteElo(self.range(word)?)),
            PositionKey::BlackElo => conditions.push(Condition::BlackElo(self.range(word)?)),
            PositionKey::Result => conditions.push(Condition::Result(self.result(word)?)),
            PositionKey::And => conditions.push(Condition::And(self.lists(word)?)),
            PositionKey::Or => conditions.push(Condition::Or(self.lists(word)?)),
            PositionKey::Not => {
                if self.peek() == Some(&TokenKind::Open) {
                    return Err(self.error_help(
                        code::EXTENSION,
                        span,
                        "`:not` with a list is a CQL-S extension and not supported",
                        "write `:and ((position … :not))`",
                    ));
                }
                list.negated = true;
            }
            PositionKey::Sequence { gapped } => {
                let elements = self.lists(word)?;
                list.sequence = Some(Sequence { gapped, elements });
            }
            PositionKey::MatchCount => list.match_count = Some(self.range(word)?),
            PositionKey::TransformMatchCount => {
                list.transform_match_count = Some(self.range(word)?)
            }
            PositionKey::Accumulate => {
                let (name, _) = self.word(word, "the name of a counter")?;
                list.counters.push(String::from_utf8_lossy(&name).into_owned());
            }
            PositionKey::SumRange => {
                let (name, span) = self.word(word, "the name of a counter")?;
                let name = String::from_utf8_lossy(&name).into_owned();
                list.sums.push((name, self.range(word)?, span));
            }
            PositionKey::TagMatch => {
                let (name, span) = self.word(word, "the name of a tag")?;
                let Some(tag) = self.tag(&name) else {
                    let name = String::from_utf8_lossy(&name).into_owned();
                    let help = match name.strip_prefix('$') {
                        Some(name) => format!("write the name without `$`: `{name}`"),
                        None => format!("declare it in the match list: `:forany {name} A`"),
                    };
                    let message = format!("there is no tag `{name}`");
                    return Err(self.error_help(code::TAG, span, message, help));
                };
                conditions.push(Condition::TagMatch(tag, self.designator(word)?));
            }
            PositionKey::Relation => list.relation = Some(self.relation(span)?),
        }
        Ok(())
    }

    pub(super) fn tag(&self, name: &[u8]) -> Option<TagId> {
        let tags = self.query.tags.iter();
        let index = tags.map(|tag| tag.name.as_bytes()).position(|other| other == name)?;
        Some(TagId(index as u8))
    }

    /// Reads `((position …) …)`.
    fn lists(&mut self, word: &str) -> Res<Vec<List>> {
        let span = self.here();
        let help = format!("write `:{word} ((position …) (position …))`");
        let nested = self.tokens.get(self.at + 1).map(|token| &token.kind);
        if self.peek() != Some(&TokenKind::Open) || nested != Some(&TokenKind::Open) {
            let found = self.found();
            let message = if self.is_open_and(b"position") {
                format!("`:{word}` takes a list of position lists, not a position list")
            } else {
                format!("`:{word}` takes a list of position lists, found {found}")
            };
            return Err(self.error_help(code::LIST, span, message, help));
        }
        let mut lists = Vec::new();
        self.list(|p| {
            if p.is_open_and(b"position") {
                lists.push(p.position_list()?);
                return Ok(());
            }
            let found = p.found();
            let span = p.here();
            let message = format!("`:{word}` takes position lists, found {found}");
            Err(p.error_help(code::LIST, span, message, help.clone()))
        })?;
        Ok(lists)
    }

    fn ray(&mut self, kind: RayKind, word: &str) -> Res<Ray> {
        let span = self.here();
        let help = format!("write `:{word} (R k)`");
        if self.peek() != Some(&TokenKind::Open) {
            let message = format!("`:{word}` takes a list of designators, found {}", self.found());
            return Err(self.error_help(code::LIST, span, message, help));
        }
        let mut designators = Vec::new();
        let n_faults = self.diagnostics.len();
        self.list(|p| {
            designators.push(p.designator(word)?);
            Ok(())
        })?;
        if designators.len() < 2 {
            if self.diagnostics.len() > n_faults {
                return Err(Failed);
            }
            let message = format!("`:{word}` needs two designators or more");
            return Err(self.error_help(code::LIST, span, message, help));
        }
        let range = match self.peek() {
            Some(TokenKind::Word(word)) if arguments::read_number(word).is_some() => {
                Some(self.range("ray")?)
            }
            _ => None,
        };
        Ok(Ray { kind, designators, range })
    }
}
