//! Translates `:relation` of classic CQL to `echo`.
//!
//! The compared squares with different content are a set, `different`. On each of them, a piece of
//! the earlier position is missing, a new one has appeared, or a piece has been replaced. If the
//! later position may be shifted or flipped, the pieces of the list that must reappear become a
//! pattern under the transforms of CQL 6.2; any other comparison checks the image of each square.

use super::{Context, MAN, Transforms, set};
use crate::classic::tree::{Designator, List, Men, Range, Relation, SideToMove};
use crate::designator::PieceSet;
use crate::migrate::Migrated;
use crate::migrate::image::{Directions, Map, Maps, Symmetry};
use crate::migrate::write::{EchoNames, counted, designator};

/// Function that puts a text into the transforms of a list.
type Transformed<'a> = &'a dyn Fn(&str) -> Migrated<String>;

/// The range for no pieces at all.
const NONE: Range = Range { min: 0, max: 0 };

/// Translates the relation of a list inside the transforms of `context`.
pub(super) fn relation(list: &List, relation: &Relation, context: Context) -> Migrated<String> {
    Writer { list, relation, context, names: &EchoNames::at_depth(0), apart: None }.echo()
}

/// Whether the relation can follow the transforms of its list instead of being inside. They are
/// inside the transforms of `around`. This requires that the relation is equal for all images,
/// apart from the parts that [`apart`] handles.
pub(super) fn is_apart(list: &List, relation: &Relation, around: Context) -> bool {
    let of_list = Transforms::default().and(&list.transforms);
    let among =
        (relation.shift || !of_list.shift) && (relation.flip || !of_list.flip) && !of_list.color;
    let asks_for_men = relation.pattern && !list.designators.is_empty();
    !of_list.is_empty()
        && (!asks_for_men
            || around.transforms.is_empty() && among && repeats_pattern(list, relation))
}

/// Translates the relation after the transforms of its list. Conditions that depend on the image of
/// the list are checked for an image whose `items` match at the source.
pub(super) fn apart(
    list: &List,
    relation: &Relation,
    around: Context,
    items: &str,
    transformed: Transformed<'_>,
) -> Migrated<String> {
    Writer {
        list,
        relation,
        context: around,
        names: &EchoNames::at_depth(0),
        apart: Some((items, transformed)),
    }
    .echo()
}

/// Whether the pieces of the list, one on each square, must reappear shifted or flipped.
fn repeats_pattern(list: &List, relation: &Relation) -> bool {
    let is_man = |item: &Designator| {
        let is_one = matches!(item.men, Men::Kinds(kinds)
            if kinds.0.count_ones() == 1 && kinds != PieceSet::EMPTY_SQUARE);
        is_one && item.squares.count_ones() == 1
    };
    let men = &list.designators;
    let permits = |counted: &Option<(Designator, Range)>, n| {
        let range = counted.map_or(NONE, |(_, range)| range);
        (range.min..=range.max).contains(&n)
    };
    let may_miss = relation.missing.is_some_and(|(_, range)| range.max > 0);
    (relation.shift || relation.flip)
        && relation.pattern
        && !men.is_empty()
        && men.iter().all(is_man)
        && !may_miss
        && permits(&relation.missing, 0)
        && permits(&relation.new, 0)
}

struct Writer<'a> {
    list: &'a List,
    relation: &'a Relation,
    context: Context,
    names: &'a EchoNames,
    /// The items of the list, and a function that puts a text into its transforms, if the relation
    /// follows these transforms.
    apart: Option<(&'a str, Transformed<'a>)>,
}

/// Pieces allowed by `:missingpiececount` or `:newpiececount`; none if the keyword is absent.
struct Permitted {
    /// The allowed pieces; `None` for all.
    kinds: Option<String>,
    /// The allowed squares; `None` for all.
    squares: Option<String>,
    range: Range,
}

impl Permitted {
    fn is_nobody(&self) -> bool {
        self.range == NONE
    }

    /// Returns the allowed pieces and squares as operands of `&`.
    fn sets(&self) -> Vec<&str> {
        let sets = [&self.kinds, &self.squares];
        sets.into_iter().flatten().map(String::as_str).collect()
    }
}

impl Writer<'_> {
    fn echo(&self) -> Migrated<String> {
        let Writer { relation, names, .. } = self;
        let mut parts = Vec::new();
        if relation.variations_only {
            parts.push("variation".to_owned());
        } else if self.context.reads_variations && !relation.variations {
            parts.push("mainline".to_owned());
        }
        parts.push(format!("{{{}<{}}}", names.source, names.target));
        match relation.side {
            SideToMove::Same => parts.push(names.same_turn(true)),
            SideToMove::Other => parts.push(names.same_turn(false)),
            SideToMove::Any => {}
        }
        parts.extend(self.squares()?);
        Ok(names.echo(&parts))
    }

    fn squares(&self) -> Migrated<Vec<String>> {
        let Relation { shift, flip, .. } = *self.relation;
        let allowed = self.allowed()?;
        let [missing, new] =
            [&self.relation.missing, &self.relation.new].map(|c| self.permitted(c));
        let mut of_different = Vec::new();
        let in_range =
            |set: &str, range: Range| counted(&format!("#{set}"), range.min, range.max, 64);
        if let Some(range) = self.relation.different {
            of_different.extend(in_range("different", range));
        }
        if !shift && !flip {
            of_different.extend(self.in_place(&missing, &new));
        }
        let same = self.names.same_content();
        let within = |set: &str| match &allowed {
            Some(allowed) => format!("({allowed} & {set})"),
            None => format!("({set})"),
        };
        let different = within(&format!("~{same}"));
        let mut parts = match of_different.as_slice() {
            [] => Vec::new(),
            [one] if one.matches("different").count() == 1 => {
                vec![one.replace("different", &different)]
            }
            _ => [vec![format!("different={different}")], of_different].concat(),
        };
        if let Some(range) = self.relation.same {
            let same = within(&format!("{MAN} & {same}"));
            parts.extend(in_range(&same, range));
        }
        if !shift && !flip {
            return Ok(parts);
        }
        match self.pattern_again()? {
            Some(pattern) => {
                if let (Some((items, transformed)), false) = (self.apart, parts.is_empty()) {
                    let source = &self.names.source;
                    let text = format!("{{{source}:{{{items}}}}} {}", parts.join(" "));
                    parts = vec![transformed(&text)?];
                }
                parts.insert(0, pattern);
            }
            None => parts.extend(self.an_image(allowed.as_deref(), &missing, &new)),
        }
        Ok(parts)
    }

    /// Returns the compared squares of the earlier position; `None` for all.
    fn allowed(&self) -> Migrated<Option<String>> {
        if !self.relation.pattern {
            return Ok(None);
        }
        let sets: Migrated<Vec<String>> = self.list.designators.iter().map(set).collect();
        let source = &self.names.source;
        Ok(Some(match sets?.as_slice() {
            // no squares
            [] => format!("(_ & {MAN})"),
            [one] => format!("{source}:{one}"),
            several => format!("{source}:({})", several.join(" | ")),
        }))
    }

    /// Returns the pieces that may be missing or new. The transforms of the list do not change
    /// them.
    fn permitted(&self, counted: &Option<(Designator, Range)>) -> Permitted {
        let Some((men, range)) = counted else {
            return Permitted { kinds: None, squares: None, range: NONE };
        };
        let kinds = match men.men {
            Men::Kinds(kinds) => PieceSet(kinds.0 & !PieceSet::EMPTY_SQUARE.0),
            Men::Tag(_) => PieceSet::NONE,
        };
        let fixed = |text: String| {
            if self.context.transforms.is_empty() { text } else { format!("(notransform {text})") }
        };
        let nowhere = || format!("(_ & {MAN})");
        let all_men = PieceSet::WHITE.union(PieceSet::BLACK);
        Permitted {
            kinds: (kinds != all_men)
                .then(|| designator(kinds, u64::MAX).map_or_else(nowhere, fixed)),
            squares: (men.squares != u64::MAX)
                .then(|| designator(PieceSet::ANYTHING, men.squares).map_or_else(nowhere, fixed)),
            range: *range,
        }
    }

    /// Compares the later position without a map.
    fn in_place(&self, missing: &Permitted, new: &Permitted) -> Vec<String> {
        let source = &self.names.source;
        let none = |sets: &[&str]| format!("{{#({})==0}}", sets.join(" & "));
        let was_man = format!("{source}:{MAN}");
        let was_empty = format!("{source}:_");
        let n = |set: &str, range: Range| counted(&format!("#{set}"), range.min, range.max, 64);
        let others = |men: &Permitted, at_source: bool| {
            let sets = men.sets();
            let men = match sets.as_slice() {
                [] => return None,
                [one] => (*one).to_owned(),
                several => format!("({})", several.join(" & ")),
            };
            let at = if at_source { format!("{source}:") } else { String::new() };
            Some(format!("~{at}{men}"))
        };
        let mut parts = Vec::new();
        match (missing.is_nobody(), new.is_nobody()) {
            (true, true) => parts.push("{#different==0}".to_owned()),
            (false, true) => {
                parts.push(none(&["different", MAN]));
                parts.extend(others(missing, true).map(|set| none(&["different", &set])));
                parts.extend(n("different", missing.range));
            }
            (true, false) => {
                parts.push(none(&["different", &was_man]));
                parts.extend(others(new, false).map(|set| none(&["different", &set])));
                parts.extend(n("different", new.range));
            }
            (false, false) => {
                parts.push(none(&["different", &was_man, MAN]));
                parts.extend(others(missing, true).map(|set| none(&["different", "_", &set])));
                parts.extend(n("(different & _)", missing.range));
                let set = others(new, false);
                parts.extend(set.map(|set| none(&["different", &was_empty, &set])));
                parts.extend(n(&format!("(different & {was_empty})"), new.range));
            }
        }
        parts
    }

    /// Searches the pieces of the list anywhere in the later position; `None` if that is not
    /// possible. Transforms around the list map flips to flips and shifts to shifts, and so does an
    /// exchange of colors; a shift does not.
    fn pattern_again(&self) -> Migrated<Option<String>> {
        let around = self.context.transforms;
        if !repeats_pattern(self.list, self.relation) || around.shift {
            return Ok(None);
        }
        let sets: Migrated<Vec<String>> = self.list.designators.iter().map(set).collect();
        let mut text = format!("{{{}}}", sets?.join(" "));
        for (word, is_asked) in [("flip", self.relation.flip), ("shift", self.relation.shift)] {
            if is_asked {
                text = format!("{word} {text}");
            }
        }
        Ok(Some(format!("{{{text}}}")))
    }

    /// Compares the later position shifted or flipped, piece by piece.
    fn an_image(&self, allowed: Option<&str>, missing: &Permitted, new: &Permitted) -> Vec<String> {
        let mut parts = Vec::new();
        let compared = match allowed {
            Some(allowed) => {
                parts.push(format!("compared={allowed}"));
                "compared & "
            }
            None => "",
        };
        let mut maps = Maps::identity();
        if self.relation.shift {
            maps = maps.shifted(Directions::All, true);
        }
        if self.relation.flip {
            maps = maps.turned(&Symmetry::all());
        }
        parts.push(maps.any(|map| {
            let missing = self.missing_behind(map, compared, missing);
            let new = self.new_behind(map, compared, new);
            format!("{{{}}}", [missing, new].concat().join(" "))
        }));
        parts
    }

    /// Requires that each piece of the earlier position is on its image under a map, or is missing
    /// as allowed.
    fn missing_behind(&self, map: &Map, compared: &str, missing: &Permitted) -> Vec<String> {
        let source = &self.names.source;
        let image = map.image("x");
        let men = format!("({compared}{source}:{MAN})");
        let same = format!("{{colortype {image}=={source}:colortype x}}");
        if missing.is_nobody() {
            return vec![format!("{{square all x in {men} {same}}}")];
        }
        let is_empty = format!("not {{{MAN} & {image}}}");
        let sets = missing.sets().join(" & ");
        let goes = if sets.is_empty() {
            format!("{{{is_empty}}}")
        } else {
            format!("{{{{{is_empty}}} {{{source}:(x & {sets})}}}}")
        };
        let n = format!("#(square x in {men} {{{is_empty}}})");
        let in_range = counted(&n, missing.range.min, missing.range.max, 64);
        let all = format!("{{square all x in {men} {{{same} or {goes}}}}}");
        [all].into_iter().chain(in_range).collect()
    }

    /// Requires that each piece of the later position whose origin was empty is allowed.
    fn new_behind(&self, map: &Map, compared: &str, new: &Permitted) -> Vec<String> {
        let source = &self.names.source;
        let origin = map.origin("x");
        let is_new = format!("{{{compared}{source}:_ & {origin}}}");
        if new.is_nobody() {
            return vec![format!("{{not {{square x in {MAN} {is_new}}}}}")];
        }
        let kinds = new.kinds.iter().map(|kinds| format!("{{{kinds} & x}}"));
        let squares = new.squares.iter().map(|set| format!("{{{set} & {origin}}}"));
        let permitted: Vec<String> = kinds.chain(squares).collect();
        let all = (!permitted.is_empty()).then(|| {
            let permitted = permitted.join(" ");
            format!("{{square all x in {MAN} {{not {is_new} or {{{permitted}}}}}}}")
        });
        let n = format!("#(square x in {MAN} {is_new})");
        let in_range = counted(&n, new.range.min, new.range.max, 64);
        all.into_iter().chain(in_range).collect()
    }
}
