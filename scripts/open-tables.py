"""Opens every table of every command with polars, DuckDB and pandas, and checks that nothing needs a cast.

Usage: open-tables.py PROGRAM

PROGRAM writes each table as Parquet, CSV and JSON, and says in `evens tables --json` what its columns hold. Every reader
has to find those columns, types and values by itself: in Parquet all of them, in CSV and JSON the same numbers, the same
text and every digit of a seed. A folder that several runs share is read as one table.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow.parquet

# Between them they write every table; a table of the dictionary that none of them writes is an error.
COMMANDS = [
    "run splinterlands/drawn-teams --battles 3000 --table outcomes --table rulesets --table orders --table order_effects "
    "--table units --table units_by_ruleset --table unit_pairs --table activity --table battles",
    "run splinterlands/archetypes --battles 400 --table unit_pairs_by_ruleset --table battles",
    "run solforge/factions --battles 320 --table field --table battles",
    "run eldertale/three-way --battles 300 --table outcomes --table battles",
    "effects splinterlands/drawn-teams --battles 20",
    "effects splinterlands/archetypes --battles 50 --order first-turn",
    "sweep splinterlands/sweep-health --battles 200",
    "exact splinterlands/mirror",
    "score results.jsonl --runs 50",
    "tune splinterlands/archetypes --battles 2000",
    "best splinterlands/archetypes --battles 600 --metagame --set illegal_teams=lose",
    "worth splinterlands/drawn-teams --battles 3000 --replace 1",
    "tune rivals.toml --stats --within 8pp",
    "nightly splinterlands/mirror --battles 200 --seed 1 --baseline base",
]
BASELINE = "nightly --write splinterlands/mirror --battles 200 --seed 1 --baseline base --quiet"
RIVALS = """
game = "sanctum"
battles = 900
sides = { a = ["Ash's", "Bog's"], b = ["Ash's", "Bog's"] }
minions = [{ name = "Ash", hand = 6, hit_points = 14 }, { name = "Bog", hand = 4, hit_points = 14 }]
groups = [{ name = "Ash's", minions = ["Ash"] }, { name = "Bog's", minions = ["Bog"] }]
"""
RESULT = {
    "ruleset": "Standard",
    "mana_cap": 30,
    "team1": {"summoner": {"card_detail_id": 5, "level": 1}, "monsters": [{"card_detail_id": 7, "level": 1}]},
    "team2": {"summoner": {"card_detail_id": 16, "level": 1}, "monsters": [{"card_detail_id": 13, "level": 1}]},
    "winner": "team1",
}

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


def clean(value: object, kind: str) -> object:
    """A value as Python has it, whichever way a library keeps it."""
    if value is None or (isinstance(value, float) and value != value):
        # An empty cell of CSV is both.
        return "" if kind == "text" else None
    if kind.endswith("_list") and not isinstance(value, str):
        return list(value)
    return value.item() if hasattr(value, "item") else value


def rows_of(frame: object, kinds: list[str]) -> list[list[object]]:
    return [[clean(value, kind) for value, kind in zip(row, kinds, strict=True)] for row in frame]


def open_parquet(path: pathlib.Path, columns: list[dict]) -> list[list[object]]:
    """The rows of a file, which every reader agrees on."""
    names, kinds = [of["column"] for of in columns], [of["type"] for of in columns]
    frame = polars.read_parquet(path)
    assert frame.columns == names, (path, frame.columns, names)
    assert frame.dtypes == [POLARS[kind] for kind in kinds], (path, frame.schema)
    data = pandas.read_parquet(path)
    assert [str(of) for of in data.dtypes] == [PANDAS[kind] for kind in kinds], (path, data.dtypes)
    relation = duckdb.read_parquet(str(path))
    assert [str(of) for of in relation.types] == [DUCKDB[kind] for kind in kinds], (path, relation.types)
    rows = rows_of(frame.rows(), kinds)
    assert rows_of(data.itertuples(index=False), kinds) == rows, path
    assert rows_of(relation.fetchall(), kinds) == rows, path

    file = pyarrow.parquet.ParquetFile(path)
    schema = file.schema_arrow
    for column in columns:
        described = (schema.field(column["column"]).metadata or {})[b"description"].decode()
        assert described == column["meaning"], (path, column, described)
    assert rows, f"{path} has no rows, and so shows nothing"
    assert json.loads(file.metadata.metadata[b"evens"])["run"]["id"] == rows[0][-1], path
    for group in range(file.metadata.num_row_groups):
        for at in range(file.metadata.num_columns):
            chunk = file.metadata.row_group(group).column(at)
            assert chunk.statistics is not None, (path, chunk)
    return rows


def same(found: list[list[object]], rows: list[list[object]], what: str) -> None:
    assert found == rows, (what, next((pair for pair in zip(found, rows, strict=True) if pair[0] != pair[1]), None))


def open_text(folder: pathlib.Path, table: str, columns: list[dict], rows: list[list[object]]) -> None:
    """CSV and JSON say the same, seeds as text with all their digits and lists of CSV as JSON. That text is text is said to
    the readers, which would take `1/2` or a name of digits for something else."""
    kinds = [of["type"] for of in columns]

    def read(value: object, kind: str, what: str) -> object:
        if kind == "seed" and not (isinstance(value, int) and "csv" in what):
            # DuckDB reads hexadecimal in CSV as the integer that it is.
            assert isinstance(value, str) and value.startswith("0x"), (table, value)
            return int(value, 16)
        if kind.endswith("_list") and isinstance(value, str):
            return json.loads(value)
        if kind == "number" and isinstance(value, int):
            return float(value)
        return value

    def text(value: object, kind: str) -> object:
        # What a spreadsheet takes for a formula has an apostrophe before it.
        guarded = kind == "text" and isinstance(value, str) and value.startswith("'")
        return value[1:] if guarded else value

    def read_rows(frame: object, guarded: bool) -> list[list[object]]:
        what = "csv" if guarded else "json"
        cleaned = rows_of(frame, kinds_of_cells)
        pairs = [[(text(v, k) if guarded else v, k) for v, k in zip(row, kinds, strict=True)] for row in cleaned]
        return [[read(value, kind, what) for value, kind in row] for row in pairs]

    # Lists and seeds are text in a cell.
    kinds_of_cells = ["text" if kind == "seed" or kind.endswith("_list") else kind for kind in kinds]
    csv = str(folder / "csv" / f"{table}.csv")
    as_text = {of["column"]: str for of in columns if of["type"] == "text"}
    relation = duckdb.read_csv(csv, sample_size=-1, dtype=dict.fromkeys(as_text, "VARCHAR"))
    same(read_rows(relation.fetchall(), True), rows, f"{csv} in DuckDB")
    frame = polars.read_csv(csv, infer_schema_length=None, schema_overrides=dict.fromkeys(as_text, polars.String))
    same(read_rows(frame.rows(), True), rows, f"{csv} in polars")
    data = pandas.read_csv(csv, keep_default_na=True, dtype=as_text)
    same(read_rows(data.itertuples(index=False), True), rows, f"{csv} in pandas")

    path = str(folder / "json" / f"{table}.json")
    kinds_of_cells = ["text" if kind == "seed" else kind for kind in kinds]
    same(read_rows(duckdb.read_json(path, sample_size=-1).fetchall(), False), rows, f"{path} in DuckDB")
    data = pandas.read_json(path, dtype=as_text, precise_float=True)
    same(read_rows(data.itertuples(index=False), False), rows, f"{path} in pandas")


def open_shared(run, folder: pathlib.Path) -> None:
    """Two runs in one folder are one table, with the scenario and the seed as columns of it."""
    for seed in (1, 2**64 - 1):
        flags = f"--battles 300 --seed {seed} --table battles --table outcomes -o shared --partition --format parquet --quiet"
        run(f"run splinterlands/mirror {flags}")
    for table, many in (("battles", 600), ("outcomes", 4)):
        pattern = f"{folder}/shared/{table}/**/*.parquet"
        found = duckdb.sql(
            f"select count(*), count(distinct run), min(scenario), max(seed::varchar) from read_parquet('{pattern}', "
            "hive_partitioning = true)"
        ).fetchall()[0]
        assert found == (many, 2, "splinterlands/mirror", str(2**64 - 1)), found
        frame = polars.scan_parquet(folder / "shared" / table, hive_partitioning=True).collect()
        assert frame.height == many and frame["scenario"].unique().to_list() == ["splinterlands/mirror"], frame
        assert sorted(str(seed) for seed in frame["seed"].unique()) == ["1", str(2**64 - 1)], frame["seed"].unique()
        data = pandas.read_parquet(folder / "shared" / table)
        assert len(data) == many and data["run"].nunique() == 2
    print("a shared folder: one table of two runs in polars, DuckDB and pandas")


def open_history(run, folder: pathlib.Path, columns: set[str]) -> None:
    """Nights add up to one table, which has the columns that the dictionary tells, the scenario and the seed."""
    for night in (1, 2):
        night_of = f"nightly splinterlands/mirror --battles 200 --baseline base --seed {night} --label night-{night}"
        run(f"{night_of} --history nights --quiet")
    pattern = f"{folder}/nights/history/**/*.parquet"
    found = duckdb.sql(f"select * from read_parquet('{pattern}', hive_partitioning = true)")
    assert set(found.columns) == columns | {"scenario", "seed", "run"}, set(found.columns) ^ columns
    nights = duckdb.sql("select night, count(*) from found group by night order by night").fetchall()
    assert [night for night, _ in nights] == ["night-1", "night-2"] and nights[0][1] == nights[1][1] > 0, nights
    rows = sum(many for _, many in nights)
    frame = polars.scan_parquet(folder / "nights" / "history", hive_partitioning=True).collect()
    data = pandas.read_parquet(folder / "nights" / "history")
    assert frame.height == len(data) == rows, (frame.height, len(data), rows)
    assert sorted(frame["value"].drop_nulls()) == sorted(data["value"].dropna()), "the same figures"
    print(f"history: {rows} rows of two nights in polars, DuckDB and pandas")


def main(program: str) -> int:
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)

        def run(line: str) -> str:
            done = subprocess.run([program, *line.split()], cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}: {done.stderr}"
            return done.stdout

        (folder / "results.jsonl").write_text(json.dumps(RESULT))
        (folder / "rivals.toml").write_text(RIVALS)
        run(BASELINE)
        listed = json.loads(run("tables --json"))["tables"]["columns"]
        # `trend --json` alone has that table.
        known = {column["table"] for column in listed} - {"trend"}
        seen = set()
        for command in COMMANDS:
            for style in ("parquet", "csv", "json"):
                run(f"{command} -o {style} --format {style} --quiet")
            manifest = json.loads((folder / "parquet" / "provenance.json").read_text())
            for file in manifest["files"]:
                if "table" not in file:
                    continue
                # The columns of some tables go by the game and by the number of sides.
                columns = [
                    {"column": of["name"], "type": of["kind"], "meaning": of["meaning"]} for of in file["columns"]
                ]
                rows = open_parquet(folder / "parquet" / file["file"], columns)
                assert len(rows) == file["rows"], file["file"]
                open_text(folder, file["table"], columns, rows)
                if file["table"] not in seen:
                    print(f"{file['table']}: {len(rows)} rows in polars, DuckDB and pandas")
                seen.add(file["table"])
        open_history(run, folder, {column["column"] for column in listed if column["table"] == "history"})
        seen.add("history")
        assert seen == known, f"not seen: {known - seen}; not in the dictionary: {seen - known}"
        open_shared(run, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
