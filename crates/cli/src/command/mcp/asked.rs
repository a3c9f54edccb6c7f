//! State of a request while it is handled.

use std::time::{Duration, Instant};

use babson::{Games, InputGroup};
use flow::{Cancel, Output};
use serde_json::{Value, json};
use table::counted;

use super::client::Client;
use crate::subcommands::Subcommands;

/// Minimum time between two progress messages.
const INTERVAL: Duration = Duration::from_millis(250);

/// Data for handling a request.
pub(super) struct Asked<'a> {
    /// Games named on the command line; `None` if there are none.
    pub(super) games: Option<&'a Games>,
    pub(super) subcommands: Subcommands,
    /// Cancellation of the request.
    pub(super) cancel: &'a Cancel,
    pub(super) client: &'a Client,
    /// Token of the client for progress messages; `None` if it wants none.
    pub(super) progress: Option<&'a Value>,
}

impl<'a> Asked<'a> {
    pub(super) fn games(&self) -> Result<&'a Games, String> {
        let none = "no games to search: start the server as `cql mcp GAMES…`";
        self.games.ok_or_else(|| none.to_owned())
    }
}

/// Progress of a pass over the games, reported to the client that requested it.
pub(super) struct ProgressNotifier<'a> {
    asked: &'a Asked<'a>,
    /// Whether games are counted instead of bytes, since archived games need not be read.
    by_games: bool,
    total: Option<u64>,
    n_bytes: u64,
    n_games: u64,
    told: Option<(Instant, u64)>,
}

impl<'a> ProgressNotifier<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, games: &Games, groups: &[InputGroup<'_>]) -> Self {
        let in_archives = groups.iter().map(|group| match group {
            InputGroup::Archive(archived, _) => Some(archived.size().0),
            InputGroup::Text(_) => None,
        });
        let by_games = in_archives.clone().any(|n| n.is_some());
        ProgressNotifier {
            asked,
            by_games,
            total: if by_games { in_archives.sum() } else { games.inputs.size() },
            n_bytes: 0,
            n_games: 0,
            told: None,
        }
    }

    /// Records what was read, and reports it from time to time.
    pub(super) fn note<R>(&mut self, out: &Output<R>) {
        self.n_bytes += out.n_bytes;
        self.n_games += out.n_games;
        let Some(token) = self.asked.progress else {
            return;
        };
        let so_far = if self.by_games { self.n_games } else { self.n_bytes };
        let is_due =
            self.told.is_none_or(|(at, before)| at.elapsed() >= INTERVAL && so_far > before);
        if !is_due || self.asked.cancel.is_cancelled() {
            return;
        }
        self.told = Some((Instant::now(), so_far));
        let mut params = json!({
            "progressToken": token, "progress": so_far,
            "message": format!("{} searched", counted(self.n_games, "game")),
        });
        // Compressed files yield more bytes than their size.
        if let Some(total) = self.total.filter(|total| *total >= so_far) {
            params["total"] = json!(total);
        }
        let method = "notifications/progress";
        let said = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.asked.client.send(&said);
    }
}
