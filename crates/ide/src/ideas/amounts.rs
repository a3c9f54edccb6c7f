//! Reads the numbers of a question with what it compares them with: moves, years, ratings, seconds.

use std::ops::RangeInclusive;

use super::remaining::Rest;

/// Words before a number that compare it only beside some words: `from move 30`, `in 1990`.
const VAGUE: &[(&str, &str)] = syntax::rows! {
    "in the", "in"; "in games of", "in"; "in games", "in"; "in a game of", "in"; "in", "in"; "of the", "in"; "of", "in"; "with", "with"; "on", "on"; "at", "on";
    "from the", "from"; "from", "from"; "by the", "by"; "by", "by";
};

/// Words after a number and *or* or *and* that compare it.
const AFTERWARDS: &[(&str, &str)] = syntax::rows! {
    "more", ">="; "longer", ">="; "higher", ">="; "above", ">="; "over", ">="; "later", ">=";
    "greater", ">="; "up", ">="; "better", ">="; "less", "<="; "fewer", "<="; "shorter", "<=";
    "lower", "<="; "below", "<="; "under", "<="; "earlier", "<="; "before", "<=";
};

/// Numbers of a question, and how it compares them.
pub(super) struct Amount {
    /// Each sign with its number. Without a word that compares, the sign is empty.
    pub(super) is: Vec<(&'static str, u32)>,
    /// The word before the number that compares nothing on its own, or none.
    pub(super) vague: &'static str,
    /// Whether the unit is before the number, as in `move 10`, or after it, as in `10 moves`.
    pub(super) is_before: Option<bool>,
}

/// Reads numbers, with what is counted before or after them: `before move 10`, `2010-2015`, `60 moves
/// or more`.
pub(super) fn amount(
    rest: &mut Rest,
    units: &[&str],
    range: &RangeInclusive<u32>,
) -> Option<Amount> {
    let both = rest.tries(|rest| between(rest, units, range));
    both.or_else(|| rest.tries(|rest| one(rest, units, range)))
}

/// Reads two numbers, as in `between 20 and 30 moves` and `from move 20 to move 30`.
fn between(rest: &mut Rest, units: &[&str], range: &RangeInclusive<u32>) -> Option<Amount> {
    let is_between = rest.takes("between");
    let _ = is_between || rest.takes_one(VAGUE).is_some();
    let is_before = rest.takes_any(units).is_some();
    let first = rest.number(range.clone())?;
    let to = if is_between { &["and", "to"][..] } else { &["to", "until", "till", "through"] };
    rest.takes_any(to)?;
    let _ = rest.takes_any(units);
    let last = rest.number(range.clone())?;
    let is_after = !is_before && rest.takes_any(units).is_some();
    (first <= last).then(|| Amount {
        is: vec![(">=", first), ("<=", last)],
        vague: "",
        is_before: (is_before || is_after).then_some(is_before),
    })
}

/// Reads the words before a number: `at least`, and `in` with `less than` after it.
fn vague_or_sign(rest: &mut Rest) -> (&'static str, Option<&'static str>) {
    match rest.sign() {
        None => (rest.takes_one(VAGUE).unwrap_or_default(), rest.sign()),
        sign => ("", sign),
    }
}

fn one(rest: &mut Rest, units: &[&str], range: &RangeInclusive<u32>) -> Option<Amount> {
    let (vague, sign) = vague_or_sign(rest);
    let is_before = rest.takes_any(units).is_some();
    let sign = sign.or_else(|| rest.sign());
    let number = rest.number(range.clone())?;
    let afterwards = |rest: &mut Rest| {
        // as in `2019 onwards` and `from 2019 on`
        let is_on = rest.takes_any(&["onwards", "onward"]).is_some();
        if is_on || vague == "from" && rest.takes("on") {
            return Some(">=");
        }
        rest.tries(|rest| {
            rest.takes_any(&["or", "and"])?;
            rest.takes_one(AFTERWARDS)
        })
    };
    let mut other = afterwards(rest);
    let is_after = !is_before && rest.takes_any(units).is_some();
    other = other.or_else(|| afterwards(rest));
    let is_twice = sign.is_some() && (other.is_some() || matches!(vague, "from" | "by"));
    (!is_twice).then(|| Amount {
        is: vec![(sign.or(other).unwrap_or_default(), number)],
        vague: if sign.or(other).is_some() { "" } else { vague },
        is_before: (is_before || is_after).then_some(is_before),
    })
}

/// Conditions of a query for the numbers of a clause.
pub(super) enum Numbers {
    /// Conditions on the number of a move: `before move 10`.
    Move(String),
    /// Conditions on the length of a game: `under 25 moves`.
    Length(String),
}

/// Reads what the number of a move or of moves is compared with.
pub(super) fn moves(rest: &mut Rest) -> Option<Numbers> {
    let units = ["move number", "moves", "move"];
    let found = amount(rest, &units, &(1..=9999))?;
    let _ = rest.takes("long");
    let is_move = found.is_before?;
    let condition = found.conditions("(ply + 1) / 2", |vague| match vague {
        _ if !is_move => None,
        "from" => Some(">="),
        "by" => Some("<="),
        "on" => Some("=="),
        _ => None,
    })?;
    Some(if is_move { Numbers::Move(condition) } else { Numbers::Length(condition) })
}

/// Reads years; `from 2019` has two meanings: that year, and the years from it on.
pub(super) fn years(rest: &mut Rest) -> Option<(String, Option<String>)> {
    if let Some(found) = rest.tries(decade) {
        return Some(found);
    }
    if let Some(found) = rest.tries(month) {
        return Some((found, None));
    }
    let found = amount(rest, &["years", "year"], &(1400..=2100))?;
    let vague = found.vague;
    let is = |from: &'static str| {
        found.conditions("year", |vague| match vague {
            "from" => Some(from),
            "by" => Some("<="),
            "with" | "on" => None,
            _ => Some("=="),
        })
    };
    Some((is("==")?, is(">=").filter(|_| vague == "from")))
}

impl Amount {
    /// Returns the conditions for a value; a word that compares nothing on its own has the sign that is
    /// given for it.
    fn conditions(
        &self,
        value: &str,
        of_vague: impl Fn(&str) -> Option<&'static str>,
    ) -> Option<String> {
        let condition = |(sign, number): &(&'static str, u32)| {
            let sign = if sign.is_empty() { of_vague(self.vague)? } else { sign };
            Some(format!("{value} {sign} {number}"))
        };
        Some(self.is.iter().map(condition).collect::<Option<Vec<_>>>()?.join(" "))
    }
}

/// Reads ten years, as in `in the 1990s`; the 1900s may be a century, too.
fn decade(rest: &mut Rest) -> Option<(String, Option<String>)> {
    let (vague, sign) = vague_or_sign(rest);
    let _ = rest.takes("the");
    let digits = rest.word(0).strip_suffix('s')?.trim_end_matches(['\'', '’']);
    let is_whole = digits.len() == 4;
    let year: u32 = digits.parse().ok().filter(|year| year % 10 == 0)?;
    let first = match year {
        20..=90 if digits.len() == 2 => year + 1900,
        1400..=2100 => year,
        _ => return None,
    };
    rest.at += 1;
    let until = |last: u32| match (sign, vague) {
        (Some(sign @ ("<" | ">=")), _) => Some(format!("year {sign} {first}")),
        (Some(sign @ (">" | "<=")), _) => Some(format!("year {sign} {last}")),
        (None, "" | "in" | "from") => Some(format!("year >= {first} year <= {last}")),
        _ => None,
    };
    let is_century = is_whole && first % 100 == 0;
    let decade = until(first + 9)?;
    let century = until(first + 99).filter(|century| is_century && *century != decade);
    Some((decade, century))
}

/// The months of a year.
const MONTHS: &str = "january february march april may june july august september october november \
    december";

/// Returns the number of the month that a word in small letters names.
pub(super) fn month_of(word: &str) -> Option<usize> {
    MONTHS.split(' ').position(|month| month == word).map(|at| at + 1)
}

/// Reads a month with its year, as in `in May 2019` and `since May 2019`.
fn month(rest: &mut Rest) -> Option<String> {
    let (vague, sign) = vague_or_sign(rest);
    let month = month_of(rest.word(0))?;
    rest.at += 1;
    let _ = rest.takes("of");
    let year = rest.number(1400..=2100)?;
    match (sign, vague) {
        (Some(sign @ ("<" | ">=")), _) => Some(format!("date {sign} \"{year}.{month:02}.01\"")),
        (None, "" | "in" | "from") => Some(format!("date ~~ \"^{year}[.]{month:02}\"")),
        _ => None,
    }
}

/// Whose rating a question compares.
#[derive(Clone, Copy)]
enum Rated {
    Side(bool),
    Both,
    Either,
    Average,
    Difference,
    Unsaid,
}

/// Words for whose rating it is.
const RATED: &[(&str, Rated)] = syntax::rows! {
    "both players", Rated::Both; "both", Rated::Both; "either player", Rated::Either;
    "players", Rated::Unsaid; "one player", Rated::Either; "a player", Rated::Either; "at least one player", Rated::Either;
    "average", Rated::Average; "mean", Rated::Average; "ratings differ by", Rated::Difference;
    "rating difference", Rated::Difference; "elo difference", Rated::Difference;
    "difference of ratings", Rated::Difference; "difference in rating", Rated::Difference;
    "difference in ratings", Rated::Difference; "difference in elo", Rated::Difference;
    "rating gap", Rated::Difference; "difference", Rated::Difference;
};

/// Conditions for ratings.
pub(super) struct Rating {
    pub(super) is: String,
    /// Another condition that the words may mean.
    pub(super) other: Option<String>,
    /// The condition for White, if the words do not say whose rating it is.
    pub(super) of_white: Option<String>,
}

/// Reads ratings, as in `white over 2700`, `elo at most 2000` and `rating difference of 200 or more`.
/// Those of nobody in particular are those of both players, or of one of them.
pub(super) fn ratings(rest: &mut Rest) -> Option<Rating> {
    let units = ["rated", "ratings", "rating", "elo"];
    let mut rated = Rated::Unsaid;
    let mut whose = |rest: &mut Rest| {
        let color = rest.color().map(Rated::Side);
        match color.or_else(|| rest.takes_one(RATED)) {
            Some(whose) => rated = whose,
            None => return false,
        }
        true
    };
    let is_before = whose(rest);
    let mut has_unit = rest.takes_any(&units).is_some();
    // as in `elo white over 2700`
    let is_said = is_before || has_unit && rest.tries(|rest| whose(rest).then_some(())).is_some();
    let is_difference = matches!(rated, Rated::Difference);
    let range = match () {
        () if is_difference => 1..=3000,
        () if has_unit => 100..=3999,
        () if is_said => 1000..=3999,
        // Smaller numbers are years.
        () => 2101..=3999,
    };
    let found = amount(rest, &units, &range)?;
    has_unit |= found.is_before.is_some();
    let is_bare = found.is.iter().any(|(sign, _)| sign.is_empty());
    if is_bare && !(has_unit || is_difference) || matches!(found.vague, "by" | "from" | "on") {
        return None;
    }
    let of = |value: &str, factor: u32| {
        let scaled = found.is.iter().map(|(sign, n)| (*sign, n * factor)).collect();
        Amount { is: scaled, vague: found.vague, is_before: None }.conditions(value, |_| Some(">="))
    };
    let is_more = found.is.iter().all(|(sign, _)| !sign.starts_with('<'));
    let both = || Some(format!("{} {}", of("elo white", 1)?, of("elo black", 1)?));
    let mut other = None;
    let is = match rated {
        Rated::Side(true) => of("elo white", 1)?,
        Rated::Side(false) => of("elo black", 1)?,
        Rated::Both => both()?,
        // `elo` is the greater of both.
        Rated::Either if is_more => of("elo", 1)?,
        Rated::Either => {
            format!("{{{{{}}} or {{{}}}}}", of("elo white", 1)?, of("elo black", 1)?)
        }
        // Half of the sum is rounded down.
        Rated::Average => of("elo white + elo black", 2)?,
        Rated::Difference if found.is.iter().any(|(sign, _)| !sign.starts_with('<')) => {
            format!("flipcolor {{{}}}", of("elo white - elo black", 1)?)
        }
        Rated::Difference => {
            let either = ["elo white - elo black", "elo black - elo white"];
            format!("{} {}", of(either[0], 1)?, of(either[1], 1)?)
        }
        Rated::Unsaid => {
            other = of("elo", 1).filter(|_| is_more);
            both()?
        }
    };
    let of_white = if matches!(rated, Rated::Unsaid) { of("elo white", 1) } else { None };
    Some(Rating { is, other, of_white })
}

/// Reads what a clock shows, or what an evaluation is.
pub(super) fn of_clock(rest: &mut Rest) -> Option<String> {
    let _ = rest.takes_any(&["played", "with", "clock"]);
    let found = amount(rest, &["seconds", "second"], &(1..=9999))?;
    let _ = rest.takes_any(&["left", "on the clock"]);
    found.is_before.filter(|is_before| !is_before)?;
    found.conditions("clock", |_| None)
}

/// Reads what an evaluation is, in pawns.
pub(super) fn of_evaluation(rest: &mut Rest) -> Option<String> {
    let _ = rest.takes("engine");
    rest.takes_any(&["evaluation", "evaluations", "eval"])?;
    let mut found = amount(rest, &["pawns", "pawn"], &(1..=99))?;
    found.is.iter_mut().for_each(|(_, number)| *number *= 100);
    found.conditions("eval", |_| None)
}
