//! Archives written by older versions.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use archive::Archive;
use babson::{Games, MakeOptions, Query, ScanPlan, Search};
use engine::{CompileOptions, Program, Source, compile};
use flow::{Cancel, GameFault, RunOptions};
use input::ReadOptions;

const GAMES: &str = "[Event \"a\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n[Event \"x\"]\n\n1.e4 {open\n\n\
    [Event \"y\"]\n\n1.d4 } d5 {open 1-0\n\n[Event \"b\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n";

fn games(name: &Path) -> Games {
    Games::find(&[name.to_owned()], ReadOptions::default(), [], &Cancel::default()).expect("games")
}

/// Numbers of the matching games, issues of all games, and reasons for archives that were not used.
fn found(name: &Path, program: &Arc<Program>) -> (Vec<u64>, Vec<GameFault>, Vec<String>) {
    let (mut matches, mut faults, mut told) = (Vec::new(), Vec::new(), Vec::new());
    let games = games(name);
    let cancel = Cancel::default();
    let mut tell = |why: &babson::UnusedArchive| told.push(why.reason.to_string());
    let groups = games.groups(true, &cancel, &mut tell);
    let walk = ScanPlan { inputs: &games.inputs, groups: &groups };
    let search = Search::new(&walk, [Query::new(program.clone())]).threads(1);
    let searched = search.run(&mut tell, &mut |chunk| {
        let out = chunk.output;
        assert!(out.failure.is_none());
        matches.extend(out.results[0].matches.iter().map(|game| game.number));
        faults.extend(out.faults);
        Ok(ControlFlow::Continue(()))
    });
    searched.expect("from files");
    (matches, faults, told)
}

#[test]
fn what_is_left_out_is_read_from_the_text() {
    let place = tempfile::tempdir().expect("a folder");
    let (file, folder) = (place.path().join("g.pgn"), place.path().join("g.cqa"));
    fs::write(&file, GAMES).expect("written");
    let make = || {
        let (inputs, options) = (games(&file).inputs, RunOptions::default());
        babson::make(&inputs, &folder, MakeOptions::default(), &options, &mut |_| {})
    };
    make().expect("an archive");
    let source = Source { name: "query", text: b"cql() mate" };
    let program = compile(&source, &[], &CompileOptions::default()).program;
    let program = program.expect("a correct query");
    let text = found(&file, &program);
    assert_eq!((&*text.0, text.1.len()), (&[1, 4][..], 3));
    assert_eq!(found(&folder, &program), text);
    // The archive becomes one of an older version.
    let path = folder.join("manifest.json");
    let become_version = |version: u32| {
        let manifest = fs::read_to_string(&path).expect("a manifest");
        let manifest = manifest.replace("\"version\": 6", &format!("\"version\": {version}"));
        let (before, _) = manifest.rsplit_once("\"checksum\": \"").expect("a checksum");
        let unsigned = format!("{before}\"checksum\": \"\"\n}}");
        let sum = xxhash_rust::xxh3::xxh3_64(unsigned.as_bytes());
        fs::write(&path, format!("{before}\"checksum\": \"{sum:016x}\"\n}}\n")).expect("written");
    };
    let check = || {
        let archive = Archive::open(&folder).expect("an archive");
        archive.check(&Cancel::default(), &mut |_| {}).faults
    };
    become_version(5);
    assert_eq!(check(), [""; 0], "its columns are used");
    assert_eq!(found(&folder, &program), text);
    let made = make().expect("an archive").expect("made");
    assert!(!made.manifest.is_old());
    become_version(4);
    assert!(check()[0].contains("an older version of the program built it"), "{:?}", check());
    let old = found(&folder, &program);
    assert_eq!((&old.0, &old.1), (&text.0, &text.1));
    assert!(old.2[0].starts_with("an older version of the program built it"), "{:?}", old.2);
    // The archive is rebuilt, although its games are unchanged.
    let made = make().expect("an archive").expect("made");
    assert!(!made.manifest.is_old());
    assert_eq!(check(), [""; 0]);
    assert_eq!(found(&folder, &program), text);
}
