//! Damaged games: what the doctor finds, how a search reads them, and what they are repaired to.
//!
//! Beside every `NAME.pgn` of `tests/torture` stands `NAME.txt` with all of that; bytes that are no
//! printable ASCII are escaped. `UPDATE_EXPECTED=1` writes the second ones anew, to be read before
//! they are committed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use pgn::doctor::{Examiner, Finding, FindingKind, Loss, repair};
use pgn::{Edits, GameTree, RawGame, Splitter, TagIndex, Variant, WriteOptions, write_game};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture")
}

fn games(text: &[u8]) -> Vec<(RawGame<'_>, u64)> {
    let mut splitter = Splitter::default();
    let games: Vec<RawGame<'_>> = splitter.split(text, true).collect();
    games.into_iter().zip(1..).collect()
}

/// Bytes as text, line by line.
fn shown(bytes: &[u8]) -> String {
    let mut out = String::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.escape_ascii().to_string();
        let line = line
            .replace("\\\"", "\"")
            .replace("\\'", "'")
            .replace("\\\\", "\\");
        // Of generated texts the beginning will do.
        let cut: String = line.chars().take(400).collect();
        let _ = writeln!(out, "  | {cut}");
    }
    out
}

/// What a search reads.
fn reading(raw: &RawGame<'_>) -> Vec<u8> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    let tags = index.tags(text);
    tree.parse(tags);
    let mut out = Vec::new();
    let (edits, options) = (Edits::default(), WriteOptions::default());
    write_game(&mut out, tags, &tree, &edits, &options);
    let out = String::from_utf8_lossy(&out).into_owned();
    // The moves say what was read; of the tags the other tests speak.
    out.split("\n\n")
        .nth(1)
        .unwrap_or(&out)
        .trim()
        .as_bytes()
        .to_vec()
}

/// What a search says of moves that it does not read. The doctor finds that, too, and nothing more
/// of its kind.
fn loss(raw: &RawGame<'_>, examiner: &mut Examiner) -> Option<Loss> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    let tags = index.tags(text);
    if raw.is_skipped() || matches!(tags.variant(), Variant::Other(_)) {
        return None;
    }
    tree.parse(tags);
    let loss = examiner.loss(&tree, tags);
    let findings = examiner.examine(raw);
    let shown = || format!("{loss:?} {findings:?} {}", raw.text.escape_ascii());
    let n_moves = tree.n_lost_moves(text);
    let is_expected = n_moves > 0 || tree.lacks_words();
    assert_eq!(loss.is_some(), is_expected, "{}", shown());
    match &loss {
        Some(loss) => {
            let is_same = |finding: &&Finding| (finding.at, &finding.what) == (loss.at, &loss.what);
            assert!(
                findings.iter().any(|finding| is_same(&finding)),
                "{}",
                shown()
            );
            assert_eq!(loss.n_moves, n_moves, "{}", shown());
        }
        None => {
            assert_eq!(n_moves, 0, "{}", shown());
            let is_loss = |finding: &Finding| LOSSES.contains(&finding.kind);
            assert!(!findings.iter().any(is_loss), "{}", shown());
        }
    }
    loss
}

/// What a search never passes over in silence, besides what is known before the moves are read.
const LOSSES: [FindingKind; 9] = [
    FindingKind::AmbiguousMove,
    FindingKind::EarlyVariation,
    FindingKind::GluedMove,
    FindingKind::GluedResult,
    FindingKind::IllegalMove,
    FindingKind::NoBreakSpace,
    FindingKind::OddMove,
    FindingKind::TooManyPositions,
    FindingKind::UnreadableWord,
];

fn report(text: &[u8]) -> String {
    let mut examiner = Examiner::default();
    let mut out = String::new();
    let mut end = 0;
    let mut repaired = Some(Vec::new());
    let games = games(text);
    for (i, (raw, number)) in games.iter().enumerate() {
        let _ = writeln!(out, "game {number}");
        let start = raw.offset as usize;
        for finding in examiner.examine(raw) {
            let before = &text[..start + finding.at];
            let line = 1 + before.iter().filter(|b| **b == b'\n').count();
            let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
            let _ = writeln!(out, "  {line}:{column}: {}: {}", finding.kind, finding.what);
        }
        if let Some(loss) = loss(raw, &mut examiner) {
            let before = &text[..start + loss.at];
            let line = 1 + before.iter().filter(|b| **b == b'\n').count();
            let _ = writeln!(out, "  {line}: {} lost: {}", loss.n_moves, loss.what);
        }
        match raw.is_skipped() {
            true => out += "  (left out)\n",
            false => out += &shown(&reading(raw)),
        }
        let next = games
            .get(i + 1)
            .map_or(text.len(), |game| game.0.offset as usize);
        let own = match raw.is_skipped() {
            true => &text[start..next],
            false => raw.text,
        };
        if let Some(out) = &mut repaired {
            out.extend_from_slice(&text[end..start]);
        }
        match (repair(own), &mut repaired) {
            (Some(new), Some(out)) => out.extend_from_slice(&new),
            _ => repaired = None,
        }
        end = start + own.len();
    }
    match repaired {
        None => out += "no repair\n",
        Some(mut repaired) => {
            repaired.extend_from_slice(&text[end..]);
            if repaired == text {
                out += "nothing to repair\n";
            } else {
                out += "repaired\n";
                out += &shown(&repaired);
            }
            assert_clean(&repaired);
        }
    }
    out
}

/// Nothing is found in a repaired text, and a search reads all of it.
fn assert_clean(text: &[u8]) {
    let mut examiner = Examiner::default();
    for (raw, number) in games(text) {
        let findings = examiner.examine(&raw);
        let shown = text.escape_ascii();
        assert!(
            findings.is_empty(),
            "game {number}: {findings:?} in {shown}"
        );
        assert!(
            raw.faults.is_empty(),
            "game {number}: {:?} in {shown}",
            raw.faults
        );
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(raw.text);
        let tags = index.tags(raw.text);
        if matches!(tags.variant(), Variant::Other(_)) {
            continue;
        }
        tree.parse(tags);
        assert_eq!(tree.illegal_move_at(), None, "{shown}");
        assert_eq!(tree.stop(), pgn::Stop::Result, "{shown}");
    }
}

/// Changes bytes of a text: place, and what to put there.
fn damaged(text: &[u8], damage: &[(usize, u8, u8)]) -> Vec<u8> {
    const SIGNS: &[u8] = b"{}()[];%*\"\\-+#!?$./=0123456789abcdefghNBRQKOPxe \n\r\t\0\xe9\xc3\xa9";
    let mut text = text.to_vec();
    for &(at, how, sign) in damage {
        let at = at % (text.len() + 1);
        let sign = SIGNS[usize::from(sign) % SIGNS.len()];
        match how % 4 {
            0 if at < text.len() => text[at] = sign,
            1 if at < text.len() => {
                text.remove(at);
            }
            2 => text.truncate(at.max(text.len() / 2)),
            _ => text.insert(at, sign),
        }
    }
    text
}

const GAMES: &[u8] = b"[Event \"a\"]\n[White \"A, B\"]\n[WhiteElo \"2000\"]\n[Result \"1-0\"]\n\n\
    1. e4 {first} e5 $1 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3!? Nc6 3. Bb5 a6 4. O-O Nf6 1-0\n\n\
    [Event \"b\"]\n[FEN \"r3k2r/4P3/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n[Result \"*\"]\n\n\
    1. O-O-O ; line\nRxh1 {x} 2. Rxh1 -- *\n";

#[test]
fn what_is_in_front_of_the_first_game_can_be_repaired() {
    for front in [
        "\r",
        "\rx",
        "\r\rx\r",
        " \x0b\r x",
        "\r\r\n\r)",
        "x\r",
        "\x0c;\r",
    ] {
        let text = [front.as_bytes(), GAMES].concat();
        let repaired = repair(&text).expect("a repair");
        assert_clean(&repaired);
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes: Vec<u8>) {
        if let Some(repaired) = repair(&bytes) {
            assert_clean(&repaired);
        }
    }
}

/// A small fixed generator: failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn nearly_whatever_is_damaged_can_be_repaired() {
    const RUNS: u32 = 4_000;
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut n_failures = 0;
    let mut examiner = Examiner::default();
    for _ in 0..RUNS {
        let damage: Vec<(usize, u8, u8)> = (0..=random.next() % 6)
            .map(|_| {
                let number = random.next();
                (number as usize >> 16, number as u8, (number >> 8) as u8)
            })
            .collect();
        let text = damaged(GAMES, &damage);
        for (raw, _) in games(&text) {
            loss(&raw, &mut examiner);
        }
        match repair(&text) {
            Some(repaired) => assert_clean(&repaired),
            None => n_failures += 1,
        }
    }
    assert!(
        n_failures < RUNS / 50,
        "{n_failures} of {RUNS} texts have no repair"
    );
}

/// The positions of a game in the order of the text.
fn positions(raw: &RawGame<'_>) -> Vec<String> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    tree.parse(index.tags(text));
    (0..tree.len()).map(|node| tree.fen(node)).collect()
}

#[test]
fn a_repaired_game_is_the_same_up_to_the_first_finding() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut n_repaired, mut n_positions) = (0, 0);
    for _ in 0..3_000 {
        let damage: Vec<(usize, u8, u8)> = (0..=random.next() % 3)
            .map(|_| {
                let number = random.next();
                (number as usize >> 16, number as u8, (number >> 8) as u8)
            })
            .collect();
        let text = damaged(GAMES, &damage);
        for (raw, _) in games(&text).iter().filter(|(raw, _)| !raw.is_skipped()) {
            let findings = Examiner::default().examine(raw);
            let Some(repaired) = repair(raw.text) else {
                continue;
            };
            let shown = || format!("{} -> {}", raw.text.escape_ascii(), repaired.escape_ascii());
            // Of duplicate tags the second one is reported, and the first one removed.
            let mut kinds = findings.iter().map(|finding| finding.kind);
            if kinds.any(|kind| kind == FindingKind::DuplicateTag) {
                continue;
            }
            let first = findings
                .first()
                .map_or(raw.text.len(), |finding| finding.at);
            let same = raw.text[..first].trim_ascii_end();
            // What becomes a comment goes on with the comment before it.
            let same = same.strip_suffix(b"}").unwrap_or(same);
            assert!(repaired.starts_with(same), "{}", shown());
            n_repaired += usize::from(!findings.is_empty());
            // A tag put in order may say that the game begins elsewhere.
            if !same.windows(2).any(|ends| ends == b"\n\n") {
                continue;
            }
            let before = positions(&raw.with_text(same));
            let after = games(&repaired)
                .first()
                .map_or_else(Vec::new, |game| positions(&game.0));
            assert!(after.starts_with(&before), "{}", shown());
            n_positions += before.len();
        }
    }
    assert!(
        n_repaired > 2_000 && n_positions > 10_000,
        "{n_repaired} {n_positions}"
    );
}

#[test]
fn a_line_end_within_a_tag_becomes_a_blank() {
    let check = |text: &str, expected: &str| {
        let repaired = repair(text.as_bytes());
        let repaired = repaired.as_deref().map(String::from_utf8_lossy);
        assert_eq!(repaired.as_deref(), Some(expected));
    };
    check(
        "[Event \"a\"]\n[\rWhite \"A\rB\"]\n[Result \"1-0\"]\n\n1. e4\r1-0\n",
        "[Event \"a\"]\n[ White \"A B\"]\n[Result \"1-0\"]\n\n1. e4\n1-0\n",
    );
    check(
        "[Event \"a\"]\r[Result \"*\"]\r\r1. e4\r*\r",
        "[Event \"a\"]\n[Result \"*\"]\n\n1. e4\n*\r",
    );
}

/// Found by fuzzing: what is left of faults that only the scanner sees.
#[test]
fn a_repair_leaves_nothing_or_is_none() {
    for (text, can_be_repaired) in [
        // A game of other rules ends without a result.
        ("[Variant \"Bughouse\"]\n\n1. e4", true),
        (
            "[Event \"a\"]\n[Variant \"Bughouse\"]\n\n1. e4\n\n[Event \"b\"]\n\n*",
            true,
        ),
        // The scanner sees a comment, the reader of tags a tag in it.
        ("{\n[u \"}\"]\n][", false),
    ] {
        let repaired = repair(text.as_bytes());
        assert_eq!(repaired.is_some(), can_be_repaired, "{text}");
        if let Some(repaired) = repaired {
            assert_clean(&repaired);
        }
    }
}

#[test]
fn games_beyond_the_limits() {
    let tags = "[Event \"x\"]\n[Result \"*\"]\n\n";
    let found = |text: &str| -> Vec<FindingKind> {
        let mut examiner = Examiner::default();
        let games = games(text.as_bytes());
        let findings = games.iter().flat_map(|(raw, _)| examiner.examine(raw));
        findings.map(|finding| finding.kind).collect()
    };
    let many = format!("{tags}{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(12_500));
    assert_eq!(found(&many), [FindingKind::TooManyPositions]);
    assert_clean(&repair(many.as_bytes()).expect("the rest becomes a comment"));
    let long = format!("{tags}{{{}}} *\n", "long ".repeat(200_000));
    assert_eq!(found(&long), [FindingKind::UnclosedComment]);
    assert_eq!(repair(long.as_bytes()), None);
    let long = format!("{tags}{} *\n", "-- ".repeat(340_000));
    assert_eq!(found(&long), [FindingKind::GameTooLong]);
    assert_eq!(repair(long.as_bytes()), None);
}

#[test]
fn every_kind_of_finding_is_in_some_file() {
    let mut all = String::new();
    for entry in fs::read_dir(directory()).expect("the directory is there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            all += &fs::read_to_string(&path).expect("the file is read");
        }
    }
    for kind in FindingKind::all() {
        let is_generated = [FindingKind::TooManyPositions, FindingKind::GameTooLong];
        let is_there = all.contains(&format!(": {kind}: "));
        assert!(is_there || is_generated.contains(&kind), "{kind}");
    }
}

#[test]
fn what_is_clean_stays_as_it_is() {
    assert_clean(GAMES);
    assert_eq!(repair(GAMES).as_deref(), Some(GAMES));
}

#[test]
fn every_file_is_read_and_repaired_as_it_says_beside() {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(directory()).expect("the directory is there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        let text = fs::read(&path).expect("the file is read");
        let got = report(&text);
        let beside = path.with_extension("txt");
        if update {
            fs::write(&beside, &got).expect("written");
        }
        let want = fs::read_to_string(&beside).unwrap_or_default();
        if got != want {
            wrong.push(format!("{}\n{got}\nbut expected\n{want}", path.display()));
        }
        count += 1;
    }
    assert!(count >= 20, "only {count} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
