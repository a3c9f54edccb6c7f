//! Completions after words that are not followed by a filter, but by a result, a move, a name or a
//! parameter of the header.

use std::collections::HashSet;

use syntax::builtin::Keyword;
use syntax::token::{Symbol, Token, TokenKind};
use syntax::{SourceId, Span};

use crate::completion::{Completion, CompletionKind};
use crate::expected::Trial;
use crate::names::NameKind;
use crate::words::filled;
use crate::{Document, words};

/// A template and a short description.
type Proposal = (&'static str, &'static str);

const RESULTS: &[Proposal] = &[("1-0", "White won"), ("0-1", "Black won"), ("1/2-1/2", "a draw")];

/// Played moves, and moves that are not played.
const PLAYED: &[Proposal] = &[
    ("--", "any move"),
    ("[x]", "any capture"),
    ("--(o-o)", "short castling"),
    ("--(o-o-o)", "long castling"),
    ("${1:A}--${2:.}", "a move of a piece to a square"),
];
const POSSIBLE: &[Proposal] = &[
    ("--", "any move"),
    ("--(${1:check})", "a move after which this holds"),
    ("${1:A}--${2:.}", "a move of a piece to a square"),
];

const LOOP: &[Proposal] = &[
    ("${1:x} in ${2:A} {${3:check}}", "a name, a set, and what is asked"),
    ("all ${1:x} in ${2:A} {${3:check}}", "the same of all members of the set"),
];

const RAYS: &[Proposal] = &[
    ("(${1:R} ${2:k})", "a straight line between two sets"),
    ("attack (${1:R} ${2:k})", "a line from a piece that moves along it"),
    ("up (${1:R} ${2:k})", "a line to higher ranks"),
    ("down (${1:R} ${2:k})", "a line to lower ranks"),
    ("left (${1:R} ${2:k})", "a line to the a-file"),
    ("right (${1:R} ${2:k})", "a line to the h-file"),
    ("horizontal (${1:R} ${2:k})", "a line along a rank"),
    ("vertical (${1:R} ${2:k})", "a line along a file"),
    ("orthogonal (${1:R} ${2:k})", "a line along a rank or file"),
    ("diagonal (${1:B} ${2:k})", "a slanting line"),
];

/// Tags that games often have.
const TAGS: &[Proposal] = &[
    ("\"Annotator\"", "who commented the game"),
    ("\"Opening\"", "the name of the opening"),
    ("\"PlyCount\"", "the number of half moves"),
    ("\"Termination\"", "how the game ended"),
    ("\"TimeControl\"", "the time for the moves"),
    ("\"${1:Name}\"", "any tag"),
];

const SIDES: &[Proposal] = &[("white", "of White"), ("black", "of Black")];

/// Returns the proposals for the text after a keyword.
fn after(keyword: Keyword) -> &'static [Proposal] {
    match keyword {
        Keyword::Result => RESULTS,
        Keyword::Currentmove | Keyword::Previous => PLAYED,
        Keyword::Legal | Keyword::Pseudolegal | Keyword::Reverse => POSSIBLE,
        Keyword::Countmoves => &[
            ("legal --", "the legal moves"),
            ("legal --(${1:check})", "the legal moves after which this holds"),
            ("pseudolegal --", "those that may leave the king in check, too"),
            ("--", "the moves that were played"),
        ],
        Keyword::Piece | Keyword::Square => LOOP,
        Keyword::Player | Keyword::Elo => SIDES,
        Keyword::Ray => RAYS,
        Keyword::Tag => TAGS,
        Keyword::Local | Keyword::Persistent => &[("dictionary ${1:D}", "a dictionary")],
        _ => &[],
    }
}

const HEADER: &[Proposal] = &[
    ("input ${1:games.pgn}", "the games"),
    ("output ${1:found.pgn}", "where the games are written"),
    ("gamenumber ${1:1} ${2:100}", "only games with these numbers"),
    ("matchcount ${1:1} ${2:100}", "only games with so many matching positions"),
    ("sort matchcount ${1:1} ${2:100}", "the same, sorted by the number of positions"),
    ("result ${1:1-0}", "only games that ended so"),
    ("matchstring \"${1:CQL}\"", "the mark of a matching position"),
    ("quiet", "without automatic comments"),
    ("silent", "no comments at all"),
    ("variations", "searches variations, too"),
];

impl Document {
    /// Returns the proposals after the word before `word`; none if a filter may follow it, or
    /// nothing.
    pub(crate) fn proposals_after_word(&self, word: Span) -> Vec<Completion> {
        let tokens = &self.lexed().tokens;
        let mut next = tokens.partition_point(|token| token.span.start < word.start);
        // the quotation mark before the word
        let quote = next.checked_sub(1).map(|at| &tokens[at]);
        let is_quote = |token: &Token| {
            matches!(token.kind, TokenKind::String(_)) && token.span.start + 1 == word.start
        };
        next -= usize::from(quote.is_some_and(is_quote));
        let before = |back: usize| next.checked_sub(back).map(|at| &tokens[at]);
        let Some(last) = before(1).filter(|last| last.span.end <= word.start) else {
            return Vec::new();
        };
        let proposal = |(template, sentence): (&str, &str)| Completion {
            label: filled(template),
            kind: CompletionKind::Keyword,
            detail: "",
            sentence: sentence.to_owned(),
            template: template.to_owned(),
            span: word,
            rank: 0,
        };
        let keyword = words::keyword_of(&last.kind);
        if keyword == Some(Keyword::Dictionary) {
            let names = self.missing_dictionaries(last.span.end);
            let names = names.iter().map(|name| {
                let mut found = proposal((name, "used in this query"));
                found.kind = CompletionKind::Dictionary;
                found
            });
            let any = proposal(("${1:D}", "a name"));
            return names.chain([any]).collect();
        }
        let found = keyword.map_or(&[][..], after);
        let is_in_header = self.is_in_header(word.start);
        if !found.is_empty() || !is_in_header {
            return found.iter().copied().map(proposal).collect();
        }
        let trial = Trial::behind(&self.text()[..word.start as usize]);
        let fitting = HEADER.iter().copied();
        let fitting = fitting.filter(|(template, _)| trial.admits(&filled(template)));
        let named = fitting.map(|one| {
            let is_of_word = |c: char| c == ' ' || c.is_ascii_lowercase();
            let words = one.0.split(|c| !is_of_word(c)).next().unwrap_or_default();
            Completion { label: words.trim_end().to_owned(), ..proposal(one) }
        });
        named.collect()
    }

    /// Returns the part of a result before an offset, if `result` precedes it, perhaps with a
    /// quotation mark.
    pub(crate) fn result_before(&self, offset: usize) -> Option<Span> {
        let text = &self.text()[..offset];
        let start =
            text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '/')).len();
        let before = text[..start].strip_suffix('"').unwrap_or(&text[..start]).trim_end();
        let tokens = &self.lexed().tokens;
        let next = tokens.partition_point(|token| (token.span.end as usize) <= before.len());
        let last = &tokens[next.checked_sub(1)?];
        let is_result = last.span.end as usize == before.len()
            && words::keyword_of(&last.kind) == Some(Keyword::Result);
        (is_result && before.len() < start).then(|| Span::new(SourceId(0), start, offset))
    }

    /// Whether an offset is in the parentheses of the header.
    pub(crate) fn is_in_header(&self, at: u32) -> bool {
        let [cql, open, ..] = &self.lexed().tokens[..] else {
            return false;
        };
        let close = self.end_of_header();
        cql.kind == TokenKind::Keyword(Keyword::Cql)
            && open.kind == TokenKind::Symbol(Symbol::OpenParen)
            && open.span.end <= at
            && close.is_none_or(|close| at <= close.span.start)
    }

    /// Returns the names used as dictionaries, in the order of their first use, without those that
    /// are declared elsewhere than after the word that ends at `word`.
    fn missing_dictionaries(&self, word: u32) -> Vec<&str> {
        let tokens = &self.lexed().tokens;
        let next = tokens.partition_point(|token| token.span.start < word);
        let next = tokens.get(next).map(|token| token.span);
        let names = self.names().all.iter();
        let dictionaries =
            names.filter(|name| name.kind == NameKind::Dictionary && Some(name.definition) != next);
        let mut known: HashSet<&str> = dictionaries.map(|name| name.text.as_str()).collect();
        let pairs = tokens.windows(2);
        let used = pairs.filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
            (TokenKind::Name(name), TokenKind::Symbol(Symbol::OpenBracket)) => Some(name.as_str()),
            _ => None,
        });
        used.filter(|name| known.insert(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::parse_sample;

    #[test]
    fn what_is_proposed_can_stand_there() {
        for keyword in Keyword::ALL {
            for (template, _) in after(*keyword) {
                let more = match keyword {
                    Keyword::Elo => " > 2500",
                    Keyword::Player => " \"Tal\"",
                    _ => "",
                };
                let text = format!("cql(variations) {} {}{more}", keyword.text(), filled(template));
                let parsed = parse_sample(&text);
                assert_eq!(parsed.diagnostics, [], "{text}");
            }
        }
        for (template, _) in HEADER {
            let text = format!("cql({}) true", filled(template));
            assert_eq!(parse_sample(&text).diagnostics, [], "{text}");
        }
    }
}
