//! From the text of a game to its row.

use board::Color;
use pgn::{GameTree, RawGame, Stop, Summarizer, TagIndex, Tags, Variant, decode};

use crate::ipc::checksum;
use crate::rows::{Class, Flags, Rows};

/// Reads games and appends their rows, in memory that is used again for the next game.
#[derive(Debug, Default)]
pub struct Encoder {
    index: TagIndex,
    tree: GameTree,
    summarizer: Summarizer,
    buffer: Vec<u8>,
}

impl Encoder {
    /// Appends the row of a game. Its source is not known here.
    pub fn encode(&mut self, raw: &RawGame<'_>, rows: &mut Rows) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let with_moves = self.index.tags(text);
        let tags = *with_moves;
        let is_sound = raw.faults.is_empty()
            && tags_say_the_start(tags)
            && RawGame::exactly(raw.text).is_some();
        if is_sound {
            self.tree.parse(with_moves);
        }
        let summary = match is_sound && is_whole(&self.tree) {
            true => self.summarizer.summarize(&self.tree, tags),
            false => None,
        };
        let class = match &summary {
            None => Class::Text,
            Some(summary) if summary.has_variations || summary.has_annotations => Class::Annotated,
            Some(_) => Class::Plain,
        };
        let mut flags = Flags::of_class(class);
        let result = match &summary {
            None => tags.result(),
            Some(summary) => summary.result,
        };
        set_tag_flags(&mut flags, tags, result.as_str().as_bytes());
        rows.n_rows += 1;
        rows.source.push(None);
        rows.offset.push(raw.offset);
        rows.length.push(raw.text.len() as u32);
        rows.checksum.push(checksum(raw.text) as u32);
        rows.white_elo.push(tags.rating(Color::White).value);
        rows.black_elo.push(tags.rating(Color::Black).value);
        rows.result.push(Some(result.as_str().as_bytes()));
        for (texts, name) in [
            (&mut rows.event, &b"Event"[..]),
            (&mut rows.site, b"Site"),
            (&mut rows.date, b"Date"),
            (&mut rows.round, b"Round"),
            (&mut rows.white, b"White"),
            (&mut rows.black, b"Black"),
            (&mut rows.eco, b"ECO"),
            (&mut rows.fen, b"FEN"),
        ] {
            let value = tags.raw(name).map(decode);
            texts.push(value.as_deref().map(str::as_bytes));
        }
        if let Some(summary) = summary {
            flags.set(Flags::VARIATIONS, summary.has_variations);
            flags.set(Flags::ANNOTATIONS, summary.has_annotations);
            flags.set(Flags::FEN, summary.has_fen);
            flags.set_kinds(summary.mainline.kinds, summary.whole.kinds);
            let happenings = match summary.has_variations {
                true => &[summary.mainline, summary.whole][..],
                false => &[summary.mainline],
            };
            let reach = happenings.iter().filter_map(|happenings| happenings.reach);
            let reach: Vec<u64> = reach.flatten().copied().collect();
            rows.moves.push(summary.moves.unwrap_or_default());
            rows.material.push(summary.material.unwrap_or_default());
            rows.reach.push(&reach);
        } else {
            rows.moves.push(&[]);
            rows.material.push(&[]);
            rows.reach.push(&[]);
        }
        rows.flags.push(flags.0);
    }
}

/// Appends the row of a game that is left out.
pub(crate) fn skip(offset: u64, rows: &mut Rows) {
    rows.n_rows += 1;
    rows.source.push(None);
    rows.offset.push(offset);
    rows.length.push(0);
    rows.checksum.push(0);
    rows.flags.push(Flags::of_class(Class::Skipped).0);
    rows.white_elo.push(0);
    rows.black_elo.push(0);
    for texts in [
        &mut rows.event,
        &mut rows.site,
        &mut rows.date,
        &mut rows.round,
        &mut rows.white,
        &mut rows.black,
        &mut rows.result,
        &mut rows.eco,
        &mut rows.fen,
    ] {
        texts.push(None);
    }
    rows.moves.push(&[]);
    rows.material.push(&[]);
    rows.reach.push(&[]);
}

/// Whether the game is played by the normal rules, from a start that one tag tells.
fn tags_say_the_start(tags: Tags<'_>) -> bool {
    let n_fens = tags.iter().filter(|(name, _)| *name == b"FEN").count();
    tags.variant() == Variant::Standard && n_fens <= 1
}

/// Whether the tree has all that the text has, comments and glyphs apart.
fn is_whole(tree: &GameTree) -> bool {
    !tree.may_lack_moves() && matches!(tree.stop(), Stop::Result | Stop::End)
}

/// Notes how far the columns say what the tags say.
fn set_tag_flags(flags: &mut Flags, tags: Tags<'_>, result: &[u8]) {
    const IN_ORDER: [&[u8]; 11] = [
        b"Event",
        b"Site",
        b"Date",
        b"Round",
        b"White",
        b"Black",
        b"Result",
        b"WhiteElo",
        b"BlackElo",
        b"ECO",
        b"FEN",
    ];
    let (mut is_exact, mut has_all, mut next) = (true, true, 0);
    let mut empty = [false; 2];
    for (name, value) in tags.iter() {
        is_exact &= str::from_utf8(value).is_ok();
        let Some(place) = IN_ORDER.iter().position(|known| *known == name) else {
            has_all = false;
            continue;
        };
        has_all &= place >= next;
        next = place + 1;
        has_all &= match name {
            b"Result" => value == result,
            b"WhiteElo" => is_kept(tags, Color::White, value, &mut empty[0]),
            b"BlackElo" => is_kept(tags, Color::Black, value, &mut empty[1]),
            _ => true,
        };
    }
    // A rating may come from somewhere else, a result from the end of the moves.
    let has = |name: &[u8]| tags.raw(name).is_some();
    let is_said = |color, name| has(name) || tags.rating(color).value == 0;
    has_all &= is_said(Color::White, b"WhiteElo") && is_said(Color::Black, b"BlackElo");
    has_all &= has(b"Result") && is_exact;
    flags.set(Flags::EXACT_TEXTS, is_exact);
    flags.set(Flags::ALL_TAGS, has_all);
    flags.set(Flags::EMPTY_WHITE_ELO, has_all && empty[0]);
    flags.set(Flags::EMPTY_BLACK_ELO, has_all && empty[1]);
}

/// Whether the value of a tag with a rating can be told from the number in the column.
fn is_kept(tags: Tags<'_>, color: Color, value: &[u8], is_empty: &mut bool) -> bool {
    let rating = tags.rating(color).value;
    *is_empty = value.is_empty();
    match rating {
        0 => value.is_empty(),
        rating => value == rating.to_string().as_bytes(),
    }
}
