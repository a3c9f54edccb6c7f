//! Functions, variables and dictionaries with their definitions and uses.
//!
//! CQL 6 has one name space for the whole query. Only the parameters of a function belong to its
//! body, where they hide other things of the same name. So a name refers to a parameter of the
//! innermost function around it, or else to the one thing of that name in the query.

use std::collections::HashMap;

use syntax::builtin::Keyword;
use syntax::parse::assign_op;
use syntax::token::{Symbol, Token, TokenKind};
use syntax::{SourceId, Span};

use crate::space::comment_length;

/// Kind of the thing that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// Defined by `function`.
    Function,
    /// Parameter of a function.
    Parameter,
    /// Defined by an assignment, a loop, or `echo`.
    Variable,
    /// Defined by `dictionary`.
    Dictionary,
}

impl NameKind {
    /// Returns the name of the kind.
    pub(crate) fn name(self) -> &'static str {
        match self {
            NameKind::Function => "function",
            NameKind::Parameter => "parameter",
            NameKind::Variable => "variable",
            NameKind::Dictionary => "dictionary",
        }
    }
}

/// A named function, parameter, variable or dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name as written.
    pub text: String,
    /// Kind of the thing.
    pub kind: NameKind,
    /// The first definition.
    pub definition: Span,
    /// The parameters of a function, as indices into [`NameIndex::all`].
    pub parameters: Vec<usize>,
    /// For a function, the span from the word `function` to the end of the body; for a parameter,
    /// the scope of its function; otherwise the whole text.
    pub scope: Span,
}

/// An occurrence of a name in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The name itself; without the quotes in `isbound "x"`.
    pub span: Span,
    /// The thing it refers to, as an index into [`NameIndex::all`].
    pub name: usize,
    /// Whether it is defined or assigned here.
    pub is_write: bool,
}

/// All names of a query.
#[derive(Debug, Clone, Default)]
pub struct NameIndex {
    /// Everything that has a name, in the order of the definitions.
    pub all: Vec<Name>,
    /// All occurrences, in the order of the text.
    pub occurrences: Vec<Occurrence>,
    /// The occurrences of each name, in the order of the text.
    places: Vec<Vec<Occurrence>>,
}

impl NameIndex {
    /// Finds the names of a query in CQL 6.
    pub fn of(tokens: &[Token]) -> NameIndex {
        let mut finder = NameResolver::new(tokens);
        for at in 0..tokens.len() {
            finder.visit(at);
        }
        finder.finish()
    }

    /// Finds the variables of a query in CQL 5, which begin with `$` and may follow a designator
    /// directly.
    pub fn of_cql5(text: &[u8]) -> NameIndex {
        let mut names = NameIndex::default();
        let whole = Span::new(SourceId(0), 0, text.len());
        let mut by_text: HashMap<&[u8], usize> = HashMap::new();
        let mut at = 0;
        while at < text.len() {
            let length = match text[at] {
                b'"' => 1 + string_length(&text[at + 1..]),
                b'$' => {
                    let word = text[at + 1..].iter();
                    1 + word.take_while(|&&b| b.is_ascii_alphanumeric() || b == b'_').count()
                }
                _ => {
                    at += comment_length(&text[at..]).max(1);
                    continue;
                }
            };
            let end = (at + length).min(text.len());
            if text[at] == b'$' && length > 1 {
                let span = Span::new(SourceId(0), at, end);
                let is_new = !by_text.contains_key(&text[at..end]);
                let index = *by_text.entry(&text[at..end]).or_insert(names.all.len());
                if is_new {
                    let text = String::from_utf8_lossy(&text[at..end]).into_owned();
                    names.all.push(Name::new(text, NameKind::Variable, span, whole));
                }
                names.occurrences.push(Occurrence { span, name: index, is_write: is_new });
            }
            at = end;
        }
        names.sorted_out()
    }

    /// Returns the occurrence that contains an offset or ends at it.
    pub fn at(&self, offset: usize) -> Option<&Occurrence> {
        let next =
            self.occurrences.partition_point(|occurrence| occurrence.span.start as usize <= offset);
        let found = &self.occurrences[next.checked_sub(1)?];
        (offset <= found.span.end as usize).then_some(found)
    }

    /// Returns the occurrences of a name, in the order of the text.
    pub fn places(&self, name: usize) -> impl Iterator<Item = &Occurrence> {
        self.places.get(name).into_iter().flatten()
    }

    /// Groups the occurrences by name.
    fn sorted_out(mut self) -> NameIndex {
        self.places = vec![Vec::new(); self.all.len()];
        for occurrence in &self.occurrences {
            self.places[occurrence.name].push(*occurrence);
        }
        self
    }
}

/// Returns the length of a string after its opening quote, with the closing quote.
fn string_length(inside: &[u8]) -> usize {
    let end = inside.iter().position(|&b| b == b'"');
    end.map_or(inside.len(), |end| end + 1)
}

impl Name {
    fn new(text: String, kind: NameKind, definition: Span, scope: Span) -> Name {
        Name { text, kind, definition, parameters: Vec::new(), scope }
    }
}

/// A function whose body is being read.
struct Scope<'t> {
    /// The first token that is not in the body.
    end: usize,
    parameters: HashMap<&'t str, usize>,
}

struct NameResolver<'t> {
    tokens: &'t [Token],
    /// Pairs of an opening brace and its closing one, in the order of the text.
    partners: Vec<(usize, usize)>,
    names: NameIndex,
    /// Whether each name has a definition, by index.
    is_defined: Vec<bool>,
    global: HashMap<&'t str, usize>,
    scopes: Vec<Scope<'t>>,
    /// Index of the first token that has not been read as a parameter.
    taken: usize,
    whole: Span,
}

impl<'t> NameResolver<'t> {
    fn new(tokens: &'t [Token]) -> NameResolver<'t> {
        let mut open = Vec::new();
        let mut partners = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Symbol(Symbol::OpenBrace) => open.push(at),
                TokenKind::Symbol(Symbol::CloseBrace) => {
                    partners.extend(open.pop().map(|open| (open, at)));
                }
                _ => {}
            }
        }
        partners.sort_by_cached_key(|&(open, _)| open as u32);
        let end = tokens.last().map_or(0, |token| token.span.end as usize);
        NameResolver {
            tokens,
            partners,
            names: NameIndex::default(),
            is_defined: Vec::new(),
            global: HashMap::new(),
            scopes: Vec::new(),
            taken: 0,
            whole: Span::new(SourceId(0), 0, end),
        }
    }

    fn kind(&self, at: Option<usize>) -> Option<&'t TokenKind> {
        Some(&self.tokens.get(at?)?.kind)
    }

    fn before(&self, at: usize, n: usize) -> Option<&'t TokenKind> {
        self.kind(at.checked_sub(n))
    }

    fn is_keyword(&self, at: usize, n: usize, keyword: Keyword) -> bool {
        self.before(at, n) == Some(&TokenKind::Keyword(keyword))
    }

    fn name(&self, at: usize) -> Option<&'t str> {
        match self.kind(Some(at)) {
            Some(TokenKind::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn visit(&mut self, at: usize) {
        self.scopes.retain(|scope| at < scope.end);
        if at < self.taken {
            return;
        }
        let span = self.tokens[at].span;
        match &self.tokens[at].kind {
            TokenKind::Name(name) if self.is_keyword(at, 1, Keyword::Function) => {
                self.function(at, name);
            }
            TokenKind::Name(name) => {
                let is_dictionary = self.is_keyword(at, 1, Keyword::Dictionary);
                let is_write = is_dictionary || self.is_write(at);
                let index = self.find(name);
                if is_dictionary {
                    self.names.all[index].kind = NameKind::Dictionary;
                }
                self.add(index, span, is_write);
            }
            TokenKind::String(text)
                if self.is_keyword(at, 1, Keyword::Isbound)
                    || self.is_keyword(at, 1, Keyword::Isunbound) =>
            {
                // The content of the string without its quotes; the closing one may be missing.
                let inside = Span::new(SourceId(0), span.start as usize + 1, span.end as usize - 1);
                let n_bytes = (inside.end.saturating_sub(inside.start)) as usize;
                if let Ok(name) = std::str::from_utf8(text)
                    && n_bytes == text.len()
                    && !name.is_empty()
                {
                    let index = self.find(name);
                    self.add(index, inside, false);
                }
            }
            _ => {}
        }
    }

    /// Reads `function NAME ( PARAMETERS ) { BODY }`, as far as it is present.
    fn function(&mut self, at: usize, name: &'t str) {
        let index = self.find(name);
        self.names.all[index].kind = NameKind::Function;
        self.add(index, self.tokens[at].span, true);
        if self.kind(Some(at + 1)) != Some(&TokenKind::Symbol(Symbol::OpenParen)) {
            return;
        }
        let mut close = at + 2;
        while self.name(close).is_some() {
            close += 1;
        }
        let open = close + 1;
        let has_body = self.kind(Some(close)) == Some(&TokenKind::Symbol(Symbol::CloseParen))
            && self.kind(Some(open)) == Some(&TokenKind::Symbol(Symbol::OpenBrace));
        let end = if has_body {
            match self.partners.binary_search_by_key(&open, |pair| pair.0) {
                Ok(index) => self.partners[index].1,
                Err(_) => self.tokens.len(),
            }
        } else {
            close
        };
        let last = end.min(self.tokens.len() - 1);
        let scope = self.tokens[at - 1].span.to(self.tokens[last].span);
        let mut parameters = HashMap::new();
        for parameter in at + 2..close {
            let Some(text) = self.name(parameter) else {
                continue;
            };
            let span = self.tokens[parameter].span;
            let id = self.names.all.len();
            let name = Name::new(text.to_owned(), NameKind::Parameter, span, scope);
            self.names.all.push(name);
            self.is_defined.push(false);
            self.add(id, span, true);
            parameters.insert(text, id);
            self.names.all[index].parameters.push(id);
        }
        self.names.all[index].scope = scope;
        self.taken = close;
        self.scopes.push(Scope { end, parameters });
    }

    /// Returns the index of a name; adds it if it is new.
    fn find(&mut self, name: &'t str) -> usize {
        let mut scopes = self.scopes.iter().rev();
        if let Some(&index) = scopes.find_map(|scope| scope.parameters.get(name)) {
            return index;
        }
        if let Some(&index) = self.global.get(name) {
            return index;
        }
        let index = self.names.all.len();
        let nowhere = Span::default();
        let name_of = Name::new(name.to_owned(), NameKind::Variable, nowhere, self.whole);
        self.names.all.push(name_of);
        self.is_defined.push(false);
        self.global.insert(name, index);
        index
    }

    fn add(&mut self, name: usize, span: Span, is_write: bool) {
        if is_write && !self.is_defined[name] {
            self.is_defined[name] = true;
            self.names.all[name].definition = span;
        }
        self.names.occurrences.push(Occurrence { span, name, is_write });
    }

    /// Whether the name is assigned or bound at a token.
    fn is_write(&self, at: usize) -> bool {
        let is_assigned = match self.kind(Some(at + 1)) {
            Some(TokenKind::Symbol(sign)) => *sign == Symbol::Element || assign_op(*sign).is_some(),
            _ => false,
        };
        // `square all x in S`
        let n = 1 + usize::from(self.is_keyword(at, 1, Keyword::All));
        let is_bound = matches!(
            self.before(at, n),
            Some(
                TokenKind::Keyword(Keyword::Square | Keyword::Piece | Keyword::String)
                    | TokenKind::PieceDeclaration
                    | TokenKind::Symbol(Symbol::ForAll)
            )
        );
        // `echo quiet (s t)`
        let opens_echo = |n| {
            let word = n + 1 + usize::from(self.is_keyword(at, n + 1, Keyword::Quiet));
            self.before(at, n) == Some(&TokenKind::Symbol(Symbol::OpenParen))
                && self.is_keyword(at, word, Keyword::Echo)
        };
        let is_of_echo = opens_echo(1) || opens_echo(2);
        is_assigned || is_bound || is_of_echo
    }

    /// Removes names without a definition, and sorts the rest.
    fn finish(self) -> NameIndex {
        let NameIndex { all, occurrences, .. } = self.names;
        let mut order: Vec<usize> = (0..all.len()).filter(|&i| self.is_defined[i]).collect();
        order.sort_by_cached_key(|&index| all[index].definition);
        let mut places = vec![None; all.len()];
        for (place, &index) in order.iter().enumerate() {
            places[index] = Some(place);
        }
        let occurrences = occurrences.into_iter().filter_map(|occurrence| {
            Some(Occurrence { name: places[occurrence.name]?, ..occurrence })
        });
        let occurrences = occurrences.collect();
        let mut all: Vec<Option<Name>> = all.into_iter().map(Some).collect();
        let names = order.iter().filter_map(|&index| all[index].take());
        let names = names.map(|mut name| {
            let parameters = name.parameters.iter().filter_map(|&index| places[index]);
            name.parameters = parameters.collect();
            name
        });
        NameIndex { all: names.collect(), occurrences, places: Vec::new() }.sorted_out()
    }
}
