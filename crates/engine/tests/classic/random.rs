//! Properties that hold for all lists.

use proptest::prelude::*;

use super::*;

/// Generates items of a position list.
fn items(depth: u32) -> BoxedStrategy<String> {
    let designator = "[KQRNPkqrnp.?]([a-h?][1-8?])?";
    let item = prop_oneof![
        8 => designator,
        1 => Just(":wtm".to_owned()),
        1 => Just(":check".to_owned()),
        1 => Just(":initial".to_owned()),
        1 => Just(":variations".to_owned()),
        1 => Just(":not".to_owned()),
        2 => designator.prop_map(|d| format!(":movefrom {d}")),
        2 => designator.prop_map(|d| format!(":moveto {d}")),
        2 => (designator, 0..3, 0..3).prop_map(|(d, a, b)| format!(":piececount {d} {a} {}", a + b)),
        1 => (designator, designator, 0..3)
            .prop_map(|(d, e, n)| format!(":attackcount {d} {e} {n} 9")),
        1 => (designator, designator).prop_map(|(d, e)| format!(":rayhorizontal ({d} {e})")),
        1 => prop_oneof![
            Just(":relation (:pattern :ignoresidetomove)".to_owned()),
            Just(":relation (:shift :flip :missingpiececount U 0 2)".to_owned()),
            Just(":relation (:changesidetomove :variations)".to_owned()),
        ],
    ];
    let transforms = prop::sample::subsequence(
        vec![":flipcolor", ":fliphorizontal", ":shifthorizontal", ":flipdiagonal"],
        0..=2,
    );
    let leaf = (prop::collection::vec(item, 0..4), transforms)
        .prop_map(|(items, transforms)| {
            // at most one relation
            let mut seen = false;
            let kept = items.into_iter().filter(|item| {
                !item.starts_with(":relation") || !std::mem::replace(&mut seen, true)
            });
            let transforms = transforms.into_iter().map(str::to_owned);
            kept.chain(transforms).collect::<Vec<_>>().join(" ")
        })
        .boxed();
    if depth == 0 {
        return leaf;
    }
    let nested = prop::collection::vec(items(depth - 1), 1..3);
    let words = prop_oneof![Just(":and"), Just(":or"), Just(":sequence"), Just(":gappedsequence")];
    let with_lists = (leaf.clone(), words, nested).prop_map(|(leaf, word, nested)| {
        let lists: Vec<String> = nested.iter().map(|n| format!("(position {n})")).collect();
        format!("{leaf} {word} ({})", lists.join(" "))
    });
    prop_oneof![with_lists, leaf].boxed()
}

const GAME: &str = "[Event \"?\"]\n\n1.e4 e5 2.Nf3 Nc6 (2...d6 3.d4 exd4 (3...f5 4.dxe5 fxe4) \
                    4.Nxd4) 3.Bb5 a6 4.Ba4 b5 5.Bb3 Nf6 6.Ng1 Ng8 7.Nf3 Nf6 8.O-O Bb7 *\n";

fn with(items: &str, optimize: bool) -> Vec<u32> {
    let options = CompileOptions { optimize, variations: Some(true), ..CompileOptions::default() };
    let text = format!("(match (position :markall {items}))");
    search(&program(&text, &options), GAME.as_bytes())
        .flat_map(|game| game.expect("no fault").row.positions)
        .map(|position| position.id)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn optimizing_makes_no_difference(items in items(1)) {
        prop_assert_eq!(with(&items, true), with(&items, false));
    }

    #[test]
    fn a_list_and_its_negation_divide_the_game(items in items(1)) {
        let inner = format!("(position {items})");
        let yes = with(&format!(":and ({inner})"), true);
        let no = with(&format!(":and ((position :not :and ({inner})))"), true);
        let mut all = [yes, no].concat();
        all.sort_unstable();
        prop_assert_eq!(all, with("", true));
    }

    #[test]
    fn a_transform_finds_what_the_list_finds(items in items(0)) {
        let plain = with(&items, true);
        if !items.contains(":not") && !items.contains(":pattern") {
            let flipped = with(&format!("{items} :flip"), true);
            prop_assert!(plain.iter().all(|id| flipped.contains(id)));
        }
    }

    #[test]
    fn the_order_of_items_is_irrelevant(a in items(0), b in items(0)) {
        if !(a.contains(":relation") && b.contains(":relation")) {
            let (ab, ba) = (format!("{a} {b}"), format!("{b} {a}"));
            prop_assert_eq!(with(&ab, true), with(&ba, true));
        }
    }
}
