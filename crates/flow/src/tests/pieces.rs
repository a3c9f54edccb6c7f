//! Pieces of a source together have the games of the whole.

use super::*;

/// A source with the games of some pieces of a text.
fn pieces<'a>(
    text: &'a [u8],
    pieces: Vec<SourceRange>,
    format: SourceFormat<'a>,
) -> GameSource<'a> {
    GameSource::new("a", Bytes::Pieces(Arc::new(text), pieces), format)
}

/// Returns the place of the first game that the bytes before `cut` do not have, or `None` if they
/// have all.
fn place_behind(text: &[u8], format: &SourceFormat<'_>, cut: usize) -> Option<GameStart> {
    let offsets: Vec<u64> = match format {
        SourceFormat::Pgn => {
            let mut splitter = Splitter::default();
            let games = splitter.split(text, true);
            games.map(|game| game.offset).collect()
        }
        SourceFormat::Lines(format) => {
            let ends = memchr::memchr_iter(b'\n', text).map(|end| end + 1);
            let starts = std::iter::once(0).chain(ends);
            let is_game = |&start: &usize| {
                let line = text[start..].split(|&byte| byte == b'\n').next();
                start < text.len() && format.is_game(line.unwrap_or_default(), start == 0)
            };
            starts.filter(is_game).map(|start| start as u64).collect()
        }
    };
    let before = offsets.partition_point(|&offset| offset < cut as u64);
    let &offset = offsets.get(before)?;
    // Text before the first game may belong to it.
    if before == 0 {
        return Some(GameStart::START);
    }
    let lines = text[..offset as usize].iter().filter(|&&b| b == b'\n');
    Some(GameStart { offset, game: before as u64 + 1, line: lines.count() as u64 + 1 })
}

/// Checks that a text in two pieces gives the games of the whole, with the pieces in one run or in
/// two.
fn check_halves(
    text: &[u8],
    format: &SourceFormat<'_>,
    cut: usize,
    threads: usize,
    chunk_bytes: usize,
) {
    let set = |options: &mut RunOptions| {
        options.threads = threads;
        options.chunk_bytes = chunk_bytes;
    };
    let bytes = Bytes::Anywhere(Arc::new(text));
    let whole = record_all(GameSource::new("a", bytes, format.clone()).alone(), set);
    let place = place_behind(text, format, cut);
    let first = SourceRange {
        start: GameStart::START,
        end: match place {
            Some(GameStart::START) => 0,
            _ => cut as u64,
        },
    };
    let second = place.map(|start| SourceRange { start, end: text.len() as u64 });
    let both = [first].into_iter().chain(second).collect();
    let got = record_all(pieces(text, both, format.clone()).alone(), set);
    assert_eq!((&got.games, &got.faults), (&whole.games, &whole.faults));
    assert_eq!(got.sources, whole.sources);
    let mut apart = record_all(pieces(text, vec![first], format.clone()).alone(), set);
    if let Some(second) = second {
        let second = pieces(text, vec![second], format.clone()).alone();
        let second = record_all(second, set);
        apart.games.extend(second.games);
        apart.faults.extend(second.faults);
    }
    assert_eq!((apart.games, apart.faults), (whole.games, whole.faults));
}

#[test]
fn the_halves_of_a_text_are_the_whole() {
    let texts = [
        games(0..12),
        // Only the start of the next game shows the end of one.
        "[Event \"a\"]\n\n1. e4 e5\n\n".repeat(9),
        // A comment contains what looks like a game.
        "[Event \"a\"]\n\n1. e4 {\n\n[Event \"no\"]\n\n1. d4 *\n\n} e5 *\n\n".repeat(5),
        // A comment that never ends.
        games(0..3) + "[Event \"a\"]\n\n1. e4 { never\n\n" + &games(3..6),
        format!("  words before\n{}behind", games(0..3)),
        format!("\u{feff}{}", games(0..2)),
        " \n\n".to_owned(),
        String::new(),
    ];
    for text in &texts {
        for cut in 0..=text.len() {
            let (threads, chunk_bytes) = [(1, 1 << 20), (2, 30), (1, 100)][cut % 3];
            check_halves(text.as_bytes(), &SourceFormat::Pgn, cut, threads, chunk_bytes);
        }
    }
    let lines = "title\none\r\n# remark\n\nbad\nfour\nfive";
    let format = SourceFormat::Lines(Arc::new(Plain));
    for cut in 0..=lines.len() {
        for (threads, chunk_bytes) in [(1, 5), (2, 30)] {
            check_halves(lines.as_bytes(), &format, cut, threads, chunk_bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_halves_are_the_whole(
        parts in prop::collection::vec(prop::sample::select(PARTS), 0..100),
        cut in 0.0..=1.0,
        threads in 1usize..4,
        chunk_bytes in 1usize..300,
    ) {
        let text = parts.concat();
        let cut = (cut * text.len() as f64) as usize;
        check_halves(text.as_bytes(), &SourceFormat::Pgn, cut, threads, chunk_bytes);
    }
}

#[test]
fn a_game_goes_on_behind_its_piece_however_long_it_is() {
    let comment = "x".repeat(300_000);
    let text = format!("{}[Event \"a\"]\n\n1. e4 {{{comment}}} *\n\n{}", games(0..3), games(3..5));
    let begins = games(0..3).len();
    for cut in [begins, begins + 1, begins + 150_000] {
        for threads in [1, 2] {
            check_halves(text.as_bytes(), &SourceFormat::Pgn, cut, threads, 1000);
        }
    }
}

#[test]
fn some_games_of_some_sources() {
    let text = games(0..100);
    let offset = |game: usize| games(0..game).len() as u64;
    let piece = |from: usize, to: usize| SourceRange {
        start: GameStart { offset: offset(from), game: from as u64 + 1, line: 4 * from as u64 + 1 },
        end: offset(to),
    };
    let lost = "[Event \"b\"]\n\n1. e4 { never";
    for threads in [1, 3] {
        for chunk_bytes in [20, 1 << 20] {
            let some = vec![piece(4, 5), piece(16, 17), piece(17, 40)];
            let mut known = pieces(text.as_bytes(), vec![piece(1, 2)], SourceFormat::Pgn);
            known.games_before = Some(1000);
            let sources = [
                pieces(text.as_bytes(), Vec::new(), SourceFormat::Pgn),
                pieces(text.as_bytes(), some, SourceFormat::Pgn),
                known,
                GameSource::pgn("b", lost.as_bytes()),
            ];
            let mut numbers = Vec::new();
            let mut faults = Vec::new();
            let mut take = |out: Output<Written>| {
                for (number, text) in out.results.0 {
                    let (_, text) = text.split_once("[Event ").expect("a tag");
                    let name = text.split('"').nth(1).unwrap_or_default();
                    numbers.push((number, number - out.origin.games_before, name.to_owned()));
                }
                for fault in out.faults {
                    faults.push((fault.number, fault.line));
                }
                Ok(())
            };
            let options = options(threads, chunk_bytes);
            let sources = Box::new(sources.into_iter().map(Ok));
            run(sources, &options, || Recorder, &mut take).expect("reading from memory");
            let some = [5, 17].into_iter().chain(18..=40);
            let mut expected: Vec<(u64, u64, String)> =
                some.map(|game: u64| (game, game, (game - 1).to_string())).collect();
            expected.push((1002, 2, "1".to_owned()));
            assert_eq!(numbers, expected);
            assert_eq!(faults, [(1003, 3)], "the line of another source");
        }
    }
}

#[test]
fn what_continues_a_source_has_its_numbers() {
    let (begin, rest) = (games(0..7), games(7..20) + "[Event \"b\"]\n\n1. e4 { never");
    let whole = format!("{begin}{rest}");
    for threads in [1, 3] {
        for chunk_bytes in [20, 1 << 20] {
            let set = |options: &mut RunOptions| {
                options.threads = threads;
                options.chunk_bytes = chunk_bytes;
            };
            let all = record_all(in_order("a", whole.as_bytes(), 7, false).alone(), set);
            let mut continued = in_order("a", rest.as_bytes(), 7, false);
            continued.games_before = Some(0);
            continued.start = GameStart { offset: begin.len() as u64, game: 8, line: 4 * 7 + 1 };
            let got = record_all(continued.alone(), set);
            assert_eq!(got.games, all.games[7..]);
            assert_eq!(got.faults, all.faults);
        }
    }
}
