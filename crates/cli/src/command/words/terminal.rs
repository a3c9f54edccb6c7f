//! Formats blocks of a page as text for a terminal.

use ide::manual::{self, ManualBlock, plain};

use ide::wrap;

use crate::terminal;

/// Minimum width of the last column of a table; if there is less room, its rows are set as lines.
const LEAST: usize = 34;

/// Formats all blocks, with blank lines between them.
pub(crate) fn blocks(blocks: &[ManualBlock<'_>]) -> String {
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
            ManualBlock::Text(lines) => wrapped(&mut out, "", 0, &plain(&lines.join(" "))),
            ManualBlock::Item(lines) => wrapped(&mut out, "- ", 2, &plain(&lines.join(" "))),
            ManualBlock::Table(rows) => table(&mut out, rows),
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
fn table(out: &mut String, rows: &[Vec<&str>]) {
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
    // In lines, the head would be a row like the others.
    let has_head = is_narrow && rows.len() > 1;
    for row in rows.iter().skip(usize::from(has_head)) {
        let cell = |column: usize| row.get(column).map_or("", String::as_str);
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
        table(&mut out, &[row]);
        let expected =
            format!("  a  set  {}\n          {}\n", ["word"; 14].join(" "), ["word"; 6].join(" "));
        assert_eq!(out, expected);
        let mut out = String::new();
        let wide = "x".repeat(50);
        table(&mut out, &[vec![&wide, "set", "meaning"]]);
        assert_eq!(out, format!("  {wide} (set)\n      meaning\n"));
    }
}
