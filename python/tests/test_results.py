"""What is around the tables: provenance, pages, reports; and the bytes of the command line."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import evens

from .conftest import FIRE, MAKERS, ROOT, figures


def command_line(*words: str, folder: Path) -> str:
    """What the program prints."""
    done = subprocess.run([evens.program(), *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_the_wheel_that_is_tested() -> None:
    assert "site-packages" in (evens.__file__ or ""), "PYTHONPATH leads to the sources"
    assert (Path(evens.__file__ or "").parent / "py.typed").is_file()
    printed = command_line("--version", folder=ROOT)
    assert printed.strip() == f"evens {evens.__version__}"
    module = subprocess.run([sys.executable, "-m", "evens", "--version"], capture_output=True, text=True, check=True)
    assert module.stdout == printed


@pytest.mark.parametrize(
    "words",
    [
        [
            "run",
            "splinterlands/drawn-teams",
            "--battles",
            "2000",
            "--seed",
            "7",
            "--table",
            "units",
            "--table",
            "battles",
        ],
        ["sweep", "splinterlands/sweep-health", "--battles", "1000"],
        ["effects", "splinterlands/archetypes", "--battles", "100", "--measure", "wins"],
        ["exact", "solforge/dryad-and-patriarch"],
        ["tune", "splinterlands/archetypes", "--battles", "2000", "--at-most", "2"],
    ],
    ids=lambda words: words[0],
)
def test_the_same_seed_gives_the_bytes_of_the_command_line(words: list[str], tmp_path: Path) -> None:
    page = command_line(*words, "-o", "theirs", folder=tmp_path)
    options: dict[str, object] = {}
    for flag, value in zip(words[2::2], words[3::2], strict=True):
        name = flag[2:].replace("-", "_")
        before = options.get(name)
        options[name] = [*before, value] if isinstance(before, list) else [value] if name == "table" else value
    result = getattr(evens, words[0])(words[1], output=tmp_path / "ours", **options)
    assert result.page == page
    ours = {path.name: path.read_bytes() for path in (tmp_path / "ours").iterdir()}
    theirs = {path.name: path.read_bytes() for path in (tmp_path / "theirs").iterdir()}
    assert ours.keys() == theirs.keys()
    assert "provenance.json" in ours and any(name.endswith(".parquet") for name in ours)
    assert [name for name in ours if ours[name] != theirs[name]] == []
    assert result.folder == tmp_path / "ours"
    result.report(tmp_path / "ours.html")
    command_line("report", "theirs", "-o", "theirs.html", folder=tmp_path)
    assert (tmp_path / "ours.html").read_bytes() == (tmp_path / "theirs.html").read_bytes()


def test_every_result_has_a_page_and_says_where_it_comes_from(result: evens.Result) -> None:
    assert result.page and repr(result) == result.page.rstrip("\n")
    assert result.command == result.data["command"]
    shown = result._repr_html_()
    assert len(shown) > 100 and "<script" not in shown
    run = result.provenance
    assert run.program == "evens" and run.version == evens.__version__ and len(run.fingerprint) == 64
    assert run.partial is False
    assert run.game.split(", ")[0] in result.page


def test_a_scenario_is_a_name_a_path_a_text_or_a_dictionary(tmp_path: Path) -> None:
    import tomllib

    path = tmp_path / "fire.toml"
    path.write_text(FIRE)
    of_path = evens.run(path)
    found = [of_path, evens.run(str(path)), evens.run(FIRE), evens.run(tomllib.loads(FIRE))]
    assert len({of.provenance.fingerprint for of in found[:3]}) == 1
    for other in found[1:]:
        assert figures(other) == figures(of_path)
    assert evens.run("mirror", battles=10).provenance.scenario == "splinterlands/mirror"
    with pytest.raises(TypeError, match="a name, a path, TOML text or a dictionary"):
        evens.run(7)  # type: ignore[arg-type]


def test_a_folder_stays_and_another_is_deleted_with_its_result(tmp_path: Path) -> None:
    kept = evens.run("splinterlands/mirror", battles=100, output=tmp_path / "kept")
    passing = evens.run("splinterlands/mirror", battles=100)
    folder = passing.folder
    assert folder is not None and folder.is_dir()
    del kept, passing
    import gc

    gc.collect()
    assert not folder.exists() and (tmp_path / "kept/outcomes.parquet").is_file()


def test_a_plan_tells_battles() -> None:
    plan = evens.plan("splinterlands/mirror", detect="1pp", pilot=2000)
    assert plan.battles is not None and 5_000 < plan.battles < 50_000
    assert plan.seconds is not None and plan.provenance.battles_played == 2000
    assert "To find a difference of 1 pp" in plan.page
    with pytest.raises(evens.UsageError, match="a result of plan has no HTML report") as caught:
        plan.report("plan.html")
    assert caught.value.exit_code == 2 and "`page`" in caught.value.faults[0].remedy


def test_a_score_has_no_report(tmp_path: Path) -> None:
    score = MAKERS["score"](tmp_path)
    with pytest.raises(evens.UsageError, match="a result of score has no HTML report") as caught:
        score.report(tmp_path / "score.html")
    assert "`tables`" in caught.value.faults[0].remedy and not (tmp_path / "score.html").exists()


def test_a_comparison_tells_whether_anything_changed(tmp_path: Path) -> None:
    baseline = ROOT / "reports/baseline/solforge-factions.json"
    baseline = baseline if baseline.is_file() else next((ROOT / "reports/baseline").glob("*.json"))
    same = evens.compare(baseline, baseline)
    assert same.changed is False
    cards = (ROOT / "scenarios/splinterlands/cards/2020-05.csv").read_text()
    (tmp_path / "old.csv").write_text(cards)
    lines = [
        line.replace(",8,5,", ",1,5,") if line.startswith("Elemental Phoenix") else line for line in cards.splitlines()
    ]
    (tmp_path / "new.csv").write_text("\n".join(lines) + "\n")
    changed = evens.compare(tmp_path / "old.csv", tmp_path / "new.csv", battles=20_000)
    assert changed.changed is True and len(changed["changes"]) > 10


def test_a_battle_is_told_event_by_event(tmp_path: Path) -> None:
    trace = evens.trace(FIRE, battle=3)
    assert trace.events[0]["battle"] == 3 and trace.events[-1]["event"] == "end"
    assert "Round 1" in trace.page or "round 1" in trace.page.lower()
    assert "<html" in trace.html(tmp_path / "battle.html").read_text()
    picked = evens.trace("splinterlands/archetypes", pick="win", side="B", among=500)
    assert picked.events[-1]["outcome"] == "side B wins"
    with pytest.raises(evens.UsageError, match="none of the first 5 battles"):
        evens.trace(FIRE, pick="draw", among=5, with_="Pit Ogre")


IDLE = (
    FIRE
    + """
[[teams]]
name = "Earth"
summoner = "Lyanna Natura"
monsters = ["Goblin Sorcerer"]
"""
)


def test_what_is_probably_not_meant_is_a_warning() -> None:
    with pytest.warns(evens.ScenarioWarning, match=r"standard input:.*(?s:.)*put it on a side") as caught:
        result = evens.run(IDLE)
    assert caught[0].filename == __file__
    assert [fault.line for fault in result.warnings] == [fault.line for fault in evens.check(IDLE)[0].warnings]
    assert result.warnings[0].line is not None


def test_errors_can_be_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(evens.Fault("wrong", "right"))) == evens.Fault("wrong", "right")
    assert evens.InputError.__module__ == "evens"
