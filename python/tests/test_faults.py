"""What goes wrong is an exception that carries every fault."""

import sys
from pathlib import Path

import pytest

import evens

from .conftest import FIRE


def test_faults_of_a_scenario_have_file_line_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "faulty.toml"
    path.write_text(FIRE.replace("league =", "leage =").replace("monsters =", "monster ="))
    for call in (evens.run, evens.sweep, evens.effects, evens.exact, evens.tune, evens.plan):
        with pytest.raises(evens.InputError) as caught:
            call(path)
        error = caught.value
        assert error.exit_code == 3 and isinstance(error, ValueError)
        assert [(fault.file, fault.line) for fault in error.faults] == [
            (str(path), line) for line in (3, 9, 12, 14, 17)
        ]
        assert "did you mean `league`" in error.faults[0].remedy
        assert f"{path}:12:" in str(error) and "`monsters`" in str(error)
    checked = evens.check(path, "splinterlands/mirror")
    assert [of.ok for of in checked] == [False, True]
    assert checked[0].faults == error.faults


def test_a_text_or_a_dictionary_is_standard_input() -> None:
    with pytest.raises(evens.InputError) as caught:
        evens.run({"game": "splinterlands", "battles": 10, "leage": "silver"})
    assert {fault.file for fault in caught.value.faults} == {"standard input"}
    with pytest.raises(evens.InputError, match="game"):
        evens.run("battles = 3\n")


def test_what_is_asked_wrongly_is_a_usage_error(tmp_path: Path) -> None:
    for wrong in (
        lambda: evens.run("mirror", battles=0),
        lambda: evens.run("mirror", unit="Nobody"),
        lambda: evens.run("mirror", battles=10, until="1s"),
        lambda: evens.plan("mirror", detect="much"),
        lambda: evens.trace("mirror"),
    ):
        with pytest.raises(evens.UsageError) as caught:
            wrong()
        assert caught.value.exit_code == 2
        assert caught.value.faults[0].remedy
    with pytest.raises(evens.InputError, match="too large for exact odds"):
        evens.exact("splinterlands/drawn-teams")
    with pytest.raises(evens.InputError, match="no-such-scenario"):
        evens.run("no-such-scenario")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(evens.UsageError, match="is a file"):
        evens.run("mirror", battles=10, output=tmp_path / "file")
    with pytest.raises(evens.ProgramError) as caught_program:
        evens.run("mirror", battles=10, output=tmp_path / "file" / "inner")
    assert caught_program.value.exit_code == 1 and (tmp_path / "file").read_text() == "mine"


def test_a_fault_leaves_what_is_there_as_it_is(tmp_path: Path) -> None:
    evens.run("mirror", battles=100, output=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(evens.InputError):
        evens.run("no-such-scenario", output=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("columns", ["40", "200"])
def test_a_page_that_cannot_be_written_is_told_with_its_file(
    columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program breaks the lines of what it says, and how long they are is not to be seen.
    monkeypatch.setenv("COLUMNS", columns)
    result = evens.run("mirror", battles=10)
    battle = evens.trace("mirror", battle=1)
    (tmp_path / "mine.html").write_text("mine")
    for write in (result.report, battle.html):
        missing = tmp_path / "no such folder" / "page.html"
        with pytest.raises(evens.ProgramError) as caught:
            write(missing)
        remedy = "there is no such folder: make it, or choose another"
        assert caught.value.faults == (evens.Fault(f"cannot write to {missing}", remedy, str(missing)),)
        assert caught.value.exit_code == 1
        with pytest.raises(evens.UsageError, match="is not an HTML page that evens wrote: it is not replaced") as used:
            write(str(tmp_path / "mine.html"))
        assert used.value.faults[0].file == str(tmp_path / "mine.html")
        assert used.value.faults[0].remedy == "name another file, or remove it first"


def test_what_is_shown_as_in_a_terminal_is_told_as_faults(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(FIRE)
    battle = evens.trace(tmp_path / "mine.toml", battle=1)
    (tmp_path / "mine.toml").write_text(FIRE.replace("league =", "leage =").replace("monsters =", "monster ="))
    with pytest.raises(evens.InputError) as caught:
        battle.html(tmp_path / "battle.html")
    with pytest.raises(evens.InputError) as told:
        evens.run(tmp_path / "mine.toml")
    places = [(fault.file, fault.line, fault.column) for fault in told.value.faults]
    assert len(places) == 5 and [(fault.file, fault.line, fault.column) for fault in caught.value.faults] == places
    assert [fault.message for fault in caught.value.faults] == [fault.message for fault in told.value.faults]
    assert "did you mean `league`" in caught.value.faults[0].remedy

    result = evens.run("mirror", battles=10, output=tmp_path / "results")
    (tmp_path / "results/report.json").write_text("{}")
    with pytest.raises(evens.InputError, match=r"report\.json is not the file that was written") as changed:
        result.report(tmp_path / "report.html")
    assert changed.value.exit_code == 3 and changed.value.faults[0].file == str(tmp_path / "results")


def test_another_program_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EVENS", str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="EVENS names"):
        evens.run("mirror")
    script = tmp_path / "broken"
    script.write_text(f"#!{sys.executable}\nimport sys\nsys.stderr.write('it broke')\nsys.exit(101)\n")
    script.chmod(0o755)
    monkeypatch.setenv("EVENS", str(script))
    with pytest.raises(evens.ProgramError, match="exit code 101: it broke") as caught:
        evens.run("mirror")
    assert caught.value.exit_code == 101
