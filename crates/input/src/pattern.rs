//! Patterns of file names, which match each file at most once.
//!
//! `**` matches any number of nested directories. It does not follow links to directories, which
//! may form a cycle.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use flow::Cancel;

use super::error::Error;
use super::list::{entries, is_hidden};

/// As in a shell, a star does not match hidden files.
const OPTIONS: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: false,
    require_literal_leading_dot: true,
};

/// A path that contains patterns.
pub(super) struct Pattern(Vec<PathSegment>);

/// A component of a path.
enum PathSegment {
    /// A plain name.
    Name(OsString),
    /// Names that match this pattern.
    Like(glob::Pattern),
    /// `**`: any number of directories.
    Below,
}

/// A matching path, or a path that cannot be read.
type PatternMatch = Result<PathBuf, (PathBuf, io::Error)>;

impl Pattern {
    /// Parses a path.
    pub(super) fn of(path: &Path) -> Result<Pattern, Error> {
        let mut parts = Vec::new();
        for component in path.components() {
            let part = match component {
                Component::Normal(name) => PathSegment::of(name)?,
                other => PathSegment::Name(other.as_os_str().to_owned()),
            };
            let is_repeated =
                matches!((parts.last(), &part), (Some(PathSegment::Below), PathSegment::Below));
            if !is_repeated {
                parts.push(part);
            }
        }
        Ok(Pattern(parts))
    }

    /// Passes the matching paths to `found` in alphabetical order, until `cancel` is cancelled.
    pub(super) fn walk(&self, cancel: &Cancel, found: &mut dyn FnMut(PatternMatch)) {
        let mut waiting: Vec<(PathBuf, &[PathSegment])> = vec![(PathBuf::new(), &self.0)];
        // Several `**` can reach a directory in many ways.
        let mut visited = HashSet::new();
        while let Some((path, parts)) = waiting.pop() {
            if cancel.is_cancelled() {
                return;
            }
            if !visited.insert((path.clone(), parts.len())) {
                continue;
            }
            let Some((part, rest)) = parts.split_first() else {
                found(Ok(path));
                continue;
            };
            if let PathSegment::Name(name) = part {
                let path = path.join(name);
                if path.symlink_metadata().is_ok() {
                    waiting.push((path, rest));
                }
                continue;
            }
            if let (PathSegment::Below, []) = (part, rest) {
                found(Ok(path));
                continue;
            }
            let entries = match entries(&path, cancel) {
                Ok(entries) => entries,
                Err(error) => {
                    found(Err((path, error)));
                    continue;
                }
            };
            // The entry pushed last is visited first.
            for entry in entries.into_iter().rev() {
                let name = entry.file_name();
                let inner = path.join(&name);
                match part {
                    PathSegment::Below if is_hidden(&name) => {}
                    PathSegment::Below => {
                        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                            waiting.push((inner, parts));
                        }
                    }
                    PathSegment::Like(pattern) => {
                        let is_like = pattern.matches_with(&name.to_string_lossy(), OPTIONS);
                        if is_like && (rest.is_empty() || inner.is_dir()) {
                            waiting.push((inner, rest));
                        }
                    }
                    PathSegment::Name(_) => {}
                }
            }
            if let PathSegment::Below = part {
                waiting.push((path, rest));
            }
        }
    }
}

impl PathSegment {
    fn of(name: &OsStr) -> Result<PathSegment, Error> {
        if !name.as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte)) {
            return Ok(PathSegment::Name(name.to_owned()));
        }
        let Some(text) = name.to_str() else {
            return Err(Error::NoSuchFile);
        };
        if text == "**" {
            return Ok(PathSegment::Below);
        }
        glob::Pattern::new(text).map(PathSegment::Like).map_err(Error::NotAPattern)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn patterns_lead_to_each_place_once() {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["a/x/one.pgn", "a/two.pgn", "b.pgn", ".h/c.pgn", "a/x/y/z/d.pgn"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "").expect("written");
        }
        #[cfg(unix)]
        for link in ["a/back", "a/x/back", "forth"] {
            std::os::unix::fs::symlink(dir.path(), dir.path().join(link)).expect("linked");
        }
        let check = |pattern: &str, expected: &[&str]| {
            let pattern = Pattern::of(&dir.path().join(pattern)).expect("a pattern");
            let mut names = Vec::new();
            pattern.walk(&Cancel::default(), &mut |path| {
                let path = path.expect("readable");
                let name = path.strip_prefix(dir.path()).expect("below").to_owned();
                names.push(name.to_string_lossy().into_owned());
            });
            assert_eq!(names, expected);
        };
        check("*.pgn", &["b.pgn"]);
        check("?/two.pgn", &["a/two.pgn"]);
        check("a/[xy]/one.*", &["a/x/one.pgn"]);
        let all = ["b.pgn", "a/two.pgn", "a/x/one.pgn", "a/x/y/z/d.pgn"];
        check("**/*.pgn", &all);
        check("**/**/*.pgn", &all);
        check("**/x/**/*.pgn", &["a/x/one.pgn", "a/x/y/z/d.pgn"]);
        check("**/x/**/y/**/d.pgn", &["a/x/y/z/d.pgn"]);
        check("a/**", &["a"]);
        check("none/*.pgn", &[]);
    }

    #[test]
    fn what_is_no_pattern_is_said() {
        assert!(Pattern::of(Path::new("a[.pgn")).is_err());
        assert!(Pattern::of(Path::new("a**/b.pgn")).is_err());
    }

    #[test]
    fn nobody_walks_on_when_nothing_is_wanted() {
        let cancelled = Cancel::default();
        cancelled.cancel();
        let pattern = Pattern::of(Path::new("**/*")).expect("a pattern");
        pattern.walk(&cancelled, &mut |path| panic!("{path:?}"));
    }
}
