//! Explains moves, paths and lines.

use super::names::{one_piece, place, roles, squares};
use super::{Explainer, Sentence, Use, Words, sentence_of};
use crate::designator::Designator;
use crate::span::Span;
use crate::tree::{
    Constituent, Countable, Dash, Filter, FilterKind, LegalDash, LegalTarget, Line,
    LineConstituent, LineItem, MoveFilter, MoveMode, MoveValue, Path, Promotion, Repeat, TriedDash,
    Type, Unplayed,
};

impl Explainer<'_> {
    /// Explains `L--R=P(T)`, or the same pattern for the move that led here.
    pub(super) fn dash(&mut self, dash: &Dash, ty: Type, used: Use, is_current: bool) -> Words {
        let kind = self.kind_of_move(dash);
        let claim = match (deed(dash, is_current), is_current) {
            (Some(deed), true) => format!("the last move: {deed}"),
            (Some(deed), false) => format!("the next move: {deed}"),
            (None, true) => format!("the move that led here was {kind}"),
            (None, false) => format!("the game goes on with {kind}"),
        };
        if dash.target.is_empty() {
            return Words::condition(claim);
        }
        let (first, last) = dash.target.split_at(dash.target.len() - 1);
        for target in first {
            self.condition("after it", target);
        }
        for target in last {
            self.either("after it", target, used);
        }
        let noun = format!("the value after {kind}:");
        Words::either(ty, noun, format!("{claim}, and after it:"))
    }

    /// Returns a noun such as `a capture by white rooks of black pawns`.
    fn kind_of_move(&mut self, dash: &Dash) -> String {
        let article_and_noun = if dash.capture { "a capture" } else { "a move" };
        self.moves_called(article_and_noun.to_owned(), dash)
    }

    /// Returns a noun such as `legal captures by white rooks of black pawns`.
    fn kind_of_tried(&mut self, tried: &TriedDash, several: bool) -> String {
        let noun = if tried.dash.capture { "capture" } else { "move" };
        let ending = if several { "s" } else { "" };
        let noun = match tried.moves {
            Unplayed::Reverse => format!("{noun}{ending} backward"),
            _ => format!("{} {noun}{ending}", tried.moves.word()),
        };
        self.moves_called(noun, &tried.dash)
    }

    /// Returns the noun with the conditions of a dash on its moves.
    fn moves_called(&mut self, noun: String, dash: &Dash) -> String {
        let mut text = noun;
        if let Some(left) = &dash.left {
            text += &format!(" by {}", self.operand(left));
        }
        if let Some(right) = &dash.right {
            let word = if dash.capture { "of" } else { "to" };
            text += &format!(" {word} {}", self.operand(right));
        }
        if let Some(promotion) = &dash.promotion {
            text += &format!(" with {}", self.promotion(promotion));
        }
        text
    }

    fn kind_of_legal(&mut self, dash: &LegalDash) -> String {
        let mut text = if dash.pseudo { "moves" } else { "legal moves" }.to_owned();
        if let Some(left) = &dash.left {
            text += &format!(" by {}", self.operand(left));
        }
        if let Some(right) = &dash.right {
            text += &format!(" to {}", self.operand(right));
        }
        if let Some(target) = dash.target {
            text += &format!(" that are {}", special(target));
        }
        if dash.pseudo {
            text += if dash.target.is_some() { " and" } else { " that are" };
            text += " legal but for a king left in check";
        }
        text
    }

    pub(super) fn legal(&mut self, dash: &LegalDash) -> Words {
        let kind = self.kind_of_legal(dash);
        Words::value(Type::Set, format!("the squares to which {kind} go"))
            .saying(format!("there are {kind}"))
    }

    /// Explains `legal L--R=P(T)` or `legal all L--R=P(T)`.
    pub(super) fn tried(&mut self, tried: &TriedDash, ty: Type, used: Use) -> Words {
        let kind = self.kind_of_tried(tried, false);
        let Some((last, conditions)) = tried.dash.target.split_last() else {
            return Words::simple(ty, format!("there is a {kind}"));
        };
        let place = side_of(tried);
        for target in conditions {
            self.condition(place, target);
        }
        if tried.all || ty == Type::Boolean {
            self.condition(place, last)
        } else {
            self.either(place, last, used)
        }
        let claim = if tried.all {
            format!("whatever {kind} is tried, {place}:")
        } else {
            format!("there is a {kind}, and {place}:")
        };
        let side = if tried.moves == Unplayed::Reverse { "before" } else { "after" };
        let noun = match ty {
            Type::Set => format!("all that are found {side} a {kind}:"),
            _ => format!("the value {side} the first {kind} that has one:"),
        };
        Words::either(ty, noun, claim)
    }

    pub(super) fn count_moves(&mut self, countable: &Countable) -> Words {
        let noun = match countable {
            Countable::Played(dash) | Countable::PlayedFromParent(dash) => {
                let kind = self.kind_of_move(dash);
                for target in &dash.target {
                    self.condition("after it", target);
                }
                let place = match countable {
                    Countable::PlayedFromParent(_) => "the position before",
                    _ => "here",
                };
                format!("the number of ways in which the game goes on from {place} with {kind}")
            }
            Countable::Legal(dash) => {
                format!("the number of {}", self.kind_of_legal(dash))
            }
            Countable::Tried(tried) => {
                let kind = self.kind_of_tried(tried, true);
                for target in &tried.dash.target {
                    self.condition(side_of(tried), target);
                }
                match (tried.moves, tried.dash.target.as_slice()) {
                    (_, []) => format!("the number of {kind}"),
                    (Unplayed::Reverse, _) => {
                        format!("the number of {kind} before which this holds")
                    }
                    _ => format!("the number of {kind} after which this holds"),
                }
            }
        };
        Words::simple(Type::Numeric, noun)
    }

    /// Explains `move …` of CQL 6.0.
    pub(super) fn move_filter(&mut self, filter: &MoveFilter, ty: Type) -> Words {
        let MoveFilter {
            mode,
            value,
            from,
            to,
            capture,
            promote,
            en_passant,
            en_passant_square,
            castle,
            null,
            primary,
            secondary,
            comment,
        } = filter;
        let mut kind = String::new();
        for (word, operand) in [
            ("from", from),
            ("to", to),
            ("that takes", capture),
            ("that takes en passant", en_passant_square),
        ] {
            if let Some(operand) = operand {
                kind += &format!(" {word} {}", self.operand(operand));
            }
        }
        if let Some(bits) = promote {
            kind += &format!(" with a promotion to {}", roles(*bits));
        }
        if *en_passant && en_passant_square.is_none() {
            kind += " that takes en passant";
        }
        if let Some(castle) = castle {
            kind += &format!(" that is {}", special(*castle));
        }
        if *null {
            kind += " that is a null move";
        }
        if *primary {
            kind += " that is the main continuation";
        }
        if *secondary {
            kind += " that begins a variation";
        }
        if let Some(comment) = comment {
            self.condition("after it", comment);
        }
        let claim = match mode {
            MoveMode::Next => format!("the game goes on with a move{kind}"),
            MoveMode::Previous => format!("the move that led here was one{kind}"),
            MoveMode::Legal => format!("there is a legal move{kind}"),
            MoveMode::Pseudolegal => {
                format!("there is a move{kind} that is legal but for a king left in check")
            }
        };
        let noun = match value {
            MoveValue::Match => return Words::condition(claim),
            MoveValue::From => format!("where such moves come from: {claim}"),
            MoveValue::To => format!("where such moves go: {claim}"),
            MoveValue::Capture => format!("what such moves take: {claim}"),
            MoveValue::Count => format!("the number of such moves: {claim}"),
        };
        Words::value(ty, noun).saying(claim)
    }

    pub(super) fn path(&mut self, path: &Path, ty: Type) -> Words {
        let mut notes = Vec::new();
        if let Some(focus) = &path.focus {
            let operand = self.object(focus);
            notes.push(if path.flags.focus_capture {
                format!("only captures of {operand} count as its moves")
            } else {
                format!("only moves of {operand} count as its moves")
            });
        }
        for (is_set, note) in [
            (path.flags.single_color, "only moves of the side to move count as its moves"),
            (path.flags.primary, "only main continuations are followed"),
            (path.flags.nestban, "no part of an earlier path is searched again"),
            (path.flags.firstmatch, "the first that is found is taken"),
            (path.flags.keepallbest, "all of the best are kept"),
            (path.flags.piecepath, "the squares of its pieces are written down"),
        ] {
            if is_set {
                notes.push(note.to_owned());
            }
        }
        if let Some(max) = &path.max {
            notes.push(format!("the best is that with the greatest {}", self.operand(max)));
        }
        let what = if path.max.is_some() { "value" } else { "number of moves" };
        if let Some(range) = path.range {
            notes.push(format!("its {what} must be {}", self.range(range)));
        }
        for constituent in &path.constituents {
            let sentence = self.constituent(constituent);
            self.below.push(sentence);
        }
        let notes = in_parentheses(&notes);
        let claim = format!("a path begins here{notes}:");
        let noun = match ty {
            Type::Position => format!("the last position of the best path from here{notes}:"),
            _ => format!("the {what} of the best path from here{notes}:"),
        };
        Words::value(ty, noun).saying(claim)
    }

    fn constituent(&self, constituent: &Constituent) -> Sentence {
        match constituent {
            Constituent::Filter(filter) => sentence_of(self.query, filter),
            Constituent::Dash { dash, filters, repeat } => {
                let mut inner = Explainer::new(self.query);
                let kind = deed(dash, false).unwrap_or_else(|| inner.kind_of_move(dash));
                for filter in filters {
                    inner.condition("after it", filter);
                }
                let repeat = repeat.filter(|repeat| *repeat != Repeat::Times { min: 1, max: 1 });
                let times = repeat.map_or(String::new(), |repeat| format!(", {}", times(repeat)));
                let colon = if filters.is_empty() { "" } else { ", and:" };
                let operands = [&dash.left, &dash.right].into_iter().flatten().map(|f| &**f);
                let span = operands.chain(filters).map(|filter| filter.span).next();
                sentence(format!("{kind}{times}{colon}"), span, inner.below)
            }
            Constituent::Group { members, repeat } => {
                let below = members.iter().map(|member| self.constituent(member)).collect();
                let times = repeat.map_or("once".to_owned(), times);
                sentence(format!("{times}, one after the other:"), None, below)
            }
        }
    }

    pub(super) fn line(&mut self, line: &Line, ty: Type) -> Words {
        let mut notes = Vec::new();
        for (is_set, note) in [
            (line.flags.single_color, "only positions with the same side to move count"),
            (line.flags.primary, "only main continuations are followed"),
            (line.flags.secondary, "only variations are followed"),
            (line.flags.nestban, "no part of an earlier line is searched again"),
            (line.flags.firstmatch, "the first that is found is taken"),
        ] {
            if is_set {
                notes.push(note.to_owned());
            }
        }
        if let Some(range) = line.range {
            notes.push(format!("its number of positions must be {}", self.range(range)));
        }
        for constituent in &line.constituents {
            let sentence = self.line_constituent(constituent);
            self.below.push(sentence);
        }
        let notes = in_parentheses(&notes);
        let way = if line.flags.forward { "forward" } else { "backward" };
        let claim = format!("positions follow one another from here {way}{notes}:");
        let noun = match (line.lastposition, ty) {
            (true, _) | (_, Type::Position) => {
                format!("the last of positions that follow one another from here {way}{notes}:")
            }
            _ => format!("the number of positions that follow one another from here {way}{notes}:"),
        };
        Words::value(ty, noun).saying(claim)
    }

    fn line_constituent(&self, constituent: &LineConstituent) -> Sentence {
        let times: Vec<String> = constituent.repeats.iter().map(|&r| times(r)).collect();
        let times = times.join(", and that ");
        match &constituent.item {
            LineItem::Filter(filter) => {
                Sentence { label: times, ..sentence_of(self.query, filter) }
            }
            LineItem::Group(members) => {
                let below = members.iter().map(|m| self.line_constituent(m)).collect();
                let times = if times.is_empty() { "once".to_owned() } else { times };
                sentence(format!("{times}, one after the other:"), None, below)
            }
        }
    }
}

/// Returns a move as a clause: `a white rook captures a black knight on c3`. `None` if its sides are
/// no pieces and squares.
fn deed(dash: &Dash, is_past: bool) -> Option<String> {
    let of = |side: &Option<Box<Filter>>| match side.as_deref().map(|filter| &filter.kind) {
        None => Some(None),
        Some(FilterKind::Designator(designator)) => Some(Some(*designator)),
        Some(_) => None,
    };
    let (left, right) = (of(&dash.left)?, of(&dash.right)?);
    let promotes = match &dash.promotion {
        None => String::new(),
        Some(Promotion::Any) => " and promotes".to_owned(),
        Some(Promotion::Roles(bits)) => format!(" and promotes to a {}", roles(*bits)),
        Some(Promotion::Text(_)) => return None,
    };
    let who = |there: Designator| one_piece(there.pieces);
    let taken = right.map(|there| who(there).unwrap_or_default() + &place("on", there.squares));
    let taken = taken.map(|taken| taken.trim_start().to_owned());
    let clause = match (left, right, dash.capture) {
        (Some(left), _, _) => {
            let mover = who(left)? + &place("from", left.squares);
            match (taken, right, dash.capture) {
                (None, _, true) => format!("{mover} captures{promotes}"),
                (Some(taken), _, true) => format!("{mover} captures {taken}{promotes}"),
                (None, _, false) if promotes.is_empty() => format!("{mover} moves"),
                (None, _, false) => {
                    format!("{mover} promotes{}", &promotes[" and promotes".len()..])
                }
                (Some(_), Some(to), false) => match who(to) {
                    None => format!("{mover} moves to {}{promotes}", squares(to.squares)),
                    Some(there) => {
                        let place = place("on", to.squares);
                        format!("{mover} moves to {there}{place}{promotes}")
                    }
                },
                _ => return None,
            }
        }
        (None, None, true) if promotes.is_empty() => "something is captured".to_owned(),
        (None, Some(there), true) if promotes.is_empty() => match who(there) {
            Some(_) => format!("{} is captured", taken?),
            None => format!("something is captured {}", taken?),
        },
        _ => return None,
    };
    Some(if is_past {
        ["captures", "moves", "promotes"]
            .iter()
            .fold(clause, |clause, verb| {
                clause.replace(verb, &format!("{}d", verb.trim_end_matches('s')))
            })
            .replace("is captured", "was captured")
    } else {
        clause
    })
}

/// Creates a sentence for a part of a path, which is not a filter.
fn sentence(text: String, span: Option<Span>, below: Vec<Sentence>) -> Sentence {
    Sentence {
        label: String::new(),
        text,
        ty: None,
        span: span.or_else(|| below.first()?.span),
        below,
    }
}

/// Returns further properties of a path or line in parentheses.
fn in_parentheses(notes: &[String]) -> String {
    match notes {
        [] => String::new(),
        _ => format!(" ({})", notes.join("; ")),
    }
}

fn times(repeat: Repeat) -> String {
    match repeat {
        Repeat::Optional => "or not".to_owned(),
        Repeat::Star => "any number of times (or not at all)".to_owned(),
        Repeat::Plus => "once or more often".to_owned(),
        Repeat::Times { min, max } => match (min, max) {
            (1, 1) => "once".to_owned(),
            (2, 2) => "twice".to_owned(),
            (0, 1) => "or not".to_owned(),
            (min, max) if min == max => format!("{min} times"),
            (1, 100_000..) => "once or more often".to_owned(),
            (min, 100_000..) => format!("at least {min} times"),
            (0, max) => format!("at most {max} times"),
            (min, max) => format!("{min} to {max} times"),
        },
    }
}

fn special(target: LegalTarget) -> &'static str {
    match target {
        LegalTarget::Castle => "castling",
        LegalTarget::ShortCastle => "castling on the king's side",
        LegalTarget::LongCastle => "castling on the queen's side",
        LegalTarget::EnPassant => "captures en passant",
    }
}

/// Returns where the target of a move that was not played is evaluated, before or after it.
fn side_of(tried: &TriedDash) -> &'static str {
    match tried.moves {
        Unplayed::Reverse => "before it",
        Unplayed::Legal | Unplayed::Pseudolegal => "after it",
    }
}
