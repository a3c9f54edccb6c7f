//! Tests `opening` and `openingcode`.

mod support;

use engine::{CompileOptions, Openings};
use support::{compiled, game_from, ids, is_refused, run};

const NAJDORF: &str = "1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 *";

fn check(query: &str, game: &str, want: bool) {
    assert_eq!(!ids(&format!("initial {query}"), game).is_empty(), want, "{query}: {game}");
}

#[test]
fn an_opening_is_found_by_its_name_whatever_the_order_of_moves() {
    for query in [
        "opening \"Najdorf\"",
        "opening == \"Sicilian Defense: Najdorf Variation\"",
        "opening ~~ \"^Sicilian\"",
        "openingcode \"B9\"",
        "openingcode == \"B90\"",
        "\"Sicilian\" in opening",
        "not opening \"French\"",
        "flipcolor { opening \"Najdorf\" }",
    ] {
        check(query, NAJDORF, true);
    }
    check("opening \"Dragon\"", NAJDORF, false);
    check("eco \"B9\"", NAJDORF, false);
}

#[test]
fn an_opening_holds_at_every_position_of_the_game() {
    assert_eq!(ids("opening \"Najdorf\"", NAJDORF).len(), 12);
    // Variations belong to the game, whose opening is that of its main line.
    let game = "1. e4 c5 (1... e5) 2. Nf3 *";
    let found = run("variations", "opening \"Sicilian\"", game);
    assert_eq!(found[0].row.positions.len(), 5);
}

#[test]
fn a_game_without_a_named_position_has_no_opening() {
    for game in [&game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1. O-O *"), "*"] {
        check("opening", game, false);
        check("openingcode == \"\" or opening == \"\"", game, false);
    }
    check("opening", "[Variant \"Atomic\"]\n\n1. e4 c5 *", false);
}

#[test]
fn a_name_that_no_opening_has_is_an_error() {
    let error = |query: &str| {
        let options = CompileOptions::default();
        let mut found = compiled(&format!("cql() {query}"), &options).diagnostics;
        assert_eq!(found.len(), 1, "{query}: {found:?}");
        found.remove(0)
    };
    let misspelled = error("opening \"Sicillian\"");
    assert_eq!(misspelled.code, "E0207");
    assert_eq!(misspelled.help.as_deref(), Some("did you mean \"Sicilian Defense\"?"));
    assert!(misspelled.edit.is_some());
    assert!(error("mate or opening \"sicilian\"").edit.is_some());
    assert!(error("opening \"Xyzzy\"").edit.is_none());
    let fix = |query: &str| error(query).edit.map(|edit| edit.text);
    for (query, mended) in [
        ("opening \"petroff\"", "\"Petrov's\""),
        ("opening \"nimzo indian\"", "\"Nimzo-Indian Defense\""),
        ("opening \"Orangutan\"", "\"Polish Opening\""),
        ("opening \"C42\"", "openingcode \"C42\""),
        ("Sicilian", "opening \"Sicilian Defense\""),
        ("grunfeld", "opening \"Grünfeld\""),
        ("opening French Defense", "opening \"French Defense\""),
        ("opening french defense check", "opening \"French Defense\""),
        ("French Defense", "opening \"French Defense\""),
        ("Caro-Kann mate", "opening \"Caro-Kann Defense\""),
        ("semi-slav", "opening \"Semi-Slav\""),
        ("Nimzo-Indian Defence", "opening \"Nimzo-Indian Defense\""),
        ("King's Indian", "opening \"King's Indian\""),
        ("mate Queen's Gambit", "opening \"Queen's Gambit\""),
        ("Alekhine's Defence", "opening \"Alekhine Defense\""),
        ("Kings Indian", "opening \"King's Indian\""),
        ("Grünfeld", "opening \"Grünfeld\""),
        ("Réti opening", "opening \"Réti Opening\""),
        ("eco French", "opening \"French Defense\""),
        ("eco B90", "\"B90\""),
    ] {
        assert_eq!(fix(query).as_deref(), Some(mended), "{query}");
    }
    assert_eq!(fix("Kasparov and Karpov"), None);
    for query in ["exchange sac", "half-open file", "symmetrical structure", "Sicilian foo"] {
        let found = compiled(&format!("cql() {query}"), &CompileOptions::default()).diagnostics;
        assert!(found.iter().all(|d| d.edit.is_none()), "{query}: {found:?}");
    }
    assert_eq!(fix("Xyzzy"), None);
    assert_eq!(fix("game"), None);
    assert_eq!(fix("double attack"), None);
    assert_eq!(fix("opening French defended"), None);
    assert_eq!(error("openingcode \"F1\"").code, "E0207");
    for query in ["opening \" \"", "openingcode \" \""] {
        assert_eq!((error(query).code, error(query).edit), ("E0207", None), "{query}");
    }
    assert_eq!(fix("opening \"Russian Game\"").as_deref(), Some("\"Petrov's Defense\""));
    for query in ["opening > 3", "opening \"a.*b\"", "openingcode > 3"] {
        assert!(is_refused(query), "{query}");
    }
}

#[test]
fn a_name_that_finds_other_openings_is_a_warning() {
    let check = |query: &str, code: &str, help: &str, text: Option<&str>| {
        let found = compiled(&format!("cql() {query}"), &CompileOptions::default()).diagnostics;
        let [ref found] = found[..] else { panic!("{query}: {found:?}") };
        assert_eq!(found.code, code, "{query}");
        assert!(found.help.as_deref().is_some_and(|said| said.contains(help)), "{found:?}");
        assert_eq!(found.edit.as_ref().map(|edit| &*edit.text), text, "{query}");
    };
    check("opening \"Spanish\"", "W0433", "Ruy Lopez", Some("\"Ruy Lopez\""));
    check("mate opening \"Russian\"", "W0433", "Petrov", Some("\"Petrov's Defense\""));
    check("opening \"French\"", "W0433", "\"French Defense\"", Some("\"French Defense\""));
    let fix = Some("opening ~~ \"^Slav\"");
    check("not opening \"Slav\"", "W0433", "begin with it", fix);
    let fix = Some("opening ~~ \"^King's Indian\"");
    check("opening \"King's Indian\"", "W0433", "begin with it", fix);
    let fix = Some("opening ~~ \"^Queen's Gambit\"");
    check("opening \"Queen's Gambit\"", "W0433", "begin with it", fix);
    check("opening \"Alapin\"", "W0433", "\"Alapin Opening\"", None);
    check("opening \"Exchange\"", "W0433", "a longer part", None);
    check("opening \"Two Knights\"", "W0433", "\"Italian Game: Two Knights Defense\"", None);
    check("opening \"Kan\"", "W0433", "a longer part", None);
    check("opening \"Closed Sicilian\"", "W0433", "\"Sicilian Defense: Closed\"", None);
    check("openingcode == \"B9\"", "W0402", "a part of a code", Some("openingcode \"B9\""));
    check("\"F9\" == openingcode", "W0402", "a part of a code", None);
    check("opening == \"Najdorf\"", "W0402", "opening \"Najdorf\"", None);
    check("\"spanish\" == opening", "W0402", "opening \"Ruy Lopez\"", None);
    check("opening \"Sokolsky\"", "W0433", "Polish Opening", Some("\"Polish Opening\""));
    let fix = Some("opening \"French Defense\"");
    check("opening == \"French Defense\"", "W0433", "all of them", fix);
    let fix = Some("not opening \"Ruy Lopez\"");
    check("opening != \"Ruy Lopez\"", "W0433", "all of them", fix);
    for query in [
        "opening \"Ruy Lopez\"",
        "opening ~~ \"^French Defense$\"",
        "opening \"French Defense\"",
        "opening ~~ \"^Slav\"",
        "opening \"Spanish Variation\"",
        "opening == \"French Defense: Winawer Variation, Poisoned Pawn Variation\"",
        "opening == \"\"",
    ] {
        let found = compiled(&format!("cql() {query}"), &CompileOptions::default()).diagnostics;
        assert_eq!(found, [], "{query}");
    }
}

#[test]
fn a_query_may_use_the_words_as_names() {
    check("opening = 3 opening == 3", NAJDORF, true);
}

#[test]
fn another_table_has_other_names() {
    let openings = "eco\tname\tpgn\nA04\tMy Opening\t1. Nf3\n";
    let openings = Openings::parse(openings).expect("a table");
    let options = CompileOptions { openings, ..CompileOptions::default() };
    let found = compiled("cql() opening \"My\" openingcode \"A04\"", &options);
    let program = found.program.expect("no errors");
    assert_eq!(engine::search(&program, NAJDORF.as_bytes()).count(), 1);
    assert!(compiled("cql() opening \"Najdorf\"", &options).program.is_none());
}
