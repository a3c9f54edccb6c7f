//! Evaluates `imagine` and the filters that describe a position as text.

use board::{CastlingRights, Color, Move, Position, Rules, Square, SquareSet, san};
use openings::Opening;
use syntax::builtin::PositionText;

use super::evaluator::{Evaluator, Valued};
use crate::positions::Origin;
use compiler::program::*;

/// Number of steps that the opening of a game costs.
const STEPS_OF_OPENING: u64 = 200;

impl Evaluator<'_> {
    /// Evaluates a filter in the position with the changes made. Returns `None` if a limit is
    /// exceeded.
    pub(super) fn imagining<R>(
        &mut self,
        imagine: &Imagine,
        body: impl FnOnce(&mut Evaluator<'_>) -> R,
    ) -> Option<R> {
        let (position, changed, has_rights) = self.changed(imagine);
        let id = if self.step() { self.next_imagined() } else { None };
        let result = id.map(|id| {
            let origin = Origin::Changes(changed);
            let place = (id, self.at);
            let imagined = (self.positions).imagine_from(place, position, origin, has_rights);
            self.seeing(&imagined, id, (SquareSet::ALL, SquareSet::ALL), body)
        });
        self.limit_at(|| imagine.span);
        result
    }

    /// Evaluates `imagine … : V`.
    pub(super) fn imagined_value<V: Valued>(
        &mut self,
        imagine: &Imagine,
        value: V,
    ) -> Option<V::Output> {
        let mark = self.mark();
        let result = self.imagining(imagine, |e| {
            let here = e.at;
            let value = value.evaluate(e)?;
            match V::as_position(&value) {
                Some(id) if id >= here && !e.positions.is_saved(id) => None,
                _ => Some(value),
            }
        });
        if !matches!(result, Some(Some(_))) {
            self.drop_comments(mark);
        }
        result.flatten()
    }

    /// Returns the position with the changes made in order, the squares that were touched, and
    /// whether the changes include the castling rights. Filters in the changes are evaluated at the
    /// current position.
    fn changed(&mut self, imagine: &Imagine) -> (Position, SquareSet, bool) {
        let mut position = *self.here();
        let mut touched = SquareSet::EMPTY;
        let mut rights = None;
        let mut is_declared = false;
        for change in &imagine.changes {
            match *change {
                Change::Place(man, squares) => {
                    let squares = self.set(squares);
                    squares.into_iter().for_each(|sq| position.board.put(sq, man));
                    touched |= squares;
                }
                Change::Remove(squares) => {
                    let squares = self.set(squares) & position.board.occupied();
                    position.board.clear(squares);
                    touched |= squares;
                }
                Change::Turn(color) => {
                    let color = color.unwrap_or(!position.turn);
                    if color != position.turn {
                        position.turn = color;
                        // The pawn that could be captured belongs to the side that moves now.
                        position.en_passant = None;
                    }
                }
                Change::Castling(declared) => rights = Some(declared),
                Change::EnPassant(squares) => {
                    position.en_passant = self.set(squares).single();
                    is_declared = true;
                }
            }
        }
        // An en passant capture ends if the pawn is gone or a piece is in its way.
        if !is_declared && !position.en_passant.is_some_and(|to| position.may_have_passed(to)) {
            position.en_passant = None;
        }
        position.castling = match (rights, self.positions.castling_setup()) {
            (Some(declared), Some(setup)) => setup.left(declared, &position.board).rights(),
            (None, Some(_)) => position.castling,
            (Some(declared), None) => declared,
            (None, None) => kept_rights(position.castling, touched),
        };
        if self.positions.castling_setup().is_none() {
            position.castling = position.castling_at_home();
        }
        (position, touched, rights.is_some())
    }

    pub(super) fn position_as_text(&mut self, word: PositionText) -> Option<Vec<u8>> {
        let text = match word {
            PositionText::StandardFen => self.standard_fen(),
            PositionText::ZobristKey => format!("{:016x}", self.positions.situation(self.at).key()),
            PositionText::Variant => self.variant(),
            PositionText::Opening => self.opening()?.name().to_owned(),
            PositionText::OpeningCode => self.opening()?.eco().to_owned(),
            PositionText::CurrentMutation => self.mutation(self.at)?,
        };
        Some(text.into_bytes())
    }

    /// Returns the opening of the game.
    fn opening(&mut self) -> Option<&Opening> {
        if self.state.opening.is_none() {
            let openings = &self.program.settings.openings;
            self.charge(STEPS_OF_OPENING);
            let opening = self.record.tree.and_then(|tree| openings.of_game(tree)).cloned();
            self.state.opening = Some(opening);
        }
        self.state.opening.as_ref()?.as_ref()
    }

    /// Returns the position with the castling rights that remain; those of Chess960 refer to the
    /// sides.
    pub(super) fn with_rights(&self) -> Position {
        Position { castling: self.positions.situation(self.at).rights(), ..*self.here() }
    }

    /// Returns the six fields of a FEN, with an en passant square only if the capture is legal.
    pub(super) fn standard_fen(&self) -> String {
        let position = self.with_rights();
        let position = Position {
            en_passant: match self.positions.rules() {
                Rules::Chess => position.en_passant_capture(),
                _ => self.en_passant_of_variant(),
            },
            ..position
        };
        match self.positions.castling_setup() {
            None => position.fen(),
            Some(setup) => {
                position.fen_with_castling(&setup.fen_field(&position.board, position.castling))
            }
        }
    }

    /// Returns the move in SAN.
    fn san(&self, before: u32, mv: Move) -> String {
        match self.positions.rules() {
            Rules::Chess => san(self.positions.position(before), mv).to_string(),
            _ => self.positions.situation(before).san(mv).to_string(),
        }
    }

    /// Describes the changes that lead from the game to an imagined position.
    fn mutation(&self, id: u32) -> Option<String> {
        let (origin, parent) = self.positions.origin(id)?;
        let (here, before) = (self.positions.position(id), self.positions.position(parent));
        let last = match origin {
            Origin::Move(mv) => self.san(parent, mv),
            Origin::Reverse(mv) => format!("reverse {}", self.san(id, mv)),
            Origin::Changes(squares) => changes(before, here, squares),
        };
        Some(match self.mutation(parent) {
            Some(first) => format!("{first}; {last}"),
            None => last,
        })
    }
}

/// Returns the rights whose king and rook were not touched.
fn kept_rights(rights: CastlingRights, touched: SquareSet) -> CastlingRights {
    let mut kept = rights;
    for color in [Color::White, Color::Black] {
        for (king_side, file) in [(true, 7), (false, 0)] {
            let at = |file| Square::from_coords(file, color.home_rank());
            if touched.contains(at(4)) || touched.contains(at(file)) {
                kept.remove(color, king_side);
            }
        }
    }
    kept
}

/// Describes the changes from one position to another in the syntax of `imagine`.
fn changes(before: &Position, here: &Position, squares: SquareSet) -> String {
    let mut parts: Vec<String> = squares
        .into_iter()
        .map(|sq| match here.board.piece_at(sq) {
            Some(man) => format!("place {} on {sq}", char::from(man.letter())),
            None => format!("remove {sq}"),
        })
        .collect();
    if before.turn != here.turn {
        let color = match here.turn {
            Color::White => "white",
            Color::Black => "black",
        };
        parts.push(format!("sidetomove {color}"));
    }
    if before.castling != here.castling {
        parts.push(format!("castling \"{}\"", here.castling));
    }
    if let Some(sq) = here.en_passant.filter(|_| before.en_passant != here.en_passant) {
        parts.push(format!("enpassant {sq}"));
    }
    parts.join(", ")
}
