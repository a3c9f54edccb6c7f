//! Writes a study as a page: a self-contained HTML file without scripts.

use std::fmt::Write as _;

use pulldown_cmark::{Event, html};
use table::{BOARD_STYLE, MAKER, PIECES, board_on_page, escaped};

use super::{Findings, Part, Shown, Study};

/// Style of the page.
const STYLE: &str = include_str!("page.css");

impl Study<'_> {
    /// Returns the study with results as a page.
    #[must_use]
    pub fn html(&self, results: &[Findings]) -> String {
        let mut events: Vec<Event<'_>> = Vec::new();
        self.each(results, &mut |part| {
            events.push(match part {
                Part::Text(event) => event,
                Part::Result(result) => Event::Html(result.html().into()),
            });
        });
        let mut body = String::new();
        html::push_html(&mut body, events.into_iter());
        let title = escaped(self.title.as_deref().unwrap_or("Study"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
             'unsafe-inline'; img-src * data:\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" \
             content=\"{MAKER}\">\n<title>{title}</title>\n<style>\n{BOARD_STYLE}{STYLE}</style>\n\
             </head>\n<body>\n{PIECES}{body}</body>\n</html>\n"
        )
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
