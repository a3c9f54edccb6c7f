//! Compiles query texts to programs.

mod edits;
mod front;
mod opening;

use std::sync::{Arc, OnceLock};

use ecma_regex::Regex;
use openings::Openings;
use pgn::VariantNames;
use syntax::diagnostic::{Edit, has_errors};
use syntax::dialect::Dialect;
use syntax::lint::{help_for_pattern, lint_player};
use syntax::parse::{Parsed, Source, take_back};
use syntax::tree::{CommentLevel, Header, TransformFamily};
use syntax::{Diagnostic, Lexed, Severity, Span};

use crate::certain::{MISUSE, Misuses};
use crate::limits::Limits;
use crate::lower::Purpose;
use crate::opt;
use crate::program::plan::{GameConditions, PositionScreen};
use crate::program::{BoolFilter, NamedValue, Program, Settings, SourceText, WritingRules};
use front::{Front, LegacyHeader};

/// Default size of the text of a game, in bytes.
pub const OUTPUT_BUFFER: usize = 105_000;

/// Maximum size of the text of a game, in bytes.
pub const LARGEST_OUTPUT_BUFFER: usize = 100_000_000;

/// An expression in CQL that is evaluated wherever the query matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedExpression {
    /// Name of its values.
    pub name: String,
    /// Name of the text in messages.
    pub source: String,
    /// One or several filters; the last one has the value.
    pub text: Vec<u8>,
}

impl NamedExpression {
    fn source(&self) -> Source<'_> {
        Source { name: &self.source, text: &self.text }
    }
}

/// Settings from the caller; they override the header of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct CompileOptions {
    /// Whether variations are searched.
    pub variations: Option<bool>,
    /// Level of the comments that are written.
    pub level: Option<CommentLevel>,
    /// The marker of matching positions; empty for none.
    pub matchstring: Option<Vec<u8>>,
    /// Range of the numbers of games that are searched.
    pub gamenumber: Option<(i32, i32)>,
    /// Required number of matching positions.
    pub matchcount: Option<(i32, i32)>,
    /// Transforms around the whole query, the first outermost.
    pub transforms: Vec<TransformFamily>,
    /// A regular expression that one of the players' names must match.
    pub player: Option<Vec<u8>>,
    /// Required year of the Date tag.
    pub year: Option<(i32, i32)>,
    /// A regular expression for the names of the tags that are written as PGN.
    pub include_tags: Option<Vec<u8>>,
    /// A regular expression for the names of the tags that are not written.
    pub exclude_tags: Option<Vec<u8>>,
    /// Rules for writing into a game.
    pub writing: WritingRules,
    /// Size of the buffer for the text of one game, in bytes. The default is [`OUTPUT_BUFFER`], or
    /// [`LARGEST_OUTPUT_BUFFER`] for queries with the relations of CQL 5, which may number many
    /// positions.
    pub output_buffer: Option<usize>,
    /// Limits of the query.
    pub limits: Limits,
    /// Additional names of variants.
    pub variants: VariantNames,
    /// Names of openings.
    pub openings: Openings,
    /// Expressions to evaluate where the query matches, in CQL 6 whatever the dialect of the query.
    /// They can use the names of a CQL 6 query. No transform applies to them.
    pub values: Vec<NamedExpression>,
    /// The dialect of the query; `None` to detect it from the text.
    pub dialect: Option<Dialect>,
    /// Whether a query of CQL 6 must begin with its header, as in files; otherwise `mate` is a
    /// query.
    pub require_header: bool,
    /// Whether to warn of forms of older versions of CQL 6 as well.
    pub warn_deprecated: bool,
    /// Whether to warn of meanings that a correct query surely does not intend.
    pub lint: bool,
    /// Whether to rewrite the program for speed. Off only to show that it makes no other
    /// difference.
    pub optimize: bool,
    /// Whether only the numbers of matches and the values of columns are used: then the query makes
    /// no comments, and keeps no values of `sort`. Without effect if limits are set, which the
    /// comments may exceed.
    pub only_counts: bool,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions {
            variations: None,
            level: None,
            matchstring: None,
            gamenumber: None,
            matchcount: None,
            transforms: Vec::new(),
            player: None,
            year: None,
            include_tags: None,
            exclude_tags: None,
            writing: WritingRules::default(),
            output_buffer: None,
            limits: Limits::default(),
            variants: VariantNames::default(),
            openings: Openings::default(),
            values: Vec::new(),
            dialect: None,
            require_header: true,
            warn_deprecated: false,
            lint: true,
            optimize: true,
            only_counts: false,
        }
    }
}

/// Result of compiling.
#[derive(Debug)]
pub struct Compiled {
    /// The program; `None` if there are errors.
    pub program: Option<Arc<Program>>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The header of the query, even if there are errors.
    pub header: syntax::tree::Header,
}

/// Compiles a query. `preamble` are filters before it, each a text of its own. The
/// [`SourceId`](syntax::SourceId) of the query is 0, those of the preamble are 1, 2, …, and those of
/// [`CompileOptions::values`] follow.
pub fn compile(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Compiled {
    compile_reading(query, preamble, options, None, Purpose::Program)
}

/// A query that has been read as CQL 6.
#[derive(Debug, Clone, Copy)]
pub struct QueryReading<'a> {
    /// Result of [`syntax::lex()`], if it is known.
    pub lexed: Option<&'a Lexed>,
    /// Result of [`syntax::parse()`], with the header required or not as for the compilation.
    pub parsed: &'a Parsed,
}

/// Returns the diagnostics that [`compile()`] would return. `reading` saves the work of reading the
/// query as CQL 6 again.
pub fn diagnose(
    query: &Source<'_>,
    reading: Option<QueryReading<'_>>,
    options: &CompileOptions,
) -> Vec<Diagnostic> {
    compile_reading(query, &[], options, reading, Purpose::Check).diagnostics
}

fn compile_reading(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &CompileOptions,
    reading: Option<QueryReading<'_>>,
    purpose: Purpose,
) -> Compiled {
    let (mut compiled, parsed) = compile_as_written(query, preamble, options, reading, purpose);
    let errors = compiled.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let n_errors = errors.count();
    // The parser alone has tried the edits of several errors.
    let tried = compiled.diagnostics.iter_mut();
    let tried =
        tried.filter(|d| d.edit.is_some() && (d.severity == Severity::Warning || n_errors == 1));
    let tried: Vec<&mut Diagnostic> = tried.take(MOST_TRIED + 1).collect();
    if tried.len() > MOST_TRIED {
        return compiled;
    }
    for diagnostic in tried {
        let Some((place, text)) = mended(query, preamble, diagnostic) else {
            continue;
        };
        let is_error = diagnostic.severity == Severity::Error;
        let (mut query, mut preamble) = (*query, preamble.to_vec());
        let parsed = parsed.as_deref().filter(|_| is_error);
        let mut reading = parsed.map(|parsed| QueryReading { lexed: None, parsed });
        match place.checked_sub(1) {
            None => query.text = &text,
            Some(place) => (preamble[place].text, reading) = (&text, None),
        }
        let purpose = Purpose::Check;
        let (after, _) = compile_as_written(&query, &preamble, options, reading, purpose);
        if makes_worse(diagnostic, &after, n_errors) {
            take_back(diagnostic);
        } else if is_error {
            join_edits(diagnostic, &after.diagnostics);
        }
    }
    compiled
}

/// Maximum number of edits that are tried; if there are more, all stay as they are.
const MOST_TRIED: usize = 20;

/// The text after the edit that a diagnostic proposes, and its place among the query and the filters
/// before it.
fn mended(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    error: &Diagnostic,
) -> Option<(usize, Vec<u8>)> {
    let edit = error.edit.as_ref()?;
    let place = usize::from(edit.span.source.0);
    let text = std::iter::once(query).chain(preamble).nth(place)?.text;
    let before = text.get(..edit.span.start as usize)?;
    let behind = text.get(edit.span.end as usize..)?;
    Some((place, [before, edit.text.as_bytes(), behind].concat()))
}

/// Makes one edit of that of an error and that of the warning to which it leads, as in
/// `clock white < 1:00`: a number of seconds is not all that is missing.
fn join_edits(error: &mut Diagnostic, after: &[Diagnostic]) {
    let Some(first) = error.edit.as_deref_mut() else {
        return;
    };
    let end = first.span.start + first.text.len() as u32;
    let holds_first = |edit: &Edit| {
        edit.span.source == first.span.source
            && edit.span.start <= first.span.start
            && edit.span.end >= end
    };
    let warning = after.iter().find(|d| {
        matches!(d.code, "W0201" | "W0402" | "W0403" | "W0436")
            && d.edit.as_deref().is_some_and(holds_first)
    });
    if let Some(Diagnostic { edit: Some(second), help, .. }) = warning {
        first.span.start = second.span.start;
        first.span.end += second.span.end - end;
        first.text.clone_from(&second.text);
        let helps = error.help.iter().chain(help).cloned();
        error.help = Some(helps.collect::<Vec<_>>().join("; "));
    }
}

/// Whether the query after an edit has an error that it had not before. The parser has tried the edit
/// of an error, but does not know all errors.
fn makes_worse(edited: &Diagnostic, after: &Compiled, n_errors: usize) -> bool {
    let mut errors = after.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let end = |edit: &Edit| edit.span.start as usize + edit.text.len();
    let end = edited.edit.as_ref().map_or(usize::MAX, |edit| end(edit));
    // A name is reported once, and then its next use. As in `maet and wtn`, an error may also have hidden
    // the next one.
    let is_next = |d: &Diagnostic| {
        d.code == edited.code && (d.message == edited.message || d.span.start as usize >= end)
    };
    errors.clone().count() > n_errors || errors.any(|d| !is_next(d) || d.code == MISUSE)
}

fn compile_as_written(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &CompileOptions,
    reading: Option<QueryReading<'_>>,
    purpose: Purpose,
) -> (Compiled, Option<Arc<Parsed>>) {
    let Front { parts, header, quirks, mut diagnostics, mended } =
        Front::of(query, preamble, options, reading, purpose);
    let Some(parts) = parts else {
        let compiled = Compiled { program: None, diagnostics, header };
        return (compiled, mended);
    };
    let settings = match settings(&header, quirks, options) {
        Ok(settings) => settings,
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            let compiled = Compiled { program: None, diagnostics, header };
            return (compiled, mended);
        }
    };
    if let Some(pattern) = options.player.as_ref().filter(|_| options.lint) {
        diagnostics.extend(lint_player("-player", pattern));
    }
    let arenas = parts.arenas;
    let sources: Vec<SourceText> = std::iter::once(*query)
        .chain(preamble.iter().copied())
        .chain(options.values.iter().map(NamedExpression::source))
        .map(|source| SourceText { name: source.name.to_owned(), text: source.text.to_vec() })
        .collect();
    let mut misuses = parts.checked.unwrap_or_else(|| {
        let mut misuses = Misuses::default();
        misuses.note(&arenas, parts.root);
        misuses
    });
    if settings.chooses_games() {
        misuses.may_not_be_reached();
    }
    diagnostics.extend(misuses.diagnostics(&sources, options.require_header));
    if purpose == Purpose::Check {
        let compiled = Compiled { program: None, diagnostics, header };
        return (compiled, mended);
    }
    let values = options.values.iter().zip(parts.values);
    let mut program = Program {
        bools: arenas.bools,
        sets: arenas.sets,
        nums: arenas.nums,
        texts: arenas.texts,
        positions: arenas.positions,
        dashes: arenas.dashes,
        paths: arenas.paths,
        places: arenas.places,
        root: parts.root,
        values: values
            .map(|(expression, value)| NamedValue { name: expression.name.clone(), value })
            .collect(),
        guard: Vec::new(),
        screen: PositionScreen::default(),
        wide_screen: PositionScreen::default(),
        game_conditions: GameConditions::default(),
        ranking: None,
        unscreened: Vec::new(),
        finders: Vec::new(),
        variables: parts.variables,
        dictionaries: parts.dictionaries,
        sorts: parts.sorts,
        echo_plans: Vec::new(),
        n_sort_filters: parts.n_sort_filters,
        n_paths: parts.n_paths,
        n_trackers: parts.n_trackers,
        uses_files: parts.uses_files,
        shared: parts.shared,
        sorted: parts.sorted,
        saves_positions: parts.saves_positions,
        settings,
        sources,
        similar_file: parts.similar_file,
        similar: OnceLock::new(),
    };
    let is_relation = |filter: &BoolFilter| matches!(filter, BoolFilter::Relation(_));
    if options.output_buffer.is_none() && program.bools.iter().any(is_relation) {
        program.settings.output_buffer = LARGEST_OUTPUT_BUFFER;
    }
    if options.optimize {
        opt::optimize(&mut program);
    }
    let failed = has_errors(&diagnostics);
    let compiled = Compiled { program: (!failed).then(|| Arc::new(program)), diagnostics, header };
    (compiled, mended)
}

fn settings(
    header: &Header,
    quirks: LegacyHeader,
    options: &CompileOptions,
) -> Result<Settings, Box<Diagnostic>> {
    let regex = |option: &str, pattern: &Option<Vec<u8>>| match pattern {
        Some(pattern) => Regex::new(pattern).map(Some).map_err(|malformed| {
            let message = format!("{option}: malformed regular expression: {malformed}");
            let error = Diagnostic::error("E0504", Span::OF_OPTION, message);
            Box::new(match help_for_pattern(pattern, malformed.at) {
                Some(help) => error.with_help(help),
                None => error,
            })
        }),
        None => Ok(None),
    };
    let matchstring = options.matchstring.clone();
    let matchstring = matchstring.or_else(|| header.matchstring.clone());
    let only_counts = options.only_counts && options.limits == Limits::default();
    let level = options.level.or(header.level).unwrap_or_default();
    Ok(Settings {
        variations: options.variations.unwrap_or(header.variations),
        level: if only_counts { CommentLevel::Silent } else { level },
        only_counts,
        matchstring: matchstring.map_or_else(|| b"CQL".as_slice().into(), Arc::from),
        gamenumber: options.gamenumber.or(header.gamenumber),
        matchcount: options.matchcount.or(header.matchcount),
        sort_matchcount: header.sort_matchcount,
        matchcount_first: quirks.matchcount_first,
        results: header.results.clone(),
        player: regex("-player", &options.player)?,
        year: options.year,
        include_tags: regex("-includetagpattern", &options.include_tags)?,
        exclude_tags: regex("-excludetagpattern", &options.exclude_tags)?,
        writing: WritingRules {
            no_header: options.writing.no_header || quirks.no_header,
            ..options.writing
        },
        output_buffer: options.output_buffer.unwrap_or(OUTPUT_BUFFER),
        limits: options.limits.clone(),
        variants: options.variants.clone(),
        openings: options.openings.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The diagnostics of a query, which are equal whether or not a program is made.
    fn wrong(text: &str) -> Vec<Diagnostic> {
        let query = Source { name: "query", text: text.as_bytes() };
        let mut options = CompileOptions::default();
        options.limits.filters = 100;
        let found = |purpose| compile_reading(&query, &[], &options, None, purpose).diagnostics;
        let wrong = found(Purpose::Check);
        assert_eq!(wrong, found(Purpose::Program), "{text}");
        wrong
    }

    #[test]
    fn filters_that_are_gone_are_found_fault_with() {
        let codes = |text: &str| -> Vec<&str> { wrong(text).iter().map(|d| d.code).collect() };
        assert_eq!(codes("cql()\n3"), [MISUSE]);
        assert_eq!(codes("cql()\ntrue\ncomment(1)\n3\n4"), [MISUSE]);
        assert_eq!(codes("cql()\n{true 3}\n4"), [MISUSE]);
        assert_eq!(codes("cql()\nmate\n3\nwtm\n\"a\""), ["W0401", "W0401"]);
        // Dropped filters count as well.
        let many = "flip { Ka1 Qb2 }\n".repeat(10);
        assert_eq!(codes(&format!("cql()\n{many}")), ["E0903"; 8]);
        assert!(codes("cql()\nflip { Ka1 Qb2 }").is_empty());
    }

    #[test]
    fn texts_by_themselves_that_are_positions_become_filters() {
        let board = "8/8/8/8/8/8/8/K1k5";
        for (text, mended) in [
            (format!("terminal \"{board}\""), format!("fen \"{board}\"")),
            ("wtm \"1.e4 e5\"".to_owned(), "san \"1.e4 e5\"".to_owned()),
        ] {
            let found = wrong(&format!("cql()\n{text}"));
            let edit = found[0].edit.as_ref().map(|edit| &*edit.text);
            assert_eq!((found[0].code, edit), ("W0401", Some(&*mended)), "{text}");
        }
    }

    #[test]
    fn a_value_by_itself_becomes_the_filter_that_is_meant() {
        for (text, mended) in [
            ("year == 1999 or 2000", Some("year == 2000")),
            ("player \"Tal\" \"Euwe\"", Some("player \"Euwe\"")),
            ("opening \"Ruy\" or \"Dutch Defense\"", Some("opening \"Dutch Defense\"")),
            ("not player \"Tal\" \"Euwe\"", None),
            ("flipcolor player white \"Tal\" \"Euwe\"", None),
            ("mate or player \"Tal\" \"Euwe\"", None),
            ("castle white", Some("wtm")),
            ("castle black", Some("btm")),
            ("move 10", Some("movenumber == 10")),
        ] {
            let found = wrong(&format!("cql()\nwtm {text}"));
            let edit = found[0].edit.as_ref().map(|edit| &*edit.text);
            assert_eq!((found[0].code, edit), ("W0401", mended), "{text}");
        }
    }

    #[test]
    fn a_year_after_date_is_answered() {
        let found = wrong("cql()\nwtm date 2020");
        assert!(found[0].help.as_deref().is_some_and(|help| help.contains("`year == 2020`")));
    }

    #[test]
    fn frequent_tags_are_answered_by_their_names() {
        for name in pgn::FREQUENT_TAGS {
            let found = wrong(&format!("cql()\n{name} == \"x\""));
            let help = found[0].help.as_deref().unwrap_or_default();
            assert!(!help.is_empty() && help != syntax::parse::UNASSIGNED, "{name}: {help}");
        }
    }
}
