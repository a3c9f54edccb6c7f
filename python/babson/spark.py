"""Searches on a cluster of Apache Spark.

    from babson import spark as cluster

    rows = cluster.search(spark, "/shared/shards/manifest.json", "mate", columns=["white", "ply"])
    rows.groupBy("ply").count().orderBy("ply").show()

Each shard of the games is one task, which a worker searches with the engine. The results come as a
stream of batches, so memory does not depend on their number. A task depends on nothing but its shard
and the query, so Spark may repeat it: a worker that dies costs time and changes no row. Every worker
needs the package, and must be able to read the games by the same name, which may be an address in
object storage. Games may also be the rows of any DataFrame:

    games = spark.read.parquet("/shared/lichess/*.parquet")
    cluster.search(spark, games, "mate", columns=["ply", "san"], keep=["Site"]).show()

Spark 4 also reads games as a data source (:func:`register`); everything else works with 3.5, too.

This module needs ``pyspark`` with ``pyarrow`` and ``pandas``.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import babson

# Optional packages, some of which have no types.
# mypy: disable-error-code="import-not-found, import-untyped"
if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["count", "faults", "register", "report", "search"]

#: Number of tasks per processor of the cluster, so that none waits long for the last one.
PIECES = 4

_TYPES = {"string": "string", "int64": "bigint", "bool": "boolean", "date32[day]": "date"}


def search(
    spark: SparkSession,
    games: Any,
    query: babson.Text,
    *,
    per: str = "position",
    columns: babson.Names = (),
    keep: babson.Names = (),
    pieces: int | None = None,
    skip_damaged: bool = False,
    **options: Any,
) -> DataFrame:
    """Finds positions (``per="position"``) or games (``per="game"``), as a DataFrame.

    ``games`` are those of :func:`babson.shards`: a manifest of ``cql split``, files, an archive, or
    the shards themselves. Uncompressed files and archives are cut into about ``pieces`` shards.
    ``options`` are those of :func:`babson.compile`. The rows and columns are those of
    :func:`babson.search` on all games; ``sort`` in the query has no effect, since the rows of a
    DataFrame have no order.

    ``games`` may also be a DataFrame with a game in each row: as PGN in a column ``pgn``, or with its
    moves in a column ``movetext`` and its tags in columns of their names, which begin with a capital
    letter. ``keep`` names columns of these rows to add to the results. Such games have no numbers, so
    the columns for the location of a game raise ``ValueError``.

    A shard that cannot be read to its end is an error that names it and its file. With
    ``skip_damaged``, the results up to the damage are kept, and :func:`faults` reports it.

    Raises :class:`babson.QueryError` before anything is submitted.
    """
    columns, keep = babson._names(columns, "columns"), babson._names(keep, "keep")
    task = _Task(query, options)
    if _is_frame(games):
        return _search_rows(games, task, per, columns, keep)
    if keep:
        raise ValueError("keep= names columns of a DataFrame, and the games are none")
    schema = _schema(task.query(), per, columns)

    def rows(query: babson.Query, shard: babson.Shard) -> Iterator[Any]:
        return _batches(query, shard, per, columns)

    return _map(spark, games, pieces, task, rows, schema, skip_damaged)


def register(spark: SparkSession) -> None:
    """Registers the data source ``cql`` with a session of Spark 4 or later:

        cluster.register(spark)
        reader = spark.read.format("cql").option("query", "mate").option("columns", "white,ply")
        reader.load("/shared/shards/manifest.json").show()

    The options ``query``, ``per``, ``columns``, ``dialect``, ``pieces``, ``skip_damaged`` are arguments of
    :func:`search`; several columns are separated by commas. ``values`` is a JSON object. Instead of
    ``columns``, a schema may name the columns: ``spark.read.schema("white string, ply bigint")``. Only
    these columns are computed.
    """
    try:
        from babson._spark_source import CqlDataSource
    except ModuleNotFoundError as error:
        if error.name != "pyspark.sql.datasource":
            raise
        raise RuntimeError(
            "this Spark has no data sources in Python, which need Spark 4: use babson.spark.search"
        ) from None
    spark.dataSource.register(CqlDataSource)


def count(
    spark: SparkSession,
    games: Any,
    query: babson.Text,
    *,
    by: babson.Names = (),
    pieces: int | None = None,
    skip_damaged: bool = False,
    **options: Any,
) -> DataFrame:
    """Number of matching games and positions, in groups by columns: workers count each shard, or batch of
    the rows of a DataFrame, and Spark adds that up. ``skip_damaged`` is that of :func:`search`."""
    from pyspark.sql import functions

    keys = babson._names(by, "by")
    task = _Task(query, options)
    names = [*keys, "games", "positions"]
    schema = (_schema(task.query(), "position", keys) if keys else {}) | {
        "games": "bigint",
        "positions": "bigint",
    }

    def rows(query: babson.Query, games: Any) -> Iterator[Any]:
        found, failure = babson._counted(games, query, keys or None, 1, False)
        groups = [found._asdict()] if isinstance(found, babson.Count) else found
        yield _batch({name: [group[name] for group in groups] for name in names}, schema)
        if failure is not None:
            raise OSError(failure)

    if _is_frame(games):
        _refuse_places(keys)
        counted = _map_rows(games, task, [], lambda query, texts, _: rows(query, texts), schema)
    else:
        counted = _map(spark, games, pieces, task, rows, schema, skip_damaged)
    sums = [functions.sum(name).alias(name) for name in ("games", "positions")]
    return counted.groupBy(*keys).agg(*sums)


def report(
    spark: SparkSession, games: Any, query: babson.Text, *, pieces: int | None = None, **options: Any
) -> DataFrame:
    """Returns a row for each shard: numbers of games read, of matches and of faults. A shard that
    cannot be read to its end counts as a fault."""
    schema = {
        "shard": "bigint",
        "input": "string",
        "games": "bigint",
        "matches": "bigint",
        "positions": "bigint",
        "faults": "bigint",
    }

    def rows(query: babson.Query, shard: babson.Shard) -> Iterator[Any]:
        told = _report(query, shard)
        values = [shard.index, shard.input, told.games, told.matches, told.positions, told.n_faults]
        yield _batch({name: [value] for name, value in zip(schema, values)}, schema)

    return _map(spark, games, pieces, _Task(query, options), rows, schema)


def faults(
    spark: SparkSession,
    games: Any,
    query: babson.Text,
    *,
    keep: babson.Names = (),
    pieces: int | None = None,
    **options: Any,
) -> DataFrame:
    """Returns a row for each fault of a game, at most the first thousand of each shard. The other games
    are searched nevertheless. A shard that cannot be read to its end has a row with the game 0. For the
    rows of a DataFrame, the columns in ``keep`` identify the row."""
    if _is_frame(games):
        return _faults_of_rows(games, _Task(query, options), babson._names(keep, "keep"))
    schema = {
        "shard": "bigint",
        "input": "string",
        "game": "bigint",
        "line": "bigint",
        "message": "string",
        "searched": "boolean",
    }

    def rows(query: babson.Query, shard: babson.Shard) -> Iterator[Any]:
        found = _report(query, shard).faults
        values = {name: [getattr(fault, name) for fault in found] for name in list(schema)[1:]}
        yield _batch({"shard": [shard.index] * len(found), **values}, schema)

    return _map(spark, games, pieces, _Task(query, options), rows, schema)


class _Task:
    """A query as it is sent to workers: its text, which each of them compiles."""

    def __init__(self, query: babson.Text, options: Mapping[str, Any]):
        compiled = babson.compile(query, **options)
        # The text, since workers may not have the file of the query.
        self.text = compiled.text
        self.options = dict(options)
        if compiled.sequential:
            raise ValueError(
                f"the games must be searched one after the other: {compiled.sequential}"
            )
        if compiled.counts_games:
            raise ValueError("`lastgamenumber` is the number of all games, which tasks do not know")

    def query(self) -> babson.Query:
        return babson.compile(self.text, **self.options)


def _map(
    spark: SparkSession,
    games: Any,
    pieces: int | None,
    task: _Task,
    rows: Callable[[babson.Query, babson.Shard], Iterator[Any]],
    schema: Mapping[str, str],
    skip_damaged: bool = False,
) -> DataFrame:
    """Applies `rows` to each shard on the workers; a shard is a partition."""
    # Damaged files are shards, too: the worker that reads the damage reports it.
    shards = _shards(spark, games, pieces)

    def search(batches: Iterator[Any]) -> Iterator[Any]:
        query = task.query()
        for batch in batches:
            for place in batch.column(0).to_pylist():
                yield from _whole(rows(query, shards[place]), shards[place], skip_damaged)

    n = len(shards)
    # One number per partition, so that nothing is shuffled.
    return spark.range(0, n, 1, max(n, 1)).mapInArrow(search, _described(schema))


def _batches(query: babson.Query, shard: babson.Shard, per: str, columns: list[str]) -> Iterator[Any]:
    """Searches a shard."""
    found = babson.search(shard, query, per=per, columns=columns, threads=1, progress=False)
    yield from found.to_batches()


def _whole(rows: Iterator[Any], shard: babson.Shard, skip_damaged: bool) -> Iterator[Any]:
    """Returns the rows of a shard; the error names a shard that cannot be read to its end."""
    try:
        yield from rows
    except OSError as error:
        if not skip_damaged:
            raise _named(shard, error) from error


#: Columns for the location of a game, which the rows of a DataFrame do not have.
_PLACES = ["input", "game", "game_in_input", "offset"]

#: Termination markers of a game.
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def _is_frame(games: Any) -> bool:
    # Spark has several classes of DataFrames.
    return hasattr(games, "mapInArrow")


def _refuse_places(columns: Iterable[str]) -> None:
    for name in columns:
        if name in _PLACES:
            raise ValueError(
                f"games of a DataFrame have no order, so there is no column {name}: name columns of "
                "the row with keep="
            )


def _search_rows(
    games: DataFrame, task: _Task, per: str, columns: list[str], keep: list[str]
) -> DataFrame:
    _refuse_places(columns)
    if not columns:
        found = babson.search(b"", task.query(), per=per).columns
        columns = [name for name in found if name not in _PLACES]
    schema = _schema(task.query(), per, columns)

    def rows(query: babson.Query, texts: Any, batch: Any) -> Iterator[Any]:
        import pyarrow

        # Each text is an input whose name is its index.
        found = babson.search(
            texts, query, per=per, columns=["input", *columns], threads=1, progress=False
        )
        for part in found.to_batches():
            places = part.column(0).cast(pyarrow.int64())
            kept = [batch.column(name).take(places) for name in keep]
            yield pyarrow.RecordBatch.from_arrays([*kept, *part.columns[1:]], names=[*keep, *columns])

    return _map_rows(games, task, keep, rows, schema)


def _faults_of_rows(games: DataFrame, task: _Task, keep: list[str]) -> DataFrame:
    schema = {"message": "string", "searched": "boolean"}

    def rows(query: babson.Query, texts: Any, batch: Any) -> Iterator[Any]:
        import pyarrow

        found = _report(query, texts).faults
        places = pyarrow.array([int(fault.input) for fault in found], pyarrow.int64())
        kept = [batch.column(name).take(places) for name in keep]
        told = _batch({name: [getattr(fault, name) for fault in found] for name in schema}, schema)
        yield pyarrow.RecordBatch.from_arrays([*kept, *told.columns], names=[*keep, *schema])

    return _map_rows(games, task, keep, rows, schema)


def _map_rows(
    games: DataFrame,
    task: _Task,
    keep: list[str],
    rows: Callable[[babson.Query, Any, Any], Iterator[Any]],
    schema: Mapping[str, str],
) -> DataFrame:
    """Applies `rows` to the games in the rows of a DataFrame, batch by batch."""
    text, tags = _game_columns(games.columns)
    fields = {field.name: field.dataType.simpleString() for field in games.schema.fields}
    for name in keep:
        if name not in fields:
            raise ValueError(f"the games have no column {name}: there are {', '.join(fields)}")
        # The names of columns are not case-sensitive in Spark.
        if name.lower() in map(str.lower, schema):
            raise ValueError(f"there would be two columns {name}: name the columns that you want")
    schema = {name: fields[name] for name in keep} | dict(schema)

    def search(batches: Iterator[Any]) -> Iterator[Any]:
        from babson import _babson

        query = task.query()
        for batch in batches:
            yield from rows(query, _babson.Source.texts(_texts(batch, text, tags)), batch)

    wanted = dict.fromkeys([text, *tags, *keep])
    # Other columns need not be read.
    return games.select(*map(_quoted, wanted)).mapInArrow(search, _described(schema))


def _game_columns(names: list[str]) -> tuple[str, list[str]]:
    """Returns the column with the text of a game, and those with its tags."""
    if "pgn" in names:
        return "pgn", []
    if "movetext" in names:
        return "movetext", [name for name in names if name[:1] in _CAPITALS]
    raise ValueError(
        "the games must be in a column pgn, or their moves in a column movetext: there are "
        + ", ".join(names)
    )


_CAPITALS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _texts(batch: Any, text: str, tags: list[str]) -> list[str]:
    """Returns the games in the rows of a batch as PGN."""
    games = [game or "" for game in batch.column(text).to_pylist()]
    if text == "pgn":
        return games
    heads = [""] * len(games)
    results = ["*"] * len(games)
    for name in tags:
        for place, value in enumerate(batch.column(name).to_pylist()):
            if value is None:
                continue
            value = _tag(value)
            heads[place] += f'[{name} "{value}"]\n'
            if name == "Result" and value in _RESULTS:
                results[place] = value
    ends = ("" if game.endswith(_RESULTS) else f" {end}" for game, end in zip(games, results))
    return [f"{head}\n{game}{end}\n" for head, game, end in zip(heads, games, ends)]


def _tag(value: Any) -> str:
    """Returns a value as a tag of PGN writes it."""
    if isinstance(value, datetime.date):
        return value.strftime("%Y.%m.%d")
    plain = " ".join(str(value).split("\n"))
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _described(schema: Mapping[str, str]) -> str:
    return ", ".join(f"{_quoted(name)} {kind}" for name, kind in schema.items())


def _shards(spark: SparkSession, games: Any, pieces: int | None) -> list[babson.Shard]:
    if _is_frame(games):
        raise ValueError("a DataFrame has rows and no shards: faults() says what is wrong with its games")
    if isinstance(games, babson.Shard):
        return [games]
    if not isinstance(games, str) and isinstance(games, Iterable):
        games = list(games)
        shards = [shard for shard in games if isinstance(shard, babson.Shard)]
        if len(shards) == len(games):
            return shards
    if pieces is None:
        try:
            pieces = PIECES * spark.sparkContext.defaultParallelism
        except Exception:  # a session of Spark Connect has no context
            pieces = 32
    return babson.shards(games, pieces, keep_damaged=True)


def _schema(query: babson.Query, per: str, columns: list[str]) -> dict[str, str]:
    """Returns the columns of a search with their types in Spark."""
    import pyarrow

    found = babson.search(b"", query, per=per, columns=columns)
    return {field.name: _type(field.type) for field in pyarrow.schema(found)}


def _type(kind: Any) -> str:
    import pyarrow.types as types

    if types.is_list(kind):
        return f"array<{_type(kind.value_type)}>"
    if types.is_map(kind):
        return f"map<{_type(kind.key_type)}, {_type(kind.item_type)}>"
    return _TYPES[str(kind)]


def _batch(columns: Mapping[str, list[Any]], schema: Mapping[str, str]) -> Any:
    """Returns columns as an Arrow batch with the types of `schema`."""
    import pyarrow

    kinds = {"bigint": pyarrow.int64(), "string": pyarrow.string(), "boolean": pyarrow.bool_()}
    arrays = []
    for name, values in columns.items():
        kind = schema[name]
        if kind == "date":
            # Counts come as JSON, where a date is a string.
            arrays.append(pyarrow.array(values, pyarrow.string()).cast(pyarrow.date32()))
        else:
            arrays.append(pyarrow.array(values, kinds.get(kind)))
    return pyarrow.RecordBatch.from_arrays(arrays, names=list(columns))


def _named(shard: babson.Shard, error: OSError) -> OSError:
    """Returns the error with the shard named in its message."""
    return OSError(f"shard {shard.index}, {shard.path}: {error}")


def _report(query: babson.Query, games: Any) -> babson.Report:
    """Returns the report of a search, even if an input cannot be read to its end, or not at all."""
    try:
        return babson._counted(games, query, None, 1, False)[0].report
    except OSError as error:
        fault = babson.Fault(getattr(games, "input", ""), 0, 0, str(error), False)
        return babson.Report(0, 0, 0, [fault], 1, "", [])
