//! Any text as a query in an editor: every request of an editor has an answer at every place, and
//! the places in the answers are inside the text.

#![no_main]

use fuzz::mutate;
use ide::{Document, Encoding, Settings};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use syntax::{Dialect, SourceId, Span};

/// Number of bytes of a text that are used; longer texts add no new kinds of places.
const LONGEST: usize = 2000;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::change(data, size, max_size, seed)
});

fuzz_target!(|text: &[u8]| {
    let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]).into_owned();
    for dialect in [None, Some(Dialect::Cql6), Some(Dialect::Cql5), Some(Dialect::Classic)] {
        // The beginning of the text, as it is while the user types.
        let end = (0..=text.len()).rev().find(|&at| text.is_char_boundary(at) && at % 7 == 0);
        for text in [text.as_str(), &text[..end.unwrap_or(0)]] {
            asked_everywhere(text, dialect);
        }
    }
});

fn asked_everywhere(text: &str, dialect: Option<Dialect>) {
    let settings = Settings { dialect, warn_deprecated: true, ..Settings::default() };
    let document = Document::new(text, settings);
    let whole = Span::new(SourceId(0), 0, text.len());
    let is_inside = |span: Span| {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}")
    };
    document.diagnostics();
    document.symbols().iter().for_each(|symbol| {
        is_inside(symbol.span);
        is_inside(symbol.selection);
    });
    document.semantic_tokens().windows(2).for_each(|pair| {
        is_inside(pair[0].span);
        assert!(pair[0].span.end <= pair[1].span.start);
    });
    let n_lines = text.lines().count().max(1);
    document.folds().iter().for_each(|fold| assert!(fold.last < n_lines + 1));
    document.hints(whole).iter().for_each(|hint| assert!(text.is_char_boundary(hint.offset)));
    let actions = document.actions(whole);
    let edits = actions.iter().flat_map(|action| &action.edits);
    edits.for_each(|edit| is_inside(edit.span));
    let _ = document.format();
    let _ = document.explain();
    // Trying every place would take too long.
    for at in (0..=text.len()).step_by(1 + text.len() / 8) {
        document.hover(at).iter().for_each(|hover| is_inside(hover.span));
        document.completions(at).iter().for_each(|found| is_inside(found.span));
        let _ = document.signature(at);
        document.references(at).into_iter().for_each(is_inside);
        let _ = document.rename(at, "other_name");
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            if !text.is_char_boundary(at) {
                continue;
            }
            let place = document.lines().position(text, at, encoding);
            let back = document.lines().offset(text, place, encoding);
            assert!(back <= at && text[back..at].chars().all(|c| c == '\n' || c == '\r'));
        }
    }
}
