//! `path`: its parameters, its moves and groups, and where it ends.
//!
//! A path reaches to the next blank line outside of brackets, or to the bracket around it. In
//! that range, outside of braces, a dash is a move of the path and `+` and `*` are repetitions.

use super::error::{Res, code, type_name};
use super::expression::level;
use super::{Parser, PutBack};
use crate::keyword::Keyword;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Constituent, Filter, FilterKind, Path, Repeat, Type, VariableId, VariableKind};

impl Parser<'_> {
    /// `path …`
    pub(super) fn path(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let outer = (self.limit, self.path_top, self.constituent_at, self.in_line);
        let end = self.path_end();
        self.limit = end;
        self.path_top = true;
        self.in_line = false;
        let path = self.path_inside(start);
        (self.limit, self.path_top, self.constituent_at, self.in_line) = outer;
        match path {
            Ok(path) => {
                self.check_silent_end(end)?;
                let ty = if path.lastposition {
                    Type::Position
                } else {
                    Type::Numeric
                };
                Ok(self.make(start, ty, FilterKind::Path(Box::new(path))))
            }
            Err(failed) => {
                // What is left of the path makes no sense outside of it.
                self.pos = end;
                Err(failed)
            }
        }
    }

    /// The token that ends the path whose contents begin at hand.
    fn path_end(&self) -> usize {
        let mut at = self.pos;
        while at < self.limit {
            let token = &self.stream.tokens[at];
            if token.blank_line_before {
                break;
            }
            at = match (&token.kind, self.stream.partner[at]) {
                (
                    TokenKind::Symbol(
                        Symbol::CloseParen | Symbol::CloseBrace | Symbol::CloseBracket,
                    ),
                    _,
                ) => break,
                (_, Some(close)) => close + 1,
                _ => at + 1,
            };
        }
        at.min(self.limit)
    }

    /// A move in braces ends the path early, and then a blank line may not follow.
    fn check_silent_end(&mut self, end: usize) -> Res<()> {
        let blank = self
            .stream
            .tokens
            .get(end)
            .is_some_and(|token| token.blank_line_before);
        if self.pos == end || !blank {
            return Ok(());
        }
        let span = self.here();
        self.fail_help(
            code::PATH,
            span,
            "a move alone in braces is no part of a path",
            "leave the braces away, or write `{true --}` to look ahead",
        )
    }

    fn path_inside(&mut self, start: usize) -> Res<Path> {
        let mut path = self.path_parameters()?;
        let n_before = self.pos;
        path.constituents = self.constituents(self.limit, true)?;
        if path.constituents.is_empty() {
            let span = self.span_at(start);
            let message = if n_before < self.limit {
                format!(
                    "expected a move, group or filter of this path, found {}",
                    self.found()
                )
            } else {
                "this path has no moves".to_owned()
            };
            return self.fail_help(
                code::PATH,
                span,
                message,
                "write moves such as `--`, `K--`, `(R-- check)+`; a blank line ends a path",
            );
        }
        path.index = self.query.n_paths;
        self.query.n_paths += 1;
        path.atomic = self
            .query
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| variable.atomic)
            .map(|(index, _)| VariableId(index as u32))
            .collect();
        Ok(path)
    }

    fn path_parameters(&mut self) -> Res<Path> {
        let mut path = empty_path();
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
                    path.focus_capture = self.eat_keyword(Keyword::Capture);
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
                    let span = self.here();
                    return self.fail_help(
                        code::PARAMETER,
                        span,
                        "`path` has no parameter `secondary`",
                        "the filter `secondary` may follow a move: `-- secondary`",
                    );
                }
                Keyword::Lastposition => {
                    self.pos += 1;
                    path.lastposition = true;
                    continue;
                }
                Keyword::Singlecolor => &mut path.single_color,
                Keyword::Primary => &mut path.primary,
                Keyword::Nestban => &mut path.nestban,
                Keyword::Firstmatch => &mut path.firstmatch,
                Keyword::Keepallbest => &mut path.keepallbest,
                Keyword::Piecepath => &mut path.piecepath,
                Keyword::Verbose => &mut path.verbose,
                Keyword::Quiet => &mut path.quiet,
                _ => break,
            };
            if std::mem::replace(flag, true) {
                return self.repeated_parameter(at);
            }
            self.pos += 1;
            self.check_focus(&path, at)?;
        }
        if path.piecepath && path.focus.is_none() {
            let span = self.here();
            return self.fail_help(
                code::PARAMETER,
                span,
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

    fn check_focus(&mut self, path: &Path, at: usize) -> Res<()> {
        if path.focus.is_none() || !(path.single_color || path.primary) {
            return Ok(());
        }
        let other = if path.primary {
            "primary"
        } else {
            "singlecolor"
        };
        let span = self.span_at(at);
        let message = format!("`focus` and `{other}` exclude each other");
        self.fail(code::PARAMETER, span, message)
    }

    fn path_title(&mut self) -> Res<Vec<u8>> {
        self.pos += 1;
        match self.eat_literal() {
            Some((title, _)) if !title.is_empty() => Ok(title),
            Some((_, span)) => {
                self.fail(code::LITERAL, span, "the title of a path cannot be empty")
            }
            None => {
                let span = self.here();
                let message = format!(
                    "expected a string literal behind `title`, found {}",
                    self.found()
                );
                self.fail(code::EXPECTED_SYMBOL, span, message)
            }
        }
    }

    /// The parts of a path or group up to the token `end`. Only the path itself can end early.
    fn constituents(&mut self, end: usize, outermost: bool) -> Res<Vec<Constituent>> {
        let mut parts: Vec<Constituent> = Vec::new();
        while self.pos < end {
            let start = self.pos;
            if let Some(repeat) = self.suffix() {
                self.repeat_last(&mut parts, repeat, start)?;
                continue;
            }
            if self.symbol() == Some(Symbol::OpenParen) && !self.is_parenthesized_filter(&parts) {
                let members = self.group()?;
                parts.push(Constituent::Group {
                    members,
                    repeat: None,
                });
                continue;
            }
            match self.constituent(&parts)? {
                Part::Move(dash) => parts.push(Constituent::Dash {
                    dash,
                    filters: Vec::new(),
                    repeat: None,
                }),
                Part::Filter(filter) => match parts.last_mut() {
                    Some(Constituent::Dash {
                        filters,
                        repeat: None,
                        ..
                    }) => filters.push(filter),
                    _ => parts.push(Constituent::Filter(filter)),
                },
                Part::Group(member) => parts.push(Constituent::Group {
                    members: vec![member],
                    repeat: None,
                }),
                Part::End(filter) if outermost => {
                    self.put_back = Some(PutBack {
                        at: start,
                        end: self.pos,
                        height: self.tallest,
                        filter,
                    });
                    self.pos = start;
                    break;
                }
                Part::End(filter) => {
                    return self.fail_help(
                        code::PATH,
                        filter.span,
                        "a move alone in braces is no part of a path",
                        "leave the braces away, or write `{true --}` to look ahead",
                    );
                }
            }
        }
        Ok(parts)
    }

    /// A repetition sign.
    fn suffix(&mut self) -> Option<Repeat> {
        let repeat = match *self.kind()? {
            TokenKind::Repetition { min, max } => Repeat::Times { min, max },
            TokenKind::Symbol(Symbol::Star | Symbol::RepeatAny) => Repeat::Star,
            TokenKind::Symbol(Symbol::Plus | Symbol::RepeatSome) => Repeat::Plus,
            TokenKind::Symbol(Symbol::Question) => Repeat::Optional,
            _ => return None,
        };
        self.pos += 1;
        Some(repeat)
    }

    fn repeat_last(&mut self, parts: &mut [Constituent], repeat: Repeat, at: usize) -> Res<()> {
        let (message, help) = match parts.last_mut() {
            Some(
                Constituent::Dash { repeat: slot, .. } | Constituent::Group { repeat: slot, .. },
            ) => {
                if slot.is_none() {
                    *slot = Some(repeat);
                    return Ok(());
                }
                (
                    "this part of the path has a repetition already",
                    "group with parentheses: `((…)+)?`",
                )
            }
            Some(Constituent::Filter(_)) => (
                "a repetition follows a move or a group of a path, not a filter",
                "write `(-- F)+` for moves after which F matches; put arithmetic into braces",
            ),
            None => (
                "there is nothing to repeat before this sign",
                "put it behind a move or a group: `--+`, `(K-- k--)*`",
            ),
        };
        let span = self.span_at(at);
        self.fail_help(code::PATH, span, message, help)
    }

    /// Behind a move and its filters `(` opens a filter, elsewhere a group, unless an operator
    /// behind the `)` shows that it is an operand.
    fn is_parenthesized_filter(&self, parts: &[Constituent]) -> bool {
        if let Some(Constituent::Dash { repeat: None, .. }) = parts.last() {
            return true;
        }
        let Some(close) = self.stream.partner[self.pos] else {
            return false;
        };
        match self.kind_at(close + 1) {
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::And
                    | Keyword::Or
                    | Keyword::In
                    | Keyword::Attacks
                    | Keyword::Attackedby
                    | Keyword::Attacked
                    | Keyword::Attack
            ),
            Some(TokenKind::Symbol(symbol)) => match symbol {
                Symbol::Dash | Symbol::CaptureDash => self.is_tied_left(close + 1),
                Symbol::Less
                | Symbol::LessEqual
                | Symbol::Greater
                | Symbol::GreaterEqual
                | Symbol::Equal
                | Symbol::NotEqual
                | Symbol::Ancestor
                | Symbol::AncestorEqual
                | Symbol::Descendant
                | Symbol::DescendantEqual
                | Symbol::Union
                | Symbol::Intersect
                | Symbol::Arrow
                | Symbol::BackArrow
                | Symbol::Match
                | Symbol::Colon
                | Symbol::OpenBracket
                | Symbol::Slash
                | Symbol::Percent => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// `( … )`
    fn group(&mut self) -> Res<Vec<Constituent>> {
        let start = self.pos;
        let Some(close) = self.stream.partner[start] else {
            return self.expected_filter();
        };
        self.pos += 1;
        self.depth += 1;
        let members = if self.depth > self.max_depth {
            self.exhaust(code::TOO_DEEP, "groups are nested too deeply here")
        } else {
            self.constituents(close, false)
        };
        self.depth -= 1;
        let members = members?;
        self.pos = close + 1;
        if members.is_empty() {
            let span = self.span_from(start);
            return self.fail(code::EMPTY, span, "expected a move between the parentheses");
        }
        Ok(members)
    }

    /// A move with its operands, or a filter.
    fn constituent(&mut self, parts: &[Constituent]) -> Res<Part> {
        let start = self.pos;
        if self.symbol() == Some(Symbol::OpenParen)
            && let Some(part) = self.move_in_parentheses()?
        {
            return Ok(part);
        }
        self.constituent_at = start;
        let left = self.expression(level::DASH)?;
        self.constituent_at = usize::MAX;
        let braced = self.symbol_at(start) == Some(Symbol::OpenBrace);
        let filter = match left.kind {
            FilterKind::Dash(_) if braced => return Ok(Part::End(left)),
            FilterKind::Dash(dash) => return Ok(Part::Move(dash)),
            _ => self.operators(left, start, level::OR)?,
        };
        let bare_number = match &filter.kind {
            FilterKind::Number(_) | FilterKind::Arithmetic(..) | FilterKind::Negate(_) => true,
            FilterKind::Variable(id) => self.variable(*id).kind == VariableKind::Numeric,
            _ => false,
        };
        if bare_number {
            let help = if parts.is_empty() {
                "a range is one or two numbers before the first move"
            } else {
                "compare it: `{x>3}`"
            };
            let message = format!("{} alone is no part of a path", type_name(filter.ty));
            return self.fail_help(code::PATH, filter.span, message, help);
        }
        Ok(Part::Filter(filter))
    }

    /// Parentheses behind a move that hold just one move are a group all the same.
    fn move_in_parentheses(&mut self) -> Res<Option<Part>> {
        let start = self.pos;
        let Some(close) = self.stream.partner[start] else {
            return Ok(None);
        };
        self.pos += 1;
        self.constituent_at = self.pos;
        let only = self.expression(level::DASH)?;
        self.constituent_at = usize::MAX;
        match only.kind {
            FilterKind::Dash(dash) if self.pos == close => {
                self.pos += 1;
                Ok(Some(Part::Group(Constituent::Dash {
                    dash,
                    filters: Vec::new(),
                    repeat: None,
                })))
            }
            FilterKind::Dash(_) => {
                let span = self.span_at(start);
                self.fail_help(
                    code::PATH,
                    span,
                    "behind a move and its filters, parentheses hold one filter or one move",
                    "write `{1}` behind the move before to begin a group here: `--{1} (-- --)`",
                )
            }
            _ => {
                self.put_back = Some(PutBack {
                    at: start + 1,
                    end: self.pos,
                    height: self.tallest,
                    filter: only,
                });
                self.pos = start;
                Ok(None)
            }
        }
    }
}

/// What a part of a path turned out to be.
enum Part {
    Move(crate::tree::Dash),
    Filter(Filter),
    Group(Constituent),
    /// A move in braces, which is a filter behind the path.
    End(Filter),
}

fn empty_path() -> Path {
    Path {
        index: 0,
        focus: None,
        focus_capture: false,
        single_color: false,
        primary: false,
        nestban: false,
        firstmatch: false,
        keepallbest: false,
        max: None,
        piecepath: false,
        verbose: false,
        quiet: false,
        title: None,
        lastposition: false,
        range: None,
        constituents: Vec::new(),
        atomic: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::dump::{check, refuse};

    #[test]
    fn moves_carry_the_filters_behind_them() {
        check("path --", "(path <-- * *>):n");
        check("⊢ ♘――a-h8", "(path <-- ♘ a-h8>):n");
        check(
            "path check -- mate K--e4 R",
            "(path check <-- * * : mate> <-- K e4 : R>):n",
        );
        check("path --(check)", "(path <-- * * : check>):n");
        check("path --(--)", "(path <-- * *> <<-- * *>>):n");
        check("path P--=N check", "(path <-- P * =000010 : check>):n");
        check(
            "path Q|R-- #A==3",
            "(path <-- (union Q R):s * : (== (# A):n 3):n>):n",
        );
        check(
            "path Q--up 1 Q Q--",
            "(path <-- Q (up 1..1 Q):s> <-- Q *>):n",
        );
        check("path -- x=from", "(path <-- * * : (x = from):b>):n");
        check(
            "path -- currentmove --(to)",
            "(path <-- * * : (currentmove -- * * => to):s>):n",
        );
        check(
            "path -- {true --(mate)}",
            "(path <-- * * : (block true (-- * * => mate):b):b>):n",
        );
        check(
            "path -- pseudolegal k--",
            "(path <-- * * : (pseudolegal k *):s>):n",
        );
    }

    #[test]
    fn groups_and_repetitions() {
        check("path --+", "(path <-- * *>+):n");
        check("path -- check +", "(path <-- * * : check>+):n");
        check(
            "path --{2,3} (K-- k--)* --?",
            "(path <-- * *>{2,3} <<-- K *> <-- k *>>* <-- * *>?):n",
        );
        check("path (--){*} (--){+}", "(path <<-- * *>>* <<-- * *>>+):n");
        check("path ((--)+ check)?", "(path <<<-- * *>>+ check>?):n");
        check(
            "path -- check (K--)+",
            "(path <-- * * : check> <<-- K *>>+):n",
        );
        check(
            "path -- (mate or check) --",
            "(path <-- * * : (or mate check):b> <-- * *>):n",
        );
        check(
            "path -- (A|a)==3",
            "(path <-- * * : (== (# (union A a):s):n 3):n>):n",
        );
        check(
            "path (A|a)==3 --",
            "(path (== (# (union A a):s):n 3):n <-- * *>):n",
        );
        check("path (Q|R)--e4", "(path <-- (union Q R):s e4>):n");
        check(
            "path --{1} (-- --)+",
            "(path <-- * *>{1,1} <<-- * *> <-- * *>>+):n",
        );
        check("path -- {1+2==3}", "(path <-- * * : (== (+ 1 2):n 3):n>):n");
    }

    #[test]
    fn parameters() {
        check(
            "path focus capture [rq] piecepath max #A keepallbest title \"t\" 3 4 verbose --",
            "(path capture keepallbest piecepath verbose title focus=[rq] max=(# A):n 3..4 <-- * *>):n",
        );
        check("⊢◎♔ quiet ――", "(path quiet focus=♔ <-- * *>):n");
        check(
            "path singlecolor primary nestban firstmatch --",
            "(path singlecolor primary nestban firstmatch <-- * *>):n",
        );
        check("path lastposition --", "(path lastposition <-- * *>):p");
        check("x=2 path x x --", "(x = 2):b (path x..x <-- * *>):n");
        check("path count --", "(path -100000..100000 <-- * *>):n");
        check("path 5 (--)+", "(path 5..5 <<-- * *>>+):n");
        for (text, place) in [
            ("path singlecolor singlecolor --", "singlecolor"),
            ("path primary primary --", "primary"),
            ("path nestban nestban --", "nestban"),
            ("path quiet quiet --", "quiet"),
            ("path max ply max ply --", "max"),
            ("path focus A focus a --", "focus"),
            ("path 1 2 quiet 3 --", "3"),
            ("path secondary --", "secondary"),
            ("path piecepath --", "--"),
            ("path focus A primary --", "primary"),
            ("path primary focus A --", "focus"),
            ("path singlecolor focus A --", "focus"),
        ] {
            refuse(text, "E0111", place);
        }
        refuse("path focus check --", "E0301", "check");
        refuse("path max", "E0101", "");
        refuse("path max R --", "E0301", "R");
        refuse("path title --", "E0103", "--");
        refuse("path title \"\" --", "E0113", "\"\"");
        refuse(
            "5<=path lastposition --",
            "E0304",
            "5<=path lastposition --",
        );
    }

    #[test]
    fn a_path_ends_at_blank_lines_and_brackets() {
        check("path --\n\ncheck", "(path <-- * *>):n check");
        check("path --\n// c\ncheck", "(path <-- * * : check>):n");
        check(
            "path -- {R\n\nr} mate",
            "(path <-- * * : (block R r):s mate>):n",
        );
        check("{path --} check", "(path <-- * *>):n check");
        check(
            "path -- path -- check\n\nR",
            "(path <-- * * : (path <-- * * : check>):n>):n R",
        );
        check(
            "path N-- check {Q--}",
            "(path <-- N * : check>):n (-- Q *):b",
        );
        check(
            "atomic x=1 path --\n\natomic y=2 path --",
            "(x = 1):b (path atomic=x <-- * *>):n (y = 2):b (path atomic=x atomic=y <-- * *>):n",
        );
        refuse("path -- check and\n\nR", "E0101", "R");
        refuse("path -- {--} R\n\nr", "E0109", "{");
        refuse("path -- {--} +", "E0102", "+");
    }

    #[test]
    fn what_is_no_part_of_a_path() {
        for (text, place) in [
            ("path", "path"),
            ("path primary", "path"),
            ("path\n\n--", "path"),
            ("path check+", "+"),
            ("path +", "+"),
            ("path --+ +", "+"),
            ("path --+{2}", "{2}"),
            ("path -- 5", "5"),
            ("x=5 path -- x", "x"),
            ("path -- ply-3", "ply-3"),
            ("path -- (-- --)", "("),
            ("path -- check (-- --)+", "("),
            ("path --(check wtm)", "wtm"),
            ("path (-- {--})", "--"),
        ] {
            let code = if place == "wtm" { "E0105" } else { "E0109" };
            refuse(text, code, place);
        }
        refuse("path ()", "E0104", "()");
        refuse("path -- legal --", "E0401", "legal");
        refuse("path -- countmoves --", "E0401", "countmoves");
        refuse("path -- currentmove countmoves --", "E0401", "countmoves");
        refuse("path -- not --", "E0403", "--");
        refuse("path -- comment(--(to))", "E0403", "--");
        refuse("path focus A-- --", "E0403", "--");
    }
}
