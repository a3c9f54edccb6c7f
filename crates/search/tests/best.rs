//! The best games of a search, each with its best position.

use std::ops::ControlFlow;

use babson::engine::{CompileOptions, Source, compile};
use babson::flow::{GameSource, Sources};
use babson::{Query, Scan, Search, SortKey, for_each_match};

/// Games in memory.
struct Text(String);

impl Scan for Text {
    fn sources(&self) -> Box<Sources<'_>> {
        GameSource::pgn("games", self.0.as_bytes()).alone()
    }

    fn size(&self) -> Option<u64> {
        None
    }
}

/// Short games, every third with a knight on c3 after three plies.
fn games() -> Text {
    let game = |n: u32| {
        let black = ["b5", "d5", "f5", "h5"][n as usize / 7 % 4];
        let more = if n.is_multiple_of(3) { " 2.Nc3 Nf6" } else { "" };
        format!("[White \"{n}\"]\n\n1.Nf3 {black}{more} *\n\n")
    };
    Text((0..3000).map(game).collect())
}

/// Returns numbers of games with their best values and the positions of their rows.
fn found(text: &Text, query: &Query, threads: usize) -> (Vec<(u64, i64, Vec<u32>)>, u64) {
    let search = Search::new(text, [query.clone()]).threads(threads).chunk_bytes(4096);
    let (mut found, mut n_matches) = (Vec::new(), 0);
    let ran = for_each_match(
        &search,
        &mut |_| {},
        &mut |chunk| {
            n_matches = chunk.queries[0].n_matches;
            Ok(())
        },
        &mut |game| {
            let SortKey::Number(value) = game.row.sort_values[0].value else {
                panic!("a number");
            };
            let plies = game.row.positions.iter().map(|position| position.ply).collect();
            found.push((game.row.number, value, plies));
            Ok(ControlFlow::Continue(()))
        },
    );
    assert!(ran.is_ok());
    (found, n_matches)
}

#[test]
fn the_best_games_are_those_of_the_whole_order() {
    let text = games();
    let own = "rnbqkb1r/p1pppppp/5n2/1p6/8/2N2N2/PPPPPPPP/R1BQKB1R";
    let other = "rnbqkbnr/ppp1pppp/8/3p4/8/5N2/PPPPPPPP/RNBQKB1R";
    for (body, plies) in [
        ("sort \"value\" 50*#Nc3 + 3*#pf5 - ply", [3]),
        (&*format!("sort \"like\" likeness(\"{own}\" pawns 900 pieces 80)"), [4]),
        (
            &*format!(
                "sort \"like\" max(likeness(\"{own}\" pawns 60 kings 9 pieces 9) \
                 likeness(\"{other}\" pawns 60 kings 9 pieces 9)-5)"
            ),
            [4],
        ),
        // No quick upper bound is known for this number.
        (&*format!("ply>0 sort \"unlike\" 100-likeness(\"{other}\")"), [4]),
    ] {
        let query = format!("cql() {body}");
        let source = Source { name: "q", text: query.as_bytes() };
        let compiled = compile(&source, &[], &CompileOptions::default());
        let all = Query::new(compiled.program.expect("a query"));
        let (sorted, n_sorted) = found(&text, &all, 1);
        assert_eq!((sorted.len(), n_sorted), (3000, 3000));
        for (n, threads) in [(1, 1), (7, 1), (7, 3), (100, 2), (5000, 2)] {
            let (best, n_best) = found(&text, &all.clone().with_best(n), threads);
            let strip = |found: &[(u64, i64, Vec<u32>)]| -> Vec<(u64, i64)> {
                found.iter().map(|game| (game.0, game.1)).collect()
            };
            let wanted = sorted.len().min(n as usize);
            assert_eq!(strip(&best), strip(&sorted[..wanted]), "{body} {n} {threads}");
            assert!(best.iter().all(|game| game.2.len() == 1), "{body}");
            // Games below the floor are not even counted, from the second chunk on.
            assert_eq!(n_best < 3000, n < 3000, "{body} {n} {threads}");
        }
        let (best, _) = found(&text, &all.with_best(1), 1);
        assert_eq!(best[0].2, plies, "{body}");
    }
}
