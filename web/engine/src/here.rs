//! Files of games in memory, and searches of them.

use std::io;
use std::sync::Arc;

use engine::{Found, GameWorker};
use flow::{Cancel, GameSource, Sources};
use page::{Host, Reference};

use crate::outside::{self, What};

/// A file with games.
pub(crate) struct File {
    pub(crate) id: u32,
    pub(crate) name: Arc<str>,
    /// The request that added the file.
    pub(crate) request: Vec<u8>,
    /// Offset of the text of the games in the request.
    pub(crate) start: usize,
}

impl File {
    fn text(&self) -> &[u8] {
        self.request.get(self.start..).unwrap_or_default()
    }

    fn source(&self) -> GameSource<'_> {
        GameSource::pgn(self.name.clone(), self.text())
    }
}

/// Files that are searched together.
pub(crate) struct Here<'a> {
    files: Vec<&'a File>,
    begun: f64,
}

impl<'a> Here<'a> {
    /// Finds the files with these ids.
    pub(crate) fn new(files: &'a [File], ids: &[u32]) -> Result<Here<'a>, String> {
        let find = |id: &u32| files.iter().find(|file| file.id == *id);
        let found: Option<Vec<&File>> = ids.iter().map(find).collect();
        Ok(Here {
            files: found.ok_or("these games are no longer here")?,
            begun: outside::seconds(),
        })
    }

    /// Evaluates queries on a game.
    pub(crate) fn evaluate(
        &self,
        game: &Reference,
        workers: &(dyn Fn() -> GameWorker + Sync),
    ) -> Result<Vec<Found>, String> {
        let mut files = self.files.iter();
        let file = files.find(|file| *file.name == *game.input);
        let file = file.ok_or("the file with the game no longer exists")?;
        page::evaluate(game, file.source(), &Cancel::default(), workers)
    }
}

impl Host for Here<'_> {
    fn sources(&self) -> Box<Sources<'_>> {
        Box::new(self.files.iter().map(|file| Ok(file.source())))
    }

    fn size(&self) -> Option<u64> {
        Some(self.files.iter().map(|file| file.text().len() as u64).sum())
    }

    fn threads(&self) -> usize {
        1
    }

    /// Small, so that results appear soon and often.
    fn chunk_bytes(&self) -> usize {
        32 << 10
    }

    fn cancel(&self) -> Cancel {
        Cancel::default()
    }

    fn seconds(&self) -> f64 {
        outside::seconds() - self.begun
    }

    fn tell(&self, lines: Vec<u8>) -> io::Result<()> {
        if !lines.is_empty() {
            outside::tell(What::Answer, &lines);
        }
        Ok(())
    }

    fn read(&self, n_bytes: u64, n_games: u64, n_matches: u64) {
        outside::read(n_bytes, n_games, n_matches);
    }

    fn before_game(&self) -> fn(u64) -> bool {
        outside::may_evaluate
    }
}
