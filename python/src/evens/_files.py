"""The files of a result, and whose they are by now."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import Fault, InputError, UsageError

_ADDRESS = "s3://"


def is_address(word: str) -> bool:
    """Whether the program takes it for an address in an object store and not for a path."""
    return word.startswith(_ADDRESS)


def place_word(path: str | os.PathLike[str]) -> str:
    """A path that means the same from any working folder; an address in an object store as it is.

    Raises:
        UsageError: It was an address until it became a `Path`, which keeps one slash of two.
    """
    word = path_word(path)
    return word if is_address(word) else os.path.abspath(word)


def path_word(path: str | os.PathLike[str]) -> str:
    """A path or an address as text.

    Raises:
        UsageError: It was an address until it became a `Path`, which keeps one slash of two.
    """
    word = os.fspath(path)
    if not isinstance(path, str) and re.match(r"s3:[\\/]", word):
        remedy = f'give it as text: "{_ADDRESS}{word[4:]}"'
        raise UsageError(2, [Fault("an address in an object store does not survive in a Path", remedy, word)])
    return word


@dataclass(frozen=True)
class Files:
    """The files that a command has written, as their manifest told then.

    A later run may take their place in a folder that was asked for. So whoever reads one asks for its path here first.
    """

    folder: Path
    """The folder in which the names of files begin."""
    manifest: Path
    """What lists them: `provenance.json` in the folder, or `runs/RUN.json` in one that many runs share."""
    run: Mapping[str, Any]
    """The run that wrote them."""
    listed: Sequence[Mapping[str, Any]]
    """What the manifest says of each: its name, its hash, and its table's name and columns where it is of one."""
    temporary: tempfile.TemporaryDirectory[str] | None = None
    """What deletes the folder when nobody needs it any more."""

    @classmethod
    def find(
        cls,
        folder: Path,
        run: Mapping[str, Any] | None,
        shared: str | None,
        temporary: tempfile.TemporaryDirectory[str] | None,
    ) -> Files | None:
        """The files that a run has just written; None where there are none.

        Args:
            folder: Where they were to be written. Partial ones do not take the place of complete ones.
            run: The run's provenance; None for a command that does not tell it, whose files are what is there.
            shared: The run's id where many runs share the folder.
            temporary: What deletes the folder.
        """
        manifest = Path("runs", f"{shared}.json") if shared else Path("provenance.json")
        for place in (folder / "partial", folder) if run is not None else (folder,):
            read = _read(place / manifest)
            if read is not None and run in (None, read["run"]):
                return cls(place, place / manifest, read["run"], read["files"], temporary)
        return None

    @property
    def results(self) -> Path:
        """What `evens report` takes for these files."""
        return self.folder if self.manifest.parent == self.folder else self.manifest

    @property
    def notes(self) -> str | None:
        """The name of the file with what an HTML report says; None where a command has no report."""
        names = (str(of["file"]) for of in self.listed if of.get("table") is None)
        return next((name for name in names if name.endswith("report.json")), None)

    def path(self, name: str) -> Path:
        """The path of a file that is still this run's.

        Raises:
            InputError: It is another run's by now, or gone.
        """
        self.check([name])
        return self.folder / name

    def check(self, names: Sequence[str] | None = None) -> None:
        """Looks whether files, or all of them, are still those that were written.

        The manifest tells: it is replaced with the files, and much shorter than they are.

        Raises:
            InputError: One of them is another run's by now, or gone.
        """
        now = _read(self.manifest)
        hashes = {of["file"]: of["sha256"] for of in now["files"]} if now else {}
        for of in self.listed:
            name = of["file"]
            if names is not None and name not in names:
                continue
            path = self.folder / name
            if hashes.get(name) == of["sha256"] and path.exists():
                continue
            raise InputError(3, [Fault(self._why(now), _REMEDY, str(path))])

    def _why(self, now: Mapping[str, Any] | None) -> str:
        if now is None:
            return "the file was of this result and is gone"
        other = now["run"]
        if other.get("id") == self.run.get("id"):
            return "the file was of this result, and the same run has been written there again, with other content"
        theirs = f"{other['scenario']}, seed {other['seed']}, {other['battles_played']:,} battles"
        return f"the file was of this result, and the folder is another run's by now ({theirs})"


_REMEDY = (
    "make the result again; give each run a folder of its own (`output=`), or let runs share one (`partition=True`)"
)


def _read(manifest: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads(manifest.read_text("utf-8")))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
