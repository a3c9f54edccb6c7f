//! Warns of squares used as conditions, and of pawns on the first and last rank.

use super::Linter;
use super::place::Place;
use crate::diagnostic::Diagnostic;
use crate::tree::{Filter, FilterKind};

/// Squares of ranks 1 and 8.
const OUTER_RANKS: u64 = 0xff00_0000_0000_00ff;

/// The piece types `P` and `p`.
const PAWNS: u16 = 0x41;

impl Linter<'_> {
    /// Warns of `e4` and `.` as conditions: they are never empty, so they always match. A query
    /// that consists of `.` alone is intended.
    pub(super) fn square_as_condition(&mut self, filter: &Filter, place: Place) {
        let (message, help) = match &filter.kind {
            FilterKind::Designator(designator) if place.asked && !designator.has_pieces => {
                let square = self.text(filter.span);
                let message = format!(
                    "`{square}` is a set of squares, whatever stands there, so it always matches"
                );
                let help = format!(
                    "`[Aa]{square}` asks for a piece there, `P{square}` for a white pawn, \
                     `--{square}` for a move there"
                );
                (message, help)
            }
            FilterKind::AllSquares if place.asked && place.beside => (
                "`.` is the set of all squares, so it always matches".to_owned(),
                "leave it out; the white pieces are `A`, the black ones `a`".to_owned(),
            ),
            _ => return,
        };
        let warning = Diagnostic::warning("W0405", filter.span, message);
        self.warnings.push(warning.with_help(help));
    }

    /// Warns of `Pe8`.
    pub(super) fn pawns_that_cannot_be(&mut self, filter: &Filter, place: Place) {
        let FilterKind::Designator(designator) = &filter.kind else {
            return;
        };
        let pieces = designator.pieces.0;
        let is_outside = designator.squares & !OUTER_RANKS == 0;
        if pieces == 0 || pieces & !PAWNS != 0 || !is_outside || place.turned {
            return;
        }
        let message = "no pawn ever stands on the first or last rank, so this set is empty";
        let help =
            "a promotion is a move such as `P--e8=Q`; the pawn stands on rank 7 or 2 before it";
        let warning = Diagnostic::warning("W0407", filter.span, message);
        self.warnings.push(warning.with_help(help));
    }
}
