//! The outline of a query: its names and sort keys, and ranges that can be folded.

use syntax::Span;
use syntax::builtin::Keyword;
use syntax::token::{Symbol as Sign, Token, TokenKind};

use crate::Document;
use crate::names::NameKind;
use crate::space::comments;

/// Kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// `cql( … )`
    Header,
    /// A function.
    Function,
    /// A variable.
    Variable,
    /// A dictionary.
    Dictionary,
    /// A key that games are sorted by.
    Sort,
}

/// A part of a query that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Name of the part.
    pub name: String,
    /// Kind of the part.
    pub kind: SymbolKind,
    /// The parameters of a function or the type of a variable, for display after the name.
    pub detail: String,
    /// Span of the whole part.
    pub span: Span,
    /// Span of the name.
    pub selection: Span,
}

/// A range of lines that an editor can collapse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// The first line, counted from 0; it stays visible.
    pub first: usize,
    /// The last line to hide.
    pub last: usize,
    /// Whether the lines are a comment.
    pub is_comment: bool,
}

impl Document {
    /// Returns the header, functions, variables, dictionaries and sort keys, in the order of the
    /// text.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut found = Vec::new();
        let tokens = &self.lexed().tokens;
        for (at, token) in tokens.iter().enumerate() {
            let TokenKind::Keyword(keyword) = token.kind else {
                continue;
            };
            let next = tokens.get(at + 1);
            let (name, kind, end) = match keyword {
                Keyword::Cql if at == 0 => {
                    ("cql".to_owned(), SymbolKind::Header, self.end_of_header())
                }
                // `sort min "key"`
                Keyword::Sort => {
                    let mut behind = tokens[at + 1..].iter().take(2);
                    let key = behind.find(|token| matches!(token.kind, TokenKind::String(_)));
                    let name = key.map_or("sort", |key| self.slice(key.span).trim_matches('"'));
                    (name.to_owned(), SymbolKind::Sort, key)
                }
                _ => continue,
            };
            found.push(Symbol {
                name,
                kind,
                detail: String::new(),
                span: token.span.to(end.or(next).unwrap_or(token).span),
                selection: token.span,
            });
        }
        found.extend((0..self.names().all.len()).filter_map(|name| self.symbol(name)));
        found.sort_by_cached_key(|symbol| symbol.span);
        found
    }

    /// Returns the parenthesis that closes the first one of the text; the first closing one if none
    /// does.
    pub(crate) fn end_of_header(&self) -> Option<&Token> {
        let tokens = &self.lexed().tokens;
        let mut depth = 0_usize;
        let mut first = None;
        for token in tokens {
            match token.kind {
                TokenKind::Symbol(Sign::OpenParen) => depth += 1,
                TokenKind::Symbol(Sign::CloseParen) if depth <= 1 => return Some(token),
                TokenKind::Symbol(Sign::CloseParen) => {
                    depth -= 1;
                    first = first.or(Some(token));
                }
                _ => {}
            }
        }
        first
    }

    fn symbol(&self, index: usize) -> Option<Symbol> {
        let name = &self.names().all[index];
        let kind = match name.kind {
            NameKind::Function => SymbolKind::Function,
            NameKind::Variable => SymbolKind::Variable,
            NameKind::Dictionary => SymbolKind::Dictionary,
            NameKind::Parameter => return None,
        };
        let is_function = kind == SymbolKind::Function;
        let ty = self.kind_of(index).map(crate::hints::kind_name);
        Some(Symbol {
            name: name.text.clone(),
            kind,
            detail: if is_function {
                self.parameters(index)
            } else {
                ty.unwrap_or_default().to_owned()
            },
            span: if is_function { name.scope } else { name.definition },
            selection: name.definition,
        })
    }

    /// Returns the parameters of a function as in its definition: `(x y)`.
    pub(crate) fn parameters(&self, function: usize) -> String {
        let names = &self.names().all;
        let parameters = names[function].parameters.iter();
        let texts: Vec<&str> = parameters.map(|&index| names[index].text.as_str()).collect();
        format!("({})", texts.join(" "))
    }

    /// Returns the brackets and comments that span several lines.
    pub fn folds(&self) -> Vec<Fold> {
        let mut found = Vec::new();
        let mut open = Vec::new();
        let tokens = &self.lexed().tokens;
        let line = |offset: u32| self.lines().line(offset as usize);
        for token in tokens {
            match token.kind {
                TokenKind::Symbol(Sign::OpenParen | Sign::OpenBrace) => open.push(token.span.start),
                TokenKind::Symbol(Sign::CloseParen | Sign::CloseBrace) => {
                    // The line of the closing bracket stays visible.
                    found.extend(open.pop().map(|start| Fold {
                        first: line(start),
                        last: line(token.span.start).saturating_sub(1),
                        is_comment: false,
                    }));
                }
                _ => {}
            }
        }
        // Comments on consecutive lines are one.
        let mut block: Option<Fold> = None;
        for span in comments(self.text(), tokens) {
            let (first, last) = (line(span.start), line(span.end));
            match &mut block {
                Some(block) if first == block.last + 1 => block.last = last,
                _ => {
                    found.extend(block.replace(Fold { first, last, is_comment: true }));
                }
            }
        }
        found.extend(block);
        found.retain(|fold| fold.first < fold.last);
        found.sort_by_cached_key(|fold| !(fold.last as u32));
        found.sort_by_cached_key(|fold| fold.first as u32);
        // Ranges that begin on the same line are one.
        found.dedup_by_key(|fold| fold.first);
        found
    }
}
