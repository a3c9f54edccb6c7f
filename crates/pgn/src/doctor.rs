//! What is wrong with a game, in detail, and how it is put right.
//!
//! A search reads what it can and goes on. This module tells what it had to put up with: every
//! place in a game that is not read as it stands, with the change that makes it read the same
//! without complaint. The moves are read by the very parser of a search, token by token.
//!
//! [`Examiner::examine`] gives the [`Finding`]s of a game, [`repair`] a text in which there are
//! none.

use std::ops::Range;

use board::Start;

use crate::fault::FaultKind;
use crate::split::{GAME_LIMIT, RawGame, Splitter};
use crate::tags::{TagIndex, TextTags};
use crate::tree::GameTree;
use crate::values::GameResult;
use crate::variant::{Variant, VariantNames};

mod bytes;
mod kind;
mod loss;
mod moves;
mod plain;
mod tags;

pub use kind::FindingKind;
pub use loss::Loss;
pub use plain::is_plainly_sound;

/// More findings in a game are not looked for: it is no game.
const FINDINGS: usize = 500;

/// So many times a text is examined again after it was changed.
const ROUNDS: usize = 12;

/// Something wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// Where in the text of the game.
    pub at: usize,
    /// What exactly; lower case, no full stop.
    pub what: String,
    /// The changes that put it right.
    pub(crate) edits: Vec<Edit>,
}

/// Bytes that take the place of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: Vec<u8>,
}

impl Edit {
    pub(crate) fn replace(range: Range<usize>, text: impl Into<Vec<u8>>) -> Edit {
        let text = text.into();
        Edit { range, text }
    }

    pub(crate) fn insert(at: usize, text: impl Into<Vec<u8>>) -> Edit {
        Edit::replace(at..at, text)
    }

    pub(crate) fn remove(range: Range<usize>) -> Edit {
        Edit::replace(range, "")
    }
}

/// What is found in one game.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn add(
        &mut self,
        kind: FindingKind,
        at: usize,
        what: impl Into<String>,
        edits: impl Into<Vec<Edit>>,
    ) {
        if !self.is_full() {
            let (what, edits) = (what.into(), edits.into());
            self.0.push(Finding {
                kind,
                at,
                what,
                edits,
            });
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= FINDINGS
    }

    fn has(&self, kind: FindingKind) -> bool {
        self.0.iter().any(|finding| finding.kind == kind)
    }
}

/// Memory that is used again for the next game.
#[derive(Debug, Default)]
pub struct Examiner {
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    variants: VariantNames,
}

impl Examiner {
    /// One that knows other names of variants, too.
    #[must_use]
    pub fn new(variants: VariantNames) -> Examiner {
        Examiner {
            variants,
            ..Examiner::default()
        }
    }

    /// What is wrong with a game, in the order of the text.
    pub fn examine(&mut self, raw: &RawGame<'_>) -> Vec<Finding> {
        let mut findings = Findings::default();
        if raw.is_skipped() {
            for fault in raw.faults.iter().filter(|fault| fault.kind.skips_game()) {
                let kind = FindingKind::of_fault(fault.kind);
                let at = (fault.offset - raw.offset) as usize;
                findings.add(kind, at, fault.kind.to_string(), []);
            }
            return findings.0;
        }
        bytes::examine(raw.text, &mut findings);
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = raw.clean_text(&mut buffer);
        bytes::examine_braces(raw.text, text, &mut findings);
        self.index.scan(text);
        let tags = self.index.tags(text);
        let variant = self.variants.variant_of(tags);
        tags::examine(tags, variant, &mut findings);
        if variant.rules().is_some() {
            let start = tags.start_of(variant);
            examine_moves(&mut self.tree, raw, (tags, start), &mut findings);
        } else if is_cut(raw) {
            // Its moves are not understood, but even so they must end.
            examine_end(tags, None, &mut findings);
        }
        if findings.0.is_empty() {
            examine_hidden(raw, &mut findings);
        }
        self.buffer = buffer;
        let mut findings = findings.0;
        findings.sort_by_key(|finding| finding.at);
        findings
    }

    /// As [`repair`], with what the examiner knows.
    #[must_use]
    pub fn repair(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        let mut text = text.to_vec();
        for _ in 0..ROUNDS {
            if text.len() > 2 * GAME_LIMIT {
                return None;
            }
            match repair_once(self, &text)? {
                Some(repaired) => text = repaired,
                None => return Some(text),
            }
        }
        None
    }
}

fn examine_moves(
    tree: &mut GameTree,
    raw: &RawGame<'_>,
    (tags, start): (TextTags<'_>, (Start, bool)),
    findings: &mut Findings,
) {
    let result = tree.examine(tags, start, findings);
    let is_cut = is_cut(raw);
    if is_cut && !findings.has(FindingKind::GluedResult) {
        examine_end(tags, result.as_ref(), findings);
    } else if result.is_none() && !is_cut && !findings.is_full() {
        let at = moves::end_of_moves(tags.text());
        let what = "the result stands on a line that `%` hides";
        findings.add(FindingKind::OddResult, at, what, [Edit::insert(at, "\n")]);
    }
    tags::examine_result(tags, tree.result(), findings);
}

/// Whether the scanner saw no result.
fn is_cut(raw: &RawGame<'_>) -> bool {
    let mut kinds = raw.faults.iter().map(|fault| fault.kind);
    kinds.any(|kind| matches!(kind, FaultKind::MissingResult | FaultKind::MissingEnd))
}

/// What only the scanner sees, as a bracket behind a `%`.
fn examine_hidden(raw: &RawGame<'_>, findings: &mut Findings) {
    for fault in &raw.faults {
        let at = (fault.offset - raw.offset) as usize;
        let edit = match raw.text.get(at) {
            Some(b'[') => vec![Edit::replace(at..at + 1, "(")],
            _ => vec![],
        };
        let kind = FindingKind::of_fault(fault.kind);
        findings.add(kind, at, fault.kind.to_string(), edit);
    }
}

/// What is wrong where the result is missing: no result, or a word that is none to the scanner.
fn examine_end(
    tags: TextTags<'_>,
    result: Option<&(Range<usize>, GameResult)>,
    findings: &mut Findings,
) {
    let end = tags.text().len();
    match result {
        Some((range, result)) => {
            let shown = crate::encoding::shown(&tags.text()[range.clone()], 40);
            let what = format!("`{shown}` is no result; `{result}` is");
            let edit = Edit::replace(range.start..end, result.as_str());
            findings.add(FindingKind::OddResult, range.start, what, [edit]);
        }
        None => {
            let result = tags.result();
            let what = format!("the moves end without a result; `{result}` by the tags");
            let edit = Edit::insert(end, format!("{}{result}", separator(tags.text(), end)));
            findings.add(FindingKind::MissingResult, end, what, [edit]);
        }
    }
}

/// What goes between a text and something put behind it: `;`, `%` and tags take all of a line.
pub(crate) fn separator(text: &[u8], at: usize) -> &'static str {
    let line = text[..at]
        .rsplit(|b| *b == b'\n')
        .next()
        .unwrap_or_default();
    let begins_with = |sign: u8| line.trim_ascii_start().first() == Some(&sign);
    if begins_with(b'[') {
        "\n\n"
    } else if line.contains(&b';') || line.contains(&b'%') {
        "\n"
    } else {
        " "
    }
}

/// Whether the value of a FEN tag is none.
fn fen_error(variant: Variant, value: &[u8]) -> Option<String> {
    let error = variant.parse_fen(value).err()?;
    Some(error.to_string())
}

/// The text of games changed so that nothing is found in it any more; `None` if there is no way.
///
/// The text may be that of a game that cannot be read, up to the next one. It may become several
/// games, or none.
#[must_use]
pub fn repair(text: &[u8]) -> Option<Vec<u8>> {
    Examiner::default().repair(text)
}

/// One round: `Some(None)` if there is nothing to do, `None` if nothing can be done.
fn repair_once(examiner: &mut Examiner, text: &[u8]) -> Option<Option<Vec<u8>>> {
    let games: Vec<RawGame<'_>> = Splitter::starting_at(0, 1).split(text, true).collect();
    let starts: Vec<usize> = games.iter().map(|game| game.offset as usize).collect();
    let mut out = Vec::with_capacity(text.len() + 64);
    let mut end = 0;
    let (mut is_changed, mut is_sound) = (false, true);
    for (i, game) in games.iter().enumerate() {
        let start = starts[i];
        let next = starts.get(i + 1).copied().unwrap_or(text.len());
        out.extend_from_slice(&text[end..start]);
        let findings = examiner.examine(game);
        if findings.len() >= FINDINGS {
            return None;
        }
        is_sound &= findings.is_empty();
        end = match game.is_skipped() {
            true => next,
            false => start + game.text.len(),
        };
        let own = &text[start..end];
        let edits = match game.is_skipped() {
            true => edits_of_skipped(game, own)?,
            false => first_edits(findings),
        };
        is_changed |= !edits.is_empty();
        apply(own, edits, &mut out);
    }
    out.extend_from_slice(&text[end..]);
    match is_changed {
        true => Some(Some(out)),
        // What is found and cannot be changed stays.
        false => is_sound.then_some(None),
    }
}

/// The changes to make first: what the bytes and tags are decides how the rest is read.
fn first_edits(findings: Vec<Finding>) -> Vec<Edit> {
    let changes = findings.iter().filter(|finding| !finding.edits.is_empty());
    let first = changes.map(|finding| finding.kind.layer()).min();
    let findings = findings.into_iter();
    findings
        .filter(|finding| Some(finding.kind.layer()) == first)
        .flat_map(|finding| finding.edits)
        .collect()
}

fn edits_of_skipped(game: &RawGame<'_>, text: &[u8]) -> Option<Vec<Edit>> {
    let kinds = || game.faults.iter().map(|fault| fault.kind);
    if kinds().any(|kind| kind == FaultKind::TrailingText) {
        return Some(vec![Edit::remove(0..text.len())]);
    }
    if text.len() > GAME_LIMIT || !kinds().any(|kind| kind == FaultKind::UnclosedComment) {
        return None;
    }
    // In front of the result, if one ends the text.
    let at = moves::end_of_moves(text);
    let end = crate::bytes::trim_end(&text[..at]).len();
    Some(vec![Edit::insert(end, "}")])
}

/// Appends a text with its changes; of two that overlap the first is made, the other in the next
/// round.
fn apply(text: &[u8], mut edits: Vec<Edit>, out: &mut Vec<u8>) {
    edits.sort_by_key(|edit| edit.range.start);
    let mut end = 0;
    for edit in edits {
        if edit.range.start < end {
            continue;
        }
        out.extend_from_slice(&text[end..edit.range.start]);
        out.extend_from_slice(&edit.text);
        end = edit.range.end;
    }
    out.extend_from_slice(&text[end..]);
}
