//! `cql migrate FILE`: prints a query of an older dialect as CQL 6.2.

use std::path::PathBuf;

use engine::{CompileOptions, Severity};
use syntax::dialect::dialect_of;
use syntax::parse::Source;

use super::text;
use crate::failure::Failure;
use crate::report::ReportStyle;

/// Print a CQL 5 or classic query as CQL 6.2
///
/// A query in CQL 6.2 is printed unchanged. If a part of the query has no equivalent that certainly
/// means the same, or the query could not run, that is an error, and nothing is printed.
#[derive(clap::Args)]
pub(super) struct MigrateArgs {
    /// The query to translate; - is standard input
    query: PathBuf,
    #[command(flatten)]
    look: ReportStyle,
}

/// Prints the translation, or the errors that prevent it.
pub(super) fn run(arguments: &MigrateArgs) -> Result<(), Failure> {
    let source = text::read(&arguments.query)?;
    let compiled = engine::compile(&source.as_source(), &[], &CompileOptions::default());
    if compiled.program.is_none() {
        let mut errors = compiled.diagnostics;
        errors.retain(|d| d.severity == Severity::Error);
        return Err(text::complain(source, &errors, arguments.look));
    }
    match syntax::migrate::migrate(&source.text, dialect_of(&source.text)) {
        Ok(migrated) => {
            within_limits(&migrated.text)?;
            text::print(&migrated.text)
        }
        Err(diagnostics) => Err(text::complain(source, &diagnostics, arguments.look)),
    }
}

/// Checks the limits of a translation. It can need more than the original, for instance if images
/// of squares are computed in every image of a transform.
fn within_limits(migrated: &[u8]) -> Result<(), Failure> {
    let query = Source { name: "the translation", text: migrated };
    let compiled = engine::compile(&query, &[], &CompileOptions::default());
    let mut errors = compiled.diagnostics.into_iter();
    match errors.find(|d| d.severity == Severity::Error) {
        Some(error) => Err(Failure::Message(format!(
            "the translation of the query into CQL 6.2 would not run: {}",
            error.message
        ))),
        None => Ok(()),
    }
}
