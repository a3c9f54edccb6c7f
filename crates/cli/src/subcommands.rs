//! The table of subcommands: their names, descriptions and options.
//!
//! `command` defines it for clap and runs the subcommands. The help, the manual pages, the
//! completions and the messages about slips read it.

use clap::{Arg, Command};

use crate::wished;

/// Table of subcommands. It is built when it is needed, which it seldom is.
#[derive(Clone, Copy)]
pub(crate) struct Subcommands(fn() -> Command);

impl Subcommands {
    /// Returns the table that a function builds: the program with its subcommands.
    pub(crate) const fn new(program: fn() -> Command) -> Subcommands {
        Subcommands(program)
    }

    /// Returns the program with its subcommands.
    pub(crate) fn program(self) -> Command {
        (self.0)()
    }

    /// Returns the names, each with its description.
    pub(crate) fn all(self) -> Vec<(String, String)> {
        let program = self.program();
        let described = program.get_subcommands().map(|command| {
            let about = command.get_about().map(ToString::to_string);
            (command.get_name().to_owned(), about.unwrap_or_default())
        });
        described.collect()
    }

    /// Whether there is a subcommand of this name.
    pub(crate) fn has(self, name: &str) -> bool {
        self.program().find_subcommand(name).is_some()
    }

    /// Returns the subcommand whose name is nearest to a word.
    pub(crate) fn nearest(self, word: &str) -> Option<String> {
        let program = self.program();
        let names = program.get_subcommands().map(Command::get_name);
        syntax::parse::nearest(word, names).map(str::to_owned)
    }

    /// Returns the end of a message about a word that may be a slip for the name of a subcommand, or
    /// another name of one.
    pub(crate) fn hint(self, word: &str) -> Option<String> {
        if self.has(word) {
            if word == "help" {
                return Some("; `cql help WORDS` comes first, without games".to_owned());
            }
            return Some(format!(
                "; a subcommand comes first and its options after it: `cql {word} …`, and \
                 `cql help {word}` lists them"
            ));
        }
        if let Some(instead) = wished::for_subcommand(word) {
            return Some(format!("; {instead}"));
        }
        match self.nearest(word) {
            Some(near) => Some(format!("; did you mean the subcommand `cql {near}`?")),
            None => Some(format!("; {}", wished::for_misspelled(word)?)),
        }
    }

    /// Returns what an option does, with the names of the subcommands that have it.
    pub(crate) fn about_option(self, name: &str) -> Vec<(String, String)> {
        let program = self.program();
        let described = program.get_subcommands().flat_map(|command| {
            let options = command.get_arguments().filter(|argument| is_called(argument, name));
            let help = options.filter_map(|argument| argument.get_help());
            help.map(|help| (command.get_name().to_owned(), help.to_string()))
        });
        described.collect()
    }

    /// Returns the subcommand that has an option of this name.
    pub(crate) fn with_option(self, name: &str) -> Option<String> {
        let program = self.program();
        let found = program.get_subcommands().find(|command| has_option(command, name))?;
        Some(found.get_name().to_owned())
    }
}

/// Whether a subcommand has an option of this name, which has no dashes.
pub(crate) fn has_option(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|argument| is_called(argument, name))
}

/// Whether an option has this name, which has no dashes.
pub(crate) fn is_called(option: &Arg, name: &str) -> bool {
    let aliases = option.get_all_aliases().unwrap_or_default();
    option.get_long() == Some(name) || aliases.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subcommands_are_found() {
        let program = || {
            let run = Command::new("run").arg(Arg::new("d").long("output-dir").help("A folder"));
            let check = Command::new("check").about("Check queries");
            Command::new("cql").subcommands([run, check])
        };
        let table = Subcommands::new(program);
        let text = |text: &str| text.to_owned();
        let all = vec![(text("run"), text("")), (text("check"), text("Check queries"))];
        assert_eq!(table.all(), all);
        assert!(table.has("check") && !table.has("chek"));
        assert_eq!(table.nearest("chek"), Some(text("check")));
        assert_eq!(table.nearest("mate"), None);
        let hint = "; did you mean the subcommand `cql check`?";
        assert_eq!((table.hint("chek").as_deref(), table.hint("mate")), (Some(hint), None));
        let slip = table.hint("searh").expect("a hint");
        assert_eq!(Some(slip), table.hint("search"));
        let instead = table.hint("dossier").expect("a hint");
        assert!(instead.starts_with("; write cql prepare games.pgn"), "{instead}");
        assert_eq!(table.with_option("output-dir"), Some(text("run")));
        assert_eq!(table.with_option("nosuch"), None);
        assert_eq!(table.about_option("output-dir"), [(text("run"), text("A folder"))]);
        assert_eq!(table.about_option("nosuch"), []);
    }
}
