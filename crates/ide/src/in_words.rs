//! Explains queries in words, as text in lines: their meaning, and how they are evaluated.

mod outline;
mod plan;

use syntax::Dialect;

pub use plan::words as plan;

/// Explains a query without errors; one of an older dialect by its translation.
pub fn meaning(text: &[u8], dialect: Dialect) -> String {
    match dialect {
        Dialect::Cql6 => outline::of(text),
        older => of_older(text, older),
    }
}

/// Explains a query of an older dialect: its relations from the original text, the rest from its
/// translation.
fn of_older(text: &[u8], dialect: Dialect) -> String {
    let relations = outline::of_relations(text, dialect);
    let whole = match syntax::migrate::migrate(text, dialect) {
        Ok(translation) => format!(
            "In CQL 6.2 this query is:\n\n{}\n{}",
            String::from_utf8_lossy(&translation.text),
            outline::of(&translation.text)
        ),
        Err(_) => {
            let conditions = outline::of_conditions(text, dialect);
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
