//! Libraries of CQL functions for `import "NAME"`.

/// A text with functions to import.
#[derive(Debug, PartialEq, Eq)]
pub struct Library {
    /// The name in `import`.
    pub name: &'static str,
    /// Definitions of functions only.
    pub text: &'static str,
}

/// All libraries.
pub static LIBRARIES: [Library; 1] =
    [Library { name: "themes", text: include_str!("library/themes.cql") }];

impl Library {
    /// Returns the library with a name.
    pub fn named(name: &[u8]) -> Option<&'static Library> {
        let mut all = LIBRARIES.iter();
        all.find(|library| library.name.as_bytes() == name)
    }

    /// Returns the functions without parameters, each with the comment before it.
    pub fn functions(&self) -> impl Iterator<Item = (&'static str, String)> {
        let mut comment = Vec::new();
        self.text.lines().filter_map(move |line| {
            if let Some(text) = line.strip_prefix("; ") {
                comment.push(text);
                return None;
            }
            let says = std::mem::take(&mut comment).join(" ");
            let name = line.strip_prefix("function ")?.strip_suffix("() {")?;
            Some((name, says))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_a_sentence() {
        for library in &LIBRARIES {
            assert_eq!(Library::named(library.name.as_bytes()), Some(library));
            let functions: Vec<_> = library.functions().collect();
            assert!(functions.len() > 10);
            for (name, says) in functions {
                assert!(says.ends_with('.') && !says.contains("----"), "{name}: {says}");
            }
        }
        assert_eq!(Library::named(b"theme"), None);
    }

    #[test]
    fn the_cookbook_has_every_theme() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/cookbook/themes.md");
        let page = std::fs::read_to_string(page).expect("a page");
        let themes = Library::named(b"themes").expect("the library");
        for (name, says) in themes.functions() {
            let mut says = says.trim_end_matches('.').to_owned();
            says[..1].make_ascii_lowercase();
            let row = format!("| `{name}()` | {says} |");
            assert!(page.contains(&row), "{row}");
        }
    }
}
