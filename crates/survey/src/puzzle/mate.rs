//! Proves mates in a few moves.
//!
//! All moves of both sides are tried, so that what is found is proved, and so is what is not found.

use std::ops::ControlFlow;

use board::{Checks, Move, MoveList, Position, SquareSet};

/// Reason why a search has no result: it has visited as many positions as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfSteps;

/// Search for mates that visits a bounded number of positions.
pub(super) struct MateSearch {
    n_left: u64,
}

/// First moves of the shortest mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// Number of moves until mate.
    pub(super) n_moves: u8,
    /// Every first move that mates in so many moves.
    pub(super) moves: Vec<Move>,
}

impl MateSearch {
    pub(super) fn new(n_positions: u64) -> MateSearch {
        MateSearch { n_left: n_positions }
    }

    fn step(&mut self, n_positions: u64) -> Result<(), OutOfSteps> {
        self.n_left = self.n_left.checked_sub(n_positions).ok_or(OutOfSteps)?;
        Ok(())
    }

    /// Returns the positions after checks that are not mate; `None` if one is mate.
    fn checks(&mut self, position: &Position) -> Result<Option<Vec<Position>>, OutOfSteps> {
        let mut checks = Vec::new();
        let mut is_mate = false;
        let mut n_tried = 0;
        let mut add = |mv: Move| {
            n_tried += 1;
            let next = position.play(mv);
            if !next.is_check() || !position.is_safe(mv) {
                return ControlFlow::Continue(());
            }
            if !next.has_answer_to_check() {
                is_mate = true;
                return ControlFlow::Break(());
            }
            checks.push(next);
            ControlFlow::Continue(())
        };
        let visit = |role, from, targets: SquareSet| {
            position.moves_to(role, from, targets).try_for_each(&mut add)
        };
        let _ = match Checks::new(position) {
            Some(masks) => position.visit_checks_from(&masks, SquareSet::ALL, visit),
            None => position.visit_pseudolegal(visit),
        };
        self.step(n_tried + 1)?;
        Ok((!is_mate).then_some(checks))
    }

    /// Whether the side to move can mate in at most `n` moves.
    pub(super) fn is_mate_in(&mut self, position: &Position, n: u8) -> Result<bool, OutOfSteps> {
        // The shortest mates first, then checks, which have few replies.
        let Some(checks) = self.checks(position)? else {
            return Ok(true);
        };
        if n < 2 {
            return Ok(false);
        }
        let mut killer = None;
        for next in &checks {
            if self.is_lost_in(next, n - 1, &mut killer)? {
                return Ok(true);
            }
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let next = position.play(mv);
            if !next.is_check() && self.is_lost_in(&next, n - 1, &mut killer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move has a reply, and is mated in at most `n` more moves after each.
    /// `killer` is the reply that has refuted another move, and then the one that refutes this.
    fn is_lost_in(
        &mut self,
        position: &Position,
        n: u8,
        killer: &mut Option<Move>,
    ) -> Result<bool, OutOfSteps> {
        self.step(1)?;
        let killed = killer.filter(|reply| position.is_legal(*reply));
        if let Some(reply) = killed
            && !self.is_mate_in(&position.play(reply), n)?
        {
            return Ok(false);
        }
        let mut replies = MoveList::new();
        position.legal_moves(&mut replies);
        for reply in &replies {
            if killed != Some(*reply) && !self.is_mate_in(&position.play(*reply), n)? {
                *killer = Some(*reply);
                return Ok(false);
            }
        }
        Ok(!replies.is_empty())
    }

    /// Whether a move mates in at most `n` moves, itself included.
    pub(super) fn mates(
        &mut self,
        position: &Position,
        mv: Move,
        n: u8,
    ) -> Result<bool, OutOfSteps> {
        self.step(1)?;
        let next = position.play(mv);
        if next.is_mate() {
            return Ok(true);
        }
        Ok(n > 1 && self.is_lost_in(&next, n - 1, &mut None)?)
    }

    /// Returns the first moves of the shortest mate in at most `most` moves.
    pub(super) fn keys(
        &mut self,
        position: &Position,
        most: u8,
    ) -> Result<Option<Keys>, OutOfSteps> {
        for n_moves in 1..=most {
            if self.is_mate_in(position, n_moves)? {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                let mut keys = Vec::new();
                for mv in moves {
                    if self.mates(position, mv, n_moves)? {
                        keys.push(mv);
                    }
                }
                return Ok(Some(Keys { n_moves, moves: keys }));
            }
        }
        Ok(None)
    }

    /// Whether the side to move can mate in at most `n` moves by checks alone, which is quickly
    /// answered.
    pub(super) fn is_mate_by_checks(
        &mut self,
        position: &Position,
        n: u8,
    ) -> Result<bool, OutOfSteps> {
        let Some(checks) = self.checks(position)? else {
            return Ok(true);
        };
        for next in checks.iter().filter(|_| n > 1) {
            let mut replies = MoveList::new();
            next.legal_moves(&mut replies);
            let mut all = true;
            for reply in replies {
                all = all && self.is_mate_by_checks(&next.play(reply), n - 1)?;
            }
            if all {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the main line of a mate in `n` moves with the given first move, and the other moves
    /// that mate at its end; `None` if after each reply that holds out longest, another move than
    /// the one of the line mates as fast. Of several replies, those after which fewer moves mate
    /// at the end come first, then those that are preferred.
    pub(super) fn line(
        &mut self,
        position: &Position,
        first: Move,
        n: u8,
        prefers: &mut dyn FnMut(&Position, Move) -> bool,
    ) -> Result<Option<MateLine>, OutOfSteps> {
        let next = position.play(first);
        if n == 1 {
            return Ok(Some(MateLine { moves: vec![first], others: Vec::new() }));
        }
        let mut replies = MoveList::new();
        next.legal_moves(&mut replies);
        replies.sort_by_key(|reply| !prefers(&next, *reply));
        let mut best: Option<MateLine> = None;
        for reply in replies {
            let after = next.play(reply);
            // Shorter mates are no main lines.
            if n > 2 && self.is_mate_in(&after, n - 2)? {
                continue;
            }
            let Some(keys) = self.keys(&after, n - 1)? else {
                continue;
            };
            let (Some(&key), others) = (keys.moves.first(), keys.moves.get(1..).unwrap_or(&[]))
            else {
                continue;
            };
            if n > 2 && !others.is_empty() {
                continue;
            }
            let Some(mut line) = self.line(&after, key, n - 1, prefers)? else {
                continue;
            };
            line.moves.splice(0..0, [first, reply]);
            if n == 2 {
                line.others = others.to_vec();
            }
            let is_better = best.as_ref().is_none_or(|best| line.others.len() < best.others.len());
            if is_better {
                best = Some(line);
            }
        }
        Ok(best)
    }
}

/// Moves of both sides that end in mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MateLine {
    pub(super) moves: Vec<Move>,
    /// Other moves that mate in place of the last one.
    pub(super) others: Vec<Move>,
}

#[cfg(test)]
mod tests {
    use board::{parse_fen, san};

    use super::*;

    fn keys(fen: &str, most: u8) -> Option<(u8, Vec<String>)> {
        let position = parse_fen(fen.as_bytes()).expect("a position");
        let keys = MateSearch::new(10_000_000).keys(&position, most).expect("enough steps")?;
        let sans = keys.moves.iter().map(|mv| san(&position, *mv).as_str().to_owned());
        Some((keys.n_moves, sans.collect()))
    }

    #[test]
    fn the_shortest_mate_is_found_with_all_its_keys() {
        let check = |fen: &str, most: u8, expected: Option<(u8, &[&str])>| {
            let found = keys(fen, most);
            let found = found.as_ref().map(|(n, keys)| (*n, keys.iter().map(|k| &**k).collect()));
            let expected = expected.map(|(n, keys)| (n, keys.to_vec()));
            assert_eq!(found, expected, "{fen}");
        };
        check("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", 1, Some((1, &["Re8#"])));
        check("6k1/5ppp/8/8/8/8/4Q3/4R1K1 w - - 0 1", 3, Some((1, &["Qe8#"])));
        // A quiet key: the king is locked in.
        check("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2, Some((2, &["Kf7"])));
        check("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 1, None);
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 2, None);
        // Stalemate is no mate.
        check("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 1, None);
        check("k7/8/1K6/8/8/8/8/1Q5R w - - 0 1", 2, Some((1, &["Rh8#"])));
        // Smothered mate in two after the double check.
        check("6rk/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 2, Some((1, &["Nf7#", "Qxg8#"])));
        check("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 2, Some((2, &["Qg8+"])));
    }

    #[test]
    fn checks_alone_find_only_checks() {
        let smothered = parse_fen(b"5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1").expect("a position");
        let quiet = parse_fen(b"7k/8/5K2/8/8/8/8/6R1 w - - 0 1").expect("a position");
        let mut search = MateSearch::new(10_000);
        assert_eq!(search.is_mate_by_checks(&smothered, 2), Ok(true));
        assert_eq!(search.is_mate_by_checks(&smothered, 1), Ok(false));
        assert_eq!(search.is_mate_by_checks(&quiet, 2), Ok(false));
    }

    #[test]
    fn a_search_ends_when_it_is_out_of_steps() {
        let position = parse_fen(b"5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1").expect("a position");
        assert_eq!(MateSearch::new(20).is_mate_in(&position, 3), Err(OutOfSteps));
    }

    #[test]
    fn a_line_takes_the_longest_defence() {
        let position = parse_fen(b"5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1").expect("a position");
        let mut search = MateSearch::new(1_000_000);
        let keys = search.keys(&position, 3).expect("steps").expect("a mate");
        let line = search.line(&position, keys.moves[0], 2, &mut |_, _| false);
        let line = line.expect("steps").expect("a line");
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["b3g8", "f8g8", "h6f7"]);
        assert!(line.others.is_empty());
    }
}
