//! A request while it is carried out.

use std::time::{Duration, Instant};

use archived::{Games, Stretch};
use flow::{Cancel, Output};
use serde_json::{Value, json};

use super::client::Client;

/// Time between two words on how far a search has come.
const INTERVAL: Duration = Duration::from_millis(250);

/// What a request is carried out with.
pub(super) struct Asked<'a> {
    /// The games that the command line names, if it names any.
    pub(super) games: Option<&'a Games>,
    /// Whether the answer is still wanted.
    pub(super) cancel: &'a Cancel,
    pub(super) client: &'a Client,
    /// What the client calls the progress that it wants to hear of.
    pub(super) progress: Option<&'a Value>,
}

impl<'a> Asked<'a> {
    pub(super) fn games(&self) -> Result<&'a Games, String> {
        let none = "no games were named: `cql mcp GAMES…` has some";
        self.games.ok_or_else(|| none.to_owned())
    }
}

/// How far a pass over the games has come, for the client that asked for it.
pub(super) struct Progress<'a> {
    asked: &'a Asked<'a>,
    /// Games are counted, not bytes: those of archives have none that are read.
    by_games: bool,
    total: Option<u64>,
    n_bytes: u64,
    n_games: u64,
    told: Option<(Instant, u64)>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, games: &Games, stretches: &[Stretch<'_>]) -> Self {
        let in_archives = stretches.iter().map(|stretch| match stretch {
            Stretch::Archive(archived, _) => Some(archived.size().0),
            Stretch::Text(_) => None,
        });
        let by_games = in_archives.clone().any(|n| n.is_some());
        Progress {
            asked,
            by_games,
            total: match by_games {
                true => in_archives.sum(),
                false => games.inputs.size(),
            },
            n_bytes: 0,
            n_games: 0,
            told: None,
        }
    }

    /// Notes what was read, and says it now and then.
    pub(super) fn note<R>(&mut self, out: &Output<R>) {
        self.n_bytes += out.n_bytes;
        self.n_games += out.n_games;
        let Some(token) = self.asked.progress else {
            return;
        };
        let so_far = if self.by_games {
            self.n_games
        } else {
            self.n_bytes
        };
        let is_due = self
            .told
            .is_none_or(|(at, before)| at.elapsed() >= INTERVAL && so_far > before);
        if !is_due || self.asked.cancel.is_cancelled() {
            return;
        }
        self.told = Some((Instant::now(), so_far));
        let mut params = json!({
            "progressToken": token, "progress": so_far,
            "message": format!("{} games searched", self.n_games),
        });
        // Packed files have more bytes than they seem to.
        if let Some(total) = self.total.filter(|total| *total >= so_far) {
            params["total"] = json!(total);
        }
        let method = "notifications/progress";
        let said = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.asked.client.send(&said);
    }
}
