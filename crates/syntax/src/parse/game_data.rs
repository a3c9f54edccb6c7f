//! Parses filters about the game: tags, results, ratings, comments of the file.

use super::error::{Res, code};
use super::mend::Mend;
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::span::Span;
use crate::token::{GameResult, Symbol, TokenKind};
use crate::tree::{Color, Filter, FilterKind, TextSource, Type};

/// Spellings that are rejected as tag names because they resemble other names.
const CONFUSING_TAGS: &[&[u8]] = &[
    b"black",
    b"BLACK",
    b"white",
    b"WHITE",
    b"event",
    b"EVENT",
    b"site",
    b"SITE",
    b"date",
    b"DATE",
    b"Eco",
    b"eco",
    b"Fen",
    b"fen",
    b"Round",
    b"ROUND",
    b"Result",
    b"result",
    b"RESULT",
    b"eventdate",
    b"eventDate",
    b"EVENTDATE",
];

/// Numeric annotation glyphs, by sign.
const NAGS: &[(&[u8], u8)] = &[
    (b"!", 1),
    (b"?", 2),
    (b"!!", 3),
    (b"??", 4),
    (b"!?", 5),
    (b"?!", 6),
    (b"=", 10),
    (b"+/=", 14),
    (b"=/+", 15),
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+-", 18),
    (b"-+", 19),
];

impl Parser<'_> {
    /// Parses `event`, `player white` … with an implicit search after it.
    pub(super) fn tag_word(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.eat();
        let source = match keyword {
            Keyword::Event => TextSource::Event,
            Keyword::Site => TextSource::Site,
            Keyword::Date => TextSource::Date,
            Keyword::Eventdate => TextSource::EventDate,
            Keyword::Eco => TextSource::Eco,
            _ => match self.color() {
                Some(color) => TextSource::Player(color),
                None => TextSource::Players,
            },
        };
        let filter = self.make(start, Type::String, FilterKind::TextSource(source));
        self.implicit_search(start, filter)
    }

    fn color(&mut self) -> Option<Color> {
        if self.eat_keyword(Keyword::White) {
            Some(Color::White)
        } else if self.eat_keyword(Keyword::Black) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// Parses the string in `F "text"`, if one follows `source`, which began at the token `start`.
    pub(super) fn implicit_search(&mut self, start: usize, source: Filter) -> Res<Filter> {
        if !self.is_search(start) {
            return Ok(source);
        }
        let Some((text, span)) = self.eat_literal() else {
            return Ok(source);
        };
        if looks_like_regex(&text) {
            let name = self.text_of(source.span);
            return self.fail_help(
                code::LITERAL,
                span,
                "this search pattern looks like a regular expression, but would be taken literally",
                format!("write `{name} ~~ \"…\"` for a regular expression, `\"…\" in {name}` for the text itself"),
            );
        }
        let kind = FilterKind::Contains(text, Box::new(source));
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Whether the next string is searched in the value of the filter at the token `start`. In a
    /// list of items to print, it is the next item instead.
    fn is_search(&self, start: usize) -> bool {
        if self.literal().is_none_or(<[u8]>::is_empty) || self.is_what_is_replaced() {
            return false;
        }
        self.direct_item != Some(start)
            || matches!(self.keyword_at(self.pos + 1), Some(Keyword::And | Keyword::Or))
    }

    /// Whether the next token is directly between the parentheses of a `replace`.
    fn is_what_is_replaced(&self) -> bool {
        let Some(open) = self.replaced else {
            return false;
        };
        let mut at = open + 1;
        while at < self.pos {
            at = self.stream.partner(at).filter(|&end| end > at).unwrap_or(at) + 1;
        }
        at == self.pos
    }

    /// Parses `originalcomment` or `hascomment`, with a text or the sign of a glyph after it.
    pub(super) fn original_comment(&mut self) -> Res<Filter> {
        let start = self.eat();
        let kind = FilterKind::TextSource(TextSource::OriginalComment);
        let filter = self.make(start, Type::String, kind);
        // unlike other texts, a glyph is never the next item of a list of items to print
        match self.literal().map(nag) {
            Some(Nag::Glyph(number)) => {
                self.pos += 1;
                Ok(self.make(start, Type::Boolean, FilterKind::HasNag(number)))
            }
            Some(Nag::OutOfRange) => {
                self.expected_as(code::LITERAL, "a glyph from `$1` to `$255`", "")
            }
            _ => self.implicit_search(start, filter),
        }
    }

    /// Parses `tag "Name"`.
    pub(super) fn tag(&mut self) -> Res<Filter> {
        let start = self.eat();
        let Some((name, span)) = self.eat_literal() else {
            let span = self.here();
            let mend = match self.kind() {
                Some(TokenKind::Name(_)) => {
                    let text = format!("\"{}\"", self.whole_text_of(span));
                    Mend::edit(format!("write `tag {text}`"), span, text)
                }
                _ => Mend::advice("write `tag \"Annotator\"`"),
            };
            return self.expected("the name of a tag in quotes after `tag`", mend);
        };
        let source = match known_tag(&name) {
            Some(source) => source,
            None => {
                self.check_tag_name(&name, span)?;
                TextSource::Tag(name)
            }
        };
        Ok(self.make(start, Type::String, FilterKind::TextSource(source)))
    }

    /// Parses `settag("Name" S)`.
    pub(super) fn set_tag(&mut self) -> Res<Filter> {
        let start = self.eat();
        if !self.eat_symbol(Symbol::OpenParen) {
            return self.expected("`(` after `settag`", "write `settag(\"Name\" S)`");
        }
        let Some((name, span)) = self.eat_literal() else {
            return self.expected("the name of a tag in quotes", "");
        };
        if known_tag(&name).is_some() {
            let message = format!("the tag `{}` cannot be changed", String::from_utf8_lossy(&name));
            return self.fail(code::LITERAL, span, message);
        }
        self.check_tag_name(&name, span)?;
        let value = self.operand("settag", level::OR, Type::String)?;
        if !self.eat_symbol(Symbol::CloseParen) {
            self.leftover()?;
            return self.expected_as(
                code::TOO_MANY,
                "`)` after the value",
                "join several strings: `str(F G)`",
            );
        }
        let kind = FilterKind::SetTag(name, Box::new(value));
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses `replace(S "pattern" T)`.
    pub(super) fn replace(&mut self) -> Res<Filter> {
        let start = self.eat();
        let usage = "write `replace(S \"pattern\" \"text\")`";
        if !self.eat_symbol(Symbol::OpenParen) {
            return self.expected("`(` after `replace`", usage);
        }
        let outer = self.replaced.replace(self.pos - 1);
        let subject = self.operand("replace", level::ADD, Type::String);
        self.replaced = outer;
        let subject = Box::new(subject?);
        let Some(pattern) = self.pattern()? else {
            return self.expected("a regular expression in quotes", usage);
        };
        let with = Box::new(self.operand("replace", level::ADD, Type::String)?);
        if !self.eat_symbol(Symbol::CloseParen) {
            self.leftover()?;
            return self.expected_as(code::TOO_MANY, "`)` after the new text", usage);
        }
        let kind = FilterKind::Replace { subject, pattern: Box::new(pattern), with };
        Ok(self.make(start, Type::String, kind))
    }

    fn check_tag_name(&mut self, name: &[u8], span: Span) -> Res<()> {
        let shown = String::from_utf8_lossy(name);
        let help = if CONFUSING_TAGS.contains(&name) {
            match name.to_ascii_lowercase().as_slice() {
                b"result" => "use the filter `result`",
                b"round" => "the round cannot be read",
                _ => "use the filter of that name, or the usual spelling of the tag",
            }
        } else {
            self.check_form_of_tag(name, span)?;
            let is_rating = |tag: &&[u8]| name.eq_ignore_ascii_case(tag);
            if [&b"WhiteElo"[..], b"BlackElo"].iter().any(is_rating) {
                "ratings are `elo white` and `elo black`"
            } else {
                return Ok(());
            }
        };
        let message = format!("the tag `{shown}` cannot be used");
        self.fail_help(code::LITERAL, span, message, help)
    }

    /// Checks that a tag can have this name.
    fn check_form_of_tag(&mut self, name: &[u8], span: Span) -> Res<()> {
        let shown = String::from_utf8_lossy(name);
        let is_of_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let message = match name {
            [] => "the name of a tag cannot be empty".into(),
            _ if name.len() > 60 => "the name of a tag can have 60 characters".into(),
            [first, ..] if !first.is_ascii_alphanumeric() => {
                format!("the name of a tag begins with a letter or digit, found `{shown}`")
            }
            _ if !name.iter().all(is_of_name) => {
                format!("the name of a tag consists of letters, digits and `_`, found `{shown}`")
            }
            _ => return Ok(()),
        };
        self.fail(code::LITERAL, span, message)
    }

    /// Parses `elo`, `elo white` or `elo black`.
    pub(super) fn elo(&mut self) -> Res<Filter> {
        let start = self.eat();
        let kind = FilterKind::Elo(self.color());
        Ok(self.make(start, Type::Numeric, kind))
    }

    /// Parses `result R`.
    pub(super) fn result_filter(&mut self) -> Res<Filter> {
        let start = self.eat();
        if self.literal() == Some(b"*") {
            self.pos += 1;
            return Ok(self.no_result(start));
        }
        if self.symbol() == Some(Symbol::Star) {
            let what = "a result after `result`";
            let mend = Mend::edit("write `result \"*\"`", self.here(), "\"*\"");
            return self.expected_as(code::EXPECTED_SYMBOL, what, mend);
        }
        let result = self.required_result(code::EXPECTED_SYMBOL)?;
        Ok(self.make(start, Type::Boolean, FilterKind::Result(result)))
    }

    /// Returns the filter for `result "*"`: none of the other results.
    fn no_result(&self, start: usize) -> Filter {
        let none = GameResult::ALL.map(|result| {
            let result = self.make(start, Type::Boolean, FilterKind::Result(result));
            let kind = FilterKind::Not(Box::new(result));
            self.make(start, Type::Boolean, kind)
        });
        self.make(start, Type::Boolean, FilterKind::And(none.into()))
    }

    /// Parses `removetag "Name"`.
    pub(super) fn remove_tag(&mut self) -> Res<Filter> {
        let start = self.eat();
        let Some((name, span)) = self.eat_literal() else {
            return self.expected(
                "the name of a tag in quotes after `removetag`",
                "write `removetag \"Annotator\"`",
            );
        };
        if KEPT_TAGS.contains(&&*name) {
            let name = String::from_utf8_lossy(&name);
            return self.fail_help(
                code::LITERAL,
                span,
                format!("the tag `{name}` cannot be removed"),
                "every game has its seven tags from Event to Result, and its FEN where there is one",
            );
        }
        self.check_form_of_tag(&name, span)?;
        Ok(self.make(start, Type::Boolean, FilterKind::RemoveTag(name)))
    }

    /// Parses the result after `result`.
    pub(super) fn required_result(&mut self, code: &'static str) -> Res<GameResult> {
        match self.game_result() {
            Some(result) => Ok(result),
            None => {
                let what = "`1-0`, `0-1` or `1/2-1/2` after `result`";
                self.expected_as(code, what, self.mend_of_result())
            }
        }
    }

    /// Parses a result, with or without quotes.
    fn game_result(&mut self) -> Option<GameResult> {
        let result = match self.kind()? {
            TokenKind::Result(result) => *result,
            TokenKind::String(text) => {
                let mut results = GameResult::ALL.into_iter();
                results.find(|result| result.text().as_bytes() == text)?
            }
            _ => return None,
        };
        self.pos += 1;
        Some(result)
    }

    /// Parses `similarposition [nosort] [notransform] "file.pgn"`.
    pub(super) fn similar_position(&mut self) -> Res<Filter> {
        let start = self.eat();
        let (mut nosort, mut notransform) = (false, false);
        loop {
            if self.eat_keyword(Keyword::Nosort) {
                nosort = true;
            } else if self.eat_keyword(Keyword::Notransform) {
                notransform = true;
            } else {
                break;
            }
        }
        let Some(file) = self.eat_literal() else {
            return self.expected("a PGN file in quotes after `similarposition`", "");
        };
        if !file.0.ends_with(b".pgn") {
            return self.fail(code::LITERAL, file.1, "the name of this file must end in `.pgn`");
        }
        self.n_similar += 1;
        if self.n_similar > 1 {
            return self.fail(
                code::CONTEXT,
                self.span_from(start),
                "only one `similarposition` can stand in a query",
            );
        }
        let kind = FilterKind::SimilarPosition { nosort, notransform, file };
        Ok(self.make(start, Type::Boolean, kind))
    }
}

/// Tags that are written for every game that has them.
const KEPT_TAGS: [&[u8]; 8] =
    [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result", b"FEN"];

/// Returns the text source of a tag that has a filter of its own.
fn known_tag(name: &[u8]) -> Option<TextSource> {
    Some(match name {
        b"White" => TextSource::Player(Color::White),
        b"Black" => TextSource::Player(Color::Black),
        b"Event" => TextSource::Event,
        b"EventDate" => TextSource::EventDate,
        b"Site" => TextSource::Site,
        b"Date" => TextSource::Date,
        b"ECO" => TextSource::Eco,
        b"FEN" => TextSource::TagFen,
        _ => return None,
    })
}

/// Whether a text contains `[` and a later `]`, or one of `*+?` after its first character.
fn looks_like_regex(text: &[u8]) -> bool {
    let open = text.iter().position(|&b| b == b'[');
    open.is_some_and(|open| text[open..].contains(&b']'))
        || text.iter().skip(1).any(|b| b"*+?".contains(b))
}

enum Nag {
    Glyph(u8),
    OutOfRange,
    None,
}

fn nag(text: &[u8]) -> Nag {
    if let Some(&(_, number)) = NAGS.iter().find(|(sign, _)| *sign == text) {
        return Nag::Glyph(number);
    }
    let Some((b'$', digits)) = text.split_first() else {
        return Nag::None;
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Nag::None;
    }
    let number = digits.iter().fold(0u32, |number, digit| {
        number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
    });
    match u8::try_from(number) {
        Ok(number @ 1..) => Nag::Glyph(number),
        _ => Nag::OutOfRange,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn tags_and_searches_in_them() {
        check("event site date eventdate eco player", "event site date eventdate eco players");
        check("player white \"x\" player black", "(contains \"x\" player-White):b player-Black");
        check(
            "event \"a\" and site \"b\"",
            "(and (contains \"a\" event):b (contains \"b\" site):b):b",
        );
        check("event \"\" site \"*x\"", "event \"\" (contains \"*x\" site):b");
        check("tag \"White\" tag \"FEN\" tag \"Foo\" \"x\"", "player-White tagfen tag-Foo \"x\"");
        check("settag(\"Foo\" \"x\"+str(1))", "(settag Foo (concatenate \"x\" (str 1):t):t):b");
        check("elo elo white elo black", "elo elo-White elo-Black");
        check("year 1999", "year 1999");
        check("tag \"WhiteTitle\" \"GM\"", "tag-WhiteTitle \"GM\"");
        for (text, place) in [
            ("event \"Mos*\"", "\"Mos*\""),
            ("site \"[Mm]o\"", "\"[Mm]o\""),
            ("player \"a+\"", "\"a+\""),
            ("eco \"A?\"", "\"A?\""),
            ("tag \"\"", "\"\""),
            ("tag \"My Tag\"", "\"My Tag\""),
            ("tag \"_x\"", "\"_x\""),
            ("tag \"WhiteElo\"", "\"WhiteElo\""),
            ("tag \"blackelo\"", "\"blackelo\""),
            ("tag \"Result\"", "\"Result\""),
            ("tag \"event\"", "\"event\""),
            ("settag(\"White\" \"x\")", "\"White\""),
        ] {
            refuse(text, "E0113", place);
        }
        let long = format!("\"A{}\"", "1".repeat(60));
        refuse(&format!("tag {long}"), "E0113", &long);
        for (text, code, place) in [
            ("tag", "E0103", ""),
            ("tag Annotator", "E0103", "Annotator"),
            ("settag \"Foo\" \"x\"", "E0103", "\"Foo\""),
            ("settag(\"Foo\" 3)", "E0301", "3"),
            ("settag(\"Foo\")", "E0101", ")"),
            ("settag(\"Foo\" \"a\" \"b\")", "E0105", "\"b\""),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn results() {
        check("result 1-0 result \"1/2-1/2\" not result 0-1", "1-0 1/2-1/2 (not 0-1):b");
        refuse("result *", "E0103", "*");
        refuse("result==\"1-0\"", "E0103", "==");
        refuse("result \"+\"", "E0103", "\"+\"");
        check("result \"*\"", "(and (not 1-0):b (not 0-1):b (not 1/2-1/2):b):b");
    }

    #[test]
    fn comments_of_the_file() {
        check(
            "hascomment originalcomment \"foo\" hascomment \"!?\" hascomment \"$255\"",
            "originalcomment (contains \"foo\" originalcomment):b nag-5 nag-255",
        );
        check(
            "hascomment \"$\" hascomment \"$x\"",
            "(contains \"$\" originalcomment):b (contains \"$x\" originalcomment):b",
        );
        refuse("hascomment \"$0\"", "E0113", "\"$0\"");
        refuse("hascomment \"$256\"", "E0113", "\"$256\"");
        refuse("hascomment \"$99999999999999999999\"", "E0113", "\"$99999999999999999999\"");
        refuse("hascomment \"a*b\"", "E0113", "\"a*b\"");
    }

    #[test]
    fn similar_positions() {
        check(
            "similarposition notransform nosort \"a.pgn\"",
            "(similarposition a.pgn nosort notransform):b",
        );
        refuse("similarposition", "E0103", "");
        refuse("similarposition \"a.txt\"", "E0113", "\"a.txt\"");
        refuse(
            "similarposition \"a.pgn\" similarposition \"b.pgn\"",
            "E0401",
            "similarposition \"b.pgn\"",
        );
    }
}
