//! Messages about invalid arguments: one line, with a suggestion where there is one.

use super::help;
use super::options::OptionRow;
use crate::subcommands::Subcommands;
use crate::wished;

/// Returns the message for an unknown option, as it was typed.
pub(super) fn unknown_option(typed: &str, subcommands: Subcommands) -> String {
    let name = typed.trim_start_matches('-');
    let dashes = &typed[..typed.len() - name.len()];
    let name = name.to_ascii_lowercase();
    let message = format!("unknown option {typed}");
    if let Some(instead) = instead(&name) {
        return format!("{message}, an option of CQLi: {instead}");
    }
    if let Some(instead) = wished::for_option(&name) {
        return format!("{message}; {instead}");
    }
    if let Some(near) = help::nearest(&name) {
        return format!("{message}; did you mean {dashes}{near}?");
    }
    match subcommands.with_option(&name) {
        Some(subcommand) => format!("{message}; `cql {subcommand}` has it"),
        None => format!("{message}; `cql help` lists all options"),
    }
}

/// Returns the message for an option that must come first, as it was typed.
pub(super) fn not_first(typed: &str, row: &OptionRow) -> String {
    let message = format!("{typed} {} must be the first argument", row.value);
    match row.bare_names().next() {
        Some("html") => format!(
            "{message}, as it writes a query as a web page; a report with the games is -o report.html"
        ),
        _ => message,
    }
}

/// Returns what replaces an option of CQLi.
fn instead(name: &str) -> Option<&'static str> {
    Some(match name {
        "append" => "-o - writes to standard output, which a shell can append to a file",
        "dryrun" => "-count writes no games, and -parse only checks the query",
        "keepallbest" => "write keepallbest into each path",
        "license" => "LICENSE-MIT and LICENSE-APACHE come with the program",
        "maxopenoutputfiles" => "all files are written",
        "noasyncmessages" => "messages are printed in the order of the games",
        "noremovetag" => "use -nosettag, which also keeps tags from being removed",
        "nosmartcomments" => "use -alwayscomment",
        "nosort" => "without sort in the query, games are written in the order of the search",
        "showdictionaries" => "print values with message in the query",
        "skipunknownvariants" => "games of unknown variants are always left out",
        "sortmatchcount" => "write sort matchcount N M into the header",
        "w" | "warnlevel" => "warnings are always shown",
        "ansicolors" => "use -color",
        "consoleunicode" => "the console always gets UTF-8",
        "binaryoutput"
        | "coalescecomments"
        | "compactcomments"
        | "compactmoves"
        | "compactvariations"
        | "movenumbers"
        | "movenumberaftercomment"
        | "movenumberafternag"
        | "nestedcomments"
        | "nocommitlog"
        | "splitmoves" => "games are read and written as in CQL 6.2",
        _ => return instead(name.strip_prefix("no")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_probably_meant_is_said() {
        let check = |typed: &str, expected: &str| {
            assert_eq!(unknown_option(typed, crate::command::SUBCOMMANDS), expected);
        };
        check("--limt", "unknown option --limt; did you mean --limit?");
        check(
            "--skipUnknownVariants",
            "unknown option --skipUnknownVariants, an option of CQLi: games of unknown variants \
             are always left out",
        );
        check(
            "--nomovenumbers",
            "unknown option --nomovenumbers, an option of CQLi: games are read and written as in \
             CQL 6.2",
        );
        check("-ShowMatch", "unknown option -ShowMatch; did you mean -showmatches?");
        check(
            "-eco",
            "unknown option -eco; write -cql 'eco \"B90\"': the games with a code in their tag",
        );
        check("--output-dir", "unknown option --output-dir; `cql run` has it");
        check("-nosuch", "unknown option -nosuch; `cql help` lists all options");
    }
}
