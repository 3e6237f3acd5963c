"""Runs the DuckDB, polars and pandas examples of docs/tables.md on a folder of tables, and checks that each finds something.

Usage: read-tables.py FOLDER
"""

import contextlib
import io
import os
import pathlib
import re
import sys

import duckdb


def main(folder: pathlib.Path) -> int:
    guide = pathlib.Path(__file__).resolve().parent.parent / "docs" / "tables.md"
    blocks = re.findall(r"^```(sql|python)\n(.*?)^```", guide.read_text(), re.M | re.S)
    if len(blocks) < 3:
        print(f"only {len(blocks)} examples in {guide}", file=sys.stderr)
        return 1
    # The examples say `results`, as their reader's command does.
    work = folder.resolve()
    if work.name != "results":
        print("name the folder `results`", file=sys.stderr)
        return 1
    os.chdir(work.parent)
    for language, text in blocks:
        if language == "sql":
            rows = duckdb.sql(text).fetchall()
            found = "\n".join(map(str, rows))
        else:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(text, {})
            found = printed.getvalue()
        if len(found.splitlines()) < 2:
            print(f"this {language} example finds nothing:\n{text}", file=sys.stderr)
            return 1
        print(f"{language}:\n{found}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
