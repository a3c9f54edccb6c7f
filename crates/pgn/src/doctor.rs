//! Finds the issues of a game in detail, and repairs them.
//!
//! A search reads what it can and goes on. This module reports every place in a game that is not
//! read as it is written, with the change after which a search reads the same without complaint.
//! The parser of a search reads the moves here too, token by token.
//!
//! [`Examiner::examine`] returns the [`Finding`]s of a game, [`repair`] a text without findings.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use board::Start;
use memchr::{memchr, memchr3};

use crate::fault::FaultKind;
use crate::split::{GAME_LIMIT, RawGame, Splitter};
use crate::tags::{TagIndex, TextTags};
use crate::tree::GameTree;
use crate::variant::{RulesRead, VariantNames};

mod bytes;
mod caution;
mod context;
mod finding;
mod gap;
mod keeps;
mod kind;
mod late;
mod loss;
mod moves;
mod plain;
mod spelling;
mod tags;
mod words;

pub use crate::fault::Loss;
pub use caution::Caution;
pub use context::Context;
pub use finding::Finding;
pub use kind::FindingKind;
pub use plain::is_plainly_sound;

use finding::{Edit, FINDINGS, Findings, separator};
use gap::Gap;
use keeps::Words;
use moves::Ending;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Kind and description of a finding.
type Told = (FindingKind, String);

/// A text after its repair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// The repaired text.
    pub text: Vec<u8>,
    /// Whether the text has no findings left.
    pub is_sound: bool,
    /// Level of caution that the repair needed.
    pub caution: Caution,
    /// Findings that appeared only after other repairs: kind and description.
    pub later: Vec<Told>,
    /// Findings that are left, or were repaired in another way.
    left: HashSet<Told>,
    /// State of the file after the text.
    pub after: Context,
}

/// An empty text.
impl Default for Repaired {
    fn default() -> Repaired {
        Repaired {
            text: Vec::new(),
            is_sound: true,
            caution: Caution::Usual,
            later: Vec::new(),
            left: HashSet::new(),
            after: Context::default(),
        }
    }
}

impl Repaired {
    /// Whether the text has a finding still, or it was repaired in another way.
    #[must_use]
    pub fn is_left(&self, kind: FindingKind, what: &str) -> bool {
        self.caution == Caution::KeepsAll || self.left.contains(&(kind, what.to_owned()))
    }
}

/// Finds the issues of games one after the other, with reusable memory and the state of the file.
#[derive(Debug, Default)]
pub struct Examiner {
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    variants: VariantNames,
    context: Context,
    caution: Caution,
}

impl Examiner {
    /// Creates an examiner that knows additional names of variants.
    #[must_use]
    pub fn new(variants: VariantNames) -> Examiner {
        Examiner { variants, ..Examiner::default() }
    }

    /// Returns the state of the file before the next game.
    #[must_use]
    pub fn context(&self) -> Context {
        self.context
    }

    /// Begins a new file: the next game is its first.
    pub fn begin_file(&mut self) {
        self.context = Context::default();
    }

    /// Reads the text before the next game, as far as it is available: other programs need a blank
    /// line there.
    pub fn see_before(&mut self, text: &[u8]) {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        self.context.gap = Gap::default().behind(text);
    }

    /// Returns the findings of a game, in the order of the text. The games of a file must be passed
    /// in their order.
    pub fn examine(&mut self, raw: &RawGame<'_>) -> Vec<Finding> {
        self.examine_ending(raw).0
    }

    fn examine_ending(&mut self, raw: &RawGame<'_>) -> (Vec<Finding>, Option<Range<usize>>) {
        let mut findings = Findings::default();
        let before = std::mem::take(&mut self.context);
        if before.in_variation && late::closes(raw) {
            let what = "the game before goes on after a result in a variation";
            findings.add(FindingKind::ContinuedGame, 0, what, []);
            self.context = before;
            return (findings.0, None);
        }
        let is_late = before.due.is_some()
            && before.gap.is_on_line()
            && late::may_begin_with_remark(raw, before.result)
            && late::on_line(raw.text).is_some();
        if let Some(finding) = second_result(raw, before).filter(|_| !is_late) {
            self.context = before;
            return (vec![finding], None);
        }
        let goes_on = before.due.is_some_and(|due| late::goes_on(raw, due));
        if goes_on || is_late && late::lone_result(raw).is_some() {
            findings.add(FindingKind::LateText, 0, late_text(raw.text), []);
            self.context = before;
            return (findings.0, None);
        }
        if is_late {
            findings.add(FindingKind::LateText, 0, late_text(raw.text), []);
        }
        if raw.is_skipped() {
            let faults = raw.faults.iter().filter(|fault| !is_late && fault.kind.skips_game());
            for fault in faults {
                let kind = FindingKind::of_fault(fault.kind);
                let at = (fault.offset - raw.offset) as usize;
                findings.add(kind, at, fault.kind.to_string(), []);
            }
            return (findings.0, None);
        }
        let ending = self.examine_game(raw, before.gap, &mut findings);
        let mut findings = findings.0;
        if is_late {
            // These findings are looked for again when the first line of the game has gone.
            let is_of_line = |finding: &Finding| match finding.kind {
                FindingKind::TextBeforeTags | FindingKind::TextBetweenTags => true,
                FindingKind::HiddenText => finding.at == 0,
                _ => false,
            };
            findings.retain(|finding| !is_of_line(finding));
        }
        findings.sort_by_cached_key(|finding| finding.at);
        (findings, ending.result.map(|result| result.0))
    }

    fn examine_game(&mut self, raw: &RawGame<'_>, gap: Gap, findings: &mut Findings) -> Ending {
        bytes::examine(raw.text, findings);
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = raw.clean_text(&mut buffer);
        bytes::examine_braces(raw.text, text, findings);
        self.index.scan(text);
        let tags = self.index.tags(text);
        let variant = self.variants.variant_of(tags);
        if examine_borders(text, tags.moves_start(), findings) {
            // The text around the borders is examined again once the games are apart.
            self.buffer = buffer;
            return Ending::default();
        }
        tags::examine(tags, variant, (gap, self.caution), findings);
        let mut ending = Ending::default();
        if variant.rules().is_some() && !findings.has(FindingKind::BadFen) {
            let start = tags.start_of(variant);
            ending = examine_moves(&mut self.tree, raw, (tags, start), self.caution, findings);
            self.context = Context {
                result: Some(self.tree.result()),
                in_variation: ending.in_variation && ending.result.is_some(),
                due: ending.due,
                gap: Gap::default(),
            };
        } else {
            if is_cut(raw) {
                // The moves are not understood, but even so they must end.
                examine_end(tags, &ending, findings);
            }
            self.tree.parse(tags);
            let rules = self.tree.rules_read(tags, variant);
            if rules == RulesRead::Assumed {
                // A search skips words as in a game of chess. They may have a meaning in the variant, so that
                // they stay.
                let start = (self.tree.start(), self.tree.has_fen());
                let mut of_moves = Findings::default();
                self.tree.examine(tags, start, self.caution, &mut of_moves);
                for finding in of_moves.0.into_iter().filter(|finding| finding.kind.is_loss()) {
                    findings.add(finding.kind, finding.at, finding.what, []);
                }
            } else if let RulesRead::Unknown(_) = rules
                && let Some(name) = tags.raw(b"Variant")
            {
                let at = crate::bytes::range_in(text, name).start;
                let what = format!(
                    "the moves of the variant `{}` are not understood",
                    crate::encoding::shown(name, 40)
                );
                findings.add(FindingKind::UnknownVariant, at, what, []);
            }
        }
        if findings.0.is_empty() {
            examine_hidden(raw, tags.moves_start(), findings);
        }
        self.buffer = buffer;
        ending
    }

    /// Returns the finding for the text after the last game of a file, with the text that makes it
    /// a remark; `None` if it is one already. A search skips comments
    /// there, and other programs take them for a game. Text on the line of the last result
    /// ([`FindingKind::LateText`]) is returned unchanged: it is repaired with the game.
    #[must_use]
    pub fn examine_rest(&self, text: &[u8]) -> Option<(Finding, Vec<u8>)> {
        if self.context.due.is_none() || late::on_line(text).is_none() {
            return examine_lines(text, None);
        }
        let blanks = text.iter().take_while(|b| crate::bytes::is_blank(**b));
        let at = blanks.count();
        let finding = Finding::new(FindingKind::LateText, at, late_text(&text[at..]), []);
        Some((finding, text.to_vec()))
    }

    /// Repairs games as [`repair`] does, with the state of this examiner. `context` is that of the
    /// first game of the text, and `examined` the one in which it was examined: findings of that
    /// examination are not among [`Repaired::later`]. A second repair of these games changes nothing.
    #[must_use]
    pub fn repair(&mut self, text: &[u8], examined: Context, context: Context) -> Repaired {
        self.repair_carefully(text, (examined, context), true)
    }

    /// Repairs games with the least caution that loses nothing, if `is_final` only in such a way
    /// that a second repair changes nothing.
    fn repair_carefully(
        &mut self,
        text: &[u8],
        (examined, context): (Context, Context),
        is_final: bool,
    ) -> Repaired {
        let after = self.context;
        let mut told = HashSet::new();
        let repaired = [Caution::Usual, Caution::KeepsUnread].into_iter().find_map(|caution| {
            told.clear();
            self.caution = caution;
            let repaired = self.repair_in_rounds(text, (examined, context), &mut told);
            self.caution = Caution::Usual;
            if is_final { self.settle(text, repaired?, context, &mut told) } else { repaired }
        });
        self.context = after;
        repaired.unwrap_or_else(|| Repaired {
            text: text.to_vec(),
            is_sound: false,
            caution: Caution::KeepsAll,
            later: Vec::new(),
            left: told,
            after,
        })
    }

    /// Repairs the games of an incomplete repair again, each for itself, until nothing changes.
    /// `None` if that does not end, or if a position is lost.
    fn settle(
        &mut self,
        original: &[u8],
        mut repaired: Repaired,
        context: Context,
        told: &mut HashSet<Told>,
    ) -> Option<Repaired> {
        const MOST_TIMES: u32 = 4;
        for _ in 0..MOST_TIMES {
            if repaired.is_sound || repaired.text == original {
                return Some(repaired);
            }
            let mut again = Repaired::default();
            self.repair_each(&repaired.text, context, false, &mut again);
            if again.text == repaired.text {
                return Some(repaired);
            }
            if !keeps::keeps_positions(original, &again.text, &self.variants) {
                return None;
            }
            let found: HashSet<&Told> = again.later.iter().collect();
            repaired.left.retain(|finding| !found.contains(finding));
            again.left.extend(repaired.left);
            again.later.retain(|finding| told.insert(finding.clone()));
            again.later.splice(0..0, repaired.later);
            // Some part of the text has changed.
            again.caution = repaired.caution;
            repaired = again;
        }
        None
    }

    /// Repairs games one after the other. If the repairs are not final, those of an earlier repair,
    /// the findings of the games are returned, too.
    fn repair_each(&mut self, text: &[u8], context: Context, is_final: bool, out: &mut Repaired) {
        let games: Vec<RawGame<'_>> = Splitter::starting_at(0, 1).split(text, true).collect();
        let starts = games.iter().map(|game| game.offset as usize);
        let ends = starts.clone().skip(1).chain([text.len()]);
        let mut is_first = true;
        let mut close = |(range, context): (Range<usize>, Context),
                         examiner: &mut Examiner,
                         next: usize,
                         out: &mut Repaired| {
            let end = range.end + trimmed_nuls(&text[range.end..next]);
            let examined = context;
            let context =
                if std::mem::take(&mut is_first) { examined } else { examined.after(out.after) };
            let game = &text[range.start..end];
            let repaired = examiner.repair_carefully(game, (examined, context), is_final);
            out.text.extend(repaired.text);
            out.text.extend(&text[end..next]);
            out.is_sound &= repaired.is_sound;
            out.caution = out.caution.max(repaired.caution);
            out.later.extend(repaired.later);
            out.left.extend(repaired.left);
            out.after = repaired.after;
        };
        let first = games.first().map_or(0, |game| game.offset as usize);
        out.text.extend(&text[..first]);
        self.context = context;
        let mut open: Option<(Range<usize>, Context)> = None;
        for ((game, start), next) in games.iter().zip(starts).zip(ends) {
            self.context.gap = context.gap.behind(&text[..start]);
            let context = self.context;
            let findings = self.examine(game);
            let is_last = next == text.len();
            let end = if game.is_skipped() || is_last { next } else { start + game.text.len() };
            match &mut open {
                Some((range, _)) if is_continued(&findings) => range.end = end,
                _ => {
                    if let Some(open) = open.replace((start..end, context)) {
                        close(open, self, start, out);
                    }
                }
            }
            if !is_final {
                out.later.extend(findings.into_iter().map(|found| (found.kind, found.what)));
            }
        }
        let open = open.unwrap_or((0..text.len(), context));
        close(open, self, text.len(), out);
    }

    /// Repairs a text until no repair is left, since each change can alter how the following text
    /// is read. `None` if that does not end, or if a word or position is lost.
    fn repair_in_rounds(
        &mut self,
        original: &[u8],
        (examined, context): (Context, Context),
        told: &mut HashSet<Told>,
    ) -> Option<Repaired> {
        let mut seen = HashSet::new();
        let is_other_view = self.caution != Caution::Usual || context != examined;
        if is_other_view {
            // Findings count as reported if the examination that the caller saw finds them: one
            // without caution, before the game before was repaired.
            let caution = std::mem::take(&mut self.caution);
            let round = repair_once(self, original, examined, &mut Words::new())?;
            let found = round.findings.into_iter();
            told.extend(found.map(|finding| (finding.kind, finding.what)));
            self.caution = caution;
        }
        let mut left = told.clone();
        let (mut later, mut respelled) = (Vec::new(), Words::new());
        let mut text = original.to_vec();
        while text.len() <= 2 * original.len() + GAME_LIMIT && seen.len() < ROUNDS {
            if !seen.insert(text.clone()) {
                return None;
            }
            let round = repair_once(self, &text, context, &mut respelled)?;
            for finding in round.findings {
                let is_kept = finding.kind == FindingKind::LostMove && finding.edits.is_empty();
                let finding = (finding.kind, finding.what);
                match round.text {
                    None => _ = left.insert(finding.clone()),
                    Some(_) => _ = left.remove(&finding),
                }
                let is_new = told.insert(finding.clone());
                if is_new && !is_kept && (seen.len() > 1 || is_other_view) {
                    later.push(finding);
                }
            }
            match round.text {
                Some(repaired) => text = repaired,
                None => {
                    let keeps_all = text == original
                        || keeps::keeps_words(original, &text, respelled)
                            && keeps::keeps_positions(original, &text, &self.variants);
                    return keeps_all.then_some(Repaired {
                        text,
                        is_sound: round.is_sound,
                        caution: self.caution,
                        later,
                        left,
                        after: self.context,
                    });
                }
            }
        }
        None
    }
}

/// Maximum number of rounds of a repair. A round repairs all its findings, so a few are enough except
/// for contrived texts, which are kept as they are.
const ROUNDS: usize = 64;

/// Notes the places where further games begin within the lines of a game, after a result that
/// touches their first tag or after any other word. Returns whether there are any.
fn examine_borders(text: &[u8], moves_start: usize, findings: &mut Findings) -> bool {
    let mut edits = Vec::new();
    let mut at = moves_start;
    while let Some(found) = memchr3(b'{', b';', b'[', &text[at..]) {
        let place = at + found;
        let rest = &text[place..];
        at = place + 1;
        match rest[0] {
            b'{' => at += memchr(b'}', rest).unwrap_or(rest.len() - 1),
            b';' => at += memchr(b'\n', rest).unwrap_or(rest.len() - 1),
            _ if rest.starts_with(b"[Event \"") && !text[..place].ends_with(b"\n") => {
                edits.push(Edit::insert(place, "\n\n"));
            }
            _ => {}
        }
    }
    let Some(first) = edits.first().map(|edit| edit.range.start) else {
        return false;
    };
    let what = "the next game begins on the same line";
    findings.add(FindingKind::GluedGame, first, what, edits);
    true
}

/// Returns the finding of a game that is nothing but a result. After another game that is a second
/// result of the latter.
fn second_result(raw: &RawGame<'_>, before: Context) -> Option<Finding> {
    let (first, result) = (before.result?, late::lone_result(raw)?);
    let edit = if result == first {
        Edit::remove(0..raw.text.len())
    } else {
        let line = if before.gap.is_indented() { "\n" } else { "" };
        Edit::replace(0..raw.text.len(), format!("{line}; {result}\n"))
    };
    let what = format!("the result `{result}` after the end of the game before");
    Some(Finding::new(FindingKind::SecondResult, 0, what, [edit]))
}

fn late_text(text: &[u8]) -> String {
    let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let words = crate::encoding::shown(line.trim_ascii(), 60);
    format!("text after the result of the game before: `{words}`")
}

fn examine_moves(
    tree: &mut GameTree,
    raw: &RawGame<'_>,
    (tags, start): (TextTags<'_>, (Start, bool)),
    caution: Caution,
    findings: &mut Findings,
) -> Ending {
    let ending = tree.examine(tags, start, caution, findings);
    let is_cut = is_cut(raw);
    if is_cut && !findings.has(FindingKind::GluedResult) {
        examine_end(tags, &ending, findings);
    } else if ending.result.is_none() && !is_cut && !findings.is_full() {
        let at = moves::end_of_moves(tags.text());
        let what = "the result stands on a line that `%` hides";
        findings.add(FindingKind::OddResult, at, what, [Edit::insert(at, "\n")]);
    }
    let odd = ending.odd.map(|odd| odd.0);
    let end = ending.result.as_ref().map(|result| result.0.start).or(odd);
    let end = end.unwrap_or(tags.text().len());
    tags::examine_result(tags, tree.result(), end, findings);
    ending
}

/// Whether the scanner saw no result.
fn is_cut(raw: &RawGame<'_>) -> bool {
    let mut kinds = raw.faults.iter().map(|fault| fault.kind);
    kinds.any(|kind| matches!(kind, FaultKind::MissingResult | FaultKind::MissingEnd))
}

/// Notes the faults that only the scanner sees, such as a bracket after a `%`.
fn examine_hidden(raw: &RawGame<'_>, moves_start: usize, findings: &mut Findings) {
    for fault in &raw.faults {
        let at = (fault.offset - raw.offset) as usize;
        let edit = match raw.text.get(at) {
            Some(b'[') if at >= moves_start => vec![Edit::replace(at..at + 1, "(")],
            _ => vec![],
        };
        let kind = FindingKind::of_fault(fault.kind);
        findings.add(kind, at, fault.kind.to_string(), edit);
    }
}

/// Notes the issue at the end of a game without a result: no result at all, or a word that the
/// scanner does not take for one.
fn examine_end(tags: TextTags<'_>, ending: &Ending, findings: &mut Findings) {
    let text = tags.text();
    let end = text.len();
    let (kind, at, what, edit) = match &ending.result {
        _ if ending.odd.is_some() => return,
        Some((range, result)) => {
            let shown = crate::encoding::shown(&text[range.start..end], 40);
            let what = format!("`{shown}` is no result; `{result}` is");
            let edit = Edit::replace(range.start..end, result.as_str());
            (FindingKind::OddResult, range.start, what, edit)
        }
        None => {
            let result = tags.result();
            let what = format!("the moves end without a result; `{result}` by the tags");
            let edit = Edit::insert(end, format!("{}{result}", separator(text, end)));
            (FindingKind::MissingResult, end, what, edit)
        }
    };
    findings.add(kind, at, what, [edit]);
}

/// Repairs the games of a text until no findings are left, as far as possible. No word is lost:
/// unreadable text becomes a comment, or stays as it is.
///
/// The text is that of a file. Each game is repaired on its own, and may become several games.
#[must_use]
pub fn repair(text: &[u8]) -> Repaired {
    let front = text.iter().take_while(|byte| **byte > 127).count();
    let (front, games) = text.split_at(front);
    let mut out = Repaired { text: front.to_vec(), ..Repaired::default() };
    let repair = |games: &[u8], out: &mut Repaired| {
        Examiner::default().repair_each(games, Context::default(), true, out);
    };
    match examine_front(front) {
        None => repair(games, &mut out),
        Some((_, new)) => {
            out.text.truncate(new.iter().take_while(|byte| **byte > 127).count());
            repair(&[&new[out.text.len()..], games].concat(), &mut out);
        }
    }
    out
}

/// Returns the length of the white space behind a game that belongs to its repair: up to the last NUL
/// byte, which the scanner trims.
#[must_use]
pub fn trimmed_nuls(gap: &[u8]) -> usize {
    memchr::memrchr(0, gap).map_or(0, |at| at + 1)
}

/// Whether a game goes on with the text of the one before.
#[must_use]
pub fn is_continued(findings: &[Finding]) -> bool {
    let mut kinds = findings.iter().map(|finding| finding.kind);
    kinds.any(|kind| matches!(kind, FindingKind::ContinuedGame | FindingKind::LateText))
}

/// Outcome of one round of a repair.
struct Round {
    /// The text after the round, if it has changed.
    text: Option<Vec<u8>>,
    is_sound: bool,
    findings: Vec<Finding>,
}

/// Performs one round of a repair. `None` if there are too many findings.
fn repair_once(
    examiner: &mut Examiner,
    text: &[u8],
    context: Context,
    respelled: &mut Words,
) -> Option<Round> {
    examiner.context = context;
    let games: Vec<RawGame<'_>> = Splitter::starting_at(0, 1).split(text, true).collect();
    let starts: Vec<usize> = games.iter().map(|game| game.offset as usize).collect();
    let mut out = Vec::with_capacity(text.len() + 64);
    let mut end = 0;
    let mut is_changed = false;
    let mut all = Vec::new();
    for (i, game) in games.iter().enumerate() {
        let start = starts[i];
        let next = starts.get(i + 1).copied().unwrap_or(text.len());
        let gap = context.gap.behind(&text[..start]);
        examiner.context.gap = gap;
        let (findings, result) = examiner.examine_ending(game);
        if findings.len() >= FINDINGS {
            return None;
        }
        all.extend(findings.iter().cloned());
        let game_end = if game.is_skipped() { next } else { start + game.text.len() };
        if end > start {
            // The first words of this game were moved into the game before; the rest waits for the
            // next round.
            out.extend_from_slice(&text[end..game_end.max(end)]);
            end = game_end.max(end);
            continue;
        }
        out.extend_from_slice(&text[end..start]);
        end = game_end;
        let own = &text[start..end];
        let goes_on = examiner.context.is_open() && games.get(i + 1).is_some_and(late::closes);
        let following = games.get(i + 1);
        let following = following.map(|raw| (raw, next - end + raw.text.len()));
        let late = result.as_ref().filter(|_| !goes_on && !game.is_skipped());
        let late = late.and_then(|_| late::behind(&text[end..], following, examiner.context));
        let edits = match (result, late) {
            // The word is no result, since the variation goes on after it.
            (Some(result), _) if goes_on => {
                let comment = [b"{", &own[result.clone()], b"}"].concat();
                vec![Edit::replace(result, comment)]
            }
            (Some(result), Some((length, words))) => {
                end += length;
                let comment = [b"{", &words[..], b"} "].concat();
                vec![Edit::insert(result.start, comment)]
            }
            _ if game.is_skipped() => edits_of_skipped(game, own, gap),
            _ => first_edits(&findings),
        };
        is_changed |= !edits.is_empty();
        keeps::note_respelled(own, &edits, respelled);
        apply(own, edits, &mut out);
    }
    let rest = if games.is_empty() {
        examine_lines(text, Some(context.gap.is_indented()))
    } else {
        examiner.examine_rest(&text[end..])
    };
    is_changed |= rest.as_ref().is_some_and(|rest| !rest.0.edits.is_empty());
    match rest {
        Some((finding, rest)) => {
            out.extend_from_slice(&rest);
            all.push(finding);
        }
        None => out.extend_from_slice(&text[end..]),
    }
    Some(Round { text: is_changed.then_some(out), is_sound: all.is_empty(), findings: all })
}

/// Returns the changes to make first: bytes and tags decide how the rest is read. The changes of a
/// finding are made together; of two findings in the same place only the first is repaired.
fn first_edits(findings: &[Finding]) -> Vec<Edit> {
    let changes = findings.iter().filter(|finding| !finding.edits.is_empty());
    let first = changes.map(|finding| finding.kind.layer()).min();
    let findings = findings.iter();
    let mut edits: BTreeMap<EditKey, Edit> = BTreeMap::new();
    for finding in findings.filter(|finding| Some(finding.kind.layer()) == first) {
        let mut own = finding.edits.iter();
        if own.all(|edit| is_free(&edits, &edit.range)) {
            for edit in &finding.edits {
                edits.insert(place(edit, edits.len()), edit.clone());
            }
        }
    }
    edits.into_values().collect()
}

/// Sort key of an edit: by start, insertions first.
type EditKey = (usize, bool, usize);

fn place(edit: &Edit, number: usize) -> EditKey {
    (edit.range.start, !edit.range.is_empty(), number)
}

/// Whether no edit overlaps a range.
fn is_free(edits: &BTreeMap<EditKey, Edit>, range: &Range<usize>) -> bool {
    let before = edits.range(..(range.start, false, 0)).next_back();
    let within = edits.range((range.start, false, 0)..(range.end, false, 0));
    let is_apart = |edit: &Edit| edit.range.end <= range.start || range.end <= edit.range.start;
    let mut near = before.into_iter().chain(within);
    near.all(|(_, edit)| is_apart(edit))
}

/// Returns the findings of bytes that belong into no text.
fn odd_bytes(text: &[u8]) -> Vec<Finding> {
    let mut odd = Findings::default();
    bytes::examine_controls(text, &mut odd);
    bytes::examine_encoding(text, &mut odd);
    odd.0
}

/// Returns the finding for text that is neither a game nor a remark, or for odd bytes, with the
/// repaired text. `is_indented` is that of [`as_remarks`].
fn examine_lines(text: &[u8], is_indented: Option<bool>) -> Option<(Finding, Vec<u8>)> {
    let remarks = as_remarks(text, is_indented);
    let odd = odd_bytes(text);
    let (kind, what, at) = match remarks.first() {
        Some(first) => {
            let at = first.range.start;
            let line = text[at..].split(|b| *b == b'\n').next()?;
            let words = crate::encoding::shown(line.trim_ascii(), 60);
            let what = format!("text after the last game: `{words}`");
            (FindingKind::TrailingText, what, at)
        }
        None => {
            let found = odd.first()?;
            (found.kind, found.what.clone(), found.at)
        }
    };
    let mut edits = remarks;
    edits.extend(odd.into_iter().flat_map(|found| found.edits));
    edits.sort_by_cached_key(|edit| (edit.range.start, edit.range.end));
    let mut repaired = Vec::new();
    apply(text, edits.clone(), &mut repaired);
    Some((Finding::new(kind, at, what, edits), repaired))
}

/// Returns the finding for the text before the first game of a file, if it is more than a byte
/// order mark, with the text that makes it a remark. A search skips letters beyond ASCII there, and
/// other programs take them for a game.
#[must_use]
pub fn examine_front(text: &[u8]) -> Option<(Finding, Vec<u8>)> {
    let (mark, rest) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => (&b""[..], text),
    };
    let words = crate::encoding::decode(crate::bytes::trim(rest));
    let first = words.chars().next()?;
    let (kind, what, remark) = if words.contains(char::is_alphanumeric) {
        (
            FindingKind::TrailingText,
            format!("text before the first game: `{words}`"),
            format!("; {words}\n"),
        )
    } else {
        (
            FindingKind::NoBreakSpace,
            format!("U+{:04X} before the first game", u32::from(first)),
            "\n".to_owned(),
        )
    };
    let new = [mark, remark.as_bytes()].concat();
    Some((Finding::new(kind, 0, what, []), new))
}

/// Returns the edits that make remarks of the lines of a text. `is_indented` says whether blanks are
/// before the text on its first line; `None` if that is the line of a result.
fn as_remarks(text: &[u8], is_indented: Option<bool>) -> Vec<Edit> {
    let lines = text.split_inclusive(|b| *b == b'\n');
    let starts = lines.scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let mark = |(at, line): (usize, &[u8])| {
        let mark = match crate::bytes::trim(line) {
            [] => return None,
            // Other programs know indented remarks only after a result.
            [b';', ..] if at == 0 && is_indented.is_none() => return None,
            [b';', ..] if at == 0 && line[0] == b';' && is_indented == Some(true) => "\n",
            [b';', ..] if line[0] == b';' => return None,
            [b'%', ..] if at > 0 && line[0] == b'%' => return None,
            _ if at == 0 => "\n; ",
            _ => "; ",
        };
        Some(Edit::insert(at, mark))
    };
    starts.filter_map(mark).collect()
}

fn edits_of_skipped(game: &RawGame<'_>, text: &[u8], gap: Gap) -> Vec<Edit> {
    let fault_of = |kind| game.faults.iter().find(|fault| fault.kind == kind);
    if fault_of(FaultKind::TrailingText).is_some() {
        let mut edits = as_remarks(text, Some(gap.is_indented()));
        edits.extend(odd_bytes(text).into_iter().flat_map(|found| found.edits));
        edits.sort_by_cached_key(|edit| (edit.range.start, edit.range.end));
        return edits;
    }
    let Some(open) = fault_of(FaultKind::UnclosedComment).filter(|_| text.len() <= GAME_LIMIT)
    else {
        return Vec::new();
    };
    let brace = (open.offset - game.offset) as usize;
    if brace >= text.len() {
        // The comment belongs to a later game: this one only lacks its end.
        let mut index = TagIndex::default();
        index.scan(text);
        let result = index.tags(text).result();
        let end = crate::bytes::trim_end(text).len();
        let what = format!("{}{result}", separator(text, end));
        return vec![Edit::insert(end, what)];
    }
    let line = text[..brace].rsplit(|b| *b == b'\n').next().unwrap_or_default();
    // A `%` hides the brace from the parser, unless it is in a comment, as in `[%clk …]`.
    let mut depth = 0_u32;
    let hides = line.iter().any(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *byte == b'%' && depth == 0
    });
    if hides {
        return vec![Edit::replace(brace..brace + 1, "(")];
    }
    // Before the result, if one ends the text.
    let at = moves::end_of_moves(text);
    let end = crate::bytes::trim_end(&text[..at]).len().max(brace + 1);
    let braces = text[brace..end].iter();
    let depth = braces.fold(0, |depth: usize, byte| match byte {
        b'{' => depth + 1,
        b'}' => depth.saturating_sub(1),
        _ => depth,
    });
    vec![Edit::insert(end, "}".repeat(depth))]
}

/// Appends a text with its changes, which are in order and do not overlap.
fn apply(text: &[u8], edits: Vec<Edit>, out: &mut Vec<u8>) {
    let mut end = 0;
    for edit in edits {
        out.extend_from_slice(&text[end..edit.range.start]);
        out.extend_from_slice(&edit.text);
        end = edit.range.end;
    }
    out.extend_from_slice(&text[end..]);
}
