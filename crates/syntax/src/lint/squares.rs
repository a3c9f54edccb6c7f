//! Warns of squares used as conditions, of pawns on the first and last rank, and of material that
//! no game has.

use super::Linter;
use super::place::FilterContext;
use crate::builtin::Keyword;
use crate::designator::PieceSet;
use crate::diagnostic::Diagnostic;
use crate::migrate::write;
use crate::parse::empty_help;
use crate::span::Span;
use crate::tree::{Filter, FilterKind, Relation};

/// Squares of ranks 1 and 8.
const OUTER_RANKS: u64 = 0xff00_0000_0000_00ff;

/// Pieces that a side has at the start besides its king, and the number of each.
const AT_START: [(char, usize); 4] = [('Q', 1), ('R', 2), ('B', 2), ('N', 2)];

/// The least number of empty squares: a board has 32 pieces at most.
const FEWEST_EMPTY: u32 = 32;

/// Returns the side of a text such as `KRPKR` that needs more than eight pawns for its pieces, and
/// how many.
fn surplus(text: &str) -> Option<(&str, usize)> {
    let second = text.find([':', 'v']).or_else(|| text.rfind('K')).filter(|at| *at > 0)?;
    let (one, other) = text.split_at(second);
    let n_pawns = |men: &str| {
        let promoted = AT_START.map(|(man, n)| men.matches(man).count().saturating_sub(n));
        men.matches('P').count() + promoted.iter().sum::<usize>()
    };
    let sides = [one, other.trim_start_matches([':', 'v'])];
    sides.into_iter().map(|men| (men, n_pawns(men))).find(|(_, n)| *n > 8)
}

impl Linter<'_> {
    /// Warns of `e4` and `.` as conditions: they are never empty, so they always match. A query
    /// that consists of `.` alone is intended.
    pub(super) fn square_as_condition(&mut self, filter: &Filter, place: FilterContext) {
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
            FilterKind::Union(left, right) if place.asked && has_square(filter) => {
                let message =
                    "a square is in this set, whatever stands there, so it always matches";
                (message.to_owned(), self.union_of_squares(left, right))
            }
            FilterKind::AllSquares if place.asked && place.beside => (
                "`.` is the set of all squares, so it always matches".to_owned(),
                "leave it out; the white pieces are `A`, the black ones `a`".to_owned(),
            ),
            _ => return,
        };
        // The row of the filter may have said more: `R h7`.
        let is_it = |warning: &Diagnostic| warning.code == "W0405" && warning.span == filter.span;
        if self.warnings.iter().any(is_it) {
            return;
        }
        let warning = Diagnostic::warning("W0405", filter.span, message);
        self.warnings.push(warning.with_help(help));
    }

    /// Warns of a FEN with a side to move, which `fen` does not compare, in a query that does not ask
    /// for a side otherwise.
    pub(super) fn side_of_a_fen(&mut self, filter: &Filter) {
        let is_wrong = |warning: &Diagnostic| warning.span == filter.span;
        if !matches!(filter.kind, FilterKind::FenPattern(_)) || self.warnings.iter().any(is_wrong) {
            return;
        }
        let text = self.text(filter.span);
        let side = match text.split('"').nth(1).and_then(|fen| fen.split_whitespace().nth(1)) {
            Some("w") => "wtm",
            Some("b") => "btm",
            _ => return,
        };
        let asks_for = |word: &str| {
            let has = |text: &&[u8]| text.windows(word.len()).any(|at| at == word.as_bytes());
            self.texts.iter().any(has)
        };
        if ["wtm", "btm", "sidetomove"].into_iter().any(asks_for) {
            return;
        }
        let before = self.text(Span { start: 0, end: filter.span.start, ..filter.span });
        let is_operand = before.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric());
        let text = format!("{side} {text}");
        let text = if is_operand { format!("{{{text}}}") } else { text };
        let message =
            "`fen` compares the board alone, and neither the side to move nor what follows";
        let name = if side == "wtm" { "White" } else { "Black" };
        let warning = Diagnostic::warning("W0434", filter.span, message)
            .with_help(format!("`{side}` asks for {name} to move"))
            .with_edit(filter.span, text);
        self.warnings.push(warning);
    }

    /// Warns of `d4 == _`, which compares d4 with all empty squares.
    pub(super) fn squares_compared_with_empty(&mut self, filter: &Filter) {
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return;
        };
        let is_other = match op {
            Relation::Equal => false,
            Relation::NotEqual => true,
            _ => return,
        };
        for (squares, empty) in [(left, right), (right, left)] {
            let (FilterKind::Designator(set), FilterKind::Designator(other)) =
                (&squares.kind, &empty.kind)
            else {
                continue;
            };
            let are_few = !set.has_pieces && set.squares.count_ones() < FEWEST_EMPTY;
            if !are_few || other.has_squares || other.pieces != PieceSet::EMPTY_SQUARE {
                continue;
            }
            let (ends, code) =
                if is_other { ("always differ", "W0403") } else { ("never are these", "W0301") };
            let (help, text) = empty_help(self.text(squares.span), set.squares, is_other);
            let message = format!("`_` are all empty squares, which {ends}");
            let warning = Diagnostic::warning(code, filter.span, message).with_help(help);
            self.warnings.push(warning.with_edit(filter.span, text));
            return;
        }
    }

    /// Returns the help for `Kg1 | h1`.
    fn union_of_squares(&self, left: &Filter, right: &Filter) -> String {
        let text = match (&left.kind, &right.kind) {
            (FilterKind::Designator(first), FilterKind::Designator(second))
                if first.has_pieces && first.has_squares && !second.has_pieces =>
            {
                write::designator(first.pieces, first.squares | second.squares)
            }
            _ => None,
        };
        match text {
            Some(text) => format!("the pieces belong to each square: `{text}`"),
            None => "each square has the pieces that are to stand there: `K[g1,h1]`".to_owned(),
        }
    }

    /// Warns of `material "KPPPPPPPPPKR"`.
    pub(super) fn men_that_cannot_be(&mut self, filter: &Filter) {
        let FilterKind::Classed { .. } = filter.kind else {
            return;
        };
        let text = self.text(filter.span);
        let men =
            text.strip_prefix(Keyword::Material.text()).map(|rest| rest.trim_matches([' ', '"']));
        let Some((side, n)) = men.and_then(surplus) else {
            return;
        };
        let message = format!(
            "no game of chess has the pieces `{side}` on a side: they are {n} pawns, counting those that \
             were promoted, and a side has 8"
        );
        let help = "games of variants such as Crazyhouse can have them, and games from a FEN";
        let warning = Diagnostic::warning("W0430", filter.span, message);
        self.warnings.push(warning.with_help(help));
    }

    /// Warns of `fen "8/8/8/8/8/8/PPPP4/8"`: a digit is empty squares, also where the kings stand.
    pub(super) fn board_without_a_king(&mut self, filter: &Filter) {
        let FilterKind::FenPattern(board) = &filter.kind else {
            return;
        };
        let may_have = |king| board.iter().any(|square| square.contains(king));
        let missing = match (may_have(PieceSet::WHITE_KING), may_have(PieceSet::BLACK_KING)) {
            (true, true) => return,
            (false, false) => "any king",
            (true, false) => "the black king",
            (false, true) => "the white king",
        };
        let text = self.text(filter.span);
        let Some(start) = text.find('"').map(|quote| quote + 1) else {
            return;
        };
        let n_letters = text[start..].find([' ', '"']).unwrap_or_default();
        let ranks = &text[start..start + n_letters];
        let dots = |letter: char| match letter.to_digit(10) {
            Some(n) => ".".repeat(n as usize),
            None => letter.to_string(),
        };
        let mended: String = ranks.chars().map(dots).collect();
        let message = format!("this board has no place for {missing}, so no game has it");
        let warning = Diagnostic::warning("W0402", filter.span, message);
        self.warnings.push(if mended == ranks {
            warning.with_help("`.` is any content of a square: write it where the king may be")
        } else {
            let place = Span { start: filter.span.start + start as u32, ..filter.span };
            let place = Span { end: place.start + n_letters as u32, ..place };
            warning
                .with_help("a digit is empty squares; `.` is any content of a square")
                .with_edit(place, mended)
        });
    }

    /// Warns of `Pe8`.
    pub(super) fn pawns_that_cannot_be(&mut self, filter: &Filter, place: FilterContext) {
        let FilterKind::Designator(designator) = &filter.kind else {
            return;
        };
        let pieces = designator.pieces;
        let is_outside = designator.squares & !OUTER_RANKS == 0;
        if pieces == PieceSet::NONE
            || !PieceSet::PAWNS.contains(pieces)
            || !is_outside
            || place.turned
        {
            return;
        }
        let message =
            "in games of chess, no pawn stands on the first or last rank, so this set is empty";
        let help =
            "a promotion is a move such as `P--e8=Q`; the pawn stands on rank 7 or 2 before it";
        let warning = Diagnostic::warning("W0407", filter.span, message);
        self.warnings.push(warning.with_help(help));
    }
}

/// Whether a union has a bare square as a member.
fn has_square(filter: &Filter) -> bool {
    match &filter.kind {
        FilterKind::Union(left, right) => has_square(left) || has_square(right),
        FilterKind::Designator(designator) => !designator.has_pieces,
        _ => false,
    }
}
