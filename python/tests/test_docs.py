"""Every block of Python in the guide runs as it stands, one after the other."""

import os
import re
from pathlib import Path

import pytest

from .conftest import FIRE, ROOT


def test_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(FIRE)
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), space)
    assert os.path.exists("report.html")
