//! Hover texts: what a word means at its location and in general.

use syntax::builtin::Keyword;
use syntax::token::TokenKind;
use syntax::{Dialect, Span, explain};

use crate::Document;
use crate::hints::{kind_name, type_name};
use crate::manual::{self, ManualBlock, unlinked};
use crate::names::NameKind;
use crate::position::boundary;
use crate::words::{keyword_of, word_of};

/// Explanation of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// Span of the word.
    pub span: Span,
    /// The explanation, in Markdown.
    pub markdown: String,
}

impl Hover {
    /// Returns the explanation of a word at its location and in general; `None` if it has neither.
    pub(crate) fn of(span: Span, here: Option<String>, general: Option<String>) -> Option<Hover> {
        let here = here.map(|sentence| format!("Here: {sentence}"));
        let parts: Vec<String> = here.into_iter().chain(general).collect();
        (!parts.is_empty()).then(|| Hover { span, markdown: parts.join("\n\n---\n\n") })
    }
}

impl Document {
    /// Returns the explanation of the word at an offset.
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        if let Some(hover) = self.hover_of_name(offset) {
            return Some(hover);
        }
        if self.dialect() != Dialect::Cql6 {
            return self.hover_of_older(boundary(self.text(), offset));
        }
        let tokens = &self.lexed().tokens;
        let at = self.token_at(offset)?;
        // The end of a word still belongs to it, unless another token begins there.
        let token = &tokens[at];
        let here = self.sentence_at(token.span.start);
        let general = match &token.kind {
            TokenKind::Designator(designator) => Some(explain::designator(*designator)),
            TokenKind::Symbol(symbol) => manual::entry(symbol.text()).map(|entry| of_entry(&entry)),
            kind => keyword_of(kind).map(of_word),
        };
        Hover::of(token.span, here, general)
    }

    fn hover_of_name(&self, offset: usize) -> Option<Hover> {
        let names = self.names();
        let occurrence = names.at(offset)?;
        let name = &names.all[occurrence.name];
        let mut markdown = format!("**{}**: {}", name.text, name.kind.name());
        if let Some(kind) = self.kind_of(occurrence.name) {
            markdown += &format!(", {}", kind_name(kind));
        } else if name.kind == NameKind::Function {
            let mut places = names.places(occurrence.name);
            let value = places.find_map(|place| self.type_at(place.span.start));
            if let Some(value) = value {
                markdown += &format!(", {}", type_name(value));
            }
        }
        let language = if self.dialect() == Dialect::Cql6 { "cql" } else { "" };
        let line = self.defining_line(name.kind, name.definition, name.scope);
        let places = names.places(occurrence.name);
        let uses = match places.filter(|place| place.span != name.definition).count() {
            0 => "never used".to_owned(),
            1 => "used once".to_owned(),
            n => format!("used {n} times"),
        };
        let number = self.lines().line(name.definition.start as usize) + 1;
        markdown += &format!("\n\n```{language}\n{line}\n```\n\nDefined in line {number}, {uses}.");
        Some(Hover { span: occurrence.span, markdown })
    }

    /// Returns the text of a short function, or the line of another definition.
    fn defining_line(&self, kind: NameKind, definition: Span, scope: Span) -> &str {
        const MOST_LINES: usize = 8;
        let whole = self.slice(scope);
        if kind == NameKind::Function && whole.lines().count() <= MOST_LINES {
            return whole;
        }
        let start = definition.start as usize;
        let start = self.text()[..start].rfind('\n').map_or(0, |at| at + 1);
        self.text()[start..].lines().next().unwrap_or_default().trim()
    }
}

/// Returns what the table of words and the manual say about a word.
pub(crate) fn of_word(keyword: Keyword) -> String {
    let mut text = String::new();
    if let Some(word) = word_of(keyword) {
        text += &format!("`{}`", word.usage());
        if let Some(ty) = word.value {
            text += &format!(": {}", type_name(ty));
        }
        text += &format!("\n\n{}", word.sentence);
    }
    if let Some(entry) = manual::entry(keyword.text()) {
        text += "\n\n";
        text += &of_entry(&entry);
    }
    text
}

/// Formats an entry of the manual in Markdown.
fn of_entry(entry: &manual::ManualEntry) -> String {
    let mut text = String::new();
    for block in &entry.blocks {
        match block {
            // Links lead to other pages of the book.
            ManualBlock::Text(lines) => text += &unlinked(&lines.join("\n")),
            ManualBlock::Item(lines) => text += &format!("* {}", unlinked(&lines.join("\n"))),
            ManualBlock::Query(lines) => text += &format!("```cql\n{}\n```", lines.join("\n")),
            // Only some rows are kept, and not the head.
            ManualBlock::Table(rows) => {
                for row in rows {
                    let (last, others) = row.split_last().unwrap_or((&"", &[]));
                    let mut others = others.iter().filter(|cell| !cell.is_empty());
                    let first = others.next().copied().unwrap_or_default();
                    let more: Vec<&str> = others.copied().collect();
                    let more = match more.as_slice() {
                        [] => String::new(),
                        more => format!(" ({})", more.join(", ")),
                    };
                    text += &format!("* {}{more}: {}\n", unlinked(first), unlinked(last));
                }
            }
        }
        text = format!("{}\n\n", text.trim_end());
    }
    let page = entry.page.trim_end_matches(".md");
    let section = entry.section.map(|title| format!(", {}", manual::plain(title)));
    text + &format!("*{}{} (reference/{page})*", entry.title, section.unwrap_or_default())
}
