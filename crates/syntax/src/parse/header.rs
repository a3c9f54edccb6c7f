//! `cql( … )`.

use super::Parser;
use super::error::{Failed, Res, code, nearest};
use crate::diagnostic::Diagnostic;
use crate::keyword::Keyword;
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
    /// Reads the header and leaves the first token of the body at hand.
    pub(super) fn header(&mut self, required: bool) {
        let has_header = self.keyword() == Some(Keyword::Cql);
        let close = match self.symbol_at(1) {
            Some(Symbol::OpenParen) if has_header => self.stream.partner[1],
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
                // Values of the parameter that was not understood.
                while self.pos < close && !self.is_header_word() {
                    self.pos += 1;
                }
            }
        }
        self.pos = close + 1;
    }

    fn missing_header(&mut self, has_word: bool) {
        if !self.stream.balanced || self.hush_syntax {
            return;
        }
        let span = self.span_at(usize::from(has_word));
        let found = match self.kind_at(usize::from(has_word)) {
            Some(_) => format!("`{}`", self.text_of(span)),
            None => "the end of the query".into(),
        };
        let expected = if has_word {
            "`(` behind `cql`"
        } else {
            "the header `cql(…)`"
        };
        self.report(
            Diagnostic::error(
                code::NO_HEADER,
                span,
                format!("expected {expected}, found {found}"),
            )
            .with_help("begin the query with `cql()` or `cql(input games.pgn)`"),
        );
    }

    fn is_header_word(&self) -> bool {
        match self.kind() {
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::Variations
                    | Keyword::Gamenumber
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
            Keyword::Gamenumber => {
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
                    let span = self.here();
                    let message = format!(
                        "expected `matchcount` behind `sort` in the header, found {}",
                        self.found()
                    );
                    return self.fail_help(
                        code::HEADER_WORD,
                        span,
                        message,
                        "other values are sorted by the filter `sort` behind the header",
                    );
                }
                self.matchcount(at)?;
                self.query.header.sort_matchcount = true;
            }
            Keyword::Result => {
                self.pos += 1;
                match self.game_result() {
                    Some(result) => self.query.header.results.push(result),
                    None => {
                        let span = self.here();
                        let message = format!(
                            "expected `1-0`, `0-1` or `1/2-1/2` behind `result`, found {}",
                            self.found()
                        );
                        return self.fail(code::HEADER_VALUE, span, message);
                    }
                }
            }
            Keyword::Matchstring => {
                self.pos += 1;
                match self.eat_literal() {
                    Some((text, _)) => self.query.header.matchstring = Some(text),
                    None => {
                        let span = self.here();
                        let message = format!(
                            "expected a string in quotes behind `matchstring`, found {}",
                            self.found()
                        );
                        return self.fail(code::HEADER_VALUE, span, message);
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
        let span = self.here();
        let message = format!(
            "expected one or two numbers behind `{word}`, found {}",
            self.found()
        );
        let help = format!("write `{word} 3` or `{word} 3 8`, without a comma");
        self.fail_help(code::HEADER_VALUE, span, message, help)
    }

    fn twice(&mut self, word: &str, at: usize) -> Res<()> {
        let span = self.span_at(at);
        let message = format!("`{word}` stands twice in the header");
        self.fail(code::HEADER_VALUE, span, message)
    }

    fn unknown_header_word(&mut self) -> Res<()> {
        let span = self.here();
        let found = self.found();
        let word = self.text_of(span);
        let message = format!("the header knows no {found}");
        let help = match word.as_str() {
            "player" | "year" | "site" | "event" | "elo" | "hhdb" | "wtm" | "btm" | "white"
            | "black" | "date" | "eco" => {
                format!("write the filter `{word}` behind the header")
            }
            "mainline" => "the main line is searched unless `variations` is given".to_owned(),
            "pgn" => "write `input FILE`".to_owned(),
            "input" | "output" => format!("write `{word} FILE.pgn`"),
            _ => match nearest(&word, WORDS.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known words: {}", WORDS.join(", ")),
            },
        };
        self.fail_help(code::HEADER_WORD, span, message, help)
    }
}
