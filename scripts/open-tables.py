"""Opens every Parquet table in a folder with polars, DuckDB and pandas and checks that they agree.

Usage: open-tables.py FOLDER
"""

import pathlib
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet


def main(folder: pathlib.Path) -> int:
    tables = sorted(folder.glob("*.parquet"))
    if not tables:
        print(f"no Parquet table in {folder}", file=sys.stderr)
        return 1
    for path in tables:
        rows = {
            "polars": polars.read_parquet(path).height,
            "duckdb": duckdb.sql(f"select count(*) from read_parquet('{path}')").fetchall()[0][0],
            "pandas": len(pandas.read_parquet(path)),
        }
        metadata = pyarrow.parquet.read_schema(path).metadata or {}
        if len(set(rows.values())) != 1 or not any(key.startswith(b"evens") for key in metadata):
            print(f"{path.name}: rows {rows}, metadata {sorted(metadata)}", file=sys.stderr)
            return 1
        print(f"{path.name}: {rows['polars']} rows in polars, DuckDB and pandas")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
