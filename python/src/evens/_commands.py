"""The commands."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, Unpack

from ._errors import Fault, Interrupted, ScenarioWarning
from ._files import Files, is_address, place_word
from ._options import (
    BestOptions,
    CheckOptions,
    CompareOptions,
    EffectsOptions,
    ExactOptions,
    FilePath,
    PlanOptions,
    RunOptions,
    ScoreOptions,
    SweepOptions,
    TraceOptions,
    TuneOptions,
    WorthOptions,
    takes,
    words,
)
from ._program import Finished, call
from ._progress import progress as shown
from ._result import Checked, Comparison, Plan, Result, Trace
from ._scenario import Input, Scenario, path_word, taken
from ._table import Table, columns_of

_INTERRUPTED = 5
_CHANGED = 4

_last_interrupted: Result | None = None


def interrupted() -> Result | None:
    """What the last interrupted command had counted, marked partial; None where there was nothing.

    The exception `Interrupted` carries the same.
    """
    return _last_interrupted


_AnyResult = TypeVar("_AnyResult", bound=Result)


def _make(
    made: type[_AnyResult],
    command: str,
    kind: type,
    inputs: Sequence[Input],
    options: Mapping[str, Any],
    progress: bool | None,
) -> _AnyResult:
    """Runs a command and gives what it found."""
    global _last_interrupted
    flags = words(command, kind, {name: value for name, value in options.items() if name != "output"})
    temporary: tempfile.TemporaryDirectory[str] | None = None
    place: str | None = None
    output = options.get("output")
    if output is not None:
        # What is deleted is an absolute path: the working folder may be another one by then.
        place = place_word(output)
    elif made is not Plan:
        temporary = tempfile.TemporaryDirectory(prefix="evens-", ignore_cleanup_errors=True)
        place = os.path.join(temporary.name, "results")
    if place is not None:
        flags += [f"--output={place}", "--format=parquet"]
    text = next((of.text for of in inputs if of.text is not None), None)
    line = [command, "--json", "--progress=json", *flags, *(of.word for of in inputs)]
    finished = call(line, text, shown(progress))
    answer = finished.answer()
    if finished.exit_code == _INTERRUPTED and answer is not None and "faults" in answer:
        # Ended before there was any result: it says what there is none of.
        answer = None
    whole = (0, _INTERRUPTED, _CHANGED)
    if finished.interrupted and (answer is None or finished.exit_code not in whole):
        _last_interrupted = None
        raise Interrupted(None)
    finished.check(*whole)
    if answer is None:
        # It was ended by somebody else before there was anything to tell.
        raise Interrupted(None)
    files: Files | None = None
    if place is not None and not is_address(place):
        files = Files.find(Path(place), answer.get("provenance"), _shared(options, answer), temporary)
    result = made(
        answer, files, None if files is not None or place is None else _missing(place, bool(options.get("report")))
    )
    for warning in result.warnings:
        warnings.warn(str(warning), ScenarioWarning, stacklevel=3)
    # It may have been done by the time that it was told: whoever interrupted wants no next command all the same.
    if finished.interrupted or finished.exit_code == _INTERRUPTED:
        _last_interrupted = result
        raise Interrupted(result)
    return result


def _shared(options: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """The id of a run that shares its folder, by which its files are named."""
    return str(answer["provenance"]["id"]) if options.get("partition") and answer.get("provenance") else None


def _missing(place: str, reported: bool) -> Fault:
    """Why a result has no files that can be read."""
    if not is_address(place):
        remedy = "another command may have written there since: run it again, into a folder of its own"
        return Fault("there are no files of this run", remedy, place)
    remedy = "DuckDB and polars read tables from there; "
    remedy += f"`evens report {place} -o FILE` makes the HTML page of what is there"
    if reported:
        remedy += ", and `report=` has written it with the results"
    return Fault(f"this result's files are in an object store ({place}), from which this package does not read", remedy)


@takes(RunOptions)
def run(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[RunOptions]) -> Result:
    """Plays a scenario's battles: who wins, and what goes with it.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens run`, such as `battles=1_000_000`, `seed=7`, `until="margin=0.2pp"`,
            `table=["units", "battles"]`.

    Returns:
        The result, whose first table is `outcomes`. The same scenario and seed give the same bytes as the command line.

    Raises:
        InputError: The scenario has faults.
        UsageError: An option's value makes no sense.
        ProgramError: Anything else, such as a full disk.
        Interrupted: The run was interrupted; what was counted is kept.
        TypeError: There is no such option.
    """
    return _make(Result, "run", RunOptions, [taken(scenario)], options, progress)


@takes(SweepOptions)
def sweep(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[SweepOptions]) -> Result:
    """Plays variants of a scenario side by side, and tells what each change changes.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens sweep`, such as `set={"mana_caps.0": [24, 30]}`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Result, "sweep", SweepOptions, [taken(scenario)], options, progress)


@takes(EffectsOptions)
def effects(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[EffectsOptions]) -> Result:
    """Tells what each ruleset and each pair of them does, from the same battles with and without.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens effects`, such as `order="first-turn"`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Result, "effects", EffectsOptions, [taken(scenario)], options, progress)


@takes(ExactOptions)
def exact(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[ExactOptions]) -> Result:
    """Works out the exact odds of a small scenario; `result.data["matchups"]` has every fraction in full.

    Where the budget is passed the answer is bounds, and `result.provenance.partial` says so.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens exact`, such as `states=1_000_000`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Result, "exact", ExactOptions, [taken(scenario)], options, progress)


@takes(TuneOptions)
def tune(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[TuneOptions]) -> Result:
    """Finds the weights that make everybody even, and confirms them; the weights are in the table `tuned_weights`.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens tune`, such as `target={"Fire": "55%"}`, `pin="Earthquake"`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Result, "tune", TuneOptions, [taken(scenario)], options, progress)


@takes(BestOptions)
def best(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[BestOptions]) -> Result:
    """Finds the strongest line-ups, and with `metagame=True` what holds against them.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens best`, such as `for_="Uterra"`, `keep="Spring Dryad"`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Result, "best", BestOptions, [taken(scenario)], options, progress)


@takes(WorthOptions)
def worth(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[WorthOptions]) -> Result:
    """Tells what each card is worth, which to change first, and what the same battles are without it.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens worth`, such as `unit="Pit Ogre"`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Result, "worth", WorthOptions, [taken(scenario)], options, progress)


@takes(ScoreOptions)
def score(
    results: FilePath | Sequence[FilePath], *, progress: bool | None = None, **options: Unpack[ScoreOptions]
) -> Result:
    """Holds forecasts of real line-ups against how their battles ended.

    Args:
        results: Files of battles with known winners, in the format of the official `battle/result`.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens score`, such as `cards="cards.json"`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    files = [results] if isinstance(results, (str, os.PathLike)) else results
    inputs = [Input(path_word(file), None) for file in files]
    return _make(Result, "score", ScoreOptions, inputs, options, progress)


@takes(PlanOptions)
def plan(scenario: Scenario, *, progress: bool | None = None, **options: Unpack[PlanOptions]) -> Plan:
    """Tells how many battles a question takes, and what so many battles can see.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens plan`, such as `detect="1pp"`.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    return _make(Plan, "plan", PlanOptions, [taken(scenario)], options, progress)


@takes(CompareOptions)
def compare(
    baseline: FilePath, new: FilePath, *, progress: bool | None = None, **options: Unpack[CompareOptions]
) -> Comparison:
    """Holds counts against a baseline, or two versions of a card file against each other.

    Args:
        baseline: A file that `evens nightly --write` wrote, a folder of them, or a Splinterlands card file (`.csv`).
        new: Another such file or folder, or another version of the card file.
        progress: Whether to show progress; left out it is shown in notebooks and terminals.
        options: The options of `evens compare`, such as `tolerance="1pp"`.

    Returns:
        The comparison; `changed` tells whether a change counts, which is no exception.

    Raises:
        EvensError, Interrupted, TypeError: As `run`.
    """
    inputs = [Input(path_word(path), None) for path in (baseline, new)]
    return _make(Comparison, "compare", CompareOptions, inputs, options, progress)


@takes(TraceOptions)
def trace(scenario: Scenario, **options: Unpack[TraceOptions]) -> Trace:
    """Tells one battle of a run, event by event.

    Args:
        scenario: The name of a bundled scenario, a path, TOML text or a dictionary.
        options: Which battle, `battle=17`, `battle_seed=...` or `pick="typical"`, and others of `evens trace`.

    Raises:
        EvensError, TypeError: As `run`.
    """
    given = taken(scenario)
    line = ["trace", *words("trace", TraceOptions, options), given.word]
    finished = _told(call([*line, "--json", "--boards"], given.text))
    finished.check(0)
    events = tuple(json.loads(event) for event in finished.output.splitlines())
    return Trace(events, line, given.text)


@takes(CheckOptions)
def check(*scenarios: Scenario, **options: Unpack[CheckOptions]) -> list[Checked]:
    """Looks for faults in scenarios, or in folders of results, and does nothing else. What is found is no exception.

    Args:
        scenarios: Names, paths, TOML texts or dictionaries.
        options: The options of `evens check`.

    Raises:
        EvensError, TypeError: As `run`.
    """
    found: list[Checked] = []
    for given in map(taken, scenarios):
        finished = _told(call(["check", "--json", *words("check", CheckOptions, options), given.word], given.text))
        answer = finished.answer()
        if answer is None or "inputs" not in answer:
            finished.check(0)
            continue
        found += [
            Checked(
                told["name"],
                told["ok"],
                tuple(map(Fault.read, told["faults"])),
                tuple(map(Fault.read, told["warnings"])),
            )
            for told in answer["inputs"]
        ]
    return found


def listed(what: str, game: str | None = None, *, odds: Scenario | None = None) -> Table:
    """Lists games, scenarios, or what a game has: `listed("cards", "splinterlands")`.

    Args:
        what: `games`, `scenarios`, or what the game has (`cards`, `abilities`, `rulesets`, ...).
        game: The game; not needed where only one game has such a list.
        odds: List the exact probability of everything that this scenario draws before a battle instead.

    Raises:
        EvensError: There is no such list.
    """
    given = taken(odds) if odds is not None else None
    more = [game] if game else []
    more += [f"--odds={given.word}"] if given else []
    finished = call(["list", "--json", what, *more], given.text if given else None)
    finished.check(0)
    answer = finished.answer() or {}
    name, rows = next(iter(answer["tables"].items()))
    return Table(name, columns_of(rows), rows)


def _told(finished: Finished) -> Finished:
    if finished.interrupted:
        raise Interrupted(None)
    return finished
