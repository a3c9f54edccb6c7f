//! Reports moves in the notation of games and books that are used as filters, with their CQL form.

use super::route::{seconds, way};
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::migrate::write;
use crate::parse::error::{ErrorExtent, code};
use crate::parse::mend::{Mend, Proposal, capture};
use crate::parse::parser::{Last, LastForm, Parser};
use crate::parse::score::{help_for_moves, moves_from_start};
use crate::san::{San, Side, is_step};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::turns::{Turns, turns, with_gaps};

/// Maximum number of moves in a help text.
const SHOWN: usize = 4;

impl Parser<'_> {
    /// Returns the error for a name that is a move: `Nbd2`, `exd5`, and the index of the token after
    /// the move and its signs.
    pub(super) fn move_of_a_book(&self, name: &str, span: Span) -> Option<(Diagnostic, usize)> {
        let san = San::read(name)?;
        let at = self.pos.checked_sub(1);
        let at = at.filter(|&at| self.span_at(at) == span)?;
        let (target, end) = self.target_at(at + 1);
        let [white, black] =
            [Side::White, Side::Black].map(|side| san.cql(side) + target.unwrap_or(""));
        let dots = self.dots_before(at);
        if dots < at {
            let help = format!("a move by Black is written `{black}`");
            let message = format!("`…{name}` is a move as games are written, not a filter");
            let whole = self.tokens(dots, end - 1);
            let error = Diagnostic::error(code::BOOK_MOVE, whole, message);
            return Some((error.with_help(help).with_edit(whole, black), end));
        }
        let other = if white == black { String::new() } else { format!(", by Black `{black}`") };
        let message = format!("`{name}` is a move as games are written, not a filter");
        let help = format!("a move is written `{white}`{other}");
        let error = Diagnostic::error(code::BOOK_MOVE, span, message);
        if let Some((text, end)) = self.en_passant_at(end, &san) {
            let help = format!("a capture en passant is written `{text}`");
            let whole = self.tokens(at, end - 1);
            return Some((error.with_help(help).with_edit(whole, text), end));
        }
        // with a sign after it, as in `Nxe5+`
        let mut whole = self.tokens(at, end - 1);
        // with a dash before it, as in `--Nbd2`
        if let Some(dash) = at.checked_sub(1).filter(|_| !self.space_at(at))
            && self.is_dash_at(dash)
        {
            if dash > 0 && !self.space_at(dash) {
                return Some((error.with_help(help), end));
            }
            whole = self.span_at(dash).to(whole);
        } else if self.is_after_a_man(at) {
            // as in `Qd1 Qh5 Qxf7`, of which one move alone would be an edit of a part
            let help = format!("{help}; moves that follow each other are the parts of a `path`");
            return Some((error.with_help(help), end));
        }
        let (whole, white) = self.after_outcome(at, whole, white);
        let help = if white.starts_with("currentmove") {
            format!("{help}; the one that led here is `{white}`")
        } else {
            help
        };
        Some((error.with_help(help).with_edit(whole, white), end))
    }

    /// Returns the place and the text of a move at `at` after the word `mate`, `stalemate` or `check`,
    /// which is true in the position after the move: `mate Qxf7`, `check Qh5+`.
    fn after_outcome(&self, at: usize, place: Span, text: String) -> (Span, String) {
        let word = at.checked_sub(1).filter(|&word| self.word_before(word) != Some(Keyword::Not));
        match word.and_then(|word| Some((word, self.keyword_at(word)?))) {
            // The target says the same: `mate Qxf7#`.
            Some((word, keyword @ (Keyword::Mate | Keyword::Check)))
                if text.ends_with(&format!("({})", keyword.text())) =>
            {
                (self.span_at(word).to(place), text)
            }
            Some((_, Keyword::Mate | Keyword::Stalemate)) => (place, format!("currentmove {text}")),
            _ => (place, text),
        }
    }

    /// Returns the first of the dots directly before the token `at`, which say that a move is Black's,
    /// or `at`.
    fn dots_before(&self, at: usize) -> usize {
        let is_dot =
            |dot: &usize| self.symbol_at(*dot) == Some(Symbol::Dot) && !self.space_at(dot + 1);
        let n_dots = (0..at).rev().take_while(is_dot).count();
        if n_dots == 3 { at - n_dots } else { at }
    }

    /// Whether a piece on a square, which may be a move, is before the token `at`.
    fn is_after_a_man(&self, at: usize) -> bool {
        let is_alone = |before: usize| {
            let sign = before.checked_sub(1).and_then(|at| self.symbol_at(at));
            sign.is_none() && matches!(self.written_move(before, false), Some((Written::San(_), _)))
        };
        at.checked_sub(1).is_some_and(is_alone)
    }

    /// Returns the CQL for a capture en passant whose sign, `e.p.` or `ep`, is at `at`, and the index of
    /// the token after the sign.
    fn en_passant_at(&self, at: usize, san: &San) -> Option<(String, usize)> {
        let side = match san.to[1] {
            b'6' => Side::White,
            b'3' => Side::Black,
            _ => return None,
        };
        let is_sign = |end: &usize| {
            let sign = self.whole_text(at, end - 1).to_ascii_lowercase();
            *end <= self.stream.tokens.len() && matches!(&*sign, "e.p." | "e.p" | "ep")
        };
        let end = [at + 4, at + 3, at + 1].into_iter().find(is_sign)?;
        // The square of the pawn that is taken is not that of the move.
        let text = san.cql(side).replace("[x]", "--") + "(enpassant)";
        (san.capture && san.piece == Some(b'P')).then_some((text, end))
    }

    /// Returns the target that the token means as a sign of check or mate after a move.
    pub(in crate::parse) fn mark_at(&self, at: usize) -> Option<&'static str> {
        let is_end = self.kind_at(at + 1).is_none() || self.space_at(at + 1);
        match self.symbol_at(at).filter(|_| is_end && !self.space_at(at))? {
            Symbol::Plus => Some("(check)"),
            Symbol::Count => Some("(mate)"),
            _ => None,
        }
    }

    /// Returns the target that a sign of check or mate at `at`, or the word `mate`, means after a
    /// move, and the index of the token after it and after signs of annotators.
    fn target_at(&self, at: usize) -> (Option<&'static str>, usize) {
        let mark = self.mark_at(at);
        let mut end = at + usize::from(mark.is_some());
        while self.symbol_at(end) == Some(Symbol::Question) && !self.space_at(end) {
            end += 1;
        }
        if mark.is_none() && self.is_mate_alone(end) {
            (Some("(mate)"), end + 1)
        } else {
            (mark, end)
        }
    }

    /// Whether the word `mate` is at `at`, and is no part of a longer condition. No move follows a
    /// mate, so directly after a move it is what the move leads to.
    fn is_mate_alone(&self, at: usize) -> bool {
        let is_joint = matches!(self.keyword_at(at + 1), Some(Keyword::And | Keyword::Or));
        self.keyword_at(at) == Some(Keyword::Mate) && !is_joint
    }

    /// Returns a proposal for `, mate` after a move, whose comma is at `at`.
    pub(super) fn mend_of_mate(&self, at: usize) -> Option<Mend> {
        let move_before = self.last.filter(|last| last.end == at && last.form == LastForm::Dash)?;
        let is_plain = self.symbol_at(at.checked_sub(1)?) != Some(Symbol::CloseParen);
        let mut gap = self.tokens(at, at + 1);
        gap.start = move_before.span.end;
        let help = "what holds after a move stands in parentheses: `--(mate)`";
        (is_plain && self.is_mate_alone(at + 1)).then(|| Mend::edit(help, gap, "(mate)"))
    }

    /// Returns a proposal for `Q:f7`, whose colon is the next token, and the index of the token
    /// after it.
    pub(in crate::parse) fn mend_of_colon(&self, last: Last) -> Option<Proposal> {
        let at = self.pos + 1;
        if !self.is_designator_at(at) || !self.is_glued_at(self.pos) {
            return None;
        }
        let right = self.span_at(at);
        let (target, end) = self.target_at(at + 1);
        let text = capture(&self.whole_text_of(last.span), &self.whole_text_of(right))
            + target.unwrap_or("");
        let help = format!("a capture is written `{text}`");
        Some((Mend::edit(help, last.span.to(self.span_at(end - 1)), text), end))
    }

    /// Returns a proposal for a time such as `0:30`, whose colon is the next token, and the index of
    /// the token after it.
    pub(in crate::parse) fn mend_of_time(&self) -> Option<Proposal> {
        let mut end = self.pos;
        while self.symbol_at(end) == Some(Symbol::Colon) && self.is_integer_at(end + 1) {
            end += 2;
        }
        let whole = self.tokens(self.pos.checked_sub(1)?, end - 1);
        let text = seconds(&self.whole_text_of(whole))?.to_string();
        let help = format!("times are numbers, in seconds: `{text}`");
        Some((Mend::edit(help, whole, text), end))
    }

    /// Returns a proposal for the sign of check or mate at `at`, after a move such as `Q--f7` or
    /// `Qf7`.
    pub(in crate::parse) fn mend_of_mark(&self, at: usize) -> Option<Mend> {
        let target = self.mark_at(at)?;
        let before = at.checked_sub(1)?;
        let is_dash = |back: usize| at.checked_sub(back).is_some_and(|at| self.is_dash_at(at));
        let assign = at.checked_sub(2).and_then(|at| self.symbol_at(at));
        let is_promotion = assign == Some(Symbol::Assign) && (is_dash(3) || is_dash(4));
        if is_dash(1) || is_dash(2) || is_promotion {
            let help = format!("what holds after a move stands in parentheses: `--{target}`");
            return Some(Mend::edit(help, self.span_at(at), target));
        }
        let san = San::read(&self.move_word_at(before)?)?;
        let [white, black] = [Side::White, Side::Black].map(|side| san.cql(side) + target);
        let help = format!("a move is written `{white}`, by Black `{black}`");
        let (place, text) = self.after_outcome(before, self.tokens(before, at), white);
        Some(Mend::edit(help, place, text))
    }

    /// Returns a proposal for `e8=Q`, whose `=` is the next token, and the index of the token after
    /// it.
    pub(in crate::parse) fn mend_of_promotion(&self, last: Last) -> Option<Proposal> {
        const OUTER_RANKS: u64 = 0xff00_0000_0000_00ff;
        let piece = self.span_at(self.pos + 1);
        // as in `K=g1` and `d5=N`; `e8=Q` is a promotion
        let place = self.pos.checked_sub(1).and_then(|at| self.kind_at(at));
        if let (Some(TokenKind::Designator(first)), Some(TokenKind::Designator(second))) =
            (place, self.kind_at(self.pos + 1))
        {
            let [left, right] = [last.span, piece].map(|span| self.whole_text_of(span));
            let text = match (first.has_squares, second.has_squares) {
                (false, true) if !second.has_pieces => Some(left + &right),
                (true, false) if !first.has_pieces && first.squares & OUTER_RANKS == 0 => {
                    Some(right + &left)
                }
                _ => None,
            };
            if let Some(text) = text {
                let help = format!("a piece on a square is written without a sign: `{text}`");
                return Some((Mend::edit(help, last.span.to(piece), text), self.pos + 2));
            }
            if first.has_pieces && first.squares & OUTER_RANKS != 0 && !second.has_squares {
                let help = "a promotion is a move of a pawn: `P--d8=Q`";
                return Some((Mend::advice(help), self.pos + 2));
            }
        }
        if !self.is_glued_at(self.pos) {
            return None;
        }
        let square = self.move_word_at(self.pos.checked_sub(1)?)?;
        let word = square + &self.move_word_at(self.pos + 1)?;
        let mut text = San::read(&word)?.cql(Side::White);
        let (mut whole, mut end) = (last.span.to(piece), self.pos + 2);
        if let Some(target) = self.mark_at(end) {
            text += target;
            whole = whole.to(self.span_at(end));
            end += 1;
        }
        let help = format!("a promotion is written `{text}`");
        Some((Mend::edit(help, whole, text), end))
    }

    /// Reports the moves (`1.e4 e5 2.Nf3`, `Nxe5 dxe5`) that follow, if there are any, and skips
    /// them up to the token `end`. A number, or a move that is no designator, would be an error in
    /// any case. `in_path` tells whether they are parts of a path.
    pub(in crate::parse) fn moves_of_a_book(&mut self, end: usize, in_path: bool) -> bool {
        let start = self.pos;
        let route = self.mend_of_route(start, end, in_path).map(|mend| (start..mend.1, mend));
        let listed = || {
            let listed = self.listed_moves(start, end)?;
            let place = self.dots_before(start)..listed.end;
            Some((place, self.mend_of_listed(start, &listed, end, in_path)))
        };
        let Some((place, (mend, next))) = route.or_else(listed) else {
            return false;
        };
        let message = "these are moves as games are written, not filters";
        let span = self.tokens(place.start, place.end - 1);
        self.pos = next;
        self.report(mend.onto(Diagnostic::error(code::BOOK_MOVE, span, message)));
        true
    }

    /// Returns a proposal for moves that follow each other, with the result of the game after them; those
    /// of a whole game begin it, and others are parts of a path.
    fn mend_of_listed(&self, start: usize, listed: &Listed, end: usize, in_path: bool) -> Proposal {
        let is_numbered = self.is_move_number(start);
        let first = self.dots_before(start);
        let texts = listed.moves.iter().zip(&listed.sides);
        let texts = texts.map(|((written, target), side)| written.cql(*side, *target));
        let texts = with_gaps(&listed.sides, texts);
        // The number of the first move is a condition of its own. The solution of a problem begins with
        // `1.`, too.
        let number = self.amount_at(start).filter(|_| is_numbered);
        let number = number.filter(|&number| number > 1 || listed.may_begin_game());
        // as in `1.e4 e5 1-0`
        let (result, next) = match self.kind_at(listed.end) {
            Some(TokenKind::Result(result)) => (result.text(), listed.end + 1),
            Some(TokenKind::Symbol(Symbol::Star)) if listed.end + 1 >= end => ("", listed.end + 1),
            _ => ("", listed.end),
        };
        let edited = self.tokens(first, next - 1);
        let with_result = |text: String| match result {
            "" => text,
            result => self.as_one(first, next - 1, format!("{text} result {result}")),
        };
        let score = listed.score();
        let is_begin = number == Some(1) && listed.sides.first() == Some(&Side::White);
        let from_start = score.as_ref().filter(|_| is_begin && !in_path);
        if let Some(moves) = from_start.and_then(|score| moves_from_start(score.as_bytes())) {
            let anywhere = texts.join(" ");
            let help = format!(
                "`san \"{moves}\"` finds the games that begin so, `path {anywhere}` these moves anywhere"
            );
            return (Mend::edit(help, edited, with_result(format!("san \"{moves}\""))), next);
        }
        let numbered = number.map(|number| format!("movenumber == {number} ")).unwrap_or_default();
        let shown = texts[..texts.len().min(SHOWN)].join(" ");
        let more = if texts.len() > SHOWN { " …" } else { "" };
        let mut help = format!(
            "moves that follow each other are the parts of a `path`: `path {numbered}{shown}{more}`"
        );
        if let Some(score) = score.filter(|_| texts.len() <= 2 * SHOWN) {
            help += &format!(", or `path san \"{score}\"`");
        }
        let around = self.word_before(first);
        if !is_numbered && first == start && around != Some(Keyword::Flipcolor) {
            help += "; White's first, and `flipcolor {…}` is for either side";
        }
        let moves = numbered + &texts.join(" ");
        let text = if in_path {
            moves
        } else if next < end || around.is_some() || !result.is_empty() {
            format!("{{path {moves}}}")
        } else {
            format!("path {moves}")
        };
        if listed.is_certain {
            (Mend::edit(help, edited, with_result(text)), next)
        } else {
            (Mend::advice(help), next)
        }
    }

    /// Reports moves that follow each other after a word that takes one filter, as in
    /// `flipcolor Nxe5 dxe5`.
    #[inline(never)]
    pub(in crate::parse) fn are_moves_after_a_word(&mut self) -> bool {
        let are_moves =
            self.word_before(self.pos).is_some() && self.moves_of_a_book(self.limit, false);
        if are_moves {
            self.fault = ErrorExtent::Operand;
        }
        are_moves
    }

    /// Returns a proposal for moves of one piece that goes on from its square, as in
    /// `Nb1d2 Nd2f1`, and the token after them.
    fn mend_of_route(&self, start: usize, end: usize, in_path: bool) -> Option<Proposal> {
        let mut sans: Vec<San> = Vec::new();
        let (mut at, mut is_move, mut is_from) = (start, false, true);
        while at < end
            && let Some((Written::San(san), next)) = self.written_move(at, false)
            && let Some(piece) = san.piece.filter(|&piece| piece != b'P' && !san.capture)
        {
            if let Some(before) = sans.last() {
                let [file, rank] = before.to;
                let may_be_from = san.file.is_none_or(|from| from == file)
                    && san.rank.is_none_or(|from| from == rank);
                let goes_on = before.piece == san.piece && is_step(piece, &before.to, &san.to);
                if !may_be_from || !goes_on {
                    break;
                }
                is_from &= san.file.is_some() && san.rank.is_some();
            }
            is_move |= next > at + 1 || matches!(self.kind_at(at), Some(TokenKind::Name(_)));
            sans.push(san);
            at = next;
        }
        if sans.len() < 2 || !is_move || self.target_at(at).1 > at {
            return None;
        }
        let first = sans[0].cql(Side::White);
        let squares: Vec<String> =
            sans.iter().map(|san| san.to.map(char::from).iter().collect()).collect();
        let text = way(first.split("--").next()?, squares.iter().map(String::as_str));
        let help = format!("a piece goes from square to square in a `path`: `{text}`");
        if !is_from && sans.len() == 2 {
            let second = sans[1].cql(Side::Black);
            let help = format!("{help}; moves of both sides are `path {first} {second}`");
            return Some((Mend::advice(help), at));
        }
        if in_path {
            return Some((Mend::advice(help), at));
        }
        self.propose(help, start, at - 1, text)
    }

    /// Returns a proposal for moves that follow the word `after` at `at`, as in `position after 1.e4`,
    /// and the last of the tokens.
    pub(super) fn mend_of_after(&self, at: usize) -> Option<Proposal> {
        self.is_one_of(at, "after").then_some(())?;
        let (moves, last) = match self.kind_at(at + 1)? {
            TokenKind::String(text) => (moves_from_start(text)?, at + 1),
            _ => self.unquoted_moves(at + 1)?,
        };
        let position = at.checked_sub(1);
        let position = position.filter(|&at| self.text_at(at) == "position");
        let first = position.unwrap_or(at);
        let help = help_for_moves(&moves);
        let is_alone =
            self.kind_at(last + 1).is_none() && self.last.is_none_or(|before| before.end != first);
        let text = format!("san \"{moves}\"");
        if is_alone {
            return self.propose(help, first, last, text);
        }
        let other = "it holds at the start alone, and `find` looks further";
        Some((Mend::advice(format!("{help}; {other}: `{text} find check`")), last + 1))
    }

    /// Returns the moves from the start of a game that begin at the token `first`, and the last of
    /// the tokens.
    pub(in crate::parse) fn unquoted_moves(&self, first: usize) -> Option<(String, usize)> {
        /// Maximum number of tokens that are read as moves.
        const MOST: usize = 40;
        let mut ends = (first..self.limit.min(first + MOST)).rev();
        let moves = |last| moves_from_start(self.whole_text(first, last).as_bytes());
        ends.find_map(|last| Some((moves(last)?, last)))
    }

    /// Reads moves that follow each other, with numbers or without.
    fn listed_moves(&self, start: usize, end: usize) -> Option<Listed> {
        /// Maximum number of designators before the first move that is none.
        const MOST_BEFORE: usize = 20;
        let is_numbered = self.is_move_number(start);
        let after_dots = self.dots_before(start) < start;
        let mut moves = Vec::new();
        let mut first = if after_dots { Side::Black } else { Side::White };
        let (mut n_certain, mut ends_certain) = (0, (false, false));
        let mut at = start;
        while at < end && (is_numbered || n_certain > 0 || moves.len() < MOST_BEFORE) {
            if is_numbered && self.is_move_number(at) {
                at += 1;
                let number = at;
                while self.symbol_at(at) == Some(Symbol::Dot) {
                    at += 1;
                }
                if moves.is_empty() && at > number + 1 {
                    first = Side::Black;
                }
                continue;
            }
            let Some((written, next)) = self.written_move(at, is_numbered) else {
                break;
            };
            let (target, next_move) = self.target_at(next);
            let is_certain = target.is_some() || next > at + 1 || !self.is_designator_at(at);
            n_certain += usize::from(is_certain);
            ends_certain = (ends_certain.0 || is_certain && moves.is_empty(), is_certain);
            moves.push((written, target));
            at = next_move;
        }
        // A check is followed by its answer, as in `Qxf7+ Kd8`.
        let has_answer = moves.len() > 1 && moves[0].1 == Some("(check)");
        let is_list = is_numbered || after_dots && moves.len() > 1 || n_certain > 1 || has_answer;
        let is_certain = is_numbered || after_dots || ends_certain == (true, true);
        if moves.is_empty() || !is_numbered && n_certain == 0 && !has_answer {
            return None;
        }
        let known = if is_numbered || after_dots { Turns::Unknown } else { turns_of(&moves) };
        let from_start =
            matches!(&known, Turns::Clear(sides) if sides.first() == Some(&Side::White));
        let is_list = is_list || n_certain > 0 && moves.len() > 2 && from_start;
        let is_certain = (is_certain || from_start) && known != Turns::Either;
        let sides = match known {
            Turns::Clear(sides) => sides,
            _ => Side::in_turn(first).take(moves.len()).collect(),
        };
        is_list.then_some(Listed { moves, sides, end: at, is_certain })
    }

    /// Returns the move at the token `at`, and the index of the token after it.
    fn written_move(&self, at: usize, is_numbered: bool) -> Option<(Written, usize)> {
        if let Some((word, next)) = self.castling_at(at, is_numbered) {
            return Some((Written::Castling(word), next));
        }
        let is_own = match self.kind_at(at)? {
            TokenKind::Name(name) => self.is_known(name),
            TokenKind::Designator(d) => {
                d.squares.count_ones() != 1 || d.has_pieces && d.pieces.0.count_ones() != 1
            }
            _ => true,
        };
        if is_own {
            return None;
        }
        let (san, next) = self.san_at(at)?;
        Some((Written::San(san), next))
    }

    /// Whether `1.` is at the token `at`.
    pub(in crate::parse) fn is_move_number(&self, at: usize) -> bool {
        self.is_integer_at(at)
            && self.symbol_at(at + 1) == Some(Symbol::Dot)
            && !self.space_at(at + 1)
    }

    /// Returns the move at the token `at`, and the index of the token after it.
    fn san_at(&self, at: usize) -> Option<(San, usize)> {
        let word = self.move_word_at(at)?;
        // as in `Nb1-d2` and `e7-e5`
        if self.symbol_at(at + 1) == Some(Symbol::Minus)
            && self.is_glued_at(at + 1)
            && !matches!(self.symbol_at(at + 3), Some(Symbol::Minus | Symbol::Assign))
            && self.squares_at(at + 2).is_some()
            && word.len() >= 2
            && let Some(san) = San::read(&(word.clone() + &self.move_word_at(at + 2)?))
        {
            return Some((san, at + 3));
        }
        if self.symbol_at(at + 1) == Some(Symbol::Assign)
            && !self.space_at(at + 1)
            && let Some(piece) = self.move_word_at(at + 2)
            && let Some(san) = San::read(&(word.clone() + &piece))
        {
            return Some((san, at + 3));
        }
        Some((San::read(&word)?, at + 1))
    }

    /// Returns a word that may be a move, or the piece of a promotion. A designator is returned in
    /// ASCII, whatever its spelling (`♘f3`).
    fn move_word_at(&self, at: usize) -> Option<String> {
        match self.kind_at(at)? {
            TokenKind::Name(_) => Some(self.text_at(at)),
            TokenKind::Designator(d) => write::designator(d.pieces, d.squares),
            _ => None,
        }
    }

    /// Returns the word of the castling `O-O` at `at`, and the index of the token after it. Digits
    /// and small letters are read only among numbered moves.
    fn castling_at(&self, at: usize, is_numbered: bool) -> Option<(&'static str, usize)> {
        if let Some(word @ (Keyword::ShortCastle | Keyword::LongCastle)) = self.keyword_at(at) {
            return is_numbered.then_some((word.text(), at + 1));
        }
        let is_letter = |at| match self.kind_at(at) {
            Some(TokenKind::Name(name)) => name == "O",
            Some(TokenKind::Integer(number)) => is_numbered && *number == 0,
            _ => false,
        };
        let is_next = |at| self.symbol_at(at) == Some(Symbol::Minus) && is_letter(at + 1);
        match (is_letter(at), is_next(at + 1), is_next(at + 3)) {
            (true, true, true) => Some(("o-o-o", at + 5)),
            (true, true, false) => Some(("o-o", at + 3)),
            _ => None,
        }
    }
}

/// Moves that follow each other.
struct Listed {
    /// Each move, and the target that a sign after it means.
    moves: Vec<(Written, Option<&'static str>)>,
    /// The side of each.
    sides: Vec<Side>,
    /// Index of the token after the last move.
    end: usize,
    /// Whether the first and the last can only be moves, not designators of pieces that stand there.
    is_certain: bool,
}

impl Listed {
    /// Whether the first moves of both sides are possible in the start position.
    fn may_begin_game(&self) -> bool {
        let moves = self.moves.iter().zip(&self.sides);
        moves.take(2).all(|((written, _), side)| match written {
            Written::San(san) => san.is_first_move(*side),
            Written::Castling(_) => false,
        })
    }

    /// Returns the moves as games are written, if all name their pieces and the sides take turns.
    fn score(&self) -> Option<String> {
        if self.sides.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let moves = self.moves.iter().map(|(written, target)| written.plain(*target));
        let moves = moves.collect::<Option<Vec<_>>>()?.join(" ");
        Some(match self.sides.first()? {
            Side::White => moves,
            Side::Black => format!("…{moves}"),
        })
    }
}

/// Returns what is known about the sides of moves. Without the moves before it, a capture may be one
/// of either side.
fn turns_of(moves: &[(Written, Option<&'static str>)]) -> Turns {
    let sans = moves.iter().map(|(written, _)| match written {
        Written::San(san) => Some(san.clone()),
        Written::Castling(_) => None,
    });
    let Some(sans) = sans.collect::<Option<Vec<San>>>() else {
        return Turns::Unknown;
    };
    let has_capture = sans.iter().any(|san| san.capture);
    match turns(&sans) {
        Turns::Clear(sides) if has_capture && sides.first() == Some(&Side::Black) => Turns::Unknown,
        Turns::Either if has_capture => Turns::Unknown,
        known => known,
    }
}

/// A move as games are written.
enum Written {
    San(San),
    /// `o-o` or `o-o-o`
    Castling(&'static str),
}

impl Written {
    /// Returns the move as games are written, with the sign of a target such as `(check)`.
    fn plain(&self, target: Option<&str>) -> Option<String> {
        let sign = match target {
            None => "",
            Some("(mate)") => "#",
            Some(_) => "+",
        };
        Some(match self {
            Written::San(san) => san.plain()? + sign,
            Written::Castling(word) => word.to_uppercase() + sign,
        })
    }

    /// Returns the move in CQL, with a target such as `(check)`.
    fn cql(&self, side: Side, target: Option<&str>) -> String {
        let target = target.unwrap_or_default();
        match self {
            Written::San(san) => san.cql(side) + target,
            Written::Castling(word) => {
                let king = if side == Side::White { 'K' } else { 'k' };
                let target = target.trim_matches(['(', ')']);
                let blank = if target.is_empty() { "" } else { " " };
                format!("{king}--({word}{blank}{target})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, Source, parse};

    #[test]
    fn moves_are_the_same_in_every_spelling() {
        let help = |text: &str| {
            let source = Source { name: "", text: text.as_bytes() };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let found = parsed.diagnostics.iter().find(|d| d.code == "E0114");
            found.and_then(|d| d.help.clone())
        };
        let ascii = help("cql() 1.e4 e5 2.Nf3 a3 3.e8=Q");
        assert!(ascii.as_ref().is_some_and(|help| help.contains("N--f3")));
        assert_eq!(help("cql() 1▦e4 e5 2▦♘f3 a3 3▦e8=♕"), ascii);
        assert_eq!(help("cql() 1.e4 e5 2.[N]f3 a3 3.e8=[Q]"), ascii);
        assert_eq!(help("cql() 1.4 e5 2.♘f3"), help("cql() 1.4 e5 2.Nf3"));
    }
}
