//! Parses the list of `:relation`.

use super::code;
use super::keyword::{self, ListKind, RelationKey};
use super::lex::TokenKind;
use super::parse::{Parser, Res};
use super::tree::{Designator, Men, Range, Relation};
use crate::span::Span;

impl Parser {
    /// Reads `( … )` after `:relation`.
    pub(super) fn relation(&mut self, keyword: Span) -> Res<Relation> {
        if self.peek() != Some(&TokenKind::Open) {
            let span = self.here();
            return Err(self.error_help(
                code::LIST,
                span,
                "`:relation` takes a list of keywords",
                "write `:relation ( … )`; the list may be empty",
            ));
        }
        let mut relation = Relation { span: keyword, ..Relation::default() };
        let mut seen: Vec<(RelationKey, Span)> = Vec::new();
        self.list(|p| {
            let span = p.here();
            let word = match p.peek() {
                Some(TokenKind::Word(word)) if word.starts_with(b":") => {
                    String::from_utf8_lossy(&word[1..]).into_owned()
                }
                _ => {
                    p.advance();
                    return Err(p.error(code::LIST, span, "a relation holds keywords only"));
                }
            };
            p.advance();
            let Some(key) = keyword::relation_key(&word) else {
                return Err(p.unknown_keyword(ListKind::Relation, &word, span));
            };
            let counts = matches!(
                key,
                RelationKey::Different
                    | RelationKey::Same
                    | RelationKey::Missing
                    | RelationKey::New
            );
            let before = seen.iter().find(|(other, _)| *other == key);
            if let Some(&(_, first)) = before
                && counts
            {
                return Err(p.repeated(&word, span, first));
            }
            seen.push((key, span));
            p.relation_key(key, &word, &mut relation)
        })?;
        Ok(relation)
    }

    fn relation_key(&mut self, key: RelationKey, word: &str, relation: &mut Relation) -> Res<()> {
        match key {
            RelationKey::Pattern => relation.pattern = true,
            RelationKey::Shift => relation.shift = true,
            RelationKey::Flip => relation.flip = true,
            RelationKey::Variations => relation.variations = true,
            RelationKey::VariationsOnly => relation.variations_only = true,
            RelationKey::Side(side) => relation.side = side,
            RelationKey::Different => relation.different = Some(self.range(word)?),
            RelationKey::Same => relation.same = Some(self.range(word)?),
            RelationKey::Missing => relation.missing = Some(self.counted_men(word)?),
            RelationKey::New => relation.new = Some(self.counted_men(word)?),
        }
        Ok(())
    }

    fn counted_men(&mut self, word: &str) -> Res<(Designator, Range)> {
        let designator = self.designator(word)?;
        if let Men::Tag(_) = designator.men {
            let message = "a tag may not stand in a relation";
            return Err(self.error(code::TAG_AND_RELATION, designator.span, message));
        }
        Ok((designator, self.range(word)?))
    }
}
