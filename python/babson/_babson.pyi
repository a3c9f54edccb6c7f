from collections.abc import Callable
from typing import TypeAlias, final

from typing_extensions import Self, disjoint_base

_Tell: TypeAlias = Callable[[int, int, float | None], object] | None

__all__ = [
    "__version__",
    "Diagnostic",
    "Query",
    "Source",
    "Fault",
    "Report",
    "Matches",
    "Game",
    "Games",
    "Position",
    "compile",
    "doctor",
    "duplicates",
    "fmt",
    "games",
    "Shard",
    "shards",
    "index",
    "stats",
    "tree",
    "write",
    "count",
    "diagram",
    "tag_puzzles",
    "themes",
]
__version__: str

@final
class Diagnostic:
    def __new__(
        cls,
        code: str,
        severity: str,
        message: str,
        help: str | None,
        source: str,
        start: int,
        end: int,
        line: int,
        column: int,
        edit: tuple[int, int, str] | None,
    ) -> Self: ...
    code: str
    severity: str
    message: str
    help: str | None
    source: str
    start: int
    end: int
    line: int
    column: int
    edit: tuple[int, int, str] | None

@final
class Query:
    text: str
    warnings: list[Diagnostic]
    sequential: str | None
    counts_games: bool
    values: list[str]
    def explain(self) -> str: ...

@final
class Source:
    @staticmethod
    def files(paths: list[str]) -> Source: ...
    @staticmethod
    def bytes(bytes: bytes) -> Source: ...
    @staticmethod
    def texts(texts: list[str]) -> Source: ...
    @staticmethod
    def reader(object: object, name: str) -> Source: ...
    @staticmethod
    def shards(shards: list[Shard]) -> Source: ...

@final
class Shard:
    def __new__(
        cls,
        index: int,
        path: str,
        input: str,
        offset: int,
        game: int,
        line: int,
        end: int | None,
        games: int,
        games_before: int,
        bytes: int,
        archive: str | None,
        first: int | None,
    ) -> Self: ...
    index: int
    path: str
    input: str
    offset: int
    game: int
    line: int
    end: int | None
    games: int
    games_before: int
    bytes: int
    archive: str | None
    first: int | None

@final
class Fault:
    def __new__(
        cls,
        input: str,
        game: int,
        line: int,
        message: str,
        searched: bool,
    ) -> Self: ...
    input: str
    game: int
    line: int
    message: str
    searched: bool

@final
class Report:
    def __new__(
        cls,
        games: int,
        matches: int,
        positions: int,
        faults: list[Fault],
        n_faults: int,
        messages: str,
        persistent: list[str],
    ) -> Self: ...
    games: int
    matches: int
    positions: int
    faults: list[Fault]
    n_faults: int
    messages: str
    persistent: list[str]

@final
class Matches:
    def __new__(
        cls,
        query: Query,
        source: Source,
        per: str,
        columns: list[str],
        threads: int,
        limit: int | None,
        progress: _Tell,
    ) -> Self: ...
    columns: list[str]
    report: Report | None
    def limited(self, limit: int) -> Matches: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Position:
    def __new__(
        cls,
        id: int,
        ply: int,
        move_number: int,
        side: str,
        san: str | None,
        uci: str | None,
        fen: str,
        comments: list[str],
    ) -> Self: ...
    id: int
    ply: int
    move_number: int
    side: str
    san: str | None
    uci: str | None
    fen: str
    comments: list[str]

@disjoint_base
class Game:
    input: str
    number: int
    number_in_input: int
    result: str
    tag_pairs: list[tuple[str, str]]
    pgn: str
    positions: list[Position]
    def value_pairs(
        self, position: int | None = None
    ) -> list[tuple[str, bool | int | str | list[str] | None]]: ...

@final
class Games:
    def __iter__(self) -> Games: ...
    def __next__(self) -> Game: ...
    def close(self) -> None: ...
    report: Report | None

def compile(
    name: str,
    text: str,
    values: list[tuple[str, str]],
    dialect: str | None,
    variations: bool | None,
) -> tuple[Query | None, list[Diagnostic]]: ...
def fmt(
    name: str, text: str, unicode: bool | None
) -> tuple[str | None, list[Diagnostic]]: ...
def doctor(
    source: Source, repair: str | None, summary: bool, force: bool, progress: _Tell
) -> tuple[str, list[str]]: ...
def games(
    query: Query, source: Source, threads: int, limit: int | None, progress: _Tell
) -> Games: ...
def shards(paths: list[str], n: int, keep_damaged: bool) -> list[Shard]: ...
def index(
    paths: list[str],
    folder: str,
    self_contained: bool | None,
    themes: list[str] | None,
    threads: int,
    progress: _Tell,
) -> tuple[int, int]: ...
def themes() -> list[tuple[str, str]]: ...
def tag_puzzles(
    queries: list[tuple[str, Query]],
    paths: list[str],
    target: str,
    threads: int,
    progress: _Tell,
    force: bool,
) -> Report: ...
def write(
    query: Query,
    source: Source,
    path: str,
    format: str | None,
    per: str,
    columns: list[str],
    threads: int,
    limit: int | None,
    progress: _Tell,
    force: bool,
) -> Report: ...
def count(
    query: Query, source: Source, by: list[str], threads: int, progress: _Tell
) -> tuple[Report, bytes, str | None]: ...
def stats(
    source: Source, top: int, threads: int, progress: _Tell
) -> tuple[str, list[str]]: ...
def tree(
    source: Source,
    position: str,
    depth: int,
    min_games: int,
    variations: bool,
    threads: int,
    progress: _Tell,
) -> tuple[str, list[str]]: ...
def duplicates(
    source: Source, moves_only: bool, keep: str, threads: int, progress: _Tell
) -> tuple[str, list[str]]: ...
def diagram(fen: str, marks: list[str], flip: bool) -> str: ...
