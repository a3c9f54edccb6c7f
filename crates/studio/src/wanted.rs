//! The games of a request: those of some collections, or a choice among them by number. Files that
//! have changed since the games were numbered are refused.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use babson::Games;
use flow::GameSet;
use input::ReadOptions;
use page::Selection;

use crate::api_error::ApiError;
use crate::app::{App, lock};
use crate::library::{Place, games_read, gone, stamp};
use crate::lines::LineSender;

/// The games of a request, before they are looked for.
#[derive(Clone)]
pub(crate) struct WantedGames {
    pub(crate) places: Vec<Place>,
    pub(crate) chosen: Option<Arc<GameSet>>,
    /// State in which they were searched, and the files that had it.
    searched: Option<(String, Arc<[PathBuf]>)>,
}

impl WantedGames {
    pub(crate) fn of(app: &App, selection: &Selection) -> Result<WantedGames, ApiError> {
        Ok(WantedGames {
            places: lock(&app.library).places(&selection.collections)?,
            chosen: selection.chosen(),
            searched: selection.stamp.clone().map(|stamp| {
                let files = lock(&app.searched).of(&stamp);
                (stamp, files)
            }),
        })
    }

    /// Returns only these of the games.
    pub(crate) fn choosing(&self, chosen: GameSet) -> WantedGames {
        WantedGames { chosen: Some(Arc::new(chosen)), ..self.clone() }
    }

    /// Finds the games. Their size is that of the progress.
    ///
    /// # Errors
    /// They are missing, or have changed since they were numbered.
    pub(crate) fn find(&self, lines: &LineSender) -> Result<Games, String> {
        self.find_read(ReadOptions::default(), lines)
    }

    /// Finds the games, which are read in a way of their own.
    ///
    /// # Errors
    /// Those of [`WantedGames::find`].
    pub(crate) fn find_read(&self, how: ReadOptions, lines: &LineSender) -> Result<Games, String> {
        let games = games_read(&self.places, how, &lines.cancel)?;
        if let Some((_, files)) = self.searched.as_ref().filter(|(old, _)| *old != stamp(&games)) {
            let names = gone(files).join(", ");
            return Err(match &*names {
                "" => "the games have changed since the search; search again".to_owned(),
                names => format!("no longer there since the search: {names}; search again"),
            });
        }
        let _ = lines.progress.meter.set(games.inputs.meter());
        lines.progress.size.store(games.inputs.size().unwrap_or(0), Ordering::Relaxed);
        Ok(games)
    }
}
