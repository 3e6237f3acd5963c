"""Values as Python's own, whoever made them."""

from __future__ import annotations

import contextlib
import numbers
import operator
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat, SupportsIndex


def plain(value: object) -> Any:
    """A number, text, truth value or list of NumPy, or of any library with such numbers, as Python's own.

    Nothing is imported for that. What is nothing of the kind is given back as it is.
    """
    tolist = getattr(value, "tolist", None)
    if callable(tolist):
        value = tolist()
    # Python's own are numbers as well, and so are classes that are made of them; of these some print as something else.
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    with contextlib.suppress(TypeError, ValueError):
        if isinstance(value, SupportsIndex):
            return operator.index(value)
        if isinstance(value, SupportsFloat):
            return float(value)
    return value


def plain_within(value: object) -> Any:
    """The same for all that tables and lists hold."""
    value = plain(value)
    if isinstance(value, Mapping):
        return {key: plain_within(of) for key, of in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain_within(of) for of in value]
    return value
