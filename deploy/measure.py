#!/usr/bin/env python3
"""What sharing out costs beyond the work, as a table: CPU time and time on the clock of one command and of its shards.

Measures `evens run`, the same battles as shards one after the other with `evens merge`, and with `evens-ray` on a cluster of
this machine, which it starts and ends. CPU time is that of every process that a measurement began, Ray's own included.
All of them must write the same bytes. On a machine that others use, go by the CPU time.

    python3 deploy/measure.py                                             # 20 million battles in 8 and in 64 parts
    python3 deploy/measure.py --battles 1000000000 --shards 256 --ways ray   # a billion, played once

Needs `evens` and `evens-ray` in PATH, or --evens and --evens-ray; where there is no evens-ray its rows are left out.
"""

import argparse
import ctypes
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Processes whose parent has ended become children of this one, so that their CPU time is counted (prctl(2)).
PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Row:
    """One measurement."""

    what: str
    clock: float
    cpu: float
    load: float
    bytes: str


def main() -> int:
    asked = arguments()
    if sys.platform != "linux":
        print("measure.py counts CPU time as Linux does", file=sys.stderr)
        return 1
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    evens, ray = shutil.which(asked.evens), shutil.which(asked.evens_ray)
    if evens is None:
        print(f"there is no program {asked.evens}: say where it is with --evens FILE", file=sys.stderr)
        return 2
    command = ["run", asked.scenario, "--battles", str(asked.battles), "--format", "csv", "-q"]
    cores = asked.cores or os.cpu_count() or 1
    rows = []
    with tempfile.TemporaryDirectory(prefix="evens-measure-", dir=asked.folder) as name:
        folder = Path(name)
        if "single" in asked.ways:
            words = [evens, *command, "--threads", str(cores), "-o", str(folder / "single")]
            rows.append(measured("`evens run`", folder / "single", lambda: run(words)))
        for shards in asked.shards:
            if "shards" in asked.ways:
                out = folder / f"shards-{shards}"
                play = in_turn(evens, command, shards, cores, folder / f"parts-{shards}", out)
                rows.append(measured(f"`--shard` {shards} times in turn, `merge`", out, play))
            if "ray" in asked.ways and ray is not None:
                out = folder / f"ray-{shards}"
                words = [ray, *command, "--shards", str(shards), "--local-cpus", str(cores)]
                words += ["--evens", evens, "-o", str(out)]
                rows.append(measured(f"`evens-ray run --shards {shards}`", out, lambda words=words: run(words)))
    if "ray" in asked.ways and ray is None:
        print(f"there is no program {asked.evens_ray}: not measured", file=sys.stderr)
    show(asked, cores, rows)
    if len({row.bytes for row in rows}) > 1:
        print("NOT the same bytes", file=sys.stderr)
        return 1
    return 0


def arguments() -> argparse.Namespace:
    """The command line."""
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--scenario", default="splinterlands/drawn-teams")
    told.add_argument("--battles", type=int, default=20_000_000)
    told.add_argument("--shards", type=int, nargs="+", default=[8, 64])
    told.add_argument("--ways", nargs="+", choices=["single", "shards", "ray"], default=["single", "shards", "ray"])
    told.add_argument("--cores", type=int, help="threads, and cores of the cluster [default: all]")
    told.add_argument("--evens", default="evens", metavar="FILE")
    told.add_argument("--evens-ray", default="evens-ray", metavar="FILE")
    told.add_argument("--folder", help="where results go for a while [default: that for temporary files]")
    return told.parse_args()


def run(words: list[str]) -> None:
    """Runs a program that has to succeed."""
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, env=environment)


def in_turn(evens: str, command: list[str], shards: int, cores: int, parts: Path, out: Path) -> Callable[[], None]:
    """Plays one shard after the other, each on all cores, and adds them up."""
    plain = [word for word in command if word not in ("--format", "csv")]

    def play() -> None:
        for at in range(1, shards + 1):
            run([evens, *plain, "--shard", f"{at}/{shards}", "--threads", str(cores), "-o", str(parts)])
        run([evens, "merge", str(parts), "--format", "csv", "-q", "-o", str(out)])

    return play


def measured(what: str, out: Path, play: Callable[[], None]) -> Row:
    """What something takes, and a hash of what it writes."""
    load, before, began = os.getloadavg()[0], spent(), time.monotonic()
    play()
    clock = time.monotonic() - began
    reap()
    files = hashlib.sha256()
    for path in sorted(path for path in out.iterdir() if path.is_file()):
        files.update(path.name.encode() + b"\0" + path.read_bytes())
    return Row(what, clock, spent() - before, load, files.hexdigest())


def spent() -> float:
    """Seconds of CPU of all processes that this one has waited for, and of those that they have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reap(limit: float = 60.0) -> None:
    """Waits for everything that was begun, such as Ray's processes after their driver."""
    until = time.monotonic() + limit
    while time.monotonic() < until:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return
    print("some processes have not ended: their CPU time is not counted", file=sys.stderr)


def show(asked: argparse.Namespace, cores: int, rows: list[Row]) -> None:
    """Prints the table."""
    print(f"{asked.battles:,} battles of `{asked.scenario}` on {cores} cores:\n")
    print("| how | seconds on the clock | more | seconds of CPU | more | load of the machine as it began |")
    print("|---|---|---|---|---|---|")
    first = rows[0] if rows else None
    for row in rows:
        more = ["", ""]
        if first is not None and row is not first:
            more = [f"{now / then - 1:+.1%}" for now, then in [(row.clock, first.clock), (row.cpu, first.cpu)]]
        print(f"| {row.what} | {row.clock:.1f} | {more[0]} | {row.cpu:.1f} | {more[1]} | {row.load:.1f} |")


if __name__ == "__main__":
    sys.exit(main())
