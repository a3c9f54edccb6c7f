//! Evaluates conditions that must each match somewhere in the game.
//!
//! They are evaluated once per game, at its first position. If pieces are to be chosen, a condition
//! is evaluated as soon as the pieces that it concerns have been chosen, so that a choice that
//! cannot succeed is given up early.

use board::Square;

use super::evaluator::Evaluator;
use super::slot::Slot;
use super::state::PositionResult;
use compiler::program::{Anywhere, CountedImages, Marking, WholeGame};

/// The positions at which a condition matches.
type Hits = Vec<u32>;

impl Evaluator<'_> {
    /// Whether all conditions match in the game and the current position is one of those that
    /// count.
    pub(super) fn whole_game_matches(&mut self, whole_game: &WholeGame) -> bool {
        if self.state.whole_game.is_empty() {
            let n = self.positions.len() as usize;
            self.state.whole_game.resize(n, PositionResult::default());
            let mut hits: Vec<Hits> = vec![Vec::new(); whole_game.conditions.len()];
            let kinds = self.kinds_of_men(whole_game);
            self.choose(whole_game, &kinds, &mut Vec::new(), &mut hits);
        }
        (self.state.whole_game.get(self.at as usize)).is_some_and(|result| result.matched)
    }

    /// Whether a matching position gets the marker.
    pub(super) fn is_marked(&self, id: u32) -> bool {
        let result = self.state.whole_game.get(id as usize);
        result.is_none_or(|result| result.marked)
    }

    /// Returns, for each piece, the colors and types that it has in the course of the game, as
    /// bits.
    fn kinds_of_men(&mut self, whole_game: &WholeGame) -> Vec<u16> {
        if whole_game.men.is_empty() {
            return Vec::new();
        }
        let mut kinds = Vec::new();
        let mut see = |e: &mut Self, id: u32, square: Square| {
            let man = e.at(id, |e| e.piece_id_on(square));
            let piece = e.positions.position(id).board.piece_at(square);
            if let (Some(man), Some(piece)) = (man, piece) {
                let man = usize::from(man);
                if kinds.len() <= man {
                    kinds.resize(man + 1, 0);
                }
                kinds[man] |= 1 << (6 * piece.color.index() + piece.role.index());
            }
        };
        for square in self.positions.position(0).board.occupied() {
            see(self, 0, square);
        }
        for id in 1..self.positions.len() {
            if let Some(mv) = self.positions.mv(id)
                && mv.promotion().is_some()
            {
                see(self, id, mv.to());
            }
        }
        kinds
    }

    /// Evaluates the conditions on the pieces chosen so far, then chooses the next piece.
    fn choose(
        &mut self,
        whole_game: &WholeGame,
        kinds: &[u16],
        chosen: &mut Vec<u8>,
        hits: &mut [Hits],
    ) {
        for (condition, hits) in whole_game.conditions.iter().zip(hits.iter_mut()) {
            if condition.n_men == chosen.len() && !self.matches_somewhere(condition, hits) {
                return;
            }
        }
        let Some(next) = whole_game.men.get(chosen.len()) else {
            self.accept_choice(whole_game, hits);
            return;
        };
        for (man, kinds_of_man) in (0..=u8::MAX).zip(kinds) {
            if kinds_of_man & next.kinds == 0 || chosen.contains(&man) {
                continue;
            }
            if !self.step() {
                break;
            }
            self.bind(next.variable, Slot::Piece(man));
            chosen.push(man);
            self.choose(whole_game, kinds, chosen, hits);
            chosen.pop();
        }
        self.bind(next.variable, Slot::Unbound);
    }

    /// Records the matches of a choice for which all conditions match.
    fn accept_choice(&mut self, whole_game: &WholeGame, hits: &[Hits]) {
        if self.state.fault.is_some() {
            return;
        }
        self.state.selected = true;
        let mut conditions = whole_game.conditions.iter();
        let marks_nothing = conditions.all(|condition| condition.marking == Marking::None);
        for (condition, hits) in whole_game.conditions.iter().zip(hits) {
            for (i, &id) in hits.iter().enumerate() {
                // Only marked positions count, if there are any.
                let counts = match condition.marking {
                    Marking::All => true,
                    Marking::First => i == 0,
                    Marking::None => marks_nothing && i == 0,
                };
                let result = &mut self.state.whole_game[id as usize];
                result.matched |= counts;
                result.marked |= counts && !marks_nothing;
            }
        }
    }

    /// Collects the positions at which the condition matches, and returns whether they are enough.
    fn matches_somewhere(&mut self, somewhere: &Anywhere, hits: &mut Hits) -> bool {
        hits.clear();
        let enough;
        if let Some(counted) = &somewhere.images {
            let some_image = self.hits_of_images(somewhere, counted, hits);
            enough = if counted.negated { !hits.is_empty() } else { some_image };
        } else {
            self.collect(somewhere, hits, |e| e.matches(somewhere.condition));
            enough = !hits.is_empty();
        }
        self.place_limit(&self.program.places.bools, somewhere.condition.0);
        match &somewhere.count {
            Some(range) => i32::try_from(hits.len()).is_ok_and(|n| range.contains(&n)),
            None => enough,
        }
    }

    /// Adds the positions of the region for which `matches` returns `true`.
    fn collect(
        &mut self,
        somewhere: &Anywhere,
        hits: &mut Hits,
        mut matches: impl FnMut(&mut Self) -> bool,
    ) {
        for id in 0..self.positions.len() {
            if !self.step() {
                break;
            }
            let mark = self.mark();
            if self.is_in(somewhere.region, id) && self.at(id, &mut matches) {
                hits.push(id);
            }
            self.drop_comments(mark);
        }
    }

    /// Returns whether an image matches in the required number of positions. Collects the positions
    /// of such images, or the other positions if the condition is negated.
    fn hits_of_images(
        &mut self,
        somewhere: &Anywhere,
        counted: &CountedImages,
        hits: &mut Hits,
    ) -> bool {
        let mut found = vec![false; self.positions.len() as usize];
        let mut some_image = false;
        let mut of_image = Vec::new();
        for &image in &counted.images {
            of_image.clear();
            self.collect(somewhere, &mut of_image, |e| e.matches(image));
            if !i32::try_from(of_image.len()).is_ok_and(|n| counted.count.contains(&n)) {
                continue;
            }
            some_image = true;
            for &id in &of_image {
                found[id as usize] = true;
            }
        }
        self.collect(somewhere, hits, |e| {
            let matches = found[e.at as usize] && e.matches(somewhere.condition);
            matches != counted.negated
        });
        some_image
    }
}
