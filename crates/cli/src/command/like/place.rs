//! Separates the games from the position, and reads the position.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use board::{Board, parse_fen};

use crate::command::names::looks_like_fen;
use crate::failure::{Failure, wrong_argument};

/// The position that others are compared with.
#[derive(Debug, PartialEq)]
pub(super) enum Given {
    Board(Board),
    /// A position of one of the games, by the number of the game.
    Game {
        number: u64,
        ply: u32,
    },
}

impl Given {
    pub(super) fn is_game(&self) -> bool {
        matches!(self, Given::Game { .. })
    }
}

/// Separates the names of the games from the position, which is a FEN in one word or several, or
/// `GAME:PLY`.
pub(super) fn split(words: &[OsString]) -> Result<(Vec<PathBuf>, Given), Failure> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let is_fen = |word: &OsString| looks_like_fen(&text(word)) && !Path::new(word).exists();
    let place = words.iter().position(is_fen).or_else(|| words.len().checked_sub(1));
    let (names, position) = words.split_at(place.unwrap_or_default());
    let is_file = |word: &OsString| Path::new(word).exists();
    // With the position first, the games begin at the first file.
    let (names, position) = match position.iter().position(is_file) {
        Some(end) if names.is_empty() && end > 0 => (&position[end..], &position[..end]),
        _ => (names, position),
    };
    let position: Vec<String> = position.iter().map(text).collect();
    let position = position.join(" ");
    if names.is_empty() {
        return Err(wrong_argument(match parse(&position) {
            Ok(_) => "give the games before the position".to_owned(),
            Err(_) => format!("give a position after {position}: a FEN, or GAME:PLY such as 12:36"),
        }));
    }
    let given = parse(&position).map_err(Failure::Message)?;
    Ok((names.iter().map(PathBuf::from).collect(), given))
}

fn parse(text: &str) -> Result<Given, String> {
    if text.contains('/') {
        // The side to move does not matter, and may be left out.
        let turn = if text.contains(' ') { "" } else { " w" };
        return match parse_fen(format!("{text}{turn}").as_bytes()) {
            Ok(position) => Ok(Given::Board(position.board)),
            Err(error) => Err(format!("'{text}' is not a FEN: {error}")),
        };
    }
    let number = text.split_once(':').and_then(|(game, ply)| {
        let number = game.parse().ok().filter(|number| (1..=i32::MAX as u64).contains(number))?;
        Some(Given::Game { number, ply: ply.parse().ok()? })
    });
    number
        .ok_or_else(|| format!("'{text}' is not a position: give a FEN, or GAME:PLY such as 12:36"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_may_be_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("g.pgn");
        std::fs::write(&file, "*").expect("written");
        let fen = "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1";
        let games = vec![file.clone()];
        let check = |words: &[&str], expected: Option<Given>| {
            let words: Vec<OsString> = words
                .iter()
                .flat_map(|word| match *word {
                    "FILE" => vec![file.clone().into()],
                    "FEN" => vec![fen.into()],
                    "WORDS" => fen.split(' ').map(OsString::from).collect(),
                    other => vec![other.into()],
                })
                .collect();
            let found = split(&words).ok();
            assert_eq!(found, expected.map(|given| (games.clone(), given)), "{words:?}");
        };
        let given = || parse(fen).ok();
        check(&["FILE", "FEN"], given());
        check(&["FEN", "FILE"], given());
        check(&["WORDS", "FILE"], given());
        check(&["FEN"], None);
        check(&["FEN", "nosuch.pgn"], None);
        check(&["FILE"], None);
    }
}
