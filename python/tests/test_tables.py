"""DuckDB, polars and pandas open every table of every command without a cast."""

import duckdb
import nanoarrow
import pandas
import polars
import pyarrow
import pytest

import evens

POLARS = {
    "text": polars.String,
    "count": polars.UInt64,
    "number": polars.Float64,
    "text_list": polars.List(polars.String),
    "count_list": polars.List(polars.UInt32),
    "flag": polars.Boolean,
    "seed": polars.UInt64,
}
DUCKDB = {
    "text": "VARCHAR",
    "count": "UBIGINT",
    "number": "DOUBLE",
    "text_list": "VARCHAR[]",
    "count_list": "UINTEGER[]",
    "flag": "BOOLEAN",
    "seed": "UBIGINT",
}
PANDAS = {
    "text": "str",
    "count": "uint64",
    "number": "float64",
    "text_list": "object",
    "count_list": "object",
    "flag": "bool",
    "seed": "uint64",
}
ARROW = {
    "text": "string",
    "count": "uint64",
    "number": "double",
    "text_list": "list<element: string>",
    "count_list": "list<element: uint32>",
    "flag": "bool",
    "seed": "uint64",
}


def test_every_table_opens_with_the_types_that_it_says(result: evens.Result) -> None:
    assert result.tables
    database = result.duckdb()
    for name, table in result.tables.items():
        names = [column.name for column in table.columns]
        kinds = [column.kind for column in table.columns]
        assert all(column.meaning for column in table.columns), name
        assert len(table) > 0, f"{name} is empty and shows nothing"

        frame = table.polars()
        assert frame.columns == names
        assert frame.dtypes == [POLARS[kind] for kind in kinds], name
        data = table.pandas()
        assert list(data.columns) == names
        assert [str(of) for of in data.dtypes] == [PANDAS[kind] for kind in kinds], name
        relation = database.table(name)
        assert relation.columns == names
        assert [str(of) for of in relation.types] == [DUCKDB[kind] for kind in kinds], name
        assert table.duckdb().shape == relation.shape == frame.shape == data.shape == (len(table), len(names))

        rows = [[_known(value) for value in row.values()] for row in table.rows]
        assert [[_known(value) for value in row] for row in frame.rows()] == rows, name
        assert [[_known(value) for value in row] for row in relation.fetchall()] == rows, name
        assert [[_known(value) for value in row] for row in data.itertuples(index=False)] == rows, name


def _known(value: object) -> object:
    """Not a number is not known, and a list a list, whichever way a library says so."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return None if isinstance(value, float) and value != value else value


def test_arrow_streams_hold_the_same_whoever_makes_and_takes_them(result: evens.Result) -> None:
    from evens._arrow import _with_nanoarrow

    for name, table in result.tables.items():
        taken = pyarrow.table(table)
        # pyarrow and polars say text in several ways.
        kinds = [str(field.type).replace("large_", "").replace("_view", "") for field in taken.schema]
        assert kinds == [ARROW[column.kind] for column in table.columns], name
        assert polars.DataFrame(table).dtypes == table.polars().dtypes
        assert polars.DataFrame(table).shape == taken.shape
        assert len(pandas.DataFrame.from_arrow(table)) == len(table)
        assert duckdb.from_arrow(taken).shape == taken.shape
        made = pyarrow.table(_with_nanoarrow(nanoarrow, table))
        assert made.column_names == taken.column_names
        assert [_clean(row) for row in made.to_pylist()] == [_clean(row) for row in taken.to_pylist()], name
    assert polars.DataFrame(result).shape == next(iter(result.tables.values())).polars().shape


def _clean(row: dict[str, object]) -> dict[str, object]:
    return {name: _known(value) for name, value in row.items()}


def test_tables_answer_to_names_and_numbers(mirror: evens.Result) -> None:
    table = mirror["outcomes"]
    assert table[0]["side"] == "A"
    assert [row["side"] for row in table[0:2]] == table["side"] == ["A", "B"]
    assert "outcomes" in repr(table)
    with pytest.raises(KeyError, match="it has outcomes, rulesets"):
        mirror["unit"]
    with pytest.raises(KeyError, match="it has matchup, side"):
        table["sides"]
    shown = mirror["rulesets"]._repr_html_()
    assert shown.count("<tr>") == 21 and "more rows" in shown


def test_a_list_is_a_table_too() -> None:
    cards = evens.listed("cards", "splinterlands")
    assert len(cards) > 100 and cards.polars().height == len(cards) == len(cards.pandas())
    assert cards.duckdb().shape[0] == len(cards)
    assert len(evens.listed("rulesets", odds="splinterlands/archetypes")) > 10


def test_tables_outlive_the_result() -> None:
    table = evens.run("splinterlands/mirror", battles=100)["units"]
    import gc

    gc.collect()
    assert table.polars().height == len(table)
