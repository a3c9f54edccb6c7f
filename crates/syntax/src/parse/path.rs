//! Parses `path`: its parameters, its moves and groups, and its end.
//!
//! A path extends to the next blank line outside of brackets, to the end of the brackets around it,
//! or to a token that cannot continue it. Within it, outside of braces, `+` and `*` are
//! repetitions.

mod parts;
#[cfg(test)]
mod tests;

use super::error::{Res, code};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::tree::{Filter, FilterKind, Path, Type, VariableId};

impl Parser<'_> {
    /// Parses `path …`.
    pub(super) fn path(&mut self) -> Res<Filter> {
        let start = self.eat();
        let outer = (self.limit, self.path_top, self.in_line);
        let end = self.stream.path_end(self.pos).min(self.limit);
        self.limit = end;
        self.path_top = true;
        self.in_line = false;
        let path = self.path_inside(start);
        (self.limit, self.path_top, self.in_line) = outer;
        match path {
            Ok(path) => {
                self.check_silent_end(end)?;
                let ty = if path.lastposition { Type::Position } else { Type::Numeric };
                Ok(self.make(start, ty, FilterKind::Path(Box::new(path))))
            }
            Err(failed) => {
                // The rest of the path would cause more errors outside of it.
                self.pos = end;
                Err(failed)
            }
        }
    }

    /// Checks a path that ends early because of a move in braces: a blank line must not follow.
    fn check_silent_end(&mut self, end: usize) -> Res<()> {
        let is_braced_move = (self.put_back.as_ref()).is_some_and(|back| back.at == self.pos);
        let blank = self.stream.tokens.get(end).is_some_and(|token| token.blank_line_before);
        if !is_braced_move || !blank {
            return Ok(());
        }
        self.fail_help(
            code::PATH,
            self.here(),
            "a move alone in braces is no part of a path",
            "leave the braces away, or write `{true --}` to look ahead",
        )
    }

    fn path_inside(&mut self, start: usize) -> Res<Path> {
        let mut path = self.path_parameters()?;
        let n_before = self.pos;
        path.constituents = self.constituents(self.limit)?;
        if path.constituents.is_empty() {
            let message = if n_before < self.limit {
                format!("expected a move, group or filter of this path, found {}", self.found())
            } else {
                "this path has no moves".to_owned()
            };
            return self.fail_help(
                code::PATH,
                self.span_at(start),
                message,
                "write moves such as `--`, `K--`, `(R-- check)+` or `san \"Nf3 d5\"`; a blank line ends a path",
            );
        }
        self.number_path(&mut path);
        Ok(path)
    }

    /// Counts a path among those of the query, and notes the variables that it restores.
    pub(super) fn number_path(&mut self, path: &mut Path) {
        path.index = self.query.n_paths;
        self.query.n_paths += 1;
        // The check saves time, since a query may have thousands of paths and of variables.
        if self.may_have_atomic {
            path.atomic = self
                .query
                .variables
                .iter()
                .enumerate()
                .filter(|(_, variable)| variable.atomic)
                .map(|(index, _)| VariableId(index as u32))
                .collect();
        }
    }

    fn path_parameters(&mut self) -> Res<Path> {
        let mut path = Path::default();
        let start = self.pos;
        loop {
            let at = self.pos;
            let Some(keyword) = self.keyword() else {
                if let Some(range) = self.range() {
                    if path.range.is_some() {
                        return self.repeated_parameter(at);
                    }
                    path.range = Some(range);
                    continue;
                }
                break;
            };
            let flag = match keyword {
                Keyword::Count => {
                    if path.range.is_some() {
                        return self.repeated_parameter(at);
                    }
                    path.range = self.range();
                    continue;
                }
                Keyword::Focus => {
                    if path.focus.is_some() {
                        return self.repeated_parameter(at);
                    }
                    self.pos += 1;
                    path.flags.focus_capture = self.eat_keyword(Keyword::Capture);
                    let set = self.operand("focus", level::DASH, Type::Set)?;
                    path.focus = Some(Box::new(set));
                    self.check_focus(&path, at)?;
                    continue;
                }
                Keyword::Max => {
                    if path.max.is_some() {
                        return self.repeated_parameter(at);
                    }
                    self.pos += 1;
                    let max = self.operand("max", level::OR, Type::Numeric)?;
                    path.max = Some(Box::new(max));
                    continue;
                }
                Keyword::Title => {
                    path.title = Some(self.path_title()?);
                    continue;
                }
                Keyword::Secondary => {
                    return self.fail_help(
                        code::PARAMETER,
                        self.here(),
                        "`path` has no parameter `secondary`",
                        "the filter `secondary` may follow a move: `-- secondary`",
                    );
                }
                Keyword::Lastposition => {
                    self.pos += 1;
                    path.lastposition = true;
                    continue;
                }
                Keyword::Singlecolor => &mut path.flags.single_color,
                Keyword::Primary => &mut path.flags.primary,
                Keyword::Nestban => &mut path.flags.nestban,
                Keyword::Firstmatch => &mut path.flags.firstmatch,
                Keyword::Keepallbest => &mut path.flags.keepallbest,
                Keyword::Piecepath => &mut path.flags.piecepath,
                Keyword::Verbose => &mut path.flags.verbose,
                Keyword::Quiet => &mut path.flags.quiet,
                _ => break,
            };
            if std::mem::replace(flag, true) {
                return self.repeated_parameter(at);
            }
            self.pos += 1;
            self.check_focus(&path, at)?;
        }
        if path.flags.piecepath && path.focus.is_none() {
            return self.fail_help(
                code::PARAMETER,
                self.last_word(start, &[Keyword::Piecepath]),
                "`piecepath` needs `focus`",
                "write `path focus S piecepath …`",
            );
        }
        Ok(path)
    }

    fn repeated_parameter<T>(&mut self, at: usize) -> Res<T> {
        let span = self.span_at(at);
        let message = format!("`{}` repeats a parameter of this path", self.text_of(span));
        self.fail(code::PARAMETER, span, message)
    }

    /// Checks that only one of `focus`, `singlecolor` (which is also a focus) and `primary` is
    /// present.
    fn check_focus(&mut self, path: &Path, at: usize) -> Res<()> {
        let (one, other) = match (path.focus.is_some(), path.flags.single_color, path.flags.primary)
        {
            (true, _, true) => ("focus", "primary"),
            (true, true, _) => ("focus", "singlecolor"),
            (_, true, true) => ("singlecolor", "primary"),
            _ => return Ok(()),
        };
        let message = format!("`{one}` and `{other}` exclude each other");
        self.fail(code::PARAMETER, self.span_at(at), message)
    }

    fn path_title(&mut self) -> Res<Vec<u8>> {
        self.pos += 1;
        match self.eat_literal() {
            Some((title, _)) if !title.is_empty() => Ok(title),
            Some((_, span)) => {
                self.fail(code::LITERAL, span, "the title of a path cannot be empty")
            }
            None => self.expected("a string literal after `title`", ""),
        }
    }
}
