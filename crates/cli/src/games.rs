//! Finds the games that a command line names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use archive::Archive;
pub(crate) use archive::beside as archive_beside;
use babson::{Games, InputGroup, NotFound, Partition, UnusedArchive};

use crate::args::is_query_file;
use crate::failure::{Failure, context};
use crate::interrupt;
use crate::output::Originals;
use crate::visible::visible_name;
use input::{Inputs, ReadOptions, Remarks};

/// Remarks about the games that were found.
static REMARKS: Mutex<Vec<Remarks>> = Mutex::new(Vec::new());

/// Maximum number of remarks in a report: a folder may hold thousands of results.
const MOST_REMARKS: usize = 10;

/// Reports what a user may want to know about the games that were read, such as deleted ones.
pub(crate) fn tell_remarks() {
    let all = std::mem::take(&mut *REMARKS.lock().unwrap_or_else(PoisonError::into_inner));
    let mut remarks = all.iter().flat_map(Remarks::take);
    for remark in remarks.by_ref().take(MOST_REMARKS) {
        tell_line!("{}", visible_name(&remark));
    }
    match remarks.count() {
        0 => {}
        n => tell_line!("and {} more", table::counted(n as u64, "remark")),
    }
}

/// Opens the archive with this name; `None` if the name is not that of an archive.
pub(crate) fn archive(name: &Path) -> Result<Option<Archive>, Failure> {
    babson::archive(name, Some(interrupt::cancel())).map_err(not_found)
}

fn not_found(why: NotFound) -> Failure {
    match why {
        NotFound::Cancelled => Failure::Interrupted,
        NotFound::Archive(name, error) => {
            let name = remote::shown(&name);
            Failure::Message(format!("{}: {error}", visible_name(&name)))
        }
    }
}

/// Reports an archive that is not used, and why.
pub(crate) fn tell_unused(unused: &UnusedArchive) {
    tell_line!("{}: {}", visible_name(&unused.archive), unused.message());
}

/// Returns the runs of inputs, each searched through an archive or as text. Reports the archives
/// that are not used.
pub(crate) fn groups(games: &Games, only_named: bool) -> Vec<InputGroup<'_>> {
    games.groups(only_named, interrupt::cancel(), &mut tell_unused)
}

/// Finds the files for these names, including those of archives, and reports files that are named
/// more than once.
pub(crate) fn find<'o>(
    names: &[PathBuf],
    how: ReadOptions,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Inputs, Failure> {
    find_with_archives(names, how, outputs).map(|games| games.inputs)
}

/// Finds the files like [`find`], and returns their archives as well.
pub(crate) fn find_with_archives<'o>(
    names: &[PathBuf],
    how: ReadOptions,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Games, Failure> {
    let games = resolve(names, how, outputs)?;
    for (name, first) in games.inputs.repeated() {
        let [name, first] = [name, first].map(|path| remote::shown(path));
        let (name, first) = (visible_name(&name), visible_name(&first));
        if name == first {
            tell_line!("{name} is given more than once; searching it once")
        } else {
            tell_line!("{name} is the same file as {first}; searching it once")
        }
    }
    Ok(games)
}

/// Finds the files and their archives, but does not report files that are named more than once.
pub(crate) fn resolve<'o>(
    names: &[PathBuf],
    how: ReadOptions,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Games, Failure> {
    if let Some(query) = names.iter().find(|name| is_query_file(name.as_os_str())) {
        let name = query.display().to_string();
        let name = visible_name(&name);
        let message = format!("expected games, found the query {name}");
        return Err(Failure::Message(message));
    }
    let games = Games::find(names, how, outputs, interrupt::cancel()).map_err(not_found)?;
    REMARKS.lock().unwrap_or_else(PoisonError::into_inner).push(games.inputs.remarks());
    refuse_stdout_in(&games)?;
    Ok(games)
}

/// Refuses a standard output that is one of the files that are read: results would be written into
/// it.
pub(crate) fn refuse_stdout(read: &Originals) -> Result<(), Failure> {
    let refused = read.refuse_stdout();
    refused.map_err(|error| Failure::OutputIsRead(error.to_string()))
}

/// Refuses a standard output that is the query file, or standard input for `-`.
pub(crate) fn refuse_stdout_in_query(path: &Path) -> Result<(), Failure> {
    let mut read = Originals::default();
    if path == Path::new("-") {
        read.add_stdin()
    } else {
        read.add(path)
    }
    refuse_stdout(&read)
}

/// Refuses a standard output that is one of the files for these names, before anything is written
/// there. Names without games are not an error here; the search reports them.
pub(crate) fn refuse_stdout_in_games(names: &[PathBuf]) -> Result<(), Failure> {
    if !input::stdout_is_file() {
        return Ok(());
    }
    let games = Games::find(names, ReadOptions::default(), None, interrupt::cancel());
    games.map_or(Ok(()), |games| refuse_stdout_in(&games))
}

/// Refuses a standard output that is one of the files of games or of the archives next to them.
fn refuse_stdout_in(games: &Games) -> Result<(), Failure> {
    if !input::stdout_is_file() {
        return Ok(());
    }
    let mut read = games.inputs.originals();
    let files = games.inputs.paths().flatten();
    files.for_each(|file| read.add_folder(&archive_beside(file)));
    refuse_stdout(&read)
}

/// Finds the games of one part of a search.
pub(crate) fn piece(piece: &Partition, how: ReadOptions) -> Result<Games, Failure> {
    let games = Games::of_pieces(piece.name(), [piece.clone()], how, interrupt::cancel());
    let games = games.map_err(not_found)?;
    refuse_stdout_in(&games)?;
    Ok(games)
}

/// Finds the files like [`find`], but fails if a name matches nothing.
pub(crate) fn find_all(names: &[PathBuf], how: ReadOptions) -> Result<Inputs, Failure> {
    find_all_with_archives(names, how).map(|games| games.inputs)
}

/// Finds the files like [`find_all`], and returns their archives as well.
pub(crate) fn find_all_with_archives(
    names: &[PathBuf],
    how: ReadOptions,
) -> Result<Games, Failure> {
    let games = find_with_archives(names, how, None)?;
    match games.inputs.missing() {
        Some(missing) => Err(Failure::Message(missing.to_string())),
        None => Ok(games),
    }
}

/// Saves inputs that can be read only once, so that the games can be read again.
pub(crate) fn keep(inputs: &mut Inputs) -> Result<(), Failure> {
    let name = inputs.name().to_owned();
    let kept = inputs.keep();
    kept.map_err(|error| context(format!("cannot read {name}"), &error))
}

/// Returns a text that advises `cql doctor`, with a search in place of it if games were read that are not in
/// PGN, which doctor does not examine.
pub(crate) fn advised(text: &str, inputs: &Inputs) -> String {
    let instead = "`cql GAMES -cql true --count`";
    if inputs.remarks().has_lines() {
        text.replace("`cql doctor`", instead)
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::InputFormat;

    #[test]
    fn archives_are_named_after_games_of_every_format() {
        for extension in InputFormat::extensions().chain(input::DATABASES) {
            for packing in input::COMPRESSED.iter().chain(&input::ARCHIVES).chain(&[""]) {
                let games = format!("games.{extension}.{packing}");
                let games = games.trim_end_matches('.');
                assert_eq!(archive_beside(Path::new(games)), Path::new("games.cqa"), "{games}");
            }
        }
    }
}
