//! Warnings for texts.

use super::*;
use crate::parse::{ParseOptions, Source, parse, parse_with_values};

fn warnings(text: &str) -> Vec<Diagnostic> {
    let source = Source { name: "test", text: text.as_bytes() };
    let parsed = parse(&source, &[], &ParseOptions::default());
    assert_eq!(parsed.diagnostics, [], "{text}");
    lint(&[text.as_bytes()], &[], &parsed.query, &[], None)
}

/// Compares the warnings with `CODE "TEXT"`.
fn check(text: &str, expected: &str) {
    let found: Vec<String> = warnings(text)
        .iter()
        .map(|d| {
            let place = &text[d.span.start as usize..d.span.end as usize];
            format!("{} {place:?}", d.code)
        })
        .collect();
    assert_eq!(found.join(", "), expected, "{text}");
}

#[test]
fn values_of_headers_are_not_assigned() {
    let check = |query: &str, meant: &str| {
        let text = format!("cql() {query}");
        let found = warnings(&text);
        let [only] = &found[..] else {
            panic!("{query}: {found:?}");
        };
        let mut mended = text.clone();
        if let Some(edit) = &only.edit {
            mended.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            let help = only.help.as_deref().unwrap_or_default();
            assert!(help.contains(&format!("`{meant}`")), "{query}: {help}");
        }
        assert_eq!(mended, format!("cql() {meant}"), "{query}");
        assert_eq!(warnings(&mended).len(), usize::from(only.edit.is_none()), "{mended}");
    };
    check("White = \"Carlsen\"", "player white \"Carlsen\"");
    check("Result = \"1-0\"", "result 1-0");
    check("Event = \"Candidates\"", "event \"Candidates\"");
    check("Opening = \"Sicilian\"", "opening \"Sicilian\"");
    check("Year = 2013", "year == 2013");
    check("Date = \"2013.??.??\"", "year == 2013");
    check("ELO = 2700", "elo >= 2700");
    check("whiteelo = 2700", "elo white >= 2700");
    check("termination = \"time forfeit\"", "tag \"Termination\" == \"time forfeit\"");
    check("MoveNumber = 20", "movenumber == 20");
    check("timecontrol = 180+2", "tag \"TimeControl\" == \"180+2\"");
    check("TIMECONTROL=40/7200", "tag \"TimeControl\" == \"40/7200\"");
    check("time_control = 180", "tag \"TimeControl\" == \"180\"");
    // These may be variables like any other.
    check("Year = 2013 + ply", "Year = 2013 + ply");
    check("Result = \"won\"", "Result = \"won\"");
    check("x = 3", "x = 3");
}

#[test]
fn names_that_nobody_uses() {
    check("cql() x = 3 check", "W0201 \"x\"");
    check("cql() x = 3 x == 3", "");
    check("cql() x = 3 isbound \"x\"", "");
    check("cql() persistent x = 3", "");
    check("cql() persistent quiet x = 3", "");
    check("cql() piece x = K check", "W0201 \"x\"");
    check("cql() square x in R check", "");
    check("cql() x = 3 x += 1 check", "");
    check("cql() function f(y) {y > 3} check", "W0201 \"f\"");
    check("cql() function f(y) {y > 3} f(4)", "");
    check("cql() // x\nx = 3 // x\n x > 2", "");
}

#[test]
fn filters_after_not_that_are_asked_for() {
    let not = |text: &str, expected: &str, mended: &str| check_mended(text, expected, mended);
    not("cql() not Pa2 Pb2", "W0435 \"Pb2\"", "cql() not Pa2 not Pb2");
    not("cql() wtm not Pa2 Pb2 Pc2 k", "W0435 \"Pb2 Pc2\"", "cql() wtm not Pa2 not Pb2 not Pc2 k");
    not("cql() not Pe4 pe5", "W0435 \"pe5\"", "cql() not Pe4 not pe5");
    not("cql() not Q R r", "W0435 \"R r\"", "cql() not Q not R not r");
    for text in [
        "cql() Pb2 not Pa2",
        "cql() not {Pa2 Pb2}",
        "cql() not Pa2 not Pb2",
        "cql() not Pa2\nPb2",
        "cql() not Q Rd1",
        "cql() not Q\nR",
        "cql() not check Pb2",
    ] {
        check(text, "");
    }
}

#[test]
fn variables_outside_of_their_loops() {
    check_mended(
        "cql() piece $x in R check $x -> k",
        "E0208 \"$x\"",
        "cql() piece $x in R {check $x -> k}",
    );
    check_mended(
        "cql() initial piece $r in Ra1 find terminal $r",
        "E0208 \"$r\"",
        "cql() initial piece $r in Ra1 find {terminal $r}",
    );
    check("cql() {square x in R check} x & P", "E0208 \"x\"");
    for text in [
        "cql() piece $x in R {check $x}",
        "cql() piece $x in R path focus $x --",
        "cql() square x in R x & P",
        "cql() square x in R check square x in r x",
        "cql() square x in R check if isbound x then x",
        "cql() x = R square x in x check",
    ] {
        assert!(warnings(text).iter().all(|d| d.code != "E0208"), "{text}");
    }
}

#[test]
fn values_have_errors_and_warnings() {
    let check = |text: &str, value: &str, expected: &[(u16, &str)]| {
        let source = |name, text| Source { name, text };
        let query = source("q.cql", text.as_bytes());
        let values = [source("--count-by", value.as_bytes())];
        let parsed = parse_with_values(&query, &[], &values, &ParseOptions::default());
        assert_eq!(parsed.diagnostics, [], "{text}");
        let found = lint(&[query.text], &[value.as_bytes()], &parsed.query, &[], None);
        let found: Vec<_> = found.iter().map(|d| (d.span.source.0, d.code)).collect();
        assert_eq!(found, expected, "{text}: {value}");
    };
    check("cql() piece $x in [Aa] check", "$x", &[(1, "E0208")]);
    check("cql() mate", "{piece $x in [Aa] check type $x}", &[(1, "E0208")]);
    check("cql() $x = 3 mate", "$x", &[]);
    check("cql() mate", "clock white < 60", &[(1, "W0403")]);
    check("cql() P--=Q", "to", &[(0, "W0432")]);
}

#[test]
fn filters_of_options_are_moves_that_follow() {
    let source = |name, text: &'static str| Source { name, text: text.as_bytes() };
    let (query, front) = (source("", "cql()."), [source("-cql", "P--=Q")]);
    let values = [source("--count-by", "to")];
    let parsed = parse_with_values(&query, &front, &values, &ParseOptions::default());
    let found = lint(&[query.text, front[0].text], &[b"to"], &parsed.query, &[], None);
    let found: Vec<_> = found.iter().map(|d| (d.span.source.0, d.code)).collect();
    assert_eq!(found, [(1, "W0432")]);
}

#[test]
fn attacks_that_are_a_way() {
    let way = "cql() piece x in Nb1 {path focus x --d2 --f1}";
    check_mended("cql() Nb1->d2->f1", "W0419 \"Nb1->d2->f1\"", way);
    check("cql() Ra1->a4->b4", "W0419 \"Ra1->a4->b4\"");
    check("cql() Ra1->a4->a8", "");
    check("cql() R->d2->k", "");
}

#[test]
fn words_that_became_variables() {
    let check = |text: &str, place: &str, mended: &str| {
        let expected = if place.is_empty() { String::new() } else { format!("W0201 {place:?}") };
        check_mended(text, &expected, mended);
    };
    check("cql() eval = 100", "eval", "cql() eval == 100");
    check("cql() repetition = 3", "repetition", "cql() repetition >= 2");
    check("cql() repetition = 2", "repetition", "cql() repetition == 2");
    check("cql() tablebase=2 check", "tablebase", "cql() tablebase == 2 check");
    check("cql() material = \"KRPKR\"", "material", "cql() material \"KRPKR\"");
    check("cql() endgame=\"rook\"", "endgame", "cql() endgame \"rook\"");
    check("cql() opening = \"Sicilian\"", "opening", "cql() opening \"Sicilian\"");
    check("cql() queens = 0", "queens", "cql() [Qq] == 0");
    check("cql() turn = white", "turn", "cql() wtm");
    check("cql() promotion = N", "promotion", "cql() --=N");
    check("cql() promotion = K", "promotion", "");
    check("cql() eval = \"x\" check", "eval", "");
    check("cql() hanging = 2 check", "hanging", "");
    for (text, expected) in [
        ("hanging = 2", "`==` compares; write `hanging S`"),
        ("engine = 2", "`==` compares; write `engine (depth 12)`"),
        ("round = 1", "variable of that name; no filter reads the round"),
        ("Round = \"1\"", "variable of that name; no filter reads the round"),
        ("x = 180+2", "remove the assignment"),
        ("timecontrol = 180 + 2", "remove the assignment"),
    ] {
        let warnings = warnings(&format!("cql() {text}"));
        let help = warnings.first().and_then(|warning| warning.help.as_deref());
        assert!(help.is_some_and(|help| help.contains(expected)), "{text}: {help:?}");
    }
    check("cql() eval = 100 eval > 50", "", "");
}

#[test]
fn conditions_that_are_never_met() {
    check("cql() Q[x]Q", "W0402 \"Q[x]Q\"");
    check("cql() path r[x]n", "W0402 \"path r[x]n\"");
    check("cql() A[x]a [Rr][x]N Q[x]_ Q--Q", "");
    check_mended("cql() eco == \"B9\"", "W0402 \"eco == \\\"B9\\\"\"", "cql() eco \"B9\"");
    check("cql() eco == \"B90\" eco >= \"B9\"", "");
    check("cql() wtm btm", "W0402 \"btm\"");
    check("cql() eco \"B90\" eco \"B91\"", "W0402 \"eco \\\"B91\\\"\"");
    check("cql() eco \"B90\" eco \"B9\" eco \"B90\"", "");
    check("cql() wtm or btm", "");
    check("cql() {check wtm stalemate}", "W0402 \"stalemate\"");
    check("cql() check and not check", "W0402 \"not check\"");
    check("cql() mate --", "");
    check("cql() stalemate k--", "");
    check("cql() K-- mate", "");
    check("cql() mate [QR]--", "W0402 \"[QR]--\"");
    check("cql() K[x]r stalemate", "W0402 \"stalemate\"");
    check("cql() n--e4 stalemate", "W0402 \"stalemate\"");
    check("cql() terminal --", "W0402 \"--\"");
    check("cql() Q--f7 wtm terminal", "W0402 \"terminal\"");
    check("cql() wtm p--", "W0402 \"p--\"");
    check("cql() [x]r btm {P--e4}", "W0402 \"P--e4\"");
    check("cql() wtm P-- btm find p--", "W0402 \"btm\"");
    check("cql() wtm [Pp]-- _--e4 check", "");
    check("cql() btm {A-- or p--}", "");
    check("cql() #e1-8 == 2", "W0402 \"#e1-8 == 2\"");
    check("cql() #e4 < 2", "W0403 \"#e4 < 2\"");
    check("cql() #Pe1-8 == 2 shift count a1 == 64", "");
    check("cql() shift {#a1-8 == 8}", "");
    check("cql() mate stalemate R", "W0402 \"stalemate\"");
    check("cql() wtm path -- btm", "");
    check("cql() wtm find btm", "");
    check("cql() result 1-0 result 0-1", "W0402 \"result 0-1\"");
    check("cql() not wtm not btm", "");
    check("cql() not true", "W0402 \"not true\"");
    check("cql() #R > 64", "W0402 \"#R > 64\"");
    check("cql() R < 0", "W0402 \"R < 0\"");
    check("cql() #R >= 0", "W0403 \"#R >= 0\"");
    check("cql() 0 <= #R", "W0403 \"0 <= #R\"");
    check("cql() R >= 1 #R == 64", "");
    check("cql() R & k", "W0402 \"R & k\"");
    check("cql() Ra1 & Rb1", "W0402 \"Ra1 & Rb1\"");
    check("cql() [Rr] & a1-8", "");
    check("cql() flip {Ra1 & Rb1}", "W0402 \"Ra1 & Rb1\"");
}

#[test]
fn numbers_by_themselves() {
    check("cql() #R check", "W0403 \"#R\"");
    check("cql() check power A", "W0403 \"power A\"");
    check("cql() {ply check}", "W0403 \"ply\"");
    check("cql() check and gamenumber", "W0403 \"gamenumber\"");
    check("cql() find movenumber", "W0403 \"movenumber\"");
    check("cql() not {#R}", "W0403 \"#R\"");
    check("cql() mate or ply", "W0403 \"ply\"");
    check("cql() flipcolor {power A}", "W0403 \"power A\"");
    check("cql() ply + 1", "W0403 \"ply + 1\"");
    check("cql() movenumber / 2", "W0403 \"movenumber / 2\"");
    check("cql() #R > 1 ply < 9 gamenumber == 3", "");
    // These may be missing in a game.
    check("cql() year elo", "");
    check("cql() comment(#R) sort \"n\" #R", "");
    check("cql() x = {check #R} x > 3", "");
}

#[test]
fn sets_that_are_never_equal() {
    check("cql() R == k", "W0301 \"R == k\"");
    check("cql() Ra1 == Rb1", "W0301 \"Ra1 == Rb1\"");
    check("cql() R == [Rr]", "");
    check("cql() R == 3", "");
    check("cql() x = K x == R", "");
}

#[test]
fn forms_of_older_versions() {
    let check = |text: &str, expected: &[&str]| {
        let source = Source { name: "test", text: text.as_bytes() };
        let parsed = parse(&source, &[], &ParseOptions::default());
        assert_eq!(parsed.diagnostics, [], "{text}");
        let found: Vec<&str> = deprecated(text.as_bytes(), &parsed.query)
            .iter()
            .map(|d| &text[d.span.start as usize..d.span.end as usize])
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    check("cql() path -- check", &[]);
    check("cql() line --> check --> mate", &["line"]);
    check("cql() move from R", &["move"]);
    check("cql() R attacks k", &["attacks"]);
    check("cql() R attack k", &["attack"]);
    check("cql() ray attack (R k)", &[]);
    check("cql() R -> k", &[]);
    check("cql() k attackedby R", &["attackedby"]);
    check("cql() k attacked by R", &["attacked"]);
    check("cql() ancestor(parent currentposition)", &["ancestor"]);
    check("cql() descendant(child curpos)", &["descendant", "curpos"]);
    check("cql() colortype Ra1 == 4", &["colortype"]);
    check("cql() hascomment \"x\"", &["hascomment"]);
    check("cql() dihedral Ra1 flipdihedral Rb1", &["dihedral", "flipdihedral"]);
    check("cql() flip 2 Ra1", &["flip 2 Ra1"]);
    check("cql() flip count Ra1 > 1", &[]);
    check("cql() comment(\"line move\") // attacks", &[]);
}

#[test]
fn ranges_of_the_header() {
    check("cql(gamenumber 5 2) check", "W0501 \"gamenumber\"");
    check("cql(matchcount 5 2) check", "W0501 \"matchcount\"");
    check("cql(sort matchcount 2 5) check", "");
}

#[test]
fn texts_in_front_of_the_query() {
    let check = |in_front: &str, text: &str, expected: &[(u16, &str)]| {
        let source = |name, text: &'static str| Source { name, text: text.as_bytes() };
        let texts = [text.to_owned().leak(), in_front.to_owned().leak()];
        let [query, front] = [source("q.cql", texts[0]), source("-cql", texts[1])];
        let parsed = parse(&query, &[front], &ParseOptions::default());
        assert_eq!(parsed.diagnostics, [], "{in_front} {text}");
        let found: Vec<(u16, &str)> =
            lint(&[query.text, front.text], &[], &parsed.query, &[], None)
                .iter()
                .map(|d| (d.span.source.0, d.code))
                .collect();
        assert_eq!(found, expected, "{in_front} {text}");
    };
    check("x = 3", "cql() x > 2", &[]);
    check("x = 3", "cql() mate", &[(1, "W0201")]);
    check("e4", "cql() .", &[(1, "W0405")]);
    check("wtm", "cql() btm", &[(0, "W0402")]);
    check("mate; wtm", "cql() .", &[(1, "W0101")]);
    check(".", "cql() mate", &[]);
}

#[test]
fn code_behind_semicolons() {
    check("cql() wtm; check", "W0101 \"; check\"");
    check("cql() wtm ; check\nmate", "W0101 \"; check\"");
    check("cql() x = 3; y = 4\nx > 2", "W0101 \"; y = 4\"");
    check("cql() x = 3; x > 2\nx > 2", "W0101 \"; x > 2\"");
    check("cql() wtm;\ncheck", "");
    check("cql() wtm ; the king is not safe", "");
    check("cql() ; check\nwtm", "W0101 \"; check\"");
    check("cql()\n; check\nwtm", "");
    check("cql() wtm // check; mate", "");
    check("cql() mate comment(\"a; check\")", "");
}

#[test]
fn subtractions() {
    check("cql() year 1990-2000", "W0302 \"year 1990-2000\"");
    check("cql() year == 1990-2000", "W0302 \"year == 1990-2000\"");
    check("cql() year >= 1990-2000", "W0302 \"1990-2000\"");
    check("cql() ply 10-20 check", "W0302 \"ply 10-20\"");
    check("cql() check 0-0", "W0302 \"0-0\"");
    check("cql() check 0-0-0", "W0302 \"0-0-0\"");
    check("cql() ply == 10 - 5", "");
    check("cql() ply == 10-5", "");
    check("cql() ply == -3-2", "");
    check("cql() ply - 1 == 5", "");
    check("cql() x = 3 ply-x == 5", "");
}

#[test]
fn the_empty_set() {
    check("cql() [] in R", "W0303 \"[] in R\"");
    check("cql() R in []", "W0303 \"R in []\"");
    check("cql() R in k", "W0303 \"R in k\"");
    check("cql() square x in [] x & R", "W0303 \"[]\"");
    check("cql() R in a1-8", "");
    check("cql() R == []", "");
}

#[test]
fn ranges_that_exclude_each_other() {
    check("cql() ply > 10 ply < 5", "W0402 \"ply < 5\"");
    check("cql() 10 < ply check 5 > ply", "W0402 \"5 > ply\"");
    check("cql() #R == 2 and #R == 3", "W0402 \"#R == 3\"");
    check("cql() 3 <= #R <= 5 #R > 5", "W0402 \"#R > 5\"");
    check("cql() elo white > 2500 elo white < 2500", "W0402 \"elo white < 2500\"");
    check("cql() 1950 < year < 1900", "W0402 \"1950 < year < 1900\"");
    check("cql() 5 > #R > 4", "W0402 \"5 > #R > 4\"");
    check("cql() 5 >= #R > 4", "");
    check("cql() ply > 10 or ply < 5", "");
    check("cql() ply > 5 ply < 10", "");
    check("cql() ply >= 5 ply <= 5", "");
    check("cql() elo white > 2500 elo black < 2500", "");
    check("cql() #R > 3 #r < 2", "");
    check("cql() ply > 10 find ply < 5", "");
    check("cql() ply < 5 path -- ply > 10", "");
}

#[test]
fn squares_as_conditions() {
    check("cql() e4", "W0405 \"e4\"");
    check("cql() check [e4,d4]", "W0405 \"[e4,d4]\"");
    check("cql() path -- e4", "W0405 \"e4\"");
    check("cql() not e4", "W0405 \"e4\"");
    check("cql() . check", "W0405 \".\"");
    check("cql() flip {check .}", "W0405 \".\"");
    check("cql() .", "");
    check("cql() find .", "");
    check("cql() Pe4 --e4", "");
    check("cql() path --e4 -- --e5", "");
    check("cql() Kg1 | h1", "W0405 \"Kg1 | h1\"");
    check("cql() check and (K | R | h1)", "W0405 \"K | R | h1\"");
    check("cql() Kg1 | Kh1", "");
    check("cql() q attacks (Kg1 | h1)", "");
    check("cql() e4 attacks k", "");
    check("cql() e4 & P", "");
    check("cql() x = e4 x & P", "");
    check("cql() #{check e4} == 1", "");
    check("cql() square x in e4 x & P", "");
    check("cql() comment(e4)", "");
    check("cql() path . -- .", "");
    check("cql() shift count a1 == 64", "");
}

/// Compares the warnings, and the text after each of their edits, which deserves no warning.
fn check_mended(text: &str, expected: &str, mended: &str) {
    check(text, expected);
    let edits: Vec<_> = warnings(text).into_iter().filter_map(|warning| warning.edit).collect();
    assert_eq!(edits.is_empty(), mended.is_empty(), "{text}");
    for edit in edits {
        let mut text = text.to_owned();
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        assert_eq!(text, mended);
        assert_eq!(warnings(&text), [], "{text}");
    }
}

#[test]
fn fractions_of_pawns() {
    check_mended("cql() eval > 1/2", "W0426 \"1/2\"", "cql() eval > 50");
    check("cql() ply > 1/2", "");
}

#[test]
fn moves_after_dots() {
    check_mended("cql() ...Nf6", "W0408 \"...Nf6\"", "cql() n--f6");
    check_mended("cql() ...e5", "W0408 \"...e5\"", "cql() p--e5");
}

#[test]
fn colors_that_are_compared() {
    let check = check_mended;
    check("cql() clock white < 60", "W0403 \"white < 60\"", "cql() {btm clock < 60}");
    check("cql() not clock black < 60", "W0403 \"black < 60\"", "cql() not {wtm clock < 60}");
    check("cql() eval white > 50", "W0402 \"white > 50\"", "cql() eval > 50");
    check("cql() eval black > 50", "W0402 \"black > 50\"", "cql() eval < -50");
    check(
        "cql() elo white > 2700 black > 2700",
        "W0402 \"black > 2700\"",
        "cql() elo white > 2700 elo black > 2700",
    );
    check("cql() mate white > 2700", "W0402 \"white > 2700\"", "");
    check("cql() flipcolor {white == 1 mate}", "", "");
}

#[test]
fn ends_of_the_names_of_both_players() {
    let check = check_mended;
    for pattern in ["^Karpov", "Karpov$", r"\bKarpov\b", "^Karpov.*", r"^(\w+), An", r"(\bTal|X)"] {
        let text = format!("cql() not player ~~ \"{pattern}\"");
        let mended =
            format!("cql() not (player white ~~ \"{pattern}\" or player black ~~ \"{pattern}\")");
        check(&text, &format!("W0427 {:?}", format!("\"{pattern}\"")), &mended);
    }
    check(
        "cql() (lowercase player) ~~ \"^tal\"",
        "W0427 \"\\\"^tal\\\"\"",
        "cql() ((lowercase player white) ~~ \"^tal\" or (lowercase player black) ~~ \"^tal\")",
    );
    for pattern in
        [r"Karpov\b", "[^K]arpov", r"\^K", "^Karpov.*Tal", r"^Tal\\\\n", "^.*Tal", "Tal.*$"]
    {
        check(&format!("cql() player ~~ \"{pattern}\""), "", "");
    }
    check("cql() player white ~~ \"^Karpov$\" event ~~ \"^Tal\"", "", "");
    check("cql() x = player ~~ \"^Karpov\" x == \"Karpov\"", "", "");
}

#[test]
fn matches_in_the_operand_of_a_change_of_case() {
    let check = check_mended;
    check(
        "cql() lowercase player ~~ \"karpov\\b\"",
        r#"W0428 "lowercase player ~~ \"karpov\\b\"""#,
        "cql() (lowercase player) ~~ \"karpov\\b\"",
    );
    check(
        "cql() uppercase event~~\"[A-Z]\\d\"",
        r#"W0428 "uppercase event~~\"[A-Z]\\d\"""#,
        "cql() (uppercase event)~~\"[A-Z]\\d\"",
    );
    check(
        "cql() lowercase(player) ~~ \"tal\"",
        r#"W0428 "lowercase(player) ~~ \"tal\"""#,
        "cql() (lowercase(player)) ~~ \"tal\"",
    );
    check("cql() lowercase (event ~~ \"tal\")", r#"W0428 "lowercase (event ~~ \"tal\")""#, "");
    for right in [
        "(lowercase player) ~~ \"tal\"",
        "lowercase event ~~ \"Tal\"",
        "uppercase event ~~ \"\\d\"",
        "\"tal\" in lowercase player",
    ] {
        check(&format!("cql() {right}"), "", "");
    }
}

#[test]
fn letters_beyond_ascii_in_regular_expressions() {
    let check = check_mended;
    check("cql() event ~~ \"M[üu]ller\"", "W0429 \"[üu]\"", "cql() event ~~ \"M(?:ü|u)ller\"");
    check("cql() event ~~ \"Mü?ller\"", "W0429 \"ü\"", "cql() event ~~ \"M(?:ü)?ller\"");
    check("cql() event ~~ \"[А-Я]\"", "W0429 \"[А-Я]\"", "");
    check("cql() event ~~ \"[^ü]\"", "W0429 \"[^ü]\"", "");
    check("cql() event ~~ \"К.рпов\"", "W0429 \".\"", "");
    check(
        "cql() while (event ~~ \"[äö]\") true",
        "W0429 \"[äö]\"",
        "cql() while (event ~~ \"(?:ä|ö)\") true",
    );
    for pattern in
        ["Müller", "M(?:ü|ue)ller", "(?:ü)?", "[^ -~]+", "Карпов, А.", ".*Карпов", r"\[ü\]"]
    {
        check(&format!("cql() event ~~ \"{pattern}\""), "", "");
    }
}

#[test]
fn names_in_small_letters_in_regular_expressions() {
    check_mended(
        "cql() player ~~ \"karpov\"",
        r#"W0410 "\"karpov\"""#,
        "cql() player ~~ \"Karpov\"",
    );
    check(
        "cql() player ~~ \"[kK]arpov\" player white ~~ \"[aeiou]\" (lowercase player) ~~ \"tal\"",
        "",
    );
    let found = |pattern: &str| -> Vec<String> {
        lint_player("-player", pattern.as_bytes()).into_iter().map(|d| d.message).collect()
    };
    assert_eq!(found("karpov"), ["-player: names of players are written with capital letters"]);
    assert!(found("[А-Я]")[0].starts_with("-player: regular expressions match bytes"));
    assert_eq!(found("^Karpov"), [""; 0]);
    // as in the tag of the file
    assert!(found("Navara,D")[0].starts_with("-player: no filter sees `Navara,D`"));
    for subject in ["player", "player white", "tag \"Black\""] {
        check_mended(
            &format!("cql() {subject} ~~ \"(Navara,D|Giri,A)|Tal, M{{1,2}}\""),
            &format!("W0417 {:?}", format!("{:?}", "(Navara,D|Giri,A)|Tal, M{1,2}")),
            &format!("cql() {subject} ~~ \"(Navara, D|Giri, A)|Tal, M{{1,2}}\""),
        );
    }
}

#[test]
fn regular_expressions_of_other_languages_have_help() {
    for (pattern, at, expected) in [
        ("(?i)karpov", 0, "`[Cc]arlsen`"),
        ("(?si)karpov", 0, "lowercase"),
        (r"\p{Lu}", 2, "`[^ -~]+`"),
        ("[я-а]", 3, "`(?:ä|ö|ü)`"),
    ] {
        let help = help_for_pattern(pattern.as_bytes(), at).unwrap_or_default();
        assert!(help.contains(expected), "{pattern}: {help}");
    }
    assert_eq!(help_for_pattern(b"a)", 1), None);
    assert_eq!(help_for_pattern(b"a", 7), None);
}

#[test]
fn parts_apart_from_what_they_belong_to() {
    let check = check_mended;
    check("cql() Q [x] r", "W0421 \"[x]\"", "cql() Q[x]r");
    check("cql() check {Qd1 -- e4}", "W0421 \"--\", W0405 \"e4\"", "cql() check {Qd1--e4}");
    check("cql() Q\n[x]\nr", "", "");
    check("cql() path Q -- r", "", "");
    check("cql() Q --(check) r", "", "");
    check("cql() pin Q to K", "W0422 \"Q\"", "cql() pin through Q to K");
    check("cql() pin q from k", "W0422 \"q\"", "cql() pin to q from k");
    check("cql() move Q to K", "W0422 \"Q\"", "cql() move from Q to K");
    check("cql() move Nf3", "W0422 \"Nf3\"", "cql() N--f3");
    check("cql() btm move q check", "W0422 \"q\"", "cql() btm move from q check");
    check("cql() move [RQ]a-h8", "W0422 \"[RQ]a-h8\"", "cql() move from [RQ]a-h8");
    check("cql() move\nNf3", "", "");
    check("cql() move from N Kg1", "", "");
    check("cql() pin through Q to K", "", "");
    check("cql() move from Q to k", "", "");
    check("cql() pin Q", "", "");
    check("cql() Q or R -> k", "W0423 \"Q\"", "cql() [QR] -> k");
    check("cql() [x] Q", "W0421 \"[x] Q\"", "cql() [x]Q");
    check("cql() currentmove [x] q", "W0421 \"[x] q\"", "cql() currentmove [x]q");
    check("cql() wtm B[x]  [qr]", "W0421 \"[x]  [qr]\"", "cql() wtm B[x][qr]");
    check("cql() path [x] Q -- mate", "W0421 \"[x] Q\"", "cql() path [x]Q -- mate");
    check("cql() path (R[x] b --)+", "W0421 \"[x] b\"", "cql() path (R[x]b --)+");
    check("cql() path [x] {Q} --", "", "");
    check("cql() path [x] Qd1 --\n[x]\nQ [x]{2} r", "", "");
    check("cql() R attacks k or q", "W0423 \"q\"", "cql() R attacks [kq]");
    check("cql() Qd1 or R <- k", "W0423 \"Qd1\"", "cql() (Qd1 | R) <- k");
    check("cql() Q -> k or R -> k", "", "");
    check("cql() check or R -> k", "", "");
    check("cql() Q[x]r or b", "W0423 \"b\"", "cql() Q[x][rb]");
    check("cql() Q[x]r or b or n", "W0423 \"b\"", "cql() Q[x][rbn]");
    check("cql() Q or R or B -> k", "W0423 \"R\"", "cql() [QRB] -> k");
    check("cql() (Q) or R -> k", "W0423 \"Q\"", "");
    check("cql() mate or Q or R -> k", "W0423 \"Q\"", "cql() mate or [QR] -> k");
    check("cql() Q[x]r or bd4", "", "");
    check("cql() Q[x]r or check", "", "");
    check("cql() pin through Q or R", "W0423 \"R\"", "cql() pin through [QR]");
    check("cql() N[x](q or r)", "W0423 \"q or r\"", "cql() N[x][qr]");
    check("cql() N[x](q or check)", "", "");
    check("cql() N--(q or r)", "", "");
    check("cql() Q and B attack f7", "W0423 \"Q\"", "cql() Q attack f7 and B attack f7");
    check("cql() Q and B attack k", "W0423 \"Q\"", "cql() Q attack k and B attack k");
    check("cql() N attacks k and r", "W0423 \"r\"", "cql() (N attacks k) & (N attacks r)");
    check("cql() N attacks (k) and r", "", "");
    check("cql() Qd1 and R attacks k", "", "");
    check("cql() isolatedpawns Pd4", "W0425 \"Pd4\"", "cql() isolatedpawns & Pd4");
    check("cql() isolatedpawns Kd4", "", "");
    check("cql() passedpawns\nP", "", "");
    check("cql() check k", "W0425 \"k\"", "cql() btm check");
    check("cql() mate K", "W0425 \"K\"", "cql() wtm mate");
    check("cql() check kg8", "", "");
    check("cql() wtm check Q", "", "");
    check("cql() Q--f7 mate", "W0402 \"mate\"", "cql() Q--f7(mate)");
    check("cql() eval > 3", "W0426 \"3\"", "cql() eval > 300");
    check("cql() -2 > eval", "W0426 \"-2\"", "cql() -200 > eval");
    check("cql() eval > 0 eval < 50 ply > 3", "", "");
    check("cql() pin B n q", "W0422 \"B n q\"", "cql() pin from B through n to q");
    check("cql() pin B n", "W0422 \"B n\"", "");
    check("cql() pin N", "", "");
    check("cql() pin from B N n", "", "");
    check("cql() currentmove --=K", "W0402 \"currentmove --=K\"", "");
    check("cql() path --=[Kp] check", "W0402 \"path --=[Kp] check\"", "");
    check("cql() --=[QK] path --=N", "", "");
    check(
        "cql() fen \"8/8/8/8/8/8/PP1PPPPP/8\"",
        "W0402 \"fen \\\"8/8/8/8/8/8/PP1PPPPP/8\\\"\"",
        "cql() fen \"......../......../......../......../......../......../PP.PPPPP/........\"",
    );
    check(
        "cql() wtm fen \"k7/8/8/8/8/8/P7/8 w - - 0 1\"",
        "W0402 \"fen \\\"k7/8/8/8/8/8/P7/8 w - - 0 1\\\"\"",
        "cql() wtm fen \"k......./......../......../......../......../......../P......./........ w - - 0 1\"",
    );
    check("cql() fen \"k7/8/8/8/8/8/P7/7.\"", "", "");
    const FEN: &str = "fen \"k7/8/8/8/8/8/P7/7K b - - 0 1\"";
    let place = format!("W0434 {FEN:?}");
    check(&format!("cql() {FEN}"), &place, &format!("cql() btm {FEN}"));
    check(&format!("cql() not {FEN}"), &place, &format!("cql() not {{btm {FEN}}}"));
    check(&format!("cql() {FEN} btm"), "", "");
    check("cql() path Ke1--c1 P--g4", "W0402 \"P\"", "cql() path Ke1--c1 -- P--g4");
    check("cql() path p-- A-- check N--", "W0402 \"N\"", "cql() path p-- A-- check -- N--");
    check("cql() path singlecolor N-- N--", "", "");
    check("cql() path N--* N-- -- N-- n-- [Nn]-- N--? N--", "", "");
    check("cql() date 2020-06", "W0302 \"2020-06\"", "cql() date \"2020.06\"");
    check("cql() mate 2020-06-01", "W0302 \"2020-06-01\"", "cql() mate date \"2020.06.01\"");
    check("cql() year == 2020-06", "W0302 \"year == 2020-06\"", "cql() date \"2020.06\"");
    check(
        "cql() year >= 2020-06-01",
        "W0302 \"year >= 2020-06-01\"",
        "cql() date >= \"2020.06.01\"",
    );
    check("cql() x = 2020-06 year == x - 3", "", "");
    check("cql() d4 == _", "W0301 \"d4 == _\"", "cql() _d4");
    check("cql() _ != d4-5", "W0403 \"_ != d4-5\"", "cql() [Aa]d4-5");
    check("cql() a-h1-8 == _", "", "");
    check("cql() d4 == Q", "", "");
    check("cql() ~Q", "W0403 \"~Q\"", "cql() not Q");
    check("cql() ~Q & R not ~_", "", "");
    check("cql() path Q[x]f7+", "W0424 \"+\"", "cql() path Q[x]f7(check)");
    check("cql() path (P--e8=Q+ k--)", "W0424 \"+\"", "cql() path (P--e8=Q(check) k--)");
    check("cql() path Q--+", "", "");
    check("cql() path [x]d5+", "", "");
    check("cql() path [Qq][x]d5+", "", "");
    check("cql() path singlecolor Q--f7+", "", "");
    check("cql() path focus Q Q--f7+", "", "");
}

#[test]
fn pieces_behind_the_sign_of_a_move() {
    check("cql() --Nf3", "W0406 \"Nf3\"");
    check("cql() path --e4 --nf6", "W0406 \"nf6\"");
    check("cql() path (--Pe4)+", "W0406 \"Pe4\"");
    check("cql() legal --Qd8", "W0406 \"Qd8\"");
    check("cql() ――♘f3", "W0406 \"♘f3\"");
    check("cql() N--f3", "");
    check("cql() [x]Nf3", "");
    check("cql() R--Nf3", "");
    check("cql() --n", "");
    check("cql() --na1-8", "");
    check("cql() --[nb]f3", "");
    // Each mistake yields one warning.
    check("cql() --Pe8", "W0406 \"Pe8\"");
}

#[test]
fn pawns_that_cannot_be() {
    check("cql() Pe8", "W0407 \"Pe8\"");
    check("cql() #pa-h1 == 0", "W0407 \"pa-h1\"");
    check("cql() flipcolor Pe8", "W0407 \"Pe8\"");
    check("cql() P--Pd8=Q", "W0407 \"Pd8\"");
    check("cql() Pa1-8", "");
    check("cql() Pa7", "");
    check("cql() [PN]e8", "");
    check("cql() e8 & ~P check", "");
    check("cql() shift {Pa1 & P}", "");
    check("cql() flip Pb1", "");
}

#[test]
fn moves_of_books() {
    check("cql() e4 e5 Nf3", "W0408 \"e4 e5 Nf3\"");
    check("cql() path e4 e5 Nf3", "W0408 \"e4 e5 Nf3\"");
    check("cql() check e4 Nf3", "W0408 \"e4 Nf3\"");
    check("cql() Nf3 Nc6", "");
    check("cql() Nf3 P Bc4", "");
    check("cql() N--f3 n--c6", "");
    for (moves, mended) in [
        ("e4 Nf3", "path P--e4 -- N--f3"),
        ("c5 Nf3", "path p--c5 N--f3"),
        ("Nf6 c4 e6", "path n--f6 P--c4 p--e6"),
        ("e5 Nf6", "path p--e5 -- n--f6"),
        ("e4 e5 Qh5", "path P--e4 p--e5 Q--h5"),
        // Alekhine's defense, or two moves of Black
        ("Nf6 e5", ""),
        ("Rd1 h6", ""),
    ] {
        let mended = if mended.is_empty() { String::new() } else { format!("cql() {mended}") };
        check_mended(&format!("cql() {moves}"), &format!("W0408 \"{moves}\""), &mended);
    }
}

#[test]
fn forms_of_tags() {
    check("cql() date \"30.07.1992\"", "W0409 \"date \\\"30.07.1992\\\"\"");
    check_mended("cql() date > \"1995\"", "W0409 \"date > \\\"1995\\\"\"", "cql() year > 1995");
    check_mended("cql() \"1995\" >= date", "W0409 \"\\\"1995\\\" >= date\"", "cql() year <= 1995");
    check_mended("cql() date > \"1995.06\"", "W0409 \"date > \\\"1995.06\\\"\"", "");
    for text in ["date >= \"1995\"", "date < \"1995\"", "date > \"1995.06.01\"", "year > 1990"] {
        check(&format!("cql() {text}"), "");
    }
    check_mended("cql() year > 90", "W0403 \"year > 90\"", "cql() year > 1990");
    check_mended("cql() 20 == year", "W0402 \"20 == year\"", "cql() 2020 == year");
    for text in ["1/2", "3/4", "2*3", "check 1+2"] {
        assert_eq!(warnings(&format!("cql() {text}"))[0].code, "W0403", "{text}");
    }
    for (text, help) in [
        ("1/2", "result 1/2-1/2"),
        ("year 1990 - 1999", "`1990 <= year <= 1999`"),
        ("elo 2600 - 2700", "`2600 <= elo <= 2700`"),
        ("date 11/04/1999", "`date \"1992.07.30\"`"),
        ("3+2", "TimeControl"),
    ] {
        let warnings = warnings(&format!("cql() {text}"));
        let helps: Vec<&str> = warnings.iter().filter_map(|w| w.help.as_deref()).collect();
        assert!(helps.iter().any(|found| found.contains(help)), "{text}: {helps:?}");
    }
    check("cql() date > \"1992-07-30\"", "W0409 \"date > \\\"1992-07-30\\\"\"");
    check_mended(
        "cql() Nd2 f1 g3",
        "W0408 \"Nd2 f1 g3\"",
        "cql() piece x in Nd2 {path focus x --f1 --g3}",
    );
    check_mended("cql() Nf3 e6", "W0408 \"Nf3 e6\"", "cql() path N--f3 p--e6");
    check_mended("cql() path Nd2 f1 g3", "W0408 \"Nd2 f1 g3\"", "");
    check_mended(
        "cql() Nd2 Nf1 Ng3 mate",
        "W0408 \"Nd2 Nf1 Ng3\"",
        "cql() piece x in Nd2 {path focus x --f1 --g3} mate",
    );
    check_mended("cql() path Nd2 Nf1 Ng3", "W0408 \"Nd2 Nf1 Ng3\"", "");
    check_mended(
        "cql() check or {kg8 kh7}",
        "W0408 \"kg8 kh7\"",
        "cql() check or {piece x in kg8 {path focus x --h7}}",
    );
    // Pieces that a side can have, and pieces that no move leads to
    for text in ["Nd2 Nf1", "Nf3 Nd2 bf5", "Nd2 Nf1 ng3", "Na1 Nb1 Nc1", "Pe4 Pe5 Pe6", "Rd1 Rd8"] {
        check(&format!("cql() {text}"), "");
    }
    check_mended("cql() e4 Nf3 h8", "W0408 \"e4 Nf3 h8\"", "");
    // Both ends of a chain
    check_mended(
        "cql() \"2000-05-01\" <= date <= \"2000.06.01\"",
        "W0409 \"\\\"2000-05-01\\\" <= date <= \\\"2000.06.01\\\"\"",
        "cql() \"2000.05.01\" <= date <= \"2000.06.01\"",
    );
    check_mended(
        "cql() \"1999\" < date < \"2001\"",
        "W0409 \"\\\"1999\\\" < date < \\\"2001\\\"\"",
        "",
    );
    check("cql() \"2000.05.01\" <= date <= \"2000.06.01\"", "");
    check("cql() eventdate == \"1992.7.30\"", "W0409 \"eventdate == \\\"1992.7.30\\\"\"");
    check("cql() \"July\" in date", "W0409 \"\\\"July\\\" in date\"");
    check("cql() date \"1992\" date >= \"1992\"", "");
    check("cql() date \"12.25\" date ~~ \"^19\"", "");
    check("cql() date < \"1992.07\"", "");
    check("cql() player \"carlsen\"", "W0410 \"player \\\"carlsen\\\"\"");
    check("cql() player white \"magnus carlsen\"", "W0410 \"player white \\\"magnus carlsen\\\"\"");
    check("cql() player \"östling\"", "W0410 \"player \\\"östling\\\"\"");
    let both = "W0410 \"player == \\\"tal\\\"\", W0436 \"player == \\\"tal\\\"\"";
    check("cql() player == \"tal\"", both);
    check("cql() player white != \"Tal, Mikhail\" site != \"?\"", "");
    check_mended(
        "cql() mate or player != \"Tal\"",
        "W0436 \"player != \\\"Tal\\\"\"",
        "cql() mate or not player \"Tal\"",
    );
    check("cql() \"son\" in player", "");
    check("cql() player \"Carlsen\" player \"van der\"", "");
    check("cql() player \"de\" player \"user_123\"", "");
    check("cql() player ~~ \"carlsen\"", "W0410 \"\\\"carlsen\\\"\"");
    check("cql() event \"candidates\"", "");
}

#[test]
fn if_as_a_condition() {
    check("cql() if check then mate", "W0411 \"if\"");
    check("cql() wtm if check Q", "W0411 \"if\"");
    check("cql() if check then mate else stalemate", "");
    check("cql() if check then comment(\"x\")", "");
    check("cql() if check then {x = 3} isbound x", "");
    check("cql() if check then false", "");
    check("cql() if check then true", "");
    check("cql() function f() {if check then Q} f()", "W0411 \"if\"");
}

#[test]
fn or_joins_its_neighbors() {
    check("cql() wtm Ra1\nor btm Rb1", "W0412 \"Ra1\\nor btm\"");
    check("cql() result 1-0 mate or result 0-1 stalemate", "W0412 \"mate or result 0-1\"");
    check("cql() check { wtm Ra1 or btm Rb1 }", "W0412 \"Ra1 or btm\"");
    for (text, place, mended) in [
        ("check {wtm} or mate {btm}", "{wtm} or mate", "{check {wtm}} or {mate {btm}}"),
        (
            "mate {wtm} or {stalemate} btm",
            "{wtm} or {stalemate}",
            "{mate {wtm}} or {{stalemate} btm}",
        ),
        ("{{check} wtm or mate (btm)}", "wtm or mate", "{{{check} wtm} or {mate (btm)}}"),
    ] {
        let (text, place) = (format!("cql() {text}"), format!("W0412 {place:?}"));
        check_mended(&text, &place, &format!("cql() {mended}"));
    }
    let several = "cql() wtm check or mate btm or stalemate wtm";
    check_mended(several, "W0412 \"btm or stalemate\"", "");
    check("cql() wtm check or mate btm or Q wtm", "");
    // A comment would be lost.
    let found = warnings("cql() wtm Ra1 // or\nor btm Rb1");
    assert!(found.iter().all(|d| d.code == "W0412" && d.edit.is_none()), "{found:?}");
    check("cql() {wtm Ra1}\nor {btm Rb1}", "");
    // Delimiters say that it is meant so.
    check("cql() castle (phase \"endgame\" or o-o) mainline", "");
    check("cql() result 1-0 {mate or result 0-1} stalemate", "");
    check("cql() check ({wtm} or {mate}) btm", "");
    check("cql() wtm (Ra1\nor btm) Rb1", "");
    check("cql() wtm\nor btm", "");
    check("cql()\ncheck\nwtm\nor mate\nRa1", "");
    check("cql() Ra1 mate or stalemate wtm", "");
    check("cql() check mate or stalemate wtm", "");
    check("cql() wtm\n  mate or stalemate\n  Ra1", "");
    check("cql() wtm mate or\n  stalemate Ra1", "");
}

#[test]
fn numbers_are_compared_with_each_other() {
    check("cql() ply > 10 < 20", "W0413 \"10 < 20\"");
    check("cql() 10 < ply < 20", "");
    check("cql() #R == #r == 2", "");
    check("cql() 1 < 2 < 3", "");
    check("cql() 1 < ply > {ply > 3 < 4} < 7", "W0413 \"3 < 4\"");
    check("cql() ply > 3 < 10 > power A", "W0413 \"3 < 10\"");
    let mended = |text: &str, expected: Option<&str>| {
        let edits: Vec<_> = warnings(text).into_iter().filter_map(|w| w.edit).collect();
        let mended = edits.first().map(|edit| {
            let mut text = text.to_owned();
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            assert_eq!(warnings(&text), [], "{text}");
            text
        });
        assert_eq!(mended.as_deref(), expected, "{text}");
    };
    mended("cql() ply > 10 < 20", Some("cql() ply > 10 ply < 20"));
    mended("cql() ply > 10 < 20 < 30", Some("cql() ply > 10 ply < 20 ply < 30"));
    mended("cql() 1 < ply > 10 < 20", Some("cql() 1 < ply > 10 ply < 20"));
    mended("cql() 1 < 2 < ply", Some("cql() 1 < ply 2 < ply"));
    mended("cql() ply > 3 < 10 > power A", None);
}

#[test]
fn paths_have_moves() {
    check("cql() path Nf3 nc6", "W0414 \"path Nf3 nc6\"");
    check("cql() path Nf3 -- nc6", "");
    check("cql() path Nf3 (-- nc6)", "");
    check("cql() path check", "W0414 \"path check\"");
    check("cql() path (o-o-o)", "W0414 \"path (o-o-o)\"");
    check("cql() path {true --}", "W0414 \"path {true --}\"");
    check("cql() path --*", "");
}

#[test]
fn arrows_between_moves() {
    check("cql() path --d4 -> k--", "W0419 \"d4 -> k\"");
    check("cql() path (--f3→k--)+ check", "W0419 \"f3→k\"");
    check("cql() path --(d4 -> k) --", "");
    check("cql() path --d4 -> k check --", "");
    check("cql() path --d4 -> k --", "");
    check("cql() path --d4 -> k k--", "");
    check("cql() N--f3 -> k", "");
}

#[test]
fn as_in_the_reference() {
    let text = "currentposition[>=]parent";
    check(&format!("cql() {text}"), &format!("W0415 {text:?}"));
    check("cql() parent[<=]currentposition", "");
    check("cql() sort max \"a\" ply", "W0416 \"sort max\"");
    check("cql() sort min \"a\" ply", "");
    check("cql() sort \"a\" ply", "");
}

#[test]
fn values_that_filters_see_in_another_form() {
    let check = |text: &str, is_bad: bool| {
        let expected = format!("W0417 {text:?}");
        check(&format!("cql() {text}"), if is_bad { &expected } else { "" });
    };
    check("player \"Carlsen,M\"", true);
    check("player white \"Carlsen,M\"", true);
    check("player white == \"Tal, M.\"", true);
    check("player \"Tal, M.\"", false);
    check("player \"Tal, M\"", false);
    check("eco \"b90\"", true);
    check("eco \"B90/04\"", true);
    check_mended(
        "cql() eco \"B90-B99\" mate",
        "W0417 \"eco \\\"B90-B99\\\"\"",
        "cql() (\"B90\" <= eco <= \"B99\") mate",
    );
    check_mended(
        "cql() eco != \"B90-B99\"",
        "W0417 \"eco != \\\"B90-B99\\\"\"",
        "cql() not (\"B90\" <= eco <= \"B99\")",
    );
    check_mended(
        "cql() \"b90\" <= eco <= \"B99\"",
        "W0417 \"\\\"b90\\\" <= eco <= \\\"B99\\\"\"",
        "cql() \"B90\" <= eco <= \"B99\"",
    );
    check("eco \"Sicilian\"", true);
    check("eco \"B9\"", false);
    check("eco \"B90\"", false);
    check("eco == \"B90\"", false);
    check("eco >= \"B\"", false);
    check("\"B90\" <= eco <= \"B99\"", false);
}

#[test]
fn patterns_in_texts_that_are_searched_as_they_are() {
    for (query, mended) in [
        ("player \"Carlsen|Anand\"", "player ~~ \"Carlsen|Anand\""),
        ("player white \"Carlsen | Anand\" mate", "player white ~~ \"Carlsen|Anand\" mate"),
        ("eco \"B20|B21\"", "eco ~~ \"B20|B21\""),
        ("player white \"^Carlsen\" mate", "player white ~~ \"^Carlsen\" mate"),
    ] {
        let filter = query.trim_end_matches(" mate");
        check_mended(
            &format!("cql() {query}"),
            &format!("W0417 {filter:?}"),
            &format!("cql() {mended}"),
        );
    }
    check("cql() player \"Carlsen, M.\"", "");
}

#[test]
fn numbers_beyond_32_bits() {
    check("cql() ply == 4294967301", "W0431 \"4294967301\"");
    check("cql() ply == 99999999999999999999", "W0431 \"99999999999999999999\"");
    check("cql() ply == 007", "");
    check("cql() ply < 2147483647", "");
}

#[test]
fn a_side_has_eight_pawns() {
    check("cql() material \"KPPPPPPPPPKR\"", "W0430 \"material \\\"KPPPPPPPPPKR\\\"\"");
    check("cql() material \"KvKQQQQPPPPPP\"", "W0430 \"material \\\"KvKQQQQPPPPPP\\\"\"");
    check("cql() material \"R:RRRRRRRRRRR\"", "W0430 \"material \\\"R:RRRRRRRRRRR\\\"\"");
    check("cql() material \"KQQQQQQQQQRRBBNNKQRRRRBBBBNNNNPP\"", "");
    check("cql() material \"RRRRRRRRRR:\"", "");
    check("cql() endgame \"rook\"", "");
}

#[test]
fn texts_have_no_images() {
    let text = "standardfen == \"x\"";
    check(&format!("cql() flip {{{text}}}"), &format!("W0418 {text:?}"));
    check("cql() flipcolor {K zobristkey == \"x\"}", "W0418 \"zobristkey == \\\"x\\\"\"");
    check(
        "cql() flip {Ka1 engine bestmove (depth 3) == \"e4\"}",
        "W0418 \"engine bestmove (depth 3) == \\\"e4\\\"\"",
    );
    check(
        "cql() flip {Ka1 engine pv (depth 3) == \"e4\"}",
        "W0418 \"engine pv (depth 3) == \\\"e4\\\"\"",
    );
    check(&format!("cql() {text}"), "");
    check(&format!("cql() flip {{K notransform {text}}}"), "");
    check("cql() flip {K variant == \"x\"}", "");
}

#[test]
fn comments_without_a_condition() {
    let place = "W0403 \"comment \\\"brilliant\\\"\"";
    check("cql() . comment \"brilliant\"", &format!("W0405 \".\", {place}"));
    check_mended("cql() comment \"brilliant\"", place, "cql() originalcomment \"brilliant\"");
    check_mended(
        "cql() {comment(\"x\")}",
        "W0403 \"comment(\\\"x\\\")\"",
        "cql() {originalcomment \"x\"}",
    );
    for query in [
        "mate comment \"x\"",
        "comment(#A)",
        "comment(\"ply \" ply)",
        "comment(\"a\" \"b\")",
        "x = 1 comment(x)",
    ] {
        check(&format!("cql() {query}"), "");
    }
}
