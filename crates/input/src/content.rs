//! Detects the contents of a file from its first bytes.

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::encoded::TextEncoding;
use super::error::Error;
use super::format::{COMPRESSED, InputFormat};
use super::mark::without_mark;
use super::{ReadOptions, json, positions, puzzles, tar};

/// Number of bytes examined.
pub(super) const HEAD: usize = 4096;

/// Compression or encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Zstd,
    Gzip,
    Bzip2,
    Xz,
    Lz4,
    Zip,
    Tar,
    SevenZip,
    /// A table, which needs random access.
    Parquet,
    /// A packed database of ChessBase, which needs random access.
    ChessBase,
    /// Not compressed, but in an encoding that must be converted.
    Encoded(TextEncoding),
    /// Games in JSON that are not each on a line, with a number of brackets around each.
    Json(usize),
}

/// First bytes of files that cannot hold games, with their descriptions.
const FOREIGN: [(&[u8], &str); 16] = [
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3\0", "an SQLite database: write its games as PGN"),
    (b"PARE", "an encrypted table in Parquet: write it without encryption"),
    (b"\x7fELF", "a program"),
    (b"\0\0\x24\0\x2e\x01", CHESSBASE),
    (b"\0\0\x2c\0\x2e\x01", CHESSBASE),
    (b"Scid.si", SCID),
    (b"Scid.sn", SCID),
    (b"Rar!\x1a\x07", "compressed by RAR: decompress it first"),
    (b"\x02\x21\x4c\x18", "compressed in the old format of LZ4: decompress it first"),
    (b"<!DOCTYPE", "a web page"),
    (UTF_32LE_MARK, UTF_32),
    (b"\0\0\xfe\xff", UTF_32),
];

/// The byte order mark of UTF-32, which begins with that of UTF-16.
const UTF_32LE_MARK: &[u8] = b"\xff\xfe\0\0";
const UTF_32: &str = "text in UTF-32: save it in UTF-8";

const SCID: &str = "part of a Scid database, which is read by the name of its `.si4` or `.si5` file \
                    if all three files are in one folder, not compressed";
const CHESSBASE: &str = "part of a ChessBase database, which is read by the name of its `.cbh` \
                         file if all its files are in one folder, not compressed";
const BOOK: &str = "an opening book, which has no games: search the games it was made from";

/// Endings of other files that are not text, with their descriptions. Their first bytes tell little.
const FOREIGN_ENDINGS: [(&[&str], &str); 8] = [
    (
        &["cbh"],
        "the `.cbh` file of a ChessBase database, but damaged, or compressed without the other \
         files: copy the whole database again",
    ),
    (&["cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj", "cbl", "cbm", "cbtt"], CHESSBASE),
    (
        &["2cbh", "2cbg"],
        "part of a ChessBase database of the new kind: copy the games to a `.cbh` database, or \
         export them as PGN, in ChessBase",
    ),
    (&["cbf", "cbi"], "a database of ChessBase 5 or earlier: convert it in ChessBase"),
    (
        &["cbz"],
        "an archive of ChessBase with a password, which encrypts it: open it in ChessBase with the \
         password, and save it as `.cbv`",
    ),
    (&["si3", "si4", "si5", "sn3", "sn4", "sn5", "sg3", "sg4", "sg5"], SCID),
    (&["ctg", "ctb", "cto", "abk", "obk"], BOOK),
    (&["cdb"], "a database of another chess program: export the games as PGN there"),
];

/// Whether this is the beginning of a book of Polyglot: its entries have 16 bytes, and begin with keys
/// that ascend. A move follows each key but 0, after which some books have words about themselves.
/// Many other files end in `.bin`, and may ascend, too: few of them have only moves there.
fn begins_book(head: &[u8]) -> bool {
    let (entries, rest) = head.as_chunks::<16>();
    let of_positions = entries.iter().filter(|entry| entry[..8] != [0; 8]);
    let moves = of_positions.map(|entry| u16::from_be_bytes([entry[8], entry[9]]));
    // Some programs write 0 for a move that they have removed.
    let is_removed = |mv: &u16| *mv == 0;
    rest.is_empty()
        && entries.iter().map(|entry| &entry[..8]).is_sorted()
        && moves.clone().all(|mv| is_removed(&mv) || is_book_move(mv))
        && moves.clone().any(|mv| !is_removed(&mv))
}

/// Whether these bits are a move of Polyglot: two squares that differ, and no piece, or the one to which
/// a pawn promotes.
fn is_book_move(mv: u16) -> bool {
    let [to, from, piece] = [mv & 0x3f, mv >> 6 & 0x3f, mv >> 12];
    to != from && piece <= 4
}

/// Describes a file by the ending of its name, without that of a compression.
fn foreign_ending(name: &str, head: &[u8]) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    if name.ends_with(".bin") && begins_book(head) {
        return Some(BOOK);
    }
    let (mut stem, mut ending) = name.rsplit_once('.')?;
    if COMPRESSED.contains(&ending) {
        (stem, ending) = stem.rsplit_once('.')?;
    }
    let known = FOREIGN_ENDINGS.iter().find(|(endings, _)| endings.contains(&ending));
    known.filter(|_| !stem.is_empty()).map(|(_, what)| *what)
}

const NO_TEXT: &str = "neither text nor compressed in a known format; if it does hold games, use \
                       `--input-format pgn`";

/// Whether the lines of a text with this beginning end with CR alone.
pub(super) fn has_old_line_ends(head: &[u8]) -> bool {
    head.contains(&b'\r') && !head.contains(&b'\n')
}

/// Returns the compression of a file that begins with a signature.
fn packing_by_mark(head: &[u8]) -> Option<Packing> {
    Some(match head {
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
        [0x1f, 0x8b, ..] => Packing::Gzip,
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Packing::Bzip2,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Packing::Xz,
        [0x04, 0x22, 0x4d, 0x18, ..] => Packing::Lz4,
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Packing::SevenZip,
        [b'P', b'A', b'R', b'1', ..] => Packing::Parquet,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Packing::Zip,
        [0xff, 0xfe, ..] if !head.starts_with(UTF_32LE_MARK) => {
            Packing::Encoded(TextEncoding(UTF_16LE))
        }
        [0xfe, 0xff, ..] => Packing::Encoded(TextEncoding(UTF_16BE)),
        [8, 0, _, _, 0xad, 0, 3, 0, ..] => Packing::ChessBase,
        _ if tar::is_header(head) => Packing::Tar,
        _ => return None,
    })
}

/// Returns the compression or encoding of a file with this name and beginning. Fails if the file cannot hold
/// games, unless the user specifies its format and only a heuristic contradicts that.
pub(super) fn packing(name: &str, head: &[u8], how: &ReadOptions) -> Result<Packing, Error> {
    Ok(match packing_by_mark(head) {
        Some(packing) => packing,
        None => {
            let known = FOREIGN.iter().find(|(magic, _)| head.starts_with(magic));
            let is_doubtful = how.format.is_none() && how.encoding.is_none() && is_binary(head);
            let ending = foreign_ending(name, head).filter(|_| is_doubtful);
            let what = match known.map(|(_, what)| *what).or(ending) {
                Some(what) => what,
                None if has_nul_bytes(head, 1) => {
                    return Ok(Packing::Encoded(TextEncoding(UTF_16LE)));
                }
                None if has_nul_bytes(head, 0) => {
                    return Ok(Packing::Encoded(TextEncoding(UTF_16BE)));
                }
                None => match how.encoding {
                    Some(encoding) => return Ok(Packing::Encoded(encoding)),
                    None if is_doubtful && !is_told(head) => NO_TEXT,
                    None if !matches!(how.format, None | Some(InputFormat::Json)) => {
                        return Ok(Packing::Plain);
                    }
                    None => {
                        return Ok(json::n_around(head).map_or(Packing::Plain, Packing::Json));
                    }
                },
            };
            return Err(Error::Foreign(what));
        }
    })
}

/// Whether these first bytes of a slow stream determine its contents, whatever follows.
pub(super) fn is_told(head: &[u8]) -> bool {
    let is_packed = packing_by_mark(head).is_some();
    let text = without_mark(head);
    let is_blank = |line: &&[u8]| line.trim_ascii().is_empty();
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let first = lines.find(|line| !is_blank(line));
    is_packed && head.len() >= 8
        || first.and_then(|line| line.strip_suffix(b"\n")).is_some_and(|line| {
            let line = line.trim_ascii_end();
            let is_known = line.starts_with(b"[") && line.ends_with(b"\"]")
                || json::is_game(line)
                || puzzles::is_header(line)
                || positions::is_position(line) == Some(true);
            is_known && !line.iter().any(u8::is_ascii_control)
        })
}

/// Whether in nearly every pair of bytes only the byte `nul` is NUL, as in Latin text in UTF-16
/// without a byte order mark.
fn has_nul_bytes(head: &[u8], nul: usize) -> bool {
    let pairs = head.chunks_exact(2).take(32);
    let n = pairs.clone().count();
    let n_such = pairs.filter(|pair| pair[nul] == 0 && pair[1 - nul] != 0).count();
    n >= 4 && n_such * 4 >= n * 3
}

/// Whether these bytes are not text. A few stray control characters are allowed.
pub(super) fn is_binary(head: &[u8]) -> bool {
    // All but white space, escape and the end of files in DOS.
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0x0e..=0x19 | 0x1c..=0x1f);
    let n_controls = head.iter().filter(is_control).count();
    n_controls > 2 && n_controls * 32 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the packing, or the message of the error.
    fn packing(name: &str, head: &[u8], how: &ReadOptions) -> Result<Packing, String> {
        super::packing(name, head, how).map_err(|error| error.to_string())
    }

    fn check_packing(head: &[u8], expected: Result<Packing, &str>) {
        match (packing("a", head, &ReadOptions::default()), expected) {
            (Err(found), Err(part)) => assert!(found.contains(part), "{found}"),
            (found, expected) => assert_eq!(found, expected.map_err(str::to_owned), "{head:?}"),
        }
    }

    #[test]
    fn packing_is_told_from_the_first_bytes() {
        check_packing(b"", Ok(Packing::Plain));
        check_packing(b"[Event \"a\"]\n", Ok(Packing::Plain));
        check_packing(b"1. e4 \0 e5 \0 *\n\x1a and more text", Ok(Packing::Plain));
        check_packing("[White \"Ångström\"]".as_bytes(), Ok(Packing::Plain));
        check_packing(b"BZh is how a comment may begin", Ok(Packing::Plain));
        check_packing(b"\x28\xb5\x2f\xfd\x04", Ok(Packing::Zstd));
        check_packing(b"\x5a\x2a\x4d\x18\x04\0\0\0", Ok(Packing::Zstd));
        check_packing(b"\x1f\x8b\x08", Ok(Packing::Gzip));
        check_packing(b"BZh91AY&SY", Ok(Packing::Bzip2));
        check_packing(b"\xfd7zXZ\0\0", Ok(Packing::Xz));
        check_packing(b"\x04\x22\x4d\x18\x64", Ok(Packing::Lz4));
        check_packing(b"PK\x03\x04", Ok(Packing::Zip));
        check_packing(b"\x89PNG\r\n\x1a\n", Err("a PNG picture; cql reads PGN"));
        check_packing(b"\x02\x21\x4c\x18", Err("the old format of LZ4: decompress it first"));
        let little = Packing::Encoded(TextEncoding(UTF_16LE));
        let big = Packing::Encoded(TextEncoding(UTF_16BE));
        check_packing(b"\xff\xfe[\0E\0", Ok(little));
        check_packing(b"\xfe\xff\0[\0E", Ok(big));
        check_packing(b"\xff\xfe\0\0[\0\0\0", Err("text in UTF-32: save it in UTF-8"));
        check_packing(b"\0\0\xfe\xff\0\0\0[", Err("text in UTF-32: save it in UTF-8"));
        check_packing(b"[\0E\0v\0e\0n\0t\0", Ok(little));
        check_packing(b"\0[\0E\0v\0e\0n\0t", Ok(big));
        check_packing(b"[Event \"\0\0\"]\n[Site \"\"]", Ok(Packing::Plain));
        check_packing(b"\0\x01\x02\x03\x04 and so on", Err("neither text nor"));
        check_packing(b"7z\xbc\xaf\x27\x1c\0\x04", Ok(Packing::SevenZip));
        check_packing(b"PAR1\x15\x04", Ok(Packing::Parquet));
        check_packing(b"\x08\0\x0d\0\xad\0\x03\0", Ok(Packing::ChessBase));
        check_packing(b"\0\0\x2c\0\x2e\x01", Err("part of a ChessBase database, which is read"));
        check_packing(b"PARE\x15\x04", Err("an encrypted table in Parquet"));
        check_packing(b"Scid.sn\0\0\0", Err("part of a Scid database, which is read by"));
        let named = |name: &str, head: &[u8]| packing(name, head, &ReadOptions::default());
        // Its zeros look like UTF-16.
        let binary = b"\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06";
        for (name, what) in [
            ("mega.CBH", "the `.cbh` file of a ChessBase database, but damaged"),
            ("mega.cbg", "part of a ChessBase database, which is read by the name of its `.cbh`"),
            ("mega.cbg.zst", "part of a ChessBase database, which is read by"),
            ("mega.2cbh", "part of a ChessBase database of the new kind: copy"),
            ("mega.cbz", "an archive of ChessBase with a password"),
            ("x/games.si5", "part of a Scid database"),
            ("book.ctg", "an opening book, which has no games"),
            ("games.cdb", "a database of another chess program"),
            ("games.bin", "neither text nor"),
            ("games.dat", "neither text nor"),
        ] {
            let binary = if matches!(name, "games.dat" | "games.bin") {
                b"\0\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10"
            } else {
                binary
            };
            let error = named(name, binary).expect_err(name);
            assert!(error.contains(what), "{name}: {error}");
        }
        // A key, and e2-e4.
        let entry = |key: u8| [[key; 8], [3, 0x1c, 0, 1, 0, 0, 0, 0]].concat();
        let book = |keys: [u8; 2]| keys.map(entry).concat();
        // Some books begin with words about themselves.
        let words = [&[0; 8], b"@PG@\n1.0".as_slice(), &book([1, 2])].concat();
        for book in [book([1, 2]), words] {
            let error = named("book.bin", &book).expect_err("a book");
            assert!(error.contains(BOOK), "{error}");
        }
        // Numbers that ascend, and zeros before a number.
        let numbers = (0..512_u64).flat_map(u64::to_be_bytes).collect::<Vec<_>>();
        let zeros = [[0; 16], [1; 16]].concat();
        let still = [[1; 8], [0; 8]].concat();
        for other in [
            book([2, 1]),
            book([0, 0]),
            book([1, 2])[..31].to_vec(),
            numbers,
            still,
            zeros[..24].to_vec(),
        ] {
            let error = named("other.bin", &other).expect_err("not text");
            assert!(error.contains("neither text nor"), "{error}");
        }
        // Text is read, whatever it is called.
        assert_eq!(named("games.cbh", b"[Event \"a\"]\n"), Ok(Packing::Plain));
        // A format given by the user overrides a heuristic, but not a signature.
        let said = ReadOptions { format: Some(InputFormat::Pgn), ..ReadOptions::default() };
        assert_eq!(packing("a", b"\0\x01\x02\x03\x04 1.e4", &said), Ok(Packing::Plain));
        assert_eq!(packing("a", b"\x1f\x8b\x08", &said), Ok(Packing::Gzip));
        assert!(packing("a", b"\x89PNG\r\n", &said).is_err());
        let encoding = TextEncoding::from_option("koi8-r").expect("a name");
        let said = ReadOptions { encoding, ..ReadOptions::default() };
        let koi = encoding.map(Packing::Encoded).ok_or_else(String::new);
        assert_eq!(packing("a", b"[Event \"\xed\"]", &said), koi);
        assert_eq!(packing("a", b"\x1f\x8b\x08", &said), Ok(Packing::Gzip));
    }

    #[test]
    fn little_tells_what_comes_slowly() {
        let check = |head: &[u8], expected: bool| assert_eq!(is_told(head), expected, "{head:?}");
        check(b"\xef\xbb\xbf\n\n[Event \"a\"]\r\n", true);
        check(b"PuzzleId,FEN,Moves,Rating\n", true);
        check(b"\n7k/8/8/8/8/8/8/K7 w - - 0 1\n", true);
        check(b"\x28\xb5\x2f\xfd\x04\0\0\0", true);
        check(b"[Event \"a\"]", false);
        check(b"[Event \"\x01\"]\n", false);
        check(b"1. e4\n", false);
        check(b"\x1f\x8b", false);
        check(b"", false);
        // So a file with this beginning is never mistaken for another kind.
        let strange = [b"[Event \"a\"]\n", &[1; 4000][..]].concat();
        check_packing(&strange, Ok(Packing::Plain));
    }
}
