//! Rules for file names on the command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::fault::{Parsed, fault, shown};

/// Splits a name before the last `.` of its last component. Both slashes separate components on all
/// systems, so that a command line means the same everywhere.
fn split_extension(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    let start = component_start(name);
    match name[start..].iter().rposition(|&b| b == b'.') {
        Some(dot) => (&name[..start + dot], Some(&name[start + dot..])),
        None => (name, None),
    }
}

fn component_start(name: &[u8]) -> usize {
    name.iter().rposition(|b| b"/\\".contains(b)).map_or(0, |slash| slash + 1)
}

/// Whether a name has the extension of PGN files.
pub(super) fn is_pgn_name(name: &[u8]) -> bool {
    matches!(split_extension(name).1, Some(b".pgn" | b".PGN"))
}

/// Whether a name has the extension of query files.
pub(crate) fn is_query_file(name: &OsStr) -> bool {
    let extension = split_extension(name.as_encoded_bytes()).1;
    matches!(extension, Some(b".cql" | b".CQL"))
}

/// Whether a name can only be that of games: a directory, a pattern, or a file with an extension
/// other than that of queries.
pub(crate) fn is_surely_games(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let is_other_file = split_extension(bytes).1.is_some();
    !is_query_file(name) && (is_other_file || bytes.ends_with(b"/") || bytes.contains(&b'*'))
}

/// Whether a name of a search is that of games: surely, or because there is a file or a directory of
/// that name, and no query.
pub(super) fn is_games(name: &OsStr) -> bool {
    let path = Path::new(name);
    let is_there = || path.exists() && !path.with_extension("cql").exists();
    is_surely_games(name) || !is_query_file(name) && is_there()
}

/// Whether a name is that of games or of a query, as far as the name and the files here tell.
pub(super) fn is_named_file(name: &OsStr) -> bool {
    is_games(name) || is_query_file(name) || Path::new(name).with_extension("cql").exists()
}

/// Checks a name of games: a file, a directory, a pattern, or `-`. Any extension but that of
/// queries is accepted, since the content decides the format.
pub(super) fn games_name(name: &OsStr, place: &str) -> Parsed<PathBuf> {
    match split_extension(name.as_encoded_bytes()).1 {
        _ if name.is_empty() => fault(format!("{place}: the name of a file of games is empty")),
        Some(b".cql" | b".CQL") => fault(format!(
            "{place}: expected games, found the query {}; there can be only one query",
            shown(name)
        )),
        _ => Ok(PathBuf::from(name)),
    }
}

/// Returns the query file for an argument, with `.cql` added if it has no extension; `-` is
/// standard input.
pub(super) fn query_name(name: &OsStr) -> Parsed<PathBuf> {
    if name == "-" {
        return Ok(PathBuf::from(name));
    }
    match split_extension(name.as_encoded_bytes()).1 {
        Some(b".cql" | b".CQL") => Ok(PathBuf::from(name)),
        Some(_) => fault(format!(
            "the name of a query file must end in .cql, not as in {0}; list games after the query \
             file or use -input {0}",
            shown(name)
        )),
        None => {
            let mut file = name.to_owned();
            file.push(".cql");
            Ok(PathBuf::from(file))
        }
    }
}

/// Returns the default output file of a query, in the current directory.
pub(crate) fn default_output(query: Option<&Path>, extension: &str) -> PathBuf {
    let Some(query) = query else {
        return PathBuf::from(format!("cqldefault-out.{extension}"));
    };
    if query == Path::new("-") {
        return PathBuf::from(format!("stdin-out.{extension}"));
    }
    // The stem is cut at ASCII bytes of the printable name, so it is valid text on every system.
    let name = query.to_string_lossy();
    let stem = split_extension(name.as_bytes()).0;
    let stem = &stem[component_start(stem)..];
    PathBuf::from(format!("{}-out.{extension}", String::from_utf8_lossy(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pgn_names_are_pgn() {
        let check = |name: &str, expected: bool| {
            assert_eq!(is_pgn_name(name.as_bytes()), expected, "{name}");
        };
        check("a.pgn", true);
        check("dir.x/a.PGN", true);
        check("a.Pgn", false);
        check("a", false);
        check("a.pgn/b", false);
        check("a.pgn\\b", false);
        check("a.pgn.gz", false);
        check(".pgn", true);
    }

    #[test]
    fn query_names_get_an_extension() {
        let check = |name: &str, expected: Option<&str>| {
            let got = query_name(OsStr::new(name)).ok();
            assert_eq!(got, expected.map(PathBuf::from), "{name}");
        };
        check("a", Some("a.cql"));
        check("a.cql", Some("a.cql"));
        check("a.CQL", Some("a.CQL"));
        check("dir.d/a", Some("dir.d/a.cql"));
        check("a.Cql", None);
        check("a.txt", None);
        check("a.", None);
        check("-", Some("-"));
    }

    #[test]
    fn some_names_can_only_be_those_of_games() {
        let check = |name: &str, expected: bool| {
            assert_eq!(is_surely_games(OsStr::new(name)), expected, "{name}");
        };
        check("a", false);
        check("a.cql", false);
        check("*.cql", false);
        check("-", false);
        check("a.pgn", true);
        check("a.cql.gz", true);
        check("*", true);
        check("games/", true);
    }

    #[test]
    fn results_go_to_the_stem_of_the_query() {
        let check = |name: Option<&str>, expected: &str| {
            assert_eq!(
                default_output(name.map(Path::new), "pgn"),
                PathBuf::from(expected),
                "{name:?}"
            );
        };
        check(None, "cqldefault-out.pgn");
        check(Some("mate.cql"), "mate-out.pgn");
        check(Some("../a.b/c.d.cql"), "c.d-out.pgn");
        check(Some("a\\b.cql"), "b-out.pgn");
        check(Some("-"), "stdin-out.pgn");
    }
}
