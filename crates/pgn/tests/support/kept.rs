//! The properties that every repair keeps: the words and the positions of a text. Tests and fuzz targets hold
//! repaired texts to that.

use std::collections::{HashMap, HashSet};

use pgn::doctor::{Examiner, Finding, FindingKind, Repaired};
use pgn::{GameTree, RawGame, Splitter, TagIndex};

/// A text and its repair say the same.
pub(crate) fn assert_nothing_is_lost(text: &[u8], repaired: &Repaired) {
    assert_no_word_is_lost(text, repaired);
    assert_no_position_is_lost(text, repaired);
}

fn games(text: &[u8]) -> Vec<RawGame<'_>> {
    Splitter::default().split(text, true).collect()
}

/// What is found in the games of a text.
fn findings(text: &[u8]) -> Vec<(RawGame<'_>, Vec<Finding>)> {
    let mut examiner = Examiner::default();
    let games = games(text).into_iter();
    let examined = games.map(|raw| {
        examiner.see_before(&text[..raw.offset as usize]);
        let findings = examiner.examine(&raw);
        (raw, findings)
    });
    examined.collect()
}

/// Words are spelled in another way after these, and named.
const RESPELLS: [FindingKind; 9] = [
    FindingKind::OddMove,
    FindingKind::LooseMove,
    FindingKind::ForeignMove,
    FindingKind::GluedMove,
    FindingKind::GluedResult,
    FindingKind::OddResult,
    FindingKind::SecondResult,
    FindingKind::ResultTag,
    FindingKind::DuplicateTag,
];

/// Every word of a text is in its repaired text as often, as what it was or within a comment, or
/// else it was said how it is spelled now. Signs are no words.
fn assert_no_word_is_lost(text: &[u8], repaired: &Repaired) {
    let found = findings(text)
        .into_iter()
        .flat_map(|(_, findings)| findings);
    let found = found.map(|finding| (finding.kind, finding.what));
    let changes = found.chain(repaired.later.iter().cloned());
    let mut listed = HashSet::new();
    for (_, what) in changes.filter(|(kind, _)| RESPELLS.contains(kind)) {
        listed.extend(words(what.as_bytes()));
    }
    let mut counts: HashMap<String, isize> = HashMap::new();
    for word in words(&repaired.text) {
        *counts.entry(word).or_default() += 1;
    }
    let parts: HashSet<String> = counts.keys().chain(&listed).cloned().collect();
    for word in words(text) {
        *counts.entry(word).or_default() -= 1;
    }
    let is_lost = |(word, count): &(&String, &isize)| {
        **count < 0 && !listed.contains(*word) && !is_cut(word, &parts)
    };
    let lost: Vec<_> = counts.iter().filter(is_lost).collect();
    let shown = || {
        format!(
            "{} -> {}",
            text.escape_ascii(),
            repaired.text.escape_ascii()
        )
    };
    assert!(lost.is_empty(), "{lost:?} in {}", shown());
}

/// Whether a word consists of others, since blanks or dots now stand in it: `1e4`, `e8=Qch`.
fn is_cut(word: &str, parts: &HashSet<String>) -> bool {
    let mut cuts = word.char_indices().skip(1);
    cuts.any(|(at, _)| {
        let (head, rest) = word.split_at(at);
        parts.contains(head) && (parts.contains(rest) || is_cut(rest, parts))
    })
}

fn words(text: &[u8]) -> Vec<String> {
    let text = pgn::decode(text).replace(['\u{a0}', '\r', '\0', '\u{7f}'], " ");
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The positions of a game in the order of the text.
pub(crate) fn positions(raw: &RawGame<'_>) -> Vec<String> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    tree.parse(index.tags(text));
    (0..tree.len()).map(|node| tree.fen(node)).collect()
}

/// After these a search reads other moves than were meant.
const MEANS_OTHER_MOVES: [FindingKind; 12] = [
    FindingKind::GluedResult,
    FindingKind::NotUtf8,
    FindingKind::ContinuedGame,
    FindingKind::SecondResult,
    FindingKind::ForeignMove,
    FindingKind::LostMove,
    FindingKind::OddMove,
    FindingKind::GluedMove,
    FindingKind::NoBreakSpace,
    FindingKind::OddResult,
    FindingKind::DuplicateTag,
    FindingKind::BrokenTag,
];

/// Every position that a search reads in a text is read in its repaired text, in the same order.
/// Where a word stood for a move that was not read, the moves after it are another matter.
fn assert_no_position_is_lost(text: &[u8], repaired: &Repaired) {
    let means_other = |kind: FindingKind| MEANS_OTHER_MOVES.contains(&kind);
    // Around these nothing else is looked at before they are put right.
    let comes_first = |finding: &Finding| finding.kind == FindingKind::GluedGame;
    let means_other_later = repaired.later.iter().any(|(kind, _)| means_other(*kind));
    let repaired = &repaired.text;
    let after = games(repaired).into_iter();
    let after = after.filter(|raw| !raw.is_skipped());
    let mut after = after.flat_map(|raw| positions(&raw));
    for (raw, findings) in findings(text) {
        if raw.is_skipped() || means_other_later && findings.iter().any(comes_first) {
            continue;
        }
        let is_other = |finding: &&Finding| means_other(finding.kind);
        let own = match findings.iter().find(is_other) {
            None => positions(&raw),
            Some(other) => positions_before(&raw, other.at),
        };
        // Text that is no game may look like one without moves.
        if own == [board::Position::START.fen()] {
            continue;
        }
        for position in own {
            let shown = || format!("{} -> {}", text.escape_ascii(), repaired.escape_ascii());
            let is_there = after.any(|other| other == position);
            assert!(is_there, "{position} in {}", shown());
        }
    }
}

/// The positions of a game up to the word at a place among its moves; none if that stands before
/// them.
fn positions_before(raw: &RawGame<'_>, at: usize) -> Vec<String> {
    let (mut index, mut buffer) = (TagIndex::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    let before = &raw.text[..at.min(raw.text.len())];
    let word = before.iter().rev().take_while(|b| !b.is_ascii_whitespace());
    let end = before.len() - word.count();
    match end >= index.tags(text).moves_start() {
        true => positions(&raw.with_text(&raw.text[..end])),
        false => Vec::new(),
    }
}
