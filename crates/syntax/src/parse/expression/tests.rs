//! Tests of the precedence table, row by row.

use super::super::tests::dump::{check, parse_body, refuse};

#[test]
fn colon_binds_tightest_and_to_the_right() {
    check("child:R==2", "(== (# (at (childposition 0):p R):s):n 2):n");
    check("child:child:R", "(at (childposition 0):p (at (childposition 0):p R):s):s");
    check("parent:ply+1==2", "(== (+ (at parent ply):n 1):n 2):n");
    check("parent:event[0]", "(sub (at parent event):t[0]):t");
    check("parent:-- check", "(at parent (-- * *):b):b check");
    check("parent:R--", "(-- (at parent R):s *):b");
    refuse("wtm:check", "E0102", ":");
    refuse("K:check", "E0102", ":");
    refuse("parent:", "E0101", "");
}

#[test]
fn postfix_operators_apply_to_strings() {
    check("\"abc\"[1:3][0]", "(sub (sub \"abc\"[1:3]):t[0]):t");
    check("event ~~ \"a\"", "(~~ \"a\" event):t");
    check("event[:]", "(sub event[:]):t");
    check("event[1+1:]", "(sub event[(+ 1 1):n:]):t");
    refuse("\"abc\"[0<1]", "E0102", "<");
    refuse("\"abc\"[R ]", "E0301", "R");
    refuse("R [ 1]", "E0102", "[");
    refuse("s=\"a\" \"b\"~~s", "E0103", "s");
    refuse("\"a\"~~\"(b\"", "E0113", "(");
}

#[test]
fn attacks_bind_tighter_than_sets_and_arrows() {
    check("N & A attacks a", "(intersect N (attacks A a):s):s");
    check("A attacks a attacks A", "(attacks (attacks A a):s A):s");
    check("R attackedby P&a1", "(intersect (attackedby R P):s a1):s");
    check("R attacked by P", "(attackedby R P):s");
    check("A attack a", "(attacks A a):s");
    check("~A attacks a", "(complement (attacks A a):s):s");
    refuse("R attacked P", "E0103", "P");
    refuse("A attacks", "E0101", "");
    refuse("A attacks 3", "E0302", "3");
    refuse("attack (R k)", "E0101", "attack");
}

#[test]
fn set_operators() {
    check("R&r|P&a1", "(union (intersect R r):s (intersect P a1):s):s");
    check("R|r|P", "(union (union R r):s P):s");
    check("R∪r∩P", "(union R (intersect r P):s):s");
    check("~R&a1", "(intersect (complement R):s a1):s");
    check("parent&child==.", "(== (samecontent parent (childposition 0):p):s .):b");
    refuse("R|3", "E0302", "3");
    refuse("R&parent", "E0302", "parent");
    check("x=R x|{x} x&x", "(x = R):b (union $x:s (block $x:s):s):s (intersect $x:s $x:s):s");
    refuse("x=R x|x", "E0401", "x");
    refuse("x=R #(R|(x|x))==1", "E0401", "x");
    refuse("R|", "E0101", "");
    refuse("check|R", "E0102", "|");
    refuse("~3", "E0301", "3");
}

#[test]
fn arrows_are_attacks_or_rays() {
    check("A->p|n", "(attacks A (union p n):s):s");
    check("K<-a", "(attackedby K a):s");
    check("B->P->k", "(ray 8 attack first B P k):s");
    check("k<-P<-B", "(ray 8 attack B P k):s");
    check("♖→♟", "(attacks ♖ ♟):s");
    refuse("A<-a->A", "E0102", "->");
    refuse("A->", "E0101", "");
    refuse("A<- 3", "E0302", "3");
}

#[test]
fn arithmetic() {
    check("1==2+3*4-5", "(== 1 (- (+ 2 (* 3 4):n):n 5):n):n");
    check("1==20-7-3", "(== 1 (- (- 20 7):n 3):n):n");
    check("1==7/2%3", "(== 1 (% (/ 7 2):n 3):n):n");
    check("1==-3-2", "(== 1 (- -3 2):n):n");
    check("1==- power R+1", "(== 1 (+ (negate (power R):n):n 1):n):n");
    check("1==-(3)", "(== 1 (negate 3):n):n");
    check("x=R -3==1", "(x = R):b (== -3 1):n");
    refuse("R+1", "E0102", "+");
    refuse("1==1+R", "E0302", "R");
    refuse("1==1*R", "E0302", "R");
    refuse("x=-R", "E0301", "R");
    refuse("s=\"a\" t={s - \"b\"}", "E0301", "\"b\"");
}

#[test]
fn plus_is_put_back_where_the_types_differ() {
    check("ascii \"a\"+1==98", "(== (+ (asciicode \"a\"):n 1):n 98):n");
    check("#\"abc\"+1==4", "(== (+ (length \"abc\"):n 1):n 4):n");
    check("int \"4\"+2==6", "(== (+ (int \"4\"):n 2):n 6):n");
    check("int \"4\"+\"2\"==42", "(== (int (concatenate \"4\" \"2\"):t):n 42):n");
    check(
        "\"x\"==\"x\"+ascii 97+\"b\"",
        "(== \"x\" (concatenate (concatenate \"x\" (asciicharacter 97):t):t \"b\"):t):t",
    );
    check("1==ascii \"a\"+2*3+4", "(== 1 (+ (+ (asciicode \"a\"):n (* 2 3):n):n 4):n):n");
    refuse("x={\"a\"+1}", "E0102", "+");
    refuse("x={1+\"a\"}", "E0102", "+");
}

#[test]
fn comparisons_are_right_associative_and_yield_their_left_side() {
    check("4<=P<9", "(<= 4 (< (# P):n 9):n):n");
    check("1==R==2", "(== 1 (== (# R):n 2):n):n");
    check("R==r", "(== R r):b");
    check("R!=r", "(!= R r):b");
    check("R!=2", "(!= (# R):n 2):b");
    check("\"a\"<event<\"b\"", "(< \"a\" (< event \"b\"):t):t");
    check("parent<child", "(< parent (childposition 0):p):p");
    check("parent[<]child", "([<] parent (childposition 0):p):p");
    check("parent≽child", "([>=] parent (childposition 0):p):p");
    check("parent!=child", "(not (== parent (childposition 0):p):p):b");
    check("x={1<2}", "(x = (< 1 2):n):b");
    for (text, place) in [
        ("R<r", "R<r"),
        ("R[<]r", "R"),
        ("\"a\"==1", "\"a\"==1"),
        ("1<\"a\"", "1<\"a\""),
        ("1[<]2", "1[<]2"),
        ("child==3", "child==3"),
        ("1!=2!=3", "1!=2!=3"),
        ("1==R==r", "1==R==r"),
        ("1==check", "1==check"),
    ] {
        // Directly before a bracket, `R` is not a designator, but an unknown name.
        let code = if place == "R" { "E0201" } else { "E0304" };
        refuse(text, code, place);
    }
    refuse("check==check", "E0102", "==");
    refuse("x=1 x<-3", "E0102", "<-");
    refuse("R<", "E0101", "");
}

#[test]
fn operands_that_cannot_be_compared_are_named_as_they_stand() {
    for (text, expected) in [
        ("1[<]A", "`[<]` cannot compare a number with a set of squares"),
        ("1[<]2", "`[<]` cannot compare a number with a number"),
    ] {
        let (_, parsed) = parse_body(text);
        assert_eq!(parsed.diagnostics[0].message, expected, "{text}");
    }
}

#[test]
fn in_takes_sets_or_strings() {
    check("K in A and k in a", "(and (in K A):b (in k a):b):b");
    check("R in A|a", "(in R (union A a):s):b");
    check("\"a\" in \"b\"+\"c\"", "(in \"a\" (concatenate \"b\" \"c\"):t):b");
    check("\"a\" in \"b\"==\"c\"", "(in \"a\" (== \"b\" \"c\"):t):b");
    refuse("1 in 2", "E0102", "in");
    refuse("R in \"a\"", "E0302", "\"a\"");
    refuse("R in r in P", "E0102", "in");
}

#[test]
fn logic_is_flat_and_juxtaposition_is_loosest() {
    check("R and r and check", "(and R r check):b");
    check("R or r and check or P", "(or R (and r check):b P):b");
    check("(R and r) and P", "(and (and R r):b P):b");
    check("not R==2 and check", "(and (not (== (# R):n 2):n):b check):b");
    check("not not R in A", "(not (not (in R A):b):b):b");
    check("R or r P", "(or R r):b P");
    refuse("check or", "E0101", "");
    check(
        "x=R x and check and x and x or {x}",
        "(x = R):b (or (and $x:s check $x:s $x:s):b (block $x:s):s):b",
    );
    refuse("x=R x and x", "E0401", "x");
    refuse("piece x=Ra1 x or x or check", "E0401", "x");
    refuse("not", "E0101", "");
    refuse("#(R and r)==1", "E0301", "R and r");
}

#[test]
fn prefix_operands_have_their_levels() {
    check("#R|r&a1==1", "(== (# (union R (intersect r a1):s):s):n 1):n");
    check("power R|r+1==2", "(== (+ (power (union R r):s):n 1):n 2):n");
    check("light R|P", "(union (light R):s P):s");
    check("up R&a2", "(intersect (up R):s a2):s");
    check("up 1 K attacks P", "(attacks (up 1..1 K):s P):s");
    check("file K & Ke1==1", "(== (file (intersect K Ke1):s):n 1):n");
    check("abs -3<4", "(< (abs -3):n 4):n");
    check("sqrt 16+9==5", "(== (sqrt (+ 16 9):n):n 5):n");
    check("uppercase \"a\"+\"b\"", "(concatenate (uppercase \"a\"):t \"b\"):t");
    check("position 3+4:check", "(at (position (+ 3 4):n):p check):b");
    check("max(1 2+3)==1", "(== (max 1 (+ 2 3):n):n 1):n");
    check("x=if check 1 else 2", "(x = (if check 1 2):n):b");
    check("flip A==2 or B", "(flip (or (== (# A):n 2):n B):b):b");
    check("shift R|P", "(shift (union R P):s):s");
    refuse("x=3<4", "E0102", "<");
    refuse("x=R in A", "E0102", "in");
}

#[test]
fn nesting_is_limited() {
    // Without optimization, the parser needs more of the stack than a thread of a test has.
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(nest);
    thread.expect("a thread").join().expect("the test");
}

fn nest() {
    let deep = 5_000;
    for text in [
        "not ".repeat(deep) + "true",
        "~ ".repeat(deep) + "R",
        "- ".repeat(deep) + "(1)",
        "{ ".repeat(deep) + "R" + &" }".repeat(deep),
        "(".repeat(deep) + "R" + &")".repeat(deep),
        "child:".repeat(deep) + "R",
        "if check then ".repeat(deep) + "R",
        "--(".repeat(deep) + "--" + &")".repeat(deep),
        "path -- path -- ".repeat(deep) + "--",
        "path ".to_owned() + &"(".repeat(deep) + "--" + &")".repeat(deep),
        "line --> ".to_owned() + &"(".repeat(deep) + "R-->R" + &")".repeat(deep),
        "comment(".repeat(deep) + "R" + &")".repeat(deep),
        "1==".to_owned() + &"1+".repeat(deep) + "1",
        "R|".repeat(deep) + "R",
        "\"a\"".to_owned() + &"[0]".repeat(deep),
    ] {
        let (_, parsed) = parse_body(&text);
        let codes: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["E0901"], "{}", &text[..20]);
    }
    let (_, parsed) = parse_body(&("R and ".repeat(deep) + "R"));
    assert!(parsed.is_ok(), "chains of `and` are flat");
}
