"""Which program adds parts up."""

import stat
import sysconfig
from pathlib import Path

import pytest

from evens_ray.cli import program
from evens_ray.failure import Exit, Failure


def _put(folder: Path) -> Path:
    file = folder / "evens"
    file.write_text("#!/bin/sh\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file.resolve()


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where an environment has its programs, and the only folder of `PATH`."""
    scripts, path = tmp_path / "scripts", tmp_path / "path"
    scripts.mkdir()
    path.mkdir()
    monkeypatch.delenv("EVENS", raising=False)
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(scripts))
    return scripts, path


def test_that_of_the_wheel_comes_before_path_and_what_is_named_before_both(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts, path = folders
    in_path = _put(path)
    assert program(None) == in_path
    of_wheel = _put(scripts)
    assert program(None) == of_wheel
    named = _put(tmp_path)
    monkeypatch.setenv("EVENS", str(named))
    assert program(None) == named
    assert program(str(in_path)) == in_path


def test_where_there_is_none_the_remedy_is_named(folders: tuple[Path, Path]) -> None:
    with pytest.raises(Failure, match="--evens FILE") as failure:
        program(None)
    assert failure.value.code == Exit.USAGE
