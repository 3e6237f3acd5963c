"""What stands for a scenario: a name, a path, TOML text or a dictionary."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._plain import plain_within

Scenario = str | os.PathLike[str] | Mapping[str, Any]
"""A scenario: the name of a bundled one (`splinterlands/mirror`, or only `mirror`), the path of a TOML file, TOML text
(of at least two lines), or a dictionary with the keys of such a file. Paths in a text or in a dictionary start in the
working folder."""


@dataclass(frozen=True)
class Input:
    """A scenario as the program takes it."""

    word: str
    """What stands on the command line."""
    text: str | None
    """What it reads from standard input."""


def taken(scenario: Scenario) -> Input:
    """The scenario as the program takes it.

    Raises:
        TypeError: It is nothing of the kind, or a dictionary holds what TOML cannot.
    """
    if isinstance(scenario, Mapping):
        import tomli_w

        return Input("-", tomli_w.dumps(plain_within(scenario)))
    if isinstance(scenario, str) and "\n" in scenario:
        return Input("-", scenario)
    if isinstance(scenario, (str, os.PathLike)):
        return Input(path_word(scenario), None)
    raise TypeError(f"a scenario is a name, a path, TOML text or a dictionary, and not {type(scenario).__name__}")


def path_word(path: str | os.PathLike[str]) -> str:
    """A path that is taken for no flag, and for standard input neither."""
    word = os.fspath(path)
    return os.path.join(os.curdir, word) if word.startswith("-") else word
