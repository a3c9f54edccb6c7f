//! `cql migrate FILE`: a query of an older generation as CQL 6.2, on standard output.

use std::path::PathBuf;

use super::text;
use crate::failure::Failure;
use crate::report::Look;

/// Print a CQL 5 or classic query as CQL 6.2
///
/// A query in CQL 6.2 comes out as it is. What has no equivalent that is sure to mean the same is
/// an error, and nothing is printed.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The query to translate; - is standard input
    query: PathBuf,
    #[command(flatten)]
    look: Look,
}

/// Prints the translation, or what stands in its way.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let source = text::read(&arguments.query)?;
    match syntax::migrate::migrate(&source.text, None) {
        Ok(migrated) => text::print(&migrated),
        Err(diagnostics) => Err(text::complain(source, &diagnostics, arguments.look)),
    }
}
