use std::cell::Cell;

use super::*;
use crate::fault::FaultKind::*;

thread_local! {
    /// Number of bytes examined; a byte counts each time.
    pub(super) static SCANNED: Cell<usize> = const { Cell::new(0) };
}

/// Returns the games of an input with the kinds of their faults, read in slices of at most `step`
/// further bytes.
fn games(input: &[u8], step: usize) -> Vec<(Vec<u8>, Vec<Fault>, bool)> {
    let mut splitter = Splitter::default();
    let mut all = Vec::new();
    let mut end = 0;
    loop {
        let start = splitter.offset() as usize;
        assert!(start <= end, "stands behind what it was given");
        end = (end + step).min(input.len());
        let last = end == input.len();
        for game in splitter.split(&input[start..end], last) {
            assert!(input[game.offset as usize..].starts_with(game.text));
            let skipped = game.is_skipped();
            all.push((game.text.to_vec(), game.faults, skipped));
        }
        assert_eq!(
            splitter.line(),
            1 + newlines(&input[..splitter.offset() as usize]),
            "line at byte {}",
            splitter.offset()
        );
        if last {
            return all;
        }
    }
}

/// Checks texts and faults, with the whole input and in slices.
fn check(input: &str, want: &[(&str, &[FaultKind])]) {
    let whole = games(input.as_bytes(), usize::MAX / 2);
    let got: Vec<_> = whole
        .iter()
        .map(|(text, faults, _)| {
            let kinds: Vec<_> = faults.iter().map(|fault| fault.kind).collect();
            (String::from_utf8_lossy(text).into_owned(), kinds)
        })
        .collect();
    let want: Vec<_> = want.iter().map(|w| (w.0.to_owned(), w.1.to_vec())).collect();
    assert_eq!(got, want, "{input:?}");
    for step in [1, 2, 3, 7, 20] {
        assert_eq!(games(input.as_bytes(), step), whole, "{input:?} by {step} bytes");
    }
}

/// Checks that a tag section with these moves is one game without faults.
fn check_one(moves: &str) {
    let input = format!("[Event \"x\"]\n\n{moves}\n");
    check(&input, &[(input.trim_end(), &[])]);
}

/// Checks that the second half of the moves becomes a game without tags.
fn check_ends(first: &str, second: &str) {
    let (first, second) = (format!("[Event \"x\"]\n\n{first}"), second.to_owned());
    let input = format!("{first} {second} 1-0");
    check(&input, &[(&first, &[]), (&format!("{second} 1-0"), &[MissingTags])]);
}

#[test]
fn nothing() {
    check("", &[]);
    check("\n \n", &[]);
    check("\u{feff}\n", &[]);
    check("; only a line\n{and a {nested} comment}\n\u{bb}", &[]);
}

#[test]
fn results() {
    check_one("1.e4 1-0");
    check_one("1.e4 0-1");
    check_one("1.e4 1/2-1/2");
    check_one("1.e4 *");
    check_one("*");
    // Words that are no results: glued to something, or in another spelling.
    for word in [
        "Nf3*", "1-0)", "1-0.", "1/2", "1:0", "0-1-0", "a1-0", "-1-0", "21-0", "11/2-1/2", "1-0;",
        "1-0{", "1-00", "1/2-1/20", "*)", "0-0", "0-0-0", "1-1", "O-O", "1/2-0",
    ] {
        check_one(&format!("1.e4 {word} e5\n}} 1-0"));
    }
    // Results in odd places.
    check_ends("1.e4 (1.d4 1-0", ")");
    check_ends("1.e4 % 1-0", "e5");
    check_ends("1.e4 .1-0", "e5");
    check_ends("1.e4 (1-0", "e5");
    check_ends("1.e4 }0-1", "e5");
    let game = "[A \"b\"]\n1-0";
    check(&format!("{game}\u{e9}"), &[(game, &[])]);
}

#[test]
fn comments_hide() {
    check_one("1.e4 {1-0 [} e5 1-0");
    check_one("1.e4 {a {1-0 } 1-0 } e5 1-0");
    check_one("1.e4 ; 1-0 { [\n e5 1-0");
    check_one("1.e4 {;} 1-0");
    check_one("1.e4 } 1-0");
    check_one("{[%eval 1.0]} 1.e4 { [%clk 0:00:01] } 1-0");
}

#[test]
fn tags() {
    // A bracket on the line after the tags makes that line a tag line.
    let text = "[Event \"x\"]\n1. e4 [junk] e5 1-0\n1. d4 1-0";
    check(text, &[(text, &[])]);
    // A result on a tag line does not count.
    let text = "[Event \"x\"] 1-0\n[Site \"y\"] 1-0\n1-0";
    check(text, &[(text, &[])]);
    // Tags may follow the result of the game before on its line, and text may precede them.
    check(
        "Text\n[Event \"x\"]\n*\t[Event \"y\"]\n*\nmore\n[Event \"z\"]\n* ",
        &[
            ("Text\n[Event \"x\"]\n*", &[]),
            ("[Event \"y\"]\n*", &[]),
            ("more\n[Event \"z\"]\n*", &[]),
        ],
    );
    check("\u{feff}[Event \"x\"]\n*", &[("[Event \"x\"]\n*", &[])]);
    check("[A \"b\"]\r\n\r\n1.e4 1-0\r\n", &[("[A \"b\"]\r\n\r\n1.e4 1-0", &[])]);
}

#[test]
fn repairs() {
    check(
        "[Event \"x\"]\n\n[Result \"*\"]\n\n1.e4 *",
        &[("[Event \"x\"]\n\n[Result \"*\"]\n\n1.e4 *", &[BlankLineInTags])],
    );
    check(
        "[Event \"x\"]\n\n1.e4\n\n[Event \"y\"]\n\n1.d4 *",
        &[("[Event \"x\"]\n\n1.e4", &[MissingResult]), ("[Event \"y\"]\n\n1.d4 *", &[])],
    );
    // An Event tag begins a game without a blank line, any other tag only after one.
    check(
        "[Event \"x\"]\n\n1.e4 Rxg20-1\n[Event \"y\"]\n\n1.d4\n\n[Site \"z\"]\n*",
        &[
            ("[Event \"x\"]\n\n1.e4 Rxg20-1", &[MissingResult]),
            ("[Event \"y\"]\n\n1.d4", &[MissingResult]),
            ("[Site \"z\"]\n*", &[]),
        ],
    );
    check(
        "[Event \"x\"]\n\n[Event \"y\"]\n\n*",
        &[("[Event \"x\"]", &[MissingResult]), ("[Event \"y\"]\n\n*", &[])],
    );
    check(
        "[Event \"x\"]\n\n1.e4 e5\n[Site \"z\"] [y] d4 1-0",
        &[("[Event \"x\"]\n\n1.e4 e5\n[Site \"z\"] [y] d4 1-0", &[BracketInMoves])],
    );
    check(
        "[Event \"x\"]\n\n1.e4\n\n[no tag] 1-0",
        &[("[Event \"x\"]\n\n1.e4\n\n[no tag] 1-0", &[BracketInMoves])],
    );
    check("1.e4 e5 1-0", &[("1.e4 e5 1-0", &[MissingTags])]);
    check(
        "[Event \"x\"]\n\n1.e4 e5 2.Nf3*\n",
        &[("[Event \"x\"]\n\n1.e4 e5 2.Nf3*", &[MissingEnd])],
    );
    check("[Event \"x\"]\n1.e4 1-", &[("[Event \"x\"]\n1.e4 1-", &[MissingEnd])]);
    check("[Event \"x\"]", &[("[Event \"x\"]", &[MissingEnd])]);
    check("[Event \"x\n[Site \"y\"]\n*", &[("[Event \"x\n[Site \"y\"]\n*", &[UnclosedTag])]);
    check(
        "[Event \"x\"]\n\n1.e4 \0 e5 1-0\0[Event \"y\"]\n*\0\n",
        &[("[Event \"x\"]\n\n1.e4 \0 e5 1-0", &[NulByte]), ("\0[Event \"y\"]\n*", &[NulByte])],
    );
}

#[test]
fn moves_alone_are_a_game() {
    for text in ["1.e4 e5", "{First} 1... ; a note\ne4 e5", "Nf3 and so on"] {
        check(text, &[(text, &[MissingTags, MissingEnd])]);
        let behind = format!("[Event \"x\"]\n\n*\n\n{text}\n");
        let expected: &[(&str, &[FaultKind])] =
            &[("[Event \"x\"]\n\n*", &[]), (text, &[MissingTags, MissingEnd])];
        check(&behind, expected);
    }
}

#[test]
fn skips() {
    for text in ["no game", "e5", "1. Foo e4", "a4$1", "(1. e4)", "{1. e4} and"] {
        check(text, &[(text, &[TrailingText])]);
    }
    // Letters of any language, and of a file that is read in the wrong encoding.
    check("中文", &[("中文", &[TrailingText])]);
    for text in ["Конец файла", "» 中文", "嬀䔀瘀攀渀琀"] {
        let after = format!("[Event \"x\"]\n\n*\n\n{text}\n");
        check(&after, &[("[Event \"x\"]\n\n*", &[]), (text.trim_end(), &[TrailingText])]);
    }
    check("\u{feff}\u{a0}\n\u{200b}", &[]);
    check(
        "[Event \"x\"]\n[Result \"*\"]\n\n1.e4 {never closed *\n\n[Event \"y\"]\n\n1.d4 *",
        &[("[Event \"x\"]\n[Result \"*\"]", &[UnclosedComment]), ("[Event \"y\"]\n\n1.d4 *", &[])],
    );
    check(
        "[Event \"x\"]\n\n{ {\n[Event \"y\"] }",
        &[("[Event \"x\"]", &[UnclosedComment]), ("[Event \"y\"] }", &[MissingEnd])],
    );
    check("{", &[("", &[UnclosedComment])]);
}

#[test]
fn limits() {
    let tags = "[Event \"x\"]\n";
    let long = |length: usize| format!("{tags}{}1-0", " ".repeat(length - tags.len() - 3));
    let check_kinds = |input: &str, want: &[&[FaultKind]]| {
        for step in [usize::MAX / 2, 1 << 19] {
            let games = games(input.as_bytes(), step);
            let kinds: Vec<Vec<_>> =
                games.iter().map(|game| game.1.iter().map(|fault| fault.kind).collect()).collect();
            assert_eq!(kinds, want, "by {step} bytes");
        }
    };
    check_kinds(&long(GAME_LIMIT), &[&[]]);
    check_kinds(&long(GAME_LIMIT + 1), &[&[GameTooLong]]);
    check_kinds(&format!("{}\n{tags}*", long(GAME_LIMIT + 1)), &[&[GameTooLong], &[]]);
    // A comment may be closed too late, or just in time; another game may begin within it.
    let comment = |length: usize| {
        let blanks = " ".repeat(length - 15);
        format!("{tags}{{{blanks}\n[Event \"y\"]\n* }} *\n{tags}*")
    };
    check_kinds(&comment(GAME_LIMIT - 20), &[&[], &[]]);
    check_kinds(&comment(GAME_LIMIT), &[&[GameTooLong], &[], &[MissingTags], &[]]);
}

#[test]
fn faults_have_places() {
    let input = b"[Event \"a\"]\n\n1.e4\n\n[Event \"b\"]\n\n[Site \"c\"]\n*\n\n1.e4 \0 1-0\n";
    for step in [1, 10, 1000] {
        let places: Vec<_> = games(input, step)
            .iter()
            .flat_map(|game| game.1.iter().map(|f| (f.kind, f.offset, f.line)))
            .collect();
        assert_eq!(
            places,
            [
                (MissingResult, 19, 5),
                (BlankLineInTags, 32, 7),
                (MissingTags, 46, 10),
                (NulByte, 51, 10),
            ]
        );
    }
}

#[test]
fn clean_texts() {
    let check = |text: &str, want: &str| {
        let mut buffer = Vec::new();
        let clean = RawGame::of(text.as_bytes()).clean_text(&mut buffer).to_vec();
        assert_eq!(String::from_utf8_lossy(&clean), want);
    };
    check("[A \"{\"]\n{a {b {c} d} e} 1-0", "[A \"{\"]\n{a _b _c_ d_ e} 1-0");
    check("[A \"\0\"]\n{{} \0} 1-0", "[A \" \"]\n{__  } 1-0");
    check("[A \"b\"]\n; {\n{} {{}} 1-0", "[A \"b\"]\n; {\n{} {__} 1-0");
    check("[A \"b\"]\n%{{\n}} 1-0", "[A \"b\"]\n%{_\n_} 1-0");
    // A brace on a line with a bracket counts unless it is a tag line.
    check("[A \"b\"]\n[ {\n{{}} 1-0", "[A \"b\"]\n[ {\n{__} 1-0");
    check("[A \"b\"]\n\n[ {\n{{}} 1-0}} 1-0", "[A \"b\"]\n\n[ {\n{__} 1-0}} 1-0");
    check("[A \"b\"]\n\ne4 [ {\n{{}} 1-0}} 1-0", "[A \"b\"]\n\ne4 [ {\n____ 1-0}} 1-0");
}

#[test]
fn early_stop_keeps_the_place() {
    let input = b"[A \"1\"]\n1-0\n\n[A \"2\"]\n1-0\n";
    let mut splitter = Splitter::default();
    let first = splitter.split(input, true).next().map(|game| game.offset);
    assert_eq!((first, splitter.offset(), splitter.line()), (Some(0), 13, 4));
    let rest = &input[splitter.offset() as usize..];
    let second = splitter.split(rest, true).next().map(|game| game.offset);
    assert_eq!(second, Some(13));
}

#[test]
fn boundaries() {
    let check = |text: &str, from: usize, want: Option<usize>| {
        assert_eq!(likely_boundary(text.as_bytes(), from), want, "{text:?} from {from}");
    };
    let text = "[Event \"x\"]\n[Site \"y\"]\n\n1.e4\n\n[Site \"y\"]\n*\n[Event \"z\"]\n";
    check(text, 0, Some(0));
    check(text, 1, Some(30));
    check(text, 30, Some(30));
    check(text, 31, Some(43));
    check(text, 44, None);
    check("1-0\r\n\r\n[A \"b\"]", 0, Some(7));
    check("1-0\n[A \"b\"]", 0, None);
    check("", 0, None);
    check("[", 5, None);
}

#[test]
fn text_before_the_first_game_is_indented_as_it_was() {
    let game = "[Event \"x\"]\n\n1.e4 1-0";
    for (before, kept) in [
        ("\n \n  Text\n   more\n", "  Text\n   more\n"),
        ("\u{e9} text\n", " text\n"),
        ("\t text\n", "\t text\n"),
        ("\n  ", ""),
    ] {
        let first = format!("{kept}{game}");
        let second = format!("text\n{game}");
        let input = format!("{before}{game}\n  {second}\n");
        check(&input, &[(&first, &[]), (&second, &[])]);
    }
}

#[test]
fn long_ways_are_not_gone_again_and_again() {
    let repeated =
        |before: &str, text: &str| before.to_owned() + &text.repeat(200_000 / text.len());
    for text in [
        repeated("", "[Event \"x\"]\n{\n"),
        repeated("", "[Event \"x\"]\n{ { }\n"),
        repeated("", "[Event \"x\"]\n1.e4 { { } - [ * } "),
        repeated("[Event \"x\"]\n1.e4 ", "                    -"),
        repeated(&format!("[Event \"x\"]\n{}x\n", "\n".repeat(100_000)), "["),
        repeated(&format!("[Event \"x\"]\n{}", "x".repeat(100_000)), "["),
    ] {
        SCANNED.set(0);
        games(text.as_bytes(), usize::MAX / 2);
        let times = SCANNED.get() / text.len();
        assert!(times < 10, "{} times over {}…", times, &text[..20]);
    }
}

#[test]
fn what_is_not_read_is_noted() {
    use LossKind::{
        GamesBehindTag, LongTag, MovesBeforeTags, RepeatedTag, SignsInName, TagAfterMark,
        TagWithinLine, TagsInComment, TextAfterResult, TextBehindTag, TextOnLineOfResult,
        UnreadTag, WordsInTag,
    };
    let check = |text: &str, expected: &[(LossKind, u64)]| {
        let mut splitter = Splitter::default();
        let games: Vec<RawGame<'_>> = splitter.split(text.as_bytes(), true).collect();
        let losses = games.iter().flat_map(|game| game.losses.iter());
        let losses: Vec<(LossKind, u64)> = losses.map(|loss| (loss.kind, loss.line)).collect();
        assert_eq!(losses, expected, "{text:?}");
        // The result does not depend on the cut.
        for cut in 0..text.len() {
            let mut splitter = Splitter::default();
            let first = splitter.split(&text.as_bytes()[..cut], false);
            let mut cut_losses: Vec<(LossKind, u64)> = Vec::new();
            let note = |game: RawGame<'_>| -> Vec<(LossKind, u64)> {
                let losses = game.losses.iter();
                losses.map(|loss| (loss.kind, loss.line)).collect()
            };
            cut_losses.extend(first.flat_map(note));
            let rest = &text.as_bytes()[splitter.offset() as usize..];
            cut_losses.extend(splitter.split(rest, true).flat_map(note));
            assert_eq!(cut_losses, expected, "{text:?} cut at {cut}");
        }
    };
    let full =
        "[Event \"a\"]\n[Site \"b\"]\n[Date \"\"]\n[Round \"\"]\n[White \"\"]\n[Black \"\"]\n";
    check(&format!("{full}[Result \"*\"]\n\n1. e4 *\n"), &[]);
    check(&format!("{full}[Result \"1-0\"] 1. e4 1-0\n"), &[(TextBehindTag, 7)]);
    let name = "x".repeat(80);
    check(&format!("{full}[Annotator \"{name}\"]\n[Result \"*\"]\n\n1. e4 *\n"), &[]);
    check(
        &format!("{full}[Annotator \"{name}\"] [Result \"*\"]\n\n1. e4 *\n"),
        &[(TextBehindTag, 7)],
    );
    check("[Event \"a\"] [White \"b\"]\n\n1. e4 *", &[(TextBehindTag, 1)]);
    check("[Event \"a\"][White \"b\"]\n\n1. e4 *", &[(TextBehindTag, 1)]);
    // Games on one line, or with CR alone among others
    let one = "[Event \"a\"] [White \"b\"] 1. e4 {[%clk 1]} *";
    for n in 1..3 {
        let more = format!(" {one}").repeat(n);
        let losses = [(TextBehindTag, 1), (GamesBehindTag(n as u32), 1)];
        check(&format!("{one}{more}"), &losses);
        check(
            &format!(
                "{}\n\n1. e4 *",
                format!("{one}{more}").trim_end_matches("1. e4 {[%clk 1]} *")
            ),
            &losses,
        );
    }
    check(
        "[Event \"a\"]\n\n*\n\n[Event \"b\"]\r[White \"B\"]\r\r1. e4 *\r\r[Event \"c\"]\n[White \"C\"]\n\n*\n",
        &[(TextBehindTag, 5), (GamesBehindTag(1), 5)],
    );
    check("[Event \"a\"] [Event \"b\"]\n\n1. e4 *", &[(TextBehindTag, 1)]);
    check("[Event \"a [b]\"] ; a remark\n[White \"\\\"]\"]\n\n1. e4 *", &[]);
    check("[Event \"a\"]\n; a remark\n% another\n[White \"b\"]\n\n1. e4 *", &[]);
    for tag in ["[White \"Smith]", "[White Smith\"]", "[White Smith]", "[White\"S\"]", "[]"] {
        check(&format!("[Event \"a\"]\n{tag}\n\n1. e4 *"), &[(UnreadTag, 2)]);
    }
    check("[Event \"a\"]\n[White Elo \"1\"]\n\n1. e4 *", &[(WordsInTag, 2)]);
    let spacious = "[ White  \"a\" ]\n[Black\t\"b\"] \n[Annotator \"\"]\r\n\
         [Site\u{b}\"b\"]\n[Remark: \"a\"]\n[A_B \"\"]\n[Zo\u{eb} \"\"]";
    check(&format!("{full}{spacious}\n\n1. e4 *"), &[]);
    for (tag, kind) in [
        ("[Opening \"]", UnreadTag),
        ("[Opening Spanish\"]", UnreadTag),
        ("[White Elo \"1\"]", WordsInTag),
        ("[White\tElo \"1\"]", WordsInTag),
        ("[White\u{b}Elo \"1\"]", WordsInTag),
        ("[White\rElo \"1\"]", WordsInTag),
        ("[Date x \"1\"]", WordsInTag),
        ("[AnnotatorNames\u{c}x \"1\"]", WordsInTag),
        ("[White\"K\"]", UnreadTag),
        ("[WhiteTeamCountry\"K\"]", UnreadTag),
        ("[[White \"K\"]", SignsInName),
        ("[ [Remark \"K\"]", SignsInName),
        ("[[White] \"K\"]", SignsInName),
        ("[WhiteElo: \"1\"]", SignsInName),
        ("[ECO \"C60\" x]", WordsInTag),
        ("[ECO \"C60\"x]", WordsInTag),
        ("[ECO \"C60\"] [Ply \"1\"]", TextBehindTag),
    ] {
        check(&format!("{full}{tag}\n\n1. e4 *"), &[(kind, 7)]);
    }
    let long = "x".repeat(252);
    check(&format!("[Event \"{long}\"]\n\n1. e4 *"), &[]);
    check(&format!("[Site \"y\"]\n[Event \"{long}x\"]\n\n1. e4 *"), &[(LongTag, 2)]);
    let game = "[Event \"a\"]\n\n1. e4 *";
    check(&format!("{game}\n\n{game}"), &[]);
    check(&format!("A heading\n{game}\n\nAnother\n\n{game}"), &[]);
    check(&format!("{game} \t\r\n\n{game}"), &[]);
    check(&format!("{game} {game}\n"), &[]);
    for text in ["White resigned", "{resigned}", "; note", "1-0"] {
        let losses = [(TextOnLineOfResult, 3)];
        check(&format!("{game} {text}\n\n{game}"), &losses);
        check(&format!("{game} {text}"), &losses);
    }
    let blanks = " ".repeat(257);
    check(&format!("{game}{blanks}{{too far}}\n"), &[]);
    for front in ["; ", "% ", " "] {
        check(&format!("{front}{game}"), &[]);
    }
    check(&format!("Round 1: {game}"), &[(TagWithinLine, 1)]);
    check(&format!("{game}\n\nRound 2: {game}"), &[(TagWithinLine, 5)]);
    check(&format!("\u{feff}{game}\n\n{game}"), &[]);
    check(&format!("{game}\n\u{feff}{game}"), &[(TagAfterMark, 4)]);
    check(&format!("{game}\nx\u{feff}{game}"), &[(TagWithinLine, 4)]);
    check(
        &format!("{game} and 1... e5\n\n{game}"),
        &[(TextOnLineOfResult, 3), (TextAfterResult, 3)],
    );
    check(&format!("{game}\n\n1... e5 2. Nf3\n\n{game}"), &[(TextAfterResult, 5)]);
    check("[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\n\n*", &[(RepeatedTag, 3)]);
    check("[Event \"a\"]\n[White \"b\"]\n[Event \"a\"]\n\n*", &[]);
    check(&format!("1. e4 c5\n{game}"), &[(MovesBeforeTags, 1)]);
    check(&format!("The game 1. e4 c5\n{game}"), &[]);
    check(&format!("[Event \"b\"]\n\n1. e4 {{x\n{game}}} *"), &[(TagsInComment, 4)]);
    check("[Event \"b\"]\n\n1. e4 {as [Event \"x\"] or\n[Event x]} *", &[]);
}

#[test]
fn remarks_between_tags_are_no_fault() {
    let faults = |text: &str| -> Vec<FaultKind> {
        let game = RawGame::of(text.as_bytes());
        game.faults.iter().map(|fault| fault.kind).collect()
    };
    assert_eq!(faults("[Event \"a\"]\n; note {\n%\n[White \"b\"]\n\n1-0"), []);
    let blank = "[Event \"a\"]\n; note\n\n[White \"b\"]\n\n1-0";
    assert_eq!(faults(blank), [FaultKind::BlankLineInTags]);
    assert_eq!(faults("[Event \"a\"]\nx\n[White \"b\"]\n\n1-0"), [FaultKind::BracketInMoves]);
}

#[test]
fn a_comment_beyond_the_size_of_a_game_is_too_long_unless_a_game_begins_in_it() {
    let long = "word ".repeat(GAME_LIMIT / 4);
    let kinds = |text: &str| -> Vec<Vec<FaultKind>> {
        let mut splitter = Splitter::default();
        let games = splitter.split(text.as_bytes(), true);
        let faults = games.map(|game| game.faults.iter().map(|fault| fault.kind).collect());
        faults.collect()
    };
    let closed = format!("[Event \"a\"]\n\n1. e4 {{{long}}} *\n\n[Event \"b\"]\n\n*\n");
    assert_eq!(kinds(&closed), [vec![FaultKind::GameTooLong], vec![]]);
    let open = format!("[Event \"a\"]\n\n1. e4 {{ *\n\n[Event \"b\"]\n\n{{{long}}} *\n");
    assert_eq!(kinds(&open)[0], [FaultKind::UnclosedComment]);
}
