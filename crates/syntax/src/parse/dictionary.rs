//! Parses declarations of dictionaries, lookups, and assignments to entries.
//!
//! The first key and the first value in the text determine the types of all others.

use super::error::{Res, code, type_name};
use super::names::Entity;
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::span::Span;
use crate::token::Symbol;
use crate::tree::{Dictionary, DictionaryId, Filter, FilterKind, Type};

impl Parser<'_> {
    /// Parses `dictionary D` or `local dictionary D`.
    pub(super) fn dictionary_declaration(&mut self) -> Res<Filter> {
        let start = self.pos;
        let local = self.eat_keyword(Keyword::Local);
        self.dictionary_declaration_from(start, local)
    }

    pub(super) fn dictionary_declaration_from(&mut self, start: usize, local: bool) -> Res<Filter> {
        if !self.eat_keyword(Keyword::Dictionary) {
            return self.expected("`dictionary` after `local`", "");
        }
        let (name, span) = self.expect_name("dictionary")?;
        let id = match self.names.get(&name) {
            Some(&Entity::Dictionary(id)) => {
                if self.query.dictionaries[id.0 as usize].local != local {
                    let message = format!(
                        "`{name}` was declared {} before",
                        if local { "without `local`" } else { "`local`" }
                    );
                    return self.fail(code::PERSISTENCE, span, message);
                }
                id
            }
            Some(Entity::Variable(_) | Entity::Function(_)) => {
                let message = format!("`{name}` has another meaning already");
                return self.fail(code::NAME_TAKEN, span, message);
            }
            Some(Entity::Mentioned(_)) | None => {
                let id = DictionaryId(self.query.dictionaries.len() as u32);
                if !local {
                    self.query.shared.get_or_insert(span);
                }
                self.query.dictionaries.push(Dictionary {
                    name: name.clone(),
                    local,
                    key: None,
                    value: None,
                });
                self.names.insert(name, Entity::Dictionary(id));
                id
            }
        };
        if self.symbol() == Some(Symbol::OpenBracket) {
            return self.dictionary_use(start, id);
        }
        Ok(self.make(start, Type::Boolean, FilterKind::DictionaryDeclaration(id)))
    }

    /// Parses the rest of `D`, `D[k]` or `D[k] = v`, after the name.
    pub(super) fn dictionary_use(&mut self, start: usize, id: DictionaryId) -> Res<Filter> {
        if self.symbol() != Some(Symbol::OpenBracket) {
            return Ok(self.make(start, Type::Boolean, FilterKind::Dictionary(id)));
        }
        let key = self.dictionary_key(id)?;
        if self.symbol() != Some(Symbol::Assign) {
            let ty = self.query.dictionaries[id.0 as usize].value;
            let kind = FilterKind::Lookup(id, Box::new(key));
            return Ok(self.make(start, ty.unwrap_or(Type::Boolean), kind));
        }
        self.pos += 1;
        let value = self.operand_of_any_type("=", level::OR)?;
        if value.ty == Type::Boolean {
            return self.no_value(&value, "=");
        }
        self.check_entry(id, "values", value.ty, value.span)?;
        let kind = FilterKind::AssignEntry(id, Box::new(key), Box::new(value));
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses `[k]`. The first key determines the type of all keys.
    pub(super) fn dictionary_key(&mut self, id: DictionaryId) -> Res<Filter> {
        let key = self.bracketed("key", |p| p.operand_of_any_type("[", level::OR))?;
        if key.ty == Type::Boolean {
            return self.no_value(&key, "[");
        }
        self.check_entry(id, "keys", key.ty, key.span)?;
        Ok(key)
    }

    /// Checks the type of the keys or values of a dictionary; determines it if it is still unknown.
    fn check_entry(&mut self, id: DictionaryId, what: &str, ty: Type, span: Span) -> Res<()> {
        let dictionary = &mut self.query.dictionaries[id.0 as usize];
        let slot = match what {
            "keys" => &mut dictionary.key,
            _ => &mut dictionary.value,
        };
        let known = *slot.get_or_insert(ty);
        if known != ty {
            let message = format!(
                "the {what} of `{}` are each {}, found {}",
                dictionary.name,
                type_name(known),
                type_name(ty)
            );
            return self.fail(code::DICTIONARY_TYPE, span, message);
        }
        if ty == Type::Position && !dictionary.local {
            let message = format!(
                "positions cannot be {what} of `{}`, which is kept from game to game",
                dictionary.name
            );
            let help = format!("declare it as `local dictionary {}`", dictionary.name);
            return self.fail_help(code::DICTIONARY_TYPE, span, message, help);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn dictionaries() {
        check(
            "local dictionary D D[\"a\"]=1 D[\"a\"]==1 unbind D[\"a\"] unbind D D",
            "dictionary-D (%D = \"a\" 1):b (== (%D \"a\"):n 1):n (unbind-D \"a\"):b unbind-D %D",
        );
        check(
            "local dictionary D if not D[1] then D[1]=R",
            "dictionary-D (if (not (%D 1):b):b (%D = 1 R):b):b",
        );
        check("dictionary D[1]=R", "(%D = 1 R):b");
        check("persistent dictionary D dictionary D", "dictionary-D dictionary-D");
        check(
            "local dictionary D D[parent]=child x[element]D x:R",
            "dictionary-D (%D = parent (childposition 0):p):b (each x %D (at $x:p R):s):b",
        );
        check(
            "dictionary D D[\"a\"]=R string s in D true x[element]D[\"a\"] true",
            "dictionary-D (%D = \"a\" R):b (each s %D true):b (square x (%D \"a\"):s true):s",
        );
        check("dictionary D D[1]=1<2", "dictionary-D (%D = 1 (< 1 2):n):b");
        let d = "local dictionary D ";
        for (text, code, place) in [
            ("D[check]=1", "E0301", "check"),
            ("D[\"a\"]=check", "E0301", "check"),
            ("D[\"a\"]=1 or true", "E0301", "1 or true"),
            ("D[\"a\"]=1 D[2]=1", "E0305", "2"),
            ("D[\"a\"]=1 D[\"b\"]=\"x\"", "E0305", "\"x\""),
            ("D[\"a\"]+=1", "E0102", "+="),
            ("x=D", "E0301", "D"),
            ("D=1", "E0203", "D"),
            ("D==3", "E0102", "=="),
            ("dictionary D", "E0405", "D"),
            ("unbind D[1]", "E0305", "D"),
            ("D[\"a\"]=1 unbind D[1]", "E0305", "1"),
            ("x[element]D true", "E0305", "x"),
            ("D[\"a\"]=1 x=3 x[element]D true", "E0303", "x"),
            ("D[1]=1 string x in D true", "E0305", "D"),
            ("D[1", "E0017", "["),
        ] {
            refuse(&format!("{d}{text}"), code, place);
        }
        refuse("dictionary D D[parent]=1", "E0305", "parent");
        refuse("dictionary D D[1]=parent", "E0305", "parent");
        refuse("x=1 dictionary x", "E0203", "x");
    }
}
