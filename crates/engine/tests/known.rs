//! Tests that games that were read before have the results of their texts, and that their texts are
//! read only if needed.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use board::{Color, Start};
use engine::{
    CompileOptions, GameRow, GameWorker, KnownGame, KnownWorker, Program, QueryResults,
    QueryWorker, RowWriter, Source, UsualTags, compile,
};
use flow::{GameFault, Output, Worker};
use memchr::memmem;
use pgn::{
    GameResult, GameTree, RawGame, Splitter, TagIndex, TagTable, Tags, TreeBuilder, TreeStep,
    Variant,
};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Words of queries that need more than tags and moves.
const WORDS: [&[u8]; 6] =
    [b"originalcomment", b"hascomment", b"nag", b"hhdb", b"tag ", b"eventdate"];

/// The data that an archive might store of a game.
struct Kept<'a> {
    raw: RawGame<'a>,
    tags: TagTable,
    start: (Start, bool),
    steps: Vec<MovetextStep>,
    result: GameResult,
    has_all_tags: bool,
    is_annotated: bool,
    n_reads: Cell<u32>,
    /// Number of times its moves were replayed.
    n_builds: Cell<u32>,
}

/// A step of the movetext, without a tree.
enum MovetextStep {
    Move(board::Move),
    Open,
    Close,
}

impl<'a> Kept<'a> {
    /// Returns `None` for a game with faults, which must be searched as text so that they are
    /// reported.
    fn of(raw: RawGame<'a>, has_all_tags: bool) -> Option<Kept<'a>> {
        let (mut index, mut tree, mut buffer) =
            (TagIndex::default(), GameTree::default(), Vec::new());
        let text = raw.clean_text(&mut buffer);
        index.scan(text);
        let tags = index.tags(text);
        tree.parse(tags);
        let is_foreign = matches!(tags.variant(), Variant::Other(_));
        if !raw.faults.is_empty() || tree.may_lack_moves() || is_foreign {
            return None;
        }
        let mut table = TagTable::default();
        if has_all_tags {
            tags.iter().for_each(|(name, value)| table.push(name, value))
        } else {
            push_usual(*tags, &mut table)
        }
        let mut is_annotated = tree.has_comment(0);
        let steps = tree.steps().map(|step| match step {
            TreeStep::Move(node) => {
                is_annotated |= tree.has_comment(node) || !tree.nags(node).is_empty();
                MovetextStep::Move(tree.move_to(node).expect("not the start"))
            }
            TreeStep::Open(variation) => {
                is_annotated |= tree.variation_comment(text, variation).is_some();
                MovetextStep::Open
            }
            TreeStep::Close => MovetextStep::Close,
        });
        Some(Kept {
            tags: table,
            start: tags.start(),
            steps: steps.collect(),
            result: tree.result(),
            has_all_tags,
            is_annotated,
            n_reads: Cell::new(0),
            n_builds: Cell::new(0),
            raw,
        })
    }
}

/// Adds the usual tags, which every archive stores, to a table, in another order.
fn push_usual(tags: Tags<'_>, table: &mut TagTable) {
    for color in [Color::Black, Color::White] {
        let rating = tags.rating(color).value;
        let name = format!("{color:?}Elo");
        table.push(name.as_bytes(), rating.to_string().as_bytes());
    }
    let usual: [&[u8]; 9] =
        [b"White", b"Black", b"Event", b"Site", b"Date", b"Round", b"Result", b"ECO", b"FEN"];
    for name in usual {
        if let Some(value) = tags.raw(name) {
            table.push(name, value);
        }
    }
}

impl KnownGame for Kept<'_> {
    fn tags(&self) -> Tags<'_> {
        self.tags.tags()
    }

    fn has_all_tags(&self) -> bool {
        self.has_all_tags
    }

    fn is_annotated(&self) -> bool {
        self.is_annotated
    }

    fn result(&self) -> Option<GameResult> {
        Some(self.result)
    }

    fn n_positions(&self, variations: bool) -> Option<u32> {
        let (mut n, mut depth) = (1, 0);
        for step in &self.steps {
            match step {
                MovetextStep::Open if variations => return None,
                MovetextStep::Open => depth += 1,
                MovetextStep::Close => depth -= 1,
                MovetextStep::Move(_) => n += u32::from(depth == 0),
            }
        }
        Some(n)
    }

    fn build(&self, tree: &mut GameTree) -> Result<(), flow::ReadError> {
        self.n_builds.set(self.n_builds.get() + 1);
        let (start, has_fen) = self.start;
        let mut builder: TreeBuilder<'_> = tree.build(start, has_fen);
        for step in &self.steps {
            match step {
                MovetextStep::Move(mv) => builder.push(*mv).expect("a move as before"),
                MovetextStep::Open => builder.open_variation().expect("a move as before"),
                MovetextStep::Close => assert!(builder.close_variation()),
            }
        }
        builder.finish(self.result);
        Ok(())
    }

    fn offset(&self) -> u64 {
        self.raw.offset
    }

    fn read_text(&self, text: &mut Vec<u8>) -> Result<(), flow::ReadError> {
        self.n_reads.set(self.n_reads.get() + 1);
        text.extend_from_slice(self.raw.text);
        Ok(())
    }
}

/// Returns the games of the corpus without faults.
fn games(file: &[u8], has_all_tags: bool) -> Vec<Kept<'_>> {
    let mut splitter = Splitter::default();
    let games = splitter.split(file, true);
    games.filter_map(|raw| Kept::of(raw, has_all_tags)).collect()
}

fn program(text: &[u8]) -> Option<Arc<Program>> {
    let source = Source { name: "test.cql", text };
    compile(&source, &[], &CompileOptions::default()).program
}

/// Writes everything known of a game.
#[derive(Debug)]
struct Rows;

impl RowWriter for Rows {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{row:?}\n").as_bytes());
    }

    fn wants_positions(&self) -> bool {
        true
    }

    fn wants_keys(&self) -> bool {
        true
    }

    fn wants_moves(&self) -> bool {
        true
    }

    fn wants_movetext(&self) -> bool {
        true
    }
}

/// Writes a few tags of a game, and how many positions match.
#[derive(Debug)]
struct FewTags;

impl RowWriter for FewTags {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let GameRow { number, number_in_input, offset, result, n_positions, .. } = row;
        let tags = ["White", "WhiteElo", "ECO"].map(|name| row.tag(name.as_bytes()));
        let facts = (number, number_in_input, offset, result, n_positions, tags);
        out.extend_from_slice(format!("{facts:?}\n").as_bytes());
    }

    fn wants_positions(&self) -> bool {
        false
    }

    fn wants_all_tags(&self) -> bool {
        false
    }

    fn usual_tags(&self) -> Option<UsualTags> {
        UsualTags::of(["ECO", "White", "WhiteElo"])
    }
}

/// Returns all results of a game.
fn outcome(out: Output<Vec<QueryResults>>) -> (Vec<QueryResults>, Vec<GameFault>, Option<String>) {
    (out.results, out.faults, out.failure.map(|error| error.to_string()))
}

/// Compares the results of known games with those of their texts, using the same workers
/// throughout.
fn check(worker: &mut impl FnMut() -> GameWorker, games: &[Kept<'_>], name: &str) {
    let (mut reading, mut knowing) = (worker(), worker());
    for (game, number) in games.iter().zip(1..) {
        let (mut read, mut known) = (Output::default(), Output::default());
        reading.game(&game.raw, number, &mut read);
        knowing.known_game(game, number, &mut known);
        assert_eq!(outcome(known), outcome(read), "{name}, game {number}");
        // State left by games must not depend on the form in which they are given.
        if number % 5 == 0 {
            std::mem::swap(&mut reading, &mut knowing);
        }
    }
}

#[test]
fn known_games_come_to_what_their_texts_come_to() {
    let files = ["mixed", "own"].map(|name| {
        let path = repository().join(format!("conformance/data/{name}.pgn"));
        fs::read(path).expect("games of the corpus")
    });
    let mixed = games(&files[0], true);
    let own = games(&files[1], false);
    assert!(mixed.len() > 20 && own.len() > 100);
    assert!(own.iter().any(|game| game.is_annotated));
    assert!(own.iter().any(|game| !game.is_annotated));
    let (mut n_files, mut n_queries) = (0, 0);
    for area in fs::read_dir(repository().join("conformance/cases")).expect("the corpus") {
        for file in fs::read_dir(area.expect("an area").path()).expect("an area") {
            let file = file.expect("an entry").path();
            if file.extension().is_none_or(|end| end != "cql") {
                continue;
            }
            let text = fs::read(&file).expect("a query");
            let asks_for_text = WORDS.iter().any(|word| memmem::find(&text, word).is_some());
            n_files += 1;
            if !asks_for_text && n_files % 16 != 0 {
                continue;
            }
            let Some(program) = program(&text) else {
                continue;
            };
            n_queries += 1;
            let name = file.display().to_string();
            let query = || QueryWorker::new(program.clone(), Arc::default());
            let mut both = || GameWorker::new([query(), query().with_writer(Box::new(Rows))]);
            check(&mut both, &mixed, &name);
            if asks_for_text || n_files % 64 == 0 {
                let mut alone = || GameWorker::new([query()]);
                check(&mut alone, &own, &name);
            }
        }
    }
    assert!(n_queries > 150, "{n_queries}");
}

#[test]
fn counts_of_columns_replay_no_moves() {
    let path = repository().join("conformance/data/own.pgn");
    let file = fs::read(path).expect("games of the corpus");
    let games = games(&file, true);
    let n_builds = |games: &[Kept<'_>]| games.iter().map(|game| game.n_builds.take()).sum::<u32>();
    let is_line = |game: &Kept<'_>| game.n_positions(true).is_some();
    let n_with_variations = games.iter().filter(|game| !is_line(game)).count() as u32;
    assert!(n_with_variations > 10 && (n_with_variations as usize) < games.len());
    for (query, replayed) in [
        ("cql() initial", 0),
        ("cql() terminal", 0),
        ("cql() true", 0),
        ("cql() result 1-0 player white \"a\"", 0),
        ("cql() result 0-1 terminal not year < 1950", 0),
        ("cql(matchcount 2 1000) true", 0),
        ("cql(gamenumber 3 40) initial", 0),
        ("cql(variations) terminal", n_with_variations),
        ("cql(variations) true", n_with_variations),
        ("cql() initial wtm", games.len() as u32),
        ("cql(matchcount 0) initial", games.len() as u32),
    ] {
        let program = program(query.as_bytes()).expect("a correct query");
        let worker = || QueryWorker::new(program.clone(), Arc::default());
        let few = || worker().with_writer(Box::new(FewTags));
        // `check` reads each game once and searches it once as a known game.
        check(&mut || GameWorker::new([few()]), &games, query);
        assert_eq!(n_builds(&games), replayed, "{query}");
        // Other outputs need more than the columns have.
        check(&mut || GameWorker::new([few().with_rows()]), &games, query);
        check(&mut || GameWorker::new([few().with_complement()]), &games, query);
        n_builds(&games);
    }
}

#[test]
fn known_games_that_match_are_the_same_plain_data() {
    let path = repository().join("conformance/data/own.pgn");
    let file = fs::read(path).expect("games of the corpus");
    let games = games(&file, true);
    for query in [
        "cql() mate sort \"men\" #[Aa] comment(\"here\")",
        "cql(variations) check",
        "cql() hascomment",
    ] {
        let program = program(query.as_bytes()).expect("a correct query");
        let mut workers = [(); 2].map(|()| worker_with_rows(&program));
        let mut n_matches = 0;
        for (game, number) in games.iter().zip(1..) {
            let (mut read, mut known) = (Output::default(), Output::default());
            known.origin.name = "own.pgn".into();
            read.origin = known.origin.clone();
            workers[0].game(&game.raw, number, &mut read);
            workers[1].known_game(game, number, &mut known);
            assert_eq!(known.results, read.results, "{query}, game {number}");
            assert_eq!(known.faults, read.faults);
            let found = &read.results[0];
            assert_eq!(found.rows.len(), found.matches.len());
            n_matches += found.rows.len();
        }
        assert!(n_matches > 0, "{query}");
    }
    let lost = Lost(games.into_iter().next().expect("a game"), Err("it is gone"));
    let mut worker = worker_with_rows(&program(b"cql() true").expect("a correct query"));
    let mut out = Output::default();
    worker.known_game(&lost, 1, &mut out);
    assert_eq!(out.failure.map(|error| error.to_string()).as_deref(), Some("it is gone"));
    assert!(out.results[0].rows.is_empty());
}

fn worker_with_rows(program: &Arc<Program>) -> GameWorker {
    GameWorker::new([QueryWorker::new(program.clone(), Arc::default()).with_rows()])
}

/// Returns the number of times that each game's text is read for a query, by a worker with this
/// writer.
fn reads_of(query: &str, writer: Option<Box<dyn RowWriter>>, has_all_tags: bool) -> Vec<u32> {
    let file = b"[White \"a\"]\n\n1.e4 e5 2.Nf3 1-0\n\n\
                 [White \"b\"]\n\n1.e4 {good} (1.d4 $1) e5 1-0\n\n\
                 [White \"c\"]\n\n1.d4 {bad} d5 1-0\n";
    let games = games(file, has_all_tags);
    assert_eq!(games.len(), 3);
    let program = program(query.as_bytes()).expect("a correct query");
    let query = QueryWorker::new(program, Arc::default());
    let mut worker = GameWorker::new([match writer {
        Some(writer) => query.with_writer(writer),
        None => query,
    }]);
    for (game, number) in games.iter().zip(1..) {
        worker.known_game(game, number, &mut Output::default());
    }
    games.iter().map(|game| game.n_reads.get()).collect()
}

fn reads(query: &str, writer: Option<Box<dyn RowWriter>>) -> Vec<u32> {
    reads_of(query, writer, true)
}

/// Needs only tags and values.
#[derive(Debug)]
struct Names;

impl RowWriter for Names {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        out.extend_from_slice(row.tag(b"White").unwrap_or_default());
    }
}

/// Needs only the usual tags.
#[derive(Debug)]
struct Players;

impl RowWriter for Players {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        out.extend_from_slice(row.tag(b"White").unwrap_or_default());
    }

    fn wants_all_tags(&self) -> bool {
        false
    }
}

#[test]
fn texts_are_read_once_and_only_where_it_takes_them() {
    assert_eq!(reads("cql() false", None), [0, 0, 0]);
    assert_eq!(reads("cql() player \"b\" check", None), [0, 0, 0]);
    // writing a matching game needs the text
    assert_eq!(reads("cql() move to f3", None), [1, 0, 0]);
    assert_eq!(reads("cql() move to f3", Some(Box::new(Names))), [0, 0, 0]);
    assert_eq!(reads("cql() true", Some(Box::new(Rows))), [0, 1, 1]);
    // comments and NAGs are looked up only in games that have some
    assert_eq!(reads("cql() originalcomment \"xyz\"", None), [0, 1, 1]);
    assert_eq!(reads("cql() originalcomment \"good\"", None), [0, 1, 1]);
    assert_eq!(reads("cql() player \"c\" originalcomment \"xyz\"", None), [0, 0, 1]);
    assert_eq!(reads("cql() hhdb cooked", None), [1, 1, 1]);
    // other tags than the usual ones need the text, unless they are stored
    let usual = |query| reads_of(query, None, false);
    assert_eq!(reads("cql() tag \"Opening\" check", None), [0, 0, 0]);
    assert_eq!(usual("cql() tag \"Opening\" check"), [1, 1, 1]);
    assert_eq!(usual("cql() eventdate \"2000\" check"), [1, 1, 1]);
    let query = "cql() event \"x\" site \"x\" date \"x\" eco \"x\" elo > 1 year > 1 player \"a\"";
    assert_eq!(usual(query), [0, 0, 0]);
    let names = Some(Box::new(Names) as Box<dyn RowWriter>);
    assert_eq!(reads_of("cql() move to f3", names, false), [1, 0, 0]);
    let players = || Some(Box::new(Players) as Box<dyn RowWriter>);
    assert_eq!(reads_of("cql() true", players(), false), [0, 0, 0]);
    let opening = "cql() tag \"Opening\" \"\"";
    assert_eq!(reads_of(opening, players(), false), [1, 1, 1]);
}

/// A game whose text is missing or has changed.
struct Lost<'a>(Kept<'a>, Result<&'a [u8], &'static str>);

impl KnownGame for Lost<'_> {
    fn tags(&self) -> Tags<'_> {
        self.0.tags()
    }

    fn has_all_tags(&self) -> bool {
        true
    }

    fn is_annotated(&self) -> bool {
        true
    }

    fn build(&self, tree: &mut GameTree) -> Result<(), flow::ReadError> {
        self.0.build(tree)
    }

    fn offset(&self) -> u64 {
        0
    }

    fn read_text(&self, text: &mut Vec<u8>) -> Result<(), flow::ReadError> {
        text.extend_from_slice(self.1.map_err(io::Error::other)?);
        Ok(())
    }
}

#[test]
fn a_text_that_is_not_there_ends_the_search() {
    let check = |text: Result<&[u8], &'static str>, expected: Option<&str>| {
        let kept = games(b"[A \"b\"]\n\n1.e4 e5 *\n", true).pop().expect("a game");
        let lost = Lost(kept, text);
        let query =
            QueryWorker::new(program(b"cql() message(\"x\")").expect("a query"), Arc::default());
        let mut worker = GameWorker::new([query]);
        let mut out = Output::default();
        worker.known_game(&lost, 1, &mut out);
        assert_eq!(out.failure.map(|error| error.to_string()).as_deref(), expected);
        assert_eq!(out.results[0].messages.is_empty(), expected.is_some());
        assert_eq!(out.results[0].matches.is_empty(), expected.is_some());
    };
    check(Ok(b"[A \"b\"]\n\n1.e4 {x} e5 *"), None);
    check(Err("the file is gone"), Some("the file is gone"));
    let other = Some("where a game was stands something else now");
    check(Ok(b""), other);
    check(Ok(b"\n\n"), other);
    check(Ok(b"[A \"b\"]\n\n1.e4 e5 *\n[A \"c\"]"), other);
    check(Ok(b"[A \"b\"]\n\n1.e4 *"), Some("a game has other moves than before"));
}
