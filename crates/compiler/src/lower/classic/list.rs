//! Lowers position lists: transforms, counters, negation, sequences, relations.

use std::collections::HashMap;
use syntax::builtin::Predicate;

use syntax::Span;
use syntax::classic::tree::{
    Condition, Designator, List, Men, Range, Relation, Sequence, SideToMove,
};
use syntax::tree::{Arithmetic, LineFlags, LineItem, Repeat, VariableId, VariableKind};

use super::arena::{BoolKey, NumKey};
use super::maps::{self, Map};
use super::{ClassicOptions, Lowerer, n_tags};
use crate::automaton::build;
use crate::program::*;

/// The images of a list.
struct Images {
    /// The images; equal ones are listed once, unless they count.
    ids: Vec<BoolId>,
    /// The designators of all images as an orbit of their own, which must match.
    necessary: Option<BoolId>,
}

impl Lowerer {
    /// Lowers a list of the match list.
    pub(super) fn somewhere(
        &mut self,
        list: &List,
        outer: &[Map],
        options: &ClassicOptions<'_>,
    ) -> Anywhere {
        let shown = options.variations == Some(true) && !list.variations_only;
        self.sees_variations = list.variations || list.variations_only || shown;
        let region = if list.variations_only {
            Region::Variations
        } else if self.sees_variations || !self.reads_variations {
            Region::Everything
        } else {
            Region::MainLine
        };
        let maps = maps::product(&maps::of_words(&list.transforms), outer);
        let mut images = None;
        self.nodes.here = list.span;
        let condition = self.at_position(|l| match list.transform_match_count {
            Some(Range { min, max }) => {
                let made = l.images(list, &maps);
                images = Some(CountedImages {
                    images: made.ids.clone().into(),
                    count: min..=max,
                    negated: list.negated,
                });
                l.some_image(list, made)
            }
            None => l.mapped_list(list, &maps),
        });
        let condition = self.filtered(condition);
        if let Some(counted) = &mut images {
            counted.images = counted.images.iter().map(|&id| self.filtered(id)).collect();
        }
        Anywhere {
            region,
            condition,
            n_men: n_tags(list),
            count: list.match_count.map(|range| range.min..=range.max),
            images,
            marking: match list {
                List { no_annotate: true, .. } => Marking::None,
                List { mark_all: true, .. } => Marking::All,
                _ => Marking::First,
            },
        }
    }

    /// Adds the filters before the query to a condition.
    fn filtered(&mut self, condition: BoolId) -> BoolId {
        let items = self.filters.into_iter().chain([condition]).collect();
        self.nodes.all(items)
    }

    /// Lowers a condition on another position than that around it: its counters start at 0.
    fn at_position(&mut self, body: impl FnOnce(&mut Self) -> BoolId) -> BoolId {
        self.counters.push(HashMap::new());
        let body = body(self);
        let mut counters: Vec<VariableId> =
            self.counters.pop().unwrap_or_default().into_values().collect();
        counters.sort_by_cached_key(|counter| counter.0);
        let zero = self.nodes.number(0);
        let mut items: Vec<BoolId> = counters
            .into_iter()
            .map(|counter| {
                let key = BoolKey::Reset(counter);
                self.nodes.bool(key, || BoolFilter::Assign(counter, Value::Num(zero)))
            })
            .collect();
        items.push(body);
        self.nodes.all(items)
    }

    /// Lowers a list of `:and`, `:or` or a sequence.
    fn nested_list(&mut self, list: &List) -> BoolId {
        let saved = self.sees_variations;
        self.sees_variations |= list.variations || list.variations_only;
        let result = self.mapped_list(list, &maps::of_words(&list.transforms));
        self.sees_variations = saved;
        result
    }

    /// Lowers a list under all of `maps`.
    fn mapped_list(&mut self, list: &List, maps: &[Map]) -> BoolId {
        let around = std::mem::replace(&mut self.nodes.here, list.span);
        let images = self.images(list, maps);
        let mut result = self.some_image(list, images);
        if list.negated {
            result = self.nodes.not(result);
        }
        self.nodes.here = around;
        result
    }

    /// Whether an image of a list matches and its sums are right; `:not` is left out.
    fn some_image(&mut self, list: &List, images: Images) -> BoolId {
        let mut items = Vec::new();
        if counts(list) {
            let some = self.nodes.evaluated_any(images.ids);
            // a list that tests its own counter requires nothing else: 0 may be right
            let own = |(name, ..): &(String, Range, Span)| list.counters.contains(name);
            items.push(if list.sums.iter().any(own) {
                let always = self.nodes.constant(true);
                self.nodes.evaluated_any(vec![some, always])
            } else {
                some
            });
        } else {
            items.extend(images.necessary);
            items.push(self.nodes.any(images.ids));
        }
        for (name, range, span) in &list.sums {
            let counter = self.counter(name);
            let key = NumKey::Counter(counter);
            let sum = self.nodes.num(key, || NumFilter::Variable(counter, *span));
            items.push(self.nodes.in_range(sum, range.min, range.max));
        }
        self.nodes.all(items)
    }

    fn images(&mut self, list: &List, maps: &[Map]) -> Images {
        let counting = counts(list);
        let counts_images = list.transform_match_count.is_some();
        let mut ids = Vec::new();
        let mut patterns = Vec::new();
        let mut anchored = true;
        for &map in maps {
            if !self.may_go_on(list) {
                break;
            }
            self.maps.push(map);
            let image = self.image(list);
            // an image that never matches is counted as well
            if counting || counts_images || !self.nodes.is_false(image) {
                ids.push(image);
                anchored &= list.designators.iter().any(|d| self.is_anchor(d));
                patterns.push(self.pattern(list));
            }
            self.maps.pop();
        }
        if !counting {
            let mut seen = std::collections::HashSet::new();
            ids.retain(|&id| seen.insert(id));
        }
        let mut seen = std::collections::HashSet::new();
        patterns.retain(|&id| seen.insert(id));
        let necessary =
            (anchored && patterns.len() > 1).then(|| self.nodes.evaluated_any(patterns.clone()));
        if necessary.is_some() && !counting && !counts_images && ids == patterns {
            // there are only designators
            return Images { ids: necessary.into_iter().collect(), necessary: None };
        }
        Images { ids, necessary }
    }

    /// Lowers the designators of an image.
    fn pattern(&mut self, list: &List) -> BoolId {
        let designators = &list.designators;
        let items = designators.iter().map(|d| self.occurs(d)).collect();
        self.nodes.all(items)
    }

    /// Whether the image of a designator is a single piece on a single square, which few positions
    /// have.
    fn is_anchor(&self, designator: &Designator) -> bool {
        match designator.men {
            Men::Kinds(kinds) => {
                kinds.0.count_ones() == 1
                    && kinds != syntax::designator::PieceSet::EMPTY_SQUARE
                    && self.image_of_squares(designator).single().is_some()
            }
            Men::Tag(_) => false,
        }
    }

    /// Lowers a list under the current maps. Conditions that are cheap and that often fail come
    /// first: their order does not matter.
    fn image(&mut self, list: &List) -> BoolId {
        let mut items = Vec::new();
        // lists that count are evaluated whatever the result of the others
        let mut evaluated = Vec::new();
        if list.variations_only && self.maps.len() > 1 {
            items.push(self.nodes.predicate(Predicate::Variation));
        }
        let mut conditions: Vec<&Condition> = list.conditions.iter().collect();
        conditions.sort_by_cached_key(|condition| cost(condition));
        let (cheap, dear): (Vec<_>, Vec<_>) = conditions.into_iter().partition(|c| cost(c) == 0);
        for condition in cheap {
            items.push(self.condition(condition));
        }
        for designator in &list.designators {
            items.push(self.occurs(designator));
        }
        if items.iter().any(|&item| self.nodes.is_false(item)) && !counts(list) {
            return self.nodes.constant(false);
        }
        if !list.next_move.is_empty() {
            items.push(self.next_move(&list.next_move));
        }
        for condition in dear {
            match condition {
                Condition::And(lists) if lists.iter().any(counts) => {
                    let lists = lists.iter().map(|list| self.nested_list(list)).collect();
                    evaluated.push(self.nodes.evaluated_all(lists));
                }
                Condition::Or(lists) if lists.iter().any(counts) => {
                    let lists = lists.iter().map(|list| self.nested_list(list)).collect();
                    evaluated.push(self.nodes.evaluated_any(lists));
                }
                Condition::And(lists) => {
                    let lists = lists.iter().map(|list| self.nested_list(list)).collect();
                    items.push(self.nodes.all(lists));
                }
                Condition::Or(lists) => {
                    let lists = lists.iter().map(|list| self.nested_list(list)).collect();
                    items.push(self.nodes.any(lists));
                }
                condition => items.push(self.condition(condition)),
            }
        }
        if let Some(sequence) = &list.sequence {
            if !sequence.gapped {
                self.needed_by(&sequence.elements[0], &mut items);
            }
            items.push(self.sequence(list, sequence));
        }
        if let Some(relation) = &list.relation {
            items.push(self.relation(list, relation));
        }
        let mut result = self.nodes.all(items);
        if !evaluated.is_empty() {
            evaluated.push(result);
            result = self.nodes.evaluated_all(evaluated);
        }
        let mut items = vec![result];
        let one = self.nodes.number(1);
        for name in &list.counters {
            let counter = self.counter(name);
            let update = Update::Arithmetic(Arithmetic::Add, one);
            items.push(
                self.nodes.bool(BoolKey::Count(counter), || {
                    BoolFilter::Update(counter, update, list.span)
                }),
            );
        }
        self.nodes.all(items)
    }

    fn counter(&mut self, name: &str) -> VariableId {
        let known = self.counters.last().and_then(|frame| frame.get(name));
        if let Some(&counter) = known {
            return counter;
        }
        let counter = self.new_variable(name, VariableKind::Numeric);
        if let Some(frame) = self.counters.last_mut() {
            frame.insert(name.to_owned(), counter);
        }
        counter
    }

    /// Adds the pieces that must be on the board at the position of a list, so that a search that
    /// cannot succeed is not started.
    fn needed_by(&mut self, list: &List, items: &mut Vec<BoolId>) {
        if list.negated || counts(list) || !list.transforms.is_empty() {
            return;
        }
        for designator in list.designators.iter().chain(&list.next_move.from) {
            items.push(self.occurs(designator));
        }
    }

    fn sequence(&mut self, list: &List, sequence: &Sequence) -> BoolId {
        let enters_variations =
            list.variations || sequence.elements.iter().any(|element| element.variations);
        let mut constituents = Vec::new();
        let mut elements = Vec::new();
        let last = sequence.elements.len() - 1;
        for (i, element) in sequence.elements.iter().enumerate() {
            let filter = self.at_position(|l| l.nested_list(element));
            if self.nodes.is_false(filter) {
                return filter;
            }
            elements.push(filter);
            if sequence.gapped {
                constituents.push(self.gap());
            }
            constituents.push(LineConstituent {
                item: LineItem::Filter(Taken {
                    filter,
                    // after the last element any move will do
                    linearize: i < last && speaks_of_move(element),
                }),
                repeats: Vec::new(),
            });
        }
        let primary = self.reads_variations && !enters_variations;
        let key = BoolKey::Sequence {
            enters_variations,
            gapped: sequence.gapped,
            elements: elements.into(),
        };
        self.nodes.bool(key, || {
            BoolFilter::Line(Box::new(LineFilter {
                index: 0,
                flags: LineFlags {
                    forward: true,
                    primary,
                    quiet: true,
                    firstmatch: true,
                    ..LineFlags::default()
                },
                range: None,
                may_be_empty: false,
                // without nested repetitions the automaton cannot be too deep
                automaton: build::of_line(&constituents).unwrap_or_default(),
                span: Span::default(),
            }))
        })
    }

    /// Makes a constituent for any number of positions.
    fn gap(&mut self) -> LineConstituent {
        LineConstituent {
            item: LineItem::Filter(Taken { filter: self.nodes.constant(true), linearize: false }),
            repeats: vec![Repeat::Star],
        }
    }

    fn relation(&mut self, list: &List, relation: &Relation) -> BoolId {
        let squares = relation.pattern.then(|| {
            let sets: Vec<SetId> = list.designators.iter().map(|d| self.men(d)).collect();
            let nothing = self.nodes.squares(board::SquareSet::EMPTY);
            let mut sets = sets.into_iter();
            let first = sets.next().unwrap_or(nothing);
            sets.fold(first, |all, set| self.nodes.union(all, set))
        });
        let counted = |men: &Option<(Designator, Range)>| match men {
            Some((designator, range)) => CountedMen {
                kinds: match designator.men {
                    Men::Kinds(kinds) => kinds.0 & 0xfff,
                    Men::Tag(_) => 0,
                },
                squares: board::SquareSet(designator.squares),
                count: range.min..=range.max,
            },
            None => CountedMen { kinds: 0xfff, squares: board::SquareSet::ALL, count: 0..=0 },
        };
        let later = LaterPosition {
            region: match relation {
                Relation { variations_only: true, .. } => Region::Variations,
                Relation { variations: true, .. } => Region::Everything,
                _ if !self.reads_variations => Region::Everything,
                _ => Region::MainLine,
            },
            same_side: match relation.side {
                SideToMove::Same => Some(true),
                SideToMove::Other => Some(false),
                SideToMove::Any => None,
            },
            squares,
            shift: relation.shift,
            flip: relation.flip,
            different: relation.different.map(|range| range.min..=range.max),
            same: relation.same.map(|range| range.min..=range.max),
            missing: counted(&relation.missing),
            new: counted(&relation.new),
        };
        let start = relation.span.start;
        let key = BoolKey::Relation { start, squares };
        self.nodes.bool(key, || BoolFilter::LaterPosition(Box::new(later)))
    }
}

/// Whether the list, or one in it that looks at the same position, counts.
fn counts(list: &List) -> bool {
    let nested = |condition: &Condition| match condition {
        Condition::And(lists) | Condition::Or(lists) => lists.iter().any(counts),
        _ => false,
    };
    !list.counters.is_empty() || list.conditions.iter().any(nested)
}

/// Whether the list, or one in it that looks at the same position, mentions the next move.
fn speaks_of_move(list: &List) -> bool {
    let nested = |condition: &Condition| match condition {
        Condition::And(lists) | Condition::Or(lists) => lists.iter().any(speaks_of_move),
        _ => false,
    };
    !list.next_move.is_empty() || list.conditions.iter().any(nested)
}

/// Approximate cost of a condition; 0 for a look at the state of the game.
fn cost(condition: &Condition) -> u32 {
    match condition {
        Condition::Turn(_)
        | Condition::Predicate(Predicate::Initial | Predicate::Terminal)
        | Condition::Result(_)
        | Condition::Elo(_)
        | Condition::WhiteElo(_)
        | Condition::BlackElo(_)
        | Condition::MoveNumber(_) => 0,
        Condition::PieceCount(..)
        | Condition::TagMatch(..)
        | Condition::Power(..)
        | Condition::PowerDifference(..) => 1,
        Condition::Predicate(Predicate::Check) | Condition::NoCheck => 2,
        Condition::AttackCount(..) | Condition::Ray(_) => 3,
        Condition::Predicate(_) => 4,
        Condition::And(_) | Condition::Or(_) => 5,
    }
}
