//! Writes queries in another spelling or as web pages.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use syntax::convert::{html, to_ascii, to_unicode};
use syntax::{SourceId, lex};

use crate::closed::Stdout;
use crate::failure::{Failure, context};
use crate::output::{Originals, Replace, Rules, replace_file};

/// The byte order mark that some editors write at the start of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// `-a` and `-u`: changes a query file in place. Like the reference, it removes a byte order mark,
/// and fails if the text cannot be split into tokens.
pub(crate) fn in_place(file: &Path, unicode: bool) -> Result<(), Failure> {
    let text = read(file)?;
    let query = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    if !lex(SourceId(0), query).is_tokenized() {
        let name = file.display();
        let message = format!("{name} is unchanged: parts of it are not CQL");
        return Err(Failure::Message(message));
    }
    let respelled = if unicode { to_unicode(query) } else { to_ascii(query) };
    if respelled == text {
        return Ok(());
    }
    write(file, &respelled, Replace::Anything, None)
}

/// `-utf8`: writes a query in Unicode spelling to a file or to standard output.
pub(crate) fn utf8(file: &Path, output: Option<&Path>, force: bool) -> Result<(), Failure> {
    let text = to_unicode(&read(file)?);
    match output {
        Some(output) => write(output, &text, Replace::forced(force, Replace::Queries), Some(file)),
        None => match Stdout::new().write_all(&text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(context("cannot write to standard output", &error))
            }
            _ => Ok(()),
        },
    }
}

/// `-html`: writes a query as a web page into the current directory.
pub(crate) fn page(file: &Path, force: bool) -> Result<PathBuf, Failure> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let page = PathBuf::from(format!("{stem}-cql.html"));
    let replace = Replace::forced(force, Replace::Pages);
    write(&page, &html(&read(file)?, &stem), replace, Some(file))?;
    Ok(page)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| context(format!("cannot read {}", file.display()), &error))
}

/// Writes a file. It must not be `read`, the file that was read, which is `None` for a change in
/// place.
fn write(
    file: &Path,
    text: &[u8],
    replace: Replace<'_>,
    read: Option<&Path>,
) -> Result<(), Failure> {
    let mut originals = Originals::default();
    read.iter().for_each(|read| originals.add(read));
    replace_file(file, text, Rules::new(replace, &originals))
        .map_err(|error| context(format!("cannot write {}", file.display()), &error))
}
