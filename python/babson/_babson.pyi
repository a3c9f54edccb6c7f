from collections.abc import Callable
from os import PathLike
from typing import Any

Tell = Callable[[int, int, float | None], object] | None

__version__: str

class Diagnostic:
    def __init__(
        self,
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
    ) -> None: ...
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

class Query:
    text: str
    warnings: list[Diagnostic]
    sequential: str | None
    values: list[str]

class Source:
    @staticmethod
    def files(paths: list[str | PathLike[str]]) -> Source: ...
    @staticmethod
    def bytes(bytes: bytes) -> Source: ...
    @staticmethod
    def texts(texts: list[str]) -> Source: ...
    @staticmethod
    def reader(object: Any, name: str) -> Source: ...
    @staticmethod
    def shards(shards: list[Shard]) -> Source: ...

class Shard:
    def __init__(
        self,
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
    ) -> None: ...
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

class Fault:
    def __init__(
        self,
        input: str,
        game: int,
        line: int,
        message: str,
        searched: bool,
    ) -> None: ...
    input: str
    game: int
    line: int
    message: str
    searched: bool

class Report:
    def __init__(
        self,
        games: int,
        matches: int,
        positions: int,
        faults: list[Fault],
        n_faults: int,
        messages: str,
        persistent: list[str],
    ) -> None: ...
    games: int
    matches: int
    positions: int
    faults: list[Fault]
    n_faults: int
    messages: str
    persistent: list[str]

class Matches:
    def __init__(
        self,
        query: Query,
        source: Source,
        per: str,
        columns: list[str],
        threads: int,
        limit: int | None,
        progress: Tell,
    ) -> None: ...
    columns: list[str]
    report: Report | None
    def limited(self, limit: int) -> Matches: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class Position:
    def __init__(
        self,
        id: int,
        ply: int,
        move_number: int,
        side: str,
        san: str | None,
        uci: str | None,
        fen: str,
        comments: list[str],
    ) -> None: ...
    id: int
    ply: int
    move_number: int
    side: str
    san: str | None
    uci: str | None
    fen: str
    comments: list[str]

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

class Games:
    def __iter__(self) -> Games: ...
    def __next__(self) -> Game: ...
    report: Report | None

def compile(
    text: str, values: list[tuple[str, str]], dialect: str | None = None, variations: bool | None = None
) -> tuple[Query | None, list[Diagnostic]]: ...
def games(
    query: Query, source: Source, threads: int, limit: int | None, progress: Tell
) -> Games: ...
def shards(paths: list[str], n: int, keeps_damaged: bool) -> list[Shard]: ...
def index(
    paths: list[str], folder: str, self_contained: bool | None, threads: int, progress: Tell
) -> tuple[int, int]: ...
def write(
    query: Query,
    source: Source,
    path: str,
    format: str | None,
    per: str,
    columns: list[str],
    threads: int,
    limit: int | None,
    progress: Tell,
    force: bool,
) -> Report: ...
def count(
    query: Query, source: Source, by: list[str], threads: int, progress: Tell
) -> tuple[Report, bytes, str | None]: ...
def diagram(fen: str, marks: list[str], flip: bool) -> str: ...
