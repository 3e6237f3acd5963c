"""Which part is played when: the longest first, lost ones again, stragglers twice.

Knows nothing of Ray: it asks `Workers` to start parts, and is told what came of them.
"""

import statistics
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from .failure import Failure, Verdict, code_of, verdict
from .work import Played, Task


@dataclass(frozen=True)
class Lost:
    """A worker or a node went away with what it was playing."""

    why: str


class Workers(Protocol):
    """Whoever plays parts."""

    def slots(self) -> int:
        """How many parts can be played at the same time, now."""

    def start(self, task: Task) -> Hashable:
        """Begins to play a part."""

    def wait(self, handles: list[Hashable], seconds: float) -> list[tuple[Hashable, Played | Lost]]:
        """Those that have ended, after so many seconds at most."""

    def cancel(self, handle: Hashable) -> None:
        """Ends one that is no longer needed."""


@dataclass(frozen=True)
class Policy:
    """When to try again."""

    #: How often a part may fail or be lost before the job fails.
    attempts: int = 5
    #: A part is played a second time when it takes so many times as long as the median of those that are done.
    straggler_factor: float = 2.0
    #: But not before so many seconds.
    straggler_seconds: float = 10.0


@dataclass
class Counts:
    """What happened on the way."""

    done: int = 0
    retried: int = 0
    lost: int = 0
    duplicated: int = 0
    seconds: list[float] = field(default_factory=list)


@dataclass
class _Running:
    task: Task
    started: float


class Scheduler:
    """Plays parts until there are none left."""

    def __init__(
        self,
        workers: Workers,
        policy: Policy,
        on_done: Callable[[Task, Played], None],
        show: Callable[["Scheduler"], None] = lambda _: None,
        tell: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.workers = workers
        self.policy = policy
        self.counts = Counts()
        self.pending: list[Task] = []
        self._on_done = on_done
        self._show = show
        self._tell = tell
        self._clock = clock
        self._running: dict[Hashable, _Running] = {}
        self._failed: dict[str, int] = {}
        self._stopped = False

    def add(self, tasks: Iterable[Task]) -> None:
        """Adds parts; the longest are played first, and equal ones in the order in which they came."""
        self.pending.extend(tasks)
        self.pending.sort(key=lambda task: -task.size)

    def stop(self) -> None:
        """Nothing more is needed: what is being played is ended."""
        self._stopped = True
        self.pending.clear()
        self._cancel_all()

    @property
    def running(self) -> int:
        """How many copies of parts are being played."""
        return len(self._running)

    @property
    def outstanding(self) -> int:
        """How many parts are not done."""
        return len(self.pending) + len({running.task.name for running in self._running.values()})

    def run(self) -> Counts:
        """Plays everything that was added, and what is added on the way."""
        try:
            while (self.pending or self._running) and not self._stopped:
                self._start()
                for handle, ended in self.workers.wait(list(self._running), 0.5):
                    if handle in self._running:
                        self._take(self._running.pop(handle), ended)
                self._show(self)
        finally:
            self._cancel_all()
        return self.counts

    def _start(self) -> None:
        free = self.workers.slots() - len(self._running)
        while free > 0 and self.pending:
            self._begin(self.pending.pop(0))
            free -= 1
        if free > 0:
            for straggler in self._stragglers()[:free]:
                self.counts.duplicated += 1
                self._tell(f"{straggler.name} takes long: playing it a second time, and taking the first that is done")
                self._begin(straggler)

    def _begin(self, task: Task) -> None:
        self._running[self.workers.start(task)] = _Running(task, self._clock())

    def _stragglers(self) -> list[Task]:
        """Parts that one worker alone has been playing for too long, the slowest first."""
        if not self.counts.seconds:
            return []
        usual = statistics.median(self.counts.seconds)
        limit = max(self.policy.straggler_seconds, self.policy.straggler_factor * usual)
        began: dict[str, list[_Running]] = {}
        for running in self._running.values():
            began.setdefault(running.task.name, []).append(running)
        now = self._clock()
        alone = [copies[0] for copies in began.values() if len(copies) == 1]
        slow = [running for running in alone if now - running.started > limit]
        return [running.task for running in sorted(slow, key=lambda running: running.started)]

    def _take(self, running: _Running, ended: Played | Lost) -> None:
        task = running.task
        if isinstance(ended, Lost):
            self.counts.lost += 1
            self._again(task, f"{task.name} was lost: {ended.why}")
            return
        match verdict(ended.status):
            case Verdict.DONE:
                self._cancel_copies(task)
                self.counts.done += 1
                self.counts.seconds.append(self._clock() - running.started)
                self._on_done(task, ended)
            case Verdict.RETRY:
                self._again(task, f"{task.name} ended with exit code {ended.status}: {ended.said.strip()}")
            case Verdict.FINAL:
                raise Failure(ended.said.strip() or f"evens: exit code {ended.status}", code_of(ended.status))

    def _again(self, task: Task, why: str) -> None:
        failed = self._failed[task.name] = self._failed.get(task.name, 0) + 1
        if failed >= self.policy.attempts:
            raise Failure(f"{why}\n{task.name} has failed {failed} times")
        if any(other.task.name == task.name for other in self._running.values()):
            return
        self.counts.retried += 1
        self._tell(f"{why}: playing it again")
        self.pending.insert(0, task)

    def _cancel_copies(self, task: Task) -> None:
        copies = [handle for handle, running in self._running.items() if running.task.name == task.name]
        for handle in copies:
            del self._running[handle]
            self.workers.cancel(handle)

    def _cancel_all(self) -> None:
        for handle in list(self._running):
            del self._running[handle]
            self.workers.cancel(handle)
