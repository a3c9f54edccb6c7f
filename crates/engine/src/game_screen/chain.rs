//! Tests whether certain moves follow one another somewhere in a game.
//!
//! The moves that a path describes form an automaton. Its states are the moves that may come next,
//! one bit each. The automaton runs along the codes of a game's moves. A code tells which piece
//! moves from where to where, but not what it captures, so the conditions of a dash are relaxed
//! accordingly.

use board::{Color, Move, Role, Square, SquareSet};
use pgn::summary::Summary;
use pgn::{MoveCode, Step as CodeStep};

use compiler::facts::kind;
use compiler::program::plan::{ChainMove, MoveChain};

/// Largest number of moves that are skipped at once.
const LONGEST_SKIP: usize = 32;

/// Number of bits of a code that hold squares.
const SQUARES: u32 = 12;

/// Moves of a pattern, as bits.
type MoveBits = u64;

/// Moves that must follow one another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chain {
    /// Moves of the pattern that a piece may make, by its color and role.
    movers: [[MoveBits; 6]; 2],
    /// Moves of the pattern that may leave each square.
    from: [MoveBits; 64],
    /// Moves of the pattern that may go to each square; for captures, that of the captured piece.
    to: [MoveBits; 64],
    /// Moves that capture.
    captures: MoveBits,
    /// Moves that may be without a promotion, and moves that may have one, by the new role.
    without_promotion: MoveBits,
    promotions: [MoveBits; 6],
    /// Moves that a game move may be, by its color and by the part of its code other than squares.
    plain: [[MoveBits; 16]; 2],
    /// Codes, one bit each, for which that part does not say enough.
    odd: u16,
    /// Like `plain`, but with all moves for the codes in `odd`.
    possible: [[MoveBits; 16]; 2],
    /// Moves that a match may begin with.
    first: MoveBits,
    /// Least number of moves of a match, at most [`LONGEST_SKIP`]; 1 if other moves may come in
    /// between.
    shortest: usize,
    /// Number of positions at which no match of `shortest` moves can begin, by the color and the
    /// code of the move that would be its last one; 0 if a match may begin at the first position.
    skips: [[u8; 16]; 2],
    /// Moves that a match may end with.
    last: MoveBits,
    /// Moves that may come next, by the bit of the previous move.
    next: Vec<MoveBits>,
    /// Whether other moves may come in between.
    has_gaps: bool,
}

impl Chain {
    /// Creates the tables for a chain of moves.
    pub(super) fn new(moves: &MoveChain) -> Chain {
        let mut chain = Chain {
            movers: [[0; 6]; 2],
            from: [0; 64],
            to: [0; 64],
            captures: 0,
            without_promotion: 0,
            promotions: [0; 6],
            plain: [[0; 16]; 2],
            odd: 0,
            possible: [[0; 16]; 2],
            first: moves.first,
            shortest: 1,
            skips: [[0; 16]; 2],
            last: moves.last,
            next: moves.moves.iter().map(|mv| mv.next).collect(),
            has_gaps: moves.has_gaps,
        };
        for (mv, bit) in moves.moves.iter().zip((0..).map(|number| 1 << number)) {
            chain.add(mv, bit);
        }
        chain.finish()
    }

    /// Computes the tables that depend on all moves.
    fn finish(mut self) -> Chain {
        for code in 0..16 {
            let CodeStep::Move(mv) = MoveCode(code << SQUARES).step() else {
                continue;
            };
            if !is_plain(mv) {
                self.odd |= 1 << code;
                for of_color in &mut self.possible {
                    of_color[usize::from(code)] = self.without_promotion;
                }
                continue;
            }
            for color in Color::ALL {
                let of_man = self.movers[color.index()][mv.role().index()];
                let may_be = of_man & self.promoted(mv);
                self.plain[color.index()][usize::from(code)] = may_be;
                self.possible[color.index()][usize::from(code)] = may_be;
            }
        }
        // The moves that a match may have at each step, up to the first step that may be its last.
        let mut places = vec![self.first];
        while !self.has_gaps && places.len() < LONGEST_SKIP {
            let moves = places[places.len() - 1];
            if moves & self.last != 0 {
                break;
            }
            places.push(self.behind(moves));
        }
        self.shortest = places.len();
        for (skips, possible) in self.skips.iter_mut().zip(&self.possible) {
            for (skip, possible) in skips.iter_mut().zip(possible) {
                let before_end = places.iter().rev().take_while(|moves| *moves & possible == 0);
                *skip = before_end.count() as u8;
            }
        }
        self
    }

    /// Adds a move of the pattern with its bit.
    fn add(&mut self, wanted: &ChainMove, bit: MoveBits) {
        for color in Color::ALL {
            for role in Role::ALL {
                if wanted.movers & kind(board::Piece { color, role }) != 0 {
                    self.movers[color.index()][role.index()] |= bit;
                }
            }
        }
        let enter = |squares: SquareSet, table: &mut [MoveBits; 64]| {
            squares.into_iter().for_each(|square| table[square.index()] |= bit);
        };
        enter(wanted.from, &mut self.from);
        enter(wanted.to, &mut self.to);
        if wanted.capture {
            self.captures |= bit;
        }
        if wanted.promotion.is_none() {
            self.without_promotion |= bit;
        }
        let roles = wanted.promotion.unwrap_or(u8::MAX);
        for role in Role::ALL {
            if roles >> role.index() & 1 != 0 {
                self.promotions[role.index()] |= bit;
            }
        }
    }

    /// Whether the moves may follow one another in the game.
    pub(super) fn occurs(&self, game: &impl Summary, variations: bool) -> bool {
        let Some(moves) = game.moves() else {
            return true;
        };
        if !game.has_fen() && !game.has_variations() {
            return self.occurs_in_line(moves);
        }
        let mut now = ChainCursor {
            expected: 0,
            before: 0,
            // The side to move first is known only without a FEN tag.
            turn: (!game.has_fen()).then_some(Color::White),
        };
        let mut open: Vec<ChainCursor> = Vec::new();
        let mut left_out = 0_usize;
        for &code in moves {
            if code < MoveCode::OPEN.0 {
                if left_out > 0 {
                    continue;
                }
                let matched = (now.expected | self.first) & self.admitted(code, now.turn);
                if matched & self.last != 0 {
                    return true;
                }
                now.before = now.expected;
                now.expected = self.behind(matched);
                if self.has_gaps {
                    now.expected |= now.before;
                }
                now.turn = now.turn.map(|turn| !turn);
                continue;
            }
            match (variations, MoveCode(code).step() == CodeStep::Open) {
                (true, true) => {
                    open.push(now);
                    now.expected = now.before;
                    now.turn = now.turn.map(|turn| !turn);
                }
                (true, false) => now = open.pop().unwrap_or(now),
                (false, true) => left_out += 1,
                (false, false) => left_out = left_out.saturating_sub(1),
            }
        }
        false
    }

    /// Whether the moves may follow one another in a game without variations from the normal start,
    /// as most games are.
    ///
    /// Most moves are not looked at, as in the Boyer–Moore–Horspool search: the move at the end of
    /// the shortest possible match tells how many beginnings can be skipped.
    fn occurs_in_line(&self, moves: &[u16]) -> bool {
        let turn = |ply: usize| match ply % 2 {
            0 => Color::White,
            _ => Color::Black,
        };
        let mut start = 0;
        while let Some(&code) = moves.get(start + self.shortest - 1) {
            let color = turn(start + self.shortest - 1);
            let skip = self.skips[color.index()][usize::from(code >> SQUARES)];
            if skip > 0 {
                start += usize::from(skip);
                continue;
            }
            let mut expected = 0;
            loop {
                let Some(&code) = moves.get(start) else {
                    return false;
                };
                let color = turn(start);
                start += 1;
                let wanted = expected | self.first;
                let matched =
                    match wanted & self.possible[color.index()][usize::from(code >> SQUARES)] {
                        0 => 0,
                        _ => wanted & self.admitted(code, Some(color)),
                    };
                if matched & self.last != 0 {
                    return true;
                }
                if !self.has_gaps {
                    expected = 0;
                }
                expected |= self.behind(matched);
                // No match has begun.
                if expected == 0 {
                    break;
                }
            }
        }
        false
    }

    /// Returns the moves that may follow one of these moves.
    fn behind(&self, mut matched: MoveBits) -> MoveBits {
        let mut expected = 0;
        while matched != 0 {
            expected |= self.next[matched.trailing_zeros() as usize];
            matched &= matched - 1;
        }
        expected
    }

    /// Returns the moves of the pattern that a code may stand for.
    #[inline]
    fn admitted(&self, code: u16, turn: Option<Color>) -> MoveBits {
        let kind = usize::from(code >> SQUARES);
        if self.odd >> kind & 1 != 0 {
            return match MoveCode(code).step() {
                // None of these moves is a promotion.
                CodeStep::Move(mv) => self.admitted_oddly(mv, turn) & self.without_promotion,
                CodeStep::Open | CodeStep::Close => 0,
            };
        }
        let plain = match turn {
            Some(color) => self.plain[color.index()][kind],
            None => self.plain[0][kind] | self.plain[1][kind],
        };
        let (from, to) = (usize::from(code & 63), usize::from(code >> 6 & 63));
        plain & self.from[from] & self.to[to]
    }

    /// Returns the moves of the pattern that castling, an en passant capture or a null move may be.
    #[inline(never)]
    fn admitted_oddly(&self, mv: Move, turn: Option<Color>) -> MoveBits {
        let of_role = |role: Role| match turn {
            Some(color) => self.movers[color.index()][role.index()],
            None => self.movers[0][role.index()] | self.movers[1][role.index()],
        };
        let squares = |from: Square, to: Square| self.from[from.index()] & self.to[to.index()];
        if mv.is_null() {
            return squares(mv.from(), mv.to());
        }
        if let Some((from, to)) = mv.rook_from_to() {
            let king = of_role(Role::King) & squares(mv.from(), mv.to());
            return king | of_role(Role::Rook) & squares(from, to);
        }
        // A pawn captured en passant is not on the target square.
        let to = self.to[mv.to().index()] | self.captures;
        of_role(mv.role()) & self.from[mv.from().index()] & to & self.promoted(mv)
    }

    /// Returns the moves of the pattern that allow the promotion of a move, or its absence.
    fn promoted(&self, mv: Move) -> MoveBits {
        match mv.promotion() {
            Some(role) => self.promotions[role.index()],
            None => self.without_promotion,
        }
    }
}

/// Whether a move is made by one piece, and captures only on its target square.
fn is_plain(mv: Move) -> bool {
    !mv.is_null() && !mv.is_castle() && !mv.is_en_passant()
}

/// State of the automaton at a point of a game.
#[derive(Debug, Clone, Copy)]
struct ChainCursor {
    /// Moves that may come next in a match that has begun.
    expected: MoveBits,
    /// Value of `expected` before the last move, from which a variation starts.
    before: MoveBits,
    turn: Option<Color>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::Rng;
    use proptest::test_runner::{TestRng, TestRunner};

    use super::*;

    fn below(n: u64, rng: &mut TestRng) -> u64 {
        rng.next_u64() % n
    }

    /// Returns the bit of a random move with a chance of one in `times`, and no bit otherwise.
    fn extra(n_moves: usize, times: u64, rng: &mut TestRng) -> MoveBits {
        if below(times, rng) == 0 { 1 << below(n_moves as u64, rng) } else { 0 }
    }

    /// Returns a chain of moves of few kinds.
    fn chain(rng: &mut TestRng) -> Chain {
        let n_moves = 1 + below(6, rng) as usize;
        let has_gaps = below(4, rng) == 0;
        let moves = (0..n_moves).map(|i| ChainMove {
            capture: below(2, rng) == 0,
            movers: 1 << below(12, rng) | 1 << below(12, rng),
            from: SquareSet::ALL,
            to: SquareSet::ALL,
            promotion: None,
            // Mostly the next move, as in a path, and sometimes others.
            next: 1 << ((i + 1) % n_moves) | extra(n_moves, 3, rng),
        });
        let moves = moves.collect();
        let last = 1 << (n_moves - 1) | extra(n_moves, 4, rng);
        Chain::new(&MoveChain { moves, first: 1, last, has_gaps })
    }

    /// Finds the moves as [`Chain::occurs`] does, but by testing each move of the game.
    fn occurs_slowly(chain: &Chain, moves: &[u16]) -> bool {
        let mut expected = 0;
        moves.iter().zip([Color::White, Color::Black].into_iter().cycle()).any(|(&code, turn)| {
            let matched = (expected | chain.first) & chain.admitted(code, Some(turn));
            expected = chain.behind(matched) | if chain.has_gaps { expected } else { 0 };
            matched & chain.last != 0
        })
    }

    #[test]
    fn no_match_is_skipped() {
        let mut runner = TestRunner::deterministic();
        let rng = runner.rng();
        let mut n_found = 0;
        for _ in 0..20_000 {
            let chain = chain(rng);
            let moves: Vec<u16> = (0..below(40, rng))
                // of few kinds, so that many of them match
                .map(|_| ((below(9, rng) << SQUARES) | below(1 << SQUARES, rng)) as u16)
                .collect();
            let want = occurs_slowly(&chain, &moves);
            assert_eq!(chain.occurs_in_line(&moves), want, "{chain:?} {moves:?}");
            n_found += usize::from(want);
        }
        assert!((2_000..18_000).contains(&n_found), "{n_found} of them occur");
    }
}
