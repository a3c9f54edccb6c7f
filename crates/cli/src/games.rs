//! The games that a command line names.

use std::path::{Path, PathBuf};

use archive::Archive;
pub(crate) use archive::beside as archive_beside;
use archived::{Games, NotFound, Piece, Stretch, Unused};

use crate::args::is_query_file;
use crate::failure::{Failure, context};
use crate::interrupt;
use crate::output::Originals;
use crate::visible::visible_name;
use input::{How, Inputs};

/// The archive that a name of the user's means, if it ends as those of archives do.
pub(crate) fn archive(name: &Path) -> Result<Option<Archive>, Failure> {
    archived::archive(name, Some(interrupt::cancel())).map_err(not_found)
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

/// Says that an archive is not used, and why.
pub(crate) fn tell_unused(unused: &Unused) {
    let Unused { archive, reason } = unused;
    let archive = visible_name(archive);
    tell_line!("{archive}: {reason}; the text is searched");
}

/// The stretches of games, by archives or by their text; a line says which archives are not used.
pub(crate) fn stretches(games: &Games, only_named: bool) -> Vec<Stretch<'_>> {
    games.stretches(only_named, interrupt::cancel(), &mut tell_unused)
}

/// Finds the files that names mean, those of archives among them, and says which of them are the
/// same.
pub(crate) fn find<'o>(
    names: &[PathBuf],
    how: How,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Inputs, Failure> {
    find_with_archives(names, how, outputs).map(|games| games.inputs)
}

/// The same, with the archives.
pub(crate) fn find_with_archives<'o>(
    names: &[PathBuf],
    how: How,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Games, Failure> {
    if let Some(query) = names.iter().find(|name| is_query_file(name.as_os_str())) {
        let name = query.display().to_string();
        let name = visible_name(&name);
        let message = format!("expected games, found the query {name}");
        return Err(Failure::Message(message));
    }
    let games = Games::find(names, how, outputs, interrupt::cancel()).map_err(not_found)?;
    refuse_stdout_in(&games)?;
    for (name, first) in games.inputs.repeated() {
        let [name, first] = [name, first].map(|path| remote::shown(path));
        let (name, first) = (visible_name(&name), visible_name(&first));
        match name == first {
            true => tell_line!("{name} is named more than once, and searched once"),
            false => tell_line!("{name} is the same file as {first}, and searched once"),
        }
    }
    Ok(games)
}

/// Refuses standard output that is one of the files that are read: results would come into it.
pub(crate) fn refuse_stdout(read: &Originals) -> Result<(), Failure> {
    let refused = read.refuse_stdout();
    refused.map_err(|error| Failure::OutputIsRead(error.to_string()))
}

/// Refuses standard output that is the file of the query, or standard input for `-`.
pub(crate) fn refuse_stdout_in_query(path: &Path) -> Result<(), Failure> {
    let mut read = Originals::default();
    match path == Path::new("-") {
        true => read.add_stdin(),
        false => read.add(path),
    }
    refuse_stdout(&read)
}

/// Refuses standard output that is one of the files which names mean, before anything is written
/// there. The search itself reports names without games.
pub(crate) fn refuse_stdout_in_games(names: &[PathBuf]) -> Result<(), Failure> {
    if !input::stdout_is_file() {
        return Ok(());
    }
    let games = Games::find(names, How::default(), None, interrupt::cancel());
    games.map_or(Ok(()), |games| refuse_stdout_in(&games))
}

/// Refuses standard output that is one of the files of games, or of the archives beside them.
fn refuse_stdout_in(games: &Games) -> Result<(), Failure> {
    if !input::stdout_is_file() {
        return Ok(());
    }
    let mut read = games.inputs.originals();
    let files = games.inputs.paths().flatten();
    files.for_each(|file| read.add_folder(&archive_beside(file)));
    refuse_stdout(&read)
}

/// A piece of a whole.
pub(crate) fn piece(piece: &Piece, how: How) -> Result<Games, Failure> {
    let games = Games::of_pieces(piece.name(), [piece.clone()], how, interrupt::cancel());
    let games = games.map_err(not_found)?;
    refuse_stdout_in(&games)?;
    Ok(games)
}

/// The same as [`find`], where every name must mean something.
pub(crate) fn find_all(names: &[PathBuf], how: How) -> Result<Inputs, Failure> {
    find_all_with_archives(names, how).map(|games| games.inputs)
}

/// The same, with the archives.
pub(crate) fn find_all_with_archives(names: &[PathBuf], how: How) -> Result<Games, Failure> {
    let games = find_with_archives(names, how, None)?;
    match games.inputs.missing() {
        Some(missing) => Err(Failure::Message(missing.to_string())),
        None => Ok(games),
    }
}

/// Keeps what can be read only once, so that the games can be read again.
pub(crate) fn keep(inputs: &mut Inputs) -> Result<(), Failure> {
    let name = inputs.name().to_owned();
    let kept = inputs.keep();
    kept.map_err(|error| context(format!("cannot read {name}"), &error))
}
