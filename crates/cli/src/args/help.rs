//! Help on the options of a search.

use super::options::{GROUPS, Group, OptionRow, rows};
use crate::subcommands::Subcommands;
use crate::terminal;
use ide::wrap::wrapped;

/// Text of `-help` around the options and subcommands.
const TEMPLATE: &str = include_str!("help.txt");

/// Greatest width of the text.
const WIDTH: usize = 98;

/// Least width of the text: a narrower terminal breaks its lines.
const LEAST: usize = 60;

/// Column at which descriptions begin.
const COLUMN: usize = 28;

/// Returns the text of `-help`, the options of a search and the subcommands, for a terminal of this
/// width.
pub(crate) fn text(subcommands: Subcommands, width: Option<usize>) -> String {
    let width = width.unwrap_or(WIDTH).clamp(LEAST, WIDTH);
    let Some((general, groups)) = GROUPS.split_last() else {
        return TEMPLATE.to_owned();
    };
    let groups: Vec<String> = groups.iter().map(|group| section(group, width)).collect();
    let mut lines = String::new();
    for (name, about) in subcommands.all() {
        wrapped(&mut lines, &format!("  {name:<26}"), COLUMN, width, about.split(' '));
    }
    let paragraphs = TEMPLATE.split("\n\n").map(|paragraph| filled(paragraph, width));
    paragraphs
        .collect::<Vec<_>>()
        .join("\n\n")
        .replace("{options}", &groups.join("\n\n"))
        .replace("{general}", &section(general, width))
        .replace("{subcommands}", lines.trim_end())
}

/// Returns a paragraph of the template in lines of this width, unless its lines are those of a list.
fn filled(paragraph: &str, width: usize) -> String {
    if paragraph.contains("\n  ") || paragraph.contains('{') || paragraph.starts_with(' ') {
        return paragraph.to_owned();
    }
    let mut out = String::new();
    wrapped(&mut out, "", 0, width, paragraph.split_whitespace());
    if paragraph.ends_with('\n') { out } else { out.trim_end().to_owned() }
}

/// Returns a heading with its options.
fn section(group: &Group, width: usize) -> String {
    let mut out = format!("{}\n", group.title);
    for (rows, description) in group.entries() {
        write_entry(rows, description, width, &mut out);
    }
    out.trim_end().to_owned()
}

/// Writes options that share a description.
fn write_entry(rows: &[OptionRow], description: &str, width: usize, out: &mut String) {
    let mut forms: Vec<String> = rows.iter().flat_map(OptionRow::forms).collect();
    let n = forms.len() - 1;
    forms[..n].iter_mut().for_each(|form| form.push(','));
    let mut lines = String::new();
    wrapped(&mut lines, "  ", 2, width - 1, forms.iter().map(String::as_str));
    let lines = lines.trim_end();
    let (above, mut line) = lines.rsplit_once('\n').unwrap_or(("", lines));
    if !above.is_empty() {
        *out += &format!("{above}\n");
    }
    // A description needs two blanks before it.
    if line.len() + 2 > COLUMN {
        *out += &format!("{line}\n");
        line = "";
    }
    for text in description.lines() {
        wrapped(out, &format!("{line:COLUMN$}"), COLUMN, width, text.split(' '));
        line = "";
    }
}

/// Returns the help on an option of a search; `option` may have dashes.
pub(crate) fn entry(option: &str) -> Option<String> {
    let wanted = option.trim_start_matches('-').to_ascii_lowercase();
    let mut entries = GROUPS.iter().flat_map(Group::entries);
    let (rows, description) = entries
        .find(|entry| entry.0.iter().any(|row| row.bare_names().any(|name| name == wanted)))?;
    let width = terminal::help_width();
    let mut text = String::new();
    wrapped(&mut text, "", 2, width, joined(rows).split(' '));
    wrapped(&mut text, "    ", 4, width, description.split_whitespace());
    Some(text)
}

/// Returns all entries: the forms of their options, the name of the first one, and the description.
pub(crate) fn all() -> impl Iterator<Item = (String, &'static str, String)> {
    GROUPS.iter().flat_map(Group::entries).map(|(rows, description)| {
        let name = rows.iter().flat_map(OptionRow::bare_names).next().unwrap_or_default();
        (joined(rows), name, in_one_line(description))
    })
}

/// Returns the options of an entry in one line.
pub(crate) fn joined(rows: &[OptionRow]) -> String {
    rows.iter().flat_map(OptionRow::forms).collect::<Vec<_>>().join(", ")
}

/// Returns a description without its line ends.
pub(crate) fn in_one_line(description: &str) -> String {
    description.replace('\n', " ")
}

/// Returns the option of a search with the name nearest to `name`, which has no dashes.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    syntax::parse::nearest(name, rows().flat_map(OptionRow::bare_names))
}
