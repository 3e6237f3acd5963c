"""The options of each command: those of the command line, under the same names.

A flag `--max-battles` is the keyword `max_battles`; `--with`, which is a word of Python's own, is `with_`. Flags that
say how results are printed (`--json`, `--format`, `--quiet`, `--progress`, `--color`, `--annotations`) are given by
this package; `--shard` (with `--from`) belongs to jobs of several machines and to the command line.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, SupportsFloat, SupportsIndex, TypedDict, TypeVar, get_type_hints

from ._files import path_word
from ._plain import plain, plain_within

Whole = int | SupportsIndex
"""A whole number, such as an `int` or one of NumPy's."""

Count = Whole | str
"""A number, or one as people write it: `1_000_000`, `"1M"`."""

Number = float | SupportsFloat
"""A number, such as a `float` or one of NumPy's."""

FilePath = str | os.PathLike[str]
"""A path of a file or a folder."""

Measure = Literal["score", "wins", "decided"]
"""What comparisons count: wins and an equal share of what nobody won, wins per battle, or wins per decided battle."""

Some = str | Sequence[str]
"""One or several."""

RunTable = Literal[
    "outcomes",
    "rulesets",
    "orders",
    "order_effects",
    "field",
    "units",
    "units_by_ruleset",
    "unit_pairs",
    "unit_pairs_by_ruleset",
    "activity",
    "battles",
]
"""A table of `run`."""

BestTable = Literal[
    "best_line_ups",
    "best_choices",
    "metagame",
    "metagame_matchups",
    "metagame_choices",
    "metagame_rulesets",
]
"""A table of `best`."""

ScoreTable = Literal["scores", "tests", "calibration", "forecasts"]
"""A table of `score`."""

Axes = Mapping[str, Any] | Some
"""What to vary: `{"mana_caps.0": [24, 30]}`, or as on the command line, `"mana_caps.0=24,30"`."""


class _Allowed(TypedDict, total=False):
    allow_outside: bool
    """Let the scenario name files that are not below its folder: for scenarios that you trust."""


class _Threads(_Allowed, total=False):
    threads: Whole
    """Threads to play on; 0 is one for every core. Results do not depend on it."""


class _Played(_Threads, total=False):
    seed: Whole
    """The master seed, instead of the scenario's."""


class _Written(TypedDict, total=False):
    output: FilePath
    """A folder that keeps the tables as Parquet files, as `-o` does, until another run is written there; left out they
    are deleted with the result. An address in an object store (`s3://BUCKET/KEY`) is not read again."""
    partition: bool
    """Share the folder among runs: each table goes to `TABLE/scenario=NAME/seed=N/part-RUN.parquet` in it."""
    replace_complete: bool
    """Let partial results take the place of complete ones in the folder, instead of going to `partial` in it."""


class _Reported(_Written, total=False):
    report: FilePath
    """Also write the results as one HTML page to this file; `result.report(path)` does so afterwards."""


class _Kept(TypedDict, total=False):
    checkpoint: FilePath | bool
    """Keep what was counted in this folder, so that the same call goes on where it was ended."""
    checkpoint_every: Whole
    """How many seconds to let pass between checkpoints."""
    fresh: bool
    """Begin anew and forget what was kept."""


class RunOptions(_Played, _Reported, _Kept, total=False):
    """The options of `run`."""

    battles: Count
    """How many battles to play, instead of what the scenario says."""
    until: str
    """Play until there is evidence enough, or for so long: `margin=0.2pp`, `ci=0.2pp`, `sprt(-1pp,1pp)`, `30s`."""
    max_battles: Count
    """With `until`: end after so many battles in any case."""
    measure: Measure
    """What comparisons count."""
    table: RunTable | Sequence[RunTable]
    """The tables to fill, instead of those that the scenario names."""
    full: bool
    """The page has every section and not the answer alone."""
    only: Some
    """Sections of the page after the answer."""
    unit: Some
    """Units of which the page tells everything that is known."""
    standings: bool
    """Progress shows how every contender stands."""


class SweepOptions(_Played, _Reported, _Kept, total=False):
    """The options of `sweep`."""

    set: Axes
    """Axes to vary, added to those of the scenario."""
    zip: bool
    """Combine the first values of all axes, then the second ones, and so on, instead of a full grid."""
    battles: Count
    """How many battles to play per variant."""
    allocation: Literal["proportional", "neyman"]
    """How battles are allocated to strata."""
    measure: Measure
    """What comparisons count."""


class EffectsOptions(_Played, _Reported, _Kept, total=False):
    """The options of `effects`."""

    battles: Count
    """How many battles to play under each ruleset and pair."""
    order: str
    """Instead of rulesets: force this order, such as `first-turn`."""
    measure: Measure
    """What comparisons count."""
    table: Literal["ruleset_effects", "unit_effects"]
    """Compute only this table instead of both."""


class WorthOptions(_Played, _Reported, _Kept, total=False):
    """The options of `worth`."""

    battles: Count
    """How many battles to play: a model is fitted to one half and tested on the other."""
    line_ups: Literal["own", "drawn"]
    """Where line-ups come from: the scenario, or drawn at random such as its contenders could bring."""
    unit: Some
    """Replace these units in the same battles, instead of those that head the impact list."""
    replace: Whole
    """Replace so many units that head the impact list."""
    kind: str
    """Tell of units of this kind alone, such as `summoner`."""
    table: Literal["worth", "impact", "replacements"]
    """Compute only this table instead of all three."""


class ExactOptions(_Threads, _Reported, total=False):
    """The options of `exact`."""

    states: Count
    """The most distinct states at once: bounds memory."""
    ways: Count
    """The most ways through a round in all: bounds time."""
    rounds: Whole
    """The most rounds of a battle."""
    measure: Measure
    """What is scored."""
    table: Literal["exact", "exact_orders"] | Sequence[Literal["exact", "exact_orders"]]
    """Only this table instead of both."""


class TuneOptions(_Played, _Reported, _Kept, total=False):
    """The options of `tune`."""

    even: str
    """Who should be even: `contenders`, `matchups`, a kind of unit such as `summoner`; with `stats` also `factions`."""
    target: Mapping[str, str] | Some
    """Scores other than even: `{"Fire": "55%"}`, or as on the command line, `"Fire=55%"`."""
    targets: FilePath
    """Such scores from a TOML file."""
    measure: Measure
    """What counts."""
    objective: Literal["squares", "largest"]
    """What to make small: the sum of all squared leads, or the largest lead."""
    within: str
    """How near to its target is even: `1pp`."""
    at_most: Number
    """How many times larger or smaller than it is a weight, or with `stats` a number, may become."""
    bounds: str
    """The lowest and the highest weight: `0.25..4`."""
    pin: Some
    """What keeps its weight."""
    price: Some
    """What moving costs: doubling or halving one weight is as bad as a lead of so many points; with `stats` what a
    point of a number costs, `mana=3`."""
    rarest: Number
    """The smallest share of the battles, in percent, for anything whose weight is not 0."""
    battles: Count
    """How many battles to fit the weights to; with `stats` how many each variant plays."""
    confirm: Count
    """How many fresh battles to confirm the weights, or each patch, with."""
    stats: bool
    """Find the fewest and smallest changes of numbers of cards instead of weights."""
    only: Some
    """With `stats`: nothing but this changes, such as `Pit Ogre.health`."""
    not_: Some
    """With `stats`: a card that is not touched."""
    range: Some
    """With `stats`: what a number may be, `health=2..9`."""
    edits: Count
    """With `stats`: how many numbers may be other at most."""
    weights: bool
    """With `stats`: then find the weights that are best with the patch."""
    tell: str
    """With `stats`: tell what else moves by more than this, `2pp`."""
    notes: FilePath
    """With `stats`: where to write patch notes, as Markdown."""
    changes: FilePath
    """With `stats`: where to write the lines of `[changes]`."""
    write_scenario: FilePath
    """With `stats`: where to write the scenario with the patch in it."""


class BestOptions(_Played, _Reported, total=False):
    """The options of `best`."""

    for_: str
    """Whose line-ups: who has the seats, rules and player of this contender."""
    against: Some
    """Whom they are measured against."""
    keep: Some
    """What every line-up has."""
    candidates: Some
    """What line-ups may be made of: names, or files with a name a line."""
    given: FilePath
    """A file of line-ups, one a line, that the answer is never worse than."""
    top: Whole
    """How many line-ups to show."""
    metagame: bool
    """Look for what holds against these."""
    epsilon: str
    """With `metagame`: what a line-up must gain against the mix to be added: `1pp`."""
    set: Axes
    """What of the scenario is other than in its file; one value for each path."""
    battles: Count
    """How many battles to play in all."""
    until: str
    """Play as many battles as take about this long: `30s`."""
    table: BestTable | Sequence[BestTable]
    """Only these tables instead of all."""


class ScoreOptions(_Played, _Written, _Kept, total=False):
    """The options of `score`."""

    cards: FilePath
    """The cards of the time: an official card file, or a catalogue."""
    known_only: bool
    """Skip battles with unknown cards, abilities or rulesets."""
    strict: bool
    """Treat surrendered battles, and others without both teams, as faults instead of skipping them."""
    runs: Count
    """How many times to simulate each battle."""
    turn_ties: Literal["even", "official"]
    """How ties in the turn order are broken."""
    table: ScoreTable | Sequence[ScoreTable]
    """Only these tables instead of all."""


class PlanOptions(_Played, total=False):
    """The options of `plan`."""

    detect: str
    """How many battles it takes to find a difference of this size: `1pp`."""
    margin: str
    """How many battles it takes until intervals reach this far to either side: `0.2pp`."""
    battles: Count
    """What so many battles can see."""
    comparison: Literal["score", "contenders", "rulesets", "units", "change"]
    """What is compared."""
    measure: Measure
    """What comparisons count."""
    power: str
    """How often a difference of that size shall be found: `80%`."""
    confidence: str
    """The confidence of the intervals: `95%`."""
    pilot: Count
    """How many battles to play in order to learn how much they vary."""


class CompareOptions(_Played, _Reported, total=False):
    """The options of `compare`."""

    tolerance: str
    """The smallest change of a score that counts: `0.5pp`."""
    alarm_rate: str
    """The share of reports with any false alarm when nothing has changed, at most: `1%`."""
    measure: Measure
    """What comparisons count."""
    summary: FilePath
    """Also write the report as Markdown to this file."""
    junit: FilePath
    """Also write the comparisons as JUnit XML to this file, one test case each."""
    scenario: FilePath
    """Of two card files: the scenario whose battles are played with the cards of each."""
    battles: Count
    """Of two card files: how many battles to play with each."""


class TraceOptions(_Allowed, total=False):
    """The options of `trace`; one of `battle`, `battle_seed` and `pick` says which battle."""

    battle: Whole
    """Which battle, counted from 0 as in the `battles` table."""
    battle_seed: Whole
    """The battle with this seed of its own, as in the `battles` table."""
    pick: Literal["win", "loss", "draw", "typical", "longest"]
    """A battle worth reading."""
    side: str
    """With `pick`: the side that wins or loses, and that has the card; without it whichever has it."""
    with_: str
    """With `pick`: a battle in which the side has this card, summoner or minion."""
    ruleset: str
    """With `pick`: a battle with this ruleset."""
    matchup: str
    """With `pick`: a battle of this match-up, such as `A vs B`."""
    among: Whole
    """With `pick`: look at so many battles, the first of the run."""
    seed: Whole
    """The master seed, instead of the scenario's."""


class CheckOptions(_Allowed, total=False):
    """The options of `check`."""


def words(command: str, kind: type, options: Mapping[str, Any]) -> list[str]:
    """The flags of a command line.

    Raises:
        TypeError: There is no such option, or its value is of no use.
    """
    valid = get_type_hints(kind)
    flags: list[str] = []
    for name, value in options.items():
        if name not in valid:
            raise TypeError(_unknown(command, name, valid))
        value = plain(value)
        if value is None or value is False:
            continue
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            if bool not in _alternatives(valid[name]):
                raise TypeError(f"{command}() option {name!r}: a value and not True")
            flags.append(flag)
        elif isinstance(value, Mapping):
            flags += [f"{flag}={key}={_setting(name, what)}" for key, what in value.items()]
        else:
            several = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
            flags += [f"{flag}={_text(command, name, one)}" for one in (value if several else [value])]
    return flags


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return getattr(hint, "__args__", ()) or (hint,)


def _unknown(command: str, name: str, valid: Mapping[str, Any]) -> str:
    import difflib

    near = difflib.get_close_matches(name, valid, n=1, cutoff=0.6)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"{command}() has no option {name!r}.{meant} Valid options: {', '.join(sorted(valid))}, progress"


def _text(command: str, name: str, value: object) -> str:
    value = plain(value)
    if isinstance(value, os.PathLike):
        return path_word(value)
    if isinstance(value, str):
        # A member of an enumeration of texts prints as its name.
        return str.__str__(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"{command}() option {name!r}: text or a number and not {type(value).__name__}")


def _setting(name: str, value: object) -> str:
    """What an axis takes, one value after the other, as TOML; or a target."""
    value = plain_within(value)
    if name != "set":
        return str(value)
    several = isinstance(value, Sequence) and not isinstance(value, str)
    return ",".join(map(_toml, value if several and isinstance(value, Sequence) else [value]))


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(what)}" for key, what in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, (bool, str)):
        # TOML's basic strings, and its truth values, are those of JSON.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(
        f"a value to vary is text, a number, a truth value, a list or a table, and not {type(value).__name__}"
    )


Function = TypeVar("Function", bound=Callable[..., Any])


def takes(kind: type) -> Callable[[Function], Function]:
    """Lets `help()`, and completion in notebooks, see a function's options as keywords."""

    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        plain = [of for of in signature.parameters.values() if of.kind is not inspect.Parameter.VAR_KEYWORD]
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            for name, hint in get_type_hints(kind).items()
        ]
        function.__signature__ = signature.replace(parameters=plain + options)  # type: ignore[attr-defined]
        return function

    return show
