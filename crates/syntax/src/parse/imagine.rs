//! Parses `imagine … : F`, and the older notation for moves that are not played,
//! `move legal … : F`.

use super::error::{Res, code};
use super::moves::MoveParts;
use super::parser::Parser;
use crate::builtin::{Keyword, MoveEnd, Nullary, Predicate, SetSource};
use crate::designator::PieceSet;
use crate::level;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{
    Change, Color, Countable, Dash, Filter, FilterKind, Imagine, LegalTarget, MoveValue, Promotion,
    TriedDash, Type,
};

/// Squares that a pawn can cross with a double step: the third and the sixth rank.
const PASSED: u64 = 0xFF << 16 | 0xFF << 40;

/// Help for malformed changes.
const CHANGES: &str = "changes are `place N on d5`, `remove Q`, `sidetomove black` (or `white`, \
                       `flip`), `castling \"KQ\"`, `enpassant e3`";

impl Parser<'_> {
    /// Parses `imagine CHANGE, CHANGE … : F`.
    pub(super) fn imagine(&mut self) -> Res<Filter> {
        let start = self.eat();
        let mut changes = Vec::new();
        while self.symbol() != Some(Symbol::Colon) || changes.is_empty() {
            let change = self.change();
            if change.is_err() {
                self.skip_changes();
            }
            changes.push(change?);
            if self.eat_symbol(Symbol::Comma) && self.symbol() == Some(Symbol::Colon) {
                return self.expected_as(code::EXPECTED_SYMBOL, "a change after `,`", CHANGES);
            }
        }
        let body = self.behind_colon()?;
        let ty = body.ty;
        let kind = FilterKind::Imagine(Imagine { changes, body: Box::new(body) });
        Ok(self.make(start, ty, kind))
    }

    /// Moves after the `:` of changes with an error, so that the other changes are not parsed as
    /// filters. Does not move if there is no `:` before another `imagine`.
    fn skip_changes(&mut self) {
        let start = self.pos;
        while self.kind().is_some() && self.newer_word(self.pos) != Some(Keyword::Imagine) {
            match self.symbol() {
                Some(Symbol::CloseBrace | Symbol::CloseParen) => break,
                Some(Symbol::Colon) => return self.pos += 1,
                _ => self.pos += 1,
            }
        }
        self.pos = start;
    }

    /// Parses the `:` at the next token and the filter after it.
    fn behind_colon(&mut self) -> Res<Filter> {
        self.pos += 1;
        self.operand_of_any_type(":", level::COLON)
    }

    fn change(&mut self) -> Res<Change> {
        let word = self.word_at_hand();
        match word.as_str() {
            "place" => {
                self.pos += 1;
                self.placed()
            }
            "remove" => {
                self.pos += 1;
                Ok(Change::Remove(self.changed_squares("remove")?))
            }
            "sidetomove" => {
                self.pos += 1;
                self.new_turn()
            }
            "castling" => {
                self.pos += 1;
                self.new_rights()
            }
            "enpassant" | "enpassantsquare" => {
                self.pos += 1;
                self.passed_square(&word)
            }
            _ => {
                self.expected_as(code::EXPECTED_SYMBOL, "a change of the position, or `:`", CHANGES)
            }
        }
    }

    /// Returns the next token if it is a name or reserved word.
    fn word_at_hand(&self) -> String {
        match self.kind() {
            Some(TokenKind::Name(name)) => name.clone(),
            Some(TokenKind::Keyword(keyword)) => keyword.text().to_owned(),
            _ => String::new(),
        }
    }

    fn changed_squares(&mut self, word: &str) -> Res<Box<Filter>> {
        Ok(Box::new(self.operand(word, level::ARROW, Type::Set)?))
    }

    fn passed_square(&mut self, word: &str) -> Res<Change> {
        let squares = self.changed_squares(word)?;
        match squares.kind {
            FilterKind::Designator(designator)
                if !designator.has_pieces && designator.squares & PASSED == 0 =>
            {
                self.fail_help(
                    code::OPERAND_TYPE,
                    squares.span,
                    "no pawn passes this square with a double step",
                    "it is on the third or the sixth rank, behind the pawn: `enpassant e3`",
                )
            }
            _ => Ok(Change::EnPassant(squares)),
        }
    }

    /// Parses `N on d5`, `wN on d5` or `Nd5`.
    fn placed(&mut self) -> Res<Change> {
        let start = self.pos;
        let man = match self.kind() {
            Some(TokenKind::Designator(designator)) if designator.has_pieces => {
                Some((designator.pieces, designator.has_squares))
            }
            Some(TokenKind::Name(name)) => man_of_color(name).map(|man| (man, false)),
            _ => None,
        };
        let is_one = |man: PieceSet| man.0.is_power_of_two() && man != PieceSet::EMPTY_SQUARE;
        let Some((man, has_squares)) = man.filter(|(man, _)| is_one(*man)) else {
            return self.expected_as(
                code::OPERAND_TYPE,
                "one kind of piece after `place`",
                "write `place N on d5` for a white knight, `place n on d5` for a black one",
            );
        };
        if has_squares {
            let squares = self.changed_squares("place")?;
            if !matches!(squares.kind, FilterKind::Designator(_)) {
                let message = "the squares after `place` are written after `on`";
                let help = "write `place N on S`";
                return self.fail_help(code::OPERAND_TYPE, squares.span, message, help);
            }
            return Ok(Change::Place(man, Box::new(all_of(*squares))));
        }
        self.pos = start + 1;
        if self.word_at_hand() != "on" {
            let usage = "write `place N on d5`";
            return self.expected_as(code::EXPECTED_SYMBOL, "`on` after what is placed", usage);
        }
        self.pos += 1;
        Ok(Change::Place(man, self.changed_squares("on")?))
    }

    fn new_turn(&mut self) -> Res<Change> {
        let color = match self.keyword() {
            Some(Keyword::White) => Some(Color::White),
            Some(Keyword::Black) => Some(Color::Black),
            Some(Keyword::Flip) => None,
            _ => {
                return self.expected_as(
                    code::EXPECTED_SYMBOL,
                    "`white`, `black` or `flip` after `sidetomove`",
                    CHANGES,
                );
            }
        };
        self.pos += 1;
        Ok(Change::Turn(color))
    }

    fn new_rights(&mut self) -> Res<Change> {
        let usage = "write `castling \"KQkq\"` with the letters of a FEN, or `castling \"-\"`";
        let Some(text) = self.literal() else {
            return self.expected_as(code::EXPECTED_SYMBOL, "a string after `castling`", usage);
        };
        let mut rights = 0;
        let mut is_right = true;
        for letter in text {
            match b"KQkq".iter().position(|right| right == letter) {
                Some(bit) => rights |= 1 << bit,
                None => is_right &= *letter == b'-',
            }
        }
        if !is_right {
            let message = "castling rights are the letters K, Q, k and q, or -";
            return self.fail_help(code::OPERAND_TYPE, self.here(), message, usage);
        }
        self.pos += 1;
        Ok(Change::Castling(rights))
    }

    /// Parses `: F` after a `move` filter, if it follows: then all such moves are tried.
    pub(super) fn move_tried(&mut self, start: usize, parts: MoveParts) -> Res<Filter> {
        let span = self.span_from(start);
        let Some(moves) = parts.unplayed() else {
            let message = "only moves that were not played are tried";
            let help = "write `move legal … : F`, `move pseudolegal … : F`, `move reverse … : F`; \
                        behind a played move F stands in the parentheses of a dash: `K--(F)`";
            return self.fail_help(code::MOVE, span, message, help);
        };
        let MoveParts { filter, count, all, first, .. } = parts;
        if filter.primary || filter.secondary || filter.null {
            let message = "moves that were not played are neither primary nor secondary nor null";
            let words = [Keyword::Primary, Keyword::Secondary, Keyword::Null];
            let word = self.last_word(start, &words);
            return self.fail(code::PARAMETER, word, message);
        }
        let body = self.behind_colon()?;
        let make = |kind, ty| Filter { kind, ty, span };
        let is =
            |predicate| make(FilterKind::Nullary(Nullary::Predicate(predicate)), Type::Boolean);
        let end = |end| make(FilterKind::Nullary(Nullary::MoveEnd(end)), Type::Set);
        let victim = FilterKind::Nullary(Nullary::SetSource(SetSource::EnPassantSquare));
        let mut target = Vec::new();
        target.extend(filter.castle.map(|kind| {
            is(match kind {
                LegalTarget::Castle => Predicate::Castle,
                LegalTarget::ShortCastle => Predicate::ShortCastle,
                LegalTarget::LongCastle => Predicate::LongCastle,
                LegalTarget::EnPassant => Predicate::EnPassant,
            })
        }));
        if filter.en_passant {
            target.push(is(Predicate::EnPassant));
        }
        let meets = |set: Filter, squares: Box<Filter>| {
            make(FilterKind::Intersect(Box::new(set), squares), Type::Set)
        };
        if let Some(squares) = filter.en_passant_square {
            target.push(meets(make(victim.clone(), Type::Set), squares));
        }
        let (right, capture) = match (filter.to, filter.capture) {
            (to, None) => (to, false),
            (to, capture) => {
                target.extend(to.map(|to| meets(end(MoveEnd::To), to)));
                (capture, true)
            }
        };
        target.push(body);
        let mut tried = TriedDash {
            moves,
            all,
            dash: Dash {
                capture,
                left: filter.from,
                right,
                promotion: filter.promote.map(Promotion::Roles),
                target,
            },
        };
        if count {
            return Ok(counted(tried, span));
        }
        let value = match first.unwrap_or(MoveValue::Match) {
            _ if all => None,
            MoveValue::From => Some(end(MoveEnd::From)),
            MoveValue::To => Some(end(MoveEnd::To)),
            MoveValue::Capture => Some(make(
                FilterKind::If(
                    Box::new(is(Predicate::EnPassant)),
                    Box::new(make(victim, Type::Set)),
                    Some(Box::new(end(MoveEnd::To))),
                ),
                Type::Set,
            )),
            MoveValue::Match | MoveValue::Count => None,
        };
        let ty = value.as_ref().map_or(Type::Boolean, |value| value.ty);
        // the body does not determine the type
        let last = value.unwrap_or_else(|| make(FilterKind::TRUE, Type::Boolean));
        tried.dash.target.push(last);
        Ok(self.make(start, ty, FilterKind::Tried(Box::new(tried))))
    }
}

/// Counts the moves; if `all` is set, only if the target matches after each of them.
fn counted(tried: TriedDash, span: Span) -> Filter {
    let all = tried.all.then(|| Filter {
        kind: FilterKind::Tried(Box::new(tried.clone())),
        ty: Type::Boolean,
        span,
    });
    let count = Filter {
        kind: FilterKind::CountMoves(Countable::Tried(Box::new(TriedDash { all: false, ..tried }))),
        ty: Type::Numeric,
        span,
    };
    match all {
        None => count,
        Some(all) => Filter { kind: FilterKind::Block(vec![all, count]), ty: Type::Numeric, span },
    }
}

/// Reads `wN` or `bq`: a piece with a letter for its color.
fn man_of_color(name: &str) -> Option<PieceSet> {
    let &[color @ (b'w' | b'b'), letter] = name.as_bytes() else {
        return None;
    };
    let letter = letter.to_ascii_uppercase();
    let role = b"PNBRQK".iter().position(|&role| role == letter)?;
    Some(PieceSet(1 << (role + if color == b'w' { 0 } else { 6 })))
}

/// Returns a designator without its pieces, so that it contains all its squares.
fn all_of(filter: Filter) -> Filter {
    let kind = match filter.kind {
        FilterKind::Designator(mut designator) => {
            designator.pieces = PieceSet::ANYTHING;
            designator.has_pieces = false;
            FilterKind::Designator(designator)
        }
        kind => kind,
    };
    Filter { kind, ..filter }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn changes() {
        check(
            "imagine place N on d5, remove Q|q sidetomove flip castling \"Kq\" enpassant e3 : mate",
            "(imagine place 2 d5, remove (union Q q):s, turn None, castling 9, enpassant e3 : mate):b",
        );
        check(
            "imagine place bq on a1 place Rh1-2, sidetomove white : #R > 1",
            "(> (imagine place 400 a1, place 8 Rh1-2, turn Some(White) : (# R):n):n 1):n",
        );
        refuse("imagine place [Qq] on d5 : mate", "E0301", "[Qq]");
        refuse("imagine put Q on d5 : mate", "E0103", "put");
        refuse("imagine castling \"x\" : mate", "E0301", "\"x\"");
        refuse("imagine remove check : mate", "E0301", "check");
        refuse("imagine remove Q", "E0103", "");
        refuse("imagine enpassant e5 : mate", "E0301", "e5");
    }

    #[test]
    fn names_come_first() {
        check("imagine=3 imagine==3", "(imagine = 3):b (== $imagine:n 3):n");
        check("clock=3 clock<4", "(clock = 3):b (< $clock:n 4):n");
        check("clock<4", "(< clock 4):n");
        refuse("clock+=1", "E0201", "clock");
    }

    #[test]
    fn moves_in_the_words_of_others() {
        check("move legal : mate", "(legal -- * * => mate true):b");
        check("move from K reverse : mate", "(reverse -- K * => mate from):s");
        check(
            "move pseudolegal all count to e4 : check",
            "(block (pseudolegal all -- * e4 => check):b (count pseudolegal -- * e4 => check):n):n",
        );
        check("reverse --", "(reverse -- * *):b");
        refuse("move legal all", "E0108", "");
        refuse("move : mate", "E0108", "move");
    }
}
