use super::*;
use crate::designator::{Designator, PieceSet};

/// Returns a short form of a token.
fn word(token: &Token) -> String {
    match &token.kind {
        TokenKind::Integer(n) => format!("{n}"),
        TokenKind::Repetition { min, max } => format!("rep:{min}-{max}"),
        TokenKind::Keyword(keyword) => format!("k:{}", keyword.text()),
        TokenKind::Name(name) => format!("n:{name}"),
        TokenKind::String(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        TokenKind::Group(n) => format!("group:{n}"),
        TokenKind::GroupIndex(n) => format!("index:{n}"),
        TokenKind::Designator(designator) => designator_word(designator),
        TokenKind::PieceDeclaration => "decl".to_owned(),
        TokenKind::Result(result) => format!("r:{}", result.text()),
        TokenKind::Symbol(symbol) => symbol.text().to_owned(),
        TokenKind::TripleSlash => "///".to_owned(),
        TokenKind::TripleSlashEnd => "eol".to_owned(),
        TokenKind::Input(name) => format!("input:{name}"),
        TokenKind::Output(name) => format!("output:{name}"),
    }
}

/// Returns `d:PIECES/SQUARES`, with pieces as letters, and squares by name if they are few.
fn designator_word(designator: &Designator) -> String {
    let mut out = String::from("d:");
    if designator.has_pieces {
        for letter in "PNBRQKpnbrqk_".bytes() {
            let one = PieceSet::from_letter(letter).unwrap();
            if designator.pieces.contains(one) {
                out.push(letter as char);
            }
        }
    } else {
        assert_eq!(designator.pieces, PieceSet::ANYTHING);
    }
    if designator.has_squares {
        out.push('/');
        match designator.squares.count_ones() {
            count @ 1..=8 => {
                let squares = (0..64).filter(|square| designator.squares >> square & 1 == 1);
                for (i, square) in squares.enumerate() {
                    let comma = if i > 0 && count > 1 { "," } else { "" };
                    let (file, rank) = (b'a' + square % 8, b'1' + square / 8);
                    out += &format!("{comma}{}{}", file as char, rank as char);
                }
            }
            count => out += &count.to_string(),
        }
    } else {
        assert_eq!(designator.squares, u64::MAX);
    }
    out
}

/// Returns the tokens of `text`, followed by ` ! ` and the codes of the errors.
fn dump(text: &[u8]) -> String {
    let lexed = lex(SourceId(0), text);
    let mut words: Vec<String> = lexed.tokens.iter().map(word).collect();
    if !lexed.diagnostics.is_empty() {
        words.push("!".to_owned());
        words.extend(lexed.diagnostics.iter().map(|error| error.code.to_owned()));
    }
    words.join(" ")
}

/// Each line is `text => tokens`.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(dump(text.as_bytes()), *expected, "tokens of {text:?}");
    }
}

#[test]
fn white_space_and_comments() {
    check(&[
        ("check // quick\nmate", "k:check k:mate"),
        ("check //// quick\nmate", "k:check k:mate"),
        ("check ///// quick\nmate", "k:check k:mate"),
        ("check ; quick /* \nmate", "k:check k:mate"),
        ("check ;; quick\nmate", "k:check k:mate"),
        ("check/**/mate", "k:check k:mate"),
        ("a/* a /* b */c", "d:pnbrqk n:c"),
        ("check /* // ; \n */ mate", "k:check k:mate"),
        ("check /*/ mate */ x", "k:check n:x"),
        ("check // to the end", "k:check"),
        ("// \u{e9} \0 @\ncheck /* \u{e9} ! */", "k:check"),
        ("check\t\r\n\u{b}\u{c}mate", "k:check k:mate"),
        ("// only a comment", ""),
        ("check / / mate", "k:check / / k:mate"),
    ]);
    assert_eq!(dump(b"check // \xff\xfe\n/* \xff */ \"\xff\""), "k:check \"\u{fffd}\"");
}

#[test]
fn triple_slash() {
    check(&[
        ("/// \"a\" 1\nmate", "/// \"a\" 1 eol k:mate"),
        ("///x\n\nmate", "/// n:x eol k:mate"),
        ("/// x", "/// n:x eol"),
        ("/// x // y\n1\n2", "/// n:x 1 eol 2"),
        ("/// x ; y\n1\n2", "/// n:x 1 eol 2"),
        ("/// x // y\n\n1", "/// n:x eol 1"),
        ("/// x /* y */ 1\n2", "/// n:x 1 eol 2"),
        ("/// x /* \n */ 1\n2", "/// n:x 1 eol 2"),
        ("/// x /* y */\n2", "/// n:x eol 2"),
        ("///\nx", "/// eol n:x"),
        ("/// max(1\n2)", "/// k:max ( 1 eol 2 )"),
        ("/// 1\n/// 2", "/// 1 eol /// 2 eol"),
        ("/// \"a\" /// \"b\"\n", "/// \"a\" eol /// \"b\" eol ! E0016"),
        ("//// x\ny", "n:y"),
        // The filter begins within text that would otherwise be a single run of white space.
        ("x // c\n/// 1\n2", "n:x /// 1 eol 2"),
    ]);
}

/// Compares the tokens, each after `~` if white space precedes it, and after `|` if a blank line
/// does.
fn check_space(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let words: Vec<String> = lex(SourceId(0), text.as_bytes())
            .tokens
            .iter()
            .map(|token| {
                let mark = match (token.space_before, token.blank_line_before) {
                    (_, true) => "|",
                    (true, false) => "~",
                    (false, false) => "",
                };
                format!("{mark}{}", word(token))
            })
            .collect();
        assert_eq!(words.join(" "), *expected, "space in {text:?}");
    }
}

#[test]
fn blank_lines_and_ties() {
    check_space(&[
        ("x--y", "~n:x -- n:y"),
        ("x --y", "~n:x ~-- n:y"),
        ("x-- y", "~n:x -- ~n:y"),
        ("x/**/--//\n y", "~n:x ~-- ~n:y"),
        ("\n\nx", "|n:x"),
        ("x\ny", "~n:x ~n:y"),
        ("x\n\ny", "~n:x |n:y"),
        ("x\r\n \t\r\n y", "~n:x |n:y"),
        ("x // c\ny", "~n:x ~n:y"),
        ("x // c\n\ny", "~n:x |n:y"),
        ("x ; c\n \ny", "~n:x |n:y"),
        ("x\n// c\ny", "~n:x ~n:y"),
        ("x\n// c\n// d\ny", "~n:x ~n:y"),
        ("x\n// c\n\n// d\ny", "~n:x |n:y"),
        ("x\n\n// c\ny", "~n:x |n:y"),
        ("x\n/* c */\ny", "~n:x ~n:y"),
        ("x\n/* \n\n */\ny", "~n:x ~n:y"),
        ("x // c\n/* d */\ny", "~n:x ~n:y"),
        ("x\n/* c */\n\ny", "~n:x |n:y"),
        ("/// x\n\ny", "~/// ~n:x ~eol |n:y"),
        ("\u{feff}x", "~n:x"),
    ]);
}

#[test]
fn result_words() {
    check(&[
        ("1-0 0-1 1/2-1/2", "r:1-0 r:0-1 r:1/2-1/2"),
        ("comment(1-0)", "k:comment ( r:1-0 )"),
        ("x= 1-0", "n:x = r:1-0"),
        ("1 -0", "1 - 0"),
        ("10-0", "10 - 0"),
        ("x-0", "n:x - 0"),
        ("1-0x", "1 - 0 n:x"),
        ("1-0-0", "1 - 0 - 0"),
        ("1/2-1", "1 / 2 - 1"),
        ("result\"1-0\"", "k:result \"1-0\""),
    ]);
}

#[test]
fn integers() {
    check(&[
        ("007", "7"),
        ("12abc", "12 n:abc"),
        ("0x10", "0 n:x10"),
        ("1.5", "1 ! E0018"),
        ("2020.01.01", "\"2020.01.01\" ! E0018"),
        ("1 . 5", "1 . 5"),
        ("1. 5", "1 . 5"),
        ("1...5", "1 . . . 5"),
        ("5.0-0", "5 . 0 - 0"),
        ("-3", "- 3"),
        ("2147483647", "2147483647"),
        ("2147483648", "0 ! E0015"),
        ("4294967295", "0 ! E0015"),
        ("4294967296", "0"),
        ("99999999999", "1215752191"),
        ("2e4", "2 d:/e4"),
    ]);
}

#[test]
fn repetitions() {
    check(&[
        ("{3}", "rep:3-3"),
        ("{3,}", "rep:3-100000"),
        ("{,4}", "rep:0-4"),
        ("{3,4}", "rep:3-4"),
        ("{0}", "rep:0-0"),
        ("{100000}", "rep:100000-100000"),
        ("{ 3 }", "{ 3 }"),
        ("{3 }", "{ 3 }"),
        ("{3, 4}", "{ 3 , 4 }"),
        ("{3,4,5}", "{ 3 , 4 , 5 }"),
        ("{}", "{ }"),
        ("{,}", "rep:0-100000 ! E0014"),
        ("{2,1}", "rep:1-1 ! E0014"),
        ("{100001}", "rep:100000-100000 ! E0014"),
        ("{1,100001}", "rep:1-100000 ! E0014"),
        ("{4294967297,}", "rep:100000-100000 ! E0014"),
        ("{*}{+}", "{*} {+}"),
    ]);
}

#[test]
fn castling_words() {
    check(&[
        ("o-o", "k:o-o"),
        ("o-o-o", "k:o-o-o"),
        ("o-o(o-o-o)", "k:o-o ( k:o-o-o )"),
        ("o-ox", "n:o - n:ox"),
        ("o-o-ox", "k:o-o - n:ox"),
        ("o-o_", "n:o - n:o_"),
        ("o-o$", "n:o - n:o$"),
        ("o-o1", "k:o-o 1"),
        ("o -1", "n:o - 1"),
        ("O-O", "n:O - n:O"),
        ("foo-o", "n:foo - n:o"),
    ]);
}

#[test]
fn backslashes() {
    check(&[
        (r#"\"\\"#, r#""\"" "\\""#),
        (r"\n \r \t", r#""\n" "\r" "\t""#),
        (r#"\n"x""#, r#""\n" "x""#),
        (r"\1 \12 \-1 \-12", "group:1 group:12 index:1 index:12"),
        (r"\1x", "group:1 n:x"),
        (r"\new", "\"\" ! E0009"),
        (r"\n1", "\"\" ! E0009"),
        (r"\x", "\"\" ! E0009"),
        (r"\♞", "\"\" ! E0009"),
        (r"\-x", "\"\" n:x ! E0009"),
        (r"\123", "group:0 ! E0010"),
        (r"\-123", "index:0 ! E0010"),
        (r"\ 1", r"\ 1"),
        (r"\", r"\"),
    ]);
}

#[test]
fn designators() {
    check(&[
        // Words that may be designators.
        ("h1", "d:/h1"),
        ("h9", "n:h9"),
        ("h1x", "n:h1x"),
        ("a1b", "n:a1b"),
        ("Kh1", "d:K/h1"),
        ("Ra1-8", "d:R/a1,a2,a3,a4,a5,a6,a7,a8"),
        ("a-h1-8", "d:/64"),
        ("R[a1,h1-3]", "d:R/a1,h1,h2,h3"),
        ("[a1,b2-4,c-d1]", "d:/a1,c1,d1,b2,b3,b4"),
        ("[RN]a-c1-2", "d:NR/a1,b1,c1,a2,b2,c2"),
        ("K Q R B N P", "d:K d:Q d:R d:B d:N d:P"),
        ("k q r b n p", "d:k d:q d:r d:b d:n d:p"),
        ("A a _", "d:PNBRQK d:pnbrqk d:_"),
        ("bb", "n:bb"),
        ("bb4", "d:b/b4"),
        ("b4", "d:/b4"),
        ("ba-h4", "d:b/a4,b4,c4,d4,e4,f4,g4,h4"),
        ("b-c4", "d:/b4,c4"),
        ("Ka Kx Aa aA RB _x $x o", "n:Ka n:Kx n:Aa n:aA n:RB n:_x n:$x n:o"),
        ("[Ra]1", "[ n:Ra ] 1"),
        ("R[a1, h1]", "n:R [ d:/a1 , n:h1 ]"),
        ("Ra1,h1", "d:R/a1 , d:/h1"),
        ("[ R]", "[ n:R ]"),
        ("R.", "d:R ."),
        ("Ra1-9", "d:R/a1 - 9"),
        ("R[x]r", "d:R [x] d:r"),
        ("R--r", "d:R -- d:r"),
        ("R→P", "d:R -> d:P"),
        ("R->P", "d:R -> d:P"),
        ("R&P", "d:R & d:P"),
        ("[Aa]", "d:PNBRQKpnbrqk"),
        ("◭", "d:PNBRQKpnbrqk"),
        ("[Aa_]", "d:PNBRQKpnbrqk_"),
        ("♖♘a1-2", "d:NR/a1,a2"),
        ("[♖♘]a1-2", "d:NR/a1,a2"),
        ("♖ ♘", "d:R d:N"),
        ("[♖N]", "[ d:R n:N ] ! E0013"),
        ("♖♖", "d:R ! E0012"),
        ("◭△", "d:PNBRQKpnbrqk ! E0012"),
        ("▲◭", "d:PNBRQKpnbrqk ! E0012"),
        ("[RR]", "d:R"),
        ("[]", "[]"),
        ("[ ]", "[ ]"),
        ("D[R] S[a1]", "n:D d:R n:S d:/a1"),
        ("D[bb] D[kk] S[PN]", "n:D d:b n:D d:k n:S d:PN"),
        ("D[{bb}]", "n:D [ { n:bb } ]"),
        ("D[ bb]", "n:D [ n:bb ]"),
        ("D[\"k\"]", "n:D [ \"k\" ]"),
        ("S[1]", "n:S [ 1 ]"),
        ("S[PN:]", "n:S [ n:PN : ]"),
        ("S[PN+1]", "n:S [ n:PN + 1 ]"),
        ("D[#R]", "n:D [ # n:R ]"),
        ("D[power R]", "n:D [ k:power n:R ]"),
        ("S[0:#R]", "n:S [ 0 : # n:R ]"),
        ("D[R|r]", "n:D [ d:R | n:r ]"),
        ("D[#R ]", "n:D [ # d:R ]"),
        ("D[{R}]", "n:D [ { d:R } ]"),
        ("♖x", "d:R n:x ! E0013"),
        ("▲2", "d:pnbrqk 2 ! E0013"),
        ("D[♖]", "n:D d:R"),
        ("D[#♖]", "n:D [ # d:R ] ! E0013"),
        ("♖×♗", "d:R [x] d:B"),
        ("♖――", "d:R --"),
        ("♖∊△", "d:R [element] d:PNBRQK"),
        ("R[element]A", "n:R [element] d:PNBRQK"),
        // All the signs.
        ("♔♕♖♗♘♙", "d:PNBRQK"),
        ("♚♛♜♝♞♟", "d:pnbrqk"),
        ("△▲□", "d:PNBRQKpnbrqk_"),
        ("♖△", "d:PNBRQK"),
        // Backward ranges.
        ("h-a1", "d:/a1,b1,c1,d1,e1,f1,g1,h1 ! E0011"),
        ("Rb-a1", "d:R/a1,b1 ! E0011"),
        ("a8-1", "d:/a1,a2,a3,a4,a5,a6,a7,a8 ! E0011"),
        ("[a1,a2-1]", "d:/a1,a2 ! E0011"),
        ("h-abc", "d:PNBRQKpnbrqk_/64 n:bc ! E0011"),
        ("a1-12", "n:a1 - 12"),
        ("a-d", "d:pnbrqk - n:d"),
        ("[RN", "[ n:RN ! E0017"),
        ("[a1,", "[ d:/a1 , ! E0017"),
    ]);
}

#[test]
fn piece_declarations() {
    check(&[
        ("[Aa]x=K", "decl n:x = d:K"),
        ("◭x∊S", "decl n:x [element] n:S"),
        ("∀◭x∊S", "[forall] decl n:x [element] n:S"),
        ("[forall][Aa]x[element]A", "[forall] decl n:x [element] d:PNBRQK"),
        ("[Aa]h9", "decl n:h9"),
        ("[Aa] x[element]R", "d:PNBRQKpnbrqk n:x [element] d:R"),
        ("[Aa]h1", "d:PNBRQKpnbrqk/h1"),
        ("◭a-b1", "d:PNBRQKpnbrqk/a1,b1"),
        ("◭[a1,b1]", "d:PNBRQKpnbrqk/a1,b1"),
        ("◭h1x", "decl n:h1x"),
        ("[aA]x", "[ n:aA ] n:x"),
        ("[Aa]in", "[ n:Aa ] k:in"),
        ("◭in", "d:PNBRQKpnbrqk k:in ! E0013"),
        ("[Aa]o-o", "[ n:Aa ] k:o-o"),
        ("[Aa]b-a1", "d:PNBRQKpnbrqk/a1,b1 ! E0011"),
    ]);
}

#[test]
fn symbols() {
    for symbol in Symbol::ALL {
        if !matches!(
            symbol,
            Symbol::OpenParen
                | Symbol::CloseParen
                | Symbol::OpenBrace
                | Symbol::CloseBrace
                | Symbol::OpenBracket
                | Symbol::CloseBracket
        ) {
            check(&[(symbol.text(), symbol.text())]);
        }
    }
    check(&[
        ("()[ ]{}", "( ) [ ] { }"),
        ("x<-3", "n:x <- 3"),
        ("x->y", "n:x -> n:y"),
        ("x=-1", "n:x = - 1"),
        ("x=?y", "n:x =? n:y"),
        ("x<--y", "n:x <-- n:y"),
        ("x-->y", "n:x --> n:y"),
        ("x--->y", "n:x -- -> n:y"),
        ("3--2", "3 -- 2"),
        ("3- -2", "3 - - 2"),
        ("x[<]y[<=]y[>]y[>=]z", "n:x [<] n:y [<=] n:y [>] n:y [>=] n:z"),
        ("x<=y>=z==w!=v", "n:x <= n:y >= n:z == n:w != n:v"),
        ("x===y", "n:x == = n:y"),
        ("x|=y&=z", "n:x |= n:y &= n:z"),
        ("x~~y", "n:x ~~ n:y"),
        ("~~~x", "~~ ~ n:x"),
        ("a@b", "d:pnbrqk d:b ! E0003"),
    ]);
}

#[test]
fn unicode_spellings() {
    check(&[
        ("≤ ≥ ≠ → ←", "<= >= != -> <-"),
        ("⊢ ◎ ∙ ✵ ⬓", "k:path k:focus k:currentposition k:flip k:flipcolor"),
        ("―― × ∀ ∊ ▦", "-- [x] [forall] [element] ."),
        ("∩ ∪ ∩= ∪=", "& | &= |="),
        ("∩ = ∪==", "& = |= ="),
        ("≺ ≻ ≼ ≽", "[<] [>] [<=] [>=]"),
        ("□ △ ▲ ◭", "d:_ d:PNBRQK d:pnbrqk d:PNBRQKpnbrqk"),
        ("♔ ♕ ♖ ♗ ♘ ♙", "d:K d:Q d:R d:B d:N d:P"),
        ("♚ ♛ ♜ ♝ ♞ ♟", "d:k d:q d:r d:b d:n d:p"),
        ("curpos currentposition", "k:curpos k:currentposition"),
        ("x∊S", "n:x [element] n:S"),
        ("✵a1", "k:flip d:/a1"),
        ("――>", "-- >"),
        ("―x", "-- n:x ! E0005"),
        ("―――", "-- ! E0005"),
    ]);
}

#[test]
fn words() {
    for keyword in Keyword::ALL {
        let kind = if keyword.is_reserved() { 'k' } else { 'n' };
        check(&[(keyword.text(), &format!("{kind}:{}", keyword.text()))]);
    }
    check(&[
        ("on next year2 dictionary1", "n:on n:next n:year2 n:dictionary1"),
        (
            "element forall virtualmainlinenode sound composer",
            "n:element n:forall n:virtualmainlinenode n:sound n:composer",
        ),
        ("CQL() Check", "n:CQL ( ) n:Check"),
        ("$ $a1 a$ x_1", "n:$ n:$a1 n:a$ n:x_1"),
        ("cql_abort cql_abortx", "k:cql_abort n:cql_abortx"),
        ("checkmate", "n:checkmate"),
    ]);
}

#[test]
fn strings() {
    check(&[
        ("\"\"", "\"\""),
        ("\"a;b//c/*d*/e///f\"", "\"a;b//c/*d*/e///f\""),
        ("\"a\"\"b\"", "\"a\" \"b\""),
        ("\"(\"", "\"(\""),
        ("\"♔é\"", "\"♔é\""),
        ("\"abc", "\"abc\" ! E0007"),
        ("\"abc\nx", "\"abc\" n:x ! E0008"),
        ("x(\"abc)\ny", "n:x ( \"abc)\" n:y ! E0008"),
        // One string over two lines is one error; two other unclosed strings are errors each.
        ("\"abc\ndef\" x", "\"abc\" n:def \" x\" ! E0008"),
        ("\"a\n\"b\n\"c\n", "\"a\" \"b\" \"c\" ! E0008 E0008"),
    ]);
    let text = r#""a\nb\""#;
    assert_eq!(dump(text.as_bytes()), r#""a\\nb\\""#);
}

#[test]
fn file_names() {
    check(&[
        ("cql(input a.pgn)", "k:cql ( input:a.pgn )"),
        ("cql(input \"a b.pgn\" output x/y.pgn)", "k:cql ( input:a b.pgn output:x/y.pgn )"),
        ("input\n a-b;c.pgn\nquiet", "input:a-b;c.pgn k:quiet"),
        ("input a<b", "input:a < d:b"),
        ("input é.pgn", "input:é.pgn"),
        ("input )", "k:input ) ! E0017"),
        ("input", "k:input"),
        ("inputx.pgn", "n:inputx . k:pgn"),
        ("input \"a", "k:input \"a\" ! E0007"),
        ("input \"\"", "input:"),
    ]);
}

#[test]
fn byte_order_marks_and_sizes() {
    let bom = |text: &[u8]| (dump(text), lex(SourceId(0), text).bom);
    assert_eq!(bom(b"check"), ("k:check".to_owned(), false));
    assert_eq!(bom(b"\xef\xbb\xbfcheck"), ("k:check".to_owned(), true));
    assert_eq!(bom(b"\xef\xbb\xbf\xef\xbb\xbfcheck"), ("k:check".to_owned(), true));
    assert_eq!(bom(b"check \xef\xbb\xbf"), ("k:check ! E0004".to_owned(), false));
    assert_eq!(bom(b"\xef\xbb\xbf"), ("! E0001".to_owned(), true));
    check(&[("", "! E0001"), (" \t\r\n", "! E0001")]);
    let mut text = vec![b' '; MAX_LENGTH - 1];
    text[0] = b'x';
    assert_eq!(dump(&text), "n:x");
    text.push(b' ');
    assert_eq!(dump(&text), "! E0002");
}

#[test]
fn delimiters() {
    check(&[
        ("(){}", "( ) { }"),
        ("([{x}])", "( [ { n:x } ] )"),
        ("(", "( ! E0017"),
        (")", ") ! E0017"),
        ("([)]", "( [ ) ] ! E0017 E0017"),
        ("(]", "( ] ! E0017"),
        ("f(x] y)", "n:f ( n:x ] n:y ) ! E0017"),
        ("((", "( ( ! E0017 E0017"),
        ("f{(}x", "n:f { ( } n:x ! E0017"),
        // Tokens with brackets that are not delimiters.
        (
            "[x] [element] [forall] {3} {*} {+} [] [<] [>=] [RN] R[a1,b1]",
            "[x] [element] [forall] rep:3-3 {*} {+} [] [<] [>=] d:NR d:R/a1,b1",
        ),
        ("\"(\" // (\n /* ( */ x", "\"(\" n:x"),
        // A string or comment without an end may contain the closing delimiter.
        ("(/* )", "( ! E0006"),
        ("(\" )", "( \" )\" ! E0007"),
    ]);
}

#[test]
fn unknown_characters() {
    check(&[
        ("check @ ! ' ^ ` mate", "k:check k:not k:mate ! E0003 E0003 E0003 E0003 E0003"),
        ("!!!x", "n:x ! E0003"),
        ("!x y", "k:not n:x n:y ! E0003"),
        ("x ‘a b’ y", "n:x \"a b\" n:y ! E0004"),
        ("“x", "n:x ! E0004"),
        ("R—a1 3–2 x——y", "d:R -- d:/a1 3 - 2 n:x -- n:y ! E0004 E0004 E0004"),
        ("x≟3 y∧z", "n:x == 3 n:y k:and n:z ! E0004 E0004"),
        ("é x", "n:x ! E0004"),
        ("♟\u{fe0e}a1", "d:p d:/a1 ! E0004"),
        ("x\u{1}y\u{7f}", "n:x n:y ! E0004 E0004"),
        ("x \u{a0}y", "n:x n:y ! E0004"),
    ]);
    assert_eq!(dump(b"x \xff\xfe\xe2\x99 y \xe2"), "n:x n:y ! E0004 E0004");
    assert_eq!(dump(b"\xff\xe2\x99\x96"), "d:R ! E0004");
    assert_eq!(lex(SourceId(0), "@ ".repeat(500).as_bytes()).diagnostics.len(), MAX_ERRORS);
}

/// Compares the first error with `START-END MESSAGE [HELP] {NOTE}`.
fn check_error(text: &str, expected: &str) {
    let lexed = lex(SourceId(7), text.as_bytes());
    let error = &lexed.diagnostics[0];
    assert_eq!(error.span.source, SourceId(7));
    let mut found = format!("{}-{} {}", error.span.start, error.span.end, error.message);
    if let Some(help) = &error.help {
        found += &format!(" [{help}]");
    }
    for (span, note) in &error.notes {
        found += &format!(" {{{}-{} {note}}}", span.start, span.end);
    }
    assert_eq!(found, expected, "error of {text:?}");
}

#[test]
fn messages() {
    let cases = [
        ("x – y", "2-5 unknown character `–` (U+2013) [write `--` for a move or `-` for minus]"),
        (
            "x“",
            "1-4 unknown character `“` (U+201C) [write strings between straight double quotes: `\"`]",
        ),
        (
            "♟\u{fe0e}",
            "3-6 unknown character U+FE0E [remove this invisible character (a variation selector after the sign before it)]",
        ),
        ("x∈S", "1-4 unknown character `∈` (U+2208) [write `∊` (U+220A) or `[element]`]"),
        ("é", "0-2 unknown character `é` (U+00E9)"),
        (
            "!x",
            "0-1 the character `!` has no meaning here [write the word `not`, or `!=` for \"not equal\"]",
        ),
        (
            "K―e4",
            "1-4 found a single `―` (U+2015) [a dash is written with two of these signs, `――`, or in ASCII as `--`]",
        ),
        (
            "x(]",
            "2-3 found `]` where the `)` that belongs to `(` was expected [write `)` before this `]`] {1-2 this `(` is still open}",
        ),
        (
            "x(y",
            "1-2 `(` is not closed: no `)` follows before the end of the text [write `)` where it ends] {2-3 the text ends here without `)`}",
        ),
        ("x)", "1-2 `)` closes nothing: no delimiter is open here [remove this `)`]"),
        (
            "Rh-a1",
            "1-5 the files of `h-a1` run backwards [write the file nearer to a first, or blanks around `-` for a subtraction]",
        ),
        ("{5,2}", "0-5 the repetition `{5,2}` runs backwards: 5 is more than 2 [write `{2,5}`]"),
        ("♖♖", "0-6 `♖♖` names a piece twice [write each sign once; `◭` holds both `△` and `▲`]"),
        (
            "[♖N]",
            "1-4 piece signs and piece letters are mixed: `♖` and `N` [write all pieces as signs or all as letters, or a blank between them]",
        ),
        (
            "D[#♖]",
            "3-6 the designator `♖` stands directly before `]`, which is not allowed [write a blank after it, or `{♖}`]",
        ),
        (
            "/// 1 /// 2",
            "6-9 found a second `///` before the first one has ended [begin a new line before this `///`] {0-3 the first `///` of this line}",
        ),
        (
            "x \"a\ny\"",
            "2-3 this string is not closed before the end of the line [write `\"` at its end; inside a string neither newlines nor `\"` can stand, put `\\n` or `\\\"` between two strings for these] {6-7 if this is its end: a string may not go over several lines}",
        ),
        (
            "/* x",
            "0-2 this comment is not closed before the end of the text [write `*/` after the comment]",
        ),
        (
            "\\new",
            "0-4 `\\new` is unknown; outside of quotes there are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, and groups such as `\\1` and `\\-1` [write a blank after the letter]",
        ),
        (
            "\\$x",
            "0-3 `\\$x` is unknown; outside of quotes there are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, and groups such as `\\1` and `\\-1` [leave the backslash away: a name begins with `$` itself]",
        ),
        (
            "2147483648",
            "0-10 the number 2147483648 does not fit: the greatest number is 2147483647",
        ),
    ];
    for (text, expected) in cases {
        check_error(text, expected);
    }
}

/// Texts whose cost could be quadratic in their length, long enough for that to be noticed.
#[test]
fn long_texts_take_linear_time() {
    for unit in [
        "1-", "[a1,", "[", "R[", "R[a1,", "{1", "{1,", "♖♘", "♖", "o-", "input ", "\"", "/*", "/",
        "h-", "[R", "a1-", "(", ")", "([", "\u{2015}", "é", "\\", "[Aa]x", "@", "1", "x", "///",
        "a-",
    ] {
        let text = unit.repeat(300_000 / unit.len());
        assert!(lex(SourceId(0), text.as_bytes()).diagnostics.len() <= MAX_ERRORS);
    }
    let lexed = lex(SourceId(0), &[0xff; 300_000]);
    assert_eq!(lexed.diagnostics.len(), 1);
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn check_order(text: &[u8]) {
        let lexed = lex(SourceId(0), text);
        let mut end = 0;
        for token in &lexed.tokens {
            assert!(token.span.start >= end, "{token:?} begins before {end}");
            assert!(token.span.end >= token.span.start);
            assert!(
                token.span.end > token.span.start || token.kind == TokenKind::TripleSlashEnd,
                "{token:?} is empty"
            );
            end = token.span.end;
        }
        assert!(end as usize <= text.len());
        let mut start = 0;
        for error in &lexed.diagnostics {
            assert!(error.span.start >= start && error.span.end as usize <= text.len());
            start = error.span.start;
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes(text in proptest::collection::vec(any::<u8>(), 0..200)) {
            check_order(&text);
        }

        #[test]
        fn arbitrary_strings(text in "\\PC{0,100}") {
            check_order(text.as_bytes());
        }

        #[test]
        fn query_like_strings(text in "[-a-hKRx1-9\\[\\]{}(),.<>=+*/\\\\\"o_$ \n;|&~#!?♖♘◭△∊―×∪≤⊢]{0,60}") {
            check_order(text.as_bytes());
        }

        /// The tokens cover the whole text except for the blanks.
        #[test]
        fn tokens_cover_what_is_no_space(text in "[a-hKRx1-9\\[\\](),.<>=+* ]{0,60}") {
            let lexed = lex(SourceId(0), text.as_bytes());
            prop_assume!(lexed.is_tokenized());
            let mut end = 0;
            for token in &lexed.tokens {
                let gap = &text[end..token.span.start as usize];
                prop_assert!(gap.bytes().all(|byte| byte == b' '));
                prop_assert_eq!(token.space_before, end == 0 || !gap.is_empty());
                end = token.span.end as usize;
            }
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}
