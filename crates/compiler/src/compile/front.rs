//! Lowers query texts to typed arenas, with a front end for each dialect, and chooses the front
//! end.

use std::sync::Arc;

use syntax::diagnostic::has_errors;
use syntax::dialect::{Dialect, Ground, recognize};
use syntax::lint::{deprecated, lint};
use syntax::older::lint_older;
use syntax::parse::{ParseOptions, Parsed, Source, parse_with_values};
use syntax::tree::{CommentLevel, Header, Query};
use syntax::{Diagnostic, Lexed, Severity, SourceId};

use super::edits::remove_always_met;
use super::opening::{propose_openings, unknown_openings};
use super::{CompileOptions, NamedExpression, QueryReading};
use crate::lower::cql5::lower_cql5;
use crate::lower::{self, LoweredParts, Purpose, lower};

/// Result of the front end of a dialect.
pub(super) struct Front {
    /// `None` if the text has errors.
    pub(super) parts: Option<LoweredParts>,
    pub(super) header: Header,
    pub(super) quirks: LegacyHeader,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// See [`Parsed::mended`].
    pub(super) mended: Option<Arc<Parsed>>,
}

/// Settings from the header of an older dialect that the header of CQL 6 cannot express.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LegacyHeader {
    /// Whether `Game number N` is left out.
    pub(super) no_header: bool,
    /// Whether the number of matching positions is the first of the sort keys.
    pub(super) matchcount_first: bool,
}

impl Front {
    /// Reads a query in the dialect in which it is written, as far as that can be detected.
    /// `reading` saves the work of reading the query as CQL 6 again.
    pub(super) fn of(
        query: &Source<'_>,
        preamble: &[Source<'_>],
        options: &CompileOptions,
        reading: Option<QueryReading<'_>>,
        purpose: Purpose,
    ) -> Front {
        let cql6 = || match reading {
            Some(reading) => of_tree(query, preamble, options, reading, purpose),
            None => cql6(query, preamble, options, purpose),
        };
        let (dialect, ground) = match options.dialect {
            Some(dialect) => (dialect, Ground::Pragma),
            None => recognize(query.text),
        };
        let mut older = match dialect {
            Dialect::Classic => classic(query, preamble, options),
            Dialect::Cql5 => cql5(query, preamble, options),
            Dialect::Cql6 => {
                let mut front = cql6();
                // Texts before the query are always CQL 6.
                let in_query = |d: &Diagnostic| d.span.source == SourceId(0);
                if ground != Ground::Pragma
                    && front.errors().any(in_query)
                    && syntax::cql5::is_query(query.text, max_depth(options))
                {
                    suggest_cql5(&mut front.diagnostics);
                }
                return front;
            }
        };
        if ground == Ground::Pragma || older.parts.is_some() && ground != Ground::Shared {
            return older;
        }
        let newer = cql6();
        let has = |code: &str| older.errors().any(|error| error.code == code);
        // The words that indicated CQL 5 may be names in CQL 6, or plain English.
        let is_older = match ground {
            // as in `(mate or stalemate)`, without a header
            _ if dialect == Dialect::Classic => !has(NO_MATCH_LIST),
            // as in `knight on d5`
            Ground::English if has(UNKNOWN_IN_CQL5) => false,
            Ground::Form | Ground::English => older.misfit() <= newer.misfit(),
            _ => older.parts.is_some() && newer.parts.is_none(),
        };
        if !is_older {
            return newer;
        }
        if dialect == Dialect::Cql5 {
            mention_cql5(&mut older.diagnostics);
        }
        older
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error)
    }

    /// Measures how badly the dialect explains the text: whether an error does not say how the text is
    /// corrected, and then the number of errors.
    fn misfit(&self) -> (bool, usize) {
        let errors = || self.errors().filter(|error| error.code != SENTENCE);
        (errors().any(|error| error.edit.is_none()), errors().count())
    }
}

/// Code of a list that is no `(match …)` of classic CQL.
const NO_MATCH_LIST: &str = "E0702";

/// Code of a word that CQL 5 does not have.
const UNKNOWN_IN_CQL5: &str = "E0601";

/// Code of a sentence, SQL or JSON, which is a query in no dialect, and which CQL 6 explains.
const SENTENCE: &str = "E0115";

/// Maximum depth of nested filters.
fn max_depth(options: &CompileOptions) -> u32 {
    u32::try_from(options.limits.nesting).unwrap_or(u32::MAX)
}

fn cql6(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &CompileOptions,
    purpose: Purpose,
) -> Front {
    let parse_options = ParseOptions {
        variations: options.variations,
        max_depth: max_depth(options),
        require_header: options.require_header,
    };
    let values: Vec<Source<'_>> = options.values.iter().map(NamedExpression::source).collect();
    let parsed = parse_with_values(query, preamble, &values, &parse_options);
    let reading = QueryReading { lexed: None, parsed: &parsed };
    of_tree(query, preamble, options, reading, purpose)
}

/// Lowers the tree of a query in CQL 6.
fn of_tree(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &CompileOptions,
    QueryReading { lexed, parsed }: QueryReading<'_>,
    purpose: Purpose,
) -> Front {
    let header = parsed.query.header.clone();
    let mut diagnostics = parsed.diagnostics.clone();
    if has_errors(&diagnostics) {
        let texts = texts_of(query, preamble);
        propose_openings(&mut diagnostics, &texts, &options.openings);
        if let Some(mended) = &parsed.mended {
            remove_always_met(&mut diagnostics, mended, &texts);
        }
        return Front {
            parts: None,
            header,
            quirks: LegacyHeader::default(),
            diagnostics,
            mended: parsed.mended.clone(),
        };
    }
    let values: Vec<Source<'_>> = options.values.iter().map(NamedExpression::source).collect();
    let texts = texts_of(query, preamble);
    diagnostics.extend(warnings(&texts, &values, &parsed.query, options, lexed));
    if options.warn_deprecated {
        diagnostics.extend(deprecated(query.text, &parsed.query));
    }
    diagnostics.extend(unknown_openings(&parsed.query, &texts, &options.openings));
    let lowered = lower(&parsed.query, &options.transforms, &options.limits, purpose);
    diagnostics.extend(lowered.diagnostics);
    Front {
        parts: Some(lowered.parts),
        header,
        quirks: LegacyHeader::default(),
        diagnostics,
        mended: None,
    }
}

fn texts_of<'q>(query: &Source<'q>, preamble: &[Source<'q>]) -> Vec<&'q [u8]> {
    std::iter::once(query).chain(preamble).map(|source| source.text).collect()
}

/// Warns of things that the query and the filters before it say and surely do not mean.
fn warnings(
    texts: &[&[u8]],
    values: &[Source<'_>],
    query: &Query,
    options: &CompileOptions,
    lexed: Option<&Lexed>,
) -> Vec<Diagnostic> {
    if !options.lint {
        return Vec::new();
    }
    let values: Vec<&[u8]> = values.iter().map(|source| source.text).collect();
    lint(texts, &values, query, &options.transforms, lexed)
}

/// Lowers a query of the classic dialect. Filters of the command line are in CQL 6 whatever the
/// dialect of the query: they must match wherever a list does.
fn classic(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Front {
    let parsed = syntax::classic::parse(SourceId(0), query.text, max_depth(options));
    let mut diagnostics = parsed.diagnostics;
    let everywhere = Source { name: query.name, text: b"cql() true" };
    let no_transforms = CompileOptions { transforms: Vec::new(), ..options.clone() };
    let front = cql6(&everywhere, preamble, &no_transforms, Purpose::Program);
    if options.lint && !has_errors(&diagnostics) {
        diagnostics.extend(lint_older(query.text, Dialect::Classic));
    }
    diagnostics.extend(front.diagnostics);
    let lowered = front.parts.filter(|_| !has_errors(&diagnostics)).map(|parts| {
        let options = lower::classic::ClassicOptions {
            variations: options.variations,
            transforms: &options.transforms,
            filters: !preamble.is_empty(),
            most_images: options.limits.images,
        };
        lower::classic::lower(&parsed.query, &options, parts)
    });
    let (header, parts) = match lowered {
        Some(lowered) => {
            diagnostics.extend(lowered.diagnostics);
            (lowered.header, Some(lowered.parts))
        }
        None => (Header::default(), None),
    };
    Front { parts, header, quirks: LegacyHeader::default(), diagnostics, mended: None }
}

/// Lowers a query of CQL 5. As in the classic dialect, filters of the command line are in CQL 6.
fn cql5(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Front {
    let parsed = syntax::cql5::parse(query.text, max_depth(options));
    let header = cql5_header(&parsed.query.header);
    let quirks = LegacyHeader { no_header: parsed.query.header.silent, matchcount_first: true };
    let everywhere = Source { name: query.name, text: b"cql() true" };
    let parse_options = ParseOptions {
        variations: Some(options.variations.unwrap_or(header.variations)),
        max_depth: max_depth(options),
        ..ParseOptions::default()
    };
    let values: Vec<Source<'_>> = options.values.iter().map(NamedExpression::source).collect();
    let in_front = parse_with_values(&everywhere, preamble, &values, &parse_options);
    let mut diagnostics = parsed.diagnostics;
    if options.lint && !has_errors(&diagnostics) {
        diagnostics.extend(lint_older(query.text, Dialect::Cql5));
    }
    diagnostics.extend(in_front.diagnostics);
    if !has_errors(&diagnostics) {
        let texts = texts_of(&everywhere, preamble);
        let found = warnings(&texts, &values, &in_front.query, options, None);
        diagnostics.extend(found);
    }
    let parts = (!has_errors(&diagnostics)).then(|| {
        let mut around = in_front.query;
        let lowered = lower_cql5(&mut around, &parsed.query, &options.transforms, &options.limits);
        diagnostics.extend(lowered.diagnostics);
        lowered.parts
    });
    Front { parts, header, quirks, diagnostics, mended: None }
}

fn cql5_header(header: &syntax::cql5::tree::Header) -> Header {
    let range = |range: syntax::cql5::tree::Range| (range.min, range.max);
    Header {
        input: header.input.clone(),
        output: header.output.clone(),
        variations: header.variations,
        gamenumber: header.game_number.map(range),
        // a game without a match is never wanted
        matchcount: header.match_count.map(|r| (r.min.max(1), r.max)),
        sort_matchcount: header.sort_match_count,
        // the conditions on the game are filters before the query
        results: Vec::new(),
        matchstring: Some(b"MATCH".to_vec()),
        level: header.silent.then_some(CommentLevel::Quiet),
    }
}

/// Adds a hint to the errors of a text that nothing else distinguishes from CQL 6.
fn suggest_cql5(diagnostics: &mut [Diagnostic]) {
    add_hint(
        diagnostics,
        "this is correct CQL 5: `-dialect cql5` runs it, `cql migrate` translates it",
    );
}

/// Adds a hint to the errors of a text that is read as CQL 5 because of some words.
fn mention_cql5(diagnostics: &mut [Diagnostic]) {
    // a word that is plainly meant needs no other reading
    if diagnostics.iter().any(|d| d.severity == Severity::Error && d.edit.is_some()) {
        return;
    }
    add_hint(
        diagnostics,
        "some words of the query belong to CQL 5, so it is read as such; `-dialect cql6` reads it \
         as CQL 6",
    );
}

/// Adds a hint to the help of the first error.
fn add_hint(diagnostics: &mut [Diagnostic], hint: &str) {
    let first = diagnostics.iter_mut().find(|d| d.severity == Severity::Error);
    if let Some(first) = first {
        first.help = Some(match first.help.take() {
            Some(help) => format!("{help}; {hint}"),
            None => hint.to_owned(),
        });
    }
}
