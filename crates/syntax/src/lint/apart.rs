//! Warns of signs and words apart from what they were meant to belong to.

use super::Linter;
use super::place::Enclosure;
use crate::builtin::{MoveEnd, Nullary};
use crate::designator::{Designator, PieceSet};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::tree::{
    Constituent, Dash, Filter, FilterKind, MoveFilter, MoveMode, MoveValue, Path, Pin, Repeat,
};

/// The signs of a capture.
const CAPTURES: [&str; 2] = ["[x]", "×"];

/// The signs of a move.
const SIGNS: [&str; 4] = ["[x]", "×", "--", "――"];

impl Linter<'_> {
    /// Warns of `Q [x] r`, of `[x] Q` and of `pin Q to K`.
    pub(super) fn parts_of_a_row(&mut self, row: &[&Filter], kind: Enclosure) {
        // A path has its moves apart from the row of the filters after them.
        let (signs, first): (&[&str], _) = match kind {
            Enclosure::Path => (&CAPTURES, row.first().copied()),
            _ => (&SIGNS, None),
        };
        let after_moves = row.windows(2).enumerate().filter(|(at, pair)| {
            let is_piece = |before: usize| self.is_man_beside(row[before], pair[0]);
            let is_move = matches!(
                pair[0].kind,
                FilterKind::Dash(_) | FilterKind::CurrentMove(_) | FilterKind::Legal(_)
            );
            is_move && !at.checked_sub(1).is_some_and(is_piece)
        });
        let pieces: Vec<&Filter> = after_moves.map(|(_, pair)| pair[1]).chain(first).collect();
        for piece in pieces {
            self.piece_apart(piece, signs);
        }
        for (at, pair) in row.windows(2).enumerate() {
            let next = row.get(at + 2).map(|next| &next.kind);
            if !matches!(next, Some(FilterKind::Nullary(Nullary::MoveEnd(_)))) {
                self.piece_after_move(pair[0], pair[1]);
            }
        }
        for parts in row.windows(3) {
            let &[first, middle, last] = parts else {
                continue;
            };
            if !self.is_one_line(first.span, last.span) {
                continue;
            }
            match (&first.kind, &middle.kind, &last.kind) {
                (
                    FilterKind::Designator(from),
                    FilterKind::Dash(dash),
                    FilterKind::Designator(_),
                ) if kind != Enclosure::Path && from.has_pieces && is_bare(dash) => {
                    self.sign_apart(first, middle, last);
                }
                (
                    FilterKind::Pin(_) | FilterKind::Move(_),
                    FilterKind::Designator(_),
                    FilterKind::Nullary(Nullary::MoveEnd(end)),
                ) => self.word_left_out(first, middle, *end),
                _ => {}
            }
        }
    }

    /// Whether a filter is a set of pieces, on the same line of the text as another filter.
    fn is_man_beside(&self, filter: &Filter, other: &Filter) -> bool {
        matches!(&filter.kind, FilterKind::Designator(set) if set.has_pieces)
            && self.is_one_line(filter.span.min(other.span), filter.span.max(other.span))
    }

    /// Warns of a piece after a blank with one of these signs before it, as in `[x] Q`.
    fn piece_apart(&mut self, piece: &Filter, signs: &[&str]) {
        let FilterKind::Designator(Designator { has_pieces: true, has_squares: false, .. }) =
            piece.kind
        else {
            return;
        };
        let before = self.text(Span { start: 0, end: piece.span.start, ..piece.span });
        let signed = before.trim_end_matches([' ', '\t']);
        let Some(sign) = signs.iter().find(|sign| signed.ends_with(**sign)) else {
            return;
        };
        if signed.len() == before.len() {
            return;
        }
        let span = Span { start: (signed.len() - sign.len()) as u32, ..piece.span };
        let name = self.text(piece.span);
        let text = format!("{sign}{name}");
        let message = format!(
            "with a blank after it, `{sign}` is any such move, and `{name}` is a condition of its \
             own"
        );
        let warning = Diagnostic::warning("W0421", span, message)
            .with_help(format!("a move touches its sign: `{text}`"))
            .with_edit(span, text);
        self.warnings.push(warning);
    }

    fn sign_apart(&mut self, from: &Filter, sign: &Filter, to: &Filter) {
        let (left, sign_text, right) =
            (self.text(from.span), self.text(sign.span), self.text(to.span));
        let text = format!("{left}{sign_text}{right}");
        let message = format!(
            "with blanks around it, `{sign_text}` is any such move, and `{left}` and `{right}` are \
             conditions before it"
        );
        let warning = Diagnostic::warning("W0421", sign.span, message)
            .with_help(format!("a move touches its sign: `{text}`"))
            .with_edit(from.span.to(to.span), text);
        self.warnings.push(warning);
    }

    /// Warns of `move Nf3`.
    fn piece_after_move(&mut self, first: &Filter, piece: &Filter) {
        let is_move = matches!(first.kind, FilterKind::Move(_)) && self.text(first.span) == "move";
        if !is_move || !self.is_man_beside(piece, first) {
            return;
        }
        let text = self.text(piece.span);
        let mended = match text.as_bytes() {
            [man @ .., b'a'..=b'h', b'1'..=b'8'] if is_one_square(piece) => {
                let (man, square) = text.split_at(man.len());
                format!("{man}--{square}")
            }
            _ => format!("move from {text}"),
        };
        let message =
            format!("`{text}` is no part of `move`, but a condition of its own before the move");
        let warning = Diagnostic::warning("W0422", piece.span, message)
            .with_help(format!("the move is `{mended}`"))
            .with_edit(first.span.to(piece.span), mended);
        self.warnings.push(warning);
    }

    fn word_left_out(&mut self, first: &Filter, set: &Filter, end: MoveEnd) {
        let (word, missing) = match &first.kind {
            FilterKind::Pin(Pin { from: None, through: None, to: None, .. }) => {
                ("pin", if end == MoveEnd::To { "through" } else { "to" })
            }
            FilterKind::Move(filter) if is_any_move(filter) => {
                ("move", if end == MoveEnd::To { "from" } else { "to" })
            }
            _ => return,
        };
        let set_text = self.text(set.span);
        let message = format!("`{set_text}` is no part of `{word}`, but a condition of its own");
        let help = format!("a word says which part it is: `{word} {missing} {set_text} …`");
        let text = format!("{missing} {set_text}");
        let warning = Diagnostic::warning("W0422", set.span, message)
            .with_help(help)
            .with_edit(set.span, text);
        self.warnings.push(warning);
    }

    /// Warns of `pin B n q`, whose sets are conditions of their own.
    pub(super) fn pin_beside_sets(&mut self, row: &[&Filter]) {
        for (at, filter) in row.iter().enumerate() {
            let FilterKind::Pin(Pin { from: None, through: None, to: None, .. }) = &filter.kind
            else {
                continue;
            };
            let sets = row[at + 1..].iter().zip(&row[at..]);
            let sets = sets.take_while(|(set, before)| self.is_man_beside(set, before));
            let sets: Vec<&Filter> = sets.map(|(set, _)| *set).collect();
            let [first, .., end] = &sets[..] else {
                continue;
            };
            let message = "these sets are no parts of `pin`, but conditions of their own";
            let whole = filter.span.to(end.span);
            let warning = Diagnostic::warning("W0422", first.span.to(end.span), message);
            self.warnings.push(match sets[..] {
                [from, through, to] => {
                    let [from, through, to] = [from, through, to].map(|set| self.text(set.span));
                    let text = format!("pin from {from} through {through} to {to}");
                    warning
                        .with_help(format!("a pin of one piece to another is `{text}`"))
                        .with_edit(whole, text)
                }
                _ => warning.with_help("a word stands before each: `pin from B through n to q`"),
            });
        }
    }

    /// Warns of `Q or R -> k`, in which only the rook attacks, and of `N attacks k and r`.
    pub(super) fn piece_beside_an_attack(&mut self, filter: &Filter) {
        let (sides, is_or) = match &filter.kind {
            FilterKind::Or(sides) => (sides, true),
            FilterKind::And(sides) => (sides, false),
            _ => return,
        };
        for (at, pair) in sides.windows(2).enumerate() {
            let [left, right] = pair else {
                continue;
            };
            match (parts(left, is_or), parts(right, is_or)) {
                ((None, None), (Some(first), last)) if is_or => {
                    self.sets_beside(sides[..=at].iter().rev(), first, last.is_none());
                }
                ((first, Some(last)), (None, None)) if is_or => {
                    self.sets_beside(sides[at + 1..].iter(), last, first.is_none());
                }
                ((None, None), (Some(first), Some(last))) => {
                    let sign = self.after(first.span, last.span);
                    let set = self.text(left.span);
                    let text = format!("{set}{sign} and {}", self.text(right.span));
                    self.set_and(left, first, left.span.to(right.span), text);
                }
                ((Some(first), Some(last)), (None, None)) => {
                    let sign = self.after(first.span, left.span);
                    let Some(before) = sign.strip_suffix(self.text(last.span)) else {
                        continue;
                    };
                    let (piece, set) = (self.text(first.span), self.text(right.span));
                    let text = format!("({}) & ({piece}{before}{set})", self.text(left.span));
                    self.set_and(right, last, left.span.to(right.span), text);
                }
                _ => {}
            }
        }
    }

    /// Returns the text from the end of `first` to the end of `whole`.
    fn after(&self, first: Span, whole: Span) -> &str {
        self.text(Span { start: first.end, ..whole })
    }

    /// Warns of sets, the nearest first, that `or` does not join to the one in an attack, a move or
    /// a pin. `needs_letters` tells whether only plain pieces are reported.
    fn sets_beside<'f>(
        &mut self,
        mut sets: impl Iterator<Item = &'f Filter>,
        joined: &'f Filter,
        needs_letters: bool,
    ) {
        let Some(set) = sets.next() else {
            return;
        };
        let (FilterKind::Designator(a), FilterKind::Designator(b)) = (&set.kind, &joined.kind)
        else {
            return;
        };
        let are_letters = self.man(set).is_some() && self.man(joined).is_some();
        if !(a.has_pieces && b.has_pieces) || needs_letters && !are_letters {
            return;
        }
        let others = sets.take_while(|other| are_letters && self.man(other).is_some());
        let mut all: Vec<&Filter> = [joined, set].into_iter().chain(others).collect();
        let whole = all.iter().fold(joined.span, |whole, one| whole.to(one.span));
        all.sort_by_cached_key(|one| one.span.beginning());
        let texts: Vec<&str> = all.iter().map(|one| self.text(one.span)).collect();
        let union = if are_letters {
            format!("[{}]", texts.concat())
        } else {
            format!("({})", texts.join(" | "))
        };
        // Parentheses and comments between them stay.
        let is_plain = all.windows(2).all(|pair| match pair {
            [left, right] => self.between(left.span, right.span).trim() == "or",
            _ => true,
        });
        let message = format!(
            "`or` joins conditions: this is true wherever there is `{}`",
            self.text(set.span)
        );
        let mut warning = Diagnostic::warning("W0423", set.span, message)
            .with_help(format!("either is one set: `{union}`"));
        if is_plain {
            warning = warning.with_edit(whole, union);
        }
        self.warnings.push(warning);
    }

    /// Warns of a piece that `and` does not join to the one in an attack.
    fn set_and(&mut self, set: &Filter, joined: &Filter, whole: Span, text: String) {
        let (Some(name), Some(_)) = (self.man(set), self.man(joined)) else {
            return;
        };
        let message =
            format!("`and` joins conditions: `{name}` is true wherever there is such a piece");
        let warning = Diagnostic::warning("W0423", set.span, message)
            .with_help(format!("each attack is written out: `{text}`"))
            .with_edit(whole, text);
        self.warnings.push(warning);
    }

    /// Warns of `path Q[x]f7+`, in which `+` is a repetition.
    pub(super) fn check_as_repetition(&mut self, path: &Path) {
        if !path.flags.single_color && path.focus.is_none() {
            self.marks(&path.constituents);
        }
    }

    fn marks(&mut self, items: &[Constituent]) {
        for item in items {
            let dash = match item {
                Constituent::Group { members, .. } => {
                    self.marks(members);
                    continue;
                }
                Constituent::Dash { dash, repeat: Some(Repeat::Plus), .. } => dash,
                _ => continue,
            };
            if let (Some(left), Some(right)) = (&dash.left, &dash.right)
                && let (FilterKind::Designator(piece), FilterKind::Designator(square)) =
                    (&left.kind, &right.kind)
                && is_of_one_side(piece.pieces)
                && square.squares.count_ones() == 1
                && let Some(sign) = self.sign_after(right.span)
            {
                let message = "as a repetition, this is one move: the other side moves next";
                let warning = Diagnostic::warning("W0424", sign, message)
                    .with_help("a move that gives check is `--(check)`")
                    .with_edit(sign, "(check)");
                self.warnings.push(warning);
            }
        }
    }

    /// Returns the span of a `+` that touches a move, which ends with this square or with a
    /// promotion after it.
    fn sign_after(&self, square: Span) -> Option<Span> {
        let text = self.texts.get(usize::from(square.source.0))?;
        let after = text.get(square.end as usize..)?;
        let is_promotion = |byte: &u8| byte.is_ascii_alphabetic() || b"=[].".contains(byte);
        let length = after.iter().take_while(|byte| is_promotion(byte)).count();
        let start = square.end + u32::try_from(length).ok()?;
        (after.get(length) == Some(&b'+')).then_some(Span { start, end: start + 1, ..square })
    }
}

/// Whether a dash is only its sign.
fn is_bare(dash: &Dash) -> bool {
    dash.left.is_none()
        && dash.right.is_none()
        && dash.promotion.is_none()
        && dash.target.is_empty()
}

fn is_any_move(filter: &MoveFilter) -> bool {
    filter.mode == MoveMode::Next && filter.value == MoveValue::Match && filter.comment.is_none()
}

fn is_one_square(filter: &Filter) -> bool {
    matches!(&filter.kind, FilterKind::Designator(set) if set.squares.count_ones() == 1)
}

fn is_of_one_side(pieces: PieceSet) -> bool {
    PieceSet::WHITE.contains(pieces) || PieceSet::BLACK.contains(pieces)
}

/// Returns the first and the last set of a condition that ends with a set: an attack, and if
/// `with_moves`, a move or a pin.
fn parts(filter: &Filter, with_moves: bool) -> (Option<&Filter>, Option<&Filter>) {
    match &filter.kind {
        FilterKind::Attacks(left, right) | FilterKind::AttackedBy(left, right) => {
            (Some(left), Some(right))
        }
        FilterKind::Dash(dash)
            if with_moves && dash.target.is_empty() && dash.promotion.is_none() =>
        {
            (None, dash.right.as_deref())
        }
        FilterKind::Pin(pin) if with_moves => {
            let parts = [&pin.from, &pin.through, &pin.to].into_iter().flatten();
            (None, parts.map(|part| &**part).max_by_key(|part| part.span.end))
        }
        _ => (None, None),
    }
}
