//! Parses moves: `--`, `[x]`, `currentmove`, `legal`, `pseudolegal`, `countmoves`, and the older
//! `move`.

use super::error::{ErrorExtent, Failed, Res, code, type_name};
use super::mend::Mend;
use super::parser::Parser;
use super::propose::operators::{NO_SUCH_SQUARE, has_no_such_square};
use crate::builtin::{Keyword, Nullary, Predicate};
use crate::diagnostic::Diagnostic;
use crate::level;
use crate::san::{San, Side};
use crate::token::{Symbol, TokenKind};
use crate::tree::{
    Countable, Dash, Filter, FilterKind, LegalDash, LegalTarget, MoveFilter, MoveMode, MoveValue,
    Promotion, TriedDash, Type, Unplayed,
};

/// The moves after `legal` or `pseudolegal`.
enum Generated {
    Legal(LegalDash),
    Tried(TriedDash),
}

/// Returns the target of generated moves that a castling or en passant filter stands for.
fn legal_target(filter: &Filter) -> Option<LegalTarget> {
    let FilterKind::Nullary(Nullary::Predicate(predicate)) = filter.kind else {
        return None;
    };
    match predicate {
        Predicate::Castle => Some(LegalTarget::Castle),
        Predicate::ShortCastle => Some(LegalTarget::ShortCastle),
        Predicate::LongCastle => Some(LegalTarget::LongCastle),
        Predicate::EnPassant => Some(LegalTarget::EnPassant),
        _ => None,
    }
}

impl Parser<'_> {
    /// Parses a dash without a left operand.
    pub(super) fn bare_dash(&mut self) -> Res<Filter> {
        let start = self.pos;
        if !self.is_tied_left(start) {
            return self.dash(None, start);
        }
        let span = self.here();
        let text = self.text_of(span);
        let before = match self.last.filter(|last| last.end == start) {
            Some(last) => type_name(last.ty).to_owned(),
            None => format!("`{}`", self.text_at(start - 1)),
        };
        let message = format!("`{text}` touches {before} on its left, which is no set of squares");
        // as in `Nb1--d2--f1`
        if let Some((mend, end)) = start.checked_sub(3).and_then(|first| self.mend_of_way(first)) {
            self.report(mend.onto(Diagnostic::error(code::MOVE, span, message)));
            self.pos = end;
            self.fault = ErrorExtent::Operand;
            return Err(Failed);
        }
        self.fail_help(
            code::MOVE,
            span,
            message,
            format!("put a blank before `{text}`, or parentheses around what moves"),
        )
    }

    /// Parses the next dash, with its left operand, if any. The filter began at the token `start`.
    pub(super) fn dash(&mut self, left: Option<Filter>, start: usize) -> Res<Filter> {
        let sign = self.pos;
        let dash = self.dash_without_target(left)?;
        self.dash_with_target(dash, sign, start)
    }

    /// Parses the next dash up to its promotion.
    pub(super) fn dash_without_target(&mut self, left: Option<Filter>) -> Res<Dash> {
        let capture = self.symbol() == Some(Symbol::CaptureDash);
        self.pos += 1;
        let right = self.dash_right()?;
        let promotion = if self.symbol() == Some(Symbol::Assign) && !self.space_at(self.pos) {
            Some(self.promotion()?)
        } else {
            None
        };
        Ok(Dash {
            capture,
            left: left.map(Box::new),
            right: right.map(Box::new),
            promotion,
            target: Vec::new(),
        })
    }

    /// Parses the target of a dash whose sign is the token `sign`.
    pub(super) fn dash_with_target(
        &mut self,
        mut dash: Dash,
        sign: usize,
        start: usize,
    ) -> Res<Filter> {
        dash.target = self.dash_target(sign)?;
        let ty = dash.target.last().map_or(Type::Boolean, |last| last.ty);
        Ok(self.make(start, ty, FilterKind::Dash(Box::new(dash))))
    }

    /// Parses the right operand of the dash before the next token, if they touch.
    fn dash_right(&mut self) -> Res<Option<Filter>> {
        let at = self.pos;
        if !self.is_tied_right(at)
            || matches!(self.symbol_at(at), Some(Symbol::Assign | Symbol::OpenParen))
            || !self.may_start(at)
        {
            return Ok(None);
        }
        // In `--v=Q`, `=` is a promotion, not an assignment.
        if let (Some(id), Some(Symbol::Assign)) = (self.variable_at(at), self.symbol_at(at + 1)) {
            self.pos += 1;
            let ty = self.variable(id).kind.ty();
            let right = self.make(at, ty, FilterKind::Variable(id));
            return Ok(Some(self.dash_set(right)?));
        }
        let right = self.expression(level::ARROW)?;
        Ok(Some(self.dash_set(right)?))
    }

    fn dash_set(&mut self, right: Filter) -> Res<Filter> {
        if right.ty == Type::Set {
            return Ok(right);
        }
        if let Some(mend) = self.mend_of_repetition(&right) {
            let message = "a repetition has a comma between its numbers, not a minus sign";
            return self.fail_help(code::MOVE, right.span, message, mend);
        }
        let message = format!(
            "the squares of arrival must be a set of squares, found {}",
            type_name(right.ty)
        );
        let text = self.text_of(right.span);
        let is_wrong = has_no_such_square(text.split('=').next().unwrap_or_default());
        let help = if is_wrong {
            NO_SUCH_SQUARE
        } else {
            "put a blank after the dash if this is another filter, or write `--(F)` if F must match after the move"
        };
        self.fail_help(code::MOVE, right.span, message, help)
    }

    /// Parses `=Q`, `=.` or `="qr"`.
    fn promotion(&mut self) -> Res<Promotion> {
        self.pos += 1;
        if self.symbol() == Some(Symbol::OpenParen) || !self.may_start(self.pos) {
            return self.expected_as(
                code::MOVE,
                "pieces after the `=` of a promotion",
                "write `--=Q`, `--=[RBN]`, `--=.`",
            );
        }
        let operand = self.filter()?;
        match operand.kind {
            FilterKind::AllSquares => Ok(Promotion::Any),
            FilterKind::Designator(designator)
                if designator.has_pieces && !designator.has_squares =>
            {
                Ok(Promotion::Roles(designator.pieces.roles()))
            }
            _ if operand.ty == Type::String => Ok(Promotion::Text(Box::new(operand))),
            _ => {
                let message = format!(
                    "a promotion is a piece designator without squares, `.`, or a string; found {}",
                    type_name(operand.ty)
                );
                self.fail_help(
                    code::MOVE,
                    operand.span,
                    message,
                    "everything after `=` belongs to the promotion; put braces around the move: `{--=Q}`",
                )
            }
        }
    }

    /// Parses `( F… )` after a dash.
    fn dash_target(&mut self, sign: usize) -> Res<Vec<Filter>> {
        if self.symbol() != Some(Symbol::OpenParen) {
            return Ok(Vec::new());
        }
        let open = self.pos;
        if self.space_at(open) {
            return self.parted_target(sign);
        }
        let Some(close) = self.stream.partner(open) else {
            return self.expected_filter();
        };
        self.pos += 1;
        if self.pos == close {
            return self.fail(
                code::EMPTY,
                self.here(),
                "expected a filter that must match after the move, found `)`",
            );
        }
        let mut target = Vec::new();
        while self.pos < close {
            target.push(self.filter()?);
        }
        self.pos = close + 1;
        if self.symbol() == Some(Symbol::OpenParen) {
            return self.fail_help(
                code::MOVE,
                self.here(),
                "a move has only one list of filters in parentheses",
                "put all filters into one list: `--(F G)`, or write `{G}` for another filter",
            );
        }
        Ok(target)
    }

    /// Reports the next `(`, which is separated from the dash `sign` by white space.
    pub(super) fn parted_target<T>(&mut self, sign: usize) -> Res<T> {
        let span = self.here();
        let text = self.text_at(sign);
        self.fail_help(
            code::MOVE,
            span,
            "a blank separates this `(` from the move before it",
            format!("write `{text}(F)` if F must match after the move, `{{…}}` for another filter"),
        )
    }

    /// Parses the dash that `word` requires as its operand.
    fn dash_operand(&mut self, word: &str) -> Res<Box<Dash>> {
        let operand = self.operand_of_any_type(word, level::DASH)?;
        match operand.kind {
            FilterKind::Dash(dash) => Ok(dash),
            _ => {
                let message = format!("`{word}` needs a move such as `K--`, found another filter");
                let text = self.whole_text_of(operand.span);
                let mut span = operand.span;
                let (help, mended) = match (operand.ty, San::read(text.trim_matches('"'))) {
                    (Type::String, Some(san)) => (
                        "a move is written by its squares, in small letters for Black",
                        san.cql(Side::White),
                    ),
                    (Type::String, None) => {
                        let help = "a move is written by its squares: `Ng1--f3`; moves of a game in their \
                                    notation are `path san \"…\"`";
                        return self.fail_help(
                            code::MOVE,
                            operand.span,
                            message,
                            Mend::advice(help),
                        );
                    }
                    (Type::Set, Some(san)) => {
                        let target = self.mark_at(self.pos);
                        if target.is_some() {
                            span = span.to(self.here());
                        }
                        let mended = san.cql(Side::White) + target.unwrap_or("");
                        ("where it goes stands after the sign", mended)
                    }
                    (Type::Set, None) => ("what moves stands before the sign", format!("{text}--")),
                    _ => ("what holds after a move stands in parentheses", format!("--({text})")),
                };
                let help = format!("{help}: `{mended}`");
                let mend = Mend::edit(help, span, mended);
                self.fail_help(code::MOVE, operand.span, message, mend)
            }
        }
    }

    /// Parses `currentmove D` or `currentmove countmoves D`.
    pub(super) fn current_move(&mut self) -> Res<Filter> {
        let start = self.pos;
        let word = self.keyword().map_or("", Keyword::text);
        self.pos += 1;
        if self.eat_keyword(Keyword::Countmoves) {
            let dash = self.dash_operand("currentmove countmoves")?;
            let kind = FilterKind::CountMoves(Countable::PlayedFromParent(dash));
            return Ok(self.make(start, Type::Numeric, kind));
        }
        let dash = self.dash_operand(word)?;
        let ty = dash.target.last().map_or(Type::Boolean, |last| last.ty);
        Ok(self.make(start, ty, FilterKind::CurrentMove(dash)))
    }

    /// Parses `legal D`, `pseudolegal D` or `reverse D`.
    pub(super) fn legal(&mut self) -> Res<Filter> {
        let start = self.pos;
        Ok(match self.generated()? {
            Generated::Legal(dash) => self.make(start, Type::Set, FilterKind::Legal(dash)),
            Generated::Tried(tried) => {
                let last = tried.dash.target.last().map(|last| last.ty);
                // A position after a trial move no longer exists after the filter.
                let is_boolean = tried.all || last == Some(Type::Position);
                let ty = last.filter(|_| !is_boolean).unwrap_or(Type::Boolean);
                self.make(start, ty, FilterKind::Tried(Box::new(tried)))
            }
        })
    }

    /// Returns the next word, if it is one for moves that are not played.
    pub(super) fn unplayed(&self) -> Option<Unplayed> {
        match self.keyword().or_else(|| self.newer_word(self.pos))? {
            Keyword::Legal => Some(Unplayed::Legal),
            Keyword::Pseudolegal => Some(Unplayed::Pseudolegal),
            Keyword::Reverse => Some(Unplayed::Reverse),
            _ => None,
        }
    }

    fn generated(&mut self) -> Res<Generated> {
        self.refuse_in_group()?;
        let start = self.pos;
        let moves = self.unplayed().unwrap_or(Unplayed::Legal);
        let word = moves.word();
        self.pos += 1;
        let all = self.eat_keyword(Keyword::All);
        let dash = *self.dash_operand(word)?;
        let kind = match dash.target.as_slice() {
            [only] => legal_target(only),
            _ => None,
        };
        let says_what_moves = kind.is_some() && !dash.capture && dash.promotion.is_none();
        let is_reverse = moves == Unplayed::Reverse && !all;
        if is_reverse || !dash.target.is_empty() && (all || !says_what_moves) {
            return Ok(Generated::Tried(TriedDash { moves, all, dash }));
        }
        let span = self.span_from(start);
        let wrong = if all {
            Some((
                format!("`{word} all` asks what is after every move, which is not said"),
                format!("`{word} all --(F)`"),
            ))
        } else if dash.capture {
            Some((
                format!("`{word}` takes `[x]` only with filters in parentheses"),
                format!("`{word} L--R` with the pieces to be taken as R, or `{word} L[x]R(F)`"),
            ))
        } else if dash.promotion.is_some() {
            Some((
                format!("`{word}` takes a promotion only with filters in parentheses"),
                format!("`{word} --=Q(F)`, or `{word} --=Q(true)`"),
            ))
        } else {
            None
        };
        if let Some((message, help)) = wrong {
            return self.fail_help(code::MOVE, span, message, help);
        }
        Ok(Generated::Legal(LegalDash {
            pseudo: moves == Unplayed::Pseudolegal,
            left: dash.left,
            right: dash.right,
            target: kind,
        }))
    }

    /// Parses `countmoves D` or `countmoves legal D`.
    pub(super) fn count_moves(&mut self) -> Res<Filter> {
        self.refuse_in_group()?;
        let start = self.eat();
        let countable = match self.unplayed() {
            Some(_) => {
                let operand = self.pos;
                match self.generated()? {
                    Generated::Legal(dash) => Countable::Legal(dash),
                    Generated::Tried(tried) if !tried.all => Countable::Tried(Box::new(tried)),
                    Generated::Tried(_) => {
                        let span = self.span_from(operand);
                        let message = "`all` asks whether something is so, it cannot be counted";
                        let help = "`countmoves legal --(F)`";
                        return self.fail_help(code::MOVE, span, message, help);
                    }
                }
            }
            _ => Countable::Played(self.dash_operand("countmoves")?),
        };
        let kind = FilterKind::CountMoves(countable);
        Ok(self.make(start, Type::Numeric, kind))
    }

    /// Parses `move …`.
    pub(super) fn move_filter(&mut self) -> Res<Filter> {
        let start = self.eat();
        let mut parts = MoveParts::default();
        while let Some(keyword) = self.keyword().or_else(|| self.newer_word(self.pos)) {
            self.refuse_legal_move()?;
            if !self.move_part(keyword, &mut parts)? {
                break;
            }
        }
        if self.symbol() == Some(Symbol::Colon) {
            return self.move_tried(start, parts);
        }
        if parts.all || parts.reverse {
            let help = "write `move legal all … : F`, `move reverse … : F`";
            return self.expected_as(code::MOVE, "`:` and what is asked of the moves", help);
        }
        let MoveParts { mut filter, count, .. } = parts;
        let generated = matches!(filter.mode, MoveMode::Legal | MoveMode::Pseudolegal);
        if count && !generated {
            return self.fail(
                code::PARAMETER,
                self.last_word(start, &[Keyword::Count]),
                "`count` needs `legal` or `pseudolegal` in a `move` filter",
            );
        }
        let en_passant = filter.en_passant || filter.en_passant_square.is_some();
        let conflict = if generated
            && (filter.promote.is_some()
                || filter.primary
                || filter.secondary
                || filter.null
                || filter.capture.is_some())
        {
            Some((
                "`legal` and `pseudolegal` exclude `promote`, `primary`, `secondary`, `null` and `capture`",
                &[
                    Keyword::Promote,
                    Keyword::Primary,
                    Keyword::Secondary,
                    Keyword::Null,
                    Keyword::Capture,
                    Keyword::Captures,
                    Keyword::Legal,
                    Keyword::Pseudolegal,
                ][..],
            ))
        } else if filter.null && (filter.promote.is_some() || en_passant) {
            Some((
                "`null` excludes `promote` and en passant",
                &[Keyword::Null, Keyword::Promote, Keyword::EnPassant, Keyword::EnPassantSquare][..],
            ))
        } else if en_passant && filter.promote.is_some() {
            Some((
                "en passant excludes `promote`",
                &[Keyword::Promote, Keyword::EnPassant, Keyword::EnPassantSquare][..],
            ))
        } else if filter.primary && filter.secondary {
            Some((
                "`primary` and `secondary` exclude each other",
                &[Keyword::Primary, Keyword::Secondary][..],
            ))
        } else {
            None
        };
        if let Some((message, words)) = conflict {
            let word = self.last_word(start, words);
            return self.fail(code::PARAMETER, word, message);
        }
        if !generated && self.keyword() == Some(Keyword::Comment) {
            let comment = self.str_or_comment(Keyword::Comment)?;
            filter.comment = Some(Box::new(comment));
        }
        let ty = if count {
            filter.value = MoveValue::Count;
            Type::Numeric
        } else {
            filter.value = parts.first.unwrap_or(MoveValue::Match);
            match filter.value {
                MoveValue::Match => Type::Boolean,
                _ => Type::Set,
            }
        };
        Ok(self.make(start, ty, FilterKind::Move(Box::new(filter))))
    }

    /// Parses a parameter of `move`, if the next keyword begins one.
    fn move_part(&mut self, keyword: Keyword, parts: &mut MoveParts) -> Res<bool> {
        let filter = &mut parts.filter;
        let twice = match keyword {
            Keyword::From => filter.from.is_some(),
            Keyword::To => filter.to.is_some(),
            Keyword::Promote => filter.promote.is_some(),
            Keyword::EnPassant | Keyword::EnPassantSquare => {
                filter.en_passant || filter.en_passant_square.is_some()
            }
            Keyword::Castle | Keyword::ShortCastle | Keyword::LongCastle => filter.castle.is_some(),
            // a repetition of the same word has no effect
            Keyword::Previous => !matches!(filter.mode, MoveMode::Next | MoveMode::Previous),
            Keyword::Legal => !matches!(filter.mode, MoveMode::Next | MoveMode::Legal),
            Keyword::Pseudolegal => !matches!(filter.mode, MoveMode::Next | MoveMode::Pseudolegal),
            Keyword::Reverse => parts.reverse || filter.mode != MoveMode::Next,
            Keyword::All => parts.all,
            Keyword::Capture
            | Keyword::Captures
            | Keyword::Null
            | Keyword::Primary
            | Keyword::Secondary
            | Keyword::Count => false,
            _ => return Ok(false),
        };
        if twice {
            let message =
                format!("{} repeats or contradicts an earlier parameter of `move`", self.found());
            return self.fail(code::PARAMETER, self.here(), message);
        }
        self.pos += 1;
        let mut value = MoveValue::Match;
        match keyword {
            Keyword::From => {
                filter.from = Some(self.move_set("from")?);
                value = MoveValue::From;
            }
            Keyword::To => {
                filter.to = Some(self.move_set("to")?);
                value = MoveValue::To;
            }
            Keyword::Capture | Keyword::Captures => {
                filter.capture = Some(self.move_set("capture")?);
                value = MoveValue::Capture;
            }
            Keyword::EnPassantSquare => {
                filter.en_passant_square = Some(self.move_set("enpassantsquare")?);
            }
            Keyword::Promote => filter.promote = Some(self.promoted_roles()?),
            Keyword::EnPassant => filter.en_passant = true,
            Keyword::Castle => filter.castle = Some(LegalTarget::Castle),
            Keyword::ShortCastle => filter.castle = Some(LegalTarget::ShortCastle),
            Keyword::LongCastle => filter.castle = Some(LegalTarget::LongCastle),
            Keyword::Null => filter.null = true,
            Keyword::Primary => filter.primary = true,
            Keyword::Secondary => filter.secondary = true,
            Keyword::Previous => filter.mode = MoveMode::Previous,
            Keyword::Legal => filter.mode = MoveMode::Legal,
            Keyword::Pseudolegal => filter.mode = MoveMode::Pseudolegal,
            Keyword::Reverse => parts.reverse = true,
            Keyword::All => parts.all = true,
            _ => parts.count = true,
        }
        parts.first.get_or_insert(value);
        Ok(true)
    }

    fn move_set(&mut self, word: &str) -> Res<Box<Filter>> {
        Ok(Box::new(self.operand(word, level::COLON, Type::Set)?))
    }

    fn promoted_roles(&mut self) -> Res<u8> {
        if let Some(TokenKind::Designator(designator)) = self.kind()
            && designator.has_pieces
            && !designator.has_squares
        {
            let roles = designator.pieces.roles();
            self.pos += 1;
            return Ok(roles);
        }
        self.expected_as(
            code::MOVE,
            "pieces without squares after `promote`",
            "write `promote A` for any piece",
        )
    }
}

/// The parameters of a `move` filter that have been read.
#[derive(Default)]
pub(super) struct MoveParts {
    pub(super) filter: MoveFilter,
    pub(super) count: bool,
    /// `reverse`
    pub(super) reverse: bool,
    /// `all`
    pub(super) all: bool,
    /// Value that the first parameter makes the filter yield.
    pub(super) first: Option<MoveValue>,
}

impl MoveParts {
    /// Returns the kind of moves, if they are not those of the game.
    pub(super) fn unplayed(&self) -> Option<Unplayed> {
        match self.filter.mode {
            MoveMode::Legal if !self.reverse => Some(Unplayed::Legal),
            MoveMode::Pseudolegal if !self.reverse => Some(Unplayed::Pseudolegal),
            MoveMode::Next if self.reverse => Some(Unplayed::Reverse),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn dashes_are_tied_by_the_absence_of_blanks() {
        check("--", "(-- * *):b");
        check("K--[g7,b7]", "(-- K [g7,b7]):b");
        check("Qa1 -- Kc-f1-8", "Qa1 (-- * *):b Kc-f1-8");
        check("K-- --P", "(-- K *):b (-- * P):b");
        check("Q|R--a1|h8", "(-- (union Q R):s (union a1 h8):s):b");
        check("R->q--", "(-- (attacks R q):s *):b");
        check("~R--~a1", "(-- (complement R):s (complement a1):s):b");
        check("(Q|N)--{R}", "(-- (union Q N):s R):b");
        check("♖×♟", "([x] ♖ ♟):b");
        check("N[x]q", "([x] N q):b");
        check("passedpawns--a-h8", "(-- passedpawns a-h8):b");
        check("x=K x--x", "(x = K):b (-- $x:s $x:s):b");
        check("not --", "(not (-- * *):b):b");
        check("# --(to)", "(# (-- * * => to):s):n");
        for (text, place) in [
            ("check--", "--"),
            ("3--e4", "--"),
            ("#--(to)", "--"),
            ("legal--", "--"),
            ("K--a1--b2", "--"),
            ("--check", "check"),
            ("--7", "7"),
        ] {
            refuse(text, "E0108", place);
        }
    }

    #[test]
    fn promotions() {
        check("--=Q", "(-- * * =010000):b");
        check("--=♖♗♘(to)", "(-- * * =001110 => to):s");
        check("--=A --=. --=P", "(-- * * =111111):b (-- * * =.):b (-- * * =000001):b");
        check("--=\"nb\" s=\"n\" --=s", "(-- * * =\"nb\"):b (s = \"n\"):b (-- * * =$s:t):b");
        check("P--a8= Q", "(-- P a8 =010000):b");
        check("x=a-h8 P--x=N", "(x = a-h8):b (-- P $x:s =000010):b");
        for (text, code, place) in [
            ("--=Qa8", "E0108", "Qa8"),
            ("--=5", "E0108", "5"),
            ("--=(Q|R)", "E0108", "("),
            ("--=Q or check", "E0108", "Q or check"),
            ("--=A >=2", "E0108", "A >=2"),
            ("--=", "E0108", ""),
            ("P-- =Q", "E0102", "="),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn targets_give_their_type() {
        check("--(check mate or stalemate)", "(-- * * => check (or mate stalemate):b):b");
        check("--(--(mate))", "(-- * * => (-- * * => mate):b):b");
        check("x=N--(to)", "(x = (-- N * => to):s):b");
        check("--=Q(ply)==1", "(== (-- * * =010000 => ply):n 1):n");
        check("--(curpos):R", "(at (-- * * => currentposition):p R):s");
        for (text, code, place) in [
            ("-- (check)", "E0108", "("),
            ("--e4 (check)", "E0108", "("),
            ("--=Q (check)", "E0108", "("),
            ("--()", "E0104", ")"),
            ("--(blah)", "E0201", "blah"),
            ("--(check)(mate)", "E0108", "("),
            ("--(check) (mate)", "E0108", "("),
            ("--(ply)\n(wtm)", "E0108", "("),
            ("currentmove K--(check) (mate)", "E0108", "("),
            ("x=K--", "E0301", "K--"),
            ("x=K--(check)", "E0301", "K--(check)"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn filters_of_moves() {
        check("currentmove N--q(to)", "(currentmove -- N q => to):s");
        check("previous --", "(currentmove -- * *):b");
        check("legal --(o-o-o)", "(legal * * LongCastle):s");
        check("pseudolegal K--a1(enpassant)", "(pseudolegal K a1 EnPassant):s");
        check("countmoves R-- + countmoves K--", "(+ (count -- R *):n (count -- K *):n):n");
        check("countmoves legal -- ==1", "(== (count legal * *):n 1):n");
        check("1<{currentmove countmoves --}", "(< 1 (count-from-parent -- * *):n):n");
        for (text, place) in [
            ("legal --=Q", "legal --=Q"),
            ("legal all --", "legal all --"),
            ("legal all --=Q", "legal all --=Q"),
            ("countmoves legal all --(check)", "legal all --(check)"),
            ("currentmove legal --(check)", "legal --(check)"),
            ("legal [x]", "legal [x]"),
            ("legal check", "check"),
            ("pseudolegal K", "K"),
            ("countmoves check", "check"),
            ("countmoves countmoves --", "countmoves --"),
            ("countmoves currentmove --", "currentmove --"),
            ("currentmove K", "K"),
            ("currentmove legal --", "legal --"),
        ] {
            refuse(text, "E0108", place);
        }
        refuse("currentmove", "E0101", "");
    }

    #[test]
    fn targets_behind_moves_that_are_tried() {
        check("legal --(check)", "(legal -- * * => check):b");
        check("pseudolegal Q[x]r=.(mate to)", "(pseudolegal [x] Q r =. => mate to):s");
        check("legal all K--(check)", "(legal all -- K * => check):b");
        check("legal all --(to)", "(legal all -- * * => to):b");
        check("legal --(ply) > 3", "(> (legal -- * * => ply):n 3):n");
        check("legal --(parent)", "(legal -- * * => parent):b");
        check("legal --(castle o-o)", "(legal -- * * => castle o-o):b");
        check("legal [x](enpassant)", "(legal [x] * * => enpassant):b");
        check("legal all --(castle)", "(legal all -- * * => castle):b");
        check("countmoves legal --=Q(true)", "(count legal -- * * =010000 => true):n");
        check(
            "legal --(btm legal all --(mate))",
            "(legal -- * * => btm (legal all -- * * => mate):b):b",
        );
        refuse("x=legal --(currentposition)", "E0301", "legal --(currentposition)");
    }

    #[test]
    fn the_older_move_filter() {
        check("move", "(move Next Match):b");
        check("move from K to a-h8", "(move Next From from=K to=a-h8):s");
        check("move to . from K legal count", "(move Legal Count from=K to=.):n");
        check("move from K|R", "(union (move Next From from=K):s R):s");
        check("move promote [RN] from P", "(move Next Match from=P =001010):b");
        check(
            "move capture A comment(\"x\") comment(\"y\")",
            "(move Next Capture capture=A comment=(comment \"x\"):b):s (comment \"y\"):b",
        );
        check("move legal comment(\"y\")", "(move Legal Match):b (comment \"y\"):b");
        check("move previous o-o-o", "(move Previous Match LongCastle):b");
        for (word, mode) in
            [("previous", "Previous"), ("legal", "Legal"), ("pseudolegal", "Pseudolegal")]
        {
            let twice = format!("move {word} {word}");
            check(&twice, &format!("(move {mode} Match):b"));
        }
        check("move enpassantsquare d5 secondary", "(move Next Match ep=d5 secondary):b");
        for (text, place) in [
            ("move count from A", "count"),
            ("move legal previous", "previous"),
            ("move pseudolegal legal", "legal"),
            ("move legal promote Q", "promote"),
            ("move capture q from A legal", "legal"),
            ("move pseudolegal primary", "primary"),
            ("move null from A promote Q", "promote"),
            ("move null enpassant", "enpassant"),
            ("move promote Q enpassant", "enpassant"),
            ("move primary secondary", "secondary"),
            ("move from K from Q", "from"),
            ("move castle o-o", "o-o"),
            ("move enpassant enpassantsquare e5", "enpassantsquare"),
        ] {
            refuse(text, "E0111", place);
        }
        refuse("move promote .", "E0108", ".");
        refuse("move from check", "E0301", "check");
        refuse("move capture", "E0101", "");
    }
}
