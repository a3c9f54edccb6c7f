//! Counts archived games from their columns, one segment at a time in each thread.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use archive::{Archive, BLOCK_ROWS, Class, Flags, Game, Manifest, Rows};
use flow::{Bytes, Format, GameSource, Input, Origin, Output, Place, RangeWorker};
use input::Inputs;
use pgn::summary::player_name;
use pgn::{Date, GameTree, MoveCode, decode};

use super::count::{Counting, Tally, Unread};
use super::node::{Names, Played};

/// Columns needed for counting.
const WANTED: [&str; 11] = [
    "source",
    "offset",
    "flags",
    "white_elo",
    "black_elo",
    "date",
    "white",
    "black",
    "result",
    "fen",
    "moves",
];

/// Counts the games of segments in a thread.
pub(super) struct Columns<'a> {
    counting: Counting<'a>,
    archive: &'a Archive,
    /// Index of each source by its name, and the number of games before it.
    sources: &'a HashMap<&'a str, (usize, u64)>,
    /// Name of all sources; `None` for the names recorded in the archive.
    name: Option<&'a str>,
    rows: Rows,
    tree: GameTree,
    mainline: Vec<u16>,
}

/// Returns the sources of an archive by their names.
pub(super) fn sources(manifest: &Manifest) -> HashMap<&str, (usize, u64)> {
    let mut games_before = 0;
    let sources = manifest.sources.iter().enumerate();
    sources
        .map(|(place, source)| {
            let before = games_before;
            games_before += source.games;
            (source.name.as_str(), (place, before))
        })
        .collect()
}

/// Returns the ranges of games of the segments.
pub(super) fn segments(manifest: &Manifest) -> Box<flow::Ranges<'_>> {
    let mut next = 1;
    Box::new(manifest.segments.iter().map(move |segment| {
        let start = next;
        next += segment.games;
        start..next
    }))
}

impl<'a> Columns<'a> {
    pub(super) fn new(
        archive: &'a Archive,
        sources: &'a HashMap<&'a str, (usize, u64)>,
        name: Option<&'a str>,
        counting: Counting<'a>,
    ) -> Columns<'a> {
        Columns {
            counting,
            archive,
            sources,
            name,
            rows: Rows::default(),
            tree: GameTree::default(),
            mainline: Vec::new(),
        }
    }

    fn count(&mut self, games: &Range<u64>, tally: &mut Tally) -> Result<(), archive::Error> {
        let mut ranges = segments(self.archive.manifest());
        let number = ranges.position(|range| range.start == games.start);
        let mut segment = self.archive.segment(number.unwrap_or(usize::MAX))?;
        let mut rows = std::mem::take(&mut self.rows);
        let wanted = archive::Columns::of(|name| WANTED.contains(&name));
        let mut next = games.start;
        for block in 0..segment.n_games().div_ceil(BLOCK_ROWS) {
            segment.read_block(&mut rows, block, wanted)?;
            for row in 0..rows.len() {
                self.count_row(&rows, row, next + row as u64, tally)?;
            }
            next += rows.len() as u64;
        }
        self.rows = rows;
        Ok(())
    }

    fn count_row(
        &mut self,
        rows: &Rows,
        row: usize,
        number: u64,
        tally: &mut Tally,
    ) -> Result<(), archive::Error> {
        let (game, counting) = (rows.game(row), self.counting);
        if game.class() > Class::Annotated {
            return self.note_unread(rows, row, number, tally);
        }
        let flags = game.flags();
        let played = || Played {
            result: game.result(),
            ratings: [rows.white_elo.get(row), rows.black_elo.get(row)],
            date: rows.date.get(row).map_or(Date::default(), Date::parse),
            number: counting.games_before + number,
        };
        let (sources, name) = (self.sources, self.name);
        let mut names = || {
            let mut names = names(rows, row, sources, counting.games_before);
            if let Some(name) = name {
                names.input = name.into();
            }
            names
        };
        if counting.variations {
            let filled = game.fill(&mut self.tree);
            filled.map_err(|_| archive::Error::Damaged("its moves are damaged".to_owned()))?;
            let nodes = counting.target.nodes(&self.tree, true);
            counting.add_tree(&mut tally.root, &played(), &self.tree, &nodes, &mut names);
            return Ok(());
        }
        let moves = match flags.has(Flags::VARIATIONS) {
            true => mainline(game, &mut self.mainline),
            false => game.moves(),
        };
        let start = flags.has(Flags::FEN).then(|| game.start().position);
        if let Some(at) = counting.target.find(start.as_ref(), moves) {
            counting.add_line(&mut tally.root, &played(), &moves[at..], &mut names);
        }
        Ok(())
    }

    /// Records a game for which the columns are not sufficient.
    fn note_unread(
        &self,
        rows: &Rows,
        row: usize,
        number: u64,
        tally: &mut Tally,
    ) -> Result<(), archive::Error> {
        if rows.game(row).class() == Class::Skipped {
            tally.n_skipped += 1;
            return Ok(());
        }
        let (source, _) = source_of(rows, row, self.sources)
            .ok_or_else(|| archive::Error::Damaged("it has an unknown source".to_owned()))?;
        tally.unread.push(Unread { source, offset: rows.offset.get(row), number });
        Ok(())
    }
}

fn source_of(
    rows: &Rows,
    row: usize,
    sources: &HashMap<&str, (usize, u64)>,
) -> Option<(usize, u64)> {
    let name = str::from_utf8(rows.source.get(row)?).ok()?;
    sources.get(name).copied()
}

fn names(
    rows: &Rows,
    row: usize,
    sources: &HashMap<&str, (usize, u64)>,
    games_before: u64,
) -> Names {
    let player = |text| decode(&player_name(text)).into_owned();
    let name = rows.source.get(row).unwrap_or_default();
    let (_, in_source) = source_of(rows, row, sources).unwrap_or_default();
    Names {
        input: String::from_utf8_lossy(name).into(),
        games_before: games_before + in_source,
        white: player(rows.white.get(row)),
        black: player(rows.black.get(row)),
    }
}

/// Returns the moves of a game without its variations.
fn mainline<'m>(game: Game<'_>, moves: &'m mut Vec<u16>) -> &'m [u16] {
    moves.clear();
    let mut depth = 0_usize;
    for &code in game.moves() {
        match MoveCode(code) {
            MoveCode::OPEN => depth += 1,
            MoveCode::CLOSE => depth = depth.saturating_sub(1),
            _ if depth == 0 => moves.push(code),
            _ => {}
        }
    }
    moves
}

impl RangeWorker for Columns<'_> {
    type Results = Tally;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<Tally>) -> Vec<u64> {
        let mut tally = Tally::default();
        match self.count(games, &mut tally) {
            Ok(()) => out.results = tally,
            Err(error) => out.failure = Some(error.to_string()),
        }
        Vec::new()
    }

    fn game(&mut self, _: u64, _: &mut Output<Tally>) {}
}

/// Opens the texts of an archive's sources, each with its name and the number of games before it.
/// `None` if a text cannot be read from any offset.
pub(super) fn texts<'i>(
    manifest: &Manifest,
    inputs: &'i Inputs,
    name: Option<&str>,
) -> Option<Vec<(Origin, Arc<dyn Input + 'i>)>> {
    let mut games_before = 0;
    let mut opened = inputs.sources_from(0);
    let texts = manifest.sources.iter().map(|archived| {
        let (file, source) = opened.next()?;
        let GameSource { bytes: Bytes::Anywhere(input), format: Format::Pgn, .. } =
            source.ok().filter(|_| file as u64 == archived.file)?
        else {
            return None;
        };
        let origin = Origin { name: name.unwrap_or(&archived.name).into(), games_before };
        games_before += archived.games;
        Some((origin, input as Arc<dyn Input + 'i>))
    });
    texts.collect()
}

/// Returns a source of the games that have to be read, as parts of `input`.
pub(super) fn pieces<'i>(
    (origin, input): &(Origin, Arc<dyn Input + 'i>),
    games: &[Unread],
) -> GameSource<'i> {
    let in_source = |game: &Unread| game.number - origin.games_before;
    let pieces = games.iter().map(|game| babson::piece(in_source(game), game.offset, game.offset));
    GameSource {
        name: origin.name.clone(),
        bytes: Bytes::Pieces(input.clone(), pieces.collect()),
        format: Format::Pgn,
        games_before: Some(origin.games_before),
        start: Place::START,
    }
}
