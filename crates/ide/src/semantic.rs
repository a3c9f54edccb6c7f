//! Classifies the tokens of a text for coloring.

use syntax::Span;
use syntax::token::{Symbol, Token, TokenKind};

use crate::Document;
use crate::names::NameKind;
use crate::space::comments;
use crate::words::keyword_of;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SemanticKind {
    /// A comment.
    Comment,
    /// A reserved word.
    Keyword,
    /// A piece designator.
    Designator,
    /// A function of the query.
    Function,
    /// A parameter of a function.
    Parameter,
    /// A variable.
    Variable,
    /// A dictionary.
    Dictionary,
    /// A string, or the text of a group.
    String,
    /// A number, a repetition, or a result.
    Number,
    /// An operator.
    Operator,
}

impl SemanticKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [SemanticKind; 10] = [
        SemanticKind::Comment,
        SemanticKind::Keyword,
        SemanticKind::Designator,
        SemanticKind::Function,
        SemanticKind::Parameter,
        SemanticKind::Variable,
        SemanticKind::Dictionary,
        SemanticKind::String,
        SemanticKind::Number,
        SemanticKind::Operator,
    ];
}

/// A token with its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// Span of the token.
    pub span: Span,
    /// Kind of the token.
    pub kind: SemanticKind,
    /// Whether a name is defined here.
    pub is_definition: bool,
}

impl Document {
    /// Returns the tokens of a query in CQL 6 and its comments, in the order of the text. Brackets
    /// and commas are omitted, and so are names without a definition.
    pub fn semantic_tokens(&self) -> Vec<SemanticToken> {
        let tokens = &self.lexed().tokens;
        let names = self.names();
        // In `isbound "x"`, the name replaces the string that contains it.
        let mut occurrences = names.occurrences.iter().peekable();
        let mut holds_name = |token: &Token| {
            let at = match token.kind {
                TokenKind::String(_) => token.span.start + 1,
                // a name of the query takes precedence over a keyword
                TokenKind::Name(_) => token.span.start,
                _ => return false,
            };
            while occurrences.next_if(|found| found.span.start < at).is_some() {}
            occurrences.peek().is_some_and(|found| found.span.start == at)
        };
        let plain = tokens.iter().filter(|token| !holds_name(token));
        let of = |span, kind| SemanticToken { span, kind, is_definition: false };
        let plain = plain.filter_map(|token| Some(of(token.span, kind_of(token)?)));
        let mut found: Vec<SemanticToken> = plain.collect();
        if !tokens.is_empty() {
            let comments = comments(self.text(), tokens).into_iter();
            found.extend(comments.map(|span| of(span, SemanticKind::Comment)));
        }
        found.extend(names.occurrences.iter().map(|occurrence| {
            let name = &names.all[occurrence.name];
            SemanticToken {
                span: occurrence.span,
                kind: match name.kind {
                    NameKind::Function => SemanticKind::Function,
                    NameKind::Parameter => SemanticKind::Parameter,
                    NameKind::Variable => SemanticKind::Variable,
                    NameKind::Dictionary => SemanticKind::Dictionary,
                },
                is_definition: occurrence.span == name.definition,
            }
        }));
        found.retain(|token| token.span.start < token.span.end);
        found.sort_by_cached_key(|token| token.span);
        found
    }
}

fn kind_of(token: &Token) -> Option<SemanticKind> {
    Some(match token.kind {
        TokenKind::Keyword(_) | TokenKind::Input(_) | TokenKind::Output(_) => SemanticKind::Keyword,
        TokenKind::Designator(_) | TokenKind::PieceDeclaration => SemanticKind::Designator,
        TokenKind::String(_) | TokenKind::Group(_) | TokenKind::GroupIndex(_) => {
            SemanticKind::String
        }
        TokenKind::Integer(_) | TokenKind::Repetition { .. } | TokenKind::Result(_) => {
            SemanticKind::Number
        }
        TokenKind::Symbol(
            Symbol::OpenParen
            | Symbol::CloseParen
            | Symbol::OpenBrace
            | Symbol::CloseBrace
            | Symbol::OpenBracket
            | Symbol::CloseBracket
            | Symbol::Comma,
        )
        | TokenKind::TripleSlashEnd => return None,
        TokenKind::Name(_) => {
            keyword_of(&token.kind)?;
            SemanticKind::Keyword
        }
        TokenKind::Symbol(_) | TokenKind::TripleSlash => SemanticKind::Operator,
    })
}

#[cfg(test)]
mod tests {
    use super::SemanticKind;

    #[test]
    fn kinds_are_numbered_in_their_order() {
        for (number, kind) in SemanticKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }
}
