//! Trees of whole texts, and every error with its location.

use super::tree::*;
use super::*;
use crate::builtin::Predicate;
use crate::span::line_and_column;

fn parsed(text: &str) -> Parsed {
    parse(SourceId(0), text.as_bytes(), MAX_DEPTH)
}

/// Returns the query of a text without errors.
fn query(text: &str) -> Query {
    let parsed = parsed(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.query
}

/// Returns the only list of a text without errors.
fn list(items: &str) -> List {
    let mut query = query(&format!("(match (position {items}))"));
    assert_eq!(query.lists.len(), 1);
    query.lists.remove(0)
}

#[test]
fn match_keywords_are_kept() {
    let q = query(
        "; a comment\n(match :output o.pgn :pgn \"my games.pgn\" :year 1900 1950 :result 1/2\n\
         :gamenumber -1 unlimited :player Réti :forany r [Rr] (position $r[a1]) (position))",
    );
    assert_eq!(q.output.expect("a name").0, "o.pgn");
    assert_eq!(q.pgn.expect("a name").0, "my games.pgn");
    assert_eq!(q.year, Some(Range { min: 1900, max: 1950 }));
    assert_eq!(q.result, Some(crate::token::GameResult::Draw));
    let all = Range { min: -1, max: i32::MAX };
    assert_eq!(q.game_number, Some(all));
    assert_eq!(q.player.as_deref(), Some("Réti".as_bytes()));
    assert_eq!((q.tags.len(), q.lists.len()), (1, 2));
}

#[test]
fn a_position_list_may_stand_alone() {
    assert_eq!(query("(position :mate)").lists.len(), 1);
}

#[test]
fn items_are_sorted_by_kind_whatever_their_order() {
    let l = list(
        ":shift Kd4 :not :movefrom R :mate ke6 :shift :flipdihedral :flip :moveto .[a-h4] \
         :variations :accumulate w :sumrange w +3 8 :matchcount 0 2 :enpassant",
    );
    assert_eq!(l.designators.len(), 2);
    assert_eq!(l.transforms, [Transform::Shift, Transform::Flip]);
    assert_eq!((l.next_move.from.len(), l.next_move.to.len()), (1, 1));
    assert!(l.next_move.en_passant && l.negated && l.variations && !l.variations_only);
    assert!(matches!(l.conditions[..], [Condition::Predicate(Predicate::Mate)]));
    assert_eq!(l.match_count, Some(Range { min: 0, max: 2 }));
    assert_eq!(l.counters, ["w"]);
    assert_eq!((l.sums[0].0.as_str(), l.sums[0].1), ("w", Range { min: 3, max: 8 }));
}

#[test]
fn ranges_of_rays_are_optional() {
    for (items, want) in [
        (":ray (R k) Q", None),
        (":rayattack (R . k) 0 2", Some(Range { min: 0, max: 2 })),
        (":raydiagonal (b P K) 2", Some(Range { min: 2, max: 2 })),
    ] {
        let l = list(items);
        let [Condition::Ray(ray)] = &l.conditions[..] else {
            panic!("{items}");
        };
        assert_eq!(ray.range, want, "{items}");
    }
}

#[test]
fn lists_nest() {
    let l = list(
        ":and ((position :or ((position Q) (position q)))) \
         :gappedsequence ((position :mate) (position))",
    );
    assert_eq!(l.children().count(), 3);
    assert!(l.sequence.expect("a sequence").gapped);
}

#[test]
fn relations_hold_their_keywords() {
    let l = list(
        "Ke6 :relation (:pattern :shift :flip :originalsamecount 0 3 :ignoresidetomove \
         :samesidetomove :variations :missingpiececount A 1 100)",
    );
    let r = l.relation.expect("a relation");
    assert!(r.pattern && r.shift && r.flip && r.variations && !r.variations_only);
    assert_eq!(r.side, SideToMove::Same, "the last one counts");
    assert_eq!(r.same, Some(Range { min: 0, max: 3 }));
    assert_eq!(r.missing.expect("men").1, Range { min: 1, max: 100 });
    assert!(r.new.is_none() && r.different.is_none());
    assert!(list(":relation ()").relation.is_some());
}

/// Compares the errors of a text with `line:column code`.
fn check(text: &str, want: &str) {
    let faults: Vec<String> = parsed(text)
        .diagnostics
        .iter()
        .map(|d| {
            let (line, column) = line_and_column(text.as_bytes(), d.span.start as usize);
            format!("{line}:{column} {}", d.code)
        })
        .collect();
    assert_eq!(faults.join(", "), want, "{text}");
}

#[test]
fn a_letter_of_several_bytes_is_shown_whole() {
    for word in ["♙d2", "[♙n]d2"] {
        let text = format!("(match (position {word}))");
        let faults = parsed(&text).diagnostics;
        assert_eq!(faults[0].message, "`♙` is not a letter for pieces", "{word}");
    }
}

#[test]
fn faults_have_codes_and_places() {
    for (text, want) in [
        ("", "1:1 E0702"),
        ("cql() mate", "1:1 E0702"),
        ("(match :pgn in.pgn)", "1:1 E0705"),
        ("(match (position :mate)", "1:24 E0703"),
        ("(match (position :and ((position :mate", "1:39 E0703"),
        ("(match (position :mate)))", "1:25 E0703"),
        ("(match (position :mate)) :mate", "1:26 E0704"),
        ("(match :foo 3 (position))", "1:8 E0706"),
        ("(match :mate (position))", "1:8 E0708"),
        ("(match (position :year 1900))", "1:18 E0708"),
        ("(match (position :pattern))", "1:18 E0708"),
        ("(match (position :xor ()))", "1:18 E0707"),
        ("(match (position :accumulate+ w))", "1:18 E0707"),
        ("(match (position !:check))", "1:18 E0707"),
        ("(match (position :not (position Q)))", "1:18 E0707"),
        ("(match (position :piececount R >=3))", "1:32 E0707"),
        ("(match (position :piececount R))", "1:31 E0710"),
        ("(match (position :piececount R x))", "1:32 E0710"),
        ("(match (position :piececount R 4 2))", "1:32 E0711"),
        ("(match (position :piececount 3))", "1:30 E0712"),
        ("(match (position :attackcount R 3))", "1:33 E0712"),
        ("(match (position d4))", "1:18 E0713"),
        ("(match (position Ra1-8))", "1:18 E0714"),
        ("(match (position Xa1))", "1:18 E0712"),
        ("(match (position mate))", "1:18 E0712"),
        ("(match (position :and ((position :mate :matchcount 2))))", "1:40 E0708"),
        ("(match (position :matchcount 1 :matchcount 2))", "1:32 E0709"),
        ("(match (position :relation () :relation ()))", "1:31 E0709"),
        ("(match (position :relation :shift))", "1:28 E0716"),
        ("(match (position :relation (:shiftvertical)))", "1:29 E0708"),
        ("(match (position :relation (Kd4)))", "1:29 E0716"),
        ("(match (position :relation (:newpiececount A)))", "1:45 E0710"),
        ("(match (position :relation (:newpiececount A 1 :newpiececount a 1)))", "1:48 E0709"),
        ("(match :forany a R :forany b R :forany c R (position $a $b))", "1:32 E0717"),
        ("(match :forany a R :forany a N (position $a))", "1:28 E0717"),
        ("(match :forany a R (position))", "1:16 E0717"),
        ("(match :forany a R (position :tagmatch a Q))", "1:16 E0717"),
        ("(match :forany a R (position $a :tagmatch b Q))", "1:43 E0717"),
        ("(match (position $foo[a1]))", "1:18 E0717"),
        ("(match :forany t R (position $t.a1))", "1:30 E0714"),
        ("(match :forany t R (position $t :relation ()))", "1:33 E0718"),
        ("(match (position :sequence ((position)) :gappedsequence ((position))))", "1:41 E0709"),
        ("(match (position :sequence (position :mate)))", "1:28 E0716"),
        ("(match (position :and ()))", "1:23 E0716"),
        ("(match (position (position)))", "1:18 E0716"),
        ("(match (position :ray (R)))", "1:23 E0716"),
        ("(match (position :ray R k))", "1:23 E0716"),
        ("(match :result 1-1 (position))", "1:16 E0715"),
        ("(match :player (position))", "1:16 E0715"),
        ("(match :year 1900 :year 1910 (position))", "1:19 E0709"),
        ("(match stray (position))", "1:8 E0716"),
        ("(match :player \"open\n (position))", "1:16 E0701"),
        ("(match (position :sumrange w 1))", "1:28 W0701"),
    ] {
        check(text, want);
    }
}

#[test]
fn all_faults_of_a_text_are_reported() {
    check(
        "(match :year x :foo 1\n (position :mat :piececount R d4 Ka1-8 :wtm)\n (position b9) :mate)",
        "1:14 E0710, 1:16 E0706, 2:12 E0706, 2:31 E0710, 3:12 E0712, 3:16 E0708",
    );
}

#[test]
fn nesting_has_a_limit() {
    let deep = 100_000;
    let text = format!("(match {}", "(position :and (".repeat(deep));
    let codes: Vec<&str> = parsed(&text).diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"E0719"), "{codes:?}");
}

mod random {
    use proptest::prelude::*;

    use super::*;

    const WORDS: [&str; 40] = [
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "(match",
        "(position",
        "(position",
        ":and (",
        ":or (",
        ":sequence (",
        ":gappedsequence (",
        ":relation (",
        ":pattern",
        ":shift",
        ":flip",
        ":not",
        ":missingpiececount",
        ":newpiececount",
        ":piececount",
        ":attackcount",
        ":ray (",
        "R",
        "Ka1",
        "[pP][d3-7]",
        "$t",
        "$t[a1]",
        ":forany t R",
        ":tagmatch",
        "t",
        "2",
        "4",
        "-1",
        ":sumrange",
        ":accumulate",
        ":result",
        "1-0",
        "\"",
        "; x\n",
    ];

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(words in prop::collection::vec(0..WORDS.len(), 0..60)) {
            let text: Vec<&str> = words.iter().map(|&i| WORDS[i]).collect();
            let text = text.join(" ");
            let parsed = parsed(&text);
            // text that is not understood is reported, with spans within the text
            prop_assert!(!parsed.is_ok() || !parsed.query.lists.is_empty());
            for d in &parsed.diagnostics {
                prop_assert!(d.span.start <= d.span.end && d.span.end as usize <= text.len());
            }
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let text = [b"(match (position ".as_slice(), &bytes, b"))"].concat();
            let parsed = parse(SourceId(0), &text, MAX_DEPTH);
            prop_assert!(parsed.diagnostics.iter().all(|d| d.span.end as usize <= text.len()));
        }
    }
}

#[test]
fn helps_say_what_to_write() {
    for (text, want, edited) in [
        ("(position mate)", "keywords have a colon: `:mate`", "(position :mate)"),
        ("(position :stalmate)", "did you mean `:stalemate`?", "(position :stalemate)"),
        ("(position :wmt)", "did you mean `:wtm`?", "(position :wtm)"),
        ("(position Ra1-8)", "write `R[a1-8]`", "(position R[a1-8])"),
        ("(position :piececount R 4 2)", "write `2 4`", "(position :piececount R 2 4)"),
        ("(postion Ra1)", "did you mean `position`?", "(position Ra1)"),
        ("(match (postion Ra1))", "did you mean `position`?", "(match (position Ra1))"),
        ("(macth (position Ra1))", "did you mean `match`?", "(match (position Ra1))"),
        // Several edits would be right.
        ("(position d4)", "write `?d4`", ""),
        ("(match (ray R k))", "", ""),
    ] {
        let first = parsed(text).diagnostics.remove(0);
        assert_eq!(first.help.unwrap_or_default(), want, "{text}");
        let found = first.edit.map_or(String::new(), |edit| {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            format!("{}{}{}", &text[..start], edit.text, &text[end..])
        });
        assert_eq!(found, edited, "{text}");
    }
}
