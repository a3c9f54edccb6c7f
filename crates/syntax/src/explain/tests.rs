use super::{Sentence, filters};
use crate::parse::{ParseOptions, Source, parse};

fn outline(sentence: &Sentence, depth: usize, out: &mut Vec<String>) {
    let label = match sentence.label.as_str() {
        "" => String::new(),
        label => format!("{label}: "),
    };
    out.push(format!("{}{label}{}", "  ".repeat(depth), sentence.text));
    for below in &sentence.below {
        outline(below, depth + 1, out);
    }
}

/// Compares the explanations of the filters of a query.
fn check(query: &str, expected: &[&str]) {
    assert_eq!(lines(query), expected, "{query}");
}

/// Returns the explanations of the filters of a query.
fn lines(query: &str) -> Vec<String> {
    let text = format!("cql(variations) {query}");
    let source = Source { name: "", text: text.as_bytes() };
    let parsed = parse(&source, &[], &ParseOptions::default());
    assert!(parsed.is_ok(), "{query}: {:?}", parsed.diagnostics);
    let mut found = Vec::new();
    for sentence in filters(&parsed.query) {
        outline(&sentence, 0, &mut found);
    }
    found
}

#[test]
fn pieces_and_squares() {
    check("R", &["there are white rooks"]);
    check("elo > 2700", &["the greater of the two ratings is greater than 2700"]);
    check("sort elo", &["games are sorted by the greater of the two ratings, the greatest first"]);
    check("[Aa]a-h4", &["there are pieces on rank 4"]);
    check("[RBk]e4", &["there is a white rook or bishop or the black king on e4"]);
    check("Pa2-4", &["there are white pawns on a2–a4"]);
    check("kd1-8", &["the black king is on the d-file"]);
    check("[qrbn]", &["there are black queens, rooks, bishops or knights"]);
    check("[Qq][a1,h8]", &["there are queens on a1 or h8"]);
    check("_[d4,e4]", &["d4 or e4 is empty"]);
    check("_d4", &["d4 is empty"]);
    check("P[a2,b3,d4]", &["there are white pawns on a2, b3 or d4"]);
    check(
        "R attacks k & ~Q",
        &["there are (white rooks that attack the black king) that are not white queens"],
    );
    check("#(R|r)>=2", &["there are at least 2 white rooks or black rooks"]);
    check("(ply + 1) / 2 < 20", &["the number of the last move is less than 20"]);
    check("up 2 K", &["there are squares 2 steps above the white king"]);
    check("hanging q", &["there are pieces that an exchange loses among black queens"]);
    check("see q>=3", &["the most that an exchange wins on black queens is at least 3"]);
    let fen = "\"4k3/8/8/8/8/8/8/4K3\"";
    check(
        &format!("fenset {fen} & K"),
        &["there are (squares with the same content as in the FEN) that are also white kings"],
    );
    check(
        &format!("likeness({fen})>=70 likeness({fen} kings 9)<5"),
        &[
            "the likeness to the FEN (at most 100 points: pawns 60, pieces 20, kings 10, \
             material 10) is at least 70",
            "the likeness to the FEN (at most 9 points: kings 9) is less than 5",
        ],
    );
    check(
        "engine mate (nodes 9)==2 engine wdl win (depth 3 multipv 3 line 2)>=500",
        &[
            "the number of moves to mate (negative if Black mates) that the engine finds with nodes 9 \
             is 2",
            "White's chance to win, in thousandths, that the engine finds with depth 3, in line 2 \
             of 3 is at least 500",
        ],
    );
    check(
        "tablebase > 0 dtz",
        &[
            "the result in the tablebases for the side to move (2 win … -2 loss) is greater than 0",
            "the tablebases have the distance of this position",
        ],
    );
    check(
        "repetition>=2",
        &["the number of times that this position occurred before in its line is at least 2"],
    );
    check(
        "path san \"exd6 … Qh5#\"",
        &[
            "a path begins here:",
            "  a white pawn from e5 captures on d5 or d6",
            "  a move, any number of times (or not at all)",
            "  a queen moves to h5, and:",
            "    after it: the side to move is mated",
        ],
    );
    check("endgame \"rook\"", &["both sides have rooks and no other pieces"]);
    check(
        "theme(\"fork\")",
        &[
            "the man that has moved attacks two pieces worth more than he is, or that nobody guards, and stands safely",
        ],
    );
    check("material \"KRPvKR\"", &["the pieces are exactly KRP of White and KR of Black"]);
    check(
        "not material \"Q:\"",
        &[
            "it is not so that without kings and pawns, one side has exactly Q and the other no pieces",
        ],
    );
    check(
        "Pb7 not k & a-c1-8",
        &["there is a white pawn on b7", "there are no black kings on a1–c8"],
    );
    check(
        "R==1 q==0 not ka1-2",
        &[
            "there is exactly one white rook",
            "there are no black queens",
            "the black king is not on a1 or a2",
        ],
    );
    check("not check", &["the side to move is not in check"]);
    check(
        "not a -> to",
        &["there are no black pieces that attack the square to which the last move went"],
    );
}

#[test]
fn a_negation_covers_the_whole_operand() {
    for (query, expected) in [
        ("not {R}", "there are no white rooks"),
        ("not {R and q}", "it is not so that there are white rooks and there are black queens"),
        (
            "not (R or check)",
            "it is not so that there are white rooks or the side to move is in check",
        ),
        (
            "not (check or R)",
            "it is not so that the side to move is in check or there are white rooks",
        ),
        (
            "not {{check and not R}}",
            "it is not so that the side to move is in check and there are no white rooks",
        ),
        ("not #R==0", "there are white rooks"),
        ("not #R>=2", "it is not so that there are at least 2 white rooks"),
        ("not not R", "there are white rooks"),
        ("not ([] attacks k)", "it is not so that there are no squares that attack the black king"),
        ("not not check", "the side to move is in check"),
        (
            "not quiescent",
            "it is not so that the side to move is not in check, and no capture wins material by \
             exchange",
        ),
        ("not assert R", "it is not so that there are white rooks, or the run ends with an error"),
    ] {
        check(query, &[expected]);
    }
    let long = "#((R attacks (K | Q | B | N)) & (r attacks (k | q | b | n)) & [Qq] & a1-8)==0";
    for (query, expected) in [
        (long.to_owned(), "there are none of the squares (1)"),
        (format!("not {long}"), "it is not so that condition (1) holds"),
    ] {
        assert_eq!(lines(&query).first().map(String::as_str), Some(expected));
    }
}

#[test]
fn a_single_square_has_a_verb_in_the_singular() {
    for (query, expected) in [
        (
            "not to -> k",
            "the piece on the square to which the last move went does not attack the black king",
        ),
        ("to -> q", "the piece on the square to which the last move went attacks black queens"),
        (
            "to in between(K k)",
            "the square to which the last move went is one of (squares between white kings and black kings)",
        ),
        ("not find {to -> k}", "it is not so that condition (1) holds"),
        ("not parent:{to -> k}", "it is not so that condition (1) holds"),
        ("to & p", "there are black pawns on the square to which the last move went"),
        ("to == h7", "the square to which the last move went is h7"),
        ("not to == h7", "it is not so that the square to which the last move went is h7"),
        (
            "clock < 10",
            "the number of seconds left after the last move to the side that made it is less than 10",
        ),
        ("not result 1-0", "the game did not end 1-0"),
    ] {
        assert_eq!(lines(query).first().map(String::as_str), Some(expected), "{query}");
    }
}

#[test]
fn conditions_of_pieces_follow_one_another() {
    for (query, expected) in [
        ("P & isolatedpawns & d3-5", "there are white pawns on d3–d5 that are also isolated pawns"),
        (
            "P & doubledpawns & isolatedpawns >= 2",
            "there are at least 2 white pawns that are also doubled pawns and are also isolated pawns",
        ),
        (
            "P & passedpawns & a-h5-7 <- P",
            "there are (white pawns on ranks 5–7 that are also passed pawns) that are attacked by white pawns",
        ),
        ("p & up 1 K", "there are black pawns on squares 1 step above the white king"),
        (
            "[BRQ] & ~to",
            "there are white queens, rooks or bishops that are not on the square to which the last move went",
        ),
    ] {
        check(query, &[expected]);
    }
}

#[test]
fn what_holds_elsewhere_stands_below_without_a_number() {
    check(
        "parent:parent:{check R}",
        &[
            "at the position before the last move:",
            "  at the position before the last move:",
            "    all of these hold:",
            "      the side to move is in check",
            "      there are white rooks",
        ],
    );
    check(
        "countmoves pseudolegal k-- > 3",
        &["the number of moves by black kings that are legal but for a king left in check is \
             greater than 3"],
    );
    assert_eq!([super::range(2, 2), super::range(2, 4)], ["exactly 2", "2 to 4"]);
}

#[test]
fn what_is_asked_decides_the_sentence() {
    check(
        "flipcolor {R k}",
        &[
            "with the board as it is, or with White and Black exchanged:",
            "  all of these hold:",
            "    there are white rooks",
            "    the black king is on the board",
        ],
    );
    for (query, expected) in [
        (
            "flipvertical Ka1",
            "with the board as it is, or mirrored, with the a-file and the h-file exchanged:",
        ),
        (
            "fliphorizontal Ka1",
            "with the board as it is, or upside down, with ranks 1 and 8 exchanged:",
        ),
    ] {
        assert_eq!(lines(query).first().map(String::as_str), Some(expected));
    }
    check(
        "x=flip {R k}",
        &[
            "x becomes the squares (1)",
            "  (1): squares, with the board turned or mirrored in any of 8 ways:",
            "    if all of these hold, the value of the last:",
            "      there are white rooks",
            "      value: black kings",
        ],
    );
    check(
        "if check then R else mate",
        &[
            "one of two things holds, depending on a condition:",
            "  if: the side to move is in check",
            "  then: there are white rooks",
            "  else: the side to move is mated",
        ],
    );
    check(
        "x=if check 1 else ply",
        &[
            "x becomes the number (1)",
            "  (1): one of two values, depending on a condition:",
            "    if: the side to move is in check",
            "    then: 1",
            "    else: the number of moves (of either side) from the start to here",
        ],
    );
    check("wtm or mate", &["White is to move or the side to move is mated"]);
    check(
        "not 1<=#R<=2",
        &["it is not so that 1 is at most the number of white rooks, which is at most 2"],
    );
    check("initialposition:R", &["at the first position of the game: there are white rooks"]);
    check("child:wtm", &["at the position after the next move: White is to move"]);
}

#[test]
fn moves_and_paths() {
    check("R--k", &["the next move: a white rook moves to the black king"]);
    check("R--_", &["the next move: a white rook moves to an empty square"]);
    check("currentmove [x]q", &["the last move: a black queen was captured"]);
    check(
        "currentmove R[x][bn]c3",
        &["the last move: a white rook captured a black bishop or knight on c3"],
    );
    check("[Pp]--", &["the next move: a pawn moves"]);
    check("K--g1", &["the next move: the white king moves to g1"]);
    check("Pa7--=N", &["the next move: a white pawn from a7 promotes to a knight"]);
    check("[x]h7", &["the next move: something is captured on h7"]);
    check("k[x]", &["the next move: the black king captures"]);
    check(
        "P--=Q(check)",
        &[
            "the next move: a white pawn promotes to a queen, and after it:",
            "  after it: the side to move is in check",
        ],
    );
    check("3<countmoves legal R--", &["3 is less than the number of legal moves by white rooks"]);
    check(
        "legal P--=Q(check)",
        &[
            "there is a legal move by white pawns with a promotion to queen, and after it:",
            "  after it: the side to move is in check",
        ],
    );
    check(
        "legal all K[x](check)",
        &[
            "whatever legal capture by white kings is tried, after it:",
            "  after it: the side to move is in check",
        ],
    );
    check(
        "reverse [x]q(check)",
        &[
            "there is a capture backward of black queens, and before it:",
            "  before it: the side to move is in check",
        ],
    );
    check("countmoves reverse -- == 1", &["the number of moves backward is 1"]);
    check(
        "imagine place N on d5, remove q, sidetomove flip, castling \"Kq\", enpassant e3 : mate",
        &[
            "with white knights placed on d5, black queens removed, the other side to move, the \
             castling rights Kq, e3 as the en passant square:",
            "  then: the side to move is mated",
        ],
    );
    check(
        "countmoves pseudolegal --(mate) > 1",
        &[
            "the number (1) is greater than 1",
            "  (1): the number of pseudolegal moves after which this holds",
            "    after it: the side to move is mated",
        ],
    );
    check(
        "path focus Q --{1} (R--{2} k--)+",
        &[
            "a path begins here (only moves of white queens count as its moves):",
            "  a move",
            "  once or more often, one after the other:",
            "    a white rook moves, twice",
            "    the black king moves",
        ],
    );
    check(
        "path -- check mate",
        &[
            "a path begins here:",
            "  a move, and:",
            "    after it: the side to move is in check",
            "    after it: the side to move is mated",
        ],
    );
    check(
        "sort \"n\" path --+",
        &[
            "games are sorted by the number (1), the greatest first (\"n\")",
            "  (1): the number of moves of the best path from here:",
            "    a move, once or more often",
        ],
    );
    check(
        "line --> check --> .*",
        &[
            "positions follow one another from here forward:",
            "  the side to move is in check",
            "  any number of times (or not at all): anything (it always matches)",
        ],
    );
    check(
        "find <-- mate",
        &[
            "there is a position on the way from the start to here (this position included) at which \
         the side to move is mated",
        ],
    );
    check("move from R legal", &["there is a legal move from white rooks"]);
}

#[test]
fn variables_functions_and_texts() {
    check(
        "function f(S) {S attacks k} f(Q|R)",
        &[
            "a function is defined here (it always matches)",
            "a function is called:",
            "  S is: white queens or white rooks",
            "  meaning: S attacks the black king",
        ],
    );
    check(
        "square x in R {x attacks k}",
        &["this holds for at least one square x of white rooks:", "  x attacks the black king"],
    );
    check(
        "piece all x in A x attacks k",
        &["this holds for every piece x of white pieces:", "  x attacks the black king"],
    );
    check(
        "player white \"Morphy\" year>1850 result 1-0",
        &[
            "the name of White contains \"Morphy\"",
            "the year of the game is greater than 1850",
            "the game ended 1-0",
        ],
    );
    check(
        "comment(\"x\" #R) /// R",
        &[
            "a comment is written here: \"x\", the number of white rooks",
            "a comment is written here: white rooks",
        ],
    );
    check(
        "echo (s t) {s[<]t mate}",
        &[
            "this position (s) and another position of the game (t) belong together:",
            "  at the other: all of these hold:",
            "    s comes before t",
            "    the side to move is mated",
        ],
    );
    check(
        "ray(R k) pin through n",
        &[
            "there is a straight line from white rooks to the black king with nothing else between",
            "there are pins of black knights",
        ],
    );
}

#[test]
fn nested_operands_are_explained_once_each() {
    // Explaining each filter twice would take exponential time.
    let n_sentences = |text: String| {
        let source = Source { name: "", text: text.as_bytes() };
        let parsed = parse(&source, &[], &ParseOptions::default());
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        let mut out = Vec::new();
        for sentence in filters(&parsed.query) {
            outline(&sentence, 0, &mut out);
        }
        out.len()
    };
    let sum = "ply + (".repeat(60);
    assert!(n_sentences(format!("cql() {sum}3{}", ")".repeat(60))) > 50);
    let choice = "check or {wtm and {".repeat(40);
    assert!(n_sentences(format!("cql() {choice}mate{}", "}}".repeat(40))) > 100);
}

#[test]
fn one_thing_is_in_the_singular() {
    check("b<=1", &["there is at most one black bishop"]);
    check("R>=1", &["there is at least one white rook"]);
    check("1 <= #(R|Q)", &["there are at least 1 white rooks or white queens"]);
    check("2 < #R", &["there are more than 2 white rooks"]);
    check("K in g1", &["the white king is on g1"]);
    check("not k in g8", &["the black king is not on g8"]);
}
