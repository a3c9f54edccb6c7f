//! Proposes filters for words about the game with a value as in other languages: `White = "Tal"`,
//! `site = London`, `year between 1990 and 2000`.

use super::properties::{
    Property, compared, dated, equal_to, filter_of_value, like, matching, pattern_of, property,
};
use super::words;
use crate::builtin::Keyword;
use crate::lex::in_thousands;
use crate::parse::mend::{Mend, Proposal};
use crate::parse::parser::{Last, Parser};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};

impl Parser<'_> {
    /// Returns a proposal for the value of a word about the game, and the token after it. The sign
    /// between both is at `sign`: `site = London`, `white: "Carlsen"`.
    pub(in crate::parse) fn mend_of_value(&self, sign: usize) -> Option<Proposal> {
        let word = sign.checked_sub(1)?;
        // A color is no text that others could be compared with: `white = "Carlsen"`.
        let is_color = self.is_color_at(word) && self.first_of_word(word) == word;
        self.name_at(word).is_none_or(|name| !self.is_known(name)).then_some(())?;
        self.value_after(sign, is_color || self.symbol_at(sign) == Some(Symbol::Colon))
    }

    /// Returns a proposal for the second `=` of `eco = "B90" or eco = "B91"`, which is at `sign` after
    /// the condition `left`, and the token after the value.
    pub(in crate::parse) fn mend_of_joined_value(
        &self,
        sign: usize,
        left: Last,
    ) -> Option<Proposal> {
        let word = sign.checked_sub(1)?;
        let first = self.first_of_word(word);
        // The condition is all of the words: `mate = 3`.
        if self.span_at(first).start <= left.span.start {
            return None;
        }
        let is_known = self.name_at(word).is_some_and(|name| self.is_known(name));
        let found = if is_known { None } else { self.value_after(sign, true) };
        if found.is_some() || self.string_at(sign + 1).is_some() {
            return found;
        }
        let name = self.whole_text(first, word);
        let value = self.kind_at(sign + 1).map(|_| self.digits_at(sign + 1))?;
        let help = format!("`==` compares: `{name} == {}`", value.as_deref().unwrap_or("…"));
        Some((Mend::edit(help, self.span_at(sign), "=="), sign + 2))
    }

    /// Returns a proposal for a value after the sign at `sign`, and the token after it: words without
    /// quotes, or a text in quotes where `may_be_quoted`.
    fn value_after(&self, sign: usize, may_be_quoted: bool) -> Option<Proposal> {
        self.names_value(sign).then_some(())?;
        let is_equal = self.symbol_at(sign) == Some(Symbol::Equal);
        let last_word = sign.checked_sub(1)?;
        let first_word = self.first_of_word(last_word);
        let word = self.whole_text(first_word, last_word);
        let is_word = |at: usize| {
            let name = self.name_at(at).filter(|name| !self.is_known(name));
            name.is_some() && self.newer_word(at).is_none()
        };
        let (first, mut last) = (sign + 1, sign + 1);
        let is_eco = matches!(property(&word), Some(Property::Text("eco")));
        let text = self.string_at(first).filter(|_| may_be_quoted);
        if text.is_some() {
            // It is the value.
        } else if let Some(code) = self.last_of_codes(first, true).filter(|_| is_eco) {
            last = code;
        } else if is_word(first) {
            while is_word(last + 1)
                && !self.is_one_of(last + 1, "or and not")
                && !self.names_value(last + 2)
                && !self.is_first_on_line(last + 1)
                && self.space_at(last + 1)
            {
                last += 1;
            }
        } else if matches!(property(&word), Some(Property::Tag(_))) {
            last = self.numbers_from(first)?;
        } else {
            return None;
        }
        let place = self.tokens(first, last);
        if let Some(mend) = self.mend_of_semicolon(first_word, &word, place) {
            return Some((mend, last + 1));
        }
        let value = text.map_or_else(|| self.whole_text_of(place), str::to_owned);
        let filter = filter_of_value(&word, &value)?;
        let quoted = format!("\"{value}\"");
        let is_text = self.name_at(first_word).is_none() && filter.starts_with(&word);
        if text.is_none() && is_equal && is_text && filter.ends_with(&quoted) {
            let help = format!("write a text in double quotes: {quoted}");
            return self.propose(help, first, last, quoted);
        }
        let what =
            if text.is_some() { "the value stands" } else { "a text stands in double quotes" };
        self.propose(format!("{what} after the word: `{filter}`"), first_word, last, filter)
    }

    /// Whether the token is a sign between a word about the game and its value.
    fn names_value(&self, at: usize) -> bool {
        matches!(self.symbol_at(at), Some(Symbol::Colon | Symbol::Equal | Symbol::Assign))
    }

    /// Returns a proposal for a value at `place` of the word at `first` with a semicolon and another condition
    /// after it, which would be a comment: `white = Carlsen; black = Nakamura`.
    fn mend_of_semicolon(&self, first: usize, word: &str, place: Span) -> Option<Mend> {
        let all = self.texts.get(usize::from(place.source.0))?;
        let text = std::str::from_utf8(all.get(place.end as usize..)?).ok()?;
        let text = text.trim_start_matches([' ', '\t']);
        let rest = text.strip_prefix(';')?.lines().next()?;
        let end = rest.find(['=', ':', '<', '>', '~'])?;
        property(rest[..end].trim())?;
        let filter = filter_of_value(word, self.whole_text_of(place).trim_matches('"'))?;
        let help = format!(
            "text after `;` is a comment: conditions stand beside each other, as in `{filter} year == 2019`"
        );
        let mut whole = self.span_at(first).to(place);
        whole.end = u32::try_from(all.len() - text.len() + 1).ok()?;
        Some(Mend::edit(help, whole, if rest.starts_with(' ') { filter } else { filter + " " }))
    }

    /// Returns a proposal for a name at `at` that is a column of other programs with a text, and the token
    /// after them: `tournament "London"`, `white_name == "Tal"`. They begin at `first`.
    pub(super) fn mend_of_column(&self, first: usize, at: usize) -> Option<Proposal> {
        let (start, name) = self.member_at(at);
        let first = first.min(start);
        let sign = self.symbol_at(at + 1);
        let value = at + 1 + usize::from(sign.is_some());
        // as in `white_elo == "2400"`
        let filter = equal_to(&name, self.string_at(value)?)?;
        let filter = match sign {
            Some(Symbol::NotEqual) => format!("not {filter}"),
            _ if sign.is_none() || self.names_value(at + 1) => filter,
            _ => return None,
        };
        // as in `player White "Tal"`
        let player = first.checked_sub(1).filter(|_| filter.starts_with("player"));
        let player = player.filter(|&at| self.keyword_at(at) == Some(Keyword::Player));
        self.propose(format!("what is meant is `{filter}`"), player.unwrap_or(first), value, filter)
    }

    /// Returns a proposal for a colon in the numbers of a tag, which is the next token, and the token after
    /// them: `timecontrol = 40/7200:3600`.
    pub(in crate::parse) fn mend_of_periods(&self) -> Option<Proposal> {
        let is_value = |sign: &usize| self.numbers_from(sign + 1) > Some(self.pos);
        let sign = (1..self.pos).rev().find(|&at| self.symbol_at(at) == Some(Symbol::Assign))?;
        self.value_after(Some(sign).filter(is_value)?, false)
    }

    /// Returns the last of several tokens from `first` on that are numbers and signs without blanks, as
    /// values of tags have them: `40/7200:3600`.
    pub(super) fn numbers_from(&self, first: usize) -> Option<usize> {
        self.digits_at(first)?;
        let is_sign = |at| {
            let sign = self.symbol_at(at);
            matches!(sign, Some(Symbol::Plus | Symbol::Slash | Symbol::Colon | Symbol::Star))
        };
        let is_part = |at: usize| {
            !self.space_at(at) && (is_sign(at) || self.digits_at(at).is_some() && is_sign(at - 1))
        };
        let end = (first + 1..).find(|&at| !is_part(at))?;
        (end > first + 1 && !is_sign(end - 1)).then_some(end - 1)
    }

    /// Returns the first token of a word about the game whose last one is at `word`: `elo white`.
    pub(in crate::parse) fn first_of_word(&self, word: usize) -> usize {
        let is_color = self.is_color_at(word);
        let is_of_color =
            |at: &usize| matches!(self.keyword_at(*at), Some(Keyword::Player | Keyword::Elo));
        word.checked_sub(1).filter(|at| is_color && is_of_color(at)).unwrap_or(word)
    }

    /// Whether the token at `at` is the point of `board.is_check`, and the next one a word.
    fn is_point(&self, at: usize) -> bool {
        self.is_word_at(at + 1) && self.is_glued_at(at) && self.whole_text_at(at) == "."
    }

    /// Returns a proposal for `eco.startswith("B9")`, whose first word is at `at`, and the token after it.
    pub(super) fn mend_of_method(&self, at: usize) -> Option<Proposal> {
        let method = self.name_at(at + 2).filter(|_| self.is_point(at + 1))?;
        let text = self.string_at(at + 4).filter(|text| !text.contains(['%', '_']))?;
        let pattern = pattern_of(method, text)?;
        let close = self.stream.partner(at + 3).filter(|close| *close == at + 5)?;
        let (first, word) = self.member_at(at);
        let filter = like(&word, &pattern)?;
        self.propose(format!("what is meant is `{filter}`"), first, close, filter)
    }

    /// Returns a word about the game whose last token is at `at`, and its first token: `whitename` for
    /// `white.name`.
    fn member_at(&self, at: usize) -> (usize, String) {
        let color = at.checked_sub(2).filter(|&at| self.is_color_at(at) && self.is_point(at + 1));
        let word = self.whole_text_at(at);
        match color {
            Some(color) => (color, self.whole_text_at(color) + &word),
            None => (at, word),
        }
    }

    /// Returns a proposal for a word of other languages at `at` that compares the text before it with the
    /// one after it: `player regexp "^Carl"`, `event like "%Open%"`.
    pub(super) fn mend_of_comparing(&self, at: usize) -> Option<Mend> {
        let word = at.checked_sub(1)?;
        let text = self.string_at(at + 1)?;
        let (first, filter) = self.text_before(at)?;
        let word = self.text_at(word);
        let pattern = compared(self.name_at(at)?, &word, &filter, text)?;
        let help = format!("what is meant is `{pattern}`");
        Some(Mend::edit(help, self.tokens(first, at + 1), pattern))
    }

    /// Returns a proposal for `comment contains "novelty"`, whose first word is at `word`, and the token
    /// after it: another word reads the comments of the file.
    pub(in crate::parse) fn mend_of_comment(&self, word: usize) -> Option<Proposal> {
        let (sign, value) = (word + 1, word + 2);
        let text = self.string_at(value)?;
        let name = self.whole_text_at(word);
        let Property::Text(own @ "originalcomment") = property(&name)? else {
            return None;
        };
        let how = self.name_at(sign).filter(|how| words::is_comparing(how) && !self.is_known(how));
        let filter = match (self.symbol_at(sign), how) {
            _ if self.names_value(sign) => filter_of_value(&name, text)?,
            (Some(Symbol::Match), _) => matching(own, &format!("\"{text}\"")),
            (_, Some(how)) => compared(how, &name, own, text)?,
            _ => return None,
        };
        let help = format!("`comment` writes a text; `{filter}` looks for it in the file");
        self.propose(help, word, value, filter)
    }

    /// Returns a proposal for `player(Kasparov)`, whose name begins at `at`.
    pub(super) fn mend_of_call(&self, at: usize) -> Option<Mend> {
        let open = at.checked_sub(1)?;
        self.symbol_at(open).filter(|sign| *sign == Symbol::OpenParen && !self.space_at(open))?;
        let close = self.stream.partner(open)?;
        let is_part = |at: usize| {
            let is_sign = matches!(self.symbol_at(at), Some(Symbol::Comma | Symbol::Dot));
            is_sign || self.name_at(at).is_some_and(|name| !self.is_known(name))
        };
        let (first, filter) = self.text_before(open)?;
        if !(at..close).all(is_part) {
            return None;
        }
        let text = format!("{filter} \"{}\"", self.whole_text(at, close - 1));
        let help = format!("a text stands in double quotes after the word: `{text}`");
        Some(Mend::edit(help, self.tokens(first, close), text))
    }

    /// Returns the first token of a text of the game before the token `at`, and its filter.
    fn text_before(&self, at: usize) -> Option<(usize, String)> {
        let word = at.checked_sub(1)?;
        let before = word.checked_sub(1);
        if let Some(tag) = before.filter(|&at| self.keyword_at(at) == Some(Keyword::Tag)) {
            return Some((tag, self.whole_text(tag, word)));
        }
        let is_player = |at: &usize| self.keyword_at(*at) == Some(Keyword::Player);
        let filter = property(&self.whole_text_at(word))?.text()?;
        Some((before.filter(is_player).unwrap_or(word), filter))
    }

    /// Returns a proposal for a sign of other languages at `at` that compares a text with a pattern, as
    /// in `player =~ "^Carl"` and `white ~ /Carlsen/`, and the token after the pattern.
    pub(in crate::parse) fn mend_of_pattern(&self, at: usize) -> Option<Proposal> {
        let sign = at + usize::from(self.symbol_at(at) == Some(Symbol::Assign));
        self.symbol_at(sign).filter(|sign| *sign == Symbol::Complement)?;
        let value = sign + 1 + usize::from(self.symbol_at(sign + 1) == Some(Symbol::Star));
        let is_slash = |at: &usize| self.symbol_at(*at) == Some(Symbol::Slash);
        let (pattern, last) = match self.kind_at(value)? {
            TokenKind::String(text) => (std::str::from_utf8(text).ok()?.to_owned(), value),
            _ => {
                /// Maximum number of tokens of a pattern between slashes.
                const LONGEST: usize = 10;
                let last = (value + 1..value + LONGEST).find(|at| is_slash(at))?;
                let pattern = self.whole_text(value, last);
                (pattern.strip_prefix('/')?.strip_suffix('/')?.to_owned(), last)
            }
        };
        let (first, filter) = self.text_before(at)?;
        let text = matching(&filter, &format!("\"{pattern}\""));
        let help = format!("`~~` looks for a pattern in a text: `{text}`");
        let is_whole = !pattern.is_empty() && !pattern.contains(['"', '\n']);
        self.propose(help, first, last, text).filter(|_| is_whole)
    }

    /// Returns a proposal for `board.is_check()`, whose first name is at `at`, and the token after it.
    pub(super) fn mend_of_member(&self, at: usize) -> Option<Proposal> {
        let member = at + 2;
        if !self.is_point(at + 1) {
            return None;
        }
        if let Some(found) = self.mend_of_method(at).or_else(|| self.mend_of_column(at, member)) {
            return Some(found);
        }
        let is_call = self.stream.partner(member + 1) == Some(member + 2);
        let last = if is_call { member + 2 } else { member };
        let word = self.whole_text_at(member);
        let synonym = words::synonym(&word).and_then(|(_, text)| text);
        let filter = Keyword::from_text(&word).map(Keyword::text).or(synonym);
        // A call with arguments may mean anything: `pieces.count("Q")`.
        let has_arguments = self.symbol_at(last + 1) == Some(Symbol::OpenParen);
        const HELP: &str = "a query has no objects, and a filter stands alone";
        match filter.filter(|_| !has_arguments) {
            Some(text) => self.propose(format!("{HELP}: `{text}`"), at, last, text),
            None => Some((Mend::advice(format!("{HELP}, such as `check`")), last + 1)),
        }
    }

    /// Returns a proposal for `year between 1990 and 2000`, whose `between` is at `at`, and the token
    /// after it.
    pub(in crate::parse) fn mend_of_between(&self, at: usize) -> Option<Proposal> {
        let word = at.checked_sub(1)?;
        let bound = |at: usize| {
            let is_bound = self.is_integer_at(at) || self.is_string_at(at);
            is_bound.then(|| self.whole_text_at(at))
        };
        let (bounds, last) = self.bounds_after(at, bound)?;
        let first = self.first_of_word(word);
        let mut name = self.whole_text(first, word);
        if name == "date" && self.is_integer_at(at + 1) {
            name = "year".to_owned();
        }
        let [low, high] = bounds.map(|bound| match &*name {
            "date" | "eventdate" => dated(&bound),
            _ => bound,
        });
        let text = format!("{low} <= {name} <= {high}");
        self.propose(format!("a range is one comparison: `{text}`"), first, last, text)
    }

    /// Returns the two bounds after the word `between` at `at`, and the last of their tokens:
    /// `between 1990 and 2000`.
    pub(super) fn bounds_after(
        &self,
        at: usize,
        bound: impl Fn(usize) -> Option<String>,
    ) -> Option<([String; 2], usize)> {
        self.keyword_at(at).filter(|word| *word == Keyword::Between)?;
        let last = at + 2 + usize::from(self.keyword_at(at + 2) == Some(Keyword::And));
        Some(([bound(at + 1)?, bound(last)?], last))
    }

    /// Returns a proposal for `eco in ("B90", "B91")`, whose parentheses close at `close`, and the token
    /// after it.
    pub(in crate::parse) fn mend_of_list(&self, close: usize) -> Option<Proposal> {
        let at = self.stream.partner(close)?.checked_sub(1)?;
        let word = at.checked_sub(1).filter(|_| self.keyword_at(at) == Some(Keyword::In))?;
        self.mend_of_numbers(at, self.tokens(self.first_of_word(word), word))
    }

    /// Returns a proposal for `year in (1990, 1991)` and `result in ["1-0", "0-1"]`, whose `in` is at `at`
    /// after a word, and the token after it.
    pub(in crate::parse) fn mend_of_numbers(&self, at: usize, number: Span) -> Option<Proposal> {
        let open = at + 1;
        self.symbol_at(open).filter(|sign| {
            matches!(sign, Symbol::OpenParen | Symbol::OpenBracket | Symbol::OpenBrace)
        })?;
        let close = self.stream.partner(open)?;
        let name = self.whole_text_of(number);
        let mut cases = Vec::new();
        for at in open + 1..close {
            let text = self.whole_text_at(at);
            cases.push(match self.kind_at(at)? {
                TokenKind::Integer(_) => format!("{name} == {text}"),
                TokenKind::String(_) => equal_to(&name, self.string_at(at)?)?,
                TokenKind::Result(_) => equal_to(&name, &text)?,
                TokenKind::Symbol(Symbol::Comma) => continue,
                _ => return None,
            });
        }
        let text = format!("{{{}}}", cases.join(" or "));
        let help = format!("each value is compared by itself: `{text}`");
        (!cases.is_empty())
            .then(|| (Mend::edit(help, number.to(self.span_at(close)), text), close + 1))
    }

    /// Returns a proposal for `2_700`, whose second part is a name at `at`.
    pub(super) fn mend_of_thousands(&self, at: usize, name: &str) -> Option<Mend> {
        let digits = name.strip_prefix('_').filter(|_| !self.space_at(at))?;
        let before = at.checked_sub(1)?;
        let number = self.digits_at(before)?;
        let number = in_thousands(&number, digits.split('_'))?;
        let help = format!("a number has no sign between its digits: `{number}`");
        Some(Mend::edit(help, self.tokens(before, at), number))
    }

    /// Returns a proposal for the second result of `result 1-0 or 0-1`, which is the next token.
    pub(in crate::parse) fn mend_of_other_result(&self) -> Option<Mend> {
        let is_result = |at: usize| matches!(self.kind_at(at), Some(TokenKind::Result(_)));
        let before = self.pos.checked_sub(2)?;
        if !is_result(self.pos) || !is_result(before) {
            return None;
        }
        let text = format!("result {}", self.whole_text_of(self.here()));
        let help = format!("each result has its filter: `{text}`");
        Some(Mend::edit(help, self.here(), text))
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::tests::dump::parse_body;
    use crate::parse::{ParseOptions, Source, parse};

    /// Returns the text after the edits of all errors.
    fn mended(query: &str) -> String {
        let (mut text, parsed) = parse_body(query);
        let edits = parsed.diagnostics.iter().rev().filter_map(|d| d.edit.as_ref());
        for edit in edits {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        text.replacen("cql() ", "", 1)
    }

    #[test]
    fn a_call_has_an_open_parenthesis() {
        for text in ["{white} v", "cql() {white} v", "cql() (white) v"] {
            let source = Source { name: "test", text: text.as_bytes() };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let mut helps = parsed.diagnostics.iter().filter_map(|d| d.help.as_deref());
            assert!(helps.all(|help| !help.contains("player white")), "{text}");
        }
    }

    #[test]
    fn values_of_other_languages_are_mended() {
        let cases = [
            ("site = London", "site \"London\""),
            ("site = New York\nmate", "site \"New York\"\nmate"),
            ("site == London", "site == \"London\""),
            ("ECO = B90", "eco \"B90\""),
            ("eco = B90", "eco \"B90\""),
            ("Eco == B90", "eco \"B90\""),
            ("White = Carlsen", "player white \"Carlsen\""),
            ("player white = Carlsen", "player white \"Carlsen\""),
            ("year between 1990 and 2000", "1990 <= year <= 2000"),
            ("date between 1990 and 2000 mate", "1990 <= year <= 2000 mate"),
            ("elo white between 2000 and 2200", "2000 <= elo white <= 2200"),
            ("year in (1990, 1991)", "{year == 1990 or year == 1991}"),
            ("result in [\"1-0\", \"0-1\"] mate", "{result 1-0 or result 0-1} mate"),
            ("eco in [\"B90\", \"B91\"]", "{eco \"B90\" or eco \"B91\"}"),
            ("white in [\"Tal\"]", "{player white \"Tal\"}"),
            ("\"Tal\" in white", "player white \"Tal\""),
            ("eco.startswith(\"B9\") mate", "eco ~~ \"^B9\" mate"),
            ("white_name.contains(\"Tal\")", "player white \"Tal\""),
            ("board.is_checkmate() wtm", "mate wtm"),
            ("not board.is_check()", "not check"),
            ("df.white_elo > 2400", "elo white > 2400"),
            ("game.white == \"Tal\" mate", "player white \"Tal\" mate"),
            ("game.foo == 3", "game.foo == 3"),
            ("player White \"Tal\"", "player white \"Tal\""),
            ("pieces.count(\"Q\") wtm", "pieces.count(\"Q\") wtm"),
            ("white_elo > 2400 and black_elo > 2400", "elo white > 2400 and elo black > 2400"),
            ("white_queen and not black_queen", "Q and not q"),
            ("WhitePawns >= 5", "P >= 5"),
            ("white LIKE 'C%' wtm", "player white ~~ \"^C\" wtm"),
            ("player white like \"C%\" wtm", "player white ~~ \"^C\" wtm"),
            ("moves < 20", "terminal (ply + 1) / 2 < 20"),
            ("#moves < 20", "terminal (ply + 1) / 2 < 20"),
            ("not length < 25", "terminal (ply + 1) / 2 >= 25"),
            ("castle moves < 25", "castle find {terminal (ply + 1) / 2 < 25}"),
            ("not (moves < 25)", "not (find {terminal (ply + 1) / 2 < 25})"),
            ("initial moves < 25 check", "initial find {terminal (ply + 1) / 2 < 25} check"),
            ("player \"Tal\" moves < 25", "player \"Tal\" terminal (ply + 1) / 2 < 25"),
            ("elo white minus elo black > 9", "elo white - elo black > 9"),
            ("elo white over 2700", "elo white > 2700"),
            ("date before 2010-1-5", "date < \"2010.01.05\""),
            ("elo diff >= 200", "abs (elo white - elo black) >= 200"),
            ("avgelo > 2600", "elo white + elo black > 5200"),
            ("TimeControl 180+2", "tag \"TimeControl\" == \"180+2\""),
            ("eco B20 to B99", "(\"B20\" <= eco <= \"B99\")"),
            ("eco not B90", "eco ~~ \".\" not eco \"B90\""),
            ("white=Tal;year=1960", "player white \"Tal\" year==1960"),
            ("white:Tal or black:Tal", "player white \"Tal\" or player black \"Tal\""),
            ("player white or black Tal", "player \"Tal\""),
            ("mate Qxf7", "mate currentmove Q[x]f7"),
            ("mate Nf7#", "N--f7(mate)"),
            ("check Qh5+", "Q--h5(check)"),
            ("Aa <= 7", "[Aa] <= 7"),
            ("whiteking a1", "Ka1"),
            ("path Qx-- mate", "path Q[x] mate"),
            ("hhdb composer Reti", "hhdb composer \"Reti\""),
            ("import themes", "import \"themes\""),
            ("theme fork mate", "theme \"fork\" mate"),
            ("move > 40", "movenumber > 40"),
            ("player \"Carlsen\" vs \"Anand\"", "player \"Carlsen\" player \"Anand\""),
            ("player white \"Tal\" v \"Euwe\"", "player white \"Tal\" player black \"Euwe\""),
            ("result 1-0 or 0-1", "result 1-0 or result 0-1"),
            ("[mate]", "{mate}"),
            ("event like '%Candidates%'", "event \"Candidates\""),
            ("opening like \"Sicilian%\"", "opening ~~ \"^Sicilian\""),
            ("castling kingside", "o-o"),
            ("castling queenside", "o-o-o"),
            ("white has bishop pair", "white has bishop pair"),
            ("Karpov vs Kasparov", "player \"Karpov\" player \"Kasparov\""),
            ("Karpov - Kasparov mate", "player \"Karpov\" player \"Kasparov\" mate"),
            ("not Karpov v Kasparov", "not {player \"Karpov\" player \"Kasparov\"}"),
            ("\"Karpov\" versus \"Kasparov\"", "player \"Karpov\" player \"Kasparov\""),
            ("player Karpov vs Kasparov", "player \"Karpov\" player \"Kasparov\""),
            ("white Karpov v Kasparov", "player white \"Karpov\" player black \"Kasparov\""),
            (
                "Magnus Carlsen vs Hikaru Nakamura",
                "player ~~ \"Carlsen, M|Magnus,? Carlsen\" player ~~ \"Nakamura, H|Hikaru,? Nakamura\"",
            ),
            ("GM Carlsen vs GM Anand", "player \"Carlsen\" player \"Anand\""),
            (
                "Judit Polgar vs Susan Polgar",
                "flipcolor {player white ~~ \"Polgar, J|Judit,? Polgar\" \
                 player black ~~ \"Polgar, S|Susan,? Polgar\"}",
            ),
            ("Karpov -- Kasparov", "player \"Karpov\" player \"Kasparov\""),
            ("March - May", "March - May"),
            ("date November 1999", "date \"1999.11\""),
            ("date May mate", "date \".05.\" mate"),
            ("date November 5", "date November 5"),
            ("not a draw", "not result 1/2-1/2"),
            ("a checkmate wtm", "mate wtm"),
            ("white.name == \"Tal\" mate", "player white \"Tal\" mate"),
            ("black.name.contains(\"Tal\")", "player black \"Tal\""),
            ("game.isDraw()", "game.isDraw()"),
            ("B90 to B99", "(\"B90\" <= eco <= \"B99\")"),
            ("from B20 to B99 mate", "(\"B20\" <= eco <= \"B99\") mate"),
            ("eco B20..B29", "(\"B20\" <= eco <= \"B29\")"),
            ("eco B20-99", "(\"B20\" <= eco <= \"B99\")"),
            ("eco B90, B91 mate", "{eco \"B90\" or eco \"B91\"} mate"),
            ("eco = B90-B99 mate", "(\"B90\" <= eco <= \"B99\") mate"),
            ("ECO: B90, b91", "{eco \"B90\" or eco \"B91\"}"),
            ("B90 B91", "{eco \"B90\" or eco \"B91\"}"),
            ("eco B90 and B91", "{eco \"B90\" or eco \"B91\"}"),
            ("not B90 or mate", "not eco \"B90\" or mate"),
            ("B90 and mate", "eco \"B90\" and mate"),
            ("Least - Most > 3", "Least - Most > 3"),
            ("Karpov vs. Kasparov mate", "player \"Karpov\" player \"Kasparov\" mate"),
            (
                "Karpov beats Kasparov",
                "{player white \"Karpov\" player black \"Kasparov\" result 1-0} or \
                 {player white \"Kasparov\" player black \"Karpov\" result 0-1}",
            ),
            ("player(Kasparov)", "player \"Kasparov\""),
            ("player white(Carlsen, Magnus) mate", "player white \"Carlsen, Magnus\" mate"),
            ("name = Kasparov", "player \"Kasparov\""),
            ("player regexp \"^Carl\"", "(player white ~~ \"^Carl\" or player black ~~ \"^Carl\")"),
            ("player white REGEX \"^Carl\" mate", "player white ~~ \"^Carl\" mate"),
            ("player ilike \"%Carl%\"", "player \"Carl\""),
            ("opening startswith \"Sicilian\"", "opening ~~ \"^Sicilian\""),
            ("event ends_with \"Open\"", "event ~~ \"Open$\""),
            ("player =~ \"Carl\"", "player ~~ \"Carl\""),
            ("opening ~ \"Najdorf\" mate", "opening ~~ \"Najdorf\" mate"),
            ("white ~ /Carlsen/", "player white ~~ \"Carlsen\""),
            ("player !~ \"Carl\"", "player !~ \"Carl\""),
            ("backward pawn on d6", "backward pawn on d6"),
            ("tag \"Mode\" ~* \"otb\"", "tag \"Mode\" ~~ \"otb\""),
            ("...Rxc3 bxc3", "path r[x]c3 Pb2[x]c3"),
            ("...Rxc3", "r[x]c3"),
            ("mate or ...Rxc3+ check", "mate or r[x]c3(check) check"),
            ("checkmate on h8", "mate {{Kh8 wtm} or {kh8 btm}}"),
            ("P > p", "#P > #p"),
            ("P | R <= p", "#(P | R) <= #p"),
            ("result=*", "result \"*\""),
            ("result != \"1-0\" mate", "not result 1-0 mate"),
            ("result != draw", "not result 1/2-1/2"),
            ("opposite bishops endgame", "endgame \"opposite-bishops\""),
            ("opposite color bishops ending", "endgame \"opposite-bishops\""),
            ("WhiteElo > 2500 and BlackElo > 2500", "elo white > 2500 and elo black > 2500"),
            ("ply > 8 AND result == \"1-0\"", "ply > 8 and result 1-0"),
            ("WhiteElo > 2500 foo", "WhiteElo > 2500 foo"),
            (
                "white castled long and black castled short",
                "white castled long and black castled short",
            ),
            ("player White \"Tal\" mate", "player white \"Tal\" mate"),
            ("KRP vs KR", "material \"KRPKR\""),
            ("result 0.5-0.5", "result 1/2-1/2"),
            ("result 0.5 mate", "result 1/2-1/2 mate"),
            ("result = .5-.5", "result 1/2-1/2"),
            ("result == \"0.5-0.5\"", "result 1/2-1/2"),
            ("result ½-½", "result 1/2-1/2"),
            ("result 1/2", "result 1/2-1/2"),
            ("result draw", "result 1/2-1/2"),
            ("elo > 2,700", "elo > 2700"),
            ("elo > 2.700 mate", "elo > 2700 mate"),
            ("elo > 2'700", "elo > 2700"),
            ("elo > 2_700", "elo > 2700"),
            ("gamenumber > 1,000,000", "gamenumber > 1000000"),
            ("gamenumber > 1.000.000", "gamenumber > 1000000"),
            ("ply > 20.25", "ply > 20"),
            ("elo > 2,70", "elo > 2,70"),
            ("eval > 0.5", "eval > 50"),
            ("comment contains \"novelty\"", "originalcomment \"novelty\""),
            ("mate comment has \"novelty\" check", "mate originalcomment \"novelty\" check"),
            ("comment like \"%novelty%\"", "originalcomment \"novelty\""),
            ("comment ~~ \"nov\"", "originalcomment ~~ \"nov\""),
            ("comment = \"novelty\"", "originalcomment \"novelty\""),
            ("comment startswith \"nov\"", "originalcomment ~~ \"^nov\""),
            ("comments contains \"novelty\"", "originalcomment \"novelty\""),
            ("annotation \"novelty\"", "originalcomment \"novelty\""),
            ("originalcomment contains \"novelty\"", "originalcomment \"novelty\""),
            ("passedpawn", "passedpawns"),
            ("doubledpawn", "doubledpawns"),
            ("isolatedpawn > 1", "isolatedpawns > 1"),
            ("connectedpawn", "connectedpawns"),
            ("white passed pawn", "passedpawns & P"),
            ("black isolated pawns", "isolatedpawns & p"),
            ("len(moves) > 200", "terminal (ply + 1) / 2 > 200"),
            ("length > 100", "terminal (ply + 1) / 2 > 100"),
            ("number of moves > 60", "terminal (ply + 1) / 2 > 60"),
            ("game length > 60", "terminal (ply + 1) / 2 > 60"),
            ("nmoves > 60", "terminal (ply + 1) / 2 > 60"),
            ("plycount > 100", "terminal ply > 100"),
            ("ply_count > 100", "terminal ply > 100"),
            ("num_moves > 60", "terminal (ply + 1) / 2 > 60"),
            ("tournament \"London\"", "event \"London\""),
            ("Tourney: \"London\" mate", "event \"London\" mate"),
            ("city \"London\"", "site \"London\""),
            ("white_name == \"Tal\"", "player white \"Tal\""),
            ("black_name != \"Tal\"", "not player black \"Tal\""),
            ("game_result == \"draw\"", "result 1/2-1/2"),
            ("Annotator \"Tal\"", "tag \"Annotator\" == \"Tal\""),
            ("Termination \"Time forfeit\"", "tag \"Termination\" == \"Time forfeit\""),
            ("TimeControl \"180+2\" mate", "tag \"TimeControl\" == \"180+2\" mate"),
            ("timecontrol = 40/7200:3600 mate", "tag \"TimeControl\" == \"40/7200:3600\" mate"),
            ("mate TimeControl == 40/7200:3600", "mate tag \"TimeControl\" == \"40/7200:3600\""),
            ("time_control == 180+2", "tag \"TimeControl\" == \"180+2\""),
            ("num_plies > 100", "terminal ply > 100"),
            ("mate or eco = B91", "mate or eco \"B91\""),
            ("eco b90-b99", "(\"B90\" <= eco <= \"B99\")"),
            ("tactics = fork", "theme(\"fork\")"),
            ("WhiteTitle \"GM\"", "tag \"WhiteTitle\" == \"GM\""),
            ("white_elo == \"2400\"", "elo white == 2400"),
            ("endgame = rook", "endgame \"rook\""),
            ("endgame == rook", "endgame \"rook\""),
            ("endgame == \"rook\"", "endgame \"rook\""),
            ("endgame: Rooks mate", "endgame \"rook\" mate"),
            ("endgame rook", "endgame \"rook\""),
            ("endgame opposite bishops", "endgame \"opposite-bishops\""),
            ("phase = middlegame", "phase \"middlegame\""),
            ("legal moves == 1", "countmoves legal -- == 1"),
            ("number of legal moves", "countmoves legal --"),
            ("number of legal moves == 1", "countmoves legal -- == 1"),
            ("legalmoves > 30", "countmoves legal -- > 30"),
            ("white=\"Carlsen\"", "player white \"Carlsen\""),
            ("white = Carlsen", "player white \"Carlsen\""),
            ("white == \"Carlsen\"", "player white \"Carlsen\""),
            ("\"Carlsen\" != black", "not player black \"Carlsen\""),
            ("white == Carlsen", "player white \"Carlsen\""),
            ("black: Carlsen", "player black \"Carlsen\""),
            ("black: \"Carlsen\" mate", "player black \"Carlsen\" mate"),
            ("player: Carlsen", "player \"Carlsen\""),
            ("event: \"London\"", "event \"London\""),
            ("white Carlsen", "player white \"Carlsen\""),
            ("N at f5", "Nf5"),
            ("knight at f5", "[Nn]f5"),
            ("queen on h7", "[Qq]h7"),
            ("white queen on h7", "Qh7"),
            ("Nf5 and K on e1", "Nf5 and Ke1"),
            ("K is on e1", "Ke1"),
            ("pawns on d4 and e4", "[Pp]d4 and [Pp]e4"),
            ("white pawns on d4 or e4 mate", "Pd4 or Pe4 mate"),
            ("not pawns on d4 and e4", "not {[Pp]d4 and [Pp]e4}"),
            ("isolated pawn d4", "isolatedpawns & d4"),
            ("white passed pawn on a6 mate", "passedpawns & Pa6 mate"),
            ("passed pawn", "passedpawns"),
            ("promotion to knight", "--=N"),
            ("promotes to a queen mate", "--=Q mate"),
            ("promotion rook", "--=R"),
            ("eco = \"B90\" or eco = \"B91\"", "eco \"B90\" or eco \"B91\""),
            (
                "eco = \"B90\" or eco = \"B91\" or eco = \"B92\" mate",
                "eco \"B90\" or eco \"B91\" or eco \"B92\" mate",
            ),
            (
                "mate and year = 2010 and player = \"Tal\"",
                "mate and year == 2010 and player \"Tal\"",
            ),
            ("site in (\"Linares\", \"Wijk\")", "{site \"Linares\" or site \"Wijk\"}"),
            ("motif fork", "theme(\"fork\")"),
        ];
        let found = cases.map(|(query, to)| (query, mended(query), to));
        let wrong: Vec<_> = found.iter().filter(|(_, found, to)| found != to).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
