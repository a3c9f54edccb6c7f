//! Decides which files an output may replace: games and earlier output of this program.
//!
//! A name can be mistyped, and the header of a query may name any path. An existing file is
//! therefore replaced only if its first bytes are those of a PGN file or of something that this
//! program writes. An empty file may always be replaced.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flow::{Cancel, Input};
use input::is_marked;
use table::{is_known, is_tag_name};

/// Existing files that may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace<'a> {
    /// Any file: the user allows it, or the program has just read it.
    Anything,
    /// Games and earlier results, including a file that begins with this line.
    Results(Option<&'a str>),
    /// An earlier text of a query.
    Queries,
    /// An earlier HTML page.
    Pages,
}

impl<'a> Replace<'a> {
    /// Returns the rule for results: any file with `--force`, else games and earlier results.
    #[must_use]
    pub fn results(force: bool, first_line: Option<&'a str>) -> Replace<'a> {
        Replace::forced(force, Replace::Results(first_line))
    }

    /// Returns the rule for another kind of output: any file with `--force`, else `otherwise`.
    #[must_use]
    pub fn forced(force: bool, otherwise: Replace<'a>) -> Replace<'a> {
        if force { Replace::Anything } else { otherwise }
    }
}

/// Number of bytes read from the start and from the end of a file.
const HEAD: u64 = 64 << 10;

/// Text that names the program in files that record their producer.
const MAKER: &[u8] = b"Babson cql ";

/// Refuses to replace a file that is no earlier result. Anything but an ordinary file passes, since
/// it is never replaced.
///
/// # Errors
/// The file holds something else ([`io::ErrorKind::AlreadyExists`]), or cannot be read.
pub fn check(path: &Path, replace: Replace<'_>) -> io::Result<()> {
    if replace == Replace::Anything {
        return Ok(());
    }
    let Some((head, tail)) = ends(path)? else {
        return Ok(());
    };
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
    let (is_earlier, what) = match replace {
        Replace::Anything => (true, ""),
        Replace::Queries => (
            is_query(text),
            "it does not hold a query and is kept: give another name, or --force to replace it",
        ),
        Replace::Pages => {
            (is_page(text), "it does not hold an earlier page and is kept: --force replaces it")
        }
        Replace::Results(first_line) => (
            is_games(text)
                || is_table(text, first_line)
                || is_objects(text, first_line)
                || is_page(text)
                || is_study(text, &tail)
                || is_positions(text)
                || is_counts(text)
                || is_parquet(&head, &tail),
            "it holds neither games nor an earlier result and is kept: give another name, or \
             --force to replace it",
        ),
    };
    if is_earlier || text.is_empty() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::AlreadyExists, what))
    }
}

/// Whether a search has written a file: games count only if they have comments of a search, and
/// other formats are those that only this program writes.
pub(crate) fn is_of_search(path: &Path) -> io::Result<bool> {
    let Some((head, tail)) = ends(path)? else {
        return Ok(true);
    };
    let text = head.trim_ascii_start();
    Ok(text.is_empty()
        || is_games(text) && is_marked(text)
        || is_table(text, None)
        || is_parquet(&head, &tail))
}

/// Returns what a file holds that may be replaced as a result but may be the user's own: games
/// without a comment of a search, positions without the number of their game, or a table with other
/// columns than this one.
pub(crate) fn may_be_own(
    path: &Path,
    first_line: Option<&str>,
) -> io::Result<Option<&'static str>> {
    let Some((head, _)) = ends(path)? else {
        return Ok(None);
    };
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
    Ok(if is_games(text) {
        (!is_marked(text)).then_some("games that no search has marked")
    } else if is_positions(text) {
        (!is_numbered(text)).then_some("positions that do not say their games")
    } else if is_table(text, first_line) {
        let is_usual = |columns: &&str| text.starts_with(columns.as_bytes());
        let usual = ["input,game,", "input\tgame\t", "query,", "query\t"];
        let is_own = !begins_with(text, first_line) && !usual.iter().any(is_usual);
        is_own.then_some("a table with other columns")
    } else {
        None
    })
}

/// Whether positions in EPD are those of a search: the first one has the number of its game.
fn is_numbered(text: &[u8]) -> bool {
    let line = first_line(text);
    contains(line, b" game ") && contains(line, b" ply ") && contains(line, b"; c0 \"")
}

/// Whether the first line of a text is the one that is written.
fn begins_with(text: &[u8], expected: Option<&str>) -> bool {
    expected.is_some_and(|expected| expected.trim_end().as_bytes() == first_line(text))
}

/// Returns the first and the last bytes of a file; `None` if there is no such file.
fn ends(path: &Path) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    if let Some(address) = path.to_str().filter(|_| remote::is_address(path)) {
        let opened = match remote::open(address, &Cancel::default()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        // Nothing can be written to a server without range requests.
        if let remote::RemoteBytes::Anywhere(object) = opened {
            let size = object.size();
            remote::reader(object.clone(), 0).take(HEAD).read_to_end(&mut head)?;
            remote::reader(object, size.saturating_sub(HEAD)).read_to_end(&mut tail)?;
        }
        return Ok(Some((head, tail)));
    }
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    Read::by_ref(&mut file).take(HEAD).read_to_end(&mut head)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(HEAD)))?;
    file.take(HEAD).read_to_end(&mut tail)?;
    Ok(Some((head, tail)))
}

/// Whether a text is a study with results: source for Typst, or Markdown.
fn is_study(text: &[u8], tail: &[u8]) -> bool {
    let is_markdown = contains(tail, b"<!-- made by Babson cql ");
    is_markdown || text.starts_with(b"// Made by Babson cql ")
}

fn first_line(text: &[u8]) -> &[u8] {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether a text is PGN: the first line that is no comment begins with a tag, `[Event "`. The
/// capital letter distinguishes it from sections of configuration files.
fn is_games(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    let line = lines.find(|line| !matches!(line.first(), None | Some(b';' | b'%')));
    let Some(tag) = line.and_then(|line| line.strip_prefix(b"[")) else {
        return false;
    };
    let tag = tag.trim_ascii_start();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = tag.iter().position(|byte| !is_name(byte)).unwrap_or(tag.len());
    tag.first().is_some_and(u8::is_ascii_uppercase)
        && tag[end..].trim_ascii_start().starts_with(b"\"")
}

/// Whether a text is CSV or TSV: its first line is the one to be written, or has many column names,
/// or consists of several names of columns and tags, at least one of them a column.
fn is_table(text: &[u8], expected: Option<&str>) -> bool {
    const MANY: usize = 4;
    const OF_COUNTS: [&str; 5] = ["games", "matches", "query", "share", "status"];
    if begins_with(text, expected) {
        return true;
    }
    let Ok(line) = std::str::from_utf8(first_line(text)) else {
        return false;
    };
    let is_column = |cell: &str| is_known(cell) || OF_COUNTS.contains(&cell);
    [',', '\t'].into_iter().any(|separator| {
        let mut cells = line.split(separator);
        let n_columns = cells.clone().filter(|cell| is_column(cell)).count();
        let is_ours = |cell: &str| is_column(cell) || is_tag_name(cell) || cell == "faults";
        line.contains(separator) && (n_columns >= MANY || n_columns > 0 && cells.all(is_ours))
    })
}

/// Whether a text is JSON: its first object begins with the field to be written, or with a field
/// that comes first by default and its value. The games of Chess.com begin with a list `games`.
fn is_objects(text: &[u8], expected: Option<&str>) -> bool {
    let is_number = |rest: &[u8]| rest.first().is_some_and(u8::is_ascii_digit);
    let is_text = |rest: &[u8]| rest.starts_with(b"\"");
    let rest = |start: &str| text.strip_prefix(start.as_bytes());
    // The last is the summary of a run, which has lines.
    ["{\"game\":", "{\"games\":", "{\n  \"games\": "].into_iter().filter_map(rest).any(is_number)
        || ["{\"input\":", "{\"query\":"].into_iter().filter_map(rest).any(is_text)
        || expected.is_some_and(|start| start.starts_with('{') && rest(start).is_some())
}

/// Whether a text is a report, which names its producer, or a query as a page, which begins with a
/// fixed style.
fn is_page(text: &[u8]) -> bool {
    text.starts_with(b"<!DOCTYPE html>")
        && (contains(text, MAKER) || contains(text, syntax::convert::PAGE_STYLE.as_bytes()))
}

/// Whether a text is EPD or FEN: the first line begins with the pieces of eight ranks and the side
/// to move.
fn is_positions(text: &[u8]) -> bool {
    let mut words = first_line(text).split(|byte| *byte == b' ');
    let men = words.next().unwrap_or_default();
    let is_man = |byte: &u8| b"pnbrqkPNBRQK12345678/".contains(byte);
    men.iter().all(is_man)
        && men.iter().filter(|byte| **byte == b'/').count() == 7
        && matches!(words.next(), Some(b"w" | b"b"))
}

/// Whether a text is a table of counts, by the last columns of its first line.
fn is_counts(text: &[u8]) -> bool {
    let words = first_line(text).split(|byte| *byte == b' ');
    let mut words = words.filter(|word| !word.is_empty()).rev();
    words.next() == Some(b"positions") && words.next() == Some(b"games")
}

/// Whether a file is Parquet written by this program, which is named at its end.
fn is_parquet(head: &[u8], tail: &[u8]) -> bool {
    head.starts_with(b"PAR1") && contains(tail, MAKER)
}

/// Whether a text is a query: it begins with `cql` or a comment, or with a list in classic CQL.
fn is_query(text: &[u8]) -> bool {
    let begins = |sign: &str| text.starts_with(sign.as_bytes());
    ["cql", ";", "//", "/*", "(match", "(position"].into_iter().any(begins)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_be_replaced(text: &[u8], replace: Replace<'_>) -> bool {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("file");
        std::fs::write(&path, text).expect("written");
        check(&path, replace).is_ok()
    }

    #[test]
    fn games_and_results_are_told_from_anything_else() {
        for earlier in [
            "",
            " \n",
            "[Event \"x\"]\n\n*\n",
            "\u{feff}\n; of the club\n% x\n[ Site   \"x\"]",
            "input,game,ply\n",
            "White\tgame\n",
            "input,game,white,plies of mate,ply\n",
            "query,games,matches\n",
            "{\"game\":1,\"White\":\"x\"}\n",
            "<!DOCTYPE html>\n<meta name=\"generator\" content=\"Babson cql 1.0\">",
            "8/8/8/8/8/5k2/5q2/5K2 w - -\n",
            "games  positions\n    3          9\n",
            "year  games  positions\n",
        ] {
            let is_earlier = may_be_replaced(earlier.as_bytes(), Replace::Results(None));
            assert!(is_earlier, "{earlier}");
        }
        for other in [
            "a letter",
            "[section]\nkey=value\n",
            "[[1,2],[3,4]]",
            "# a\nimport os\n",
            "[remote \"origin\"]\n",
            "id,name\n3,x\n",
            "Date,Amount\n",
            "game\n",
            "{\"id\": 3}\n{\"id\":4}\n",
            "cql() check",
            "{\"name\": \"x\"}",
            "{\"games\":[{\"url\":\"x\"}]}",
            "{\"game\":{\"id\":3}}\n",
            "{\n \"game\": 1\n}",
            "<!DOCTYPE html>\n<title>x</title>",
            "/etc/passwd w",
            "PAR1",
            "\u{7f}ELF",
        ] {
            let is_earlier = may_be_replaced(other.as_bytes(), Replace::Results(None));
            assert!(!is_earlier, "{other}");
            assert!(may_be_replaced(other.as_bytes(), Replace::Anything), "{other}");
        }
    }

    #[test]
    fn what_is_written_again_may_be_replaced() {
        let check = |text: &str, expected: Option<&str>, is_earlier: bool| {
            let found = may_be_replaced(text.as_bytes(), Replace::Results(expected));
            assert_eq!(found, is_earlier, "{text}");
        };
        check("x,y\n1,2\n", Some("x,y\n"), true);
        check("x,y\n1,2\n", Some("x\n"), false);
        check("{\"x\":1}\n", Some("{\"x\":"), true);
        check("{\"y\":1}\n", Some("{\"x\":"), false);
        check("{\n  \"x\": 1\n}\n", Some("{\n  \"x\":"), true);
    }

    #[test]
    fn queries_replace_queries() {
        for (text, is_earlier) in [("cql() K", true), ("; x\n", true), ("", true), ("x", false)] {
            assert_eq!(may_be_replaced(text.as_bytes(), Replace::Queries), is_earlier);
        }
    }
}
