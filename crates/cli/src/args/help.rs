//! Help on the options of a search.

use super::options::{GROUPS, Group, OptionRow, rows};
use crate::subcommands::Subcommands;
use ide::wrap::wrapped;

/// Text of `-help` around the options and subcommands.
const TEMPLATE: &str = include_str!("help.txt");

/// Width of the text.
const WIDTH: usize = 98;

/// Width of the help on one option.
const LINE: usize = 80;

/// Column at which descriptions begin.
const COLUMN: usize = 28;

/// Returns the text of `-help`: the options of a search and the subcommands.
pub(crate) fn text(subcommands: Subcommands) -> String {
    let Some((general, groups)) = GROUPS.split_last() else {
        return TEMPLATE.to_owned();
    };
    let groups: Vec<String> = groups.iter().map(section).collect();
    let subcommands = subcommands.all().into_iter();
    let subcommands = subcommands.map(|(name, about)| format!("  {name:<26}{about}"));
    TEMPLATE
        .replace("{options}", &groups.join("\n\n"))
        .replace("{general}", &section(general))
        .replace("{subcommands}", &subcommands.collect::<Vec<_>>().join("\n"))
}

/// Returns a heading with its options.
fn section(group: &Group) -> String {
    let mut out = format!("{}\n", group.title);
    for (rows, description) in group.entries() {
        write_entry(rows, description, &mut out);
    }
    out.trim_end().to_owned()
}

/// Writes options that share a description.
fn write_entry(rows: &[OptionRow], description: &str, out: &mut String) {
    let mut forms: Vec<String> = rows.iter().flat_map(OptionRow::forms).collect();
    let n = forms.len() - 1;
    forms[..n].iter_mut().for_each(|form| form.push(','));
    let mut lines = String::new();
    wrapped(&mut lines, "  ", 2, WIDTH - 1, forms.iter().map(String::as_str));
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
        wrapped(out, &format!("{line:COLUMN$}"), COLUMN, WIDTH, text.split(' '));
        line = "";
    }
}

/// Returns the help on an option of a search; `option` may have dashes.
pub(crate) fn entry(option: &str) -> Option<String> {
    let wanted = option.trim_start_matches('-').to_ascii_lowercase();
    let mut entries = GROUPS.iter().flat_map(Group::entries);
    let (rows, description) = entries
        .find(|entry| entry.0.iter().any(|row| row.bare_names().any(|name| name == wanted)))?;
    let mut text = String::new();
    wrapped(&mut text, "", 2, LINE, joined(rows).split(' '));
    wrapped(&mut text, "    ", 4, LINE, description.split_whitespace());
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
