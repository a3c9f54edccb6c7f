//! Table of the options of a search: a row for each, with its spellings, help and effect.
//!
//! The help, the manual page, the completions and the messages about misspelled options are made of
//! the table.

use syntax::tree::{CommentLevel, TransformFamily as T};

use super::cursor::Cursor;
use super::fault::Parsed;
use super::values::{
    allow_write, assignment, dialect, elo, encoding, hhdb, html, input, input_format,
    line_increment, openings, output, pattern, player, player_with, put, query, respell, result,
    set_level, similar_position, utf8, variant_alias, virtual_main_line, year,
};
use super::{Command, Options, Threads};
use crate::programs::ProgramArgs;

/// Options under a heading of the help.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    rows: &'static [OptionRow],
}

/// Option of a search.
pub(crate) struct OptionRow {
    /// Spellings with their dashes, in lower case.
    names: &'static [&'static str],
    /// Form of the value in the help; empty if there is none.
    pub(super) value: &'static str,
    /// Description; empty if the option shares that of the next row.
    help: &'static str,
    pub(super) effect: Effect,
}

/// Effect of an option.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// Sets options.
    Set(fn(&mut Options)),
    /// Reads a value and sets options.
    Read(fn(&mut Cursor<'_>, &mut Options) -> Parsed<()>),
    /// Reads a value that replaces an earlier one.
    Replace(fn(&mut Cursor<'_>, &mut Options) -> Parsed<()>),
    /// Adds a filter before the query.
    Filter(fn(&mut Cursor<'_>) -> Parsed<Vec<u8>>),
    /// Adds a transform of the whole query.
    Transform(T),
    /// Sets the field with this name in [`OutputArgs`](crate::output::OutputArgs).
    Output,
    /// Sets external programs by a value, which the text describes.
    Program(&'static str, fn(&mut ProgramArgs, &str) -> Result<(), String>),
    /// Adds to external programs by a value, which the text describes.
    AddProgram(&'static str, fn(&mut ProgramArgs, &str) -> Result<(), String>),
    /// Replaces the search by a command, unless its value says otherwise.
    Instead(fn(&mut Cursor<'_>, &mut Options) -> Parsed<Option<Command>>),
    /// Reads another command line; must be the first argument.
    First(fn(&mut Cursor<'_>) -> Parsed<Command>),
}

use Effect::{AddProgram, Filter, First, Instead, Output, Program, Read, Replace, Set, Transform};

/// Further spellings that the help does not show, each with the one that it stands for.
const SYNONYMS: [(&str, &str); 2] =
    [("noheaders", "noheader"), ("messageformat", "message-format")];

/// Debugging options of the reference, accepted without effect.
const IGNORED: [&str; 8] =
    ["lex", "d", "debug", "showfromstring", "echo", "colorize", "nolinearize", "showthread"];

/// Largest value of `-outputbuffer`.
const LARGEST: i32 = engine::LARGEST_OUTPUT_BUFFER as i32;

macro_rules! options {
    ($($title:literal {
        $([$($name:literal)+ $(= $value:literal)?] $($help:literal)? => $effect:expr;)*
    })*) => {
        /// All options, in the order of the help.
        pub(crate) static GROUPS: &[Group] = &[$(Group {
            title: $title,
            rows: &[$(OptionRow {
                names: &[$($name),+],
                value: concat!($($value)?),
                help: concat!($($help)?),
                effect: $effect,
            },)*],
        },)*];
    };
}

options! {
    "Files" {
        ["-i" "-input" = "FILE"]
            "search FILE, as if listed after the query: PGN, JSON, EPD or puzzles of Lichess, \
             also compressed or in zip and tar archives; a directory, a pattern, or - for standard \
             input; can be repeated (default: 'input' in the header)"
            => Read(input);
        ["-input-format" = "auto|pgn|puzzles|epd|json"]
            "set the format of the inputs (auto: detect it from their first bytes)"
            => Replace(|c, o| put(&mut o.input_format, input_format(c)));
        ["-encoding" = "auto|NAME"]
            "set the encoding of the inputs, such as windows-1251 (auto: detect UTF-16, keep all \
             other bytes)"
            => Replace(|c, o| put(&mut o.encoding, encoding(c)));
        ["-o" "-output" = "FILE"]
            "write to FILE (default: 'output' in the header, else QUERY-out.pgn); tags in the \
             name ('by-{White}.pgn') make one file per value"
            => Read(output);
        ["-vi"] => Set(|o| o.inputs.push("hhdbvi.pgn".into()));
        ["-vii"] "same as -i hhdbvi.pgn, -i hhdbvii.pgn"
            => Set(|o| o.inputs.push("hhdbvii.pgn".into()));
    }

    "Games and positions" {
        ["-g" "-gamenumber" = "N [M]"] "search only games number N to M"
            => Replace(|c, o| put(&mut o.compile.gamenumber, c.range(1).map(Some)));
        ["-matchcount" = "N [M]"] "require N to M matching positions in a game"
            => Replace(|c, o| put(&mut o.compile.matchcount, c.range(0).map(Some)));
        ["-variations"] => Set(|o| o.compile.variations = Some(true));
        ["-mainline"] "search variations too, or the main line only"
            => Set(|o| o.compile.variations = Some(false));
        ["-virtualmainline"] "search variations, but only their main line in the sense of studies"
            => Read(virtual_main_line);
        ["-player" = "REGEX"] "require a player, White or Black, whose name matches REGEX"
            => Read(player);
        ["-year" = "N [M]"] "require a year from N to M"
            => Replace(|c, o| put(&mut o.compile.year, year(c)));
        ["-elo" = "N [M]"] "require ratings of both players of at least N, and at most M"
            => Filter(elo);
        ["-white" = "REGEX"] => Filter(|c| player_with(c, "white"));
        ["-black" = "REGEX"] => Filter(|c| player_with(c, "black"));
        ["-event" = "TEXT"] => Filter(|c| c.quoted("event ", "a string"));
        ["-site" = "TEXT"] => Filter(|c| c.quoted("site ", "a string"));
        ["-result" = "R"] => Filter(result);
        ["-fen" = "FEN"] => Filter(|c| c.quoted("fen ", "a string"));
        ["-wtm"] => Filter(|_| Ok(b"wtm".to_vec()));
        ["-btm"] "add this filter before the query" => Filter(|_| Ok(b"btm".to_vec()));
        ["-cql" = "FILTERS"] "add these filters before the query" => Filter(query);
        ["-assign" = "NAME VALUE"] "set a variable before the query" => Filter(assignment);
        ["-hhdb" = "KEYWORDS"] "add filters for the study database HHdbVI; -hhdb help lists them"
            => Instead(hhdb);
        ["-similarposition" = "[nosort] [notransform] FILE.pgn"]
            "find positions that also occur in FILE.pgn"
            => Filter(similar_position);
        ["-flip"] => Transform(T::Flip);
        ["-flipcolor"] => Transform(T::FlipColor);
        ["-flipvertical"] => Transform(T::FlipVertical);
        ["-fliphorizontal"] => Transform(T::FlipHorizontal);
        ["-shift"] => Transform(T::Shift);
        ["-shifthorizontal"] => Transform(T::ShiftHorizontal);
        ["-shiftvertical"] => Transform(T::ShiftVertical);
        ["-rotate90"] => Transform(T::Rotate90);
        ["-rotate45"] => Transform(T::Rotate45);
        ["-reversecolor"] "search all images of the whole query; of several, the last is applied first"
            => Transform(T::ReverseColor);
    }

    "Output (more: cql help outputs)" {
        ["--format" = "pgn|jsonl|json-games|csv|tsv|epd|fen|html|parquet|count"]
            "set the format (default: the extension of the output file)"
            => Output;
        ["--stdout"] "write results to standard output, all else to standard error" => Output;
        ["--force"] "replace the output file even if it holds neither games nor an earlier result"
            => Output;
        ["--noclobber"] "replace no files" => Output;
        ["--createdirectories"] "create missing directories of the output" => Output;
        ["--maxoutputfiles" = "N"]
            "limit the number of files that -o 'by-{White}.pgn' may write (10000)"
            => Output;
        ["--per" = "position|game"] "write a row or object for each position, or for each game"
            => Output;
        ["--columns" = "NAME,..."] "choose the columns of a table, the fields of an object, or the facts of a report"
            => Output;
        ["--title" = "TEXT"] "set the title of a report" => Output;
        ["--boards" = "N"] "show up to N boards for each game of a report" => Output;
        ["--value" = "NAME=EXPRESSION"] "evaluate a CQL expression at every matching position"
            => Output;
        ["--count"] "print only the number of matching games and positions" => Output;
        ["--count-by" = "EXPRESSION"] "count in groups: by a column, a tag or a CQL expression"
            => Output;
        ["--by" = "EXPRESSION"] "count in columns, too: --count-by year --by result has a row for each year and a column for \
             each result"
            => Output;
        ["--cell" = "FIGURE"]
            "choose what these columns show: games (default), positions, share, white, draws, \
             black, score, expected_score, elo or performance"
            => Output;
        ["--order" = "COLUMN"] "order the groups by a column, figures with the greatest first"
            => Output;
        ["--top" = "N"] "show the first N groups, by their games unless --order is given" => Output;
        ["--scores"] "write results and scores with counts in csv, tsv and jsonl, too" => Output;
        ["--score-of" = "NAME"] "count the score of a player, with either color" => Output;
        ["-json"] "print counts as JSON, like --format jsonl" => Set(|o| o.json = true);
        ["--limit" = "N"] "write only the first N matching games, with 'sort' the best N" => Output;
        ["--sample" = "N"] "write N matching games, chosen at random" => Output;
        ["--seed" = "N"] "choose a different random sample" => Output;
        ["--exclude"] "write the games that do not match" => Output;
        ["-board"]
            "show the matching games on the screen, with boards; without boards, games are shown on \
             a terminal if the query is given with -cql and no option says where to write"
            => Set(|o| o.board = true);
        ["-matchstring" = "TEXT"] "set the mark of a matching position (CQL); '' for none"
            => Replace(|c, o| put(&mut o.compile.matchstring, c.bytes("a string").map(Some)));
        ["-quiet"]
            "add no marks and no automatic comments; with two dashes (--quiet), also print nothing \
             but results and trouble"
            => Read(|cursor, o| {
                o.is_quiet = cursor.option.starts_with("--");
                set_level(o, CommentLevel::Quiet)
            });
        ["-silent"] "add no comments at all" => Read(|_, o| set_level(o, CommentLevel::Silent));
        ["-noheader"] "omit 'Game number N' from the first comment"
            => Set(|o| o.compile.writing.no_header = true);
        ["-noremovecomment"] "ignore 'removecomment'"
            => Set(|o| o.compile.writing.no_removecomment = true);
        ["-nosettag"] "ignore 'settag'" => Set(|o| o.compile.writing.no_settag = true);
        ["-nosortcomments"] "keep all comments made by the arguments of 'sort'"
            => Set(|o| o.compile.writing.no_sort_comments = true);
        ["-uniquecomments"] => Set(|o| o.compile.writing.unique_comments = true);
        ["-nouniquecomments"] "write equal comments of one position once (default), or all"
            => Set(|o| o.compile.writing.unique_comments = false);
        ["-alwayscomment"] "keep comments of filters that fail later"
            => Set(|o| o.compile.writing.always_comment = true);
        ["-elidecomments"] => Set(|o| o.compile.writing.elided.comments = true);
        ["-elidenags"] => Set(|o| o.compile.writing.elided.nags = true);
        ["-elidevariations"] => Set(|o| o.compile.writing.elided.variations = true);
        ["-noelidecomments"] => Set(|o| o.compile.writing.elided.comments = false);
        ["-noelidenags"] => Set(|o| o.compile.writing.elided.nags = false);
        ["-noelidevariations"] "leave out the comments, NAGs, variations of the games, or keep them"
            => Set(|o| o.compile.writing.elided.variations = false);
        ["-allcomments"] "write all comments of a move instead of only the last one"
            => Set(|o| o.compile.writing.all_comments = true);
        ["-keepletters"] "write letters such as 'ö' as they are in the games, also in comments to which text is added"
            => Set(|o| o.compile.writing.keeps_letters = true);
        ["-pgnlinewidth" = "N"] "set the length of PGN lines (79)"
            => Replace(|c, o| put(&mut o.compile.writing.line_width, c.size(1, i32::MAX)));
        ["-includetagpattern" = "REGEX"]
            => Replace(|c, o| put(&mut o.compile.include_tags, pattern(c)));
        ["-excludetagpattern" = "REGEX"]
            "write only tags with such names, or all others; the seven tags that every game has \
             are always written"
            => Replace(|c, o| put(&mut o.compile.exclude_tags, pattern(c)));
        ["-outputbuffer" = "N"] "set the greatest size of a written game in bytes (105000)"
            => Replace(|c, o| put(&mut o.compile.output_buffer, c.size(100_001, LARGEST).map(Some)));
    }

    "External programs" {
        ["-pipe" = "NAME=COMMAND"] "set the program for commandpipe(\"NAME\" ...); can be repeated"
            => AddProgram("NAME=COMMAND", ProgramArgs::add_pipe);
        ["-pipetimeout" = "N"] "wait N seconds for its answer (10)"
            => Program("a number of seconds", ProgramArgs::set_pipe_seconds);
        ["-engine" = "COMMAND"] "set the UCI engine for 'engine'"
            => Program("a command", ProgramArgs::set_engine);
        ["-engineoption" = "NAME=VALUE"] "set an option of the engine; can be repeated"
            => AddProgram("NAME=VALUE", ProgramArgs::add_engine_option);
        ["-enginetimeout" = "N"] "wait N seconds for a position (60)"
            => Program("a number of seconds", ProgramArgs::set_engine_seconds);
        ["-enginestore" = "FILE"] "store the answers of the engine in FILE and reuse them"
            => Program("a file", ProgramArgs::set_engine_store);
        ["-tablebases" = "DIR"] "set the directory of the Syzygy tables for 'tablebase'"
            => Program("a directory", ProgramArgs::set_tablebases);
    }

    "Display" {
        ["--progress" = "bar|json|none"]
            "set how to show progress; with none, nothing is printed but results and trouble"
            => Output;
        ["-showmatches"] "print <N> for every matching game N" => Set(|o| o.show_matches = true);
        ["-lineincrement" = "N"] "print progress after every N games (10000)"
            => Replace(line_increment);
        ["-showoutput"] => Set(|o| o.progress = Some(true));
        ["-nooutputstatus"] "show progress (default), or not" => Set(|o| o.progress = Some(false));
        ["-gui"] => Set(|o| o.gui = true);
        ["-guipgnstdin"] => Set(|o| o.pgn_from_stdin = true);
        ["-guipgnstdout"]
            "for graphical front ends: print status lines, read games from standard input, write \
             them to standard output"
            => Set(|o| o.pgn_to_stdout = true);
    }

    "Run" {
        ["-threads" = "N"] "use N threads"
            => Replace(|c, o| put(&mut o.threads, c.size(1, 4096).map(Threads::Exactly)));
        ["-s" "-singlethreaded"] "use one thread" => Set(|o| o.threads = Threads::Exactly(1));
        ["-m" "-multithreaded"] "use one thread for each processor (default)"
            => Set(|o| o.threads = Threads::Default);
        ["-steps" = "N"]
            "limit the steps of loops and searches in a game (400000000); if each of the first \
             10 games exceeds the limit, the run ends"
            => Replace(|c, o| put(&mut o.limits.query.steps, c.large_number()));
        ["-limits" = "NAME=N"]
            "change limits, separated by commas, N being 5000, 20k, 64M or 1G: steps, string, \
             memory, imagined, saved, comments, comment-bytes, output, images, filters, nesting, \
             regex, unpacked (more: cql help limits and faults)"
            => Read(|c, o| o.limits.set(&c.value("NAME=N")?.to_string_lossy()));
        ["-strict"]
            "end the run with an error if a game cannot be read as written or exceeds a limit"
            => Set(|o| o.strict = true);
        ["-exit-status"]
            "let the exit status tell whether games match: 0 if there are any, 1 if there are none, \
             2 after an error"
            => Set(|o| o.exit_status = true);
        ["-secure"]
            "forbid the query to read or write files or run other programs; an 'output' in its \
             header must be in the working directory"
            => Set(|o| o.file_rules.secure = true);
        ["-no-index"] "search the text even if there is an archive of the games"
            => Set(|o| o.no_index = true);
        ["-allow-write" = "DIR"] "let 'writefile' write into DIR as well as the working directory"
            => Read(allow_write);
        ["-variantalias" = "NAME=VARIANT"]
            "play games with this 'Variant' tag by the rules of a known variant: -variantalias \
             \"House rules=Crazyhouse\""
            => Read(variant_alias);
        ["--openings" = "FILE"]
            "take the names of openings from a table: tab-separated lines, the first of which names \
             the columns eco, name and pgn"
            => Replace(openings);
        ["-dialect" = "auto|cql6|cql5|classic"] "set the dialect of the query"
            => Replace(|c, o| put(&mut o.compile.dialect, dialect(c)));
        ["-message-format" = "human|json"] "set the format of errors and warnings about the query"
            => Replace(|c, o| put(&mut o.look.format, c.choice()));
        ["-color" = "auto|always|never"] "set when errors and warnings are colored"
            => Replace(|c, o| put(&mut o.look.color, c.choice()));
        ["-parse"] "check the query and stop" => Set(|o| o.check_only = true);
    }

    "Rewriting queries (these options must come first)" {
        ["-a" = "FILE.cql"] => First(|c| respell(c, false));
        ["-u" = "FILE.cql"] "rewrite the query in ASCII, or with Unicode symbols"
            => First(|c| respell(c, true));
        ["-utf8" = "FILE.cql [-o OUT.cql]"]
            "write the query with Unicode symbols to OUT.cql or to the screen"
            => First(utf8);
        ["-html" = "FILE.cql"]
            "write the query as a web page, FILE-cql.html\n(-force after any of these: replace \
             any existing file)"
            => First(html);
    }

    "General" {
        ["-h"] "print the most important options on one screen" =>
            Instead(|_, _| Ok(Some(Command::ShortHelp)));
        ["-help"] "print this text" => Instead(|_, _| Ok(Some(Command::Help)));
        ["-v" "-version"] "print the version" => Instead(|_, _| Ok(Some(Command::Version)));
    }
}

impl Group {
    /// Returns the options that share a description, with that description. Blanks and line ends
    /// of the description are for the layout of the help.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static [OptionRow], &'static str)> {
        let entries = self.rows.split_inclusive(|row| !row.help.is_empty());
        entries.map(|rows| (rows, rows.last().map_or("", |row| row.help)))
    }
}

impl OptionRow {
    /// Whether a later value of the option replaces an earlier one.
    pub(super) fn replaces(&self) -> bool {
        matches!(self.effect, Replace(_) | Program(..))
    }

    /// Returns the spellings without dashes.
    pub(crate) fn bare_names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().map(|name| name.trim_start_matches('-'))
    }

    /// Returns the spellings without dashes, the last one with the value.
    pub(crate) fn names_with_value(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let (value, last) = (self.value, self.names.len() - 1);
        self.bare_names()
            .enumerate()
            .map(move |(i, name)| (name, if i == last { value } else { "" }))
    }

    /// Returns the spellings as the help shows them: `-i`, `-input FILE`.
    pub(super) fn forms(&self) -> impl Iterator<Item = String> {
        let names = self.names.iter().zip(self.names_with_value());
        names.map(|(name, (_, value))| format!("{name} {value}").trim_end().to_owned())
    }
}

/// Returns all options.
pub(super) fn rows() -> impl Iterator<Item = &'static OptionRow> {
    GROUPS.iter().flat_map(|group| group.rows)
}

/// Returns the option with this name, which is in lower case and without dashes.
pub(super) fn named(name: &str) -> Option<&'static OptionRow> {
    let synonym = SYNONYMS.iter().find(|synonym| synonym.0 == name);
    let name = synonym.map_or(name, |synonym| synonym.1);
    // Comparing the ends costs less than removing the dashes of all names.
    let is_called = |known: &&str| matches!(known.strip_suffix(name), Some("-" | "--"));
    rows().find(|row| row.names.iter().any(&is_called))
}

/// Whether an option is accepted without effect.
pub(super) fn is_ignored(name: &str) -> bool {
    IGNORED.contains(&name)
}
