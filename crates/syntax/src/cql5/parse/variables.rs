//! Parses square and piece variables.
//!
//! A name is bound only by a `square` or `piece` around it. So the parser knows whether a variable
//! is bound where it is read.

use super::*;
use crate::cql5::designator::RawDesignator;
use crate::cql5::tree::{SquareLoop, Variable};
use crate::designator::PieceSet;
use crate::tree::{VariableId, VariableKind};

/// A loop around the current token.
pub(super) struct Scope {
    variable: VariableId,
    /// The hidden variable for `origin`, if the loop uses it.
    origin: Option<VariableId>,
}

impl Parser<'_> {
    fn variable_named(&self, name: &str) -> Option<VariableId> {
        let variables = &self.query.variables;
        let index = variables.iter().position(|v| v.name == name)?;
        Some(VariableId(index as u32))
    }

    fn new_variable(&mut self, name: String, kind: VariableKind) -> VariableId {
        self.query.variables.push(Variable { name, kind });
        VariableId((self.query.variables.len() - 1) as u32)
    }

    /// Returns the variable of a name, which a loop around the current token must bind.
    fn bound_variable(&mut self, name: &str, span: Span) -> Option<VariableId> {
        let known = self.variable_named(name);
        let bound = known.filter(|&id| self.scopes.iter().any(|scope| scope.variable == id));
        if bound.is_none() {
            let message = format!("`{name}` is not bound here");
            let help = match known {
                Some(_) => format!("only the body of the loop over `{name}` may use it"),
                None => format!("bind it with `square {name} in …` or `piece {name} in …`"),
            };
            self.report(Diagnostic::error(code::VARIABLE, span, message).with_help(help));
        }
        bound
    }

    pub(super) fn designator(&mut self, raw: RawDesignator) -> FilterKind {
        let span = self.since(self.at - 1);
        let variables =
            raw.variables.iter().filter_map(|name| self.bound_variable(name, span)).collect();
        FilterKind::Designator {
            pieces: raw.pieces.unwrap_or(PieceSet::ANYTHING),
            squares: raw.squares.unwrap_or(u64::MAX),
            variables,
        }
    }

    /// Reads a `$name` that is not part of a designator.
    fn variable_name(&mut self) -> Res<String> {
        if let Some(TokenKind::Designator(designator)) = self.peek()
            && designator.pieces.is_none()
            && designator.squares.is_none()
            && let [name] = designator.variables.as_slice()
        {
            let name = name.clone();
            self.at += 1;
            return Ok(name);
        }
        self.expected("a variable such as `$x`")
    }

    /// Reads `square [all|r] $x [in S] F…` or `piece [r] $x in S F…`.
    pub(super) fn square_loop(&mut self, word: Word) -> Res<FilterKind> {
        let piece = word == Word::Piece;
        self.at += 1;
        let all = !piece && self.take_word(Word::All);
        let range = if all { None } else { self.range() };
        let name_at = self.here();
        let name = self.variable_name()?;
        let kind = if piece { VariableKind::Piece } else { VariableKind::Set };
        let variable = match self.variable_named(&name) {
            Some(known) => {
                self.check_reuse(known, kind, &name, name_at);
                known
            }
            None => self.new_variable(name.clone(), kind),
        };
        let domain = if self.take_word(Word::In) {
            Some(self.child_set("what a loop visits")?)
        } else if all {
            None
        } else {
            return self.expected(&format!("`in` after `{name}`"));
        };
        self.scopes.push(Scope { variable, origin: None });
        let n_faults = self.diagnostics.len();
        let body = self.filters_until(Self::at_end_of_body);
        let origin = self.scopes.pop().and_then(|scope| scope.origin);
        if let (None, Some(first)) = (&domain, body.first()) {
            self.warn_of_missing_in(&name, first);
        }
        if body.is_empty() && !all && self.diagnostics.len() == n_faults {
            return self.expected("a filter as the body of the loop");
        }
        Ok(FilterKind::Loop(SquareLoop { variable, piece, all, range, domain, body, origin }))
    }

    /// Warns of `square all $x attack (k .) …`, in which CQL 5.1 read a set to iterate over.
    fn warn_of_missing_in(&mut self, name: &str, first: &Filter) {
        let inside = |span: Span| first.span.start <= span.start && span.end <= first.span.end;
        let tokens = self.tokens.iter().filter(|token| inside(token.span));
        let (mut text, mut end) = ("in ".to_owned(), first.span.start as usize);
        for token in tokens {
            match &token.kind {
                TokenKind::Designator(one) if one.variables.iter().any(|v| v == name) => return,
                TokenKind::Word(Word::Dot) => {
                    let between = &self.text[end..token.span.start as usize];
                    text += &String::from_utf8_lossy(between);
                    text.push('_');
                    end = token.span.end as usize;
                }
                _ => {}
            }
        }
        if !first.is_set() {
            return;
        }
        text += &String::from_utf8_lossy(&self.text[end..first.span.end as usize]);
        let message =
            format!("this does not depend on `{name}`, which visits all 64 squares without `in`");
        let help =
            format!("write `{text}`: `in` stands before the set, and `_` is an empty square");
        let warning = Diagnostic::warning(code::OLDER_SPELLING, first.span, message);
        self.report(warning.with_help(help).with_edit(first.span, text));
    }

    /// Whether a body without braces ends. A word that begins no filter may belong to the `move` or
    /// the parameter of `relation` around the body.
    fn at_end_of_body(&self) -> bool {
        let goes_on_around = matches!(
            self.word(),
            Some(
                Word::SourceSquares
                    | Word::TargetSquares
                    | Word::Match
                    | Word::Mismatch
                    | Word::From
                    | Word::To
                    | Word::Promote
                    | Word::EnPassant
                    | Word::EnPassantSquare
                    | Word::Null
                    | Word::Primary
                    | Word::Secondary
            )
        );
        goes_on_around || self.at_end_of_list()
    }

    fn check_reuse(&mut self, known: VariableId, kind: VariableKind, name: &str, span: Span) {
        if self.query.variables[known.0 as usize].kind != kind {
            let message = format!("`{name}` is used both for squares and for pieces");
            self.error(code::VARIABLE, span, message);
        } else if self.scopes.iter().any(|scope| scope.variable == known) {
            let message = format!("`{name}` is bound already by a loop around this one");
            self.error(code::VARIABLE, span, message);
        }
    }

    /// Reads `origin $x`.
    pub(super) fn origin(&mut self) -> Res<FilterKind> {
        self.at += 1;
        let span = self.here();
        let name = self.variable_name()?;
        let Some(variable) = self.bound_variable(&name, span) else {
            return Err(Failed);
        };
        if self.query.variables[variable.0 as usize].kind != VariableKind::Piece {
            let message = format!("`origin` needs a piece variable, `{name}` stands for squares");
            self.error(code::VARIABLE, span, message);
            return Err(Failed);
        }
        let scope = self.scopes.iter().position(|s| s.variable == variable);
        let Some(scope) = scope else {
            return Err(Failed);
        };
        let origin = match self.scopes[scope].origin {
            Some(origin) => origin,
            None => self.new_variable(format!("origin {name}"), VariableKind::Set),
        };
        self.scopes[scope].origin = Some(origin);
        Ok(FilterKind::Origin(origin))
    }
}
