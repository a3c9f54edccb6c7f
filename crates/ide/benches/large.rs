//! Measures the questions of an editor after each change to a query of a megabyte.

use std::cell::RefCell;

use divan::Bencher;
use ide::{Document, Settings};
use syntax::{SourceId, Span};

fn main() {
    divan::main();
}

/// Lines of the query; a number replaces each `%`.
const LINES: [&str; 12] = [
    "R attacks k",
    "(Q & a-h7) attacks [qr] // a comment",
    "power A > %",
    "move from [BN] to .",
    "{ path [Qq][x][Aa] --{,4} R--[b2,c3] }",
    "light% = light (B | q)",
    "comment(\"squares: \" #light%)",
    "if pin from [rq] to K then { check ray(R q) }",
    "not (Nd5 or Pe4 attacks n)",
    "square x in [RB] { x attacks Q #x == 1 }",
    "flip { Ka1-8 kc3 }",
    "function hits%(Arg) { Arg attacks [pn] } hits%(Q)",
];

fn text() -> String {
    let mut text = String::from("cql()\n");
    for (number, line) in LINES.iter().cycle().enumerate() {
        if text.len() > 1_000_000 {
            break;
        }
        // The number is the same in all lines of one cycle.
        let number = (number / LINES.len()).to_string();
        for (at, part) in line.split('%').enumerate() {
            text += if at > 0 { &number } else { "" };
            text += part;
        }
        text.push('\n');
    }
    text
}

/// A large text with a word inserted at the beginning of a line in its middle.
struct Written {
    document: RefCell<Document>,
    at: usize,
    word: &'static str,
}

impl Written {
    fn new(word: &'static str) -> Written {
        let mut document = Document::new(text(), Settings::default());
        let middle = document.text().len() / 2;
        let line = document.text()[..middle].rfind('\n');
        let at = line.map_or(0, |end| end + 1);
        document.replace(at..at, word);
        document.diagnostics();
        Written { document: RefCell::new(document), at, word }
    }

    /// Measures a question after the word has been written again; the idle work after reporting
    /// diagnostics is not counted.
    fn measure<A>(&self, bencher: Bencher<'_, '_>, ask: impl Fn(&Document, usize) -> A) {
        bencher.with_inputs(|| self.document.borrow_mut().settle()).bench_local_values(|()| {
            let mut document = self.document.borrow_mut();
            document.replace(self.at..self.at + self.word.len(), self.word);
            ask(&document, self.at)
        });
    }

    /// Measures a question after diagnostics have been reported.
    fn measure_then<A>(&self, bencher: Bencher<'_, '_>, ask: impl Fn(&Document, usize) -> A) {
        let mut document = self.document.borrow_mut();
        document.settle();
        bencher.bench_local(|| ask(&document, self.at));
    }
}

#[divan::bench(args = ["check ", "cheeck "])]
fn faults(bencher: Bencher<'_, '_>, word: &'static str) {
    let written = Written::new(word);
    let n_faults = written.document.borrow().diagnostics().len();
    written.measure(bencher, |document, _| {
        assert_eq!(document.diagnostics().len(), n_faults);
    });
}

#[divan::bench]
fn completion(bencher: Bencher<'_, '_>) {
    Written::new("check ").measure(bencher, |document, at| document.completions(at).len());
}

#[divan::bench]
fn hover(bencher: Bencher<'_, '_>) {
    Written::new("check ").measure(bencher, |document, at| document.hover(at));
}

#[divan::bench]
fn colors(bencher: Bencher<'_, '_>) {
    Written::new("check ").measure(bencher, |document, _| document.semantic_tokens());
}

#[divan::bench]
fn symbols_and_folds(bencher: Bencher<'_, '_>) {
    Written::new("check ").measure(bencher, |document, _| (document.symbols(), document.folds()));
}

#[divan::bench]
fn hints(bencher: Bencher<'_, '_>) {
    let all = Span::new(SourceId(0), 0, 1_000_000);
    Written::new("check ").measure(bencher, move |document, _| document.hints(all));
}

#[divan::bench]
fn actions(bencher: Bencher<'_, '_>) {
    Written::new("check ")
        .measure_then(bencher, |document, at| document.actions(Span::new(SourceId(0), at, at + 5)));
}

#[divan::bench]
fn layout(bencher: Bencher<'_, '_>) {
    Written::new("check ").measure_then(bencher, |document, _| document.format());
}

#[divan::bench]
fn explanation(bencher: Bencher<'_, '_>) {
    Written::new("check ").measure(bencher, |document, _| document.explain());
}

#[divan::bench]
fn rename(bencher: Bencher<'_, '_>) {
    let written = Written::new("check ");
    let name = written.document.borrow().text().find("light0");
    assert!(name.is_some());
    written.measure(bencher, move |document, _| name.map(|name| document.rename(name, "other")));
}
