//! Compares filters of CQL 5 with CQL 6 filters of the same meaning.

mod cql5;
mod support;

use cql5::{game, game_from, refused};
use engine::SortKey;

/// Games with variations, castling, promotions, en passant captures, mates and comments.
const GAMES: &str = r#"
[Event "Spring Open"]
[Site "Porto"]
[Date "1897.11.10"]
[White "Kasparyan"]
[Black "Smith"]
[Result "1-0"]
[WhiteElo "2500"]

1.e4 {best by test} e5 (1...c5 2.Nf3 (2.c3 d5 3.exd5 Qxd5) 2...d6 3.d4 cxd4 4.Nxd4 Nf6)
2.Bc4 Nc6 3.Qh5 Nf6 (3...g6 4.Qf3 Nf6 5.g4 h5 6.g5 Ng4) 4.Qxf7# 1-0

[Event "Autumn"]
[Site "Rome"]
[Date "????.??.??"]
[White "Jones"]
[Black "Kasparyan"]
[Result "1/2-1/2"]
[BlackElo "2100"]
[FEN "4k2r/1P1p4/8/2P5/8/8/1p4P1/R3K3 w Qk - 0 1"]

1.b8=Q+ (1.b8=N O-O 2.Nxd7 bxa1=N 3.Kd2) 1...Ke7 2.Kf2 d5 3.cxd6+ (3.Qc7+ Ke6 4.Qd6+ Kf5)
3...Ke6 4.Qb3+ (4.d7 Kf5 5.d8=N) 4...Kxd6 5.Qxb2 1/2-1/2

[Event "Autumn"]
[Site "Roma"]
[Date "1950.01.01"]
[White "Ruy"]
[Black "Lopez"]
[Result "0-1"]
[WhiteElo "1900"]
[BlackElo "2300"]

1.f3 e5 2.g4 (2.e4 Nf6 3.-- Nxe4) 2...Qh4# 0-1
"#;

/// Returns the numbers of the games and the ids of their matching positions.
fn matches(games: &[engine::MatchedGame]) -> Vec<(u64, Vec<u32>)> {
    games
        .iter()
        .map(|game| (game.row.number, game.row.positions.iter().map(|p| p.id).collect()))
        .collect()
}

/// Checks that both queries match the same positions, some but not all of them.
fn check(old: &str, new: &str) {
    let found = matches(&cql5::run("variations", old, GAMES));
    let wanted = matches(&support::run("variations", new, GAMES));
    assert_eq!(found, wanted, "{old}");
    let everything = matches(&support::run("variations", "true", GAMES));
    assert!(!found.is_empty() && found != everything, "{old}: {found:?}");
}

#[test]
fn designators() {
    check("Uf7 mate", "[Aa]f7 mate");
    check("countsquares 8 10 U", "8<=#[Aa]<=10");
    check("[Qr]h1-8", "[Qr]h1-8");
    check("countsquares 2 any on Q or q", "2==#[Qq]");
}

#[test]
fn squares_by_color() {
    check("countsquares 7 {A on darksquares}", "7==#(A & dark .)");
    check("k on lightsquares", "k & light .");
}

#[test]
fn sets_and_their_complements() {
    check("not Q or q", "not (Q or q)");
    check("{not Q} or Q on h5", "not Q or Q&h5");
    check("countsquares 52 56 not {A or a}", "52<=#(~(A|a))<=56");
    check("Q on not d1", "Q & ~d1");
    check("not not Qh5", "Qh5");
    check("Q on b-h8 or h5", "Q & (b-h8|h5)");
    check("mate or Qh5 on q", "mate or Qh5 & q");
}

#[test]
fn attacks_and_rays() {
    check("attack (Q k)", "Q attacks k");
    check("k on attack (Q .)", "k attackedby Q");
    check("countsquares 3 attack (N _)", "#(_ attackedby N)==3");
    check("attack 2 3 ([BQ] a)", "sum=0 square x in a {sum+=#([BQ] attacks x) true} 2<=sum<=3");
    check("ray up (R P)", "ray up (R P)");
    check("ray attack (Q p k)", "ray attack (Q p k)");
    check("p on ray northeast northwest (B p)", "p & ray northeast northwest (B p)");
    check(
        "ray 1 attack ([BQ] p)",
        "sum=0 square x in [BQ] { \
         if ray up ((x&Q) p) then sum+=1 if ray down ((x&Q) p) then sum+=1 \
         if ray left ((x&Q) p) then sum+=1 if ray right ((x&Q) p) then sum+=1 \
         if ray northeast (x p) then sum+=1 if ray northwest (x p) then sum+=1 \
         if ray southeast (x p) then sum+=1 if ray southwest (x p) then sum+=1 true} \
         sum==1",
    );
    check("pf7 on between (Q k)", "pf7 & between(Q k)");
    check("a on left 2 4 Q", "a & left 2 4 Q");
    check("p on up -4 4 Q", "p & vertical 1 4 Q");
    check("p on maindiagonal 1 2 K or Q", "p & (northeast 1 2 (K|Q) | southwest 1 2 (K|Q))");
}

#[test]
fn numbers() {
    check("movenumber 2 3", "2<=ply/2+1<=3");
    check("power 9 14 Q or R", "9<=power (Q|R)<=14");
    check("powerdifference -3 -1 (A a)", "-3<=power A-power a<=-1");
    check("year 1890 1900", "1890<=year<=1900");
    check("elo white 2400 2600", "2400<=elo white<=2600");
    // a missing rating is 0, and without a color either player's rating counts
    check("elo black 0 2200", "elo black<=2200 or not elo black>0");
    check("elo 2000 2200", "2000<=elo black<=2200");
}

#[test]
fn facts_of_the_game() {
    let kasparyan = "player white \"Kasp\" or player black \"Kasp\"";
    check("player \"Kasp\"", kasparyan);
    check("player black \"Kasp\"", "player black \"Kasp\"");
    check("site \"Rom\"", "site \"Rom\"");
    check("event \"Spring\" result 1-0", "event \"Spring\"");
    check("hascomment \"best\"", "originalcomment \"best\"");
    check("flipcolor {btm result 1-0}", "{btm result 1-0} or {wtm result 0-1}");
    check("flipcolor player white \"Kasp\"", kasparyan);
    check("flipcolor elo white 2400 2600", "2400<=elo white<=2600");
}

#[test]
fn headers() {
    let numbers = |header: &str| -> Vec<u64> {
        let games = cql5::run(header, "initial", GAMES);
        games.iter().map(|game| game.row.number).collect()
    };
    for (header, want) in [
        ("", vec![1, 2, 3]),
        ("result 1-0", vec![1]),
        ("player \"Kasparyan\"", vec![1, 2]),
        ("player black \"Kasparyan\"", vec![2]),
        ("elo 2000 2400", vec![2, 3]),
        ("elo white 0", vec![2]),
        ("year 1900 1999", vec![3]),
        ("site \"Rom\" event \"Autumn\"", vec![2, 3]),
        ("matchcount 1", vec![1, 2, 3]),
        ("matchcount 2 9", vec![]),
        // a game without a match is never selected
        ("matchcount 0", vec![]),
    ] {
        assert_eq!(numbers(header), want, "{header}");
    }
}

#[test]
fn variations_of_the_header() {
    let found = |header| matches(&cql5::run(header, "beginvariation", GAMES));
    assert!(found("").is_empty());
    assert_eq!(found("variations")[0], (1, vec![8, 15, 22]));
}

#[test]
fn moves() {
    check("move from P to e-h8 or b8", "move from P to [e-h8,b8]");
    check("move promote N", "move promote N from P");
    check("move promote n", "move promote N from p");
    check("move from b2-7 promote [Qn]", "move promote Q or move promote N from p");
    check("flipcolor move promote n", "move promote N");
    check("move previous promote n", "move previous promote N from p");
    check("countsquares 1 {b8 on move promote [QN]}", "move to b8 promote [QN]");
    check("move enpassantsquare d5", "move enpassant");
    check("move previous enpassant", "move previous enpassant");
    check("move null", "move null");
    check("move from N or n", "move from [Nn]");
    check("move secondary", "move secondary");
    check("move primary from Q to a", "move primary from Q to a");
}

#[test]
fn positions_elsewhere() {
    check("next (check not check check)", "line --> check --> not check --> check");
    check("next 2 (wtm btm? mate)", "line 2 --> wtm --> btm? --> mate");
    check("previous (mate not check*)", "line <-- mate <-- not check*");
    check(
        "wtm next2 (move from Q move from Q)",
        "wtm line singlecolor --> move from Q --> move from Q",
    );
    check("next (wtm (check not check){2})", "line --> wtm --> (check --> not check){2}");
    check("next ({move from P wtm} move from p)", "line --> {move from P wtm} --> move from p");
    check("next nestban (btm wtm btm)", "line nestban --> btm --> wtm --> btm");
    check("next* mate", "find mate");
    check("next* 2 4 check", "find 2 4 check");
    check("next* 0 check", "not find check");
    check("previous* check not check", "find <-- check not check");
    check("next* depth 0 check", "check");
    check("next* depth 1 check", "check or (line --> . --> check)");
    check(
        "previous* 2 depth 2 check",
        "sum=0 if check then sum+=1 if parent:check then sum+=1 \
         if parent:parent:check then sum+=1 sum==2",
    );
}

#[test]
fn depth_counts_moves_in_variations() {
    let pgn = game("1.e4 e5 (1...c5 2.Nf3 d6) 2.Nf3 Nc6");
    for (body, want) in [
        ("initial next* 3 depth 1 {wtm or btm}", false),
        ("initial next* 2 depth 1 {wtm or btm}", true),
        ("initial next* 4 depth 2 {wtm or btm}", true),
        ("initial next* 8 {wtm or btm}", true),
        ("terminal previous* 3 depth 2 {wtm or btm}", true),
    ] {
        let found = cql5::ids_with_variations(body, &pgn);
        assert_eq!(!found.is_empty(), want, "{body}");
    }
}

#[test]
fn transforms() {
    check("flipvertical {Qh5 Bc4}", "flipvertical {Qh5 Bc4}");
    check("flip Pf3", "flip Pf3");
    check("shift {Pe4 pe5}", "shift {Pe4 pe5}");
    check("flipcolor flipvertical qa4", "flipcolor flipvertical qa4");
    check("countsquares 1 flip qh4 or Q", "1==#(flip (qh4|Q))");
    check("rotate45 {k on up 1 3 Q}", "rotate45 {k & up 1 3 Q}");
    check("shifthorizontal {P on lightsquares on a5-6}", "shifthorizontal Pa6");
    // squares that a shift takes off the board
    check("check shifthorizontal countsquares 28 darksquares", "check");
    check("check not shifthorizontal countsquares 29 darksquares", "check");
    // each member counts, equal or not
    check("flip 9 check", "check");
}

#[test]
fn ranges_of_transforms_count_with_multiplicity() {
    let start = game("");
    for (body, n) in [
        ("flip {} U", 9),
        ("flip {} Ra1", 5),
        ("flip {} Ke1", 2),
        ("flipdihedral {} Kd8", 1),
        ("dihedral {} ke8", 2),
        ("flipcolor {} Ke1", 2),
        ("flipcolor {} wtm", 1),
        ("fliphorizontal {} Ke1", 1),
        ("flipvertical {} Ra1", 2),
        ("rotate90 {} [Rr]a1", 4),
        ("rotate45 {} A on up 1 a", 0),
        ("shift {} Pd4", 8),
        ("shift {} P", 225),
        ("shifthorizontal {} Pa2", 8),
        ("shiftvertical {} [Pp]a2", 2),
        // members that leave the board do not count
        ("shifthorizontal {} _a4", 8),
        ("shift {} not Kd4", 63),
    ] {
        let with = |n: i32| body.replace("{}", &n.to_string());
        assert_eq!(cql5::ids(&with(n), &start), [0], "{body}");
        assert!(cql5::ids(&with(n + 1), &start).is_empty(), "{body}");
    }
}

#[test]
fn loops() {
    check("square $x in Q attack ($x k) attack (A $x)", "square x in Q {x attacks k A attacks x}");
    check("square 2 $x in A attack ($x a)", "2==#(square x in A x attacks a)");
    check(
        "square all $x in [BQ] attack ($x [kp]) A$x",
        "square all x in [BQ] {x attacks [kp] A&x}",
    );
    check("square $x in Q square $y in k attack ($x $y)", "Q attacks k");
    check("piece $x in P next* {Q on $x}", "piece x in P find Q&x");
    check("piece 1 $x in [Pp] next* {[Qn]$x}", "1==#(piece x in [Pp] find [Qn]&x)");
    check(
        "piece $x in Q next* {$x on northwest 2 origin $x}",
        "piece x in Q {start=x find x & northwest 2 start}",
    );
}

#[test]
fn origin_is_where_the_man_was_bound() {
    let pgn = game("1.e4 e5 2.Qh5 Nc6 3.Qf3");
    let bound_on = |square: &str| {
        let body = format!("piece $x in Q next* {{Qf3$x origin $x on {square}}}");
        cql5::ids(&body, &pgn)
    };
    assert_eq!(bound_on("d1"), [0, 1, 2]);
    assert_eq!(bound_on("h5"), [3, 4]);
}

#[test]
fn relations_by_distance() {
    check(
        "relation variation (lcamax 2)",
        "echo quiet (S T) {variation L=lca(S T) max(distance(S L) distance(T L))==2}",
    );
    check(
        "relation mate (lcasource 1 2) (lcatarget 3 9)",
        "echo quiet (S T) {mate L=lca(S T) 1<=distance(S L)<=2 3<=distance(T L)<=9}",
    );
    check("relation check (ancestor)", "echo quiet (S T) {check lca(S T)==T}");
    check("relation mate (descendant)", "echo quiet (S T) {mate lca(S T)==S}");
    check("silent relation (lcasubstring 1 9)", "echo quiet (S T) consecutivemoves quiet (S T)>=1");
}

#[test]
fn relations_through_transforms() {
    check(
        "flipcolor {wtm relation (tomove match) (sourcesquares a targetsquares _ mismatch 1)}",
        "flipcolor {wtm echo quiet (S T) {sidetomove==S:sidetomove #((S:a)&_)==1}}",
    );
    // the rook goes to the other side of the board, the kings come back
    let pgn = game_from("4k3/8/8/8/8/4K3/8/R7 w - - 0 1", "1.Rb1 Kf8 2.Rg1 Ke8 3.Rh1");
    for (parameter, want) in [
        ("(sourcesquares R mismatch 0)", false),
        ("echoflipvertical (sourcesquares R mismatch 0)", true),
        ("echofliphorizontal (sourcesquares R mismatch 0)", false),
        ("echoflip (sourcesquares R mismatch 0)", true),
        ("echorotate90 (sourcesquares R mismatch 0)", true),
        ("echorotate90 (sourcesquares [RK] mismatch 0)", false),
        ("echoshift (sourcesquares R mismatch 0)", true),
        ("echoshifthorizontal (sourcesquares R mismatch 0)", true),
        ("echoshiftvertical (sourcesquares R mismatch 0)", false),
        // only the group of all flips has the identity, the other groups do not
        ("echoflip (sourcesquares k mismatch 0)", true),
        ("echoflipdihedral (sourcesquares k mismatch 0)", true),
        ("echoflipvertical (sourcesquares k mismatch 0)", false),
        ("echofliphorizontal (sourcesquares k mismatch 0)", false),
        ("echofliphorizontal echofliphorizontal (sourcesquares k mismatch 0)", true),
        ("echoshift (sourcesquares k mismatch 0)", false),
        ("echorotate90 (sourcesquares k mismatch 0)", false),
        // a rotation of directions moves no square
        ("echorotate45 (sourcesquares k mismatch 0)", true),
        ("echorotate45 (sourcesquares R mismatch 0)", false),
    ] {
        let body = format!("initial relation terminal {parameter}");
        assert_eq!(!cql5::ids(&body, &pgn).is_empty(), want, "{parameter}");
    }
    // an enclosing transform turns the mirror, too
    let body = "initial rotate90 relation terminal \
                echofliphorizontal (sourcesquares R mismatch 0)";
    assert_eq!(cql5::ids(body, &pgn), [0]);
}

#[test]
fn a_sequence_that_may_be_empty_matches_everywhere() {
    let pgn = game("1.e4 d5 2.Bb5+ c6");
    for sequence in [
        "(check*)",
        "(check?)",
        "(check{0 1})",
        "((check)*)",
        "((check mate)? check*)",
        "(check? mate?)",
    ] {
        for word in ["next", "previous", "next2", "previous2", "next nestban"] {
            let ids = cql5::ids(&format!("{word} {sequence}"), &pgn);
            assert_eq!(ids, [0, 1, 2, 3, 4], "{word} {sequence}");
        }
    }
    for (body, want) in [
        ("not next (check*)", &[][..]),
        // the longest match counts, which is not the empty one in the fourth position
        ("next 0 (check*)", &[0, 1, 2, 4]),
        ("next 1 (check*)", &[3]),
        ("next 0 1 (check*)", &[0, 1, 2, 3, 4]),
        ("next (check* wtm)", &[0, 2, 3, 4]),
        ("next ((check* wtm*)+ mate)", &[]),
    ] {
        assert_eq!(cql5::ids(body, &pgn), want, "{body}");
    }
    let games = cql5::run("", "sort \"x\" next (mate*)", &pgn);
    assert_eq!(games[0].row.sort_values[0].value, SortKey::Number(0));
}

#[test]
fn an_open_body_ends_before_a_word_of_what_is_around() {
    for (open, closed) in [
        (
            "relation (sourcesquares square $x in Q attack ($x k) mismatch 1)",
            "relation (mismatch 1 sourcesquares square $x in Q attack ($x k))",
        ),
        (
            "relation (sourcesquares square $x in A attack ($x k) targetsquares a match 0 mismatch 1)",
            "relation (sourcesquares {square $x in A attack ($x k)} targetsquares a mismatch 1 match 0)",
        ),
        (
            "move to square $x in . attack (Q $x) from Q",
            "move from Q to {square $x in . attack (Q $x)}",
        ),
        (
            "move from piece $x in p $x on b1-8 promote n",
            "move promote n from {piece $x in p $x on b1-8}",
        ),
        (
            "move from square $x in [PN] not $x on h1-8 secondary",
            "move secondary from {square $x in [PN] not $x on h1-8}",
        ),
    ] {
        let found = matches(&cql5::run("variations", open, GAMES));
        let wanted = matches(&cql5::run("variations", closed, GAMES));
        assert_eq!(found, wanted, "{open}");
        assert!(!found.is_empty(), "{open}");
    }
    assert!(refused("square $x in R from"));
    assert!(refused("square $x in R check from K"));
}

#[test]
fn comments_about_pairs_do_not_push_out_the_markers() {
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(600).collect();
    let pgn = game(&moves.join(" "));
    for body in ["relation (match 50 64)", "relation (tomove match)"] {
        let games = cql5::run("", body, &pgn);
        let text = String::from_utf8_lossy(&games[0].pgn).into_owned();
        assert!(text.len() > 105_000, "{body}: {} {}", text.len(), &text[..300]);
        assert_eq!(text.matches("MATCH").count(), 601, "{body}");
        assert!(text.trim_end().ends_with('*'), "{body}");
    }
}

#[test]
fn comments_of_other_dialects_may_stand_before_the_query() {
    let pgn = game("1.e4");
    for text in [
        "// dialect: cql5\ncql() next* btm",
        "/* dialect: cql5 */ cql() next* btm",
        "\u{feff}cql() next* btm",
        "\u{feff}; dialect: cql5\ncql() next* btm",
        "; dialect: cql5\rcql() next* btm",
        "// classic\n(match (position :btm))",
        "/* classic */ ; too\n(match (position :btm))",
        "\u{feff}(match (position :btm))",
    ] {
        let compiled = support::compiled(text, &engine::CompileOptions::default());
        let program =
            compiled.program.unwrap_or_else(|| panic!("{text}: {:?}", compiled.diagnostics));
        assert_eq!(engine::search(&program, pgn.as_bytes()).count(), 1, "{text}");
    }
    assert!(cql5::refused("mate // x"));
}

#[test]
fn pairs_are_named_in_comments() {
    let pgn = game("1.e4 (1.d4) 1...e5 (1...c5)");
    let text = |header: &str, body: &str| {
        let games = cql5::run(header, body, &pgn);
        String::from_utf8_lossy(&games[0].pgn).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let relation = "relation variation (tomove match) (lcamax 1)";
    let noted = text("variations", &format!("mainline {relation}"));
    for (comment, n) in [
        ("SOURCE 1[1].", 1),
        ("SOURCE 2[2].", 1),
        ("TARGET 1[1].", 1),
        ("TARGET 2[2].", 1),
        ("LCA[1,1].", 1),
        ("LCA[2,2].", 1),
        ("MATCH", 2),
    ] {
        assert_eq!(noted.matches(comment).count(), n, "{comment}: {noted}");
    }
    // no comments on pairs found where the query does not match
    let other = text("variations", &format!("{{{relation} wtm}} or initial"));
    assert!(other.contains("SOURCE 1[1]."), "{other}");
    assert!(!other.contains("SOURCE 2"), "{other}");
    let silent = text("variations", &format!("mainline silent {relation}"));
    assert!(silent.contains("MATCH") && !silent.contains("SOURCE"), "{silent}");
    let header = text("silent", "initial comment \"here\"");
    assert!(header.contains("{here}"), "{header}");
}

#[test]
fn values_that_sort() {
    let values = |body: &str| -> Vec<(String, SortKey)> {
        let games = cql5::run("variations sort matchcount 1 99", body, GAMES);
        let values = games[0].row.sort_values.iter();
        values.map(|v| (v.label.clone(), v.value.clone())).collect()
    };
    let number = |label: &str, n: i64| (label.to_owned(), SortKey::Number(n));
    // the number of matches comes first
    assert_eq!(
        values("mate sort \"men\" countsquares 0 64 U sort min power 0 99 a"),
        [number("matchcount", 1), number("men", 31), number("CQL ID-1", 38),]
    );
    // the extreme of the values; only those in the range are bound
    for (body, want) in [
        ("sort \"x\" movenumber 1 3", 3),
        ("sort min \"x\" movenumber 2 3", 2),
        ("sort \"x\" elo 2000 3000", 2500),
        ("sort \"x\" next (wtm btm wtm?)", 3),
        ("sort \"x\" next* 1 5 check", 1),
        ("sort \"x\" flip 1 9 U", 9),
        ("sort \"x\" piece 0 9 $p in B wtm", 2),
        ("relation mate (sort \"x\" lcasum 1 9)", 9),
        ("relation mate (sort min \"x\" lcasum 2 9)", 2),
    ] {
        assert_eq!(values(body)[1], number("x", want), "{body}");
    }
}

#[test]
fn a_turned_square_is_refused() {
    assert!(refused("rotate45 Ra1"));
    assert!(!refused("rotate45 {k on up 1 K}"));
}

#[test]
fn the_dialect_is_told_from_the_text() {
    use engine::{CompileOptions, Source, compile};
    let compile = |text: &str| {
        let source = Source { name: "test.cql", text: text.as_bytes() };
        compile(&source, &[], &CompileOptions::default())
    };
    let start = game("");
    let n_matches = |text: &str| {
        let program = compile(text).program.expect("a correct query");
        engine::search(&program, start.as_bytes()).count()
    };
    assert_eq!(n_matches("cql() countsquares 32 U"), 1);
    assert_eq!(n_matches("; dialect: cql5\ncql() flip 9 P"), 1);
    // a correct CQL 6 query is CQL 6, where equal images count once
    assert_eq!(n_matches("cql() flip 9 P"), 0);
    assert_eq!(n_matches("cql() flip 1 P"), 1);
    assert_eq!(n_matches("cql() flip 9 P on A"), 1);
    // words or forms of CQL 5 do not count if only CQL 6 can parse the text
    assert_eq!(n_matches("cql() {comment(\"a\") wtm} initialposition :wtm"), 1);
    assert_eq!(n_matches("cql() square on in R true"), 1);
    // invalid in both dialects: the errors are those of the dialect it resembles
    let codes =
        |text: &str| -> Vec<&str> { compile(text).diagnostics.iter().map(|d| d.code).collect() };
    assert_eq!(codes("cql() countsquares R"), ["E0605"]);
    assert!(!codes("cql() R==").is_empty());
    assert!(codes("cql() R==").iter().all(|code| *code < "E06"));
    // only its errors distinguish this query from CQL 6
    let compiled = compile("cql(player \"x\") mate");
    let help = compiled.diagnostics[0].help.clone().unwrap_or_default();
    assert!(help.contains("`-dialect cql5`"), "{help}");
}
