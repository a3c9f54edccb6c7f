//! Lowers filters to values: sets, numbers, strings and positions.

use board::SquareSet;
use ecma_regex::Regex;
use syntax::Span;
use syntax::builtin::{
    Binary, ColorNumber, MoveEnd, Nullary, NumberSource, PathNumber, PathPosition, PositionSource,
    Unary,
};
use syntax::designator::PieceSet;
use syntax::tree::{
    self, EngineQuestion, EngineValue, Filter, FilterKind, TextSource, VariableKind,
};

use super::Lowerer;
use super::kinds::{composed, conditions, numbers, positions, sets, texts};
use super::orbit::merge;
use crate::program::*;
use crate::transform::{self, Atom};

impl Lowerer<'_> {
    /// Lowers composition, calls, lookups and so on, in the same way for all types of value:
    /// `lower` makes the value of a filter, `node` that of a construct.
    fn common<V>(
        &mut self,
        filter: &Filter,
        lower: fn(&mut Self, &Filter) -> V,
        node: fn(&mut Self, Flow<V>) -> V,
    ) -> Option<V> {
        use FilterKind as K;
        let flow = match &filter.kind {
            K::Block(items) => {
                let (last, conditions) = items.split_last()?;
                if conditions.is_empty() {
                    return Some(lower(self, last));
                }
                let conditions = conditions.iter().map(|f| self.condition(f)).collect();
                Flow::Block(conditions, lower(self, last))
            }
            K::If(test, then, Some(otherwise)) => {
                let test = self.condition(test);
                let then = lower(self, then);
                Flow::If(test, then, lower(self, otherwise))
            }
            K::At(position, body) => {
                let position = self.unscoped(|l| l.position(position));
                Flow::At(position, self.unscoped(|l| lower(l, body)))
            }
            K::Call { arguments, body } => {
                let arguments = self.call_arguments(arguments);
                Flow::Call(arguments, lower(self, body))
            }
            K::Lookup(id, key) => Flow::Lookup(*id, self.value(key)),
            K::NoTransform(body) => {
                return Some(self.untransformed(|l| lower(l, body)));
            }
            K::Dash(dash) => {
                let (dash, value) = self.valued_dash(dash, lower)?;
                Flow::Dash(dash, value)
            }
            K::CurrentMove(dash) => {
                let (dash, value) = self.valued_dash(dash, lower)?;
                Flow::CurrentMove(dash, value)
            }
            K::Tried(tried) => {
                let (dash, value) = self.valued_dash(&tried.dash, lower)?;
                let tried = self.tried(tried, dash, filter.span);
                Flow::Tried(Box::new(tried), value)
            }
            K::Imagine(imagine) => {
                let changes = self.imagine(imagine, filter.span);
                let body = self.unscoped(|l| lower(l, &imagine.body));
                Flow::Imagine(Box::new(changes), body)
            }
            K::Sort { variable, ascending, body } => {
                let under_sort = std::mem::replace(&mut self.under_sort, true);
                // A sort filter is numbered after its argument. In the images of a transform, which
                // are copies, it is numbered before its argument.
                let copied = self.is_image.then(|| self.next_sort_filter());
                let body = self.unscoped(|l| lower(l, body));
                self.under_sort = under_sort;
                let index = copied.unwrap_or_else(|| self.next_sort_filter());
                Flow::Sort(*variable, SortFilter { ascending: *ascending, body, index })
            }
            conditions!()
            | sets!()
            | numbers!()
            | texts!()
            | positions!()
            | K::Engine(_)
            | K::Extremum { .. }
            | K::Find(_)
            | K::If(_, _, None)
            | K::Line(_)
            | K::Move(_)
            | K::Path(_)
            | K::Relation { .. }
            | K::Transform(_)
            | K::Variable(_) => return None,
        };
        Some(node(self, flow))
    }

    pub(super) fn set(&mut self, filter: &Filter) -> SetId {
        use FilterKind as K;
        let span = filter.span;
        let flow = |l: &mut Self, flow| l.new_set(SetFilter::Flow(flow));
        let common = match &filter.kind {
            K::Dash(dash) => {
                self.dash_of_squares(dash).map(|(dash, value)| flow(self, Flow::Dash(dash, value)))
            }
            K::CurrentMove(dash) => self
                .dash_of_squares(dash)
                .map(|(dash, value)| flow(self, Flow::CurrentMove(dash, value))),
            _ => self.common(filter, Self::set, flow),
        };
        if let Some(id) = common {
            return id;
        }
        let node = match &filter.kind {
            K::Designator(designator) => {
                let (pieces, squares) =
                    self.transformed_designator(designator.pieces, designator.squares, span);
                designator_node(pieces, squares)
            }
            K::Nullary(Nullary::MoveEnd(MoveEnd::From)) => SetFilter::From { scoped: self.scoped },
            K::Nullary(Nullary::MoveEnd(MoveEnd::To)) => SetFilter::To { scoped: self.scoped },
            K::Nullary(Nullary::PawnStructure(structure)) => SetFilter::PawnStructure(*structure),
            K::Nullary(Nullary::SetSource(source)) => SetFilter::Source(*source),
            K::Nullary(Nullary::Drawn(word)) => SetFilter::Drawn(*word),
            K::Unary(Unary::SetToSet(word), a) => SetFilter::OfSet(*word, self.set(a)),
            K::Binary(Binary::SetsToSet(word), a, b) => {
                SetFilter::OfSets(*word, self.set(a), self.set(b))
            }
            K::AllSquares => SetFilter::Constant(SquareSet::ALL),
            K::NoSquares => SetFilter::Constant(SquareSet::EMPTY),
            K::Variable(id) => match self.kind_of(*id) {
                VariableKind::Piece if !self.piece_squares.contains(id) => {
                    SetFilter::PieceVariable(*id, span)
                }
                _ => SetFilter::Variable(*id, span),
            },
            K::Union(a, b) => SetFilter::Union(self.set(a), self.set(b)),
            K::Intersect(a, b) => SetFilter::Intersect(self.set(a), self.set(b)),
            K::Complement(a) => SetFilter::Complement(self.set(a)),
            K::Attacks(a, b) => SetFilter::Attacks(self.set(a), self.set(b)),
            K::AttackedBy(a, b) => {
                // the right operand is evaluated, and compared, first
                let right = self.set(b);
                SetFilter::AttackedBy(self.set(a), right)
            }
            K::Ray(ray) => {
                let steps = if ray.attack || ray.steps.len() == 8 {
                    ray.steps.clone()
                } else {
                    self.transformed_directions(&ray.steps)
                };
                SetFilter::Ray(Box::new(Ray {
                    attack: ray.attack,
                    steps,
                    operands: ray.operands.iter().map(|f| self.set(f)).collect(),
                    first: ray.first,
                }))
            }
            K::Pin(pin) => {
                let mut part = |f: &Option<tree::Child>| f.as_ref().map(|f| self.set(f));
                SetFilter::Pin(Box::new(Pin {
                    from: part(&pin.from),
                    through: part(&pin.through),
                    to: part(&pin.to),
                    value: pin.value,
                }))
            }
            K::Direction { direction, range, operand } => {
                let steps = self.transformed_directions(direction.steps());
                let range = range.unwrap_or(Range::constant(1, 7));
                SetFilter::Direction(steps, range, self.set(operand), span)
            }
            K::SquareColor { light, operand } => {
                let mut light = *light;
                for step in self.steps.clone() {
                    match step.swaps_square_colors() {
                        Ok(swaps) => light ^= swaps,
                        Err(_) => self.error(
                            "E0402",
                            span,
                            "rotate45 cannot be applied to light or dark squares",
                        ),
                    }
                }
                self.atoms.push(Atom::Number(u64::from(light)));
                let squares = if light { SquareSet::LIGHT } else { SquareSet::DARK };
                let squares = self.new_set(SetFilter::Constant(squares));
                SetFilter::Intersect(squares, self.set(operand))
            }
            K::MakeSquare(file, rank) => {
                SetFilter::MakeSquare(self.number(file), self.number(rank))
            }
            K::MakeSquareFromText(text) => SetFilter::MakeSquareFromText(self.text(text)),
            K::FenSet(board) => {
                let contents = self.contents(board, span).into_iter();
                let sets = contents.map(|(pieces, squares)| designator_node(pieces, squares));
                sets.reduce(|a, b| SetFilter::Union(self.new_set(a), self.new_set(b)))
                    .unwrap_or(SetFilter::Constant(SquareSet::EMPTY))
            }
            K::SquareLoop(square_loop) => SetFilter::Loop(self.square_loop(square_loop, span)),
            K::SameContent(p, q) => SetFilter::SameContent(self.position(p), self.position(q)),
            K::Transform(transform) => {
                let merged = merge(transform, self.limits);
                SetFilter::Orbit(self.orbit(&merged, Self::set).into())
            }
            K::Legal(dash) => SetFilter::Legal(Box::new(self.legal(dash))),
            K::Engine(question) => SetFilter::Engine(*question, span),
            K::Move(filter) => SetFilter::Move(Box::new(self.move_filter(filter))),
            composed!()
            | conditions!()
            | numbers!()
            | texts!()
            | positions!()
            | K::Extremum { .. }
            | K::Find(_)
            | K::Line(_)
            | K::Path(_)
            | K::Relation { .. } => {
                self.misplaced(span);
                SetFilter::Constant(SquareSet::EMPTY)
            }
        };
        self.new_set(node)
    }

    /// Makes a number that is good for White if it is positive; if the colors are exchanged, its
    /// sign changes.
    fn of_white(&mut self, number: NumFilter) -> NumFilter {
        let is_exchanged = self.swaps_colors();
        self.atoms.push(Atom::Number(u64::from(is_exchanged)));
        if !is_exchanged {
            return number;
        }
        let number = self.new_num(number);
        let minus_one = self.new_num(NumFilter::Constant(-1));
        NumFilter::Arithmetic(tree::Arithmetic::Multiply, number, minus_one)
    }

    /// Returns the question about White's chance; if the colors are exchanged, a win is a loss.
    fn chance(&mut self, question: EngineQuestion) -> EngineQuestion {
        let is_exchanged = self.swaps_colors();
        self.atoms.push(Atom::Number(u64::from(is_exchanged)));
        let value = match question.value {
            EngineValue::Win if is_exchanged => EngineValue::Loss,
            EngineValue::Loss if is_exchanged => EngineValue::Win,
            value => value,
        };
        EngineQuestion { value, ..question }
    }

    pub(super) fn number(&mut self, filter: &Filter) -> NumId {
        use FilterKind as K;
        let span = filter.span;
        let flow = |l: &mut Self, flow| l.new_num(NumFilter::Flow(flow));
        if let Some(id) = self.common(filter, Self::number, flow) {
            return id;
        }
        let node = match &filter.kind {
            K::Number(n) => NumFilter::Constant(*n),
            K::Variable(id) => NumFilter::Variable(*id, span),
            K::Nullary(Nullary::NumberSource(
                source @ (NumberSource::Eval | NumberSource::EvalMate),
            )) => self.of_white(NumFilter::Source(*source)),
            K::Nullary(Nullary::NumberSource(NumberSource::Tablebase)) => {
                NumFilter::Tablebase(TableValue::Wdl, span)
            }
            K::Nullary(Nullary::NumberSource(NumberSource::Dtz)) => {
                NumFilter::Tablebase(TableValue::Dtz, span)
            }
            K::Nullary(Nullary::NumberSource(source)) => NumFilter::Source(*source),
            K::Nullary(Nullary::ColorNumber(word)) => {
                let color = self.color(match word {
                    ColorNumber::White => tree::Color::White,
                    ColorNumber::Black => tree::Color::Black,
                });
                self.atoms.push(Atom::Number(color as u64));
                NumFilter::Constant(match color {
                    board::Color::White => 1,
                    board::Color::Black => -1,
                })
            }
            K::Nullary(Nullary::PathNumber(word)) => {
                let inside = self.inside_path;
                match word {
                    PathNumber::PathCount => NumFilter::PathCount { inside },
                    PathNumber::PathCountUnfocused => NumFilter::PathCountUnfocused { inside },
                }
            }
            K::Unary(Unary::SetToNumber(word), a) => NumFilter::OfSet(*word, self.set(a)),
            K::Unary(Unary::NumberToNumber(word), a) => NumFilter::OfNumber(*word, self.number(a)),
            K::Unary(Unary::TextToNumber(word), a) => NumFilter::OfText(*word, self.text(a)),
            K::Binary(Binary::TextsToNumber(word), a, b) => {
                NumFilter::OfTexts(*word, self.text(a), self.text(b))
            }
            K::Binary(Binary::PositionsToNumber(word), p, q) => {
                let (p, q) = self.unscoped(|l| (l.position(p), l.position(q)));
                NumFilter::OfPositions(*word, p, q)
            }
            K::Cardinality(a) => NumFilter::Cardinality(self.set(a)),
            K::Elo(color) => {
                let color = color.map(|c| self.color(c));
                self.atoms.push(Atom::Number(color.map_or(2, |color| color as u64)));
                NumFilter::Elo(color)
            }
            K::HhdbEgDiagram => NumFilter::HhdbEgDiagram,
            K::Engine(question) if question.value.is_chance() => {
                NumFilter::Engine(self.chance(*question), span)
            }
            K::Engine(question) => self.of_white(NumFilter::Engine(*question, span)),
            K::Arithmetic(op, a, b) => NumFilter::Arithmetic(*op, self.number(a), self.number(b)),
            K::Negate(a) => {
                let minus_one = self.new_num(NumFilter::Constant(-1));
                NumFilter::Arithmetic(tree::Arithmetic::Multiply, self.number(a), minus_one)
            }
            K::Relation { op, left, right } => {
                NumFilter::Relation(*op, self.number(left), self.number(right))
            }
            K::PieceIdOf(id) => NumFilter::PieceIdOf(*id, span),
            K::Length(text) => NumFilter::Length(self.text(text)),
            K::DictionarySize(id) => NumFilter::DictionarySize(*id),
            K::Extremum { max, items } => NumFilter::Extremum {
                max: *max,
                items: self.shared(|l| items.iter().map(|f| l.number(f)).collect()),
            },
            K::AsciiCode(text) => NumFilter::AsciiCode(self.text(text)),
            K::GroupIndex(group) => NumFilter::GroupIndex(group.clone(), span),
            K::HhdbAward(award) => NumFilter::HhdbAward(*award),
            K::Likeness(likeness) => NumFilter::Likeness(Box::new(self.likeness(likeness, span))),
            K::Transform(transform) => {
                let merged = merge(transform, self.limits);
                match merged.range {
                    Some(range) => {
                        let images = self.orbit(&merged, |l, body| l.condition(body));
                        NumFilter::OrbitCount(images.into(), range, span)
                    }
                    None => NumFilter::OrbitMax(self.orbit(&merged, Self::number).into()),
                }
            }
            K::CountMoves(countable) => NumFilter::CountMoves(self.countable(countable, span)),
            K::Move(filter) => NumFilter::CountMove(Box::new(self.move_filter(filter))),
            K::Path(path) => NumFilter::Path(self.path(path, span)),
            K::Line(line) => NumFilter::Line(Box::new(self.line(line, span))),
            K::Find(find) => NumFilter::Find(self.find(find, span)),
            K::Echo(echo) => NumFilter::Echo(self.echo(echo, span, Self::number)),
            K::ConsecutiveMoves(moves) => NumFilter::ConsecutiveMoves(*moves, span),
            composed!() | conditions!() | sets!() | texts!() | positions!() => {
                self.misplaced(span);
                NumFilter::Constant(0)
            }
        };
        self.new_num(node)
    }

    fn likeness(&mut self, likeness: &tree::Likeness, span: Span) -> board::Likeness {
        let mut board = board::Board::EMPTY;
        for (pieces, squares) in self.contents(&likeness.board, span) {
            let piece = board::Piece::ALL.get(pieces.0.trailing_zeros() as usize);
            if let Some(&piece) = piece {
                squares.into_iter().for_each(|sq| board.put(sq, piece));
            }
        }
        let [pawns, pieces, kings, material] = likeness.weights;
        let weights = board::LikenessWeights { pawns, pieces, kings, material };
        board::Likeness::new(&board, weights)
    }

    /// Returns the image of the board of a FEN: each content with its squares. Empty squares may
    /// leave the board, but no pieces.
    fn contents(&mut self, board: &[PieceSet; 64], span: Span) -> Vec<(PieceSet, SquareSet)> {
        let mut contents: Vec<(PieceSet, SquareSet)> = Vec::new();
        for (square, &content) in board.iter().enumerate() {
            let discard = self.discard;
            let (pieces, squares) = self.transformed_designator(content, 1 << square, span);
            if content.contains(PieceSet::EMPTY_SQUARE) {
                self.discard = discard;
            }
            match contents.iter_mut().find(|(known, _)| *known == pieces) {
                Some((_, all)) => *all |= squares,
                None => contents.push((pieces, squares)),
            }
        }
        contents
    }

    pub(super) fn text(&mut self, filter: &Filter) -> TextId {
        self.standing_at(filter.span, |l| l.text_here(filter))
    }

    fn text_here(&mut self, filter: &Filter) -> TextId {
        use FilterKind as K;
        let span = filter.span;
        let flow = |l: &mut Self, flow| l.new_text(TextFilter::Flow(flow));
        if let Some(id) = self.common(filter, Self::text, flow) {
            return id;
        }
        let node = match &filter.kind {
            K::Text(text) => TextFilter::Constant(text.as_slice().into()),
            K::Variable(id) => TextFilter::Variable(*id, span),
            K::TextSource(source) => self.text_source(source),
            K::Nullary(Nullary::PositionText(word)) => TextFilter::OfPosition(*word),
            K::Concatenate(a, b) => TextFilter::Concatenate(self.text(a), self.text(b)),
            K::Substring(text, slice) => {
                let text = self.text(text);
                TextFilter::Substring(text, self.slice(slice))
            }
            K::Replace { subject, pattern, with } => {
                let subject = self.text(subject);
                let pattern = self.regular_expression(pattern);
                TextFilter::Replace(subject, pattern, self.text(with))
            }
            K::Match { subject, pattern } => {
                let subject = self.text(subject);
                TextFilter::Match(subject, self.regular_expression(pattern))
            }
            K::Group(group) => TextFilter::Group(group.clone(), span),
            K::Str(items) => TextFilter::Str(self.items(items)),
            K::Unary(Unary::TextToText(word), a) => TextFilter::OfText(*word, self.text(a)),
            K::Unary(Unary::SetToText(word), a) => TextFilter::OfSet(*word, self.set(a)),
            K::AsciiCharacter(number) => TextFilter::AsciiCharacter(self.number(number)),
            K::ReadFile(name) => TextFilter::ReadFile(self.text(name), span),
            K::CommandPipe { name, items } => {
                TextFilter::CommandPipe(name.as_str().into(), self.items(items), span)
            }
            K::Engine(question) => TextFilter::Engine(*question, span),
            K::Relation { op, left, right } => {
                TextFilter::Relation(*op, self.text(left), self.text(right))
            }
            K::Extremum { max, items } => TextFilter::Extremum {
                max: *max,
                items: self.shared(|l| items.iter().map(|f| l.text(f)).collect()),
            },
            composed!()
            | conditions!()
            | sets!()
            | numbers!()
            | positions!()
            | K::Find(_)
            | K::Line(_)
            | K::Move(_)
            | K::Path(_)
            | K::Transform(_) => {
                self.misplaced(span);
                TextFilter::Constant(Box::default())
            }
        };
        self.new_text(node)
    }

    fn text_source(&mut self, source: &TextSource) -> TextFilter {
        TextFilter::Game(match source {
            TextSource::Player(color) => {
                let color = self.color(*color);
                // compared as the tag names "Black" and "White"
                let atom = u64::from(color == board::Color::White);
                self.atoms.push(Atom::Number(atom));
                GameText::Player(color)
            }
            TextSource::Players => return TextFilter::Players,
            TextSource::Event => GameText::Event,
            TextSource::Site => GameText::Site,
            TextSource::Date => GameText::Date,
            TextSource::EventDate => GameText::EventDate,
            TextSource::Eco => GameText::Eco,
            TextSource::Tag(name) => GameText::Tag(name.as_slice().into()),
            TextSource::TagFen => GameText::TagFen,
            TextSource::Fen => return TextFilter::Fen,
            TextSource::OriginalComment => return TextFilter::OriginalComment,
            TextSource::CurrentTransform => {
                return TextFilter::Constant(transform::name(&self.steps).into());
            }
            TextSource::Hhdb(key) => return TextFilter::Hhdb(*key),
        })
    }

    pub(super) fn regular_expression(&mut self, pattern: &tree::Pattern) -> Pattern {
        match pattern {
            tree::Pattern::Literal(text, span) => Pattern::Fixed(self.regex(text, *span)),
            tree::Pattern::Computed(text) => Pattern::Computed(self.text(text), text.span),
        }
    }

    fn regex(&mut self, pattern: &[u8], span: Span) -> Box<Regex> {
        let most = self.limits.regex;
        let regex = if pattern.len() as u64 > most {
            Err(format!("it is longer than {most} bytes (limit regex)"))
        } else {
            Regex::new(pattern).map_err(|fault| fault.to_string())
        };
        match regex {
            Ok(regex) => Box::new(regex),
            Err(message) => {
                self.error("E0113", span, format!("malformed regular expression: {message}"));
                Box::new(Regex::empty())
            }
        }
    }

    pub(super) fn position(&mut self, filter: &Filter) -> PosId {
        use FilterKind as K;
        let span = filter.span;
        let flow = |l: &mut Self, flow| l.new_pos(PosFilter::Flow(flow));
        if let Some(id) = self.common(filter, Self::position, flow) {
            return id;
        }
        let inside = self.inside_path;
        let node = match &filter.kind {
            K::Nullary(Nullary::PositionSource(source)) => {
                self.saves_positions |= *source == PositionSource::SavePosition;
                PosFilter::Source(*source)
            }
            K::Nullary(Nullary::PathPosition(word)) => match word {
                PathPosition::PathStart => PosFilter::PathStart { inside },
                PathPosition::PathLastPosition => PosFilter::PathLastPosition { inside },
            },
            K::Unary(Unary::NumberToPosition(word), a) => {
                PosFilter::OfNumber(*word, self.unscoped(|l| l.number(a)))
            }
            K::Binary(Binary::PositionsToPosition(word), p, q) => {
                let (p, q) = self.unscoped(|l| (l.position(p), l.position(q)));
                PosFilter::OfPositions(*word, p, q)
            }
            K::Variable(id) => PosFilter::Variable(*id, span),
            K::ChildPosition(index) => PosFilter::Child(self.unscoped(|l| l.number(index))),
            K::Relation { op, left, right } => {
                PosFilter::Relation(*op, self.position(left), self.position(right))
            }
            K::Find(find) => PosFilter::Find(self.find(find, span)),
            K::Path(path) => PosFilter::Path(self.path(path, span)),
            K::Line(line) => PosFilter::Line(Box::new(self.line(line, span))),
            composed!()
            | conditions!()
            | sets!()
            | numbers!()
            | texts!()
            | K::Engine(_)
            | K::Extremum { .. }
            | K::Move(_)
            | K::Transform(_) => {
                self.misplaced(span);
                PosFilter::Source(PositionSource::CurrentPosition)
            }
        };
        self.new_pos(node)
    }

    pub(super) fn find(&mut self, find: &tree::Find, span: Span) -> Find {
        let body = self.unscoped(|l| l.condition(&find.body));
        let any_number = find.all.then_some(Range::constant(1, i32::MAX));
        Find {
            quiet: find.quiet,
            backward: find.backward,
            range: find.range.or(any_number),
            depth: None,
            body,
            span,
            finder: None,
        }
    }

    pub(super) fn echo<B>(
        &mut self,
        echo: &tree::Echo,
        span: Span,
        lower: fn(&mut Self, &Filter) -> B,
    ) -> Echo<B> {
        Echo {
            quiet: echo.quiet,
            source: echo.source,
            target: echo.target,
            all: echo.all,
            body: self.unscoped(|l| lower(l, &echo.body)),
            under_sort: self.under_sort,
            span,
            plan: None,
        }
    }
}

/// The cheapest node for a designator.
pub(super) fn designator_node(pieces: PieceSet, squares: SquareSet) -> SetFilter {
    use board::{Color, Piece, Role};
    if pieces == PieceSet::ANYTHING {
        return SetFilter::Constant(squares);
    }
    if pieces == PieceSet::WHITE {
        return SetFilter::Color(Color::White, squares);
    }
    if pieces == PieceSet::BLACK {
        return SetFilter::Color(Color::Black, squares);
    }
    if pieces.0.is_power_of_two() && pieces != PieceSet::EMPTY_SQUARE {
        let bit = pieces.0.trailing_zeros() as usize;
        let color = if bit < 6 { Color::White } else { Color::Black };
        let role = Role::ALL[bit % 6];
        return SetFilter::Piece(Piece { color, role }, squares);
    }
    SetFilter::Pieces { kinds: pieces.0, squares }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designators_become_the_cheapest_node() {
        for (pieces, want) in [
            (PieceSet::ANYTHING, "Constant"),
            (PieceSet::WHITE, "Color(White"),
            (PieceSet(1 << 9), "Piece(Piece { color: Black, role: Rook }"),
            (PieceSet::EMPTY_SQUARE, "Pieces"),
            (PieceSet(0b11), "Pieces"),
        ] {
            let node = format!("{:?}", designator_node(pieces, SquareSet::ALL));
            assert!(node.starts_with(want), "{node} for {pieces:?}");
        }
    }
}
