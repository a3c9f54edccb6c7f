//! Options of a search for the man page and the shell completions.
//!
//! They come from the table of `-help`, so that each is described in one place.

use clap::builder::{PossibleValuesParser, ValueHint};
use clap::{Arg, ArgAction, Command};
use table::column_names;

use super::help;
use crate::args::GROUPS;
use crate::args::help::in_one_line;
use crate::subcommands::Subcommands;

/// Returns the clap description of the whole program: the subcommands, and a search with its
/// options.
pub(super) fn command(subcommands: Subcommands) -> Command {
    let mut command = subcommands
        .program()
        .disable_help_flag(true)
        .disable_version_flag(true)
        .subcommand_required(false)
        .arg(Arg::new("QUERY").help("The query to search for").value_hint(ValueHint::FilePath))
        .arg(
            Arg::new("GAMES")
                .help("Files and directories to search")
                .num_args(0..)
                .value_hint(ValueHint::AnyPath),
        );
    for (rows, description) in GROUPS.iter().flat_map(|group| group.entries()) {
        for (name, value) in rows.iter().flat_map(|row| row.names_with_value()) {
            let mut arg = Arg::new(name).help(in_one_line(description));
            let mut letters = name.chars();
            arg = match (letters.next(), letters.next()) {
                (Some(letter), None) => arg.short(letter),
                _ => arg.long(name),
            };
            arg = match value {
                "" => arg.action(ArgAction::SetTrue),
                value if value.contains("FILE") => arg.value_hint(ValueHint::FilePath),
                value if value.contains("DIR") => arg.value_hint(ValueHint::DirPath),
                "NAME,..." => {
                    arg.value_delimiter(',').value_parser(PossibleValuesParser::new(column_names()))
                }
                value if value.contains('|') => {
                    arg.value_parser(PossibleValuesParser::new(value.split('|')))
                }
                _ => arg.value_hint(ValueHint::Other),
            };
            command = command.arg(arg);
        }
    }
    // Shells complete these topics.
    let topics = PossibleValuesParser::new(help::topics(subcommands));
    command.mut_subcommand("help", |help| help.mut_arg("words", |word| word.value_parser(topics)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_option_is_described_twice() {
        command(crate::command::SUBCOMMANDS).debug_assert();
    }
}
