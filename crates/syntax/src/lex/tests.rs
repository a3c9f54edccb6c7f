use super::*;

/// A short form of a token.
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

/// `d:PIECES/SQUARES`, pieces as letters, squares by name if they are few.
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

/// The tokens of `text`, then ` ! ` and the codes of the faults.
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
