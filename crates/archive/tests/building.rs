//! However an archive was built, it equals one that is built from the same files at once.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use archive::{Archive, BuildPlan, Builder, Encoder, Error, Lock, Manifest, plan};
use flow::{Cancel, GameSource, RunOptions};

/// Number of games in a segment.
const SEGMENT: usize = 50;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes the games `from..to`, each of which differs from all others. The time of the file is
    /// not the present, so that two versions never have equal times.
    fn games(&self, name: &str, from: usize, to: usize) -> PathBuf {
        let text: String = (from..to).map(game).collect();
        self.text(name, text.as_bytes(), to as u64)
    }

    fn text(&self, name: &str, text: &[u8], time: u64) -> PathBuf {
        let path = self.at(name);
        let mut file = File::create(&path).expect("a file");
        file.write_all(text).expect("written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(time);
        file.set_modified(time).expect("a time");
        path
    }
}

fn game(number: usize) -> String {
    let comment = "c".repeat(number % 7);
    let moves = ["1.e4 e5 2.Nf3", "1.d4 (1.c4) d5", "1.e4 {x} c5", "1.e5"][number % 4];
    format!("[Event \"{number}\"]\n[White \"{}\"]\n\n{moves} {{{comment}}} *\n\n", number % 9)
}

/// Runs a builder for at most `n_chunks` chunks.
fn run(
    mut builder: Builder,
    files: &[PathBuf],
    n_chunks: usize,
    threads: usize,
) -> Option<Manifest> {
    builder.set_segment_games(SEGMENT);
    let kept = *builder.kept();
    let opened = builder.opened();
    let texts: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).expect("a file")).collect();
    let sources = (kept.first_file..files.len()).map(|file| {
        let mut source = GameSource::pgn(files[file].display().to_string(), &texts[file][..]);
        if file == kept.first_file {
            source.games_before = Some(kept.games_before);
        }
        opened.note(file, &source);
        Ok(source)
    });
    let options = RunOptions {
        threads,
        first_game: kept.games + 1,
        chunk_bytes: 1000,
        ..RunOptions::default()
    };
    let (mut n_taken, cancel) = (0, options.cancel.clone());
    let mut sink = |out| {
        if n_taken < n_chunks {
            builder.take(out).map_err(std::io::Error::other)?;
        } else {
            cancel.cancel();
        }
        n_taken += 1;
        Ok(())
    };
    let (summary, _) =
        flow::run(Box::new(sources), &options, Encoder::default, &mut sink).expect("a run");
    (!summary.cancelled).then(|| builder.finish().expect("finished"))
}

/// Builds an archive. Returns whether there was anything to do.
fn make(folder: &Path, files: &[PathBuf]) -> bool {
    match plan(folder, files, &Cancel::default()).expect("a plan") {
        BuildPlan::Done(_) => false,
        BuildPlan::Build(builder) => {
            run(*builder, files, usize::MAX, 2).expect("not cancelled");
            true
        }
    }
}

/// Names and contents of the files of an archive.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let entries = entries.map(|entry| {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        (name, fs::read(entry.path()).expect("a file"))
    });
    entries.collect()
}

/// Compares an archive with a new one of the same files.
fn check_against_new(place: &Place, folder: &Path, files: &[PathBuf]) {
    let new = place.at("new.cqa");
    let _ = fs::remove_dir_all(&new);
    assert!(make(&new, files));
    assert!(contents(folder) == contents(&new), "{files:?}");
    let archive = Archive::open(folder).expect("an archive");
    let checked = archive.check(&Cancel::default(), &mut |_| {});
    assert_eq!(checked.faults, [""; 0]);
    assert_eq!(checked.n_games, archive.manifest().games);
    // Nothing is left to do.
    assert!(!make(folder, files));
}

#[test]
fn damaged_segments_are_made_again() {
    let place = Place::new();
    let (folder, files) = (place.at("a.cqa"), [place.games("a.pgn", 0, 170)]);
    assert!(make(&folder, &files));
    let segments = contents(&folder).into_keys().filter(|name| name.ends_with(".arrow"));
    for segment in segments {
        let path = folder.join(segment);
        let mut bytes = fs::read(&path).expect("a segment");
        let middle = bytes.len() / 2;
        bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0x55);
        fs::write(&path, bytes).expect("written");
        assert!(make(&folder, &files), "{path:?}");
        check_against_new(&place, &folder, &files);
    }
}

#[test]
fn a_cancelled_plan_does_not_call_an_archive_up_to_date() {
    let place = Place::new();
    let (folder, files) = (place.at("a.cqa"), [place.games("a.pgn", 0, 120)]);
    assert!(make(&folder, &files));
    let cancel = Cancel::default();
    cancel.cancel();
    let error = plan(&folder, &files, &cancel).err().expect("cancelled");
    assert_eq!(error.to_string(), "interrupted");
    assert!(!make(&folder, &files));
}

#[test]
fn threads_do_not_matter() {
    let place = Place::new();
    let files = [place.games("a.pgn", 0, 130), place.games("b.pgn", 130, 135)];
    let mut all = Vec::new();
    for threads in 1..=3 {
        let folder = place.at(&format!("{threads}.cqa"));
        let Ok(BuildPlan::Build(builder)) = plan(&folder, &files, &Cancel::default()) else {
            panic!("there is something to do");
        };
        let manifest = run(*builder, &files, usize::MAX, threads).expect("a manifest");
        let sizes = manifest.segments.iter().map(|segment| segment.games);
        assert_eq!(sizes.collect::<Vec<_>>(), [50, 50, 35]);
        let n_games = |file: usize| manifest.files[file].games;
        assert_eq!((n_games(0), n_games(1)), (Some(130), Some(5)));
        all.push(contents(&folder));
    }
    assert!(all.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn a_run_that_was_ended_goes_on() {
    let place = Place::new();
    let files = [place.games("a.pgn", 0, 70), place.games("b.pgn", 70, 230)];
    let folder = place.at("games.cqa");
    for n_chunks in [0, 5, 9, 3] {
        match plan(&folder, &files, &Cancel::default()).expect("a plan") {
            BuildPlan::Done(_) => panic!("it is not done"),
            BuildPlan::Build(builder) => assert!(run(*builder, &files, n_chunks, 1).is_none()),
        }
        // A run that is killed while writing leaves this file.
        if folder.exists() {
            fs::write(folder.join("unfinished.tmp"), "half").expect("written");
        }
    }
    let kept = Manifest::read(&folder).expect("a manifest");
    assert!(!kept.complete && kept.segments.len() > 1, "{kept:?}");
    let faults = Archive::open(&folder).expect("an archive").check(&Cancel::default(), &mut |_| {});
    assert!(faults.faults[0].contains("not finished"), "{faults:?}");
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
}

#[test]
fn files_that_changed_are_read_again() {
    let place = Place::new();
    let folder = place.at("games.cqa");
    let a = place.games("a.pgn", 0, 120);
    let mut files = vec![a.clone()];
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    // One more file after it, and one before it.
    files.push(place.games("b.pgn", 120, 200));
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    files.insert(0, place.games("c.pgn", 300, 310));
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    // The middle file changes, then it is removed, then the last one is removed.
    place.games("a.pgn", 1, 121);
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    files.remove(1);
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    files.pop();
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    // Only the time changes.
    place.text("c.pgn", &fs::read(place.at("c.pgn")).expect("a file"), 7);
    assert!(make_is_quick(&folder, &files));
}

#[test]
fn files_are_the_same_by_other_names() {
    let place = Place::new();
    let folder = place.at("games.cqa");
    let files = [place.games("a.pgn", 0, 70), place.games("b.pgn", 70, 80)];
    assert!(make(&folder, &files));
    // The segment that is kept has the old name of the first file.
    place.games("b.pgn", 70, 90);
    fs::create_dir(place.at("d")).expect("a folder");
    let others = ["d/../a.pgn", "d/../b.pgn"].map(|name| place.at(name));
    assert!(make(&folder, &others));
    check_against_new(&place, &folder, &files);
}

/// Whether archiving the same files again needs no reading.
fn make_is_quick(folder: &Path, files: &[PathBuf]) -> bool {
    matches!(plan(folder, files, &Cancel::default()), Ok(BuildPlan::Done(_)))
}

#[test]
fn a_file_that_grew_is_not_read_from_its_start() {
    let place = Place::new();
    let folder = place.at("games.cqa");
    // The games are longer than the distance that the old end can affect.
    let long =
        |number: usize| format!("[Event \"{number}\"]\n\n1.e4 {{{}}} *\n\n", "x".repeat(30_000));
    let mut text: String = (0..140).map(long).collect();
    // The old end of the file closes a comment, as it were: with more text, the rest is another
    // game.
    text += "[Event \"open\"]\n\n1.d4 { [Event \"inside\"]\n\n1.c4 *\n\n";
    let files = [place.text("a.pgn", text.as_bytes(), 1)];
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    text += "} 1-0\n\n[Event \"last\"]\n\n1.b3";
    place.text("a.pgn", text.as_bytes(), 2);
    let Ok(BuildPlan::Build(builder)) = plan(&folder, &files, &Cancel::default()) else {
        panic!("the file has grown");
    };
    assert_eq!((builder.kept().segments, builder.kept().games), (1, 50));
    assert!(run(*builder, &files, usize::MAX, 2).is_some());
    check_against_new(&place, &folder, &files);
    // The last game continues.
    text += " b6 1-0";
    place.text("a.pgn", text.as_bytes(), 3);
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
    // The file is shorter than before.
    place.text("a.pgn", &text.as_bytes()[..text.len() / 2], 4);
    assert!(make(&folder, &files));
    check_against_new(&place, &folder, &files);
}

#[test]
fn games_that_are_left_out_have_rows() {
    let place = Place::new();
    let text =
        "[Event \"a\"]\n\n1.e4 *\n\n[Event \"b\"]\n\n1.e4 {open\n\n[Event \"c\"]\n\n1.d4 *\n";
    let files = [place.text("a.pgn", text.as_bytes(), 1)];
    let folder = place.at("games.cqa");
    assert!(make(&folder, &files));
    let archive = Archive::open(&folder).expect("an archive");
    let mut rows = archive::Rows::default();
    archive.segment(0).expect("a segment").read_all(&mut rows).expect("read");
    let classes: Vec<_> = (0..rows.len()).map(|row| rows.game(row).class()).collect();
    use archive::Coverage::{Plain, Skipped};
    assert_eq!(classes, [Plain, Skipped, Plain]);
}

#[test]
fn what_is_no_archive_is_left_alone() {
    let place = Place::new();
    let files = [place.games("a.pgn", 0, 3)];
    let refused = |folder: &Path| match plan(folder, &files, &Cancel::default()) {
        Ok(_) => panic!("{} is taken", folder.display()),
        Err(error) => error.to_string(),
    };
    let folder = place.at("letters");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("a.txt"), "x").expect("written");
    assert!(refused(&folder).contains("not an archive"), "{}", refused(&folder));
    assert!(refused(&files[0]).contains("not an archive"), "{}", refused(&files[0]));
    // A damaged archive is not replaced, either.
    fs::write(folder.join("manifest.json"), "{}").expect("written");
    assert!(refused(&folder).contains("damaged"), "{}", refused(&folder));
    let newer = "{\"format\": \"babson archive\", \"version\": 9}";
    fs::write(folder.join("manifest.json"), newer).expect("written");
    assert!(refused(&folder).contains("version 9"), "{}", refused(&folder));
}

#[test]
fn checking_says_what_is_wrong() {
    let place = Place::new();
    let files = [place.games("a.pgn", 0, 70)];
    let folder = place.at("games.cqa");
    assert!(make(&folder, &files));
    let faults = || {
        let archive = Archive::open(&folder).expect("an archive");
        archive.check(&Cancel::default(), &mut |_| {}).faults.join("\n")
    };
    assert_eq!(faults(), "");
    let segment = folder.join(&Manifest::read(&folder).expect("a manifest").segments[1].name);
    let whole = fs::read(&segment).expect("a segment");
    let mut bytes = whole.clone();
    // The codes of 1.d4 and of the start of a variation.
    let moves = [0xCB, 0x66, 0x00, 0xE0];
    let at = whole.windows(4).position(|bytes| bytes == moves);
    bytes[at.expect("such moves")] ^= 1;
    fs::write(&segment, &bytes).expect("written");
    assert!(faults().contains("its column moves is damaged"), "{}", faults());
    fs::remove_file(&segment).expect("removed");
    assert!(faults().contains("No such file") || !cfg!(unix), "{}", faults());
    fs::write(&segment, &whole).expect("written");
    place.games("a.pgn", 0, 71);
    assert!(faults().contains("the file has grown"), "{}", faults());
    place.games("a.pgn", 1, 71);
    assert!(faults().contains("the file was replaced"), "{}", faults());
    fs::remove_file(&files[0]).expect("removed");
    assert_ne!(faults(), "");
    assert_eq!(Archive::open(&place.at("none")).expect_err("none"), Error::Missing);
}

/// Adds the text of a file to an archive. Returns `None` if it was cancelled at the n-th step.
fn keep_text(folder: &Path, file: &Path, mut n_steps: usize) -> Option<Manifest> {
    let open = |_| {
        let reader: Box<dyn std::io::Read> = Box::new(File::open(file).expect("a file"));
        Ok(reader)
    };
    let mut go_on = |_| {
        n_steps = n_steps.saturating_sub(1);
        n_steps > 0
    };
    archive::keep_texts(folder, open, &mut go_on).ok()
}

/// Whether an archive is self-contained; also checks that the reported lack of text is right.
fn has_text(folder: &Path) -> bool {
    let archive = Archive::open(folder).expect("an archive");
    let checked = archive.check(&Cancel::default(), &mut |_| {});
    assert_eq!(
        checked.lacks_text,
        archive.manifest().keeps_text() != archive.manifest().is_self_contained()
    );
    archive.manifest().is_self_contained()
}

#[test]
fn an_archive_has_its_text_whatever_ends_a_run() {
    let place = Place::new();
    let folder = place.at("games.cqa");
    let files = [place.games("a.pgn", 0, 3 * SEGMENT + 10)];
    // The first manifest already records that the archive is to store texts.
    let Ok(BuildPlan::Build(mut builder)) = plan(&folder, &files, &Cancel::default()) else {
        panic!("there is something to do");
    };
    builder.set_keeps_text();
    assert!(run(*builder, &files, 6, 1).is_none());
    assert!(Manifest::read(&folder).expect("a manifest").keeps_text());
    assert!(make(&folder, &files));
    assert!(!has_text(&folder));
    assert!(keep_text(&folder, &files[0], 1).is_none());
    assert!(!has_text(&folder));
    assert!(keep_text(&folder, &files[0], usize::MAX).is_some());
    assert!(has_text(&folder));
    let before = contents(&folder);
    let restore = || {
        fs::remove_dir_all(&folder).expect("removed");
        fs::create_dir(&folder).expect("made");
        for (name, bytes) in &before {
            fs::write(folder.join(name), bytes).expect("written");
        }
    };
    place.games("a.pgn", 0, 9 * SEGMENT + 10);
    // Until the new archive is complete, the old one stays.
    let is_as_before = || {
        let now = contents(&folder);
        assert!(before.iter().all(|(name, bytes)| now.get(name) == Some(bytes)));
    };
    for n_chunks in [0, 1, 5, 12, 20] {
        match plan(&folder, &files, &Cancel::default()).expect("a plan") {
            BuildPlan::Done(_) => panic!("it is not done"),
            BuildPlan::Build(builder) => assert!(run(*builder, &files, n_chunks, 1).is_none()),
        }
        is_as_before();
    }
    assert!(make(&folder, &files));
    is_as_before();
    for n_steps in 1..=2 {
        assert!(keep_text(&folder, &files[0], n_steps).is_none());
        is_as_before();
    }
    let made = keep_text(&folder, &files[0], usize::MAX).expect("made");
    assert!(has_text(&folder) && made.games == 9 * SEGMENT as u64 + 10);
    let after = contents(&folder);
    assert!(matches!(plan(&folder, &files, &Cancel::default()), Ok(BuildPlan::Done(_))));
    // The new archive is complete, but the run ended before it replaced the old one.
    restore();
    for (name, bytes) in &after {
        let name = if name == "manifest.json" { "next.json" } else { name };
        fs::write(folder.join(name), bytes).expect("written");
    }
    drop(Lock::take(&folder).expect("a lock"));
    assert!(contents(&folder) == after);
    assert!(!make(&folder, &files));
    // It also replaces the old one when the file is missing, because it has games that nothing else
    // has.
    restore();
    for (name, bytes) in &after {
        let name = if name == "manifest.json" { "next.json" } else { name };
        fs::write(folder.join(name), bytes).expect("written");
    }
    let away = place.at("away.pgn");
    fs::rename(&files[0], &away).expect("moved");
    drop(Lock::take(&folder).expect("a lock"));
    assert!(contents(&folder) == after);
    fs::rename(&away, &files[0]).expect("moved");
    // The new archive has replaced the old one, but the files of the old one are still there.
    restore();
    for (name, bytes) in &after {
        fs::write(folder.join(name), bytes).expect("written");
    }
    drop(Lock::take(&folder).expect("a lock"));
    assert!(contents(&folder) == after);
    // Without the source file, nothing touches the old archive.
    restore();
    assert!(make(&folder, &files));
    fs::remove_file(&files[0]).expect("removed");
    assert!(has_text(&folder));
    assert!(matches!(plan(&folder, &files, &Cancel::default()), Ok(BuildPlan::Done(_))));
    is_as_before();
}

/// Rewrites the manifest as an older program did, without the field for stored texts.
fn as_old(folder: &Path) {
    let path = folder.join("manifest.json");
    let text = fs::read_to_string(&path).expect("a manifest");
    let text =
        text.replace("\"version\": 6", "\"version\": 4").replace("  \"keeps_text\": true,\n", "");
    let (before, _) = text.rsplit_once("\"checksum\": \"").expect("a checksum");
    let unsigned = format!("{before}\"checksum\": \"\"\n}}");
    let sum = xxhash_rust::xxh3::xxh3_64(unsigned.as_bytes());
    fs::write(&path, format!("{before}\"checksum\": \"{sum:016x}\"\n}}\n")).expect("written");
}

#[test]
fn archives_of_the_version_before_are_read_and_made_again() {
    let place = Place::new();
    let folder = place.at("games.cqa");
    let files = [place.games("a.pgn", 0, SEGMENT + 10)];
    assert!(make(&folder, &files));
    assert!(keep_text(&folder, &files[0], usize::MAX).is_some());
    let new = contents(&folder);
    as_old(&folder);
    let old = Manifest::read(&folder).expect("a manifest");
    assert!(old.is_old() && old.keeps_text() && old.is_self_contained());
    assert!(has_text(&folder));
    // An archive with the only text of its games stays as it is.
    let away = place.at("away.pgn");
    fs::rename(&files[0], &away).expect("moved");
    assert!(matches!(plan(&folder, &files, &Cancel::default()), Ok(BuildPlan::Done(_))));
    fs::rename(&away, &files[0]).expect("moved");
    assert!(make(&folder, &files));
    assert!(Manifest::read(&folder).expect("a manifest").is_old(), "its text is not there yet");
    assert!(keep_text(&folder, &files[0], usize::MAX).is_some());
    assert!(contents(&folder) == new);
}

#[test]
fn games_that_are_left_out_begin_where_they_begin() {
    let place = Place::new();
    let text = "[Event \"a\"]\n\n1.e4 {open\n\n[Event \"b\"]\n\n1.d4 } d5 {open 1-0\n\n\
        [Event \"c\"]\n\n1.d4 *\n";
    let files = [place.text("a.pgn", text.as_bytes(), 1)];
    let folder = place.at("games.cqa");
    assert!(make(&folder, &files));
    let mut rows = archive::Rows::default();
    let archive = Archive::open(&folder).expect("an archive");
    archive.segment(0).expect("a segment").read_all(&mut rows).expect("read");
    let begin = (0..rows.len()).map(|row| rows.offset.get(row) as usize);
    let expected = ["[Event \"a\"", "[Event \"b\"", "[Event \"c\""].map(|tag| text.find(tag));
    assert!(begin.map(Some).eq(expected));
}
