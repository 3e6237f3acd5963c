"""The program: where it is, and how it is run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from ._errors import Fault, error_of
from ._progress import Progress

_FAILED = 1
_MISUSED = 2

_NAME = "evens.exe" if sys.platform == "win32" else "evens"


def program() -> Path:
    """Where the program is.

    The one that the environment variable `EVENS` names, else the one that was installed with this package, else the
    first in `PATH`.

    Raises:
        FileNotFoundError: There is none.
    """
    named = os.environ.get("EVENS")
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"the environment variable EVENS names {named}, which is no program")
        return Path(found)
    schemes = ["posix_user", "nt_user", "osx_framework_user"]
    folders = [sysconfig.get_path("scripts")]
    folders += [sysconfig.get_path("scripts", scheme) for scheme in schemes if scheme in sysconfig.get_scheme_names()]
    # With `pip install --target` scripts are beside packages.
    folders.append(str(Path(__file__).parent.parent / "bin"))
    for folder in folders:
        path = Path(folder) / _NAME
        if path.is_file():
            return path
    found = shutil.which(_NAME)
    if found is None:
        raise FileNotFoundError(
            f"there is no program `evens` in {folders[0]} or PATH: install the wheel again, or name one in EVENS"
        )
    return Path(found)


@dataclass(frozen=True)
class Finished:
    """How a command ended."""

    exit_code: int
    """Its exit code; negative where a signal ended it."""
    output: str
    """What it printed."""
    messages: str
    """What it said on standard error, without progress."""
    interrupted: bool
    """Whether a KeyboardInterrupt was passed on to it."""

    def answer(self) -> dict[str, Any] | None:
        """The object that it printed, if it printed one."""
        try:
            answer = json.loads(self.output)
        except ValueError:
            return None
        return answer if isinstance(answer, dict) else None

    def check(self, *fine: int, output: str | None = None) -> None:
        """Raises what is wrong, unless the exit code is one of these.

        `output` is the file that was to be written: it is to blame where none is named.
        """
        if self.exit_code in fine:
            return
        answer = self.answer()
        # `trace` may have printed lines before; the last one is why it failed.
        if answer is None and self.output.strip():
            answer = Finished(self.exit_code, self.output.strip().splitlines()[-1], "", False).answer()
        if answer is not None and answer.get("faults"):
            faults = [Fault.read(told) for told in answer["faults"]]
            if output is not None and self.exit_code in (_FAILED, _MISUSED):
                faults = [fault if fault.file else replace(fault, file=output) for fault in faults]
            raise error_of(self.exit_code, faults, int(answer.get("faults_omitted") or 0))
        said = self.messages.strip() or "the program said nothing"
        ended = f"signal {-self.exit_code}" if self.exit_code < 0 else f"exit code {self.exit_code}"
        raise error_of(self.exit_code, [Fault(f"evens ended with {ended}: {said}")])


@contextmanager
def _keeping_ctrl_c() -> Iterator[None]:
    """What is started here does not hear Ctrl-C itself.

    A terminal and a notebook's server send SIGINT to all processes of a group, and a second one ends the program at
    once, with nothing kept. So the program inherits a mask that blocks it, and is told once, by SIGTERM, which means
    the same to it. It stays in the group: what ends the group ends the program.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
    pipe = subprocess.PIPE
    child: subprocess.Popen[bytes] | None = None
    try:
        with _keeping_ctrl_c():
            child = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, creationflags=flags)
    except KeyboardInterrupt:
        # It came while it was kept back, and nothing was played yet.
        if child is not None:
            _kill(child)
        raise
    return child


def _kill(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.communicate()


def _interrupt(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        child.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        child.send_signal(signal.SIGTERM)


def call(words: Sequence[str], text: str | None = None, progress: Progress | None = None) -> Finished:
    """Runs a command and waits for its end.

    Args:
        words: The command line without the program's name.
        text: What it reads from standard input.
        progress: Shows how far it is. A KeyboardInterrupt ends the command after the battles that are being played; a
            second one ends it at once and is raised.
    """
    child = _start([str(program()), *words])
    assert child.stdin and child.stdout and child.stderr
    printed: list[bytes] = []
    stdin, stdout = child.stdin, child.stdout

    def give() -> None:
        try:
            stdin.write((text or "").encode())
            stdin.close()
        except OSError:
            # It ended before it had read everything, and says why.
            pass

    def take() -> None:
        printed.append(stdout.read())

    helpers = [threading.Thread(target=what, daemon=True) for what in (give, take)]
    said: list[str] = []
    interrupted = False
    try:
        try:
            for helper in helpers:
                helper.start()
            _listen(child.stderr, said, progress)
            child.wait()
        except KeyboardInterrupt:
            interrupted = True
            _interrupt(child)
            try:
                _listen(child.stderr, said, progress)
                child.wait()
            except KeyboardInterrupt:
                _interrupt(child)
                child.wait()
                raise
    except BaseException:
        if child.poll() is None:
            child.kill()
            child.wait()
        raise
    finally:
        if progress is not None:
            progress.finish()
        child.stderr.close()
    for helper in helpers:
        if helper.ident is not None:
            helper.join()
    stdout.close()
    output = b"".join(printed).decode("utf-8", "replace")
    return Finished(child.returncode, output, "".join(said), interrupted)


def _listen(stream: IO[bytes], said: list[str], progress: Progress | None) -> None:
    """Takes in what is said until nothing more is."""
    for raw in stream:
        line = raw.decode("utf-8", "replace")
        if line.startswith('{"progress"'):
            if progress is not None:
                progress.show(json.loads(line)["progress"])
        else:
            said.append(line)
