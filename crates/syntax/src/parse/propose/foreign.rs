//! Reads conditions in SQL or JSON, or tags as files of games have them, in place of a query. Either the
//! whole text is understood, and the filters with its meaning are proposed, or what is not understood
//! is named.

use super::properties::{
    Property, alike, dated, filter_of_value, length_named, like, number, property,
};
use crate::diagnostic::Diagnostic;
use crate::parse::error::code;
use crate::san::San;
use crate::seen::{TagComparison, is_eco};
use crate::span::Span;

/// Language in which conditions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Sql,
    /// Conditions of SQL without the request around them: `white LIKE 'C%'`.
    BareSql,
    Json,
    /// Tags of PGN.
    Tags,
}

impl Language {
    /// Returns the language of a text, given its parts.
    fn of(parts: &[&str], body: &str) -> Option<Language> {
        let is =
            |at: usize, word: &str| parts.get(at).is_some_and(|p| p.eq_ignore_ascii_case(word));
        let has = |word: &str| (0..parts.len()).any(|at| is(at, word));
        let is_request = (is(0, "select") || is(0, "delete")) && has("from")
            || is(0, "with") && has("select")
            || is(0, "update") && has("set")
            || is(0, "insert") && is(1, "into");
        let is_key = |part: &&str| {
            part.starts_with(['"', '\''])
                || property(part).is_some()
                || length_named(part).is_some()
        };
        let is_like = |at: usize| LIKE.iter().any(|word| is(at, word));
        if is(0, "where") {
            // as in `where year not between 1990 and 2000`
            let relates =
                |at: usize| is_like(at) || is(at, "between") || is(at, "in") && is(at + 1, "(");
            let is_related = relates(2) || is(2, "not") && relates(3);
            let is_sql = parts.iter().any(|part| part.starts_with(['=', '<', '>', '!']))
                || LIKE.iter().any(|word| has(word)) && body.contains('%')
                || is_related && parts.get(1).is_some_and(is_key);
            return is_sql.then_some(Language::Sql);
        }
        // as in `white LIKE 'C%'`, which nothing but SQL has
        let of_sql = |part: &&str| {
            matches!(*part, "AND" | "OR" | "LIKE" | "ILIKE" | "BETWEEN" | "IN" | "<>")
        };
        let is_bare = parts.first().is_some_and(|part| property(part).is_some())
            && (parts.iter().any(of_sql) || is_like(1) || is(1, "not") && is_like(2));
        let is_tag = |name: &str, value: &str| {
            name.starts_with(char::is_alphabetic) && value.starts_with('"')
        };
        match parts {
            _ if is_request => Some(Language::Sql),
            _ if is_bare => Some(Language::BareSql),
            ["{", key, ":", ..] if body.ends_with('}') && is_key(key) => Some(Language::Json),
            ["[", name, value, "]", ..] if is_tag(name, value) => Some(Language::Tags),
            _ => None,
        }
    }
}

/// Returns the error for conditions in SQL or JSON, or tags of PGN, with the filters that are meant.
pub(super) fn of_conditions(body: &str, span: Span) -> Option<Diagnostic> {
    let parts = parts(body);
    let language = Language::of(&parts, body)?;
    let mut reader = Reader { parts, at: 0, n_conditions: 0, has_round: false, has_part: false };
    const OF_SQL: &str = "; ORDER BY is `sort`, LIMIT `--limit`, and GROUP BY `--count-by`";
    let (name, others, read) = match language {
        Language::Sql => ("SQL", OF_SQL, reader.sql()),
        Language::BareSql => {
            let conditions = reader.any_of(false)?;
            (reader.at == reader.parts.len()).then_some(())?;
            ("SQL", OF_SQL, Some((conditions.join(" "), false)))
        }
        Language::Json => ("JSON", "", reader.json()),
        Language::Tags => {
            ("PGN", "; moves that follow each other are `path san \"…\"`", reader.tags())
        }
    };
    let error = Diagnostic::error(code::SENTENCE, span, format!("this is {name}, not a query"));
    const WRITE: &str = "write a filter for each condition, such as `player white \"Tal\"`";
    let Some((query, has_more)) = read else {
        let unread = match reader.parts.get(reader.at) {
            Some(part) => format!("`{part}` is not understood here"),
            None => "the text ends too early".to_owned(),
        };
        return Some(error.with_help(format!("{unread}; {WRITE}{others}")));
    };
    Some(match (query.is_empty(), has_more) {
        (true, _) => error.with_help(format!("{WRITE}{others}")),
        (false, true) => error.with_help(format!("the conditions are `{query}`{others}")),
        (false, false) => {
            let round = if reader.has_round { "; no filter reads the round" } else { "" };
            let part = if reader.has_part && language != Language::Tags {
                "; a text may be a part of the value, `==` compares all of it"
            } else {
                ""
            };
            let help = format!("the conditions are `{query}`{round}{part}");
            error.with_help(help).with_edit(span, query)
        }
    })
}

/// Words of SQL between a text and its pattern. Names in queries ignore case.
const LIKE: [&str; 2] = ["like", "ilike"];

/// Filters beside each other.
type Filters = Vec<String>;

/// Returns the filters as one.
fn as_one(filters: &[String]) -> String {
    match filters {
        [one] => one.clone(),
        _ => format!("{{{}}}", filters.join(" ")),
    }
}

/// Returns the filters of several cases together.
fn all(cases: Vec<Filters>) -> Filters {
    let mut filters = Filters::new();
    for filter in cases.into_iter().flatten() {
        if !filters.contains(&filter) {
            filters.push(filter);
        }
    }
    filters
}

/// Returns the filter for at least one of several cases.
fn any(mut cases: Vec<Filters>) -> Filters {
    if cases.len() == 1 {
        return cases.remove(0);
    }
    let cases: Vec<String> = cases.iter().map(|case| as_one(case)).collect();
    vec![format!("{{{}}}", cases.join(" or "))]
}

/// Returns the filter for a relation of a word about the game, or for its opposite. In SQL, a game without
/// a value meets neither a condition nor its opposite.
fn unless(is_not: bool, word: &str, filter: String) -> Filters {
    if !is_not {
        return vec![filter];
    }
    let mut filters = Filters::new();
    match property(word) {
        Some(Property::Date) => filters.push(with_date(&filter)),
        Some(Property::Number(name)) => filters.push(format!("{name} > 0")),
        Some(Property::Text(text @ ("eco" | "opening"))) => {
            filters.push(format!("{text} ~~ \".\""))
        }
        Some(Property::Text(text @ ("event" | "site"))) => filters.push(format!("{text} != \"?\"")),
        Some(Property::Tag(tag)) => filters.push(format!("tag \"{tag}\" ~~ \".\"")),
        _ => {}
    }
    filters.push(format!("not {filter}"));
    filters
}

/// Returns the filter for the games whose date is known as far as it decides the comparisons of a filter with
/// dates: a sign of what is not known comes after all digits, so that `1999.??.??` is greater than
/// `1999.12.31`.
pub(in crate::parse) fn with_date(filter: &str) -> String {
    if filter.contains("~~") {
        return "not date ~~ \"[?]\"".to_owned();
    }
    let dates = filter.split('"').skip(1).step_by(2);
    let mut prefixes: Vec<String> = Vec::new();
    for date in dates {
        let parts: Vec<&str> = date.split('.').collect();
        let prefix = match parts[..] {
            [year, month, _] => format!("{year}.({month}.)?"),
            [year, _] => format!("{year}."),
            _ => continue,
        };
        if !prefixes.contains(&prefix) {
            prefixes.push(prefix);
        }
    }
    match &prefixes[..] {
        [] => "year > 0".to_owned(),
        _ => format!("not date ~~ \"^({})?[?]\"", prefixes.join("|")),
    }
}

/// Signs that compare, each with the one that holds where it does not, the one between exchanged sides, and
/// its name in JSON.
const SIGNS: [[&str; 4]; 6] = [
    ["==", "!=", "==", "$eq"],
    ["!=", "==", "!=", "$ne"],
    ["<", ">=", ">", "$lt"],
    ["<=", ">", ">=", "$lte"],
    [">", "<=", "<", "$gt"],
    [">=", "<", "<=", "$gte"],
];

/// Returns the sign that holds where another does not.
#[must_use]
pub fn opposite(sign: &str) -> Option<&'static str> {
    SIGNS.iter().find(|row| row[0] == sign).map(|row| row[1])
}

/// Reads the parts of a text. If a function returns nothing, it has not understood the part at `at`.
struct Reader<'t> {
    parts: Vec<&'t str>,
    at: usize,
    n_conditions: usize,
    /// Whether there is a tag with the round of a tournament, which no filter reads.
    has_round: bool,
    /// Whether a text may be a part of a value, where SQL has all of it.
    has_part: bool,
}

impl<'t> Reader<'t> {
    fn next(&self) -> &'t str {
        self.parts.get(self.at).copied().unwrap_or_default()
    }

    fn accept(&mut self, word: &str) -> bool {
        let is_next = self.next().eq_ignore_ascii_case(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        self.accept(word).then_some(())
    }

    /// Passes over the next part if something is made of it.
    fn read<T>(&mut self, made: impl FnOnce(&'t str) -> Option<T>) -> Option<T> {
        let made = made(self.next())?;
        self.at += 1;
        Some(made)
    }

    /// Counts a condition or an object. Their number is limited, and so is the depth of the stack.
    fn count(&mut self) -> Option<()> {
        const MOST: usize = 50;
        self.n_conditions += 1;
        (self.n_conditions <= MOST).then_some(())
    }

    /// Reads items with commas between.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept(",") {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Reads the name of a column or table.
    fn name(&mut self) -> Option<()> {
        let is_call = self.parts.get(self.at + 1) == Some(&"(");
        self.read(|part| (part.starts_with(char::is_alphabetic) && !is_call).then_some(()))
    }

    /// Reads a request in SQL. Returns its conditions, and whether it has something besides.
    fn sql(&mut self) -> Option<(String, bool)> {
        if self.accept("select") {
            if !self.accept("*") {
                self.list(Self::name)?;
            }
            self.expect("from")?;
            self.name()?;
        }
        let conditions = if self.accept("where") { self.any_of(false)? } else { Filters::new() };
        let mut has_more = false;
        loop {
            if self.accept("limit") {
                self.read(number)?;
            } else if self.accept("group") || self.accept("order") {
                self.expect("by")?;
                self.list(|reader| {
                    reader.name()?;
                    let _ = reader.accept("asc") || reader.accept("desc");
                    Some(())
                })?;
            } else {
                break;
            }
            has_more = true;
        }
        self.accept(";");
        (self.at == self.parts.len()).then(|| (conditions.join(" "), has_more))
    }

    /// Reads conditions one of which holds, or none of which does. The `NOT` before them is that of each
    /// condition, so that games without a value are left out as in SQL.
    fn any_of(&mut self, is_not: bool) -> Option<Filters> {
        let mut cases = vec![self.all_of(is_not)?];
        while self.accept("or") {
            cases.push(self.all_of(is_not)?);
        }
        Some(if is_not { all(cases) } else { any(cases) })
    }

    fn all_of(&mut self, is_not: bool) -> Option<Filters> {
        let mut cases = vec![self.condition(is_not)?];
        while self.accept("and") {
            cases.push(self.condition(is_not)?);
        }
        Some(if is_not { any(cases) } else { all(cases) })
    }

    fn condition(&mut self, is_not: bool) -> Option<Filters> {
        self.count()?;
        if self.accept("not") {
            return self.condition(!is_not);
        }
        if let Some(filters) = self.ratings(is_not) {
            return Some(filters);
        }
        if self.accept("(") {
            let filters = self.any_of(is_not)?;
            self.expect(")")?;
            return Some(filters);
        }
        if let Some(filters) = self.turned(is_not) {
            return Some(filters);
        }
        if let Some(filters) = self.length(is_not) {
            return Some(filters);
        }
        let word = self.key(|part| part)?;
        let has_not = self.accept("not");
        let is_not = is_not != has_not;
        if let Some(how) = LIKE.iter().find(|word| self.accept(word)) {
            let is_any_case = *how == "ilike";
            let has_sign = self.next().contains(['%', '_']);
            let read = if is_any_case { alike } else { like };
            let filter = self.read(|part| read(word, &quoted(part)?))?;
            self.has_part |= !is_any_case && !has_sign;
            return Some(unless(is_not, word, filter));
        }
        if self.accept("between") {
            let Some(kind) = ordered(word) else {
                self.at -= 1;
                return None;
            };
            let (low, of_low) = self.read(|part| value_of(kind, part))?;
            self.expect("and")?;
            let (high, of_high) = self.read(|part| value_of(kind, part))?;
            let whole_years = year_after(kind, "<", &low).zip(year_after(kind, ">", &high));
            // A year beside a date is the beginning of a date.
            let [low, name, high] = if let Some((low, high)) = whole_years {
                [low, "year".to_owned(), high]
            } else if of_low == of_high {
                [low, of_low.to_owned(), high]
            } else {
                let date = |end: &str| format!("\"{}\"", bare(end));
                [date(&low), "date".to_owned(), date(&high)]
            };
            let range = format!("{low} <= {name} <= {high}");
            let known = (name == "date" && !is_not).then(|| with_date(&range));
            return Some(known.into_iter().chain(unless(is_not, word, range)).collect());
        }
        if self.accept("in") {
            return self.values(word, "(", ")", is_not);
        }
        if has_not {
            return None;
        }
        let sign = self.relation(is_not)?;
        self.compared(word, sign)
    }

    /// Reads the sign of a comparison, and returns its opposite after `NOT`.
    fn relation(&mut self, is_not: bool) -> Option<&'static str> {
        let (sign, _) = self.read(sign)?;
        if is_not { opposite(sign) } else { Some(sign) }
    }

    /// Reads something as a whole, or nothing of it.
    fn whole<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    /// Reads a comparison of the length of the game with a number: `plycount <= 40`.
    fn length(&mut self, is_not: bool) -> Option<Filters> {
        self.whole(|reader| {
            let length = reader.read(length_named)?;
            if reader.accept("between") {
                let low = reader.read(number)?;
                reader.expect("and")?;
                let high = reader.read(number)?;
                let not = if is_not { "not " } else { "" };
                let range = format!("{not}{low} <= {length} <= {high}");
                return Some(vec!["terminal".to_owned(), range]);
            }
            let sign = reader.relation(is_not)?;
            let number = reader.read(number)?;
            Some(vec!["terminal".to_owned(), format!("{length} {sign} {number}")])
        })
    }

    /// Reads a comparison of the sum, the difference or the mean of two ratings with a number:
    /// `white_elo - black_elo > 200`, `(white_elo + black_elo) / 2 > 2600`. In place of the mean, the sum is
    /// compared, since a division would round.
    fn ratings(&mut self, is_not: bool) -> Option<Filters> {
        let rating = |part| match property(part)? {
            Property::Number(name) if name.starts_with("elo ") => Some(name),
            _ => None,
        };
        self.whole(|reader| {
            let is_open = reader.accept("(");
            let first = reader.read(rating)?;
            let sum = reader.read(|part| matches!(part, "+" | "-").then_some(part))?;
            let second = reader.read(rating)?;
            let is_mean = is_open && {
                reader.expect(")")?;
                reader.accept("/")
            };
            if is_mean {
                reader.read(|part| matches!(part, "2" | "2.0").then_some(()))?;
            }
            let sign = reader.relation(is_not)?;
            let number: u32 = reader.read(number)?.parse().ok()?;
            let number = number.checked_mul(if is_mean { 2 } else { 1 })?;
            let both = format!("{first} {sum} {second}");
            Some(of_known(&both, sign, format!("{both} {sign} {number}")))
        })
    }

    /// Reads a word about the game, from a part as it is written.
    fn key(&mut self, plain: impl Fn(&'t str) -> &'t str) -> Option<&'t str> {
        self.read(|part| property(plain(part)).map(|_| plain(part)))
    }

    /// Reads a comparison whose value comes first: `2000 < year`.
    fn turned(&mut self, is_not: bool) -> Option<Filters> {
        let value = self.at;
        let (_, turned) = sign(self.parts.get(value + 1)?)?;
        let word = *self.parts.get(value + 2)?;
        property(word).filter(|_| property(self.parts[value]).is_none())?;
        let turned = if is_not { opposite(turned)? } else { turned };
        let filters = self.compared(word, turned);
        self.at += if filters.is_some() { 2 } else { 0 };
        filters
    }

    /// Reads a value to which a word about the game has a relation.
    fn compared(&mut self, word: &str, sign: &str) -> Option<Filters> {
        let is_part = matches!(property(word), Some(Property::Text(_)))
            && matches!(sign, "==" | "!=")
            && quoted(self.next()).is_some();
        self.has_part |= is_part;
        self.read(|part| {
            let value = quoted(part).or_else(|| number(part))?;
            let is_not = sign == "!=";
            let kind = property(word)?;
            // as in `eco = 'B'`, which is no code, and a part of every other one
            if matches!(kind, Property::Text("eco")) && value.trim().len() < 3 {
                return None;
            }
            let is_number =
                matches!(kind, Property::Number(_) | Property::Date) && number(&value).is_some();
            if is_number || !is_not && sign != "==" {
                return compared(kind, sign, part);
            }
            filter_of_value(word, &value).map(|filter| unless(is_not, word, filter))
        })
    }

    /// Reads several values between two signs, one of which a word about the game has, or none of them.
    fn values(&mut self, word: &str, open: &str, close: &str, is_not: bool) -> Option<Filters> {
        self.expect(open)?;
        let cases = self.list(|reader| reader.compared(word, if is_not { "!=" } else { "==" }))?;
        self.expect(close)?;
        Some(if is_not { all(cases) } else { any(cases) })
    }

    /// Reads the tags of a game, also with `and` and `or` between them. Returns their filters, and whether
    /// moves follow.
    fn tags(&mut self) -> Option<(String, bool)> {
        let mut cases = Vec::new();
        let mut filters = Filters::new();
        while self.accept("[") {
            self.count()?;
            let name = self.read(|part| part.starts_with(char::is_alphabetic).then_some(part))?;
            let is_unknown = bare(self.next()).chars().all(|c| "?.-".contains(c));
            if is_unknown || name == "Round" {
                self.has_round |= !is_unknown;
                self.at += 1;
            } else if let Some(Property::Number(filter)) = property(name)
                && let Some(rating) = rating_in(bare(self.next()))
            {
                filters.push(format!("{filter} == {rating}"));
                self.at += 1;
            } else if property(name).is_some()
                || name.starts_with("White")
                || name.starts_with("Black")
            {
                filters.extend(self.compared(name, "==")?);
            } else {
                let value = self.read(quoted).filter(|value| !value.contains(['"', '\\']))?;
                filters.push(format!("tag \"{name}\" == \"{value}\""));
            }
            self.expect("]")?;
            let is_or = self.accept("or");
            if is_or {
                cases.push(std::mem::take(&mut filters));
            }
            if (is_or || self.accept("and")) && self.next() != "[" {
                return None;
            }
        }
        let has_more = self.at < self.parts.len();
        let is_move = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_digit() || "{*(".contains(c))
                || San::read(part).is_some()
        };
        if has_more && (!cases.is_empty() || !is_move(self.next())) {
            return None;
        }
        cases.push(filters);
        // A tag that says nothing leaves nothing of its case.
        if cases.len() > 1 && cases.iter().any(Filters::is_empty) {
            return None;
        }
        Some((any(cases).join(" "), has_more))
    }

    fn json(&mut self) -> Option<(String, bool)> {
        let filters = self.object()?;
        (self.at == self.parts.len()).then(|| (filters.join(" "), false))
    }

    fn object(&mut self) -> Option<Filters> {
        self.count()?;
        self.expect("{")?;
        let members = self.list(Self::member)?;
        self.expect("}")?;
        Some(members.concat())
    }

    fn member(&mut self) -> Option<Filters> {
        let key = bare(self.next());
        if matches!(key, "$or" | "$and") {
            self.at += 1;
            self.expect(":")?;
            self.expect("[")?;
            let cases = self.list(Self::object)?;
            self.expect("]")?;
            return Some(if key == "$or" { any(cases) } else { cases.concat() });
        }
        let word = self.key(bare)?;
        self.expect(":")?;
        if self.next() == "[" {
            // Both players are meant by `"players": ["Tal", "Euwe"]`.
            if word.eq_ignore_ascii_case("players") {
                self.at += 1;
                let both = self.list(|reader| reader.compared(word, "=="))?;
                self.expect("]")?;
                return Some(both.concat());
            }
            return self.values(word, "[", "]", false);
        }
        if !self.accept("{") {
            return self.compared(word, "==");
        }
        let relations = self.list(|reader| {
            if bare(reader.next()) == "$in" {
                reader.at += 1;
                reader.expect(":")?;
                return reader.values(word, "[", "]", false);
            }
            let [sign, ..] = reader.read(|part| SIGNS.iter().find(|row| row[3] == bare(part)))?;
            reader.expect(":")?;
            reader.compared(word, sign)
        })?;
        self.expect("}")?;
        Some(relations.concat())
    }
}

/// Returns the property that a word asks for, if its values have an order.
fn ordered(word: &str) -> Option<Property> {
    let is_ordered = |property: &Property| {
        matches!(property, Property::Number(_) | Property::Date | Property::Text("eco"))
    };
    property(word).filter(is_ordered)
}

/// Returns a value of an ordered property as the language has it, and the filter whose values are of its
/// kind.
fn value_of(property: Property, part: &str) -> Option<(String, &'static str)> {
    let value = quoted(part).or_else(|| number(part))?;
    let is_of = |signs: &str| value.chars().all(|c| c.is_ascii_digit() || signs.contains(c));
    match property {
        Property::Number(name) => Some((number(&value)?, name)),
        Property::Date if is_of("") => Some((number(&value)?, "year")),
        Property::Date if is_of(".-") && value.starts_with(|c: char| c.is_ascii_digit()) => {
            Some((format!("\"{}\"", dated(&value)), "date"))
        }
        Property::Text("eco") => {
            let code = Some(value.to_ascii_uppercase()).filter(|code| !code.is_empty());
            let code = code.filter(|code| is_eco(code, TagComparison::Start))?;
            Some((format!("\"{code}\""), "eco"))
        }
        _ => None,
    }
}

/// Returns the filters that compare an ordered property with a value.
fn compared(property: Property, sign: &str, part: &str) -> Option<Filters> {
    let (value, name) = value_of(property, part)?;
    let filter = format!("{name} {sign} {value}");
    if name != "date" || !sign.starts_with('>') {
        return Some(of_known(name, sign, filter));
    }
    let end = if sign == ">" { ">" } else { "<" };
    Some(match year_after(property, end, &value) {
        Some(year) => vec![format!("year {sign} {year}")],
        None => vec![with_date(&filter), filter],
    })
}

/// Returns the year of a date in quotes if no other day of the year comes before it (`<`) or after it
/// (`>`).
fn year_after(property: Property, sign: &str, date: &str) -> Option<String> {
    let end = if sign == "<" { ".01.01\"" } else { ".12.31\"" };
    let year = date.strip_suffix(end)?.strip_prefix('"')?;
    matches!(property, Property::Date).then(|| year.to_owned())
}

/// Returns the filter that compares a number with another. A game whose number is not
/// known meets no comparison but `!=`.
fn of_known(number: &str, sign: &str, filter: String) -> Filters {
    if sign != "!=" {
        return vec![filter];
    }
    let numbers = number.split(['+', '-']).map(|number| format!("{} > 0", number.trim()));
    numbers.chain([filter]).collect()
}

/// Returns a sign of SQL as the language has it, and the one between exchanged sides.
fn sign(part: &str) -> Option<(&'static str, &'static str)> {
    let own = match part {
        "=" => "==",
        "<>" => "!=",
        own => own,
    };
    SIGNS.iter().find(|row| row[0] == own).map(|row| (row[0], row[2]))
}

/// Returns the rating that the value of a tag has: 2700 for `2700?`.
fn rating_in(value: &str) -> Option<String> {
    number(value.trim_end_matches(['?', ' ']))
}

/// Returns a part without its quotes.
fn bare(part: &str) -> &str {
    part.trim_matches(['"', '\''])
}

/// Returns the text that is in quotes. Two quotes are one: `'O''Kelly'`.
fn quoted(part: &str) -> Option<String> {
    let quote = part.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let text = part.strip_prefix(quote)?.strip_suffix(quote)?;
    Some(text.replace(&quote.to_string().repeat(2), &quote.to_string()))
}

/// Returns the words, the signs and the texts in quotes of SQL or JSON. Nothing but blanks is left
/// out.
fn parts(body: &str) -> Vec<&str> {
    let is_sign = |c: char| matches!(c, '=' | '<' | '>' | '!');
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut parts = Vec::new();
    let mut rest = body.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = |is: &dyn Fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let end = match first {
            '\'' | '"' => text_end(rest, first),
            _ if is_sign(first) => length(&is_sign),
            _ if is_word(first) => length(&is_word),
            _ => first.len_utf8(),
        };
        parts.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    parts
}

/// Returns the length of the text in quotes at the start of another.
fn text_end(text: &str, quote: char) -> usize {
    let mut end = 1;
    while let Some(at) = text[end..].find(quote) {
        end += at + 1;
        if !text[end..].starts_with(quote) {
            return end;
        }
        end += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use crate::parse::tests::dump::parse_body;

    /// Returns the text of the edit, or the help without one.
    fn answer(text: &str) -> String {
        let (_, parsed) = parse_body(text);
        match &parsed.diagnostics[..] {
            [one] if one.code == "E0115" => {
                let help = one.help.clone().unwrap_or_default();
                one.edit.as_ref().map_or(help, |edit| edit.text.to_string())
            }
            other => format!("{other:?}"),
        }
    }

    /// Checks the filters that each text has, or, after a `?`, the part that is not understood.
    fn check(cases: &[(&str, &str)], whole: impl Fn(&str) -> String) {
        let mut wrong = Vec::new();
        for (text, expected) in cases {
            let found = answer(&whole(text));
            let is_right = match expected.strip_prefix('?') {
                Some(unread) => {
                    found.starts_with(&format!("`{unread}` is not understood"))
                        && !found.contains("the conditions are")
                }
                None => found == *expected && parse_body(expected).1.diagnostics.is_empty(),
            };
            if !is_right {
                wrong.push((text, found, expected));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn sql_is_read_as_a_whole_or_not() {
        let cases = [
            ("white = 'Carlsen'", "player white \"Carlsen\""),
            ("WhiteElo >= 2700 AND year < 1990", "elo white >= 2700 year < 1990"),
            ("eco like 'B9%';", "eco ~~ \"^B9\""),
            ("white_elo = 2600", "elo white == 2600"),
            ("white_elo <> 2600", "elo white > 0 elo white != 2600"),
            ("white_elo not in (2600, 2700)", "elo white > 0 elo white != 2600 elo white != 2700"),
            (
                "not (plies < 9 or white_elo in (2600))",
                "terminal ply >= 9 elo white > 0 elo white != 2600",
            ),
            (
                "white_elo - black_elo <> 200",
                "elo white > 0 elo black > 0 elo white - elo black != 200",
            ),
            ("opening not like '%Sicilian%'", "opening ~~ \".\" not opening \"Sicilian\""),
            ("event <> 'Linares'", "event != \"?\" not event \"Linares\""),
            ("date = 1990", "year == 1990"),
            ("date = '1990-01-02'", "date \"1990.01.02\""),
            ("result != '1-0'", "not result 1-0"),
            ("white='Tal' or black='Tal'", "{player white \"Tal\" or player black \"Tal\"}"),
            (
                "white='Tal' and year=1960 or (black='Tal' and not result='1-0')",
                "{{player white \"Tal\" year == 1960} or {player black \"Tal\" not result 1-0}}",
            ),
            (
                "not (white='Tal' and year=1960)",
                "{not player white \"Tal\" or {year > 0 year != 1960}}",
            ),
            ("not white_elo > 2500", "elo white <= 2500"),
            ("not (plies < 50)", "terminal ply >= 50"),
            ("eco <> 'B90'", "eco ~~ \".\" not eco \"B90\""),
            ("eco = 'B'", "?'B'"),
            ("date like '2019-05%'", "date ~~ \"^2019\\.05\""),
            ("year not in (1960, 1961)", "year > 0 year != 1960 year != 1961"),
            ("not white='Carlsen'", "not player white \"Carlsen\""),
            ("year not between 1960 and 1970", "year > 0 not 1960 <= year <= 1970"),
            ("eco not between 'B20' and 'B99'", "eco ~~ \".\" not \"B20\" <= eco <= \"B99\""),
            (
                "date between '1990.6.1' and '1991'",
                "not date ~~ \"^(1990.(06.)?)?[?]\" \"1990.06.01\" <= date <= \"1991\"",
            ),
            (
                "date between '1990' and '1991-1-2'",
                "not date ~~ \"^(1991.(01.)?)?[?]\" \"1990\" <= date <= \"1991.01.02\"",
            ),
            ("date between '1990-01-01' and '1999-12-31'", "1990 <= year <= 1999"),
            ("date > '1999-12-31'", "year > 1999"),
            ("date <> '1999-05-03'", "not date ~~ \"^(1999.(05.)?)?[?]\" not date \"1999.05.03\""),
            ("eco = 'B90-B99'", "(\"B90\" <= eco <= \"B99\")"),
            ("eco = 'b90 to b99'", "(\"B90\" <= eco <= \"B99\")"),
            ("eco <> 'B90,B91'", "eco ~~ \".\" not {eco \"B90\" or eco \"B91\"}"),
            ("eco = 'B90 Najdorf'", "?'B90 Najdorf'"),
            ("eco = 'B99-B90'", "?'B99-B90'"),
            ("eco between 'b20' and 'b99'", "\"B20\" <= eco <= \"B99\""),
            ("date = '30.07.1992'", "date \"1992.07.30\""),
            ("date = '1999-2001'", "?'1999-2001'"),
            ("white = 'Tal*'", "player white ~~ \"^Tal\""),
            ("white = '^Tal'", "player white ~~ \"^Tal\""),
            ("white = 'GM Tal'", "player white \"Tal\""),
            ("date >= '2000.1.5'", "not date ~~ \"^(2000.(01.)?)?[?]\" date >= \"2000.01.05\""),
            ("date = '2000-1-5'", "date \"2000.01.05\""),
            ("white = 'Carlsen,M'", "player white \"Carlsen, M\""),
            ("year in (1960, 1961)", "{year == 1960 or year == 1961}"),
            (
                "white_elo between 2600 and 2650 and result='1-0'",
                "2600 <= elo white <= 2650 result 1-0",
            ),
            ("white = 'O''Kelly'", "player white \"O'Kelly\""),
            ("white like '%Tal%'", "player white \"Tal\""),
            ("white like '%K%v%'", "player white ~~ \"K.*v\""),
            ("white like '_r%'", "player white ~~ \"^.r\""),
            ("white like 'A%'", "player white ~~ \"^A\""),
            ("white not like '%.A'", "not player white ~~ \"\\.A$\""),
            ("player like 'A%'", "(player white ~~ \"^A\" or player black ~~ \"^A\")"),
            ("white like '%'", "?'%'"),
            ("year like '199%'", "?'199%'"),
            ("white_elo + black_elo > 5000", "elo white + elo black > 5000"),
            ("white_elo - black_elo > 200", "elo white - elo black > 200"),
            ("(whiteelo + blackelo)/2 > 2600", "elo white + elo black > 5200"),
            ("(whiteelo + blackelo)/3 > 2600", "?+"),
            ("plycount <= 40 and result = '0-1'", "terminal ply <= 40 result 0-1"),
            ("moves < 20", "terminal (ply + 1) / 2 < 20"),
            ("moves between 20 and 30", "terminal 20 <= (ply + 1) / 2 <= 30"),
            ("white ilike '%tal%'", "(lowercase player white) ~~ \"tal\""),
            ("result='1-0' and round='1'", "?round"),
            ("white='Tal' union select * from games", "?union"),
            ("year = 1999 + 1", "?+"),
            ("upper(white) like 'KR%'", "?upper"),
            ("white_elo >= 2600.5 and white='Tal'", "?2600.5"),
            ("white = black", "?black"),
            ("white = ''", "?''"),
            ("white > 'Tal'", "?'Tal'"),
            ("length(white) = 3", "?length"),
            ("white='Tal' || black='X'", "?|"),
            ("white='Tal' xor black='X'", "?xor"),
            ("white='Tal' and plies > 40", "player white \"Tal\" terminal ply > 40"),
            ("white='Tal' and plies > foo", "?plies"),
            ("white='Tal' and foo > 3", "?foo"),
            ("date between '1990' and '1991'", "1990 <= year <= 1991"),
            (
                "date between '1990-01-01' and '1990-06-30'",
                "not date ~~ \"^(1990.(01.)?|1990.(06.)?)?[?]\" \"1990.01.01\" <= date <= \"1990.06.30\"",
            ),
            ("date >= '2000-01-01'", "year >= 2000"),
            ("date < '2000-01-01'", "date < \"2000.01.01\""),
            ("'2000.01.01' > date", "date < \"2000.01.01\""),
            ("2000 < year", "year > 2000"),
            ("'Carlsen' = white", "player white \"Carlsen\""),
            ("eco between 'B20' and 'B99'", "\"B20\" <= eco <= \"B99\""),
            ("eco >= 'B20'", "eco >= \"B20\""),
            ("result = '*'", "result \"*\""),
            ("white between 'A' and 'B'", "?between"),
            ("2000 < foo", "?2000"),
            ("case when white='Tal' then 1 end = 1", "?case"),
            ("white='Tal' group by eco having count(*) > 3", "?having"),
            ("white='Tal' order by length(white)", "?length"),
        ];
        check(&cases, |text| format!("select * from games where {text}"));
        check(&cases, |text| format!("WHERE {text}"));
        let cases = [
            (
                "select white, black from g where result = '1-0' and elo > 2600",
                "result 1-0 elo > 2600",
            ),
            ("eco BETWEEN \"B20\" AND \"B99\"", "\"B20\" <= eco <= \"B99\""),
            ("result='*' AND white='Tal'", "result \"*\" player white \"Tal\""),
            ("white LIKE 'C%'", "player white ~~ \"^C\""),
            ("white not like 'C%'", "not player white ~~ \"^C\""),
            ("event like '%Candidates%'", "event \"Candidates\""),
            ("white_elo > 2400 AND Year < 1990", "elo white > 2400 year < 1990"),
            ("result = '1-0' OR result <> '0-1'", "{result 1-0 or not result 0-1}"),
            ("select * from games where white is null", "?is"),
            ("delete from games where white='x'", "?delete"),
            ("with t as (select * from games) select * from t where white='x'", "?with"),
            ("select count(*) from games where white='x'", "?count"),
            ("select * from games join t where white='x'", "?join"),
        ];
        check(&cases, str::to_owned);
        for (text, says) in [
            ("white='Tal' order by date desc", "the conditions are `player white \"Tal\"`; ORDER"),
            ("white='Tal' limit 10;", "the conditions are `player white \"Tal\"`; ORDER"),
            ("white='Tal' group by eco", "the conditions are `player white \"Tal\"`; ORDER"),
            ("white=", "the text ends too early; write"),
        ] {
            let found = answer(&format!("select * from games where {text}"));
            assert!(found.starts_with(says) && found.contains("`--count-by`"), "{text}: {found}");
        }
        assert!(answer("select * from games").starts_with("write a filter"));
        let deep = format!("where {}white='Tal'", "(".repeat(300));
        assert!(answer(&deep).starts_with("`(` is not understood"));
    }

    #[test]
    fn tags_are_read_as_a_whole_or_not() {
        let cases = [
            ("[White \"Carlsen, Magnus\"]", "player white \"Carlsen, Magnus\""),
            (
                "[White \"Carlsen, Magnus\"] [Result \"1-0\"]",
                "player white \"Carlsen, Magnus\" result 1-0",
            ),
            (
                "[Event \"Linares\"]\n[Round \"3.1\"]\n[Black \"?\"]\n[Annotator \"X\"]\n[BlackElo \"2700\"]",
                "event \"Linares\" tag \"Annotator\" == \"X\" elo black == 2700",
            ),
            ("[Date \"1999.05.??\"]", "date \"1999.05\""),
            ("[Date \"1999.??.??\"] [EventDate \"????.??.??\"]", "year == 1999"),
            ("[ECO \"B90\"][Result \"*\"]", "eco \"B90\" result \"*\""),
            (
                "[White \"Tal, M (2700)\"] [WhiteElo \"2700?\"] [ECO \"b90\"] [Date \"1999.1.5\"]",
                "player white \"Tal, M\" elo white == 2700 eco \"B90\" date \"1999.01.05\"",
            ),
            ("[Result \"won\"]", "?\"won\""),
            ("[ECO \"B90-B99\"]", "(\"B90\" <= eco <= \"B99\")"),
            ("[ECO \"B90/04\"]", "eco \"B90\""),
            ("[WhiteElo \"2500+\"]", "?\"2500+\""),
            (
                "[White \"Tal\"] or [Black \"Tal\"]",
                "{player white \"Tal\" or player black \"Tal\"}",
            ),
            ("[White \"Tal\"] and [Result \"1-0\"]", "player white \"Tal\" result 1-0"),
            ("[White \"Tal\"] or mate", "?mate"),
            ("[White \"Tal\"] mate", "?mate"),
        ];
        check(&cases, str::to_owned);
        let found = answer("[White \"Tal\"] [Black \"X\"");
        assert!(found.starts_with("the text ends too early"), "{found}");
        let found = answer("[White \"Tal\"]\n\n1. e4 e5 1-0");
        assert!(found.starts_with("the conditions are `player white \"Tal\"`; moves"), "{found}");
    }

    #[test]
    fn json_is_read_as_a_whole_or_not() {
        let cases = [
            (r#""white": "Carlsen", "result": "1-0""#, "player white \"Carlsen\" result 1-0"),
            (
                r#""$or":[{"white":"Tal"},{"black":"Tal"}]"#,
                "{player white \"Tal\" or player black \"Tal\"}",
            ),
            (r#""$and":[{"white":"Tal"},{"year":1960}]"#, "player white \"Tal\" year == 1960"),
            (r#""white":{"$ne":"Tal"}"#, "not player white \"Tal\""),
            (r#""year":{"$gte":1960,"$lt":1970}"#, "year >= 1960 year < 1970"),
            (r#""white":["Tal","Fischer"]"#, "{player white \"Tal\" or player white \"Fischer\"}"),
            (r#""players":["Tal","Euwe"]"#, "player \"Tal\" player \"Euwe\""),
            (r#""year":{"$in":[1960,1961]}"#, "{year == 1960 or year == 1961}"),
            (r#""white_elo":2600"#, "elo white == 2600"),
            (r#""eco":"B90..B99""#, "(\"B90\" <= eco <= \"B99\")"),
            (r#""eco":["B90-B92","C42"]"#, "{(\"B90\" <= eco <= \"B92\") or eco \"C42\"}"),
            (r#""any":[{"white":"Tal"},{"black":"Tal"}]"#, r#"?"any""#),
            (r#""bool":{"should":[{"white":"Tal"}]}"#, r#"?"bool""#),
            (r#""must_not":{"white":"Tal"}"#, r#"?"must_not""#),
            (r#""white":"Tal","exclude":{"black":"X"}"#, r#"?"exclude""#),
            (r#""white":{"contains":"Tal"}"#, r#"?"contains""#),
            (r#""player":"Tal","color":"black""#, r#"?"color""#),
            (r#""event":"Linares","min_elo":2600"#, r#"?"min_elo""#),
            (r#""white":null"#, "?null"),
            (r#""white":true"#, "?true"),
            (r#""event":"","white":"Tal""#, r#"?"""#),
            (r#""white":"Tal"} {"black":"Tal""#, "?{"),
        ];
        check(&cases, |text| format!("{{{text}}}"));
    }
}
