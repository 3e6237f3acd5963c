"""Why a command ends without results, and which failures are worth another attempt."""

from enum import Enum, IntEnum


class Exit(IntEnum):
    """The exit codes of `evens`, which are those of `evens-ray` too."""

    SUCCESS = 0
    UNEXPECTED = 1
    USAGE = 2
    FAULTY = 3
    INTERRUPTED = 5


class Failure(Exception):
    """Ends the command with a message and an exit code."""

    def __init__(self, message: str, code: Exit = Exit.UNEXPECTED) -> None:
        super().__init__(message)
        self.code = code


class Verdict(Enum):
    """What the exit code of a part means for it."""

    DONE = "done"
    RETRY = "retry"
    FINAL = "final"


def verdict(status: int) -> Verdict:
    """What becomes of a part whose `evens` ended so.

    What no input explains (1: a full disk) may succeed elsewhere, and so may what was ended from outside (5: a signal
    that `evens` handles; negative, or above 128 through a shell: one that it does not). A wrong command line (2),
    faults in an input (3), a panic and everything that is not known would come again.
    """
    if status == Exit.SUCCESS:
        return Verdict.DONE
    if status in (Exit.UNEXPECTED, Exit.INTERRUPTED) or status < 0 or status > 128:
        return Verdict.RETRY
    return Verdict.FINAL


def code_of(status: int) -> Exit:
    """The exit code that tells of a part that failed for good."""
    return Exit(status) if status in (Exit.USAGE, Exit.FAULTY) else Exit.UNEXPECTED
