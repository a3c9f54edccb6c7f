//! Properties that hold for every query and every game.
//!
//! Queries are random well-typed texts. Games are random legal playouts with variations. Both are
//! small enough for a failing case to be readable.

mod support;

use std::sync::Arc;

use board::{Color, Move, MoveList, Position, Symmetry};
use engine::{
    CompileOptions, GameScreen, GameWorker, LaneScreen, Program, QueryResults, QueryWorker, Source,
    compile,
};
use flow::{FaultKind, Output, RunOptions, Worker};
use pgn::{CodedLine, RawGame};
use proptest::prelude::*;

/// Generates a filter whose value is a set.
fn set(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        "[KQRBNPAkqrbnpa_]",
        "[a-h][1-8]",
        "[KQRBNPkqrbnp][a-h]1-8",
        "[A_rn][a-h][1-8]",
        Just("[RNr]".to_owned()),
        Just(".".to_owned()),
        Just("[]".to_owned()),
        Just("passedpawns".to_owned()),
        Just("isolatedpawns".to_owned()),
        Just("to".to_owned()),
        Just("from".to_owned()),
        Just("pin".to_owned()),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let sub = set(depth - 1);
    let pair = (set(depth - 1), set(depth - 1));
    prop_oneof![
        3 => leaf,
        2 => (pair.clone(), prop::sample::select(vec!["&", "|", "->", "<-", " attacks "]))
            .prop_map(|((a, b), op)| format!("({{{a} }}{op}{{{b} }})")),
        1 => sub.clone().prop_map(|a| format!("(~{{{a} }})")),
        1 => (sub.clone(), prop::sample::select(vec![
                "up", "northeast 1 2", "horizontal 0 1", "light", "dark"]))
            .prop_map(|(a, d)| format!("{d} {{{a} }}")),
        1 => pair.clone().prop_map(|(a, b)| format!("between({{{a} }} {{{b} }})")),
        1 => pair.clone().prop_map(|(a, b)| format!("ray({{{a} }} {{{b} }})")),
        1 => pair.prop_map(|(a, b)| format!("({{{a} }} -> {{{b} }} -> .)")),
        1 => sub.clone().prop_map(|a| format!("{{legal --{{{a} }}}}")),
        1 => (sub.clone(), boolean(depth - 1))
            .prop_map(|(a, f)| format!("{{legal --({{{f} }} {{{a} }})}}")),
        1 => (sub, boolean(depth - 1)).prop_map(|(a, f)| {
            // nested loops must not use the same variable, so the name depends on the depth
            let name = format!("s{}", a.len());
            format!("{{square {name}x{} in {{{a} }} {{{f} }}}}", f.len())
        }),
        2 => (set(depth - 1), square_condition(depth - 1)).prop_map(|(domain, condition)| {
            let name = format!("y{}x{}", domain.len(), condition.len());
            let condition = condition.replace('@', &name);
            format!("{{square {name} in {{{domain} }} {{{condition} }}}}")
        }),
    ]
    .boxed()
}

/// Generates a condition on a square, which is written `@`.
fn square_condition(depth: u32) -> BoxedStrategy<String> {
    let relation = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        set(depth).prop_map(|a| format!("(@ attacks {{{a} }})")),
        set(depth).prop_map(|a| format!("({{{a} }} attacks @)")),
        set(depth).prop_map(|a| format!("({{{a} }} & @)")),
        set(depth).prop_map(|a| format!("(@ attackedby {{{a} }})")),
        (set(depth), relation, 0..4)
            .prop_map(|(a, op, n)| format!("(#({{{a} }} attacks @) {op} {n})")),
        (set(depth), 1..4).prop_map(|(a, n)| format!("(({{{a} }} attacks @) >= {n})")),
        (set(depth), shift()).prop_map(|(a, step)| format!("({{{a} }} & {step})")),
        (set(depth), shift()).prop_map(|(a, step)| format!("({step} attacks {{{a} }})")),
        (set(depth), shift()).prop_map(|(a, step)| format!("({{{a} }} attacks {step})")),
        boolean(depth),
    ]
    .boxed();
    let pair = (leaf.clone(), leaf.clone());
    prop_oneof![
        leaf.clone(),
        leaf.prop_map(|f| format!("(not {{{f} }})")),
        pair.clone().prop_map(|(a, b)| format!("{{ {{{a} }} {{{b} }} }}")),
        pair.prop_map(|(a, b)| format!("({{{a} }} or {{{b} }})")),
    ]
    .boxed()
}

/// Generates squares some steps away from a square, which is written `@`.
fn shift() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(up 1 @)",
        "(left 1 2 (up 1 @))",
        "(down 0 7 (left 1 @ | right 1 @))",
        "(right 1 (left 1 @))",
        "(horizontal @)",
        "(diagonal 1 2 @ | @)",
    ])
}

/// Generates a filter whose value is a number.
fn number(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        (0..20).prop_map(|n: i32| n.to_string()),
        Just("ply".to_owned()),
        Just("depth".to_owned()),
        Just("power A".to_owned()),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let pair = (number(depth - 1), number(depth - 1));
    prop_oneof![
        2 => leaf,
        2 => set(depth - 1).prop_map(|a| format!("#{{{a} }}")),
        1 => (pair, prop::sample::select(vec!["+", "-", "*", "/", "%"]))
            .prop_map(|((a, b), op)| format!("({{ {a} }} {op} {{ {b} }})")),
        1 => boolean(depth - 1).prop_map(|f| format!("{{find quiet 0 100 {{{f} }}}}")),
        1 => boolean(depth - 1).prop_map(|f| format!("{{flip count {{{f} }}}}")),
        1 => set(depth - 1).prop_map(|a| format!("{{countmoves --{{{a} }}}}")),
    ]
    .boxed()
}

/// Generates a filter used as a condition.
fn boolean(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop::sample::select(vec![
        "wtm",
        "btm",
        "check",
        "mate",
        "true",
        "false",
        "initial",
        "terminal",
        "secondary",
        "mainline",
        "Kg1",
        "re8",
        "(ply==2)",
        "(ply>3)",
        "(#[QRqr]==3)",
        "(#P - #p >= 1)",
        "(power A - power a > 2)",
        "(#(. attackedby Q) >= 14)",
        "(#doubledpawns >= 2)",
        "stalemate",
    ])
    .prop_map(str::to_owned);
    if depth == 0 {
        return leaf.boxed();
    }
    let sub = boolean(depth - 1);
    let pair = (boolean(depth - 1), boolean(depth - 1));
    prop_oneof![
        2 => leaf,
        2 => set(depth - 1).prop_map(|a| format!("({{{a} }}>0)")),
        2 => ((number(depth - 1), number(depth - 1)),
                prop::sample::select(vec!["<", ">", "<=", ">=", "==", "!="]))
            .prop_map(|((a, b), op)| format!("({{ {a} }} {op} {{ {b} }})")),
        1 => sub.clone().prop_map(|f| format!("(not {{{f} }})")),
        2 => (pair.clone(), prop::sample::select(vec!["and", "or", ""]))
            .prop_map(|((a, b), op)| match op {
                "" => format!("{{ {{{a} }} {{{b} }} }}"),
                op => format!("({{{a} }} {op} {{{b} }})"),
            }),
        1 => (sub.clone(), prop::sample::select(vec![
                "flipcolor", "flip", "shift", "rotate90", "flipvertical"]))
            .prop_map(|(f, t)| format!("{{{t} {{{f} }}}}")),
        1 => sub.clone().prop_map(|f| format!("{{parent:{{{f} }}}}")),
        1 => sub.clone().prop_map(|f| format!("{{find quiet {{{f} }}}}")),
        1 => (sub.clone(), prop::sample::select(vec!["all", "all quiet", "2 5", "quiet 3", "quiet 1 2"]))
            .prop_map(|(f, how)| format!("{{find {how} {{{f} }}}}")),
        // a dash alone in braces would end a path around it
        1 => sub.clone().prop_map(|f| format!("{{true --({{{f} }})}}")),
        1 => (sub.clone(), prop::sample::select(vec!["", "all ", "all P", "[Rr]"]))
            .prop_map(|(f, how)| format!("{{legal {how}--({{{f} }})}}")),
        1 => (set(depth - 1), set(depth - 1))
            .prop_map(|(a, b)| format!("{{true {{{a} }}--{{{b} }}}}")),
        1 => pair.clone().prop_map(|(a, b)| {
            format!("(path quiet (-- {{{a} }})* -- {{{b} }})")
        }),
        1 => (pair, prop::sample::select(vec![
                "quiet -- {$1} -- {$2}", "quiet [x]A {$1} a[x]. {$2}", "singlecolor -- {$1} -- {$2}",
                "[KQRBNPA]-- --[kqrbnp_] {$1} --{2} {$2}", "quiet -- {$1} (--)* -- {$2}"]))
            .prop_map(|((a, b), path)| {
                format!("(path {})", path.replace("$1", &format!("{a} ")).replace("$2", &format!("{b} ")))
            }),
        1 => sub.prop_map(|f| format!("{{ {{{f} }} comment(\"c{}\") }}", f.len())),
    ]
    .boxed()
}

/// Generates a set that depends on the board alone.
fn set_on_board(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        4 => "[KQRBNPAkqrbnpa_]",
        1 => "[KQRBNPAkqrbnpa][a-h]1-8",
        1 => prop::sample::select(vec!["[RNr]", ".", "passedpawns", "isolatedpawns", "connectedpawns"])
            .prop_map(str::to_owned),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let sub = set_on_board(depth - 1);
    let pair = (sub.clone(), set_on_board(depth - 1));
    prop_oneof![
        1 => leaf,
        3 => (pair.clone(), prop::sample::select(vec!["&", "|", "->", "<-", " attacks "]))
            .prop_map(|((a, b), op)| format!("({{{a} }}{op}{{{b} }})")),
        1 => sub.clone().prop_map(|a| format!("(~{{{a} }})")),
        2 => (pair.clone(), prop::sample::select(vec!["[Aa]", "k", "[RBp]", "A", ".", "(r <- [Nq])"]))
            .prop_map(|((a, b), through)| format!("({{{a} }} -> {through} -> {{{b} }})")),
        1 => pair.clone().prop_map(|(a, b)| format!("ray(up right {{{a} }} [Aa] {{{b} }})")),
        2 => (pair, 0..5).prop_map(|((a, b), parts)| match parts {
            0 => "{pin}".to_owned(),
            1 => format!("{{pin from {{{a} }} through {{{b} }}}}"),
            2 => format!("{{pin through {{{a} }} from {{{b} }}}}"),
            3 => format!("{{pin to {{{a} }} from {{{b} }}}}"),
            _ => format!("{{pin from {{{a} }} to {{{b} }}}}"),
        }),
        2 => (sub, square_condition(depth - 1)).prop_map(|(domain, condition)| {
            let name = format!("y{}x{}", domain.len(), condition.len());
            let condition = condition.replace('@', &name);
            format!("{{square {name} in {{{domain} }} {{{condition} }}}}")
        }),
    ]
    .boxed()
}

/// Generates a condition that depends on the board and the side to move alone, or nearly so.
fn on_board(depth: u32) -> BoxedStrategy<String> {
    let relation = || prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        4 => set_on_board(depth).prop_map(|a| format!("{{{a} }}")),
        2 => (set_on_board(depth), relation(), 0..5).prop_map(|(a, op, n)| format!("(#{{{a} }} {op} {n})")),
        1 => (set_on_board(1), set_on_board(1), relation()).prop_map(|(a, b, op)| format!("(#{{{a} }} {op} #{{{b} }})")),
        1 => (relation(), -4..5).prop_map(|(op, n)| format!("((power A - power a) {op} {n})")),
        1 => prop::sample::select(vec![
                "wtm", "btm", "check", "Kg1", "#passedpawns==#isolatedpawns", "ply>=3",
                "movenumber==3", "movenumber<5", "ply==6"])
            .prop_map(str::to_owned),
    ]
    .boxed();
    let pair = (leaf.clone(), leaf.clone());
    prop_oneof![
        2 => leaf.clone(),
        1 => leaf.clone().prop_map(|f| format!("(not {{{f} }})")),
        1 => pair.clone().prop_map(|(a, b)| format!("{{ {{{a} }} {{{b} }} }}")),
        1 => pair.prop_map(|(a, b)| format!("({{{a} }} or {{{b} }})")),
        1 => (leaf, prop::sample::select(vec!["flipcolor", "flip", "shift", "rotate90", "flipvertical"]))
            .prop_map(|(f, t)| format!("{{{t} {{{f} }}}}")),
    ]
    .boxed()
}

/// Generates conditions of which some are about the moves before or after the position.
fn around_moves() -> impl Strategy<Value = String> {
    let condition = prop::sample::select(vec![
        "wtm",
        "currentmove [NB]--",
        "currentmove P--",
        "currentmove a--a-h3-6",
        "currentmove --{[A_]c-f3-6}",
        "currentmove A[x]",
        "currentmove [KR]-- {check or true}",
        "currentmove [PQ]--=Q",
        "currentmove --(o-o)",
        "[kqrbnp] <- (A & to) >= 2",
        "1 <= #([Aa] attacks to)",
        "P & to",
        "not a -> to",
        "~to attacks k",
        "up 1 from & [Aa]",
        "A -> (up 1 2 [pP] | left 1 k)",
        "[Qq] attacks [Aa] >= 3",
        "#(isolatedpawns & up 1 [Aa]) >= 1",
        "path quiet A--a-h3-6",
        "path [x] --",
        "path quiet P--=Q",
        "path K-- {check or true}",
        "mate",
        "stalemate or check",
        "square s in P { a -> up 1 s not P & down 0 7 (left 1 s | right 1 s) }",
        "square s in [Nn] & a-h3-6 { [Pp] -> s not p & up (left 1 s | right 1 s) }",
        "square s in [RNBrnb] & ~to { s -> [KkQq] parent:{not s -> k} }",
        "square s in A { up left 1 s & a or right 1 2 s attacks a comment(s) }",
        "square s in [qrbnp] { A -> s square t in [nbrqp] { (a -> s) == t } }",
        "x = k x attackedby A",
        "y =? pin through [Aa] A -> y",
        "Q -> [pnbrq] parent:check",
    ]);
    let around = prop::sample::select(vec!["", "flipcolor ", "flip "]);
    (around, prop::collection::vec(condition, 1..4)).prop_map(|(around, conditions)| {
        // each at most once, since the names of their variables are the same
        let mut seen = std::collections::HashSet::new();
        let conditions = conditions.into_iter().filter(|condition| seen.insert(*condition));
        format!("{around}{{{}}}", conditions.collect::<Vec<_>>().join("\n"))
    })
}

/// Generates an `echo` whose body compares both positions in several ways.
fn echo() -> impl Strategy<Value = String> {
    let condition = prop::sample::select(vec![
        "s<t",
        "t<s",
        "s[<]t",
        "sidetomove==s:sidetomove",
        "s:sidetomove==sidetomove",
        "sidetomove!=s:sidetomove",
        "not sidetomove==s:sidetomove",
        "not sidetomove!=s:sidetomove",
        "sidetomove<s:sidetomove",
        "not s:sidetomove>=sidetomove",
        "K==s:K",
        "s:k==k",
        "P==(up s:P)",
        "R==(s:R)&a-h1-4",
        "#A==s:#A",
        "#a==s:#A-3",
        "file k==file s:k",
        "power a==s:power a",
        "#(s & t)==64",
        "64==#(t & s)",
        "#(s & t)>=60",
        "not K & s:K",
        "check",
        "s:wtm",
        "t:wtm",
        "distance(s t)>=3",
        "$x=k",
        "square all $p in R {s:R & $p}",
        "{flip {Kg1 or s:kg8}}",
        "comment(\"c\")",
    ]);
    let value =
        prop::sample::select(vec!["", "", "ply", "#A==s:#A", "#(s & t)==64", "distance(s t)"]);
    let quiet = prop::sample::select(vec!["quiet", ""]);
    let all = prop::sample::select(vec!["in all", ""]);
    let around = prop::sample::select(vec![
        "@",
        "$x=K @",
        "flip {@}",
        "flipcolor {wtm @}",
        "rotate90 {Kg1 @}",
        "not {@}",
        "find {@}",
        "sort \"e\" {@ ply}",
    ]);
    (prop::collection::vec(condition, 1..5), value, quiet, all, around).prop_map(
        |(conditions, value, quiet, all, around)| {
            let conditions = conditions.join("\n");
            let echo = format!("echo {quiet} (s t) {all} {{{conditions}\n{value}}}");
            around.replace('@', &echo)
        },
    )
}

/// Generates a loop over squares whose body tests its square and has an effect.
fn loop_with_effects() -> impl Strategy<Value = String> {
    let over = prop::sample::select(vec!["square $x in", "square all $x in", "piece $x in"]);
    let domain = prop::sample::select(vec![".", "A", "[RNQkp]", "(k|Q)", "a-h3-6"]);
    let item = prop::sample::select(vec![
        "#(A attacks $x) > 1",
        "#([Aa] attacks $x) >= 3",
        "a attacks $x",
        "$x attacks k",
        "$x & a-h2-7",
        "not $x attacks [Aa]",
        "a attacks up 1 $x",
        "not [Pp] & down 0 7 (left 1 $x | right 1 $x)",
        "{$x & A or P attacks $x}",
        "$y attacks $x",
        "D[1] attacks $x",
        "wtm",
        "type $x > 2",
        "comment(\"b\" $x)",
        "message(\"m\" $x)",
        "sort \"s\" #([Aa] attacks $x) >= 2",
        "sort min \"u\" 3 < #(A attacks $x)",
        "sort \"t\" {comment(\"c\") #(a attacks $x) > 0}",
        "$y=$x",
        "$y=A",
        "D[1]=$x",
        "settag(\"T\" \"x\")",
    ]);
    let items = prop::collection::vec(item, 1..5);
    (over, domain, items).prop_map(|(over, domain, items)| {
        let body = items.join(" ");
        format!("local dictionary D $y=k D[1]=Q {over} {domain} {{{body}}}")
    })
}

/// Generates many placements of pieces, one of which must hold.
fn many_placements() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["Pe4", "Nf3", "nf6", "Kg1", "qd8", "Ra1", "pd5", "Bc4"]);
    let other = prop::sample::select(vec!["", " [Qq]", " Pd4", " pa-h5", " _e5", " Kg1", " a"]);
    let placement = (piece, other).prop_map(|(piece, other)| format!("{{{piece}{other}}}"));
    prop::collection::vec(placement, 14..24).prop_map(|all| all.join(" or "))
}

/// Generates a loop over squares inside of another one, about the squares of both.
fn loop_in_loop() -> impl Strategy<Value = String> {
    let domain = || prop::sample::select(vec![".", "A", "[RNQkp]", "(k|Q)", "a-h3-6", "[qrbnp]"]);
    let item = prop::sample::select(vec![
        "A attacks $t",
        "$t attacks [Aa]",
        "$x attacks $t",
        "$t attacks $x",
        "$x attacks k",
        "#(A attacks $t) > 1",
        "{a attacks $t} == $x",
        "$x == (a attacks $t)",
        "{A attacks $x} == $t",
        "{a attacks $x} == (A attacks $t)",
        "$x == $t",
        "not $x == $t",
        "to in between($x $t)",
        "to & between($t $x)",
        "between($x k) & A",
        "between(A k) in between($x $y)",
        "parent:{$x attacks $t}",
        "child:{A attacks $x}",
        "$p:{a attacks $t}",
        "{$x & A or $t attacks $x}",
        "type $x > type $t",
        "wtm",
        "$z attacks $t",
    ]);
    let effect = prop::sample::select(vec![
        "",
        "",
        "",
        "comment(\"b\" $x)",
        "sort \"s\" #(A attacks $x)",
        "square $t in A {$t attacks k}",
    ]);
    let inner = prop::sample::select(vec![
        "square $t in",
        "2 <= square $t in",
        "1 == square $t in",
        "1 < square $t in",
        "1 >= square $t in",
        "square all $t in",
        "piece $t in",
        "square $x in",
    ]);
    let start = prop::sample::select(vec![
        "$y=k $p=parent {{wtm $z=Q} or true}",
        "$y=k $p=currentposition $z=Q",
    ]);
    let around = prop::sample::select(vec!["", "", "flipcolor "]);
    let items = prop::collection::vec(item, 1..4);
    (around, start, domain(), domain(), inner, items, effect).prop_map(
        |(around, start, domain, other, inner, items, effect)| {
            let mut items = items.join(" ");
            if inner.contains("$x") {
                items = items.replace("$t", "$x");
            }
            let inner = format!("{inner} {other} {{{items}}}");
            // the name of a piece cannot be that of a square
            let effect = if inner.contains("piece") { "" } else { effect };
            format!("{start} {around}{{square $x in {domain} {{{inner} {effect}}}}}")
        },
    )
}

/// Generates a loop over squares with a path or a `find` that depends on its square.
fn loop_with_path() -> impl Strategy<Value = String> {
    let over = prop::sample::select(vec![
        "piece $x in",
        "square $x in",
        "square all $x in",
        "piece all $x in",
    ]);
    let domain =
        prop::sample::select(vec!["P", "[RNQ]", ".", "A", "[Pp]", "(k|Q)", "{up P}", "p & a-h5-8"]);
    let first = prop::sample::select(vec![
        "",
        "",
        "wtm",
        "$x & a-h2-7",
        "$y=$x",
        "comment(\"b\")",
        "not check",
        "$x attacks [Aa]",
    ]);
    let search = prop::sample::select(vec![
        "path quiet focus $x --{1,}",
        "path quiet focus $x --{2,}",
        "$z={$x & .} path focus $x -- -- {not $z}",
        "path singlecolor quiet --{3,}",
        "sort \"m\" path quiet focus $x piecepath --{2,}",
        "path focus $x -- --",
        "path focus capture $x -- --",
        "path quiet $x-- (--)* --$x",
        "path $x--{1} (-- $x--)*",
        "path quiet --$x",
        "path quiet firstmatch (--)* [x]$x",
        "path (--)* [x]$x check",
        "path quiet [x]$x --",
        "path quiet (--)* --=.",
        "path quiet focus $x --* --=[QR]",
        "path lastposition $x-- --",
        "path singlecolor $x-- --",
        "path quiet -- {$z=to} --* $x--$z",
        "path max ply (-- {$x & .})+",
        "find quiet {$x & A}",
        "find {$x attacks k}",
        "find all quiet {$x attacks k}",
        "find 2 {$x & _}",
        "true (--($x attacks [Kk]))",
    ]);
    let around = prop::sample::select(vec![
        "@",
        "wtm @",
        "flipcolor {@}",
        "flip {@}",
        "flipcolor {wtm @} or terminal",
        "not {@}",
        "find {@}",
        "sort \"l\" {@}",
        "piece $w in [RNP] {@ $w & .}",
        "$z=A @ #$z>=2",
        "@ movenumber>=2",
    ]);
    (over, domain, first, search, around).prop_map(|(over, domain, first, search, around)| {
        let text = format!("{{{over} {domain} {{{first}\n{search}}}}}");
        let is_boolean = over.contains("all");
        // only sets and numbers can be sort keys
        let around = if is_boolean && around.contains("sort") { "@" } else { around };
        around.replace('@', &text)
    })
}

/// Generates a path that stores squares in variables, as for a Bristol: a piece clears a line, and
/// another one moves along it.
fn path_with_memory() -> impl Strategy<Value = String> {
    let first = prop::sample::select(vec![
        "x-- {$a=from $b=to}",
        "[RBQ]-- {$a=from $b=to}",
        "-- {$a=from $b=to}",
        "x-- {$a=from $b=between(from to)}",
        "A-- {atomic $a=from $b=to}",
        "-- {$a=to $b=h8}",
        "x-- {$a=from $b=to comment(\"first\")}",
        "check -- {$a=from $b=to}",
    ]);
    let gap = prop::sample::select(vec![
        "(--)*",
        "--*",
        "--+",
        "(--){,2}",
        "--{1,3}",
        "--{2,}",
        "(--)?",
        "",
        "--{1} (-- --*)?",
        "--{1} (--* $b)?",
        "--{1} (-- check)*",
        "--{1}",
    ]);
    let test = prop::sample::select(vec![
        "",
        "",
        "",
        "wtm",
        "y",
        "y & a-h1-7",
        "pathcount>1",
        "comment(\"between\")",
        "$c=$a",
        "find quiet check",
    ]);
    let second = prop::sample::select(vec![
        "y-- {to in between($a $b) or to==$a}",
        "[RBQN]-- {to & $a}",
        "-- {to==$a}",
        "--$b",
        "$b--",
        "[x]$b",
        "y-- {rank from==1}",
        "A-- {not check to in $b|$a}",
        "a-- {k==k to==$a $a=from}",
        "-- {comment(\"c\") to==$a}",
        "-- {check or to==$a}",
        "A-- {from==$b $c=to}",
        "-- {(to|from)==$b}",
        "A & $b-- {to & .}",
        "-- {wtm if true then to==$a else from==$b}",
        "--=.",
        "-- {$a in between(from to)}",
        "y-- {between(from to) & $b or from==$a}",
        "-- {[Aa]&$a in between(to from) or to==$b}",
        "-- {o-o or to==$a}",
    ]);
    let rest = prop::sample::select(vec![
        "",
        "",
        "--{1} (--){,2} --{1}",
        "-- check",
        "--{1} (--)* -- {to==$a}",
        "--* $a & .",
        "comment(\"end\" pathcount)",
    ]);
    let parameters = prop::sample::select(vec![
        "quiet",
        "",
        "quiet firstmatch",
        "quiet keepallbest",
        "keepallbest firstmatch",
        "quiet max power A",
        "quiet nestban",
        "quiet primary",
        "quiet focus x",
        "lastposition quiet",
        "quiet 2 4",
        "quiet singlecolor",
    ]);
    let around = prop::sample::select(vec![
        "@",
        "@\n\n comment($a)",
        "flipcolor {@}",
        "not {@}",
        "$a=e4 $b=e5 {@}",
        "flip {wtm @}",
    ]);
    let pattern = (first, gap, test, second, rest);
    (pattern, parameters, around).prop_map(
        |((first, gap, test, second, rest), parameters, around)| {
            let path = format!("path {parameters} {first} {gap} {test} {second} {rest}");
            let loops = format!("piece x in [RQPp] {{piece y in [RKNPp] {{{path}}}}}");
            around.replace('@', &loops)
        },
    )
}

/// Generates a game as moves and variations: each number chooses a legal move, every fourth one
/// opens a variation of one or two moves.
fn playout() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..30)
}

/// Returns the PGN of a playout; with `flipped`, the same game with colors exchanged.
fn pgn_of(choices: &[u16], flipped: bool) -> String {
    let start: Position =
        board::parse_fen(b"4k2r/1P2p1p1/8/3Q1n2/2B3p1/5N2/PP1p3P/R3K2R w - - 0 1").expect("a FEN");
    let flip = |position: &Position| {
        if flipped { position.flip_colors() } else { *position }
    };
    let fen = flip(&start).fen();
    let mut text = format!("[Event \"?\"]\n[FEN \"{fen}\"]\n\n");
    let mut position = start;
    for choice in choices {
        let Some(mv) = pick(&position, *choice) else {
            break;
        };
        push(&mut text, &position, mv, flipped);
        if choice % 4 == 0
            && let Some(other) = pick(&position, choice / 7)
        {
            text.push_str("( ");
            push(&mut text, &position, other, flipped);
            let after = position.play(other);
            if let Some(reply) = pick(&after, choice / 5) {
                push(&mut text, &after, reply, flipped);
            }
            text.push_str(") ");
        }
        position = position.play(mv);
    }
    text.push_str("*\n\n");
    text
}

fn pick(position: &Position, choice: u16) -> Option<Move> {
    let mut moves = MoveList::default();
    position.legal_moves(&mut moves);
    let n = moves.len();
    (n > 0).then(|| moves[usize::from(choice) % n])
}

fn push(text: &mut String, position: &Position, mv: Move, flipped: bool) {
    let san = board::san(position, mv).to_string();
    let san = if flipped {
        // squares mirrored, everything else as it is
        let mirror = |c: char| match c.to_digit(10) {
            Some(rank) => char::from_digit(9 - rank, 10).unwrap_or(c),
            None => c,
        };
        san.chars().map(mirror).collect()
    } else {
        san
    };
    text.push_str(&san);
    text.push(' ');
}

/// Returns options with limits that end every query of a test quickly.
fn options(optimize: bool) -> CompileOptions {
    CompileOptions {
        limits: engine::Limits { steps: 200_000, ..engine::Limits::default() },
        optimize,
        ..CompileOptions::default()
    }
}

/// Returns the program of a query, unless its transforms have too many images.
fn compiled(body: &str, options: &CompileOptions) -> Result<Arc<Program>, TestCaseError> {
    let text = format!("cql(variations) {body}");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let compiled = compile(&source, &[], options);
    if compiled.diagnostics.iter().any(|one| one.code == "E0903") {
        return Err(TestCaseError::reject("too many images"));
    }
    match compiled.program {
        Some(program) => Ok(program),
        None => panic!("{text}\n{:#?}", compiled.diagnostics),
    }
}

/// Returns all results of a run: written games, messages, faults.
fn outcome(program: &Arc<Program>, pgn: &str, threads: usize, chunk_bytes: usize) -> String {
    let query = || QueryWorker::new(program.clone(), Arc::default());
    outcome_of(query, pgn, threads, chunk_bytes)
}

fn outcome_of(
    query: impl Fn() -> QueryWorker + Sync,
    pgn: &str,
    threads: usize,
    chunk_bytes: usize,
) -> String {
    let options = RunOptions { threads, chunk_bytes, ..RunOptions::default() };
    let mut outcome = String::new();
    let mut sink = |out: Output<Vec<QueryResults>>| {
        for found in &out.results {
            outcome.push_str(&String::from_utf8_lossy(&found.text));
            outcome.push_str(&String::from_utf8_lossy(&found.messages));
        }
        for fault in &out.faults {
            outcome.push_str(&format!("{} {}\n", fault.number, fault.message));
        }
        Ok(())
    };
    flow::run(
        flow::GameSource::pgn("games.pgn", pgn.as_bytes()).alone(),
        &options,
        || GameWorker::new([query()]),
        &mut sink,
    )
    .expect("reading from memory");
    outcome
}

/// Returns the start of a game and the codes of its moves.
fn codes(text: &str) -> (Position, Vec<u16>) {
    let (mut index, mut tree) = (pgn::TagIndex::default(), pgn::GameTree::default());
    index.scan(text.as_bytes());
    tree.parse(index.tags(text.as_bytes()));
    let mut codes = Vec::new();
    assert!(tree.is_linear() && tree.write_codes(&mut codes), "{text}");
    (tree.positions()[0], codes)
}

/// Whether a game may match according to its summary.
fn is_admitted(screen: &engine::GameScreen, pgn: &str) -> bool {
    let (mut index, mut tree) = (pgn::TagIndex::default(), pgn::GameTree::default());
    index.scan(pgn.as_bytes());
    let tags = index.tags(pgn.as_bytes());
    tree.parse(tags);
    let mut summarizer = pgn::Summarizer::default();
    let summary = summarizer.summarize(&tree, *tags).expect("a summary");
    screen.may_match(&summary)
}

/// Returns the matching positions of all games, without comments.
fn positions(program: &Arc<Program>, pgn: &str) -> Vec<(u64, Vec<u32>)> {
    engine::search(program, pgn.as_bytes())
        .filter_map(Result::ok)
        .map(|game| (game.row.number, game.row.positions.iter().map(|p| p.id).collect()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn optimizing_changes_nothing(query in boolean(3), game in playout()) {
        let pgn = pgn_of(&game, false);
        let fast = outcome(&compiled(&query, &options(true))?, &pgn, 1, 1 << 20);
        let plain = outcome(&compiled(&query, &options(false))?, &pgn, 1, 1 << 20);
        // The optimized query may end although the plain one takes too long.
        prop_assume!(!plain.contains("too many steps"));
        prop_assert_eq!(fast, plain);
    }

    #[test]
    fn optimizing_pairs_and_loops_changes_nothing(
        query in prop_oneof![
            echo().boxed(),
            loop_with_path().boxed(),
            loop_with_effects().boxed(),
            loop_in_loop().boxed(),
            many_placements().boxed(),
        ],
        games in prop::collection::vec(playout(), 1..3),
    ) {
        let pgn: String = games.iter().map(|game| pgn_of(game, false)).collect();
        let fast = outcome(&compiled(&query, &options(true))?, &pgn, 1, 1 << 20);
        let plain = outcome(&compiled(&query, &options(false))?, &pgn, 1, 1 << 20);
        prop_assume!(!plain.contains("too many steps"));
        prop_assert_eq!(fast, plain);
    }

    #[test]
    fn reading_no_moves_of_games_of_other_years_changes_nothing(
        query in prop_oneof![boolean(3).boxed(), loop_with_effects().boxed()],
        game in playout(),
    ) {
        let pgn = pgn_of(&game, false);
        let query = format!("{{{query} }} year==1851");
        let fast = outcome(&compiled(&query, &options(true))?, &pgn, 1, 1 << 20);
        let plain = outcome(&compiled(&query, &options(false))?, &pgn, 1, 1 << 20);
        prop_assume!(!plain.contains("too many steps"));
        prop_assert_eq!(fast, plain);
    }

    #[test]
    fn optimizing_paths_with_memory_changes_nothing(
        query in path_with_memory(),
        games in prop::collection::vec(playout(), 1..3),
    ) {
        let pgn: String = games.iter().map(|game| pgn_of(game, false)).collect();
        let fast = outcome(&compiled(&query, &options(true))?, &pgn, 1, 1 << 20);
        let plain = outcome(&compiled(&query, &options(false))?, &pgn, 1, 1 << 20);
        prop_assume!(!plain.contains("too many steps"));
        prop_assert_eq!(fast, plain);
    }

    #[test]
    fn threads_and_chunks_change_nothing(
        query in boolean(2),
        games in prop::collection::vec(playout(), 1..8),
        chunk_bytes in 1usize..400,
    ) {
        let pgn: String = games.iter().map(|game| pgn_of(game, false)).collect();
        let program = compiled(&query, &options(true))?;
        let one = outcome(&program, &pgn, 1, 1 << 20);
        prop_assert_eq!(&outcome(&program, &pgn, 4, 1 << 20), &one);
        prop_assert_eq!(&outcome(&program, &pgn, 4, chunk_bytes), &one);
    }

    #[test]
    fn nothing_comes_of_games_that_are_not_admitted(
        query in prop_oneof![
            boolean(2).boxed(),
            boolean(1).prop_map(|body| format!("find {{{body} }}")).boxed(),
            path_with_memory().boxed(),
            echo().boxed(),
        ],
        games in prop::collection::vec(playout(), 1..8),
    ) {
        let program = compiled(&query, &options(true))?;
        let screen = GameScreen::of(&program);
        for game in &games {
            let pgn = pgn_of(game, false);
            if !is_admitted(&screen, &pgn) {
                let query = || QueryWorker::new(program.clone(), Arc::default()).at_every_position();
                let outcome = outcome_of(query, &pgn, 1, 1 << 20);
                prop_assert_eq!(outcome, "", "{:#?}\n{}", program.game_conditions.words(), pgn);
            }
        }
    }

    #[test]
    fn games_side_by_side_have_the_matches_that_they_have_alone(
        query in prop_oneof![
            1 => boolean(2).boxed(),
            3 => on_board(2),
            3 => around_moves().boxed(),
            1 => loop_with_effects().boxed(),
            1 => loop_in_loop().boxed(),
        ],
        games in prop::collection::vec(playout(), 1..20),
    ) {
        let (fast, plain) = (compiled(&query, &options(true))?, compiled(&query, &options(false))?);
        let Some(screen) = LaneScreen::of(&fast) else {
            return Err(TestCaseError::reject("there is nothing to test"));
        };
        let lines = games.iter().map(|game| game.iter().map(|choice| choice | 1).collect::<Vec<_>>());
        let texts: Vec<String> = lines.map(|line| pgn_of(&line, false)).collect();
        let played: Vec<(Position, Vec<u16>)> = texts.iter().map(|text| codes(text)).collect();
        let in_lanes = played.iter().map(|(start, codes)| CodedLine { start: *start, codes });
        let in_lanes: Vec<CodedLine> = in_lanes.collect();
        let (counts, mut positions) = (screen.count(&in_lanes), Vec::new());
        let places = screen.find(&in_lanes, &mut positions);
        for ((text, count), place) in texts.iter().zip(counts).zip(places) {
            let positions = &positions[place];
            prop_assert_eq!(positions.iter().map(|bits| bits.count_ones()).sum::<u32>(), count);
            let mut worker =
                GameWorker::new([QueryWorker::new(plain.clone(), Arc::default()).with_rows()]);
            let mut out = Output::default();
            worker.game(&RawGame::of(text.as_bytes()), 1, &mut out);
            let Output { faults, results, .. } = out;
            let matching = &results[0];
            prop_assume!(faults.iter().all(|fault| fault.kind != FaultKind::Limit));
            if screen.is_exact() {
                prop_assert_eq!(u64::from(count), matching.n_matching_positions, "{}", text);
            }
            let matched = matching.rows.iter().flat_map(|row| &row.positions);
            for position in matched {
                let (word, bit) = (position.id as usize / 64, position.id % 64);
                prop_assert!(positions[word] >> bit & 1 != 0, "position {}, {}", position.id, text);
            }
            if count == 0 {
                let outcome = (matching.text.len(), matching.messages.len(), faults.len());
                prop_assert_eq!(outcome, (0, 0, 0), "{}", text);
            }
        }
    }

    #[test]
    fn both_spellings_mean_the_same(query in boolean(3), game in playout()) {
        let pgn = pgn_of(&game, false);
        let text = format!("cql() {query}");
        let unicode = syntax::convert::to_unicode(text.as_bytes());
        let unicode = String::from_utf8(unicode).expect("UTF-8");
        let unicode = unicode.strip_prefix("cql()").expect("a header").to_owned();
        let ascii = positions(&compiled(&query, &options(true))?, &pgn);
        prop_assert_eq!(positions(&compiled(&unicode, &options(true))?, &pgn), ascii);
    }

    #[test]
    fn a_reversed_query_finds_the_same_in_a_reversed_game(query in boolean(3), game in playout()) {
        // movenumber and sidetomove, which no transform touches, are not among the filters
        let reversed = format!("reversecolor {{{query} }}");
        let there = positions(&compiled(&query, &options(true))?, &pgn_of(&game, false));
        let back = positions(&compiled(&reversed, &options(true))?, &pgn_of(&game, true));
        prop_assert_eq!(there, back);
    }
}

#[test]
fn a_flipped_playout_is_a_legal_game() {
    let choices: Vec<u16> = (0..25u16).map(|i| i.wrapping_mul(7919).wrapping_add(4)).collect();
    for flipped in [false, true] {
        let pgn = pgn_of(&choices, flipped);
        let program = compiled("true", &options(true)).expect("a small query");
        let found = positions(&program, &pgn);
        assert!(found[0].1.len() > 10, "{pgn}");
    }
    let position = board::parse_fen(b"4k3/8/8/8/8/8/8/4K2R w - - 0 1").expect("a FEN");
    assert_eq!(position.flip_colors().turn, Color::Black);
    assert_eq!(Symmetry::REFLECT_H.inverse(), Symmetry::REFLECT_H);
}
