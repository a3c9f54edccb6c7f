//! Games that go to files which are called by their tags: `-o 'by-{White}.pgn'`.
//!
//! What a game is called by is what is written, tags that the query sets among it. All games wait
//! in a temporary file. Then one output after the other is written, so that no more than one is open
//! however many there are, and in the end all of them appear, or none.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::Found;
use tempfile::SpooledTempFile;

use super::{
    NewFile, Originals, OutputArgs, Replace, Rules, SPOOL_IN_MEMORY, directory, put_together,
};
use crate::place;

/// A value is cut off behind so many letters.
const LONGEST_VALUE: usize = 80;

/// Most files where nothing is said.
const MOST_FILES: u32 = 10_000;

/// Names that mean devices to some systems.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A name with tags in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Tag(String),
}

impl Template {
    /// Nothing where the name is that of one file.
    pub(crate) fn of(name: &Path) -> Option<Template> {
        let mut rest = name.to_str()?;
        let mut parts = Vec::new();
        let mut text = String::new();
        while let Some((before, behind)) = rest.split_once('{') {
            text += before;
            match behind.split_once('}').filter(|(tag, _)| is_tag(tag)) {
                Some((tag, more)) => {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    parts.push(Part::Tag(tag.to_owned()));
                    rest = more;
                }
                None => {
                    text.push('{');
                    rest = behind;
                }
            }
        }
        text += rest;
        parts.push(Part::Text(text));
        (parts.len() > 1).then_some(Template(parts))
    }

    /// The file of a game. What strangers have written into tags leads nowhere else than the name
    /// says: a value is a part of one name.
    fn file(&self, game: &[u8]) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Tag(name) => harmless(&value(game, name.as_bytes())),
        };
        self.0.iter().map(part).collect()
    }
}

fn is_tag(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The value of a tag in the text of a game; empty where there is none. `Year` is that of the date.
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

/// A value as a part of the name of a file on any system.
fn harmless(value: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || " -_,.'()+&".contains(c);
    let kept = value.chars().take(LONGEST_VALUE);
    let kept: String = kept.map(|c| if is_kept(c) { c } else { '_' }).collect();
    let kept = kept.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if kept.chars().all(|c| c == '_') {
        return "unknown".to_owned();
    }
    match DEVICES
        .iter()
        .any(|device| kept.eq_ignore_ascii_case(device))
    {
        true => format!("_{kept}"),
        false => kept.to_owned(),
    }
}

/// Games that wait for their files.
pub(crate) struct Files {
    template: Template,
    originals: Originals,
    force: bool,
    no_clobber: bool,
    create_directories: bool,
    most: u32,
    spool: SpooledTempFile,
    n_bytes: u64,
    files: Vec<Waiting>,
    /// By names in small letters: some systems know no others.
    by_name: HashMap<String, usize>,
}

/// The games of a file: where they wait.
struct Waiting {
    path: PathBuf,
    games: Vec<(u64, usize)>,
}

impl Files {
    pub(crate) fn new(template: &Template, originals: &Originals, arguments: &OutputArgs) -> Files {
        Files {
            template: template.clone(),
            originals: originals.clone(),
            force: arguments.force,
            no_clobber: arguments.no_clobber,
            create_directories: arguments.create_directories,
            most: arguments.max_output_files.unwrap_or(MOST_FILES),
            spool: tempfile::spooled_tempfile(SPOOL_IN_MEMORY),
            n_bytes: 0,
            files: Vec::new(),
            by_name: HashMap::new(),
        }
    }

    pub(crate) fn chunk(&mut self, found: &Found) -> io::Result<()> {
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

    /// The file of a game. One that may not be written is refused at its first game.
    fn file(&mut self, game: &[u8]) -> io::Result<usize> {
        let name = self.template.file(game);
        let key = name.to_lowercase();
        if let Some(&file) = self.by_name.get(&key) {
            return Ok(file);
        }
        let path = PathBuf::from(&name);
        let refused = |what: &str| Err(io::Error::other(format!("cannot write {name}: {what}")));
        if self.files.len() >= self.most as usize {
            return refused(&format!(
                "there are {} files already (--maxoutputfiles N permits more)",
                self.most
            ));
        }
        if self.no_clobber && place::exists(&path) {
            return refused("it exists, and --noclobber is given");
        }
        if !self.create_directories && !directory(&path).is_dir() {
            return refused("there is no such directory (--createdirectories makes it)");
        }
        if let Err(error) = self.rules().check(&path) {
            return refused(&error.to_string());
        }
        let file = self.files.len();
        self.by_name.insert(key, file);
        self.files.push(Waiting {
            path,
            games: Vec::new(),
        });
        Ok(file)
    }

    fn rules(&self) -> Rules<'_> {
        Rules {
            make_directories: self.create_directories,
            ..Rules::new(Replace::results(self.force, None), &self.originals)
        }
    }

    /// Writes all files; how many there are.
    pub(crate) fn finish(mut self) -> io::Result<usize> {
        let mut text = Vec::new();
        let mut complete = Vec::new();
        for file in &self.files {
            let failed = |error: io::Error| {
                let name = file.path.display();
                let message = format!("{name}: {error}; none of the files was written");
                io::Error::new(error.kind(), message)
            };
            let mut new = NewFile::create(&file.path, self.rules()).map_err(failed)?;
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
