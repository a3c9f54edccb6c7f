//! `cql man`: prints the manual pages of the program.

use std::fs;
use std::path::PathBuf;

use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::text;
use crate::args::GROUPS;
use crate::args::help::{in_one_line, joined};
use crate::failure::{Failure, context};
use crate::output::{Originals, Replace, Rules, replace_file};
use crate::subcommands::Subcommands;

/// Print the manual page, or write all pages to a directory
///
/// To read it: cql man | man -l -
#[derive(clap::Args)]
pub(super) struct ManArgs {
    /// Write pages for the program and its subcommands to DIR
    #[arg(long, value_hint = clap::ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

/// Prints or writes the pages.
pub(super) fn run(arguments: &ManArgs, subcommands: Subcommands) -> Result<(), Failure> {
    let Some(dir) = &arguments.dir else {
        return text::print(&main_page(subcommands));
    };
    fs::create_dir_all(dir)
        .map_err(|error| context(format!("cannot create {}", dir.display()), &error))?;
    let mut pages = vec![("cql.1".to_owned(), main_page(subcommands))];
    for subcommand in subcommands.program().get_subcommands() {
        let name = subcommand.get_name();
        pages.push((format!("cql-{name}.1"), page_of(subcommand.clone())));
    }
    for (name, page) in pages {
        let path = dir.join(name);
        // An earlier page has the same first line.
        let first_line = String::from_utf8_lossy(&page);
        let replace = Replace::Results(first_line.lines().next());
        replace_file(&path, &page, Rules::new(replace, &Originals::default()))
            .map_err(|error| context(format!("cannot write {}", path.display()), &error))?;
    }
    Ok(())
}

/// Returns the page of a subcommand.
fn page_of(subcommand: clap::Command) -> Vec<u8> {
    let name = subcommand.get_name().to_owned();
    let subcommand = subcommand
        .display_name(format!("cql-{name}"))
        .bin_name(format!("cql {name}"))
        .version(env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(subcommand).render(&mut page).expect("memory takes all that is written");
    page
}

/// Returns the page of the program, with the options of a search.
fn main_page(subcommands: Subcommands) -> Vec<u8> {
    let mut roff = Roff::new();
    let version = format!("cql {}", env!("CARGO_PKG_VERSION"));
    roff.control("TH", ["cql", "1", "", version.as_str()]);
    roff.control("SH", ["NAME"]);
    roff.text([roman("cql - search chess games with the Chess Query Language")]);
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold("cql"), roman(" [OPTIONS] QUERY[.cql] [GAMES...]")]);
    roff.control("br", []);
    roff.text([bold("cql"), roman(" SUBCOMMAND ...")]);
    roff.control("SH", ["DESCRIPTION"]);
    roff.text([roman(
        "Reads the games of a PGN file, evaluates the query at every position, and writes the \
         matching games, with their matching positions marked, to another PGN file. Options may \
         be given anywhere, with one dash or two, in any case of letters.",
    )]);
    roff.text([roman(
        "If the first argument is the name of a subcommand, that subcommand runs. To search with \
         a query file of such a name, write check.cql or ./check.",
    )]);
    roff.control("SH", ["OPTIONS"]);
    for group in GROUPS {
        roff.control("SS", [group.title]);
        for (rows, description) in group.entries() {
            entry_of(&mut roff, &joined(rows), &in_one_line(description));
        }
    }
    roff.control("SH", ["SUBCOMMANDS"]);
    for (name, about) in subcommands.all() {
        entry_of(&mut roff, &format!("cql {name}"), &about);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in [
        ("0", "a completed run, with or without matches; with -exit-status, games match"),
        ("1", "an error; there is no output file; with -exit-status, no game matches"),
        ("2", "a subcommand does not understand its arguments; with -exit-status, an error"),
        ("130", "an interrupt"),
        ("143", "a request to terminate"),
    ] {
        entry_of(&mut roff, status, meaning);
    }
    roff.control("SH", ["EXAMPLES"]);
    for (line, meaning) in [
        ("cql mate.cql games.pgn", "search games.pgn, write mate-out.pgn"),
        ("cql games.pgn -cql 'mate' -wtm", "search without a query file"),
        ("cql check *.cql", "check all queries of a directory"),
    ] {
        entry_of(&mut roff, line, meaning);
    }
    roff.render().into_bytes()
}

fn entry_of(roff: &mut Roff, term: &str, text: &str) {
    roff.control("TP", []);
    roff.text([bold(term)]);
    roff.text([roman(text)]);
}
