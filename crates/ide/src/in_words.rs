//! Explains queries in words, as text in lines: their meaning, and how they are evaluated.

mod outline;
mod plan;

use syntax::Dialect;

pub use plan::words as plan;

/// Maximum width of a line, where nothing else limits it.
pub const WIDTH: usize = 100;

/// Explains a query without errors in lines of this width; one of an older dialect by its
/// translation.
pub fn meaning(text: &[u8], dialect: Dialect, width: usize) -> String {
    match dialect {
        Dialect::Cql6 => outline::of(text, width),
        older => of_older(text, older, width),
    }
}

/// Explains a short query in CQL 6.2 in one sentence, if it has one.
pub(crate) fn sentence(query: &str) -> Option<String> {
    outline::in_a_sentence(query.as_bytes())
}

/// Explains a query of an older dialect: its relations from the original text, the rest from its
/// translation.
fn of_older(text: &[u8], dialect: Dialect, width: usize) -> String {
    let relations = outline::of_relations(text, dialect, width);
    let whole = match syntax::migrate::migrate(text, dialect) {
        Ok(translation) => format!(
            "In CQL 6.2 this query is:\n\n{}\n{}",
            String::from_utf8_lossy(&translation.text),
            outline::of(&translation.text, width)
        ),
        Err(_) => {
            let conditions = outline::of_conditions(text, dialect, width);
            let what = match (relations.is_empty(), conditions.is_empty()) {
                (true, true) => "so its meaning is not explained",
                (false, true) => "so the rest of it is not explained",
                (_, false) => "so its conditions are explained one by one",
            };
            format!(
                "This query is in an older dialect and has no translation into CQL 6.2 that \
                 certainly means the same (`cql migrate` shows why), {what}.\n{conditions}"
            )
        }
    };
    relations + &whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_said() {
        let query = b"flipcolor {square x in [QRBN] {path quiet (R-- check R->k k-- R-- check){2,} \
                      #([Aa] -> x) >= 7 currentmove R[x][bn]c3 sort \"attackers\" power A - power a}}";
        for width in [60, 80, 100] {
            let text = meaning(query, Dialect::Cql6, width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest.is_some_and(|widest| widest <= width && widest > width - 20), "{text}");
        }
    }
}
