"""What a command found."""

from __future__ import annotations

import dataclasses
import html
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ._errors import Fault, UsageError
from ._files import Files, place_word
from ._program import call
from ._table import Column, Row, Table, columns_of, into_duckdb

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars


@dataclass(frozen=True)
class Provenance:
    """Everything that is needed to make a result again, and to know whether it is whole."""

    program: str
    """The program that made it."""
    version: str
    """The program's version."""
    game: str
    """The rule system."""
    scenario: str
    """The scenario's name."""
    fingerprint: str
    """A fingerprint of the scenario and of the files that it reads."""
    seed: int
    """The master seed."""
    battles_asked: int
    """How many battles were asked for."""
    battles_played: int
    """How many were played."""
    partial: bool
    """Whether it was ended before it was done, or holds bounds alone."""
    choices: str | None = None
    """How the choices of players are made that the results hold for."""
    stopping: Mapping[str, str] | None = None
    """The stopping rule, and what the intervals are valid for."""
    id: str = ""
    """What tells this run from any other: what the column `run` of a table holds."""

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Provenance:
        """What the program tells; what a later version tells besides is left out."""
        known = {field.name for field in dataclasses.fields(cls)}
        told = {**told, "seed": int(told["seed"])}  # large ones are text in JSON
        return cls(**{key: value for key, value in told.items() if key in known})


class Result:
    """What a command found: its page, its tables, and where they come from.

    A notebook shows the answer. `result["units"]` is a table by its name, `result.tables` all of them by theirs.
    """

    command: str
    """The command that made it."""
    data: Mapping[str, Any]
    """Everything that the program printed, as `evens schema results` describes it; `exact`, `plan` and `tune` have more
    to say than their tables."""
    page: str
    """What the command prints in a terminal of 80 columns."""
    provenance: Provenance
    """Where it comes from."""
    tables: Mapping[str, Table]
    """The tables by name, the most important one first."""
    warnings: tuple[Fault, ...]
    """What is probably not meant in the scenario."""
    folder: Path | None
    """The folder of its files: that of `output=`, or one that is deleted with the result; None where there are none on
    this machine."""

    def __init__(self, data: Mapping[str, Any], files: Files | None = None, missing: Fault | None = None) -> None:
        """The result of what the program printed and of its files; `missing` says why files cannot be read."""
        self.command = data["command"]
        self.data = MappingProxyType(dict(data))
        self.page = data.get("page") or ""
        self.warnings = tuple(Fault.read(told) for told in data.get("warnings") or ())
        self.folder = files.folder if files is not None else None
        self._files = files
        self._missing = missing
        run = data.get("provenance") or data.get("pilot") or (files.run if files is not None else _EMPTY)
        self.provenance = Provenance.read(run)
        self.tables = MappingProxyType(self._tables(data.get("tables") or {}))

    def _tables(self, printed: Mapping[str, Sequence[Row]]) -> dict[str, Table]:
        tables: dict[str, Table] = {}
        for file in self._files.listed if self._files is not None else ():
            name = file.get("table")
            if name is None:
                continue
            columns = [Column(of["name"], of["kind"], of["meaning"]) for of in file["columns"]]
            rows = printed.get(name)
            if rows is not None and columns[-1].name == "run":
                # What is printed says it once.
                rows = [{**row, "run": self.provenance.id} for row in rows]
            tables[name] = Table(name, columns, rows, file["file"], self._files)
        for name, rows in printed.items():
            if name not in tables:
                if self._missing is not None:
                    # As in the files that cannot be read.
                    rows = [{**row, "run": self.provenance.id} for row in rows]
                tables[name] = Table(name, columns_of(rows), rows)
        return tables

    def __getitem__(self, name: str) -> Table:
        """A table by its name."""
        try:
            return self.tables[name]
        except KeyError:
            names = ", ".join(self.tables) or "no tables"
            why = f"; {self._missing.message}" if self._missing is not None else ""
            raise KeyError(f"this result has no table {name!r}; it has {names}{why}") from None

    def _table(self, name: str | None) -> Table:
        if name is not None:
            return self[name]
        if not self.tables:
            raise KeyError(f"a result of {self.command} has no tables")
        return next(iter(self.tables.values()))

    def polars(self, table: str | None = None) -> polars.DataFrame:
        """A table as a polars data frame: the first one, unless another is named.

        Raises:
            InputError: The table's file is another run's by now.
        """
        return self._table(table).polars()

    def pandas(self, table: str | None = None) -> pandas.DataFrame:
        """A table as a pandas data frame: the first one, unless another is named.

        Raises:
            InputError: The rows are read from the table's file, and that is another run's by now.
        """
        return self._table(table).pandas()

    def duckdb(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB database in memory that holds all tables: `result.duckdb().sql("from units")`.

        Raises:
            InputError: A table's file is another run's by now.
        """
        try:
            import duckdb
        except ImportError as error:
            raise ImportError("duckdb is not installed: pip install 'evens[duckdb]'") from error
        connection = duckdb.connect()
        for table in self.tables.values():
            into_duckdb(connection, table)
        return connection

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The first table as an Arrow stream.

        Raises:
            InputError: The table's file is another run's by now.
        """
        return self._table(None).__arrow_c_stream__(requested_schema)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes the results as one HTML page: the answer, figures, tables, and weights to try out.

        Raises:
            UsageError: There is no such page of this command (`score`, `plan`), the result's files are in an object
                store, or something else is in the page's place.
            InputError: The result's files are another run's by now.
            ProgramError: The page cannot be written.
        """
        if self._missing is not None:
            raise UsageError(2, [self._missing])
        if self._files is None or self._files.notes is None:
            remedy = "`page` has what it says" + (", and `tables` its figures" if self.tables else "")
            raise UsageError(2, [Fault(f"a result of {self.command} has no HTML report", remedy)])
        self._files.check()
        line = ["report", str(self._files.results), f"--output={place_word(path)}", "--json"]
        call(line).check(0, output=os.fspath(path))
        return Path(path)

    def __repr__(self) -> str:
        """The page as in a terminal."""
        return self.page.rstrip("\n")

    @cached_property
    def _answer(self) -> Mapping[str, Any] | None:
        """What the HTML report says above its figures."""
        if self._files is None or self._files.notes is None:
            return None
        try:
            return dict(json.loads(self._files.path(self._files.notes).read_text("utf-8")))
        except (FileNotFoundError, ValueError):
            # An `InputError`, too: what is in the folder by now is not the answer of this run.
            return None

    def _repr_html_(self) -> str:
        """The head of the HTML report: the question, the answer and what matters most; else the page."""
        told = self._answer
        if told is None or not told.get("answer"):
            return f"<pre>{html.escape(self.page)}</pre>"
        run = self.provenance
        many = f" · {run.battles_played:,} battles · seed {run.seed}" if run.battles_played else ""
        parts = [f"<small>{_text(run.game)} · {_text(run.scenario)}{many}</small>"]
        if told.get("question"):
            parts.append(f"<p><strong>{_text(told['question'])}</strong></p>")
        parts += [f"<p>{_text(line['text'])}</p>" for line in told["answer"]]
        if told.get("matters"):
            lines = "".join(f"<li>{_text(_line(line))}</li>" for line in told["matters"])
            parts.append(f"<p>What matters most</p><ul>{lines}</ul>")
        if run.partial and self.command != "exact":
            parts.append(f"<p>Ended early: {run.battles_played:,} of {run.battles_asked:,} battles.</p>")
        names = ", ".join(f"<code>{_text(name)}</code>" for name in self.tables)
        parts.append(f"<small>Tables: {names}. {_text(told.get('intervals') or '')}</small>")
        return f"<div style='max-width:48em'>{''.join(parts)}</div>"


_EMPTY = {
    "program": "evens",
    "version": "",
    "game": "",
    "scenario": "",
    "fingerprint": "",
    "seed": 0,
    "battles_asked": 0,
    "battles_played": 0,
    "partial": False,
}


def _line(line: object) -> str:
    return str(line["text"]) if isinstance(line, Mapping) else str(line)


def _text(text: str) -> str:
    return html.escape(text)


class Plan(Result):
    """How many battles a question takes; its figures are in `data`, and its `provenance` is the pilot's."""

    @property
    def battles(self) -> int | None:
        """How many battles it takes for all comparisons; None where no number suffices."""
        battles = self.data["battles"]
        return None if battles is None else int(battles)

    @property
    def seconds(self) -> float | None:
        """How long those take on this machine, at the pilot's speed."""
        seconds = self.data["seconds"]
        return None if seconds is None else float(seconds)


class Comparison(Result):
    """What changed between two baselines or two card files."""

    @property
    def changed(self) -> bool:
        """Whether any change counts: it is significant and larger than the tolerance (exit code 4)."""
        return bool(self.data["changed"])


@dataclass(frozen=True)
class Checked:
    """What was found in an input."""

    name: str
    """Its name."""
    ok: bool
    """Whether it can be used."""
    faults: tuple[Fault, ...]
    """What is wrong with it."""
    warnings: tuple[Fault, ...]
    """What is probably not meant."""


class Trace:
    """One battle, event by event."""

    events: tuple[Mapping[str, Any], ...]
    """The battle itself, each event, and its end, as `evens trace --json --boards` prints them."""

    def __init__(self, events: tuple[Mapping[str, Any], ...], words: list[str], text: str | None) -> None:
        """A battle of these events, which the command line `words` with `text` on its standard input tells."""
        self.events = events
        self._words = words
        self._given = text

    @cached_property
    def page(self) -> str:
        """The battle as a story."""
        finished = call(self._words, self._given)
        finished.check(0)
        return finished.output

    def html(self, path: str | os.PathLike[str]) -> Path:
        """Writes a page that steps through the battle, with the board and the dice of each step.

        Raises:
            EvensError: The page cannot be written, or the scenario is not what it was.
        """
        call([*self._words, f"--html={place_word(path)}", "--json"], self._given).check(0, output=os.fspath(path))
        return Path(path)

    def __repr__(self) -> str:
        """The story."""
        return self.page.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.page)}</pre>"
