"""How far a search has come: for a function that wants to know, or as a line in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple


class Progress(NamedTuple):
    """How far a search has come."""

    #: Games read.
    games: int
    #: Those that match.
    matches: int
    #: The part of the bytes that were read, from 0 to 1; ``None`` if it is not known.
    fraction: float | None

    def __str__(self) -> str:
        share = "" if self.fraction is None else f", {self.fraction:.0%}"
        return f"{self.games:,} games, {self.matches:,} match{share}"

    def _repr_html_(self) -> str:
        bar = "" if self.fraction is None else f'<progress value="{self.fraction:.3f}"></progress> '
        return f"<div>{bar}{self}</div>"


def teller(progress: Callable[[Progress], Any] | bool | None) -> Callable[..., Any] | None:
    """The function that a search calls, if anybody wants to know."""
    if progress is None:
        progress = in_notebook()
    if progress is True:
        return Line()
    if progress is False:
        return None
    return lambda *counts: progress(Progress(*counts))


def in_notebook() -> bool:
    """Whether what is displayed is seen in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class Line:
    """A line that is replaced each time: in a notebook, or on standard error. What takes no time has
    none."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.begin = time.monotonic()

    def __call__(self, *counts: Any) -> None:
        progress = Progress(*counts)
        if self.handle is None and time.monotonic() - self.begin < 0.5:
            return
        if not in_notebook():
            print(f"\r{progress}", end="", file=sys.stderr, flush=True)
        elif self.handle is None:
            from IPython.display import display

            self.handle = display(progress, display_id=True)
        else:
            self.handle.update(progress)
