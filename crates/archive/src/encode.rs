//! Encodes the text of a game as a row of columns.

use board::Color;
use pgn::doctor::is_plainly_sound;
use pgn::summary::Reach;
use pgn::tags::Ratings;
use pgn::{
    GameTree, RawGame, Stop, Summarizer, TagIndex, TagTable, Tags, TextTags, Variant, Verbatim,
    decode,
};

use crate::ipc::checksum;
use crate::rows::{Coverage, Flags, Rows};

/// Parses games and appends their rows, reusing its memory from game to game.
#[derive(Debug, Default)]
pub struct Encoder {
    index: TagIndex,
    tree: GameTree,
    summarizer: Summarizer,
    verbatim: Verbatim,
    buffer: Vec<u8>,
    no_tags: TagTable,
}

impl Encoder {
    /// Appends the row of a game. The caller fills in the source.
    pub fn encode(&mut self, raw: &RawGame<'_>, rows: &mut Rows) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let with_moves = self.index.tags(text);
        let tags = *with_moves;
        let known = TagScan::of(tags);
        // A sound game follows the standard rules, and at most one tag gives its start.
        let is_sound = raw.faults.is_empty()
            && raw.losses.is_empty()
            && known.n_fens <= 1
            && tags.variant() == Variant::Standard
            && with_moves.loss().is_none()
            && is_alone(raw);
        if is_sound {
            self.tree.parse(with_moves);
        }
        let summary = if is_sound && is_whole(&self.tree, with_moves) {
            // The tags are already in `known`, so the summary needs none.
            self.summarizer.summarize(&self.tree, self.no_tags.tags())
        } else {
            None
        };
        let class = match &summary {
            None => Coverage::Text,
            Some(summary) if summary.has_variations || summary.has_annotations => {
                Coverage::Annotated
            }
            Some(_) => Coverage::Plain,
        };
        let mut flags = Flags::of_class(class);
        let result = match &summary {
            None => tags.result(),
            Some(summary) => summary.result,
        };
        let result = result.as_str().as_bytes();
        known.set_flags(&mut flags, result);
        let is_complete = class == Coverage::Plain && flags.has(Flags::ALL_TAGS);
        flags.set(Flags::SOUND, is_complete && is_plainly_sound(raw, with_moves, &self.tree));
        rows.n_rows += 1;
        rows.source.push(None);
        rows.offset.push(raw.offset);
        rows.length.push(raw.text.len() as u32);
        rows.checksum.push(checksum(raw.text) as u32);
        known.push(rows);
        rows.result.push(Some(result));
        if let Some(summary) = summary {
            let whole = summary.has_variations.then_some(summary.whole.kinds);
            flags.set_kinds(summary.mainline.kinds, whole);
            flags.set(Flags::ANNOTATIONS, summary.has_annotations);
            flags.set(Flags::FEN, summary.has_fen);
            if class == Coverage::Plain && self.verbatim.is_as_written(with_moves, &self.tree) {
                flags.set_as_written();
            }
            let whole = summary.whole.reach.filter(|_| summary.has_variations);
            rows.push_squares(summary.mainline.reach.unwrap_or(&[0; 12]));
            rows.variation_squares.push(whole.map_or(&[], |reach| &reach[..]));
            rows.moves.push(summary.moves.unwrap_or_default());
            rows.material.push(summary.material.unwrap_or_default());
        } else {
            rows.push_no_moves();
        }
        rows.flags.push(flags.0);
    }
}

/// Tags with columns, in the order of the columns.
const NAMES: [&[u8]; 11] = [
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

// Indexes into `NAMES`.
const RESULT: usize = 6;
const ELOS: [usize; 2] = [7, 8];
const FEN: usize = 10;

/// Tags of a game that have columns, collected in one pass.
struct TagScan<'a> {
    /// Values as written in the text.
    values: [Option<&'a [u8]>; NAMES.len()],
    ratings: Ratings,
    n_fens: usize,
    /// Whether all values are UTF-8.
    is_exact: bool,
    /// Whether there are no other tags, and these are in the order of `NAMES`, each at most once.
    is_all: bool,
}

impl<'a> TagScan<'a> {
    fn of(tags: Tags<'a>) -> TagScan<'a> {
        let mut known = TagScan {
            values: [None; NAMES.len()],
            ratings: Ratings::default(),
            n_fens: 0,
            is_exact: true,
            is_all: true,
        };
        let mut next = 0;
        for (name, value) in tags.iter() {
            known.ratings.see(name, value);
            known.is_exact &= str::from_utf8(value).is_ok();
            // Most games have their tags in this order.
            let place = match NAMES.get(next) {
                Some(known) if *known == name => Some(next),
                _ => NAMES.iter().position(|known| *known == name),
            };
            let Some(place) = place else {
                known.is_all = false;
                continue;
            };
            known.is_all &= place >= next;
            next = place + 1;
            known.n_fens += usize::from(place == FEN);
            known.values[place] = Some(value);
        }
        known
    }

    /// The rating tag of a player, as written.
    fn elo(&self, color: Color) -> Option<&'a [u8]> {
        self.values[ELOS[color.index()]]
    }

    /// Sets the flags that record how completely the columns represent the tags.
    fn set_flags(&self, flags: &mut Flags, result: &[u8]) {
        let is_said = |color: Color| match (self.elo(color), self.ratings.of(color).value) {
            // A rating may come from another tag.
            (None, rating) => rating == 0,
            (Some(value), 0) => value.is_empty(),
            (Some(value), rating) => value == rating.to_string().as_bytes(),
        };
        let is_empty = |color: Color| self.elo(color).is_some_and(<[u8]>::is_empty);
        // The result may come from the end of the movetext instead of the tag.
        let has_all = self.is_all
            && self.is_exact
            && self.values[RESULT] == Some(result)
            && is_said(Color::White)
            && is_said(Color::Black);
        flags.set(Flags::EXACT_TEXTS, self.is_exact);
        flags.set(Flags::ALL_TAGS, has_all);
        flags.set(Flags::EMPTY_WHITE_ELO, has_all && is_empty(Color::White));
        flags.set(Flags::EMPTY_BLACK_ELO, has_all && is_empty(Color::Black));
    }

    /// Appends the cells of the tags, except the result.
    fn push(&self, rows: &mut Rows) {
        rows.white_elo.push(self.ratings.of(Color::White).value);
        rows.black_elo.push(self.ratings.of(Color::Black).value);
        let [event, site, date, round, white, black, _, _, _, eco, fen] = self.values;
        for (texts, value) in [
            (&mut rows.event, event),
            (&mut rows.site, site),
            (&mut rows.date, date),
            (&mut rows.round, round),
            (&mut rows.white, white),
            (&mut rows.black, black),
            (&mut rows.eco, eco),
            (&mut rows.fen, fen),
        ] {
            if self.is_exact {
                texts.push(value)
            } else {
                texts.push(value.map(decode).as_deref().map(str::as_bytes))
            }
        }
    }
}

/// Appends the row of a skipped game.
pub(crate) fn skip(offset: u64, rows: &mut Rows) {
    rows.n_rows += 1;
    rows.source.push(None);
    rows.offset.push(offset);
    rows.length.push(0);
    rows.checksum.push(0);
    rows.flags.push(Flags::of_class(Coverage::Skipped).0);
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
    rows.push_no_moves();
}

impl Rows {
    fn push_squares(&mut self, reach: &Reach) {
        for (column, squares) in self.squares.iter_mut().zip(reach) {
            column.push(*squares);
        }
    }

    /// Appends the cells of a game whose moves are not stored in columns.
    fn push_no_moves(&mut self) {
        self.moves.push(&[]);
        self.material.push(&[]);
        self.variation_squares.push(&[]);
        self.push_squares(&[0; 12]);
    }
}

/// Whether the text of a sound game gives that game even without the text before it. An archived
/// game is read from its own text only.
fn is_alone(raw: &RawGame<'_>) -> bool {
    let is_read_alone = || RawGame::exactly(raw.text).is_some();
    // A tag begins a game whatever precedes it, and the end of a sound game depends only on its own
    // text.
    let begins_anywhere = raw.text.starts_with(b"[");
    debug_assert!(!begins_anywhere || is_read_alone());
    begins_anywhere || is_read_alone()
}

/// Whether the tree represents the complete text, except comments in braces and glyphs, and reading
/// it caused no losses to report.
fn is_whole(tree: &GameTree, tags: TextTags<'_>) -> bool {
    let has_line_comments = || tree.n_unwritten_comments(tags, true) > 0;
    let lacks_more = || tree.may_lack_more() && !tree.other_losses(tags).is_empty();
    !tree.may_lack_moves()
        && matches!(tree.stop(), Stop::Result | Stop::End)
        && !lacks_more()
        && !has_line_comments()
}
