//! Counts how many games of an archive remain after each condition of a game screen.

use archive::{Coverage, Error, Rows};
use engine::GameScreen;

use super::chooser::{Wanted, columns_of};
use super::reader::ArchiveReader;

/// Numbers of games before and after each condition.
pub struct ConditionCounts {
    /// Number of games in the archive.
    pub n_games: u64,
    /// Number of games left after each condition, in the order of the words of
    /// [`engine::GameConditions`].
    pub left: Vec<u64>,
    /// Number of games that are read from their text in any case; they are included in `left`.
    pub from_text: u64,
}

impl ArchiveReader<'_> {
    /// Tests the screen on all games of the archive.
    ///
    /// # Errors
    /// The archive is damaged.
    pub fn ask(&self, screen: &GameScreen) -> Result<ConditionCounts, Error> {
        let Wanted { columns, themes } = columns_of(&screen.parts());
        let mut asked = ConditionCounts {
            n_games: self.archive.manifest().games,
            left: vec![0; screen.n_conditions()],
            from_text: 0,
        };
        let mut rows = Rows::default();
        for number in 0..self.archive.n_segments() {
            let mut segment = self.archive.segment(number)?;
            let mut of_themes = self.open_themes(number, themes)?;
            for block in 0..segment.n_blocks() {
                segment.read_block(&mut rows, block, columns)?;
                self.read_themes(&mut of_themes, &mut rows, themes)?;
                for row in 0..rows.len() {
                    let game = rows.game(row);
                    if game.class() == Coverage::Skipped {
                        continue;
                    }
                    asked.from_text += u64::from(game.class() == Coverage::Text);
                    let summary = game.summary();
                    let denied = summary.and_then(|summary| screen.denied_by(&summary));
                    let passed = denied.unwrap_or(asked.left.len());
                    asked.left[..passed].iter_mut().for_each(|left| *left += 1);
                }
            }
        }
        Ok(asked)
    }
}
