"""Monte Carlo balance analysis for card-battle games: is this fair, and what would make it fairer?

```python
import evens

result = evens.run("splinterlands/mirror", battles=1_000_000)
result                      # in a notebook: the answer
result["outcomes"].rows     # figures, with nothing else installed
result.polars("units")      # a data frame
```

Each function is a command of the program `evens`, which is inside the package, with its options as keywords. Results
are the same bytes that the command line writes.
"""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version

from ._commands import (
    best,
    check,
    compare,
    effects,
    exact,
    interrupted,
    listed,
    plan,
    run,
    score,
    sweep,
    trace,
    tune,
)
from ._errors import (
    EvensError,
    Fault,
    InputError,
    Interrupted,
    ProgramError,
    ScenarioWarning,
    UsageError,
)
from ._program import program
from ._result import Checked, Comparison, Plan, Provenance, Result, Trace
from ._scenario import Scenario
from ._table import Column, Table

try:
    __version__ = _version("evens")
except PackageNotFoundError:
    __version__ = "0"

# What a traceback names is what `except` takes.
for _error in (EvensError, InputError, Interrupted, ProgramError, ScenarioWarning, UsageError):
    _error.__module__ = __name__

__all__ = [
    "Checked",
    "Column",
    "Comparison",
    "EvensError",
    "Fault",
    "InputError",
    "Interrupted",
    "Plan",
    "ProgramError",
    "Provenance",
    "Result",
    "Scenario",
    "ScenarioWarning",
    "Table",
    "Trace",
    "UsageError",
    "__version__",
    "best",
    "check",
    "compare",
    "effects",
    "exact",
    "interrupted",
    "listed",
    "plan",
    "program",
    "run",
    "score",
    "sweep",
    "trace",
    "tune",
]
