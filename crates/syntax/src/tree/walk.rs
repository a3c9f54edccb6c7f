//! Visits the filters directly below a filter.

use super::*;

impl Filter {
    /// Visits the filters directly below this one, in the order of the text.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        use FilterKind as K;
        match &self.kind {
            K::Number(_)
            | K::Text(_)
            | K::Designator(_)
            | K::Nullary(_)
            | K::AllSquares
            | K::NoSquares
            | K::Elo(_)
            | K::HhdbEgDiagram
            | K::Engine(_)
            | K::RemoveComment
            | K::TextSource(_)
            | K::Variable(_)
            | K::Dictionary(_)
            | K::FunctionDefinition
            | K::Unbind(_)
            | K::UnbindDictionary(_)
            | K::IsBound(_)
            | K::DictionaryDeclaration(_)
            | K::PieceIdOf(_)
            | K::DictionarySize(_)
            | K::GroupIndex(_)
            | K::HhdbAward(_)
            | K::Group(_)
            | K::ConsecutiveMoves(_)
            | K::SimilarPosition { .. }
            | K::FenPattern(_)
            | K::Classed { .. }
            | K::FenSet(_)
            | K::Likeness(_)
            | K::Result(_)
            | K::HasNag(_)
            | K::RemoveTag(_)
            | K::HhdbFlag(_) => {}
            K::Block(items)
            | K::Or(items)
            | K::And(items)
            | K::Extremum { items, .. }
            | K::Str(items)
            | K::Comment(items)
            | K::Message { items, .. } => items.iter().for_each(visit),
            K::CommandPipe { items, .. } => items.iter().for_each(visit),
            K::Ray(ray) => ray.operands.iter().for_each(visit),
            K::Not(a)
            | K::Loop(a)
            | K::Assert(a)
            | K::AssignPiece(_, a)
            | K::UnbindEntry(_, a)
            | K::Lookup(_, a)
            | K::Negate(a)
            | K::Unary(_, a)
            | K::Cardinality(a)
            | K::Length(a)
            | K::AsciiCode(a)
            | K::Complement(a)
            | K::MakeSquareFromText(a)
            | K::AsciiCharacter(a)
            | K::ReadFile(a)
            | K::ChildPosition(a)
            | K::NoTransform(a)
            | K::Contains(_, a)
            | K::SetTag(_, a)
            | K::DictionaryLoop { body: a, .. }
            | K::Assign { value: a, .. }
            | K::Direction { operand: a, .. }
            | K::SquareColor { operand: a, .. }
            | K::Find(Find { body: a, .. })
            | K::Echo(Echo { body: a, .. })
            | K::Transform(Transform { body: a, .. })
            | K::Sort { body: a, .. } => visit(a),
            K::Relation { left, right, .. } => {
                visit(left);
                visit(right);
            }
            K::Equal(a, b)
            | K::In(a, b)
            | K::While(a, b)
            | K::AssignEntry(_, a, b)
            | K::Arithmetic(_, a, b)
            | K::Binary(_, a, b)
            | K::Union(a, b)
            | K::Intersect(a, b)
            | K::SameContent(a, b)
            | K::Attacks(a, b)
            | K::AttackedBy(a, b)
            | K::MakeSquare(a, b)
            | K::Concatenate(a, b)
            | K::At(a, b)
            | K::WriteFile(a, b) => {
                visit(a);
                visit(b);
            }
            K::Imagine(imagine) => {
                let squares = imagine.changes.iter().filter_map(Change::squares);
                squares.for_each(|f| visit(f));
                visit(&imagine.body);
            }
            K::Match { subject, pattern } => {
                visit(subject);
                pattern.filter().into_iter().for_each(visit);
            }
            K::Replace { subject, pattern, with: last }
            | K::WhileMatch { subject, pattern, body: last } => {
                visit(subject);
                pattern.filter().into_iter().for_each(&mut *visit);
                visit(last);
            }
            K::If(test, then, otherwise) => {
                visit(test);
                visit(then);
                otherwise.iter().for_each(|f| visit(f));
            }
            K::SquareLoop(SquareLoop { domain, body, .. }) => {
                visit(domain);
                visit(body);
            }
            K::Call { arguments, body } => {
                arguments.iter().for_each(|(_, f)| visit(f));
                visit(body);
            }
            K::AssignSlice { slice, value, .. } => {
                slice.for_each_child(visit);
                visit(value);
            }
            K::Substring(text, slice) => {
                visit(text);
                slice.for_each_child(visit);
            }
            K::Pin(pin) => {
                [&pin.from, &pin.through, &pin.to].into_iter().flatten().for_each(|f| visit(f))
            }
            K::Dash(dash) | K::CurrentMove(dash) => dash.for_each_child(visit),
            K::Legal(dash) => dash.for_each_child(visit),
            K::CountMoves(Countable::Legal(dash)) => dash.for_each_child(visit),
            K::Tried(tried) | K::CountMoves(Countable::Tried(tried)) => {
                tried.dash.for_each_child(visit);
            }
            K::CountMoves(Countable::Played(dash) | Countable::PlayedFromParent(dash)) => {
                dash.for_each_child(visit);
            }
            K::Move(filter) => [
                &filter.from,
                &filter.to,
                &filter.capture,
                &filter.en_passant_square,
                &filter.comment,
            ]
            .into_iter()
            .flatten()
            .for_each(|f| visit(f)),
            K::Path(path) => {
                [&path.focus, &path.max].into_iter().flatten().for_each(|f| visit(f));
                path.constituents.iter().for_each(|c| c.for_each_child(visit));
            }
            K::Line(line) => line.constituents.iter().for_each(|c| c.for_each(visit)),
        }
    }
}

impl Slice {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        match self {
            Slice::Index(index) => visit(index),
            Slice::Range(left, right) => [left, right].into_iter().flatten().for_each(|f| visit(f)),
        }
    }
}

impl Dash {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        [&self.left, &self.right].into_iter().flatten().for_each(|f| visit(f));
        if let Some(Promotion::Text(text)) = &self.promotion {
            visit(text);
        }
        self.target.iter().for_each(visit);
    }
}

impl LegalDash {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        [&self.left, &self.right].into_iter().flatten().for_each(|f| visit(f));
    }
}

impl Constituent {
    pub(crate) fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        match self {
            Constituent::Filter(filter) => visit(filter),
            Constituent::Dash { dash, filters, .. } => {
                dash.for_each_child(visit);
                filters.iter().for_each(visit);
            }
            Constituent::Group { members, .. } => {
                members.iter().for_each(|c| c.for_each_child(visit));
            }
        }
    }
}
