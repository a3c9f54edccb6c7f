//! Translates `relation` of CQL 5 to `echo`.
//!
//! The filters for the target come first in the body, followed by a condition for each parameter.
//! Equal squares of the two positions are `source & target`, so a comparison in place counts
//! squares. A comparison after an echo transform checks the image of each square.

use super::Writer;
use crate::Span;
use crate::cql5::tree::{Filter, Parameter, Range, Relation, SquareParameter};
use crate::migrate::image::{Directions, Map, Maps, Symmetry};
use crate::migrate::places::bare;
use crate::migrate::write::{EchoNames, counted, in_range};
use crate::migrate::{Migrated, none};
use crate::tree::Measure;
use crate::tree::TransformFamily;

/// Maximum count of squares: the compared squares, and again those without an origin among them.
const MOST_SQUARES: i32 = 128;

impl Writer<'_> {
    pub(super) fn relation(&self, relation: &Relation) -> Migrated<String> {
        let depth = self.n_echoes.get();
        self.n_echoes.set(depth + 1);
        let names = EchoNames::at_depth(depth);
        let mut parts = Vec::new();
        for filter in &relation.filters {
            parts.push(self.boolean(filter)?);
        }
        // the slowest parameters, which visit many squares, come last
        let is_image = |parameter: &&Parameter| match parameter {
            Parameter::Squares(squares) => echo_maps(squares).is_some(),
            _ => false,
        };
        let (images, others): (Vec<&Parameter>, Vec<&Parameter>) =
            relation.parameters.iter().partition(is_image);
        for parameter in others.into_iter().chain(images) {
            parts.extend(self.parameter(parameter, &names)?);
        }
        self.n_echoes.set(depth);
        Ok(names.echo(&parts))
    }

    fn parameter(&self, parameter: &Parameter, names: &EchoNames) -> Migrated<Vec<String>> {
        let (source, target) = (&names.source, &names.target);
        Ok(match parameter {
            Parameter::SameTurn(same) => vec![names.same_turn(*same)],
            Parameter::Ancestor => vec![format!("ancestor({target} {source})")],
            Parameter::Descendant => vec![format!("descendant({target} {source})")],
            Parameter::Distance { sort: Some(_), span, .. } => {
                return Err(none(*span, "`sort` in a parameter of `relation`"));
            }
            Parameter::Distance { measure, range, .. } => {
                let from = |position| format!("distance({position} lca({source} {target}))");
                let value = match measure {
                    Measure::Source => from(source),
                    Measure::Target => from(target),
                    Measure::Max => format!("max({} {})", from(source), from(target)),
                    Measure::Sum => format!("distance({source} {target})"),
                    Measure::Substring => {
                        format!("consecutivemoves quiet ({source} {target})")
                    }
                };
                vec![in_range(&value, range.min, range.max)]
            }
            Parameter::Squares(squares) => match echo_maps(squares) {
                Some(maps) => self.images(squares, &maps, names)?,
                None => self.in_place(squares, names)?,
            },
        })
    }

    /// Returns the compared squares as operands of `&`.
    fn compared(&self, squares: &SquareParameter, names: &EchoNames) -> Migrated<Vec<String>> {
        let mut sets = Vec::new();
        let written = |filter: &Filter| Ok(Some(self.set(filter)?).filter(|set| bare(set) != "."));
        if let Some(filter) = &squares.source {
            sets.extend(written(filter)?.map(|set| format!("{}:{set}", names.source)));
        }
        if let Some(filter) = &squares.target {
            sets.extend(written(filter)?);
        }
        Ok(sets)
    }

    fn in_place(&self, squares: &SquareParameter, names: &EchoNames) -> Migrated<Vec<String>> {
        let compared = self.compared(squares, names)?;
        let count = |sign: &str| {
            let content = format!("{sign}{}", names.same_content());
            let sets: Vec<&str> = compared.iter().chain([&content]).map(String::as_str).collect();
            match sets.as_slice() {
                [one] if sign.is_empty() => format!("#{one}"),
                _ => format!("#({})", sets.join(" & ")),
            }
        };
        let same = number(&count(""), squares.matches, 64);
        let different = number(&count("~"), squares.mismatches, 64);
        Ok(same.into_iter().chain(different).collect())
    }

    /// Compares squares of the source with their images in the target. Squares that are not images
    /// count as equal if they are empty in the target.
    fn images(
        &self,
        squares: &SquareParameter,
        maps: &Maps,
        names: &EchoNames,
    ) -> Migrated<Vec<String>> {
        if let (true, Some(word)) = (self.is_turned.get(), directed(squares)) {
            return Err(turned(squares.span, word));
        }
        let is_asked = |range: Range| number("", range, MOST_SQUARES).is_some();
        if !is_asked(squares.matches) && !is_asked(squares.mismatches) {
            return Ok(Vec::new());
        }
        let sets = self.compared(squares, names)?;
        let mut parts = Vec::new();
        let set = if sets.is_empty() {
            "."
        } else {
            parts.push(format!("{}=({})", names.compared, sets.join(" & ")));
            &names.compared
        };
        parts.push(maps.any(|map| self.image(squares, set, maps, map, names)));
        Ok(parts)
    }

    /// Compares squares under one map. To save time, only squares with pieces are visited: those of
    /// the source whose piece is not on the image, and those of the target whose origin is empty in
    /// the source.
    fn image(
        &self,
        squares: &SquareParameter,
        set: &str,
        maps: &Maps,
        map: &Map,
        names: &EchoNames,
    ) -> String {
        let source = &names.source;
        let (image, origin) = (map.image("x"), map.origin("x"));
        let and = if set == "." { String::new() } else { format!("{set} & ") };
        let mut parts = vec![
            format!(
                "changed=(square x in ({and}{source}:[Aa]) \
                 {{not {{colortype {image}=={source}:colortype x}}}})"
            ),
            format!("arrived=(square x in [Aa] {{{and}{source}:_ & {origin}}})"),
        ];
        // a symmetry maps the whole board to itself
        let all_are_images = set == "." && !maps.leave_the_board();
        let no_images = |content: &str| {
            if all_are_images {
                String::new()
            } else {
                format!("+#(square x in ({and}{content}) {{not {{{set} & {origin}}}}})")
            }
        };
        let n = if set == "." { "64".to_owned() } else { format!("#{set}") };
        let different = format!("#changed+#arrived{}", no_images("[Aa]"));
        let same = format!("{n}-#changed-#arrived{}", no_images("_"));
        parts.extend(number(&different, squares.mismatches, MOST_SQUARES));
        parts.extend(number(&same, squares.matches, MOST_SQUARES));
        format!("{{{}}}", parts.join(" "))
    }
}

/// Requires that a number from 0 to `most` is in the range; `None` if it always is.
fn number(value: &str, range: Range, most: i32) -> Option<String> {
    counted(value, range.min, range.max, most)
}

/// Returns the maps of the transforms before a comparison; `None` if it is in place. A rotation by
/// 45 degrees changes directions, but not squares.
fn echo_maps(squares: &SquareParameter) -> Option<Maps> {
    use TransformFamily as T;
    let mut maps = Maps::identity();
    let mut in_place = true;
    // the innermost transform is applied first
    for family in squares.echoes.iter().rev() {
        maps = match family {
            T::Flip => maps.turned(&Symmetry::all()),
            T::FlipVertical => maps.turned(&[Symmetry::LEFT_TO_RIGHT]),
            T::FlipHorizontal => maps.turned(&[Symmetry::UPSIDE_DOWN]),
            T::Rotate90 => maps.turned(&Symmetry::TURNS),
            T::Shift => maps.shifted(Directions::All, false),
            T::ShiftHorizontal => maps.shifted(Directions::Horizontal, false),
            T::ShiftVertical => maps.shifted(Directions::Vertical, false),
            T::Rotate45 | T::FlipColor | T::ReverseColor => continue,
        };
        in_place = false;
    }
    (!in_place).then_some(maps)
}

/// Returns the first transform whose meaning changes on a rotated board.
fn directed(squares: &SquareParameter) -> Option<&'static str> {
    use TransformFamily as T;
    squares.echoes.iter().find_map(|family| match family {
        T::FlipVertical => Some("echoflipvertical"),
        T::FlipHorizontal => Some("echofliphorizontal"),
        T::ShiftHorizontal => Some("echoshifthorizontal"),
        T::ShiftVertical => Some("echoshiftvertical"),
        _ => None,
    })
}

fn turned(span: Span, word: &str) -> crate::Diagnostic {
    none(span, &format!("`{word}` inside a transform that turns the board")).with_help(
        "the images of squares are computed from their files and ranks, and CQL 6.2 does not turn \
         what is computed",
    )
}
