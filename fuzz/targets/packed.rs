//! Any bytes as a file: text, lines of positions or puzzles, a table, a database of ChessBase in its
//! archive, or one of these compressed; or as a database of three files.
//!
//! The first byte selects how to compress the rest, and which bit to flip. A compressed file
//! without damage must be read like the text. For a database, two numbers of two bytes are the
//! lengths of its first two files.

#![no_main]

use std::fs;
use std::io::{self, Write};
use std::sync::LazyLock;

use flow::{Cancel, FaultKind, Output, Results, RunOptions, Worker, run};
use fuzz::games::Game;
use input::{Error, Inputs, ReadOptions};
use libfuzzer_sys::fuzz_target;
use pgn::RawGame;

/// Directory of the file.
static PLACE: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a directory"));

/// Number of bytes after which reading stops, since decompressed data may be endless.
const ENOUGH: u64 = 4 << 20;

fuzz_target!(|data: &[u8]| {
    let Some((&how, text)) = data.split_first() else {
        return;
    };
    if let Some(version) = [5, 4].get(usize::from(u8::MAX - how)) {
        database(*version, text);
        return;
    }
    let plain = read("text", text);
    let packed = match how % 12 {
        0 => return,
        1 => zstd::encode_all(text, 1).expect("packed"),
        2 => gzip(text),
        3 => bzip2(text),
        4 => zip(text),
        // Concatenated streams are read as one.
        5 => [gzip(&text[..text.len() / 2]), gzip(&text[text.len() / 2..])].concat(),
        6 => {
            let (front, back) = text.split_at(text.len() / 3);
            let frame = |text| zstd::encode_all(text, 1).expect("packed");
            [frame(front), frame(back)].concat()
        }
        7 => [bzip2(&text[..text.len() / 2]), bzip2(&text[text.len() / 2..])].concat(),
        8 => lz4(text),
        9 => [lz4(&text[..text.len() / 2]), lz4(&text[text.len() / 2..])].concat(),
        10 => xz(text),
        _ => [xz(&text[..text.len() / 2]), xz(&text[text.len() / 2..])].concat(),
    };
    let place = usize::from(how / 12);
    if place > 0 {
        let mut damaged = packed;
        let at = place * 31 % damaged.len().max(1);
        if let Some(byte) = damaged.get_mut(at) {
            *byte ^= 1 << (place % 8);
        }
        read("damaged", &damaged);
        return;
    }
    let found = read("packed", &packed);
    // The text may be a compressed stream itself, and a file compressed twice is refused.
    let is_twice = |failure: &String| *failure == Error::CompressedTwice.to_string();
    if plain.failures.is_empty() && !found.failures.iter().any(is_twice) {
        assert_eq!(found, plain);
    }
});

/// Games, faults and errors read from a file.
#[derive(Debug, PartialEq, Eq, Default)]
struct Record {
    games: Vec<String>,
    faults: Vec<(u64, u64, FaultKind, String)>,
    failures: Vec<String>,
}

/// Reads a database of Scid.
fn database(version: u8, data: &[u8]) {
    let Some((&[a, b, c, d], mut rest)) = data.split_first_chunk() else {
        return;
    };
    for (letter, len) in [("n", u16::from_le_bytes([a, b])), ("g", u16::from_le_bytes([c, d]))] {
        let (file, more) = rest.split_at(usize::from(len).min(rest.len()));
        fs::write(PLACE.path().join(format!("base.s{letter}{version}")), file).expect("written");
        rest = more;
    }
    read(&format!("base.si{version}"), rest);
}

fn read(name: &str, bytes: &[u8]) -> Record {
    let path = PLACE.path().join(name);
    fs::write(&path, bytes).expect("written");
    let inputs = Inputs::find(&[path], ReadOptions::default(), None, &Cancel::default())
        .expect("not cancelled");
    let options = RunOptions::default();
    let mut record = Record::default();
    let mut n_bytes = 0;
    let mut sink = |out: Output<Written>| {
        record.games.extend(out.results.0);
        for fault in out.faults {
            let place = (fault.number, fault.line, fault.kind, fault.message);
            record.faults.push(place);
        }
        record.failures.extend(out.failure.map(|error| error.to_string()));
        n_bytes += out.n_bytes;
        if n_bytes > ENOUGH { Err(io::Error::other("enough")) } else { Ok(()) }
    };
    let _ = run(inputs.sources(), &options, || Recorder, &mut sink);
    record
}

/// A worker that parses every game and stores it as text.
struct Recorder;

/// The games as they are written.
#[derive(Default)]
struct Written(Vec<String>);

impl Results for Written {}

impl Worker for Recorder {
    type Results = Written;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Written>) {
        let text = Game::read(raw).written().0;
        out.results.0.push(text.escape_ascii().to_string());
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn lz4(text: &[u8]) -> Vec<u8> {
    let mut packed = lz4_flex::frame::FrameEncoder::new(Vec::new());
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut packed = lzma_rust2::XzWriter::new(Vec::new(), options).expect("an encoder");
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn zip(text: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("a.pgn", options).expect("a member");
    archive.write_all(text).expect("packed");
    archive.finish().expect("packed").into_inner()
}
