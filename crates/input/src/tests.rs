use std::fs;
use std::io::{self, Read, Write};

use flow::{FaultKind, Output, Results, RunOptions, Worker};
use pgn::RawGame;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// Records each game.
struct Recorder;

/// Games, one after the other.
#[derive(Default)]
struct Written(Vec<u8>);

impl Results for Written {}

impl Worker for Recorder {
    type Results = Written;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Written>) {
        let text = &mut out.results.0;
        text.extend_from_slice(format!("{number} {} ", raw.offset).as_bytes());
        text.extend_from_slice(raw.text);
    }
}

/// Everything that a run delivers: games, issues and failures.
#[derive(Debug, PartialEq, Eq, Default)]
struct Record {
    text: Vec<u8>,
    faults: Vec<(u64, u64, u64, FaultKind, String)>,
    failures: Vec<String>,
}

fn record(inputs: &Inputs, threads: usize, chunk_bytes: usize) -> Record {
    let options = RunOptions { threads, chunk_bytes, size: inputs.size(), ..RunOptions::default() };
    let mut record = Record::default();
    let mut sink = |out: Output<Written>| {
        record.text.extend_from_slice(&out.results.0);
        for fault in out.faults {
            let place = (fault.number, fault.line, fault.offset);
            record.faults.push((place.0, place.1, place.2, fault.kind, fault.message));
        }
        record.failures.extend(out.failure.map(|error| error.to_string()));
        Ok(())
    };
    flow::run(inputs.sources(), &options, || Recorder, &mut sink).expect("a run");
    record
}

fn inputs(dir: &TempDir, names: &[&str]) -> Inputs {
    let names: Vec<PathBuf> = names.iter().map(|name| dir.path().join(name)).collect();
    Inputs::find(&names, ReadOptions::default(), None, &Cancel::default()).expect("not cancelled")
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

fn zstd(text: &[u8]) -> Vec<u8> {
    let mut packed = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    packed.include_checksum(true).expect("an encoder");
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut packed = lzma_rust2::XzWriter::new(Vec::new(), options).expect("an encoder");
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn lz4(text: &[u8]) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new().content_checksum(true);
    let info = info.block_size(lz4_flex::frame::BlockSize::Max64KB);
    let mut packed = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    packed.write_all(text).expect("packed");
    packed.finish().expect("packed")
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, text) in members {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).expect("a member");
        archive.write_all(text).expect("packed");
    }
    archive.finish().expect("packed").into_inner()
}

/// Packs members, and a directory before them.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packed = Vec::new();
    for (name, text) in [("a/", &b""[..])].iter().chain(members) {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = if name.ends_with('/') { b'5' } else { b'0' };
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
        header[154] = 0;
        packed.extend(header);
        packed.extend(*text);
        packed.resize(packed.len().next_multiple_of(512), 0);
    }
    packed.resize(packed.len() + 1024, 0);
    packed
}

/// A frame without contents, as used by the indexes of seekable files.
const SKIPPABLE: &[u8] = b"\x5a\x2a\x4d\x18\x05\0\0\0hello";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn packing_threads_and_chunks_change_nothing(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "[Event \"a\"]\n", "[White \"b\"]\n", "\n", "\n\n", "\r\n", "1. e4 e5 ", "1-0",
                "*", "{", "}", "; a line\n", "[", "(", "words", "\n\n[Event \"c\"]\n\n1. d4 *\n\n",
                "\n\n[Event \"d\"]\n\n1. c4 {a rather long comment} c5 2. Nf3 Nf6 1/2-1/2\n\n",
            ]),
            0..300,
        ),
        cut in 0usize..1000,
        threads in 1usize..4,
        chunk_bytes in 1usize..3000,
    ) {
        // The text begins as PGN, so that it is never taken for another format.
        let text = format!("[Event \"first\"]\n\n*\n\n{}", parts.concat());
        let text = text.as_bytes();
        let (front, back) = text.split_at(cut.min(text.len()));
        let dir = tempfile::tempdir().expect("a directory");
        let files = [
            ("plain", text.to_vec()),
            ("zst", zstd(text)),
            ("frames", [SKIPPABLE, &zstd(front), SKIPPABLE, &zstd(back), SKIPPABLE].concat()),
            ("gz", gzip(text)),
            ("members", [gzip(front), gzip(back)].concat()),
            ("bz2", bzip2(text)),
            ("streams", [bzip2(front), bzip2(back)].concat()),
            ("xz", xz(text)),
            ("xz streams", [&xz(front)[..], &[0; 8], &xz(back), &[0; 4]].concat()),
            ("lz4", lz4(text)),
            ("lz4 frames", [&lz4(front)[..], SKIPPABLE, &lz4(back), SKIPPABLE].concat()),
            ("zip", zip(&[("readme.txt", b"not games"), ("a/b.pgn", text)])),
            ("tar", tar(&[("readme.txt", b"not games"), ("a/b.pgn", text)])),
            ("tgz", gzip(&tar(&[("a/b.pgn", text), ("readme.txt", b"not games")]))),
        ];
        let mut expected = None;
        for (name, bytes) in files {
            fs::write(dir.path().join(name), bytes).expect("written");
            let found = record(&inputs(&dir, &[name]), threads, chunk_bytes);
            prop_assert!(found.failures.is_empty(), "{} {:?}", name, found.failures);
            match &expected {
                None => expected = Some(found),
                Some(expected) => prop_assert_eq!(&found, expected, "{}", name),
            }
        }
    }
}

fn games(n: usize) -> String {
    (0..n).map(|i| format!("[Event \"{i}\"]\n\n1. e4 {{{}}} e5 *\n\n", i * i * 7919)).collect()
}

#[test]
fn damaged_files_give_what_comes_before_the_damage() {
    let text = games(60_000);
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("plain"), &text).expect("written");
    let whole = record(&inputs(&dir, &["plain"]), 1, 1 << 16).text;
    let check = |name: &str, packed: &[u8], expected: &str| {
        fs::write(dir.path().join(name), packed).expect("written");
        for threads in [1, 3] {
            let found = record(&inputs(&dir, &[name]), threads, 1 << 16);
            // Damage may pass for text before it is noticed; a missing end is noticed at once.
            let same = whole.iter().zip(&found.text).take_while(|(a, b)| a == b);
            let n_same = same.count();
            assert!(n_same > whole.len() / 2, "{name}: {n_same}");
            // A block of bzip2 has a checksum.
            if expected.contains("cut off") || name == "bzip2" {
                assert!(n_same == found.text.len() && n_same < whole.len(), "{name}");
                assert_eq!(found.faults, [], "{name}");
            }
            let [failure] = found.failures.as_slice() else {
                panic!("{name}: {:?}", found.failures);
            };
            assert!(failure.contains(expected), "{name}: {failure}");
        }
    };
    let damaged = |packed: &[u8]| {
        let mut packed = packed.to_vec();
        let at = packed.len() * 3 / 4;
        for byte in &mut packed[at..at + 200] {
            *byte ^= 0x55;
        }
        packed
    };
    let cut = |packed: &[u8]| packed[..packed.len() * 3 / 4].to_vec();
    for (name, packed) in [
        ("zstd", zstd(text.as_bytes())),
        ("gzip", gzip(text.as_bytes())),
        ("bzip2", bzip2(text.as_bytes())),
        ("xz", xz(text.as_bytes())),
        ("LZ4", lz4(text.as_bytes())),
    ] {
        let expected = format!("the {name} data are damaged near compressed byte ");
        check(name, &damaged(&packed), &expected);
        let expected = format!("the {name} data are cut off after compressed byte ");
        check(name, &cut(&packed), &expected);
    }
    let packed = zip(&[("a.pgn", text.as_bytes())]);
    check("zip", &damaged(&packed), "damaged in the archive");
    // The window of the second frame takes two gigabytes.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0];
    let packed = [zstd(text.as_bytes()), frame.repeat(20)].concat();
    let expected = "the zstd data cannot be decompressed after byte ";
    check("zstd", &packed, expected);
    // The dictionary of the second stream takes 192 MiB; its header has a checksum.
    let mut second = xz(b"");
    second.truncate(12);
    second.extend([2, 0, 0x21, 1, 31, 0, 0, 0, 0xfe, 0x60, 0xed, 0xde]);
    let packed = [xz(text.as_bytes()), second].concat();
    check("xz", &packed, "its dictionary, more than 128 MiB, takes too much memory");
}

/// All bytes that a decoder returns before a damaged one are read. The decoders compared here return one
/// byte at a time, so that they lose nothing.
#[test]
fn damage_costs_nothing_that_was_decompressed_before_it() {
    let text = games(20_000);
    let text = text.as_bytes();
    let dir = tempfile::tempdir().expect("a directory");
    let told = |mut reader: Box<dyn Read + '_>| {
        let (mut n, mut byte) = (0, [0]);
        while let Ok(1) = reader.read(&mut byte) {
            n += 1;
        }
        n
    };
    let check = |name: &str, mut packed: Vec<u8>, at: usize, n_told: usize| {
        packed[at] ^= 0x55;
        fs::write(dir.path().join(name), packed).expect("written");
        let inputs = inputs(&dir, &[name]);
        let mut read = Vec::new();
        // A file whose first block is damaged cannot be opened.
        if let Ok(source) = inputs.sources().next().expect("a source") {
            source.bytes.into_reader().read_to_end(&mut read).expect_err("damaged");
        }
        let n_same = text.iter().zip(&read).take_while(|(a, b)| a == b).count();
        let n_lost = n_told.saturating_sub(n_same);
        // A step of LZMA may be lost.
        let most = if ["xz", "7z"].contains(&name) { 600 } else { 0 };
        assert!(n_lost <= most, "{name} {at}: {n_lost} of {n_told}");
    };
    let lzma2 = {
        let mut packed = lzma_rust2::Lzma2Writer::new(Vec::new(), Default::default());
        packed.write_all(text).expect("packed");
        packed.finish().expect("packed")
    };
    for part in 1..10 {
        let at = |packed: &[u8]| packed.len() * part / 10;
        let packed = zstd(text);
        let n = told(Box::new(zstd::Decoder::new(&packed[..at(&packed)]).expect("a decoder")));
        check("zst", packed.clone(), at(&packed), n);
        let packed = gzip(text);
        let n = told(Box::new(flate2::read::GzDecoder::new(&packed[..at(&packed)])));
        check("gz", packed.clone(), at(&packed), n);
        let packed = zip(&[("a.pgn", text)]);
        let deflated = &packed[30 + "a.pgn".len()..at(&packed)];
        let n = told(Box::new(flate2::read::DeflateDecoder::new(deflated)));
        check("zip", packed.clone(), at(&packed), n);
        let packed = xz(text);
        let n = told(Box::new(lzma_rust2::XzReader::new(&packed[..at(&packed)], false)));
        check("xz", packed.clone(), at(&packed), n);
        let cut = &lzma2[..at(&lzma2)];
        let n = told(Box::new(lzma_rust2::Lzma2Reader::new(cut, 8 << 20, None)));
        let archive = seven_zip(&[0x21, 0x21, 1, 22], &lzma2, text.len() as u64, sum(text));
        check("7z", archive, 32 + at(&lzma2), n);
    }
}

/// The list of members is at the end of a zip archive, but each has a header besides.
#[test]
fn members_before_the_damage_of_a_zip_archive_are_read() {
    let (text, other) = (games(2000), games(100));
    let members = [("a/", ""), ("a/a.pgn", &*text), ("b.txt", &other), ("c.pgn", &other)];
    let dir = tempfile::tempdir().expect("a directory");
    let of_stream = |method| {
        let mut archive = zip::ZipWriter::new_stream(Vec::new());
        for (name, text) in members {
            let options = zip::write::SimpleFileOptions::default().compression_method(method);
            archive.start_file(name, options).expect("a member");
            archive.write_all(text.as_bytes()).expect("packed");
        }
        archive.finish().expect("packed").into_inner()
    };
    let of_file = zip(&members.map(|(name, text)| (name, text.as_bytes())));
    for (name, packed) in [("f", of_file), ("s", of_stream(zip::CompressionMethod::Deflated))] {
        fs::write(dir.path().join(name), &packed).expect("written");
        let whole = record(&inputs(&dir, &[name]), 1, 1 << 16);
        assert_eq!(whole.failures, [""; 0], "{name}");
        let list = packed.windows(4).position(|four| four == b"PK\x01\x02").expect("a list");
        for end in [packed.len() - 1, list] {
            fs::write(dir.path().join("cut"), &packed[..end]).expect("written");
            let found = record(&inputs(&dir, &["cut"]), 1, 1 << 16);
            assert!(found.text == whole.text, "{name} {end}");
            let [failure] = found.failures.as_slice() else {
                panic!("{name} {end}: {:?}", found.failures);
            };
            assert!(failure.contains("read by its own header: 3 members"), "{failure}");
        }
        fs::write(dir.path().join("cut"), &packed[..list / 2]).expect("written");
        let found = record(&inputs(&dir, &["cut"]), 1, 1 << 16);
        let n_same = whole.text.iter().zip(&found.text).take_while(|(a, b)| a == b).count();
        assert!(n_same > whole.text.len() * 2 / 5, "{name}: {n_same} of {}", whole.text.len());
        assert_eq!(found.failures.len(), 2, "{name}: {:?}", found.failures);
    }
}

/// Nothing is lost where the end of a zip archive says less than its list.
#[test]
fn all_members_in_the_list_of_a_zip_archive_are_read() {
    let (text, other) = (games(20), games(5));
    let dir = tempfile::tempdir().expect("a directory");
    let packed = zip(&[("a.pgn", text.as_bytes()), ("b.pgn", other.as_bytes())]);
    let of_mac = zip(&[
        ("a.pgn", text.as_bytes()),
        ("__MACOSX/._a.pgn", &[0, 5, 22, 7]),
        ("b.pgn", other.as_bytes()),
    ]);
    let mut too_few = packed.clone();
    let n_members = packed.len() - 22 + 8;
    too_few[n_members..n_members + 4].copy_from_slice(&[1, 0, 1, 0]);
    let mut same_name = packed.clone();
    while let Some(at) = same_name.windows(5).position(|name| name == b"b.pgn") {
        same_name[at] = b'a';
    }
    let parts = [("a.pgn", text.as_bytes()), ("b.pgn", other.as_bytes())].map(|part| zip(&[part]));
    fs::write(dir.path().join("whole"), &packed).expect("written");
    let texts = |name: &str| record(&inputs(&dir, &[name]), 1, 1 << 16);
    let whole = texts("whole");
    assert!(whole.text.len() > text.len() + other.len());
    for (name, packed) in
        [("few", too_few), ("same", same_name), ("joined", parts.concat()), ("mac", of_mac)]
    {
        fs::write(dir.path().join(name), &packed).expect("written");
        let found = texts(name);
        assert_eq!(found.failures, [""; 0], "{name}");
        assert!(found.text == whole.text, "{name}");
    }
}

/// A block of xz is read as far as it goes: many games fit into one.
#[test]
fn the_last_block_of_a_cut_xz_is_read() {
    let text = games(2000);
    let packed = xz(text.as_bytes());
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("cut.xz"), &packed[..packed.len() / 2]).expect("written");
    let found = record(&inputs(&dir, &["cut.xz"]), 1, 1 << 16);
    assert!(found.text.len() > text.len() / 4, "{}", found.text.len());
    let [failure] = found.failures.as_slice() else {
        panic!("{:?}", found.failures);
    };
    assert!(failure.contains("the xz data are cut off"), "{failure}");
}

/// Games before damage are read, also those of the block at whose end the damage is found.
#[test]
fn all_games_before_something_after_an_xz_are_read() {
    let text = games(200);
    let whole = xz(text.as_bytes());
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("whole.xz"), &whole).expect("written");
    fs::write(dir.path().join("more.xz"), [&whole, &b"garbage\n"[..]].concat()).expect("written");
    let [all, found] =
        ["whole.xz", "more.xz"].map(|name| record(&inputs(&dir, &[name]), 1, 1 << 16));
    assert_eq!(found.text, all.text);
    assert_eq!(found.failures.len(), 1, "{:?}", found.failures);
}

/// A frame without its last bytes is not whole, even if it is cut between two blocks.
#[test]
fn frames_of_lz4_must_end() {
    let text = games(3);
    let packed = [lz4(text.as_bytes()), SKIPPABLE.to_vec(), lz4(b"\n")].concat();
    let dir = tempfile::tempdir().expect("a directory");
    let n = lz4(text.as_bytes()).len();
    for end in 5..packed.len() {
        fs::write(dir.path().join("cut"), &packed[..end]).expect("written");
        let failures = record(&inputs(&dir, &["cut"]), 1, 1 << 16).failures;
        let is_whole = end == n || end == n + SKIPPABLE.len();
        let is_told = failures.iter().any(|said| said.contains("the LZ4 data are cut off after"));
        assert!(
            is_told != is_whole && failures.len() == usize::from(!is_whole),
            "{end} {failures:?}"
        );
    }
    fs::write(dir.path().join("more"), [&packed, &b"text"[..]].concat()).expect("written");
    check_failure(&["more"], &dir, &["the LZ4 data are damaged near compressed byte"]);
}

/// The programs `xz` and `lz4` write what is read here, if they are installed.
#[test]
fn files_of_other_programs_are_read() {
    let text = games(30_000);
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("plain"), &text).expect("written");
    let expected = record(&inputs(&dir, &["plain"]), 1, 1 << 16);
    let commands: [&[&str]; 7] = [
        &["xz"],
        &["xz", "-9e", "--check=sha256"],
        &["xz", "-0", "--block-size=100000", "--check=crc32", "-T2"],
        &["xz", "--delta=dist=2", "--lzma2=dict=1MiB", "--check=none"],
        &["lz4"],
        &["lz4", "-9", "-BD", "-B4", "-BX"],
        &["lz4", "--content-size", "--no-frame-crc", "-B7"],
    ];
    for command in commands {
        let input = fs::File::open(dir.path().join("plain")).expect("a file");
        let output = fs::File::create(dir.path().join("packed")).expect("a file");
        let ran = std::process::Command::new(command[0])
            .args(&command[1..])
            .args(["-q", "-c"])
            .stdin(input)
            .stdout(output)
            .status();
        match ran {
            Ok(status) => assert!(status.success(), "{command:?}"),
            Err(_) => continue,
        }
        let found = record(&inputs(&dir, &["packed"]), 2, 1 << 16);
        assert!(found == expected, "{command:?} {:?}", found.failures);
    }
}

/// A member ends and zeros follow, as on a tape.
#[test]
fn zeros_behind_gzip_members_are_passed_over() {
    let text = games(5);
    let (front, back) = text.as_bytes().split_at(100);
    let dir = tempfile::tempdir().expect("a directory");
    let write = |name: &str, bytes: &[&[u8]]| {
        fs::write(dir.path().join(name), bytes.concat()).expect("written");
    };
    let zeros = [0; 200_000];
    write("plain", &[text.as_bytes()]);
    write("padded", &[&gzip(text.as_bytes()), &zeros]);
    write("both", &[&gzip(front), &zeros[..7], &gzip(back), &zeros]);
    write("text", &[&gzip(text.as_bytes()), &zeros[..7], b"text behind the end"]);
    let expected = record(&inputs(&dir, &["plain"]), 1, 1 << 16);
    assert_eq!(expected.failures, [""; 0]);
    for name in ["padded", "both"] {
        assert_eq!(record(&inputs(&dir, &[name]), 1, 1 << 16), expected, "{name}");
    }
    check_failure(&["text"], &dir, &["the gzip data are damaged"]);
}

/// All blocks except the last are complete; nothing of the last one is searched.
#[test]
fn a_block_of_bzip2_is_read_if_its_check_sum_is_right() {
    let text = games(60_000);
    let packed = bzip2(text.as_bytes());
    let whole = text.as_bytes();
    for at in [packed.len() / 2, packed.len() * 9 / 10, packed.len() - 100] {
        let mut damaged = packed.clone();
        damaged[at] ^= 1;
        let reading = Reading::default();
        let reader = io::Cursor::new(damaged);
        let stream = compressed::unpack(content::Packing::Bzip2, reader, &reading);
        let mut found = Vec::new();
        let outcome = stream.expect("a stream").read_to_end(&mut found);
        assert!(outcome.is_err() && whole.starts_with(&found), "{at}");
        // Blocks of 100 kB, the smallest size.
        let expected = whole.len() * at / packed.len();
        assert!(found.len() + 200_000 > expected, "{at}: {}", found.len());
    }
}

fn check_failure(names: &[&str], dir: &TempDir, expected: &[&str]) {
    let found = record(&inputs(dir, names), 2, 1 << 16).failures;
    assert_eq!(found.len(), expected.len(), "{names:?}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{names:?}: {found}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = games(3);
    let text = text.as_bytes();
    let files: [(&str, Vec<u8>); 10] = [
        ("nested.tar", tar(&[("a.pgn", text), ("b.pgn.gz", &gzip(text)), ("c.tar", text)])),
        ("other.tar", tar(&[("readme.txt", b"hello")])),
        ("a.png", b"\x89PNG\r\n\x1a\n0000".to_vec()),
        ("twice.gz", gzip(&zstd(text))),
        ("picture.zst", zstd(b"\x89PNG\r\n\x1a\n0000")),
        ("empty.zip", zip(&[])),
        ("other.zip", zip(&[("readme.txt", b"hello")])),
        ("nested.zip", zip(&[("a.pgn", text), ("b.pgn.gz", &gzip(text)), ("c/d.pgn", text)])),
        ("short.zip", zip(&[("a.pgn", text)])[..100].to_vec()),
        ("table.csv", b"Name,Elo\nx,1\n".to_vec()),
    ];
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).expect("written");
    }
    fs::create_dir(dir.path().join("nothing")).expect("a directory");
    check_failure(&["a.png"], &dir, &["it is a PNG picture; cql reads PGN"]);
    check_failure(&["twice.gz"], &dir, &["compressed more than once"]);
    check_failure(&["picture.zst"], &dir, &["a PNG picture"]);
    check_failure(&["empty.zip"], &dir, &["no file whose name ends in .pgn"]);
    check_failure(
        &["other.zip"],
        &dir,
        &["no file whose name ends in .pgn or .csv or .epd or .fen"],
    );
    check_failure(&["nested.zip"], &dir, &["compressed a second time within the archive"]);
    let twice = "compressed a second time within the archive";
    check_failure(&["nested.tar"], &dir, &[twice, twice]);
    check_failure(&["other.tar"], &dir, &["no file whose name ends in .pgn"]);
    check_failure(&["short.zip"], &dir, &["its list of members is cut off or damaged"]);
    check_failure(&["table.csv"], &dir, &["missing: PuzzleId, FEN, Moves"]);
    check_failure(&["nothing"], &dir, &["the directory holds no games"]);
    check_failure(&["none.pgn"], &dir, &["No such file"]);
    check_failure(&["none*.pgn"], &dir, &["no file name matches the pattern"]);
    check_failure(&["a.png", "none.pgn"], &dir, &["PNG", "No such file"]);
}

/// All members are read, whatever becomes of the one before.
#[test]
fn archives_on_tapes_are_read_to_their_end() {
    let (text, more) = (games(3000), games(2));
    let dir = tempfile::tempdir().expect("a directory");
    let picture: &[u8] = b"\x89PNG\r\n\x1a\n0000";
    let packed = tar(&[("a.pgn", text.as_bytes()), ("b.pgn", picture), ("c.pgn", more.as_bytes())]);
    let both = [&packed[..], &tar(&[("d.pgn", more.as_bytes())])].concat();
    let numbers = |inputs: &Inputs| {
        let found = record(inputs, 2, 1 << 16);
        (String::from_utf8_lossy(&found.text).matches("[Event").count(), found.failures)
    };
    let read = |bytes: &[u8]| {
        fs::write(dir.path().join("x.tar"), bytes).expect("written");
        let pipe = io::Cursor::new(bytes.to_vec());
        let (how, cancel) = (ReadOptions::default(), Cancel::default());
        let of_pipe = numbers(&Inputs::of_reader("pipe", pipe, how, &cancel));
        let of_file = numbers(&inputs(&dir, &["x.tar"]));
        assert_eq!((of_file.0, of_file.1.len()), (of_pipe.0, of_pipe.1.len()));
        of_file
    };
    let (n, failures) = read(&packed);
    assert!(
        n == 3002 && failures.len() == 1 && failures[0].contains("a PNG picture"),
        "{failures:?}"
    );
    assert_eq!(read(&both).0, 3004);
    let opened = inputs(&dir, &["x.tar"]);
    let names = opened.sources().map(|source| match source {
        Ok(source) => source.name.to_string(),
        Err(error) => error.name.to_string(),
    });
    let names: Vec<String> =
        names.map(|name| name.rsplit("x.tar").next().unwrap_or_default().to_owned()).collect();
    assert_eq!(names, ["/a.pgn", "/b.pgn", "/c.pgn", "/d.pgn"]);
    // Wherever the archive is cut, a message says so, except right after a block that ends it.
    let n = packed.len();
    for end in (1000..n).step_by(500).chain([n - 1536, n - 1024, n - 512]) {
        let (_, failures) = read(&packed[..end]);
        let is_told = failures.iter().any(|said| said.contains("the tar archive is cut off"));
        assert_eq!(is_told, end != n - 512, "{end} of {n}: {failures:?}");
    }
    let mut damaged = packed.clone();
    damaged[n - 1536 - 512] ^= 1;
    let (found, failures) = read(&damaged);
    assert!(found == 3000 && failures[1].contains("no member begins"), "{failures:?}");
    // A size of 2^63 bytes.
    let mut huge = tar(&[("a.pgn", text.as_bytes())]);
    huge[512 + 124..512 + 136].copy_from_slice(&[0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]);
    huge[512 + 148..512 + 156].fill(b' ');
    let sum: u64 = huge[512..1024].iter().map(|byte| u64::from(*byte)).sum();
    huge[512 + 148..512 + 154].copy_from_slice(format!("{sum:06o}").as_bytes());
    let (_, failures) = read(&huge);
    assert!(failures[0].contains("the tar archive is cut off"), "{failures:?}");
}

/// The program `tar` writes what is read here, if it is installed.
#[test]
fn archives_of_other_programs_are_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let long = format!("{0}/{0}/{0}", "d".repeat(90));
    let files =
        [format!("{long}.pgn"), "short.pgn".to_owned(), format!("{}é.pgn", "n".repeat(120))];
    fs::create_dir_all(dir.path().join(&long)).expect("a directory");
    for (i, file) in files.iter().enumerate() {
        fs::write(dir.path().join(file), games(10 + i)).expect("written");
    }
    for options in [&["--format=gnu"][..], &["--format=pax"], &["--format=pax", "-J"], &["-z"]] {
        let ran = std::process::Command::new("tar")
            .args(options)
            .args(["-cf", "x.tar"])
            .args(&files)
            .current_dir(dir.path())
            .status();
        match ran {
            Ok(status) => assert!(status.success(), "{options:?}"),
            Err(_) => return,
        }
        let opened = inputs(&dir, &["x.tar"]);
        let sources = opened.sources().map(|source| {
            let source = source.expect("a member");
            let text = io::read_to_string(source.bytes.into_reader()).expect("text");
            (source.name.to_string(), text.matches("[Event").count())
        });
        let names: Vec<_> = sources.collect();
        let archive = dir.path().join("x.tar").display().to_string();
        let expected = files.iter().zip(10..).map(|(file, n)| (format!("{archive}/{file}"), n));
        assert_eq!(names, expected.collect::<Vec<_>>(), "{options:?}");
    }
}

/// The games are the same, however the objects are laid out.
#[test]
fn games_in_json_are_read() {
    const GAMES: [&str; 2] = [
        "{\"url\":\"u\",\"time_class\":\"blitz\",\"pgn\":\"[Event \\\"a\\\"]\\n\\n1. e4 *\"}",
        "{\"id\":\"i\",\"players\":{},\"moves\":\"d4 d5\",\"status\":\"mate\",\"winner\":\"black\"}",
    ];
    let dir = tempfile::tempdir().expect("a directory");
    let [first, second] = GAMES;
    let lines = format!("{first}\n{second}\n");
    let list = format!("{{\"games\":[{first},{second}]}}");
    let laid_out =
        format!("[\n{}\n]", GAMES.join(",\n").replace(",\"", ",\n  \"").replace("{", "{\n"));
    let texts = |name: &str| {
        let opened = inputs(&dir, &[name]);
        let found = record(&opened, 2, 1 << 16);
        assert_eq!((found.faults, found.failures), (vec![], vec![]), "{name}");
        String::from_utf8(found.text).expect("text")
    };
    let files = [
        ("lines", lines.clone().into_bytes()),
        ("marked", format!("\u{feff}{lines}").into_bytes()),
        ("lines.gz", gzip(lines.as_bytes())),
        ("list", list.clone().into_bytes()),
        ("list.xz", xz(list.as_bytes())),
        ("laid out", laid_out.into_bytes()),
    ];
    let mut expected = None;
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).expect("written");
        let found = texts(name);
        assert!(
            found.contains("[Site \"https://lichess.org/i\"]") && found.contains("1. e4"),
            "{name}: {found}"
        );
        // Offsets differ.
        let found: String = found.chars().filter(|c| !c.is_ascii_digit()).collect();
        assert_eq!(expected.get_or_insert_with(|| found.clone()), &found, "{name}");
    }
    // A damaged line is named, and the others are read.
    fs::write(dir.path().join("damaged"), format!("{first}\n{{\"id\":\n{second}"))
        .expect("written");
    let found = record(&inputs(&dir, &["damaged"]), 2, 1 << 16);
    let [(number, line, _, FaultKind::Skipped, message)] = found.faults.as_slice() else {
        panic!("{:?}", found.faults);
    };
    assert_eq!((*number, *line, found.failures.len()), (2, 2, 0));
    assert!(message.contains("not JSON"), "{message}");
    fs::write(dir.path().join("cut"), &list[..list.len() - 1]).expect("written");
    check_failure(&["cut"], &dir, &["the list of games is cut off"]);
    fs::write(dir.path().join("other"), "{\"shards\": []}").expect("written");
    check_failure(&["other"], &dir, &["it is JSON, but not as Lichess"]);
}

#[test]
fn names_patterns_and_directories_mean_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let files = [
        "b.pgn",
        "a.pgn",
        "a.PGN.Gz",
        "notes.txt",
        "x.gz",
        ".hidden.pgn",
        "sub/z.epd",
        "sub/deep/q.csv.zst",
        "sub/.git/r.pgn",
        "later.zip",
        "[1].pgn",
    ];
    for name in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, "").expect("written");
    }
    let check = |names: &[&str], expected: &[&str]| {
        let inputs = inputs(&dir, names);
        let found: Vec<String> = inputs
            .items
            .iter()
            .map(|item| {
                let name = item.name();
                let name = Path::new(&name).strip_prefix(dir.path()).expect("inside");
                name.to_string_lossy().into_owned()
            })
            .collect();
        assert_eq!(found, expected, "{names:?}");
    };
    check(
        &[""],
        &["[1].pgn", "a.PGN.Gz", "a.pgn", "b.pgn", "later.zip", "sub/z.epd", "sub/deep/q.csv.zst"],
    );
    check(&["*.pgn"], &["[1].pgn", "a.pgn", "b.pgn"]);
    check(&["[ab].pgn"], &["a.pgn", "b.pgn"]);
    check(&["[1].pgn"], &["[1].pgn"]);
    check(&["s*"], &["sub/z.epd", "sub/deep/q.csv.zst"]);
    check(&["**/*.epd"], &["sub/z.epd"]);
    // Each file is found once, however it is reached.
    check(&["b.pgn", "notes.txt", "b.pgn"], &["b.pgn", "notes.txt"]);
    check(&["b.pgn", "sub/../b.pgn", "?.pgn"], &["b.pgn", "a.pgn"]);
    check(&["sub", "**/*.epd"], &["sub/z.epd", "sub/deep/q.csv.zst"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(dir.path().join("b.pgn"), dir.path().join("soft.pgn")).expect("linked");
        symlink(dir.path(), dir.path().join("sub/up")).expect("linked");
        fs::hard_link(dir.path().join("b.pgn"), dir.path().join("hard.pgn")).expect("linked");
        check(&["[bhs]*.pgn"], &["b.pgn"]);
        check(&["hard.pgn", "soft.pgn", "b.pgn"], &["hard.pgn"]);
        check(&["**/z.epd"], &["sub/z.epd"]);
        check(&["sub/up/sub/*.epd", "sub"], &["sub/up/sub/z.epd", "sub/deep/q.csv.zst"]);
    }
}

#[test]
fn databases_that_cannot_be_read_have_a_cause() {
    let dir = tempfile::tempdir().expect("a directory");
    let check = |name: &str, bytes: &[u8], is_expected: fn(&Error) -> bool| {
        fs::write(dir.path().join(name), bytes).expect("written");
        let inputs = inputs(&dir, &[name]);
        let mut failures = Vec::new();
        let mut sink = |out: Output<Written>| {
            failures.extend(out.failure);
            Ok(())
        };
        flow::run(inputs.sources(), &RunOptions::default(), || Recorder, &mut sink).expect("a run");
        // Each member of an archive has its own error.
        let mut causes = failures.iter().map(|error| error.cause().downcast_ref());
        assert!(!failures.is_empty(), "{name}");
        assert!(causes.all(|cause| cause.is_some_and(is_expected)), "{name}: {failures:?}");
    };
    let index = include_bytes!("scid/sample.si4");
    check(
        "alone.si4",
        index,
        |cause| matches!(cause, Error::ScidAlone(missing) if *missing == ["alone.sn4", "alone.sg4"]),
    );
    check("cut.si4", &index[..100], |cause| matches!(cause, Error::ScidCutOff(None)));
    fs::write(dir.path().join("end.sn4"), include_bytes!("scid/sample.sn4")).expect("written");
    fs::write(dir.path().join("end.sg4"), include_bytes!("scid/sample.sg4")).expect("written");
    check("end.si4", &index[..index.len() - 1], |cause| {
        matches!(cause, Error::ScidCutOff(Some(2)))
    });
    fs::write(dir.path().join("end.sg4"), b"").expect("written");
    check("end.si4", index, |cause| matches!(cause, Error::ScidMoves { at: 0, n_games: 3 }));
    let table = include_bytes!("parquet/first.parquet");
    check("a.parquet", &table[..table.len() - 1], |cause| matches!(cause, Error::TableCutOff));
    let mut damaged = table.to_vec();
    damaged[4..60].fill(0xff);
    check("b.parquet", &damaged, |cause| matches!(cause, Error::TableRow { n_read: 0, .. }));
    let archive = include_bytes!("sevenzip/copy.7z");
    check("a.7z", &archive[..archive.len() - 1], |cause| matches!(cause, Error::SevenZipCutOff));
    let mut damaged = archive.to_vec();
    damaged[40] ^= 1;
    check("b.7z", &damaged, |cause| matches!(cause, Error::MemberChecksum));
    let encrypted = include_bytes!("sevenzip/enc.7z");
    check("c.7z", encrypted, |cause| matches!(cause, Error::EncryptedMember));
    check(
        "d.7z",
        include_bytes!("sevenzip/ppmd.7z"),
        |cause| matches!(cause, Error::UnreadMethod(method) if method == "PPMd"),
    );
}

#[test]
fn names_that_were_given_before_are_known() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("a.pgn"), games(1)).expect("written");
    let given = [dir.path().to_owned(), dir.path().join("./a.pgn")];
    let inputs = Inputs::find(&given, ReadOptions::default(), None, &Cancel::default())
        .expect("not cancelled");
    let first = dir.path().join("a.pgn");
    assert_eq!(inputs.repeated(), [(given[1].clone(), first)]);
    // No output may replace it all the same.
    assert_eq!(inputs.named().next(), Some(given[1].as_path()));
}

#[test]
fn nothing_is_found_when_nothing_is_wanted() {
    let cancelled = Cancel::default();
    cancelled.cancel();
    let here = [PathBuf::from(".")];
    assert!(Inputs::find(&here, ReadOptions::default(), None, &cancelled).is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn a_named_pipe_that_nobody_writes_to_keeps_nobody_waiting() {
    let cancelled = Cancel::default();
    cancelled.cancel();
    let dir = tempfile::tempdir().expect("a directory");
    let made = std::process::Command::new("mkfifo").arg(dir.path().join("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let item = PendingInput::Named(dir.path().join("pipe"), None);
    let reading = Reading { cancel: cancelled, ..Reading::default() };
    assert!(open::open("pipe", &item, &reading, &Meter::default()).is_err());
}

#[test]
fn an_older_result_in_a_directory_is_not_searched() {
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["a.pgn", "out.pgn"] {
        fs::write(dir.path().join(name), games(1)).expect("written");
    }
    let output = dir.path().join("out.pgn");
    let names = |names: &[PathBuf]| {
        let inputs =
            Inputs::find(names, ReadOptions::default(), Some(output.as_path()), &Cancel::default())
                .expect("not cancelled");
        (inputs.items.len(), inputs.named().next() == Some(&*output))
    };
    assert_eq!(names(&[dir.path().to_owned()]), (1, false));
    assert_eq!(names(&[dir.path().join("*.pgn")]), (1, false));
    assert_eq!(names(std::slice::from_ref(&output)), (1, true));
}

#[test]
fn sizes_are_known_where_there_are_files_only() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("a.pgn"), games(2)).expect("written");
    let size = games(2).len() as u64;
    fs::write(dir.path().join("b.pgn"), games(2)).expect("written");
    let both = inputs(&dir, &["a.pgn", "b.pgn"]);
    assert_eq!((both.size(), both.name()), (Some(2 * size), "2 files"));
    record(&both, 1, 1 << 16);
    assert!(both.meter().read() >= 2 * size);
    let stdin =
        Inputs::find(&[PathBuf::from("-")], ReadOptions::default(), None, &Cancel::default())
            .expect("not cancelled");
    assert_eq!((stdin.size(), stdin.name()), (None, "standard input"));
    let stdin =
        Inputs::find(&[], ReadOptions::default(), None, &Cancel::default()).expect("not cancelled");
    assert_eq!((stdin.size(), stdin.name()), (None, "standard input"));
}

#[test]
fn databases_of_scid_are_found_and_protected() {
    let dir = tempfile::tempdir().expect("a directory");
    let [index, names, moves] = ["a.si4", "a.sn4", "a.sg4"].map(|name| dir.path().join(name));
    fs::write(&index, include_bytes!("scid/sample.si4")).expect("written");
    fs::write(&names, include_bytes!("scid/sample.sn4")).expect("written");
    fs::write(&moves, include_bytes!("scid/sample.sg4")).expect("written");
    fs::write(dir.path().join("a.pgn"), include_bytes!("scid/sample.pgn")).expect("written");
    let pgn = record(&inputs(&dir, &["a.pgn"]), 1, 1 << 16);
    let database = inputs(&dir, &["a.si4"]);
    assert_eq!(record(&database, 2, 100), pgn);
    assert_eq!(database.meter().read(), fs::metadata(&index).expect("a file").len());
    let directory = inputs(&dir, &["."]);
    assert_eq!(directory.name(), "2 files");
    let encoding = TextEncoding::from_option("latin1").expect("a name");
    let how = ReadOptions { encoding, ..ReadOptions::default() };
    let latin = Inputs::find(std::slice::from_ref(&index), how, None, &Cancel::default());
    let latin = record(&latin.expect("not cancelled"), 1, 1 << 16).text;
    assert!(String::from_utf8_lossy(&latin).contains("[Site \"KÃ¶ln\"]"));
    for file in [&index, &names, &moves] {
        let error = directory.originals().refuse(file).expect_err("it is read").to_string();
        assert!(error.contains("would overwrite the input"), "{error}");
    }
    let check = |name: &str, bytes: &[u8], expected: &str| {
        fs::write(dir.path().join(name), bytes).expect("written");
        let failures = record(&inputs(&dir, &[name]), 1, 1 << 16).failures;
        assert!(failures.iter().any(|failure| failure.contains(expected)), "{failures:?}");
    };
    let bytes = fs::read(&index).expect("the index");
    check("b.si4", &bytes, "b.sn4 and b.sg4 is not beside it");
    check("a.si4.gz", &gzip(&bytes), "not compressed");
    check("a.zip", &zip(&[("a.si4", &bytes)]), "not compressed");
    check("b.sn4", &fs::read(&names).expect("names"), "by the name of its `.si4`");
    fs::write(&names, b"").expect("written");
    assert!(record(&database, 1, 100).failures[0].contains("they are cut off"));
}

#[test]
fn tables_in_parquet_are_found_and_need_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let table = include_bytes!("parquet/first.parquet");
    fs::write(dir.path().join("a.parquet"), table).expect("written");
    fs::write(dir.path().join("a.pgn"), include_bytes!("parquet/sample.pgn")).expect("written");
    let pgn = record(&inputs(&dir, &["a.pgn"]), 1, 1 << 16);
    assert_eq!(record(&inputs(&dir, &["a.parquet"]), 2, 100), pgn);
    assert_eq!(inputs(&dir, &["."]).name(), "2 files");
    let needs = "can be read only from a file that is not compressed";
    for (name, bytes) in [("a.gz", gzip(table)), ("a.zip", zip(&[("a.parquet", table)]))] {
        fs::write(dir.path().join(name), bytes).expect("written");
        let failures = record(&inputs(&dir, &[name]), 1, 1 << 16).failures;
        assert!(failures[0].contains(needs), "{name}: {failures:?}");
    }
    let (how, cancel) = (ReadOptions::default(), Cancel::default());
    let mut pipe = Inputs::of_reader("pipe", &table[..], how, &cancel);
    pipe.keep().expect("kept");
    assert_eq!(record(&pipe, 1, 100), pgn);
    let pipe = Inputs::of_reader("pipe", &table[..], how, &cancel);
    assert!(record(&pipe, 1, 100).failures[0].contains(needs));
}

/// Archives that 7-Zip made of the same files: three with games, one of them in a folder, an empty
/// one, and one of another kind.
const SEVEN_ZIP: [(&str, &[u8]); 7] = [
    ("lzma.7z", include_bytes!("sevenzip/lzma.7z")),
    ("lzma2.7z", include_bytes!("sevenzip/lzma2.7z")),
    ("bzip2.7z", include_bytes!("sevenzip/bzip2.7z")),
    ("deflate.7z", include_bytes!("sevenzip/deflate.7z")),
    ("copy.7z", include_bytes!("sevenzip/copy.7z")),
    ("multi.7z", include_bytes!("sevenzip/multi.7z")),
    ("plain.7z", include_bytes!("sevenzip/plain.7z")),
];

/// Writes an archive of one member, `a.pgn`.
fn seven_zip(coder: &[u8], packed: &[u8], size: u64, crc: u32) -> Vec<u8> {
    let number = |number: u64| [&[0xff][..], &number.to_le_bytes()].concat();
    let name: Vec<u8> = "a.pgn\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let header = [
        &[1, 4, 6, 0, 1, 9][..],
        &number(packed.len() as u64),
        &[0, 7, 11, 1, 0, 1],
        coder,
        &[12],
        &number(size),
        &[10, 1],
        &crc.to_le_bytes(),
        &[0, 0, 5, 1, 17, 13, 0],
        &name,
        &[0, 0],
    ];
    with_header(packed, &header.concat())
}

/// Writes an archive with a list of members.
fn with_header(packed: &[u8], header: &[u8]) -> Vec<u8> {
    let place = [(packed.len() as u64).to_le_bytes(), (header.len() as u64).to_le_bytes()].concat();
    let place = [&place[..], &sum(header).to_le_bytes()].concat();
    let head = [&b"7z\xbc\xaf\x27\x1c\0\x04"[..], &sum(&place).to_le_bytes(), &place].concat();
    [&head[..], packed, header].concat()
}

fn sum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[test]
fn archives_of_7_zip_are_read_in_order() {
    let dir = tempfile::tempdir().expect("a directory");
    let read = |name: &str, bytes: &[u8]| {
        fs::write(dir.path().join(name), bytes).expect("written");
        record(&inputs(&dir, &[name]), 2, 100)
    };
    let c: String = (1..=300).map(|i| format!("{i} ")).collect();
    let c = format!("[Event \"c\"]\n\n1. c4 {{{c}}} *\n");
    let texts = ["[Event \"a\"]\n\n1. e4 e5 *\n", &c, "[Event \"b\"]\n\n1. d4 d5 *\n"];
    let expected: String = texts
        .iter()
        .enumerate()
        .map(|(i, text)| format!("{} 0 {}", i + 1, text.trim_end()))
        .collect();
    for (name, bytes) in SEVEN_ZIP {
        let found = read(name, bytes);
        assert_eq!(
            (String::from_utf8_lossy(&found.text), found.failures),
            (expected.as_str().into(), vec![]),
            "{name}"
        );
        // A pipe has no end to begin with.
        let pipe = Inputs::of_reader("pipe", bytes, ReadOptions::default(), &Cancel::default());
        assert!(
            record(&pipe, 1, 100).failures[0].contains("a 7z archive cannot be read from a pipe")
        );
    }
    let check = |name: &str, bytes: &[u8], part: &str| {
        let failures = read(name, bytes).failures;
        assert!(failures.iter().any(|failure| failure.contains(part)), "{name}: {failures:?}");
    };
    check("ppmd.7z", include_bytes!("sevenzip/ppmd.7z"), "compressed by PPMd, which is not read");
    check("enc.7z", include_bytes!("sevenzip/enc.7z"), "encrypted in the archive");
    check("names.7z", include_bytes!("sevenzip/names.7z"), "encrypted in the archive");
    let (text, copy) = (texts[0].as_bytes(), [1, 0]);
    let (n, crc) = (text.len() as u64, sum(text));
    let whole = seven_zip(&copy, text, n, crc);
    assert_eq!(read("own.7z", &whole).failures, [""; 0]);
    check("sum.7z", &seven_zip(&copy, text, n, crc ^ 1), "its checksum differs");
    check("short.7z", &seven_zip(&copy, text, n + 1, crc), "its data are cut off");
    check("cut.7z", &whole[..whole.len() - 1], "the 7z archive is cut off");
    check("list.7z", &with_header(text, b"\x01\x04\x06"), "its list of members cannot be read");
    check("none.7z", &with_header(b"", b""), "the archive holds no file whose name ends in");
    let dictionary = "its dictionary, more than 256 MiB, takes too much memory";
    check("lzma2 size.7z", &seven_zip(&[0x21, 0x21, 1, 40], text, 1 << 40, 0), dictionary);
    let lzma = [0x23, 3, 1, 1, 5, 0x5d, 0xff, 0xff, 0xff, 0xff];
    check("lzma size.7z", &seven_zip(&lzma, text, 1 << 40, 0), dictionary);
    check(
        "properties.7z",
        &seven_zip(&[0x23, 3, 1, 1, 1, 0x5d], text, n, 0),
        "its list of members",
    );
    let zeros = zstd(&vec![b' '; 101 << 20]);
    let zstd = [0x04, 4, 0xf7, 0x11, 1];
    check("bomb.7z", &seven_zip(&zstd, &zeros, 101 << 20, 0), "more than 200 times its size");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn damaged_archives_of_7_zip_do_no_harm(
        i in 0usize..7,
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 1..4),
        is_repaired in any::<bool>(),
    ) {
        let mut archive = SEVEN_ZIP[i].1.to_vec();
        let whole = archive.clone();
        let at = at.index(archive.len());
        for (place, byte) in archive[at..].iter_mut().zip(bytes) {
            *place = byte;
        }
        if is_repaired {
            // The list of members has a checksum, which would hide most damage of it.
            let offset = u64::from_le_bytes(whole[12..20].try_into().expect("eight bytes"));
            let (packed, header) = archive[32..].split_at(offset as usize);
            archive = with_header(packed, header);
        }
        let dir = tempfile::tempdir().expect("a directory");
        for (name, bytes) in [("whole", &whole), ("damaged", &archive)] {
            fs::write(dir.path().join(name), bytes).expect("written");
        }
        let damaged = record(&inputs(&dir, &["damaged"]), 1, 1 << 16);
        let whole = record(&inputs(&dir, &["whole"]), 1, 1 << 16);
        // Names and times of files may be damaged without being missed.
        prop_assert!(is_repaired || !damaged.failures.is_empty() || damaged == whole);
    }
}

#[test]
fn a_file_is_called_as_its_reader_says() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a.pgn"), b"[White \"a\"]\n\n1. e4 *\n").expect("written");
    for name in ["a.pgn", "none.pgn"] {
        let mut inputs = inputs(&dir, &[name]);
        inputs.call(&dir.path().join(name), "mine.pgn");
        assert_eq!(inputs.name(), "mine.pgn");
        assert_eq!(inputs.missing().is_some(), name == "none.pgn");
        assert!(inputs.missing().is_none_or(|missing| &*missing.name == "mine.pgn"));
        let names = inputs.sources().map(|source| match source {
            Ok(source) => source.name,
            Err(unreadable) => unreadable.name,
        });
        assert_eq!(names.map(|name| name.to_string()).collect::<Vec<_>>(), ["mine.pgn"]);
    }
}
