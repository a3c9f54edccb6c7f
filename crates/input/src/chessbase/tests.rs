mod writer;

use std::fs;
use std::io::{Cursor, Write};

use super::super::{Inputs, ReadOptions, Reading, TextEncoding};
use super::archive::Archive;
use std::sync::Arc;

use super::*;
use crate::Meter;
use crate::converted::AsPgn;
use flow::Cancel;
use proptest::prelude::*;
use writer::{Files, Game};

/// Opens bytes as a file.
fn input(bytes: &[u8]) -> CountedInput {
    let bytes: Arc<dyn Input> = Arc::new(Stored(bytes.to_vec()));
    CountedInput::new(bytes, &Meter::default())
}

struct Stored(Vec<u8>);

impl Input for Stored {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.as_slice().read_at(offset, buffer)
    }
}

/// Reads a database: its text, the error at its end, and the remarks.
fn read(files: &Files) -> (String, Option<String>, Vec<String>) {
    let remarks = Remarks::default().about("a.cbh");
    let find = |ending: &str| Ok(files.get(ending).map(|bytes| input(bytes)));
    let index = input(&files["cbh"]);
    match Database::open(index, find, &remarks) {
        Ok(database) => read_games(database, &remarks),
        Err(error) => (String::new(), Some(error.to_string()), Vec::new()),
    }
}

fn read_games(
    games: impl GameConverter,
    remarks: &Remarks,
) -> (String, Option<String>, Vec<String>) {
    let mut text = Vec::new();
    let end = AsPgn::new(games).read_to_end(&mut text);
    let text = text.iter().map(|byte| char::from(*byte)).collect();
    (text, end.err().map(|error| error.to_string()), remarks.take())
}

/// Reads an archive in the same way.
fn read_archive(bytes: &[u8]) -> (String, Option<String>, Vec<String>) {
    let remarks = Remarks::default().about("a.cbv");
    match Archive::open(input(bytes), &Reading::default(), &remarks) {
        Ok(archive) => read_games(archive, &remarks),
        Err(error) => (String::new(), Some(error.to_string()), Vec::new()),
    }
}

/// Checks the moves of a game.
fn check_moves(game: Game<'_>, expected: &str) {
    let moves = game.moves.to_owned();
    let (text, end, _) = read(&writer::files(&[game]));
    let found = text.split_once("\n\n").expect("tags").1.trim();
    assert_eq!((found, end), (expected, None), "{moves}");
}

#[test]
fn games_of_chessbase_become_pgn() {
    let [usual, fen] = [None, Some("r3k2r/1P6/8/8/3pP3/8/6p1/R3K2R b KQkq e3 0 12")];
    let game = |moves, fen, number| Game { fen, number, ..Game::new(moves) };
    check_moves(Game::new(""), "1-0");
    let line = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 O-O d7d6 b2b4 c5b4 c1b2 c8g4 b1c3 d8d7 d1e2 O-O-O";
    let san = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 5. b4 Bxb4 6. Bb2 Bg4 7. Nc3 Qd7 8. Qe2 \
               O-O-O 1-0";
    [0, 4, 5].iter().for_each(|number| check_moves(game(line, usual, *number), san));
    // A captured piece makes the next one of its type the first one.
    let line = "d2d4 g8f6 c1g5 h7h6 g5f6 e7f6 e2e4 f6f5 f1b5 c7c6 e4f5 c6b5 -- d8g5 g1f3 g5g2";
    let san = "1. d4 Nf6 2. Bg5 h6 3. Bxf6 exf6 4. e4 f5 5. Bb5 c6 6. exf5 cxb5 7. -- Qg5 8. Nf3 \
               Qxg2 1-0";
    check_moves(game(line, usual, 0), san);
    // En passant, promotions to every piece, and pieces that were promoted.
    let line = "d4e3 b7a8n g2h1q e1e2 h1a1 a8c7 e8d7 c7d5 a1d1 e2d1 h8h1 d1e2 h1a1";
    let san = "12... dxe3 13. bxa8=N gxh1=Q+ 14. Ke2 Qxa1 15. Nc7+ Kd7 16. Nd5 Qd1+ 17. Kxd1 Rh1+ \
               18. Ke2 Ra1 1-0";
    check_moves(game(line, fen, 0), san);
    let line = "O-O b7b8b ( b7a8r a1a8 ( g2g1n ) ) ( b7a8q )";
    let san = "12... O-O 13. b8=B ( 13. bxa8=R Rxa8 ( 13... g1=N ) ) ( 13. bxa8=Q ) 1-0";
    let line = line.replace("a1a8", "f8a8");
    check_moves(game(&line, fen, 0), san);
    // The third piece of a type, and a fourth one, which is not counted.
    let many = Some("6k1/pppppppp/8/8/8/8/QQQQRRR1/7K w - - 0 1");
    let line = "a2a3 g8f8 b2b3 f8g8 c2c3 g8f8 d2d3 f8g8 e2e3 g8f8 f2f3 f8g8 g2g3";
    let san = "1. Qaa3 Kf8 2. Qbb3 Kg8 3. Qcc3 Kf8 4. Qdd3 Kg8 5. Re3 Kf8 6. Rff3 Kg8 7. Rgg3 1-0";
    check_moves(game(line, many, 0), san);
    let many = Some("6k1/pppppppp/8/8/8/8/BBBBNNN1/7K w - - 0 1");
    let line = "a2b3 g8f8 b2c3 f8g8 c2d3 g8f8 d2e3 f8g8 e2c1 g8f8 f2d1 f8g8 g2f4";
    let san = "1. Bab3 Kf8 2. Bbc3 Kg8 3. Bd3 Kf8 4. Be3 Kg8 5. Nc1 Kf8 6. Nd1 Kg8 7. Nf4 1-0";
    check_moves(game(line, many, 4), san);
    let chess960 = Some("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1");
    check_moves(game("O-O O-O-O", chess960, 10), "1. O-O O-O-O 1-0");
}

#[test]
fn variations_are_written_after_their_moves() {
    let moves = "e2e4 c7c5 ( c7c6 d2d4 d7d5 ( d7d6 ) ) ( g8f6 e4e5 ) g1f3 d7d6 ( b8c6 f1b5 ) d2d4";
    let expected = "1. e4 c5 ( 1... c6 2. d4 d5 ( 2... d6 ) ) ( 1... Nf6 2. e5 ) 2. Nf3 d6 \
                    ( 2... Nc6 3. Bb5 ) 3. d4 1-0";
    check_moves(Game::new(moves), expected);
    // The example of the description.
    let example: [u8; 18] =
        [128, 254, 120, 105, 254, 123, 124, 255, 101, 84, 255, 254, 119, 124, 255, 108, 127, 255];
    let (mut bytes, mut n) = (Vec::new(), 0_u8);
    for code in example {
        let at = tables::TABLE_0.iter().position(|byte| *byte == code).expect("a byte");
        bytes.push((at as u8).wrapping_add(n));
        n += u8::from(code < 254);
    }
    let encoding = moves::Encoding::of(0).expect("the usual one");
    let tree = moves::Tree::read(Bytes(&bytes), encoding, board::Position::START, None);
    let sans: Vec<&[u8]> = (1..=tree.len() as u32).map(|number| tree.san(number)).collect();
    let expected = ["e4", "c5", "Nf3", "d6", "d4", "Nc6", "Bb5", "c6", "d4", "Nf6", "e5"];
    assert_eq!(sans, expected.map(str::as_bytes));
    assert!(!tree.is_damaged);
}
/// A text of no language in particular.
fn comment(text: &[u8]) -> (u8, Vec<u8>) {
    (2, [b"\0\0", text].concat())
}

/// Games with everything that is kept, and a page of text and a deleted game.
fn sample() -> Vec<Game<'static>> {
    let evaluations = vec![0, 4, 0, 20, 0, 10, 0, 20, 0, 30, 1, 20, 0xff, 0xfb, 1, 20, 0x80, 0];
    let control = [
        &720_000_u32.to_be_bytes()[..],
        &3_000_u32.to_be_bytes(),
        &[0, 40, 1],
        &90_000_u32.to_be_bytes(),
        &0_u32.to_be_bytes(),
        &[0x03, 0xe8, 0],
        &[0; 11],
    ];
    let quoted = [
        &b"\0\x50\0\0\0\0\x0dPetrosian,Tig\0\x03Tal\0"[..],
        &[0; 6],
        b"\x05Bled \0\x03Bol\0",
        &(1961_u32 << 9).to_be_bytes(),
        &[0; 10],
        &[1],
    ];
    let annotated = Game {
        before: vec![
            (0x26, evaluations),
            (0x24, control.concat()),
            comment(b"By {hand}\r\n\xa4f3 is \xa7e5, \x9e and 5\xa3\0rest"),
            (0x22, vec![0, 0, 0, 4]),
            (0x13, quoted.concat()),
            (0x1c, vec![7; 9]),
        ],
        names: [0, 1, 0, 1, 1],
        ..Game::new(
            "e2e4 $1 {Best_by_test ( d2d4 #0407250401 #05022224032224 ) e7e5 #03020e8e ^so \
             #0700011e60 g1f3 #160000ea60 #1700057e40 #21380000000500 b8c6 #21ffff01000500 {late",
        )
    };
    let [text, deleted] = [3, 0x81].map(|flags| Game { flags, ..Game::new("") });
    let forfeit = Game { result: 4, names: [2, 0, 0, 0, 0], ..Game::new("") };
    let mate = Some("7k/8/5KQ1/8/8/8/8/8 w - - 0 60");
    let position = Game { fen: mate, result: 3, ..Game::new("g6g7") };
    vec![annotated, text, deleted, forfeit, position]
}

/// The games as they are read, as Latin-1.
const SAMPLE: &str = r#"[Event "Open"]
[Site "Köln"]
[Date "1999.07.31"]
[Round "5.2"]
[White "Müller, Karl"]
[Black "PolgÃ¡r"]
[Result "1-0"]
[WhiteElo "2700"]
[ECO "B97"]
[EventDate "1999.07.??"]
[EventType "swiss (blitz)"]
[WhiteTeam "Town"]
[Annotator "Nunn"]
[Source "Post"]
[TimeControl "40/7200+30:900"]

{[%mdl 4] By (hand) Nf3 is e5, [#] and 5£ Petrosian,Tig - Tal, Bled Bol 1961 1/2-1/2} 1. e4 $1 {[%eval 0.30] Best by test} ( 1. d4 {[%csl Be5,Ra1][%cal Ge2e4,Ye2e4]} ) 1... e5 $142 $2 $14 {[%eval #-3][%emt 0:01:30.96]} {so} 2. Nf3 {[%clk 0:10:00][%clkb 1:00:00][%eval 0.56]} 2... Nc6 {[%eval #-1] late} 1-0

[Event "Open"]
[Site "Köln"]
[Date "1999.07.31"]
[Round "5.2"]
[White "Erd@s Erd@s Erd@s Erd@s E"]
[Black "Müller, Karl"]
[Result "0-1"]
[WhiteElo "2700"]
[ECO "B97"]
[EventDate "1999.07.??"]
[EventType "swiss (blitz)"]
[WhiteTeam "Town"]
[Termination "forfeit"]

0-1

[Event "Open"]
[Site "Köln"]
[Date "1999.07.31"]
[Round "5.2"]
[White "Müller, Karl"]
[Black "PolgÃ¡r"]
[Result "*"]
[WhiteElo "2700"]
[ECO "B97"]
[EventDate "1999.07.??"]
[EventType "swiss (blitz)"]
[WhiteTeam "Town"]
[SetUp "1"]
[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 60"]

60. Qg7# *

"#;

#[test]
fn annotations_and_names_are_kept() {
    let (text, end, remarks) = read(&writer::files(&sample()));
    assert_eq!(text, SAMPLE.replace("@", "Å\u{91}"));
    assert_eq!(end, None);
    assert_eq!(remarks, ["a.cbh: skipped 1 page of text, 1 deleted game"]);
}

/// Packs a database together with a file that is not read.
fn packed(files: &Files) -> Vec<u8> {
    let names: Vec<String> = files.keys().map(|ending| format!("Bases\\a.{ending}")).collect();
    let members = names.iter().map(String::as_str).zip(files.values().map(Vec::as_slice));
    writer::pack(&[("a.ini", &b"[x]"[..])].into_iter().chain(members).collect::<Vec<_>>(), ALL)
}

/// All methods of compression.
const ALL: &[u8] = &[3, 1, 2, 0];

/// Archives of the sample, from which fuzzing begins, too.
const ARCHIVES: [(&str, &[u8]); 2] =
    [("packed", include_bytes!("packed.cbv")), ("stored", include_bytes!("stored.cbv"))];

#[test]
fn archives_stay_readable() {
    let files = writer::files(&sample());
    let members = [
        ("a.cbh", &files["cbh"]),
        ("a.cbg", &files["cbg"]),
        ("a.cba", &files["cba"]),
        ("a.cbp", &files["cbp"]),
        ("a.cbt", &files["cbt"]),
        ("a.cbc", &files["cbc"]),
        ("a.cbs", &files["cbs"]),
    ];
    let members = members.map(|(name, bytes)| (name, bytes.as_slice()));
    for ((name, bytes), methods) in ARCHIVES.into_iter().zip([ALL, &[0]]) {
        let written = writer::pack(&members, methods);
        if std::env::var_os("UPDATE_SAMPLES").is_some() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/chessbase");
            fs::write(format!("{folder}/{name}.cbv"), written).expect("written");
            continue;
        }
        assert!(written == bytes, "{name}");
        let (text, end, _) = read_archive(bytes);
        let expected = SAMPLE.replace('@', "Å\u{91}").replace("[WhiteTeam \"Town\"]\n", "");
        assert_eq!((text, end), (expected, None));
    }
}

#[test]
fn archives_are_unpacked() {
    let files = writer::files(&sample());
    let (text, end, _) = read(&files);
    let remarks = vec!["a.cbv: skipped 1 page of text, 1 deleted game".to_owned()];
    let archive = packed(&files);
    assert_eq!(read_archive(&archive), (text.clone(), end, remarks));
    let two = [("a.cbh", &files["cbh"]), ("a.cbg", &files["cbg"]), ("B.CBH", &files["cbh"])];
    let two = two.map(|(name, bytes)| (name, bytes.as_slice()));
    let two = [&two[..], &[("b.cbg", files["cbg"].as_slice())]].concat();
    let (both, end, _) = read_archive(&writer::pack(&two, ALL));
    // Each database is named with its error.
    let end = end.unwrap_or_default();
    for name in ["archive: a.cbh: ", "; B.CBH: "] {
        assert!(
            end.contains(&format!("{name}the ChessBase database is damaged: no `.cba`")),
            "{end}"
        );
    }
    assert_eq!(both.matches("[Event ").count(), 6);
    let (_, end, _) = read_archive(&writer::pack(&[("a.pgn", b"1. e4 *")], ALL));
    assert!(end.is_some_and(|end| end.contains("no database that can be read")));
    let (_, end, _) = read_archive(&archive[..500]);
    assert!(end.is_some_and(|end| end.contains("is cut off")));
    // A member that is damaged ends there.
    let mut cut = archive.clone();
    let at = cut.windows(4).rposition(|head| head[2..] == [0xa5, 0x5a]).expect("a block");
    cut[at..at + 2].fill(0xff);
    let (other, end, _) = read_archive(&cut);
    assert_eq!(other.matches("[Event \"?\"]").count(), 3);
    let end = end.unwrap_or_default();
    assert!(end.starts_with("damaged in the ChessBase archive: Bases\\a.cbt; "), "{end}");
    assert!(end.ends_with("Bases\\a.cbh: the ChessBase database is damaged: no `.cbt`"), "{end}");
    // Places and sizes that no file has.
    let list = HEADER + 173;
    let mut far = archive.clone();
    far[list + 149..list + 157].fill(0xff);
    let (other, end, _) = read_archive(&far);
    assert!(other.contains("[Event ") && end.is_some_and(|end| end.contains("a.cba; ")));
    let mut large = archive.clone();
    large[list + 165..list + 173].fill(0xff);
    let (_, end, _) = read_archive(&large);
    assert!(end.is_some_and(|end| end.contains("more than 200 times its size")));
}

/// Number of bytes of an archive before its list.
const HEADER: usize = 8;

/// Checks that a database with other bytes in one of its files has this text and error.
fn check_damage(ending: &'static str, change: impl Fn(&mut Vec<u8>), text: &str, end: &str) {
    let mut files = writer::files(&sample());
    change(files.get_mut(ending).expect("a file"));
    let (found, error, _) = read(&files);
    let error = error.unwrap_or_default();
    assert!(found.contains(text) && error.contains(end), "{ending}: {error}\n{found}");
}

#[test]
fn games_are_read_as_far_as_possible() {
    let games =
        |n: usize| SAMPLE.match_indices("[Event ").nth(n).map_or("", |(at, _)| &SAMPLE[at..]);
    let last = games(2);
    let index = |record: usize, at: usize| record * RECORD + at;
    let cut = |n: usize| move |bytes: &mut Vec<u8>| bytes.truncate(n);
    check_damage("cbh", cut(30), "", "the index of the ChessBase database is cut off");
    check_damage("cbh", cut(index(1, 7)), "", "is cut off after record 0");
    check_damage("cbh", cut(index(5, 45)), "forfeit", "is cut off after record 4");
    check_damage("cbh", cut(index(5, 0)), "forfeit", "is cut off after record 4");
    // The number of records in the header may be too small.
    check_damage("cbh", |bytes| bytes[9] = 2, last, "");
    check_damage("cbh", |bytes| bytes[index(1, 0)] = 0, last, "");
    let moves = |bytes: &mut Vec<u8>| bytes[index(1, 1)] = 9;
    check_damage("cbh", moves, "1/2-1/2} damaged-data 1-0", "games that lack moves: 1");
    let names = |bytes: &mut Vec<u8>| bytes[index(1, 9)] = 9;
    check_damage("cbh", names, "[White \"?\"]", "games that lack names: 1");
    let at = |bytes: &mut Vec<u8>| bytes[index(1, 5)] = 9;
    check_damage("cbh", at, "1. e4 ( 1. d4 ) 1... e5", "games that lack annotations: 1");
    check_damage("cba", cut(100), "1. e4 ", "games that lack annotations: 1");
    check_damage("cba", cut(150), "\n{By (hand) Nf3", "games that lack annotations: 1");
    // Comments of moves that cannot be read are kept.
    let unused = tables::TABLE_0.iter().position(|byte| *byte == 237).expect("a byte") as u8;
    let late = "{Best by test so late} damaged-data 1-0";
    check_damage("cbg", |bytes| bytes[30] = unused, late, "");
    check_damage("cbg", |bytes| bytes[32] ^= 1, "damaged-data 1-0\n\n[Event", "");
    check_damage("cbg", |bytes| bytes[26] = 8, "unknown-encoding-8 1-0\n\n[Event", "");
    check_damage("cbg", cut(34), "damaged-data 1-0\n\n[Event", "games that lack moves: 3");
    check_damage("cbg", |bytes| bytes[27..30].fill(0xff), "damaged-data 1-0", "lack moves: 1");
    check_damage("cbp", |bytes| bytes[8] = 0, "[White \"?\"]", "no `.cbp`");
    check_damage("cbp", cut(90), "[Black \"?\"]", "games that lack names: 3");
    check_damage("cbt", |bytes| bytes[12..16].fill(0xff), "[Event \"?\"]", "no `.cbt`");
    let mut files = writer::files(&sample());
    files.get_mut("cbh").expect("the index")[index(1, 0)] = 0;
    let skipped = "a.cbh: skipped 1 page of text, 1 deleted game, 1 record that is no game";
    assert_eq!(read(&files).2, [skipped]);
    for ending in BESIDE {
        let mut files = writer::files(&sample());
        files.remove(ending);
        let (text, end, _) = read(&files);
        let expected = match ending {
            "cbg" => "the file with the moves (`.cbg`) is not beside it".to_owned(),
            "cbe" | "cbj" => String::new(),
            ending => format!("the ChessBase database is damaged: no `.{ending}`"),
        };
        let end = end.unwrap_or_default();
        assert!(end.ends_with(&expected) && end.is_empty() == expected.is_empty(), "{end}");
        assert_eq!(text.matches("[Event ").count(), if ending == "cbg" { 0 } else { 3 });
    }
}

/// Reads files by their names: the texts or errors, and the remarks.
fn read_inputs(paths: &[PathBuf], how: ReadOptions) -> (Vec<u8>, Vec<String>) {
    let inputs = Inputs::find(paths, how, None, &Cancel::default()).expect("not cancelled");
    let mut text = Vec::new();
    for source in inputs.sources() {
        match source {
            Ok(source) => source.bytes.into_reader().read_to_end(&mut text).expect("read"),
            Err(error) => text.write(error.to_string().as_bytes()).expect("written"),
        };
    }
    (text, inputs.remarks().take())
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let dir = tempfile::tempdir().expect("a directory");
    let index = dir.path().join("a.cbh");
    fs::write(&index, &writer::files(&[])["cbh"]).expect("written");
    // A socket stands for a pipe, which the library cannot make.
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("a.cbg"));
    let (text, _) = read_inputs(&[index], ReadOptions::default());
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.ends_with("a.cbg: it is not a file"), "{text}");
}

#[test]
fn databases_are_found_and_protected() {
    let dir = tempfile::tempdir().expect("a directory");
    let at = |name: &str| dir.path().join(name);
    let files = writer::files(&sample());
    for (ending, bytes) in &files {
        fs::write(at(&format!("a.{ending}")), bytes).expect("written");
        let upper = ending.to_ascii_uppercase();
        fs::write(at(&format!("UP.{upper}")), bytes).expect("written");
    }
    let how = ReadOptions::default();
    let (text, remarks) = read_inputs(&[at("a.cbh")], how);
    assert!(text.starts_with(b"[Event \"Open\"]\n[Site \"K\xf6ln\"]"));
    let skipped =
        |name: &str| format!("{}: skipped 1 page of text, 1 deleted game", at(name).display());
    assert_eq!(remarks, [skipped("a.cbh")]);
    assert_eq!(read_inputs(&[at("UP.CBH")], how).0, text);
    // The name does not decide about the format.
    fs::copy(at("a.cbh"), at("a.pgn")).expect("copied");
    assert_eq!(read_inputs(&[at("a.pgn")], how).0, text);
    fs::remove_file(at("a.pgn")).expect("removed");
    let directory = [dir.path().to_owned()];
    let both = Inputs::find(&directory, how, None, &Cancel::default()).expect("not cancelled");
    assert_eq!(both.paths().count(), 2);
    for ending in files.keys() {
        let refused = both.originals().refuse(&at(&format!("a.{ending}")));
        assert!(refused.expect_err("read").to_string().contains("overwrite the input"));
    }
    let encoding = TextEncoding::from_option("windows-1251").expect("a name");
    let (russian, _) = read_inputs(&[at("a.cbh")], ReadOptions { encoding, ..how });
    assert!(String::from_utf8_lossy(&russian).starts_with("[Event \"Open\"]\n[Site \"Kцln\"]"));
    // Archives may be packed once more.
    let archive = packed(&files);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("a.cbv", &archive), ("a.cbh", &files["cbh"])] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("a member");
        zip.write_all(bytes).expect("packed");
    }
    let zip = zip.finish().expect("packed").into_inner();
    let zstd = zstd::encode_all(archive.as_slice(), 1).expect("packed");
    for (name, bytes) in [("a.cbv", &archive), ("a.cbv.zst", &zstd), ("a.zip", &zip)] {
        fs::write(at(name), bytes).expect("written");
        let (found, remarks) = read_inputs(&[at(name)], how);
        assert!(found.starts_with(&text), "{}", String::from_utf8_lossy(&found));
        assert_eq!(remarks.len(), 1);
        let rest = String::from_utf8_lossy(&found[text.len()..]).into_owned();
        assert_eq!(rest.contains("by the name of its `.cbh` file"), name == "a.zip", "{rest}");
    }
    let pipe = Inputs::of_reader("pipe", Cursor::new(archive), how, &Cancel::default());
    let mut found = Vec::new();
    for source in pipe.sources() {
        source.expect("a source").bytes.into_reader().read_to_end(&mut found).expect("read");
    }
    assert_eq!((found, pipe.remarks().take().len()), (text, 1));
}

#[test]
fn hostile_games_are_bounded() {
    let encoding = moves::Encoding::of(0).expect("the usual one");
    let read = |codes: &mut dyn Iterator<Item = u8>| {
        let (mut bytes, mut n) = (Vec::new(), 0_u8);
        for code in codes {
            let at = tables::TABLE_0.iter().position(|byte| *byte == code).expect("a byte");
            bytes.push((at as u8).wrapping_add(n));
            n = n.wrapping_add(u8::from(code < 254));
        }
        moves::Tree::read(Bytes(&bytes), encoding, board::Position::START, None)
    };
    // Null moves, each of which begins a variation.
    let tree = read(&mut [254, 0].repeat(10_000).into_iter());
    assert!(tree.is_damaged && tree.len() < 5_000);
    let tree = read(&mut [0].repeat(3 << 20).into_iter());
    assert_eq!((tree.is_damaged, tree.len()), (true, 1 << 20));
    // Variations within variations.
    let tree = read(&mut [254, 0, 255].repeat(1000).into_iter());
    assert!(tree.is_damaged || tree.len() <= 1000);
    // Annotations that are larger than their file.
    let huge = |bytes: &mut Vec<u8>| bytes[36..40].copy_from_slice(&[0, 0xff, 0xff, 0xff]);
    check_damage("cba", huge, "1. e4", "games that lack annotations: 1");
    let huge = |bytes: &mut Vec<u8>| bytes[36..40].fill(0xff);
    check_damage("cba", huge, "1. e4", "games that lack annotations: 1");
}

proptest! {
    #[test]
    fn damage_does_no_harm(
        file in 0usize..9,
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 1..8),
        is_cut in any::<bool>(),
        is_packed in any::<bool>(),
    ) {
        let damage = |file: &mut Vec<u8>| {
            let at = at.index(file.len());
            if is_cut {
                file.truncate(at);
            } else {
                for (place, byte) in file[at..].iter_mut().zip(&bytes) {
                    *place ^= byte;
                }
            }
        };
        let mut files = writer::files(&sample());
        let (text, ..) = if is_packed {
            let mut archive = packed(&files);
            damage(&mut archive);
            read_archive(&archive)
        } else {
            damage(files.values_mut().nth(file).expect("nine files"));
            read(&files)
        };
        prop_assert!(text.len() < 100_000);
    }
}
