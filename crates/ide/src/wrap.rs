//! Wraps words into lines of limited width.

/// Appends words after `front`. Further lines are indented, and none is longer than `width` unless
/// a single word is.
pub fn wrapped<'w>(
    out: &mut String,
    front: &str,
    indent: usize,
    width: usize,
    words: impl Iterator<Item = &'w str>,
) {
    *out += front;
    let mut column = front.chars().count();
    let mut is_first = true;
    for word in words {
        let length = word.chars().count();
        if !is_first && column + 1 + length > width {
            *out += &format!("\n{:indent$}", "");
            column = indent;
        } else if !is_first {
            out.push(' ');
            column += 1;
        }
        *out += word;
        column += length;
        is_first = false;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_a_word_would_be_too_much() {
        let check = |front: &str, indent: usize, expected: &str| {
            let mut out = String::new();
            let words = "one two three fourteen-letters x".split(' ');
            wrapped(&mut out, front, indent, 12, words);
            assert_eq!(out, expected);
        };
        check("", 0, "one two\nthree\nfourteen-letters\nx\n");
        check("- ", 4, "- one two\n    three\n    fourteen-letters\n    x\n");
    }
}
