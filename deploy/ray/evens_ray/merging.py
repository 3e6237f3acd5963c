"""Adding parts up: a tree of `evens merge --into`, so that no merger holds more than a few parts at once."""

import itertools
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .failure import Exit, Failure


def merge_into(program: str, parts: list[Path], into: Path, scenario: list[str]) -> None:
    """Adds some parts up to one."""
    words = [program, "merge", *map(str, parts), "--into", str(into), "-q", *scenario]
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ended.returncode != 0:
        known = ended.returncode in set(Exit)
        raise Failure(ended.stderr.strip(), Exit(ended.returncode) if known else Exit.UNEXPECTED)


def levels(count: int, fan_in: int) -> list[list[range]]:
    """Which of the results of the level below each merger of a level adds up, until there are at most `fan_in` left."""
    tree = []
    while count > fan_in:
        groups = -(-count // fan_in)
        bounds = [count * at // groups for at in range(groups + 1)]
        tree.append([range(low, high) for low, high in itertools.pairwise(bounds)])
        count = groups
    return tree


def tree(
    program: str,
    parts: list[Path],
    scratch: Path,
    scenario: list[str],
    fan_in: int,
    show: Callable[[int, int], None] = lambda _level, _mergers: None,
) -> list[Path]:
    """Adds parts up until there are at most `fan_in`, a level at a time, on the cores of this machine."""
    for number, groups in enumerate(levels(len(parts), fan_in), 1):
        show(number, len(groups))
        into = [scratch / f"level-{number}-{at}" for at in range(len(groups))]
        below = parts

        def add(at: int, groups: list[range] = groups, into: list[Path] = into, below: list[Path] = below) -> None:
            of = [below[index] for index in groups[at]]
            if len(of) == 1:
                into[at] = of[0]
            else:
                merge_into(program, of, into[at], scenario)

        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            list(pool.map(add, range(len(groups))))
        parts = into
    return parts
