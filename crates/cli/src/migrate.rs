//! `cql migrate FILE`: a query of an older generation as CQL 6.2, on standard output.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::{Failure, context};
use crate::report::{Reporter, SourceText};

/// Prints the translation, or what stands in its way.
pub(crate) fn migrate(file: &Path) -> Result<(), Failure> {
    let text = fs::read(file)
        .map_err(|error| context(format!("cannot read {}", file.display()), &error))?;
    let (output, result) = match syntax::migrate::migrate(&text, None) {
        Ok(migrated) => (migrated, Ok(())),
        Err(diagnostics) => {
            let name = file.display().to_string();
            let reporter = Reporter::new(&[SourceText { name, text }]);
            let mut shown = String::new();
            for diagnostic in &diagnostics {
                shown += &reporter.render(diagnostic);
                shown.push('\n');
            }
            (shown.into_bytes(), Err(Failure::Reported))
        }
    };
    match io::stdout().lock().write_all(&output) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(context("cannot write to standard output", &error))
        }
        _ => result,
    }
}
