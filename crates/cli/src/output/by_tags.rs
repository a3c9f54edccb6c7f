//! Output files named by tags: `-o 'by-{White}.pgn'`.
//!
//! The names come from the games as they are written, including tags that the query sets. All games
//! wait in a temporary file. Then the outputs are written one after the other, so that only one is
//! open at a time. In the end all of them appear, or none.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::QueryResults;
use tempfile::SpooledTempFile;

use super::{
    NewFile, Originals, OutputArgs, Replace, Rules, directory, put_together, tell_replaced,
    texts_in,
};
use crate::place;

/// Number of characters after which a value is cut off.
const LONGEST_VALUE: usize = 80;

/// Default limit on the number of files.
const MOST_FILES: u32 = 10_000;

/// Names of devices on some systems.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A file name with tags in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<NamePart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum NamePart {
    Text(String),
    Tag(String),
}

impl Template {
    /// Parses a file name. Returns `None` if it contains no tag.
    pub(crate) fn of(name: &Path) -> Option<Template> {
        let mut rest = name.to_str()?;
        let mut parts = Vec::new();
        let mut text = String::new();
        while let Some((before, behind)) = rest.split_once('{') {
            text += before;
            match behind.split_once('}').filter(|(tag, _)| is_tag(tag)) {
                Some((tag, more)) => {
                    parts.push(NamePart::Text(std::mem::take(&mut text)));
                    parts.push(NamePart::Tag(tag.to_owned()));
                    rest = more;
                }
                None => {
                    text.push('{');
                    rest = behind;
                }
            }
        }
        text += rest;
        parts.push(NamePart::Text(text));
        (parts.len() > 1).then_some(Template(parts))
    }

    /// Returns the tags in the name.
    fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            NamePart::Tag(tag) => Some(&**tag),
            NamePart::Text(_) => None,
        })
    }

    /// Returns the file name of a game. The value of a tag cannot lead to another directory: it
    /// becomes a part of one name.
    fn file(&self, game: &[u8]) -> String {
        let part = |part: &NamePart| match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Tag(name) => harmless(&value(game, name.as_bytes())),
        };
        self.0.iter().map(part).collect()
    }
}

fn is_tag(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the value of a tag in the text of a game; empty if it is missing. `Year` is the year of
/// the date.
fn value(game: &[u8], name: &[u8]) -> String {
    if name == b"Year" {
        let date = value(game, b"Date");
        return date.split('.').next().unwrap_or_default().to_owned();
    }
    let lines = game.split(|byte| *byte == b'\n');
    let tags = lines.take_while(|line| line.starts_with(b"["));
    let mut values = tags.filter_map(|line| {
        let rest = line.strip_prefix(b"[")?.strip_prefix(name)?;
        rest.strip_prefix(b" \"")?.strip_suffix(b"\"]")
    });
    let value = values.next().unwrap_or_default();
    pgn::decode(value).into_owned()
}

/// Converts a value to a part of a file name that is valid on every system.
fn harmless(value: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || " -_,.'()+&".contains(c);
    let kept = value.chars().take(LONGEST_VALUE);
    let kept: String = kept.map(|c| if is_kept(c) { c } else { '_' }).collect();
    let kept = kept.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if kept.chars().all(|c| c == '_') {
        return "unknown".to_owned();
    }
    if DEVICES.iter().any(|device| kept.eq_ignore_ascii_case(device)) {
        format!("_{kept}")
    } else {
        kept.to_owned()
    }
}

/// Games that wait to be written to their files.
pub(crate) struct TagFiles {
    template: Template,
    originals: Originals,
    force: bool,
    no_clobber: bool,
    create_directories: bool,
    most: u32,
    spool: SpooledTempFile,
    n_bytes: u64,
    files: Vec<TagSpool>,
    /// Tags of the template that no game has had so far.
    missing: Vec<String>,
    /// Indices of `files` by lower-case name, since some systems ignore case.
    by_name: HashMap<String, usize>,
}

/// An output file, with offset and length of its games in the spool.
struct TagSpool {
    path: PathBuf,
    games: Vec<(u64, usize)>,
}

impl TagFiles {
    pub(crate) fn new(
        template: &Template,
        originals: &Originals,
        arguments: &OutputArgs,
    ) -> TagFiles {
        TagFiles {
            template: template.clone(),
            originals: originals.clone(),
            force: arguments.force,
            no_clobber: arguments.no_clobber,
            create_directories: arguments.create_directories,
            most: arguments.max_output_files.unwrap_or(MOST_FILES),
            spool: texts_in(&std::env::temp_dir()),
            n_bytes: 0,
            files: Vec::new(),
            missing: template.tags().map(str::to_owned).collect(),
            by_name: HashMap::new(),
        }
    }

    pub(crate) fn chunk(&mut self, found: &QueryResults) -> io::Result<()> {
        let mut games = found.matches.iter();
        games.try_for_each(|game| self.game(&found.text[game.text.clone()]))
    }

    pub(crate) fn game(&mut self, text: &[u8]) -> io::Result<()> {
        let file = self.file(text)?;
        self.spool.write_all(text)?;
        self.files[file].games.push((self.n_bytes, text.len()));
        self.n_bytes += text.len() as u64;
        Ok(())
    }

    /// Returns the index of the file for a game. A file that must not be written is refused at its
    /// first game.
    fn file(&mut self, game: &[u8]) -> io::Result<usize> {
        self.missing.retain(|tag| value(game, tag.as_bytes()).is_empty());
        let name = self.template.file(game);
        let key = name.to_lowercase();
        if let Some(&file) = self.by_name.get(&key) {
            return Ok(file);
        }
        let path = PathBuf::from(&name);
        let refused = |what: &str| Err(io::Error::other(format!("cannot write {name}: {what}")));
        if self.files.len() >= self.most as usize {
            return refused(&format!(
                "the output already has {} files (--maxoutputfiles N permits more)",
                self.most
            ));
        }
        if self.no_clobber && place::exists(&path) {
            return refused("it exists, and --noclobber is given");
        }
        if !self.create_directories && !directory(&path).is_dir() {
            return refused("no such directory (--createdirectories creates it)");
        }
        if let Err(error) = self.rules().check(&path) {
            return refused(&error.to_string());
        }
        let file = self.files.len();
        self.by_name.insert(key, file);
        self.files.push(TagSpool { path, games: Vec::new() });
        Ok(file)
    }

    fn rules(&self) -> Rules<'_> {
        Rules {
            make_directories: self.create_directories,
            ..Rules::new(Replace::results(self.force, None), &self.originals)
        }
    }

    /// Writes all files. Returns their number.
    pub(crate) fn finish(mut self) -> io::Result<usize> {
        for tag in self.missing.iter().filter(|_| !self.files.is_empty()) {
            tell_line!("warning: no game has the tag {tag}, which names the files");
        }
        let mut text = Vec::new();
        let mut complete = Vec::new();
        for file in &self.files {
            let failed = |error: io::Error| {
                let name = file.path.display();
                let message = format!("{name}: {error}; none of the files was written");
                io::Error::new(error.kind(), message)
            };
            let mut new = NewFile::create(&file.path, self.rules()).map_err(failed)?;
            tell_replaced(&new, &file.path);
            for &(start, length) in &file.games {
                text.resize(length, 0);
                self.spool.seek(SeekFrom::Start(start))?;
                self.spool.read_exact(&mut text)?;
                new.write_all(&text).map_err(failed)?;
            }
            complete.push(new.hold().map_err(failed)?);
        }
        put_together(complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_tags() {
        let game = b"[Event \"A/B: 1\"]\n[White \"Tal, M\"]\n[Date \"1960.??.??\"]\n\n1.e4 *\n";
        for (template, want) in [
            ("{White}.pgn", "Tal, M.pgn"),
            ("by/{Event}-{White}.pgn", "by/A_B_ 1-Tal, M.pgn"),
            ("{Year}{Year}.pgn", "19601960.pgn"),
            ("{Black}.pgn", "unknown.pgn"),
            ("{x {White}.pgn", "{x Tal, M.pgn"),
            ("{White", ""),
            ("{1}.pgn", ""),
            ("{}{a-b}.pgn", ""),
            ("plain.pgn", ""),
        ] {
            let file = Template::of(Path::new(template)).map(|template| template.file(game));
            assert_eq!(file.unwrap_or_default(), want, "{template}");
        }
    }

    #[test]
    fn tags_lead_nowhere() {
        for (value, want) in [
            ("../../etc/passwd", "_.._etc_passwd"),
            ("..", "unknown"),
            ("C:\\x", "C__x"),
            ("a\0b\nc", "a_b_c"),
            (" . ", "unknown"),
            ("?", "unknown"),
            ("NUL", "_NUL"),
            ("né", "né"),
            ("x.", "x"),
        ] {
            assert_eq!(harmless(value), want, "{value:?}");
        }
        assert_eq!(harmless(&"x".repeat(300)).len(), LONGEST_VALUE);
    }
}
