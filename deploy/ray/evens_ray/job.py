"""What a job is: a command of `evens`, the files that it reads, and the parts that it falls into."""

import contextlib
import hashlib
import itertools
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from .failure import Exit, Failure
from .work import GIVEN, PARTS, Task

#: The commands that take `--shard`.
COMMANDS = ("run", "sweep", "effects", "score", "tune")
#: Flags of `evens` that are decided here, and what to say instead.
_OURS = {
    "--shard": "parts are dealt out here: say --shards",
    "--threads": "say --cpus-per-shard",
    "--from": "plays follow each other here by themselves",
    "--checkpoint": "finished parts are kept in the folder of --keep",
    "--allow-outside": "only files below the scenario's folder go to the workers: put those that it names there",
}
#: More than this in one file is refused by `evens` itself.
_MOST_BYTES = 64_000_000


@dataclass(frozen=True)
class Job:
    """A command whose parts are played apart."""

    command: str
    #: The inputs as they were named: a scenario, or files of results.
    inputs: tuple[str, ...]
    #: The card file of `score`, as it was named.
    cards: str | None
    #: All flags that decide what is counted.
    flags: tuple[str, ...]
    #: The inputs as the workers have them.
    shipped_inputs: tuple[str, ...]
    shipped_cards: str | None
    #: The files that go to the workers, by their paths there.
    files: dict[str, bytes]

    @property
    def until(self) -> bool:
        """Whether a stopping rule ends it."""
        return any(flag == "--until" or flag.startswith("--until=") for flag in self.flags)

    def identity(self, shards: str, program: str) -> dict[str, str]:
        """What its parts depend on."""
        files = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            files.update(f"{name}\0{len(content)}\0".encode() + content)
        return {
            "command": " ".join([self.command, *self.shipped_inputs]),
            "flags": " ".join(self.flags),
            "files": files.hexdigest(),
            "shards": shards,
            "program": program,
        }

    def task(self, shard: str, name: str, size: int, cpus: int, folder: str = "") -> Task:
        """The part that `--shard` calls so. One with a folder of its own is a part of a play that follows others."""
        cards = ["--cards", self.shipped_cards] if self.shipped_cards else []
        given = ["--from", GIVEN] if folder else []
        flags = [*cards, *self.flags, "--shard", shard, *given, "--threads", str(cpus), "-o", PARTS, "-q"]
        return Task(name, (self.command, *self.shipped_inputs, *flags), size, folder)

    def equal_shards(self, of: int, cpus: int, play: int = 1) -> list[Task]:
        """So many parts of equal size of a play, which may follow others."""
        names = [(f"{at}/{of}", f"shard-{at}-of-{of}") for at in range(1, of + 1)]
        if play == 1:
            return [self.task(shard, name, 1, cpus) for shard, name in names]
        return [self.task(shard, f"play-{play}-{name}", 1, cpus, name) for shard, name in names]


def read(command: str, inputs: list[str], cards: str | None, flags: list[str]) -> Job:
    """Reads what a job needs. What is wrong with a scenario is left for `evens` to say."""
    for flag in flags:
        if (name := flag.split("=", 1)[0]) in _OURS:
            raise Failure(f"{name}: {_OURS[name]}", Exit.USAGE)
    files: dict[str, bytes] = {}
    if command == "score":
        names = [_ship(files, path, f"results-{at}") for at, path in enumerate(inputs, 1)]
        shipped_cards = _ship(files, cards, "cards") if cards else None
        return Job(command, tuple(inputs), cards, tuple(flags), tuple(names), shipped_cards, files)
    if len(inputs) != 1 or cards:
        raise Failure(f"evens-ray {command} takes one scenario, and its flags after it", Exit.USAGE)
    for path in _targets(flags):
        if path.is_absolute() or ".." in path.parts:
            raise Failure(f"--targets {path}: only a file below this folder goes to the workers", Exit.USAGE)
        files[path.as_posix()] = _bytes(path)
    scenario = Path(inputs[0])
    if not scenario.is_file():
        # A bundled one is inside the program; what is neither, the first worker says.
        return Job(command, tuple(inputs), None, tuple(flags), tuple(inputs), None, files)
    plain = not scenario.is_absolute() and ".." not in scenario.parts
    shipped = PurePosixPath(*scenario.parts) if plain else PurePosixPath(scenario.name)
    files[str(shipped)] = _bytes(scenario)
    for path in _named(scenario, flags):
        files[str(shipped.parent / path.as_posix())] = _bytes(scenario.parent / path)
    return Job(command, tuple(inputs), None, tuple(flags), (str(shipped),), None, files)


def _targets(flags: list[str]) -> list[Path]:
    """The files of `tune --targets`."""
    apart = [value for flag, value in itertools.pairwise(flags) if flag == "--targets"]
    return [Path(name) for name in [*apart, *(flag[10:] for flag in flags if flag.startswith("--targets="))]]


def _ship(files: dict[str, bytes], path: str, folder: str) -> str:
    name = f"{folder}/{Path(path).name}"
    files[name] = _bytes(Path(path))
    return name


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise Failure(f"{path} has more than {_MOST_BYTES // 1_000_000} MB", Exit.FAULTY)
        return path.read_bytes()
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}", Exit.FAULTY) from None


def _named(scenario: Path, flags: list[str]) -> set[Path]:
    """The files below the scenario's folder that it, one of these files or a flag names.

    Any text counts that happens to be the path of a file: a file too many does no harm, one too few is a fault.
    """
    folder, found, unread = scenario.parent, set[Path](), [scenario]
    texts = {part.strip(" \"'[]") for flag in flags for part in flag.replace("=", ",").split(",")}
    while unread:
        texts.update(_strings(unread.pop()))
        for text in texts:
            named = _below(folder, text)
            if named and named not in found and (folder / named) != scenario:
                found.add(named)
                unread.append(folder / named)
        texts = set()
    return found


#: A comment of TOML, or a string of one of its four kinds. Outside of these no quote and no # can stand.
_TOKEN = re.compile(
    r"""#[^\n]*|"{3}(?:[^\\]|\\.)*?"{3}(?!")|'{3}.*?'{3}(?!')|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""", re.DOTALL
)
#: What stands behind a backslash. Of these `tomllib` does not know the first two, of TOML 1.1.
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|e|(.))", re.DOTALL)


def _strings(path: Path) -> Iterator[str]:
    """All strings in a file, if it is TOML, whatever its name.

    They are looked for one by one, since `evens` reads more than Python's `tomllib`: a byte order mark, and TOML 1.1.
    """
    try:
        text = _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    for token in _TOKEN.finditer(text):
        literal = token[0]
        if literal.startswith("#"):
            continue
        if not literal.startswith(("'" * 3, '"' * 3)) and "\\" not in literal:
            yield literal[1:-1]
            continue
        if literal.startswith('"'):
            literal = _ESCAPE.sub(lambda escape: escape[0] if escape[2] else f"\\u00{escape[1] or '1b'}", literal)
        with contextlib.suppress(tomllib.TOMLDecodeError):
            yield tomllib.loads(f"text = {literal}")["text"]


def _below(folder: Path, text: str) -> Path | None:
    """The path of a file below a folder, if a text is one. Like those of `evens` it may climb, but not out of it."""
    # Hardly any text is one, and a file may have a million of them: this comes first.
    if not os.path.isfile(os.path.join(folder, text)):
        return None
    path = Path(text)
    if path.is_absolute() or Path(os.path.normpath(path)).parts[:1] == ("..",):
        return None
    try:
        return path if (folder / path).resolve().is_relative_to(folder.resolve()) else None
    except OSError:
        return None
