//! Checks that an archive contains what was written, and that it still fits its files.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use flow::Cancel;
use pgn::GameTree;

use crate::archive::Archive;
use crate::error::{Error, Refusal};
use crate::manifest::{ArchivedFile, TextAccess};
use crate::plan::hash_file;
use crate::rows::{Coverage, Rows, StoredGame};
use crate::texts::Text;
use crate::themes::Themes;

/// Result of checking an archive.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Descriptions of what is wrong: lower case, no full stop.
    pub faults: Vec<String>,
    /// Whether a text that the archive should store is missing or damaged.
    pub lacks_text: bool,
    /// Number of games whose columns were read.
    pub n_games: u64,
    /// Whether the check was cancelled before its end.
    pub cancelled: bool,
}

impl Archive {
    /// Reads the whole archive and reports what is wrong. `visit` receives the number of games read
    /// so far.
    pub fn check(&self, cancel: &Cancel, visit: &mut dyn FnMut(u64)) -> CheckReport {
        let mut checked = CheckReport::default();
        if !self.manifest().complete {
            let what = "its build was not finished: build it again to resume";
            checked.faults.push(what.to_owned());
        }
        let (mut rows, mut tree) = (Rows::default(), GameTree::default());
        let sources = self.manifest().sources.iter();
        let sources: HashSet<&str> = sources.map(|source| source.name.as_str()).collect();
        let texts = self.check_texts(cancel, &mut checked);
        for number in 0..self.n_segments() {
            if let Err(error) = self.check_segment(number, &sources, &texts, &mut rows, &mut tree) {
                let name = &self.manifest().segments[number].name;
                checked.faults.push(format!("{name}: {error}"));
            } else {
                checked.n_games += rows.len() as u64;
            }
            visit(checked.n_games);
            if cancel.is_cancelled() {
                checked.cancelled = true;
                return checked;
            }
        }
        match Themes::of(self) {
            Ok(None) => {}
            Ok(Some(themes)) => checked.faults.extend(themes.check(self)),
            Err(error) => checked.faults.push(error.to_string()),
        }
        for file in &self.manifest().files {
            if !self.manifest().has_only(file)
                && let Err(error) = check_file(file, cancel)
            {
                checked.faults.push(error.to_string());
            }
        }
        checked.cancelled = cancel.is_cancelled();
        checked
    }

    /// Decompresses all texts to verify them. Returns those of PGN sources by source name.
    fn check_texts(&self, cancel: &Cancel, checked: &mut CheckReport) -> HashMap<&[u8], Text> {
        let mut texts = HashMap::new();
        for (number, source) in self.manifest().sources.iter().enumerate() {
            let opened = self.open_text(number).and_then(|text| {
                match &text {
                    Some(text) => text.sum(b'\n', || !cancel.is_cancelled()).map(drop)?,
                    None if self.manifest().keeps_text() => {
                        return Err(Error::unreadable("", Refusal::NoText));
                    }
                    None => {}
                }
                Ok(text)
            });
            match opened {
                Ok(Some(text))
                    if matches!(source.form, TextAccess::Pgn | TextAccess::PackedPgn) =>
                {
                    texts.insert(source.name.as_bytes(), text);
                }
                // Games made from lines of a source are not stored in this form, so they cannot be
                // compared.
                Ok(_) => {}
                Err(error) => {
                    checked.lacks_text = true;
                    let name = &source.name;
                    checked.faults.push(format!("the text of {name}: {error}"));
                }
            }
        }
        texts
    }

    fn check_segment(
        &self,
        number: usize,
        sources: &HashSet<&str>,
        texts: &HashMap<&[u8], Text>,
        rows: &mut Rows,
        tree: &mut GameTree,
    ) -> Result<(), Error> {
        let mut segment = self.segment(number)?;
        segment.read_all(rows)?;
        let n_texts = rows.source.n_texts() as u32;
        let names = (0..n_texts).map(|number| rows.source.text(number).unwrap_or_default());
        let is_known = |name: &[u8]| str::from_utf8(name).is_ok_and(|name| sources.contains(name));
        if !names.into_iter().all(is_known) {
            return Err(Error::Damaged("it has games of an unknown source".to_owned()));
        }
        if self.manifest().is_too_old() {
            return Err(Error::unreadable("", Refusal::Old));
        }
        if !segment.is_of(rows) {
            let what = "bytes that no search reads were changed";
            return Err(Error::Damaged(what.to_owned()));
        }
        for row in 0..rows.len() {
            let has_source = rows.source.get(row).is_some();
            if !has_source || !is_playable(rows.game(row), tree) {
                return Err(Error::Damaged(format!("game {} is damaged", row + 1)));
            }
            let text = texts.get(rows.source.get(row).unwrap_or_default());
            if let Some(text) = text
                && !is_of_text(rows, row, text)?
            {
                let what = format!("the text in it is not that of game {}", row + 1);
                return Err(Error::Damaged(what));
            }
        }
        Ok(())
    }
}

/// Whether each move of a game is made with a piece of the side to move that is on its square.
fn is_playable(game: StoredGame<'_>, tree: &mut GameTree) -> bool {
    if game.class() > Coverage::Annotated {
        return true;
    }
    let is_possible = |tree: &GameTree, node: usize| {
        let position = &tree.positions()[tree.parent(node)];
        tree.move_to(node).is_some_and(|mv| {
            let own = position.board.pieces(position.turn, mv.role());
            mv.is_null() || own.contains(mv.from())
        })
    };
    game.fill(tree).is_ok()
        && game.summary().is_some()
        && (1..tree.len()).all(|node| is_possible(tree, node))
}

/// Whether the text contains the game of this row at the recorded offset.
fn is_of_text(rows: &Rows, row: usize, text: &Text) -> Result<bool, Error> {
    let game = rows.game(row);
    if game.class() == Coverage::Skipped {
        return Ok(true);
    }
    let mut bytes = Error::room(rows.length.get(row) as usize)?;
    match text.read_exactly(rows.offset.get(row), &mut bytes) {
        Ok(()) => Ok(game.is_of(&bytes)),
        Err(Error::Damaged(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Checks that a file is unchanged since it was read.
fn check_file(file: &ArchivedFile, cancel: &Cancel) -> Result<(), Error> {
    let path = Path::new(&file.name);
    let now = ArchivedFile::seen(path)?;
    let (sum, part) = hash_file(path, file.bytes, cancel)?;
    let refusal = if sum == file.checksum && now.bytes == file.bytes {
        return Ok(());
    } else if part == file.checksum {
        Refusal::Grown
    } else {
        Refusal::Replaced
    };
    Err(Error::unreadable(&*file.name, refusal))
}
