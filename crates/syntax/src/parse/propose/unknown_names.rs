//! Reports unknown names, with what others mean by them.

use super::operators::{NO_SUCH_SQUARE, has_no_such_square};
use super::properties::{Property, property};
use super::route::piece_and_squares;
use super::words::{self, concept, near_concept, synonym};
use crate::builtin::{Keyword, Nullary, Regular};
use crate::diagnostic::Diagnostic;
use crate::library::Theme;
use crate::parse::error::code;
use crate::parse::mend::{Mend, UNASSIGNED, capture, help_for_capture, is_designator, outcome};
use crate::parse::names::Entity;
use crate::parse::parser::Parser;
use crate::san;
use crate::seen::{TagComparison, between_codes, is_eco, seen_eco};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};

/// Returns a proposal for what an unknown name at a token means together with its neighbors, and the
/// token after them.
type Proposal = fn(&Parser<'_>, usize) -> Option<(Mend, usize)>;

/// Proposals for properties of games with a value, the first that fits.
const OF_VALUES: &[Proposal] = &[
    |parser, at| parser.mend_of_value(at.checked_sub(1)?),
    |parser, at| parser.mend_of_member(at),
    |parser, at| parser.mend_of_method(at.checked_sub(2)?),
    |parser, at| parser.mend_of_value(at + 1),
    |parser, at| parser.mend_of_column(at, at),
    |parser, at| parser.mend_of_comment(at),
    |parser, at| parser.mend_of_length(at),
    |parser, at| parser.mend_of_theme(at),
    |parser, at| parser.mend_of_both_ratings(at),
    |parser, at| parser.mend_of_word_for_sign(at),
    |parser, at| parser.mend_of_numbers_of_tag(at),
    |parser, at| parser.mend_of_codes(at),
    |parser, at| parser.mend_of_code(at),
    |parser, at| parser.mend_of_opponents(at),
];

/// Proposals for other words, the first that fits.
const OF_WORDS: &[Proposal] = &[
    |parser, at| parser.mend_of_stipulation(at),
    |parser, at| parser.mend_of_option(at),
    |parser, at| parser.mend_of_mated(at),
    |parser, at| parser.mend_of_amount(at),
    |parser, at| parser.mend_of_promoted(at),
    |parser, at| parser.mend_of_place(at.checked_sub(1)?),
    |parser, at| parser.mend_of_empty(at.checked_sub(1)?),
    |parser, at| parser.mend_of_empty(at.checked_sub(2)?),
    |parser, at| parser.mend_of_empty_squares(at),
    |parser, at| parser.mend_of_sides(at),
    |parser, at| parser.mend_of_after(at),
];

impl Parser<'_> {
    /// Reports an unknown name.
    pub(in crate::parse) fn report_unknown(&mut self, name: &str, span: Span, near: Option<&str>) {
        if let Some((mend, end)) = self.mend_of_way_after(name, span) {
            let message = "these are moves as games are written, not filters";
            self.report(mend.onto(Diagnostic::error(code::BOOK_MOVE, span, message)));
            self.pos = end;
            return;
        }
        let diagnostic =
            Diagnostic::error(code::UNKNOWN_NAME, span, format!("unknown name `{name}`"));
        let at = self.pos.checked_sub(1);
        let at = at.filter(|&at| self.span_at(at) == span);
        let first_of = |proposals: &[Proposal]| {
            let (mend, end) = proposals.iter().find_map(|mend| mend(self, at?))?;
            Some((mend.onto(diagnostic.clone()), end))
        };
        let half: &[Proposal] = &[|parser, at| parser.mend_of_half_squares(at)];
        let found = first_of(OF_VALUES)
            .or_else(|| self.move_of_a_book(name, span))
            .or_else(|| first_of(OF_WORDS))
            .or_else(|| first_of(if near.is_none() { half } else { &[] }));
        if let Some((diagnostic, end)) = found {
            self.report(diagnostic);
            self.pos = end;
            return;
        }
        if let Some((mend, end)) = at.and_then(|at| self.mend_of_words(at)) {
            // The other words are covered by this report.
            let others = self.stream.tokens.get(self.pos..end);
            self.names.poison(others.unwrap_or_default());
            self.report(mend.onto(diagnostic));
            // as in `rook endgame`, whose second word begins a filter elsewhere
            if (self.pos..end).any(|at| self.newer_word(at).is_some()) {
                self.pos = end;
            }
            return;
        }
        let mend = self.mend_of_name(name, span).or_else(|| self.mend_of_glued(name, span));
        let mend = mend.unwrap_or_else(|| match near {
            Some(near) => self.mend_of_near(name, span, near),
            None if self.symbol() == Some(Symbol::OpenParen) && !self.space_at(self.pos) => {
                Mend::advice(format!("a function is defined before: `function {name}(x) {{…}}`"))
            }
            None => at
                .and_then(|at| {
                    self.mend_of_tag(at, name, span)
                        .or_else(|| self.mend_of_side(at, name))
                        .or_else(|| self.mend_of_thousands(at, name))
                })
                .unwrap_or_else(|| {
                    Mend::advice(near_concept(name).unwrap_or_else(|| UNASSIGNED.to_owned()))
                }),
        });
        self.report(mend.onto(diagnostic));
    }

    /// Returns a proposal for an unknown name, which is the token before the next one.
    fn mend_of_name(&self, name: &str, span: Span) -> Option<Mend> {
        let at = self.pos.checked_sub(1).filter(|&at| self.span_at(at) == span)?;
        self.mend_of_text(at, name, span)
            .or_else(|| self.mend_of_notation(at, name, span))
            .or_else(|| self.mend_of_meaning(at, name, span))
    }

    /// Returns a proposal for a name at `at` that is or precedes a text.
    fn mend_of_text(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        if let Some(mend) = self.mend_of_call(at) {
            return Some(mend);
        }
        let before = at.checked_sub(1).and_then(|at| self.kind_at(at));
        let is_text = match before {
            // `eco French` is the name of an opening.
            Some(TokenKind::Keyword(Keyword::Eco)) => {
                name.len() == 1 || name.contains(|c: char| c.is_ascii_digit())
            }
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::Event
                    | Keyword::Site
                    | Keyword::Date
                    | Keyword::Eventdate
                    | Keyword::Player
                    | Keyword::Fen
                    | Keyword::Opening
            ),
            Some(TokenKind::Symbol(Symbol::OpenParen)) => matches!(
                at.checked_sub(2).and_then(|at| self.keyword_at(at)),
                Some(Keyword::Comment | Keyword::Message)
            ),
            _ => false,
        };
        let is_side = words::side(name).is_some();
        let is_named = matches!(self.kind_at(at + 1), Some(TokenKind::String(_)));
        let is_of_text = match before {
            Some(TokenKind::Keyword(
                Keyword::White | Keyword::Black | Keyword::Originalcomment | Keyword::Hascomment,
            )) => true,
            Some(TokenKind::String(_)) => {
                at.checked_sub(2).and_then(|at| self.keyword_at(at)) == Some(Keyword::Tag)
            }
            _ => {
                let word = at.checked_sub(1).and_then(|at| self.newer_word(at));
                is_text || word == Some(Keyword::Opening)
            }
        };
        if is_named && is_of_text && words::is_comparing(name) {
            let mut gap = span;
            gap.start = self.span_at(at.checked_sub(1)?).end;
            gap.end = self.span_at(at + 1).start;
            let help = "the text stands after the word, and may be a part of the value";
            let has_sign = |text: &[u8]| text.contains(&b'%');
            let is_part = matches!(self.kind_at(at + 1), Some(TokenKind::String(text)) if !has_sign(text))
                && !words::is_of_patterns(name)
                && !words::is_of_ends(name);
            if !is_part {
                return self.mend_of_comparing(at);
            }
            return Some(Mend::edit(help, gap, " "));
        }
        if let Some(mend) = self.mend_of_player(at, name)
            && !(self.is_known(name) || is_side && is_named)
        {
            return Some(mend);
        }
        if is_text && !self.is_known(name) && !(is_side && is_named) {
            let help = format!("write a text in double quotes: `\"{name}\"`");
            return Some(Mend::edit(help, span, format!("\"{name}\"")));
        }
        None
    }

    /// Returns a proposal for `B90`, `B90-B99` and `eco B90-B99`, whose first code is at `at`, and the
    /// token after it.
    fn mend_of_code(&self, at: usize) -> Option<(Mend, usize)> {
        let before = at.checked_sub(1);
        let eco = before.filter(|&at| self.keyword_at(at) == Some(Keyword::Eco));
        let code = |at: usize| {
            let name = self.name_at(at).filter(|name| !self.is_known(name))?;
            let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
            (name.len() == 3 && (is_capital || eco.is_some())).then_some(name)
        };
        let first = code(at).filter(|code| is_eco(&seen_eco(code), TagComparison::Whole))?;
        let is_range = self.symbol_at(at + 1) == Some(Symbol::Minus);
        let last = Some(at + 2).filter(|_| is_range).and_then(code);
        let range = last.and_then(|last| between_codes(first, last));
        if let Some((eco, range)) = eco.zip(range.as_ref()) {
            let help = format!("codes are texts, and a range is a comparison: `({range})`");
            return Some((
                Mend::edit(help, self.tokens(eco, at + 2), format!("({range})")),
                at + 3,
            ));
        }
        // as in `opening B90` and `x == B90`
        let is_part = before.is_some_and(|before| {
            let is_text = |word| matches!(word, Keyword::Eco | Keyword::Opening);
            let is_sign = |sign: Symbol| sign.is_comparison() || sign == Symbol::Assign;
            self.symbol_at(before).is_some_and(is_sign)
                || self.keyword_at(before).or(self.newer_word(before)).is_some_and(is_text)
        });
        let (end, text) = match range {
            Some(range) => (at + 2, format!("({range})")),
            None => (at, format!("eco \"{first}\"")),
        };
        let help = format!("a code of openings is looked for in the tag of the game: `{text}`");
        (!is_part).then(|| (Mend::edit(help, self.tokens(at, end), text), end + 1))
    }

    /// Returns a proposal for a name at `at` that is a part of a move in another notation.
    fn mend_of_notation(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        let designator = |at| matches!(self.kind_at(at), Some(TokenKind::Designator(_)));
        // as in `path Qx--`
        if let Some(left) = name.strip_suffix('x').filter(|left| is_designator(left))
            && !self.is_known(name)
        {
            let is_dash = self.symbol_at(at + 1) == Some(Symbol::Dash) && !self.space_at(at + 1);
            let text = format!("{left}[x]");
            let help = format!("a capture is written with brackets: `{text}`");
            return Some(Mend::edit(help, self.tokens(at, at + usize::from(is_dash)), text));
        }
        if name == "x" && at.checked_sub(1).is_some_and(designator) && designator(at + 1) {
            let left = self.whole_text_of(self.span_at(at - 1));
            let text = capture(&left, &self.whole_text_of(self.span_at(at + 1)));
            let whole = self.tokens(at - 1, at + 1);
            return Some(Mend::edit(help_for_capture(&text), whole, text));
        }
        if let Some((left, right)) = name.split_once('x')
            && is_designator(left)
            && is_designator(right)
        {
            let text = capture(left, right);
            return Some(Mend::edit(help_for_capture(&text), span, text));
        }
        if let [letter @ b'A'..=b'Z'] = *name.as_bytes()
            && let Some(piece) = san::piece(letter).map(char::from)
        {
            let help = format!("pieces have their English letters: `{piece}`");
            let is_dash =
                |at| matches!(self.symbol_at(at), Some(Symbol::Dash | Symbol::CaptureDash));
            return Some(if is_dash(at + 1) && !self.space_at(at + 1) {
                Mend::edit(help, span, piece)
            } else {
                Mend::advice(help)
            });
        }
        if name == "O" && self.symbol_at(at + 1) == Some(Symbol::Minus) {
            let long = self.symbol_at(at + 3) == Some(Symbol::Minus);
            let text = if long { "o-o-o" } else { "o-o" };
            let last = at + if long { 4 } else { 2 };
            let is_sign = self.mark_at(last + 1) == Some("(mate)");
            if is_sign || self.keyword_at(last + 1) == Some(Keyword::Mate) {
                let text = format!("{text} child:mate");
                let help = format!("the position after castling is `child`: `{text}`");
                return Some(Mend::edit(help, self.tokens(at, last + 1), text));
            }
            let whole = self.tokens(at, last);
            if matches!(self.kind_at(last + 1), Some(TokenKind::Designator(_))) {
                // as in `O-O-O g4 h4`, whose squares are meant as moves
                return Some(Mend::advice(format!(
                    "castling is written with small letters, `{text}`; moves that follow each \
                     other are the parts of a `path`: `path Ke1--{} --* P--g4`",
                    if long { "c1" } else { "g1" }
                )));
            }
            // as in `mate O-O`, where castling led to the position
            if at.checked_sub(1).and_then(|at| self.keyword_at(at)) == Some(Keyword::Mate) {
                let text = format!("parent:{text}");
                let help = format!("the position before is `parent`: `mate {text}`");
                return Some(Mend::edit(help, whole, text));
            }
            let king = if long { "Ke1--c1" } else { "Ke1--g1" };
            let help = format!(
                "castling is written with small letters: `{text}` of either side, `{king}` that of \
                 White"
            );
            return Some(Mend::edit(help, whole, text));
        }
        if let [b'A'..=b'H', b'1'..=b'8'] = name.as_bytes() {
            let help = "squares are written in small letters";
            return Some(Mend::edit(help, span, name.to_ascii_lowercase()));
        }
        let (help, text) = piece_and_squares(name)?;
        Some(Mend::edit(help, span, text))
    }

    /// Returns a proposal for a name at `at` whose meaning is known from other languages or books.
    fn mend_of_meaning(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        if let Some(tag) = words::tag(name) {
            let text = format!("tag \"{tag}\"");
            let help = format!("the value of a tag is `{text}`");
            return Some(Mend::edit(help, span, text));
        }
        let before = at.checked_sub(1).and_then(|at| self.keyword_at(at));
        if let Some(help) = words::side(name)
            && !matches!(before, Some(Keyword::Player | Keyword::Elo))
        {
            return Some(Mend::advice(help));
        }
        if name == "Result" {
            return Some(Mend::advice(
                "the result is found by `result 1-0`, `result 0-1` or `result 1/2-1/2`",
            ));
        }
        if has_no_such_square(name) {
            return Some(Mend::advice(NO_SUCH_SQUARE));
        }
        if let Some(men) = men_of_side(name) {
            // as in `whiteking a1`
            if let Some(square) = self.square_at(at + 1) {
                let text = format!("{men}{square}");
                let help = format!("pieces and squares touch each other: `{text}`");
                return Some(Mend::edit(help, self.tokens(at, at + 1), text));
            }
            return Some(Mend::edit(format!("these pieces are `{men}`"), span, men));
        }
        if let Some(mend) = self.mend_of_outcome(at, name) {
            return Some(mend);
        }
        if matches!(&*name.to_ascii_lowercase(), "win" | "wins" | "won" | "loses" | "lost") {
            let help =
                "White has won where there is `result 1-0`, Black where there is `result 0-1`";
            return Some(Mend::advice(help));
        }
        if synonym(name).is_none()
            && let Some(word) = in_other_number(name).map(Keyword::text)
        {
            let theme = Theme::named(&name.to_ascii_lowercase());
            let theme = theme.map(|theme| format!(" a theme is `theme(\"{}\")`", theme.name()));
            let help = format!("did you mean `{word}`?{}", theme.unwrap_or_default());
            return Some(Mend::edit(help, span, word));
        }
        if let Some(help) = concept(name) {
            return Some(Mend::advice(help));
        }
        let (help, text) = synonym(name)?;
        if text == Some(Keyword::Castle.text()) && before == Some(Keyword::Not) {
            let help = "`castle` is true where castling is played, so `not castle` is nearly \
                        everywhere; `initial not find castle` finds games without castling";
            return Some(Mend::advice(help));
        }
        Some(Mend::of_synonym(help, text, span))
    }

    /// Returns a proposal for `tablebase win`, whose outcome is at `at`.
    fn mend_of_outcome(&self, at: usize, name: &str) -> Option<Mend> {
        let (number, help) = outcome(name)?;
        let before = at.checked_sub(1)?;
        let is_compared = matches!(self.symbol_at(before), Some(Symbol::Equal | Symbol::NotEqual));
        let word = if is_compared { before.checked_sub(1)? } else { before };
        (self.newer_word(word) == Some(Keyword::Tablebase)).then(|| {
            let sign = if is_compared { "" } else { "== " };
            Mend::edit(help, self.span_at(at), format!("{sign}{number}"))
        })
    }

    /// Returns the name or word of the language at `at`, in small letters.
    fn lower_word_at(&self, at: usize) -> Option<String> {
        self.is_word_at(at).then(|| self.text_of(self.span_at(at)).to_ascii_lowercase())
    }

    /// Returns a proposal for `motif(fork)`, whose first word is at `at`, and the token after it.
    fn mend_of_theme(&self, at: usize) -> Option<(Mend, usize)> {
        let open = self.symbol_at(at + 1) == Some(Symbol::OpenParen);
        let value = at + 1 + usize::from(open);
        let last = if open { self.stream.partner(at + 1)? } else { value };
        let is_theme = matches!(property(self.name_at(at)?)?, Property::Theme);
        let is_whole = last == value + usize::from(open);
        let name = match self.string_at(value) {
            Some(name) => name.to_ascii_lowercase(),
            None => self.lower_word_at(value)?,
        };
        let theme = Theme::named(&name).filter(|_| is_theme && is_whole)?;
        Some((mend_to_theme(theme, self.tokens(at, last)), last + 1))
    }

    /// Returns a proposal for the word `piece` at `at` in the name of a theme, as in `hanging piece` and
    /// `piece sacrifice`, and the token after them.
    pub(in crate::parse) fn mend_of_piece_theme(&self, at: usize) -> Option<(Mend, usize)> {
        let word = |at: usize| self.lower_word_at(at);
        let named =
            |name: String, first: usize, last: usize| Some((Theme::named(&name)?, first, last));
        let before = || {
            let first = at.checked_sub(1)?;
            named(word(first)? + &word(at)?, first, at)
        };
        let after = || {
            let next = word(at + 1)?;
            named(word(at)? + &next, at, at + 1).or_else(|| named(next, at, at + 1))
        };
        let is_loop = self.keyword_at(at + 2) == Some(Keyword::In);
        let (theme, first, last) = before().or_else(after).filter(|_| !is_loop)?;
        Some((mend_to_theme(theme, self.tokens(first, last)), last + 1))
    }

    /// Returns a proposal for an option of the program in a query, whose name is at `at`: `mate --limit 3`,
    /// and the token after it.
    fn mend_of_option(&self, at: usize) -> Option<(Mend, usize)> {
        /// Names of options that are often written without dashes.
        const OPTIONS: &[&str] = &["limit", "sample", "threads", "columns", "output"];
        let name = self.name_at(at)?;
        let is_dash = |at: &usize| self.symbol_at(*at) == Some(Symbol::Dash);
        let has_dash = at.checked_sub(1).filter(is_dash).is_some_and(|dash| {
            !self.space_at(at) && (dash == 0 || self.space_at(dash)) && name.len() > 1
        });
        let number = self.digits_at(at + 1);
        let value = number.as_deref().unwrap_or("…");
        (has_dash || number.is_some() && OPTIONS.contains(&name)).then(|| {
            let help =
                "that is no filter: an option stands outside of the query and its quotes, as";
            (Mend::advice(format!("{help} `--{name} {value}`")), at + 1)
        })
    }

    /// Returns a proposal for a name at `at` with a capital letter that is compared with a text, and
    /// may be a tag.
    fn mend_of_tag(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        let is_compared = matches!(
            self.symbol_at(at + 1),
            Some(Symbol::Equal | Symbol::NotEqual | Symbol::Match)
        );
        let is_text = matches!(self.kind_at(at + 2), Some(TokenKind::String(_)));
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
        let text = format!("tag \"{name}\"");
        let help = format!("the value of a tag is `{text}`");
        (is_compared && is_text && is_name).then(|| Mend::edit(help, span, text))
    }

    /// Returns a proposal for several words around `at` that have a meaning together, and the token
    /// after them.
    fn mend_of_words(&self, at: usize) -> Option<(Mend, usize)> {
        const MOST: usize = 4;
        // A word that joins filters is no part of a misspelled one: `check or castling`.
        let joins = |at: usize| {
            let keyword = self.keyword_at(at);
            matches!(keyword, Some(Keyword::Or | Keyword::And | Keyword::Not))
        };
        // Nor is `on` in `checkmate on`.
        let is_of_sentence = |at: usize| self.name_at(at).is_some_and(words::is_of_sentences);
        let may_be_misspelled = |joined: &str, range: &std::ops::Range<usize>| {
            concept(joined).is_none() && !range.clone().any(|at| joins(at) || is_of_sentence(at))
        };
        let of_side = |at: usize| match self.keyword_at(at)? {
            Keyword::White => Some("P"),
            Keyword::Black => Some("p"),
            _ => None,
        };
        let ranges = (2..=MOST).rev().flat_map(|n| {
            let starts = (0..n).filter_map(|before| at.checked_sub(before));
            starts.map(move |first| first..first + n)
        });
        // as in `elo white over`, whose color belongs to the word before it
        let mut ranges = ranges
            .filter(|range| range.clone().all(|at| self.is_word_at(at)))
            .filter(|range| self.first_of_word(range.start) == range.start);
        ranges.find_map(|range| {
            let last = range.end - 1;
            let words = range.clone().map(|at| self.text_of(self.span_at(at)));
            let joined = words.collect::<String>().to_ascii_lowercase();
            let whole = self.tokens(range.start, last);
            // as in `passed pawn`
            let one = Keyword::from_text(&joined).or_else(|| in_other_number(&joined));
            let mend = if let Some(keyword) = one {
                let word = keyword.text();
                let are_pawns =
                    matches!(keyword.regular(), Some(Regular::Nullary(Nullary::PawnStructure(_))));
                // as in `white passed pawn`
                let side = range.start.checked_sub(1).and_then(|at| Some((at, of_side(at)?)));
                let side = side.filter(|_| are_pawns);
                // as in `isolated pawn d4` and `passed pawn on a6`
                let square = self.square_at(last + 1).map(|square| (square, last + 1));
                let place = square.or_else(|| self.place_after(last + 1)).filter(|_| are_pawns);
                if side.is_none() && place.is_none() {
                    Mend::edit(format!("that is one word: `{word}`"), whole, word)
                } else {
                    let (first, pawns) = side.unwrap_or((range.start, ""));
                    let (square, end) = place.unwrap_or((String::new(), last));
                    let text = format!("{word} & {pawns}{square}");
                    let help = format!("the pawns that are in both sets are `{text}`");
                    return Some((Mend::edit(help, self.tokens(first, end), text), end + 1));
                }
            } else if let Some((help, text)) =
                words::phrase(&joined, may_be_misspelled(&joined, &range))
            {
                // as in `white castled long`
                let before = range.start.checked_sub(1);
                let to_move = match before.and_then(|at| self.keyword_at(at)) {
                    Some(Keyword::White) => Some("wtm"),
                    Some(Keyword::Black) => Some("btm"),
                    _ => None,
                };
                if let Some(side) = to_move
                    && let Some(castling @ ("o-o" | "o-o-o" | "castle")) = text
                {
                    let help = format!(
                        "`initial find {{{side} {castling}}}` finds the games in which this side castles so"
                    );
                    return Some((Mend::advice(help), last + 1));
                }
                // The words of a sentence before it stay: `white has bishop pair`.
                let word = before.and_then(|at| self.name_at(at));
                let is_alone = word.is_none_or(|word| !words::is_of_sentences(word));
                Mend::of_synonym(help, text.filter(|_| is_alone), whole)
            } else {
                Mend::advice(concept(&joined)?)
            };
            Some((mend, last + 1))
        })
    }

    /// Returns a proposal for `promotion to a knight`, whose first word is at `at`, and the last of its
    /// tokens.
    fn mend_of_promoted(&self, at: usize) -> Option<(Mend, usize)> {
        self.name_at(at).filter(|name| words::is_promotion(name))?;
        let is_word = |at: usize, words: &[&str]| words.contains(&&*self.text_of(self.span_at(at)));
        let to = if is_word(at + 1, &["to", "into"]) { at + 2 } else { at + 1 };
        let last = if is_word(to, &["a", "an"]) { to + 1 } else { to };
        let piece = words::promotion(self.name_at(last)?)?;
        let text = format!("--={piece}");
        let help = format!("a pawn is promoted to this piece by the move `{text}`");
        Some((Mend::edit(help, self.tokens(at, last), text), last + 1))
    }

    pub(in crate::parse) fn is_known(&self, name: &str) -> bool {
        matches!(
            self.names.get(name),
            Some(Entity::Variable(_) | Entity::Dictionary(_) | Entity::Function(_))
        )
    }
}

/// Returns the proposal that writes a theme as a condition, in place of its name.
fn mend_to_theme(theme: Theme, place: Span) -> Mend {
    let text = format!("theme(\"{}\")", theme.name());
    Mend::edit(format!("a theme is a condition: `{text}`"), place, text)
}

/// Returns the word of the language that is the plural of a name, or its singular: `passedpawns`.
fn in_other_number(name: &str) -> Option<Keyword> {
    let lower = name.to_ascii_lowercase();
    let one = lower.strip_suffix('s').filter(|one| one.len() > 3);
    let word = Keyword::from_text(&format!("{lower}s"));
    word.or_else(|| Keyword::from_text(one?))
}

/// Returns the pieces of one side that a name such as `white_queen` means.
fn men_of_side(name: &str) -> Option<&'static str> {
    let plain = name.to_ascii_lowercase().replace('_', "");
    let (man, letter) = match plain.strip_prefix("white") {
        Some(man) => (man, 1..2),
        None => (plain.strip_prefix("black")?, 2..3),
    };
    words::men(man).map(|both| &both[letter])
}
