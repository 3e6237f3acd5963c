"""What is told on standard error while parts are played."""

import sys
import time

from .scheduler import Scheduler

#: Seconds between two lines where nobody watches a terminal.
_EVERY = 30.0


class Progress:
    """One line that says how far the job is."""

    def __init__(self, total: int | None, quiet: bool) -> None:
        self._total = total
        self._quiet = quiet
        self._began = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._next = self._began + (0 if self._is_terminal else _EVERY)
        self._shown = False
        #: Parts that were there before.
        self.kept = 0
        #: What else there is to say.
        self.note = ""

    def show(self, scheduler: Scheduler) -> None:
        """Says how far the job is, now and then."""
        now = time.monotonic()
        if self._quiet or now < self._next:
            return
        self._next = now + (0.2 if self._is_terminal else _EVERY)
        done = self.kept + scheduler.counts.done
        of = f" of {self._total}" if self._total else ""
        parts = [f"{done}{of} shards", f"{scheduler.running} running"]
        counts = scheduler.counts
        for count, what in [(counts.retried, "played again"), (counts.duplicated, "played twice")]:
            if count:
                parts.append(f"{count} {what}")
        if self.note:
            parts.append(self.note)
        if self._total and counts.done:
            left = (now - self._began) / counts.done * (self._total - done)
            parts.append(f"{_clock(left)} left")
        self._say(", ".join(parts))

    def tell(self, text: str) -> None:
        """Says something that should stay."""
        if not self._quiet:
            self.finish()
            print(text, file=sys.stderr, flush=True)

    def finish(self) -> None:
        """Clears the line."""
        if self._shown and self._is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._shown = False

    def _say(self, text: str) -> None:
        self._shown = True
        if self._is_terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
