"""Tables as Arrow streams.

Whoever asks for one mostly brings a library that can make it: polars and pyarrow do. For the rest there is nanoarrow,
which is small and needs nothing else (`pip install 'evens[arrow]'`).
"""

from __future__ import annotations

import importlib
import sys
from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._table import Column, Table

_MAKERS = ("pyarrow.parquet", "polars", "nanoarrow")


def stream(table: Table, requested_schema: object | None) -> object:
    """The capsule of a stream that holds the table."""
    for name in sorted(_MAKERS, key=lambda name: name.split(".")[0] not in sys.modules):
        try:
            module: Any = importlib.import_module(name)
        except ImportError:
            continue
        if name == "nanoarrow":
            return _with_nanoarrow(module, table).__arrow_c_stream__(requested_schema)
        if table.path is None:
            continue
        if name == "polars":
            return table.polars().__arrow_c_stream__(requested_schema)
        return module.read_table(table.own_path(), partitioning=None).__arrow_c_stream__(requested_schema)
    raise ImportError("an Arrow stream is made with pyarrow, polars or nanoarrow: pip install 'evens[arrow]'")


def _with_nanoarrow(nanoarrow: Any, table: Table) -> Any:
    types = {
        "text": nanoarrow.string(),
        "count": nanoarrow.uint64(),
        "number": nanoarrow.float64(),
        "text_list": nanoarrow.list_(nanoarrow.string()),
        "count_list": nanoarrow.list_(nanoarrow.uint32()),
        "flag": nanoarrow.bool_(),
        "seed": nanoarrow.uint64(),
    }
    schema = nanoarrow.struct({column.name: types[column.kind] for column in table.columns})
    items = {"text_list": nanoarrow.string(), "count_list": nanoarrow.uint32()}

    def child(column: Column) -> Any:
        values = [row[column.name] for row in table.rows]
        if column.kind not in items:
            return nanoarrow.c_array(values, types[column.kind])
        # nanoarrow makes no lists of Python's.
        ends = array("i", [0, *accumulate(len(value) for value in values)])
        flat = nanoarrow.c_array([item for value in values for item in value], items[column.kind])
        buffers = [None, nanoarrow.c_buffer(ends)]
        return nanoarrow.c_array_from_buffers(types[column.kind], len(values), buffers, children=[flat])

    children = [child(column) for column in table.columns]
    whole = nanoarrow.c_array_from_buffers(schema, len(table), [None], children=children)
    return nanoarrow.c_array_stream(whole)
