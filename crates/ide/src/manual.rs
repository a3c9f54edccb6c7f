//! Finds the passages of the manual that explain a word of the language.
//!
//! The manual is the book, whose pages are part of the program. The table of words names the page
//! and the section that explain a word. From that section, [`entry`] selects the table rows and the
//! queries that contain the word, and all other blocks.

mod page;

use syntax::builtin::Keyword;
use syntax::spelling::SPELLINGS;

use page::sections;
pub(crate) use page::unlinked;
pub use page::{ManualBlock, Section, plain};

macro_rules! pages {
    ($($name:literal,)*) => {
        /// The pages of the reference, by their names.
        const PAGES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../docs/src/reference/", $name))),)*
        ];
    };
}

pages! {
    "attacks.md",
    "comments.md",
    "control.md",
    "games.md",
    "header.md",
    "hhdb.md",
    "index.md",
    "moves.md",
    "numbers.md",
    "paths.md",
    "pieces.md",
    "positions.md",
    "strings.md",
    "transforms.md",
    "variables.md",
    "variants.md",
}

/// The page of the words of older dialects, which is not part of the reference.
pub(crate) const OLDER: Page =
    Page { name: "older-words.md", text: include_str!("../../../docs/src/older-words.md") };

/// Maximum number of queries shown from a section.
const MOST_QUERIES: usize = 3;

/// Passages of the manual about a word or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManualEntry {
    /// The file of the page in the reference: `paths.md`.
    pub page: &'static str,
    /// The title of the page.
    pub title: &'static str,
    /// The heading of the section, in Markdown; `None` at the top of a page.
    pub section: Option<&'static str>,
    /// The passages about the word.
    pub blocks: Vec<ManualBlock<'static>>,
}

/// Returns the passages of the manual about a word or a sign.
pub fn entry(word: &str) -> Option<ManualEntry> {
    let sign = SPELLINGS.iter().find(|sign| sign.unicode == word);
    let ascii = sign.map_or(word, |spelling| spelling.sign.ascii());
    let (page, section) = match Keyword::from_text(ascii) {
        Some(keyword) => of_word(keyword)?,
        None => of_sign(ascii).or_else(|| of_older(ascii))?,
    };
    Some(ManualEntry {
        page: page.name,
        title: page.title(),
        section: section.title,
        blocks: chosen(&section.blocks, ascii),
    })
}

/// Returns the sections of the reference and of `pages`, each with the title of its page. The part
/// before the first heading of a page is one, too.
pub fn all_sections<'p>(
    pages: &'p [(&'static str, &'static str)],
) -> impl Iterator<Item = (&'static str, Section<'static>)> + use<'p> {
    PAGES.iter().chain(pages).flat_map(|&(name, text)| {
        let title = Page { name, text }.title();
        sections(text).into_iter().map(move |section| (title, section))
    })
}

/// Returns a text of the book without the folders of the sources, which a program that is installed
/// has not got.
pub fn installed(text: &str) -> String {
    text.replace("examples/", "")
}

/// Returns the word of the language that is most similar to a misspelled one.
pub fn nearest(word: &str) -> Option<&'static str> {
    syntax::parse::nearest(word, Keyword::ALL.iter().map(|keyword| keyword.text()))
}

/// A page of the reference.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    name: &'static str,
    pub(crate) text: &'static str,
}

impl Page {
    fn title(self) -> &'static str {
        let heading = self.text.lines().next().unwrap_or_default();
        heading.trim_start_matches(['#', ' '])
    }
}

/// Returns the section that explains a word.
fn of_word(keyword: Keyword) -> Option<(Page, Section<'static>)> {
    let (name, anchor) = keyword.manual().split_once('#')?;
    let &(name, text) = PAGES.iter().find(|page| page.0 == name)?;
    let mut sections = sections(text).into_iter();
    let section = sections.find(|section| section.anchor() == anchor)?;
    Some((Page { name, text }, section))
}

/// Returns the first section with a table that has a sign in its first column, or else in any
/// column.
fn of_sign(sign: &str) -> Option<(Page, Section<'static>)> {
    let is_word = sign.starts_with(|c: char| c.is_ascii_alphanumeric());
    if sign.is_empty() || is_word || sign.contains(char::is_whitespace) {
        return None;
    }
    let find = |n_cells: usize| {
        let explains = |section: &Section<'_>| {
            let rows = section.blocks.iter().flat_map(ManualBlock::rows);
            let mut cells = rows.flat_map(|row| row.iter().take(n_cells));
            cells.any(|cell| page::has_code(cell, sign))
        };
        PAGES.iter().find_map(|&(name, text)| {
            let section = sections(text).into_iter().find(explains)?;
            Some((Page { name, text }, section))
        })
    };
    find(1).or_else(|| find(usize::MAX))
}

/// Returns the section with a word of an older dialect.
fn of_older(word: &str) -> Option<(Page, Section<'static>)> {
    let has = |section: &Section<'_>| {
        let mut rows = section.blocks.iter().flat_map(ManualBlock::rows);
        rows.any(|row| row.first().is_some_and(|cell| cell.trim_matches('`') == word))
    };
    Some((OLDER, sections(OLDER.text).into_iter().find(has)?))
}

/// Returns the blocks of a section that are about a word.
fn chosen<'t>(blocks: &[ManualBlock<'t>], word: &str) -> Vec<ManualBlock<'t>> {
    let mut chosen: Vec<ManualBlock<'t>> = Vec::new();
    let mut n_queries = 0;
    for (index, block) in blocks.iter().enumerate() {
        match block {
            ManualBlock::Query(lines) => {
                let uses = lines.iter().any(|line| page::has_word(line, word));
                if uses && n_queries < MOST_QUERIES {
                    n_queries += 1;
                    let before = index.checked_sub(1).and_then(|index| blocks.get(index));
                    chosen.extend(before.filter(|block| block.introduces()).cloned());
                    chosen.push(block.clone());
                }
            }
            ManualBlock::Table(rows) => chosen.extend(rows_of(rows, word)),
            // An introduction is added together with its query.
            ManualBlock::Text(_) if block.introduces() => {}
            ManualBlock::Text(_) | ManualBlock::Item(_) => chosen.push(block.clone()),
        }
    }
    chosen
}

/// Returns the rows of a table that contain a word, and the rows before them that they continue.
fn rows_of<'t>(rows: &[Vec<&'t str>], word: &str) -> Option<ManualBlock<'t>> {
    let has = |row: &&Vec<&str>| row.iter().any(|cell| page::has_code(cell, word));
    if !rows.iter().any(|row| has(&row)) {
        return None;
    }
    let goes_on = |row: &Vec<&str>| {
        let meaning = row.last().copied().unwrap_or_default();
        ["…", "the same", "have none"].iter().any(|start| meaning.starts_with(start))
    };
    let mut kept = vec![false; rows.len()];
    for (index, row) in rows.iter().enumerate().skip(1) {
        let mut at = index;
        if has(&row) {
            kept[at] = true;
            while at > 1 && goes_on(&rows[at]) {
                at -= 1;
                kept[at] = true;
            }
        }
    }
    let pairs = rows.iter().zip(kept);
    let rows = pairs.filter(|(_, kept)| *kept).map(|(row, _)| row.clone());
    Some(ManualBlock::Table(rows.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_an_entry() {
        for keyword in Keyword::ALL {
            let word = keyword.text();
            let entry = entry(word).unwrap_or_else(|| panic!("{word} has no entry"));
            assert!(!entry.blocks.is_empty(), "{word}");
        }
        assert_eq!(entry("mte"), None);
    }
}
