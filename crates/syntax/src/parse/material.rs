//! Parses the conditions on the material of both sides that have a name: `material "KRPKR"`,
//! `endgame "rook"`, `phase "opening"`.
//!
//! They are made of other filters, which [`parts`] reads from a short text: `K=1 r>0` is one white
//! king and a black rook or more, and ` | ` stands between alternatives.

use super::error::{Res, code, nearest};
use super::mend::Mend;
use super::parser::Parser;
use super::propose::words::AGAINST;
use crate::builtin::{Keyword, Nullary, NumberSource, SetToNumber, Unary};
use crate::designator::{Designator, PieceSet};
use crate::span::Span;
use crate::token::Symbol;
use crate::tree::{Filter, FilterKind, Relation, Type};

/// The letters of all piece types, and of those other than king and pawn.
const MEN: &str = "KQRBNP";
const PIECES: &str = "QRBN";

/// A name, what it says, and the parts of its condition.
type Class = (&'static str, &'static str, &'static str);

/// Endings by the pieces that are left besides kings and pawns. In a name, `-` stands between what
/// one side and the other have, and `+` between what each of them has.
const ENDGAMES: &[Class] = crate::rows! {
    "pawn", "there are only kings and pawns", "QRBNqrbn=0 Pp>0";
    "knight", "both sides have knights and no other pieces", "QRBqrb=0 N>0 n>0";
    "bishop", "both sides have bishops and no other pieces", "QRNqrn=0 B>0 b>0";
    "same-bishops", "each side has a bishop, both on squares of one color, and no other piece",
        "QRNqrn=0 B=1 b=1 /Bb=0 | QRNqrn=0 B=1 b=1 /Bb=2";
    "opposite-bishops",
        "each side has a bishop, on squares of different colors, and no other piece",
        "QRNqrn=0 B=1 b=1 /Bb=1";
    "bishop-knight", "one side has a bishop, the other a knight, and neither another piece",
        "QRNqrb=0 B=1 n=1 | QRBqrn=0 N=1 b=1";
    "minor", "both sides have bishops or knights and no other pieces", "QRqr=0 BN>0 bn>0";
    "rook", "both sides have rooks and no other pieces", "QBNqbn=0 R>0 r>0";
    "rook-minor", "one side has a rook, the other a bishop or knight, and neither another piece",
        "QBNqr=0 R=1 bn=1 | QRqbn=0 BN=1 r=1";
    "rook+minor", "each side has a rook, a bishop or knight, and no other piece",
        "Qq=0 R=1 BN=1 r=1 bn=1";
    "queen", "both sides have queens and no other pieces", "RBNrbn=0 Q>0 q>0";
    "queen-rook", "one side has a queen, the other a rook, and neither another piece",
        "RBNqbn=0 Q=1 r=1 | QBNrbn=0 R=1 q=1";
    "queen+minor", "each side has a queen, a bishop or knight, and no other piece",
        "Rr=0 Q=1 BN=1 q=1 bn=1";
    "queen+rook", "each side has a queen, a rook, and no other piece", "BNbn=0 Q=1 R=1 q=1 r=1";
    "major", "both sides have queens or rooks and no other pieces", "BNbn=0 QR>0 qr>0";
};

/// Phases of a game. Each position is in exactly one.
const PHASES: &[Class] = crate::rows! {
    "opening", "this is the opening (up to move 12, and the pieces are worth at least 50 together)",
        "#<13 $QRBNqrbn>49";
    "middlegame", "this is the middlegame (neither opening nor endgame)",
        "$QRBN>13 #>12 | $qrbn>13 #>12 | $QRBN>13 $QRBNqrbn<50 | $qrbn>13 $QRBNqrbn<50";
    "endgame", "this is the endgame (the pieces of each side are worth at most 13)",
        "$QRBN<14 $qrbn<14";
};

/// A condition: its claim in English, and its parts.
type Condition = (String, String);

/// A fault of a text: the byte where it is, and the message.
pub(super) type Wrong = (usize, String);

impl Parser<'_> {
    /// Parses `material "KRPKR"`, `endgame "rook"` or `phase "opening"`.
    pub(super) fn named_condition(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.eat();
        let word = keyword.text();
        let Some((text, span)) = self.eat_literal() else {
            let message =
                format!("expected a text in quotes after `{word}`, found {}", self.found());
            let span = self.here();
            if let Some((mend, end)) = self.mend_of_sides(self.pos)
                && keyword == Keyword::Material
            {
                self.pos = end;
                return self.fail_help(code::LITERAL, span, message, mend);
            }
            let sign =
                matches!(self.symbol(), Some(Symbol::Assign | Symbol::Equal | Symbol::Colon));
            let first = self.pos + usize::from(sign);
            let named = (first..=first + 2).rev().find_map(|last| {
                let text = self.whole_text(first, last).replace('"', "");
                Some((class_named(keyword, &text)?, last))
            });
            let Some((name, last)) = named else {
                return self.fail_usage(code::LITERAL, span, message, word);
            };
            // The name is reported here, and is not read as a filter.
            let mut gap = self.span_at(start).to(self.span_at(last));
            gap.start = self.span_at(start).end;
            self.pos = last + 1;
            let help = format!("write `{word} \"{name}\"`");
            let mend = Mend::edit(help, gap, format!(" \"{name}\""));
            return self.fail_help(code::LITERAL, span, message, mend);
        };
        let text = String::from_utf8_lossy(&text);
        let (says, text) = match keyword {
            Keyword::Endgame => self.class(ENDGAMES, &text, span, "ending")?,
            Keyword::Phase => self.class(PHASES, &text, span, "phase of a game")?,
            _ => match material(&text) {
                Ok(condition) => condition,
                Err((at, message)) => {
                    let place = letter_in(span, &text, at);
                    let Some(men) = sides(&text) else {
                        return self.fail_usage(code::LITERAL, place, message, word);
                    };
                    let text = format!("{word} \"{men}\"");
                    let mend = Mend::edit(format!("write `{text}`"), self.span_from(start), text);
                    return self.fail_help(code::LITERAL, place, message, mend);
                }
            },
        };
        let means = Box::new(condition(&text, self.span_from(start)));
        let kind = FilterKind::Classed { says, theme: None, means };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Returns the condition of a class by its name, which stands at `span`.
    fn class(&mut self, classes: &[Class], name: &str, span: Span, what: &str) -> Res<Condition> {
        if let Some((_, says, parts)) = classes.iter().find(|(known, ..)| *known == name) {
            return Ok(((*says).to_owned(), (*parts).to_owned()));
        }
        let names = classes.iter().map(|(known, ..)| *known);
        // "rook endgame" is said for "rook", and "middle" or "midgame" for "middlegame".
        let short = name.split(" end").next().unwrap_or_default();
        let is_begun = |known: &&str| short.len() > 2 && known.starts_with(short);
        let has_start = |known: &&str| known.get(..3) == name.get(..3) && !name.contains(' ');
        let near = nearest(name, names.clone().filter(has_start));
        let near = near.or_else(|| names.clone().find(is_begun));
        let near = near.or_else(|| names.clone().find(has_start));
        let mend = match near.or_else(|| nearest(name, names.clone())) {
            Some(near) => {
                Mend::edit(format!("did you mean \"{near}\"?"), span, format!("\"{near}\""))
            }
            None => Mend::advice(format!(
                "it is one of {}",
                names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
            )),
        };
        self.fail_help(code::LITERAL, span, format!("there is no {what} \"{name}\""), mend)
    }
}

/// Returns the value of `material`, `endgame` or `phase` that a text means: `rook` for `Rooks`,
/// `opposite-bishops` for `opposite bishops`.
pub(super) fn class_named(keyword: Keyword, text: &str) -> Option<String> {
    let plain = text.trim().to_lowercase().replace([' ', '_'], "-");
    let is_same = |name: &str| name == plain || plain.strip_suffix('s') == Some(name);
    let of = |classes: &[Class]| {
        let found = classes.iter().find(|(name, ..)| is_same(name));
        found.map(|(name, ..)| (*name).to_owned())
    };
    match keyword {
        Keyword::Endgame => of(ENDGAMES),
        Keyword::Phase => of(PHASES),
        Keyword::Material => material(text).is_ok().then(|| text.to_owned()),
        _ => None,
    }
}

/// Returns the span of the letter at a byte of a literal; of the whole literal if it has no such
/// letter, or its spelling differs from its text.
pub(super) fn letter_in(literal: Span, text: &str, at: usize) -> Span {
    let letter = text.get(at..).and_then(|rest| rest.chars().next());
    let place = letter.map(|letter| at..at + letter.len_utf8());
    place.and_then(|place| literal.within_quotes(text.len(), place)).unwrap_or(literal)
}

/// Reads `KRPKR`, `KRPvKR` or `Q:RR`.
pub(super) fn material(text: &str) -> Result<Condition, Wrong> {
    if let Some(at) = text.find(':') {
        let (one, other) = (&text[..at], &text[at + 1..]);
        check_men(one, 0, PIECES, "pieces without king and pawns")?;
        check_men(other, at + 1, PIECES, "pieces without king and pawns")?;
        if one.is_empty() && other.is_empty() {
            return Err((0, "expected pieces on a side of `:`".to_owned()));
        }
        let men = |men: &str| if men.is_empty() { "no pieces".to_owned() } else { men.to_owned() };
        let says = format!(
            "without kings and pawns, one side has exactly {} and the other {}",
            men(one),
            men(other)
        );
        let either = [(one, other), (other, one)];
        let parts = either.map(|(white, black)| of_sides(PIECES, white, black));
        return Ok((says, parts.join(" | ")));
    }
    check_men(&text.replacen('v', "K", 1), 0, MEN, "the letters of pieces")?;
    let Some(second) = text.find('v').or_else(|| Some(text.get(1..)?.find('K')? + 1)) else {
        let message = "expected the pieces of both sides, from king to king".to_owned();
        return Err((text.len(), message));
    };
    let (white, black) = (&text[..second], text[second..].trim_start_matches('v'));
    for (men, at) in [(white, 0), (black, text.len() - black.len())] {
        if !men.starts_with('K') {
            return Err((at, "the pieces of a side begin with its king".to_owned()));
        }
        check_men(&men[1..], at + 1, &MEN[1..], "pieces besides the king")?;
    }
    let says = format!("the pieces are exactly {white} of White and {black} of Black");
    Ok((says, of_sides(MEN, white, black)))
}

/// Returns the value of `material` that pieces of both sides in another form mean: `krpkr`,
/// `KRP v KR`, `QQ-QRR`, `R+2P vs R`.
pub fn sides(text: &str) -> Option<String> {
    let mut letters = String::new();
    let mut n = None;
    // `~` is a side without pieces
    let mut text = text.to_ascii_uppercase().replace("NOTHING", "~");
    for against in AGAINST {
        text = text.replace(&against.to_ascii_uppercase(), "V");
    }
    for and in [" AND ", " WITH ", " PLUS ", " + "] {
        text = text.replace(and, "+");
    }
    for c in text.chars().chain([' ']) {
        match c.to_digit(10) {
            Some(digit) => n = Some(digit as usize),
            None if c == '+' => {}
            None => {
                let many = n.take();
                if MEN.contains(c) {
                    letters.extend(std::iter::repeat_n(c, many.unwrap_or(1)));
                } else {
                    // as in `R+2 v R`, whose number is one of pawns
                    letters.extend(std::iter::repeat_n('P', many.unwrap_or(0)));
                    letters.push(c);
                }
            }
        }
    }
    let mut sides: Vec<&str> =
        letters.split([' ', 'V', ':', '-', '.', '/', ',']).filter(|men| !men.is_empty()).collect();
    if let [both] = sides[..] {
        let second = both.get(1..)?.find('K')? + 1;
        sides = vec![&both[..second], &both[second..]];
    }
    let &[white, black] = &sides[..] else {
        return None;
    };
    let black = black.trim_end_matches('~');
    let written = match (white.starts_with('K'), black.starts_with('K')) {
        (true, true) => format!("{white}{black}"),
        // Without a king on either side the kings are not counted, and the pawns neither.
        (false, false) if letters.contains('P') => format!("K{white}K{black}"),
        (false, false) => format!("{white}:{black}"),
        _ => return None,
    };
    material(&written).is_ok().then_some(written)
}

/// Checks that the pieces of a side, whose text begins at `at`, are among `allowed`.
fn check_men(men: &str, at: usize, allowed: &str, expected: &str) -> Result<(), Wrong> {
    match men.char_indices().find(|(_, man)| !allowed.contains(*man)) {
        None => Ok(()),
        Some((offset, man)) => {
            Err((at + offset, format!("expected {expected} (`{allowed}`), found `{man}`")))
        }
    }
}

/// Returns the parts of a condition that each side has exactly its pieces of the types `kinds`.
fn of_sides(kinds: &str, white: &str, black: &str) -> String {
    format!("{} {}", exactly(kinds, white), exactly(kinds, black).to_ascii_lowercase())
}

/// Returns the parts of a condition that White has exactly these pieces of the types `kinds`.
fn exactly(kinds: &str, men: &str) -> String {
    let mut parts = format!("{kinds}={}", men.len());
    for kind in kinds.chars() {
        match men.matches(kind).count() {
            0 => {}
            n => parts += &format!(" {kind}={n}"),
        }
    }
    parts
}

/// Returns the condition with these parts.
fn condition(text: &str, span: Span) -> Filter {
    let of = |kind| Filter { ty: Type::Boolean, span, kind };
    let mut all: Vec<Filter> =
        text.split(" | ").map(|text| of(FilterKind::And(parts(text, span)))).collect();
    match all.pop() {
        Some(only) if all.is_empty() => only,
        last => {
            all.extend(last);
            of(FilterKind::Or(all))
        }
    }
}

/// Reads parts such as `K=1`: letters of pieces, a relation, and their number. `/B` are the bishops
/// on light squares, `$R` is the value of the rooks, and `#` the number of the move.
fn parts(text: &str, span: Span) -> Vec<Filter> {
    let part = |part: &str| {
        let at = part.find(['=', '<', '>'])?;
        let op = match part.as_bytes()[at] {
            b'=' => Relation::Equal,
            b'<' => Relation::Less,
            _ => Relation::Greater,
        };
        let first = part.as_bytes()[0];
        let men = part[..at].bytes().filter_map(PieceSet::from_letter);
        let men = men.fold(PieceSet::NONE, PieceSet::union);
        let of = |ty, kind| Filter { ty, span, kind };
        let number = FilterKind::Number(part[at + 1..].parse().ok()?);
        let men = of(Type::Set, FilterKind::Designator(Designator::new(men, u64::MAX)));
        let left = match first {
            b'#' => FilterKind::Nullary(Nullary::NumberSource(NumberSource::MoveNumber)),
            b'$' => FilterKind::Unary(Unary::SetToNumber(SetToNumber::Power), Box::new(men)),
            b'/' => {
                let men = FilterKind::SquareColor { light: true, operand: Box::new(men) };
                FilterKind::Cardinality(Box::new(of(Type::Set, men)))
            }
            _ => FilterKind::Cardinality(Box::new(men)),
        };
        let left = of(Type::Numeric, left);
        let right = Box::new(of(Type::Numeric, number));
        Some(of(Type::Numeric, FilterKind::Relation { op, left: Box::new(left), right }))
    };
    text.split(' ').filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::parse_body;
    use super::*;

    #[test]
    fn men_of_both_sides() {
        for (text, parts) in [
            ("KRPKR", "KQRBNP=3 K=1 R=1 P=1 kqrbnp=2 k=1 r=1"),
            ("KRPPvKR", "KQRBNP=4 K=1 R=1 P=2 kqrbnp=2 k=1 r=1"),
            ("KK", "KQRBNP=1 K=1 kqrbnp=1 k=1"),
            ("Q:RR", "QRBN=1 Q=1 qrbn=2 r=2 | QRBN=2 R=2 qrbn=1 q=1"),
            ("R:", "QRBN=1 R=1 qrbn=0 | QRBN=0 qrbn=1 r=1"),
        ] {
            assert_eq!(material(text).map(|(_, parts)| parts).as_deref(), Ok(parts), "{text}");
        }
    }

    #[test]
    fn wrong_texts_say_where() {
        for (text, at) in [
            ("", 0),
            ("K", 1),
            ("KRP", 3),
            ("RK", 0),
            ("KRXKR", 2),
            ("KRvR", 3),
            ("KRvKRK", 5),
            ("KRKRK", 4),
            ("krkr", 0),
            ("Q:RRK", 4),
            ("P:", 0),
            (":", 0),
            ("KRé", 2),
            ("KRéK", 2),
            ("Q:R:", 3),
        ] {
            assert_eq!(material(text).map_err(|(at, _)| at), Err(at), "{text}");
        }
    }

    #[test]
    fn other_forms_of_sides_are_read() {
        for (text, expected) in [
            ("krpkr", "KRPKR"),
            ("KRPPKR", "KRPPKR"),
            ("krppvkr", "KRPPKR"),
            ("KRPP-KR", "KRPPKR"),
            ("KRPPvsKR", "KRPPKR"),
            ("KRPP KR", "KRPPKR"),
            ("RPP:R", "KRPPKR"),
            ("QQ v QRR", "QQ:QRR"),
            ("QQvQRR", "QQ:QRR"),
            ("R+2P vs R", "KRPPKR"),
            ("R+4 v R+3", "KRPPPPKRPPP"),
        ] {
            assert_eq!(sides(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "K", "QQ", "KR v R", "mate", "Q v x", "Q v R v B", "KRKRK"] {
            assert_eq!(sides(text), None, "{text}");
        }
    }

    #[test]
    fn other_names_of_classes_propose_one() {
        for (text, near) in [
            ("endgame \"rooks\"", "rook"),
            ("endgame \"rook endgame\"", "rook"),
            ("endgame \"queen ending\"", "queen"),
            ("endgame \"opposite\"", "opposite-bishops"),
            ("phase \"middle\"", "middlegame"),
            ("phase \"midgame\"", "middlegame"),
            ("phase \"end game\"", "endgame"),
        ] {
            let (_, parsed) = parse_body(text);
            let help = parsed.diagnostics[0].help.as_deref();
            assert_eq!(help, Some(&*format!("did you mean \"{near}\"?")), "{text}");
        }
        for text in ["endgame \"Turm\"", "endgame \"\"", "endgame \" ending\""] {
            let (_, parsed) = parse_body(text);
            let help = parsed.diagnostics[0].help.as_deref().unwrap_or_default();
            assert!(help.starts_with("it is one of \"pawn\", "), "{text}: {help}");
        }
    }

    #[test]
    fn each_part_of_a_class_is_read() {
        for (name, _, text) in ENDGAMES.iter().chain(PHASES) {
            for text in text.split(" | ") {
                let n_parts = text.split(' ').count();
                assert_eq!(parts(text, Span::default()).len(), n_parts, "{name}");
            }
        }
    }

    #[test]
    fn a_part_is_a_comparison() {
        let read = parts("K=1 qr>0 P<3", Span::default());
        let all = read.iter().map(|part| match &part.kind {
            FilterKind::Relation { op, left, right } => match (&left.kind, &right.kind) {
                (FilterKind::Cardinality(set), FilterKind::Number(n)) => match set.kind {
                    FilterKind::Designator(men) => (men.pieces.0, *op, *n),
                    _ => (0, *op, *n),
                },
                _ => (0, *op, 0),
            },
            _ => (0, Relation::Equal, 0),
        });
        let want = [
            (1 << 5, Relation::Equal, 1),
            (1 << 10 | 1 << 9, Relation::Greater, 0),
            (1, Relation::Less, 3),
        ];
        assert_eq!(all.collect::<Vec<_>>(), want);
    }
}
