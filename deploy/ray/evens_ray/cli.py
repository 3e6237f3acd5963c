"""`evens-ray`: plays a command of `evens` on a Ray cluster."""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Protocol

from . import job as jobs
from . import merging
from .failure import Exit, Failure
from .job import Job
from .partial import Header
from .progress import Progress
from .scheduler import Policy, Scheduler, Workers
from .shelf import Shelf
from .waves import Waves
from .work import GIVEN, Played, Shipped, Task

_EXAMPLES = """\
The scenario comes right after the command. Flags that are not listed here go to `evens` as they are (--battles, --seed,
--set, --order, --measure, --table, ...).

  evens-ray run my.toml --shards 64 --battles 1000000000 -o results
  evens-ray sweep my.toml --set mana_caps.0=24,30 -o results --format csv
  evens-ray tune splinterlands/archetypes --shards 16 -o results
  evens-ray effects splinterlands/drawn-teams --order first-turn --shards 16
  RAY_ADDRESS=head:6379 evens-ray run my.toml --shards 1000 --keep parts -o results

Exit codes are those of evens: 0 success, 1 something unexpected, 2 a wrong command line, 3 faults in an input,
5 ended early: finished shards are kept, and the same command goes on.
"""


class Cluster(Workers, Protocol):
    """Workers that can be given more than they began with."""

    def give(self, files: dict[str, bytes]) -> None:
        """Sends these files as well with the parts that begin from now on."""


def parser() -> argparse.ArgumentParser:
    """The flags that are decided here."""
    told = argparse.ArgumentParser(
        prog="evens-ray",
        description="Plays the shards of an evens command on a Ray cluster, and ends as the single command would have.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    told.add_argument("command", choices=jobs.COMMANDS)
    told.add_argument("inputs", nargs="+", metavar="SCENARIO", help="a scenario (for score: files of results)")
    add = told.add_argument_group("how it is shared out").add_argument
    add(
        "--shards",
        type=_from(1),
        metavar="N",
        help="how many parts [default: 4 for each that runs at a time]",
    )
    add("--cpus-per-shard", type=_from(1), default=1, metavar="N", help="threads of each part [default: 1]")
    add(
        "--first",
        type=_from(1),
        default=100_000,
        metavar="N",
        help="with --until: battles of the first part",
    )
    add(
        "--least",
        type=_from(1),
        default=20_000,
        metavar="N",
        help="with --until: battles of later parts, at least",
    )
    add(
        "--attempts",
        type=_from(1),
        default=5,
        metavar="N",
        help="how often a part may be lost or fail [default: 5]",
    )
    add(
        "--straggler-factor",
        type=float,
        default=2.0,
        metavar="F",
        help="a part is played twice when it takes so many times as long as most [default: 2]",
    )
    add(
        "--straggler-seconds",
        type=float,
        default=10.0,
        metavar="S",
        help="but not before so long [default: 10]",
    )
    add("--fan-in", type=_from(2), default=32, metavar="N", help="the most parts in one merger [default: 32]")
    add = told.add_argument_group("where it is played").add_argument
    add(
        "--address",
        metavar="HOST:PORT",
        help="the cluster [default: RAY_ADDRESS, or a new one on this machine]",
    )
    add("--local-cpus", type=_from(1), metavar="N", help="how many cores a new cluster on this machine uses")
    add(
        "--evens",
        metavar="FILE",
        help="the program, which is sent to the workers [default: EVENS, or evens in PATH]",
    )
    add("--evens-on-nodes", metavar="FILE", help="the nodes have the program there already: send nothing")
    add = told.add_argument_group("what is kept").add_argument
    add(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep finished parts there for good [default: OUTPUT/shards, until done]",
    )
    add("--fresh", action="store_true", help="begin anew, and forget what was kept")
    add = told.add_argument_group("the results, as with `evens`").add_argument
    add("-o", "--output", metavar="FOLDER")
    add("--format", metavar="FORMAT")
    add("--replace-complete", action="store_true")
    add("--full", action="store_true")
    add("--only", action="append", default=[], metavar="SECTION")
    add("--cards", metavar="FILE", help="score: the card file")
    add("-q", "--quiet", action="store_true", help="no progress and no page")
    return told


def _from(least: int) -> Callable[[str], int]:
    """Reads a whole number that is at least so large."""

    def number(text: str) -> int:
        read = int(text)
        if read < least:
            raise argparse.ArgumentTypeError(f"a number from {least} on")
        return read

    return number


def main(words: list[str] | None = None) -> int:
    """Does what the command line says and gives the exit code."""
    asked, flags = parser().parse_known_args(words)
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return _main(asked, flags)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        kept = (
            "finished shards are kept, and the same command goes on" if _kept(asked) else "nothing was kept: say --keep"
        )
        print(f"ended early: {kept}", file=sys.stderr)
        return Exit.INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _kept(asked: argparse.Namespace) -> Path | None:
    """The folder that finished parts are kept in."""
    if asked.keep:
        return Path(asked.keep)
    if asked.output and asked.output != "-" and not asked.output.startswith("s3://"):
        return Path(asked.output) / "shards"
    return None


def program(path: str | None) -> Path:
    """The program on this machine, which adds parts up.

    The one that is named, else the one that the wheel `evens` has put beside this Python, whether or not its
    environment is active, else the first in `PATH`.
    """
    named = path or os.environ.get("EVENS")
    name = named or "evens"
    beside = None if named else shutil.which(name, path=sysconfig.get_path("scripts"))
    found = beside or shutil.which(name)
    if found is None:
        raise Failure(f"there is no program {name}: say where it is with --evens FILE", Exit.USAGE)
    return Path(found).resolve()


def _main(asked: argparse.Namespace, flags: list[str]) -> int:
    job = jobs.read(asked.command, asked.inputs, asked.cards, flags)
    here = program(asked.evens)
    content = here.read_bytes()
    with tempfile.TemporaryDirectory(prefix="evens-ray-") as scratch:
        kept = _kept(asked)
        folder = kept or Path(scratch) / "shards"
        _refuse_flags_of_others(asked)
        from .cluster import RayWorkers, connect, disconnect

        shelf = None
        connect(asked.address, asked.local_cpus)
        # Ray has put a handler of its own into the place of ours.
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            sha256 = hashlib.sha256(content).hexdigest()
            on_nodes = asked.evens_on_nodes
            shipped = Shipped(job.files, "" if on_nodes else sha256, on_nodes or "")
            workers = RayWorkers(shipped, None if on_nodes else content, asked.cpus_per_shard)
            shards = "until" if job.until else str(asked.shards or _shards_kept(folder) or 4 * max(1, workers.slots()))
            shelf = Shelf(folder, job.identity(shards, sha256), asked.fresh)
            play = _play_waves if job.until else _play_shards
            try:
                parts = play(job, asked, shelf, workers, str(here), Path(scratch))
            finally:
                workers.leave()
            disconnect()
            code = _finish(job, asked, str(here), parts, Path(scratch))
            if code == Exit.SUCCESS and not asked.keep:
                shelf.remove()
            return code
        finally:
            disconnect()
            if shelf is not None:
                shelf.close()


def _refuse_flags_of_others(asked: argparse.Namespace) -> None:
    if asked.command != "run" and (asked.full or asked.only):
        raise Failure("--full and --only are flags of run", Exit.USAGE)
    if asked.straggler_factor < 1:
        raise Failure("--straggler-factor: a number from 1 on", Exit.USAGE)


def _shards_kept(folder: Path) -> int | None:
    """How many parts an earlier command fell into."""
    try:
        return int(json.loads((folder / "job.json").read_text())["shards"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _policy(asked: argparse.Namespace) -> Policy:
    return Policy(asked.attempts, asked.straggler_factor, asked.straggler_seconds)


def _where(job: Job) -> list[str]:
    """The flags that tell a merger where the inputs are on this machine."""
    inputs = [word for path in job.inputs for word in ("--scenario", path)]
    return inputs + (["--cards", job.cards] if job.cards else [])


def _play_shards(
    job: Job, asked: argparse.Namespace, shelf: Shelf, workers: Cluster, program: str, scratch: Path
) -> list[Path]:
    """Plays the parts that are missing, a play after the other, and gives all of the last one."""
    of, play = _shards_kept(shelf.folder) or 1, 1
    while True:
        tasks = job.equal_shards(of, asked.cpus_per_shard, play)
        parts = [shelf.path(task.name) for task in tasks]
        header = _play_tasks(tasks, asked, shelf, workers)
        if header is None or header.known >= len(header.plays):
            return parts
        if not asked.quiet:
            print(f"{header.plays[play - 1]} is played: {header.plays[play]} follows", file=sys.stderr)
        # What comes next depends on all of it, so everybody is given the sum.
        into = scratch / f"play-{play}"
        few = merging.tree(program, parts, scratch / f"merging-{play}", _where(job), asked.fan_in)
        merging.merge_into(program, few, into, _where(job))
        workers.give({f"{GIVEN}/{path.name}": path.read_bytes() for path in into.glob("*.partial")})
        play += 1


def _play_tasks(tasks: list[Task], asked: argparse.Namespace, shelf: Shelf, workers: Workers) -> Header | None:
    """Plays those of them that are missing, and gives what one of them says of itself."""
    there = [header for task in tasks if (header := shelf.has(task.name)) is not None]
    missing = [task for task in tasks if shelf.has(task.name) is None]
    progress = Progress(len(tasks), asked.quiet)
    progress.kept = len(tasks) - len(missing)
    if progress.kept:
        progress.tell(f"going on: {progress.kept} of {len(tasks)} shards are in {shelf.folder}")

    def done(task: Task, played: Played) -> None:
        there.append(shelf.take(task.name, played.files, played.seconds))

    scheduler = Scheduler(workers, _policy(asked), done, progress.show, progress.tell)
    scheduler.add(missing)
    _run(scheduler, progress, f"{len(tasks)} shards")
    return there[0] if there else None


def _play_waves(
    job: Job, asked: argparse.Namespace, shelf: Shelf, workers: Cluster, program: str, _scratch: Path
) -> list[Path]:
    """Plays until a stopping rule is satisfied."""
    progress = Progress(None, asked.quiet)
    waves = Waves(job, shelf, program, _where(job), asked.cpus_per_shard, asked.first, asked.least)
    waves.take_up()
    if waves.reached:
        progress.tell(f"going on from {waves.reached:,} battles in {shelf.folder}")

    def done(task: Task, played: Played) -> None:
        header: Header = shelf.take(task.name, played.files, played.seconds)
        waves.took(task.name, header)
        progress.note = f"{waves.reached:,} battles up to the last look"
        if waves.over:
            scheduler.stop()
        scheduler.add(waves.next(workers.slots(), scheduler.outstanding))

    scheduler = Scheduler(workers, _policy(asked), done, progress.show, progress.tell)
    scheduler.add(waves.next(workers.slots(), 0))
    _run(scheduler, progress, f"{waves.looks} looks")
    return waves.sum


def _run(scheduler: Scheduler, progress: Progress, what: str) -> None:
    try:
        counts = scheduler.run()
    finally:
        progress.finish()
    if counts.retried or counts.duplicated:
        progress.tell(f"{what}: {counts.retried} played again after a failure, {counts.duplicated} played twice")


def _finish(job: Job, asked: argparse.Namespace, program: str, parts: list[Path], scratch: Path) -> int:
    """Adds all parts up and ends as the single command."""
    where = _where(job)
    parts = merging.tree(program, parts, scratch, where, asked.fan_in)
    words = [program, "merge", *map(str, parts), *where]
    for name, value in [("-o", asked.output), ("--format", asked.format)]:
        words += [name, value] if value else []
    for name in ("--replace-complete", "--full", "--quiet"):
        words += [name] if getattr(asked, name[2:].replace("-", "_")) else []
    words += [word for section in asked.only for word in ("--only", section)]
    return subprocess.run(words, stdin=subprocess.DEVNULL).returncode
