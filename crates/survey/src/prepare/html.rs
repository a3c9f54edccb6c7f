//! Writes a report as a page: a self-contained HTML file without scripts, which prints well.

use std::fmt::Write as _;

use pgn::isolated;
use table::{PAGE_END, board_on_page, counted, escaped, page_start};

use super::report::{
    FeatureFigures, Figures, Mistakes, ModelGame, New, PrepareReport, Theory, Time, median_text,
};
use crate::Count;
use crate::tree::{self, TreeMove, joined, tenths};

const STYLE: &str = include_str!("page.css");

/// Heads of the columns that all tables of scores share. A narrow screen has no room for those of
/// the class `less`.
const HEADS: &str = "<th>games<th class=\"less\">won<th class=\"less\">drawn<th class=\"less\">lost\
                     <th>score<th>95 %<th class=\"less\"><th class=\"less\">exp<th class=\"less\">perf";

/// Returns the page of a report.
#[must_use]
pub fn page(report: &PrepareReport, title: Option<&str>) -> String {
    let title = escaped(&title.map_or_else(|| default_title(report), str::to_owned));
    let mut out = page_start(&title, STYLE, &[]);
    let _ = writeln!(out, "<header>\n<h1>{title}</h1>");
    head(report, &mut out);
    out.push_str("</header>\n");
    repertoire(report, &mut out);
    openings(report, &mut out);
    theory(report, &mut out);
    years_and_ratings(report, &mut out);
    features(report, &mut out);
    time(report.time.as_ref(), &mut out);
    mistakes(report.mistakes.as_ref(), &mut out);
    if let Some(new) = &report.new {
        what_is_new(new, &mut out);
    }
    models(report, &mut out);
    out + PAGE_END
}

/// Returns the title of a page if none is given.
fn default_title(report: &PrepareReport) -> String {
    let (player, side) = (report.player.as_ref(), report.side);
    // The one name that is meant says more than a part of it.
    let name = match (&report.players[..], player) {
        ([one], Some(_)) => Some(one.name.as_str()),
        (_, part) => part.map(String::as_str),
    };
    let after = match &report.tree.line[..] {
        [] => None,
        line => Some(format!("the position after {}", line.join(" "))),
    };
    let place = report.opening.clone().or(after);
    match (name, place) {
        (Some(name), Some(place)) => format!("{} as {side}: {place}", isolated(name)),
        (Some(name), None) => format!("{} as {side}", isolated(name)),
        (None, Some(place)) => format!("{place}, from the side of {side}"),
        (None, None) => format!("All games, from the side of {side}"),
    }
}

/// Lists names with their numbers.
fn list(counts: &[Count]) -> String {
    let names = counts
        .iter()
        .map(|count| format!("<bdi>{}</bdi>&nbsp;({})", escaped(&count.name), count.count));
    names.collect::<Vec<String>>().join("; ")
}

fn percent(share: f64) -> String {
    format!("{}&nbsp;%", (100.0 * share).round())
}

fn percent_or_dash(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), percent)
}

/// Writes whose games they are, and their score.
fn head(report: &PrepareReport, out: &mut String) {
    let figures = &report.figures;
    let dates = match (&report.first_date, &report.last_date) {
        (Some(first), Some(last)) => {
            let short = |date: &str| date.split(".?").next().unwrap_or_default().to_owned();
            format!(" from {} to {}", short(first), short(last))
        }
        _ => ", none with a date".to_owned(),
    };
    let Figures { wins, draws, losses, .. } = figures;
    let interval = figures.score_low.zip(figures.score_high);
    let score = match (figures.score, interval) {
        (Some(score), Some((low, high))) => format!(
            ": {wins} won, {draws} drawn, {losses} lost. The score is {}, with a 95 % interval from \
             {} to {}",
            percent(score),
            percent(low),
            percent(high)
        ),
        _ => ", none with a result".to_owned(),
    };
    let expected = figures.expected_score.map_or_else(String::new, |expected| {
        format!("; the ratings predict {}", percent(expected))
    });
    let _ = writeln!(out, "<p>{}{dates}{score}{expected}.</p>", counted(figures.games, "game"));
    if report.player.is_some() {
        if report.players.len() > 1 {
            let _ = writeln!(
                out,
                "<p><strong>Several players are meant:</strong> {}.</p>",
                list(&report.players)
            );
        }
        if !report.other_spellings.is_empty() {
            let _ = writeln!(
                out,
                "<p class=\"note\">Not counted, but perhaps other spellings of the name: {}.</p>",
                list(&report.other_spellings)
            );
        }
        let _ = writeln!(out, "<p class=\"note\">Opponents: {}.</p>", list(&report.opponents));
    } else {
        let [one, other] = [&report.players, &report.opponents].map(|names| list(names));
        let _ = writeln!(out, "<p class=\"note\">Players of this side: {one}.</p>");
        let _ = writeln!(out, "<p class=\"note\">Their opponents: {other}.</p>");
    }
    let omitted = &report.omitted;
    // Without a player, nearly all games of a collection have other openings.
    let elsewhere = if report.player.is_some() { omitted.elsewhere } else { 0 };
    let reasons = [
        (omitted.other_rules, "of other rules"),
        (omitted.skipped, "that cannot be read"),
        (elsewhere, "of the player without the position where the tree begins"),
    ];
    for (n, why) in reasons.into_iter().filter(|reason| reason.0 > 0) {
        let _ = writeln!(out, "<p class=\"note\">Not counted: {} {why}.</p>", counted(n, "game"));
    }
    out.push_str(
        "<p class=\"note\">All scores are those of the player. Intervals are those of Wilson: with \
         few games they are wide, and the score says little. <em>exp</em> is the score that the \
         ratings predict, <em>perf</em> the performance in the games with a rated opponent, with \
         their number; fewer than five have none.</p>\n",
    );
}

/// Writes the columns of [`HEADS`].
fn cells(figures: &Figures, out: &mut String) {
    let Figures { games, wins, draws, losses, .. } = figures;
    scores(
        [*games, *wins, *draws, *losses],
        [figures.score, figures.score_low, figures.score_high, figures.expected_score],
        figures.performance.map(|performance| (performance, figures.rated)),
        out,
    );
}

/// Writes the figures of games. The performance comes with the number of its games.
fn scores(
    counts: [u64; 4],
    scores: [Option<f64>; 4],
    performance: Option<(i64, u64)>,
    out: &mut String,
) {
    let [games, wins, draws, losses] = counts;
    let [score, low, high, expected] = scores;
    let _ = write!(out, "<td>{games}");
    for n in [wins, draws, losses] {
        let _ = write!(out, "<td class=\"less\">{n}");
    }
    let _ = write!(out, "<td>{}", percent_or_dash(score));
    let interval = low.zip(high).map_or_else(
        || "–".to_owned(),
        |(low, high)| format!("{}–{}", (100.0 * low).round(), (100.0 * high).round()),
    );
    let _ = write!(out, "<td>{interval}<td class=\"less\">");
    if let (Some(score), Some(low), Some(high)) = (score, low, high) {
        let [score, low, high] = [score, low, high].map(|share| (100.0 * share).round() + 3.0);
        let _ = write!(
            out,
            "<svg class=\"interval\" viewBox=\"0 0 106 14\" aria-hidden=\"true\"><path d=\"M3 \
             7h100M53 2v10\"/><path class=\"line\" d=\"M{low} 7H{high}\"/><circle cx=\"{score}\" \
             cy=\"7\" r=\"3.5\"/></svg>"
        );
    }
    let performance = performance
        .map_or_else(|| "–".to_owned(), |(performance, rated)| format!("{performance} ({rated})"));
    let expected = percent_or_dash(expected);
    let _ = write!(out, "<td class=\"less\">{expected}<td class=\"less\">{performance}");
}

/// Writes a table of rows that begin with a text, already escaped.
fn table(first: &str, rows: impl IntoIterator<Item = (String, Figures)>, out: &mut String) {
    let _ = write!(
        out,
        "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">{first}{HEADS}</thead>\n<tbody>\n"
    );
    for (name, figures) in rows {
        let _ = write!(out, "<tr><td>{name}");
        cells(&figures, out);
        out.push('\n');
    }
    out.push_str("</tbody></table></div>\n");
}

/// Writes the opening tree.
fn repertoire(report: &PrepareReport, out: &mut String) {
    out.push_str("<h2>Opening tree</h2>\n");
    let from = match &report.tree.line[..] {
        [] => String::new(),
        line => format!(" after {}", escaped(&line.join(" "))),
    };
    let least = counted(report.min_games, "game");
    let _ = writeln!(
        out,
        "<p class=\"note\">Moves{from} with at least {least}. Moves that all of these games share are \
         in one row; the share is that of the row they follow.</p>"
    );
    if report.tree.moves.is_empty() {
        out.push_str("<p>No move was played in as many games.</p>\n");
        return;
    }
    let _ = write!(
        out,
        "<div class=\"wide\"><table class=\"tree\">\n<thead><tr><th scope=\"col\">moves<th>share\
         {HEADS}</thead>\n<tbody>\n"
    );
    let is_white = report.side == "white";
    add_moves(&report.tree.moves, report.tree.figures.games, 0, is_white, out);
    out.push_str("</tbody></table></div>\n");
}

fn add_moves(moves: &[TreeMove], of: u64, depth: usize, is_white: bool, out: &mut String) {
    for played in moves {
        let (mut last, mut line, mut opening) = (played, joined("", played), &played.opening);
        while let [only] = &last.moves[..]
            && only.figures.games == last.figures.games
        {
            line = joined(&line, only);
            opening = if only.opening.is_some() { &only.opening } else { opening };
            last = only;
        }
        let name = opening.as_ref().map_or_else(String::new, |name| {
            format!(" <span class=\"name\">{}</span>", escaped(name))
        });
        let share = tenths(played.figures.games, of);
        let _ = write!(
            out,
            "<tr><td style=\"--d:{depth}\">{line}{name}<td>{}.{}&nbsp;%",
            share / 10,
            share % 10
        );
        let tree::Figures { games, white, draws, black, .. } = last.figures;
        let (won, lost) = if is_white { (white, black) } else { (black, white) };
        let figures = &last.figures;
        scores(
            [games, won, draws, lost],
            [figures.score, figures.score_low, figures.score_high, figures.expected_score],
            figures.performance.map(|performance| (performance, figures.rated)),
            out,
        );
        out.push('\n');
        add_moves(&last.moves, games, depth + 1, is_white, out);
    }
}

/// Writes the openings with their years.
fn openings(report: &PrepareReport, out: &mut String) {
    out.push_str("<h2>Openings</h2>\n");
    let years: Vec<u16> =
        report.openings.iter().flat_map(|one| one.years.keys().copied()).collect();
    let range = years.iter().min().copied().zip(years.iter().max().copied());
    if let Some((first, last)) = range.filter(|(first, last)| first < last) {
        let _ = writeln!(
            out,
            "<p class=\"note\">The bars after each name are the games of each year from {first} to \
             {last}.</p>"
        );
    }
    let rows = report.openings.iter().map(|opening| {
        let name = opening.opening.as_deref().unwrap_or("(no name)");
        let bars = range.map_or_else(String::new, |range| bars(&opening.years, range));
        (format!("{} {bars}", escaped(name)), opening.figures.clone())
    });
    table("opening", rows, out);
    more(report.openings.len(), report.distinct_openings, "openings", out);
}

fn more(shown: usize, all: u64, what: &str, out: &mut String) {
    let rest = all.saturating_sub(shown as u64);
    if rest > 0 {
        let _ = writeln!(out, "<p class=\"note\">{rest} more {what} with fewer games.</p>");
    }
}

/// Draws the number of games of each year.
fn bars(years: &std::collections::BTreeMap<u16, u64>, (first, last): (u16, u16)) -> String {
    if first == last {
        return String::new();
    }
    let n = u32::from(last - first) + 1;
    let most = years.values().copied().max().unwrap_or(1).max(1);
    let text: Vec<String> = years.iter().map(|(year, n)| format!("{year}: {n}")).collect();
    let mut svg = format!(
        "<svg class=\"years\" viewBox=\"0 0 {} 16\" width=\"{}\" role=\"img\" aria-label=\"games by \
         year: {}\">",
        4 * n,
        4 * n.min(30),
        text.join(", ")
    );
    for (year, &games) in years {
        let height = (15 * games).div_ceil(most);
        let x = 4 * u32::from(year - first);
        let _ = write!(svg, "<path d=\"M{x} 16v-{height}h3v{height}z\"/>");
    }
    svg + "</svg>"
}

/// Writes where the games leave the named openings.
fn theory(report: &PrepareReport, out: &mut String) {
    let Theory { median_move, left_by_player, left_by_opponent, not_left, .. } = report.theory;
    let player = if report.player.is_some() { "the player" } else { report.side };
    out.push_str("<h2>Where the games leave theory</h2>\n");
    let _ = writeln!(
        out,
        "<p class=\"note\">Theory ends with the last position of a game that has the name of an \
         opening. The next move was made by {player} in {left_by_player} and by the opponent in \
         {left_by_opponent} of {}; {not_left} ended before. Half of the games have their last name \
         at move {} or earlier.</p>",
        counted(report.figures.games, "game"),
        median_text(median_move)
    );
    let rows = report.theory.positions.iter().map(|position| {
        let name = match (&position.eco, &position.opening) {
            (Some(eco), Some(name)) => format!("{} {}", escaped(eco), escaped(name)),
            _ => "(no name)".to_owned(),
        };
        let next = position.next.iter().map(|next| format!("{} ({})", next.name, next.count));
        let next: Vec<String> = next.collect();
        let next = if next.is_empty() { "no move".to_owned() } else { next.join(", ") };
        let text = format!(
            "{name} <span class=\"name\">to move {}; then {}</span>",
            median_text(position.median_move),
            escaped(&next)
        );
        (text, position.figures.clone())
    });
    table("last name, with the median of its move, and the next moves", rows, out);
    more(report.theory.positions.len(), report.theory.distinct_positions, "names", out);
}

fn years_and_ratings(report: &PrepareReport, out: &mut String) {
    out.push_str("<h2>Years</h2>\n");
    let years = report.years.iter().map(|row| {
        (
            row.year.map_or_else(|| "unknown".to_owned(), |year| year.to_string()),
            row.figures.clone(),
        )
    });
    table("year", years, out);
    out.push_str("<h2>Ratings of the opponents</h2>\n");
    let ratings = report.ratings.iter().map(|row| {
        let class = |from: u16| format!("{from}–{}", from.saturating_add(99));
        (row.rating.map_or_else(|| "unknown".to_owned(), class), row.figures.clone())
    });
    table("opponent", ratings, out);
}

/// Writes the structures and endings.
fn features(report: &PrepareReport, out: &mut String) {
    let row = |feature: &FeatureFigures| {
        let owner = match feature.owner {
            "both" => "",
            "player" => " <span class=\"name\">own</span>",
            _ => " <span class=\"name\">of the opponent</span>",
        };
        let text = format!("{}{owner} <code>{}</code>", feature.name, escaped(&feature.query));
        (text, feature.figures.clone())
    };
    let lists = [("Pawn structures", &report.structures), ("Endings", &report.endings)];
    for (title, found) in lists {
        let _ = writeln!(out, "<h2>{title}</h2>");
        if found.is_empty() {
            let _ = writeln!(out, "<p>None of those that are looked for.</p>");
            continue;
        }
        out.push_str(
            "<p class=\"note\">Games in which it was there for at least four half-moves, with the \
             query that finds them. A game can have several.</p>\n",
        );
        table("", found.iter().map(row), out);
    }
}

fn time(time: Option<&Time>, out: &mut String) {
    out.push_str("<h2>Time</h2>\n");
    let Some(Time { games, left, trouble }) = time else {
        out.push_str("<p>No game has clocks (<code>[%clk]</code>) of both players.</p>\n");
        return;
    };
    let _ = writeln!(
        out,
        "<p class=\"note\">{} with clocks of both players. Time trouble is less than a tenth of the \
         first clock of a player in the game.</p>",
        counted(*games, "game")
    );
    if !left.is_empty() {
        out.push_str(
            "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">time left after move<th>games\
             <th>player<th>opponent</thead>\n<tbody>\n",
        );
        for row in left {
            let _ = writeln!(
                out,
                "<tr><td>{}<td>{}<td>{}<td>{}",
                row.number,
                row.games,
                percent_or_dash(row.player),
                percent_or_dash(row.opponent)
            );
        }
        out.push_str("</tbody></table></div>\n");
    }
    table(
        "in time trouble",
        trouble.iter().map(|row| (row.who.to_owned(), row.figures.clone())),
        out,
    );
}

fn mistakes(mistakes: Option<&Mistakes>, out: &mut String) {
    out.push_str("<h2>Mistakes</h2>\n");
    let Some(Mistakes { games, phases }) = mistakes else {
        out.push_str("<p>No game has evaluations (<code>[%eval]</code>).</p>\n");
        return;
    };
    let _ = writeln!(
        out,
        "<p class=\"note\">{} with evaluations. A move that lowers the winning chances by 5, 10 or 15 \
         points of 100 is an inaccuracy, a mistake or a blunder; the loss is in centipawns a \
         move.</p>",
        counted(*games, "game")
    );
    out.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">phase<th class=\"text\">moves of\
         <th>moves<th>loss<th>inaccuracies<th>mistakes<th>blunders<th>mistakes and blunders in 100 \
         moves</thead>\n<tbody>\n",
    );
    for row in phases {
        let rate = 100.0 * (row.mistakes + row.blunders) as f64 / row.moves.max(1) as f64;
        let loss = row.average_loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.1}"));
        let _ = writeln!(
            out,
            "<tr><td>{}<td class=\"text\">{}<td>{}<td>{loss}<td>{}<td>{}<td>{}<td>{rate:.1}",
            row.phase, row.who, row.moves, row.inaccuracies, row.mistakes, row.blunders
        );
    }
    out.push_str("</tbody></table></div>\n");
}

fn what_is_new(new: &New, out: &mut String) {
    let since = escaped(new.since.split(".?").next().unwrap_or_default());
    let _ = writeln!(out, "<h2>New since {since}</h2>");
    let rows = [
        (format!("since {since}"), new.figures.clone()),
        ("before, or without a date".to_owned(), new.before.clone()),
    ];
    table("games", rows, out);
    if let (Some(middle), Some(low), Some(high)) =
        (new.difference, new.difference_low, new.difference_high)
    {
        let points = |share: f64| format!("{:+.1}", 100.0 * share);
        let _ = writeln!(
            out,
            "<p>Difference of the scores: {} points of 100 (95 %: {} to {}).</p>",
            points(middle),
            points(low),
            points(high)
        );
    }
    if new.moves.is_empty() {
        out.push_str("<p>No move of the tree is new.</p>\n");
        return;
    }
    out.push_str(
        "<p class=\"note\">Moves of the tree that none of these games has before that date, in \
         positions that are older.</p>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">\
         line<th>games<th>score<th class=\"text\">first game</thead>\n<tbody>\n",
    );
    for played in &new.moves {
        let first = &played.first;
        let _ = writeln!(
            out,
            "<tr><td>{}<td>{}<td>{}<td class=\"text\"><bdi>{}</bdi> – <bdi>{}</bdi>, {}, {}",
            played.line,
            played.games,
            percent_or_dash(played.score),
            escaped(&first.white),
            escaped(&first.black),
            escaped(&first.date),
            first.result
        );
    }
    out.push_str("</tbody></table></div>\n");
}

fn models(report: &PrepareReport, out: &mut String) {
    out.push_str("<h2>Model games</h2>\n");
    if report.model_games.is_empty() {
        out.push_str("<p>No game of at least 15 moves was won.</p>\n");
        return;
    }
    out.push_str(
        "<p class=\"note\">Games that were won against the opponents with the highest ratings, first \
         one of each opening.</p>\n",
    );
    for game in &report.model_games {
        model(game, report.side == "black", out);
    }
}

fn model(game: &ModelGame, flip: bool, out: &mut String) {
    let tag = |name: &str| game.tags.get(name).map(|value| escaped(&isolated(value)));
    let player = |side: &str| {
        let name = tag(side).unwrap_or_else(|| "?".to_owned());
        let elo = tag(&format!("{side}Elo")).filter(|elo| elo != "0");
        format!("<bdi>{name}</bdi>{}", elo.map_or_else(String::new, |elo| format!(" ({elo})")))
    };
    let mut about: Vec<String> = ["Event", "Site", "Date"].into_iter().filter_map(tag).collect();
    about.extend(tag("Round").map(|round| format!("round {round}")));
    about.extend(tag("ECO"));
    about.push(format!("game {} of {}", game.game, escaped(&game.input)));
    let _ = write!(
        out,
        "<div class=\"model\"><h3>{} – {} {}</h3>\n<p class=\"about\">{}</p>\n<div class=\"boards\">\n",
        player("White"),
        player("Black"),
        game.result,
        about.join(" · ")
    );
    for shown in &game.boards {
        let Ok(position) = board::parse_fen(shown.fen.as_bytes()) else {
            continue;
        };
        let after = escaped(&shown.after);
        let board = board_on_page(&position.board, &[], flip, &format!("after {}", shown.after));
        let _ = writeln!(
            out,
            "<figure>{board}<figcaption>after {after}: {}</figcaption></figure>",
            shown.why
        );
    }
    let _ = writeln!(out, "</div>\n<p>{} {}</p></div>", escaped(&game.moves), game.result);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_without_games_have_no_bar() {
        let years = [(2001, 2), (2003, 4)].into_iter().collect();
        let svg = bars(&years, (2000, 2003));
        assert_eq!(svg.matches("<path").count(), 2);
        assert!(svg.contains("M4 16v-8h3") && svg.contains("M12 16v-15h3"), "{svg}");
        assert!(svg.contains("2001: 2, 2003: 4"));
        assert_eq!(bars(&years, (2001, 2001)), "");
    }
}
