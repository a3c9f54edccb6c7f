//! Exports the games of archives as one table: a row for each game, with its moves as a list.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use archive::{Archive, ArchiveState, Columns, Coverage, Rows};
use babson::{GameSet, UnusedReason};
use board::san_reaching;
use pgn::{Date, GameTree, decode_value};
use table::{Cell, CellType, CellWriter, Day, OutputFormat};

use super::message;
use crate::failure::{Failure, context, wrong_argument};
use crate::games;
use crate::interrupt;
use crate::output::{NewFile, Originals, Replace, Rules, tell_replaced};
use crate::visible::visible_name;

/// Columns of a row, named as in tables of a search.
const COLUMNS: [(&str, CellType); 18] = {
    use CellType::{Date, List, Number, Text};
    [
        ("input", Text),
        ("game", Number),
        ("game_in_input", Number),
        ("event", Text),
        ("site", Text),
        ("date", Date),
        ("year", Number),
        ("round", Text),
        ("white", Text),
        ("black", Text),
        ("white_elo", Number),
        ("black_elo", Number),
        ("eco", Text),
        ("result", Text),
        ("fen", Text),
        ("plies", Number),
        ("moves", List),
        ("variations", CellType::Bool),
    ]
};

/// Number of games between two checks for a signal.
const INTERVAL: usize = 1024;

/// Writes the games of archives, or those that are chosen, to a file whose name determines the
/// format. Returns the number of games.
pub(super) fn export(
    folders: &[PathBuf],
    target: &Path,
    chosen: Option<&GameSet>,
) -> Result<u64, Failure> {
    let Some(format) = OutputFormat::of_name(target).filter(|format| format.has_columns()) else {
        let extensions = OutputFormat::extensions(OutputFormat::has_columns);
        return Err(wrong_argument(format_args!(
            "the name of a table must end in one of {extensions}"
        )));
    };
    let mut archives = Vec::new();
    for folder in folders {
        match games::archive(folder)? {
            Some(archive) => {
                tell_if_changed(folder, &archive);
                archives.push((folder, archive));
            }
            None => {
                let name = folder.display();
                let message = format!("{name}: not an archive; `cql index` builds one from games");
                return Err(Failure::Message(message));
            }
        }
    }
    let failed = |error| context(format!("cannot write {}", target.display()), &error);
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.0).collect();
    let first_line = names.join(",");
    let mut originals = Originals::default();
    for (folder, archive) in &archives {
        // The original files of an archive must not be replaced either.
        let files = archive.manifest().files.iter();
        files.for_each(|file| originals.add(Path::new(&file.name)));
        originals.add(&folder.join("manifest.json"));
    }
    let rules = Rules::new(Replace::Results(Some(&first_line)), &originals);
    let file = NewFile::create(target, rules).map_err(failed)?;
    tell_replaced(&file, target);
    let table = CellWriter::begin(file, format, &COLUMNS).map_err(failed)?;
    let Some(table) = table else {
        return Err(Failure::Message("this format has no columns".to_owned()));
    };
    let tree = GameTree::default();
    let mut export = Export { table, target, chosen, tree, n_read: 0, n_written: 0 };
    for (folder, archive) in &archives {
        export.add(folder, archive)?;
    }
    export.table.finish().and_then(NewFile::finish).map_err(failed)?;
    Ok(export.n_written)
}

/// Reports an archive that has other games than its files have now.
fn tell_if_changed(folder: &Path, archive: &Archive) {
    let files = archive.manifest().files.iter();
    let files: Vec<PathBuf> = files.map(|file| PathBuf::from(&file.name)).collect();
    let what = match archive.standing(&files, interrupt::cancel()) {
        Ok(ArchiveState::Current) => return,
        Ok(ArchiveState::Unfinished) => UnusedReason::Unfinished.to_string(),
        Ok(ArchiveState::Outdated) => UnusedReason::Outdated.to_string(),
        Err(error) => error.to_string(),
    };
    tell_line!(
        "{}: {what}; exporting the games that it has",
        visible_name(&folder.to_string_lossy())
    );
}

struct Export<'t, W: Write> {
    table: CellWriter<W>,
    target: &'t Path,
    /// Games to write; `None` for all.
    chosen: Option<&'t GameSet>,
    tree: GameTree,
    /// Number of games that were read, written or not.
    n_read: u64,
    n_written: u64,
}

impl<W: Write> Export<'_, W> {
    fn add(&mut self, folder: &Path, archive: &Archive) -> Result<(), Failure> {
        let failed = |error| Failure::Message(message(folder, &error));
        // Number of games of each source written so far.
        let mut in_source: HashMap<Vec<u8>, u64> = HashMap::new();
        // Games are chosen by the order of their sources, which may not be that of the rows.
        let (mut starts, mut before) = (HashMap::new(), self.n_read);
        for source in &archive.manifest().sources {
            starts.insert(source.name.as_bytes(), before);
            before += source.games;
        }
        let mut rows = Rows::default();
        for segment in 0..archive.n_segments() {
            let mut segment = archive.segment(segment).map_err(failed)?;
            let others = Columns::of_summaries().with(Columns::of(|name| name == "checksum"));
            let wanted = Columns::all_but(others);
            segment.read(&mut rows, wanted).map_err(failed)?;
            for row in 0..rows.len() {
                if row % INTERVAL == 0 && interrupt::cancel().is_cancelled() {
                    return Err(Failure::Interrupted);
                }
                let source = rows.source.get(row).unwrap_or_default();
                let number = in_source.entry(source.to_vec()).or_default();
                *number += 1;
                let number = *number;
                let start = starts.get(source).copied().unwrap_or_default();
                self.n_read += 1;
                if self.chosen.is_none_or(|chosen| chosen.has(start + number)) {
                    self.add_row(&rows, row, number).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    fn add_row(&mut self, rows: &Rows, row: usize, in_source: u64) -> Result<(), archive::Error> {
        self.n_written += 1;
        let (plies, moves) = self.moves(rows, row)?;
        let text = |text: Option<&[u8]>| Cell::text(text.map(String::from_utf8_lossy));
        // Columns hold tags as they are written, tables of a search show them without backslashes.
        let tag = |value: Option<&[u8]>| Cell::text(value.map(decode_value));
        let number = |n: u64| Cell::Number(n as i64);
        let known = |n: u16| match n {
            0 => Cell::Null,
            n => Cell::Number(n.into()),
        };
        let Date { year, month, day } = rows.date.get(row).map_or(Date::default(), Date::parse);
        let has_variations = rows.game(row).flags().has(archive::Flags::VARIATIONS);
        let cells = [
            text(rows.source.get(row)),
            number(self.n_read),
            number(in_source),
            tag(rows.event.get(row)),
            tag(rows.site.get(row)),
            Day::new(year, month, day).map_or(Cell::Null, Cell::Date),
            known(year),
            tag(rows.round.get(row)),
            tag(rows.white.get(row)),
            tag(rows.black.get(row)),
            known(rows.white_elo.get(row)),
            known(rows.black_elo.get(row)),
            tag(rows.eco.get(row)),
            text(rows.result.get(row)),
            tag(rows.fen.get(row)),
            plies.clone(),
            moves,
            match plies {
                Cell::Null => Cell::Null,
                _ => Cell::Bool(has_variations),
            },
        ];
        let target = self.target.display();
        let name = || format!("cannot write {target}");
        self.table.row(&cells).map_err(|error| archive::Error::unreadable(name(), error))
    }

    /// Returns the moves of the main line and their number, if the columns have them.
    fn moves(&mut self, rows: &Rows, row: usize) -> Result<(Cell, Cell), archive::Error> {
        let game = rows.game(row);
        if game.class() > Coverage::Annotated {
            return Ok((Cell::Null, Cell::Null));
        }
        let tree = &mut self.tree;
        game.fill(tree).map_err(|_| archive::Error::Damaged("its moves are damaged".to_owned()))?;
        let (mut moves, mut plies) = (String::new(), 0);
        let positions = tree.positions();
        for node in std::iter::successors(tree.next(0), |&node| tree.next(node)) {
            let Some(mv) = tree.move_to(node) else {
                continue;
            };
            if plies > 0 {
                moves.push(' ');
            }
            let before = &positions[tree.parent(node)];
            moves.push_str(san_reaching(before, mv, &positions[node]).as_str());
            plies += 1;
        }
        Ok((Cell::Number(plies), Cell::Words(moves)))
    }
}
