"""Jobs on two nodes: the bytes are those of the single command, whatever is lost on the way."""

import json
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

from evens_ray.cluster import RayWorkers, connect, disconnect
from evens_ray.work import Played, Shipped, Task

from .conftest import Stage, main, ray_command, two_nodes

RUN = ["run", "splinterlands/archetypes", "--battles", "8000"]
SWEEP = ["sweep", "splinterlands/sweep-health", "--battles", "1000"]
EFFECTS = ["effects", "splinterlands/archetypes", "--battles", "20"]
ORDER = ["effects", "splinterlands/archetypes", "--order", "first-turn", "--battles", "2000"]


@pytest.mark.parametrize("command", [RUN, SWEEP, EFFECTS, ORDER], ids=["run", "sweep", "effects", "order"])
def test_the_bytes_are_those_of_the_single_command(
    stage: Stage, cluster: Cluster, command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    stage.single(command)
    capfd.readouterr()
    # More parts than a merger takes, so that there is a tree.
    assert main(stage, cluster, [*command, "--shards", "5", "--fan-in", "2", "-o", "results"]) == 0
    stage.same(page=capfd.readouterr().out)
    assert stage.played() == [f"{at}/5" for at in range(1, 6)]
    assert not (stage.folder / "results" / "shards").exists(), "what is no longer needed is removed"


TUNE = ["tune", "splinterlands/archetypes", "--battles", "6000", "--at-most", "2", "--price", "0.07pp"]
UNITS = ["tune", "splinterlands/drawn-teams", "--battles", "3000", "--even", "summoner"]
NEYMAN = ["sweep", "splinterlands/sweep-health", "--battles", "1000", "--allocation", "neyman"]


@pytest.mark.parametrize(
    ("command", "plays"), [(TUNE, 3), (UNITS, 2), (NEYMAN, 2)], ids=["tune", "tune units", "neyman"]
)
def test_plays_that_follow_each_other_are_shared_out_too(
    stage: Stage, cluster: Cluster, command: list[str], plays: int, capfd: pytest.CaptureFixture[str]
) -> None:
    stage.single(command)
    capfd.readouterr()
    words = [*command, "--shards", "3", "--fan-in", "2", "--keep", "kept", "-o", "results"]
    assert main(stage, cluster, words) == 0
    stage.same(page=capfd.readouterr().out)
    assert stage.played() == sorted([f"{at}/3" for at in range(1, 4)] * plays)
    # What is missing is played again, and nothing else.
    shutil.rmtree(stage.folder / "kept" / "play-2-shard-2-of-3")
    stage.behave()
    assert main(stage, cluster, words) == 0
    assert stage.played() == ["2/3"]
    stage.same()


def test_targets_go_to_the_workers(stage: Stage, cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    (stage.folder / "wanted.toml").write_text('"Malric\'s melee" = "52%"\n')
    command = ["tune", "splinterlands/archetypes", "--battles", "4000", "--targets", "wanted.toml"]
    stage.single(command)
    capfd.readouterr()
    assert main(stage, cluster, [*command, "--shards", "2", "-o", "results"]) == 0
    stage.same(page=capfd.readouterr().out)
    assert main(stage, cluster, [*command[:-1], str(stage.folder / "wanted.toml"), "--shards", "2"]) == 2


def test_a_scenario_takes_the_files_along_that_it_names(stage: Stage, cluster: Cluster) -> None:
    folder = stage.folder / "mine" / "cards"
    folder.mkdir(parents=True)
    cards = (Path(__file__).parents[3] / "scenarios" / "solforge" / "cards" / "more.toml").read_text()
    (folder / "more.toml").write_text(cards)
    known = tomllib.loads(cards)["cards"]
    factions = sorted({card["faction"] for card in known})[:2]
    names = [card["name"] for card in known if card["faction"] in factions and not card.get("token")][:10]
    assert len(names) == 10
    deck = ["[[decks]]", 'name = "More"', 'policy = "greedy"', "[decks.cards]", *(f'"{name}" = 3' for name in names)]
    head = [
        'game = "solforge"',
        "battles = 9",
        'catalogue = "cards/more.toml"',
        "[sides]",
        'a = ["More"]',
        'b = ["More"]',
    ]
    (stage.folder / "mine" / "more.toml").write_text("\n".join([*head, *deck]) + "\n")
    command = ["run", "mine/more.toml", "--battles", "40", "--table", "outcomes"]
    stage.single(command)
    # The workers have folders of their own, in which nothing is but what was sent.
    assert main(stage, cluster, [*command, "--shards", "2", "-o", "results"]) == 0
    stage.same()


@pytest.mark.parametrize(
    ("how", "lost"),
    [
        ("echo 'no space left on device' >&2; exit 1", False),
        ("kill -9 $$", False),
        ("kill -9 $PPID; sleep 60", True),
    ],
    ids=["full disk", "killed", "worker killed"],
)
def test_what_was_killed_or_found_a_full_disk_is_played_again(
    stage: Stage, cluster: Cluster, how: str, lost: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    stage.single(RUN)
    stage.misbehave(how)
    assert main(stage, cluster, [*RUN, "--shards", "3", "-o", "results"]) == 0
    stage.same()
    assert stage.played() == ["1/3", "2/3", "2/3", "3/3"]
    told = capfd.readouterr().err
    assert "shard-2-of-3 was lost" in told if lost else "shard-2-of-3 ended with exit code" in told


def test_what_fails_again_and_again_ends_the_job_and_is_told(
    stage: Stage, cluster: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    stage.misbehave("echo 'no space left on device' >&2; exit 1", always=True)
    words = [*RUN, "--shards", "3", "--attempts", "3", "-o", "results"]
    assert main(stage, cluster, words) == 1
    assert stage.played().count("2/3") == 3
    assert "no space left on device\nshard-2-of-3 has failed 3 times" in capfd.readouterr().err
    assert not list((stage.folder / "results").glob("*.csv"))


def test_a_faulty_scenario_is_told_and_not_tried_again(
    stage: Stage, cluster: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    (stage.folder / "faulty.toml").write_text('game = "splinterlands"\nleague = "wood"\n')
    assert main(stage, cluster, ["run", "faulty.toml", "--shards", "8", "-o", "results"]) == 3
    assert len(stage.played()) == len(set(stage.played())) <= 2, (
        "no part more than once, and no more than run at a time"
    )
    told = capfd.readouterr().err
    assert "wood" in told and "faulty.toml:2" in told
    assert not list((stage.folder / "results").glob("*.csv"))
    assert main(stage, cluster, ["run", "nobody/knows", "--shards", "8", "-o", "results", "--fresh"]) == 3
    assert main(stage, cluster, [*RUN, "--nonsense", "--shards", "8", "-o", "results", "--fresh"]) == 2


def test_a_straggler_is_played_twice_and_the_first_taken(
    stage: Stage, cluster: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    stage.single(RUN)
    stage.misbehave("sleep 600")
    words = [*RUN, "--shards", "5", "--straggler-seconds", "2", "-o", "results"]
    began = time.monotonic()
    assert main(stage, cluster, words) == 0
    assert time.monotonic() - began < 120
    stage.same()
    assert stage.played() == ["1/5", "2/5", "2/5", "3/5", "4/5", "5/5"]
    assert "shard-2-of-5 takes long: playing it a second time" in capfd.readouterr().err


def _when(condition: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < limit, what
        time.sleep(0.05)


def _finished(folder: Path) -> int:
    return len(list(folder.glob("shard-*/result.partial")))


def _heed_interruptions() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


#: Ends parts at about the moment at which they are done, again and again.
_ENDS_AS_IT_IS_DONE = """
import sys
from evens_ray.cluster import RayWorkers, connect, disconnect
from evens_ray.work import Shipped, Task

connect(sys.argv[1], None)
workers = RayWorkers(Shipped({}, "", "/bin/true"), None, 1)
for _ in range(200):
    copies = [workers.start(Task(name, (), 1)) for name in ("original", "copy")]
    workers.wait(copies, 30)
    for copy in copies:
        workers.cancel(copy)
workers.leave()
disconnect()
"""


def test_a_part_may_be_done_at_the_moment_at_which_it_is_ended(cluster: Cluster) -> None:
    child = subprocess.run([sys.executable, "-c", _ENDS_AS_IT_IS_DONE, cluster.address], stderr=subprocess.PIPE)
    assert child.returncode == 0, child.stderr.decode()


def test_a_part_that_is_no_longer_needed_gives_its_place_to_others(cluster: Cluster) -> None:
    connect(cluster.address, None)
    try:
        workers = RayWorkers(Shipped({}, "", "/bin/sleep"), None, 1)
        copies = [workers.start(Task(name, ("600",), 1)) for name in ("original", "copy")]
        assert workers.wait(copies, 3) == []
        for copy in copies:
            workers.cancel(copy)
        after = workers.start(Task("after", ("0",), 1))
        ended = workers.wait([after], 30)
        assert [(handle, played.status) for handle, played in ended if isinstance(played, Played)] == [(after, 0)]
        began = time.monotonic()
        workers.leave()
        assert time.monotonic() - began < 4, "they are gone"
    finally:
        disconnect()


def test_an_interrupted_job_plays_only_what_is_missing(stage: Stage, cluster: Cluster) -> None:
    stage.single(RUN)
    stage.misbehave("sleep 600", shard="[67]/*")
    words = [*RUN, "--shards", "7", "--straggler-seconds", "600", "--keep", "kept", "-o", "results"]
    command = [sys.executable, "-m", "evens_ray", *ray_command(stage, cluster, words)]
    # A shell that runs the tests in the background ignores SIGINT, and so would what it starts.
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=_heed_interruptions)
    _when(lambda: _finished(stage.folder / "kept") >= 5, "five parts are done")
    child.send_signal(signal.SIGINT)
    told = child.communicate(timeout=60)[1]
    assert child.returncode == 5, told
    assert "the same command goes on" in told
    kept = _finished(stage.folder / "kept")
    assert kept in (5, 6)
    stage.behave()
    assert main(stage, cluster, words) == 0
    assert len(stage.played()) == 7 - kept
    stage.same()
    # Nothing is left to play; the number of parts need not be said again. Other parts would not fit.
    stage.behave()
    assert main(stage, cluster, [*RUN, "--keep", "kept", "-o", "again"]) == 0
    assert stage.played() == []
    stage.same("again")
    assert main(stage, cluster, [*RUN, "--shards", "8", "--keep", "kept", "-o", "again"]) == 3
    assert main(stage, cluster, [*RUN, "--seed", "1", "--keep", "kept", "-o", "again"]) == 3
    # A part that was damaged meanwhile counts as missing.
    damaged = stage.folder / "kept" / "shard-3-of-7" / "result.partial"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    assert main(stage, cluster, [*RUN, "--keep", "kept", "-o", "again"]) == 0
    assert stage.played() == ["3/7"]
    stage.same("again")


def test_a_node_that_ends_in_the_middle_costs_nothing_but_time(stage: Stage, capfd: pytest.CaptureFixture[str]) -> None:
    stage.single(RUN)
    # From the fourth on they wait for the end of the node, so that both nodes are at work when it comes.
    over = stage.folder / "over"
    place = f'$(grep -nxm1 "$shard" {stage.calls} | cut -d: -f1)'
    waiting = f'at={place}; while [ "$at" -gt 3 ] && [ ! -e {over} ]; do sleep 0.1; done'
    stage.misbehave(waiting, shard="*/*", always=True)
    with two_nodes() as cluster:
        kept = stage.folder / "kept"
        ended: list[str] = []

        def end_a_node() -> None:
            try:
                _when(lambda: _finished(kept) == 3 and len(stage.played()) == 5, "three are done and two at work")
                node = next(iter(cluster.worker_nodes))
                ended.append(node.unique_id)
                cluster.remove_node(node, allow_graceful=False)
            finally:
                over.touch()

        ending = threading.Thread(target=end_a_node)
        ending.start()
        words = [*RUN, "--shards", "10", "--straggler-seconds", "600", "--keep", "kept", "-o", "results"]
        assert main(stage, cluster, words) == 0
        ending.join()
    assert len(ended) == 1
    stage.same()
    calls = stage.played()
    assert set(calls) == {f"{at}/10" for at in range(1, 11)}
    assert len(calls) == 11, "what the node was playing was played again, and nothing else"
    assert "was lost" in capfd.readouterr().err


@pytest.mark.parametrize("rule", ["margin=1pp", "ci=3pp", "sprt(-1pp,1pp)"])
def test_a_stopping_rule_ends_where_it_would_have_ended(
    stage: Stage, cluster: Cluster, rule: str, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["run", "splinterlands/archetypes", "--until", rule, "--table", "outcomes"]
    stage.single(command)
    capfd.readouterr()
    words = [*command, "--first", "700", "--least", "300", "--keep", "kept", "-o", "results"]
    assert main(stage, cluster, words) == 0
    stage.same(page=capfd.readouterr().out)
    assert len(stage.played()) > 2, "it was shared out"
    # All that is kept is the sum, and it goes on from there: nothing is played again.
    stage.behave()
    assert main(stage, cluster, words) == 0
    assert stage.played() == []
    stage.same()


def test_an_interrupted_stopping_rule_goes_on(stage: Stage, cluster: Cluster) -> None:
    command = ["run", "splinterlands/archetypes", "--until", "margin=1pp", "--table", "outcomes"]
    stage.single(command)
    words = [*command, "--first", "250", "--least", "100", "--keep", "kept", "-o", "results"]
    child = subprocess.Popen([sys.executable, "-m", "evens_ray", *ray_command(stage, cluster, words)])
    _when(lambda: bool(list((stage.folder / "kept").glob("sum-*/result.partial"))), "the evidence was looked at")
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=60) == 5
    before = stage.played()
    stage.behave()
    assert main(stage, cluster, words) == 0
    stage.same()
    # Those at work when it was ended are all that may be played a second time.
    assert len(set(before) & set(stage.played())) <= 3


def test_a_stopping_rule_ends_at_the_most_battles(stage: Stage, cluster: Cluster) -> None:
    command = [
        "run",
        "splinterlands/archetypes",
        "--until",
        "margin=0.1pp",
        "--max-battles",
        "1234",
        "--table",
        "outcomes",
    ]
    stage.single(command)
    assert main(stage, cluster, [*command, "--first", "300", "--least", "100", "-o", "results"]) == 0
    stage.same()


def test_a_scoring_is_shared_out(stage: Stage, cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    def team(*cards: int) -> dict[str, object]:
        told = [{"card_detail_id": card, "level": 1} for card in cards]
        return {"summoner": told[0], "monsters": told[1:]}

    one, other = team(5, 7), team(16, 13, 13)
    battles = [
        {"ruleset": "Standard", "mana_cap": 30, "team1": one, "team2": other, "winner": f"team{1 + at % 2}"}
        for at in range(7)
    ]
    (stage.folder / "played.jsonl").write_text("\n".join(map(json.dumps, battles)))
    command = ["score", "played.jsonl", "--runs", "50"]
    stage.single(command)
    capfd.readouterr()
    assert main(stage, cluster, [*command, "--shards", "3", "-o", "results"]) == 0
    stage.same(page=capfd.readouterr().out)
    assert stage.played() == ["1/3", "2/3", "3/3"]
