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
        "the games whose opening is called so when they leave the book; `cql tree games.pgn Najdorf` counts \
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
    "first head max maxgames maxmatches n", "cql games.pgn -cql mate -limit 10",
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
    "material men pieces", "-cql 'flipcolor material \"KRPKR\"'",
        "the games with exactly these men, whichever side has the first ones; without `flipcolor` \
         White has";
    "endgame ending", "-cql 'endgame \"rook\"'", "the games with such an ending";
    "out outfile outputformat csv tsv epd parquet fens", "cql games.pgn -cql mate -o games.csv",
        "the extension of the file sets the format, as --format does";
    "unique dedup duplicates", "cql dedup games.pgn", "the games that occur twice";
    "blitz rapid bullet speed timecontrol", "-cql 'tag \"Event\" ~~ \"[Bb]litz\"'",
        "the games of events whose name says so";
    "filter query where search expression", "-cql 'mate'", "a query on the command line";
    "position", "-fen '8/8/8/8/8/8/8/4K2R'", "the games with a position";
    "j jobs nthreads", "-cql 'mate' --threads 4", "the number of threads";
    "groupby group countby", "cql games.pgn -cql true --count-by White",
        "the games of each player, counted; other columns, tags and expressions make groups, too";
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
    "analyze analyse analysis evaluate",
        "cql annotate games.pgn --engine stockfish --depth 12 -o out.pgn", "";
    "lint", "cql check 'mate'", "";
    "gui web serve server ui", "cql studio games.pgn", "";
    "themes theme", "cql help a library of themes", "";
    "export", "cql games.pgn -cql mate -o games.csv", "";
};

/// Names of options, an option that a subcommand has, and what to write for it in this subcommand.
const OF_SUBCOMMANDS: &[Wished] = syntax::rows! {
    "color colour side", "as", "--as white or --as black: the color of the player";
    "limit top n first max", "best", "--best N: the number of games that are shown";
    "best n first max head", "top", "--top N: the number of rows that are shown";
    "best n first max head top", "limit", "--limit N: only the first N";
    "sort sortby orderby rank", "order", "--order COLUMN: the column by which the rows are ordered";
    "hard easy level difficulty", "margin",
        "cql out.pgn -cql 'tag \"Difficulty\" ~~ \"hard\"' -o hard.pgn afterwards: each exercise has \
         its difficulty as a tag, easy, medium, hard or very hard";
    "csv tsv", "csv", "--csv";
    "csv tsv", "json", "--json: the result in JSON, not in CSV";
    "jsonl ndjson", "json", "--json";
};

/// Subcommands whose arguments are queries alone.
const TAKE_QUERIES: [&str; 4] = ["check", "explain", "fmt", "migrate"];

/// Returns what to write in a subcommand, whose options `has` knows, for an option of another name,
/// given with a value or without.
pub(crate) fn in_subcommand(
    subcommand: &str,
    has: impl Fn(&str) -> bool,
    name: &str,
    value: Option<&str>,
) -> Option<String> {
    let of = |name: &str| {
        let is_of = |row: &&Wished| row.0.split(' ').any(|other| other == name) && has(row.1);
        OF_SUBCOMMANDS.iter().find(is_of).map(|(.., instead)| format!("write {instead}"))
    };
    match (name, value) {
        ("cql" | "query" | "q" | "e", value)
            if TAKE_QUERIES.contains(&subcommand) && !has("cql") =>
        {
            let value = value.unwrap_or("mate");
            Some(format!("a query is an argument itself: `cql {subcommand} '{value}'`"))
        }
        ("color" | "colour", Some("always" | "auto" | "never")) => {
            Some(format!("`cql {subcommand}` prints without colors"))
        }
        ("format" | "outputformat", Some("json")) if has("json") => of("jsonl"),
        ("format" | "outputformat", Some(format)) if !has("output") => of(format),
        ("o" | "output" | "out" | "outfile", Some(file)) if !has("output") && has("json") => {
            let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
            if ending.eq_ignore_ascii_case("html") {
                return Some(format!(
                    "`cql {subcommand}` writes text; a page with the results and moves of an opening or a \
                     player is `cql prepare games.pgn --opening Najdorf -o {file}`"
                ));
            }
            let option = if has(ending) { format!(" --{ending}") } else { String::new() };
            Some(format!(
                "the result goes to standard output: write `cql {subcommand} …{option} > {file}`"
            ))
        }
        _ => of(name),
    }
}

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

/// Returns what to write for a misspelled name of such a subcommand: `searh`.
pub(crate) fn for_misspelled(name: &str) -> Option<String> {
    let names = SUBCOMMANDS.iter().flat_map(|(names, ..)| names.split(' '));
    let near = syntax::parse::nearest(name, names)?;
    for_subcommand(near).filter(|_| syntax::parse::is_slip(name, near))
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
    fn subcommands_have_other_names_for_options() {
        let check = |line: &str, expected: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let program = KNOWN.program();
            let command = program.find_subcommand(words[0]).expect("a subcommand");
            let has = |name: &str| crate::subcommands::has_option(command, name);
            let said = in_subcommand(words[0], has, words[1], words.get(2).copied());
            assert_eq!(said.as_deref().unwrap_or_default(), expected, "{line}");
        };
        check("prepare color white", "write --as white or --as black: the color of the player");
        check("prepare color always", "`cql prepare` prints without colors");
        check("like top 3", "write --best N: the number of games that are shown");
        check("tree format csv", "write --csv");
        check("tree format json", "write --json");
        check("stats format csv", "write --json: the result in JSON, not in CSV");
        let redirect = "the result goes to standard output: write";
        check("tree o x.csv", &format!("{redirect} `cql tree … --csv > x.csv`"));
        check("stats output x.txt", &format!("{redirect} `cql stats … > x.txt`"));
        check("prepare format csv", "");
        check("tree best 3", "write --top N: the number of rows that are shown");
        check("stats max 3", "write --top N: the number of rows that are shown");
        check("puzzles best 3", "write --limit N: only the first N");
        check("prepare top 3", "write --limit N: only the first N");
        check("tree sort white", "write --order COLUMN: the column by which the rows are ordered");
        for name in ["puzzles hard", "puzzles level easy"] {
            let words: Vec<&str> = name.split(' ').collect();
            let said = in_subcommand("puzzles", |name| name == "margin", words[1], None);
            assert!(said.is_some_and(|said| said.contains("~~ \"hard\"' -o")), "{name}");
        }
        let page = in_subcommand("tree", |name| name == "json", "o", Some("t.html"));
        assert!(page.is_some_and(|said| said.ends_with("Najdorf -o t.html`")));
    }

    #[test]
    fn men_of_a_proposal_are_those_of_either_side() {
        let proposals = OPTIONS.iter().chain(SUBCOMMANDS);
        let of_men = proposals.filter(|(_, instead, _)| instead.contains("material"));
        assert!(of_men.clone().count() > 0);
        for (_, instead, _) in of_men {
            assert!(instead.contains("flipcolor material"), "{instead}");
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
