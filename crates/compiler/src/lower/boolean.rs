//! Lowers filters to conditions: defines what it means that a filter *matches*.
//!
//! A filter with a value normally matches when it has one, a Set when it is nonempty. The reference
//! stops on some filters whose value is not used; these become [`BoolFilter::Misuse`].

use syntax::builtin::{
    Bare, Binary, Constant, Nullary, PathNumber, PositionsToBoolean, Turn, Unary,
};
use syntax::designator::PieceSet;
use syntax::tree::{self, Filter, FilterKind, Relation, TextSource, Type, VariableKind};

use super::Lowerer;
use super::kinds::{numbers, positions, sets, texts};
use super::orbit::merge;
use crate::program::*;
use crate::transform::Atom;

/// Message for a value that is not used.
const UNUSED: &str = "this filter has a value but is used as if it could match: compare, print or \
                      assign it";

impl Lowerer<'_> {
    /// Lowers a filter to a condition.
    pub(super) fn condition(&mut self, filter: &Filter) -> BoolId {
        self.standing_at(filter.span, |l| match l.condition_node(filter) {
            Lowered::Node(node) => l.new_bool(node),
            Lowered::Id(id) => id,
        })
    }

    /// Lowers all of `filters`, in order, to one condition.
    pub(super) fn conjunction(&mut self, filters: &[Filter]) -> BoolId {
        let items = filters.iter().map(|f| self.condition(f)).collect();
        self.all(items)
    }

    fn condition_node(&mut self, filter: &Filter) -> Lowered {
        use FilterKind as K;
        let span = filter.span;
        Lowered::Node(match &filter.kind {
            K::Nullary(Nullary::Predicate(predicate)) => BoolFilter::Predicate(*predicate),
            K::Nullary(Nullary::Constant(constant)) => BoolFilter::Constant(match constant {
                Constant::True | Constant::PathDebug => true,
                Constant::False | Constant::Extension => false,
            }),
            K::Nullary(Nullary::Turn(turn)) => {
                let color = self.color(match turn {
                    Turn::Wtm => tree::Color::White,
                    Turn::Btm => tree::Color::Black,
                });
                self.atoms.push(Atom::Number(color as u64));
                BoolFilter::Turn(color)
            }
            K::RemoveComment => BoolFilter::RemoveComment,
            K::Block(items) | K::And(items) => return Lowered::Id(self.conjunction(items)),
            K::Or(items) => {
                BoolFilter::Any(items.iter().map(|item| self.condition(item)).collect())
            }
            K::Not(operand) => BoolFilter::Not(self.condition(operand)),
            K::If(test, then, otherwise) => {
                let test = self.condition(test);
                let then = self.condition(then);
                let otherwise = otherwise.as_ref().map(|f| self.condition(f));
                BoolFilter::If(test, then, otherwise)
            }
            K::At(position, body) => {
                let position = self.unscoped(|l| l.position(position));
                BoolFilter::At(position, self.unscoped(|l| l.condition(body)))
            }
            K::Call { arguments, body } => {
                let arguments = self.call_arguments(arguments);
                BoolFilter::Call(arguments, self.condition(body))
            }
            K::Transform(transform) => {
                let merged = merge(transform, self.limits);
                match merged.range {
                    Some(_) => BoolFilter::HasNumber(self.number(filter)),
                    None => BoolFilter::Orbit(self.orbit(&merged, Self::image_condition).into()),
                }
            }
            K::NoTransform(body) => {
                return Lowered::Id(self.untransformed(|l| l.condition(body)));
            }
            K::Relation { op, left, right } => self.relation_condition(*op, left, right),
            K::Equal(left, right) => BoolFilter::Same(self.value(left), self.value(right)),
            K::In(left, right) if left.ty == Type::Set => {
                BoolFilter::Subset(self.set(left), self.set(right))
            }
            K::In(left, right) => BoolFilter::Substring(self.text(left), self.text(right)),
            K::Contains(needle, haystack) => {
                let text = self.text(haystack);
                match &self.arenas.texts[text.0 as usize] {
                    TextFilter::Game(source) => {
                        BoolFilter::GameTextContains(needle.as_slice().into(), source.clone())
                    }
                    _ => {
                        let needle = self.new_text(TextFilter::Constant(needle.as_slice().into()));
                        BoolFilter::Substring(needle, text)
                    }
                }
            }
            K::While(test, body) => BoolFilter::While(self.condition(test), self.condition(body)),
            K::WhileMatch { subject, pattern, body } => {
                let subject = self.text(subject);
                let pattern = self.regular_expression(pattern);
                BoolFilter::WhileMatch(subject, pattern, self.condition(body))
            }
            K::Loop(body) => BoolFilter::Loop(self.condition(body)),
            K::Assert(body) => {
                let body = match body.kind {
                    K::Variable(id) => self.new_bool(BoolFilter::IsBound(id)),
                    _ => self.condition(body),
                };
                BoolFilter::Assert(body, span)
            }
            K::SquareLoop(square_loop) if square_loop.all => {
                BoolFilter::ForAll(self.square_loop(square_loop, span))
            }
            K::DictionaryLoop { variable, dictionary, body } => {
                BoolFilter::DictionaryLoop(*variable, *dictionary, self.condition(body), span)
            }

            K::Assign { variable, op, value } => self.assignment(*variable, *op, value, span),
            K::AssignPiece(variable, value) => BoolFilter::AssignPiece(*variable, self.set(value)),
            K::AssignSlice { variable, slice, value } => {
                let slice = self.slice(slice);
                BoolFilter::AssignSlice(*variable, slice, self.text(value), span)
            }
            K::Unbind(variable) => BoolFilter::Unbind(*variable),
            K::UnbindDictionary(id) => BoolFilter::UnbindDictionary(*id),
            K::UnbindEntry(id, key) => BoolFilter::UnbindEntry(*id, self.value(key)),
            K::IsBound(Some(variable)) => BoolFilter::IsBound(*variable),
            K::IsBound(None) => BoolFilter::Constant(false),
            K::Dictionary(_) | K::DictionaryDeclaration(_) | K::FunctionDefinition => {
                BoolFilter::Constant(true)
            }
            K::AssignEntry(id, key, value) => {
                let key = self.value(key);
                BoolFilter::AssignEntry(*id, key, self.value(value))
            }
            K::Lookup(id, key) => BoolFilter::HasEntry(*id, self.value(key)),

            K::Classed { theme: Some(theme), means, .. } if self.steps.is_empty() => {
                BoolFilter::Theme(*theme, self.condition(means))
            }
            K::Classed { means, .. } => return Lowered::Id(self.condition(means)),
            K::FenPattern(board) => self.fen_pattern(board, span),
            K::Result(result) => {
                use syntax::token::GameResult as R;
                let result = match (result, self.swaps_colors()) {
                    (R::WhiteWins, true) => R::BlackWins,
                    (R::BlackWins, true) => R::WhiteWins,
                    (result, _) => *result,
                };
                self.atoms.push(Atom::Number(result as u64));
                BoolFilter::Result(result)
            }
            K::HasNag(nag) => BoolFilter::HasNag(*nag),
            K::HhdbFlag(flag) => BoolFilter::Hhdb(flag.clone()),
            K::SetTag(name, value) => BoolFilter::SetTag(name.as_slice().into(), self.text(value)),
            K::RemoveTag(name) => BoolFilter::RemoveTag(name.as_slice().into()),
            K::Comment(items) => BoolFilter::Comment(self.items(items)),
            K::Message { quiet, items } => {
                BoolFilter::Message { quiet: *quiet, items: self.items(items) }
            }
            K::WriteFile(name, text) => {
                BoolFilter::WriteFile(self.text(name), self.text(text), span)
            }
            K::Binary(Binary::PositionsToBoolean(word), p, q) => {
                let (p, q) = self.unscoped(|l| (l.position(p), l.position(q)));
                match word {
                    PositionsToBoolean::Ancestor => BoolFilter::IsAncestor(p, q),
                    PositionsToBoolean::Descendant => BoolFilter::IsAncestor(q, p),
                }
            }
            K::Find(find) => BoolFilter::Find(self.find(find, span)),
            K::Echo(echo) if echo.body.ty != Type::Numeric => {
                BoolFilter::Echo(self.echo(echo, span, Self::condition))
            }
            K::SimilarPosition { nosort, notransform, file } => {
                self.similar(*nosort, *notransform, file)
            }
            K::Dash(dash) => {
                let dash = self.dash(dash, None);
                BoolFilter::ConsumeDash(dash)
            }
            K::CurrentMove(dash) => {
                let dash = self.dash(dash, None);
                BoolFilter::CurrentMove(dash)
            }
            K::Tried(tried) => {
                let dash = self.dash(&tried.dash, None);
                BoolFilter::Tried(self.tried(tried, dash, span))
            }
            K::Imagine(imagine) => {
                let changes = self.imagine(imagine, span);
                let body = self.unscoped(|l| l.condition(&imagine.body));
                BoolFilter::Imagine(Box::new(changes), body)
            }
            K::Move(filter) if filter.value == tree::MoveValue::Match => {
                BoolFilter::Move(Box::new(self.move_filter(filter)))
            }
            K::Path(path) => BoolFilter::Path(self.path(path, span)),
            K::Line(line) => BoolFilter::Line(Box::new(self.line(line, span))),

            sets!()
            | numbers!()
            | texts!()
            | positions!()
            | K::Engine(_)
            | K::Extremum { .. }
            | K::Move(_)
            | K::Sort { .. }
            | K::Variable(_) => self.used_value(filter),
        })
    }

    /// Lowers an image of a transform to a condition. The reference evaluates a path for its value
    /// there, so that the comments of its focus stay if it fails.
    fn image_condition(&mut self, body: &Filter) -> BoolId {
        let node = match (&body.kind, body.ty) {
            (FilterKind::Path(_), Type::Numeric) => BoolFilter::HasNumber(self.number(body)),
            (FilterKind::Path(_), Type::Position) => BoolFilter::HasPosition(self.position(body)),
            _ => return self.condition(body),
        };
        self.new_bool(node)
    }

    /// Lowers a filter with a value in the place of a condition, so that the value is not used. The
    /// reference then evaluates it in another way than for its value:
    ///
    /// | filter | what is evaluated | it matches |
    /// |---|---|---|
    /// | a set | all of it | if it is not empty |
    /// | `#S`, `power S` | nothing | always |
    /// | `D[k]` | the key | if the key is there, even with an empty set |
    /// | `uppercase T`, `lowercase T` | the operand, whose comments go | never |
    /// | `path` as an image of a transform | all of it | if it has a value; its focus keeps its comments |
    /// | `path` elsewhere | all of it | if it has a value; else its focus drops its comments |
    /// | a variable (except of sets and pieces), a literal, and the words marked in the table of words | — | a misuse |
    /// | any other | all of it | if it has a value |
    ///
    /// The test `engine/tests/matched_only.rs` evaluates filters in both ways; paths are in the
    /// conformance corpus.
    fn used_value(&mut self, filter: &Filter) -> BoolFilter {
        use FilterKind as K;
        if let Some(message) = self.misuse(filter) {
            return BoolFilter::Misuse(filter.span, message);
        }
        match &filter.kind {
            K::Unary(word, _) if word.row().bare == Bare::Never => {
                BoolFilter::Never(self.text(filter))
            }
            K::HhdbAward(award) => BoolFilter::HhdbAward(*award),
            // The operand still distinguishes the images of a transform.
            K::Cardinality(set) => {
                self.set(set);
                BoolFilter::Constant(true)
            }
            K::Unary(word @ Unary::SetToNumber(_), set) if word.row().always => {
                self.set(set);
                BoolFilter::Constant(true)
            }
            _ => match filter.ty {
                Type::Set => BoolFilter::NonEmpty(self.set(filter)),
                Type::Numeric => {
                    let number = self.number(filter);
                    match self.arenas.nums[number.0 as usize] {
                        NumFilter::Relation(op, left, right) => {
                            BoolFilter::CompareNumbers(op, left, right)
                        }
                        _ => BoolFilter::HasNumber(number),
                    }
                }
                Type::String => {
                    let text = self.text(filter);
                    match self.arenas.texts[text.0 as usize] {
                        TextFilter::Relation(op, left, right) => {
                            BoolFilter::CompareTexts(op, left, right)
                        }
                        _ => BoolFilter::HasText(text),
                    }
                }
                Type::Position => BoolFilter::HasPosition(self.position(filter)),
                Type::Boolean => {
                    self.misplaced(filter.span);
                    BoolFilter::Constant(false)
                }
            },
        }
    }

    /// Message for using the value of a filter as a condition, if the reference stops on that.
    fn misuse(&self, filter: &Filter) -> Option<&'static str> {
        use FilterKind as K;
        match &filter.kind {
            K::Number(_) => Some("a number by itself neither matches nor fails"),
            K::Text(_) => Some("a string by itself neither matches nor fails"),
            K::Variable(id)
                if !matches!(self.kind_of(*id), VariableKind::Set | VariableKind::Piece) =>
            {
                Some("a variable by itself neither matches nor fails")
            }
            kind if kind.row().is_some_and(|row| row.bare == Bare::Misuse) => Some(UNUSED),
            K::Concatenate(..)
            | K::Length(_)
            | K::DictionarySize(_)
            | K::Extremum { .. }
            | K::Str(_)
            | K::ReadFile(_)
            | K::SameContent(..)
            | K::TextSource(
                TextSource::Players
                | TextSource::Fen
                | TextSource::CurrentTransform
                | TextSource::Hhdb(tree::HhdbText::Composer | tree::HhdbText::Search),
            ) => Some(UNUSED),
            K::Nullary(Nullary::PathNumber(PathNumber::PathCount)) if self.inside_path => {
                Some("pathcount inside its path has a value but is used as if it could match")
            }

            _ => None,
        }
    }

    fn relation_condition(&mut self, op: Relation, left: &Filter, right: &Filter) -> BoolFilter {
        match (left.ty, op) {
            (Type::Set, Relation::NotEqual) => {
                BoolFilter::SetsDiffer(self.set(left), self.set(right))
            }
            (Type::Set, _) => BoolFilter::SetsEqual(self.set(left), self.set(right)),
            (Type::Numeric, Relation::NotEqual) => {
                BoolFilter::NumbersDiffer(self.number(left), self.number(right))
            }
            (Type::Numeric, _) => {
                BoolFilter::CompareNumbers(op, self.number(left), self.number(right))
            }
            (Type::String, Relation::NotEqual) => {
                BoolFilter::TextsDiffer(self.text(left), self.text(right))
            }
            (Type::String, _) => BoolFilter::CompareTexts(op, self.text(left), self.text(right)),
            (Type::Position, _) => {
                let (left, right) = (self.position(left), self.position(right));
                BoolFilter::HasPosition(self.new_pos(PosFilter::Relation(op, left, right)))
            }
            (Type::Boolean, _) => BoolFilter::Constant(false),
        }
    }

    fn assignment(
        &mut self,
        variable: tree::VariableId,
        op: tree::AssignOp,
        value: &Filter,
        span: syntax::Span,
    ) -> BoolFilter {
        use tree::AssignOp as A;
        match op {
            A::Set => BoolFilter::Assign(variable, self.value(value)),
            A::SetNonEmpty => BoolFilter::AssignNonEmpty(variable, self.set(value)),
            A::Arithmetic(_) if value.ty == Type::String => {
                BoolFilter::Update(variable, Update::Append(self.text(value)), span)
            }
            A::Arithmetic(op) => {
                BoolFilter::Update(variable, Update::Arithmetic(op, self.number(value)), span)
            }
            A::Union => BoolFilter::Update(variable, Update::Union(self.set(value)), span),
            A::Intersect => BoolFilter::Update(variable, Update::Intersect(self.set(value)), span),
        }
    }

    fn similar(
        &mut self,
        nosort: bool,
        notransform: bool,
        (file, span): &(Vec<u8>, syntax::Span),
    ) -> BoolFilter {
        match &self.similar_file {
            Some((other, _)) if other[..] != file[..] => {
                self.error("E0401", *span, "a query can have one similarposition file only");
            }
            _ => self.similar_file = Some((file.to_vec(), *span)),
        }
        const LABEL: &[u8] = b"submission game";
        let sort = (!nosort).then(|| {
            let known = self.sorts.iter().position(|sort| sort.label == LABEL);
            let index = known.unwrap_or_else(|| {
                self.sorts.push(tree::SortVariable {
                    label: LABEL.to_vec(),
                    ascending: true,
                    quiet: false,
                    ty: Type::Numeric,
                });
                self.sorts.len() - 1
            });
            tree::SortId(index as u32)
        });
        BoolFilter::SimilarPosition(Box::new(Similar {
            sort,
            transforms: !notransform,
            file: file.as_slice().into(),
            span: *span,
        }))
    }

    fn fen_pattern(&mut self, board: &[PieceSet; 64], span: syntax::Span) -> BoolFilter {
        let mut requirements: Vec<(board::SquareSet, u16)> = Vec::new();
        // a conjunction of designators, compared in the order of the string: a8 … h1
        for rank in (0..8).rev() {
            for file in 0..8 {
                let index = rank * 8 + file;
                let (pieces, squares) = self.transformed_designator(board[index], 1 << index, span);
                if pieces == PieceSet::ANYTHING {
                    // demands nothing, but counts: a shift drives some square off the board
                    continue;
                }
                match requirements.iter_mut().find(|(_, p)| *p == pieces.0) {
                    Some((all, _)) => *all |= squares,
                    None => requirements.push((squares, pieces.0)),
                }
            }
        }
        BoolFilter::Fen(requirements.into())
    }
}

enum Lowered {
    Node(BoolFilter),
    Id(BoolId),
}
