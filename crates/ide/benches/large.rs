//! What is asked of a query of a megabyte after each change.

use std::cell::RefCell;

use divan::Bencher;
use ide::{Document, Settings};

fn main() {
    divan::main();
}

/// Lines whose numbers are those of the lines.
const LINES: [&str; 12] = [
    "R attacks k",
    "(Q & a-h7) attacks [qr] // a comment",
    "power A > N",
    "move from [BN] to .",
    "{ path [Qq][x][Aa] --{,4} R--[b2,c3] }",
    "vN = light (B | q)",
    "comment(\"squares: \" #vN)",
    "if pin from [rq] to K then { check ray(R q) }",
    "not (Nd5 or Pe4 attacks n)",
    "square x in [RB] { x attacks Q #x == 1 }",
    "flip { Ka1-8 kc3 }",
    "function fN(Arg) { Arg attacks [pn] } fN(Q)",
];

fn text() -> String {
    let mut text = String::from("cql()\n");
    for (number, line) in LINES.iter().cycle().enumerate() {
        if text.len() > 1_000_000 {
            break;
        }
        // The lines of a dozen have the same.
        let number = (number / LINES.len()).to_string();
        let (vn, fv) = (format!("v{number}"), format!("f{number}"));
        let line = line.replace("vN", &vn).replace("fN", &fv);
        text += &line.replace("> N", &format!("> {number}"));
        text.push('\n');
    }
    text
}

/// From a word that is written to all faults; what is done when they have been told is not counted.
#[divan::bench]
fn faults_after_a_change(bencher: Bencher<'_, '_>) {
    let document = RefCell::new(Document::new(text(), Settings::default()));
    let middle = document.borrow().text().len() / 2;
    let line = document.borrow().text()[..middle]
        .rfind('\n')
        .map_or(0, |end| end + 1);
    let faults = document.borrow().diagnostics().len();
    bencher
        .with_inputs(|| document.borrow_mut().settle())
        .bench_local_values(|()| {
            let mut document = document.borrow_mut();
            document.replace(line..line, "check ");
            assert_eq!(document.diagnostics().len(), faults);
        });
}
