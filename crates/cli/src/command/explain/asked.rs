//! Reports in words how far the columns of archives restrict the games of a query.

use babson::{ConditionCounts, InputGroup};
use engine::{GameScreen, Program, Unscreened};
use serde::Serialize;
use syntax::span::LineIndex;

use crate::failure::Failure;
use crate::report::SourceText;
use crate::search::funnel::{grouped, shortened};
use crate::visible::visible_name;

/// Report about one archive, as written in JSON.
#[derive(Serialize)]
pub(super) struct ScreenReport {
    archive: String,
    games: u64,
    asked: Vec<ConditionReport>,
    not_asked: Vec<NotAsked>,
    from_text: u64,
}

#[derive(Serialize)]
struct ConditionReport {
    condition: String,
    games: u64,
}

#[derive(Serialize)]
struct NotAsked {
    /// Text of the condition; `None` if the reason applies to the whole query.
    condition: Option<String>,
    line: Option<usize>,
    reason: &'static str,
}

/// Returns a report for each archive that a search would use.
pub(super) fn reports(
    groups: &[InputGroup<'_>],
    program: &Program,
    source: &SourceText,
) -> Result<Vec<ScreenReport>, Failure> {
    let screen = GameScreen::of(program);
    let words = program.game_conditions.words();
    let mut reports = Vec::new();
    for group in groups {
        let InputGroup::Archive(archived, _) = group else {
            continue;
        };
        let asked = archived.ask(&screen);
        let name = visible_name(archived.name());
        let ConditionCounts { n_games, left, from_text } =
            asked.map_err(|error| Failure::Message(format!("{name}: {error}")))?;
        let conditions = words.iter().zip(left);
        let not_asked = program.unscreened.iter();
        let lines = LineIndex::of(&source.text);
        reports.push(ScreenReport {
            archive: name.into_owned(),
            games: n_games,
            asked: conditions
                .map(|(condition, games)| ConditionReport { condition: condition.clone(), games })
                .collect(),
            not_asked: not_asked.map(|part| NotAsked::of(part, source, &lines)).collect(),
            from_text,
        });
    }
    Ok(reports)
}

impl NotAsked {
    fn of(part: &Unscreened, source: &SourceText, lines: &LineIndex) -> NotAsked {
        let text = &source.text;
        NotAsked {
            condition: part.span.map(|span| shortened(text, span)),
            line: part.span.map(|span| lines.line(span.start as usize)),
            reason: part.reason.text(),
        }
    }
}

impl ScreenReport {
    /// Formats the report as text.
    pub(super) fn text(&self) -> String {
        let mut out = format!(
            "\nGames of {} that remain after a test of its columns: {}\n",
            self.archive,
            grouped(self.games)
        );
        if !self.asked.is_empty() {
            out += "\n    games  tested condition\n";
        }
        for ConditionReport { condition, games } in &self.asked {
            out += &format!("{:>9}  {condition}\n", grouped(*games));
        }
        if !self.not_asked.is_empty() {
            out += "\n     line  condition not tested\n";
        }
        for part in &self.not_asked {
            let line = part.line.map(|line| line.to_string()).unwrap_or_default();
            let condition = part.condition.as_deref().unwrap_or("the whole query");
            out += &format!("{line:>9}  {condition}: {}\n", part.reason);
        }
        if self.from_text > 0 {
            let n = grouped(self.from_text);
            out += &format!("\n{n} of the games are read from their text in any case.\n");
        }
        out
    }
}
