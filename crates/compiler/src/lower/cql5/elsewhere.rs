//! Lowers moves, sequences, searches and relations.

use syntax::cql5::tree::{
    Filter, FilterKind as K, MoveFilter as Move5, Parameter, Relation as Relation5, Search,
    Sequence, SquareParameter,
};
use syntax::designator::PieceSet;
use syntax::tree::{LineFlags, Measure, MoveMode, MoveValue};

use super::{Lowering, range};
use crate::automaton::build;
use crate::board_map::BoardMap;
use crate::program::*;
use crate::transform::{Atom, TransformStep, members};

impl Lowering<'_, '_> {
    pub(super) fn move_condition(&mut self, filter: &Move5) -> BoolId {
        let mut filters: Vec<BoolId> = Vec::new();
        for filter in self.moves(filter, MoveValue::Match) {
            filters.push(self.new_bool(BoolFilter::Move(Box::new(filter))));
        }
        match filters.as_slice() {
            [only] => *only,
            _ => self.new_bool(BoolFilter::Any(filters.into())),
        }
    }

    /// The squares where the moves end.
    pub(super) fn move_set(&mut self, filter: &Move5) -> SetId {
        let mut set: Option<SetId> = None;
        for filter in self.moves(filter, MoveValue::To) {
            let part = self.new_set(SetFilter::Move(Box::new(filter)));
            set = Some(match set {
                Some(before) => self.new_set(SetFilter::Union(before, part)),
                None => part,
            });
        }
        set.unwrap_or_else(|| self.new_set(SetFilter::Constant(board::SquareSet::EMPTY)))
    }

    /// Returns one filter, or one for each color if the roles that pawns promote to differ: the
    /// core does not look at the color of the promoted piece, but the pawn has one.
    fn moves(&mut self, filter: &Move5, value: MoveValue) -> Vec<MoveFilter> {
        let from = filter.from.as_ref().map(|f| self.set(f));
        let to = filter.to.as_ref().map(|f| self.set(f));
        let en_passant_square = filter.en_passant_square.as_ref().map(|f| self.set(f));
        let template = MoveFilter {
            mode: if filter.previous { MoveMode::Previous } else { MoveMode::Next },
            value,
            from,
            to,
            en_passant: filter.en_passant,
            en_passant_square,
            null: filter.null,
            primary: filter.primary,
            secondary: filter.secondary,
            ..MoveFilter::default()
        };
        let Some(pieces) = filter.promote else {
            return vec![template];
        };
        let pieces = if self.lowerer.swaps_colors() { pieces.swap_colors() } else { pieces };
        self.lowerer.atoms.push(Atom::Number(u64::from(pieces.0)));
        let of_color = |color: PieceSet| PieceSet(pieces.0 & color.0).roles();
        let (white, black) = (of_color(PieceSet::WHITE), of_color(PieceSet::BLACK));
        if white == black {
            return vec![MoveFilter { promote: Some(white), ..template }];
        }
        let sides = [(board::Color::White, white), (board::Color::Black, black)];
        let sides = sides.into_iter().filter(|&(_, roles)| roles != 0);
        sides
            .map(|(color, roles)| {
                let men = self.new_set(SetFilter::Color(color, board::SquareSet::ALL));
                let from = match template.from {
                    Some(from) => self.new_set(SetFilter::Intersect(from, men)),
                    None => men,
                };
                MoveFilter { from: Some(from), promote: Some(roles), ..template.clone() }
            })
            .collect()
    }

    pub(super) fn sequence(&mut self, sequence: &Sequence, span: syntax::Span) -> LineFilter {
        let mut taken = |filter: &Filter| Taken {
            linearize: holds_plain_move(filter),
            filter: self.condition(filter),
        };
        let constituents = sequence.constituents.iter();
        let constituents: Vec<LineConstituent> =
            constituents.map(|part| part.map(&mut taken)).collect();
        let may_be_empty = constituents.iter().all(LineConstituent::may_be_empty);
        let automaton = self.lowerer.pattern(build::of_line(&constituents), span);
        LineFilter {
            index: self.tracker(sequence.index),
            flags: LineFlags {
                forward: sequence.forward,
                single_color: sequence.single_color,
                quiet: sequence.silent,
                nestban: sequence.nestban,
                ..LineFlags::default()
            },
            range: sequence.range.map(range),
            may_be_empty,
            automaton,
            span,
        }
    }

    pub(super) fn search(&mut self, search: &Search) -> Find {
        Find {
            quiet: search.silent,
            backward: !search.forward,
            range: search.range.map(range),
            depth: search.depth,
            span: search.body.span,
            body: self.condition(&search.body),
            finder: None,
        }
    }

    pub(super) fn relation(&mut self, relation: &Relation5) -> PositionRelation {
        let target = self.conjunction(&relation.filters);
        let mut parameters: Vec<RelationParameter> = Vec::new();
        for parameter in &relation.parameters {
            parameters.push(self.parameter(parameter));
        }
        // parameters that are cheap to test come first
        parameters.sort_by_cached_key(|parameter| match parameter {
            RelationParameter::SameTurn(_)
            | RelationParameter::Ancestor
            | RelationParameter::Descendant => 0_u32,
            RelationParameter::Distance { measure: Measure::Substring, .. } => 5,
            RelationParameter::Distance { .. } => 1,
            RelationParameter::Squares(comparison) if !comparison.maps.is_empty() => 4,
            RelationParameter::Squares(comparison) => {
                let sets = [comparison.source, comparison.target];
                if sets.iter().all(|set| self.is_constant(*set)) { 2 } else { 3 }
            }
        });
        let fills = |parameter: &RelationParameter| {
            matches!(parameter, RelationParameter::Distance { sort: Some(_), .. })
        };
        PositionRelation {
            index: self.tracker(relation.index),
            quiet: relation.silent,
            exhaustive: parameters.iter().any(fills) || relation.filters.iter().any(leaves_traces),
            target,
            target_is_fixed: false,
            parameters: parameters.into(),
        }
    }

    fn is_constant(&self, set: SetId) -> bool {
        let sets = &self.lowerer.arenas.sets;
        matches!(sets[set.0 as usize], SetFilter::Constant(_))
    }

    fn parameter(&mut self, parameter: &Parameter) -> RelationParameter {
        match parameter {
            Parameter::Squares(squares) => RelationParameter::Squares(self.comparison(squares)),
            Parameter::SameTurn(same) => RelationParameter::SameTurn(*same),
            Parameter::Ancestor => RelationParameter::Ancestor,
            Parameter::Descendant => RelationParameter::Descendant,
            Parameter::Distance { measure, range, sort, span: _ } => RelationParameter::Distance {
                measure: *measure,
                range: (range.min, range.max),
                sort: sort.map(|sort| self.sort(sort)),
            },
        }
    }

    fn comparison(&mut self, squares: &SquareParameter) -> SquareComparison {
        let set = |l: &mut Self, filter: &Option<Filter>| match filter {
            Some(filter) => l.set(filter),
            None => l.new_set(SetFilter::Constant(board::SquareSet::ALL)),
        };
        let source = set(self, &squares.source);
        let target = set(self, &squares.target);
        SquareComparison {
            source,
            target,
            maps: self.maps(squares).into(),
            matches: (squares.matches.min, squares.matches.max),
            mismatches: (squares.mismatches.min, squares.mismatches.max),
        }
    }

    /// All compositions of the transforms before a comparison, changed by the transforms around the
    /// whole filter.
    fn maps(&mut self, squares: &SquareParameter) -> Vec<BoardMap> {
        if squares.echoes.is_empty() {
            return Vec::new();
        }
        let mut maps = vec![BoardMap::IDENTITY];
        // the innermost is applied first
        for &family in squares.echoes.iter().rev() {
            let steps = echo_members(family);
            let composed = |map: &BoardMap| {
                let map = *map;
                steps.iter().map(move |&step| map.then(BoardMap::of(step)))
            };
            maps = maps.iter().flat_map(composed).collect();
        }
        for map in &mut maps {
            for &step in &self.lowerer.steps {
                *map = map.seen_through(step);
            }
        }
        maps.sort_by_cached_key(|map| map.key());
        maps.dedup();
        let keys = maps.iter().map(|map| Atom::Number(map.key().into()));
        self.lowerer.atoms.extend(keys);
        maps
    }
}

/// The members of a family that an echo tries: without the identity, except for the whole group.
fn echo_members(family: syntax::tree::TransformFamily) -> Vec<TransformStep> {
    use syntax::tree::TransformFamily as T;
    let mut steps = members(family);
    if family != T::Flip {
        steps.retain(|&step| step != TransformStep::Identity);
    }
    steps
}

/// Whether `filter` contains a plain `move` (over the moves of the game from here) that is
/// evaluated at the position of `filter` itself.
fn holds_plain_move(filter: &Filter) -> bool {
    match &filter.kind {
        K::Move(filter) => !filter.previous,
        K::Sequence(_) | K::Search(_) | K::Relation(_) => false,
        _ => any_child(filter, holds_plain_move),
    }
}

/// Whether evaluating the filter does more than decide whether it matches.
fn leaves_traces(filter: &Filter) -> bool {
    match &filter.kind {
        K::Comment(_) | K::CommentSet(_) | K::Sort { .. } => true,
        K::Sequence(sequence) if sequence.nestban => true,
        _ => any_child(filter, leaves_traces),
    }
}

fn any_child(filter: &Filter, test: fn(&Filter) -> bool) -> bool {
    let mut found = false;
    filter.for_each_child(&mut |child| found = found || test(child));
    found
}
