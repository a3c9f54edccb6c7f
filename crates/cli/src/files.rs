//! File access of queries: `readfile`, `writefile` and `similarposition`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::FileAccess;

use crate::output::{Originals, Replace, Rules};

/// Refuses anything but ordinary files. Pipes and devices may never end, or block when opened.
fn refuse_special(name: &str) -> Result<(), String> {
    match std::fs::metadata(name) {
        Ok(metadata) if !metadata.is_file() => Err(format!("{name} is not a regular file")),
        _ => Ok(()),
    }
}

/// Reads the games of a `similarposition` filter.
pub(crate) fn read_games(name: &str) -> Result<Vec<u8>, String> {
    let read = || match refuse_special(name) {
        Ok(()) => std::fs::read(name).map_err(|error| format!("cannot read {name}: {error}")),
        Err(message) => Err(message),
    };
    read().map_err(|message| format!("similarposition: {message}"))
}

/// Rules for the files that a query may access.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileRules {
    /// Whether all access is forbidden.
    pub(crate) secure: bool,
    /// Directories in which the query may write, besides the working directory.
    pub(crate) allow_write: Vec<PathBuf>,
    /// Files that the run itself reads, where the query may not write.
    pub(crate) originals: Arc<Originals>,
}

impl FileRules {
    /// Checks that a query may write a file: the file must be in the working directory or a
    /// permitted one after links are resolved.
    pub(crate) fn permit_writing(&self, name: &str) -> Result<(), String> {
        let path = Path::new(name);
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        Rules::new(Replace::Anything, &self.originals)
            .check(path)
            .map_err(|error| format!("cannot write {name}: {error}"))?;
        let failed = |error| format!("cannot write {name}: {error}");
        // A link is checked by its target, which may be in another directory.
        let is_link = path.is_symlink();
        let target = if is_link { path } else { directory }.canonicalize().map_err(failed)?;
        let allowed = self.allow_write.iter().map(PathBuf::as_path);
        let mut places = [Path::new(".")].into_iter().chain(allowed);
        let inside =
            |place: &Path| place.canonicalize().is_ok_and(|place| target.starts_with(place));
        if places.any(inside) {
            Ok(())
        } else {
            let (leads, directory) = match target.parent().filter(|_| is_link) {
                Some(parent) => (format!(" leads to {}, which", target.display()), parent),
                None => (String::new(), directory),
            };
            Err(format!(
                "{name}{leads} is outside the working directory: --allow-write {} permits it",
                directory.display()
            ))
        }
    }
}

/// File access of a query, restricted by its rules.
#[derive(Default)]
pub(crate) struct SandboxedFiles {
    rules: FileRules,
    /// Files that this run has written to.
    open: HashMap<String, File>,
}

impl SandboxedFiles {
    pub(crate) fn new(rules: FileRules) -> SandboxedFiles {
        SandboxedFiles { rules, open: HashMap::new() }
    }
}

impl FileAccess for SandboxedFiles {
    fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String> {
        if self.rules.secure {
            return Err(format!("--secure forbids reading {name}"));
        }
        refuse_special(name)?;
        let mut text = Vec::new();
        File::open(name)
            .and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut text))
            .map_err(|error| format!("cannot read {name}: {error}"))?;
        Ok(text)
    }

    fn append(&mut self, name: &str, text: &[u8]) -> Result<(), String> {
        if self.rules.secure {
            return Err(format!("--secure forbids writing {name}"));
        }
        let failed = |error| format!("cannot write {name}: {error}");
        if !self.open.contains_key(name) {
            self.rules.permit_writing(name)?;
            refuse_special(name)?;
            let replaces = std::fs::metadata(name).is_ok_and(|old| old.len() > 0);
            let file = File::create(name).map_err(failed)?;
            if replaces {
                tell_line!("writefile: {name} existed and is overwritten");
            }
            self.open.insert(name.to_owned(), file);
        }
        match self.open.get_mut(name) {
            // Unbuffered: the query may read the file it writes.
            Some(file) => file.write_all(text).map_err(failed),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_first_write_of_a_run_truncates() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("out.cqo");
        let name = path.to_str().expect("a name");
        fs::write(&path, "old").expect("written");
        let rules = FileRules { allow_write: vec![dir.path().to_owned()], ..FileRules::default() };
        let mut files = SandboxedFiles::new(rules.clone());
        assert_eq!(files.read(name, 1000).as_deref(), Ok(&b"old"[..]));
        files.append(name, b"one ").expect("written");
        files.append(name, b"two").expect("written");
        assert_eq!(files.read(name, 1000).as_deref(), Ok(&b"one two"[..]));
        assert_eq!(files.read(name, 2).map(|text| text.len()), Ok(3));
        SandboxedFiles::new(rules).append(name, b"three").expect("written");
        assert_eq!(fs::read(&path).expect("read"), b"three");
    }

    #[test]
    fn queries_write_where_they_may() {
        let dir = tempfile::tempdir().expect("a directory");
        let inner = dir.path().join("inner");
        fs::create_dir(&inner).expect("made");
        let may = |rules: &FileRules, path: &Path| {
            let name = path.to_str().expect("a name");
            SandboxedFiles::new(rules.clone()).append(name, b"x").is_ok()
        };
        let inner_only = FileRules { allow_write: vec![inner.clone()], ..FileRules::default() };
        assert!(may(&inner_only, &inner.join("a.cqo")));
        assert!(!may(&inner_only, &dir.path().join("a.cqo")));
        assert!(!may(&inner_only, &inner.join("../a.cqo")));
        assert!(!may(&FileRules::default(), &inner.join("a.cqo")));
        #[cfg(unix)]
        {
            let link = inner.join("link.cqo");
            fs::write(dir.path().join("target.cqo"), "old").expect("written");
            std::os::unix::fs::symlink(dir.path().join("target.cqo"), &link).expect("linked");
            assert!(!may(&inner_only, &link));
            // The advice is about the directory where the link leads.
            let name = link.to_str().expect("a name");
            let said = SandboxedFiles::new(inner_only.clone()).append(name, b"x").unwrap_err();
            let real = dir.path().canonicalize().expect("there");
            let advice = format!("--allow-write {} permits it", real.display());
            assert!(said.contains("link.cqo leads to ") && said.ends_with(&advice), "{said}");
            let allow_write = vec![real];
            assert!(may(&FileRules { allow_write, ..FileRules::default() }, &link));
        }
        let secure = FileRules { secure: true, ..inner_only };
        assert!(!may(&secure, &inner.join("a.cqo")));
        assert!(SandboxedFiles::new(secure).read("Cargo.toml", 1000).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_opened() {
        let dir = tempfile::tempdir().expect("a directory");
        let pipe = dir.path().join("pipe.cqo");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let link = dir.path().join("null.cqo");
        std::os::unix::fs::symlink("/dev/null", &link).expect("linked");
        let mut files = SandboxedFiles::new(FileRules {
            allow_write: vec![dir.path().to_owned(), PathBuf::from("/dev")],
            ..FileRules::default()
        });
        for path in [pipe, link] {
            let name = path.to_str().expect("a name");
            let said = [files.read(name, 1000).map(drop), files.append(name, b"x")];
            for result in said {
                assert_eq!(result, Err(format!("{name} is not a regular file")));
            }
            assert!(read_games(name).is_err());
        }
    }

    #[test]
    fn failures_name_the_file() {
        let mut files = SandboxedFiles::default();
        assert!(files.read("no/such.cql", 1000).unwrap_err().contains("no/such.cql"));
        assert!(files.append("no/such.cqo", b"").unwrap_err().contains("no/such.cqo"));
    }
}
