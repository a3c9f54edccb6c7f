//! A file of games as a segment of an archive, in which bytes are changed.
//!
//! The first byte is the number of changes, of three bytes each: a place, and the bits to flip
//! there. The file with the stored text is changed in the same way. Checksums are not verified
//! here, since they would catch every change; other tests check that.
//!
//! A search of the file and a search of its archive must find and report the same.

#![no_main]

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use archive::{Coverage, Encoder, Error, Manifest, Rows, Segment, TextAccess, read_changed};
use babson::{Games, MakeOptions, Query, ScanPlan, Search};
use engine::{CompileOptions, Program, Source, compile};
use flow::{Cancel, FaultKind, RunOptions};
use fuzz::games::{Game, split};
use input::{InputFormat, ReadOptions};
use libfuzzer_sys::fuzz_target;
use pgn::GameTree;

/// Directory of the file and its archive.
static PLACE: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a directory"));

/// A query with a game screen, and one that evaluates every game.
static PROGRAMS: LazyLock<[Arc<Program>; 2]> = LazyLock::new(|| {
    ["cql() check", "cql(variations) true"].map(|text| {
        let source = Source { name: "query", text: text.as_bytes() };
        let program = compile(&source, &[], &CompileOptions::default()).program;
        program.expect("a correct query")
    })
});

/// Number of faults whose messages are compared; later ones may be shorter.
const DESCRIBED: usize = 40;

fuzz_target!(|data: &[u8]| {
    let _ = Manifest::parse(data);
    let Some((&n_changes, data)) = data.split_first() else {
        return;
    };
    let Some((changes, text)) = data.split_at_checked(3 * usize::from(n_changes % 16)) else {
        return;
    };
    let rows = encode(text);
    let mut bytes = Vec::new();
    let (_, footer) = rows.write(&mut bytes).expect("written");
    assert_eq!(read(&bytes, footer).as_ref(), Ok(&rows));
    turn(&mut bytes, changes);
    if let Ok(rows) = read(&bytes, footer) {
        for row in 0..rows.len() {
            let game = rows.game(row);
            let mut tree = GameTree::default();
            let _ = (game.fill(&mut tree), game.summary(), game.all_tags());
        }
    }
    keep(text, changes);
    search(text);
});

/// Compares searches of a text and of its archive.
fn search(text: &[u8]) {
    let (file, folder) = (PLACE.path().join("g.pgn"), PLACE.path().join("g.cqa"));
    let _ = fs::remove_dir_all(&folder);
    fs::write(&file, text).expect("written");
    let how = ReadOptions { format: Some(InputFormat::Pgn), ..ReadOptions::default() };
    let games = |name: &PathBuf| {
        let found = Games::find(std::slice::from_ref(name), how, [], &Cancel::default());
        found.expect("games")
    };
    let options = RunOptions::default();
    let (of_text, make) = (games(&file), MakeOptions::default());
    let made = babson::make(&of_text.inputs, &folder, make, &options, &mut |_| {});
    let Ok(made) = made else {
        // The first bytes are not those of a text (a picture, cut zstd): both ways report that.
        for program in &*PROGRAMS {
            assert!(found(&of_text, program).failure.is_some());
        }
        return;
    };
    let manifest = made.expect("nobody cancels").manifest;
    if manifest.sources.iter().any(|source| source.form != TextAccess::Pgn) {
        // Compressed, by its first bytes: an archive of such a file is not searched.
        return;
    }
    let by_archive = games(&folder);
    for program in &*PROGRAMS {
        let of_text = found(&of_text, program);
        assert_eq!(of_text.failure, None);
        assert_eq!(found(&by_archive, program), of_text);
    }
}

/// Matching games as written, faults of all games, and the error of a file that cannot be read.
#[derive(Debug, Default, PartialEq)]
struct SearchResult {
    matches: Vec<(u64, Vec<u8>)>,
    faults: Vec<(u64, u64, u64, FaultKind, String)>,
    failure: Option<String>,
}

fn found(games: &Games, program: &Arc<Program>) -> SearchResult {
    let mut found = SearchResult::default();
    let cancel = Cancel::default();
    let mut tell = |why: &babson::UnusedArchive| panic!("{why}");
    let groups = games.groups(true, &cancel, &mut tell);
    let walk = ScanPlan { inputs: &games.inputs, groups: &groups };
    let search = Search::new(&walk, [Query::new(program.clone())]).threads(1);
    let searched = search.run(&mut tell, &mut |chunk| {
        let out = chunk.output;
        let results = &out.results[0];
        let of_games = results.matches.iter();
        (found.matches)
            .extend(of_games.map(|game| (game.number, results.text[game.text.clone()].to_vec())));
        for fault in out.faults {
            let message =
                if found.faults.len() < DESCRIBED { fault.message } else { String::new() };
            let (number, line, offset) = (fault.number, fault.line, fault.offset);
            (found.faults).push((number, line, offset, fault.kind, message));
        }
        let failure = out.failure.map(|error| error.to_string());
        found.failure = found.failure.take().or(failure);
        Ok(ControlFlow::Continue(()))
    });
    searched.expect("from files");
    found
}

/// Flips bits of bytes counted from the end, where the metadata is.
fn turn(bytes: &mut [u8], changes: &[u8]) {
    let end = bytes.len();
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        bytes[end - 1 - place % end] ^= change[2];
    }
}

/// Stores the text in an archive, and reads parts of it, before and after bytes were changed.
fn keep(text: &[u8], changes: &[u8]) {
    let places = (0..8).map(|n| n * text.len() / 7);
    let read = |changes| {
        let places = places.clone().map(|place| place as u64);
        read_changed(text, |file| turn(file, changes), places)
    };
    for (place, part) in places.clone().zip(read(&[]).expect("kept")) {
        assert!(text[place.min(text.len())..].starts_with(&part));
        assert_eq!(part.is_empty(), place >= text.len());
    }
    let _ = read(changes);
}

/// Encodes all games as rows, and checks that the rows yield the same games.
fn encode(text: &[u8]) -> Rows {
    let (mut encoder, mut rows) = (Encoder::default(), Rows::default());
    for raw in split(text).iter().filter(|raw| !raw.is_skipped()) {
        encoder.encode(raw, &mut rows);
        let (game, original) = (rows.game(rows.len() - 1), Game::read(raw));
        if let Some(tags) = game.all_tags() {
            let tags = tags.iter().map(|(name, value)| (name.as_bytes(), &value[..]));
            assert!(tags.eq(original.tags().iter()));
        }
        if game.class() <= Coverage::Annotated {
            let mut tree = GameTree::default();
            game.fill(&mut tree).expect("moves");
            assert_eq!(tree.positions(), original.tree.positions());
            assert_eq!(tree.result(), original.tree.result());
            assert!(tree.steps().eq(original.tree.steps()));
        }
    }
    rows
}

fn read(bytes: &[u8], footer: u64) -> Result<Rows, Error> {
    let mut rows = Rows::default();
    Segment::open(bytes, footer)?.read_all(&mut rows)?;
    Ok(rows)
}
