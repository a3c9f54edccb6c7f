//! Writes a study as a page: a self-contained HTML file without scripts.

use std::fmt::Write as _;

use pulldown_cmark::{Event, html};
use table::{PAGE_END, board_on_page, escaped, page_start};

use super::{Findings, Shown, Study, StudyPart};

/// Style of the page.
const STYLE: &str = include_str!("page.css");

impl Study<'_> {
    /// Returns the study with results as a page.
    #[must_use]
    pub fn html(&self, results: &[Findings]) -> String {
        let mut events: Vec<Event<'_>> = Vec::new();
        self.each(results, &mut |part| {
            events.push(match part {
                StudyPart::Text(event) => event,
                StudyPart::Result(result) => Event::Html(result.html().into()),
            });
        });
        let mut body = String::new();
        html::push_html(&mut body, events.into_iter());
        let title = escaped(self.title.as_deref().unwrap_or("Study"));
        page_start(&title, STYLE, &["img-src * data:"]) + &body + PAGE_END
    }
}

impl Findings {
    fn html(&self) -> String {
        let mut out =
            format!("<div class=\"result\">\n<p><strong>{}</strong></p>\n", self.counts());
        if !self.head.is_empty() && !self.rows.is_empty() {
            out += "<div class=\"wide\"><table>\n<thead><tr>";
            for name in &self.head {
                let _ = write!(out, "<th>{}</th>", escaped(name));
            }
            out += "</tr></thead>\n<tbody>\n";
            for row in &self.rows {
                let cells = row.iter().map(|cell| format!("<td>{}</td>", escaped(cell)));
                let _ = writeln!(out, "<tr>{}</tr>", cells.collect::<String>());
            }
            out += "</tbody></table></div>\n";
        }
        if !self.boards.is_empty() {
            out += "<div class=\"boards\">\n";
            for Shown { position, caption } in &self.boards {
                let board = board_on_page(&position.board, &[], false, caption);
                let caption = escaped(caption);
                let _ = writeln!(out, "<figure>{board}<figcaption>{caption}</figcaption></figure>");
            }
            out += "</div>\n";
        }
        let _ = writeln!(out, "<p class=\"source\">{}</p>\n</div>", escaped(&self.source));
        out
    }
}
