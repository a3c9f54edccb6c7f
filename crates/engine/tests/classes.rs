//! Classes of queries, which tell how the games of a query may be divided.

use engine::{CompileOptions, Divisibility, Source, compile};

/// Returns the class of a query, and the word that decides it.
fn class(text: &str) -> (&'static str, Option<String>) {
    let source = Source { name: "q", text: text.as_bytes() };
    let compiled = compile(&source, &[], &CompileOptions::default());
    let program = compiled.program.expect("a query");
    let (name, cause) = match program.class() {
        Divisibility::PerGame => return ("per game", None),
        Divisibility::Mergeable(cause) => ("mergeable", cause),
        Divisibility::Sequential(cause) => ("sequential", cause),
    };
    let word = cause.span.map(|span| {
        let word = &text[span.start as usize..span.end as usize];
        word.to_owned()
    });
    (name, word)
}

#[test]
fn the_word_that_decides_is_known() {
    let check = |text: &str, expected: &str, word: Option<&str>| {
        assert_eq!(class(text), (expected, word.map(str::to_owned)), "{text}");
    };
    check("cql() mate", "per game", None);
    check("cql() x=1 local dictionary D D[1]=2", "per game", None);
    check("cql() check persistent x+=1", "sequential", Some("persistent"));
    check("cql() check dictionary Names", "sequential", Some("Names"));
    check("cql() persistent dictionary D", "sequential", Some("persistent"));
    check("cql() readfile \"a\" == \"b\"", "sequential", Some("readfile"));
    check("cql() writefile(\"a\" \"b\") sort ply", "sequential", Some("writefile"));
    check("cql() check sort \"p\" ply", "mergeable", Some("sort"));
    check("cql(sort matchcount 1 9) mate", "mergeable", None);
    check("(match (position :mate))", "per game", None);
}
