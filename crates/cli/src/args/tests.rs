use std::collections::HashSet;

use clap::builder::ArgAction;
use clap::{Args, ValueEnum};
use engine::Limits;
use syntax::Dialect;
use syntax::tree::{CommentLevel, TransformFamily};

use super::options::rows;
use super::*;

mod read;

fn arguments(line: &str) -> Vec<OsString> {
    // Words are separated by blanks; `_` stands for a blank within a word, `@` for no text.
    line.split_whitespace()
        .map(|word| if word == "@" { "".into() } else { word.replace('_', " ").into() })
        .collect()
}

/// There is one subcommand, `check` with the option `--warn`.
const SUBCOMMANDS: Subcommands = Subcommands::new(|| {
    let check = clap::Command::new("check").about("Check").arg(clap::Arg::new("warn").long("warn"));
    clap::Command::new("cql").subcommand(check)
});

fn command(line: &str) -> Command {
    parse(&arguments(line), SUBCOMMANDS).0.unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// `line` must mean the default search of `q.cql` in `g.pgn` with `change` made to it.
fn check(line: &str, change: impl FnOnce(&mut Options)) {
    let mut expected =
        Options { query: Some("q.cql".into()), inputs: vec!["g.pgn".into()], ..Options::default() };
    change(&mut expected);
    let Command::Search(mut got) = command(&format!("-i g.pgn {line} q")) else {
        panic!("{line}: no search");
    };
    got.remarks.clear();
    assert_eq!(*got, expected, "{line}");
}

fn check_preamble(line: &str, filters: &[&str]) {
    let Command::Search(options) = command(&format!("-i g.pgn {line} q.cql")) else {
        panic!("{line}: no search");
    };
    let got: Vec<_> = options
        .preamble
        .iter()
        .map(|filter| String::from_utf8_lossy(&filter.text).into_owned())
        .collect();
    assert_eq!(got, filters, "{line}");
    assert_eq!(options.query, Some("q.cql".into()), "{line}");
}

fn check_error(line: &str, message: &str) {
    match parse(&arguments(line), SUBCOMMANDS).0 {
        Ok(command) => panic!("{line}: accepted as {command:?}"),
        Err(error) => assert!(error.contains(message), "{line}: {error}"),
    }
}

#[test]
fn the_exit_status_is_that_of_the_option() {
    let check = |line: &str, expected: bool| {
        assert_eq!(parse(&arguments(line), SUBCOMMANDS).1, expected, "{line}");
    };
    check("q g.pgn --Exit-Status", true);
    check("q g.pgn", false);
    check("q g.pgn -event -exit-status", false);
    check("q g.pgn -cql=-exit-status", false);
    check("q g.pgn -- -exit-status", false);
    // With a fault before or after it, or as a value where there should be none.
    check("-exit-status -nosuch", true);
    check("-nosuch -exit-status", true);
    check("q g.pgn -exit-status=yes", true);
    check("-nosuch -- -exit-status", false);
    check("-event -exit-status -nosuch", false);
}

#[test]
fn a_query_without_a_file_is_answered_on_the_screen() {
    let check = |line: &str, on_terminal: bool, in_pipe: bool| {
        let Command::Search(options) = command(line) else {
            panic!("{line} is no search");
        };
        let found = (options.is_on_screen(true), options.is_on_screen(false));
        assert_eq!(found, (on_terminal, in_pipe), "{line}");
    };
    check("a.pgn -cql mate", true, false);
    check("- a.pgn", true, false);
    check("q.cql a.pgn", false, false);
    check("q.cql a.pgn --board", true, true);
    for more in ["-o b.pgn", "--stdout", "--count", "--format csv", "-guipgnstdout", "-gui"] {
        check(&format!("a.pgn -cql mate {more}"), false, false);
    }
}

#[test]
fn commands() {
    let check = |line: &str, expected: Command| assert_eq!(command(line), expected, "{line}");
    check("", Command::ShortHelp);
    check("-help", Command::Help);
    check("--H", Command::ShortHelp);
    check("-silent -help anything", Command::Help);
    check("-v", Command::Version);
    check("--Version", Command::Version);
    check("-hhdb help", Command::HhdbHelp);
    check("-hhdb INFO x", Command::HhdbHelp);
    let file = PathBuf::from("q.cql");
    check("-a q.cql rest is ignored", Command::Respell { unicode: false, file: file.clone() });
    check("-U q", Command::Respell { unicode: true, file: file.clone() });
    let page = |force| Command::Html { file: file.clone(), force };
    check("-html q", page(false));
    check("-html q --force", page(true));
    check("-utf8 q", Command::Utf8 { file: file.clone(), output: None, force: false });
    check(
        "-utf8 q -o r.cql -force",
        Command::Utf8 { file, output: Some("r.cql".into()), force: true },
    );
}

#[test]
fn files() {
    check("", |_| {});
    check("-o out.PGN", |o| o.outputs.output = Some("out.PGN".into()));
    check("--OUTPUT dir/out.pgn", |o| o.outputs.output = Some("dir/out.pgn".into()));
    for (option, name) in
        [("-vi", "hhdbvi.pgn"), ("-vii", "hhdbvii.pgn"), ("-input x.pgn", "x.pgn")]
    {
        let Command::Search(options) = command(&format!("{option} q")) else {
            panic!("{option}: no search");
        };
        assert_eq!(options.inputs, [PathBuf::from(name)], "{option}");
    }
}

#[test]
fn several_inputs() {
    let check = |line: &str, expected: &[&str]| {
        let Command::Search(options) = command(line) else {
            panic!("{line}: no search");
        };
        let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
        assert_eq!(options.inputs, expected, "{line}");
    };
    check("q", &[]);
    check("q a.pgn b.pgn.zst dir", &["a.pgn", "b.pgn.zst", "dir"]);
    check("-i a.pgn -vi -i c.txt q -", &["a.pgn", "hhdbvi.pgn", "c.txt", "-"]);
    check("-i - q", &["-"]);
    check("-i a.pgn", &["a.pgn"]);
    check("- a.pgn", &["a.pgn"]);
    check("a.pgn b/ q.cql", &["a.pgn", "b/"]);
}

#[test]
fn games_without_a_query_file() {
    let check = |line: &str, expected: &[&str]| {
        let Command::Search(options) = command(line) else {
            panic!("{line}: no search");
        };
        let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
        assert_eq!((options.query, options.inputs), (None, expected), "{line}");
    };
    check("-wtm a.pgn b.pgn", &["a.pgn", "b.pgn"]);
    check("a.pgn -cql mate", &["a.pgn"]);
    check("-cql mate dir/", &["dir/"]);
    check("-cql mate -", &["-"]);
}

#[test]
fn options_stand_anywhere() {
    let expected = command("-i g.pgn -limit 3 -strict -year 1900 1950 q.cql");
    for line in [
        "q.cql g.pgn -limit 3 -strict -year 1900 1950",
        "q.cql --limit=3 g.pgn --strict --year=1900 1950",
        "-strict q -LIMIT=3 -year 1900 1950 -input=g.pgn",
        "-year 1900 1950 -strict --limit 3 -- q g.pgn",
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
}

#[test]
fn counts_may_be_json() {
    let counts = |line: &str| match command(line) {
        Command::Search(options) => options.outputs,
        other => panic!("{other:?}"),
    };
    let expected = counts("q g.pgn --count --format jsonl");
    assert_eq!(counts("q --json g.pgn --count"), expected);
    assert_eq!(counts("q g.pgn --count -json --format=count"), expected);
}

#[test]
fn values_may_stand_behind_a_sign() {
    check("--matchstring=a=b", |o| o.compile.matchstring = Some(b"a=b".to_vec()));
    check("--matchstring=", |o| o.compile.matchstring = Some(Vec::new()));
    check_preamble("--cql=mate --white=Kasp", &["mate", "player white \"Kasp\""]);
    check_preamble("--cql=mate --white=^Kasp", &["mate", "player white ~~ \"^Kasp\""]);
    check_preamble("-elo 2500", &["elo white >= 2500 elo black >= 2500"]);
    check_preamble(
        "--elo=2400 2500",
        &["elo white >= 2400 elo white <= 2500 elo black >= 2400 elo black <= 2500"],
    );
    check_error("-elo 2500 2400", "-elo: 2500 is greater than 2400");
    check_preamble("--assign=x 3 -hhdb=prize special", &["x=3", "hhdb prize special"]);
}

#[test]
fn formats_of_inputs() {
    check("--input-format auto", |_| {});
    check("-input-format Puzzles", |o| o.input_format = Some(InputFormat::Puzzles));
}

#[test]
fn a_query_or_an_input_is_needed() {
    let Command::Search(options) = command("-input g.pgn -silent") else {
        panic!("no search");
    };
    assert_eq!(options.query, None);
    let Command::Search(options) = command("q.cql") else {
        panic!("no search");
    };
    assert_eq!((options.query, options.inputs), (Some("q.cql".into()), vec![]));
    check_error("-silent", "no query: name its file");
    let Command::Search(options) = command("-guipgnstdin") else {
        panic!("no search");
    };
    assert!(options.pgn_from_stdin);
}

#[test]
fn an_empty_argument_ends_the_options() {
    let Command::Search(options) = command("-i g.pgn @ -odd.cql") else {
        panic!("no search");
    };
    assert_eq!(options.query, Some("-odd.cql".into()));
    let Command::Search(options) = command("-i g.pgn @") else {
        panic!("no search");
    };
    assert_eq!(options.query, None);
}

#[test]
fn ranges() {
    check("-g 3", |o| o.compile.gamenumber = Some((3, 3)));
    check("-gamenumber 3 8", |o| o.compile.gamenumber = Some((3, 8)));
    check("-GameNumber 3 4 -g 5", |o| o.compile.gamenumber = Some((5, 5)));
    // 0 is no game number, so it is taken for the query file.
}

#[test]
fn words_that_set_one_thing() {
    check("-matchcount 0", |o| o.compile.matchcount = Some((0, 0)));
    check("-matchcount 0 2", |o| o.compile.matchcount = Some((0, 2)));
    check("-variations", |o| o.compile.variations = Some(true));
    check("-variations -mainline", |o| o.compile.variations = Some(false));
    check("-mainline -variations", |o| o.compile.variations = Some(true));
    check("-matchstring -x", |o| o.compile.matchstring = Some(b"-x".to_vec()));
    check("-matchstring @", |o| o.compile.matchstring = Some(Vec::new()));
    check("-quiet", |o| o.compile.level = Some(CommentLevel::Quiet));
    check("--SILENT", |o| o.compile.level = Some(CommentLevel::Silent));
    check("-noheader", |o| o.compile.writing.no_header = true);
    check("-noheaders", |o| o.compile.writing.no_header = true);
    check("-noremovecomment", |o| o.compile.writing.no_removecomment = true);
    check("-nosettag", |o| o.compile.writing.no_settag = true);
    check("-nosortcomments", |o| o.compile.writing.no_sort_comments = true);
    check("-nouniquecomments", |o| o.compile.writing.unique_comments = false);
    check("-nouniquecomments -uniquecomments", |_| {});
    check("-alwayscomment", |o| o.compile.writing.always_comment = true);
    check("-outputbuffer 100001", |o| o.compile.output_buffer = Some(100_001));
    check("-player ^Kar", |o| o.compile.player = Some(b"^Kar".to_vec()));
    check("-year 1990", |o| o.compile.year = Some((1990, 1990)));
    check("-year 1990 1999", |o| o.compile.year = Some((1990, 1999)));
    check("-year 1990-1999", |o| o.compile.year = Some((1990, 1999)));
    check("-showmatches", |o| o.show_matches = true);
    check("-nooutputstatus", |o| o.progress = Some(false));
    check("-nooutputstatus -showoutput", |o| o.progress = Some(true));
    check("-nooutputstatus -lineincrement 2", |o| {
        o.progress = Some(true);
        o.line_increment = 2;
    });
    check("-s", |o| o.threads = Threads::Exactly(1));
    check("-singlethreaded -m", |_| {});
    check("-s -multithreaded", |_| {});
    check("-threads 7", |o| o.threads = Threads::Exactly(7));
    check("-strict", |o| o.strict = true);
    check("--parse", |o| o.check_only = true);
    check("--dialect cql5 -dialect auto", |_| {});
    for (name, dialect) in [
        ("CQL6", Dialect::Cql6),
        ("6", Dialect::Cql6),
        ("5", Dialect::Cql5),
        ("classic", Dialect::Classic),
    ] {
        check(&format!("--dialect {name}"), |o| o.compile.dialect = Some(dialect));
    }
    check("-gui -guipgnstdout", |o| {
        o.gui = true;
        o.pgn_to_stdout = true;
    });
    check("-lex -d -debug -showfromstring -echo -colorize -nolinearize -showthread", |_| {});
}

#[test]
fn transforms_keep_their_order() {
    use TransformFamily as T;
    check("-shift -FlipColor", |o| o.compile.transforms = vec![T::Shift, T::FlipColor]);
    check(
        "-flip -flipvertical -fliphorizontal -shifthorizontal -shiftvertical -rotate90 -rotate45 \
         -reversecolor",
        |o| {
            o.compile.transforms = vec![
                T::Flip,
                T::FlipVertical,
                T::FlipHorizontal,
                T::ShiftHorizontal,
                T::ShiftVertical,
                T::Rotate90,
                T::Rotate45,
                T::ReverseColor,
            ];
        },
    );
}

#[test]
fn filters_in_front_of_the_query() {
    check_preamble("-wtm -BTM", &["wtm", "btm"]);
    check_preamble(
        "-white Kasp.* -black ^Kar",
        &["player white ~~ \"Kasp.*\"", "player black ~~ \"^Kar\""],
    );
    check_preamble("-event Wijk_aan_Zee -site x", &["event \"Wijk aan Zee\"", "site \"x\""]);
    check_preamble("-result 1/2-1/2", &["result \"1/2-1/2\""]);
    check_preamble("-fen 8/8_w", &["fen \"8/8 w\""]);
    check_preamble("-cql mate_//_x", &["mate // x"]);
    check_preamble("-assign x 3 -assign Y$1 -12 -assign s 1a", &["x=3", "Y$1=-12", "s=\"1a\""]);
    check_preamble(
        "-similarposition nosort NOTRANSFORM a.pgn",
        &["similarposition nosort notransform \"a.pgn\""],
    );
    check_preamble("-virtualmainline", &["virtualmainline"]);
    check("-mainline -virtualmainline", |o| {
        o.compile.variations = Some(true);
        o.preamble =
            vec![Preamble { option: "-virtualmainline".into(), text: b"virtualmainline".to_vec() }];
    });
}

#[test]
fn study_keywords() {
    check_preamble("-hhdb prize special", &["hhdb prize special"]);
    check_preamble("-hhdb (c) AN sound", &["hhdb \"(c)\" hhdb AN hhdb sound"]);
    check_preamble("-hhdb prize cooked hm", &["hhdb prize hhdb cooked hhdb hm"]);
    check_preamble("-hhdb AN composer Rinck -wtm", &["hhdb AN hhdb composer \"Rinck\"", "wtm"]);
    check_preamble("-hhdb gbr kings d4g7", &["hhdb gbr kings \"d4g7\""]);
    check_preamble("-hhdb gbr 0016", &["hhdb gbr \"0016\""]);
}

#[test]
fn misuse() {
    check_error("q.cql a.pgn b.cql", "only one query");
    check_error("q.cql b.cql", "`cql run` runs several");
    check_error("chek b.cql", "did you mean the subcommand `cql check`?");
    check_error("-i b.cql q.cql", "-i: expected games, found the query 'b.cql'");
    check_error(
        "--input-format csv q",
        "--input-format: the formats are pgn, puzzles, epd, json, or auto, not 'csv'",
    );
    check_error("q.txt", "must end in .cql");
    check_error("-nosuch q", "unknown option -nosuch");
    // A file and a part of a query in place of the query.
    check_error("g.pgn -cql Cargo.cql", "'Cargo.cql' is the name of a file that does not exist");
    check_error("g.pgn -cql player Carlsen mate", "as in -cql 'player \"Carlsen\" mate'");
    check_error("g.pgn -cql mate event Wijk aan Zee", "as in -cql 'mate event \"Wijk aan Zee\"'");
    // The next option is no value.
    check_error("g.pgn --limit -cql mate", "--limit needs a value: --limit N");
    check_error("g.pgn --limit", "--limit needs a value: --limit N");
    check_error("g.pgn -o -cql mate", "-o needs a file: -o games.pgn");
    check_error("g.pgn -cql mate --html", "--html FILE.cql must be the first argument, as it");
    check_error("g.pgn -cql mate --html", "a report with the games is -o report.html");
    check_error("-strict=3 q", "-strict does not accept the value '3'");
    check_error("--count=3 q", "--count does not accept the value '3'");
    check_error("--limit=x q", "--limit needs a whole number, not 'x'");
    check_error("- -", "cannot hold both the query and the games");
    check_error("- -guipgnstdin", "cannot hold both");
    check_error("-i", "-i needs a file of games");
    check_error("-o g.Pgn q", "ends in .pgn");
    check_error("-o a.pgn -o b.pgn q", "more than one output");
    check_error("-g q", "at least 1");
    check_error("-g 0 q", "at least 1");
    check_error("-g -3 q", "at least 1");
    check_error("-g 5 2 q", "5 is greater than 2");
    check_error("-matchcount -1 q", "at least 0");
    check_error("-matchcount 2 1 q", "2 is greater than 1");
    check_error("-year x q", "at least 1");
    check_error("-year 1999-1990 q", "-year: 1999 is greater than 1990");
    check_error("-elo 0-2700 q", "at least 1, not '0-2700'");
    for date in ["2020-06", "2020.06", "2020/06"] {
        check_error(&format!("-year {date} q"), "write -cql 'date \"2020.06\"'");
    }
    check_error("q --year=2020-06-01", "write -cql 'date \"2020.06.01\"'");
    for line in ["q -player A -white", "-player A -white -cql mate", "-player -black A"] {
        check_error(line, " needs the name of a player: -player NAME with either color");
    }
    check_error("q -player A -player B", "write -white A -black B, or -cql 'player");
    check_error("-quiet -silent q", "only one of");
    check_error("-quiet -quiet q", "only one of");
    check_error("-player a -player b q", "only once");
    check_error("-result 1-1 q", "-result needs");
    check_error("-assign a-b 3 q", "name of a variable");
    check_error("-assign @ 3 q", "name of a variable");
    check_error("-assign x", "value of a variable");
    check_error("-white a\"b q", "double quote");
    check_error("-hhdb q", "does not know the keyword 'q'");
    check_error("-hhdb", "needs a keyword");
    check_error("-hhdb composer", "a string after composer");
    check_error("-similarposition x q", "ends in .pgn");
    check_error("-lineincrement 0 q", "at least 1");
    check_error("-threads 0 q", "from 1");
    check_error("-steps 0 q", "from 1 to 18446744073709551615");
    check_error("-steps x q", "from 1 to 18446744073709551615");
    check_error("-outputbuffer 100000 q", "from 100001");
    check_error("-outputbuffer 100000001 q", "from 100001");
    check_error("-silent -a q", "must be the first");
    check_error("-silent -utf8 q", "must be the first");
    check_error("-utf8 q -silent", "followed only by -o");
    check_error("-utf8 q r", "only by -o: found");
    check_error("-utf8 q --force", "followed only by -o");
    check_error("-guipgnstdin -i g.pgn q", "no other games can be given");
    check_error("-guipgnstdin q g.pgn", "no other games can be given");
    check_error("-guipgnstdout -o g.pgn q", "-o cannot be given");
    check_error("-dialect basic q", "-dialect needs");
    check_error("--json q", "--json is only for --count");
    check_error("--json --count --format csv q", "exclude each other");
}

#[test]
fn options_have_one_row_with_a_description() {
    let mut names = HashSet::new();
    for row in rows() {
        for name in row.bare_names() {
            assert!(names.insert(name), "{name}");
            assert_eq!(name, name.to_ascii_lowercase());
        }
    }
    for group in GROUPS {
        let last = group.entries().last();
        assert!(last.is_some_and(|entry| !entry.1.is_empty()), "{}", group.title);
    }
    for name in ["noheaders", "messageformat"] {
        assert!(options::named(name).is_some() && !names.contains(name), "{name}");
    }
}

/// An option is listed by its first spelling.
#[test]
fn options_that_may_have_no_effect_exist() {
    for listed in super::remarks::listed() {
        let is_it = |row: &OptionRow| row.bare_names().next() == Some(listed);
        assert!(rows().any(is_it), "{listed}");
    }
}

#[test]
fn options_about_outputs_and_programs_are_those_of_subcommands() {
    let check = |command: clap::Command, is_here: fn(&Effect) -> bool| {
        // `-o` is read here, since it has other rules.
        let arguments = command.get_arguments().filter(|argument| argument.get_id() != "output");
        let mut expected: Vec<(&str, bool)> = arguments
            .map(|argument| {
                let takes_value = !matches!(argument.get_action(), ArgAction::SetTrue);
                (argument.get_long().unwrap_or_default(), takes_value)
            })
            .collect();
        let rows = rows().filter(|row| is_here(&row.effect));
        let mut found: Vec<(&str, bool)> = rows
            .flat_map(|row| row.bare_names().map(|name| (name, !row.value.is_empty())))
            .collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
    };
    let command = || clap::Command::new("cql");
    check(OutputArgs::augment_args(command()), |effect| matches!(effect, Effect::Output));
    check(ProgramArgs::augment_args(command()), |effect| {
        matches!(effect, Effect::Program(..) | Effect::AddProgram(..))
    });
}

#[test]
fn each_transform_has_an_option() {
    for family in TransformFamily::ALL {
        let row = options::named(family.word());
        let effect = row.map(|row| row.effect);
        let is_it = matches!(effect, Some(Effect::Transform(of)) if of == *family);
        assert!(is_it, "{}", family.word());
    }
}

#[test]
fn the_help_lists_all_values() {
    let check = |name: &str, expected: String| {
        assert_eq!(options::named(name).map(|row| row.value), Some(expected.as_str()), "{name}");
    };
    check("format", OutputFormat::ALL.iter().map(|f| f.name()).collect::<Vec<_>>().join("|"));
    check("input-format", format!("auto|{}", InputFormat::names("|")));
    let dialects = [Dialect::Cql6, Dialect::Cql5, Dialect::Classic];
    check("dialect", format!("auto|{}", dialects.map(Dialect::name).join("|")));
    check("progress", names_of::<crate::output::ProgressDisplay>());
    check("message-format", names_of::<crate::report::MessageFormat>());
    check("color", names_of::<crate::report::ColorChoice>());
    let text = help::entry("limits").expect("an option").replace("\n    ", " ");
    let list = text.split("1G: ").nth(1).and_then(|text| text.split(" (").next());
    let mut limits = Limits::default();
    let names = limits.each().into_iter().map(|limit| limit.0).chain(["unpacked"]);
    assert_eq!(list, Some(names.collect::<Vec<_>>().join(", ").as_str()));
}

/// Returns the names of the values, as the help shows them.
fn names_of<T: ValueEnum>() -> String {
    let values = T::value_variants().iter().filter_map(T::to_possible_value);
    values.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join("|")
}

#[test]
fn the_help_is_laid_out() {
    for (width, widest) in [(None, 98), (Some(200), 98), (Some(80), 80), (Some(20), 60)] {
        let text = help::text(SUBCOMMANDS, width);
        let is_wide = |line: &&str| line.chars().count() > widest;
        // Names that share a description, and their values, stand in one line.
        let is_whole = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
        assert_eq!(text.lines().find(|line| is_wide(line) && !is_whole(line)), None, "{text}");
    }
    let text = help::text(SUBCOMMANDS, None);
    assert!(text.lines().all(|line| line.chars().count() <= 98), "{text}");
    assert!(!text.contains('{') || text.matches('{').count() == 2, "{text}");
    for part in [
        "\n\nFiles\n  -i, -input FILE           search FILE, as if listed after the query: PGN, \
         JSON, EPD or puzzles\n                            of Lichess, ",
        "\n  -elidecomments, -elidenags, -elidevariations, -noelidecomments, -noelidenags,\n  \
         -noelidevariations        leave out the comments",
        "\n  -color auto|always|never  set when",
        "\n  -uniquecomments, -nouniquecomments\n                            write equal",
        "FILE-cql.html\n                            (-force after",
        "one)\n  check                     Check\n\nTo search with a query file named like a subcommand, write check.cql or \
         ./check.\n\nFiles\n",
        "any existing file)\n\nGeneral\n  -h                        print the most important options on one \
         screen\n  -help                     print this text\n",
        "print the version\n\nExit status",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn the_help_on_an_option_has_all_that_share_it() {
    let check = |name: &str, expected: &str| {
        assert_eq!(help::entry(name).as_deref(), Some(expected), "{name}");
    };
    check(
        "--OUTPUT",
        "-o, -output FILE\n    write to FILE (default: 'output' in the header, else \
         QUERY-out.pgn); tags in\n    the name ('by-{White}.pgn') make one file per value\n",
    );
    check(
        "shift",
        "-flip, -flipcolor, -flipvertical, -fliphorizontal, -shift, -shifthorizontal,\n  \
         -shiftvertical, -rotate90, -rotate45, -reversecolor\n    search all images of the whole \
         query; of several, the last is applied first\n",
    );
    check(
        "html",
        "-html FILE.cql\n    write the query as a web page, FILE-cql.html (-force after any of these:\n    \
         replace any existing file)\n",
    );
    assert_eq!(help::entry("nosuch"), None);
}
