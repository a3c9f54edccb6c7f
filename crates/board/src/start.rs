//! The start of a game of any rules.

use crate::castling::CastlingRights;
use crate::fen::{FenError, check_pieces, parse_fen, parse_without_castling};
use crate::position::Position;
use crate::rules::{Extra, Rules, Situation};
use crate::setup::CastlingSetup;

/// Start of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The first position.
    pub position: Position,
    /// Squares from which castling starts, in Chess960 and in variants that start like it; the
    /// position then has no rights of its own.
    pub setup: Option<CastlingSetup>,
    /// Rules of the game.
    pub rules: Rules,
    /// State that the variant needs besides.
    pub extra: Extra,
}

impl Start {
    /// The normal start, of a game of Chess960 or of a normal one.
    #[must_use]
    pub fn normal(is_chess960: bool) -> Start {
        let mut start = Start::of(Situation::start(Rules::Chess));
        if is_chess960 {
            start.position.castling = CastlingRights::NONE;
            start.setup = Some(CastlingSetup::NORMAL);
        }
        start
    }

    /// The start of a game of any rules.
    #[must_use]
    pub fn of(situation: Situation) -> Start {
        Start {
            position: situation.position,
            setup: situation.setup,
            rules: situation.rules,
            extra: situation.extra,
        }
    }

    fn of_chess(position: Position, setup: Option<CastlingSetup>) -> Start {
        Start { position, setup, rules: Rules::Chess, extra: Extra::START }
    }

    /// Reads the FEN tag of a game as [`parse_fen`] does, with the castling of Chess960 if
    /// `is_chess960` is set or if the castling field has files.
    pub fn parse(text: &[u8], is_chess960: bool) -> Result<Start, FenError> {
        let (mut position, field) = parse_without_castling(text)?;
        let letters = field.unwrap_or_default();
        let has_files = letters.iter().any(|b| matches!(b | 32, b'a'..=b'h'));
        if is_chess960 || has_files {
            check_pieces(&position)?;
            let setup = CastlingSetup::read(&position.board, field)?;
            position.castling = CastlingRights::NONE;
            return Ok(Start::of_chess(position, Some(setup)));
        }
        let position = parse_fen(text)?;
        // Letters `KQkq` for other squares may mean Chess960, or the FEN may be careless.
        let setup = CastlingSetup::read(&position.board, field)?.undeclared();
        let means_more = setup.rights() == position.castling && !setup.is_normal();
        Ok(Start::of_chess(position, means_more.then_some(setup)))
    }

    /// The FEN of the position.
    #[must_use]
    pub fn fen(&self) -> String {
        match self.rules {
            Rules::Chess => match self.setup.filter(CastlingSetup::is_declared) {
                None => self.position.fen(),
                Some(setup) => {
                    let field = setup.fen_field(&self.position.board, setup.rights());
                    self.position.fen_with_castling(&field)
                }
            },
            rules => {
                Situation { rules, position: self.position, setup: self.setup, extra: self.extra }
                    .fen()
            }
        }
    }
}
