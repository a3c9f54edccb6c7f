//! Finds text after a result that belongs to the game before it.

use memchr::memchr;

use super::context::Context;
use super::finding::in_comment;
use super::moves::{end_of_line, number_at};
use super::tags::{begins_with_tag, without_comments};
use crate::bytes::is_blank;
use crate::fault::FaultKind;
use crate::parse::reads_a_move;
use crate::split::RawGame;
use crate::tree::GameTree;
use crate::values::GameResult;

/// Whether a game has no tags.
pub(super) fn lacks_tags(raw: &RawGame<'_>) -> bool {
    let mut kinds = raw.faults.iter().map(|fault| fault.kind);
    kinds.any(|kind| matches!(kind, FaultKind::MissingTags | FaultKind::TrailingText))
}

/// Returns the number of the move that would follow the last one of the main line.
pub(super) fn number_due(tree: &GameTree) -> i64 {
    let line = std::iter::successors(Some(0), |&node| tree.next(node));
    let last = line.last().unwrap_or(0);
    i64::from(tree.positions()[last].fullmove_number)
}

/// Whether a game without tags continues the one before, as its first move number says.
pub(super) fn goes_on(raw: &RawGame<'_>, due: i64) -> bool {
    due > 1 && lacks_tags(raw) && number_at(without_comments(raw.text), 0) == Some(due)
}

/// Whether a text after a result in a variation belongs to the game before: it has no tags, and a
/// search reads no move of it as a game, or it ends that variation and does not begin with move 1.
pub(super) fn closes(raw: &RawGame<'_>) -> bool {
    if !lacks_tags(raw) {
        return false;
    }
    let mut buffer = Vec::new();
    let text = raw.clean_text(&mut buffer);
    raw.is_skipped()
        || !reads_a_move(text)
        || closes_variation(text) && number_at(without_comments(text), 0) != Some(1)
}

/// Whether a text has a `)` without `(`.
fn closes_variation(text: &[u8]) -> bool {
    end_of_line(text, 0, text.len()) < text.len()
}

/// Returns the text after a result on its line, up to the tags of the next game: its end, and its
/// form within a comment.
pub(super) fn on_line(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let (mut end, mut words) = (0, Vec::new());
    loop {
        let blanks = text[end..].iter();
        let blanks = blanks.take_while(|b| is_blank(**b) && **b != b'\n');
        let start = end + blanks.count();
        let rest = &text[start..];
        let line = memchr(b'\n', rest).unwrap_or(rest.len());
        let (length, part) = match rest.first() {
            Some(b'[') if begins_with_tag(rest) => break,
            None | Some(b'\n' | b'%') => break,
            Some(b';') => (line, &rest[1..line]),
            Some(b'{') => match memchr(b'}', rest) {
                Some(close) => (close + 1, &rest[1..close]),
                None => break,
            },
            Some(_) => {
                let mut others = rest[..line].iter().skip(1);
                let other = others.position(|b| b"{;[".contains(b));
                let length = other.map_or(line, |other| other + 1);
                (length, &rest[..length])
            }
        };
        if !words.is_empty() {
            words.push(b' ');
        }
        words.extend(in_comment(part));
        end = start + length;
    }
    (end > 0).then_some((end, words))
}

/// Returns the text after a game that belongs to it, depending on how the scanner reads that text:
/// its end, and its form within a comment.
pub(super) fn behind(
    text: &[u8],
    next: Option<(&RawGame<'_>, usize)>,
    before: Context,
) -> Option<(usize, Vec<u8>)> {
    match next {
        Some((raw, end)) if before.due.is_some_and(|due| goes_on(raw, due)) => {
            Some((end, in_comment(raw.text)))
        }
        Some((raw, _)) if !may_begin_with_remark(raw, before.result) => None,
        _ => on_line(text),
    }
}

/// Whether the first words of the game that the scanner sees may belong to the one before, which
/// has this result.
pub(super) fn may_begin_with_remark(raw: &RawGame<'_>, result: Option<GameResult>) -> bool {
    let has = |kind| raw.faults.iter().any(|fault| fault.kind == kind);
    if raw.is_skipped() {
        has(FaultKind::TrailingText)
    } else {
        !has(FaultKind::MissingTags) || lone_result(raw).is_some_and(|r| Some(r) != result)
    }
}

/// Returns the result of a game whose text is nothing else.
pub(super) fn lone_result(raw: &RawGame<'_>) -> Option<GameResult> {
    let results =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
    let text = raw.text.trim_ascii();
    results.into_iter().find(|result| result.as_str().as_bytes() == text)
}
