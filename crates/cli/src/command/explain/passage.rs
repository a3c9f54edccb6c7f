//! Reports the games that remain after each condition of a query, as a table or as JSON.

use std::path::PathBuf;

use engine::{CompileOptions, Limits, Program};
use serde::Serialize;
use syntax::tree::Header;

use super::asked;
use crate::command::counting::Watcher;
use crate::command::reading::ReadingArgs;
use crate::command::text;
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::report::SourceText;
use crate::search::funnel::{Figures, Funnel, FunnelRow, grouped};

/// Options for the games.
#[derive(clap::Args)]
pub(super) struct PassageArguments {
    /// Search these games, as if listed after the query
    ///
    /// Can be repeated.
    #[arg(short, long, value_name = "GAMES", value_hint = clap::ValueHint::AnyPath)]
    input: Vec<PathBuf>,
    /// Ignore archives of the games
    #[arg(long)]
    no_index: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Report as written in JSON.
#[derive(Serialize)]
struct FunnelReport<'a> {
    games: u64,
    failed: u64,
    /// The games and positions that the header leaves, if it has conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<FunnelRow<'a>>,
    conditions: Vec<FunnelRow<'a>>,
    /// Reports about the columns of archives.
    #[serde(skip_serializing_if = "Option::is_none")]
    archives: Option<&'a [asked::ScreenReport]>,
}

impl PassageArguments {
    /// Returns all games that are named.
    pub(super) fn games(&self, behind: &[PathBuf]) -> Vec<PathBuf> {
        [behind, &self.input].concat()
    }

    pub(super) fn limits(&self) -> Result<Limits, Failure> {
        Ok(self.reading.limits()?.query)
    }

    /// Counts the games and prints the counts. `header` and `program` are those of the query.
    pub(super) fn run(
        &self,
        query: &SourceText,
        options: &CompileOptions,
        header: &Header,
        names: &[PathBuf],
        program: &Program,
    ) -> Result<(), Failure> {
        interrupt::listen();
        let mut games = games::find_all_with_archives(names, self.reading.how()?)?;
        let funnel = Funnel::new(query, &[], options, None);
        let funnel = funnel.and_then(|funnel| match header.matchcount {
            Some(range) => funnel.with_matchcount(query, options, range),
            None => Some(funnel),
        });
        let Some(funnel) = funnel else {
            let message = "the conditions of this query cannot be counted one by one";
            return Err(Failure::Message(message.to_owned()));
        };
        funnel.provide_file()?;
        if funnel.needs_last_game_number() {
            games::keep(&mut games.inputs)?;
        }
        let only_named = self.no_index || self.reading.how()?.is_said();
        let groups = games::groups(&games, only_named);
        let asked = asked::reports(&groups, program, query)?;
        let inputs = &games.inputs;
        let mut watcher = Watcher::new(inputs, None);
        watcher.start();
        let figures = funnel.count((inputs, &groups), self.reading.threads(), None, |out| {
            watcher.see(out, funnel.faults(out));
        });
        watcher.stop();
        let figures = figures?;
        tell!("{}", watcher.sources.finish()?);
        let shown = if self.reading.json {
            json(&funnel, &figures, header, &asked)?
        } else {
            let asked: String = asked.iter().map(asked::ScreenReport::text).collect();
            table(&funnel, &figures, header, inputs.name()) + &asked
        };
        text::print(shown.as_bytes())?;
        tell!("{}", watcher.summary());
        let Watcher { defects, sources, .. } = watcher;
        if defects.in_query() || defects.leaves_out() || sources.n_failed > 0 {
            Err(Failure::Reported)
        } else {
            Ok(())
        }
    }
}

/// Whether the query has conditions on games that come before all conditions on positions.
fn has_conditions(header: &Header, figures: &Figures) -> bool {
    let chosen = figures.left.first().map_or(0, |left| left.games);
    header.gamenumber.is_some() || !header.results.is_empty() || chosen < figures.n_games
}

fn json(
    funnel: &Funnel,
    figures: &Figures,
    header: &Header,
    archives: &[asked::ScreenReport],
) -> Result<String, Failure> {
    let first = funnel.rows(figures).next().filter(|_| has_conditions(header, figures));
    let report = FunnelReport {
        games: figures.n_games,
        failed: figures.n_failed,
        header: first.map(|row| FunnelRow { condition: "header", ..row }),
        // The first row is not a condition of the query.
        conditions: funnel.rows(figures).skip(1).collect(),
        archives: (!archives.is_empty()).then_some(archives),
    };
    text::json(&report)
}

fn table(funnel: &Funnel, figures: &Figures, header: &Header, name: &str) -> String {
    let mut out = match header.gamenumber {
        // The games after them are not read, so that their number is not known.
        Some((first, last)) => {
            let numbers = match last {
                i32::MAX => format!("from {first}"),
                last if last == first => format!("with number {first}"),
                last => format!("{first} to {last}"),
            };
            format!("Games {numbers} of {name} that remain after each condition\n\n")
        }
        None => {
            let n_games = grouped(figures.n_games);
            format!("Games of {name} that remain after each condition: {n_games}\n\n")
        }
    };
    out += "    games    positions   line  condition\n";
    for (index, row) in funnel.rows(figures).enumerate() {
        let line = row.line.filter(|_| index > 0).map(|line| line.to_string());
        let condition = match index {
            0 if has_conditions(header, figures) => "(header)",
            0 => "(none)",
            _ => row.condition,
        };
        out += &format!(
            "{:>9} {:>12}  {:>5}  {condition}\n",
            grouped(row.games),
            grouped(row.positions),
            line.unwrap_or_default(),
        );
    }
    out
}
