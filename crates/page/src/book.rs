//! The pages of the book that the studio shows next to a query.

use serde_json::Value;

use crate::RequestError;

/// The pages with their groups, in the order of the book.
const PAGES: &[(&str, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Returns the contents of the book: each page with its title and headings.
pub fn contents() -> Value {
    let pages = PAGES.iter().map(|&(group, name, text)| {
        let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
        object! {
            "group": group, "page": name, "title": title(text),
            "headings": headings.collect::<Vec<&str>>(),
        }
    });
    pages.collect()
}

fn title(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
}

/// Returns the name of the page of a group that has this title.
pub(crate) fn named(group: &str, wanted: &str) -> Option<&'static str> {
    let found = PAGES.iter().find(|page| page.0 == group && title(page.2) == wanted);
    found.map(|page| page.1)
}

/// Returns a page.
///
/// # Errors
/// No page has this name.
pub fn page(name: &str) -> Result<Value, RequestError> {
    let found = PAGES.iter().find(|page| page.1 == name);
    let missing = || RequestError::Missing(format!("the book has no page {name}"));
    let &(_, name, text) = found.ok_or_else(missing)?;
    Ok(object! { "page": name, "text": text })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_part_of_the_book_is_missing() {
        let contents = contents();
        let pages = contents.as_array().expect("pages");
        for (group, title, heading) in [
            ("tour", "A first search", ""),
            ("cookbook", "Tactics", "Knight fork"),
            ("reference", "Paths and lines", ""),
        ] {
            let mut pages = pages.iter().filter(|page| page["group"] == group);
            let page = pages.find(|page| page["title"] == title).expect(title);
            let headings = page["headings"].as_array().expect("headings");
            assert!(heading.is_empty() || headings.contains(&json!(heading)), "{page}");
        }
    }
}
