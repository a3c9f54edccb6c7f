//! Warns of moves in the notation of books.

use std::borrow::Cow;

use super::Linter;
use super::place::Enclosure;
use crate::builtin::Keyword;
use crate::designator::{Designator, PieceSet};
use crate::diagnostic::Diagnostic;
use crate::explain;
use crate::parse::way;
use crate::san::{San, Side, is_step};
use crate::span::{SourceId, Span};
use crate::token::{Token, TokenKind};
use crate::tree::{Constituent, Countable, Dash, Filter, FilterKind, Promotion, Query, Repeat};
use crate::turns::{Turns, turns, with_gaps};

/// The spellings of a dash.
const DASHES: [&str; 2] = ["--", "――"];

impl Linter<'_> {
    /// Warns of `--Nf3`, which captures a knight on f3.
    pub(super) fn piece_behind_a_move(&mut self, filter: &Filter) {
        match &filter.kind {
            FilterKind::Dash(dash)
            | FilterKind::CurrentMove(dash)
            | FilterKind::CountMoves(Countable::Played(dash) | Countable::PlayedFromParent(dash)) =>
            {
                self.dash(dash, filter.span);
            }
            FilterKind::Tried(tried) | FilterKind::CountMoves(Countable::Tried(tried)) => {
                self.dash(&tried.dash, filter.span);
            }
            FilterKind::Legal(dash) | FilterKind::CountMoves(Countable::Legal(dash))
                if dash.left.is_none() =>
            {
                self.destination(dash.right.as_deref());
            }
            FilterKind::Path(path) => self.constituents(&path.constituents, filter.span),
            _ => {}
        }
    }

    /// Warns of `path N--f3 N--g5`, whose second move would be Black's.
    pub(super) fn moves_of_one_side(&mut self, filter: &Filter) {
        if let FilterKind::Path(path) = &filter.kind
            && !path.flags.single_color
            && path.focus.is_none()
        {
            self.in_turn(&path.constituents);
        }
    }

    fn in_turn(&mut self, items: &[Constituent]) {
        let side = |dash: &Dash| match &dash.left.as_deref()?.kind {
            FilterKind::Designator(set) if PieceSet::WHITE.contains(set.pieces) => Some(true),
            FilterKind::Designator(set) if PieceSet::BLACK.contains(set.pieces) => Some(false),
            _ => None,
        };
        let mut before: Option<bool> = None;
        for item in items {
            match item {
                Constituent::Filter(_) => {}
                Constituent::Group { members, .. } => {
                    self.in_turn(members);
                    before = None;
                }
                Constituent::Dash { dash, repeat, .. } => {
                    let mover = side(dash);
                    if let (Some(white), Some(left)) = (mover, &dash.left)
                        && before == mover
                        && !repeat.is_some_and(Repeat::allows_none)
                    {
                        let text = self.text(left.span);
                        let (own, other) =
                            if white { ("White", "Black") } else { ("Black", "White") };
                        let message = format!("two moves of {own} do not follow each other");
                        let mended = format!("-- {text}");
                        let help = format!("`--` between them is {other}'s move: `-- {text}--…`");
                        let warning = Diagnostic::warning("W0402", left.span, message)
                            .with_help(help)
                            .with_edit(left.span, mended);
                        self.warnings.push(warning);
                    }
                    before = mover.filter(|_| repeat.is_none());
                }
            }
        }
    }

    fn constituents(&mut self, items: &[Constituent], whole: Span) {
        for item in items {
            match item {
                Constituent::Dash { dash, .. } => self.dash(dash, whole),
                Constituent::Group { members, .. } => self.constituents(members, whole),
                Constituent::Filter(_) => {}
            }
        }
    }

    fn dash(&mut self, dash: &Dash, whole: Span) {
        self.promotion(dash, whole);
        self.capture_of_own(dash, whole);
        if dash.left.is_none() && !dash.capture {
            self.destination(dash.right.as_deref());
        }
    }

    /// Warns of the value `to` with a query such as `P--=Q`, which matches before the move.
    /// `tokens` are those of all texts, of which the last ones are values.
    pub(super) fn squares_of_the_move_before(
        &mut self,
        tokens: &[Cow<'_, [Token]>],
        n_texts: usize,
        query: &Query,
    ) {
        let (own, values) = tokens.split_at(n_texts.min(tokens.len()));
        // An author who knows these words asks for the move before on purpose.
        let knows = |token: &Token| {
            matches!(token.kind, TokenKind::Keyword(Keyword::Currentmove | Keyword::Previous))
        };
        if own.iter().any(|tokens| tokens.iter().any(knows)) {
            return;
        }
        let word = values.iter().find_map(|tokens| match &tokens[..] {
            [Token { kind: TokenKind::Keyword(word @ (Keyword::From | Keyword::To)), .. }] => {
                Some(word.text())
            }
            _ => None,
        });
        // A query of `.` alone has no filters but those of options.
        let is_of_query = |filter: &Filter| filter.span.source == SourceId(0);
        let has_own =
            query.filters.iter().any(|one| is_of_query(one) && self.text(one.span) != ".");
        let mut own = query.filters.iter().filter(|one| is_of_query(one) == has_own);
        let (Some(word), Some(last)) = (word, own.next_back()) else {
            return;
        };
        let FilterKind::Dash(dash) = &last.kind else {
            return;
        };
        let message =
            format!("`{word}` is a square of the move before the match, and this is the next one");
        let warning = Diagnostic::warning("W0432", last.span, message);
        self.warnings.push(if dash.target.is_empty() && own.next().is_none() {
            let text = format!("currentmove {}", self.text(last.span));
            warning.with_help(format!("`{text}` matches after the move")).with_edit(last.span, text)
        } else {
            warning.with_help("`currentmove P--=Q` matches after a move")
        });
    }

    /// Warns of `Q[x]Q`, in which a side takes its own piece. `whole` is the span of the filter.
    fn capture_of_own(&mut self, dash: &Dash, whole: Span) {
        let pieces = |filter: &Option<Box<Filter>>| match &filter.as_deref()?.kind {
            FilterKind::Designator(set) if set.has_pieces => Some(set.pieces),
            _ => None,
        };
        let (Some(taking), Some(taken)) = (pieces(&dash.left), pieces(&dash.right)) else {
            return;
        };
        let is_one_side = [PieceSet::WHITE, PieceSet::BLACK]
            .iter()
            .any(|side| side.contains(taking) && side.contains(taken));
        if dash.capture && is_one_side {
            let message = "no side takes its own piece, so this never matches";
            let help = "capital letters are pieces of White, small ones those of Black: `Q[x]q`";
            self.warnings.push(Diagnostic::warning("W0402", whole, message).with_help(help));
        }
    }

    /// Warns of `--=K`, which is the move of no pawn. `whole` is the span of the filter.
    fn promotion(&mut self, dash: &Dash, whole: Span) {
        const PAWN_AND_KING: u8 = 0x21;
        if let Some(Promotion::Roles(roles)) = dash.promotion
            && roles & !PAWN_AND_KING == 0
        {
            let message = "no pawn becomes a king or remains a pawn, so this never matches";
            let help = "a pawn becomes a queen, rook, bishop or knight: `--=Q`, `--=[QRBN]`";
            self.warnings.push(Diagnostic::warning("W0402", whole, message).with_help(help));
        }
    }

    /// Checks the right operand of a dash without a left one.
    fn destination(&mut self, right: Option<&Filter>) {
        let Some(right) = right else {
            return;
        };
        let FilterKind::Designator(designator) = &right.kind else {
            return;
        };
        if !is_one_piece(designator) {
            return;
        }
        let text = self.text(right.span).to_owned();
        let Some((piece, square)) = text.split_at_checked(text.len().saturating_sub(2)) else {
            return;
        };
        let taken = explain::designator(*designator);
        let message = format!("this is a move that takes {taken}");
        let help = format!(
            "a move of that piece is `{piece}--{square}`; where something is taken, `[x]{text}` \
             says so"
        );
        let mut warning = Diagnostic::warning("W0406", right.span, message).with_help(help);
        let before = self.texts.get(usize::from(right.span.source.0));
        let before = before.and_then(|text| text.get(..right.span.start as usize));
        let ends = |sign: &&str| before.is_some_and(|text| text.ends_with(sign.as_bytes()));
        if let Some(sign) = DASHES.into_iter().find(ends) {
            let mut whole = right.span;
            whole.start -= sign.len() as u32;
            warning = warning.with_edit(whole, format!("{piece}{sign}{square}"));
        }
        self.warnings.push(warning);
    }

    /// Warns of `e4 e5 Nf3`, which requires a knight on f3, and of `Nd2 Nf1 Ng3`, three knights.
    pub(super) fn moves_of_a_book(&mut self, row: &[&Filter], kind: Enclosure) {
        let mut at = 0;
        while at < row.len() {
            let end = row[at..].iter().take_while(|filter| is_move(filter)).count() + at;
            let moves = &row[at..end];
            let n_squares = moves.iter().filter(|filter| is_square(filter)).count();
            let is_mixed = n_squares > 0 && n_squares < moves.len();
            if is_mixed || self.are_steps_of_a_piece(moves) {
                self.book(moves, kind, row.len());
            }
            at = end + 1;
        }
    }

    /// Warns of `...Nf6`, which is three times the set of all squares, and a knight on f6.
    pub(super) fn move_after_dots(&mut self, row: &[&Filter], kind: Enclosure) {
        for parts in row.windows(4) {
            let whole = parts[0].span.to(parts[3].span);
            let Some(word) = self.text(whole).strip_prefix("...") else {
                continue;
            };
            let Some(san) = San::read(word).filter(|_| is_move(parts[3])) else {
                continue;
            };
            let text = san.cql(Side::Black);
            let message = "these are the set of all squares three times, and a square, not a move";
            let warning = Diagnostic::warning("W0408", whole, message)
                .with_help(format!("a move by Black is written `{text}`"));
            self.warnings.push(match kind {
                Enclosure::Path => warning,
                _ => warning.with_edit(whole, text),
            });
        }
    }

    fn book(&mut self, moves: &[&Filter], kind: Enclosure, n_row: usize) {
        let (Some(first), Some(last)) = (moves.first(), moves.last()) else {
            return;
        };
        let span = first.span.to(last.span);
        let sans: Option<Vec<San>> =
            moves.iter().map(|filter| San::read(self.text(filter.span))).collect();
        let message = "these are squares and pieces on squares, not moves";
        let warning = Diagnostic::warning("W0408", span, message);
        let has_squares = moves.iter().any(|filter| is_square(filter));
        if has_squares && sans.is_none() {
            return;
        }
        let sides = sans.filter(|_| has_squares).map(|sans| (turns(&sans), sans));
        let Some((Turns::Clear(sides), sans)) = sides else {
            // as in `Nd2 Nf1 Ng3`, and `Nd2 f1 g3`: no pawn gets to f1
            self.warnings.push(match self.way_of_a_piece(moves) {
                Some(way) => {
                    let help = format!("a piece goes from square to square in a `path`: `{way}`");
                    let warning = warning.with_help(help);
                    if kind == Enclosure::Path { warning } else { warning.with_edit(span, way) }
                }
                None => warning.with_help(
                    "moves are written with `--`, those of both sides in turn: `path P--e4 p--e5`; \
                     `--` alone is any move",
                ),
            });
            return;
        };
        let texts = sides.iter().zip(&sans).map(|(side, san)| san.cql(*side));
        let texts = with_gaps(&sides, texts).join(" ");
        let text = match kind {
            Enclosure::Path => texts,
            _ if n_row > moves.len() => format!("{{path {texts}}}"),
            _ => format!("path {texts}"),
        };
        let help = "moves that follow each other are the parts of a `path`";
        self.warnings.push(warning.with_help(help).with_edit(span, text));
    }

    /// Whether filters are the same piece on one square after the other, each a move away from the one
    /// before, and more of these pieces than a side has at the start.
    fn are_steps_of_a_piece(&self, filters: &[&Filter]) -> bool {
        let piece = |filter: &Filter| match &filter.kind {
            FilterKind::Designator(set) if set.has_pieces => Some(set.pieces),
            _ => None,
        };
        let step = |pair: &[&Filter]| match [self.text(pair[0].span), self.text(pair[1].span)] {
            [from, to] if from.len() == 3 && to.len() == 3 => {
                let (from, to) = (from.as_bytes(), to.as_bytes());
                is_step(from[0], &from[1..], &to[1..])
            }
            _ => false,
        };
        let at_start = match filters.first().and_then(|first| piece(first)) {
            Some(PieceSet::WHITE_KING | PieceSet::BLACK_KING) => 1,
            _ => 2,
        };
        filters.len() > at_start
            && filters.windows(2).all(|pair| piece(pair[0]) == piece(pair[1]) && step(pair))
    }

    /// Returns the query for a piece that goes on to squares, which have its letter or none.
    fn way_of_a_piece(&self, moves: &[&Filter]) -> Option<String> {
        let (first, others) = moves.split_first()?;
        let first_text = self.text(first.span);
        let letter = first_text.get(..first_text.len().checked_sub(2)?)?;
        let has_squares = others.iter().any(|other| is_square(other));
        let squares = others.iter().map(|other| {
            let text = self.text(other.span);
            if has_squares {
                Some(text).filter(|_| is_square(other))
            } else {
                text.strip_prefix(letter)
            }
        });
        let squares: Vec<&str> = squares.collect::<Option<_>>().filter(|_| !is_square(first))?;
        let from = first_text.get(letter.len()..)?;
        let piece = letter.bytes().next()?;
        let mut steps = std::iter::once(from).chain(squares.iter().copied()).zip(&squares);
        steps
            .all(|(from, to)| is_step(piece, from.as_bytes(), to.as_bytes()))
            .then(|| way(first_text, squares))
    }
}

/// Whether a designator is a single piece on a single square.
fn is_one_piece(designator: &Designator) -> bool {
    designator.has_pieces
        && designator.has_squares
        && designator.pieces.0.count_ones() == 1
        && designator.squares.count_ones() == 1
}

/// Whether a filter looks like a move: `e4`, `Nf3`.
fn is_move(filter: &Filter) -> bool {
    match &filter.kind {
        FilterKind::Designator(designator) => is_square(filter) || is_one_piece(designator),
        _ => false,
    }
}

fn is_square(filter: &Filter) -> bool {
    match &filter.kind {
        FilterKind::Designator(designator) => {
            !designator.has_pieces && designator.squares.count_ones() == 1
        }
        _ => false,
    }
}
