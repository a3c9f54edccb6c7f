//! The games that a command line names.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, context};
use crate::interrupt;
use crate::visible::visible_name;
use input::{How, Inputs};

/// Finds the files that names mean, and says which of them are the same.
pub(crate) fn find<'o>(
    names: &[PathBuf],
    how: How,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Inputs, Failure> {
    let inputs = Inputs::find(names, how, outputs, interrupt::cancel());
    let inputs = inputs.ok_or(Failure::Interrupted)?;
    for (name, first) in inputs.repeated() {
        let [name, first] = [name, first].map(|path| path.display().to_string());
        let (name, first) = (visible_name(&name), visible_name(&first));
        match name == first {
            true => tell_line!("{name} is named more than once, and searched once"),
            false => tell_line!("{name} is the same file as {first}, and searched once"),
        }
    }
    Ok(inputs)
}

/// The same, where every name must mean something.
pub(crate) fn find_all(names: &[PathBuf], how: How) -> Result<Inputs, Failure> {
    let inputs = find(names, how, None)?;
    match inputs.missing() {
        Some(missing) => Err(Failure::Message(missing.to_string())),
        None => Ok(inputs),
    }
}

/// Keeps what can be read only once, so that the games can be read again.
pub(crate) fn keep(inputs: &mut Inputs) -> Result<(), Failure> {
    let name = inputs.name().to_owned();
    let kept = inputs.keep();
    kept.map_err(|error| context(format!("cannot read {name}"), &error))
}
