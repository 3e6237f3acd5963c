"""Parts as tasks on a Ray cluster. Nothing is shared but Ray's object store."""

import itertools
import logging
import os
import time
from collections.abc import Hashable
from dataclasses import astuple
from typing import Any

import ray
from ray import cloudpickle
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from . import work
from .failure import Failure
from .scheduler import Lost
from .work import Played, Shipped, Task

#: Seconds between two looks at which nodes there are.
_NODES = 2.0
#: Seconds that one waits at most for tasks that are no longer needed to be gone. What is left then ends with the job,
#: and leaves its folder on the node.
_GONE = 5.0


def connect(address: str | None, cpus: int | None) -> None:
    """Joins the cluster at an address, or that of RAY_ADDRESS; starts one on this machine where there is neither."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address or os.environ.get("RAY_ADDRESS"):
        ray.init(address=address, **quiet)
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address="local", num_cpus=cpus, include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)


def disconnect() -> None:
    """Leaves the cluster, and ends it where it was started by `connect`."""
    ray.shutdown()


class RayWorkers:
    """Plays each part as a Ray task that is tried once: who tries again, and when, is the scheduler's business.

    Tasks ask an actor whether they are still needed. `ray.cancel` will not do: in Ray 2.60 it takes the whole driver
    down where the task happens to be done at that moment ("Tried to complete task that was not pending", a race like
    that of https://github.com/ray-project/ray/pull/54798).
    """

    def __init__(self, shipped: Shipped, program: bytes | None, cpus: int) -> None:
        cloudpickle.register_pickle_by_value(work)
        self._cpus = cpus
        self._files = shipped
        self.give({})
        self._program = [] if program is None else [ray.put(program)]
        options = {"num_cpus": cpus, "max_retries": 0, "scheduling_strategy": "SPREAD"}
        self._play = ray.remote(work.remote).options(**options)
        # On the node of the driver: the job does not outlast that one anyway.
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        self._unneeded: Any = ray.remote(work.Unneeded).options(num_cpus=0, scheduling_strategy=here).remote()
        self._numbers = itertools.count()
        self._number: dict[Hashable, int] = {}
        self._leaving: list[Any] = []
        self._slots, self._counted = 0, -_NODES

    def give(self, files: dict[str, bytes]) -> None:
        """Sends these files as well with the parts that begin from now on."""
        all_files = {**self._files.files, **files}
        others = (self._files.program_sha256, self._files.program_path, self._files.environment)
        self._shipped = ray.put((all_files, *others))

    def slots(self) -> int:
        """How many parts the nodes that are alive can play at the same time."""
        if time.monotonic() - self._counted >= _NODES:
            alive = [node["Resources"] for node in ray.nodes() if node["Alive"]]
            self._slots = sum(int(resources.get("CPU", 0) // self._cpus) for resources in alive)
            self._counted = time.monotonic()
        return self._slots

    def start(self, task: Task) -> Hashable:
        """Begins to play a part."""
        number = next(self._numbers)
        handle: Hashable = self._play.remote(astuple(task), self._shipped, self._program, self._unneeded, number)
        self._number[handle] = number
        return handle

    def wait(self, handles: list[Hashable], seconds: float) -> list[tuple[Hashable, Played | Lost]]:
        """Those that have ended, after so many seconds at most."""
        if not handles:
            time.sleep(seconds)
            return []
        references: list[Any] = handles
        ready, left = ray.wait(references, timeout=seconds, fetch_local=False)
        if ready and left:
            ready += ray.wait(left, num_returns=len(left), timeout=0, fetch_local=False)[0]
        return [(handle, self._ended(handle)) for handle in ready]

    def _ended(self, handle: Any) -> Played | Lost:
        del self._number[handle]
        try:
            return Played(*ray.get(handle))
        except ray.exceptions.RayTaskError as error:
            # Not a lost worker but one that cannot do it: the next one could not either.
            if not isinstance(error.cause, KeyboardInterrupt | SystemExit | MemoryError):
                raise Failure(f"a worker failed: {error}") from None
            return Lost(type(error.cause).__name__)
        except ray.exceptions.RayError as error:
            self._counted = -_NODES
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            return Lost(f"{type(error).__name__}: {lines[0] if lines else 'no reason given'}")

    def cancel(self, handle: Hashable) -> None:
        """Ends a part that is no longer needed, within a second or two."""
        number = self._number.pop(handle, None)
        if number is None:
            # It was done as well, at the same look.
            return
        if self._leaving:
            self._leaving = ray.wait(self._leaving, num_returns=len(self._leaving), timeout=0, fetch_local=False)[1]
        self._leaving.append(handle)
        self._unneeded.add.remote(number)

    def leave(self) -> None:
        """Waits a moment for the parts that are no longer needed to be gone."""
        if self._leaving:
            ray.wait(self._leaving, num_returns=len(self._leaving), timeout=_GONE, fetch_local=False)
