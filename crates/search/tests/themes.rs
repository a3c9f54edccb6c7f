//! Themes that an archive keeps: used if they mean the same, kept up to date, and never needed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use archive::{Archive, Themes};
use babson::{KeepThemes, MakeOptions, Program, SearchOptions, search_files};
use flow::{Cancel, RunOptions};
use input::{Inputs, ReadOptions};
use syntax::library::{Theme, ThemeSet};
use tempfile::TempDir;

const SEGMENT: usize = 20;

fn set(names: &[&str]) -> ThemeSet {
    names.iter().map(|name| Theme::named(name).expect("a theme")).collect()
}

/// Returns the games of the examples, each of which becomes one of its own.
fn games() -> Vec<String> {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let text = fs::read_to_string(path).expect("games");
        let games =
            text.split("\n\n[").map(|game| format!("[{}\n\n", game.trim_start_matches('[')));
        games.collect::<Vec<String>>()
    };
    let all: Vec<String> = ["historic.pgn", "miniatures.pgn"].map(read).concat();
    assert!(all.len() > 2 * SEGMENT, "{}", all.len());
    all
}

/// Makes an archive. The run is cancelled after the themes of `n` games have been found.
fn make_until(games: &Path, themes: KeepThemes, (threads, n): (usize, Option<u64>)) -> bool {
    let cancel = Cancel::default();
    let inputs = Inputs::find(&[games.to_owned()], ReadOptions::default(), [], &cancel);
    let wanted = MakeOptions { themes, segment_games: Some(SEGMENT), ..MakeOptions::default() };
    let options = RunOptions { threads, ..RunOptions::new(cancel.clone()) };
    let folder = archive::beside(games);
    let made = babson::make(&inputs.expect("files"), &folder, wanted, &options, &mut |heard| {
        if n.is_some() && heard.themes >= n {
            cancel.cancel();
        }
    });
    made.expect("an archive").is_some()
}

fn make(games: &Path, themes: KeepThemes) {
    assert!(make_until(games, themes, (2, None)));
}

/// Returns the files in the archive next to games.
fn files(games: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(archive::beside(games)).expect("an archive");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let file = |path: PathBuf| {
        let name = PathBuf::from(path.file_name().expect("a name"));
        (name, fs::read(path).expect("a file"))
    };
    paths.map(file).collect()
}

fn themes_of(files: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<(&Path, &[u8])> {
    let is_of_themes = |path: &Path| path.extension().is_some_and(|end| end == "themes");
    let files = files.iter().filter(|(path, _)| is_of_themes(path));
    files.map(|(path, bytes)| (&**path, &**bytes)).collect()
}

fn found(games: &Path, query: &str) -> Vec<(u64, u64)> {
    let program = Program::new(query).expect("a correct query");
    let matches = search_files([games], &program, &SearchOptions::default()).expect("files");
    let rows = matches.map(|game| game.expect("a game").row);
    rows.map(|row| (row.number, row.n_positions)).collect()
}

fn faults(games: &Path) -> Vec<String> {
    let archive = Archive::open(&archive::beside(games)).expect("an archive");
    archive.check(&Cancel::default(), &mut |_| {}).faults
}

#[test]
fn themes_are_used_if_they_mean_the_same() {
    let place = TempDir::new().expect("a directory");
    let file = place.path().join("g.pgn");
    fs::write(&file, games().concat()).expect("written");
    let by_text = found(&file, "theme(\"fork\")");
    assert!(by_text.len() > 2 && by_text.len() < games().len() / 2, "{by_text:?}");
    make(&file, KeepThemes::With(set(&["fork", "skewer"])));
    assert_eq!(found(&file, "theme(\"fork\")"), by_text);
    assert_eq!(faults(&file), [""; 0]);

    // Themes that were made otherwise say that no game has a fork.
    let folder = archive::beside(&file);
    let archive = Archive::open(&folder).expect("an archive");
    assert_eq!(babson::outdated_themes(&archive), None);
    let list = fs::read_to_string(folder.join("themes.json")).expect("a list");
    let (_, definition) = list.split_once("\"definition\": \"").expect("a definition");
    let (definition, _) = definition.split_once('"').expect("a definition");
    let say_none = |definition: &str| {
        let mut themes = Themes::new(definition.to_owned(), vec!["fork".to_owned()]);
        for (number, segment) in archive.manifest().segments.iter().enumerate() {
            let cells = vec![vec![0; segment.games as usize]];
            themes.add(&folder, (number, segment), &cells).expect("written");
        }
    };
    say_none(definition);
    assert_eq!(found(&file, "theme(\"fork\")"), [], "they are used");
    assert_eq!(found(&file, "flipcolor {theme(\"fork\")}"), by_text, "not on images");
    assert_eq!(found(&file, "theme(\"fork\") or theme(\"fork\")"), []);
    assert!(!found(&file, "not theme(\"fork\")").is_empty());
    say_none("another one");
    assert_eq!(found(&file, "theme(\"fork\")"), by_text, "they mean something else");
    assert!(babson::outdated_themes(&archive).is_some());
    make(&file, KeepThemes::AsBefore);
    assert_eq!(babson::outdated_themes(&archive), None, "they are made again");
    assert_eq!(found(&file, "theme(\"fork\")"), by_text);
    make(&file, KeepThemes::No);
    assert_eq!(files(&file).len(), 1 + archive.n_segments());
}

#[test]
fn an_update_finds_the_themes_of_new_games() {
    let place = TempDir::new().expect("a directory");
    let (file, fresh) = (place.path().join("g.pgn"), place.path().join("f").join("g.pgn"));
    let games = games();
    fs::write(&file, games[..SEGMENT + 5].concat()).expect("written");
    make(&file, KeepThemes::With(set(&["skewer"])));
    make(&file, KeepThemes::With(set(&["fork"])));
    let before = files(&file);
    let old = themes_of(&before);
    assert_eq!(old.len(), 2);
    fs::write(&file, games.concat()).expect("written");
    // The old segment is near the end of the old file, so it may be built again; but it is the same.
    make(&file, KeepThemes::AsBefore);
    let after = files(&file);
    assert!(themes_of(&after).contains(&old[0]), "the first segment is the same");
    assert!(!themes_of(&after).contains(&old[1]), "the second one is longer");
    fs::create_dir(fresh.parent().expect("a folder")).expect("a folder");
    fs::write(&fresh, games.concat()).expect("written");
    make(&fresh, KeepThemes::With(set(&["fork", "skewer"])));
    let (built, updated) = (files(&fresh), files(&file));
    assert_eq!(themes_of(&built), themes_of(&updated));
    assert_eq!(found(&file, "theme(\"skewer\")"), found(&fresh, "theme(\"skewer\")"));
    assert_eq!(faults(&file), [""; 0]);
}

#[test]
fn an_interrupted_run_leaves_a_usable_archive() {
    let place = TempDir::new().expect("a directory");
    let file = place.path().join("g.pgn");
    fs::write(&file, games().concat()).expect("written");
    let by_text = found(&file, "theme(\"fork\")");
    make(&file, KeepThemes::AsBefore);
    for n in [1, SEGMENT as u64 + 1] {
        make(&file, KeepThemes::No);
        assert!(!make_until(&file, KeepThemes::With(set(&["fork"])), (1, Some(n))));
        assert_eq!(found(&file, "theme(\"fork\")"), by_text, "after {n} games");
        assert!(faults(&file)[0].contains("missing"), "{:?}", faults(&file));
        make(&file, KeepThemes::AsBefore);
        assert_eq!(faults(&file), [""; 0]);
        assert_eq!(found(&file, "theme(\"fork\")"), by_text);
    }
}

#[test]
fn damaged_themes_cost_no_game() {
    let place = TempDir::new().expect("a directory");
    let file = place.path().join("g.pgn");
    fs::write(&file, games().concat()).expect("written");
    let by_text = found(&file, "theme(\"fork\")");
    make(&file, KeepThemes::With(set(&["fork"])));
    let folder = archive::beside(&file);
    let whole = files(&file);
    let mut n_damaged = 0;
    for (name, bytes) in &whole {
        let is_list = name == Path::new("themes.json");
        if !is_list && name.extension().is_none_or(|end| end != "themes") {
            continue;
        }
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 20) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x11;
            fs::write(folder.join(name), &damaged).expect("written");
            assert_eq!(found(&file, "theme(\"fork\")"), by_text, "{name:?} at {at}");
            assert!(!faults(&file).is_empty(), "{name:?} at {at}");
            n_damaged += 1;
            // A damaged list does not say which themes are wanted.
            let wanted =
                if is_list { KeepThemes::With(set(&["fork"])) } else { KeepThemes::AsBefore };
            make(&file, wanted);
            let mended = files(&file);
            let names =
                |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&mended), names(&whole), "{name:?} at {at}");
            let differs = mended.iter().zip(&whole).find(|(one, other)| one != other);
            let shown = differs.map(|(one, _)| String::from_utf8_lossy(one.1));
            assert!(differs.is_none(), "{name:?} at {at}: {shown:?}");
        }
        fs::remove_file(folder.join(name)).expect("removed");
        assert_eq!(found(&file, "theme(\"fork\")"), by_text);
        fs::write(folder.join(name), bytes).expect("written");
    }
    assert!(n_damaged > 40);
}

#[test]
fn themes_need_games_that_can_be_read_separately() {
    let place = TempDir::new().expect("a directory");
    let file = place.path().join("p.epd");
    fs::write(&file, "k7/8/8/8/8/8/8/K7 w - - id \"1\";\n").expect("written");
    let inputs =
        Inputs::find(std::slice::from_ref(&file), ReadOptions::default(), [], &Cancel::default());
    let wanted = MakeOptions { themes: KeepThemes::With(set(&["fork"])), ..MakeOptions::default() };
    let folder = place.path().join("p.cqa");
    let options = RunOptions::default();
    let made = babson::make(&inputs.expect("files"), &folder, wanted, &options, &mut |_| {});
    let error = made.expect_err("no themes").to_string();
    assert!(error.contains("only of plain PGN"), "{error}");
}
