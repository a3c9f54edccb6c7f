//! Expands what the user writes to files: names, patterns, directories and `-`.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use flow::{Cancel, Input, ReadError};

use super::FilePartition;
use super::error::Error;
use super::format::{COMPRESSED, searched_extensions};
use super::identity::Identity;
use super::originals::Originals;
use super::pattern::Pattern;

/// An input to be opened when its turn comes.
pub(super) enum PendingInput {
    /// Standard input.
    Stdin,
    /// A name given by the user, with its size if it is an ordinary file.
    Named(PathBuf, Option<u64>),
    /// A file found by a pattern or in a directory, with its size.
    Found(PathBuf, Option<u64>),
    /// An address, with the size of its object if known.
    Remote(PathBuf, Option<u64>),
    /// A copy of what was read from a pipe with this name.
    Kept(String, Arc<File>),
    /// A reader given by the caller under this name, until it is read.
    Given(String, Mutex<Option<Box<dyn Read + Send>>>),
    /// A name given by the user that cannot be opened, with the reason.
    Missing(PathBuf, ReadError),
    /// A file or directory found by a pattern or in a directory that cannot be opened. The others are
    /// read.
    Unreadable(PathBuf, ReadError),
    /// Texts that replace a missing file, with their names.
    Supplied(PathBuf, Vec<(String, Arc<dyn Input>)>),
    /// Texts given by the caller, each with its name.
    Texts(Vec<(String, Arc<dyn Input>)>),
    /// Consecutive games of a source.
    Part(FilePartition),
}

impl PendingInput {
    pub(super) fn name(&self) -> String {
        match self {
            PendingInput::Stdin => "standard input".to_owned(),
            PendingInput::Named(path, _)
            | PendingInput::Found(path, _)
            | PendingInput::Remote(path, _)
            | PendingInput::Missing(path, _)
            | PendingInput::Unreadable(path, _)
            | PendingInput::Supplied(path, _) => remote::shown(path),
            PendingInput::Kept(name, _) | PendingInput::Given(name, _) => name.clone(),
            PendingInput::Texts(texts) => format!("{} texts", texts.len()),
            PendingInput::Part(part) => part.name.clone(),
        }
    }

    /// Path or address; `None` for an input that can be read only once, for texts of the caller, and
    /// for a part of a file.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            PendingInput::Named(path, Some(_))
            | PendingInput::Found(path, _)
            | PendingInput::Remote(path, _)
            | PendingInput::Missing(path, _)
            | PendingInput::Unreadable(path, _)
            | PendingInput::Supplied(path, _) => Some(path),
            PendingInput::Stdin
            | PendingInput::Named(_, None)
            | PendingInput::Kept(..)
            | PendingInput::Given(..)
            | PendingInput::Texts(_)
            | PendingInput::Part(_) => None,
        }
    }

    /// Size on disk in bytes, if known.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            PendingInput::Stdin | PendingInput::Given(..) => None,
            PendingInput::Named(_, size)
            | PendingInput::Found(_, size)
            | PendingInput::Remote(_, size) => *size,
            PendingInput::Kept(_, file) => file.metadata().ok().map(|metadata| metadata.len()),
            PendingInput::Missing(..) | PendingInput::Unreadable(..) => Some(0),
            PendingInput::Supplied(_, texts) | PendingInput::Texts(texts) => {
                Some(texts.iter().map(|text| text.1.size()).sum())
            }
            PendingInput::Part(part) => match part.end {
                Some(end) => Some(end.saturating_sub(part.start.offset)),
                None => fs::metadata(&part.path).ok().map(|file| file.len()),
            },
        }
    }
}

/// Expands all names, in order, each file once. Returns `None` if `cancel` is cancelled.
pub(super) fn expand(names: &[PathBuf], remote: bool, cancel: &Cancel) -> Option<Expanded> {
    let mut expansion = Expansion {
        expanded: Expanded::default(),
        seen: HashMap::new(),
        addresses: HashSet::new(),
        remote,
        n_found: 0,
        cancel,
    };
    for name in names {
        expansion.name(name);
    }
    if expansion.is_cancelled() {
        None
    } else {
        Some(Expanded { originals: Originals::of(expansion.seen), ..expansion.expanded })
    }
}

/// Result of expanding names.
#[derive(Default)]
pub(super) struct Expanded {
    pub(super) items: Vec<PendingInput>,
    /// Further names of a file, each with its first name.
    pub(super) repeated: Vec<(PathBuf, PathBuf)>,
    /// The files, whether named or found.
    pub(super) originals: Originals,
}

/// State of expanding names.
struct Expansion<'a> {
    expanded: Expanded,
    /// Files that were added, with the names by which they were found.
    seen: HashMap<Identity, PathBuf>,
    addresses: HashSet<String>,
    /// Whether names may be addresses.
    remote: bool,
    /// Number of files found by patterns and in directories, including those already added.
    n_found: usize,
    cancel: &'a Cancel,
}

impl Expansion<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    fn push(&mut self, item: PendingInput) {
        self.n_found += 1;
        self.expanded.items.push(item);
    }

    fn missing(&mut self, path: PathBuf, error: impl Into<ReadError>) {
        self.push(PendingInput::Missing(path, error.into()));
    }

    fn unreadable(&mut self, path: PathBuf, error: impl Into<ReadError>) {
        self.push(PendingInput::Unreadable(path, error.into()));
    }

    /// Expands a name as the user wrote it.
    fn name(&mut self, name: &Path) {
        if name.as_os_str() == "-" {
            // A second `-` would find standard input already read.
            let is_new = |item: &PendingInput| !matches!(item, PendingInput::Stdin);
            if self.expanded.items.iter().all(is_new) {
                self.push(PendingInput::Stdin);
            }
            return;
        }
        if let Some(address) = name.to_str()
            && self.remote
            && remote::is_address(name)
        {
            return self.address(address);
        }
        match fs::metadata(name) {
            Ok(metadata) if metadata.is_dir() => self.directory(name),
            Ok(metadata) => {
                let item = PendingInput::Named(name.to_owned(), size(&metadata));
                if let Some(first) = self.file(name, &metadata, item) {
                    self.expanded.repeated.push((name.to_owned(), first));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_pattern(name) => {
                self.pattern(name);
            }
            Err(error) => self.missing(name.to_owned(), error),
        }
    }

    /// Adds the object at an address, or all objects that match a pattern or are below a folder.
    fn address(&mut self, address: &str) {
        let found = if remote::is_of_several(Path::new(address)) {
            remote::list(address, self.cancel)
        } else {
            remote::open(address, self.cancel).map(|opened| {
                let size = match opened {
                    remote::RemoteBytes::Anywhere(object) => Some(object.size()),
                    remote::RemoteBytes::InOrder(_) => None,
                };
                let address = address.to_owned();
                vec![remote::RemoteFile { address, size }]
            })
        };
        let mut found = match found {
            Ok(found) => found,
            Err(error) => return self.missing(address.into(), error),
        };
        if address.ends_with('/') {
            found.retain(|found| may_hold_games(Path::new(&found.address)));
        }
        if found.is_empty() {
            self.missing(address.into(), Error::NoMatchingAddress);
        }
        for remote::RemoteFile { address, size } in found {
            let path = PathBuf::from(&address);
            if self.addresses.insert(address) {
                self.push(PendingInput::Remote(path, size))
            } else {
                self.expanded.repeated.push((path.clone(), path))
            }
        }
    }

    /// Adds a file and returns `None`. Returns the first name of a file that is already there.
    fn file(&mut self, path: &Path, metadata: &Metadata, item: PendingInput) -> Option<PathBuf> {
        // A pipe may give something else each time it is read.
        if let Some(identity) = Identity::of(path, metadata).filter(|_| metadata.is_file()) {
            if let Some(first) = self.seen.get(&identity) {
                self.n_found += 1;
                return Some(first.clone());
            }
            self.seen.insert(identity, path.to_owned());
        }
        self.push(item);
        None
    }

    /// Adds a file or directory found by a pattern.
    fn found(&mut self, path: PathBuf) {
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => self.directory(&path),
            Ok(metadata) => {
                let item = PendingInput::Found(path.clone(), size(&metadata));
                self.file(&path, &metadata, item);
            }
            Err(error) => self.unreadable(path, error),
        }
    }

    /// Adds the files that match a pattern which the shell has not expanded, in alphabetical order.
    fn pattern(&mut self, name: &Path) {
        let pattern = match Pattern::of(name) {
            Ok(pattern) => pattern,
            Err(error) => return self.missing(name.to_owned(), error),
        };
        let before = self.n_found;
        pattern.walk(self.cancel, &mut |path| match path {
            Ok(path) => self.found(path),
            Err((path, error)) => self.unreadable(path, error),
        });
        if self.n_found == before {
            self.missing(name.to_owned(), Error::NoMatch);
        }
    }

    /// Adds all files below a directory that may hold games. A directory comes after the files next
    /// to it, both in alphabetical order. Skips hidden files and directories, and links to
    /// directories, which may form a cycle.
    fn directory(&mut self, root: &Path) {
        let before = self.n_found;
        let mut waiting = vec![root.to_owned()];
        while let Some(directory) = waiting.pop() {
            if self.is_cancelled() {
                return;
            }
            let entries = match entries(&directory, self.cancel) {
                Ok(entries) => entries,
                Err(error) if directory == root => return self.missing(directory, error),
                Err(error) => {
                    self.unreadable(directory, error);
                    continue;
                }
            };
            let mut directories = Vec::new();
            for entry in entries {
                let path = entry.path();
                if is_hidden(&entry.file_name()) {
                    continue;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => directories.push(path),
                    Ok(_) if may_hold_games(&path) => match fs::metadata(&path) {
                        Ok(metadata) if metadata.is_file() => {
                            let item = PendingInput::Found(path.clone(), size(&metadata));
                            self.file(&path, &metadata, item);
                        }
                        Ok(metadata) if metadata.is_dir() => {}
                        // Opening a pipe would wait for a writer.
                        Ok(_) => self.unreadable(path, io::Error::other("it is not a file")),
                        Err(error) => self.unreadable(path, error),
                    },
                    Ok(_) => {}
                    Err(error) => self.unreadable(path, error),
                }
            }
            waiting.extend(directories.into_iter().rev());
        }
        if self.n_found == before {
            self.missing(root.to_owned(), Error::EmptyDirectory);
        }
    }
}

fn size(metadata: &Metadata) -> Option<u64> {
    metadata.is_file().then_some(metadata.len())
}

fn is_pattern(name: &Path) -> bool {
    let name = name.as_os_str().as_encoded_bytes();
    name.iter().any(|byte| b"*?[".contains(byte))
}

pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns the entries of a directory in alphabetical order; incomplete if `cancel` is cancelled.
pub(super) fn entries(directory: &Path, cancel: &Cancel) -> io::Result<Vec<fs::DirEntry>> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let wanted = |_: &io::Result<_>| !cancel.is_cancelled();
    let entries = fs::read_dir(directory)?.take_while(wanted);
    let mut entries = entries.collect::<io::Result<Vec<fs::DirEntry>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}

/// Whether a name suggests that the file holds games.
pub(super) fn may_hold_games(path: &Path) -> bool {
    let extension = |path: &Path| {
        let extension = path.extension().unwrap_or_default();
        extension.to_string_lossy().to_ascii_lowercase()
    };
    let mut ending = extension(path);
    if COMPRESSED.contains(&ending.as_str()) {
        ending = extension(&path.with_extension(""));
    }
    searched_extensions().any(|kind| kind == ending)
}
