//! Query texts → programs.

use std::sync::{Arc, OnceLock};

use syntax::builtin::Reads;

use ecma_regex::Regex;
use pgn::VariantNames;
use syntax::diagnostic::has_errors;
use syntax::dialect::{Dialect, Ground, recognize};
use syntax::lint::{deprecated, lint};
use syntax::parse::{ParseOptions, Source, parse_with_values, take_back};
use syntax::tree::{CommentLevel, Header, Query, SortVariable, TransformFamily, Type};
use syntax::{Diagnostic, Severity, SourceId, Span};

use crate::certain::{self, MISUSE};
use crate::guard;
use crate::limits::Limits;
use crate::lower::cql5::lower_cql5;
use crate::lower::{self, Parts, lower};
use crate::opt;
use crate::program::plan::Screen;
use crate::program::{
    BoolFilter, NamedValue, NumFilter, Program, SetFilter, Settings, SourceText, TextFilter, Value,
    WritingRules,
};
use crate::similar::SimilarIndex;

/// How many bytes the text of a game may have if nothing else is said.
pub const OUTPUT_BUFFER: usize = 105_000;

/// How many it may have at most.
pub const LARGEST_OUTPUT_BUFFER: usize = 100_000_000;

/// An expression in CQL that is evaluated wherever the query matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedExpression {
    /// What its values are called.
    pub name: String,
    /// What messages call the text.
    pub source: String,
    /// One or several filters; the last one has the value.
    pub text: Vec<u8>,
}

impl NamedExpression {
    fn source(&self) -> Source<'_> {
        Source {
            name: &self.source,
            text: &self.text,
        }
    }
}

/// How the games that a program is evaluated on may be divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// At will: what is found in parts, one behind the other, is what is found in the whole.
    PerGame,
    /// At will, but what is found in parts must be merged by the keys of the sort.
    Mergeable(Cause),
    /// Not at all: they must be evaluated one after the other.
    Sequential(Cause),
}

/// Why a program has its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// As a part of a sentence: lower case, no full stop.
    pub what: &'static str,
    /// Where the query says so, if it is one word of it.
    pub span: Option<Span>,
}

/// What the caller says besides the query; where it speaks, the header of the query is silent.
#[derive(Debug, Clone, PartialEq)]
pub struct CompileOptions {
    /// Searches variations, too (or does not).
    pub variations: Option<bool>,
    /// How much is written into comments.
    pub level: Option<CommentLevel>,
    /// The marker of matching positions; empty: none.
    pub matchstring: Option<Vec<u8>>,
    /// Only games with a number in the range.
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
    /// One for those that are not.
    pub exclude_tags: Option<Vec<u8>>,
    /// What may be written into a game.
    pub writing: WritingRules,
    /// Size of the buffer of the text of one game, in bytes. What is not said is
    /// [`OUTPUT_BUFFER`]; for queries with the relations of CQL 5, which may number many
    /// positions, [`LARGEST_OUTPUT_BUFFER`].
    pub output_buffer: Option<usize>,
    /// How much the query may take.
    pub limits: Limits,
    /// What else variants are called.
    pub variants: VariantNames,
    /// Expressions to evaluate where the query matches, in CQL 6 whatever the dialect of the
    /// query. They know the names of a CQL 6 query. No transform applies to them.
    pub values: Vec<NamedExpression>,
    /// The dialect of the query; told from its text where nothing is said.
    pub dialect: Option<Dialect>,
    /// Whether a query of CQL 6 must begin with its header, as in files; else `mate` is one.
    pub require_header: bool,
    /// Warns of forms of older versions of CQL 6 as well.
    pub warn_deprecated: bool,
    /// Rewrites the program for speed. Off only to show that it makes no other difference.
    pub optimize: bool,
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
            values: Vec::new(),
            dialect: None,
            require_header: true,
            warn_deprecated: false,
            optimize: true,
        }
    }
}

/// What compiling yields.
#[derive(Debug)]
pub struct Compiled {
    /// Absent where there are errors.
    pub program: Option<Arc<Program>>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The header of the query, errors or not.
    pub header: syntax::tree::Header,
}

/// Compiles a query. `preamble` are filters in front of it, each a text of its own; their
/// [`SourceId`]s are 1, 2, …, that of the query 0; those of [`CompileOptions::values`] follow.
pub fn compile(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Compiled {
    let mut compiled = compile_as_written(query, preamble, options);
    let errors = compiled.diagnostics.iter_mut();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    if let (Some(error), None) = (errors.next(), errors.next())
        && let Some(text) = mended(query, error)
    {
        let mended = Source {
            text: &text,
            ..*query
        };
        if is_misused(&compile_as_written(&mended, preamble, options)) {
            take_back(error);
        }
    }
    compiled
}

/// The query as an edit of it would have it.
fn mended(query: &Source<'_>, error: &Diagnostic) -> Option<Vec<u8>> {
    let edit = error.edit.as_ref()?;
    if edit.span.source != SourceId(0) {
        return None;
    }
    let before = query.text.get(..edit.span.start as usize)?;
    let behind = query.text.get(edit.span.end as usize..)?;
    Some([before, edit.text.as_bytes(), behind].concat())
}

/// Whether a query that the parser takes is certain to go wrong: an edit that leads there replaces
/// one error by another, which the parser, who has tried it, cannot know.
fn is_misused(compiled: &Compiled) -> bool {
    compiled.diagnostics.iter().any(|d| d.code == MISUSE)
}

fn compile_as_written(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &CompileOptions,
) -> Compiled {
    let (dialect, ground) = match options.dialect {
        Some(dialect) => (dialect, Ground::Pragma),
        None => recognize(query.text),
    };
    let Front {
        parts,
        header,
        quirks,
        mut diagnostics,
    } = match (dialect, ground) {
        (Dialect::Classic, _) => classic(query, preamble, options),
        (Dialect::Cql5, Ground::Shared) => {
            let front = cql6(query, preamble, options);
            match front.parts {
                Some(_) => front,
                None => Some(cql5(query, preamble, options))
                    .filter(|other| other.parts.is_some())
                    .unwrap_or(front),
            }
        }
        // the words that told it may be names in CQL 6
        (Dialect::Cql5, Ground::Form) => {
            let mut front = cql5(query, preamble, options);
            match front.parts {
                Some(_) => front,
                None => {
                    let other = cql6(query, preamble, options);
                    if other.parts.is_some() || n_errors(&other) < n_errors(&front) {
                        other
                    } else {
                        mention_cql5(&mut front.diagnostics);
                        front
                    }
                }
            }
        }
        (Dialect::Cql5, _) => cql5(query, preamble, options),
        (Dialect::Cql6, Ground::Pragma) => cql6(query, preamble, options),
        (Dialect::Cql6, _) => {
            let mut front = cql6(query, preamble, options);
            // Texts in front of the query are always CQL 6.
            let in_query =
                |d: &Diagnostic| d.severity == Severity::Error && d.span.source == SourceId(0);
            if front.parts.is_none()
                && front.diagnostics.iter().any(in_query)
                && syntax::cql5::parse(query.text, max_depth(options)).is_ok()
            {
                suggest_cql5(&mut front.diagnostics);
            }
            front
        }
    };
    let Some(parts) = parts else {
        return Compiled {
            program: None,
            diagnostics,
            header,
        };
    };
    let settings = match settings(&header, quirks, options) {
        Ok(settings) => settings,
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            return Compiled {
                program: None,
                diagnostics,
                header,
            };
        }
    };
    let arenas = parts.arenas;
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
            .map(|(expression, value)| NamedValue {
                name: expression.name.clone(),
                value,
            })
            .collect(),
        guard: Vec::new(),
        screen: Screen::default(),
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
        sources: std::iter::once(*query)
            .chain(preamble.iter().copied())
            .chain(options.values.iter().map(NamedExpression::source))
            .map(|source| SourceText {
                name: source.name.to_owned(),
                text: source.text.to_vec(),
            })
            .collect(),
        similar_file: parts.similar_file,
        similar: OnceLock::new(),
    };
    let is_relation = |filter: &BoolFilter| matches!(filter, BoolFilter::Relation(_));
    if options.output_buffer.is_none() && program.bools.iter().any(is_relation) {
        program.settings.output_buffer = LARGEST_OUTPUT_BUFFER;
    }
    diagnostics.extend(certain::misuse(&program));
    if options.optimize {
        opt::optimize(&mut program);
        program.guard = guard::conditions_of_the_game(&program);
    }
    let failed = has_errors(&diagnostics);
    Compiled {
        program: (!failed).then(|| Arc::new(program)),
        diagnostics,
        header,
    }
}

/// What type a value has that is wanted of positions that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// Whether a filter matches.
    Boolean,
    /// A number.
    Number,
    /// Text, in bytes.
    Text,
    /// A set of squares.
    Squares,
    /// A position.
    Position,
}

/// What the front end of a dialect makes of a query.
struct Front {
    /// Absent where the text has errors.
    parts: Option<Parts>,
    header: Header,
    quirks: Quirks,
    diagnostics: Vec<Diagnostic>,
}

/// What the header of an older dialect means and that of CQL 6 cannot say.
#[derive(Debug, Clone, Copy, Default)]
struct Quirks {
    /// No `Game number N`.
    no_header: bool,
    /// The number of matching positions is the first of the sort keys.
    matchcount_first: bool,
}

/// How deep filters may be nested.
fn max_depth(options: &CompileOptions) -> u32 {
    u32::try_from(options.limits.nesting).unwrap_or(u32::MAX)
}

fn cql6(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Front {
    let parse_options = ParseOptions {
        variations: options.variations,
        max_depth: max_depth(options),
        require_header: options.require_header,
    };
    let values: Vec<Source<'_>> = options.values.iter().map(NamedExpression::source).collect();
    let parsed = parse_with_values(query, preamble, &values, &parse_options);
    let header = parsed.query.header.clone();
    let mut diagnostics = parsed.diagnostics;
    if has_errors(&diagnostics) {
        return Front {
            parts: None,
            header,
            quirks: Quirks::default(),
            diagnostics,
        };
    }
    diagnostics.extend(warnings(
        &texts_of(query, preamble),
        &values,
        &parsed.query,
        options,
    ));
    if options.warn_deprecated {
        diagnostics.extend(deprecated(query.text, &parsed.query));
    }
    let lowered = lower(&parsed.query, &options.transforms, &options.limits);
    diagnostics.extend(lowered.diagnostics);
    Front {
        parts: Some(lowered.parts),
        header,
        quirks: Quirks::default(),
        diagnostics,
    }
}

fn texts_of<'q>(query: &Source<'q>, preamble: &[Source<'q>]) -> Vec<&'q [u8]> {
    std::iter::once(query)
        .chain(preamble)
        .map(|source| source.text)
        .collect()
}

/// What the query and the filters in front of it say and surely do not mean.
fn warnings(
    texts: &[&[u8]],
    values: &[Source<'_>],
    query: &Query,
    options: &CompileOptions,
) -> Vec<Diagnostic> {
    let values: Vec<&[u8]> = values.iter().map(|source| source.text).collect();
    lint(texts, &values, query, &options.transforms)
}

/// Filters of the command line are in CQL 6 whatever the dialect of the query: they must match
/// wherever a list does.
fn classic(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Front {
    let parsed = syntax::classic::parse(SourceId(0), query.text, max_depth(options));
    let mut diagnostics = parsed.diagnostics;
    let everywhere = Source {
        name: query.name,
        text: b"cql() true",
    };
    let no_transforms = CompileOptions {
        transforms: Vec::new(),
        ..options.clone()
    };
    let front = cql6(&everywhere, preamble, &no_transforms);
    diagnostics.extend(front.diagnostics);
    let lowered = front
        .parts
        .filter(|_| !has_errors(&diagnostics))
        .map(|parts| {
            let options = lower::classic::Options {
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
    Front {
        parts,
        header,
        quirks: Quirks::default(),
        diagnostics,
    }
}

/// As in the classic dialect, filters of the command line are in CQL 6.
fn cql5(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Front {
    let parsed = syntax::cql5::parse(query.text, max_depth(options));
    let header = cql5_header(&parsed.query.header);
    let quirks = Quirks {
        no_header: parsed.query.header.silent,
        matchcount_first: true,
    };
    let everywhere = Source {
        name: query.name,
        text: b"cql() true",
    };
    let parse_options = ParseOptions {
        variations: Some(options.variations.unwrap_or(header.variations)),
        max_depth: max_depth(options),
        ..ParseOptions::default()
    };
    let values: Vec<Source<'_>> = options.values.iter().map(NamedExpression::source).collect();
    let in_front = parse_with_values(&everywhere, preamble, &values, &parse_options);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(in_front.diagnostics);
    if !has_errors(&diagnostics) {
        let texts = texts_of(&everywhere, preamble);
        diagnostics.extend(warnings(&texts, &values, &in_front.query, options));
    }
    let parts = (!has_errors(&diagnostics)).then(|| {
        let mut around = in_front.query;
        let lowered = lower_cql5(
            &mut around,
            &parsed.query,
            &options.transforms,
            &options.limits,
        );
        diagnostics.extend(lowered.diagnostics);
        lowered.parts
    });
    Front {
        parts,
        header,
        quirks,
        diagnostics,
    }
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
        // the conditions of the game are filters in front of the query
        results: Vec::new(),
        matchstring: Some(b"MATCH".to_vec()),
        level: header.silent.then_some(CommentLevel::Quiet),
    }
}

fn n_errors(front: &Front) -> usize {
    let errors = front.diagnostics.iter();
    errors.filter(|d| d.severity == Severity::Error).count()
}

/// For a text that nothing but its faults tells from CQL 6.
fn suggest_cql5(diagnostics: &mut [Diagnostic]) {
    add_hint(
        diagnostics,
        "this is correct CQL 5: `-dialect cql5` runs it, `cql migrate` translates it",
    );
}

/// For a text that some words of it make CQL 5.
fn mention_cql5(diagnostics: &mut [Diagnostic]) {
    add_hint(
        diagnostics,
        "some words of the query belong to CQL 5, so it is read as such; `-dialect cql6` reads it \
         as CQL 6",
    );
}

/// Adds to the help of the first error.
fn add_hint(diagnostics: &mut [Diagnostic], hint: &str) {
    let first = diagnostics
        .iter_mut()
        .find(|d| d.severity == Severity::Error);
    if let Some(first) = first {
        first.help = Some(match first.help.take() {
            Some(help) => format!("{help}; {hint}"),
            None => hint.to_owned(),
        });
    }
}

fn settings(
    header: &Header,
    quirks: Quirks,
    options: &CompileOptions,
) -> Result<Settings, Box<Diagnostic>> {
    let regex = |option: &str, pattern: &Option<Vec<u8>>| match pattern {
        Some(pattern) => Regex::new(pattern).map(Some).map_err(|message| {
            let span = Span::new(SourceId(0), 0, 0);
            let message = format!("{option}: malformed regular expression: {message}");
            Box::new(Diagnostic::error("E0504", span, message))
        }),
        None => Ok(None),
    };
    let matchstring = options.matchstring.clone();
    let matchstring = matchstring.or_else(|| header.matchstring.clone());
    Ok(Settings {
        variations: options.variations.unwrap_or(header.variations),
        level: options.level.or(header.level).unwrap_or_default(),
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
    })
}

impl Program {
    /// Settings of the run, from header and options.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The numbers of the games that are searched: the first one, and the last one if there is a
    /// limit.
    pub fn game_numbers(&self) -> (u64, Option<u64>) {
        let number = |n| u64::try_from(n).unwrap_or(0);
        match self.settings.gamenumber {
            Some((first, last)) => (number(first).max(1), Some(number(last))),
            None => (1, None),
        }
    }

    /// Whether the game of this number is searched.
    pub fn searches_game(&self, number: u64) -> bool {
        let (first, last) = self.game_numbers();
        number >= first && last.is_none_or(|last| number <= last)
    }

    /// How the games may be divided among runs that know nothing of each other.
    pub fn class(&self) -> Class {
        if let Some(what) = self.sequential_reason() {
            let span = self.shared;
            return Class::Sequential(Cause { what, span });
        }
        match self.sort_directions().is_empty() {
            true => Class::PerGame,
            false => Class::Mergeable(Cause {
                what: "the query sorts the games",
                span: self.sorted,
            }),
        }
    }

    /// Why the games must be evaluated one after the other, if they must.
    pub fn sequential_reason(&self) -> Option<&'static str> {
        if self.variables.iter().any(|v| v.persistent.is_some()) {
            return Some("the query has a persistent variable");
        }
        if self.dictionaries.iter().any(|d| !d.local) {
            return Some("the query has a persistent dictionary");
        }
        self.uses_files.then_some("the query reads or writes files")
    }

    /// The programs that `commandpipe` asks, each once.
    pub fn asked_programs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = (self.texts.iter())
            .filter_map(|filter| match filter {
                TextFilter::CommandPipe(name, ..) => Some(&**name),
                _ => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether an engine is asked.
    pub fn asks_engine(&self) -> bool {
        let is_engine = |filter: &NumFilter| matches!(filter, NumFilter::Engine(..));
        (self.texts.iter()).any(|filter| matches!(filter, TextFilter::Engine(..)))
            || (self.sets.iter()).any(|filter| matches!(filter, SetFilter::Engine(..)))
            || self.nums.iter().any(is_engine)
    }

    /// The name of the PGN file that the query needs before it can run (`similarposition`).
    pub fn required_file(&self) -> Option<String> {
        let (name, _) = self.similar_file.as_ref()?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Takes the contents of the [`required_file`](Program::required_file), once and for all.
    pub fn provide_file(&self, pgn: &[u8]) {
        self.similar
            .get_or_init(|| Arc::new(SimilarIndex::new(pgn)));
    }

    /// Whether a filter asks for the number of games of the input, which whoever evaluates the
    /// program must know then.
    pub fn needs_last_game_number(&self) -> bool {
        self.nums.iter().any(
            |number| matches!(number, NumFilter::Source(word) if word.row().reads == Reads::Run),
        )
    }

    /// The direction of each sort key, `true` for ascending; empty where games keep their order.
    pub fn sort_directions(&self) -> Vec<bool> {
        self.sort_keys(|sort| sort.ascending, false)
    }

    /// The label of each sort key.
    pub fn sort_labels(&self) -> Vec<String> {
        let label = |sort: &SortVariable| String::from_utf8_lossy(&sort.label).into_owned();
        self.sort_keys(label, "matchcount".to_owned())
    }

    /// The type of each sort key: numbers or text.
    pub fn sort_types(&self) -> Vec<ValueType> {
        let value_type = |sort: &SortVariable| match sort.ty {
            Type::String => ValueType::Text,
            _ => ValueType::Number,
        };
        self.sort_keys(value_type, ValueType::Number)
    }

    /// Something of each sort key, the most important first; `of_matchcount` is that of the number
    /// of matching positions.
    pub fn sort_keys<T>(&self, of: impl Fn(&SortVariable) -> T, of_matchcount: T) -> Vec<T> {
        let mut keys: Vec<T> = self.sorts.iter().map(of).collect();
        if let Some(place) = self.place_of_matchcount() {
            keys.insert(place, of_matchcount);
        }
        keys
    }

    /// Names and types of the expressions of [`CompileOptions::values`].
    pub fn values(&self) -> Vec<(&str, ValueType)> {
        let type_of = |value: &Value| match value {
            Value::Bool(_) => ValueType::Boolean,
            Value::Set(_) => ValueType::Squares,
            Value::Num(_) => ValueType::Number,
            Value::Text(_) => ValueType::Text,
            Value::Pos(_) => ValueType::Position,
        };
        self.values
            .iter()
            .map(|named| (named.name.as_str(), type_of(&named.value)))
            .collect()
    }

    /// The place of the number of matching positions among the sort keys, if it is one.
    pub fn place_of_matchcount(&self) -> Option<usize> {
        let place = match self.settings.matchcount_first {
            true => 0,
            false => self.sorts.len(),
        };
        self.settings.sort_matchcount.then_some(place)
    }
}
