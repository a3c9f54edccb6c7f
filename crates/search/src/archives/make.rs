//! Builds and updates archives, in one way for all front ends.

use std::io;
use std::path::{Path, PathBuf};

use archive::{BuildPlan, Builder, Error, Lock, Manifest, Refusal};
use flow::RunOptions;
use input::Inputs;

use super::themes::{self, KeepThemes};

/// Whether an archive stores the text of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeepText {
    /// As before; a new archive does not.
    #[default]
    AsBefore,
    /// From now on.
    Yes,
    /// No: stored texts are removed.
    No,
}

/// Options for building an archive.
#[derive(Debug, Clone, Copy, Default)]
pub struct MakeOptions {
    /// Whether the archive stores the text of its games.
    pub text: KeepText,
    /// Themes that the archive keeps.
    pub themes: KeepThemes,
    /// Number of games per segment, if it is not the default. For tests.
    #[doc(hidden)]
    pub segment_games: Option<usize>,
}

/// Progress of building an archive.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heard {
    /// Number of games so far.
    pub games: u64,
    /// Number of issues found in their text.
    pub faulty: u64,
    /// Number of bytes of text stored so far, once that has begun.
    pub text_bytes: Option<u64>,
    /// Number of games whose themes have been found so far, once that has begun.
    pub themes: Option<u64>,
}

/// An archive that has been built or was up to date.
#[derive(Debug)]
pub struct Made {
    /// Contents of the archive.
    pub manifest: Manifest,
    /// Number of games that were kept from before.
    pub kept: u64,
}

/// Builds or updates, in a folder, the archive of all games of the inputs, which must be files.
/// `heard` receives the progress. Returns `None` if the run was cancelled; the next run resumes it.
///
/// # Errors
/// Another run is building the archive, a file cannot be read or was changed in the meantime, the
/// archive cannot be written, or the folder contains something else.
pub fn make(
    inputs: &Inputs,
    folder: &Path,
    wanted: MakeOptions,
    options: &RunOptions,
    heard: &mut dyn FnMut(Heard),
) -> Result<Option<Made>, Error> {
    let files = files(inputs)?;
    let text = wanted.text;
    // The lock keeps the plan valid until it has been carried out.
    let _lock = Lock::take(folder)?;
    if text == KeepText::No {
        archive::drop_texts(folder)?;
    }
    let making = Making { inputs, folder, options };
    let made = match archive::plan(folder, &files, &options.cancel)? {
        BuildPlan::Done(manifest) => {
            let kept = manifest.games;
            let manifest = *manifest;
            Some(Made { manifest, kept })
        }
        BuildPlan::Build(mut builder) => {
            if text == KeepText::Yes {
                builder.set_keeps_text();
            }
            if let Some(n) = wanted.segment_games {
                builder.set_segment_games(n);
            }
            let kept = builder.kept().games;
            let built = making.build(*builder, heard)?;
            built.map(|manifest| Made { manifest, kept })
        }
    };
    let Some(mut made) = made else {
        return Ok(None);
    };
    let keeps_text = text == KeepText::Yes || made.manifest.keeps_text();
    if keeps_text && !(made.manifest.keeps_text() && made.manifest.is_done()) {
        match making.keep_texts(&made.manifest, heard) {
            Err(_) if options.cancel.is_cancelled() => return Ok(None),
            kept => made.manifest = kept?,
        }
    }
    let games = made.manifest.games;
    let place = (inputs, folder, &made.manifest);
    let has_themes = themes::keep(place, wanted.themes, options, &mut |themes| {
        heard(Heard { games, themes: Some(themes), ..Heard::default() });
    })?;
    Ok(has_themes.then_some(made))
}

/// Returns the paths of the input files. Fails if an input is not a file that will still be there
/// later.
fn files(inputs: &Inputs) -> Result<Vec<PathBuf>, Error> {
    if let Some(missing) = inputs.unreadable() {
        return Err(Error::unreadable("", missing));
    }
    let paths: Option<Vec<PathBuf>> = inputs.paths().map(|path| path.map(Path::to_owned)).collect();
    let mut addresses = paths.iter().flatten();
    if let Some(address) = addresses.find(|path| remote::is_address(path)) {
        return Err(Error::unreadable(remote::shown(address), Refusal::RemoteGames));
    }
    paths.ok_or_else(|| Error::unreadable("", Refusal::NotFiles))
}

struct Making<'a> {
    inputs: &'a Inputs,
    folder: &'a Path,
    options: &'a RunOptions,
}

impl Making<'_> {
    /// Reads the games after those that are kept.
    fn build(
        &self,
        builder: Builder,
        heard: &mut dyn FnMut(Heard),
    ) -> Result<Option<Manifest>, Error> {
        let sources = self.inputs.sources_from(builder.kept().first_file);
        builder.read(sources, self.options, &mut |games, faulty| {
            heard(Heard { games, faulty, ..Heard::default() });
        })
    }

    /// Adds the text of the games to the archive.
    fn keep_texts(
        &self,
        manifest: &Manifest,
        heard: &mut dyn FnMut(Heard),
    ) -> Result<Manifest, Error> {
        let paths = self.inputs.paths();
        let paths: Vec<String> = paths
            .map(|path| path.map_or(String::new(), |path| path.display().to_string()))
            .collect();
        let mut sources = self.inputs.sources_from(0);
        let open = |number: usize| {
            let wanted = &manifest.sources[number];
            // Sources without games are not in the manifest; the others are in the order of the
            // inputs.
            for (file, source) in sources.by_ref() {
                let source =
                    source.map_err(|error| Error::unreadable(&*error.name, error.error))?;
                let path = paths.get(file).map_or("", String::as_str);
                let member = source.name.strip_prefix(path).unwrap_or_default();
                let given = manifest.files.get(file).map_or("", |file| &file.given);
                let name = format!("{given}{member}");
                let is_wanted = wanted.file == file as u64
                    && (wanted.name == name || wanted.name.starts_with(&format!("{name} (")));
                if is_wanted {
                    let reader: Box<dyn io::Read> = source.bytes.into_reader();
                    return Ok(reader);
                }
            }
            Err(Error::unreadable(&*wanted.name, Refusal::Changed))
        };
        archive::keep_texts(self.folder, open, &mut |bytes| {
            heard(Heard { games: manifest.games, text_bytes: Some(bytes), ..Heard::default() });
            !self.options.cancel.is_cancelled()
        })
    }
}
