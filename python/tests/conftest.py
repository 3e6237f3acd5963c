"""One result of each command, from the installed wheel."""

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import evens

ROOT = Path(__file__).resolve().parents[2]


def pytest_configure() -> None:
    """Lets tests be interrupted even if a shell has started them in the background, where all ignores that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


FIRE = """\
game = "splinterlands"
battles = 600
league = "silver"
illegal_teams = "lose"

[rulesets]
only = ["Standard", "Earthquake", "Weak Magic"]

[[teams]]
name = "Fire"
summoner = "Malric Inferno"
monsters = ["Pit Ogre", "Fire Beetle"]

[[teams]]
name = "Water"
summoner = "Alric Stormbringer"
monsters = ["Medusa", "Sea Genie"]

[sides]
a = ["Fire"]
b = ["Water"]
"""

POOLS = (
    FIRE.replace('b = ["Water"]', 'b = ["Water", "Anybody"]')
    + """
[[pools]]
name = "Anybody"
policy = "fill"
"""
)


def record(team1: list[int], team2: list[int], winner: str) -> dict[str, object]:
    """A battle in the shape of the official record: the summoner's number, and those of the monsters."""

    def card(number: int) -> dict[str, int]:
        return {"card_detail_id": number, "level": 1}

    teams = [{"summoner": card(team[0]), "monsters": [card(of) for of in team[1:]]} for team in (team1, team2)]
    return {"ruleset": "Standard", "mana_cap": 30, "team1": teams[0], "team2": teams[1], "winner": winner}


def _score(folder: Path) -> evens.Result:
    battles = [record([5, 7], [5, 7, 4], "team2"), record([16, 13], [5, 7, 7, 7], "team1")]
    path = folder / "results.jsonl"
    path.write_text("\n".join(map(json.dumps, battles)))
    return evens.score(path, runs=50)


MAKERS: dict[str, Callable[[Path], evens.Result]] = {
    "run": lambda _: evens.run(
        "splinterlands/drawn-teams",
        battles=3000,
        table=[
            "outcomes",
            "rulesets",
            "orders",
            "order_effects",
            "units",
            "units_by_ruleset",
            "unit_pairs",
            "activity",
        ],
    ),
    "run, battle by battle": lambda _: evens.run(FIRE, table=["outcomes", "battles", "unit_pairs_by_ruleset"]),
    "run, a round robin": lambda _: evens.run("solforge/factions", battles=400, table=["field", "outcomes"]),
    "sweep": lambda _: evens.sweep("splinterlands/archetypes", set={"league": ["novice", "gold"]}, battles=1000),
    "sweep, reweighted": lambda _: evens.sweep("splinterlands/sweep-rulesets", battles=1000),
    "effects": lambda _: evens.effects(POOLS, battles=200),
    "effects, orders": lambda _: evens.effects("splinterlands/archetypes", order="first-turn", battles=400),
    "exact": lambda _: evens.exact("solforge/dryad-and-patriarch"),
    "tune": lambda _: evens.tune("splinterlands/archetypes", battles=4000, pin=["Earthquake", "Standard"]),
    "best": lambda _: evens.best("sanctum/mixed-groups", for_="8 swords", keep="Elf archer", battles=2000),
    "score": _score,
    "compare": lambda _: evens.compare(ROOT / "reports/baseline", ROOT / "reports/baseline"),
}


def figures(of: evens.Result) -> list[dict[str, object]]:
    """Who wins, whichever run the table is of."""
    return [{name: value for name, value in row.items() if name != "run"} for row in of["outcomes"].rows]


@pytest.fixture(scope="session", params=MAKERS)
def result(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[evens.Result]:
    """A result of every command in turn."""
    yield MAKERS[request.param](tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def mirror() -> evens.Result:
    """A small result."""
    return evens.run("splinterlands/mirror", battles=2000)
