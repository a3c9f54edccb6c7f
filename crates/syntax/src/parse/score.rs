//! Parses moves as players write them, `san "1.e4 c5 2.Nf3"`, and makes parts of a path of them.
//!
//! The sides alternate, and White begins unless the number of a move says otherwise (`1...`). After a
//! gap (`…`) of any moves, it is unknown whose turn it is until the next number: the pieces of both
//! colors count, and the squares and the order of the moves decide.

use super::error::{Res, code};
use super::mend::Mend;
use super::parser::Parser;
use crate::builtin::{Keyword, Nullary, Predicate};
use crate::designator::{Designator, PieceSet};
use crate::san::{San, Side};
use crate::span::Span;
use crate::tree::{Constituent, Dash, Filter, FilterKind, Path, Promotion, Repeat, Type};

/// A move as players write it, or a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Written {
    /// A move of a side, or of either; the predicate holds after it.
    Move(San, Option<Side>, Option<Predicate>),
    /// Castling, and the predicate that holds besides.
    Castling(Predicate, Option<Side>, Option<Predicate>),
    /// Any number of moves.
    Gap,
}

/// Moves in a row.
struct Score {
    moves: Vec<Written>,
    /// Whether they begin with the first move of a game, `1.`.
    is_first: bool,
}

/// A fault of a text: the byte where it is, the message, and what to write.
type Wrong = (usize, String, &'static str);

const SPELLING: &str = "moves are written as in `san \"1.e4 c5 2.Nf3\"`, gaps as `…` or `...`";

impl Parser<'_> {
    /// Parses `san "1.e4 c5 2.Nf3"` outside of a path: the moves from the start of the game.
    pub(super) fn score(&mut self) -> Res<Filter> {
        let start = self.pos;
        let span = self.here();
        let (is_first, moves) = self.scored_moves()?;
        if !is_first {
            return self.fail_help(
                code::LITERAL,
                self.span_at(start + 1),
                "outside of a path, the moves of `san` are those of the whole game",
                "begin with `1.`, as in `san \"1.e4 c5\"`, or write `path san \"…\"` for moves anywhere",
            );
        }
        let initial = FilterKind::Nullary(Nullary::Predicate(Predicate::Initial));
        let initial = Filter { ty: Type::Boolean, span, kind: initial };
        let mut constituents = vec![Constituent::Filter(initial)];
        constituents.extend(moves);
        let mut path = Path { constituents, ..Path::default() };
        self.number_path(&mut path);
        Ok(self.make(start, Type::Numeric, FilterKind::Path(Box::new(path))))
    }

    /// Whether the moves of `san` are at a token.
    pub(super) fn is_score_at(&self, at: usize) -> bool {
        self.newer_word(at) == Some(Keyword::San)
    }

    /// Parses `san "…"` as parts of a path, and tells whether it begins with the first move of a game.
    pub(super) fn scored_moves(&mut self) -> Res<(bool, Vec<Constituent>)> {
        let word = self.here();
        self.pos += 1;
        let Some((text, span)) = self.eat_literal() else {
            let message = format!("expected moves in quotes after `san`, found {}", self.found());
            if let Some((moves, last)) = self.unquoted_moves(self.pos) {
                let whole = self.tokens(self.pos, last);
                // In a path, moves with numbers are those from the start.
                let moves = if self.path_top { self.whole_text_of(whole) } else { moves };
                let help = format!("moves stand in double quotes: `san \"{moves}\"`");
                let mend = Mend::edit(help, whole, format!("\"{moves}\""));
                self.pos = last + 1;
                return self.fail_help(code::LITERAL, whole, message, mend);
            }
            return self.fail_usage(code::LITERAL, self.here(), message, "san");
        };
        let text = String::from_utf8_lossy(&text);
        match Score::read(&text) {
            Ok(score) => {
                let span = word.to(span);
                let parts = score.moves.iter().map(|written| written.part(span));
                Ok((score.is_first, parts.collect()))
            }
            Err((at, message, help)) => {
                let end = text[at..].find(char::is_whitespace).map_or(text.len(), |n| at + n);
                let place = span.within_quotes(text.len(), at..end).filter(|_| at < end);
                let place = place.unwrap_or(span);
                self.fail_help(code::LITERAL, place, message, help)
            }
        }
    }
}

impl Score {
    fn read(text: &str) -> Result<Score, Wrong> {
        let mut moves = Vec::new();
        let (mut side, mut is_first) = (Some(Side::White), false);
        // The number of the next move, once one is known.
        let mut number: Option<u32> = None;
        let mut rest = text;
        // Whether the last word is the number of the next move.
        let mut is_numbered = false;
        while !rest.trim_start().is_empty() {
            rest = rest.trim_start();
            let token = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
            let at = text.len() - rest.len();
            rest = &rest[token.len()..];
            let word = match numbered(token) {
                Some((n, mover, after)) => {
                    let is_turn = moves.is_empty() || side.is_none_or(|side| side == mover);
                    let is_next = is_turn && number.is_none_or(|number| number == n);
                    if n == 0 || !is_next {
                        let message = format!("`{token}` is not the number of this move");
                        return Err((
                            at,
                            message,
                            "count the moves of both sides: `1.e4 c5 2.Nf3`",
                        ));
                    }
                    (side, number) = (Some(mover), Some(n));
                    after
                }
                None => {
                    let word = token.trim_start_matches(['.', '…']);
                    if word.is_empty() && !is_numbered {
                        // Two gaps match what one matches, in more ways.
                        if !matches!(moves.last(), Some(Written::Gap)) {
                            moves.push(Written::Gap);
                        }
                        (side, number) = (None, None);
                    } else if word.len() < token.len() {
                        // as in `1. … c5` and `…c5`
                        if side == Some(Side::White) && !moves.is_empty() {
                            return Err((at, format!("`{token}` is White's move"), SPELLING));
                        }
                        side = Some(Side::Black);
                    }
                    word
                }
            };
            is_numbered = word.is_empty() && token.starts_with(|c: char| c.is_ascii_digit());
            if word.is_empty() {
                continue;
            }
            let at = at + token.len() - word.len();
            if moves.is_empty() {
                is_first = number == Some(1) && side == Some(Side::White);
            }
            moves.push(written(word, side).map_err(|(message, help)| (at, message, help))?);
            if side == Some(Side::Black) {
                number = number.map(|n| n.saturating_add(1));
            }
            side = side.map(Side::other);
        }
        if moves.is_empty() {
            return Err((0, "there are no moves in this text".to_owned(), SPELLING));
        }
        Ok(Score { moves, is_first })
    }
}

/// Returns a text of nothing but moves as moves from the start, with their numbers: `1.d4 Nf6`.
#[must_use]
pub fn moves_from_start(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let moves = text.split_whitespace().map(|word| numbered(word).map_or(word, |(.., rest)| rest));
    let line = in_line(moves.filter(|word| !word.is_empty()));
    Score::read(&line).is_ok().then_some(line)
}

/// Returns the help about moves from the start that are meant as a condition.
#[must_use]
pub fn help_for_moves(moves: &str) -> String {
    format!(
        "`san \"{moves}\"` finds the games that begin with these moves; `cql help {moves}` shows the \
         FEN of their position"
    )
}

/// Writes moves from the start with their numbers: `1.e4 e5 2.Nf3`.
pub fn in_line<'m>(moves: impl Iterator<Item = &'m str>) -> String {
    let words = moves.enumerate().map(|(at, mv)| match at % 2 {
        0 => format!("{}.{mv}", at / 2 + 1),
        _ => mv.to_owned(),
    });
    words.collect::<Vec<String>>().join(" ")
}

/// Returns the number before a move, the side that it tells, and the rest of the word.
fn numbered(word: &str) -> Option<(u32, Side, &str)> {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &word[..word.len() - after.len()];
    let rest = after.trim_start_matches(['.', '…']);
    let dots = &after[..after.len() - rest.len()];
    let side = if dots.len() > 1 { Side::Black } else { Side::White };
    let is_number = !digits.is_empty() && (rest.is_empty() || !dots.is_empty());
    is_number.then(|| (digits.parse().unwrap_or(0), side, rest))
}

/// Reads a move with its signs.
fn written(word: &str, side: Option<Side>) -> Result<Written, (String, &'static str)> {
    let plain = word.trim_end_matches(['!', '?']);
    let bare = plain.trim_end_matches(['+', '#']);
    let sign = match &plain[bare.len()..] {
        "" => None,
        "#" => Some(Predicate::Mate),
        _ => Some(Predicate::Check),
    };
    let letters: String = bare.chars().map(plain_letter).collect();
    match letters.as_str() {
        "O-O" | "0-0" | "o-o" => return Ok(Written::Castling(Predicate::ShortCastle, side, sign)),
        "O-O-O" | "0-0-0" | "o-o-o" => {
            return Ok(Written::Castling(Predicate::LongCastle, side, sign));
        }
        _ => {}
    }
    let no_move = |help| Err((format!("`{word}` is no move as games are written"), help));
    let joined = letters.replace('=', "");
    match San::read(&joined) {
        _ if letters.matches('=').count() > 1 => no_move(SPELLING),
        Some(san) if san.piece.is_none_or(|piece| piece == b'P' && san.rank.is_some()) => {
            no_move("write the piece, and no square for a pawn: `e4`")
        }
        Some(_) if joined.contains(|c| "DTLSCF".contains(c)) => {
            no_move("pieces have their English letters: `Nf3`")
        }
        Some(san) if san.promotion == Some(b'K') => no_move("no pawn becomes a king"),
        Some(san) => Ok(Written::Move(san, side, sign)),
        None => no_move(SPELLING),
    }
}

/// Returns the letter of a piece for its symbol.
fn plain_letter(symbol: char) -> char {
    match symbol {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        other => other,
    }
}

impl Written {
    /// Returns the part of a path, all of which stands at `span`.
    fn part(&self, span: Span) -> Constituent {
        let of = |pieces: u8, side: Option<Side>, squares| {
            let white = PieceSet::from_letter(pieces).unwrap_or(PieceSet::NONE);
            let pieces = match side {
                Some(Side::White) => white,
                Some(Side::Black) => white.swap_colors(),
                None => white.union(white.swap_colors()),
            };
            Box::new(set(Designator::new(pieces, squares), span))
        };
        let holds = |predicate: Predicate| {
            let kind = FilterKind::Nullary(Nullary::Predicate(predicate));
            Filter { ty: Type::Boolean, span, kind }
        };
        let any = Dash { capture: false, left: None, right: None, promotion: None, target: vec![] };
        match self {
            Written::Gap => {
                Constituent::Dash { dash: any, filters: vec![], repeat: Some(Repeat::Star) }
            }
            Written::Castling(castling, side, sign) => Constituent::Dash {
                dash: Dash { left: Some(of(b'K', *side, u64::MAX)), ..any },
                filters: [Some(*castling), *sign].into_iter().flatten().map(holds).collect(),
                repeat: None,
            },
            Written::Move(san, side, sign) => {
                let piece = san.piece.unwrap_or(b'P');
                let (from, to) = squares(san, *side);
                let promotion = san.promotion.and_then(PieceSet::from_letter);
                let dash = Dash {
                    capture: san.capture,
                    left: Some(of(piece, *side, from)),
                    right: Some(Box::new(set(Designator::new(PieceSet::ANYTHING, to), span))),
                    promotion: promotion.map(|piece| Promotion::Roles(piece.roles())),
                    target: vec![],
                };
                // A dash matches castling by the move of either piece, too.
                let may_be_castling = matches!(piece, b'K' | b'R')
                    && matches!(san.to, [b'c' | b'd' | b'f' | b'g', b'1' | b'8']);
                let not_castling = may_be_castling.then(|| Filter {
                    kind: FilterKind::Not(Box::new(holds(Predicate::Castle))),
                    ..holds(Predicate::Castle)
                });
                let filters = not_castling.into_iter().chain(sign.map(holds)).collect();
                Constituent::Dash { dash, filters, repeat: None }
            }
        }
    }
}

fn set(designator: Designator, span: Span) -> Filter {
    Filter { ty: Type::Set, span, kind: FilterKind::Designator(designator) }
}

/// Returns the squares from which and to which a move may go. A capture en passant takes a pawn
/// beside its destination.
fn squares(san: &San, side: Option<Side>) -> (u64, u64) {
    const FILE: u64 = 0x0101_0101_0101_0101;
    let [file, rank] = [san.to[0] - b'a', san.to[1] - b'1'];
    let of_rank = |rank: u8| 0xff_u64 << (8 * rank);
    let mut from = san.file.map_or(u64::MAX, |file| FILE << (file - b'a'));
    from &= san.rank.map_or(u64::MAX, |rank| of_rank(rank - b'1'));
    let mut to = 1 << (8 * rank + file);
    if san.piece == Some(b'K') {
        // A null move is a move of the king to its own square.
        from &= !to;
    }
    if san.piece == Some(b'P') && !san.capture {
        from &= FILE << file;
    } else if san.piece == Some(b'P') {
        let may_be_of = |mover| side.is_none_or(|side| side == mover);
        let (square, mut before) = (to, 0);
        if may_be_of(Side::White) {
            before |= of_rank(rank.saturating_sub(1));
            to |= if rank == 5 { square >> 8 } else { 0 };
        }
        if may_be_of(Side::Black) {
            before |= of_rank((rank + 1).min(7));
            to |= if rank == 2 { square << 8 } else { 0 };
        }
        from &= before;
    }
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, Source, parse};

    #[test]
    fn wrong_moves_say_where() {
        for (text, at) in [
            ("", 0),
            ("  1. ", 0),
            ("1.e4 e5 2.Sf3", 10),
            ("1.e4 xx", 5),
            ("1.e4 e5 3.Nf3", 8),
            ("1.e4 2.e5", 5),
            ("e4 2.e5", 3),
            ("1.e4 1...e5 1...e5", 12),
            ("0.e4", 0),
            ("e2e4", 0),
            ("… Nf9", 4),
            ("1.e4 e5 …Nf3", 8),
            ("e8=K", 0),
            ("e8=D", 0),
            ("Nf3 Sf6", 4),
            ("1-0", 0),
            ("Nf3 {good} Nc6", 4),
            ("e8==Q", 0),
            ("99999999999.e4", 0),
        ] {
            assert_eq!(Score::read(text).map_err(|(at, ..)| at).err(), Some(at), "{text}");
        }
    }

    #[test]
    fn every_spelling_is_the_same() {
        let plain = Score::read("1.e4 c5 2.Nf3 Nc6 3.O-O").map(|score| score.moves).ok();
        assert!(plain.is_some());
        for text in [
            "e4 c5 Nf3 Nc6 O-O",
            "1. e4 c5 2. Nf3 Nc6 3. O-O",
            "1.e4! 1...c5?! 2.♘f3 2…♞c6 3.0-0",
            "1 e4 c5 2 Nf3 Nc6 3 o-o",
            "4.e4 4... c5",
            "1.e4 …c5",
        ] {
            let moves = Score::read(text).map(|score| score.moves).ok();
            let n = moves.as_ref().map_or(0, Vec::len);
            assert_eq!(moves.as_deref(), plain.as_ref().map(|all| &all[..n]), "{text}");
            assert!(n > 1, "{text}");
        }
        let black = |text| Score::read(text).map(|score| (score.is_first, score.moves)).ok();
        assert!(
            black("1...c5 2.Nf3").is_some_and(|(is_first, moves)| !is_first && moves.len() == 2)
        );
        assert_eq!(black("…c5 Nf3"), black("1...c5 2.Nf3"));
        assert_eq!(black("1. ... c5 2. Nf3"), black("1...c5 2.Nf3"));
    }

    #[test]
    fn a_caret_is_under_the_move() {
        for (query, place) in [
            ("cql() path san \"e4 Sf6 Nf3\"", "Sf6"),
            ("cql() san \"1.e4 c5 3.Nf3\"", "3.Nf3"),
            ("cql() path san \"Nf3 é\"", "é"),
            ("cql() path san \"  1. \"", "\"  1. \""),
            ("cql() san \"Nf3\"", "\"Nf3\""),
            ("cql() path san 3", "3"),
        ] {
            let source = Source { name: "", text: query.as_bytes() };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let error = parsed.diagnostics.first().map(|d| (d.code, d.span));
            let place_found = error.map(|(_, span)| &query[span.start as usize..span.end as usize]);
            assert_eq!((error.map(|e| e.0), place_found), (Some("E0113"), Some(place)), "{query}");
        }
    }
}
