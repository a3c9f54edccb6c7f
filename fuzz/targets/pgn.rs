//! Any bytes, as a file of games, are read, written and read again, cut anywhere, examined and
//! repaired.

#![no_main]

#[path = "../../crates/pgn/tests/support/kept.rs"]
mod kept;

use fuzz::games::{Game, split};
use libfuzzer_sys::fuzz_target;
use pgn::doctor::{Context, Examiner, Repaired, repair};
use pgn::{Fault, RawGame, SearchTree, Splitter, Variant, likely_boundary};

fuzz_target!(|text: &[u8]| {
    cuts_do_not_decide_what_the_games_are(text);
    for raw in split(text).iter().filter(|raw| !raw.is_skipped()) {
        what_is_written_is_read_back(raw);
    }
    what_is_repaired_is_sound(text);
    kept::assert_nothing_is_lost(text, &repair(text));
});

type SplitGame = (Vec<u8>, u64, Vec<Fault>);

fn cuts_do_not_decide_what_the_games_are(text: &[u8]) {
    let found = |raw: RawGame<'_>| -> SplitGame { (raw.text.to_vec(), raw.offset, raw.faults) };
    let whole: Vec<SplitGame> = split(text).into_iter().map(found).collect();
    let step = 1 + text.len() % 97;
    let mut splitter = Splitter::default();
    let mut pieces = Vec::new();
    let mut end = 0;
    while end < text.len() || pieces.is_empty() {
        end = (end + step).min(text.len());
        let start = splitter.offset() as usize;
        let games = splitter.split(&text[start..end], end == text.len());
        pieces.extend(games.map(found));
        if end == text.len() {
            break;
        }
    }
    assert_eq!(pieces, whole);
    let mut from = 0;
    while let Some(boundary) = likely_boundary(text, from) {
        assert!(boundary >= from && boundary < text.len());
        from = boundary + 1;
    }
}

fn what_is_written_is_read_back(raw: &RawGame<'_>) {
    let game = Game::read(raw);
    let mut order = SearchTree::default();
    for variations in [false, true] {
        order.build(&game.tree, variations);
        let searched = order.of(&game.tree);
        for id in 0..searched.len() {
            assert!(searched.children(id).all(|child| searched.parent(child) == Some(id)));
        }
    }
    let (written, is_whole) = game.written();
    // A null move that gives check is written as `--+`, which no parser reads as a move.
    let has_no_token = |node: usize| {
        game.tree.move_to(node).is_some_and(|mv| mv.is_null())
            && game.tree.positions()[node].is_check()
    };
    if !is_whole || (1..game.tree.len()).any(has_no_token) {
        return;
    }
    let again = split(&written);
    let shown = || String::from_utf8_lossy(&written).into_owned();
    assert_eq!(again.len(), 1, "{}", shown());
    let again = Game::read(&again[0]);
    assert_eq!(again.moves(), game.moves(), "{}", shown());
    // Braces within comments are written unchanged and read as `_`, and two bytes that encode one
    // letter are written as one.
    if raw.text.is_ascii() && !raw.text.contains(&0) {
        let twice = again.written().0;
        let again = Game::read(&split(&twice)[0]);
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(shown(&again.written().0), shown(&twice));
    }
}

/// Splits a later part of a file, in which a byte order mark has no meaning.
fn within_a_file(text: &[u8]) -> Vec<RawGame<'_>> {
    Splitter::starting_at(0, 1).split(text, true).collect()
}

fn what_is_repaired_is_sound(text: &[u8]) {
    let mut examiner = Examiner::default();
    let originals = within_a_file(text);
    let mut is_sound = true;
    for raw in &originals {
        examiner.see_before(&text[..raw.offset as usize]);
        let findings = examiner.examine(raw);
        assert!(findings.iter().all(|finding| finding.at <= text.len()));
        is_sound &= findings.is_empty();
        if findings.is_empty() {
            assert_eq!(raw.faults, []);
        }
    }
    let end = originals.last().map_or(0, |raw| {
        if raw.is_skipped() { text.len() } else { raw.offset as usize + raw.text.len() }
    });
    is_sound &= examiner.examine_rest(&text[end..]).is_none();
    let Repaired { text: repaired, is_sound: is_repaired, .. } =
        Examiner::default().repair(text, Context::default(), Context::default());
    let shown = || String::from_utf8_lossy(&repaired).into_owned();
    if is_sound {
        assert_eq!(repaired, text, "{}", shown());
    }
    if !is_repaired {
        return;
    }
    examiner.begin_file();
    for raw in &within_a_file(&repaired) {
        examiner.see_before(&repaired[..raw.offset as usize]);
        let findings = examiner.examine(raw);
        assert!(findings.is_empty(), "{findings:?} in {}", shown());
        assert_eq!(raw.faults, [], "{}", shown());
        let game = Game::read(raw);
        if !matches!(game.tags().variant(), Variant::Other(_)) {
            assert_eq!(game.tree.illegal_move_at(), None, "{}", shown());
            assert_eq!(game.tree.stop(), pgn::Stop::Result, "{}", shown());
        }
    }
}
