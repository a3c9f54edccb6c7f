//! Damaged games: the findings of the doctor, the reading of a search, and the repairs.
//!
//! Each `NAME.pgn` of `tests/torture` has a `NAME.txt` with all of these; bytes that are not
//! printable ASCII are escaped. `UPDATE_EXPECTED=1` writes the `.txt` files again; read them before
//! you commit them.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

#[path = "support/kept.rs"]
mod kept;

use kept::{assert_nothing_is_lost, positions};
use pgn::doctor::{Caution, Examiner, Finding, FindingKind, Loss, Repaired, repair};
use pgn::{Edits, GameTree, RawGame, Splitter, TagIndex, Variant, WriteOptions, write_game};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture")
}

fn games(text: &[u8]) -> Vec<(RawGame<'_>, u64)> {
    let mut splitter = Splitter::default();
    let games: Vec<RawGame<'_>> = splitter.split(text, true).collect();
    games.into_iter().zip(1..).collect()
}

/// Returns the findings in a game of a text after the earlier games have been examined.
fn examine(examiner: &mut Examiner, text: &[u8], raw: &RawGame<'_>) -> Vec<Finding> {
    examiner.see_before(&text[..raw.offset as usize]);
    examiner.examine(raw)
}

/// Returns bytes as text, line by line.
fn shown(bytes: &[u8]) -> String {
    let mut out = String::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.escape_ascii().to_string();
        let line = line.replace("\\\"", "\"").replace("\\'", "'").replace("\\\\", "\\");
        // For generated texts the beginning is enough.
        let cut: String = line.chars().take(400).collect();
        let _ = writeln!(out, "  | {cut}");
    }
    out
}

/// Returns the moves that a search reads, as text.
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
    // The moves show how the game was read; the other tests cover the tags.
    out.split("\n\n").nth(1).unwrap_or(&out).trim().as_bytes().to_vec()
}

/// Returns the loss that a search reports for moves that it does not read, and checks that the
/// doctor finds that loss, too, and no other of its kind.
fn loss(raw: &RawGame<'_>) -> Option<Loss> {
    let examiner = &mut Examiner::default();
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
    // The text around these faults is examined once they are repaired.
    let comes_first = [FindingKind::BadFen, FindingKind::GluedGame];
    if findings.iter().any(|finding| comes_first.contains(&finding.kind)) {
        return loss;
    }
    let shown = || format!("{loss:?} {findings:?} {}", raw.text.escape_ascii());
    let n_moves = tree.n_lost_moves(text);
    let is_expected = n_moves > 0 || tree.lacks_words();
    assert_eq!(loss.is_some(), is_expected, "{}", shown());
    match &loss {
        Some(loss) => {
            let is_same = |finding: &&Finding| (finding.at, &finding.what) == (loss.at, &loss.what);
            assert!(findings.iter().any(|finding| is_same(&finding)), "{}", shown());
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

/// Kinds that a search always reports, besides those that are known before the moves are read.
const LOSSES: [FindingKind; 10] = [
    FindingKind::AmbiguousMove,
    FindingKind::EarlyVariation,
    FindingKind::GluedMove,
    FindingKind::GluedResult,
    FindingKind::IllegalMove,
    FindingKind::LostMove,
    FindingKind::NoBreakSpace,
    FindingKind::OddMove,
    FindingKind::TooManyPositions,
    FindingKind::UnreadableWord,
];

fn report(text: &[u8]) -> String {
    let mut examiner = Examiner::default();
    let mut out = String::new();
    for (raw, number) in games(text) {
        let _ = writeln!(out, "game {number}");
        let start = raw.offset as usize;
        for finding in examine(&mut examiner, text, &raw) {
            let before = &text[..start + finding.at];
            let line = 1 + before.iter().filter(|b| **b == b'\n').count();
            let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
            let _ = writeln!(out, "  {line}:{column}: {}: {}", finding.kind, finding.what);
        }
        if let Some(loss) = loss(&raw) {
            let before = &text[..start + loss.at];
            let line = 1 + before.iter().filter(|b| **b == b'\n').count();
            let _ = writeln!(out, "  {line}: {} lost: {}", loss.n_moves, loss.what);
        }
        if raw.is_skipped() { out += "  (left out)\n" } else { out += &shown(&reading(&raw)) }
    }
    if let Some((finding, _)) = examiner.examine_rest(rest_of(text)) {
        let _ = writeln!(out, "behind the games\n  {}: {}", finding.kind, finding.what);
    }
    let repaired = checked_repair(text);
    if repaired.text == text {
        out += "nothing to repair\n";
    } else {
        out += "repaired\n";
        out += &shown(&repaired.text);
    }
    if !repaired.is_sound {
        out += "not sound\n";
    }
    out
}

/// Returns the text after the last game.
fn rest_of(text: &[u8]) -> &[u8] {
    let games = games(text);
    let last = games.last().map(|(raw, _)| raw);
    let end = last.map_or(0, |raw| {
        if raw.is_skipped() { text.len() } else { raw.offset as usize + raw.text.len() }
    });
    text[end..].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text[end..])
}

/// Returns the repair of a text after checking that it loses nothing.
fn checked_repair(text: &[u8]) -> Repaired {
    let repaired = repair(text);
    assert_nothing_is_lost(text, &repaired);
    if repaired.is_sound {
        assert_clean(&repaired.text);
    }
    repaired
}

/// Checks that a repaired text has no findings, and that a search reads all of it.
fn assert_clean(text: &[u8]) {
    let mut examiner = Examiner::default();
    for (raw, number) in games(text) {
        let findings = examine(&mut examiner, text, &raw);
        let shown = text.escape_ascii();
        assert!(findings.is_empty(), "game {number}: {findings:?} in {shown}");
        assert!(raw.faults.is_empty(), "game {number}: {:?} in {shown}", raw.faults);
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
    let rest = examiner.examine_rest(rest_of(text));
    assert!(rest.is_none(), "{rest:?} in {}", text.escape_ascii());
}

/// Changes bytes of a text; each damage is an offset, a kind of change, and a byte.
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
fn what_is_in_front_of_the_first_game_is_sound() {
    for front in ["\r", "\rx", "\r\rx\r", " \x0b\r x", "\r\r\n\r)", "x\r", "\x0c;\r"] {
        let text = [front.as_bytes(), GAMES].concat();
        assert!(checked_repair(&text).is_sound);
    }
}

/// A search reads the second byte of `à` as a blank, since it reads Latin-1 as well.
#[test]
fn letters_are_not_cut_in_two() {
    for text in [&b"~\xe0*\x80"[..], "~à *".as_bytes(), "!à 1. e4 *".as_bytes()] {
        let repaired = checked_repair(text).text;
        let repaired = std::str::from_utf8(&repaired).expect("UTF-8");
        assert!(repaired.contains('à'), "{repaired}");
    }
}

/// Each round of a repair joins one part of such a game.
#[test]
fn a_long_chain_of_results_in_a_variation_is_kept() {
    let chain = |n: usize| {
        let parts = "5. Nc6 1-0\n\n".repeat(n);
        let text = format!("[Event \"a\"]\n\n1. e4 e5 (1... c5 1-0\n\n{parts}");
        let repaired = checked_repair(text.as_bytes());
        (repaired.caution, repaired.text == text.as_bytes())
    };
    assert_eq!(chain(9), (Caution::Usual, false));
    assert_eq!(chain(99), (Caution::KeepsAll, true));
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes: Vec<u8>) {
        checked_repair(&bytes);
    }
}

/// A small deterministic generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }
}

#[test]
fn nearly_whatever_is_damaged_is_sound() {
    const RUNS: u32 = 10_000;
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut n_failures = 0;
    for _ in 0..RUNS {
        let damage: Vec<(usize, u8, u8)> = (0..=random.next() % 6)
            .map(|_| {
                let number = random.next();
                (number as usize >> 16, number as u8, (number >> 8) as u8)
            })
            .collect();
        let text = damaged(GAMES, &damage);
        for (raw, _) in games(&text) {
            loss(&raw);
        }
        let repaired = checked_repair(&text);
        // An invalid FEN remains.
        let mut left = found(&repaired.text);
        left.retain(|kind| *kind != FindingKind::BadFen);
        n_failures += u32::from(!left.is_empty());
    }
    assert!(n_failures < RUNS / 50, "{n_failures} of {RUNS} texts are not sound");
}

/// Adds words to a text, and drops, swaps, cuts and joins its own.
fn with_damaged_words(text: &str, random: &mut Random) -> Vec<u8> {
    const WORDS: [&str; 37] = [
        "{",
        "}",
        "{{",
        "}}",
        "(",
        ")",
        "[",
        "]",
        "\n",
        "\n\n",
        "%",
        "$",
        "; rest",
        "1-0",
        "*",
        "1/2",
        "0-1 {Black resigns}",
        "½-½",
        "‼",
        "xx",
        "Sf6",
        "e4",
        "Ke2",
        "--",
        "2.",
        "12.",
        "(1. d4",
        "{a {b}} c}",
        "[Event \"x\"]",
        "at board 3",
        "00",
        "000",
        "matt",
        "Dh4",
        "{good 1-0",
        "1-0\n\n1. e4 c5",
        "[FEN \"4k3\n",
    ];
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let at = 1 + random.below(words.len() - 1);
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 | 2 => words.insert(at, WORDS[random.below(WORDS.len())].to_owned()),
            3 => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
            4 => {
                let cut = words[at].char_indices().nth(1);
                words[at].insert(cut.map_or(0, |(cut, _)| cut), ' ');
            }
            _ => {
                let word = words.remove(at);
                words[at - 1] += &word;
            }
        }
    }
    words.join(" ").into_bytes()
}

#[test]
fn nothing_is_lost_of_damaged_words() {
    let text = String::from_utf8_lossy(GAMES);
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let (mut n_kept, mut n_careful, mut n_unsettled) = (0, 0, 0);
    for run in 0..10_000 {
        let mut damaged_text = with_damaged_words(&text, &mut random);
        if run % 3 == 0 {
            let number = random.next();
            let damage = (number as usize >> 16, number as u8, (number >> 8) as u8);
            damaged_text = damaged(&damaged_text, &[damage]);
        }
        let repaired = checked_repair(&damaged_text);
        n_unsettled += u32::from(repair(&repaired.text).text != repaired.text);
        match repaired.caution {
            Caution::Usual => {}
            Caution::KeepsUnread => n_careful += 1,
            Caution::KeepsAll => n_kept += 1,
        }
    }
    // Few texts have no repair that keeps all words and positions. A damaged FEN tag sets no start.
    assert!(n_kept < 80 && n_careful < 800, "{n_kept} {n_careful}");
    assert!(n_careful > 0, "{n_careful}");
    // A game that goes on after a result in a variation may be joined once its parts are repaired.
    assert!(n_unsettled < 10, "{n_unsettled}");
}

/// Collects all files of games in the repository.
fn all_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                all_files(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_is_lost_of_any_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    all_files(&root, &mut files);
    assert!(files.len() > 150, "{}", files.len());
    for path in files {
        let text = fs::read(&path).expect("the file is read");
        checked_repair(&text);
    }
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
            let repaired = repair(raw.text).text;
            let shown = || format!("{} -> {}", raw.text.escape_ascii(), repaired.escape_ascii());
            // Of duplicate tags the second one is reported, and the first one removed.
            let mut kinds = findings.iter().map(|finding| finding.kind);
            let moves_text = [
                FindingKind::DuplicateTag,
                FindingKind::TextBeforeTags,
                FindingKind::TextBetweenTags,
            ];
            if kinds.any(|kind| moves_text.contains(&kind)) {
                continue;
            }
            let first = findings.first().map_or(raw.text.len(), |finding| finding.at);
            // A move number goes into the comment with the text after it.
            let is_number = |b: &u8| b.is_ascii_digit() || b.is_ascii_whitespace() || *b == b'.';
            let number = raw.text[..first].iter().rev().take_while(|b| is_number(b));
            let same = &raw.text[..first - number.count()];
            // Text that becomes a comment is added to the comment of its move.
            let end = same.iter().rposition(|byte| *byte == b'}');
            let same = &same[..end.unwrap_or(same.len())];
            assert!(repaired.starts_with(same), "{}", shown());
            n_repaired += usize::from(!findings.is_empty());
            // A repaired tag may set another start of the game.
            if !same.windows(2).any(|ends| ends == b"\n\n") {
                continue;
            }
            let before = positions(&raw.with_text(same));
            let after = games(&repaired).first().map_or_else(Vec::new, |game| positions(&game.0));
            assert!(after.starts_with(&before), "{}", shown());
            n_positions += before.len();
        }
    }
    assert!(n_repaired > 2_000 && n_positions > 7_500, "{n_repaired} {n_positions}");
}

#[test]
fn a_line_end_within_a_tag_becomes_a_blank() {
    let check = |text: &str, expected: &str| {
        let repaired = repair(text.as_bytes()).text;
        assert_eq!(String::from_utf8_lossy(&repaired), expected);
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

/// Found by fuzzing: faults that only the scanner sees, in repaired texts.
#[test]
fn a_repair_leaves_nothing_or_says_so() {
    for (text, is_sound) in [
        // A game of other rules ends without a result, and is left out.
        ("[Variant \"Bughouse\"]\n\n1. e4", false),
        ("[Event \"a\"]\n[Variant \"Bughouse\"]\n\n1. e4\n\n[Event \"b\"]\n\n*", false),
        // Each joined word is named, even if other text is between.
        (&*format!("[W{}hite \"x\"]\n[Result \"*\"]\n\n1. e4 *", "\0".repeat(99)), true),
        // The scanner sees a comment, the reader of tags a tag in it.
        ("{\n[u \"}\"]\n][", true),
    ] {
        assert_eq!(checked_repair(text.as_bytes()).is_sound, is_sound, "{text}");
    }
}

#[test]
fn a_repaired_tag_changes_no_rules() {
    for (tags, kept) in [
        ("[White \"W\"] [Variant \"zz\"]", true),
        ("[White \"W\"] [Variant \"Atomic\"]", true),
        ("[White \"W\"] [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]", true),
        ("[White \"W\"]\n[Variant\"zz\"]", true),
        ("[White \"W\"]\n[Vari ant \"zz\"]", true),
        ("[White \"W\"] [SetUp \"0\"]", false),
        ("[White \"W\"] [Variant \"Standard\"]", false),
    ] {
        let text = format!("{tags}\n[Result \"*\"]\n\n1. e4 e5 Ke4 *");
        let repaired = checked_repair(text.as_bytes());
        let shown = String::from_utf8_lossy(&repaired.text).into_owned();
        assert!(repaired.is_sound, "{shown}");
        let is_comment = shown.contains("\n\n{[");
        assert_eq!(is_comment, kept, "{shown}");
    }
}

/// Spellings that a search reads and other programs, such as python-chess, do not.
#[test]
fn what_other_programs_refuse_is_spelled_as_usual() {
    let moves = "Ke2 Ke7 *";
    for (fen, usual) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K3 w -", None),
        ("4k3/8/8/8/44/8/8/4K3 w - - 0 1", Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1")),
        ("4k38888884K3 w - - 3 7", Some("4k3/8/8/8/8/8/8/4K3 w - - 3 7")),
        ("4k3/8/8/8/8/8/8/4K3 w- - 0 1", Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1")),
        ("4k3/8/8/8/8/8/8/4K3 w --3 4", Some("4k3/8/8/8/8/8/8/4K3 w - - 3 4")),
        ("r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")),
        ("r3k2r/8/8/8/8/8/8/R3K2R w", Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1")),
    ] {
        let text = format!("[Event \"a\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n{moves}");
        let repaired = checked_repair(text.as_bytes());
        let wanted = match usual {
            None => text.clone(),
            Some(usual) => {
                text.replace(fen, usual).replace("Ke2", &format!("{{[FEN \"{fen}\"]}} Ke2"))
            }
        };
        assert_eq!(String::from_utf8_lossy(&repaired.text), wanted);
    }
    for (text, usual) in [
        ("\n1. e4 e5 00002. Nf3 Nc6 3. Bb5 *", "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *"),
        (" ; a\n\n1. e4 *", "; a\n\n1. e4 *"),
        (" % e4\n\t;\n\n1. e4 *", "% e4\n;\n\n1. e4 *"),
        ("[Round 1–0 \"?]\n\n1. e4 *", "[Round \"1–0 \\\"?\"]\n\n1. e4 *"),
    ] {
        let [text, usual] = [text, usual].map(|rest| format!("[Event \"a\"]\n{rest}"));
        let repaired = checked_repair(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&repaired.text), usual);
    }
}

/// Returns the kinds of the findings in the games of a text.
fn found(text: &[u8]) -> Vec<FindingKind> {
    let mut examiner = Examiner::default();
    let games = games(text);
    let findings = games.iter().flat_map(|(raw, _)| examine(&mut examiner, text, raw));
    findings.map(|finding| finding.kind).collect()
}

#[test]
fn games_beyond_the_limits() {
    let tags = "[Event \"x\"]\n[Result \"*\"]\n\n";
    let many = format!("{tags}{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(12_500));
    assert_eq!(found(many.as_bytes()), [FindingKind::TooManyPositions]);
    // The rest becomes a comment.
    assert!(checked_repair(many.as_bytes()).is_sound);
    let long = format!("{tags}{{{}}} *\n", "long ".repeat(200_000));
    assert_eq!(found(long.as_bytes()), [FindingKind::GameTooLong]);
    assert_eq!(repair(long.as_bytes()).text, long.as_bytes());
    let long = format!("{tags}{} *\n", "-- ".repeat(340_000));
    assert_eq!(found(long.as_bytes()), [FindingKind::GameTooLong]);
    assert_eq!(repair(long.as_bytes()).text, long.as_bytes());
}

/// Each of these texts once took quadratic time to repair.
#[test]
fn much_of_the_same_is_repaired_soon() {
    const N: usize = 15_000;
    let tags = "[White \"W\"]\n[Result \"*\"]\n";
    let game = |more: &str, moves: &str| format!("{tags}{more}\n1. e4 {moves} *\n");
    for text in [
        game(&"[Foo \"a\"]\n".repeat(N), ""),
        game(&"%\n[Foo \"a\"]\n[Foo \"b\"]\n".repeat(N / 2), ""),
        game(&"[Foo x \"a\"]\n".repeat(N), ""),
        game("", &"} ".repeat(N)),
        game("", &"{a} c} ".repeat(N)),
        game("", &format!("{{{}a{}}}", "{".repeat(N), "}".repeat(N))),
        game("", &"{[%csl Ga1]} ".repeat(N)),
        game("", &format!("{} Nf6 {}", "xx ".repeat(N), "xx 7. ".repeat(N))),
        game("", &"$1; ".repeat(N)),
        game(&"round 1. x ".repeat(N), ""),
    ] {
        let start = std::time::Instant::now();
        let repaired = repair(text.as_bytes());
        let seconds = start.elapsed().as_secs();
        // A debug build is a few times slower than a release build.
        let shown = shown(&repaired.text);
        assert!(seconds < 10, "{seconds} s: {shown}");
    }
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
fn a_second_repair_changes_nothing() {
    for text in [
        // Words that are kept once are a comment of the other side later.
        &b"d4 d5 E4 c4 e6 3.K"[..],
        // A part of a game becomes a game.
        b"d4(1-0 {0-1",
        // Bytes beside the games.
        b"{\xe9\n[Event ",
        b"[Event \"a\"]\n\n*\n; M\xfcller",
        b"[Event \"a\"]\n\n1. e4 *\n ; end\n; b\n[FEN",
        b"\n\0;%\n\nx",
        b"[Event \"a\"]\n\n1. e4 1-\0\n\n[Event \"b\"]\n\n*",
        b"[FEN \"4k3/8/8/8/\x018/8/8/4K3 w - - 0 1\"]\n\nKe2 *",
        b"[FEN \"4k3/8/8/8/8/8/8/4K3 w - -\x01 0 1\"]\n\nKe2 *",
    ] {
        let repaired = checked_repair(text).text;
        let shown =
            [&repaired, &repair(&repaired).text].map(|text| text.escape_ascii().to_string());
        assert_eq!(shown[0], shown[1]);
    }
}

#[test]
fn what_is_clean_stays_as_it_is() {
    assert_clean(GAMES);
    assert_eq!(repair(GAMES).text, GAMES);
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
