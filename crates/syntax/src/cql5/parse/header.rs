//! Parses `cql( … )` and the query as a whole.

use super::*;
use crate::cql5::tree::FilterKind as K;
use crate::token::GameResult;

impl Parser<'_> {
    pub(super) fn query(&mut self) -> Res<()> {
        if !self.take_word(Word::Cql) {
            return self.expected("`cql(` at the beginning of the query");
        }
        self.expect(&TokenKind::OpenParen, "`(` after `cql`")?;
        if self.header().is_err() {
            while self.depths.get(self.at).is_some_and(|&depth| depth > 0) {
                self.at += 1;
            }
        }
        self.expect(
            &TokenKind::CloseParen,
            "`)` at the end of the header, or a word of the header",
        )?;
        loop {
            let filters = self.filters();
            self.query.filters.extend(filters);
            if self.at >= self.tokens.len() {
                break;
            }
            let start = self.at;
            let closing =
                matches!(self.peek(), Some(TokenKind::CloseParen | TokenKind::CloseBrace));
            self.complain(if closing {
                "a filter or the end of the query, for no bracket is open"
            } else {
                "a filter or the end of the query"
            });
            self.recover(start, 0);
        }
        if self.query.filters.is_empty() && self.diagnostics.is_empty() {
            let span = self.here();
            self.error(code::SYNTAX, span, "the query has no filter");
        }
        Ok(())
    }

    fn header(&mut self) -> Res<()> {
        while !self.is(&TokenKind::CloseParen) {
            let start = self.at;
            let Some(word) = self.word() else {
                return self.unknown_parameter();
            };
            match word {
                Word::Input | Word::Pgn => {
                    self.at += 1;
                    let (name, span) = self.file_name()?;
                    if !name.ends_with(".pgn") {
                        let message = format!("the name of the input `{name}` must end in .pgn");
                        self.error(code::HEADER, span, message);
                    }
                    let repeated = self.query.header.input.replace((name, span)).is_some();
                    self.once(repeated, start, "an input");
                }
                Word::Output => {
                    self.at += 1;
                    let output = self.file_name()?;
                    let repeated = self.query.header.output.replace(output).is_some();
                    self.once(repeated, start, "an output");
                }
                Word::Variations => {
                    self.at += 1;
                    let repeated = std::mem::replace(&mut self.query.header.variations, true);
                    self.once(repeated, start, "`variations`");
                }
                Word::Silent => {
                    self.at += 1;
                    self.query.header.silent = true;
                }
                Word::GameNumber => {
                    self.at += 1;
                    let range = self.required_range("`gamenumber`");
                    let repeated = self.query.header.game_number.replace(range).is_some();
                    self.once(repeated, start, "`gamenumber`");
                }
                Word::Sort if self.word_at(self.at + 1) == Some(Word::MatchCount) => {
                    self.at += 1;
                    self.query.header.sort_match_count = true;
                    self.match_count(start);
                }
                Word::Sort => {
                    self.at += 1;
                    return self.expected("`matchcount` after `sort` in the header");
                }
                Word::MatchCount => self.match_count(start),
                Word::Result | Word::Player | Word::Elo | Word::Year | Word::Site | Word::Event => {
                    let kind = self.game_filter(word)?;
                    let span = self.since(start);
                    self.query.header.game.push(Filter { kind, span });
                }
                _ => return self.unknown_parameter(),
            }
        }
        Ok(())
    }

    fn match_count(&mut self, start: usize) {
        self.at += 1;
        let range = self.required_range("`matchcount`");
        let repeated = self.query.header.match_count.replace(range).is_some();
        self.once(repeated, start, "`matchcount`");
    }

    fn once(&mut self, repeated: bool, start: usize, what: &str) {
        if repeated {
            let message = format!("the header has {what} already");
            self.error(code::HEADER, self.since(start), message);
        }
    }

    fn unknown_parameter<T>(&mut self) -> Res<T> {
        const WORDS: [&str; 12] = [
            "input",
            "output",
            "variations",
            "silent",
            "gamenumber",
            "matchcount",
            "result",
            "player",
            "elo",
            "year",
            "site",
            "event",
        ];
        if matches!(self.peek(), None | Some(TokenKind::Faulty)) {
            return self.expected("`)` at the end of the header");
        }
        let text = self.text_of(self.here());
        let message = format!("{} is no parameter of `cql( … )`", self.found());
        let mut diagnostic = Diagnostic::error(code::HEADER, self.here(), message);
        if let Some(near) = nearest(&text, WORDS) {
            diagnostic = self.with_word(diagnostic, near);
            if self.word().is_some() {
                // the header may have ended before a word of a filter
                diagnostic.edit = None;
            }
        }
        self.report(diagnostic);
        Err(Failed)
    }

    /// Reads a file name. Any word is allowed, since a file may be called `b1` or `mate`.
    fn file_name(&mut self) -> Res<(String, Span)> {
        match self.peek() {
            Some(
                TokenKind::Name(_)
                | TokenKind::Designator(_)
                | TokenKind::Word(_)
                | TokenKind::Integer(_),
            ) => {
                let span = self.here();
                self.at += 1;
                Ok((self.text_of(span), span))
            }
            _ => self.expected("the name of a file"),
        }
    }

    /// Reads filters that are also allowed in the header.
    pub(super) fn game_filter(&mut self, word: Word) -> Res<FilterKind> {
        self.at += 1;
        Ok(match word {
            Word::Year => K::Year(self.required_range("`year`")),
            Word::Elo => {
                let color = self.color();
                K::Elo(color, self.required_range("`elo`"))
            }
            Word::Player => {
                let color = self.color();
                K::Player(color, self.required_string()?)
            }
            Word::Site => K::Site(self.required_string()?),
            Word::Event => K::Event(self.required_string()?),
            Word::HasComment => K::HasComment(self.required_string()?),
            _ => K::Result(self.game_result()?),
        })
    }

    fn game_result(&mut self) -> Res<GameResult> {
        if let Some(TokenKind::Name(name)) = self.peek()
            && let Some(result) = GameResult::ALL.into_iter().find(|r| r.text() == name)
        {
            self.at += 1;
            return Ok(result);
        }
        self.expected("a result: 1-0, 0-1 or 1/2-1/2")
    }
}
