//! A sheet as an HTML page that is printed as it is.

use std::fmt::Write as _;

use super::{MARGIN, PAGE, PerPage, Sheet, solution};
use crate::diagram::VIEW;
use crate::html::{PAGE_END, escaped, page_start};

const STYLE: &str = include_str!("sheet.css");

impl Sheet<'_> {
    /// Returns the sheet as an HTML page without other files.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escaped(self.title);
        let (width, height) = PAGE;
        let sizes = format!(
            "@page {{ margin: {MARGIN}mm; }}\n\
             .page {{ width: {width}mm; height: {height}mm; }}\n\
             .solutions {{ width: {width}mm; }}\n"
        );
        let mut out = page_start(&title, &(sizes + STYLE), &[]);
        let n_pages = self.pages().count();
        for (page, (first, exercises)) in self.pages().enumerate() {
            let class = match self.per_page {
                PerPage::Six => "six",
                PerPage::Twelve => "twelve",
            };
            let _ = write!(
                out,
                "<section class=\"page {class}\">\n<header><h1>{title}</h1><span>{} / \
                 {n_pages}</span></header>\n<ol start=\"{first}\">\n",
                page + 1
            );
            let [left, top, width, height] = VIEW;
            for (number, exercise) in (first..).zip(exercises) {
                let board = self.board(exercise).elements_of_page();
                let hint = match exercise.hint.as_str() {
                    "" => String::new(),
                    hint => format!("<br><small>{}</small>", escaped(hint)),
                };
                let _ = writeln!(
                    out,
                    "<li value=\"{number}\"><svg viewBox=\"{left} {top} {width} {height}\" \
                     role=\"img\" aria-label=\"diagram {number}\">{board}</svg>\n<p><b>{number}</b> \
                     {}{hint}</p></li>",
                    escaped(&exercise.task)
                );
            }
            out += "</ol>\n</section>\n";
        }
        out += "<section class=\"solutions\">\n<h1>Solutions</h1>\n<div>\n";
        for (number, exercise) in (1..).zip(self.exercises) {
            let source = match exercise.source.as_str() {
                "" => String::new(),
                source => format!("<br><small>{}</small>", escaped(source)),
            };
            let moves = escaped(solution(exercise));
            let _ = writeln!(out, "<p><b>{number}</b> {moves}{source}</p>");
        }
        out + "</div>\n</section>\n" + PAGE_END
    }
}
