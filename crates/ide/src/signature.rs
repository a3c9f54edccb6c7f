//! Signature help: the arguments that the parentheses around an offset take.

use std::collections::HashSet;

use syntax::SourceId;
use syntax::builtin::{Keyword, Regular};
use syntax::token::{Symbol, Token, TokenKind};

use crate::Document;
use crate::expected::closing;
use crate::names::NameKind;
use crate::position::boundary;
use crate::sample::parse_sample;
use crate::words::{filled_in, word_of};

/// Offset in bytes after which arguments are not counted.
const LARGEST: usize = 20_000;

/// A function or word with its arguments in parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The whole signature: `distance(P Q)`.
    pub label: String,
    /// A sentence that explains it; may be empty.
    pub sentence: String,
    /// The arguments, as ranges of bytes of the label.
    pub parameters: Vec<(usize, usize)>,
    /// Index of the argument at the offset.
    pub active: Option<usize>,
}

impl Document {
    /// Returns the signature for the innermost parentheses around an offset, if they belong to a
    /// function or to a word that has its operands in parentheses.
    pub fn signature(&self, offset: usize) -> Option<Signature> {
        let offset = boundary(self.text(), offset);
        let tokens = &self.lexed().tokens;
        let end = tokens.partition_point(|token| (token.span.end as usize) <= offset);
        let mut depth = 0;
        let open = (0..end).rev().find(|&at| {
            match tokens[at].kind {
                TokenKind::Symbol(Symbol::CloseParen | Symbol::CloseBrace) => depth += 1,
                TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace) if depth > 0 => depth -= 1,
                TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace) => return true,
                _ => {}
            }
            false
        })?;
        if tokens[open].kind != TokenKind::Symbol(Symbol::OpenParen) {
            return None;
        }
        let before = &tokens[open.checked_sub(1)?];
        let mut signature = match before.kind {
            TokenKind::Keyword(keyword) => of_word(keyword)?,
            TokenKind::Name(_) => self.of_function(before.span.start as usize)?,
            _ => return None,
        };
        let inside = tokens[open].span.end as usize;
        let active = self.n_filters(open, inside, offset).checked_sub(1);
        signature.active = active.filter(|&active| active < signature.parameters.len());
        Some(signature)
    }

    fn of_function(&self, start: usize) -> Option<Signature> {
        let occurrence = self.names().at(start)?;
        let names = &self.names().all;
        let function = &names[occurrence.name];
        if function.kind != NameKind::Function || occurrence.span == function.definition {
            return None;
        }
        let mut label = format!("{}(", function.text);
        let mut parameters = Vec::new();
        for (n, &parameter) in function.parameters.iter().enumerate() {
            label += if n > 0 { " " } else { "" };
            let start = label.len();
            label += &names[parameter].text;
            parameters.push((start, label.len()));
        }
        label.push(')');
        Some(Signature { label, sentence: String::new(), parameters, active: None })
    }

    /// Returns the number of filters that begin between a bracket and an offset, including one that
    /// would be written there next. The filters are parsed as a block in place of the call, so that
    /// the parser knows the names before it.
    fn n_filters(&self, open: usize, inside: usize, offset: usize) -> usize {
        let tokens = &self.lexed().tokens;
        let call = tokens[open - 1].span.start as usize;
        if offset > LARGEST {
            return 0;
        }
        let arguments = self.text().get(inside..offset).unwrap_or_default();
        // After white space, a new filter is about to be written.
        let sample = if arguments.ends_with(|c: char| !c.is_whitespace()) { "" } else { "A" };
        let mut text = format!("{}{{{arguments}{sample}\n", &self.text()[..call]);
        let (start, end) = (call + 1, text.len());
        let Some(closing) = closing(&text) else {
            return 0;
        };
        text += &closing;
        let starts = parse_sample(&text).filter_starts;
        let starts: HashSet<u32> = starts.iter().map(|span| span.start).collect();
        let tokens = syntax::lex(SourceId(0), text.as_bytes()).tokens;
        let is_inside = |token: &&Token| (start..end).contains(&(token.span.start as usize));
        // Filters in nested brackets belong to an argument.
        let mut depth = 0_i32;
        let begins = tokens.iter().filter(is_inside).filter(|token| {
            let is_outside = depth == 0;
            match token.kind {
                TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace) => depth += 1,
                TokenKind::Symbol(Symbol::CloseParen | Symbol::CloseBrace) => depth -= 1,
                _ => {}
            }
            is_outside && starts.contains(&token.span.start)
        });
        begins.count()
    }
}

/// Returns the signature of a word with its operands in parentheses.
fn of_word(keyword: Keyword) -> Option<Signature> {
    let word = word_of(keyword)?;
    if !word.template.starts_with(&format!("{}(", keyword.text())) || keyword == Keyword::Cql {
        return None;
    }
    let letters = match keyword.regular() {
        Some(Regular::Binary(_)) => word.template.replace("A}", "S}"),
        _ => word.template.clone(),
    };
    let (label, parameters) = filled_in(&letters);
    Some(Signature { label, sentence: word.sentence.clone(), parameters, active: None })
}
