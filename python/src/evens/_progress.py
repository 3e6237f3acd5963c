"""Progress in notebooks and in terminals."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Mapping
from typing import Any, Protocol

_PATIENCE = 0.5
"""A command that is done within so many seconds shows none."""


class Progress(Protocol):
    """Shows how far a command is."""

    def show(self, told: Mapping[str, Any]) -> None:
        """Shows what the program tells: `done` of `total` of what `noun` says, `per_second`, and a `message`."""

    def finish(self) -> None:
        """Clears it away."""


def progress(wanted: bool | None) -> Progress | None:
    """What suits the place: a bar in a notebook, a line in a terminal, else nothing unless it is wanted."""
    if wanted is False:
        return None
    if _in_notebook():
        return InNotebook()
    if wanted or sys.stderr.isatty():
        return InTerminal()
    return None


def _in_notebook() -> bool:
    # Whoever runs in a notebook has imported it already.
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and hasattr(running, "kernel")


def _words(told: Mapping[str, Any]) -> str:
    done, total, rate = told["done"], told["total"], told["per_second"] or 0
    # A search may end long before the most battles that it can need.
    bounded = told.get("at_most", False)
    left = f", {(total - done) / rate:,.0f} s left" if rate > 0 and not bounded else ""
    return f"{done:,} of {'at most ' if bounded else ''}{total:,} {told['noun']}, {rate:,.0f}/s{left}"


class InTerminal:
    """One line on standard error, written over and cleared away at the end."""

    def __init__(self) -> None:
        """Nothing is shown yet."""
        self._began = time.monotonic()
        self._shown = False

    def show(self, told: Mapping[str, Any]) -> None:
        """Writes the line anew."""
        if time.monotonic() - self._began < _PATIENCE:
            return
        self._shown = True
        message = str(told.get("message") or "").strip().splitlines()
        text = "  ".join([_words(told), *message[:1]])
        sys.stderr.write(f"\r\x1b[2K{text[:100]}")
        sys.stderr.flush()

    def finish(self) -> None:
        """Clears the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


class InNotebook:
    """A bar under the cell, in the place of one output, and cleared away at the end."""

    def __init__(self) -> None:
        """Nothing is shown yet."""
        self._began = time.monotonic()
        self._handle: Any = None

    def show(self, told: Mapping[str, Any]) -> None:
        """Shows the bar anew."""
        if time.monotonic() - self._began < _PATIENCE:
            return
        bar = _Bar(_words(told), told["done"], max(1, told["total"]), str(told.get("message") or ""))
        self._update(bar)

    def finish(self) -> None:
        """Leaves nothing behind."""
        if self._handle is not None:
            self._update(_Bar("", 0, 0, ""))

    def _update(self, bar: _Bar) -> None:
        from IPython.display import display

        if self._handle is None:
            self._handle = display(bar, display_id=True)
        else:
            self._handle.update(bar)


class _Bar:
    """What a notebook shows."""

    def __init__(self, words: str, done: int, total: int, message: str) -> None:
        self.words, self.done, self.total, self.message = words, done, total, message

    def __repr__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        if not self.total:
            return ""
        message = f"<pre style='margin:0'>{html.escape(self.message)}</pre>" if self.message else ""
        bar = f"<progress max='{self.total}' value='{self.done}'></progress>"
        return f"<div>{bar} <small>{html.escape(self.words)}</small>{message}</div>"
