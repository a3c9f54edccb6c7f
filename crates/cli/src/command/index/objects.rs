//! Exports the games of archives as JSON, one object per line.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::{GameSet, Query, ScanPlan, Search};
use engine::CompileOptions;
use table::{OutputFormat, Table, TableOptions};

use super::IndexArgs;
use crate::command::counting::Watcher;
use crate::command::text;
use crate::console::{Console, StderrSink};
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{Destination, OutputArgs, OutputTarget};
use crate::report::{ReportStyle, SourceText};
use crate::search::pass::Context;

/// Writes the games of archives, or those that are chosen, as objects. Returns their number.
pub(super) fn export(
    arguments: &IndexArgs,
    folders: &[PathBuf],
    target: &Path,
    chosen: Option<Arc<GameSet>>,
) -> Result<u64, Failure> {
    let found = games::find_all_with_archives(folders, arguments.reading.how()?)?;
    let groups = games::groups(&found, true);
    let plan = ScanPlan { inputs: &found.inputs, groups: &groups };
    let query = SourceText::new("all games", "cql() true");
    let program = text::compile(&[query], &CompileOptions::default(), ReportStyle::default())?;
    let options = TableOptions { format: OutputFormat::JsonGames, ..TableOptions::default() };
    let table = Table::new(&program, &options);
    let table = table.map_err(|error| Failure::Message(error.to_string()))?;
    let query = Query::new(program).with_table(&table);
    let outputs = OutputArgs::default();
    let originals = found.inputs.originals();
    let place = OutputTarget::File(target);
    let mut output = Destination::new(&originals, &place, &outputs, &table, &query)?;
    let search = Search::new(&plan, [query])
        .threads(arguments.reading.threads())
        .choosing(chosen)
        .cancel(interrupt::cancel());
    let mut watcher = Watcher::new(&found.inputs, arguments.progress);
    watcher.start();
    let mut n_games = 0;
    let searched = search.run(&mut games::tell_unused, &mut |mut chunk| {
        let results = chunk.output.results.pop().unwrap_or_default();
        watcher.see(&chunk.output, &chunk.output.faults);
        n_games += results.matches.len() as u64;
        output.add(results, chunk.output.n_games)?;
        Ok(ControlFlow::Continue(()))
    });
    watcher.stop();
    searched.map_err(|error| Context::reading(&found.inputs).failure(error))?;
    let written = output.finish(&mut Console::new(StderrSink));
    written.map_err(|error| context(format!("cannot write {}", target.display()), &error))?;
    tell!("{}", watcher.summary());
    Ok(n_games)
}
