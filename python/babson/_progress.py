"""Progress of a search: for a function, or as a line in a notebook or on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

# IPython is only installed where there are notebooks.
# mypy: disable-error-code="import-not-found"


class Progress(NamedTuple):
    """Progress of a search."""

    #: Number of games read.
    games: int
    #: Number of matching games.
    matches: int
    #: Fraction of the bytes read, from 0 to 1; ``None`` if unknown.
    fraction: float | None

    def __str__(self) -> str:
        share = "" if self.fraction is None else f", {self.fraction:.0%}"
        return f"{self.games:,} games, {self.matches:,} match{share}"

    def _repr_html_(self) -> str:
        bar = "" if self.fraction is None else f'<progress value="{self.fraction:.3f}"></progress> '
        return f"<div>{bar}{self}</div>"


#: A function that a search calls with its progress.
Tell = Callable[[int, int, "float | None"], object]


def teller(progress: Callable[[Progress], object] | bool | None) -> Tell | None:
    """Returns the function that a search calls with its progress, or ``None``."""
    if progress is None:
        progress = in_notebook()
    if progress is True:
        return Line()
    if progress is False:
        return None
    if not callable(progress):
        kind = type(progress).__name__
        raise TypeError(f"progress must be a function, True, False or None, not {kind}")
    return lambda games, matches, fraction: progress(Progress(games, matches, fraction))


def in_notebook() -> bool:
    """Whether the code runs in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    # Colab and others have shells of their own, which are derived from that of Jupyter.
    return any(kind.__name__ == "ZMQInteractiveShell" for kind in type(shell).__mro__)


class Line:
    """A line that is replaced each time, in a notebook or on standard error. A search that takes less
    than half a second shows none."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.begin = time.monotonic()

    def __call__(self, games: int, matches: int, fraction: float | None) -> None:
        progress = Progress(games, matches, fraction)
        if self.handle is None and time.monotonic() - self.begin < 0.5:
            return
        if not in_notebook():
            print(f"\r{progress}", end="", file=sys.stderr, flush=True)
        elif self.handle is None:
            from IPython.display import display

            self.handle = display(progress, display_id=True)
        else:
            self.handle.update(progress)
