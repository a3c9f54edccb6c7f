//! Parses the filter that a token begins: constants, names and prefix operators. Reserved words are
//! passed to the functions that parse their grammar.

use super::error::{ErrorExtent, Failed, Res, code, type_name};
use super::expression::cardinality;
use super::mend::Mend;
use super::parser::Parser;
use crate::builtin::{
    Keyword, Nullary, PositionSource, PositionText, Regular, SetToNumber, Signature, Unary,
};
use crate::diagnostic::Diagnostic;
use crate::level;
use crate::span::Span;
use crate::token::{Group, Symbol, TokenKind};
use crate::tree::{
    DirectionName, Filter, FilterKind, TextSource, TransformFamily, Type, VariableKind,
};

impl Parser<'_> {
    /// Parses a filter without operators around it.
    pub(super) fn primary(&mut self) -> Res<Filter> {
        match self.kind() {
            Some(TokenKind::Name(_)) => self.name_filter(),
            Some(TokenKind::Symbol(symbol)) => {
                let symbol = *symbol;
                self.symbol_filter(symbol)
            }
            Some(TokenKind::Keyword(keyword)) => {
                let keyword = *keyword;
                self.word(keyword)
            }
            Some(TokenKind::PieceDeclaration) => self.declared_piece(),
            Some(TokenKind::TripleSlash) => self.line_comment(),
            Some(_) => self.literal_filter(),
            None => self.expected_filter(),
        }
    }

    /// Parses a filter that begins with a reserved word.
    pub(super) fn word(&mut self, keyword: Keyword) -> Res<Filter> {
        match keyword.regular() {
            Some(regular) => self.regular(regular),
            None => self.keyword_filter(keyword),
        }
    }

    /// Parses a regular word with its operands.
    fn regular(&mut self, regular: Regular) -> Res<Filter> {
        let start = self.eat();
        match regular {
            Regular::Nullary(word) => {
                let filter = self.make(start, word.ty(), FilterKind::Nullary(word));
                match word {
                    Nullary::PositionText(PositionText::Opening | PositionText::OpeningCode) => {
                        self.implicit_search(start, filter)
                    }
                    _ => Ok(filter),
                }
            }
            Regular::Unary(word) => self.unary(start, word),
            Regular::Binary(word) => {
                let Signature { operand, level, value } = word.signature();
                let text = word.row().word;
                let (first, second) = self.two_arguments(text, level)?;
                let first = Box::new(self.require(first, operand, text)?);
                let second = Box::new(self.require(second, operand, text)?);
                Ok(self.make(start, value, FilterKind::Binary(word, first, second)))
            }
        }
    }

    fn unary(&mut self, start: usize, word: Unary) -> Res<Filter> {
        let Signature { operand, level, value } = word.signature();
        let operand = self.operand(word.row().word, level, operand)?;
        let kind = match operand.kind {
            FilterKind::Variable(id)
                if word == Unary::SetToNumber(SetToNumber::PieceId)
                    && self.variable(id).kind == VariableKind::Piece =>
            {
                FilterKind::PieceIdOf(id)
            }
            _ => FilterKind::Unary(word, Box::new(operand)),
        };
        Ok(self.make(start, value, kind))
    }

    fn literal_filter(&mut self) -> Res<Filter> {
        let start = self.pos;
        let (kind, ty) = match self.kind() {
            Some(&TokenKind::Integer(number)) => (FilterKind::Number(number), Type::Numeric),
            Some(TokenKind::String(text)) => (FilterKind::Text(text.clone()), Type::String),
            Some(TokenKind::Group(group)) => (FilterKind::Group(group.clone()), Type::String),
            Some(TokenKind::GroupIndex(group)) => {
                (FilterKind::GroupIndex(group.clone()), Type::Numeric)
            }
            Some(&TokenKind::Designator(designator)) => {
                if designator.squares != 0 && designator.squares != u64::MAX {
                    self.fixed_squares.push(self.here());
                }
                (FilterKind::Designator(designator), Type::Set)
            }
            _ => return self.expected_filter(),
        };
        if let FilterKind::Group(Group::Name(name)) | FilterKind::GroupIndex(Group::Name(name)) =
            &kind
        {
            self.groups.used.push((name.clone(), self.here()));
        }
        self.pos += 1;
        Ok(self.make(start, ty, kind))
    }

    fn symbol_filter(&mut self, symbol: Symbol) -> Res<Filter> {
        let start = self.pos;
        match symbol {
            Symbol::OpenBrace => self.block(),
            Symbol::OpenParen => self.parenthesized(),
            Symbol::Dot => self.word_alone(Type::Set, FilterKind::AllSquares),
            Symbol::EmptySet => self.word_alone(Type::Set, FilterKind::NoSquares),
            Symbol::Complement => {
                // as in `player =~ "X"`, whose `=` has been reported
                let is_second = |at: &usize| self.symbol_at(*at) == Some(Symbol::Assign);
                let sign = start.checked_sub(1).filter(is_second);
                if let Some((_, end)) = sign.and_then(|at| self.mend_of_pattern(at)) {
                    self.pos = end;
                    return Err(Failed);
                }
                if let Some((mend, end)) = self.mend_of_pattern(start) {
                    let message = "`~` before squares is all others; it compares no texts";
                    let span = self.here();
                    self.pos = end;
                    return self.fail_help(code::OPERAND_TYPE, span, message, mend);
                }
                self.pos += 1;
                let operand = self.operand("~", level::ATTACK, Type::Set)?;
                let kind = FilterKind::Complement(Box::new(operand));
                Ok(self.make(start, Type::Set, kind))
            }
            Symbol::Minus => self.minus(),
            Symbol::Count => self.count_filter(),
            Symbol::Dash | Symbol::CaptureDash => self.bare_dash(),
            Symbol::ForAll => self.for_all(),
            _ => self.expected_filter(),
        }
    }

    /// Parses a filter of a single token.
    fn word_alone(&mut self, ty: Type, kind: FilterKind) -> Res<Filter> {
        self.pos += 1;
        Ok(self.make(self.pos - 1, ty, kind))
    }

    /// Parses `-3` or `- E`.
    fn minus(&mut self) -> Res<Filter> {
        let start = self.eat();
        if let Some(&TokenKind::Integer(number)) = self.kind() {
            self.pos += 1;
            let kind = FilterKind::Number(number.wrapping_neg());
            return Ok(self.make(start, Type::Numeric, kind));
        }
        if self.is_minus_of_sets(start) {
            return Err(Failed);
        }
        let operand = self.operand("-", level::COLON, Type::Numeric)?;
        let kind = FilterKind::Negate(Box::new(operand));
        Ok(self.make(start, Type::Numeric, kind))
    }

    /// Reports `-` between two designators. Returns whether there is one.
    #[inline(never)]
    fn is_minus_of_sets(&mut self, at: usize) -> bool {
        let way = at.checked_sub(1).and_then(|first| self.mend_of_way(first));
        let Some((mend, end)) = way.or_else(|| Some((self.mend_of_minus(at)?, at + 2))) else {
            return false;
        };
        let message = "`-` subtracts numbers, found sets of squares";
        let diagnostic = Diagnostic::error(code::OPERAND_TYPE, self.span_at(at), message);
        self.report(mend.onto(diagnostic));
        // The squares belong to this report, and so does the promotion in `Pe7-e8=Q`.
        let is_promotion = self.symbol_at(end) == Some(Symbol::Assign) && !self.space_at(end);
        self.pos = if is_promotion { end + 2 } else { end };
        self.fault = ErrorExtent::Operand;
        true
    }

    /// Parses `#DICTIONARY`, `#SET` or `#STRING`.
    fn count_filter(&mut self) -> Res<Filter> {
        let start = self.eat();
        if let Some(id) = self.dictionary_at(self.pos) {
            self.pos += 1;
            return Ok(self.make(start, Type::Numeric, FilterKind::DictionarySize(id)));
        }
        let operand_start = self.pos;
        let operand = self.operand_of_any_type("#", level::DASH)?;
        if operand.ty == Type::Set {
            let filter = cardinality(operand);
            return Ok(Filter { span: self.span_from(start), ..filter });
        }
        if operand.ty == Type::String {
            let operand = self.operators(operand, operand_start, level::ADD)?;
            let kind = FilterKind::Length(Box::new(operand));
            return Ok(self.make(start, Type::Numeric, kind));
        }
        Err(self.not_counted(start, &operand))
    }

    /// Separate from [`Parser::count_filter`], whose stack frame must stay small because it
    /// recurses.
    #[inline(never)]
    fn not_counted(&mut self, start: usize, operand: &Filter) -> Failed {
        let message =
            format!("`#` needs a set, a string or a dictionary, found {}", type_name(operand.ty));
        let error = Diagnostic::error(code::OPERAND_TYPE, operand.span, message);
        self.report(match self.mend_of_problem(start).or_else(|| self.mend_of_mark(start)) {
            Some(mend) => mend.onto(error),
            None => error,
        });
        Failed
    }

    /// Parses the operand of the prefix `word` before the next token, of any type.
    pub(super) fn operand_of_any_type(&mut self, word: &str, level: u8) -> Res<Filter> {
        if !self.may_start(self.pos) {
            return Err(self.no_operand(word, "a filter"));
        }
        if self.are_moves_after_a_word() {
            return Err(Failed);
        }
        self.expression(level)
    }

    /// Parses the operand of the prefix `word` before the next token.
    pub(super) fn operand(&mut self, word: &str, level: u8, wanted: Type) -> Res<Filter> {
        if !self.may_start(self.pos) {
            return Err(self.no_operand(word, type_name(wanted)));
        }
        let operand = self.expression(level)?;
        self.require(operand, wanted, word)
    }

    /// Whether `#` precedes the previous token.
    fn word_is_counted(&self) -> bool {
        let before = self.pos.checked_sub(2);
        before.is_some_and(|at| self.symbol_at(at) == Some(Symbol::Count))
    }

    /// Separate from the functions that parse operands, whose stack frames must stay small because
    /// they recurse.
    #[inline(never)]
    fn no_operand(&mut self, word: &str, wanted: &str) -> Failed {
        let span = self.here();
        let message = format!("expected {wanted} after `{word}`, found {}", self.found());
        let mend = match self.symbol() {
            Some(Symbol::OpenBracket) => self.mend_of_bracket(self.pos),
            _ if self.keyword() == Some(Keyword::In) => self.mend_of_filter(self.pos),
            // as in `#legal < 3`
            _ if word == "legal" && self.word_is_counted() => {
                let help = "the number of legal moves is `countmoves legal --`";
                Some(Mend::edit(
                    help,
                    self.tokens(self.pos - 2, self.pos - 1),
                    "countmoves legal --",
                ))
            }
            _ if word == "#" => self.pos.checked_sub(1).and_then(|at| self.mend_of_mark(at)),
            _ => None,
        };
        let Some(mend) = mend else {
            return self.report_usage(code::EXPECTED_FILTER, span, message, word);
        };
        self.report(mend.onto(Diagnostic::error(code::EXPECTED_FILTER, span, message)));
        Failed
    }

    /// Reports the operand of `word` and fails if it does not have the required type.
    pub(super) fn require(&mut self, operand: Filter, wanted: Type, word: &str) -> Res<Filter> {
        if operand.ty == wanted {
            return Ok(operand);
        }
        self.wrong_operand(operand.span, operand.ty, wanted, word)
    }

    fn wrong_operand<T>(&mut self, span: Span, found: Type, wanted: Type, word: &str) -> Res<T> {
        let message = format!("`{word}` needs {}, found {}", type_name(wanted), type_name(found));
        let help = match (wanted, found) {
            (Type::Numeric, Type::Set) => "`#S` is the number of squares of a set",
            (Type::Numeric, Type::String) => "`int S` makes a number of a string",
            (Type::String, Type::Numeric | Type::Set) => "`str F` makes a string of a value",
            _ => return self.fail_usage(code::OPERAND_TYPE, span, message, word),
        };
        self.fail_help(code::OPERAND_TYPE, span, message, help)
    }

    fn keyword_filter(&mut self, keyword: Keyword) -> Res<Filter> {
        match keyword {
            Keyword::If => self.if_filter(),
            Keyword::While => self.while_filter(),
            Keyword::Loop => self.prefixed("loop", level::OR, FilterKind::Loop),
            Keyword::Assert => self.prefixed("assert", level::OR, FilterKind::Assert),
            Keyword::Not => self.prefixed("not", level::IN, FilterKind::Not),
            Keyword::Equal => self.equal_filter(),
            Keyword::Sort => self.sort_filter(),
            Keyword::Square => self.square_loop(),
            Keyword::Piece => self.piece_filter(),
            Keyword::String => self.string_loop(),
            Keyword::Function => self.function_definition(),

            Keyword::Persistent => self.persistent(),
            Keyword::Atomic => self.atomic(),
            Keyword::Local | Keyword::Dictionary => self.dictionary_declaration(),
            Keyword::Unbind => self.unbind(),
            Keyword::Isbound | Keyword::Isunbound => self.is_bound(),

            Keyword::Light | Keyword::Dark => self.square_color(keyword),
            Keyword::Ray | Keyword::Xray => self.ray(keyword),
            Keyword::Pin => self.pin(),
            Keyword::Makesquare => self.make_square(),

            Keyword::Max | Keyword::Min => self.extremum(keyword),
            Keyword::Readfile => self.read_file(),
            Keyword::Commandpipe => self.command_pipe(),
            Keyword::Engine => self.engine(),
            Keyword::Ascii => self.ascii(),
            Keyword::Writefile => self.write_file(),
            Keyword::Str | Keyword::Comment => self.str_or_comment(keyword),
            Keyword::Removecomment => self.word_alone(Type::Boolean, FilterKind::RemoveComment),
            Keyword::Currenttransform => {
                let kind = FilterKind::TextSource(TextSource::CurrentTransform);
                self.word_alone(Type::String, kind)
            }
            Keyword::Message => self.message(),

            Keyword::Event
            | Keyword::Site
            | Keyword::Date
            | Keyword::Eventdate
            | Keyword::Eco
            | Keyword::Player => self.tag_word(keyword),
            Keyword::Originalcomment | Keyword::Hascomment => self.original_comment(),
            Keyword::Fen => self.fen(),
            Keyword::Material | Keyword::Endgame | Keyword::Phase => self.named_condition(keyword),
            Keyword::Fenset => self.fen_set(),
            Keyword::Likeness => self.likeness(),
            Keyword::Tag => self.tag(),
            Keyword::Settag => self.set_tag(),
            Keyword::Removetag => self.remove_tag(),
            Keyword::Replace => self.replace(),
            Keyword::Elo => self.elo(),
            Keyword::Result => self.result_filter(),
            Keyword::Similarposition => self.similar_position(),
            Keyword::Hhdb => self.hhdb(),

            Keyword::Curpos => {
                let current = Nullary::PositionSource(PositionSource::CurrentPosition);
                self.regular(Regular::Nullary(current))
            }
            Keyword::Child => self.child(),
            Keyword::Imagine => self.imagine(),
            Keyword::Import => self.import(),
            Keyword::Theme => self.theme(),
            Keyword::Find => self.find(),
            Keyword::Echo => self.echo(),
            Keyword::Consecutivemoves => self.consecutive_moves(),

            Keyword::Currentmove | Keyword::Previous => self.current_move(),
            Keyword::Legal | Keyword::Pseudolegal | Keyword::Reverse => self.legal(),
            Keyword::Countmoves => self.count_moves(),
            Keyword::Move => self.move_filter(),
            Keyword::Path => self.path(),
            Keyword::San => self.score(),
            Keyword::Line => self.line(),

            Keyword::Notransform => self.no_transform(),
            _ => {
                let word = keyword.text();
                if let Some(direction) = DirectionName::from_word(word) {
                    self.direction(direction)
                } else if let Some(family) = TransformFamily::from_word(word) {
                    self.transform(family)
                } else {
                    self.expected_filter()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn constants_have_their_types() {
        check(
            "true false wtm btm check mate stalemate initial terminal mainline variation",
            "true false wtm btm check mate stalemate initial terminal mainline variation",
        );
        check(
            "virtualmainline try nullmove enpassant castle o-o o-o-o primary secondary",
            "virtualmainline try nullmove enpassant castle o-o o-o-o primary secondary",
        );
        check("extension removecomment pathdebug", "extension removecomment pathdebug");
        for word in [
            "from",
            "to",
            "enpassantsquare",
            "connectedpawns",
            "isolatedpawns",
            "doubledpawns",
            "passedpawns",
            "puremate",
            "modelmate",
            "idealmate",
            "purestalemate",
            "modelstalemate",
            "idealstalemate",
            "R",
            "a1",
            ".",
            "[]",
        ] {
            check(&format!("#{word} >0"), &format!("(> (# {word}):n 0):n"));
        }
        for word in [
            "ply",
            "movenumber",
            "depth",
            "positionid",
            "sidetomove",
            "white",
            "black",
            "year",
            "elo",
            "gamenumber",
            "lastgamenumber",
            "pathcount",
            "pathcountunfocused",
        ] {
            check(&format!("{word}>0"), &format!("(> {word} 0):n"));
        }
        for (word, printed) in [
            ("currentposition", "currentposition"),
            ("curpos", "currentposition"),
            ("∙", "currentposition"),
            ("initialposition", "initialposition"),
            ("parent", "parent"),
            ("pathstart", "pathstart"),
            ("pathlastposition", "pathlastposition"),
        ] {
            check(&format!("{word}:R"), &format!("(at {printed} R):s"));
        }
        check("currenttransform==\"<>\"", "(== currenttransform \"<>\"):t");
        check("\\1==\"a\" \\-1==3", "(== \\1 \"a\"):t (== \\-1 3):n");
    }

    #[test]
    fn words_that_are_no_filters_are_refused() {
        for word in [
            "any",
            "title",
            "singlecolor",
            "piecepath",
            "then",
            "else",
            "count",
            "capture",
            "null",
            "variations",
            "quiet",
            "focus",
            "substring",
            "transform",
            "oldline",
            "by",
        ] {
            refuse(word, "E0101", word);
        }
        refuse("1-0", "E0101", "1-0");
        refuse("{3}", "E0101", "{3}");
        refuse("R,P", "E0101", ",");
        refuse("check --> mate", "E0101", "-->");
        refuse("()", "E0104", "()");
        refuse("{}", "E0104", "{}");
        refuse("(R r)", "E0105", "r");
    }

    #[test]
    fn count_takes_sets_strings_and_dictionaries() {
        check("#R|r", "(# (union R r):s):n");
        check("#\"a\"+\"bc\"==3", "(== (length (concatenate \"a\" \"bc\"):t):n 3):n");
        check("dictionary D #D==1", "dictionary-D (== #D 1):n");
        refuse("#check", "E0301", "check");
        refuse("#parent", "E0301", "parent");
        refuse("dictionary D #D[\"a\"]", "E0102", "[");
    }
}
