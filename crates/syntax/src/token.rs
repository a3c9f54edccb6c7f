//! Tokens of a query text.

use crate::builtin::Keyword;
use crate::designator::Designator;
use crate::span::Span;

/// A token, with facts about the white space before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// Kind of the token.
    pub kind: TokenKind,
    /// Span of the token.
    pub span: Span,
    /// Whether white space or a comment precedes the token directly, or the text begins here.
    pub space_before: bool,
    /// Whether that white space contains a blank line, which ends a `path`.
    pub blank_line_before: bool,
}

/// The kinds of tokens. Both spellings of a token (ASCII and Unicode) give the same kind.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    /// Decimal digits, wrapped to 32 bits (negative results are refused by the lexer).
    Integer(i32),
    /// `{n}` `{n,}` `{,m}` `{n,m}`.
    Repetition {
        /// Least number of times.
        min: u32,
        /// Greatest number of times; 100000 where left open.
        max: u32,
    },
    /// A reserved word, or its Unicode sign (`⊢` = path, `◎` = focus, `∙` = currentposition,
    /// `✵` = flip, `⬓` = flipcolor).
    Keyword(Keyword),
    /// Any other word.
    Name(String),
    /// A quoted string without its quotes, or `\n` `\r` `\t` `\"` `\\` outside of quotes.
    String(Vec<u8>),
    /// `\3`, `\{name}`: the text of a capture group.
    Group(Group),
    /// `\-3`, `\-{name}`: the place of a capture group.
    GroupIndex(Group),
    /// A piece designator such as `Ra1-8`.
    Designator(Designator),
    /// `[Aa]` or `◭` glued to a following name: declares a piece variable.
    PieceDeclaration,
    /// `1-0`, `0-1` or `1/2-1/2`.
    Result(GameResult),
    /// Punctuation and operators.
    Symbol(Symbol),
    /// `///` that opens a comment filter.
    TripleSlash,
    /// The end of the line that `///` opened.
    TripleSlashEnd,
    /// `input FILE`, with the file name.
    Input(String),
    /// `output FILE`, with the file name.
    Output(String),
}

/// A capture group of a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Group {
    /// A group by its number; 0 is the whole match.
    Number(u8),
    /// A group by its name.
    Name(Box<str>),
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Group::Number(number) => write!(f, "{number}"),
            Group::Name(name) => write!(f, "{{{name}}}"),
        }
    }
}

/// Result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 3] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];

    /// Returns the result as written in a PGN file.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

impl Symbol {
    /// Whether the symbol compares two values, as `<` does.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Symbol::Equal
                | Symbol::NotEqual
                | Symbol::Less
                | Symbol::LessEqual
                | Symbol::Greater
                | Symbol::GreaterEqual
        )
    }

    /// Whether the symbol can only stand between two filters, as `|` and `<` do.
    pub(crate) const fn is_infix(self) -> bool {
        self.is_comparison()
            || matches!(
                self,
                Symbol::Assign
                    | Symbol::Intersect
                    | Symbol::Union
                    | Symbol::Arrow
                    | Symbol::BackArrow
                    | Symbol::Match
                    | Symbol::Plus
                    | Symbol::Slash
                    | Symbol::Percent
                    | Symbol::Comma
            )
    }
}

macro_rules! symbols {
    ($($(#[$doc:meta])* $variant:ident $text:literal,)*) => {
        /// Punctuation and operators, each with both of its spellings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Symbol { $($(#[$doc])* $variant,)* }

        impl Symbol {
            /// Returns the ASCII spelling.
            pub const fn text(self) -> &'static str {
                match self { $(Symbol::$variant => $text,)* }
            }

            /// All symbols, in the order in which the lexer tries them.
            pub const ALL: &'static [Symbol] = &[$(Symbol::$variant,)*];
        }
    };
}

symbols! {
    /// `[element]` `∊`
    Element "[element]",
    /// `[forall]` `∀`
    ForAll "[forall]",
    /// `-->`
    LineForward "-->",
    /// `<--`
    LineBackward "<--",
    /// `{*}`
    RepeatAny "{*}",
    /// `{+}`
    RepeatSome "{+}",
    /// `--` `――` (recognised before the other symbols)
    Dash "--",
    /// `[x]` `×`
    CaptureDash "[x]",
    /// `->` `→`
    Arrow "->",
    /// `<-` `←`
    BackArrow "<-",
    /// `~~`
    Match "~~",
    /// `<=` `≤`
    LessEqual "<=",
    /// `>=` `≥`
    GreaterEqual ">=",
    /// `==`
    Equal "==",
    /// `!=` `≠`
    NotEqual "!=",
    /// `+=`
    PlusAssign "+=",
    /// `-=`
    MinusAssign "-=",
    /// `*=`
    TimesAssign "*=",
    /// `/=`
    DivideAssign "/=",
    /// `%=`
    ModuloAssign "%=",
    /// `|=` `∪=`
    UnionAssign "|=",
    /// `&=` `∩=`
    IntersectAssign "&=",
    /// `[<]` `≺`
    Ancestor "[<]",
    /// `[<=]` `≼`
    AncestorEqual "[<=]",
    /// `[>]` `≻`
    Descendant "[>]",
    /// `[>=]` `≽`
    DescendantEqual "[>=]",
    /// `=?`
    AssignNonEmpty "=?",
    /// `[]`
    EmptySet "[]",
    /// `+`
    Plus "+",
    /// `-`
    Minus "-",
    /// `*`
    Star "*",
    /// `/`
    Slash "/",
    /// `=`
    Assign "=",
    /// `>`
    Greater ">",
    /// `<`
    Less "<",
    /// `.` `▦`
    Dot ".",
    /// `(`
    OpenParen "(",
    /// `)`
    CloseParen ")",
    /// `{`
    OpenBrace "{",
    /// `}`
    CloseBrace "}",
    /// `|` `∪`
    Union "|",
    /// `?`
    Question "?",
    /// `:`
    Colon ":",
    /// `#`
    Count "#",
    /// `~`
    Complement "~",
    /// `&` `∩`
    Intersect "&",
    /// `%`
    Percent "%",
    /// `\`
    Backslash "\\",
    /// `,`
    Comma ",",
    /// `[`
    OpenBracket "[",
    /// `]`
    CloseBracket "]",
}
