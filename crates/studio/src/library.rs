//! The collections that may be searched: those of the command line, and files dropped on the page.
//! The page refers to them by ids, never by paths.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use archive::{Archive, Themes};
use babson::{Games, NotFound};
use flow::{Cancel, Output, Results, RunOptions, SourceError, Worker};
use input::{COMPRESSED, ReadOptions};
use pgn::{GameTree, RawGame, TagIndex, VariantNames};
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::app::lock;

/// Number of searches whose files are remembered.
const SEARCHES: usize = 8;

/// Number of texts of a dropped file among which there must be a game.
const FIRST_GAMES: u64 = 100;

/// Games that are searched together.
#[derive(Debug, Clone)]
struct Collection {
    id: u32,
    name: String,
    path: PathBuf,
    origin: Origin,
}

/// Games at a path, with the name that the user knows if it is that of a private copy.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    path: PathBuf,
    name: Option<String>,
}

impl Place {
    /// Games that the program was started with.
    pub(crate) fn new(path: PathBuf) -> Place {
        Place { path, name: None }
    }

    /// A private copy of a file of this name.
    pub(crate) fn copy(path: PathBuf, name: &str) -> Place {
        Place { path, name: Some(name.to_owned()) }
    }
}

/// Origin of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The program was started with it.
    Started,
    /// A file dropped on the page, of which the path is a private copy.
    Dropped,
    /// Results that were saved as a collection, in a private file.
    Saved,
}

impl Collection {
    /// Returns the path of its archive; `None` if it can have none.
    fn archive_place(&self) -> Option<PathBuf> {
        let is_archive = is_archive(&self.path);
        let is_started = self.origin == Origin::Started;
        let has_place = is_started && (is_archive || self.path.exists());
        has_place.then(|| if is_archive { self.path.clone() } else { archive::beside(&self.path) })
    }

    /// Returns the state of its archive as JSON: missing, unfinished, complete, or damaged with a
    /// message. `null` if the collection can have none.
    fn archive(&self) -> Value {
        let Some(folder) = self.archive_place() else {
            return Value::Null;
        };
        match Archive::open(&folder) {
            Ok(archive) if archive.manifest().complete => {
                // A search says if they cannot be read.
                let themes = Themes::of(&archive).ok().flatten();
                let names = themes.as_ref().map_or(&[][..], Themes::names);
                json!({ "state": "there", "themes": names })
            }
            Ok(_) => json!({ "state": "unfinished" }),
            Err(archive::Error::Missing) => json!({ "state": "none" }),
            Err(error) => {
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                json!({ "state": "broken", "message": format!("{name}: {error}") })
            }
        }
    }
}

/// All collections.
#[derive(Debug, Default, Clone)]
pub(crate) struct Library {
    collections: Vec<Collection>,
    /// Names of the collections that were removed, which another window may still show.
    removed: BTreeMap<u32, String>,
    last_id: u32,
}

impl Library {
    pub(crate) fn new(games: Vec<PathBuf>) -> Library {
        let mut library = Library::default();
        for path in games {
            let name = path.file_name().map_or_else(
                || path.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            );
            library.add(name, path, Origin::Started);
        }
        library
    }

    /// Adds a collection. If there is one of its name, it has a number besides.
    pub(crate) fn add(&mut self, name: String, path: PathBuf, origin: Origin) -> u32 {
        let is_taken = |name: &str| self.collections.iter().any(|one| one.name == name);
        let others = (2..).map(|n| numbered(&name, n));
        let mut names = std::iter::once(name.clone()).chain(others);
        let name = names.find(|name| !is_taken(name)).unwrap_or_default();
        self.last_id += 1;
        self.collections.push(Collection { id: self.last_id, name, path, origin });
        self.last_id
    }

    /// Returns the id of a collection that is such a file, or a folder or a pattern with one.
    pub(crate) fn with_file(&self, is_it: impl Fn(&Path) -> bool) -> Option<u32> {
        let has_it = |one: &&Collection| {
            if one.path.is_file() || is_archive(&one.path) {
                return is_it(&one.path);
            }
            let found = games(&[Place::new(one.path.clone())], &Cancel::default());
            found.is_ok_and(|games| files(&games).any(&is_it))
        };
        self.collections.iter().find(has_it).map(|one| one.id)
    }

    /// Removes a collection that was made on the page and returns the path of its file.
    pub(crate) fn remove(&mut self, id: u32) -> Option<PathBuf> {
        let mut all = self.collections.iter();
        let place = all.position(|one| one.id == id && one.origin != Origin::Started)?;
        let Collection { id, name, path, .. } = self.collections.remove(place);
        self.removed.insert(id, name);
        Some(path)
    }

    /// Returns the collections as JSON for the page.
    pub(crate) fn describe(&self) -> Value {
        let all = self.collections.iter().map(|collection| {
            let kind = match collection.origin {
                Origin::Dropped => "dropped",
                Origin::Saved => "saved",
                Origin::Started if is_archive(&collection.path) => "archive",
                Origin::Started if collection.path.is_dir() => "folder",
                Origin::Started => "file",
            };
            let path = match collection.origin {
                Origin::Started => collection.path.display().to_string(),
                Origin::Dropped | Origin::Saved => String::new(),
            };
            let size = collection.path.metadata().ok();
            let size = size.filter(|found| found.is_file()).map(|found| found.len());
            json!({
                "id": collection.id, "name": collection.name, "kind": kind,
                "path": path, "bytes": size, "archive": collection.archive(),
            })
        });
        all.collect()
    }

    /// Returns the path of a collection whose archive may be built.
    pub(crate) fn place(&self, id: u32) -> Result<PathBuf, ApiError> {
        let found = self.find(id)?;
        let refused = |message: &str| Err(ApiError::bad(format!("{}: {message}", found.name)));
        if found.origin != Origin::Started {
            return refused(
                "a file dropped or saved on the page has no folder for an archive; start `cql studio` with \
                 the file instead",
            );
        }
        if is_archive(&found.path) {
            return refused("it is an archive");
        }
        if !found.path.exists() {
            return refused(
                "its archive has no default name; build one with `cql index -o NAME.cqa`",
            );
        }
        Ok(found.path.clone())
    }

    /// Returns the places of some collections.
    pub(crate) fn places(&self, ids: &[u32]) -> Result<Vec<Place>, ApiError> {
        if ids.is_empty() {
            return Err(ApiError::bad("no games are selected"));
        }
        let place = |id: &u32| {
            let Collection { name, path, origin, .. } = self.find(*id)?;
            Ok(match origin {
                Origin::Started => Place::new(path.clone()),
                Origin::Dropped | Origin::Saved => Place::copy(path.clone(), name),
            })
        };
        ids.iter().map(place).collect()
    }

    /// Returns the collection with this id.
    fn find(&self, id: u32) -> Result<&Collection, ApiError> {
        let found = self.collections.iter().find(|one| one.id == id);
        found.ok_or_else(|| match self.removed.get(&id) {
            Some(name) => ApiError::missing(format!(
                "{name} was removed from the studio: select other games at the top"
            )),
            None => ApiError::missing("these games are no longer here: reload the page"),
        })
    }
}

/// Returns a name with a number before its endings, which may tell the format of the file.
fn numbered(name: &str, n: u32) -> String {
    let end_of = |name: &str| name.rfind('.').unwrap_or(name.len());
    let mut end = end_of(name);
    if COMPRESSED.contains(&name[end..].trim_start_matches('.')) {
        end = end_of(&name[..end]);
    }
    format!("{} ({n}){}", &name[..end], &name[end..])
}

fn is_archive(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("cqa"))
}

/// Reason why paths have no games.
#[derive(Debug)]
pub(crate) enum NoGames {
    /// An archive cannot be read, or the search for files was cancelled.
    NotFound(NotFound),
    /// No path exists and has games. The error is that of the first one.
    Missing(SourceError),
}

/// The message, for the page.
impl From<NoGames> for String {
    fn from(error: NoGames) -> String {
        match error {
            NoGames::NotFound(error) => error.to_string(),
            NoGames::Missing(missing) => match io::Error::from(missing.error.clone()).kind() {
                io::ErrorKind::NotFound => {
                    page::Error::NoFile(missing.name.to_string()).to_string()
                }
                _ => missing.to_string(),
            },
        }
    }
}

/// Resolves places to games, some of which must exist. A search reports the others as missing.
pub(crate) fn games(places: &[Place], cancel: &Cancel) -> Result<Games, NoGames> {
    games_read(places, ReadOptions::default(), cancel)
}

/// Resolves places to games that are read in a way of their own.
pub(crate) fn games_read(
    places: &[Place],
    how: ReadOptions,
    cancel: &Cancel,
) -> Result<Games, NoGames> {
    let paths: Vec<PathBuf> = places.iter().map(|place| place.path.clone()).collect();
    let found = Games::find(&paths, how, [], cancel);
    let mut found = found.map_err(NoGames::NotFound)?;
    for Place { path, name } in places {
        if let Some(name) = name {
            found.inputs.call(path, name);
        }
    }
    match found.inputs.unreadable() {
        Some(missing) if found.inputs.are_all_missing() => Err(NoGames::Missing(missing)),
        _ => Ok(found),
    }
}

/// The files of games, including named ones that are missing.
fn files(games: &Games) -> impl Iterator<Item = &Path> {
    games.inputs.paths().flatten().chain(games.inputs.named())
}

/// The files of the last searches, by the state in which they were searched. If a file leaves its
/// folder, nothing else tells which one it was.
#[derive(Debug, Default)]
pub(crate) struct SearchedFiles(VecDeque<(String, Arc<[PathBuf]>)>);

impl SearchedFiles {
    /// Remembers the files of a search that are there. Returns their state.
    pub(crate) fn note(searched: &Mutex<SearchedFiles>, games: &Games) -> String {
        let stamp = stamp(games);
        let mut files = lock(searched).of(&stamp);
        if files.is_empty() {
            files = self::files(games).filter(|path| path.exists()).map(Path::to_owned).collect();
        }
        let mut searched = lock(searched);
        searched.0.retain(|(known, _)| *known != stamp);
        searched.0.truncate(SEARCHES - 1);
        searched.0.push_front((stamp.clone(), files));
        stamp
    }

    /// Returns the files that had this state together; none if the search was too long ago.
    pub(crate) fn of(&self, stamp: &str) -> Arc<[PathBuf]> {
        let found = self.0.iter().find(|(known, _)| known == stamp);
        found.map_or_else(Arc::default, |(_, files)| files.clone())
    }
}

/// Returns the names of those files that are no longer there.
pub(crate) fn gone(files: &[PathBuf]) -> Vec<String> {
    let names: BTreeSet<_> =
        files.iter().filter(|path| !path.exists()).filter_map(|path| path.file_name()).collect();
    names.into_iter().map(|name| name.to_string_lossy().into_owned()).collect()
}

/// Returns a text that differs if a file was changed, added or removed.
pub(crate) fn stamp(games: &Games) -> String {
    let mut hasher = DefaultHasher::new();
    for path in files(games) {
        let data = path.metadata().ok();
        let state = data.map(|data| (data.len(), data.modified().ok()));
        (path, state).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Checks that a file has a game.
pub(crate) fn has_games(place: Place) -> Result<(), String> {
    let found = games(&[place], &Cancel::default())?;
    let options = RunOptions { last_game: Some(FIRST_GAMES), ..RunOptions::new(Cancel::default()) };
    let mut failure = None;
    let mut is_found = false;
    let ran = flow::run(found.inputs.sources(), &options, || GameDetector, &mut |out: Output<
        HasGames,
    >| {
        is_found |= out.results.0;
        failure = failure.take().or(out.failure);
        Ok(())
    });
    ran.map_err(|error| error.to_string())?;
    match failure {
        _ if is_found => Ok(()),
        Some(why) => Err(why.to_string()),
        None => Err("it has no games that the studio can read".to_owned()),
    }
}

/// Looks for games among the texts that are read as such.
struct GameDetector;

/// Whether there is a game.
#[derive(Default)]
struct HasGames(bool);

impl Results for HasGames {}

impl Worker for GameDetector {
    type Results = HasGames;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<HasGames>) {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(raw.text);
        let tags = index.tags(raw.text);
        tree.parse_as(tags, VariantNames::default().variant_of(tags));
        out.results.0 |= tags.n_lines() > 0 || tree.len() > 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_was_started_with_stays() {
        let mut library = Library::new(vec![PathBuf::from("a/games.pgn")]);
        let dropped = library.add("b.pgn".to_owned(), PathBuf::from("tmp/1"), Origin::Dropped);
        assert_eq!(library.remove(1), None);
        assert_eq!(library.remove(dropped), Some(PathBuf::from("tmp/1")));
        assert_eq!(library.remove(dropped), None);
        let gone = library.places(&[dropped]).expect_err("removed");
        assert!(gone.message().starts_with("b.pgn was removed"), "{}", gone.message());
        assert!(library.places(&[]).is_err());
        let places = library.places(&[1]).expect("a collection");
        assert_eq!((&*places[0].path, &places[0].name), (Path::new("a/games.pgn"), &None));
        // The page turns collections on and off by their names.
        let saved = library.add("games.pgn".to_owned(), PathBuf::from("tmp/2"), Origin::Saved);
        let names: Vec<&str> = library.collections.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["games.pgn", "games (2).pgn"]);
        let places = library.places(&[saved]).expect("a collection");
        assert_eq!(places[0].name.as_deref(), Some("games (2).pgn"));
        assert_eq!(numbered("a.b.pgn.zst", 3), "a.b (3).pgn.zst");
        assert_eq!(numbered("a.zst", 2), "a (2).zst");
        assert_eq!(numbered("games", 2), "games (2)");
    }
}
