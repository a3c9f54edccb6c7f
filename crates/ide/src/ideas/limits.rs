//! The numbers of a question: a query with as many limits of the same kind takes them in place of its own.

use super::asked::{is_number, parts, plain_letters};

/// The numbers of a question, and what they can be.
pub(super) struct Limits<'q> {
    /// The numbers, each once.
    pub(super) numbers: Vec<&'q str>,
    /// Whether they can be years, ratings, differences of ratings, numbers of moves, and seconds.
    are: [bool; 5],
    /// The sign that its words mean, if they mean one: `before` is less, `over` is more.
    sign: Option<&'static str>,
}

impl<'q> Limits<'q> {
    pub(super) fn of_question(question: &'q str) -> Option<Limits<'q>> {
        let mut numbers: Vec<&str> = parts(question).filter(|part| is_number(part)).collect();
        numbers.dedup();
        let words: Vec<String> = parts(question).map(plain_letters).collect();
        let says = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
        let begin = |with: &str| words.iter().any(|word| word.starts_with(with));
        let all_in = |range: std::ops::RangeInclusive<u32>| {
            numbers.iter().all(|n| n.parse().is_ok_and(|n| range.contains(&n)))
        };
        let says_rating = begin("elo") || begin("rat");
        let says_when = says(&["in", "after", "before", "since", "from", "between", "until"]);
        // as in `after 2010`, but not in `over 2010`
        let says_year = !says_rating && (says_when || begin("year"));
        let can_be_years = !says_rating && !says(&["over", "above", "under", "below", "least"]);
        let are = [
            (says_year || can_be_years) && all_in(1400..=2100),
            !(says_year && all_in(1400..=2100)) && all_in(1000..=3500),
            all_in(1..=999),
            begin("move") && all_in(0..=9999),
            begin("second") && all_in(0..=9999),
        ];
        let is_less = says(&["before", "under", "below", "less", "fewer", "until"]);
        let is_more = says(&["after", "over", "above", "more", "since", "least"]);
        let sign = match (is_less, is_more) {
            (true, false) => Some("<"),
            (false, true) => Some(">"),
            (false, false) if says(&["on"]) => Some("="),
            _ => None,
        };
        (!numbers.is_empty()).then_some(Limits { numbers, are, sign })
    }

    /// Returns the limits in a query that the numbers of the question can replace.
    pub(super) fn of_query(&self, query: &str) -> Option<Vec<String>> {
        let words: Vec<&str> = query.split([' ', '{', '}']).collect();
        let is_limit = |pair: &&[&str]| {
            matches!(pair[0], "<" | "<=" | "==" | ">=" | ">")
                && !pair[1].is_empty()
                && is_number(pair[1])
        };
        let mut own: Vec<&str> = words.windows(2).filter(is_limit).map(|pair| pair[1]).collect();
        own.dedup();
        let is = |name: &str| words.iter().any(|word| word.trim_start_matches('(') == name);
        let is_difference = own.iter().all(|own| own.len() < 4);
        let kind = match () {
            () if is("year") => 0,
            () if is("elo") && is_difference => 2,
            () if is("elo") => 1,
            () if is("ply") || is("movenumber") => 3,
            () if is("clock") => 4,
            () => return None,
        };
        let goes =
            |sign: &str| words.windows(2).any(|pair| is_limit(&pair) && pair[0].starts_with(sign));
        let has_other = match self.sign {
            Some(sign) => !goes(sign) && (goes("<") || goes(">") || goes("=")),
            None => false,
        };
        let is_meant = self.are[kind] && own.len() == self.numbers.len() && !has_other;
        is_meant.then(|| own.into_iter().map(str::to_owned).collect())
    }
}
