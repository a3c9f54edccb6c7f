//! Variables and dictionaries: what names mean, assignments, lookups, slices.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::Parser;
use super::error::{Failed, Res, code, nearest, type_name};
use super::expression::level;
use super::function::Function;
use crate::diagnostic::Diagnostic;
use crate::keyword::Keyword;
use crate::span::{SourceId, Span};
use crate::token::{Symbol, Token, TokenKind};
use crate::tree::{
    Arithmetic, AssignOp, Dictionary, DictionaryId, Filter, FilterKind, Persistence, Predicate,
    Slice, Type, Variable, VariableId, VariableKind,
};

/// Where more names than this are wrong, proposals are not worth their time.
const MAX_PROPOSALS: usize = 50;

/// What a name means.
#[derive(Clone)]
pub(super) enum Entity {
    Variable(VariableId),
    Dictionary(DictionaryId),
    Function(Rc<Function>),
    /// `isbound x` has been read, but nothing yet that gives x a type.
    Mentioned(VariableId),
}

/// The one flat name space of a query.
#[derive(Default)]
pub(super) struct Names {
    map: HashMap<String, Entity>,
    /// Names of filters that were not understood; nobody complains about them.
    poisoned: HashSet<String>,
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<&Entity> {
        self.map.get(name)
    }

    pub(super) fn insert(&mut self, name: String, entity: Entity) {
        self.map.insert(name, entity);
    }

    /// Notes the unknown names of a skipped filter: it may have been meant to define them.
    pub(super) fn poison(&mut self, tokens: &[Token]) {
        for token in tokens {
            if let TokenKind::Name(name) = &token.kind
                && !self.map.contains_key(name)
            {
                self.poisoned.insert(name.clone());
            }
        }
    }
}

/// The kind of variable that holds values of a type.
pub(super) fn kind_of(ty: Type) -> Option<VariableKind> {
    Some(match ty {
        Type::Boolean => return None,
        Type::Set => VariableKind::Set,
        Type::Numeric => VariableKind::Numeric,
        Type::String => VariableKind::String,
        Type::Position => VariableKind::Position,
    })
}

fn kind_name(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Piece => "a piece",
        _ => type_name(kind.ty()),
    }
}

fn assign_op(symbol: Symbol) -> Option<AssignOp> {
    Some(match symbol {
        Symbol::Assign => AssignOp::Set,
        Symbol::AssignNonEmpty => AssignOp::SetNonEmpty,
        Symbol::PlusAssign => AssignOp::Arithmetic(Arithmetic::Add),
        Symbol::MinusAssign => AssignOp::Arithmetic(Arithmetic::Subtract),
        Symbol::TimesAssign => AssignOp::Arithmetic(Arithmetic::Multiply),
        Symbol::DivideAssign => AssignOp::Arithmetic(Arithmetic::Divide),
        Symbol::ModuloAssign => AssignOp::Arithmetic(Arithmetic::Modulo),
        Symbol::UnionAssign => AssignOp::Union,
        Symbol::IntersectAssign => AssignOp::Intersect,
        _ => return None,
    })
}

/// Words of other versions of the language, and what to write today.
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
        "next" | "next2" => "write a `path`: `path --(…)`",
        "relation" => "write `echo (x y) {…}`",
        "pathmax" => "write `path max E …`",
        "rotate180" => "`rotate90` includes the rotation by 180 degrees",
        "any" => "`.` is the set of all squares",
        "O" => "castling is written `o-o`, `o-o-o`",
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

    /// Takes a name that a construct of the word `word` is about to bind or use.
    pub(super) fn expect_name(&mut self, word: &str) -> Res<(String, Span)> {
        let span = self.here();
        match self.kind() {
            Some(TokenKind::Name(name)) => {
                let name = name.clone();
                self.pos += 1;
                Ok((name, span))
            }
            Some(TokenKind::Keyword(keyword)) => {
                let message = format!(
                    "expected a name behind `{word}`, found the reserved word `{}`",
                    keyword.text()
                );
                self.fail(code::NOT_A_NAME, span, message)
            }
            Some(TokenKind::Designator(_)) => {
                let message = format!(
                    "expected a name behind `{word}`, found the piece designator {}",
                    self.found()
                );
                self.fail_help(
                    code::NOT_A_NAME,
                    span,
                    message,
                    "names of piece letters and squares are taken; use a longer one",
                )
            }
            _ => {
                let message = format!("expected a name behind `{word}`, found {}", self.found());
                self.fail(code::EXPECTED_SYMBOL, span, message)
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

    /// A variable that only the expansion of a function knows.
    pub(super) fn hidden_variable(&mut self, parameter: &str, kind: VariableKind) -> String {
        let name = format!("{parameter}<{}>", self.query.variables.len());
        let id = self.add_variable(&name, kind);
        self.names.insert(name.clone(), Entity::Variable(id));
        name
    }

    /// The variable `name` of the given kind, made if there is none.
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
                let message = format!(
                    "`{name}` is {}, it cannot become {}",
                    kind_name(old),
                    kind_name(kind)
                );
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

    /// Complains about a name that nobody knows.
    pub(super) fn unknown_name<T>(&mut self, name: &str, span: Span) -> Res<T> {
        if self.names.poisoned.contains(name) {
            return Err(Failed);
        }
        let mut diagnostic =
            Diagnostic::error(code::UNKNOWN_NAME, span, format!("unknown name `{name}`"));
        let known = self.names.map.keys().map(String::as_str);
        let words = Keyword::ALL.iter().map(|keyword| keyword.text());
        let known = known.filter(|known| !known.contains('<')).chain(words);
        if self.is_touched_designator(name, span) {
            diagnostic = diagnostic.with_help(format!(
                "a piece designator must not touch `[` or `]`: write `{{{name}}}` or a blank"
            ));
        } else if let Some(help) = old_word(name) {
            diagnostic = diagnostic.with_help(help);
        } else if let Some(near) = (self.names.poisoned.len() < MAX_PROPOSALS)
            .then(|| nearest(name, known))
            .flatten()
        {
            diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
        } else {
            diagnostic =
                diagnostic.with_help("a variable must be assigned before (further up in the text)");
        }
        // One complaint per name is enough.
        self.names.poisoned.insert(name.to_owned());
        self.report(diagnostic);
        Err(Failed)
    }

    /// Whether a name would be a piece designator if no bracket stood beside it.
    fn is_touched_designator(&self, name: &str, span: Span) -> bool {
        let lexed = crate::lex::lex(SourceId::default(), name.as_bytes());
        if !matches!(lexed.tokens.as_slice(), [only] if matches!(only.kind, TokenKind::Designator(_)))
        {
            return false;
        }
        let text = self.texts.get(usize::from(span.source.0));
        text.and_then(|t| t.get(span.end as usize))
            .is_some_and(|b| b"[]".contains(b))
    }

    /// A filter that begins with a name.
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
            Some(Entity::Function(function)) => self.call(&function),
            Some(Entity::Mentioned(_)) | None => {
                self.pos += 1;
                self.unknown_name(&name, span)
            }
        }
    }

    /// `v[…] =` with a variable v.
    fn is_slice_assignment(&self, start: usize) -> bool {
        let Some(close) = self.stream.partner[start + 1] else {
            return false;
        };
        self.variable_at(start).is_some() && self.symbol_at(close + 1) == Some(Symbol::Assign)
    }

    /// `x = E` and its like, with the name at hand.
    fn assignment(
        &mut self,
        start: usize,
        persistent: Option<Persistence>,
        atomic: bool,
    ) -> Res<Filter> {
        let (name, span) = self.expect_name("=")?;
        let Some((op, symbol)) = self
            .symbol()
            .and_then(|symbol| Some((assign_op(symbol)?, symbol)))
        else {
            let at = self.here();
            let message = format!("expected an assignment to `{name}`, found {}", self.found());
            let help = format!("write `{name} = F`");
            return self.fail_help(code::EXPECTED_SYMBOL, at, message, help);
        };
        let old = match self.names.get(&name) {
            Some(&Entity::Variable(id)) => Some(id),
            Some(Entity::Dictionary(_)) => {
                let message = format!("`{name}` is a dictionary and cannot be assigned to");
                let help = format!("assign to an entry: `{name}[key] = F`");
                return self.fail_help(code::NAME_TAKEN, span, message, help);
            }
            Some(Entity::Function(_)) => {
                let message = format!("`{name}` is a function and cannot be assigned to");
                return self.fail(code::NAME_TAKEN, span, message);
            }
            Some(Entity::Mentioned(_)) | None => None,
        };
        self.check_persistence(&name, span, old, persistent, atomic)?;
        let combines = !matches!(op, AssignOp::Set | AssignOp::SetNonEmpty);
        if combines && old.is_none() && persistent.is_none() {
            if self.names.poisoned.contains(&name) {
                return Err(Failed);
            }
            let message = format!(
                "`{}` needs a variable that exists, but `{name}` is not known here",
                symbol.text()
            );
            let help = format!("assign to it first: `{name} = F`");
            return self.fail_help(code::UNKNOWN_NAME, span, message, help);
        }
        self.pos += 1;
        let value = self.operand_of_any_type(symbol.text(), level::ADD)?;
        let Some(kind) = kind_of(value.ty) else {
            return self.no_value(&value, symbol.text());
        };
        if old.is_some_and(|id| self.variable(id).kind == VariableKind::Piece) {
            let message = format!("`{name}` is a piece variable");
            let help = format!("write `piece {name} = …`");
            return self.fail_help(code::VARIABLE_TYPE, span, message, help);
        }
        self.check_assign_op(op, symbol, &value)?;
        if persistent.is_some() && kind == VariableKind::Position {
            return self.fail(
                code::PERSISTENCE,
                value.span,
                "a position cannot be kept from game to game",
            );
        }
        let variable = self.declare(&name, span, kind)?;
        let entry = &mut self.query.variables[variable.0 as usize];
        entry.atomic |= atomic;
        if entry.persistent.is_none() {
            entry.persistent = persistent;
        }
        let kind = FilterKind::Assign {
            variable,
            op,
            value: Box::new(value),
        };
        Ok(self.make(start, Type::Boolean, kind))
    }

    fn check_persistence(
        &mut self,
        name: &str,
        span: Span,
        old: Option<VariableId>,
        persistent: Option<Persistence>,
        atomic: bool,
    ) -> Res<()> {
        let Some(old) = old else {
            return Ok(());
        };
        let was_persistent = self.variable(old).persistent.is_some();
        if persistent.is_some() && !was_persistent {
            let message = format!("`persistent` must stand where `{name}` is first used");
            return self.fail(code::PERSISTENCE, span, message);
        }
        if atomic && was_persistent {
            let message = format!("`{name}` is persistent, it cannot be atomic, too");
            return self.fail(code::PERSISTENCE, span, message);
        }
        Ok(())
    }

    fn check_assign_op(&mut self, op: AssignOp, symbol: Symbol, value: &Filter) -> Res<()> {
        let wanted = match (op, value.ty) {
            (AssignOp::Set, _)
            | (AssignOp::SetNonEmpty | AssignOp::Union | AssignOp::Intersect, Type::Set)
            | (AssignOp::Arithmetic(_), Type::Numeric)
            | (AssignOp::Arithmetic(Arithmetic::Add), Type::String) => return Ok(()),
            (AssignOp::Arithmetic(Arithmetic::Add), _) => "a number or a string",
            (AssignOp::Arithmetic(_), _) => "a number",
            _ => "a set of squares",
        };
        let message = format!(
            "`{}` needs {wanted}, found {}",
            symbol.text(),
            type_name(value.ty)
        );
        self.fail(code::OPERATOR_TYPE, value.span, message)
    }

    /// Complains about a filter that is used for its value and has none.
    pub(super) fn no_value<T>(&mut self, filter: &Filter, word: &str) -> Res<T> {
        let what = match filter.kind {
            FilterKind::Assign { .. } | FilterKind::AssignEntry(..) => {
                "an assignment, which has no value"
            }
            FilterKind::Dictionary(_) => "a dictionary",
            FilterKind::Dash(_) | FilterKind::CurrentMove(_) => "a move filter without a value",
            FilterKind::Lookup(..) => "an entry of a dictionary whose values have no type yet",
            _ => type_name(Type::Boolean),
        };
        let help = match filter.kind {
            FilterKind::Dash(_) | FilterKind::CurrentMove(_) => {
                "its value is that of its target: `K--(from)`"
            }
            FilterKind::Lookup(..) => "assign to an entry of the dictionary further up",
            FilterKind::Dictionary(_) => "take one of its entries, `D[k]`, or their number, `#D`",
            FilterKind::Assign { .. } | FilterKind::AssignEntry(..) => {
                "assign twice: `x=3 y=3`; to compare, write `==`"
            }
            _ => "numbers can stand for conditions: `{if C then 1 else 0}`",
        };
        let message = format!("`{word}` needs a value, found {what}");
        self.fail_help(code::OPERAND_TYPE, filter.span, message, help)
    }

    /// `persistent x = E`, `persistent dictionary D`
    pub(super) fn persistent(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        if self.keyword() == Some(Keyword::Dictionary) {
            return self.dictionary_declaration_from(start, false);
        }
        let persistence = if self.eat_keyword(Keyword::Quiet) {
            Persistence::Quiet
        } else {
            Persistence::Shown
        };
        if let Some(word @ (Keyword::Atomic | Keyword::Piece)) = self.keyword() {
            let span = self.here();
            let message = format!("`persistent` and `{}` exclude each other", word.text());
            return self.fail(code::PERSISTENCE, span, message);
        }
        self.assignment(start, Some(persistence), false)
    }

    /// `atomic x = E`
    pub(super) fn atomic(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        if let Some(word @ (Keyword::Persistent | Keyword::Piece)) = self.keyword() {
            let span = self.here();
            let message = format!("`atomic` and `{}` exclude each other", word.text());
            return self.fail(code::PERSISTENCE, span, message);
        }
        self.assignment(start, None, true)
    }

    /// `[i]`, `[i:j]`, `[:]` …
    pub(super) fn slice(&mut self) -> Res<Slice> {
        let Some(close) = self.stream.partner[self.pos] else {
            return self.expected_filter();
        };
        self.pos += 1;
        let outer = (self.path_top, self.in_line);
        (self.path_top, self.in_line) = (false, false);
        let slice = self.slice_inside();
        (self.path_top, self.in_line) = outer;
        let slice = slice?;
        if self.pos != close {
            self.leftover()?;
            let span = self.here();
            let message = format!("expected `]` behind the index, found {}", self.found());
            return self.fail(code::EXPECTED_SYMBOL, span, message);
        }
        self.pos += 1;
        Ok(slice)
    }

    fn slice_inside(&mut self) -> Res<Slice> {
        let from = if self.symbol() == Some(Symbol::Colon) {
            None
        } else {
            Some(Box::new(self.operand("[", level::ADD, Type::Numeric)?))
        };
        if !self.eat_symbol(Symbol::Colon) {
            return match from {
                Some(index) => Ok(Slice::Index(index)),
                None => self.expected_filter(),
            };
        }
        let to = if self.symbol() == Some(Symbol::CloseBracket) {
            None
        } else {
            Some(Box::new(self.operand(":", level::ADD, Type::Numeric)?))
        };
        Ok(Slice::Range(from, to))
    }

    /// `v[i] = S`, `v[i:j] = S`
    fn assign_slice(&mut self) -> Res<Filter> {
        let start = self.pos;
        let (name, span) = self.expect_name("=")?;
        let Some(&Entity::Variable(variable)) = self.names.get(&name) else {
            return self.unknown_name(&name, span);
        };
        if self.variable(variable).kind != VariableKind::String {
            let message = format!(
                "only strings and dictionaries are indexed, `{name}` is {}",
                kind_name(self.variable(variable).kind)
            );
            return self.fail(code::OPERATOR_TYPE, span, message);
        }
        let slice = self.slice()?;
        self.pos += 1;
        let value = self.operand("=", level::ADD, Type::String)?;
        let kind = FilterKind::AssignSlice {
            variable,
            slice,
            value: Box::new(value),
        };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// `dictionary D`, `local dictionary D`
    pub(super) fn dictionary_declaration(&mut self) -> Res<Filter> {
        let start = self.pos;
        let local = self.eat_keyword(Keyword::Local);
        self.dictionary_declaration_from(start, local)
    }

    fn dictionary_declaration_from(&mut self, start: usize, local: bool) -> Res<Filter> {
        if !self.eat_keyword(Keyword::Dictionary) {
            let span = self.here();
            let message = format!(
                "expected `dictionary` behind `local`, found {}",
                self.found()
            );
            return self.fail(code::EXPECTED_SYMBOL, span, message);
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

    /// `D`, `D[k]`, `D[k] = v`; the name has been taken.
    fn dictionary_use(&mut self, start: usize, id: DictionaryId) -> Res<Filter> {
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

    /// `[k]`, which fixes the type of the keys if it is the first.
    fn dictionary_key(&mut self, id: DictionaryId) -> Res<Filter> {
        let Some(close) = self.stream.partner[self.pos] else {
            return self.expected_filter();
        };
        self.pos += 1;
        let outer = (self.path_top, self.in_line);
        (self.path_top, self.in_line) = (false, false);
        let key = self.operand_of_any_type("[", level::OR);
        (self.path_top, self.in_line) = outer;
        let key = key?;
        if self.pos != close {
            self.leftover()?;
            let span = self.here();
            let message = format!("expected `]` behind the key, found {}", self.found());
            return self.fail(code::EXPECTED_SYMBOL, span, message);
        }
        self.pos += 1;
        if key.ty == Type::Boolean {
            return self.no_value(&key, "[");
        }
        self.check_entry(id, "keys", key.ty, key.span)?;
        Ok(key)
    }

    /// Checks or fixes the type of the keys or values of a dictionary.
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

    /// `unbind x`, `unbind D`, `unbind D[k]`
    pub(super) fn unbind(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
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

    /// `isbound x`, `isbound "x"`, `isunbound …`
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
            Some(Entity::Dictionary(_)) => FilterKind::Predicate(Predicate::True),
            Some(Entity::Function(_)) => FilterKind::IsBound(None),
            None if self.later_dictionaries.contains(&name) => {
                FilterKind::Predicate(Predicate::True)
            }
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
    use super::super::dump::{check, parse_body, refuse};
    use crate::tree::Persistence;

    #[test]
    fn assignments_fix_types() {
        check("x=R x==2", "(x = R):b (== (# $x:s):n 2):n");
        check("x=?R", "(x =? R):b");
        check(
            "x=1 x+=2 x-=1 x*=2 x/=2 x%=2",
            "(x = 1):b (x add= 2):b (x subtract= 1):b (x multiply= 2):b (x divide= 2):b (x modulo= 2):b",
        );
        check("s=\"a\" s+=\"b\"", "(s = \"a\"):b (s add= \"b\"):b");
        check("x=R x|=r x∩=P", "(x = R):b (x |= r):b (x &= P):b");
        check("x=R and k", "(and (x = R):b k):b");
        check(
            "x=R {x} (x) {{x}}",
            "(x = R):b (block $x:s):s (block $x:s):s (block $x:s):s",
        );
        refuse("x", "E0201", "x");
        refuse("x=x", "E0201", "x");
        refuse("x=3 x=R", "E0303", "x");
        refuse("x=check", "E0301", "check");
        refuse("x=3 y=x=4", "E0301", "x=4");
        refuse("x+=1", "E0201", "x");
        refuse("x=R x+=1", "E0303", "x");
        refuse("s=\"a\" s-=\"b\"", "E0302", "\"b\"");
        refuse("x=?3", "E0302", "3");
        refuse("x=1 x|=1", "E0302", "1");
        refuse("h1=3", "E0102", "=");
        refuse("n=3", "E0102", "=");
        refuse("check=3", "E0102", "=");
        refuse("function f(){} f=3", "E0203", "f");
        refuse("x=1-0", "E0101", "1-0");
    }

    #[test]
    fn persistent_and_atomic() {
        let (_, parsed) = parse_body("persistent x+=1 persistent quiet y=R atomic z=\"a\" x=4");
        assert_eq!(parsed.diagnostics, []);
        let kept: Vec<_> = parsed
            .query
            .variables
            .iter()
            .map(|v| (v.name.as_str(), v.persistent, v.atomic))
            .collect();
        assert_eq!(
            kept,
            [
                ("x", Some(Persistence::Shown), false),
                ("y", Some(Persistence::Quiet), false),
                ("z", None, true),
            ]
        );
        refuse("x=3 persistent x=4", "E0405", "x");
        refuse("persistent x=parent", "E0405", "parent");
        refuse("persistent atomic x=1", "E0405", "atomic");
        refuse("atomic persistent x=1", "E0405", "persistent");
        refuse("atomic piece x=K", "E0405", "piece");
        refuse("persistent x", "E0103", "");
    }

    #[test]
    fn bound_and_unbound() {
        check(
            "isbound x x=3 isunbound \"x\"",
            "isbound-x (x = 3):b (not isbound-x):b",
        );
        check("isbound y", "isbound-y");
        check("isbound D dictionary D isbound D", "true dictionary-D true");
        check("function f(){} isbound f", "function isbound-nothing");
        check("x=3 unbind x", "(x = 3):b unbind-x");
        refuse("unbind x", "E0201", "x");
        refuse("isbound x x==3", "E0201", "x");
        refuse("isbound 3", "E0103", "3");
    }

    #[test]
    fn slices_of_variables_can_be_replaced() {
        check(
            "s=\"hello\" s[0]=\"J\" s[1:3]=\"X\" s[2:]=\"c\" s[:]=\"d\"",
            "(s = \"hello\"):b (s[0] = \"J\"):b (s[1:3] = \"X\"):b (s[2:] = \"c\"):b (s[:] = \"d\"):b",
        );
        refuse("s=\"a\" s[0][0]=\"b\"", "E0102", "=");
        refuse("\"abc\"[0]=\"b\"", "E0102", "=");
        refuse("s=\"a\" s[0]+=\"b\"", "E0102", "+=");
        refuse("s=\"a\" s[0]=\"x\"<\"y\"", "E0102", "<");
        refuse("s=\"a\" s[0]=1", "E0301", "1");
        refuse("x=1 x[0]=\"a\"", "E0302", "x");
    }

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
        check(
            "persistent dictionary D dictionary D",
            "dictionary-D dictionary-D",
        );
        check(
            "local dictionary D D[parent]=child x[element]D x:R",
            "dictionary-D (%D = @parent (childposition 0):p):b (each x %D (at $x:p R):s):b",
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
        check(
            "x==1\nx==2\nfoo\nR|3\ncheck",
            &[("E0201", 0), ("E0201", 2), ("E0302", 3)],
        );
        check("x=check\nx==3\nR|3", &[("E0301", 0), ("E0302", 2)]);
        check(
            "if zork then\n x=1\nelse\n y=2\nR|3",
            &[("E0201", 0), ("E0302", 4)],
        );
        check(
            "path K-- zork\n check {1}\n (--)+\n\nR|3",
            &[("E0201", 0), ("E0302", 4)],
        );
        check(
            "flip {\n R|3\n zork\n}\nx=?1",
            &[("E0302", 1), ("E0201", 2), ("E0302", 4)],
        );
        check(
            "function f(x,y){x}\nf(1 2)\nR|3",
            &[("E0103", 0), ("E0302", 2)],
        );
        check("function f(x){zork x}\nf(1)\nf(2)", &[("E0201", 0)]);
        check("♖x zork\nfoo", &[("E0013", 0), ("E0201", 1)]);
    }
}
