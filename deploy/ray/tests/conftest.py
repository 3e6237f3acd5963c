"""What the tests share: the program, a cluster of two nodes, and a stand-in that misbehaves on request."""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_AUTH_MODE"] = "disabled"
os.environ.pop("RAY_ADDRESS", None)
# Ray lets its workers give way to everything else, which on a busy machine is for ever.
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
# Everything stays on this machine, and a node that has ended is missed soon.
os.environ["RAY_health_check_initial_delay_ms"] = "0"  # noqa: SIM112
os.environ["RAY_health_check_period_ms"] = "500"  # noqa: SIM112
os.environ["RAY_health_check_failure_threshold"] = "10"  # noqa: SIM112

from ray.cluster_utils import Cluster

from evens_ray import cli


def _program() -> Path | None:
    found = shutil.which(os.environ.get("EVENS", "evens"))
    return Path(found).resolve() if found else None


@pytest.fixture(scope="session")
def evens() -> Path:
    """The program itself."""
    program = _program()
    if program is None:
        pytest.skip("there is no evens: name it with EVENS")
    return program


@contextlib.contextmanager
def two_nodes() -> Iterator[Cluster]:
    """A cluster of two nodes with a core each; its processes are ended by their handles."""
    folder = tempfile.mkdtemp(prefix="er-", dir="/tmp")
    node: dict[str, Any] = {
        "node_ip_address": "127.0.0.1",
        "num_cpus": 1,
        "object_store_memory": 200_000_000,
        "include_log_monitor": False,
    }
    # By the environment and not by an argument: Ray notes the cluster's address in its default folder whatever the
    # argument says, and fails where no cluster has made that folder before.
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_TMPDIR", folder)
        cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        try:
            cluster.add_node(**node)
            cluster.wait_for_nodes()
            yield cluster
        finally:
            cluster.shutdown()
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """One for all tests of a file."""
    with two_nodes() as nodes:
        yield nodes


class Stage:
    """A folder with a stand-in for the program that counts its calls and misbehaves once where it is told to."""

    def __init__(self, folder: Path, evens: Path) -> None:
        self.folder = folder
        self.evens = evens
        self.calls = folder / "calls"
        self.manner = folder / "manner"
        self.stand_in = folder / "stand-in"
        # One file whatever it does, so that parts of it go together.
        self.stand_in.write_text(
            "#!/bin/sh\n"
            'shard=""; last=""\n'
            'for word in "$@"; do [ "$last" = --shard ] && shard="$word"; last="$word"; done\n'
            f'[ -n "$shard" ] && echo "$shard" >> {self.calls}\n'
            f". {self.manner}\n"
            f'exec {self.evens} "$@"\n'
        )
        self.stand_in.chmod(self.stand_in.stat().st_mode | stat.S_IXUSR)
        self.behave()

    def behave(self) -> None:
        """Does what the program does, and counts from now on."""
        self.calls.unlink(missing_ok=True)
        self.manner.write_text("")

    def misbehave(self, how: str, shard: str = "2/*", always: bool = False) -> None:
        """Lets one part do something, the first time that it is played or every time."""
        self.behave()
        once = "true" if always else f"mkdir {self.folder}/first 2>/dev/null"
        self.manner.write_text(f'case "$shard" in {shard}) {once} && {{ {how}; }};; esac\n')

    def played(self) -> list[str]:
        """Which parts were begun, as often as they were."""
        return sorted(self.calls.read_text().split()) if self.calls.exists() else []

    def single(self, words: list[str]) -> None:
        """What the program itself writes, in the folder `single`."""
        import subprocess

        with (self.folder / "single.page").open("w") as page:
            command = [str(self.evens), *words, "-o", "single", "--format", "csv"]
            subprocess.run(command, cwd=self.folder, stdout=page, stderr=subprocess.PIPE, check=True)

    def same(self, folder: str = "results", page: str | None = None) -> None:
        """Fails where the bytes of a folder, or a page, are not those of the single command."""
        files = {path.name: path.read_bytes() for path in (self.folder / "single").iterdir()}
        there = {path.name: path.read_bytes() for path in (self.folder / folder).iterdir() if path.is_file()}
        assert sorted(files) == sorted(there)
        for name, content in files.items():
            assert content == there[name], name
        if page is not None:
            assert page == (self.folder / "single.page").read_text()


@pytest.fixture
def stage(tmp_path: Path, evens: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A folder of its own, which is the one that commands are started in."""
    monkeypatch.chdir(tmp_path)
    return Stage(tmp_path, evens)


def ray_command(stage: Stage, cluster: Cluster, words: list[str]) -> list[str]:
    """The command line of evens-ray for a test."""
    return [*words, "--address", cluster.address, "--evens", str(stage.stand_in), "--format", "csv"]


def main(stage: Stage, cluster: Cluster, words: list[str]) -> int:
    """Runs evens-ray in this process."""
    sys.stdout.flush()
    return cli.main(ray_command(stage, cluster, words))
