//! The corpus as files: cases, expected results, known failures.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::level::Level;

/// A query and the games that it searches.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) area: String,
    pub(crate) name: String,
    /// Name of the games.
    pub(crate) data: String,
    pub(crate) query: PathBuf,
    pub(crate) games: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) expected: Expected,
}

impl Case {
    /// Returns the name of the case in lists.
    pub(crate) fn id(&self) -> String {
        format!("{}/{} on {}", self.area, self.name, self.data)
    }

    /// Returns the files that queries of the area read.
    pub(crate) fn beside(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.query.with_file_name("beside"));
        files.map_or_else(
            |_| Vec::new(),
            |files| files.map(|file| file.expect("a file").path()).collect(),
        )
    }
}

/// Expected result of a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// An error; it may be in the options, which have no lines.
    Refused { options: bool },
    /// Matching games and their text.
    Games { matches: Vec<u64>, text: Text },
}

/// Expected text of the matching games.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Pgn(Vec<u8>),
    Sha256(String),
    MarksSha256(String),
}

/// Reads all cases, sorted.
pub(crate) fn read(root: &Path) -> Vec<Case> {
    let mut files: Vec<PathBuf> = fs::read_dir(root.join("expected"))
        .expect("the expected results")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let area = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read(&file).expect("expected results");
        for (name, data, expected) in parse(&text) {
            let folder = root.join("cases").join(&area);
            let own = folder.join("pgn").join(format!("{data}.pgn"));
            let shared = root.join("data").join(format!("{data}.pgn"));
            let arguments = fs::read_to_string(folder.join(format!("{name}.args")));
            cases.push(Case {
                query: folder.join(format!("{name}.cql")),
                games: if own.exists() { own } else { shared },
                arguments: words(&arguments.unwrap_or_default()),
                area: area.clone(),
                name,
                data,
                expected,
            });
        }
    }
    cases
}

/// Parses the blocks of a file: case, games, result.
fn parse(text: &[u8]) -> Vec<(String, String, Expected)> {
    let mut blocks = Vec::new();
    let mut lines = text.split_inclusive(|&b| b == b'\n').peekable();
    let string =
        |line: &[u8]| String::from_utf8(line.to_vec()).expect("text").trim_end().to_owned();
    while let Some(line) = lines.next() {
        let head = string(line);
        let head = head.strip_prefix("== ").expect("the head of a block");
        let (name, data) = head.split_once(" on ").expect("a case and its games");
        let line = string(lines.next().expect("a result"));
        let expected = match line.strip_prefix("matches") {
            None => Expected::Refused {
                options: match line.as_str() {
                    "refused" => false,
                    "refused options" => true,
                    other => panic!("{head}: {other}"),
                },
            },
            Some(matches) => {
                let line = string(lines.next().expect("the games"));
                let text = match line.split_once(' ') {
                    Some(("sha256", hash)) => Text::Sha256(hash.to_owned()),
                    Some(("marks-sha256", hash)) => Text::MarksSha256(hash.to_owned()),
                    _ => {
                        assert_eq!(line, "pgn", "{head}");
                        let mut pgn = Vec::new();
                        while let Some(line) = lines.next_if(|line| line.starts_with(b"|")) {
                            pgn.extend_from_slice(&line[1..]);
                        }
                        Text::Pgn(pgn)
                    }
                };
                Expected::Games { matches: numbers(matches), text }
            }
        };
        blocks.push((name.to_owned(), data.to_owned(), expected));
    }
    blocks
}

/// Parses numbers and ranges such as `1-4 7`.
fn numbers(text: &str) -> Vec<u64> {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    text.split_whitespace()
        .flat_map(|range| match range.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(range)..=number(range),
        })
        .collect()
}

/// Splits a line into words like a shell, with quotes and backslashes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Cases that do not agree with the reference yet.
pub(crate) struct KnownFailures {
    areas: BTreeMap<String, String>,
    cases: BTreeMap<String, (Option<Level>, String)>,
}

const HEAD: &str = "case\tlevel\treason\n";

impl KnownFailures {
    pub(crate) fn read(root: &Path) -> KnownFailures {
        let text = fs::read_to_string(root.join("known-failures.tsv")).expect("known failures");
        let mut known = KnownFailures { areas: BTreeMap::new(), cases: BTreeMap::new() };
        for line in text.strip_prefix(HEAD).expect("the head of the list").lines() {
            let [case, level, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("not three columns: {line}");
            };
            if case.contains('/') {
                let level = Level::parse(level);
                known.cases.insert(case.to_owned(), (level, reason.to_owned()));
            } else {
                known.areas.insert(case.to_owned(), reason.to_owned());
            }
        }
        known
    }

    pub(crate) fn areas_left_out(&self) -> impl Iterator<Item = &str> {
        self.areas.keys().map(String::as_str)
    }

    pub(crate) fn leaves_out(&self, area: &str) -> bool {
        self.areas.contains_key(area)
    }

    pub(crate) fn reason(&self, area: &str) -> &str {
        &self.areas[area]
    }

    /// Returns the level that a case is expected to reach.
    fn expected(&self, case: &Case) -> Option<Level> {
        match self.cases.get(&case.id()) {
            Some((level, _)) => *level,
            None => Some(Level::Bytes),
        }
    }

    /// Returns the differences between the levels reached and the list.
    pub(crate) fn compare(&self, cases: &[Case], levels: &[Option<Level>]) -> Vec<String> {
        let mut complaints = Vec::new();
        for (case, &level) in cases.iter().zip(levels) {
            let expected = self.expected(case);
            if level != expected {
                let what = if level < expected { "falls short" } else { "has improved" };
                complaints.push(format!(
                    "{} {what}: reaches {}, the list says {}",
                    case.id(),
                    Level::name(level),
                    Level::name(expected)
                ));
            }
        }
        complaints
    }

    /// Removes cases from the list that agree now, and raises the levels of the others.
    pub(crate) fn raise(&self, root: &Path, cases: &[Case], levels: &[Option<Level>]) {
        let mut text = HEAD.to_owned();
        for (area, reason) in &self.areas {
            writeln!(text, "{area}\t-\t{reason}").expect("written");
        }
        for (id, (known, reason)) in &self.cases {
            let now = cases.iter().zip(levels).find(|(case, _)| case.id() == *id);
            let level = now.map_or(*known, |(_, &level)| level.max(*known));
            if level < Some(Level::Bytes) {
                writeln!(text, "{id}\t{}\t{reason}", Level::name(level)).expect("written");
            }
        }
        fs::write(root.join("known-failures.tsv"), text).expect("written");
    }
}

#[test]
fn blocks_are_read() {
    let text =
        b"== a on own\nrefused\n== b on x\nmatches 1-3 7\npgn\n|one\n|\n== c on y\nmatches\n\
        sha256 12\n== d on z\nrefused options\n";
    let blocks = parse(text);
    let names: Vec<_> = blocks.iter().map(|block| format!("{} {}", block.0, block.1)).collect();
    assert_eq!(names, ["a own", "b x", "c y", "d z"]);
    assert_eq!(blocks[0].2, Expected::Refused { options: false });
    let pgn = Expected::Games { matches: vec![1, 2, 3, 7], text: Text::Pgn(b"one\n\n".to_vec()) };
    assert_eq!(blocks[1].2, pgn);
    let hash = Expected::Games { matches: vec![], text: Text::Sha256("12".to_owned()) };
    assert_eq!(blocks[2].2, hash);
    assert_eq!(blocks[3].2, Expected::Refused { options: true });
}

#[test]
fn arguments_are_cut_as_a_shell_does() {
    let check = |line: &str, expected: &[&str]| assert_eq!(words(line), expected, "{line}");
    check("-g 3  8\n", &["-g", "3", "8"]);
    check("-cql 'a \"b\"' \"c d\"", &["-cql", "a \"b\"", "c d"]);
    check("-matchstring ''", &["-matchstring", ""]);
    check(r#"a\ b "c\"d" 'e\f'"#, &["a b", "c\"d", r"e\f"]);
}
