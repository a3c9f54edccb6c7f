//! `cql completions SHELL`: prints a script that completes command lines.

use clap_complete::Shell;

use super::{compatible, text};
use crate::failure::Failure;
use crate::subcommands::Subcommands;

/// Print a script that completes command lines in a shell
///
/// For bash: cql completions bash > ~/.local/share/bash-completion/completions/cql
#[derive(clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(super) fn run(arguments: &CompletionsArgs, subcommands: Subcommands) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = compatible::command(subcommands);
    clap_complete::generate(arguments.shell, &mut command, "cql", &mut script);
    text::print(&script)
}
