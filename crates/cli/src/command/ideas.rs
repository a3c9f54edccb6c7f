//! The index of everything that `cql help WORDS` finds, and the pages of the book for users of the
//! program.

use engine::Openings;
use ide::ideas::{Idea, Index, Kind};
use ide::{in_words, manual};
use syntax::Dialect;
use syntax::parse::plain_title;

use super::words;
use crate::args::help as options;
use crate::subcommands::Subcommands;
use ide::wrap;

macro_rules! pages {
    ($($name:literal,)*) => {
        /// Pages about the program, by their names.
        const PAGES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../../docs/src/", $name, ".md"))),)*
        ];
    };
}

pages! {
    "searches",
    "inputs",
    "outputs",
    "archives",
    "shards",
    "object-storage",
    "trees",
    "watch",
    "prepare",
    "studies",
    "likeness",
    "example",
    "duplicates",
    "damaged-games",
    "annotate",
    "exercises",
    "limits",
    "tools",
    "editors",
    "studio",
    "mcp",
    "faq",
    "troubleshooting",
    "sql",
    "python",
    "cookbook/themes",
    "older-words",
}

/// Other words for what the program can do: the topics of `cql help` that show it, and phrases
/// separated by commas.
const ALSO: &[(&[&str], &str)] = &[
    (&["questions in sql"], "sql, duckdb, polars, parquet, database"),
    (&["python"], "python, pandas, polars, jupyter, notebook, dataframe"),
    (&["a library of themes"], "theme, themes, motif, motifs"),
    (&["check"], "lint, linter, github actions"),
    (&["check", "-exit-status"], "ci, continuous integration"),
    (&["doctor", "damaged games"], "fix pgn, broken pgn, repair pgn, damaged pgn, corrupt pgn"),
    (&["annotate"], "analyze games, analyse games, computer analysis, engine analysis"),
    (
        &["puzzles"],
        "exercise, exercises, training, lesson, tactics trainer, puzzles, mate in two, mate in three, \
         mate in 2, mate in 3, anki, flashcards, find mates, blunders, mistakes",
    ),
    (
        &["sheet"],
        "exercises, lesson, handout, worksheet, work sheet, print, print diagrams, printed \
         diagrams, typst, latex, paper",
    ),
    (&["dedup"], "deduplicate, deduplication, remove duplicates, double games"),
    (&["many machines"], "two machines, several machines, cluster, distributed"),
    (&["what a search writes", "-format"], "json lines, ndjson, jq, excel, spreadsheet"),
    (&["like"], "predecessor, predecessors, anticipation, anticipations"),
    (&["run"], "multiple queries, several queries, many queries"),
    (&["index"], "faster, speed, slow"),
    (&["-player"], "name of a player, games of a player"),
    (&["-white"], "player as white, white player"),
    (&["opening", "tree"], "opening name"),
    (&["opening"], "opening by name, games of an opening, names of openings"),
    (&["watch", "pipes"], "live, broadcast, live broadcast, watch a broadcast, stream, tail, feed"),
    (
        &["prepare", "tree"],
        "repertoire, prepare, preparation, prepare against an opponent, opponent, opening report",
    ),
    (
        &["prepare"],
        "time trouble, mistakes by phase, model games, scout, scouting, weaknesses of a player",
    ),
    (&["book"], "markdown, typst, article, study that recomputes, reproducible"),
    (
        &["tree"],
        "transposition, continuations, longest common continuations, tree of strong players",
    ),
    (&["-per"], "first match, only the first match, earliest position, first position of a game"),
    (&["engine"], "stockfish, uci, lc0, computer"),
    (&["counts"], "most frequent, most common positions, frequent positions, share of, group by"),
];

/// Counts by a value: the query, the value, their purpose, and the words that ask for them:
/// phrases separated by commas.
const COUNTS: &[(&str, &str, &str, &str)] = &[
    (
        "currentmove --=.",
        "to",
        "how often pawns promote on each square",
        "promotion square, promotion squares, which squares pawns promote on, count promotions",
    ),
    (
        "btm mate",
        "k",
        "how often the black king is mated on each square",
        "mating square, where is the king mated, count mates by square, squares of mated kings",
    ),
    (
        "terminal",
        "opening",
        "the number of games of each opening; another --count-by result splits them by result",
        "games in each opening, how do games end in each opening, results by opening",
    ),
    (
        "true",
        "fen",
        "how often each position occurs",
        "commonest positions, most common position, most frequent positions, count positions",
    ),
];

/// Maximum number of ideas that are shown.
const MOST: usize = 8;

/// Maximum width of a line.
pub(super) const WIDTH: usize = 80;

/// Returns the index of the language, the book, the options and the subcommands.
pub(super) fn index(subcommands: Subcommands) -> Index {
    let mut index = Index::new(PAGES);
    for (title, name, description) in options::all() {
        let command = format!("cql help -{name}");
        index.add([Idea::new(Kind::Option, &title, &description, "", command)]);
    }
    index.add(subcommands.all().into_iter().map(|(name, about)| {
        let title = format!("cql {name}");
        Idea::new(Kind::Subcommand, &title, &about, "", format!("cql help {name}"))
    }));
    for (query, value, line, phrases) in COUNTS {
        let command = format!("cql games.pgn -cql '{query}' --count-by {value}");
        index.add([Idea::new(
            Kind::Option,
            &format!("--count-by {value}"),
            line,
            "",
            command.clone(),
        )]);
        index.also(&command, phrases);
    }
    for (topics, phrases) in ALSO {
        for topic in *topics {
            index.also(&format!("cql help {topic}"), phrases);
        }
    }
    index
}

/// Returns what to do with the openings whose name has these words: search their games, and count
/// their moves.
pub(super) fn openings(words: &str) -> Vec<Idea> {
    let openings = Openings::default();
    let called = openings.called(words);
    let wanted = words.to_lowercase();
    let spelled = called.iter().find_map(|opening| {
        let name = opening.name();
        let places = name.char_indices().map(|(at, _)| at);
        let mut starts = places.filter(|&at| at == 0 || name[..at].ends_with(' '));
        let start = starts.find(|&at| name[at..].to_lowercase().starts_with(&wanted))?;
        let spelled = name.get(start..start + words.len())?;
        let ends =
            !name[start + words.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '\'');
        ends.then(|| spelled.to_owned())
    });
    let Some(name) = spelled else {
        return Vec::new();
    };
    let title = format!("opening \"{name}\"");
    let quoted = |text: &str| {
        if text.contains('\'') {
            format!("\"{}\"", text.replace('"', "\\\""))
        } else {
            format!("'{text}'")
        }
    };
    let word =
        if name.contains(|c: char| !c.is_alphanumeric()) { quoted(&name) } else { name.clone() };
    let search = format!("cql games.pgn -cql {}", quoted(&title));
    let games = format!("the games whose opening is called {name}");
    let moves = format!("the moves that were played in the {name}, with their results");
    vec![
        Idea::new(Kind::Query, &title, &games, "", search),
        Idea::new(Kind::Subcommand, "cql tree", &moves, "", format!("cql tree games.pgn {word}")),
    ]
}

/// Returns the help on a text that is a query, or the pieces of a `material`: its meaning, and the
/// command that searches with it.
pub(super) fn query(text: &str) -> Option<String> {
    let men = format!("material \"{text}\"");
    // as in `krpkr` and `KRP vs KR`
    let sides = text.to_ascii_uppercase();
    let sides: Vec<&str> =
        sides.split([' ', 'V', 'S', '.']).filter(|men| !men.is_empty()).collect();
    let spelled = format!("material \"{}\"", sides.join("v"));
    let is_query = |query: &str| {
        Idea::new(Kind::Query, query, "", "", String::new()).query().is_some()
            && !query.contains('\'')
    };
    let query = [text, &men, &spelled].into_iter().find(|query| is_query(query))?;
    let meaning = in_words::meaning(query.as_bytes(), Dialect::Cql6);
    Some(format!("{meaning}    cql games.pgn -cql '{query}'\n"))
}

/// Returns the pages and sections of the manual with this title, without names of files that only
/// the sources have.
pub(super) fn section(words: &str) -> Option<String> {
    let wanted = plain_title(words);
    let is_wanted = |title: &str| plain_title(&manual::plain(title)) == wanted;
    let named = PAGES.iter().find(|page| page.0 == wanted);
    let named = named.and_then(|page| page.1.lines().next());
    let named = named.map(|line| line.trim_start_matches(['#', ' ']));
    let mut text = String::new();
    for (page, section) in manual::all_sections(PAGES) {
        let is_page = is_wanted(page) || named == Some(page);
        let title = section.title.filter(|title| is_page || is_wanted(title));
        if title.is_none() && !is_page || section.blocks.is_empty() {
            continue;
        }
        let title = title.map_or(String::new(), |title| format!(", {}", manual::plain(title)));
        let gap = if text.is_empty() { "" } else { "\n" };
        text += &format!("{gap}{page}{title}\n\n{}", words::blocks(&section.blocks));
    }
    Some(text).filter(|text| !text.is_empty())
}

/// Returns a list of ideas, each with the command that tries it.
pub(super) fn list<'i>(ideas: impl IntoIterator<Item = &'i Idea>, most: Option<usize>) -> String {
    let ideas: Vec<&Idea> = ideas.into_iter().collect();
    let n_shown = most.unwrap_or(MOST).min(ideas.len());
    let mut text = String::new();
    for idea in &ideas[..n_shown] {
        let head = format!("{} ({}): {}", idea.title, idea.kind.name(), idea.line);
        let head = head.trim_end_matches([':', ' ']);
        wrap::wrapped(&mut text, "", 4, WIDTH, head.split_whitespace());
        text += &format!("    {}\n", idea.command);
    }
    if n_shown < ideas.len() && most.is_none() {
        text += &format!("{} more; another word leaves fewer\n", ideas.len() - n_shown);
    }
    text
}

#[cfg(test)]
mod tests {
    use ide::cookbook::recipes;
    use syntax::builtin::Keyword;
    use syntax::diagnostic::table;

    use super::*;
    use crate::command::{SHORT_HELP, SUBCOMMANDS};
    use crate::report;

    /// Whether a text names a file that only the sources have.
    fn names_source(text: &str) -> bool {
        ["examples/", "docs/", "crates/"].iter().any(|part| text.contains(part))
    }

    #[test]
    fn nothing_that_is_shown_names_a_file_of_the_sources() {
        let mut texts = vec![options::text(SUBCOMMANDS), SHORT_HELP.to_owned()];
        texts.extend(manual::all_sections(PAGES).map(|(page, section)| {
            let title = manual::plain(section.title.unwrap_or(page));
            let text = super::section(&title);
            assert!(text.is_some() || section.blocks.is_empty(), "{title}");
            text.unwrap_or_default()
        }));
        let n_sections = texts.len();
        assert!(n_sections > 100, "{n_sections}");
        texts.extend(recipes().map(|recipe| manual::installed(recipe.query)));
        texts.extend(Keyword::ALL.iter().filter_map(|word| words::entry(word.text())));
        texts.extend(table::all().filter_map(|entry| report::explain(entry.code).ok()));
        for text in texts {
            let line = text.lines().find(|line| names_source(line));
            assert_eq!(line, None);
        }
        assert!(names_source("see docs/src/outputs.md"));
    }

    #[test]
    fn options_and_subcommands_are_found() {
        let index = index(SUBCOMMANDS);
        for (words, expected) in [
            ("first matching games", "--limit N"),
            ("duplicates", "cql dedup"),
            ("similar position", "cql like"),
            ("positions like this", "cql like"),
            ("lint", "cql check"),
            ("CI", "cql check"),
            ("deduplicate", "cql dedup"),
            ("computer analysis", "cql annotate"),
            ("exercises", "cql puzzles"),
            ("puzzles", "cql puzzles"),
            ("handout", "cql sheet"),
            ("print diagrams", "cql sheet"),
            ("fix pgn", "cql doctor"),
            ("broken pgn", "cql doctor"),
            ("json lines", "What a search writes"),
            ("duckdb", "Questions in SQL"),
            ("pandas", "Python"),
            ("themes", "A library of themes"),
            ("two machines", "Many machines"),
            ("predecessor", "cql like"),
            ("opening name", "opening"),
            ("opening name", "cql tree"),
            ("preparation", "cql prepare"),
            ("opponent", "cql prepare"),
            ("time trouble", "cql prepare"),
            ("markdown", "cql book"),
        ] {
            let found = index.find(words);
            let mut first = found.iter().take(3);
            assert!(first.any(|idea| idea.title == expected), "{words}: {found:?}");
        }
        for (topics, phrases) in ALSO {
            for (topic, phrase) in
                topics.iter().flat_map(|topic| phrases.split(',').map(move |p| (topic, p)))
            {
                let found = index.find(phrase);
                let command = format!("cql help {topic}");
                assert!(found.iter().any(|idea| idea.command == command), "{phrase}: {command}");
            }
        }
    }

    #[test]
    fn openings_are_found_by_their_names() {
        let check = |words: &str, expected: &[&str]| {
            let found = openings(words);
            let commands: Vec<&str> = found.iter().map(|idea| idea.command.as_str()).collect();
            assert_eq!(commands, expected, "{words}");
        };
        let najdorf = ["cql games.pgn -cql 'opening \"Najdorf\"'", "cql tree games.pgn Najdorf"];
        check("Najdorf", &najdorf);
        check("najdorf", &najdorf);
        check(
            "King's Indian",
            &[
                "cql games.pgn -cql \"opening \\\"King's Indian\\\"\"",
                "cql tree games.pgn \"King's Indian\"",
            ],
        );
        check("bisho", &[]);
        check("najdor", &[]);
        check("", &[]);
    }
}
