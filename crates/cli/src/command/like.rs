//! `cql like GAMES… POSITION`: finds the games with the positions most like a given one.
//!
//! The search is that of a query which sorts by `likeness`; images of the position lose points in
//! it. Only the best games are described.

mod place;
mod report;

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use babson::{GameSet, Query, ScanPlan, Search};
use board::{Board, FenError, Likeness, LikenessMemo, LikenessWeights, Position, Symmetry};
use engine::{CompileOptions, GameRow, PositionRow, Program, SortKey};
use table::Table;

use super::choosing::{Choice, Chosen, chosen};
use super::counting::Watcher;
use super::reading::ReadingArgs;
use super::text;
use crate::args::ChoiceArgs;
use crate::failure::{Failure, context, wrong_argument};
use crate::games;
use crate::interrupt;
use crate::output::ProgressDisplay;
use crate::report::{ReportStyle, SourceText};
use crate::search::pass::Context;
use crate::search::sources::SourceFaults;
use place::{Given, split};
use report::{BestPosition, ListFormat};

/// Points of all parts together: a hundredth of them is shown as one.
const POINTS: u32 = 10_000;

/// Points that an image loses.
const PENALTY: u32 = POINTS / 20;

/// Find similar positions: the games most like a given position
///
/// Each game is judged by its best position: 100 points for an equal board, whichever side is to
/// move. With --mirror, --colors and --shift, images of the position count, too, for 5 points less.
#[derive(clap::Args)]
pub(super) struct LikeArgs {
    /// Games, then the position: a FEN, or GAME:PLY
    ///
    /// Games are files, directories, patterns, archives, or - for standard input. GAME:PLY is the
    /// position of one of these games, by its number, after PLY half-moves; that game is left out.
    #[arg(required = true, value_name = "GAMES… POSITION", value_hint = clap::ValueHint::AnyPath)]
    words: Vec<OsString>,
    /// Show the N best games
    #[arg(long, alias = "limit", value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=10_000))]
    best: u64,
    /// Set the weight of the pawns
    #[arg(long, value_name = "W", default_value_t = 60.0, value_parser = weight,
        allow_negative_numbers = true)]
    pawns: f64,
    /// Set the weight of knights, bishops, rooks and queens
    #[arg(long, value_name = "W", default_value_t = 20.0, value_parser = weight,
        allow_negative_numbers = true)]
    pieces: f64,
    /// Set the weight of the kings
    #[arg(long, value_name = "W", default_value_t = 10.0, value_parser = weight,
        allow_negative_numbers = true)]
    kings: f64,
    /// Set the weight of the material
    #[arg(long, value_name = "W", default_value_t = 10.0, value_parser = weight,
        allow_negative_numbers = true)]
    material: f64,
    /// Search only positions that match a filter in CQL
    #[arg(long, alias = "query", value_name = "FILTER")]
    cql: Vec<String>,
    /// Search the mirror image, too
    #[arg(long)]
    mirror: bool,
    /// Search the position with exchanged colors, too
    #[arg(long)]
    colors: bool,
    /// Search the position moved by one file, too, if all pieces stay on the board
    #[arg(long)]
    shift: bool,
    /// Show boards
    #[arg(long)]
    board: bool,
    /// Print the games as JSON or CSV
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["json", "board"])]
    format: Option<ListFormat>,
    /// Search the text even if there is an archive of the games
    #[arg(long)]
    no_index: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    look: ReportStyle,
    #[command(flatten)]
    choice: ChoiceArgs,
}

fn weight(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(weight) if weight.is_finite() && weight >= 0.0 => Ok(weight),
        _ => Err("a weight is a number that is not negative".to_owned()),
    }
}

/// The position, or an image of it.
struct Image {
    name: String,
    board: Board,
}

impl Image {
    /// Returns the points that it loses.
    fn penalty(&self) -> u32 {
        if self.name.is_empty() { 0 } else { PENALTY }
    }
}

/// Searches the games and prints the best.
pub(super) fn run(arguments: &LikeArgs) -> Result<(), Failure> {
    interrupt::listen();
    let weights = arguments.weights()?;
    let mut words: Vec<PathBuf> = arguments.words.iter().map(PathBuf::from).collect();
    let limits = arguments.reading.limits()?.query;
    let given = ChoiceArgs { look: arguments.look, ..arguments.choice.clone() };
    let choice = Choice::new(&given, limits, &mut words)?;
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let (names, given) = split(&words)?;
    let how = arguments.reading.how()?;
    let only_named = arguments.no_index || how.is_said();
    let mut games = games::find_with_archives(&names, how, None)?;
    if given.is_game() || choice.is_some() {
        games::keep(&mut games.inputs)?;
    }
    let groups = games::groups(&games, only_named);
    let plan = ScanPlan { inputs: &games.inputs, groups: &groups };
    let threads = arguments.reading.threads();
    let Chosen { games: chosen, has_failed, .. } =
        chosen(choice.as_ref(), &plan, threads, arguments.progress)?;
    let mut pass =
        Pass { plan, arguments, sources: SourceFaults::default(), is_complete: true, chosen: None };
    let (board, own_game) = match given {
        Given::Board(board) => (board, None),
        Given::Game { number, ply } => (pass.board_of_game(number, ply)?, Some(number)),
    };
    let images = arguments.images(&board);
    let program = arguments.program(&images, weights, own_game)?;
    pass.chosen = chosen;
    let rows = pass.search(Query::new(program).with_best(arguments.best))?;
    let found = rows.iter().filter_map(|row| found(row, &images, weights));
    let found: Vec<BestPosition<'_>> = found.collect();
    let name = games.inputs.name();
    match (arguments.reading.json, arguments.format) {
        (true, _) | (_, Some(ListFormat::Json)) => text::print(report::json(&found)?.as_bytes())?,
        (_, Some(ListFormat::Csv)) => text::print(report::csv(&found).as_bytes())?,
        _ if found.is_empty() => tell_line!("no game of {name} has a position to compare"),
        _ => text::show_table(&report::lines(&found, arguments.board, images.len() > 1))?,
    }
    tell!("{}", pass.sources.summary());
    if pass.is_complete && !has_failed { Ok(()) } else { Err(Failure::Reported) }
}

/// Returns the board of a position.
fn board_of(position: &PositionRow) -> Result<Board, FenError> {
    let placement = position.fen.split([' ', '[']).next().unwrap_or_default();
    board::parse_board(placement.as_bytes())
}

/// Describes the best position of a game.
fn found<'r>(
    row: &'r GameRow,
    images: &[Image],
    weights: LikenessWeights,
) -> Option<BestPosition<'r>> {
    let SortKey::Number(points) = row.sort_values.first()?.value else {
        return None;
    };
    let position = row.positions.first()?;
    let board = board_of(position).ok()?;
    let mut images = images.iter();
    let is_best = |image: &&Image| {
        let of_image =
            Likeness::new(&image.board, weights).of(&board, &mut LikenessMemo::default());
        i64::from(of_image) - i64::from(image.penalty()) == points
    };
    let image = images.find(is_best).map_or_else(String::new, |image| image.name.clone());
    Some(BestPosition { points, image, row, position })
}

impl LikeArgs {
    /// Returns the weights as points of [`POINTS`].
    fn weights(&self) -> Result<LikenessWeights, Failure> {
        let given = [self.pawns, self.pieces, self.kings, self.material];
        let sum: f64 = given.iter().sum();
        if sum <= 0.0 || !sum.is_finite() {
            let message =
                "--pawns, --pieces, --kings and --material are all 0: nothing is compared";
            return Err(wrong_argument(message));
        }
        let mut points = given.map(|weight| (weight / sum * f64::from(POINTS)).round() as u32);
        // The greatest takes what rounding leaves, so that the points are complete.
        let rest = POINTS.wrapping_sub(points.iter().sum());
        if let Some(greatest) = points.iter_mut().max() {
            *greatest = greatest.wrapping_add(rest);
        }
        let [pawns, pieces, kings, material] = points;
        Ok(LikenessWeights { pawns, pieces, kings, material })
    }

    /// Returns the position and the images that are wanted of it, without equal ones.
    fn images(&self, board: &Board) -> Vec<Image> {
        let mut images = vec![Image { name: String::new(), board: *board }];
        let mut add = |is_wanted: bool, name: &str, change: &dyn Fn(&Board) -> Option<Board>| {
            for at in 0..if is_wanted { images.len() } else { 0 } {
                if let Some(board) = change(&images[at].board)
                    && images.iter().all(|image| image.board != board)
                {
                    let name = format!("{} {name}", images[at].name).trim().to_owned();
                    images.push(Image { name, board });
                }
            }
        };
        add(self.mirror, "mirror", &|board| Some(Symmetry::REFLECT_V.apply_board(board)));
        add(self.colors, "colors", &|board| {
            Some(Symmetry::REFLECT_H.apply_board(board).swap_colors())
        });
        add(self.shift, "left", &|board| shifted(board, -1));
        add(self.shift, "right", &|board| shifted(board, 1));
        images
    }

    fn compile_options(&self) -> Result<CompileOptions, Failure> {
        let limits = self.reading.limits()?.query;
        Ok(CompileOptions { limits, ..CompileOptions::default() })
    }

    /// Compiles the query that sorts by the likeness to the best image.
    fn program(
        &self,
        images: &[Image],
        weights: LikenessWeights,
        own_game: Option<u64>,
    ) -> Result<Arc<Program>, Failure> {
        let LikenessWeights { pawns, pieces, kings, material } = weights;
        let of_image = |image: &Image| {
            let fen = Position::new(image.board, board::Color::White).fen();
            let fen = fen.split(' ').next().unwrap_or_default();
            format!(
                "likeness(\"{fen}\" pawns {pawns} pieces {pieces} kings {kings} \
                 material {material}) - {}",
                image.penalty()
            )
        };
        let values: Vec<String> = images.iter().map(of_image).collect();
        let value = match values.as_slice() {
            [one] => one.clone(),
            several => format!("max({})", several.join(" ")),
        };
        let others = own_game.map(|n| format!("not (gamenumber == {n}) ")).unwrap_or_default();
        let mut sources =
            vec![SourceText::new("likeness", format!("cql() {others}sort \"likeness\" {value}"))];
        sources.extend(self.cql.iter().map(|filter| SourceText::new("--cql", &**filter)));
        let program = text::compile(&sources, &self.compile_options()?, self.look)?;
        if program.sort_labels().len() > 1 {
            let message = "--cql cannot sort: the games are sorted by likeness";
            return Err(Failure::Message(message.to_owned()));
        }
        Ok(program)
    }
}

/// Returns the board moved by some files; `None` if a piece would leave it.
fn shifted(board: &Board, dx: i8) -> Option<Board> {
    let mut moved = Board::EMPTY;
    for sq in board.occupied() {
        moved.put(sq.offset(dx, 0)?, board.piece_at(sq)?);
    }
    Some(moved)
}

/// Searches the games, and reports what cannot be read.
struct Pass<'a> {
    plan: ScanPlan<'a>,
    arguments: &'a LikeArgs,
    sources: SourceFaults,
    /// Whether all games could be searched.
    is_complete: bool,
    /// Games to compare; `None` for all.
    chosen: Option<Arc<GameSet>>,
}

impl Pass<'_> {
    /// Returns the games of a query.
    fn search(&mut self, query: Query) -> Result<Vec<GameRow>, Failure> {
        let inputs = self.plan.inputs;
        let mut watcher = Watcher::new(inputs, self.arguments.progress);
        let mut rows = Vec::new();
        let search = Search::new(&self.plan, [query.with_table(&Table::nothing())])
            .threads(self.arguments.reading.threads())
            .choosing(self.chosen.clone())
            .cancel(interrupt::cancel());
        let searched = watcher.matches(&search, &mut |game| {
            rows.push(game.row);
            Ok(ControlFlow::Continue(()))
        });
        searched.map_err(|error| Context::reading(inputs).failure(error))?;
        tell!("{}{}", watcher.sources.finish()?, watcher.defects.summary());
        watcher.refuse_nothing()?;
        self.is_complete &= watcher.is_complete();
        self.sources = watcher.sources;
        Ok(rows)
    }

    /// Returns the board of a game after a number of moves.
    fn board_of_game(&mut self, number: u64, ply: u32) -> Result<Board, Failure> {
        let query = format!("cql(gamenumber {number} {number}) true");
        let source = SourceText::new("game", query);
        let options = self.arguments.compile_options()?;
        let program = text::compile(&[source], &options, self.arguments.look)?;
        let rows = self.search(Query::new(program))?;
        let name = self.plan.inputs.name();
        let Some(row) = rows.first() else {
            return Err(Failure::Message(format!("there is no game {number} in {name}")));
        };
        let Some(position) = row.positions.iter().find(|position| position.ply == ply) else {
            let last = row.positions.last().map_or(0, |last| last.ply);
            let message = format!("game {number} of {name} ends at ply {last}, before ply {ply}");
            return Err(Failure::Message(message));
        };
        board_of(position).map_err(|error| context(name, &error))
    }
}

#[cfg(test)]
mod tests;
