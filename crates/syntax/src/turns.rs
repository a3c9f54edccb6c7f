//! Finds the sides of moves that are written without numbers: `e4 Nf3`, `c5 Nf3`.

use crate::san::{San, Side, is_step};

/// The men of a side, as they stand after its moves alone.
#[derive(Clone)]
struct Men {
    side: Side,
    /// The letter of each man, and its square.
    places: Vec<(u8, [u8; 2])>,
}

impl Men {
    fn at_start(side: Side) -> Men {
        let ranks = if side == Side::White { [b'1', b'2'] } else { [b'8', b'7'] };
        let files = (b'a'..=b'h').zip(*b"RNBQKBNR");
        let men = files.flat_map(|(file, piece)| {
            [(piece, [file, ranks[0]]), (b'P', [file, ranks[1]])].into_iter()
        });
        Men { side, places: men.collect() }
    }

    fn is_on(&self, square: [u8; 2]) -> bool {
        self.places.iter().any(|(_, place)| *place == square)
    }

    /// Whether a man can go from one square to another, where its own side leaves the way free.
    fn reaches(&self, piece: u8, from: [u8; 2], to: [u8; 2], capture: bool) -> bool {
        let n_files = from[0].abs_diff(to[0]);
        if piece == b'P' {
            let (ahead, home) = match self.side {
                Side::White => (to[1].checked_sub(from[1]), b'2'),
                Side::Black => (from[1].checked_sub(to[1]), b'7'),
            };
            return match (capture, ahead) {
                (true, ahead) => n_files == 1 && ahead == Some(1),
                (false, Some(1)) => n_files == 0,
                (false, ahead) => n_files == 0 && ahead == Some(2) && from[1] == home,
            };
        }
        let n = n_files.max(from[1].abs_diff(to[1]));
        let toward = |at: usize, step: u8| match from[at].cmp(&to[at]) {
            std::cmp::Ordering::Less => from[at] + step,
            std::cmp::Ordering::Equal => from[at],
            std::cmp::Ordering::Greater => from[at] - step,
        };
        let mut between = (1..n).map(|step| [toward(0, step), toward(1, step)]);
        is_step(piece, &from, &to) && (piece == b'N' || !between.any(|square| self.is_on(square)))
    }

    /// Makes a move, by which `other` may lose a man. Returns whether a man of the side can make it.
    fn play(&mut self, san: &San, other: &mut Men) -> bool {
        let may_move = |&(piece, from): &(u8, [u8; 2])| {
            san.piece.is_none_or(|named| named == piece)
                && san.file.is_none_or(|file| file == from[0])
                && san.rank.is_none_or(|rank| rank == from[1])
                && self.reaches(piece, from, san.to, san.capture)
        };
        let man = self.places.iter().position(may_move).filter(|_| !self.is_on(san.to));
        let Some(man) = man.and_then(|man| self.places.get_mut(man)) else {
            return false;
        };
        man.1 = san.to;
        other.places.retain(|(_, place)| *place != san.to);
        true
    }

    /// Returns the positions of the side after each of its moves.
    fn after_any_move(&self) -> Vec<Men> {
        let squares = (b'a'..=b'h').flat_map(|file| (b'1'..=b'8').map(move |rank| [file, rank]));
        let squares: Vec<[u8; 2]> = squares.filter(|square| !self.is_on(*square)).collect();
        let mut all = Vec::new();
        for (at, &(piece, from)) in self.places.iter().enumerate() {
            for &to in squares.iter().filter(|to| self.reaches(piece, from, **to, false)) {
                let mut men = self.clone();
                men.places[at].1 = to;
                all.push(men);
            }
        }
        all
    }
}

/// The sides of moves, as far as they are known.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Turns {
    /// The side of each. Between two moves of one side is a move of the other.
    Clear(Vec<Side>),
    /// Both sides take turns, or one side has made all moves.
    Either,
    /// They are no first moves of a game.
    Unknown,
}

/// Returns the sides of moves: White's and Black's in turn from the start of a game, Black's and
/// White's in turn after a first move, or those of the only side that can have made each.
pub(crate) fn turns(moves: &[San]) -> Turns {
    let [white, black] = [Side::White, Side::Black].map(Men::at_start);
    let in_turn = |first, mut white: Men, mut black: Men| {
        Side::in_turn(first).zip(moves).all(|(side, san)| match side {
            Side::White => white.play(san, &mut black),
            Side::Black => black.play(san, &mut white),
        })
    };
    let alternately = |first| Side::in_turn(first).take(moves.len()).collect::<Vec<_>>();
    if in_turn(Side::White, white.clone(), black.clone()) {
        return Turns::Clear(alternately(Side::White));
    }
    let after_a_move = || white.after_any_move().into_iter();
    let is_black_first = after_a_move().any(|white| in_turn(Side::Black, white, black.clone()));
    match (is_black_first, by_home(moves, white.clone(), black.clone())) {
        (true, by_home) => {
            let sides = alternately(Side::Black);
            match by_home {
                Some(other) if other != sides => Turns::Either,
                _ => Turns::Clear(sides),
            }
        }
        (false, Some(sides)) => Turns::Clear(sides),
        (false, None) => Turns::Unknown,
    }
}

/// Returns the only side that can make each move with its pieces from the start.
fn by_home(moves: &[San], mut white: Men, mut black: Men) -> Option<Vec<Side>> {
    let side = |san: &San| {
        let is_of_white = white.play(san, &mut black);
        match (is_of_white, black.play(san, &mut white)) {
            (true, false) => Some(Side::White),
            (false, true) => Some(Side::Black),
            _ => None,
        }
    };
    moves.iter().map(side).collect()
}

/// Returns the parts of a `path` for moves of these sides, with `--` for a move between two of one
/// side.
pub(crate) fn with_gaps(sides: &[Side], moves: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut parts = Vec::new();
    let mut before = None;
    for (side, text) in sides.iter().zip(moves) {
        if before == Some(side) {
            parts.push("--".to_owned());
        }
        before = Some(side);
        parts.push(text);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_moves() {
        for (text, sides) in [
            ("e4 Nf3", "ww"),
            ("e4 e5 Nf3", "wbw"),
            ("c5 Nf3", "bw"),
            ("Nf6 c4 e6", "bwb"),
            ("e5 Nf6", "bb"),
            ("g6 Bg7 Nf6", "bbb"),
            ("Nc6 Bc4", "bw"),
            ("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "wbwbwbw"),
            ("e4 d5 exd5 Qxd5", "wbwb"),
            ("e2e4 e7e5", "wb"),
            ("Nf6 e5", "?"),
            ("Nd2 Nf1", ""),
            ("e4 Nf3 h8", ""),
        ] {
            let moves: Vec<San> = text.split(' ').filter_map(San::read).collect();
            let found = match turns(&moves) {
                Turns::Clear(sides) => {
                    let letter = |side: &Side| if *side == Side::White { 'w' } else { 'b' };
                    sides.iter().map(letter).collect()
                }
                Turns::Either => "?".to_owned(),
                Turns::Unknown => String::new(),
            };
            assert_eq!(found, sides, "{text}");
        }
    }
}
