//! Results of a query in games that are searched together.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering as AtomicOrdering};

use flow::Results;
use pgn::LostComments;

use crate::row::GameRow;

/// A value by which games are sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortKey {
    /// No value, since the `sort` filter was never evaluated successfully. Comes last in both
    /// directions.
    None,
    /// A number.
    Number(i64),
    /// A string, compared by bytes.
    Text(Vec<u8>),
}

impl SortKey {
    /// Compares two games by a key for each sort variable; `ascending` holds the direction of each
    /// ([`Program::sort_directions`](crate::Program::sort_directions)).
    pub fn compare(a: &[SortKey], b: &[SortKey], ascending: &[bool]) -> Ordering {
        for ((a, b), &ascending) in a.iter().zip(b).zip(ascending) {
            let order = match (a, b) {
                (SortKey::None, SortKey::None) => Ordering::Equal,
                // A missing value comes last, whatever the direction.
                (SortKey::None, _) => return Ordering::Greater,
                (_, SortKey::None) => return Ordering::Less,
                (SortKey::Number(a), SortKey::Number(b)) => a.cmp(b),
                (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
                // All values of a variable have the same type.
                (SortKey::Number(_), SortKey::Text(_)) => Ordering::Less,
                (SortKey::Text(_), SortKey::Number(_)) => Ordering::Greater,
            };
            let order = if ascending { order } else { order.reverse() };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

/// The value that a game must exceed to be among the best games of a run. Its workers share it.
#[derive(Debug)]
pub struct SortFloor(AtomicI64);

impl Default for SortFloor {
    fn default() -> SortFloor {
        SortFloor(AtomicI64::new(i64::MIN))
    }
}

impl SortFloor {
    /// Raises the value: no game with this one or a lower one is wanted any more.
    pub fn raise(&self, value: i64) {
        self.0.fetch_max(value, AtomicOrdering::Relaxed);
    }

    /// Returns the value; the least number while every game is wanted.
    pub(crate) fn get(&self) -> i64 {
        self.0.load(AtomicOrdering::Relaxed)
    }
}

/// A game that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Number of the game, counted through all sources.
    pub number: u64,
    /// Range of its text in [`QueryResults::text`].
    pub text: Range<usize>,
    /// Number of its matching positions.
    pub n_positions: u64,
    /// The comments of the game that are not written as they are.
    pub lost_comments: LostComments,
    /// One key for each sort variable.
    pub sort_keys: Vec<SortKey>,
}

/// Results of a query in the games of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueryResults {
    /// Number of positions of the games whose moves were read.
    pub n_positions: u64,
    /// Number of matching positions in the matching games.
    pub n_matching_positions: u64,
    /// Text of the matching games, as it is to be written.
    pub text: Vec<u8>,
    /// The matching games, in order.
    pub matches: Vec<Match>,
    /// Text printed by `message` filters.
    pub messages: Vec<u8>,
    /// Numbers of the games that printed messages, each with the end of its messages in `messages`.
    pub message_ends: Vec<(u64, usize)>,
    /// The matching games as plain data, in order, if the worker keeps them
    /// ([`QueryWorker::with_rows`](crate::QueryWorker::with_rows)).
    pub rows: Vec<GameRow>,
}

impl QueryResults {
    /// Records that a game has been evaluated.
    pub(crate) fn end_game(&mut self, number: u64) {
        if self.messages.len() > self.messages_end() {
            self.message_ends.push((number, self.messages.len()));
        }
    }

    /// Removes everything after the `n`-th match. Returns the number of the game with that match,
    /// or `None` if there are fewer matches.
    pub fn truncate(&mut self, n: u64) -> Option<u64> {
        let last = usize::try_from(n).ok()?.checked_sub(1)?;
        let last = self.matches.get(last)?;
        let (number, end) = (last.number, last.text.end);
        self.matches.truncate(n as usize);
        self.rows.truncate(n as usize);
        self.text.truncate(end);
        self.message_ends.retain(|message| message.0 <= number);
        self.messages.truncate(self.messages_end());
        self.n_matching_positions = self.matches.iter().map(|game| game.n_positions).sum();
        Some(number)
    }

    /// Returns the messages of each game that printed some, with its number.
    pub fn messages_of_games(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut start = 0;
        self.message_ends.iter().map(move |&(number, end)| {
            let of_game = &self.messages[start..end];
            start = end;
            (number, of_game)
        })
    }

    /// Returns the end of the messages of games that have been evaluated.
    fn messages_end(&self) -> usize {
        self.message_ends.last().map_or(0, |end| end.1)
    }
}

impl Results for QueryResults {
    fn forget(&mut self, number: u64) {
        self.message_ends.pop_if(|end| end.0 == number);
        self.messages.truncate(self.messages_end());
        if let Some(found) = self.matches.pop_if(|found| found.number == number) {
            self.n_matching_positions -= found.n_positions;
        }
        let end = self.matches.last().map_or(0, |found| found.text.end);
        self.text.truncate(end);
        self.rows.pop_if(|row| row.number == number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_forgotten_however_far_it_came() {
        let mut found = QueryResults::default();
        found.text.extend(b"one");
        found.matches.push(Match {
            number: 1,
            text: 0..3,
            n_positions: 2,
            lost_comments: LostComments::default(),
            sort_keys: Vec::new(),
        });
        found.n_matching_positions = 2;
        found.messages.extend(b"said");
        found.end_game(1);
        let before = found.clone();
        found.messages.extend(b"begun");
        found.text.extend(b"begun");
        let begun = found.clone();
        found.forget(2);
        assert_eq!(found, before);
        found = begun;
        found.matches.push(Match {
            number: 2,
            text: 3..8,
            n_positions: 5,
            lost_comments: LostComments::default(),
            sort_keys: Vec::new(),
        });
        found.n_matching_positions += 5;
        found.end_game(2);
        assert_ne!(found, before);
        found.forget(2);
        assert_eq!(found, before);
        found.end_game(3);
        assert_eq!(found, before, "it said nothing");
    }

    #[test]
    fn games_are_in_the_order_of_the_query() {
        let [low, high] = [1, 2].map(|n| vec![SortKey::Number(n)]);
        let none = vec![SortKey::None];
        for (a, b, ascending, expected) in [
            (&low, &high, true, Ordering::Less),
            (&low, &high, false, Ordering::Greater),
            (&none, &high, true, Ordering::Greater),
            (&none, &high, false, Ordering::Greater),
            (&none, &none, false, Ordering::Equal),
        ] {
            assert_eq!(SortKey::compare(a, b, &[ascending]), expected);
        }
    }
}
