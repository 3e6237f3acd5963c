"""The script for Slurm, with stand-ins for the programs of Slurm: scripts/test-slurm tries it on a real one."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "slurm.sbatch"
RUN = ["run", "my scenario.toml", "--battles", "9"]
PART = {"SLURM_JOB_ID": "8", "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "1"}


class Cluster:
    """A folder whose programs note how they are called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("sbatch", "scontrol", "scancel"):
            self.put(self.bin / name, "echo 7")
        self.put(self.bin / "sleep", "")

    def put(self, file: Path, does: str) -> Path:
        file.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{self.folder}/$(basename "$0").$(ls | wc -l)"\n{does}\n')
        file.chmod(0o755)
        return file

    def call(self, words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        """Starts the script with nothing in its environment but this."""
        path = f"{self.bin}:{os.defpath}"
        command = ["bash", str(SCRIPT), *words]
        environment = {"PATH": path, **environment}
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)

    def calls(self, program: str) -> list[list[str]]:
        """The words of each call of a program, in order."""
        files = sorted(self.folder.glob(f"{program}.*"), key=lambda file: int(file.suffix[1:]))
        return [file.read_text().splitlines() for file in files]


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return Cluster(tmp_path)


def test_a_part_and_the_merger_find_the_program_without_an_environment(cluster: Cluster) -> None:
    cluster.put(cluster.bin / "evens", "")
    part = cluster.call(["3", "job", *RUN], **PART)
    assert part.returncode == 0, part.stderr
    merger = cluster.call(["merge", "job", *RUN], SLURM_JOB_ID="9")
    assert merger.returncode == 0, merger.stderr
    played, merged = cluster.calls("evens")
    assert played == [*RUN, "--shard", "1/3", "--threads", "1", "-q", "-o", "job/shards"]
    assert merged == ["merge", "job/shards", "--scenario", RUN[1], "-o", "job/results", "--format", "parquet"]
    assert cluster.calls("scontrol") == cluster.calls("scancel") == []


def test_what_was_submitted_needs_nothing_of_the_environment(cluster: Cluster) -> None:
    program = cluster.put(cluster.folder / "my evens", "")
    submitted = cluster.call(["3", "job", *RUN], EVENS=str(program), EVENS_FORMAT="csv")
    assert submitted.returncode == 0, submitted.stderr
    # What follows the script is what Slurm gives to it on a node.
    part, merger = (words[words.index(str(SCRIPT)) + 1 :] for words in cluster.calls("sbatch"))
    for words, environment in ((part, PART), (merger, {"SLURM_JOB_ID": "9"})):
        ended = cluster.call(words, **environment)
        assert ended.returncode == 0, ended.stderr
    played, merged = cluster.calls("my evens")
    assert played[: len(RUN)] == RUN and "1/3" in played
    assert merged[0] == "merge" and merged[-2:] == ["--format", "csv"]


@pytest.mark.parametrize("is_there", [False, True], ids=["missing", "not a program"])
def test_a_program_that_does_not_start_ends_all_parts(cluster: Cluster, is_there: bool) -> None:
    if is_there:
        (cluster.bin / "evens").write_text("")
    ended = cluster.call(["3", "job", *RUN], **PART, EVENS=str(cluster.bin / "evens"))
    assert ended.returncode == (126 if is_there else 127)
    assert "would come again" in ended.stderr
    assert cluster.calls("scancel") == [["7"]] and cluster.calls("scontrol") == []
