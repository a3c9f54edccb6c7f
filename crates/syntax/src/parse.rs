//! Builds a typed tree from tokens.
//!
//! CQL's grammar depends on types: an operator is only accepted if the type of its left operand
//! allows it. So a single recursive descent determines types, resolves names and expands functions.
//! `expression` contains the operators and their levels, `primary` finds the filter that a word
//! begins, and each family of filters has its own module. `propose` has the edits for texts that are
//! no CQL.
//!
//! The modules are layers. `parsed`, `stream`, `brackets`, `names`, `error`, `mend` and `usage`
//! are data, from which `parser` makes the state. All others add functions to it. `attempt` calls
//! them, and `trial` calls `attempt` after each proposed edit.
//!
//! Parsing always returns a tree. An error is reported once (`Failed` means that this has been
//! done), the rest of its filter is skipped, and parsing resumes with the next filter at the start
//! of a line.

mod assign;
mod attempt;
mod board;
mod brackets;
mod control;
mod dictionary;
mod error;
mod expression;
mod filters;
mod function;
mod game_data;
mod header;
mod hhdb;
mod imagine;
mod line;
mod material;
mod mend;
mod moves;
mod names;
mod outside;
mod parsed;
mod parser;
mod path;
mod primary;
mod propose;
mod regex;
mod relations;
mod report;
mod resolve;
mod score;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod transform;
mod trial;
mod usage;

pub use assign::assign_op;
use attempt::{Attempt, attempt, attempt_lexed};
pub use error::{is_slip, nearest};
pub use material::sides;
pub use mend::UNASSIGNED;
pub(crate) use mend::date;
pub use parsed::{ParseOptions, Parsed, Source};
pub use propose::{
    AGAINST, Answer, PIECES, SIGNS, SIGNS_OF_VALUES, body_of, have_one_name, mate_in,
    number_in_words, of_player, opposite, plain_title, takes_one_filter, terms,
};
pub(crate) use propose::{
    empty_help, filter_of_value, is_promotion, matching, men, promoted, synonym, way,
};
pub use score::{help_for_moves, in_line, moves_from_start};
pub use theme::{UnknownTheme, theme_named, theme_set, themes_like, words_for_theme};
pub use trial::take_back;

use crate::lex::Lexed;

/// Parses a query. `preamble` contains filters given on the command line, in order. They are parsed
/// with the same names after the header, and form one block before the filters of the query. In
/// spans, the query is source 0, and `preamble[i]` is source `i + 1`.
pub fn parse(query: &Source, preamble: &[Source], options: &ParseOptions) -> Parsed {
    parse_with_values(query, preamble, &[], options)
}

/// Parses a query with expressions that are evaluated where the query matches. They are parsed
/// after it, so that they can use its names; their sources are numbered after those of the
/// preamble.
pub fn parse_with_values(
    query: &Source,
    preamble: &[Source],
    values: &[Source],
    options: &ParseOptions,
) -> Parsed {
    let texts: Vec<&[u8]> =
        std::iter::once(query).chain(preamble).chain(values).map(|source| source.text).collect();
    finished(attempt(&texts, preamble.len(), options), &texts, preamble.len(), options)
}

/// Parses a query without a preamble, given its tokens.
pub fn parse_lexed(query: &Source, lexed: &Lexed, options: &ParseOptions) -> Parsed {
    let texts = [query.text];
    let attempt = attempt_lexed(&texts, std::slice::from_ref(lexed), 0, options);
    finished(attempt, &texts, 0, options)
}

/// Returns what was parsed, with errors and edits that show only when all of it is.
fn finished(
    mut attempt: Attempt,
    texts: &[&[u8]],
    n_in_front: usize,
    options: &ParseOptions,
) -> Parsed {
    propose::unquoted_fen::report_fens(texts, &mut attempt.parsed.diagnostics);
    trial::keep_what_helps(&mut attempt, texts, n_in_front, options);
    propose::sentence::report_sentences(texts, &mut attempt.parsed);
    attempt.parsed
}
