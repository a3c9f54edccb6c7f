//! Returns the legal moves of a position, for a board on which the user can move.

use board::{Color, MoveList, Position, parse_position, san};
use serde::Deserialize;
use serde_json::Value;
use survey::target::TargetError;

use crate::RequestError;

/// Position whose moves are wanted.
#[derive(Debug, Clone, Deserialize)]
pub struct At {
    /// The position as a FEN, or as a tag with one; of the fields, the board suffices.
    fen: String,
}

/// Returns the FEN of a text that a user copied.
fn copied(text: &str) -> String {
    let text = text.trim();
    let text =
        text.strip_prefix("[FEN \"").and_then(|text| text.strip_suffix("\"]")).unwrap_or(text);
    if text.contains(char::is_whitespace) { text.to_owned() } else { format!("{text} w - - 0 1") }
}

/// Returns the legal moves of a position, each with the position after it, and the reason why the
/// position cannot occur in a game, if there is one.
///
/// # Errors
/// The text is not a FEN. The message has it, with a mark below what is wrong.
pub fn moves(at: &At) -> Result<Value, RequestError> {
    let fen = copied(&at.fen);
    let position = parse_position(fen.as_bytes())
        .map_err(|error| RequestError::Bad(TargetError::fen(&fen, error).to_string()))?;
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let moves = legal.iter().map(|&mv| {
        object! {
            "san": san(&position, mv).as_str(),
            "from": mv.from().to_string(), "to": mv.to().to_string(),
            "promotion": mv.promotion().map(|role| char::from(role.letter())),
            "fen": position.play(mv).fen(),
        }
    });
    Ok(object! {
        "fen": position.fen(), "moves": moves.collect::<Value>(),
        "check": position.is_check(), "problem": problem(&position),
    })
}

/// Returns moves in UCI notation as they are written by players, up to one that is not legal.
#[must_use]
pub fn sans(position: &Position, moves: &str) -> Vec<String> {
    let mut here = *position;
    let mut sans = Vec::new();
    for text in moves.split_whitespace() {
        let Some(mv) = here.move_of_uci(text) else {
            break;
        };
        sans.push(san(&here, mv).as_str().to_owned());
        here = here.play(mv);
    }
    sans
}

/// Returns why a position cannot occur in a game.
#[must_use]
pub fn problem(position: &Position) -> Option<&'static str> {
    let board = &position.board;
    let [white, black] = Color::ALL.map(|color| board.kings(color).len());
    let problem = match (white, black) {
        (0, 0) => "there are no kings",
        (0, _) => "there is no white king",
        (_, 0) => "there is no black king",
        (1, 1) if position.is_legal_position() => return None,
        (1, 1) if Position { en_passant: None, ..*position }.is_legal_position() => {
            "no pawn has just passed the en passant square; write - for it"
        }
        (1, 1) => {
            let waiting = board.kings(!position.turn).single();
            let attacked = |king| board.is_attacked(king, position.turn, board.occupied());
            match position.turn {
                Color::White if waiting.is_some_and(attacked) => {
                    "it is White's move, and Black is in check"
                }
                Color::Black if waiting.is_some_and(attacked) => {
                    "it is Black's move, and White is in check"
                }
                _ => "the rules of chess do not allow these pieces on these squares",
            }
        }
        (1, _) => "there is more than one black king",
        _ => "there is more than one white king",
    };
    Some(problem)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(fen: &str) -> Value {
        moves(&At { fen: fen.to_owned() }).expect(fen)
    }

    #[test]
    fn moves_have_the_positions_after_them() {
        let start = at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let all = start["moves"].as_array().expect("moves");
        assert_eq!((all.len(), &start["problem"]), (20, &Value::Null));
        let double = all.iter().find(|mv| mv["san"] == "e4").expect("e4");
        assert_eq!((&double["from"], &double["to"]), (&json!("e2"), &json!("e4")));
        let fen = double["fen"].as_str().expect("a FEN");
        assert!(fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"), "{fen}");
    }

    #[test]
    fn a_copied_board_is_a_position() {
        let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        for text in
            ["7k/P7/8/8/8/8/8/K7", "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", &format!(" {fen}\n")]
        {
            assert_eq!(at(text)["fen"], fen, "{text}");
        }
        // The page selects what is marked.
        let RequestError::Bad(told) = moves(&At { fen: "8/8/9/8".to_owned() }).expect_err("wrong")
        else {
            panic!("the text is wrong");
        };
        assert!(told.contains("invalid sign '9'"), "{told}");
        assert!(told.contains("\n  8/8/9/8 w - - 0 1\n      ^ expected"), "{told}");
    }

    #[test]
    fn promotions_have_their_piece() {
        let promoting = at("7k/P7/8/8/8/8/8/K7 w - - 0 1");
        let all = promoting["moves"].as_array().expect("moves");
        let to: Vec<&Value> =
            all.iter().filter(|mv| mv["to"] == "a8").map(|mv| &mv["promotion"]).collect();
        assert_eq!(to.len(), 4);
        assert!(to.contains(&&json!("Q")) && to.contains(&&json!("N")), "{to:?}");
    }

    #[test]
    fn lines_are_written_as_players_do() {
        let check = |fen: &str, moves: &str, expected: &[&str]| {
            let position = parse_position(fen.as_bytes()).expect(fen);
            assert_eq!(sans(&position, moves), expected);
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(start, "e2e4 e7e5 g1f3", &["e4", "e5", "Nf3"]);
        check(start, "e2e4 e2e4 g1f3", &["e4"]);
        check("7k/P7/8/8/8/8/8/R3K3 w Q - 0 1", "a7a8q h8h7", &["a8=Q+", "Kh7"]);
        check("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", &["O-O-O"]);
    }

    #[test]
    fn impossible_positions_are_told() {
        let check = |fen: &str, expected: &str| assert_eq!(at(fen)["problem"], expected, "{fen}");
        check("8/8/8/8/8/8/8/8 w - - 0 1", "there are no kings");
        check("8/8/8/8/8/8/8/K7 w - - 0 1", "there is no black king");
        check("kk6/8/8/8/8/8/8/K7 w - - 0 1", "there is more than one black king");
        check("k7/8/8/8/8/8/8/R6K w - - 0 1", "it is White's move, and Black is in check");
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
            "no pawn has just passed the en passant square; write - for it",
        );
        check(
            "P6k/8/8/8/8/8/8/K7 w - - 0 1",
            "the rules of chess do not allow these pieces on these squares",
        );
        for text in ["", "x", "8/8 w", &"8/".repeat(10_000)] {
            assert!(moves(&At { fen: text.to_owned() }).is_err(), "{text}");
        }
    }
}
