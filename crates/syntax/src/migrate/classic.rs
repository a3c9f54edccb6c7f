//! Translates classic CQL: a single list for single positions or for a line of them.
//!
//! Several lists, tags, counters, and shifts of squares on the edge have no simple equivalent in
//! CQL 6.2; they are reported as errors.

mod relation;

use super::places::mark;
use super::write::{bounds, designator, in_range, plain};
use super::{Migrated, comments, none};
use crate::builtin::{Nullary, TextToText};
use crate::classic::tree::{
    Condition, Designator, List, Men, NextMove, Query, RayKind, Sequence, Transform,
};
use crate::designator::PieceSet;
use crate::{SourceId, Span};

/// Any piece.
const MAN: &str = "[Aa]";

/// The squares that are not on the edge of the board.
const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;

/// Context of a list.
#[derive(Clone, Copy, Default)]
struct Context {
    /// Whether variations are read.
    reads_variations: bool,
    /// Whether the list matches in variations.
    sees_variations: bool,
    /// Transforms of the list and of the lists around it.
    transforms: Transforms,
}

/// Kinds of transforms that are present.
#[derive(Clone, Copy, Default)]
struct Transforms {
    flip: bool,
    shift: bool,
    color: bool,
}

impl Transforms {
    fn is_empty(self) -> bool {
        !self.flip && !self.shift && !self.color
    }

    fn and(mut self, transforms: &[Transform]) -> Transforms {
        for transform in transforms {
            match transform {
                Transform::FlipColor => self.color = true,
                Transform::Flip
                | Transform::FlipHorizontal
                | Transform::FlipVertical
                | Transform::FlipDiagonal
                | Transform::FlipOffDiagonal => self.flip = true,
                _ => self.shift = true,
            }
        }
        self
    }
}

/// Translates the whole query.
pub(super) fn query(query: &Query, text: &[u8]) -> Migrated<String> {
    let whole = Span::new(SourceId(0), 0, text.len());
    if let Some(tag) = query.tags.first() {
        return Err(none(tag.span, "`:forany`"));
    }
    let list = match query.lists.as_slice() {
        [list] => list,
        [_, second, ..] => return Err(none(second.span, "a second position list")),
        [] => return Err(none(whole, "a match list without positions")),
    };
    if list.no_annotate {
        return Err(none(list.span, "`:noannotate`"));
    }
    let mut at = 0;
    let mut out = comments(text, &mut at, text.len());
    if !list.mark_all {
        out += "// All matching positions are marked; the classic query marked the first.\n";
    }
    let mut parameters = Vec::new();
    for (word, file) in [("input", &query.pgn), ("output", &query.output)] {
        if let Some((name, _)) = file {
            parameters.push(format!("{word} {name}"));
        }
    }
    let context = Context {
        reads_variations: list.mentions_variations(),
        sees_variations: list.variations || list.variations_only,
        transforms: Transforms::default(),
    };
    if context.reads_variations {
        parameters.push("variations".into());
    }
    if let Some(range) = query.game_number {
        parameters.push(format!("gamenumber {}", bounds(range.min, range.max)));
    }
    if let Some(range) = list.match_count {
        if range.min < 1 {
            return Err(none(list.span, "`:matchcount` of none"));
        }
        parameters.push(format!("matchcount {}", bounds(range.min, range.max)));
    }
    out += &format!("cql({})\n", parameters.join(" "));
    if let Some(range) = query.year {
        if range.min < 1 {
            return Err(none(whole, "`:year` without a least year"));
        }
        out += &format!("{}\n", in_range("year", range.min, range.max));
    }
    if let Some(name) = &query.player {
        let name = TextToText::Lowercase.of(name);
        let name = plain(&name).ok_or_else(|| none(whole, "`:player` with such signs"))?;
        let is_of = |side: &str| format!("\"{name}\" in lowercase player {side}");
        out += &format!("{{{} or {}}}\n", is_of("white"), is_of("black"));
    }
    if let Some(value) = query.result {
        out += &format!("result {}\n", value.text());
    }
    if list.variations_only {
        out += "variation\n";
    } else if context.reads_variations && !context.sees_variations {
        out += "mainline\n";
    }
    out += &write_list(list, context)?;
    out.push('\n');
    Ok(out)
}

fn write_list(list: &List, around: Context) -> Migrated<String> {
    let context = Context { transforms: around.transforms.and(&list.transforms), ..around };
    let mut parts = items(list, context)?;
    let relation = list.relation.as_ref();
    let apart = relation.filter(|relation| relation::is_apart(list, relation, around));
    if let (Some(relation), None) = (relation, apart) {
        parts.push(mark(relation.span, &relation::relation(list, relation, context)?));
    }
    if parts.is_empty() {
        parts.push("true".into());
    }
    let items = parts.join(" ");
    let mut text = transformed(list, items.clone())?;
    if let Some(relation) = apart {
        let at_source = |text: &str| transformed(list, text.to_owned());
        let relation = relation::apart(list, relation, around, &items, &at_source)?;
        text = format!("{{{text} {relation}}}");
    }
    if list.negated {
        text = format!("not {{{text}}}");
    }
    Ok(mark(list.span, &text))
}

/// Translates the conditions of a list, except for its relation.
fn items(list: &List, context: Context) -> Migrated<Vec<String>> {
    let refuse = |what: &str| Err(none(list.span, what));
    if !list.counters.is_empty() || !list.sums.is_empty() {
        return refuse("`:accumulate` and `:sumrange`");
    }
    if list.transform_match_count.is_some() {
        return refuse("`:pretransformmatchcount`");
    }
    let nested = |inner: &List| inner.variations || inner.variations_only;
    if list.children().any(nested) {
        return refuse("`:variations` in a list inside a list");
    }
    let mut parts = Vec::new();
    for item in &list.designators {
        parts.push(set(item)?);
    }
    for (condition, span) in list.conditions.iter().zip(&list.spans) {
        parts.push(mark(*span, &write_condition(condition, list, context)?));
    }
    if !list.next_move.is_empty() {
        parts.push(write_move(&list.next_move, list.span, context)?);
    }
    if let Some(sequence) = &list.sequence {
        if context.reads_variations {
            return refuse("a sequence in variations");
        }
        parts.push(write_sequence(sequence, context)?);
    }
    Ok(parts)
}

/// Puts a text into the transforms of a list.
fn transformed(list: &List, mut text: String) -> Migrated<String> {
    use Transform as T;
    let refuse = |what: &str| Err(none(list.span, what));
    let all = &list.transforms;
    let (flips, shifts) = (all.contains(&T::Flip), all.contains(&T::Shift));
    for transform in all {
        let word = match transform {
            T::Flip => "flip",
            T::FlipColor => "flipcolor",
            T::FlipHorizontal | T::FlipVertical | T::FlipDiagonal | T::FlipOffDiagonal if flips => {
                continue;
            }
            T::FlipHorizontal => "fliphorizontal",
            T::FlipVertical => "flipvertical",
            T::FlipDiagonal | T::FlipOffDiagonal => return refuse("a flip about one diagonal"),
            _ if !shifts_alike(list) => {
                return refuse("a shift, which keeps squares at the edge in classic CQL,");
            }
            T::Shift => "shift",
            _ if shifts => continue,
            T::ShiftDiagonal | T::ShiftMainDiagonal | T::ShiftOffDiagonal => {
                return refuse("a shift along diagonals");
            }
            T::ShiftHorizontal | T::ShiftVertical if flips => {
                return refuse("a shift in one direction together with `:flip`");
            }
            T::ShiftHorizontal => "shifthorizontal",
            T::ShiftVertical => "shiftvertical",
        };
        text = format!("{word} {{{text}}}");
    }
    Ok(text)
}

/// Whether shifts treat the designators of a list as in CQL 6.2. Squares inside the board can be
/// shifted off it in both languages. In CQL 6.2, a designator that loses all its squares removes
/// the whole image, so only designators that the list requires may have squares.
fn shifts_alike(list: &List) -> bool {
    fn reach_everywhere(list: &List) -> bool {
        list.designators().all(|item| item.squares == u64::MAX)
            && list.children().all(reach_everywhere)
    }
    let is_inside = |item: &Designator| item.squares & !INSIDE == 0;
    let is_everywhere = |item: &Designator| item.squares == u64::MAX;
    // the squares of the relation are not moved
    let fixed = list.relation.iter();
    let n_fixed = fixed.flat_map(|r| [&r.missing, &r.new]).flatten().count();
    let all: Vec<&Designator> = list.designators().collect();
    let (needed, others) = all.split_at(list.designators.len());
    let moved = others.get(..others.len() - n_fixed).unwrap_or_default();
    needed.iter().all(|item| is_everywhere(item) || is_inside(item))
        && moved.iter().all(|item| is_everywhere(item))
        && list.children().all(reach_everywhere)
}

fn set(item: &Designator) -> Migrated<String> {
    match item.men {
        Men::Kinds(kinds) => designator(kinds, item.squares)
            .map(|text| mark(item.span, &text))
            .ok_or_else(|| none(item.span, "a designator without squares")),
        Men::Tag(_) => Err(none(item.span, "a tag")),
    }
}

/// Returns the squares of a designator with pieces of one color.
fn side(item: &Designator, color: PieceSet) -> Migrated<Option<String>> {
    match item.men {
        Men::Kinds(kinds) => Ok(designator(PieceSet(kinds.0 & color.0), item.squares)),
        Men::Tag(_) => Err(none(item.span, "a tag")),
    }
}

fn write_condition(condition: &Condition, list: &List, context: Context) -> Migrated<String> {
    use Condition as C;
    let lists = |lists: &[List], sign: &str| -> Migrated<String> {
        let parts: Migrated<Vec<String>> =
            lists.iter().map(|list| Ok(format!("{{{}}}", write_list(list, context)?))).collect();
        Ok(format!("{{{}}}", parts?.join(sign)))
    };
    Ok(match condition {
        C::Predicate(word) => Nullary::Predicate(*word).row().word.into(),
        C::Turn(word) => Nullary::Turn(*word).row().word.into(),
        C::NoCheck => "{not check}".into(),
        C::MoveNumber(range) => in_range("ply/2+1", range.min, range.max),
        C::PieceCount(item, range) => in_range(&format!("#{}", set(item)?), range.min, range.max),
        C::AttackCount(from, to, range) => {
            let attacks = format!("({} attacks {})", set(from)?, set(to)?);
            if (range.min, range.max) == (0, 0) {
                format!("{{not {attacks}}}")
            } else if to.squares.count_ones() == 1 {
                in_range(&format!("#{attacks}"), range.min, range.max)
            } else {
                return Err(none(from.span.to(to.span), "`:attackcount`"));
            }
        }
        C::Power(item, range) => in_range(&format!("power {}", set(item)?), range.min, range.max),
        C::PowerDifference(item, range) => {
            let white = side(item, PieceSet::WHITE)?;
            let black = side(item, PieceSet::BLACK)?;
            let (Some(white), Some(black)) = (white, black) else {
                return Err(none(item.span, "`:powerdifference` of one side"));
            };
            let value = format!("power {white} - power {black}");
            in_range(&value, range.min, range.max)
        }
        C::Ray(ray) if ray.range.is_none() => {
            let sets: Migrated<Vec<String>> = ray.designators.iter().map(set).collect();
            let sets = sets?;
            let rest = sets.get(1..).unwrap_or_default().join(" ");
            let first = sets.first().map_or("", String::as_str);
            let plain = |direction: &str| format!("(ray {direction}({first} {rest}))");
            match ray.kind {
                RayKind::Any => plain(""),
                RayKind::Orthogonal => plain("orthogonal "),
                RayKind::Diagonal => plain("diagonal "),
                RayKind::Horizontal => plain("horizontal "),
                RayKind::Vertical => plain("vertical "),
                RayKind::Attack => format!(
                    "(ray orthogonal (({first} & [QRqr]) {rest}) | \
                     ray diagonal (({first} & [QBqb]) {rest}))"
                ),
            }
        }
        C::Ray(_) => return Err(none(list.span, "`:ray` with a range")),
        C::Elo(range) if range.min > 0 => {
            let of = |side| in_range(&format!("elo {side}"), range.min, range.max);
            format!("{{{} or {}}}", of("white"), of("black"))
        }
        C::WhiteElo(range) if range.min > 0 => in_range("elo white", range.min, range.max),
        C::BlackElo(range) if range.min > 0 => in_range("elo black", range.min, range.max),
        C::Elo(_) | C::WhiteElo(_) | C::BlackElo(_) => {
            return Err(none(list.span, "a rating of 0"));
        }
        C::Result(value) => format!("result {}", value.text()),
        C::And(inner) => lists(inner, " ")?,
        C::Or(inner) => lists(inner, " or ")?,
        C::TagMatch(_, item) => return Err(none(item.span, "`:tagmatch`")),
    })
}

fn write_move(step: &NextMove, span: Span, context: Context) -> Migrated<String> {
    if step.no_en_passant {
        let only = step.from.is_empty() && step.to.is_empty() && step.promote.is_empty();
        if !only || step.en_passant || context.reads_variations {
            return Err(none(span, "`:noenpassant` beside other words"));
        }
        return Ok("{move from . not {move enpassant}}".into());
    }
    let mut text = String::from("move");
    for (word, items) in [("from", &step.from), ("to", &step.to)] {
        let sets: Migrated<Vec<String>> = items.iter().map(set).collect();
        match sets?.as_slice() {
            [] => {}
            [one] => text += &format!(" {word} {one}"),
            several => text += &format!(" {word} ({})", several.join(" & ")),
        }
    }
    match step.promote.as_slice() {
        [] => {}
        [item] if item.squares == u64::MAX => {
            let Men::Kinds(kinds) = item.men else {
                return Err(none(item.span, "a tag"));
            };
            // as in CQL 6.2, the colors of the letters have no effect
            let pieces = PieceSet(kinds.0 & !PieceSet::EMPTY_SQUARE.0);
            let pieces = designator(pieces, u64::MAX)
                .ok_or_else(|| none(item.span, "a promotion to no piece"))?;
            text += &format!(" promote {pieces}");
        }
        [item, ..] => return Err(none(item.span, "`:promote` with squares, or twice,")),
    }
    if step.en_passant {
        text += " enpassant";
    }
    if context.reads_variations && !context.sees_variations {
        text += " primary";
    }
    Ok(format!("{{{text}}}"))
}

fn write_sequence(sequence: &Sequence, context: Context) -> Migrated<String> {
    let mut text = String::from("{line quiet");
    for element in &sequence.elements {
        if sequence.gapped {
            text += " --> .*";
        }
        text += &format!(" --> {{{}}}", write_list(element, context)?);
    }
    Ok(text + "}")
}
