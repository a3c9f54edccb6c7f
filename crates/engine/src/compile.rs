//! Query texts → programs.

use std::sync::Arc;

use syntax::parse::{ParseOptions, Source, parse};
use syntax::tree::{CommentLevel, Query, TransformFamily};
use syntax::{Diagnostic, Severity, SourceId, Span};

use crate::certain;
use crate::guard;
use crate::lower::lower;
use crate::opt;
use crate::program::{NumFilter, Program, Settings, SourceText};
use crate::regex::Regex;
use crate::similar::SimilarIndex;

/// What the caller says besides the query; where it speaks, the header of the query is silent.
#[derive(Debug, Clone)]
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
    /// No `Game number N`.
    pub no_header: bool,
    /// `removecomment` does nothing.
    pub no_removecomment: bool,
    /// `settag` does nothing.
    pub no_settag: bool,
    /// Keeps all comments of `sort` arguments, not only those of the best value.
    pub no_sort_comments: bool,
    /// Merges equal texts of one position.
    pub unique_comments: bool,
    /// Comments are kept even if the enclosing filter fails later.
    pub always_comment: bool,
    /// Size of the buffer of the text of one game, in bytes.
    pub output_buffer: usize,
    /// How many steps of loops and searches one game may take.
    pub step_limit: u64,
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
            no_header: false,
            no_removecomment: false,
            no_settag: false,
            no_sort_comments: false,
            unique_comments: true,
            always_comment: false,
            output_buffer: 105_000,
            step_limit: 100_000_000,
            optimize: true,
        }
    }
}

/// What compiling yields.
#[derive(Debug)]
pub struct Compiled {
    /// Absent where there are errors.
    pub program: Option<Program>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The header of the query, errors or not.
    pub header: syntax::tree::Header,
}

/// Compiles a query. `preamble` are filters in front of it, each a text of its own; their
/// [`SourceId`]s are 1, 2, …, that of the query 0.
pub fn compile(query: &Source<'_>, preamble: &[Source<'_>], options: &CompileOptions) -> Compiled {
    let parse_options = ParseOptions {
        variations: options.variations,
        ..ParseOptions::default()
    };
    let parsed = parse(query, preamble, &parse_options);
    let header = parsed.query.header.clone();
    let mut diagnostics = parsed.diagnostics;
    if has_errors(&diagnostics) {
        return Compiled {
            program: None,
            diagnostics,
            header,
        };
    }
    let lowered = lower(&parsed.query, &options.transforms);
    diagnostics.extend(lowered.diagnostics);
    let settings = match settings(&header, options) {
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
    let Query {
        variables,
        dictionaries,
        n_paths,
        n_trackers,
        uses_files,
        ..
    } = parsed.query;
    let arenas = lowered.arenas;
    let mut program = Program {
        bools: arenas.bools,
        sets: arenas.sets,
        nums: arenas.nums,
        texts: arenas.texts,
        positions: arenas.positions,
        dashes: arenas.dashes,
        paths: arenas.paths,
        root: lowered.root,
        guard: Vec::new(),
        variables,
        dictionaries,
        sorts: lowered.sorts,
        echo_plans: Vec::new(),
        n_sort_filters: lowered.n_sort_filters,
        n_paths,
        n_trackers,
        uses_files,
        settings,
        sources: std::iter::once(query)
            .chain(preamble)
            .map(|source| SourceText {
                name: source.name.to_owned(),
                text: source.text.to_vec(),
            })
            .collect(),
        similar_file: lowered.similar_file,
        similar: None,
    };
    diagnostics.extend(certain::misuse(&program));
    if options.optimize {
        opt::optimize(&mut program);
        program.guard = guard::conditions_of_the_game(&program);
    }
    let failed = has_errors(&diagnostics);
    Compiled {
        program: (!failed).then_some(program),
        diagnostics,
        header,
    }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

fn settings(
    header: &syntax::tree::Header,
    options: &CompileOptions,
) -> Result<Settings, Box<Diagnostic>> {
    let player = match &options.player {
        Some(pattern) => Some(Regex::new(pattern).map_err(|message| {
            let span = Span::new(SourceId(0), 0, 0);
            let message = format!("-player: malformed regular expression: {message}");
            Box::new(Diagnostic::error("E0504", span, message))
        })?),
        None => None,
    };
    let matchstring = options.matchstring.clone();
    let matchstring = matchstring.or_else(|| header.matchstring.clone());
    Ok(Settings {
        variations: options.variations.unwrap_or(header.variations),
        level: options.level.or(header.level).unwrap_or_default(),
        matchstring: matchstring.unwrap_or_else(|| b"CQL".to_vec()),
        gamenumber: options.gamenumber.or(header.gamenumber),
        matchcount: options.matchcount.or(header.matchcount),
        sort_matchcount: header.sort_matchcount,
        results: header.results.clone(),
        player,
        year: options.year,
        no_header: options.no_header,
        no_removecomment: options.no_removecomment,
        no_settag: options.no_settag,
        no_sort_comments: options.no_sort_comments,
        unique_comments: options.unique_comments,
        always_comment: options.always_comment,
        output_buffer: options.output_buffer,
        step_limit: options.step_limit,
    })
}

impl Program {
    /// Settings of the run, from header and options.
    pub fn settings(&self) -> &Settings {
        &self.settings
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

    /// The name of the PGN file that the query needs before it can run (`similarposition`).
    pub fn required_file(&self) -> Option<String> {
        let (name, _) = self.similar_file.as_ref()?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Takes the contents of the [`required_file`](Program::required_file).
    pub fn provide_file(&mut self, pgn: &[u8]) {
        self.similar = Some(Arc::new(SimilarIndex::new(pgn)));
    }

    /// Whether a filter asks for the number of games of the input
    /// ([`GameWorker::with_last_game_number`](crate::GameWorker::with_last_game_number)).
    pub fn needs_last_game_number(&self) -> bool {
        self.nums
            .iter()
            .any(|number| matches!(number, NumFilter::LastGameNumber))
    }

    /// The direction of each sort key, `true` for ascending; empty where games keep their order.
    pub fn sort_directions(&self) -> Vec<bool> {
        let mut directions: Vec<bool> = self.sorts.iter().map(|s| s.ascending).collect();
        if self.settings.sort_matchcount {
            directions.push(false);
        }
        directions
    }
}
