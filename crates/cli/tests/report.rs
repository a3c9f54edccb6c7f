//! The HTML report of the program as a process: its content, and that nothing else is in the page.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const GAMES: &[u8] = b"[Event \"Club\"]\n[Site \"?\"]\n[White \"Scholar\"]\n[Black \"M\xfcller\"]\n[Date \"1990.01.??\"]\n[WhiteElo \"2000\"]\n\n\
{opening} 1.e4 $1 e5 2.Bc4 (2.Qh5 Ke7 {why} 3.Qxe5#) 2...Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
[White \"Draw\"]\n\n1.e4 e5 1/2-1/2\n\n\
[White \"Fool\"]\n[Date \"1995.??.??\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n\
[White \"Endgame\"]\n[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 50\"]\n\n50.Qg7# 1-0\n\n";

/// Returns the report of a search in `games` and the output on standard output. In the command line
/// `line`, `_` represents a blank within an argument.
fn report(games: &[u8], line: &str) -> (String, String) {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("g.pgn"), games).expect("written");
    let result = run(place.path(), &format!("-o r.html -i g.pgn {line}"));
    let page = fs::read(place.path().join("r.html")).expect("a report");
    let page = String::from_utf8(page).expect("UTF-8");
    check_form(&page);
    (page, result)
}

fn run(place: &Path, line: &str) -> String {
    let arguments = line.split_whitespace().map(|word| word.replace('_', " "));
    let output = Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .current_dir(place)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Checks that elements are closed in reverse order, and that nothing is loaded from elsewhere.
fn check_form(page: &str) {
    let (before, rest) = page.split_once("<style>").expect("a style");
    let (_, rest) = rest.split_once("</style>").expect("its end");
    let (between, rest) = rest.rsplit_once("<script>").expect("a script");
    let (_, behind) = rest.split_once("</script>").expect("its end");
    let text = format!("{before}{between}{behind}");
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("the end of a tag");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty());
        let name = name.expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{part}");
        } else if !tag.ends_with('/') && !["!DOCTYPE", "meta", "input"].contains(&name) {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let linked = tag.split("href=\"").skip(1);
        assert!(linked.clone().all(|to| to.starts_with('#')), "{tag}");
        assert!(!tag.contains("src="), "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Returns the articles of a page.
fn articles(page: &str) -> Vec<&str> {
    page.split("<article").skip(1).collect()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// Returns the FENs of the matches in an article. Like the script of the page, it applies the
/// changes of each move; points represent empty squares.
fn matches(article: &str) -> Vec<String> {
    let (_, moves) = article.split_once("class=\"moves\"").expect("moves");
    let mut boards: Vec<[char; 64]> = Vec::new();
    let mut states: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for tag in moves.split('<').filter(|tag| tag.contains(" data-d=")) {
        let parent: Option<usize> = match attribute(tag, "data-p") {
            Some(number) => number.parse().ok(),
            None => boards.len().checked_sub(1),
        };
        let mut board = parent.map_or(['.'; 64], |parent| boards[parent]);
        let changed: Vec<char> = attribute(tag, "data-d").unwrap_or("").chars().collect();
        for change in changed.chunks(3) {
            let square =
                (change[1] as usize - '1' as usize) * 8 + change[0] as usize - 'a' as usize;
            board[square] = change[2];
        }
        boards.push(board);
        let state = match attribute(tag, "data-f") {
            Some(state) => state.to_owned(),
            None => expected_state(&states[parent.expect("the start has a state")]),
        };
        if tag.starts_with("mark") {
            let ranks = board.rchunks(8).map(String::from_iter);
            let placement = ranks.collect::<Vec<String>>().join("/");
            found.push(format!("{placement} {state}"));
        }
        states.push(state);
    }
    found
}

/// Returns the fields after the board in the FEN that follow from the previous FEN for most moves.
fn expected_state(before: &str) -> String {
    let fields: Vec<&str> = before.split(' ').collect();
    let number = |i: usize| fields[i].parse::<u32>().expect("a number");
    let (turn, full) = match fields[0] {
        "w" => ("b", number(4)),
        _ => ("w", number(4) + 1),
    };
    format!("{turn} {} - {} {full}", fields[1], number(3) + 1)
}

/// Returns a FEN with a point for each empty square.
fn unpack(fen: &str) -> String {
    let (placement, state) = fen.split_once(' ').expect("a board and more");
    let digits = |c: char| match c.to_digit(10) {
        Some(n) => ".".repeat(n as usize),
        None => c.to_string(),
    };
    let placement: String = placement.chars().map(digits).collect();
    format!("{placement} {state}")
}

#[test]
fn a_report_has_the_games_that_match() {
    let (page, said) = report(GAMES, "-variations -cql mate_comment(\"end_of_\"_ply)");
    assert!(said.contains("3 matches of 4 games"), "{said}");
    let articles = articles(&page);
    assert_eq!(articles.len(), 3);
    assert!(page.contains("3 games, 4 matching positions, 4 games searched"));
    assert!(page.contains("<pre>mate comment(&quot;end of &quot; ply)</pre>"));
    let first = articles[0];
    for part in [
        "<h2><bdi>Scholar</bdi> (2000) – <bdi>Müller</bdi> <span class=\"result\">1-0</span></h2>",
        "<p class=\"about\">Club · 1990.01 · <a href=\"#game-1\">game 1</a> of <bdi>g.pgn</bdi></p>",
        "<dt>matching positions</dt><dd>2</dd>",
        "<figcaption>after 4.Qxf7# (match)</figcaption>",
        ">Start</b> <span class=\"comment\">opening</span> \
         <b data-d=\"e2.e4P\" data-f=\"b KQkq e3 0 1\">1.e4!</b> ",
        "<b data-d=\"e5pe7.\" data-f=\"w KQkq e6 0 2\" data-m=\"1…e5\">e5</b> <b data-d=\"f1.c4B\">2.Bc4</b> \
         <span class=\"variation\">(<b data-d=\"d1.h5Q\" data-p=\"2\">2.Qh5</b> ",
        "<span class=\"comment\">why</span> <mark data-d=\"e5Qh5.\" data-f=\"b KQ - 0 3\">3.Qxe5#</mark> \
         <span class=\"note\">end of 5</span>)</span> <b data-d=\"c6nb8.\" data-p=\"3\">2…Nc6</b> ",
        "<mark data-d=\"h5.f7Q\" data-f=\"b KQkq - 0 4\">4.Qxf7#</mark> <span class=\"note\">end of 7</span> 1-0</p>",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert!(articles[2].contains("<mark data-d=\"f7.g7Q\">50.Qg7#</mark>"));
}

#[test]
fn a_report_holds_its_games_as_pgn() {
    let (page, _) = report(GAMES, "-variations -cql mate_comment(\"{end}_\"_ply)");
    let pgn: String = articles(&page)
        .into_iter()
        .map(|article| {
            let (_, text) = article.split_once("<pre>").expect("a game");
            let text = text.split('<').next().expect("its text");
            text.replace("&quot;", "\"") + "\n"
        })
        .collect();
    assert!(pgn.contains("[White \"Scholar\"]\n[Black \"Müller\"]\n"), "{pgn}");
    assert!(
        pgn.contains(
            "{opening} 1. e4 $1 e5 2. Bc4 ( 2. Qh5 Ke7 {why} 3. Qxe5# {(end) 5} ) 2... Nc6\n\
             3. Qh5 Nf6 4. Qxf7# {(end) 7} 1-0\n"
        ),
        "{pgn}"
    );
    // The games in the report match again when they are searched.
    let (again, _) = report(pgn.as_bytes(), "-variations -cql mate");
    let found = |page: &str| articles(page).into_iter().flat_map(matches).collect::<Vec<_>>();
    assert_eq!(found(&again), found(&page));
    assert_eq!(found(&page).len(), 4);
}

#[test]
fn positions_are_those_of_the_search() {
    let (page, _) = report(GAMES, "-variations -cql ply>0");
    let shown: Vec<String> = articles(&page).into_iter().flat_map(matches).collect();
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("g.pgn"), GAMES).expect("written");
    let fens = run(place.path(), "--stdout --format fen -variations -i g.pgn -cql ply>0");
    let mut searched: Vec<String> = fens.lines().map(unpack).collect();
    // Ids follow the main line first, the text does not.
    let mut sorted = shown.clone();
    sorted.sort();
    searched.sort();
    assert_eq!(sorted, searched);
    assert_eq!(shown.len(), 17);
}

#[test]
fn what_the_games_say_is_text() {
    let game = b"[Event \"</title><script>alert(1)</script>\"]\n[White \"<img src=x onerror=alert(1)>\"]\n\
[Black \"a\\\"b' onclick='x\"]\n[Date \"<b>\"]\n[Site \"{{script}}\"]\n\n\
{</p><script>alert(2)</script><!--} 1.e4 {\x01]]>} e5 (1...c5 {<svg onload=alert(3)>}) 1-0\n\n";
    let (page, _) = report(
        game,
        "--value v=\"</dd><script>\" -cql initial_comment(\"</span><script>\")_sort_\"<i>\"_ply",
    );
    assert_eq!(page.matches("<script").count(), 1);
    // The title, the comment of the game and the query, twice each: in the page and in its PGN.
    assert_eq!(page.matches("&lt;script&gt;").count(), 8);
    assert!(!page.contains("<img") && !page.contains("<!--") && !page.contains("<svg onload"));
    assert!(!page.contains("onclick='x"));
    assert!(page.contains("a&quot;b&#39; onclick=&#39;x"));
    assert!(page.contains("<dt>&lt;i&gt;</dt><dd>0</dd>"));
    assert!(page.contains("\u{fffd}]]&gt;"));
    assert_eq!(page.matches("\"use strict\"").count(), 1);
}

#[test]
fn games_are_sorted_chosen_and_left_out() {
    let check = |line: &str, players: &[&str], totals: &str| {
        let (page, _) = report(GAMES, line);
        let found: Vec<&str> =
            page.split("<h2><bdi>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
        assert_eq!(found, players, "{line}");
        let (_, rest) = page.split_once("class=\"totals\">").expect("totals");
        assert_eq!(rest.split('<').next(), Some(totals), "{line}");
    };
    check(
        "-cql terminal_mainline_sort_\"length\"_ply",
        &["Scholar", "Fool", "Draw", "Endgame"],
        "4 games, 4 matching positions, 4 games searched",
    );
    check(
        "--limit 1 -cql mate_sort_min_\"length\"_ply",
        &["Endgame"],
        "1 game chosen from 3 matching games, 3 matching positions, 4 games searched",
    );
    check("--limit 1 -cql mate", &["Scholar"], "1 game, 1 matching position, 1 game searched");
    check("--exclude -cql mate", &["Draw"], "1 game, 0 matching positions, 4 games searched");
    check("-cql 1==2", &[], "0 games, 0 matching positions, 4 games searched");
}

#[test]
fn a_game_without_a_match_shows_its_end() {
    let (page, _) = report(GAMES, "--exclude --value length=ply -cql mate");
    assert!(page.contains("<figcaption>after 1…e5</figcaption>"));
    assert!(page.contains("<dt>length</dt><dd>0</dd>"));
    assert!(!page.contains("<mark"));
}

#[test]
fn threads_change_nothing_and_many_games_are_warned_of() {
    let games = GAMES.repeat(2501);
    let (one, said) = report(&games, "-threads 1 -cql initial_sort_\"n\"_gamenumber%7");
    let (four, _) = report(&games, "-threads 4 -cql initial_sort_\"n\"_gamenumber%7");
    assert!(one == four, "the report depends on the threads");
    assert_eq!(articles(&one).len(), 10_004);
    assert!(said.contains("warning: browsers open a report of 10004 games slowly"));
    let (_, said) = report(&games, "-threads 4 --limit 10000 -cql initial");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_report_has_a_title_boards_and_columns() {
    let line =
        "--title A_<b>_C --boards 2 --columns White,fen,x --value x=ply -cql {ply>=2_ply<=4}";
    let (page, _) = report(GAMES, line);
    assert!(
        page.contains("<title>A &lt;b&gt; C</title>") && page.contains("<h1>A &lt;b&gt; C</h1>")
    );
    let game = page.split("id=\"game-1\"").nth(1).expect("the game");
    let game = game.split("</article>").next().expect("its end");
    // The first board can be played through; the second one shows the next match.
    assert_eq!(game.matches("<svg class=\"board\"").count(), 2);
    assert_eq!(game.matches("class=\"play\"").count(), 1);
    let (_, boards) = game.split_once("class=\"boards\"").expect("boards");
    assert!(boards.contains("after 2.Bc4 (match)") && boards.contains("data-at=\"3\""), "{boards}");
    let facts = "<dl><div><dt>White</dt><dd>Scholar</dd></div><div><dt>fen</dt><dd>\
                 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";
    assert!(game.contains(facts) && game.contains("<dt>x</dt><dd>2</dd>"), "{game}");
    assert!(!game.contains("matching positions"));
    // Nothing that is of use on a screen only is printed.
    let (_, print) = page.split_once("@media print").expect("a style for print");
    assert!(print.contains(".js .tools, .controls, .pgn, .said, .js .play { display: none; }"));
    // A game with fewer matches has fewer boards; without the options, there is one.
    let game = page.split("id=\"game-2\"").nth(1).expect("the game");
    assert_eq!(
        game.split("</article>").next().expect("its end").matches("class=\"board\"").count(),
        1
    );
    // Columns of positions are those of the diagram.
    let line = "--columns ply,x --value x=ply -cql {ply>=2_ply<=4_sort_\"n\"_ply}";
    let (page, _) = report(GAMES, line);
    assert!(page.contains("<dt>ply</dt><dd>4</dd></div><div><dt>x</dt><dd>4</dd>"), "{page}");
    let (page, _) = report(GAMES, "-cql {ply>=2_ply<=4}");
    assert!(!page.contains("class=\"boards\"") && page.contains("matching positions"));
}
