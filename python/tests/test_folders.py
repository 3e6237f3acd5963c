"""Files of results: whose they are by now, folders that many runs share, and object stores."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import nanoarrow
import polars
import pyarrow
import pytest

import evens

from .conftest import FIRE, record


def _from_files(result: evens.Result) -> dict[str, Callable[[], object]]:
    """Every way to what is in a result's files."""
    return {
        "polars": lambda: result.polars("outcomes"),
        "duckdb": result.duckdb,
        "a relation": result["outcomes"].duckdb,
        "arrow": lambda: pyarrow.table(result),
        "rows of battles": lambda: result["battles"].rows,
        "pandas of battles": lambda: result.pandas("battles"),
        "nanoarrow of battles": lambda: nanoarrow.Array(result["battles"]),
    }


def test_files_that_are_another_runs_by_now_are_not_taken_for_this_ones(tmp_path: Path) -> None:
    folder = tmp_path / "loop"
    first, second = (
        evens.run("mirror", battles=200, seed=seed, output=folder, table=["outcomes", "battles"]) for seed in (1, 2)
    )
    for name, read in _from_files(first).items():
        with pytest.raises(evens.InputError, match="another run's by now") as caught:
            read()
        assert caught.value.exit_code == 3, name
        fault = caught.value.faults[0]
        assert fault.file in {str(folder / "outcomes.parquet"), str(folder / "battles.parquet")}
        assert "splinterlands/mirror, seed 2, 200 battles" in fault.message and "output=" in fault.remedy
    with pytest.raises(evens.InputError, match="another run's by now"):
        first.report(tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()
    # What was printed is at hand, and stays the run's own.
    assert {row["run"] for row in first["outcomes"].rows} == {first.provenance.id}
    assert first._repr_html_().startswith("<pre>Is going first fair?")

    for read in _from_files(second).values():
        read()
    assert set(second.polars()["run"]) == {second.provenance.id}
    second.report(tmp_path / "report.html")


def test_the_same_run_again_leaves_what_is_the_same(tmp_path: Path) -> None:
    first = evens.run("mirror", battles=100, output=tmp_path / "kept", table=["outcomes", "battles"])
    again = evens.run("mirror", battles=100, output=tmp_path / "kept", table="outcomes")
    assert first.polars("outcomes").equals(again.polars("outcomes"))
    with pytest.raises(evens.InputError, match="the same run has been written there again"):
        first.polars("battles")
    shutil.rmtree(tmp_path / "kept")
    with pytest.raises(evens.InputError, match="is gone") as caught:
        again.polars("outcomes")
    assert caught.value.faults[0].file == str(tmp_path / "kept/outcomes.parquet")


def test_runs_share_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    results = [
        evens.run("mirror", battles=100, seed=seed, output=folder, partition=True, table=["outcomes", "battles"])
        for seed in (1, 2)
    ]
    alone = evens.run("mirror", battles=100, seed=1, output=tmp_path / "alone", table=["outcomes", "battles"])
    alone.report(tmp_path / "alone.html")
    for result in results:
        assert result.folder == folder and list(result.tables) == ["outcomes", "battles"]
        for read in _from_files(result).values():
            read()
        for table in result.tables.values():
            names = [column.name for column in table.columns]
            # The folders are called `scenario=NAME/seed=N`, which is no column of a run's table.
            assert table.polars().columns == list(table.duckdb().columns) == list(table.pandas().columns) == names
            assert list(pyarrow.table(table).column_names) == list(table[0]) == names
            assert set(table["run"]) == {result.provenance.id}
            assert table.path is not None and table.path.is_relative_to(folder) and table.path.is_file()
        result.report(tmp_path / "shared.html")
        assert "<strong>Is going first fair?" in result._repr_html_()
    assert results[0].polars("battles").equals(alone.polars("battles"))
    assert results[0].report(tmp_path / "shared.html").read_bytes() == (tmp_path / "alone.html").read_bytes()


@pytest.mark.parametrize("reader", ["polars", "pyarrow.parquet", "duckdb"])
def test_rows_of_a_shared_folder_are_the_same_whoever_reads_them(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    battles = evens.run(FIRE, battles=50, partition=True, table=["battles"])["battles"]
    monkeypatch.setattr("evens._table._has", lambda module: module == reader)
    assert list(battles[0]) == [column.name for column in battles.columns] and len(battles) == 50


def test_a_comparison_and_a_score_share_a_folder(tmp_path: Path) -> None:
    baseline = tmp_path / "old.json"
    source = Path(__file__).resolve().parents[2] / "reports/baseline"
    shutil.copy(next(of for of in source.iterdir() if of.suffix == ".json"), baseline)
    changes = evens.compare(baseline, baseline, output=tmp_path / "all", partition=True)
    assert changes["changes"].polars().height == len(changes["changes"])
    assert changes.report(tmp_path / "changes.html").is_file()

    (tmp_path / "results.jsonl").write_text(json.dumps(record([5, 7], [5, 7, 4], "team2")))
    score = evens.score(tmp_path / "results.jsonl", runs=50, output=tmp_path / "all", partition=True)
    assert {"scores", "forecasts"} <= set(score.tables) and set(score.polars()["run"]) == {score.provenance.id}
    assert changes["changes"].polars().height == len(changes["changes"])
    with pytest.raises(evens.UsageError, match="a result of score has no HTML report"):
        score.report(tmp_path / "score.html")


def test_an_address_in_an_object_store_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for call in (
        lambda: evens.run("mirror", battles=10, output="s3://bucket/key"),
        lambda: evens.run("mirror", battles=10).report("s3://bucket/report.html"),
        lambda: evens.trace("mirror", battle=1).html("s3://bucket/battle.html"),
    ):
        with pytest.raises(
            evens.UsageError, match=r"s3://bucket.* is in an object store, and this evens was built with"
        ):
            call()
    with pytest.raises(evens.UsageError, match='as text: "s3://bucket/key"'):
        evens.run("mirror", battles=10, output=Path("s3://bucket/key"))
    with pytest.raises(evens.UsageError, match='as text: "s3://bucket/key"'):
        evens.run("mirror", battles=10, checkpoint=Path("s3://bucket/key"))
    assert list(tmp_path.iterdir()) == []


def test_what_is_in_an_object_store_is_not_read_and_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A build with object stores, as far as this package sees of it: what is written there is not on this machine.
    program, store = evens.program(), tmp_path / "store"
    script = tmp_path / "with-stores"
    script.write_text(
        f"#!{sys.executable}\nimport os, sys\n"
        f"words = [word.replace('s3://bucket', {str(store)!r}) for word in sys.argv[1:]]\n"
        f"os.execv({str(program)!r}, [{str(program)!r}, *words])\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("EVENS", str(script))
    monkeypatch.chdir(tmp_path)
    result = evens.run("mirror", battles=100, output="s3://bucket/key", table=["outcomes", "battles"])
    assert (store / "key/battles.parquet").is_file() and {of.name for of in tmp_path.iterdir()} == {
        "store",
        script.name,
    }

    assert result.folder is None and result["outcomes"].path is None
    there = polars.read_parquet(store / "key/outcomes.parquet")
    assert result["outcomes"].rows == there.to_dicts() and result.polars().columns == there.columns
    with pytest.raises(KeyError, match=r"it has outcomes; .*object store \(s3://bucket/key\).* does not read"):
        result["battles"]
    with pytest.raises(evens.UsageError, match="does not read") as caught:
        result.report("report.html")
    assert "`evens report s3://bucket/key -o FILE`" in caught.value.faults[0].remedy
