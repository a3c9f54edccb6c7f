//! Tests the meaning of patterns with examples and against another engine, and the limit on steps.

use super::*;

const PLENTY: u64 = 100_000_000;

fn groups(pattern: &str, subject: &[u8]) -> Option<Groups> {
    let regex = Regex::new(pattern.as_bytes()).expect("a pattern");
    let mut steps = PLENTY;
    regex.groups_at(subject, 0, &mut steps, &mut || 0).expect("few steps")
}

fn check(pattern: &str, subject: &[u8], want: Option<&[u8]>) {
    let found = groups(pattern, subject).map(|groups| groups[0].clone().expect("a match"));
    assert_eq!(found.map(|range| &subject[range]), want, "{pattern}");
}

#[test]
fn searches_anywhere_byte_by_byte() {
    check("b+", b"abbc", Some(b"bb"));
    check("^b", b"ab", None);
    check("(a)(b)?\\1", b"xaa", Some(b"aa"));
    check(".", "é".as_bytes(), Some(b"\xc3"));
    check("é", "né".as_bytes(), Some("é".as_bytes()));
    check("[é]+", b"\xa9\xc3", Some(b"\xa9\xc3"));
    check("\\xe9\\u00e8", b"\xe9\xe8", Some(b"\xe9\xe8"));
    check("\\u0141|x", b"ax", Some(b"x"));
    check("[[:digit:]x]+", b"ab12x", Some(b"12x"));
    check("[^[:digit:]]+", b"12ab", Some(b"ab"));
    check("[:digit:]+", b"ab12tig", Some(b"tig"));
    check("[[:d:][:w:]]+", b"-1a_", Some(b"1a_"));
    check("[\\d-x]+", b"a1-x", Some(b"1-x"));
    check("\\bb|x\\B", b"ab xa", Some(b"x"));
    check("[]|[^]", b"\n", Some(b"\n"));
}

#[test]
fn white_space_is_that_of_ascii() {
    for class in ["\\s", "[\\s]", "[[:space:]]", "[[:s:]]"] {
        check(&format!("{class}+"), b"\xa0\t\n\x0b\x0c\r \x85", Some(b"\t\n\x0b\x0c\r "));
    }
    check("^\\S+", "Portà x".as_bytes(), Some("Portà".as_bytes()));
}

#[test]
fn the_first_alternative_wins_and_groups_are_forgotten() {
    check("a|ab", b"ab", Some(b"a"));
    check("(?:a|ab)(?:c|bcd)", b"abcd", Some(b"abcd"));
    check("a{2,3}?a", b"aaaa", Some(b"aaa"));
    check("(?=(a+))a*b\\1", b"baaabac", Some(b"aba"));
    check("(?!ab)a.", b"abac", Some(b"ac"));
    // the examples of the standard
    let range = |start, end| Some(start..end);
    assert_eq!(
        groups("(z)((a+)?(b+)?(c))*", b"zaacbbbcac"),
        Some(vec![range(0, 10), range(0, 1), range(8, 10), range(8, 9), None, range(9, 10)])
    );
    assert_eq!(groups("(a*)*", b"b"), Some(vec![range(0, 0), None]));
    assert_eq!(groups("(?=(a+))", b"baaabac"), Some(vec![range(1, 1), range(1, 4)]));
    assert_eq!(
        groups("(.*?)a(?!(a+)b\\2c)\\2(.*)", b"baaabaac"),
        Some(vec![range(0, 8), range(0, 2), None, range(3, 8)])
    );
}

#[test]
fn empty_matches_move_on() {
    let regex = Regex::empty();
    let (mut start, mut n, mut steps) = (0, 0, PLENTY);
    while let Some(groups) = regex.groups_at(b"xay", start, &mut steps, &mut || 0).expect("few") {
        start = Captures::new(&regex, Arc::default(), groups).next_start();
        n += 1;
    }
    assert_eq!(n, 4);
}

#[test]
fn no_pattern_takes_more_steps_than_it_may() {
    let text = [b'x'; 5000];
    let text: Vec<u8> = text.iter().copied().chain(*b"y!").collect();
    for pattern in [
        "(x*)*z",
        "(x|x)*z",
        "(x+x+)+z",
        "(x|xx)+z",
        "((x+)+)+z",
        "(x?){5000}x{5000}z",
        "^(([a-z])+.)+[A-Z]z",
        "(.*)(.*)(.*)(.*)(.*)z",
        "(x+)\\1+z",
        "(?=(x+)+z)",
        "(?:(?:x?)*?)*?z",
        "(){4000000000}",
        "((x)|(y)|(z)|.)*z",
    ] {
        let regex = Regex::new(pattern.as_bytes()).expect("a pattern");
        let mut steps = 3_000_000;
        let found = regex.is_match(&text, &mut steps);
        assert_eq!(found, Err(OutOfSteps), "{pattern}");
    }
}

#[test]
fn a_search_asks_for_further_steps_and_takes_as_many_as_before() {
    let regex = Regex::new(b"(x*)*z").expect("a pattern");
    let text = [b'x'; 14];
    let mut steps = PLENTY;
    assert_eq!(regex.is_match(&text, &mut steps), Ok(false));
    let (mut rest, mut given) = (0, 0);
    let mut more = || {
        given += 1000;
        1000
    };
    assert_eq!(regex.groups_at(&text, 0, &mut rest, &mut more), Ok(None));
    assert_eq!(given - rest, PLENTY - steps);
    let mut times = 0;
    let mut once = || {
        times += 1;
        u64::from(times == 1)
    };
    assert_eq!(regex.groups_at(&text, 0, &mut 0, &mut once), Err(OutOfSteps));
    assert_eq!(times, 2);
}

#[test]
fn ordinary_patterns_take_about_as_many_steps_as_there_are_bytes() {
    let text = b"Some name, with words and 42 numbers; ".repeat(1000);
    for pattern in
        ["nowhere", "[A-Z][a-z]+!", "^Some.*there", "\\d{3}", "(name|word)s?x", "\\bnam\\b"]
    {
        let regex = Regex::new(pattern.as_bytes()).expect("a pattern");
        let mut steps = PLENTY;
        assert_eq!(regex.is_match(&text, &mut steps), Ok(false), "{pattern}");
        assert!(PLENTY - steps < 4 * text.len() as u64, "{pattern}: {}", PLENTY - steps);
    }
}

mod against_another_engine {
    use proptest::prelude::*;

    use super::*;

    /// Makes each byte a character.
    fn widen(bytes: &[u8]) -> String {
        bytes.iter().map(|&byte| char::from(byte)).collect()
    }

    fn others_groups(pattern: &str, subject: &[u8]) -> Option<Groups> {
        let wide = widen(subject);
        let narrow = |range: Range<usize>| {
            wide[..range.start].chars().count()..wide[..range.end].chars().count()
        };
        let regex = regress::Regex::new(pattern).expect("a pattern");
        let found = regex.find(&wide)?;
        Some(found.groups().map(|group| group.map(narrow)).collect())
    }

    fn pattern() -> impl Strategy<Value = String> {
        let atom = prop_oneof![
            8 => "[abc]",
            2 => r"[ab]{1,3}",
            1 => Just(".".to_owned()),
            1 => Just("[^a]".to_owned()),
            1 => Just("[a-b]".to_owned()),
            1 => Just(r"\w".to_owned()),
            1 => Just(r"\W".to_owned()),
            1 => Just(r"\s".to_owned()),
            1 => Just(r"\b".to_owned()),
            1 => Just(r"\B".to_owned()),
            1 => Just("^".to_owned()),
            1 => Just("$".to_owned()),
            1 => Just(r"\1".to_owned()),
            1 => Just(r"[\xe0-\xff]".to_owned()),
        ];
        let sign = prop_oneof![
            6 => Just(""),
            1 => Just("*"), 1 => Just("+"), 1 => Just("?"), 1 => Just("*?"), 1 => Just("+?"),
            1 => Just("??"), 1 => Just("{2}"), 1 => Just("{0,2}"), 1 => Just("{1,}?"),
            1 => Just("{0}"),
        ];
        let tree = atom.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                3 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
                2 => (inner.clone(), sign.clone())
                    .prop_map(|(body, sign)| format!("({body}){sign}")),
                2 => (inner.clone(), sign.clone())
                    .prop_map(|(body, sign)| format!("(?:{body}){sign}")),
                1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
                1 => inner.clone().prop_map(|body| format!("(?={body})")),
                1 => inner.prop_map(|body| format!("(?!{body})")),
            ]
        });
        // a group for the references
        tree.prop_map(|body| format!("(a|b?){body}"))
    }

    fn subject() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(
            prop_oneof![4 => Just(b'a'), 4 => Just(b'b'), 2 => Just(b'c'), 1 => Just(b' '),
                1 => Just(b'\n'), 1 => Just(0xe9)],
            0..10,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_same_groups_match(pattern in pattern(), subject in subject()) {
            prop_assert_eq!(
                groups(&pattern, &subject),
                others_groups(&pattern, &subject),
                "{} on {:?}", pattern, subject
            );
        }
    }
}

#[test]
fn groups_have_names() {
    let regex = Regex::new(b"(?<year>\\d{4})(x)?\\.(?<month>\\d\\d)").expect("a pattern");
    let mut steps = PLENTY;
    let groups = regex.groups_at(b"in 1851.06", 0, &mut steps, &mut || 0);
    let groups = groups.expect("few steps").expect("a match");
    let captures = Captures::new(&regex, b"in 1851.06".as_slice().into(), groups);
    assert_eq!(captures.named(b"year"), Some(Some(3..7)));
    assert_eq!(captures.named(b"month"), captures.group(3));
    assert_eq!(captures.named(b"day"), None);
    check("(?<a>.)\\k<a>", b"abba", Some(b"bb"));
    check("\\k<a>", b"k<a>", Some(b"k<a>"));
    for (pattern, at) in [
        ("x(?<1a>y)", 1),
        ("(?<>y)", 0),
        ("(?<a", 0),
        ("(?<=y)", 0),
        ("(?<a>y)(?<a>z)", 7),
        ("(?<a>y)\\k<b>", 7),
        ("(?<a>y)\\k", 7),
        ("(?#y)", 0),
    ] {
        let fault = super::check(pattern.as_bytes()).map_err(|fault| fault.at);
        assert_eq!(fault.err(), Some(at), "{pattern}");
    }
}
