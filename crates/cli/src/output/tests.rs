use std::io::Write as _;

use super::*;
use engine::{Match, QueryResults, SortKey};
use pgn::LostComments;

fn number(n: i64) -> SortKey {
    SortKey::Number(n)
}

fn text(text: &str) -> SortKey {
    SortKey::Text(text.into())
}

/// Checks that the games `0`, `1`, … with these keys come out in this order.
fn check_order(keys: &[Vec<SortKey>], ascending: &[bool], expected: &str) {
    let mut spool = spool(Path::new("."));
    // One chunk for each game, to check that indices continue across chunks.
    for (i, keys) in keys.iter().enumerate() {
        let text = format!("?{i}");
        spool
            .add(QueryResults {
                matches: vec![Match {
                    number: i as u64 + 1,
                    text: 1..text.len(),
                    n_positions: 0,
                    lost_comments: LostComments::default(),
                    sort_keys: keys.clone(),
                }],
                text: text.into_bytes(),
                ..QueryResults::default()
            })
            .expect("spooled");
    }
    assert_eq!(spool.n_games(), keys.len());
    let mut got = Vec::new();
    let mut each = |text: &[u8]| got.write_all(text);
    spool.write_sorted(ascending, &mut each).expect("written");
    assert_eq!(String::from_utf8_lossy(&got), expected);
}

#[test]
fn games_are_sorted_by_their_keys() {
    let one = |keys: [SortKey; 4]| keys.map(|key| vec![key]).to_vec();
    check_order(&one([number(3), number(9), number(-4), number(9)]), &[false], "1302");
    check_order(&one([number(3), number(9), number(-4), number(9)]), &[true], "2013");
    check_order(&one([SortKey::None, number(9), SortKey::None, number(10)]), &[false], "3102");
    check_order(&one([SortKey::None, number(9), SortKey::None, number(10)]), &[true], "1302");
    check_order(&one([text("b"), text("a"), text("ab"), text("")]), &[true], "3120");
    let two = [
        vec![number(1), text("x")],
        vec![number(2), text("x")],
        vec![number(1), text("y")],
        vec![number(2), text("x")],
    ];
    check_order(&two, &[true, false], "2013");
}

#[test]
fn without_keys_the_games_are_copied() {
    let mut spool = spool(Path::new("."));
    for text in ["one ", "two"] {
        let found = QueryResults { text: text.into(), ..QueryResults::default() };
        spool.add(found).expect("spooled");
    }
    assert_eq!(spool.n_bytes(), 7);
    let mut got = Vec::new();
    spool.copy(&mut got).expect("written");
    assert_eq!(got, b"one two");
}
