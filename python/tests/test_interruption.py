"""Ctrl-C ends a command gracefully, once, and keeps what was counted."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import evens

from .conftest import figures

LONG = 2_000_000_000

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")


def after(seconds: float, what: int = signal.SIGINT) -> None:
    """Sends this process a signal, as a debugger's or an editor's stop button does."""

    def send() -> None:
        time.sleep(seconds)
        os.kill(os.getpid(), what)

    threading.Thread(target=send, daemon=True).start()


def test_an_interrupted_run_keeps_what_was_counted(tmp_path: Path) -> None:
    after(1.0)
    with pytest.raises(evens.Interrupted) as caught:
        evens.run("splinterlands/mirror", battles=LONG, output=tmp_path)
    result = caught.value.result
    assert isinstance(caught.value, KeyboardInterrupt)
    assert result is not None and evens.interrupted() is result
    run = result.provenance
    assert run.partial and 0 < run.battles_played < LONG
    assert sum(result["outcomes"]["wins"]) + result["outcomes"][0]["draws"] >= run.battles_played
    assert result.polars("units").height > 0
    # The same battles make the same figures.
    again = evens.run("splinterlands/mirror", battles=run.battles_played)
    assert figures(again) == figures(result)
    assert "Ended early" in result._repr_html_() and "Ended early" not in again._repr_html_()


def test_complete_results_are_not_replaced_by_partial_ones(tmp_path: Path) -> None:
    whole = evens.run("splinterlands/mirror", battles=100, output=tmp_path)
    after(1.0)
    with pytest.raises(evens.Interrupted) as caught:
        evens.run("splinterlands/mirror", battles=LONG, output=tmp_path)
    assert caught.value.result is not None
    assert caught.value.result.folder == tmp_path / "partial"
    assert whole["outcomes"].polars()["battles"].to_list() == [100, 100]


def test_before_there_is_anything_there_is_no_result() -> None:
    after(0.5)
    with pytest.raises(evens.Interrupted) as caught:
        evens.tune("splinterlands/drawn-teams", even="summoner", battles=LONG)
    assert caught.value.result is None and evens.interrupted() is None


SCRIPT = f"""
import evens, json, sys, time
try:
    evens.run("splinterlands/mirror", battles={LONG})
except KeyboardInterrupt as stopped:
    print(json.dumps(stopped.result.provenance.battles_played))
"""


def test_a_signal_to_the_whole_group_counts_once() -> None:
    """A terminal and a notebook's server send it to every process of the group."""
    script = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, start_new_session=True)
    time.sleep(2.0)
    os.killpg(script.pid, signal.SIGINT)
    printed, _ = script.communicate(timeout=60)
    assert script.returncode == 0
    assert json.loads(printed) > 0


def test_what_ends_the_group_ends_the_program(tmp_path: Path) -> None:
    # Whoever is killed leaves its temporary folder behind.
    own = os.environ | {"TMPDIR": str(tmp_path)}
    script = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, start_new_session=True, env=own)
    time.sleep(2.0)
    os.killpg(script.pid, signal.SIGKILL)
    script.wait()
    # The program held the other end of nothing of ours: its group is empty.
    for _ in range(50):
        try:
            os.killpg(script.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        raise AssertionError("the program is still there")
    assert script.stdout is not None
    script.stdout.close()
