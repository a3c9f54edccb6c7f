use std::fs;
use std::process::Command;

use proptest::prelude::*;
use tempfile::TempDir;

use super::super::converted::AsPgn;
use super::names::NameType;
use super::*;

/// A database that Scid 4.7.4 made.
const SAMPLE: [&[u8]; 3] =
    [include_bytes!("sample.si4"), include_bytes!("sample.sn4"), include_bytes!("sample.sg4")];

/// Its games.
const GAMES: &str = include_str!("sample.pgn");

/// Writes the three files of a database, those that there are.
fn write(dir: &TempDir, version: u8, files: [Option<&[u8]>; 3]) -> PathBuf {
    for (letter, bytes) in ["i", "n", "g"].iter().zip(files) {
        if let Some(bytes) = bytes {
            fs::write(dir.path().join(format!("a.s{letter}{version}")), bytes).expect("written");
        }
    }
    dir.path().join(format!("a.si{version}"))
}

/// Reads a database: its text, and the error at its end.
fn read(index: &Path) -> Result<(String, Option<String>), String> {
    let file = open_file(index).expect("a file");
    let head = file.head(content::HEAD).expect("read");
    let version = Version::of(index, &head).expect("an index");
    let mut text = Vec::new();
    let database = open(index, file, version).map_err(|error| error.to_string())?;
    let end = AsPgn::new(database).read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok((text, end.err().map(|error| error.to_string())))
}

fn read_files(version: u8, files: [&[u8]; 3]) -> Result<(String, Option<String>), String> {
    let dir = tempfile::tempdir().expect("a directory");
    read(&write(&dir, version, files.map(Some)))
}

/// The sample as a database of version 5, which no program here writes.
fn sample_5() -> [Vec<u8>; 3] {
    let [index, names, games] = SAMPLE;
    let dir = tempfile::tempdir().expect("a directory");
    write(&dir, 4, [None, Some(names), None]);
    let names = open_file(&dir.path().join("a.sn4")).expect("a file");
    let names = Names::read(Version::Four, names).expect("names");
    let (mut index_5, mut names_5) = (Vec::new(), b"\x2cabout".to_vec());
    for (kind, n) in
        [(NameType::Player, 3), (NameType::Event, 3), (NameType::Site, 2), (NameType::Round, 2)]
    {
        for name in (0..n).filter_map(|id| names.get(kind, id)) {
            let mut head = name.len() << 3 | kind as usize;
            while head >= 0x80 {
                names_5.push(head as u8 | 0x80);
                head >>= 7;
            }
            names_5.push(head as u8);
            names_5.extend(name);
        }
    }
    let mut records = &index[HEADER..];
    while let Ok(entry) = Entry::read(Version::Four, &mut records) {
        let [(white, white_kind), (black, black_kind)] = entry.ratings;
        let kinds = u32::from(white_kind) << 21 | u32::from(black_kind) << 18;
        let words = [
            entry.white,
            entry.black | 7 << 28,
            entry.event,
            entry.site,
            entry.round,
            entry.date | u32::from(white) << 20,
            entry.event_date | u32::from(black) << 20,
            entry.flags | 5 << 22,
            entry.length << 15,
            u32::try_from(entry.offset).expect("few games"),
            7 << 24,
            kinds | u32::from(entry.result) << 16 | u32::from(entry.eco),
            1,
            2,
        ];
        words.iter().for_each(|word| index_5.extend(word.to_le_bytes()));
    }
    [index_5, names_5, games.to_vec()]
}

#[test]
fn games_of_scid_become_pgn() {
    assert_eq!(read_files(4, SAMPLE), Ok((GAMES.to_owned(), None)));
    let sample = sample_5();
    assert_eq!(read_files(5, sample.each_ref().map(Vec::as_slice)), Ok((GAMES.to_owned(), None)));
}

#[test]
fn companions_that_are_missing_are_named() {
    let [index, names, games] = SAMPLE.map(Some);
    let check = |files: [Option<&[u8]>; 3], expected: &str| {
        let dir = tempfile::tempdir().expect("a directory");
        let error = read(&write(&dir, 4, files)).expect_err("a file is missing");
        assert!(error.contains(expected), "{error}");
    };
    check([index, None, games], "and a.sn4 is not beside it");
    check([index, names, None], "and a.sg4 is not beside it");
    check([index, None, None], "and a.sn4 and a.sg4 is not beside it");
    check([Some(&SAMPLE[0][..100]), names, games], "is cut off");
    check([index, Some(b"Scid.sn\0"), games], "they are cut off");
    check([index, Some(&[7; 100]), games], "does not begin with `Scid.sn`");
    let mut old = SAMPLE[0].to_vec();
    old[8..10].copy_from_slice(&[1, 44]);
    check([Some(&old), names, games], "a Scid database of version 3.00, and only");
    let mut many = SAMPLE[1].to_vec();
    many[12] = 0xff;
    check([index, Some(&many), games], "greater than the file can hold");
    // Names that repeat the one before them take more memory than bytes; the limit is lower here.
    let mut bomb = SAMPLE[1][..36].to_vec();
    bomb[12..15].copy_from_slice(&[0, 0x20, 0]);
    let one = [&[0, 0, 1, 0xff][..], &[b'a'; 255]].concat();
    bomb.extend([one, [0, 1, 1, 0xff, 0xff].repeat(0x1fff)].concat());
    check([index, Some(&bomb), games], "they take more than 256 MiB");
    let capital = companions(Path::new("x/GAMES.SI5"));
    assert_eq!(capital, ["x/GAMES.SN5", "x/GAMES.SG5"].map(PathBuf::from));
    assert_eq!(companions(Path::new("a.b")), ["a.sn4", "a.sg4"].map(PathBuf::from));
}

#[test]
fn games_before_the_damage_are_read() {
    let [index, names, games] = SAMPLE;
    let third = GAMES.find("[Event \"Position\"]").expect("the third game");
    let cut = read_files(4, [&index[..index.len() - 1], names, games]);
    let end = "the index of the Scid database is cut off after game 2".to_owned();
    assert_eq!(cut, Ok((GAMES[..third].to_owned(), Some(end))));
    let (text, end) = read_files(4, [&[index, b"x"].concat(), names, games]).expect("games");
    assert_eq!(text, GAMES);
    assert!(end.is_some_and(|end| end.contains("more records than the 3 games")));
    // Moves that are missing are no moves, and the file is cut off.
    let end = |at: usize, n_games: u64| {
        let end = format!("cut off after byte {at}; games that lack some: {n_games}");
        Some(format!("the moves of the Scid database are {end}"))
    };
    let n = games.len() - 20;
    let (text, found) = read_files(4, [index, names, &games[..n]]).expect("games");
    assert_eq!(found, end(n, 1));
    assert!(text.starts_with(&GAMES[..third]) && text.ends_with("damaged-data *\n\n"), "{text}");
    let (text, found) = read_files(4, [index, names, b""]).expect("games");
    assert_eq!((text.matches("damaged-data").count(), found), (3, end(0, 3)));
    // Games after the one that is missing are read.
    let mut moved = index.to_vec();
    moved[HEADER..HEADER + 4].fill(0x7f);
    let (text, found) = read_files(4, [&moved, names, games]).expect("games");
    let second = GAMES.match_indices("[Event ").nth(1).expect("the second game").0;
    assert!(text.ends_with(&GAMES[second..]), "{text}");
    assert_eq!(found, end(games.len(), 1));
}

#[test]
fn scid_and_this_reader_agree() {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    let tkscid = |args: &[&Path]| Command::new("tkscid").env("PATH", &path).args(args).status();
    let dir = tempfile::tempdir().expect("a directory");
    let script = dir.path().join("import.tcl");
    let text =
        "sc_base create [lindex $argv 0]\nsc_base import [sc_base current] [lindex $argv 1]\n";
    fs::write(&script, text).expect("written");
    // The games come from the reader itself, so it must read its own text again.
    let games = dir.path().join("a.pgn");
    fs::write(&games, GAMES).expect("written");
    let base = dir.path().join("a");
    if !tkscid(&[&script, &base, &games]).is_ok_and(|status| status.success()) {
        eprintln!("skipped: tkscid is not installed");
        return;
    }
    assert_eq!(read(&dir.path().join("a.si4")), Ok((GAMES.to_owned(), None)));
}

proptest! {
    #[test]
    fn damage_does_no_harm(
        file in 0usize..3,
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 1..8),
        version in 4u8..6,
        is_cut in any::<bool>(),
    ) {
        let mut files = if version == 4 { SAMPLE.map(<[u8]>::to_vec) } else { sample_5() };
        let at = at.index(files[file].len());
        if is_cut {
            files[file].truncate(at);
        } else {
            for (place, byte) in files[file][at..].iter_mut().zip(bytes) {
                *place ^= byte;
            }
        }
        // The signature may be damaged, too.
        let dir = tempfile::tempdir().expect("a directory");
        let index = write(&dir, version, files.each_ref().map(|file| Some(file.as_slice())));
        let input = open_file(&index).expect("a file");
        let head = input.head(content::HEAD).expect("read");
        if let Some(version) = Version::of(&index, &head)
            && let Ok(games) = open(&index, input, version)
        {
            let mut text = Vec::new();
            let _ = AsPgn::new(games).read_to_end(&mut text);
            prop_assert!(text.len() < 100_000);
        }
    }
}
