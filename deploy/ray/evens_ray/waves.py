"""A run with a stopping rule: battles are played ahead, and the evidence is looked at where one machine would look.

The first part begins at battle 0 and stops by itself if the evidence suffices early. From there on the battles up to
each look are cut into parts for all workers; as soon as all those up to the next look are there, `evens merge` adds
them to what was counted before and looks. What was played beyond the look that ended the run is dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .job import Job
from .merging import merge_into
from .partial import Header, Look
from .shelf import Shelf
from .work import Task

#: The sum of everything up to the last look.
SUMS = "sum-"


@dataclass
class Waves:
    """Which battles are to be played next, and when to look."""

    job: Job
    shelf: Shelf
    program: str
    scenario: list[str]
    cpus: int
    #: Battles of the first part, which one worker plays.
    first: int
    #: The least battles of a part, if there are so many before the next look.
    least: int
    #: The end of everything that is summed.
    reached: int = 0
    look: Look | None = None
    planned: int = 0
    looks: int = 0
    _sum: Path | None = None
    #: Parts that are there, or are being played: from, to, and whether they are there.
    _ahead: dict[str, tuple[int, int, bool]] = field(default_factory=dict)

    def take_up(self) -> None:
        """Goes on from the parts that were kept."""
        for name, header in self.shelf.parts().items():
            ranges = header.done
            if len(ranges) != 1:
                self.shelf.drop(name)
            elif ranges[0][0] == 0 and header.look:
                if ranges[0][1] > self.reached:
                    if self._sum:
                        self.shelf.drop(self._sum.name)
                    self._stand_at(self.shelf.path(name), header)
                else:
                    self.shelf.drop(name)
            else:
                self._ahead[name] = (*ranges[0], True)
        self._add_up()

    @property
    def over(self) -> bool:
        """Whether there is evidence enough, or no battle left."""
        return self._sum is not None and self.look is not None and (self.look.enough or self.reached >= self.planned)

    @property
    def sum(self) -> list[Path]:
        """What was counted."""
        return [self._sum] if self._sum else []

    def took(self, name: str, header: Header) -> None:
        """A part is there."""
        if header.look is not None:
            self._stand_at(self.shelf.path(name), header)
        else:
            start, end = header.done[0]
            self._ahead[name] = (start, end, True)
        self._add_up()

    def next(self, slots: int, outstanding: int) -> list[Task]:
        """Parts to play now, so that every worker has one and another one waits."""
        if self.over:
            return []
        if self.look is None:
            return [] if outstanding else [self._task(0, self.first)]
        tasks: list[Task] = []
        for start, end in self._gaps(max(slots, 1)):
            if outstanding + len(tasks) >= 2 * slots:
                break
            task = self._task(start, end)
            self._ahead[task.name] = (start, end, False)
            tasks.append(task)
        return tasks

    def _task(self, start: int, end: int) -> Task:
        name = f"battles-{start}-to-{end - 1}"
        # All of one size: they are played in the order in which they are needed, not the longest first.
        return self.job.task(f"{start}..{end}", name, 1, self.cpus)

    def _gaps(self, slots: int) -> Iterator[tuple[int, int]]:
        """Battles that nobody plays, in the order in which they are needed, in parts that no look cuts through."""
        assert self.look is not None
        taken = sorted((start, end) for start, end, _ in self._ahead.values())
        begin = self.reached
        for bound in self.look.next:
            size = max(self.least, -(-(bound - begin) // slots))
            at = begin
            for start, end in [
                *(part for part in taken if part[0] < bound and part[1] > begin),
                (bound, bound),
            ]:
                while at < start:
                    to = min(at + size, start)
                    yield at, to
                    at = to
                at = max(at, end)
            begin = bound

    def _stand_at(self, path: Path, header: Header) -> None:
        self._sum, self.look = path, header.look
        self.planned, self.reached = header.planned, header.done[0][1]
        for name in [name for name, (_, end, _) in self._ahead.items() if end <= self.reached]:
            del self._ahead[name]
            self.shelf.drop(name)

    def _add_up(self) -> None:
        """Looks, as often as all battles up to the next look are there."""
        while not self.over and self.look is not None and self.look.next:
            bound, at, parts = self.look.next[0], self.reached, list[Path]()
            for name, (start, end, there) in sorted(self._ahead.items(), key=lambda item: item[1]):
                if there and start == at and end <= bound:
                    parts.append(self.shelf.path(name))
                    at = end
            if at < bound:
                return
            old, into = self._sum, self.shelf.path(f"{SUMS}{bound}")
            assert old is not None
            merge_into(self.program, [old, *parts], into, self.scenario)
            header = self.shelf.has(into.name)
            assert header is not None and header.look is not None
            self.looks += 1
            self._stand_at(into, header)
            self.shelf.drop(old.name)
