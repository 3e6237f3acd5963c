#!/usr/bin/env python3
"""What sharing out costs beyond the work, as a table: CPU time and time on the clock of one command and of its shards.

Measures `evens run`, the same battles as shards one after the other with `evens merge`, and with `evens-ray` on a cluster of
this machine, which it starts and ends. CPU time is that of every process that a measurement began, Ray's own included, by a
control group of their own; where none may be made (that takes root, or a delegated one) it is left out for Ray, which does not
wait for its processes. All of them must write the same bytes. On a machine that others use, go by the CPU time.

    python3 deploy/measure.py                                             # 20 million battles in 8 and in 64 parts
    python3 deploy/measure.py --battles 1000000000 --shards 256 --ways ray   # a billion, played once

Needs `evens` and `evens-ray` in PATH, or --evens and --evens-ray; where there is no evens-ray its rows are left out.
"""

import argparse
import atexit
import contextlib
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
    cpu: float | None
    load: float
    bytes: str


def main() -> int:
    asked = arguments()
    if sys.platform != "linux":
        print("measure.py counts CPU time as Linux does", file=sys.stderr)
        return 1
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    group = Group.joined()
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
            rows.append(measured("`evens run`", folder / "single", group, lambda: run(words)))
        for shards in asked.shards:
            if "shards" in asked.ways:
                out = folder / f"shards-{shards}"
                play = in_turn(evens, command, shards, cores, folder / f"parts-{shards}", out)
                rows.append(measured(f"`--shard` {shards} times in turn, `merge`", out, group, play))
            if "ray" in asked.ways and ray is not None:
                out = folder / f"ray-{shards}"
                words = [ray, *command, "--shards", str(shards), "--local-cpus", str(cores)]
                words += ["--evens", evens, "-o", str(out)]
                what = f"`evens-ray run --shards {shards}`"
                rows.append(measured(what, out, group, lambda words=words: run(words), is_ray=True))
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


class Group:
    """A control group that this process and all that it begins are in, or none."""

    #: Where a group can be made: the unified hierarchy, the same beside others, and the accounting of the older kind; with the
    #: file that has the CPU time, the line's first word and its unit.
    KINDS = (
        ("/sys/fs/cgroup", "cpu.stat", "usage_usec", 1e-6),
        ("/sys/fs/cgroup/unified", "cpu.stat", "usage_usec", 1e-6),
        ("/sys/fs/cgroup/cpuacct", "cpuacct.usage", "", 1e-9),
    )

    def __init__(self, file: Path | None = None, word: str = "", unit: float = 0.0) -> None:
        self.file, self.word, self.unit = file, word, unit

    @classmethod
    def joined(cls) -> "Group":
        """Makes one and joins it; it is removed at the end of this process, once nothing is in it."""
        for place, file, word, unit in cls.KINDS:
            parent, folder = Path(place), Path(place) / f"evens-measure-{os.getpid()}"
            try:
                folder.mkdir()
                if not (folder / file).exists():
                    folder.rmdir()
                    continue
                (folder / "cgroup.procs").write_text(str(os.getpid()))
            except OSError:
                continue
            atexit.register(cls.leave, parent, folder)
            return cls(folder / file, word, unit)
        return cls()

    @staticmethod
    def leave(parent: Path, folder: Path) -> None:
        """Goes back to where groups are made."""
        with contextlib.suppress(OSError):
            (parent / "cgroup.procs").write_text(str(os.getpid()))
            folder.rmdir()

    def spent(self) -> float | None:
        """Seconds of CPU of everything that ever was in it."""
        if self.file is None:
            return None
        lines = [line.split() for line in self.file.read_text().splitlines()]
        return next(int(words[-1]) * self.unit for words in lines if not self.word or words[0] == self.word)


def measured(what: str, out: Path, group: Group, play: Callable[[], None], *, is_ray: bool = False) -> Row:
    """What something takes, and a hash of what it writes."""
    load, before, waited, began = os.getloadavg()[0], group.spent(), spent(), time.monotonic()
    play()
    clock = time.monotonic() - began
    reap()
    files = hashlib.sha256()
    for path in sorted(path for path in out.iterdir() if path.is_file()):
        files.update(path.name.encode() + b"\0" + path.read_bytes())
    after = group.spent()
    cpu = spent() - waited if after is None or before is None else after - before
    return Row(what, clock, None if after is None and is_ray else cpu, load, files.hexdigest())


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
        clock, cpu = f"{row.clock:.1f} | ", "" if row.cpu is None else f"{row.cpu:.1f}"
        if first is not None and row is not first:
            clock += f"{row.clock / first.clock - 1:+.1%}"
            cpu += " | " + ("" if row.cpu is None or not first.cpu else f"{row.cpu / first.cpu - 1:+.1%}")
        else:
            cpu += " | "
        print(f"| {row.what} | {clock} | {cpu} | {row.load:.1f} |")


if __name__ == "__main__":
    sys.exit(main())
