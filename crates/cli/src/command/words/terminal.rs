//! Formats blocks of a page as text for a terminal.

use ide::manual::{self, ManualBlock, plain};

use ide::wrap;

use crate::terminal;

/// Minimum width of the last column of a table; if there is less room, its rows are set as lines.
const LEAST: usize = 34;

/// Formats all blocks, with blank lines between them. Whole tables have heads, rows chosen from one have
/// none.
pub(crate) fn blocks(blocks: &[ManualBlock<'_>], have_heads: bool) -> String {
    let mut out = String::new();
    let mut before: Option<&ManualBlock<'_>> = None;
    for block in blocks {
        let is_list = matches!((before, block), (Some(ManualBlock::Item(_)), ManualBlock::Item(_)));
        if before.is_some() && !is_list {
            out.push('\n');
        }
        match block {
            // A picture.
            ManualBlock::Text(lines) if lines.iter().all(|line| line.starts_with("![")) => continue,
            ManualBlock::Text(lines) => {
                let text = plain(&lines.join(" "));
                wrapped(&mut out, "", 0, text.trim_start_matches(['#', ' ']));
            }
            ManualBlock::Item(lines) => wrapped(&mut out, "- ", 2, &plain(&lines.join(" "))),
            ManualBlock::Table(rows) => table(&mut out, rows, have_heads),
            ManualBlock::Query(lines) => {
                for line in lines {
                    out += format!("  {line}").trim_end();
                    out.push('\n');
                }
            }
        }
        before = Some(block);
    }
    manual::installed(&out)
}

/// Appends a text wrapped into lines, the first of them after `front`.
fn wrapped(out: &mut String, front: &str, indent: usize, text: &str) {
    wrap::wrapped(out, front, indent, terminal::help_width(), text.split_whitespace());
}

/// Appends rows, with their last column wrapped.
fn table(out: &mut String, rows: &[Vec<&str>], has_head: bool) {
    let rows = rows.iter().map(|row| row.iter().map(|cell| plain(cell)));
    let rows: Vec<Vec<String>> = rows.map(Iterator::collect).collect();
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    // Empty columns are left out.
    let columns: Vec<(usize, usize)> = (0..n_columns)
        .map(|column| (column, width(column)))
        .filter(|&(_, width)| width > 0)
        .collect();
    let Some((&(last, _), others)) = columns.split_last() else {
        return;
    };
    let indent: usize = others.iter().map(|(_, width)| width + 2).sum::<usize>() + 2;
    let is_narrow = indent + LEAST > terminal::help_width();
    // In lines, the head would be a row like the others: each cell of three or more has its part of it.
    let heads = rows.first().filter(|_| has_head);
    for row in rows.iter().skip(usize::from(is_narrow && has_head)) {
        let cell = |column: usize| row.get(column).map_or("", String::as_str);
        if let Some(heads) = heads.filter(|_| is_narrow && others.len() > 1) {
            wrapped(out, "  ", 4, cell(others[0].0));
            let said = columns[1..].iter().filter(|(column, _)| !cell(*column).is_empty());
            let said =
                said.map(|&(column, _)| match heads.get(column).map_or("", String::as_str) {
                    "" => cell(column).to_owned(),
                    head => format!("{head}: {}", cell(column)),
                });
            wrapped(out, "      ", 6, &said.collect::<Vec<_>>().join("; "));
            continue;
        }
        if is_narrow {
            let mut head = others.iter().map(|&(column, _)| cell(column));
            let first = head.next().unwrap_or_default();
            let rest: Vec<&str> = head.filter(|cell| !cell.is_empty()).collect();
            let rest = match rest.as_slice() {
                [] => String::new(),
                rest => format!(" ({})", rest.join(", ")),
            };
            wrapped(out, "  ", 4, &format!("{first}{rest}"));
            if !cell(last).is_empty() {
                wrapped(out, "      ", 6, cell(last));
            }
            continue;
        }
        let front = others.iter().map(|&(column, width)| format!("{:width$}  ", cell(column)));
        let front: String = std::iter::once("  ".to_owned()).chain(front).collect();
        wrapped(out, &front, indent, cell(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_set_in_columns_or_lines() {
        let mut out = String::new();
        let long = "word ".repeat(20);
        let row = vec!["`a`", "", "set", long.trim()];
        table(&mut out, &[row], false);
        let expected =
            format!("  a  set  {}\n          {}\n", ["word"; 14].join(" "), ["word"; 6].join(" "));
        assert_eq!(out, expected);
        let mut out = String::new();
        let wide = "x".repeat(50);
        let row = vec![&*wide, "set", "meaning"];
        table(&mut out, std::slice::from_ref(&row), false);
        assert_eq!(out, format!("  {wide} (set)\n      meaning\n"));
        // No row is taken for a head.
        out.clear();
        table(&mut out, &[row.clone(), row.clone()], false);
        assert_eq!(out, format!("  {wide} (set)\n      meaning\n").repeat(2));
        out.clear();
        table(&mut out, &[vec!["filter", "type", "finds"], row], true);
        assert_eq!(out, format!("  {wide}\n      type: set; finds: meaning\n"));
    }
}
