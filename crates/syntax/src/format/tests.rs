use super::{FormatError, format};

/// Compares the layout of a query, and checks that formatting it again changes nothing.
fn check(text: &str, expected: &str) {
    let once = format(text.as_bytes()).expect("a query");
    assert_eq!(String::from_utf8_lossy(&once), expected, "{text}");
    let twice = format(&once).expect("a query");
    let twice = String::from_utf8_lossy(&twice);
    assert_eq!(twice, expected, "not stable: {text}");
}

#[test]
fn every_filter_of_the_query_begins_a_line() {
    check("cql() mate wtm", "cql()\nmate\nwtm\n");
    check(
        "\u{feff}\r\ncql(  variations\r\n quiet )R attacks k\r\n\r\n\r\n#A==1 or\r\nbtm  ",
        "cql(variations quiet)\nR attacks k\n\n#A == 1 or\n  btm\n",
    );
    check(
        "cql(input    games.pgn output\n \"my games.pgn\") x=3 y=x",
        "cql(input games.pgn output \"my games.pgn\")\nx=3\ny=x\n",
    );
}

#[test]
fn short_blocks_stay_on_a_line_unless_a_break_asks_for_several() {
    check(
        "cql() engine  wdl win (depth 3  line 2)>5",
        "cql()\nengine wdl win (depth 3 line 2) > 5\n",
    );
    check("cql() flip{R  k}", "cql()\nflip { R k }\n");
    check("cql() x={R} #{k}==0", "cql()\nx={ R }\n#{ k } == 0\n");
    check("cql() flip {\nR k}", "cql()\nflip {\n  R\n  k\n}\n");
    check("cql() flip {R\nk\n}", "cql()\nflip { R k }\n");
    check(
        "cql() not {check {\nR  k} mate}",
        "cql()\nnot {\n  check\n  {\n    R\n    k\n  }\n  mate\n}\n",
    );
    let long = "connectedpawns passedpawns isolatedpawns";
    check(
        &format!("cql() flip {{ {long} {long} }}"),
        &format!(
            "cql()\nflip {{\n{0}{0}}}\n",
            "  connectedpawns\n  passedpawns\n  isolatedpawns\n"
        ),
    );
}

#[test]
fn long_filters_go_on_deeper_lines() {
    check(
        "cql() comment(\"a text that is long enough to need more than one line\" R \"and another such text\" k)",
        "cql()\ncomment(\n  \"a text that is long enough to need more than one line\" R\n  \"and another such text\" k\n)\n",
    );
    check(
        "cql() connectedpawns in passedpawns or isolatedpawns in doubledpawns or passedpawns in A",
        "cql()\nconnectedpawns in passedpawns or isolatedpawns in doubledpawns or passedpawns in\n  A\n",
    );
    check(
        "cql()\nsquare x in A\n piece y in a\n   x attacks y",
        "cql()\nsquare x in A\n  piece y in a\n  x attacks y\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "// top\n\n\ncql() // header\n/* one */ mate /* two */ // three\n// four\nwtm { // five\nR\n// six\n}\n// seven",
        "// top\n\ncql() // header\n/* one */\nmate /* two */ // three\n// four\nwtm\n{ // five\n  R\n  // six\n}\n// seven\n",
    );
    check("cql() R ; old\n or // why\n k", "cql()\nR ; old\n  or // why\n  k\n");
    check(
        "cql()\n/* several\n   lines */ { R k /* a\nb */ }",
        "cql()\n/* several\n   lines */\n{\n  R\n  k /* a\nb */\n}\n",
    );
    check("cql() {R (\n// in front\nk) }", "cql()\n{\n  R\n  (\n    // in front\n    k\n  )\n}\n");
}

#[test]
fn what_means_something_stays() {
    // blanks beside dashes stay as they are
    check("cql() R--k", "cql()\nR--k\n");
    check("cql() { R -- k }", "cql()\n{ R -- k }\n");
    check("cql() {--}", "cql()\n{ -- }\n");
    check("cql() P--=Q", "cql()\nP--=Q\n");
    // a repetition is not a block
    check("cql() path --{2,3}", "cql()\npath --{2,3}\n");
    check("cql() x=1 { 3 }", "cql()\nx=1\n{ 3 }\n");
    // a blank line ends a path
    check("cql() path -- check\n\n\nmate", "cql()\npath -- check\n\nmate\n");
    check("cql() {path -- check\n\n}", "cql()\n{ path -- check }\n");
    // `///` extends to the end of its line
    check("cql() mate /// \"a\"  R\nwtm", "cql()\nmate\n/// \"a\"  R\nwtm\n");
    // names and brackets
    check("cql() S=\"abc\" comment(S[a1] S[1])", "cql()\nS=\"abc\"\ncomment(S[a1] S[1])\n");
    check("cql() [Aa]x[element]R x", "cql()\n[Aa]x[element]R x\n");
    check("cql() 2<=#R<3", "cql()\n2 <= #R < 3\n");
}

// found by fuzzing
#[test]
fn blank_lines_between_delimiters_stay() {
    check(
        "cql() comment(ray(K k) \n\n  ray(A a k))",
        "cql()\ncomment(\n  ray(K k)\n\n  ray(A a k)\n)\n",
    );
    check("cql() {\n\nK k\n\n}", "cql()\n{\n  K\n  k\n}\n");
}

#[test]
fn functions_that_nobody_calls_keep_their_lines() {
    check(
        "cql() function f(x) {\nx attacks k\n  check { R\n k } }\nmate",
        "cql()\nfunction f(x) {\n  x attacks k\n  check { R k }\n}\nmate\n",
    );
}

#[test]
fn only_queries_have_a_layout() {
    let check = |text: &[u8], code: Option<&str>| {
        let errors = match format(text) {
            Err(FormatError::Query(errors)) => errors,
            Err(FormatError::Place(..)) => Vec::new(),
            Ok(_) => panic!("laid out: {}", String::from_utf8_lossy(text)),
        };
        assert_eq!(errors.first().map(|error| error.code), code);
    };
    check(b"", Some("E0001"));
    check(b"cql() chek", Some("E0201"));
    check(b"cql() {", Some("E0017"));
    let nested = "{".repeat(100_000) + &"}".repeat(100_000);
    check(format!("cql() true function f() {{ {nested} }}").as_bytes(), None);
}

#[test]
fn other_bytes_than_text_stay() {
    let text = b"cql()  comment(\"na\xefve\") // \xff\n";
    let expected = b"cql()\ncomment(\"na\xefve\") // \xff\n".to_vec();
    assert_eq!(format(text), Ok(expected));
}
