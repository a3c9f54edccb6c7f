//! From what the user writes to files: names, patterns, directories, `-`.

use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something to be opened when its turn comes.
pub(super) enum Item {
    /// Standard input.
    Stdin,
    /// What the user named, with its size if it is an ordinary file.
    Named(PathBuf, Option<u64>),
    /// What a pattern or a directory holds, with its size.
    Found(PathBuf, Option<u64>),
    /// A copy of what was read from a pipe of this name.
    Kept(String, Arc<File>),
    /// What cannot be opened, and why.
    Missing(PathBuf, String),
}

impl Item {
    pub(super) fn name(&self) -> String {
        match self {
            Item::Stdin => "standard input".to_owned(),
            Item::Named(path, _) | Item::Found(path, _) | Item::Missing(path, _) => {
                path.display().to_string()
            }
            Item::Kept(name, _) => name.clone(),
        }
    }

    /// Its size on the disk, if it has one.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Item::Stdin => None,
            Item::Named(_, size) | Item::Found(_, size) => *size,
            Item::Kept(_, file) => file.metadata().ok().map(|metadata| metadata.len()),
            Item::Missing(..) => Some(0),
        }
    }
}

/// The endings of files that are searched in directories.
const KINDS: [&str; 5] = ["pgn", "epd", "fen", "csv", "zip"];

/// The endings that compression adds to them.
const COMPRESSED: [&str; 3] = ["zst", "gz", "bz2"];

/// What all names mean, in order.
pub(super) fn expand(names: &[PathBuf]) -> Vec<Item> {
    let mut items = Vec::new();
    for name in names {
        if name.as_os_str() == "-" {
            items.push(Item::Stdin);
            continue;
        }
        match fs::metadata(name) {
            Ok(metadata) if metadata.is_dir() => expand_directory(name, &mut items),
            Ok(metadata) => items.push(Item::Named(name.clone(), size(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_pattern(name) => {
                expand_pattern(name, &mut items);
            }
            Err(error) => items.push(Item::Missing(name.clone(), error.to_string())),
        }
    }
    items
}

fn size(metadata: &Metadata) -> Option<u64> {
    metadata.is_file().then_some(metadata.len())
}

fn is_pattern(name: &Path) -> bool {
    let name = name.as_os_str().as_encoded_bytes();
    name.iter().any(|byte| b"*?[".contains(byte))
}

/// The files that match a pattern which the shell has left alone, in alphabetical order.
fn expand_pattern(name: &Path, items: &mut Vec<Item>) {
    let missing = |message: &str| Item::Missing(name.to_owned(), message.to_owned());
    let Some(pattern) = name.to_str() else {
        items.push(missing("no such file"));
        return;
    };
    let options = glob::MatchOptions {
        // As in a shell: hidden files are not meant by a star.
        require_literal_leading_dot: true,
        ..glob::MatchOptions::new()
    };
    let paths = match glob::glob_with(pattern, options) {
        Ok(paths) => paths,
        Err(error) => {
            items.push(missing(&format!("no such file, and no pattern: {error}")));
            return;
        }
    };
    let before = items.len();
    for path in paths {
        match path {
            Ok(path) => match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => expand_directory(&path, items),
                Ok(metadata) => items.push(Item::Found(path, size(&metadata))),
                Err(error) => items.push(Item::Missing(path, error.to_string())),
            },
            Err(error) => {
                let message = error.error().to_string();
                items.push(Item::Missing(error.path().to_owned(), message));
            }
        }
    }
    if items.len() == before {
        items.push(missing("no file has a name like this"));
    }
}

/// All files below a directory that may hold games, a directory after the files beside it, both
/// in alphabetical order. Hidden ones are left out, and links to directories, which may lead in a
/// circle.
fn expand_directory(root: &Path, items: &mut Vec<Item>) {
    let before = items.len();
    let mut waiting = VecDeque::from([root.to_owned()]);
    while let Some(directory) = waiting.pop_front() {
        let mut entries = match read_directory(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                items.push(Item::Missing(directory, error.to_string()));
                continue;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut directories = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            let path = entry.path();
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            if is_hidden {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => directories.push(path),
                Ok(_) if may_hold_games(&path) => match fs::metadata(&path) {
                    Ok(metadata) if metadata.is_file() => {
                        items.push(Item::Found(path, Some(metadata.len())));
                    }
                    Ok(_) => {}
                    Err(error) => items.push(Item::Missing(path, error.to_string())),
                },
                Ok(_) => {}
                Err(error) => items.push(Item::Missing(path, error.to_string())),
            }
        }
        for directory in directories.into_iter().rev() {
            waiting.push_front(directory);
        }
    }
    if items.len() == before {
        let message = format!(
            "the directory holds no games: looked for names that end in .{}, and these with .{}",
            KINDS.join(" ."),
            COMPRESSED.join(" .")
        );
        items.push(Item::Missing(root.to_owned(), message));
    }
}

fn read_directory(directory: &Path) -> io::Result<Vec<fs::DirEntry>> {
    fs::read_dir(directory)?.collect()
}

/// Whether a name says that there are games in the file.
pub(super) fn may_hold_games(path: &Path) -> bool {
    let extension = |path: &Path| {
        let extension = path.extension().unwrap_or_default();
        extension.to_string_lossy().to_ascii_lowercase()
    };
    let outer = extension(path);
    if COMPRESSED.contains(&outer.as_str()) {
        return KINDS.contains(&extension(&path.with_extension("")).as_str());
    }
    KINDS.contains(&outer.as_str())
}
