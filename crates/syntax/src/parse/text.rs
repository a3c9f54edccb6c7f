//! Parses filters that compute numbers and strings, and filters that write texts: `comment`,
//! `message`, `str`, `///`.

use super::error::{Res, code, type_name};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::token::TokenKind;
use crate::tree::{Filter, FilterKind, Type};

impl Parser<'_> {
    /// Parses `max(E F …)` or `min(E F …)`.
    pub(super) fn extremum(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.eat();
        let word = keyword.text();
        let items = self.arguments(word, level::ADD)?;
        if items.len() < 2 {
            let message = format!("`{word}` needs at least two values, found {}", items.len());
            return self.fail(code::ARGUMENTS, self.span_from(start), message);
        }
        let ty = items[0].ty;
        if !matches!(ty, Type::Numeric | Type::String) {
            let message = format!("`{word}` needs numbers or strings, found {}", type_name(ty));
            let span = items[0].span;
            return self.fail_help(
                code::OPERAND_TYPE,
                span,
                message,
                "`#S` is the number of squares of a set; put comparisons into braces",
            );
        }
        if let Some(other) = items.iter().find(|item| item.ty != ty) {
            let message = format!(
                "the values of `{word}` must have one type, found {} after {}",
                type_name(other.ty),
                type_name(ty)
            );
            let span = other.span;
            return self.fail(code::OPERAND_TYPE, span, message);
        }
        let kind = FilterKind::Extremum { max: keyword == Keyword::Max, items };
        Ok(self.make(start, ty, kind))
    }

    /// Parses `readfile S`.
    pub(super) fn read_file(&mut self) -> Res<Filter> {
        let word = self.here();
        let start = self.eat();
        let name = Box::new(self.operand("readfile", level::ADD, Type::String)?);
        self.query.uses_files = true;
        self.query.shared.get_or_insert(word);
        Ok(self.make(start, Type::String, FilterKind::ReadFile(name)))
    }

    /// Parses `ascii S` or `ascii N`.
    pub(super) fn ascii(&mut self) -> Res<Filter> {
        let start = self.eat();
        let operand = self.operand_of_any_type("ascii", level::ADD)?;
        match operand.ty {
            Type::Numeric => {
                let kind = FilterKind::AsciiCharacter(Box::new(operand));
                Ok(self.make(start, Type::String, kind))
            }
            Type::String => {
                let kind = FilterKind::AsciiCode(Box::new(operand));
                Ok(self.make(start, Type::Numeric, kind))
            }
            found => {
                let message =
                    format!("`ascii` needs a number or a string, found {}", type_name(found));
                self.fail(code::OPERAND_TYPE, operand.span, message)
            }
        }
    }

    /// Parses `writefile(NAME TEXT)`.
    pub(super) fn write_file(&mut self) -> Res<Filter> {
        let word = self.here();
        let start = self.eat();
        let (name, text) = self.two_arguments("writefile", level::ADD)?;
        let name = Box::new(self.require(name, Type::String, "writefile")?);
        let text = Box::new(self.require(text, Type::String, "writefile")?);
        self.query.uses_files = true;
        self.query.shared.get_or_insert(word);
        Ok(self.make(start, Type::Boolean, FilterKind::WriteFile(name, text)))
    }

    /// Parses `str F`, `str( F… )`, `comment F` or `comment( F… )`.
    pub(super) fn str_or_comment(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.eat();
        if keyword == Keyword::Comment
            && let Some((mend, end)) = self.mend_of_comment(start)
        {
            let span = self.span_at(start);
            self.pos = end;
            let message = "`comment` writes a text, and compares none";
            return self.fail_help(code::OPERAND_TYPE, span, message, mend);
        }
        let items = self.items(keyword.text())?;
        if keyword == Keyword::Str {
            return Ok(self.make(start, Type::String, FilterKind::Str(items)));
        }
        Ok(self.make(start, Type::Boolean, FilterKind::Comment(items)))
    }

    /// Parses `message F`, `message( F… )` or `message quiet ( F… )`.
    pub(super) fn message(&mut self) -> Res<Filter> {
        let start = self.eat();
        let quiet = self.eat_keyword(Keyword::Quiet);
        let items = self.items("message")?;
        let kind = FilterKind::Message { quiet, items };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses one filter, or a list in parentheses.
    fn items(&mut self, word: &str) -> Res<Vec<Filter>> {
        let Some(close) = self.end_of_parentheses() else {
            return Ok(vec![self.operand_of_any_type(word, level::OR)?]);
        };
        let start = self.eat();
        let mut items = Vec::new();
        while self.pos < close {
            items.push(self.item()?);
        }
        self.pos = close + 1;
        if items.is_empty() {
            let span = self.span_from(start);
            let message =
                format!("expected something for `{word}` to print between the parentheses");
            return self.fail(code::EMPTY, span, message);
        }
        Ok(items)
    }

    /// Parses an item of a list. It has no implicit search: `comment(event " x")` has two items.
    pub(super) fn item(&mut self) -> Res<Filter> {
        self.direct_item = Some(self.pos);
        let item = self.filter();
        self.direct_item = None;
        item
    }

    /// Parses `/// F…` to the end of the line.
    pub(super) fn line_comment(&mut self) -> Res<Filter> {
        let start = self.eat();
        let mut items = Vec::new();
        loop {
            match self.kind() {
                Some(TokenKind::TripleSlashEnd) => break,
                None => break,
                Some(_) => items.push(self.item()?),
            }
        }
        if items.is_empty() {
            return self.fail_help(
                code::EMPTY,
                self.span_at(start),
                "expected something to print after `///` on the same line",
                "`//` begins a comment that means nothing to the query",
            );
        }
        let filter = self.make(start, Type::Boolean, FilterKind::Comment(items));
        if self.kind() == Some(&TokenKind::TripleSlashEnd) {
            self.pos += 1;
        }
        Ok(filter)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn functions_of_numbers_and_strings() {
        check("max(1 2 3)==3", "(== (max 1 2 3):n 3):n");
        check("min(\"a\" event)==\"a\"", "(== (min \"a\" event):t \"a\"):t");
        check("ascii 97==\"a\"", "(== (asciicharacter 97):t \"a\"):t");
        check(
            "indexof(\"a\" \"b\"+\"c\")==1",
            "(== (indexof \"a\" (concatenate \"b\" \"c\"):t):n 1):n",
        );
        check("writefile(\"a.cqo\" str(1))", "(writefile \"a.cqo\" (str 1):t):b");
        check("s=readfile \"a\"+\".cql\"", "(s = (readfile (concatenate \"a\" \".cql\"):t):t):b");
        check("lowercase event~~\"x\"", "(lowercase (~~ \"x\" event):t):t");
        for (text, code, place) in [
            ("max(1)==1", "E0106", "max(1)"),
            ("max(R r)==1", "E0301", "R"),
            ("max(1 \"a\")==1", "E0301", "\"a\""),
            ("max(1<2 3)", "E0102", "<"),
            ("abs R==1", "E0301", "R"),
            ("sqrt \"a\"==1", "E0301", "\"a\""),
            ("int 3==3", "E0301", "3"),
            ("ascii R==3", "E0301", "R"),
            ("uppercase R", "E0301", "R"),
            ("indexof(R \"a\")==0", "E0301", "R"),
            ("writefile(\"a.cqo\")", "E0106", "writefile(\"a.cqo\")"),
            ("s0=readfile R", "E0301", "R"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn lists_of_things_to_print() {
        check("comment(1 -2 R \" \" -3)", "(comment (- 1 2):n R \" \" -3):b");
        check("comment #A+1 comment K", "(comment (+ (# A):n 1):n):b (comment K):b");
        check("comment(power A 3 5)", "(comment (power A):n 3 5):b");
        check("str(1 2)+\"x\"", "(concatenate (str 1 2):t \"x\"):t");
        check("str 1+2", "(str (+ 1 2):n):t");
        check(
            "message ply message quiet (\"a\" ply)",
            "(message ply):b (message quiet \"a\" ply):b",
        );
        for (text, code, place) in [
            ("comment()", "E0104", "()"),
            ("s=str", "E0101", ""),
            ("message", "E0101", ""),
            ("comment({3})", "E0101", "{3}"),
            ("comment(3--2)", "E0108", "--"),
            ("comment(#event \" \")", "E0301", "event \" \""),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn direct_items_begin_no_search() {
        check("comment(event \"x*\" site \"y\")", "(comment event \"x*\" site \"y\"):b");
        check("comment(fen \"x\" hascomment \"!\")", "(comment fen \"x\" nag-1):b");
        check("comment({event \"x\"})", "(comment (contains \"x\" event):b):b");
        check("comment(event \"x\" or check)", "(comment (or (contains \"x\" event):b check):b):b");
        check("/// hhdb composer \"x\"\n", "(comment hhdb-composer \"x\"):b");
        check("str(player white \"x\")", "(str player-White \"x\"):t");
        // but a glyph belongs to the word before it
        check(
            "/// originalcomment \"$3\" originalcomment \"x\" \"!\"\n",
            "(comment nag-3 originalcomment \"x\" \"!\"):b",
        );
    }

    #[test]
    fn triple_slashes_end_with_their_line() {
        check("/// \"a\" 1 -2\nmate", "(comment \"a\" (- 1 2):n):b mate");
        check("/// \"a\" // comment\n\"b\"\nmate", "(comment \"a\" \"b\"):b mate");
        check("/// \"last\"", "(comment \"last\"):b");
        check("--(check /// \"x\"\n)", "(-- * * => check (comment \"x\"):b):b");
        refuse("///\ncheck", "E0104", "///");
        refuse("/// max(1\n2)", "E0101", "\n");
        refuse("/// \"a\" /// \"b\"", "E0016", "///");
    }
}
