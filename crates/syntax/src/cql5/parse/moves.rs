//! Parses `move`, and filters about earlier or later positions.

use super::*;
use crate::cql5::tree::{Constituent, Item, MoveFilter, Search, Sequence};
use crate::designator::PieceSet;
use crate::tree::Repeat;

impl Parser<'_> {
    /// Reads `move [previous] …`.
    pub(super) fn move_filter(&mut self) -> Res<FilterKind> {
        let start = self.at;
        self.at += 1;
        let mut filter =
            MoveFilter { previous: self.take_word(Word::Previous), ..MoveFilter::default() };
        // a repeated parameter ends the list
        while let Some(word) = self.word() {
            match word {
                Word::From if filter.from.is_none() => {
                    self.at += 1;
                    filter.from = Some(self.child_set("the origin of a move")?);
                }
                Word::To if filter.to.is_none() => {
                    self.at += 1;
                    filter.to = Some(self.child_set("the destination of a move")?);
                }
                // `enpassant` means `enpassantsquare .`
                Word::EnPassantSquare | Word::EnPassant
                    if filter.en_passant || filter.en_passant_square.is_some() =>
                {
                    break;
                }
                Word::EnPassantSquare => {
                    self.at += 1;
                    filter.en_passant_square = Some(self.child_set("`enpassantsquare`")?);
                }
                Word::Promote if filter.promote.is_none() => {
                    self.at += 1;
                    filter.promote = Some(self.promotion()?);
                }
                _ => {
                    let flag = match word {
                        Word::EnPassant => &mut filter.en_passant,
                        Word::Null => &mut filter.null,
                        Word::Primary => &mut filter.primary,
                        Word::Secondary => &mut filter.secondary,
                        _ => break,
                    };
                    if std::mem::replace(flag, true) {
                        break;
                    }
                    self.at += 1;
                }
            }
        }
        self.check_move(&filter, self.since(start));
        Ok(FilterKind::Move(Box::new(filter)))
    }

    fn promotion(&mut self) -> Res<PieceSet> {
        if let Some(TokenKind::Designator(designator)) = self.peek() {
            let (pieces, squares) = (designator.pieces, designator.squares);
            let plain = designator.variables.is_empty();
            let span = self.here();
            self.at += 1;
            if let (Some(pieces), None, true) = (pieces, squares, plain) {
                return Ok(pieces);
            }
            let message = "`promote` takes pieces without squares, such as `Q` or `[RN]`";
            self.error(code::MOVE, span, message);
            return Ok(pieces.unwrap_or_default());
        }
        self.expected("pieces that a pawn promotes to")
    }

    fn check_move(&mut self, filter: &MoveFilter, span: Span) {
        let en_passant = filter.en_passant || filter.en_passant_square.is_some();
        let placed = filter.from.is_some() || filter.to.is_some() || filter.promote.is_some();
        for (wrong, message) in [
            (filter.null && (placed || en_passant), "a null move has no squares and no promotion"),
            (filter.promote.is_some() && en_passant, "a capture en passant does not promote"),
            (filter.primary && filter.secondary, "no move is both `primary` and `secondary`"),
        ] {
            if wrong {
                self.error(code::MOVE, span, message);
            }
        }
    }

    /// Reads all forms of `next …` and `previous …`.
    pub(super) fn elsewhere(&mut self, word: Word) -> Res<FilterKind> {
        self.at += 1;
        let forward = matches!(word, Word::Next | Word::Next2);
        let single_color = matches!(word, Word::Next2 | Word::Previous2);
        if !single_color && self.take(&TokenKind::Star) {
            return self.search(forward);
        }
        let range = self.range();
        let nestban_at = self.here();
        let nestban = self.take_word(Word::NestBan);
        if nestban && !forward {
            let message = "`nestban` goes with `next`, not with `previous`";
            self.error(code::SEQUENCE, nestban_at, message);
        }
        if !self.is(&TokenKind::OpenParen) {
            let star = if single_color { "" } else { "`*` or " };
            return self.expected(&format!("{star}`(` after `{}`", word.text()));
        }
        let index = self.query.n_trackers;
        self.query.n_trackers += 1;
        let constituents = self.group()?;
        Ok(FilterKind::Sequence(Box::new(Sequence {
            index,
            forward,
            single_color,
            range,
            nestban,
            silent: false,
            constituents,
        })))
    }

    /// Reads `( c c … )`.
    fn group(&mut self) -> Res<Vec<Constituent>> {
        let start = self.at;
        self.descend()?;
        self.at += 1;
        let constituents = self.constituents()?;
        self.nesting -= 1;
        if constituents.is_empty() && self.is(&TokenKind::CloseParen) {
            self.at += 1;
            let span = self.since(start);
            self.error(code::SEQUENCE, span, "this sequence is empty");
            return Err(Failed);
        }
        self.expect(&TokenKind::CloseParen, "`)` or a filter")?;
        Ok(constituents)
    }

    fn constituents(&mut self) -> Res<Vec<Constituent>> {
        let mut constituents = Vec::new();
        loop {
            let item = match self.peek() {
                Some(TokenKind::OpenParen) => Item::Group(self.group()?),
                _ if self.at_end_of_list() => return Ok(constituents),
                _ => Item::Filter(self.filter()?),
            };
            let repeats = self.repeats();
            constituents.push(Constituent { item, repeats });
        }
    }

    fn repeats(&mut self) -> Vec<Repeat> {
        let mut repeats = Vec::new();
        loop {
            let start = self.at;
            repeats.push(match self.peek() {
                Some(TokenKind::Star) => Repeat::Star,
                Some(TokenKind::Plus) => Repeat::Plus,
                Some(TokenKind::Question) => Repeat::Optional,
                Some(TokenKind::OpenBrace) if self.is_repetition() => {
                    self.at += 1;
                    let range = self.required_range("a repetition");
                    let (Ok(min), Ok(max)) = (u32::try_from(range.min), u32::try_from(range.max))
                    else {
                        self.at += 1;
                        let message = "nothing can be repeated a negative number of times";
                        self.error(code::SEQUENCE, self.since(start), message);
                        continue;
                    };
                    Repeat::Times { min, max }
                }
                _ => return repeats,
            });
            self.at += 1;
        }
    }

    /// Reads `next* [r] [depth d] F`.
    fn search(&mut self, forward: bool) -> Res<FilterKind> {
        let range = self.range();
        let depth = if self.take_word(Word::Depth) {
            let start = self.at;
            match self.range() {
                Some(Range { min, max }) if min == max && min >= 0 => Some(min as u32),
                _ => {
                    let span = if self.at == start { self.here() } else { self.since(start) };
                    let message = "`depth` needs one number, not negative";
                    self.error(code::SEQUENCE, span, message);
                    None
                }
            }
        } else {
            None
        };
        let body = Box::new(self.filter()?);
        Ok(FilterKind::Search(Search { forward, range, depth, silent: false, body }))
    }
}
