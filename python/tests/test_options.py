"""Options are those of the command line."""

import decimal
import fractions
import inspect
import re
import subprocess
import tomllib
from typing import get_args, get_type_hints

import numpy
import pytest

import evens
from evens import _options as options

from .conftest import FIRE

KINDS = {
    "run": options.RunOptions,
    "sweep": options.SweepOptions,
    "effects": options.EffectsOptions,
    "exact": options.ExactOptions,
    "tune": options.TuneOptions,
    "best": options.BestOptions,
    "worth": options.WorthOptions,
    "score": options.ScoreOptions,
    "plan": options.PlanOptions,
    "compare": options.CompareOptions,
    "trace": options.TraceOptions,
    "check": options.CheckOptions,
}

OWN = {"annotations", "json", "format", "quiet", "progress", "color", "help", "shard", "from"}
"""What the package gives itself, and what belongs to jobs of several machines."""


@pytest.mark.parametrize("command", KINDS)
def test_every_flag_is_an_option_and_every_option_a_flag(command: str) -> None:
    told = subprocess.run([evens.program(), command, "--help"], capture_output=True, text=True, check=True).stdout
    flags = set(re.findall(r"^ {2}(?:-\w, | {4})--([a-z-]+)", told, re.MULTILINE)) - OWN
    methods = {"boards", "html"} if command == "trace" else set()
    names = {name.rstrip("_").replace("_", "-") for name in get_type_hints(KINDS[command])}
    assert names == flags - methods


@pytest.mark.parametrize("command", KINDS)
def test_help_and_completion_see_the_options(command: str) -> None:
    seen = inspect.signature(getattr(evens, command)).parameters
    assert set(get_type_hints(KINDS[command])) <= set(seen)


def test_what_is_chosen_from_is_what_the_program_knows() -> None:
    told = subprocess.run([evens.program(), "run", "-h"], capture_output=True, text=True, check=True).stdout
    known = re.search(r"--table <TABLE>.*?\[possible\s+values: (.*?)\]", told, re.DOTALL)
    assert known is not None
    assert get_args(options.RunTable) == tuple(re.split(r",\s+", known[1]))


def test_a_wrong_keyword_is_told_with_the_right_ones() -> None:
    with pytest.raises(
        TypeError, match=r"run\(\) has no option 'batles'\. Did you mean 'battles'\? Valid options: .*seed"
    ):
        evens.run("mirror", batles=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"sweep\(\) has no option 'shard'"):
        evens.sweep("mirror", shard="1/2")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="a value and not True"):
        evens.run("mirror", battles=True, until=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="text or a number and not object"):
        evens.run("mirror", seed=object())  # type: ignore[arg-type]


def test_values_are_written_as_the_command_line_takes_them() -> None:
    words = options.words
    assert words("run", options.RunOptions, {"max_battles": "1M", "full": True, "fresh": False, "unit": None}) == [
        "--max-battles=1M",
        "--full",
    ]
    assert words("run", options.RunOptions, {"table": ["units", "battles"], "only": "pairs"}) == [
        "--table=units",
        "--table=battles",
        "--only=pairs",
    ]
    assert words("run", options.RunOptions, {"checkpoint": True}) == ["--checkpoint"]
    axes = {"mana_caps.0": [24, 30], "rulesets.fixed.0": ["Little League", "Standard"], 'changes."A".health': "+1"}
    assert words("sweep", options.SweepOptions, {"set": axes, "zip": True}) == [
        "--set=mana_caps.0=24,30",
        '--set=rulesets.fixed.0="Little League","Standard"',
        '--set=changes."A".health="+1"',
        "--zip",
    ]
    assert words("sweep", options.SweepOptions, {"set": {"a": [True, 0.5, [1, "x"], {"b": 1}]}}) == [
        '--set=a=true,0.5,[1, "x"],{ "b" = 1 }'
    ]
    assert words("tune", options.TuneOptions, {"target": {"Fire": "55%"}, "at_most": 2.5}) == [
        "--target=Fire=55%",
        "--at-most=2.5",
    ]
    assert words("trace", options.TraceOptions, {"with_": "Pit Ogre"}) == ["--with=Pit Ogre"]


def test_numbers_of_other_libraries_are_numbers() -> None:
    words = options.words
    given = {
        "battles": numpy.int64(100),
        "seed": numpy.uint64(2**64 - 1),
        "max_battles": fractions.Fraction(20),
        "until": numpy.str_("1s"),
        "full": numpy.True_,
        "fresh": numpy.False_,
        "threads": numpy.array(2),
    }
    assert words("run", options.RunOptions, given) == [
        "--battles=100",
        "--seed=18446744073709551615",
        "--max-battles=20.0",
        "--until=1s",
        "--full",
        "--threads=2",
    ]
    assert words("tune", options.TuneOptions, {"at_most": numpy.float32(2.5), "rarest": decimal.Decimal("0.5")}) == [
        "--at-most=2.5",
        "--rarest=0.5",
    ]
    axes = {"a": numpy.arange(2), "b": [numpy.float64(0.5), numpy.int8(1), numpy.True_], "c": numpy.float64(1.5)}
    assert words("sweep", options.SweepOptions, {"set": axes}) == ["--set=a=0,1", "--set=b=0.5,1,true", "--set=c=1.5"]
    for wrong in (numpy.True_, [numpy.True_], [True], numpy.datetime64("2020-05-01"), 1j, object()):
        with pytest.raises(TypeError, match=r"text or a number and not|a value and not True"):
            words("run", options.RunOptions, {"battles": wrong})


def test_numbers_of_numpy_reach_the_program() -> None:
    result = evens.run("mirror", battles=numpy.int64(100), seed=numpy.uint32(7))
    assert (result.provenance.battles_played, result.provenance.seed) == (100, 7)
    scenario = {**tomllib.loads(FIRE), "battles": numpy.int64(30), "mana_caps": numpy.array([24, 30])}
    assert evens.run(scenario).provenance.battles_played == 30


def test_an_axis_of_texts_with_commas_and_of_steps_reaches_the_program() -> None:
    sweep = evens.sweep(
        "splinterlands/sweep-health", set={'changes."Pit Ogre".health': ["+0", "+2"]}, battles=100, seed=5
    )
    assert [row["variant"] for row in sweep["sweep"]] == [0, 0, 1, 1]
    assert sweep.provenance.seed == 5
