//! Phrases that several filters share.

use super::names::roles;
use super::{Explainer, Use, Words};
use crate::tree::{Arithmetic, Filter, Relation, Slice, SquareLoop, Type};

/// A sentence with places for operands, and the operands in them.
pub(super) fn filled(sentence: &str, operands: &[String; 2]) -> String {
    let mut words = String::new();
    let mut operands = operands.iter();
    for (i, part) in sentence.split("{}").enumerate() {
        if i > 0 {
            words.extend(operands.next().map(String::as_str));
        }
        words += part;
    }
    words
}

/// A string as it is quoted in a sentence.
pub(super) fn quoted(text: &[u8]) -> String {
    match text {
        b"\n" => "a line break".to_owned(),
        _ => format!("\"{}\"", String::from_utf8_lossy(text)),
    }
}

impl Explainer<'_> {
    pub(super) fn block(&self, items: &[Filter], ty: Type, used: Use) -> Words {
        let mut parts = self.parts();
        if let [only] = items {
            return self.words(only, used);
        }
        for item in items {
            parts.condition("", item);
        }
        let claim = "all of these hold:";
        if used == Use::Condition || ty == Type::Boolean {
            return Words::condition(claim).with(parts);
        }
        parts.below.pop();
        if let Some(last) = items.last() {
            parts.noun("value", last);
        }
        Words::value(ty, "if all of these hold, the value of the last:").with(parts)
    }

    pub(super) fn list(&self, items: &[Filter], word: &str, otherwise: &str) -> Words {
        let mut parts = self.parts();
        let all: Vec<Words> = items
            .iter()
            .map(|item| self.words(item, Use::Condition))
            .collect();
        let claims: Vec<&str> = all.iter().map(|words| words.claim.as_str()).collect();
        let inline = claims.join(word);
        if items.len() == 2
            && all.iter().all(|words| words.below.is_empty())
            && inline.chars().count() <= super::SHORT
        {
            return Words::condition(inline);
        }
        for item in items {
            parts.condition("", item);
        }
        Words::condition(otherwise).with(parts)
    }

    pub(super) fn relation(&self, op: Relation, left: &Filter, right: &Filter, ty: Type) -> Words {
        let mut parts = self.parts();
        let verb = match (op, left.ty) {
            (Relation::Less, Type::Position) => "has a smaller id than",
            (Relation::Greater, Type::Position) => "has a greater id than",
            (Relation::LessEqual, Type::Position) => "has at most the id of",
            (Relation::GreaterEqual, Type::Position) => "has at least the id of",
            (Relation::Less, _) => "is less than",
            (Relation::LessEqual, _) => "is at most",
            (Relation::Greater, _) => "is greater than",
            (Relation::GreaterEqual, _) => "is at least",
            (Relation::Equal, Type::Set) => "are the same squares as",
            (Relation::NotEqual, Type::Set) => "are not the same squares as",
            (Relation::Equal, _) => "is",
            (Relation::NotEqual, _) => "is not",
            (Relation::Ancestor, _) => "comes before",
            (Relation::AncestorEqual, _) => "is, or comes before,",
            (Relation::Descendant | Relation::DescendantEqual, _) => "comes behind",
        };
        let (left, right) = (parts.value(left), parts.value(right));
        match ty {
            Type::Boolean => Words::condition(format!("{left} {verb} {right}")),
            _ => Words::value(ty, format!("{left}, which {verb} {right}"))
                .saying(format!("{left} {verb} {right}")),
        }
        .with(parts)
    }

    pub(super) fn square_loop(&self, square_loop: &SquareLoop, ty: Type) -> Words {
        let SquareLoop {
            variable,
            piece,
            all,
            domain,
            body,
        } = square_loop;
        let mut parts = self.parts();
        let domain = parts.operand(domain);
        let name = self.variable(*variable);
        parts.condition("", body);
        let thing = if *piece { "piece" } else { "square" };
        let words = match (all, ty) {
            (true, _) => {
                Words::condition(format!("this holds for every {thing} {name} of {domain}:"))
            }
            (false, Type::Boolean) => {
                Words::condition(format!("this holds for a {thing} {name} of {domain}:"))
            }
            (false, _) => Words::value(
                ty,
                format!("each {thing} {name} of {domain} for which this holds:"),
            )
            .saying(format!(
                "this holds for at least one {thing} {name} of {domain}:"
            )),
        };
        words.with(parts)
    }

    /// A word in front of an operand.
    pub(super) fn of(&self, ty: Type, word: &str, operand: &Filter) -> Words {
        let mut parts = self.parts();
        let operand = parts.operand(operand);
        Words::simple(ty, format!("{word} {operand}")).with(parts)
    }

    /// A word between two operands.
    pub(super) fn infix(&self, ty: Type, left: &Filter, word: &str, right: &Filter) -> Words {
        let mut parts = self.parts();
        let (left, right) = (parts.operand(left), parts.operand(right));
        Words::value(ty, format!("{left} {word} {right}")).with(parts)
    }

    /// What a list of items prints.
    pub(super) fn text_of(&self, items: &[Filter]) -> (String, super::Parts<'_>) {
        let mut parts = self.parts();
        let items: Vec<String> = items.iter().map(|item| parts.value(item)).collect();
        (items.join(", "), parts)
    }

    /// Whether a promotion operand says anything.
    pub(super) fn promotion(
        &self,
        promotion: &crate::tree::Promotion,
        parts: &mut super::Parts<'_>,
    ) -> String {
        use crate::tree::Promotion;
        match promotion {
            Promotion::Any => "any promotion".to_owned(),
            Promotion::Roles(bits) => format!("a promotion to {}", roles(*bits)),
            Promotion::Text(text) => {
                format!("a promotion to one of the letters {}", parts.operand(text))
            }
        }
    }
}

pub(super) fn arithmetic(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "plus",
        Arithmetic::Subtract => "minus",
        Arithmetic::Multiply => "times",
        Arithmetic::Divide => "divided by",
        Arithmetic::Modulo => "modulo",
    }
}

pub(super) fn slice_of(slice: &Slice, parts: &mut super::Parts<'_>) -> String {
    match slice {
        Slice::Index(index) => format!("character {}", parts.operand(index)),
        Slice::Range(from, to) => {
            let from = from
                .as_ref()
                .map_or("0".to_owned(), |from| parts.operand(from));
            match to {
                Some(to) => format!("the part from {from} up to {}", parts.operand(to)),
                None => format!("the part from {from} on"),
            }
        }
    }
}
