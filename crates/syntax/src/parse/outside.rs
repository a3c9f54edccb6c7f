//! Parses filters that use external programs: `commandpipe`, `engine`.

use super::error::{Res, code};
use super::parser::Parser;
use crate::token::{Symbol, TokenKind};
use crate::tree::{EngineLimit, EngineQuestion, EngineValue, Filter, FilterKind, Type};

const PIPE_USAGE: &str =
    "write `commandpipe(\"NAME\" F)`; `-pipe NAME=COMMAND` says which program is meant";

const ENGINE_USAGE: &str = "write `engine (depth 12)` or `engine (nodes 50000)`; in front of the parenthesis may stand `mate`, `bestmove`, `from`, `to`, `pv` or `wdl win`, and in it `multipv 3` and after it `line 2`";

/// Maximum depth of an engine's search.
const DEEPEST: i32 = 200;

/// Maximum number of lines of an engine; no position has as many legal moves.
const MOST_LINES: i32 = 256;

impl Parser<'_> {
    /// Parses `commandpipe("NAME" F…)`.
    pub(super) fn command_pipe(&mut self) -> Res<Filter> {
        let start = self.eat();
        let Some(close) = self.end_of_parentheses() else {
            return self.expected("`(` after `commandpipe`", PIPE_USAGE);
        };
        self.pos += 1;
        let Some((name, span)) = self.eat_literal() else {
            return self.expected("the name of a program in quotes", PIPE_USAGE);
        };
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        if name.is_empty() || !name.iter().all(is_part) {
            let message = "the name of a program consists of letters, digits, `_` and `-`";
            return self.fail_help(code::LITERAL, span, message, PIPE_USAGE);
        }
        let name = String::from_utf8_lossy(&name).into();
        let mut items = Vec::new();
        while self.pos < close {
            items.push(self.item()?);
        }
        self.pos = close + 1;
        let kind = FilterKind::CommandPipe { name, items };
        Ok(self.make(start, Type::String, kind))
    }

    /// Parses `engine (depth N)`, `engine mate (nodes N multipv 3 line 2)` …
    pub(super) fn engine(&mut self) -> Res<Filter> {
        let start = self.eat();
        let (value, ty) = self.engine_value()?;
        if !self.eat_symbol(Symbol::OpenParen) {
            return self.expected("`(depth N)` or `(nodes N)` after `engine`", ENGINE_USAGE);
        }
        let (most, limit): (i32, fn(u32) -> EngineLimit) = match self.word_at(self.pos) {
            Some("depth") => (DEEPEST, EngineLimit::Depth),
            Some("nodes") => (i32::MAX, EngineLimit::Nodes),
            _ => return self.expected("`depth` or `nodes`", ENGINE_USAGE),
        };
        let limit = limit(self.engine_number(most)?);
        let n_lines = match self.word_at(self.pos) {
            Some("multipv") => Some(self.engine_number(MOST_LINES)?),
            _ => None,
        };
        let line = match self.word_at(self.pos) {
            Some("line") => {
                let most = n_lines.map_or(MOST_LINES, |n| n.cast_signed());
                self.engine_number(most)?
            }
            _ => 1,
        };
        if !self.eat_symbol(Symbol::CloseParen) {
            return self.expected("`)`", ENGINE_USAGE);
        }
        let question = EngineQuestion { value, limit, n_lines: n_lines.unwrap_or(line), line };
        Ok(self.make(start, ty, FilterKind::Engine(question)))
    }

    /// Parses the value that the question is about, such as `mate`; the score is written without a
    /// word.
    fn engine_value(&mut self) -> Res<(EngineValue, Type)> {
        let found = match self.word_at(self.pos) {
            Some("mate") => (EngineValue::Mate, Type::Numeric),
            Some("bestmove") => (EngineValue::BestMove, Type::String),
            Some("pv") => (EngineValue::Pv, Type::String),
            Some("from") => (EngineValue::From, Type::Set),
            Some("to") => (EngineValue::To, Type::Set),
            Some("wdl") => {
                self.pos += 1;
                let chance = match self.word_at(self.pos) {
                    Some("win") => EngineValue::Win,
                    Some("draw") => EngineValue::Draw,
                    Some("loss") => EngineValue::Loss,
                    _ => return self.expected("`win`, `draw` or `loss`", ENGINE_USAGE),
                };
                (chance, Type::Numeric)
            }
            _ => return Ok((EngineValue::Score, Type::Numeric)),
        };
        self.pos += 1;
        Ok(found)
    }

    /// Parses the number after a word within the parentheses.
    fn engine_number(&mut self, most: i32) -> Res<u32> {
        self.pos += 1;
        let number = match self.kind() {
            Some(&TokenKind::Integer(number)) if (1..=most).contains(&number) => number,
            _ => return self.expected(format_args!("a number from 1 to {most}"), ENGINE_USAGE),
        };
        self.pos += 1;
        Ok(number.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn programs_are_asked() {
        check(
            "commandpipe(\"a-1\" ply \" \") == \"x\"",
            "(== (commandpipe a-1 ply \" \"):t \"x\"):t",
        );
        check("int commandpipe(\"a\") > 3", "(> (int (commandpipe a):t):n 3):n");
        check("engine (depth 12) > 30", "(> engine-Score-Depth(12) 30):n");
        check(
            "engine to (nodes 5000) & k engine mate(depth 1) engine bestmove (depth 2)",
            "(intersect engine-To-Nodes(5000) k):s engine-Mate-Depth(1) engine-BestMove-Depth(2)",
        );
        check(
            "engine pv (depth 3) engine wdl win (depth 3 multipv 2) engine (nodes 9 line 3) \
             engine mate (depth 3 multipv 4 line 2)",
            "engine-Pv-Depth(3) engine-Win-Depth(3)-1/2 engine-Score-Nodes(9)-3/3 \
             engine-Mate-Depth(3)-2/4",
        );
        // `engine` as a name
        check("engine = 3 engine > 2", "(engine = 3):b (> $engine:n 2):n");
        for (text, code, place) in [
            ("commandpipe", "E0103", ""),
            ("commandpipe(ply)", "E0103", "ply"),
            ("commandpipe(\"\")", "E0113", "\"\""),
            ("commandpipe(\"rm -rf\")", "E0113", "\"rm -rf\""),
            ("engine", "E0103", ""),
            ("engine (12)", "E0103", "12"),
            ("engine (depth 0)", "E0103", "0"),
            ("engine (depth 1000)", "E0103", "1000"),
            ("engine (depth ply)", "E0103", "ply"),
            ("engine best (depth 1)", "E0103", "best"),
            ("engine wdl (depth 1)", "E0103", "("),
            ("engine wdl mate (depth 1)", "E0103", "mate"),
            ("engine (depth 1 multipv 0)", "E0103", "0"),
            ("engine (depth 1 multipv 2 line 3)", "E0103", "3"),
            ("engine (depth 1 line 2 multipv 3)", "E0103", "multipv"),
            ("engine (multipv 2)", "E0103", "multipv"),
        ] {
            refuse(text, code, place);
        }
    }
}
