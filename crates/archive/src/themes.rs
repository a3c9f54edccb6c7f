//! Themes of games: for each segment, a file with a column for each theme.
//!
//! A cell is the number of positions of the main line in which the theme holds. The files are not
//! part of the segments, and `themes.json` lists them apart from the [`Manifest`]: so themes can be
//! added to an archive and replaced without touching what it has, and an interrupted run leaves
//! segments without themes, but no segment with wrong ones.
//!
//! The meaning of a theme may change with the program. The list therefore has the *definition* of its
//! themes, and the caller compares it with its own ([`Themes::is_of`]).

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flow::Input;
use serde::{Deserialize, Serialize};

use crate::archive::Archive;
use crate::error::Error;
use crate::fresh::{Fresh, Ours};
use crate::ipc::{BlockBytes, ColumnType, IpcWriter, Layout, checksum};
use crate::manifest::{LARGEST, Manifest, SegmentEntry, is_plain, sealed, shown};
use crate::rows::Rows;
use crate::segment::{SegmentFile, is_written_by};

/// File name of the list.
const NAME: &str = "themes.json";

/// Value that identifies a list.
const FORMAT: &str = "babson themes";

/// Version of the format.
const VERSION: u64 = 1;

/// Cell of a game in which the number of positions is not known, or is this number or greater.
pub const UNKNOWN_POSITIONS: u8 = u8::MAX;

/// The themes that an archive keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Themes {
    format: String,
    version: u64,
    /// Identifies what the themes mean.
    definition: String,
    /// Names of the themes, which are the columns of each file.
    themes: Vec<String>,
    /// Segments whose themes are known.
    segments: Vec<ThemeEntry>,
    /// Checksum of everything above.
    checksum: String,
}

/// The themes of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeEntry {
    /// Checksum of the segment, as in the manifest.
    segment: String,
    /// Name of the file in the folder.
    name: String,
    /// Size of the file in bytes.
    bytes: u64,
    /// Checksum of its footer.
    checksum: String,
}

impl Themes {
    /// Creates a list without segments.
    #[must_use]
    pub fn new(definition: String, themes: Vec<String>) -> Themes {
        Themes {
            format: FORMAT.to_owned(),
            version: VERSION,
            definition,
            themes,
            segments: Vec::new(),
            checksum: String::new(),
        }
    }

    /// Returns what identifies a definition: the checksum of its text, and the version of the
    /// program's part in it.
    #[must_use]
    pub fn definition_of(text: &str, version: u32) -> String {
        format!("{}-{version}", shown(checksum(text.as_bytes())))
    }

    /// Reads the list of an archive; `None` if it keeps no themes.
    ///
    /// # Errors
    /// The list cannot be read, is damaged, or has an unknown version.
    pub fn of(archive: &Archive) -> Result<Option<Themes>, Error> {
        let path = remote::join(archive.folder(), NAME);
        let text = if remote::is_address(&path) {
            remote::read(&path.to_string_lossy(), LARGEST, archive.cancel())
        } else {
            fs::read(&path)
        };
        match text {
            Ok(text) => Themes::parse(&text).map(Some).map_err(|error| error.in_file(NAME)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::of_file(&path, error)),
        }
    }

    fn parse(text: &[u8]) -> Result<Themes, Error> {
        let themes: Themes =
            serde_json::from_slice(text).map_err(|error| Error::Damaged(error.to_string()))?;
        if themes.format != FORMAT || themes.version != VERSION {
            return Err(Error::Version(themes.version));
        }
        let names_are_plain = themes.segments.iter().all(|entry| is_plain(&entry.name));
        if themes.text()?.as_bytes() == text && names_are_plain {
            Ok(themes)
        } else {
            Err(Error::Damaged("its text was changed".to_owned()))
        }
    }

    fn text(&self) -> Result<String, Error> {
        sealed(self.clone(), |themes| &mut themes.checksum)
    }

    /// Whether the themes mean what this definition says.
    #[must_use]
    pub fn is_of(&self, definition: &str) -> bool {
        self.definition == definition
    }

    /// The names of the themes, in the order of the columns.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.themes
    }

    /// Whether the themes of the segment with this number are known. Reads its file: a damaged one
    /// counts as missing.
    #[must_use]
    pub fn has(&self, archive: &Archive, number: usize) -> bool {
        let file = self.open(archive, number).ok().flatten();
        file.is_some_and(|mut file| file.check(&self.themes).is_ok())
    }

    fn entry(&self, segment: &SegmentEntry) -> Option<&ThemeEntry> {
        self.segments.iter().find(|entry| entry.segment == segment.checksum)
    }

    /// Size of all files in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|entry| entry.bytes).sum()
    }

    /// Opens the themes of the segment with this number; `None` if they are not known.
    ///
    /// # Errors
    /// The file cannot be read, or differs from what was written.
    pub fn open(
        &self,
        archive: &Archive,
        number: usize,
    ) -> Result<Option<ThemeSegment<SegmentFile>>, Error> {
        let segment = archive.manifest().segments.get(number).ok_or(Error::Missing)?;
        let Some(entry) = self.entry(segment) else {
            return Ok(None);
        };
        let opened = archive.file(&entry.name).and_then(|file| self.segment(file, entry, segment));
        opened.map(Some).map_err(|error| error.in_file(&entry.name))
    }

    fn segment<I: Input>(
        &self,
        input: I,
        entry: &ThemeEntry,
        segment: &SegmentEntry,
    ) -> Result<ThemeSegment<I>, Error> {
        let sum = u64::from_str_radix(&entry.checksum, 16)
            .map_err(|_| Error::Damaged("its checksum is malformed".to_owned()))?;
        let layout = Layout::read(&input, sum)?;
        if layout.has(&schema(&self.themes)) && layout.n_rows as u64 == segment.games {
            Ok(ThemeSegment { input, layout, bytes: BlockBytes::default() })
        } else {
            Err(Error::Damaged("it has other columns".to_owned()))
        }
    }

    /// Writes the list to a folder, atomically.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let failed = |error| Error::of_file(&folder.join(NAME), error);
        let mut fresh = Fresh::create(folder).map_err(failed)?;
        fresh.write_all(self.text()?.as_bytes()).map_err(failed)?;
        fresh.put_in(folder, NAME)
    }

    /// Writes the themes of the segment with this number, a list of cells for each theme, and then
    /// lists them.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(
        &mut self,
        folder: &Path,
        (number, segment): (usize, &SegmentEntry),
        columns: &[Vec<u8>],
    ) -> Result<(), Error> {
        let failed = |error| Error::of_file(folder, error);
        let mut fresh = Fresh::create(folder).map_err(failed)?;
        let (bytes, footer) = write(&mut fresh, &self.themes, columns).map_err(failed)?;
        let checksum = shown(footer);
        let name = format!("{number:05}-{}.themes", &checksum[..8]);
        fresh.put_in(folder, &name)?;
        let segment = segment.checksum.clone();
        self.segments.retain(|entry| entry.segment != segment);
        self.segments.push(ThemeEntry { segment, name, bytes, checksum });
        self.write(folder)
    }

    /// Forgets segments that the archive no longer has, and removes files that are not listed. The
    /// caller must hold the lock of the folder.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn settle(&mut self, folder: &Path, manifest: &Manifest) -> Result<(), Error> {
        let before = self.segments.clone();
        let known = manifest.segments.iter();
        self.segments = known.filter_map(|segment| self.entry(segment).cloned()).collect();
        if self.segments != before {
            self.write(folder)?;
        }
        remove_others(folder, &self.segments)
    }

    /// Removes the themes of an archive. The caller must hold the lock of the folder.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(folder: &Path) -> Result<(), Error> {
        match fs::remove_file(folder.join(NAME)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::of_file(&folder.join(NAME), error));
            }
            _ => {}
        }
        remove_others(folder, &[])
    }

    /// Reads all files and returns what is wrong with them: lower case, no full stop.
    pub(crate) fn check(&self, archive: &Archive) -> Vec<String> {
        let mut faults = Vec::new();
        let mut n_lacking = 0;
        for (number, segment) in archive.manifest().segments.iter().enumerate() {
            match self.open(archive, number) {
                Ok(None) => n_lacking += 1,
                Ok(Some(mut file)) => {
                    if let Err(error) = file.check(&self.themes) {
                        let name = self.entry(segment).map_or(NAME, |entry| &entry.name);
                        faults.push(error.in_file(name).to_string());
                    }
                }
                Err(error) => faults.push(error.to_string()),
            }
        }
        if n_lacking > 0 {
            let segments = if n_lacking == 1 { "a segment" } else { "segments" };
            faults.push(format!(
                "{NAME}: the themes of {segments} are missing: update the archive to add them"
            ));
        }
        faults
    }
}

/// Names and types of the columns for these themes.
fn schema(names: &[String]) -> Vec<(&str, ColumnType)> {
    names.iter().map(|name| (name.as_str(), ColumnType::Number(8))).collect()
}

/// Writes a file. Returns its size and the checksum of its footer.
fn write(out: impl Write, names: &[String], columns: &[Vec<u8>]) -> io::Result<(u64, u64)> {
    let n_rows = columns.first().map_or(0, Vec::len);
    let mut writer = IpcWriter::begin(out, n_rows, schema(names))?;
    for cells in columns {
        writer.column(None, false, |body| {
            body.validity(cells.len(), |row| cells[row] != UNKNOWN_POSITIONS);
            body.buffer(|bytes| bytes.extend_from_slice(cells));
        })?;
    }
    writer.finish()
}

/// Removes files of themes that are not among these.
fn remove_others(folder: &Path, known: &[ThemeEntry]) -> Result<(), Error> {
    let failed = |error: io::Error| Error::of_file(folder, error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let is_known = known.iter().any(|known| name == *known.name);
        if Ours::of(&entry) == Some(Ours::Themes) && !is_known {
            fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

/// The themes of a segment, whose columns are read when they are needed.
pub struct ThemeSegment<I> {
    input: I,
    layout: Layout,
    bytes: BlockBytes,
}

impl<I: Input> ThemeSegment<I> {
    /// Reads themes of the block that `rows` hold. Each pair is the number of a theme in the library
    /// and that of its column.
    ///
    /// # Errors
    /// A column cannot be read, or differs from what was written. The rows then have no themes.
    pub fn read(
        &mut self,
        rows: &mut Rows,
        wanted: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<(), Error> {
        let block = rows.shown.block.ok_or(Error::Missing)?;
        for (theme, column) in wanted {
            if rows.themes.has(theme) {
                continue;
            }
            let cells = self.cells(column, block);
            match cells {
                Ok(cells) if cells.len() == rows.n_rows => rows.themes.set(theme, cells),
                other => {
                    rows.themes.clear();
                    other?;
                    return Err(Error::Damaged("its number of games differs".to_owned()));
                }
            }
        }
        Ok(())
    }

    fn cells(&mut self, column: usize, block: usize) -> Result<&[u8], Error> {
        self.layout.read_block(&self.input, column, block, &mut self.bytes)?;
        match self.bytes.buffers() {
            [_, cells] => Ok(cells),
            _ => Err(Error::Damaged("the cells of a column do not match".to_owned())),
        }
    }

    /// Reads everything. Fails if the file differs from what was written.
    fn check(&mut self, names: &[String]) -> Result<(), Error> {
        let mut columns = vec![Vec::new(); names.len()];
        for (column, all) in columns.iter_mut().enumerate() {
            for block in 0..self.layout.n_blocks() {
                all.extend_from_slice(self.cells(column, block)?);
            }
        }
        if is_written_by(&self.input, |out| write(out, names, &columns)) {
            Ok(())
        } else {
            Err(Error::Damaged("bytes that no search reads were changed".to_owned()))
        }
    }
}

/// The themes of a block of games, by their numbers in the library.
#[derive(Debug, Default)]
pub(crate) struct ThemeCells {
    /// Cells of each theme; empty if they have not been read.
    columns: Vec<Vec<u8>>,
}

impl ThemeCells {
    fn has(&self, theme: usize) -> bool {
        self.columns.get(theme).is_some_and(|cells| !cells.is_empty())
    }

    fn set(&mut self, theme: usize, cells: &[u8]) {
        if self.columns.len() <= theme {
            self.columns.resize_with(theme + 1, Vec::new);
        }
        self.columns[theme].clear();
        self.columns[theme].extend_from_slice(cells);
    }

    /// The number of positions of a game with a theme, if it is known.
    #[inline]
    pub(crate) fn get(&self, theme: usize, row: usize) -> Option<u8> {
        let cell = *self.columns.get(theme)?.get(row)?;
        (cell != UNKNOWN_POSITIONS).then_some(cell)
    }

    /// Removes the cells and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipc::BLOCK_ROWS;

    fn example(n_games: u64) -> (Themes, SegmentEntry, Vec<Vec<u8>>) {
        let names = ["fork", "skewer"].map(str::to_owned).to_vec();
        let themes = Themes::new(Themes::definition_of("f", 1), names);
        let segment = SegmentEntry {
            name: "00000-12345678.arrow".to_owned(),
            games: n_games,
            bytes: 7,
            checksum: shown(8),
            source: 0,
            offset: 9,
        };
        let cells = |shift: u64| (0..n_games).map(|game| ((game + shift) % 256) as u8).collect();
        (themes, segment, vec![cells(0), cells(250)])
    }

    #[test]
    fn what_is_written_is_read() {
        let n_games = BLOCK_ROWS as u64 + 10;
        let (themes, segment, columns) = example(n_games);
        let mut bytes = Vec::new();
        let (size, footer) = write(&mut bytes, themes.names(), &columns).expect("written");
        assert_eq!(size, bytes.len() as u64);
        let entry = ThemeEntry {
            segment: segment.checksum.clone(),
            name: "00000-12345678.themes".to_owned(),
            bytes: size,
            checksum: shown(footer),
        };
        let mut file = themes.segment(&bytes[..], &entry, &segment).expect("a file");
        assert_eq!(file.check(themes.names()), Ok(()));
        let mut rows = Rows::default();
        (rows.n_rows, rows.shown.block) = (10, Some(1));
        // The skewer has the number 15 in the library.
        file.read(&mut rows, [(15, 1)]).expect("read");
        for row in 0..10 {
            let cell = columns[1][BLOCK_ROWS + row];
            let known = (cell != UNKNOWN_POSITIONS).then_some(cell);
            assert_eq!(rows.game(row).theme_positions(15), known);
            assert_eq!(rows.game(row).theme_positions(0), None);
        }
        let other = SegmentEntry { games: 10, ..segment };
        assert!(themes.segment(&bytes[..], &entry, &other).is_err());
        rows.n_rows = 9;
        assert!(file.read(&mut rows, [(0, 0)]).is_err());
        assert_eq!(rows.game(0).theme_positions(15), None);
        assert!(file.read(&mut rows, [(3, 2)]).is_err(), "there are two columns");
    }

    #[test]
    fn every_byte_may_be_damaged() {
        let (themes, segment, columns) = example(20);
        let mut bytes = Vec::new();
        let (size, footer) = write(&mut bytes, themes.names(), &columns).expect("written");
        let entry = ThemeEntry {
            segment: segment.checksum.clone(),
            name: "00000-12345678.themes".to_owned(),
            bytes: size,
            checksum: shown(footer),
        };
        let read = |bytes: &[u8]| {
            let mut file = themes.segment(bytes, &entry, &segment)?;
            file.check(themes.names())
        };
        assert_eq!(read(&bytes), Ok(()));
        for at in 0..bytes.len() {
            bytes[at] ^= 1;
            assert!(read(&bytes).is_err(), "byte {at}");
            bytes[at] ^= 1;
            assert!(read(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_list_is_kept_in_its_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        let (mut themes, segment, columns) = example(20);
        let archive = Archive::of(folder, Manifest::new(Vec::new()));
        assert_eq!(Themes::of(&archive), Ok(None));
        themes.add(folder, (0, &segment), &columns).expect("written");
        let mut manifest = Manifest::new(Vec::new());
        manifest.segments.push(segment.clone());
        let archive = Archive::of(folder, manifest);
        let read = Themes::of(&archive).expect("a list").expect("there is one");
        assert!(read.has(&archive, 0) && read.is_of(&Themes::definition_of("f", 1)));
        assert!(!read.is_of(&Themes::definition_of("f", 2)));
        assert!(!read.is_of(&Themes::definition_of("g", 1)));
        assert!(!read.has(&archive, 1));
        assert_eq!(read.check(&archive), [""; 0]);
        let path = folder.join(NAME);
        let mut text = fs::read(&path).expect("a file");
        for at in 0..text.len() {
            text[at] ^= 1;
            assert!(Themes::parse(&text).is_err(), "byte {at}");
            text[at] ^= 1;
        }
        // Another archive in the same folder has other segments.
        let other = Archive::of(folder, Manifest::new(Vec::new()));
        themes.settle(folder, other.manifest()).expect("settled");
        let names = fs::read_dir(folder).expect("a folder").count();
        assert_eq!(names, 1, "the list");
        assert_eq!(themes.check(&archive).len(), 1);
        Themes::remove(folder).expect("removed");
        assert_eq!(Themes::of(&archive), Ok(None));
        Themes::remove(folder).expect("nothing to remove");
    }
}
