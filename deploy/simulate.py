#!/usr/bin/env python3
"""A trillion battles on a thousand machines, on paper: the scheduler of evens-ray with a clock that is only counted.

Task times are those of a real run (`times.csv` in the folder of --keep), scaled to the size of a shard; nodes fail and come
back, some tasks take ten times as long, and messages take a moment. The same arguments give the same figures. The time
for sending and merging partial results is counted from the sizes and times that are measured in docs/scale.md.

    python3 deploy/simulate.py [--times FILE] [--battles N] [--shards N] [--nodes N] [--cores N] [--seed N]
"""

import argparse
import heapq
import random
import statistics
import sys
from collections.abc import Hashable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "ray"))

from evens_ray.merging import levels
from evens_ray.scheduler import Lost, Policy, Scheduler
from evens_ray.work import Played, Task

HERE = Path(__file__).parent


class Simulated:
    """Nodes of some cores on which tasks take as long as dice say."""

    def __init__(self, asked: argparse.Namespace, factors: list[float]) -> None:
        self.now = 0.0
        self.busy = 0.0
        self.failures = 0
        self._asked = asked
        self._factors = factors
        self._dice = random.Random(asked.seed)
        self._count = 0
        #: What will happen: when, a number that keeps the order, what, and whom.
        self._events: list[tuple[float, int, str, int]] = []
        self._running: dict[int, tuple[int, float]] = {}
        self._up = [True] * asked.nodes
        self._free = [asked.cores] * asked.nodes
        for node in range(asked.nodes):
            self._plan(self._dice.expovariate(1 / asked.mean_days_to_failure / 86_400), "fails", node)

    def _plan(self, after: float, what: str, whom: int) -> None:
        self._count += 1
        heapq.heappush(self._events, (self.now + after, self._count, what, whom))

    def slots(self) -> int:
        return self._asked.cores * sum(self._up)

    def start(self, task: Task) -> Hashable:
        node = max(range(len(self._free)), key=lambda node: self._free[node] if self._up[node] else -1)
        seconds = task.size / self._asked.speed * self._dice.choice(self._factors)
        if self._dice.random() < self._asked.stragglers:
            seconds *= 10
        self._count += 1
        handle = self._count
        self._free[node] -= 1
        self._running[handle] = (node, self.now)
        # The driver hands out one task after another.
        self.now += self._asked.hand_out
        self._plan(self._asked.latency + seconds, "ends", handle)
        return handle

    def wait(self, handles: list[Hashable], seconds: float) -> list[tuple[Hashable, Played | Lost]]:
        while self._events:
            at, _, what, whom = heapq.heappop(self._events)
            self.now = max(self.now, at)
            if what == "ends" and whom in self._running:
                self._release(whom)
                return [(whom, Played(0, {}, "", 0.0))]
            if what == "fails":
                self.failures += 1
                self._up[whom] = False
                self._plan(self._asked.minutes_down * 60, "returns", whom)
                lost = [handle for handle, (node, _) in self._running.items() if node == whom]
                for handle in lost:
                    self._release(handle)
                if lost:
                    # It takes a while until anybody notices.
                    self.now += self._asked.latency
                    return [(handle, Lost("the node failed")) for handle in lost]
            if what == "returns":
                self._up[whom] = True
                self._plan(self._dice.expovariate(1 / self._asked.mean_days_to_failure / 86_400), "fails", whom)
                return []
        return []

    def _release(self, handle: int) -> None:
        node, began = self._running.pop(handle)
        self._free[node] += 1
        self.busy += self.now - began

    def cancel(self, handle: Hashable) -> None:
        assert isinstance(handle, int)
        if handle in self._running:
            self._release(handle)


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = told.add_argument
    add("--times", type=Path, default=HERE / "recorded-times.csv", help="seconds of each task of a real run")
    add("--battles", type=int, default=1_000_000_000_000)
    add("--shards", type=int, default=32_000)
    add("--nodes", type=int, default=1_000)
    add("--cores", type=int, default=4)
    add("--speed", type=float, default=130_000.0, help="battles a second on one core")
    add("--stragglers", type=float, default=0.005, help="the share of tasks that take ten times as long")
    add("--mean-days-to-failure", type=float, default=2.0, help="of each node (spot machines; others: 100)")
    add("--minutes-down", type=float, default=10.0, help="until a failed node is replaced")
    add("--latency", type=float, default=0.1, help="seconds from handing out a task to its start, and back")
    add("--hand-out", type=float, default=0.001, help="seconds that the driver takes for each task")
    add("--no-copies", action="store_true", help="play no straggler a second time")
    add("--megabytes", type=float, default=0.2, help="of a partial result")
    add("--merge-seconds", type=float, default=0.25, help="of one merger of up to 32 partial results")
    add("--network", type=float, default=100.0, help="megabytes a second that reach the driver")
    add("--seed", type=int, default=1)
    asked = told.parse_args()

    seconds = [float(line.split(",")[1]) for line in asked.times.read_text().split()]
    mean = statistics.mean(seconds)
    workers = Simulated(asked, [value / mean for value in seconds])
    policy = Policy(attempts=20, straggler_factor=1e9 if asked.no_copies else 2.0)
    done: list[str] = []
    scheduler = Scheduler(workers, policy, lambda task, _: done.append(task.name), clock=lambda: workers.now)
    bounds = [asked.battles * at // asked.shards for at in range(asked.shards + 1)]
    sizes = (high - low for low, high in zip(bounds, bounds[1:], strict=False))
    scheduler.add(Task(f"shard-{at}", (), size) for at, size in enumerate(sizes, 1))
    counts = scheduler.run()
    assert sorted(done) == sorted(f"shard-{at}" for at in range(1, asked.shards + 1)), "every shard once"

    played = workers.now
    ideal = asked.battles / asked.speed / asked.nodes / asked.cores
    arrived = max(played, asked.shards * asked.megabytes / asked.network)
    merging = sum(-(-len(level) // asked.cores) * asked.merge_seconds for level in levels(asked.shards, 32))
    total = arrived + merging + asked.merge_seconds
    useful = asked.battles / asked.speed
    print(f"{asked.battles:,} battles in {asked.shards:,} shards on {asked.nodes:,} nodes of {asked.cores} cores")
    print(f"  ideal            {ideal:9.1f} s")
    print(f"  played           {played:9.1f} s  ({played / ideal - 1:+.1%})")
    print(f"  and merged       {total:9.1f} s  ({total / ideal - 1:+.1%})")
    print(f"  core-seconds     {workers.busy:9.0f}    ({workers.busy / useful - 1:+.1%} against {useful:.0f})")
    print(f"  node failures    {workers.failures:9}, shards lost {counts.lost}, played twice {counts.duplicated}")
    print(f"  partial results  {asked.shards * asked.megabytes / 1000:9.1f} GB")


if __name__ == "__main__":
    main()
