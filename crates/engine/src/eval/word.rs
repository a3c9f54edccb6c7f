//! Evaluates the regular words, with one match arm per word.

use board::{Color, Ending, Piece, Role, SquareSet};
use pgn::command::{self, Evaluation};
use syntax::builtin::{
    Drawn, NumberSource, NumberToNumber, NumberToPosition, PositionSource, PositionsToNumber,
    PositionsToPosition, Predicate, SetSource, SetToNumber, SetToSet, SetToText, SetsToSet,
    TextToNumber, TextToText, TextsToNumber,
};

use super::Evaluator;
use super::aesthetics::Strictness;
use compiler::limits::Limit;
use compiler::program::*;

impl Evaluator<'_> {
    #[inline]
    pub(super) fn predicate(&mut self, predicate: Predicate) -> bool {
        match predicate {
            Predicate::Check => self.is_check(),
            Predicate::Mate => self.is_mate(),
            Predicate::Stalemate => self.is_stalemate(),
            Predicate::Initial => self.at == 0,
            Predicate::Terminal => self.positions.first_child(self.at).is_none(),
            Predicate::Mainline => self.positions.depth(self.at) == 0,
            Predicate::Variation => self.positions.depth(self.at) > 0,
            Predicate::VirtualMainline => self.way_here().is_virtual_mainline(),
            Predicate::NullMove => self.current_move().is_some_and(|mv| mv.is_null()),
            Predicate::EnPassant => self.current_move().is_some_and(|mv| mv.is_en_passant()),
            Predicate::Castle => self.current_move().is_some_and(|mv| mv.is_castle()),
            Predicate::ShortCastle => {
                self.current_move().is_some_and(|mv| mv.is_castle() && mv.to().file() == 6)
            }
            Predicate::LongCastle => {
                self.current_move().is_some_and(|mv| mv.is_castle() && mv.to().file() == 2)
            }
            Predicate::Primary => self.at != 0 && self.positions.sibling_index(self.at) == 0,
            Predicate::Secondary => self.at != 0 && self.positions.sibling_index(self.at) > 0,
            Predicate::Forced => {
                self.charge(4);
                self.is_forced()
            }
            Predicate::Quiescent => {
                self.charge(8);
                self.moves_are_of_chess("quiescent") && self.here().is_quiescent()
            }
            Predicate::LegalPosition => {
                self.charge(4);
                self.moves_are_of_chess("legalposition") && self.here().is_legal_position()
            }
            Predicate::ReachablePosition => {
                self.charge(4);
                self.moves_are_of_chess("reachableposition") && self.here().is_reachable_position()
            }
            Predicate::VariantEnd => self.ending().is_some(),
            Predicate::VariantWin => self.ending() == Some(Ending::Win(self.here().turn)),
            Predicate::VariantLoss => self.ending() == Some(Ending::Win(!self.here().turn)),
            Predicate::VariantDraw => self.ending() == Some(Ending::Draw),
        }
    }

    pub(super) fn set_source(&mut self, source: SetSource) -> SquareSet {
        match source {
            SetSource::EnPassantSquare => self.en_passant_victim(),
            SetSource::PromotedPieces => self.promoted_pieces(),
            SetSource::PureMate => self.beautiful_mate(Strictness::Pure),
            SetSource::ModelMate => self.beautiful_mate(Strictness::Model),
            SetSource::IdealMate => self.beautiful_mate(Strictness::Ideal),
            SetSource::PureStalemate => self.beautiful_stalemate(Strictness::Pure),
            SetSource::ModelStalemate => self.beautiful_stalemate(Strictness::Model),
            SetSource::IdealStalemate => self.beautiful_stalemate(Strictness::Ideal),
        }
    }

    pub(super) fn set_of_set(&mut self, word: SetToSet, set: SetId) -> SquareSet {
        let set = self.set(set);
        match word {
            SetToSet::Hanging => self.exchanged("hanging", set, |won| won > 0),
            SetToSet::Defended => self.exchanged("defended", set, |won| won == 0),
        }
    }

    /// Returns the squares of a set on which the enemy can capture and `is_wanted` accepts the
    /// material that this wins.
    fn exchanged(
        &mut self,
        word: &'static str,
        set: SquareSet,
        is_wanted: impl Fn(i32) -> bool,
    ) -> SquareSet {
        let men = self.exchangeable(word, set);
        let here = self.here();
        men.into_iter().filter(|&on| here.exchange(on).is_some_and(&is_wanted)).collect()
    }

    /// Charges the steps and returns the squares on which captures are evaluated; none in a variant
    /// whose captures follow other rules.
    fn exchangeable(&mut self, word: &'static str, set: SquareSet) -> SquareSet {
        let men = set & self.here().board.occupied();
        self.charge(2 * u64::from(men.len()));
        if men.is_empty() || self.moves_are_of_chess(word) { men } else { SquareSet::EMPTY }
    }

    pub(super) fn set_of_sets(&mut self, word: SetsToSet, left: SetId, right: SetId) -> SquareSet {
        let left = self.set(left);
        let right = self.set(right);
        match word {
            SetsToSet::Between => {
                self.charge(u64::from(left.len() * right.len()) / 4);
                let mut result = SquareSet::EMPTY;
                for a in left {
                    for b in right {
                        result |= board::between(a, b);
                    }
                }
                result
            }
        }
    }

    #[inline]
    pub(super) fn number_source(&mut self, source: NumberSource) -> Option<i32> {
        match source {
            NumberSource::Ply => Some(self.positions.ply(self.at) as i32),
            NumberSource::MoveNumber => Some(self.positions.move_number(self.at)),
            NumberSource::Depth => Some(self.positions.depth(self.at) as i32),
            NumberSource::Try => self.way_here().is_try().then_some(1),
            NumberSource::PositionId => Some(self.positions.played(self.at) as i32),
            NumberSource::SideToMove => Some(match self.here().turn {
                Color::White => 1,
                Color::Black => -1,
            }),
            NumberSource::Clock => self.in_comment(command::clock),
            NumberSource::Elapsed => self.in_comment(command::elapsed),
            NumberSource::Eval => match self.in_comment(command::evaluation)? {
                Evaluation::Centipawns(value) => Some(value),
                Evaluation::Mate(_) => None,
            },
            NumberSource::EvalMate => match self.in_comment(command::evaluation)? {
                Evaluation::Mate(moves) => Some(moves),
                Evaluation::Centipawns(_) => None,
            },
            NumberSource::Nag => {
                let node = self.positions.node(self.at)?;
                self.record.nags(node).first().map(|&nag| i32::from(nag))
            }
            // Lowered to `NumFilter::Tablebase`, which knows where the word is.
            NumberSource::Tablebase | NumberSource::Dtz => None,
            NumberSource::HalfmoveClock => Some(i32::from(self.here().halfmove_clock)),
            NumberSource::Repetition => Some(self.repetition()),
            NumberSource::Year => self.record.year(),
            NumberSource::GameNumber => i32::try_from(self.record.number).ok(),
            NumberSource::LastGameNumber => Some(self.state.last_game_number),
        }
    }

    /// Returns the value of a command in the comments of the file, from the last comment that has
    /// it.
    #[cold]
    fn in_comment<T>(&mut self, read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let node = self.positions.node(self.at)?;
        let record = self.record;
        record.comments_backward(node).find_map(|comment| {
            self.count_text(8 * comment.len());
            read(&comment)
        })
    }

    /// Returns the squares on which the comments of the file draw.
    #[cold]
    pub(super) fn drawn(&mut self, word: Drawn) -> SquareSet {
        let Some(node) = self.positions.node(self.at) else {
            return SquareSet::EMPTY;
        };
        let record = self.record;
        let squares = record.comments_backward(node).map(|comment| {
            self.count_text(8 * comment.len());
            match word {
                Drawn::ColoredSquares => command::colored_squares(&comment),
                Drawn::ArrowsFrom => command::arrows(&comment).0,
                Drawn::ArrowsTo => command::arrows(&comment).1,
            }
        });
        squares.fold(SquareSet::EMPTY, |all, squares| all | squares)
    }

    #[inline]
    pub(super) fn number_of_set(&mut self, word: SetToNumber, set: SetId) -> Option<i32> {
        let set = self.set(set);
        match word {
            SetToNumber::Power => {
                let board = &self.here().board;
                let count = |role| (board.role(role) & set).len() as i32;
                Some(
                    9 * count(Role::Queen)
                        + 5 * count(Role::Rook)
                        + 3 * (count(Role::Bishop) + count(Role::Knight))
                        + count(Role::Pawn),
                )
            }
            SetToNumber::Type => self.color_type(set).map(i32::abs),
            SetToNumber::ColorType => self.color_type(set),
            SetToNumber::File => Some(i32::from(set.single()?.file()) + 1),
            SetToNumber::Rank => Some(i32::from(set.single()?.rank()) + 1),
            SetToNumber::PieceId => self.piece_id_on(set.single()?).map(i32::from),
            SetToNumber::See => {
                let men = self.exchangeable("see", set);
                let here = self.here();
                Some(men.into_iter().filter_map(|on| here.exchange(on)).max().unwrap_or(0))
            }
        }
    }

    fn color_type(&self, set: SquareSet) -> Option<i32> {
        let square = set.single()?;
        Some(match self.here().board.piece_at(square) {
            None => 0,
            Some(piece) => {
                let number = piece.role as i32 + 1;
                match piece.color {
                    Color::White => number,
                    Color::Black => -number,
                }
            }
        })
    }

    pub(super) fn number_of_number(&mut self, word: NumberToNumber, operand: NumId) -> Option<i32> {
        let operand = self.number(operand)?;
        match word {
            NumberToNumber::Abs => Some(operand.wrapping_abs()),
            NumberToNumber::Sqrt => (operand >= 0).then(|| operand.isqrt()),
        }
    }

    pub(super) fn number_of_text(&mut self, word: TextToNumber, text: TextId) -> Option<i32> {
        let text = self.text(text)?;
        // the number is read digit by digit
        self.count_text(4 * text.len());
        match word {
            TextToNumber::Int => parse_int(&text),
        }
    }

    pub(super) fn number_of_texts(
        &mut self,
        word: TextsToNumber,
        left: TextId,
        right: TextId,
    ) -> Option<i32> {
        let left = self.text(left)?;
        let right = self.text(right)?;
        self.count_search(&right, &left);
        match word {
            TextsToNumber::IndexOf => memchr::memmem::find(&right, &left).map(|i| i as i32),
        }
    }

    pub(super) fn number_of_positions(
        &mut self,
        word: PositionsToNumber,
        p: PosId,
        q: PosId,
    ) -> Option<i32> {
        let p = self.position(p)?;
        let q = self.position(q)?;
        match word {
            PositionsToNumber::Distance => {
                let ancestor = self.common_ancestor(p, q);
                let ply = |id| self.positions.ply(id) as i32;
                Some(ply(p) + ply(q) - 2 * ply(ancestor))
            }
        }
    }

    /// Returns the last position on the way to both positions.
    fn common_ancestor(&mut self, p: u32, q: u32) -> u32 {
        let ancestor = self.positions.lca(p, q);
        let ply = |id| u64::from(self.positions.ply(id));
        self.charge(ply(p.min(q)).saturating_sub(ply(ancestor)));
        ancestor
    }

    pub(super) fn text_of_text(&mut self, word: TextToText, text: TextId) -> Option<Vec<u8>> {
        self.text(text).map(|text| word.of(pgn::decode(&text).as_bytes()))
    }

    pub(super) fn text_of_set(&mut self, word: SetToText, set: SetId) -> Option<Vec<u8>> {
        let square = self.set(set).single()?;
        let piece = self.here().board.piece_at(square);
        let letter = match (word, piece) {
            (SetToText::TypeName | SetToText::PieceName, None) => b'_',
            (SetToText::PieceName, Some(piece)) => piece.letter(),
            (SetToText::TypeName, Some(Piece { role, .. })) => {
                Piece { color: Color::White, role }.letter()
            }
        };
        Some(vec![letter])
    }

    pub(super) fn position_source(&mut self, source: PositionSource) -> Option<u32> {
        match source {
            PositionSource::SavePosition => {
                let is_kept = self.positions.save(self.at);
                if !is_kept {
                    self.exceed(Limit::Saved);
                }
                is_kept.then_some(self.at)
            }
            PositionSource::CurrentPosition => Some(self.at),
            PositionSource::InitialPosition => Some(0),
            PositionSource::Parent => self.positions.parent(self.at),
        }
    }

    pub(super) fn position_of_number(
        &mut self,
        word: NumberToPosition,
        number: NumId,
    ) -> Option<u32> {
        let number = self.number(number)?;
        match word {
            NumberToPosition::PositionById => {
                let id = u32::try_from(number).ok()?;
                (id < self.positions.len()).then_some(id)
            }
        }
    }

    pub(super) fn position_of_positions(
        &mut self,
        word: PositionsToPosition,
        p: PosId,
        q: PosId,
    ) -> Option<u32> {
        let p = self.position(p)?;
        let q = self.position(q)?;
        match word {
            PositionsToPosition::Lca => Some(self.common_ancestor(p, q)),
        }
    }
}

/// Parses an optional minus sign followed only by decimal digits; wraps at 32 bits.
fn parse_int(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0i32, |value, digit| value.wrapping_mul(10).wrapping_add(i32::from(digit - b'0')));
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::parse_int;

    #[test]
    fn int_takes_only_a_minus_sign_and_digits() {
        for (text, want) in [
            ("42", Some(42)),
            ("-7", Some(-7)),
            ("007", Some(7)),
            ("4294967297", Some(1)),
            ("+1", None),
            (" 1", None),
            ("", None),
            ("-", None),
            ("1a", None),
        ] {
            assert_eq!(parse_int(text.as_bytes()), want, "{text}");
        }
    }
}
