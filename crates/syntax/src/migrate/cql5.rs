//! Translates CQL 5, one filter after the other.
//!
//! Operands are put in brackets wherever CQL 6.2 might read more of the text as part of them, since
//! the dialects differ in the extent of operands.

mod relation;

use std::cell::Cell;

use super::places::{bare, mark};
use super::write::{bounds, designator, in_range, plain, promotion};
use super::{Migrated, comments, none};
use crate::cql5::tree::{
    Constituent, Filter, FilterKind as K, Item, MoveFilter, Query, Range, Sequence, SquareLoop,
};
use crate::designator::PieceSet;
use crate::tree::{Color, DirectionName, Repeat, TransformFamily};

/// The light squares; bit 0 is a1.
const LIGHT: u64 = 0x55AA_55AA_55AA_55AA;

/// Translates the whole query.
pub(super) fn query(query: &Query, text: &[u8]) -> Migrated<String> {
    let writer = Writer {
        query,
        text,
        n_echoes: Cell::new(0),
        is_turned: Cell::new(false),
        is_shifted: Cell::new(false),
    };
    let mut at = 0;
    let start = text.windows(3).position(|w| w == b"cql").unwrap_or(0);
    let first = query.filters.first().map_or(start, |f| f.span.start as usize);
    let mut out = comments(text, &mut at, first);
    out = out.trim_end().to_string();
    if !out.is_empty() {
        out.push('\n');
    }
    let header = &query.header;
    let mut parameters = Vec::new();
    for (word, file) in [("input", &header.input), ("output", &header.output)] {
        if let Some((name, _)) = file {
            parameters.push(format!("{word} {name}"));
        }
    }
    if header.variations {
        parameters.push("variations".into());
    }
    if header.silent {
        parameters.push("silent".into());
    }
    if let Some(range) = header.game_number {
        parameters.push(format!("gamenumber {}", bounds(range.min, range.max)));
    }
    if let Some(range) = header.match_count {
        let sort = if header.sort_match_count { "sort " } else { "" };
        let range = bounds(range.min, range.max);
        parameters.push(format!("{sort}matchcount {range}"));
    }
    out += &format!("cql({})\n", parameters.join(" "));
    for filter in &header.game {
        out += &writer.boolean(filter)?;
        out.push('\n');
    }
    for filter in &query.filters {
        out += &comments(text, &mut at, filter.span.end as usize);
        out += &writer.boolean(filter)?;
        out.push('\n');
    }
    out += &comments(text, &mut at, text.len());
    Ok(out)
}

struct Writer<'a> {
    query: &'a Query,
    text: &'a [u8],
    /// Whether a transform around the filter shifts.
    is_shifted: Cell<bool>,
    /// Number of relations around the filter.
    n_echoes: Cell<u32>,
    /// Whether a transform around the filter may change left and right.
    is_turned: Cell<bool>,
}

impl Writer<'_> {
    /// Returns the first word of a filter as written.
    fn word(&self, filter: &Filter) -> String {
        let start = filter.span.start as usize;
        let rest = self.text.get(start..).unwrap_or_default();
        let rest = rest.strip_prefix(b":").unwrap_or(rest);
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric());
        word.map(|&b| char::from(b)).collect()
    }

    /// Translates a filter that is used as a condition.
    fn boolean(&self, filter: &Filter) -> Migrated<String> {
        Ok(mark(filter.span, &self.write_boolean(filter)?))
    }

    fn write_boolean(&self, filter: &Filter) -> Migrated<String> {
        Ok(match &filter.kind {
            K::Nullary(_) => match self.word(filter).as_str() {
                "beginvariation" => "{variation move previous secondary}".into(),
                word @ ("check" | "mate" | "stalemate" | "wtm" | "btm" | "initial" | "terminal"
                | "mainline" | "variation") => word.into(),
                word => return Err(none(filter.span, &format!("`{word}`"))),
            },
            K::Block(items) => format!("{{{}}}", self.all(items)?),
            K::Or(items) if !filter.is_set() => {
                let mut parts = Vec::new();
                for item in items {
                    parts.push(self.boolean(item)?);
                }
                format!("{{{}}}", parts.join(" or "))
            }
            K::Not(operand) => format!("{{not {{{}}}}}", self.boolean(operand)?),
            K::Attack { range: Some(range), from, to } => {
                let attacks = format!("({} attacks {})", self.set(from)?, self.set(to)?);
                match range {
                    Range { min: 0, max: 0 } => format!("{{not {attacks}}}"),
                    _ if self.is_one_square(to) => self.count(&attacks, *range),
                    _ => return Err(none(filter.span, "`attack` with a range")),
                }
            }
            K::CountSquares(range, set) => self.count(&self.set(set)?, *range),
            K::Power(range, set) => {
                let set = self.set(set)?;
                in_range(&format!("power {set}"), range.min, range.max)
            }
            K::PowerDifference(range, a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                let value = format!("power {a} - power {b}");
                in_range(&value, range.min, range.max)
            }
            K::MoveNumber(range) => in_range("ply/2+1", range.min, range.max),
            K::Year(range) if range.min > 0 => in_range("year", range.min, range.max),
            K::Elo(color, range) if range.min > 0 => {
                let of = |side| in_range(&format!("elo {side}"), range.min, range.max);
                match color {
                    Some(Color::White) => of("white"),
                    Some(Color::Black) => of("black"),
                    None => format!("{{{} or {}}}", of("white"), of("black")),
                }
            }
            K::Player(color, text) => {
                let color = match color {
                    Some(Color::White) => "white ",
                    Some(Color::Black) => "black ",
                    None => "",
                };
                format!("player {color}\"{}\"", self.plain(filter, text)?)
            }
            K::Site(text) => format!("site \"{}\"", self.plain(filter, text)?),
            K::Event(text) => format!("event \"{}\"", self.plain(filter, text)?),
            K::Result(value) => format!("result {}", value.text()),
            K::HasComment(text) => {
                format!("originalcomment \"{}\"", self.plain(filter, text)?)
            }
            K::Loop(square_loop) if square_loop.all || square_loop.range.is_some() => {
                self.counting_loop(filter, square_loop)?
            }
            K::Move(step) => self.step(filter, step)?,
            K::Transform { family, range: None, body } if !body.is_set() => {
                let body = self.inside(*family, || self.boolean(body))?;
                format!("{} {{{body}}}", self.word(filter))
            }
            K::Sequence(sequence)
                if sequence.constituents.iter().all(Constituent::may_be_empty) =>
            {
                return Err(none(filter.span, "a sequence that may be empty"));
            }
            K::Sequence(sequence) => self.sequence(sequence)?,
            K::Search(search) if search.depth.is_none() => {
                let range = search
                    .range
                    .map_or(String::new(), |range| format!("{} ", bounds(range.min, range.max)));
                let quiet = if search.silent { "quiet " } else { "" };
                let way = if search.forward { "" } else { "<-- " };
                format!("find {quiet}{range}{way}{{{}}}", self.boolean(&search.body)?)
            }
            K::Comment(text) => format!("comment(\"{}\")", self.plain(filter, text)?),
            K::CommentSet(set) => format!("comment({})", self.set(set)?),
            K::Sort { .. } => return Err(none(filter.span, "`sort`")),
            K::Relation(relation) => self.relation(relation)?,
            _ if filter.is_set() => self.write_set(filter)?,
            _ => {
                let word = self.word(filter);
                return Err(none(filter.span, &format!("`{word}` with these operands")));
            }
        })
    }

    /// Translates a filter that is used as a set of squares, in brackets if it has several parts.
    fn set(&self, filter: &Filter) -> Migrated<String> {
        Ok(mark(filter.span, &self.write_set(filter)?))
    }

    fn write_set(&self, filter: &Filter) -> Migrated<String> {
        Ok(match &filter.kind {
            K::Designator { pieces, squares, variables } => {
                let base = designator(*pieces, *squares)
                    .ok_or_else(|| none(filter.span, "a designator without squares"))?;
                let mut parts: Vec<&str> = variables
                    .iter()
                    .map(|id| self.query.variables[id.0 as usize].name.as_str())
                    .collect();
                if base != "." || parts.is_empty() {
                    parts.insert(0, &base);
                }
                match parts.as_slice() {
                    [one] => (*one).to_string(),
                    _ => format!("({})", parts.join(" & ")),
                }
            }
            K::All => ".".into(),
            // `dark` names other squares after a shift, so the squares are written out to be
            // shifted.
            K::SquareColor { light } if self.is_shifted.get() => {
                let squares = if *light { LIGHT } else { !LIGHT };
                designator(PieceSet::ANYTHING, squares)
                    .ok_or_else(|| none(filter.span, "a designator without squares"))?
            }
            K::SquareColor { light: true } => "(light .)".into(),
            K::SquareColor { light: false } => "(dark .)".into(),
            K::Or(items) if filter.is_set() => self.chain(items, " | ")?,
            K::On(items) => self.chain(items, " & ")?,
            K::Not(operand) if operand.is_set() => format!("(~{})", self.set(operand)?),
            K::Attack { range: None, from, to } => {
                format!("({} attackedby {})", self.set(to)?, self.set(from)?)
            }
            K::Between(a, b) => format!("between({} {})", self.set(a)?, self.set(b)?),
            K::Ray { range: None, attack, steps, operands } => {
                self.ray(filter, *attack, steps, operands)?
            }
            K::Direction { range, operand, .. } if range.min >= 0 => {
                let word = self.word(filter);
                let range = bounds(range.min, range.max);
                format!("({word} {range} {})", self.set(operand)?)
            }
            K::Loop(square_loop) if filter.is_set() => self.square_loop(filter, square_loop)?,
            K::Transform { family, body, .. } if filter.is_set() => {
                let body = self.inside(*family, || self.set(body))?;
                format!("({} {body})", self.word(filter))
            }
            K::Origin(_) => return Err(none(filter.span, "`origin`")),
            K::Move(_) => return Err(none(filter.span, "`move` as a set of squares")),
            _ => {
                let word = self.word(filter);
                return Err(none(filter.span, &format!("`{word}` with these operands")));
            }
        })
    }

    /// Runs `write` for the body of a transform.
    fn inside<T>(&self, family: TransformFamily, write: impl FnOnce() -> T) -> T {
        let turns = matches!(family, TransformFamily::Flip | TransformFamily::Rotate90);
        use TransformFamily as F;
        let shifts = matches!(family, F::Shift | F::ShiftHorizontal | F::ShiftVertical);
        let turned = self.is_turned.replace(self.is_turned.get() || turns);
        let shifted = self.is_shifted.replace(self.is_shifted.get() || shifts);
        let written = write();
        self.is_turned.set(turned);
        self.is_shifted.set(shifted);
        written
    }

    fn chain(&self, items: &[Filter], sign: &str) -> Migrated<String> {
        let sets: Migrated<Vec<String>> = items.iter().map(|item| self.set(item)).collect();
        Ok(format!("({})", sets?.join(sign)))
    }

    fn all(&self, items: &[Filter]) -> Migrated<String> {
        let parts: Migrated<Vec<String>> = items.iter().map(|item| self.boolean(item)).collect();
        Ok(parts?.join(" "))
    }

    fn plain<'t>(&self, filter: &Filter, text: &'t [u8]) -> Migrated<&'t str> {
        plain(text).ok_or_else(|| none(filter.span, "a text with such signs"))
    }

    fn count(&self, set: &str, range: Range) -> String {
        in_range(&format!("#{set}"), range.min, range.max)
    }

    /// Whether the set always has one square at most.
    fn is_one_square(&self, filter: &Filter) -> bool {
        matches!(
            &filter.kind,
            K::Designator { squares, variables, .. }
                if squares.count_ones() == 1 || !variables.is_empty()
        )
    }

    fn ray(
        &self,
        filter: &Filter,
        attack: bool,
        steps: &[(i8, i8)],
        operands: &[Filter],
    ) -> Migrated<String> {
        let sets: Migrated<Vec<String>> = operands.iter().map(|item| self.set(item)).collect();
        let sets = sets?;
        let Some((first, rest)) = sets.split_first() else {
            return Err(none(filter.span, "`ray` without sets"));
        };
        let rest = rest.join(" ");
        if attack {
            if steps.len() != 8 && !steps.is_empty() {
                return Err(none(filter.span, "`ray attack` with directions"));
            }
            return Ok(format!(
                "(ray orthogonal (({first} & [QRqr]) {rest}) | \
                 ray diagonal (({first} & [QBqb]) {rest}))"
            ));
        }
        if steps.len() == 8 || steps.is_empty() {
            return Ok(format!("(ray ({first} {rest}))"));
        }
        let names: Vec<&str> = steps.iter().filter_map(|step| direction(*step)).collect();
        Ok(format!("(ray {} ({first} {rest}))", names.join(" ")))
    }

    fn square_loop(&self, filter: &Filter, square_loop: &SquareLoop) -> Migrated<String> {
        if square_loop.origin.is_some() {
            return Err(none(filter.span, "`origin`"));
        }
        if square_loop.body.is_empty() {
            return Err(none(filter.span, "`square all` without filters"));
        }
        let word = if square_loop.piece { "piece" } else { "square" };
        let all = if square_loop.all { "all " } else { "" };
        let name = &self.query.variables[square_loop.variable.0 as usize].name;
        let domain = match &square_loop.domain {
            Some(domain) => self.set(domain)?,
            None => ".".into(),
        };
        let body = self.all(&square_loop.body)?;
        Ok(format!("({word} {all}{name} in {domain} {{{body}}})"))
    }

    fn counting_loop(&self, filter: &Filter, square_loop: &SquareLoop) -> Migrated<String> {
        let text = self.square_loop(filter, square_loop)?;
        Ok(match square_loop.range {
            Some(range) => self.count(&text, range),
            None => text,
        })
    }

    fn step(&self, filter: &Filter, step: &MoveFilter) -> Migrated<String> {
        let mut text = String::from("move");
        let mut side = None;
        if step.previous {
            text += " previous";
        }
        for (word, set) in
            [("from", &step.from), ("to", &step.to), ("enpassantsquare", &step.en_passant_square)]
        {
            if let Some(set) = set {
                text += &format!(" {word} {}", self.set(set)?);
            }
        }
        if let Some(pieces) = step.promote {
            let (who, kinds) = promotion(pieces)
                .ok_or_else(|| none(filter.span, "a promotion of this choice of colors"))?;
            text += &format!(" promote {kinds}");
            side = match (who, step.previous) {
                (Some("wtm"), true) => Some("btm"),
                (Some(_), true) => Some("wtm"),
                (who, _) => who,
            };
        }
        for (word, is_set) in [
            ("enpassant", step.en_passant),
            ("null", step.null),
            ("primary", step.primary),
            ("secondary", step.secondary),
        ] {
            if is_set {
                text += &format!(" {word}");
            }
        }
        if text == "move" || text == "move previous" {
            text += " from .";
        }
        Ok(match side {
            Some(side) => format!("{{{side} {text}}}"),
            None => format!("{{{text}}}"),
        })
    }

    fn sequence(&self, sequence: &Sequence) -> Migrated<String> {
        let mut text = String::from("{line");
        if sequence.silent {
            text += " quiet";
        }
        if let Some(range) = sequence.range {
            text += &format!(" {}", bounds(range.min, range.max));
        }
        if sequence.single_color {
            text += " singlecolor";
        }
        if sequence.nestban {
            text += " nestban";
        }
        let arrow = if sequence.forward { "-->" } else { "<--" };
        for constituent in &sequence.constituents {
            text += &format!(" {arrow} {}", self.constituent(constituent, arrow)?);
        }
        Ok(text + "}")
    }

    fn constituent(&self, constituent: &Constituent, arrow: &str) -> Migrated<String> {
        let mut text = match &constituent.item {
            Item::Filter(filter) => {
                let text = self.boolean(filter)?;
                let bare = bare(&text);
                let is_word = bare.bytes().all(|b| b.is_ascii_alphabetic());
                if is_word || bare == "." || bare.starts_with('{') {
                    text
                } else {
                    format!("{{{text}}}")
                }
            }
            Item::Group(members) => {
                let parts: Migrated<Vec<String>> =
                    members.iter().map(|m| self.constituent(m, arrow)).collect();
                format!("({})", parts?.join(&format!(" {arrow} ")))
            }
        };
        for (i, repeat) in constituent.repeats.iter().enumerate() {
            if i > 0 {
                text = format!("({text})");
            }
            text += &match repeat {
                Repeat::Optional => "?".to_string(),
                Repeat::Star => "*".to_string(),
                Repeat::Plus => "+".to_string(),
                Repeat::Times { min, max } => format!("{{{min},{max}}}"),
            };
        }
        Ok(text)
    }
}

/// Returns the word for a single step.
fn direction(step: (i8, i8)) -> Option<&'static str> {
    let mut names = DirectionName::ALL.iter();
    let name = names.find(|name| name.steps() == [step])?;
    Some(name.word())
}
