"""The local folder that keeps the parts that are done, so that an interrupted job goes on with what is missing."""

import contextlib
import fcntl
import json
import os
import shutil
from pathlib import Path
from typing import IO

from . import partial
from .failure import Exit, Failure

_JOB = "job.json"
_LOCK = ".lock"
#: How many seconds each part took its worker, one a line.
_TIMES = "times.csv"


class Shelf:
    """A folder of finished parts of one job."""

    def __init__(self, folder: Path, job: dict[str, str], fresh: bool) -> None:
        """Opens the folder, or makes it. `job` is what the parts depend on: those of another job are refused."""
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock: IO[str] = (folder / _LOCK).open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise Failure(f"{folder} is in use by another evens-ray") from None
        try:
            self._begin(job, fresh)
        except BaseException:
            self.close()
            raise

    def _begin(self, job: dict[str, str], fresh: bool) -> None:
        folder = self.folder
        note = folder / _JOB
        if note.exists() and not fresh:
            there = json.loads(note.read_text())
            for name in sorted(job.keys() | there.keys()):
                if job.get(name) != there.get(name):
                    raise Failure(
                        f"{folder} belongs to another job: {name} is {there.get(name)} there and {job.get(name)} here\n"
                        "repeat the command that began it to go on, choose another folder with --keep, or start over "
                        "with --fresh",
                        Exit.FAULTY,
                    )
            return
        foreign = [path.name for path in folder.iterdir() if path.name not in (_JOB, _LOCK)]
        if foreign and not note.exists():
            raise Failure(f"{folder} holds {foreign[0]}, which is not ours: choose another folder with --keep")
        for name in foreign:
            shutil.rmtree(folder / name, ignore_errors=True)
            with contextlib.suppress(OSError):
                (folder / name).unlink()
        _write(note, (json.dumps(job, indent=2, sort_keys=True) + "\n").encode())

    def take(self, name: str, files: dict[str, bytes], seconds: float = 0.0) -> partial.Header:
        """Keeps a part: it is there whole or not at all."""
        header = partial.header(files)
        new = self.folder / f".{name}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        for file, content in files.items():
            _write(new / file, content)
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        new.rename(path)
        _settle(self.folder)
        with (self.folder / _TIMES).open("a") as times:
            times.write(f"{name},{seconds:.3f}\n")
        return header

    def path(self, name: str) -> Path:
        """Where a part is."""
        return self.folder / name

    def has(self, name: str) -> partial.Header | None:
        """What a part says of itself; none where it is missing or damaged."""
        path = self.path(name)
        if not (path / partial.RESULT).exists():
            return None
        try:
            return partial.header({file.name: file.read_bytes() for file in path.glob("*.partial")})
        except (Failure, OSError, ValueError, KeyError, IndexError):
            return None

    def parts(self) -> dict[str, partial.Header]:
        """All parts that are whole."""
        names = sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("."))
        found = {name: self.has(name) for name in names}
        return {name: header for name, header in found.items() if header is not None}

    def drop(self, name: str) -> None:
        """Forgets a part."""
        shutil.rmtree(self.path(name), ignore_errors=True)

    def close(self) -> None:
        """Lets others use the folder."""
        self._lock.close()

    def remove(self) -> None:
        """Forgets everything."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.close()


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Waits until the disk has the names of a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
