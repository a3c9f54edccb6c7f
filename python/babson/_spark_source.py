"""The data source ``cql`` of Spark 4: see :func:`babson.spark.register`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

# An optional package.
# mypy: disable-error-code="import-not-found, misc, unused-ignore"
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

import babson
from babson import spark as cluster

#: Number of shards if the option ``pieces`` is missing: the session and its processors are unknown here.
PIECES = 32

#: Options, besides those in which Spark passes the paths.
OPTIONS = ["query", "per", "columns", "values", "dialect", "pieces", "skip_damaged"]


class CqlDataSource(DataSource):
    """Positions or games as rows."""

    @classmethod
    def name(cls) -> str:
        return "cql"

    def schema(self) -> str:
        """Returns the columns of the options, or the default ones."""
        return cluster._described(self._columns(self._names()))

    def reader(self, schema: Any) -> CqlReader:
        columns = {field.name: field.dataType.simpleString() for field in schema.fields}
        known = self._columns(list(columns))
        for name, kind in columns.items():
            if kind != known[name].replace(" ", ""):
                raise ValueError(f"the column {name} is a {known[name]}, not a {kind}")
        return CqlReader(self._task(), self._per(), list(columns), self._paths(), self.options)

    def _per(self) -> str:
        return str(self.options.get("per", "position"))

    def _names(self) -> list[str]:
        names = self.options.get("columns", "").split(",")
        return [name.strip() for name in names if name.strip()]

    def _columns(self, names: list[str]) -> dict[str, str]:
        return cluster._schema(self._task().query(), self._per(), names)

    def _task(self) -> cluster._Task:
        known = [*OPTIONS, "path", "paths"]
        for name in self.options:
            if name not in known:
                raise ValueError(f"there is no option {name}: there are {', '.join(OPTIONS)}")
        query = self.options.get("query")
        if query is None:
            raise ValueError('the query is missing: .option("query", "mate")')
        values = json.loads(self.options.get("values", "{}"))
        options = {"values": values or None, "dialect": self.options.get("dialect")}
        return cluster._Task(query, options)

    def _paths(self) -> list[str]:
        paths = json.loads(self.options.get("paths", "[]"))
        paths += [self.options["path"]] if "path" in self.options else []
        if not paths:
            raise ValueError('no file is named: .load("games.pgn")')
        return list(paths)


class ShardPartition(InputPartition):
    """A shard, which is a task."""

    def __init__(self, shard: babson.Shard):
        super().__init__(shard.index)
        self.shard = shard


class CqlReader(DataSourceReader):
    """Searches the shards of games."""

    def __init__(
        self, task: cluster._Task, per: str, columns: list[str], paths: list[str], options: Any
    ):
        self.task, self.per, self.columns, self.paths = task, per, columns, paths
        self.pieces = int(options.get("pieces", PIECES))
        self.skip_damaged = str(options.get("skip_damaged", "false")).lower() == "true"

    def partitions(self) -> Sequence[InputPartition]:
        shards = babson.shards(self.paths, self.pieces, keep_damaged=True)
        return [ShardPartition(shard) for shard in shards]

    def read(self, partition: Any) -> Iterator[Any]:
        rows = cluster._batches(self.task.query(), partition.shard, self.per, self.columns)
        return cluster._whole(rows, partition.shard, self.skip_damaged)
