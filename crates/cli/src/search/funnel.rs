//! Counts the games that remain after each condition of a query.
//!
//! [`syntax::steps`] splits the query into its conditions, and gives a query that ends after each.
//! All these queries are evaluated on the games in one pass, like those of `cql run`. Their matches
//! are counted, and nothing is written.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use babson::{InputGroup, Query, ScanPlan, Search, SearchError};
use engine::{CompileOptions, FileAccess, Program, QueryResults};
use flow::{Deadline, GameFault, Output};
use input::Inputs;
use syntax::Span;
use syntax::dialect::dialect_of;
use syntax::parse::{ParseOptions, Source};
use syntax::span::{SourceId, line_and_column};
use syntax::steps::{self, steps};
use table::Table;

use super::pass::Context;
use crate::failure::Failure;
use crate::files::{FileRules, SandboxedFiles, read_games};
use crate::games::tell_unused;
use crate::interrupt;
use crate::report::SourceText;

/// Characters of a condition that are shown.
const SHOWN: usize = 60;

/// Size of a chunk, in bytes, if there is a deadline.
const SHORT_CHUNK: usize = 32 << 10;

/// The conditions of a query, each with the program up to it.
pub(crate) struct Funnel {
    /// The first step is the query without conditions.
    steps: Vec<FunnelStep>,
    /// The whole query in variations, too, if it does not search them.
    in_variations: Option<Arc<Program>>,
    /// Rules for the files that the query reads; nothing is written.
    pub(crate) file_rules: FileRules,
    /// Name, in messages, of whatever chooses games before any condition; without it, only games
    /// that cannot be read are left out.
    pub(crate) choice: Option<String>,
}

/// The beginning of the games, as far as it is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstPart {
    /// Bytes of games after which counting stops.
    pub(crate) bytes: u64,
    /// Time at which counting stops in any case.
    pub(crate) end: Instant,
}

struct FunnelStep {
    label: String,
    /// The option that is written as this filter.
    option: Option<String>,
    /// Line in the query; `None` for filters of options.
    line: Option<usize>,
    /// Whether the step continues the path of the previous one.
    is_continued: bool,
    program: Arc<Program>,
}

impl FunnelStep {
    /// Returns the condition, with the option that is written so.
    fn quoted(&self) -> String {
        let option = self.option.as_ref().map(|option| format!(" of {option}"));
        format!("`{}`{}", self.label, option.unwrap_or_default())
    }
}

/// Results of counting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    /// Number of games read.
    pub(crate) n_games: u64,
    /// Whether all games were read.
    pub(crate) is_whole: bool,
    /// Number of games on which the whole query failed.
    pub(crate) n_failed: u64,
    /// Counts after each condition.
    pub(crate) left: Vec<FunnelCounts>,
    /// Number of games that match if variations are searched.
    pub(crate) in_variations: u64,
}

/// Counts after a condition and all those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FunnelCounts {
    pub(crate) games: u64,
    pub(crate) positions: u64,
}

/// A condition with its counts.
#[derive(Debug, serde::Serialize)]
pub(crate) struct FunnelRow<'a> {
    pub(crate) condition: &'a str,
    pub(crate) line: Option<usize>,
    pub(crate) games: u64,
    pub(crate) positions: u64,
}

impl Funnel {
    /// Splits a query and the filters in front of it into conditions. Returns `None` if that is not
    /// possible, or takes longer than until `end`.
    pub(crate) fn new(
        query: &SourceText,
        preamble: &[SourceText],
        options: &CompileOptions,
        end: Option<Instant>,
    ) -> Option<Funnel> {
        let texts: Vec<&SourceText> = std::iter::once(query).chain(preamble).collect();
        let sources: Vec<Source<'_>> = texts.iter().map(|text| text.as_source()).collect();
        let options = query.options(options);
        let parse_options = ParseOptions {
            variations: options.variations,
            require_header: options.require_header,
            ..ParseOptions::default()
        };
        let dialect = options.dialect.unwrap_or_else(|| dialect_of(&query.text));
        let options = CompileOptions {
            // Games with any number of matching positions are counted.
            matchcount: Some((1, i32::MAX)),
            values: Vec::new(),
            dialect: Some(dialect),
            ..options
        };
        let mut found = Vec::new();
        for step in steps(&sources[0], &sources[1..], &parse_options, dialect) {
            if end.is_some_and(|end| Instant::now() > end) {
                return None;
            }
            let program = compile(&step, &sources, &options)?;
            found.push(FunnelStep {
                label: label(&step, &texts),
                option: texts[usize::from(step.span.source.0)].option().map(str::to_owned),
                line: (step.span.source == SourceId(0)).then(|| line(&step, &query.text)),
                is_continued: step.is_continued,
                program,
            });
        }
        let funnel = Funnel {
            steps: found,
            in_variations: None,
            file_rules: FileRules::default(),
            choice: None,
        };
        (funnel.steps.len() > 1).then_some(funnel)
    }

    /// Also counts the games that match in variations, if the query does not search them.
    pub(crate) fn with_variations(
        mut self,
        query: &SourceText,
        preamble: &[SourceText],
        options: &CompileOptions,
    ) -> Funnel {
        let has_them = |step: &FunnelStep| step.program.settings().variations;
        if !self.steps.last().is_some_and(has_them) {
            let options =
                CompileOptions { variations: Some(true), values: Vec::new(), ..options.clone() };
            let preamble: Vec<Source<'_>> = preamble.iter().map(SourceText::as_source).collect();
            self.in_variations = query.compile(&preamble, &options).program;
        }
        self
    }

    /// Adds the number of matching positions that the header asks for as the last condition. Returns
    /// `None` if the query cannot be compiled with it.
    pub(crate) fn with_matchcount(
        mut self,
        query: &SourceText,
        options: &CompileOptions,
        (least, most): (i32, i32),
    ) -> Option<Funnel> {
        let program = query.compile(&[], options).program?;
        self.steps.push(FunnelStep {
            label: format!("matchcount {least} {most}"),
            option: None,
            line: None,
            is_continued: false,
            program,
        });
        Some(self)
    }

    /// Reads the file of a `similarposition` filter, if the query has one.
    pub(crate) fn provide_file(&self) -> Result<(), Failure> {
        for step in &self.steps {
            if let Some(name) = step.program.required_file() {
                let pgn = read_games(&name).map_err(Failure::Message)?;
                step.program.provide_file(&pgn);
            }
        }
        Ok(())
    }

    pub(crate) fn needs_last_game_number(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| step.program.needs_last_game_number())
    }

    /// Counts the games and positions that remain after each condition, if asked in the first games
    /// only. If the time ends before their bytes, the figures are those of half of them, a quarter
    /// and so on, so that they seldom differ from run to run. `groups` are the runs of
    /// inputs, each searched through an archive or as text. `see` receives the output of each
    /// chunk. If a condition exceeds the step limit on each of the first games, counting fails, as
    /// a search does.
    pub(crate) fn count(
        &self,
        (inputs, groups): (&Inputs, &[InputGroup<'_>]),
        threads: usize,
        part: Option<FirstPart>,
        mut see: impl FnMut(&Output<Vec<QueryResults>>),
    ) -> Result<Figures, Failure> {
        let place_of_errors = Context::reading(inputs);
        let failure = |error| place_of_errors.failure(error);
        let cancel = interrupt::cancel().child();
        let deadline = part.map(|part| Deadline::new(&cancel, part.end)).transpose();
        let _deadline = deadline.map_err(|error| failure(SearchError::Failed(error)))?;
        let walk = ScanPlan { inputs, groups };
        // All positions are counted, also those of games that the whole query cannot match.
        let programs = self.steps.iter().map(|step| &step.program).chain(&self.in_variations);
        let mut search = Search::new(&walk, programs.map(|program| self.query(program)))
            .threads(threads)
            .cancel(&cancel)
            .every_game();
        if part.is_some() {
            search = search.chunk_bytes(SHORT_CHUNK);
        }
        let mut figures =
            Figures { left: vec![FunnelCounts::default(); self.steps.len()], ..Figures::default() };
        let most = part.map(|part| (part.bytes / SHORT_CHUNK as u64).max(1));
        let (mut n_chunks, mut first) = (0_u64, Figures::default());
        let searched = search.run(&mut tell_unused, &mut |chunk| {
            see(&chunk.output);
            figures.add(&chunk.output);
            n_chunks += 1;
            if part.is_some() && n_chunks.is_power_of_two() {
                first = figures.clone();
            }
            let is_end = most.is_some_and(|most| n_chunks >= most);
            Ok(if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        figures.is_whole = match searched {
            Ok(_) => most.is_none_or(|most| n_chunks < most),
            // The games on which the whole query failed are counted.
            Err(SearchError::FailedEverywhere(..)) => true,
            Err(SearchError::Cancelled(_)) if !interrupt::cancel().is_cancelled() => {
                figures = first;
                false
            }
            Err(error) => return Err(failure(error)),
        };
        Ok(figures)
    }

    fn query(&self, program: &Arc<Program>) -> Query {
        let rules = self.file_rules.clone();
        Query::new(program.clone())
            .with_table(&Table::nothing())
            .with_files(move || Box::new(DryFiles(SandboxedFiles::new(rules.clone()))))
    }

    /// Returns the issues of the games themselves and of the whole query.
    pub(crate) fn faults<'o>(
        &self,
        out: &'o Output<Vec<QueryResults>>,
    ) -> impl Iterator<Item = &'o GameFault> {
        let whole = self.steps.len() - 1;
        out.faults.iter().filter(move |fault| fault.part.is_none_or(|part| part == whole))
    }

    /// Returns the conditions with their counts.
    pub(crate) fn rows<'a>(&'a self, figures: &'a Figures) -> impl Iterator<Item = FunnelRow<'a>> {
        let pairs = self.steps.iter().zip(&figures.left);
        pairs.map(|(step, left)| FunnelRow {
            condition: &step.label,
            line: step.line,
            games: left.games,
            positions: left.positions,
        })
    }

    /// Returns the line about the games that meet all conditions before the `sort` at the end, and have
    /// no value to sort by; `None` if there are none, or the figures do not show it.
    pub(crate) fn unsorted(&self, figures: &Figures) -> Option<String> {
        let is_sort = |step: &&FunnelStep| step.label.starts_with("sort ");
        // `.` is the query after the filters of options.
        let is_last = |step: &&FunnelStep| is_sort(step) || step.label == ".";
        let first = self.steps.len() - self.steps.iter().rev().take_while(is_last).count();
        let (before, after) = (figures.left.get(first.checked_sub(1)?)?, figures.left.last()?);
        let n = before.games.checked_sub(after.games).filter(|n| *n > 0)?;
        let (games, is) = if n == 1 { ("game", "is") } else { ("games", "are") };
        let label = &self.steps[first..].iter().find(is_sort).filter(|_| figures.is_whole)?.label;
        Some(format!(
            "{n} {games} without a value of `{label}` {is} left out; `{{{label}}} or true` keeps \
             them, after all others"
        ))
    }

    /// Returns the line about the games that match only in variations; `None` if there are none.
    pub(crate) fn only_in_variations(figures: &Figures) -> Option<String> {
        let found = match figures.in_variations {
            0 => return None,
            n if figures.is_whole => count(n, "game"),
            _ => "some of the first games".to_owned(),
        };
        let verb = if found.starts_with("1 ") { "matches" } else { "match" };
        Some(format!("{found} {verb} in variations, which --variations searches, too"))
    }

    /// Explains in one line why nothing matches, if the figures show it.
    pub(crate) fn reason(&self, figures: &Figures) -> Option<String> {
        let n_games = figures.n_games;
        if n_games == 0 || figures.n_failed > 0 {
            return None;
        }
        // The search read more games, but the rest is not counted again. The machine decides how
        // many are, so that their number says nothing.
        let (all, first) = if figures.is_whole {
            (count(n_games, "game"), "")
        } else {
            ("the first games".to_owned(), " (`cql explain` counts all games)")
        };
        let chosen = figures.left.first()?.games;
        let all_chosen = match (chosen, &self.choice) {
            (0, None) => {
                return Some(format!("none of {all} could be read; `cql doctor` shows why"));
            }
            (0, Some(choice)) => return Some(format!("none of {all} fits {choice}{first}")),
            _ if chosen == n_games => all,
            (_, choice) => {
                let fit = if chosen == 1 && figures.is_whole { "fits" } else { "fit" };
                let fit = choice.as_ref().map(|choice| format!("{fit} {choice}"));
                let fit = fit.unwrap_or_else(|| "could be read".to_owned());
                let all = if figures.is_whole { &count(chosen, "game") } else { "first games" };
                format!("the {all} that {fit}")
            }
        };
        let Some(empty) = figures.left.iter().position(|left| left.games == 0) else {
            let last = figures.left.last()?;
            let n = if figures.is_whole { &grouped(last.games) } else { "some" };
            return Some(format!(
                "all conditions hold in {n} of {all_chosen}, but at fewer or more positions \
                 than matchcount permits{first}"
            ));
        };
        let label = self.steps.get(empty)?.quoted();
        if empty == 1 {
            return Some(format!("{label} holds in none of {all_chosen}{first}"));
        }
        let before = self.steps.get(empty - 1)?.quoted();
        let games = if figures.is_whole {
            count(figures.left[empty - 1].games, "game")
        } else {
            "some games".to_owned()
        };
        let of = if chosen == n_games { String::new() } else { format!("of {all_chosen}, ") };
        let why = match (self.steps[empty].is_continued, empty) {
            (true, _) => {
                format!("{of}the path reaches {before} in {games}, and {label} in none")
            }
            (false, 2) => {
                format!("{of}{before} holds in {games}, together with {label} in none")
            }
            (false, _) => format!(
                "{of}the conditions before {label} hold in {games}, together with it in none"
            ),
        };
        Some(why + first)
    }
}

impl Figures {
    fn add(&mut self, out: &Output<Vec<QueryResults>>) {
        self.n_games += out.n_games;
        for (left, part) in self.left.iter_mut().zip(&out.results) {
            left.games += part.matches.len() as u64;
            left.positions += part.n_matching_positions;
        }
        let found = out.results.get(self.left.len());
        self.in_variations += found.map_or(0, |found| found.matches.len() as u64);
        let whole = self.left.len() - 1;
        let of_whole = out.faults.iter().filter(|fault| fault.part >= Some(whole));
        let mut numbers: Vec<u64> = of_whole.map(|fault| fault.number).collect();
        numbers.dedup();
        self.n_failed += numbers.len() as u64;
    }
}

/// Reads files, but discards everything that is written.
struct DryFiles(SandboxedFiles);

impl FileAccess for DryFiles {
    fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String> {
        self.0.read(name, most)
    }

    fn append(&mut self, _name: &str, _text: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

fn compile(
    step: &steps::Step,
    sources: &[Source<'_>],
    options: &CompileOptions,
) -> Option<Arc<Program>> {
    let query = Source { name: sources[0].name, text: &step.query };
    let named = step.preamble.iter().zip(&sources[1..]);
    let preamble: Vec<Source<'_>> =
        named.map(|(text, source)| Source { name: source.name, text }).collect();
    engine::compile(&query, &preamble, options).program
}

/// Returns the line on which a condition starts, after leading blanks.
fn line(step: &steps::Step, query: &[u8]) -> usize {
    let (start, end) = (step.span.start as usize, step.span.end as usize);
    let text = query.get(start..end).unwrap_or_default();
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace());
    line_and_column(query, start + blank.count()).0
}

fn label(step: &steps::Step, texts: &[&SourceText]) -> String {
    let text = &texts[usize::from(step.span.source.0)].text;
    shortened(text, step.span)
}

/// Returns a part of a query on one line, cut after [`SHOWN`] characters.
pub(crate) fn shortened(text: &[u8], span: Span) -> String {
    let (start, end) = (span.start as usize, span.end as usize);
    let text = String::from_utf8_lossy(text.get(start..end).unwrap_or_default());
    let mut text = steps::label(&text);
    text.retain(|c| !c.is_control());
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// Returns a number with its noun: `1 game`, `1,238 games`.
fn count(n: u64, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        n => format!("{} {noun}s", grouped(n)),
    }
}

/// Formats a number with commas between groups of three digits.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, text: &str) -> SourceText {
        SourceText::new(name, text)
    }

    #[test]
    fn braces_around_a_part_come_in_pairs() {
        for (text, want) in [
            ("{countmoves legal --(mate)}>=3", "{countmoves legal --(mate)}>=3"),
            ("{ check", "check"),
            ("{check {mate}", "check {mate}"),
            ("{event \"}\"", "event \"}\""),
            ("{check\n mate}", "{check mate}"),
            ("flipcolor { mate", "flipcolor { mate }"),
            ("check // a\n /* b */ mate", "check mate"),
        ] {
            let span = Span::new(SourceId(0), 0, text.len());
            assert_eq!(shortened(text.as_bytes(), span), want);
        }
    }

    #[test]
    fn the_line_names_the_condition_that_never_held() {
        let check = |query: &str, preamble: &[&str], left: &[u64], expected: &str| {
            let preamble: Vec<SourceText> = preamble.iter().map(|p| text("-cql", p)).collect();
            let options = CompileOptions::default();
            let funnel = Funnel::new(&text("q.cql", query), &preamble, &options, None);
            let figures = Figures {
                n_games: 1238,
                is_whole: true,
                n_failed: 0,
                left: left.iter().map(|&games| FunnelCounts { games, positions: games }).collect(),
                in_variations: 0,
            };
            let reason = funnel.and_then(|funnel| funnel.reason(&figures));
            assert_eq!(reason.as_deref(), Some(expected), "{query}");
        };
        check(
            "cql() mate btm",
            &[],
            &[1238, 1001, 0],
            "`mate` holds in 1,001 games, together with `btm` in none",
        );
        check("cql() mate btm", &[], &[1238, 0, 0], "`mate` holds in none of 1,238 games");
        check(
            "cql().",
            &["{mate\n btm R}"],
            &[1238, 7, 1, 0, 0],
            "the conditions before `R` hold in 1 game, together with it in none",
        );
        check(
            "cql() path -- check -- mate",
            &[],
            &[1238, 20, 0],
            "the path reaches `path -- check` in 20 games, and `-- mate` in none",
        );
        check(
            "cql(matchcount 3) mate",
            &[],
            &[1238, 5],
            "all conditions hold in 5 of 1,238 games, but at fewer or more positions than matchcount permits",
        );
        check(
            "cql(result 1-0) mate",
            &[],
            &[0, 0],
            "none of 1,238 games could be read; `cql doctor` shows why",
        );
    }

    #[test]
    fn games_that_the_header_leaves_out_are_not_counted() {
        let text = text("q.cql", "cql() mate btm");
        let funnel = Funnel::new(&text, &[], &CompileOptions::default(), None);
        let mut funnel = funnel.expect("conditions");
        funnel.choice = Some("`-year 2013`".to_owned());
        let check = |is_whole: bool, left: &[u64], expected: &str| {
            let left = left.iter().map(|&games| FunnelCounts { games, positions: games });
            let left = left.collect();
            let figures = Figures { n_games: 6400, is_whole, left, ..Figures::default() };
            assert_eq!(funnel.reason(&figures).as_deref(), Some(expected));
        };
        check(true, &[63, 0, 0], "`mate` holds in none of the 63 games that fit `-year 2013`");
        check(
            false,
            &[1, 0, 0],
            "`mate` holds in none of the first games that fit `-year 2013` (`cql explain` counts all \
             games)",
        );
        check(
            true,
            &[63, 20, 0],
            "of the 63 games that fit `-year 2013`, `mate` holds in 20 games, together with `btm` \
             in none",
        );
        check(
            false,
            &[6400, 20, 0],
            "`mate` holds in some games, together with `btm` in none (`cql explain` counts all games)",
        );
        check(
            false,
            &[63, 20, 0],
            "of the first games that fit `-year 2013`, `mate` holds in some games, together with \
             `btm` in none (`cql explain` counts all games)",
        );
        check(
            false,
            &[0, 0, 0],
            "none of the first games fits `-year 2013` (`cql explain` counts all games)",
        );
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        let options = CompileOptions::default();
        let funnel = Funnel::new(&text("q.cql", "cql() mate btm"), &[], &options, None);
        let funnel = funnel.expect("conditions");
        let failed = Figures {
            n_games: 3,
            n_failed: 1,
            left: vec![FunnelCounts::default(); 3],
            ..Figures::default()
        };
        assert_eq!(funnel.reason(&failed), None);
        assert_eq!(funnel.reason(&Figures::default()), None);
        let past = Instant::now() - std::time::Duration::from_secs(1);
        assert!(Funnel::new(&text("q", "cql() mate"), &[], &options, Some(past)).is_none());
    }

    #[test]
    fn digits_are_grouped() {
        for (n, expected) in [(0, "0"), (999, "999"), (1238, "1,238"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(n), expected);
        }
    }
}
