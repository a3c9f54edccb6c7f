//! Returns one game by its number, as a tool and as a resource.

use std::ops::ControlFlow;

use babson::Query;
use engine::{
    CompileOptions, GameRow, LARGEST_OUTPUT_BUFFER, MovetextMove, RowWriter, WritingRules,
};
use pgn::decode;
use serde_json::{Map, Value, json};
use syntax::tree::CommentLevel;
use table::counted;

use super::asked::Asked;
use super::call::{Outcome, ToolArgs};
use super::games::{Faults, Passed, TimedPass, compiled};
use super::inputs;
use super::messages::{Answer, ErrorCode};
use super::shown::{Columns, line, side, text};

/// Maximum size of a game as PGN, in bytes.
const MOST_PGN: usize = 100_000;

/// Maximum number of moves that are listed.
const MOST_MOVES: usize = 600;

/// Maximum number of tags that are listed.
const MOST_TAGS: usize = 100;

/// Maximum length of a comment in the list of moves, in characters; the PGN has the whole comment.
const LONGEST_COMMENT: usize = 500;

/// Prefix of the URI of a game.
const GAME: &str = "cql:game/";

/// URI of the list of inputs.
const INPUTS: &str = "cql:inputs";

/// Maximum time for a resource, in seconds.
const SECONDS: u64 = 60;

/// Returns a game.
pub(super) fn game(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let number = given.number("game");
    let (pgn, mut told) = found(number, given.number("seconds"), asked)?;
    let moves = told["moves"].as_array().into_iter().flatten();
    let moves: Vec<String> = moves.map(in_words).collect();
    let text = format!("{}\n{}", line(&told), moves.join(" "));
    if pgn.len() > MOST_PGN {
        told["pgn_is_cut"] = json!(true);
    }
    told["pgn"] = json!(decode(pgn.get(..MOST_PGN).unwrap_or(&pgn)));
    Ok(Outcome::Value(told, text))
}

/// Formats a move as in movetext.
fn in_words(told: &Value) -> String {
    let san = told["san"].as_str().unwrap_or_default();
    if told["side"] == "white" { format!("{}. {san}", told["move_number"]) } else { san.to_owned() }
}

/// Returns a game as PGN and as a value.
fn found(number: u64, seconds: u64, asked: &Asked<'_>) -> Result<(Vec<u8>, Value), String> {
    let none = || format!("there is no game {number}");
    let place = i32::try_from(number).map_err(|_| none())?;
    let options = CompileOptions {
        gamenumber: Some((place, place)),
        // The query must not add comments to the game.
        level: Some(CommentLevel::Silent),
        output_buffer: Some(LARGEST_OUTPUT_BUFFER),
        writing: WritingRules {
            all_comments: true,
            keeps_letters: true,
            ..WritingRules::default()
        },
        ..CompileOptions::default()
    };
    let program = compiled("cql() true", &[], &options)?;
    Describer::new(&program)?;
    let mut texts: Option<[Vec<u8>; 2]> = None;
    let mut faults = Faults::default();
    let query = Query::new(program.clone());
    let described = query.clone().with_writer(move || {
        let describer = Describer::new(&program).ok();
        describer.map(|one| Box::new(one) as Box<dyn RowWriter>)
    });
    let pass = TimedPass::new(asked, [query, described], seconds)?;
    let Passed { summary, is_late } = pass.run(&mut |chunk| {
        faults.note(&chunk.output);
        let mut results = chunk.output.results.into_iter();
        if let (Some(pgn), Some(described)) = (results.next(), results.next())
            && !pgn.matches.is_empty()
        {
            texts = Some([pgn.text, described.text]);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    match texts {
        Some([pgn, described]) => {
            let told = serde_json::from_slice(&described).map_err(|error| error.to_string())?;
            Ok((pgn, told))
        }
        None if is_late => Err(format!("time ran out before game {number}")),
        None if summary.n_games < number => {
            let there = if summary.n_games == 1 { "there is" } else { "there are" };
            Err(format!("{}: {there} {}", none(), counted(summary.n_games, "game")))
        }
        None => Err(format!(
            "game {number} cannot be shown: {}",
            faults.first().unwrap_or("it has no positions")
        )),
    }
}

/// Writes all details of a game.
#[derive(Debug)]
struct Describer(Columns);

impl Describer {
    fn new(program: &engine::Program) -> Result<Describer, String> {
        Columns::new(program, "").map(Describer)
    }
}

impl RowWriter for Describer {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let mut told = self.0.of(row);
        let tags =
            row.tags.iter().take(MOST_TAGS).map(|(name, value)| (text(name), json!(text(value))));
        told.insert("tags".to_owned(), Value::Object(tags.collect()));
        let line: Vec<_> = row.main_line().enumerate().collect();
        let (start, moves) = line.split_at(usize::from(!line.is_empty()));
        told.insert("n_moves".to_owned(), json!(moves.len()));
        told.insert("n_variations".to_owned(), json!(row.n_variations()));
        let listed: Vec<Value> = moves.iter().copied().take(MOST_MOVES).map(described).collect();
        told.insert("moves".to_owned(), listed.into());
        if let Some((_, start)) = start.first()
            && !start.comments.is_empty()
        {
            told.insert("comments".to_owned(), comments(&start.comments));
        }
        out.extend(Value::from(told).to_string().bytes());
    }

    fn wants_positions(&self) -> bool {
        false
    }

    fn wants_movetext(&self) -> bool {
        true
    }
}

/// Returns the comments of a move in the form of their column.
fn comments(comments: &[Vec<u8>]) -> Value {
    let cut = |comment: &Vec<u8>| decode(comment).chars().take(LONGEST_COMMENT).collect();
    json!(comments.iter().map(cut).collect::<Vec<String>>())
}

/// Returns a move, which is the one with this number from the start of the game.
fn described((ply, one): (usize, &MovetextMove)) -> Value {
    let mut told = Map::new();
    told.insert("ply".to_owned(), json!(ply));
    told.insert("move_number".to_owned(), json!(one.number));
    told.insert("side".to_owned(), json!(side(one.side)));
    told.insert("san".to_owned(), json!(one.san));
    if !one.nags.is_empty() {
        told.insert("nags".to_owned(), json!(one.nags));
    }
    if !one.comments.is_empty() {
        told.insert("comments".to_owned(), comments(&one.comments));
    }
    told.into()
}

/// Returns the list of resources.
pub(super) fn resources() -> Value {
    json!({ "resources": [{
        "uri": INPUTS, "name": "inputs", "title": "Searched files",
        "mimeType": "application/json",
    }] })
}

/// Returns the template for games, which are too many to list.
pub(super) fn templates() -> Value {
    json!({ "resourceTemplates": [{
        "uriTemplate": format!("{GAME}{{game}}"), "name": "game", "title": "Game by its number",
        "mimeType": "application/vnd.chess-pgn",
    }] })
}

/// Returns the text of a resource.
pub(super) fn read(params: &Value, asked: &Asked<'_>) -> Answer {
    let uri = params["uri"].as_str().unwrap_or_default();
    let missing = |message: String| (ErrorCode::ResourceNotFound, message);
    let (kind, text) = if uri == INPUTS {
        let listed = inputs::listed(SECONDS, asked).map_err(missing)?;
        ("application/json", listed.to_string())
    } else {
        let number = uri.strip_prefix(GAME).and_then(|number| number.parse().ok());
        let number = number.filter(|number| *number > 0);
        let number = number.ok_or_else(|| missing(format!("there is no resource `{uri}`")))?;
        let (pgn, _) = found(number, SECONDS, asked).map_err(missing)?;
        ("application/vnd.chess-pgn", decode(&pgn).into_owned())
    };
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": kind, "text": text }] }))
}
