//! Tables made through the public interface.

use std::sync::Arc;

use engine::{
    CompileOptions, GameWorker, NamedExpression, Program, QueryResults, QueryWorker, Source,
    compile, search,
};
use flow::{Output, Worker};
use table::{CellType, OutputFormat, Per, Table, TableError, TableOptions, Totals};

const GAMES: &[u8] = b"[White \"Fool\"]\n[Date \"1987.06.05\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n
[White \"Scholar\"]\n[Date \"1987.??.??\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

fn program(query: &str, value: Option<&str>) -> Arc<Program> {
    let source = Source { name: "query", text: query.as_bytes() };
    let values = value.map(|text| NamedExpression {
        name: "value".to_owned(),
        source: "value".to_owned(),
        text: text.as_bytes().to_vec(),
    });
    let options =
        CompileOptions { values: values.into_iter().collect(), ..CompileOptions::default() };
    compile(&source, &[], &options).program.expect("a correct query")
}

fn names(names: &str) -> Vec<String> {
    names.split_whitespace().map(str::to_owned).collect()
}

/// Returns the table of the games, written row by row.
fn by_rows(program: &Arc<Program>, table: &Table) -> Vec<u8> {
    let mut writer = table.begin(Vec::new()).expect("begun");
    for game in search(program, GAMES) {
        writer.row(&game.expect("no faults").row).expect("written");
    }
    writer.finish(&Totals::default()).expect("written")
}

/// Returns the table of the games, written chunk by chunk by a worker with a row writer.
fn by_chunks(program: &Arc<Program>, table: &Table) -> Vec<u8> {
    by_chunks_of(GAMES, program, table)
}

fn by_chunks_of(games: &[u8], program: &Arc<Program>, table: &Table) -> Vec<u8> {
    let query = QueryWorker::new(program.clone(), Arc::default());
    let mut worker = GameWorker::new([match table.row_writer() {
        Some(rows) => query.with_writer(rows),
        None => query,
    }]);
    let mut writer = table.begin(Vec::new()).expect("begun");
    let mut splitter = pgn::Splitter::default();
    for (index, game) in splitter.split(games, true).enumerate() {
        let mut out: Output<Vec<QueryResults>> = Output::default();
        worker.game(&game, index as u64 + 1, &mut out);
        writer.chunk(&out.results[0]).expect("written");
    }
    writer.finish(&Totals::default()).expect("written")
}

/// Writes the games that a query finds as JSON.
fn objects(query: &str, games: &str) -> String {
    let program = program(query, None);
    let options = TableOptions { format: OutputFormat::JsonGames, ..TableOptions::default() };
    let table = Table::new(&program, &options).expect("a table");
    let written = by_chunks_of(games.as_bytes(), &program, &table);
    let written = String::from_utf8(written).expect("text");
    assert!(written.starts_with(&table.first_line().expect("a start")), "{written}");
    written
}

#[test]
fn a_game_is_an_object_with_its_moves() {
    let game = "[White \"A \\\"B\\\"\"]\n[Result \"0-1\"]\n\n{first} 1. f3 $6 { [%eval -0.5] \
                [%clk 0:01:05] } e5 2. g4 Qh4# {[%eval #-1]} 0-1\n";
    assert_eq!(
        objects("cql() mate comment(\"the end\")", game),
        concat!(
            r#"{"tags":{"White":"A \"B\"","Result":"0-1"},"result":"0-1","#,
            r#""fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","#,
            r#""comment":"first","moves":["f3","e5","g4","Qh4#"],"#,
            r#""nags":[[6],null,null,null],"#,
            r##""comments":["[%eval -0.5] [%clk 0:01:05]",null,null,"[%eval #-1] the end"],"##,
            r##""clocks":[65,null,null,null],"evals":["-0.50",null,null,"#-1"],"pgn":null}"##,
            "\n"
        )
    );
}

#[test]
fn a_game_with_variations_keeps_its_pgn() {
    let written = objects("cql() initial", "[White \"A\"]\n\n1. e4 (1. d4 d5) 1... e5 *\n");
    assert!(written.contains(r#""moves":["e4","e5"],"nags":[],"comments":[]"#), "{written}");
    let text = r#""pgn":"[White \"A\"]\n\n1. e4 ( 1. d4 d5 ) 1... e5 *\n"}"#;
    assert!(written.contains(text), "{written}");
}

#[test]
fn rows_and_chunks_come_to_the_same() {
    let program = program("cql() mate", Some("ply > 4"));
    let check = |options: TableOptions, expected: &str| {
        let table = Table::new(&program, &options).expect("a table");
        let written = by_rows(&program, &table);
        assert_eq!(String::from_utf8_lossy(&written), expected, "{options:?}");
        assert_eq!(by_chunks(&program, &table), written, "{options:?}");
    };
    let options = |format, columns| TableOptions {
        format,
        columns: names(columns),
        ..TableOptions::default()
    };
    check(
        options(OutputFormat::Csv, "White date ply value"),
        "White,date,ply,value\nFool,1987-06-05,4,\nScholar,,7,7\n",
    );
    check(
        options(OutputFormat::Jsonl, "year san"),
        "{\"year\":1987,\"san\":\"Qh4#\"}\n{\"year\":1987,\"san\":\"Qxf7#\"}\n",
    );
    check(
        TableOptions { per: Per::Game, ..options(OutputFormat::Tsv, "game positions") },
        "game\tpositions\n1\t1\n2\t1\n",
    );
    check(
        options(OutputFormat::Fen, ""),
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n\
         r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\n",
    );
    check(options(OutputFormat::Count, ""), "games  positions\n    2          2\n");
    check(
        TableOptions { counts: Some(names("year value")), ..options(OutputFormat::Csv, "") },
        "year,value,games,positions\n1987,7,1,1\n1987,,1,1\n",
    );
}

#[test]
fn games_themselves_are_copied() {
    let program = program("cql() mate", None);
    let table = Table::new(&program, &TableOptions::default()).expect("PGN");
    let found: Vec<u8> =
        search(&program, GAMES).flat_map(|game| game.expect("no faults").pgn).collect();
    assert_eq!(by_chunks(&program, &table), found);
    assert_eq!(by_rows(&program, &table), b"");
}

#[test]
fn first_lines_are_those_that_are_written() {
    let program = program("cql() mate", None);
    for format in [OutputFormat::Csv, OutputFormat::Tsv, OutputFormat::Jsonl] {
        for counts in [None, Some(names("White result"))] {
            let options = TableOptions { format, counts, ..TableOptions::default() };
            let table = Table::new(&program, &options).expect("a table");
            let first = table.first_line().expect("columns");
            assert!(by_rows(&program, &table).starts_with(first.as_bytes()), "{options:?}");
        }
    }
}

#[test]
fn columns_are_refused_with_advice() {
    let program = program("cql() mate", None);
    let check = |columns: &str, expected: &str| {
        let options = TableOptions {
            format: OutputFormat::Csv,
            per: Per::Game,
            columns: names(columns),
            ..TableOptions::default()
        };
        let error = Table::new(&program, &options).expect_err("refused").to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check("resul", "there is no column 'resul'; did you mean 'result'?; use input, game,");
    check("Whit", "there is no column 'Whit'; did you mean 'White'?");
    check("fen", "the column 'fen' belongs to positions");
}

#[test]
fn tables_of_several_queries_have_columns_of_one_type() {
    let queries = [program("cql() mate", Some("ply")), program("cql() mate", Some("date"))];
    let table = |program: &Program, format| {
        let options =
            TableOptions { format, columns: names("value game"), ..TableOptions::default() };
        Table::of_query(program, "name", &options)
    };
    let both = |format| queries.each_ref().map(|query| table(query, format).expect("columns"));
    let csv = both(OutputFormat::Csv);
    assert_eq!(Table::check_types(&csv), Ok(()));
    let columns: Vec<&str> = csv[0].columns().iter().map(|column| &*column.name).collect();
    assert_eq!(columns, ["query", "value", "game"]);
    let parquet = both(OutputFormat::Parquet);
    let types = parquet.each_ref().map(|table| table.columns()[1].cell_type);
    assert_eq!(types, [CellType::Number, CellType::Text]);
    let mixed = TableError::MixedTypes("value".to_owned());
    assert_eq!(Table::check_types(&parquet), Err(mixed));
    let fen = table(&queries[0], OutputFormat::Fen);
    assert_eq!(fen.expect_err("no columns"), TableError::NoColumns);
}

#[test]
fn a_report_names_the_analysis_board_of_each_game() {
    let program = program("cql() initial", None);
    let options = TableOptions { format: OutputFormat::Html, ..TableOptions::default() };
    let table = Table::new(&program, &options).expect("a report");
    let check = |variant: &str, expected: Option<&str>| {
        let game = format!("[Variant \"{variant}\"]\n\n1. e4 e5 *\n");
        let page = by_chunks_of(game.as_bytes(), &program, &table);
        let page = String::from_utf8(page).expect("text");
        let board = page.split_once(" data-variant=\"").map(|(_, rest)| rest);
        let board = board.and_then(|rest| rest.split('"').next());
        assert_eq!(board, expected, "{variant}");
    };
    check("", None);
    check("A game of ours", None);
    check("Chess960", Some("chess960"));
    check("3check", Some("threeCheck"));
    check("Antichess", Some("antichess"));
    // There is no board with these rules, or none that knows the pieces in hand.
    check("Losers", Some(""));
    check("Crazyhouse", Some(""));
}
