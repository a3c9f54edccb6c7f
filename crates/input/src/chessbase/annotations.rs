//! Annotations of a game: comments, signs, colored squares and arrows, times and evaluations. Each
//! belongs to a move, given by its number in the order in which moves are stored, and has a type and
//! a size. Types that are not known are skipped.

use std::io::{self, Write};
use std::ops::Range;

use flow::Input;

use super::start::square;
use crate::bytes::Bytes;
use crate::file::CountedInput;

/// Size of the head: the number of the game, a mark, the number of annotations, and the size of all.
const HEAD: usize = 14;

/// Largest size of the annotations of a game. The largest known ones have 45 kB.
const LARGEST: usize = 4 << 20;

/// Number of the move of annotations that belong to the whole game.
const GAME: i32 = -1;

/// Annotations of a game.
#[derive(Default)]
pub(super) struct Annotations {
    bytes: Vec<u8>,
    /// By move, each move with the order in which they are stored.
    items: Vec<Item>,
    /// Evaluations of the main line: of the start, and after each move.
    evaluations: Range<usize>,
    /// Whether some cannot be read.
    pub(super) is_damaged: bool,
}

/// An annotation.
struct Item {
    /// Number of its move, from 0.
    of: i32,
    kind: u8,
    data: Range<usize>,
}

impl Annotations {
    /// Reads the annotations at a place of their file.
    pub(super) fn read(&mut self, file: &CountedInput, at: u64) -> io::Result<()> {
        self.clear();
        let at = at.min(file.size());
        self.bytes.resize(HEAD, 0);
        let n = file.fill_at(at, &mut self.bytes)?;
        let mut head = Bytes(&self.bytes[..n]);
        let size = head.take(HEAD - 4).and_then(|_| head.big(4)).unwrap_or(0);
        let size = usize::try_from(size).ok().filter(|size| (HEAD..LARGEST).contains(size));
        let Some(size) = size else {
            self.is_damaged = true;
            return Ok(());
        };
        // No more bytes are needed than the file has.
        let rest = usize::try_from(file.size() - at).unwrap_or(LARGEST);
        self.bytes.resize(size.min(rest), 0);
        let n = file.fill_at(at, &mut self.bytes)?;
        self.bytes.truncate(n);
        self.is_damaged = self.find_items().is_none() || n < size;
        self.items.sort_by_key(|item| item.of);
        Ok(())
    }

    /// Forgets the annotations of another game.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        (self.evaluations, self.is_damaged) = (0..0, false);
    }

    fn find_items(&mut self) -> Option<()> {
        let mut rest = Bytes(self.bytes.get(HEAD..)?);
        while !rest.0.is_empty() {
            let of = (rest.big(3)? << 8) as i32 >> 8;
            let kind = rest.byte()?;
            let n = usize::try_from(rest.big(2)?).ok()?.checked_sub(6)?;
            let start = self.bytes.len() - rest.0.len();
            rest.take(n)?;
            if kind == 0x26 {
                self.evaluations = start + 2..start + n.max(2);
            }
            self.items.push(Item { of: of.max(GAME), kind, data: start..start + n });
        }
        Some(())
    }

    /// The annotations of the moves in a range, with their types.
    fn of(&self, moves: Range<i32>) -> impl Iterator<Item = (u8, &[u8])> {
        let start = self.items.partition_point(|item| item.of < moves.start);
        let items = self.items[start..].iter().take_while(move |item| item.of < moves.end);
        items.map(|item| (item.kind, &self.bytes[item.data.clone()]))
    }

    /// Time control of the game as in PGN.
    pub(super) fn time_control(&self) -> Option<String> {
        let (_, data) = self.of(GAME..i32::MAX).find(|(kind, _)| *kind == 0x24)?;
        let mut bytes = Bytes(data);
        let mut control = String::new();
        while let Some([start, more, n_moves, _]) = stage(&mut bytes) {
            if start == 0 && more == 0 {
                break;
            }
            let colon = if control.is_empty() { "" } else { ":" };
            // A thousand moves are all that follow.
            let moves =
                if (1..1000).contains(&n_moves) { format!("{n_moves}/") } else { String::new() };
            let more = if more > 0 { format!("+{}", more / 100) } else { String::new() };
            control += &format!("{colon}{moves}{}{more}", start / 100);
        }
        Some(control).filter(|control| !control.is_empty())
    }

    /// Appends the comment before the first move.
    pub(super) fn push_before_game(&self, comment: &mut Vec<u8>) {
        self.push_commands(GAME..0, None, comment);
        self.push_texts(GAME..0, |kind| matches!(kind, 2 | 0x82), comment);
    }

    /// Appends the comment before a move.
    pub(super) fn push_before(&self, of: usize, comment: &mut Vec<u8>) {
        let of = of as i32;
        self.push_texts(of..of + 1, |kind| kind == 0x82, comment);
    }

    /// Appends the signs and the comment after a move. `ply` is the number of a move of the main
    /// line, from 1.
    pub(super) fn push_after(
        &self,
        of: usize,
        is_black: bool,
        ply: Option<usize>,
        signs: &mut Vec<u8>,
        comment: &mut Vec<u8>,
    ) {
        let moves = of as i32..of as i32 + 1;
        for (_, data) in self.of(moves.clone()).filter(|(kind, _)| *kind == 3) {
            // The one of the move, that of the position, and a prefix, which comes first.
            let [mv, position, prefix] = [0, 1, 2].map(|i| data.get(i).copied().unwrap_or(0));
            for sign in [prefix, mv, position] {
                if sign > 0 {
                    signs.extend_from_slice(format!("${sign} ").as_bytes());
                }
            }
        }
        let evaluation = ply.and_then(|ply| self.evaluation(ply));
        let has_own = self.of(moves.clone()).any(|(kind, _)| kind == 0x21);
        if let Some(evaluation) = evaluation.filter(|_| !has_own) {
            push_command(comment, "eval", &evaluation);
        }
        self.push_commands(moves.clone(), Some(is_black), comment);
        self.push_texts(moves, |kind| kind == 2, comment);
    }

    /// Appends the texts of all moves from number `n` on, which the game does not have.
    pub(super) fn push_surplus(&self, n: usize, comment: &mut Vec<u8>) {
        self.push_texts(n as i32..i32::MAX, |kind| matches!(kind, 2 | 0x82), comment);
    }

    /// Evaluation after a move of the main line.
    fn evaluation(&self, ply: usize) -> Option<String> {
        let all = self.bytes.get(self.evaluations.clone())?;
        let [kind, _, high, low] = *all.get(4 * ply..)?.first_chunk()?;
        let value = i16::from_be_bytes([high, low]);
        match (kind, i32::from(value)) {
            (0, _) => Some(pawns(value)),
            // Half-moves to mate.
            (1, n) if n != 0 => Some(format!("#{}", (n + n.signum()) / 2)),
            _ => None,
        }
    }

    /// Appends what other programs read: times, evaluations, squares and arrows.
    fn push_commands(&self, moves: Range<i32>, is_black: Option<bool>, comment: &mut Vec<u8>) {
        for (kind, data) in self.of(moves.clone()) {
            match (kind, data) {
                (0x21, &[low, high, 0, 0, ..]) => {
                    push_command(comment, "eval", &pawns(i16::from_le_bytes([low, high])));
                }
                (0x21, &[low, high, 1, 0, ..]) => {
                    let moves = i16::from_le_bytes([low, high]);
                    push_command(comment, "eval", &format!("#{moves}"));
                }
                (7, &[hours, minutes, seconds, parts]) if minutes < 60 && seconds < 60 => {
                    let parts = Some(parts).filter(|parts| (1..100).contains(parts));
                    let parts = parts.map(|parts| format!(".{parts:02}")).unwrap_or_default();
                    let time = format!("{hours}:{minutes:02}:{seconds:02}{parts}");
                    push_command(comment, "emt", &time);
                }
                (0x16 | 0x17, data) => {
                    let parts = Bytes(data).big(4).unwrap_or(0);
                    let seconds = parts / 100;
                    let time =
                        format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
                    let is_own = is_black == Some(kind == 0x17);
                    let other = if kind == 0x17 { "clkb" } else { "clkw" };
                    push_command(comment, if is_own { "clk" } else { other }, &time);
                }
                (0x22, data) if data.len() == 4 => {
                    let medals = Bytes(data).big(4).unwrap_or(0);
                    push_command(comment, "mdl", &medals.to_string());
                }
                _ => {}
            }
        }
        for (command, wanted, size) in [("csl", 4, 2), ("cal", 5, 3)] {
            let mut marks = String::new();
            let items = self.of(moves.clone()).filter(|(kind, _)| *kind == wanted);
            for mark in items.flat_map(|(_, data)| data.chunks_exact(size)) {
                let color = match mark[0] {
                    2 => 'G',
                    3 => 'Y',
                    4 => 'R',
                    7 => 'B',
                    _ => continue,
                };
                // Squares are counted from 1.
                let mut squares = mark[1..].iter();
                if squares.clone().all(|number| (1..=64).contains(number)) {
                    let comma = if marks.is_empty() { "" } else { "," };
                    marks += &format!("{comma}{color}");
                    squares.by_ref().for_each(|number| marks += &square(number - 1).to_string());
                }
            }
            if !marks.is_empty() {
                push_command(comment, command, &marks);
            }
        }
    }

    /// Appends texts, and the names of games that are quoted.
    fn push_texts(&self, moves: Range<i32>, is_wanted: fn(u8) -> bool, comment: &mut Vec<u8>) {
        for (kind, data) in self.of(moves) {
            let space = if comment.is_empty() { &b""[..] } else { b" " };
            let before = comment.len();
            // A text has a zero byte and a language before it.
            if let (true, [_, _, text @ ..]) = (is_wanted(kind), data) {
                comment.extend_from_slice(space);
                push_text(text, comment);
            } else if kind == 0x13 && is_wanted(2) {
                comment.extend_from_slice(space);
                comment.extend_from_slice(&quotation(data).unwrap_or_default());
            }
            if comment.len() == before + space.len() {
                comment.truncate(before);
            }
        }
    }
}

/// Reads a stage of a time control: hundredths of seconds at its start and for each move, number of
/// moves, and a type.
fn stage(bytes: &mut Bytes<'_>) -> Option<[u64; 4]> {
    Some([bytes.big(4)?, bytes.big(4)?, bytes.big(2)?, bytes.big(1)?])
}

/// Centipawns as pawns.
fn pawns(value: i16) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let value = value.unsigned_abs();
    format!("{sign}{}.{:02}", value / 100, value % 100)
}

fn push_command(comment: &mut Vec<u8>, name: &str, value: &str) {
    // Writing to a vector does not fail.
    let _ = write!(comment, "[%{name} {value}]");
}

/// Appends a text, which ends at a zero byte. Figurines become letters, diagrams `[#]`.
fn push_text(text: &[u8], comment: &mut Vec<u8>) {
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = text.trim_ascii();
    // Bytes of UTF-8 are letters of their own.
    let is_western = str::from_utf8(text).is_err();
    for (i, &byte) in text.iter().enumerate() {
        let is_blank = |at: Option<usize>| {
            at.and_then(|at| text.get(at)).is_none_or(|byte| byte.is_ascii_whitespace())
        };
        let is_before_square =
            || text.get(i + 1).is_some_and(|next| matches!(next, b'a'..=b'h' | b'1'..=b'8' | b'x'));
        match byte {
            0xa2..=0xa7 if is_western && is_before_square() => {
                // A pawn needs no letter.
                comment.extend(b"KQNBR".get(usize::from(byte - 0xa2)));
            }
            0x9e if is_western && is_blank(i.checked_sub(1)) && is_blank(Some(i + 1)) => {
                comment.extend_from_slice(b"[#]");
            }
            b'\r' if text.get(i + 1) == Some(&b'\n') => {}
            byte => comment.push(byte),
        }
    }
}

/// Returns players, event, year and result of a game that is quoted.
fn quotation(data: &[u8]) -> Option<Vec<u8>> {
    fn text<'a>(bytes: &mut Bytes<'a>) -> Option<&'a [u8]> {
        let n = bytes.byte()?;
        let text = bytes.take(n)?;
        bytes.byte()?;
        Some(text.trim_ascii())
    }
    let mut bytes = Bytes(data);
    bytes.take(6)?;
    let (white, black) = (text(&mut bytes)?, text(&mut bytes)?);
    bytes.take(6)?;
    let (event, site) = (text(&mut bytes)?, text(&mut bytes)?);
    let year = bytes.big(4)? >> 9 & 0xfff;
    bytes.take(10)?;
    let result = match bytes.byte()? {
        0 => " 0-1",
        1 => " 1/2-1/2",
        2 => " 1-0",
        _ => "",
    };
    let mut quoted = [white, b" - ", black, b", ", event].concat();
    if !site.is_empty() && event != site {
        quoted.extend_from_slice(&[b" ", site].concat());
    }
    if year > 0 {
        quoted.extend_from_slice(format!(" {year}").as_bytes());
    }
    quoted.extend_from_slice(result.as_bytes());
    Some(quoted)
}
