//! Options about the output.
//!
//! [`OutputArgs`] is a set of arguments for any subcommand. A search on the command line of the
//! reference implementation reads the same options by their names, see [`ByName`].

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, FromArgMatches};
use engine::{NamedExpression, Program};
use syntax::builtin::Keyword;
use table::{
    CountOptions, Family, OutputFormat, Per, ReportOptions, Table, TableError, TableOptions,
    hides_column, is_column,
};

use super::Template;
use crate::failure::short;
use crate::report::SourceText;

/// Kinds of rows with their names on the command line.
const ROWS: [(&str, Per, &str); 2] = [
    ("position", Per::Position, "A row for each matching position"),
    ("game", Per::Game, "A row for each game"),
];

/// Parses the name of a format.
fn format() -> impl TypedValueParser<Value = OutputFormat> {
    let formats = OutputFormat::ALL.iter();
    one_of(formats.map(|format| (format.name(), *format, format.help())).collect())
}

/// Parses one of these names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    values: Vec<(&'static str, T, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let names = values.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).map(move |name| {
        let value = values.iter().find(|value| value.0 == name);
        value.expect("no other names are let through").1
    })
}

/// Reads the name of a player, or a part of it.
pub(crate) fn player_name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("the name of a player is missing".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// Display of the progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum ProgressDisplay {
    /// A bar, if standard error is a terminal
    Bar,
    /// A JSON object in each line on standard error
    Json,
    /// Nothing but results and trouble
    None,
}

/// Destination and format of the results.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write to FILE, or to standard output if it is -
    ///
    /// The extension determines the format.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Set the format of the output
    #[arg(long, value_parser = format())]
    pub(crate) format: Option<OutputFormat>,
    /// Write a row or object for each position, or for each game
    ///
    /// A game has the values of --value at its first matching position, as in --value p=ply; with
    /// sort, at the position that has the sorted value.
    #[arg(long, value_parser = one_of(ROWS.to_vec()))]
    pub(crate) per: Option<Per>,
    /// Choose the columns of a table, fields of an object or report
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub(crate) columns: Vec<String>,
    /// Evaluate a CQL expression at every matching position
    #[arg(long, value_name = "NAME=EXPRESSION", value_parser = named_text)]
    pub(crate) value: Vec<(String, String)>,
    /// Set the title of a report
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Show up to N boards for each game of a report
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) boards: Option<u16>,
    /// Write only the number of matching games and positions
    #[arg(long)]
    pub(crate) count: bool,
    /// Count in groups: by a column, a tag or a CQL expression
    ///
    /// An expression can have a name.
    #[arg(long, value_name = "[NAME=]EXPRESSION")]
    pub(crate) count_by: Vec<String>,
    /// Make a column of each value of a column, a tag or a CQL expression
    ///
    /// The groups of --count-by are the rows.
    #[arg(long, value_name = "[NAME=]EXPRESSION", requires = "count_by")]
    pub(crate) by: Option<String>,
    /// Choose what the columns of --by show [default: games]
    ///
    /// Such as positions, share, score or performance.
    #[arg(long, value_name = "FIGURE", requires = "by")]
    pub(crate) cell: Option<String>,
    /// Order the groups by a column
    ///
    /// Figures come with the greatest first, columns of the groups in ascending order.
    #[arg(long, value_name = "COLUMN", requires = "count_by")]
    pub(crate) order: Option<String>,
    /// Show the first N groups, by their games unless --order is given
    #[arg(long, value_name = "N", requires = "count_by",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: Option<u32>,
    /// Write results and scores with counts
    ///
    /// A table for reading has them without this option.
    #[arg(long)]
    pub(crate) scores: bool,
    /// Count the score of a player, with either color
    ///
    /// A part of the name is enough, in any case of letters.
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    pub(crate) score_of: Option<String>,
    /// Write only the first N matching games
    ///
    /// With `sort` in the query, write the best N.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,
    /// Write N matching games, chosen at random
    ///
    /// All matching games have equal chances.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) sample: Option<u64>,
    /// Choose a different random sample
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Write the games that do not match
    #[arg(long)]
    pub(crate) exclude: bool,
    /// Write results to standard output, all else to standard error
    #[arg(long)]
    pub(crate) stdout: bool,
    /// Replace the output file whatever it holds
    ///
    /// Without this option, only a file with games or an earlier result is replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Replace no files
    #[arg(long = "noclobber", conflicts_with = "force")]
    pub(crate) no_clobber: bool,
    /// Create missing directories of the output
    #[arg(long = "createdirectories")]
    pub(crate) create_directories: bool,
    /// Limit the number of files of an output with tags in its name
    ///
    /// Such as 'by-{White}.pgn'.
    #[arg(long = "maxoutputfiles", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_output_files: Option<u32>,
    /// Set how to show progress
    #[arg(long, value_enum)]
    pub(crate) progress: Option<ProgressDisplay>,
}

/// Parses `NAME=EXPRESSION`.
fn named_text(text: &str) -> Result<(String, String), String> {
    let Some((name, expression)) = text.split_once('=') else {
        return Err("expected a name, '=' and a CQL expression".to_owned());
    };
    let name = name.trim();
    if is_name(name) {
        Ok((name.to_owned(), expression.to_owned()))
    } else {
        Err(format!("the name before '=' must consist of letters, digits and '_', not '{name}'"))
    }
}

/// Splits a group of counts into its name and its expression: `decade=year/10*10`.
fn group(text: &str) -> (&str, &str) {
    let named = text.split_once('=').map(|(name, text)| (name.trim(), text));
    // `ply==3` and `x<=3` have no name.
    let named = named.filter(|(name, text)| is_name(name) && !text.starts_with('='));
    named.unwrap_or((text, text))
}

/// Whether a text is a name: letters, digits and `_`, and no digit first.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl OutputArgs {
    /// Whether only counts are written.
    pub(crate) fn counts(&self) -> bool {
        self.count || !self.count_by.is_empty() || self.format == Some(OutputFormat::Count)
    }

    /// Whether nothing of the matches is written but numbers, columns of their games and values of
    /// expressions.
    pub(crate) fn only_counts(&self) -> bool {
        let shows_more = |text: &str| matches!(text.trim(), "comments" | "sort");
        self.counts() && self.limit.is_none() && !self.groups().any(|(_, text)| shows_more(text))
    }

    /// Whether an option selects standard output.
    pub(crate) fn to_stdout(&self) -> bool {
        self.stdout || self.output.as_deref() == Some(Path::new("-"))
    }

    /// Returns the output file, if an option names one.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| *file != Path::new("-"))
    }

    /// Returns the format: the given one, else that of the file name, else counts or PGN.
    pub(crate) fn format(&self) -> OutputFormat {
        let of_file = || self.file().and_then(OutputFormat::of_name);
        self.format.or_else(of_file).unwrap_or(if self.counts() {
            OutputFormat::Count
        } else {
            OutputFormat::Pgn
        })
    }

    /// Returns the kind of rows.
    pub(crate) fn per(&self) -> Per {
        self.per.unwrap_or(if self.exclude { Per::Game } else { Per::Position })
    }

    /// Returns the table that writes the results of a program. A report shows `query` as its query.
    pub(crate) fn table(&self, program: &Program, query: &[SourceText]) -> Result<Table, String> {
        let texts = query.iter();
        let options = TableOptions {
            query: texts.map(|source| (source.name.clone(), source.text.clone())).collect(),
            ..self.table_options()
        };
        Table::new(program, &options).map_err(told)
    }

    /// Like [`OutputArgs::table`], for one of several queries with their rows in one table.
    pub(crate) fn table_of_query(&self, program: &Program, name: &str) -> Result<Table, String> {
        Table::of_query(program, name, &self.table_options()).map_err(told)
    }

    /// Returns the chosen columns; those of values that `--columns` does not name come last.
    pub(crate) fn columns(&self) -> Vec<String> {
        let mut columns = self.columns.clone();
        if !columns.is_empty() && !columns.iter().any(|column| column == "values") {
            let values = self.value.iter().map(|value| &value.0);
            let missing = values.filter(|value| !self.columns.contains(value));
            columns.extend(missing.cloned());
        }
        columns
    }

    fn table_options(&self) -> TableOptions {
        TableOptions {
            format: self.format(),
            per: self.per(),
            columns: self.columns(),
            counts: self.counts().then(|| {
                let groups = self.count_by.iter();
                groups.map(|text| group(text).0.to_owned()).collect()
            }),
            count_options: CountOptions {
                scores: self.scores,
                score_of: self.score_of.clone(),
                by: self.by.as_deref().map(|text| group(text).0.to_owned()),
                cell: self.cell.clone(),
                order: self.order.clone(),
                top: self.top.map(|n| n as usize),
            },
            report: ReportOptions {
                title: self.title.clone(),
                boards: self.boards.map_or(0, usize::from),
            },
            query: Vec::new(),
        }
    }

    /// Whether options change the form of counts.
    pub(crate) fn forms_counts(&self) -> bool {
        self.scores || self.score_of.is_some() || self.shows_some_groups()
    }

    /// Whether options choose or order the groups of counts.
    fn shows_some_groups(&self) -> bool {
        self.by.is_some() || self.order.is_some() || self.top.is_some()
    }

    /// Returns the expressions of groups, each with its option.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&str, &String)> {
        let rows = self.count_by.iter().map(|text| ("--count-by", text));
        rows.chain(self.by.iter().map(|text| ("--by", text)))
    }

    /// Returns the expressions that the program must evaluate: the named ones, then those of groups
    /// of counts.
    pub(crate) fn expressions(&self) -> Vec<NamedExpression> {
        let named = self.value.iter().map(|(name, text)| NamedExpression {
            name: name.clone(),
            source: format!("--value {name}"),
            text: text.clone().into_bytes(),
        });
        let is_name =
            |text: &str| is_column(text) || self.value.iter().any(|value| value.0 == text);
        let counted = self.groups().filter(|(_, text)| !is_name(text));
        let counted = counted.map(|(option, text)| {
            let (name, expression) = group(text);
            NamedExpression {
                name: name.to_owned(),
                source: option.to_owned(),
                text: expression.to_owned().into_bytes(),
            }
        });
        named.chain(counted).collect()
    }

    /// Applies `--json`, which is for counts only: matches have `--format jsonl`.
    pub(crate) fn write_json(&mut self) -> Result<(), String> {
        if !self.counts() {
            return Err(
                "--json is only for --count and --count-by; --format jsonl writes the matches"
                    .to_owned(),
            );
        }
        match self.format {
            None | Some(OutputFormat::Count | OutputFormat::Jsonl) => {
                self.format = Some(OutputFormat::Jsonl)
            }
            Some(_) => return Err("--json and another --format exclude each other".to_owned()),
        }
        Ok(())
    }

    /// Checks the options about rows, values and columns. Returns a message about the first one
    /// that does not apply to the format.
    fn check_family(&self, format: OutputFormat) -> Result<(), String> {
        let name = format.name();
        let family = format.family();
        let has_columns =
            |format: OutputFormat| format.has_columns() || format.family() == Family::Report;
        if !has_columns(format) && !self.columns.is_empty() {
            return Err(format!(
                "{name} has no columns to choose; the formats that have some are {}: add --format, \
                 or name such a file with -o",
                OutputFormat::names(has_columns)
            ));
        }
        let has_values = !self.value.is_empty();
        match family {
            Family::Rows(_) if self.exclude && self.per() == Per::Position => {
                Err("--exclude writes games without matching positions: use --per game".to_owned())
            }
            Family::Games | Family::GameObjects | Family::Report
                if self.per == Some(Per::Position) =>
            {
                Err(format!("{name} holds games only"))
            }
            Family::Games | Family::GameObjects if has_values => Err(format!(
                "{name} cannot hold the values of --value; write them with 'comment' in the \
                 query, or choose another format"
            )),
            Family::Positions(_) if has_values => {
                Err(format!("{name} cannot hold the values of --value"))
            }
            Family::Positions(_) if self.per() == Per::Game => {
                Err(format!("{name} holds positions only"))
            }
            Family::Rows(_)
            | Family::Games
            | Family::GameObjects
            | Family::Report
            | Family::Positions(_)
            | Family::Counts => Ok(()),
        }
    }

    /// Checks the expressions of groups.
    fn check_groups(&self) -> Result<(), String> {
        for (option, (name, text)) in self.groups().map(|(option, text)| (option, group(text))) {
            if text.trim() == "player" {
                return Err(format!(
                    "{option} {name}: `player` is both names of a game; {option} White and \
                     {option} Black count the players of one color, and `cql stats` those of both"
                ));
            }
            let words: Vec<&str> = text.split(',').map(str::trim).collect();
            let is_word = |word: &&str| {
                is_column(word) || Keyword::from_text(word).is_some_and(Keyword::begins_filter)
            };
            if let [first, others @ ..] = &words[..]
                && !others.is_empty()
                && words.iter().all(is_word)
            {
                let second = if option == "--by" { "--count-by" } else { "--by" };
                return Err(format!(
                    "{option} takes one expression: write {option} {first} {second} {}",
                    others[0]
                ));
            }
            if name == text {
                continue;
            }
            if hides_column(name) {
                return Err(format!(
                    "{option} gives an expression the name '{name}', which is the name of a \
                     column; choose another one, such as 'my_{name}'"
                ));
            }
            if is_column(text) {
                return Err(format!(
                    "{option}: '{text}' is a column, which already has a name: write {option} \
                     {text}"
                ));
            }
        }
        Ok(())
    }

    /// Checks the combination of options. Returns a message about the first error.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.stdout && self.file().is_some() {
            return Err("--stdout and an output file exclude each other".to_owned());
        }
        if self.format.is_none()
            && let Some(file) = self.file().filter(|file| OutputFormat::of_name(file).is_none())
        {
            let is_fit = |format: OutputFormat| {
                format.has_files() && (!self.counts() || format.holds_counts())
            };
            return Err(format!(
                "-o needs a file name that ends in {}, not '{}'; with --format any name is \
                 accepted",
                OutputFormat::extensions(is_fit),
                file.display()
            ));
        }
        if self.format() != OutputFormat::Pgn
            && let Some(file) = self.file().filter(|file| Template::of(file).is_some())
        {
            return Err(format!(
                "{}: only .pgn files can be named by tags; --count-by counts by a tag",
                file.display()
            ));
        }
        let groups = self.groups().map(|(_, text)| text);
        let mut expressions = self.value.iter().map(|value| &value.1).chain(groups);
        if expressions.any(|text| text.trim().is_empty()) {
            return Err("--value, --count-by and --by need an expression, such as 'ply'".to_owned());
        }
        let mut names: Vec<&str> = self.value.iter().map(|value| value.0.as_str()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("--value gives the name '{}' twice", twice[0]));
        }
        if let Some(name) = names.iter().find(|name| hides_column(name)) {
            return Err(format!(
                "--value gives an expression the name '{name}', which is the name of a column; \
                 choose another one, such as 'my_{name}'"
            ));
        }
        self.check_groups()?;
        let format = self.format();
        if (self.title.is_some() || self.boards.is_some()) && format.family() != Family::Report {
            return Err("--title and --boards are for reports: write -o FILE.html".to_owned());
        }
        if self.counts() {
            if !format.holds_counts() {
                return Err(format!(
                    "counts cannot be written as {}; the formats for counts are {}",
                    format.name(),
                    OutputFormat::names(OutputFormat::holds_counts)
                ));
            }
            if self.per.is_some() || !self.columns.is_empty() {
                return Err("--per and --columns cannot be combined with counts, which have \
                            games and positions as columns: leave them out, or write the rows \
                            themselves, without counts, with -o FILE.csv"
                    .to_owned());
            }
        } else if self.forms_counts() {
            return Err("--scores and --score-of are for --count and --count-by".to_owned());
        } else {
            self.check_family(format)?;
        }
        if self.limit.is_some() && self.sample.is_some() {
            return Err("--limit and --sample exclude each other".to_owned());
        }
        if self.seed.is_some() && self.sample.is_none() {
            return Err("--seed needs --sample".to_owned());
        }
        Ok(())
    }
}

/// Returns a message about the columns, in terms of the command line.
fn told(error: TableError) -> String {
    match error {
        TableError::PositionColumn(_) => {
            format!(
                "{error} (--per game): write --per position, or an expression for the first \
                 matching position, such as --value p=ply"
            )
        }
        error => error.to_string(),
    }
}

/// Reads the options of [`OutputArgs`] one at a time, from a command line that clap does not parse.
#[derive(Debug, Default)]
pub(crate) struct ByName(Vec<OsString>);

impl ByName {
    /// Adds an option with its value.
    pub(crate) fn add(&mut self, name: &str, value: Option<&OsStr>) {
        let mut argument = OsString::from(format!("--{name}"));
        if let Some(value) = value {
            argument.push("=");
            argument.push(value);
        }
        self.0.push(argument);
    }

    /// Parses the options that were added.
    pub(crate) fn finish(self) -> Result<OutputArgs, String> {
        if self.0.is_empty() {
            return Ok(OutputArgs::default());
        }
        self.read()
    }

    fn read(self) -> Result<OutputArgs, String> {
        let read = |arguments| {
            let matches = command().try_get_matches_from(arguments)?;
            OutputArgs::from_arg_matches(&matches)
        };
        read(self.0).map_err(|error: clap::Error| short(&error))
    }
}

fn command() -> clap::Command {
    OutputArgs::augment_args(clap::Command::new("cql").no_binary_name(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<OutputArgs, String> {
        let mut by_name = ByName::default();
        for word in line.split_whitespace() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(OsStr::new(value))),
                None => (word, None),
            };
            by_name.add(name, value);
        }
        let arguments = by_name.finish()?;
        arguments.check()?;
        Ok(arguments)
    }

    #[test]
    fn nothing_said_is_the_default() {
        assert_eq!(ByName::default().read(), Ok(OutputArgs::default()));
    }

    #[test]
    fn the_format_is_that_of_the_file_unless_it_is_given() {
        let check = |line: &str, expected: OutputFormat| {
            assert_eq!(read(line).map(|a| a.format()), Ok(expected), "{line}");
        };
        check("", OutputFormat::Pgn);
        check("output=a.PGN", OutputFormat::Pgn);
        check("output=a.jsonl", OutputFormat::Jsonl);
        check("output=a.pgn format=csv", OutputFormat::Csv);
        check("output=a.txt format=pgn", OutputFormat::Pgn);
        check("output=- format=fen", OutputFormat::Fen);
        check("output=a.html value=x=ply exclude", OutputFormat::Html);
        check("count", OutputFormat::Count);
        check("count-by=result", OutputFormat::Count);
        check("count-by=result output=a.csv", OutputFormat::Csv);
        check("count format=jsonl", OutputFormat::Jsonl);
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let check = |line: &str, expected: &str| match read(line) {
            Ok(arguments) => panic!("{line}: {arguments:?}"),
            Err(message) => assert!(message.contains(expected), "{line}: {message}"),
        };
        check("output=a.txt", "ends in .pgn");
        check("output=a.json", "'a.json'");
        check("output=a", "ends in .pgn");
        check("output=a.pgn stdout", "exclude each other");
        check("format=xml", "invalid value 'xml' for '--format <FORMAT>'");
        check("limit=0", "--limit");
        check("limit=x", "--limit");
        check("limit=1 sample=1", "exclude each other");
        check("seed=1", "--sample");
        check("columns=fen", "the formats that have some are jsonl, csv, tsv, html, parquet: add");
        check("per=position", "pgn holds games only");
        check("format=epd per=game", "epd holds positions only");
        check("format=html per=position", "html holds games only");
        check("format=epd columns=fen", "epd has no columns");
        check("format=csv title=x", "--title and --boards are for reports");
        check("boards=2", "--title and --boards are for reports");
        check("format=html boards=0", "--boards");
        check("count format=html", "counts cannot be written as html");
        check("format=epd exclude", "epd holds positions only");
        check("format=csv exclude per=position", "--per game");
        check("count format=pgn", "counts cannot be written as pgn");
        check("count columns=fen format=csv", "leave them out, or write the rows");
        check("format=csv value=x", "a CQL expression");
        check("format=csv value=1x=ply", "letters, digits");
        check("format=csv value=x=ply value=x=year", "twice");
        check("format=csv value=ply=3", "'my_ply'");
        check("format=csv value=White=3", "the name of a column");
        check("value=x=ply", "pgn cannot hold");
        check("count-by=who=white", "write --count-by white");
        check("count-by=player", "`cql stats`");
        check("count-by=who=player", "`cql stats`");
        check("count-by=white=ply", "choose another");
        check("count-by=year,result", "--count-by year --by result");
    }

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn values_are_columns_as_well() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(read(line).expect("arguments").columns(), expected, "{line}");
        };
        check("format=csv columns=game,y value=x=ply value=y=ply", &["game", "y", "x"]);
        check("format=csv columns=game,values value=x=ply", &["game", "values"]);
        check("format=csv value=x=ply", &[]);
    }

    #[test]
    fn only_expressions_are_compiled() {
        let arguments = read("format=csv value=x=ply==3").expect("arguments");
        assert_eq!(arguments.expressions()[0].text, b"ply==3");
        let arguments =
            read("count-by=result count-by=White count-by=x count-by=year/10 value=x=ply")
                .expect("arguments");
        let names: Vec<String> = arguments.expressions().into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["x", "year/10"]);
        let arguments = read("count-by=decade=year/10*10 count-by=ply==3").expect("arguments");
        let texts = arguments.expressions().into_iter().map(|e| (e.name, e.text));
        let texts: Vec<_> = texts.collect();
        let expected = [("decade", "year/10*10"), ("ply==3", "ply==3")];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        assert_eq!(texts, expected);
    }
}
