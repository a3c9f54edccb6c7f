//! The index of everything that `cql help WORDS` finds, and the pages of the book for users of the
//! program.

use std::borrow::Borrow;

use engine::Openings;
use ide::ideas::{
    Idea, IdeaKind, Index, is_player, meant_by_assignment, mended, name_of_opening, of_men,
    of_query, quoted,
};
use ide::{in_words, manual};
use survey::target::Target;
use syntax::Dialect;
use syntax::help::unasked;
use syntax::library::Theme;
use syntax::parse::{in_line, plain_title, sides, themes_like};

use super::words;
use crate::args::help as options;
use crate::subcommands::Subcommands;
use crate::terminal;
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
    "tour/first",
    "tour/method",
    "troubleshooting",
    "compatibility",
    "sql",
    "python",
    "cookbook/themes",
    "older-words",
    "rust",
}

/// Other words for what the program can do: the topics of `cql help` that show it, and phrases
/// separated by commas.
const ALSO: &[(&[&str], &str)] = syntax::rows! {
    &["a first search", "from a question to a query"],
        "tour, tutorial, learn, learning, beginner, beginners, getting started, get started, start, \
         how do i start, where do i start, first steps, introduction, guide, lesson, course, help, docs, \
         documentation, manual, basics, how does it work";
    &["a first search", "from a question to a query", "reference"],
        "language, syntax, grammar, the language, commands of the language, query language, cql";
    &["questions in sql"], "sql, duckdb, polars, parquet, database";
    &["bench"],
        "benchmark, benchmarks, performance, how fast is it, how fast is a query, measure speed, timing";
    &["sheet"], "homework, homework for pupils";
    &["object storage"],
        "s3, gcs, aws, azure, minio, bucket, buckets, cloud, cloud storage, url, urls, web address, \
         http, https, download games, games from the web, games from a url, games at an address";
    &["-per"], "one row per position, row per position, a row for each position, rows per position";
    &["questions in sql", "-columns"],
        "schema, table schema, schema of a table, types of columns, column types";
    &["-columns"], "export csv columns, csv columns, columns of a csv, export columns, which columns";
    &["python"],
        "python api, api of python, python library, python package, python, pandas, polars, jupyter, notebook, dataframe, from python, use from python, \
         how do I use it from python";
    &["a library of themes"], "theme, themes, motif, motifs";
    &["check"], "lint, linter, github actions";
    &["check", "explain"], "diagnostics, diagnostic, error codes, codes of errors";
    &["check", "-exit-status"], "ci, continuous integration";
    &["-exit-status"], "exit code, exit codes, exit code when nothing found, exit code without matches, exit code in a script, exit status, return code";
    &["pipes"], "stdin, read from stdin, standard input, from standard input";
    &["rust"],
        "rust, rust library, rust crate, use from my program, from my program, api, embed";
    &["doctor", "damaged games"], "fix pgn, broken pgn, repair pgn, damaged pgn, corrupt pgn";
    &["annotate", "puzzles"],
        "students mistakes, my students mistakes, mistakes of my students, my mistakes, my blunders, \
         mistakes of a player";
    &["annotate"], "analyze games, analyse games, computer analysis, engine analysis";
    &["puzzles"],
        "exercise, exercises, training, lesson, tactics trainer, puzzles, mate in two, mate in three, \
         mate in 2, mate in 3, anki, flashcards, find mates, blunders, mistakes";
    &["sheet"],
        "exercises, lesson, handout, worksheet, work sheet, print, print diagrams, printed \
         diagrams, typst, latex, paper";
    &["dedup"], "deduplicate, deduplication, remove duplicates, double games";
    &["many machines"], "two machines, several machines, cluster, distributed";
    &["what a search writes", "-format"], "save as parquet, save as csv, save as json, write parquet, \
         parquet file, save in a file, save as";
    &["-quiet"], "quiet mode, silent, quiet, less output, no output, no messages";
    &["what a search writes", "-format"], "json lines, ndjson, jq, excel, spreadsheet";
    &["what a search writes"],
        "save, save results, how do I save results, write results to a file, export, pdf, print";
    &["like"], "predecessor, predecessors, anticipation, anticipations";
    &["run"], "saved queries, save a query, how do I save a query, keep a query, query file, query files, multiple queries, several queries, many queries";
    &["index"], "faster, speed, speed up, slow";
    &["-threads"], "parallel, parallelism, multithreading, cores, all cores, number of threads";
    &["-columns"], "csv with player names, csv with names, choose columns, select columns";
    &["not"], "negate, negation, negate a condition, opposite of a condition";
    &["precedence"],
        "operators, operator, order of operations, operator precedence, precedence of operators, \
         list of operators, binding, parentheses, braces";
    &["conditions"], "boolean, boolean operators, and or not, logic, logical operators";
    &["moves backward"],
        "retro, retro analysis, retrograde analysis, retroanalysis, uncapture, previous positions";
    &["studio"], "http server, web server, web interface, browser, graphical interface, gui";
    &["stats"],
        "number of games, number of games in a file, how many games, count games, \
         size of a database";
    &["-limit"], "first matching games, first games";
    &["-limit", "-sample"],
        "N games, only N games, first N, first N games, limit N, limit N games, N matches";
    &["-limit", "-top"], "top N, top N games, best N, best N games";
    &["-sample"], "random N games, N random games, N games at random, sample of N games, sample N games";
    &["-player"], "name of a player, games of a player";
    &["-white"], "player as white, white player";
    &["opening", "tree"], "opening name";
    &["opening"], "opening by name, games of an opening, names of openings";
    &["watch", "pipes"], "live, broadcast, live broadcast, watch a broadcast, stream, tail, feed";
    &["prepare", "tree"],
        "repertoire, prepare, preparation, prepare against an opponent, opponent, opening report";
    &["prepare"],
        "time trouble, mistakes by phase, model games, scout, scouting, weaknesses of a player, \
         what an opponent plays as black, what an opponent plays";
    &["book"], "markdown, typst, article, study that recomputes, reproducible";
    &["tree", "-year"], "tree by year, opening tree by year, opening tree since N, tree since N, tree of a year";
    &["tree"], "most common lines, most frequent lines, transposition, continuations, longest common continuations, tree of strong players";
    &["similarposition"],
        "repertoire, my repertoire, games within my repertoire, games in my repertoire, games that leave my repertoire, leave repertoire, \
         deviates from, compare with another file, positions of another file";
    &["assistants"],
        "ask in plain words, plain english, plain english question, \
         natural language, chatgpt, claude, llm, ai";
    &["variants"], "fischer random, chess960, freestyle, crazyhouse, atomic, variant";
    &["engine"], "stockfish, uci, lc0, computer";
    &["counts"], "most frequent, share of, group by";
    &["stats"], "most frequent player, most frequent players, players with the most games";
    &["tablebases"],
        "throw away a win, threw away the win, thrown away win, who threw away a won endgame, \
         throws a win away, syzygy, won endgame not won, missed win";
    &["databases of chessbase"],
        "open cbv file, open cbh file, convert cbh to pgn, unpack cbv archive, chessbase, fritz";
    &["-elo"], "rating range, range of ratings, elo range, rated above";
    &["-year"], "date range, range of dates, range of years, years, period";
    &["-player"], "only my games, my games, games of one player";
    &["mates"],
        "classical mates, mating patterns, checkmate patterns, list of mates, mates by name, \
         mate patterns";
    &["clock"], "low clock, little time, seconds left, time left";
    &["clock", "elapsed"],
        "time used, thinking time, long think, minutes spent on a move, seconds per move, clk, emt, \
         timeused";
    &["prepare"], "dossier, player profile, compare two players";
    &["the transforms", "like"],
        "symmetry, symmetrical, reflection, reflected, mirror image, mirrored position";
    &["example"], "mark a passage, turn a maneuver into a search, passage of a game";
    &["puzzles"],
        "only one good move, positions with only one good move, quiet positions with only one good move, \
         only move positions, positions with one solution";
    &["like"], "resemble, resembles, similar combination, same idea, search for moves like these";
    &["tree", "-elo"], "tree by rating, tree of rated players";
    &["tree"], "first move, first moves, first move statistics, explorer, opening explorer, move order, position from moves";
    &["watch"], "growing file, file that grows, follow a file, new games in a file";
};

/// Commands: the title, the command, its purpose, and the words that ask for it: phrases separated
/// by commas.
const COMMANDS: &[(&str, &str, &str, &str)] = syntax::rows! {
    "--count-by to", "cql games.pgn -cql 'currentmove --=.' --count-by to",
        "how often pawns promote on each square",
        "promotion square, promotion squares, which squares pawns promote on, count promotions, \
         promotions per square, where pawns promote, where do pawns promote, on which square do pawns promote, \
         promotions by square, queening squares";
    "--count-by 'if wtm K else k'", "cql games.pgn -cql mate --count-by 'king=if wtm K else k'",
        "how often a king is mated on each square; for the black one, -cql 'btm mate' --count-by k",
        "mating square, where is the king mated, count mates by square, squares of mated kings, \
         where do kings get mated, on which square is the king mated, king square mate, heatmap, mated king's square, \
         square of the mated king, squares of mates, mated king";
    "--count-by from",
        "cql games.pgn -cql 'currentmove [x] \
         spot = {if enpassant then enpassantsquare else to} which = parent:pieceid spot' \
         --count-by 'from=initialposition:square x in [Aa] {pieceid x == which}'",
        "the games in which each piece is taken, by its square at the start: kings never are, and \
         in all other games the piece survives; of games in which anything is taken, `share` is \
         the part",
        "lifetimes of all 32 pieces, lifetimes of pieces, lifetimes of all pieces, \
         how often pieces survive, survival of pieces, survival of all pieces, \
         which pieces survive, survival rate of pieces, piece lifetime, original square, \
         original squares of pieces, which pieces are captured most often";
    "--count-by class",
        "cql games.pgn -cql 'phase \"endgame\"' --count-by 'class=\
         if endgame \"pawn\" then \"pawn\" else if endgame \"rook\" then \"rook\" \
         else if endgame \"queen\" then \"queen\" else if endgame \"knight\" then \"knight\" \
         else if endgame \"opposite-bishops\" then \"opposite-bishops\" \
         else if endgame \"same-bishops\" then \"same-bishops\" \
         else if endgame \"bishop-knight\" then \"bishop-knight\" \
         else if endgame \"rook-minor\" then \"rook-minor\" \
         else if endgame \"rook+minor\" then \"rook+minor\" \
         else if endgame \"queen-rook\" then \"queen-rook\" \
         else if endgame \"queen+minor\" then \"queen+minor\" \
         else if endgame \"queen+rook\" then \"queen+rook\" else \"other\"'",
        "the games that reach each class of endgames, with their share of all games that reach an \
         endgame, and their scores",
        "endgame classes, classes of endgames, share of endgames, share of each endgame, \
         share of rook endgames, share of pawn endgames, endgame types, types of endgames, kinds of endgames, most common endgames, \
         popularity of endgames, endgame statistics, how often each endgame occurs";
    "--count-by men",
        "cql games.pgn -cql 'phase \"endgame\"' \
         --count-by 'men=str(\"Q\" #Q \"R\" #R \"B\" #B \"N\" #N \" q\" #q \"r\" #r \"b\" #b \"n\" #n)' \
         --top 20",
        "the most frequent pieces in endgames, kings and pawns left out; without --top all of them",
        "endgame signatures, material signatures, signatures of endgames, count material, \
         material statistics, most common material, endgames with the same material, endgames by material, \
         endgame explorer, endgame classes, share of endgames";
    "--count-by opening", "cql games.pgn -cql terminal --count-by opening --top 20",
        "the number of games of each opening; another --count-by result splits them by result",
        "games in each opening, how do games end in each opening, results by opening, \
         most popular opening, most common opening, most frequent opening, popular openings, \
         group by eco, group by opening, mates by opening, how games end by opening";
    "--count-by position",
        "cql games.pgn -cql true \
         --count-by 'position=standardfen ~~ \"^[^ ]+ [^ ]+ [^ ]+ [^ ]+\"' --top 20",
        "the most frequent positions: equal pieces, side to move, castling rights and captures en \
         passant; the table is kept in memory, about 8 KB a game, without --top more",
        "commonest positions, most common position, most frequent positions, count positions, \
         most common positions, frequent positions, commonest positions as a book";
    "--count-by san", "cql games.pgn -cql mate --count-by san --top 20",
        "the mating moves that occur most often",
        "commonest mates, most common mate, most frequent mate, which moves mate";
    "--score-of NAME",
        "cql games.pgn -player Kasparov -cql terminal --count-by opening --score-of Kasparov",
        "the score of a player in each opening",
        "opponent report, opponents games, games of my opponent, report on an opponent, report on a player, report on Kasparov, report about Kasparov, \
         prepare against an opponent, opponent, scouting, player report, dossier";
    "--count-by year",
        "cql games.pgn -cql terminal --count-by year \
         --count-by 'najdorf=if opening \"Najdorf\" then 1 else 0'",
        "the games of each year with and without an opening (1 and 0), with their scores",
        "opening by year, opening by year and score, by year and score, by year, trend, \
         popularity of an opening, share of the year";
    "-cql terminal --count-by year", "cql games.pgn -cql terminal --count-by year",
        "the number of games of each year, with their scores",
        "count games per year, games per year, games of each year, number of games by year";
    "--count-by month",
        "cql games.pgn -cql terminal --count-by 'month=date ~~ \"^....[.][0-9][0-9]\"'",
        "the number of games of each month, with their scores; (none) are dates without a month",
        "group by month, games per month, count games per month, by month, games of each month";
    "--count-by opening --by length",
        "cql games.pgn -cql terminal --count-by opening \
         --by 'length=if ply < 60 then \"-29\" else if ply < 100 then \"30-49\" else \"50-\"' --top 20",
        "the games of each opening by their length; a mean of each group needs SQL: cql help \
         questions in sql",
        "average length by eco, average length by opening, length by opening, length by eco, \
         average length of an opening, longest openings";
    "--count-by position -o FILE.csv",
        "cql games.pgn -cql 'movenumber == 11 wtm' --count-by 'position=standardfen' --top 20 \
         -o book.csv",
        "the positions after move 10 with their numbers of games: counts are tables (CSV, JSON \
         lines), and --format epd has positions without counts",
        "EPD with counts, common positions after move 10, positions with counts, opening book";
    "-o FILE.jsonl", "cql games.pgn -cql mate --columns White,Black,fen -o matches.jsonl",
        "an object for each match, with its position as FEN; without --columns with all fields",
        "JSON with the FEN of a match, fen of a match, fen of the matching position, json of matches";
    "--count-by EXPRESSION", "cql games.pgn -cql terminal --count-by 'length=(ply+1)/2'",
        "the number of games of each length, in moves",
        "histogram of game length, histogram, game lengths, length of games, number of moves, \
         distribution, distribution of game lengths, how long are games";
    "--count-by result", "cql games.pgn -cql terminal --count-by result",
        "the number of games of each result, with its share of all; the total has the score of White",
        "percent of draws, percentage of draws, draw rate, share of draws, win rate, \
         win rate by color, white score, results of games, how often does white win, \
         how often does black win, how often is a game drawn, \
         how many games ended in a draw, how many draws, number of draws, group by result";
    "--count-by White",
        "cql games.pgn -cql 'initial find {btm theme(\"sacrifice\")}' --count-by White --top 20",
        "the players who sacrificed as White in the most games (`btm`: White has just moved); \
         those with more games have more of them, so compare with -cql initial --count-by White",
        "sacrifices per player, playing style, style, style of a player, attacking games, \
         how aggressive is a player";
    "--count-by Black", "cql games.pgn -cql initial --count-by Black",
        "the games of each player as Black, as --count-by White for White; `cql stats` counts both",
        "number of games per player, games per player, count games per player";
    "-result 1/2-1/2 --count-by White",
        "cql games.pgn -result 1/2-1/2 -cql initial --count-by White --top 20",
        "the players with the most draws as White; --count-by Black as Black",
        "player with most draws, most draws, who draws most, draws per player";
    "-player NAME --count-by",
        "cql games.pgn -player Kasparov -cql initial \
         --count-by 'sacrificed=if find {theme(\"sacrifice\") {btm player white \"Kasparov\"} or \
         {wtm player black \"Kasparov\"}} then \"yes\" else \"no\"'",
        "the share of a player's games, with either color, in which the player sacrificed",
        "own sacrifices, share of sacrifices, sacrifices of a player, how often does a player \
         sacrifice, sacrifices per player, style of a player, playing style, style";
    "cql tree -player NAME", "cql tree games.pgn -player Kasparov",
        "the moves of a player's games; -white and -black choose one color",
        "tree for one player, tree of a player, opening tree for Kasparov, tree for Kasparov, \
         games of Kasparov as a tree, opening tree of a player, \
         tree for white games of a player, prepare against an opponent, opponent";
    "cql tree -black NAME", "cql tree games.pgn -black Kasparov",
        "the moves of a player's games as Black; -white chooses those as White",
        "opening tree for Kasparov as black, tree for Kasparov as black, tree for black games of a player, \
         what Kasparov plays as black, what does my opponent play, \
         what my opponent plays";
    "cql tree --since DATE", "cql tree games.pgn --since 2020",
        "moves that no game before that date has, each with the first game that has it",
        "novelty, novelties, theoretical novelty, new move, new moves, first game with a move, \
         who played it first, first played";
    "--limit 1 by date",
        "cql games.pgn -cql 'fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\" \
         sort min \"date\" date' --limit 1",
        "the earliest game with a position, and only that; --limit N has the first N of them",
        "first game with a position, first game with this position, \
         earliest game with a position, predecessor of a position";
    "cql tree --order sure", "cql tree games.pgn --order sure",
        "the moves with the best score first, by the lower end of its interval: a move of one \
         game does not come first, as it may with --order score",
        "which first moves score best, best first moves, best scoring moves, best moves, \
         moves by score, most successful moves";
    "cql diagram FEN", "cql diagram '8/8/8/4k3/8/8/4K3/8 w'",
        "a board as an SVG picture, with -o board.svg in a file; other programs make PNG of it: \
         rsvg-convert board.svg -o board.png",
        "png, picture, image, jpg, jpeg, screenshot, picture of a board";
    "--tablebases DIR",
        "cql games.pgn --tablebases /path/to/tables \
         -cql '[Aa] <= 5 not check tablebase + (imagine sidetomove flip : tablebase) < 0'",
        "the mutual zugzwangs with at most five pieces, by Syzygy tables: the side to move is worse \
         off than it would be after a pass",
        "mutual zugzwang, mutual zugzwangs, reciprocal zugzwang, reciprocal zugzwangs, \
         zugzwang by tablebases";
    "-player NAME",
        "cql games.pgn -player Kasparov \
         -cql 'fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\"'",
        "the games of a player with a position",
        "my own games with a position, my games with this position, my games with a position, player and position, \
         games of a player with a position";
    "--per game", "cql games.pgn -cql mate --per game -o first.csv",
        "a row for each game, with its first matching position; for tables and JSON lines",
        "first match, only the first match, only the first match of a game, earliest position, \
         first position of a game, one row per game";
};

/// Number of ideas up to which each of them is shown as a whole.
const FEWEST: usize = 3;

/// Maximum number of ideas that are shown.
const MOST: usize = 8;

/// Returns the index of the language, the book, the options and the subcommands.
pub(super) fn index(subcommands: Subcommands) -> Index {
    let mut index = Index::new(PAGES);
    for (title, name, description) in options::all() {
        let command = format!("cql help -{name}");
        index.add([Idea::new(IdeaKind::Option, &title, &description, "", command)]);
    }
    index.add(subcommands.all().into_iter().map(|(name, about)| {
        let title = format!("cql {name}");
        Idea::new(IdeaKind::Subcommand, &title, &about, "", format!("cql help {name}"))
    }));
    for (title, command, line, phrases) in COMMANDS {
        let kind = if title.starts_with('-') { IdeaKind::Option } else { IdeaKind::Subcommand };
        index.add([Idea::new(kind, title, line, "", (*command).to_owned())]);
        index.also(command, phrases);
    }
    for (topics, phrases) in ALSO {
        for topic in *topics {
            index.also(&format!("cql help {topic}"), phrases);
        }
    }
    index
}

/// Words of the names of openings that have other meanings, too, and name none on their own.
const GENERAL: &str = "\
    accepted advance attack bishop bishops castling center closed declined defence \
    defense double exchange fianchetto four gambit game king kings knight knights \
    line main normal old open opening pawn pawns queen queens rook symmetrical \
    symmetry system three two variation \
    classical kingside majority minor move order position positional queenside \
    break castled central check defensive delayed development early edge flank formation full \
    fully grand great hunt immediate improved invitation original pin quiet retreat reversed \
    setup short standard storm structure tension tour traditional triangle variations walk \
    wall wing";

/// Words that a search for an opening may have besides its name.
const ASIDE: &str = "by called eco find for games in name named of opening search the with";

/// Returns what to do with the openings whose name has these words: search the games that pass
/// through them and those that are called so, and count their moves.
pub(super) fn openings(words: &str) -> Vec<Idea> {
    let openings = Openings::default();
    let plain = words.to_lowercase().replace('\'', "");
    if GENERAL.split(' ').any(|general| general == plain) {
        return Vec::new();
    }
    let says_more =
        || plain.split(' ').any(|word| !GENERAL.split(' ').any(|general| general == word));
    let named = |words| {
        let named = openings.spelled(words);
        named.or_else(|| openings.with_words(words).filter(|_| says_more()))
    };
    // as in `opening by name sicilian najdorf`
    let said = |word: &&str| !ASIDE.split(' ').any(|aside| aside == word.to_lowercase());
    let rest = words.split(' ').filter(said).collect::<Vec<_>>().join(" ");
    let is_general = GENERAL.split(' ').any(|general| general == rest.to_lowercase());
    let rest = Some(&*rest).filter(|_| !is_general);
    let Some(name) = named(words).or_else(|| named(rest?)) else {
        return Vec::new();
    };
    let whole = name_of_opening(&openings, name);
    let title = format!("opening \"{whole}\"");
    let word =
        if name.contains(|c: char| !c.is_alphanumeric()) { quoted(name) } else { name.to_owned() };
    let games = format!("only the games whose opening is called {whole} when they leave the book");
    let moves = format!("the moves played in the position called {name}, with their results");
    let through = Target::parse(name).ok().map(|target| {
        let line = in_line(target.moves().iter().map(String::as_str));
        let all = format!(
            "those with the position after {line}, whatever the moves to it and whatever name they \
             go on to"
        );
        let command = of_query(&target.query(), &all).command;
        Idea::new(IdeaKind::Query, &format!("All games through \"{name}\""), &all, "", command)
    });
    through.into_iter().chain([of_query(&title, &games), of_tree(&word, &moves)]).collect()
}

/// Returns what to do with the opening that one of several words names, as in `Najdorf by year`.
/// Shorter words are those of players, too: `Tal`.
pub(super) fn openings_of_word(word: &str) -> Vec<Idea> {
    if word.len() > 3 && !is_player(word) { openings(word) } else { Vec::new() }
}

/// Returns the command that counts the moves from a position, as a shell reads it.
fn of_tree(position: &str, line: &str) -> Idea {
    let command = format!("cql tree games.pgn {position}");
    Idea::new(IdeaKind::Subcommand, "cql tree", line, "", command)
}

/// Words that may stand around moves from the start.
const AROUND_MOVES: &str = "after and answers begin begins black first game games in move moves \
    opens play played plays replies reply start starts that the where which white with";

/// Returns what to do with moves from the start, such as `e4 e5 Nf3` and `1.e4 c5`: search the
/// games that begin with them, and those that come to their position.
pub(super) fn moves(words: &str) -> Vec<Idea> {
    // A number alone is none: `games over 80 moves`.
    let is_move = |word: &str| {
        let has = |is: fn(char) -> bool| word.contains(is);
        has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic() || c == '.')
            || ["O-O", "o-o", "0-0"].iter().any(|castling| word.starts_with(castling))
    };
    // as in `games where white plays e4 and black replies c5`
    let said = |word: &&str| !AROUND_MOVES.split(' ').any(|around| around == word.to_lowercase());
    let mut moves = words.split(' ').filter(said).collect::<Vec<_>>().join(" ");
    if moves != words && !moves.contains([' ', '.']) {
        moves = format!("1.{moves}");
    }
    let are_several = moves.contains([' ', '.']);
    let target = Some(&*moves).filter(|moves| are_several && moves.split(' ').all(is_move));
    let Some(Ok(target)) = target.map(Target::parse) else {
        return Vec::new();
    };
    let line = in_line(target.moves().iter().map(String::as_str));
    if line.is_empty() {
        return Vec::new();
    }
    let games = "the games that begin with these moves";
    let position = "the games that come to this position, in whatever order of moves";
    let moves = "the moves played after these, in whatever order they were played";
    vec![
        of_query(&format!("san \"{line}\""), games),
        of_query(&target.query(), position),
        of_tree(&format!("'{line}'"), moves),
    ]
}

/// Returns the help on a text that is a query, or the pieces of a `material`: its meaning, and the
/// command that searches with it.
pub(super) fn query(text: &str) -> Option<String> {
    let men = format!("material \"{text}\"");
    // as in `krpkr`, `KRP vs KR` and `material Q RR`
    // The digits of `B90-B99` are those of codes of openings.
    let has_number = text.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_digit));
    let of_sides = sides(text.strip_prefix("material ").unwrap_or(text)).filter(|_| !has_number);
    // Letters alone have White first; after `vs`, either side may have them.
    let are_opposed = text.contains(" v");
    let of = |men: String| if are_opposed { of_men(&men) } else { format!("material \"{men}\"") };
    let spelled = of_sides.map_or_else(String::new, of);
    let men = if are_opposed { spelled.clone() } else { men };
    let is_query = |query: &str| {
        Idea::new(IdeaKind::Query, query, "", "", String::new()).query().is_some()
            && !query.is_empty()
            && !query.contains('\'')
    };
    let mended = unasked(|| mended(text)).unwrap_or_default();
    let meant = meant_by_assignment(text).unwrap_or_default();
    let mut queries = [&*meant, text, &men, &spelled, &mended].into_iter();
    // Words with a number say more than the filters in them: `mate from 30 to 40`.
    let words = text.split([' ', '-']);
    let has_number = words.clone().any(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let is_prose = has_number && words.flat_map(str::chars).all(char::is_alphanumeric);
    let is_query = |query: &&str| is_query(query) && !(is_prose && *query == text);
    let query = queries.find(is_query)?;
    let meaning = in_words::meaning(query.as_bytes(), Dialect::Cql6, terminal::help_width());
    let instead = if query == meant { format!("For '{query}':\n\n") } else { String::new() };
    Some(format!("{instead}{meaning}    cql games.pgn -cql '{query}'\n"))
}

/// Returns the help on a call of a theme: `import "themes" fork()`, `theme("fork", N)`.
pub(super) fn theme(text: &str) -> Option<String> {
    let call = text.strip_prefix("import \"themes\"").or_else(|| text.strip_prefix("theme("))?;
    let end = call.find(['(', ',', ')']).unwrap_or(call.len());
    let name = call[..end].trim_matches(|c: char| !c.is_alphanumeric());
    let is_alone = call[end..].chars().all(|c| matches!(c, '(' | ')' | ' '));
    if name.is_empty() || !name.chars().all(char::is_alphanumeric) || text == theme_named(name) {
        return None;
    }
    let remark = if is_alone { "" } else { " A theme takes no arguments." };
    if Theme::all().any(|theme| theme.name() == name) {
        let query = theme_named(name);
        return Some(said(&format!("For '{query}'.{remark}")) + &self::query(&query)?);
    }
    let near = themes_like(name).into_iter().map(|name| of_query(&theme_named(name), ""));
    let near: Vec<Idea> = near.collect();
    let first = said(&format!("There is no theme '{name}'.{remark} These are like it:"));
    (!near.is_empty()).then(|| first + &list(&near, text, None))
}

fn theme_named(name: &str) -> String {
    format!("theme(\"{name}\")")
}

/// The title of the page whose first lines are the names of all themes.
const THEMES: &str = "A library of themes";

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
        text += &format!("{gap}{page}{title}\n\n");
        if section.title.is_none() && page == THEMES {
            let names = Theme::all().map(Theme::name);
            wrap::wrapped(&mut text, "", 2, terminal::help_width(), names);
            text.push('\n');
        }
        text += &words::blocks(&section.blocks, true);
    }
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the text before ideas that lack these words, empty if they lack none.
pub(super) fn lacks<W: Borrow<str>>(lacking: &[W]) -> String {
    if lacking.is_empty() { String::new() } else { without(lacking) }
}

/// Returns the text before ideas that have only some of the words.
pub(super) fn without<W: Borrow<str>>(lacking: &[W]) -> String {
    let denies = |word: &W| ["not", "no", "never", "without"].contains(&word.borrow());
    let are_denied = lacking.iter().any(denies);
    let hint =
        if are_denied { ", which `not` or `initial not find` before a query says" } else { "" };
    said(&match lacking.join("', '") {
        lacking if lacking.is_empty() => {
            "Nothing has all of these words; these have some:".to_owned()
        }
        lacking => format!("Nothing has all of these words. Without '{lacking}'{hint}:"),
    })
}

/// Returns a text before ideas, in lines.
pub(super) fn said(text: &str) -> String {
    let mut lines = String::new();
    wrap::wrapped(&mut lines, "", 0, terminal::help_width(), text.split_whitespace());
    lines + "\n"
}

/// Returns the text before ideas of which some lack one part of the words, and others the rest.
pub(super) fn lack_either(some: &[&str], others: &[&str]) -> String {
    let (some, others) = (some.join("', '"), others.join("', '"));
    said(&format!(
        "Nothing has all of these words. Some of these are without '{some}', others without \
         '{others}':"
    ))
}

/// Returns a list of ideas, each with the command that tries it and with what answers a question.
pub(super) fn list<'i>(
    ideas: impl IntoIterator<Item = &'i Idea>,
    question: &str,
    most: Option<usize>,
) -> String {
    let ideas: Vec<&Idea> = ideas.into_iter().collect();
    let n_shown = most.unwrap_or(MOST).min(ideas.len());
    let mut text = String::new();
    for idea in &ideas[..n_shown] {
        let head = head(idea, question);
        wrap::wrapped(&mut text, "", 4, terminal::help_width(), head.split_whitespace());
        text += &format!("    {}\n", idea.command);
    }
    if n_shown < ideas.len() && most.is_none() {
        text += &more(ideas.len() - n_shown);
    }
    text
}

/// The answers to a question that are shown as a whole, with their commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// The best, and the others in a line each.
    Best,
    /// Each of them: `--all`.
    All,
}

/// Returns a list whose first ideas are shown as in [`list`], and the others in a line each, unless all are
/// wanted. `asked` are the words of the question.
pub(super) fn list_for(ideas: &[&Idea], n_first: usize, asked: &str, extent: Answers) -> String {
    if ideas.len() <= FEWEST || extent == Answers::All {
        return list(ideas.iter().copied(), asked, None);
    }
    let (first, others) = ideas.split_at(n_first.clamp(1, FEWEST));
    let n_shown = (MOST - first.len()).min(others.len());
    let mut text = list(first.iter().copied(), asked, Some(first.len()));
    text += "\nAlso:\n";
    for idea in &others[..n_shown] {
        let head = head(idea, asked);
        let line = table::cut(&head, terminal::help_width() - 2);
        text += &format!("  {line}\n");
    }
    let is_plain = |c: char| c.is_alphanumeric() || " -".contains(c);
    let asked = if asked.chars().all(is_plain) { asked.to_owned() } else { quoted(asked) };
    text +=
        &said(&format!("More: `cql help NAME` on one of them, `cql help --all {asked}` on all."));
    text.truncate(text.trim_end().len());
    text.push('\n');
    if n_shown < others.len() {
        text += &more(others.len() - n_shown);
    }
    text
}

/// Returns the title of an idea, its kind, and what it finds, or what answers a question.
fn head(idea: &Idea, question: &str) -> String {
    let (title, kind, line) = (&idea.title, idea.kind, idea.line_for(question));
    // The command below shows the query.
    let is_shown = idea.kind == IdeaKind::Query
        && !line.is_empty()
        && (idea.command.contains(title) || idea.command == of_query(title, "").command);
    let head =
        if is_shown { format!("{line} ({kind})") } else { format!("{title} ({kind}): {line}") };
    head.trim_end_matches([':', ' ']).to_owned()
}

fn more(n: usize) -> String {
    format!("{n} more; another word leaves fewer\n")
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
        let mut texts = vec![options::text(SUBCOMMANDS, None), SHORT_HELP.to_owned()];
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
            // A program in Rust names the folder of the crate.
            let is_dependency = |line: &str| line.contains("babson = { path");
            let line = text.lines().find(|line| names_source(line) && !is_dependency(line));
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
    fn moves_from_the_start_are_a_line() {
        let check = |words: &str, line: &str| {
            let found = moves(words);
            let commands: Vec<&str> = found.iter().map(|idea| idea.command.as_str()).collect();
            let search = format!("cql games.pgn -cql 'san \"{line}\"'");
            let [first, position, last] = commands[..] else { panic!("{words}: {commands:?}") };
            assert_eq!([first, last], [search, format!("cql tree games.pgn '{line}'")], "{words}");
            assert!(position.contains("tm fen \""), "{position}");
        };
        check("e4 e5 Nf3", "1.e4 e5 2.Nf3");
        check("1.e4 c5", "1.e4 c5");
        check("1.e4", "1.e4");
        check("1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. O-O", "1.Nf3 d5 2.g3 c5 3.Bg2 Nc6 4.O-O");
        check("games where white plays e4 and black replies c5", "1.e4 c5");
        check("first move a3", "1.a3");
        for words in
            ["first move", "e4", "e4 mate", "e9 e5", "Ke2 e5", "", "1.", "Najdorf", "mate in 2"]
        {
            assert!(moves(words).is_empty(), "{words}");
        }
    }

    #[test]
    fn openings_are_found_by_their_names() {
        let check = |words: &str, expected: &[&str]| {
            let found = openings(words);
            let mut commands: Vec<&str> = found.iter().map(|idea| idea.command.as_str()).collect();
            if commands.len() > 2 {
                let through = commands.remove(0);
                assert!(through.contains("tm fen \""), "{through}");
            }
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
        for words in ["grunfeld", "Gruenfeld"] {
            check(
                words,
                &[
                    "cql games.pgn -cql 'opening \"Grünfeld Defense\"'",
                    "cql tree games.pgn Grünfeld",
                ],
            );
        }
        check(
            "caro kann",
            &[
                "cql games.pgn -cql 'opening \"Caro-Kann Defense\"'",
                "cql tree games.pgn 'Caro-Kann'",
            ],
        );
        check(
            "petroff",
            &["cql games.pgn -cql \"opening \\\"Petrov's\\\"\"", "cql tree games.pgn \"Petrov's\""],
        );
        for general in GENERAL.split(' ') {
            check(general, &[]);
        }
        check("king's", &[]);
        check("bisho", &[]);
        check("najdor", &[]);
        check("", &[]);
    }
}
