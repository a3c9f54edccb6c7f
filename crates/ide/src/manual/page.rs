//! Splits a page of the book into blocks, for the subset of Markdown that its reference uses.

/// A heading with the text below it.
#[derive(Debug, Clone)]
pub struct Section<'t> {
    /// The heading; `None` for the text before the first heading below the title of the page.
    pub title: Option<&'t str>,
    /// The text.
    pub blocks: Vec<ManualBlock<'t>>,
}

impl Section<'_> {
    /// Returns the anchor by which links refer to the heading.
    pub(super) fn anchor(&self) -> String {
        let title = self.title.unwrap_or_default().to_lowercase();
        let letters = title.chars().map(|c| if c == ' ' { '-' } else { c });
        letters.filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    }
}

/// A block of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManualBlock<'t> {
    /// A paragraph.
    Text(Vec<&'t str>),
    /// An item of a list.
    Item(Vec<&'t str>),
    /// Rows of cells; the first row is the head.
    Table(Vec<Vec<&'t str>>),
    /// The lines between two code fences.
    Query(Vec<&'t str>),
}

impl<'t> ManualBlock<'t> {
    /// Returns the rows of a table without its head.
    pub(super) fn rows(&self) -> &[Vec<&'t str>] {
        match self {
            ManualBlock::Table(rows) => rows.get(1..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Whether this is a paragraph that introduces the query after it.
    pub(super) fn introduces(&self) -> bool {
        let ManualBlock::Text(lines) = self else {
            return false;
        };
        lines.last().is_some_and(|line| line.ends_with(':'))
    }
}

/// Splits a page into sections.
pub(super) fn sections(page: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section { title: None, blocks: Vec::new() }];
    let mut fenced: Option<Vec<&str>> = None;
    // An example of an error that the text does not announce would be taken for a correct one.
    let mut is_faulty = false;
    let mut is_fresh = true;
    for line in page.lines() {
        if line.starts_with("```") {
            match fenced.take() {
                Some(_) if is_faulty && !is_introduced(&sections) => {}
                Some(lines) => push(&mut sections, ManualBlock::Query(lines)),
                None => {
                    fenced = Some(Vec::new());
                    is_faulty = line.contains(" error=");
                }
            }
            is_fresh = true;
        } else if let Some(lines) = &mut fenced {
            lines.push(line);
        } else if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title: Some(title), blocks: Vec::new() });
        } else if line.trim().is_empty() || line.starts_with("# ") {
            is_fresh = true;
        } else {
            add_line(&mut sections, line, is_fresh);
            is_fresh = false;
        }
    }
    sections
}

/// Whether the last block introduces the next one.
fn is_introduced(sections: &[Section<'_>]) -> bool {
    let last = sections.last().and_then(|section| section.blocks.last());
    last.is_some_and(ManualBlock::introduces)
}

fn push<'t>(sections: &mut [Section<'t>], block: ManualBlock<'t>) {
    if let Some(section) = sections.last_mut() {
        section.blocks.push(block);
    }
}

/// Adds a line to the last block, unless it begins another one.
fn add_line<'t>(sections: &mut [Section<'t>], line: &'t str, is_fresh: bool) {
    let last = sections.last_mut().and_then(|section| section.blocks.last_mut());
    let item = line.strip_prefix("* ");
    match (last, item) {
        (Some(ManualBlock::Table(rows)), _) if !is_fresh => {
            if !line.starts_with("|--") {
                rows.push(cells(line));
            }
        }
        (Some(ManualBlock::Text(lines) | ManualBlock::Item(lines)), None) if !is_fresh => {
            lines.push(line)
        }
        (_, Some(item)) => push(sections, ManualBlock::Item(vec![item])),
        _ if line.starts_with('|') => push(sections, ManualBlock::Table(vec![cells(line)])),
        _ => push(sections, ManualBlock::Text(vec![line])),
    }
}

fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim().trim_matches('|');
    inner.split('|').map(str::trim).collect()
}

/// Whether a word or sign occurs as a whole in text that is marked as code.
pub(super) fn has_code(text: &str, word: &str) -> bool {
    let mut code = text.split('`').skip(1).step_by(2);
    if word.starts_with(is_letter) {
        return code.any(|code| has_word(code, word));
    }
    let is_sign = |part: &str| part.contains(word) && !part.contains(is_letter) || part == word;
    code.flat_map(|code| code.split(' ')).any(is_sign)
}

/// Whether a word occurs as a whole.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        // `o-o` does not occur in `o-o-o`.
        let is_open = |c: char| is_letter(c) || c == '-' && word.contains('-');
        !before.ends_with(is_open) && !after.starts_with(is_open)
    })
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns a text without the markup of Markdown.
pub fn plain(text: &str) -> String {
    let mut text = text.replace("<code>", "").replace("</code>", "");
    for (from, to) in [("&#124;", "|"), ("**", ""), ("`", "")] {
        text = text.replace(from, to);
    }
    unmarked(&unlinked(&text))
}

/// Returns a text with plain words in place of its links.
pub(crate) fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](")
        && let Some((before, words)) = before.rsplit_once('[')
        && let Some((_, after)) = after.split_once(')')
    {
        out += before;
        out += words;
        rest = after;
    }
    out + rest
}

/// Returns a text without the stars around `*words*`; other stars are operators.
fn unmarked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(star) = rest.find('*') {
        let (before, behind) = (&rest[..star], &rest[star + 1..]);
        let inner = behind.split('*').next().unwrap_or_default();
        let opens = before.is_empty() || before.ends_with([' ', '(']);
        let is_marked = inner.starts_with(char::is_alphabetic)
            && inner.ends_with(char::is_alphanumeric)
            && inner.len() < behind.len();
        out += before;
        rest = if opens && is_marked {
            out += inner;
            &behind[inner.len() + 1..]
        } else {
            out.push('*');
            behind
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out() {
        let check = |text: &str, expected: &str| assert_eq!(plain(text), expected);
        check("a `mate`, **bold** and *here*.", "a mate, bold and here.");
        check("*blank line*, a * b * c", "blank line, a * b * c");
        check("see [Strings](strings.md#x), [two](b.md)", "see Strings, two");
        check("<code>A &#124; B</code>", "A | B");
        check("`A * B`, `*`", "A * B, *");
        check("`S[i]` (a)", "S[i] (a)");
    }

    #[test]
    fn a_page_has_sections_of_blocks() {
        let page = "# Page\n\nIn *front*,\ntwo lines.\n\n## One `two`, (three)\n\n\
                    | a | b |\n|---|---|\n| `c` | d |\n\n```cql games=1\nx\n\ny\n```\n* e\n* f\n  g\n";
        let sections = sections(page);
        assert_eq!(sections.len(), 2);
        assert_eq!(sections[0].blocks, [ManualBlock::Text(vec!["In *front*,", "two lines."])]);
        assert_eq!(sections[1].anchor(), "one-two-three");
        let expected = [
            ManualBlock::Table(vec![vec!["a", "b"], vec!["`c`", "d"]]),
            ManualBlock::Query(vec!["x", "", "y"]),
            ManualBlock::Item(vec!["e"]),
            ManualBlock::Item(vec!["f", "  g"]),
        ];
        assert_eq!(sections[1].blocks, expected);
    }

    #[test]
    fn faulty_queries_are_shown_only_if_announced() {
        let faulty = "```cql error=E0113\nx\n```\n";
        let page = format!("# Page\n\nRight.\n\n{faulty}\nThis is an error:\n\n{faulty}");
        let blocks = &sections(&page)[0].blocks;
        let queries = blocks.iter().filter(|block| matches!(block, ManualBlock::Query(_)));
        assert_eq!(queries.count(), 1, "{blocks:?}");
        assert!(matches!(blocks[2], ManualBlock::Query(_)), "{blocks:?}");
    }

    #[test]
    fn words_are_whole() {
        let check = |text: &str, word: &str, expected: bool| {
            assert_eq!(has_code(text, word), expected, "{text}: {word}");
        };
        check("`mate`, check", "mate", true);
        check("`mate`, check", "check", false);
        check("`modelmate`", "mate", false);
        check("`o-o-o`", "o-o", false);
        check("`o-o`, `o-o-o`", "o-o", true);
        check("`A -> B`", "->", true);
        check("`A & B`", "->", false);
    }
}
