//! Options of a search that choose games, as arguments of other subcommands.
//!
//! The table of options reads their values, so that they mean what they mean in a search.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error};

use super::cursor::Cursor;
use super::fault::Parsed;
use super::remarks::remarks;
use super::{Options, option, options};
use crate::report::ReportStyle;
use crate::subcommands::{Subcommands, has_option};

/// The options with their help, in its order.
const CHOICE: [(&str, &str); 16] = [
    ("player", "Choose games of a player, White or Black"),
    ("white", "Choose games with this player as White"),
    ("black", "Choose games with this player as Black"),
    ("year", "Choose games of the years N to M"),
    ("elo", "Choose games of players rated from N to M, both"),
    ("event", "Choose games of an event"),
    ("site", "Choose games of a place"),
    ("result", "Choose games with a result"),
    ("fen", "Choose games with a position"),
    ("cql", "Choose games that match filters in CQL"),
    ("matchcount", "Choose games with N to M matching positions"),
    ("gamenumber", "Choose the games N to M"),
    ("limit", "Choose the first N games, with 'sort' the best N"),
    ("sample", "Choose N games at random"),
    ("seed", "Choose a different random sample"),
    ("exclude", "Choose the games that do not match"),
];

/// Form of a value with one number or two.
pub(crate) const RANGE: &str = "N [M]";

/// The choice of games that a command line makes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChoiceArgs {
    /// Options of the search that finds the games; `None` if none is given.
    pub(crate) options: Option<Box<Options>>,
    /// Style of the diagnostics of the query; the subcommand sets it if it has options about it.
    pub(crate) look: ReportStyle,
}

/// Returns the name of an argument, which differs from those of the subcommands' own.
fn id(name: &str) -> String {
    format!("choose-{name}")
}

/// Returns an option as an argument; `None` if there is no such option.
fn argument(name: &'static str, help: &'static str) -> Option<Arg> {
    let row = options::named(name)?;
    let argument = Arg::new(id(name)).long(name).help(help).help_heading("Choice of games");
    let names = row.bare_names().filter(|other| *other != name);
    let argument = argument.aliases(names);
    // Other programs call it so.
    let argument = if name == "cql" { argument.alias("query") } else { argument };
    Some(match row.value {
        "" => argument.action(ArgAction::SetTrue),
        value => argument
            .value_name(value)
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .value_parser(clap::value_parser!(OsString)),
    })
}

impl clap::Args for ChoiceArgs {
    fn augment_args(command: Command) -> Command {
        let missing = CHOICE.iter().filter(|(name, _)| !has_option(&command, name));
        let arguments: Vec<Arg> = missing.filter_map(|(name, help)| argument(name, help)).collect();
        command.args(arguments)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ChoiceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ChoiceArgs, Error> {
        let mut arguments = Vec::new();
        for (name, _) in CHOICE {
            if matches.try_contains_id(&id(name)).is_ok() {
                add_arguments(name, matches, &mut arguments);
            }
        }
        let options = if arguments.is_empty() {
            None
        } else {
            Some(Box::new(parse(&arguments).map_err(refused)?))
        };
        Ok(ChoiceArgs { options, look: ReportStyle::default() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn refused(message: String) -> Error {
    Error::raw(ErrorKind::ValueValidation, message + "\n")
}

/// Adds the occurrences of an option as a search has them.
fn add_arguments(name: &str, matches: &ArgMatches, arguments: &mut Vec<OsString>) {
    let (id, value) = (id(name), options::named(name).map_or("", |row| row.value));
    if value.is_empty() {
        if matches.get_flag(&id) {
            arguments.push(format!("--{name}").into());
        }
        return;
    }
    for given in matches.get_many::<OsString>(&id).into_iter().flatten() {
        arguments.push(format!("--{name}").into());
        match given.to_str().filter(|_| value == RANGE) {
            Some(range) => {
                arguments.extend(range.split_whitespace().map(OsString::from));
            }
            None => arguments.push(given.clone()),
        }
    }
}

/// Reads options of a search without names of files.
fn parse(arguments: &[OsString]) -> Parsed<Options> {
    let mut cursor = Cursor::new(arguments, Subcommands::new(Command::default));
    let mut found = Options::default();
    while let Some(name) = cursor.peek_option() {
        cursor.advance();
        option(&name, &mut cursor, &mut found)?;
        cursor.finish_option()?;
    }
    if let Some(word) = cursor.peek() {
        return Err(format!("{}: {} is no number", cursor.option, word.to_string_lossy()));
    }
    found.outputs = std::mem::take(&mut cursor.outputs).finish()?;
    found.outputs.check()?;
    found.remarks = remarks(&cursor.given, found.asked());
    Ok(found)
}

#[cfg(test)]
mod tests {
    use clap::{Args, FromArgMatches};

    use super::*;

    #[test]
    fn options_that_add_a_filter_choose_games() {
        for (name, _) in CHOICE {
            assert!(options::named(name).is_some(), "{name}");
        }
        // Each of these makes sense only with a query, or with a position of it.
        let others = ["wtm", "btm", "assign", "similarposition"];
        let rows = options::rows().filter(|row| matches!(row.effect, options::Effect::Filter(_)));
        for name in rows.filter_map(|row| row.bare_names().next()) {
            let is_choice = CHOICE.iter().any(|choice| choice.0 == name);
            assert_ne!(is_choice, others.contains(&name), "{name}");
        }
    }

    fn read(arguments: &[&str]) -> Result<ChoiceArgs, String> {
        let own = Command::new("cql").no_binary_name(true).arg(Arg::new("own").long("event"));
        let command = ChoiceArgs::augment_args(own);
        let matches = command.try_get_matches_from(arguments).expect("matches");
        ChoiceArgs::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    #[test]
    fn options_mean_what_they_mean_in_a_search() {
        let options = read(&["--year", "1990 1999", "--white", "-x", "--limit", "3", "--g", "7-9"]);
        let options = options.expect("options").options.expect("some");
        assert_eq!(options.compile.year, Some((1990, 1999)));
        assert_eq!(options.compile.gamenumber, Some((7, 9)));
        assert_eq!(options.outputs.limit, Some(3));
        assert_eq!(options.preamble[0].text, b"player white \"-x\"");
        assert!(read(&["--event", "own"]).expect("options").options.is_none());
        let filters = read(&["--cql", "mate", "--query", "btm"]).expect("options").options;
        let filters = filters.expect("some").preamble;
        let texts: Vec<&[u8]> = filters.iter().map(|filter| &*filter.text).collect();
        assert_eq!(texts, [b"mate".as_slice(), b"btm"]);
    }

    #[test]
    fn wrong_values_are_refused_as_in_a_search() {
        let check = |arguments: &[&str], message: &str| {
            let error = read(arguments).expect_err("refused");
            assert!(error.contains(message), "{arguments:?}: {error}");
        };
        check(&["--year", "old"], "--year needs a whole number of at least 1, not 'old'");
        check(&["--year", "1990 x"], "--year: x is no number");
        check(&["--year", "2020-06"], "write -cql 'date \"2020.06\"'");
        check(&["--player", "a", "--player", "b"], "-player can be given only once; ");
        check(&["--white", "--cql"], "--white needs the name of a player");
        check(&["--limit", "3", "--sample", "3"], "--limit and --sample exclude each other");
    }
}
