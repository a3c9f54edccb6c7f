//! The folder with the results of a job: queries evaluated on each shard of games separately.
//!
//! `job.json` identifies the job. Each shard has a file for each query, and a summary, which is
//! written last: a shard is done when its summary exists. Every file appears at once, so that a
//! shard is either done or not, whatever happens to a run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::output::{NewFile, Originals, Replace, Rules};
use crate::place;
use crate::visible::visible_name;

/// Name of the file that identifies the job.
const NAME: &str = "job.json";

const FORMAT: &str = "babson job";

/// Version that is written, and the only one that is read.
const VERSION: u64 = 1;

/// Description of a job: its shards and queries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultsManifest {
    format: String,
    version: u64,
    /// Checksum of everything that identifies the job: queries, options, games and program.
    pub(super) job: String,
    /// Version of the program, which must be the same for all shards.
    pub(super) program: String,
    /// Checksum of the manifest, which identifies the shards.
    pub(super) manifest: String,
    /// Number of shards.
    pub(super) shards: usize,
    /// Names of the queries, in order.
    pub(super) queries: Vec<String>,
    /// Extension of the result files.
    pub(super) extension: String,
    /// Number of columns that counts are grouped by; `None` if the results are not counts.
    pub(super) count_by: Option<usize>,
}

/// Fields that every version of the file has.
#[derive(Deserialize)]
struct JobVersion {
    format: String,
    version: u64,
}

impl ResultsManifest {
    /// Creates a job of this version of the program, identified by `id`.
    pub(super) fn new(id: String, manifest: &str, shards: usize) -> ResultsManifest {
        ResultsManifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            job: id,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            manifest: manifest.to_owned(),
            shards,
            queries: Vec::new(),
            extension: String::new(),
            count_by: None,
        }
    }

    /// Returns the part of a file name that follows the name of the query, for the shard at this
    /// index.
    pub(super) fn tag(place: usize) -> String {
        format!(".{:05}", place + 1)
    }

    /// Returns the file with the results of a query on a shard.
    pub(super) fn file(&self, folder: &Path, query: &str, place: usize) -> PathBuf {
        remote::join(folder, &format!("{query}{}.{}", ResultsManifest::tag(place), self.extension))
    }

    /// Returns the summary of a shard, which exists if the shard is done.
    pub(super) fn summary(folder: &Path, place: usize) -> PathBuf {
        remote::join(folder, &format!("summary{}.csv", ResultsManifest::tag(place)))
    }

    /// Returns the numbers of the shards that are not done.
    pub(super) fn missing(&self, folder: &Path) -> Vec<usize> {
        let places = 0..self.shards;
        let missing =
            places.filter(|&number| !place::exists(&ResultsManifest::summary(folder, number)));
        missing.map(|place| place + 1).collect()
    }

    /// Reads the description of the job from a folder.
    pub(super) fn read(folder: &Path) -> Result<ResultsManifest, Failure> {
        let path = remote::join(folder, NAME);
        let shown = remote::shown(&path);
        let shown = visible_name(&shown);
        let failed = |what: &dyn std::fmt::Display| Failure::Message(format!("{shown}: {what}"));
        let text = place::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let folder = remote::shown(folder);
                Failure::Message(format!(
                    "{} holds no results of shards, since it has no {NAME}: give the folder that \
                     `cql run --manifest` or `--shard` wrote with --output-dir",
                    visible_name(&folder)
                ))
            }
            _ => failed(&error),
        })?;
        let foreign = |error: serde_json::Error| {
            failed(&format_args!("this is not a job of cql, or it is damaged: {error}"))
        };
        let known: JobVersion = serde_json::from_slice(&text).map_err(foreign)?;
        if known.format != FORMAT {
            return Err(failed(&"this is not a job of cql"));
        }
        if known.version != VERSION {
            let version = known.version;
            return Err(failed(&format_args!(
                "the results are in version {version}, this program reads version {VERSION}"
            )));
        }
        serde_json::from_slice(&text).map_err(foreign)
    }

    /// Claims a folder for this job, or verifies that it belongs to it. Several runs may do so at
    /// once; a folder of another job is refused.
    pub(super) fn claim(&self, folder: &Path) -> Result<(), Failure> {
        let shown = remote::shown(folder);
        let shown = visible_name(&shown);
        let failed = |error: io::Error| Failure::Message(format!("cannot write {shown}: {error}"));
        self.write(folder).map_err(failed)?;
        let there = ResultsManifest::read(folder)?;
        if there == *self {
            Ok(())
        } else {
            Err(Failure::Message(format!(
                "{shown} has the results of a different job ({}): use another folder",
                self.difference(&there)
            )))
        }
    }

    /// Writes the description of the job unless there is one: only the first run does.
    fn write(&self, folder: &Path) -> io::Result<()> {
        let path = remote::join(folder, NAME);
        if place::exists(&path) {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)? + "\n";
        if let Some(address) = place::address(&path) {
            return remote::create_new(address, text.as_bytes()).map(drop);
        }
        fs::create_dir_all(folder)?;
        let none = Originals::default();
        let mut file = NewFile::create(&path, Rules::new(Replace::Anything, &none))?;
        file.write_all(text.as_bytes())?;
        file.finish_new().map(drop)
    }

    /// Returns in which respect another job differs, as far as the descriptions show it.
    fn difference(&self, other: &ResultsManifest) -> &'static str {
        match () {
            () if self.program != other.program => "of another version of cql",
            () if self.manifest != other.manifest => "on other games or other shards of them",
            () if self.queries != other.queries => "with other queries",
            () => "with another text or option",
        }
    }
}

/// Formats numbers as ranges: `1-3, 7`.
pub(super) fn listed(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let texts = ranges.iter().map(|&(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    texts.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_listed() {
        let check = |numbers: &[usize], expected: &str| assert_eq!(listed(numbers), expected);
        check(&[], "");
        check(&[3], "3");
        check(&[1, 2, 3, 7, 9, 10], "1-3, 7, 9-10");
    }

    #[test]
    fn a_folder_has_the_results_of_one_job() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("results");
        let job = ResultsManifest::new("a".to_owned(), "m", 3);
        assert!(ResultsManifest::read(&folder).is_err());
        job.claim(&folder).expect("made");
        job.claim(&folder).expect("it is the same");
        let refused = |job: &ResultsManifest, expected: &str| match job.claim(&folder) {
            Err(Failure::Message(message)) => assert!(message.contains(expected), "{message}"),
            other => panic!("{other:?}"),
        };
        refused(&ResultsManifest::new("b".to_owned(), "m", 3), "another text or option");
        refused(
            &ResultsManifest::new("a".to_owned(), "n", 3),
            "on other games or other shards of them",
        );
        fs::write(ResultsManifest::summary(&folder, 1), "").expect("written");
        assert_eq!(job.missing(&folder), [1, 3]);
        let text = fs::read_to_string(folder.join(NAME)).expect("read");
        let newer = text.replace("\"version\": 1", "\"version\": 2");
        fs::write(folder.join(NAME), newer).expect("written");
        refused(&job, "version 2");
    }
}
