//! Resolves names: variables, dictionaries, functions, and unknown names.

use super::assign::assign_op;
use super::error::{ErrorExtent, Failed, Res, are_swapped, code, nearest};
use super::mend::{Mend, is_designator};
use super::names::{Entity, kind_name};
use super::parser::Parser;
use super::propose::words::is_of_sentences;
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{DictionaryId, Filter, FilterKind, Type, Variable, VariableId, VariableKind};

/// Number of unknown names after which no proposals are made, since they would take too long.
const MAX_PROPOSALS: usize = 50;

/// Returns the help for a word of another version of the language.
fn old_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "on" => "`S & T` are the squares of S on T: `R & a1`",
        "element" => "write `x[element]S`",
        "forall" => "write `[forall]x[element]S`",
        "countsquares" => "compare the set with a number: `a<=S<=b`",
        "powerdifference" => "write `power A-power a`",
        "lightsquares" => "write `light .`",
        "darksquares" => "write `dark .`",
        "currentfen" => "`fen` is the FEN of the current position",
        "drop" => "`_--` is a drop, and `legal _--(F)` one that is tried",
        "next" | "next2" => "write a `path`: `path --(…)`",
        "relation" => "write `echo (x y) {…}`",
        "pathmax" => "write `path max E …`",
        "rotate180" => "`rotate90` includes the rotation by 180 degrees",
        "any" => "`.` is the set of all squares",
        "north" | "south" | "east" | "west" => "the directions are `up`, `down`, `right`, `left`",
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn variable(&self, id: VariableId) -> &Variable {
        &self.query.variables[id.0 as usize]
    }

    pub(super) fn variable_at(&self, at: usize) -> Option<VariableId> {
        match self.names.get(self.name_at(at)?) {
            Some(&Entity::Variable(id)) => Some(id),
            _ => None,
        }
    }

    pub(super) fn numeric_variable_at(&self, at: usize) -> Option<VariableId> {
        let id = self.variable_at(at)?;
        (self.variable(id).kind == VariableKind::Numeric).then_some(id)
    }

    pub(super) fn dictionary_at(&self, at: usize) -> Option<DictionaryId> {
        match self.names.get(self.name_at(at)?) {
            Some(&Entity::Dictionary(id)) => Some(id),
            _ => None,
        }
    }

    /// Reads a name that the construct of the word `word` binds or uses.
    pub(super) fn expect_name(&mut self, word: &str) -> Res<(String, Span)> {
        let span = self.here();
        match self.kind() {
            Some(TokenKind::Name(name)) => {
                let name = name.clone();
                self.pos += 1;
                Ok((name, span))
            }
            Some(kind @ (TokenKind::Keyword(_) | TokenKind::Designator(_))) => {
                let found = match kind {
                    TokenKind::Keyword(keyword) => format!("reserved word `{}`", keyword.text()),
                    _ => format!("piece designator {}", self.found()),
                };
                let message = format!("expected a name after `{word}`, found the {found}");
                let mend = self.mend_of_taken_name(word);
                self.fail_help(code::NOT_A_NAME, span, message, mend)
            }
            _ => {
                let message = format!("expected a name after `{word}`, found {}", self.found());
                self.fail_usage(code::EXPECTED_SYMBOL, span, message, word)
            }
        }
    }

    fn add_variable(&mut self, name: &str, kind: VariableKind) -> VariableId {
        let id = VariableId(self.query.variables.len() as u32);
        self.query.variables.push(Variable {
            name: name.to_owned(),
            kind,
            persistent: None,
            atomic: false,
        });
        id
    }

    /// Adds a variable that only the expansion of a function can use.
    pub(super) fn hidden_variable(&mut self, parameter: &str, kind: VariableKind) -> String {
        let name = format!("{parameter}<{}>", self.query.variables.len());
        let id = self.add_variable(&name, kind);
        self.names.insert(name.clone(), Entity::Variable(id));
        name
    }

    /// Returns the variable `name` of a kind; adds it if there is none.
    pub(super) fn declare(
        &mut self,
        name: &str,
        span: Span,
        kind: VariableKind,
    ) -> Res<VariableId> {
        match self.names.get(name) {
            None => {
                let id = self.add_variable(name, kind);
                self.names.insert(name.to_owned(), Entity::Variable(id));
                Ok(id)
            }
            Some(&Entity::Mentioned(id)) => {
                self.query.variables[id.0 as usize].kind = kind;
                self.names.insert(name.to_owned(), Entity::Variable(id));
                Ok(id)
            }
            Some(&Entity::Variable(id)) => {
                let old = self.variable(id).kind;
                if old == kind {
                    return Ok(id);
                }
                let message =
                    format!("`{name}` is {}, it cannot become {}", kind_name(old), kind_name(kind));
                let help = match old {
                    VariableKind::Piece => format!("write `piece {name} = …`"),
                    _ => "a variable keeps its type; use another name".to_owned(),
                };
                self.fail_help(code::VARIABLE_TYPE, span, message, help)
            }
            Some(Entity::Dictionary(_)) => {
                let message = format!("`{name}` is a dictionary, not a variable");
                self.fail(code::NAME_TAKEN, span, message)
            }
            Some(Entity::Function(_)) => {
                let message = format!("`{name}` is a function, not a variable");
                self.fail(code::NAME_TAKEN, span, message)
            }
        }
    }

    /// Reports an unknown name and fails.
    pub(super) fn unknown_name<T>(&mut self, name: &str, span: Span) -> Res<T> {
        if self.names.poisoned.contains(name)
            || self.stream.is_torn && self.is_touched_designator(name, span)
        {
            self.fault = ErrorExtent::Operand;
            return Err(Failed);
        }
        let may_be_near = self.names.poisoned.len() < MAX_PROPOSALS && !is_of_sentences(name);
        let near = if may_be_near {
            let known = self.names.map.keys().map(String::as_str);
            let words = Keyword::ALL.iter().map(|keyword| keyword.text());
            let known = known.filter(|known| !known.contains('<')).chain(words);
            // `Tal` is a name, and no misspelled `tag`.
            let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
            let is_near = |near: &&str| {
                !is_capital
                    || name.len() > 4
                    || are_swapped(name, near)
                    || name.eq_ignore_ascii_case(near)
            };
            nearest(name, known).filter(is_near).map(str::to_owned)
        } else {
            None
        };
        let mend = if self.is_touched_designator(name, span) {
            Some(self.mend_of_touched(name, span))
        } else {
            // as in `K on e1`, whose word is the token before the next one
            let place = self.pos.checked_sub(2).and_then(|men| self.mend_of_place(men));
            let place = place.map(|(mend, _)| mend);
            old_word(name).map(|help| place.unwrap_or_else(|| Mend::advice(help)))
        };
        // Each name is reported once.
        self.names.poisoned.insert(name.to_owned());
        match mend {
            Some(mend) => {
                let message = format!("unknown name `{name}`");
                let diagnostic = Diagnostic::error(code::UNKNOWN_NAME, span, message);
                self.report(mend.onto(diagnostic));
            }
            None => self.report_unknown(name, span, near.as_deref()),
        }
        Err(Failed)
    }

    /// Whether a name would be a piece designator without the bracket after it.
    fn is_touched_designator(&self, name: &str, span: Span) -> bool {
        let text = self.texts.get(usize::from(span.source.0));
        let next = text.and_then(|text| text.get(span.end as usize));
        is_designator(name) && next.is_some_and(|next| b"[]".contains(next))
    }

    /// Returns the keyword at a token that is only a name in CQL 6.2, unless the query defines it.
    pub(super) fn newer_word(&self, at: usize) -> Option<Keyword> {
        let name = self.name_at(at)?;
        match self.names.get(name) {
            None | Some(Entity::Mentioned(_)) => Keyword::from_text(name),
            Some(_) => None,
        }
    }

    /// Parses a filter that begins with a name.
    pub(super) fn name_filter(&mut self) -> Res<Filter> {
        let start = self.pos;
        let Some(name) = self.name_at(start).map(str::to_owned) else {
            return self.expected_filter();
        };
        match self.symbol_at(start + 1) {
            Some(Symbol::Element) => return self.element_loop(start, false),
            Some(symbol) if assign_op(symbol).is_some() => {
                return self.assignment(start, None, false);
            }
            Some(Symbol::OpenBracket) if self.is_slice_assignment(start) => {
                return self.assign_slice();
            }
            _ => {}
        }
        let span = self.here();
        match self.names.get(&name).cloned() {
            Some(Entity::Variable(id)) => {
                self.pos += 1;
                let ty = self.variable(id).kind.ty();
                Ok(self.make(start, ty, FilterKind::Variable(id)))
            }
            Some(Entity::Dictionary(id)) => {
                self.pos += 1;
                self.dictionary_use(start, id)
            }
            Some(Entity::Function(function)) => match Keyword::from_text(&name) {
                // Only parentheses make a call: without them, the word keeps its meaning.
                Some(word) if self.symbol_at(start + 1) != Some(Symbol::OpenParen) => {
                    self.word(word)
                }
                _ => self.call(&function),
            },
            Some(Entity::Mentioned(_)) | None => match self.newer_word(start) {
                Some(keyword) => self.word(keyword),
                None => {
                    self.pos += 1;
                    self.unknown_name(&name, span)
                }
            },
        }
    }

    /// Parses `unbind x`, `unbind D` or `unbind D[k]`.
    pub(super) fn unbind(&mut self) -> Res<Filter> {
        let start = self.eat();
        let (name, span) = self.expect_name("unbind")?;
        let kind = match self.names.get(&name) {
            Some(&Entity::Variable(id)) => FilterKind::Unbind(id),
            Some(&Entity::Dictionary(id)) => {
                if self.symbol() == Some(Symbol::OpenBracket) {
                    if self.query.dictionaries[id.0 as usize].key.is_none() {
                        let message = format!("the keys of `{name}` have no type yet");
                        return self.fail(code::DICTIONARY_TYPE, span, message);
                    }
                    FilterKind::UnbindEntry(id, Box::new(self.dictionary_key(id)?))
                } else {
                    FilterKind::UnbindDictionary(id)
                }
            }
            Some(Entity::Function(_)) => {
                let message = format!("`{name}` is a function, not a variable");
                return self.fail(code::FUNCTION, span, message);
            }
            Some(Entity::Mentioned(_)) | None => return self.unknown_name(&name, span),
        };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses `isbound x`, `isbound "x"` or `isunbound …`.
    pub(super) fn is_bound(&mut self) -> Res<Filter> {
        let start = self.pos;
        let negated = self.keyword() == Some(Keyword::Isunbound);
        let word = if negated { "isunbound" } else { "isbound" };
        self.pos += 1;
        let name = match self.literal() {
            Some(text) => {
                let name = String::from_utf8_lossy(text).into_owned();
                self.pos += 1;
                name
            }
            None => self.expect_name(word)?.0,
        };
        let kind = match self.names.get(&name) {
            Some(&(Entity::Variable(id) | Entity::Mentioned(id))) => FilterKind::IsBound(Some(id)),
            Some(Entity::Dictionary(_)) => FilterKind::TRUE,
            Some(Entity::Function(_)) => FilterKind::IsBound(None),
            None if self.later_dictionaries.contains(&name) => FilterKind::TRUE,
            None => {
                let id = self.add_variable(&name, VariableKind::Set);
                self.names.insert(name, Entity::Mentioned(id));
                FilterKind::IsBound(Some(id))
            }
        };
        let filter = self.make(start, Type::Boolean, kind);
        if !negated {
            return Ok(filter);
        }
        let kind = FilterKind::Not(Box::new(filter));
        Ok(self.make(start, Type::Boolean, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, parse_body, refuse};

    #[test]
    fn bound_and_unbound() {
        check("isbound x x=3 isunbound \"x\"", "isbound-x (x = 3):b (not isbound-x):b");
        check("isbound y", "isbound-y");
        check("isbound D dictionary D isbound D", "true dictionary-D true");
        check("function f(){} isbound f", "function isbound-nothing");
        check("x=3 unbind x", "(x = 3):b unbind-x");
        refuse("unbind x", "E0201", "x");
        refuse("isbound x x==3", "E0201", "x");
        refuse("isbound 3", "E0103", "3");
    }

    #[test]
    fn one_fault_makes_one_error_and_the_rest_is_still_checked() {
        let check = |text: &str, expected: &[(&str, usize)]| {
            let (text, parsed) = parse_body(text);
            let found: Vec<(&str, usize)> = parsed
                .diagnostics
                .iter()
                .map(|d| {
                    let line = text[..d.span.start as usize].matches('\n').count();
                    (d.code, line)
                })
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("x==1\nx==2\nfoo\nR|3\ncheck", &[("E0201", 0), ("E0201", 2), ("E0302", 3)]);
        check("x=check\nx==3\nR|3", &[("E0301", 0), ("E0302", 2)]);
        check("if zork then\n x=1\nelse\n y=2\nR|3", &[("E0201", 0), ("E0302", 4)]);
        check("path K-- zork\n check {1}\n (--)+\n\nR|3", &[("E0201", 0), ("E0302", 4)]);
        check("flip {\n R|3\n zork\n}\nx=?1", &[("E0302", 1), ("E0201", 2), ("E0302", 4)]);
        check("function f(x,y){x}\nf(1 2)\nR|3", &[("E0103", 0), ("E0302", 2)]);
        check("function f(x){zork x}\nf(1)\nf(2)", &[("E0201", 0)]);
        check("♖x zork\nfoo", &[("E0013", 0), ("E0201", 1)]);
    }
}
