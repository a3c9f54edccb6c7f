use engine::{CompileOptions, Source, compile, search};

use super::*;

const TEXT: &str = "---\ntitle: \"Mates & more\"\ngames: a.pgn, b.pgn\n---\n# Mates\n\nSome *text*.\n\n\
    ```cql boards=1 table=White,ply rows=5\nmate\n```\n\nAfter | it.\n\n```cql hide games=c.pgn\n\
    cql() check\n```\n\n```text\ncql\n```\n";

const GAMES: &[u8] = b"[White \"A|b <i>\"]\n[Date \"1990.??.??\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n";

/// Returns the results of all blocks.
fn results(study: &Study<'_>) -> Vec<Findings> {
    let run = |block: &Block| {
        let query = study.query(block);
        let program =
            compile(&Source { name: "t.md", text: &query }, &[], &CompileOptions::default());
        let program = program.program.expect("a correct query");
        let rows: Vec<GameRow> =
            search(&program, GAMES).map(|game| game.expect("a game").row).collect();
        let findings = block.findings(&program, &rows).expect("columns");
        let source = "a.pgn, 2026-01-02".to_owned();
        Findings { searched: 1, matching: 1, positions: 1, source, ..findings }
    };
    study.blocks.iter().map(run).collect()
}

#[test]
fn blocks_and_front_matter_are_read() {
    let study = Study::parse(TEXT);
    assert_eq!(study.title.as_deref(), Some("Mates & more"));
    assert_eq!(study.games, ["a.pgn", "b.pgn"]);
    let blocks: Vec<(usize, &[String])> =
        study.blocks.iter().map(|block| (block.wanted(), &*block.games)).collect();
    assert_eq!(blocks, [(5, &[][..]), (0, &["c.pgn".to_owned()][..])]);
}

#[test]
fn what_is_wrong_has_a_place() {
    let check = |text: &str, line: usize, column: usize, message: &str| {
        let errors = Study::parse(text).errors;
        let [error] = &errors[..] else { panic!("{text}: {errors:?}") };
        assert!(error.message.contains(message), "{error:?}");
        let before = &text[..error.offset];
        let found = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        assert_eq!((found, error.offset - start + 1), (line, column), "{text}");
    };
    check("a\n\n```cql board=2\nmate\n```\n", 3, 8, "unknown option 'board=2'");
    check("```cql boards=x\nmate\n```\n", 1, 8, "needs a number");
    check("```cql boards=0\nmate\n```\n", 1, 8, "needs a number");
    check("b\n\n```cql\n\n```\n", 3, 1, "no query");
    let text = "```cql\n```\n\n```cql boards=x\nmate\n```\n\n```cql\nmate\n```\n";
    let study = Study::parse(text);
    assert_eq!((study.errors.len(), study.blocks.len()), (2, 1));
}

#[test]
fn errors_of_queries_point_into_the_study() {
    let text = "# T\n\n> quoted\n>\n> ```cql\n> mate\n> stalmate\n> ```\n";
    let study = Study::parse(text);
    let query = study.query(&study.blocks[0]);
    let compiled = compile(&Source { name: "t.md", text: &query }, &[], &CompileOptions::default());
    assert!(compiled.program.is_none());
    let start = compiled.diagnostics[0].span.start;
    assert_eq!(engine::line_and_column(text.as_bytes(), start as usize), (7, 3));
    assert!(query.starts_with(b"   \n\n") && query.len() <= text.len());
}

#[test]
fn filling_in_again_changes_nothing_else() {
    let study = Study::parse(TEXT);
    let filled = study.markdown(&results(&study));
    for part in [
        "**1 of 1 game: 1 matching position**",
        "| White | ply |\n| --- | --- |\n| A\\|b \\<i> | 4 |",
        "<svg ",
        "*A\\|b \\<i> – ?, 1990, after 2...Qh4\\#*",
        "After | it.",
        "a.pgn, 2026-01-02",
        "```cql hide games=c.pgn\ncql() check\n```",
        MAKER,
    ] {
        assert!(filled.contains(part), "{part}: {filled}");
    }
    let again = Study::parse(&filled);
    assert_eq!(again.blocks.len(), 2);
    assert_eq!(again.markdown(&results(&again)), filled);
    // The mark of another version is replaced.
    let older = filled.replace(MAKER, "Babson cql 0.0.1");
    assert_ne!(older, filled);
    let older = Study::parse(&older);
    assert_eq!(older.markdown(&results(&older)), filled);
    // Without results, the old ones go.
    let bare = again.markdown(&[]);
    assert!(!bare.contains(BEGIN) && bare.contains("After | it."), "{bare}");
}

#[test]
fn pages_and_typst_show_the_results_once() {
    let study = Study::parse(TEXT);
    let filled = study.markdown(&results(&study));
    let again = Study::parse(&filled);
    for study in [&study, &again] {
        let results = results(study);
        let html = study.html(&results);
        assert!(html.contains("<title>Mates &amp; more</title>"));
        assert!(html.contains("<td>A|b &lt;i&gt;</td><td>4</td>"), "{html}");
        assert_eq!(html.matches("class=\"result\"").count(), 2);
        assert_eq!(html.matches("<svg class=\"board\"").count(), 1);
        // A hidden query is not shown, its result is.
        assert!(!html.contains("cql() check") && html.contains("<code class=\"language-cql"));
        let typst = study.typst(&results);
        assert!(typst.contains("#heading(level: 1)[Mates]\n"), "{typst}");
        assert!(typst.contains("Some #emph[text]\\.") && typst.contains("\"A|b <i>\", \"4\""));
        assert_eq!(typst.matches("#strong(\"1 of 1 game").count(), 2);
        assert!(!typst.contains("cql() check") && !typst.contains("title: \\\""), "{typst}");
    }
}
