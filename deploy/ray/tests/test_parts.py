"""Everything that needs no cluster: what is tried again, what is sent along, what is kept."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Hashable
from pathlib import Path

import pytest
from ray import cloudpickle

from evens_ray import cli, job, merging, work
from evens_ray.failure import Exit, Failure, Verdict, verdict
from evens_ray.partial import header
from evens_ray.scheduler import Lost, Policy, Scheduler
from evens_ray.shelf import Shelf
from evens_ray.work import Played, Shipped, Task

DONE = Played(0, {}, "", 0.1)


class Script:
    """Workers that do what a test says: for each part what comes of its copies, and after how many looks."""

    def __init__(self, slots: int, ends: dict[str, list[tuple[int, Played | Lost]]]) -> None:
        self._slots = slots
        self._ends = ends
        self._running: dict[int, tuple[int, Played | Lost]] = {}
        self.started: list[str] = []
        self.cancelled: list[str] = []
        self._looks = 0

    def slots(self) -> int:
        return self._slots

    def start(self, task: Task) -> Hashable:
        after, ended = self._ends.get(task.name, []).pop(0) if self._ends.get(task.name) else (1, DONE)
        self.started.append(task.name)
        self._running[len(self.started) - 1] = (self._looks + after, ended)
        return len(self.started) - 1

    def wait(self, handles: list[Hashable], seconds: float) -> list[tuple[Hashable, Played | Lost]]:
        self._looks += 1
        time.sleep(0.002)
        return [(at, self._running[at][1]) for at in handles if self._running[at][0] <= self._looks]  # type: ignore[index]

    def cancel(self, handle: Hashable) -> None:
        assert isinstance(handle, int)
        self.cancelled.append(self.started[handle])


def _tasks(*sizes: int) -> list[Task]:
    return [Task(f"part-{at}", (), size) for at, size in enumerate(sizes)]


def _run(workers: Script, tasks: list[Task], policy: Policy | None = None) -> tuple[Scheduler, list[str]]:
    done: list[str] = []
    scheduler = Scheduler(workers, policy or Policy(), lambda task, _: done.append(task.name))
    scheduler.add(tasks)
    scheduler.run()
    return scheduler, done


def test_the_longest_are_played_first() -> None:
    workers = Script(1, {})
    _, done = _run(workers, _tasks(1, 3, 2, 3))
    assert workers.started == done == ["part-1", "part-3", "part-2", "part-0"]


def test_what_was_lost_is_played_again_before_anything_else() -> None:
    workers = Script(1, {"part-0": [(1, Lost("the node ended")), (1, Played(1, {}, "disk full", 0.1))]})
    scheduler, done = _run(workers, _tasks(1, 1))
    assert workers.started == ["part-0", "part-0", "part-0", "part-1"] and done == ["part-0", "part-1"]
    assert (scheduler.counts.retried, scheduler.counts.lost) == (2, 1)


def test_a_part_that_is_lost_too_often_ends_the_job() -> None:
    workers = Script(2, {"part-0": [(1, Lost("gone"))] * 9, "part-1": [(1000, DONE)]})
    with pytest.raises(Failure, match="part-0 has failed 3 times"):
        _run(workers, _tasks(1, 1), Policy(attempts=3))
    assert workers.started.count("part-0") == 3
    assert workers.cancelled == ["part-1"], "nothing is left at work"


@pytest.mark.parametrize(("status", "code"), [(3, Exit.FAULTY), (2, Exit.USAGE), (101, Exit.UNEXPECTED)])
def test_what_would_come_again_is_not_tried_again(status: int, code: Exit) -> None:
    workers = Script(1, {"part-0": [(1, Played(status, {}, "the fault", 0.1))]})
    with pytest.raises(Failure, match="the fault") as failure:
        _run(workers, _tasks(1, 1))
    assert (failure.value.code, workers.started) == (code, ["part-0"])


def test_a_straggler_is_played_twice_only_when_nothing_else_waits() -> None:
    slow: dict[str, list[tuple[int, Played | Lost]]] = {"part-0": [(10_000, DONE), (1, DONE)]}
    workers = Script(2, slow)
    scheduler, done = _run(workers, _tasks(9, 1, 1, 1), Policy(straggler_factor=1.5, straggler_seconds=0.02))
    assert workers.started == ["part-0", "part-1", "part-2", "part-3", "part-0"]
    assert sorted(done) == ["part-0", "part-1", "part-2", "part-3"], "once each"
    assert (workers.cancelled, scheduler.counts.duplicated) == (["part-0"], 1)


def test_a_copy_that_is_lost_leaves_the_other_at_work() -> None:
    workers = Script(2, {"part-0": [(60, DONE), (1, Lost("gone")), (1, Lost("gone"))]})
    scheduler, done = _run(workers, _tasks(9, 1), Policy(straggler_factor=1, straggler_seconds=0.01))
    assert done == ["part-1", "part-0"]
    assert scheduler.counts.retried == 0 and scheduler.counts.lost >= 1


def test_exit_codes_decide() -> None:
    told = {status: verdict(status) for status in (0, 1, 2, 3, 4, 5, 6, 101, 126, 127, 137, 143, -9, -15)}
    retried = {status for status, what in told.items() if what is Verdict.RETRY}
    assert retried == {1, 5, 137, 143, -9, -15}
    assert [status for status, what in told.items() if what is Verdict.DONE] == [0]


@pytest.mark.parametrize("count", [1, 2, 31, 32, 33, 64, 1000, 1025])
def test_a_tree_adds_everything_up_once_and_never_too_much_at_a_time(count: int) -> None:
    level = [{at} for at in range(count)]
    for groups in merging.levels(count, 32):
        assert all(0 < len(group) <= 32 for group in groups)
        level = [set().union(*(level[at] for at in group)) for group in groups]
    assert len(level) <= 32
    assert sum(map(len, level)) == count and set().union(*level) == set(range(count))


def test_a_job_takes_along_what_it_names_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "game"
    (folder / "cards").mkdir(parents=True)
    (folder / "my.toml").write_text(
        'game = "x"\ncards = "cards/one.json"\n[[list]]\nof = ["../secret", "/etc/passwd"]\n'
    )
    for name in ("cards/one.json", "cards/other.json", "swept.toml"):
        (folder / name).write_text("{}" if name.endswith("json") else "")
    (tmp_path / "secret").write_text("")
    flags = ["--set", 'cards="swept.toml","cards/one.json"', "--battles", "9"]
    monkeypatch.chdir(tmp_path)
    told = job.read("sweep", ["game/my.toml"], None, flags)
    assert sorted(told.files) == ["game/cards/one.json", "game/my.toml", "game/swept.toml"]
    assert told.shipped_inputs == ("game/my.toml",), "faults name the file as the user did"
    away = job.read("sweep", [str(folder / "my.toml")], None, flags)
    assert sorted(away.files) == ["cards/one.json", "my.toml", "swept.toml"]
    assert away.identity("8", "p") != job.read("sweep", ["game/my.toml"], None, []).identity("8", "p")
    bundled = job.read("run", ["splinterlands/mirror"], None, [])
    assert (bundled.files, bundled.shipped_inputs) == ({}, ("splinterlands/mirror",))
    part = told.equal_shards(8, 2)[1]
    assert part.words[:2] == ("sweep", "game/my.toml") and part.name == "shard-2-of-8"
    assert " ".join(part.words[-7:]) == "--shard 2/8 --threads 2 -o parts -q"


SCENARIOS = {
    "marked": ("my.toml", '\ufeffcards = "cards.csv"\n'),
    "over several lines": ("my.toml", 'cards = "cards.csv"\nrulesets = {\n  fixed = ["Standard"], # it\'s new\n}\n'),
    "without an ending": ("my", 'cards = "cards.csv"\n'),
    "another ending": ("my.TOML", 'cards = "cards.csv"\n'),
    "new escapes": ("my.toml", 'escape = "\\e"\ncards = "c\\x61rds.csv"\n'),
    "known escapes": ("my.toml", 'cards = "c\\u0061rds.csv"\nquote = "\\\\x61\\""\n'),
    "broken off": ("my.toml", 'cards = """\\\r\n  cards.csv"""\r\n'),
    "as it is": ("my.toml", "# don't\ncards = '''cards.csv'''\n"),
    "after other strings": ("my.toml", '''a = ["#", """"a"b\\"""""", '"', "it's"]\ncards = 'cards.csv'\n'''),
    "by a detour": ("my.toml", 'cards = "./sub/../cards.csv"\n'),
    "named by what is named": ("my", 'more = "more"\n'),
}


@pytest.mark.parametrize(("name", "text"), SCENARIOS.values(), ids=list(SCENARIOS))
def test_whatever_the_program_reads_takes_its_files_along(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / name).write_bytes(text.encode() + b'# not "commented.csv"\n')
    (tmp_path / "more").write_text('\ufeffcards = "cards.csv"\n', encoding="utf-8")
    (tmp_path / "cards.csv").write_text('name,"of no file"\n')
    (tmp_path / "commented.csv").write_text("")
    shipped = job.read("run", [str(tmp_path / name)], None, []).files
    cards = "sub/../cards.csv" if "sub" in text else "cards.csv"
    assert sorted(shipped) == sorted([name, cards, *(["more"] if "more" in text else [])])


def test_what_is_no_text_or_leads_out_takes_nothing_along(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (tmp_path / "secret").write_text("")
    (folder / "picture").write_bytes(b'\xff"my.csv"')
    (folder / "my.csv").write_text("")
    (folder / "link").symlink_to(tmp_path / "secret")
    names = ["picture", "../secret", "no/../../secret", "../game/my.csv", str(folder / "my.csv"), "link", ".", ""]
    (folder / "my").write_text(f"names = {names}\n")
    assert sorted(job.read("run", [str(folder / "my")], None, []).files) == ["my", "picture"]


def test_flags_that_are_decided_here_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--shard", "--threads", "--checkpoint", "--allow-outside"):
        assert cli.main(["run", "splinterlands/mirror", flag, "2"]) == 2
        assert capsys.readouterr().err.startswith(f"{flag}: ")
    assert cli.main(["run", "a.toml", "b.toml"]) == 2
    assert cli.main(["run", "splinterlands/mirror", "--evens", "/nobody/has/this"]) == 2
    assert "--evens FILE" in capsys.readouterr().err
    assert cli.main(["score", "nothing.jsonl"]) == 3


def _part(done: tuple[int, int] = (0, 5), rows: bytes = b"") -> dict[str, bytes]:
    stage = {"planned": 10, "done": [{"start": done[0], "end": done[1]}]}
    segments = [{"from": 0, "to": 5, "bytes": len(rows), "sha256": hashlib.sha256(rows).hexdigest()}] if rows else []
    text = f"evens partial result, format 1\n{json.dumps({'stages': [stage], 'rows': segments})}\n".encode() + b"tally"
    result = {"result.partial": text + hashlib.sha256(text).digest()}
    return result | ({"rows.partial": rows} if rows else {})


def test_a_part_that_was_damaged_on_its_way_is_not_taken(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "kept", {"command": "run"}, fresh=False)
    whole = _part(rows=b"rows")
    assert header(whole).done == ((0, 5),)
    for name in whole:
        for at in (0, len(whole[name]) // 2, len(whole[name]) - 1):
            bad = bytearray(whole[name])
            bad[at] ^= 1
            with pytest.raises(Failure):
                shelf.take("one", whole | {name: bytes(bad)})
    with pytest.raises(Failure):
        shelf.take("one", {})
    assert shelf.parts() == {}
    shelf.take("one", whole)
    assert list(shelf.parts()) == ["one"]


def test_a_folder_of_parts_belongs_to_one_job_and_one_command(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shelf = Shelf(folder, {"command": "run", "flags": "--seed 1"}, fresh=False)
    shelf.take("one", _part())
    with pytest.raises(Failure, match="in use by another"):
        Shelf(folder, {"command": "run", "flags": "--seed 1"}, fresh=False)
    shelf.close()
    with pytest.raises(Failure, match="flags is --seed 1 there and --seed 2 here") as failure:
        Shelf(folder, {"command": "run", "flags": "--seed 2"}, fresh=False)
    assert failure.value.code == Exit.FAULTY
    again = Shelf(folder, {"command": "run", "flags": "--seed 1"}, fresh=False)
    assert list(again.parts()) == ["one"]
    again.close()
    fresh = Shelf(folder, {"command": "run", "flags": "--seed 2"}, fresh=True)
    assert fresh.parts() == {}
    fresh.close()
    foreign = tmp_path / "mine"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("irreplaceable")
    with pytest.raises(Failure, match=r"thesis\.txt, which is not ours"):
        Shelf(foreign, {}, fresh=True)
    assert (foreign / "thesis.txt").exists()


def test_workers_need_nothing_of_this_package() -> None:
    cloudpickle.register_pickle_by_value(work)
    try:
        sent = cloudpickle.dumps(work.remote)
    finally:
        cloudpickle.unregister_pickle_by_value(work)
    # -I: neither the folder nor PYTHONPATH.
    call = "import pickle, sys; play = pickle.load(sys.stdin.buffer); print(play(('a', ('-c', 'exit 3'), 1),"
    call += " ({}, '', '/bin/sh', {}), [], None, 0)[0]); assert 'evens_ray' not in sys.modules"
    ended = subprocess.run([sys.executable, "-I", "-c", call], input=sent, capture_output=True, check=True)
    assert ended.stdout == b"3\n"
    assert pickle.dumps(work.remote) != sent


def test_a_worker_gets_the_program_once_and_checks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    content = b"#!/bin/sh\nmkdir -p parts/one && echo hello > parts/one/result.partial && pwd >&2\n"
    sha256, fetched = hashlib.sha256(content).hexdigest(), []

    def fetch() -> bytes:
        fetched.append(1)
        return content

    for _ in range(2):
        played = work.play(Task("one", (), 1), Shipped({"a/b.toml": b"x"}, sha256), fetch)
        assert (played.status, played.files) == (0, {"result.partial": b"hello\n"}), played.said
        assert not Path(played.said.strip()).exists(), "nothing stays behind"
    assert len(fetched) == 1
    bad = work.play(Task("one", (), 1), Shipped({}, "0" * 64), fetch)
    assert bad.status == 1 and "has changed on its way" in bad.said
    (tmp_path / f"evens-ray-programs-{os.getuid()}").chmod(0o777)
    assert "belongs to somebody else" in work.play(Task("one", (), 1), Shipped({}, sha256), fetch).said


def test_a_part_that_is_no_longer_needed_takes_its_program_and_its_folder_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    looks = iter([False, True])
    task = Task("part-0", ("-c", "echo $$ > pid; exec sleep 600"), 1)
    before = time.monotonic()
    pids: list[str] = []

    def unneeded() -> bool:
        pids.extend(path.read_text() for path in tmp_path.glob("*/pid"))
        return next(looks)

    played = work.play(task, Shipped({}, "", "/bin/sh"), bytes, unneeded)
    assert (played.status, played.said) == (work.UNEXPECTED, "part-0 is no longer needed")
    assert time.monotonic() - before < 60
    assert list(tmp_path.iterdir()) == []
    assert pids and not Path(f"/proc/{pids[-1].strip()}").exists()
