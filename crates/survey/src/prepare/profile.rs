//! Collects what the games of a player or an opening have in common, in one pass over their text.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use archive::{Columns, Rows};
use babson::{ArchiveReadError, ArchiveRows};
use board::Color;
use flow::{Origin, Output, Results, Worker};
use openings::{Openings, family_of};
use pgn::summary::player_name;
use pgn::{Date, GameTree, Player, RawGame, Tags, VariantNames, decode_value};
use table::{Points, Score};

use super::Question;
use super::annotations::{Clocks, Evaluations};
use crate::collection::{RowWorker, Sum};
use crate::tree::Tally;
use crate::tree::reader::GameReader;
use crate::{Count, Names};

/// Width of a class of opponents in rating points.
const RATING_STEP: u16 = 100;

/// Number of half-moves of the shortest model game.
const SHORTEST_MODEL: usize = 30;

/// Number of candidates for model games that are kept of each opening.
const CANDIDATES: usize = 5;

/// Number of names whose other spellings are looked for, and of those that are found.
const SPELLED: usize = 5;

/// Outcome of a game from the side of the player. Unknown ratings are 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) number: u64,
    pub(super) points: Option<Points>,
    pub(super) own: u16,
    pub(super) other: u16,
}

/// Games with their score.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) games: u64,
    pub(super) score: Score,
}

impl Group {
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.games += 1;
        self.score.add(outcome.points, outcome.own, outcome.other);
    }

    pub(super) fn merge(&mut self, other: &Group) {
        self.games += other.games;
        self.score.merge(&other.score);
    }
}

/// Games that leave the named openings at the positions of one opening.
#[derive(Debug, Default)]
pub(super) struct Exit {
    pub(super) group: Group,
    /// Number of games by the number of the last move with a name.
    pub(super) moves: BTreeMap<u16, u64>,
    /// Number of games in which the player, the opponent or nobody made the next move.
    pub(super) left_by: [u64; 3],
    /// Number of games with each next move.
    pub(super) next: BTreeMap<String, u64>,
}

/// Candidate for a model game; the greatest one is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) other: u16,
    pub(super) date: Date,
    pub(super) number: std::cmp::Reverse<u64>,
}

/// Sums over all games.
#[derive(Debug, Default)]
pub(super) struct Profile {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) all: Group,
    /// Names of the player, and those of the opponents.
    pub(super) names: [Names; 2],
    /// First and last date.
    pub(super) dates: Option<(Date, Date)>,
    /// Games by year; 0 for those without one.
    pub(super) years: BTreeMap<u16, Group>,
    /// Games by the rating of the opponent, in steps; 0 for those without one.
    pub(super) ratings: BTreeMap<u16, Group>,
    /// Games by the name of their opening, with the number of games by year.
    pub(super) openings: BTreeMap<String, (Group, BTreeMap<u16, u64>)>,
    /// Games by ECO code and name of the last position that has them; empty without any.
    pub(super) exits: BTreeMap<(String, String), Exit>,
    pub(super) clocks: Clocks,
    pub(super) evaluations: Evaluations,
    pub(super) candidates: BTreeMap<String, Vec<Candidate>>,
    /// Games since a date, and those before it.
    pub(super) since: [Group; 2],
    /// Number of games of the player in which the position does not occur.
    pub(super) elsewhere: u64,
    /// Names of other players of this color, if one is sought.
    pub(super) others: Names,
}

/// A panic on a game leaves the profile as it is, except for sums of that game.
impl Results for Profile {}

/// Adds counts to others.
pub(super) fn add_counts<K: Ord>(sums: &mut BTreeMap<K, u64>, other: BTreeMap<K, u64>) {
    for (key, n) in other {
        *sums.entry(key).or_default() += n;
    }
}

impl Sum for Profile {
    fn add(&mut self, other: Profile) {
        self.outcomes.extend(other.outcomes);
        self.all.merge(&other.all);
        for (names, more) in self.names.iter_mut().zip(other.names) {
            names.add_all(more);
        }
        self.dates = match (self.dates, other.dates) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, another) => one.or(another),
        };
        for (sums, groups) in [(&mut self.years, other.years), (&mut self.ratings, other.ratings)] {
            for (key, group) in groups {
                sums.entry(key).or_default().merge(&group);
            }
        }
        for (name, (group, years)) in other.openings {
            let opening = self.openings.entry(name).or_default();
            opening.0.merge(&group);
            add_counts(&mut opening.1, years);
        }
        for (name, exit) in other.exits {
            let sum = self.exits.entry(name).or_default();
            sum.group.merge(&exit.group);
            add_counts(&mut sum.moves, exit.moves);
            add_counts(&mut sum.next, exit.next);
            for (n, more) in sum.left_by.iter_mut().zip(exit.left_by) {
                *n += more;
            }
        }
        self.clocks.merge(&other.clocks);
        self.evaluations.merge(&other.evaluations);
        for (name, candidates) in other.candidates {
            let kept = self.candidates.entry(name).or_default();
            kept.extend(candidates);
            keep_best(kept);
        }
        for (group, more) in self.since.iter_mut().zip(other.since) {
            group.merge(&more);
        }
        self.elsewhere += other.elsewhere;
        self.others.add_all(other.others);
    }
}

fn keep_best(candidates: &mut Vec<Candidate>) {
    candidates.sort_unstable_by(|a, b| b.cmp(a));
    candidates.truncate(CANDIDATES);
}

/// Reads the games of a thread.
pub(super) struct Profiler<'q> {
    question: Question<'q>,
    /// Parts of the name of the player, in lower case.
    names: Vec<String>,
    reader: GameReader<'q>,
    openings: Openings,
}

impl<'q> Profiler<'q> {
    pub(super) fn new(question: Question<'q>, variants: &'q VariantNames) -> Profiler<'q> {
        Profiler {
            question,
            names: question.players.iter().map(|name| name.to_lowercase()).collect(),
            reader: GameReader::new(variants),
            openings: Openings::default(),
        }
    }
}

/// Whether a name contains one of these texts in lower case, in any case of letters, or whether none
/// is sought.
fn is_called(parts: &[String], name: &[u8]) -> bool {
    if parts.is_empty() {
        return true;
    }
    let name = decode_value(name).to_lowercase();
    parts.iter().any(|part| name.contains(part.as_str()))
}

/// Returns the nodes of the main line.
pub(super) fn main_line(tree: &GameTree) -> Vec<usize> {
    std::iter::successors(Some(0), |&node| tree.next(node)).collect()
}

impl Worker for Profiler<'_> {
    type Results = Tally<Profile>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Tally<Profile>>) {
        let Question { side, target, since, .. } = self.question;
        let (names, mut other) = (&self.names, None);
        let is_wanted = |tags: pgn::TextTags<'_>| {
            let name = tags.player(side);
            let is_wanted = is_called(names, &name);
            other = (!is_wanted).then(|| name.into_owned());
            is_wanted
        };
        let Some((tags, tree)) = self.reader.read_wanted(raw, number, is_wanted, out) else {
            if let Some(other) = other {
                out.results.counts.others.add(&other, 1);
            }
            return;
        };
        let profile = &mut out.results.counts;
        if target.nodes(tree, false).is_empty() {
            profile.elsewhere += 1;
            return;
        }
        let [own, other] = [side, !side].map(|color| tags.rating(color).value);
        let points = Points::of(tree.result(), side);
        let outcome = Outcome { number, points, own, other };
        profile.add_game(*tags, outcome, side, since);
        let line = main_line(tree);
        let opening = self.openings.last_named(tree);
        profile.add_opening(&self.question, tree, &line, opening, outcome, tags.date());
        let trouble = profile.clocks.add(tree, tags.text(), &line, side, outcome);
        profile.evaluations.add(tree, tags.text(), &line, side, &trouble);
    }
}

impl Profile {
    /// Counts the openings of a whole repertoire by their families. Those of one family alone, as of
    /// games that were chosen by its codes, keep their names.
    pub(super) fn join_families(&mut self) {
        let named = self.openings.keys().filter(|name| !name.is_empty());
        let families: BTreeSet<&str> = named.map(|name| family_of(name)).collect();
        if families.len() < 2 {
            return;
        }
        let of_family = |name: String| family_of(&name).to_owned();
        let (openings, candidates) = (take(&mut self.openings), take(&mut self.candidates));
        for (name, sums) in openings {
            let openings = BTreeMap::from([(of_family(name), sums)]);
            self.add(Profile { openings, ..Profile::default() });
        }
        for (name, best) in candidates {
            let candidates = BTreeMap::from([(of_family(name), best)]);
            self.add(Profile { candidates, ..Profile::default() });
        }
    }

    /// Returns the parts of the name of the player that no game has.
    pub(super) fn absent(&self, parts: &[String]) -> Vec<String> {
        let known = self.names[0].top(usize::MAX);
        let has = |part: &str| known.iter().any(|name| name.name.to_lowercase().contains(part));
        parts.iter().filter(|part| !has(&part.to_lowercase())).cloned().collect()
    }

    /// Returns the names of others that sound like one of the player, the most frequent ones first.
    pub(super) fn other_spellings(&self) -> Vec<Count> {
        let own = self.names[0].top(SPELLED);
        let own: Vec<Player> = own.iter().map(|count| Player::of_name(&count.name)).collect();
        let others = self.others.top(usize::MAX).into_iter();
        let others = others.filter(|other| {
            let other = Player::of_name(&other.name);
            own.iter().any(|player| player.may_be_spelled(&other))
        });
        others.take(SPELLED).collect()
    }

    /// Counts what the tags of a game say.
    fn add_game(&mut self, tags: Tags<'_>, outcome: Outcome, side: Color, since: Option<Date>) {
        self.outcomes.push(outcome);
        self.all.add(outcome);
        for (names, color) in self.names.iter_mut().zip([side, !side]) {
            names.add(&tags.player(color), 1);
        }
        let date = tags.date();
        if date.year > 0 {
            let (first, last) = self.dates.unwrap_or((date, date));
            self.dates = Some((first.min(date), last.max(date)));
        }
        self.years.entry(date.year).or_default().add(outcome);
        let class = outcome.other / RATING_STEP * RATING_STEP;
        self.ratings.entry(class).or_default().add(outcome);
        if let Some(since) = since {
            self.since[usize::from(date < since)].add(outcome);
        }
    }

    /// Counts the opening of a game, and where the game leaves the named positions.
    fn add_opening(
        &mut self,
        question: &Question<'_>,
        tree: &GameTree,
        line: &[usize],
        named: Option<(usize, &openings::Opening)>,
        outcome: Outcome,
        date: Date,
    ) {
        let name = named.map_or("", |(_, opening)| opening.name()).to_owned();
        let opening = self.openings.entry(name.clone()).or_default();
        opening.0.add(outcome);
        *opening.1.entry(date.year).or_default() += 1;
        if outcome.points == Some(Points::Win) && line.len() > SHORTEST_MODEL {
            let candidates = self.candidates.entry(name).or_default();
            let number = std::cmp::Reverse(outcome.number);
            candidates.push(Candidate { other: outcome.other, date, number });
            keep_best(candidates);
        }
        let at = named.map_or(0, |(at, _)| at);
        let key = named.map_or_else(Default::default, |(_, opening)| {
            (opening.eco().to_owned(), opening.name().to_owned())
        });
        let exit = self.exits.entry(key).or_default();
        exit.group.add(outcome);
        let Some(position) = line.get(at).and_then(|&node| tree.positions().get(node)) else {
            return;
        };
        let black_moved = position.turn == Color::White;
        let last_move = position.fullmove_number.saturating_sub(u16::from(black_moved));
        *exit.moves.entry(last_move).or_default() += 1;
        let next = line.get(at + 1).and_then(|&node| tree.move_to(node));
        let Some(next) = next else {
            exit.left_by[2] += 1;
            return;
        };
        exit.left_by[usize::from(position.turn != question.side)] += 1;
        let number = crate::target::numbered(position, 0);
        *exit.next.entry(format!("{number}{}", board::san(position, next))).or_default() += 1;
    }
}

impl RowWorker for Profiler<'_> {
    fn columns() -> Columns {
        let wanted = ["white", "black"];
        Columns::of(|name| wanted.contains(&name) || ArchiveRows::PLACES.contains(&name))
    }

    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        _: u64,
        out: &mut Output<Tally<Profile>>,
    ) -> Result<bool, ArchiveReadError> {
        let column = match self.question.side {
            Color::White => &rows.white,
            Color::Black => &rows.black,
        };
        let name = player_name(column.get(row));
        let is_wanted = is_called(&self.names, &name);
        if !is_wanted {
            out.results.counts.others.add(&name, 1);
        }
        // Clocks and evaluations are in the text.
        Ok(!is_wanted)
    }
}

/// Game shown in full.
#[derive(Clone, Debug)]
pub(super) struct FullGame {
    pub(super) number: u64,
    pub(super) input: String,
    pub(super) game: u64,
    /// Values of tags, by name.
    pub(super) tags: Vec<(&'static str, String)>,
    pub(super) result: &'static str,
    pub(super) start: board::Position,
    pub(super) moves: Vec<board::Move>,
    /// Number of half-moves to the last position with a name.
    pub(super) named: usize,
}

/// Games shown in full.
#[derive(Debug, Default)]
pub(super) struct FullGames(pub(super) Vec<FullGame>);

impl Results for FullGames {}

impl Sum for FullGames {
    fn add(&mut self, other: FullGames) {
        self.0.extend(other.0);
    }
}

/// Tags of a game that is shown in full.
const SHOWN_TAGS: [&str; 9] =
    ["White", "Black", "WhiteElo", "BlackElo", "Event", "Site", "Date", "Round", "ECO"];

/// Reads games that are shown in full.
pub(super) struct FullReader<'q>(GameReader<'q>, Openings);

impl<'q> FullReader<'q> {
    pub(super) fn new(variants: &'q VariantNames) -> FullReader<'q> {
        FullReader(GameReader::new(variants), Openings::default())
    }
}

impl Worker for FullReader<'_> {
    type Results = Tally<FullGames>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Tally<FullGames>>) {
        let Some((tags, tree)) = self.0.read_wanted(raw, number, |_| true, out) else {
            return;
        };
        let Origin { name, games_before } = &out.origin;
        let known = |name: &'static str| {
            let value = tags.raw(name.as_bytes()).map(|value| decode_value(value).into_owned())?;
            let is_known = !value.is_empty() && !value.starts_with('?') && value != "-";
            is_known.then_some((name, value))
        };
        let line = main_line(tree);
        out.results.counts.0.push(FullGame {
            number,
            input: name.to_string(),
            game: number.saturating_sub(*games_before),
            tags: SHOWN_TAGS.into_iter().filter_map(known).collect(),
            result: tree.result().as_str(),
            start: tree.positions().first().copied().unwrap_or(board::Position::START),
            moves: line.iter().skip(1).filter_map(|&node| tree.move_to(node)).collect(),
            named: self.1.last_named(tree).map_or(0, |(at, _)| at),
        });
    }
}

impl RowWorker for FullReader<'_> {
    fn columns() -> Columns {
        Columns::of(|name| ArchiveRows::PLACES.contains(&name))
    }

    fn row(
        &mut self,
        _: &Rows,
        _: usize,
        _: u64,
        _: &mut Output<Tally<FullGames>>,
    ) -> Result<bool, ArchiveReadError> {
        Ok(false)
    }
}
