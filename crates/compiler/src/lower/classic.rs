//! Lowers classic CQL to programs.
//!
//! A match list becomes conditions on the record, followed by conditions that must each match
//! somewhere in the game ([`WholeGame`]). A position list becomes the disjunction of its images
//! under the maps of its transform words ([`maps`]), and an image becomes a conjunction of its
//! items; equal nodes are made once ([`arena`]).

mod arena;
mod conditions;
mod list;
mod maps;
mod moves;

use std::collections::HashMap;
use syntax::builtin::{NumberSource, TextToText};

use board::Color;
use syntax::classic::tree::{Condition, List, Men, Query, Range};
use syntax::designator::PieceSet;
use syntax::tree::{Header, TransformFamily, Variable, VariableId, VariableKind};
use syntax::{Diagnostic, SourceId, Span};

use crate::lower::LoweredParts;
use crate::program::*;
use arena::{BoolKey, Nodes};
use maps::Map;

/// Marker of matching positions.
const MARKER: &[u8] = b"MATCH";

/// Result of lowering.
pub(crate) struct Lowered {
    pub(crate) parts: LoweredParts,
    pub(crate) header: Header,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Settings from the caller.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ClassicOptions<'a> {
    /// `true`: lists that do not mention variations search them, too; `false`: no list does.
    pub(crate) variations: Option<bool>,
    /// Transforms around every list, the first outermost.
    pub(crate) transforms: &'a [TransformFamily],
    /// Whether the filters before the query must match wherever a list does.
    pub(crate) filters: bool,
    /// Maximum number of images of the transforms.
    pub(crate) most_images: u64,
}

/// Lowers a query whose parse had no errors, after the `parts` of the program before it.
pub(crate) fn lower(query: &Query, options: &ClassicOptions<'_>, parts: LoweredParts) -> Lowered {
    let asks_for_variations = query.lists.iter().any(List::mentions_variations);
    let reads_variations = options.variations.unwrap_or(asks_for_variations);
    let mut lowerer = Lowerer {
        nodes: Nodes::behind(parts.arenas),
        filters: options.filters.then_some(parts.root),
        variables: parts.variables,
        men: Vec::new(),
        counters: Vec::new(),
        maps: Vec::new(),
        reads_variations,
        sees_variations: false,
        images_left: options.most_images,
        has_too_many_images: false,
        diagnostics: Vec::new(),
    };
    let root = lowerer.query(query, options);
    let header = Header {
        input: query.pgn.clone(),
        output: query.output.clone(),
        variations: reads_variations,
        gamenumber: query.game_number.map(|range| (range.min, range.max)),
        matchstring: Some(MARKER.to_vec()),
        ..Header::default()
    };
    Lowered {
        parts: LoweredParts {
            arenas: lowerer.nodes.arenas,
            root,
            variables: lowerer.variables,
            // all sequences share the first tracker: they ban nothing
            n_trackers: parts.n_trackers.max(1),
            ..parts
        },
        header,
        diagnostics: lowerer.diagnostics,
    }
}

/// Number of tags that a list must know: all up to the last one that occurs in it.
fn n_tags(list: &List) -> usize {
    let designators = list.designators().map(|designator| match designator.men {
        Men::Tag(tag) => usize::from(tag.0) + 1,
        Men::Kinds(_) => 0,
    });
    let matched = list.conditions.iter().map(|condition| match condition {
        Condition::TagMatch(tag, _) => usize::from(tag.0) + 1,
        _ => 0,
    });
    let children = list.children().map(n_tags);
    designators.chain(matched).chain(children).max().unwrap_or(0)
}

struct Lowerer {
    nodes: Nodes,
    /// Condition that must match wherever a list does.
    filters: Option<BoolId>,
    variables: Vec<Variable>,
    /// The variable of each tag.
    men: Vec<VariableId>,
    /// The counters of the current position, by name; a frame for each enclosing element of a
    /// sequence.
    counters: Vec<HashMap<String, VariableId>>,
    /// The maps that apply here, outermost first.
    maps: Vec<Map>,
    /// Whether variations are read at all.
    reads_variations: bool,
    /// Whether the lowered list, or one around it, searches variations.
    sees_variations: bool,
    images_left: u64,
    has_too_many_images: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Lowerer {
    fn query(&mut self, query: &Query, options: &ClassicOptions<'_>) -> BoolId {
        let mut items = self.game_conditions(query);
        self.men = query
            .tags
            .iter()
            .map(|tag| self.new_variable(&tag.name, VariableKind::Piece))
            .collect();
        let outer = self.outer_maps(options.transforms);
        let conditions: Vec<Anywhere> =
            query.lists.iter().map(|list| self.somewhere(list, &outer, options)).collect();
        let men = query.tags.iter().zip(&self.men);
        let whole_game = WholeGame {
            men: men
                .map(|(tag, &variable)| ChosenMan {
                    variable,
                    kinds: tag.kinds.0 & !PieceSet::EMPTY_SQUARE.0,
                })
                .collect(),
            conditions: conditions.into(),
        };
        let whole_game = BoolFilter::WholeGame(Box::new(whole_game));
        items.push(self.nodes.bool(BoolKey::WholeGame, || whole_game));
        self.nodes.all(items)
    }

    /// Lowers the keywords of the match list.
    fn game_conditions(&mut self, query: &Query) -> Vec<BoolId> {
        let mut items = Vec::new();
        if let Some(Range { min, max }) = query.year {
            let year = self.nodes.source(NumberSource::Year);
            items.push(self.nodes.in_range(year, min, max));
        }
        if let Some(name) = &query.player {
            let name = TextToText::Lowercase.of(name);
            let players = Color::ALL.map(|color| {
                let needle = self.nodes.text(TextFilter::Constant(name.as_slice().into()));
                let player = self.nodes.text(TextFilter::Game(GameText::Player(color)));
                let player = self.nodes.text(TextFilter::OfText(TextToText::Lowercase, player));
                let key = BoolKey::Player(color);
                self.nodes.bool(key, || BoolFilter::Substring(needle, player))
            });
            items.push(self.nodes.any(players.to_vec()));
        }
        if let Some(result) = query.result {
            items.push(self.result(result));
        }
        items
    }

    /// The maps of the transforms of the command line.
    fn outer_maps(&mut self, families: &[TransformFamily]) -> Vec<Map> {
        let mut outer = vec![Map::IDENTITY];
        for &family in families.iter().rev() {
            match maps::of_family(family) {
                Some(maps) => outer = maps::product(&outer, &maps),
                None => self.diagnostics.push(Diagnostic::error(
                    "E0720",
                    Span::new(SourceId(0), 0, 0),
                    "a classic query cannot be rotated by 45 degrees",
                )),
            }
        }
        outer
    }

    fn new_variable(&mut self, name: &str, kind: VariableKind) -> VariableId {
        self.variables.push(Variable {
            name: name.to_owned(),
            kind,
            persistent: None,
            atomic: false,
        });
        VariableId((self.variables.len() - 1) as u32)
    }

    /// Counts an image; `false` if there are too many.
    fn may_go_on(&mut self, list: &List) -> bool {
        if let Some(left) = self.images_left.checked_sub(1) {
            self.images_left = left;
            return true;
        }
        if !self.has_too_many_images {
            self.has_too_many_images = true;
            self.diagnostics.push(
                Diagnostic::error(
                    "E0721",
                    list.span,
                    "the transforms make too many images (limit images)",
                )
                .with_help("leave out transforms in lists within lists"),
            );
        }
        false
    }

    /// Whether colors are exchanged here.
    fn swaps_colors(&self) -> bool {
        self.maps.iter().filter(|map| map.swaps_colors()).count() % 2 == 1
    }

    /// The color that `color` becomes here.
    fn color(&self, color: Color) -> Color {
        if self.swaps_colors() { !color } else { color }
    }
}
