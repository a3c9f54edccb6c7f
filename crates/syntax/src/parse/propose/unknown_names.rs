//! Reports unknown names, with what others mean by them.

use std::ops::Range;

use super::operators::{NO_SUCH_SQUARE, has_no_such_square};
use super::properties::{Property, month, property};
use super::route::piece_and_squares;
use super::words::{self, concept, near_concept, synonym};
use crate::builtin::{Keyword, Nullary, Regular};
use crate::diagnostic::Diagnostic;
use crate::library::Theme;
use crate::parse::error::code;
use crate::parse::mend::{
    Mend, Proposal, UNASSIGNED, capture, help_for_capture, is_designator, outcome,
};
use crate::parse::names::Entity;
use crate::parse::parser::Parser;
use crate::san;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};

/// Returns a proposal for what an unknown name at a token means together with its neighbors, and the
/// token after them.
type Proposer = fn(&Parser<'_>, usize) -> Option<Proposal>;

/// Proposals for properties of games with a value, the first that fits.
const OF_VALUES: &[Proposer] = &[
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
    |parser, at| parser.mend_of_opponents(at),
];

/// Proposals for other words, the first that fits.
const OF_WORDS: &[Proposer] = &[
    |parser, at| parser.mend_of_stipulation(at),
    |parser, at| parser.mend_of_option(at),
    |parser, at| parser.mend_of_mated(at),
    |parser, at| parser.mend_of_mating_piece(at),
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
        let at = self.pos.checked_sub(1).filter(|&at| self.span_at(at) == span);
        let first_of = |proposers: &[Proposer]| {
            let (mend, end) = proposers.iter().find_map(|mend| mend(self, at?))?;
            Some((mend.onto(diagnostic.clone()), end))
        };
        let half: &[Proposer] = &[|parser, at| parser.mend_of_half_squares(at)];
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
            Some(TokenKind::Symbol(Symbol::OpenParen)) => {
                let word = at.checked_sub(2).and_then(|at| self.keyword_at(at));
                matches!(word, Some(Keyword::Comment | Keyword::Message))
            }
            _ => false,
        };
        let is_side = words::side(name).is_some();
        let is_named = self.is_string_at(at + 1);
        let is_of_text = match before {
            Some(TokenKind::Keyword(
                Keyword::White | Keyword::Black | Keyword::Originalcomment | Keyword::Hascomment,
            )) => true,
            Some(TokenKind::String(_)) => self.just_after(at - 1, Keyword::Tag).is_some(),
            _ => is_text || self.newer_word(at.checked_sub(1)?) == Some(Keyword::Opening),
        };
        if is_named && is_of_text && words::is_comparing(name) {
            let is_whole = self.string_at(at + 1).is_some_and(|text| text.contains('%'));
            if is_whole || words::is_of_patterns(name) || words::is_of_ends(name) {
                return self.mend_of_comparing(at);
            }
            let mut gap = span;
            (gap.start, gap.end) = (self.span_at(at - 1).end, self.span_at(at + 1).start);
            let help = "the text stands after the word, and may be a part of the value";
            return Some(Mend::edit(help, gap, " "));
        }
        if self.is_known(name) || is_side && is_named {
            return None;
        }
        let is_date =
            matches!(before, Some(TokenKind::Keyword(Keyword::Date | Keyword::Eventdate)));
        if is_date && let Some(month) = month(name) {
            let (date, last) = match self.digits_at(at + 1) {
                None => (format!(".{month:02}."), at),
                Some(year) if year.len() == 4 => (format!("{year}.{month:02}"), at + 1),
                Some(_) => {
                    let help = "dates are written yyyy.mm.dd, such as `date \"1992.07.30\"`";
                    return Some(Mend::advice(help));
                }
            };
            let text = format!("\"{date}\"");
            let help = format!("dates have numbers, and the year first: {text}");
            return Some(Mend::edit(help, self.tokens(at, last), text));
        }
        let help = format!("write a text in double quotes: `\"{name}\"`");
        let text = || is_text.then(|| Mend::edit(help, span, format!("\"{name}\"")));
        self.mend_of_player(at, name).or_else(text)
    }

    /// Returns a proposal for a name at `at` that is a part of a move in another notation.
    fn mend_of_notation(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        // as in `path Qx--`
        if let Some(left) = name.strip_suffix('x').filter(|left| is_designator(left))
            && !self.is_known(name)
        {
            let is_dash = self.symbol_at(at + 1) == Some(Symbol::Dash) && !self.space_at(at + 1);
            let text = format!("{left}[x]");
            let help = format!("a capture is written with brackets: `{text}`");
            return Some(Mend::edit(help, self.tokens(at, at + usize::from(is_dash)), text));
        }
        if name == "x" && at > 0 && self.is_designator_at(at - 1) && self.is_designator_at(at + 1) {
            let left = self.whole_text_at(at - 1);
            let text = capture(&left, &self.whole_text_at(at + 1));
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
            return Some(if self.is_dash_at(at + 1) && !self.space_at(at + 1) {
                Mend::edit(help, span, piece)
            } else {
                Mend::advice(help)
            });
        }
        if name == "O" && self.symbol_at(at + 1) == Some(Symbol::Minus) {
            let is_long = self.symbol_at(at + 3) == Some(Symbol::Minus);
            let (text, to, last) =
                if is_long { ("o-o-o", "c1", at + 4) } else { ("o-o", "g1", at + 2) };
            let is_sign = self.mark_at(last + 1) == Some("(mate)");
            if is_sign || self.keyword_at(last + 1) == Some(Keyword::Mate) {
                let text = format!("{text} child:mate");
                let help = format!("the position after castling is `child`: `{text}`");
                return Some(Mend::edit(help, self.tokens(at, last + 1), text));
            }
            let whole = self.tokens(at, last);
            if self.is_designator_at(last + 1) {
                // as in `O-O-O g4 h4`, whose squares are meant as moves
                return Some(Mend::advice(format!(
                    "castling is written with small letters, `{text}`; moves that follow each \
                     other are the parts of a `path`: `path Ke1--{to} --* P--g4`"
                )));
            }
            // as in `mate O-O`, where castling led to the position
            if self.just_after(at, Keyword::Mate).is_some() {
                let text = format!("parent:{text}");
                let help = format!("the position before is `parent`: `mate {text}`");
                return Some(Mend::edit(help, whole, text));
            }
            let help = format!(
                "castling is written with small letters: `{text}` of either side, `Ke1--{to}` that of \
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
        // The article in `not a draw` would be a black piece.
        let article = at.checked_sub(1).filter(|&at| self.is_article_at(at));
        let span = article.map_or(span, |at| self.span_at(at).to(span));
        if text == Some(Keyword::Castle.text()) && before == Some(Keyword::Not) {
            let help = "`castle` is true where castling is played, so `not castle` is nearly \
                        everywhere; `initial not find castle` finds games without castling";
            return Some(Mend::advice(help));
        }
        Some(Mend::of_synonym(help, text, span))
    }

    /// Whether `a` or `an` at `at` stands before a word of English.
    fn is_article_at(&self, at: usize) -> bool {
        matches!(&*self.lower_at(at), "a" | "an") && self.space_at(at + 1)
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
        self.is_word_at(at).then(|| self.lower_at(at))
    }

    /// Returns a proposal for `motif(fork)`, whose first word is at `at`, and the token after it.
    fn mend_of_theme(&self, at: usize) -> Option<Proposal> {
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
    pub(in crate::parse) fn mend_of_piece_theme(&self, at: usize) -> Option<Proposal> {
        let word = |at: usize| self.lower_word_at(at);
        let both = |first: usize| Theme::named(&(word(first)? + &word(first + 1)?));
        let before = at.checked_sub(1).and_then(|first| Some((both(first)?, first)));
        let next = || both(at).or_else(|| Theme::named(&word(at + 1)?));
        let is_loop = self.keyword_at(at + 2) == Some(Keyword::In);
        let (theme, first) = before.or_else(|| Some((next()?, at))).filter(|_| !is_loop)?;
        Some((mend_to_theme(theme, self.tokens(first, first + 1)), first + 2))
    }

    /// Returns a proposal for an option of the program in a query, whose name is at `at`: `mate --limit 3`,
    /// and the token after it.
    fn mend_of_option(&self, at: usize) -> Option<Proposal> {
        /// Names of options that are often written without dashes.
        const OPTIONS: &[&str] = &["limit", "sample", "threads", "columns", "output"];
        let name = self.name_at(at)?;
        let has_dash = at.checked_sub(1).is_some_and(|dash| {
            let is_first = dash == 0 || self.space_at(dash);
            is_first && self.symbol_at(dash) == Some(Symbol::Dash) && !self.space_at(at)
        });
        let number = self.digits_at(at + 1);
        let value = number.as_deref().unwrap_or("…");
        (has_dash && name.len() > 1 || number.is_some() && OPTIONS.contains(&name)).then(|| {
            let help = format!(
                "that is no filter: an option stands outside of the query and its quotes, as \
                 `--{name} {value}`"
            );
            (Mend::advice(help), at + 1)
        })
    }

    /// Returns a proposal for a name at `at` with a capital letter that is compared with a text, and
    /// may be a tag.
    fn mend_of_tag(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        let is_compared = matches!(
            self.symbol_at(at + 1),
            Some(Symbol::Equal | Symbol::NotEqual | Symbol::Match)
        );
        let is_text = self.is_string_at(at + 2);
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
        let text = format!("tag \"{name}\"");
        let help = format!("the value of a tag is `{text}`");
        (is_compared && is_text && is_name).then(|| Mend::edit(help, span, text))
    }

    /// Returns a proposal for several words around `at` that have a meaning together, and the token
    /// after them.
    fn mend_of_words(&self, at: usize) -> Option<Proposal> {
        const MOST: usize = 4;
        let ranges = (2..=MOST).rev().flat_map(|n| {
            let starts = (0..n).filter_map(|before| at.checked_sub(before));
            starts.map(move |first| first..first + n)
        });
        // as in `elo white over`, whose color belongs to the word before it
        let mut ranges = ranges
            .filter(|range| range.clone().all(|at| self.is_word_at(at)))
            .filter(|range| self.first_of_word(range.start) == range.start);
        ranges.find_map(|range| self.mend_of_joined(range))
    }

    /// Returns a proposal for several words that have a meaning if they are joined, and the token after
    /// them.
    fn mend_of_joined(&self, range: Range<usize>) -> Option<Proposal> {
        let (first, last) = (range.start, range.end - 1);
        let words = range.clone().map(|at| self.text_at(at));
        let joined = words.collect::<String>().to_ascii_lowercase();
        let before = first.checked_sub(1);
        let side = before.and_then(|at| self.keyword_at(at));
        let side = side.filter(|word| matches!(word, Keyword::White | Keyword::Black));
        // `path s` has this word already, and `lastposition` only stands inside of a path.
        let is_new = |word: &Keyword| {
            *word != Keyword::Lastposition
                && !range.clone().any(|at| self.keyword_at(at) == Some(*word))
        };
        let one = Keyword::from_text(&joined).or_else(|| in_other_number(&joined));
        // as in `passed pawn`
        if let Some(word) = one.filter(is_new) {
            return self.mend_of_one_word(word, first, last, side);
        }
        // A word that joins filters is no part of a misspelled one: `check or castling`. Nor is `on` in
        // `checkmate on`.
        let is_apart = |at: usize| match self.keyword_at(at) {
            Some(keyword) => matches!(keyword, Keyword::Or | Keyword::And | Keyword::Not),
            None => self.name_at(at).is_some_and(words::is_of_sentences),
        };
        let concept = concept(&joined);
        let may_be_misspelled = concept.is_none() && !range.clone().any(is_apart);
        let Some((help, text)) = words::phrase(&joined, may_be_misspelled) else {
            return Some((Mend::advice(concept?), last + 1));
        };
        // as in `white castled long`
        if let Some(side) = side
            && let Some(castling @ ("o-o" | "o-o-o" | "castle")) = text
        {
            let to_move = if side == Keyword::White { "wtm" } else { "btm" };
            let help = format!(
                "`initial find {{{to_move} {castling}}}` finds the games in which this side castles so"
            );
            return Some((Mend::advice(help), last + 1));
        }
        // The words of a sentence before it stay: `white has bishop pair`.
        let article = before.filter(|&at| self.is_article_at(at));
        let word = before.filter(|_| article.is_none()).and_then(|at| self.name_at(at));
        let is_alone = word.is_none_or(|word| !words::is_of_sentences(word));
        let text = text.filter(|_| is_alone);
        let span = self.tokens(article.unwrap_or(first), last);
        Some((Mend::of_synonym(help, text, span), last + 1))
    }

    /// Returns a proposal for a word of the language that is written as several, from `first` to `last`,
    /// after the color `side`, and the token after it: `passed pawn`, `white isolated pawns on d4`.
    fn mend_of_one_word(
        &self,
        keyword: Keyword,
        first: usize,
        last: usize,
        side: Option<Keyword>,
    ) -> Option<Proposal> {
        let word = keyword.text();
        let are_pawns =
            matches!(keyword.regular(), Some(Regular::Nullary(Nullary::PawnStructure(_))));
        let square = self.square_at(last + 1).map(|square| (square, last + 1));
        let place = square.or_else(|| self.place_after(last + 1));
        if !are_pawns || side.is_none() && place.is_none() {
            return self.propose(format!("that is one word: `{word}`"), first, last, word);
        }
        let (first, pawns) = match side {
            Some(Keyword::White) => (first - 1, "P"),
            Some(_) => (first - 1, "p"),
            None => (first, ""),
        };
        let (square, end) = place.unwrap_or((String::new(), last));
        let text = format!("{word} & {pawns}{square}");
        let help = format!("the pawns that are in both sets are `{text}`");
        self.propose(help, first, end, text)
    }

    /// Returns a proposal for `promotion to a knight`, whose first word is at `at`, and the last of its
    /// tokens.
    fn mend_of_promoted(&self, at: usize) -> Option<Proposal> {
        self.name_at(at).filter(|name| words::is_promotion(name))?;
        let to = at + 1 + usize::from(matches!(&*self.text_at(at + 1), "to" | "into"));
        let last = to + usize::from(matches!(&*self.text_at(to), "a" | "an"));
        let piece = words::promotion(self.name_at(last)?)?;
        let text = format!("--={piece}");
        let help = format!("a pawn is promoted to this piece by the move `{text}`");
        self.propose(help, at, last, text)
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
