"""Results in an object store: the bytes of a folder, whatever happens on the way."""

import json
import time
from pathlib import Path

import pytest

from .conftest import BUCKET, Desk

RUN = ["run", "splinterlands/mirror", "--battles", "2000", "--format", "csv", "-q"]
SWEEP = ["sweep", "splinterlands/sweep-health", "--battles", "500", "--format", "csv", "-q"]
EFFECTS = ["effects", "splinterlands/archetypes", "--battles", "5", "--format", "csv", "-q"]
SCORE = ["score", "results.jsonl", "--runs", "50", "--format", "csv", "-q"]
# Several parts of an upload: 8 MB each.
ROWS = ["run", "splinterlands/mirror", "--battles", "100000", "--table", "battles", "--format", "csv", "-q"]


def _results(folder: Path) -> None:
    def team(summoner: int, monsters: list[int]) -> dict[str, object]:
        cards = [{"card_detail_id": number, "level": 1} for number in monsters]
        return {"summoner": {"card_detail_id": summoner, "level": 1}, "monsters": cards}

    teams = [team(5, [7]), team(5, [7, 4]), team(16, [13, 13])]
    battles = [
        {"ruleset": "Standard", "mana_cap": 30, "team1": one, "team2": other, "winner": winner}
        for one, other, winner in [
            (teams[0], teams[1], "team2"),
            (teams[1], teams[2], "team1"),
            (teams[2], teams[0], "draw"),
        ]
    ]
    (folder / "results.jsonl").write_text("\n".join(map(json.dumps, battles)) + "\n")


@pytest.mark.parametrize("command", [RUN, SWEEP, EFFECTS, SCORE], ids=["run", "sweep", "effects", "score"])
def test_tables_are_those_of_a_folder(desk: Desk, command: list[str]) -> None:
    _results(desk.folder)
    desk.run(*command, "-o", "single")
    desk.run(*command, "-o", desk.at("tables"))
    desk.same("tables", "single")


@pytest.mark.parametrize("command", [RUN, SWEEP, EFFECTS, SCORE], ids=["run", "sweep", "effects", "score"])
def test_shards_in_a_store_add_up_to_the_single_command(desk: Desk, command: list[str]) -> None:
    _results(desk.folder)
    desk.run(*command, "-o", "single")
    shardable = [word for word in command if word not in ("--format", "csv")]
    for part in ("2/3", "1/3", "3/3"):
        desk.run(*shardable, "--shard", part, "-o", desk.at("parts"))
    assert sorted(desk.there("parts")) == [f"shard-{at}-of-3/result.partial" for at in (1, 2, 3)]
    desk.run("merge", desk.at("parts"), "--into", desk.at("sum"), "-q")
    desk.run("merge", desk.at("sum"), "-o", desk.at("tables"), "--format", "csv", "-q")
    desk.same("tables", "single")
    # What the location names is not named: the tables themselves can be had anywhere.
    desk.run("merge", desk.at("parts"), "-o", "merged", "--format", "csv", "-q")
    assert desk.here("merged") == desk.here("single")


def test_a_report_is_that_of_a_folder(desk: Desk) -> None:
    desk.run(*RUN, "-o", "single")
    desk.run(*RUN, "-o", desk.at("tables"))
    desk.run("report", "single", "-o", "single.html", "-q")
    desk.run("report", desk.at("tables"), "-o", "report.html", "-q")
    assert (desk.folder / "report.html").read_bytes() == (desk.folder / "single.html").read_bytes()
    desk.run("report", desk.at("tables"), "-o", desk.at("pages/report.html"), "-q")
    assert desk.there("pages")["report.html"] == (desk.folder / "single.html").read_bytes()


def test_lost_connections_are_made_again(desk: Desk) -> None:
    desk.run(*ROWS, "-o", "single")
    assert len(desk.here("single")["battles.csv"]) > 3 * (8 << 20)
    desk.proxy.every(3)
    desk.run(*ROWS, "-o", desk.at("tables"))
    assert desk.proxy.cut >= 4, "connections were cut"
    desk.same("tables", "single")
    uploads = desk.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
    assert not uploads, "no part of an upload is left"
    # The same for what is read: rows of shards, in pieces.
    for part in ("1/2", "2/2"):
        desk.run(*ROWS, "--shard", part, "-o", desk.at("parts"))
    cut = desk.proxy.cut
    desk.run("merge", desk.at("parts"), "-o", "merged", "--format", "csv", "-q")
    assert desk.proxy.cut > cut
    assert desk.here("merged") == desk.here("single")


OTHER = [word if word != "2000" else "3000" for word in RUN]


def _names(desk: Desk) -> set[str]:
    return {name for name in desk.there("tables") if not name.startswith(".evens-staged-")}


def test_what_breaks_off_before_the_note_changes_nothing(desk: Desk) -> None:
    desk.run(*RUN, "-o", "single")
    desk.run(*RUN, "-o", desk.at("tables"))
    before = desk.there("tables")
    desk.run(*OTHER, "-o", "other")

    # The store refuses what comes last, as one does that may no longer be written to.
    def manner(method: str, path: str, _headers: dict[str, str]) -> str:
        return "refuse" if method == "PUT" and path.endswith(".evens-commit.json") else "pass"

    desk.proxy.manner = manner
    child = desk.begin(*OTHER, "-o", desk.at("tables"))
    desk.kill_once_cut(child)
    assert _names(desk) == set(before)
    assert {name: desk.there("tables")[name] for name in before} == before, "all of the old set and nothing else"
    desk.clear_scratch()
    desk.run("report", desk.at("tables"), "-o", "report.html", "-q")
    desk.run(*OTHER, "-o", desk.at("tables"))
    assert {name: desk.there("tables")[name] for name in desk.here("other")} == desk.here("other")


def test_what_breaks_off_after_the_note_is_finished_by_the_next_command(desk: Desk) -> None:
    desk.run(*RUN, "-o", desk.at("tables"))
    desk.run(*OTHER, "-o", "other")
    desk.run("report", "other", "-o", "other.html", "-q")

    # The manifest is copied to its name last.
    def manner(method: str, path: str, headers: dict[str, str]) -> str:
        is_copy = "x-amz-copy-source" in headers
        return "refuse" if method == "PUT" and is_copy and path.endswith("provenance.json") else "pass"

    desk.proxy.manner = manner
    child = desk.begin(*OTHER, "-o", desk.at("tables"))
    desk.kill_once_cut(child)
    desk.clear_scratch()
    # Who only reads takes the new set, wherever it is.
    desk.run("report", desk.at("tables"), "-o", "report.html", "-q")
    assert (desk.folder / "report.html").read_bytes() == (desk.folder / "other.html").read_bytes()
    # Who writes finishes first: a shard's folder beside it is not what was unfinished.
    desk.run(*RUN, "-o", desk.at("tables"))
    desk.run(*RUN, "-o", "single")
    desk.same("tables", "single")


def test_what_can_no_longer_be_finished_removes_nothing(desk: Desk) -> None:
    desk.run(*RUN, "-o", desk.at("tables"))
    before = desk.there("tables")
    assert "units.csv" in before

    def manner(method: str, _path: str, headers: dict[str, str]) -> str:
        return "refuse" if method == "PUT" and "x-amz-copy-source" in headers else "pass"

    desk.proxy.manner = manner
    child = desk.begin(*OTHER, "--table", "outcomes", "-o", desk.at("tables"))
    desk.kill_once_cut(child)
    desk.clear_scratch()
    # Somebody, such as a rule of the bucket, removes an object that the note promises.
    staged = sorted(name for name in desk.there("tables") if name.startswith(".evens-staged-"))
    desk.client.delete_object(Bucket=BUCKET, Key=f"{desk.key}/tables/{staged[0]}")
    # A command that changes nothing itself.
    desk.client.put_object(Bucket=BUCKET, Key=f"{desk.key}/tables/outcomes.csv", Body=b"mine")
    desk.run(*RUN, "-o", desk.at("tables"), code=1)
    assert desk.there("tables") == before | {"outcomes.csv": b"mine"}


def test_a_killed_shard_goes_on_from_the_store(desk: Desk) -> None:
    command = ["run", "splinterlands/drawn-teams", "--battles", "60000", "--table", "outcomes", "--table", "battles"]
    desk.run(*command, "--shard", "1/2", "-o", desk.at("whole"), "-q")
    words = [*command, "--shard", "1/2", "-o", desk.at("parts"), "--checkpoint-every", "0.05"]
    child = desk.begin(*words, "-q")
    limit = time.monotonic() + 90
    while "shard-1-of-2/result.partial" not in desk.there("parts"):
        assert child.poll() is None, "it was too quick to be killed"
        assert time.monotonic() < limit
    child.kill()
    child.communicate()
    desk.clear_scratch()
    _, said = desk.run(*words)
    assert "going on from" in said
    there, whole = desk.there("parts"), desk.there("whole")
    # Rows are kept in as many segments as there were commands; the battles are the same.
    for part in ("parts", "whole"):
        desk.run(*command, "--shard", "2/2", "-o", desk.at(part), "-q")
        desk.run("merge", desk.at(part), "-o", part, "--format", "csv", "-q")
    assert sorted(there) == sorted(whole)
    assert desk.here("parts") == desk.here("whole")


def test_what_is_not_ours_is_not_written_over(desk: Desk) -> None:
    desk.client.put_object(Bucket=BUCKET, Key=f"{desk.key}/tables/outcomes.csv", Body=b"mine")
    _, said = desk.run(*RUN, "-o", desk.at("tables"), code=1)
    assert "outcomes.csv is no result of an earlier run" in " ".join(said.replace("│", " ").split())
    assert desk.there("tables")["outcomes.csv"] == b"mine"
    desk.run(*RUN, "-o", desk.at("ours"))
    desk.client.put_object(Bucket=BUCKET, Key=f"{desk.key}/ours/outcomes.csv", Body=b"changed since")
    desk.run(*RUN, "-o", desk.at("ours"), code=1)
    desk.run("report", desk.at("ours"), "-o", "report.html", code=3)
    assert not (desk.folder / "report.html").exists()


def test_what_is_wrong_is_told_with_its_exit_code(desk: Desk) -> None:
    for wrong in ("s3://balance", "s3:///key", "s3://balance/../other"):
        _, said = desk.run(*RUN, "-o", wrong, code=2)
        assert "s3://BUCKET/KEY" in said
    _, said = desk.run(*RUN, "-o", "s3://no-such-bucket/tables", code=1)
    assert "NoSuchBucket" in said and "AWS_ENDPOINT_URL" in said
    _, said = desk.run("merge", desk.at("nothing"), "-o", "merged", code=3)
    assert "there is no partial result in" in said and "s3://balance/" in said
    _, said = desk.run("report", desk.at("nothing"), "-o", "report.html", code=3)
    assert "no results of evens" in said
    # A damaged part is refused and named.
    desk.run("run", "splinterlands/mirror", "--battles", "100", "--shard", "1/1", "-o", desk.at("parts"), "-q")
    key = f"{desk.key}/parts/shard-1-of-1/result.partial"
    content = bytearray(desk.there("parts")["shard-1-of-1/result.partial"])
    content[-40] ^= 1
    desk.client.put_object(Bucket=BUCKET, Key=key, Body=bytes(content))
    _, said = desk.run("merge", desk.at("parts"), "-o", "merged", code=3)
    assert "is damaged" in said


def test_a_scenario_may_not_send_results_anywhere(desk: Desk) -> None:
    scenario = 'game = "splinterlands"\nbattles = 10\n[output]\nfolder = "s3://balance/stolen"\n'
    teams = '[[pools]]\nname = "Anybody"\npolicy = "fill"\n[sides]\na = ["Anybody"]\nb = ["Anybody"]\n'
    (desk.folder / "mine.toml").write_text(scenario + teams)
    _, said = desk.run("run", "mine.toml", "-q", code=2)
    assert "--allow-outside" in said
    assert not desk.proxy.seen, "nobody was asked"
