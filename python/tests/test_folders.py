"""Files of results: whose they are by now, and folders that many runs share."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import nanoarrow
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
