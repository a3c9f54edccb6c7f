//! Parses filters about the board: facts about squares, rays, pins, directions, coordinates, and
//! those that compare it with a FEN.

use super::error::{Res, code, plural};
use super::material::{Wrong, letter_in};
use super::mend::Mend;
use super::parser::Parser;
use super::score::{help_for_moves, moves_from_start};
use crate::builtin::Keyword;
use crate::designator::PieceSet;
use crate::level;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{
    DirectionName, Filter, FilterKind, Likeness, Pin, PinPart, Ray, TextSource, Type,
};

impl Parser<'_> {
    /// Parses `light S` or `dark S`.
    pub(super) fn square_color(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.pos;
        self.fixed_squares.push(self.here());
        self.pos += 1;
        let operand = self.operand(keyword.text(), level::COLON, Type::Set)?;
        let kind = FilterKind::SquareColor {
            light: keyword == Keyword::Light,
            operand: Box::new(operand),
        };
        Ok(self.make(start, Type::Set, kind))
    }

    /// Parses `up S`, `up 1 2 S` …
    pub(super) fn direction(&mut self, direction: DirectionName) -> Res<Filter> {
        let start = self.eat();
        let range = self.range();
        let operand = self.operand(direction.word(), level::COLON, Type::Set)?;
        let kind = FilterKind::Direction { direction, range, operand: Box::new(operand) };
        Ok(self.make(start, Type::Set, kind))
    }

    /// Parses `ray [attack | DIRECTION…] ( S T … )` or `xray ( S T … )`.
    pub(super) fn ray(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.eat();
        let mut attack = keyword == Keyword::Xray;
        let mut steps: Vec<(i8, i8)> = Vec::new();
        if keyword == Keyword::Ray {
            attack = self.eat_keyword(Keyword::Attack) || self.eat_keyword(Keyword::Attacks);
            while let Some(keyword) = self.keyword()
                && let Some(direction) = DirectionName::from_word(keyword.text())
                && !attack
            {
                for step in direction.steps() {
                    if steps.contains(step) {
                        let message = format!("{} repeats a direction of this ray", self.found());
                        return self.fail(code::PARAMETER, self.here(), message);
                    }
                    steps.push(*step);
                }
                self.pos += 1;
            }
        }
        if self.symbol() != Some(Symbol::OpenParen) {
            let help = if attack {
                "attack rays have no direction: `xray(S T)`"
            } else {
                "write `ray up down (S T)`; rays have no range"
            };
            return self.expected(format_args!("`(` after `{}`", keyword.text()), help);
        }
        let operands = self.set_arguments(keyword.text())?;
        if operands.len() < 2 {
            let message = format!(
                "`{}` needs at least two sets of squares, found {}",
                keyword.text(),
                operands.len()
            );
            return self.fail(code::ARGUMENTS, self.span_from(start), message);
        }
        if steps.is_empty() {
            steps = DirectionName::AnyDirection.steps().to_vec();
        }
        let ray = Ray { attack, steps, operands, first: false };
        Ok(self.make(start, Type::Set, FilterKind::Ray(Box::new(ray))))
    }

    fn set_arguments(&mut self, word: &str) -> Res<Vec<Filter>> {
        let items = self.arguments(word, level::DASH)?;
        items.into_iter().map(|item| self.require(item, Type::Set, word)).collect()
    }

    /// Parses `pin [from S] [through S] [to S]`.
    pub(super) fn pin(&mut self) -> Res<Filter> {
        let start = self.eat();
        let (mut from, mut through, mut to) = (None, None, None);
        let mut value = None;
        while let Some(keyword) = self.keyword() {
            let (slot, part) = match keyword {
                Keyword::From => (&mut from, PinPart::From),
                Keyword::Through => (&mut through, PinPart::Through),
                Keyword::To => (&mut to, PinPart::To),
                _ => break,
            };
            if slot.is_some() {
                let message = format!("`{}` stands twice in this `pin`", keyword.text());
                return self.fail(code::PARAMETER, self.here(), message);
            }
            self.pos += 1;
            *slot = Some(Box::new(self.operand(keyword.text(), level::COLON, Type::Set)?));
            value = value.or(Some(part));
        }
        let kind =
            FilterKind::Pin(Pin { from, through, to, value: value.unwrap_or(PinPart::Through) });
        Ok(self.make(start, Type::Set, kind))
    }

    /// Parses `makesquare(f r)`, `makesquare("e4")` or `makesquare S`.
    pub(super) fn make_square(&mut self) -> Res<Filter> {
        let start = self.eat();
        if self.symbol() != Some(Symbol::OpenParen) {
            let text = self.operand_of_any_type("makesquare", level::ADD)?;
            if text.ty == Type::Numeric {
                return self.fail_help(
                    code::ARGUMENTS,
                    text.span,
                    "expected a string or `(` after `makesquare`, found a number",
                    "write `makesquare(FILE RANK)`",
                );
            }
            let text = self.require(text, Type::String, "makesquare")?;
            let kind = FilterKind::MakeSquareFromText(Box::new(text));
            return Ok(self.make(start, Type::Set, kind));
        }
        let items = self.arguments("makesquare", level::ADD)?;
        let n_items = items.len();
        let mut items = items.into_iter();
        let kind = match (items.next(), items.next(), items.next()) {
            (Some(text), None, _) if text.ty == Type::String => {
                FilterKind::MakeSquareFromText(Box::new(text))
            }
            (Some(file), Some(rank), None) => {
                let file = self.require(file, Type::Numeric, "makesquare")?;
                let rank = self.require(rank, Type::Numeric, "makesquare")?;
                FilterKind::MakeSquare(Box::new(file), Box::new(rank))
            }
            _ => {
                let message = format!(
                    "`makesquare` takes two numbers or one string, found {}",
                    plural(n_items, "filter")
                );
                return self.fail_help(
                    code::ARGUMENTS,
                    self.span_from(start),
                    message,
                    "write `makesquare(FILE RANK)` or `makesquare \"e4\"`",
                );
            }
        };
        Ok(self.make(start, Type::Set, kind))
    }

    /// Parses `fen` or `fen "BOARD"`.
    pub(super) fn fen(&mut self) -> Res<Filter> {
        let start = self.pos;
        let is_item = self.direct_item == Some(start);
        self.pos += 1;
        if !is_item && let Some((text, span)) = self.eat_literal() {
            if let Some(moves) = moves_from_start(&text) {
                let message = "these are moves, and no FEN";
                let help = help_for_moves(&moves);
                let whole = self.span_at(start).to(span);
                let mend = Mend::edit(help, whole, format!("san \"{moves}\""));
                return self.fail_help(code::LITERAL, span, message, mend);
            }
            let board = self.board(&text, span)?;
            let place: Span = self.span_from(start);
            self.fixed_squares.push(place);
            let kind = FilterKind::FenPattern(Box::new(board));
            return Ok(self.make(start, Type::Boolean, kind));
        }
        let kind = FilterKind::TextSource(TextSource::Fen);
        Ok(self.make(start, Type::String, kind))
    }

    /// Parses `fenset "BOARD"`.
    pub(super) fn fen_set(&mut self) -> Res<Filter> {
        let start = self.eat();
        let Some((text, span)) = self.eat_literal() else {
            return self.expected("a FEN in quotes after `fenset`", FEN_SET_USAGE);
        };
        let board = self.board(&text, span)?;
        self.fixed_squares.push(self.span_from(start));
        Ok(self.make(start, Type::Set, FilterKind::FenSet(Box::new(board))))
    }

    /// Parses `likeness("FEN")` or `likeness("FEN" pawns 60 …)`.
    pub(super) fn likeness(&mut self) -> Res<Filter> {
        let start = self.eat();
        if !self.eat_symbol(Symbol::OpenParen) {
            return self.expected("`(` after `likeness`", LIKENESS_USAGE);
        }
        let Some((text, span)) = self.eat_literal() else {
            return self.expected("a FEN in quotes", LIKENESS_USAGE);
        };
        let board = self.board(&text, span)?;
        if !board.iter().all(|content| content.0.is_power_of_two()) {
            let message = "a position has a piece or nothing on each square, no wildcards";
            return self.fail(code::LITERAL, span, message);
        }
        let weights = self.weights()?;
        self.fixed_squares.push(self.span_from(start));
        let kind = FilterKind::Likeness(Box::new(Likeness { board, weights }));
        Ok(self.make(start, Type::Numeric, kind))
    }

    /// Reads the board of a FEN, which is the text of a literal.
    fn board(&mut self, text: &[u8], literal: Span) -> Res<[PieceSet; 64]> {
        board(text).or_else(|(at, message)| {
            let span = letter_in(literal, &String::from_utf8_lossy(text), at);
            self.fail_help(code::LITERAL, span, message, BOARD_USAGE)
        })
    }

    /// Parses `pawns 60 …` up to the parenthesis: the points of each part; without any, 100 in all.
    fn weights(&mut self) -> Res<[u32; 4]> {
        let mut given = [None; 4];
        let first = self.pos;
        while !self.eat_symbol(Symbol::CloseParen) {
            let word = self.word_at(self.pos);
            let Some(part) = Likeness::PARTS.iter().position(|name| Some(*name) == word) else {
                let what = "`)`, or `pawns`, `pieces`, `kings` or `material` with a number";
                return self.expected(what, LIKENESS_USAGE);
            };
            if given[part].is_some() {
                let message =
                    format!("`{}` stands twice in this `likeness`", Likeness::PARTS[part]);
                return self.fail(code::PARAMETER, self.here(), message);
            }
            self.pos += 1;
            match self.kind() {
                Some(&TokenKind::Integer(number)) if (0..=MOST_POINTS).contains(&number) => {
                    given[part] = Some(number.unsigned_abs());
                }
                _ => return self.expected(format_args!("a number from 0 to {MOST_POINTS}"), ""),
            }
            self.pos += 1;
        }
        if given == [None; 4] {
            return Ok(POINTS);
        }
        let weights = given.map(Option::unwrap_or_default);
        if weights == [0; 4] {
            let span = self.tokens(first, self.pos - 2);
            return self.fail(code::PARAMETER, span, "no part of this `likeness` has points");
        }
        Ok(weights)
    }
}

const BOARD_USAGE: &str = "write eight ranks of eight squares, from the eighth rank to the first, \
     such as \"8/8/4k3/8/8/4K3/4P3/8\"";

const FEN_SET_USAGE: &str = "write `fenset \"FEN\"`";

const LIKENESS_USAGE: &str =
    "write `likeness(\"FEN\")` or `likeness(\"FEN\" pawns 60 pieces 20 kings 10 material 10)`";

/// Points of the parts of a likeness if the query gives none.
const POINTS: [u32; 4] = [60, 20, 10, 10];

/// Maximum number of points of a part.
const MOST_POINTS: i32 = 1_000_000;

/// Reads the board of a FEN with the wildcards `A`, `a`, `_` and `.`; the fields after it are
/// ignored.
fn board(text: &[u8]) -> Result<[PieceSet; 64], Wrong> {
    let mut board = [PieceSet::ANYTHING; 64];
    let (mut file, mut rank) = (0, 7);
    for (at, &byte) in text.iter().enumerate() {
        let wrong = |message| Err((at, message));
        let pieces = match byte {
            b'/' => {
                if file < 8 {
                    return wrong(format!(
                        "rank {} of this FEN has {file} squares, expected 8",
                        rank + 1
                    ));
                }
                if rank == 0 {
                    break;
                }
                rank -= 1;
                file = 0;
                continue;
            }
            b'1'..=b'8' => {
                for _ in b'0'..byte {
                    if file == 8 {
                        return wrong(format!("too many squares in rank {} of this FEN", rank + 1));
                    }
                    board[rank * 8 + file] = PieceSet::EMPTY_SQUARE;
                    file += 1;
                }
                if rank == 0 && file == 8 {
                    break;
                }
                continue;
            }
            b'.' => PieceSet::ANYTHING,
            _ => match PieceSet::from_letter(byte) {
                Some(pieces) => pieces,
                None if byte.is_ascii_digit() => {
                    return wrong(format!(
                        "expected 1 to 8 empty squares in this FEN, found `{}`",
                        char::from(byte)
                    ));
                }
                None => {
                    return wrong(format!(
                        "expected a piece, a digit or `/` in this FEN, found `{}`",
                        String::from_utf8_lossy(&[byte])
                    ));
                }
            },
        };
        if file == 8 {
            return wrong(format!("too many squares in rank {} of this FEN", rank + 1));
        }
        board[rank * 8 + file] = pieces;
        file += 1;
        if rank == 0 && file == 8 {
            break;
        }
    }
    if rank > 0 || file < 8 {
        let rank = rank + 1;
        let message = format!(
            "this FEN ends on rank {rank} after {file} squares, before its board is complete"
        );
        return Err((text.len(), message));
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn squares_and_their_contents() {
        check("power R|r type K colortype k", "(power (union R r):s):n (type K):n (colortype k):n");
        check("file R&a1 rank R pieceid R", "(file (intersect R a1):s):n (rank R):n (pieceid R):n");
        check("typename R==\"R\"", "(== (typename R):t \"R\"):t");
        check("piecename r==\"r\"", "(== (piecename r):t \"r\"):t");
        check("light R dark .", "(light R):s (dark .):s");
        for (text, code, place) in [
            ("power", "E0101", ""),
            ("file 3==2", "E0301", "3"),
            ("typename==\"K\"", "E0101", "=="),
            ("pieceid 3==1", "E0301", "3"),
            ("light", "E0101", ""),
            ("dark 3", "E0301", "3"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn directions_take_ranges() {
        check("up R", "(up R):s");
        check("up 2 R", "(up 2..2 R):s");
        check("up -1 1 R", "(up -1..1 R):s");
        check("right -2 1 k", "(right -2..1 k):s");
        check("up count K", "(up -100000..100000 K):s");
        check("x=2 up x R", "(x = 2):b (up x..x R):s");
        check("up 1 right 2 3 K", "(up 1..1 (right 2..3 K):s):s");
        check("up 1 (~R)", "(up 1..1 (complement R):s):s");
        check("anydirection 1 {.}", "(anydirection 1..1 .):s");
        for (text, place) in [
            ("up 1 2 ~R", "2"),
            ("up 1 .", "1"),
            ("up 0 []", "0"),
            ("right -2 -1 k", "-2"),
            ("x=2 up x+1 K", "x"),
        ] {
            refuse(text, "E0301", place);
        }
        refuse("up 2", "E0101", "");
    }

    #[test]
    fn rays_and_pins() {
        check("ray(R k)", "(ray 8 R k):s");
        check("ray up horizontal (R P k)", "(ray 3 R P k):s");
        check("ray attack(R k)", "(ray 8 attack R k):s");
        check("xray(b N K)", "(ray 8 attack b N K):s");
        check("between(R|r k)", "(between (union R r):s k):s");
        check("pin", "(pin Through):s");
        check("pin from b through r to .", "(pin From from=b through=r to=.):s");
        check("pin to parent:k", "(pin To to=(at parent k):s):s");
        for (text, code, place) in [
            ("ray(R)", "E0106", "ray(R)"),
            ("ray(R 3)", "E0301", "3"),
            ("ray 1 (R k)", "E0103", "1"),
            ("ray up orthogonal (R k)", "E0111", "orthogonal"),
            ("ray R k", "E0103", "R"),
            ("xray up (R k)", "E0103", "up"),
            ("ray attacks up (R k)", "E0103", "up"),
            ("between(A)", "E0106", "between(A)"),
            ("between A a", "E0103", "A"),
            ("pin from b from r", "E0111", "from"),
            ("pin through 3", "E0301", "3"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn squares_by_coordinates() {
        check("makesquare(1 2)", "(makesquare 1 2):s");
        check(
            "makesquare(9-file K 9-rank k)",
            "(makesquare (- 9 (file K):n):n (- 9 (rank k):n):n):s",
        );
        check(
            "makesquare \"e4\" makesquare(\"e4\")",
            "(makesquarefromtext \"e4\"):s (makesquarefromtext \"e4\"):s",
        );
        for (text, code, place) in [
            ("makesquare 5 4", "E0106", "5"),
            ("makesquare(5)", "E0106", "makesquare(5)"),
            ("makesquare(1 2 3)", "E0106", "makesquare(1 2 3)"),
            ("makesquare(\"e4\" 4)", "E0301", "\"e4\""),
            ("makesquare(R 1)", "E0301", "R"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn fens_are_boards_with_wildcards() {
        check("fen \"8/8/8/8/8/8/8/K...a_A. w KQkq\"", "(fen 60):b");
        check("fen==\"x\"", "(== fen \"x\"):t");
        for (fen, place) in [
            ("8/8", "\"8/8\""),
            ("x7/8/8/8/8/8/8/8", "x"),
            ("9/8/8/8/8/8/8/8", "9"),
            ("8k/8/8/8/8/8/8/8", "k"),
            ("7k1/8/8/8/8/8/8/8", "1"),
            ("7/8/8/8/8/8/8/8", "/"),
            ("", "\"\""),
        ] {
            refuse(&format!("fen \"{fen}\""), "E0113", place);
        }
    }

    #[test]
    fn positions_are_compared_with_a_fen() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        check(&format!("fenset \"{start} w KQkq - 0 1\" & K"), "(intersect (fenset 64):s K):s");
        check("fenset \"8/8/8/8/8/8/8/K...a_A.\"", "(fenset 60):s");
        check(&format!("likeness(\"{start}\") >= 70"), "(>= (likeness [60, 20, 10, 10]):n 70):n");
        check(&format!("likeness(\"{start}\" material 5 pawns 0)"), "(likeness [0, 0, 0, 5]):n");
        check(
            &format!("likeness(\"{start}\" kings 3 pieces 1000000)"),
            "(likeness [0, 1000000, 3, 0]):n",
        );
        // as names
        check("likeness = 3 fenset = 4 likeness", "(likeness = 3):b (fenset = 4):b $likeness:n");
        let with = |rest: &str| format!("likeness(\"{start}\"{rest}");
        for (text, code, place) in [
            ("fenset", "E0103", ""),
            ("fenset K", "E0103", "K"),
            ("fenset \"8/8\"", "E0113", "\"8/8\""),
            ("likeness", "E0103", ""),
            ("likeness \"8/8\"", "E0103", "\"8/8\""),
            ("likeness(K)", "E0103", "K"),
            ("likeness(\"8/8\")", "E0113", "\"8/8\""),
            ("likeness(\"8/8/8/8/8/8/8/A7\")", "E0113", "\"8/8/8/8/8/8/8/A7\""),
            ("likeness(\"8/8/8/8/8/8/8/.7\")", "E0113", "\"8/8/8/8/8/8/8/.7\""),
            (&with(" 60)"), "E0103", "60"),
            (&with(" pawns)"), "E0103", ")"),
            (&with(" pawns -1)"), "E0103", "-"),
            (&with(" pawns 1000001)"), "E0103", "1000001"),
            (&with(" pawns 1 pawns 1)"), "E0111", "pawns"),
            (&with(" pawns 0 kings 0)"), "E0111", "pawns 0 kings 0"),
            ("rotate45 fenset \"8/8/8/8/8/8/8/8\"", "E0402", "fenset \"8/8/8/8/8/8/8/8\""),
        ] {
            refuse(text, code, place);
        }
    }
}
