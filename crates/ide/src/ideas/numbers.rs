//! Reads numbers as people write them: `2,500`, `2.500`, `2'500` and `2 500`.

/// Signs that people write between groups of three digits.
const BETWEEN: [char; 7] = [',', '.', '\'', '’', ' ', '\u{a0}', '\u{202f}'];

/// Signs that only queries and positions have: `--{1,300}`, `8/8/8`.
const OF_QUERIES: [char; 9] = ['{', '[', '(', '/', '=', '<', '>', '"', '#'];

/// Returns a question with its numbers in digits alone: `over 2500` for `over 2,500`. A query and a
/// position stay as they are.
pub(super) fn in_digits(question: &str) -> String {
    let mut out = String::with_capacity(question.len());
    let mut rest = question;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        out += before;
        let is_begin = !out.ends_with(|c: char| c.is_alphanumeric() || c == '.');
        let n = digits(from);
        let grouped = grouped(from).filter(|_| is_begin && !question.contains(OF_QUERIES));
        let (end, number) = grouped.unwrap_or_else(|| (n, from[..n].to_owned()));
        out += &number;
        rest = &from[end..];
    }
    out + rest
}

/// Returns a number whose groups of three digits are separated, in digits alone.
pub fn without_groups(number: &str) -> Option<String> {
    grouped(number).filter(|(end, _)| *end == number.len()).map(|(_, digits)| digits)
}

/// Returns the length of a number in groups at the beginning of a text, and its digits.
fn grouped(text: &str) -> Option<(usize, String)> {
    let first = digits(text);
    let between = text[first..].chars().next().filter(|c| BETWEEN.contains(c))?;
    if !(1..=3).contains(&first) || text.starts_with('0') {
        return None;
    }
    let (mut end, mut number) = (first, text[..first].to_owned());
    while let Some(group) = text[end..].strip_prefix(between).filter(|group| digits(group) == 3) {
        number += &group[..3];
        end += between.len_utf8() + 3;
    }
    (end > first).then_some((end, number))
}

/// Returns the number of digits at the beginning of a text.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_digits_are_a_number() {
        for (question, expected) in [
            ("both players over 2,500", "both players over 2500"),
            ("über 2.500", "über 2500"),
            ("over 2'500 and 2’600", "over 2500 and 2600"),
            ("2 500 games", "2500 games"),
            ("1,000,000 games", "1000000 games"),
            ("2\u{202f}500", "2500"),
            ("between 1990 and 2000", "between 1990 and 2000"),
            ("1999 2000", "1999 2000"),
            ("2020.06.15", "2020.06.15"),
            ("0.500", "0.500"),
            ("1,5000", "1,5000"),
            ("moves 1,2,3", "moves 1,2,3"),
            ("path --{1,300}", "path --{1,300}"),
            ("8/8 w - - 3 100", "8/8 w - - 3 100"),
            ("a1 000", "a1 000"),
            ("", ""),
        ] {
            assert_eq!(in_digits(question), expected, "{question}");
        }
        assert_eq!(without_groups("1,000").as_deref(), Some("1000"));
        for text in ["1000", "1,00", "1,000 games", ",000", ""] {
            assert_eq!(without_groups(text), None, "{text}");
        }
    }
}
