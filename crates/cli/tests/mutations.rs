//! Damaged games give the same results and messages in every form: as text, through an archive, in
//! shards, compressed, through a pipe, on one thread or two.

mod support;

use std::fs;
use std::path::Path;

use support::{Place, Ran};

/// Characters that start or end a game, a comment or a tag.
const SIGNS: [&str; 22] = [
    "{",
    "}",
    "\"",
    "[",
    "]",
    "\n",
    "\n\n",
    "\n\n[",
    "(",
    ")",
    ";",
    "1-0",
    " * ",
    "1/2-1/2",
    "\0",
    "%",
    "$",
    "\\",
    "\r\n",
    "\n[Event \"x\"]\n",
    "[%clk 0:01:00]",
    "\u{feff}",
];

const QUERIES: [&str; 5] = ["check", "mate", "true", "originalcomment_\"a\"", "wtm_gamenumber>3"];

/// Number of files that are damaged and searched.
const FILES: u64 = 24;

/// Pseudo-random numbers, equal in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Returns some games, with 0.03 to 50 % of their bytes changed.
    fn damaged(&mut self, games: &[u8]) -> Vec<u8> {
        let start = self.below(games.len() / 2);
        let length = 2000 + self.below(10_000);
        let part = &games[start..games.len().min(start + length)];
        let of = [100_000, 1_000_000][self.below(2)];
        let rate = [300, 1000, 3000, 10_000, 50_000][self.below(5)];
        let mut out = Vec::new();
        for &byte in part {
            if self.below(of) >= rate {
                out.push(byte);
                continue;
            }
            match self.below(4) {
                0 => out.push(byte ^ (1 << self.below(8))),
                1 => {}
                2 => out.push(self.below(256) as u8),
                _ => {
                    out.push(byte);
                    out.extend(SIGNS[self.below(SIGNS.len())].bytes());
                }
            }
        }
        out
    }
}

/// Result of a search: status, counts, messages and output.
type SearchResult = (Option<i32>, String, String, String);

impl Place {
    fn found(&self, line: &str, stdin: &[u8], called: &str) -> SearchResult {
        let Ran { status, out, err } = self.run_on(&format!("{line} -o out.pgn"), stdin);
        let counts = out.split_once(" seconds").map_or(&*out, |(before, _)| before);
        let counts = counts.rsplit_once(" in ").map_or(counts, |(before, _)| before);
        let faulty: Vec<&str> = out.lines().filter(|line| line.starts_with("faulty")).collect();
        let written = fs::read(self.path("out.pgn")).unwrap_or_default();
        let _ = fs::remove_file(self.path("out.pgn"));
        let written = String::from_utf8_lossy(&written).into_owned();
        // The explanation of an empty result requires inputs that can be read again.
        let (err, _) = err.split_once("no matches: ").unwrap_or((&err, ""));
        // The name of the source differs.
        let err =
            err.replace(&format!("{called}: "), "g.pgn: ").replace(&format!("{called}:"), "g.pgn:");
        (status, format!("{counts} {faulty:?}"), err, written)
    }
}

/// Removes file, line and byte from messages about games, and the messages about each file.
fn without_places(said: &str) -> String {
    let of_games = said.lines().filter(|line| !line.contains(babson::NOT_UTF8));
    let lines = of_games.map(|line| match line.split_once(": game ") {
        Some((_, rest)) => {
            let (number, _) = rest.split_once(' ').unwrap_or_default();
            let (_, message) = rest.split_once("): ").unwrap_or_default();
            format!("{number}: {message}\n")
        }
        None => {
            let (_, rest) = line.rsplit_once(": and ").unwrap_or(("", line));
            format!("{rest}\n")
        }
    });
    lines.collect()
}

#[test]
fn damaged_games_are_the_same_however_they_come() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let games = ["historic.pgn", "miniatures.pgn"]
        .map(|name| fs::read(examples.join(name)).expect("games"));
    let mut n_faulty = 0;
    for seed in 0..FILES {
        let mut chance = Chance(seed);
        let text = chance.damaged(&games[seed as usize % 2]);
        let place = Place::empty();
        place.write("g.pgn", &text);
        let frames: Vec<u8> =
            text.chunks(1000).flat_map(|part| zstd::encode_all(part, 1).expect("packed")).collect();
        place.write("z.pgn.zst", frames);
        assert_eq!(place.run("index g.pgn").status, Some(0), "{seed}");
        let ran = place.run("split g.pgn -o shards --games-per-shard 3");
        assert_eq!(ran.status, Some(0), "{seed}: {ran:?}");
        let ran = place.run("index --check g.cqa");
        assert!(ran.out.ends_with("no faults\n"), "{seed}: {ran:?}");
        let query = QUERIES[chance.below(QUERIES.len())];
        let expected =
            place.found(&format!("-i g.pgn --no-index --threads 1 -cql {query}"), b"", "g.pgn");
        n_faulty += usize::from(!expected.2.is_empty());
        for (input, stdin, called) in [
            ("-i g.pgn --no-index --threads 2", &b""[..], "g.pgn"),
            ("-i g.pgn --threads 1", b"", "g.pgn"),
            ("-i g.pgn --threads 2", b"", "g.pgn"),
            ("-i z.pgn.zst --threads 2", b"", "z.pgn.zst"),
            ("-i shards --input-format pgn --threads 2", b"", "shards"),
            ("-i - --threads 1", &text, "standard input"),
        ] {
            let mut found = place.found(&format!("{input} -cql {query}"), stdin, called);
            let mut expected = expected.clone();
            if called == "shards" {
                // An issue is reported at its place in the shard.
                found.2 = without_places(&found.2);
                expected.2 = without_places(&expected.2);
            }
            assert!(found == expected, "file {seed}, {input} {query}\n{found:?}\n{expected:?}");
        }
    }
    // Many of the files must have issues.
    assert!(n_faulty > FILES as usize / 2, "{n_faulty} of {FILES}");
}
