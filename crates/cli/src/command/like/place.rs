//! Separates the games from the position, and reads the position.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use board::{Board, parse_fen};

use crate::command::names::looks_like_fen;
use crate::failure::Failure;

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
    let position: Vec<String> = position.iter().map(text).collect();
    let position = position.join(" ");
    if names.is_empty() {
        return Err(Failure::Message(match parse(&position) {
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
