//! Detects misuse that every game is certain to reach.
//!
//! The reference stops when it evaluates a filter whose value is not used, such as a number on its
//! own. If the first position of every game gets there, the compiler reports an error. It also does if
//! the filter is one of the conditions of a text that was typed, an option or a query without a header:
//! no game matches, since each that gets there fails.

use std::borrow::Cow;
use std::collections::HashSet;

use syntax::builtin::{Keyword, Nullary, Regular};
use syntax::designator::PieceSet;
use syntax::parse::{help_for_moves, mate_in, moves_from_start, takes_one_filter};
use syntax::span::SourceId;
use syntax::tree::{TransformFamily, Type};
use syntax::{Diagnostic, Span};

use crate::lower::Arenas;
use crate::program::*;

/// The code of a misuse that every game reaches.
pub(crate) const MISUSE: &str = "E0410";

/// The span of a value that is not used, and the message about it.
type Misuse = (Span, &'static str);

/// Misuses in the conditions of a query, which must all match, in order.
#[derive(Default)]
pub(crate) struct Misuses {
    /// The misuse that every game reaches.
    reached: Option<Misuse>,
    /// The first condition that is a misuse, so that no game matches.
    condition: Option<Misuse>,
    /// Whether an earlier condition may not match, so that nothing after it is certain.
    is_uncertain: bool,
    /// Misuses that a game may reach, each span once.
    possible: Vec<Misuse>,
    seen: HashSet<Span>,
}

impl Misuses {
    /// Checks the next condition, and all filters in the arenas.
    pub(crate) fn note(&mut self, arenas: &Arenas, condition: BoolId) {
        if self.reached.is_none() && !self.is_uncertain {
            self.reached = reached(arenas, condition);
            self.is_uncertain = !always_matches(arenas, condition);
        }
        self.condition = self.condition.or_else(|| condition_of(arenas, condition));
        self.note_possible(arenas);
    }

    /// Collects the misuses in the arenas, which may never be evaluated.
    pub(crate) fn note_possible(&mut self, arenas: &Arenas) {
        for filter in &arenas.bools {
            if let BoolFilter::Misuse(span, message) = filter
                && self.seen.insert(*span)
            {
                self.possible.push((*span, message));
            }
        }
    }

    /// Notes that a game may have no position that is evaluated.
    pub(crate) fn may_not_be_reached(&mut self) {
        self.reached = None;
    }

    /// Returns an error for a misuse that is certain to be evaluated, or that keeps all games from
    /// matching in a text that was typed without a header; else a warning for each that may be
    /// evaluated. `has_header` says whether the query has one.
    pub(crate) fn diagnostics(
        mut self,
        sources: &[SourceText],
        has_header: bool,
    ) -> Vec<Diagnostic> {
        let is_typed = |(span, _): &Misuse| !has_header || span.source != SourceId(0);
        let condition = self.condition.filter(is_typed);
        if let Some((span, message)) = self.reached.or(condition) {
            let error = Diagnostic::error(MISUSE, span, message);
            return vec![advised(sources, error)];
        }
        self.possible.sort_by_cached_key(|(span, _)| span.beginning());
        let told = |(span, message)| advised(sources, Diagnostic::warning("W0401", span, message));
        self.possible.into_iter().map(told).collect()
    }
}

/// Number of bytes before an unused value that are searched for its context.
const FAR: u32 = 1000;

/// Adds advice to the misuse of a number after `mate` or `check`, which counts moves or checks elsewhere.
fn so_often(sources: &[SourceText], diagnostic: &Diagnostic) -> Option<Diagnostic> {
    let span = diagnostic.span;
    let number = text_at(sources, span).parse::<u32>().ok()?;
    let before =
        text_at(sources, Span { start: span.start.saturating_sub(FAR), end: span.start, ..span });
    let line = before.trim_end_matches([' ', '\t']);
    let word = Keyword::from_text(last_word(line)).filter(|word| line.ends_with(word.text()))?;
    let told = |message: &str, help: String| {
        Diagnostic { message: message.to_owned(), ..diagnostic.clone() }.with_help(help)
    };
    Some(match word {
        Keyword::Mate => {
            let (help, path) = mate_in(number)?;
            let gap = u32::try_from(before.len() - line.len() + word.text().len()).ok()?;
            let whole = Span { start: span.start - gap, ..span };
            told("`mate` takes no number of moves", help).with_edit(whole, format!("{{{path}}}"))
        }
        Keyword::Check => {
            let help = format!(
                "what is to be counted? at least {number} checks in the game, by both sides together, \
                 are `initial find count check >= {number}`"
            );
            told("`check` takes no number", help)
        }
        _ => return None,
    })
}

/// Adds advice to the diagnostic of a misuse.
fn advised(sources: &[SourceText], diagnostic: Diagnostic) -> Diagnostic {
    let span = diagnostic.span;
    let text = &*text_at(sources, span);
    let before =
        &*text_at(sources, Span { start: span.start.saturating_sub(FAR), end: span.start, ..span });
    if let Some(diagnostic) = with_men(sources, &diagnostic, before, text) {
        return diagnostic;
    }
    if let Some(diagnostic) = so_often(sources, &diagnostic) {
        return diagnostic;
    }
    if let Some((filter, is_alone)) = repeated(before, text) {
        let help = "a string belongs to the word before it alone: write the word again";
        return if is_alone {
            diagnostic.with_help(help).with_edit(span, filter)
        } else {
            diagnostic.with_help(format!("{help}, and both in braces: `{{… {filter}}}`"))
        };
    }
    if let Some((help, filter)) = position(text) {
        // as in `--("e4")`
        let opens_target = |sign: &str| before.trim_end().ends_with(sign);
        if ["--(", "[x](", "――(", "×("].into_iter().any(opens_target) {
            return diagnostic.with_help(
                "a move is written by its squares: `P--e4`, by Black `p--e5`; moves of a game in their \
                 notation are `path san \"…\"`",
            );
        }
        return diagnostic.with_help(help).with_edit(span, filter);
    }
    if let Some(turn) = turn_of_move(before, text) {
        let help = format!("a move of one side is one where it is to move: `{turn}`");
        return diagnostic.with_help(help).with_edit(span, turn);
    }
    let all = sources.get(usize::from(span.source.0)).map_or(0, |source| source.text.len());
    let end = span.end.saturating_add(FAR).min(u32::try_from(all).unwrap_or(u32::MAX));
    let after = &*text_at(sources, Span { start: span.end, end, ..span });
    let around = of_side(before, text, after)
        .or_else(|| in_groups(before, text))
        .or_else(|| of_tag(before, text));
    if let Some((help, filter, n_before, n_after)) = around {
        let (start, end) = (span.start - n_before as u32, span.end + n_after as u32);
        return diagnostic.with_help(help).with_edit(Span { start, end, ..span }, filter);
    }
    if let Some(help) = no_range(before, text, after) {
        return diagnostic.with_help(help);
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let of_move = before.trim_end().strip_suffix("move").filter(|_| last_word(before) == "move");
    if let Some(earlier) = of_move.filter(|_| is_number) {
        let filter = format!("movenumber == {text}");
        let gap = u32::try_from(before.len() - earlier.len()).unwrap_or_default();
        let whole = Span { start: span.start.saturating_sub(gap), ..span };
        let help = format!("the number of the move is `movenumber`: `{filter}`");
        return diagnostic.with_help(help).with_edit(whole, filter);
    }
    let is_year = is_number && text.len() == 4;
    if is_year && before.trim_end().ends_with("date") {
        return diagnostic.with_help("`date` is a text, `year` a number: `year == 2020`");
    }
    if let Some(filter) = compared_again(before, text) {
        return diagnostic
            .with_help("`or` joins whole conditions: write the comparison again")
            .with_edit(span, filter);
    }
    if !has_value_of(before, text) {
        return diagnostic.with_help(advice(text));
    }
    let word = last_word(before);
    let gap = before.len() - before.trim_end_matches([' ', '\t']).len();
    let is_one_line = before[..before.len() - gap].ends_with(word);
    let Some((last, length)) = last_of_range(after).filter(|_| is_one_line) else {
        return diagnostic
            .with_help("a value is compared with another one by a sign between the two")
            .with_edit(span, format!("{} {text}", if is_rating(before) { ">=" } else { "==" }));
    };
    // `gamenumber 5 12`
    let has_more = after[length..].trim_start().starts_with(|c: char| c.is_ascii_digit());
    match (text.parse::<i32>(), last.parse::<i32>()) {
        (Ok(low), Ok(high)) if low <= high && !has_more => {
            let range = format!("{text} <= {word} <= {last}");
            let start = span.start - (word.len() + gap) as u32;
            let whole = Span { start, end: span.end + length as u32, ..span };
            diagnostic
                .with_help(format!("a range has the value between its ends: `{range}`"))
                .with_edit(whole, range)
        }
        _ => diagnostic.with_help("a range has the value between its ends: `5 <= ply <= 12`"),
    }
}

/// Returns the filter for the color in `castle white`.
fn turn_of_move(before: &str, text: &str) -> Option<&'static str> {
    let word = before.split_whitespace().next_back()?;
    let turn = match text {
        "white" => "wtm",
        "black" => "btm",
        _ => return None,
    };
    matches!(word, "castle" | "o-o" | "o-o-o" | "enpassant").then_some(turn)
}

/// A proposal for the text from some bytes before the unused value to some after it: the help, the filter,
/// and the numbers of these bytes.
type Around = (String, String, usize, usize);

/// Returns the proposal for a color beside the name of a player, or beside pawns with a role: `white
/// "Carlsen"`, `passedpawns white`.
fn of_side(before: &str, text: &str, after: &str) -> Option<Around> {
    let pawns = match text {
        "white" => "P",
        "black" => "p",
        _ => return None,
    };
    let next = after.trim_start_matches(' ');
    let gap = after.len() - next.len();
    if let Some((name, _)) = next.strip_prefix('"').and_then(|name| name.split_once('"')) {
        let filter = format!("player {text} \"{name}\"");
        return Some((
            format!("the player is found by `{filter}`"),
            filter,
            0,
            gap + name.len() + 2,
        ));
    }
    let is_of_pawns = |word: &str| {
        let word = Keyword::from_text(word).and_then(Keyword::regular);
        matches!(word, Some(Regular::Nullary(Nullary::PawnStructure(_))))
    };
    let help = |filter: &str| format!("the pawns that are in both sets are `{filter}`");
    let word = next.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    if is_of_pawns(word) {
        let filter = format!("{word} & {pawns}");
        return Some((help(&filter), filter, 0, gap + word.len()));
    }
    let word = last_word(before);
    let start = before.rfind(word).filter(|_| is_of_pawns(word))?;
    let filter = format!("{word} & {pawns}");
    Some((help(&filter), filter, before.len() - start, 0))
}

/// Returns the proposal for a number with a blank between its thousands, as in `elo > 2 700`.
fn in_groups(before: &str, text: &str) -> Option<Around> {
    let is_group = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (left, first) = before.strip_suffix(' ')?.rsplit_once(' ')?;
    let is_first =
        (1..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_digit());
    let is_compared = left.trim_end().ends_with(['<', '>', '=', '≤', '≥']);
    let number = format!("{first}{text}");
    let help = format!("a number has no blank between its digits: `{number}`");
    let is_it = is_group && is_first && is_compared && !first.starts_with('0');
    is_it.then(|| (help, number, first.len() + 1, 0))
}

/// Returns the proposal for a text beside the name of a tag, as in `tag "Event" "Tilburg"`.
fn of_tag(before: &str, text: &str) -> Option<Around> {
    let (left, name) = before.trim_end().strip_suffix('"')?.rsplit_once('"')?;
    let left = left.trim_end().strip_suffix("tag").filter(|_| text.starts_with('"'))?;
    let word = match name {
        "White" => Some("player white".to_owned()),
        "Black" => Some("player black".to_owned()),
        _ => Some(name.to_ascii_lowercase()).filter(|word| REPEATED.contains(&&**word)),
    };
    let Some(word) = word else {
        let help =
            "a tag is compared by a sign: `==` with the whole text, `~~` with a pattern in it";
        return Some((help.to_owned(), format!("== {text}"), 0, 0));
    };
    let filter = format!("{word} {text}");
    Some((format!("`{filter}` looks for a text in the tag"), filter, before.len() - left.len(), 0))
}

/// Returns the help for the end of a range that a sign follows, which makes it the filter, as in
/// `find 2 #N >= 1`.
fn no_range(before: &str, text: &str, after: &str) -> Option<String> {
    let line = before.rsplit('\n').next()?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$".contains(c);
    let is_bound = text.chars().all(is_word) && !after.trim_start().starts_with(is_word);
    let is_end = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_option = |word: &&str| matches!(*word, "quiet" | "<--") || is_end(word);
    let mut words = line.trim_end().rsplit([' ', '\t']).filter(|word| !word.is_empty());
    let word = words.find(|word| !is_option(word))?.trim_start_matches(['(', '{']);
    if !is_bound || word != Keyword::Find.text() && TransformFamily::from_word(word).is_none() {
        return None;
    }
    let range = format!("{}{text}", &line[line.rfind(word)?..]);
    // The comparison, up to the end of the line.
    let is_sign = |c: char| "<>=!≤≥≠+-*/%".contains(c);
    let body = after.split('\n').next()?.trim();
    let mut ends = body.split_inclusive([' ', '\t']);
    let mut filter = ends.next().filter(|first| !first.starts_with(is_sign))?.to_owned();
    let mut rest = ends.peekable();
    while let Some(sign) = rest.next_if(|word| word.trim_end().chars().all(is_sign)) {
        filter += sign;
        filter += rest.next().unwrap_or_default();
    }
    let filter = filter.trim_end();
    let is_whole = ["()", "{}"].iter().all(|pair| {
        let count = |sign: &str| filter.matches(sign).count();
        count(&pair[..1]) == count(&pair[1..])
    });
    let filter = if is_whole { filter } else { "…" };
    Some(format!(
        "before a sign a number is no range: write braces around what follows it, `{range} {{{filter}}}`"
    ))
}

/// Returns the help and the filter for a text that is a FEN, or moves from the start.
fn position(text: &str) -> Option<(String, String)> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let board = inside.split(' ').next()?;
    if board.split('/').count() == 8 && board.bytes().any(|byte| byte.is_ascii_digit()) {
        let filter = format!("fen {text}");
        return Some((format!("a board is a condition: `{filter}`"), filter));
    }
    let moves = moves_from_start(inside.as_bytes())?;
    Some((help_for_moves(&moves), format!("san \"{moves}\"")))
}

/// Adds advice to the diagnostic of a number beside pieces, as in `P 4` and `4P`.
fn with_men(
    sources: &[SourceText],
    diagnostic: &Diagnostic,
    before: &str,
    text: &str,
) -> Option<Diagnostic> {
    let span = diagnostic.span;
    text.parse::<u32>().ok()?;
    let after = text_at(sources, Span { start: span.end, end: span.end + 1, ..span });
    let line = before.rsplit('\n').next().unwrap_or_default();
    let word = line.trim_end().rsplit([' ', '\t']).next().unwrap_or_default();
    let (men, place) = if is_men(&after) {
        (after.as_ref(), Span { end: span.end + 1, ..span })
    } else if is_men(word) && line.ends_with(' ') {
        let gap = line.len() - line.trim_end().len() + word.len();
        (word, Span { start: span.start - gap as u32, ..span })
    } else {
        return None;
    };
    let filter = format!("{men} == {text}");
    let help = format!(
        "`{filter}` is true where there are so many, `{men} >= {text}` where there are at least so many"
    );
    Some(diagnostic.clone().with_help(help).with_edit(place, filter))
}

/// Whether a text is the letter of a piece, or several in brackets.
fn is_men(text: &str) -> bool {
    let men = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let is_piece = |letter| letter != b'_' && PieceSet::from_letter(letter).is_some();
    !men.is_empty() && men.bytes().all(is_piece) && (men.len() == 1 || men.len() < text.len())
}

/// The number that follows on the same line, and the length of the text up to its end. `5` is
/// followed by such a number in `ply 5 12`.
fn last_of_range(after: &str) -> Option<(&str, usize)> {
    let number = after.trim_start_matches([' ', '\t']);
    // as in `year 2010 to 2015`
    let joint =
        ["to ", "until ", "till ", "through "].iter().find_map(|word| number.strip_prefix(word));
    let number = joint.unwrap_or(number).trim_start_matches([' ', '\t']);
    let n_digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = number.split_at(n_digits);
    let is_end = !rest.starts_with(|c: char| c.is_alphanumeric() || "-_.".contains(c));
    (n_digits > 0 && is_end).then_some((number, after.len() - rest.len()))
}

/// The last word of a text.
fn last_word(text: &str) -> &str {
    let is_sign = |c: char| !c.is_ascii_alphanumeric();
    text.trim_end().rsplit(is_sign).next().unwrap_or_default()
}

/// Whether the words before a number are a rating, which is seldom meant exactly: `elo 2600`.
fn is_rating(before: &str) -> bool {
    let before = before.trim_end();
    let color = ["white", "black"].iter().find_map(|color| before.strip_suffix(color));
    last_word(color.unwrap_or(before)) == Keyword::Elo.text()
}

/// Whether the words before a number or a string have a value of that type: `nag 2`, `power A 5`.
fn has_value_of(before: &str, text: &str) -> bool {
    let wanted = match text.as_bytes().first() {
        Some(b'"') => Type::String,
        Some(b'0'..=b'9') => Type::Numeric,
        _ => return false,
    };
    if is_rating(before) {
        return wanted == Type::Numeric;
    }
    let last = last_word(before);
    let regular = |word: &str| Keyword::from_text(word).and_then(Keyword::regular);
    if let Some(Regular::Nullary(word)) = regular(last) {
        return word.ty() == wanted;
    }
    let first = before.trim_end().strip_suffix(last).map(last_word);
    matches!(first.and_then(regular), Some(Regular::Unary(word)) if word.signature().value == wanted)
}

/// Words before a text that is looked for.
const REPEATED: [&str; 8] =
    ["player", "event", "site", "eco", "date", "eventdate", "opening", "openingcode"];

/// The filter that the second string means in `player "A" or "B"`, and whether no word before it takes
/// it alone.
fn repeated(before: &str, text: &str) -> Option<(String, bool)> {
    let mut before = before.trim_end();
    for joint in ["not", "or", "and"] {
        before = before.strip_suffix(joint).unwrap_or(before).trim_end();
    }
    let (filter, _) = before.strip_suffix('"')?.rsplit_once('"')?;
    let mut words = filter.split_whitespace().rev();
    let (filter, around) = match (words.next()?, words.next()) {
        (color @ ("white" | "black"), Some("player")) => (format!("player {color}"), words.next()),
        (word, around) => REPEATED.contains(&word).then(|| (word.to_owned(), around))?,
    };
    let around = around.unwrap_or_default();
    let is_alone = !takes_one_filter(around);
    text.starts_with('"').then(|| (format!("{filter} {text}"), is_alone))
}

/// The filter that the second number means in `year == 1999 or 2000`.
fn compared_again(before: &str, text: &str) -> Option<String> {
    let is_number =
        |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = before.split_whitespace().rev();
    let is_or = words.next() == Some("or");
    let is_after_number = words.next().as_ref().is_some_and(is_number);
    let (sign, word) = (words.next()?, words.next()?);
    let is_value = matches!(
        Keyword::from_text(word).and_then(Keyword::regular),
        Some(Regular::Nullary(word)) if word.ty() == Type::Numeric
    );
    let is_it = is_or && is_after_number && sign == "==" && is_value && is_number(&text);
    is_it.then(|| format!("{word} {sign} {text}"))
}

fn text_at(sources: &[SourceText], span: Span) -> Cow<'_, str> {
    let source = sources.get(usize::from(span.source.0));
    let text = source.and_then(|s| s.text.get(span.start as usize..span.end as usize));
    String::from_utf8_lossy(text.unwrap_or_default())
}

/// Advice on a value that is not used.
fn advice(text: &str) -> String {
    match text {
        "white" => {
            "`wtm` is White to move; `elo white` and `player white \"…\"` ask for the player"
                .to_owned()
        }
        "black" => {
            "`btm` is Black to move; `elo black` and `player black \"…\"` ask for the player"
                .to_owned()
        }
        "0-0" | "0-0-0" => "castling is written with letters: `o-o`, `o-o-o`".to_owned(),
        _ if text.len() > 40 || text.contains('\n') => {
            "compare it, print it, or assign it to a variable".to_owned()
        }
        _ if text.starts_with('"') => format!(
            "`cql help {}` finds queries in words; `comment({text})` prints the text",
            text.trim_matches('"')
        ),
        _ if text.bytes().all(|b| b.is_ascii_digit()) => {
            format!("write what is to have this value: `ply == {text}`")
        }
        _ => format!("compare it, such as `{text} == …`, print it, or assign it"),
    }
}

/// The misuse that is one of the conditions in `id`.
fn condition_of(arenas: &Arenas, id: BoolId) -> Option<Misuse> {
    let of = |&item: &BoolId| condition_of(arenas, item);
    match &arenas.bools[id.0 as usize] {
        BoolFilter::Misuse(span, message) => Some((*span, message)),
        BoolFilter::All(items) => items.iter().find_map(of),
        BoolFilter::Any(items) | BoolFilter::Orbit(items) => {
            let all: Option<Vec<Misuse>> = items.iter().map(of).collect();
            all?.first().copied()
        }
        _ => None,
    }
}

/// The misuse that evaluating `id` is certain to reach.
fn reached(arenas: &Arenas, id: BoolId) -> Option<Misuse> {
    match &arenas.bools[id.0 as usize] {
        BoolFilter::Misuse(span, message) => Some((*span, message)),
        BoolFilter::All(items) => {
            for &item in items {
                if let Some(found) = reached(arenas, item) {
                    return Some(found);
                }
                if !always_matches(arenas, item) {
                    return None;
                }
            }
            None
        }
        BoolFilter::Any(items) => reached(arenas, *items.first()?),
        BoolFilter::Orbit(images) => images.iter().find_map(|&image| reached(arenas, image)),
        BoolFilter::Not(item) | BoolFilter::Loop(item) | BoolFilter::Assert(item, _) => {
            reached(arenas, *item)
        }
        BoolFilter::If(test, ..) | BoolFilter::While(test, ..) => reached(arenas, *test),
        _ => None,
    }
}

/// Whether the filter matches at every position.
fn always_matches(arenas: &Arenas, id: BoolId) -> bool {
    match &arenas.bools[id.0 as usize] {
        BoolFilter::Constant(true)
        | BoolFilter::Comment(_)
        | BoolFilter::Message { .. }
        | BoolFilter::RemoveComment
        | BoolFilter::Unbind(_) => true,
        BoolFilter::HasNumber(number) => has_value(arenas, *number),
        BoolFilter::Assign(_, Value::Set(_)) => true,
        BoolFilter::Assign(_, Value::Num(number)) => has_value(arenas, *number),
        BoolFilter::Assign(_, Value::Text(text)) => {
            matches!(arenas.texts[text.0 as usize], TextFilter::Constant(_))
        }
        _ => false,
    }
}

fn has_value(arenas: &Arenas, id: NumId) -> bool {
    match &arenas.nums[id.0 as usize] {
        NumFilter::Constant(_) | NumFilter::Cardinality(_) => true,
        NumFilter::Source(word) => word.row().always,
        NumFilter::OfSet(word, _) => word.row().always,
        _ => false,
    }
}
