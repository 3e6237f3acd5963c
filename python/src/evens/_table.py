"""Tables, which every data frame library takes as they are."""

from __future__ import annotations

import html
import importlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, overload

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars

    from ._files import Files

Kind = Literal["text", "count", "number", "text_list", "count_list", "flag", "seed"]
"""The type of a column: text, whole numbers from 0 (64 bits, unsigned), 64-bit floating-point numbers, lists of text,
lists of whole numbers (32 bits, unsigned), True or False, or seeds (64 bits, unsigned)."""

Row = dict[str, Any]
"""A row: by column a `str`, an `int` or a `float`, or None where it is not known."""

_MOST_SHOWN = 20


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    """Its name."""
    kind: Kind
    """The type of its values."""
    meaning: str
    """What it holds, with its unit or range."""


class Table:
    """A table: rows one after the other, each a dictionary.

    `table["score"]` is a column, `table[0]` a row. Nothing needs to be installed for that. `polars()`, `pandas()` and
    `duckdb()` hand it over to those, and whatever speaks the Arrow PyCapsule interface (`polars.DataFrame(table)`,
    `pyarrow.table(table)`, `pandas.DataFrame.from_arrow(table)`, plotting libraries) takes it as it is.
    """

    # No `Sequence` by inheritance: polars would read rows and guess types, and never ask for the stream.

    name: str
    """Its name."""
    columns: tuple[Column, ...]
    """Its columns, with type and meaning."""
    path: Path | None
    """Its Parquet file, which is deleted with the result unless the result was asked to stay (`output=`). A later run
    into the same folder takes its place: what reads it through this table notices, and raises an `InputError`."""

    def __init__(
        self,
        name: str,
        columns: Sequence[Column],
        rows: Sequence[Row] | None,
        file: str | None = None,
        files: Files | None = None,
    ) -> None:
        """A table of these rows, or of those in a Parquet file; `files` keeps the file there."""
        self.name = name
        self.columns = tuple(columns)
        self.path = files.folder / file if files is not None and file is not None else None
        self._rows = rows
        self._file = file
        self._files = files

    @property
    def rows(self) -> Sequence[Row]:
        """All rows. Those of `battles` are read from its file, which needs polars, pyarrow or duckdb.

        Raises:
            InputError: The file is another run's by now.
        """
        if self._rows is None:
            self._rows = self._read()
        return self._rows

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    @overload
    def __getitem__(self, at: str) -> list[Any]: ...
    def __getitem__(self, at: int | slice | str) -> Row | Sequence[Row] | list[Any]:
        """A row by its number, some rows by a slice, or a column by its name."""
        if isinstance(at, str):
            self._column(at)
            return [row[at] for row in self.rows]
        return self.rows[at]

    def __iter__(self) -> Iterator[Row]:
        """One row after the other."""
        return iter(self.rows)

    def polars(self) -> polars.DataFrame:
        """The table as a polars data frame.

        Raises:
            InputError: The table's file is another run's by now.
        """
        module: Any = _needed("polars", "polars")
        path = self.own_path()
        if path is not None:
            return cast("polars.DataFrame", module.read_parquet(path, hive_partitioning=False))
        types = {
            "text": module.String,
            "count": module.UInt64,
            "number": module.Float64,
            "text_list": module.List(module.String),
            "count_list": module.List(module.UInt32),
            "flag": module.Boolean,
            "seed": module.UInt64,
        }
        schema = {column.name: types[column.kind] for column in self.columns}
        return cast("polars.DataFrame", module.DataFrame(list(self.rows), schema=schema))

    def pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame. Counts are whole numbers, and numbers that are not known NaN.

        Raises:
            InputError: The rows are read from the table's file, and that is another run's by now.
        """
        module: Any = _needed("pandas", "pandas")
        if self._rows is None and importlib.util.find_spec("pyarrow"):
            frame = module.read_parquet(self.own_path(), engine="pyarrow", partitioning=None)
            return cast("pandas.DataFrame", frame)
        types = {
            "text": "str",
            "count": "uint64",
            "number": "float64",
            "text_list": "object",
            "count_list": "object",
            "flag": "bool",
            "seed": "uint64",
        }
        series = {
            column.name: module.Series([row[column.name] for row in self.rows], dtype=types[column.kind])
            for column in self.columns
        }
        return cast("pandas.DataFrame", module.DataFrame(series))

    def duckdb(self) -> duckdb.DuckDBPyRelation:
        """The table as a DuckDB relation, in a database of its own in memory.

        Raises:
            InputError: The table's file is another run's by now.
        """
        module: Any = _needed("duckdb", "duckdb")
        connection = module.connect()
        into_duckdb(connection, self)
        return cast("duckdb.DuckDBPyRelation", connection.table(self.name))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table as an Arrow stream, by whichever of pyarrow, polars and nanoarrow is installed.

        Raises:
            InputError: The table's file is another run's by now.
        """
        from ._arrow import stream

        return stream(self, requested_schema)

    def __repr__(self) -> str:
        """Its name and columns."""
        names = ", ".join(column.name for column in self.columns)
        return f"<Table {self.name}: {names}>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        head = "".join(f"<th title='{html.escape(of.meaning)}'>{html.escape(of.name)}</th>" for of in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{_shown(row[of.name])}</td>' for of in self.columns)}</tr>"
            for row in self.rows[:_MOST_SHOWN]
        )
        more = len(self) - _MOST_SHOWN
        rest = f"<p>and {more:,} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def own_path(self) -> Path | None:
        """The table's Parquet file, to be read now; None where there is none.

        Raises:
            InputError: It is another run's by now.
        """
        if self._files is None or self._file is None:
            return None
        return self._files.path(self._file)

    def _column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        names = ", ".join(column.name for column in self.columns)
        raise KeyError(f"the table {self.name} has no column {name!r}; it has {names}")

    def _read(self) -> Sequence[Row]:
        reader = next((of for of in ("polars", "pyarrow.parquet", "duckdb") if _has(of)), None)
        if reader is None:
            raise ImportError(f"the table {self.name} is read with polars, pyarrow or duckdb: install one of them")
        module: Any = importlib.import_module(reader)
        path = self.own_path()
        # `scenario=NAME/seed=N` in the path of a folder that many runs share makes no columns of one run's table.
        if reader == "polars":
            return list(module.read_parquet(path, hive_partitioning=False).to_dicts())
        if reader == "duckdb":
            relation = module.connect().read_parquet(str(path), hive_partitioning=False)
            return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        return list(module.read_table(path, partitioning=None).to_pylist())


def into_duckdb(connection: Any, table: Table) -> None:
    """Puts a table into a database."""
    name = quoted(table.name)
    path = table.own_path()
    if path is not None:
        connection.execute(f"create table {name} as from read_parquet(?, hive_partitioning = false)", [str(path)])
        return
    types = {
        "text": "varchar",
        "count": "ubigint",
        "number": "double",
        "text_list": "varchar[]",
        "count_list": "uinteger[]",
        "flag": "boolean",
        "seed": "ubigint",
    }
    columns = ", ".join(f"{quoted(of.name)} {types[of.kind]}" for of in table.columns)
    connection.execute(f"create table {name} ({columns})")
    if table.rows:
        holes = ", ".join("?" for _ in table.columns)
        connection.executemany(f"insert into {name} values ({holes})", [list(row.values()) for row in table.rows])


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def columns_of(rows: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The columns of rows that come without a description."""
    if not rows:
        return ()

    def kind(name: str) -> Kind:
        values = [row[name] for row in rows if row[name] is not None]
        if values and all(isinstance(value, bool) for value in values):
            return "flag"
        if values and all(isinstance(value, list) for value in values):
            items = [item for value in values for item in value]
            return "count_list" if items and all(isinstance(item, int) for item in items) else "text_list"
        if values and all(isinstance(value, int) and value >= 0 for value in values):
            return "count"
        return "number" if values and not any(isinstance(value, str) for value in values) else "text"

    return tuple(Column(name, kind(name), "") for name in rows[0])


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return html.escape(", ".join(str(item) for item in value))
    return f"{value:.4g}" if isinstance(value, float) else html.escape(str(value))


def _has(module: str) -> bool:
    return importlib.util.find_spec(module.split(".")[0]) is not None


def _needed(module: str, extra: str) -> object:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is not installed: pip install 'evens[{extra}]'") from error
