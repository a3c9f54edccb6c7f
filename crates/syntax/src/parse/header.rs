//! Parses `cql( … )`.

use super::error::{Failed, Res, code};
use super::mend::{Mend, mend_of_word};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::token::{Symbol, TokenKind};
use crate::tree::CommentLevel;

const WORDS: &[&str] = &[
    "input",
    "output",
    "variations",
    "gamenumber",
    "matchcount",
    "sort matchcount",
    "result",
    "matchstring",
    "quiet",
    "silent",
];

impl Parser<'_> {
    /// Parses the header; the next token is then the first of the body.
    pub(super) fn header(&mut self, required: bool) {
        let has_header = self.keyword() == Some(Keyword::Cql);
        let close = match self.symbol_at(1) {
            Some(Symbol::OpenParen) if has_header => self.stream.partner(1),
            _ => None,
        };
        let Some(close) = close else {
            if has_header || required {
                self.missing_header(has_header);
            }
            self.pos = usize::from(has_header);
            return;
        };
        self.pos = 2;
        while self.pos < close {
            let start = self.pos;
            if let Err(Failed) = self.header_parameter() {
                self.pos = self.pos.max(start + 1);
                // Skips the values of an unknown parameter.
                while self.pos < close && !self.is_header_word() {
                    self.pos += 1;
                }
            }
        }
        self.pos = close + 1;
    }

    fn missing_header(&mut self, has_word: bool) {
        let is_torn = has_word && self.stream.is_torn;
        if is_torn || !self.stream.balanced || self.diagnostics.iter().any(|d| d.code == "E0001") {
            return;
        }
        let span = self.span_at(usize::from(has_word));
        let found = match self.kind_at(usize::from(has_word)) {
            Some(_) => format!("`{}`", self.text_of(span)),
            None => "the end of the query".into(),
        };
        let expected = if has_word { "`(` after `cql`" } else { "the header `cql(…)`" };
        let help = "begin the query with `cql()` or `cql(input games.pgn)`";
        let mut place = span;
        let mend = match self.name_at(0).filter(|_| !has_word) {
            Some(name) if name.eq_ignore_ascii_case("cql") => {
                // The rest is read as if the word were correct.
                self.names.poison(&self.stream.tokens[..1]);
                Mend::edit("write `cql` with small letters", span, "cql")
            }
            _ if self.kind_at(usize::from(has_word)).is_none() => Mend::advice(help),
            _ => {
                place.end = place.start;
                Mend::edit(help, place, if has_word { "() " } else { "cql() " })
            }
        };
        let message = format!("expected {expected}, found {found}");
        self.report(mend.onto(Diagnostic::error(code::NO_HEADER, span, message)));
        // A text of another kind, for which more errors would be noise.
        self.hush_syntax = has_word || !self.begins_like_filters();
    }

    /// Whether a text without a header begins as a query could continue after its header.
    fn begins_like_filters(&self) -> bool {
        let is_name = self.name_at(0).is_some_and(|_| {
            let next = self.symbol_at(1);
            !matches!(next, Some(Symbol::Assign | Symbol::Equal))
        });
        let tokens = &self.stream.tokens;
        let has_header_later =
            tokens.iter().any(|token| token.kind == TokenKind::Keyword(Keyword::Cql));
        self.may_start(0) && !is_name && !has_header_later
    }

    fn is_header_word(&self) -> bool {
        match self.kind() {
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::Variations
                    | Keyword::GameNumber
                    | Keyword::Matchcount
                    | Keyword::Sort
                    | Keyword::Result
                    | Keyword::Matchstring
                    | Keyword::Quiet
                    | Keyword::Silent
            ),
            Some(TokenKind::Input(_) | TokenKind::Output(_)) => true,
            _ => false,
        }
    }

    fn header_parameter(&mut self) -> Res<()> {
        let span = self.here();
        match self.kind().cloned() {
            Some(TokenKind::Input(file)) => {
                self.pos += 1;
                if self.query.header.input.is_some() {
                    return self.twice("input", self.pos - 1);
                }
                self.query.header.input = Some((file, span));
                Ok(())
            }
            Some(TokenKind::Output(file)) => {
                self.pos += 1;
                if self.query.header.output.is_some() {
                    return self.twice("output", self.pos - 1);
                }
                self.query.header.output = Some((file, span));
                Ok(())
            }
            Some(TokenKind::Keyword(keyword)) => self.header_keyword(keyword),
            _ => self.unknown_header_word(),
        }
    }

    fn header_keyword(&mut self, keyword: Keyword) -> Res<()> {
        let at = self.pos;
        match keyword {
            Keyword::Variations => {
                self.pos += 1;
                self.query.header.variations = true;
            }
            Keyword::GameNumber => {
                self.pos += 1;
                if self.query.header.gamenumber.is_some() {
                    return self.twice("gamenumber", at);
                }
                self.query.header.gamenumber = Some(self.header_range("gamenumber")?);
            }
            Keyword::Matchcount => return self.matchcount(at),
            Keyword::Sort => {
                self.pos += 1;
                if self.keyword() != Some(Keyword::Matchcount) {
                    return self.expected_as(
                        code::HEADER_WORD,
                        "`matchcount` after `sort` in the header",
                        "other values are sorted by the filter `sort` after the header",
                    );
                }
                self.matchcount(at)?;
                self.query.header.sort_matchcount = true;
            }
            Keyword::Result => {
                self.pos += 1;
                let result = self.required_result(code::HEADER_VALUE)?;
                self.query.header.results.push(result);
            }
            Keyword::Matchstring => {
                self.pos += 1;
                match self.eat_literal() {
                    Some((text, _)) => self.query.header.matchstring = Some(text),
                    None => {
                        return self.expected_as(
                            code::HEADER_VALUE,
                            "a string in quotes after `matchstring`",
                            "write `matchstring \"CQL\"`",
                        );
                    }
                }
            }
            Keyword::Quiet | Keyword::Silent => {
                self.pos += 1;
                let level = match keyword {
                    Keyword::Quiet => CommentLevel::Quiet,
                    _ => CommentLevel::Silent,
                };
                self.query.header.level.get_or_insert(level);
            }
            _ => return self.unknown_header_word(),
        }
        Ok(())
    }

    fn matchcount(&mut self, at: usize) -> Res<()> {
        self.pos += 1;
        if self.query.header.matchcount.is_some() {
            return self.twice("matchcount", at);
        }
        self.query.header.matchcount = Some(self.header_range("matchcount")?);
        Ok(())
    }

    fn header_range(&mut self, word: &str) -> Res<(i32, i32)> {
        if let Some(range) = self.constant_range() {
            return Ok(range);
        }
        let is_subtraction = self.symbol_at(self.pos + 1) == Some(Symbol::Minus);
        let help = if is_subtraction {
            format!("this is a subtraction; a range is two numbers: `{word} 3 8`")
        } else {
            format!("write `{word} 3` or `{word} 3 8`, without a comma")
        };
        let what = format_args!("one or two numbers after `{word}`");
        self.expected_as(code::HEADER_VALUE, what, help)
    }

    fn twice(&mut self, word: &str, at: usize) -> Res<()> {
        let message = format!("`{word}` stands twice in the header");
        self.fail(code::HEADER_VALUE, self.span_at(at), message)
    }

    fn unknown_header_word(&mut self) -> Res<()> {
        let span = self.here();
        let found = self.found();
        let word = self.text_of(span);
        let message = format!("the header knows no {found}");
        let help = match word.as_str() {
            "player" | "year" | "site" | "event" | "elo" | "hhdb" | "wtm" | "btm" | "white"
            | "black" | "date" | "eco" => {
                format!("write the filter `{word}` after the header")
            }
            "mainline" => "the main line is searched unless `variations` is given".to_owned(),
            "pgn" => "write `input FILE`".to_owned(),
            "input" | "output" => format!("write `{word} FILE.pgn`"),
            _ => {
                if let Some(mend) = mend_of_word(&word, span, WORDS.iter().copied()) {
                    return self.fail_help(code::HEADER_WORD, span, message, mend);
                }
                match Keyword::from_text(&word) {
                    Some(_) => format!("filters stand after the header: `cql() {word} …`"),
                    None => format!("known words: {}", WORDS.join(", ")),
                }
            }
        };
        self.fail_help(code::HEADER_WORD, span, message, help)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ParseOptions, Parsed, Source, parse};
    use crate::token::GameResult;
    use crate::tree::CommentLevel;

    fn parse_text(text: &str) -> Parsed {
        let source = Source { name: "test", text: text.as_bytes() };
        parse(&source, &[], &ParseOptions::default())
    }

    #[test]
    fn parameters_in_any_order() {
        let parsed = parse_text(
            "/* c */ cql ( quiet input a.pgn gamenumber 3 8 silent output \"b c.pgn\" variations \
             matchcount -2 1 result 1-0 result \"0-1\" matchstring \"x\" matchstring \"y\") R",
        );
        assert_eq!(parsed.diagnostics, []);
        let header = parsed.query.header;
        assert_eq!(header.input.map(|i| i.0).as_deref(), Some("a.pgn"));
        assert_eq!(header.output.map(|o| o.0).as_deref(), Some("b c.pgn"));
        assert!(header.variations && !header.sort_matchcount);
        assert_eq!(header.gamenumber, Some((3, 8)));
        assert_eq!(header.matchcount, Some((-2, 1)));
        assert_eq!(header.results, [GameResult::WhiteWins, GameResult::BlackWins]);
        assert_eq!(header.matchstring.as_deref(), Some(&b"y"[..]));
        assert_eq!(header.level, Some(CommentLevel::Quiet));
        let header = parse_text("cql(sort matchcount 6 gamenumber 2) R").query.header;
        assert!(header.sort_matchcount);
        assert_eq!(header.matchcount, Some((6, 6)));
        assert_eq!(header.gamenumber, Some((2, 2)));
    }

    #[test]
    fn faults_are_refused_where_they_are() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let parsed = parse_text(text);
            let found: Vec<(&str, &str)> = parsed
                .diagnostics
                .iter()
                .map(|d| (d.code, &text[d.span.start as usize..d.span.end as usize]))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("R", &[("E0501", "R")]);
        check("cql R", &[("E0501", "R")]);
        check("R and", &[("E0501", "R"), ("E0101", "")]);
        check("x = ply + 3 x &&", &[("E0501", "x"), ("E0102", "&")]);
        check(
            "mate\nwtm && btm\nstalmate",
            &[("E0501", "mate"), ("E0102", "&"), ("E0201", "stalmate")],
        );
        check("SELECT mate and", &[("E0501", "SELECT"), ("E0201", "SELECT")]);
        check("# comment\ncql() mate &&", &[("E0501", "#")]);
        check("CQL() R", &[("E0501", "CQL")]);
        check("cql()", &[("E0101", "")]);
        check("cql(quiet\ncheck", &[("E0017", "(")]);
        check("cql(player \"x\") R", &[("E0502", "player")]);
        check("cql(mainline foo quiet) zork", &[("E0502", "mainline"), ("E0201", "zork")]);
        check("cql(sort 3) R", &[("E0502", "3")]);
        check("cql(matchcount) R", &[("E0503", ")")]);
        check("cql(gamenumber 3,4) R", &[("E0503", "3")]);
        check("cql(gamenumber x) R", &[("E0503", "x")]);
        check("cql(gamenumber 1 gamenumber 2) R", &[("E0503", "gamenumber")]);
        check("cql(matchcount 1 sort matchcount 2) R", &[("E0503", "sort")]);
        check("cql(input a.pgn input b.pgn) R", &[("E0503", "input b.pgn")]);
        check("cql(result *) R", &[("E0503", "*")]);
        check("cql(matchstring zz) R", &[("E0503", "zz")]);
        check("cql() check )", &[("E0017", ")")]);
        check("cql() cql() R", &[("E0101", "cql")]);
    }

    #[test]
    fn the_header_can_be_left_out_if_the_caller_says_so() {
        let options = ParseOptions { require_header: false, ..ParseOptions::default() };
        let parse_text = |text: &str| {
            let source = Source { name: "test", text: text.as_bytes() };
            parse(&source, &[], &options)
        };
        assert!(parse_text("R r").is_ok());
        let parsed = parse_text("cql(quiet) R");
        assert!(parsed.is_ok() && parsed.query.header.level == Some(CommentLevel::Quiet));
    }

    #[test]
    fn filters_of_the_command_line_come_first_and_share_the_names() {
        let preamble = [
            Source { name: "-assign", text: b"x=41" },
            Source { name: "-cql", text: b"{wtm /// \"a\"\n}" },
        ];
        let query = Source { name: "q", text: b"cql(variations) x==41 hhdb mainline" };
        let parsed = parse(&query, &preamble, &ParseOptions::default());
        assert_eq!(parsed.diagnostics, []);
        assert_eq!(parsed.query.filters.len(), 3);
        assert_eq!(parsed.query.filters[0].span.source.0, 1);

        let preamble = [Source { name: "-cql", text: b"zork" }];
        let parsed = parse(&query, &preamble, &ParseOptions::default());
        let found: Vec<_> = parsed.diagnostics.iter().map(|d| (d.code, d.span.source.0)).collect();
        assert_eq!(found, [("E0201", 0), ("E0201", 1)]);
    }
}
