//! The position in which games are counted, given as a FEN or as moves, and the search for it in a
//! game.
//!
//! Most games are excluded by their first moves, without a board: a pawn that is on its initial
//! square in the position has not moved and has not been captured, and a castling right implies the
//! same for king and rook. The other games are replayed as far as the position can occur.

mod error;

use board::{Board, Color, Move, MoveList, Position, Role, Square, SquareSet, parse_fen, san};
use openings::{CodeRange, Opening, Openings};
use pgn::{GameTree, MoveCode, Step};

pub use error::{MovePlace, TargetError};

/// Number of letters that a part of a name has at least.
const SHORTEST_NAME: usize = 3;

/// Position to look for.
#[derive(Debug)]
pub struct Target {
    pub(crate) position: Position,
    /// Moves that lead to the position; empty if it was given as a FEN.
    pub(crate) moves: Vec<String>,
    /// Names of other openings, if the position was given as the name of one.
    others: Vec<String>,
    /// En passant square, if there is a legal capture.
    en_passant: Option<Square>,
    n_pieces: u32,
    /// Squares that no move starts or ends on before the position, in games from the normal start.
    still: SquareSet,
    /// Lower bound of the number of half-moves from the normal start to the position.
    fewest: usize,
}

impl Target {
    /// Parses a FEN, moves from the normal start, or a part of the name of an opening. Of several
    /// openings, the most likely one is meant: see [`Openings::called`].
    ///
    /// # Errors
    /// The text is malformed or a move is illegal.
    pub fn parse(text: &str) -> Result<Target, TargetError> {
        let text = text.trim();
        let first = text.split_whitespace().next().unwrap_or_default();
        if first.contains('/') {
            let position =
                parse_fen(text.as_bytes()).map_err(|error| TargetError::fen(text, error))?;
            return Ok(Target::of(position, Vec::new()));
        }
        if let Some(codes) = CodeRange::parse(text) {
            return Err(TargetError::Codes(codes));
        }
        Target::of_moves(text).or_else(|error| {
            if text.chars().filter(|c| c.is_alphabetic()).count() < SHORTEST_NAME {
                return Err(error);
            }
            let openings = Openings::default();
            // `Sicilian e6` has all words of a name, but moves are surely meant as such.
            if openings.spelled(text).is_none()
                && let Some(target) = Target::behind_name(text, &openings)
            {
                return target;
            }
            match openings.called(text)[..] {
                [opening, ref others @ ..] => Ok(Target {
                    others: families(opening, others),
                    ..Target::of_moves(opening.moves())?
                }),
                [] if is_name(text) => Err(TargetError::Opening {
                    text: text.to_owned(),
                    nearest: openings.nearest(text).map(str::to_owned),
                }),
                [] => Err(error),
            }
        })
    }

    /// Returns the position after moves that follow the name of an opening, as in `Najdorf 6.h3`.
    fn behind_name(text: &str, openings: &Openings) -> Option<Result<Target, TargetError>> {
        let is_move = |word: &str| {
            word.contains(|c: char| c.is_ascii_digit())
                || word.starts_with("O-O")
                || word.starts_with("o-o")
        };
        let mut blanks = text.match_indices(' ').map(|(at, _)| at);
        let (name, moves) =
            text.split_at(blanks.find(|at| text[at + 1..].split_whitespace().all(is_move))?);
        let opening = *openings.called(name).first()?;
        Some(Target::of_moves(&format!("{} {}", opening.moves(), moves.trim_start())))
    }

    /// Other openings that have the name by which the position was given, one of each family.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// Returns the query for the games that come to the position, by its board and the side to move.
    #[must_use]
    pub fn query(&self) -> String {
        let fen = self.position.fen();
        let mut fields = fen.split(' ');
        let (board, turn) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        format!("{turn}tm fen \"{board}\"")
    }

    /// Moves that lead to the position; empty if it was given as a FEN.
    #[must_use]
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    fn of_moves(text: &str) -> Result<Target, TargetError> {
        let (mut position, mut moves) = (Position::START, Vec::new());
        for (at, token) in tokens(text) {
            let place = || MovePlace {
                text: text.to_owned(),
                range: at..at + token.len(),
                after: moves.last().cloned(),
            };
            let mv = read_move(&position, token, place)?;
            moves.push(san(&position, mv).to_string());
            position.play_mut(mv);
        }
        Ok(Target::of(position, moves))
    }

    fn of(position: Position, moves: Vec<String>) -> Target {
        Target {
            position,
            moves,
            others: Vec::new(),
            en_passant: position.en_passant_capture(),
            n_pieces: position.board.occupied().len(),
            still: still(&position),
            fewest: fewest(&position),
        }
    }

    /// Whether two positions are equal as for a repetition: placement, turn, castling rights, and
    /// the captures en passant.
    #[inline]
    fn is(&self, position: &Position) -> bool {
        position.board == self.position.board
            && position.turn == self.position.turn
            && position.castling == self.position.castling
            && position.en_passant_capture() == self.en_passant
    }

    /// Returns the number of moves before the first occurrence of the position in a game without
    /// variations. `start` is the initial position of the game, if it is not the normal one.
    pub(super) fn find(&self, start: Option<&Position>, codes: &[u16]) -> Option<usize> {
        let (mut position, end) = match start {
            Some(start) => (*start, codes.len()),
            None => (Position::START, self.reach(codes)),
        };
        if start.is_none() && end < self.fewest {
            return None;
        }
        let mut at = 0;
        while !self.is(&position) {
            if at == end || position.board.occupied().len() < self.n_pieces {
                return None;
            }
            if let Step::Move(mv) = MoveCode(codes[at]).step() {
                position.play_mut(mv);
            }
            at += 1;
        }
        Some(at)
    }

    /// Returns the maximum number of moves before the position, for a game from the normal start.
    fn reach(&self, codes: &[u16]) -> usize {
        if self.still == SquareSet::EMPTY {
            return codes.len();
        }
        let leaves = |&code: &u16| {
            let Step::Move(mv) = MoveCode(code).step() else {
                return false;
            };
            !mv.is_null() && (self.still.contains(mv.from()) || self.still.contains(mv.to()))
        };
        codes.iter().position(leaves).unwrap_or(codes.len())
    }

    /// Returns the nodes of a game at which the position occurs: the first one of the main line, or
    /// all.
    pub(crate) fn nodes(&self, tree: &GameTree, variations: bool) -> Vec<usize> {
        let is_there = |&node: &usize| {
            let position = &tree.positions()[node];
            match tree.castling_setup() {
                None => self.is(position),
                Some(setup) => {
                    position.board == self.position.board
                        && self.is(&Position {
                            castling: tree.rights_of_setup(setup, node),
                            ..*position
                        })
                }
            }
        };
        if variations {
            return (0..tree.len()).filter(is_there).collect();
        }
        let mut line = std::iter::successors(Some(0), |&node| tree.next(node));
        line.find(is_there).into_iter().collect()
    }

    /// Formats the number of a move that is played `behind` half-moves after the position.
    pub(super) fn move_number(&self, behind: usize) -> String {
        numbered(&self.position, behind)
    }
}

/// Formats the number of a move that is played `behind` half-moves after a position.
pub(crate) fn numbered(position: &Position, behind: usize) -> String {
    let black = usize::from(position.turn == Color::Black);
    let number = usize::from(position.fullmove_number) + (black + behind) / 2;
    match (black + behind) % 2 {
        0 => format!("{number}."),
        _ => format!("{number}..."),
    }
}

/// Whether a text may be the name of an opening: it names no squares and is no castling.
fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || " '-,:".contains(c);
    text.chars().all(is_letter) && text.chars().filter(|c| c.is_lowercase()).count() > 2
}

/// Returns the names of the openings that belong to another family than the first, one of each.
fn families(first: &Opening, others: &[&Opening]) -> Vec<String> {
    let mut known = vec![first.family()];
    let mut names = Vec::new();
    for other in others {
        if !known.contains(&other.family()) {
            known.push(other.family());
            names.push(other.name().to_owned());
        }
    }
    names
}

/// Returns the squares of pawns that have not moved, and of kings and rooks needed for castling.
fn still(position: &Position) -> SquareSet {
    let mut still = SquareSet::EMPTY;
    for color in Color::ALL {
        let pawns = |board: &Board| board.pieces(color, Role::Pawn);
        still |= pawns(&position.board) & pawns(&Board::START);
        for king_side in [true, false] {
            if position.castling.has(color, king_side) {
                let rank = color.home_rank();
                still.insert(Square::from_coords(4, rank));
                still.insert(Square::from_coords(if king_side { 7 } else { 0 }, rank));
            }
        }
    }
    still
}

/// Returns a lower bound of the number of half-moves: every piece that is not on a square of its
/// start has moved, and only castling moves two at once.
fn fewest(position: &Position) -> usize {
    let moves = Color::ALL.map(|color| {
        let displaced: usize = Role::ALL
            .into_iter()
            .map(|role| {
                let now = position.board.pieces(color, role);
                (now - Board::START.pieces(color, role)).len() as usize
            })
            .sum();
        let king = position.board.kings(color) - Board::START.kings(color);
        displaced.saturating_sub(usize::from(!king.is_empty()))
    });
    match position.turn {
        Color::White => 2 * moves[0].max(moves[1]),
        Color::Black => 2 * moves[1].max(moves[0].saturating_sub(1)) + 1,
    }
}

/// Returns the moves of a text with their offsets, without move numbers and dots.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().filter_map(move |word| {
        let at = word.as_ptr() as usize - start;
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let rest = word[digits..].trim_start_matches(['.', '…']);
        let is_numbered = rest.len() < word.len() - digits || rest.is_empty();
        if is_numbered {
            (!rest.is_empty()).then(|| (at + word.len() - rest.len(), rest))
        } else {
            Some((at, word))
        }
    })
}

/// Normalizes the spelling of a move for comparison, by removing optional signs.
fn plain(text: &str) -> String {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let is_castling = text.starts_with(['O', 'o', '0']);
    let kept = text.chars().filter(|sign| !matches!(sign, 'x' | '=' | '-'));
    if is_castling { kept.map(|_| 'O').collect() } else { kept.collect() }
}

/// Returns the move that a word means in a position.
fn read_move(
    position: &Position,
    word: &str,
    place: impl Fn() -> MovePlace,
) -> Result<Move, TargetError> {
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let wanted = plain(word);
    let meant: Vec<Move> =
        legal.iter().copied().filter(|&mv| spellings(position, mv).contains(&wanted)).collect();
    let names = |moves: &[Move]| {
        let names = moves.iter().map(|&mv| san(position, mv).to_string());
        names.collect::<Vec<String>>()
    };
    match meant[..] {
        [mv] => Ok(mv),
        [] => {
            let letter = wanted.chars().next().filter(char::is_ascii_uppercase);
            let all = names(&legal);
            let alike = all.iter().filter(|name| match letter {
                Some(letter) => name.starts_with(letter),
                None => name.starts_with(|first: char| first.is_ascii_lowercase()),
            });
            let alike: Vec<String> = alike.cloned().collect();
            let possible = if alike.is_empty() { all } else { alike };
            Err(TargetError::Impossible { place: place(), possible })
        }
        _ => Err(TargetError::Ambiguous { place: place(), meant: names(&meant) }),
    }
}

/// Returns the accepted spellings of a move: SAN, with the square of origin or a part of it, and as
/// two squares.
fn spellings(position: &Position, mv: Move) -> Vec<String> {
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    let mut spellings = vec![plain(san(position, mv).as_str())];
    let promotion = mv.promotion().map(|role| char::from(role.letter()));
    let promotion: String = promotion.into_iter().collect();
    spellings.push(format!("{from}{to}{promotion}"));
    spellings.push(format!("{from}{to}{}", promotion.to_ascii_lowercase()));
    if mv.role() == Role::Pawn && mv.from().file() != mv.to().file() {
        spellings.push(format!("{}{}", &from[..1], &to[..1]));
    }
    if mv.role() != Role::Pawn && !mv.is_castle() {
        let letter = char::from(mv.role().letter());
        let (file, rank) = from.split_at(1);
        for origin in ["", file, rank, &from] {
            spellings.push(format!("{letter}{origin}{to}"));
        }
    }
    spellings
}

#[cfg(test)]
mod tests {
    use board::FenError;

    use super::*;

    fn target(text: &str) -> Target {
        Target::parse(text).expect(text)
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let check = |text: &str, expected: &str| {
            assert_eq!(target(text).moves.join(" "), expected, "{text}");
        };
        check("", "");
        check("1.e4 c5 2.Nf3", "e4 c5 Nf3");
        check("e4 c5 Nf3", "e4 c5 Nf3");
        check("1. e4 e5 2. Ng1f3 Nb8-c6 3. Bb5!? a6", "e4 e5 Nf3 Nc6 Bb5 a6");
        check("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
        check("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 d6", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6");
        check("1.e4 d5 2.exd5 c6 3.dc Nf6 4.cb", "e4 d5 exd5 c6 dxc6 Nf6 cxb7");
    }

    #[test]
    fn what_is_wrong_is_shown() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Target::parse(text).expect_err(text).to_string(), expected);
        };
        check(
            "1.e4 e5 2.Nf6",
            "'Nf6' is not possible here; possible: Na3, Nc3, Ne2, Nf3, Nh3\n\
             \x20 1.e4 e5 2.Nf6\n\
             \x20           ^^^ after e5",
        );
        check(
            "d4 d5 Nf3 Nf6 Nd2",
            "'Nd2' is ambiguous: Nbd2, Nfd2\n  d4 d5 Nf3 Nf6 Nd2\n                ^^^ after Nf6",
        );
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
            "this is not a FEN: side to move is not 'w' or 'b'\n\
             \x20 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1\n\
             \x20                                             ^ expected: w or b",
        );
    }

    #[test]
    fn a_name_of_an_opening_is_a_position() {
        let moves = |text| target(text).moves.join(" ");
        assert_eq!(moves("Sicilian"), "e4 c5");
        let sicilian = "wtm fen \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR\"";
        assert_eq!(target("Sicilian").query(), sicilian);
        assert_eq!(moves("najdorf"), moves("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"));
        assert_eq!(moves("Sicilian Najdorf 6.h3 e5"), moves("najdorf") + " h3 e5");
        assert_eq!(moves("Ruy Lopez a6"), moves("Ruy Lopez") + " a6");
        // Not the Najdorf with `Bg5 e6` in its name.
        let wrong = Target::parse("Sicilian e6").expect_err("impossible").to_string();
        assert!(wrong.starts_with("'e6' is not possible here"), "{wrong}");
        let wrong = Target::parse("Najdorf h4 h4").expect_err("impossible").to_string();
        assert!(wrong.starts_with("'h4' is not possible here"), "{wrong}");
        let others = target("Exchange Variation");
        assert!(others.others().len() > 2, "{:?}", others.others());
        let error = |text| Target::parse(text).expect_err(text).to_string();
        assert_eq!(
            error("Sicillian"),
            "no opening is called 'Sicillian': did you mean 'Sicilian'?"
        );
        assert_eq!(error("Xyzzy"), "no opening is called 'Xyzzy'");
        assert!(error("ab").contains("'ab' is not possible here"));
    }

    #[test]
    fn callers_see_which_moves_are_meant() {
        let error = Target::parse("d4 d5 Nf3 Nf6 Nd2").expect_err("two knights");
        let TargetError::Ambiguous { place, meant } = error else {
            panic!("{error:?}");
        };
        assert_eq!(
            (place.word(), meant.as_slice()),
            ("Nd2", &["Nbd2", "Nfd2"].map(String::from)[..])
        );
        let error = Target::parse("f3 e5 g4 Qh4 a3").expect_err("mate");
        assert!(matches!(&error, TargetError::Impossible { possible, .. } if possible.is_empty()));
        assert!(error.to_string().starts_with("there are no moves here\n"), "{error}");
        let error = Target::parse("8/8 w").expect_err("no FEN");
        assert!(std::error::Error::source(&error).is_some_and(|error| error.is::<FenError>()));
    }
}
