"""The tables and queries of the page about SQL (docs/src/sql.md), for tests of its engines."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "src" / "sql.md").read_text()

QUESTIONS = re.findall(r"```sql\n(.*?)```", PAGE, re.S)

RATED = b'\n\n[White "Ann"]\n[WhiteElo "2100"]\n[BlackElo "1900"]\n[ECO "C20"]\n\n'


def write_tables():
    """Writes the tables of the page into the current directory, with its code. DuckDB keeps its tables
    under their names."""
    games = [(ROOT / "examples" / f"{name}.pgn").read_bytes() for name in ("historic", "clocks", "miniatures")]
    games.append(RATED + b"1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n")
    pathlib.Path("games.pgn").write_bytes(b"\n\n".join(games))
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        exec(block, {})
