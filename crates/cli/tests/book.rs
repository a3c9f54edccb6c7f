//! The book is true: its queries compile and find what they promise, its commands print the output
//! shown, its links have targets, and the reference explains every word of the language.
//!
//! A query is a block ```` ```cql ````, with promises after the word: `games=3,7` (these games
//! match, and no others), `matches=12` (the number of matches), `error=E0203` or `error` (it is
//! refused). `file=NAME` searches another file of `examples`, `name=FILE` keeps the query for the
//! commands of the same page. A block without a header is the body of a query; in the tour there is
//! none, so that readers can save and run each as shown. A block ```` ```pgn ```` after a query is
//! part of its output. `board=NAME` promises that the image `images/boards/NAME.svg` on the same
//! page shows the first matching position; with `UPDATE_BOARDS` set, the image is drawn. In a block
//! ```` ```console ````, lines with `$ ` are run, and the lines after each are its output.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{cql, root, text, workplace};
use syntax::builtin::Keyword;
use syntax::diagnostic::table;
use syntax::spelling::SPELLINGS;

/// Parts of the book where every query must have a promise.
const PROMISING: [&str; 6] =
    ["tour/", "cookbook/", "reference/", "inputs.md", "from-notation.md", "from-search-masks.md"];

/// A page of the book: its path in `docs/src`, and its text.
struct Page {
    name: String,
    text: String,
}

fn pages() -> Vec<Page> {
    fn collect(dir: &Path, base: &Path, pages: &mut Vec<Page>) {
        for entry in fs::read_dir(dir).expect("the book") {
            let path = entry.expect("a page").path();
            if path.is_dir() {
                collect(&path, base, pages);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.strip_prefix(base).expect("a page of the book");
                pages.push(Page {
                    name: name.to_string_lossy().replace('\\', "/"),
                    text: fs::read_to_string(&path).expect("a page"),
                });
            }
        }
    }
    let base = root().join("docs/src");
    let mut pages = Vec::new();
    collect(&base, &base, &mut pages);
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// A fenced block: its line, the text after the fence, and its content.
struct Block<'a> {
    line: usize,
    info: &'a str,
    text: String,
}

fn blocks(page: &Page) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = None;
    for (index, line) in page.text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                open = Some(Block { line: index + 1, info: info.trim(), text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{}: a block is not closed", page.name);
    blocks
}

impl Block<'_> {
    fn language(&self) -> &str {
        self.info.split([' ', ',']).next().unwrap_or_default()
    }

    /// Returns the value of a promise, after `name=`; empty for a bare `name`.
    fn promise(&self, name: &str) -> Option<&str> {
        self.info.split(' ').skip(1).find_map(|word| {
            let rest = word.strip_prefix(name)?;
            if rest.is_empty() { Some("") } else { rest.strip_prefix('=') }
        })
    }
}

/// Parses the numbers of games in the output of `-showmatches`.
fn games(shown: &str) -> Vec<u32> {
    let mut games: Vec<u32> =
        shown.split('<').skip(1).filter_map(|rest| rest.split_once('>')?.0.parse().ok()).collect();
    games.sort_unstable();
    games
}

/// Runs a query and checks its promises. Returns the broken ones; `written` becomes the output of
/// the query.
fn run_query(dir: &Path, block: &Block<'_>, written: &mut String) -> Result<(), String> {
    let body_only = !block.text.contains("cql(") && !block.text.contains("(match");
    let query = if body_only { format!("cql()\n{}", block.text) } else { block.text.clone() };
    let name = block.promise("name").unwrap_or("query.cql");
    fs::write(dir.join(name), &query).expect("written");
    let file = format!("examples/{}", block.promise("file").unwrap_or("historic.pgn"));
    written.clear();
    let arguments = ["-i", &file, "-o", "written.pgn", "-showmatches", "-nooutputstatus", name];
    let output = cql(dir, &arguments);
    let shown = text(&output.stdout) + &text(&output.stderr);
    if let Some(code) = block.promise("error") {
        return if output.status.success() {
            Err("is accepted".to_owned())
        } else if shown.contains(&format!("error[{code}")) {
            Ok(())
        } else {
            Err(format!("another error than {code}: {shown}"))
        };
    }
    if !output.status.success() {
        return Err(shown);
    }
    *written = text(&fs::read(dir.join("written.pgn")).expect("the result"));
    let games = games(&shown);
    if let Some(promise) = block.promise("matches") {
        if promise.parse() != Ok(games.len()) {
            return Err(format!("{promise} games are promised, {} match", games.len()));
        }
    } else if let Some(promise) = block.promise("games") {
        let promised: Vec<u32> = promise.split(',').flat_map(str::parse).collect();
        if promised != games {
            return Err(format!("games {promise} are promised, {games:?} match"));
        }
    }
    Ok(())
}

/// Compares the picture next to a query with the first position that the query finds.
fn check_board(dir: &Path, block: &Block<'_>, page: &Page) -> Result<(), String> {
    let Some(name) = block.promise("board") else {
        return Ok(());
    };
    let image = format!("images/boards/{name}.svg");
    if !page.text.contains(&format!("/{image})")) {
        return Err(format!("the page does not show {image}"));
    }
    let file = block.promise("file").unwrap_or("historic.pgn");
    let file = format!("examples/{file}");
    let query = block.promise("name").unwrap_or("query.cql");
    let format = ["--stdout", "--format", "fen", "--limit", "1"];
    let found = cql(dir, &[&format[..], &["-i", &file, query]].concat());
    let fens = text(&found.stdout);
    let fen = fens.lines().next().ok_or("finds no position")?;
    let drawn = cql(dir, &["diagram", fen]).stdout;
    let path = root().join("docs/src").join(&image);
    if std::env::var_os("UPDATE_BOARDS").is_some() {
        fs::write(&path, &drawn).expect("written");
    }
    match fs::read(&path) {
        Ok(shown) if shown == drawn => Ok(()),
        _ => Err(format!("{image} is not the board of {fen}: draw it with UPDATE_BOARDS=1")),
    }
}

/// Returns the words of a line without times and threads, which change from run to run.
fn lasting(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let kept = |index: usize| {
        let next = words.get(index + 1).unwrap_or(&"");
        !words[index].starts_with("thread")
            && !next.starts_with("thread")
            && !next.starts_with("second")
    };
    (0..words.len()).filter(|&index| kept(index)).map(|index| words[index]).collect()
}

/// Runs the commands of a block, and checks that each prints the lines after it.
#[cfg(unix)]
fn run_commands(dir: &Path, block: &Block<'_>) -> Result<(), String> {
    let program = Path::new(env!("CARGO_BIN_EXE_cql"));
    let program_dir = program.parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shown = String::new();
    let mut n_commands = 0;
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let output = Command::new("sh")
                .args(["-c", command])
                .current_dir(dir)
                .env("PATH", format!("{}:{path}", program_dir.display()))
                .output()
                .expect("a shell");
            shown = text(&output.stdout) + &text(&output.stderr);
            n_commands += 1;
        } else if line != "…" && !shown.lines().any(|l| lasting(l) == lasting(line)) {
            return Err(format!("does not print `{line}`, but\n{shown}"));
        }
    }
    if n_commands == 0 {
        return Err("has no command".to_owned());
    }
    Ok(())
}

#[cfg(not(unix))]
fn run_commands(_: &Path, _: &Block<'_>) -> Result<(), String> {
    Ok(())
}

/// Returns the errors of a page and the number of its queries.
fn check_page(page: &Page) -> (Vec<String>, usize) {
    let dir = workplace();
    let promising = PROMISING.iter().any(|part| page.name.starts_with(part));
    let (mut faults, mut n_queries) = (Vec::new(), 0);
    let mut written = String::new();
    for block in blocks(page) {
        let result = match block.language() {
            // The page is generated from the table of diagnostics, whose own tests check its
            // examples.
            "cql" if page.name == "diagnostics.md" => Ok(()),
            "cql" => {
                n_queries += 1;
                let promises = ["games", "matches", "error"];
                if promising && !promises.iter().any(|name| block.promise(name).is_some()) {
                    Err("promises nothing".to_owned())
                } else {
                    run_query(dir.path(), &block, &mut written)
                        .and_then(|()| check_board(dir.path(), &block, page))
                }
            }
            "pgn" if promising && !written.contains(block.text.trim_end()) => {
                Err(format!("is not in what was written:\n{written}"))
            }
            "console" => run_commands(dir.path(), &block),
            _ => Ok(()),
        };
        if let Err(fault) = result {
            faults.push(format!("docs/src/{}:{}: {fault}\n{}", page.name, block.line, block.text));
        }
    }
    (faults, n_queries)
}

#[test]
fn queries_and_commands_do_what_the_book_says() {
    let pages = pages();
    let n_threads = std::thread::available_parallelism().map_or(2, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<(Vec<String>, usize)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut results = Vec::new();
                    while let Some(page) =
                        pages.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                    {
                        results.push(check_page(page));
                    }
                    results
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the pages")).collect()
    });
    let faults: Vec<String> = results.iter().flat_map(|(faults, _)| faults.clone()).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    let n_queries: usize = results.iter().map(|(_, n)| n).sum();
    assert!(n_queries > MIN_QUERIES, "only {n_queries} queries found");
}

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    let readme = Page {
        name: "README.md".to_owned(),
        text: fs::read_to_string(root().join("README.md")).expect("the README"),
    };
    let dir = workplace();
    let blocks = blocks(&readme);
    let commands: Vec<_> = blocks.iter().filter(|b| b.language() == "console").collect();
    assert!(commands.len() >= 3);
    assert!(readme.text.lines().count() <= 120, "the README is longer than its readers need");
    for block in commands {
        run_commands(dir.path(), block).expect("a command of the README");
    }
}

/// Number of queries that are found at least, so that a change of the format of blocks does not
/// disable the test.
const MIN_QUERIES: usize = 250;

#[test]
fn the_cookbook_explains_as_many_queries_as_the_readme_says() {
    let n_queries: usize = pages()
        .iter()
        .filter(|page| page.name.starts_with("cookbook/"))
        .map(|page| {
            let blocks = blocks(page);
            blocks.iter().filter(|b| b.language() == "cql").count()
        })
        .sum();
    for page in pages().iter().filter(|page| page.name.starts_with("cookbook/")) {
        for section in page.text.split("\n## ").skip(1) {
            let (title, rest) = section.split_once('\n').expect("a title");
            assert!(
                !rest.trim_start().starts_with("```"),
                "{}: {title} is not explained",
                page.name
            );
        }
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(readme.contains(&format!("has {n_queries} queries by theme")), "{n_queries} queries");
}

#[test]
fn example_games_are_legal_to_the_end() {
    let dir = workplace();
    let mut n_files = 0;
    for entry in fs::read_dir(root().join("examples")).expect("the examples") {
        let name = entry.expect("an example").file_name();
        let name = name.to_string_lossy();
        if !name.ends_with(".pgn") {
            continue;
        }
        n_files += 1;
        let output = cql(
            dir.path(),
            &[
                "-i",
                &format!("examples/{name}"),
                "-strict",
                "-variations",
                "-cql",
                "originalcomment \"Error reading move\"",
            ],
        );
        let shown = text(&output.stdout);
        assert!(shown.contains("\n0 matches of "), "{name}: {shown}");
    }
    assert_eq!(n_files, 5);
}

/// Words that CQLi has and CQL 6.2 does not.
const OF_CQLI: &[&str] = &[
    "move",
    "all",
    "count",
    "reverse",
    "drop",
    "imagine",
    "saveposition",
    "currentmutation",
    "legalposition",
    "reachableposition",
    "currentfen",
    "standardfen",
    "halfmoveclock",
    "zobristkey",
    "promotedpieces",
    "pieceid",
    "removetag",
    "replace",
    "commandpipe",
    "variant",
    "variantend",
    "variantwin",
    "variantloss",
    "variantdraw",
    "tourney_edition",
    "tourney_name",
    "tourney_year",
    "tourney_year_end",
    "tourney_year_part",
    "distinction",
    "\\{name}",
    "\\-{name}",
    "result *",
    "--pipetimeout",
    "--variantalias",
    "--skipunknownvariants",
    "--keepallbest",
    "--noasyncmessages",
    "--nocommitlog",
    "--secure",
    "--showdictionaries",
    "--assign",
    "--includetagpattern",
    "--excludetagpattern",
    "--coalescecomments",
    "--compactmoves",
    "--elidecomments",
    "--elidenags",
    "--elidevariations",
    "--movenumbers",
    "--uniquecomments",
    "--pgnlinewidth",
    "--virtualmainline",
    "--limit",
    "--threads",
    "--append",
    "--gamenumber",
    "--mainline",
    "--variations",
    "--lineincrement",
    "--matchcount",
    "--showmatches",
    "--nosort",
    "--sortmatchcount",
    "--binaryoutput",
    "--createdirectories",
    "--dryrun",
    "--maxopenoutputfiles",
    "--noclobber",
    "--nestedcomments",
    "--warnlevel",
    "--license",
    "--noremovecomment",
    "--ansicolors",
    "--consoleunicode",
];

#[test]
fn the_page_for_users_of_cqli_has_every_name() {
    let page = fs::read_to_string(root().join("docs/src/from-cqli.md")).expect("the page");
    let code: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let has = |name: &str| {
        code.iter().any(|code| {
            code.match_indices(name).any(|(at, _)| {
                let before = at.checked_sub(1).map(|at| code.as_bytes()[at]);
                let behind = code.as_bytes().get(at + name.len()).copied();
                !before.is_some_and(is_name) && !behind.is_some_and(is_name)
            })
        })
    };
    for name in OF_CQLI {
        assert!(has(name), "{name} is missing");
    }
    // Our own keywords that CQL 6.2 does not have, too.
    for keyword in Keyword::ALL.iter().filter(|keyword| !keyword.is_reserved()) {
        assert!(has(keyword.text()), "{} is missing", keyword.text());
    }
}

#[test]
fn the_reference_has_every_word_of_the_language() {
    let pages = pages();
    let (index, explained): (Vec<&Page>, Vec<&Page>) = pages
        .iter()
        .filter(|page| page.name.starts_with("reference/"))
        .partition(|page| page.name == "reference/words.md");
    assert_eq!(index.len(), 1);
    let in_code = |pages: &[&Page]| -> String {
        // Inside backticks, or in a block.
        let code = pages.iter().flat_map(|page| page.text.split('`').skip(1).step_by(2));
        code.collect::<Vec<_>>().join("\n")
    };
    let in_queries = |pages: &[&Page]| -> String {
        let blocks = pages.iter().flat_map(|page| blocks(page));
        let queries = blocks.filter(|block| block.language() == "cql");
        queries.map(|block| block.text).collect()
    };
    let words: Vec<&str> = Keyword::ALL.iter().map(|keyword| keyword.text()).collect();
    let signs: Vec<&str> = SPELLINGS.iter().map(|spelling| spelling.unicode).collect();
    for part in [in_code(&index), in_code(&explained)] {
        assert_eq!(missing(&part, &words), NONE);
        assert_eq!(missing(&part, &signs), NONE);
    }
    assert_eq!(missing(&in_queries(&explained), &words), WITHOUT_FILTER);
}

const NONE: [&str; 0] = [];

/// Reserved words that no query can use.
const WITHOUT_FILTER: [&str; 6] =
    ["arrow", "cql_abort", "cql_assertvariations", "cql_hhdbhascook", "substring", "transform"];

/// Returns the words and signs that do not occur in a text. Words must occur as whole words.
fn missing<'a>(text: &str, words: &[&'a str]) -> Vec<&'a str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let occurs = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            !word.is_ascii()
                || !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
        })
    };
    let words = words.iter().copied();
    words.filter(|word| !occurs(word)).collect()
}

/// Returns what the prose must name for a reader who saves and runs the blocks of the tour: the
/// promises after a fence are invisible on the page.
fn not_told(page: &Page) -> Vec<String> {
    let mut missing = Vec::new();
    for block in blocks(page) {
        let mut miss = |what: String| missing.push(format!("{}:{}: {what}", page.name, block.line));
        let is_told = |name: &str| {
            let name = format!("`{name}`");
            prose(&page.text)
                .take_while(|(line, _)| *line < block.line)
                .any(|(_, text)| text.contains(&name))
        };
        match block.language() {
            "cql" => {
                if !block.text.starts_with("cql(") {
                    miss("no header".to_owned());
                }
                let promised = ["name", "file"].map(|name| block.promise(name));
                for name in promised.into_iter().flatten() {
                    if !is_told(name) {
                        miss(format!("`{name}` is not named"));
                    }
                }
            }
            "console" => {
                let commands = block.text.lines().filter(|line| line.starts_with("$ "));
                for word in commands.flat_map(str::split_whitespace) {
                    if word.ends_with(".cql") && !root().join(word).exists() && !is_told(word) {
                        miss(format!("`{word}` is not named"));
                    }
                }
            }
            _ => {}
        }
    }
    missing
}

#[test]
fn the_tour_can_be_followed_from_the_page_alone() {
    let pages = pages();
    let tour = pages.iter().filter(|page| page.name.starts_with("tour/"));
    let missing: Vec<String> = tour.flat_map(not_told).collect();
    assert_eq!(missing, NONE);
    let page = Page {
        name: "page".to_owned(),
        text:
            "In `b.pgn`:\n```cql name=a.cql file=b.pgn\nmate\n```\n```console\n$ cql a.cql\n```\n"
                .to_owned(),
    };
    let expected =
        ["page:2: no header", "page:2: `a.cql` is not named", "page:5: `a.cql` is not named"];
    assert_eq!(not_told(&page), expected);
}

/// Returns the lines of a Markdown text outside of its blocks, with their numbers.
fn prose(markdown: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_block = false;
    let lines = markdown.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.starts_with("```");
        in_block ^= is_fence;
        !in_block && !is_fence
    });
    lines.map(|(index, line)| (index + 1, line))
}

/// Returns the links of a Markdown text to files or to anchors on the same page.
fn links(markdown: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (_, line) in prose(markdown) {
        for rest in line.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                let (file, anchor) = match target.split_once('#') {
                    Some((file, anchor)) => (file, Some(anchor)),
                    None => (target, None),
                };
                links.push(Link { file, anchor });
            }
        }
    }
    links
}

/// Target of a link; the file is empty for the page itself.
struct Link<'a> {
    file: &'a str,
    anchor: Option<&'a str>,
}

/// Returns the anchors of a page, each with the text up to the next one. mdBook and GitHub derive
/// them from the headings: lower case, hyphens for blanks, no other signs, and a number after a
/// repeated name.
fn anchors(markdown: &str) -> Vec<(String, String)> {
    let headings: Vec<usize> = prose(markdown)
        .filter(|(_, line)| line.starts_with('#'))
        .map(|(line, _)| line - 1)
        .collect();
    let lines: Vec<&str> = markdown.lines().collect();
    let mut anchors: Vec<(String, String)> = Vec::new();
    for (index, &start) in headings.iter().enumerate() {
        let end = headings.get(index + 1).copied().unwrap_or(lines.len());
        let title = lines[start].trim_start_matches('#').trim().to_lowercase();
        let name: String = title
            .chars()
            .map(|c| if c == ' ' { '-' } else { c })
            .filter(|c| c.is_alphanumeric() || "-_".contains(*c))
            .collect();
        let numbered = (1..).map(|n| format!("{name}-{n}"));
        let name = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| anchors.iter().all(|(other, _)| other != name))
            .expect("a name");
        anchors.push((name, lines[start..end].join("\n")));
    }
    anchors
}

/// The list of all words is generated from the table of words; with `UPDATE_WORDS` set, it is
/// written.
#[test]
fn every_word_has_a_link_to_what_explains_it() {
    let pages = pages();
    let text_of = |name: &str| {
        let page = pages.iter().find(|page| page.name == name);
        &page.unwrap_or_else(|| panic!("no {name}")).text
    };
    let mut rows = String::new();
    for keyword in Keyword::ALL {
        let (word, link) = (keyword.text(), keyword.manual());
        let (file, anchor) = link.split_once('#').expect("a section");
        let page = text_of(&format!("reference/{file}"));
        let sections = anchors(page);
        let section = sections.iter().find(|(name, _)| name == anchor);
        let (_, section) = section.unwrap_or_else(|| panic!("{word}: no {link}"));
        assert_eq!(missing(section, &[word]), NONE, "not in {link}");
        let title = page.lines().next().expect("a title");
        let title = title.trim_start_matches(['#', ' ']);
        rows += &format!("| `{word}` | [{title}]({link}) |\n");
    }
    let list = text_of("reference/words.md");
    let (head, rest) = list.split_once("|---|---|\n").expect("a table");
    let (_, tail) = rest.split_once("\n\n").expect("more behind it");
    let wanted = format!("{head}|---|---|\n{rows}\n{tail}");
    if std::env::var_os("UPDATE_WORDS").is_some() {
        fs::write(root().join("docs/src/reference/words.md"), &wanted).expect("written");
    } else {
        let advice = "write the list of words with UPDATE_WORDS=1";
        assert!(*list == wanted, "{advice}");
    }
}

#[test]
fn anchors_are_those_of_the_headings() {
    let page = "# A `b`, (c)\n```cql\n# no\n```\n## Two\n## Two\n## a-b_c: d & e\n";
    let names: Vec<String> = anchors(page).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a-b-c", "two", "two-1", "a-b_c-d--e"]);
}

#[test]
fn links_lead_somewhere() {
    let mut texts: Vec<(PathBuf, String)> = pages()
        .into_iter()
        .map(|page| (root().join("docs/src").join(page.name), page.text))
        .collect();
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md"] {
        let path = root().join(name);
        let text = fs::read_to_string(&path).expect("a document");
        texts.push((path, text));
    }
    let (mut n_links, mut n_anchors) = (0, 0);
    let mut faults = Vec::new();
    for (path, text) in &texts {
        for link in links(text) {
            n_links += 1;
            let target = match link.file {
                "" => path.clone(),
                file => path.parent().expect("a directory").join(file),
            };
            if !target.exists() {
                faults.push(format!("{}: no {}", path.display(), link.file));
            } else if let Some(anchor) = link.anchor {
                n_anchors += 1;
                let text = fs::read_to_string(&target).expect("a page");
                if !anchors(&text).iter().any(|(name, _)| name == anchor) {
                    faults.push(format!("{}: no {}#{anchor}", path.display(), link.file));
                }
            }
        }
    }
    assert_eq!(faults, NONE);
    assert!(n_links > 100 && n_anchors > 3, "{n_links}, {n_anchors}");
}

#[test]
fn every_page_is_in_the_summary() {
    let pages = pages();
    let summary = pages.iter().find(|page| page.name == "SUMMARY.md").expect("the summary");
    let listed: Vec<&str> = links(&summary.text).iter().map(|link| link.file).collect();
    for page in &pages {
        assert!(
            page.name == "SUMMARY.md" || listed.contains(&page.name.as_str()),
            "{} is not in SUMMARY.md",
            page.name
        );
    }
    for link in listed {
        assert!(pages.iter().any(|page| page.name == link), "no {link}");
    }
}

/// Returns the page of the book that explains all codes.
fn page() -> String {
    let mut page = "\
# Diagnostics

Each error or warning about a query is reported with a code, its place and, if one is known, a \
fix. On a terminal, a longer line of the query is cut with `…` around that place. `cql check QUERY` finds them without running the query, `cql explain CODE` prints the text of \
this page, and `--message-format json` writes each as an object on a line of its own, for editors \
and scripts. A query with errors is not run; one with warnings is.

<!-- Generated from the table of codes: `UPDATE_CODES=1 cargo test -p babson-cli --test book`. -->
"
    .to_owned();
    for group in table::GROUPS {
        page += &format!("\n## {}\n", group.title);
        for entry in group.entries {
            page += &format!("\n### {}: {}\n\n{}\n", entry.code, entry.title, entry.explanation);
            if let Some(example) = entry.example {
                // The tests of the book check the examples that are whole queries of CQL 6.
                let kind = |query: &str, promise: String| {
                    if query.starts_with("cql(") {
                        format!("cql{promise}")
                    } else {
                        "text".to_owned()
                    }
                };
                let promise = if entry.code.starts_with('E') {
                    format!(" error={}", entry.code)
                } else {
                    String::new()
                };
                page += &format!(
                    "\n```{}\n{}\n```\n\nRight:\n\n```{}\n{}\n```\n",
                    kind(example.wrong, promise),
                    example.wrong.trim_matches('\n'),
                    kind(example.mended, String::new()),
                    example.mended.trim_matches('\n')
                );
            }
        }
    }
    page
}

#[test]
fn the_page_of_codes_is_that_of_the_table() {
    let file = root().join("docs/src/diagnostics.md");
    if std::env::var_os("UPDATE_CODES").is_some() {
        fs::write(&file, page()).expect("written");
    }
    let found = fs::read_to_string(&file).expect("the page");
    assert!(
        found == page(),
        "docs/src/diagnostics.md is not what the table says: run this test with UPDATE_CODES=1"
    );
}

/// SECURITY.md names tests for its promises, and they exist.
#[test]
fn tests_that_promises_name_are_there() {
    let page = fs::read_to_string(root().join("SECURITY.md")).expect("a page");
    let mut n_tests = 0;
    for line in page.lines() {
        let mut source = String::new();
        for code in line.split('`').skip(1).step_by(2) {
            let is_name =
                code.contains('_') && code.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric());
            if code.ends_with(".rs") || code.ends_with(".py") {
                source = fs::read_to_string(root().join(code)).expect(code);
            } else if is_name && !source.is_empty() {
                let is_there = [format!("fn {code}("), format!("def {code}(")];
                assert!(is_there.iter().any(|text| source.contains(text)), "{code}");
                n_tests += 1;
            }
        }
    }
    assert!(n_tests > 30);
}
