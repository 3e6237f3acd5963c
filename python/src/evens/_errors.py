"""What can go wrong, as exceptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._result import Result


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with an input or with what was asked, or a warning."""

    message: str
    """What is wrong."""
    remedy: str = ""
    """What to do about it; may be empty."""
    file: str | None = None
    """The file that is to blame, if one is; `standard input` for a scenario given as text or as a dictionary."""
    line: int | None = None
    """The line in it, from 1."""
    column: int | None = None
    """The column in it, from 1, in characters."""

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Fault:
        """The fault that the program tells of in JSON."""
        return cls(
            message=str(told["message"]),
            remedy=str(told.get("remedy") or ""),
            file=told.get("file"),
            line=told.get("line"),
            column=told.get("column"),
        )

    def __str__(self) -> str:
        """The place, what is wrong there, and the remedy, on a line each."""
        place = "".join(f"{part}:" for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place} {self.message}" if place else self.message
        return f"{text}\n  {self.remedy}" if self.remedy else text


class EvensError(Exception):
    """The program ended without an answer. Nothing was written, and results that were there are as they were."""

    exit_code: int
    """The exit code of the program, as `evens --help` lists them; negative where
    a signal ended it. What the package itself refuses has the one that the program would have."""
    faults: tuple[Fault, ...]
    """Everything that is wrong, in the order of the file where one is to blame; at least one."""

    def __init__(self, exit_code: int, faults: Sequence[Fault], omitted: int = 0) -> None:
        """An error with the faults that the program told of; `omitted` more were not told."""
        self.exit_code = exit_code
        self.faults = tuple(faults)
        told = [str(fault) for fault in self.faults]
        if omitted:
            told.append(f"and {omitted} more faults")
        super().__init__("\n".join(told))


class InputError(EvensError, ValueError):
    """A scenario or another input has faults or asks for too much, or files are another run's by now (exit code 3)."""


class UsageError(EvensError, ValueError):
    """What was asked makes no sense, such as a value that an option cannot have, or a page of `plan` (exit code 2)."""


class ProgramError(EvensError, RuntimeError):
    """What no input explains, such as a full disk (exit code 1)."""


class Interrupted(KeyboardInterrupt):
    """The command was interrupted. What was counted until then is kept where it is an answer.

    As a `KeyboardInterrupt` it ends a loop and a script like any other.
    """

    result: Result | None
    """What was counted until then, marked partial (`result.provenance.partial`); None where there was nothing yet."""

    def __init__(self, result: Result | None) -> None:
        """An interruption with what it left."""
        self.result = result
        kept = "`evens.interrupted()` gives what was counted until then" if result else "nothing was counted yet"
        super().__init__(kept)


class ScenarioWarning(UserWarning):
    """Something in a scenario is allowed but probably not meant."""


def error_of(exit_code: int, faults: Sequence[Fault], omitted: int = 0) -> EvensError:
    """The exception for an exit code."""
    kinds: dict[int, type[EvensError]] = {2: UsageError, 3: InputError}
    return kinds.get(exit_code, ProgramError)(exit_code, faults, omitted)
