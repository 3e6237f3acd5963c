"""Partial results of `evens`: are they whole, and which battles do they have?

The format is that of `docs/resume.md`: a line that names it, a line of JSON, tallies, and the SHA-256 of all that.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from .failure import Failure

RESULT = "result.partial"
ROWS = "rows.partial"
_MAGIC = b"evens partial result, format "
_HASH = 32


@dataclass(frozen=True)
class Look:
    """Where a run with a stopping rule stands after all battles that it has."""

    #: Whether there is evidence enough.
    enough: bool
    #: The numbers of battles at which the evidence is looked at next.
    next: tuple[int, ...]


@dataclass(frozen=True)
class Header:
    """What a partial result says of itself."""

    planned: int
    done: tuple[tuple[int, int], ...]
    look: Look | None
    #: The plays of the job, each of which depends on those before it.
    plays: tuple[str, ...]
    #: How many of them it knows; the battles are those of the last.
    known: int


def header(files: dict[str, bytes]) -> Header:
    """The header of a partial result, after its checksums were found to fit."""
    result = files.get(RESULT, b"")
    if not result.startswith(_MAGIC) or len(result) < _HASH:
        raise Failure("what a worker sent is no partial result")
    if hashlib.sha256(result[:-_HASH]).digest() != result[-_HASH:]:
        raise Failure("a partial result was damaged on its way: its checksum does not fit its bytes")
    told: dict[str, Any] = json.loads(result.split(b"\n", 2)[1])
    rows, at = files.get(ROWS, b""), 0
    for segment in told["rows"]:
        of = rows[at : at + segment["bytes"]]
        at += segment["bytes"]
        if hashlib.sha256(of).hexdigest() != segment["sha256"]:
            raise Failure("a partial result was damaged on its way: the checksum of its rows does not fit")
    stage = told["stages"][-1]
    look = stage.get("look")
    return Header(
        planned=stage["planned"],
        done=tuple((part["start"], part["end"]) for part in stage["done"]),
        look=look and Look(look["enough"], tuple(look["next"])),
        plays=tuple(told.get("plays") or [stage.get("name", "")]),
        known=len(told["stages"]),
    )
