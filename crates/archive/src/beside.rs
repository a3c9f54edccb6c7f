//! Default names of archives.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Returns the default path of the archive of some games: next to them, with their name. The
/// endings for compression and format, such as `.pgn.zst`, are replaced by `.cqa`.
pub fn beside(games: &Path) -> PathBuf {
    let mut stem = PathBuf::from(games.file_name().unwrap_or_default());
    for endings in [
        &["zst", "gz", "bz2", "xz", "lz4", "zip", "tgz", "7z"][..],
        &["tar"],
        &["pgn", "epd", "fen", "csv", "ndjson", "cbh", "cbv", "si4", "si5", "parquet", "cqa"],
    ] {
        let ending = stem.extension().and_then(OsStr::to_str);
        if ending.is_some_and(|ending| endings.contains(&ending)) {
            stem.set_extension("");
        }
    }
    let mut name = stem.into_os_string();
    name.push(".cqa");
    games.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_called_after_their_games() {
        let check = |name: &str, expected: &str| {
            assert_eq!(beside(Path::new(name)), Path::new(expected), "{name}");
        };
        check("a/games.pgn", "a/games.cqa");
        check("games.pgn.zst", "games.cqa");
        check("games.pgn.xz", "games.cqa");
        check("games.tar.xz", "games.cqa");
        check("games.v2.pgn.zip", "games.v2.cqa");
        check("a/games", "a/games.cqa");
        check("a/games/", "a/games.cqa");
        check("pgn.pgn", "pgn.cqa");
    }
}
