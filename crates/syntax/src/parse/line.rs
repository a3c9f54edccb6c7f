//! Parses `line`, the older form of `path`, whose parts match positions instead of moves.

use super::error::{Res, code, type_name};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::token::{Symbol, TokenKind};
use crate::tree::{
    Filter, FilterKind, Line, LineConstituent, LineItem, Repeat, Type, VariableKind,
};

impl Parser<'_> {
    /// Parses `line [PARAMETERS] --> F --> G …`.
    pub(super) fn line(&mut self) -> Res<Filter> {
        let start = self.eat();
        let outer = std::mem::replace(&mut self.in_line, true);
        let line = self.line_inside(start);
        self.in_line = outer;
        let line = line?;
        let ty = if line.lastposition { Type::Position } else { Type::Numeric };
        Ok(self.make(start, ty, FilterKind::Line(Box::new(line))))
    }

    fn line_inside(&mut self, start: usize) -> Res<Line> {
        let mut line = self.line_parameters()?;
        let arrow = match self.symbol() {
            Some(arrow @ (Symbol::LineForward | Symbol::LineBackward)) => arrow,
            _ => {
                return self.expected_as(
                    code::LINE,
                    "`-->` or `<--` in this line",
                    "write `line --> F --> G`",
                );
            }
        };
        line.flags.forward = arrow == Symbol::LineForward;
        if line.flags.primary && line.flags.secondary {
            return self.fail(
                code::PARAMETER,
                self.last_word(start, &[Keyword::Primary, Keyword::Secondary]),
                "`primary` and `secondary` exclude each other",
            );
        }
        if !line.flags.forward && (line.flags.primary || line.flags.secondary || line.flags.nestban)
        {
            let words = [Keyword::Primary, Keyword::Secondary, Keyword::Nestban];
            return self.fail(
                code::PARAMETER,
                self.last_word(start, &words),
                "a line with `<--` has no `primary`, `secondary` or `nestban`",
            );
        }
        self.pos += 1;
        line.constituents = self.line_constituents(arrow)?;
        if let Some(Symbol::LineForward | Symbol::LineBackward) = self.symbol() {
            return self.fail(
                code::LINE,
                self.here(),
                "all arrows of a line must point in the same direction",
            );
        }
        if let Some(symbol @ (Symbol::Plus | Symbol::Star)) = self.symbol()
            && !self.path_top
        {
            let message = format!(
                "this `{}` repeats nothing, and nothing can be added to a line without braces",
                symbol.text()
            );
            return self.fail_help(
                code::LINE,
                self.here(),
                message,
                "a repetition stands before an arrow or at the end; to add, write `{line --> F}+1`",
            );
        }
        line.index = self.query.n_trackers;
        self.query.n_trackers += 1;
        Ok(line)
    }

    fn line_parameters(&mut self) -> Res<Line> {
        let mut line = Line::default();
        loop {
            let flag = match self.keyword() {
                Some(Keyword::Singlecolor) => &mut line.flags.single_color,
                Some(Keyword::Primary) => &mut line.flags.primary,
                Some(Keyword::Secondary) => &mut line.flags.secondary,
                Some(Keyword::Quiet) => &mut line.flags.quiet,
                Some(Keyword::Nestban) => &mut line.flags.nestban,
                Some(Keyword::Firstmatch) => &mut line.flags.firstmatch,
                Some(Keyword::Lastposition) => &mut line.lastposition,
                _ => {
                    let at = self.pos;
                    match self.range() {
                        None => return Ok(line),
                        Some(_) if line.range.is_some() => {
                            let message = "a line has only one range";
                            return self.fail(code::PARAMETER, self.span_at(at), message);
                        }
                        range => line.range = range,
                    }
                    continue;
                }
            };
            *flag = true;
            self.pos += 1;
        }
    }

    /// Parses `F --> G …` after the first arrow.
    fn line_constituents(&mut self, arrow: Symbol) -> Res<Vec<LineConstituent>> {
        let mut parts = vec![self.line_constituent(arrow)?];
        while self.eat_symbol(arrow) {
            parts.push(self.line_constituent(arrow)?);
        }
        Ok(parts)
    }

    fn line_constituent(&mut self, arrow: Symbol) -> Res<LineConstituent> {
        let start = self.pos;
        let item = if self.is_line_group() {
            self.line_group(arrow)?
        } else {
            if !self.may_start(start) {
                let help = match self.keyword() {
                    Some(keyword) if !keyword.begins_filter() => {
                        "parameters of a line stand before its first arrow"
                    }
                    _ => "write `line --> F --> G`",
                };
                return self.expected_as(
                    code::LINE,
                    format_args!("a filter after `{}`", arrow.text()),
                    help,
                );
            }
            let filter = self.filter()?;
            self.check_line_filter(&filter)?;
            LineItem::Filter(filter)
        };
        let mut part = LineConstituent { item, repeats: Vec::new() };
        loop {
            let at = self.pos;
            let Some(repeat) = self.line_suffix() else {
                return Ok(part);
            };
            if part.may_be_empty() {
                return self.fail(
                    code::LINE,
                    self.span_at(at),
                    "what can match nothing cannot be repeated",
                );
            }
            if part.repeats.last() == Some(&Repeat::Plus)
                && matches!(repeat, Repeat::Plus | Repeat::Times { .. })
            {
                return self.fail(
                    code::LINE,
                    self.span_at(at),
                    "this part of the line is repeated already",
                );
            }
            part.repeats.push(repeat);
        }
    }

    fn line_suffix(&mut self) -> Option<Repeat> {
        let repeat = match *self.kind()? {
            TokenKind::Repetition { min, max } => Repeat::Times { min, max },
            TokenKind::Symbol(Symbol::RepeatAny) => Repeat::Star,
            TokenKind::Symbol(Symbol::RepeatSome) => Repeat::Plus,
            TokenKind::Symbol(Symbol::Question) => Repeat::Optional,
            // directly in a path, they repeat the moves of the path
            TokenKind::Symbol(Symbol::Star | Symbol::Plus) if self.path_top => return None,
            TokenKind::Symbol(Symbol::Star) if self.is_suffix(self.pos) => Repeat::Star,
            TokenKind::Symbol(Symbol::Plus) if self.is_suffix(self.pos) => Repeat::Plus,
            _ => return None,
        };
        self.pos += 1;
        Some(repeat)
    }

    /// Whether parentheses are a group: they contain an arrow, end with a repetition, or contain
    /// nothing but such parentheses.
    fn is_line_group(&self) -> bool {
        let mut open = self.pos;
        if self.symbol() != Some(Symbol::OpenParen) {
            return false;
        }
        let Some(mut close) = self.stream.partner(open) else {
            return false;
        };
        while self.symbol_at(open + 1) == Some(Symbol::OpenParen)
            && self.stream.partner(open + 1) == Some(close - 1)
        {
            open += 1;
            close -= 1;
        }
        let repeated = match self.kind_at(close - 1) {
            Some(TokenKind::Repetition { .. }) => true,
            Some(TokenKind::Symbol(symbol)) => matches!(
                symbol,
                Symbol::Plus
                    | Symbol::Star
                    | Symbol::Question
                    | Symbol::RepeatAny
                    | Symbol::RepeatSome
            ),
            _ => false,
        };
        let mut at = open + 1;
        while at < close && !repeated {
            match self.symbol_at(at) {
                Some(Symbol::LineForward | Symbol::LineBackward) => return true,
                Some(Symbol::OpenBrace | Symbol::OpenBracket) => {
                    at = self.stream.partner(at).map_or(close, |end| end + 1);
                }
                _ => at += 1,
            }
        }
        repeated
    }

    fn line_group(&mut self, arrow: Symbol) -> Res<LineItem> {
        self.depth += 1;
        let members = self.line_group_inside(arrow);
        self.depth -= 1;
        members
    }

    fn line_group_inside(&mut self, arrow: Symbol) -> Res<LineItem> {
        if self.depth > self.max_depth {
            return self.exhaust(code::TOO_DEEP, "groups are nested too deeply here");
        }
        self.pos += 1;
        let members = self.line_constituents(arrow)?;
        if !self.eat_symbol(Symbol::CloseParen) {
            self.leftover()?;
            return self.expected_as(
                code::LINE,
                format_args!("`{}` or `)` in this group of a line", arrow.text()),
                "",
            );
        }
        Ok(LineItem::Group(members))
    }

    fn check_line_filter(&mut self, filter: &Filter) -> Res<()> {
        let bare_number = match &filter.kind {
            FilterKind::Number(_) | FilterKind::Arithmetic(..) | FilterKind::Negate(_) => true,
            FilterKind::Variable(id) => self.variable(*id).kind == VariableKind::Numeric,
            _ => false,
        };
        if !bare_number {
            return Ok(());
        }
        let message = format!("{} alone is no part of a line", type_name(filter.ty));
        self.fail_help(
            code::LINE,
            filter.span,
            message,
            "to add something to the value of a line, put braces around the line",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn constituents() {
        check("line --> check --> mate", "(line --> check mate):n");
        check("line <-- mate <-- R", "(line <-- mate R):n");
        check(
            "line --> (check --> not check){4,6} --> mate",
            "(line --> <check (not check):b>{4,6} mate):n",
        );
        check(
            "line --> (check or mate)* --> (A|a)==3",
            "(line --> (or check mate):b* (== (# (union A a):s):n 3):n):n",
        );
        check("line --> (check+)* --> R", "(line --> <check+>* R):n");
        check("line --> ((check+))* --> R", "(line --> <<check+>>* R):n");
        check("line --> check{2}+", "(line --> check{2,2}+):n");
        check("line --> ply+ --> wtm?", "(line --> ply+ wtm?):n");
        check("line --> ply+1==2 --> wtm", "(line --> (== (+ ply 1):n 2):n wtm):n");
        check(
            "line --> {check or parent:check}+",
            "(line --> (or check (at parent check):b):b+):n",
        );
    }

    #[test]
    fn parameters() {
        check("line singlecolor nestban 5 100 --> R", "(line --> singlecolor nestban 5..100 R):n");
        check("line quiet lastposition --> R", "(line --> quiet lastposition R):p");
        check("line firstmatch secondary 3 --> R", "(line --> secondary firstmatch 3..3 R):n");
        for (text, place) in [
            ("line nestban quiet <-- check", "nestban"),
            ("line primary <-- check", "primary"),
            ("line primary secondary --> check", "secondary"),
            ("line 3 quiet 4 --> check", "4"),
        ] {
            refuse(text, "E0111", place);
        }
    }

    #[test]
    fn wrong_lines_are_refused() {
        for (text, place) in [
            ("line check", "check"),
            ("line -->", ""),
            ("line --> R <-- r", "<--"),
            ("line --> check**", "*"),
            ("line --> check?*", "*"),
            ("line --> check+{2}", "{2}"),
            ("line --> check++", "+"),
            ("line --> (check? --> mate*)*", "*"),
            ("line --> nestban check", "nestban"),
            ("line --> 3", "3"),
            ("x=1 line --> x", "x"),
            ("line --> ply-1", "ply-1"),
            ("line --> (R --> r P)", "P"),
        ] {
            refuse(text, "E0110", place);
        }
        refuse("line --> check wtm --> btm", "E0101", "-->");
        refuse("line --> check+ wtm", "E0110", "+");
        refuse("line --> check +1", "E0110", "+");
    }
}
