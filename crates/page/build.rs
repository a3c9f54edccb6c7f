//! Lists the pages of the book that the studio shows, in the order of the table of contents.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Parts of the book that the studio shows.
const GROUPS: [&str; 3] = ["tour", "cookbook", "reference"];

fn main() -> io::Result<()> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let summary = book.join("SUMMARY.md");
    println!("cargo:rerun-if-changed={}", summary.display());
    let text = fs::read_to_string(&summary)?;
    let mut list = String::from("[\n");
    let targets = text.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')'));
    for name in targets.filter(|name| *name != "cookbook/index.md") {
        let group = name.split('/').next().unwrap_or_default();
        if GROUPS.contains(&group) {
            let file = book.join(name);
            let _ = writeln!(list, "({group:?}, {name:?}, include_str!({file:?})),");
        }
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("pages.rs"), list)
}
