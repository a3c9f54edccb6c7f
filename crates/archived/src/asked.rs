//! What the columns of an archive say of a query: how many games each of its conditions leaves.

use archive::{Class, Error, Rows};
use engine::GameScreen;

use crate::Archived;
use crate::screens::columns_of;

/// How many games are left.
pub struct Asked {
    /// All of its games.
    pub n_games: u64,
    /// Those that are left by each condition, in the order of [`GameScreen::words`].
    pub left: Vec<u64>,
    /// Those that are read from their text, whatever is asked: they are among those that are left.
    pub from_text: u64,
}

impl Archived<'_> {
    /// Asks all games of the archive.
    ///
    /// # Errors
    /// The archive is damaged.
    pub fn ask(&self, screen: &GameScreen) -> Result<Asked, Error> {
        let columns = columns_of(&screen.parts());
        let mut asked = Asked {
            n_games: self.archive.manifest().games,
            left: vec![0; screen.words().len()],
            from_text: 0,
        };
        let mut rows = Rows::default();
        for number in 0..self.archive.n_segments() {
            let mut segment = self.archive.segment(number)?;
            for block in 0..segment.n_blocks() {
                segment.read_block(&mut rows, block, columns)?;
                for row in 0..rows.len() {
                    let game = rows.game(row);
                    if game.class() == Class::Skipped {
                        continue;
                    }
                    asked.from_text += u64::from(game.class() == Class::Text);
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
