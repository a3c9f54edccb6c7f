//! Explains queries in words, as text in lines: their meaning, and how they are evaluated.

mod outline;
mod plan;

use syntax::Dialect;

pub use plan::words as plan;

/// Explains a query without errors; one of an older dialect by its translation.
pub fn meaning(text: &[u8], older: Option<Dialect>) -> String {
    match older {
        None => outline::of(text),
        Some(dialect) => of_older(text, dialect),
    }
}

/// Explains a query of an older dialect: its relations from the original text, the rest from its
/// translation.
fn of_older(text: &[u8], dialect: Dialect) -> String {
    let relations = outline::of_relations(text, dialect);
    let whole = match syntax::migrate::migrate(text, Some(dialect)) {
        Ok(translation) => format!(
            "In CQL 6.2 this query is:\n\n{}\n{}",
            String::from_utf8_lossy(&translation),
            outline::of(&translation)
        ),
        Err(_) if relations.is_empty() => {
            "This query is in an older dialect and has no translation into CQL 6.2 that certainly \
             means the same (`cql migrate` shows why), so its meaning is not explained.\n"
                .to_owned()
        }
        Err(_) => "The rest of this query is not explained: it has no translation into CQL 6.2 \
                   that certainly means the same (`cql migrate` shows why).\n"
            .to_owned(),
    };
    relations + &whole
}
