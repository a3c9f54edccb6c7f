use super::*;
use crate::token::Symbol;

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Checks lines `ASCII, Unicode`: each is converted into the other.
fn check_pairs(cases: &[(&str, &str)]) {
    for (ascii, unicode) in cases {
        assert_eq!(text(to_unicode(ascii.as_bytes())), *unicode, "{ascii}");
        assert_eq!(text(to_ascii(unicode.as_bytes())), *ascii, "{unicode}");
    }
}

/// Checks lines `text, its Unicode form, the ASCII form of that`.
fn check_round(cases: &[(&str, &str, &str)]) {
    for (start, unicode, ascii) in cases {
        assert_eq!(text(to_unicode(start.as_bytes())), *unicode, "{start}");
        assert_eq!(text(to_ascii(unicode.as_bytes())), *ascii, "{unicode}");
    }
}

/// Checks that both conversions leave each line unchanged.
fn check_same(cases: &[&str]) {
    for case in cases {
        assert_eq!(text(to_unicode(case.as_bytes())), *case);
        assert_eq!(text(to_ascii(case.as_bytes())), *case);
    }
}

#[test]
fn every_pair_of_the_table() {
    check_pairs(&[
        ("x<=y", "x≤y"),
        ("x>=y", "x≥y"),
        ("x!=y", "x≠y"),
        ("x->y", "x→y"),
        ("x<-y", "x←y"),
        ("path check", "⊢ check"),
        ("focus x", "◎ x"),
        ("currentposition", "∙"),
        ("flip(x)", "✵(x)"),
        ("flipcolor{x}", "⬓{x}"),
        ("x--y", "x――y"),
        ("x[x]y", "x×y"),
        ("[forall]", "∀"),
        ("x[element]y", "x∊y"),
        ("#.", "#▦"),
        ("_", "□"),
        ("A", "△"),
        ("a", "▲"),
        ("[Aa]", "◭"),
        ("x&y", "x∩y"),
        ("x|y", "x∪y"),
        ("x&=y", "x∩=y"),
        ("x|=y", "x∪=y"),
        ("x[<]y", "x≺y"),
        ("x[>]y", "x≻y"),
        ("x[<=]y", "x≼y"),
        ("x[>=]y", "x≽y"),
        ("K Q R B N P", "♔ ♕ ♖ ♗ ♘ ♙"),
        ("k q r b n p", "♚ ♛ ♜ ♝ ♞ ♟"),
    ]);
}

#[test]
fn designators() {
    check_pairs(&[
        ("[RN]h1", "♖♘h1"),
        ("[RB]", "♖♗"),
        ("R[a1,b2]", "♖[a1,b2]"),
        ("Ra1-8", "♖a1-8"),
        ("[A_]", "△□"),
        ("R->[Aa]", "♖→◭"),
        ("[RN]--[qr]h1", "♖♘――♛♜h1"),
        ("[Aa]h1", "◭h1"),
    ]);
    check_round(&[
        ("[Aa_]h1", "h1", "h1"),
        ("[aA]", "◭", "[Aa]"),
        ("[AaP]", "◭", "[Aa]"),
        ("[Aa_]", "a-h1-8", "a-h1-8"),
        ("[a1]", "a1", "a1"),
        ("R[a1]", "♖a1", "Ra1"),
        ("R[a-b1] [c-f1-4]", "♖a-b1 c-f1-4", "Ra-b1 c-f1-4"),
        ("R[a-h1-8]", "♖", "R"),
        ("[Aa_][a-h1-8]", "a-h1-8", "a-h1-8"),
        ("x--[a1][x]k", "x――a1×♚", "x--a1[x]k"),
        ("x=3[a1]", "x=3 a1", "x=3 a1"),
        ("[RR]", "♖", "R"),
        ("[R]", "♖", "R"),
        ("[♖♘]h1", "♖♘h1", "[RN]h1"),
        ("Ra-h1-8", "♖", "R"),
        ("[Aa_]a-h1-8", "a-h1-8", "a-h1-8"),
        ("x[Aa_]h1", "x h1", "x h1"),
        ("D[R]", "D♖", "D R"),
        ("R[element]A", "R[element]△", "R[element]A"),
        ("R♖", "♖ ♖", "R R"),
    ]);
    check_same(&["h1", "[a1,b2-4]", "a-h1-8"]);
    assert_eq!(text(to_ascii("♖[a1] [b2]".as_bytes())), "Ra1 [b2]");
    assert_eq!(text(to_ascii("[♖♘]a-h1-8".as_bytes())), "[RN]a-h1-8");
    assert_eq!(text(to_ascii("R[♖♘]".as_bytes())), "R[RN]");
}

#[test]
fn declarations() {
    check_pairs(&[
        ("[forall][Aa]x[element]S not x", "∀◭x∊S not x"),
        ("[Aa]x=K", "◭x=♔"),
        ("[Aa] x", "◭ x"),
    ]);
}

#[test]
fn blanks_between_what_would_merge() {
    let ascii = |unicode: &str| text(to_ascii(unicode.as_bytes()));
    assert_eq!(ascii("x♖"), "x R");
    assert_eq!(ascii("3♖"), "3 R");
    assert_eq!(ascii("◎△"), "focus A");
    assert_eq!(ascii("⊢――"), "path--");
    assert_eq!(ascii("✵♖"), "flip R");
    assert_eq!(ascii("♖∊△"), "R [element]A");
    assert_eq!(ascii("♖×♗"), "R[x]B");
    assert_eq!(ascii("∙:♖"), "currentposition:R");
    assert_eq!(ascii("\\3♖"), "\\3 R");
    assert_eq!(ascii("\\n♖"), "\\n R");
    assert_eq!(ascii("x<――y"), "x< --y");
    assert_eq!(ascii("――>"), "-- >");
    assert_eq!(ascii("[≤]"), "[ <= ]");
    assert_eq!(ascii("▲-h1"), "a -h1");
    assert_eq!(text(to_unicode(b"input a.pgn<=3")), "input a.pgn ≤3");
    assert_eq!(text(to_unicode("x|≤y".as_bytes())), "x∪≤y");
}

#[test]
fn what_plainly_stays_apart_does() {
    let designators = ["K", "h1", "Ra1-8", "[RN]", "[Aa]", "♖♘", "◭h1", "□", "_"];
    let words = Keyword::ALL.iter().map(|keyword| keyword.text());
    let symbols = Symbol::ALL.iter().map(|symbol| symbol.text());
    let signs = spelling::SPELLINGS.iter().map(|spelling| spelling.unicode);
    let all: Vec<&str> = designators.into_iter().chain(words).chain(symbols).chain(signs).collect();
    let mut n_apart = 0;
    for left in &all {
        let tokens = lex(SourceId(0), left.as_bytes()).tokens;
        let [token] = tokens.as_slice() else {
            continue;
        };
        for right in &all {
            let (left, right) = (left.as_bytes(), right.as_bytes());
            if stay_apart(&token.kind, left, right) {
                let shown = String::from_utf8_lossy(&[left, right].concat()).into_owned();
                assert!(!are_read_otherwise(&token.kind, left, right), "{shown}");
                n_apart += 1;
            }
        }
    }
    assert!(n_apart > 1000, "{n_apart}");
}

#[test]
fn verbatim_parts() {
    check_same(&[
        "not == ~ # in --> <-- ~~ {*} {+} [] 3 {3} o-o o-o-o 1-0 \\1 \\n =? %",
        "check // R -> [x] ♖ →\n/* R ♖ */ ; R ♖",
        "\"R -> ♖ ――\" x y2 12abc",
        "\u{feff}cql( input R--a.pgn  quiet )\r\n\tcheck\n",
        "/// \"a\" x\n\ncheck",
        "(x",
        // These cannot be split into tokens.
        "R @",
        "♖x",
        "\"R",
        "",
    ]);
    check_round(&[
        ("curpos", "∙", "currentposition"),
        ("/// R // R\nR\n", "/// ♖ // R\n♖\n", "/// R // R\nR\n"),
        ("(R", "(♖", "(R"),
    ]);
    assert_eq!(
        to_unicode(b"R \"\xff\" // \xfe"),
        "♖ \"".bytes().chain(*b"\xff\" // \xfe").collect::<Vec<_>>()
    );
    assert_eq!(to_ascii(b"\xff R"), b"\xff R");
}

#[test]
fn web_page() {
    let body = |query: &[u8]| {
        let page = text(html(query, "a<b>&\"c\""));
        assert!(page.starts_with("<!DOCTYPE html>\n"));
        assert!(page.contains("<title>a&lt;b&gt;&amp;&quot;c&quot;</title>"));
        let (_, body) = page.split_once("<pre>").unwrap();
        let (body, end) = body.split_once("</pre>").unwrap();
        assert_eq!(end, "\n</body>\n</html>\n");
        body.replace("</span>", "}").replace("<span class=\"", "{").replace("\">", " ")
    };
    let cases: [(&[u8], &str); 8] = [
        (b"cql()R", "{k cql}{s (}{s )}{d R}"),
        (b"path--x", "{s path}{m --}{i x}"),
        ("⊢×x".as_bytes(), "{s ⊢}{m ×}{i x}"),
        (b"\"<&>\" // <b>", "{s &quot;&lt;&amp;&gt;&quot;}{c  // &lt;b&gt;}"),
        (b"input a.pgn", "{k input}{c  }{s a.pgn}"),
        (b"/// 3\n", "{s ///}{c  }{n 3}{c \n}"),
        (b"\xef\xbb\xbfx @ \xff", "{i x}{c  @ \u{fffd}}"),
        (b"[Aa]x", "{d [Aa]}{i x}"),
    ];
    for (query, expected) in cases {
        assert_eq!(body(query), expected);
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// Tokens that both conversions leave unchanged, to be combined at random.
    const TOKENS: &[&str] = &[
        "<=",
        ">=",
        "!=",
        "->",
        "<-",
        "path",
        "focus",
        "currentposition",
        "flip",
        "flipcolor",
        "--",
        "[x]",
        "[forall]",
        "[element]",
        ".",
        "_",
        "A",
        "a",
        "[Aa]",
        "&",
        "|",
        "&=",
        "|=",
        "[<]",
        "[>]",
        "[<=]",
        "[>=]",
        "K",
        "R",
        "b",
        "p",
        "[RN]",
        "[RN]a1",
        "Ra1-8",
        "h1",
        "R[a1,b2]",
        "x",
        "check",
        "3",
        "{3}",
        "\"s\"",
        "+",
        "-",
        "*",
        "=",
        "<",
        ">",
        "==",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "[]",
        "#",
        "~",
        ":",
        ",",
        "?",
        "o-o",
        "1-0",
        "-->",
        "<--",
        " ",
        " ",
        "\n",
        "// R\n",
        "\\1",
        "///",
    ];

    fn kinds(text: &[u8]) -> Vec<TokenKind> {
        let tokens = lex(SourceId(0), text).tokens;
        tokens.into_iter().map(|token| token.kind).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn round_trip(words in proptest::collection::vec(proptest::sample::select(TOKENS), 0..20)) {
            let start = words.concat();
            let unicode = to_unicode(start.as_bytes());
            let ascii = to_ascii(&unicode);
            // Combined without blanks, some lists of squares and `[Aa…]` lose their pieces.
            prop_assume!(!start.contains("a-h1-8"));
            prop_assert_eq!(kinds(&unicode), kinds(start.as_bytes()));
            prop_assert_eq!(kinds(&ascii), kinds(start.as_bytes()));
            prop_assert_eq!(&to_unicode(&unicode), &unicode);
            if lex(SourceId(0), start.as_bytes()).is_tokenized() {
                prop_assert!(ascii.is_ascii());
            }
        }

        #[test]
        fn nothing_is_left_in_ascii(
            words in proptest::collection::vec(proptest::sample::select(TOKENS), 0..20),
        ) {
            let start = words.join(" ");
            let has_sign = |text: &[u8]| {
                let lexed = lex(SourceId(0), text);
                let mut tokens = lexed.tokens.iter();
                lexed.is_tokenized() && tokens.any(|token| {
                    let range = token.span.start as usize..token.span.end as usize;
                    unicode_spelling(token, &text[range]).is_some()
                })
            };
            let unicode = to_unicode(start.as_bytes());
            prop_assert_eq!(has_sign(start.as_bytes()), unicode != start.as_bytes());
            prop_assert!(!has_sign(&unicode));
        }

        #[test]
        fn never_panics(text in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = (to_ascii(&text), to_unicode(&text), html(&text, ""));
        }

        #[test]
        fn signs_never_panic(text in "[-aRx1\\[\\]<>=_ ♖♘◭△□∊―×∪≤≺⊢▲∙]{0,30}") {
            let ascii = to_ascii(text.as_bytes());
            if lex(SourceId(0), text.as_bytes()).is_tokenized() {
                prop_assert_eq!(kinds(&ascii), kinds(text.as_bytes()));
            }
            let _ = html(text.as_bytes(), "");
        }
    }
}
