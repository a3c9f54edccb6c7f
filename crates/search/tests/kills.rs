//! A run that updates a self-contained archive may be killed at any moment: the text is always
//! there, and another run completes the update.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use archive::Archive;
use babson::{KeepText, MakeOptions};
use flow::{Cancel, RunOptions};
use input::{Inputs, ReadOptions};

/// Environment variable with the games that a process of this test archives.
const GAMES: &str = "BABSON_TEST_GAMES";

const SEGMENT: usize = 40;
const KILLS: usize = 100;

/// The games `from..to`, each of which differs from all others.
fn games(from: usize, to: usize) -> String {
    let game = |number| {
        let moves = ["1.e4 e5 2.Nf3", "1.d4 (1.c4) d5", "1.e4 {x} c5", "1.e5"][number % 4];
        format!("[Event \"{number}\"]\n\n{moves} {{a comment on {number}}} *\n\n")
    };
    (from..to).map(game).collect()
}

fn make(games: &Path, text: KeepText) {
    let inputs = Inputs::find(&[games.to_owned()], ReadOptions::default(), [], &Cancel::default());
    let wanted = MakeOptions { text, segment_games: Some(SEGMENT), ..MakeOptions::default() };
    let options = RunOptions { threads: 2, chunk_bytes: 2000, ..RunOptions::default() };
    let inputs = inputs.expect("files");
    let folder = archive::beside(games);
    let made = babson::make(&inputs, &folder, wanted, &options, &mut |_| {});
    assert!(made.expect("an archive").is_some());
}

/// Runs in a process of its own, started by the other test.
#[test]
fn a_process_that_makes_an_archive() {
    if let Some(games) = std::env::var_os(GAMES) {
        make(Path::new(&games), KeepText::AsBefore);
    }
}

fn process(games: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "a_process_that_makes_an_archive"])
        .env(GAMES, games)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
}

/// Checks that a self-contained archive has one of these texts.
fn check(folder: &Path, texts: &[&str], what: &str) {
    let archive = Archive::open(folder).expect("an archive");
    assert!(archive.manifest().is_self_contained(), "{what}");
    let text = archive.text(0).expect("a text").expect("it has one");
    let mut bytes = String::new();
    let mut reader = flow::Bytes::Anywhere(text).into_reader();
    reader.read_to_string(&mut bytes).expect("read");
    assert!(texts.contains(&&*bytes), "{what}: {bytes}");
    let checked = archive.check(&Cancel::default(), &mut |_| {});
    assert_eq!(checked.faults, [""; 0], "{what}");
    let n_games = bytes.matches("[Event ").count() as u64;
    assert_eq!(checked.n_games, n_games, "{what}");
}

#[test]
fn a_run_may_be_killed_at_any_moment() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| -> PathBuf { place.path().join(name) };
    let (before, after) = (games(0, 5 * SEGMENT), games(0, 11 * SEGMENT));
    let (file, away, folder) = (at("g.pgn"), at("away.pgn"), at("g.cqa"));
    fs::write(&file, &before).expect("written");
    make(&file, KeepText::Yes);
    check(&folder, &[&before], "before");
    copy(&folder, &at("base.cqa"));
    fs::write(&file, &after).expect("written");
    // Duration of a run that is not killed.
    let begun = Instant::now();
    assert!(process(&file).status().expect("a process").success());
    let whole = begun.elapsed();
    check(&folder, &[&after], "not killed");

    let mut state = 1_u64;
    let mut n_killed = 0;
    for n in 0..KILLS {
        copy(&at("base.cqa"), &folder);
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut child = process(&file).spawn().expect("a process");
        sleep(Duration::from_nanos((whole.as_nanos() as u64).saturating_mul(state >> 54) >> 10));
        child.kill().expect("killed");
        n_killed += usize::from(!child.wait().expect("ended").success());
        // The file is removed, so that only the archive has its text.
        fs::rename(&file, &away).expect("moved");
        check(&folder, &[&before, &after], &format!("after kill {n}"));
        fs::rename(&away, &file).expect("moved");
        assert!(process(&file).status().expect("a process").success());
        check(&folder, &[&after], &format!("made again after kill {n}"));
        // No other files are left.
        let manifest = Archive::open(&folder).expect("an archive").manifest().clone();
        let n_files = fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(n_files, manifest.segments.len() + 2, "kill {n}");
    }
    assert!(n_killed > 0);
}

/// The text is only removed on request, and never if it is the only one.
#[test]
fn the_text_goes_when_that_is_wanted() {
    let place = tempfile::tempdir().expect("a folder");
    let (file, folder) = (place.path().join("g.pgn"), place.path().join("g.cqa"));
    let has_text = || {
        let archive = Archive::open(&folder).expect("an archive");
        let manifest = archive.manifest();
        assert_eq!(manifest.keeps_text(), manifest.is_self_contained());
        manifest.is_self_contained()
    };
    fs::write(&file, games(0, 50)).expect("written");
    make(&file, KeepText::AsBefore);
    assert!(!has_text());
    make(&file, KeepText::Yes);
    assert!(has_text());
    fs::write(&file, games(0, 60)).expect("written");
    make(&file, KeepText::AsBefore);
    assert!(has_text());
    make(&file, KeepText::No);
    assert!(!has_text());
    assert!(!fs::read_dir(&folder).expect("a folder").any(|entry| {
        let path = entry.expect("an entry").path();
        path.extension().is_some_and(|end| end == "zst")
    }));
    make(&file, KeepText::AsBefore);
    assert!(!has_text());
    make(&file, KeepText::Yes);
    fs::remove_file(&file).expect("removed");
    let refused = archive::drop_texts(&folder).expect_err("it is the only one");
    assert!(refused.to_string().contains("it keeps the text of"), "{refused}");
    assert!(has_text());
}
