//! Makes a search of the options of the command line, and a failure of its errors.

use std::io;
use std::sync::Arc;

use babson::{Query, SearchError, Selection};
use engine::{Program, TooManySteps};
use table::Table;

use super::watch::StopCause;
use crate::failure::{Failure, context};
use crate::files::{FileRules, SandboxedFiles};
use crate::output::OutputArgs;
use crate::programs::ExternalPrograms;
use input::Inputs;

/// Rights and wishes that all queries of a search share.
pub(crate) struct Common<'a> {
    pub(crate) outputs: &'a OutputArgs,
    /// Rules for the files that queries may read and write.
    pub(crate) file_rules: FileRules,
    /// External programs that the queries use.
    pub(crate) programs: Option<Arc<ExternalPrograms>>,
}

impl Common<'_> {
    /// Returns a query whose matching games become rows of `table`.
    pub(crate) fn query(&self, program: &Arc<Program>, table: &Table) -> Query {
        let rules = self.file_rules.clone();
        let mut query = Query::new(program.clone())
            .with_table(table)
            .with_files(move || Box::new(SandboxedFiles::new(rules.clone())))
            .with_selection(Selection {
                limit: self.outputs.limit,
                sample: self.outputs.sample.map(|n| (n, self.outputs.seed.unwrap_or_default())),
                is_unsorted: false,
            });
        if let Some(programs) = self.programs.clone() {
            query = query.with_programs(move || programs.of_worker());
        }
        if self.outputs.exclude { query.with_complement() } else { query }
    }
}

/// Place of a search, for messages about its errors.
pub(crate) struct Context {
    /// Whether results go to standard output.
    pub(crate) is_stdout: bool,
    /// Description of the activity.
    pub(crate) what: String,
}

impl Context {
    /// Returns the place of a search whose results stay in the program.
    pub(crate) fn reading(inputs: &Inputs) -> Context {
        Context { is_stdout: false, what: format!("reading {}", inputs.name()) }
    }

    /// Converts an error of writing the results to `name`.
    pub(crate) fn unwritten(&self, name: &str, error: &io::Error) -> Failure {
        if self.is_closed(error) {
            return Failure::Closed;
        }
        context(format!("cannot write {name}"), error)
    }

    /// Whether the error means that the reader of standard output has gone.
    fn is_closed(&self, error: &io::Error) -> bool {
        self.is_stdout && error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Converts the error of a search.
    pub(crate) fn failure(&self, error: SearchError) -> Failure {
        match error {
            SearchError::GivenUp => Failure::Message(given_up()),
            SearchError::Cancelled(_) => Failure::Interrupted,
            SearchError::Failed(error) => match error.get_ref() {
                _ if self.is_closed(&error) => Failure::Closed,
                Some(inner) if inner.is::<StopCause>() => Failure::Message(inner.to_string()),
                _ => context(self.what.as_str(), &error),
            },
            _ => Failure::Message(error.to_string()),
        }
    }
}

/// Returns the message about a query that takes too many steps.
pub(crate) fn given_up() -> String {
    format!("{TooManySteps} (--limits steps=N)")
}
