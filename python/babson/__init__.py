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
with a method ``read``. Files may be compressed. An archive (``games.cqa``, see :func:`index`) stands
for the files that it was built from and is searched by its columns, even if only those files are named
and it is stored beside them. :func:`shards` cuts games into shards for other processes; a Spark
cluster searches them with :mod:`babson.spark`.
"""

from __future__ import annotations

import collections.abc as _abc
import json as _json
import operator as _operator
import os as _os
import types as _types
import typing as _typing
from html import escape as _escape

from . import _babson
from ._babson import Diagnostic, Fault, Position, Query, Report, Shard, __version__
from ._progress import Progress
from ._progress import teller as _teller

# Optional packages, some of which have no types.
# mypy: disable-error-code="import-not-found, import-untyped"
if _typing.TYPE_CHECKING:
    import chess
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Unpack

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
    "check",
    "compile",
    "count",
    "dedup",
    "diagram",
    "doctor",
    "duplicates",
    "explain",
    "export",
    "fmt",
    "games",
    "index",
    "report",
    "scan",
    "search",
    "shards",
    "stats",
    "tag_puzzles",
    "themes",
    "tree",
    "write",
    "write_pgn",
]


class Reader(_typing.Protocol):
    """Something that can be read: an open file, a response, a member of an archive."""

    def read(self, size: int, /) -> bytes | str: ...


Path = _typing.Union[str, "_os.PathLike[str]"]
Games = _typing.Union[
    Path, _abc.Iterable[Path], Shard, _abc.Iterable[Shard], bytes, bytearray, memoryview, Reader
]
#: A query as text, or the path of a file with the query.
Text = _typing.Union[str, "_os.PathLike[str]"]
#: CQL expressions by the names of their columns.
Values = _abc.Mapping[str, str]
#: One name, or several.
Names = _typing.Union[str, _abc.Iterable[str], None]
_Value = _typing.TypeVar("_Value")
#: Receiver of the progress of a search: a function, or whether to show a line.
Tell = _typing.Union[_abc.Callable[[Progress], object], bool, None]


class QueryError(ValueError):
    """Raised for a query with errors. ``diagnostics`` has all of them, each with its place.

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

    def __reduce__(self) -> tuple[type[QueryError], tuple[str, list[Diagnostic]]]:
        return (QueryError, (self.query, self.diagnostics))


def compile(
    query: Text,
    *,
    values: Values | None = None,
    dialect: str | None = None,
    variations: bool | None = None,
) -> Query:
    """Compiles a query, with or without its header: ``cql() mate`` is ``mate``. A ``pathlib.Path`` is a
    file with the query.

    ``values`` are CQL expressions that are evaluated at each matching position; each becomes a column
    of its name. ``variations`` searches variations, too. ``dialect`` is ``"cql6"``, ``"cql5"`` or
    ``"classic"``; it is detected from the text unless given.

    Raises :class:`QueryError` if the query is wrong.

    >>> babson.compile("mate", values={"down": "power a - power A"}).values
    ['down']
    """
    name, text = _text(query)
    _checked(dialect, "dialect", str | None)
    _checked(variations, "variations", bool | None)
    compiled, diagnostics = _babson.compile(name, text, _pairs(values), dialect, variations)
    if compiled is None:
        raise QueryError(text, diagnostics)
    return compiled


def check(
    query: Text,
    *,
    values: Values | None = None,
    dialect: str | None = None,
    variations: bool | None = None,
) -> list[Diagnostic]:
    """Returns the errors and warnings of a query; an empty list if there are none. The arguments are
    those of :func:`compile`.

    >>> [(found.severity, found.help) for found in babson.check("maet")]
    [('error', 'did you mean `mate`?')]
    """
    try:
        return compile(query, values=values, dialect=dialect, variations=variations).warnings
    except QueryError as error:
        return error.diagnostics


def explain(query: Text | Query, *, dialect: str | None = None) -> str:
    """Returns the meaning of a query in English, and how it is evaluated, as ``cql explain`` prints it.

    >>> print(babson.explain("mate wtm").splitlines()[0])
    A position matches if all of these conditions hold
    """
    if not isinstance(query, Query):
        query = compile(query, dialect=dialect)
    elif dialect is not None:
        raise ValueError("dialect goes with the text of a query: give it to compile()")
    return query.explain()


def fmt(query: Text, *, unicode: bool | None = None) -> str:
    """Returns a query in the canonical layout, as ``cql fmt`` writes it. ``unicode`` spells it with
    Unicode symbols (``♔`` for ``K``) or without them; by default the spelling stays. No file is changed.

    Raises :class:`QueryError` for a query with errors, :class:`ValueError` for one in an older dialect.

    >>> print(babson.fmt("cql( )mate   wtm"), end="")
    cql()
    mate
    wtm
    """
    name, text = _text(query)
    laid_out, errors = _babson.fmt(name, text, _checked(unicode, "unicode", bool | None))
    if laid_out is None:
        raise QueryError(text, errors)
    return laid_out


def _text(query: Text) -> tuple[str, str]:
    """Returns the name of a query, and its text."""
    if isinstance(query, str):
        return "query", query
    name = _path(query, "query")
    with open(name, "rb") as file:
        text = file.read()
    try:
        return name, text.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not UTF-8: {error}") from None


def _pairs(values: Values | None) -> list[tuple[str, str]]:
    if values is None:
        return []
    expected = "a dict of expressions by their names"
    if not isinstance(values, _abc.Mapping):
        raise _mistyped("values", expected, values)
    for part in (*values, *values.values()):
        if not isinstance(part, str):
            raise _mistyped("values", expected + ", all of them text", part)
    return list(values.items())


def _query(query: Text | Query, values: Values | None) -> Query:
    if not isinstance(query, Query):
        return compile(query, values=values)
    if values is not None:
        raise ValueError("values go with the text of a query: give them to compile()")
    return query


def _mistyped(argument: str, expected: str, value: object) -> TypeError:
    return TypeError(f"{argument} must be {expected}, not {type(value).__name__}")


def _checked(value: _Value, argument: str, kind: type | _types.UnionType) -> _Value:
    if not isinstance(value, kind):
        raise _mistyped(argument, kind.__name__ if isinstance(kind, type) else str(kind), value)
    return value


def _path(path: object, argument: str, expected: str = "text or a pathlib.Path") -> str:
    name = _os.fspath(path) if isinstance(path, _os.PathLike) else path
    if not isinstance(name, str):
        raise _mistyped(argument, expected, path)
    return name


def _several(value: object) -> list[object]:
    """Returns the members of a value, or a list of the value alone."""
    is_one = isinstance(value, (str, bytes, _os.PathLike)) or not isinstance(value, _abc.Iterable)
    return [value] if is_one else list(_typing.cast("_abc.Iterable[object]", value))


def _paths(games: object, expected: str = "a path or several") -> list[str]:
    paths = [_path(path, "games", expected) for path in _several(games)]
    if not paths:
        raise ValueError("no file is named")
    return paths


def _names(names: Names, argument: str) -> list[str]:
    listed: list[str] = []
    for name in [] if names is None else _several(names):
        if not isinstance(name, str):
            raise _mistyped(argument, "a name or several", name)
        listed.append(name)
    return listed


def _number(number: object, argument: str, least: int = 0, most: int = 2**63 - 1) -> int:
    if isinstance(number, bool) or not isinstance(number, _typing.SupportsIndex):
        raise _mistyped(argument, "a whole number", number)
    whole = _operator.index(number)
    if whole < least:
        raise ValueError(f"{argument} must be {least} or more, not {whole}")
    if whole > most:
        raise ValueError(f"{argument} must be {most} at most, not {whole}")
    return whole


def _threads(threads: int) -> int:
    # The bounds of the command's option.
    return _number(threads, "threads", 0, 4096)


def _limit(limit: int | None) -> int | None:
    return None if limit is None else _number(limit, "limit")


def _source(games: Games) -> _babson.Source:
    if isinstance(games, (bytes, bytearray, memoryview)):
        return _babson.Source.bytes(bytes(games))
    if isinstance(games, _babson.Source):
        return games
    if hasattr(games, "read") and not isinstance(games, _os.PathLike):
        return _babson.Source.reader(games, str(getattr(games, "name", type(games).__name__)))
    parts = _several(games)
    shards = [part for part in parts if isinstance(part, Shard)]
    if shards and len(shards) == len(parts):
        return _babson.Source.shards(shards)
    expected = "a path, several paths or shards, bytes or an object with a method read"
    return _babson.Source.files(_paths(parts, expected))


class _Numbers(_typing.NamedTuple):
    games: int
    positions: int


class Count(_Numbers):
    """Number of matching games and positions. ``report`` is what the search came to, faults among it."""

    report: Report


class Groups(list[dict[str, _typing.Any]]):
    """Number of matching games and positions in groups: dictionaries. ``report`` is what the search came
    to, faults among it."""

    report: Report


class Matches:
    """Results of :func:`search`: a table that is read in batches.

    Any library that supports the Arrow PyCapsule interface can read it: ``pyarrow.table(matches)``,
    ``polars.DataFrame(matches)``, DuckDB by its name in SQL. Each reading searches the games again,
    except for an object with a method ``read``, which can be read only once.
    """

    def __init__(self, inner: _babson.Matches):
        self._inner = inner

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._inner.columns

    @property
    def report(self) -> Report | None:
        """Report of the search that ended last: games read, matches, faults; ``None`` before."""
        return self._inner.report

    def __arrow_c_schema__(self) -> object:
        return self._inner.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._inner.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """Returns all rows as a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_batches(self) -> pyarrow.RecordBatchReader:
        """Returns a ``pyarrow.RecordBatchReader``, for more rows than fit into memory."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns all rows as a ``pandas.DataFrame``."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Returns all rows as a ``polars.DataFrame``; :func:`scan` returns a lazy one."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        return f"<babson.Matches columns={self.columns}>"

    def _repr_html_(self) -> str:
        """Returns the first rows as HTML for a notebook, with a board for each FEN."""
        try:
            rows = Matches(self._inner.limited(10)).to_arrow().to_pylist()[:10]
        except ImportError:
            return _escape(repr(self))
        head = "".join(f"<th>{_escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(map(_html_cell, row.items())) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(item: tuple[str, _typing.Any]) -> str:
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
    """A matching game."""

    def __init__(self, inner: _babson.Game):
        self._inner = inner
        #: Input that contains the game.
        self.input: str = inner.input
        #: Number of the game, counted through all inputs from 1.
        self.number: int = inner.number
        #: Number of the game in its input, from 1.
        self.number_in_input: int = inner.number_in_input
        #: Result: ``"1-0"``, ``"0-1"``, ``"1/2-1/2"`` or ``"*"``.
        self.result: str = inner.result
        #: Tags by name; if a name occurs several times, the last value.
        self.tags: dict[str, str] = dict(inner.tag_pairs)
        #: The matching positions.
        self.positions: list[Position] = inner.positions

    @property
    def pgn(self) -> str:
        """The game as PGN, with the comments of the query."""
        return self._inner.pgn

    def values(self, position: int | None = None) -> dict[str, bool | int | str | list[str] | None]:
        """Returns the values of :func:`compile` at the first matching position (with ``sort``, at
        that of the first sorted value), or at ``positions[position]``."""
        if position is not None:
            # Negative indices count from the end, as in a list.
            position = range(len(self.positions))[position]
        return dict(self._inner.value_pairs(position))

    def board(self, ply: int | None = None) -> chess.Board:
        """Returns a ``chess.Board`` after ``ply`` half-moves of the game, or at the first matching
        position. Needs the package ``chess``."""
        import io

        import chess
        import chess.pgn

        if ply is None:
            fen = self.positions[0].fen if self.positions else chess.STARTING_FEN
            return chess.Board(fen)
        played = chess.pgn.read_game(io.StringIO(self.pgn))
        assert played is not None, "a game that matches has a text"
        moves = list(played.mainline_moves())
        if _number(ply, "ply") > len(moves):
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
    query: Text | Query,
    *,
    per: str = "position",
    columns: Names = (),
    values: Values | None = None,
    threads: int = 0,
    limit: int | None = None,
    progress: Tell = None,
) -> Matches:
    """Finds positions (``per="position"``) or games (``per="game"``) as a table.

    ``columns`` is one name or several, as for the command's ``--columns``: ``white``, ``ply``, ``fen``,
    a tag, or a value of :func:`compile`. ``values`` are passed to :func:`compile` if the query is a
    text. ``threads=0`` uses all processors. ``limit`` is the greatest number of matching games; with
    ``sort`` in the query, the best ones are kept. ``progress`` is a function that is called with a
    :class:`Progress` several times a second; a notebook shows a line unless told otherwise.

    >>> babson.search(b"1. f3 e5 2. g4 Qh4#", "mate", columns=["ply", "san"]).columns
    ['ply', 'san']
    """
    inner = _babson.Matches(
        _query(query, values),
        _source(games),
        _checked(per, "per", str),
        _names(columns, "columns"),
        _threads(threads),
        _limit(limit),
        _teller(progress),
    )
    return Matches(inner)


def scan(
    games: Games,
    query: Text | Query,
    *,
    per: str = "position",
    columns: Names = (),
    values: Values | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> polars.LazyFrame:
    """Returns the table of :func:`search` as a ``polars.LazyFrame``. The games are searched when it is
    collected. Only the columns that are needed are computed, and a search ends with the last row that is
    needed. Needs ``polars`` and ``pyarrow``."""
    import polars
    from polars.io.plugins import register_io_source

    compiled, source = _query(query, values), _typing.cast("Games", _source(games))
    _threads(threads), _teller(progress)
    nothing = search(b"", compiled, per=per, columns=columns, progress=False)
    names = nothing.columns

    def read(
        wanted: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> _abc.Iterator[polars.DataFrame]:
        # Rows without columns would have no number.
        chosen = names if wanted is None else wanted or names[:1]
        left = n_rows
        # With rows of games, each matching game is one.
        limit = n_rows if per == "game" else None
        found = search(
            source, compiled, per=per, columns=chosen, threads=threads, limit=limit, progress=progress
        )
        with found.to_batches() as batches:
            for batch in batches:
                frame = polars.DataFrame(batch)
                if left is not None:
                    frame = frame.head(left)
                    left -= len(frame)
                yield frame if predicate is None else frame.filter(predicate)
                if left == 0:
                    break

    return register_io_source(read, schema=nothing.to_polars().schema)


class FoundGames(_abc.Iterator[Game]):
    """Iterator over the matching games. The search ends with the last of them, with :meth:`close`, or at
    the end of a ``with`` statement."""

    def __init__(self, inner: _babson.Games):
        self._inner = inner

    def __next__(self) -> Game:
        return Game(next(self._inner))

    def close(self) -> None:
        """Ends the search, and closes its files."""
        self._inner.close()

    def __enter__(self) -> FoundGames:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<babson.FoundGames report={self.report}>"

    @property
    def report(self) -> Report | None:
        """Report of the search: games read, matches, faults; ``None`` until the search has ended."""
        return self._inner.report


def games(
    games: Games,
    query: Text | Query,
    *,
    values: Values | None = None,
    threads: int = 0,
    limit: int | None = None,
    progress: Tell = None,
) -> FoundGames:
    """Returns an iterator over the matching games, in the order of the files (or of ``sort``).

    >>> with babson.games(b"1. f3 e5 2. g4 Qh4# 0-1", "mate") as found:
    ...     print(next(found).result)
    0-1
    """
    compiled, tell = _query(query, values), _teller(progress)
    return FoundGames(
        _babson.games(compiled, _source(games), _threads(threads), _limit(limit), tell)
    )


@_typing.overload
def count(
    games: Games,
    query: Text | Query,
    *,
    by: None = None,
    values: Values | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> Count: ...
@_typing.overload
def count(
    games: Games,
    query: Text | Query,
    *,
    by: str | _abc.Iterable[str],
    values: Values | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> Groups: ...
def count(
    games: Games,
    query: Text | Query,
    *,
    by: Names = None,
    values: Values | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> Count | Groups:
    """Number of matching games and positions: a :class:`Count`.

    With ``by``, one column or several, returns a list of dictionaries (:class:`Groups`) with the
    columns, ``games`` and ``positions``. Both have a ``report``, and so has the :class:`OSError` that
    is raised for an unreadable input. ``values`` are those of :func:`compile`, and ``by`` may name them.

    >>> babson.count(b"1. f3 e5 2. g4 Qh4# 0-1", "mate", by="result")
    [{'result': '0-1', 'games': 1, 'positions': 1}]
    """
    found, failure = _counted(games, _query(query, values), by, threads, progress)
    if failure is None:
        return found
    error = OSError(failure)
    setattr(error, "report", found.report)
    raise error


def _counted(
    games: Games, query: Query, by: Names, threads: int, progress: Tell
) -> tuple[Count | Groups, str | None]:
    """Returns the counts, and the error message of an unreadable input, if any."""
    report, lines, failure = _babson.count(
        query, _source(games), _names(by, "by"), _threads(threads), _teller(progress)
    )
    found: Count | Groups = Count(report.matches, report.positions)
    if by is not None:
        found = Groups(_json.loads(line) for line in lines.decode().splitlines())
    found.report = report
    return found, failure


def write(
    games: Games,
    query: Text | Query,
    path: Path,
    *,
    format: str | None = None,
    per: str = "position",
    columns: Names = (),
    values: Values | None = None,
    threads: int = 0,
    limit: int | None = None,
    progress: Tell = None,
    force: bool = False,
) -> Report:
    """Writes the results to a file, or to an address in object storage. The extension determines the
    format: pgn, jsonl, games.jsonl, csv, tsv, parquet, html, epd, fen. The file appears complete or
    not at all.

    An input is never replaced. Without ``force``, only games and earlier results are replaced; any
    other file raises ``FileExistsError``. Everything else is as for :func:`search`."""
    return _babson.write(
        _query(query, values),
        _source(games),
        _path(path, "path"),
        _checked(format, "format", str | None),
        _checked(per, "per", str),
        _names(columns, "columns"),
        _threads(threads),
        _limit(limit),
        _teller(progress),
        _checked(force, "force", bool),
    )


if _typing.TYPE_CHECKING:

    class _Options(_typing.TypedDict, total=False):
        """Options of :func:`write`."""

        per: str
        columns: Names
        values: Values | None
        threads: int
        limit: int | None
        progress: Tell
        force: bool


def write_pgn(games: Games, query: Text | Query, path: Path, **options: Unpack[_Options]) -> Report:
    """Writes the matching games as PGN, with the comments of the query; see :func:`write`."""
    return write(games, query, path, format="pgn", **options)


#: Default columns of :func:`export`.
_EXPORTED = (
    "input game game_in_input event site date year round white black white_elo black_elo eco result FEN moves"
)


def export(
    games: Games,
    path: Path,
    *,
    format: str | None = None,
    columns: Names = (),
    threads: int = 0,
    progress: Tell = None,
    force: bool = False,
) -> Report:
    """Writes a table with a row for each game: its tags, and its moves as a list. The extension
    determines the format: parquet, csv, tsv, jsonl. ``columns`` are others than these, such as
    ``moves_uci`` or a tag. The file is protected like that of :func:`write`."""
    return write(
        games,
        "true",
        path,
        format=format,
        per="game",
        columns=_names(columns, "columns") or _EXPORTED.split(),
        threads=threads,
        progress=progress,
        force=force,
    )


def report(games: Games, query: Text | Query, path: Path, **options: Unpack[_Options]) -> Report:
    """Writes a report for the browser, with boards to step through; see :func:`write`."""
    return write(games, query, path, format="html", **options)


def stats(
    games: Games, *, top: int = 10, threads: int = 0, progress: Tell = None
) -> dict[str, _typing.Any]:
    """Counts what is in the games, as ``cql stats --json`` prints it: results, players, events,
    openings, dates, moves, comments, faults. ``top`` is the number of names of each kind.

    The :class:`OSError` that is raised for an unreadable input has the counts of the others as its
    ``report``; so have those of :func:`tree` and :func:`duplicates`.

    >>> babson.stats(b'[White "Ann"]\\n\\n1. f3 e5 2. g4 Qh4# 0-1')["players"]
    [{'name': 'Ann', 'count': 1}]
    """
    return _surveyed(
        _babson.stats(_source(games), _number(top, "top"), _threads(threads), _teller(progress))
    )


def tree(
    games: Games,
    position: str = "",
    *,
    depth: int = 1,
    min_games: int = 1,
    variations: bool = False,
    threads: int = 0,
    progress: Tell = None,
) -> dict[str, _typing.Any]:
    """Counts the moves played from a position, as ``cql tree --json`` prints them, the most frequent
    ones first. ``position`` has moves (``"1.e4 c5"``) or a FEN; without it, the tree begins at the normal
    start. ``depth`` is the number of half-moves after it. Moves in fewer games than ``min_games`` are
    left out. ``variations`` counts those, too. ``other_rules`` and ``unreadable`` are the numbers of
    games that are not counted, ``assumed`` that of games of unknown variants read by the rules of chess.

    >>> for move in babson.tree(b"1. f3 e5 2. g4 Qh4# 0-1", "f3")["moves"]:
    ...     print(move["move"], move["games"], move["black"])
    e5 1 1
    """
    return _surveyed(
        _babson.tree(
            _source(games),
            _checked(position, "position", str),
            _number(depth, "depth", 1, 12),
            _number(min_games, "min_games", 1),
            _checked(variations, "variations", bool),
            _threads(threads),
            _teller(progress),
        )
    )


def duplicates(
    games: Games,
    *,
    moves_only: bool = False,
    keep: str = "best",
    threads: int = 0,
    progress: Tell = None,
) -> dict[str, _typing.Any]:
    """Finds games that are equal or nearly equal to others, as ``cql dedup --json`` prints them. Each of
    ``duplicates`` has its ``input``, its number there (``game``), and ``of``, the game that is kept: the
    best, or with ``keep="first"`` the first. ``moves_only`` compares only the moves. The games are read
    several times.

    >>> babson.duplicates(b"1. f3 e5 2. g4 Qh4# 0-1\\n\\n" * 2)["equal"]
    1
    """
    return _surveyed(
        _babson.duplicates(
            _source(games),
            _checked(moves_only, "moves_only", bool),
            _checked(keep, "keep", str),
            _threads(threads),
            _teller(progress),
        )
    )


#: The name of the command ``cql dedup``.
dedup = duplicates


def doctor(
    games: Games,
    repair: Path | None = None,
    *,
    summary: bool = False,
    force: bool = False,
    progress: Tell = None,
) -> dict[str, _typing.Any]:
    """Finds the issues of games, as ``cql doctor --json`` prints them: ``remarks`` with their places, and
    totals. ``summary`` leaves the remarks out.

    ``repair`` is a new file for the games with their issues repaired. Games without issues are copied
    byte for byte, and no word is lost. An input is never replaced, and without ``force`` only games and
    earlier results are; any other file raises ``FileExistsError``. Shards are refused.

    An input that cannot be read at all is an :class:`OSError`, and no file is written. One that cannot
    be read to its end is an :class:`OSError` after all others have been read; its ``report`` has what
    was found.

    >>> [remark["fault"] for remark in babson.doctor(b'[White "Ann"]\\n\\n1. e4 e5 2. Ke3 *')["remarks"]]
    ['illegal move']
    """
    path = None if repair is None else _path(repair, "repair")
    _checked(summary, "summary", bool)
    _checked(force, "force", bool)
    return _surveyed(_babson.doctor(_source(games), path, summary, force, _teller(progress)))


def _surveyed(counted: tuple[str, list[str]]) -> dict[str, _typing.Any]:
    text, failures = counted
    found: dict[str, _typing.Any] = _json.loads(text)
    if not failures:
        return found
    error = OSError("\n".join(failures[:10]))
    setattr(error, "report", found)
    raise error


def themes() -> dict[str, str]:
    """The themes of the library, each with what it means. ``theme("fork")`` is a condition of a query,
    and :func:`index` can store which games have a theme.

    >>> babson.themes()["doublecheck"]
    'check by two pieces'
    """
    return dict(_babson.themes())


def tag_puzzles(
    puzzles: Path | _abc.Iterable[Path],
    path: Path,
    queries: _abc.Mapping[str, Text | Query] | None = None,
    *,
    threads: int = 0,
    progress: Tell = None,
    force: bool = False,
) -> Report:
    """Writes a table of Lichess puzzles to ``path`` with a column ``CqlThemes``: the names of the
    queries that match in each puzzle, separated by blanks, as ``cql run --tag-puzzles`` writes it.
    Without ``queries``, these are all :func:`themes` after the first move, which is the opponent's.

    The table must be a file, since it is read twice. It is not replaced, and without ``force`` only
    earlier results are.
    """
    if queries is None:
        queries = {name: f'ply > 0 theme("{name}")' for name in themes()}
    compiled = [
        (_checked(name, "queries", str), _query(query, None))
        for name, query in _checked(queries, "queries", _abc.Mapping).items()
    ]
    target, tell = _path(path, "path"), _teller(progress)
    _checked(force, "force", bool)
    return _babson.tag_puzzles(compiled, _paths(puzzles), target, _threads(threads), tell, force)


def diagram(fen: str, *, marks: Names = (), flip: bool = False) -> str:
    """Returns a picture (SVG) of a position; ``marks`` are squares to color.

    >>> babson.diagram("7k/8/8/8/8/8/8/K7 w - - 0 1", marks=["a1"])[:4]
    '<svg'
    """
    return _babson.diagram(
        _checked(fen, "fen", str), _names(marks, "marks"), _checked(flip, "flip", bool)
    )


def shards(games: Path | _abc.Iterable[Path], n: int, *, keep_damaged: bool = False) -> list[Shard]:
    """Cuts games into about ``n`` shards for other processes. A shard can be pickled, and stands for its
    games wherever a source is expected. Its games keep the numbers that they have in the whole.

    Uncompressed files are read once and cut where games begin; compressed ones stay whole. An archive,
    and games with an archive beside them, are cut by their numbers, and the shards are searched by
    columns. A manifest of ``cql split`` (``manifest.json``) yields the shards that it lists. In both
    cases no game is read.

    A file that cannot be read to its end is an :class:`OSError`. With ``keep_damaged`` it becomes
    shards as well, and their search reports the damage.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".pgn") as file:
    ...     _ = file.write(b'[Event "a"]\\n\\n1. f3 e5 2. g4 Qh4# 0-1\\n\\n' * 10)
    ...     file.flush()
    ...     [babson.count(shard, "mate").games for shard in babson.shards(file.name, 3)]
    [4, 3, 3]
    """
    return _babson.shards(_paths(games), _number(n, "n", 1), _checked(keep_damaged, "keep_damaged", bool))


def index(
    games: Path | _abc.Iterable[Path],
    archive: Path,
    *,
    self_contained: bool | None = None,
    themes: Names | bool | None = None,
    threads: int = 0,
    progress: Tell = None,
) -> int:
    """Builds an archive (``games.cqa``) of files, or brings one up to date; the games that it already
    has are kept. With ``self_contained`` it also stores the text of the games, now and in later calls,
    until one passes ``False``; text that exists nowhere else is not removed. With ``themes``, it stores
    which games have these themes (``True`` for all of them), in addition to those that it keeps, and
    searches for ``theme("fork")`` leave out the other games; ``False`` removes them. Returns the number
    of games. From then on, searches use the columns, with the same results: under the name of the archive,
    and under that of the file if the archive is beside it (``games.cqa`` beside ``games.pgn``)."""
    folder, tell = _path(archive, "archive"), _teller(progress)
    _checked(self_contained, "self_contained", bool | None)
    if isinstance(themes, bool):
        kept: list[str] | None = ["*"] if themes else []
    else:
        kept = None if themes is None else _names(themes, "themes")
    if kept == [] and themes is not False:
        raise ValueError("themes must name a theme; False removes all of them")
    return _babson.index(_paths(games), folder, self_contained, kept, _threads(threads), tell)[0]
