//! Explains the code of a diagnostic, as text for a terminal.

use ide::wrap::wrapped;
use syntax::diagnostic::table::{self, Entry};

use crate::terminal;

/// Returns the explanation of a code such as `E0203`, or an error that lists similar codes.
pub(crate) fn explain(code: &str) -> Result<String, String> {
    match table::entry(code) {
        Some(entry) => Ok(text_of(entry)),
        None => {
            let group = code.get(..3).unwrap_or_default().to_ascii_uppercase();
            let near: Vec<&str> = table::all()
                .map(|entry| entry.code)
                .filter(|code| code.starts_with(&group))
                .collect();
            let known = match near.as_slice() {
                [] => "codes look like E0203 and W0401".to_owned(),
                near => format!("codes near it are {}", near.join(", ")),
            };
            Err(format!("there is no diagnostic {code}; {known}"))
        }
    }
}

fn text_of(entry: &Entry) -> String {
    let mut text = format!("{}: {}\n\n", entry.code, entry.title);
    wrapped(&mut text, "", 0, terminal::help_width(), entry.explanation.split_whitespace());
    if let Some(example) = entry.example {
        text += "\nWrong:\n\n";
        text += &indented(example.wrong);
        text += "\nRight:\n\n";
        text += &indented(example.mended);
    }
    text
}

fn indented(query: &str) -> String {
    query.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_explained() {
        let text = explain("e0201").expect("a code");
        assert!(text.starts_with("E0201: an unknown name\n\n"), "{text}");
        assert!(text.contains("\nWrong:\n\n    cql() stalmate\n"), "{text}");
        assert!(text.ends_with("\nRight:\n\n    cql() stalemate\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100));
        for entry in table::all() {
            assert!(explain(entry.code).is_ok(), "{}", entry.code);
        }
    }

    #[test]
    fn an_unknown_code_leads_to_its_neighbors() {
        let check = |code: &str, expected: &str| {
            assert_eq!(explain(code).expect_err(code), expected);
        };
        check(
            "E0209",
            "there is no diagnostic E0209; codes near it are E0201, E0202, E0203, E0204, E0205, \
             E0206, E0207, E0208",
        );
        check("E9999", "there is no diagnostic E9999; codes look like E0203 and W0401");
    }
}
