//! Queries of the theme library: `themes:fork` is one of its functions, `themes:*` all of them.

use std::path::Path;

use syntax::library::{THEMES, Theme};
use syntax::parse::theme_named;

use crate::report::SourceText;
use crate::search::several::NamedQuery;

/// Whether a name refers to themes of the library.
pub(super) fn is_named(name: &Path) -> bool {
    wanted(name).is_some()
}

fn wanted(name: &Path) -> Option<&str> {
    let (library, theme) = name.to_str()?.split_once(':')?;
    (library == THEMES.name).then_some(theme)
}

/// Returns the queries that a name refers to; `None` if it does not name the library.
pub(super) fn queries(name: &Path) -> Option<Result<Vec<NamedQuery>, String>> {
    let themes = match wanted(name)? {
        "*" => Ok(Theme::distinct().collect()),
        wanted => theme_named(wanted)
            .map(|theme| vec![theme])
            .map_err(|unknown| format!("{unknown} ({}:* stands for all themes)", THEMES.name)),
    };
    Some(themes.map(|themes| themes.into_iter().map(query).collect()))
}

/// Returns the query for a theme.
fn query(theme: Theme) -> NamedQuery {
    let name = theme.name();
    NamedQuery {
        name: name.to_owned(),
        source: SourceText::new(
            format!("{}:{name}", THEMES.name),
            format!("cql() theme(\"{name}\")\n"),
        ),
    }
}
