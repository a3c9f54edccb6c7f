//! Files of games in memory, and searches of them.

use std::io;
use std::sync::Arc;

use babson::Scan;
use flow::{Cancel, GameSet, GameSource, Sources};
use page::{Host, Selection};

use crate::outside::{self, EventKind};

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
pub(crate) struct Files<'a>(Vec<&'a File>);

impl<'a> Files<'a> {
    /// Finds the files with these ids.
    pub(crate) fn new(files: &'a [File], ids: &[u32]) -> Result<Files<'a>, String> {
        let find = |id: &u32| files.iter().find(|file| file.id == *id);
        let found: Option<Vec<&File>> = ids.iter().map(find).collect();
        found.map(Files).ok_or_else(|| "these games are no longer here".to_owned())
    }
}

impl Scan for Files<'_> {
    fn sources(&self) -> Box<Sources<'_>> {
        Box::new(self.0.iter().map(|file| Ok(file.source())))
    }

    fn size(&self) -> Option<u64> {
        Some(self.0.iter().map(|file| file.text().len() as u64).sum())
    }
}

/// Files that are searched, and the page that receives the results.
pub(crate) struct MemoryHost<'a> {
    files: Files<'a>,
    chosen: Option<Arc<GameSet>>,
    begun: f64,
}

impl<'a> MemoryHost<'a> {
    /// Finds the files of a selection.
    pub(crate) fn new(files: &'a [File], selection: &Selection) -> Result<MemoryHost<'a>, String> {
        Ok(MemoryHost {
            files: Files::new(files, &selection.collections)?,
            chosen: selection.chosen(),
            begun: outside::seconds(),
        })
    }
}

impl<'a> Host for MemoryHost<'a> {
    type Scan = Files<'a>;

    fn games(&self) -> &Files<'a> {
        &self.files
    }

    fn chosen(&self) -> Option<Arc<GameSet>> {
        self.chosen.clone()
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
            outside::tell(EventKind::Answer, &lines);
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
