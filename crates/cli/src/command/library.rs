//! Queries of the theme library: `themes:fork` is one of its functions, `themes:*` all of them.

use std::path::Path;

use syntax::library::Library;
use syntax::parse::nearest;

use crate::report::SourceText;
use crate::search::several::NamedQuery;

/// Whether a name refers to functions of a library.
pub(super) fn is_named(name: &Path) -> bool {
    split(name).is_some()
}

fn split(name: &Path) -> Option<(&'static Library, &str)> {
    let (library, function) = name.to_str()?.split_once(':')?;
    Some((Library::named(library.as_bytes())?, function))
}

/// Returns the queries that a name refers to; `None` if it does not name a library.
pub(super) fn queries(name: &Path) -> Option<Result<Vec<NamedQuery>, String>> {
    let (library, wanted) = split(name)?;
    let functions: Vec<&str> = library.functions().map(|(function, _)| function).collect();
    let found: Vec<NamedQuery> = functions
        .iter()
        .filter(|function| match wanted {
            "*" => library.alias_of(function).is_none(),
            wanted => wanted == **function,
        })
        .map(|function| NamedQuery {
            name: (*function).to_owned(),
            source: SourceText {
                name: format!("{}:{function}", library.name),
                text: format!("cql() theme(\"{function}\")\n").into_bytes(),
            },
        })
        .collect();
    if !found.is_empty() {
        return Some(Ok(found));
    }
    let mut message = format!("{} has no theme `{wanted}`", library.name);
    match nearest(wanted, functions) {
        Some(near) => message += &format!("; did you mean {}:{near}?", library.name),
        None => message += &format!("; {}:* stands for all themes", library.name),
    }
    Some(Err(message))
}
