use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;

use super::super::Meter;
use super::super::converted::AsPgn;
use super::*;

/// Tables that pyarrow made: Snappy with dictionaries, Zstandard with pages of the second version,
/// LZ4 with differences, Snappy with texts that share their first bytes with the one before.
const SAMPLES: [&[u8]; 4] = [
    include_bytes!("first.parquet"),
    include_bytes!("second.parquet"),
    include_bytes!("delta.parquet"),
    include_bytes!("prefixes.parquet"),
];

/// These games with lists of moves, compressed by gzip.
const LISTS: &[u8] = include_bytes!("lists.parquet");

/// Their text.
const GAMES: &str = include_str!("sample.pgn");

fn input(bytes: &[u8]) -> CountedInput {
    let bytes: &'static [u8] = bytes.to_vec().leak();
    CountedInput::new(Arc::new(bytes), &Meter::default())
}

/// Reads a table: its text, at most a megabyte, and the error at its end.
fn read(bytes: &[u8]) -> Result<(String, Option<String>), String> {
    let mut text = Vec::new();
    let table = open(input(bytes), 1000).map_err(|error| error.to_string())?;
    let end = AsPgn::new(table).take(1 << 20).read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok((text, end.err().map(|error| error.to_string())))
}

#[test]
fn rows_become_games() {
    for sample in SAMPLES {
        assert_eq!(read(sample), Ok((GAMES.to_owned(), None)));
    }
    let moves = GAMES.replace("1. e4 { [%clk 0:03:00] } c5 2. Nf3", "e4 c5 Nf3");
    let mut games: Vec<&str> = moves.split_inclusive("\n\n").collect();
    // A game is two parts; the seventh one has no list.
    games[13] = "1/2-1/2\n\n";
    let moves = games.concat().replace("1. d4 d5", "d4 d5");
    assert_eq!(read(LISTS), Ok((moves, None)));
}

#[test]
fn columns_become_tags() {
    let check = |column: &str, tag: &str| assert_eq!(tag_of(column), tag);
    check("White", "White");
    check("WhiteElo", "WhiteElo");
    check("white", "White");
    check("white_elo", "WhiteElo");
    check("white_rating", "WhiteElo");
    check("black_rating_diff", "BlackRatingDiff");
    check("utc_date", "UTCDate");
    check("eco", "ECO");
    check("time control", "TimeControl");
    check("a\"]\n[b", "AB");
    check("A\"] [b", "A____b");
}

#[test]
fn what_cannot_be_read_is_named() {
    let check = |bytes: &[u8], part: &str| {
        let error = match read(bytes) {
            Err(error) | Ok((_, Some(error))) => error,
            Ok((text, None)) => panic!("{text}"),
        };
        assert!(error.contains(part), "{error}");
    };
    let [first, second, ..] = SAMPLES;
    check(b"PAR1", "is cut off: it does not end with `PAR1`");
    check(&first[..first.len() - 1], "is cut off");
    let mut long = first.to_vec();
    let at = long.len() - 8;
    long[at..at + 4].copy_from_slice(&[0xff; 4]);
    check(&long, "cannot have 4294967295 bytes");
    // The new name replaces one of equal length, in the schema and in the paths of columns.
    let renamed = |from: &[u8], to: &[u8]| {
        let mut bytes = first.to_vec();
        for at in 0..bytes.len() - from.len() {
            if bytes[at..].starts_with(from) {
                bytes[at..at + to.len()].copy_from_slice(to);
            }
        }
        bytes
    };
    check(&renamed(b"movetext", b"comments"), "has no column `pgn`, `movetext` or `moves`");
    check(&renamed(b"movetext", b"movedata"), "are in an encoding of their own");
    let mut numbers = renamed(b"movetext", b"comments");
    let at = numbers.windows(8).position(|part| part == b"WhiteElo").expect("a column");
    numbers[at..at + 8].copy_from_slice(b"movetext");
    check(&numbers, "its moves are neither texts nor lists");
    let cut = [&second[..second.len() / 3], &second[second.len() / 2..]].concat();
    check(&cut, "the table in Parquet cannot be read after row ");
}

#[test]
fn pages_are_unpacked_within_their_size() {
    let check = |codec: i64, packed: &[u8], n: usize, expected: Option<&[u8]>| {
        let mut page = b"levels".to_vec();
        let outcome = codec::unpack(codec, packed, n, &mut page);
        match expected {
            Some(expected) => assert_eq!(&page[6..], expected, "{codec} {outcome:?}"),
            None => assert!(outcome.is_err() || page.len() != n + 6, "{codec}"),
        }
        assert!(page.len() <= n + 7);
    };
    // "Wikipedia" with its own copy, and a copy that repeats itself.
    check(1, b"\x03\x08abc", 3, Some(b"abc"));
    check(1, b"\x09\x08abc\x09\x03", 9, Some(b"abcabcabc"));
    check(1, b"\x06\x00a\x12\x01\x00", 6, Some(b"aaaaaa"));
    check(1, b"\x06\x00a\x13\x01\x00\x00\x00", 6, Some(b"aaaaaa"));
    let long = [&b"\x3d\xf0\x3c"[..], &[b'x'; 61]].concat();
    check(1, &long, 61, Some(&[b'x'; 61]));
    check(1, b"\x09\x08abc\x09\x03", 8, None);
    check(1, b"\x09\x08abc\x09\x04", 9, None);
    check(1, b"\x09\x08abc\x09\x00", 9, None);
    check(1, b"\x03\xfc\xff\xff\xff\xffabc", 3, None);
    check(1, b"\x03\x08ab", 3, None);
    check(1, b"", 3, None);
    let bomb = zstd::encode_all(&vec![0; 1 << 20][..], 1).expect("packed");
    check(6, &bomb, 100, None);
    check(7, b"\x30abc", 3, Some(b"abc"));
    check(7, b"\x30abc", 2, None);
    check(4, b"", 0, None);
}

/// Writes tables with all encodings and compressions that are read, and the text that they must have.
const WRITER: &str = r#"
import datetime as dt, os, sys
import duckdb, polars, pyarrow as pa, pyarrow.parquet as pq
os.chdir(sys.argv[1])
n = 3000
results = ["1-0", "0-1", "1/2-1/2", "*"]
rows = [{
    "Event": "Open", "White": None if i % 11 == 0 else f"w{i % 700}", "Black": f"b{i * 7919}",
    "Result": results[i % 4], "WhiteElo": None if i % 3 == 0 else 1500 + i % 900,
    "UTCDate": dt.date(1900 + i % 120, 1 + i % 12, 1 + i % 28), "UTCTime": dt.time(i % 24, i % 60, 7),
    "Rated": None if i % 5 == 0 else i % 2 == 0, "Score": None if i % 17 == 0 else i / 8,
    "movetext": " ".join(f"{k}. Nf3 Nf6" for k in range(1, i % 40 + 2)) + f" {{ {i} }} " + results[i % 4],
} for i in range(n)]
with open("expected.pgn", "w") as out:
    for row in rows:
        for name, value in list(row.items())[:-1]:
            if value is None: continue
            if isinstance(value, bool): value = str(value).lower()
            if isinstance(value, float): value = f"{value:g}"
            if isinstance(value, dt.date): value = value.strftime("%Y.%m.%d")
            if name == "UTCDate": out.write(f'[Date "{value}"]\n')
            out.write(f'[{name} "{value}"]\n')
        out.write("\n" + row["movetext"] + "\n\n")
table = pa.Table.from_pylist(rows)
for codec in "none", "snappy", "gzip", "zstd", "lz4":
    for version in "1.0", "2.0":
        for dictionary in True, False:
            pq.write_table(table, f"pyarrow-{codec}-{version}-{dictionary}.parquet", compression=codec,
                data_page_version=version, use_dictionary=dictionary, row_group_size=1100,
                data_page_size=4000, dictionary_pagesize_limit=9000, write_batch_size=50)
texts = "Event", "White", "Black", "Result", "movetext"
for version in "1.0", "2.0":
    for of_texts in "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY":
        encodings = {name: of_texts for name in texts} | {"WhiteElo": "DELTA_BINARY_PACKED"}
        pq.write_table(table, f"pyarrow-{of_texts}-{version}.parquet", data_page_version=version,
            use_dictionary=False, column_encoding=encodings, data_page_size=4000)
polars.from_arrow(table).write_parquet("polars.parquet")
database = duckdb.connect()
database.register("games", table)
for version in "v1", "v2":
    database.execute(f"copy games to 'duckdb-{version}.parquet' (parquet_version {version})")
"#;

#[test]
fn tables_of_other_programs_are_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut modules = Command::new(&python);
    modules.args(["-c", "import duckdb, polars, pyarrow"]);
    if !modules.output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with duckdb, polars and pyarrow is not installed");
        return;
    }
    let output = Command::new(&python).args(["-c", WRITER]).arg(dir.path()).output();
    let output = output.expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = |path: &Path| fs::read(path).expect("a file");
    let expected = String::from_utf8(bytes(&dir.path().join("expected.pgn"))).expect("text");
    let files = fs::read_dir(dir.path()).expect("a directory");
    let tables: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    let tables =
        tables.iter().filter(|path| path.extension().is_some_and(|ending| ending == "parquet"));
    let mut n = 0;
    for path in tables {
        let mut text = Vec::new();
        let table = open(input(&bytes(path)), 1000).expect("a table");
        AsPgn::new(table).read_to_end(&mut text).unwrap_or_else(|error| panic!("{path:?} {error}"));
        assert!(text == expected.as_bytes(), "{path:?}");
        n += 1;
    }
    assert_eq!(n, 27);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn damage_does_no_harm(
        sample in 0usize..5,
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 1..5),
    ) {
        let mut table = SAMPLES.get(sample).unwrap_or(&LISTS).to_vec();
        let at = at.index(table.len());
        for (place, byte) in table[at..].iter_mut().zip(bytes) {
            *place = byte;
        }
        let _ = read(&table);
    }
}
