//! Renders diagnostics of queries and issues of games for the user.

mod excerpt;
mod explain;
mod json;
mod screen;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal, Write as _};
use std::ops::Range;

use annotate_snippets::renderer::{AnsiColor, DecorStyle, Style};
use annotate_snippets::{AnnotationKind, Group, Level, Message, Patch, Renderer};
use clap::ValueEnum;
use engine::{CompileOptions, Compiled, QueryResults};
use flow::{FaultKind, GameFault};
use pgn::LostComments;
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::parse::{Source, UNASSIGNED};
use syntax::span::{SourceId, Span};

use crate::terminal;
use crate::visible::{in_place, visible_json, visible_name, visible_text};
use excerpt::{Excerpt, Lines, Place};
pub(crate) use explain::explain;
use screen::{Cut, Screen};

/// Help for an unknown name that is to be a column.
const OF_GROUPS: &str = "columns are `year`, `result`, `eco`, `White` and other tags; an expression makes \
                         others: `decade=year/10*10`";

/// Number of issues of games that are reported one by one; the others are only counted.
const GAMES_NAMED: usize = 10;

/// Number of games that are named for the same failure of a query.
const GAMES_OF_FAILURE: usize = 3;

/// Number of spans with the same diagnostic up to which each of them is reported separately.
const REPEATED: usize = 3;

/// Number of other spans that are listed with the first one.
const PLACES_NAMED: usize = 10;

/// Variants that are counted by name.
const VARIANTS_NAMED: usize = 20;

/// A source text of a compilation: the query or a filter of an option.
#[derive(Debug, Clone)]
pub(crate) struct SourceText {
    /// File name, or the option that gave the text.
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
    /// Whether a query of CQL 6 must begin with its header, as in a file.
    needs_header: bool,
}

impl SourceText {
    /// Returns the text of a file, or of an option.
    pub(crate) fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> SourceText {
        SourceText { name: name.into(), text: text.into(), needs_header: true }
    }

    /// Returns a query that an argument is itself, such as `mate`.
    pub(crate) fn argument(name: &str, text: &str) -> SourceText {
        SourceText { needs_header: false, ..SourceText::new(name, text) }
    }

    /// Whether the text is a query that an argument is itself.
    pub(crate) fn is_argument(&self) -> bool {
        !self.needs_header
    }

    /// Compiles the query with filters before it.
    pub(crate) fn compile(&self, preamble: &[Source<'_>], options: &CompileOptions) -> Compiled {
        engine::compile(&self.as_source(), preamble, &self.options(options))
    }

    /// Returns options for compiling the query.
    pub(crate) fn options(&self, options: &CompileOptions) -> CompileOptions {
        CompileOptions { require_header: self.needs_header, ..options.clone() }
    }

    /// Borrows the text as a [`Source`].
    pub(crate) fn as_source(&self) -> Source<'_> {
        Source { name: &self.name, text: &self.text }
    }

    /// Returns the option that is written as this filter, which nobody typed: `-white`.
    pub(crate) fn option(&self) -> Option<&str> {
        Some(&*self.name).filter(|name| makes_filter(name))
    }
}

/// Style of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::Args)]
pub(crate) struct ReportStyle {
    /// Set the format of errors and warnings
    #[arg(
        id = "message-format",
        long = "message-format",
        value_enum,
        value_name = "FORMAT",
        default_value_t
    )]
    pub(crate) format: MessageFormat,
    /// Set when errors and warnings are colored
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorChoice,
}

/// Format of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum MessageFormat {
    /// With the lines of the query that they refer to
    #[default]
    Human,
    /// One JSON object per line
    Json,
}

/// When to color diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    /// If the output is a terminal, unless NO_COLOR or CLICOLOR_FORCE is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorChoice {
    fn wants_color(self, stream: &impl IsTerminal) -> bool {
        let is_on = |name| {
            let value = std::env::var_os(name);
            value.is_some_and(|value| !value.is_empty() && value != "0")
        };
        let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => !is_off && (is_on("CLICOLOR_FORCE") || stream.is_terminal()),
        }
    }
}

/// Renders diagnostics with excerpts of the source texts.
pub(crate) struct Reporter {
    sources: Vec<(String, Lines)>,
    /// Names of the texts, with control characters escaped.
    names: Vec<String>,
    renderer: Renderer,
    format: MessageFormat,
    /// The terminal that the reports go to; `None` for a file or a pipe.
    screen: Option<Screen>,
}

impl Reporter {
    /// Creates a reporter for these texts, in the order of their [`SourceId`]s. `stream` is where
    /// the reports go.
    pub(crate) fn new(
        sources: &[SourceText],
        look: ReportStyle,
        stream: &impl IsTerminal,
    ) -> Reporter {
        let is_human = look.format == MessageFormat::Human;
        let width = (is_human && stream.is_terminal()).then(terminal::screen_width);
        Reporter::of_width(sources, look, stream, width)
    }

    /// Creates a reporter whose lines have at most this width.
    fn of_width(
        sources: &[SourceText],
        look: ReportStyle,
        stream: &impl IsTerminal,
        width: Option<usize>,
    ) -> Reporter {
        let is_human = look.format == MessageFormat::Human;
        let renderer = if is_human && look.color.wants_color(stream) {
            // The bright green, cyan and yellow of the library cannot be read on white.
            let strong = Style::new().bold();
            let warning = AnsiColor::Magenta.on_default().bold();
            let styled = Renderer::styled().decor_style(DecorStyle::Unicode);
            styled.warning(warning).help(strong).note(strong).addition(strong)
        } else {
            Renderer::plain()
        };
        let texts = sources.iter().map(|source| {
            let text = in_place(&readable(&source.text));
            (source.name.clone(), Lines::of(text))
        });
        let texts: Vec<(String, Lines)> = texts.collect();
        let most_lines = texts.iter().map(|(_, lines)| lines.count()).max();
        let screen = width.map(|width| Screen::new(width, most_lines.unwrap_or(0)));
        Reporter {
            sources: texts,
            names: sources.iter().map(|source| visible_name(&source.name).into_owned()).collect(),
            renderer: match &screen {
                Some(screen) => renderer.term_width(screen.width()),
                None => renderer,
            },
            format: look.format,
            screen,
        }
    }

    /// Returns diagnostics as [`Reporter::report`] formats them. For people, a diagnostic with many
    /// spans is reported once, at the first of them.
    pub(crate) fn reports(&self, diagnostics: &[Diagnostic]) -> Vec<String> {
        let mut alike: HashMap<_, Vec<Span>> = HashMap::new();
        for d in diagnostics {
            let places = alike.entry((d.code, &d.message, d.span.source));
            places.or_default().push(d.span);
        }
        let texts = diagnostics.iter().filter_map(|d| {
            let places = alike.get(&(d.code, &d.message, d.span.source))?;
            if self.format == MessageFormat::Json || places.len() <= REPEATED {
                return Some(self.report(d));
            }
            let [first, others @ ..] = places.as_slice() else {
                return None;
            };
            (*first == d.span).then(|| self.render(d, &self.also(others)))
        });
        texts.collect()
    }

    /// Returns a remark that lists the other spans of a diagnostic.
    fn also(&self, places: &[Span]) -> String {
        let shown = places.iter().filter_map(|place| {
            let (_, lines) = self.source(place.source)?;
            let (line, column) = lines.place(characters(lines.text(), *place).start);
            Some(format!("{line}:{column}"))
        });
        let shown: Vec<String> = shown.take(PLACES_NAMED).collect();
        let more = match places.len() - shown.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("the same at {}{more}", shown.join(", "))
    }

    /// Formats a diagnostic in the format that the user chose, without a newline at its end.
    pub(crate) fn report(&self, diagnostic: &Diagnostic) -> String {
        match self.format {
            MessageFormat::Human => self.render(diagnostic, ""),
            MessageFormat::Json => {
                let line = json::line(diagnostic, &self.sources, &self.render(diagnostic, ""));
                visible_json(&line).into_owned()
            }
        }
    }

    /// Formats a diagnostic with the lines it is about, and a remark unless it is empty.
    fn render(&self, diagnostic: &Diagnostic, remark: &str) -> String {
        let (level, front) = match diagnostic.severity {
            Severity::Error => (Level::ERROR, "error[]: ".len()),
            Severity::Warning => (Level::WARNING, "warning[]: ".len()),
        };
        let front = front + diagnostic.code.len();
        let message = self.fitted(visible_text(&diagnostic.message), front);
        let mut group = Group::with_title(level.primary_title(&*message).id(diagnostic.code));
        // The primary span first, then the spans of notes, grouped by text.
        let label = diagnostic.label();
        let label = visible_text(&label);
        let notes: Vec<Cow<'_, str>> =
            diagnostic.notes.iter().map(|(_, note)| visible_text(note)).collect();
        let mut places: Vec<(Span, &str, AnnotationKind)> =
            vec![(diagnostic.span, &label, AnnotationKind::Primary)];
        for ((span, _), note) in diagnostic.notes.iter().zip(&notes) {
            places.push((*span, note, AnnotationKind::Context));
        }
        let mut order: Vec<SourceId> = places.iter().map(|place| place.0.source).collect();
        order.dedup();
        let mut shifts = Vec::new();
        for (i, &source) in order.iter().enumerate() {
            if order[..i].contains(&source) {
                continue;
            }
            let Some((name, lines)) = self.source(source) else {
                continue;
            };
            let here = places.iter().filter(|place| place.0.source == source);
            let here: Vec<_> =
                here.filter(|place| !is_far(lines.text(), place.0, diagnostic.span)).collect();
            // Spans that are far apart get an excerpt each.
            let places = here.iter().map(|&&(span, label, _)| self.place(lines, span, label));
            for (excerpt, members) in lines.excerpts(places, self.screen.as_ref()) {
                let mut snippet = excerpt.snippet().path(name);
                let mut beside = Vec::new();
                for (member, place) in members {
                    let &(_, label, kind) = here[member];
                    shifts.extend(excerpt.shift(name, &place.range));
                    let annotation = kind.span(place.range);
                    snippet = snippet.annotation(if place.has_label {
                        annotation.label(label)
                    } else {
                        beside.extend(Some(label).filter(|label| !label.is_empty()));
                        annotation
                    });
                }
                group = group.element(snippet);
                for label in beside {
                    group = group.element(self.note(label));
                }
            }
        }
        if !remark.is_empty() {
            group = group.element(self.note(remark));
        }
        let name = self.sources.get(usize::from(diagnostic.span.source.0)).map(|(name, _)| name);
        if let Some(option) = name.filter(|name| makes_filter(name)) {
            let note = format!("the option {option} adds this filter before the query");
            group = group.element(self.note(note));
        }
        let is_group = name.is_some_and(|name| matches!(&**name, "--count-by" | "--by"));
        let help = diagnostic.help.as_deref().map(|help| {
            if is_group && help == UNASSIGNED { OF_GROUPS.into() } else { visible_text(help) }
        });
        let edit = diagnostic.edit.as_ref();
        let edit_text = edit.map(|edit| visible_text(&edit.text));
        let added = edit_text.as_deref().unwrap_or_default();
        let edited = edit.and_then(|edit| self.edited(edit.span, added));
        let patched = edited.as_ref().map(|(excerpt, range, cut)| {
            let (snippet, range) = match cut {
                Some((text, range)) => (excerpt.with_text(text), range),
                None => (excerpt.snippet(), range),
            };
            let patch = Patch::new(range.clone(), added);
            let help = help.clone().unwrap_or(Cow::Borrowed("write this instead"));
            let title = Level::HELP.secondary_title(self.fitted(help, "help: ".len()));
            Group::with_title(title).element(snippet.patch(patch))
        });
        let mut groups = match (&help, &patched) {
            (Some(help), None) => {
                let help = self.fitted(Cow::Borrowed(help), self.front_of_notes());
                vec![group.element(Level::HELP.message(help))]
            }
            _ => vec![group],
        };
        groups.extend(patched);
        let mut text = self.renderer.render(&groups);
        for (cut, whole) in shifts {
            text = text.replacen(&cut, &whole, 1);
        }
        text.push('\n');
        text
    }

    /// Returns the lines of an edit with its place in them, and the part of a line that is shown on a narrow
    /// terminal. `None` for lines that are too long to be shown twice, as a patch does.
    fn edited(&self, span: Span, added: &str) -> Option<(Excerpt<'_>, Range<usize>, Option<Cut>)> {
        let (_, lines) = self.source(span.source)?;
        let place = characters(lines.text(), span);
        let excerpt = lines.excerpt(&place);
        if excerpt.is_cut() || excerpt.line_length() > LONGEST_WHOLE_LINE {
            return None;
        }
        let range = excerpt.range(&place);
        let screen = self.screen.as_ref();
        let cut = screen.and_then(|screen| screen.around(excerpt.text(), &range, added));
        Some((excerpt, range, cut))
    }

    /// Returns a note below an excerpt.
    fn note<'n>(&self, text: impl Into<Cow<'n, str>>) -> Message<'n> {
        Level::NOTE.message(self.fitted(text.into(), self.front_of_notes()))
    }

    /// Returns the number of columns before a note or a help below an excerpt.
    fn front_of_notes(&self) -> usize {
        self.screen.as_ref().map_or(0, Screen::front_of_notes)
    }

    /// Returns a text in lines that fit on the terminal after `front` columns.
    fn fitted<'t>(&self, text: Cow<'t, str>, front: usize) -> Cow<'t, str> {
        match &self.screen {
            Some(screen) => screen.fitted(text, front),
            None => text,
        }
    }

    /// Returns what is underlined for a span.
    fn place(&self, lines: &Lines, span: Span, label: &str) -> Place {
        match &self.screen {
            Some(screen) => screen.place(lines, &characters(lines.text(), span), label),
            None => Place::new(shown(lines.text(), span), label),
        }
    }

    fn source(&self, source: SourceId) -> Option<(&str, &Lines)> {
        let (_, lines) = self.sources.get(usize::from(source.0))?;
        let name = self.names.get(usize::from(source.0))?;
        Some((name, lines))
    }
}

/// Whether a text is named after an option that makes a filter of its value. Those of other options
/// are typed as they are.
fn makes_filter(name: &str) -> bool {
    const TYPED: [&str; 5] = ["cql", "query", "value", "count-by", "by"];
    let option = name.split(' ').next().unwrap_or_default().trim_start_matches('-');
    name.starts_with('-') && !TYPED.iter().any(|typed| option.eq_ignore_ascii_case(typed))
}

/// Returns the line after all diagnostics that says how to get explanations. `None` for JSON, or
/// without diagnostics.
pub(crate) fn more<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    look: ReportStyle,
) -> Option<String> {
    if look.format != MessageFormat::Human {
        return None;
    }
    let mut diagnostics = diagnostics.into_iter();
    let mut first = diagnostics.next()?;
    let mut of_these = "";
    for other in diagnostics {
        if other.severity > first.severity {
            first = other;
        }
        if other.code != first.code {
            of_these = ", and likewise for each code";
        }
    }
    Some(format!("`cql explain {}` says more{of_these}", first.code))
}

/// Writes a line with color codes to standard error, without escaping them.
pub(crate) fn tell_colored(text: &str) {
    // Errors are ignored, such as those of a closed standard error.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether a text is a query without a header.
pub(crate) fn is_query(text: &str) -> bool {
    let source = SourceText::argument("", text);
    source.compile(&[], &CompileOptions::default()).program.is_some()
}

/// Converts a text to UTF-8 with the same byte offsets.
fn readable(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            text.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect()
        }
    }
}

/// Bytes of the longest line that is shown as a whole.
const LONGEST_WHOLE_LINE: usize = 2000;

/// Whether a span is in the same line as another one, but too far from it for both to be shown.
fn is_far(text: &str, span: Span, other: Span) -> bool {
    let (a, b) = (characters(text, span).start, characters(text, other).start);
    let between = &text[a.min(b)..a.max(b)];
    span.source == other.source && between.len() > LONGEST_WHOLE_LINE && !between.contains('\n')
}

/// Bytes of one line that are underlined at most.
const LONGEST_LINE: usize = 200;

/// Returns the range to underline, in bytes. In a line with very many, only the first are
/// underlined, so that the others need not be shown.
fn shown(text: &str, span: Span) -> Range<usize> {
    first_of(text, characters(text, span), LONGEST_LINE)
}

/// Returns the first bytes of a range if it has more than `most` of them in its first line.
fn first_of(text: &str, range: Range<usize>, most: usize) -> Range<usize> {
    let cut = whole_characters(text, range.start..range.start + most);
    if range.end > cut.end && !text[cut.clone()].contains('\n') { cut } else { range }
}

/// Returns the bytes of a span, widened to whole characters.
fn characters(text: &str, span: Span) -> Range<usize> {
    whole_characters(text, span.start as usize..span.end as usize)
}

/// Widens a range of bytes to whole characters.
fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(text.len());
    let mut end = range.end.clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Kinds of issues with their texts in the summary, in the order of the summary.
const KINDS: [(FaultKind, &str); 8] = [
    (FaultKind::Repaired, "read as far as possible"),
    (FaultKind::Cut, "read in part"),
    (FaultKind::Swallowed(0), "that contain others, which are left out"),
    (FaultKind::Skipped, "left out"),
    (FaultKind::Truncated, "written in part"),
    (FaultKind::Evaluation, "on which the query failed"),
    (FaultKind::Limit, "on which the query exceeds a limit"),
    (FaultKind::Internal, "on which cql failed"),
];

/// Counts and reports the issues of the games of a run.
pub(crate) struct GameFaults {
    input: String,
    n_faults: u64,
    /// Number of issues that were reported one by one.
    n_named: u64,
    /// Failures of the query that were reported.
    failures: Vec<String>,
    n_faulty: u64,
    /// Number of games with an issue of each of the [`KINDS`].
    n_games: [u64; KINDS.len()],
    /// Number of games of each variant that cannot be played, by its name.
    variants: BTreeMap<String, u64>,
    /// Number of games of each unknown variant that were read by the rules of chess.
    assumed: BTreeMap<String, u64>,
    /// The comments in matching games that are not written as they are.
    lost_comments: LostComments,
    last_game: u64,
    /// Kinds of issues that the last game has.
    of_last_game: Vec<FaultKind>,
}

impl GameFaults {
    /// Creates an empty count. `input` names the games in the summary.
    pub(crate) fn new(input: &str) -> GameFaults {
        GameFaults {
            input: input.to_owned(),
            n_faults: 0,
            n_named: 0,
            failures: Vec::new(),
            n_faulty: 0,
            n_games: [0; KINDS.len()],
            variants: BTreeMap::new(),
            assumed: BTreeMap::new(),
            lost_comments: LostComments::default(),
            last_game: 0,
            of_last_game: Vec::new(),
        }
    }

    /// Counts issues of games of `source`, in the order of the games. Returns the lines to print
    /// about them.
    pub(crate) fn add<'f>(
        &mut self,
        source: &str,
        faults: impl IntoIterator<Item = &'f GameFault>,
    ) -> String {
        self.add_each(source, faults).into_iter().map(|(_, line)| line).collect()
    }

    /// Does the same as [`GameFaults::add`], but returns each line with the number of its game.
    pub(crate) fn add_each<'f>(
        &mut self,
        source: &str,
        faults: impl IntoIterator<Item = &'f GameFault>,
    ) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        for fault in faults {
            let of_variant = match fault.kind {
                FaultKind::Variant => Some(&mut self.variants),
                FaultKind::Assumed => Some(&mut self.assumed),
                _ => None,
            };
            if let Some(counts) = of_variant {
                add_variant(counts, &fault.message);
                continue;
            }
            self.n_faults += 1;
            if self.is_named(fault) {
                self.n_named += 1;
                lines.push((fault.number, describe(source, fault)));
            }
            // A game may have several issues, but is counted once.
            if fault.number != self.last_game {
                self.last_game = fault.number;
                self.n_faulty += 1;
                self.of_last_game.clear();
            }
            self.count(match fault.kind {
                FaultKind::Swallowed(_) => FaultKind::Swallowed(0),
                kind => kind,
            });
        }
        lines
    }

    /// Whether an issue is reported with its game, and not only counted.
    fn is_named(&mut self, fault: &GameFault) -> bool {
        if self.n_named >= GAMES_NAMED as u64 {
            return false;
        }
        if fault.kind == FaultKind::Evaluation {
            let same = self.failures.iter().filter(|failure| **failure == fault.message);
            if same.count() >= GAMES_OF_FAILURE {
                return false;
            }
            self.failures.push(fault.message.clone());
        }
        true
    }

    /// Counts the last game for a kind of issue. A game that is read in part does not also count as
    /// read as far as possible.
    fn count(&mut self, kind: FaultKind) {
        let known = &self.of_last_game;
        let is_worse = kind == FaultKind::Repaired && known.contains(&FaultKind::Cut);
        if known.contains(&kind) || is_worse {
            return;
        }
        if kind == FaultKind::Cut && known.contains(&FaultKind::Repaired) {
            *self.n_of(FaultKind::Repaired) -= 1;
        }
        *self.n_of(kind) += 1;
        self.of_last_game.push(kind);
    }

    fn n_of(&mut self, kind: FaultKind) -> &mut u64 {
        let place = KINDS.iter().position(|(other, _)| *other == kind);
        &mut self.n_games[place.unwrap_or(0)]
    }

    /// Counts the comments in matching games that are not written as they are.
    pub(crate) fn add_lost_comments(&mut self, found: &QueryResults) {
        for game in &found.matches {
            self.lost_comments.unwritten += game.lost_comments.unwritten;
            self.lost_comments.changed += game.lost_comments.changed;
        }
    }

    /// Returns the number of games with an issue.
    pub(crate) fn n_games(&self) -> u64 {
        self.n_faulty
    }

    /// Returns the final lines of the report; empty if there were no issues.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::new();
        let n_more = self.n_faults - self.n_named;
        if n_more > 0 {
            text += &format!("{}: and {}\n", self.input, table::counted(n_more, "more fault"));
        }
        let parts: Vec<String> = KINDS
            .iter()
            .zip(self.n_games)
            .filter(|(_, n)| *n > 0)
            .map(|((_, what), n)| format!("{n} {what}"))
            .collect();
        if !parts.is_empty() {
            text += &format!("faulty games: {}\n", parts.join(", "));
        }
        if self.lost_comments.unwritten > 0 {
            text += &format!(
                "comments not written: {} (further comments of a move, which -allcomments writes, \
                 or comments after `;`)\n",
                self.lost_comments.unwritten
            );
        }
        if self.lost_comments.changed > 0 {
            text += &format!(
                "comments with ? in place of letters such as ö: {} (as the reference writes them; \
                 -keepletters keeps the letters)\n",
                self.lost_comments.changed
            );
        }
        text += &of_variants(&self.variants, "variants that cql cannot play", "left out", "");
        let hint = format!("; {ALIAS_HINT}");
        text += &of_variants(&self.assumed, UNKNOWN, AS_CHESS, &hint);
        text
    }

    /// Whether the text of a game had an issue.
    pub(crate) fn in_file(&self) -> bool {
        use FaultKind::{Cut, Repaired, Skipped, Swallowed};
        self.has(&[Repaired, Cut, Swallowed(0), Skipped])
    }

    /// Whether games were skipped, for an issue or for their variant.
    pub(crate) fn leaves_out(&self) -> bool {
        self.has(&[FaultKind::Skipped, FaultKind::Swallowed(0)]) || !self.variants.is_empty()
    }

    /// Number of games that were skipped for an issue.
    pub(crate) fn n_skipped(&self) -> u64 {
        let mut counts = KINDS.iter().zip(self.n_games);
        counts.find(|((kind, _), _)| *kind == FaultKind::Skipped).map_or(0, |(_, n)| n)
    }

    /// Whether a game was written in part.
    pub(crate) fn in_output(&self) -> bool {
        self.has(&[FaultKind::Truncated])
    }

    /// Whether the evaluation of the query failed on a game or exceeded a limit.
    pub(crate) fn in_query(&self) -> bool {
        self.has(&[FaultKind::Evaluation, FaultKind::Limit])
    }

    /// Whether the evaluation of the query failed on a game, limits aside.
    pub(crate) fn in_evaluation(&self) -> bool {
        self.has(&[FaultKind::Evaluation])
    }

    /// Whether the query exceeded a limit somewhere.
    pub(crate) fn beyond_limits(&self) -> bool {
        self.has(&[FaultKind::Limit])
    }

    /// Whether cql itself failed on a game.
    pub(crate) fn in_program(&self) -> bool {
        self.has(&[FaultKind::Internal])
    }

    /// Whether a game has an issue of one of these kinds.
    fn has(&self, kinds: &[FaultKind]) -> bool {
        let mut counts = KINDS.iter().zip(self.n_games);
        counts.any(|((kind, _), n)| n > 0 && kinds.contains(kind))
    }
}

/// Games whose variant has an unknown name.
const UNKNOWN: &str = "unknown variants";

/// Treatment of the games among them whose moves chess permits.
const AS_CHESS: &str = "read by the rules of chess";

/// Advice on them.
const ALIAS_HINT: &str = "-variantalias NAME=VARIANT gives a name other rules";

/// Counts a game of an unknown variant. The number of names is limited, since a file may contain any
/// number of invented ones.
fn add_variant(counts: &mut BTreeMap<String, u64>, name: &str) {
    let is_new = !counts.contains_key(name);
    let name = if is_new && counts.len() >= VARIANTS_NAMED { "others" } else { name };
    *counts.entry(name.to_owned()).or_default() += 1;
}

/// Returns the line about the games of some variants, the most frequent first; empty without any.
fn of_variants(counts: &BTreeMap<String, u64>, which: &str, done: &str, hint: &str) -> String {
    let n_games: u64 = counts.values().sum();
    if n_games == 0 {
        return String::new();
    }
    let mut variants: Vec<(&String, &u64)> = counts.iter().collect();
    variants.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let names = variants.iter().map(|(name, n)| format!("{} {n}", visible_name(name)));
    let names = names.collect::<Vec<String>>().join(", ");
    format!("{}: {names}{hint}\n", games_of(n_games, which, done))
}

/// Returns what became of some games.
fn games_of(n_games: u64, which: &str, done: &str) -> String {
    let (games, were) = if n_games == 1 { ("game", "was") } else { ("games", "were") };
    format!("{n_games} {games} of {which} {were} {done}")
}

/// Returns the line about games of unknown variants that a subcommand has read as chess; empty
/// without any.
pub(crate) fn assumed(n_games: u64) -> String {
    if n_games == 0 {
        return String::new();
    }
    let read = games_of(n_games, UNKNOWN, AS_CHESS);
    format!("{read}; -{ALIAS_HINT}\n")
}

/// Returns the line to print about an issue.
fn describe(source: &str, fault: &GameFault) -> String {
    let done = match fault.kind {
        FaultKind::Repaired => "; the game was kept",
        // The message says it, or the issue is only counted.
        FaultKind::Cut
        | FaultKind::Swallowed(_)
        | FaultKind::Skipped
        | FaultKind::Variant
        | FaultKind::Assumed => "",
        FaultKind::Truncated => "; it was written in part",
        FaultKind::Evaluation | FaultKind::Limit => "; the game does not match",
        FaultKind::Internal => "; this is a defect of cql; the game does not match",
    };
    let source = visible_name(source);
    format!(
        "{source}:{}: game {} (byte {}): {}{done}\n",
        fault.line, fault.number, fault.offset, fault.message
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reporter(texts: &[&[u8]]) -> Reporter {
        let sources: Vec<SourceText> = texts
            .iter()
            .zip(["q.cql", "-cql", "-wtm"])
            .map(|(text, name)| SourceText::new(name, *text))
            .collect();
        let look = ReportStyle { color: ColorChoice::Never, ..ReportStyle::default() };
        Reporter::new(&sources, look, &std::io::stdout())
    }

    fn span(source: u16, start: usize, end: usize) -> Span {
        Span::new(SourceId(source), start, end)
    }

    fn check(texts: &[&[u8]], diagnostic: Diagnostic, expected: &str) {
        assert_eq!(reporter(texts).render(&diagnostic, ""), expected);
    }

    #[test]
    fn a_fault_shows_its_line() {
        check(
            &[b"cql()\n\nmate chek wtm\n"],
            Diagnostic::error("E0201", span(0, 12, 16), "unknown name 'chek'").with_help("check"),
            "error[E0201]: unknown name 'chek'\n \
             --> q.cql:3:6\n  \
             |\n\
             3 | mate chek wtm\n  \
             |      ^^^^ not a keyword, and not defined further up\n  \
             |\n  \
             = help: check\n",
        );
    }

    #[test]
    fn the_last_line_names_a_code() {
        let of = |codes: &[&'static str]| {
            let diagnostics: Vec<Diagnostic> = codes
                .iter()
                .map(|code| {
                    if code.starts_with('W') {
                        Diagnostic::warning(code, span(0, 0, 0), "")
                    } else {
                        Diagnostic::error(code, span(0, 0, 0), "")
                    }
                })
                .collect();
            let json = ReportStyle { format: MessageFormat::Json, ..ReportStyle::default() };
            assert_eq!(more(&diagnostics, json), None, "{codes:?}");
            more(&diagnostics, ReportStyle::default())
        };
        assert_eq!(of(&[]), None);
        let one = of(&["E0201", "E0201"]);
        assert_eq!(one.as_deref(), Some("`cql explain E0201` says more"));
        let several = of(&["W0201", "E0201", "E0304"]);
        let expected = "`cql explain E0201` says more, and likewise for each code";
        assert_eq!(several.as_deref(), Some(expected));
    }

    #[test]
    fn what_is_said_of_many_places_is_shown_once() {
        let text = b"cql() @ @\n@ @ @ @ @ @ @ @ @ @ @";
        let diagnostics = |n: usize| -> Vec<Diagnostic> {
            let places = text.iter().enumerate().filter(|(_, byte)| **byte == b'@');
            let places = places.take(n).map(|(at, _)| span(0, at, at + 1));
            places
                .map(|place| Diagnostic::error("E0003", place, "no meaning"))
                .chain([Diagnostic::error("E0201", span(0, 0, 3), "unknown")])
                .collect()
        };
        let shown = |n: usize| reporter(&[text]).reports(&diagnostics(n));
        assert_eq!(shown(3).len(), 4);
        let found = shown(4);
        assert_eq!(found.len(), 2);
        let expected = " --> q.cql:1:7\n  |\n1 | cql() @ @\n";
        assert!(found[0].contains(expected), "{}", found[0]);
        let expected = "= note: the same at 1:9, 2:1, 2:3\n";
        assert!(found[0].contains(expected), "{}", found[0]);
        let found = shown(13);
        let expected = "2:13, 2:15, 2:17 and 2 more\n";
        assert!(found[0].contains(expected), "{}", found[0]);
    }

    #[test]
    fn notes_show_other_places() {
        let text = reporter(&[b"cql() x", b"{x=1\n}"]).render(
            &Diagnostic::error("E0201", span(0, 6, 7), "x is a number")
                .with_note(span(1, 1, 2), "set here"),
            "",
        );
        assert!(text.contains("q.cql:1:7"), "{text}");
        assert!(text.contains("-cql:1:2"), "{text}");
        assert!(text.contains("set here"), "{text}");
    }

    #[test]
    fn any_place_in_any_text_can_be_shown() {
        let texts: [&[u8]; 5] = [b"", b"\n", b"a\xffb", "é♔\n→".as_bytes(), b"tab\there\r\n"];
        for text in texts {
            for start in 0..8 {
                for end in start..8 {
                    let diagnostic = Diagnostic::error("E0001", span(0, start, end), "what");
                    let shown = reporter(&[text]).render(&diagnostic, "");
                    assert!(shown.contains("q.cql:"), "{shown}");
                }
            }
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let look = ReportStyle { color: ColorChoice::Never, ..ReportStyle::default() };
        let commands = "\u{1b}[31m\u{9b}2J\u{202e}x\r\u{7}";
        let text = format!("cql() \"{commands}\" {commands}");
        let source = SourceText::new(format!("{commands}\n.cql"), text);
        let diagnostic = Diagnostic::error("E0201", span(0, 6, 20), commands)
            .with_help(commands)
            .with_note(span(0, 0, 3), commands)
            .with_edit(span(0, 6, 20), commands);
        for format in [MessageFormat::Human, MessageFormat::Json] {
            let reporter = Reporter::new(
                std::slice::from_ref(&source),
                ReportStyle { format, ..look },
                &std::io::stdout(),
            );
            let shown = reporter.report(&diagnostic);
            let command = shown.find(|c: char| {
                c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}')
            });
            assert_eq!(command, None, "{shown:?}");
        }
    }

    #[test]
    fn of_long_lines_only_a_part_is_shown() {
        let text = format!("cql() {} x", "a".repeat(1_000_000));
        let diagnostic = Diagnostic::error("E0201", span(0, 6, 1_000_006), "what")
            .with_help("check")
            .with_note(span(0, 1_000_007, 1_000_008), "here")
            .with_edit(span(0, 6, 1_000_006), "check");
        let shown = reporter(&[text.as_bytes()]).render(&diagnostic, "");
        assert!(shown.len() < 2000, "{} bytes", shown.len());
        assert!(shown.contains("q.cql:1:7"), "{shown}");
    }

    #[test]
    fn the_same_failure_is_reported_for_a_few_games() {
        let fault = |number: u64, message: &str| GameFault {
            number,
            line: number,
            offset: number,
            kind: FaultKind::Evaluation,
            message: message.to_owned(),
            part: None,
        };
        let mut faults = GameFaults::new("g.pgn");
        let many: Vec<GameFault> = (1..=7).map(|n| fault(n, "division")).collect();
        assert_eq!(faults.add("g.pgn", &many).lines().count(), 3);
        assert_eq!(faults.add("g.pgn", &[fault(8, "another")]).lines().count(), 1);
        assert_eq!(
            faults.summary(),
            "g.pgn: and 4 more faults\nfaulty games: 8 on which the query failed\n"
        );
    }

    #[test]
    fn games_are_named_up_to_a_limit() {
        let fault = |number, kind| GameFault {
            number,
            line: number * 10,
            offset: number * 100,
            kind,
            message: "no result".to_owned(),
            part: None,
        };
        let mut faults = GameFaults::new("g.pgn");
        assert_eq!(faults.summary(), "");
        assert_eq!(
            faults.add("g.pgn", &[fault(3, FaultKind::Repaired)]),
            "g.pgn:30: game 3 (byte 300): no result; the game was kept\n"
        );
        assert_eq!(faults.summary(), "faulty games: 1 read as far as possible\n");
        let many: Vec<GameFault> = (4..20).map(|n| fault(n, FaultKind::Skipped)).collect();
        assert_eq!(faults.add("g.pgn", &many).lines().count(), 9);
        assert!(faults.in_file() && !faults.in_program());
        // A second issue of the last game.
        faults.add("g.pgn", &[fault(19, FaultKind::Skipped), fault(20, FaultKind::Internal)]);
        assert!(faults.in_program());
        assert_eq!(
            faults.summary(),
            "g.pgn: and 9 more faults\nfaulty games: 1 read as far as possible, 16 left out, \
             1 on which cql failed\n"
        );
        // Issues of evaluation count in addition to those of the text.
        assert!(!faults.in_query() && !faults.in_output());
        faults.add(
            "g.pgn",
            &[
                fault(21, FaultKind::Repaired),
                fault(21, FaultKind::Cut),
                fault(21, FaultKind::Limit),
                fault(22, FaultKind::Cut),
                fault(22, FaultKind::Repaired),
                fault(22, FaultKind::Truncated),
            ],
        );
        assert!(faults.in_query() && faults.beyond_limits() && faults.in_output());
        assert_eq!(faults.n_games(), 20);
        assert_eq!(
            faults.summary(),
            "g.pgn: and 15 more faults\nfaulty games: 1 read as far as possible, 2 read in part, \
             16 left out, 1 written in part, 1 on which the query exceeds a limit, 1 on which cql \
             failed\n"
        );
    }
}
