"""Chess games searched with the Chess Query Language (CQL); results are tables.

>>> import babson
>>> mate = babson.compile("mate btm")
>>> games = b'[White "Ann"]\\n\\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\\n'
>>> babson.count(games, mate)
Count(games=1, positions=1)
>>> for game in babson.games(games, mate):
...     print(game.tags["White"], game.positions[0].san)
Ann Qxf7#

A source of games is a file, a directory or a pattern (``"games/*.pgn.zst"``), an address in object
storage (``"s3://games/2024/"``) if the package was built for that, several of them, bytes, or anything
with a method ``read``. Files may be packed. Archives (``games.cqa``) stand for the files
that they were made of, and are searched by their columns, also where they stand beside these files
(:func:`index`). Pieces of games for other processes are made by :func:`shards`; a cluster of
Spark searches them with :mod:`babson.spark`.
"""

from __future__ import annotations

import json as _json
import os as _os
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import Mapping as _Mapping
from html import escape as _escape
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple
from typing import Protocol as _Protocol
from typing import Union as _Union

from . import _babson
from ._babson import Diagnostic, Fault, Position, Query, Report, Shard, __version__
from ._progress import Progress
from ._progress import teller as _teller

__all__ = [
    "Count",
    "Diagnostic",
    "Fault",
    "FoundGames",
    "Game",
    "Groups",
    "Matches",
    "Position",
    "Progress",
    "Query",
    "QueryError",
    "Report",
    "Shard",
    "compile",
    "count",
    "diagram",
    "games",
    "index",
    "report",
    "search",
    "shards",
    "write",
    "write_pgn",
]


class Reader(_Protocol):
    """Something that can be read: an open file, a response, a member of an archive."""

    def read(self, size: int, /) -> bytes | str: ...


Path = _Union[str, "_os.PathLike[str]"]
Games = _Union[Path, _Iterable[Path], Shard, _Iterable[Shard], bytes, bytearray, memoryview, Reader]
#: Who is told how far a search has come: a function, or whether a notebook shows it.
Tell = _Union[_Callable[[Progress], object], bool, None]


class QueryError(ValueError):
    """A query is wrong. ``diagnostics`` are all that is wrong with it, each with its place.

    >>> try:
    ...     babson.compile("maet")
    ... except babson.QueryError as error:
    ...     print(error.diagnostics[0].code, error.diagnostics[0].help)
    E0201 did you mean `mate`?
    """

    diagnostics: list[Diagnostic]

    def __init__(self, query: str, diagnostics: list[Diagnostic]):
        self.query = query
        self.diagnostics = diagnostics
        super().__init__("\n".join(map(str, diagnostics)))

    def __reduce__(self):
        return (QueryError, (self.query, self.diagnostics))


def compile(
    query: str,
    *,
    values: _Mapping[str, str] | None = None,
    dialect: str | None = None,
    variations: bool | None = None,
) -> Query:
    """Compiles a query, with or without its header: ``cql() mate`` is ``mate``.

    ``values`` are expressions in CQL that are evaluated at each position that matches; each becomes a
    column of its name. ``variations`` searches variations, too. ``dialect`` is ``"cql6"``, ``"cql5"``
    or ``"classic"``; it is told from the text where nothing is said.

    Raises :class:`QueryError` if the query is wrong.

    >>> babson.compile("mate", values={"down": "power a - power A"}).values
    ['down']
    """
    compiled, diagnostics = _babson.compile(query, list((values or {}).items()), dialect, variations)
    if compiled is None:
        raise QueryError(query, diagnostics)
    return compiled


def _query(query: str | Query) -> Query:
    return query if isinstance(query, Query) else compile(query)


def _source(games: Games) -> _babson.Source:
    if isinstance(games, (bytes, bytearray, memoryview)):
        return _babson.Source.bytes(bytes(games))
    if isinstance(games, (str, _os.PathLike)):
        return _babson.Source.files([_os.fspath(games)])
    if hasattr(games, "read"):
        return _babson.Source.reader(games, str(getattr(games, "name", type(games).__name__)))
    if isinstance(games, Shard):
        return _babson.Source.shards([games])
    if isinstance(games, _babson.Source):
        return games
    if isinstance(games, _Iterable):
        games = list(games)
        if games and all(isinstance(shard, Shard) for shard in games):
            return _babson.Source.shards(games)
        paths = [_os.fspath(path) for path in games]
        if not paths:
            raise ValueError("no file is named")
        return _babson.Source.files(paths)
    raise TypeError(
        "games must be a path, several paths, bytes or an object with a method read, "
        f"not {type(games).__name__}"
    )


class _Numbers(_NamedTuple):
    games: int
    positions: int


class Count(_Numbers):
    """How many games and positions match. ``report`` is what the search came to, faults among it."""

    report: Report


class Groups(list):
    """How many games and positions match in groups: dictionaries. ``report`` is what the search came
    to, faults among it."""

    report: Report


class Matches:
    """What :func:`search` finds: a table that comes in pieces.

    Whatever knows the Arrow PyCapsule interface reads it: ``pyarrow.table(matches)``,
    ``polars.DataFrame(matches)``, DuckDB by its name in SQL. Each time it is read, games are searched
    anew, but those of an object that can only be read once.
    """

    def __init__(self, inner: _babson.Matches):
        self._inner = inner

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._inner.columns

    @property
    def report(self) -> Report | None:
        """What the search came to that ended last: games read, matches, faults; ``None`` before."""
        return self._inner.report

    def __arrow_c_schema__(self) -> object:
        return self._inner.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._inner.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> _Any:
        """All rows as a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_batches(self) -> _Any:
        """A ``pyarrow.RecordBatchReader``, for more rows than fit into memory."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self)

    def to_pandas(self) -> _Any:
        """All rows as a ``pandas.DataFrame``."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> _Any:
        """All rows as a ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        return f"<babson.Matches columns={self.columns}>"

    def _repr_html_(self) -> str:
        """The first rows for a notebook, with boards where a row has a FEN."""
        try:
            rows = Matches(self._inner.limited(10)).to_arrow().to_pylist()[:10]
        except ImportError:
            return _escape(repr(self))
        head = "".join(f"<th>{_escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(map(_html_cell, row.items())) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(item: tuple[str, _Any]) -> str:
    name, value = item
    if name == "fen" and value:
        picture = diagram(value).replace('width="320"', 'width="120"', 1).replace('height="320"', 'height="120"', 1)
        return f'<td title="{_escape(value)}">{_as_image(picture)}</td>'
    text = "" if value is None else str(value)
    return f"<td>{_escape(text)}</td>"


def _as_image(svg: str) -> str:
    # As an image, so that the styles of one board do not reach another.
    from urllib.parse import quote

    return f'<img alt="board" width="120" height="120" src="data:image/svg+xml,{quote(svg)}">'


class Game:
    """A game that matches."""

    def __init__(self, inner: _babson.Game):
        self._inner = inner
        #: The input that it stands in.
        self.input: str = inner.input
        #: Its number, counted through all inputs from 1.
        self.number: int = inner.number
        #: Its number in its input, from 1.
        self.number_in_input: int = inner.number_in_input
        #: How it ended: ``"1-0"``, ``"0-1"``, ``"1/2-1/2"`` or ``"*"``.
        self.result: str = inner.result
        #: Its tags; of several of one name the last one.
        self.tags: dict[str, str] = dict(inner.tag_pairs)
        #: The positions that match.
        self.positions: list[Position] = inner.positions

    @property
    def pgn(self) -> str:
        """The game as PGN, with the comments of the query."""
        return self._inner.pgn

    def values(self, position: int | None = None) -> dict[str, bool | int | str | list[str] | None]:
        """The values of :func:`compile` at the first position that matches, or at
        ``positions[position]``."""
        return dict(self._inner.value_pairs(position))

    def board(self, ply: int | None = None) -> _Any:
        """A ``chess.Board`` after so many moves of the game, or of the first position that matches.
        It needs the package ``chess``."""
        import io

        import chess
        import chess.pgn

        if ply is None:
            fen = self.positions[0].fen if self.positions else chess.STARTING_FEN
            return chess.Board(fen)
        played = chess.pgn.read_game(io.StringIO(self.pgn))
        moves = list(played.mainline_moves())
        if not 0 <= ply <= len(moves):
            raise IndexError(f"the game has {len(moves)} moves, not {ply}")
        board = played.board()
        for move in moves[:ply]:
            board.push(move)
        return board

    def __repr__(self) -> str:
        white, black = self.tags.get("White", "?"), self.tags.get("Black", "?")
        return f"<Game {self.number}: {white} – {black} {self.result}>"

    def _repr_html_(self) -> str:
        head = _escape(repr(self).strip("<>"))
        boards = "".join(_as_image(diagram(position.fen)) for position in self.positions[:6])
        return f"<div>{head}</div><div>{boards}</div>"


def search(
    games: Games,
    query: str | Query,
    *,
    per: str = "position",
    columns: _Iterable[str] = (),
    threads: int = 0,
    limit: int | None = None,
    progress: Tell = None,
) -> Matches:
    """Finds positions (``per="position"``) or games (``per="game"``) as a table.

    ``columns`` are those of the command's ``--columns``: ``white``, ``ply``, ``fen``, a tag, a value of
    :func:`compile`. ``threads=0`` takes all processors. With ``limit`` no more games than that match;
    of a query with ``sort`` the best. ``progress`` is a function that is called with a
    :class:`Progress` now and then; in a notebook a line shows it where nothing is said.

    >>> babson.search(b"1. f3 e5 2. g4 Qh4#", "mate", columns=["ply", "san"]).columns
    ['ply', 'san']
    """
    inner = _babson.Matches(
        _query(query), _source(games), per, list(columns), threads, limit, _teller(progress)
    )
    return Matches(inner)


class FoundGames(_Iterator[Game]):
    """The games that match, one after the other."""

    def __init__(self, inner: _babson.Games):
        self._inner = inner

    def __next__(self) -> Game:
        return Game(next(self._inner))

    @property
    def report(self) -> Report | None:
        """What the search came to: games read, matches, faults; ``None`` until it has ended."""
        return self._inner.report


def games(
    games: Games,
    query: str | Query,
    *,
    threads: int = 0,
    limit: int | None = None,
    progress: Tell = None,
) -> FoundGames:
    """The games that match, one after the other, in the order of the files (or of ``sort``)."""
    tell = _teller(progress)
    return FoundGames(_babson.games(_query(query), _source(games), threads, limit, tell))


def count(
    games: Games,
    query: str | Query,
    *,
    by: str | _Iterable[str] | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> _Any:
    """How many games and positions match: a :class:`Count`.

    With ``by``, a column or several, a list of dictionaries (:class:`Groups`): the columns, ``games``,
    ``positions``. Both have a ``report``, as the :class:`OSError` has that an unreadable input is.

    >>> babson.count(b"1. f3 e5 2. g4 Qh4# 0-1", "mate", by="result")
    [{'result': '0-1', 'games': 1, 'positions': 1}]
    """
    keys = [by] if isinstance(by, str) else by
    found, failure = _counted(games, query, keys, threads, progress)
    if failure is None:
        return found
    error = OSError(failure)
    error.report = found.report
    raise error


def _counted(
    games: Games, query: str | Query, keys: _Iterable[str] | None, threads: int, progress: Tell
) -> tuple[_Any, str | None]:
    """What was counted, and why no more was."""
    report, lines, failure = _babson.count(
        _query(query), _source(games), list(keys or []), threads, _teller(progress)
    )
    found: _Any = Count(report.matches, report.positions)
    if keys is not None:
        found = Groups(_json.loads(line) for line in lines.decode().splitlines())
    found.report = report
    return found, failure


def write(
    games: Games,
    query: str | Query,
    path: Path,
    *,
    format: str | None = None,
    per: str = "position",
    columns: _Iterable[str] = (),
    threads: int = 0,
    limit: int | None = None,
    progress: Tell = None,
    force: bool = False,
) -> Report:
    """Writes what is found into a file, or to an address in object storage. The extension tells the
    format: pgn, jsonl, csv, tsv, parquet, html, epd, fen. The file is there in the end, or not at all.

    It replaces nothing that is read, and without ``force`` nothing but games and earlier results:
    that is a ``FileExistsError``."""
    return _babson.write(
        _query(query),
        _source(games),
        _os.fspath(path),
        format,
        per,
        list(columns),
        threads,
        limit,
        _teller(progress),
        force,
    )


def write_pgn(games: Games, query: str | Query, path: Path, **options: _Any) -> Report:
    """Writes the games that match as PGN, with the comments of the query; see :func:`write`."""
    return write(games, query, path, format="pgn", **options)


def report(games: Games, query: str | Query, path: Path, **options: _Any) -> Report:
    """Writes a report for the browser, with boards to step through; see :func:`write`."""
    return write(games, query, path, format="html", **options)


def diagram(fen: str, *, marks: _Iterable[str] = (), flip: bool = False) -> str:
    """A picture (SVG) of a position; ``marks`` are squares to color.

    >>> babson.diagram("7k/8/8/8/8/8/8/K7 w - - 0 1", marks=["a1"])[:4]
    '<svg'
    """
    return _babson.diagram(fen, list(marks), flip)


def _paths(games: Path | _Iterable[Path]) -> list[str]:
    paths = [games] if isinstance(games, (str, _os.PathLike)) else list(games)
    return [_os.fspath(path) for path in paths]


def shards(
    games: Path | _Iterable[Path], n: int, *, keep_damaged: bool = False
) -> list[Shard]:
    """Cuts games into about ``n`` pieces for other processes: each can be pickled, and stands for its
    games wherever a source is expected. Games have the numbers that they have in the whole.

    Files that are not packed are read once and cut where games begin; packed ones stay whole. An
    archive, and games that it stands beside, are cut by their numbers, and the pieces searched by
    columns. Of shards that ``cql split`` has made (``manifest.json``) each is a piece. Neither is read.

    A file that cannot be read to its end is an :class:`OSError`; with ``keep_damaged`` it is a piece,
    too, and the search of that comes to the damage.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".pgn") as file:
    ...     _ = file.write(b'[Event "a"]\\n\\n1. f3 e5 2. g4 Qh4# 0-1\\n\\n' * 10)
    ...     file.flush()
    ...     [babson.count(shard, "mate").games for shard in babson.shards(file.name, 3)]
    [4, 3, 3]
    """
    if n < 1:
        raise ValueError("there must be one piece at least")
    return _babson.shards(_paths(games), n, keep_damaged)


def index(
    games: Path | _Iterable[Path],
    archive: Path,
    *,
    self_contained: bool | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> int:
    """Makes an archive (``games.cqa``) of files, or brings one up to date; what is there is kept. With
    ``self_contained`` it keeps the text of the games, too, and goes on doing so until that is
    ``False``; text that is nowhere else is not removed. The result is the number of its games. They are searched by its columns from then on, with the same
    results: under the name of the archive, and also under that of the file if the archive stands
    beside it (``games.cqa`` beside ``games.pgn``)."""
    folder, tell = _os.fspath(archive), _teller(progress)
    return _babson.index(_paths(games), folder, self_contained, threads, tell)[0]
