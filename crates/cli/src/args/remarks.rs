//! Remarks about options that do not do what was typed: an earlier value that a later one replaces,
//! and options without effect beside others.

use std::ffi::{OsStr, OsString};

use table::OutputFormat;

use crate::visible::visible_name;

/// An option of the command line with its values.
pub(super) struct Given<'a> {
    /// The option as it was typed.
    pub(super) typed: String,
    /// Its first spelling, without dashes.
    pub(super) name: &'static str,
    /// Whether a later value replaces an earlier one.
    pub(super) replaces: bool,
    pub(super) values: Vec<&'a OsStr>,
}

/// Sum of what all options ask for.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    /// Whether the query is only checked.
    pub(super) check_only: bool,
    pub(super) format: OutputFormat,
    /// Whether games are only counted.
    pub(super) counts: bool,
    /// Whether they are counted in groups.
    pub(super) groups: bool,
    /// Whether no file is written.
    pub(super) results_on_stdout: bool,
}

/// Options about the results of a search.
const OF_RESULTS: &str = "o format stdout count count-by by cell order top scores score-of json per \
                          columns title boards limit sample seed exclude board";

/// Options about the text of games as PGN.
const OF_PGN: &str = "matchstring includetagpattern excludetagpattern pgnlinewidth";

/// Options about written games in any format.
const OF_WRITTEN: &str = "silent noheader noremovecomment nosortcomments uniquecomments \
                          nouniquecomments alwayscomment elidecomments elidenags elidevariations \
                          noelidecomments noelidenags noelidevariations allcomments keepletters \
                          outputbuffer";

/// Options about values and tags, which written games have and groups of counts.
const OF_VALUES: &str = "value nosettag";

/// Options about files that are written.
const OF_FILES: &str = "force noclobber createdirectories maxoutputfiles";

/// Options of which the last one counts.
const OPPOSITES: [&str; 7] = [
    "variations mainline",
    "uniquecomments nouniquecomments",
    "elidecomments noelidecomments",
    "elidenags noelidenags",
    "elidevariations noelidevariations",
    "showoutput nooutputstatus",
    "threads s m",
];

/// The options of all lists.
#[cfg(test)]
pub(super) fn listed() -> impl Iterator<Item = &'static str> {
    let lists = [OF_RESULTS, OF_PGN, OF_WRITTEN, OF_VALUES, OF_FILES].into_iter().chain(OPPOSITES);
    lists.flat_map(|options| options.split(' '))
}

/// Returns why options have no effect, for those that have none: each list of options with the reason.
fn unused(asked: Asked) -> Vec<(&'static str, String)> {
    if asked.check_only {
        let why = "-parse searches no games";
        return [OF_RESULTS, OF_PGN].map(|options| (options, why.to_owned())).into();
    }
    let mut all = Vec::new();
    if asked.format != OutputFormat::Pgn {
        all.push((OF_PGN, format!("it is about games as PGN, not as {}", asked.format.name())));
    }
    if asked.counts {
        let why = "it is about written games, and games are only counted";
        all.push((OF_WRITTEN, why.to_owned()));
    }
    if asked.counts && !asked.groups {
        all.push((OF_VALUES, "--count shows numbers alone".to_owned()));
    }
    if asked.results_on_stdout {
        all.push((OF_FILES, "no file is written".to_owned()));
    }
    all
}

/// Returns the lines about the options of a command line.
pub(super) fn remarks(given: &[Given<'_>], asked: Asked) -> Vec<String> {
    let unused = unused(asked);
    let mut lines = Vec::new();
    for (at, one) in given.iter().enumerate() {
        let is_same = |other: &&Given<'_>| other.name == one.name;
        if given[at + 1..].iter().any(|other| is_same(&other)) {
            continue;
        }
        let typed = &one.typed;
        let mut earlier = given[..at].iter().filter(is_same);
        if one.replaces && earlier.any(|other| other.values != one.values) {
            let value = one.values.join(OsStr::new(" "));
            let value = value.to_string_lossy();
            let value = visible_name(&value);
            lines.push(format!("{typed} is given more than once: the last one counts, {value}"));
        }
        let has = |options: &str, name: &str| options.split(' ').any(|other| other == name);
        let is_unused = |options: &str| has(options, one.name);
        let opposites = OPPOSITES.iter().find(|options| is_unused(options));
        let is_opposite =
            |other: &&Given<'_>| opposites.is_some_and(|options| has(options, other.name));
        if let Some(last) = given[at + 1..].iter().rfind(is_opposite) {
            lines.push(format!("{typed} has no effect: {} comes after it", last.typed));
        }
        if let Some((_, why)) = unused.iter().find(|(options, _)| is_unused(options)) {
            lines.push(format!("{typed} has no effect: {why}"));
        }
    }
    lines
}

/// Arguments that have not been read: the value after `=` of the current option, and the rest.
pub(super) type Unread<'a> = (Option<&'a OsStr>, &'a [OsString]);

/// Returns the arguments between two states.
pub(super) fn read_between<'a>(before: Unread<'a>, after: Unread<'a>) -> Vec<&'a OsStr> {
    let attached = before.0.filter(|_| after.0.is_none());
    let n_read = before.1.len() - after.1.len();
    attached.into_iter().chain(before.1[..n_read].iter().map(OsString::as_os_str)).collect()
}
