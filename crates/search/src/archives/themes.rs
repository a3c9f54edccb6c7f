//! Themes that an archive keeps: computes them for games that lack them, and reads them for
//! searches.
//!
//! The themes of a game are evaluated as any search does, so a search that reads them finds the same
//! games. They are used only if they were made with the definition that the program has.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use archive::{
    Archive, Error, Manifest, Refusal, Rows, SegmentFile, ThemeSegment, Themes, UNKNOWN_POSITIONS,
};
use engine::{Program, QueryResults, QueryRun};
use flow::{Origin, Output, RunOptions};
use input::Inputs;
use syntax::library::{THEMES, Theme, ThemeSet};
use table::Table;

use super::reader::ArchiveReader;
use super::searcher::ArchiveCursor;
use crate::query::{runs_of, worker_of};
use crate::{Prefilter, Query};

/// Version of the filters that themes consist of. It rises when one of them finds other positions
/// than before.
const VERSION: u32 = 1;

/// Themes that an archive keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeepThemes {
    /// The themes that it already keeps, for all games.
    #[default]
    AsBefore,
    /// These themes in addition.
    With(ThemeSet),
    /// No themes.
    No,
}

fn definition() -> String {
    Themes::definition_of(THEMES.text, VERSION)
}

/// Returns what is wrong with the themes of an archive if searches do not use them: lower case, no
/// full stop.
pub fn outdated_themes(archive: &Archive) -> Option<String> {
    let themes = Themes::of(archive).ok().flatten()?;
    let what = "themes.json: the themes mean something else in this version of the program, so \
                searches evaluate them: update the archive to renew them";
    (!themes.is_of(&definition())).then(|| what.to_owned())
}

/// Themes of an open archive that have the definition of the program.
pub(super) struct OpenThemes {
    themes: Themes,
    /// Column of each theme, by the number of the theme in the library; `None` if there is none.
    columns: Vec<Option<usize>>,
}

impl OpenThemes {
    /// Reads the list of an archive; `None` if there are no themes, or if their definition differs
    /// from that of the program.
    pub(super) fn of(archive: &Archive) -> Result<Option<OpenThemes>, Error> {
        let themes = Themes::of(archive)?.filter(|themes| themes.is_of(&definition()));
        Ok(themes.map(|themes| {
            let place = |theme: Theme| themes.names().iter().position(|name| name == theme.name());
            let columns = Theme::all().map(place).collect();
            OpenThemes { themes, columns }
        }))
    }

    /// Opens the themes of a segment, if they are known.
    pub(super) fn open(
        &self,
        archive: &Archive,
        number: usize,
    ) -> Result<Option<ThemeSegment<SegmentFile>>, Error> {
        self.themes.open(archive, number)
    }

    /// Reads themes of the block in `rows`, as far as the archive keeps them.
    pub(super) fn read(
        &self,
        segment: &mut ThemeSegment<SegmentFile>,
        rows: &mut Rows,
        wanted: ThemeSet,
    ) -> Result<(), Error> {
        let columns = wanted.iter().filter_map(|theme| {
            let number = theme.number();
            Some((number, self.columns.get(number).copied()??))
        });
        segment.read(rows, columns)
    }
}

/// Makes an archive keep these themes of all of its games. The caller must hold the lock of the
/// folder. `heard` receives the number of games that have been evaluated. Returns `false` if the run
/// was cancelled; the next run resumes it.
pub(super) fn keep(
    (inputs, folder, manifest): (&Inputs, &Path, &Manifest),
    wanted: KeepThemes,
    options: &RunOptions,
    heard: &mut dyn FnMut(u64),
) -> Result<bool, Error> {
    let archive = Archive::open(folder)?;
    let refused = |refusal| Error::unreadable(folder.display().to_string(), refusal);
    let old = match wanted {
        KeepThemes::No => {
            Themes::remove(folder)?;
            return Ok(true);
        }
        KeepThemes::AsBefore => Themes::of(&archive)
            .map_err(|error| refused(Refusal::UnreadableThemes(Box::new(error))))?,
        // A damaged list is rebuilt.
        KeepThemes::With(_) => Themes::of(&archive).unwrap_or_default(),
    };
    let before = old.iter().flat_map(|old| old.names()).filter_map(|name| Theme::named(name));
    let mut set: ThemeSet = before.collect();
    if let KeepThemes::With(themes) = wanted {
        set = set.with(themes);
    }
    if set.is_empty() {
        // No theme of the list exists any more.
        return Themes::remove(folder).map(|()| true);
    }
    let names: Vec<String> = set.iter().map(|theme| theme.name().to_owned()).collect();
    let same = old.filter(|old| old.is_of(&definition()) && old.names() == names);
    let mut themes = match same {
        Some(themes) => themes,
        None => {
            let themes = Themes::new(definition(), names);
            themes.write(folder)?;
            themes
        }
    };
    let segments = 0..manifest.segments.len();
    let lacking: Vec<usize> = segments.filter(|&number| !themes.has(&archive, number)).collect();
    if !lacking.is_empty() {
        let archived = ArchiveReader::new(folder, archive, inputs, 0, None, &options.cancel);
        let Some(archived) = archived else {
            return Err(refused(Refusal::ThemesNeverRead));
        };
        let evaluation = Evaluation { archived: &archived, manifest, set };
        let mut add = |number: usize, columns: &[Vec<u8>]| {
            themes.add(folder, (number, &manifest.segments[number]), columns)
        };
        if !evaluation.run(&lacking, options, &mut add, heard)? {
            return Ok(false);
        }
    }
    themes.settle(folder, manifest).map(|()| true)
}

/// Receives the number of a segment and the cells of each theme.
type Add<'a> = dyn FnMut(usize, &[Vec<u8>]) -> Result<(), Error> + 'a;

/// Evaluation of themes on the games of segments.
struct Evaluation<'a> {
    archived: &'a ArchiveReader<'a>,
    manifest: &'a Manifest,
    set: ThemeSet,
}

impl Evaluation<'_> {
    /// Evaluates the themes on these segments. `add` receives the number of each complete segment
    /// and the cells of the themes. Returns `false` if the run was cancelled.
    fn run(
        &self,
        segments: &[usize],
        options: &RunOptions,
        add: &mut Add<'_>,
        heard: &mut dyn FnMut(u64),
    ) -> Result<bool, Error> {
        let programs: Vec<Arc<Program>> = self.set.iter().map(program).collect::<Result<_, _>>()?;
        let nothing = Table::nothing();
        let queries: Vec<Query> = programs
            .iter()
            .map(|program| Query::new(program.clone()).with_table(&nothing))
            .collect();
        let runs = runs_of(&queries, &options.cancel);
        // Screens would read the themes that the archive has now.
        let screens = Prefilter::open(programs.iter().map(|program| &**program));
        let make_searcher =
            || ArchiveCursor::new(self.archived, 0, &screens, worker_of(&queries, &runs, 0));
        let places = self.places();
        let is_wanted = |games: &Range<u64>| {
            segments.iter().any(|&number| places[number].contains(&games.start))
        };
        let ranges = Box::new(self.archived.ranges(0).filter(|games| is_wanted(games)));
        let mut left = segments.iter();
        let mut current = left.next();
        let mut columns: Vec<Vec<u8>> = vec![Vec::new(); queries.len()];
        let mut n_games = 0;
        let mut sink = |out: Output<Vec<QueryResults>>| {
            let mut take = || -> Result<(), Error> {
                if let Some(error) = &out.failure {
                    return Err(Error::unreadable("", error.clone()));
                }
                add_cells(&out, &runs, &mut columns);
                n_games += out.n_games;
                heard(n_games);
                let end = out.first_game + out.n_games;
                if let Some(&number) = current.filter(|number| places[**number].end == end) {
                    add(number, &columns)?;
                    columns.iter_mut().for_each(Vec::clear);
                    current = left.next();
                }
                Ok(())
            };
            take().map_err(io::Error::other)
        };
        let options =
            RunOptions { threads: options.threads, ..RunOptions::new(options.cancel.clone()) };
        let ran = flow::run_ranges(&Origin::default(), ranges, &options, make_searcher, &mut sink);
        let (summary, _) = ran.map_err(Error::of_run)?;
        Ok(!summary.cancelled)
    }

    /// Returns the numbers of the games of each segment.
    fn places(&self) -> Vec<Range<u64>> {
        let mut next = 1;
        let place = |n_games: u64| {
            let start = next;
            next += n_games;
            start..next
        };
        self.manifest.segments.iter().map(|segment| segment.games).map(place).collect()
    }
}

/// Adds the cells of some games to the column of each theme.
fn add_cells(out: &Output<Vec<QueryResults>>, runs: &[Arc<QueryRun>], columns: &mut [Vec<u8>]) {
    let n_games = usize::try_from(out.n_games).unwrap_or_default();
    for (theme, column) in columns.iter_mut().enumerate() {
        let start = column.len();
        // A theme that takes too many steps on each game is given up, so its results are unknown.
        let cell = if runs[theme].is_endless() { UNKNOWN_POSITIONS } else { 0 };
        column.resize(start + n_games, cell);
        let mut set = |number: u64, cell: u8| {
            let row = number.checked_sub(out.first_game).and_then(|row| usize::try_from(row).ok());
            if let Some(place) = row.and_then(|row| column.get_mut(start + row)) {
                *place = cell;
            }
        };
        for found in out.results.get(theme).iter().flat_map(|found| &found.matches) {
            set(found.number, u8::try_from(found.n_positions).unwrap_or(UNKNOWN_POSITIONS));
        }
        for fault in out.faults.iter().filter(|fault| fault.part.is_none_or(|part| part == theme)) {
            set(fault.number, UNKNOWN_POSITIONS);
        }
    }
}

/// Compiles the query for a theme.
fn program(theme: Theme) -> Result<Arc<Program>, Error> {
    let text = format!("cql() theme(\"{}\")", theme.name());
    let source = engine::Source { name: theme.name(), text: text.as_bytes() };
    let compiled = engine::compile(&source, &[], &engine::CompileOptions::default());
    let failed = || Error::unreadable("", Refusal::ThemeInError(theme.name().to_owned()));
    compiled.program.ok_or_else(failed)
}
