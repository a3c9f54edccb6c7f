//! Each question to a document, at the offset that is marked with `^` in the text.

use syntax::diagnostic::Edit;
use syntax::{Dialect, SourceId, Span};

use crate::{ActionKind, CompletionKind, Document, RenameError, Settings, SymbolKind};

/// Returns the document of a text without its mark, and the offset of the mark.
fn marked(text: &str) -> (Document, usize) {
    let at = text.find('^').expect("a mark");
    let document = Document::new(text.replacen('^', "", 1), Settings::default());
    (document, at)
}

fn texts(document: &Document, spans: impl IntoIterator<Item = Span>) -> Vec<String> {
    let text = |span: Span| document.text()[span.start as usize..span.end as usize].to_owned();
    spans.into_iter().map(text).collect()
}

/// Returns the text after edits that do not overlap.
fn edited(document: &Document, edits: &[Edit]) -> String {
    let mut text = document.text().to_owned();
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    for edit in edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

#[test]
fn a_change_makes_other_answers() {
    let mut document = Document::new("cql() maet", Settings::default());
    assert_eq!(document.diagnostics()[0].code, "E0201");
    document.replace(6..10, "mate");
    assert_eq!(document.text(), "cql() mate");
    assert_eq!(document.diagnostics(), []);
    document.replace(99..99, "♔");
    assert_eq!(document.text(), "cql() mate♔");
}

#[test]
fn dialects_are_told_or_given() {
    let check = |text: &str, dialect, expected| {
        let settings = Settings { dialect, ..Settings::default() };
        assert_eq!(Document::new(text, settings).dialect(), expected, "{text}");
    };
    check("cql() mate", None, Dialect::Cql6);
    check("cql() next* mate", None, Dialect::Cql5);
    check("(match (position Ra1))", None, Dialect::Classic);
    check("cql() mate", Some(Dialect::Cql5), Dialect::Cql5);
}

#[test]
fn names_are_found_where_they_stand() {
    let check = |text: &str, n_places: usize, definition: usize| {
        let (document, at) = marked(text);
        let places = document.references(at);
        assert_eq!(places.len(), n_places, "{text}");
        let found = document.definition(at).map(|span| span.start as usize);
        assert_eq!(found, Some(definition), "{text}");
    };
    check("cql() x = 3 ^x == 3 x += 1", 3, 6);
    check("cql() x^ = 3", 1, 6);
    check("cql() function f(x y) {x + ^y} f(1 2)", 2, 19);
    check("cql() x = 1 function f(x) {x} f(^x)", 2, 6);
    check("cql() x = 1 function f(x) {^x} f(x)", 2, 23);
    check("cql() function f(x) {function x(y) {y} ^x} f(1)", 3, 17);
    check("cql() ^f(1) function f(x) {x}", 2, 20);
    check("cql() dictionary D D[\"a\"] = 1 ^D[\"a\"]", 3, 17);
    check("cql() square all x in R {^x}", 2, 17);
    check("cql() echo (s t) {^t:check}", 2, 14);
    check("cql() x[element]R {^x attacks k}", 2, 6);
    check("cql() ♙x∊R ^x", 2, 9);
    check("cql() x = 3 isbound \"^x\"", 2, 6);
    check("; dialect: cql5\ncql() square $x in R B^$x", 2, 29);
}

#[test]
fn what_nothing_defines_is_no_name() {
    let check = |text: &str| {
        let (document, at) = marked(text);
        assert_eq!(document.references(at), [], "{text}");
        assert_eq!(document.definition(at), None, "{text}");
    };
    check("cql() ^maet");
    check("cql() ^mate");
    check("cql() isbound ^x");
    check("cql() x = 3 // ^x");
    check("cql() x = 3 tag \"^x\"");
    check("^");
}

#[test]
fn names_get_other_names() {
    let check = |text: &str, new: &str, expected: Result<&str, RenameError>| {
        let (document, at) = marked(text);
        let edits = document.rename(at, new);
        let found = edits.map(|edits| edited(&document, &edits));
        assert_eq!(found, expected.map(str::to_owned), "{text}");
    };
    check("cql() ^x = 3 x == 3", "n_1", Ok("cql() n_1 = 3 n_1 == 3"));
    check("cql() x = 1 function f(^x) {x} f(x)", "y", Ok("cql() x = 1 function f(y) {y} f(x)"));
    check(
        "cql() function ^f(x) {x} function g(x) {f(x)} g(1)",
        "h_",
        Ok("cql() function h_(x) {x} function g(x) {h_(x)} g(1)"),
    );
    check(
        "cql() function f(^x) {x} function g(y) {y} f(1) g(1)",
        "y",
        Ok("cql() function f(y) {y} function g(y) {y} f(1) g(1)"),
    );
    check("cql() x = 3 isbound \"^x\"", "y", Ok("cql() y = 3 isbound \"y\""));
    check(
        "; dialect: cql5\ncql() square ^$x in R B$x",
        "$y",
        Ok("; dialect: cql5\ncql() square $y in R B$y"),
    );
    check("cql() ^x = 3", "x", Ok("cql() x = 3"));
    for wrong in ["mate", "a1", "3x", "", "a b", "♔", "x//"] {
        check("cql() ^x = 3", wrong, Err(RenameError::NotAName));
    }
    check("; dialect: cql5\ncql() square ^$x in R B$x", "x", Err(RenameError::NotAName));
    check("cql() ^x = 3 y = 3", "y", Err(RenameError::Taken));
    check("cql() x = 3 function f(^one) {one + x}", "x", Err(RenameError::Taken));
    check("cql() ^mate", "y", Err(RenameError::NoName));
}

/// Returns the labels of the completions at the mark.
fn proposed(text: &str) -> Vec<String> {
    let (document, at) = marked(text);
    let found = document.completions(at).into_iter();
    found.map(|completion| completion.label).collect()
}

#[test]
fn what_is_proposed_fits() {
    let check = |text: &str, with: &[&str], without: &[&str]| {
        let found = proposed(text);
        for word in with {
            assert!(found.iter().any(|label| label == word), "{text}: no {word}");
        }
        for word in without {
            assert!(found.iter().all(|label| label != word), "{text}: {word}");
        }
    };
    check("cql() ^", &["mate", "power", "path", "flip"], &["max firstmatch", "focus", "cql"]);
    check("^", &["cql"], &["focus"]);
    check("cql() power ^", &["pin", "passedpawns", "between"], &["mate", "ply", "site"]);
    check("cql() abs ply + ^", &["ply", "abs", "max"], &["pin", "mate", "site"]);
    check("cql() path ^", &["focus", "firstmatch", "quiet", "check"], &["else", "through"]);
    check("cql() if check ^", &["then", "and"], &["else"]);
    check("cql() if check then mate ^", &["else", "or"], &["then"]);
    check(
        "cql(^)",
        &["variations", "input", "matchcount", "gamenumber", "result", "sort matchcount"],
        &["mate", "focus"],
    );
    check("cql(input a.pgn ^) mate", &["quiet"], &["input", "mate"]);
    check("cql(sort ^)", &["matchcount"], &["input", "sort"]);
    check("cql(quiet res^", &["result"], &["legal"]);
    check("cql(result ^)", &["1-0", "0-1", "1/2-1/2"], &["input"]);
    check("cql(result 1-0 ^)", &["quiet"], &["1-0"]);
    for text in ["cql() result ^", "cql() result 1^", "cql() result 1/2-^ wtm"] {
        check(text, &["1-0", "0-1", "1/2-1/2"], &["mate", "and"]);
    }
    for text in ["cql() result \"^", "cql() result \"1-^", "cql() result \"0^\" wtm"] {
        check(text, &["1-0", "0-1", "1/2-1/2"], &["mate", "and"]);
    }
    check("cql(result \"^", &["1-0"], &["quiet"]);
    check("cql() result \"1-0\" ^", &["mate"], &["0-1"]);
    check("cql() ray ^", &["(R k)", "attack (R k)", "up (R k)"], &["mate", "pin"]);
    check("cql() ray at^", &["attack (R k)"], &["mate"]);
    check("cql() tag ^", &["\"Annotator\"", "\"Name\""], &["mate"]);
    check("cql() result 1-0 ^", &["mate"], &["0-1"]);
    check("cql() currentmove ^", &["--", "--(o-o)", "[x]"], &["mate"]);
    check("cql() countmoves ^", &["legal --", "--"], &["mate"]);
    check("cql() legal ^ mate", &["--", "--(check)"], &["[x]"]);
    check("cql() piece ^", &["x in A {check}"], &["mate"]);
    check("cql() square al^", &["all x in A {check}"], &["mate"]);
    check("cql() piece x ^", &["in"], &["mate"]);
    check("cql() piece x in A {^}", &["x", "mate"], &["in"]);
    check(
        "cql() dictionary ^ E_[\"a\"] = 1 dictionary F_ F_[\"a\"] = 1",
        &["E_", "D"],
        &["F_", "mate"],
    );
    check("cql() local ^", &["dictionary D"], &["mate"]);
    check("cql() player ^", &["white", "mate"], &[]);
    check("cql() move ^", &["from", "to", "capture", "promote"], &["focus"]);
    check("cql() x = 3 y = R abs ^", &["x"], &["y"]);
    check("cql() x = 3 y = R power ^", &["y"], &["x"]);
    check("cql() function f(one two) {^} p_ = 1", &["one", "two", "f", "p_"], &[]);
    check("cql() function f(one two) {one} ^", &["f"], &["one", "two"]);
    check("; dialect: cql5\ncql() square $x in R ^", &["$x", "mate", "countsquares"], &["path"]);
    check("(match :year 1900 ^)", &[":player", ":forany"], &[":mate", "mate"]);
    check("(match (position Ra1 :ma^))", &[":mate", ":relation"], &[":player", ":pattern"]);
    check("(match (position :relation (^)))", &[":pattern", ":shift"], &[":mate"]);
    check("(match (position :ray (^)))", &[], &[":mate"]);
    check("(match (position ; ^", &[], &[":mate"]);
    check("(match :player \"a;(b\" (position Ra1 ^))", &[":mate"], &[":player"]);
    check("; dialect: cql5\ncql(player \"a^\") check", &[], &["attack"]);
    check("(match (position :mate :and (; (position\n(position Ra1) ^) R))", &[], &[":mate"]);
    check("cql() mat^", &["mate"], &[]);
}

#[test]
fn no_word_is_proposed_twice() {
    for text in ["cql() player ^", "cql() elo b^", "cql() piece ^", "cql() ray ^", "cql() move ^"] {
        let mut found = proposed(text);
        let all = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), all, "{text}");
        assert!(all > 0, "{text}");
    }
}

#[test]
fn nothing_is_proposed_within_comments_and_strings() {
    for text in [
        "cql() // ^",
        "cql() // ma^te",
        "cql() /* ^ */ mate",
        "cql() tag \"^\"",
        "cql() tag \"^",
        "cql() tag \"Whi^te\"",
        "cql() ply > 1^",
        "cql() // result ^",
        "cql() tag \"result 1^\"",
    ] {
        assert_eq!(proposed(text), [""; 0], "{text}");
    }
    assert!(!proposed("cql() /* a */ ^").is_empty());
    assert!(!proposed("cql() tag \"a\" ^").is_empty());
}

#[test]
fn a_proposal_says_what_it_is() {
    let (document, at) = marked("cql() function f(x y) {x} po^");
    let found = document.completions(at);
    let of = |label: &str| {
        let found = found.iter().find(|completion| completion.label == label);
        found.unwrap_or_else(|| panic!("no {label}"))
    };
    let power = of("power");
    assert_eq!(power.detail, "a number");
    assert_eq!(power.sentence, "the value in pawns of S");
    assert_eq!(power.template, "power ${1:A}");
    assert_eq!(texts(&document, [power.span]), ["po"]);
    let function = of("f");
    assert_eq!(function.kind, CompletionKind::Function);
    assert_eq!(function.template, "f(${1:x} ${2:y})");
    assert!(function.rank < power.rank);

    let (document, at) = marked("cql(qui^) result 1/2");
    let found = document.completions(at);
    let quiet = found.iter().find(|one| one.label == "input").expect("it");
    assert_eq!(quiet.template, "input ${1:games.pgn}");
    assert_eq!(texts(&document, [quiet.span]), ["qui"]);
    let (document, at) = marked("cql() result 1/2^");
    let found = document.completions(at);
    assert_eq!(texts(&document, [found[0].span]), ["1/2"]);
}

#[test]
fn hover_says_what_stands_there() {
    let check = |text: &str, expected: &[&str]| {
        let (document, at) = marked(text);
        let hover = document.hover(at).unwrap_or_else(|| panic!("{text}"));
        for part in expected {
            assert!(hover.markdown.contains(part), "{text}: {}", hover.markdown);
        }
    };
    check(
        "cql() pow^er A > 3",
        &[
            "Here: the value in pawns of white pieces",
            "a number",
            "the value in pawns of S",
            "reference/pieces",
        ],
    );
    check("cql() R^a1-4", &["white rooks"]);
    check(
        "cql() x = power A ^x > 3",
        &["**x**: variable, a number", "x = power A", "line 1, used once"],
    );
    check(
        "cql() function f(a_) {#a_} ^f(R)",
        &["**f**: function, a number", "function f(a_) {#a_}"],
    );
    check("cql() function f(a_) {#^a_} f(R)", &["parameter, a set of squares"]);
    check("cql() R ^-> k", &["squares of A that attack a square of B"]);
    check("cql() maet foc^us", &["reference/paths"]);
    let (document, at) = marked("cql() mate ^ // check");
    assert_eq!(document.hover(at), None);
}

#[test]
fn signatures_say_which_argument_it_is() {
    let check = |text: &str, label: &str, active: Option<&str>| {
        let (document, at) = marked(text);
        let found = document.signature(at).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(found.label, label, "{text}");
        let active_text = found.active.map(|n| {
            let (start, end) = found.parameters[n];
            &found.label[start..end]
        });
        assert_eq!(active_text, active, "{text}");
    };
    let f = "cql() function f(one two) {one + two} ";
    check(&format!("{f}f(^"), "f(one two)", Some("one"));
    check(&format!("{f}f(power A ^"), "f(one two)", Some("two"));
    check(&format!("{f}f(power ^A"), "f(one two)", Some("one"));
    check(&format!("{f}f(max(1 2) 3^)"), "f(one two)", Some("two"));
    check(&format!("{f}f(1 2 ^)"), "f(one two)", None);
    check(&format!("{f}f(#\")\" ^"), "f(one two)", Some("two"));
    check(&format!("{f}f(#\"((\" 2^)"), "f(one two)", Some("two"));
    check(&format!("{f}f(1 /* ) */ ^"), "f(one two)", Some("two"));
    check(&format!("{f}f(1 max(^"), "max(1 2)", Some("1"));
    check("cql() between(R ^", "between(S S)", Some("S"));
    for text in ["cql() (^)", "cql(^", "cql() mate ^", "cql() {^}", "cql() f(^)"] {
        let (document, at) = marked(text);
        assert_eq!(document.signature(at), None, "{text}");
    }
}

#[test]
fn symbols_are_what_a_query_is_made_of() {
    let text =
        "cql(input a.pgn)\nfunction f(a_ b_) {\n  x = a_\n}\ndictionary D\nsort \"key\" power A";
    let document = Document::new(text, Settings::default());
    let symbols = document.symbols();
    let found: Vec<(&str, SymbolKind, &str)> = symbols
        .iter()
        .map(|symbol| (symbol.name.as_str(), symbol.kind, symbol.detail.as_str()))
        .collect();
    let expected = [
        ("cql", SymbolKind::Header, ""),
        ("f", SymbolKind::Function, "(a_ b_)"),
        ("x", SymbolKind::Variable, ""),
        ("D", SymbolKind::Dictionary, ""),
        ("key", SymbolKind::Sort, ""),
    ];
    assert_eq!(found, expected);
    let whole = texts(&document, [symbols[0].span, symbols[1].span, symbols[4].span]);
    assert_eq!(whole[0], "cql(input a.pgn)");
    assert!(whole[1].starts_with("function f") && whole[1].ends_with('}'), "{whole:?}");
    assert_eq!(whole[2], "sort \"key\"");
}

#[test]
fn a_header_ends_at_its_own_parenthesis() {
    let whole = |text: &str| {
        let document = Document::new(text, Settings::default());
        let header = document.symbols().into_iter().next().expect("the header");
        texts(&document, [header.span])[0].clone()
    };
    assert_eq!(whole("cql(input \"a)b.pgn\" quiet) mate"), "cql(input \"a)b.pgn\" quiet)");
    assert_eq!(whole("cql(input (a) quiet) mate"), "cql(input (a) quiet)");
    assert_eq!(whole("cql(quiet mate (R)"), "cql(quiet mate (R)");
    let found = proposed("cql(input (a) ^) mate");
    assert!(found.iter().any(|label| label == "quiet"), "{found:?}");
}

#[test]
fn lines_are_folded() {
    let text = "// a\n// b\ncql()\nflip {\n  mate\n  (R\n   Q)\n}\n/* c\n d */ check";
    let document = Document::new(text, Settings::default());
    let folds = document.folds();
    let found: Vec<(usize, usize, bool)> =
        folds.iter().map(|fold| (fold.first, fold.last, fold.is_comment)).collect();
    assert_eq!(found, [(0, 1, true), (3, 6, false), (8, 9, true)]);
}

#[test]
fn words_have_kinds() {
    let text = "cql() function f(x) {x} f(3) \"s\" y = R--k // c\nisbound \"y\" maet";
    let document = Document::new(text, Settings::default());
    let tokens = document.semantic_tokens();
    let found: Vec<String> = tokens
        .iter()
        .map(|token| {
            let text = &texts(&document, [token.span])[0];
            let mark = if token.is_definition { "!" } else { "" };
            format!("{text}{mark} {:?}", token.kind)
        })
        .collect();
    let expected = [
        "cql Keyword",
        "function Keyword",
        "f! Function",
        "x! Parameter",
        "x Parameter",
        "f Function",
        "3 Number",
        "\"s\" String",
        "y! Variable",
        "= Operator",
        "R Designator",
        "-- Operator",
        "k Designator",
        "// c Comment",
        "isbound Keyword",
        "y Variable",
    ];
    assert_eq!(found, expected);
}

#[test]
fn hints_are_types() {
    let text =
        "cql() x = 3 y = R function f(a_) {a_} f(\"s\") function g(b_) {b_} piece z in R {z}";
    let document = Document::new(text, Settings::default());
    let whole = Span::new(SourceId(0), 0, text.len());
    let found: Vec<String> = document
        .hints(whole)
        .iter()
        .map(|hint| format!("{}{}", &text[hint.offset - 1..hint.offset], hint.label))
        .collect();
    assert_eq!(found, ["x: number", "y: set", "_: string", "z: piece"]);
    assert_eq!(document.hints(Span::new(SourceId(0), 0, 3)), []);
}

#[test]
fn actions_change_the_text() {
    let check = |text: &str, title: &str, kind: ActionKind, expected: &str| {
        let document = Document::new(text, Settings::default());
        let whole = Span::new(SourceId(0), 0, text.len());
        let actions = document.actions(whole);
        let action = actions.iter().find(|action| action.title.contains(title));
        let action = action.unwrap_or_else(|| panic!("{text}: {actions:?}"));
        assert_eq!(action.kind, kind, "{text}");
        assert_eq!(edited(&document, &action.edits), expected, "{text}");
    };
    check("cql() maet", "mate", ActionKind::QuickFix, "cql() mate");
    check("cql() maet\nR\nchekc", "all 2 changes", ActionKind::FixAll, "cql() mate\nR\ncheck");
    check("cql() {(check", "write `)`", ActionKind::QuickFix, "cql() {(check)");
    check("cql() {(check", "write `)}`", ActionKind::QuickFix, "cql() {(check)}");
    check("cql()\nR--k\nmate\n", "Unicode", ActionKind::Rewrite, "cql()\n♖――♚\nmate\n");
    check("cql()\n♖――♚\nmate", "ASCII", ActionKind::Rewrite, "cql()\nR--k\nmate");
    check("; dialect: cql5\ncql() Ra1", "CQL 6.2", ActionKind::Rewrite, "cql()\nRa1\n");
    let document = Document::new("cql() maet\n\nchekc", Settings::default());
    let first_line = document.actions(Span::new(SourceId(0), 7, 7));
    let n_mends = first_line.iter().filter(|action| action.mends.is_some()).count();
    assert_eq!(n_mends, 1);
}

#[test]
fn layout_is_the_least_change() {
    let document = Document::new("cql()\nmate   btm\nR\n", Settings::default());
    let edit = document.format().expect("a layout").expect("a change");
    assert_eq!(edit.text, "mate\nbtm\n");
    assert_eq!(texts(&document, [edit.span]), ["mate   btm\n"]);
    let document = Document::new("cql()\nmate\n", Settings::default());
    assert_eq!(document.format(), Ok(None));
    assert!(Document::new("cql() maet", Settings::default()).format().is_err());
}

#[test]
fn a_query_is_explained() {
    let document = Document::new("cql(input a.pgn) mate btm", Settings::default());
    let found = document.explain().expect("an explanation");
    assert_eq!(found.header, ["the games of a.pgn are searched"]);
    assert_eq!(found.filters.len(), 2);
    assert_eq!(Document::new("cql() maet", Settings::default()).explain(), None);
}

#[test]
fn words_of_older_queries_are_explained() {
    let check = |text: &str, expected: &[&str]| {
        let (document, at) = marked(text);
        let hover = document.hover(at);
        let shown = hover.map_or(String::new(), |hover| {
            let word = &document.text()[hover.span.start as usize..hover.span.end as usize];
            format!("{word}: {}", hover.markdown)
        });
        assert_eq!(shown.is_empty(), expected.is_empty(), "{text}: {shown}");
        for part in expected {
            assert!(shown.contains(part), "{text}: {shown}");
        }
    };
    check(
        "cql() att^ack (R k) next* mate",
        &[
            "attack: Here: ",
            "white rooks",
            "`attack (S T)`: the squares of T that a piece on S attacks",
            "`attack r (S T)`: the number",
        ],
    );
    // A word with the same meaning in CQL 6.
    check("cql() next* check m^ate", &["mate: Here: the side to move is mated", "reference/"]);
    check("cql() attack (^Ra1 k)", &["Ra1: ", "a1"]);
    // A query without a translation, and a condition without one.
    check(
        "cql() flip 2 3 Ka1 countsqu^ares 2 R",
        &["Here: ", "white rooks", "the number of squares"],
    );
    check("cql() fl^ip 2 3 Ka1 next* mate", &["flip: `flip F`", "the number of images"]);
    check("cql() sq^uare $x in R attack ($x k)", &["Here: ", "`square $x in S F …`"]);
    check("cql() attack (R k) ; at^tack", &[]);
    check("cql() player \"T;l\" at^tack (R k)", &["`attack (S T)`"]);
    check("cql() player \"at^tack\" attack (R k)", &[]);
    check("cql() at^ack (R k)", &[]);
    check(
        "(match (position :che^ck Ra1))",
        &[":check: Here: ", "`:check`: the side to move is in"],
    );
    check("(match (position ^Ra1 :mate))", &["a1"]);
    check("(match (position :promote ^Q :relation (:missingpiececount A 1)))", &["white queen"]);
    check("(match (position :relation (:missingpiececount ^A 1)))", &["white pieces"]);
    check("cql() attack 2 9 (^R k)", &["white rook"]);
    check("cql() ^up 2 K attack 2 9 (R k)", &["Here: ", "`up"]);
    check("(match :ye^ar 1900 (position Ra1))", &[":year: `:year r`: the year of the game"]);
    check("(match (position :relation (:pat^tern) Ra1))", &["`:pattern`: only squares"]);
    check("(mat^ch (position :mate))", &[]);
}
