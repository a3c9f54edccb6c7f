//! Phrases that several filters share.

use super::names::{is_king, one_piece, pieces, place, roles};
use super::{Explainer, Sentence, Use, Words, is_short};
use crate::designator::PieceSet;
use crate::tree::{
    Arithmetic, Change, Color, Filter, FilterKind as K, Imagine, Promotion, Relation, Slice,
    SquareLoop, Type,
};

/// Puts operands into the placeholders of a sentence.
pub(super) fn filled(sentence: &str, operands: &[String; 2]) -> String {
    let mut words = String::new();
    let mut operands = operands.iter();
    for (i, part) in sentence.split("{}").enumerate() {
        if i > 0 {
            words.extend(operands.next().map(String::as_str));
        }
        words += part;
    }
    words
}

/// Returns the opposite of the claim of a filter.
pub(super) fn negated(filter: &Filter, claim: &str) -> String {
    let whole = format!("it is not so that {claim}");
    if is_compound(filter) || [", and ", ", or "].iter().any(|joint| claim.contains(joint)) {
        return whole;
    }
    // The noun of a set may begin with "no squares".
    if let Some(things) = claim.strip_prefix("there are no ").filter(|_| filter.ty != Type::Set) {
        return format!("there are {things}");
    }
    let is_number = |things: &str| {
        ["at ", "more ", "fewer ", "exactly ", "no ", "none "]
            .iter()
            .any(|word| things.starts_with(word))
    };
    if let Some(things) = claim.strip_prefix("there are ").filter(|things| !is_number(things)) {
        return format!("there are no {things}");
    }
    if let Some(thing) = claim.strip_prefix("there is a ") {
        return format!("there is no {thing}");
    }
    if let Some(how) = claim.strip_prefix("the game ended ") {
        return format!("the game did not end {how}");
    }
    for (verb, denied) in
        [(" attacks ", " does not attack "), (" is attacked by ", " is not attacked by ")]
    {
        // At another position, the position may be what is not there.
        let is_here = !claim.starts_with("at ");
        if let Some((one, other)) = claim.split_once(verb).filter(|_| is_here) {
            return format!("{one}{denied}{other}");
        }
    }
    for subject in ["the side to move is ", "the white king is ", "the black king is "] {
        if let Some(rest) = claim.strip_prefix(subject) {
            return match rest.strip_prefix("not ") {
                Some(rest) => format!("{subject}{rest}"),
                None => format!("{subject}not {rest}"),
            };
        }
    }
    whole
}

/// Whether the claim of a filter joins several claims.
fn is_compound(filter: &Filter) -> bool {
    match &filter.kind {
        K::And(_) | K::Or(_) => true,
        K::Block(items) => match items.as_slice() {
            [only] => is_compound(only),
            _ => true,
        },
        _ => false,
    }
}

/// Returns a string with quotes for a sentence.
pub(super) fn quoted(text: &[u8]) -> String {
    match text {
        b"\n" => "a line break".to_owned(),
        _ => format!("\"{}\"", String::from_utf8_lossy(text)),
    }
}

impl Explainer<'_> {
    pub(super) fn block(&mut self, items: &[Filter], ty: Type, used: Use) -> Words {
        if let [only] = items {
            return self.words(only, used);
        }
        for item in items {
            self.condition("", item);
        }
        let claim = "all of these hold:";
        if used == Use::Condition || ty == Type::Boolean {
            return Words::condition(claim);
        }
        self.below.pop();
        if let Some(last) = items.last() {
            self.noun("value", last);
        }
        Words::value(ty, "if all of these hold, the value of the last:")
    }

    /// Explains `imagine … : F`.
    pub(super) fn imagine(&mut self, imagine: &Imagine, ty: Type, used: Use) -> Words {
        let changes = imagine.changes.iter().map(|change| self.change(change));
        let changes = changes.collect::<Vec<String>>().join(", ");
        self.either("then", &imagine.body, used);
        Words::heading(ty, &format!("with {changes}:"))
    }

    fn change(&mut self, change: &Change) -> String {
        match change {
            Change::Place(man, on) => format!("{} placed on {}", pieces(*man), self.operand(on)),
            Change::Remove(squares) => format!("{} removed", self.operand(squares)),
            Change::Turn(Some(Color::White)) => "White to move".to_owned(),
            Change::Turn(Some(Color::Black)) => "Black to move".to_owned(),
            Change::Turn(None) => "the other side to move".to_owned(),
            Change::Castling(0) => "no castling rights".to_owned(),
            Change::Castling(bits) => {
                let letters = "KQkq".chars().enumerate();
                let letters = letters.filter(|(bit, _)| bits >> bit & 1 == 1);
                let letters: String = letters.map(|(_, letter)| letter).collect();
                format!("the castling rights {letters}")
            }
            Change::EnPassant(squares) => {
                format!("{} as the en passant square", self.operand(squares))
            }
        }
    }

    pub(super) fn list(&mut self, items: &[Filter], word: &str, otherwise: &str) -> Words {
        let all: Vec<(String, Vec<Sentence>)> = items
            .iter()
            .map(|item| self.words_of(item, Use::Condition).said(Use::Condition))
            .collect();
        if let [(first, below_first), (last, below_last)] = all.as_slice() {
            let inline = [first.as_str(), last].join(word);
            if below_first.is_empty() && is_short(&inline, below_last) {
                return Words::condition(inline);
            }
        }
        for (item, (claim, below)) in items.iter().zip(all) {
            self.add(String::new(), claim, item, below);
        }
        Words::condition(otherwise)
    }

    pub(super) fn relation(
        &mut self,
        op: Relation,
        left: &Filter,
        right: &Filter,
        ty: Type,
    ) -> Words {
        let verb = match (op, left.ty) {
            (Relation::Less, Type::Position) => "has a smaller id than",
            (Relation::Greater, Type::Position) => "has a greater id than",
            (Relation::LessEqual, Type::Position) => "has at most the number of",
            (Relation::GreaterEqual, Type::Position) => "has at least the number of",
            (Relation::Less, _) => "is less than",
            (Relation::LessEqual, _) => "is at most",
            (Relation::Greater, _) => "is greater than",
            (Relation::GreaterEqual, _) => "is at least",
            (Relation::Equal, Type::Set) if !self.is_square(left) => "are the same squares as",
            (Relation::NotEqual, Type::Set) if !self.is_square(left) => {
                "are not the same squares as"
            }
            (Relation::Equal, _) => "is",
            (Relation::NotEqual, _) => "is not",
            (Relation::Ancestor, _) => "comes before",
            (Relation::AncestorEqual, _) => "is, or comes before,",
            (Relation::Descendant | Relation::DescendantEqual, _) => "comes after",
        };
        if let (K::Cardinality(counted), K::Number(n)) = (&left.kind, &right.kind) {
            return self.relation_of_number(op, counted, *n, verb, ty);
        }
        // as in `2 <= #R`
        if let (K::Number(n), K::Cardinality(counted)) = (&left.kind, &right.kind)
            && let Some((op, verb)) = turned(op)
        {
            return self.relation_of_number(op, counted, *n, verb, ty);
        }
        let (left, right) = (self.value(left), self.value(right));
        let noun = format!("{left}, which {verb} {right}");
        Words::either(ty, noun, format!("{left} {verb} {right}"))
    }

    /// Explains a relation between the number of some things and a constant.
    fn relation_of_number(
        &mut self,
        op: Relation,
        counted: &Filter,
        n: i32,
        verb: &str,
        ty: Type,
    ) -> Words {
        let one = match counted.kind {
            K::Designator(d) => one_piece(d.pieces).map(|one| one + &place("on", d.squares)),
            _ => None,
        };
        let one = one.as_deref().and_then(|one| one.split_once(' '));
        let things = self.value(counted);
        let of = if things.starts_with("the ") { "of " } else { "" };
        let claim = match (op, n, one) {
            (Relation::Equal, 0, _) if of.is_empty() => format!("there are no {things}"),
            (Relation::Equal, 0, _) => format!("there are none {of}{things}"),
            (Relation::Equal, 1, Some((_, one))) => format!("there is exactly one {one}"),
            (Relation::Equal, ..) => format!("there are exactly {n} {of}{things}"),
            (Relation::LessEqual, 1, Some((_, one))) => format!("there is at most one {one}"),
            (Relation::GreaterEqual, 1, Some((_, one))) => format!("there is at least one {one}"),
            (Relation::Less, ..) => format!("there are fewer than {n} {of}{things}"),
            (Relation::LessEqual, ..) => format!("there are at most {n} {of}{things}"),
            (Relation::Greater, ..) => format!("there are more than {n} {of}{things}"),
            (Relation::GreaterEqual, ..) => format!("there are at least {n} {of}{things}"),
            _ => format!("the number of {things} {verb} {n}"),
        };
        Words::either(ty, format!("the number of {things}, which {verb} {n}"), claim)
    }

    pub(super) fn square_loop(&mut self, square_loop: &SquareLoop, ty: Type) -> Words {
        let SquareLoop { variable, piece, all, domain, body } = square_loop;
        let domain = self.value(domain);
        let name = self.variable(*variable);
        self.condition("", body);
        let thing = if *piece { "piece" } else { "square" };
        match (all, ty) {
            (true, _) => {
                Words::condition(format!("this holds for every {thing} {name} of {domain}:"))
            }
            (false, Type::Boolean) => {
                Words::condition(format!("this holds for a {thing} {name} of {domain}:"))
            }
            (false, _) => {
                Words::value(ty, format!("each {thing} {name} of {domain} for which this holds:"))
                    .saying(format!("this holds for at least one {thing} {name} of {domain}:"))
            }
        }
    }

    /// Returns the noun for an operand on which something acts: `the black king` in place of `black
    /// kings`.
    pub(super) fn object(&mut self, filter: &Filter) -> String {
        match &filter.kind {
            K::Designator(d) if is_king(d.pieces) => {
                one_piece(d.pieces).unwrap_or_default() + &place("on", d.squares)
            }
            _ => self.operand(filter),
        }
    }

    /// Whether a filter is the square of a move.
    pub(super) fn is_square(&self, filter: &Filter) -> bool {
        matches!(filter.kind, K::Nullary(word) if word.row().says.starts_with("the square "))
    }

    /// Returns the subject of a verb in the singular, if the filter is one square or a variable.
    pub(super) fn single(&mut self, filter: &Filter) -> Option<String> {
        match &filter.kind {
            K::Variable(_) => Some(self.operand(filter)),
            _ if self.is_square(filter) => Some(format!("the piece on {}", self.operand(filter))),
            _ => None,
        }
    }

    /// Explains `A & B & C`: `white pawns on rank 5 that are also passed pawns`.
    pub(super) fn intersection(&mut self, filter: &Filter) -> Words {
        let mut parts = Vec::new();
        let mut rest = filter;
        while let K::Intersect(a, b) = &rest.kind {
            parts.push(&**b);
            rest = a;
        }
        let is_square = self.is_square(rest);
        let first = self.operand(rest);
        if let ([part], true) = (parts.as_slice(), is_square)
            && !matches!(part.kind, K::Complement(_))
        {
            let name = self.operand(part);
            return match part.kind {
                K::Variable(_) => Words::value(Type::Set, format!("{first}, if it is in {name}"))
                    .saying(format!("{first} is in {name}")),
                _ => Words::value(Type::Set, format!("{name} on {first}")),
            };
        }
        let (mut places, mut claims) = (Vec::new(), Vec::new());
        for part in parts.into_iter().rev() {
            let (is, part) = match &part.kind {
                K::Complement(part) => ("are not", &**part),
                _ => ("are also", part),
            };
            let is_place = match &part.kind {
                K::Designator(d) => d.pieces == PieceSet::ANYTHING,
                K::Direction { .. } => true,
                _ => false,
            };
            let operand = if is_place { self.value(part) } else { self.operand(part) };
            match is {
                "are also" if is_place || operand.starts_with("the square ") => {
                    places.push(format!(" on {operand}"));
                }
                _ if is_place || operand.starts_with("the square ") => {
                    claims.push(format!("{is} on {operand}"));
                }
                _ => claims.push(format!("{is} {operand}")),
            }
        }
        let place = places.concat();
        if is_square {
            let claims = claims.join(" and ").replace("are ", "is ");
            let claim = if claims.is_empty() { format!("is{place}") } else { claims + &place };
            return Words::value(Type::Set, format!("{first}, if it {claim}"))
                .saying(format!("{first} {claim}"));
        }
        let claims = claims.join(" and ");
        let that = if claims.is_empty() { "" } else { " that " };
        Words::value(Type::Set, format!("{first}{place}{that}{claims}"))
    }

    /// Returns a word followed by an operand.
    pub(super) fn of(&mut self, ty: Type, word: &str, operand: &Filter) -> Words {
        Words::simple(ty, format!("{word} {}", self.operand(operand)))
    }

    /// Returns a word between two operands.
    pub(super) fn infix(&mut self, ty: Type, left: &Filter, word: &str, right: &Filter) -> Words {
        let (left, right) = (self.operand(left), self.operand(right));
        Words::value(ty, format!("{left} {word} {right}"))
    }

    /// Describes the text that a list of items prints.
    pub(super) fn text_of(&mut self, items: &[Filter]) -> String {
        let items: Vec<String> = items.iter().map(|item| self.value(item)).collect();
        items.join(", ")
    }

    /// Describes the part of a string that a slice selects.
    pub(super) fn part_of_text(&mut self, slice: &Slice) -> String {
        match slice {
            Slice::Index(index) => format!("character {}", self.operand(index)),
            Slice::Range(from, to) => {
                let from = from.as_ref().map_or("0".to_owned(), |from| self.operand(from));
                match to {
                    Some(to) => format!("the part from {from} up to {}", self.operand(to)),
                    None => format!("the part from {from} on"),
                }
            }
        }
    }

    /// Describes a promotion.
    pub(super) fn promotion(&mut self, promotion: &Promotion) -> String {
        match promotion {
            Promotion::Any => "any promotion".to_owned(),
            Promotion::Roles(bits) => format!("a promotion to {}", roles(*bits)),
            Promotion::Text(text) => {
                format!("a promotion to one of the letters {}", self.operand(text))
            }
        }
    }
}

/// Returns the relation of the right side to the left one, with its verb.
fn turned(op: Relation) -> Option<(Relation, &'static str)> {
    Some(match op {
        Relation::Less => (Relation::Greater, "is greater than"),
        Relation::LessEqual => (Relation::GreaterEqual, "is at least"),
        Relation::Greater => (Relation::Less, "is less than"),
        Relation::GreaterEqual => (Relation::LessEqual, "is at most"),
        _ => return None,
    })
}

pub(super) fn arithmetic(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "plus",
        Arithmetic::Subtract => "minus",
        Arithmetic::Multiply => "times",
        Arithmetic::Divide => "divided by",
        Arithmetic::Modulo => "modulo",
    }
}
