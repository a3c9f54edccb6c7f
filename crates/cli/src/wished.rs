//! Options and subcommands of other programs, and those that only other subcommands have, with what
//! to write instead.

/// Names without dashes and hyphens, what to write, and what that means. A text that begins with
/// `cql` is a whole command, others are options.
type Wished = (&'static str, &'static str, &'static str);

/// Options that are looked for and are called otherwise.
const OPTIONS: &[Wished] = syntax::rows! {
    "color colour as side", "-white NAME",
        "the games of a player with one color; -black NAME for the other";
    "eco ecocode", "-cql 'eco \"B90\"'", "the games with a code in their tag";
    "opening", "-cql 'opening \"Najdorf\"'",
        "the games whose last named position is called so; `cql tree games.pgn Najdorf` counts \
         the moves";
    "minelo minrating rating ratings ratingmin elomin", "-elo 2700",
        "the games of two players rated 2700 or more";
    "maxelo maxrating elomax ratingmax", "-elo 1 2400",
        "the games of two players rated 2400 or less";
    "moves line", "-cql 'san \"1.e4 c5\"'",
        "the games that begin with moves; `cql tree games.pgn 1.e4 c5` counts those after them";
    "dates since from until years", "-year 2020 2021", "the games of these years";
    "date month day", "-cql 'date \"2020.06\"'", "the games of a month; a date with a day is one day's";
    "sort sortby orderby rank best reverse", "-cql 'sort \"moves\" movenumber'",
        "the games with the greatest number first; `sort min` begins with the least";
    "first head max maxgames maxmatches", "cql games.pgn -cql mate -limit 10",
        "the first 10 games that match";
    "last tail skip offset start end", "-gamenumber 11 20", "the games with these numbers";
    "random shuffle", "cql games.pgn -cql mate -sample 10",
        "10 of the games that match, at random";
    "tag tags header", "-cql 'tag \"Annotator\" ~~ \"Tal\"'",
        "the games with a tag that fits a regular expression";
    "name", "-player NAME", "the games of a player, with either color";
    "winner won wins loser lost", "-result 1-0",
        "the games that White won; -white NAME besides chooses those that NAME won with White";
    "length plies ply movenumber", "-cql 'terminal ply <= 50'", "the games of at most 25 moves";
    "termination", "-cql 'tag \"Termination\" ~~ \"[Tt]ime\"'",
        "the games that ended so, by their tag";
    "material men pieces", "-cql 'material \"KRPKR\"'", "the games with exactly these men";
    "endgame ending", "-cql 'endgame \"rook\"'", "the games with such an ending";
    "out outfile outputformat csv tsv epd parquet fens", "cql games.pgn -cql mate -o games.csv",
        "the ending of the name says the format; --format does so without a name";
    "unique dedup duplicates", "cql dedup games.pgn", "the games that occur twice";
    "blitz rapid bullet speed timecontrol", "-cql 'tag \"Event\" ~~ \"[Bb]litz\"'",
        "the games of events whose name says so";
    "filter query where search expression", "-cql 'mate'", "a query on the command line";
    "position", "-fen '8/8/8/8/8/8/8/4K2R'", "the games with a position";
    "groupby group countby", "cql games.pgn -cql true --count-by White",
        "counts in groups, in a search";
};

/// Subcommands that are looked for and are called otherwise.
const SUBCOMMANDS: &[Wished] = syntax::rows! {
    "dossier opponent scout scouting profile player",
        "cql prepare games.pgn --player NAME --as white -o report.html", "";
    "convert unpack extract topgn", "cql games.cbh -cql true -o games.pgn", "";
    "search find query filter select grep", "cql games.pgn -cql mate", "";
    "count", "cql games.pgn -cql mate --count", "";
    "opening openings explorer repertoire", "cql tree games.pgn Najdorf", "";
    "duplicates deduplicate unique", "cql dedup games.pgn", "";
    "repair validate", "cql doctor games.pgn", "";
    "similar similarity", "cql like games.pgn '8/8/8/4k3/8/8/4K3/4R3 w'", "";
    "exercises tactics training", "cql puzzles games.pgn -o puzzles.csv", "";
};

fn found(rows: &'static [Wished], name: &str) -> Option<&'static Wished> {
    let plain = name.replace(['-', '_'], "").to_ascii_lowercase();
    rows.iter().find(|(names, ..)| names.split(' ').any(|other| other == plain))
}

/// Returns what to write for an option, and what that means; `name` has no dashes before it.
pub(crate) fn for_option(name: &str) -> Option<String> {
    let (_, instead, meaning) = found(OPTIONS, name)?;
    Some(format!("write {instead}: {meaning}"))
}

/// Returns what to write for a subcommand.
pub(crate) fn for_subcommand(name: &str) -> Option<String> {
    let (_, instead, _) = found(SUBCOMMANDS, name)?;
    Some(format!("write {instead}"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::args;
    use crate::command::SUBCOMMANDS as KNOWN;

    /// Returns the words of a command as a shell reads them.
    fn words(line: &str) -> Vec<OsString> {
        let mut words = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            match at % 2 {
                0 => words.extend(part.split_whitespace().map(OsString::from)),
                _ => words.push(part.into()),
            }
        }
        words
    }

    #[test]
    fn every_proposal_is_understood() {
        for (names, instead, meaning) in OPTIONS.iter().chain(SUBCOMMANDS) {
            let line = match instead.strip_prefix("cql ") {
                Some(line) => line.to_owned(),
                None => format!("games.pgn {instead}"),
            };
            let words = words(&line);
            let first = words[0].to_string_lossy().into_owned();
            if KNOWN.has(&first) {
                assert!(crate::command::understands(words), "{instead}");
            } else {
                assert!(args::parse(&words, KNOWN).0.is_ok(), "{instead}");
            }
            if !instead.starts_with("cql ") {
                // Other subcommands choose games by the same options.
                let tree = self::words(&format!("tree games.pgn {instead}"));
                assert!(crate::command::understands(tree), "{instead}");
                assert!(!meaning.is_empty(), "{instead}");
            }
            for name in names.split(' ') {
                // `-color` has other values.
                let is_there = name != "color" && !meaning.is_empty() && args::is_option(name);
                assert!(!is_there, "{name} is an option");
                assert!(!meaning.is_empty() || !KNOWN.has(name), "{name} is a subcommand");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        let written = for_option("min-elo").expect("a proposal");
        assert!(written.starts_with("write -elo 2700: "), "{written}");
        assert_eq!(for_option("Min_Elo"), Some(written));
        assert_eq!(for_option("nosuch"), None);
        assert!(for_subcommand("dossier").is_some_and(|said| said.contains("cql prepare")));
    }
}
