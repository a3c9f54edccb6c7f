//! Syntax of addresses.

use std::path::{Path, PathBuf};

/// Schemes of addresses.
const SCHEMES: [&str; 5] = ["s3", "gs", "az", "https", "http"];

/// Whether a name is an address.
#[must_use]
pub fn is_address(name: &Path) -> bool {
    scheme(name).is_some()
}

/// Returns the scheme of an address and the rest.
pub(crate) fn scheme(name: &Path) -> Option<(&str, &str)> {
    let (scheme, rest) = name.to_str()?.split_once("://")?;
    SCHEMES.contains(&scheme).then_some((scheme, rest))
}

/// Returns an address for messages, without parts that may be secret: those before the host and, on
/// web servers, after a question mark or `#`. Other names are unchanged.
#[must_use]
pub fn shown(name: &Path) -> String {
    let Some((scheme, rest)) = scheme(name) else {
        return name.display().to_string();
    };
    let rest =
        if is_of_web(scheme) { rest.split(['?', '#']).next().unwrap_or_default() } else { rest };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

/// Whether an address means several objects: by a pattern, or as a folder. Web servers cannot list
/// files, so it is always `false` for them.
#[must_use]
pub fn is_of_several(name: &Path) -> bool {
    scheme(name).is_some_and(|(scheme, rest)| {
        !is_of_web(scheme) && (rest.ends_with('/') || rest.contains(['*', '?', '[']))
    })
}

/// Whether the scheme is that of web servers, which can only be read.
pub(crate) fn is_of_web(scheme: &str) -> bool {
    matches!(scheme, "https" | "http")
}

/// Returns the path of a file in a folder, which may be an address.
#[must_use]
pub fn join(folder: &Path, name: &str) -> PathBuf {
    match scheme(folder) {
        // Addresses use `/` on every system.
        Some((scheme, rest)) => format!("{scheme}://{}/{name}", rest.trim_end_matches('/')).into(),
        None => folder.join(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_names() {
        let check = |name: &str, expected: bool| {
            assert_eq!(is_address(Path::new(name)), expected, "{name}");
        };
        for name in ["s3://a/b", "gs://a/b", "az://a/b", "https://a/b", "http://a"] {
            check(name, true);
        }
        for name in ["s3:/a/b", "s3/a", "games.pgn", "ftp://a/b", "C:\\a", "S3://a/b", ""] {
            check(name, false);
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let check = |name: &str, expected: &str| {
            assert_eq!(shown(Path::new(name)), expected, "{name}");
        };
        check("https://a.org/g.pgn?X-Amz-Signature=1", "https://a.org/g.pgn");
        check("https://me:word@a.org/g.pgn", "https://a.org/g.pgn");
        check("https://a.org?x=a/b", "https://a.org");
        check("s3://bucket/20??/*.pgn", "s3://bucket/20??/*.pgn");
        check("a?b@c.pgn", "a?b@c.pgn");
    }

    #[test]
    fn addresses_may_mean_several_things() {
        let check = |name: &str, expected: bool| {
            assert_eq!(is_of_several(Path::new(name)), expected, "{name}");
        };
        check("s3://a/b/", true);
        check("gs://a/20??.pgn", true);
        check("az://a/b.pgn", false);
        check("https://a/b/", false);
        check("https://a/b?c=*", false);
        check("b/*.pgn", false);
    }

    #[test]
    fn names_in_folders_have_addresses() {
        let check = |folder: &str, expected: &str| {
            assert_eq!(join(Path::new(folder), "a.pgn"), Path::new(expected));
        };
        check("s3://bucket/folder", "s3://bucket/folder/a.pgn");
        check("s3://bucket/folder/", "s3://bucket/folder/a.pgn");
        check("s3://bucket", "s3://bucket/a.pgn");
        check("", "a.pgn");
    }
}
