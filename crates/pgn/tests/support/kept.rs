//! The properties that every repair keeps: the words and the positions of a text, and that a second
//! repair changes nothing if the first one was complete. Tests and a fuzz
//! target hold repaired texts to that.

use std::collections::{HashMap, HashSet};

use pgn::doctor::{Examiner, Finding, FindingKind, Repaired, repair};
use pgn::{GameTree, RawGame, Splitter, TagIndex};

/// A text and its repair say the same.
pub(crate) fn assert_nothing_is_lost(text: &[u8], repaired: &Repaired) {
    assert_no_word_is_lost(text, repaired);
    assert_no_position_is_lost(text, repaired);
    if repaired.is_sound {
        let again = repair(&repaired.text).text;
        let shown = || format!("{} -> {}", repaired.text.escape_ascii(), again.escape_ascii());
        assert!(again == repaired.text, "{}", shown());
    }
}

fn games(text: &[u8]) -> Vec<RawGame<'_>> {
    Splitter::default().split(text, true).collect()
}

/// Returns the games of a text, each with its findings.
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
    let found = findings(text).into_iter().flat_map(|(_, findings)| findings);
    let found = found.map(|finding| (finding.kind, finding.what));
    let changes = found.chain(repaired.later.iter().cloned());
    let mut listed = HashSet::new();
    // `[White Elo "2400"]`
    let joins = |kind: FindingKind, what: &str| {
        kind == FindingKind::BrokenTag && what.contains("; the name is `")
    };
    let respells =
        |(kind, what): &(FindingKind, String)| RESPELLS.contains(kind) || joins(*kind, what);
    for (_, what) in changes.filter(respells) {
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
    // Messages name the beginning of what is longer.
    const NAMED: usize = 40;
    let long = text.split(u8::is_ascii_whitespace);
    let long = long.filter(|part| part.len() > NAMED).flat_map(words);
    let long: HashSet<String> = long.collect();
    let is_listed = |word: &String| listed.contains(word) || long.contains(word);
    let is_lost = |(word, count): &(&String, &isize)| {
        **count < 0 && !is_listed(word) && !is_cut(word, &parts)
    };
    let lost: Vec<_> = counts.iter().filter(is_lost).collect();
    let shown = || format!("{} -> {}", text.escape_ascii(), repaired.text.escape_ascii());
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

/// Positions of a game that a search reads, in the order of the text, each with the number of the
/// one before.
struct GameReading {
    positions: Vec<String>,
    parents: Vec<usize>,
    /// Whether it ends with castling that the tags show to be the result, `0-0`.
    ends_with_result: bool,
    has_tags: bool,
}

/// Whether a text has more `)` than `(`, and does not begin with the first move.
fn closes_variation(text: &[u8]) -> bool {
    let count = |sign| text.iter().filter(|b| **b == sign).count();
    count(b')') > count(b'(') && !text.starts_with(b"1. ")
}

fn read(raw: &RawGame<'_>) -> Option<GameReading> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let text = raw.clean_text(&mut buffer);
    index.scan(text);
    let tags = index.tags(text);
    tree.parse(tags);
    let is_left_out = raw.is_skipped()
        || tree.impossible_start(tags).is_some()
        || tree.rules_read(tags, tags.variant()).variant().is_none();
    let result = tags.raw(b"Result").map(pgn::decode);
    (!is_left_out).then(|| GameReading {
        positions: (0..tree.len()).map(|node| tree.fen(node)).collect(),
        parents: (0..tree.len()).map(|node| tree.parent(node)).collect(),
        has_tags: tags.iter().next().is_some(),
        ends_with_result: text.trim_ascii_end().ends_with(b"0-0")
            && result.is_some_and(|result| !["1-0", "0-1", "1/2-1/2", "*"].contains(&&*result)),
    })
}

/// Returns the number of positions before a comment with the tags of another game: those after it
/// are of a third game.
fn n_sure(raw: &RawGame<'_>, findings: &[Finding]) -> usize {
    let swallowed = findings.iter().find(|finding| finding.kind == FindingKind::SwallowedGame);
    swallowed.map_or(usize::MAX, |finding| {
        let text = [&raw.text[..finding.at], b" *"].concat();
        games(&text).first().and_then(read).map_or(0, |reading| reading.positions.len())
    })
}

/// The positions of a game in the order of the text.
#[allow(dead_code, reason = "not all who hold repairs to this need it")]
pub(crate) fn positions(raw: &RawGame<'_>) -> Vec<String> {
    read(raw).map_or_else(Vec::new, |reading| reading.positions)
}

/// Every position that a search reads in a text is read in its repaired text. Only where a word has
/// become a move that was not read before, the moves after it are another matter, and where a game
/// goes on with what stood after a result.
fn assert_no_position_is_lost(text: &[u8], repaired: &Repaired) {
    let before: Vec<(bool, usize, Option<GameReading>)> = findings(text)
        .iter()
        .map(|(raw, findings)| {
            // A text that continues after a result has no tags, and one that continues a variation
            // ends it, unless no move of the text is possible.
            let goes_on = |finding: &Finding| match finding.kind {
                FindingKind::ContinuedGame => closes_variation(raw.text),
                FindingKind::LateText => findings.len() == 1 && raw.text.first() != Some(&b'['),
                _ => false,
            };
            (findings.iter().any(goes_on), n_sure(raw, findings), read(raw))
        })
        .collect();
    let mut after = HashSet::new();
    // The positions with those before them.
    let mut steps: Vec<[String; 2]> = Vec::new();
    let n_moves = |reading: &GameReading| reading.positions.len() - 1;
    for reading in games(&repaired.text).iter().filter_map(read) {
        let nodes = reading.positions.iter().zip(&reading.parents).skip(1);
        let new = nodes.map(|(at, &parent)| [reading.positions[parent].clone(), at.clone()]);
        steps.extend(new);
        after.extend(reading.positions);
    }
    let n_before: usize = before.iter().flat_map(|(.., reading)| reading).map(n_moves).sum();
    for (goes_on, n_sure, reading) in &before {
        let Some(reading) = reading.as_ref().filter(|_| !goes_on) else {
            continue;
        };
        let n_nodes = reading.positions.len();
        // A text that is no game may look like one without moves and tags.
        let is_nothing = n_nodes == 1 && !reading.has_tags;
        let n_moves = n_nodes - usize::from(reading.ends_with_result || is_nothing);
        let mut is_other = vec![false; n_nodes];
        let own: HashSet<&String> = reading.positions.iter().collect();
        let gains = steps.iter().filter(|step| !own.contains(&step[1]));
        let gains: HashSet<&String> = gains.map(|step| &step[0]).collect();
        for (node, position) in reading.positions[..n_moves].iter().enumerate() {
            let parent = reading.parents[node];
            is_other[node] = !after.contains(position)
                && node > 0
                && (is_other[parent] || gains.contains(&reading.positions[parent]));
            let shown = || {
                let repaired = repaired.text.escape_ascii();
                format!("{} -> {repaired}", text.escape_ascii())
            };
            // More is read than before.
            let is_more = node >= *n_sure && steps.len() > n_before;
            let is_there = after.contains(position) || is_other[node] || is_more;
            assert!(is_there, "{position} in {}", shown());
        }
    }
}
