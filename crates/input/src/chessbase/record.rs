//! Records of the index: where the moves of a game are, and most of its tags.

use crate::bytes::Bytes;

/// Size of a record, and of the header before the first one.
pub(super) const RECORD: usize = 46;

/// Kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordKind {
    Game,
    /// A page of text between the games.
    Text,
    /// A game or text that is marked as deleted.
    Deleted,
    /// No game yet.
    Unused,
}

impl RecordKind {
    pub(super) fn of(record: &[u8; RECORD]) -> RecordKind {
        match record[0] {
            flags if flags & 0x80 != 0 => RecordKind::Deleted,
            flags if flags & 2 != 0 => RecordKind::Text,
            flags if flags & 1 != 0 => RecordKind::Game,
            _ => RecordKind::Unused,
        }
    }
}

/// Record of a game. Names are given by their numbers.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) moves: u64,
    /// Place of the annotations, or 0.
    pub(super) annotations: u64,
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) tournament: u32,
    pub(super) annotator: u32,
    pub(super) source: u32,
    pub(super) date: u32,
    pub(super) result: u32,
    pub(super) round: u32,
    pub(super) subround: u32,
    pub(super) white_elo: u32,
    pub(super) black_elo: u32,
    pub(super) eco: u32,
}

impl Entry {
    /// Reads the record of a game.
    pub(super) fn read(record: &[u8; RECORD]) -> Entry {
        Entry::parse(Bytes(&record[1..])).unwrap_or_default()
    }

    fn parse(mut bytes: Bytes<'_>) -> Option<Entry> {
        let mut number = |n| bytes.big(n).map(|number| number as u32);
        let moves = number(4)?;
        let annotations = number(4)?;
        let [white, black, tournament, annotator, source, date] =
            [number(3)?, number(3)?, number(3)?, number(3)?, number(3)?, number(3)?];
        // The evaluation of a line that is no game is between the result and the round.
        let [result, _, round, subround] = [number(1)?, number(1)?, number(1)?, number(1)?];
        let [white_elo, black_elo, eco] = [number(2)?, number(2)?, number(2)?];
        Some(Entry {
            moves: moves.into(),
            annotations: annotations.into(),
            white,
            black,
            tournament,
            annotator,
            source,
            date,
            result,
            round,
            subround,
            white_elo,
            black_elo,
            eco,
        })
    }

    /// Result as in PGN, and how it came about if it was not played.
    pub(super) fn result(&self) -> (&'static str, Option<&'static str>) {
        const UNPLAYED: Option<&str> = Some("forfeit");
        match self.result {
            0 => ("0-1", None),
            1 => ("1/2-1/2", None),
            2 => ("1-0", None),
            4 => ("0-1", UNPLAYED),
            5 => ("1/2-1/2", UNPLAYED),
            6 => ("1-0", UNPLAYED),
            7 => ("*", Some("double forfeit")),
            _ => ("*", None),
        }
    }

    /// Round as in PGN.
    pub(super) fn round(&self) -> String {
        match (self.round, self.subround) {
            (0, 0) => "?".to_owned(),
            (0, subround) => format!("?.{subround}"),
            (round, 0) => round.to_string(),
            (round, subround) => format!("{round}.{subround}"),
        }
    }

    /// Code of the opening.
    pub(super) fn eco(&self) -> Option<String> {
        let code = (self.eco / 128).checked_sub(1).filter(|code| *code < 500)?;
        let letter = char::from(b"ABCDE"[code as usize / 100]);
        Some(format!("{letter}{:02}", code % 100))
    }
}
