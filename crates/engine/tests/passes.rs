//! Tests that the passes of the optimizer do not change where a query matches.
//!
//! The spelling of a query decides what a pass can recognize: a variable, a comment or a message
//! hides everything from it.

use engine::{CompileOptions, GameRow, Source, compile, search};

/// Returns the matching positions as pairs of game number and position id.
fn matching_ids(query: &str, games: &[u8]) -> Vec<(u64, u32)> {
    let text = format!("cql() {query}");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let compiled = compile(&source, &[], &CompileOptions::default());
    let program = compiled.program.expect("a correct query");
    let games = search(&program, games).map(|game| game.expect("no fault"));
    games
        .flat_map(|game| {
            let number = game.row.number;
            let ids = game.row.positions.into_iter().map(|p| p.id);
            ids.map(move |id| (number, id)).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn loops_over_squares_of_moves_find_all_of_them() {
    let pgn = b"[FEN \"4k3/8/8/8/8/8/PP5P/R3K2R w KQ - 0 1\"]\n\n\
                1.O-O Kd7 2.b4 Kc6 3.b5+ Kxb5 4.h4 Ka4 5.h5 Kb5 6.Rab1+ Kc4 7.h6 *\n";
    let mut n_found = 0;
    for query in [
        "piece x in P {@ path focus x quiet -- --}",
        "piece x in [RK] {@ path focus x quiet --}",
        "square x in [RK] {@ path x-- --}",
        "square x in . {@ path quiet --x k--}",
        "square x in [Pp] {@ path [x]x}",
        "square x in P {@ path lastposition x-- k--}",
    ] {
        let found = matching_ids(&query.replace('@', ""), pgn);
        n_found += found.len();
        // a message has an effect
        let plain = matching_ids(&query.replace('@', "message quiet(\"x\")"), pgn);
        assert_eq!(found, plain, "{query}");
    }
    assert!(n_found > 15, "{n_found}");
}

#[test]
fn attacks_and_pins_told_from_the_board_are_those_that_are_evaluated() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/historic.pgn");
    let games = std::fs::read(examples).expect("the examples");
    let mut n_found = 0;
    for body in [
        "@ N attacks k",
        "@ B attacks [qrp]",
        "@ P attacks [nb]f6",
        "@ [QR] attacks pa-h7",
        "@ n attackedby [PB]",
        "@ #(A attacks [qr]) >= 2",
        "@ #(. attackedby Q) > 12",
        "@ [qr] & ~(a attacks .) & (A attacks .)",
        "@ pin",
        "@ pin from B through [nq] to k",
        "@ pin from [rq] through A",
        "@ pin through [Pp] to [Rr]",
        "@ piece $n in N {$n attacks k $n attacks q}",
        "@ square x in [BRQ] {x attacks k x attacks r}",
        "@ square x in [qrbn] {A attacks x >= 2 #(a attacks x)==0}",
        "@ square x in [Nn] {x attacks [Pp] not a attacks x}",
        "@ square x in a-h4-5 {P attacks x or N attacks x not p attacks x}",
        "@ flipcolor N attacks k",
    ] {
        let found = matching_ids(&body.replace('@', ""), &games);
        // a message has an effect
        let plain = matching_ids(&body.replace('@', "message quiet(\"x\")"), &games);
        assert_eq!(found, plain, "{body}");
        n_found += found.len();
    }
    assert!(n_found > 5000, "{n_found}");
}

/// Returns the matching games as rows, with their comments and values of `sort`.
fn rows(query: &str, optimize: bool, games: &[u8]) -> Vec<GameRow> {
    let text = format!("cql() {query}");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let options = CompileOptions { optimize, ..CompileOptions::default() };
    let program = compile(&source, &[], &options).program.expect("a correct query");
    search(&program, games).map(|game| game.expect("no fault").row).collect()
}

#[test]
fn paths_find_the_same_whatever_is_known_of_their_moves() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/historic.pgn");
    let games = std::fs::read(examples).expect("the examples");
    for query in [
        // the moves that a match needs
        "piece x in [KQRBN] {home = x & . path focus x quiet piecepath
             --{1} {atomic first = x & . atomic way = home | x}
             (--{1} {not x in way atomic way = way | x})+ --home {not first in between(from home)}}",
        "path focus K quiet --{2,} --a-h3-6 {Q q}",
        "piece x in [Nn] {goal = x attacks . path focus x quiet -- --{2,} --goal}",
        // moves that go on from each other
        "path singlecolor nestban [KQRBN]-- {not castle atomic here = from atomic there = to}
             there--here",
        "path quiet -- {atomic here = from} --here",
        "path quiet [x] {atomic spot = to} [x]spot --{2} {not check}",
        "path quiet -- {atomic one = to} -- {atomic two = to} one--. two--.",
        "path quiet K-- {atomic x = to atomic x = from} -- --x",
        // variables of a list
        "before = power A - power a path quiet [x][qr] --{1} {power A - power a < before}",
        "flipcolor {pawns = P & a-h5-7 wtm #pawns >= 2 path quiet P-- -- [x]}",
        "limit = 30 ply == limit wtm",
        // times
        "movenumber <= 12 check",
        "ply >= 20 ply < 25 find quiet {movenumber == 14 wtm}",
        "initial find all {movenumber <= 5 [Nn]--}",
        // any moves
        "piece x in [Aa] {sort \"moves\" path focus x piecepath quiet --{8,}}",
        "sort \"moves\" path --{20,30} check",
        "path quiet singlecolor --{30,}",
        "path quiet (--)+",
        "path focus k quiet --{2,4}",
    ] {
        let found = rows(query, true, &games);
        assert_eq!(found, rows(query, false, &games), "{query}");
        assert!(!found.is_empty(), "{query}");
    }
}

#[test]
fn a_query_that_counts_finds_as_many_positions() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/historic.pgn");
    let games = std::fs::read(examples).expect("the examples");
    let counts = |query: &str, only_counts| -> Vec<(u64, u64)> {
        let text = format!("cql() {query}");
        let source = Source { name: "test.cql", text: text.as_bytes() };
        let options = CompileOptions { only_counts, ..CompileOptions::default() };
        let program = compile(&source, &[], &options).program.expect("a correct query");
        let rows = search(&program, &games).map(|game| game.expect("no fault").row);
        rows.map(|row| (row.number, row.n_positions)).collect()
    };
    for query in [
        "sort \"beauty\" {if check then 3 else 0} #[Qq]==0",
        "sort min \"moves\" countmoves legal -- < 5",
        "sort \"line\" path [x]{2,}",
        "square s in . {sort \"attackers\" #([Aa]->s) >= 6}",
        "sort \"fen\" {check fen}",
        "x = 0 find all {check x += 1 comment(x)} x > 3",
        "piece x in [Nn] {path focus x piecepath --{4,} comment(\"far\" x)}",
        "find 4 {check} comment(\"a\") x = ply comment(x) x > 5",
    ] {
        let found = counts(query, true);
        assert_eq!(found, counts(query, false), "{query}");
        assert!(!found.is_empty(), "{query}");
    }
}

/// A king and a rook move back and forth; the position after six moves is the first one.
const REPEATED: &[u8] = b"[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\"]\n\n\
                     1.Kf2 Kd7 2.Kf3 Kc7 3.Rb1 Kd7 4.Ra1 Ke8 5.Kf2 Kd8 6.Ke1 Ke8 *\n";

#[test]
fn pairs_of_echoes_are_those_of_all_positions() {
    let mut n_found = 0;
    for body in [
        "@ s<t sidetomove==s:sidetomove #(s & t)==64",
        "@ 64==#(t & s) wtm",
        "@ not sidetomove==s:sidetomove K==s:K",
        "@ sidetomove!=s:sidetomove k==s:k R==s:R wtm",
        "@ #(A attacks k)==s:#(A attacks k) file k==file s:k file K==8-file s:k",
        "@ rank K==9-rank s:k wtm",
        "@ K==(up s:K) wtm",
        "@ #A==s:#a+2 s<t",
        "@ distance(s t)>=8 K==s:K",
        "@ s<t 7<distance(s t) wtm",
        "@ t<s distance(s t)>=4 t:#R==1 k==s:k",
        "@ distance(s t)>=11",
        "@ distance(s t)>=100",
        "@ s<t t:Kf3 #t:[RK]>=2",
    ] {
        let echo = |body: String| format!("echo quiet (s t) {{{body}}}");
        let found = matching_ids(&echo(body.replace('@', "")), REPEATED);
        let plain = echo(body.replace('@', "comment(\"no plan\")"));
        assert_eq!(found, matching_ids(&plain, REPEATED), "{body}");
        n_found += found.len();
    }
    assert!(n_found > 30, "{n_found}");
}

#[test]
fn merged_designators_mean_what_their_operands_do() {
    let pgn = b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O f6 6.d4 exd4 7.Nxd4 c5 8.Nb3 Qxd1 *\n";
    let matching_ids = |query: &str| matching_ids(query, pgn);
    let designators = [
        "N",
        "[Nn]",
        "A",
        "a",
        "[Aa]",
        ".",
        "[QRqr]",
        "b1-8",
        "a-d1-5",
        "Pd4",
        "[Nn]a-e1-5",
        "_a-h4",
    ];
    for operator in ["&", "|"] {
        for left in designators {
            for right in designators {
                for n in [0, 1, 2, 4, 14] {
                    // variables are not known to hold designators
                    let plain = format!("x = {left} y = {right} #(x {operator} y) == {n}");
                    let merged = format!("#({left} {operator} {right}) == {n}");
                    assert_eq!(matching_ids(&merged), matching_ids(&plain), "{merged}");
                }
            }
        }
    }
}

const PAWN_GAMES: &[u8] = b"[Event \"a\"]\n\n\
    1.e4 d5 2.exd5 c6 3.dxc6 bxc6 4.f4 e5 5.fxe5 f6 6.exf6 Nxf6 7.h4 g5 8.hxg5 h5 9.gxf6 h4 \
    10.c4 h3 11.gxh3 a5 12.c5 a4 13.b4 axb3 14.axb3 Qb6 15.cxb6 Kd7 16.b7 Kd6 17.b8=Q+ *\n\n\
    [Event \"b\"]\n[FEN \"4k3/pp3pp1/8/8/8/8/P1PP2PP/4K3 w - - 0 1\"]\n\n\
    1.a4 b5 2.axb5 a5 3.bxa6 g5 4.h4 gxh4 5.g4 hxg3 *\n";

#[test]
fn results_kept_for_pawns_are_those_of_each_position() {
    let matching_ids = |query: &str| matching_ids(query, PAWN_GAMES);
    let sets = [
        "isolatedpawns & P",
        "doubledpawns",
        "passedpawns & p",
        "flipcolor (connectedpawns & Pe-h1-8)",
        "passedpawns & ~Pa-d1-8",
    ];
    let mut n_some = 0;
    for set in sets {
        for n in 0..5 {
            // variables are not known to hold pawns
            let plain = matching_ids(&format!("S = ({set}) #S == {n}"));
            assert_eq!(matching_ids(&format!("#({set}) == {n}")), plain, "{set}");
            let twice = format!("#({set}) == {n} not #({set}) < {n}");
            assert_eq!(matching_ids(&twice), plain, "{set}");
            n_some += usize::from(!plain.is_empty());
        }
        let plain = matching_ids(&format!("S = ({set}) #S > 0"));
        assert_eq!(matching_ids(set), plain, "{set}");
    }
    assert!(n_some > 12, "{n_some}");
}

#[test]
fn a_gap_is_crossed_to_every_move_that_matches() {
    let pgn = b"[FEN \"4k3/P7/8/2pP4/8/8/8/R3K2R w KQ c6 0 1\"]\n\n\
                1.dxc6 Kd8 2.O-O-O+ Ke7 3.-- Kf6 4.Rd5 Kg6 5.Rh7 Kxh7 6.a8=Q *\n";
    for (pattern, want) in [
        ("-- {$x=from} --* R-- {from==h1}", 8),
        ("-- {$x=h7} --* -- {to==$x}", 9),
        ("-- {$x=h7} --{,6} k[x]$x", 7),
        ("-- {$x=from} --+ -- {to & $x}", 1),
        ("R-- {$x=to} --* -- {rank to==7}", 3),
        ("R-- {$x=to} --* -- {rank to==7 to & horizontal 0 7 $x}", 1),
        ("-- {$x=a8} --* P-- {to==$x}", 10),
        ("-- {$x=g6} --{1,3} -- {wtm k==$x}", 3),
        ("-- {$x=d8} --* R-- {to==d5 or from==$x}", 6),
        ("-- {$x=d3} --* -- {between(from to) & $x}", 6),
        ("-- {$x=h3} --* -- {$x in between(from to) or to==e7}", 8),
        ("-- {$x=[]} --* -- {$x in between(from to)}", 10),
        // castling is always examined
        ("-- {$x=c1} --{,4} K-- {to==$x}", 4),
        ("-- {$x=d1} --* -- {to & $x}", 2),
        // the move sought after a gap may depend on moves after another gap
        ("-- {$x=from} --* K-- {to==c1 $x=to} -- {from==d8}", 2),
        ("-- {$x=to} --* -- {from==$x} --* -- {to==h7}", 3),
        ("-- {$x=to} --* -- {from==$x $x=to} --* -- {from==$x}", 3),
    ] {
        let found = matching_ids(&format!("path quiet {pattern}"), pgn);
        assert_eq!(found.len(), want, "{pattern}");
    }
}

#[test]
fn limited_counts_compare_like_full_ones() {
    // Black has 1, 1, 3, 3, 2, and more than 2 moves, White many
    // with more than in check; with one, since captures are forced
    let pgn = b"[FEN \"k7/8/8/1Q6/8/8/P7/K6R b - - 0 1\"]\n\n\
                1...Ka7 2.a4 Ka8 3.Qd3 Kb8 4.Rh8+ Kb7 5.Qd7+ Kb6 *\n\n\
                [Event \"\"]\n\n1.d4 e6 2.c4 Bb4+ *\n\n\
                [Variant \"Giveaway\"]\n\n1.e4 b5 2.Bxb5 *\n";
    let matching_ids = |query: &str| matching_ids(query, pgn);
    assert_eq!(matching_ids("forced"), matching_ids("x=countmoves legal -- x == 1"));
    let mut results = Vec::new();
    for op in ["<", "<=", "==", "!=", ">", ">="] {
        for k in [-1, 0, 1, 2, 3, 4, 30] {
            for target in ["check", "k attackedby A", "comment(ply)"] {
                let moves = format!("countmoves legal --({target})");
                let plain = matching_ids(&format!("x={moves} x {op} {k}"));
                let query = format!("{{{moves}}} {op} {k}");
                assert_eq!(matching_ids(&query), plain, "{query}");
            }
            let plain = matching_ids(&format!("x=countmoves legal -- x {op} {k}"));
            for query in [
                format!("{{countmoves legal --}} {op} {k}"),
                format!("{{countmoves legal .--.}} {op} {k}"),
                format!("not not {{countmoves legal --}} {op} {k}"),
            ] {
                assert_eq!(matching_ids(&query), plain, "{query}");
            }
            results.push(plain);
        }
    }
    results.sort();
    results.dedup();
    assert!(results.len() > 4, "the comparisons tell positions apart");
}

#[test]
fn material_is_found_as_soon_as_it_is_there() {
    // every move captures; a pawn captures and becomes a rook; one move removes four pieces
    let pgn = b"[FEN \"k1r1r1r1/5P2/8/8/8/8/8/K1R1R1R1 w - - 0 1\"]\n\n\
                1.Rxc8+ Rxc8 2.Rxg8 Rxg8 3.fxg8=R+ *\n\n\
                [Variant \"Atomic\"]\n\n1.Nc3 a6 2.Nd5 a5 3.Nxe7 *\n";
    let matching_ids = |query: &str| matching_ids(query, pgn);
    let mut n_some = 0;
    for set in ["R", "[Rr]", "[qbn]", "[QBNRqbnr]", "[RPr]"] {
        for op in ["<", "==", "<="] {
            for n in 0..12 {
                let plain = matching_ids(&format!("x=#{set} x {op} {n}"));
                assert_eq!(matching_ids(&format!("#{set} {op} {n}")), plain, "{set} {op} {n}");
                n_some += usize::from(!plain.is_empty());
            }
        }
    }
    assert!(n_some > 50, "{n_some}");
}
