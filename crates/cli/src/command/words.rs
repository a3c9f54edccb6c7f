//! `cql help WORD` and `cql explain WORD`: what the manual says of a word of the language.
//!
//! The text is that of the book, whose pages are part of the program. The table of words says in
//! which section of which page a word is explained; of that section the rows of tables and the
//! queries are shown that the word occurs in, and everything else.

mod page;
mod terminal;

use syntax::builtin::Keyword;
use syntax::spelling::SPELLINGS;

use page::{Block, Section, sections};

macro_rules! pages {
    ($($name:literal,)*) => {
        /// The pages of the reference, by their names.
        const PAGES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../../docs/src/reference/", $name))),)*
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
    "moves.md",
    "numbers.md",
    "paths.md",
    "pieces.md",
    "positions.md",
    "strings.md",
    "transforms.md",
    "variables.md",
}

/// Queries of a section that are shown.
const MOST_QUERIES: usize = 3;

/// What the manual says of a word, or of a sign.
pub(super) fn entry(word: &str) -> Option<String> {
    let sign = SPELLINGS.iter().find(|sign| sign.unicode == word);
    let ascii = sign.map_or(word, |spelling| spelling.sign.ascii());
    let (page, section) = match Keyword::from_text(ascii) {
        Some(keyword) => of_word(keyword)?,
        None => of_sign(ascii)?,
    };
    let mut text = format!("{word}: {}", page.title());
    if let Some(title) = section.title {
        text += &format!(", {}", terminal::plain(title));
    }
    text += "\n\n";
    text += &terminal::blocks(&chosen(&section.blocks, ascii));
    text += &format!("\nThe page of the book is reference/{}.\n", page.name);
    Some(text)
}

/// The word of the language that another one is nearly.
pub(super) fn nearest(word: &str) -> Option<&'static str> {
    syntax::parse::nearest(word, Keyword::ALL.iter().map(|keyword| keyword.text()))
}

/// A page of the reference.
#[derive(Clone, Copy)]
struct Page {
    name: &'static str,
    text: &'static str,
}

impl Page {
    fn title(self) -> &'static str {
        let heading = self.text.lines().next().unwrap_or_default();
        heading.trim_start_matches(['#', ' '])
    }
}

/// The section that explains a word.
fn of_word(keyword: Keyword) -> Option<(Page, Section<'static>)> {
    let (name, anchor) = keyword.manual().split_once('#')?;
    let &(name, text) = PAGES.iter().find(|page| page.0 == name)?;
    let mut sections = sections(text).into_iter();
    let section = sections.find(|section| section.anchor() == anchor)?;
    Some((Page { name, text }, section))
}

/// The first section with a table that begins a row with a sign, or has it in one.
fn of_sign(sign: &str) -> Option<(Page, Section<'static>)> {
    let is_word = sign.starts_with(|c: char| c.is_ascii_alphanumeric());
    if sign.is_empty() || is_word || sign.contains(char::is_whitespace) {
        return None;
    }
    let find = |n_cells: usize| {
        let explains = |section: &Section<'_>| {
            let rows = section.blocks.iter().flat_map(Block::rows);
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

/// What a section says of a word.
fn chosen<'t>(blocks: &[Block<'t>], word: &str) -> Vec<Block<'t>> {
    let mut chosen: Vec<Block<'t>> = Vec::new();
    let mut n_queries = 0;
    for (index, block) in blocks.iter().enumerate() {
        match block {
            Block::Query(lines) => {
                let uses = lines.iter().any(|line| page::has_word(line, word));
                if uses && n_queries < MOST_QUERIES {
                    n_queries += 1;
                    let before = index.checked_sub(1).and_then(|index| blocks.get(index));
                    chosen.extend(before.filter(|block| block.introduces()).cloned());
                    chosen.push(block.clone());
                }
            }
            Block::Table(rows) => chosen.extend(rows_of(rows, word)),
            // It comes with its query.
            Block::Text(_) if block.introduces() => {}
            Block::Text(_) | Block::Item(_) => chosen.push(block.clone()),
        }
    }
    chosen
}

/// The rows of a table that a word occurs in, with those that they go on from.
fn rows_of<'t>(rows: &[Vec<&'t str>], word: &str) -> Option<Block<'t>> {
    let has = |row: &&Vec<&str>| row.iter().any(|cell| page::has_code(cell, word));
    if !rows.iter().any(|row| has(&row)) {
        return None;
    }
    let goes_on = |row: &Vec<&str>| {
        let meaning = row.last().copied().unwrap_or_default();
        ["…", "the same", "have none"]
            .iter()
            .any(|start| meaning.starts_with(start))
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
    Some(Block::Table(rows.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_an_entry() {
        let mut n = 0;
        // Lines of queries stay as they are.
        let queries: String = PAGES.iter().map(|page| page.1).collect();
        for keyword in Keyword::ALL {
            let word = keyword.text();
            let text = entry(word).unwrap_or_else(|| panic!("{word} has no entry"));
            let (head, body) = text.split_once("\n\n").expect("a heading");
            assert!(head.starts_with(&format!("{word}: ")), "{head}");
            assert!(page::has_word(body, word), "{word}: {text}");
            for line in text.lines() {
                let is_of_query = queries.contains(line.trim_start());
                assert!(line.chars().count() <= 80 || is_of_query, "{word}: {line}");
                assert!(
                    !line.contains("](") && !line.contains("&#"),
                    "{word}: {line}"
                );
            }
            assert!(text.lines().count() < 90, "{word}: {text}");
            n += 1;
        }
        assert!(n > 190, "{n}");
    }

    #[test]
    fn an_entry_is_short_and_legible() {
        let expected = "\
wtm: Board and pieces, Side to move

  wtm, btm  Boolean  White, Black is to move

The page of the book is reference/pieces.md.
";
        assert_eq!(entry("wtm").as_deref(), Some(expected));
        let mate = entry("mate").expect("an entry");
        // The row that it goes on from is there, too.
        assert!(
            mate.contains("  check  Boolean  its king is attacked\n"),
            "{mate}"
        );
        assert!(
            mate.contains("  mate   Boolean  … and there is no legal move\n"),
            "{mate}"
        );
        assert!(!mate.contains("puremate  "), "{mate}");
    }

    #[test]
    fn signs_have_entries() {
        for sign in ["⬓", "∙", "->", "→", "--", "[x]", "~~", "+=", "&"] {
            assert!(entry(sign).is_some(), "{sign}");
        }
        for word in ["", "mte", "K", "§", " "] {
            assert_eq!(entry(word), None, "{word}");
        }
        assert_eq!(nearest("stalmate"), Some("stalemate"));
    }
}
