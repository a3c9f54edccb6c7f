//! Tools of the assistant: their names, parameters and results, and the functions that run them.

use serde_json::{Map, Value, json};

use super::asked::Asked;
use super::messages::{Answer, ErrorCode};
use super::{counts, games, inputs, one, queries};

/// Result of a tool.
pub(super) enum Outcome {
    Text(String),
    /// Structured value, with its essence as text: some clients show the value, others the text.
    Value(Value, String),
    /// Refusal with a reason; the assistant may correct its request.
    Refused(String),
}

struct Tool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [Parameter],
    /// Fields of its value; empty for a tool that returns only text.
    gives: &'static [Field],
}

impl Tool {
    /// Whether the tool reads games, which takes time.
    fn reads_games(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == SECONDS.name)
    }
}

/// Field of a value.
struct Field {
    name: &'static str,
    kind: FieldKind,
    /// Whether the field is always present.
    is_certain: bool,
    description: &'static str,
}

#[derive(Clone, Copy)]
enum FieldKind {
    Boolean,
    Integer,
    Number,
    Text,
    Texts,
    Object,
    Objects,
}

/// Creates a field that is always present.
const fn certain(name: &'static str, kind: FieldKind, description: &'static str) -> Field {
    Field { name, kind, is_certain: true, description }
}

/// Creates a field that is present only if it has a value.
const fn maybe(name: &'static str, kind: FieldKind, description: &'static str) -> Field {
    Field { name, kind, is_certain: false, description }
}

/// Parameter of a tool.
struct Parameter {
    name: &'static str,
    kind: ParamType,
    description: &'static str,
}

enum ParamType {
    /// Required text.
    Text,
    /// Optional text.
    MaybeText,
    /// Optional number: its default and its maximum.
    Number(u64, u64),
    /// Required number.
    Place,
    /// Optional list of texts.
    Texts,
}

impl ParamType {
    fn is_required(&self) -> bool {
        matches!(self, ParamType::Text | ParamType::Place)
    }

    /// Returns whether a value is of this kind, and the description of the kind.
    fn fits(&self, value: &Value) -> (bool, String) {
        let (is_right, what) = match self {
            ParamType::Text | ParamType::MaybeText => (value.is_string(), "a string"),
            ParamType::Number(_, most) if *most < u64::MAX => {
                let is_right = value.as_u64().is_some_and(|n| (1..=*most).contains(&n));
                return (is_right, format!("a number from 1 to {most}"));
            }
            ParamType::Number(..) | ParamType::Place => {
                (value.as_u64().is_some_and(|n| n > 0), "a number of at least 1")
            }
            ParamType::Texts => {
                let texts = value.as_array();
                let is_right = texts.is_some_and(|texts| texts.iter().all(Value::is_string));
                (is_right, "an array of strings")
            }
        };
        (is_right, what.to_owned())
    }
}

const QUERY: Parameter = Parameter {
    name: "query",
    kind: ParamType::Text,
    description: "The query in CQL; the header `cql()` is optional",
};

const SECONDS: Parameter = Parameter {
    name: "seconds",
    kind: ParamType::Number(10, 60),
    description: "Time limit; when it is reached, the results so far are returned",
};

const ENDED_BY: Field =
    maybe("ended_by", FieldKind::Text, "Reason for ending before the last game: limit, time");

const FAULTS: Field = maybe("faults", FieldKind::Integer, "Number of games and files with faults");

const FIRST_FAULTS: Field = maybe("first_faults", FieldKind::Texts, "The first faults");

const WARNINGS: Field =
    maybe("warnings", FieldKind::Texts, "Parts of the query that are probably not meant");

/// Description of the columns of a game.
const FOUND: &str = "The games by columns: input, game (the number of the game), game_in_input, \
                     event, site, round, date, year, white, black, white_elo, black_elo, eco, \
                     result, positions (number of matches), sort, comments of the query; and \
                     first_positions: ply, move_number, side, fen, san, next_san, comments";

const TOOLS: &[Tool] = &[
    Tool {
        name: "check",
        title: "Check a query",
        description: "Reports errors and warnings of a query, with places and corrections. Does \
                      not search.",
        parameters: &[QUERY],
        gives: &[
            certain("valid", FieldKind::Boolean, "Whether the query has no errors"),
            certain("total", FieldKind::Integer, "Number of diagnostics"),
            certain(
                "diagnostics",
                FieldKind::Objects,
                "severity, code, line, column, message, help; if there is a fix, the text to \
                 replace and its replacement",
            ),
        ],
    },
    Tool {
        name: "explain",
        title: "Explain a query",
        description: "Explains the meaning of a query in words.",
        parameters: &[QUERY],
        gives: &[],
    },
    Tool {
        name: "search",
        title: "Search the games",
        description: "Returns the first games that match a query, or the best of all games if the \
                      query sorts them (`sort`): players, event, date, result, the matching \
                      positions with their moves, and the comments of the query.",
        parameters: &[
            QUERY,
            Parameter {
                name: "limit",
                kind: ParamType::Number(10, 200),
                description: "Number of games to return",
            },
            Parameter {
                name: "from",
                kind: ParamType::Number(1, u64::MAX),
                description: "Number of the first game to search, such as `next` of the previous \
                              search",
            },
            SECONDS,
        ],
        gives: &[
            certain("games", FieldKind::Objects, FOUND),
            maybe(
                "total",
                FieldKind::Integer,
                "Number of matching games, if all games were searched",
            ),
            maybe(
                "matches_so_far",
                FieldKind::Integer,
                "Number of matching games among those searched in time",
            ),
            certain("searched_up_to", FieldKind::Integer, "Number of the last game searched"),
            ENDED_BY,
            maybe("next", FieldKind::Integer, "Value of `from` for the next search"),
            FAULTS,
            FIRST_FAULTS,
            WARNINGS,
        ],
    },
    Tool {
        name: "count",
        title: "Count games",
        description: "Counts the games and positions that match a query, in total or in groups.",
        parameters: &[
            QUERY,
            Parameter {
                name: "by",
                kind: ParamType::Texts,
                description: "Columns to group by, such as white, black, result, year, eco, event",
            },
            Parameter {
                name: "limit",
                kind: ParamType::Number(50, 500),
                description: "Number of groups to return, largest first",
            },
            SECONDS,
        ],
        gives: &[
            certain("games", FieldKind::Integer, "Number of matching games"),
            certain("positions", FieldKind::Integer, "Number of matching positions"),
            certain("searched", FieldKind::Integer, "Number of games searched"),
            maybe(
                "groups",
                FieldKind::Objects,
                "Groups by the columns, each with its games and positions",
            ),
            maybe("total_groups", FieldKind::Integer, "Number of groups"),
            ENDED_BY,
            FAULTS,
            FIRST_FAULTS,
            WARNINGS,
        ],
    },
    Tool {
        name: "themes",
        title: "Count themes",
        description: "Counts the games and positions that show a theme: forks, pins, sacrifices, \
                      mates and others. In other tools, `theme(\"fork\")` is a condition of the \
                      query.",
        parameters: &[
            Parameter {
                name: "themes",
                kind: ParamType::Texts,
                description: "Names of themes, such as fork; all themes without it",
            },
            Parameter {
                name: "query",
                kind: ParamType::MaybeText,
                description: "Conditions on the position of the theme and on the game, such as \
                              `year >= 2020 wtm`",
            },
            SECONDS,
        ],
        gives: &[
            certain(
                "themes",
                FieldKind::Objects,
                "theme, games, positions, meaning of each, the most frequent first",
            ),
            certain("searched", FieldKind::Integer, "Number of games searched"),
            ENDED_BY,
            FAULTS,
            FIRST_FAULTS,
        ],
    },
    Tool {
        name: "stats",
        title: "Statistics of the games",
        description: "Counts what is in all games: results, players, events, openings, dates, \
                      moves, comments, faults.",
        parameters: &[
            Parameter {
                name: "top",
                kind: ParamType::Number(10, 100),
                description: "Number of names to return of each kind, the most frequent ones",
            },
            SECONDS,
        ],
        gives: &[
            certain("files", FieldKind::Integer, "Number of files and members of archives"),
            certain("bytes", FieldKind::Integer, "Number of bytes of the games"),
            certain("games", FieldKind::Integer, "Number of games"),
            certain("games_left_out", FieldKind::Integer, "Number of unreadable games"),
            certain("positions", FieldKind::Integer, "Number of positions, with variations"),
            certain("plies", FieldKind::Integer, "Number of half-moves of main lines"),
            certain("average_plies", FieldKind::Number, "Average number of half-moves"),
            certain("longest_game_plies", FieldKind::Integer, "Half-moves of the longest game"),
            certain("games_of_unknown_rules", FieldKind::Integer, "Games without counted moves"),
            certain("variations", FieldKind::Integer, "Number of variations"),
            certain("games_with_variations", FieldKind::Integer, "Number of games with them"),
            certain("comments", FieldKind::Integer, "Number of comments"),
            certain("annotation_glyphs", FieldKind::Integer, "Number of annotation glyphs"),
            certain("games_from_fen", FieldKind::Integer, "Number of games that start from a FEN"),
            certain("games_with_date", FieldKind::Integer, "Number of games with a year"),
            maybe("first_date", FieldKind::Text, "The first date"),
            maybe("last_date", FieldKind::Text, "The last date"),
            certain("results", FieldKind::Objects, "name, count of each, like the following ones"),
            certain("distinct_players", FieldKind::Integer, "Number of players"),
            certain("players", FieldKind::Objects, "The most frequent players"),
            certain("distinct_events", FieldKind::Integer, "Number of events"),
            certain("events", FieldKind::Objects, "The most frequent events"),
            certain("openings", FieldKind::Objects, "The most frequent ECO codes"),
            certain("variants", FieldKind::Objects, "The most frequent variants"),
            certain("tags", FieldKind::Objects, "The most frequent names of tags"),
            certain("faulty_games", FieldKind::Integer, "Number of games with faults in the text"),
            certain("kinds_of_faults", FieldKind::Objects, "Faults in the text by kind"),
            ENDED_BY,
            FAULTS,
            FIRST_FAULTS,
        ],
    },
    Tool {
        name: "tree",
        title: "Moves played from a position",
        description: "Counts the moves played from a position, with results, ratings and an \
                      example of each (opening tree). A game counts if it has the position, \
                      whatever the moves that lead to it.",
        parameters: &[
            Parameter {
                name: "position",
                kind: ParamType::MaybeText,
                description: "Moves such as `1.e4 c5 2.Nf3`, the name of an opening such as `Najdorf`, or a \
                              FEN; the normal start without it",
            },
            Parameter {
                name: "depth",
                kind: ParamType::Number(1, 12),
                description: "Number of half-moves after the position",
            },
            Parameter {
                name: "limit",
                kind: ParamType::Number(50, 500),
                description: "Number of moves to return, the most frequent ones",
            },
            SECONDS,
        ],
        gives: &[
            certain("fen", FieldKind::Text, "The position"),
            certain("line", FieldKind::Texts, "Moves that lead to it, if it was given by moves"),
            maybe("opening", FieldKind::Text, "Name of the opening with the position"),
            certain("searched", FieldKind::Integer, "Number of games searched"),
            certain("games", FieldKind::Integer, "Number of games with the position"),
            certain("white", FieldKind::Integer, "Number of them that White won"),
            certain("draws", FieldKind::Integer, "Number of draws"),
            certain("black", FieldKind::Integer, "Number of them that Black won"),
            maybe("elo", FieldKind::Integer, "Average rating of the player to move"),
            maybe("performance", FieldKind::Integer, "Performance of this player"),
            certain("rated", FieldKind::Integer, "Number of games of the performance"),
            maybe("score", FieldKind::Number, "Score of this player, from 0 to 1"),
            maybe("score_low", FieldKind::Number, "Lower end of its 95 % interval"),
            maybe("score_high", FieldKind::Number, "Upper end of the interval"),
            maybe("expected_score", FieldKind::Number, "Score that the ratings let expect"),
            maybe("last_year", FieldKind::Integer, "Year of the last game"),
            maybe("example", FieldKind::Object, "Game of the strongest players"),
            certain("ends", FieldKind::Integer, "Number of games that end there"),
            certain(
                "moves",
                FieldKind::Objects,
                "move, uci, games, white, draws, black, elo, performance, rated, score, score_low, score_high, \
                 expected_score, last_year, example, and the moves that follow",
            ),
            maybe(
                "min_games",
                FieldKind::Integer,
                "Moves in fewer games are left out because of `limit`",
            ),
            ENDED_BY,
            FAULTS,
            FIRST_FAULTS,
        ],
    },
    Tool {
        name: "game",
        title: "Show a game",
        description: "Returns one game by its number, as given by a search: its tags, its moves \
                      with their comments, and its PGN with variations.",
        parameters: &[
            Parameter {
                name: "game",
                kind: ParamType::Place,
                description: "Number of the game, counted from 1 through all inputs",
            },
            SECONDS,
        ],
        gives: &[
            certain("game", FieldKind::Integer, "Number of the game, as requested"),
            certain("input", FieldKind::Text, "Input that contains the game"),
            certain("game_in_input", FieldKind::Integer, "Number of the game in this input"),
            maybe("event", FieldKind::Text, "A tag, like the following ones"),
            maybe("site", FieldKind::Text, "A tag"),
            maybe("round", FieldKind::Text, "A tag"),
            maybe("date", FieldKind::Text, "The date, if it is known"),
            maybe("year", FieldKind::Integer, "The year, if it is known"),
            maybe("white", FieldKind::Text, "Player with the white pieces"),
            maybe("black", FieldKind::Text, "Player with the black pieces"),
            maybe("white_elo", FieldKind::Integer, "Rating of White"),
            maybe("black_elo", FieldKind::Integer, "Rating of Black"),
            maybe("eco", FieldKind::Text, "ECO code of the opening"),
            maybe("result", FieldKind::Text, "Result of the game"),
            certain("tags", FieldKind::Object, "All tags as written in the file"),
            certain(
                "moves",
                FieldKind::Objects,
                "The moves of the main line: ply, move_number, side, san, nags, comments",
            ),
            certain("n_moves", FieldKind::Integer, "Number of moves"),
            certain("n_variations", FieldKind::Integer, "Number of variations in the PGN"),
            maybe("comments", FieldKind::Texts, "The comment before the first move"),
            certain("pgn", FieldKind::Text, "The game as PGN"),
            maybe("pgn_is_cut", FieldKind::Boolean, "Whether the PGN is cut because of its length"),
        ],
    },
    Tool {
        name: "inputs",
        title: "Searched files",
        description: "Lists the searched files with their numbers of games and bytes, and their \
                      archives.",
        parameters: &[SECONDS],
        gives: &[
            certain("inputs", FieldKind::Objects, "input, games, bytes of each"),
            certain("total", FieldKind::Integer, "Number of inputs"),
            certain("games", FieldKind::Integer, "Number of their games"),
            maybe("bytes", FieldKind::Integer, "Size of their files in bytes"),
            maybe("archives", FieldKind::Objects, "archive, games, bytes of each"),
            ENDED_BY,
            FAULTS,
            FIRST_FAULTS,
        ],
    },
    Tool {
        name: "words",
        title: "The reference",
        description: "Returns the reference entry of a word or sign of the language, or of the \
                      code of a diagnostic; without one, the list of all words.",
        parameters: &[Parameter {
            name: "word",
            kind: ParamType::MaybeText,
            description: "A word such as `path`, a sign such as `->`, a code such as E0203",
        }],
        gives: &[],
    },
    Tool {
        name: "cookbook",
        title: "The cookbook",
        description: "Returns tested queries by theme: openings, tactics, mates, endgames, pawn \
                      structures, studies, statistics. Without words, the list of all recipes.",
        parameters: &[Parameter {
            name: "find",
            kind: ParamType::MaybeText,
            description: "Words in the theme, the title or the text, such as `knight fork`",
        }],
        gives: &[],
    },
];

/// Returns the list of tools; without `has_values`, for older versions of the protocol, it has no
/// output schemas.
pub(super) fn list(has_values: bool) -> Value {
    let tools = TOOLS.iter().map(|tool| {
        let parameters = tool.parameters.iter();
        let properties: Map<String, Value> =
            parameters.map(|parameter| (parameter.name.to_owned(), schema(parameter))).collect();
        let required = tool.parameters.iter();
        let required = required.filter(|parameter| parameter.kind.is_required());
        let required: Vec<&str> = required.map(|parameter| parameter.name).collect();
        let mut listed = json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": {
                "type": "object", "properties": properties, "required": required,
                "additionalProperties": false,
            },
            "annotations": {
                "title": tool.title, "readOnlyHint": true, "idempotentHint": true,
                "openWorldHint": false,
            },
        });
        if has_values && !tool.gives.is_empty() {
            listed["outputSchema"] = output_schema(tool.gives);
        }
        listed
    });
    tools.collect()
}

fn output_schema(fields: &[Field]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut schema = match field.kind {
                FieldKind::Boolean => json!({ "type": "boolean" }),
                FieldKind::Integer => json!({ "type": "integer" }),
                FieldKind::Number => json!({ "type": "number" }),
                FieldKind::Text => json!({ "type": "string" }),
                FieldKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
                FieldKind::Object => json!({ "type": "object" }),
                FieldKind::Objects => json!({ "type": "array", "items": { "type": "object" } }),
            };
            schema["description"] = json!(field.description);
            (field.name.to_owned(), schema)
        })
        .collect();
    let certain = fields.iter().filter(|field| field.is_certain);
    let certain: Vec<&str> = certain.map(|field| field.name).collect();
    json!({ "type": "object", "properties": properties, "required": certain })
}

fn schema(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        ParamType::Text | ParamType::MaybeText => json!({ "type": "string" }),
        ParamType::Number(default, u64::MAX) => {
            json!({ "type": "integer", "minimum": 1, "default": default })
        }
        ParamType::Number(default, most) => {
            json!({ "type": "integer", "minimum": 1, "maximum": most, "default": default })
        }
        ParamType::Place => json!({ "type": "integer", "minimum": 1 }),
        ParamType::Texts => json!({ "type": "array", "items": { "type": "string" } }),
    };
    schema["description"] = json!(parameter.description);
    schema
}

fn named(params: &Value) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| params["name"] == tool.name)
}

/// Whether a call is of a tool that reads games.
pub(super) fn reads_games(params: &Value) -> bool {
    named(params).is_some_and(Tool::reads_games)
}

/// Runs a tool.
pub(super) fn call(params: &Value, asked: &Asked<'_>, has_values: bool) -> Answer {
    let tool = named(params).ok_or_else(|| {
        let name = params["name"].as_str().unwrap_or_default();
        let message = format!("there is no tool `{name}`");
        (ErrorCode::InvalidParams, message)
    })?;
    // Wrong arguments are reported to the assistant as text, so that it can correct them.
    let outcome = ToolArgs::new(tool, &params["arguments"])
        .and_then(|given| carry_out(tool, &given, asked))
        .unwrap_or_else(Outcome::Refused);
    let (text, value, is_error) = match outcome {
        Outcome::Text(text) => (text, None, false),
        Outcome::Refused(text) => (text, None, true),
        Outcome::Value(value, text) if has_values => (text, Some(value), false),
        Outcome::Value(value, _) => (value.to_string(), None, false),
    };
    let mut result = json!({ "content": [{ "type": "text", "text": text }], "isError": is_error });
    if let Some(value) = value {
        result["structuredContent"] = value;
    }
    Ok(result)
}

fn carry_out(tool: &Tool, given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    match tool.name {
        "check" => Ok(queries::check(given.text("query"))),
        "explain" => Ok(queries::explain(given.text("query"))),
        "words" => Ok(queries::words(given.text("word"))),
        "cookbook" => Ok(queries::cookbook(given.text("find"), asked.subcommands)),
        "count" => games::count(given, asked),
        "themes" => games::themes(given, asked),
        "stats" => counts::stats(given, asked),
        "tree" => counts::tree(given, asked),
        "game" => one::game(given, asked),
        "inputs" => inputs::inputs(given, asked),
        _ => games::search(given, asked),
    }
}

/// Arguments of a call, checked against the parameters of the tool.
pub(super) struct ToolArgs<'a> {
    tool: &'static Tool,
    arguments: Option<&'a Map<String, Value>>,
}

impl<'a> ToolArgs<'a> {
    fn new(tool: &'static Tool, arguments: &'a Value) -> Result<ToolArgs<'a>, String> {
        let arguments = match arguments {
            Value::Null => None,
            Value::Object(arguments) => Some(arguments),
            _ => return Err("expected an object as arguments".to_owned()),
        };
        for (name, value) in arguments.into_iter().flatten() {
            let mut parameters = tool.parameters.iter();
            let parameter = parameters.find(|parameter| parameter.name == name);
            let parameter =
                parameter.ok_or_else(|| format!("`{}` has no parameter `{name}`", tool.name))?;
            let (is_right, what) = parameter.kind.fits(value);
            if !is_right {
                return Err(format!("`{name}` is {what}"));
            }
        }
        let given = ToolArgs { tool, arguments };
        let mut required = tool.parameters.iter();
        let missing = required
            .find(|parameter| parameter.kind.is_required() && given.get(parameter.name).is_none());
        match missing {
            Some(parameter) => Err(format!("`{}` is missing", parameter.name)),
            None => Ok(given),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.arguments.and_then(|arguments| arguments.get(name))
    }

    /// Returns a text; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns a list of texts; empty if it is missing.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.get(name).and_then(Value::as_array);
        let texts = texts.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// Returns a number, or else its default.
    pub(super) fn number(&self, name: &str) -> u64 {
        let mut parameters = self.tool.parameters.iter();
        let default = match parameters.find(|parameter| parameter.name == name) {
            Some(Parameter { kind: ParamType::Number(default, _), .. }) => *default,
            _ => 0,
        };
        self.get(name).and_then(Value::as_u64).unwrap_or(default)
    }
}
