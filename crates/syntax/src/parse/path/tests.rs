//! Tests of paths, part by part, and that each token is read once.

use super::super::tests::dump::{check, parse_body, print, refuse};

/// Returns the tree of a text without errors.
fn tree(text: &str) -> String {
    let (text, parsed) = parse_body(text);
    assert!(parsed.is_ok(), "{text}: {:?}", parsed.diagnostics);
    print(&text, &parsed)
}

#[test]
fn moves_carry_the_filters_behind_them() {
    check("path --", "(path <-- * *>):n");
    check("⊢ ♘――a-h8", "(path <-- ♘ a-h8>):n");
    check("path check -- mate K--e4 R", "(path check <-- * * : mate> <-- K e4 : R>):n");
    check("path --(check)", "(path <-- * * : check>):n");
    check("path --(--)", "(path <-- * *> <<-- * *>>):n");
    check("path P--=N check", "(path <-- P * =000010 : check>):n");
    check("path Q|R-- #A==3", "(path <-- (union Q R):s * : (== (# A):n 3):n>):n");
    check("path Q--up 1 Q Q--", "(path <-- Q (up 1..1 Q):s> <-- Q *>):n");
    check("path -- x=from", "(path <-- * * : (x = from):b>):n");
    check("path -- currentmove --(to)", "(path <-- * * : (currentmove -- * * => to):s>):n");
    check("path -- {true --(mate)}", "(path <-- * * : (block true (-- * * => mate):b):b>):n");
    check("path -- pseudolegal k--", "(path <-- * * : (pseudolegal k *):s>):n");
}

#[test]
fn groups_and_repetitions() {
    check("path --+", "(path <-- * *>+):n");
    check("path -- check +", "(path <-- * * : check>+):n");
    check("path --{2,3} (K-- k--)* --?", "(path <-- * *>{2,3} <<-- K *> <-- k *>>* <-- * *>?):n");
    check("path (--){*} (--){+}", "(path <<-- * *>>* <<-- * *>>+):n");
    check("path ((--)+ check)?", "(path <<<-- * *>>+ check>?):n");
    check("path -- check (K--)+", "(path <-- * * : check> <<-- K *>>+):n");
    check("path -- (mate or check) --", "(path <-- * * : (or mate check):b> <-- * *>):n");
    check("path -- (A|a)==3", "(path <-- * * : (== (# (union A a):s):n 3):n>):n");
    check("path --{1} (-- --)+", "(path <-- * *>{1,1} <<-- * *> <-- * *>>+):n");
    check("path -- {1+2==3}", "(path <-- * * : (== (+ 1 2):n 3):n>):n");
}

#[test]
fn parameters() {
    check(
        "path focus capture [rq] piecepath max #A keepallbest title \"t\" 3 4 verbose --",
        "(path capture keepallbest piecepath verbose title focus=[rq] max=(# A):n 3..4 <-- * *>):n",
    );
    check("⊢◎♔ quiet ――", "(path quiet focus=♔ <-- * *>):n");
    check(
        "path singlecolor nestban firstmatch --",
        "(path singlecolor nestban firstmatch <-- * *>):n",
    );
    check("path primary --", "(path primary <-- * *>):n");
    check("path lastposition --", "(path lastposition <-- * *>):p");
    check("x=2 path x x --", "(x = 2):b (path x..x <-- * *>):n");
    check("path count --", "(path -100000..100000 <-- * *>):n");
    check("path 5 (--)+", "(path 5..5 <<-- * *>>+):n");
    for (text, place) in [
        ("path singlecolor singlecolor --", "singlecolor"),
        ("path primary primary --", "primary"),
        ("path nestban nestban --", "nestban"),
        ("path quiet quiet --", "quiet"),
        ("path max ply max ply --", "max"),
        ("path focus A focus a --", "focus"),
        ("path 1 2 quiet 3 --", "3"),
        ("path secondary --", "secondary"),
        ("path piecepath quiet --", "piecepath"),
        ("path focus A primary --", "primary"),
        ("path primary focus A --", "focus"),
        ("path singlecolor focus A --", "focus"),
        ("path singlecolor primary --", "primary"),
        ("path primary quiet singlecolor --", "singlecolor"),
    ] {
        refuse(text, "E0111", place);
    }
    refuse("path focus check --", "E0301", "check");
    refuse("path max", "E0101", "");
    refuse("path max R --", "E0301", "R");
    refuse("path title --", "E0103", "--");
    refuse("path title \"\" --", "E0113", "\"\"");
    refuse("5<=path lastposition --", "E0304", "5<=path lastposition --");
}

#[test]
fn a_path_ends_at_blank_lines_and_brackets() {
    check("path --\n\ncheck", "(path <-- * *>):n check");
    check("path --\n// c\ncheck", "(path <-- * * : check>):n");
    check("path -- {R\n\nr} mate", "(path <-- * * : (block R r):s mate>):n");
    check("{path --} check", "(path <-- * *>):n check");
    check("path -- path -- check\n\nR", "(path <-- * * : (path <-- * * : check>):n>):n R");
    check("path N-- check {Q--}", "(path <-- N * : check>):n (-- Q *):b");
    check(
        "atomic x=1 path --\n\natomic y=2 path --",
        "(x = 1):b (path atomic=x <-- * *>):n (y = 2):b (path atomic=x atomic=y <-- * *>):n",
    );
    refuse("path -- check and\n\nR", "E0101", "R");
    refuse("path -- {--} R\n\nr", "E0109", "{");
    refuse("path -- {--} +", "E0102", "+");
}

#[test]
fn what_is_no_part_of_a_path() {
    for (text, place) in [
        ("path", "path"),
        ("path primary", "path"),
        ("path\n\n--", "path"),
        ("path check+", "+"),
        ("path +", "+"),
        ("path --+ +", "+"),
        ("path --+{2}", "{2}"),
        ("path -- 5", "5"),
        ("x=5 path -- x", "x"),
        ("path -- ply-3", "ply-3"),
        ("path -- (-- --)", "("),
        ("path -- check (-- --)+", "("),
        ("path --(check wtm)", "wtm"),
        ("path (-- {--})", "--"),
    ] {
        let code = if place == "wtm" { "E0105" } else { "E0109" };
        refuse(text, code, place);
    }
    refuse("path ()", "E0104", "()");
    refuse("path -- legal --", "E0401", "legal");
    refuse("path -- countmoves --", "E0401", "countmoves");
    refuse("path -- currentmove countmoves --", "E0401", "countmoves");
    refuse("path focus A-- --", "E0301", "A--");
}

#[test]
fn parentheses_open_a_group_where_no_move_is_before() {
    check("path (P)--e4", "(path <P> <-- * e4>):n");
    check("⊢(♙)――(♞)×", "(path <♙> <-- * *> <♞> <[x] * *>):n");
    check("path (P)-- (n)-- check", "(path <P> <-- * *> <n> <-- * * : check>):n");
    check("path --{1} (P)--", "(path <-- * *>{1,1} <P> <-- * *>):n");
    check("path check (P) --", "(path check <P> <-- * *>):n");
    check("path (--) (wtm)?", "(path <<-- * *>> <wtm>?):n");
    check("path ((P)--)+", "(path <<P> <-- * *>>+):n");
    check("path (wtm or btm) --", "(path <(or wtm btm):b> <-- * *>):n");
    refuse("path (A) & k --", "E0102", "&");
    refuse("path --{1} (R|N) attacks [Aa]", "E0102", "attacks");
    refuse("path (-- or check)", "E0109", "or");
    refuse("path ((A|a)==3)", "E0109", "==");
}

#[test]
fn braces_may_hold_what_moves() {
    check("path {R|Q}--", "(path <-- (union R Q):s *>):n");
    check("path {R}--{1}", "(path <-- R *>{1,1}):n");
    check("path ({R}--)+", "(path <<-- R *>>+):n");
    check("path {R}×{q|r}=Q", "(path <[x] R (union q r):s =010000>):n");
    check("path -- {P}-- check", "(path <-- * *> <-- P * : check>):n");
    check("path -- {P} --", "(path <-- * * : P> <-- * *>):n");
    check("path -- {wtm}--", "(path <-- * * : wtm> <-- * *>):n");
    check("path {--(to)}--", "(path <-- (-- * * => to):s *>):n");
    check("x=R path x--x x--", "(x = R):b (path <-- $x:s $x:s> <-- $x:s *>):n");
}

#[test]
fn a_dash_may_touch_anything_where_a_part_may_begin() {
    for (glued, apart) in [
        ("path--", "path --"),
        ("path[x]q", "path [x]q"),
        ("⊢―― check", "path -- check"),
        ("path primary--", "path primary --"),
        ("path 3--", "path 3 --"),
        ("path title \"t\"--", "path title \"t\" --"),
        ("path --{1}--", "path --{1} --"),
        ("path --+--", "path --+ --"),
        ("path --?×", "path --? ×"),
        ("path (--)--", "path (--) --"),
        ("path check--", "path check --"),
        ("path true--e4", "path true --e4"),
        ("path comment(\"z\")--", "path comment(\"z\") --"),
        ("path -- mate--", "path -- mate --"),
        ("path -- x=ply--", "path -- x=ply --"),
        ("path parent--", "path parent --"),
    ] {
        check(glued, &tree(apart));
    }
    refuse("path -- not--", "E0108", "--");
    refuse("path #--(to)==1 --", "E0108", "--");
}

#[test]
fn behind_a_move_a_filter_comes_first() {
    check("path -- (P)--", "(path <-- * *> <P> <-- * *>):n");
    check("path -- (P) --", "(path <-- * * : P> <-- * *>):n");
    check("path -- (wtm)--", "(path <-- * * : wtm> <-- * *>):n");
    check("path -- (P)--(n)--", "(path <-- * *> <P> <-- * *> <n> <-- * *>):n");
    check("path -- (P)|K", "(path <-- * * : (union P K):s>):n");
    check("path -- ((P))--", "(path <-- * *> <P> <-- * *>):n");
    check("path -- (--)", "(path <-- * *> <<-- * *>>):n");
    check("path -- ((--))", "(path <-- * *> <<<-- * *>>>):n");
    check("path -- (K--)+ --", "(path <-- * *> <<-- K *>>+ <-- * *>):n");
    check("path -- (--(mate))+", "(path <-- * *> <<-- * * : mate>>+):n");
    check("path -- (--(--))", "(path <-- * *> <<-- * *> <<-- * *>>>):n");
    check("path -- ((P)--)", "(path <-- * *> <<P> <-- * *>>):n");
    check("path -- --(P)--", "(path <-- * *> <-- * *> <P> <-- * *>):n");
    check("path -- --(P) --", "(path <-- * *> <-- * * : P> <-- * *>):n");
    check("path -- K--e4(wtm)", "(path <-- * *> <-- K e4 : wtm>):n");
    check("path -- --(--)", "(path <-- * *> <-- * *> <<-- * *>>):n");
    check("path -- --(P)+", "(path <-- * *> <-- * * : P>+):n");
    check("path a-- (wtm)", "(path <-- a * : wtm>):n");
    check("path --{1} -- (wtm)", "(path <-- * *>{1,1} <-- * * : wtm>):n");
    check("path --(wtm) (btm)", "(path <-- * * : wtm btm>):n");
    refuse("path a-- k-- (wtm)", "E0108", "(");
    refuse("path -- -- (check)", "E0108", "(");
    refuse("path -- check -- (wtm)", "E0108", "(");
    refuse("path -- check --=Q (wtm)", "E0108", "(");
    refuse("path k--k--", "E0109", "--");
    refuse("path focus ((legal R--)) --", "E0401", "legal");
    refuse("path -- comment((legal A--A) parent)", "E0401", "legal");
    refuse("path -- comment((countmoves --) parent)", "E0401", "countmoves");
    refuse("path -- move legal", "E0401", "legal");
    refuse("path -- (-- (check))", "E0108", "(");
    refuse("path -- (--+)", "E0109", "(");
    refuse("path -- (--(check) wtm)", "E0109", "(");
    refuse("path -- (P)|K--", "E0109", "--");
    refuse("path -- ({--})", "E0109", "--");
    refuse("path -- ()", "E0104", "()");
    refuse("path -- (legal --)", "E0401", "legal");
}

#[test]
fn a_dash_within_another_filter_looks_ahead() {
    for filter in [
        "not --",
        "not R--(check)",
        "if wtm then -- else b7",
        "comment((--))",
        "comment(--(to))",
        "#(--(to))==1",
        "(not --)",
        "check or --(mate)",
        "(-- or check)",
        "x=R--(to)",
        "{true --(mate)}",
        "not legal k--",
        "currentmove --(--(to))",
    ] {
        let alone = tree(filter);
        for (before, want) in [("-- ", "<-- * * : ?>"), ("", "?")] {
            if before.is_empty() && filter.starts_with('(') {
                continue;
            }
            let text = format!("path {before}{filter}");
            check(&text, &format!("(path {}):n", want.replace('?', &alone)));
        }
    }
    // directly after a move, operators show that it is a filter
    check("path -- --(to)==e4", "(path <-- * * : (== (-- * * => to):s e4):b>):n");
    check(
        "path -- --(check wtm) or R--",
        "(path <-- * * : (or (-- * * => check wtm):b (-- R *):b):b>):n",
    );
    check("path -- --(curpos):R", "(path <-- * * : (at (-- * * => currentposition):p R):s>):n");
    check("path -- --(wtm) <3", "(< (path <-- * *> <-- * * : wtm>):n 3):n");
    // elsewhere it is always a move
    check("path --(ply)==3", "(path <-- * * : (== ply 3):n>):n");
    check("path K-- or check", "(or (path <-- K *>):n check):b");
}

#[test]
fn a_path_ends_where_nothing_continues_it() {
    check("path --+ or true", "(or (path <-- * *>+):n true):b");
    check("path (--)+ and true", "(and (path <<-- * *>>+):n true):b");
    check("if path --+ then R else r", "(if (path <-- * *>+):n R r):s");
    check("path -- <3", "(< (path <-- * *>):n 3):n");
    check("path --+ ==1", "(== (path <-- * *>+):n 1):n");
    check("path --+/2", "(/ (path <-- * *>+):n 2):n");
    check("path lastposition -- {+}:ply", "(at (path lastposition <-- * *>+):p ply):n");
    check("path (wtm) or true", "(or (path <wtm>):n true):b");
    check("path (ply)<3 --", "(< (path <ply>):n 3):n (-- * *):b");
    check("path (A|a)==3 --", "(== (path <(union A a):s>):n 3):n (-- * *):b");
    // a filter includes the operators after it
    check("path -- check or true", "(path <-- * * : (or check true):b>):n");
    check("path wtm or true --", "(path (or wtm true):b <-- * *>):n");
    check("path -- path --+ or true", "(path <-- * * : (or (path <-- * *>+):n true):b>):n");
    check("line --> path -- --> true", "(line --> (path <-- * *>):n true):n");
    // a blank line after the operand does not end the path
    check("path --+ or true\n\nR", "(or (path <-- * *>+):n true):b R");
    check("path --+\n\nor true", "(or (path <-- * *>+):n true):b");
    refuse("path -- quiet", "E0101", "quiet");
    refuse("path -- =3", "E0102", "=");
    refuse("path -- : check", "E0102", ":");
}

#[test]
fn marks_of_repetition_stay_what_they_are_in_parentheses() {
    for (text, code, place) in [
        ("path -- (ply+1>3)", "E0105", "+"),
        ("path --(ply*2>3)", "E0105", "*"),
        ("path -- (line --> true*)", "E0105", "*"),
        ("path -- comment(ply+1)", "E0101", "+"),
        ("path -- line --> (check*) --> mate", "E0110", "*"),
    ] {
        refuse(text, code, place);
    }
    check("path -- line --> true*", "(path <-- * * : (line --> true):n>*):n");
    check("path -- (line <-- check <-- R?)", "(path <-- * * : (line <-- check R?):n>):n");
    check("path -- {line --> true*}", "(path <-- * * : (line --> true*):n>):n");
}

#[test]
fn unlabeled_sorts_at_the_beginning_of_a_part_count_twice() {
    for (text, want) in [
        ("path sort ply --", "2"),
        ("path {sort ply} --", "2"),
        ("path check {sort ply} --", "2"),
        ("path --{1,} {sort ply}", "2"),
        ("path (sort ply) --", "2"),
        ("path comment(sort ply) --", "2"),
        ("path {path {sort ply} --} --", "4"),
        // not directly after a move, after an operator, or with a label
        ("path -- sort ply", "1"),
        ("path -- (sort ply)", "1"),
        ("path -- {sort ply} --", "1"),
        ("path ply<sort elo --", "1"),
        ("path {sort #A R}--", "1"),
        ("path -- {path {sort ply} --}", "2"),
    ] {
        let dump = tree(text);
        let label = format!("<sort-id-{want}>");
        assert!(dump.contains(&label), "{text}: {dump}");
    }
    // declarations are not repeated
    check(
        "path {function f(){} sort ply} --",
        "(path (block function (sort <sort-id-1> ply):n):n <-- * *>):n",
    );
    // nested paths do not multiply the work
    let nested = format!("{}sort ply{}", "path {".repeat(60), "} --".repeat(60));
    tree(&nested);
}

/// Returns the tree with pieces as letters.
fn in_letters(text: &str) -> String {
    let letters = |c: char| match "♔♕♖♗♘♙♚♛♜♝♞♟△▲".chars().position(|sign| sign == c)
    {
        Some(at) => char::from(b"KQRBNPkqrbnpAa"[at]),
        None => c,
    };
    tree(text).chars().map(letters).collect()
}

#[test]
fn other_layouts_and_spellings_mean_the_same() {
    for body in [
        "path (P)--(n)-- comment(\"k\")",
        "path -- (P)--\n\ntrue",
        "path-- check",
        "⊢―― check",
        "path[x]Q(check)",
        "⊢×♕――{R|Q}――",
        "path {R|Q}--{1} -- {P}--{2,}",
        "path --e4(wtm) -- not --(mate)",
        "path a-- (wtm) b-- k--e4(btm) (R--)?",
        "path lastposition quiet -- {+}:ply==3",
        "if path --+ then -- else path[x] -- <3",
        "path (ply)<3 --",
        "path --(to)==e4 or --(K)\n\nR",
        "comment(path ({R}--)+ check--) {path true--}",
        "path quiet◎♔ ――",
        "path ◎♔ ――(♖――)+ /// \"a\" to\n――",
    ] {
        let text = format!("cql(variations) {body}");
        for (kind, other) in [
            ("layout", crate::format::format(text.as_bytes()).expect(body)),
            ("ASCII", crate::convert::to_ascii(text.as_bytes())),
            ("Unicode", crate::convert::to_unicode(text.as_bytes())),
        ] {
            let other = String::from_utf8(other).expect(body);
            let other = other.split_once(')').expect(body).1;
            assert_eq!(in_letters(other), in_letters(body), "{kind} of {body}");
        }
    }
}
