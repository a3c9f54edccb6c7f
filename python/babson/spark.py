"""Searches on a cluster of Apache Spark.

    from babson import spark as cluster

    rows = cluster.search(spark, "/shared/shards/manifest.json", "mate", columns=["white", "ply"])
    rows.groupBy("ply").count().orderBy("ply").show()

Each shard of the games is one task, which a worker searches with the engine; what it finds comes as
a stream of batches, so memory does not depend on how much that is. A task depends on nothing but its
shard and the query, so Spark may repeat it: a worker that dies costs time and changes no row. The
games must be readable on every worker by the same name, which may be an address in object storage, and
the package be installed there.

It needs ``pyspark`` with ``pyarrow`` and ``pandas``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import babson

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["count", "faults", "report", "search"]

#: Tasks for each processor of the cluster, so that none waits long for the last one.
PIECES = 4

_TYPES = {"string": "string", "int64": "bigint", "bool": "boolean", "date32[day]": "date"}


def search(
    spark: SparkSession,
    games: Any,
    query: str,
    *,
    per: str = "position",
    columns: Iterable[str] = (),
    pieces: int | None = None,
    **options: Any,
) -> DataFrame:
    """Positions (``per="position"``) or games (``per="game"``) that match, as a DataFrame.

    ``games`` are those of :func:`babson.shards`: a manifest of ``cql split``, files, an archive, or
    the shards themselves; files that are not packed, and archives, are cut into ``pieces``.
    ``options`` are those of :func:`babson.compile`. The rows and columns are those of
    :func:`babson.search` on all games; what ``sort`` in the query says has no meaning, since rows of a
    DataFrame have no order.

    Raises :class:`babson.QueryError` before anything is submitted.
    """
    columns = list(columns)
    task = _Task(query, options)
    schema = _schema(task.query(), per, columns)

    def rows(query: babson.Query, shard: babson.Shard) -> Iterator[Any]:
        found = babson.search(shard, query, per=per, columns=columns, threads=1, progress=False)
        yield from found.to_batches()

    return _map(spark, games, pieces, task, rows, schema)


def count(
    spark: SparkSession,
    games: Any,
    query: str,
    *,
    by: str | Iterable[str] = (),
    pieces: int | None = None,
    **options: Any,
) -> DataFrame:
    """How many games and positions match, in groups by columns: workers count each shard, and Spark
    adds that up."""
    from pyspark.sql import functions

    keys = [by] if isinstance(by, str) else list(by)
    task = _Task(query, options)
    names = [*keys, "games", "positions"]
    schema = (_schema(task.query(), "position", keys) if keys else {}) | {
        "games": "bigint",
        "positions": "bigint",
    }

    def rows(query: babson.Query, shard: babson.Shard) -> Iterator[Any]:
        if keys:
            groups = babson.count(shard, query, by=keys, threads=1, progress=False)
        else:
            groups = [babson.count(shard, query, threads=1, progress=False)._asdict()]
        yield _batch({name: [group[name] for group in groups] for name in names}, schema)

    counted = _map(spark, games, pieces, task, rows, schema)
    sums = [functions.sum(name).alias(name) for name in ("games", "positions")]
    return counted.groupBy(*keys).agg(*sums)


def report(
    spark: SparkSession, games: Any, query: str, *, pieces: int | None = None, **options: Any
) -> DataFrame:
    """What became of each shard, a row for each: how many games were read, how many match, and how
    many faults there are."""
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
    spark: SparkSession, games: Any, query: str, *, pieces: int | None = None, **options: Any
) -> DataFrame:
    """What is wrong with single games, a row for each fault, of each shard the first thousand. The
    other games are searched all the same."""
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
    """A query on its way to workers, as its text: they compile it."""

    def __init__(self, text: str, options: Mapping[str, Any]):
        self.text = text
        self.options = dict(options)
        sequential = self.query().sequential
        if sequential:
            raise ValueError(f"the games must be searched one after the other: {sequential}")

    def query(self) -> babson.Query:
        return babson.compile(self.text, **self.options)


def _map(
    spark: SparkSession,
    games: Any,
    pieces: int | None,
    task: _Task,
    rows: Callable[[babson.Query, babson.Shard], Iterator[Any]],
    schema: Mapping[str, str],
) -> DataFrame:
    """What workers make of the shards, each of which is a partition."""
    shards = _shards(spark, games, pieces)

    def search(batches: Iterator[Any]) -> Iterator[Any]:
        query = task.query()
        for batch in batches:
            for place in batch.column(0).to_pylist():
                yield from rows(query, shards[place])

    described = ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, kind in schema.items())
    n = len(shards)
    # One number a partition, so that nothing need be shuffled.
    return spark.range(0, n, 1, max(n, 1)).mapInArrow(search, described)


def _shards(spark: SparkSession, games: Any, pieces: int | None) -> list[babson.Shard]:
    if isinstance(games, babson.Shard):
        return [games]
    if not isinstance(games, str) and isinstance(games, Iterable):
        games = list(games)
        if all(isinstance(shard, babson.Shard) for shard in games):
            return games
    if pieces is None:
        try:
            pieces = PIECES * spark.sparkContext.defaultParallelism
        except Exception:  # a session of Spark Connect has no context
            pieces = 32
    return babson.shards(games, pieces)


def _schema(query: babson.Query, per: str, columns: list[str]) -> dict[str, str]:
    """The columns of a search as Spark describes them."""
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
    """Rows as a batch with the types that were described."""
    import pyarrow

    kinds = {"bigint": pyarrow.int64(), "string": pyarrow.string(), "boolean": pyarrow.bool_()}
    arrays = []
    for name, values in columns.items():
        kind = schema[name]
        if kind == "date":
            # As JSON has it.
            arrays.append(pyarrow.array(values, pyarrow.string()).cast(pyarrow.date32()))
        else:
            arrays.append(pyarrow.array(values, kinds.get(kind)))
    return pyarrow.RecordBatch.from_arrays(arrays, names=list(columns))


def _report(query: babson.Query, shard: babson.Shard) -> babson.Report:
    from babson import _babson

    return _babson.count(query, _babson.Source.shards([shard]), [], 1, None)[0]
