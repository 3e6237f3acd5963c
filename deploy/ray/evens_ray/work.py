"""What a worker does: plays one part of a job with `evens` and gives back the partial result as bytes.

This module is sent to the workers by value, so that nothing of this package has to be installed there. It must
therefore import nothing but the standard library.
"""

import contextlib
import ctypes
import errno
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: The folder below that of the task that `evens` keeps its partial result in.
PARTS = "parts"
#: The folder below that of the task with all that is known of earlier plays.
GIVEN = "given"
#: The exit code that stands for what no input explains, such as a full disk.
UNEXPECTED = 1
#: Seconds between two times that a task asks whether it is still needed.
ASKED = 1.0


@dataclass(frozen=True)
class Task:
    """One part of a job."""

    #: What it is called.
    name: str
    #: The command line of `evens`, without the program.
    words: tuple[str, ...]
    #: How many battles it has, or anything else that grows with the time that it takes.
    size: int
    #: The folder that `evens` keeps it in, where that is not its name.
    folder: str = ""


@dataclass(frozen=True)
class Shipped:
    """What every task of a job needs."""

    #: Files below the task's folder, by their relative paths.
    files: dict[str, bytes]
    #: The SHA-256 of the program's bytes; empty where the nodes have the program themselves.
    program_sha256: str
    #: Where the nodes have it.
    program_path: str = ""
    #: Variables of the environment to set.
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """What came of a task."""

    #: The exit code of `evens`; negative where a signal ended it.
    status: int
    #: The files of the partial result, where there is one.
    files: dict[str, bytes]
    #: What `evens` said.
    said: str
    #: How long it took, in seconds.
    seconds: float


class Unneeded:
    """Which tasks are no longer needed; one of these is an actor that the tasks of a job ask."""

    def __init__(self) -> None:
        self._numbers: set[int] = set()

    def add(self, number: int) -> None:
        """A task is no longer needed from now on."""
        self._numbers.add(number)

    def has(self, number: int) -> bool:
        """Whether a task is no longer needed."""
        return number in self._numbers


class Ended(Exception):
    """A task ended its program because it is no longer needed."""


def play(
    task: Task, shipped: Shipped, fetch: Callable[[], bytes], unneeded: Callable[[], bool] = lambda: False
) -> Played:
    """Plays one part.

    `fetch` gives the bytes of the program where the node does not have it yet. `unneeded` is asked several times a
    second whether to end early.
    """
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="evens-ray-") as folder:
            program = shipped.program_path or str(program_at(shipped.program_sha256, fetch))
            return _play(task, shipped, program, Path(folder), began, unneeded)
    except OSError as error:
        return Played(UNEXPECTED, {}, f"a worker could not play {task.name}: {error}", time.monotonic() - began)
    except Ended:
        return Played(UNEXPECTED, {}, f"{task.name} is no longer needed", time.monotonic() - began)


def _play(
    task: Task, shipped: Shipped, program: str, folder: Path, began: float, unneeded: Callable[[], bool]
) -> Played:
    for name, content in shipped.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    environment = {name: value for name, value in os.environ.items() if name != "EVENS_THREADS"}
    child = subprocess.Popen(
        [program, *task.words],
        cwd=folder,
        env={**environment, "NO_COLOR": "1", **shipped.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_end_with_parent(),
    )
    try:
        said = _heard(child, unneeded)
    except BaseException:
        # A task that ends early takes its program with it.
        child.kill()
        child.wait()
        raise
    files = {}
    if child.returncode == 0:
        kept = folder / PARTS / (task.folder or task.name)
        files = {path.name: path.read_bytes() for path in sorted(kept.glob("*.partial"))}
    return Played(child.returncode, files, said.decode(errors="replace"), time.monotonic() - began)


def _heard(child: subprocess.Popen[bytes], unneeded: Callable[[], bool]) -> bytes:
    """What a program says until it ends, or until it is no longer needed."""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.communicate(timeout=0.2)[1]
        if unneeded():
            raise Ended


def _end_with_parent() -> Callable[[], None] | None:
    """Lets the system end the program when the worker is killed, who can then no longer do so."""
    if sys.platform != "linux":
        return None
    # Loaded before the fork: afterwards hardly anything is safe.
    prctl = ctypes.CDLL(None).prctl
    pr_set_pdeathsig = 1
    return lambda: prctl(pr_set_pdeathsig, signal.SIGKILL)


def remote(
    task: tuple[str, tuple[str, ...], int, str],
    shipped: tuple[dict[str, bytes], str, str, dict[str, str]],
    program: list[Any],
    unneeded: Any,
    number: int,
) -> tuple[int, dict[str, bytes], str, float]:
    """`play` with plain data, as it goes over the wire. The program is in a list so that it is fetched on demand."""

    def fetch() -> bytes:
        import ray

        return bytes(ray.get(program[0]))

    # A future and no `ray.wait`, which would give the task's CPU away while it asks.
    asked: Future[bool] | None = None
    at = time.monotonic()

    def ended_early() -> bool:
        nonlocal asked, at
        if asked is None:
            if time.monotonic() - at >= ASKED:
                asked = unneeded.has.remote(number).future()
            return False
        if not asked.done():
            return False
        told, asked, at = asked, None, time.monotonic()
        # Where nobody is left to say so the job has ended, and takes its workers with it.
        return told.exception() is None and told.result()

    played = play(Task(*task), Shipped(*shipped), fetch, ended_early)
    return played.status, played.files, played.said, played.seconds


def program_at(sha256: str, fetch: Callable[[], bytes]) -> Path:
    """Where the node has this program, which it gets if it does not. All tasks of a node share one file."""
    folder = Path(tempfile.gettempdir()) / f"evens-ray-programs-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = folder.lstat()
    if owner.st_uid != os.getuid() or owner.st_mode & 0o022 or folder.is_symlink():
        raise PermissionError(errno.EPERM, f"{folder} belongs to somebody else, or others may write to it")
    path = folder / f"evens-{sha256}"
    if path.exists():
        return path
    content = fetch()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise OSError(errno.EIO, "the program has changed on its way")
    handle, name = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o700)
        Path(name).rename(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    return path
