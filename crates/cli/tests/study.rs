//! `cql book` as a process: the results of its queries, their errors, and what it writes.

mod support;

use support::{Place, root};

const STUDY: &str = "---\ntitle: Mates\ngames: historic.pgn\n---\n# Mates\n\n\
    ```cql boards=2 table=White,year\nmate\nmovenumber < 20\n```\n\nEnd.\n";

/// SHA-256 of `examples/historic.pgn`, as `sha256sum` prints it.
fn checksum() -> String {
    use sha2::{Digest, Sha256};
    let bytes = std::fs::read(root().join("examples/historic.pgn")).expect("games");
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn place() -> Place {
    let place = Place::empty();
    let games = std::fs::read(root().join("examples/historic.pgn")).expect("games");
    place.write("in/historic.pgn", games);
    place.write("in/s.md", STUDY);
    place
}

#[test]
fn results_are_those_of_the_search_with_checksum_and_date() {
    let place = place();
    let ran = place.run("book in/s.md -o in/out.md --date 2026-01-02");
    assert_eq!((ran.status, &*ran.err), (Some(0), ""), "{ran:?}");
    let out = place.read("in/out.md");
    let counted =
        place.cql(&["in/historic.pgn", "--cql", "mate movenumber < 20", "--count", "--stdout"]);
    let n = counted.out.split_whitespace().nth(2).expect("a number");
    assert!(out.contains(&format!("**{n} of 40 games: ")), "{}{out}", counted.out);
    assert!(out.contains(&format!("historic.pgn (SHA-256 {}), 2026-01-02", checksum())), "{out}");
    assert!(out.contains("| White | year |") && out.contains("| Greco, Gioachino | 1620 |"));
    assert_eq!(out.matches("<svg ").count(), 2);
    // The same study on the same games gives the same text except for the date.
    let again = place.run("book in/out.md -o in/again.md --date 2026-01-03");
    assert_eq!(again.status, Some(0), "{again:?}");
    assert_eq!(place.read("in/again.md"), out.replace("2026-01-02", "2026-01-03"));
    let forms = [("md", "---"), ("html", "<!DOCTYPE html>"), ("typ", "// Made by Babson cql")];
    for (form, start) in forms {
        let ran = place.run(&format!("book in/again.md -o in/out.{form}"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let out = place.read(&format!("in/out.{form}"));
        assert!(out.starts_with(start) && out.contains("Greco, Gioachino"), "{out}");
        // A result may be replaced.
        assert_eq!(place.run(&format!("book in/s.md -o in/out.{form}")).status, Some(0));
    }
}

#[test]
fn errors_point_into_the_study_and_nothing_is_written() {
    let place = place();
    let check = |study: &str, expected: &str| {
        place.write("in/t.md", study);
        let ran = place.run("book in/t.md -o in/t.html");
        assert_eq!(ran.status, Some(1), "{study}: {ran:?}");
        assert!(ran.err.contains(expected), "{study}: {ran:?}");
        assert!(!place.path("in/t.html").exists());
    };
    check("# T\n\n```cql games=historic.pgn\nmate\n  matte\n```\n", "--> in/t.md:5:3");
    check("a\n\n```cql games=historic.pgn board=1\nmate\n```\n", "in/t.md:3:27: unknown option");
    check("```cql\nmate\n```\n", "in/t.md:1:1: no games");
    check("```cql games=none.pgn\nmate\n```\n", "none.pgn");
    check("\n```cql games=historic.pgn table=Whit\nmate\n```\n", "in/t.md:2:1: there is no column");
    check("no query\n", "in/t.md has no query");
    // All blocks are checked before the first search.
    place.write(
        "in/t.md",
        "---\ngames: historic.pgn\n---\n```cql\nmatte\n```\n\n```cql board=1\nmate\n```\n\n\
         ```cql\nstalemat\n```\n\n```cql games=none.pgn\nmate\n```\n\n\
         ```cql games=none.pgn\ncheck\n```\n",
    );
    let ran = place.run("book in/t.md -o in/t.html");
    assert_eq!(ran.status, Some(1));
    for expected in ["in/t.md:5:1", "in/t.md:8:8", "in/t.md:13:1", "none.pgn"] {
        assert_eq!(ran.err.matches(expected).count(), 1, "{expected}: {ran:?}");
    }
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_ne!(ran.status, Some(0), "{line}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
    };
    check("book in/s.md -o in/s.md", "would overwrite the input");
    check("book in/s.md -o out.pdf", ".html, .md or .typ");
    check("book in/none.md -o out.md", "in/none.md");
    place.write("mine.md", "# Mine\n");
    check("book in/s.md -o mine.md", "mine.md");
    assert_eq!(place.read("mine.md"), "# Mine\n");
}
