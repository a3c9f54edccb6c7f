//! `cql explain QUERY`: what a query means, in words, and how it will be evaluated.

mod plan;

use std::path::PathBuf;

use engine::{CompileOptions, Severity};
use syntax::parse::Source;

use super::check::DialectArgument;
use super::text;
use crate::failure::Failure;

/// Say in words what a query means, and how it will be evaluated
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The query to explain; - is standard input
    #[arg(value_hint = clap::ValueHint::FilePath)]
    query: PathBuf,
    #[command(flatten)]
    dialect: DialectArgument,
}

/// Prints the explanation.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let source = text::read(&arguments.query)?;
    let options = CompileOptions {
        dialect: arguments.dialect.get(),
        ..CompileOptions::default()
    };
    let query = Source {
        name: &source.name,
        text: &source.text,
    };
    let compiled = engine::compile(&query, &[], &options);
    let Some(program) = compiled.program else {
        let mut errors = compiled.diagnostics;
        errors.retain(|d| d.severity == Severity::Error);
        return Err(text::complain(source, &errors));
    };
    text::print(plan::words(&program.plan()).as_bytes())
}
