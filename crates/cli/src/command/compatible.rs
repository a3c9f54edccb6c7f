//! The options of a search as the man page and the shells are told of them.
//!
//! They are taken from the text that `-help` prints, so that each is described in one place.

use clap::builder::ValueHint;
use clap::{Arg, ArgAction, Command, CommandFactory};

use super::Program;
use crate::args;

/// A heading of the help with the options below it.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) entries: Vec<Entry>,
}

/// Options that the help describes together.
pub(super) struct Entry {
    /// As they are written, with their values: `-i`, `-input FILE.pgn`.
    pub(super) forms: Vec<&'static str>,
    pub(super) description: String,
}

/// The options of the help, group by group.
pub(super) fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // Descriptions begin behind two blanks, or on the next line.
    for line in args::HELP.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if indent == 0 && !text.is_empty() {
            let entries = Vec::new();
            groups.push(Group {
                title: text,
                entries,
            });
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        match group.entries.last_mut() {
            _ if indent == 2 && text.starts_with('-') => {
                let (forms, description) = text.split_once("  ").unwrap_or((text, ""));
                let description = description.trim_start().to_owned();
                let more = forms.split(',').map(str::trim);
                match group.entries.last_mut() {
                    // A comma at the end of the line before.
                    Some(last) if last.forms.last() == Some(&"") => {
                        last.forms.pop();
                        last.forms.extend(more);
                        last.description += &description;
                    }
                    _ => group.entries.push(Entry {
                        forms: more.collect(),
                        description,
                    }),
                }
            }
            Some(last) if indent > 2 => {
                if !last.description.is_empty() {
                    last.description.push(' ');
                }
                last.description += text;
            }
            _ => {}
        }
    }
    groups.retain(|group| !group.entries.is_empty());
    groups
}

/// The whole program as clap describes programs: the subcommands, and a search with its options.
pub(super) fn command() -> Command {
    let mut command = Program::command()
        .disable_help_flag(true)
        .disable_version_flag(true)
        .subcommand_required(false)
        .arg(
            Arg::new("QUERY")
                .help("The query to search for")
                .value_hint(ValueHint::FilePath),
        )
        .arg(
            Arg::new("GAMES")
                .help("Files and directories to search")
                .num_args(0..)
                .value_hint(ValueHint::AnyPath),
        );
    for entry in groups().iter().flat_map(|group| &group.entries) {
        for form in &entry.forms {
            let (name, value) = form.split_once(' ').unwrap_or((form, ""));
            let name = name.trim_start_matches('-');
            let takes_value = value.starts_with(char::is_uppercase) || name == "similarposition";
            let mut arg = Arg::new(name).help(entry.description.clone());
            let mut letters = name.chars();
            arg = match (letters.next(), letters.next()) {
                (Some(letter), None) => arg.short(letter),
                _ => arg.long(name),
            };
            arg = match takes_value {
                true if value.contains("FILE") => arg.value_hint(ValueHint::FilePath),
                true => arg.value_hint(ValueHint::Other),
                false => arg.action(ArgAction::SetTrue),
            };
            command = command.arg(arg);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(forms: &str, description: &str) {
        let groups = groups();
        let mut entries = groups.iter().flat_map(|group| &group.entries);
        let entry = entries.find(|entry| entry.forms.join(", ") == forms);
        let found = entry.map(|entry| entry.description.as_str());
        assert_eq!(found, Some(description), "{forms}");
    }

    #[test]
    fn the_help_is_read_as_it_is_written() {
        check(
            "-o, -output FILE",
            "where to write (else 'output' in the header, else QUERY-out.pgn)",
        );
        check(
            "-flip, -flipcolor, -flipvertical, -fliphorizontal, -shift, -shifthorizontal, \
             -shiftvertical, -rotate90, -rotate45, -reversecolor",
            "search all images of the whole query; the first one is outermost",
        );
        check(
            "-steps N",
            "steps of loops and searches that a game may take (100000000); when each of the \
             first 10 takes more, the run ends",
        );
        check("-v, -version", "the version");
    }

    #[test]
    fn no_option_is_described_twice() {
        command().debug_assert();
    }
}
