//! Writes a study as source for Typst 0.13 or later.

use std::fmt::Write as _;

use pulldown_cmark::{Event, Tag, TagEnd};
use table::{MAKER, diagram};

use super::{Findings, Shown, Study, StudyPart};

impl Study<'_> {
    /// Returns the study with results as source for Typst. HTML in the text is left out.
    #[must_use]
    pub fn typst(&self, results: &[Findings]) -> String {
        let title = string(self.title.as_deref().unwrap_or("Study"));
        let mut writer = Writer {
            out: format!(
                "// Made by {MAKER}.\n#set document(title: {title})\n#set page(paper: \"a4\")\n\
                 #show figure: set block(breakable: false)\n\n"
            ),
            ..Writer::default()
        };
        self.each(results, &mut |part| match part {
            StudyPart::Text(event) => writer.event(event),
            StudyPart::Result(result) => writer.out += &result.typst(),
        });
        writer.out
    }
}

/// Converts the events of a text.
#[derive(Default)]
struct Writer {
    out: String,
    /// Numbers of the lists that are open; `None` for those without numbers.
    lists: Vec<Option<u64>>,
    /// Text of a code block.
    code: Option<String>,
    is_front_matter: bool,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(_) if self.is_front_matter => {}
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.out += &escaped(&text),
            },
            Event::Code(text) => {
                let _ = write!(self.out, "#raw({})", string(&text));
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out += " \\\n",
            Event::Rule => self.out += "\n#line(length: 100%)\n\n",
            Event::FootnoteReference(name) => {
                let _ = write!(self.out, "#super[{}]", escaped(&name));
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.out += &escaped(&text),
            Event::Html(_) | Event::InlineHtml(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                let _ = write!(self.out, "#heading(level: {})[", level as usize);
            }
            Tag::Emphasis => self.out += "#emph[",
            Tag::Strong => self.out += "#strong[",
            Tag::Strikethrough => self.out += "#strike[",
            Tag::Link { dest_url, .. } => {
                let _ = write!(self.out, "#link({})[", string(&dest_url));
            }
            Tag::Image { dest_url, .. } => {
                let _ = write!(self.out, "#image({})", string(&dest_url));
                // The text in place of the picture is not shown.
                self.code = Some(String::new());
            }
            Tag::BlockQuote(_) => self.out += "#quote(block: true)[",
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::List(first) => {
                self.lists.push(first);
                let start = first.map_or_else(String::new, |first| format!("start: {first}, "));
                let kind = if first.is_some() { "enum" } else { "list" };
                let _ = writeln!(self.out, "#{kind}({start}");
            }
            Tag::Item => self.out.push('['),
            Tag::Table(columns) => {
                let _ = write!(self.out, "#table(columns: {}, ", columns.len());
            }
            Tag::TableHead => self.out += "table.header(",
            Tag::TableCell => self.out.push('['),
            Tag::MetadataBlock(_) => self.is_front_matter = true,
            Tag::FootnoteDefinition(name) => {
                let _ = write!(self.out, "#super[{}] #[", escaped(&name));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.out += "\n\n",
            TagEnd::Heading(_) | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => {
                self.out += "]\n\n";
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link => {
                self.out.push(']');
            }
            TagEnd::Image => self.code = None,
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                let _ = write!(self.out, "#raw(block: true, {})\n\n", string(code.trim_end()));
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.out += ")\n\n";
            }
            TagEnd::Item => self.out += "],\n",
            TagEnd::Table => self.out += ")\n\n",
            TagEnd::TableHead => self.out += "),\n",
            TagEnd::TableCell => self.out += "], ",
            TagEnd::MetadataBlock(_) => self.is_front_matter = false,
            _ => {}
        }
    }
}

impl Findings {
    fn typst(&self) -> String {
        let mut out = format!("#strong({})\n\n", string(&self.counts()));
        if !self.head.is_empty() && !self.rows.is_empty() {
            let cells = |cells: &[String]| {
                let cells: Vec<String> = cells.iter().map(|cell| string(cell)).collect();
                cells.join(", ")
            };
            let n = self.head.len();
            let _ = writeln!(out, "#table(columns: {n}, table.header({}),", cells(&self.head));
            for row in &self.rows {
                let _ = writeln!(out, "  {},", cells(row));
            }
            out += ")\n\n";
        }
        if !self.boards.is_empty() {
            out += "#grid(columns: (1fr,) * 3, gutter: 4mm,\n";
            for Shown { position, caption } in &self.boards {
                let picture = string(&diagram(&position.board, &[], false));
                let _ = writeln!(
                    out,
                    "  figure(image(bytes({picture}), format: \"svg\", width: 100%), numbering: none, \
                     caption: {}),",
                    string(caption)
                );
            }
            out += ")\n\n";
        }
        let _ = write!(out, "#text(size: 7pt, {})\n\n", string(&self.source));
        out
    }
}

/// Returns a text as a string of Typst.
fn string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns a text without signs that mean something in Typst.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_alphanumeric() && c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
