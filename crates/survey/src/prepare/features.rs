//! Queries for the pawn structures and endings of the games.
//!
//! The structures are those of the cookbook, for the side that has them. A game counts if its main
//! line has one for at least [`SHORTEST`] half-moves, so that what only passes by is not counted.

use std::sync::Arc;

use babson::Query;
use board::Color;
use engine::{CompileOptions, Program, Source, compile};
use table::Table;

use super::profile::{Group, Outcome};
use crate::collection::{Collection, Error, Watch};

/// Number of half-moves for which a structure or an ending must be there.
const SHORTEST: u32 = 4;

/// Pawn structure: the title of its recipe, and the filters for White's and for Black's.
pub(super) struct Structure {
    pub(super) title: &'static str,
    pub(super) filters: [&'static str; 2],
}

const fn structure(title: &'static str, white: &'static str, black: &'static str) -> Structure {
    Structure { title, filters: [white, black] }
}

/// Pawn structures of the cookbook that belong to one side.
pub(super) const STRUCTURES: [Structure; 8] = [
    structure(
        "Isolated queen's pawn",
        "P & isolatedpawns & d3-5 not p & d1-8 movenumber >= 12",
        "p & isolatedpawns & d4-6 not P & d1-8 movenumber >= 12",
    ),
    structure(
        "Hanging pawns",
        "Pc4 Pd4 not P & [b1-8,e1-8] not p & [c1-8,d1-8]",
        "pc5 pd5 not p & [b1-8,e1-8] not P & [c1-8,d1-8]",
    ),
    structure(
        "Carlsbad structure",
        "Pd4 Pe3 not Pc1-8 pc6 pd5 not pe1-8",
        "pd5 pe6 not pc1-8 Pc3 Pd4 not Pe1-8",
    ),
    structure(
        "Maróczy bind",
        "Pc4 Pe4 not Pd1-8 not pc1-8 pd1-8",
        "pc5 pe5 not pd1-8 not Pc1-8 Pd1-8",
    ),
    structure("Hedgehog", "Pa3 Pb3 Pd3 Pe3 not Pc1-8 pc5", "pa6 pb6 pd6 pe6 not pc1-8 Pc4"),
    structure("Stonewall", "Pd4 Pe3 Pf4 Pc3-4", "pd5 pe6 pf5 pc5-6"),
    structure("French chain", "Pd4 Pe5 pd5 pe6", "pd5 pe4 Pd4 Pe3"),
    structure("King's Indian chain", "Pd5 Pe4 pd6 pe5", "pd4 pe5 Pd3 Pe4"),
];

/// Classes of endings, with a name for readers.
const ENDINGS: [(&str, &str); 12] = [
    ("pawn", "Pawns"),
    ("knight", "Knights"),
    ("same-bishops", "Bishops of the same color"),
    ("opposite-bishops", "Bishops of opposite colors"),
    ("bishop-knight", "Bishop against knight"),
    ("rook", "Rooks"),
    ("rook+minor", "Rook and minor piece each"),
    ("rook-minor", "Rook against minor piece"),
    ("queen", "Queens"),
    ("queen+minor", "Queen and minor piece each"),
    ("queen+rook", "Queen and rook each"),
    ("queen-rook", "Queen against rook"),
];

/// Player who has a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Player,
    Opponent,
    Both,
}

impl Owner {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Owner::Player => "player",
            Owner::Opponent => "opponent",
            Owner::Both => "both",
        }
    }
}

/// Query for a property of games, with the games that have it.
pub(super) struct Feature {
    pub(super) name: &'static str,
    pub(super) owner: Owner,
    /// Whether the property is an ending.
    pub(super) is_ending: bool,
    /// The query as a user can run it.
    pub(super) query: String,
    pub(super) group: Group,
}

/// Returns the properties that are looked for, for the player of a side.
fn features(side: Color) -> Vec<Feature> {
    let feature = |name, owner, is_ending, filters: &str| Feature {
        name,
        owner,
        is_ending,
        query: format!("cql(matchcount {SHORTEST} 9999) {filters}"),
        group: Group::default(),
    };
    let of_owner = |(owner, color): (Owner, Color)| {
        STRUCTURES.iter().map(move |structure| {
            feature(structure.title, owner, false, structure.filters[color.index()])
        })
    };
    let owners = [(Owner::Player, side), (Owner::Opponent, !side)];
    let ending = |&(class, name): &(&str, &'static str)| {
        feature(name, Owner::Both, true, &format!("endgame \"{class}\""))
    };
    owners.into_iter().flat_map(of_owner).chain(ENDINGS.iter().map(ending)).collect()
}

/// Counts the games with each structure and ending. `outcomes` are in the order of their numbers.
///
/// # Errors
/// Those of a search.
pub(super) fn count(
    games: &Collection<'_>,
    side: Color,
    outcomes: &[Outcome],
    watch: &mut dyn Watch,
) -> Result<Vec<Feature>, Error> {
    let compiled = features(side).into_iter().filter_map(|feature| {
        let query = Query::new(program(&feature.query)?).with_table(&Table::nothing());
        Some((feature, query))
    });
    let (mut features, queries): (Vec<Feature>, Vec<Query>) = compiled.unzip();
    games.search(queries, watch, &mut |output| {
        for (feature, found) in features.iter_mut().zip(output.results) {
            for game in found.matches {
                let at = outcomes.binary_search_by_key(&game.number, |outcome| outcome.number);
                if let Some(&outcome) = at.ok().and_then(|at| outcomes.get(at)) {
                    feature.group.add(outcome);
                }
            }
        }
    })?;
    Ok(features)
}

/// Compiles a query; the tests show that all of them are correct.
fn program(query: &str) -> Option<Arc<Program>> {
    let source = Source { name: "feature", text: query.as_bytes() };
    let program = compile(&source, &[], &CompileOptions::default()).program;
    debug_assert!(program.is_some(), "{query}");
    program
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_queries_are_correct() {
        for color in Color::ALL {
            for Feature { query, .. } in features(color) {
                assert!(program(&query).is_some(), "{query}");
            }
        }
    }

    #[test]
    fn structures_are_those_of_the_cookbook() {
        let page = include_str!("../../../../docs/src/cookbook/structures.md");
        let games: [&[u8]; 3] = [
            include_bytes!("../../../../examples/historic.pgn"),
            include_bytes!("../../../../examples/positions.pgn"),
            include_bytes!("../../../../examples/miniatures.pgn"),
        ];
        let games = games.concat();
        let found = |query: &str| -> BTreeSet<(u64, u32)> {
            let program = program(query).expect("a correct query");
            let games = engine::search(&program, &games);
            games
                .filter_map(Result::ok)
                .flat_map(|game| {
                    let number = game.row.number;
                    game.row.positions.into_iter().map(move |position| (number, position.id))
                })
                .collect()
        };
        for Structure { title, filters: [white, black] } in STRUCTURES {
            let recipe = page.split(&format!("## {title}\n")).nth(1).expect(title);
            let recipe = recipe.split("```").nth(1).expect("a query");
            let recipe = recipe.split_once('\n').expect("lines").1;
            let expected = found(&format!("cql() {recipe}"));
            assert!(!expected.is_empty(), "{title}");
            assert_eq!(found(&format!("cql() {{{white}}} or {{{black}}}")), expected, "{title}");
            // The flipped image of the recipe alone tells whether the right side has it.
            assert_eq!(found(&format!("cql() flipcolor {{{white}}}")), expected, "{title}");
            assert_eq!(found(&format!("cql() flipcolor {{{black}}}")), expected, "{title}");
        }
    }
}
