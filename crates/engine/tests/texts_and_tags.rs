//! Tests replacements in strings, regular expressions, removed tags, and games without a result.

mod support;

use engine::search;
use support::{comment, game, ids, is_refused, program, run};

#[test]
fn parts_of_strings_are_replaced() {
    for (filter, want) in [
        ("replace(\"banana\" \"a\" \"o\")", "bonono"),
        ("replace(\"banana\" \"an\" \"\")", "ba"),
        ("replace(\"banana\" \"x\" \"y\")", "banana"),
        ("replace(\"banana\" \"^.|a$\" \"-\")", "-anan-"),
        ("replace(\"ab\" \"x*\" \".\")", ".a.b."),
        ("replace(event \"[a-z]+\" lowercase \"X\")", "x 1"),
        ("replace(replace(\"abc\" \"a\" \"b\") \"b\" \"c\")", "ccc"),
        ("replace(str(ply) \"0\" \"zero\")", "zero"),
        ("replace(uppercase event \"[A-Z]\" \"x\")", "xxxx 1"),
        ("replace(\"a \" + event \" .*\" \"\")", "a"),
        ("replace(str(event \" x\") \"x\" \"y\")", "some 1 y"),
    ] {
        let pgn = "[Event \"some 1\"]\n\n1.e4 *\n";
        let written = comment(&format!("initial comment({filter})"), pgn);
        assert_eq!(written.as_deref(), Some(want), "{filter}");
    }
    for body in [
        "replace(\"a\" \"(\" \"b\")",
        "replace(\"a\" event \"b\")",
        "replace(\"a\" \"b\")",
        "replace(3 \"b\" \"c\")",
        "replace \"a\"",
    ] {
        assert!(is_refused(body), "{body}");
    }
}

#[test]
fn letters_of_all_alphabets_are_changed() {
    for filter in [
        "lowercase \"Öst-É\" == \"öst-é\"",
        "uppercase \"žß\" == \"ŽSS\"",
        "\"əж\" == lowercase \"ƏЖ\"",
    ] {
        assert_eq!(ids(&format!("initial {filter}"), &game("1.e4")), [0], "{filter}");
    }
    // A game in Latin-1.
    let program = program("", "initial lowercase event == \"öst\"");
    let game = b"[Event \"\xd6ST\"]\n\n1.e4 *\n";
    assert_eq!(search(&program, game).count(), 1);
}

#[test]
fn a_player_is_found_by_any_part_of_both_names() {
    let names = [("Kasparov,G", "van der Berg, A"), ("", "Li"), ("?", "?")];
    let parts = [
        "n",
        "\\",
        "\\n",
        "G\\nVan",
        "\\nVan der",
        "Kasp",
        "kas",
        "zzz",
        "Q",
        "V",
        "v",
        "d",
        "b",
        "B",
        ", G",
        "Li",
    ];
    for (white, black) in names {
        let pgn = format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1.e4 *\n");
        for part in parts {
            let holds = |filter: &str| !ids(&format!("initial {filter}"), &pgn).is_empty();
            // The second filter takes the text from a variable, so the compiler does not know it.
            let found = holds(&format!("player \"{part}\""));
            let by_value = holds(&format!("$part=\"{part}\" $part in player"));
            assert_eq!(found, by_value, "{part:?} in {white:?} and {black:?}");
        }
    }
}

#[test]
fn tags_are_left_out() {
    let pgn = "[Event \"?\"]\n[Annotator \"x\"]\n[Round \"2\"]\n[Opening \"y\"]\n\n1.e4 *\n";
    let names = |body: &str| -> Vec<String> {
        let games = run("", body, pgn);
        let tags = games[0].row.tags.iter();
        tags.map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect()
    };
    let all = names("true");
    assert!(all.contains(&"Annotator".to_owned()));
    let rest = names("removetag \"Annotator\"");
    assert!(!rest.contains(&"Annotator".to_owned()));
    assert_eq!(rest.len() + 1, all.len());
    let again = names("removetag \"Annotator\" settag(\"Annotator\" \"z\")");
    assert!(again.contains(&"Annotator".to_owned()));
    let none = names("settag(\"Theme\" \"z\") removetag \"Theme\"");
    assert_eq!(none.len(), all.len());
    for kept in ["White", "Round", "FEN", "White Elo", ""] {
        assert!(is_refused(&format!("removetag \"{kept}\"")), "{kept}");
    }
    assert!(is_refused("removetag"));
}

#[test]
fn tags_with_filters_of_their_own_are_left_out() {
    let tags = "[WhiteElo \"2500\"]\n[BlackTitle \"GM\"]\n[ECO \"C20\"]\n[EventDate \"1990.1.1\"]";
    let pgn = format!("[Event \"?\"]\n{tags}\n\n1.e4 *\n");
    for name in ["WhiteElo", "BlackTitle", "ECO", "EventDate"] {
        let names_of = |body: &str| -> Vec<String> {
            let games = run("", body, &pgn);
            let tags = games[0].row.tags.iter();
            tags.map(|tag| String::from_utf8_lossy(&tag.0).into_owned()).collect()
        };
        let mut expected = names_of("true");
        expected.retain(|other| other != name);
        assert_eq!(names_of(&format!("removetag \"{name}\"")), expected);
        assert_eq!(expected.len() + 1, names_of("true").len());
    }
}

#[test]
fn games_without_a_result() {
    assert_eq!(ids("result \"*\"", &game("1.e4")), [0, 1]);
    let drawn = "[Event \"?\"]\n[Result \"1/2-1/2\"]\n\n1.e4 1/2-1/2\n";
    assert!(ids("result \"*\"", drawn).is_empty());
    assert_eq!(ids("result \"*\" or ply==1", drawn), [1]);
    // as in CQL 6.2
    assert!(is_refused("result *"));
}

#[test]
fn groups_have_names() {
    let pgn = "[Event \"?\"]\n[Date \"1851.06.21\"]\n\n1.e4 *\n";
    for (filter, want) in [
        ("date ~~ \"(?<year>\\d+).(?<month>\\d+)\" comment(\\{month} \\1 \\-{month})", "0618515"),
        ("while (date ~~ \"(?<d>\\d+)\") x = \\{d} comment(x)", "21"),
        ("date ~~ \"(?<a>.)8\\k<a>\" or date ~~ \"(?<a>5)1\" comment(\\{a})", "5"),
    ] {
        let written = comment(&format!("initial {filter}"), pgn);
        assert_eq!(written.as_deref(), Some(want), "{filter}");
    }
    for body in [
        "date ~~ \"(?<year>1)\" \\{month} == \"1\"",
        "\\{a} == \"1\"",
        "date ~~ \"(?<1>1)\"",
        "date ~~ \"1\" \\{a-b} == \"1\"",
    ] {
        assert!(is_refused(body), "{body}");
    }
}

#[test]
fn patterns_are_made_while_the_query_runs() {
    let pgn = "[Event \"abc 7\"]\n[Site \"[a-z]+\"]\n\n1.e4 e5 *\n";
    for (filter, want) in [
        ("s = \"b.\" x = event ~~ (s) comment(x)", "bc"),
        ("x = event ~~ (site) comment(x)", "abc"),
        ("x = replace(event (\"[\" + \"a-b]\") \"-\") comment(x)", "--c 7"),
        ("t = \"\" while (event ~~ (\"[ac]\")) t += \\0 comment(t)", "ac"),
        ("event ~~ (\"(?<n>\" + \"c)\") comment(\\{n})", "c"),
    ] {
        let written = comment(&format!("initial {filter}"), pgn);
        assert_eq!(written.as_deref(), Some(want), "{filter}");
    }
    // as in CQL 6.2
    assert!(is_refused("s = \"a\" event ~~ s"));
    assert!(is_refused("event ~~ (3)"));
    assert!(is_refused("event ~~ (R)"));
}
