//! Explains queries, diagnostics and words:
//!
//! - `cql explain QUERY`: the meaning of a query in words, and how it will be evaluated
//! - `cql explain QUERY GAMES`: the number of games that remain after each condition
//! - `cql explain CODE`: the meaning of the code of a diagnostic
//! - `cql explain WORD`: the entry of the manual for a word

mod asked;
mod passage;

use std::path::{Path, PathBuf};

use engine::{CompileOptions, Severity};
use ide::in_words;
use syntax::diagnostic::table;
use syntax::dialect::dialect_of;

use super::check::DialectArgument;
use super::{text, words};
use crate::failure::Failure;
use crate::report::{self, ReportStyle, SourceText};
use crate::terminal;

/// Explain a query in words and show how it is evaluated
///
/// The meaning is an outline with a sentence for each filter, its line in the query on the left and
/// its type in brackets. A query in CQL 5 or classic CQL is explained by its translation, as far as
/// it has one; a `relation` between two positions is explained in separate sentences.
///
/// With games, count instead how many games and positions remain after each condition of the query,
/// which shows the condition that a query without matches fails on. No output is written.
///
/// With the code of an error or warning, such as E0203, or a word of the language and no games, explain
/// that with an example. If there is a file of that name, it is read as a query.
#[derive(clap::Args)]
pub(super) struct ExplainArgs {
    /// Query, word, or code such as E0203; or - for standard input
    ///
    /// A query is a file, or its text: cql explain 'mate castle'
    #[arg(required_unless_present = "cql", value_hint = clap::ValueHint::FilePath)]
    query: Option<PathBuf>,
    /// Games to search
    ///
    /// Games are files, directories, patterns, or - for standard input.
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Explain these filters, which are in no file
    #[arg(long, alias = "query", value_name = "FILTERS")]
    cql: Option<String>,
    #[command(flatten)]
    passage: passage::PassageArguments,
    #[command(flatten)]
    dialect: DialectArgument,
    #[command(flatten)]
    look: ReportStyle,
}

impl ExplainArgs {
    /// Returns the first argument, unless it is the name of games: that of filters is an option.
    fn first(&self) -> Option<&Path> {
        self.query.as_deref().filter(|_| self.cql.is_none())
    }

    /// Returns the first argument if it is not a file, but perhaps a word of the language, or a
    /// query.
    fn word(&self) -> Option<&str> {
        let first = self.first()?;
        let is_file = first == Path::new("-") || text::file_of(first).exists();
        first.to_str().filter(|_| !is_file)
    }

    /// Returns the games. After filters, the first argument is the name of games, too.
    fn games(&self) -> Vec<PathBuf> {
        let first = self.query.iter().filter(|_| self.cql.is_some());
        let games: Vec<PathBuf> = first.chain(&self.games).cloned().collect();
        self.passage.games(&games)
    }

    /// Reads the query.
    fn source(&self) -> Result<SourceText, Failure> {
        match self.first() {
            Some(query) => text::read_or_take(query),
            // Without an argument there are filters.
            None => Ok(SourceText::argument("-cql", self.cql.as_deref().unwrap_or_default())),
        }
    }

    /// Returns an argument as a query, if it is one.
    fn written(&self, words: &str) -> Option<SourceText> {
        let options = CompileOptions { dialect: self.dialect.get(), ..CompileOptions::default() };
        let source = SourceText::argument("query", words);
        let is_correct = source.compile(&[], &options).program.is_some();
        (is_correct || text::of_text(Path::new(words)).is_some()).then_some(source)
    }
}

/// Prints the explanation.
pub(super) fn run(arguments: &ExplainArgs) -> Result<(), Failure> {
    let first = arguments.first();
    if let Some(code) = first.and_then(Path::to_str).filter(|text| table::is_code(text)) {
        let text = report::explain(code).map_err(Failure::Message)?;
        return text::show(&text);
    }
    let games = arguments.games();
    if first == Some(Path::new("-")) && games.iter().any(|name| name == Path::new("-")) {
        let message = "standard input cannot hold both the query and the games";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut written = None;
    if let Some(word) = arguments.word() {
        // With games, the word is a query of its own.
        if let Some(entry) = words::entry(word).filter(|_| games.is_empty()) {
            return text::print(entry.as_bytes());
        }
        written = arguments.written(word);
        if let Some(near) = words::nearest(word).filter(|_| written.is_none()) {
            return Err(Failure::Message(format!(
                "there is no query or word '{word}'; did you mean `cql explain {near}`?"
            )));
        }
    }
    let source = written.map_or_else(|| arguments.source(), Ok)?;
    let options = CompileOptions {
        dialect: arguments.dialect.get(),
        limits: arguments.passage.limits()?,
        ..CompileOptions::default()
    };
    let compiled = source.compile(&[], &options);
    let Some(program) = compiled.program else {
        let mut errors = compiled.diagnostics;
        errors.retain(|d| d.severity == Severity::Error);
        return Err(text::complain(source, &errors, arguments.look));
    };
    if !games.is_empty() {
        return arguments.passage.run(&source, &options, &compiled.header, &games, &program);
    }
    let dialect = options.dialect.unwrap_or_else(|| dialect_of(&source.text));
    let width = terminal::prose_width(in_words::WIDTH);
    let meaning = in_words::meaning(&source.text, dialect, width);
    text::show(&format!("{meaning}\n{}", in_words::plan(&program.plan(), width)))
}
