//! Columns of rows: their names, their types, and the values in them.

use engine::{
    Color, GameRow, MoveRow, PositionRow, Program, RowValue, SortKey, UsualTags, ValueType,
};
use pgn::{Date, FREQUENT_TAGS, decode};

use crate::cell::{Cell, store_text_cell};
use crate::day::Day;
use crate::error::TableError;
use crate::format::Per;

/// Column with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Type of its cells.
    pub cell_type: CellType,
    pub(crate) source: ColumnSource,
}

/// Source of the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ColumnSource {
    Game(GameField),
    Tag(Vec<u8>),
    Position(PositionField),
    /// Named expression, by its index.
    Value(usize),
    /// Named expression with one value for the game, by its index.
    GameValue(usize),
    /// All named expressions, with their names.
    Values(Vec<String>),
    /// Sort key, by its index.
    Sort(usize),
    /// Name of the query, in a table with the rows of several queries.
    Query(String),
}

/// Field of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameField {
    Input,
    Number,
    NumberInInput,
    Offset,
    Date,
    Year,
    Elo(Color),
    Result,
    NPositions,
    /// Moves of the main line in standard algebraic notation.
    Moves,
    /// Moves of the main line in UCI notation.
    MovesUci,
    /// All tags.
    Tags,
    /// All comments of the query.
    Comments,
    /// All sort keys.
    Sort,
}

/// Field of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PositionField {
    Id,
    Ply,
    MoveNumber,
    Side,
    San,
    Uci,
    NextSan,
    NextUci,
    Fen,
    Key,
    Comments,
}

/// Type of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellType {
    /// Truth values.
    Bool,
    /// Whole numbers.
    Number,
    /// Texts.
    Text,
    /// Days.
    Date,
    /// Lists of texts.
    List,
    /// Named texts.
    Map,
}

/// Name of the column with the name of the query.
pub(crate) const QUERY: &str = "query";

/// Columns with fixed names, in the order in which messages list them.
const NAMES: [(&str, ColumnName); 32] = {
    use ColumnName as N;
    use GameField as G;
    use PositionField as P;
    [
        ("input", N::Game(G::Input)),
        ("game", N::Game(G::Number)),
        ("game_in_input", N::Game(G::NumberInInput)),
        ("offset", N::Game(G::Offset)),
        ("event", N::Tag("Event")),
        ("site", N::Tag("Site")),
        ("date", N::Game(G::Date)),
        ("year", N::Game(G::Year)),
        ("round", N::Tag("Round")),
        ("white", N::Tag("White")),
        ("black", N::Tag("Black")),
        ("white_elo", N::Game(G::Elo(Color::White))),
        ("black_elo", N::Game(G::Elo(Color::Black))),
        ("eco", N::Tag("ECO")),
        ("result", N::Game(G::Result)),
        ("tags", N::Game(G::Tags)),
        ("moves", N::Game(G::Moves)),
        ("moves_uci", N::Game(G::MovesUci)),
        ("positions", N::Game(G::NPositions)),
        ("sort", N::Game(G::Sort)),
        ("values", N::Values),
        ("comments", N::Comments),
        ("id", N::Position(P::Id)),
        ("ply", N::Position(P::Ply)),
        ("move_number", N::Position(P::MoveNumber)),
        ("side", N::Position(P::Side)),
        ("san", N::Position(P::San)),
        ("uci", N::Position(P::Uci)),
        ("next_san", N::Position(P::NextSan)),
        ("next_uci", N::Position(P::NextUci)),
        ("fen", N::Position(P::Fen)),
        ("zobrist", N::Position(P::Key)),
    ]
};

/// Prefix that makes any name the name of a tag.
pub(crate) const TAG: &str = "tag:";

#[derive(Debug, Clone, Copy)]
enum ColumnName {
    Game(GameField),
    Tag(&'static str),
    Position(PositionField),
    /// Values of the position, or of the game in rows of games.
    Values,
    Comments,
}

impl Column {
    fn new(name: impl Into<String>, source: ColumnSource, program: &Program) -> Column {
        Column { name: name.into(), cell_type: source.cell_type(program), source }
    }

    /// Whether the column is a tag.
    pub(crate) fn is_tag(&self) -> bool {
        matches!(self.source, ColumnSource::Tag(_))
    }

    /// Creates the column with the name of the query.
    pub(crate) fn of_query(name: &str) -> Column {
        Column {
            name: QUERY.to_owned(),
            cell_type: CellType::Text,
            source: ColumnSource::Query(name.to_owned()),
        }
    }

    /// Returns the column of this name in rows of a program.
    pub(crate) fn named(name: &str, per: Per, program: &Program) -> Result<Column, TableError> {
        let source = ColumnSource::named(name, program).ok_or_else(|| unknown(name, program))?;
        if matches!(source, ColumnSource::Tag(_))
            && let Some(meant) = meant_instead(name)
        {
            let name = name.to_owned();
            return Err(TableError::UnlikelyTag { name, meant });
        }
        let source = match (source, per) {
            (ColumnSource::Position(PositionField::Comments), Per::Game) => {
                ColumnSource::Game(GameField::Comments)
            }
            (ColumnSource::Position(_), Per::Game) => {
                return Err(TableError::PositionColumn(name.to_owned()));
            }
            (source, _) => source,
        };
        Ok(Column::new(name, source, program))
    }

    /// Returns the default columns of a table.
    pub(crate) fn of_table(per: Per, program: &Program) -> Vec<Column> {
        let games = "input game game_in_input event site date year round white black white_elo \
                     black_elo result";
        let rest = match per {
            Per::Position => "ply move_number side san uci fen comments",
            Per::Game => "positions",
        };
        let mut columns = known(&format!("{games} {rest}"), per, program);
        let values = program.values().into_iter().enumerate();
        columns.extend(values.map(|(index, (name, _))| {
            Column::new(name, ColumnSource::value(index, program), program)
        }));
        let sorts = program.sort_labels().into_iter().enumerate();
        for (index, label) in sorts {
            let is_taken = columns.iter().any(|column| column.name == label);
            let name = if is_taken { format!("sort_{label}") } else { label };
            columns.push(Column::new(name, ColumnSource::Sort(index), program));
        }
        columns
    }

    /// Returns the default fields of an object.
    pub(crate) fn of_object(per: Per, program: &Program) -> Vec<Column> {
        let mut names =
            "input game game_in_input offset date year white_elo black_elo result tags".to_owned();
        names += match per {
            Per::Position => " id ply move_number side san uci next_san next_uci fen comments",
            Per::Game => " positions comments",
        };
        if !program.values().is_empty() {
            names += " values";
        }
        if !program.sort_labels().is_empty() {
            names += " sort";
        }
        known(&names, per, program)
    }

    /// Appends the value for a game as [`Cell::store`] does.
    pub(crate) fn store(&self, game: &GameRow, out: &mut Vec<u8>) {
        match &self.source {
            ColumnSource::Tag(name) => match game.tag(name) {
                Some(value) => store_text_cell(&decode(value), out),
                None => Cell::Null.store(out),
            },
            _ => self.cell(game, None).store(out),
        }
    }

    /// Returns the value for a game, or for a position of it.
    pub fn cell(&self, game: &GameRow, position: Option<&PositionRow>) -> Cell {
        match &self.source {
            ColumnSource::Game(field) => field.cell(game),
            ColumnSource::Tag(name) => Cell::text(game.tag(name).map(decode)),
            ColumnSource::Position(field) => position.map_or(Cell::Null, |row| field.cell(row)),
            ColumnSource::Value(index) => {
                let values = position.map_or(&game.values, |position| &position.values);
                values.get(*index).map_or(Cell::Null, value_cell)
            }
            ColumnSource::GameValue(index) => {
                game.values.get(*index).map_or(Cell::Null, value_cell)
            }
            ColumnSource::Values(names) => {
                let values = position.map_or(&game.values, |position| &position.values);
                let fields = names.iter().cloned().zip(values.iter().map(value_cell));
                Cell::Object(fields.collect())
            }
            ColumnSource::Sort(index) => {
                let values = game.sort_values.get(*index);
                values.map_or(Cell::Null, |sorted| sort_cell(&sorted.value))
            }
            ColumnSource::Query(name) => Cell::Text(name.clone()),
        }
    }
}

/// Returns the tags that the columns show, if they show no others than usual ones.
pub(crate) fn usual_tags(columns: &[Column]) -> Option<UsualTags> {
    let mut sources = columns.iter().map(|column| &column.source);
    sources.try_fold(UsualTags::default(), |tags, source| Some(tags.with(source.usual_tags()?)))
}

impl ColumnSource {
    /// Returns the tags that the values need, if no others than usual ones.
    fn usual_tags(&self) -> Option<UsualTags> {
        match self {
            ColumnSource::Tag(name) => UsualTags::of([str::from_utf8(name).ok()?]),
            ColumnSource::Game(GameField::Tags) => None,
            ColumnSource::Game(GameField::Date | GameField::Year) => UsualTags::of(["Date"]),
            ColumnSource::Game(GameField::Elo(Color::White)) => UsualTags::of(["WhiteElo"]),
            ColumnSource::Game(GameField::Elo(Color::Black)) => UsualTags::of(["BlackElo"]),
            ColumnSource::Game(
                GameField::Input
                | GameField::Number
                | GameField::NumberInInput
                | GameField::Offset
                | GameField::Result
                | GameField::NPositions
                | GameField::Moves
                | GameField::MovesUci
                | GameField::Comments
                | GameField::Sort,
            )
            | ColumnSource::Position(_)
            | ColumnSource::Value(_)
            | ColumnSource::GameValue(_)
            | ColumnSource::Values(_)
            | ColumnSource::Sort(_)
            | ColumnSource::Query(_) => Some(UsualTags::default()),
        }
    }

    /// Whether the values need the moves of the main line.
    pub(crate) fn needs_moves(&self) -> bool {
        matches!(self, ColumnSource::Game(GameField::Moves | GameField::MovesUci))
    }

    /// Whether the values need the keys of positions.
    pub(crate) fn needs_keys(&self) -> bool {
        matches!(self, ColumnSource::Position(PositionField::Key))
    }

    /// Returns the type of the cells.
    fn cell_type(&self, program: &Program) -> CellType {
        use GameField as G;
        use PositionField as P;
        match *self {
            ColumnSource::Game(
                G::Number | G::NumberInInput | G::Offset | G::Year | G::Elo(_) | G::NPositions,
            )
            | ColumnSource::Position(P::Id | P::Ply | P::MoveNumber) => CellType::Number,
            ColumnSource::Game(G::Date) => CellType::Date,
            ColumnSource::Game(G::Comments | G::Moves | G::MovesUci)
            | ColumnSource::Position(P::Comments) => CellType::List,
            ColumnSource::Game(G::Tags | G::Sort) | ColumnSource::Values(_) => CellType::Map,
            ColumnSource::Game(G::Input | G::Result)
            | ColumnSource::Tag(_)
            | ColumnSource::Position(
                P::Side | P::San | P::Uci | P::NextSan | P::NextUci | P::Fen | P::Key,
            )
            | ColumnSource::Query(_) => CellType::Text,
            ColumnSource::Value(index) | ColumnSource::GameValue(index) => {
                match program.values().get(index).map(|value| value.1) {
                    Some(ValueType::Boolean) => CellType::Bool,
                    Some(ValueType::Number | ValueType::Position) => CellType::Number,
                    Some(ValueType::Squares) => CellType::List,
                    Some(ValueType::Text) | None => CellType::Text,
                }
            }
            ColumnSource::Sort(index) => match program.sort_types().get(index) {
                Some(ValueType::Number) => CellType::Number,
                _ => CellType::Text,
            },
        }
    }

    /// Returns the source of the values of a named expression.
    fn value(index: usize, program: &Program) -> ColumnSource {
        if program.is_value_of_game(index) {
            ColumnSource::GameValue(index)
        } else {
            ColumnSource::Value(index)
        }
    }

    /// Returns the source of the column with this name. Values that the user has named come first,
    /// so that no other column hides them.
    fn named(name: &str, program: &Program) -> Option<ColumnSource> {
        let position = |mut names: Vec<&str>| {
            names.reverse();
            let n = names.len();
            names.iter().position(|known| *known == name).map(|place| n - 1 - place)
        };
        let values = program.values();
        if let Some(index) = position(values.iter().map(|value| value.0).collect()) {
            return Some(ColumnSource::value(index, program));
        }
        if let Some(known) = NAMES.iter().find(|known| known.0 == name) {
            return Some(match known.1 {
                ColumnName::Game(field) => ColumnSource::Game(field),
                ColumnName::Tag(tag) => ColumnSource::Tag(tag.into()),
                ColumnName::Position(field) => ColumnSource::Position(field),
                ColumnName::Values => {
                    ColumnSource::Values(values.iter().map(|value| value.0.to_owned()).collect())
                }
                ColumnName::Comments => ColumnSource::Position(PositionField::Comments),
            });
        }
        let labels = program.sort_labels();
        if let Some(index) = position(labels.iter().map(String::as_str).collect()) {
            return Some(ColumnSource::Sort(index));
        }
        let tag = name.strip_prefix(TAG).or(is_tag_name(name).then_some(name));
        tag.map(|tag| ColumnSource::Tag(tag.into()))
    }
}

/// Whether a column has this name for every query.
pub fn is_column(name: &str) -> bool {
    is_known(name) || is_tag_name(name) || name.starts_with(TAG)
}

/// Whether a value of this name would hide a column or a frequent tag.
pub fn hides_column(name: &str) -> bool {
    is_known(name) || FREQUENT_TAGS.contains(&name)
}

/// Returns the column or tag that a name was surely meant to be, although it could be the name of a
/// tag.
fn meant_instead(name: &str) -> Option<&'static str> {
    let columns = || NAMES.iter().map(|known| known.0).chain(FREQUENT_TAGS);
    if !is_tag_name(name) || columns().any(|known| known == name) {
        return None;
    }
    let folded = |name: &str| name.replace('_', "").to_ascii_lowercase();
    // Tags come first: of two equal spellings, the one with a capital is a tag.
    let alike =
        FREQUENT_TAGS.into_iter().chain(columns()).find(|known| folded(known) == folded(name));
    alike.or_else(|| engine::nearest(name, FREQUENT_TAGS))
}

/// Whether a column with a fixed name has this name, as opposed to a tag.
pub fn is_known(name: &str) -> bool {
    NAMES.iter().any(|known| known.0 == name)
}

/// Whether a name is that of a tag: tags begin with a capital letter, other columns do not.
pub fn is_tag_name(name: &str) -> bool {
    let rest = name.strip_prefix(|c: char| c.is_ascii_uppercase());
    rest.is_some_and(|rest| {
        rest.len() > 1 && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// Returns the fixed column names.
pub fn column_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|known| known.0)
}

fn known(names: &str, per: Per, program: &Program) -> Vec<Column> {
    let columns = names.split_whitespace();
    columns.filter_map(|name| Column::named(name, per, program).ok()).collect()
}

fn unknown(name: &str, program: &Program) -> TableError {
    let mut known: Vec<String> = column_names().map(str::to_owned).collect();
    known.extend(program.values().iter().map(|value| value.0.to_owned()));
    known.extend(program.sort_labels());
    let near = engine::nearest(name, known.iter().map(String::as_str));
    TableError::UnknownColumn { name: name.to_owned(), near: near.map(str::to_owned), known }
}

impl GameField {
    fn cell(self, game: &GameRow) -> Cell {
        match self {
            GameField::Input => Cell::Text(game.input.to_string()),
            GameField::Number => number(game.number),
            GameField::NumberInInput => number(game.number_in_input),
            GameField::Offset => number(game.offset),
            GameField::Date => {
                let Date { year, month, day } = date(game);
                Day::new(year, month, day).map_or(Cell::Null, Cell::Date)
            }
            GameField::Year => match date(game).year {
                0 => Cell::Null,
                year => number(year),
            },
            GameField::Elo(color) => elo(game, color).map_or(Cell::Null, number),
            GameField::Result => Cell::Text(game.result.to_string()),
            GameField::NPositions => number(game.n_positions),
            GameField::Moves => texts(game.moves.iter().map(|mv| mv.san.clone())),
            GameField::MovesUci => texts(game.moves.iter().map(|mv| mv.uci.clone())),
            GameField::Tags => Cell::Object(
                game.tags
                    .iter()
                    .map(|(name, value)| {
                        (decode(name).into_owned(), Cell::Text(decode(value).into()))
                    })
                    .collect(),
            ),
            GameField::Comments => texts(game.comments.iter().map(|comment| decode(&comment.text))),
            GameField::Sort => Cell::Object(
                game.sort_values
                    .iter()
                    .map(|sorted| (sorted.label.clone(), sort_cell(&sorted.value)))
                    .collect(),
            ),
        }
    }
}

impl PositionField {
    fn cell(self, position: &PositionRow) -> Cell {
        let san = |mv: &Option<MoveRow>| Cell::text(mv.as_ref().map(|mv| mv.san.as_str()));
        let uci = |mv: &Option<MoveRow>| Cell::text(mv.as_ref().map(|mv| mv.uci.as_str()));
        match self {
            PositionField::Id => number(position.id),
            PositionField::Ply => number(position.ply),
            PositionField::MoveNumber => number(position.move_number),
            PositionField::Side => Cell::text(Some(match position.side {
                Color::White => "white",
                Color::Black => "black",
            })),
            PositionField::San => san(&position.last_move),
            PositionField::Uci => uci(&position.last_move),
            PositionField::NextSan => san(&position.next_move),
            PositionField::NextUci => uci(&position.next_move),
            PositionField::Fen => Cell::text(Some(position.fen.as_str())),
            PositionField::Key => Cell::Text(format!("{:016x}", position.key)),
            PositionField::Comments => texts(position.comments.iter().map(|text| decode(text))),
        }
    }
}

/// Returns the number in the tag of a player's rating, if it is one.
fn elo(game: &GameRow, color: Color) -> Option<u16> {
    let tag: &[u8] = match color {
        Color::White => b"WhiteElo",
        Color::Black => b"BlackElo",
    };
    let text = game.tag(tag).map(decode).unwrap_or_default();
    text.trim().parse().ok().filter(|&elo: &u16| elo > 0)
}

fn date(game: &GameRow) -> Date {
    Date::parse(game.tag(b"Date").unwrap_or_default())
}

fn texts(items: impl Iterator<Item = impl Into<String>>) -> Cell {
    Cell::List(items.map(|item| Cell::Text(item.into())).collect())
}

fn number(number: impl Into<u64>) -> Cell {
    Cell::Number(i64::try_from(number.into()).unwrap_or(i64::MAX))
}

/// Returns the value of a named expression as a cell.
fn value_cell(value: &RowValue) -> Cell {
    match value {
        RowValue::None => Cell::Null,
        RowValue::Boolean(value) => Cell::Bool(*value),
        RowValue::Number(value) => Cell::Number(*value),
        RowValue::Text(text) => Cell::Text(decode(text).into_owned()),
        RowValue::Squares(squares) => texts(squares.into_iter().map(|square| square.to_string())),
        RowValue::Position(id) => number(*id),
    }
}

pub(crate) fn sort_cell(key: &SortKey) -> Cell {
    match key {
        SortKey::None => Cell::Null,
        SortKey::Number(value) => Cell::Number(*value),
        SortKey::Text(text) => Cell::Text(decode(text).into_owned()),
    }
}
